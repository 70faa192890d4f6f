// A hash index from strings to numbers. The strings are stored elsewhere; a slot takes 8 bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace gufo::text {

// A fast hash of short strings. The seed differs in each process, so that a file cannot provoke collisions. The
// multiplier is 2^64 divided by the golden ratio.
inline const std::uint64_t kHashSeed = (std::uint64_t{std::random_device{}()} << 32U) | std::random_device{}();

[[nodiscard]] inline std::uint64_t hashBytes(std::string_view bytes) {
    constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;
    const auto mix = [](std::uint64_t state, std::uint64_t word) {
        const std::uint64_t product = (state ^ word) * kMultiplier;
        return product ^ (product >> 29U);
    };
    const auto load = []<typename T>(const char* from, T) {
        T word{};
        std::memcpy(&word, from, sizeof word);
        return std::uint64_t{word};
    };
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t state = kHashSeed ^ (left * kMultiplier);
    for (; left >= 8; left -= 8, at += 8) {
        state = mix(state, load(at, std::uint64_t{}));
    }
    if (left >= 4) {
        state = mix(state, load(at, std::uint32_t{}) | (load(at + left - 4, std::uint32_t{}) << 32U));
    } else if (left > 0) { // the first, middle and last byte cover all
        const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
        state = mix(state, byte(0) | (byte(left / 2) << 8U) | (byte(left - 1) << 16U));
    }
    return mix(state, state >> 32U);
}

class StringIndex {
public:
    // Reserves room for at most `count` strings (< 2^31).
    explicit StringIndex(std::size_t count = 0)
        : m_slots(std::bit_ceil(count * 2 + 2), Slot{0, kEmpty}) {}

    // Returns the number for which `equals` holds, or nothing.
    template<typename Equals>
    [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash, const Equals& equals) const {
        const std::size_t mask = m_slots.size() - 1;
        for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
            const Slot& slot = m_slots[i];
            if (slot.number == kEmpty) {
                return std::nullopt;
            }
            if (slot.tag == tagOf(hash) && equals(slot.number)) {
                return slot.number;
            }
        }
    }

    // Adds a string that find() has not found.
    void add(std::uint64_t hash, std::uint32_t number) {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t i = hash & mask;
        while (m_slots[i].number != kEmpty) {
            i = (i + 1) & mask;
        }
        m_slots[i] = {tagOf(hash), number};
    }

private:
    static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
    struct Slot {
        std::uint32_t tag;
        std::uint32_t number;
    };
    static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }
    std::vector<Slot> m_slots;
};

} // namespace gufo::text
