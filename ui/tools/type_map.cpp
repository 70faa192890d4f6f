#include "ui/tools/type_map.h"

#include "model/tensor_role.h"
#include "ui/messages/figure_text.h"
#include "ui/report/block_layout.h"
#include "ui/theme/theme.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace gufo::ui {
namespace {

constexpr std::size_t kMostBlocks = 2048;
constexpr int kRow = 15; // including the gap
constexpr int kMostCell = 24;
constexpr int kLeastCell = 4;
constexpr int kBlocks = 16;     // the line with the numbers of the blocks
constexpr int kNumberRoom = 30; // the width that one number needs
constexpr int kLooseLine = 18;
constexpr int kLegend = 18; // a line of it
constexpr int kLegendGap = 6;
constexpr int kSwatch = 11;
constexpr int kGap = 14;

QString legendText(const QString& type, std::size_t tensors) {
    return QStringLiteral("%1 × %2").arg(type, formatCount(tensors));
}

QString nameOfType(std::uint32_t typeId) { return QString::fromStdString(TensorInfo{.typeId = typeId}.typeName()); }

} // namespace

TypeMap::TypeMap(std::shared_ptr<const Model> model, QWidget* parent)
    : BlockGrid(parent)
    , m_model(std::move(model)) {
    setAccessibleName(tr("Types of the tensors by block and role"));
}

void TypeMap::setPlan(std::shared_ptr<const CostTable> costs, const QuantizePlan& plan) {
    m_costs = std::move(costs);
    m_loose.clear();
    m_used.clear();
    std::set<std::uint32_t> blocks;
    for (const TensorCosts& tensor : m_costs->tensors) {
        if (const auto block = parseTensorName(m_model->tensor(tensor.tensor).name).block) {
            blocks.insert(*block);
        }
    }
    m_blocks.assign(blocks.begin(), blocks.end());
    if (const auto shown = blocksOfMap(blocks.empty() ? 0 : *blocks.rbegin(), blocks.size(), kMostBlocks)) {
        m_blocks.resize(blocks.empty() ? 0 : shown);
        std::iota(m_blocks.begin(), m_blocks.end(), 0U);
    }
    std::map<RoleKey, Row> rows;
    for (std::size_t i = 0; i < m_costs->tensors.size(); ++i) {
        const TensorIndex index = m_costs->tensors[i].tensor;
        const TensorName name = parseTensorName(m_model->tensor(index).name);
        const PlannedTensor& planned = plan.tensors()[index.value];
        const Tensor tensor{.index = i, .typeId = planned.typeId, .bytes = planned.bytes};
        count(tensor);
        if (!name.block) {
            m_loose.push_back({.role = displayText(name.role), .tensor = tensor});
            continue;
        }
        Row& row = rows[roleKey(name.role, name.fact)];
        row.role = displayText(name.role);
        row.cells.resize(m_blocks.size());
        row.cells[static_cast<std::size_t>(std::ranges::lower_bound(m_blocks, *name.block) - m_blocks.begin())] =
            tensor;
    }
    m_rows.clear();
    std::optional<BlockPart> part;
    for (auto& [key, row] : rows) {
        row.startsGroup = part && *part != std::get<0>(key);
        part = std::get<0>(key);
        m_rows.push_back(std::move(row));
    }
    std::ranges::sort(m_used, std::greater(), &Used::bits);
    relayOut();
    select(selected() && exists(*selected()) ? selected() : std::nullopt);
}

void TypeMap::count(const Tensor& tensor) {
    const QString type = nameOfType(tensor.typeId);
    auto used = std::ranges::find(m_used, type, &Used::type);
    if (used == m_used.end()) {
        m_used.push_back({.type = type, .bits = bitsOf(tensor), .tensors = 0});
        used = m_used.end() - 1;
    }
    ++used->tensors;
}

void TypeMap::clear() {
    m_rows.clear();
    m_loose.clear();
    m_used.clear();
    m_blocks.clear();
    select({});
    relayOut();
}

