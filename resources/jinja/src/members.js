// Attributes, elements and methods as Jinja2's sandbox gives them: what would change a list or a dictionary, and what
// begins with an underscore, is refused.

import * as characters from "./characters.js";
import { decode, encode } from "./encodings.js";
import { formatBraces } from "./format.js";
import * as long from "./long.js";
import { Problem, raise } from "./problem.js";
import * as text from "./text.js";
import * as v from "./values.js";

function affix(name, test) {
	return (self, args) => {
		const [what, start, end] = v.bind(name, args, ["prefix", "start", "end"], [v.none, v.none]);
		const bounds = [start, end].map((bound) => (bound instanceof v.NullValue ? null : v.needInteger(bound)));
		const chars = text.chars(self.value);
		const part = bounds.every((bound) => bound === null) ? self.value : v.slice(chars, bounds[0], bounds[1], 1).join("");
		const all = v.typeName(what) === "tuple" ? what.value : [what];
		return v.bool(
			all.some((one) => {
				if (v.isUndefined(one)) v.failUndefined(one);
				if (!(one instanceof v.StringValue)) {
					raise("TypeError", `${name} first arg must be str or a tuple of str, not ${v.typeName(one)}`);
				}
				return test(part, one.value);
			})
		);
	};
}

function stripper(name, strip) {
	return (self, args) => {
		const [chars] = v.bind(name, args, ["chars"], [v.none]);
		return v.str(strip(self.value, chars instanceof v.NullValue ? null : v.needText(chars, `${name} arg`)));
	};
}

function splitter(name, fromRight) {
	return (self, args) => {
		const [sep, max] = v.bind(name, args, ["sep", "maxsplit"], [v.none, v.integer(-1)]);
		const most = v.needInteger(max) < 0 ? Infinity : v.needInteger(max);
		if (sep instanceof v.NullValue) {
			return v.list(splitSpace(self.value, most, fromRight).map(v.str));
		}
		const by = v.needText(sep, "sep");
		if (by === "") {
			raise("ValueError", "empty separator");
		}
		const parts = self.value.split(by);
		if (parts.length - 1 > most) {
			if (fromRight) {
				parts.splice(0, parts.length - most, parts.slice(0, parts.length - most).join(by));
			} else {
				parts.splice(most, parts.length, parts.slice(most).join(by));
			}
		}
		return v.list(parts.map(v.str));
	};
}

function splitSpace(source, most, fromRight) {
	const words = [];
	let word = null;
	for (let i = 0; i <= source.length; ++i) {
		const isEnd = i === source.length || text.isSpace(source[i]);
		if (!isEnd && word === null) {
			word = i;
		} else if (isEnd && word !== null) {
			words.push([word, i]);
			word = null;
		}
	}
	const parts = words.map(([begin, end]) => source.slice(begin, end));
	if (words.length <= most) {
		return parts;
	}
	return fromRight
		? [source.slice(0, words[words.length - most - 1][1]), ...parts.slice(parts.length - most)]
		: [...parts.slice(0, most), source.slice(words[most][0])];
}

function finder(name, fromRight, isStrict) {
	return (self, args) => {
		const [what, start, end] = v.bind(name, args, ["sub", "start", "end"], [v.none, v.none]);
		const all = text.chars(self.value);
		const size = all.length;
		const clamp = (bound, fallback) => {
			if (bound instanceof v.NullValue) return fallback;
			const index = v.needInteger(bound);
			return Math.max(0, Math.min(index < 0 ? index + size : index, size));
		};
		const from = clamp(start, 0);
		const part = all.slice(from, clamp(end, size)).join("");
		const needle = v.needText(what, "must be str");
		const at = fromRight ? part.lastIndexOf(needle) : part.indexOf(needle);
		if (at < 0 && isStrict) {
			raise("ValueError", "substring not found");
		}
		return v.integer(at < 0 ? -1 : from + text.length(part.slice(0, at)));
	};
}

function every(test) {
	return (self) => v.bool(self.value !== "" && text.chars(self.value).every(test));
}

function cased(isThis, isOther) {
	return (self) => v.bool(text.isCasedAs(self.value, isThis, isOther));
}

