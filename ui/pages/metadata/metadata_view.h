// The tree of keys. Rows with an unsaved change have a tint, a bar at the left edge and a button that reverts the
// change. Keys can be dragged out and dropped in.
#pragma once

#include <QTreeView>

class QMimeData;

namespace gufo::ui {

class MetadataView : public QTreeView {
    Q_OBJECT

public:
    explicit MetadataView(QWidget* parent = nullptr);
    // The position of a row's revert button; empty for unchanged rows.
    [[nodiscard]] QRect revertButton(const QModelIndex& index) const;
    [[nodiscard]] bool isEditing() const { return state() == EditingState; }

signals:
    void revertRequested(const QModelIndex& index);
    void copyRequested();
    void pasteRequested();
    void dropped(const QMimeData* data); // keys of another model, or of this one from another window

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
};

} // namespace gufo::ui
