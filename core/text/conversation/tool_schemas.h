// The tools that a model was given: their names, and the types of their parameters, by which arguments are read that a
// template writes without quotes.
//
// Thread contract: immutable once made; pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gufo::text {

// A set of JSON types.
enum class JsonTypes : std::uint8_t {
    None = 0,
    String = 1,
    Number = 2,
    Boolean = 4,
    Null = 8,
    Array = 16,
    Object = 32
};
[[nodiscard]] constexpr JsonTypes operator|(JsonTypes a, JsonTypes b) {
    return static_cast<JsonTypes>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr bool has(JsonTypes set, JsonTypes type) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(type)) != 0;
}

class ToolSchemas {
public:
    ToolSchemas() = default;
    // `tools` is a JSON list in the format of OpenAI's API. Whatever is not a tool is ignored.
    explicit ToolSchemas(std::string_view tools);

    [[nodiscard]] bool isEmpty() const { return m_tools.empty(); }
    [[nodiscard]] bool has(std::string_view name) const { return m_tools.contains(name); }
    // The types that a parameter may have; None if the schema does not say.
    [[nodiscard]] JsonTypes typesOf(std::string_view tool, std::string_view parameter) const;

private:
    std::map<std::string, std::map<std::string, JsonTypes, std::less<>>, std::less<>> m_tools;
};

// Returns the JSON value of an argument that a model wrote as plain text. Where both a string and another type would
// do, or the types are not known, a text that is JSON of another type is taken for that.
[[nodiscard]] std::string argumentJson(std::string_view text, JsonTypes types);

} // namespace gufo::text
