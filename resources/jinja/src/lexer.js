// Template text to tokens, by the rules of Jinja2's lexer (trim_blocks, lstrip_blocks, a trailing newline removed, raw
// blocks, `-` and `+` signs), and with places.
//
// A token: {type, value, text, place}. Types: text; begin and end (of a tag); name, string, integer, float, operator.

import { isIdentifierPart, isIdentifierStart } from "./characters.js";
import { Problem } from "./problem.js";
import { chars, isSpace, trimEnd } from "./text.js";
import { characterNamed } from "./character_names.js";

const OPERATORS = new Set([
	"**", "//", "==", "!=", ">=", "<=", "+", "-", "~", "/", "*", "%", "<", ">", "=", "(", ")", "[", "]", "{", "}", ".", ":", "|",
	",", ";",
]);
const CLOSING = { "(": ")", "[": "]", "{": "}" };
const ESCAPES = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", a: "\x07", "\\": "\\", "'": "'", '"': '"' };
const FLOAT = /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/y;
const INTEGER = /(?:0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*)/y;
const WORD = /[\w\u0080-\uffff]+/y;
const RAW = /\s*raw\s*(-?)%\}/y;
const LONGEST_INTEGER = 4300; // decimal digits, Python's limit

function normalise(source) {
	const text = source.replace(/\r\n?/g, "\n");
	return text.endsWith("\n") ? text.slice(0, -1) : text;
}

// A quote that was forgotten lets its string run on into the next tag, and what is wrong shows only behind that. Such a
// string before the token at `index`, in the same tag, as the problem that it is; null if there is none.
export function runawayString(tokens, index) {
	for (let i = index; i >= 0 && tokens[i].type !== "begin"; --i) {
		if (tokens[i].type === "string" && /[%}]\}[^]*\n/.test(tokens[i].text)) {
			const { line, column } = tokens[i].place;
			return new Problem("unclosed_string", [tokens[i].text[0]], { line, column, length: 1 });
		}
	}
	return null;
}

class Lexer {
	constructor(source) {
		this.source = normalise(source);
		this.position = 0;
		this.tokens = [];
		this.lineStarting = true; // what was matched last ended a line
		this.lineStarts = [0];
		for (let i = this.source.indexOf("\n"); i >= 0; i = this.source.indexOf("\n", i + 1)) {
			this.lineStarts.push(i + 1);
		}
	}

