// Collects the tokens of an encoder with their ranges in the text. It also caches the tokens of words and checks for
// stop requests. One sink serves one call of Tokenizer::encode, on one thread.
#pragma once

#include "base/job_context.h"
#include "text/tokenizer/encoding.h"
#include "text/tokenizer/string_index.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gufo::text {

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

} // namespace gufo::text
