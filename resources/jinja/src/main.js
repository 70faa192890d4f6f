// The one function that the helper process calls: a request in JSON in, a reply in JSON out (core/text/template_renderer.h
// describes both).

import "./polyfills.js";
import { checkProgram } from "./compile_rules.js";
import { makeGlobals } from "./globals.js";
import { Interpreter } from "./interpreter.js";
import { parseJson } from "./json.js";
import { tokenize } from "./lexer.js";
import { parse } from "./parser.js";
import { Problem, report } from "./problem.js";

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
	try {
		const globals = makeGlobals(request.now);
		const variables = Object.keys(request.variables);
		const program = parse(tokenize(request.template));
		const { problems, refusal } = checkProgram(program, [...globals.variables.keys(), ...variables]);
		reply.problems = problems.map(report);
		if (request.checkOnly) {
			return reply;
		}
		if (refusal !== null) {
			throw refusal;
		}
		let watched = null;
		for (const name of variables) {
			const value = parseJson(name, request.variables[name]);
			globals.setVariable(name, value);
			if (name === "messages" && Array.isArray(value.value)) {
				watched = value.value;
			}
		}
		const interpreter = new Interpreter(globals, watched);
		reply.text = interpreter.run(program);
		reply.parts = interpreter.parts;
	} catch (error) {
		delete reply.text;
		reply.error = problemOf(error);
	}
	return reply;
}

globalThis.gufoTemplate = (request) => JSON.stringify(run(JSON.parse(request)));
