// The matrices that a LoRA adapter changes, or its layers, one row each. Without a base model, only the rank is known;
// beside one, the table shows how strongly each matrix changes, and which matrices do not fit the base.
#pragma once

#include "adapter/change_norms.h"
#include "ui/pages/overview/matrix_table.h"

#include <optional>
#include <string>
#include <vector>

namespace gufo::ui {

// An adapter beside a base model.
struct AdapterFigures {
    struct Tensor {
        std::string name;
        std::uint64_t rank = 0; // 0: it is replaced by a whole tensor
        double change = 0;      // norm of the added matrix, or of the difference from the tensor that replaces it
        double weights = 0;
    };
    std::vector<Tensor> tensors;    // the fitting ones, in the base model's order
    std::vector<UnfitTensor> unfit; // the others
};
// Reads the tensors of the base that change. Progress is in weights. Errors: see fitAdapter() and
// measureChanges().
[[nodiscard]] Result<AdapterFigures> measureAdapter(const Model& base, std::shared_ptr<const Model> adapter,
                                                    const JobContext& job);

class AdapterModel : public MatrixTableModel {
    Q_OBJECT

public:
    enum Column : int { Name, Rank, Change, Weights, Relative, State, ColumnCount };

    explicit AdapterModel(QObject* parent = nullptr)
        : MatrixTableModel(ColumnCount, parent) {}
    // Lists the matrices of an adapter, without a base model.
    void setAdapter(const Model& adapter);
    // Adds the figures beside a base model, or removes them.
    void setFigures(std::optional<AdapterFigures> figures);
    void showLayers(bool layers); // one row for each block
    [[nodiscard]] bool showsLayers() const { return m_layers; }
    [[nodiscard]] std::size_t matrices() const; // with factors
    [[nodiscard]] std::size_t replaced() const { return m_pairs.size() - matrices(); }
    [[nodiscard]] std::vector<std::uint64_t> ranks() const; // that occur, sorted

private:
    struct Pair {
        std::string name;
        std::uint64_t rank = 0; // 0: a whole tensor
    };
    struct Line {
        std::string name;                     // of the matrix; empty for a layer
        std::optional<std::uint32_t> block{}; // nothing outside of blocks
        std::uint64_t rank = 0;               // the largest of a layer
        std::size_t matrices = 1;             // of a layer
        bool measured = false;
        double change2 = 0; // squares of the norms
        double weights2 = 0;
        std::optional<Error> problem{}; // why the base cannot take it
        std::size_t problems = 0;       // of a layer

        [[nodiscard]] std::optional<double> relative() const;
    };
    [[nodiscard]] Place placeOf(std::size_t line) const override;
    [[nodiscard]] double figure(std::size_t line, int column) const override;
    [[nodiscard]] QString text(std::size_t line, int column) const override;
    [[nodiscard]] QString toolTip(std::size_t line, int column) const override;
    [[nodiscard]] bool isWarning(std::size_t line, int column) const override;
    [[nodiscard]] bool isFigure(int column) const override { return column != Name && column != State; }
    [[nodiscard]] QString title(int column) const override;
    [[nodiscard]] QString titleToolTip(int column) const override;
    void rebuild();

    std::vector<Pair> m_pairs;
    std::optional<AdapterFigures> m_figures;
    std::vector<Line> m_lines;
    bool m_layers = false;
};

} // namespace gufo::ui
