// A table over a WindowedModel, with what belongs below it: pages where there are more rows than a table can have, how
// many a search found, and what is being searched.
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

    // Selects and shows an item, if it is among what is shown.
    bool showItem(std::uint64_t item);
    [[nodiscard]] std::optional<std::uint64_t> currentItem() const;
    // Shows what a search found, or with null everything, and keeps the current item if it still is there.
    void setMatches(std::shared_ptr<const Matches> matches);
    // Words for the line below: "tokens".
    void setItemName(const QString& plural);
    // Widths in pixels, in the order of the columns; the one at `growing` takes the rest of the room, and none is ever
    // out of sight.
    void setColumnWidths(std::span<const int> widths, int growing);

signals:
    void currentItemChanged(); // also to none

private:
    void updateFooter();
    WindowedModel* m_model = nullptr;
    QTableView* m_view;
    JobBar* m_bar;
    QLabel* m_count;
    EmptyState* m_nothing; // over the rows where a search found none
    QWidget* m_pager;
    QToolButton* m_previous;
    QToolButton* m_next;
    QString m_itemName;
};

} // namespace gufo::ui
