// The tokenization algorithms, behind one interface.
//
// Thread contract: const members are thread-safe.
#pragma once

#include "base/job_context.h"
#include "text/tokenizer/encoding.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/string_index.h"
#include "text/tokenizer/vocabulary.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace gufo::text {

// Collects the tokens of an encoder with their ranges in the text. It also caches the tokens of words and checks for
// stop requests. One sink serves one call of Tokenizer::encode, on one thread.
class EncodeSink {
public:
    // `text` is the whole text; pieces passed to other members must be views of it.
    EncodeSink(std::string_view text, bool wantRanges, bool continues, const JobContext& job)
        : m_text(text)
        , m_wantRanges(wantRanges)
        , m_continues(continues)
        , m_job(job) {
        const std::size_t slotCount = std::bit_ceil(text.size() / kBytesPerSlot + 1);
        m_slots.resize(std::min(slotCount, kMaxSlots));
        job.start(text.size());
    }

    [[nodiscard]] std::uint32_t offsetOf(const char* at) const {
        return static_cast<std::uint32_t>(at - m_text.data());
    }

    // Whether this piece directly follows a text that was encoded before.
    [[nodiscard]] bool isContinuation(std::string_view piece) const {
        return m_continues && piece.data() == m_text.data();
    }

    // [begin, end) are byte offsets in the whole text.
    void add(TokenId id, std::uint32_t begin, std::uint32_t end) {
        m_result.ids.push_back(id);
        if (m_wantRanges) {
            m_result.ranges.push_back({begin, end});
        }
    }

    // If the tokens of an equal word are cached, adds them again. Otherwise calls `encode()`, which must add them, and
    // caches the result.
    template<typename Encode>
    void addWord(std::string_view word, const Encode& encode) {
        if (word.size() > kMaxRememberedBytes) {
            encode();
            return;
        }
        const std::uint64_t hash = hashBytes(word);
        Slot& slot = m_slots[hash & (m_slots.size() - 1)];
        if (slot.bytes == word.size() && m_text.substr(slot.begin, slot.bytes) == word) {
            repeat(slot, offsetOf(word.data()));
            return;
        }
        const auto first = static_cast<std::uint32_t>(m_result.ids.size());
        encode();
        slot = {offsetOf(word.data()), static_cast<std::uint32_t>(word.size()), first,
                static_cast<std::uint32_t>(m_result.ids.size()) - first};
    }

    // Reports the position reached and returns true if the work must stop. To be called regularly.
    [[nodiscard]] bool stopAt(const char* at) {
        const std::uint32_t offset = offsetOf(at);
        if (offset - m_reported < kBytesPerReport) {
            return false;
        }
        m_job.advance(offset - m_reported);
        m_reported = offset;
        return m_job.stopRequested();
    }
    [[nodiscard]] const JobContext& job() const { return m_job; }
    [[nodiscard]] std::string_view text() const { return m_text; }

    [[nodiscard]] std::size_t count() const { return m_result.ids.size(); }

    // Removes the tokens from number `first` on, which must not come from addWord().
    void truncate(std::size_t first) {
        m_result.ids.resize(first);
        m_result.ranges.resize(m_wantRanges ? first : 0);
    }

    // From token number `first` on, replaces each run of `id` with a single token that has the range of the run.
    void joinRuns(TokenId id, std::size_t first) {
        auto& [ids, ranges] = m_result;
        std::size_t kept = first;
        for (std::size_t i = first; i < ids.size(); ++i) {
            if (ids[i] == id && kept > first && ids[kept - 1] == id) {
                if (m_wantRanges) {
                    ranges[kept - 1].end = ranges[i].end;
                }
                continue;
            }
            ids[kept] = ids[i];
            if (m_wantRanges) {
                ranges[kept] = ranges[i];
            }
            ++kept;
        }
        if (kept < ids.size()) {
            ids.resize(kept);
            ranges.resize(m_wantRanges ? kept : 0);
            std::ranges::fill(m_slots, Slot{}); // their token indexes are no longer valid
        }
    }

    [[nodiscard]] Encoding& result() { return m_result; }

private:
    static constexpr std::size_t kBytesPerSlot = 8;
    static constexpr std::size_t kMaxSlots = 16'384; // 256 KiB, which fits the L2 cache
    static constexpr std::size_t kMaxRememberedBytes = 64;
    static constexpr std::uint32_t kBytesPerReport = 16'384;

    struct Slot {
        std::uint32_t begin = 0; // of the word
        std::uint32_t bytes = 0;
        std::uint32_t first = 0; // index of its first token
        std::uint32_t count = 0;
    };

