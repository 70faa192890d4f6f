#include "ui/compare/behaviour/layer_view.h"

#include "ui/compare/comparison_export.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plot_keys.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kTop = 20;    // the legend
constexpr int kBottom = 34; // the numbers of the tokens, and the title of the axis
constexpr int kRight = 10;
constexpr double kMostRow = 26;
constexpr int kLegendWidth = 160;
constexpr double kDecades = 4; // of the logarithmic scale
constexpr qsizetype kListedExperts = 12;

QString expertsText(const std::vector<std::uint32_t>& experts) {
    std::vector<std::uint32_t> sorted = experts;
    std::ranges::sort(sorted);
    QStringList numbers;
    for (const std::uint32_t expert : sorted) {
        numbers << QString::number(expert);
    }
    if (numbers.size() > kListedExperts) {
        numbers = numbers.first(kListedExperts) << QString(QChar(0x2026));
    }
    return numbers.join(QStringLiteral(", "));
}

} // namespace

struct LayerMap::Places {
    QRectF map;
    double column = 1;
    double row = 1;
};

LayerMap::LayerMap(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Distance of the states by block and token"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LayerMap::setBehaviour(std::shared_ptr<const Behaviour> behaviour, LayerFigure figure) {
    m_behaviour = std::move(behaviour);
    m_figure = figure;
    if (m_selected && (m_selected->block >= blocks() || m_selected->token >= tokens())) {
        m_selected.reset();
    }
    fitScale();
    setAccessibleDescription(m_selected ? describe(*m_selected) : QString());
    update();
}

void LayerMap::setColorMap(ColorMap map) {
    m_colorMap = map;
    update();
}

std::size_t LayerMap::blocks() const { return m_behaviour != nullptr ? m_behaviour->layers.size() : 0; }

std::size_t LayerMap::tokens() const { return blocks() > 0 ? m_behaviour->layers.front().relative.size() : 0; }

std::optional<double> LayerMap::figureAt(const Cell& cell) const {
    const inference::LayerDistance& layer = m_behaviour->layers[cell.block];
    switch (m_figure) {
    case LayerFigure::Distance:
        break;
    case LayerFigure::Angle:
        return std::max(0.0, 1 - layer.cosine[cell.token]);
    case LayerFigure::Experts:
        return layer.sameExperts.empty() ? std::nullopt : std::optional(1 - layer.sameExperts[cell.token]);
    }
    return layer.relative[cell.token];
}

// Shares of experts have their whole range; the others a logarithmic one below their largest figure.
void LayerMap::fitScale() {
    if (m_figure == LayerFigure::Experts) {
        m_scale = {.low = 0, .high = 1, .logarithmic = false};
        return;
    }
    double high = 0;
    double low = 0; // above 0
    for (std::size_t block = 0; block < blocks(); ++block) {
        for (std::size_t token = 0; token < tokens(); ++token) {
            const double figure = figureAt({block, token}).value_or(0);
            if (std::isfinite(figure) && figure > 0) {
                high = std::max(high, figure);
                low = low > 0 ? std::min(low, figure) : figure;
            }
        }
    }
    high = high > 0 ? high : 1;
    low = std::max(low, high * std::pow(10, -kDecades));
    m_scale = {.low = low < high ? low : high / 10, .high = high, .logarithmic = true};
}

QColor LayerMap::colorOf(double figure) const {
    if (!std::isfinite(figure)) {
        return themeColor(Token::ErrorText);
    }
    return colorMapAt(m_colorMap, 1 - m_scale.positionOf(std::max(figure, m_scale.low))); // as in maps of weights
}

LayerMap::Places LayerMap::placesIn(QSize size) const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    const int left = metrics.horizontalAdvance(tr("block")) + 12;
    Places places;
    places.map =
        QRectF(left, kTop, std::max(1, size.width() - left - kRight), std::max(1, size.height() - kTop - kBottom));
    if (blocks() > 0 && tokens() > 0) {
        places.column = places.map.width() / static_cast<double>(tokens());
        places.row = std::min(places.map.height() / static_cast<double>(blocks()), kMostRow);
        places.map.setHeight(places.row * static_cast<double>(blocks()));
    }
    return places;
}

QRectF LayerMap::cellRect(const Cell& cell) const {
    const Places places = placesIn(size());
    return {places.map.left() + static_cast<double>(cell.token) * places.column,
            places.map.top() + static_cast<double>(cell.block) * places.row, places.column, places.row};
}

