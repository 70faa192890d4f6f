#include "ui/compare/lock_step/lock_step_plot.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/series_paint.h"

#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::size_t kMaxMarks = 100;
constexpr double kMarkRadius = 3;
constexpr double kPathSize = 6;     // the size at which QCustomPlot does not scale a path
constexpr double kPlotMargin = 0.6; // in tokens, on both sides

} // namespace

LockStepPlot::LockStepPlot(const LockStepRun& run, QWidget* parent)
    : ZoomPlot(Qt::Horizontal, parent)
    , m_run(run) {
    setAccessibleName(tr("KL divergence at each position of the text"));
    setMinimumSize(260, 150);
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<DecadeTicker>::create());
    yAxis->setLabel(tr("KL divergence, nats"));
    xAxis->setLabel(tr("position in the text"));
    const auto line = [this] {
        auto* made = new QCPItemStraightLine(this);
        made->setVisible(false);
        return made;
    };
    m_difference = line();
    m_given = line();
    m_choice = line();
    connect(&run, &LockStepRun::stateChanged, this, &LockStepPlot::rebuild);
    connect(&run, &LockStepRun::placesAdded, this, &LockStepPlot::append);
    connect(this, &QCustomPlot::mouseWheel, this, [this] { m_showsAll = false; });
    rebuild();
}

void LockStepPlot::restyle() {
    stylePlot(*this);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        styleAxisLabel(*axis, 4);
    }
    m_difference->setPen(QPen(themeColor(Token::WarningMark), 1.4, Qt::DashLine));
    m_given->setPen(QPen(themeColor(Token::StrongLine), 1, Qt::DotLine));
    m_choice->setPen(QPen(themeColor(Token::Accent), 1));
    for (int i = 0; i < graphCount(); ++i) {
        graph(i)->setPen(seriesPen(seriesOfGraph(i)));
    }
    markPoints();
    replot(rpQueuedReplot);
}

int LockStepPlot::seriesOfGraph(int graph) const { return m_run.files()[static_cast<std::size_t>(graph) + 1].series; }

// Draws marks only if there are few points: marks and wide lines are slow to paint, and many marks merge into a line
// anyway.
void LockStepPlot::markPoints() {
    const bool few = m_run.places().size() <= kMaxMarks;
    for (int i = 0; i < graphCount(); ++i) {
        const int series = seriesOfGraph(i);
        graph(i)->setPen(seriesPen(series, few ? 1.3 : 1));
        QPolygonF shape;
        for (const QPointF& corner : seriesShape(series)) {
            shape << corner * kMarkRadius;
        }
        QPainterPath path;
        path.addPolygon(shape);
        path.closeSubpath();
        const QColor colour = graph(i)->pen().color();
        graph(i)->setScatterStyle(few ? QCPScatterStyle(path, QPen(Qt::NoPen), colour, kPathSize)
                                      : QCPScatterStyle(QCPScatterStyle::ssNone));
    }
}

void LockStepPlot::rebuild() {
    const int wanted = std::max<int>(0, static_cast<int>(m_run.files().size()) - 1);
    if (m_run.places().empty() || graphCount() != wanted) {
        clearGraphs();
        for (int i = 0; i < wanted; ++i) {
            addGraph();
        }
        m_chosen = -1;
        m_choice->setVisible(false);
        m_showsAll = true;
        append(0);
    }
    restyle();
}

void LockStepPlot::append(std::size_t first) {
    for (std::size_t row = first; row < m_run.places().size(); ++row) {
        const inference::LockStepPlace& place = m_run.places()[row];
        for (int i = 0; i < graphCount(); ++i) {
            const inference::LockStepChoice& choice = place.choices[static_cast<std::size_t>(i) + 1];
            const double shown = choice.isKnown ? std::max(choice.divergence, kMinimum) : std::nan(""); // a gap
            graph(i)->addData(static_cast<double>(place.position), shown);
        }
    }
    markPoints();
    placeLines();
    if (m_showsAll) {
        showAll();
    }
    replot(rpQueuedReplot);
}

void LockStepPlot::placeLines() {
    const auto put = [](QCPItemStraightLine* line, std::optional<double> x) {
        line->setVisible(x.has_value());
        line->point1->setCoords(x.value_or(0), 1e-3);
        line->point2->setCoords(x.value_or(0), 1);
    };
    const auto& places = m_run.places();
    const auto difference = m_run.firstDifference();
    put(m_difference, difference ? std::optional(static_cast<double>(places[*difference].position)) : std::nullopt);
    const auto generated = std::ranges::find(places, false, &inference::LockStepPlace::given);
    const bool both = generated != places.end() && generated != places.begin();
    put(m_given, both ? std::optional(static_cast<double>(generated->position) - 0.5) : std::nullopt);
}

