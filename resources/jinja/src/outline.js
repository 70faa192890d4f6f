// What a template says without being rendered, for the audit of templates (core/text/audit): its texts, what its
// conditions depend on, and attributes and names that reach out of the sandbox.
//
// What a value depends on is found without the order of statements: a variable depends on whatever is ever assigned to
// it, and on the conditions around the assignment. The sources are "content" (words of a message), "count" (how many
// messages there are) and "date".

import { eachChild } from "./compile_rules.js";

const CONTENT = new Set(["content", "text", "reasoning_content", "reasoning", "thinking", "output"]);
const POSITIONS = new Set(["index", "index0", "revindex", "revindex0", "first", "last", "length"]);
const WITHOUT_WORDS = new Set(["string", "none", "defined", "undefined", "mapping", "iterable", "sequence", "boolean", "number"]);
// Attributes of Python's objects that lead from a value to the interpreter.
const WALKS = new Set([
	"mro", "subclasses", "func_globals", "func_code", "func_closure", "gi_frame", "gi_code", "cr_frame", "cr_code",
	"ag_frame", "ag_code", "f_globals", "f_locals", "f_builtins", "f_back", "tb_frame", "co_code", "im_class", "im_func",
]);
const OUTSIDE = new Set([
	"lipsum", "request", "config", "url_for", "get_flashed_messages", "os", "sys", "subprocess", "builtins", "open", "eval",
	"exec", "globals", "locals", "getattr", "setattr", "importlib", "popen",
]);
const MOST = 20000; // entries of each list

function isWalk(name) {
	return name.startsWith("__") || WALKS.has(name);
}

function union(into, from) {
	let grew = false;
	from.forEach((each) => {
		if (!into.has(each)) {
			into.add(each);
			grew = true;
		}
	});
	return grew;
}

// The text of an expression that consists of constants; null for others.
function folded(node) {
	if (node.type === "String") return node.value;
	if (node.type === "Integer") return node.digits;
	if (node.type === "Binary" && node.operator === "+") {
		const [left, right] = [folded(node.left), folded(node.right)];
		return left === null || right === null ? null : left + right;
	}
	if (node.type === "Concatenation") {
		const parts = node.values.map(folded);
		return parts.includes(null) ? null : parts.join("");
	}
	return null;
}

class Outline {
	constructor(program) {
		this.program = program;
		this.known = new Map([["messages", new Set(["messages"])], ["loop", new Set()]]);
		this.macros = new Map();
		this.grew = false;
		this.result = { strings: [], texts: [], walks: [], outside: [], integers: [], guards: [] };
		this.collecting = false;
	}

	make() {
		do { // until no variable depends on more than before
			this.grew = false;
			this.statements(this.program.body, new Set());
		} while (this.grew);
		this.collecting = true;
		this.statements(this.program.body, new Set());
		return this.result;
	}

	add(list, entry) {
		if (this.collecting && this.result[list].length < MOST) {
			this.result[list].push(entry);
		}
	}

	at(node) {
		const place = node.place || { line: 0, column: 0 };
		return { line: place.line, column: place.column };
	}

	// ---- what values depend on ----

	of(name) {
		return this.known.get(name) || new Set();
	}

	depend(name, sources) {
		if (!this.known.has(name)) {
			this.known.set(name, new Set());
		}
		if (union(this.known.get(name), sources)) {
			this.grew = true;
		}
	}

	memberOf(object, name, sources) {
		if (CONTENT.has(name)) {
			return new Set(["content"]);
		}
		if (object.type === "Name" && object.name === "loop") {
			return POSITIONS.has(name) ? new Set(this.of("loop")) : new Set();
		}
		const found = new Set(sources);
		found.delete("messages"); // what is taken from a list of messages is no list of messages
		if (object.type === "Name") {
			union(found, this.of(`${object.name}.${name}`));
		}
		return found;
	}

	// Visits an expression; returns the sources that its value depends on. `around`: the sources of the conditions under
	// which it is evaluated; `printed`: whether its constants are written.
	value(node, around, printed) {
		const handler = this[node.type];
		if (handler !== undefined) {
			return handler.call(this, node, around, printed);
		}
		const found = new Set();
		eachChild(node, (child) => union(found, this.value(child, around, printed)));
		return found;
	}

	String(node, around, printed) {
		this.add("strings", Object.assign({ text: node.value, printed, sources: Array.from(around) }, this.at(node)));
		if (!printed && /^__|__$/.test(node.value)) {
			this.add("walks", Object.assign({ text: node.value }, this.at(node)));
		}
		return new Set();
	}

