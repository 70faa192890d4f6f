// Whole numbers of any size, which the engine of Qt 6.4 lacks. A number: {negative, limbs}, limbs in base 10^7, the least
// first, none for 0. Python prints none that has more than 4300 digits, about the limit here.

import { Problem } from "./problem.js";

const BASE = 1e7;
const WIDTH = 7;
const LONGEST = 615; // limbs

function trimmed(limbs) {
	let size = limbs.length;
	while (size > 0 && limbs[size - 1] === 0) {
		--size;
	}
	limbs.length = size;
	if (size > LONGEST) {
		throw new Problem("integer_too_large", []);
	}
	return limbs;
}

function made(negative, limbs) {
	return { negative: negative && limbs.length > 0, limbs };
}

export function fromDigits(digits) {
	const negative = digits[0] === "-";
	const limbs = [];
	for (let end = digits.length; end > (negative ? 1 : 0); end -= WIDTH) {
		limbs.push(Number(digits.slice(Math.max(negative ? 1 : 0, end - WIDTH), end)));
	}
	return made(negative, trimmed(limbs));
}

export function toDigits({ negative, limbs }) {
	let text = limbs.length === 0 ? "0" : String(limbs[limbs.length - 1]);
	for (let i = limbs.length - 2; i >= 0; --i) {
		text += String(limbs[i]).padStart(WIDTH, "0");
	}
	return (negative ? "-" : "") + text;
}

// `text`: digits of `radix` without a sign.
export function fromRadix(text, radix) {
	let limbs = [];
	for (const char of text) {
		limbs = addSmall(multiplySmall(limbs, radix), parseInt(char, radix));
	}
	return made(false, trimmed(limbs));
}

// Without a sign.
export function toRadix({ limbs }, radix) {
	let text = "";
	for (let rest = limbs.slice(); rest.length > 0;) {
		const [quotient, digit] = divideSmall(rest, radix);
		text = digit.toString(radix) + text;
		rest = quotient;
	}
	return text || "0";
}

// A whole double.
export function fromNumber(value) {
	let exponent = 0;
	let mantissa = Math.abs(value);
	while (mantissa > Number.MAX_SAFE_INTEGER) {
		mantissa /= 2;
		++exponent;
	}
	const start = fromDigits(String(mantissa));
	const result = multiply(start, power(fromDigits("2"), exponent));
	return made(value < 0, result.limbs);
}

function multiplySmall(limbs, by) {
	const out = [];
	let carry = 0;
	for (const limb of limbs) {
		const value = limb * by + carry;
		out.push(value % BASE);
		carry = Math.floor(value / BASE);
	}
	if (carry > 0) out.push(carry);
	return out;
}

function addSmall(limbs, by) {
	let carry = by;
	for (let i = 0; carry > 0; ++i) {
		const value = (limbs[i] || 0) + carry;
		limbs[i] = value % BASE;
		carry = Math.floor(value / BASE);
	}
	return limbs;
}

function divideSmall(limbs, by) {
	const out = new Array(limbs.length);
	let rest = 0;
	for (let i = limbs.length - 1; i >= 0; --i) {
		const value = rest * BASE + limbs[i];
		out[i] = Math.floor(value / by);
		rest = value % by;
	}
	return [trimmed(out), rest];
}

function compareLimbs(a, b) {
	if (a.length !== b.length) {
		return a.length - b.length;
	}
	for (let i = a.length - 1; i >= 0; --i) {
		if (a[i] !== b[i]) {
			return a[i] - b[i];
		}
	}
	return 0;
}

// Negative, 0 or positive.
export function compare(a, b) {
	if (a.negative !== b.negative) {
		return a.negative ? -1 : 1;
	}
	return a.negative ? compareLimbs(b.limbs, a.limbs) : compareLimbs(a.limbs, b.limbs);
}

function addLimbs(a, b) {
	const out = [];
	let carry = 0;
	for (let i = 0; i < Math.max(a.length, b.length) || carry > 0; ++i) {
		const value = (a[i] || 0) + (b[i] || 0) + carry;
		out.push(value % BASE);
		carry = value >= BASE ? 1 : 0;
	}
	return trimmed(out);
}

// a >= b
function subtractLimbs(a, b) {
	const out = [];
	let borrow = 0;
	for (let i = 0; i < a.length; ++i) {
		const value = a[i] - (b[i] || 0) - borrow;
		out.push(value < 0 ? value + BASE : value);
		borrow = value < 0 ? 1 : 0;
	}
	return trimmed(out);
}

