// Primitive elements, and the shapes that all parts of the style share.
#include "ui/theme/style.h"
#include "ui/theme/style_shapes.h"

namespace gufo::ui {

void drawBox(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& outline, double radius) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(outline.alpha() == 0 ? QPen(Qt::NoPen) : QPen(outline, 1.0));
    painter->setBrush(fill.alpha() == 0 ? QBrush(Qt::NoBrush) : QBrush(fill));
    const double inset = outline.alpha() == 0 ? 0.0 : 0.5;
    painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
    painter->restore();
}

void drawFocusRing(QPainter* painter, const QRect& rect, double radius) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(themeColor(Token::Accent), 1.6));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.8, 0.8, -0.8, -0.8), radius, radius);
    painter->restore();
}

void drawIcon(QPainter* painter, const QRect& rect, const QString& name, Token token, int size) {
    QRect square(0, 0, size, size);
    square.moveCenter(rect.center());
    themeIcon(name, token).paint(painter, square);
}

bool showsFocus(const QStyleOption* option) {
    constexpr QStyle::State kByKeyboard = QStyle::State_HasFocus | QStyle::State_KeyboardFocusChange;
    return (option->state & kByKeyboard) == kByKeyboard;
}

namespace {

// Draws push buttons and the frame of combo boxes.
void drawButton(const QStyleOption* option, QPainter* painter, const QWidget* widget) {
    const bool primary = widget != nullptr && widget->property(kPrimaryProperty).toBool();
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool on = has(option, QStyle::State_On);
    const bool hovered = enabled && has(option, QStyle::State_MouseOver);
    const bool down = has(option, QStyle::State_Sunken);
    QColor fill = themeColor(down || hovered ? Token::ButtonHover : Token::Button);
    QColor outline = themeColor(Token::StrongLine);
    if (primary && enabled) {
        fill = themeColor(Token::Accent);
        if (down || hovered) {
            fill = Theme::instance().isDark() ? fill.lighter(108) : fill.darker(112);
        }
        outline = fill;
    } else if (on) {
        fill = themeColor(Token::Selection);
    } else if (!enabled) {
        fill = themeColor(Token::Window);
        outline = themeColor(Token::Line);
    }
    if (down && !primary) {
        fill = themeColor(Token::Line);
    }
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (button != nullptr && (button->features & QStyleOptionButton::Flat) != 0) {
        if (hovered || down || on) {
            drawBox(painter, option->rect, fill, Qt::transparent, kRadius);
        }
    } else {
        drawBox(painter, option->rect, fill, outline, kRadius);
    }
    if (showsFocus(option)) {
        drawFocusRing(painter, option->rect, kRadius);
        if (primary) { // the ring would be invisible on a primary button's own colour
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(themeColor(Token::OnAccent), 1.0));
            painter->drawRoundedRect(QRectF(option->rect).adjusted(2.5, 2.5, -2.5, -2.5), kRadius - 1, kRadius - 1);
            painter->restore();
        }
    }
}

void drawField(const QStyleOption* option, QPainter* painter) {
    const bool focused = has(option, QStyle::State_HasFocus);
    const bool enabled = has(option, QStyle::State_Enabled);
    const QColor outline = themeColor(enabled ? Token::StrongLine : Token::Line);
    drawBox(painter, option->rect, themeColor(enabled ? Token::Base : Token::Window), outline, kRadius);
    if (focused) {
        drawFocusRing(painter, option->rect, kRadius);
    }
}

