// Simple controls: labels, tabs, menus, headers and rows.
#include "ui/theme/style.h"
#include "ui/theme/style_shapes.h"

#include <QComboBox>
#include <QFrame>
#include <QHeaderView>
#include <QStringList>

#include <algorithm>

namespace gufo::ui {
namespace {

// Draws icon and text, centred as a unit. If there is too little room, the text is elided.
void drawButtonLabel(const QStyle* style, const QStyleOptionButton* button, QPainter* painter, const QWidget* widget) {
    const bool enabled = has(button, QStyle::State_Enabled);
    const bool primary = widget != nullptr && widget->property(kPrimaryProperty).toBool();
    QRect room = button->rect;
    if ((button->features & QStyleOptionButton::HasMenu) != 0) {
        room.adjust(0, 0, -style->pixelMetric(QStyle::PM_MenuButtonIndicator, button, widget), 0);
    }
    const int icon = button->icon.isNull() ? 0 : button->iconSize.width();
    const int gap = icon > 0 && !button->text.isEmpty() ? kButtonIconGap : 0;
    const QSize textSize = button->fontMetrics.size(Qt::TextShowMnemonic, button->text);
    const int textWidth = std::min(textSize.width(), room.width() - icon - gap);
    int left = room.left() + (room.width() - icon - gap - textWidth) / 2;
    if (icon > 0) {
        button->icon.paint(painter, QRect(left, room.top(), icon, room.height()), Qt::AlignCenter,
                           enabled ? QIcon::Normal : QIcon::Disabled,
                           has(button, QStyle::State_On) ? QIcon::On : QIcon::Off);
        left += icon + gap;
    }
    QPalette palette = button->palette;
    if (primary && enabled) {
        palette.setColor(QPalette::ButtonText, themeColor(Token::OnAccent));
    }
    style->drawItemText(painter, QRect(left, room.top(), textWidth + 1, room.height()),
                        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic, palette, enabled, button->text,
                        QPalette::ButtonText);
}

void drawTab(const QStyleOptionTab* tab, QPainter* painter) {
    const QRect rect = tab->rect;
    const bool selected = has(tab, QStyle::State_Selected);
    painter->save();
    if (selected) {
        painter->fillRect(rect, themeColor(Token::Base));
        painter->fillRect(QRect(rect.left(), rect.top(), rect.width(), 2), themeColor(Token::Accent));
        painter->setPen(themeColor(Token::Line));
        painter->drawLine(rect.left(), rect.top() + 2, rect.left(), rect.bottom());
        painter->drawLine(rect.right(), rect.top() + 2, rect.right(), rect.bottom());
    } else {
        if (has(tab, QStyle::State_MouseOver)) {
            painter->fillRect(rect.adjusted(0, 0, 0, -1), themeColor(Token::ButtonHover));
        }
        painter->setPen(themeColor(Token::Line));
        painter->drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom());
    }
    if (selected && showsFocus(tab)) {
        drawFocusRing(painter, rect.adjusted(3, 4, -3, -3), kRadius);
    }
    painter->restore();
}

void drawMenuItem(const QStyle* style, const QStyleOptionMenuItem* item, QPainter* painter) {
    const QRect rect = item->rect;
    if (item->menuItemType == QStyleOptionMenuItem::Separator) {
        painter->fillRect(QRect(rect.left() + 8, rect.center().y(), rect.width() - 16, 1), themeColor(Token::Line));
        return;
    }
    const bool enabled = has(item, QStyle::State_Enabled);
    const bool active = enabled && has(item, QStyle::State_Selected);
    if (active) {
        painter->fillRect(rect, themeColor(Token::Accent));
    }
    const Token textToken = active ? Token::OnAccent : enabled ? Token::Text : Token::Faint;
    if (item->checked) {
        drawIcon(painter, QRect(rect.left() + 8, rect.top(), 14, rect.height()), QStringLiteral("check"), textToken,
                 13);
    }
    const QStringList parts = item->text.split(u'\t');
    const QRect textRect = rect.adjusted(28, 0, -24, 0);
    const int flags = Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextShowMnemonic;
    painter->save();
    painter->setFont(item->font);
    painter->setPen(themeColor(textToken));
    painter->drawText(style->visualRect(item->direction, rect, textRect), flags | Qt::AlignLeft, parts.first());
    if (parts.size() > 1) {
        painter->setPen(themeColor(active ? Token::OnAccent : enabled ? Token::Muted : Token::Faint));
        painter->drawText(style->visualRect(item->direction, rect, textRect), flags | Qt::AlignRight, parts.last());
    }
    painter->restore();
    if (item->menuItemType == QStyleOptionMenuItem::SubMenu) {
        drawIcon(painter, QRect(rect.right() - 22, rect.top(), 14, rect.height()), QStringLiteral("chevron-right"),
                 textToken, 12);
    }
}

// The title has the full height of the header. The sort arrow stands to the right of a left-aligned title and to the
// left of a right-aligned one.
QRect headerPart(const QStyleOptionHeader& header, QStyle::SubElement element) {
    constexpr int kPadding = 8;
    constexpr int kArrow = 12;
    constexpr int kGap = 3;
    const QRect room = header.rect.adjusted(kPadding, 0, -kPadding, 0);
    const bool sorted = header.sortIndicator != QStyleOptionHeader::None;
    if (element == QStyle::SE_HeaderLabel) {
        const bool atRight = (header.textAlignment & Qt::AlignRight) != 0;
        return !sorted   ? room
               : atRight ? room.adjusted(kArrow + kGap, 0, 0, 0)
                         : room.adjusted(0, 0, -kArrow - kGap, 0);
    }
    if (!sorted) {
        return {};
    }
    const int text = std::min(header.fontMetrics.horizontalAdvance(header.text), room.width() - kArrow - kGap);
    const int left = (header.textAlignment & Qt::AlignRight) != 0 ? room.right() + 1 - text - kGap - kArrow
                                                                  : room.left() + text + kGap;
    return QRect(std::max(left, header.rect.left()), header.rect.center().y() - kArrow / 2, kArrow, kArrow);
}

void drawHeaderSection(const QStyleOption* option, QPainter* painter) {
    const QRect rect = option->rect;
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    painter->fillRect(rect, themeColor(has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled)
                                           ? Token::ButtonHover
                                           : Token::Header));
    painter->setPen(themeColor(Token::Line));
    const bool vertical = header != nullptr && header->orientation == Qt::Vertical;
    if (!vertical) {
        painter->drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom());
    }
    const bool last = header != nullptr && (header->position == QStyleOptionHeader::End ||
                                            header->position == QStyleOptionHeader::OnlyOneSection);
    if (!last || vertical) {
        painter->drawLine(rect.right(), rect.top(), rect.right(), rect.bottom());
    }
}

} // namespace

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            drawButtonLabel(this, button, painter, widget);
            return;
        }
        break;
    case CE_ComboBoxLabel: // a name that is too long keeps its end, which tells it from others
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            combo != nullptr && !combo->editable) {
            QStyleOptionComboBox elided = *combo;
            const int icon = combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + 4;
            const int room = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget).width() - icon - 2;
            elided.currentText = combo->fontMetrics.elidedText(combo->currentText, Qt::ElideMiddle, room);
            QProxyStyle::drawControl(element, &elided, painter, widget);
            return;
        }
        break;
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            drawTab(tab, painter);
            return;
        }
        break;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, themeColor(Token::Window));
        return;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            painter->fillRect(item->rect, themeColor(Token::Window));
            if (has(item, State_Selected) || has(item, State_Sunken)) {
                drawBox(painter, item->rect.adjusted(1, 3, -1, -3), themeColor(Token::Selection), Qt::transparent,
                        kRadius);
            }
            const bool mnemonics = styleHint(SH_UnderlineShortcut, item, widget) != 0;
            drawItemText(painter, item->rect,
                         Qt::AlignCenter | (mnemonics ? Qt::TextShowMnemonic : Qt::TextHideMnemonic), item->palette,
                         has(item, State_Enabled), item->text, QPalette::WindowText);
            return;
        }
        break;
    case CE_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            item != nullptr && qobject_cast<const QComboBox*>(widget) == nullptr) {
            drawMenuItem(this, item, painter);
            return;
        }
        break;
    case CE_Header: // Qt would lay out the parts without asking the proxy style
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            drawHeaderSection(option, painter);
            QStyleOptionHeader inner = *header;
            inner.rect = headerPart(*header, SE_HeaderLabel);
            drawControl(CE_HeaderLabel, &inner, painter, widget);
            inner.rect = headerPart(*header, SE_HeaderArrow);
            if (inner.rect.isValid()) {
                drawPrimitive(PE_IndicatorHeaderArrow, &inner, painter, widget);
            }
            return;
        }
        break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        drawHeaderSection(option, painter);
        return;
    case CE_HeaderLabel:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            QStyleOptionHeaderV2 muted;
            muted.QStyleOptionHeader::operator=(*header);
            muted.palette.setColor(QPalette::ButtonText, themeColor(Token::Muted));
            if ((muted.textAlignment & Qt::AlignVertical_Mask) == 0) {
                muted.textAlignment |= Qt::AlignVCenter;
            }
            muted.state &= ~State_On; // Fusion would draw the title of the selected column in bold
            const auto* view = qobject_cast<const QHeaderView*>(widget);
            if (view != nullptr && view->textElideMode() != Qt::ElideNone) {
                muted.text = muted.fontMetrics.elidedText(muted.text, view->textElideMode(), muted.rect.width());
            }
            QProxyStyle::drawControl(element, &muted, painter, widget);
            return;
        }
        break;
    case CE_Splitter:
        painter->fillRect(option->rect, themeColor(Token::Line));
        return;
    case CE_ItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option); item != nullptr) {
            QStyleOptionViewItem chosen = *item;
            if (widget != nullptr && widget->inherits("QComboBoxListView")) {
                chosen.palette.setColor(QPalette::Highlight, themeColor(Token::Accent));
                chosen.palette.setColor(QPalette::HighlightedText, themeColor(Token::OnAccent));
            } else { // an item's own colour is kept under the selection
                chosen.palette.setBrush(QPalette::HighlightedText, item->palette.brush(QPalette::Text));
            }
            QProxyStyle::drawControl(element, &chosen, painter, widget);
            return;
        }
        break;
    case CE_ShapedFrame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame != nullptr && (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine)) {
            const QRect r = frame->rect;
            painter->fillRect(frame->frameShape == QFrame::HLine ? QRect(r.left(), r.center().y(), r.width(), 1)
                                                                 : QRect(r.center().x(), r.top(), 1, r.height()),
                              themeColor(Token::Line));
            return;
        }
        break;
    case CE_FocusFrame:
        drawFocusRing(painter, option->rect, kRadius);
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

} // namespace gufo::ui
