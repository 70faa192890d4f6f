#include "inference/remote/json_repair.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace gufo::inference {
namespace {

constexpr std::size_t kEscapeBytes = 6; // "\\uD83D"

std::optional<std::uint32_t> escapeAt(std::string_view json, std::size_t at) {
    const std::string_view escape = json.substr(at, kEscapeBytes);
    std::uint32_t unit = 0;
    if (escape.size() < kEscapeBytes || !escape.starts_with("\\u")) {
        return std::nullopt;
    }
    const auto parsed = std::from_chars(escape.data() + 2, escape.data() + escape.size(), unit, 16);
    return parsed.ptr == escape.data() + escape.size() ? std::optional(unit) : std::nullopt;
}

bool isHigh(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool isLow(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

std::string escaped(std::uint32_t unit) {
    std::array<char, 4> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), unit, 16).ptr;
    return "\\u" + std::string(digits.data(), end); // four digits, because surrogates are large enough
}

// The length of a number that JSON lacks, or 0.
std::size_t oddNumberAt(std::string_view json) {
    for (const std::string_view name : {"NaN", "Infinity", "-Infinity", "-NaN"}) {
        if (json.starts_with(name)) {
            return name.size();
        }
    }
    return 0;
}

} // namespace

std::string JsonRepair::repaired(std::string_view json) {
    std::string out;
    bool inString = false;
    const std::uint32_t before = std::exchange(m_high, 0);
    for (std::size_t at = 0; at < json.size();) {
        std::size_t taken = 1;
        if (!inString) {
            inString = json[at] == '"';
            if (const std::size_t odd = oddNumberAt(json.substr(at)); odd != 0) {
                out += "null";
                at += odd;
                continue;
            }
        } else if (json[at] == '"') {
            inString = false;
        } else if (const auto unit = escapeAt(json, at); unit && isLow(*unit)) {
            out += before != 0 ? escaped(before) + escaped(*unit) : "\\ufffd";
            at += kEscapeBytes;
            continue;
        } else if (unit && isHigh(*unit)) {
            const auto next = escapeAt(json, at + kEscapeBytes);
            if (!next || !isLow(*next)) {
                const bool isLast = json.substr(at + kEscapeBytes).starts_with('"');
                m_high = isLast ? *unit : m_high;
                out += isLast ? "" : "\\ufffd";
                at += kEscapeBytes;
                continue;
            }
            taken = 2 * kEscapeBytes;
        } else if (json[at] == '\\') {
            taken = 2;
        }
        out += json.substr(at, taken);
        at += taken;
    }
    return out;
}

} // namespace gufo::inference
