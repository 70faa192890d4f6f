// Python's two ways of putting values into a text: "%s" % x and "{}".format(x).

import * as long from "./long.js";
import { raise } from "./problem.js";
import { chars, length } from "./text.js";
import * as v from "./values.js";

// round() to `digits` decimals as text, ties to even as the exact value of the double decides.
export function fixed(value, digits) {
	if (Math.abs(value) >= 1e21) {
		return long.toDigits(long.fromNumber(value)) + (digits > 0 ? "." + "0".repeat(digits) : "");
	}
	const scale = Math.pow(10, digits);
	const scaled = Math.abs(value) * scale;
	if (digits <= 15 && Number.isFinite(scaled) && Math.abs((scaled % 1) - 0.5) === 0 && scaled / scale === Math.abs(value)) {
		const exact = Number.isInteger(Math.abs(value) * Math.pow(2, 30)); // a tie in the double itself
		if (exact) {
			const floor = Math.floor(scaled);
			const even = floor % 2 === 0 ? floor : floor + 1;
			return (value < 0 ? "-" : "") + (even / scale).toFixed(digits);
		}
	}
	return value.toFixed(digits);
}

function exponent(value, digits) {
	return value.toExponential(Math.min(100, digits)).replace(/e([+-])(\d)$/, "e$10$2");
}

// `keepsZeros`: "#"; `pointed`: a whole number keeps ".0", as repr() of it.
function general(value, precision, keepsZeros, pointed) {
	const digits = precision === 0 ? 1 : precision;
	const power = value === 0 ? 0 : Number(value.toExponential(Math.min(100, digits - 1)).split("e")[1]);
	const strip = (text) => (keepsZeros || !text.includes(".") ? text : text.replace(/\.?0+$/, ""));
	if (power < -4 || power >= digits - (pointed ? 1 : 0)) {
		const [mantissa, rest] = exponent(value, digits - 1).split("e");
		return `${strip(mantissa)}e${rest}`;
	}
	const text = strip(fixed(value, Math.max(0, digits - 1 - power)));
	const signed = Object.is(value, -0) && text[0] !== "-" ? `-${text}` : text;
	return pointed && !signed.includes(".") ? `${signed}.0` : signed;
}

