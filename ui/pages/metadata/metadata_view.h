// The tree of keys. Rows with an unsaved change have a tint, a bar at the left edge and a button that reverts the
// change. Keys can be dragged out and dropped in. The view remembers which groups the user has collapsed and whether
// the width of the values was chosen.
#pragma once

#include "ui/pages/metadata/models/metadata_model.h"

#include <QSet>
#include <QStyledItemDelegate>
#include <QTreeView>

class QMimeData;

namespace gufo::ui {

// Edits the type of a key's value, or of an array's elements, by a combo box in the Type column.
class TypeDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

class MetadataView : public QTreeView {
    Q_OBJECT

public:
    MetadataView(MetadataModel* keys, QWidget* parent);
    ~MetadataView() override;
    // Expands all groups except the groups that the user has collapsed, unless there are too many keys. `filtered`:
    // also collapsed groups, because they contain matches.
    void unfold(bool filtered);
    // Expands the groups of these keys, except groups that the user has collapsed.
    void unfoldAround(std::span<const std::string> keys);
    [[nodiscard]] QJsonObject saveWidths() const;
    void restoreWidths(const QJsonObject& state);
    // The position of a row's revert button; empty for unchanged rows.
    [[nodiscard]] QRect revertButton(const QModelIndex& index) const;
    [[nodiscard]] bool isEditing() const { return state() == EditingState; }

signals:
    void revertRequested(const QModelIndex& index);
    void copyRequested();
    void pasteRequested();
    void pickRequested(const QModelIndex& index); // choose a token for this value
    void dropped(const QMimeData* data);          // keys of another model, or of this one from another window

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void spreadColumns();

    MetadataModel* m_keys;
    bool m_spreading = false;          // the view, not the user, is resizing columns
    bool m_valueWidthIsChosen = false; // the user has resized the value column
    QSet<QByteArray> m_folded;         // groups that the user has collapsed
    bool m_unfolding = false;
};

} // namespace gufo::ui
