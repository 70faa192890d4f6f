// Python's operators.

import { formatPercent } from "./format.js";
import { Problem, raise } from "./problem.js";
import * as v from "./values.js";

export function escapeHtml(text) {
	const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;" };
	return text.replace(/[&<>'"]/g, (char) => entities[char]);
}

function markup(value) {
	return value instanceof v.MarkupValue ? value.value : escapeHtml(v.toText(value));
}

function unsupported(operator, a, b) {
	return raise("TypeError", `unsupported operand type(s) for ${operator}: '${v.typeName(a)}' and '${v.typeName(b)}'`);
}

function isFloat(a, b) {
	return a instanceof v.FloatValue || b instanceof v.FloatValue;
}

function numeric(a, b, result) {
	return isFloat(a, b) ? new v.FloatValue(result) : v.integer(result);
}

function add(a, b) {
	if (v.isNumber(a) && v.isNumber(b)) {
		return numeric(a, b, v.number(a) + v.number(b));
	}
	if (a instanceof v.StringValue || b instanceof v.StringValue) {
		if (a instanceof v.MarkupValue || b instanceof v.MarkupValue) {
			return new v.MarkupValue(markup(a) + markup(b));
		}
		if (a instanceof v.StringValue && b instanceof v.StringValue) {
			return v.str(a.value + b.value);
		}
		if (a instanceof v.StringValue) {
			raise("TypeError", `can only concatenate str (not "${v.typeName(b)}") to str`);
		}
	}
	if (v.isList(a)) {
		const kind = v.typeName(a);
		if (kind === v.typeName(b) && (kind === "list" || kind === "tuple")) {
			const all = a.value.concat(b.value);
			return kind === "tuple" ? new v.TupleValue(all) : v.list(all);
		}
		if (kind === "list" || kind === "tuple") {
			raise("TypeError", `can only concatenate ${kind} (not "${v.typeName(b)}") to ${kind}`);
		}
	}
	return unsupported("+", a, b);
}

function repeat(sequence, times) {
	const count = Math.max(0, v.number(times));
	const size = sequence.value.length;
	if (size * count > 1 << 26) {
		throw new Problem("output_too_long", []);
	}
	if (sequence instanceof v.StringValue) {
		return v.str(sequence.value.repeat(count));
	}
	let out = [];
	for (let i = 0; i < count; ++i) {
		out = out.concat(sequence.value);
	}
	return v.typeName(sequence) === "tuple" ? new v.TupleValue(out) : v.list(out);
}

function multiply(a, b) {
	if (v.isNumber(a) && v.isNumber(b)) {
		return numeric(a, b, v.number(a) * v.number(b));
	}
	const isSequence = (x) => x instanceof v.StringValue || v.typeName(x) === "list" || v.typeName(x) === "tuple";
	const isWhole = (x) => x instanceof v.IntegerValue || x instanceof v.BooleanValue;
	for (const [sequence, times] of [
		[a, b],
		[b, a],
	]) {
		if (isSequence(sequence)) {
			if (!isWhole(times)) {
				raise("TypeError", `can't multiply sequence by non-int of type '${v.typeName(times)}'`);
			}
			return repeat(sequence, times);
		}
	}
	return unsupported("*", a, b);
}

const ARITHMETIC = {
	"+": add,
	"*": multiply,
	"-"(a, b) {
		return v.isNumber(a) && v.isNumber(b) ? numeric(a, b, v.number(a) - v.number(b)) : unsupported("-", a, b);
	},
	"/"(a, b) {
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("/", a, b);
		}
		if (v.number(b) === 0) {
			raise("ZeroDivisionError", isFloat(a, b) ? "float division by zero" : "division by zero");
		}
		return new v.FloatValue(v.number(a) / v.number(b));
	},
	"//"(a, b) {
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("//", a, b);
		}
		if (v.number(b) === 0) {
			raise("ZeroDivisionError", isFloat(a, b) ? "float floor division by zero" : "integer division or modulo by zero");
		}
		return numeric(a, b, Math.floor(v.number(a) / v.number(b)));
	},
	"%"(a, b) {
		if (a instanceof v.StringValue) {
			return v.str(formatPercent(a.value, b));
		}
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("%", a, b);
		}
		const x = v.number(a);
		const y = v.number(b);
		if (y === 0) {
			raise("ZeroDivisionError", isFloat(a, b) ? "float modulo" : "integer modulo by zero");
		}
		const rest = x % y;
		return numeric(a, b, rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest);
	},
	"**"(a, b) {
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("** or pow()", a, b);
		}
		const x = v.number(a);
		const y = v.number(b);
		if (x === 0 && y < 0) {
			raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
		}
		const result = Math.pow(x, y);
		if (Number.isNaN(result)) {
			throw new Problem("unsupported", ["complex numbers"]);
		}
		if (!Number.isFinite(result) && (isFloat(a, b) || y < 0)) {
			raise("OverflowError", "(34, 'Numerical result out of range')");
		}
		return y < 0 ? new v.FloatValue(result) : numeric(a, b, result);
	},
};

const COMPARISONS = {
	"==": (a, b) => v.equal(a, b),
	"!=": (a, b) => !v.equal(a, b),
	"<": (a, b) => v.order(a, b, "<") < 0,
	"<=": (a, b) => v.order(a, b, "<=") <= 0,
	">": (a, b) => v.order(a, b, ">") > 0,
	">=": (a, b) => v.order(a, b, ">=") >= 0,
	in: (a, b) => v.contains(b, a),
	"not in": (a, b) => !v.contains(b, a),
};

export function isComparison(operator) {
	return Object.prototype.hasOwnProperty.call(COMPARISONS, operator);
}

export function compareBy(operator, a, b) {
	return COMPARISONS[operator](a, b);
}

export function binary(operator, a, b) {
	if (operator === "~") {
		return v.str(v.toText(a) + v.toText(b));
	}
	if (isComparison(operator)) {
		return v.bool(compareBy(operator, a, b));
	}
	if (v.isUndefined(a)) v.failUndefined(a);
	if (v.isUndefined(b) && !(operator === "%" && a instanceof v.StringValue)) v.failUndefined(b);
	return ARITHMETIC[operator](a, b);
}

export function unary(operator, value) {
	if (operator === "not") {
		return v.bool(!v.truth(value));
	}
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!v.isNumber(value)) {
		raise("TypeError", `bad operand type for unary ${operator}: '${v.typeName(value)}'`);
	}
	if (value instanceof v.LongValue) {
		return operator === "-" ? v.integerOfDigits(value.digits.startsWith("-") ? value.digits.slice(1) : "-" + value.digits)
			: value;
	}
	const sign = operator === "-" ? -1 : 1;
	return value instanceof v.FloatValue ? new v.FloatValue(sign * value.value) : v.integer(sign * v.number(value));
}