function notFinite(value) {
	return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

// `kind`: one of eEfFgG, or "" for what repr() resembles.
function floatBy(kind, value, precision, alternate = false) {
	const digits = precision === null ? 6 : precision;
	const lower = kind.toLowerCase();
	let text;
	if (!Number.isFinite(value)) {
		text = notFinite(value);
	} else if (lower === "f") {
		const plain = fixed(value, digits);
		text = Object.is(value, -0) || (value < 0 && plain[0] !== "-") ? `-${plain.replace("-", "")}` : plain;
	} else if (lower === "e") {
		text = Object.is(value, -0) ? `-${exponent(0, digits)}` : exponent(value, digits);
	} else {
		text = general(value, digits, alternate, kind === "");
	}
	if (alternate && Number.isFinite(value) && !text.includes(".")) {
		text = text.includes("e") ? text.replace("e", ".e") : `${text}.`;
	}
	return kind === lower ? text : text.toUpperCase();
}

// An integer in a base, with its prefix if `alternate`; without a sign.
function integerBy(kind, value, alternate) {
	const radix = { x: 16, X: 16, o: 8, b: 2 }[kind];
	const whole = v.toLong(value);
	const text = radix === undefined ? v.repr(v.ofLong({ negative: false, limbs: whole.limbs })) : long.toRadix(whole, radix);
	const prefix = alternate && radix !== undefined ? `0${kind.toLowerCase()}` : "";
	return [whole.negative, kind === "X" ? prefix.toUpperCase() : prefix, kind === "X" ? text.toUpperCase() : text];
}

function pad(text, width, fill, align) {
	const missing = width - length(text);
	if (missing <= 0) return text;
	if (align === "<") return text + fill.repeat(missing);
	if (align === "^") return fill.repeat(missing >> 1) + text + fill.repeat(missing - (missing >> 1));
	if (align === "=") {
		const sign = /^[+ -]?(0[xXobB])?/.exec(text)[0];
		return sign + fill.repeat(missing) + text.slice(sign.length);
	}
	return fill.repeat(missing) + text;
}

// `toText`: str(), or what escapes for markup.
export function formatPercent(format, values, toText = v.toText) {
	const isTuple = values instanceof v.TupleValue;
	const list = isTuple ? values.value.slice() : [values];
	let used = 0;
	const next = () => {
		if (used >= list.length) {
			raise("TypeError", "not enough arguments for format string");
		}
		return list[used++];
	};
	let named = false;
	const out = format.replace(
		/%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?([hlL]?)(.?)/g,
		(all, name, flags, width, precision, size, kind, offset) => {
			if (kind === "%") return "%";
			if (kind === "") raise("ValueError", "incomplete format");
			const wide = width === undefined ? 0 : Number(width === "*" ? v.number(next()) : width);
			const digits = precision === undefined ? null : Number(precision === "*" ? v.number(next()) : precision);
			let value;
			if (name !== undefined) {
				named = true;
				if (!(values instanceof v.ObjectValue)) raise("TypeError", "format requires a mapping");
				value = values.value.get(name);
				if (value === undefined) raise("KeyError", v.stringRepr(name));
			} else {
				value = next();
			}
			const text = percentValue(kind, value, digits, flags, toText, () => length(format.slice(0, offset + all.length - kind.length)));
			const align = flags.includes("-") ? "<" : flags.includes("0") && !"srac".includes(kind) ? "=" : ">";
			return pad(text, wide, align === "=" ? "0" : " ", align);
		}
	);
	// What has elements by key or index may be left unused.
	const isMapping = !isTuple && !(values instanceof v.StringValue) && !v.isNumber(values) && !(values instanceof v.NullValue);
	if (used < list.length && !named && !isMapping) {
		raise("TypeError", "not all arguments converted during string formatting");
	}
	return out;
}

function percentValue(kind, value, digits, flags, toText, indexOf) {
	const cut = (text) => (digits === null ? text : chars(text).slice(0, digits).join(""));
	if (kind === "s") return cut(toText(value));
	if (kind === "r") return cut(v.repr(value));
	if (kind === "a") return cut(asciiRepr(value));
	if (!"diuxXofFeEgGc".includes(kind)) {
		const code = kind.codePointAt(0);
		const shown = code > 31 && code < 128 ? kind : "?";
		raise("ValueError", `unsupported format character '${shown}' (0x${code.toString(16)}) at index ${indexOf()}`);
	}
	if (kind === "c") return oneCharacter(value);
	if (v.isUndefined(value)) v.failUndefined(value);
	const signed = (isNegative, text) => (isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "") + text;
	if ("fFeEgG".includes(kind)) {
		if (!v.isNumber(value)) raise("TypeError", `must be real number, not ${v.typeName(value)}`);
		const text = floatBy(kind, v.number(value), digits, flags.includes("#"));
		return signed(text[0] === "-", text.replace(/^-/, ""));
	}
	const isDecimal = "diu".includes(kind);
	if (!v.isNumber(value) || (!isDecimal && value instanceof v.FloatValue)) {
		raise("TypeError", `%${kind} format: ${isDecimal ? "a real number" : "an integer"} is required, not ${v.typeName(value)}`);
	}
	if (value instanceof v.FloatValue && !Number.isFinite(value.value)) {
		if (Number.isNaN(value.value)) raise("ValueError", "cannot convert float NaN to integer");
		raise("OverflowError", "cannot convert float infinity to integer");
	}
	const whole = value instanceof v.FloatValue ? v.integer(Math.trunc(value.value)) : value;
	const [isNegative, prefix, text] = integerBy(kind, whole, flags.includes("#"));
	return signed(isNegative, prefix + text.padStart(digits || 0, "0"));
}

function oneCharacter(value) {
	if (value instanceof v.StringValue && length(value.value) === 1) return value.value;
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!(value instanceof v.IntegerValue || value instanceof v.BooleanValue)) {
		raise("TypeError", "%c requires int or char");
	}
	const code = Number(value.value);
	if (code < 0 || code > 0x10ffff) raise("OverflowError", "%c arg not in range(0x110000)");
	return String.fromCodePoint(code);
}

// ascii()
function asciiRepr(value) {
	return chars(v.repr(value)).map((char) => {
		const code = char.codePointAt(0);
		const [letter, digits] = code > 0xffff ? ["U", 8] : code > 0xff ? ["u", 4] : ["x", 2];
		return code < 0x80 ? char : `\\${letter}${code.toString(16).padStart(digits, "0")}`;
	}).join("");
}

