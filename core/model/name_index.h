// A hash table that finds the names of a model. Names come from the file, which may be hostile, so the hash is seeded
// per process and no file can be crafted whose names all collide. The table takes 8 to 16 bytes per name and allocates
// nothing per name. Copies share the table until one of them grows.
//
// Threads: const members are thread-safe.
#pragma once

#include "base/shared_vector.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo {

class NameIndex {
public:
    // Adds the name at `position` in its owner's list. Returns false if the name is known already, in which case it
    // keeps its first position. `nameAt(i)` returns the name at a position that was added before.
    template<typename NameAt>
    bool add(std::string_view name, std::uint32_t position, const NameAt& nameAt) {
        if ((m_count + 1) * 2 > m_slots.size()) {
            grow(nameAt);
        }
        const std::size_t slot = slotOf(name, nameAt);
        if (std::as_const(m_slots)[slot] != kEmpty) {
            return false;
        }
        m_slots[slot] = position;
        ++m_count;
        return true;
    }

    template<typename NameAt>
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name, const NameAt& nameAt) const {
        if (m_slots.empty()) {
            return std::nullopt;
        }
        const std::uint32_t position = m_slots[slotOf(name, nameAt)];
        return position != kEmpty ? std::optional(position) : std::nullopt;
    }

private:
    static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

    [[nodiscard]] static std::uint64_t hash(std::string_view name);

    // The slot of the name, or the empty slot where it would be inserted. There is always an empty slot.
    template<typename NameAt>
    [[nodiscard]] std::size_t slotOf(std::string_view name, const NameAt& nameAt) const {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = hash(name) & mask;
        while (m_slots[at] != kEmpty && nameAt(m_slots[at]) != name) {
            at = (at + 1) & mask;
        }
        return at;
    }

    template<typename NameAt>
    void grow(const NameAt& nameAt) {
        constexpr std::size_t kFirstSlots = 64;
        const SharedVector<std::uint32_t> old = std::exchange(
            m_slots, std::vector<std::uint32_t>(m_slots.empty() ? kFirstSlots : m_slots.size() * 2, kEmpty));
        for (const std::uint32_t position : old) {
            if (position != kEmpty) {
                m_slots[slotOf(nameAt(position), nameAt)] = position;
            }
        }
    }

    SharedVector<std::uint32_t> m_slots; // its size is a power of two, and it is at most half full
    std::size_t m_count = 0;
};

} // namespace gufo
