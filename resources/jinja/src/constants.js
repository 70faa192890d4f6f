// Jinja2 computes constant expressions while it compiles, and ignores what fails, so that it fails where the template
// runs. Only a dictionary with a key that cannot be one is refused right away, if it is constant up to that key and
// stands within an expression that is computed.

import { eachChild } from "./compile_rules.js";
import { isFilter } from "./filters.js";
import { Interpreter, Scope } from "./interpreter.js";
import { Problem } from "./problem.js";
import { isTest } from "./tests.js";
import * as v from "./values.js";

// The expressions that Jinja2's compiler computes, with all that is in them.
export const COMPUTED = new Set(["Attribute", "Binary", "Call", "Comparison", "Concatenation", "Conditional", "Element", "Filter", "FilterCall",
	"Test", "Unary"]);
// Filters that see the variables of the template.
const OF_CONTEXT = new Set(["map", "random", "reject", "rejectattr", "select", "selectattr"]);

class NotConstant extends Error {}

const interpreter = new Interpreter(new Scope());

// Copies a node or a filter and replaces some of its parts. Qt 6.4's engine does not have spread properties ({ ...node }).
const withParts = (node, parts) => Object.assign({}, node, parts);

// Evaluates a node after its parts have been replaced by constants.
function computed(node, parts = {}) {
	try {
		return interpreter.evaluate(withParts(node, parts), interpreter.global);
	} catch (ignored) {
		throw new NotConstant();
	}
}

const given = (value) => ({ type: "Value", value });
const constant = (node) => given(valueOf(node));
const optional = (node) => (node === null ? null : constant(node));

function constantArgs({ positional, keywords, list, mapping }) {
	return {
		positional: positional.map(constant),
		keywords: keywords.map(({ name, value }) => ({ name, value: constant(value) })),
		list: optional(list),
		mapping: optional(mapping),
	};
}

const VALUES = {
	Constant: computed,
	Float: computed,
	Integer: computed,
	String: computed,
	List: (node) => computed(node, { values: node.values.map(constant) }),
	Tuple: (node) => computed(node, { values: node.values.map(constant) }),
	Concatenation: (node) => computed(node, { values: node.values.map(constant) }),
	Unary: (node) => computed(node, { value: constant(node.value) }),
	Attribute: (node) => computed(node, { object: constant(node.object) }),

	Dict(node) {
		const object = new v.ObjectValue(new Map());
		for (const [key, value] of node.pairs) {
			const name = valueOf(key);
			const content = valueOf(value);
			try {
				v.setEntry(object, name, content);
			} catch (ignored) {
				throw new Problem("unhashable_key", [v.typeName(name)], key.place || node.place);
			}
		}
		return object;
	},

	Binary(node) {
		const left = valueOf(node.left);
		if (node.operator === "and" || node.operator === "or") {
			return v.truth(left) === (node.operator === "and") ? valueOf(node.right) : left;
		}
		return computed(node, { left: given(left), right: constant(node.right) });
	},

	Comparison(node) {
		let left = valueOf(node.first);
		let result = v.bool(true);
		for (const { operator, value } of node.rest) {
			const right = valueOf(value);
			result = computed({ type: "Binary", operator, left: given(left), right: given(right) });
			if (!v.truth(result)) {
				return v.bool(false);
			}
			left = right;
		}
		return result;
	},

	Conditional(node) {
		const branch = v.truth(valueOf(node.test)) ? node.value : node.otherwise;
		if (branch === null) {
			throw new NotConstant();
		}
		return valueOf(branch);
	},

	Element(node) {
		const index = node.index.type === "Slice" ? withParts(node.index, { bounds: node.index.bounds.map(optional) }) : constant(node.index);
		return computed(node, { object: constant(node.object), index });
	},

	Filter(node) {
		const { filter } = node;
		if (!isFilter(filter.name) || OF_CONTEXT.has(filter.name)) {
			throw new NotConstant();
		}
		return computed(node, { filter: withParts(filter, { args: constantArgs(filter.args) }), value: constant(node.value) });
	},

	Test(node) {
		if (!isTest(node.name)) {
			throw new NotConstant();
		}
		return computed(node, { args: constantArgs(node.args), value: constant(node.value) });
	},
};

function valueOf(node) {
	const handler = VALUES[node.type];
	if (handler === undefined) {
		throw new NotConstant();
	}
	return handler(node);
}

function refuse(node) {
	try {
		valueOf(node);
	} catch (error) {
		if (error instanceof Problem) {
			throw error;
		}
		if (!(error instanceof NotConstant)) { // a value that is too large, for example
			throw new Problem("too_deep", [], node.place);
		}
	}
}

export function isConstant(node) {
	try {
		valueOf(node);
		return true;
	} catch (error) {
		if (error instanceof NotConstant) {
			return false;
		}
		throw error;
	}
}

// Throws what Jinja2's compiler throws for dictionaries in these nodes. `isComputed`: they stand within an expression
// that is computed. Where autoescape depends on variables, nothing is.
function checkNode(node, isComputed) {
	if (node.type === "Autoescape" && !isConstant(node.on)) {
		return;
	}
	const within = isComputed || COMPUTED.has(node.type);
	eachChild(node, (child) => checkNode(child, within));
	if (node.type === "Dict" && isComputed) {
		refuse(node);
	}
}

export function checkConstants(program) {
	checkNode(program, false);
}
