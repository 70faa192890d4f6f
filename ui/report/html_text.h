// Helpers for building HTML and SVG. A function escapes its text only if its comment says so.
#pragma once

#include <QString>

namespace gufo::ui {

// Escapes text for element content and quoted attributes.
[[nodiscard]] inline QString escaped(const QString& text) { return text.toHtmlEscaped(); }

// Inserts HTML fragments into a pattern. A %1 inside a fragment is not replaced.
template<typename... Pieces>
[[nodiscard]] QString filled(const char* pattern, const Pieces&... pieces) {
    return QString::fromUtf8(pattern).arg(pieces...); // a single call with all arguments replaces each placeholder once
}

// Formats a coordinate or length briefly.
[[nodiscard]] inline QString px(double value) {
    QString text = QString::number(value, 'f', 2);
    while (text.endsWith(u'0')) {
        text.chop(1);
    }
    return text.endsWith(u'.') ? text.chopped(1) : text;
}

// Translates a text of the report.
[[nodiscard]] QString reportText(const char* text);

} // namespace gufo::ui
