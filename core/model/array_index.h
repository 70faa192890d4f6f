// Access to the elements of an array in a file, for arrays of any length.
//
// Elements of fixed size need nothing. For strings and nested arrays an index of the position of every 64th element is
// built by one walk over the lengths (make it off the UI thread): 8 bytes for 64 elements.
//
// Threads: const members may be called from any thread.
#pragma once

#include "base/job_context.h"
#include "model/value.h"

#include <optional>
#include <vector>

namespace gufo {

// The value of `type` that starts at the front of `bytes`, and the bytes it takes. Nothing if they end before it does.
struct LocatedValue {
    Value value;
    std::uint64_t bytes;
};
[[nodiscard]] std::optional<LocatedValue> valueAt(ValueType type, Bytes bytes, ValueLayout layout);

// Calls use(i, value) for each element in turn, until it returns false. False then, and where the bytes end before the
// elements do: the file changed underneath.
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

// The first elements, at most `count`: no index needed.
[[nodiscard]] std::vector<Value> arrayHead(const ArrayView& array, std::size_t count);

class ArrayIndex {
public:
    // Errors: Cancelled; Truncated if the bytes no longer are what the reader saw (the file changed).
    [[nodiscard]] static Result<ArrayIndex> build(const ArrayView& array, const JobContext& job = {});

    [[nodiscard]] const ArrayView& array() const { return m_array; }
    [[nodiscard]] std::uint64_t size() const { return m_array.length; }

    // Element i < size(). A string is a view of the file's bytes; a nested array is an ArrayView again. Where the file
    // has changed underneath: an empty value of the type.
    [[nodiscard]] Value at(std::uint64_t i) const;

private:
    ArrayView m_array;
    std::vector<std::uint64_t> m_checkpoints; // byte in m_array.bytes of elements 0, 64, 128 …; empty for fixed sizes
};

} // namespace gufo
