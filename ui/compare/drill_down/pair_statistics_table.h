// The statistics of one tensor as a table. It is as high as its rows, and hides columns for which there is no room.
#pragma once

#include "ui/compare/drill_down/pair_statistics_model.h"

#include <QTableView>

namespace gufo::ui {

class PairStatisticsTable : public QTableView {
    Q_OBJECT

public:
    explicit PairStatisticsTable(const Comparison& comparison, QWidget* parent = nullptr);
    void setRow(std::optional<std::size_t> row); // a row of the matches
    void figuresArrived();                       // call when figures of that row have arrived
    // `width` is the width that the table will have, which a layout may not have set yet.
    void fit(int width);

signals:
    void fileChosen(std::size_t file);

private:
    [[nodiscard]] std::vector<int> widthsOfTexts() const;

    PairStatisticsModel* m_model;
    int m_width = 0;
};

} // namespace gufo::ui
