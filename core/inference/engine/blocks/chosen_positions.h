// The positions that the tokens of a batch attend to, where these are not all: a bit for each token and position. A
// view of the session's memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace gufo::inference {

class ChosenPositions {
public:
    using Word = std::uint64_t;
    static constexpr std::uint32_t kWordBits = 64;

    ChosenPositions() = default; // all positions
    // `words` is the number of 64-bit words for each token.
    ChosenPositions(Word* bits, std::size_t words)
        : m_bits(bits)
        , m_words(words) {}

    [[nodiscard]] static std::size_t wordsFor(std::uint32_t positions) {
        return (std::size_t{positions} + kWordBits - 1) / kWordBits;
    }

    // Whether some positions are not chosen; without it, the functions below must not be called.
    explicit operator bool() const { return m_bits != nullptr; }
    void clear(std::size_t token) const { std::fill_n(m_bits + token * m_words, m_words, Word{0}); }
    void add(std::size_t token, std::uint32_t position) const {
        m_bits[token * m_words + position / kWordBits] |= Word{1} << position % kWordBits;
    }
    [[nodiscard]] bool contains(std::size_t token, std::uint32_t position) const {
        return (m_bits[token * m_words + position / kWordBits] >> position % kWordBits & 1U) != 0;
    }
    // Calls take(begin, end) for each run of chosen positions in [from, to).
    template<typename Take>
    void forEachRun(std::size_t token, std::uint32_t from, std::uint32_t to, const Take& take) const {
        while ((from = find(token, from, to, true)) < to) {
            const std::uint32_t end = find(token, from, to, false);
            take(from, end);
            from = end;
        }
    }

private:
    // The first position in [from, to) that is chosen or, if `chosen` is false, that is not; `to` if there is none.
    [[nodiscard]] std::uint32_t find(std::size_t token, std::uint32_t from, std::uint32_t to, bool chosen) const {
        while (from < to) {
            const Word stored = m_bits[token * m_words + from / kWordBits];
            const Word left = (chosen ? stored : ~stored) >> from % kWordBits;
            if (left != 0) {
                return std::min(to, from + static_cast<std::uint32_t>(std::countr_zero(left)));
            }
            from += kWordBits - from % kWordBits;
        }
        return to;
    }

    Word* m_bits = nullptr; // [token][word]
    std::size_t m_words = 0;
};

} // namespace gufo::inference
