// The interpreter of @huggingface/jinja with Python's values and Jinja2's scopes. It inherits what is alike (if, set of
// arguments, binding of macro arguments, conditional expressions) and adds places to errors. Output goes to a sink, so
// that a `break` keeps what the loop has written and the place of each message in the text is known.

import { Interpreter } from "@huggingface/jinja/src/runtime.ts";
import { callFilter, isFilter, unknownFilter } from "./filters.js";
import { getAttribute, getElement, getSlice } from "./members.js";
import * as operators from "./operators.js";
import { Problem, raise } from "./problem.js";
import { NOT_TEST, SCOPE, TEST } from "./tags.js";
import { callTest, isTest } from "./tests.js";
import * as v from "./values.js";

const OUTPUT_LIMIT = 1 << 24; // UTF-16 units
const DEPTH_LIMIT = 120; // nested calls of macros

class Leave extends Error {
	constructor(goesOn) {
		super("loop control");
		this.goesOn = goesOn;
	}
}

export class Scope {
	constructor(parent = null) {
		this.variables = new Map();
		this.parent = parent;
	}
	setVariable(name, value) {
		this.variables.set(name, value);
	}
	lookupVariable(name) {
		for (let scope = this; scope !== null; scope = scope.parent) {
			const found = scope.variables.get(name);
			if (found !== undefined) {
				return found;
			}
		}
		return new v.Missing(`'${name}' is undefined`);
	}
}

class Sink {
	constructor(budget) {
		this.parts = [];
		this.length = 0;
		this.budget = budget;
	}
	write(text) {
		this.parts.push(text);
		this.length += text.length;
		if (this.length > this.budget) {
			throw new Problem("output_too_long", []);
		}
	}
	text() {
		return this.parts.join("");
	}
}

export class PythonInterpreter extends Interpreter {
	// `watched`: the array whose elements' places in the output are wanted.
	constructor(globals, watched = null) {
		super(globals);
		this.sink = new Sink(OUTPUT_LIMIT);
		this.root = this.sink;
		this.watched = watched;
		this.parts = []; // {index, begin}
		this.depth = 0;
		this.isFilter = isFilter;
		this.binary = operators.binary;
	}

	run(program) {
		this.evaluateBlock(program.body, new Scope(this.global));
		return this.root.text();
	}

	evaluate(node, scope) {
		try {
			return this.evaluateNode(node, scope);
		} catch (error) {
			if (error instanceof Problem && error.place === null && node && node.place) {
				error.place = node.place;
			} else if (error instanceof RangeError && /call stack/i.test(error.message)) {
				throw new Problem("too_deep", [], (node && node.place) || null);
			}
			throw error;
		}
	}

	evaluateNode(node, scope) {
		switch (node.type) {
			case "Break":
				throw new Leave(false);
			case "Continue":
				throw new Leave(true);
			case "Comment":
				return undefined;
			case "IntegerLiteral":
				return node.digits ? v.integerOfDigits(node.digits) : v.integer(node.value);
			case "Identifier":
				return scope.lookupVariable(node.value);
			case "ObjectLiteral": {
				const object = new v.ObjectValue(new Map());
				for (const [key, value] of node.value) {
					v.setEntry(object, this.evaluate(key, scope), this.evaluate(value, scope));
				}
				return object;
			}
			default:
				return super.evaluate(node, scope);
		}
	}

	evaluateBlock(statements, scope) {
		for (const statement of statements) {
			const value = this.evaluate(statement, scope);
			if (value !== undefined) {
				this.sink.write(value instanceof v.StringValue ? value.value : v.toText(value));
			}
		}
		return undefined;
	}

	// What `write` writes.
	captured(write) {
		const outer = this.sink;
		this.sink = new Sink(OUTPUT_LIMIT);
		try {
			write();
			return v.str(this.sink.text());
		} finally {
			this.sink = outer;
		}
	}

	evaluateBinaryExpression(node, scope) {
		const operator = node.operator.value;
		if (operator === "and" || operator === "or") {
			const left = this.evaluate(node.left, scope);
			return v.truth(left) === (operator === "and") ? this.evaluate(node.right, scope) : left;
		}
		if (operators.isComparison(operator)) {
			return this.comparison(node, scope).result;
		}
		const left = this.evaluate(node.left, scope);
		return operators.binary(operator, left, this.evaluate(node.right, scope));
	}

