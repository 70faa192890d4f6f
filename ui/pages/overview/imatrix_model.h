// The entries of an importance matrix, and the matrices of a chosen model that have no entry, one row each.
#pragma once

#include "quantize/imatrix_coverage.h"
#include "ui/pages/overview/matrix_table.h"

#include <optional>

namespace gufo::ui {

class ImatrixModel : public MatrixTableModel {
    Q_OBJECT

public:
    enum Column : int { Tensor, Used, Rows, Channels, Partner, ColumnCount };
    enum class Fit : std::uint8_t { NotCompared, Fits, NoEntry, NoTensor, OtherShape, NoValues };

    explicit ImatrixModel(QObject* parent = nullptr)
        : MatrixTableModel(ColumnCount, parent) {}
    void setEntries(std::vector<ImatrixRow> entries);
    // Compares the entries with a model, or with none.
    void setPartners(std::optional<ImatrixPartners> partners);
    // Null for a matrix without an entry.
    [[nodiscard]] const ImatrixRow* entryAt(int row) const;
    [[nodiscard]] const std::vector<ImatrixRow>& entries() const { return m_entries; }
    [[nodiscard]] Fit fitAt(int row) const { return m_lines[lineAt(row)].fit; }

private:
    struct Line {
        std::string tensor;
        std::optional<std::uint32_t> block{}; // nothing outside of blocks
        std::optional<std::size_t> entry{};   // index into m_entries
        Fit fit = Fit::NotCompared;
    };
    [[nodiscard]] Place placeOf(std::size_t line) const override;
    [[nodiscard]] double figure(std::size_t line, int column) const override;
    [[nodiscard]] QString text(std::size_t line, int column) const override;
    [[nodiscard]] QString toolTip(std::size_t line, int column) const override;
    [[nodiscard]] bool isWarning(std::size_t line, int column) const override;
    [[nodiscard]] bool isFigure(int column) const override { return column == Used || column == Rows; }
    [[nodiscard]] QString title(int column) const override;
    [[nodiscard]] QString titleToolTip(int) const override { return {}; }
    [[nodiscard]] const ImatrixRow* entryOf(const Line& line) const;
    void rebuild();

    std::vector<ImatrixRow> m_entries; // by block and name
    std::optional<ImatrixPartners> m_partners;
    std::vector<Line> m_lines;
};

} // namespace gufo::ui
