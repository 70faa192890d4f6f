// Jinja2's tests: (value, args, interpreter) => boolean.

import { compareBy } from "./operators.js";
import { Problem, raise } from "./problem.js";
import * as v from "./values.js";

function remainder(value, by) {
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!v.isNumber(value)) {
		raise("TypeError", value instanceof v.StringValue ? "not all arguments converted during string formatting"
			: `unsupported operand type(s) for %: '${v.typeName(value)}' and 'int'`);
	}
	if (by === 0) raise("ZeroDivisionError", "integer modulo by zero");
	return v.number(value) % by;
}

function comparing(operator) {
	return (value, args) => compareBy(operator, value, v.bind(operator, args, ["other"])[0]);
}

const isSequence = (value) =>
	value instanceof v.StringValue || value instanceof v.ObjectValue || ["list", "tuple", "range"].includes(v.typeName(value)) ||
	v.isUndefined(value);

function isCased(value, convert, other) {
	const source = v.toText(value);
	return source === convert(source) && source !== other(source);
}
const upper = (source) => source.toUpperCase();
const lower = (source) => source.toLowerCase();

const TESTS = {
	boolean: (value) => value instanceof v.BooleanValue,
	callable: (value) => value instanceof v.FunctionValue || v.isUndefined(value) || value instanceof v.LoopValue,
	defined: (value) => !v.isUndefined(value),
	divisibleby: (value, args) => remainder(value, v.needInteger(v.bind("divisibleby", args, ["num"])[0])) === 0,
	eq: comparing("=="),
	escaped: (value) => value instanceof v.MarkupValue,
	even: (value) => remainder(value, 2) === 0,
	false: (value) => value instanceof v.BooleanValue && !value.value,
	filter: (value, args, interpreter) => interpreter.isFilter(v.toText(value)),
	float: (value) => value instanceof v.FloatValue,
	ge: comparing(">="),
	gt: comparing(">"),
	in: (value, args) => v.contains(v.bind("in", args, ["seq"])[0], value),
	integer: (value) => value instanceof v.IntegerValue,
	iterable: (value) => value instanceof v.ArrayValue || value instanceof v.ObjectValue || value instanceof v.StringValue ||
		v.isUndefined(value),
	le: comparing("<="),
	lower: (value) => isCased(value, lower, upper),
	lt: comparing("<"),
	mapping: (value) => value instanceof v.ObjectValue,
	ne: comparing("!="),
	none: (value) => value instanceof v.NullValue,
	number: (value) => v.isNumber(value),
	odd: (value) => Math.abs(remainder(value, 2)) === 1,
	sameas(value, args) {
		const [other] = v.bind("sameas", args, ["other"]);
		return value === other || (v.typeName(value) === v.typeName(other) && !(value instanceof v.ArrayValue) &&
			!(value instanceof v.ObjectValue) && v.equal(value, other));
	},
	sequence: isSequence,
	string: (value) => value instanceof v.StringValue,
	test: (value) => isTest(v.toText(value)),
	true: (value) => value instanceof v.BooleanValue && value.value,
	undefined: (value) => v.isUndefined(value),
	upper: (value) => isCased(value, upper, lower),
};
for (const [name, same] of [
	["==", "eq"], ["equalto", "eq"], ["!=", "ne"], [">", "gt"], ["greaterthan", "gt"], ["<", "lt"], ["lessthan", "lt"],
	[">=", "ge"], ["<=", "le"],
]) {
	TESTS[name] = TESTS[same];
}

export function isTest(name) {
	return Object.prototype.hasOwnProperty.call(TESTS, name);
}
export const testNames = Object.keys(TESTS);

export function callTest(name, value, args, interpreter) {
	if (!isTest(name)) {
		throw new Problem("unknown_test", [name]);
	}
	return TESTS[name](value, args, interpreter);
}
