// Strings as Python sees them: of code points, with Python's idea of white space and of case.

import * as characters from "./characters.js";

const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export function isSpace(char) {
	return SPACES.test(char);
}

// The characters of a text. The engine of Qt 6.4 cuts pairs of surrogates apart when it iterates over a string itself.
export function chars(text) {
	if (!hasPairs(text)) {
		return text.split("");
	}
	const out = [];
	for (let i = 0; i < text.length; ++i) {
		const high = text.charCodeAt(i);
		const low = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
		const pair = high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
		out.push(pair ? text[i] + text[++i] : text[i]);
	}
	return out;
}

// `set`: what to strip, white space if null.
export function trimStart(text, set = null) {
	const points = set === null ? null : chars(set);
	let i = 0;
	while (i < text.length) {
		const point = charAt(text, i);
		if (points === null ? !isSpace(point) : !points.includes(point)) {
			break;
		}
		i += point.length;
	}
	return text.slice(i);
}

export function trimEnd(text, set = null) {
	const points = set === null ? null : chars(set);
	let end = text.length;
	while (end > 0) {
		const low = text.charCodeAt(end - 1);
		const pair = low >= 0xdc00 && low <= 0xdfff && end > 1;
		const point = text.slice(end - (pair ? 2 : 1), end);
		if (points === null ? !isSpace(point) : !points.includes(point)) {
			break;
		}
		end -= point.length;
	}
	return text.slice(0, end);
}

export function trim(text, set = null) {
	return trimEnd(trimStart(text, set), set);
}

function charAt(text, i) {
	return String.fromCodePoint(text.codePointAt(i));
}

function hasPairs(text) {
	return /[\ud800-\udfff]/.test(text);
}

export function length(text) {
	return hasPairs(text) ? chars(text).length : text.length;
}

// An array of characters, or the text itself where both are the same.
export function points(text) {
	return hasPairs(text) ? chars(text) : text;
}

// Negative, 0 or positive, by code points.
export function compare(a, b) {
	if (a === b) {
		return 0;
	}
	if (!hasPairs(a) && !hasPairs(b)) {
		return a < b ? -1 : 1;
	}
	const x = chars(a);
	const y = chars(b);
	for (let i = 0; i < Math.min(x.length, y.length); ++i) {
		if (x[i] !== y[i]) {
			return x[i].codePointAt(0) - y[i].codePointAt(0);
		}
	}
	return x.length - y.length;
}

// Whether the capital sigma at `at` ends a word, where its small letter is another one.
function isFinalSigma(all, at) {
	const next = (i, step) => {
		while (i >= 0 && i < all.length && characters.isCaseIgnorable(all[i])) {
			i += step;
		}
		return i >= 0 && i < all.length && characters.isCased(all[i]);
	};
	return next(at - 1, -1) && !next(at + 1, 1);
}

function lowerAt(all, at) {
	if (all[at] === "\u03a3") {
		return isFinalSigma(all, at) ? "\u03c2" : "\u03c3";
	}
	return all[at].toLowerCase();
}

// str.lower()
export function lower(text) {
	if (!text.includes("\u03a3")) {
		return text.toLowerCase();
	}
	const all = chars(text);
	return all.map((char, i) => lowerAt(all, i)).join("");
}

export function upper(text) {
	return text.toUpperCase();
}

export function capitalize(text) {
	const all = chars(text);
	return all.map((char, i) => (i === 0 ? characters.titleCase(char) : lowerAt(all, i))).join("");
}

// str.title(): a letter behind one that has a case is a small one, any other a capital.
export function titleCase(text) {
	const all = chars(text);
	let inWord = false;
	return all.map((char, i) => {
		const out = inWord ? lowerAt(all, i) : characters.titleCase(char);
		inWord = characters.isCased(char);
		return out;
	}).join("");
}

export function swapCase(text) {
	const all = chars(text);
	return all.map((char, i) => (characters.isUpper(char) ? lowerAt(all, i) : characters.isLower(char) ? char.toUpperCase() : char)).join("");
}

export function caseFold(text) {
	return chars(text).map(characters.caseFold).join("");
}

// str.isupper() and islower(): none of the other kind (title case counts as both), and one of this.
export function isCasedAs(text, isThis, isOther) {
	const all = chars(text);
	return all.some(isThis) && !all.some((char) => isOther(char) || (characters.titleCase(char) === char && characters.isCased(char) && !isThis(char)));
}

export function isTitle(text) {
	let inWord = false;
	let found = false;
	for (const char of chars(text)) {
		const capital = characters.isUpper(char) || (characters.isCased(char) && !characters.isLower(char));
		if (capital && inWord) return false;
		if (characters.isLower(char) && !inWord) return false;
		inWord = characters.isCased(char);
		found = found || inWord;
	}
	return found;
}

// str.expandtabs()
export function expandTabs(text, size) {
	let out = "";
	let column = 0;
	for (const char of chars(text)) {
		if (char === "\t") {
			const spaces = size > 0 ? size - (column % size) : 0;
			out += " ".repeat(spaces);
			column += spaces;
		} else {
			out += char;
			column = char === "\n" || char === "\r" ? 0 : column + 1;
		}
	}
	return out;
}

// str.splitlines()
export function splitLines(text, keepEnds = false) {
	const lines = [];
	const ends = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;
	let begin = 0;
	for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
		lines.push(text.slice(begin, keepEnds ? ends.lastIndex : match.index));
		begin = ends.lastIndex;
	}
	if (begin < text.length) {
		lines.push(text.slice(begin));
	}
	return lines;
}

// str.replace(); `count` < 0: all.
export function replace(text, old, by, count) {
	if (old === "") {
		let out = "";
		let left = count < 0 ? Infinity : count;
		for (const char of chars(text)) {
			out += (left-- > 0 ? by : "") + char;
		}
		return left > 0 ? out + by : out;
	}
	const parts = text.split(old);
	if (count < 0 || count >= parts.length - 1) {
		return parts.join(by);
	}
	return parts.slice(0, count + 1).join(by) + (count < parts.length - 1 ? old + parts.slice(count + 1).join(old) : "");
}
