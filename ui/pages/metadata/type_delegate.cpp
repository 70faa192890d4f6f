#include "ui/pages/metadata/type_delegate.h"

#include "model/value.h"
#include "ui/messages/key_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QKeyEvent>

namespace gufo::ui {
namespace {

constexpr char kCombo[] = "gufoCombo"; // of a combo box's list

} // namespace

QWidget* TypeDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    auto* combo = new QComboBox(parent);
    combo->setAccessibleName(tr("Type"));
    const bool array = index.data().toString().contains(u'[');
    for (const ValueTypeInfo& info : valueTypes()) {
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

} // namespace gufo::ui

#include "moc_type_delegate.cpp"
