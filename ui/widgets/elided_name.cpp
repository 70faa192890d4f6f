#include "ui/widgets/elided_name.h"

#include "model/file_naming.h"

#include <QApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr QChar kEllipsis(0x2026);
constexpr qsizetype kHead = 4;     // characters of the beginning in the shortest form
constexpr qsizetype kMaxTail = 22; // "Q4_K_M-00001-of-00003"; longer ends do not tell files apart at a glance
constexpr qsizetype kMinTail = 3;
constexpr qsizetype kLetters = 8; // of a name without words

bool isSeparator(QChar c) { return c == u'-' || c == u'_' || c == u'.' || c == u' ' || c == u'/'; }

// Where the part begins that is kept at the end: the encoding, or the last word.
qsizetype tailOf(const QString& name) {
    const auto encoding = QString::fromStdString(parseFileNaming(name.toStdString()).encoding);
    const qsizetype found = encoding.isEmpty() ? -1 : name.lastIndexOf(encoding);
    if (found > 0 && name.size() - found <= kMaxTail) {
        return found;
    }
    for (qsizetype i = name.size() - kMinTail; i > std::max<qsizetype>(0, name.size() - kMaxTail); --i) {
        if (isSeparator(name[i - 1])) {
            return i;
        }
    }
    return std::max<qsizetype>(0, name.size() - kLetters);
}

} // namespace

QString elidedName(const QFontMetrics& metrics, const QString& name, int width) {
    if (metrics.horizontalAdvance(name) <= width) {
        return name;
    }
    const qsizetype tail = tailOf(name);
    const QString end = kEllipsis + name.mid(tail);
    qsizetype head = 0;
    while (head < tail && metrics.horizontalAdvance(name.left(head + 1) + end) <= width) {
        ++head;
    }
    if (head == 0) { // the end at most
        const QString left = metrics.horizontalAdvance(end) <= width ? end : QString(kEllipsis);
        return metrics.horizontalAdvance(left) <= width ? left : QString();
    }
    if (name[head - 1].isHighSurrogate()) {
        --head;
    }
    return name.left(head) + end;
}

int leastNameWidth(const QFontMetrics& metrics, const QString& name) {
    const qsizetype tail = tailOf(name);
    const int shortest = metrics.horizontalAdvance(name.left(std::min(kHead, tail)) + kEllipsis + name.mid(tail));
    return std::min(shortest, metrics.horizontalAdvance(name));
}

void NameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const QStyle* style = option->widget != nullptr ? option->widget->style() : QApplication::style();
    const int margin = 2 * (style->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1);
    const int room = style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget).width() - margin;
    option->text = elidedName(option->fontMetrics, option->text, room);
    option->textElideMode = Qt::ElideNone;
}

} // namespace gufo::ui

#include "moc_elided_name.cpp"
