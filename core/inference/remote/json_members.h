// Writes the members of a JSON object, as requests to servers need them.
//
//     JsonMembers body;
//     body.text("role", "user").number("temperature", 0.8).raw("messages", messages);
//     std::string json = body.object();
#pragma once

#include "base/json_value.h"

#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class JsonMembers {
public:
    // `json` is a JSON value.
    JsonMembers& raw(std::string_view name, std::string_view json) {
        m_text += m_text.empty() ? "" : ",";
        m_text += quotedJson(name) + ":";
        m_text += json;
        return *this;
    }
    JsonMembers& text(std::string_view name, std::string_view value) { return raw(name, quotedJson(value)); }
    JsonMembers& flag(std::string_view name, bool value) { return raw(name, value ? "true" : "false"); }
    // The fewest digits that are exact. JSON has no infinite numbers: they become the largest ones.
    template<typename T>
        requires(std::floating_point<T> || std::integral<T>)
    JsonMembers& number(std::string_view name, T value) {
        return raw(name, numberText(value));
    }
    JsonMembers& texts(std::string_view name, std::span<const std::string> values) {
        std::string list;
        for (const std::string& value : values) {
            list += (list.empty() ? "" : ",") + quotedJson(value);
        }
        return raw(name, "[" + list + "]");
    }
    [[nodiscard]] std::string object() const { return "{" + m_text + "}"; }

    template<typename T>
    [[nodiscard]] static std::string numberText(T value) {
        if constexpr (std::floating_point<T>) {
            if (std::isnan(value)) {
                return "null";
            }
            if (std::isinf(value)) {
                value = std::copysign(std::numeric_limits<T>::max(), value);
            }
        }
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, value);
        return {digits, end.ptr};
    }

private:
    std::string m_text;
};

} // namespace gufo::inference
