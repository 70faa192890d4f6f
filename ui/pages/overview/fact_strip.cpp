#include "ui/pages/overview/fact_strip.h"

#include "ui/theme/accessibility.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/link_question.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kCellHeight = 73;
constexpr int kEightFrom = 1060; // logical pixels of the strip without the page's margins
constexpr int kFourFrom = 480;
constexpr int kPadding = 12;

} // namespace

FactCell::FactCell(QWidget* parent)
    : QWidget(parent) {
    setSpokenRole(this, QAccessible::StaticText);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FactCell::setFact(const OverviewFact& fact) {
    m_fact = fact;
    const QString value = QStringLiteral("%1 %2").arg(fact.value, fact.unit).trimmed();
    setAccessibleName(QStringLiteral("%1: %2, %3").arg(fact.label, value, fact.detail));
    const QString leads = fact.link.isEmpty() ? QString() : u'\n' + addressText(fact.link);
    setToolTip(plainToolTip(QStringLiteral("%1: %2\n%3%4").arg(fact.label, value, fact.detail, leads).trimmed()));
    setFocusPolicy(fact.link.isEmpty() ? Qt::NoFocus : Qt::StrongFocus);
    setCursor(fact.link.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void FactCell::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont small = themeFont(TextStyle::Axis);
    const QFont large = themeFont(TextStyle::FactValue);
    const QFontMetrics smallMetrics(small);
    const QFontMetrics largeMetrics(large);
    const int left = kPadding;
    const int width = this->width() - left - 4;
    const auto line = [&](int y, const QFontMetrics& metrics, const QString& text, Token color, int x, int room) {
        painter.setPen(themeColor(color));
        painter.drawText(QRect(x, y, room, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, room));
    };
    painter.setFont(small);
    line(10, smallMetrics, m_fact.label, Token::Muted, left, width);
    painter.setFont(large);
    line(25, largeMetrics, m_fact.value, Token::Text, left, width);
    painter.setFont(small);
    if (!m_fact.unit.isEmpty()) {
        const int x = left + largeMetrics.horizontalAdvance(m_fact.value) + 4;
        const int baseline = 25 + largeMetrics.ascent();
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(x, baseline, m_fact.unit);
    }
    line(50, smallMetrics, m_fact.detail, m_fact.link.isEmpty() ? Token::Muted : Token::Accent, left, width);
    if (hasFocus()) {
        painter.setPen(themeColor(Token::Accent));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(QRectF(left - 3.5, 48.5, width + 3, smallMetrics.height() + 3), 3, 3);
    }
}

void FactCell::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_fact.link.isEmpty() && event->button() == Qt::LeftButton && rect().contains(event->pos())) {
        emit linkActivated(m_fact.link);
    }
}

void FactCell::keyPressEvent(QKeyEvent* event) {
    if (!m_fact.link.isEmpty() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space)) {
        emit linkActivated(m_fact.link);
        return;
    }
    QWidget::keyPressEvent(event);
}

FactStrip::FactStrip(QWidget* parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FactStrip::setFacts(const std::vector<OverviewFact>& facts) {
    while (m_cells.size() < static_cast<qsizetype>(facts.size())) {
        m_cells << new FactCell(this);
        m_cells.back()->show();
        connect(m_cells.back(), &FactCell::linkActivated, this, &FactStrip::linkActivated);
    }
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        m_cells[i]->setFact(facts[static_cast<std::size_t>(i)]);
    }
    arrange();
    updateGeometry();
}

int FactStrip::columnsFor(int width) { return width >= kEightFrom ? 8 : width >= kFourFrom ? 4 : 2; }

int FactStrip::heightForWidth(int width) const { return 8 / columnsFor(width) * kCellHeight + 1; }

QSize FactStrip::sizeHint() const { return {kEightFrom, heightForWidth(width())}; }

void FactStrip::resizeEvent(QResizeEvent*) { arrange(); }

void FactStrip::arrange() {
    m_columns = columnsFor(width());
    for (int i = 0; i < m_cells.size(); ++i) {
        const int column = i % m_columns;
        const int left = column * width() / m_columns;
        // The first fact of a row is aligned with the page's margin, without the padding of the others.
        const int start = column == 0 ? -kPadding : left;
        m_cells[i]->setGeometry(start, 1 + i / m_columns * kCellHeight, (column + 1) * width() / m_columns - start,
                                kCellHeight - 1);
    }
    update();
}

void FactStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor line = themeColor(Token::Line);
    const int rows = 8 / m_columns;
    for (int row = 0; row <= rows; ++row) {
        painter.fillRect(0, row * kCellHeight, width(), 1, line);
    }
    for (int column = 1; column < m_columns; ++column) {
        painter.fillRect(column * width() / m_columns, 0, 1, rows * kCellHeight, line);
    }
}

} // namespace gufo::ui

#include "moc_fact_strip.cpp"
