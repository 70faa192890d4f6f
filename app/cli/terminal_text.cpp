#include "cli/terminal_text.h"

#include "cli/display_width.h"

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

} // namespace gufo::cli
