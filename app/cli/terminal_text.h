// Formats streamed text for a terminal: breaks lines between words and makes control characters harmless.
#pragma once

#include <QList>
#include <QString>

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

} // namespace gufo::cli
