// Between lexer and parser: checks that tags nest, and writes what the parser of @huggingface/jinja does not know in
// words that it knows:
//     x is divisibleby(3)          ->  x | "is divisibleby"(3)      every test, with and without arguments
//     {% generation %}, {% with a = 1 %}, {% block b %}  ->  {% filter "scope" %}{% set a = 1 %}
//     a ~ b + c                    ->  (a ~ b) + c                   ~ binds tighter in Jinja2
//     (a,) and ()                  ->  "tuple"(a)
//     {{ a, b }}                   ->  {{ (a, b) }}
// The names in quotes cannot be written in a template.

import { PlacedToken } from "./lexer.js";
import { recursiveLoops } from "./positioned_ast.js";
import { nearest, Problem } from "./problem.js";

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
	generation: "endgeneration",
};
const ENDS = Object.keys(BLOCKS).map((name) => BLOCKS[name]);
const SIMPLE = ["break", "continue", "elif", "else"];
// In Jinja2, but of no use in a template that has no files beside it.
const LOADING = ["include", "import", "from", "extends", "autoescape"];
const KNOWN_TAGS = Object.keys(BLOCKS).concat(ENDS, SIMPLE, ["raw", "endraw"]);

const KEYWORDS = ["and", "or", "not", "in", "if", "else", "is"];
const OPENING = ["OpenParen", "OpenSquareBracket", "OpenCurlyBracket"];
const CLOSING = ["CloseParen", "CloseSquareBracket", "CloseCurlyBracket"];

function made(value, type, like) {
	const token = new PlacedToken(value, type, like.place, like.text);
	token.depth = like.depth;
	return token;
}

function isName(token, name) {
	return token !== undefined && token.kind === "Identifier" && (name === undefined || token.word === name);
}

export function prepareTags(tokens) {
	const out = [];
	const open = []; // {name, place} of blocks
	for (let i = 0; i < tokens.length; ++i) {
		const type = tokens[i].kind;
		if (type !== "OpenStatement" && type !== "OpenExpression") {
			out.push(tokens[i]);
			continue;
		}
		let end = i + 1;
		while (tokens[end].kind !== "CloseStatement" && tokens[end].kind !== "CloseExpression") {
			++end;
		}
		const inner = tokens.slice(i + 1, end);
		if (type === "OpenExpression") {
			out.push(tokens[i], ...wholeTuple(expression(inner), tokens[i]), tokens[end]);
		} else {
			out.push(...statement(tokens[i], inner, tokens[end], open));
		}
		i = end;
	}
	if (open.length > 0) {
		const last = open[open.length - 1];
		throw new Problem("unclosed_block", [last.name], last.place);
	}
	return out;
}

function statement(opening, inner, closing, open) {
	if (inner.length === 0 || inner[0].kind !== "Identifier") {
		const at = inner.length > 0 ? inner[0] : closing;
		throw new Problem("missing_tag_name", [], at.place);
	}
	const name = inner[0].word;
	const rest = inner.slice(1);
	checkNesting(name, inner[0], rest, open);
	const tag = (words) => [opening, ...words, closing];
	const scope = () => tag([made("filter", "Identifier", inner[0]), made(SCOPE, "Identifier", inner[0])]);
	const endScope = () => tag([made("endfilter", "Identifier", inner[0])]);
	switch (name) {
		case "generation":
			expectNothing(rest);
			return scope();
		case "block":
			if (!isName(rest[0])) {
				throw new Problem("unexpected_end_of_tag", [], closing.place);
			}
			expectNothing(rest.slice(1));
			return scope();
		case "with":
			return rest.length === 0 ? scope() : scope().concat(tag(withAsSet(inner[0], rest)));
		case "endgeneration":
		case "endwith":
			expectNothing(rest);
			return endScope();
		case "endblock":
			expectNothing(rest.slice(isName(rest[0]) ? 1 : 0));
			return endScope();
		case "for":
			if (isName(rest[rest.length - 1], "recursive") && rest.length > 3) {
				recursiveLoops.add(rest[rest[0].kind === "OpenParen" ? 1 : 0].place);
				rest.pop();
			}
			return tag([inner[0], ...expression(rest)]);
		case "call": {
			// The brackets behind the word hold parameters.
			const end = rest.length > 0 && rest[0].kind === "OpenParen" ? afterBracket(rest, 0) : 0;
			return tag([inner[0], ...rest.slice(0, end), ...expression(rest.slice(end))]);
		}
		default:
			return tag([inner[0], ...expression(rest)]);
	}
}

