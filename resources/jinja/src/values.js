// Python's values: what they print, how they compare, what they iterate over.

import { isPrintable } from "./characters.js";
import * as long from "./long.js";
import { Problem, raise } from "./problem.js";
import * as text from "./text.js";

class Value {
	constructor(value) {
		this.value = value;
	}
	isTrue() {
		return Boolean(this.value);
	}
}

export class IntegerValue extends Value {}
export class FloatValue extends Value {
	isTrue() {
		return this.value !== 0; // NaN is true
	}
}
export class BooleanValue extends Value {}
export class StringValue extends Value {}
export class NullValue extends Value {}
export class UndefinedValue extends Value {}

// A map from names (keyOf()) to values; keys that are no strings are in `others`.
export class ObjectValue extends Value {
	isTrue() {
		return this.value.size > 0;
	}
}
export class KeywordArgumentsValue extends ObjectValue {}

export class NamespaceValue extends Value {
	isTrue() {
		return true;
	}
}

export class ArrayValue extends Value {
	isTrue() {
		return this.value.length > 0;
	}
}
export class TupleValue extends ArrayValue {}

// (args, scope) => value
export class FunctionValue extends Value {
	isTrue() {
		return true;
	}
}

// Jinja2's Undefined: printing gives nothing, using it fails with `hint`.
export class Missing extends UndefinedValue {
	constructor(hint, type = "UndefinedError") {
		super();
		this.hint = hint;
		this.exception = type;
	}
}

export class MarkupValue extends StringValue {}

