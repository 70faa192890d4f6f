// The exact text of a QPlainTextEdit: its toPlainText() would convert no-break spaces to spaces.
#pragma once

#include <QPlainTextEdit>
#include <QTextDocument>

namespace gufo::ui {

[[nodiscard]] inline QString rawText(const QPlainTextEdit& edit) {
    return edit.document()->toRawText().replace(QChar(QChar::ParagraphSeparator), QChar(u'\n'));
}

} // namespace gufo::ui
