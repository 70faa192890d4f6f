// str.encode() and bytes.decode(): UTF-8, ASCII and Latin-1.

import { raise } from "./problem.js";
import { chars } from "./text.js";

const NAMES = {
	"utf-8": "utf-8", utf8: "utf-8", u8: "utf-8", "ascii": "ascii", "us-ascii": "ascii", "latin-1": "latin-1", latin1: "latin-1",
	"iso-8859-1": "latin-1", "iso8859-1": "latin-1",
};

function utf8(code) {
	if (code < 0x80) return [code];
	if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
	if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
	return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
}

function hex(code) {
	const [letter, digits] = code > 0xffff ? ["U", 8] : code > 0xff ? ["u", 4] : ["x", 2];
	return "\\" + letter + code.toString(16).padStart(digits, "0");
}

const bytesOf = (text) => text.split("").map((char) => char.charCodeAt(0));

// An array of bytes.
export function encode(text, encoding, errors) {
	const name = NAMES[encoding.toLowerCase().replace(/_/g, "-")];
	if (name === undefined) {
		raise("LookupError", `unknown encoding: ${encoding}`);
	}
	const limit = { ascii: 0x80, "latin-1": 0x100, "utf-8": Infinity }[name];
	const out = [];
	chars(text).forEach((char, at) => {
		const code = char.codePointAt(0);
		const isSurrogate = name === "utf-8" && code >= 0xd800 && code <= 0xdfff;
		if (code < limit && !isSurrogate) {
			out.push(...(name === "utf-8" ? utf8(code) : [code]));
		} else if (errors === "replace") {
			out.push(63);
		} else if (errors === "xmlcharrefreplace") {
			out.push(...bytesOf(`&#${code};`));
		} else if (errors === "backslashreplace") {
			out.push(...bytesOf(hex(code)));
		} else if (errors !== "ignore") {
			const reason = isSurrogate ? "surrogates not allowed" : `ordinal not in range(${limit})`;
			raise("UnicodeEncodeError", `'${name}' codec can't encode character '${hex(code)}' in position ${at}: ${reason}`);
		}
	});
	return out;
}

// The text of bytes in UTF-8.
export function decode(bytes) {
	const escaped = bytes.map((byte) => "%" + byte.toString(16).padStart(2, "0")).join("");
	try {
		return decodeURIComponent(escaped);
	} catch (error) {
		return raise("UnicodeDecodeError", "'utf-8' codec can't decode bytes");
	}
}