	place(begin, end) {
		let low = 0;
		let high = this.lineStarts.length;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (this.lineStarts[middle] <= begin) {
				low = middle;
			} else {
				high = middle;
			}
		}
		const lineEnd = low + 1 < this.lineStarts.length ? this.lineStarts[low + 1] - 1 : this.source.length;
		return {
			line: low + 1,
			column: begin - this.lineStarts[low] + 1,
			length: Math.max(1, Math.min(end, lineEnd) - begin),
		};
	}

	fail(code, args, begin, end) {
		throw new Problem(code, args, this.place(begin, end === undefined ? begin + 1 : end));
	}

	push(value, type, begin, end) {
		const token = { type, value, place: this.place(begin, end), text: this.source.slice(begin, end) };
		this.tokens.push(token);
		return token;
	}

	run() {
		while (this.position < this.source.length) {
			this.data();
		}
		return this.tokens;
	}

	// Text up to the next tag, and that tag.
	data() {
		const begin = this.position;
		let tag = this.source.indexOf("{", begin);
		while (tag >= 0 && !"%{#".includes(this.source[tag + 1] || " ")) {
			tag = this.source.indexOf("{", tag + 1);
		}
		if (tag < 0) {
			this.text(begin, this.source.length);
			this.position = this.source.length;
			return;
		}
		const kind = this.source[tag + 1];
		const after = this.source[tag + 2];
		const sign = after === "-" || after === "+" ? after : "";
		this.text(begin, this.stripped(begin, tag, sign, kind === "{"));
		this.position = tag + 2 + sign.length;
		this.lineStarting = false;
		if (kind === "#") {
			this.comment(tag);
		} else if (kind === "{") {
			this.tag("{{", "}}", tag);
		} else if (!this.raw(tag)) {
			this.tag("{%", "%}", tag);
		}
	}

	text(begin, end) {
		if (end > begin) {
			this.push(this.source.slice(begin, end), "text", begin, end);
		}
	}

	// Where the text before a tag ends once the tag's sign and lstrip_blocks have been obeyed.
	stripped(begin, end, sign, isVariable) {
		if (sign === "-") {
			return begin + trimEnd(this.source.slice(begin, end)).length;
		}
		if (sign !== "+" && !isVariable) {
			const line = Math.max(this.source.lastIndexOf("\n", end - 1) + 1, begin);
			if ((line > begin || this.lineStarting) && line < end) {
				let i = line;
				while (i < end && isSpace(this.source[i])) {
					++i;
				}
				return i === end ? line : end;
			}
		}
		return end;
	}

	// After an end tag: `-` takes all space, none of the signs one newline where `trims`.
	skipAfter(sign, trims) {
		const begin = this.position;
		if (sign === "-") {
			while (this.position < this.source.length && isSpace(this.source[this.position])) {
				++this.position;
			}
		} else if (sign !== "+" && trims && this.source[this.position] === "\n") {
			++this.position;
		}
		this.lineStarting = this.position > begin && this.source[this.position - 1] === "\n";
	}

	comment(tag) {
		const end = this.source.indexOf("#}", this.position);
		if (end < 0 && this.position === this.source.length) {
			return; // Jinja2 misses the end only if a character precedes it
		}
		if (end < 0) {
			this.fail("unclosed_comment", [], tag, tag + 2);
		}
		const before = end > this.position ? this.source[end - 1] : "";
		this.position = end + 2;
		this.skipAfter(before === "-" || before === "+" ? before : "", true);
	}

	// A raw block, if one begins here.
	raw(tag) {
		RAW.lastIndex = this.position;
		const open = RAW.exec(this.source);
		if (open === null) {
			return false;
		}
		this.position += open[0].length;
		this.skipAfter(open[1], false);
		const close = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;
		close.lastIndex = this.position;
		const end = close.exec(this.source);
		if (end === null && this.position === this.source.length) {
			return true; // as in comment()
		}
		if (end === null) {
			this.fail("unclosed_block", ["raw"], tag, tag + 2);
		}
		this.text(this.position, this.stripped(this.position, end.index, end[1], false));
		this.position = end.index + end[0].length;
		this.skipAfter(end[2], true);
		return true;
	}

	tag(open, close, begin) {
		const isBlock = open === "{%";
		const opening = this.push(open, "begin", begin, begin + 2);
		const brackets = [];
		const opened = [];
		for (;;) {
			while (this.position < this.source.length && isSpace(this.source[this.position])) {
				++this.position;
			}
			const at = this.position;
			if (at >= this.source.length || (at > begin + 2 && this.startsTag(at))) {
				if (brackets.length > 0 && at >= this.source.length) {
					throw new Problem("unclosed_bracket", [opened[opened.length - 1].value], opened[opened.length - 1].place);
				}
				throw new Problem("unclosed_tag", [open, close], opening.place);
			}
			if (brackets.length === 0) {
				const sign = this.source[at];
				const signed = sign === "-" || (sign === "+" && isBlock);
				const endAt = signed ? at + 1 : at;
				if (this.source.startsWith(close, endAt)) {
					this.push(close, "end", at, endAt + 2);
					this.position = endAt + 2;
					this.skipAfter(signed ? sign : "", isBlock);
					return;
				}
			} else if (this.source.startsWith("%}", at)) {
				// Nothing that an expression can contain.
				throw new Problem("unclosed_bracket", [opened[opened.length - 1].value], opened[opened.length - 1].place);
			}
			this.word(at, brackets, opened);
		}
	}

	// Whether a new tag opens inside a tag, which means that the end of the tag before is missing: "{{" can also begin a
	// dictionary in a dictionary, which no template can have as a key.
	startsTag(at) {
		return this.source[at] === "{" && "%#".includes(this.source[at + 1] || " ");
	}

	word(at, brackets, opened) {
		const char = this.source[at];
		if (char === "'" || char === '"') {
			this.string(at, char);
			return;
		}
		const name = this.name(at);
		if (name !== "") {
			this.push(name, "name", at, at + name.length);
			this.position = at + name.length;
			return;
		}
		if (char >= "0" && char <= "9") {
			this.number(at);
			return;
		}
		const two = this.source.slice(at, at + 2);
		const text = OPERATORS.has(two) ? two : char;
		if (!OPERATORS.has(text)) {
			this.fail("unexpected_char", [char], at);
		}
		const closing = CLOSING[text];
		if (closing !== undefined) {
			brackets.push(closing);
		} else if (text === ")" || text === "]" || text === "}") {
			if (brackets.pop() !== text) {
				if (text === "}" && two === "}}" && opened.length > 0) {
					const open = opened[opened.length - 1];
					throw new Problem("unclosed_bracket", [open.value], open.place);
				}
				this.fail("unexpected_token", [text], at, at + 1);
			}
			opened.pop();
		}
		const token = this.push(text, "operator", at, at + text.length);
		if (closing !== undefined) {
			opened.push(token);
		}
		this.position = at + text.length;
	}

	// The name that begins at `at`; "" if none does.
	name(at) {
		const word = this.match(WORD, at);
		if (word === null || !isIdentifierStart(chars(word.slice(0, 2))[0])) {
			return "";
		}
		let name = "";
		for (const char of chars(word)) {
			if (!isIdentifierPart(char)) {
				break;
			}
			name += char;
		}
		return name;
	}

	match(pattern, at) {
		pattern.lastIndex = at;
		const found = pattern.exec(this.source);
		return found === null ? null : found[0];
	}

	number(at) {
		const float = this.source[at - 1] !== "." ? this.match(FLOAT, at) : null;
		const written = float === null ? this.match(INTEGER, at) : float;
		const digits = written.replace(/_/g, "");
		if (float === null && digits.length > LONGEST_INTEGER && !/^0[box]/i.test(digits)) {
			this.fail("integer_too_large", [], at, at + written.length);
		}
		this.push(digits, float === null ? "integer" : "float", at, at + written.length);
		this.position = at + written.length;
	}

	string(at, quote) {
		let value = "";
		let i = at + 1;
		for (; i < this.source.length && this.source[i] !== quote; ++i) {
			if (this.source[i] !== "\\") {
				value += this.source[i];
				continue;
			}
			const escape = this.source[++i];
			const digits = { x: 2, u: 4, U: 8 }[escape];
			if (escape === undefined) {
				break;
			} else if (digits !== undefined) {
				const hex = this.source.slice(i + 1, i + 1 + digits);
				const code = parseInt(hex, 16);
				if (hex.length !== digits || /[^\da-fA-F]/.test(hex) || code > 0x10ffff) {
					this.fail("bad_escape", ["\\" + escape], i - 1, i + 1);
				}
				value += String.fromCodePoint(code);
				i += digits;
			} else if (/[0-7]/.test(escape)) {
				const octal = /^[0-7]{1,3}/.exec(this.source.slice(i, i + 3))[0];
				value += String.fromCharCode(parseInt(octal, 8));
				i += octal.length - 1;
			} else if (escape in ESCAPES) {
				value += ESCAPES[escape];
			} else if (escape === "N") {
				const name = /^\{([^}]+)\}/.exec(this.source.slice(i + 1, i + 120));
				const char = name === null ? null : characterNamed(name[1]);
				if (char === null) {
					this.fail("bad_escape", ["\\N"], i - 1, i + 1);
				}
				value += char;
				i += name[0].length;
			} else if (escape > "\u007f") {
				// Python escapes these itself first, and then reads the backslash before as escaped.
				const code = this.source.codePointAt(i);
				i += code > 0xffff ? 1 : 0;
				const [letter, digits] = code > 0xffff ? ["U", 8] : code > 0xff ? ["u", 4] : ["x", 2];
				value += "\\" + letter + code.toString(16).padStart(digits, "0");
			} else if (escape !== "\n") {
				value += "\\" + escape; // as Python does
			}
		}
		if (i >= this.source.length) {
			const runaway = runawayString(this.tokens, this.tokens.length - 1);
			if (runaway !== null) {
				throw runaway;
			}
			this.fail("unclosed_string", [quote], at, at + 1);
		}
		this.push(value, "string", at, i + 1);
		this.position = i + 1;
	}
}

export function tokenize(source) {
	return new Lexer(source).run();
}
