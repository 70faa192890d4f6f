#include "ui/messages/escaped_text.h"

#include "base/utf8.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

// Characters that Qt's text documents reserve, or that are invisible.
bool isUnseen(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || (c >= 0xFDD0 && c <= 0xFDEF) ||
           c == 0xFEFF || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || c == 0x061C ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xFFFC || (c & 0xFFFEU) == 0xFFFE;
}

bool isKept(char32_t c, Lines lines) { return !isUnseen(c) || (lines == Lines::Kept && (c == '\n' || c == '\t')); }

QString escapeOf(char32_t c) {
    switch (c) {
    case '\n':
        return QStringLiteral("\\n");
    case '\r':
        return QStringLiteral("\\r");
    case '\t':
        return QStringLiteral("\\t");
    case '\\':
        return QStringLiteral("\\\\");
    default:
        return c < 0x80 ? hexEscape(static_cast<unsigned char>(c))
                        : QStringLiteral("\\u{%1}").arg(QString::number(static_cast<uint>(c), 16).toUpper());
    }
}

// Calls `character` for each character and `broken` for each byte that is not part of one.
template<typename Character, typename Broken>
void eachCharacter(std::string_view bytes, const Character& character, const Broken& broken) {
    while (!bytes.empty()) {
        const Char c = decodeChar(bytes);
        if (c.isValid()) {
            character(c.code);
        } else {
            broken(static_cast<unsigned char>(bytes[0]));
        }
        bytes.remove_prefix(c.bytes);
    }
}

void append(QString& out, char32_t c) {
    if (c < 0x80) {
        out += QLatin1Char(static_cast<char>(c));
    } else {
        out += QString::fromUcs4(&c, 1);
    }
}

QString noEscape(const QString& part) {
    return QCoreApplication::translate(
               "gufo::ui", "%1 is not a valid escape; the escapes are \\n, \\r, \\t, \\\\, \\xNN and \\u{NNNN}.")
        .arg(part);
}

} // namespace

QString hexEscape(unsigned char byte) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    return QStringLiteral("\\x") + QLatin1Char(kDigits[byte >> 4U]) + QLatin1Char(kDigits[byte & 15U]);
}

bool needsEscapes(std::string_view bytes, Lines lines) {
    bool needed = false;
    eachCharacter(
        bytes, [&](char32_t c) { needed = needed || !isKept(c, lines); }, [&](unsigned char) { needed = true; });
    return needed;
}

QString escapeText(std::string_view bytes, Lines lines) {
    QString out;
    eachCharacter(
        bytes,
        [&](char32_t c) {
            if (isKept(c, lines) && c != '\\') {
                append(out, c);
            } else {
                out += escapeOf(c);
            }
        },
        [&](unsigned char byte) { out += hexEscape(byte); });
    return out;
}

std::expected<std::string, QString> unescapeText(const QString& text) {
    std::string out;
    qsizetype from = 0;
    while (from < text.size()) {
        const qsizetype slash = text.indexOf(u'\\', from);
        const qsizetype end = slash < 0 ? text.size() : slash;
        out += QStringView(text).mid(from, end - from).toUtf8().toStdString();
        if (slash < 0) {
            break;
        }
        const QChar kind = slash + 1 < text.size() ? text[slash + 1] : QChar();
        from = slash + 2;
        if (kind == u'n' || kind == u'r' || kind == u't' || kind == u'\\') {
            out += kind == u'n' ? '\n' : kind == u'r' ? '\r' : kind == u't' ? '\t' : '\\';
        } else if (kind == u'x') {
            bool ok = false;
            const uint byte = text.mid(from, 2).toUInt(&ok, 16);
            if (!ok || from + 2 > text.size()) {
                return std::unexpected(noEscape(text.mid(slash, 4)));
            }
            out += static_cast<char>(byte);
            from += 2;
        } else if (kind == u'u') {
            const qsizetype close = text.indexOf(u'}', from);
            bool ok = false;
            const uint code =
                close > from && text[from] == u'{' ? text.mid(from + 1, close - from - 1).toUInt(&ok, 16) : 0;
            if (!ok || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
                return std::unexpected(noEscape(text.mid(slash, 8)));
            }
            const char32_t character = code;
            out += QString::fromUcs4(&character, 1).toStdString();
            from = close + 1;
        } else {
            return std::unexpected(noEscape(text.mid(slash, 2)));
        }
    }
    return out;
}

} // namespace gufo::ui
