// Formats streamed text for a terminal: breaks lines between words and makes control characters harmless.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QStringView>

namespace gufo::cli {

class TerminalText {
public:
    explicit TerminalText(int columns)
        : m_columns(columns) {}

    // Returns the text that can be written now. A word is held back until it is complete. Lines of code (between ``` or
    // indented by four spaces) and of tables are not broken.
    [[nodiscard]] QString push(const QString& text);
    // Returns the rest. The next text starts a new line.
    [[nodiscard]] QString finish();

private:
    void endWord(QString& out);
    void endLine(QString& out);
    [[nodiscard]] bool isVerbatim() const;

    int m_columns;
    int m_column = 0; // column on the terminal
    QString m_line;   // the current line of the text so far
    QString m_spaces; // spaces before the held-back word
    QString m_word;   // the word that is held back
    bool m_fenced = false;
};

// The number of terminal columns that a text occupies.

// East Asian wide characters and emoji occupy two columns, combining and invisible characters none (Unicode 15,
// EastAsianWidth W and F).
[[nodiscard]] int displayWidth(QStringView text);

// Breaks a text between words into lines of at most `width` columns; a word that is longer has a line of its own. Line
// breaks in the text count as spaces. The first line has `used` columns less.
[[nodiscard]] QStringList wrapToWidth(const QString& text, int width, int used = 0);

// Shortens the text to at most `width` (≥ 1) columns by an "…" in its middle.
[[nodiscard]] QString cutMiddleToWidth(const QString& text, int width);

// Truncates the text to at most `width` (≥ 1) columns. The last column is "…" if anything was cut off.
[[nodiscard]] QString cutToWidth(const QString& text, int width);

} // namespace gufo::cli
