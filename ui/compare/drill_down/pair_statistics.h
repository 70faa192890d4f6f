// The statistics of one tensor: a row for each file except the reference.
#pragma once

#include "ui/compare/comparison.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace gufo::ui {

class PairStatisticsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kFile, kType, kBits, kRmse, kMae, kMaxError, kAt, kNmse, kSqnr, kCosine, kEqual, kColumns };
    static constexpr int kSwatchRole = Qt::UserRole; // int: index of the file's colour

    explicit PairStatisticsModel(const Comparison& comparison, QObject* parent = nullptr);
    void setRow(std::optional<std::size_t> row); // a row of the matches
    void figuresArrived();                       // call when figures of that row have arrived
    [[nodiscard]] std::size_t fileOf(int row) const { return m_files[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(std::size_t file, int column) const;
    [[nodiscard]] std::optional<double> figure(std::size_t file, int column) const; // not rounded
    [[nodiscard]] QString placeText(std::size_t file, std::uint64_t index) const;

    const Comparison& m_comparison;
    std::optional<std::size_t> m_row;
    std::vector<std::size_t> m_files;
};

// The statistics as a table, which is as high as its rows, and hides columns for which there is no room.
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
