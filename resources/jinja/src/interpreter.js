// Evaluates the tree of parser.js with Python's values and Jinja2's scopes, and adds places to errors. Output goes to a
// sink, so that a `break` keeps what the loop has written and the place of each message in the text is known.

import { callFilter, isFilter, unknownFilter } from "./filters.js";
import { getAttribute, getElement, getSlice } from "./members.js";
import * as operators from "./operators.js";
import { lastOf, Problem, raise } from "./problem.js";
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

export class Interpreter {
	// `watched`: the array whose elements' places in the output are wanted. `forced`: outcomes of conditions by their
	// places ("line:column"), whatever they evaluate to; if it is not null, `outcomes` notes those of all conditions.
	constructor(globals, watched = null, forced = null) {
		this.forced = forced;
		this.outcomes = new Set(); // "line:column:1"
		this.global = globals;
		this.sink = new Sink(OUTPUT_LIMIT);
		this.root = this.sink;
		this.watched = watched;
		this.parts = []; // {index, begin}
		this.depth = 0;
		this.autoescape = false;
		this.blocks = new Map();
		this.top = null; // the scope outside all blocks
		this.isFilter = isFilter;
		this.binary = operators.binary;
	}

	run(program) {
		this.top = new Scope(this.global);
		const self = new v.NamespaceValue(new Map());
		for (const block of program.blocks) {
			self.value.set(block.name, new v.FunctionValue(() => this.captured(() => this.evaluateBlock(block.body, new Scope(this.top)))));
		}
		this.global.setVariable("self", self);
		this.evaluateBlock(program.body, this.top);
		return this.root.text();
	}

	evaluate(node, scope) {
		try {
			return this[node.type](node, scope);
		} catch (error) {
			if (error instanceof Problem && error.place === null && node.place) {
				error.place = node.place;
			} else if (error instanceof RangeError && /call stack/i.test(error.message)) {
				throw new Problem("too_deep", [], node.place || null);
			}
			throw error;
		}
	}

	// Whether the condition of a node holds.
	holds(node, test, scope) {
		if (this.forced === null || !node.place) {
			return v.truth(this.evaluate(test, scope));
		}
		const place = `${node.place.line}:${node.place.column}`;
		const forced = this.forced.get(place);
		const holds = forced !== undefined ? forced : v.truth(this.evaluate(test, scope));
		this.outcomes.add(`${place}:${holds ? 1 : 0}`);
		return holds;
	}

	evaluateBlock(statements, scope) {
		for (const statement of statements) {
			this.evaluate(statement, scope);
		}
	}

	// What `write` writes; in an autoescape block it needs no escaping again.
	captured(write) {
		const outer = this.sink;
		this.sink = new Sink(OUTPUT_LIMIT);
		try {
			write();
			return this.safeText(this.sink.text());
		} finally {
			this.sink = outer;
		}
	}

	safeText(text) {
		return this.autoescape ? new v.MarkupValue(text) : v.str(text);
	}

	// A value that was evaluated before.
	Value(node) {
		return node.value;
	}

	// ---- literals ----

	Constant(node) {
		return node.value === null ? v.none : v.bool(node.value);
	}

	String(node) {
		return v.str(node.value);
	}

	Integer(node) {
		return /^0[box]/i.test(node.digits) ? v.integerOfRadix(node.digits) : v.integerOfDigits(node.digits);
	}

	Float(node) {
		return new v.FloatValue(node.value);
	}

	List(node, scope) {
		return v.list(node.values.map((each) => this.evaluate(each, scope)));
	}

	Tuple(node, scope) {
		return new v.TupleValue(node.values.map((each) => this.evaluate(each, scope)));
	}

	Dict(node, scope) {
		const object = new v.ObjectValue(new Map());
		for (const [key, value] of node.pairs) {
			v.setEntry(object, this.evaluate(key, scope), this.evaluate(value, scope));
		}
		return object;
	}

	Name(node, scope) {
		return scope.lookupVariable(node.name);
	}

	// ---- operators ----

	Binary(node, scope) {
		const { operator } = node;
		const left = this.evaluate(node.left, scope);
		if (operator === "and" || operator === "or") {
			const holds = this.forced === null ? v.truth(left) : this.holds(node, { type: "Value", value: left }, scope);
			return holds === (operator === "and") ? this.evaluate(node.right, scope) : left;
		}
		return operators.binary(operator, left, this.evaluate(node.right, scope));
	}

	// a < b < c: each value is evaluated once, and none behind the first comparison that does not hold.
	Comparison(node, scope) {
		let left = this.evaluate(node.first, scope);
		let result = null;
		for (const { operator, value } of node.rest) {
			const right = this.evaluate(value, scope);
			result = operators.binary(operator, left, right);
			if (!result.value) {
				break;
			}
			left = right;
		}
		return result;
	}

	Unary(node, scope) {
		return operators.unary(node.operator, this.evaluate(node.value, scope));
	}

	Concatenation(node, scope) {
		const values = node.values.map((each) => this.evaluate(each, scope));
		return operators.concatenate(values, this.autoescape);
	}

