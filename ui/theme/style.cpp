#include "ui/theme/style.h"

#include "ui/theme/accessibility.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

// A control's height: the design token's, or more if a larger font needs it.
int controlHeight(const QStyleOption* option, const QWidget* widget) {
    const bool small = widget != nullptr && widget->property(kSmallProperty).toBool();
    return std::max(small ? kSmallControlHeight : kControlHeight, option->fontMetrics.height() + (small ? 2 : 6));
}

// What Qt's own widgets show: the dialog that chooses files where the system has none, message boxes, line edits. Qt's
// pictures do not follow the theme. Each widget would also insert its own copies into QPixmapCache, and Qt 6.4 keeps
// the key of a picture after it has evicted the picture.
struct StandardIcon {
    QStyle::StandardPixmap pixmap;
    const char* name; // of a file in resources/icons
    Token token;
};
constexpr std::array kStandardIcons = {
    StandardIcon{QStyle::SP_LineEditClearButton, "close", Token::Muted},
    StandardIcon{QStyle::SP_MessageBoxInformation, "info", Token::Accent},
    StandardIcon{QStyle::SP_MessageBoxQuestion, "info", Token::Accent},
    StandardIcon{QStyle::SP_MessageBoxWarning, "warning", Token::WarningMark},
    StandardIcon{QStyle::SP_MessageBoxCritical, "error", Token::ErrorText},
    StandardIcon{QStyle::SP_ArrowBack, "chevron-left", Token::Text},
    StandardIcon{QStyle::SP_ArrowForward, "chevron-right", Token::Text},
    StandardIcon{QStyle::SP_FileDialogToParent, "chevron-up", Token::Text},
    StandardIcon{QStyle::SP_FileDialogNewFolder, "new-folder", Token::Text},
    StandardIcon{QStyle::SP_FileDialogListView, "overview", Token::Text},
    StandardIcon{QStyle::SP_FileDialogDetailedView, "list", Token::Text},
    StandardIcon{QStyle::SP_ComputerIcon, "computer", Token::Muted},
    StandardIcon{QStyle::SP_DesktopIcon, "computer", Token::Muted},
    StandardIcon{QStyle::SP_DriveHDIcon, "drive", Token::Muted},
    StandardIcon{QStyle::SP_DirHomeIcon, "start", Token::Muted},
    StandardIcon{QStyle::SP_DirIcon, "folder", Token::Accent},
    StandardIcon{QStyle::SP_DirLinkIcon, "folder", Token::Accent},
    StandardIcon{QStyle::SP_FileIcon, "file", Token::Muted},
    StandardIcon{QStyle::SP_FileLinkIcon, "file", Token::Muted},
    StandardIcon{QStyle::SP_TrashIcon, "trash", Token::Muted},
};

bool isScrolledPast(const QWidget* widget) {
    return qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(widget) != nullptr &&
            qobject_cast<const QScrollBar*>(widget) == nullptr);
}

bool isPressedByEnter(const QWidget* widget) {
    return qobject_cast<const QPushButton*>(widget) != nullptr || qobject_cast<const QToolButton*>(widget) != nullptr;
}

// Gives controls habits that Qt's do not have: the mouse wheel changes a control only while it has the keyboard focus,
// so that scrolling past it changes nothing, and Enter presses the button that has the focus.
class ControlHabits : public QObject {
public:
    bool eventFilter(QObject* watched, QEvent* event) override {
        auto* widget = static_cast<QWidget*>(watched);
        if (event->type() == QEvent::Wheel && isScrolledPast(widget)) {
            const QWidget* focused = QApplication::focusWidget();
            if (focused == nullptr || (focused != widget && !widget->isAncestorOf(focused))) {
                event->ignore(); // what contains the control scrolls
                return true;
            }
        } else if (event->type() == QEvent::KeyPress && isPressedByEnter(widget)) {
            const auto* key = static_cast<QKeyEvent*>(event);
            const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
            if (isEnter && !key->isAutoRepeat() && (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) {
                static_cast<QAbstractButton*>(widget)->click();
                return true;
            }
        }
        return QObject::eventFilter(watched, event);
    }
};

QObject* controlHabits() {
    static ControlHabits habits;
    return &habits;
}

} // namespace

