// Command-line text that keeps its bytes. Arguments need not be UTF-8 (file names are arbitrary bytes), but Qt's parser
// takes QString. Each byte that is not part of valid UTF-8 is represented by the lone surrogate U+DC00 + byte, which no
// valid text contains.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace gufo::cli {

[[nodiscard]] QString fromNative(std::string_view bytes);
// Returns the bytes that were passed to fromNative().
[[nodiscard]] std::string toNative(const QString& text);

} // namespace gufo::cli
