// A table for a WindowedModel with a line below it: pages if there are more rows than a table can have, the number of
// search results, and a running search.
#pragma once

#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/windowed_model.h"

#include <QTableView>

#include <span>

namespace gufo::ui {

class WindowedTable : public QWidget {
    Q_OBJECT

public:
    explicit WindowedTable(const QString& accessibleName, QWidget* parent = nullptr);
    void setModel(WindowedModel* model);

    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }

    // Selects an item and scrolls to it if it is among those shown.
    bool showItem(std::uint64_t item);
    [[nodiscard]] std::optional<std::uint64_t> currentItem() const;
    // Shows the results of a search, or everything if null. Keeps the current item if it is still shown.
    void setMatches(std::shared_ptr<const Matches> matches);
    // The plural used in the line below: "tokens".
    void setItemName(const QString& plural);
    // Widths in pixels in column order. The column `growing` takes the remaining width but always stays visible.
    void setColumnWidths(std::span<const int> widths, int growing);

signals:
    void currentItemChanged(); // also when there is no current item any more

private:
    void updateFooter();
    WindowedModel* m_model = nullptr;
    QTableView* m_view;
    JobBar* m_bar;
    QLabel* m_count;
    EmptyState* m_nothing; // covers the rows if a search found none
    QWidget* m_pager;
    QToolButton* m_previous;
    QToolButton* m_next;
    QString m_itemName;
};

} // namespace gufo::ui
