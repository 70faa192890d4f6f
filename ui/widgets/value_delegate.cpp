#include "ui/widgets/value_delegate.h"

#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPointer>

namespace gufo::ui {
namespace {

constexpr int kPadding = 8;
constexpr int kGap = 8;
constexpr int kBarWidth = 3;
constexpr char kClosed[] = "gufoClosed";
constexpr char kFilled[] = "gufoFilled"; // a repaint of the model does not overwrite what is being typed

ValueEditor* editorOf(QObject* watched) {
    for (; watched != nullptr; watched = watched->parent()) {
        if (auto* editor = qobject_cast<ValueEditor*>(watched)) {
            return editor;
        }
    }
    return nullptr;
}

bool hasFocusWithin(const ValueEditor& editor) {
    const QWidget* focus = QApplication::focusWidget();
    return QApplication::activePopupWidget() != nullptr ||
           (focus != nullptr && (focus == &editor || editor.isAncestorOf(focus)));
}

} // namespace

void paintChangeBar(QPainter& painter, const QRect& row, bool added) {
    painter.fillRect(QRect(row.left(), row.top(), kBarWidth, row.height()),
                     themeColor(added ? Token::Good : Token::Accent));
}

void ValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() == 0 && index.data(kChangedRole).toBool() &&
        qobject_cast<const QAbstractItemView*>(option.widget) != nullptr && !option.widget->inherits("QTreeView")) {
        paintChangeBar(*painter, option.rect, index.data(kAddedRole).toBool());
    }
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    const int left = option.rect.left() + kPadding + styled.fontMetrics.horizontalAdvance(styled.text) + kGap;
    const int end = paintBeside(*painter, option, index, left);
    const QString before = index.data(kBeforeTextRole).toString();
    if (before.isEmpty() || end >= option.rect.right() - 3 * kPadding) {
        return;
    }
    painter->save();
    QFont font = themeFont(TextStyle::Mono);
    font.setStrikeOut(true);
    painter->setFont(font);
    painter->setPen(themeColor(Token::Muted));
    const QRect area(end, option.rect.top(), option.rect.right() - end - kPadding / 2, option.rect.height());
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font).elidedText(before, Qt::ElideRight, area.width()));
    painter->restore();
}

int ValueDelegate::paintBeside(QPainter&, const QStyleOptionViewItem&, const QModelIndex&, int left) const {
    return left;
}

QWidget* ValueDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    const QVariant subject = index.data(kValueSubjectRole);
    if (!subject.isValid()) {
        return nullptr;
    }
    auto* editor = new ValueEditor(subject.value<ValueSubject>(), parent);
    auto* self = const_cast<ValueDelegate*>(this); // the interface is const, event filters are not
    editor->field()->installEventFilter(self);
    connect(editor, &ValueEditor::pickRequested, self, [self, editor, index = QPersistentModelIndex(index)] {
        self->close(editor, RevertModelCache);
        emit self->pickRequested(index);
    });
    return editor;
}

void ValueDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    if (editor->property(kFilled).toBool()) {
        return;
    }
    editor->setProperty(kFilled, true);
    auto* field = static_cast<ValueEditor*>(editor);
    field->setValue(index.data(Qt::EditRole).value<OwnedValue>().value());
    field->selectAll();
}

void ValueDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    if (const auto value = static_cast<ValueEditor*>(editor)->value()) {
        model->setData(index, QVariant::fromValue(*value), Qt::EditRole);
    }
}

void ValueDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                         const QModelIndex& index) const {
    Q_UNUSED(index);
    editor->setGeometry(option.rect);
}

void ValueDelegate::commit(ValueEditor* editor, EndEditHint hint) {
    if (editor->isChanged() && !editor->value()) {
        editor->showProblem();
        return;
    }
    const QPointer<ValueEditor> held = editor;
    if (editor->isChanged()) {
        emit commitData(editor);
    }
    if (held) {
        close(held, hint);
    }
}

// The view takes the focus from the editor; that is no reason to commit again.
void ValueDelegate::close(ValueEditor* editor, EndEditHint hint) {
    editor->setProperty(kClosed, true);
    editor->hidePopups();
    emit closeEditor(editor, hint);
}

bool ValueDelegate::eventFilter(QObject* watched, QEvent* event) {
    ValueEditor* editor = editorOf(watched);
    if (editor == nullptr) {
        return QStyledItemDelegate::eventFilter(watched, event);
    }
    if (editor->property(kClosed).toBool()) {
        return false;
    }
    switch (event->type()) {
    case QEvent::ShortcutOverride:
        if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
        return false;
    case QEvent::KeyPress:
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            close(editor, RevertModelCache);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            commit(editor, NoHint);
            return true;
        case Qt::Key_Tab:
            commit(editor, EditNextItem);
            return true;
        case Qt::Key_Backtab:
            commit(editor, EditPreviousItem);
            return true;
        case Qt::Key_F4:
            if (editor->subject().namesToken) {
                emit editor->pickRequested();
                return true;
            }
            return false;
        default:
            return false;
        }
    case QEvent::FocusOut:
        if (!hasFocusWithin(*editor)) {
            if (editor->isChanged() && editor->value()) {
                commit(editor, NoHint);
            } else {
                close(editor, RevertModelCache);
            }
        }
        return false;
    default:
        return false;
    }
}

} // namespace gufo::ui
