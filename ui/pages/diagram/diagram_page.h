// The Diagram page: the architecture of a model as a picture, with the selected part and its tensors beside it and all
// blocks below.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/diagram/diagram_view.h"
#include "ui/plots/plot_export.h"
#include "ui/shell/page.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

namespace gufo::ui {

class DiagramLegend;
class DiagramPartner;
class EmptyState;
class KeptWidth;
class LayerStrip;
class PartTensorsModel;
class PictureMenu;

class DiagramPage : public Page {
    Q_OBJECT

public:
    explicit DiagramPage(QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    void setModel(std::shared_ptr<const Model> model) override;
    void setDocument(ModelDocument* document) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;

    [[nodiscard]] DiagramView& view() { return *m_view; }
    [[nodiscard]] LayerStrip& strip() { return *m_strip; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] PictureMenu& exports() { return *m_exports; }
    [[nodiscard]] DiagramPartner& partner() { return *m_partner; }
    void setMeasure(DiagramMeasure measure);
    [[nodiscard]] bool isReady() const { return m_diagram != nullptr; }

signals:
    void ready(); // the diagram was made

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the detail was resized

private:
    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] QWidget* makeDetail();
    void make();
    void take(std::shared_ptr<const Diagram> diagram);
    void showSelection();
    void showMeasure();
    void showLegend();
    void fitDetail();
    void showTensor(TensorIndex tensor);
    [[nodiscard]] Picture picture() const;
    [[nodiscard]] QString summary() const;

    std::shared_ptr<const Model> m_model;
    ModelDocument* m_document = nullptr;
    std::shared_ptr<const Diagram> m_diagram;
    LatestJob m_job;
    bool m_isActive = false;
    std::optional<DiagramBlock> m_wanted; // of an earlier session

    QStackedWidget* m_whole;
    EmptyState* m_empty;
    QSplitter* m_splitter;
    KeptWidth* m_detailWidth;
    DiagramView* m_view;
    LayerStrip* m_strip;
    QComboBox* m_measure = nullptr;
    DiagramPartner* m_partner = nullptr;
    DiagramLegend* m_legend;     // of the colours
    DiagramLegend* m_kindLegend; // of the strip
    PictureMenu* m_exports = nullptr;
    QLabel* m_heading = nullptr;
    QScrollArea* m_factsArea = nullptr;
    QLabel* m_facts = nullptr;
    PartTensorsModel* m_tensors;
    QTableView* m_table = nullptr;
    QWidget* m_detail = nullptr;
};

} // namespace gufo::ui
