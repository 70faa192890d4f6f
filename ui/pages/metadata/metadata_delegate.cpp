#include "ui/pages/metadata/metadata_delegate.h"

#include "ui/models/metadata_model.h"
#include "ui/widgets/marks.h"

#include <QPainter>

namespace gufo::ui {

void MetadataDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const QString chip = index.data(MetadataModel::ChipTextRole).toString();
    if (chip.isEmpty()) {
        return;
    }
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    constexpr int kPadding = 8;
    constexpr int kGap = 8;
    QRect area = option.rect;
    area.setLeft(area.left() + kPadding + styled.fontMetrics.horizontalAdvance(styled.text) + kGap);
    paintChip(*painter, area.adjusted(0, 0, -4, 0), chip,
              static_cast<ChipKind>(index.data(MetadataModel::ChipKindRole).toInt()));
}

} // namespace gufo::ui
