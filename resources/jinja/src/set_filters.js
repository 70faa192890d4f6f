// Names in the arguments of the filters of a set block. Jinja2's compiler takes them from the frames of names around the
// block, but does not note that the block needs them. So it refuses a template in which nothing else in these frames
// mentions such a name.

import { eachChild } from "./compile_rules.js";
import { COMPUTED, isConstant } from "./constants.js";
import { Problem } from "./problem.js";

const OF_MACROS = ["caller", "kwargs", "varargs"];

// The parts of a statement with a frame of its own that belong to the frame around it.
const OUTSIDE = {
	Autoescape: () => [],
	Block: () => [],
	CallBlock: (node) => [node.call],
	FilterBlock: (node) => node.filters,
	For: (node) => [node.iterable],
	Macro: () => [],
	Scope: () => [],
	SetBlock: (node) => [node.target],
	With: (node) => node.values,
};

const defaultsOf = (node) => node.parameters.map(({ fallback }) => fallback).filter((fallback) => fallback !== null);
const parametersOf = (node) => node.parameters.map(({ name }) => name);

// The frames of a statement: what stands in them, the statements of it, and the names that they have in any case.
const FRAMES = {
	Autoescape: (node) => [{ nodes: [node.on, ...node.body], body: node.body, given: [] }],
	CallBlock: (node) => [{ nodes: [...defaultsOf(node), ...node.body], body: node.body, given: [...parametersOf(node), ...OF_MACROS] }],
	FilterBlock: (node) => [{ nodes: [...node.filters, ...node.body], body: node.body, given: [] }],
	For: (node) => [
		{ nodes: [node.target, ...node.body], body: node.body, given: ["loop"] },
		{ nodes: node.otherwise || [], body: node.otherwise || [], given: [] },
	],
	Macro: (node) => FRAMES.CallBlock(node),
	Scope: (node) => [{ nodes: node.body, body: node.body, given: OF_MACROS }],
	SetBlock: (node) => [{ nodes: node.body, body: node.body, given: [] }],
	With: (node) => [{ nodes: [...node.targets, ...node.body], body: node.body, given: [] }],
};

function collect(node, names) {
	if (node.type === "Name" || node.type === "NamespaceEntry" || node.type === "Macro") {
		names.add(node.name);
	}
	const outside = OUTSIDE[node.type];
	if (outside === undefined) {
		eachChild(node, (child) => collect(child, names));
	} else {
		outside(node).forEach((part) => collect(part, names));
	}
}

function frameOf({ nodes, given }, outer) {
	const names = new Set(given);
	nodes.forEach((node) => collect(node, names));
	return { names, outer };
}

function isKnown(name, frame) {
	return frame !== null && (frame.names.has(name) || isKnown(name, frame.outer));
}

// Parts that the compiler computes are not looked at.
function checkArguments(node, frame) {
	if (COMPUTED.has(node.type) && node.type !== "FilterCall" && isConstant(node)) {
		return;
	}
	if (node.type === "Name" && !isKnown(node.name, frame)) {
		throw new Problem("unexpected_token", [node.name], node.place);
	}
	eachChild(node, (child) => checkArguments(child, frame));
}

function check(node, frame) {
	if (node.type === "Block") { // sees no names of what is around it
		const inside = frameOf({ nodes: node.body, given: ["self", "super"] }, null);
		node.body.forEach((child) => check(child, inside));
		return;
	}
	const frames = FRAMES[node.type];
	if (frames === undefined) {
		eachChild(node, (child) => check(child, frame));
		return;
	}
	frames(node).forEach((part) => {
		const inside = frameOf(part, frame);
		part.body.forEach((child) => check(child, inside));
		if (node.type === "SetBlock") {
			node.filters.forEach((filter) => checkArguments(filter, inside));
		}
	});
}

export function checkSetFilters(program) {
	const frame = frameOf({ nodes: program.body, given: ["self"] }, null);
	program.body.forEach((node) => check(node, frame));
}
