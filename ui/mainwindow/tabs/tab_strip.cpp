#include "ui/mainwindow/tabs/tab_strip.h"

#include "ui/models/key_transfer.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_name.h"

#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionTab>
#include <QToolButton>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kLeftMargin = 8;
constexpr int kMinWidth = 64;
constexpr int kMaxWidth = 280;
constexpr int kDotSize = 8;
const QString kDotRoom = QString(2, QChar(0x2003)); // em spaces that make room for the dot

QToolButton* smallButton(const QString& icon, const QString& toolTip, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(themeIcon(icon, Token::Muted));
    button->setIconSize({14, 14});
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(toolTip);
    button->setAccessibleName(name);
    return button;
}

} // namespace

TabBar::TabBar(QWidget* parent)
    : QTabBar(parent) {
    setTabsClosable(true);
    setMovable(true);
    setExpanding(false);
    setDrawBase(false);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideMiddle);
    setSelectionBehaviorOnRemove(QTabBar::SelectPreviousTab);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Open models"));
    setAcceptDrops(true);
    setChangeCurrentOnDrag(true);
}

// When keys are dragged from one model to another, the tab under the pointer comes to the front. File drags are left to
// the window.
bool TabBar::event(QEvent* event) {
    if (event->type() == QEvent::DragEnter && !carriesKeys(static_cast<QDragEnterEvent*>(event)->mimeData())) {
        event->ignore();
        return true;
    }
    return QTabBar::event(event);
}

QSize TabBar::minimumSizeHint() const { return {kMinWidth, QTabBar::minimumSizeHint().height()}; }

QSize TabBar::tabSizeHint(int index) const {
    if (!m_measuring) {
        return {kMinWidth, kMinWidth};
    }
    const QSize size = QTabBar::tabSizeHint(index);
    return {std::clamp(size.width(), kMinWidth, kMaxWidth), size.height()};
}

// Tabs do not become narrower than their distinguishing part; from there on the row scrolls.
QSize TabBar::minimumTabSizeHint(int index) const {
    const QSize full = tabSizeHint(index);
    if (!m_measuring) {
        return full;
    }
    const int around = QTabBar::tabSizeHint(index).width() - fontMetrics().horizontalAdvance(title(index));
    return {std::min(full.width(), around + leastNameWidth(fontMetrics(), title(index))), full.height()};
}

QString TabBar::title(int index) const {
    const QString text = tabText(index).replace(QStringLiteral("&&"), QStringLiteral("&"));
    return isModified(index) ? text.chopped(kDotRoom.size()) : text;
}

void TabBar::initStyleOption(QStyleOptionTab* option, int index) const {
    if (!m_measuring) {
        option->initFrom(this);
        return;
    }
    QTabBar::initStyleOption(option, index);
    option->text = shownTitle(index).replace(u'&', QStringLiteral("&&")) + (isModified(index) ? kDotRoom : QString());
}

QString TabBar::shownTitle(int index) const {
    QStyleOptionTab option;
    QTabBar::initStyleOption(&option, index);
    const int room = style()->subElementRect(QStyle::SE_TabBarTabText, &option, this).width();
    const int dot = isModified(index) ? fontMetrics().horizontalAdvance(kDotRoom) : 0;
    return elidedName(fontMetrics(), title(index), room - dot);
}

void TabBar::setMeasuring(bool on) {
    m_measuring = on;
    if (on) {
        setElideMode(elideMode()); // this lays out all tabs
    }
}

void TabBar::tabLayoutChange() { emit layoutChanged(); }

void TabBar::setTitle(int index, const QString& title) {
    const QString text =
        QString(title).replace(u'&', QStringLiteral("&&")) + (isModified(index) ? kDotRoom : QString());
    if (text != tabText(index)) { // because Qt would lay out all tabs
        setTabText(index, text);
    }
}

void TabBar::setModified(int index, bool modified) {
    if (index < 0 || modified == isModified(index)) {
        return;
    }
    const auto* widget = tabData(index).value<QWidget*>();
    const QString title = modified ? tabText(index) : tabText(index).chopped(kDotRoom.size());
    if (modified) {
        m_modified.push_back(widget);
    } else {
        std::erase(m_modified, widget);
    }
    setTabText(index, modified ? title + kDotRoom : title);
    setAccessibleTabName(index, modified ? tr("%1, unsaved changes").arg(title) : title);
}

