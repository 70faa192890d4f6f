// The one function that the helper process calls: a request in JSON in, a reply in JSON out (core/text/template/template_renderer.h
// describes both).

import { checkProgram } from "./compile_rules.js";
import { checkConstants } from "./constants.js";
import { makeGlobals } from "./globals.js";
import { Interpreter } from "./interpreter.js";
import { parseJson } from "./json.js";
import { tokenize } from "./lexer.js";
import { outline } from "./outline.js";
import { parse } from "./parser.js";
import { Problem, report } from "./problem.js";
import { checkSetFilters } from "./set_filters.js";

function problemOf(error) {
	if (error instanceof Problem) {
		return report(error);
	}
	if (error instanceof RangeError && /call stack/i.test(error.message)) {
		return report(new Problem("too_deep", []));
	}
	return report(new Problem("internal", [String(error && error.message)]));
}

// Of the last template, which is often rendered again.
let parsed = { template: null, program: null, names: null, checked: null };

function programOf(template, known) {
	if (parsed.template !== template) {
		parsed.template = null;
		parsed.program = parse(tokenize(template));
		parsed.names = null;
		parsed.template = template;
	}
	const names = known.join();
	if (parsed.names !== names) {
		parsed.names = null;
		parsed.checked = checkProgram(parsed.program, known);
		checkConstants(parsed.program);
		checkSetFilters(parsed.program);
		parsed.names = names;
	}
	return parsed;
}

function run(request) {
	const reply = { problems: [] };
	try {
		const globals = makeGlobals(request.now);
		const variables = Object.keys(request.variables);
		const { program, checked } = programOf(request.template, [...globals.variables.keys(), ...variables]);
		const { problems, refusal } = checked;
		reply.problems = problems.map(report);
		if (request.outline) {
			reply.outline = outline(program);
		}
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
		const forced = request.forced ? new Map(request.forced) : null;
		const interpreter = new Interpreter(globals, watched, forced);
		try {
			reply.text = interpreter.run(program);
			reply.parts = interpreter.parts;
		} finally {
			if (forced !== null) {
				reply.outcomes = Array.from(interpreter.outcomes);
			}
		}
	} catch (error) {
		delete reply.text;
		reply.error = problemOf(error);
	}
	return reply;
}

export const render = (request) => JSON.stringify(run(JSON.parse(request)));
