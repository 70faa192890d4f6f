#include "cli/native_text.h"

#include "base/utf8.h"

namespace gufo::cli {
namespace {

constexpr char16_t kEscaped = 0xDC00;

bool isEscaped(QChar c) { return c.unicode() >= kEscaped + 0x80 && c.unicode() <= kEscaped + 0xFF; }

} // namespace

QString fromNative(std::string_view bytes) {
    QString text;
    while (!bytes.empty()) {
        const Char c = decodeChar(bytes);
        if (!c.isValid()) {
            text += QChar(static_cast<char16_t>(kEscaped + static_cast<unsigned char>(bytes.front())));
        } else {
            text += QString::fromUtf8(bytes.data(), static_cast<qsizetype>(c.bytes));
        }
        bytes.remove_prefix(c.bytes);
    }
    return text;
}

std::string toNative(const QString& text) {
    std::string bytes;
    qsizetype start = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        // The second half of a surrogate pair is not an escaped byte.
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
