// Jinja2's filters that lay out text or make HTML of it: wordwrap, filesizeformat, urlize, xmlattr, pprint, random.

import { isDecimal, isLetter, isWordPart } from "./characters.js";
import { fixed } from "./format.js";
import { escaped, escapeHtml } from "./operators.js";
import { Problem, raise } from "./problem.js";
import * as text from "./text.js";
import * as v from "./values.js";

const FALSE = v.bool(false);
const TRUE = v.bool(true);

// ---- wordwrap --------------------------------------------------------------------------------------------------------

const BLANKS = "\t\n\v\f\r "; // of Python's textwrap, whatever the script

// Words, spaces, and, where hyphens break lines, the parts of hyphenated words and dashes between words, as Python's
// textwrap divides them.
function chunksOf(line, onHyphens) {
	const space = /[\t\n\v\f\r ]+/.source;
	if (!onHyphens) {
		return line.split(new RegExp(`(${space})`)).filter((chunk) => chunk !== "");
	}
	const all = text.chars(line);
	const isBlank = (char) => char === undefined || BLANKS.includes(char);
	const chunks = [];
	for (let at = 0; at < all.length;) {
		let end = at;
		if (isBlank(all[at])) {
			while (end < all.length && isBlank(all[end])) ++end;
		} else {
			end = at + dashAt(all, at);
			end = end > at ? end : wordEnd(all, at, isBlank);
		}
		chunks.push(all.slice(at, end).join(""));
		at = end;
	}
	return chunks;
}

const isWordLetter = (char) => char !== undefined && isWordPart(char) && !isDecimal(char);

// The length of a dash at `at`: two hyphens or more between words; 0 if there is none.
function dashAt(all, at) {
	const before = all[at - 1];
	if (before === undefined || !(isWordPart(before) || "!\"'&.,?".includes(before))) {
		return 0;
	}
	let end = at;
	while (all[end] === "-") ++end;
	return end - at >= 2 && end < all.length && isWordPart(all[end]) ? end - at : 0;
}

// Whether a line may end behind the hyphen at `at`: letters are on both sides.
function breaksBehind(all, at) {
	const before = isWordLetter(all[at - 1]) && (isWordLetter(all[at - 2]) || (all[at - 2] === "-" && isWordLetter(all[at - 3])));
	return before && isWordLetter(all[at + 1]) && isWordLetter(all[at + 2] === "-" ? all[at + 3] : all[at + 2]);
}

// Where a word ends that begins at `at`: at a space, behind a hyphen between letters, or before a dash.
function wordEnd(all, at, isBlank) {
	for (let i = at + 1; ; ++i) {
		if (isBlank(all[i])) {
			return i;
		}
		if (all[i] === "-" && breaksBehind(all, i)) {
			return i + 1;
		}
		if (dashAt(all, i) > 0) {
			return i;
		}
	}
}

// textwrap.wrap() of one line, without expanding tabs or replacing white space.
function wrap(line, width, breakLong, onHyphens) {
	if (width <= 0) {
		raise("ValueError", `invalid width ${width} (must be > 0)`);
	}
	const isBlank = (chunk) => text.trim(chunk) === "";
	const chunks = chunksOf(line, onHyphens).reverse();
	const lines = [];
	while (chunks.length > 0) {
		let current = [];
		let size = 0;
		if (isBlank(chunks[chunks.length - 1]) && lines.length > 0) {
			chunks.pop();
		}
		while (chunks.length > 0 && size + text.length(chunks[chunks.length - 1]) <= width) {
			size += text.length(chunks[chunks.length - 1]);
			current.push(chunks.pop());
		}
		if (chunks.length > 0 && text.length(chunks[chunks.length - 1]) > width) {
			breakWord(chunks, current, size, width, breakLong, onHyphens);
			size = current.reduce((sum, chunk) => sum + text.length(chunk), 0);
		}
		if (current.length > 0 && isBlank(current[current.length - 1])) {
			current.pop();
		}
		if (current.length > 0) {
			lines.push(current.join(""));
		}
	}
	return lines;
}

