#include "ui/tools/type_map.h"

#include "model/tensor_role.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/spoken_names.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot_keys.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <map>

namespace gufo::ui {
namespace {

constexpr int kBlocks = 16; // the numbers of the blocks, above the map
constexpr int kRow = 15;
constexpr int kMostCell = 24;
constexpr int kLeastCell = 3;
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
    : QWidget(parent)
    , m_model(std::move(model)) {
    setFocusPolicy(Qt::StrongFocus);
    setSpokenRole(this, QAccessible::Chart);
    setMouseTracking(true);
    setAccessibleName(tr("Types of the tensors by block and role"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TypeMap::setPlan(std::shared_ptr<const CostTable> costs, const QuantizePlan& plan) {
    m_costs = std::move(costs);
    m_rows.clear();
    m_used.clear();
    m_columns = 0;
    std::map<std::pair<bool, std::string>, std::size_t> rowOf;
    for (std::size_t i = 0; i < m_costs->tensors.size(); ++i) {
        const TensorIndex index = m_costs->tensors[i].tensor;
        const TensorName name = parseTensorName(m_model->tensor(index).name);
        const auto [at, added] = rowOf.try_emplace({name.block.has_value(), std::string(name.role)}, m_rows.size());
        if (added) {
            m_rows.push_back({.role = displayText(name.role), .inBlocks = name.block.has_value(), .cells = {}});
        }
        const std::size_t column = name.block.value_or(0);
        Row& row = m_rows[at->second];
        row.cells.resize(std::max(row.cells.size(), column + 1));
        const PlannedTensor& planned = plan.tensors()[index.value];
        row.cells[column] = Tensor{.index = i, .typeId = planned.typeId, .bytes = planned.bytes};
        m_columns = std::max(m_columns, column + 1);
        const QString type = nameOfType(planned.typeId);
        auto used = std::ranges::find(m_used, type, &Used::type);
        if (used == m_used.end()) {
            m_used.push_back({.type = type, .bits = bitsOf(*row.cells[column]), .tensors = 0});
            used = m_used.end() - 1;
        }
        ++used->tensors;
    }
    std::ranges::stable_partition(m_rows, &Row::inBlocks);
    std::ranges::sort(m_used, std::greater(), &Used::bits);
    if (m_selected && tensorAt(*m_selected) == nullptr) {
        m_selected.reset();
    }
    setAccessibleDescription(m_selected ? describe(*m_selected) : QString());
    updateGeometry();
    update();
}

void TypeMap::clear() {
    m_rows.clear();
    m_used.clear();
    m_columns = 0;
    m_selected.reset();
    setAccessibleDescription({});
    updateGeometry();
    update();
}

const TypeMap::Tensor* TypeMap::tensorAt(const Cell& cell) const {
    if (cell.row >= m_rows.size() || cell.column >= m_rows[cell.row].cells.size()) {
        return nullptr;
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
        return cell.row < m_rows.size() ? tr("Block %1 has no %2").arg(cell.column).arg(m_rows[cell.row].role)
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

int TypeMap::labelWidth() const {
    const QFontMetrics metrics(themeFont(TextStyle::Mono));
    int width = 60;
    for (const Row& row : m_rows) {
        width = std::max(width, metrics.horizontalAdvance(row.role) + 10);
    }
    return std::min(width, std::max(60, this->width() / 3));
}

int TypeMap::cellWidth() const {
    const int room = width() - labelWidth() - 2;
    return m_columns == 0 ? kMostCell : std::clamp(room / static_cast<int>(m_columns), kLeastCell, kMostCell);
}

QRect TypeMap::cellRect(const Cell& cell) const {
    const int wide = cellWidth();
    return {labelWidth() + static_cast<int>(cell.column) * wide, kBlocks + static_cast<int>(cell.row) * kRow,
            wide > 5 ? wide - 1 : wide, kRow - 1};
}

std::optional<TypeMap::Cell> TypeMap::cellAt(QPoint point) const {
    if (point.x() < labelWidth() || point.y() < kBlocks) {
        return {};
    }
    const Cell cell{static_cast<std::size_t>((point.y() - kBlocks) / kRow),
                    static_cast<std::size_t>((point.x() - labelWidth()) / cellWidth())};
    return cell.row < m_rows.size() && cell.column < m_rows[cell.row].cells.size() ? std::optional(cell) : std::nullopt;
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

QSize TypeMap::sizeHint() const {
    const std::vector<QPoint> legend = legendPlaces(width());
    const int below = legend.empty() ? 0 : kLegendGap + legend.back().y() + kLegend;
    return {560, kBlocks + static_cast<int>(m_rows.size()) * kRow + below};
}

void TypeMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateGeometry(); // the legend may need another number of lines
}

void TypeMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont mono = themeFont(TextStyle::Mono);
    const QFontMetrics metrics(mono);
    const int labels = labelWidth();
    painter.setFont(mono);
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(QRect(0, cellRect({r, 0}).top(), labels - 8, kRow - 1), Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(m_rows[r].role, Qt::ElideMiddle, labels - 8));
        for (std::size_t c = 0; c < m_rows[r].cells.size(); ++c) {
            if (const Tensor* tensor = tensorAt({r, c})) {
                painter.fillRect(cellRect({r, c}), bitsPerWeightColor(bitsOf(*tensor)));
            }
        }
        if (!m_rows[r].inBlocks) {
            const QRect cell = cellRect({r, 0});
            painter.setPen(themeColor(Token::Text));
            painter.drawText(QRect(cell.right() + 8, cell.top(), width() - cell.right() - 8, cell.height()),
                             Qt::AlignVCenter, typeAt({r, 0}));
        }
    }
    paintBlocks(painter);
    paintLegend(painter);
    if (m_selected && hasFocus()) {
        painter.setPen(QPen(themeColor(Token::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cellRect(*m_selected));
    }
}

// The first and the last block always have their number, the others where there is room.
void TypeMap::paintBlocks(QPainter& painter) const {
    if (m_columns == 0) {
        return;
    }
    const QFont font = themeFont(TextStyle::Axis);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(themeColor(Token::Muted));
    painter.drawText(QRect(0, 0, labelWidth() - 8, kBlocks - 2), Qt::AlignRight | Qt::AlignVCenter, tr("block"));
    const std::size_t last = m_columns - 1;
    const int room = metrics.horizontalAdvance(QString::number(last)) + 6;
    const auto place = [&](std::size_t block) {
        const QRect cell = cellRect({0, block});
        return QRect(cell.center().x() - room / 2, 0, room, kBlocks - 2);
    };
    int free = place(0).left();
    for (std::size_t block = 0; block <= last; ++block) {
        const QRect at = place(block);
        if (at.left() >= free && (block == last || at.right() < place(last).left())) {
            painter.drawText(at, Qt::AlignCenter, QString::number(block));
            free = at.right() + 1;
        }
    }
}

void TypeMap::paintLegend(QPainter& painter) const {
    const QFont font = themeFont(TextStyle::Axis);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    const std::vector<QPoint> places = legendPlaces(width());
    const QPoint origin(0, kBlocks + static_cast<int>(m_rows.size()) * kRow + kLegendGap);
    painter.setPen(themeColor(Token::Muted));
    for (std::size_t i = 0; i < m_used.size(); ++i) {
        const QRect swatch(origin + places[i], QSize(kSwatch, kSwatch));
        const QString text = legendText(m_used[i].type, m_used[i].tensors);
        painter.fillRect(swatch, bitsPerWeightColor(m_used[i].bits));
        painter.drawText(QRect(swatch.right() + 6, swatch.top(), metrics.horizontalAdvance(text) + 1, kSwatch),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
    }
}

void TypeMap::select(const Cell& cell) {
    m_selected = cell;
    setAccessibleDescription(describe(cell));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    QToolTip::showText(mapToGlobal(cellRect(cell).bottomRight()), describe(cell), this);
    update();
}

void TypeMap::mouseMoveEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->pos())) {
        QToolTip::showText(event->globalPosition().toPoint(), describe(*cell), this, cellRect(*cell));
    } else {
        QToolTip::hideText();
    }
}

void TypeMap::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->pos())) {
        select(*cell);
    }
}

void TypeMap::focusInEvent(QFocusEvent* event) {
    if (!m_selected && !m_rows.empty()) {
        m_selected = Cell{};
        setAccessibleDescription(describe(*m_selected));
    }
    update();
    QWidget::focusInEvent(event);
}

void TypeMap::keyPressEvent(QKeyEvent* event) {
    if (m_rows.empty() || !m_selected) {
        QWidget::keyPressEvent(event);
        return;
    }
    Cell to = *m_selected;
    const auto last = [this](std::size_t row) { return std::max<std::size_t>(m_rows[row].cells.size(), 1) - 1; };
    switch (plotCommand(KeyedView::Map, event->key())) {
    case PlotCommand::Left:
        to.column -= to.column > 0 ? 1 : 0;
        break;
    case PlotCommand::Right:
        to.column = std::min(to.column + 1, last(to.row));
        break;
    case PlotCommand::Up:
        to.row -= to.row > 0 ? 1 : 0;
        break;
    case PlotCommand::Down:
        to.row = std::min(to.row + 1, m_rows.size() - 1);
        break;
    case PlotCommand::First:
        to.column = 0;
        break;
    case PlotCommand::Last:
        to.column = last(to.row);
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    to.column = std::min(to.column, last(to.row));
    select(to);
}

} // namespace gufo::ui

#include "moc_type_map.cpp"
