// The pages of a tab beside a sidebar. Pages are created and deleted one per iteration of the event loop, so that the
// window never waits for all of them. Their states are kept for the session and for other files.
#pragma once

#include "ui/shell/page.h"

#include <QVBoxLayout>

#include <functional>
#include <map>
#include <vector>

class QScrollArea;
class QStackedWidget;

namespace gufo::ui {

class Sidebar;

class PageHost : public QWidget {
    Q_OBJECT

public:
    struct Row {
        QString id; // used in settings and sessions
        std::function<Page*(QWidget* parent)> make;
    };
    struct Status { // the last texts from a page; empty if none
        QString left;
        QStringList right;
    };

    // `settings` is the prefix of the keys under which states are kept for other files; `state` is the result of an
    // earlier saveState().
    PageHost(std::vector<Row> rows, QString settings, const QJsonObject& state, QWidget* parent);

    // Adds a widget across the width of the pages: above them, in the order of the calls, or below them. What comes and
    // goes belongs below, because above it would move the rows under the pointer.
    void addAbove(QWidget* widget) { m_column->insertWidget(m_above++, widget); }
    void addBelow(QWidget* widget) { m_column->addWidget(widget); }
    // Shows a widget instead of the pages. Null shows the pages again.
    void showInstead(QWidget* widget);

    // Creates the pages. `prepare` gives a page its content after its state was restored. Does nothing if creation has
    // already begun.
    void makePages(std::function<void(Page&)> prepare);
    // Forgets the pages and deletes them, then emits pagesDeleted(). They can be created again in the meantime.
    void dropPages();

    [[nodiscard]] bool isReady() const { return m_ready; } // all pages exist
    [[nodiscard]] const std::vector<Page*>& pages() const { return m_pages; }
    [[nodiscard]] Page* currentPage() const; // null while another widget is shown instead
    [[nodiscard]] QString currentId() const { return m_pageId; }
    [[nodiscard]] int rowOf(const QString& id) const; // -1 if there is no such page
    void showPage(int row);
    bool goTo(const Place& place); // on the first page that has the place

    [[nodiscard]] Status status() const; // of the current page
    void setStatus(const QString& left); // on behalf of the current page
    void clearStatus();                  // for all pages

    void setCompactSidebar(bool compact);
    void setSidebarShown(bool shown); // a single page needs none

    // The current page and the state of each page.
    [[nodiscard]] QJsonObject saveState() const;
    [[nodiscard]] static QJsonObject stateOfPage(const QString& id); // for a new tab that opens with this page
    // Keeps the states for other files. Call it while the pages still show their content.
    void rememberStates();

signals:
    void aboutToShow();  // all pages exist, and one is shown next
    void pagesChanged(); // pages were created, or another one is shown
    void statusChanged();
    void pagesDeleted();

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void makeNextPage();
    void showWantedPage();
    void pageShown(int row);
    void deleteDying();

    std::vector<Row> m_rows;
    QString m_settings;
    QJsonObject m_states; // by page id
    QString m_pageId;     // the page shown or to be shown
    std::function<void(Page&)> m_prepare;
    bool m_begun = false;
    bool m_ready = false;
    int m_generation = 0; // increased when the pages are dropped
    std::vector<Page*> m_pages;
    std::vector<QJsonObject> m_restored; // the state of each page before the user changed it
    std::vector<Page*> m_dying;          // dropped, but not yet deleted
    std::map<const Page*, Status> m_status;

    Sidebar* m_sidebar;
    QVBoxLayout* m_column;
    int m_above = 0;
    QScrollArea* m_scroll;
    QStackedWidget* m_front; // the pages, or the widget shown instead
    QStackedWidget* m_stack; // of the pages
};

} // namespace gufo::ui
