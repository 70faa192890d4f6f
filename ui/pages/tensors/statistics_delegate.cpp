#include "ui/pages/tensors/statistics_delegate.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace gufo::ui {

void StatisticsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, themeColor(Token::Selection));
    }
    painter->setFont(option.font);
    painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
    painter->drawText(option.rect.adjusted(0, 0, 0, -1), index.data(Qt::TextAlignmentRole).toInt(),
                      index.data().toString());
    painter->setPen(themeColor(Token::Line));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
}

} // namespace gufo::ui

#include "moc_statistics_delegate.cpp"
