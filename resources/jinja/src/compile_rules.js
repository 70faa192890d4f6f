// What Jinja2 refuses of a template that parses: its compiler's own rules, and those of the Python that it generates.
// Notes in macros which special variables they read, and in the program its blocks. Finds filters, tests and functions
// that do not exist, also where no conversation leads to them.

import { filterNames, isFilter } from "./filters.js";
import { nearest, Problem } from "./problem.js";
import { isTest, testNames } from "./tests.js";

const GIVEN = ["caller", "loop", "self", "super", "varargs", "kwargs"];
const SPECIAL = ["caller", "varargs", "kwargs"];
const DEEPEST_LOOPS = 20; // Python's limit

// Calls visit(node) for the nodes in a node's members.
export function eachChild(node, visit) {
	const walk = (value) => {
		if (Array.isArray(value)) {
			value.forEach(walk);
		} else if (value !== null && typeof value === "object" && !(value instanceof Set)) {
			if (typeof value.type === "string") {
				visit(value);
			} else {
				Object.keys(value).forEach((name) => name !== "place" && walk(value[name]));
			}
		}
	};
	Object.keys(node).forEach((name) => name !== "place" && walk(node[name]));
}

// The special variables that statements read before they set them; a block and what is nested in it counts, too.
function undeclared(statements) {
	const found = new Set();
	const visit = (node) => {
		if (node.type === "Name" && SPECIAL.includes(node.name)) {
			found.add(node.name);
		}
		if (node.type !== "Block") {
			eachChild(node, visit);
		}
	};
	statements.forEach(visit);
	return found;
}

class Rules {
	constructor(program) {
		this.program = program;
		this.problems = []; // of names that do not exist
		this.refusal = null; // the first of them that no condition protects
		this.calls = [];
		this.known = new Set(GIVEN);
		program.blocks = [];
	}

	refuse(node) {
		throw new Problem("unexpected_token", [node.name], node.place);
	}

	declare(target) {
		if (target.type === "Name") this.known.add(target.name);
		else if (target.type === "Tuple") target.values.forEach((each) => this.declare(each));
	}

	// `frame`: {inLoop, loops: nested in the function, soft: where an unknown filter fails only when it is reached,
	// isTop, within: for loops around}.
	all(nodes, frame) {
		nodes.forEach((node) => this.visit(node, frame));
	}

	inner(frame, changes = {}) {
		return Object.assign({}, frame, { soft: false, isTop: false }, changes);
	}

	function(frame) {
		return this.inner(frame, { inLoop: false, loops: 0 });
	}

	args(args, frame) {
		this.all(args.positional, frame);
		args.keywords.forEach((keyword) => this.visit(keyword.value, frame));
		if (args.list !== null) this.visit(args.list, frame);
		if (args.mapping !== null) this.visit(args.mapping, frame);
	}

	filter(filter, frame) {
		this.args(filter.args, frame);
		if (!isFilter(filter.name)) {
			this.unknown(new Problem("unknown_filter", [filter.name, nearest(filter.name, filterNames)], filter.place), frame);
		}
	}

	unknown(problem, frame) {
		this.problems.push(problem);
		if (!frame.soft && this.refusal === null) {
			this.refusal = problem;
		}
	}

	// A name that a loop gives to its own variable cannot be set inside it.
	target(target, frame, isParameter = false) {
		if (target.type === "Name") {
			if (target.name === "loop" && frame.within && !isParameter) {
				throw new Problem("bad_target", [], target.place);
			}
			this.declare(target);
		} else if (target.type === "Tuple") {
			target.values.forEach((each) => this.target(each, frame, isParameter));
		}
	}

	macro(node, frame) {
		const names = node.parameters.map((parameter) => parameter.name);
		node.parameters.forEach((parameter, i) => {
			if (names.indexOf(parameter.name) < i) {
				this.refuse(parameter);
			}
			this.known.add(parameter.name);
		});
		node.special = undeclared(node.body);
		names.forEach((name) => {
			if (name === "caller" && node.special.has("caller") && node.parameters[names.indexOf(name)].fallback === null) {
				this.refuse(node.parameters[names.indexOf(name)]);
			}
			if (name !== "caller") node.special.delete(name);
		});
		const inside = this.function(frame);
		node.parameters.forEach((parameter) => parameter.fallback !== null && this.visit(parameter.fallback, inside));
		this.all(node.body, inside);
	}