bool TabBar::isModified(int index) const {
    return std::ranges::find(m_modified, tabData(index).value<QWidget*>()) != m_modified.end();
}

void TabBar::paintEvent(QPaintEvent* event) {
    QTabBar::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColor(Token::Accent));
    for (int i = 0; i < count(); ++i) {
        if (isModified(i)) {
            QStyleOptionTab option;
            initStyleOption(&option, i);
            const QRect text = style()->subElementRect(QStyle::SE_TabBarTabText, &option, this);
            painter.drawEllipse(
                QRectF(text.right() - kDotSize - 3, text.center().y() - kDotSize / 2.0 + 1, kDotSize, kDotSize));
        }
    }
}

void TabBar::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton) {
        const int index = tabAt(event->position().toPoint());
        if (index >= 0) {
            emit tabCloseRequested(index);
            return;
        }
    }
    QTabBar::mouseReleaseEvent(event);
}

void TabBar::contextMenuEvent(QContextMenuEvent* event) {
    const int index = event->reason() == QContextMenuEvent::Mouse ? tabAt(event->pos()) : currentIndex();
    if (index >= 0) {
        emit menuRequested(index, event->globalPos());
    }
}

void TabBar::tabInserted(int index) {
    QTabBar::tabInserted(index);
    if (QWidget* button = tabButton(index, RightSide)) {
        button->setToolTip(tr("Close tab"));
        button->setAccessibleName(tr("Close tab"));
    }
}

TabStrip::TabStrip(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new TabBar(this))
    , m_plus(smallButton(QStringLiteral("plus"), tr("New tab (Ctrl+T)"), tr("New tab"), this))
    , m_list(smallButton(QStringLiteral("chevron-down"), tr("List of tabs (Ctrl+Shift+A)"), tr("List of tabs"), this)) {
    m_list->hide();
    connect(m_plus, &QToolButton::clicked, this, &TabStrip::newTabRequested);
    connect(m_list, &QToolButton::clicked, this, &TabStrip::showList);
    connect(m_tabs, &TabBar::layoutChanged, this, &TabStrip::showListButton);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kLeftMargin, 0, kLeftMargin, 0);
    layout->setSpacing(2);
    layout->addWidget(m_tabs, 0, Qt::AlignBottom);
    layout->addWidget(m_plus, 0, Qt::AlignVCenter);
    layout->addStretch(1);
    layout->addWidget(m_list, 0, Qt::AlignVCenter);
}

// The button is there if not all titles are shown whole.
void TabStrip::showListButton() {
    const int room = width() - 2 * kLeftMargin - layout()->spacing() - m_plus->sizeHint().width();
    m_list->setVisible(m_tabs->sizeHint().width() > room);
}

void TabStrip::showList() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("tabs"));
    menu->setToolTipsVisible(true);
    for (int i = 0; i < m_tabs->count(); ++i) {
        QString title = m_tabs->title(i);
        if (m_tabs->isModified(i)) {
            title = tr("%1 (unsaved changes)").arg(title);
        }
        QAction* action =
            menu->addAction(title.replace(u'&', QStringLiteral("&&")), this, [this, i] { m_tabs->setCurrentIndex(i); });
        action->setCheckable(true);
        action->setChecked(i == m_tabs->currentIndex());
        action->setToolTip(m_tabs->tabToolTip(i));
        if (action->isChecked()) {
            menu->setActiveAction(action);
        }
    }
    const QSize size = menu->sizeHint();
    menu->popup(mapToGlobal(QPoint(width() - kLeftMargin - size.width(), height())));
}

void TabStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showListButton();
}

void TabStrip::paintEvent(QPaintEvent* event) {
    Q_UNUSED(event);
    QPainter painter(this);
    painter.fillRect(0, height() - 1, width(), 1, themeColor(Token::Line));
}

void TabStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    if (childAt(event->position().toPoint()) == nullptr) {
        emit newTabRequested();
    }
}

} // namespace gufo::ui

#include "moc_tab_strip.cpp"
