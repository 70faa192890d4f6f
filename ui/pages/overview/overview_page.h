// The first page of a model: its description, where its bytes are, the memory for running it, and its findings.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/adapter_panel.h"
#include "ui/pages/overview/block_map.h"
#include "ui/pages/overview/fact_strip.h"
#include "ui/pages/overview/findings_panel.h"
#include "ui/pages/overview/imatrix_panel.h"
#include "ui/pages/overview/memory_panel.h"
#include "ui/pages/overview/type_bar.h"
#include "ui/shell/page.h"
#include "ui/widgets/empty_state.h"

#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>

namespace gufo::ui {

class RuledTable;
class KeptWidth;

class OverviewPage : public Page {
    Q_OBJECT

public:
    explicit OverviewPage(QWidget* parent = nullptr);
    ~OverviewPage() override;

    [[nodiscard]] QString title() const override { return tr("Overview"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("overview"); }
    [[nodiscard]] QString badge() const override;
    [[nodiscard]] bool badgeIsWarning() const override { return true; }
    void setModel(std::shared_ptr<const Model> model) override;
    void setDocument(ModelDocument* document) override;
    bool goTo(const Place& place) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;

    [[nodiscard]] const Overview* overview() const { return m_overview.get(); }

    // Writes the overview and the findings as Markdown.
    void writeReport(const std::filesystem::path& path);

signals:
    void compareRequested();
    void convertRequested();
    void chatRequested();
    void summarised();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // a scroll bar also takes room from the heading

private:
    void follow(const TouchedParts& touched);
    void summariseModel();
    void showOverview(std::shared_ptr<const Overview> overview);
    void arrange();
    void showParts();
    void showConvert();
    void writeHeading();
    QWidget* makeButtons();
    void askForReport();

    std::shared_ptr<const Model> m_model;
    ModelDocument* m_document = nullptr;
    QTimer m_summariseSoon;
    LatestJob m_summary{this};
    std::shared_ptr<const Overview> m_overview;
    QWidget* m_heading;
    QWidget* m_buttons;
    QPushButton* m_chat;
    QPushButton* m_convert;
    QLabel* m_title;
    QLabel* m_path;
    FactStrip* m_facts;
    QWidget* m_left;                   // bar, map, shape
    ImatrixPanel* m_imatrix = nullptr; // only for importance matrices
    AdapterPanel* m_adapter = nullptr; // only for adapters
    TypeBar* m_bar;
    QWidget* m_mapSection;
    MapLegend* m_legend;
    BlockMap* m_map;
    EmptyState* m_noMap;
    QLabel* m_shapeTitle;
    RuledTable* m_shape;
    MemoryPanel* m_memory;
    FindingsPanel* m_findings;
    QSplitter* m_splitter;
    KeptWidth* m_rightWidth;
    QWidget* m_right;
    QScrollArea* m_scroll; // of the left part, or of the whole page if it is narrow
    QScrollArea* m_narrowScroll;
    bool m_narrow = false;
    bool m_arranged = false;
};

} // namespace gufo::ui
