// The figures of one tensor as a table that is as high as its rows; columns that find no room are left out.
#pragma once

#include "ui/compare/drill_down/pair_statistics_model.h"

#include <QTableView>

namespace gufo::ui {

class PairStatisticsTable : public QTableView {
    Q_OBJECT

public:
    explicit PairStatisticsTable(const Comparison& comparison, QWidget* parent = nullptr);
    void setRow(std::optional<std::size_t> row); // of the matches
    void figuresCame();                          // of that row
    // The width that it will have: a layout may not have given it yet.
    void fit(int width);

signals:
    void fileChosen(std::size_t file);

private:
    [[nodiscard]] std::vector<int> widthsOfTexts() const;

    PairStatisticsModel* m_model;
    int m_width = 0;
};

} // namespace gufo::ui
