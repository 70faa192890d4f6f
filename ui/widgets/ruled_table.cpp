#include "ui/widgets/ruled_table.h"

#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kLine = 24;
constexpr int kGap = 30;

} // namespace

RuledTable::RuledTable(QWidget* parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RuledTable::setRows(const QList<QPair<QString, QString>>& rows) {
    m_rows = rows;
    QStringList lines;
    for (const auto& [name, value] : rows) {
        lines << name + u' ' + value;
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int RuledTable::columnsFor(int width) { return width >= 620 ? 3 : width >= 420 ? 2 : 1; }

int RuledTable::heightForWidth(int width) const {
    const int columns = columnsFor(width);
    return (static_cast<int>(m_rows.size()) + columns - 1) / columns * kLine + 1;
}

QSize RuledTable::sizeHint() const { return {640, heightForWidth(std::max(width(), 200))}; }

QRect RuledTable::cell(qsizetype i) const {
    const int columns = columnsFor(width());
    const int lines = (static_cast<int>(m_rows.size()) + columns - 1) / columns;
    const int width = (this->width() - (columns - 1) * kGap) / columns;
    return {static_cast<int>(i) / lines * (width + kGap), static_cast<int>(i) % lines * kLine, width, kLine};
}

void RuledTable::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont font = themeFont(TextStyle::Table);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const QRect rect = cell(i);
        const auto& [name, value] = m_rows[i];
        const QString shown = metrics.elidedText(
            value, Qt::ElideRight, std::max(rect.width() / 2, rect.width() - metrics.horizontalAdvance(name) - 12));
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, rect.width() - metrics.horizontalAdvance(shown) - 8));
        painter.setPen(themeColor(Token::Text));
        painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, shown);
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, themeColor(Token::Line));
    }
}

bool RuledTable::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (qsizetype i = 0; i < m_rows.size(); ++i) {
            if (cell(i).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), QStringLiteral("%1: %2").arg(m_rows[i].first, m_rows[i].second),
                                   this, cell(i));
                return true;
            }
        }
    }
    return QWidget::event(event);
}

} // namespace gufo::ui

#include "moc_ruled_table.cpp"