function breakWord(chunks, current, size, width, breakLong, onHyphens) {
	const left = width < 1 ? 1 : width - size;
	if (!breakLong) {
		if (current.length === 0) {
			current.push(chunks.pop());
		}
		return;
	}
	const chars = text.chars(chunks[chunks.length - 1]);
	let end = left;
	if (onHyphens && chars.length > left) {
		const hyphen = chars.slice(0, left).lastIndexOf("-");
		if (hyphen > 0 && chars.slice(0, hyphen).some((char) => char !== "-")) {
			end = hyphen + 1;
		}
	}
	current.push(chars.slice(0, end).join(""));
	chunks[chunks.length - 1] = chars.slice(end).join("");
}

function wordwrap(value, args) {
	const [width, breakLong, wrapString, onHyphens] = v.bind("wordwrap", args,
		["width", "break_long_words", "wrapstring", "break_on_hyphens"], [v.integer(79), TRUE, v.none, TRUE]);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!(value instanceof v.StringValue)) {
		raise("AttributeError", `'${v.typeName(value)}' object has no attribute 'splitlines'`);
	}
	const by = wrapString instanceof v.NullValue ? "\n" : v.needText(wrapString, "wrapstring");
	const lines = text.splitLines(value.value).map((line) => {
		return wrap(line, v.needInteger(width), v.truth(breakLong), v.truth(onHyphens)).join(by);
	});
	return v.str(lines.join(by));
}

// ---- numbers ---------------------------------------------------------------------------------------------------------

// `toFloat`: Python's float().
function fileSize(toFloat) {
	return (value, args) => {
		const [binary] = v.bind("filesizeformat", args, ["binary"], [FALSE]);
		const bytes = toFloat(value);
		const base = v.truth(binary) ? 1024 : 1000;
		if (bytes === 1) return v.str("1 Byte");
		if (bytes < base) {
			return v.str(`${v.repr(v.integer(Math.trunc(bytes)))} Bytes`);
		}
		const prefixes = v.truth(binary) ? ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
			: ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
		let index = prefixes.findIndex((prefix, i) => bytes < Math.pow(base, i + 2));
		index = index < 0 ? prefixes.length - 1 : index;
		const size = (base * bytes) / Math.pow(base, index + 2);
		return v.str(`${Number.isFinite(size) ? fixed(size, 1) : v.floatText(size)} ${prefixes[index]}`);
	};
}

function random(value, args) {
	v.bind("random", args, []);
	if (v.isUndefined(value)) v.failUndefined(value);
	const size = v.lengthOf(value);
	if (size === 0) {
		return new v.Missing("No random item, sequence was empty.");
	}
	const index = Math.floor(Math.random() * size);
	if (value instanceof v.ObjectValue) {
		const found = value.value.get(v.keyOf(v.integer(index)));
		return found || raise("KeyError", String(index));
	}
	return v.iterate(value)[index];
}

// ---- pprint ----------------------------------------------------------------------------------------------------------

const LINE = 80;

// The entries of a dictionary, sorted by key; keys that cannot be compared are sorted by type.
function sortedEntries(value) {
	const compare = ([a], [b]) => {
		try {
			return v.order(a, b);
		} catch (error) {
			if (!(error instanceof Problem) || error.args[0] !== "TypeError") throw error;
			return text.compare(v.typeName(a), v.typeName(b));
		}
	};
	return v.entries(value).sort(compare);
}

// repr() with sorted dictionaries.
function sortedRepr(value) {
	const type = v.typeName(value);
	if (type === "dict") {
		return `{${sortedEntries(value).map(([key, each]) => `${sortedRepr(key)}: ${sortedRepr(each)}`).join(", ")}}`;
	}
	if (type === "list") return `[${value.value.map(sortedRepr).join(", ")}]`;
	if (type === "tuple") return `(${value.value.map(sortedRepr).join(", ")}${value.value.length === 1 ? "," : ""})`;
	return v.repr(value);
}