	// a < b < c: the parser nests to the left; operators of one chain have the same depth of brackets.
	comparison(node, scope) {
		const before = node.left;
		const chained =
			before.type === "BinaryExpression" && operators.isComparison(before.operator.value) &&
			before.operator.depth !== undefined && before.operator.depth === node.operator.depth;
		let left;
		if (chained) {
			const first = this.comparison(before, scope);
			if (!first.result.value) {
				return first;
			}
			left = first.right;
		} else {
			left = this.evaluate(before, scope);
		}
		const right = this.evaluate(node.right, scope);
		return { result: operators.binary(node.operator.value, left, right), right };
	}

	evaluateUnaryExpression(node, scope) {
		return operators.unary(node.operator.value, this.evaluate(node.argument, scope));
	}

	evaluateSelectExpression(node, scope) {
		return v.truth(this.evaluate(node.test, scope)) ? this.evaluate(node.lhs, scope)
			: new v.Missing("the inline if-expression evaluated to false and no else section was defined.");
	}

	evaluateMemberExpression(node, scope) {
		const object = this.evaluate(node.object, scope);
		if (!node.computed) {
			return node.property.type === "Identifier" ? getAttribute(object, node.property.value)
				: getElement(object, v.integer(node.property.value));
		}
		if (node.property.type === "SliceExpression") {
			const { start, stop, step } = node.property;
			return getSlice(object, [start, stop, step].map((bound) => (bound ? this.evaluate(bound, scope) : null)));
		}
		return getElement(object, this.evaluate(node.property, scope));
	}

	// ---- calls, filters, tests ----

	argumentsOf(nodes, scope) {
		const [args, keywords] = this.evaluateArguments(nodes, scope);
		if (keywords.size > 0) {
			args.push(new v.KeywordArgumentsValue(keywords));
		}
		return args;
	}

	evaluateCallExpression(node, scope) {
		const callee = this.evaluate(node.callee, scope);
		return this.call(callee, this.argumentsOf(node.args, scope), scope);
	}

	call(callee, args, scope) {
		if (callee instanceof v.FunctionValue) {
			return callee.value(args, scope);
		}
		if (v.isUndefined(callee)) v.failUndefined(callee);
		if (callee instanceof v.LoopValue) {
			if (callee.recurse === null) {
				raise("TypeError", "The loop must have the 'recursive' marker to be called recursively.");
			}
			return callee.recurse(v.bind("loop", args, ["iterable"])[0]);
		}
		return raise("TypeError", `'${v.typeName(callee)}' object is not callable`);
	}

	applyFilter(value, node, scope) {
		const isCall = node.type === "CallExpression";
		const name = (isCall ? node.callee : node).value;
		const args = isCall ? this.argumentsOf(node.args, scope) : [];
		if (name.startsWith(NOT_TEST)) {
			return v.bool(!callTest(name.slice(NOT_TEST.length), value, args, this));
		}
		return name.startsWith(TEST) ? v.bool(callTest(name.slice(TEST.length), value, args, this))
			: callFilter(name, value, args, this);
	}

	// Jinja2 looks the names of filters and tests up before it evaluates what they are applied to.
	evaluateFilterExpression(node, scope) {
		const name = (node.filter.type === "CallExpression" ? node.filter.callee : node.filter).value;
		const test = name.startsWith(NOT_TEST) ? name.slice(NOT_TEST.length) : name.startsWith(TEST) ? name.slice(TEST.length) : null;
		if (test === null ? !isFilter(name) : !isTest(test)) {
			throw test === null ? unknownFilter(name) : new Problem("unknown_test", [test]);
		}
		return this.applyFilter(this.evaluate(node.operand, scope), node.filter, scope);
	}

	evaluateFilterStatement(node, scope) {
		if (node.filter.value === SCOPE) {
			this.evaluateBlock(node.body, new Scope(scope));
			return undefined;
		}
		const text = this.captured(() => this.evaluateBlock(node.body, new Scope(scope)));
		return this.applyFilter(text, node.filter, scope);
	}

	// ---- statements ----

