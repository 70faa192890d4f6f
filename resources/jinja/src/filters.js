// Jinja2's filters, and tojson as Hugging Face transformers replaces it. A filter: (value, args, interpreter) => value.

import { fixed, formatPercent } from "./format.js";
import { toJson } from "./json.js";
import { center, getElement } from "./members.js";
import { decimalValue, isDecimal, isWordPart } from "./characters.js";
import * as long from "./long.js";
import { escaped, escapeHtml } from "./operators.js";
import { Problem, raise } from "./problem.js";
import { callTest } from "./tests.js";
import { textFilters } from "./text_filters.js";
import * as text from "./text.js";
import * as v from "./values.js";

const FALSE = v.bool(false);

function generator(produce) {
	return new v.GeneratorValue(produce);
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
	return value instanceof v.StringValue ? v.str(text.lower(value.value)) : value;
}

// An argument that Python takes for an integer, such as `reverse` of sorted().
function flag(value) {
	if (!v.isNumber(value) || value instanceof v.FloatValue) {
		raise("TypeError", `'${v.typeName(value)}' object cannot be interpreted as an integer`);
	}
	return v.truth(value);
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
	if (args.length === 0 || args[0] instanceof v.KeywordArgumentsValue) {
		raise("FilterArgumentError", `${what} requires a filter argument`);
	}
	return [v.toText(args[0]), args.slice(1)];
}

// Jinja2 does not look into a value that is false, so None and other values that cannot be iterated yield nothing.
function chooser(keep, byAttribute) {
	return (value, args, interpreter) => generator(() => {
		if (!v.truth(value)) return [];
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
				: (item) => callTest(v.toText(rest[0]), item, rest.slice(1), interpreter);
		return v.iterate(value).filter((item) => test(get(item)) === keep);
	});
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

// Decimal digits of any script as ASCII, without the underscores between digits and the spaces around.
function plainDigits(source) {
	const out = text.chars(text.trim(source)).map((char) => (char > "\u007f" && isDecimal(char) ? String(decimalValue(char)) : char)).join("");
	return out.replace(/([\da-z])_(?=[\da-z])/gi, "$1");
}

const PREFIXES = { 2: /^0b_?/i, 8: /^0o_?/i, 16: /^0x_?/i };

// int() of a text; null if it is none. `radix` 0: as a prefix says.
function integerOf(source, radix) {
	const [, sign, digits] = /^([+-]?)([^]*)$/.exec(plainDigits(source)) || [null, "", ""];
	if (/__|^_|_$/.test(digits)) return null;
	const bases = radix === 0 ? [2, 8, 16].filter((base) => PREFIXES[base].test(digits)) : [radix];
	const base = bases.length > 0 ? bases[0] : 10;
	if (radix === 0 && base === 10 && /^0+[1-9]/.test(digits)) return null;
	const bare = PREFIXES[base] === undefined ? digits : digits.replace(PREFIXES[base], "");
	if (!/^[\da-z]+$/i.test(bare) || bare.split("").some((digit) => !(parseInt(digit, 36) < base))) return null;
	if (base === 10) {
		return bare.length > 4300 ? null : v.integerOfDigits((sign === "-" ? "-" : "") + bare);
	}
	const value = long.fromRadix(bare, base);
	return v.ofLong(sign === "-" ? long.negate(value) : value);
}

function toInteger(value, args) {
	const [fallback, base] = v.bind("int", args, ["default", "base"], [v.integer(0), v.integer(10)]);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (value instanceof v.FloatValue) {
		if (Number.isNaN(value.value)) return fallback;
		if (!Number.isFinite(value.value)) raise("OverflowError", "cannot convert float infinity to integer");
		return v.integer(Math.trunc(value.value));
	}
	if (v.isNumber(value)) return value instanceof v.BooleanValue ? v.integer(Number(value.value)) : value;
	if (!(value instanceof v.StringValue)) return fallback;
	const radix = v.isInteger(base) ? Number(base.value) : -1; // Python takes any fault of the base for no integer
	const isBase = radix === 0 || (radix >= 2 && radix <= 36);
	const whole = isBase ? integerOf(value.value, radix) : null;
	if (whole !== null) return whole;
	const number = floatOf(plainDigits(value.value));
	if (number === null || Number.isNaN(number)) return fallback;
	if (!Number.isFinite(number)) raise("OverflowError", "cannot convert float infinity to integer");
	return v.integer(Math.trunc(number));
}

function floatOf(source) {
	if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(source)) return Number(source);
	const word = /^([+-]?)(inf|infinity|nan)$/i.exec(source);
	return word === null ? null : word[2].toLowerCase() === "nan" ? NaN : word[1] === "-" ? -Infinity : Infinity;
}

function toFloat(value, args) {
	const [fallback] = v.bind("float", args, ["default"], [new v.FloatValue(0)]);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (v.isNumber(value)) return new v.FloatValue(v.number(value));
	const number = value instanceof v.StringValue ? floatOf(plainDigits(value.value)) : null;
	return number === null ? fallback : new v.FloatValue(number);
}

