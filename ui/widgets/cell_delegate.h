// The basis of delegates whose cells are edited by typing. Return and Tab commit, Escape cancels, and so does leaving
// an unchanged editor. What cannot be committed stays in the field with the reason beside it (pending_input.h).
//
// A derived class creates the editor and calls follow() with it. Its setModelData() tells through setRefused() whether
// the model has taken the value.
#pragma once

#include <QStyledItemDelegate>

class QAbstractItemView;

namespace gufo::ui {

class CellInput;

class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    // `field` is the widget in the editor that takes the keys; the editor itself if it has no other. `changed` is the
    // editor's signal that its content has changed.
    template<typename Editor, typename Signal>
    void follow(Editor* editor, QWidget* field, Signal changed, const QModelIndex& index) const {
        connect(editor, changed, this, [editor, this] { contentChanged(editor); });
        prepare(editor, field, index);
    }
    // Ends editing without committing.
    void cancel(QWidget* editor) const;
    static void setRefused(QWidget* editor, bool refused);

    [[nodiscard]] virtual bool isChanged(const QWidget& editor) const = 0;
    // Why the content of a changed editor cannot be committed, a sentence; empty if it can.
    [[nodiscard]] virtual QString problem(const QWidget& editor, const QModelIndex& index) const = 0;
    // The list that takes the editor's keys while it is shown; null if there is none.
    [[nodiscard]] virtual QAbstractItemView* completions(const QWidget& editor) const;
    virtual void hidePopups(QWidget& editor) const;
    // Handles a key of the editor's field. Returns false if the field gets it.
    virtual bool handleKey(QWidget& editor, int key);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    friend class CellInput;
    void prepare(QWidget* editor, QWidget* field, const QModelIndex& index) const;
    void contentChanged(QWidget* editor) const;
    bool commit(CellInput* input, EndEditHint hint);
    void close(CellInput* input, EndEditHint hint);
};

} // namespace gufo::ui
