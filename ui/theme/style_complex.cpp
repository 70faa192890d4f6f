// Complex controls: scroll bars, combo boxes, spin boxes, sliders and tool buttons.
#include "ui/theme/style.h"
#include "ui/theme/style_shapes.h"

#include <QStyleOptionComplex>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kArrowWidth = 22; // of combo boxes and spin boxes
constexpr int kGrooveHeight = 4;
constexpr int kThumbMargin = 2;

// The scroll bar has no arrows, so the groove covers all of it.
QRect scrollThumb(const QStyle* style, const QStyleOptionSlider* bar) {
    const bool horizontal = bar->orientation == Qt::Horizontal;
    const int length = horizontal ? bar->rect.width() : bar->rect.height();
    const qint64 range = qint64{bar->maximum} - bar->minimum;
    int thumb = length;
    if (range > 0) {
        const int shortest = std::min(style->pixelMetric(QStyle::PM_ScrollBarSliderMin), length);
        thumb =
            std::clamp(static_cast<int>(qint64{bar->pageStep} * length / (range + bar->pageStep)), shortest, length);
    }
    const int start = QStyle::sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - thumb,
                                                      bar->upsideDown);
    return horizontal ? QRect(bar->rect.left() + start, bar->rect.top(), thumb, bar->rect.height())
                      : QRect(bar->rect.left(), bar->rect.top() + start, bar->rect.width(), thumb);
}

void drawScrollBar(const QStyle* style, const QStyleOptionSlider* bar, QPainter* painter) {
    painter->fillRect(bar->rect, bar->palette.color(QPalette::Base));
    if (bar->maximum <= bar->minimum) {
        return;
    }
    const bool active = has(bar, QStyle::State_MouseOver) || has(bar, QStyle::State_Sunken);
    const QRect thumb = scrollThumb(style, bar).adjusted(kThumbMargin, kThumbMargin, -kThumbMargin, -kThumbMargin);
    drawBox(painter, thumb, themeColor(active ? Token::Faint : Token::StrongLine), Qt::transparent,
            std::min(thumb.width(), thumb.height()) / 2.0);
}

