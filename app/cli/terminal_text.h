// A text as a terminal shows it while it comes: lines end between words, and nothing in it can steer the terminal.
#pragma once

#include <QList>
#include <QString>

namespace gufo::cli {

class TerminalText {
public:
    explicit TerminalText(int columns)
        : m_columns(columns) {}

    // What can be written now. A word is held back until it is whole. Lines of code (between ``` or indented by four
    // spaces) and of tables stay as they are.
    [[nodiscard]] QString push(const QString& text);
    // The rest; the next text begins a line.
    [[nodiscard]] QString finish();

private:
    void endWord(QString& out);
    void endLine(QString& out);
    [[nodiscard]] bool isVerbatim() const;

    int m_columns;
    int m_column = 0; // of the terminal's line
    QString m_line;   // of the text, so far
    QString m_spaces; // before the word
    QString m_word;   // held back
    bool m_fenced = false;
};

} // namespace gufo::cli
