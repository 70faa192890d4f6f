// Jinja2's grammar: tokens in, a tree for the interpreter out. It accepts what Jinja2 accepts and refuses what Jinja2
// refuses, also where words that are operators elsewhere stand for names ("{{ if }}" prints a variable). What Jinja2's
// compiler refuses after parsing is in compile_rules.js.
//
// A node is a plain object: {type, place, …}. `place` is where a message about the node points.

import { lastOf, nearest, Problem } from "./problem.js";
import { runawayString } from "./lexer.js";

// What each tag that opens a block is closed by.
const BLOCKS = {
	if: "endif",
	for: "endfor",
	macro: "endmacro",
	call: "endcall",
	filter: "endfilter",
	set: "endset",
	with: "endwith",
	block: "endblock",
	autoescape: "endautoescape",
	generation: "endgeneration",
};
const ENDS = Object.keys(BLOCKS).map((name) => BLOCKS[name]);
const KNOWN_TAGS = Object.keys(BLOCKS).concat(ENDS, [
	"break", "continue", "elif", "else", "extends", "from", "import", "include", "print", "raw", "endraw",
]);
const CONSTANTS = { true: true, True: true, false: false, False: false, none: null, None: null };
const COMPARISONS = ["==", "!=", "<", "<=", ">", ">="];
const DEEPEST = 400; // nested expressions and blocks

function isConstant(name) {
	return Object.prototype.hasOwnProperty.call(CONSTANTS, name);
}

class Parser {
	constructor(tokens) {
		this.tokens = tokens;
		this.at = 0;
		this.open = []; // {name, place, ends} of the blocks around
		this.depth = 0;
	}

	// ---- tokens ----

	get token() {
		return this.tokens[this.at];
	}

	is(type, value) {
		const token = this.tokens[this.at];
		return token !== undefined && token.type === type && (value === undefined || token.value === value);
	}

	isName(value) {
		return this.is("name", value);
	}

	isNext(type, value) {
		const token = this.tokens[this.at + 1];
		return token !== undefined && token.type === type && (value === undefined || token.value === value);
	}

	skip(type, value) {
		if (!this.is(type, value)) {
			return false;
		}
		++this.at;
		return true;
	}

	expect(type, value) {
		if (!this.is(type, value)) {
			this.fail();
		}
		return this.tokens[this.at++];
	}

	// The token at hand does not fit.
	fail(token = this.token) {
		const failing = token || lastOf(this.tokens);
		const runaway = runawayString(this.tokens, this.tokens.indexOf(failing));
		if (runaway !== null) {
			throw runaway;
		}
		if (failing.type === "end") {
			throw new Problem("unexpected_end_of_tag", [failing.text], failing.place);
		}
		throw new Problem(failing.text === "=" ? "single_equals" : "unexpected_token", [failing.text], failing.place);
	}

	refuseTarget(node, token) {
		throw new Problem("bad_target", [], (token || node).place);
	}

	nested(parse) {
		if (++this.depth > DEEPEST) {
			throw new Problem("too_deep", [], this.token ? this.token.place : null);
		}
		const result = parse();
		--this.depth;
		return result;
	}

	// ---- text and tags ----

	template() {
		const body = this.statements(null);
		return { type: "Program", body };
	}

	// Up to one of the tags `ends`, whose name is the token at hand then; to the end of the template if null.
	statements(ends) {
		const body = [];
		while (this.at < this.tokens.length) {
			const token = this.tokens[this.at++];
			if (token.type === "text") {
				body.push({ type: "Text", place: token.place, value: token.value });
			} else if (token.type === "begin" && token.value === "{{") {
				const value = this.tuple();
				this.expect("end");
				body.push({ type: "Output", place: value.place, values: [value] });
			} else {
				if (!this.is("name")) {
					throw new Problem("missing_tag_name", [], this.token.place);
				}
				if (ends !== null && ends.includes(this.token.value)) {
					return body;
				}
				body.push(this.nested(() => this.statement()));
				this.expect("end");
			}
		}
		if (ends !== null) {
			const last = lastOf(this.open);
			throw new Problem("unclosed_block", [last.name], last.place);
		}
		return body;
	}

