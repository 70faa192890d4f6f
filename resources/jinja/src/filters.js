// Jinja2's filters, and tojson as Hugging Face transformers replaces it. A filter: (value, args, interpreter) => value.

import { fixed, formatPercent } from "./format.js";
import { toJson } from "./json.js";
import { center, getElement } from "./members.js";
import { escapeHtml } from "./operators.js";
import { Problem, raise } from "./problem.js";
import { callTest } from "./tests.js";
import * as text from "./text.js";
import * as v from "./values.js";

const FALSE = v.bool(false);

function generator(values) {
	return new v.GeneratorValue(values);
}

// Jinja2's make_attrgetter: "a.0.b" or an index.
function attributeGetter(attribute, fallback = null) {
	const parts =
		attribute instanceof v.NullValue ? []
		: attribute instanceof v.StringValue
			? attribute.value.split(".").map((part) => (/^\d+$/.test(part) ? v.integer(Number(part)) : v.str(part)))
			: [attribute];
	return (item) =>
		parts.reduce((value, part) => {
			const found = getElement(value, part);
			return v.isUndefined(found) && fallback !== null && !(fallback instanceof v.NullValue) ? fallback : found;
		}, item);
}

function ignoreCase(value) {
	return value instanceof v.StringValue ? v.str(value.value.toLowerCase()) : value;
}

function sorted(values, keyOf, reverse) {
	const rows = values.map((value, index) => ({ value, index, key: keyOf(value) }));
	rows.sort((a, b) => (reverse ? v.order(b.key, a.key) : v.order(a.key, b.key)) || a.index - b.index);
	return rows.map((row) => row.value);
}

// The elements of a value, for a filter whose error for values without elements is its own.
function elements(value, error, message) {
	if (v.isNumber(value) || value instanceof v.NullValue || value instanceof v.BooleanValue) raise(error, message);
	return v.iterate(value);
}

// map, select and the like take the name of a filter or test and its arguments.
function named(args, what) {
	if (args.length === 0 || !(args[0] instanceof v.StringValue)) {
		raise("FilterArgumentError", `${what} requires a filter argument`);
	}
	return [args[0].value, args.slice(1)];
}

// Jinja2 does not look into a value that is false, so None and other values that cannot be iterated yield nothing.
function chooser(keep, byAttribute) {
	return (value, args, interpreter) => {
		if (!v.truth(value)) return generator([]);
		let rest = args;
		let get = (item) => item;
		if (byAttribute) {
			if (args.length === 0) raise("FilterArgumentError", "Missing parameter for attribute name");
			get = attributeGetter(args[0]);
			rest = args.slice(1);
		}
		const test =
			rest.length === 0
				? (item) => v.truth(item)
				: (item) => callTest(rest[0].value, item, rest.slice(1), interpreter);
		return generator(v.iterate(value).filter((item) => test(get(item)) === keep));
	};
}

function extreme(name, sign) {
	return (value, args) => {
		const [caseSensitive, attribute] = v.bind(name, args, ["case_sensitive", "attribute"], [FALSE, v.none]);
		const get = attributeGetter(attribute);
		const key = (item) => (v.truth(caseSensitive) ? get(item) : ignoreCase(get(item)));
		const all = v.iterate(value);
		if (all.length === 0) {
			return new v.Missing("No aggregated item, sequence was empty.");
		}
		return all.reduce((best, item) => (sign * v.order(key(item), key(best)) > 0 ? item : best));
	};
}