void LockStepPlot::showAll() {
    m_showsAll = true;
    const auto& places = m_run.places();
    const double first = places.empty() ? 0 : static_cast<double>(places.front().position);
    const double last = places.empty() ? 1 : static_cast<double>(places.back().position);
    xAxis->setRange(first - kPlotMargin, std::max(last, first + 1) + kPlotMargin);
    const QCPRange range = divergences();
    yAxis->setRange(range);
    for (int i = 0; i < graphCount(); ++i) { // the bottom has moved
        auto point = graph(i)->data()->begin();
        for (auto place = places.begin(); place != places.end() && point != graph(i)->data()->end(); ++place, ++point) {
            const inference::LockStepChoice& choice = place->choices[static_cast<std::size_t>(i) + 1];
            point->value = choice.isKnown ? std::max(choice.divergence, range.lower) : std::nan("");
        }
    }
    replot(rpQueuedReplot);
}

QCPRange LockStepPlot::divergences() const {
    double minimum = 1;
    double maximum = 1e-3;
    for (const auto& place : m_run.places()) {
        for (std::size_t i = 1; i < place.choices.size(); ++i) {
            const double divergence = place.choices[i].divergence;
            if (place.choices[i].isKnown && divergence > kMinimum) {
                minimum = std::min(minimum, divergence);
            }
            maximum = std::max(maximum, divergence);
        }
    }
    return {std::pow(10, std::floor(std::log10(minimum * 0.7))), std::pow(10, std::ceil(std::log10(maximum * 1.2)))};
}

int LockStepPlot::rowAt(QPointF pixel) const {
    const auto& places = m_run.places();
    if (places.empty() || !axisRect()->rect().contains(pixel.toPoint())) {
        return -1;
    }
    const double at = xAxis->pixelToCoord(pixel.x()) - static_cast<double>(places.front().position);
    return std::clamp(qRound(at), 0, static_cast<int>(places.size()) - 1); // there is one point per token
}

void LockStepPlot::setChosen(int row) {
    m_chosen = row >= 0 && static_cast<std::size_t>(row) < m_run.places().size() ? row : -1;
    m_choice->setVisible(m_chosen >= 0);
    if (m_chosen >= 0) {
        const auto x = static_cast<double>(m_run.places()[static_cast<std::size_t>(m_chosen)].position);
        m_choice->point1->setCoords(x, 1e-3);
        m_choice->point2->setCoords(x, 1);
    }
    replot(rpQueuedReplot);
}

void LockStepPlot::choose(int row) {
    if (row >= 0 && static_cast<std::size_t>(row) < m_run.places().size()) {
        setChosen(row);
        emit chosenByPerson(row);
    }
}

void LockStepPlot::zoom(double factor) {
    m_showsAll = false;
    ZoomPlot::zoom(factor);
}

bool LockStepPlot::step(int columns, int /*rows*/, Qt::KeyboardModifiers /*modifiers*/) {
    if (columns == 0 || m_run.places().empty()) {
        return false;
    }
    choose(std::clamp(m_chosen + columns, 0, static_cast<int>(m_run.places().size()) - 1));
    return true;
}

void LockStepPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const int row = rowAt(event->position());
    if (event->buttons() != Qt::NoButton || row < 0) {
        QToolTip::hideText();
        return;
    }
    const inference::LockStepPlace& place = m_run.places()[static_cast<std::size_t>(row)];
    QStringList lines{tr("Token %1: %2").arg(place.position).arg(m_run.tokenText(place.token))};
    for (std::size_t i = 1; i < place.choices.size(); ++i) {
        if (!place.choices[i].isKnown) {
            continue;
        }
        lines << tr("%1: %2 nats, %3")
                     .arg(m_run.files()[i].label,
                          (place.choices[i].isBound ? QStringLiteral("≥ ") : QString()) +
                              formatReal(place.choices[i].divergence, 3),
                          m_run.tokenText(place.choices[i].token));
    }
    QToolTip::showText(event->globalPosition().toPoint(),
                       lines.join(u'\n').toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")), this);
}

void LockStepPlot::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    m_showsAll = false;
    QCustomPlot::mousePressEvent(event);
}

void LockStepPlot::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    constexpr int kClick = 4;
    if (event->button() == Qt::LeftButton && (event->pos() - m_pressed).manhattanLength() < kClick) {
        choose(rowAt(event->position()));
    }
}

} // namespace gufo::ui

#include "moc_lock_step_plot.cpp"
