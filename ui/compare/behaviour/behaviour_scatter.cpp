#include "ui/compare/behaviour/behaviour_scatter.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/label_layout.h"
#include "ui/report/metric.h"
#include "ui/theme/series_paint.h"

#include <QAccessible>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <map>

namespace gufo::ui {
namespace {

constexpr double kMark = 8;
constexpr double kNearPoint = 12;
constexpr std::size_t kNamedPoints = 5;

} // namespace

// The line of the usual nats, the marks and the names, drawn over the axes.
class ScatterMarks : public QCPAbstractItem {
public:
    explicit ScatterMarks(BehaviourScatter& plot)
        : QCPAbstractItem(&plot)
        , m_plot(plot) {
        setClipToAxisRect(true);
    }
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override {
        painter->setAntialiasing(true);
        const auto& points = m_plot.points();
        std::vector<QLineF> lines;
        if (m_plot.usual() > 0) {
            const QCPRange range = m_plot.xAxis->range();
            const auto at = [this](double error) {
                return QPointF(m_plot.xAxis->coordToPixel(error), m_plot.yAxis->coordToPixel(error * m_plot.usual()));
            };
            lines.emplace_back(at(range.lower), at(range.upper));
            painter->setPen(QPen(themeColor(Token::StrongLine), 1.2, Qt::DashLine));
            painter->drawLine(lines.front());
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            const QPointF at = m_plot.pixelOf(points[i]);
            if (m_plot.chosen() == i) {
                painter->setPen(QPen(themeColor(Token::Accent), 1.6));
                painter->setBrush(Qt::NoBrush);
                painter->drawEllipse(at, kMark, kMark);
            }
            paintSeriesMark(*painter, at, kMark, points[i].series);
        }
        const QFont font = themeFont(TextStyle::Axis);
        const QFontMetricsF metrics(font);
        drawNotes(*painter, font);
        std::vector<LabelledPoint> wanted;
        for (const std::size_t i : m_plot.named()) {
            wanted.push_back({.at = m_plot.pixelOf(points[i]),
                              .size = {metrics.horizontalAdvance(points[i].name) + 2, metrics.height()},
                              .radius = kMark / 2});
        }
        painter->setFont(font);
        painter->setPen(themeColor(Token::Text));
        const auto placed = layOutLabels(wanted, lines, QRectF(m_plot.axisRect()->rect()));
        for (std::size_t k = 0; k < placed.size(); ++k) {
            painter->drawText(placed[k], Qt::AlignCenter | Qt::TextDontClip, points[m_plot.named()[k]].name);
        }
    }

private:
    // What the line means, and what the plot leaves out; or why it is empty.
    void drawNotes(QCPPainter& painter, const QFont& font) const {
        constexpr int kSample = 18;
        constexpr int kInset = 8;
        const QRect area = m_plot.axisRect()->rect();
        painter.setFont(font);
        painter.setPen(themeColor(Token::Muted));
        if (m_plot.points().empty()) {
            painter.drawText(area.adjusted(kInset, kInset, -kInset, -kInset), Qt::AlignCenter | Qt::TextWordWrap,
                             m_plot.notes());
            return;
        }
        QRect line = area.adjusted(kInset, kInset / 2, -kInset, 0);
        line.setHeight(QFontMetrics(font).height());
        painter.drawText(line.adjusted(kSample + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop, m_plot.notes());
        painter.setPen(QPen(themeColor(Token::StrongLine), 1.2, Qt::DashLine));
        painter.drawLine(QPointF(line.left(), line.center().y()), QPointF(line.left() + kSample, line.center().y()));
    }

    BehaviourScatter& m_plot;
};

BehaviourScatter::BehaviourScatter(const Comparison& comparison, QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent)
    , m_comparison(comparison) {
    setAccessibleName(tr("Behaviour against weight error"));
    setMinimumSize(240, 120);
    axisRect()->setMinimumMargins({8, 8, 16, 4});
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<DecadeTicker>::create());
    }
    xAxis->setLabel(tr("Weight error: %1").arg(metricTitle(metricFact(Metric::Nmse))));
    yAxis->setLabel(tr("Behaviour: %1").arg(metricFullTitle(metricFact(Metric::Divergence))));
    m_marks = new ScatterMarks(*this);
    restyle();
}

void BehaviourScatter::restyle() {
    stylePlot(*this);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        styleAxisLabel(*axis, 6);
    }
    replot(rpQueuedReplot);
}

void BehaviourScatter::refresh() {
    m_points.clear();
    m_chosen.reset();
    m_leftOut = 0;
    if (m_comparison.matches()) {
        for (const std::size_t file : m_comparison.others()) {
            addPoints(file);
        }
    }
    std::ranges::stable_sort(m_points, {}, &Point::error);
    findExcess();
    setAccessibleDescription(m_points.empty() ? tr("Nothing was measured")
                                              : tr("%n parts", nullptr, numerus(m_points.size())));
    showAll();
}