	Conditional(node, scope) {
		if (this.holds(node, node.test, scope)) {
			return this.evaluate(node.value, scope);
		}
		return node.otherwise !== null ? this.evaluate(node.otherwise, scope)
			: new v.Missing("the inline if-expression evaluated to false and no else section was defined.");
	}

	Attribute(node, scope) {
		return getAttribute(this.evaluate(node.object, scope), node.name);
	}

	Element(node, scope) {
		const object = this.evaluate(node.object, scope);
		if (node.index.type === "Slice") {
			return getSlice(object, node.index.bounds.map((bound) => (bound === null ? null : this.evaluate(bound, scope))));
		}
		return getElement(object, this.evaluate(node.index, scope));
	}

	// ---- calls, filters, tests ----

	// Positional arguments; the keywords, if any, are the last element.
	argumentsOf({ positional, keywords, list, mapping }, scope, more = null) {
		const args = positional.map((each) => this.evaluate(each, scope));
		const named = new Map();
		for (const { name, value } of keywords) {
			named.set(name, this.evaluate(value, scope));
		}
		if (list !== null) {
			args.push(...v.iterate(this.evaluate(list, scope)));
		}
		const add = (name, value) => {
			if (named.has(name)) {
				raise("TypeError", `got multiple values for keyword argument ${v.stringRepr(name)}`);
			}
			named.set(name, value);
		};
		if (mapping !== null) {
			const value = this.evaluate(mapping, scope);
			if (v.isUndefined(value)) v.failUndefined(value);
			if (!(value instanceof v.ObjectValue)) {
				raise("TypeError", `argument after ** must be a mapping, not ${v.typeName(value)}`);
			}
			for (const [key, each] of v.entries(value)) {
				if (!(key instanceof v.StringValue)) raise("TypeError", "keywords must be strings");
				add(key.value, each);
			}
		}
		if (more !== null) {
			add("caller", more);
		}
		if (named.size > 0) {
			args.push(new v.KeywordArgumentsValue(named));
		}
		return args;
	}

