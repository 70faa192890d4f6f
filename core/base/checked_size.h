// A size computed from numbers that a file declares.
#pragma once

#include "base/checked.h"

namespace gufo {

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