Style::Style()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    completeSpokenNames(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QLineEdit*>(widget) != nullptr ||
        qobject_cast<QScrollBar*>(widget) != nullptr || qobject_cast<QTabBar*>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    }
    if (isScrolledPast(widget) || isPressedByEnter(widget)) {
        widget->installEventFilter(controlHabits());
        if (widget->focusPolicy() == Qt::WheelFocus) {
            widget->setFocusPolicy(Qt::StrongFocus);
        }
    }
    if (auto* table = qobject_cast<QTableView*>(widget)) {
        table->setShowGrid(false);
        table->setWordWrap(false);
        table->verticalHeader()->hide();
        table->verticalHeader()->setMinimumSectionSize(kRowHeight);
        table->verticalHeader()->setDefaultSectionSize(
            std::max(kRowHeight, QFontMetrics(themeFont(TextStyle::Table)).height() + 6));
    } else if (auto* tree = qobject_cast<QTreeView*>(widget)) {
        tree->setIndentation(16);
    }
    if (auto* view = qobject_cast<QAbstractItemView*>(widget); view != nullptr && !widget->inherits("QHeaderView")) {
        view->viewport()->setAttribute(Qt::WA_Hover);
        addFocusRing(view);
    }
    if (qobject_cast<QLabel*>(widget) != nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0) {
        addFocusRing(widget);
    }
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return kScrollBarExtent;
    case PM_ScrollBarSliderMin:
        return 28;
    case PM_SplitterWidth: // Qt widens the area that reacts to the mouse
        return 1;
    case PM_DefaultFrameWidth:
        return 1;
    case PM_ButtonMargin:
        return 8;
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
    case PM_LineEditIconSize:
        return 14;
    case PM_SmallIconSize:
    case PM_ListViewIconSize:
    case PM_ToolBarIconSize:
        return 16;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarItemSpacing:
    case PM_MenuBarVMargin:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabOverlap:
    case PM_ToolBarFrameWidth:
        return 0;
    case PM_MenuBarHMargin:
        return 8;
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuVMargin:
        return 4;
    case PM_MenuHMargin:
        return 0;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_TabBarTabVSpace:
        return 12;
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight:
        return 16;
    case PM_HeaderMargin:
        return 8;
    case PM_HeaderMarkSize:
        return 10;
    case PM_HeaderDefaultSectionSizeVertical:
        return kRowHeight;
    case PM_FocusFrameHMargin: // the padding of cells is one pixel more
        return 7;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 14;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 7;
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
        return 14;
    case PM_ToolTipLabelFrameWidth:
        return 6;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return 8;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* returned) const {
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_ScrollBar_Transient:
    case SH_Widget_Animation_Duration:
    case SH_ComboBox_Popup:
    case SH_TabBar_PreferNoArrows:
    case SH_UnderlineShortcut:
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 0;
    case SH_Table_GridLineColor:
        return static_cast<int>(themeColor(Token::Line).rgba());
    case SH_ItemView_ShowDecorationSelected:
    case SH_MenuBar_MouseTracking:
    case SH_Menu_MouseTracking:
    case SH_ComboBox_ListMouseTracking:
        return 1;
    case SH_ToolTipLabel_Opacity:
        return 255;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_TabBar_ElideMode:
        return Qt::ElideMiddle;
    case SH_TabBar_CloseButtonPosition:
        return QTabBar::RightSide;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                              const QWidget* widget) const {
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    switch (type) {
    case CT_PushButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        const bool textless = button != nullptr && button->text.isEmpty();
        const int height = controlHeight(option, widget);
        // Qt assumes 4 px between icon and text, but the label is drawn with kIconGap.
        const bool both = button != nullptr && !textless && !button->icon.isNull();
        size = QSize(contents.width() + (textless ? 10 : 24) + (both ? kButtonIconGap - 4 : 0), height);
        return textless ? size.expandedTo(QSize(height, height)) : size;
    }
    case CT_LineEdit:
    case CT_ComboBox:
    case CT_SpinBox:
        return {size.width(), controlHeight(option, widget)};
    case CT_ToolButton: {
        const int height = controlHeight(option, widget);
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        const bool iconOnly = button == nullptr || button->toolButtonStyle == Qt::ToolButtonIconOnly;
        return {iconOnly ? std::max(height, contents.width() + 6) : contents.width() + 14, height};
    }
    case CT_HeaderSection:
        return {size.width(), std::max(kHeaderHeight, option->fontMetrics.height() + 7)};
    case CT_ItemViewItem:
        return size.expandedTo(QSize(0, std::max(kRowHeight, option->fontMetrics.height() + 6)));
    case CT_MenuBarItem:
        return {contents.width() + 20, std::max(kMenuBarHeight, option->fontMetrics.height() + 8)};
    case CT_MenuBar:
        return {size.width(), std::max(kMenuBarHeight, contents.height())};
    case CT_MenuItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (item != nullptr && item->menuItemType == QStyleOptionMenuItem::Separator) {
            return {contents.width(), 9};
        }
        // Room for the check column, the text, the gap before the shortcut, and the submenu arrow.
        return {contents.width() + 28 + (item != nullptr && item->text.contains(u'\t') ? 32 : 12) + 20,
                std::max(kRowHeight, option->fontMetrics.height() + 6)};
    }
    case CT_TabBarTab:
        return {size.width(), std::max(kTabHeight, option->fontMetrics.height() + 16)};
    default:
        return size;
    }
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    if (element == SE_PushButtonFocusRect || element == SE_CheckBoxFocusRect || element == SE_RadioButtonFocusRect) {
        return option->rect;
    }
    if (element == SE_LineEditContents) {
        return QProxyStyle::subElementRect(element, option, widget).adjusted(4, 0, -4, 0);
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

QIcon Style::standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const {
    const auto* const row = std::ranges::find(kStandardIcons, icon, &StandardIcon::pixmap);
    return row != std::ranges::end(kStandardIcons) ? themeIcon(QString::fromLatin1(row->name), row->token)
                                                   : QProxyStyle::standardIcon(icon, option, widget);
}

} // namespace gufo::ui

#include "moc_style.cpp"
