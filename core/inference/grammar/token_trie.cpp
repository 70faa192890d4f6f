#include "inference/grammar/token_trie.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

constexpr std::size_t kLongest = 0xFFFF; // bytes of a token; longer tokens are never allowed

// Letters and digits, control characters, and bytes of characters beyond ASCII form one kind each, because a grammar
// that allows much seldom distinguishes them. Each punctuation character is its own kind.
constexpr std::array<std::uint8_t, 256> makeKinds() {
    std::array<std::uint8_t, 256> kinds{};
    std::uint8_t next = 6;
    for (unsigned byte = 0; byte < 256; ++byte) {
        kinds[byte] = byte >= 0x80 && byte < 0xC0 ? 0
                      : byte >= 0xC0              ? 1
                      : byte < 0x20               ? 2
                      : isAsciiLetter(byte)       ? 3
                      : isAsciiDigit(byte)        ? 4
                      : byte == 0x7F              ? 5
                                                  : next++;
    }
    return kinds;
}
constexpr auto kKinds = makeKinds();
static_assert(std::ranges::max(kKinds) < 63);

// Returns the offset from which the text is well-formed UTF-8 or the beginning of it.
std::size_t wellFormedFrom(std::string_view text) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        const Char c = decodeChar(rest);
        i += c.bytes;
        if (!c.isValid()) {
            if (incompleteTail(rest) == rest.size()) {
                break;
            }
            from = i;
        }
    }
    return from;
}

} // namespace

unsigned TokenTrie::kindOf(unsigned char byte) { return kKinds[byte]; }

TokenTrie::TokenTrie(const text::Tokenizer& tokenizer)
    : m_vocabulary(tokenizer.vocabulary().size())
    , m_begins{0} {
    const text::Vocabulary& vocabulary = tokenizer.vocabulary();
    for (std::size_t i = 0; i < m_vocabulary; ++i) {
        const TokenType type = vocabulary.type(TokenId(i));
        if (type != TokenType::Control && type != TokenType::Unknown) {
            m_bytes += tokenizer.bytesOf(TokenId(i));
        }
        m_begins.push_back(static_cast<std::uint32_t>(m_bytes.size()));
        if (const std::size_t length = text(static_cast<std::uint32_t>(i)).size(); length > 0 && length <= kLongest) {
            m_tokens.push_back(static_cast<std::uint32_t>(i));
        }
    }
    std::ranges::sort(m_tokens, {}, [&](std::uint32_t token) { return std::pair(text(token), token); });

    std::vector<std::uint32_t> path;     // the ancestors of the current node
    std::vector<std::uint16_t> goodFrom; // the depth from which everything below a node is well-formed
    const auto close = [&](std::size_t depth) {
        while (path.size() > depth) {
            const std::uint32_t node = path.back();
            m_nodes[node].end = static_cast<std::uint32_t>(m_nodes.size());
            path.pop_back();
            if (goodFrom[node] > path.size() + 1) {
                m_kinds[node] |= kMalformed;
            }
            if (!path.empty()) {
                std::uint64_t& kinds = m_kinds[path.back()];
                kinds |= (m_kinds[node] & ~kMalformed) | std::uint64_t{1} << kindOf(m_nodes[node].byte);
                kinds |= isContinuationByte(static_cast<char>(m_nodes[node].byte)) ? kMalformed : 0;
                goodFrom[path.back()] = std::max(goodFrom[path.back()], goodFrom[node]);
            }
        }
    };
    std::string_view before;
    for (std::uint32_t i = 0; i < m_tokens.size(); ++i) {
        const std::string_view current = text(m_tokens[i]);
        const auto [a, b] = std::ranges::mismatch(before, current);
        close(static_cast<std::size_t>(a - before.begin()));
        while (path.size() < current.size()) {
            const auto byte = static_cast<unsigned char>(current[path.size()]);
            path.push_back(static_cast<std::uint32_t>(m_nodes.size()));
            m_nodes.push_back({.end = 0, .tokens = i, .depth = static_cast<std::uint16_t>(path.size()), .byte = byte});
            m_kinds.push_back(0);
            goodFrom.push_back(0);
        }
        goodFrom[path.back()] = static_cast<std::uint16_t>(wellFormedFrom(current));
        before = current;
    }
    close(0);
    const auto count = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back({.end = count + 1, .tokens = static_cast<std::uint32_t>(m_tokens.size()), .depth = 0, .byte = 0});
}

} // namespace gufo::inference