function toInteger(value, args) {
	const [fallback, base] = v.bind("int", args, ["default", "base"], [v.integer(0), v.integer(10)]);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (value instanceof v.LongValue) return value;
	if (v.isNumber(value)) {
		return Number.isFinite(value.value) || value instanceof v.BooleanValue ? v.integer(Math.trunc(v.number(value))) : fallback;
	}
	if (!(value instanceof v.StringValue)) return fallback;
	const source = text.trim(value.value).replace(/(\d)_(?=\d)/g, "$1");
	const radix = v.number(base);
	const bare = radix === 16 ? source.replace(/^([+-]?)0x/i, "$1") : radix === 8 ? source.replace(/^([+-]?)0o/i, "$1")
		: radix === 2 ? source.replace(/^([+-]?)0b/i, "$1") : source;
	if (radix === 10 && /^[+-]?\d+$/.test(bare)) return v.integerOfDigits(bare.replace(/^\+/, ""));
	if (radix !== 10 && /^[+-]?[0-9a-z]+$/i.test(bare)) {
		const parsed = parseInt(bare, radix);
		if (!Number.isNaN(parsed)) return v.integer(parsed);
	}
	const number = floatOf(source);
	return number === null || !Number.isFinite(number) ? fallback : v.integer(Math.trunc(number));
}

function floatOf(source) {
	if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(source)) return Number(source);
	const word = /^([+-]?)(inf|infinity|nan)$/i.exec(source);
	return word === null ? null : word[2].toLowerCase() === "nan" ? NaN : word[1] === "-" ? -Infinity : Infinity;
}

function toFloat(value, args) {
	const [fallback] = v.bind("float", args, ["default"], [new v.FloatValue(0)]);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (v.isNumber(value)) return new v.FloatValue(Number(value.value));
	const number = value instanceof v.StringValue ? floatOf(text.trim(value.value).replace(/(\d)_(?=\d)/g, "$1")) : null;
	return number === null ? fallback : new v.FloatValue(number);
}

function round(value, args) {
	const [precision, method] = v.bind("round", args, ["precision", "method"], [v.integer(0), v.str("common")]);
	const digits = v.needInteger(precision);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!v.isNumber(value)) raise("TypeError", `type ${v.typeName(value)} doesn't define __round__ method`);
	const number = v.number(value);
	if (method.value === "ceil" || method.value === "floor") {
		const scale = Math.pow(10, digits);
		return new v.FloatValue(Math[method.value](number * scale) / scale);
	}
	if (method.value !== "common") raise("FilterArgumentError", "method must be common, ceil or floor");
	if (!(value instanceof v.FloatValue)) {
		return digits >= 0 ? v.integer(number) : v.integer(Number(fixed(number / Math.pow(10, -digits), 0)) * Math.pow(10, -digits));
	}
	return new v.FloatValue(digits >= 0 ? Number(fixed(number, digits)) : Number(fixed(number * Math.pow(10, digits), 0)) / Math.pow(10, digits));
}

function indent(value, args) {
	const [width, first, blank] = v.bind("indent", args, ["width", "first", "blank"], [v.integer(4), FALSE, FALSE]);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!(value instanceof v.StringValue)) {
		if (v.typeName(value) === "list") raise("AttributeError", "'list' object has no attribute 'splitlines'");
		raise("TypeError", `unsupported operand type(s) for +=: '${v.typeName(value)}' and 'str'`);
	}
	const by = width instanceof v.StringValue ? width.value : " ".repeat(Math.max(0, v.needInteger(width)));
	const lines = text.splitLines(v.toText(value) + "\n");
	const out = v.truth(blank)
		? lines.join("\n" + by)
		: lines.map((line, i) => (i > 0 && line !== "" ? by + line : line)).join("\n");
	return v.str(v.truth(first) ? by + out : out);
}

function truncate(value, args) {
	const [length, kill, end, leeway] = v.bind("truncate", args, ["length", "killwords", "end", "leeway"],
		[v.integer(255), FALSE, v.str("..."), v.none]);
	v.lengthOf(value); // fails for what has no length
	const chars = text.chars(v.toText(value));
	const most = v.needInteger(length);
	const slack = leeway instanceof v.NullValue ? 5 : v.needInteger(leeway);
	if (chars.length <= most + slack) return v.str(chars.join(""));
	const cut = chars.slice(0, most - text.length(end.value)).join("");
	const space = cut.lastIndexOf(" ");
	return v.str((v.truth(kill) || space < 0 ? cut : cut.slice(0, space)) + end.value);
}

