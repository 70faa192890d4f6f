// Finds filters, tests and functions that do not exist, also where no conversation leads to them.

import { filterNames, isFilter, unknownFilter } from "./filters.js";
import { nearest, Problem } from "./problem.js";
import { NOT_TEST, SCOPE, TEST } from "./tags.js";
import { isTest, testNames } from "./tests.js";

const GIVEN = ["caller", "loop", "self", "varargs", "kwargs"];

export function unknownNames(program, globals) {
	const problems = [];
	const known = new Set([...GIVEN, ...globals]);
	const calls = [];

	const declare = (target) => {
		if (target.type === "Identifier") known.add(target.value);
		else if (target.type === "TupleLiteral") target.value.forEach(declare);
		else if (target.type === "KeywordArgumentExpression") known.add(target.key.value);
		else if (target.type === "FilterExpression") declare(target.operand);
	};

	const checkFilter = (node) => {
		const name = node.value;
		if (name === SCOPE) {
			return;
		}
		for (const prefix of [NOT_TEST, TEST]) {
			if (name.startsWith(prefix)) {
				const test = name.slice(prefix.length);
				if (!isTest(test)) problems.push(new Problem("unknown_test", [test, nearest(test, testNames)], node.place));
				return;
			}
		}
		if (!isFilter(name)) {
			const problem = unknownFilter(name);
			const args = problem.code === "unknown_filter" ? [name, nearest(name, filterNames)] : problem.args;
			problems.push(new Problem(problem.code, args, node.place));
		}
	};

	const visit = (node) => {
		if (Array.isArray(node)) {
			node.forEach(visit);
			return;
		}
		if (node instanceof Map) {
			node.forEach((value, key) => {
				visit(key);
				visit(value);
			});
			return;
		}
		if (node === null || typeof node !== "object" || typeof node.type !== "string") {
			return;
		}
		if (node.type === "For") declare(node.loopvar);
		else if (node.type === "Set") declare(node.assignee);
		else if (node.type === "Macro") {
			known.add(node.name.value);
			node.args.forEach(declare);
		} else if (node.type === "CallStatement") (node.callerArgs || []).forEach(declare);
		else if (node.type === "CallExpression" && node.callee.type === "Identifier") calls.push(node.callee);
		else if (node.type === "FilterExpression" || node.type === "FilterStatement") {
			const isCall = node.filter.type === "CallExpression";
			checkFilter(isCall ? node.filter.callee : node.filter);
			visit(node.operand || node.body);
			if (isCall) visit(node.filter.args);
			return;
		}
		for (const name of Object.keys(node)) {
			if (name !== "place" && name !== "operator") visit(node[name]);
		}
	};
	visit(program.body);
	for (const callee of calls) {
		if (!known.has(callee.value)) {
			problems.push(new Problem("unknown_function", [callee.value, nearest(callee.value, Array.from(known))], callee.place));
		}
	}
	return problems;
}
