#include "ui/widgets/cell_delegate.h"

#include "ui/widgets/pending_input.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QPersistentModelIndex>
#include <QToolTip>

namespace gufo::ui {
namespace {

constexpr char kEditor[] = "gufoEditor";   // of a list of completions
constexpr char kRefused[] = "gufoRefused"; // of an editor: the model has not taken its value

} // namespace

// What is typed into an open editor.
class CellInput : public PendingInput {
    Q_OBJECT

public:
    CellInput(QWidget* editor, QWidget* field, CellDelegate* delegate, const QModelIndex& index)
        : PendingInput(editor)
        , m_editor(editor)
        , m_field(field)
        , m_delegate(delegate)
        , m_index(index) {}

    [[nodiscard]] QWidget* editor() const { return m_editor; }
    [[nodiscard]] bool isClosed() const { return m_closed; }
    void setClosed() {
        m_closed = true;
        contentChanged();
    }
    using PendingInput::contentChanged;

    [[nodiscard]] bool isPending() const override { return !m_closed && m_delegate->isChanged(*m_editor); }
    [[nodiscard]] QString problem() const override { return m_delegate->problem(*m_editor, m_index); }
    bool commit() override { return m_delegate->commit(this, QAbstractItemDelegate::NoHint); }
    void discard() override { m_delegate->close(this, QAbstractItemDelegate::RevertModelCache); }
    void showProblem() override {
        const QString reason = problem();
        say(reason.isEmpty() ? CellDelegate::tr("The model does not take this value now.") : reason);
    }
    // Called by the window system's focus changes, where a tooltip shown at once would be hidden again.
    void scheduleBringingBack() { QMetaObject::invokeMethod(this, &PendingInput::bringBack, Qt::QueuedConnection); }

protected:
    [[nodiscard]] QWidget* field() const override { return m_field; }

private:
    void say(const QString& text) const {
        QToolTip::showText(m_editor->mapToGlobal(QPoint(0, m_editor->height())), text, m_editor);
    }

    QWidget* m_editor;
    QWidget* m_field;
    CellDelegate* m_delegate;
    QPersistentModelIndex m_index;
    bool m_closed = false;
};

namespace {

CellInput* inputOf(const QObject* editor) {
    return editor != nullptr ? editor->findChild<CellInput*>(QString(), Qt::FindDirectChildrenOnly) : nullptr;
}

// The input of an open editor, of a widget in it, or of its list of completions.
CellInput* inputAround(const QObject* watched) {
    if (const auto editor = watched->property(kEditor).value<QObject*>()) {
        return inputOf(editor);
    }
    for (; watched != nullptr; watched = watched->parent()) {
        if (CellInput* input = inputOf(watched)) {
            return input;
        }
    }
    return nullptr;
}

bool hasFocusWithin(const QWidget& editor) {
    const QWidget* focus = QApplication::focusWidget();
    return QApplication::activePopupWidget() != nullptr ||
           (focus != nullptr && (focus == &editor || editor.isAncestorOf(focus)));
}

} // namespace

void CellDelegate::prepare(QWidget* editor, QWidget* field, const QModelIndex& index) const {
    auto* self = const_cast<CellDelegate*>(this); // the interface is const, but event filters are not
    new CellInput(editor, field, self, index);
    editor->setAutoFillBackground(true); // the view also paints the old content below it
    field->installEventFilter(self);
    if (QAbstractItemView* list = completions(*editor)) {
        list->setProperty(kEditor, QVariant::fromValue<QObject*>(editor));
        list->installEventFilter(self); // installed last, so it is asked before the completer
    }
}

void CellDelegate::contentChanged(QWidget* editor) const {
    setRefused(editor, false);
    if (CellInput* input = inputOf(editor)) {
        input->contentChanged();
    }
}

void CellDelegate::setRefused(QWidget* editor, bool refused) { editor->setProperty(kRefused, refused); }

QAbstractItemView* CellDelegate::completions(const QWidget& editor) const {
    Q_UNUSED(editor);
    return nullptr;
}

void CellDelegate::hidePopups(QWidget& editor) const { Q_UNUSED(editor); }

bool CellDelegate::handleKey(QWidget& editor, int key) {
    Q_UNUSED(editor);
    Q_UNUSED(key);
    return false;
}

bool CellDelegate::commit(CellInput* input, EndEditHint hint) {
    QWidget* editor = input->editor();
    if (input->isStuck()) {
        input->showProblem();
        return false;
    }
    const QPointer<CellInput> held = input;
    if (input->isPending()) {
        setRefused(editor, false);
        emit commitData(editor);
        if (!held.isNull() && editor->property(kRefused).toBool()) {
            held->showProblem();
            return false;
        }
    }
    if (!held.isNull()) {
        close(held, hint);
    }
    return true;
}

// Closing moves the focus from the editor to the view, which must not commit a second time.
void CellDelegate::close(CellInput* input, EndEditHint hint) {
    input->setClosed();
    hidePopups(*input->editor());
    emit closeEditor(input->editor(), hint);
}

void CellDelegate::cancel(QWidget* editor) const {
    if (CellInput* input = inputOf(editor)) {
        const_cast<CellDelegate*>(this)->close(input, RevertModelCache);
    }
}

bool CellDelegate::eventFilter(QObject* watched, QEvent* event) {
    CellInput* input = inputAround(watched);
    if (input == nullptr) {
        return QStyledItemDelegate::eventFilter(watched, event);
    }
    if (input->isClosed()) {
        return false;
    }
    const bool inList = watched->property(kEditor).isValid();
    switch (event->type()) {
    case QEvent::ShortcutOverride:
        if (!inList && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
        return false;
    case QEvent::KeyPress: {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (inList && key == Qt::Key_Escape) {
            return false; // closes the list only
        }
        switch (key) {
        case Qt::Key_Escape:
            close(input, RevertModelCache);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
        case Qt::Key_Backtab:
            hidePopups(*input->editor()); // the field has the text of the chosen completion
            commit(input, key == Qt::Key_Tab ? EditNextItem : key == Qt::Key_Backtab ? EditPreviousItem : NoHint);
            return true;
        default:
            return !inList && handleKey(*input->editor(), key);
        }
    }
    case QEvent::FocusOut:
        if (inList || hasFocusWithin(*input->editor())) {
            return false;
        }
        if (!input->isPending()) {
            close(input, RevertModelCache);
        } else if (static_cast<QFocusEvent*>(event)->reason() == Qt::ActiveWindowFocusReason) {
            if (!input->isStuck()) { // otherwise it gets the focus back with the window
                commit(input, NoHint);
            }
        } else if (input->isStuck() || !commit(input, NoHint)) {
            input->scheduleBringingBack();
        }
        return false;
    default:
        return false;
    }
}

} // namespace gufo::ui

#include "cell_delegate.moc"
#include "moc_cell_delegate.cpp"
