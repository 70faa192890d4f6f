#include "ui/widgets/folded_buttons.h"

#include "ui/widgets/tool_strip.h"

#include <QAbstractButton>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace gufo::ui {
namespace {

// Whether somebody has hidden the widget, other than by not showing its window yet.
bool isPutAway(const QWidget* widget) {
    return widget->isHidden() && widget->testAttribute(Qt::WA_WState_ExplicitShowHide);
}

QMenu* menuOf(const QAbstractButton* button) {
    if (const auto* push = qobject_cast<const QPushButton*>(button)) {
        return push->menu();
    }
    const auto* tool = qobject_cast<const QToolButton*>(button);
    return tool != nullptr ? tool->menu() : nullptr;
}

} // namespace

FoldedButtons::FoldedButtons(QWidget* strip, const std::vector<QAbstractButton*>& buttons, QToolButton* more)
    : QObject(strip)
    , m_strip(strip)
    , m_row(static_cast<QHBoxLayout*>(strip->layout()))
    , m_more(more)
    , m_ownsMore(more == nullptr) {
    for (QAbstractButton* button : buttons) {
        auto* holder = new QWidget(strip);
        auto* inside = new QHBoxLayout(holder);
        inside->setContentsMargins(0, 0, 0, 0);
        const int place = m_row->indexOf(button);
        const Qt::Alignment alignment = m_row->itemAt(place)->alignment();
        inside->addWidget(button); // takes it out of the row
        m_row->insertWidget(place, holder, 0, alignment);
        button->installEventFilter(this);
        m_buttons.push_back({.button = button, .holder = holder});
    }
    if (m_ownsMore) {
        m_more = makeToolButton(QStringLiteral("more"), tr("More"), strip);
        m_more->setPopupMode(QToolButton::InstantPopup);
        m_more->setMenu(new QMenu(m_more));
        m_more->hide();
        m_row->addWidget(m_more);
    }
    connect(m_more->menu(), &QMenu::aboutToShow, this, &FoldedButtons::fillMenu);
    strip->installEventFilter(this);
}

bool FoldedButtons::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (watched == m_strip ? type == QEvent::Resize || type == QEvent::LayoutRequest || type == QEvent::Show
                           : type == QEvent::ShowToParent || type == QEvent::HideToParent) {
        arrange();
    }
    return false;
}

void FoldedButtons::arrange() {
    if (!m_strip->isVisible()) {
        return; // its layout does not know yet what will be shown
    }
    const QMargins margins = m_row->contentsMargins();
    int needed = margins.left() + margins.right() - m_row->spacing(); // of what never folds
    for (int i = 0; i < m_row->count(); ++i) {
        QLayoutItem* item = m_row->itemAt(i);
        const QWidget* widget = item->widget();
        const bool folds = (m_ownsMore && widget == m_more) ||
                           std::ranges::find(m_buttons, widget, &Button::holder) != m_buttons.end();
        if (widget == nullptr || !(folds || item->isEmpty())) {
            needed += item->minimumSize().width() + (item->isEmpty() ? 0 : m_row->spacing());
        }
    }
    const auto widthOf = [this](const Button& each) {
        return isPutAway(each.button) ? 0 : each.button->minimumSizeHint().width() + m_row->spacing();
    };
    int all = needed;
    for (const Button& each : m_buttons) {
        all += widthOf(each);
    }
    const int more = m_ownsMore ? m_more->minimumSizeHint().width() + m_row->spacing() : 0;
    m_strip->setMinimumWidth(std::min(all, needed + more));
    int left = all <= m_strip->width() ? all : all + more;
    bool anyFolded = false;
    for (Button& each : m_buttons) {
        const int width = widthOf(each);
        each.folded = width != 0 && left > m_strip->width();
        if (each.folded) {
            left -= width;
            anyFolded = true;
        }
        each.holder->setVisible(width != 0 && !each.folded);
    }
    if (m_ownsMore) {
        m_more->setVisible(anyFolded);
    }
}

void FoldedButtons::fillMenu() {
    QMenu* menu = m_more->menu();
    for (QAction* action : menu->actions()) {
        if (action->parent() == this) {
            delete action;
        }
    }
    QAction* before = menu->actions().value(0);
    for (const Button& each : m_buttons) {
        if (!each.folded) {
            continue;
        }
        QAbstractButton* button = each.button;
        auto* action =
            new QAction(button->icon(), button->text().isEmpty() ? button->accessibleName() : button->text(), this);
        action->setToolTip(button->toolTip());
        action->setEnabled(button->isEnabled());
        action->setCheckable(button->isCheckable());
        action->setChecked(button->isChecked());
        action->setMenu(menuOf(button));
        connect(action, &QAction::triggered, button, &QAbstractButton::click);
        menu->insertAction(before, action);
    }
    if (before != nullptr && menu->actions().constFirst() != before) {
        auto* line = new QAction(this);
        line->setSeparator(true);
        menu->insertAction(before, line);
    }
}

} // namespace gufo::ui

#include "moc_folded_buttons.cpp"
