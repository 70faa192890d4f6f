// Values as bytes of a file, in any layout: what ValueReader reads back.
#pragma once

#include "model/value.h"

#include <string_view>
#include <vector>

namespace gufo::gguf {

template<Scalar T>
void appendNumber(std::vector<std::byte>& out, T value, ByteOrder order) {
    out.resize(out.size() + sizeof value);
    store(out.data() + out.size() - sizeof value, value, order);
}
void appendBytes(std::vector<std::byte>& out, std::string_view text);
// A count, length or dimension; it must fit the layout.
void appendLength(std::vector<std::byte>& out, std::uint64_t length, ValueLayout layout);
void appendString(std::vector<std::byte>& out, std::string_view text, ValueLayout layout);
// Without the value's type. False if an array's bytes end before its elements do.
[[nodiscard]] bool appendValue(std::vector<std::byte>& out, const Value& value, ValueLayout layout);

// Bytes that appendValue() appends.
[[nodiscard]] std::uint64_t encodedBytes(const Value& value, ValueLayout layout);
// What keeps the value from being written in a version of GGUF: "a value of type u64", "a length over 2^32"; empty if
// nothing does.
[[nodiscard]] std::string obstacleOf(const Value& value, std::uint32_t version);

} // namespace gufo::gguf