function aligner(name, place) {
	return (self, args) => {
		const [width, fill] = v.bind(name, args, ["width", "fillchar"], [v.str(" ")]);
		const missing = v.needInteger(width) - text.length(self.value);
		const by = v.needText(fill, "fillchar");
		if (text.length(by) !== 1) raise("TypeError", "The fill character must be exactly one character long");
		return missing <= 0 ? self : v.str(place(self.value, missing, by));
	};
}

export function center(source, missing, fill, width) {
	const left = (missing >> 1) + (missing & width & 1);
	return fill.repeat(left) + source + fill.repeat(missing - left);
}

function partition(fromRight) {
	return (self, args) => {
		const by = v.needText(v.bind("partition", args, ["sep"])[0], "sep");
		if (by === "") raise("ValueError", "empty separator");
		const at = fromRight ? self.value.lastIndexOf(by) : self.value.indexOf(by);
		const parts =
			at >= 0 ? [self.value.slice(0, at), by, self.value.slice(at + by.length)]
			: fromRight ? ["", "", self.value] : [self.value, "", ""];
		return new v.TupleValue(parts.map(v.str));
	};
}

function codeOf(char) {
	if (text.length(char) !== 1) raise("ValueError", "string keys in translate table must be of length 1");
	return v.integer(char.codePointAt(0));
}

// What a table of str.translate() makes of a character.
function translated(char, table) {
	const key = v.keyOf(codeOf(char));
	const to = table.value.has(key) ? table.value.get(key) : v.str(char);
	if (to instanceof v.StringValue) return to.value;
	if (to instanceof v.NullValue) return "";
	if (!v.isInteger(to)) raise("TypeError", "character mapping must return integer, None or str");
	const code = v.needInteger(to);
	if (code < 0 || code > 0x10ffff) raise("ValueError", "character mapping must be in range(0x110000)");
	return String.fromCodePoint(code);
}

