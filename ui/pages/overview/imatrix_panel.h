// The part of the overview that shows an importance matrix: what it was collected from, how often each expert was used,
// the channels that matter most, and which matrices of an open model it lacks.
#pragma once

#include "formats/imatrix/imatrix.h"
#include "quantize/imatrix_coverage.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/imatrix_model.h"
#include "ui/pages/overview/open_model_choice.h"
#include "ui/widgets/table_text.h"

#include <QImage>
#include <QLabel>
#include <QPointer>
#include <QWidget>

#include <memory>
#include <optional>

namespace gufo::ui {

// How often each expert was used while an importance matrix was collected: a row for each tensor with several matrices,
// a column for each matrix. Experts that were never used are marked.
class ExpertMap : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxRows = 512;

    explicit ExpertMap(QWidget* parent = nullptr);
    // Keeps the first kMaxRows tensors with several matrices.
    void setEntries(const std::vector<ImatrixRow>& entries);
    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }
    // What a tooltip says at a position; empty outside of the cells.
    [[nodiscard]] QString describe(QPoint at) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, rowHeight() * rows()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tooltips

private:
    struct Cell {
        std::size_t row;
        std::size_t expert;
    };
    [[nodiscard]] std::optional<Cell> cellAt(QPoint at) const;
    [[nodiscard]] int rows() const { return static_cast<int>(m_entries.size()); }
    [[nodiscard]] int rowHeight() const;
    void drawImage();

    std::vector<ImatrixRow> m_entries;
    std::size_t m_experts = 0; // of the tensor with the most
    QImage m_image;            // a pixel for each cell
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