    void repeat(Slot slot, std::uint32_t at) {
        for (std::uint32_t i = slot.first; i < slot.first + slot.count; ++i) {
            m_result.ids.push_back(m_result.ids[i]);
        }
        if (m_wantRanges) {
            for (std::uint32_t i = slot.first; i < slot.first + slot.count; ++i) {
                const TextRange range = m_result.ranges[i];
                m_result.ranges.push_back({range.begin - slot.begin + at, range.end - slot.begin + at});
            }
        }
    }

    std::string_view m_text;
    bool m_wantRanges;
    bool m_continues;
    JobContext m_job;
    Encoding m_result;
    std::vector<Slot> m_slots;
    std::uint32_t m_reported = 0;
};

class Encoder {
public:
    virtual ~Encoder() = default;
    // Encodes text between special tokens; `text` is not empty. Returns false on a stop request.
    [[nodiscard]] virtual bool encode(std::string_view text, EncodeSink& sink) const = 0;
};

// The encoders refer to the vocabulary, which must outlive them.

struct BpeOptions {
    const PreTokenizer* rule;
    bool dropSpaces = false; // white space only separates words
    bool lowerCase = false;  // for vocabularies in UTF-8; applied after splitting
};

// Merges by rank within the words of a pre-tokenizer. Reads tokenizer.ggml.merges (fails as StringList::read does). A
// merge is two symbols separated by the first space after byte 0; entries without one are ignored. If the key is
// missing and the rule permits it, ids serve as ranks, as in tiktoken, which has no list of merges. Bytes that no token
// covers become the unknown token, or nothing if the model has none.
[[nodiscard]] Result<std::unique_ptr<const Encoder>> makeBpeEncoder(const Vocabulary& vocabulary,
                                                                    const Metadata& metadata, const BpeOptions& options,
                                                                    const JobContext& job);

// BPE, except for text between "<dna>" and "</dna>". There, groups of six letters, in upper case and padded with A at
// the end, become the token whose text ends with kDnaMark, or "<oov>". If one of these three tokens is missing, `bpe`
// encodes everything.
[[nodiscard]] std::unique_ptr<const Encoder> makeDnaEncoder(const Vocabulary& vocabulary,
                                                            std::unique_ptr<const Encoder> bpe);
// Converters append this (U+E000) to DNA tokens to distinguish them from words of the same letters.
inline constexpr std::string_view kDnaMark = "\xEE\x80\x80";

// Merges by score over the whole text, with spaces written as U+2581. Symbols that are not tokens become the tokens of
// their bytes, or one unknown token for a run of them. `spacePrefix`: the text gets a leading space.
[[nodiscard]] std::unique_ptr<const Encoder> makeSentencePieceEncoder(const Vocabulary& vocabulary, bool spacePrefix);

// BERT: drops control characters, splits words at white space, at punctuation and around Chinese characters, folds
// accents and case, and then takes the longest token from the front of each word. Beginnings of words are marked with a
// leading U+2581, as converters do. A word of over 100 characters, or with a part that is not a token, becomes the
// unknown token. The keys tokenizer.ggml.normalizer.lowercase and .strip_accents can disable folding.
[[nodiscard]] std::unique_ptr<const Encoder> makeWordPieceEncoder(const Vocabulary& vocabulary,
                                                                  const Metadata& metadata);

// Finds the segmentation with the highest sum of scores. The table in tokenizer.ggml.precompiled_charsmap, if present,
// normalises the text first. Errors, for that table: WrongValueType, Truncated.
[[nodiscard]] Result<std::unique_ptr<const Encoder>> makeUnigramEncoder(const Vocabulary& vocabulary,
                                                                        const Metadata& metadata, bool spacePrefix);

// PLaMo 2: finds the segmentation with the lowest total cost, where a token costs its negated score in ten-thousandths,
// rounded. Of equal segmentations the one with the longer first token wins. A character that no token covers costs 10^7
// and becomes the tokens of its bytes. Unlike the published algorithm, text never becomes a control token. A leading
// byte order mark is dropped.
[[nodiscard]] std::unique_ptr<const Encoder> makePlamo2Encoder(const Vocabulary& vocabulary);

// Greedy longest match. Bytes that no token begins with become the unknown token, or nothing if there is none.
[[nodiscard]] std::unique_ptr<const Encoder> makeRwkvEncoder(const Vocabulary& vocabulary);
// Appends the bytes of an RWKV token, which the file stores as the inside of a Python literal: \t, \n, \r, \xNN. A
// backslash before any other character is dropped.
void appendUnescaped(std::string& out, std::string_view token);

} // namespace gufo::text
