// How tool calls write the list of their arguments, and values that are not JSON: f(x='it', y=True), f{x:1}, or
// <parameter=x>1</parameter>. SchemaCompiler takes it into account, so that grammars of such calls follow the schemas
// of the tools (parseArgumentSchema).
//
// Thread contract: immutable values; pure functions.
#pragma once

#include "base/json_value.h"
#include "inference/grammar/automaton.h"
#include "text/conversation/tool_schemas.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct ValueNotation {
    std::string quote = "\""; // around strings
    bool escapes = true;      // in strings, as in JSON; otherwise a backslash only precedes a quotation mark
    bool bareNames = false;   // names of members that are identifiers have no quotes
    bool python = false;      // True, False and None
    bool operator==(const ValueNotation&) const = default;

    // A single quotation mark, which a backslash can precede.
    [[nodiscard]] bool hasPlainQuote() const { return quote.size() == 1; }
    // What tells strings apart where the parts of a list are compared (DistinctValues).
    [[nodiscard]] char distinctQuote() const;
};

// The outermost object. All texts but `rawEnd` are pieces of a grammar.
struct ArgumentNotation {
    ValueNotation values{};
    std::string open{};
    std::string close{};
    std::string comma{}; // between arguments
    std::string beforeName{};
    struct Opening {
        std::string text;
        std::optional<bool> isString{}; // if strings have another one than other values
    };
    std::vector<Opening> afterName{};
    std::string afterValue{};
    // Strings are written as they are, and end before this text; other values are JSON. Empty: they are written as
    // `values` says.
    std::string rawEnd{};
    // The JSON types that the schema allows for an argument. The reader of raw strings converts to one of them.
    std::function<text::JsonTypes(std::string_view name)> typesOf{};
};

// The texts after which `end` is found where it follows them, and not before.
[[nodiscard]] Automaton textsBefore(std::string_view end);
// Accepts every raw string that a reader would convert to one of these types instead of keeping it a string, and
// possibly more. Adds the number of construction steps to `work`.
[[nodiscard]] Automaton readAsOthers(text::JsonTypes types, std::size_t& work);
// Names that need no quotes.
[[nodiscard]] bool isIdentifier(std::string_view name);
[[nodiscard]] Automaton identifiers(std::size_t& work);

// The strings that the notation can write. `unique`: only the strings that are compared correctly as parts of a list.
[[nodiscard]] std::optional<Automaton> writableStrings(const ValueNotation& notation, bool unique);
// Matches a character of the set inside a string.
[[nodiscard]] std::string characterOf(const CodeSet& set, const ValueNotation& notation);
// Returns the value as a literal of a grammar, nothing if the notation cannot write it. `canonical`: in its only
// spelling (canonicalJson).
[[nodiscard]] std::optional<std::string> literalOf(const JsonValue& value, const ValueNotation& notation,
                                                   bool canonical);
// Returns the rules of commonJsonRules() for the notation. `string` and `plainString` match a whole string, `name` the
// name of a member.
[[nodiscard]] std::string notationRules(const ValueNotation& notation, const std::string& string,
                                        const std::string& plainString, const std::string& name);

} // namespace gufo::inference
