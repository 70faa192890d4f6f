#include "formats/gguf/read/string_walk.h"

#include <algorithm>
#include <array>

namespace gufo::gguf {
namespace {

constexpr std::size_t kLanes = 4;
constexpr std::uint64_t kLaneBytes = 65'536;
constexpr std::uint64_t kSearchBytes = 256;    // the start of a lane must be found within this distance
constexpr std::uint64_t kLongestInLane = 4096; // longer strings are walked sequentially
constexpr unsigned kStringsToTrust = 6;        // plausible strings in a row that make a place look like a start
constexpr std::uint64_t kPlainStrings = 1024;  // strings walked sequentially before lanes are tried again

// Walks strings with lengths of one type and byte order, fixed at compile time so that the loops contain no branch on
// it.
template<typename Length, ByteOrder order>
class Walker {
public:
    explicit Walker(Bytes bytes)
        : m_bytes(bytes) {}

    StringWalk walk(std::uint64_t count) {
        std::uint64_t plain = kPlainStrings;
        while (walkPlainly(std::min(count, m_done.strings + plain)) && m_done.strings < count) {
            bool proven = false;
            while (lanesFit(count - m_done.strings) && walkInLanes(count - m_done.strings)) {
                proven = true;
            }
            // If lanes fail, they are tried less and less often.
            plain = proven ? kPlainStrings : plain * 2;
        }
        return m_done;
    }

private:
    [[nodiscard]] std::uint64_t lengthAt(std::uint64_t offset) const {
        return load<Length>(m_bytes.data() + offset, order);
    }

    // Walks until `target` strings are done. Returns false if one does not end within the bytes.
    bool walkPlainly(std::uint64_t target) {
        for (; m_done.strings < target; ++m_done.strings) {
            const std::uint64_t left = m_bytes.size() - m_done.bytes;
            if (left < sizeof(Length)) {
                return false;
            }
            const std::uint64_t length = lengthAt(m_done.bytes);
            if (length > left - sizeof(Length)) {
                return false;
            }
            m_done.bytes += sizeof(Length) + length;
        }
        return true;
    }

    // Whether several strings of moderate length follow each other from here.
    [[nodiscard]] bool looksLikeAStart(std::uint64_t offset) const {
        for (unsigned i = 0; i < kStringsToTrust; ++i) {
            const std::uint64_t length = lengthAt(offset);
            if (length >= kLongestInLane) {
                return false;
            }
            offset += sizeof(Length) + length;
        }
        return true;
    }

    // Whether `strings` more strings of the average length so far would fill the lanes, and the bytes contain that
    // much.
    [[nodiscard]] bool lanesFit(std::uint64_t strings) const {
        // The largest distance that is accessed: the lanes, the search after the last one, and the strings that confirm
        // its start.
        constexpr std::uint64_t kReach =
            kLanes * kLaneBytes + kSearchBytes + (kStringsToTrust + 1) * (kLongestInLane + sizeof(Length));
        return strings * (m_done.bytes / m_done.strings) > kLanes * kLaneBytes &&
               m_bytes.size() - m_done.bytes >= kReach;
    }

    bool walkInLanes(std::uint64_t strings) {
        std::array<std::uint64_t, kLanes + 1> starts{m_done.bytes};
        for (std::size_t lane = 1; lane <= kLanes; ++lane) {
            std::uint64_t& start = starts[lane];
            start = m_done.bytes + lane * kLaneBytes;
            const std::uint64_t last = start + kSearchBytes;
            while (start < last && !looksLikeAStart(start)) {
                ++start;
            }
            if (start == last) {
                return false;
            }
        }
        // All lanes advance together. They are separate variables, because an array would bring back the waits for
        // memory.
        static_assert(kLanes == 4);
        auto [a, b, c, d, end] = starts;
        std::uint64_t rounds = 0;
        std::uint64_t seen = 0; // bitwise OR of all lengths
        while (a < starts[1] && b < starts[2] && c < starts[3] && d < end && seen < kLongestInLane) {
            const std::uint64_t lengthA = lengthAt(a);
            const std::uint64_t lengthB = lengthAt(b);
            const std::uint64_t lengthC = lengthAt(c);
            const std::uint64_t lengthD = lengthAt(d);
            seen |= lengthA | lengthB | lengthC | lengthD;
            a += sizeof(Length) + lengthA;
            b += sizeof(Length) + lengthB;
            c += sizeof(Length) + lengthC;
            d += sizeof(Length) + lengthD;
            ++rounds;
        }
        std::uint64_t walked = rounds * kLanes;
        const std::array<std::uint64_t, kLanes> reached{a, b, c, d};
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            std::uint64_t at = reached[lane];
            for (; at < starts[lane + 1] && seen < kLongestInLane; ++walked) {
                const std::uint64_t length = lengthAt(at);
                seen |= length;
                at += sizeof(Length) + length;
            }
            if (seen >= kLongestInLane || at != starts[lane + 1]) {
                return false;
            }
        }
        if (walked > strings) {
            return false; // the lanes ran past the end of the array
        }
        m_done.bytes = starts[kLanes];
        m_done.strings += walked;
        return true;
    }

    Bytes m_bytes;
    StringWalk m_done;
};

template<typename Length>
StringWalk walkAs(Bytes bytes, std::uint64_t count, ByteOrder order) {
    return order == ByteOrder::Little ? Walker<Length, ByteOrder::Little>(bytes).walk(count)
                                      : Walker<Length, ByteOrder::Big>(bytes).walk(count);
}

} // namespace

StringWalk walkStrings(Bytes bytes, std::uint64_t count, ValueLayout layout) {
    return layout.lengths == ValueLayout::Lengths::U32 ? walkAs<std::uint32_t>(bytes, count, layout.order)
                                                       : walkAs<std::uint64_t>(bytes, count, layout.order);
}

} // namespace gufo::gguf
