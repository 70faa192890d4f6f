#include "model/token.h"
#include "text/tokenizer/encoder.h"
#include "text/tokenizer/pair_merger.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"
#include "text/tokenizer/rewritten_text.h"

#include <array>

namespace gufo::text {
namespace {

constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";

// Looks up the rank of a merge by its two symbols.
class MergeTable {
public:
    [[nodiscard]] static Result<MergeTable> read(const Metadata& metadata, const JobContext& job) {
        auto merges = GUFO_TRY(StringList::read(metadata, kMergesKey, job));
        MergeTable table;
        table.m_merges = std::move(merges);
        table.m_index = StringIndex(table.m_merges.size());
        for (std::size_t i = 0; i < table.m_merges.size(); ++i) {
            const std::string_view merge = table.m_merges[i];
            const std::size_t space = merge.find(' ', 1);
            if (space == std::string_view::npos) {
                continue;
            }
            const std::string_view left = merge.substr(0, space);
            const std::string_view right = merge.substr(space + 1);
            table.m_joinsWords = table.m_joinsWords || (right.starts_with(kSpaceText) && !left.ends_with(kSpaceText));
            if (table.rank(left, right) == kNoMerge) {
                table.m_index.add(hashOf(left, right), static_cast<std::uint32_t>(i));
                table.m_longest = std::max(table.m_longest, left.size() + right.size());
            }
        }
        return table;
    }

    [[nodiscard]] std::uint32_t rank(std::string_view left, std::string_view right) const {
        if (left.size() + right.size() > m_longest) {
            return kNoMerge;
        }
        const auto found = m_index.find(hashOf(left, right), [&](std::uint32_t i) {
            const std::string_view merge = m_merges[i];
            return merge.size() == left.size() + 1 + right.size() && merge.starts_with(left) &&
                   merge[left.size()] == ' ' && merge.ends_with(right);
        });
        return found.value_or(kNoMerge);
    }

    // Whether a merge has U+2581 after another character, so that words cannot be encoded independently.
    [[nodiscard]] bool joinsWords() const { return m_joinsWords; }

private:
    static std::uint64_t hashOf(std::string_view left, std::string_view right) {
        return hashBytes(left) * 31 + hashBytes(right);
    }

    StringList m_merges;
    StringIndex m_index;
    std::size_t m_longest = 0;
    bool m_joinsWords = false;
};

// Calls `word(std::string_view)` for each run of spaces (or U+2581) with the text after it. Returns false if `word`
// did.
template<typename Word>
bool splitBeforeSpaces(std::string_view text, const Word& word) {
    const auto spaceBytes = [&](std::size_t at) {
        return text[at] == ' ' ? 1 : text.substr(at).starts_with(kSpaceText) ? kSpaceText.size() : std::size_t{0};
    };
    std::size_t begin = 0;
    bool afterSpace = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t space = spaceBytes(at);
        if (space > 0 && !afterSpace) {
            if (!word(text.substr(begin, at - begin))) {
                return false;
            }
            begin = at;
        }
        afterSpace = space > 0;
        at += std::max<std::size_t>(space, 1);
    }
    return begin == text.size() || word(text.substr(begin));
}

class BpeEncoder final : public Encoder {
public:
    BpeEncoder(const Vocabulary& vocabulary, MergeTable merges, bool ranksAreIds, const BpeOptions& options)
        : m_vocabulary(vocabulary)
        , m_merges(std::move(merges))
        , m_ranksAreIds(ranksAreIds)
        , m_options(options)
        , m_rule(*options.rule)
        , m_wordsApart(m_rule.writing == Writing::Utf8SpaceMarks && !m_merges.joinsWords()) {}

