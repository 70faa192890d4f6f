#include "ui/compare/differences/wrapped_line_delegate.h"

#include "ui/compare/differences/template_diff_page.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kLinePadding = 6;
constexpr int kAbove = 3;
constexpr qsizetype kMaxCharacters = 20'000; // of a line; Qt lays a line out as a whole
constexpr int kMarkStrength = 70;            // of 255

double layOut(QTextLayout& layout, double width) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double y = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({0, y});
        y += line.height();
    }
    layout.endLayout();
    return y;
}

QString shown(const QString& text) {
    return text.size() <= kMaxCharacters ? text : text.left(kMaxCharacters) + QChar(0x2026);
}

} // namespace

WrappedLineDelegate::WrappedLineDelegate(const SideBySideModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model) {}

int WrappedLineDelegate::heightOf(int row, int width) const {
    const QFont font = themeFont(TextStyle::Mono);
    const QFontMetrics metrics(font);
    const int room = std::max(width - 2 * kLinePadding, metrics.averageCharWidth());
    const SideBySideLine& line = m_model.lines()[static_cast<std::size_t>(row)];
    double height = 0;
    for (const QString& text : {line.beforeText, line.afterText}) {
        if (text.size() * metrics.maxWidth() <= room || metrics.horizontalAdvance(shown(text)) <= room) {
            continue;
        }
        QTextLayout layout(shown(text), font);
        height = std::max(height, layOut(layout, room));
    }
    return static_cast<int>(std::ceil(height)) + 2 * kAbove;
}

void WrappedLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem styled = option;
    initStyleOption(&styled, index);
    styled.text.clear(); // only the background, the selection and the focus
    const QWidget* widget = option.widget;
    (widget != nullptr ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &styled, painter, widget);
    const SideBySideLine& line = m_model.lines()[static_cast<std::size_t>(index.row())];
    const bool before = index.column() == SideBySideModel::kBefore;
    const QString text = shown(before ? line.beforeText : line.afterText);
    QTextLayout layout(text, themeFont(TextStyle::Mono));
    QList<QTextLayout::FormatRange> formats;
    QColor colour = themeColor(before ? Token::ErrorText : Token::Good);
    colour.setAlpha(kMarkStrength);
    for (const TextRange& range : before ? line.beforeMarks : line.afterMarks) {
        QTextLayout::FormatRange format;
        format.start = range.begin;
        format.length = range.length;
        format.format.setBackground(colour);
        formats << format;
    }
    layout.setFormats(formats);
    layOut(layout, std::max(option.rect.width() - 2 * kLinePadding, 1));
    painter->save();
    painter->setClipRect(option.rect);
    painter->setPen(themeColor(Token::Text));
    layout.draw(painter, QPointF(option.rect.left() + kLinePadding, option.rect.top() + kAbove));
    painter->restore();
}

} // namespace gufo::ui

#include "moc_wrapped_line_delegate.cpp"