// float() of a value, for a filter that fails for others.
function needFloat(value) {
	if (v.isUndefined(value)) v.failUndefined(value);
	if (v.isNumber(value)) return v.number(value);
	if (!(value instanceof v.StringValue)) {
		raise("TypeError", `float() argument must be a string or a real number, not '${v.typeName(value)}'`);
	}
	const number = floatOf(plainDigits(value.value));
	return number === null ? raise("ValueError", `could not convert string to float: ${v.stringRepr(value.value)}`) : number;
}

function round(value, args) {
	const [precision, method] = v.bind("round", args, ["precision", "method"], [v.integer(0), v.str("common")]);
	const digits = v.needInteger(precision);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!v.isNumber(value)) raise("TypeError", `type ${v.typeName(value)} doesn't define __round__ method`);
	if (value instanceof v.LongValue && method.value === "common") {
		return digits >= 0 ? value : roundedLong(v.toLong(value), -digits);
	}
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

// To a multiple of 10^zeros, ties to even ones.
function roundedLong(value, zeros) {
	const unit = long.power(long.fromDigits("10"), zeros);
	const [quotient, rest] = long.divide(value, unit);
	const order = long.compare(long.add(rest, rest), unit);
	const isOdd = long.divide(quotient, long.fromDigits("2"))[1].limbs.length > 0;
	const up = order > 0 || (order === 0 && isOdd);
	return v.ofLong(long.multiply(up ? long.add(quotient, long.fromDigits("1")) : quotient, unit));
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
	const size = v.lengthOf(value); // fails for what has no length
	const chars = text.chars(v.toText(value));
	const most = v.needInteger(length);
	const slack = leeway instanceof v.NullValue ? 5 : v.needInteger(leeway);
	const least = v.lengthOf(end);
	if (most < least) raise("AssertionError", `expected length >= ${least}, got ${v.repr(length)}`);
	if (slack < 0) raise("AssertionError", `expected leeway >= 0, got ${v.repr(leeway)}`);
	if (size <= most + slack) return value;
	const cut = chars.slice(0, most - text.length(end.value)).join("");
	const space = cut.lastIndexOf(" ");
	return v.str((v.truth(kill) || space < 0 ? cut : cut.slice(0, space)) + end.value);
}

function batch(value, args) {
	const [count, fill] = v.bind("batch", args, ["linecount", "fill_with"], [v.none]);
	return generator(() => {
		const rows = [];
		let row = [];
		for (const item of v.iterate(value)) {
			if (v.equal(v.integer(row.length), count)) {
				rows.push(row);
				row = [];
			}
			row.push(item);
		}
		if (row.length > 0) {
			if (!(fill instanceof v.NullValue) && v.order(v.integer(row.length), count) < 0) {
				row.push(...new Array(v.needInteger(count) - row.length).fill(fill));
			}
			rows.push(row);
		}
		return rows.map(v.list);
	});
}

function sliceInto(value, args) {
	const [count, fill] = v.bind("slice", args, ["slices", "fill_with"], [v.none]);
	return generator(() => {
		const all = v.iterate(value);
		const slices = v.needInteger(count);
		if (slices === 0) raise("ZeroDivisionError", "integer division or modulo by zero");
		const each = Math.floor(all.length / slices);
		const longer = all.length % slices;
		const rows = [];
		for (let i = 0, at = 0; i < slices; ++i) {
			const size = each + (i < longer ? 1 : 0);
			const row = all.slice(at, at + size);
			if (i >= longer && !(fill instanceof v.NullValue)) row.push(fill);
			rows.push(v.list(row));
			at += size;
		}
		return rows;
	});
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
	return v.list(groups.map(([grouper, items]) => new v.GroupValue([grouper, v.list(items)])));
}

