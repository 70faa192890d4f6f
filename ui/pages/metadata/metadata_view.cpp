#include "ui/pages/metadata/metadata_view.h"

#include "model/value.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/models/key_transfer.h"
#include "ui/theme/theme.h"
#include "ui/widgets/disconnect_children.h"
#include "ui/widgets/marks.h"
#include "ui/widgets/value_delegate.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDrag>
#include <QDropEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <memory>

namespace gufo::ui {

namespace {

constexpr char kCombo[] = "gufoCombo"; // of a combo box's list

} // namespace

QWidget* TypeDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    auto* combo = new QComboBox(parent);
    combo->setAccessibleName(tr("Type"));
    const bool array = index.data().toString().contains(u'[');
    for (const ValueTypeFact& info : valueTypes()) {
        if (info.type != ValueType::Array) {
            combo->addItem(latin1(info.name) + (array ? QStringLiteral("[]") : QString()),
                           static_cast<uint>(info.type));
        }
    }
    auto* self = const_cast<TypeDelegate*>(this); // the interface is const, but signals are not
    connect(combo, &QComboBox::activated, self, [self, combo] {
        emit self->commitData(combo);
        emit self->closeEditor(combo);
    });
    combo->view()->setProperty(kCombo, QVariant::fromValue<QObject*>(combo));
    combo->view()->installEventFilter(self);
    QMetaObject::invokeMethod(combo, &QComboBox::showPopup, Qt::QueuedConnection);
    return combo;
}

// The open list takes the keys, and would ignore Tab.
bool TypeDelegate::eventFilter(QObject* watched, QEvent* event) {
    auto* combo = qobject_cast<QComboBox*>(watched->property(kCombo).value<QObject*>());
    if (combo == nullptr) {
        return QStyledItemDelegate::eventFilter(watched, event);
    }
    const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
    if (key != Qt::Key_Tab && key != Qt::Key_Backtab) {
        return false;
    }
    combo->setCurrentIndex(combo->view()->currentIndex().row());
    combo->hidePopup();
    emit commitData(combo);
    emit closeEditor(combo, key == Qt::Key_Tab ? EditNextItem : EditPreviousItem);
    return true;
}

void TypeDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* combo = static_cast<QComboBox*>(editor);
    combo->setCurrentIndex(combo->findData(index.data(Qt::EditRole)));
}

void TypeDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    const QVariant type = static_cast<QComboBox*>(editor)->currentData();
    if (type.isValid() && type != index.data(Qt::EditRole)) {
        model->setData(index, type, Qt::EditRole);
    }
}

namespace {

constexpr int kIcon = 14;
constexpr int kIconMargin = 8;
constexpr int kLabelPadding = 8; // of the drag label
constexpr int kKeyWidth = 250;
constexpr int kTypeWidth = 90;
constexpr int kValueColumnWidth = 270;
constexpr int kMeaningWidth = 420;
constexpr std::uint32_t kUnfoldUpTo = 2000; // keys; a larger tree is shown collapsed

// Paints and edits the Value column: the value, the token of a token id as a chip, and the previous value if it was
// changed.
class MetadataDelegate : public ValueDelegate {
public:
    using ValueDelegate::ValueDelegate;

protected:
    int paintBeside(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                    int left) const override {
        const QString chip = index.data(MetadataModel::ChipTextRole).toString();
        if (chip.isEmpty()) {
            return left;
        }
        constexpr int kGap = 12;
        QRect area = option.rect;
        area.setLeft(left);
        return left + kGap +
               paintChip(painter, area.adjusted(0, 0, -4, 0), chip,
                         static_cast<ChipKind>(index.data(MetadataModel::ChipKindRole).toInt()));
    }
};

} // namespace

MetadataView::MetadataView(MetadataModel* keys, QWidget* parent)
    : QTreeView(parent)
    , m_keys(keys) {
    setModel(keys);
    setMouseTracking(true);
    setDragEnabled(true);
    setAcceptDrops(true);
    setDropIndicatorShown(false);
    setDragDropMode(DragDrop);
    setDefaultDropAction(Qt::CopyAction);
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::DoubleClicked);
    setAllColumnsShowFocus(true);
    setExpandsOnDoubleClick(true);
    setIndentation(16);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setFont(themeFont(TextStyle::Table));
    connect(&Theme::instance(), &Theme::changed, this, [this] { setFont(themeFont(TextStyle::Table)); });
    auto* values = new MetadataDelegate(this);
    setItemDelegateForColumn(MetadataModel::Value, values);
    setItemDelegateForColumn(MetadataModel::Type, new TypeDelegate(this));
    connect(values, &ValueDelegate::pickRequested, this, &MetadataView::pickRequested);
    header()->setStretchLastSection(true);
    header()->setHighlightSections(false);
    header()->setSectionsMovable(false);
    setColumnWidth(MetadataModel::Key, kKeyWidth);
    setColumnWidth(MetadataModel::Type, kTypeWidth);
    setColumnWidth(MetadataModel::Value, kValueColumnWidth);
    connect(header(), &QHeaderView::sectionResized, this, [this](int section) {
        m_valueWidthIsChosen = m_valueWidthIsChosen || (section == MetadataModel::Value && !m_spreading);
    });
    connect(this, &QTreeView::expanded, this,
            [this](const QModelIndex& index) { m_folded.remove(index.data(MetadataModel::PrefixRole).toByteArray()); });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (!m_unfolding) {
            m_folded.insert(index.data(MetadataModel::PrefixRole).toByteArray());
        }
    });
}

MetadataView::~MetadataView() { disconnectChildren(*this); }

void MetadataView::unfold(bool filtered) {
    if (m_keys->keyCount() > kUnfoldUpTo) {
        return;
    }
    m_unfolding = true;
    expandAll();
    if (!filtered) {
        for (const QByteArray& prefix : std::as_const(m_folded)) {
            collapse(m_keys->showPrefix(prefix, true));
        }
    }
    m_unfolding = false;
}

void MetadataView::unfoldAround(std::span<const std::string> keys) {
    for (const std::string& key : keys.first(std::min<std::size_t>(keys.size(), kUnfoldUpTo))) {
        const auto kv = m_keys->model()->metadata.indexOf(key);
        QModelIndex group = kv ? m_keys->showEntry(*kv).parent() : QModelIndex();
        for (; group.isValid(); group = group.parent()) {
            if (!m_folded.contains(group.data(MetadataModel::PrefixRole).toByteArray())) {
                expand(group);
            }
        }
    }
}

void MetadataView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    spreadColumns();
}

// The value column takes additional width, but leaves the meaning room for a sentence. A width chosen by the user is
// kept.
void MetadataView::spreadColumns() {
    if (m_valueWidthIsChosen) {
        return;
    }
    const int room = width() - columnWidth(MetadataModel::Key) - columnWidth(MetadataModel::Type);
    m_spreading = true;
    setColumnWidth(MetadataModel::Value, std::max(kValueColumnWidth, room - kMeaningWidth));
    m_spreading = false;
}

QJsonObject MetadataView::saveWidths() const {
    return {{QStringLiteral("header"), QString::fromLatin1(header()->saveState().toBase64())},
            {QStringLiteral("valueWidthIsChosen"), m_valueWidthIsChosen}};
}

void MetadataView::restoreWidths(const QJsonObject& state) {
    m_spreading = true;
    header()->restoreState(QByteArray::fromBase64(state.value(QStringLiteral("header")).toString().toLatin1()));
    m_spreading = false;
    m_valueWidthIsChosen = state.value(QStringLiteral("valueWidthIsChosen")).toBool();
    spreadColumns();
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