void drawSlider(const QStyle* style, const QStyleOptionSlider* slider, QPainter* painter, const QWidget* widget) {
    const bool horizontal = slider->orientation == Qt::Horizontal;
    const QRect handle = style->subControlRect(QStyle::CC_Slider, slider, QStyle::SC_SliderHandle, widget);
    QRect groove = horizontal ? QRect(slider->rect.left(), 0, slider->rect.width(), kGrooveHeight)
                              : QRect(0, slider->rect.top(), kGrooveHeight, slider->rect.height());
    if (horizontal) {
        groove.moveTop(handle.center().y() - kGrooveHeight / 2 + 1);
    } else {
        groove.moveLeft(handle.center().x() - kGrooveHeight / 2 + 1);
    }
    drawBox(painter, groove, themeColor(Token::Line), Qt::transparent, kGrooveHeight / 2.0);
    const Token accent = has(slider, QStyle::State_Enabled) ? Token::Accent : Token::Faint;
    QRect filled = groove;
    if (horizontal) {
        (slider->upsideDown ? filled.setLeft(handle.center().x()) : filled.setRight(handle.center().x()));
    } else {
        (slider->upsideDown ? filled.setTop(handle.center().y()) : filled.setBottom(handle.center().y()));
    }
    drawBox(painter, filled, themeColor(accent), Qt::transparent, kGrooveHeight / 2.0);
    drawBox(painter, handle, themeColor(Token::Base), themeColor(Token::StrongLine), handle.width() / 2.0);
    QRect dot(0, 0, 4, 4);
    dot.moveCenter(handle.center() + QPoint(1, 1));
    drawBox(painter, dot, themeColor(accent), Qt::transparent, 2);
    if (showsFocus(slider)) {
        drawFocusRing(painter, handle.adjusted(-1, -1, 1, 1), handle.width() / 2.0 + 1);
    }
}

} // namespace

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
    const QRect& rect = option->rect;
    if (control == CC_ScrollBar) {
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            const QRect thumb = scrollThumb(this, bar);
            const bool horizontal = bar->orientation == Qt::Horizontal;
            switch (part) {
            case SC_ScrollBarGroove:
                return rect;
            case SC_ScrollBarSlider:
                return thumb;
            case SC_ScrollBarSubPage:
                return horizontal ? QRect(rect.left(), rect.top(), thumb.left() - rect.left(), rect.height())
                                  : QRect(rect.left(), rect.top(), rect.width(), thumb.top() - rect.top());
            case SC_ScrollBarAddPage:
                return horizontal
                           ? QRect(thumb.right() + 1, rect.top(), rect.right() - thumb.right(), rect.height())
                           : QRect(rect.left(), thumb.bottom() + 1, rect.width(), rect.bottom() - thumb.bottom());
            default:
                return {};
            }
        }
    }
    if (control == CC_ComboBox) {
        QRect result;
        switch (part) {
        case SC_ComboBoxArrow:
            result = QRect(rect.right() - kArrowWidth + 1, rect.top(), kArrowWidth, rect.height());
            break;
        case SC_ComboBoxEditField:
            result = rect.adjusted(8, 1, -kArrowWidth, -1);
            break;
        default:
            return QProxyStyle::subControlRect(control, option, part, widget);
        }
        return visualRect(option->direction, rect, result);
    }
    if (control == CC_SpinBox) {
        const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const bool arrows = box != nullptr && box->buttonSymbols != QAbstractSpinBox::NoButtons;
        const int half = rect.height() / 2;
        QRect result;
        switch (part) {
        case SC_SpinBoxUp:
            result = arrows ? QRect(rect.right() - kArrowWidth + 1, rect.top(), kArrowWidth, half) : QRect();
            break;
        case SC_SpinBoxDown:
            result = arrows
                         ? QRect(rect.right() - kArrowWidth + 1, rect.top() + half, kArrowWidth, rect.height() - half)
                         : QRect();
            break;
        case SC_SpinBoxEditField:
            result = rect.adjusted(5, 1, arrows ? -kArrowWidth : -5, -1);
            break;
        default:
            return rect;
        }
        return visualRect(option->direction, rect, result);
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
    switch (control) {
    case CC_ScrollBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            drawScrollBar(this, bar, painter);
            return;
        }
        break;
    case CC_Slider:
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            drawSlider(this, slider, painter, widget);
            if ((slider->subControls & SC_SliderTickmarks) != 0) {
                QStyleOptionSlider ticks = *slider;
                ticks.subControls = SC_SliderTickmarks;
                QProxyStyle::drawComplexControl(control, &ticks, painter, widget);
            }
            return;
        }
        break;
    case CC_ComboBox:
        if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            if (box->frame) {
                drawPrimitive(box->editable ? PE_FrameLineEdit : PE_PanelButtonCommand, option, painter, widget);
            }
            drawIcon(painter, subControlRect(control, option, SC_ComboBoxArrow, widget).adjusted(0, 0, -2, 0),
                     QStringLiteral("chevron-down"), has(option, State_Enabled) ? Token::Muted : Token::Faint, 12);
            return;
        }
        break;
    case CC_SpinBox:
        if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
            if (box->frame) {
                drawPrimitive(PE_FrameLineEdit, option, painter, widget);
            }
            const auto arrow = [&](SubControl part, const QString& name, QAbstractSpinBox::StepEnabledFlag step) {
                const bool enabled = has(option, State_Enabled) && (box->stepEnabled & step) != 0;
                const int inward = part == SC_SpinBoxUp ? 1 : -1;
                drawIcon(painter, subControlRect(control, option, part, widget).translated(-1, inward), name,
                         enabled ? Token::Muted : Token::Faint, 9);
            };
            if (box->buttonSymbols != QAbstractSpinBox::NoButtons) {
                arrow(SC_SpinBoxUp, QStringLiteral("chevron-up"), QAbstractSpinBox::StepUpEnabled);
                arrow(SC_SpinBoxDown, QStringLiteral("chevron-down"), QAbstractSpinBox::StepDownEnabled);
            }
            return;
        }
        break;
    case CC_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
            button != nullptr && button->toolButtonStyle == Qt::ToolButtonIconOnly &&
            (button->features & QStyleOptionToolButton::MenuButtonPopup) == 0) {
            QStyleOptionToolButton plain =
                *button; // the icon shows that there is a menu, so no arrow is drawn in its corner
            plain.features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
            QProxyStyle::drawComplexControl(control, &plain, painter, widget);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace gufo::ui
