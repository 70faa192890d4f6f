#include "ui/pages/metadata/metadata_view.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/models/key_transfer.h"
#include "ui/theme/theme.h"
#include "ui/widgets/value_delegate.h"

#include <QDrag>
#include <QDropEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolTip>

#include <memory>

namespace gufo::ui {
namespace {

constexpr int kIcon = 14;
constexpr int kIconMargin = 8;
constexpr int kLabelPadding = 8; // of the drag label

} // namespace

MetadataView::MetadataView(QWidget* parent)
    : QTreeView(parent) {
    setMouseTracking(true);
    setDragEnabled(true);
    setAcceptDrops(true);
    setDropIndicatorShown(false);
    setDragDropMode(DragDrop);
    setDefaultDropAction(Qt::CopyAction);
}

QRect MetadataView::revertButton(const QModelIndex& index) const {
    if (!index.siblingAtColumn(0).data(kChangedRole).toBool()) {
        return {};
    }
    const QRect row = visualRect(index);
    return {viewport()->width() - kIcon - kIconMargin, row.center().y() - kIcon / 2 + 1, kIcon, kIcon};
}

void MetadataView::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const bool changed = index.siblingAtColumn(0).data(kChangedRole).toBool();
    if (changed && !selectionModel()->isRowSelected(index.row(), index.parent())) {
        painter->fillRect(QRect(0, option.rect.top(), viewport()->width(), option.rect.height()),
                          themeColor(Token::ChangedRow));
    }
    QTreeView::drawRow(painter, option, index);
    if (changed) {
        const QRect row(0, option.rect.top(), viewport()->width(), option.rect.height());
        paintChangeBar(*painter, row, index.siblingAtColumn(0).data(kAddedRole).toBool());
        const QRect button = revertButton(index);
        const bool selected = selectionModel()->isRowSelected(index.row(), index.parent());
        painter->fillRect(button.adjusted(-kIconMargin / 2, -4, kIconMargin, 4),
                          themeColor(selected ? Token::Selection : Token::ChangedRow));
        themeIcon(QStringLiteral("undo"), Token::Accent).paint(painter, button);
    }
}

bool MetadataView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && state() != EditingState) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy) || key->matches(QKeySequence::Paste)) {
            event->accept(); // keeps the window from handling it: keys must keep their types
            return true;
        }
    }
    return QTreeView::event(event);
}

void MetadataView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        emit copyRequested();
    } else if (event->matches(QKeySequence::Paste)) {
        emit pasteRequested();
    } else {
        QTreeView::keyPressEvent(event);
    }
}

bool MetadataView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip || event->type() == QEvent::MouseMove) {
        const QPoint at = event->type() == QEvent::ToolTip ? static_cast<QHelpEvent*>(event)->pos()
                                                           : static_cast<QMouseEvent*>(event)->pos();
        const bool onButton = revertButton(indexAt(at)).contains(at);
        viewport()->setCursor(onButton ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (onButton && event->type() == QEvent::ToolTip) {
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tr("Revert this change"), this);
            return true;
        }
    }
    return QTreeView::viewportEvent(event);
}

void MetadataView::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && revertButton(index).contains(event->pos())) {
        emit revertRequested(index);
        return;
    }
    QTreeView::mousePressEvent(event);
}

// Drags a label instead of an image of whole rows, which would cover the drop position.
void MetadataView::startDrag(Qt::DropActions) {
    std::unique_ptr<QMimeData> carried(model()->mimeData(selectedIndexes()));
    const auto* keys = qobject_cast<const KeyMimeData*>(carried.get());
    if (keys == nullptr || keys->keys().empty()) {
        return;
    }
    const auto& names = keys->keys();
    QLabel label(names.size() == 1 ? displayText(keys->model()->metadata[names.front()].key)
                                   : tr("%n keys", nullptr, numerus(names.size())));
    label.setFont(themeFont(TextStyle::Mono));
    label.setFrameShape(QFrame::StyledPanel);
    label.setContentsMargins(kLabelPadding, 2, kLabelPadding, 2);
    label.setAutoFillBackground(true);
    label.resize(label.sizeHint());
    auto* drag = new QDrag(this); // deleted by Qt
    drag->setMimeData(carried.release());
    drag->setPixmap(label.grab());
    drag->setHotSpot({-kLabelPadding, -kLabelPadding});
    drag->exec(Qt::CopyAction);
}

void MetadataView::dragEnterEvent(QDragEnterEvent* event) { dragMoveEvent(event); }

void MetadataView::dragMoveEvent(QDragMoveEvent* event) {
    if (carriesKeys(event->mimeData()) && event->source() != this) {
        event->setDropAction(Qt::CopyAction);
        event->accept();
    } else {
        event->ignore(); // files are handled by the window
    }
}

void MetadataView::dropEvent(QDropEvent* event) {
    if (carriesKeys(event->mimeData()) && event->source() != this) {
        event->setDropAction(Qt::CopyAction);
        event->accept();
        emit dropped(event->mimeData());
    } else {
        event->ignore();
    }
}

} // namespace gufo::ui

#include "moc_metadata_view.cpp"