// `indent`: the column where the value begins; `allowance`: what follows it on its last line.
function pretty(value, indent, allowance, level) {
	const short = sortedRepr(value);
	if (text.length(short) <= LINE - indent - allowance) {
		return short;
	}
	const inner = indent + 1;
	const rows = (all, end, show) => all.map((each, i) => show(each, i === all.length - 1 ? allowance + end.length : 1)).join(",\n" + " ".repeat(inner)) + end;
	switch (v.typeName(value)) {
		case "dict":
			return "{" + rows(sortedEntries(value), "}", ([key, each], after) => {
				const name = sortedRepr(key);
				return `${name}: ${pretty(each, inner + text.length(name) + 2, after, level + 1)}`;
			});
		case "list":
			return "[" + rows(value.value, "]", (each, after) => pretty(each, inner, after, level + 1));
		case "tuple":
			return "(" + rows(value.value, value.value.length === 1 ? ",)" : ")", (each, after) => pretty(each, inner, after, level + 1));
		case "str":
			return prettyString(value.value, indent, allowance, level);
		default:
			return short;
	}
}

function prettyString(source, outer, outerAllowance, level) {
	const indent = outer + (level === 1 ? 1 : 0);
	const allowance = outerAllowance + (level === 1 ? 1 : 0);
	const width = LINE - indent;
	const lines = text.splitLines(source, true);
	const chunks = [];
	const size = (part) => text.length(v.stringRepr(part));
	lines.forEach((line, i) => {
		const isLast = i === lines.length - 1;
		if (size(line) <= width - (isLast ? allowance : 0)) {
			chunks.push(line);
			return;
		}
		const parts = line.match(/\S*\s*/g).filter((part) => part !== "");
		let current = "";
		parts.forEach((part, j) => {
			if (size(current + part) > width - (isLast && j === parts.length - 1 ? allowance : 0)) {
				if (current !== "") chunks.push(current);
				current = part;
			} else {
				current += part;
			}
		});
		if (current !== "") chunks.push(current);
	});
	if (chunks.length === 1) {
		return v.stringRepr(source);
	}
	const shown = chunks.map(v.stringRepr).join("\n" + " ".repeat(indent));
	return level === 1 ? `(${shown})` : shown;
}

function pprint(value, args) {
	v.bind("pprint", args, []);
	return v.str(pretty(value, 0, 0, 1));
}

// ---- HTML ------------------------------------------------------------------------------------------------------------

function xmlAttributes(value, args, interpreter) {
	const [space] = v.bind("xmlattr", args, ["autospace"], [TRUE]);
	if (v.isUndefined(value)) v.failUndefined(value);
	if (!(value instanceof v.ObjectValue)) {
		raise("AttributeError", `'${v.typeName(value)}' object has no attribute 'items'`);
	}
	const parts = [];
	for (const [key, each] of v.entries(value)) {
		if (each instanceof v.NullValue || v.isUndefined(each)) {
			continue;
		}
		if (!(key instanceof v.StringValue)) {
			raise("TypeError", "expected string or bytes-like object");
		}
		if (/[ \t\n\r\f\v/>=]/.test(key.value)) {
			raise("ValueError", `Invalid character in attribute name: ${v.stringRepr(key.value)}`);
		}
		parts.push(`${escaped(key)}="${escaped(each)}"`);
	}
	const out = (v.truth(space) && parts.length > 0 ? " " : "") + parts.join(" ");
	return interpreter.safeText(out);
}

