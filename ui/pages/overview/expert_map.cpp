#include "ui/pages/overview/expert_map.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kTallRow = 10;
constexpr int kLowRow = 3;
constexpr std::size_t kFewRows = 40;
constexpr std::size_t kTipBytes = 120;
constexpr std::size_t kMaxExperts = 4'096;

} // namespace

ExpertMap::ExpertMap(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        drawImage();
        update();
    });
}

void ExpertMap::setEntries(const std::vector<ImatrixRow>& entries) {
    m_entries.clear();
    m_experts = 0;
    std::uint64_t unused = 0;
    for (const ImatrixRow& entry : entries) {
        if (entry.counts.size() > 1 && entry.counts.size() <= kMaxExperts && m_entries.size() < kMaxRows) {
            m_entries.push_back(entry);
            m_experts = std::max(m_experts, entry.counts.size());
            unused += entry.counts.size() - entry.used();
        }
    }
    setAccessibleName(tr("Map of how often experts were used; %n were never used", nullptr, numerus(unused)));
    drawImage();
    updateGeometry();
    update();
}

// The colour of an expert says how often it was used, compared with the expert of its tensor that was used most.
void ExpertMap::drawImage() {
    m_image = QImage(static_cast<int>(m_experts), rows(), QImage::Format_RGB32);
    m_image.fill(themeColor(Token::Base));
    const QColor never = themeColor(Token::WarningMark);
    for (std::size_t row = 0; row < m_entries.size(); ++row) {
        const std::vector<double>& counts = m_entries[row].counts;
        const double maximum = *std::ranges::max_element(counts);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const QColor color = counts[i] > 0 ? colorMapAt(ColorMap::Viridis, counts[i] / maximum) : never;
            m_image.setPixelColor(static_cast<int>(i), static_cast<int>(row), color);
        }
    }
}

int ExpertMap::rowHeight() const { return m_entries.size() <= kFewRows ? kTallRow : kLowRow; }

QSize ExpertMap::sizeHint() const { return {480, rowHeight() * rows()}; }

void ExpertMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.drawImage(rect(), m_image);
    if (rowHeight() == kTallRow) {
        painter.setPen(themeColor(Token::Base));
        for (int row = 1; row < rows(); ++row) {
            painter.drawLine(0, row * height() / rows(), width(), row * height() / rows());
        }
    }
}

std::optional<ExpertMap::Cell> ExpertMap::cellAt(QPoint at) const {
    if (isEmpty() || !rect().contains(at)) {
        return std::nullopt;
    }
    const auto row = static_cast<std::size_t>(at.y()) * m_entries.size() / static_cast<std::size_t>(height());
    const auto expert = static_cast<std::size_t>(at.x()) * m_experts / static_cast<std::size_t>(width());
    return row < m_entries.size() && expert < m_entries[row].counts.size() ? std::optional(Cell{row, expert})
                                                                           : std::nullopt;
}

QString ExpertMap::describe(QPoint at) const {
    const auto cell = cellAt(at);
    if (!cell) {
        return {};
    }
    const ImatrixRow& entry = m_entries[cell->row];
    const double count = entry.counts[cell->expert];
    const QString name = tr("%1, expert %2").arg(headText(entry.tensor, kTipBytes), formatCount(cell->expert));
    return count > 0 ? tr("%1: %2 rows, %3 % of the tensor's")
                           .arg(name, formatReal(count, 12), formatReal(100 * count / entry.rows(), 3))
                     : tr("%1: no token was routed to it").arg(name);
}

bool ExpertMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), describe(help->pos()).toHtmlEscaped(), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace gufo::ui

#include "moc_expert_map.cpp"