	Integer(node) {
		this.add("integers", Number(node.digits.replace(/_/g, "")));
		return new Set();
	}

	Name(node) {
		if (OUTSIDE.has(node.name) && !this.known.has(node.name)) {
			this.add("outside", Object.assign({ text: node.name }, this.at(node)));
		}
		return new Set(this.of(node.name));
	}

	joined(node, around, printed) {
		const text = folded(node);
		if (text !== null && text.length > 0) {
			this.add("strings", Object.assign({ text, printed, sources: Array.from(around) }, this.at(node)));
		}
	}

	Concatenation(node, around, printed) {
		this.joined(node, around, printed);
		const found = new Set();
		node.values.forEach((each) => union(found, this.value(each, around, printed)));
		return found;
	}

	Binary(node, around, printed) {
		const { operator } = node;
		const isChoice = operator === "and" || operator === "or";
		const left = this.value(node.left, around, printed && !isChoice);
		if (isChoice) {
			this.guard(node, left);
		} else if (operator === "+") {
			this.joined(node, around, printed);
		}
		const inner = new Set(around);
		if (isChoice) union(inner, left);
		const found = new Set(left);
		union(found, this.value(node.right, inner, printed));
		return found;
	}

	Comparison(node, around) {
		const found = this.value(node.first, around, false);
		node.rest.forEach(({ value }) => union(found, this.value(value, around, false)));
		return found;
	}

	Test(node, around) {
		const found = this.value(node.value, around, false);
		this.argumentsOf(node.args, around, false, found);
		return WITHOUT_WORDS.has(node.name) ? new Set() : found;
	}

	Conditional(node, around, printed) {
		const found = this.value(node.test, around, false);
		this.guard(node, found);
		const inner = new Set(around);
		union(inner, found);
		union(found, this.value(node.value, inner, printed));
		if (node.otherwise !== null) {
			union(found, this.value(node.otherwise, inner, printed));
		}
		return found;
	}

	Attribute(node, around) {
		if (isWalk(node.name)) {
			this.add("walks", Object.assign({ text: node.name }, this.at(node)));
		}
		return this.memberOf(node.object, node.name, this.value(node.object, around, false));
	}

	Element(node, around, printed) {
		const index = node.index.type === "Slice" ? null : folded(node.index);
		if (index !== null && node.index.type !== "Integer") {
			if (isWalk(index)) {
				this.add("walks", Object.assign({ text: index }, this.at(node)));
			}
			this.value(node.index, around, false);
			return this.memberOf(node.object, index, this.value(node.object, around, printed));
		}
		const chosen = this.value(node.index, around, false);
		const inner = new Set(around);
		union(inner, chosen);
		const found = this.value(node.object, inner, printed);
		const isMessages = found.has("messages");
		if (node.index.type !== "Slice") {
			found.delete("messages");
		}
		if (!isMessages) { // which messages are taken says nothing about what is in them
			union(found, chosen);
		}
		return found;
	}

	Filter(node, around, printed) {
		const { name, args } = node.filter;
		const keeps = ["trim", "safe", "string", "join", "first", "last", "reverse", "default", "d"].includes(name);
		const found = this.value(node.value, around, printed && keeps);
		this.filterArguments(node.filter, around, printed, found);
		if ((name === "length" || name === "count") && found.has("messages")) {
			found.delete("messages");
			found.add("count");
		} else if (["attr", "map", "selectattr", "rejectattr"].includes(name)) {
			const named = args.positional.concat(args.keywords.map(({ value }) => value)).map(folded).filter((each) => each !== null);
			named.filter(isWalk).forEach((text) => this.add("walks", Object.assign({ text }, this.at(node))));
			if (name === "attr" && named.length === 0) { // a name that is computed
				this.add("walks", Object.assign({ text: "attr" }, this.at(node)));
			}
			if (named.some((each) => CONTENT.has(each))) found.add("content");
		}
		return found;
	}

	filterArguments({ name, args }, around, printed, found) {
		this.argumentsOf(args, around, printed && ["default", "d", "join"].includes(name), found);
	}

	argumentsOf(args, around, printed, found) {
		args.positional.forEach((each) => union(found, this.value(each, around, printed)));
		args.keywords.forEach(({ value }) => union(found, this.value(value, around, printed)));
		if (args.list !== null) union(found, this.value(args.list, around, printed));
		if (args.mapping !== null) union(found, this.value(args.mapping, around, printed));
	}