export class RangeValue extends ArrayValue {
	constructor(start, stop, step) {
		const values = [];
		for (let i = start; step > 0 ? i < stop : i > stop; i += step) {
			values.push(new IntegerValue(i));
		}
		super(values);
		this.start = start;
		this.step = step;
		this.text = step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`;
	}
}

// dict.items(), keys(), values(): prints its name, has no elements by index.
export class ViewValue extends ArrayValue {
	constructor(name, elements) {
		super(elements);
		this.name = name;
	}
}

let generators = 0; // that were made

// What map(), select() and the like give: true even if empty, of unknown length, read once, and computed only then.
export class GeneratorValue extends ArrayValue {
	constructor(produce) {
		super([]);
		this.produce = produce;
		this.number = ++generators;
	}
	isTrue() {
		return true;
	}
	take() {
		const all = this.produce === null ? [] : this.produce();
		this.produce = null;
		return all;
	}
}

// An integer beyond 2^53: its digits.
export class LongValue extends IntegerValue {
	constructor(digits) {
		super(Number(digits));
		this.digits = digits;
	}
}

// What groupby yields: a tuple whose elements have names.
export class GroupValue extends TupleValue {}

// What str.encode() yields: the bytes as an array of numbers.
export class BytesValue extends Value {
	isTrue() {
		return this.value.length > 0;
	}
}

export class LoopValue extends NamespaceValue {
	constructor(entries, recurse) {
		super(entries);
		this.recurse = recurse; // (elements) => StringValue, or null
		this.lastChanged = null;
	}
}

export const none = new NullValue();
export const bool = (value) => new BooleanValue(value);
export const str = (value) => new StringValue(value);
export const list = (values) => new ArrayValue(values);

export function integer(value) {
	return Number.isSafeInteger(value) ? new IntegerValue(value === 0 ? 0 : value) : ofLong(long.fromNumber(value));
}

export function integerOfDigits(digits) {
	const value = Number(digits);
	return Number.isSafeInteger(value) ? integer(value) : new LongValue(digits.replace(/^(-?)0+(?=\d)/, "$1"));
}

// As Python writes other bases: 0x1f, 0o17, 0b11.
export function integerOfRadix(written) {
	return ofLong(long.fromRadix(written.slice(2), { x: 16, o: 8, b: 2 }[written[1].toLowerCase()]));
}

export function ofLong(value) {
	return integerOfDigits(long.toDigits(value));
}

// Of an integer or a Boolean.
export function toLong(value) {
	return long.fromDigits(value instanceof LongValue ? value.digits : String(Number(value.value)));
}

export const isUndefined = (value) => value instanceof UndefinedValue;
export const isInteger = (value) => value instanceof IntegerValue;
export const isNumber = (value) =>
	value instanceof IntegerValue || value instanceof FloatValue || value instanceof BooleanValue;
export const isList = (value) => value instanceof ArrayValue && !(value instanceof GeneratorValue);
export const truth = (value) => value.isTrue();

// As a double.
export function number(value) {
	if (value instanceof LongValue && !Number.isFinite(value.value)) {
		raise("OverflowError", "int too large to convert to float");
	}
	return Number(value.value);
}

export function typeName(value) {
	if (value instanceof BooleanValue) return "bool";
	if (value instanceof IntegerValue) return "int";
	if (value instanceof FloatValue) return "float";
	if (value instanceof MarkupValue) return "Markup";
	if (value instanceof StringValue) return "str";
	if (value instanceof NullValue) return "NoneType";
	if (value instanceof UndefinedValue) return "Undefined";
	if (value instanceof GroupValue) return "_GroupTuple";
	if (value instanceof TupleValue) return "tuple";
	if (value instanceof RangeValue) return "range";
	if (value instanceof ViewValue) return value.name;
	if (value instanceof GeneratorValue) return "generator";
	if (value instanceof ArrayValue) return "list";
	if (value instanceof ObjectValue) return "dict";
	if (value instanceof LoopValue) return "LoopContext";
	if (value instanceof NamespaceValue) return "Namespace";
	if (value instanceof BytesValue) return "bytes";
	return value.macro ? "Macro" : "function";
}

// As messages about missing attributes name an object.
export function objectName(value) {
	const name = typeName(value);
	const modules = { Namespace: "jinja2.utils.", LoopContext: "jinja2.runtime.", Markup: "markupsafe.", Macro: "jinja2.runtime.", _GroupTuple: "jinja2.filters." };
	return name === "NoneType" ? "None" : `${modules[name] || ""}${name} object`;
}

// The message of using an undefined value, thrown.
export function failUndefined(value) {
	if (value instanceof Missing) {
		raise(value.exception, value.hint);
	}
	raise("UndefinedError", "value is undefined");
}

// ---- printing --------------------------------------------------------------------------------------------------------

export function floatText(value) {
	if (Number.isNaN(value)) return "nan";
	if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
	if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
	const [digits, exponentText] = value.toExponential().split("e");
	const exponent = Number(exponentText);
	if (exponent < -4 || exponent >= 16) {
		return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
	}
	const sign = digits.startsWith("-") ? "-" : "";
	const bare = digits.replace(/[-.]/g, "");
	if (exponent < 0) {
		return `${sign}0.${"0".repeat(-exponent - 1)}${bare}`;
	}
	return bare.length <= exponent + 1
		? `${sign}${bare}${"0".repeat(exponent + 1 - bare.length)}.0`
		: `${sign}${bare.slice(0, exponent + 1)}.${bare.slice(exponent + 1)}`;
}

export function stringRepr(value) {
	const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
	let out = quote;
	for (const char of text.chars(value)) {
		const code = char.codePointAt(0);
		if (char === quote || char === "\\") out += "\\" + char;
		else if (char === "\n") out += "\\n";
		else if (char === "\r") out += "\\r";
		else if (char === "\t") out += "\\t";
		else if (char !== " " && !isPrintable(char)) {
			const [letter, digits] = code > 0xffff ? ["U", 8] : code > 0xff ? ["u", 4] : ["x", 2];
			out += "\\" + letter + code.toString(16).padStart(digits, "0");
		} else out += char;
	}
	return out + quote;
}

// str()
export function toText(value) {
	if (value instanceof StringValue) return value.value;
	if (value instanceof UndefinedValue) return "";
	return repr(value);
}

export function repr(value, depth = 0) {
	if (depth > 200) {
		throw new Problem("too_deep", []);
	}
	const inner = (element) => repr(element, depth + 1);
	if (value instanceof LongValue) {
		if (value.digits.length - (value.digits[0] === "-" ? 1 : 0) > 4300) {
			raise("ValueError", "Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit");
		}
		return value.digits;
	}
	if (value instanceof BytesValue) return bytesRepr(value.value);
	if (value instanceof BooleanValue) return value.value ? "True" : "False";
	if (value instanceof IntegerValue) return String(value.value);
	if (value instanceof FloatValue) return floatText(value.value);
	if (value instanceof MarkupValue) return `Markup(${stringRepr(value.value)})`;
	if (value instanceof StringValue) return stringRepr(value.value);
	if (value instanceof NullValue) return "None";
	if (value instanceof UndefinedValue) return "Undefined";
	if (value instanceof RangeValue) return value.text;
	if (value instanceof ViewValue) return `${value.name}([${value.value.map(inner).join(", ")}])`;
	if (value instanceof TupleValue) {
		return value.value.length === 1 ? `(${inner(value.value[0])},)` : `(${value.value.map(inner).join(", ")})`;
	}
	if (value instanceof GeneratorValue) return "<generator object>";
	if (value instanceof ArrayValue) return `[${value.value.map(inner).join(", ")}]`;
	if (value instanceof ObjectValue) {
		return `{${entries(value).map(([key, element]) => `${inner(key)}: ${inner(element)}`).join(", ")}}`;
	}
	if (value instanceof LoopValue) {
		return `<LoopContext ${toText(value.value.get("index"))}/${toText(value.value.get("length"))}>`;
	}
	if (value instanceof NamespaceValue) {
		const all = Array.from(value.value.entries());
		return `<Namespace {${all.map(([key, element]) => `${stringRepr(key)}: ${inner(element)}`).join(", ")}}>`;
	}
	return value.macro ? `<Macro ${value.macro.name === null ? "None" : stringRepr(value.macro.name)}>` : "<function>";
}

function bytesRepr(bytes) {
	const plain = String.fromCharCode(...bytes);
	const quote = plain.includes("'") && !plain.includes('"') ? '"' : "'";
	const shown = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", [quote]: "\\" + quote };
	const inner = plain.split("").map((char) => shown[char] || (char < " " || char > "~" ? "\\x" + char.charCodeAt(0).toString(16).padStart(2, "0") : char));
	return `b${quote}${inner.join("")}${quote}`;
}

// ---- dictionaries ----------------------------------------------------------------------------------------------------

// Strings are their own names; other keys have names that no string has, and are kept in the map `others`.
function numberKey(value) {
	if (value instanceof LongValue) return value.digits;
	const plain = Number(value.value);
	return Number.isInteger(plain) && !Number.isSafeInteger(plain) ? long.toDigits(long.fromNumber(plain)) : plain;
}

export function keyOf(value) {
	if (value instanceof StringValue) return value.value;
	if (isNumber(value)) return `\u0000${numberKey(value)}`;
	if (value instanceof NullValue) return "\u0000None";
	if (value instanceof TupleValue) return `\u0000(${value.value.map(keyOf).join("\u0000,")})`;
	if (value instanceof GeneratorValue) return `\u0000generator ${value.number}`;
	if (value instanceof ArrayValue || value instanceof ObjectValue) {
		raise("TypeError", `unhashable type: '${typeName(value)}'`);
	}
	return `\u0000${typeName(value)}`;
}

export function setEntry(object, key, value) {
	const name = keyOf(key);
	if (!(key instanceof StringValue) && !object.value.has(name)) {
		object.others = object.others || new Map();
		object.others.set(name, key);
	}
	object.value.set(name, value);
}

export function keys(object) {
	return Array.from(object.value.keys()).map((name) => (object.others && object.others.get(name)) || str(name));
}

export function entries(object) {
	return keys(object).map((key) => [key, object.value.get(keyOf(key))]);
}

export function pairs(object) {
	return entries(object).map((pair) => new TupleValue(pair));
}

// ---- comparing -------------------------------------------------------------------------------------------------------

export function equal(a, b) {
	if (a === b) return true;
	if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
	if (a instanceof StringValue && b instanceof StringValue) return a.value === b.value;
	if (a instanceof NullValue && b instanceof NullValue) return true;
	if (isUndefined(a) && isUndefined(b)) return true;
	if (isList(a) && isList(b)) {
		return (
			typeName(a) === typeName(b) && a.value.length === b.value.length && a.value.every((x, i) => equal(x, b.value[i]))
		);
	}
	if (a instanceof ObjectValue && b instanceof ObjectValue) {
		return (
			a.value.size === b.value.size &&
			Array.from(a.value.keys()).every((key) => b.value.has(key) && equal(a.value.get(key), b.value.get(key)))
		);
	}
	return false;
}

// An integer and a double are compared exactly, as Python does.
function compareNumbers(a, b) {
	if (a instanceof LongValue || b instanceof LongValue) {
		const [x, y] = [a, b].map((value) => (value instanceof FloatValue ? value.value : null));
		if (x !== null && !Number.isFinite(x)) return x;
		if (y !== null && !Number.isFinite(y)) return -y;
		const whole = (value, double) => (double === null ? toLong(value) : long.fromNumber(Math.trunc(double)));
		return long.compare(whole(a, x), whole(b, y));
	}
	const x = Number(a.value);
	const y = Number(b.value);
	return x < y ? -1 : x > y ? 1 : x === y ? 0 : NaN;
}

// Negative, 0 or positive; NaN for NaN. `operator` for the message where the two cannot be compared.
export function order(a, b, operator = "<") {
	if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
	if (a instanceof StringValue && b instanceof StringValue) {
		return text.compare(a.value, b.value);
	}
	if (isUndefined(a)) failUndefined(a);
	if (isUndefined(b)) failUndefined(b);
	if (isList(a) && isList(b) && typeName(a) === typeName(b)) {
		for (let i = 0; i < Math.min(a.value.length, b.value.length); ++i) {
			if (!equal(a.value[i], b.value[i])) {
				return order(a.value[i], b.value[i], operator);
			}
		}
		return a.value.length - b.value.length;
	}
	return raise(
		"TypeError",
		`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`
	);
}

// ---- sequences -------------------------------------------------------------------------------------------------------

// The elements as a JavaScript array; a generator is used up.
export function iterate(value) {
	if (value instanceof GeneratorValue) return value.take();
	if (value instanceof ArrayValue) return value.value;
	if (value instanceof BytesValue) return value.value.map(integer);
	if (value instanceof StringValue) return text.chars(value.value).map(str);
	if (value instanceof ObjectValue) return keys(value);
	if (isUndefined(value)) {
		if (value.exception === "SecurityError") failUndefined(value);
		return [];
	}
	return raise("TypeError", `'${typeName(value)}' object is not iterable`);
}

export function lengthOf(value) {
	if (value instanceof StringValue) return text.length(value.value);
	if (value instanceof ObjectValue) return value.value.size;
	if (isUndefined(value)) return 0;
	if (value instanceof LoopValue) return value.value.get("length").value;
	if (isList(value) || value instanceof BytesValue) return value.value.length;
	return raise("TypeError", `object of type '${typeName(value)}' has no len()`);
}

export function contains(container, element) {
	if (container instanceof StringValue) {
		if (!(element instanceof StringValue)) {
			raise("TypeError", `'in <string>' requires string as left operand, not ${typeName(element)}`);
		}
		return container.value.includes(element.value);
	}
	if (container instanceof ObjectValue) return container.value.has(keyOf(element));
	if (container instanceof ArrayValue || isUndefined(container)) {
		return iterate(container).some((each) => equal(each, element));
	}
	return raise("TypeError", `argument of type '${typeName(container)}' is not iterable`);
}

// The elements from, up to and by which Python's slice runs; null where left out.
export function slice(elements, start, stop, step) {
	const by = step === null ? 1 : step;
	if (by === 0) {
		raise("ValueError", "slice step cannot be zero");
	}
	const size = elements.length;
	const clamp = (index, least, most) => Math.max(least, Math.min(index < 0 ? index + size : index, most));
	const forward = by > 0;
	const first = start === null ? (forward ? 0 : size - 1) : clamp(start, forward ? 0 : -1, forward ? size : size - 1);
	const last = stop === null ? (forward ? size : -1) : clamp(stop, forward ? 0 : -1, forward ? size : size - 1);
	const out = [];
	for (let i = first; forward ? i < last : i > last; i += by) {
		out.push(elements[i]);
	}
	return out;
}

// ---- arguments of built-in functions ---------------------------------------------------------------------------------

// Values of `names` from positional and keyword arguments; `defaults` stand for the last of them, and may be null.
// No arguments at all, for what has none.
export function bindNone(name, args) {
	if (args.length > 0) {
		raise("TypeError", `${name}() takes no arguments (${args.length} given)`);
	}
}

export function bind(name, args, names, defaults = []) {
	const given = args.slice();
	const keywords = given[given.length - 1] instanceof KeywordArgumentsValue ? given.pop().value : new Map();
	if (given.length > names.length) {
		raise("TypeError", `${name}() takes at most ${names.length} arguments (${given.length} given)`);
	}
	const out = names.map((parameter, i) => {
		if (i < given.length) {
			return given[i];
		}
		if (keywords.has(parameter)) {
			return keywords.get(parameter);
		}
		const fallback = i - (names.length - defaults.length);
		if (fallback < 0) {
			raise("TypeError", `${name}() missing 1 required positional argument: '${parameter}'`);
		}
		return defaults[fallback];
	});
	for (const key of keywords.keys()) {
		if (names.indexOf(key) < given.length) {
			const known = names.includes(key);
			raise("TypeError", known ? `${name}() got multiple values for argument '${key}'`
				: `${name}() got an unexpected keyword argument '${key}'`);
		}
	}
	return out;
}

export function needText(value, what) {
	if (isUndefined(value)) failUndefined(value);
	if (!(value instanceof StringValue)) {
		raise("TypeError", `${what} must be str, not ${typeName(value)}`);
	}
	return value.value;
}

// An integer that counts or points to something.
export function needInteger(value) {
	if (isUndefined(value)) failUndefined(value);
	if (value instanceof LongValue) raise("OverflowError", "Python int too large to convert to C ssize_t");
	if (!(value instanceof IntegerValue || value instanceof BooleanValue)) {
		raise("TypeError", `'${typeName(value)}' object cannot be interpreted as an integer`);
	}
	return number(value);
}