	statement() {
		const token = this.tokens[this.at++];
		const name = token.value;
		switch (name) {
			case "if":
				return this.block(token, () => this.ifStatement(token));
			case "for":
				return this.block(token, () => this.forStatement(token));
			case "set":
				return this.setStatement(token);
			case "macro":
				return this.block(token, () => this.macro(token));
			case "call":
				return this.block(token, () => this.callBlock(token));
			case "filter":
				return this.block(token, () => {
					const filters = [this.filterCall(this.expect("name"))];
					while (this.skip("operator", "|")) {
						filters.push(this.filterCall(this.expect("name")));
					}
					return { type: "FilterBlock", place: token.place, filters, body: this.body(["endfilter"]) };
				});
			case "with":
				return this.block(token, () => this.withBlock(token));
			case "block":
				return this.block(token, () => this.namedBlock(token));
			case "autoescape":
				return this.block(token, () => {
					const on = this.expression();
					return { type: "Autoescape", place: token.place, on, body: this.body(["endautoescape"]) };
				});
			case "generation":
				return this.block(token, () => ({ type: "Scope", place: token.place, isFunction: true, body: this.body(["endgeneration"]) }));
			case "break":
			case "continue":
				return { type: name === "break" ? "Break" : "Continue", place: token.place, name };
			case "print":
				return this.print(token);
			case "include":
			case "import":
			case "from":
			case "extends":
				return this.loading(token);
			default:
				return this.strayTag(token);
		}
	}

	strayTag(token) {
		const name = token.value;
		const top = lastOf(this.open);
		if (ENDS.includes(name)) {
			if (top === undefined) {
				throw new Problem("stray_end", [name], token.place);
			}
			throw new Problem("wrong_end", [name, BLOCKS[top.name], top.name, top.place.line], token.place);
		}
		if (name === "else" || name === "elif") {
			throw new Problem("stray_tag", [name], token.place);
		}
		throw new Problem("unknown_tag", [name, nearest(name, KNOWN_TAGS)], token.place);
	}

	block(token, parse) {
		this.open.push({ name: token.value, place: token.place });
		const node = parse();
		this.open.pop();
		return node;
	}

	// Of the tag at hand, the end; then a body, and the name of the tag that ends it. Python's colon may end a tag.
	bodyUpTo(ends) {
		this.skip("operator", ":");
		this.expect("end");
		const body = this.statements(ends);
		return [body, this.tokens[this.at++].value];
	}

	body(ends) {
		return this.bodyUpTo(ends)[0];
	}

	ifStatement(token) {
		const test = this.tuple({ conditional: false });
		const [body, end] = this.bodyUpTo(["elif", "else", "endif"]);
		let alternate = [];
		if (end === "elif") {
			alternate = [this.ifStatement(this.tokens[this.at - 1])];
		} else if (end === "else") {
			alternate = this.body(["endif"]);
		}
		return { type: "If", place: token.place, test, body, alternate };
	}

	forStatement(token) {
		const target = this.target();
		this.expect("name", "in");
		const iterable = this.tuple({ conditional: false });
		const test = this.skip("name", "if") ? this.expression() : null;
		const recursive = this.skip("name", "recursive");
		const [body, end] = this.bodyUpTo(["endfor", "else"]);
		const otherwise = end === "else" ? this.body(["endfor"]) : null;
		return { type: "For", place: iterable.place || token.place, target, iterable, test, recursive, body, otherwise };
	}

	setStatement(token) {
		const target = this.target({ namespaces: true });
		if (this.skip("operator", "=")) {
			return { type: "Set", place: target.place, target, value: this.tuple() };
		}
		const filters = [];
		while (this.skip("operator", "|")) {
			filters.push(this.filterCall(this.expect("name")));
		}
		return this.block(token, () => ({ type: "SetBlock", place: target.place, target, filters, body: this.body(["endset"]) }));
	}

	parameters() {
		const parameters = [];
		this.expect("operator", "(");
		while (!this.is("operator", ")")) {
			if (parameters.length > 0) {
				this.expect("operator", ",");
			}
			const name = this.nameTarget();
			const fallback = this.skip("operator", "=") ? this.expression() : null;
			const before = lastOf(parameters);
			if (fallback === null && before !== undefined && before.fallback !== null) {
				throw new Problem("unexpected_token", [name.name], name.place);
			}
			parameters.push({ name: name.name, place: name.place, fallback });
		}
		this.expect("operator", ")");
		return parameters;
	}

	macro(token) {
		const { name, place } = this.nameTarget();
		const parameters = this.parameters();
		return { type: "Macro", place: place || token.place, name, parameters, body: this.body(["endmacro"]) };
	}

	callBlock(token) {
		const parameters = this.is("operator", "(") ? this.parameters() : [];
		const first = this.token;
		const call = this.expression();
		if (call.type !== "Call") {
			this.fail(first);
		}
		return { type: "CallBlock", place: call.place || token.place, parameters, call, body: this.body(["endcall"]) };
	}

