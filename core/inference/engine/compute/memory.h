// The memory of a session, allocated in one piece before its first token. The code that takes memory runs twice: first
// with a Memory that only counts, then with one of exactly that size. Hence the prediction equals the memory that is
// used.
//
// Thread contract: one thread at a time.
#pragma once

#include "base/checked.h"
#include "base/error.h"

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace gufo::inference {

class Memory {
public:
    enum class Part : std::uint8_t { Scratch, Cache, State, Snapshots, Logits };

    Memory() = default; // only counts
    // Allocates as many bytes as were counted, zeroed, and touches every page. Errors: NotEnoughMemory (args: bytes
    // needed, bytes free).
    [[nodiscard]] static Result<Memory> reserve(const Memory& counted);
    ~Memory();
    Memory(Memory&& other) noexcept { *this = std::move(other); }
    Memory& operator=(Memory&& other) noexcept {
        std::swap(m_base, other.m_base);
        std::swap(m_size, other.m_size);
        std::swap(m_end, other.m_end);
        std::swap(m_taken, other.m_taken);
        return *this;
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Returns `count` × `times` objects, aligned to 64 bytes; null if this only counts. AddressSanitizer reports
    // accesses to the gaps between pieces.
    template<typename T>
        requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T* take(std::uint64_t count, std::uint64_t times = 1, Part part = Part::Scratch) {
        constexpr std::uint64_t kTooMuch = std::numeric_limits<std::uint64_t>::max() / 8;
        const auto bytes = checkedMultiply(checkedMultiply(count, times).value_or(kTooMuch), sizeof(T));
        return static_cast<T*>(takeBytes(bytes.value_or(kTooMuch), part));
    }

    [[nodiscard]] std::uint64_t taken(Part part) const { return m_taken[static_cast<std::size_t>(part)]; }
    [[nodiscard]] std::uint64_t taken() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t bytes : m_taken) {
            sum = checkedAdd(sum, bytes).value_or(std::numeric_limits<std::uint64_t>::max());
        }
        return sum;
    }

private:
    [[nodiscard]] void* takeBytes(std::uint64_t bytes, Part part);

    std::byte* m_base = nullptr;
    std::uint64_t m_size = 0;
    std::uint64_t m_end = 0;                // end of the last piece, with the gaps between pieces
    std::array<std::uint64_t, 5> m_taken{}; // by Part
};

} // namespace gufo::inference
