// The keys of several models side by side: the differing keys, or all keys. The first row represents the tokenizers if
// their tokens differ.
//
// UI thread only. Values are views of the models' files, and texts are formatted on demand.
#pragma once

#include "ui/compare/comparison.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class MetadataDiffModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kKey, kStatus, kFirstFile };

    explicit MetadataDiffModel(const Comparison& comparison, QObject* parent = nullptr);
    void refill(); // call after the comparison has changed
    void setAll(bool all);
    void setFilter(const QString& text); // a part of the key; case is ignored
    [[nodiscard]] std::size_t differences() const { return m_differences; }

    // The comparison's row that a row shows. Empty for the tokenizers.
    [[nodiscard]] std::optional<std::size_t> metadataRow(int row) const;
    [[nodiscard]] bool isTokenizerRow(int row) const { return m_tokenizers && row == 0; }
    [[nodiscard]] const MetadataRow* find(int row) const;
    [[nodiscard]] int rowOfKey(std::string_view key) const; // −1: not shown
    [[nodiscard]] std::optional<std::size_t> fileOf(int column) const;
    // Null if the file does not have the key.
    [[nodiscard]] const Value* value(const MetadataRow& row, std::size_t file) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void fillShown();
    [[nodiscard]] QString cellText(const MetadataRow& row, std::size_t file) const;
    // A text from its first difference on. Empty if the value is not a text or differs from its beginning on.
    [[nodiscard]] QString fromFirstDifference(const MetadataRow& row, std::size_t file) const;
    [[nodiscard]] QString statusText(const MetadataRow& row) const;
    [[nodiscard]] QString tokenizerText(std::size_t file) const;

    const Comparison& m_comparison;
    std::shared_ptr<const MetadataComparison> m_metadata;
    bool m_all = false;
    bool m_tokenizers = false;
    QString m_filter;
    std::size_t m_differences = 0;
    std::vector<std::size_t> m_shown;
};

} // namespace gufo::ui
