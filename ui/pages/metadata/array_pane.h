// The elements of one array beside the metadata tree: go to an index, search, filter by value, nested arrays.
#pragma once

#include "ui/models/array_model.h"
#include "ui/pages/page.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/windowed_table.h"

#include <QComboBox>

namespace gufo::ui {

class ArrayPane : public QWidget {
    Q_OBJECT

public:
    explicit ArrayPane(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    // Opens an array in a job, unless it is open already, and then shows one of its elements.
    void open(const std::string& key, const std::vector<std::uint64_t>& path = {},
              std::optional<std::uint64_t> element = {});
    [[nodiscard]] WindowedTable* table() const { return m_table; }
    [[nodiscard]] ArrayModel* elements() const { return m_elements; }
    [[nodiscard]] QString copyText(Page::CopyFormat format) const;

signals:
    void opened(); // the array asked for is shown
    void searched();
    void closed();

private:
    void showArray(std::shared_ptr<const OpenArray> array);
    void search();
    void showAll();
    void goToIndex();
    void openNested(const QModelIndex& index);
    void setCounts();

    std::shared_ptr<const Model> m_model;
    QToolButton* m_back;
    QLabel* m_title;
    QLabel* m_subtitle;
    QLineEdit* m_index;
    FilterField* m_filter;
    QComboBox* m_value;
    QWidget* m_counts;
    QLabel* m_problem;
    WindowedTable* m_table;
    ArrayModel* m_elements;
    std::shared_ptr<const OpenArray> m_array;
    QPointer<Job> m_opening;
    QPointer<Job> m_search;
    std::string m_wantedKey;
    std::vector<std::uint64_t> m_wantedPath;
    std::optional<std::uint64_t> m_wantedElement;
};

} // namespace gufo::ui