export function add(a, b) {
	if (a.negative === b.negative) {
		return made(a.negative, addLimbs(a.limbs, b.limbs));
	}
	return compareLimbs(a.limbs, b.limbs) >= 0 ? made(a.negative, subtractLimbs(a.limbs, b.limbs))
		: made(b.negative, subtractLimbs(b.limbs, a.limbs));
}

export function negate(a) {
	return made(!a.negative, a.limbs);
}

export function subtract(a, b) {
	return add(a, negate(b));
}

export function multiply(a, b) {
	if (a.limbs.length + b.limbs.length > LONGEST + 1) {
		throw new Problem("integer_too_large", []);
	}
	const out = new Array(a.limbs.length + b.limbs.length).fill(0);
	a.limbs.forEach((x, i) => {
		let carry = 0;
		b.limbs.forEach((y, j) => {
			const value = out[i + j] + x * y + carry;
			out[i + j] = value % BASE;
			carry = Math.floor(value / BASE);
		});
		out[i + b.limbs.length] += carry;
	});
	return made(a.negative !== b.negative, trimmed(out));
}

// `exponent`: a number >= 0.
export function power(base, exponent) {
	let result = fromDigits("1");
	let square = base;
	for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
		if (left % 2 === 1) result = multiply(result, square);
		if (left > 1) square = multiply(square, square);
	}
	return result;
}

// Of magnitudes: [quotient, rest]. Each limb of the quotient is estimated by the leading limbs and then corrected.
function divideLimbs(a, b) {
	if (compareLimbs(a, b) < 0) {
		return [[], a];
	}
	if (b.length === 1) {
		const [quotient, rest] = divideSmall(a, b[0]);
		return [quotient, rest === 0 ? [] : [rest]];
	}
	const scale = Math.floor(BASE / (b[b.length - 1] + 1));
	const divisor = multiplySmall(b, scale);
	const rest = multiplySmall(a, scale);
	rest.push(0);
	const size = divisor.length;
	const quotient = new Array(Math.max(0, rest.length - size)).fill(0);
	const top = divisor[size - 1];
	const second = divisor[size - 2];
	for (let j = rest.length - size - 1; j >= 0; --j) {
		const lead = rest[j + size] * BASE + rest[j + size - 1];
		let digit = Math.min(BASE - 1, Math.floor(lead / top));
		while (digit * second > (lead - digit * top) * BASE + rest[j + size - 2]) {
			--digit;
		}
		let borrow = 0;
		for (let i = 0; i < size; ++i) {
			const value = rest[i + j] - digit * divisor[i] - borrow;
			borrow = value < 0 ? Math.ceil(-value / BASE) : 0;
			rest[i + j] = value + borrow * BASE;
		}
		rest[j + size] -= borrow;
		if (rest[j + size] < 0) {
			--digit;
			let carry = 0;
			for (let i = 0; i < size; ++i) {
				const value = rest[i + j] + divisor[i] + carry;
				rest[i + j] = value % BASE;
				carry = value >= BASE ? 1 : 0;
			}
			rest[j + size] += carry;
		}
		quotient[j] = digit;
	}
	return [trimmed(quotient), divideSmall(trimmed(rest), scale)[0]];
}

// Python's: the quotient is rounded down, the rest has the sign of the divisor.
export function divide(a, b) {
	const [limbs, rest] = divideLimbs(a.limbs, b.limbs);
	const differs = a.negative !== b.negative;
	const quotient = made(differs, limbs);
	const remainder = made(a.negative, rest);
	if (differs && rest.length > 0) {
		return [subtract(quotient, fromDigits("1")), add(remainder, b)];
	}
	return [quotient, remainder];
}

// The double that is nearest to a / b.
export function ratio(a, b) {
	const places = Math.max(0, (b.limbs.length - a.limbs.length + 5) * WIDTH);
	const scaled = multiply({ negative: false, limbs: a.limbs }, power(fromDigits("10"), places));
	const [quotient, rest] = divideLimbs(scaled.limbs, b.limbs);
	// A last digit that says whether a rest is left decides ties.
	const digits = toDigits(made(false, quotient)) + (rest.length > 0 ? "1" : "0");
	return Number(`${a.negative !== b.negative ? "-" : ""}${digits}e${-places - 1}`);
}
