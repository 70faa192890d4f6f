// Writes the members of a JSON object one after another, for the bodies of requests to servers.
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
    // `json` must be a JSON value; it is not checked.
    JsonMembers& raw(std::string_view name, std::string_view json) {
        m_text += m_text.empty() ? "" : ",";
        m_text += quotedJson(name) + ":";
        m_text += json;
        return *this;
    }
    JsonMembers& text(std::string_view name, std::string_view value) { return raw(name, quotedJson(value)); }
    JsonMembers& flag(std::string_view name, bool value) { return raw(name, value ? "true" : "false"); }
    // Writes the shortest digits that give the same number when they are read. JSON has neither infinite numbers, which
    // become the largest finite ones, nor NaN, which becomes null.
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
