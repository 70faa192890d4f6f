// Jinja2's tests: (value, args, interpreter) => boolean.

import * as characters from "./characters.js";
import { binary, compareBy } from "./operators.js";
import { Problem, raise } from "./problem.js";
import * as text from "./text.js";
import * as v from "./values.js";

function remainder(value, by) {
	if (v.isUndefined(value)) v.failUndefined(value);
	return binary("%", value, by);
}

const isZero = (value) => v.isNumber(value) && Number(value.value) === 0;

function comparing(operator) {
	return (value, args) => compareBy(operator, value, v.bind(operator, args, ["other"])[0]);
}

const isSequence = (value) =>
	value instanceof v.StringValue || value instanceof v.ObjectValue || value instanceof v.TupleValue || ["list", "range"].includes(v.typeName(value)) ||
	v.isUndefined(value);

function isCasedAs(isThis, isOther) {
	return (value) => text.isCasedAs(v.toText(value), isThis, isOther);
}

const TESTS = {
	boolean: (value) => value instanceof v.BooleanValue,
	callable: (value) => value instanceof v.FunctionValue || v.isUndefined(value) || value instanceof v.LoopValue,
	defined: (value) => !v.isUndefined(value),
	divisibleby: (value, args) => isZero(remainder(value, v.bind("divisibleby", args, ["num"])[0])),
	eq: comparing("=="),
	escaped: (value) => value instanceof v.MarkupValue,
	even: (value) => isZero(remainder(value, v.integer(2))),
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
	lower: isCasedAs(characters.isLower, characters.isUpper),
	lt: comparing("<"),
	mapping: (value) => value instanceof v.ObjectValue,
	ne: comparing("!="),
	none: (value) => value instanceof v.NullValue,
	number: (value) => v.isNumber(value),
	odd: (value) => v.equal(remainder(value, v.integer(2)), v.integer(1)),
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
	upper: isCasedAs(characters.isUpper, characters.isLower),
};
for (const [name, same] of [
	["==", "eq"], ["equalto", "eq"], ["!=", "ne"], [">", "gt"], ["greaterthan", "gt"], ["<", "lt"], ["lessthan", "lt"],
	[">=", "ge"], ["<=", "le"],
]) {
	TESTS[name] = TESTS[same];
}

const WITH_ARGUMENT = ["divisibleby", "eq", "ge", "gt", "in", "le", "lt", "ne", "sameas"].map((name) => TESTS[name]);

export function isTest(name) {
	return Object.prototype.hasOwnProperty.call(TESTS, name);
}
export const testNames = Object.keys(TESTS);

export function callTest(name, value, args, interpreter) {
	if (!isTest(name)) {
		throw new Problem("unknown_test", [name]);
	}
	if (!WITH_ARGUMENT.includes(TESTS[name])) {
		if (args.length > 0) {
			raise("TypeError", `test_${name}() takes 1 positional argument but ${args.length + 1} were given`);
		}
	}
	return TESTS[name](value, args, interpreter);
}
