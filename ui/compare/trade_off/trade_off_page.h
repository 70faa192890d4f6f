// The page that helps to choose a file: size against quality of all files, or of one group of their tensors.
#pragma once

#include "ui/compare/compare_page.h"
#include "ui/compare/trade_off/trade_off_model.h"

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QTableView>

class QCheckBox;
class QDoubleSpinBox;

namespace gufo::ui {

class DivergenceField;
class ElidedLabel;
class ImatrixField;
class TradeOffPlot;

class TradeOffPage : public ComparePage {
    Q_OBJECT

public:
    explicit TradeOffPage(Comparison& comparison, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("trade-off"); }
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    [[nodiscard]] TradeOffPlot& plot() { return *m_plot; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] const TradeOffModel& model() const { return m_model; }
    [[nodiscard]] QComboBox* metricField() const { return m_metric; }
    [[nodiscard]] QString importanceText() const { return m_importance->text(); }
    [[nodiscard]] QString captionText() const { return m_chosenCaption->text(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildStrip();
    QWidget* buildSide();
    void update();
    void fitColumns();
    void choose(std::size_t file);
    void showChosen();
    void offerMeasured();
    void showImportance();
    [[nodiscard]] Metric shownMetric() const;
    [[nodiscard]] std::optional<TensorGroup> group() const;

    TradeOffModel m_model;
    QComboBox* m_size;
    QComboBox* m_metric;
    QComboBox* m_group;
    QCheckBox* m_frontier;
    QDoubleSpinBox* m_limit; // GiB of memory to run the file; 0: no limit
    TradeOffPlot* m_plot;
    QLabel* m_chosenCaption;
    ElidedLabel* m_chosenName;
    QLabel* m_chosenFacts;
    QTableView* m_table;
    ImatrixField* m_imatrix;
    QLabel* m_importance; // which matrix weights errors, or which is not seen
    DivergenceField* m_divergence;
    QSplitter* m_parts;
    std::optional<std::size_t> m_chosen;
    bool m_wantsDivergence = false;    // as soon as its figures are known
    std::optional<std::size_t> m_best; // the file that fits best into the limit
};

} // namespace gufo::ui
