// Shows the elements of one array beside the metadata tree: go to an index, search, filter by value, open nested
// arrays. Elements are edited in place, inserted, removed, imported and exported (array_pane_editing.cpp).
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/metadata/models/array_model.h"
#include "ui/shell/page.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/windowed_table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QToolButton>

namespace gufo {
struct TouchedParts;
}

class QMenu;

namespace gufo::ui {

class ArrayPane : public QWidget {
    Q_OBJECT

public:
    explicit ArrayPane(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    void setDocument(ModelDocument* document);
    // Switches to another snapshot. An array that was touched is reopened at the same position.
    void follow(std::shared_ptr<const Model> model, const TouchedParts& touched);
    // Opens an array in a job, unless it is already open, and then shows one of its elements.
    void open(const std::string& key, const std::vector<std::uint64_t>& path = {},
              std::optional<std::uint64_t> element = {});
    [[nodiscard]] const std::string& key() const { return m_wantedKey; } // empty if none has been opened
    [[nodiscard]] WindowedTable* table() const { return m_table; }
    [[nodiscard]] ArrayModel* elements() const { return m_elements; }
    [[nodiscard]] QString copyText(CopyFormat format) const;
    // Inserts before the current element, or, with `atEnd`, after the last.
    void insertElement(bool atEnd);
    void removeSelected();
    void revertArray();
    void revertSelected();
    void pasteElements(const QString& text); // one element per line, before the current element
    void importFile(const QString& path);    // replaces all elements by the file's elements
    void exportFile(const QString& path);

signals:
    void opened(); // the requested array is shown
    void searched();
    void closed();
    void said(const QString& message);
    void exported(const QString& path); // empty if it failed

private:
    void showArray(std::shared_ptr<const OpenArray> array);
    void showFacts(); // the title, the counts or the possible actions have changed
    void search();
    void showAll();
    void goToIndex();
    void openNested(const QModelIndex& index);
    void setCounts();
    [[nodiscard]] QWidget* makeFooter();
    [[nodiscard]] ArrayBefore before() const;
    void reopen();
    void updateEditing();
    void showMenu(QPoint at);
    void addFileActions(QMenu& menu);
    [[nodiscard]] std::vector<std::uint64_t> selectedItems() const;
    void removeInJob(std::vector<RemoveElements> ranges);

    std::shared_ptr<const Model> m_model;
    QToolButton* m_back;
    QLabel* m_title;
    QLabel* m_subtitle;
    QLineEdit* m_index;
    FilterField* m_filter;
    QComboBox* m_value;
    QCheckBox* m_changedOnly;
    QWidget* m_counts;
    QLabel* m_problem;
    WindowedTable* m_table;
    ArrayModel* m_elements;
    ModelDocument* m_document = nullptr;
    QWidget* m_footer;
    QPushButton* m_insert;
    QPushButton* m_append;
    QPushButton* m_remove;
    QPushButton* m_revert;
    QToolButton* m_more;
    QLabel* m_changed;
    std::shared_ptr<const OpenArray> m_array;
    LatestJob m_opening{this};
    LatestJob m_search{this};
    std::string m_wantedKey;
    std::vector<std::uint64_t> m_wantedPath;
    std::optional<std::uint64_t> m_wantedElement;
    bool m_editWanted = false; // start editing the element that is shown next
};

} // namespace gufo::ui
