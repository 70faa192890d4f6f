// Grammars for constrained output, in the GBNF notation that llama.cpp introduced:
//
//     root   ::= "{" ws pair ("," ws pair)* "}"      # a comment
//     pair   ::= [a-z]+ ":" ws ([0-9]{1,4} | "\u00e9" | .)
//     ws     ::= [ \t\n]*
//     call   ::= <[128010]> [^\]]+ !<[128009]>       # tokens by id or text; any but that one
//
// Literals and classes know the escapes \n \r \t \" \\ \[ \] \- \^ \xHH \uHHHH \UHHHHHHHH. Any item may be followed by
// *, +, ?, {n}, {n,} or {n,m}. A line that begins with | continues the rule before it.
//
// A grammar is compiled to a graph over bytes: a character is represented by its UTF-8 bytes, so that tokens may begin
// and end inside a character.
//
// Thread contract: immutable once parsed.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct Grammar {
    static constexpr std::size_t kMaxBytes = 8U << 20U;  // of the text
    static constexpr std::uint64_t kMaxRepeats = 65'536; // n and m
    static constexpr std::size_t kMaxNodes = 1'000'000;  // in the graph
    static constexpr std::size_t kMaxNesting = 200;      // groups within groups
    static constexpr std::size_t kMaxStacked = 8;        // directly repeated repetitions, as in a+*

    // A position in a rule, and what may come next.
    struct Node {
        enum class Kind : std::uint8_t {
            End,   // of the rule
            Bytes, // one byte from ranges[first …], then the target of its range
            Token, // tokens[first], then `next`
            Call,  // rules[first], then `next`
            Split, // continue at any of targets[first …]
        };
        Kind kind = Kind::End;
        bool distinct = false; // its byte opens an array or object of JSON whose parts must differ
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t next = 0;
    };
    struct ByteRange {
        unsigned char lowest;
        unsigned char highest;
        std::uint32_t target; // node
    };
    struct TokenReference {
        std::optional<std::uint32_t> id{};
        std::string text{}; // where there is no id
        bool negated = false;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
    };
    struct Rule {
        std::string name; // an inner rule has the name of the rule it belongs to
        std::uint32_t start = 0;
        bool nullable = false;  // matches the empty text
        std::uint32_t rank = 0; // greater than the rank of any rule that can begin with this one
    };

    std::string text;         // the source, for engines that parse grammars themselves
    std::string jsonSchema{}; // the schema that it is the translation of; empty: none
    std::vector<Node> nodes;
    std::vector<ByteRange> ranges;
    std::vector<std::uint32_t> targets;
    std::vector<TokenReference> tokens;
    std::vector<Rule> rules;
    std::uint32_t root = 0;      // index of a rule
    bool ends = true;            // whether any text matches; if none does, every text is endless
    bool checksDistinct = false; // whether nodes are `distinct`: then `text` alone does not say everything
    char quote = '"';            // around strings in arrays and objects whose parts must differ

    // Errors: BadSyntax with line and column, also for a rule that is undefined, defined twice or left-recursive, and
    // where there is no rule `root`; LimitExceeded.
    [[nodiscard]] static Result<std::shared_ptr<const Grammar>> parse(std::string_view text,
                                                                      std::string_view root = "root");
};

} // namespace gufo::inference
