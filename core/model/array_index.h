// Random access to the elements of an array in a file, for arrays of any length.
//
// Elements of fixed size need no index. For strings and nested arrays, one walk over the lengths records the position
// of every 64th element, at a cost of 8 bytes per 64 elements. That walk takes time, so it must not run on the UI
// thread.
//
// Threads: const members are thread-safe.
#pragma once

#include "base/job_context.h"
#include "model/value.h"

#include <optional>
#include <vector>

namespace gufo {

// The value of `type` at the front of `bytes` and the number of bytes that it occupies, or nothing if the bytes end too
// early.
struct LocatedValue {
    Value value;
    std::uint64_t bytes;
};
[[nodiscard]] std::optional<LocatedValue> valueAt(ValueType type, Bytes bytes, ValueLayout layout);

// Calls use(i, value) for each element in order until it returns false. Returns false in that case, and also if the
// bytes end before the last element because the file has changed.
template<typename Use>
bool forEachElement(const ArrayView& array, const Use& use) {
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element || !use(i, element->value)) {
            return false;
        }
        rest = rest.subspan(static_cast<std::size_t>(element->bytes));
    }
    return true;
}

// The first elements, at most `count`. Needs no index.
[[nodiscard]] std::vector<Value> arrayHead(const ArrayView& array, std::size_t count);

class ArrayIndex {
public:
    // Errors: Cancelled; Truncated if the file has changed since it was read.
    [[nodiscard]] static Result<ArrayIndex> build(const ArrayView& array, const JobContext& job = {});

    [[nodiscard]] const ArrayView& array() const { return m_array; }
    [[nodiscard]] std::uint64_t size() const { return m_array.length; }

    // The element i < size(). A string views the file's bytes, and a nested array is again an ArrayView. If the file
    // has changed, the result is an empty value of the element type.
    [[nodiscard]] Value at(std::uint64_t i) const;

private:
    ArrayView m_array;
    std::vector<std::uint64_t> m_checkpoints; // offset in m_array.bytes of elements 0, 64, 128 …; empty for elements of
                                              // fixed size
};

} // namespace gufo
