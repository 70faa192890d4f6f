// The work of a step of a team in numbered chunks: each member has its own, and who has done his own helps the others.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace gufo::inference {

class Chunks {
public:
    explicit Chunks(unsigned members)
        : m_members(members) {}

    // Before the step: chunks [begin, end) are the member's own. Numbers are below 2^32.
    void give(unsigned member, std::uint64_t begin, std::uint64_t end) {
        m_members[member].left.store(begin << 32U | end, std::memory_order_relaxed);
    }

    struct Chunk {
        unsigned owner;
        std::uint64_t index;
    };
    // Within the step: one that nobody has taken. From the front of the member's own, so that he knows which comes
    // next and can ask memory for it; from the back of others'.
    [[nodiscard]] std::optional<Chunk> take(unsigned member) {
        const auto members = static_cast<unsigned>(m_members.size());
        for (unsigned i = 0; i < members; ++i) {
            const unsigned owner = (member + i) % members;
            if (const auto index = takeOf(owner, i == 0)) {
                return Chunk{owner, *index};
            }
        }
        return std::nullopt;
    }

private:
    struct alignas(64) Member { // first << 32 | end
        std::atomic<std::uint64_t> left = 0;
    };

    std::optional<std::uint64_t> takeOf(unsigned owner, bool front) {
        std::atomic<std::uint64_t>& left = m_members[owner].left;
        std::uint64_t chunks = left.load(std::memory_order_relaxed);
        for (;;) {
            const std::uint64_t first = chunks >> 32U;
            const std::uint64_t end = chunks & 0xFFFF'FFFFU;
            if (first >= end) {
                return std::nullopt;
            }
            const std::uint64_t rest = front ? (first + 1) << 32U | end : first << 32U | (end - 1);
            if (left.compare_exchange_weak(chunks, rest, std::memory_order_relaxed)) {
                return front ? first : end - 1;
            }
        }
    }

    std::vector<Member> m_members;
};

} // namespace gufo::inference
