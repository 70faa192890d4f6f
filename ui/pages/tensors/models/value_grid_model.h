// A window onto a matrix of any size for the value grid. Jobs decode the values in tiles, which are cached for a while.
//
// UI thread only.
#pragma once

#include "analysis/weight_tile.h"
#include "ui/jobs/latest_job.h"
#include "ui/plots/cell_range.h"

#include <QAbstractTableModel>
#include <QPointer>

#include <functional>
#include <list>
#include <map>
#include <optional>

namespace gufo::ui {

class ValueGridModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { kSelectedRole = Qt::UserRole, kCurrentRole, kBlockStartRole };

    // Loads the requested part of the matrix; runs on another thread.
    using Loader = std::function<Result<WeightTile>(const SliceRequest&, const JobContext&)>;
    struct Matrix {
        std::uint64_t rows = 0;
        std::uint64_t columns = 0;
        Loader load;
        // Formats a value from its decoded and its stored form.
        std::function<QString(double value, std::uint64_t stored)> decimal;
        std::function<QString(std::uint64_t stored)> hex;
        std::function<QString(std::uint64_t row)> rowTitle; // if empty, the row's number
        std::uint64_t blockColumns = 0;                     // a border precedes each multiple of this column; 0: none
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setMatrix(Matrix matrix); // discards loaded tiles and cancels running jobs
    [[nodiscard]] const Matrix& matrix() const { return m_matrix; }

    void setWindow(std::uint64_t firstRow, int rows, std::uint64_t firstColumn, int columns);
    [[nodiscard]] std::uint64_t firstRow() const { return m_firstRow; }
    [[nodiscard]] std::uint64_t firstColumn() const { return m_firstColumn; }

    void setHex(bool hex);
    [[nodiscard]] bool isHex() const { return m_hex; }
    void setFormat(std::function<QString(double, std::uint64_t)> decimal);

    // The limit of the selection, whose cells are all kept for copying.
    static constexpr std::uint64_t kMaxSelected = 65'536;
    void setSelection(const CellRange& range, std::uint64_t currentRow, std::uint64_t currentColumn);
    [[nodiscard]] std::optional<CellRange> selection() const { return m_selection; }
    // The text of a loaded cell; an ellipsis if it is not loaded yet.
    [[nodiscard]] QString text(std::uint64_t row, std::uint64_t column) const;
    // Empty while the cell is not loaded.
    [[nodiscard]] std::optional<double> value(std::uint64_t row, std::uint64_t column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void failed(const gufo::Error& error);
    void loaded();

private:
    static constexpr std::uint64_t kTile = 64; // rows and columns
    using TileKey = std::pair<std::uint64_t, std::uint64_t>;
    struct Tile {
        WeightTile cells;
        std::uint64_t lastUse = 0;
    };
    [[nodiscard]] const WeightTile* tileAt(std::uint64_t row, std::uint64_t column) const;
    void request(); // requests missing tiles of the window and the selection
    void startNext();
    void evict();
    void wantTiles(const CellRange& range);
    void allChanged();

    Matrix m_matrix;
    std::uint64_t m_firstRow = 0;
    std::uint64_t m_firstColumn = 0;
    int m_rows = 0;
    int m_columns = 0;
    bool m_hex = false;
    std::optional<CellRange> m_selection;
    std::uint64_t m_currentRow = 0;
    std::uint64_t m_currentColumn = 0;
    std::map<TileKey, Tile> m_tiles;
    std::list<TileKey> m_wanted;
    std::uint64_t m_clock = 0;
    LatestJob m_job{this};
};

} // namespace gufo::ui