	visit(node, frame) {
		const handler = this[node.type];
		if (handler !== undefined) {
			handler.call(this, node, frame);
		} else {
			eachChild(node, (child) => this.visit(child, frame));
		}
	}

	If(node, frame) {
		const soft = Object.assign({}, frame, { soft: true });
		this.visit(node.test, soft);
		this.all(node.body, soft);
		this.all(node.alternate, soft);
	}

	Conditional(node, frame) {
		const soft = Object.assign({}, frame, { soft: true });
		eachChild(node, (child) => this.visit(child, soft));
	}

	For(node, frame) {
		// Of a recursive loop, Python makes a function.
		const around = node.recursive ? this.function(frame) : this.inner(frame);
		if (around.loops >= DEEPEST_LOOPS) {
			throw new Problem("too_deep", [], node.place);
		}
		const body = this.inner(around, { inLoop: true, loops: around.loops + 1, within: true });
		this.target(node.target, body);
		this.visit(node.iterable, frame);
		if (node.test !== null) this.visit(node.test, this.inner(frame, { within: true }));
		this.all(node.body, body);
		this.all(node.otherwise || [], this.inner(around, { within: true }));
	}

	Set(node, frame) {
		this.target(node.target, frame);
		this.visit(node.value, frame);
	}

	SetBlock(node, frame) {
		this.target(node.target, frame);
		const inside = this.inner(frame);
		this.all(node.body, inside);
		node.filters.forEach((filter) => this.filter(filter, inside));
	}

	FilterBlock(node, frame) {
		const inside = this.inner(frame);
		this.all(node.body, inside);
		node.filters.forEach((filter) => this.filter(filter, inside));
	}

	With(node, frame) {
		node.targets.forEach((target) => this.target(target, frame, true));
		this.all(node.values, frame);
		this.all(node.body, this.inner(frame));
	}

	Scope(node, frame) {
		this.all(node.body, this.function(frame));
	}

	Autoescape(node, frame) {
		this.visit(node.on, frame);
		this.all(node.body, this.inner(frame));
	}

	Block(node, frame) {
		if (this.program.blocks.some((block) => block.name === node.name)) {
			this.refuse(node);
		}
		this.program.blocks.push(node);
		this.all(node.body, this.function(frame));
	}

	Macro(node, frame) {
		this.known.add(node.name);
		this.macro(node, frame);
	}

	CallBlock(node, frame) {
		this.macro(node, frame);
		const repeated = node.call.args.keywords.find((keyword) => keyword.name === "caller");
		if (repeated !== undefined) {
			this.refuse(repeated);
		}
		this.visit(node.call, frame);
	}

	Loading(node, frame) {
		if (node.name === "extends" && !frame.isTop) {
			this.refuse(node);
		}
		node.names.forEach((target) => this.declare(target));
		this.problems.push(new Problem("unsupported_tag", [node.name], node.place));
		this.visit(node.template, frame);
	}

	Break(node, frame) {
		if (!frame.inLoop) {
			throw new Problem("stray_tag", [node.name], node.place);
		}
	}

	Continue(node, frame) {
		this.Break(node, frame);
	}

	Call(node, frame) {
		if (node.callee.type === "Name") {
			this.calls.push(node.callee);
		}
		this.visit(node.callee, frame);
		this.args(node.args, frame);
	}

	Filter(node, frame) {
		this.visit(node.value, frame);
		this.filter(node.filter, frame);
	}

	Test(node, frame) {
		this.visit(node.value, frame);
		this.args(node.args, frame);
		if (!isTest(node.name)) {
			this.unknown(new Problem("unknown_test", [node.name, nearest(node.name, testNames)], node.place), frame);
		}
	}
}

// Refuses the program, or returns {problems: of names that do not exist, refusal: the one of them for which Jinja2
// refuses the template, or null}. `globals`: names that every template can use.
export function checkProgram(program, globals) {
	const rules = new Rules(program);
	globals.forEach((name) => rules.known.add(name));
	rules.all(program.body, { inLoop: false, loops: 0, soft: false, isTop: true, within: false });
	const known = Array.from(rules.known);
	const functions = rules.calls.filter((callee) => !rules.known.has(callee.name));
	const uncalled = functions.map((callee) => new Problem("unknown_function", [callee.name, nearest(callee.name, known)], callee.place));
	return { problems: rules.problems.concat(uncalled), refusal: rules.refusal };
}