// A part has the error of all its weights together.
void BehaviourScatter::addPoints(std::size_t file) {
    struct Sum {
        ComparedSums sums;
        std::size_t row = 0;
        double worst = -1;
    };
    std::map<const BehaviourPart*, Sum> parts;
    for (std::size_t row = 0; row < m_comparison.matches()->rows.size(); ++row) {
        const BehaviourPart* part = m_comparison.behaviourOf(row, file);
        const PairCell& cell = m_comparison.cell(row, file);
        if (part == nullptr || cell.state != PairCell::State::Compared) {
            continue;
        }
        Sum& sum = parts[part];
        sum.sums.merge(cell.sums);
        if (cell.sums.ee > sum.worst) {
            sum.worst = cell.sums.ee;
            sum.row = row;
        }
    }
    for (const auto& [part, sum] : parts) {
        const auto error = metricOf(metricFact(Metric::Nmse), figuresOf(sum.sums));
        if (!error || !(*error > 0) || !(part->fromOther > 0)) {
            ++m_leftOut;
            continue;
        }
        m_points.push_back({.file = file,
                            .row = sum.row,
                            .series = m_comparison.files()[file].series,
                            .name = displayText(part->name),
                            .error = *error,
                            .nats = part->fromOther});
    }
}

// The usual nats for an error are the nats of the median part.
void BehaviourScatter::findExcess() {
    m_named.clear();
    m_usual = 0;
    if (m_points.empty()) {
        return;
    }
    std::vector<double> ratios;
    for (const Point& point : m_points) {
        ratios.push_back(point.nats / point.error);
    }
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::ranges::nth_element(ratios, middle);
    m_usual = *middle;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        m_points[i].excess = m_points[i].nats - m_usual * m_points[i].error;
        if (m_points[i].excess > 0) {
            m_named.push_back(i);
        }
    }
    std::ranges::sort(m_named, std::greater(), [this](std::size_t i) { return m_points[i].excess; });
    m_named.resize(std::min(m_named.size(), kNamedPoints));
}

void BehaviourScatter::showAll() {
    constexpr double kMargin = 1.6;
    QCPRange x(1e-4, 1e-1);
    QCPRange y(1e-6, 1e-2);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const QCPRange error(m_points[i].error / kMargin, m_points[i].error * kMargin);
        const QCPRange nats(m_points[i].nats / kMargin, m_points[i].nats * kMargin);
        x = i == 0 ? error : x.expanded(error);
        y = i == 0 ? nats : y.expanded(nats);
    }
    xAxis->setRange(x);
    yAxis->setRange(y);
    xAxis->setTickLabels(!m_points.empty());
    yAxis->setTickLabels(!m_points.empty());
    replot(rpQueuedReplot);
}

QString BehaviourScatter::notes() const {
    if (m_points.empty() && m_leftOut == 0) {
        return tr("Nothing was measured yet: choose a text and measure.");
    }
    QStringList notes;
    if (!m_points.empty()) {
        notes << tr("usual for such an error; parts far above it do more harm than their weights suggest");
    }
    if (m_leftOut > 0) {
        notes << tr("%n parts without an effect are not shown", nullptr, numerus(m_leftOut));
    }
    return notes.join(QStringLiteral("; "));
}

QPointF BehaviourScatter::pixelOf(const Point& point) const {
    return {xAxis->coordToPixel(point.error), yAxis->coordToPixel(point.nats)};
}

QString BehaviourScatter::describe(const Point& point) const {
    const MetricFact& error = metricFact(Metric::Nmse);
    const MetricFact& nats = metricFact(Metric::Divergence);
    const double times = m_usual > 0 ? point.nats / (m_usual * point.error) : 0;
    return QStringList{point.name, m_comparison.files()[point.file].label,
                       QStringLiteral("%1 %2").arg(metricTitle(error), metricText(error, point.error)),
                       QStringLiteral("%1 %2").arg(metricTitle(nats), metricTextWithUnit(nats, point.nats)),
                       tr("%1 times what is usual for such an error").arg(formatReal(times, 2))}
        .join(u'\n');
}

std::optional<std::size_t> BehaviourScatter::pointAt(QPointF pixel) const {
    std::optional<std::size_t> nearest;
    double distance = kNearPoint;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const double away = QLineF(pixelOf(m_points[i]), pixel).length();
        if (away < distance) {
            distance = away;
            nearest = i;
        }
    }
    return nearest;
}

void BehaviourScatter::choose(std::size_t point) {
    m_chosen = point;
    setAccessibleDescription(describe(m_points[point]));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    replot(rpQueuedReplot);
    emit pointChosen(m_points[point].row, m_points[point].file);
}

bool BehaviourScatter::step(int columns, int /*rows*/, Qt::KeyboardModifiers /*modifiers*/) {
    if (columns == 0 || m_points.empty()) {
        return false;
    }
    const auto last = static_cast<std::ptrdiff_t>(m_points.size()) - 1;
    const std::ptrdiff_t from = m_chosen ? static_cast<std::ptrdiff_t>(*m_chosen) + columns : columns > 0 ? 0 : last;
    choose(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from, 0, last)));
    return true;
}

void BehaviourScatter::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    QCustomPlot::mousePressEvent(event);
}

void BehaviourScatter::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && (event->pos() - m_pressed).manhattanLength() < 4) {
        if (const auto point = pointAt(event->position())) {
            choose(*point);
        }
    }
}

void BehaviourScatter::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const auto point = pointAt(event->position());
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point) {
        QToolTip::showText(event->globalPosition().toPoint(), describe(m_points[*point]), this);
    } else {
        QToolTip::hideText();
    }
}

} // namespace gufo::ui

#include "moc_behaviour_scatter.cpp"
