// Translations. Every program that links this layer loads them when its QCoreApplication is created: first the English
// catalogue, which holds the plural forms of sentences with numbers (%n), then the one of the user's language, if there
// is one. They are compiled in from resources/translations, so nothing has to be installed.
#pragma once

#include <cstdint>

namespace gufo::ui {

// Converts a number for tr("%n tensors", nullptr, numerus(n)). A number beyond the range of int becomes one with the
// same plural form, so sentences whose numbers can be that large take the figure as an argument: tr("%1 weights",
// nullptr, numerus(n)).arg(formatCount(n)).
[[nodiscard]] int numerus(std::uint64_t n);

} // namespace gufo::ui
