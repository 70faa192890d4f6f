// Pieces of HTML and SVG. What is given as QString text is escaped by whoever says so.
#pragma once

#include <QString>

namespace gufo::ui {

// Text for element content and quoted attributes.
[[nodiscard]] inline QString escaped(const QString& text) { return text.toHtmlEscaped(); }

// Text with places for pieces that are HTML already: %1 … are not searched again.
template<typename... Pieces>
[[nodiscard]] QString filled(const char* pattern, const Pieces&... pieces) {
    return QString::fromUtf8(pattern).arg(pieces...); // several at once: each place once
}

// A coordinate or length, short.
[[nodiscard]] inline QString px(double value) {
    QString text = QString::number(value, 'f', 2);
    while (text.endsWith(u'0')) {
        text.chop(1);
    }
    return text.endsWith(u'.') ? text.chopped(1) : text;
}

// Words of the report, translatable.
[[nodiscard]] QString reportText(const char* text);

} // namespace gufo::ui
