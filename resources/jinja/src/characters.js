// What Python knows about characters. A character is a text of one code point, as text.chars() returns it.

import * as tables from "./unicode.js";

// The first and last codes of the ranges of a table in unicode.js, alternating.
function rangesOf(table) {
	const bounds = [];
	let end = 0;
	for (const part of table.split(" ")) {
		const [distance, length] = part.split(",");
		const first = end + parseInt(distance, 36);
		end = first + (length === undefined ? 0 : parseInt(length, 36));
		bounds.push(first, end);
	}
	return bounds;
}

// The index of the range that holds `code`; -1 if none does.
function find(bounds, code) {
	let low = 0;
	let high = bounds.length / 2;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (bounds[2 * middle + 1] < code) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < bounds.length / 2 && bounds[2 * low] <= code ? low : -1;
}

// A table is unpacked when it is first asked.
function membership(table) {
	let bounds = null;
	return (char) => {
		bounds = bounds || rangesOf(table);
		return find(bounds, char.codePointAt(0)) >= 0;
	};
}

function mapping(table) {
	let map = null;
	return (char) => {
		if (map === null) {
			map = new Map(table.split(" ").map((part) => {
				const [code, text] = part.split("=");
				return [String.fromCodePoint(parseInt(code, 36)), text];
			}));
		}
		return map.get(char);
	};
}

export const isIdentifierStart = membership(tables.IDENTIFIER_START);
export const isIdentifierPart = membership(tables.IDENTIFIER_PART);
export const isLetter = membership(tables.ALPHABETIC);
export const isDecimal = membership(tables.DECIMAL);
const isOtherDigit = membership(tables.DIGIT);
const isOtherNumeric = membership(tables.NUMERIC);
export const isDigit = (char) => isDecimal(char) || isOtherDigit(char);
export const isNumeric = (char) => isDigit(char) || isOtherNumeric(char);
export const isPrintable = membership(tables.PRINTABLE);
export const isUpper = membership(tables.UPPER);
export const isLower = membership(tables.LOWER);
export const isCased = membership(tables.CASED);
export const isCaseIgnorable = membership(tables.CASE_IGNORABLE);
export const isWordPart = (char) => char === "_" || isLetter(char) || isNumeric(char); // \w of Python's re

const otherTitle = mapping(tables.TITLE);
const otherFold = mapping(tables.FOLDED);

export function titleCase(char) {
	const title = otherTitle(char);
	return title === undefined ? char.toUpperCase() : title;
}

export function caseFold(char) {
	const folded = otherFold(char);
	return folded === undefined ? char.toLowerCase() : folded;
}

let decimals = null;

// The value of a decimal digit of any script.
export function decimalValue(char) {
	decimals = decimals || rangesOf(tables.DECIMAL);
	const code = char.codePointAt(0);
	return (code - decimals[2 * find(decimals, code)]) % 10;
}