std::optional<LayerMap::Cell> LayerMap::cellAt(QPointF point) const {
    const Places places = placesIn(size());
    if (blocks() == 0 || !places.map.contains(point)) {
        return {};
    }
    const auto index = [](double at, double step, std::size_t count) {
        return std::min(static_cast<std::size_t>(at / step), count - 1);
    };
    return Cell{index(point.y() - places.map.top(), places.row, blocks()),
                index(point.x() - places.map.left(), places.column, tokens())};
}

QString LayerMap::describe(const Cell& cell) const {
    const inference::LayerDistance& layer = m_behaviour->layers[cell.block];
    const auto token = static_cast<qsizetype>(cell.token);
    QStringList lines{tr("After block %1, token %2: %3")
                          .arg(formatCount(cell.block), formatCount(cell.token),
                               token < m_behaviour->tokens.size() ? m_behaviour->tokens[token] : QString()),
                      tr("relative distance %1, cosine %2")
                          .arg(formatReal(layer.relative[cell.token], 3), formatReal(layer.cosine[cell.token], 6))};
    if (!layer.sameExperts.empty()) {
        lines << tr("%1 % of the experts are the same").arg(formatReal(100 * layer.sameExperts[cell.token], 3));
    }
    if (cell.token < layer.expertsOfA.size() && cell.token < layer.expertsOfB.size()) {
        lines << tr("Experts of the reference: %1").arg(expertsText(layer.expertsOfA[cell.token]))
              << tr("Experts of the other file: %1").arg(expertsText(layer.expertsOfB[cell.token]));
    }
    return lines.join(u'\n');
}

void LayerMap::draw(QPainter& painter, QSize size) const {
    const Places places = placesIn(size);
    painter.setFont(themeFont(TextStyle::Axis));
    if (blocks() == 0) {
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(QRectF(QPointF(), size), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Nothing was measured yet: choose a text and measure."));
        return;
    }
    drawCells(painter, places);
    drawAxes(painter, places);
    drawLegend(painter, places);
}

// Where tokens are narrower than a pixel, a pixel shows the token that is farthest away.
void LayerMap::drawCells(QPainter& painter, const Places& places) const {
    const std::size_t count = tokens();
    const std::size_t columns = std::min(count, static_cast<std::size_t>(std::max(1.0, places.map.width())));
    const double width = places.map.width() / static_cast<double>(columns);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t block = 0; block < blocks(); ++block) {
        const double top = places.map.top() + static_cast<double>(block) * places.row;
        const double gap = places.row > 6 ? 1 : 0;
        for (std::size_t column = 0; column < columns; ++column) {
            std::optional<double> farthest;
            for (std::size_t token = column * count / columns; token < (column + 1) * count / columns; ++token) {
                const auto figure = figureAt({block, token});
                farthest = figure && (!farthest || !(*figure <= *farthest)) ? figure : farthest;
            }
            const QRectF cell(places.map.left() + static_cast<double>(column) * width, top,
                              width > 6 ? width - 1 : width, places.row - gap);
            painter.fillRect(cell, farthest ? colorOf(*farthest) : themeColor(Token::Unquantised));
        }
    }
}

