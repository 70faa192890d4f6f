// The page that an embedding model has instead of Run. It embeds texts and shows the similarities, neighbours and
// projection of their vectors, or ranks texts by a query.
#pragma once

#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/embed/input_panel.h"
#include "ui/pages/embed/vector_view.h"
#include "ui/shell/page.h"
#include "ui/widgets/empty_state.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QStackedWidget>

#include <array>

namespace gufo::ui {

class KeptWidth;

class EmbedPage : public Page {
    Q_OBJECT

public:
    // `engine` is a row of a permanent table that offers Feature::Embeddings; null if there is none.
    explicit EmbedPage(QWidget* parent = nullptr,
                       const inference::Engine* engine = inference::engineWith(inference::Feature::Embeddings));

    [[nodiscard]] QString title() const override { return tr("Embed"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("heat-map"); }
    void setDocument(ModelDocument* document) override { m_document = document; }
    void setModel(std::shared_ptr<const Model> model) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;

    [[nodiscard]] InputPanel* input() const { return m_input; }
    [[nodiscard]] VectorView* vectors() const { return m_vectors; }
    [[nodiscard]] ScoredLinesModel* ranking() const { return m_rankingModel; }
    [[nodiscard]] const EmbedResult* result() const { return m_result.get(); }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    [[nodiscard]] QString emptyText() const { return m_empty->accessibleName(); }

    void run();
    void exportTo(EmbedExport what, const std::filesystem::path& path); // emits exported() at the end

signals:
    void finished(); // a run succeeded or failed; not emitted if it was cancelled
    void exported();

private:
    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] bool wantsRanking() const;
    void showMode();
    void showEmpty();
    void showResult(Result<std::shared_ptr<const EmbedResult>> result);
    void showExports();
    void showStatus();
    void askWhereToExport(EmbedExport what);

    const inference::Engine* m_engine;
    ModelDocument* m_document = nullptr;
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const EmbedResult> m_result;
    LatestJob m_job{this};

    SegmentedControl* m_mode;
    QLabel* m_poolingLabel;
    QComboBox* m_pooling;
    QPushButton* m_export;
    std::array<QAction*, 4> m_exports{}; // by EmbedExport
    std::array<QAction*, 2> m_pictures{};
    QStackedWidget* m_whole; // the page, or why there is none
    QSplitter* m_splitter;
    KeptWidth* m_inputWidth = nullptr;
    InputPanel* m_input;
    QStackedWidget* m_results; // empty state, vectors, ranking
    EmptyState* m_empty;
    EmptyState* m_unable;
    VectorView* m_vectors;
    QTableView* m_ranking;
    ScoredLinesModel* m_rankingModel;
};

} // namespace gufo::ui
