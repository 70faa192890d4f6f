#include "ui/pages/metadata/type_delegate.h"

#include "model/value.h"
#include "ui/messages/key_text.h"

#include <QComboBox>

namespace gufo::ui {

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
    auto* self = const_cast<TypeDelegate*>(this); // the interface is const, signals are not
    connect(combo, &QComboBox::activated, self, [self, combo] {
        emit self->commitData(combo);
        emit self->closeEditor(combo);
    });
    QMetaObject::invokeMethod(combo, &QComboBox::showPopup, Qt::QueuedConnection);
    return combo;
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
