#include "base/byte_order.h"
#include "base/detail.h"
#include "base/error.h"
#include "model/metadata.h"
#include "model/token.h"
#include "model/value_text.h"
#include "text/tokenizer/byte_trie.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/encoder.h"
#include "text/tokenizer/rewritten_text.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {
namespace {

// The normalisation table of a SentencePiece model: replacements of character sequences, chosen by longest match.
//
// Layout (sentencepiece, normalizer.cc): u32 size of the trie in bytes, little-endian; the trie as a Darts-clone double
// array of u32; the replacements, each terminated by a zero byte.
class Charsmap {
public:
    Charsmap() = default; // no replacements
    // Reads tokenizer.ggml.precompiled_charsmap; returns an empty table if there is none. Errors: WrongValueType,
    // Truncated. Links that lead outside the trie end a match.
    [[nodiscard]] static Result<Charsmap> read(const Metadata& metadata);

    struct Replacement {
        std::size_t bytes; // length of the replaced text
        std::string_view by;
    };
    [[nodiscard]] std::optional<Replacement> longest(std::string_view text) const;

private:
    std::vector<std::uint32_t> m_trie;
    std::string m_replacements;
};

// Fields of a unit of Darts-clone's double array.
bool hasLeaf(std::uint32_t unit) { return ((unit >> 8U) & 1U) != 0; }
std::uint32_t valueOf(std::uint32_t unit) { return unit & 0x7FFF'FFFFU; }
std::uint32_t labelOf(std::uint32_t unit) { return unit & 0x8000'00FFU; }
std::uint32_t offsetOf(std::uint32_t unit) { return (unit >> 10U) << ((unit & (1U << 9U)) >> 6U); }

Result<Charsmap> Charsmap::read(const Metadata& metadata) {
    const std::string key = "tokenizer.ggml.precompiled_charsmap";
    const Value* value = metadata.find(key);
    Charsmap map;
    if (value == nullptr) {
        return map;
    }
    const ArrayView* array = asArray(*value);
    const ValueType found = array != nullptr ? array->elementType : typeOf(*value);
    if (array == nullptr || (found != ValueType::UInt8 && found != ValueType::Int8)) {
        return fail(ErrorCode::WrongValueType, Place::key(key),
                    {arrayTypeArgument(ValueType::UInt8), typeArgument(*value)});
    }
    const Bytes bytes = array->bytes;
    if (bytes.empty()) {
        return map;
    }
    const auto truncated = [&](std::uint64_t needed) {
        return fail(ErrorCode::Truncated, Place::key(key), {Detail::NormalisationTable, needed, bytes.size()});
    };
    if (bytes.size() < 4) {
        return truncated(4);
    }
    const std::uint64_t trieBytes = load<std::uint32_t>(bytes.data(), ByteOrder::Little);
    if (trieBytes > bytes.size() - 4) {
        return truncated(trieBytes + 4);
    }
    for (std::uint64_t i = 0; i + 4 <= trieBytes; i += 4) {
        map.m_trie.push_back(load<std::uint32_t>(bytes.data() + 4 + i, ByteOrder::Little));
    }
    const Bytes rest = bytes.subspan(4 + trieBytes);
    map.m_replacements.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
    return map;
}

std::optional<Charsmap::Replacement> Charsmap::longest(std::string_view text) const {
    if (m_trie.empty()) {
        return std::nullopt;
    }
    std::optional<Replacement> best;
    std::uint32_t node = offsetOf(m_trie[0]);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        node ^= byte;
        if (node >= m_trie.size() || labelOf(m_trie[node]) != byte) {
            break;
        }
        const std::uint32_t unit = m_trie[node];
        node ^= offsetOf(unit);
        if (hasLeaf(unit)) {
            if (node >= m_trie.size()) {
                break;
            }
            const std::size_t begin = valueOf(m_trie[node]);
            if (begin < m_replacements.size()) {
                const std::size_t end = m_replacements.find('\0', begin);
                best = {i + 1, std::string_view(m_replacements).substr(begin, end - begin)};
            }
        }
    }
    return best;
}

constexpr std::string_view kReplacementText = "\xEF\xBF\xBD"; // U+FFFD
constexpr double kUnknownPenalty = 10.0;                      // subtracted from the lowest score (SentencePiece)

class UnigramEncoder final : public Encoder {
public:
    UnigramEncoder(const Vocabulary& vocabulary, Charsmap charsmap, bool spacePrefix, bool removeExtraSpaces)
        : m_vocabulary(vocabulary)
        , m_charsmap(std::move(charsmap))
        , m_spacePrefix(spacePrefix)
        , m_removeExtraSpaces(removeExtraSpaces) {
        std::vector<ByteTrie::Entry> entries;
        double lowest = 0;
        for (std::size_t i = 0; i < vocabulary.size(); ++i) {
            const TokenId id(i);
            const TokenType type = vocabulary.type(id);
            if (type == TokenType::Normal || type == TokenType::Undefined) {
                entries.emplace_back(vocabulary.text(id), id.value);
                lowest = std::min(lowest, scoreOf(id));
            }
        }
        m_tokens = ByteTrie(std::move(entries));
        m_unknownScore = lowest - kUnknownPenalty;
    }

    bool encode(std::string_view text, EncodeSink& sink) const override {
        RewrittenText normal;
        if (!normalise(text, normal, sink)) {
            return false;
        }
        return addBestPath(normal, sink);
    }

private:
    [[nodiscard]] double scoreOf(TokenId id) const {
        const double score = m_vocabulary.score(id);
        return std::isfinite(score) ? score : -1e9;
    }

    struct Piece {
        std::size_t bytes; // length of the source
        std::string_view by;
    };
    [[nodiscard]] Piece normalPiece(std::string_view text) const {
        if (const auto replacement = m_charsmap.longest(text)) {
            return {replacement->bytes, replacement->by};
        }
        const Char c = decodeChar(text.data(), text.data() + text.size());
        return {c.bytes, c.code <= kMaxCodePoint ? text.substr(0, c.bytes) : kReplacementText};
    }

    bool normalise(std::string_view text, RewrittenText& normal, EncodeSink& sink) const {
        const std::uint32_t start = sink.offsetOf(text.data());
        bool prefixDue = m_spacePrefix && !sink.isContinuation(text);
        bool afterSpace = m_removeExtraSpaces; // spaces here are redundant
        while (!text.empty()) {
            Piece piece = normalPiece(text);
            const std::uint32_t begin = sink.offsetOf(text.data());
            const TextRange source{begin, begin + static_cast<std::uint32_t>(piece.bytes)};
            text.remove_prefix(piece.bytes);
            if (sink.stopAt(text.data())) {
                return false;
            }
            while (afterSpace && piece.by.starts_with(' ')) {
                piece.by.remove_prefix(1);
            }
            if (piece.by.empty()) {
                continue;
            }
            if (prefixDue) {
                normal.append(kSpaceText, {start, start});
                prefixDue = false;
            }
            for (const char& c : piece.by) {
                normal.append(c == ' ' ? kSpaceText : std::string_view(&c, 1), source);
            }
            afterSpace = m_removeExtraSpaces && piece.by.ends_with(' ');
        }
        while (m_removeExtraSpaces && normal.bytes().ends_with(kSpaceText)) {
            normal.removeSuffix(kSpaceText.size());
        }
        return true;
    }

    // The last token of the best segmentation up to a position (Viterbi algorithm).
    struct Step {
        double score = -INFINITY;
        std::uint32_t from = 0;
        std::uint32_t id = kUnknown;
    };
    static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

    bool addBestPath(const RewrittenText& normal, EncodeSink& sink) const {
        constexpr std::size_t kBytesPerStopCheck = 4096;
        const std::string_view text = normal.bytes();
        const char* end = text.data() + text.size();
        std::vector<Step> steps(text.size() + 1);
        steps[0].score = 0;
        const auto offer = [&](std::size_t to, double score, std::size_t from, std::uint32_t id) {
            if (score > steps[to].score) {
                steps[to] = {score, static_cast<std::uint32_t>(from), id};
            }
        };
        std::size_t nextStopCheck = kBytesPerStopCheck;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t character = decodeChar(text.data() + at, end).bytes;
            bool hasCharacter = false;
            m_tokens.forEach(text.substr(at), [&](ByteTrie::Match match) {
                offer(at + match.bytes, steps[at].score + scoreOf(TokenId(match.number)), at, match.number);
                hasCharacter = hasCharacter || match.bytes == character;
            });
            if (!hasCharacter) {
                offer(at + character, steps[at].score + m_unknownScore, at, kUnknown);
            }
            at += character;
            if (at >= nextStopCheck) {
                nextStopCheck = at + kBytesPerStopCheck;
                if (sink.job().stopRequested()) {
                    return false;
                }
            }
        }
        std::vector<std::uint32_t> ends; // ends of the tokens on the best path, from the last
        for (std::size_t at = text.size(); at > 0; at = steps[at].from) {
            ends.push_back(static_cast<std::uint32_t>(at));
        }
        const std::size_t first = sink.count();
        for (std::size_t i = ends.size(); i-- > 0;) {
            const Step& step = steps[ends[i]];
            addToken(step.id, text.substr(step.from, ends[i] - step.from), normal.source(step.from, ends[i]), sink);
        }
        if (const auto unknown = m_vocabulary.specials().unknown) {
            sink.joinRuns(*unknown, first);
        }
        return true;
    }

    void addToken(std::uint32_t number, std::string_view text, TextRange source, EncodeSink& sink) const {
        if (number != kUnknown) {
            sink.add(TokenId(number), source.begin, source.end);
            return;
        }
        const bool hasBytes = std::ranges::all_of(
            text, [&](char c) { return m_vocabulary.byteToken(static_cast<unsigned char>(c)).has_value(); });
        if (hasBytes) {
            for (const char c : text) {
                sink.add(*m_vocabulary.byteToken(static_cast<unsigned char>(c)), source.begin, source.end);
            }
        } else if (const auto unknown = m_vocabulary.specials().unknown) {
            sink.add(*unknown, source.begin, source.end);
        }
    }

    const Vocabulary& m_vocabulary;
    Charsmap m_charsmap;
    ByteTrie m_tokens;
    double m_unknownScore = 0;
    bool m_spacePrefix;
    bool m_removeExtraSpaces;
};

} // namespace

Result<std::unique_ptr<const Encoder>> makeUnigramEncoder(const Vocabulary& vocabulary, const Metadata& metadata,
                                                          bool spacePrefix) {
    auto charsmap = GUFO_TRY(Charsmap::read(metadata));
    const bool removeExtraSpaces = metadata.boolean("tokenizer.ggml.remove_extra_whitespaces").value_or(false);
    return std::make_unique<const UnigramEncoder>(vocabulary, std::move(charsmap), spacePrefix, removeExtraSpaces);
}

} // namespace gufo::text
