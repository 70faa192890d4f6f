// A field of a model file: some bytes that have one meaning, such as the length of a key or the scale of a block.
#pragma once

#include "base/byte_source.h"
#include "model/finding.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gufo {

enum class FieldRole : std::uint8_t {
#define GUFO_FIELD(role, name, words) role,
#include "bytes/field_roles.inc"
#undef GUFO_FIELD
};
[[nodiscard]] std::string_view fieldRoleName(FieldRole role); // "key_length"

// Some bits of a byte and what they belong to in a quantised block.
struct BitShare {
    enum class What : std::uint8_t { Code, Scale, Minimum };
    std::uint8_t mask = 0; // the bits of the byte
    What what = What::Code;
    std::uint32_t index = 0; // of the weight in the block, or of the sub-block whose scale or minimum it is
};

// A whole number of more than 64 bits, in decimal digits.
struct LongNumber {
    std::string digits;
    bool operator==(const LongNumber&) const = default;
};

// Why bytes are damaged, or why some are missing: as the reader of the file says it.
using DamageReason = std::variant<Error, Finding>;

struct ByteField {
    ByteRange range;
    FieldRole role = FieldRole::Unknown;
    std::string of{};                       // the key, tensor, entry or block field that it is a part of
    std::optional<std::uint64_t> element{}; // number of the element, dimension, or first weight in the tensor
    std::string type{};                     // "u64", "str", "f16", "Q4_K", an opcode's name; empty if there is none
    // Text is as stored, and cut after kShownText bytes. Nothing if the bytes are the value.
    std::variant<std::monostate, std::uint64_t, std::int64_t, double, std::string, LongNumber> value{};
    std::vector<BitShare> bits{}; // of a byte with packed bits
    // What is wrong with the field or with the record or tensor that it belongs to; null: nothing that is known.
    std::shared_ptr<const DamageReason> damage{};

    static constexpr std::size_t kShownText = 200;
};

// Receives the fields that overlap a window, in the order of their offsets.
class FieldSink {
public:
    FieldSink(ByteRange window, std::size_t limit)
        : m_window(window)
        , m_limit(limit) {}

    [[nodiscard]] ByteRange window() const { return m_window; }
    [[nodiscard]] bool wants(ByteRange range) const {
        return range.length != 0 && range.offset < m_window.offset + m_window.length &&
               m_window.offset < range.offset + range.length && !full();
    }
    [[nodiscard]] bool full() const { return m_fields.size() >= m_limit; }
    void add(ByteField field) {
        if (wants(field.range)) {
            m_fields.push_back(std::move(field));
        }
    }
    [[nodiscard]] std::vector<ByteField> take() { return std::move(m_fields); }

private:
    ByteRange m_window; // its end does not overflow
    std::size_t m_limit;
    std::vector<ByteField> m_fields;
};

} // namespace gufo