const TypeMap::Tensor* TypeMap::tensorAt(const Cell& cell) const {
    if (!exists(cell)) {
        return nullptr;
    }
    if (cell.panel == layout().panels.size()) {
        return &m_loose[cell.column].tensor;
    }
    const auto& tensor = m_rows[cell.row].cells[cell.column];
    return tensor ? &*tensor : nullptr;
}

double TypeMap::bitsOf(const Tensor& tensor) const {
    const std::uint64_t weights = m_model->tensor(m_costs->tensors[tensor.index].tensor).weights();
    return weights == 0 ? 0 : 8.0 * static_cast<double>(tensor.bytes) / static_cast<double>(weights);
}

QString TypeMap::typeAt(const Cell& cell) const {
    const Tensor* tensor = tensorAt(cell);
    return tensor != nullptr ? nameOfType(tensor->typeId) : QString();
}

QString TypeMap::describe(const Cell& cell) const {
    const Tensor* tensor = tensorAt(cell);
    if (tensor == nullptr) {
        return exists(cell) ? tr("Block %1 has no %2").arg(m_blocks[cell.column]).arg(m_rows[cell.row].role)
                            : QString();
    }
    const TensorCosts& costs = m_costs->tensors[tensor->index];
    QStringList lines{
        displayText(m_model->tensor(costs.tensor).name),
        tr("%1, %2, %3 bits/weight")
            .arg(nameOfType(tensor->typeId), formatBytes(tensor->bytes), formatBitsPerWeight(bitsOf(*tensor)))};
    const auto known = std::ranges::find(costs.types, tensor->typeId, &TypeCost::typeId);
    if (known != costs.types.end()) {
        lines << tr("relative squared error %1, expected KL %2 nats")
                     .arg(formatReal(known->error, 3), formatReal(known->nats, 3));
    }
    return lines.join(u'\n');
}

TypeMap::Layout TypeMap::layOut(int width) const {
    Layout layout;
    if (m_rows.empty() && m_loose.empty()) {
        return layout;
    }
    const QFontMetrics mono(themeFont(TextStyle::Mono));
    layout.labels = 60;
    for (const Row& row : m_rows) {
        layout.labels = std::max(layout.labels, mono.horizontalAdvance(row.role) + 10);
    }
    layout.labels = std::min(layout.labels, std::max(60, width / 3));
    layout.width = std::max(kMostCell, width - layout.labels - 2);
    layout.cell = std::clamp(layout.width / std::max(1, static_cast<int>(m_blocks.size())), kLeastCell, kMostCell);
    layout.rowHeight = kRow;
    layout.swatch = kSwatch;
    if (!m_rows.empty()) {
        Panel panel{.columns = m_blocks.size(), .columnsPerBand = static_cast<std::size_t>(layout.width / layout.cell)};
        std::ranges::transform(m_rows, std::back_inserter(panel.gaps), &Row::startsGroup);
        layout.panels.push_back(std::move(panel));
    }
    int y = layout.addBands(0, {.group = 4, .band = 6, .axis = kBlocks});
    const QFontMetrics small(themeFont(TextStyle::Axis));
    int x = 0;
    for (const Loose& loose : m_loose) {
        const int needed = kSwatch + 6 + mono.horizontalAdvance(loose.role) + 8 +
                           small.horizontalAdvance(nameOfType(loose.tensor.typeId));
        if (x > 0 && x + needed > layout.width) {
            x = 0;
            y += kLooseLine;
        }
        layout.loose.emplace_back(x, y, std::min(needed, layout.width), kLooseLine);
        x += needed + kGap;
    }
    layout.height = y + (m_loose.empty() ? 0 : kLooseLine);
    layout.total = layout.height + kLegendGap + legendPlaces(width).back().y() + kLegend;
    layout.maps.push_back({.at = {layout.labels, 0}});
    return layout;
}

std::vector<QPoint> TypeMap::legendPlaces(int width) const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    std::vector<QPoint> places;
    QPoint at;
    for (const Used& used : m_used) {
        const int wide = kSwatch + 5 + metrics.horizontalAdvance(legendText(used.type, used.tensors));
        if (at.x() > 0 && at.x() + wide > width) {
            at = {0, at.y() + kLegend};
        }
        places.push_back(at);
        at.rx() += wide + kGap;
    }
    return places;
}

