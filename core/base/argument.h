// The arguments that fill in the sentence of an error, a finding or a decision. Core does not word sentences: an
// argument is either text that is shown as it is (a name, a number, a symbol) or a Detail, which ui/messages turns into
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gufo {

enum class Detail : std::uint16_t; // base/detail.h

class Argument;
using Arguments = std::vector<Argument>;

class Argument {
public:
    // NOLINTBEGIN(google-explicit-constructor): lists of arguments are written where errors are made
    Argument(std::string text);
    Argument(std::string_view text);
    Argument(const char* literal) = delete; // core holds no English prose: use a Detail
    Argument(Detail detail, Arguments args = {});
    template<typename T>
        requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>)
    Argument(T number)
        : Argument(std::to_string(number)) {}
    // NOLINTEND(google-explicit-constructor)

    // The text itself, or for a detail its name followed by its arguments, separated by spaces.
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::optional<Detail> detail() const { return m_detail; }
    // The arguments of the detail; empty for plain text.
    [[nodiscard]] const Arguments& args() const { return m_args; }

    bool operator==(const Argument&) const = default;

private:
    std::string m_text;
    std::optional<Detail> m_detail;
    Arguments m_args;
};

} // namespace gufo
