#include "cli/terminal_text.h"

#include <QChar>
#include <QString>

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

// C0 and C1 control characters, with which a text could recolour or overwrite the screen, or rename the window.
bool steers(char32_t c) { return (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0); }

} // namespace

bool TerminalText::isVerbatim() const {
    return m_fenced || m_line.startsWith(QLatin1String("    ")) || m_line.startsWith(u'\t') ||
           m_line.startsWith(u'|') || m_line.startsWith(QLatin1String("```"));
}

QString TerminalText::push(const QString& text) {
    QString out;
    for (const char32_t c : text.toUcs4()) {
        if (c == '\r') {
            continue; // part of a line break
        }
        if (c == '\n') {
            endLine(out);
            continue;
        }
        const QString shown = steers(c) ? QString(QChar::ReplacementCharacter) : QString::fromUcs4(&c, 1);
        m_line += shown;
        if (c == ' ') {
            endWord(out);
            m_spaces += u' ';
            continue;
        }
        m_word += shown;
        constexpr int kWide = 2; // a line may break between two such characters
        if (isVerbatim() || displayWidth(shown) == kWide) {
            endWord(out);
        }
    }
    return out;
}

QString TerminalText::finish() {
    QString out;
    endWord(out);
    m_column = 0;
    m_line.clear();
    m_spaces.clear();
    m_fenced = false;
    return out;
}

void TerminalText::endWord(QString& out) {
    if (m_word.isEmpty()) {
        return;
    }
    const int width = displayWidth(m_word);
    if (!isVerbatim() && m_column > 0 && m_column + displayWidth(m_spaces) + width > m_columns) {
        out += u'\n';
        m_column = 0;
        m_spaces.clear();
    }
    m_column += displayWidth(m_spaces) + width;
    if (m_column > m_columns) { // the terminal breaks a longer line itself, but a full one only at the next character
        m_column = (m_column - 1) % m_columns + 1;
    }
    out += m_spaces + m_word;
    m_spaces.clear();
    m_word.clear();
}

void TerminalText::endLine(QString& out) {
    endWord(out);
    if (m_line.trimmed().startsWith(QLatin1String("```"))) {
        m_fenced = !m_fenced;
    }
    out += u'\n';
    m_column = 0;
    m_line.clear();
    m_spaces.clear();
}

namespace {

struct RangeRow {
    char32_t first;
    char32_t last;
};

// Wide characters. Neighbouring ranges are joined if all code points between them are unassigned.
constexpr auto kWide = std::to_array<RangeRow>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1AFF0, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
    {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
});

int widthOf(char32_t c) {
    if (c < 0x300) { // Latin; terminals draw U+00AD
        return 1;
    }
    switch (QChar::category(c)) {
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Other_Format:
        return 0;
    default:
        break;
    }
    const auto* range = std::ranges::lower_bound(kWide, c, {}, &RangeRow::last);
    return range != kWide.end() && range->first <= c ? 2 : 1;
}

// Returns the character at `index` and advances the index past it.
char32_t takeCharacter(QStringView text, qsizetype& index) {
    const QChar first = text[index++];
    const bool pair = first.isHighSurrogate() && index < text.size() && text[index].isLowSurrogate();
    return pair ? QChar::surrogateToUcs4(first, text[index++]) : first.unicode();
}

} // namespace

int displayWidth(QStringView text) {
    int width = 0;
    for (qsizetype i = 0; i < text.size();) {
        width += widthOf(takeCharacter(text, i));
    }
    return width;
}

QStringList wrapToWidth(const QString& text, int width, int used) {
    QStringList lines{QString()};
    for (const QString& word : text.simplified().split(QLatin1Char(' '))) {
        const int room = width - (lines.size() == 1 ? used : 0);
        QString& line = lines.back();
        if (line.isEmpty()) {
            line = word;
        } else if (displayWidth(line) + 1 + displayWidth(word) <= room) {
            line += QLatin1Char(' ') + word;
        } else {
            lines << word;
        }
    }
    return lines;
}

QString cutMiddleToWidth(const QString& text, int width) {
    if (displayWidth(text) <= width || width < 3) {
        return cutToWidth(text, width);
    }
    const int head = (width - 1) / 2;
    qsizetype first = 0; // the head ends here
    for (qsizetype i = 0, used = 0; i < text.size(); first = i) {
        used += widthOf(takeCharacter(text, i));
        if (used > head) {
            break;
        }
    }
    qsizetype second = first; // the tail begins here
    while (second < text.size() && displayWidth(QStringView(text).mid(second)) > width - 1 - head) {
        takeCharacter(text, second);
    }
    return text.left(first) + QChar(0x2026) + text.mid(second);
}

QString cutToWidth(const QString& text, int width) {
    int used = 0;
    qsizetype fits = 0; // the number of characters that leave room for the ellipsis
    for (qsizetype i = 0; i < text.size();) {
        used += widthOf(takeCharacter(text, i));
        if (used > width) {
            return text.left(fits) + QChar(0x2026);
        }
        if (used < width) {
            fits = i;
        }
    }
    return text;
}

} // namespace gufo::cli
