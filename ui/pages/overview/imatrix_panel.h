// The part of the overview that shows an importance matrix: what it was collected from, how often each expert was used,
// the channels that matter most, and which matrices of an open model it lacks.
#pragma once

#include "formats/imatrix/imatrix.h"
#include "quantize/imatrix_coverage.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/expert_map.h"
#include "ui/pages/overview/matrix_table.h"
#include "ui/pages/overview/open_model_choice.h"
#include "ui/widgets/table_text.h"

#include <QLabel>
#include <QPointer>
#include <QWidget>

#include <memory>
#include <optional>

namespace gufo::ui {

// The entries of an importance matrix, and the matrices of a chosen model that have no entry, one row each.
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

class ImatrixPanel : public QWidget {
    Q_OBJECT

public:
    explicit ImatrixPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> imatrix);
    // Lists the models that are open now. The chosen one stays chosen.
    void listModels();

    [[nodiscard]] ImatrixModel* table() const { return m_table; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] OpenModelChoice* choice() const { return m_choice; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] Job* job() const { return m_reading.job(); }
    [[nodiscard]] QString copyText(CopyFormat format) const; // the table

signals:
    void read();     // the entries are shown, or why they cannot be
    void compared(); // with the chosen model

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Contents {
        std::shared_ptr<const Imatrix> imatrix;
        std::vector<ImatrixRow> entries;
    };
    void showContents(Contents contents);
    void compare();
    void writePartners(const ImatrixPartners& partners);

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Imatrix> m_imatrix; // null until it has been read
    LatestJob m_reading{this};
    LatestJob m_comparing{this};
    QLabel* m_summary;
    QWidget* m_experts; // the map and its title
    ExpertMap* m_map;
    OpenModelChoice* m_choice;
    QLabel* m_fit;
    ImatrixModel* m_table;
    QTableView* m_view;
};

} // namespace gufo::ui
