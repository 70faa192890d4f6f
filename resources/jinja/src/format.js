// Python's two ways of putting values into a text: "%s" % x and "{}".format(x).

import { Problem, raise } from "./problem.js";
import { chars, length } from "./text.js";
import * as v from "./values.js";

// round() to `digits` decimals as text, ties to even as the exact value of the double decides.
export function fixed(value, digits) {
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
	return value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
}

function general(value, precision) {
	const digits = precision === 0 ? 1 : precision;
	if (value === 0) return Object.is(value, -0) ? "-0" : "0";
	const power = Number(value.toExponential(digits - 1).split("e")[1]);
	const strip = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
	if (power < -4 || power >= digits) {
		const [mantissa, rest] = exponent(value, digits - 1).split("e");
		return `${strip(mantissa)}e${rest}`;
	}
	return strip(value.toFixed(Math.max(0, digits - 1 - power)));
}

function notFinite(value) {
	return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

function floatBy(kind, value, precision) {
	if (!Number.isFinite(value)) return notFinite(value);
	const digits = precision === null ? 6 : precision;
	const text = { f: fixed, e: exponent, g: general }[kind.toLowerCase()](value, digits);
	return kind === kind.toLowerCase() ? text : text.toUpperCase();
}

function pad(text, width, fill, align) {
	const missing = width - length(text);
	if (missing <= 0) return text;
	if (align === "<") return text + fill.repeat(missing);
	if (align === "^") return fill.repeat(missing >> 1) + text + fill.repeat(missing - (missing >> 1));
	if (align === "=") {
		const sign = /^[+-]/.test(text) ? text[0] : "";
		return sign + fill.repeat(missing) + text.slice(sign.length);
	}
	return fill.repeat(missing) + text;
}

export function formatPercent(format, values) {
	const isTuple = v.typeName(values) === "tuple";
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
		(all, name, flags, width, precision, size, kind) => {
			if (kind === "%") return "%";
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
			const text = percentValue(kind, value, digits, flags);
			const align = flags.includes("-") ? "<" : flags.includes("0") && !"srac".includes(kind) ? "=" : ">";
			return pad(text, wide, align === "=" ? "0" : " ", align);
		}
	);
	if (used < list.length && !named && !(values instanceof v.ObjectValue)) {
		raise("TypeError", "not all arguments converted during string formatting");
	}
	return out;
}

function percentValue(kind, value, digits, flags) {
	const cut = (text) => (digits === null ? text : chars(text).slice(0, digits).join(""));
	if (kind === "s") return cut(v.toText(value));
	if (kind === "r" || kind === "a") return cut(v.repr(value));
	if (v.isUndefined(value)) v.failUndefined(value);
	if (kind === "c" && value instanceof v.StringValue) return value.value;
	if (!v.isNumber(value)) {
		raise("TypeError", `%${kind} format: a real number is required, not ${v.typeName(value)}`);
	}
	const sign = (text) => (text[0] !== "-" && flags.includes("+") ? "+" : text[0] !== "-" && flags.includes(" ") ? " " : "") + text;
	if ("diu".includes(kind)) {
		return sign(value instanceof v.LongValue ? value.digits : String(Math.trunc(v.number(value))));
	}
	const radix = { x: 16, X: 16, o: 8 }[kind];
	if (radix !== undefined) {
		const text = v.number(value).toString(radix);
		return sign(kind === "X" ? text.toUpperCase() : text);
	}
	if ("fFeEgG".includes(kind)) return sign(floatBy(kind, v.number(value), digits));
	if (kind === "c") return String.fromCodePoint(v.number(value));
	return raise("ValueError", `unsupported format character '${kind}'`);
}

// `lookUp`: (value, name, isIndex) => value, for {a.b} and {a[0]}.
export function formatBraces(format, positional, keywords, lookUp) {
	let automatic = 0;
	let out = "";
	for (let i = 0; i < format.length; ++i) {
		const char = format[i];
		if ((char === "{" || char === "}") && format[i + 1] === char) {
			out += char;
			++i;
		} else if (char === "}") {
			raise("ValueError", "Single '}' encountered in format string");
		} else if (char !== "{") {
			out += char;
		} else {
			const end = format.indexOf("}", i);
			if (end < 0) raise("ValueError", "expected '}' before end of string");
			const field = format.slice(i + 1, end);
			if (field.includes("{")) throw new Problem("unsupported", ["{…{…}…}"]);
			const [, path, conversion, spec] = /^([^!:]*)(?:!([rsa]))?(?::(.*))?$/.exec(field) || [null, "", "", ""];
			const parts = path.match(/^[^.[]*|\.[^.[]+|\[[^\]]+\]/g) || [""];
			const first = parts.shift();
			let value;
			if (first === "" || /^\d+$/.test(first)) {
				value = positional[first === "" ? automatic++ : Number(first)];
				if (value === undefined) raise("IndexError", "tuple index out of range");
			} else {
				value = keywords.get(first);
				if (value === undefined) raise("KeyError", v.stringRepr(first));
			}
			for (const part of parts) {
				value = part[0] === "." ? lookUp(value, part.slice(1), false) : lookUp(value, part.slice(1, -1), true);
			}
			const converted = conversion === "r" || conversion === "a" ? v.str(v.repr(value)) : conversion === "s" ? v.str(v.toText(value)) : value;
			out += formatSpec(converted, spec || "");
			i = end;
		}
	}
	return out;
}

function grouped(digits, by) {
	const parts = [];
	let end = digits.length;
	for (; end > 3; end -= 3) {
		parts.unshift(digits.slice(end - 3, end));
	}
	return [digits.slice(0, end), ...parts].join(by);
}

function formatSpec(value, spec) {
	if (spec === "") return v.toText(value);
	const found = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/u.exec(spec);
	if (found === null) raise("ValueError", "Invalid format specifier");
	const [, fill, align, sign, , zero, width, group, precision, kind] = found;
	const isText = value instanceof v.StringValue;
	if (!isText && !v.isNumber(value)) {
		raise("TypeError", `unsupported format string passed to ${v.typeName(value)}.__format__`);
	}
	let text;
	if (isText) {
		text = precision === undefined ? value.value : chars(value.value).slice(0, Number(precision)).join("");
	} else {
		const number = v.number(value);
		const digits = precision === undefined ? null : Number(precision);
		const isWhole = !(value instanceof v.FloatValue);
		if (kind === "%") text = `${floatBy("f", number * 100, digits)}%`;
		else if (kind === "x" || kind === "X" || kind === "o" || kind === "b") {
			text = number.toString({ x: 16, X: 16, o: 8, b: 2 }[kind]);
			text = kind === "X" ? text.toUpperCase() : text;
		} else if (kind === "d" || (kind === undefined && isWhole)) text = v.repr(isWhole ? v.integer(number) : value);
		else if (kind !== undefined) text = floatBy(kind === "n" ? "g" : kind, number, digits);
		else text = digits === null ? v.floatText(number) : floatBy("g", number, digits);
		if (group !== undefined) text = text.replace(/\d+/, (whole) => grouped(whole, group));
		if (sign !== undefined && sign !== "-" && text[0] !== "-") text = sign + text;
	}
	const by = align || (zero && !isText ? "=" : isText ? "<" : ">");
	return pad(text, Number(width || 0), fill || (zero ? "0" : " "), by);
}
