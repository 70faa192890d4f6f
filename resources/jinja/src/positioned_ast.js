// The syntax tree of @huggingface/jinja with places: build.mjs gives this module to the package's parser and runtime in
// the stead of its own "./ast". A node stands where the part of it stands that a message would name: an operator, a
// filter's name, a called function.

import * as ast from "@huggingface/jinja/src/ast.ts";
import { lastRead } from "./lexer.js";

// Places of the loop variables of `for … recursive`: the parser does not know the word, tags.js takes it out.
export const recursiveLoops = new Set();

function placed(Base, placeOf) {
	return class extends Base {
		constructor(...args) {
			super(...args);
			const place = placeOf ? placeOf(...args) : null;
			this.place = place || (lastRead.token === null ? null : lastRead.token.place);
		}
	};
}

const ofFirst = (first) => first.place;
const ofSecond = (first, second) => second.place || first.place;
const ofThird = (first, second, third) => third.place || first.place;
const ofElements = (elements) => (elements.length > 0 ? elements[0].place : null);

export const Statement = ast.Statement;
export const Expression = ast.Expression;
export const Program = ast.Program;
export const If = placed(ast.If, ofFirst);
export const Break = placed(ast.Break);
export const Continue = placed(ast.Continue);
export const SetStatement = placed(ast.SetStatement, ofFirst);
export const Macro = placed(ast.Macro, ofFirst);
export const Comment = ast.Comment;
export const MemberExpression = placed(ast.MemberExpression, ofSecond);
export const CallExpression = placed(ast.CallExpression, ofFirst);
export const Identifier = placed(ast.Identifier);
// A double does not hold more than 2^53; the digits as written do.
export class IntegerLiteral extends placed(ast.IntegerLiteral) {
	constructor(value) {
		super(value);
		this.digits = Number.isSafeInteger(value) ? null : lastRead.token.word;
	}
}
export const FloatLiteral = placed(ast.FloatLiteral);
export const StringLiteral = placed(ast.StringLiteral);
export const ArrayLiteral = placed(ast.ArrayLiteral, ofElements);
export const TupleLiteral = placed(ast.TupleLiteral, ofElements);
export const ObjectLiteral = placed(ast.ObjectLiteral);
export const BinaryExpression = placed(ast.BinaryExpression, (operator, left) => operator.place || left.place);
export const FilterExpression = placed(ast.FilterExpression, ofSecond);
export const FilterStatement = placed(ast.FilterStatement, ofFirst);
export const SelectExpression = placed(ast.SelectExpression, ofFirst);
export const TestExpression = placed(ast.TestExpression, ofThird);
export const UnaryExpression = placed(ast.UnaryExpression, ofFirst);
export const SliceExpression = placed(ast.SliceExpression);
export const KeywordArgumentExpression = placed(ast.KeywordArgumentExpression, ofFirst);
export const SpreadExpression = placed(ast.SpreadExpression, ofFirst);
export const KeywordSpreadExpression = placed(ast.KeywordSpreadExpression, ofFirst);
export const CallStatement = placed(ast.CallStatement, ofFirst);
export const Ternary = placed(ast.Ternary, ofSecond);

export class For extends placed(ast.For, ofSecond) {
	constructor(loopvar, iterable, body, defaultBlock) {
		super(loopvar, iterable, body, defaultBlock);
		this.recursive = recursiveLoops.has(loopvar.place);
	}
}