	evaluateIf(node, scope) {
		const chosen = v.truth(this.evaluate(node.test, scope)) ? node.body : node.alternate;
		return this.evaluateBlock(chosen, scope);
	}

	evaluateSet(node, scope) {
		if (node.value !== null) {
			this.assign(node.assignee, this.evaluate(node.value, scope), scope);
			return undefined;
		}
		let target = node.assignee;
		const filters = []; // {% set x | trim %}…{% endset %}
		for (; target.type === "FilterExpression"; target = target.operand) {
			filters.unshift(target.filter);
		}
		let value = this.captured(() => this.evaluateBlock(node.body, new Scope(scope)));
		for (const filter of filters) {
			value = this.applyFilter(value, filter, scope);
		}
		this.assign(target, value, scope);
		return undefined;
	}

	assign(target, value, scope) {
		if (target.type === "Identifier") {
			scope.setVariable(target.value, value);
		} else if (target.type === "TupleLiteral") {
			const isIterable = value instanceof v.ArrayValue || value instanceof v.StringValue || value instanceof v.ObjectValue;
			if (!isIterable && !v.isUndefined(value)) {
				raise("TypeError", `cannot unpack non-iterable ${v.typeName(value)} object`);
			}
			const values = v.iterate(value);
			const expected = target.value.length;
			if (values.length > expected) {
				raise("ValueError", `too many values to unpack (expected ${expected})`);
			} else if (values.length < expected) {
				raise("ValueError", `not enough values to unpack (expected ${expected}, got ${values.length})`);
			}
			target.value.forEach((element, i) => this.assign(element, values[i], scope));
		} else if (target.type === "MemberExpression" && !target.computed && target.property.type === "Identifier") {
			const object = this.evaluate(target.object, scope);
			if (!(object instanceof v.NamespaceValue) || object instanceof v.LoopValue) {
				raise("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
			}
			object.value.set(target.property.value, value);
		} else {
			throw new Problem("bad_target", [], target.place || null);
		}
	}

	evaluateFor(node, scope) {
		const select = node.iterable.type === "SelectExpression" ? node.iterable : null;
		const source = this.evaluate(select === null ? node.iterable : select.lhs, scope);
		this.loop(node, select === null ? null : select.test, source, scope, 1);
		return undefined;
	}

	loop(node, test, source, scope, depth) {
		let elements = v.iterate(source);
		if (test !== null) {
			elements = elements.filter((element) => {
				const inner = new Scope(scope);
				this.assign(node.loopvar, element, inner);
				return v.truth(this.evaluate(test, inner));
			});
		}
		const recurse = node.recursive
			? (inner) => this.captured(() => this.loop(node, test, inner, scope, depth + 1))
			: null;
		const loop = new v.LoopValue(new Map(), recurse);
		let finished = false; // an iteration came to its end: as in Jinja2, else counts one that was left as none
		for (let i = 0; i < elements.length; ++i) {
			this.setLoop(loop.value, elements, i, depth);
			const inner = new Scope(scope);
			inner.setVariable("loop", loop);
			this.assign(node.loopvar, elements[i], inner);
			this.note(elements[i]);
			try {
				this.evaluateBlock(node.body, inner);
				finished = true;
			} catch (error) {
				if (!(error instanceof Leave)) {
					throw error;
				}
				if (!error.goesOn) {
					break;
				}
			}
		}
		if (!finished) {
			this.evaluateBlock(node.defaultBlock, new Scope(scope));
		}
	}

	setLoop(loop, elements, i, depth) {
		const size = elements.length;
		loop.set("index", v.integer(i + 1));
		loop.set("index0", v.integer(i));
		loop.set("revindex", v.integer(size - i));
		loop.set("revindex0", v.integer(size - i - 1));
		loop.set("first", v.bool(i === 0));
		loop.set("last", v.bool(i === size - 1));
		loop.set("length", v.integer(size));
		loop.set("depth", v.integer(depth));
		loop.set("depth0", v.integer(depth - 1));
		loop.set("previtem", i > 0 ? elements[i - 1] : new v.Missing("there is no previous item"));
		loop.set("nextitem", i + 1 < size ? elements[i + 1] : new v.Missing("there is no next item"));
	}

	// Remembers where the output stands when a loop comes to an element of `watched`.
	note(element) {
		if (this.watched === null || this.sink !== this.root) {
			return;
		}
		const index = this.watched.indexOf(element);
		if (index >= 0) {
			this.parts.push({ index, begin: this.root.length });
		}
	}

	// ---- macros ----

	evaluateMacro(node, scope) {
		const special = this.specialArguments(node.args, node.body);
		const macro = this.makeMacro(node.name.value, node.args, special, node.body, scope);
		macro.macroName = node.name.value;
		scope.setVariable(node.name.value, macro);
		return undefined;
	}

	makeMacro(name, parameters, special, body, scope) {
		return new v.FunctionValue((args) => {
			const given = args.slice();
			const last = given[given.length - 1];
			let caller = new v.Missing("No caller defined");
			if (last instanceof v.KeywordArgumentsValue && last.value.has("caller")) {
				const rest = new Map(last.value);
				caller = rest.get("caller");
				rest.delete("caller");
				given[given.length - 1] = new v.KeywordArgumentsValue(rest);
			}
			if (++this.depth > DEPTH_LIMIT) {
				throw new Problem("too_deep", []);
			}
			const inner = new Scope(scope);
			inner.setVariable("caller", caller);
			try {
				this.bindParameters(name, parameters, special, given, inner);
				return this.captured(() => this.evaluateBlock(body, inner));
			} finally {
				--this.depth;
			}
		});
	}

	bindParameters(name, parameters, special, args, scope) {
		const positional = args.slice();
		const keywords = positional[positional.length - 1] instanceof v.KeywordArgumentsValue
			? new Map(positional.pop().value) : new Map();
		const shown = name === null ? "None" : v.stringRepr(name);
		for (let i = 0; i < parameters.length; ++i) {
			const isDefault = parameters[i].type !== "Identifier";
			const parameter = isDefault ? parameters[i].key.value : parameters[i].value;
			let value = positional[i];
			if (keywords.has(parameter)) {
				if (value !== undefined) {
					raise("TypeError", `macro ${shown} got multiple values for argument '${parameter}'`);
				}
				value = keywords.get(parameter);
				keywords.delete(parameter);
			}
			if (value === undefined) {
				value = isDefault ? this.evaluate(parameters[i].value, scope)
					: new v.Missing(`parameter '${parameter}' was not provided`);
			}
			scope.setVariable(parameter, value);
		}
		if (special.has("kwargs")) {
			scope.setVariable("kwargs", new v.ObjectValue(keywords));
		} else if (keywords.size > 0) {
			raise("TypeError", `macro ${shown} takes no keyword argument ${v.stringRepr(keywords.keys().next().value)}`);
		}
		if (special.has("varargs")) {
			scope.setVariable("varargs", new v.TupleValue(positional.slice(parameters.length)));
		} else if (positional.length > parameters.length) {
			raise("TypeError", `macro ${shown} takes not more than ${parameters.length} argument(s)`);
		}
	}

	// Whether a macro's body speaks of `varargs` or `kwargs`: only then it takes more than it declares.
	specialArguments(parameters, body) {
		const found = new Set();
		const visit = (node) => {
			if (Array.isArray(node)) {
				node.forEach(visit);
			} else if (node instanceof Map) {
				node.forEach((value, key) => {
					visit(key);
					visit(value);
				});
			} else if (node !== null && typeof node === "object" && typeof node.type === "string") {
				if (node.type === "Identifier" && (node.value === "kwargs" || node.value === "varargs")) {
					found.add(node.value);
				}
				for (const name of Object.keys(node)) {
					if (name !== "place" && name !== "operator") {
						visit(node[name]);
					}
				}
			}
		};
		visit(body);
		return found;
	}

	evaluateCallStatement(node, scope) {
		const parameters = node.callerArgs || [];
		const caller = this.makeMacro(null, parameters, this.specialArguments(parameters, node.body), node.body, scope);
		const callee = this.evaluate(node.call.callee, scope);
		const [args, keywords] = this.evaluateArguments(node.call.args, scope);
		keywords.set("caller", caller);
		args.push(new v.KeywordArgumentsValue(keywords));
		return this.call(callee, args, scope);
	}
}
