#include "ui/vocabulary/token_bytes.h"

#include <algorithm>

namespace gufo::ui {
namespace {

std::optional<char> hexPair(std::string_view digits) {
    bool ok = false;
    const int value = QByteArray::fromRawData(digits.data(), static_cast<qsizetype>(digits.size())).toInt(&ok, 16);
    return ok && digits.size() == 2 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

} // namespace

QByteArray decodeSpaceMarks(std::string_view token) {
    QByteArray bytes(token.data(), static_cast<qsizetype>(token.size()));
    return bytes.replace("\xE2\x96\x81", " ");
}

std::optional<QByteArray> decodeByteToken(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') {
        return std::nullopt;
    }
    const auto byte = hexPair(token.substr(3, 2));
    return byte ? std::optional(QByteArray(1, *byte)) : std::nullopt;
}

QByteArray decodeEscapes(std::string_view token) {
    QByteArray bytes;
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '\\' || i + 1 == token.size()) {
            bytes += token[i];
            continue;
        }
        const char escape = token[++i];
        const auto hex = escape == 'x' ? hexPair(token.substr(std::min(i + 1, token.size()), 2)) : std::nullopt;
        if (hex) {
            bytes += *hex;
            i += 2;
        } else {
            bytes += escape == 'n' ? '\n' : escape == 't' ? '\t' : escape == 'r' ? '\r' : escape;
        }
    }
    return bytes;
}

} // namespace gufo::ui