const STRING = {
	upper: (self) => v.str(text.upper(self.value)),
	lower: (self) => v.str(text.lower(self.value)),
	casefold: (self) => v.str(text.caseFold(self.value)),
	capitalize: (self) => v.str(text.capitalize(self.value)),
	title: (self) => v.str(text.titleCase(self.value)),
	swapcase: (self) => v.str(text.swapCase(self.value)),
	encode(self, args) {
		const [encoding, errors] = v.bind("encode", args, ["encoding", "errors"], [v.str("utf-8"), v.str("strict")]);
		return new v.BytesValue(encode(self.value, v.needText(encoding, "encode() argument 'encoding'"), v.needText(errors, "encode() argument 'errors'")));
	},
	expandtabs(self, args) {
		return v.str(text.expandTabs(self.value, v.needInteger(v.bind("expandtabs", args, ["tabsize"], [v.integer(8)])[0])));
	},
	maketrans(self, args) {
		const [from, to, removed] = v.bind("maketrans", args, ["x", "y", "z"], [v.none, v.none]);
		const table = new v.ObjectValue(new Map());
		if (to instanceof v.NullValue) {
			if (!(from instanceof v.ObjectValue)) {
				raise("TypeError", "if you give only one argument to maketrans it must be a dict");
			}
			for (const [key, value] of v.entries(from)) {
				v.setEntry(table, key instanceof v.StringValue ? codeOf(key.value) : key, value);
			}
			return table;
		}
		const [keys, values] = [from, to].map((each) => text.chars(v.needText(each, "maketrans() argument")));
		if (keys.length !== values.length) {
			raise("ValueError", "the first two maketrans arguments must have equal length");
		}
		keys.forEach((key, i) => v.setEntry(table, codeOf(key), codeOf(values[i])));
		if (!(removed instanceof v.NullValue)) {
			text.chars(v.needText(removed, "maketrans() argument 3")).forEach((key) => v.setEntry(table, codeOf(key), v.none));
		}
		return table;
	},
	translate(self, args) {
		const [table] = v.bind("translate", args, ["table"]);
		if (!(table instanceof v.ObjectValue)) {
			raise("TypeError", `'${v.typeName(table)}' object is not subscriptable`);
		}
		return v.str(text.chars(self.value).map((char) => translated(char, table)).join(""));
	},
	strip: stripper("strip", text.trim),
	lstrip: stripper("lstrip", text.trimStart),
	rstrip: stripper("rstrip", text.trimEnd),
	startswith: affix("startswith", (whole, part) => whole.startsWith(part)),
	endswith: affix("endswith", (whole, part) => whole.endsWith(part)),
	split: splitter("split", false),
	rsplit: splitter("rsplit", true),
	splitlines(self, args) {
		const [keep] = v.bind("splitlines", args, ["keepends"], [v.bool(false)]);
		if (!v.isNumber(keep)) raise("TypeError", `'${v.typeName(keep)}' object cannot be interpreted as an integer`);
		return v.list(text.splitLines(self.value, v.truth(keep)).map(v.str));
	},
	partition: partition(false),
	rpartition: partition(true),
	replace(self, args) {
		const [old, by, count] = v.bind("replace", args, ["old", "new", "count"], [v.integer(-1)]);
		return v.str(
			text.replace(self.value, v.needText(old, "replace() argument 1"), v.needText(by, "replace() argument 2"), v.needInteger(count))
		);
	},
	join(self, args) {
		const parts = v.iterate(v.bind("join", args, ["iterable"])[0]);
		return v.str(
			parts
				.map((part, i) => {
					if (!(part instanceof v.StringValue)) {
						raise("TypeError", `sequence item ${i}: expected str instance, ${v.typeName(part)} found`);
					}
					return part.value;
				})
				.join(self.value)
		);
	},
	find: finder("find", false, false),
	rfind: finder("rfind", true, false),
	index: finder("index", false, true),
	rindex: finder("rindex", true, true),
	count(self, args) {
		const needle = v.needText(v.bind("count", args, ["sub"])[0], "must be str");
		return v.integer(needle === "" ? text.length(self.value) + 1 : self.value.split(needle).length - 1);
	},
	removeprefix(self, args) {
		const part = v.needText(v.bind("removeprefix", args, ["prefix"])[0], "removeprefix() argument");
		return v.str(self.value.startsWith(part) ? self.value.slice(part.length) : self.value);
	},
	removesuffix(self, args) {
		const part = v.needText(v.bind("removesuffix", args, ["suffix"])[0], "removesuffix() argument");
		return v.str(part !== "" && self.value.endsWith(part) ? self.value.slice(0, -part.length) : self.value);
	},
	format(self, args) {
		const given = args.slice();
		const keywords = given[given.length - 1] instanceof v.KeywordArgumentsValue ? given.pop().value : new Map();
		return v.str(
			formatBraces(self.value, given, keywords, (value, name, isIndex) =>
				isIndex ? getElement(value, /^\d+$/.test(name) ? v.integer(Number(name)) : v.str(name)) : getAttribute(value, name)
			)
		);
	},
	zfill(self, args) {
		const missing = v.needInteger(v.bind("zfill", args, ["width"])[0]) - text.length(self.value);
		const sign = /^[+-]/.test(self.value) ? 1 : 0;
		return missing <= 0 ? self : v.str(self.value.slice(0, sign) + "0".repeat(missing) + self.value.slice(sign));
	},
	ljust: aligner("ljust", (source, missing, fill) => source + fill.repeat(missing)),
	rjust: aligner("rjust", (source, missing, fill) => fill.repeat(missing) + source),
	center: aligner("center", (source, missing, fill) => center(source, missing, fill, missing + text.length(source))),
	isdigit: every(characters.isDigit),
	isdecimal: every(characters.isDecimal),
	isnumeric: every(characters.isNumeric),
	isalpha: every(characters.isLetter),
	isalnum: every((char) => characters.isLetter(char) || characters.isNumeric(char)),
	isidentifier: (self) => v.bool(isIdentifier(self.value)),
	isprintable: (self) => v.bool(text.chars(self.value).every(characters.isPrintable)),
	isspace: every(text.isSpace),
	isascii: (self) => v.bool(!/[^\u0000-\u007f]/.test(self.value)),
	isupper: cased(characters.isUpper, characters.isLower),
	islower: cased(characters.isLower, characters.isUpper),
	istitle: (self) => v.bool(text.isTitle(self.value)),
};

function isIdentifier(name) {
	const all = text.chars(name);
	return all.length > 0 && characters.isIdentifierStart(all[0]) && all.every(characters.isIdentifierPart);
}