void drawIndicator(const QStyleOption* option, QPainter* painter, double radius, bool radio) {
    const bool on = has(option, QStyle::State_On);
    const bool partly = has(option, QStyle::State_NoChange);
    const bool enabled = has(option, QStyle::State_Enabled);
    const QColor mark = themeColor(enabled ? Token::Accent : Token::Faint);
    drawBox(painter, option->rect, on || partly ? mark : themeColor(enabled ? Token::Base : Token::Window),
            on || partly ? mark : themeColor(Token::StrongLine), radius);
    if (radio && on) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(themeColor(Token::OnAccent));
        painter->drawEllipse(QRectF(option->rect).center(), 2.5, 2.5);
        painter->restore();
    } else if (on) {
        drawIcon(painter, option->rect, QStringLiteral("check"), Token::OnAccent, 12);
    } else if (partly) {
        drawIcon(painter, option->rect, QStringLiteral("minus"), Token::OnAccent, 12);
    }
    if (has(option, QStyle::State_HasFocus) && showsFocus(option)) {
        drawFocusRing(painter, option->rect.adjusted(-2, -2, 2, 2), radius + 2);
    }
}

} // namespace

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    switch (element) {
    case PE_PanelButtonCommand:
        drawButton(option, painter, widget);
        return;
    case PE_PanelButtonTool:
        if (widget != nullptr && widget->property(kFoldProperty).toBool() && has(option, State_On)) {
            QStyleOption plain = *option;
            plain.state &= ~State_On;
            drawPrimitive(element, &plain, painter, widget);
            return;
        }
        if (has(option, State_On) || has(option, State_Sunken) ||
            (has(option, State_Enabled) && has(option, State_MouseOver)) || !has(option, State_AutoRaise)) {
            drawButton(option, painter, widget);
        } else if (showsFocus(option)) {
            drawFocusRing(painter, option->rect, kRadius);
        }
        return;
    case PE_FrameDefaultButton:
        return;
    case PE_PanelLineEdit: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (frame == nullptr || frame->lineWidth > 0) {
            drawField(option, painter);
        }
        return;
    }
    case PE_FrameLineEdit:
        drawField(option, painter);
        return;
    case PE_FrameFocusRect: {
        // Buttons, fields and tabs draw their own focus ring.
        const bool inView = qstyleoption_cast<const QStyleOptionFocusRect*>(option) != nullptr;
        if (inView && showsFocus(option)) {
            drawFocusRing(painter, option->rect, 2);
        }
        return;
    }
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawIndicator(option, painter, 3, false);
        return;
    case PE_IndicatorRadioButton:
        drawIndicator(option, painter, 7, true);
        return;
    case PE_IndicatorBranch:
        if (has(option, State_Children)) {
            drawIcon(painter, option->rect,
                     has(option, State_Open) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
                     Token::Muted, 12);
        }
        return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorHeaderArrow:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight: {
        QString name = QStringLiteral("chevron-down");
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            // Qt's "down" arrow means ascending, but people read the arrow as the direction in which values grow.
            name = header->sortIndicator == QStyleOptionHeader::SortDown ? QStringLiteral("chevron-up") : name;
        } else if (element == PE_IndicatorArrowUp) {
            name = QStringLiteral("chevron-up");
        } else if (element == PE_IndicatorArrowLeft) {
            name = QStringLiteral("chevron-left");
        } else if (element == PE_IndicatorArrowRight) {
            name = QStringLiteral("chevron-right");
        }
        drawIcon(painter, option->rect, name, has(option, State_Enabled) ? Token::Muted : Token::Faint, 12);
        return;
    }
    case PE_IndicatorTabClose:
        if (has(option, State_MouseOver)) {
            drawBox(painter, option->rect, themeColor(Token::Line), Qt::transparent, 3);
        }
        drawIcon(painter, option->rect, QStringLiteral("close"),
                 has(option, State_MouseOver) || has(option, State_Selected) ? Token::Text : Token::Muted, 12);
        return;
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                          themeColor(Token::Line));
        return;
    case PE_PanelMenuBar:
    case PE_PanelScrollAreaCorner:
    case PE_FrameStatusBarItem:
        return;
    case PE_PanelMenu:
        painter->fillRect(option->rect, themeColor(Token::Base));
        return;
    case PE_FrameMenu:
        painter->save();
        painter->setPen(themeColor(Token::StrongLine));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    case PE_PanelTipLabel:
        drawBox(painter, option->rect, themeColor(Token::Base), themeColor(Token::StrongLine), kRadius);
        return;
    case PE_Frame:
    case PE_FrameTabWidget:
    case PE_FrameGroupBox:
        painter->save();
        painter->setPen(themeColor(Token::Line));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

} // namespace gufo::ui