export const SCOPE = "\u0001scope";
export const TUPLE = "\u0001tuple";
export const TEST = "\u0001is "; // before the name of a test that is written as a filter
export const NOT_TEST = "\u0001is not ";

function expectNothing(rest) {
	if (rest.length > 0) {
		throw new Problem("unexpected_token", [rest[0].text], rest[0].place);
	}
}

function checkNesting(name, token, rest, open) {
	const top = open[open.length - 1];
	if (name in BLOCKS) {
		if (name !== "set" || !rest.some((word) => word.kind === "Equals" && word.depth === 0)) {
			open.push({ name, place: token.place });
		}
	} else if (ENDS.includes(name)) {
		if (top === undefined) {
			throw new Problem("stray_end", [name], token.place);
		}
		if (BLOCKS[top.name] !== name) {
			throw new Problem("wrong_end", [name, BLOCKS[top.name], top.name, top.place.line], token.place);
		}
		open.pop();
		expectNothing(name === "endblock" ? rest.slice(1) : rest);
	} else if (name === "else" || name === "elif") {
		const fits = top !== undefined && (top.name === "if" || (top.name === "for" && name === "else"));
		if (!fits || top.hasElse) {
			throw new Problem("stray_tag", [name], token.place);
		}
		top.hasElse = name === "else";
		if (name === "else") {
			expectNothing(rest);
		}
	} else if (name === "break" || name === "continue") {
		const blocks = open.map((block) => block.name);
		const inner = blocks.filter((block) => block !== "if" && block !== "set").pop();
		if (inner !== "for") {
			throw new Problem("stray_tag", [name], token.place);
		}
	} else if (LOADING.includes(name)) {
		throw new Problem("unsupported_tag", [name], token.place);
	} else {
		throw new Problem("unknown_tag", [name, nearest(name, KNOWN_TAGS)], token.place);
	}
}

// `a = 1, b = x` of a with tag, as `set a, b = 1, x`: all values are taken from outside the block.
function withAsSet(token, rest) {
	const names = [];
	const values = [];
	let depth = 0;
	let into = names;
	for (const word of rest) {
		const type = word.kind;
		depth += OPENING.includes(type) ? 1 : CLOSING.includes(type) ? -1 : 0;
		if (depth === 0 && type === "Equals") {
			into = values;
			continue;
		}
		if (depth === 0 && type === "Comma") {
			into = names;
			names.push(word);
			values.push(word);
			continue;
		}
		into.push(word);
	}
	return [made("set", "Identifier", token), ...names, made("=", "Equals", token), ...expression(values)];
}

// ---- expressions -----------------------------------------------------------------------------------------------------

function expression(tokens) {
	return tuples(concatenations(tests(tokens)));
}

// Index behind the bracket that closes the one at `open`.
function afterBracket(tokens, open) {
	let depth = 0;
	for (let i = open; i < tokens.length; ++i) {
		const type = tokens[i].kind;
		depth += OPENING.includes(type) ? 1 : CLOSING.includes(type) ? -1 : 0;
		if (depth === 0) {
			return i + 1;
		}
	}
	return tokens.length;
}

function tests(tokens) {
	const out = [];
	for (let i = 0; i < tokens.length; ++i) {
		const token = tokens[i];
		if (!isName(token, "is") || (i > 0 && tokens[i - 1].kind === "Dot")) {
			out.push(token);
			continue;
		}
		const negated = isName(tokens[i + 1], "not");
		let at = i + (negated ? 2 : 1);
		if (!isName(tokens[at])) {
			const wrong = tokens[at] || token;
			throw new Problem(tokens[at] ? "unexpected_token" : "unexpected_end_of_tag", [wrong.text], wrong.place);
		}
		const name = made((negated ? NOT_TEST : TEST) + tokens[at].word, "Identifier", tokens[at]);
		out.push(made("|", "Pipe", token), name);
		++at;
		const end = argumentEnd(tokens, at);
		if (end > at) {
			const bare = tokens[at].kind !== "OpenParen";
			const argument = tests(tokens.slice(at, end));
			out.push(...(bare ? [made("(", "OpenParen", token), ...argument, made(")", "CloseParen", token)] : argument));
		}
		i = end - 1;
	}
	return out;
}

