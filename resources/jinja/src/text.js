// Strings as Python sees them: of code points, with Python's idea of white space.

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

export function capitalize(text) {
	const all = chars(text);
	return all.length === 0 ? "" : all[0].toUpperCase() + all.slice(1).join("").toLowerCase();
}

const LETTER = /[A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u02c1\u0370-\u0373\u0376-\u03ff\u0400-\u0481\u048a-\u052f\u0531-\u0556\u0561-\u0587\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u10a0-\u10ff\u1e00-\u1fff\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]/;

export function isLetter(char) {
	return LETTER.test(char);
}

// str.title(): a letter after a non-letter is upper case, one after a letter lower case.
export function titleCase(text) {
	let out = "";
	let inWord = false;
	for (const char of chars(text)) {
		out += inWord ? char.toLowerCase() : char.toUpperCase();
		inWord = char.toLowerCase() !== char.toUpperCase() || isLetter(char);
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
