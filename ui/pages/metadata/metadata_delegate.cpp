#include "ui/pages/metadata/metadata_delegate.h"

#include "ui/pages/metadata/models/metadata_model.h"
#include "ui/widgets/marks.h"

#include <QPainter>

namespace gufo::ui {

int MetadataDelegate::paintBeside(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                                  int left) const {
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

} // namespace gufo::ui

#include "moc_metadata_delegate.cpp"
