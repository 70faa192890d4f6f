#include "analysis/compare/compare_values.h"

#include "base/detail.h"
#include "model/array_index.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace gufo {
namespace {

constexpr std::uint64_t kElementsPerStopCheck = 16'384;

// Iterates over the elements of an array.
class Elements {
public:
    explicit Elements(const ArrayView& array)
        : m_array(array)
        , m_rest(array.bytes)
        , m_size(valueTypeInfo(array.elementType).bytes) {}

    [[nodiscard]] std::optional<Value> next() {
        const auto value = valueAt(m_array.elementType, m_rest, m_array.layout);
        if (!value) {
            return std::nullopt;
        }
        m_rest = m_rest.subspan(value->bytes);
        return value->value;
    }
    // Only for elements of fixed size.
    void skip(std::uint64_t count) { m_rest = m_rest.subspan(count * m_size); }
    [[nodiscard]] Bytes rest() const { return m_rest; }
    [[nodiscard]] std::uint64_t elementBytes() const { return m_size; }

private:
    const ArrayView& m_array;
    Bytes m_rest;
    std::uint64_t m_size; // size of an element; 0 if it varies
};

bool sameBytes(Bytes a, Bytes b) { return a.size() == b.size() && std::ranges::equal(a, b); }

bool sameArrays(const ArrayView& a, const ArrayView& b) {
    if (a.elementType != b.elementType || a.length != b.length) {
        return false;
    }
    if (a.layout == b.layout) {
        return sameBytes(a.bytes, b.bytes);
    }
    Elements from(a);
    Elements to(b);
    for (std::uint64_t i = 0; i < a.length; ++i) {
        const auto x = from.next();
        const auto y = to.next();
        if (!x || !y || !sameValue(*x, *y)) {
            return false;
        }
    }
    return true;
}

// The number of elements, at most `left`, that are known to be equal at the front of both. Elements of fixed size are
// compared in bulk; for others the result is 0.
std::uint64_t equalRun(const Elements& a, const Elements& b, std::uint64_t left) {
    const std::uint64_t count = std::min<std::uint64_t>(left, 4096);
    const std::uint64_t bytes = count * a.elementBytes();
    const bool equal = bytes != 0 && bytes <= a.rest().size() && bytes <= b.rest().size() &&
                       std::memcmp(a.rest().data(), b.rest().data(), bytes) == 0;
    return equal ? count : 0;
}

} // namespace

bool sameValue(const Value& a, const Value& b) {
    return std::visit(
        [](const auto& x, const auto& y) {
            using T = std::remove_cvref_t<decltype(x)>;
            if constexpr (!std::is_same_v<T, std::remove_cvref_t<decltype(y)>>) {
                return false;
            } else if constexpr (std::is_same_v<T, float>) {
                return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
            } else if constexpr (std::is_same_v<T, double>) {
                return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
            } else if constexpr (std::is_same_v<T, ArrayView>) {
                return sameArrays(x, y);
            } else {
                return x == y;
            }
        },
        a, b);
}

bool sameNumber(const Value& a, const Value& b) {
    const bool integers = valueTypeInfo(typeOf(a)).integer && valueTypeInfo(typeOf(b)).integer;
    if (integers) {
        const auto x = asInt(a);
        const auto y = asInt(b);
        return x && y ? x == y : !x && !y && asUInt(a) == asUInt(b);
    }
    const auto x = asDouble(a);
    const auto y = asDouble(b);
    return x && y && *x == *y;
}

Result<ArrayDifference> compareArrays(const ArrayView& a, const ArrayView& b, std::size_t maxElements,
                                      const JobContext& job) {
    ArrayDifference difference{.referenceLength = a.length, .otherLength = b.length};
    const bool sameType = a.elementType == b.elementType;
    const bool sameLayout = sameType && a.layout == b.layout;
    Elements from(a);
    Elements to(b);
    const std::uint64_t common = std::min(a.length, b.length);
    const std::uint64_t longer = std::max(a.length, b.length);
    for (std::uint64_t i = 0; i < longer; ++i) {
        if (i % kElementsPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (i % 4096 == 0 && sameLayout && i < common) {
            if (const std::uint64_t equal = equalRun(from, to, common - i)) {
                from.skip(equal);
                to.skip(equal);
                i += equal - 1;
                continue;
            }
        }
        if (i >= common && difference.first.size() >= maxElements) {
            break;
        }
        std::optional<Value> x;
        std::optional<Value> y;
        if (i < a.length && !(x = from.next())) {
            return fail(ErrorCode::Truncated, {}, {Detail::Array, a.length, i});
        }
        if (i < b.length && !(y = to.next())) {
            return fail(ErrorCode::Truncated, {}, {Detail::Array, b.length, i});
        }
        if (x && y && (sameType ? sameValue(*x, *y) : sameNumber(*x, *y))) {
            continue;
        }
        difference.differing += i < common ? 1U : 0U;
        if (difference.first.size() < maxElements) {
            difference.first.push_back({i, x, y});
        }
    }
    difference.differing += longer - common;
    return difference;
}

} // namespace gufo
