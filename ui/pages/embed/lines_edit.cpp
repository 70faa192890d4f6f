#include "ui/pages/embed/lines_edit.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMimeData>
#include <QTextBlock>

#include <algorithm>

namespace gufo::ui {

LinesEdit::LinesEdit(QWidget* parent)
    : QPlainTextEdit(parent) {
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setAccessibleName(tr("Texts, one in each line"));
}

bool LinesEdit::fits(QStringView text) {
    if (text.size() > kMaxCharacters) {
        return false;
    }
    const auto lines = text.split(u'\n');
    return std::ranges::all_of(lines, [](QStringView line) { return line.size() <= kLongestLine; });
}

void LinesEdit::showLine(std::size_t number) {
    const QTextBlock block = document()->findBlockByNumber(static_cast<int>(number) - 1);
    if (block.isValid()) {
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        setTextCursor(cursor);
        centerCursor();
        setFocus(Qt::OtherFocusReason);
    }
}

void LinesEdit::insertFromMimeData(const QMimeData* source) {
    if (source->hasText() && !fits(source->text())) {
        emit largePaste(source->text());
        return;
    }
    QPlainTextEdit::insertFromMimeData(source);
}

void LinesEdit::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        event->modifiers().testFlag(Qt::ControlModifier)) {
        emit submitted();
        event->accept();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

} // namespace gufo::ui

#include "moc_lines_edit.cpp"
