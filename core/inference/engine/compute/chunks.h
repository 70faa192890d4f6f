// Divides the work of one step of a team into numbered chunks, with work stealing: a member that has finished its own
// chunks takes chunks of others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace gufo::inference {

class Chunks {
public:
    explicit Chunks(unsigned members)
        : m_members(members) {}

    // Assigns chunks [begin, end) to a member. Must be called before the step. Numbers are below 2^32.
    void give(unsigned member, std::uint64_t begin, std::uint64_t end) {
        m_members[member].left.store(begin << 32U | end, std::memory_order_relaxed);
    }

    struct Range { // consecutive chunks of one owner
        unsigned owner;
        std::uint64_t begin;
        std::uint64_t end;
    };
    // Takes up to `limit` chunks, fewer towards the end so that no member waits long for the last one. Thread-safe. Own
    // chunks are taken from the front, so that a member knows which come next and can prefetch them; chunks of others
    // are stolen from the back.
    [[nodiscard]] std::optional<Range> take(unsigned member, std::uint64_t limit = 1) {
        const auto members = static_cast<unsigned>(m_members.size());
        for (unsigned i = 0; i < members; ++i) {
            if (const auto range = takeOf((member + i) % members, i == 0, limit)) {
                return range;
            }
        }
        return std::nullopt;
    }

private:
    struct alignas(64) Member { // first << 32 | end
        std::atomic<std::uint64_t> left = 0;
    };

    std::optional<Range> takeOf(unsigned owner, bool front, std::uint64_t limit) {
        constexpr std::uint64_t kShareOfRest = 8;
        std::atomic<std::uint64_t>& left = m_members[owner].left;
        std::uint64_t chunks = left.load(std::memory_order_relaxed);
        for (;;) {
            const std::uint64_t begin = chunks >> 32U;
            const std::uint64_t end = chunks & 0xFFFF'FFFFU;
            if (begin >= end) {
                return std::nullopt;
            }
            const std::uint64_t count = std::clamp<std::uint64_t>((end - begin) / kShareOfRest, 1, limit);
            const std::uint64_t rest = front ? (begin + count) << 32U | end : begin << 32U | (end - count);
            if (left.compare_exchange_weak(chunks, rest, std::memory_order_relaxed)) {
                return front ? Range{owner, begin, begin + count} : Range{owner, end - count, end};
            }
        }
    }

    std::vector<Member> m_members;
};

} // namespace gufo::inference
