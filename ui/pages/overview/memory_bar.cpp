#include "ui/pages/overview/memory_bar.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace gufo::ui {

MemoryBar::MemoryBar(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Memory needed and memory of this machine"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize MemoryBar::sizeHint() const { return {320, 16 + 18}; }

void MemoryBar::setParts(const inference::MachineMemory& machine, std::vector<Part> parts) {
    m_machine = machine;
    m_parts = std::move(parts);
    update();
}

void MemoryBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    std::uint64_t needed = 0;
    for (const Part& part : m_parts) {
        needed += part.bytes;
    }
    const std::uint64_t machine = m_machine.total;
    const std::uint64_t used = machine - std::min(m_machine.available, machine);
    const double whole = static_cast<double>(std::max(machine, used + needed));
    if (whole <= 0) {
        return;
    }
    const QRect bar(0, 0, width(), 16);
    const auto x = [&](std::uint64_t bytes) { return static_cast<int>(static_cast<double>(bytes) / whole * width()); };
    painter.fillRect(bar, themeColor(Token::Line));
    painter.fillRect(0, 0, x(used), bar.height(), QBrush(themeColor(Token::StrongLine), Qt::BDiagPattern));
    std::uint64_t before = used;
    int left = x(used);
    for (const Part& part : m_parts) {
        before += part.bytes;
        const int right = part.bytes == 0 ? left : std::max(left + 2, x(before));
        painter.fillRect(left, 0, right - left - (right - left > 2 ? 1 : 0), bar.height(), part.color());
        left = right;
    }
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    const QRect captions(0, bar.bottom() + 3, width(), 16);
    if (machine != 0) {
        painter.drawText(captions, Qt::AlignLeft, tr("%1 in use").arg(formatBytes(used)));
        painter.drawText(captions, Qt::AlignRight, tr("%1 of memory").arg(formatBytes(machine)));
        if (needed + used > machine) {
            painter.fillRect(x(machine), 0, 2, bar.height() + 3, themeColor(Token::ErrorText));
        }
    }
}

} // namespace gufo::ui

#include "moc_memory_bar.cpp"
