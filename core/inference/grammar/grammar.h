// Grammars for constrained output, in the notation that llama.cpp made known as GBNF:
//
//     root   ::= "{" ws pair ("," ws pair)* "}"      # a comment
//     pair   ::= [a-z]+ ":" ws ([0-9]{1,4} | "\u00e9" | .)
//     ws     ::= [ \t\n]*
//     call   ::= <[128010]> [^\]]+ !<[128009]>       # tokens by id or text; any but that one
//
// Literals and classes know \n \r \t \" \\ \[ \] \- \^ \xHH \uHHHH \UHHHHHHHH. * + ? {n} {n,} {n,m} may follow
// anything. A line that begins with | goes on with the rule before it.
//
// A grammar is compiled to a graph over bytes: characters stand in it as the bytes of their UTF-8, so that tokens may
// begin and end inside a character.
//
// Threads: immutable once parsed.
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
    static constexpr std::size_t kMaxNodes = 1'000'000;  // of the graph
    static constexpr std::size_t kMaxNesting = 200;      // groups within groups
    static constexpr std::size_t kMaxStacked = 8;        // repetitions of one thing, as in a+*

    // A place in a rule; what may come next.
    struct Node {
        enum class Kind : std::uint8_t {
            End,   // of the rule
            Bytes, // a byte of ranges[first …], then its target
            Token, // tokens[first], then `next`
            Call,  // rules[first], then `next`
            Split, // any of targets[first …]
        };
        Kind kind = Kind::End;
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
        std::string name; // of an inner one: that of the rule that it belongs to
        std::uint32_t start = 0;
        bool nullable = false;  // matches the empty text
        std::uint32_t rank = 0; // above that of any rule that can begin with this one
    };

    std::vector<Node> nodes;
    std::vector<ByteRange> ranges;
    std::vector<std::uint32_t> targets;
    std::vector<TokenReference> tokens;
    std::vector<Rule> rules;
    std::uint32_t root = 0; // rule

    // Errors: BadSyntax with line and column, also for a rule that is not defined, defined twice, or begins with itself
    // (left recursion), and where there is no rule `root`; LimitExceeded.
    [[nodiscard]] static Result<std::shared_ptr<const Grammar>> parse(std::string_view text,
                                                                      std::string_view root = "root");
};

} // namespace gufo::inference
