// The texts of a vocabulary as a trie of bytes, stored in preorder.
//
// Thread contract: immutable once made.
#pragma once

#include "model/index.h"
#include "text/tokenizer/tokenizer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gufo::inference {

class TokenTrie {
public:
    // Tokens with empty text (control tokens …) are left out.
    explicit TokenTrie(const text::Tokenizer& tokenizer);

    // Nodes are in preorder: the descendants of a node follow it, up to node `end`. The tokens of a node extend from
    // `tokens` to the next node's `tokens`, so those of a whole subtree are contiguous.
    struct Node {
        std::uint32_t end;
        std::uint32_t tokens;
        std::uint16_t depth; // in bytes; counts from 1
        unsigned char byte;
    };
    [[nodiscard]] std::span<const Node> nodes() const { return {m_nodes.data(), m_nodes.size() - 1}; }
    // Returns the tokens of the nodes [from, to).
    [[nodiscard]] std::span<const std::uint32_t> tokens(std::size_t from, std::size_t to) const {
        return {m_tokens.data() + m_nodes[from].tokens, m_nodes[to].tokens - std::size_t{m_nodes[from].tokens}};
    }
    // Which kinds of bytes occur below a node: bit kindOf(byte) for each kind, and kMalformed if a text below it, read
    // from this node on, is not well-formed UTF-8 (it may end within a character).
    [[nodiscard]] std::uint64_t kindsBelow(std::size_t node) const { return m_kinds[node]; }
    static constexpr std::uint64_t kMalformed = std::uint64_t{1} << 63U;
    static constexpr std::uint64_t kNotAscii = 0b11;          // kinds of bytes of characters beyond ASCII
    [[nodiscard]] static unsigned kindOf(unsigned char byte); // < 63

    [[nodiscard]] std::size_t vocabulary() const { return m_vocabulary; } // number of tokens
    [[nodiscard]] std::string_view text(std::uint32_t token) const {
        return std::string_view(m_bytes).substr(m_begins[token], m_begins[token + 1] - m_begins[token]);
    }

private:
    std::size_t m_vocabulary;
    std::string m_bytes; // of all tokens
    std::vector<std::uint32_t> m_begins;
    std::vector<Node> m_nodes; // and an end marker
    std::vector<std::uint64_t> m_kinds;
    std::vector<std::uint32_t> m_tokens;
};

} // namespace gufo::inference