void LayerMap::drawAxes(QPainter& painter, const Places& places) const {
    const QFontMetrics metrics(painter.font());
    painter.setPen(themeColor(Token::Muted));
    painter.drawText(QRectF(0, 0, places.map.left() - 6, kTop), Qt::AlignRight | Qt::AlignVCenter, tr("block"));
    double free = 0;
    for (std::size_t block = 0; block < blocks(); ++block) {
        const double middle = places.map.top() + (static_cast<double>(block) + 0.5) * places.row;
        if (middle - metrics.height() / 2.0 >= free) {
            painter.drawText(QRectF(0, middle - metrics.height() / 2.0, places.map.left() - 6, metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QString::number(block));
            free = middle + metrics.height() / 2.0;
        }
    }
    const double under = places.map.bottom() + 2;
    const double room = metrics.horizontalAdvance(QString::number(tokens())) + 24;
    std::size_t step = 1;
    for (const std::size_t factor : {2U, 5U, 10U, 20U, 50U, 100U, 200U, 500U}) {
        step = static_cast<double>(step) * places.column < room ? factor : step;
    }
    for (std::size_t token = 0; token < tokens(); token += step) {
        const double middle = places.map.left() + (static_cast<double>(token) + 0.5) * places.column;
        painter.drawText(QRectF(middle - room / 2, under, room, metrics.height()), Qt::AlignCenter,
                         QString::number(token));
    }
    painter.drawText(QRectF(places.map.left(), under + metrics.height(), places.map.width(), metrics.height()),
                     Qt::AlignCenter, tr("token"));
}

void LayerMap::drawLegend(QPainter& painter, const Places& places) const {
    constexpr int kBar = 9;
    const double left = places.map.left();
    const QFontMetrics metrics(painter.font());
    const QString low = formatReal(m_scale.low, 2);
    const QString high = formatReal(m_scale.high, 2);
    const double start = left + metrics.horizontalAdvance(low) + 6;
    painter.setPen(themeColor(Token::Muted));
    const QRectF line(left, 0, places.map.width(), kTop - 4);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, low);
    for (int x = 0; x < kLegendWidth; ++x) {
        painter.fillRect(QRectF(start + x, line.center().y() - kBar / 2.0, 1, kBar),
                         colorOf(m_scale.valueAt((x + 0.5) / kLegendWidth)));
    }
    const QString what = m_figure == LayerFigure::Experts ? tr("share of other experts")
                         : m_figure == LayerFigure::Angle ? tr("1 − cosine, lower is closer")
                                                          : tr("relative distance, lower is closer");
    painter.drawText(line.adjusted(start - left + kLegendWidth + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(high + QStringLiteral("   ") + what, Qt::ElideRight,
                                        static_cast<int>(line.width() - (start - left) - kLegendWidth - 6)));
}

void LayerMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw(painter, size());
    if (m_selected) {
        painter.setPen(QPen(themeColor(hasFocus() ? Token::Accent : Token::Muted), 1.6));
        painter.setBrush(Qt::NoBrush);
        const QRectF cell = cellRect(*m_selected);
        const double widen = std::max(0.0, 6 - cell.width()) / 2; // so that a narrow token can be seen
        painter.drawRect(cell.adjusted(-1 - widen, -1, widen, 0));
    }
}

void LayerMap::select(const Cell& cell) {
    m_selected = cell;
    setAccessibleDescription(describe(cell));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    update();
}

void LayerMap::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (cell) {
        QToolTip::showText(event->globalPosition().toPoint(), plainToolTip(describe(*cell)), this);
    } else {
        QToolTip::hideText();
    }
}

void LayerMap::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    if (cell) {
        select(*cell);
        if (event->button() == Qt::LeftButton) {
            emit blockChosen(cell->block);
        }
    }
}

void LayerMap::contextMenuEvent(QContextMenuEvent* event) {
    const bool isMouse = event->reason() == QContextMenuEvent::Mouse;
    const auto cell = isMouse ? cellAt(event->pos()) : m_selected;
    if (cell) {
        emit menuRequested(cell->block,
                           isMouse ? event->globalPos() : mapToGlobal(cellRect(*cell).bottomLeft().toPoint()));
    }
}

void LayerMap::focusInEvent(QFocusEvent* event) {
    if (!m_selected && blocks() > 0) {
        select({});
    }
    update();
    QWidget::focusInEvent(event);
}

