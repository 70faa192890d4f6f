// Shows the keys in which the files of a comparison differ, with the first differences of arrays and tokenizers below.
// A key can be copied from one file to another, as an edit of that model that can be undone there.
#pragma once

#include "model/owned_value.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/differences/metadata_diff_model.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>

class QCheckBox;

namespace gufo::ui {

class FilterField;

// The differences within one key, as rows of texts.
class DifferenceTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void setRows(QStringList header, QList<QStringList> rows);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_header;
    QList<QStringList> m_rows;
};

class MetadataDiffPage : public ComparePage {
    Q_OBJECT

public:
    explicit MetadataDiffPage(Comparison& comparison, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("difference"); }
    [[nodiscard]] QString badge() const override;
    bool goTo(const Place& place) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] const MetadataDiffModel& model() const { return m_model; }
    [[nodiscard]] const DifferenceTable& details() const { return m_details; }
    [[nodiscard]] QPushButton* copyButton() const { return m_copy; }
    // Copies the selected key, as the button's menu does.
    void copyKey(std::size_t from, std::size_t to);

private:
    void refill();
    void showDetails();
    void showCopyMenu();
    void fitColumns();

    MetadataDiffModel m_model;
    DifferenceTable m_details;
    FilterField* m_filter;
    QCheckBox* m_all;
    QPushButton* m_copy;
    QTableView* m_table;
    QLabel* m_detailTitle;
    QComboBox* m_against;
    QTableView* m_detailView;
    QSplitter* m_parts;
};

} // namespace gufo::ui
