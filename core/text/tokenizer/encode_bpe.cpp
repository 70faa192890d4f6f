#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/encoders.h"
#include "text/tokenizer/pair_merger.h"

namespace gufo::text {
namespace {

// The ranks of merges, found by the two symbols.
class MergeTable {
public:
    [[nodiscard]] static Result<MergeTable> read(const Metadata& metadata, const JobContext& job) {
        auto merges = StringList::read(metadata, "tokenizer.ggml.merges", job);
        if (!merges) {
            return std::unexpected(std::move(merges.error()));
        }
        MergeTable table;
        table.m_merges = std::move(*merges);
        table.m_index = StringIndex(table.m_merges.size());
        for (std::size_t i = 0; i < table.m_merges.size(); ++i) {
            const std::string_view merge = table.m_merges[i];
            const std::size_t space = merge.find(' ', 1);
            if (space == std::string_view::npos) {
                continue;
            }
            const std::string_view left = merge.substr(0, space);
            const std::string_view right = merge.substr(space + 1);
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

private:
    static std::uint64_t hashOf(std::string_view left, std::string_view right) {
        return hashBytes(left) * 31 + hashBytes(right);
    }

    StringList m_merges;
    StringIndex m_index;
    std::size_t m_longest = 0;
};

class BpeEncoder final : public Encoder {
public:
    BpeEncoder(const Vocabulary& vocabulary, MergeTable merges, const PreTokenizer& rule)
        : m_vocabulary(vocabulary)
        , m_merges(std::move(merges))
        , m_rule(rule) {}

    bool encode(std::string_view text, EncodeSink& sink) const override {
        Scratch scratch;
        return splitWords(m_rule.stages, text, [&](std::string_view word) {
            bool go = true;
            sink.addWord(word, [&] { go = encodeWord(word, scratch, sink); });
            return go && !sink.stopAt(word.data());
        });
    }

private:
    struct Scratch {
        std::string written; // the word in the vocabulary's alphabet
        std::vector<std::uint32_t> bounds;
        PairMerger merger;
    };

    bool encodeWord(std::string_view word, Scratch& scratch, EncodeSink& sink) const {
        auto& [written, bounds, merger] = scratch;
        written.clear();
        bounds.assign(1, 0);
        for (const char c : word) {
            written += writtenByte(static_cast<unsigned char>(c));
            bounds.push_back(static_cast<std::uint32_t>(written.size()));
        }
        const std::uint32_t begin = sink.offsetOf(word.data());
        if (m_rule.ignoreMerges) {
            if (const auto id = m_vocabulary.find(written)) {
                sink.add(*id, begin, begin + static_cast<std::uint32_t>(word.size()));
                return true;
            }
        }
        const std::string_view all = written;
        const auto rank = [&](std::uint32_t from, std::uint32_t middle, std::uint32_t end) {
            return m_merges.rank(all.substr(from, middle - from), all.substr(middle, end - middle));
        };
        if (!merger.merge(bounds, rank, sink.job())) {
            return false;
        }
        std::uint32_t at = begin;
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
            at = addSymbol(all.substr(bounds[i], bounds[i + 1] - bounds[i]), at, sink);
        }
        return true;
    }

    // Returns the place in the text after the symbol.
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

    // Characters of the alphabet take one byte of UTF-8 or two.
    static bool isLead(char c) { return static_cast<unsigned char>(c) >= 0xC0; }
    static std::uint32_t bytesWritten(std::string_view symbol) {
        return static_cast<std::uint32_t>(
            std::ranges::count_if(symbol, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }

    const Vocabulary& m_vocabulary;
    MergeTable m_merges;
    const PreTokenizer& m_rule;
};

} // namespace

Result<std::unique_ptr<const Encoder>> makeBpeEncoder(const Vocabulary& vocabulary, const Metadata& metadata,
                                                      const PreTokenizer& rule, const JobContext& job) {
    auto merges = MergeTable::read(metadata, job);
    if (!merges) {
        return std::unexpected(std::move(merges.error()));
    }
    return std::make_unique<const BpeEncoder>(vocabulary, std::move(*merges), rule);
}

} // namespace gufo::text