    bool encode(std::string_view text, EncodeSink& sink) const override {
        Scratch scratch;
        const auto encodeOne = [&](std::string_view word) {
            bool go = true;
            sink.addWord(word, [&] { go = encodeWord(word, scratch, sink); });
            return go && !sink.stopAt(word.data());
        };
        // If no merge joins two words, words are encoded one by one, so that equal ones are encoded only once.
        const auto encodePiece = [&](std::string_view piece) {
            return m_wordsApart ? splitBeforeSpaces(piece, encodeOne) : encodeOne(piece);
        };
        if (!m_options.dropSpaces) {
            return splitWords(m_rule.stages, text, encodePiece);
        }
        const char* end = text.data() + text.size();
        for (Match run{text.data(), text.data()}; run.end < end;) {
            run = scan::notSpace(run.end, end);
            if (!splitWords(m_rule.stages, {run.begin, run.end}, encodePiece)) {
                return false;
            }
        }
        return true;
    }

private:
    struct Scratch {
        std::string written;     // the word in the vocabulary's alphabet
        RewrittenText rewritten; // the same for vocabularies in UTF-8
        std::u32string folded;
        std::vector<std::uint32_t> bounds;
        PairMerger merger;
    };

    bool encodeWord(std::string_view word, Scratch& scratch, EncodeSink& sink) const {
        return m_rule.writing == Writing::ByteAlphabet ? encodeBytes(word, scratch, sink)
                                                       : encodeUtf8(word, scratch, sink);
    }

    // Returns the token of a whole word, where the rule uses it without merging.
    [[nodiscard]] std::optional<TokenId> wholeWord(std::string_view written) const {
        const bool whole = m_rule.ignoreMerges || m_ranksAreIds ||
                           (m_rule.wholeLineBreaks && written.find_first_not_of('\n') == std::string_view::npos);
        return whole ? m_vocabulary.find(written) : std::nullopt;
    }

    // Returns false on a stop request.
    bool merge(std::string_view all, Scratch& scratch, EncodeSink& sink) const {
        if (m_ranksAreIds) {
            const auto rank = [&](std::uint32_t from, std::uint32_t, std::uint32_t end) {
                const auto id = m_vocabulary.find(all.substr(from, end - from));
                return id ? id->value : kNoMerge;
            };
            return scratch.merger.merge(scratch.bounds, rank, sink.job());
        }
        const auto rank = [&](std::uint32_t from, std::uint32_t middle, std::uint32_t end) {
            return m_merges.rank(all.substr(from, middle - from), all.substr(middle, end - middle));
        };
        return scratch.merger.merge(scratch.bounds, rank, sink.job());
    }

    bool encodeBytes(std::string_view word, Scratch& scratch, EncodeSink& sink) const {
        auto& [written, rewritten, folded, bounds, merger] = scratch;
        written.clear();
        bounds.assign(1, 0);
        for (const char c : word) {
            written += writtenByte(static_cast<unsigned char>(c));
            bounds.push_back(static_cast<std::uint32_t>(written.size()));
        }
        const std::uint32_t begin = sink.offsetOf(word.data());
        if (const auto id = wholeWord(written)) {
            sink.add(*id, begin, begin + static_cast<std::uint32_t>(word.size()));
            return true;
        }
        const std::string_view all = written;
        if (!merge(all, scratch, sink)) {
            return false;
        }
        std::uint32_t at = begin;
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            at = addSymbol(all.substr(bounds[i], bounds[i + 1] - bounds[i]), at, sink);
        }
        return true;
    }

    // Returns the position in the text after the symbol.
    std::uint32_t addSymbol(std::string_view symbol, std::uint32_t begin, EncodeSink& sink) const {
        if (const auto id = m_vocabulary.find(symbol)) {
            const std::uint32_t end = begin + bytesWritten(symbol);
            sink.add(*id, begin, end);
            return end;
        }
        for (std::size_t i = 0; i < symbol.size(); ++begin) {
            const std::size_t length = isLead(symbol[i]) ? 2 : 1;
            auto id = m_vocabulary.find(symbol.substr(i, length));
            id = id ? id : m_vocabulary.specials().unknown;
            if (id) {
                sink.add(*id, begin, begin + 1);
            }
            i += length;
        }
        return begin;
    }

