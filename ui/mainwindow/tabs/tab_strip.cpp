#include "ui/mainwindow/tabs/tab_strip.h"

#include "ui/models/key_transfer.h"
#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionTab>
#include <QToolButton>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kLeftMargin = 8;
constexpr int kLeastWidth = 64;
constexpr int kMostWidth = 280;
constexpr int kDotSize = 8;
const QString kDotRoom = QString(2, QChar(0x2003)); // em spaces behind the title, where the dot is painted

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

// Keys that are dragged from one model to another: the tab under them comes to the front. Files go on to the window.
bool TabBar::event(QEvent* event) {
    if (event->type() == QEvent::DragEnter && !carriesKeys(static_cast<QDragEnterEvent*>(event)->mimeData())) {
        event->ignore();
        return true;
    }
    return QTabBar::event(event);
}

QSize TabBar::minimumSizeHint() const { return {kLeastWidth, QTabBar::minimumSizeHint().height()}; }

QSize TabBar::tabSizeHint(int index) const {
    const QSize size = QTabBar::tabSizeHint(index);
    return {std::clamp(size.width(), kLeastWidth, kMostWidth), size.height()};
}

QSize TabBar::minimumTabSizeHint(int index) const { return {kLeastWidth, QTabBar::tabSizeHint(index).height()}; }

void TabBar::setTitle(int index, const QString& title) {
    const QString text = QString(title).replace(u'&', QStringLiteral("&&"));
    setTabText(index, isModified(index) ? text + kDotRoom : text);
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
    , m_plus(new QToolButton(this)) {
    m_plus->setIcon(themeIcon(QStringLiteral("plus"), Token::Muted));
    m_plus->setIconSize({14, 14});
    m_plus->setAutoRaise(true);
    m_plus->setFocusPolicy(Qt::TabFocus);
    m_plus->setToolTip(tr("New tab (Ctrl+T)"));
    m_plus->setAccessibleName(tr("New tab"));
    connect(m_plus, &QToolButton::clicked, this, &TabStrip::newTabRequested);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kLeftMargin, 0, kLeftMargin, 0);
    layout->setSpacing(2);
    layout->addWidget(m_tabs, 0, Qt::AlignBottom);
    layout->addWidget(m_plus, 0, Qt::AlignVCenter);
    layout->addStretch(1);
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