	withBlock(token) {
		const targets = [];
		const values = [];
		while (!this.is("end")) {
			if (targets.length > 0) {
				this.expect("operator", ",");
			}
			targets.push(this.target());
			this.expect("operator", "=");
			values.push(this.expression());
		}
		return { type: "With", place: token.place, targets, values, body: this.body(["endwith"]) };
	}

	namedBlock(token) {
		const name = this.expect("name");
		const scoped = this.skip("name", "scoped");
		const required = this.skip("name", "required");
		if (this.is("operator", "-")) {
			this.fail();
		}
		const body = this.body(["endblock"]);
		if (required && body.some((node) => node.type !== "Text" || node.value.trim() !== "")) {
			throw new Problem("unexpected_token", [name.value], name.place);
		}
		this.skip("name", name.value);
		return { type: "Block", place: name.place || token.place, name: name.value, scoped, required, body };
	}

	print(token) {
		const values = [];
		while (!this.is("end")) {
			if (values.length > 0) {
				this.expect("operator", ",");
			}
			values.push(this.expression());
		}
		return { type: "Output", place: token.place, values };
	}

	// Tags that load other templates; there are none, as for transformers.
	loading(token) {
		const name = token.value;
		const node = { type: "Loading", place: token.place, name, template: this.expression(), names: [] };
		if (name === "include") {
			if (this.isName("ignore") && this.isNext("name", "missing")) {
				this.at += 2;
			}
			this.importContext();
		} else if (name === "import") {
			this.expect("name", "as");
			node.names.push(this.nameTarget());
			this.importContext();
		} else if (name === "from") {
			this.expect("name", "import");
			this.importedNames(node);
		}
		return node;
	}

	importContext() {
		if ((this.isName("with") || this.isName("without")) && this.isNext("name", "context")) {
			this.at += 2;
			return true;
		}
		return false;
	}

	importedNames(node) {
		for (;;) {
			if (node.names.length > 0) {
				this.expect("operator", ",");
			}
			if (!this.is("name")) {
				this.fail();
			}
			if (this.importContext()) {
				return;
			}
			const imported = this.nameTarget();
			if (imported.name.startsWith("_")) {
				throw new Problem("unexpected_token", [imported.name], imported.place);
			}
			node.names.push(this.skip("name", "as") ? this.nameTarget() : imported);
			if (this.importContext() || !this.is("operator", ",")) {
				return;
			}
		}
	}

	// ---- targets of assignments ----

	nameTarget() {
		const token = this.expect("name");
		if (isConstant(token.value)) {
			this.refuseTarget(null, token);
		}
		return { type: "Name", place: token.place, name: token.value };
	}

	target({ namespaces = false } = {}) {
		if (namespaces && this.isNext("operator", ".")) {
			const object = this.expect("name");
			++this.at;
			return { type: "NamespaceEntry", place: object.place, name: object.value, entry: this.expect("name").value };
		}
		const node = this.tuple({ simple: true });
		this.checkTarget(node);
		return node;
	}

	checkTarget(node) {
		if (node.type === "Tuple") {
			node.values.forEach((each) => this.checkTarget(each));
		} else if (node.type !== "Name") {
			this.refuseTarget(node);
		}
	}

	// ---- expressions, from the loosest binding to the tightest ----

	// `simple`: of names and literals; `conditional`: with "a if b"; `bracketed`: may be empty. Jinja2 means to
	// let a comma stand before the "in" of a loop, too, but does not.
	tuple({ simple = false, conditional = true, bracketed = false } = {}) {
		const values = [];
		let isTuple = false;
		const first = this.token;
		for (;;) {
			if (values.length > 0) {
				this.expect("operator", ",");
			}
			if (this.is("end") || this.is("operator", ")")) {
				break;
			}
			values.push(simple ? this.primary() : this.expression(conditional));
			if (!this.is("operator", ",")) {
				break;
			}
			isTuple = true;
		}
		if (!isTuple && values.length > 0) {
			return values[0];
		}
		if (!isTuple && !bracketed) {
			this.fail();
		}
		return { type: "Tuple", place: values.length > 0 ? values[0].place : first.place, values };
	}

	expression(conditional = true) {
		return this.nested(() => (conditional ? this.conditional() : this.or()));
	}