// Where the argument of a test ends that begins at `at`; `at` if it has none.
function argumentEnd(tokens, at) {
	if (at >= tokens.length) {
		return at;
	}
	const type = tokens[at].kind;
	if (type === "OpenParen") {
		return afterBracket(tokens, at);
	}
	const isPrimary =
		type === "NumericLiteral" ||
		type === "StringLiteral" ||
		OPENING.includes(type) ||
		(type === "Identifier" && !["else", "or", "and"].includes(tokens[at].word)); // "if" counts, as in Jinja2
	if (!isPrimary) {
		return at;
	}
	if (isName(tokens[at], "is")) {
		throw new Problem("chained_tests", [], tokens[at].place);
	}
	let end = OPENING.includes(type) ? afterBracket(tokens, at) : at + 1;
	while (end < tokens.length) {
		if (tokens[end].kind === "Dot") {
			end += 2;
		} else if (tokens[end].kind === "OpenParen" || tokens[end].kind === "OpenSquareBracket") {
			end = afterBracket(tokens, end);
		} else {
			break;
		}
	}
	return Math.min(end, tokens.length);
}

function concatenations(tokens) {
	if (!tokens.some((token) => token.kind === "AdditiveBinaryOperator" && token.word === "~")) {
		return tokens;
	}
	const before = new Map(); // index -> number of brackets to open in front of it
	const after = new Map(); // index -> number to close behind it
	const groups = []; // one for each open bracket
	let group = { first: 0, joins: false, leftSign: false };
	const finish = (last, rightSign) => {
		if (group.joins && (group.leftSign || rightSign) && last >= group.first) {
			before.set(group.first, (before.get(group.first) || 0) + 1);
			after.set(last, (after.get(last) || 0) + 1);
		}
	};
	for (let i = 0; i < tokens.length; ++i) {
		const type = tokens[i].kind;
		if (OPENING.includes(type)) {
			groups.push(group);
			group = { first: i + 1, joins: false, leftSign: false };
		} else if (CLOSING.includes(type)) {
			finish(i - 1, false);
			group = groups.pop();
		} else if (type === "AdditiveBinaryOperator") {
			const sign = tokens[i].word !== "~";
			if (!sign) {
				group.joins = true;
			} else if (i > group.first && !tokens[i - 1].kind.endsWith("Operator")) {
				finish(i - 1, true);
				group = { first: i + 1, joins: false, leftSign: true };
			}
		} else if (
			["Comma", "Colon", "Equals", "ComparisonBinaryOperator"].includes(type) ||
			(type === "Identifier" && KEYWORDS.includes(tokens[i].word))
		) {
			finish(i - 1, false);
			group = { first: i + 1, joins: false, leftSign: false };
		}
	}
	finish(tokens.length - 1, false);
	const out = [];
	tokens.forEach((token, i) => {
		for (let n = before.get(i) || 0; n > 0; --n) {
			out.push(made("(", "OpenParen", token));
		}
		out.push(token);
		for (let n = after.get(i) || 0; n > 0; --n) {
			out.push(made(")", "CloseParen", token));
		}
	});
	return out;
}

// Tuples of none or one element, and commas at the end of longer ones.
function tuples(tokens) {
	const out = tokens.slice();
	for (let i = out.length - 1; i >= 0; --i) {
		if (out[i].kind !== "OpenParen" || isCall(out, i)) {
			continue;
		}
		const end = afterBracket(out, i) - 1;
		const trailing = out[end - 1].kind === "Comma";
		const longer = out.slice(i + 1, end - 1).some((token, n) => token.kind === "Comma" && isTop(out, i, i + 1 + n));
		if (trailing) {
			out.splice(end - 1, 1);
		}
		if (end === i + 1 || (trailing && !longer)) {
			out.splice(i, 0, made(TUPLE, "Identifier", out[i]));
		}
	}
	return out;
}

function isCall(tokens, open) {
	const before = tokens[open - 1];
	if (before === undefined) {
		return false;
	}
	return before.kind === "CloseParen" || before.kind === "CloseSquareBracket" ||
		(before.kind === "Identifier" && !KEYWORDS.includes(before.word));
}

function isTop(tokens, open, at) {
	let depth = 0;
	for (let i = open + 1; i < at; ++i) {
		depth += OPENING.includes(tokens[i].kind) ? 1 : CLOSING.includes(tokens[i].kind) ? -1 : 0;
	}
	return depth === 0;
}

function wholeTuple(tokens, like) {
	let depth = 0;
	for (const token of tokens) {
		depth += OPENING.includes(token.kind) ? 1 : CLOSING.includes(token.kind) ? -1 : 0;
		if (depth === 0 && token.kind === "Comma") {
			return tuples([made("(", "OpenParen", like), ...tokens, made(")", "CloseParen", like)]);
		}
	}
	return tokens;
}
