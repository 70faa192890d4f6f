// What happens at the chosen token, block by block, as tables: what the model would answer after each block (the logit
// lens), which experts it uses, and how large its states are. Of two models, A and B, each can show what differs.
#pragma once

#include "ui/pages/inside/block_table.h"
#include "ui/pages/inside/inside_map.h"
#include "ui/pages/inside/sizes_plot.h"
#include "ui/report/inside_report.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"

#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include <functional>

namespace gufo::ui {

using TokenName = std::function<QString(TokenId)>; // the text of a token as it is shown

class LensView : public QWidget {
    Q_OBJECT

public:
    explicit LensView(QWidget* parent = nullptr);
    // `after` is the chosen token.
    void setInside(const inference::Inside& inside, const TokenName& nameOf, TokenId after);
    void setPair(const InsidePair& pair, const TokenName& nameOf, TokenId after); // candidates side by side
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] BlockTable* model() const { return m_model; }
    [[nodiscard]] QString heading() const { return m_heading->text(); }

private:
    QLabel* m_heading;
    BlockTable* m_model;
    QTableView* m_table;
};

class ExpertsView : public QWidget {
    Q_OBJECT

public:
    explicit ExpertsView(QWidget* parent = nullptr);
    // If nothing of experts was recorded, says that the model has none.
    void setInside(const inference::Inside& inside, const QString& token);
    // Which experts both choose, and which only one does; by how much the load of B exceeds the load of A.
    void setPair(const InsidePair& pair, const QString& token);
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] BlockTable* model() const { return m_model; }
    [[nodiscard]] InsideMap* load() const { return m_load; }
    [[nodiscard]] bool hasExperts() const { return m_whole->currentIndex() == 0; }

private:
    void showNone(const QString& title, const QString& explanation);

    QStackedWidget* m_whole;
    EmptyState* m_none;
    QLabel* m_heading;
    BlockTable* m_model;
    QTableView* m_table;
    QLabel* m_loadTitle;
    InsideMap* m_load;
    ElidedLabel* m_hover;
};

class SizesView : public QWidget {
    Q_OBJECT

public:
    explicit SizesView(QWidget* parent = nullptr);
    void setInside(const inference::Inside& inside, std::size_t token);
    // The lines of both, and the ratios of B to A.
    void setPair(const InsidePair& pair, std::size_t token);
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] BlockTable* model() const { return m_model; }
    [[nodiscard]] SizesPlot* plot() const { return m_plot; }
    [[nodiscard]] SizesPlot* ratios() const { return m_ratios; }
    [[nodiscard]] QString notice() const { return m_notice->text(); }

private:
    void showNotANumber(const inference::Inside& inside, const QString& model);

    QLabel* m_notice; // where NaN appeared
    SizesPlot* m_plot;
    SizesPlot* m_ratios;  // only of a pair
    QLabel* m_pairLegend; // the same
    ElidedLabel* m_hover;
    BlockTable* m_model;
    QTableView* m_table;
};

} // namespace gufo::ui
