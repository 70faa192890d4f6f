// The work of a step of a team in numbered chunks: each member has its own, and who has done his own helps the others.
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

    // Before the step: chunks [begin, end) are the member's own. Numbers are below 2^32.
    void give(unsigned member, std::uint64_t begin, std::uint64_t end) {
        m_members[member].left.store(begin << 32U | end, std::memory_order_relaxed);
    }

    struct Some { // of one member's, one after another
        unsigned owner;
        std::uint64_t begin;
        std::uint64_t end;
    };
    // Within the step: up to `most` that nobody has taken, fewer and fewer towards the end so that nobody waits long
    // for the last. From the front of the member's own, so that he knows which come next and can ask memory for them;
    // from the back of others'.
    [[nodiscard]] std::optional<Some> take(unsigned member, std::uint64_t most = 1) {
        const auto members = static_cast<unsigned>(m_members.size());
        for (unsigned i = 0; i < members; ++i) {
            if (const auto some = takeOf((member + i) % members, i == 0, most)) {
                return some;
            }
        }
        return std::nullopt;
    }

private:
    struct alignas(64) Member { // first << 32 | end
        std::atomic<std::uint64_t> left = 0;
    };

    std::optional<Some> takeOf(unsigned owner, bool front, std::uint64_t most) {
        constexpr std::uint64_t kShareOfRest = 8;
        std::atomic<std::uint64_t>& left = m_members[owner].left;
        std::uint64_t chunks = left.load(std::memory_order_relaxed);
        for (;;) {
            const std::uint64_t begin = chunks >> 32U;
            const std::uint64_t end = chunks & 0xFFFF'FFFFU;
            if (begin >= end) {
                return std::nullopt;
            }
            const std::uint64_t count = std::clamp<std::uint64_t>((end - begin) / kShareOfRest, 1, most);
            const std::uint64_t rest = front ? (begin + count) << 32U | end : begin << 32U | (end - count);
            if (left.compare_exchange_weak(chunks, rest, std::memory_order_relaxed)) {
                return front ? Some{owner, begin, begin + count} : Some{owner, end - count, end};
            }
        }
    }

    std::vector<Member> m_members;
};

} // namespace gufo::inference
