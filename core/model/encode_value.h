// Values as bytes of a file, in any of its layouts: what valueAt() reads back.
#pragma once

#include "model/value.h"

#include <vector>

namespace gufo {

template<Scalar T>
void appendNumber(std::vector<std::byte>& out, T value, ByteOrder order) {
    out.resize(out.size() + sizeof value);
    store(out.data() + out.size() - sizeof value, value, order);
}
void appendBytes(std::vector<std::byte>& out, std::string_view text);
// A count, length or dimension; it must fit the layout.
void appendLength(std::vector<std::byte>& out, std::uint64_t length, ValueLayout layout);
void appendString(std::vector<std::byte>& out, std::string_view text, ValueLayout layout);

// Appends the value as a file has it behind its type: a string with its length, an array with its head. False, and
// `out` as it was, where the bytes of an array end before its elements do.
[[nodiscard]] bool appendValue(std::vector<std::byte>& out, const Value& value, ValueLayout layout);
// The elements of an array, without its head.
[[nodiscard]] bool appendElements(std::vector<std::byte>& out, const ArrayView& array, ValueLayout layout);

// Bytes that appendValue appends. Where lengths are of another width in the layout, they are walked over: nothing if
// the bytes of an array end before its elements do.
[[nodiscard]] std::optional<std::uint64_t> encodedSize(const Value& value, ValueLayout layout);

// Whether the elements fill the bytes of an array exactly, with known element types nested at most `depth` deep (an
// array of numbers or strings is 1 deep).
[[nodiscard]] bool isWellFormed(const ArrayView& array, unsigned depth);

} // namespace gufo
