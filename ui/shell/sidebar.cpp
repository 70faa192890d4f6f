#include "ui/shell/sidebar.h"

#include "ui/shell/page.h"
#include "ui/theme/style_shapes.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kWidth = 168;
constexpr int kCompactWidth = 44;
constexpr int kItemHeight = 32;
constexpr int kMargin = 8;
constexpr int kItemGap = 2;

enum Role { IconNameRole = Qt::UserRole, BadgeRole, WarningRole };

class PageItemDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        Q_UNUSED(index);
        return {10, std::max(kItemHeight, option.fontMetrics.height() + 12) + kItemGap};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool compact = qobject_cast<const Sidebar*>(option.widget)->isCompact();
        const QRect item = option.rect.adjusted(compact ? 6 : kMargin, 0, compact ? -6 : -kMargin, -kItemGap);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        if (selected) {
            drawBox(painter, item, themeColor(Token::Selection), Qt::transparent, kRadius);
            painter->fillRect(QRect(item.left(), item.top() + 6, 3, item.height() - 12), themeColor(Token::Accent));
        } else if ((option.state & QStyle::State_MouseOver) != 0) {
            drawBox(painter, item, themeColor(Token::ButtonHover), Qt::transparent, kRadius);
        }
        if ((option.state & QStyle::State_HasFocus) != 0 && (option.state & QStyle::State_KeyboardFocusChange) != 0) {
            drawFocusRing(painter, item, kRadius);
        }
        const QRect iconRect(compact ? item.center().x() - 7 : item.left() + 11, item.top(), 16, item.height());
        drawIcon(painter, iconRect, index.data(IconNameRole).toString(), selected ? Token::Accent : Token::Muted, 16);
        if (compact) {
            return;
        }
        const QString badge = index.data(BadgeRole).toString();
        painter->save();
        painter->setFont(themeFont(TextStyle::Axis));
        painter->setPen(themeColor(index.data(WarningRole).toBool() ? Token::WarningText : Token::Muted));
        painter->drawText(item.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, badge);
        const int badgeWidth = badge.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(badge) + 8;
        painter->setFont(option.font);
        painter->setPen(themeColor(Token::Text));
        const QRect textRect = item.adjusted(36, 0, -10 - badgeWidth, 0);
        painter->drawText(
            textRect, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, textRect.width()));
        painter->restore();
    }

private:
    static constexpr int kRadius = 4;
};

} // namespace

Sidebar::Sidebar(QWidget* parent)
    : QListWidget(parent) {
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new PageItemDelegate(this));
    setFont(themeFont(TextStyle::Body));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setViewportMargins(0, kMargin, 1, 0);
    viewport()->setAutoFillBackground(false);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Window);
    viewport()->setBackgroundRole(QPalette::Window);
    setAccessibleName(tr("Pages"));
    setCompact(false);
}

void Sidebar::addPage(const Page& page) {
    auto* item = new QListWidgetItem(page.title(), this);
    item->setData(IconNameRole, page.iconName());
    updatePage(row(item), page);
}

void Sidebar::updatePage(int row, const Page& page) {
    QListWidgetItem* entry = item(row);
    entry->setData(BadgeRole, page.badge());
    entry->setData(WarningRole, page.badgeIsWarning());
    entry->setToolTip(m_compact ? page.title() : QString());
    entry->setData(Qt::AccessibleTextRole, QString(page.title() + QLatin1Char(' ') + page.badge()).trimmed());
}

void Sidebar::setCompact(bool compact) {
    m_compact = compact;
    setFixedWidth(compact ? kCompactWidth : kWidth);
    for (int row = 0; row < count(); ++row) {
        item(row)->setToolTip(compact ? item(row)->text() : QString());
    }
    viewport()->update();
}

} // namespace gufo::ui

#include "moc_sidebar.cpp"
