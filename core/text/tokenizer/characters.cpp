#include "text/tokenizer/characters.h"

#include <QChar>
#include <QList>
#include <QString>

#include <algorithm>

namespace gufo::text {
namespace {

CharKind kindOfCategory(char32_t code) {
    switch (QChar::category(code)) {
    case QChar::Letter_Uppercase:
    case QChar::Letter_Titlecase:
        return CharKind::UpperLetter;
    case QChar::Letter_Lowercase:
        return CharKind::LowerLetter;
    case QChar::Letter_Modifier:
    case QChar::Letter_Other:
        return CharKind::OtherLetter;
    case QChar::Mark_NonSpacing:
        return CharKind::NonSpacingMark;
    case QChar::Mark_SpacingCombining:
    case QChar::Mark_Enclosing:
        return CharKind::OtherMark;
    case QChar::Number_DecimalDigit:
    case QChar::Number_Letter:
    case QChar::Number_Other:
        return CharKind::Number;
    case QChar::Separator_Space:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return CharKind::Space;
    case QChar::Punctuation_Connector:
    case QChar::Punctuation_Dash:
    case QChar::Punctuation_Open:
    case QChar::Punctuation_Close:
    case QChar::Punctuation_InitialQuote:
    case QChar::Punctuation_FinalQuote:
    case QChar::Punctuation_Other:
        return CharKind::Punctuation;
    case QChar::Symbol_Math:
    case QChar::Symbol_Currency:
    case QChar::Symbol_Modifier:
    case QChar::Symbol_Other:
        return CharKind::Symbol;
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
        return CharKind::Control;
    case QChar::Other_NotAssigned:
        break;
    }
    return CharKind::Unassigned;
}

CharKind computeKind(char32_t code) {
    if (code == U'\r' || code == U'\n') {
        return CharKind::LineBreak;
    }
    // White_Space is the separators and these controls.
    if ((code >= 0x09 && code <= 0x0C) || code == 0x85) {
        return CharKind::Space;
    }
    return kindOfCategory(code);
}

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Length that a lead byte announces, and the range of its second byte (table 3-7); 0 for bytes that lead nothing.
struct Lead {
    std::uint32_t bytes;
    unsigned char low;
    unsigned char high;
};
Lead leadOf(unsigned char lead) {
    if (lead >= 0xC2 && lead <= 0xDF) {
        return {2, 0x80, 0xBF};
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        return {3, static_cast<unsigned char>(lead == 0xE0 ? 0xA0 : 0x80),
                static_cast<unsigned char>(lead == 0xED ? 0x9F : 0xBF)};
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        return {4, static_cast<unsigned char>(lead == 0xF0 ? 0x90 : 0x80),
                static_cast<unsigned char>(lead == 0xF4 ? 0x8F : 0xBF)};
    }
    return {0, 0, 0};
}

} // namespace

Char decodeMultiByte(const char* from, const char* end) {
    const auto first = static_cast<unsigned char>(*from);
    const Char invalid{kInvalidBase + first, 1};
    const Lead lead = leadOf(first);
    if (lead.bytes == 0 || end - from < static_cast<std::ptrdiff_t>(lead.bytes)) {
        return invalid;
    }
    const auto second = static_cast<unsigned char>(from[1]);
    if (second < lead.low || second > lead.high) {
        return invalid;
    }
    char32_t code = first & (0x7FU >> lead.bytes);
    for (std::uint32_t i = 1; i < lead.bytes; ++i) {
        if (!isContinuation(from[i])) {
            return invalid;
        }
        code = (code << 6U) | (static_cast<unsigned char>(from[i]) & 0x3FU);
    }
    return {code, lead.bytes};
}

void appendUtf8(std::string& out, char32_t code) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0U | (code >> 6U));
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0U | (code >> 12U));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0U | (code >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::size_t incompleteTail(std::string_view bytes) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
        const char byte = bytes[bytes.size() - back];
        if (isContinuation(byte)) {
            continue;
        }
        const Lead lead = leadOf(static_cast<unsigned char>(byte));
        if (lead.bytes <= back) {
            return 0;
        }
        if (back > 1) {
            const auto second = static_cast<unsigned char>(bytes[bytes.size() - back + 1]);
            if (second < lead.low || second > lead.high) {
                return 0;
            }
        }
        return back;
    }
    return 0;
}

namespace detail {

const std::array<CharKind, kTableSize>& kindTable() {
    static const auto table = [] {
        std::array<CharKind, kTableSize> kinds{};
        for (char32_t code = 0; code < kTableSize; ++code) {
            kinds[code] = computeKind(code);
        }
        return kinds;
    }();
    return table;
}

CharKind kindOfHigh(char32_t code) { return code <= kMaxCodePoint ? computeKind(code) : CharKind::Invalid; }

} // namespace detail

void appendFolded(std::u32string& out, char32_t code, bool stripAccents, bool lowerCase) {
    if (code < 0x80) {
        out += lowerCase && code >= U'A' && code <= U'Z' ? code + (U'a' - U'A') : code;
        return;
    }
    const bool hangul = code >= 0xAC00 && code <= 0xD7A3; // decomposes by arithmetic, not by table
    const bool decomposes = hangul || QChar::decompositionTag(code) == QChar::Canonical;
    if (!(stripAccents && decomposes) && QChar::category(code) == QChar::Letter_Other) {
        out += code;
        return;
    }
    QString text = QString::fromUcs4(&code, 1);
    if (stripAccents && decomposes) {
        text = text.normalized(QString::NormalizationForm_D);
    }
    const CharKinds kindOf;
    for (const uint part : text.toUcs4()) {
        if (stripAccents && kindOf(part) == CharKind::NonSpacingMark) {
            continue;
        }
        if (!lowerCase) {
            out += part;
            continue;
        }
        const auto single = static_cast<char32_t>(part);
        for (const uint lower : QString::fromUcs4(&single, 1).toLower().toUcs4()) {
            out += lower;
        }
    }
}

} // namespace gufo::text