	conditional() {
		let node = this.or();
		while (this.is("name", "if")) {
			const place = this.tokens[this.at++].place;
			const test = this.or();
			const otherwise = this.skip("name", "else") ? this.nested(() => this.conditional()) : null;
			node = { type: "Conditional", place, test, value: node, otherwise };
		}
		return node;
	}

	or() {
		return this.chain(() => this.and(), () => this.is("name", "or"));
	}

	and() {
		return this.chain(() => this.not(), () => this.is("name", "and"));
	}

	not() {
		if (this.is("name", "not")) {
			const place = this.tokens[this.at++].place;
			return { type: "Unary", place, operator: "not", value: this.nested(() => this.not()) };
		}
		return this.comparison();
	}

	comparison() {
		const first = this.sum();
		const rest = [];
		for (;;) {
			const token = this.token;
			let operator = null;
			if (token.type === "operator" && COMPARISONS.includes(token.value)) {
				operator = token.value;
				++this.at;
			} else if (this.skip("name", "in")) {
				operator = "in";
			} else if (this.is("name", "not") && this.isNext("name", "in")) {
				operator = "not in";
				this.at += 2;
			} else {
				return rest.length === 0 ? first : { type: "Comparison", place: rest[0].place, first, rest };
			}
			rest.push({ operator, place: token.place, value: this.sum() });
		}
	}

	// Operators of one rank, which bind to the left.
	chain(parse, isOperator) {
		let node = parse();
		while (isOperator()) {
			const token = this.tokens[this.at++];
			node = { type: "Binary", place: token.place, operator: token.value, left: node, right: parse() };
		}
		return node;
	}

	isOneOf(...operators) {
		return this.token.type === "operator" && operators.includes(this.token.value);
	}

	sum() {
		return this.chain(() => this.concatenation(), () => this.isOneOf("+", "-"));
	}

	concatenation() {
		const first = this.product();
		if (!this.is("operator", "~")) {
			return first;
		}
		const place = this.token.place;
		const values = [first];
		while (this.skip("operator", "~")) {
			values.push(this.product());
		}
		return { type: "Concatenation", place, values };
	}

	product() {
		return this.chain(() => this.power(), () => this.isOneOf("*", "/", "//", "%"));
	}

	power() {
		return this.chain(() => this.unary(true), () => this.isOneOf("**"));
	}

	unary(withFilters) {
		let node;
		if (this.isOneOf("-", "+")) {
			const token = this.tokens[this.at++];
			const value = this.nested(() => this.unary(false));
			node = { type: "Unary", place: token.place, operator: token.value, value };
		} else {
			node = this.primary();
		}
		node = this.postfix(node);
		return withFilters ? this.filtered(node) : node;
	}

	primary() {
		const token = this.token;
		const place = token.place;
		++this.at;
		switch (token.type) {
			case "name":
				return isConstant(token.value) ? { type: "Constant", place, value: CONSTANTS[token.value] }
					: { type: "Name", place, name: token.value };
			case "string": {
				let value = token.value;
				while (this.is("string")) {
					value += this.tokens[this.at++].value;
				}
				return { type: "String", place, value };
			}
			case "integer":
				return { type: "Integer", place, digits: token.value };
			case "float":
				return { type: "Float", place, value: Number(token.value) };
			default:
		}
		if (token.type === "operator" && token.value === "(") {
			const node = this.tuple({ bracketed: true });
			this.expect("operator", ")");
			return node;
		}
		if (token.type === "operator" && token.value === "[") {
			return { type: "List", place, values: this.elements("]", () => this.expression()) };
		}
		if (token.type === "operator" && token.value === "{") {
			const pair = () => {
				const key = this.expression();
				this.expect("operator", ":");
				return [key, this.expression()];
			};
			return { type: "Dict", place, pairs: this.elements("}", pair) };
		}
		--this.at;
		return this.fail();
	}

	// Of a list or dictionary, up to the bracket `end`; a comma may precede it.
	elements(end, parse) {
		const all = [];
		while (!this.is("operator", end)) {
			if (all.length > 0) {
				this.expect("operator", ",");
				if (this.is("operator", end)) {
					break;
				}
			}
			all.push(parse());
		}
		++this.at;
		return all;
	}

	postfix(node) {
		for (;;) {
			if (this.is("operator", ".") || this.is("operator", "[")) {
				node = this.subscript(node);
			} else if (this.is("operator", "(")) {
				node = this.call(node);
			} else {
				return node;
			}
		}
	}

	filtered(node) {
		for (;;) {
			if (this.skip("operator", "|")) {
				const filter = this.filterCall(this.expect("name"));
				node = { type: "Filter", place: filter.place, filter, value: node };
			} else if (this.is("name", "is")) {
				node = this.test(node);
			} else if (this.is("operator", "(")) {
				node = this.call(node);
			} else {
				return node;
			}
		}
	}

