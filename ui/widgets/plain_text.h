// The text of a QPlainTextEdit, character for character: its toPlainText() turns no-break spaces into spaces.
#pragma once

#include <QPlainTextEdit>
#include <QTextDocument>

namespace gufo::ui {

[[nodiscard]] inline QString rawText(const QPlainTextEdit& edit) {
    return edit.document()->toRawText().replace(QChar(QChar::ParagraphSeparator), QChar(u'\n'));
}

} // namespace gufo::ui