	Call(node, around, printed) {
		const { callee, args } = node;
		const found = this.value(callee, around, false);
		if (callee.type === "Name" && callee.name === "strftime_now") {
			found.add("date");
		}
		if (callee.type === "Name" && callee.name === "raise_exception") {
			this.argumentsOf(args, around, false, found);
			return new Set();
		}
		const given = new Set();
		this.argumentsOf(args, around, printed && callee.type === "Name", given);
		if (callee.type === "Name" && this.macros.has(callee.name)) {
			this.macros.get(callee.name).forEach((parameter) => this.depend(parameter, given));
			union(found, this.of(`${callee.name}()`));
		}
		if (callee.type === "Attribute" && folded({ type: "String", value: callee.name }) === "get" && args.positional.length > 0) {
			const name = folded(args.positional[0]);
			if (name !== null && isWalk(name)) this.add("walks", Object.assign({ text: name }, this.at(node)));
			if (name !== null) return this.memberOf(callee.object, name, found);
		}
		union(found, given);
		return found;
	}

	guard(node, sources) {
		const what = Array.from(sources).filter((each) => each !== "messages");
		if (what.length > 0) {
			this.add("guards", Object.assign({ sources: what }, this.at(node)));
		}
	}

	// ---- statements ----

	// Returns the sources that what the statements write depends on.
	statements(body, around) {
		const found = new Set();
		body.forEach((each) => union(found, this.statement(each, around)));
		return found;
	}

	statement(node, around) {
		const found = new Set(around);
		switch (node.type) {
			case "Text":
				this.add("texts", Object.assign({ text: node.value, sources: Array.from(around) }, this.at(node)));
				break;
			case "Output":
				node.values.forEach((each) => union(found, this.value(each, around, true)));
				break;
			case "If": {
				const sources = this.value(node.test, around, false);
				this.guard(node, sources);
				const inner = new Set(around);
				union(inner, sources);
				union(found, this.statements(node.body, inner));
				union(found, this.statements(node.alternate, inner));
				break;
			}
			case "For":
				union(found, this.loop(node, around));
				break;
			case "Set": {
				const sources = this.value(node.value, around, this.isWritten(node));
				union(sources, around);
				this.assign(node.target, sources);
				if (node.value.type === "Call" && node.target.type === "Name") {
					node.value.args.keywords.forEach(({ name, value }) => this.depend(`${node.target.name}.${name}`, this.value(value, around, false)));
				}
				break;
			}
			case "SetBlock":
				this.assign(node.target, this.statements(node.body, around));
				break;
			case "With":
				node.targets.forEach((target, i) => this.assign(target, this.value(node.values[i], around, true)));
				union(found, this.statements(node.body, around));
				break;
			case "Macro":
				this.macros.set(node.name, node.parameters.map(({ name }) => name));
				this.depend(node.name, new Set());
				this.depend(`${node.name}()`, this.statements(node.body, around));
				break;
			case "CallBlock":
				union(found, this.value(node.call, around, true));
				union(found, this.statements(node.body, around));
				break;
			case "FilterBlock":
				node.filters.forEach((filter) => this.filterArguments(filter, around, true, found));
				union(found, this.statements(node.body, around));
				break;
			case "Loading":
				this.add("outside", Object.assign({ text: node.name }, this.at(node)));
				break;
			case "Break":
			case "Continue":
				break;
			default:
				union(found, this.statements(node.body || [], around));
		}
		return found;
	}

	// A list or a dictionary that is assigned holds words to compare with more often than texts to write.
	isWritten(node) {
		return !["List", "Tuple", "Dict"].includes(node.value.type);
	}

	loop(node, around) {
		const sources = this.value(node.iterable, around, false);
		if (sources.has("messages")) {
			this.depend("loop", new Set(["count"]));
		}
		const element = new Set(sources);
		this.assign(node.target, element);
		const inner = new Set(around);
		if (node.test !== null) {
			const tested = this.value(node.test, around, false);
			tested.delete("messages");
			union(inner, tested);
		}
		sources.forEach((each) => each !== "messages" && inner.add(each));
		const found = this.statements(node.body, inner);
		union(found, this.statements(node.otherwise || [], inner));
		return found;
	}

	assign(target, sources) {
		if (target.type === "Name") {
			this.depend(target.name, sources);
		} else if (target.type === "Tuple") {
			target.values.forEach((each) => this.assign(each, sources));
		} else {
			this.depend(`${target.name}.${target.entry}`, sources);
		}
	}
}

export function outline(program) {
	return new Outline(program).make();
}