	Call(node, scope) {
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

	// Jinja2 looks the names of filters and tests up before it evaluates what they are applied to.
	Filter(node, scope) {
		if (!isFilter(node.filter.name)) {
			throw unknownFilter(node.filter.name);
		}
		return this.applyFilter(this.evaluate(node.value, scope), node.filter, scope);
	}

	applyFilter(value, { name, args, place }, scope) {
		try {
			return callFilter(name, value, this.argumentsOf(args, scope), this);
		} catch (error) {
			if (error instanceof Problem && error.place === null) {
				error.place = place;
			}
			throw error;
		}
	}

	Test(node, scope) {
		if (!isTest(node.name)) {
			throw new Problem("unknown_test", [node.name]);
		}
		const value = this.evaluate(node.value, scope);
		return v.bool(callTest(node.name, value, this.argumentsOf(node.args, scope), this));
	}

	// ---- statements ----

	Text(node) {
		this.sink.write(node.value);
	}

	Output(node, scope) {
		for (const each of node.values) {
			const value = this.evaluate(each, scope);
			this.sink.write(this.autoescape ? operators.escaped(value) : v.toText(value));
		}
	}

	If(node, scope) {
		this.evaluateBlock(this.holds(node, node.test, scope) ? node.body : node.alternate, scope);
	}

	Set(node, scope) {
		this.assign(node.target, this.evaluate(node.value, scope), scope);
	}

	SetBlock(node, scope) {
		const inner = new Scope(scope);
		let value = this.captured(() => this.evaluateBlock(node.body, inner));
		for (const filter of node.filters) {
			value = this.applyFilter(value, filter, inner);
		}
		this.assign(node.target, this.autoescape ? new v.MarkupValue(v.toText(value)) : value, scope);
	}

	FilterBlock(node, scope) {
		const inner = new Scope(scope);
		let value = this.captured(() => this.evaluateBlock(node.body, inner));
		for (const filter of node.filters) {
			value = this.applyFilter(value, filter, inner);
		}
		this.sink.write(this.autoescape ? operators.escaped(value) : v.toText(value));
	}

	With(node, scope) {
		const inner = new Scope(scope);
		const values = node.values.map((each) => this.evaluate(each, scope));
		node.targets.forEach((target, i) => this.assign(target, values[i], inner));
		this.evaluateBlock(node.body, inner);
	}

	Scope(node, scope) {
		this.evaluateBlock(node.body, new Scope(scope));
	}

	// A block sees the variables of the template, and those around it only if it is scoped.
	Block(node, scope) {
		if (node.required) {
			raise("TemplateRuntimeError", `Required block ${v.stringRepr(node.name)} not found`);
		}
		this.evaluateBlock(node.body, new Scope(node.scoped ? scope : this.top));
	}

	Autoescape(node, scope) {
		const before = this.autoescape;
		this.autoescape = v.truth(this.evaluate(node.on, scope));
		this.evaluateBlock(node.body, new Scope(scope));
		this.autoescape = before;
	}

	Loading(node) {
		throw new Problem("unsupported_tag", [node.name]);
	}

	Break() {
		throw new Leave(false);
	}

	Continue() {
		throw new Leave(true);
	}

	assign(target, value, scope) {
		if (target.type === "Name") {
			scope.setVariable(target.name, value);
		} else if (target.type === "Tuple") {
			const isIterable = value instanceof v.ArrayValue || value instanceof v.StringValue || value instanceof v.ObjectValue;
			if (!isIterable && !v.isUndefined(value)) {
				raise("TypeError", `cannot unpack non-iterable ${v.typeName(value)} object`);
			}
			const values = v.iterate(value);
			const expected = target.values.length;
			if (values.length > expected) {
				raise("ValueError", `too many values to unpack (expected ${expected})`);
			} else if (values.length < expected) {
				raise("ValueError", `not enough values to unpack (expected ${expected}, got ${values.length})`);
			}
			target.values.forEach((element, i) => this.assign(element, values[i], scope));
		} else {
			const object = scope.lookupVariable(target.name);
			if (!(object instanceof v.NamespaceValue) || object instanceof v.LoopValue) {
				raise("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
			}
			object.value.set(target.entry, value);
		}
	}

	For(node, scope) {
		this.loop(node, this.evaluate(node.iterable, scope), scope, 1);
	}

	loop(node, source, scope, depth) {
		let elements = v.iterate(source);
		if (node.test !== null) {
			elements = elements.filter((element) => {
				const inner = new Scope(scope);
				this.assign(node.target, element, inner);
				return v.truth(this.evaluate(node.test, inner));
			});
		}
		const recurse = node.recursive ? (inner) => this.captured(() => this.loop(node, inner, scope, depth + 1)) : null;
		const loop = new v.LoopValue(new Map(), recurse);
		let finished = false; // an iteration came to its end: as in Jinja2, else counts one that was left as none
		for (let i = 0; i < elements.length; ++i) {
			this.setLoop(loop.value, elements, i, depth);
			const inner = new Scope(scope);
			inner.setVariable("loop", loop);
			this.assign(node.target, elements[i], inner);
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
		if (!finished && node.otherwise !== null) {
			this.evaluateBlock(node.otherwise, new Scope(scope));
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

	Macro(node, scope) {
		scope.setVariable(node.name, this.makeMacro(node.name, node, scope));
	}

	// `node.special`: which of caller, varargs and kwargs its body reads (compile_rules.js).
	makeMacro(name, node, scope) {
		const autoescape = this.autoescape;
		const macro = new v.FunctionValue((args) => {
			const given = args.slice();
			const last = lastOf(given);
			let caller = new v.Missing("No caller defined");
			if (node.special.has("caller") && last instanceof v.KeywordArgumentsValue && last.value.has("caller")) {
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
			const outside = this.autoescape;
			this.autoescape = autoescape;
			try {
				this.bindParameters(name, node.parameters, node.special, given, inner);
				return this.captured(() => this.evaluateBlock(node.body, inner));
			} finally {
				this.autoescape = outside;
				--this.depth;
			}
		});
		macro.macro = { name, parameters: node.parameters.map((parameter) => parameter.name), special: node.special };
		return macro;
	}

	bindParameters(name, parameters, special, args, scope) {
		const positional = args.slice();
		const keywords = lastOf(positional) instanceof v.KeywordArgumentsValue ? new Map(positional.pop().value) : new Map();
		const shown = name === null ? "None" : v.stringRepr(name);
		parameters.forEach(({ name: parameter, fallback }, i) => {
			let value = positional[i];
			if (keywords.has(parameter)) {
				if (value !== undefined) {
					raise("TypeError", `macro ${shown} got multiple values for argument ${v.stringRepr(parameter)}`);
				}
				value = keywords.get(parameter);
				keywords.delete(parameter);
			}
			if (value === undefined) {
				value = fallback !== null ? this.evaluate(fallback, scope)
					: new v.Missing(`parameter ${v.stringRepr(parameter)} was not provided`);
			}
			scope.setVariable(parameter, value);
		});
		if (special.has("kwargs")) {
			scope.setVariable("kwargs", new v.ObjectValue(keywords));
		} else if (keywords.has("caller")) {
			raise("TypeError", `macro ${shown} was invoked with two values for the special caller argument. This is most likely a bug.`);
		} else if (keywords.size > 0) {
			raise("TypeError", `macro ${shown} takes no keyword argument ${v.stringRepr(keywords.keys().next().value)}`);
		}
		if (special.has("varargs")) {
			scope.setVariable("varargs", new v.TupleValue(positional.slice(parameters.length)));
		} else if (positional.length > parameters.length) {
			raise("TypeError", `macro ${shown} takes not more than ${parameters.length} argument(s)`);
		}
	}

	CallBlock(node, scope) {
		const caller = this.makeMacro(null, node, scope);
		const callee = this.evaluate(node.call.callee, scope);
		const value = this.call(callee, this.argumentsOf(node.call.args, scope, caller), scope);
		this.sink.write(this.autoescape ? operators.escaped(value) : v.toText(value));
	}
}