function json(value, args) {
	const [ascii, indentBy, separators, sort] = v.bind("tojson", args, ["ensure_ascii", "indent", "separators", "sort_keys"],
		[FALSE, v.none, v.none, FALSE]);
	const by = indentBy instanceof v.NullValue ? null
		: indentBy instanceof v.StringValue ? indentBy.value : " ".repeat(Math.max(0, v.needInteger(indentBy)));
	const between = separators instanceof v.NullValue ? [by === null ? ", " : ",", ": "] : separators.value.map((part) => v.needText(part, "separator"));
	if (between.length !== 2) {
		raise("ValueError", between.length > 2 ? "too many values to unpack (expected 2)" : `not enough values to unpack (expected 2, got ${between.length})`);
	}
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

// The first character upper case, the rest lower.
function titled(word) {
	const all = text.chars(word);
	return text.upper(all[0]) + text.lower(all.slice(1).join(""));
}

function plain(name, convert) {
	return (value, args) => {
		v.bind(name, args, []);
		return like(value, convert(v.toText(value)));
	};
}

// The same, where markup becomes plain text.
function unmarked(name, convert) {
	return (value, args) => v.str(plain(name, convert)(value, args).value);
}

// Text made of `value`: markup, if it is.
function like(value, text) {
	return value instanceof v.MarkupValue ? new v.MarkupValue(text) : v.str(text);
}

const FILTERS = {
	abs(value) {
		if (!v.isNumber(value)) raise("TypeError", `bad operand type for abs(): '${v.typeName(value)}'`);
		if (value instanceof v.LongValue) return value.digits[0] === "-" ? v.ofLong(long.negate(v.toLong(value))) : value;
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
		return like(value, missing <= 0 ? source : center(source, missing, " ", wide));
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
		return v.list(sorted(v.pairs(value), key, flag(reverse)));
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
	items(value, args) {
		v.bind("items", args, []);
		return generator(() => {
			if (v.isUndefined(value)) return [];
			if (!(value instanceof v.ObjectValue)) raise("TypeError", "Can only get item pairs from a mapping.");
			return v.pairs(value);
		});
	},
	join(value, args, interpreter) {
		const [by, attribute] = v.bind("join", args, ["d", "attribute"], [v.str(""), v.none]);
		const parts = v.iterate(value).map(attributeGetter(attribute));
		if (interpreter.autoescape && [by, ...parts].some((part) => part instanceof v.MarkupValue)) {
			return new v.MarkupValue(parts.map(escaped).join(escaped(by)));
		}
		return v.str(parts.map(v.toText).join(v.toText(by)));
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
	lower: plain("lower", text.lower),
	map(value, args, interpreter) {
		return generator(() => {
			if (!v.truth(value)) return []; // as chooser()
			const last = args[args.length - 1];
			if (args.length === 1 && last instanceof v.KeywordArgumentsValue && last.value.has("attribute")) {
				const unknown = Array.from(last.value.keys()).find((key) => key !== "attribute" && key !== "default");
				if (unknown !== undefined) raise("FilterArgumentError", `Unexpected keyword argument ${v.stringRepr(unknown)}`);
				return v.iterate(value).map(attributeGetter(last.value.get("attribute"), last.value.get("default") || null));
			}
			const [name, rest] = named(args, "map");
			return v.iterate(value).map((item) => callFilter(name, item, rest, interpreter));
		});
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
	reverse(value, args) {
		v.bind("reverse", args, []);
		if (value instanceof v.StringValue) return v.str(text.chars(value.value).reverse().join(""));
		const all = elements(value, "FilterArgumentError", "argument must be iterable").slice().reverse();
		return generator(() => all);
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
		return v.list(sorted(v.iterate(value), (item) => v.list(getters.map((get) => fold(get(item)))), flag(reverse)));
	},
	string: (value) => (value instanceof v.StringValue ? value : v.str(v.toText(value))),
	striptags: unmarked("striptags", (source) => {
		const bare = source.replace(/<!--[\s\S]*?-->/g, "").replace(/<[^>]*>/g, "");
		return text.trim(bare).split(/\s+/).join(" ").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&#34;|&quot;/g, '"')
			.replace(/&#39;/g, "'").replace(/&amp;/g, "&");
	}),
	sum(value, args, interpreter) {
		const [attribute, start] = v.bind("sum", args, ["attribute", "start"], [v.none, v.integer(0)]);
		return v.iterate(value).map(attributeGetter(attribute)).reduce((total, item) => interpreter.binary("+", total, item), start);
	},
	title: unmarked("title", (source) =>
		source.split(/([-\s({[<]+)/).filter((part) => part !== "").map(titled).join("")
	),
	tojson: json,
	trim(value, args) {
		const [chars] = v.bind("trim", args, ["chars"], [v.none]);
		return like(value, text.trim(v.toText(value), chars instanceof v.NullValue ? null : v.needText(chars, "strip arg")));
	},
	truncate,
	unique(value, args) {
		const [caseSensitive, attribute] = v.bind("unique", args, ["case_sensitive", "attribute"], [FALSE, v.none]);
		const get = attributeGetter(attribute);
		return generator(() => {
			const seen = new Set();
			return v.iterate(value).filter((item) => {
				const key = v.keyOf(v.truth(caseSensitive) ? get(item) : ignoreCase(get(item)));
				return !seen.has(key) && seen.add(key);
			});
		});
	},
	upper: plain("upper", text.upper),
	urlencode: urlEncode,
	wordcount(value) {
		const parts = text.chars(v.toText(value)).map((char) => isWordPart(char));
		return v.integer(parts.filter((is, i) => is && !parts[i - 1]).length);
	},
};
Object.assign(FILTERS, textFilters(needFloat));
FILTERS.count = FILTERS.length;
FILTERS.d = FILTERS.default;
FILTERS.e = FILTERS.escape;

export function isFilter(name) {
	return Object.prototype.hasOwnProperty.call(FILTERS, name);
}
export const filterNames = Object.keys(FILTERS);

const WITHOUT_ARGUMENTS = ["abs", "e", "escape", "forceescape", "list", "safe", "string", "urlencode", "wordcount"];

export function callFilter(name, value, args, interpreter) {
	if (isFilter(name)) {
		if (WITHOUT_ARGUMENTS.includes(name)) {
			v.bind(name, args, []);
		}
		return FILTERS[name](value, args, interpreter);
	}
	throw unknownFilter(name);
}

export function unknownFilter(name) {
	return new Problem("unknown_filter", [name]);
}