function batch(value, args) {
	const [count, fill] = v.bind("batch", args, ["linecount", "fill_with"], [v.none]);
	const size = v.needInteger(count);
	const all = v.iterate(value);
	const rows = [];
	for (let i = 0; i < all.length; i += Math.max(1, size)) {
		rows.push(all.slice(i, i + Math.max(1, size)));
	}
	const last = rows[rows.length - 1];
	while (last !== undefined && !(fill instanceof v.NullValue) && last.length < size) {
		last.push(fill);
	}
	return generator(rows.map(v.list));
}

function sliceInto(value, args) {
	const [count, fill] = v.bind("slice", args, ["slices", "fill_with"], [v.none]);
	const all = v.iterate(value);
	const slices = v.needInteger(count);
	const each = Math.floor(all.length / slices);
	const longer = all.length % slices;
	const rows = [];
	for (let i = 0, at = 0; i < slices; ++i) {
		const size = each + (i < longer ? 1 : 0);
		const row = all.slice(at, at + size);
		if (i >= longer && longer > 0 && !(fill instanceof v.NullValue)) row.push(fill);
		if (i >= longer && longer === 0 && !(fill instanceof v.NullValue)) row.push(fill);
		rows.push(v.list(row));
		at += size;
	}
	return generator(rows);
}

function groupBy(value, args) {
	const [attribute, fallback, caseSensitive] = v.bind("groupby", args, ["attribute", "default", "case_sensitive"], [v.none, FALSE]);
	const get = attributeGetter(attribute, fallback);
	const key = (item) => (v.truth(caseSensitive) ? get(item) : ignoreCase(get(item)));
	const groups = [];
	for (const item of sorted(v.iterate(value), key, false)) {
		const last = groups[groups.length - 1];
		if (last !== undefined && v.equal(key(last[1][0]), key(item))) last[1].push(item);
		else groups.push([get(item), [item]]);
	}
	return v.list(groups.map(([grouper, items]) => new v.TupleValue([grouper, v.list(items)])));
}

function json(value, args) {
	const [ascii, indentBy, separators, sort] = v.bind("tojson", args, ["ensure_ascii", "indent", "separators", "sort_keys"],
		[FALSE, v.none, v.none, FALSE]);
	const by = indentBy instanceof v.NullValue ? null
		: indentBy instanceof v.StringValue ? indentBy.value : " ".repeat(Math.max(0, v.needInteger(indentBy)));
	const between = separators instanceof v.NullValue ? [by === null ? ", " : ",", ": "] : separators.value.map((part) => v.needText(part, "separator"));
	return v.str(toJson(value, { indent: by, ascii: v.truth(ascii), separators: between, sort: v.truth(sort) }));
}

function urlEncode(value) {
	const quote = (source, all) => encodeURIComponent(source).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase())
		.replace(/%2F/g, all ? "%2F" : "/");
	if (value instanceof v.StringValue || !(value instanceof v.ArrayValue || value instanceof v.ObjectValue)) {
		return v.str(quote(v.toText(value), false));
	}
	const pairs = value instanceof v.ObjectValue ? v.entries(value) : v.iterate(value).map((pair) => v.iterate(pair));
	const part = (element) => quote(v.toText(element), true).replace(/%20/g, "+");
	return v.str(pairs.map(([key, element]) => `${part(key)}=${part(element)}`).join("&"));
}

function plain(name, convert) {
	return (value, args) => {
		v.bind(name, args, []);
		return v.str(convert(v.toText(value)));
	};
}