const DOMAIN = "(?:[\\w%-]+\\.)+";
const ADDRESS = new RegExp(
	`^(?:(?:https?://|www\\.)(?:${DOMAIN})?(?:[a-z]{2,63}|xn--[\\w%]{2,59})|(?:[\\w%-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)|` +
		"https?://(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\[(?:[\\da-f]{0,4}:){2}(?:[\\da-f]{0,4}:?){1,6}\\]))(?::\\d{1,5})?(?:[/?#]\\S*)?$",
	"i"
);
// The expressions see every letter of other scripts as one letter that is none of the rest.
const plain = (word) => text.chars(word).map((char) => (char > "\u007f" && isWordPart(char) ? (isLetter(char) ? "_" : "0") : char)).join("");
const isAddress = (word) => ADDRESS.test(plain(word));
const isMail = (word) => /^\S+@\w[\w.-]*\.\w+$/.test(plain(word));

function count(source, part) {
	return source.split(part).length - 1;
}

// Moves what closes a bracket in `middle` from `tail` to it.
function balanced(middle, tail) {
	for (const [open, close] of [["(", ")"], ["<", ">"], ["&lt;", "&gt;"]]) {
		const opened = count(middle, open);
		if (opened > count(middle, close)) {
			for (let n = Math.min(opened, count(tail, close)); n > 0; --n) {
				const end = tail.indexOf(close) + close.length;
				middle += tail.slice(0, end);
				tail = tail.slice(end);
			}
		}
	}
	return [middle, tail];
}

function linked(word, attributes, shorten, schemes) {
	const head = /^(?:[(<]|&lt;)+/.exec(word);
	let middle = head === null ? word : word.slice(head[0].length);
	let tail = "";
	const after = /(?:[)>.,\n]|&gt;)+$/.exec(middle);
	if (after !== null) {
		tail = after[0];
		middle = middle.slice(0, after.index);
	}
	[middle, tail] = balanced(middle, tail);
	const link = (address, shown, more) => `<a href="${address}"${more}>${shown}</a>`;
	if (isAddress(middle)) {
		const address = /^https?:\/\//.test(middle) ? middle : `https://${middle}`;
		middle = link(address, shorten(middle), attributes);
	} else if (middle.startsWith("mailto:") && isMail(middle.slice(7))) {
		middle = link(middle, middle.slice(7), "");
	} else if (middle.includes("@") && !middle.startsWith("www.") && !middle.includes(":") && isMail(middle)) {
		middle = link(`mailto:${middle}`, middle, "");
	} else {
		for (const scheme of schemes) {
			if (middle !== scheme && middle.startsWith(scheme)) middle = link(middle, middle, attributes);
		}
	}
	return (head === null ? "" : head[0]) + middle + tail;
}

function urlize(value, args, interpreter) {
	const [limit, nofollow, target, rel, extra] = v.bind("urlize", args,
		["trim_url_limit", "nofollow", "target", "rel", "extra_schemes"], [v.none, FALSE, v.none, v.none, v.none]);
	const words = new Set(v.truth(rel) ? v.needText(rel, "rel").split(/\s+/).filter((word) => word !== "") : []);
	if (v.truth(nofollow)) words.add("nofollow");
	words.add("noopener");
	const schemes = v.truth(extra) ? v.iterate(extra).map((scheme) => v.needText(scheme, "scheme")) : [];
	for (const scheme of schemes) {
		if (!/^[\w.+-]{2,}:\/{0,2}$/.test(scheme)) {
			raise("FilterArgumentError", `${v.stringRepr(scheme)} is not a valid URI scheme prefix.`);
		}
	}
	const most = limit instanceof v.NullValue ? Infinity : v.needInteger(limit);
	const shorten = (address) => {
		const all = text.chars(address);
		return all.length > most ? `${v.slice(all, null, most, null).join("")}...` : address;
	};
	const relation = ` rel="${escapeHtml(Array.from(words).sort(text.compare).join(" "))}"`;
	const where = v.truth(target) ? ` target="${escaped(target)}"` : "";
	const parts = escaped(value).split(/(\s+)/);
	return interpreter.safeText(parts.map((word) => linked(word, relation + where, shorten, schemes)).join(""));
}

export const textFilters = (toFloat) => ({
	filesizeformat: fileSize(toFloat),
	pprint,
	random,
	urlize,
	wordwrap,
	xmlattr: xmlAttributes,
});
