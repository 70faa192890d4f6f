// The part of the overview that shows a LoRA adapter: its ranks and alpha and, beside a base model that the user
// chooses among the open models or as a file, which matrices fit and how strongly each layer changes.
#pragma once

#include "adapter/change_norms.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/matrix_table.h"
#include "ui/pages/overview/open_model_choice.h"
#include "ui/widgets/table_text.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>

#include <filesystem>
#include <functional>
#include <memory>
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

// The matrices that a LoRA adapter changes, or its layers, one row each. Without a base model, only the rank is known;
// beside one, the table shows how strongly each matrix changes, and which matrices do not fit the base.
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

class JobBar;
class SegmentedControl;

class AdapterPanel : public QWidget {
    Q_OBJECT

public:
    explicit AdapterPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> adapter);
    // Lists the models that are open now. The chosen one stays chosen. Until the user chooses, it is the only one that
    // has the adapter's architecture.
    void listModels();
    // Measures the adapter beside the model of a file.
    void measureBeside(const std::filesystem::path& path);

    [[nodiscard]] AdapterModel* table() const { return m_table; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] OpenModelChoice* choice() const { return m_choice; }
    [[nodiscard]] SegmentedControl* rows() const { return m_rows; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] Job* job() const { return m_measuring.job(); }
    [[nodiscard]] QString copyText(CopyFormat format) const; // the table

signals:
    void measured(); // the figures are shown, or why there are none

protected:
    void showEvent(QShowEvent* event) override;

private:
    void writeSummary();
    void askForFile();
    void measure();
    void start(std::function<Result<std::shared_ptr<const Model>>(const JobContext&)> openBase);
    void showFigures(AdapterFigures figures);
    void forget(const QString& why);

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Model> m_fromFile; // a model that is not open in a tab
    bool m_asked = false;                    // the user has chosen a model, or none
    LatestJob m_measuring{this};
    QLabel* m_summary;
    OpenModelChoice* m_choice;
    QPushButton* m_file;
    QLabel* m_fit;
    JobBar* m_bar;
    SegmentedControl* m_rows;
    AdapterModel* m_table;
    QTableView* m_view;
};

} // namespace gufo::ui
