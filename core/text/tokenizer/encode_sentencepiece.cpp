#include "model/token.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/encoder.h"
#include "text/tokenizer/pair_merger.h"

#include <bit>
#include <cmath>
#include <numeric>

namespace gufo::text {
namespace {

constexpr char32_t kSpaceSymbol = 0x2581; // "▁", which represents a space in SentencePiece

// The pairs of characters that are adjacent in any token. Where two neighbours in the text are not such a pair, no
// merge can join them, so the text divides into short stretches that merge independently and often repeat. As a Bloom
// filter, the set may contain too many pairs, which only makes stretches longer, but never too few.
class PairSet {
public:
    explicit PairSet(const Vocabulary& vocabulary) {
        std::size_t characters = 0;
        for (std::size_t i = 0; i < vocabulary.size(); ++i) {
            characters += vocabulary.text(TokenId(i)).size();
        }
        const std::size_t bits = std::clamp<std::size_t>(std::bit_ceil(characters * 8), 4096, std::size_t{1} << 24U);
        m_words.resize(bits / 64);
        m_shift = 64U - static_cast<unsigned>(std::countr_zero(bits));
        for (std::size_t i = 0; i < vocabulary.size(); ++i) {
            const std::string_view token = vocabulary.text(TokenId(i));
            const char* end = token.data() + token.size();
            char32_t previous = 0;
            for (const char* at = token.data(); at < end;) {
                const Char c = decodeChar(at, end);
                if (at > token.data()) {
                    add(previous, c.code);
                }
                previous = c.code;
                at += c.bytes;
            }
        }
    }

    [[nodiscard]] bool contains(char32_t left, char32_t right) const {
        if (left < 128 && right < 128) {
            return ((m_ascii[left * 2 + right / 64] >> (right % 64)) & 1U) != 0;
        }
        const std::uint64_t bit = bitOf(left, right);
        return ((m_words[bit / 64] >> (bit % 64)) & 1U) != 0;
    }

private:
    void add(char32_t left, char32_t right) {
        if (left < 128 && right < 128) {
            m_ascii[left * 2 + right / 64] |= std::uint64_t{1} << (right % 64);
            return;
        }
        const std::uint64_t bit = bitOf(left, right);
        m_words[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    [[nodiscard]] std::uint64_t bitOf(char32_t left, char32_t right) const {
        constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;
        return (((std::uint64_t{left} << 32U) | right) * kMultiplier) >> m_shift;
    }

    std::array<std::uint64_t, 256> m_ascii{};
    std::vector<std::uint64_t> m_words;
    unsigned m_shift = 0;
};

// Ranks tokens by score: 0 for the highest, equal ranks for equal scores, NaN last.
std::vector<std::uint32_t> ranksByScore(const Vocabulary& vocabulary) {
    const auto scoreOf = [&](std::uint32_t i) {
        const float score = vocabulary.score(TokenId(i));
        return std::isnan(score) ? -INFINITY : score;
    };
    std::vector<std::uint32_t> order(vocabulary.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return scoreOf(a) > scoreOf(b); });
    std::vector<std::uint32_t> ranks(vocabulary.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && scoreOf(order[i]) != scoreOf(order[i - 1])) {
            ++rank;
        }
        ranks[order[i]] = rank;
    }
    return ranks;
}

class SentencePieceEncoder final : public Encoder {
public:
    SentencePieceEncoder(const Vocabulary& vocabulary, bool spacePrefix)
        : m_vocabulary(vocabulary)
        , m_pairs(vocabulary)
        , m_ranks(ranksByScore(vocabulary))
        , m_spacePrefix(spacePrefix) {}

    bool encode(std::string_view text, EncodeSink& sink) const override {
        Scratch scratch;
        const std::size_t first = sink.count();
        const char* end = text.data() + text.size();
        const char* begin = text.data();
        bool prefix = m_spacePrefix && !sink.isContinuation(text);
        while (begin < end) {
            const char* next = stretchEnd(begin, end);
            const std::string_view stretch(begin, static_cast<std::size_t>(next - begin));
            bool go = true;
            if (prefix) {
                go = encodeStretch(stretch, true, scratch, sink);
                prefix = false;
            } else {
                sink.addWord(stretch, [&] { go = encodeStretch(stretch, false, scratch, sink); });
            }
            if (!go || sink.stopAt(begin)) {
                return false;
            }
            begin = next;
        }
        if (const auto unknown = m_vocabulary.specials().unknown) {
            sink.joinRuns(*unknown, first);
        }
        return true;
    }

private:
    struct Scratch {
        std::string written;               // the stretch with U+2581 instead of spaces
        std::vector<std::uint32_t> bounds; // of the symbols in `written`
        PairMerger merger;
    };

