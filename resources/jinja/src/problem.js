// What is wrong with a template, as data: a code, its arguments, and the place. ui/messages/problem_text.cpp has the
// words of every code.

export class Problem extends Error {
	// `place`: {line, column, length}, 1-based, columns in UTF-16 units; null where the interpreter adds it.
	constructor(code, args = [], place = null) {
		super(args.length > 0 ? `${code}: ${args.join(", ")}` : code);
		this.code = code;
		this.args = args;
		this.place = place;
	}
}

// An exception of Python's or Jinja2's kind: "TypeError", "UndefinedError", "SecurityError".
export function raise(type, message) {
	throw new Problem("runtime_error", [type, message]);
}

export function report(problem) {
	const place = problem.place || { line: 0, column: 0, length: 0 };
	return {
		code: problem.code,
		args: problem.args.map(String),
		line: place.line,
		column: place.column,
		length: place.length,
	};
}

export function lastOf(all) {
	return all[all.length - 1];
}

// The name in `known` that `name` was most likely meant to be; "" if none is near.
export function nearest(name, known) {
	let best = "";
	let least = name.length > 5 ? 3 : 2; // one more than the edits allowed
	for (const candidate of known) {
		const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least);
		if (distance < least) {
			least = distance;
			best = candidate;
		}
	}
	return best;
}

// Levenshtein, with the swap of two neighbours as one edit; `limit` or more may be returned as `limit`.
function editDistance(a, b, limit) {
	if (Math.abs(a.length - b.length) >= limit) {
		return limit;
	}
	let beforePrevious = [];
	let previous = [];
	for (let j = 0; j <= b.length; ++j) {
		previous.push(j);
	}
	for (let i = 1; i <= a.length; ++i) {
		const row = [i];
		for (let j = 1; j <= b.length; ++j) {
			const same = a[i - 1] === b[j - 1];
			let cost = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (same ? 0 : 1));
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
				cost = Math.min(cost, beforePrevious[j - 2] + 1);
			}
			row.push(cost);
		}
		beforePrevious = previous;
		previous = row;
	}
	return previous[b.length];
}
