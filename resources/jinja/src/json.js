// JSON as Python's json module reads and writes it: 1 and 1.0 stay different, long integers keep their digits, the
// order of keys stays.

import { Problem, raise } from "./problem.js";
import * as v from "./values.js";

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const BLANK = /[ \t\r\n]*/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const CONSTANTS = [
	["true", () => v.bool(true)],
	["false", () => v.bool(false)],
	["null", () => v.none],
	["NaN", () => new v.FloatValue(NaN)],
	["Infinity", () => new v.FloatValue(Infinity)],
	["-Infinity", () => new v.FloatValue(-Infinity)],
];

class Reader {
	constructor(name, source) {
		this.name = name;
		this.source = source;
		this.at = 0;
		this.depth = 0;
	}

	fail() {
		const before = this.source.slice(0, this.at).split("\n");
		throw new Problem("bad_json", [this.name, before.length, before[before.length - 1].length + 1]);
	}

	match(pattern) {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.source);
		if (found !== null) {
			this.at += found[0].length;
		}
		return found;
	}

	blank() {
		this.match(BLANK);
	}

	take(text) {
		if (!this.source.startsWith(text, this.at)) {
			return false;
		}
		this.at += text.length;
		return true;
	}

	value() {
		this.blank();
		if (++this.depth > 200) {
			this.fail();
		}
		const value = this.source[this.at] === '"' ? v.str(this.string()) : this.container();
		--this.depth;
		return value;
	}

	container() {
		if (this.take("[")) {
			const values = [];
			this.elements("]", () => values.push(this.value()));
			return v.list(values);
		}
		if (this.take("{")) {
			const map = new Map();
			this.elements("}", () => {
				this.blank();
				const key = this.string();
				this.blank();
				if (!this.take(":")) {
					this.fail();
				}
				map.set(key, this.value());
			});
			return new v.ObjectValue(map);
		}
		for (const [word, make] of CONSTANTS) {
			if (this.take(word)) {
				return make();
			}
		}
		const number = this.match(NUMBER);
		if (number === null) {
			this.fail();
		}
		const isFloat = number[1] !== undefined || number[2] !== undefined;
		return isFloat ? new v.FloatValue(Number(number[0])) : v.integerOfDigits(number[0]);
	}

	elements(end, read) {
		this.blank();
		if (this.take(end)) {
			return;
		}
		do {
			read();
			this.blank();
		} while (this.take(","));
		if (!this.take(end)) {
			this.fail();
		}
	}

	string() {
		if (!this.take('"')) {
			this.fail();
		}
		let out = "";
		for (;;) {
			out += this.match(PLAIN)[0];
			if (this.take('"')) {
				return out;
			}
			if (!this.take("\\")) {
				this.fail();
			}
			const escape = this.source[this.at++];
			if (escape === "u") {
				const hex = this.source.slice(this.at, this.at + 4);
				if (!/^[\da-fA-F]{4}$/.test(hex)) {
					this.fail();
				}
				out += String.fromCharCode(parseInt(hex, 16));
				this.at += 4;
			} else if (escape in ESCAPES) {
				out += ESCAPES[escape];
			} else {
				this.fail();
			}
		}
	}
}

// `name`: what the text is, for the message.
export function parseJson(name, source) {
	const reader = new Reader(name, source);
	const value = reader.value();
	reader.blank();
	if (reader.at < source.length) {
		reader.fail();
	}
	return value;
}

const ESCAPED = /["\\\u0000-\u001f]/g;
const SHORT = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };

function hex(char) {
	return "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0");
}

function quoted(text, ascii) {
	const out = text.replace(ESCAPED, (char) => SHORT[char] || hex(char));
	return `"${ascii ? out.replace(/[\u007f-\uffff]/g, (char) => (char === "\u007f" ? char : hex(char))) : out}"`;
}

function keyText(key) {
	if (key instanceof v.StringValue) return key.value;
	if (key instanceof v.BooleanValue) return key.value ? "true" : "false";
	if (key instanceof v.NullValue) return "null";
	if (v.isNumber(key)) return v.repr(key);
	return raise("TypeError", `keys must be str, int, float, bool or None, not ${v.typeName(key)}`);
}

function floatJson(value) {
	if (Number.isNaN(value)) return "NaN";
	return Number.isFinite(value) ? v.floatText(value) : value < 0 ? "-Infinity" : "Infinity";
}

// json.dumps. `indent`: a string, or null; `separators`: [between elements, after keys].
export function toJson(value, { indent, ascii, separators, sort }, depth = 0) {
	if (depth > 200) {
		throw new Problem("too_deep", []);
	}
	if (value instanceof v.NullValue) return "null";
	if (value instanceof v.BooleanValue) return value.value ? "true" : "false";
	if (value instanceof v.IntegerValue) return v.repr(value);
	if (value instanceof v.FloatValue) return floatJson(value.value);
	if (value instanceof v.StringValue) return quoted(value.value, ascii);
	const isPlainList = value instanceof v.ArrayValue && (v.typeName(value) === "list" || v.typeName(value) === "tuple");
	if (!isPlainList && !(value instanceof v.ObjectValue)) {
		raise("TypeError", `Object of type ${v.typeName(value)} is not JSON serializable`);
	}
	const inner = (element) => toJson(element, { indent, ascii, separators, sort }, depth + 1);
	let parts;
	if (isPlainList) {
		parts = value.value.map(inner);
	} else {
		let pairs = v.entries(value);
		if (sort) {
			pairs = pairs.sort(([a], [b]) => v.order(a, b));
		}
		parts = pairs.map(([key, element]) => quoted(keyText(key), ascii) + separators[1] + inner(element));
	}
	const [open, close] = isPlainList ? "[]" : "{}";
	if (parts.length === 0 || indent === null) {
		return open + parts.join(separators[0]) + close;
	}
	const line = "\n" + indent.repeat(depth);
	return open + line + indent + parts.join(separators[0] + line + indent) + line + close;
}
