// Arithmetic on sizes that a file declares. On overflow the functions return nothing instead of wrapping.
#pragma once

#include <cstdint>
#include <optional>

namespace gufo {

[[nodiscard]] constexpr std::optional<std::uint64_t> checkedAdd(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
}

[[nodiscard]] constexpr std::optional<std::uint64_t> checkedMultiply(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
}

// The smallest multiple of `alignment` that is at least `value`, or nothing if it does not fit in 64 bits. `alignment`
// is any positive number, not only a power of two.
[[nodiscard]] constexpr std::optional<std::uint64_t> checkedAlign(std::uint64_t value, std::uint64_t alignment) {
    const std::uint64_t rest = value % alignment;
    return rest == 0 ? std::optional(value) : checkedAdd(value, alignment - rest);
}

// A sum or product that may overflow when the file is hostile. Once a value has overflowed, every result computed from
// it has no value either.
class CheckedSize {
public:
    CheckedSize(std::uint64_t value) // converts implicitly in formulas
        : m_value(value) {}
    friend CheckedSize operator+(CheckedSize a, CheckedSize b) { return a.with(b, checkedAdd); }
    friend CheckedSize operator*(CheckedSize a, CheckedSize b) { return a.with(b, checkedMultiply); }
    CheckedSize& operator+=(CheckedSize other) { return *this = *this + other; }
    [[nodiscard]] const std::optional<std::uint64_t>& value() const { return m_value; }

private:
    template<typename Operation>
    [[nodiscard]] CheckedSize with(CheckedSize other, Operation operation) const {
        CheckedSize result(0);
        result.m_value = m_value && other.m_value ? operation(*m_value, *other.m_value) : std::nullopt;
        return result;
    }
    std::optional<std::uint64_t> m_value;
};

} // namespace gufo
