// The byte order of a file, with loads and stores of unaligned scalars in either order.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gufo {

enum class ByteOrder : std::uint8_t { Little, Big };

inline constexpr ByteOrder kNativeOrder =
    std::endian::native == std::endian::little ? ByteOrder::Little : ByteOrder::Big;

template<typename T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template<Scalar T>
[[nodiscard]] inline T byteSwapped(T value) {
    if constexpr (sizeof(T) == 1) {
        return value;
    } else {
        using Unsigned = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                            std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
        return std::bit_cast<T>(std::byteswap(std::bit_cast<Unsigned>(value)));
    }
}

// Reads a T from `from`, which need not be aligned.
template<Scalar T>
[[nodiscard]] inline T load(const std::byte* from, ByteOrder order = ByteOrder::Little) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return order == kNativeOrder ? value : byteSwapped(value);
}

template<Scalar T>
inline void store(std::byte* to, T value, ByteOrder order = ByteOrder::Little) {
    if (order != kNativeOrder) {
        value = byteSwapped(value);
    }
    std::memcpy(to, &value, sizeof value);
}

} // namespace gufo