	subscript(object) {
		const token = this.tokens[this.at++];
		if (token.value === ".") {
			const member = this.token;
			++this.at;
			if (member.type === "name") {
				return { type: "Attribute", place: member.place, object, name: member.value };
			}
			if (member.type !== "integer") {
				--this.at;
				this.fail();
			}
			const index = { type: "Integer", place: member.place, digits: member.value };
			return { type: "Element", place: member.place, object, index };
		}
		const indexes = [];
		while (!this.is("operator", "]")) {
			if (indexes.length > 0) {
				this.expect("operator", ",");
			}
			indexes.push(this.index());
		}
		++this.at;
		const slice = indexes.find((index) => index.type === "Slice");
		if (slice !== undefined && indexes.length > 1) {
			throw new Problem("unexpected_token", [","], slice.place); // Python has no tuple of slices
		}
		const index = indexes.length === 1 ? indexes[0] : { type: "Tuple", place: token.place, values: indexes };
		return { type: "Element", place: index.place || token.place, object, index };
	}

	index() {
		const place = this.token.place;
		const isEnd = () => this.isOneOf("]", ",");
		const bounds = [];
		if (!this.is("operator", ":")) {
			bounds.push(this.expression());
			if (!this.is("operator", ":")) {
				return bounds[0];
			}
		} else {
			bounds.push(null);
		}
		++this.at;
		bounds.push(this.is("operator", ":") || isEnd() ? null : this.expression());
		bounds.push(this.skip("operator", ":") && !isEnd() ? this.expression() : null);
		return { type: "Slice", place, bounds };
	}

	call(callee) {
		const place = callee.place || this.token.place;
		return { type: "Call", place, callee, args: this.args() };
	}

	// {positional, keywords: [{name, place, value}], list, mapping}: f(1, a=2, *list, **mapping)
	args() {
		const args = { positional: [], keywords: [], list: null, mapping: null };
		const opening = this.expect("operator", "(");
		const ensure = (holds, token) => {
			if (!holds) {
				this.fail(token || opening);
			}
		};
		for (let isFirst = true; !this.is("operator", ")"); isFirst = false) {
			if (!isFirst) {
				this.expect("operator", ",");
				if (this.is("operator", ")")) {
					break;
				}
			}
			const token = this.token;
			if (this.skip("operator", "*")) {
				ensure(args.list === null && args.mapping === null, token);
				args.list = this.expression();
			} else if (this.skip("operator", "**")) {
				ensure(args.mapping === null, token);
				args.mapping = this.expression();
			} else if (token.type === "name" && this.isNext("operator", "=")) {
				ensure(args.mapping === null, token);
				// Python refuses a repeated keyword.
				ensure(args.keywords.every((keyword) => keyword.name !== token.value), token);
				this.at += 2;
				args.keywords.push({ name: token.value, place: token.place, value: this.expression() });
			} else {
				ensure(args.list === null && args.mapping === null && args.keywords.length === 0, token);
				args.positional.push(this.expression());
			}
		}
		++this.at;
		return args;
	}

	dottedName(token) {
		let name = token.value;
		while (this.skip("operator", ".")) {
			name += `.${this.expect("name").value}`;
		}
		return name;
	}

	noArgs() {
		return { positional: [], keywords: [], list: null, mapping: null };
	}

	filterCall(token) {
		const name = this.dottedName(token);
		return { type: "FilterCall", place: token.place, name, args: this.is("operator", "(") ? this.args() : this.noArgs() };
	}

	test(value) {
		++this.at;
		const isNegated = this.skip("name", "not");
		const token = this.expect("name");
		const name = this.dottedName(token);
		let args = this.noArgs();
		const next = this.token;
		if (this.is("operator", "(")) {
			args = this.args();
		} else if (
			["name", "string", "integer", "float"].includes(next.type) || this.isOneOf("[", "{")
		) {
			if (next.type !== "name" || !["else", "or", "and"].includes(next.value)) {
				if (this.is("name", "is")) {
					throw new Problem("chained_tests", [], next.place);
				}
				args.positional.push(this.postfix(this.primary()));
			}
		}
		const test = { type: "Test", place: token.place, name, value, args };
		return isNegated ? { type: "Unary", place: token.place, operator: "not", value: test } : test;
	}
}

export function parse(tokens) {
	return new Parser(tokens).template();
}