// `lookUp`: (value, name, isIndex) => value, for {a.b} and {a[0]}.
export function formatBraces(format, positional, keywords, lookUp) {
	const fields = { automatic: 0, manual: false };
	// As Python's string.Formatter, which the sandbox uses, and which says the same of both mixtures.
	const find = (path, first) => {
		const isNumber = /^\d+$/.test(path);
		if ((path === "" && fields.manual) || (isNumber && fields.automatic > 0)) {
			raise("ValueError", "cannot switch from manual field specification to automatic field numbering");
		}
		fields.manual = fields.manual || isNumber;
		if (path !== "" && !/^\d+$/.test(first)) {
			return keywords.get(first) || raise("KeyError", v.stringRepr(first));
		}
		return positional[path === "" ? fields.automatic++ : Number(first)] || raise("IndexError", "tuple index out of range");
	};
	const expand = (source, depth) => {
		if (depth > 2) raise("ValueError", "Max string recursion exceeded");
		let out = "";
		for (let i = 0; i < source.length; ++i) {
			const char = source[i];
			if ((char === "{" || char === "}") && source[i + 1] === char) {
				out += char;
				++i;
			} else if (char === "}") {
				raise("ValueError", "Single '}' encountered in format string");
			} else if (char !== "{") {
				out += char;
			} else {
				const end = fieldEnd(source, i);
				out += replacement(source.slice(i + 1, end), depth);
				i = end;
			}
		}
		return out;
	};
	const replacement = (field, depth) => {
		const [path, conversion, spec] = fieldParts(field);
		const [first, ...parts] = path.match(/^[^.[]*|\.[^.[]*|\[[^\]]*\]?/g) || [""];
		let value = find(path, first);
		for (const part of parts) {
			const isIndex = part[0] === "[";
			if (isIndex && part[part.length - 1] !== "]") raise("ValueError", "Missing ']' in format string");
			const name = isIndex ? part.slice(1, -1) : part.slice(1);
			if (name === "") raise("ValueError", "Empty attribute in format string");
			value = lookUp(value, name, isIndex);
		}
		const convert = { "": (each) => each, r: (each) => v.str(v.repr(each)), s: (each) => v.str(v.toText(each)), a: (each) => v.str(asciiRepr(each)) };
		if (convert[conversion] === undefined) {
			raise("ValueError", `Unknown conversion specifier ${conversion}`);
		}
		return formatSpec(convert[conversion](value), spec.includes("{") || spec.includes("}") ? expand(spec, depth + 1) : spec);
	};
	return expand(format, 1);
}

// The index of the brace that closes the one at `start`.
function fieldEnd(source, start) {
	let depth = 0;
	let inIndex = false;
	let inSpec = false;
	for (let i = start; i < source.length; ++i) {
		const char = source[i];
		if (inIndex) {
			inIndex = char !== "]";
		} else if (char === "[" && !inSpec) {
			inIndex = true;
		} else if (char === "{") {
			++depth;
		} else if (char === "}" && --depth === 0) {
			return i;
		} else if (char === ":" && depth === 1) {
			inSpec = true;
		}
	}
	return raise("ValueError", source.length === start + 1 ? "Single '{' encountered in format string" : "expected '}' before end of string");
}

// [path, conversion, spec] of a replacement field.
function fieldParts(field) {
	const [path] = /^(?:[^!:[]|\[[^\]]*\]?)*/.exec(field);
	const rest = field.slice(path.length);
	if (path.includes("{")) raise("ValueError", "unexpected '{' in field name");
	if (rest[0] !== "!") {
		return [path, "", rest.slice(1)];
	}
	const conversion = chars(rest.slice(1))[0];
	const after = rest.slice(1 + (conversion || "").length);
	if (conversion === undefined) raise("ValueError", "end of string while looking for conversion specifier");
	if (after !== "" && after[0] !== ":") raise("ValueError", "expected ':' after conversion specifier");
	return [path, conversion, after.slice(1)];
}

function grouped(digits, by, size = 3) {
	const parts = [];
	let end = digits.length;
	for (; end > size; end -= size) {
		parts.unshift(digits.slice(end - size, end));
	}
	return [digits.slice(0, end), ...parts].join(by);
}

// format(value, spec)
function formatSpec(value, spec) {
	if (spec === "") return v.toText(value);
	const isText = value instanceof v.StringValue;
	if (!isText && !v.isNumber(value)) {
		raise("TypeError", `unsupported format string passed to ${v.typeName(value)}.__format__`);
	}
	const found = /^(?:([\ud800-\udbff][\udc00-\udfff]|[^])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([^])?$/.exec(spec);
	const type = v.typeName(value);
	if (found === null) {
		raise("ValueError", /\.(?!\d)/.test(spec) ? "Format specifier missing precision" : `Invalid format specifier '${spec}' for object of type '${type}'`);
	}
	const [, fill, align, sign, , alternate, zero, width, group, precision, kind] = found;
	const parts = { sign, alternate: alternate !== undefined, group, kind, precision: precision === undefined ? null : Number(precision) };
	const wide = Number(width || 0);
	if (isText) {
		return pad(textSpec(value, parts, align), wide, fill || (zero ? "0" : " "), align || "<");
	}
	const by = align || (zero ? "=" : ">");
	const filler = fill || (zero ? "0" : " ");
	const [isNegative, prefix, digits, every] = value instanceof v.FloatValue || (kind !== undefined && "eEfFgG%".includes(kind))
		? floatSpec(value, parts, type) : integerSpec(value, parts, type);
	const lead = (isNegative ? "-" : sign === "+" || sign === " " ? sign : "") + prefix;
	const [whole] = /^\w*/.exec(every === 3 ? /^\d*/.exec(digits)[0] : digits);
	let body = whole;
	if (group !== undefined) {
		body = grouped(whole, group, every);
		// Zeros in front are grouped, too.
		while (by === "=" && filler === "0" && length(lead + body + digits.slice(whole.length)) < wide) {
			const longer = grouped("0" + body.split(group).join(""), group, every);
			body = longer;
		}
	}
	return pad(lead + body + digits.slice(whole.length), wide, filler, by);
}

function unknownCode(kind, type) {
	return raise("ValueError", `Unknown format code '${kind}' for object of type '${type}'`);
}

function textSpec(value, { sign, alternate, group, kind, precision }, align) {
	if (kind !== undefined && kind !== "s") unknownCode(kind, "str");
	if (sign !== undefined) {
		raise("ValueError", sign === " " ? "Space not allowed in string format specifier" : "Sign not allowed in string format specifier");
	}
	if (alternate) raise("ValueError", "Alternate form (#) not allowed in string format specifier");
	if (align === "=") raise("ValueError", "'=' alignment not allowed in string format specifier");
	if (group !== undefined) raise("ValueError", `Cannot specify '${group}' with 's'.`);
	return precision === null ? value.value : chars(value.value).slice(0, precision).join("");
}

// [isNegative, prefix, digits, how many digits a group has]
function integerSpec(value, { sign, alternate, group, kind, precision }, type) {
	if (kind !== undefined && !"bcdnoxX".includes(kind)) unknownCode(kind, type);
	if (precision !== null) raise("ValueError", "Precision not allowed in integer format specifier");
	if (group !== undefined && kind !== undefined && (group === "," ? "bcnoxX" : "cn").includes(kind)) {
		raise("ValueError", `Cannot specify '${group}' with '${kind}'.`);
	}
	if (kind === "c") {
		if (sign !== undefined) raise("ValueError", "Sign not allowed with integer format specifier 'c'");
		if (alternate) raise("ValueError", "Alternate form (#) not allowed with integer format specifier 'c'");
		const code = Number(value.value);
		if (code < 0 || code > 0x10ffff) raise("OverflowError", "%c arg not in range(0x110000)");
		return [false, "", String.fromCodePoint(code), 3];
	}
	const whole = value instanceof v.BooleanValue ? v.integer(Number(value.value)) : value;
	return [...integerBy(kind || "d", whole, alternate), kind !== undefined && "boxX".includes(kind) ? 4 : 3];
}

function floatSpec(value, { alternate, group, kind, precision }, type) {
	const known = kind === undefined || "eEfFgGn%".includes(kind);
	if (!known) unknownCode(kind, type);
	if (kind === "n" && group !== undefined) raise("ValueError", `Cannot specify '${group}' with 'n'.`);
	const number = v.number(value);
	let text;
	if (kind === "%") text = `${floatBy("f", number * 100, precision, alternate)}%`;
	else if (kind !== undefined) text = floatBy(kind === "n" ? "g" : kind, number, precision, alternate);
	else if (precision === null) text = v.floatText(number);
	else text = floatBy("", number, precision, alternate);
	return [text[0] === "-", "", text.replace(/^-/, ""), 3];
}