const SEQUENCE = {
	index(self, args) {
		const [what] = v.bind("index", args, ["value"]);
		const at = self.value.findIndex((each) => v.equal(each, what));
		if (at < 0) {
			raise("ValueError", `${v.typeName(self) === "list" ? `${v.repr(what)} is not in list` : "tuple.index(x): x not in tuple"}`);
		}
		return v.integer(at);
	},
	count(self, args) {
		const [what] = v.bind("count", args, ["value"]);
		return v.integer(self.value.filter((each) => v.equal(each, what)).length);
	},
};
const LIST = Object.assign({ copy: (self) => v.list(self.value.slice()) }, SEQUENCE);

const DICT = {
	get(self, args) {
		const [key, fallback] = v.bind("get", args, ["key", "default"], [v.none]);
		const name = v.keyOf(key);
		return self.value.has(name) ? self.value.get(name) : fallback;
	},
	items: (self) => new v.ViewValue("dict_items", v.pairs(self)),
	keys: (self) => new v.ViewValue("dict_keys", v.keys(self)),
	values: (self) => new v.ViewValue("dict_values", Array.from(self.value.values())),
	copy: (self) => new v.ObjectValue(new Map(self.value)),
};

const FLOAT = { is_integer: (self) => v.bool(Number.isInteger(self.value)) };

const INTEGER = {
	bit_length: (self) => v.integer(Number(self.value) === 0 ? 0 : long.toRadix(v.toLong(self), 2).length),
};

const BYTES = {
	decode: (self) => v.str(decode(self.value)),
	hex: (self) => v.str(self.value.map((byte) => byte.toString(16).padStart(2, "0")).join("")),
};

const REFUSED = {
	list: ["append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"],
	dict: ["clear", "pop", "popitem", "setdefault", "update"],
};

const LOOP = {
	cycle(self, args) {
		if (args.length === 0) raise("TypeError", "no items for cycling given");
		return args[self.value.get("index0").value % args.length];
	},
	changed(self, args) {
		const now = new v.TupleValue(args);
		const differs = self.lastChanged === null || !v.equal(self.lastChanged, now);
		self.lastChanged = now;
		return v.bool(differs);
	},
};

function methodsOf(value) {
	if (value instanceof v.StringValue) return STRING;
	if (value instanceof v.ObjectValue) return DICT;
	if (value instanceof v.LoopValue) return LOOP;
	if (v.typeName(value) === "list") return LIST;
	if (value instanceof v.TupleValue || v.typeName(value) === "range") return SEQUENCE;
	if (value instanceof v.FloatValue) return FLOAT;
	if (value instanceof v.BytesValue) return BYTES;
	return value instanceof v.IntegerValue || value instanceof v.BooleanValue ? INTEGER : {};
}

// What is not a method: of numbers, macros, and the tuples of groupby.
function property(value, name) {
	if (value instanceof v.GroupValue && (name === "grouper" || name === "list")) {
		return value.value[name === "grouper" ? 0 : 1];
	}
	if (value.macro) {
		const { name: own, parameters, special } = value.macro;
		switch (name) {
			case "name":
				return own === null ? v.none : v.str(own);
			case "arguments":
				return new v.TupleValue(parameters.map(v.str));
			case "catch_kwargs":
				return v.bool(special.has("kwargs"));
			case "catch_varargs":
				return v.bool(special.has("varargs"));
			case "caller":
				return v.bool(special.has("caller"));
			default:
				return undefined;
		}
	}
	if (v.isNumber(value)) {
		const isFloat = value instanceof v.FloatValue;
		const whole = value instanceof v.BooleanValue ? v.integer(Number(value.value)) : value;
		const zero = isFloat ? new v.FloatValue(0) : v.integer(0);
		const parts = { real: whole, imag: zero, numerator: isFloat ? undefined : whole, denominator: isFloat ? undefined : v.integer(1) };
		return Object.prototype.hasOwnProperty.call(parts, name) ? parts[name] : undefined;
	}
	return undefined;
}

function method(value, name) {
	const own = property(value, name);
	if (own !== undefined) {
		return own;
	}
	const all = methodsOf(value);
	if (Object.prototype.hasOwnProperty.call(all, name)) {
		return new v.FunctionValue((args) => {
			if (all[name].length < 2) {
				v.bindNone(`${v.typeName(value)}.${name}`, args);
			}
			const result = all[name](value, args);
			return value instanceof v.MarkupValue && result instanceof v.StringValue ? new v.MarkupValue(result.value) : result;
		});
	}
	const kind = v.typeName(value);
	if (UNSAFE.test(name) || (REFUSED[kind] && REFUSED[kind].includes(name))) {
		return unsafe(value, name);
	}
	return undefined;
}