const FILTERS = {
	abs(value) {
		if (!v.isNumber(value)) raise("TypeError", `bad operand type for abs(): '${v.typeName(value)}'`);
		return value instanceof v.FloatValue ? new v.FloatValue(Math.abs(value.value)) : v.integer(Math.abs(v.number(value)));
	},
	attr(value, args) {
		const [name] = v.bind("attr", args, ["name"]);
		const found = getElement(value, name);
		const isKey = value instanceof v.ObjectValue && value.value.has(name.value);
		return isKey ? new v.Missing(`'${v.objectName(value)}' has no attribute ${v.stringRepr(name.value)}`) : found;
	},
	batch,
	capitalize: plain("capitalize", text.capitalize),
	center(value, args) {
		const [width] = v.bind("center", args, ["width"], [v.integer(80)]);
		const source = v.toText(value);
		const wide = v.needInteger(width);
		const missing = wide - text.length(source);
		return v.str(missing <= 0 ? source : center(source, missing, " ", wide));
	},
	default(value, args) {
		const [fallback, boolean] = v.bind("default", args, ["default_value", "boolean"], [v.str(""), FALSE]);
		return v.isUndefined(value) || (v.truth(boolean) && !v.truth(value)) ? fallback : value;
	},
	dictsort(value, args) {
		const [caseSensitive, by, reverse] = v.bind("dictsort", args, ["case_sensitive", "by", "reverse"], [FALSE, v.str("key"), FALSE]);
		if (by.value !== "key" && by.value !== "value") {
			raise("FilterArgumentError", 'You can only sort by either "key" or "value"');
		}
		if (v.isUndefined(value)) v.failUndefined(value);
		if (!(value instanceof v.ObjectValue)) raise("AttributeError", `'${v.typeName(value)}' object has no attribute 'items'`);
		const index = by.value === "key" ? 0 : 1;
		const key = (pair) => (v.truth(caseSensitive) ? pair.value[index] : ignoreCase(pair.value[index]));
		return v.list(sorted(v.pairs(value), key, v.truth(reverse)));
	},
	escape: (value) => (value instanceof v.MarkupValue ? value : new v.MarkupValue(escapeHtml(v.toText(value)))),
	forceescape: (value) => new v.MarkupValue(escapeHtml(v.toText(value))),
	first(value, args) {
		v.bind("first", args, []);
		const all = v.iterate(value);
		return all.length > 0 ? all[0] : new v.Missing("No first item, sequence was empty.");
	},
	float: toFloat,
	format(value, args) {
		const given = args.slice();
		const keywords = given[given.length - 1] instanceof v.KeywordArgumentsValue ? given.pop() : null;
		if (keywords !== null && given.length > 0) {
			raise("FilterArgumentError", "can't handle positional and keyword arguments at the same time");
		}
		return v.str(formatPercent(v.toText(value), keywords || new v.TupleValue(given)));
	},
	groupby: groupBy,
	indent,
	int: toInteger,
	items(value) {
		if (v.isUndefined(value)) return generator([]);
		if (!(value instanceof v.ObjectValue)) raise("TypeError", "Can only get item pairs from a mapping.");
		return generator(v.pairs(value));
	},
	join(value, args) {
		const [by, attribute] = v.bind("join", args, ["d", "attribute"], [v.str(""), v.none]);
		return v.str(v.iterate(value).map(attributeGetter(attribute)).map(v.toText).join(v.toText(by)));
	},
	last(value, args) {
		v.bind("last", args, []);
		if (value instanceof v.GeneratorValue) raise("TypeError", "'generator' object is not reversible");
		const all = elements(value, "TypeError", `'${v.typeName(value)}' object is not reversible`);
		return all.length > 0 ? all[all.length - 1] : new v.Missing("No last item, sequence was empty.");
	},
	length(value, args) {
		v.bind("length", args, []);
		return v.integer(v.lengthOf(value));
	},
	list: (value) => v.list(v.iterate(value).slice()),
	lower: plain("lower", (source) => source.toLowerCase()),
	map(value, args, interpreter) {
		if (!v.truth(value)) return generator([]); // as chooser()
		const last = args[args.length - 1];
		if (args.length === 1 && last instanceof v.KeywordArgumentsValue && last.value.has("attribute")) {
			return generator(v.iterate(value).map(attributeGetter(last.value.get("attribute"), last.value.get("default") || null)));
		}
		const [name, rest] = named(args, "map");
		return generator(v.iterate(value).map((item) => callFilter(name, item, rest, interpreter)));
	},
	max: extreme("max", 1),
	min: extreme("min", -1),
	reject: chooser(false, false),
	rejectattr: chooser(false, true),
	replace(value, args) {
		const [old, by, count] = v.bind("replace", args, ["old", "new", "count"], [v.none]);
		const times = count instanceof v.NullValue ? -1 : v.needInteger(count);
		return v.str(text.replace(v.toText(value), v.toText(old), v.toText(by), times));
	},
	reverse(value) {
		if (value instanceof v.StringValue) return v.str(text.chars(value.value).reverse().join(""));
		return generator(elements(value, "FilterArgumentError", "argument must be iterable").slice().reverse());
	},
	round,
	safe: (value) => (value instanceof v.MarkupValue ? value : new v.MarkupValue(v.toText(value))),
	select: chooser(true, false),
	selectattr: chooser(true, true),
	slice: sliceInto,
	sort(value, args) {
		const [reverse, caseSensitive, attribute] = v.bind("sort", args, ["reverse", "case_sensitive", "attribute"], [FALSE, FALSE, v.none]);
		const getters = attribute instanceof v.StringValue
			? attribute.value.split(",").map((part) => attributeGetter(v.str(part))) : [attributeGetter(attribute)];
		const fold = (item) => (v.truth(caseSensitive) ? item : ignoreCase(item));
		return v.list(sorted(v.iterate(value), (item) => v.list(getters.map((get) => fold(get(item)))), v.truth(reverse)));
	},
	string: (value) => (value instanceof v.StringValue ? value : v.str(v.toText(value))),
	striptags: plain("striptags", (source) => {
		const bare = source.replace(/<!--[\s\S]*?-->/g, "").replace(/<[^>]*>/g, "");
		return text.trim(bare).split(/\s+/).join(" ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&#34;|&quot;/g, '"')
			.replace(/&#39;/g, "'").replace(/&amp;/g, "&");
	}),
	sum(value, args, interpreter) {
		const [attribute, start] = v.bind("sum", args, ["attribute", "start"], [v.none, v.integer(0)]);
		return v.iterate(value).map(attributeGetter(attribute)).reduce((total, item) => interpreter.binary("+", total, item), start);
	},
	title: plain("title", (source) =>
		source.split(/([-\s({[<]+)/).filter((part) => part !== "").map(text.capitalize).join("")
	),
	tojson: json,
	trim(value, args) {
		const [chars] = v.bind("trim", args, ["chars"], [v.none]);
		return v.str(text.trim(v.toText(value), chars instanceof v.NullValue ? null : v.needText(chars, "strip arg")));
	},
	truncate,
	unique(value, args) {
		const [caseSensitive, attribute] = v.bind("unique", args, ["case_sensitive", "attribute"], [FALSE, v.none]);
		const get = attributeGetter(attribute);
		const seen = new Set();
		return generator(
			v.iterate(value).filter((item) => {
				const key = v.keyOf(v.truth(caseSensitive) ? get(item) : ignoreCase(get(item)));
				return !seen.has(key) && seen.add(key);
			})
		);
	},
	upper: plain("upper", (source) => source.toUpperCase()),
	urlencode: urlEncode,
	wordcount: (value) => v.integer((v.toText(value).match(/[\w\u00aa-\uffff]+/g) || []).length),
};
FILTERS.count = FILTERS.length;
FILTERS.d = FILTERS.default;
FILTERS.e = FILTERS.escape;

// Jinja2 has them, no chat template does.
const LEFT_OUT = ["filesizeformat", "pprint", "random", "urlize", "wordwrap", "xmlattr"];

export function isFilter(name) {
	return Object.prototype.hasOwnProperty.call(FILTERS, name);
}
export const filterNames = Object.keys(FILTERS);

export function callFilter(name, value, args, interpreter) {
	if (isFilter(name)) {
		return FILTERS[name](value, args, interpreter);
	}
	throw unknownFilter(name);
}

export function unknownFilter(name) {
	return LEFT_OUT.includes(name) ? new Problem("unsupported", [name]) : new Problem("unknown_filter", [name]);
}
