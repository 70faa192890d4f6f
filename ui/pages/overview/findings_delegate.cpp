#include "ui/pages/overview/finding_groups.h"
#include "ui/pages/overview/findings_panel.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kText = 26;  // left edge of the text, to the right of the mark
constexpr int kDepth = 18; // the indentation of findings below a group
constexpr int kFindingPadding = 10;
constexpr int kButton = 64;        // reserved beside a check that can be run
constexpr int kButtonPadding = 34; // around the text of a button

// A paragraph broken into lines of a given width.
struct Paragraph {
    QString text;
    TextStyle style = TextStyle::Table;
    Token color = Token::Muted;
    QRect rect{};
};

struct Layout {
    std::vector<Paragraph> paragraphs;
    QRect link;
    int height = 0;
};

// Breaks a text into lines between words, or inside words that are wider than the room. Paints them if there is a
// painter. Returns their bounding rectangle.
QRect wrapped(const QString& text, TextStyle style, const QRect& room, QPainter* painter) {
    QTextLayout layout(text, themeFont(style));
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double y = 0;
    double width = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(room.width());
        line.setPosition(QPointF(0, y));
        y += line.height();
        width = std::max(width, line.naturalTextWidth());
    }
    layout.endLayout();
    if (painter != nullptr) {
        layout.draw(painter, room.topLeft());
    }
    return {room.left(), room.top(), static_cast<int>(std::ceil(width)), static_cast<int>(std::ceil(y))};
}

Layout layOut(const QStyleOptionViewItem& option, const QModelIndex& index) {
    Layout layout;
    const bool notRun = index.data(FindingsModel::MarkRole).toInt() == static_cast<int>(Mark::NotRun);
    const QString fix = index.data(FindingsModel::FixTextRole).toString();
    const int button = notRun ? kButton
                       : fix.isEmpty()
                           ? 0
                           : QFontMetrics(themeFont(TextStyle::Table)).horizontalAdvance(fix) + kButtonPadding;
    const int indent = kText + kDepth * index.data(FindingGroups::DepthRole).toInt();
    const int width = std::max(80, option.rect.width() - indent - 4 - button);
    int y = option.rect.top() + kFindingPadding;
    const auto add = [&](const QVariant& text, TextStyle style, Token color) {
        if (text.toString().isEmpty()) {
            return QRect();
        }
        const QRect room(option.rect.left() + indent, y, width, 10'000);
        const QRect used = wrapped(text.toString(), style, room, nullptr);
        const QRect rect(room.left(), y, width, used.height());
        layout.paragraphs.push_back({text.toString(), style, color, rect});
        y += used.height() + 1;
        return QRect(rect.left(), rect.top(), used.width(), used.height());
    };
    add(index.data(Qt::DisplayRole), TextStyle::Body, Token::Text);
    add(index.data(FindingsModel::MessageRole), TextStyle::Table, Token::Muted);
    add(index.data(FindingsModel::HintRole), TextStyle::Table, Token::Muted);
    layout.link = add(index.data(FindingsModel::PlaceTextRole), TextStyle::Axis, Token::Accent);
    layout.height = y - option.rect.top() + kFindingPadding;
    return layout;
}

} // namespace

void FindingsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected) && option.state.testFlag(QStyle::State_Active)) {
        painter->fillRect(option.rect, themeColor(Token::Selection));
    }
    painter->fillRect(option.rect.left(), option.rect.top(), option.rect.width(), 1, themeColor(Token::Line));
    const int depth = kDepth * index.data(FindingGroups::DepthRole).toInt();
    paintMark(*painter, QRect(option.rect.left() + depth + 1, option.rect.top() + kFindingPadding + 1, 16, 16),
              static_cast<Mark>(index.data(FindingsModel::MarkRole).toInt()));
    for (const Paragraph& paragraph : layOut(option, index).paragraphs) {
        painter->setPen(themeColor(paragraph.color));
        wrapped(paragraph.text, paragraph.style, paragraph.rect, painter);
    }
    painter->restore();
}

QSize FindingsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem sized = option;
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    sized.rect = QRect(0, 0, view != nullptr ? view->viewport()->width() : option.rect.width(), 0);
    return {sized.rect.width(), layOut(sized, index).height};
}

QRect FindingsDelegate::linkRect(const QStyleOptionViewItem& option, const QModelIndex& index) {
    return layOut(option, index).link;
}

} // namespace gufo::ui
