#include "base/json_value.h"

#include "base/detail.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace gufo {
namespace {

using Kind = JsonValue::Kind;
using Token = JsonReader::Token;

constexpr std::size_t kMaxValues = 200'000;

// RFC 6901: ~ and / within a name are escaped.
std::string stepTo(const std::string& place, std::string_view name) {
    std::string out = place + "/";
    for (const char c : name) {
        out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return out;
}

class TreeReader {
public:
    TreeReader(std::string_view text, JsonDialect dialect)
        : m_reader(text, dialect) {}

    Result<JsonValue> read() {
        JsonValue root;
        GUFO_TRY(value(m_reader.next(), "#", root));
        GUFO_TRY(m_reader.expect(Token::End, Detail::EndOfText));
        return root;
    }

private:
    Result<> value(const Result<Token>& read, std::string place, JsonValue& to) { // NOLINT(misc-no-recursion)
        const Token token = GUFO_TRY(read);
        if (++m_values > kMaxValues) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::Values, m_values, kMaxValues});
        }
        to.place = std::move(place);
        switch (token) {
        case Token::ObjectStart:
            to.kind = Kind::Object;
            return members(to);
        case Token::ArrayStart:
            to.kind = Kind::Array;
            return elements(to);
        case Token::String:
        case Token::Number:
            to.kind = token == Token::String ? Kind::String : Kind::Number;
            to.text = m_reader.text();
            return {};
        case Token::True:
            to.kind = Kind::True;
            return {};
        case Token::False:
            to.kind = Kind::False;
            return {};
        case Token::Null:
            to.kind = Kind::Null;
            return {};
        default:
            return m_reader.expected(Detail::Value);
        }
    }

    Result<> members(JsonValue& to) {
        return m_reader.readMembers([&] {
            to.members.emplace_back(m_reader.text(), JsonValue());
            std::string place = stepTo(to.place, m_reader.text());
            return value(m_reader.next(), std::move(place), to.members.back().second);
        });
    }

    Result<> elements(JsonValue& to) {
        return m_reader.readElements([&](Token first) {
            std::string place = to.place + "/" + std::to_string(to.elements.size());
            to.elements.emplace_back();
            return value(first, std::move(place), to.elements.back());
        });
    }

    JsonReader m_reader;
    std::size_t m_values = 0;
};

} // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
    for (auto at = members.rbegin(); at != members.rend(); ++at) {
        if (at->first == name) {
            return &at->second;
        }
    }
    return nullptr;
}

std::optional<double> JsonValue::real() const {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return kind == Kind::Number && read.ec == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> JsonValue::whole() const {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (kind == Kind::Number && read.ec == std::errc() && read.ptr == text.data() + text.size()) {
        return value;
    }
    const auto other = real();
    if (!other || std::trunc(*other) != *other || std::abs(*other) > 0x1p53) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*other);
}

bool sameJson(const JsonValue& a, const JsonValue& b) {
    if (a.kind != b.kind || a.text != b.text || a.members.size() != b.members.size()) {
        return false;
    }
    const bool sameMembers = std::ranges::all_of(a.members, [&](const auto& member) {
        const JsonValue* other = b.find(member.first);
        return other != nullptr && sameJson(member.second, *other);
    });
    return sameMembers && std::ranges::equal(a.elements, b.elements, sameJson);
}

std::string quotedJson(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
        case '"':
        case '\\':
            out += std::string("\\") + c;
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) {
                char escaped[8];
                std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
                out += escaped;
            } else {
                out += c;
            }
        }
    }
    return out + '"';
}

std::string writeJson(const JsonValue& value) {
    std::string out;
    switch (value.kind) {
    case Kind::Object:
        for (const auto& [name, member] : value.members) {
            out += (out.empty() ? "" : ",") + quotedJson(name) + ":" + writeJson(member);
        }
        return "{" + out + "}";
    case Kind::Array:
        for (const JsonValue& element : value.elements) {
            out += (out.empty() ? "" : ",") + writeJson(element);
        }
        return "[" + out + "]";
    case Kind::String:
        return quotedJson(value.text);
    case Kind::Number:
        return value.text;
    case Kind::True:
        return "true";
    case Kind::False:
        return "false";
    case Kind::Null:
        return "null";
    }
    return out;
}

Result<JsonValue> readJson(std::string_view text, JsonDialect dialect) { return TreeReader(text, dialect).read(); }

} // namespace gufo
