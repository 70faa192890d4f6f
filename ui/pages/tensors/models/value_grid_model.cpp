#include "ui/pages/tensors/models/value_grid_model.h"

#include "ui/messages/figure_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kTilesKept = 256; // at 16 bytes per cell: 16 MiB

const QString& pending() {
    static const QString text(QChar(0x2026));
    return text;
}

const QString& absent() {
    static const QString text(QChar(0x2014));
    return text;
}

} // namespace

void ValueGridModel::setMatrix(Matrix matrix) {
    m_job.cancel();
    beginResetModel();
    m_matrix = std::move(matrix);
    m_tiles.clear();
    m_wanted.clear();
    m_selection.reset();
    m_firstRow = m_firstColumn = 0;
    m_rows = m_columns = 0;
    endResetModel();
}

void ValueGridModel::setWindow(std::uint64_t firstRow, int rows, std::uint64_t firstColumn, int columns) {
    const auto shown = [](std::uint64_t all, int wanted) {
        return static_cast<int>(std::min<std::uint64_t>(all, static_cast<std::uint64_t>(std::max(wanted, 0))));
    };
    const int newRows = shown(m_matrix.rows, rows);
    const int newColumns = shown(m_matrix.columns, columns);
    firstRow = std::min(firstRow, m_matrix.rows - static_cast<std::uint64_t>(newRows));
    firstColumn = std::min(firstColumn, m_matrix.columns - static_cast<std::uint64_t>(newColumns));
    const bool resized = newRows != m_rows || newColumns != m_columns;
    if (!resized && firstRow == m_firstRow && firstColumn == m_firstColumn) {
        return;
    }
    if (resized) {
        beginResetModel();
    }
    m_firstRow = firstRow;
    m_firstColumn = firstColumn;
    m_rows = newRows;
    m_columns = newColumns;
    if (resized) {
        endResetModel();
    } else {
        allChanged();
        emit headerDataChanged(Qt::Horizontal, 0, m_columns - 1);
        emit headerDataChanged(Qt::Vertical, 0, m_rows - 1);
    }
    request();
}

void ValueGridModel::allChanged() {
    if (m_rows > 0 && m_columns > 0) {
        emit dataChanged(index(0, 0), index(m_rows - 1, m_columns - 1));
    }
}

void ValueGridModel::setHex(bool hex) {
    m_hex = hex;
    allChanged();
}

void ValueGridModel::setFormat(std::function<QString(double, std::uint64_t)> decimal) {
    m_matrix.decimal = std::move(decimal);
    allChanged();
}

void ValueGridModel::setSelection(const CellRange& range, std::uint64_t currentRow, std::uint64_t currentColumn) {
    const std::uint64_t rows = range.lastRow - range.firstRow + 1;
    const std::uint64_t columns = range.lastColumn - range.firstColumn + 1;
    if (columns > kMaxSelected / rows) {
        return;
    }
    m_selection = range;
    m_currentRow = currentRow;
    m_currentColumn = currentColumn;
    allChanged();
    request();
}

const WeightTile* ValueGridModel::tileAt(std::uint64_t row, std::uint64_t column) const {
    const auto found = m_tiles.find({row / kTile, column / kTile});
    return found != m_tiles.end() ? &found->second.cells : nullptr;
}

QString ValueGridModel::text(std::uint64_t row, std::uint64_t column) const {
    const WeightTile* tile = tileAt(row, column);
    if (tile == nullptr) {
        return pending();
    }
    const std::uint64_t at = (row % kTile) * tile->columns + column % kTile;
    if (!tile->present[at]) {
        return absent();
    }
    return m_hex ? m_matrix.hex(tile->stored[at]) : m_matrix.decimal(tile->values[at], tile->stored[at]);
}

std::optional<double> ValueGridModel::value(std::uint64_t row, std::uint64_t column) const {
    const WeightTile* tile = tileAt(row, column);
    const std::uint64_t at = tile != nullptr ? (row % kTile) * tile->columns + column % kTile : 0;
    return tile != nullptr && tile->present[at] ? std::optional(tile->values[at]) : std::nullopt;
}

int ValueGridModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int ValueGridModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_columns; }

QVariant ValueGridModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const std::uint64_t row = m_firstRow + static_cast<std::uint64_t>(index.row());
    const std::uint64_t column = m_firstColumn + static_cast<std::uint64_t>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return tr("Row %1, column %2: %3").arg(formatCount(row), formatCount(column), text(row, column));
    case kSelectedRole:
        return m_selection && m_selection->contains(row, column);
    case kCurrentRole:
        return m_selection && row == m_currentRow && column == m_currentColumn;
    case kBlockStartRole:
        return m_matrix.blockColumns > 1 && column > 0 && column % m_matrix.blockColumns == 0;
    default:
        return {};
    }
}

QVariant ValueGridModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole || section < 0) {
        return {};
    }
    if (orientation == Qt::Horizontal) {
        return formatCount(m_firstColumn + static_cast<std::uint64_t>(section));
    }
    const std::uint64_t row = m_firstRow + static_cast<std::uint64_t>(section);
    return m_matrix.rowTitle ? m_matrix.rowTitle(row) : formatCount(row);
}

void ValueGridModel::wantTiles(const CellRange& range) {
    for (std::uint64_t row = range.firstRow / kTile; row <= range.lastRow / kTile; ++row) {
        for (std::uint64_t column = range.firstColumn / kTile; column <= range.lastColumn / kTile; ++column) {
            const auto found = m_tiles.find({row, column});
            if (found == m_tiles.end()) {
                m_wanted.emplace_back(row, column);
            } else {
                found->second.lastUse = m_clock;
            }
        }
    }
}

void ValueGridModel::request() {
    m_wanted.clear();
    ++m_clock;
    if (m_rows > 0 && m_columns > 0) {
        wantTiles({m_firstRow, m_firstRow + static_cast<std::uint64_t>(m_rows - 1), m_firstColumn,
                   m_firstColumn + static_cast<std::uint64_t>(m_columns - 1)});
    }
    if (m_selection) {
        wantTiles(*m_selection);
    }
    startNext();
}

void ValueGridModel::startNext() {
    if (m_job.isRunning() || m_wanted.empty()) {
        return;
    }
    const TileKey key = m_wanted.front();
    m_wanted.pop_front();
    const SliceRequest request{.firstRow = key.first * kTile,
                               .rows = std::min(kTile, m_matrix.rows - key.first * kTile),
                               .firstColumn = key.second * kTile,
                               .columns = std::min(kTile, m_matrix.columns - key.second * kTile)};
    m_job.start<WeightTile>(
        [load = m_matrix.load, request](const JobContext& context) { return load(request, context); },
        [this, key](Result<WeightTile> result) {
            if (!result) {
                m_wanted.clear();
                emit failed(result.error());
                return;
            }
            m_tiles.insert_or_assign(key, Tile{.cells = std::move(*result), .lastUse = m_clock});
            std::erase(m_wanted, key);
            evict();
            allChanged();
            emit loaded();
            startNext();
        });
}

void ValueGridModel::evict() {
    while (m_tiles.size() > kTilesKept) {
        const auto oldest =
            std::ranges::min_element(m_tiles, {}, [](const auto& entry) { return entry.second.lastUse; });
        if (oldest->second.lastUse == m_clock) {
            return; // all tiles are in use
        }
        m_tiles.erase(oldest);
    }
}

} // namespace gufo::ui

#include "moc_value_grid_model.cpp"