void LayerMap::keyPressEvent(QKeyEvent* event) {
    if (!m_selected || blocks() == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    Cell to = *m_selected;
    switch (plotCommand(KeyedView::Map, event->key())) {
    case PlotCommand::Left:
        to.token -= to.token > 0 ? 1 : 0;
        break;
    case PlotCommand::Right:
        to.token = std::min(to.token + 1, tokens() - 1);
        break;
    case PlotCommand::Up:
        to.block -= to.block > 0 ? 1 : 0;
        break;
    case PlotCommand::Down:
        to.block = std::min(to.block + 1, blocks() - 1);
        break;
    case PlotCommand::First:
        to.token = 0;
        break;
    case PlotCommand::Last:
        to.token = tokens() - 1;
        break;
    case PlotCommand::Open:
        emit blockChosen(to.block);
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    select(to);
    QToolTip::showText(mapToGlobal(cellRect(to).bottomRight().toPoint()), plainToolTip(describe(to)), this);
}

// ---- the map with its fields

LayerView::LayerView(const Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_file(new QComboBox(this))
    , m_figure(new QComboBox(this))
    , m_summary(new ElidedLabel(TextStyle::Axis, Token::Muted, Qt::ElideRight, this))
    , m_map(new LayerMap(this)) {
    m_file->setObjectName("layerFile");
    m_figure->setObjectName("layerFigure");
    m_file->setAccessibleName(tr("File"));
    m_figure->setAccessibleName(tr("Figure of the map"));
    m_figure->addItem(tr("Relative distance"), static_cast<int>(LayerFigure::Distance));
    m_figure->addItem(tr("1 − cosine"), static_cast<int>(LayerFigure::Angle));
    for (QComboBox* combo : {m_file, m_figure}) {
        combo->setProperty("small", true);
    }
    m_summary->setAccessibleName(tr("Where the states part"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_file);
    row->addWidget(m_figure);
    row->addWidget(m_summary, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_map, 1);
    connect(m_file, &QComboBox::currentIndexChanged, this, &LayerView::showChosen);
    connect(m_figure, &QComboBox::currentIndexChanged, this, &LayerView::showChosen);
    connect(m_map, &LayerMap::blockChosen, this, [this](std::size_t block) {
        if (const auto chosen = file()) {
            emit blockChosen(block, *chosen);
        }
    });
    connect(m_map, &LayerMap::menuRequested, this, &LayerView::menuRequested);
    refresh();
}

std::optional<std::size_t> LayerView::file() const {
    const QVariant chosen = m_file->currentData();
    return chosen.isValid() ? std::optional(chosen.value<std::size_t>()) : std::nullopt;
}

QString LayerView::summary() const { return m_summary->text(); }

void LayerView::refresh() {
    const auto before = file();
    {
        const QSignalBlocker quiet(m_file);
        m_file->clear();
        for (const std::size_t other : m_comparison.others()) {
            if (m_comparison.behaviour(other) != nullptr) {
                m_file->addItem(m_comparison.files()[other].label, QVariant::fromValue(other));
            }
        }
        if (before) {
            m_file->setCurrentIndex(std::max(0, m_file->findData(QVariant::fromValue(*before))));
        }
    }
    showChosen();
}

void LayerView::showChosen() {
    const auto chosen = file();
    const auto behaviour = chosen ? m_comparison.behaviour(*chosen) : nullptr;
    m_file->setVisible(m_file->count() > 1);
    const bool hasExperts = behaviour != nullptr && hasRoutes(*behaviour);
    const int experts = m_figure->findData(static_cast<int>(LayerFigure::Experts));
    if (hasExperts && experts < 0) {
        m_figure->addItem(tr("Other experts"), static_cast<int>(LayerFigure::Experts));
    } else if (!hasExperts && experts >= 0) {
        const QSignalBlocker quiet(m_figure);
        m_figure->removeItem(experts);
    }
    m_figure->setEnabled(behaviour != nullptr);
    m_map->setBehaviour(behaviour, static_cast<LayerFigure>(m_figure->currentData().toInt()));
    m_summary->setText(behaviour != nullptr ? layerWords(*behaviour).join(u' ') : QString());
}

Picture LayerView::picture() const {
    PictureFrame frame = comparisonFrame(m_comparison, m_map->accessibleName(),
                                         file() ? std::vector<std::size_t>{*file()} : std::vector<std::size_t>{},
                                         tr("Text: %1").arg(m_comparison.behaviourText()));
    frame.lines << m_summary->text();
    return {.frame = std::move(frame),
            .shown = m_map->size(),
            .heightFor = [this](int) { return m_map->height(); },
            .draw = [this](QPainter& painter, int width) { m_map->draw(painter, {width, m_map->height()}); }};
}

QString LayerView::csv() const {
    QList<QStringList> rows;
    const auto chosen = file();
    const auto behaviour = chosen ? m_comparison.behaviour(*chosen) : nullptr;
    for (std::size_t block = 0; behaviour != nullptr && block < behaviour->layers.size(); ++block) {
        const inference::LayerDistance& layer = behaviour->layers[block];
        for (std::size_t token = 0; token < layer.relative.size(); ++token) {
            rows << QStringList{
                QString::number(block),
                QString::number(token),
                behaviour->tokens.value(static_cast<qsizetype>(token)),
                csvNumber(layer.relative[token]),
                csvNumber(layer.cosine[token]),
                csvNumber(layer.sameExperts.empty() ? std::nullopt : std::optional(layer.sameExperts[token]))};
        }
    }
    return csvText({tr("Block"), tr("Token"), tr("Text"), tr("Relative distance"), tr("Cosine"), tr("Same experts")},
                   rows);
}

} // namespace gufo::ui

#include "moc_layer_view.cpp"
