// The planned keys in the order in which they will be written. A key that is set again keeps its place.
#pragma once

#include "convert/planned_key.h"

#include <string_view>
#include <vector>

namespace gufo::convert {

// PlannedKey::from for a member of a file: "config.json:hidden_size".
[[nodiscard]] std::string memberOf(std::string_view file, std::string_view member);

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