    static char32_t symbolOf(char32_t code) { return code == U' ' ? kSpaceSymbol : code; }

    [[nodiscard]] const char* stretchEnd(const char* at, const char* end) const {
        Char c = decodeChar(at, end);
        char32_t left = symbolOf(c.code);
        for (at += c.bytes; at < end; at += c.bytes) {
            c = decodeChar(at, end);
            const char32_t right = symbolOf(c.code);
            if (!m_pairs.contains(left, right)) {
                break;
            }
            left = right;
        }
        return at;
    }

    bool encodeStretch(std::string_view stretch, bool prefix, Scratch& scratch, EncodeSink& sink) const {
        auto& [written, bounds, merger] = scratch;
        written.clear();
        bounds.assign(1, 0);
        const auto symbol = [&](std::string_view bytes) {
            written += bytes;
            bounds.push_back(static_cast<std::uint32_t>(written.size()));
        };
        if (prefix) {
            symbol(kSpaceText);
        }
        const char* end = stretch.data() + stretch.size();
        for (const char* at = stretch.data(); at < end;) {
            const Char c = decodeChar(at, end);
            symbol(c.code == U' ' ? kSpaceText : std::string_view(at, c.bytes));
            at += c.bytes;
        }
        const std::string_view all = written;
        const auto rank = [&](std::uint32_t from, std::uint32_t, std::uint32_t to) {
            if (to - from > m_vocabulary.longestText()) {
                return kNoMerge;
            }
            const auto id = m_vocabulary.find(all.substr(from, to - from));
            return id ? m_ranks[id->value] : kNoMerge;
        };
        if (!merger.merge(bounds, rank, sink.job())) {
            return false;
        }
        std::uint32_t place = sink.offsetOf(stretch.data());
        bool virtualSpace = prefix;
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            const std::string_view token = all.substr(bounds[i], bounds[i + 1] - bounds[i]);
            const std::uint32_t tokenEnd = place + sourceBytes(token, sink.text().substr(place), virtualSpace);
            virtualSpace = false;
            addSymbol(token, place, tokenEnd, sink);
            place = tokenEnd;
        }
        return true;
    }

    // Returns how many bytes of `source` a token covers: where the token has U+2581, the source has a space or U+2581.
    // `virtualSpace`: the first one is not in the source.
    static std::uint32_t sourceBytes(std::string_view token, std::string_view source, bool virtualSpace) {
        std::uint32_t bytes = 0;
        for (std::size_t i = virtualSpace ? kSpaceText.size() : 0; i < token.size();) {
            const bool shortened = source[bytes] == ' ' && token.substr(i).starts_with(kSpaceText);
            bytes += 1;
            i += shortened ? kSpaceText.size() : 1;
        }
        return bytes;
    }

    void addSymbol(std::string_view symbol, std::uint32_t begin, std::uint32_t end, EncodeSink& sink) const {
        if (const auto id = m_vocabulary.find(symbol)) {
            sink.add(*id, begin, end);
            return;
        }
        const bool hasBytes = std::ranges::all_of(
            symbol, [&](char c) { return m_vocabulary.byteToken(static_cast<unsigned char>(c)).has_value(); });
        if (hasBytes) {
            for (const char c : symbol) {
                sink.add(*m_vocabulary.byteToken(static_cast<unsigned char>(c)), begin, end);
            }
            return;
        }
        if (const auto unknown = m_vocabulary.specials().unknown) {
            sink.add(*unknown, begin, end);
        }
    }

    const Vocabulary& m_vocabulary;
    PairSet m_pairs;
    std::vector<std::uint32_t> m_ranks; // by token
    bool m_spacePrefix;
};

} // namespace

std::unique_ptr<const Encoder> makeSentencePieceEncoder(const Vocabulary& vocabulary, bool spacePrefix) {
    return std::make_unique<const SentencePieceEncoder>(vocabulary, spacePrefix);
}

} // namespace gufo::text
