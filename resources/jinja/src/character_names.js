// "\N{EM DASH}": a character by its name in Unicode, of the blocks that unicode_tables.py lists.

import { NAMES, NAME_WORDS } from "./unicode.js";

const INITIALS = ["G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T", "P", "H"];
const VOWELS = [
	"A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO", "WE", "WI", "YU", "EU", "YI", "I",
];
const FINALS = [
	"", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT", "LP", "LH", "M", "B", "BS", "S", "SS", "NG", "J",
	"C", "K", "T", "P", "H",
];
const IDEOGRAPHS = [[0x3400, 0x4dbf], [0x4e00, 0x9fff], [0x20000, 0x2a6df]];

let codes = null;

function namedCodes() {
	const words = NAME_WORDS.split(" ");
	const found = new Map();
	for (const [first, text] of NAMES) {
		text.split(";").forEach((name, i) => {
			const full = name.replace(/[\u4e00-\u9fff]/g, (char) => words[char.charCodeAt(0) - 0x4e00]);
			if (full !== "") found.set(full, first + i);
		});
	}
	return found;
}

function syllable(name) {
	for (let initial = 0; initial < INITIALS.length; ++initial) {
		for (let vowel = 0; vowel < VOWELS.length; ++vowel) {
			const start = INITIALS[initial] + VOWELS[vowel];
			const final = name.startsWith(start) ? FINALS.indexOf(name.slice(start.length)) : -1;
			if (final >= 0) {
				return 0xac00 + (initial * VOWELS.length + vowel) * FINALS.length + final;
			}
		}
	}
	return null;
}

// null if no character has the name.
export function characterNamed(name) {
	const upper = name.toUpperCase();
	codes = codes || namedCodes();
	let code = codes.has(upper) ? codes.get(upper) : null;
	if (name.startsWith("CJK UNIFIED IDEOGRAPH-")) {
		const digits = name.slice(22);
		const value = /^[0-9A-F]{4,5}$/.test(digits) ? parseInt(digits, 16) : 0;
		code = IDEOGRAPHS.some(([first, last]) => value >= first && value <= last) ? value : null;
	} else if (name.startsWith("HANGUL SYLLABLE ")) {
		code = syllable(name.slice(16));
	}
	return code === null ? null : String.fromCodePoint(code);
}
