// Python's operators.

import { formatPercent } from "./format.js";
import * as long from "./long.js";
import { Problem, raise } from "./problem.js";
import * as v from "./values.js";

export function escapeHtml(text) {
	const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;" };
	return text.replace(/[&<>'"]/g, (char) => entities[char]);
}

// A value as markup.
export function escaped(value) {
	return value instanceof v.MarkupValue ? value.value : escapeHtml(v.toText(value));
}

// a ~ b; in an autoescape block, markup makes markup of the whole.
export function concatenate(values, autoescape) {
	if (autoescape && values.some((value) => value instanceof v.MarkupValue)) {
		return new v.MarkupValue(values.map(escaped).join(""));
	}
	return v.str(values.map(v.toText).join(""));
}

function unsupported(operator, a, b) {
	return raise("TypeError", `unsupported operand type(s) for ${operator}: '${v.typeName(a)}' and '${v.typeName(b)}'`);
}

function isFloat(a, b) {
	return a instanceof v.FloatValue || b instanceof v.FloatValue;
}

// `result`: of the doubles; `exact`: of the integers, where a double does not hold the result.
function numeric(a, b, result, exact) {
	if (isFloat(a, b)) {
		return new v.FloatValue(result(v.number(a), v.number(b)));
	}
	const isSmall = !(a instanceof v.LongValue) && !(b instanceof v.LongValue);
	const value = isSmall ? result(Number(a.value), Number(b.value)) : NaN;
	return Number.isSafeInteger(value) ? v.integer(value) : v.ofLong(exact(v.toLong(a), v.toLong(b)));
}

function add(a, b) {
	if (v.isNumber(a) && v.isNumber(b)) {
		return numeric(a, b, (x, y) => x + y, long.add);
	}
	if (a instanceof v.StringValue || b instanceof v.StringValue) {
		if (a instanceof v.MarkupValue || b instanceof v.MarkupValue) {
			return new v.MarkupValue(escaped(a) + escaped(b));
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
	if (times instanceof v.LongValue) raise("OverflowError", "cannot fit 'int' into an index-sized integer");
	const count = Math.max(0, v.needInteger(times));
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
		return numeric(a, b, (x, y) => x * y, long.multiply);
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
		return v.isNumber(a) && v.isNumber(b) ? numeric(a, b, (x, y) => x - y, long.subtract) : unsupported("-", a, b);
	},
	"/"(a, b) {
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("/", a, b);
		}
		if (Number(b.value) === 0) {
			raise("ZeroDivisionError", isFloat(a, b) ? "float division by zero" : "division by zero");
		}
		if (!isFloat(a, b) && (a instanceof v.LongValue || b instanceof v.LongValue)) {
			const result = long.ratio(v.toLong(a), v.toLong(b));
			if (!Number.isFinite(result)) raise("OverflowError", "integer division result too large for a float");
			return new v.FloatValue(result);
		}
		return new v.FloatValue(v.number(a) / v.number(b));
	},
	"//"(a, b) {
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("//", a, b);
		}
		if (Number(b.value) === 0) {
			raise("ZeroDivisionError", isFloat(a, b) ? "float floor division by zero" : "integer division or modulo by zero");
		}
		return numeric(a, b, isFloat(a, b) ? floorDivision : (x, y) => Math.floor(x / y), (x, y) => long.divide(x, y)[0]);
	},
	"%"(a, b) {
		if (a instanceof v.MarkupValue) {
			return new v.MarkupValue(formatPercent(a.value, b, escaped));
		}
		if (a instanceof v.StringValue) {
			return v.str(formatPercent(a.value, b));
		}
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("%", a, b);
		}
		if (Number(b.value) === 0) {
			raise("ZeroDivisionError", isFloat(a, b) ? "float modulo" : "integer modulo by zero");
		}
		return numeric(a, b, remainder, (x, y) => long.divide(x, y)[1]);
	},
	"**"(a, b) {
		if (!v.isNumber(a) || !v.isNumber(b)) {
			return unsupported("** or pow()", a, b);
		}
		const y = Number(b.value);
		if (!isFloat(a, b) && y >= 0) {
			const result = Math.pow(Number(a.value), y);
			if (Number.isSafeInteger(result)) return v.integer(result);
			if (b instanceof v.LongValue) throw new Problem("integer_too_large", []);
			return v.ofLong(long.power(v.toLong(a), y));
		}
		const x = v.number(a);
		if (x === 0 && y < 0) {
			raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
		}
		const result = x === 1 ? 1 : Math.pow(x, v.number(b)); // to NaN, too, as in C
		if (Number.isNaN(result) && !Number.isNaN(x) && !Number.isNaN(y)) {
			throw new Problem("unsupported", ["complex numbers"]);
		}
		if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y)) {
			raise("OverflowError", "(34, 'Numerical result out of range')");
		}
		return new v.FloatValue(result);
	},
};

// Python's, of doubles: with the sign of the divisor.
function remainder(x, y) {
	const rest = x % y;
	if (rest === 0) return y < 0 ? -0 : 0;
	return rest < 0 !== y < 0 ? rest + y : rest;
}

function floorDivision(x, y) {
	const quotient = (x - remainder(x, y)) / y;
	const floor = Math.floor(quotient);
	return quotient - floor > 0.5 ? floor + 1 : floor;
}

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
		return operator === "-" ? v.ofLong(long.negate(v.toLong(value))) : value;
	}
	const sign = operator === "-" ? -1 : 1;
	return value instanceof v.FloatValue ? new v.FloatValue(sign * value.value) : v.integer(sign * v.number(value));
}
