#include "cli/native_text.h"

#include <QUtf8StringView>

#include <algorithm>

namespace gufo::cli {
namespace {

constexpr char16_t kEscaped = 0xDC00;

// The bytes of the longest valid UTF-8 at the start that a single character may take: 1 to 4; 0 if there is none.
std::size_t characterLength(std::string_view bytes) {
    for (std::size_t length = 1; length <= std::min<std::size_t>(4, bytes.size()); ++length) {
        if (QUtf8StringView(bytes.data(), static_cast<qsizetype>(length)).isValidUtf8()) {
            return length;
        }
    }
    return 0;
}

bool isEscaped(QChar c) { return c.unicode() >= kEscaped + 0x80 && c.unicode() <= kEscaped + 0xFF; }

} // namespace

QString fromNative(std::string_view bytes) {
    QString text;
    while (!bytes.empty()) {
        const std::size_t length = characterLength(bytes);
        if (length == 0) {
            text += QChar(static_cast<char16_t>(kEscaped + static_cast<unsigned char>(bytes.front())));
        } else {
            text += QString::fromUtf8(bytes.data(), static_cast<qsizetype>(length));
        }
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return text;
}

std::string toNative(const QString& text) {
    std::string bytes;
    qsizetype start = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        // The second half of a pair is no escape.
        const bool paired = i > 0 && i < text.size() && text[i - 1].isHighSurrogate();
        if (i < text.size() && (paired || !isEscaped(text[i]))) {
            continue;
        }
        bytes += text.mid(start, i - start).toStdString();
        if (i < text.size()) {
            bytes += static_cast<char>(text[i].unicode() - kEscaped);
        }
        start = i + 1;
    }
    return bytes;
}

} // namespace gufo::cli
