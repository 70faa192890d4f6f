// The one function that the helper process calls: a request in JSON in, a reply in JSON out (core/text/template_renderer.h
// describes both).

import "./polyfills.js";
import { parse } from "@huggingface/jinja/src/parser.ts";
import { makeGlobals } from "./globals.js";
import { PythonInterpreter } from "./interpreter.js";
import { parseJson } from "./json.js";
import { lastRead, runawayString, tokenize } from "./lexer.js";
import { unknownNames } from "./names.js";
import { recursiveLoops } from "./positioned_ast.js";
import { Problem, report } from "./problem.js";
import { prepareTags } from "./tags.js";

// What the parser of the package throws has no place; the token that it read last is where it stood.
function parseTemplate(source) {
	recursiveLoops.clear();
	const tokens = tokenize(source);
	const prepared = prepareTags(tokens);
	lastRead.token = null;
	try {
		return parse(prepared);
	} catch (error) {
		if (error instanceof Problem) {
			throw error;
		}
		if (error instanceof RangeError) {
			throw new Problem("too_deep", [], lastRead.token && lastRead.token.place);
		}
		throw parseProblem(tokens, lastRead.token || tokens[tokens.length - 1]);
	}
}

function parseProblem(tokens, failing) {
	const runaway = runawayString(tokens, tokens.findIndex((token) => token.place === failing.place));
	if (runaway !== null) {
		return runaway;
	}
	const type = failing.kind;
	if (type === "CloseStatement" || type === "CloseExpression") {
		return new Problem("unexpected_end_of_tag", [failing.text], failing.place);
	}
	return new Problem(failing.text === "=" ? "single_equals" : "unexpected_token", [failing.text], failing.place);
}

function problemOf(error) {
	if (error instanceof Problem) {
		return report(error);
	}
	if (error instanceof RangeError && /call stack/i.test(error.message)) {
		return report(new Problem("too_deep", []));
	}
	return report(new Problem("internal", [String(error && error.message)]));
}

function run(request) {
	const reply = { problems: [] };
	let program;
	try {
		program = parseTemplate(request.template);
	} catch (error) {
		reply.error = problemOf(error);
		return reply;
	}
	try {
		const globals = makeGlobals(request.now);
		const variables = Object.keys(request.variables);
		reply.problems = unknownNames(program, [...globals.variables.keys(), ...variables]).map(report);
		if (request.checkOnly) {
			return reply;
		}
		let watched = null;
		for (const name of variables) {
			const value = parseJson(name, request.variables[name]);
			globals.setVariable(name, value);
			if (name === "messages" && Array.isArray(value.value)) {
				watched = value.value;
			}
		}
		const interpreter = new PythonInterpreter(globals, watched);
		reply.text = interpreter.run(program);
		reply.parts = interpreter.parts;
	} catch (error) {
		delete reply.text;
		reply.error = problemOf(error);
	}
	return reply;
}

globalThis.gufoTemplate = (request) => JSON.stringify(run(JSON.parse(request)));
