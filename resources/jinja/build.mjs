// node build.mjs OUT.js, in the folder where `npm ci` was run: bundles src/main.js and what it imports into one script
// for QJSEngine.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { cwd } from "node:process";
import { fileURLToPath } from "node:url";

const modules = join(cwd(), "node_modules");
const { build } = createRequire(join(cwd(), "package.json"))("esbuild");
const sources = join(dirname(fileURLToPath(import.meta.url)), "src");

await build({
	entryPoints: [join(sources, "main.js")],
	outfile: process.argv[2],
	bundle: true,
	format: "iife",
	target: "es2016",
	charset: "utf8",
	nodePaths: [modules],
	logLevel: "warning",
});
