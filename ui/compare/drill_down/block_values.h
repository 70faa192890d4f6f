// Shows one block of a tensor weight by weight: the values in the reference and in one file, what that file stores for
// them and the error, and then the values in the other files.
#pragma once

#include "tensor/block_fields.h"
#include "ui/compare/comparison.h"
#include "ui/jobs/latest_job.h"
#include "ui/shell/page.h"

#include <QAbstractTableModel>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>

namespace gufo::ui {

// The data of a block, collected by a job.
struct BlockContent {
    std::uint64_t firstWeight = 0; // index in the part
    std::size_t reference = 0;
    std::size_t file = 0;
    std::vector<std::size_t> files; // that have the tensor: the reference, `file`, the others
    std::vector<std::vector<std::optional<WeightFields>>> fields; // [file of `files`][weight]
    std::uint64_t offset = 0;                                     // offset of the block in its file
    QString bytes;                                                // the block's bytes in hexadecimal
    QString constants;                                            // "d 0.0021, dmin 0.013"
};

class BlockValuesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    // `labels` belong to content.files; `columns` is the part's row length, `typeId` its type in content.file.
    void setContent(BlockContent content, QStringList labels, std::uint64_t columns, std::uint32_t typeId);
    void clear();
    [[nodiscard]] const BlockContent& content() const { return m_content; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // Whether any weight has something to show there: types without blocks have no codes, and few have minima.
    [[nodiscard]] bool isColumnUsed(int column) const;

    enum Column { kPlace, kReference, kValue, kError, kCode, kLevel, kScale, kMinimum, kOthers };

private:
    // The index in content.files of a column of values; empty for other columns.
    [[nodiscard]] std::optional<std::size_t> fileOf(int column) const;
    [[nodiscard]] const std::optional<WeightFields>& fieldsOf(std::size_t file, int row) const;
    [[nodiscard]] QString placeText(int row) const;
    [[nodiscard]] QString cellText(int row, int column, bool isExact) const;

    BlockContent m_content;
    QStringList m_labels;
    std::uint64_t m_columns = 1;
    std::uint32_t m_typeId = 0;
};

class BlockValues : public QWidget {
    Q_OBJECT

public:
    explicit BlockValues(const Comparison& comparison, QWidget* parent = nullptr);
    void setPair(std::optional<std::size_t> row, std::size_t file,
                 std::uint64_t weight); // shows the block that contains the weight
    void showWeight(std::uint64_t weight);
    [[nodiscard]] const BlockValuesModel& model() const { return m_model; }
    [[nodiscard]] QString copyText(CopyFormat format) const;

signals:
    void failed(const gufo::Error& error);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fetch();
    void fitColumns();

    const Comparison& m_comparison;
    std::optional<std::size_t> m_row;
    std::size_t m_file = 0;
    std::uint64_t m_blockSize = 32;
    std::uint64_t m_worst = 0;
    bool m_stale = true;
    LatestJob m_job{this};
    BlockValuesModel m_model;
    QSpinBox* m_block;
    QLabel* m_place;
    QLabel* m_bytes;
    QTableView* m_view;
};

} // namespace gufo::ui