    // Characters of the byte alphabet have one or two bytes of UTF-8.
    static bool isLead(char c) { return static_cast<unsigned char>(c) >= 0xC0; }
    static std::uint32_t bytesWritten(std::string_view symbol) {
        return static_cast<std::uint32_t>(
            std::ranges::count_if(symbol, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }

    // Spells the word as the vocabulary does, with one symbol for each character.
    void rewrite(std::string_view word, Scratch& scratch, std::uint32_t begin) const {
        auto& [written, rewritten, folded, bounds, merger] = scratch;
        rewritten.clear();
        bounds.assign(1, 0);
        const auto endSymbol = [&] { bounds.push_back(static_cast<std::uint32_t>(rewritten.bytes().size())); };
        const char* end = word.data() + word.size();
        for (const char* at = word.data(); at < end;) {
            const Char c = decodeChar(at, end);
            const TextRange source{begin, begin + c.bytes};
            if (c.code == U' ' && m_rule.writing == Writing::Utf8SpaceMarks) {
                rewritten.append(kSpaceText, source);
                endSymbol();
            } else if (m_options.lowerCase && c.code <= kMaxCodePoint) {
                folded.clear();
                appendFolded(folded, c.code, false, true);
                for (const char32_t code : folded) {
                    written.clear();
                    appendUtf8(written, code);
                    rewritten.append(written, source);
                    endSymbol();
                }
            } else {
                for (std::uint32_t i = 0; i < c.bytes; ++i) {
                    rewritten.append({at + i, 1}, {begin + i, begin + i + 1});
                }
                endSymbol();
            }
            at += c.bytes;
            begin += c.bytes;
        }
    }

    bool encodeUtf8(std::string_view word, Scratch& scratch, EncodeSink& sink) const {
        const std::uint32_t begin = sink.offsetOf(word.data());
        rewrite(word, scratch, begin);
        const RewrittenText& rewritten = scratch.rewritten;
        const std::string_view all = rewritten.bytes();
        if (const auto id = wholeWord(all)) {
            sink.add(*id, begin, begin + static_cast<std::uint32_t>(word.size()));
            return true;
        }
        if (!merge(all, scratch, sink)) {
            return false;
        }
        const auto& bounds = scratch.bounds;
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            addUtf8Symbol(rewritten, bounds[i], bounds[i + 1], sink);
        }
        return true;
    }

    // Some converters do not give byte tokens their type.
    [[nodiscard]] std::optional<TokenId> byteToken(unsigned char byte) const {
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        const std::array<char, 6> text{'<', '0', 'x', kDigits[byte >> 4U], kDigits[byte & 15U], '>'};
        const auto id = m_vocabulary.byteToken(byte);
        return id ? id : m_vocabulary.find({text.data(), text.size()});
    }

    // A symbol that is not a token becomes the tokens of its bytes, or the unknown token if one of its bytes has no
    // token.
    void addUtf8Symbol(const RewrittenText& text, std::uint32_t begin, std::uint32_t end, EncodeSink& sink) const {
        const std::string_view symbol = text.bytes().substr(begin, end - begin);
        const TextRange source = text.source(begin, end);
        if (const auto id = m_vocabulary.find(symbol)) {
            sink.add(*id, source.begin, source.end);
            return;
        }
        const auto token = [&](char c) { return byteToken(static_cast<unsigned char>(c)); };
        if (!std::ranges::all_of(symbol, [&](char c) { return token(c).has_value(); })) {
            if (const auto unknown = m_vocabulary.specials().unknown) {
                sink.add(*unknown, source.begin, source.end);
            }
            return;
        }
        for (std::uint32_t at = begin; at < end; ++at) {
            const TextRange byte = text.source(at, at + 1);
            sink.add(*token(text.bytes()[at]), byte.begin, byte.end);
        }
    }

    const Vocabulary& m_vocabulary;
    MergeTable m_merges;
    bool m_ranksAreIds;
    BpeOptions m_options;
    const PreTokenizer& m_rule;
    bool m_wordsApart;
};

} // namespace

Result<std::unique_ptr<const Encoder>> makeBpeEncoder(const Vocabulary& vocabulary, const Metadata& metadata,
                                                      const BpeOptions& options, const JobContext& job) {
    const bool ranksAreIds = options.rule->ranksAreIds && metadata.find(kMergesKey) == nullptr;
    if (ranksAreIds) {
        return std::make_unique<const BpeEncoder>(vocabulary, MergeTable(), true, options);
    }
    auto merges = GUFO_TRY(MergeTable::read(metadata, job));
    return std::make_unique<const BpeEncoder>(vocabulary, std::move(merges), false, options);
}

} // namespace gufo::text
