#include "text/tokenizer/characters.h"

#include <QChar>
#include <QList>
#include <QString>

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
    // White_Space consists of the separators and these controls.
    if ((code >= 0x09 && code <= 0x0C) || code == 0x85) {
        return CharKind::Space;
    }
    return kindOfCategory(code);
}

} // namespace

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
    const bool hangul = code >= 0xAC00 && code <= 0xD7A3; // decomposed by arithmetic instead of a table
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