const UNSAFE = /^__\w+__$/;

function unsafe(value, name) {
	return new v.Missing(`access to attribute '${name}' of '${v.typeName(value)}' object is unsafe.`, "SecurityError");
}

function element(value, key) {
	if (value instanceof v.ObjectValue) {
		const hashable = !(key instanceof v.ObjectValue) && v.typeName(key) !== "list";
		return hashable ? value.value.get(v.keyOf(key)) : undefined;
	}
	const isIndex = key instanceof v.IntegerValue || key instanceof v.BooleanValue;
	if (isIndex && value instanceof v.BytesValue) {
		const byte = value.value[v.number(key) < 0 ? v.number(key) + value.value.length : v.number(key)];
		return byte === undefined ? undefined : v.integer(byte);
	}
	if (isIndex && (value instanceof v.StringValue || value instanceof v.TupleValue || ["list", "range"].includes(v.typeName(value)))) {
		const all = value instanceof v.StringValue ? text.points(value.value) : value.value;
		if (key instanceof v.LongValue) return undefined;
		const index = v.number(key);
		const found = all[index < 0 ? index + all.length : index];
		return typeof found === "string" ? v.str(found) : found;
	}
	return undefined;
}

function missingMember(value, key) {
	if (key instanceof v.StringValue) {
		return new v.Missing(`'${v.objectName(value)}' has no attribute ${v.stringRepr(key.value)}`);
	}
	return new v.Missing(`${v.objectName(value)} has no element ${v.repr(key)}`);
}

// object.name
export function getAttribute(value, name) {
	if (v.isUndefined(value)) {
		return UNSAFE.test(name) && value.exception !== "SecurityError" ? unsafe(value, name) : v.failUndefined(value);
	}
	if (value instanceof v.NamespaceValue) {
		const found = value.value.get(name);
		return found || method(value, name) || missingMember(value, v.str(name));
	}
	return method(value, name) || element(value, v.str(name)) || missingMember(value, v.str(name));
}

// object[key]
export function getElement(value, key) {
	if (v.isUndefined(value)) v.failUndefined(value);
	if (value instanceof v.NamespaceValue && key instanceof v.StringValue) {
		return getAttribute(value, key.value);
	}
	return (
		element(value, key) || (key instanceof v.StringValue && method(value, key.value)) || missingMember(value, key)
	);
}

function sliceRange(range, [start, stop, step]) {
	const size = range.value.length;
	const by = step === null ? 1 : step;
	if (by === 0) raise("ValueError", "slice step cannot be zero");
	const [least, most] = by > 0 ? [0, size] : [-1, size - 1];
	const clamp = (index) => Math.max(least, Math.min(index < 0 ? index + size : index, most));
	const at = (index) => range.start + index * range.step;
	const first = start === null ? (by > 0 ? 0 : size - 1) : clamp(start);
	const last = stop === null ? (by > 0 ? size : -1) : clamp(stop);
	return new v.RangeValue(at(first), at(last), range.step * by);
}

export function getSlice(value, [start, stop, step]) {
	if (v.isUndefined(value)) v.failUndefined(value);
	const bounds = [start, stop, step].map((bound) => {
		if (bound === null || bound instanceof v.NullValue) return null;
		if (v.isUndefined(bound)) v.failUndefined(bound);
		if (!(bound instanceof v.IntegerValue || bound instanceof v.BooleanValue)) {
			raise("TypeError", "slice indices must be integers or None or have an __index__ method");
		}
		return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(bound.value)));
	});
	if (value instanceof v.StringValue) {
		const part = v.slice(text.points(value.value), ...bounds);
		return v.str(part.join(""));
	}
	if (v.typeName(value) === "range") return sliceRange(value, bounds);
	if (v.typeName(value) === "list") return v.list(v.slice(value.value, ...bounds));
	if (value instanceof v.TupleValue) return new v.TupleValue(v.slice(value.value, ...bounds));
	if (value instanceof v.ObjectValue) raise("TypeError", "unhashable type: 'slice'");
	throw new Problem("runtime_error", ["TypeError", `'${v.typeName(value)}' object is not subscriptable`]);
}
