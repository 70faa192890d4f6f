// The keys of the file that a conversion will write, in their order.
#pragma once

#include "model/owned_value.h"

#include <string>
#include <string_view>
#include <vector>

namespace gufo::convert {

// A key of the file that a conversion will write, and where its value comes from.
struct PlannedKey {
    std::string key;  // "tokenizer.ggml.bos_token_id"
    OwnedValue value; // with the type that is written
    // The file, or the file and the member, that the value was taken or computed from: "tokenizer.json",
    // "config.json:hidden_size", "config.json:text_config.rope_theta". Empty if it is a constant of the format.
    std::string from;
};

// PlannedKey::from for a member of a file: "config.json:hidden_size".
[[nodiscard]] std::string memberOf(std::string_view file, std::string_view member);

// A key that is set again keeps its place.
class KeyList {
public:
    void set(std::string_view key, OwnedValue value, std::string from);
    void set(std::string_view key, const Value& value, std::string from) {
        set(key, OwnedValue(value), std::move(from));
    }
    void setText(std::string_view key, std::string text, std::string from) {
        set(key, OwnedValue::string(std::move(text)), std::move(from));
    }
    void setFlag(std::string_view key, bool flag, std::string from) {
        set(key, Value(BoolValue{flag ? std::uint8_t{1} : std::uint8_t{0}}), std::move(from));
    }

    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    [[nodiscard]] const PlannedKey* find(std::string_view key) const;
    [[nodiscard]] std::vector<PlannedKey> take() && { return std::move(m_keys); }

private:
    std::vector<PlannedKey> m_keys;
};

} // namespace gufo::convert
