// Text of the command line that keeps its bytes. Arguments need not be UTF-8 (file names are any bytes), but Qt's
// parser takes QString: each byte that is no UTF-8 stands in it as the lone surrogate U+DC00 + byte, which no valid
// text has.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace gufo::cli {

[[nodiscard]] QString fromNative(std::string_view bytes);
// The bytes that fromNative() was given.
[[nodiscard]] std::string toNative(const QString& text);

} // namespace gufo::cli
