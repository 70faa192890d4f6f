// What the engine of Qt 6.4 (ECMAScript 2016) lacks of what the package's runtime and these modules use.
import "core-js/actual/array/at";
import "core-js/actual/global-this";
import "core-js/actual/object/entries";
import "core-js/actual/string/match-all";
import "core-js/actual/string/pad-start";
import "core-js/actual/string/replace-all";
import "core-js/actual/string/trim-end";
import "core-js/actual/string/trim-start";