QSize TypeMap::sizeHint() const { return {560, heightForWidth(std::max(width(), minimumSizeHint().width()))}; }

void TypeMap::resizeEvent(QResizeEvent* event) {
    const int before = layout().total;
    BlockGrid::resizeEvent(event);
    if (layout().total != before) {
        updateGeometry(); // bands and the legend may need another number of lines
    }
}

void TypeMap::paintEvent(QPaintEvent* event) {
    if (layout().maps.empty()) {
        return;
    }
    QPainter painter(this);
    for (const Band& band : layout().bands) {
        paintBand(painter, band, event->rect());
    }
    paintLoose(painter);
    paintLegend(painter);
    paintFrames(painter);
}

void TypeMap::paintBand(QPainter& painter, const Band& band, const QRect& exposed) const {
    const Map& map = layout().maps.front();
    const QFont mono = themeFont(TextStyle::Mono);
    const QFontMetrics metrics(mono);
    painter.setFont(mono);
    forExposedRows(map, band, exposed, [&](std::size_t r, int y) {
        painter.setPen(themeColor(Token::Muted));
        paintLabel(painter, y, kRow - 1, metrics.elidedText(m_rows[r].role, Qt::ElideMiddle, layout().labels - 8));
        for (std::size_t c = 0; c < band.columns; ++c) {
            const QRect rect = cellOfBand(map, band, r, c);
            if (const auto& tensor = m_rows[r].cells[band.firstColumn + c]) {
                painter.fillRect(rect, bitsPerWeightColor(bitsOf(*tensor)));
            } else {
                paintAbsent(painter, rect);
            }
        }
    });
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    paintLabel(painter, band.rowTops.back(), kBlocks, tr("block"));
    const auto step = static_cast<std::size_t>((kNumberRoom + layout().cell - 1) / layout().cell);
    paintBlockNumbers(painter, map, band, step, m_blocks, kBlocks);
}

void TypeMap::paintLoose(QPainter& painter) const {
    const QFont mono = themeFont(TextStyle::Mono);
    const QFontMetrics metrics(mono);
    const Map& map = layout().maps.front();
    for (std::size_t i = 0; i < m_loose.size(); ++i) {
        const QRect place = layout().loose[i].translated(map.at);
        const QRect swatch = rectIn(map, Cell{.panel = layout().panels.size(), .column = i});
        painter.fillRect(swatch, bitsPerWeightColor(bitsOf(m_loose[i].tensor)));
        if (i == 0) {
            painter.setFont(themeFont(TextStyle::Axis));
            painter.setPen(themeColor(Token::Muted));
            paintLabel(painter, place.top(), place.height(), tr("no block"));
        }
        painter.setFont(mono);
        painter.setPen(themeColor(Token::Text));
        const QRect text(swatch.right() + 7, place.top(), place.right() - swatch.right() - 7, place.height());
        const QString name = metrics.elidedText(m_loose[i].role, Qt::ElideMiddle, text.width());
        painter.drawText(text, Qt::AlignVCenter, name);
        painter.setFont(themeFont(TextStyle::Axis));
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(text.adjusted(metrics.horizontalAdvance(name) + 8, 0, 20, 0), Qt::AlignVCenter,
                         nameOfType(m_loose[i].tensor.typeId));
    }
}

void TypeMap::paintLegend(QPainter& painter) const {
    const QFont font = themeFont(TextStyle::Axis);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    const std::vector<QPoint> places = legendPlaces(width());
    const QPoint origin(0, layout().height + kLegendGap);
    painter.setPen(themeColor(Token::Muted));
    for (std::size_t i = 0; i < m_used.size(); ++i) {
        const QRect swatch(origin + places[i], QSize(kSwatch, kSwatch));
        const QString text = legendText(m_used[i].type, m_used[i].tensors);
        painter.fillRect(swatch, bitsPerWeightColor(m_used[i].bits));
        painter.drawText(QRect(swatch.right() + 6, swatch.top(), metrics.horizontalAdvance(text) + 1, kSwatch),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
    }
}

} // namespace gufo::ui

#include "moc_type_map.cpp"
