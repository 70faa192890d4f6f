// What every template can call: Jinja2's globals and those that Hugging Face transformers adds.

import { Scope } from "./interpreter.js";
import { Problem, raise } from "./problem.js";
import { strftime } from "./strftime.js";
import * as v from "./values.js";

const RANGE_LIMIT = 100000; // of Jinja2's sandbox

function range(args) {
	const bounds = v.bind("range", args, ["start", "stop", "step"], [v.none, v.none]);
	const [first, second, third] = bounds.map((bound) => (bound instanceof v.NullValue ? null : v.needInteger(bound)));
	const start = second === null ? 0 : first;
	const stop = second === null ? first : second;
	const step = third === null ? 1 : third;
	if (step === 0) {
		raise("ValueError", "range() arg 3 must not be zero");
	}
	if (Math.ceil((stop - start) / step) > RANGE_LIMIT) {
		raise("OverflowError", `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${RANGE_LIMIT}).`);
	}
	return new v.RangeValue(start, stop, step);
}

function pairOf(element, index) {
	const pair = v.iterate(element);
	if (pair.length !== 2) {
		raise("ValueError", `dictionary update sequence element #${index} has length ${pair.length}; 2 is required`);
	}
	return pair;
}

// The map of dict() and namespace(): one mapping or pairs, and keywords.
function mapping(name, args) {
	const given = args.slice();
	const keywords = given[given.length - 1] instanceof v.KeywordArgumentsValue ? given.pop().value : new Map();
	if (given.length > 1) {
		raise("TypeError", `${name} expected at most 1 argument, got ${given.length}`);
	}
	const object = new v.ObjectValue(new Map());
	if (given.length === 1) {
		if (v.isUndefined(given[0])) v.failUndefined(given[0]);
		const pairs = given[0] instanceof v.ObjectValue ? v.entries(given[0]) : v.iterate(given[0]).map(pairOf);
		for (const [key, value] of pairs) {
			v.setEntry(object, key, value);
		}
	}
	for (const [key, value] of keywords) {
		object.value.set(key, value);
	}
	return object;
}

function cycler(args) {
	if (args.length === 0) raise("RuntimeError", "at least one item has to be provided");
	let at = 0;
	const self = new v.NamespaceValue(new Map());
	const update = () => self.value.set("current", args[at]);
	self.value.set("next", new v.FunctionValue(() => {
		const now = args[at];
		at = (at + 1) % args.length;
		update();
		return now;
	}));
	self.value.set("reset", new v.FunctionValue(() => {
		at = 0;
		update();
		return v.none;
	}));
	update();
	return self;
}

function joiner(args) {
	const [by] = v.bind("joiner", args, ["sep"], [v.str(", ")]);
	let used = false;
	return new v.FunctionValue(() => {
		const first = !used;
		used = true;
		return first ? v.str("") : by;
	});
}

const LATIN =
	"lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua enim ad " +
	"minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit " +
	"voluptate velit esse cillum eu fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia " +
	"deserunt mollit anim id est laborum";

const below = (from, to) => from + Math.floor(Math.random() * (to - from));

// A paragraph of sentences of 4 to 12 words by chance.
function latin(length) {
	const words = LATIN.split(" ");
	let paragraph = "";
	for (let i = 0, end = 0; i < length; ++i) {
		const word = words[below(0, words.length)];
		const begins = i === end;
		if (begins) end = Math.min(length, i + below(4, 13));
		paragraph += (i > 0 ? " " : "") + (begins ? word[0].toUpperCase() + word.slice(1) : word) + (i + 1 === end ? "." : "");
	}
	return paragraph;
}

function lipsum(args) {
	const [n, html, min, max] = v.bind("lipsum", args, ["n", "html", "min", "max"], [v.integer(5), v.bool(true), v.integer(20), v.integer(100)]);
	const [lowest, highest] = [v.needInteger(min), v.needInteger(max)];
	if (highest <= lowest) {
		raise("ValueError", `empty range for randrange() (${lowest}, ${highest}, ${highest - lowest})`);
	}
	const paragraphs = Array.from({ length: Math.max(0, Math.min(v.needInteger(n), RANGE_LIMIT)) }, () => latin(below(lowest, highest)));
	return v.truth(html) ? new v.MarkupValue(paragraphs.map((each) => `<p>${each}</p>`).join("\n")) : v.str(paragraphs.join("\n\n"));
}

export function makeGlobals(now) {
	const scope = new Scope();
	const define = (name, run) => scope.setVariable(name, new v.FunctionValue(run));
	for (const [name, value] of [["true", v.bool(true)], ["false", v.bool(false)], ["none", v.none]]) {
		scope.setVariable(name, value);
		scope.setVariable(name[0].toUpperCase() + name.slice(1), value);
	}
	define("range", range);
	define("dict", (args) => mapping("dict", args));
	define("namespace", (args) => new v.NamespaceValue(mapping("namespace", args).value));
	define("cycler", cycler);
	define("joiner", joiner);
	define("lipsum", lipsum);
	define("raise_exception", (args) => {
		throw new Problem("raised", [v.toText(v.bind("raise_exception", args, ["message"])[0])]);
	});
	define("strftime_now", (args) => v.str(strftime(v.needText(v.bind("strftime_now", args, ["format"])[0], "strftime() argument 1"), now)));
	return scope;
}
