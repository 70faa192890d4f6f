// The pages of a tab beside a sidebar. They are made one in each turn of the event loop, and deleted so, since the
// window must not wait for all of them; what they look like is remembered for the session and for other files.
#pragma once

#include "ui/shell/page.h"

#include <QVBoxLayout>

#include <functional>
#include <map>
#include <vector>

class QStackedWidget;

namespace gufo::ui {

class Sidebar;

class PageHost : public QWidget {
    Q_OBJECT

public:
    struct Row {
        QString id; // in settings and sessions
        std::function<Page*(QWidget* parent)> make;
    };
    struct Status { // what a page said last; empty if nothing
        QString left;
        QStringList right;
    };

    // `settings` is the prefix of the keys under which states are kept for other files; `state` is what saveState()
    // gave.
    PageHost(std::vector<Row> rows, QString settings, const QJsonObject& state, QWidget* parent);

    // Widgets across the width of the pages: above them in the order of the calls, and below.
    void addAbove(QWidget* widget) { m_column->insertWidget(m_above++, widget); }
    void addBelow(QWidget* widget) { m_column->addWidget(widget); }
    // Shows a widget in the place of the pages; null shows the pages again.
    void showInstead(QWidget* widget);

    // `prepare` gives a page what it shows, once its state is restored. Nothing happens if making them has begun.
    void makePages(std::function<void(Page&)> prepare);
    // Forgets the pages and deletes them, then emits pagesDeleted(). They can be made anew meanwhile.
    void dropPages();

    [[nodiscard]] bool isReady() const { return m_ready; } // all are there
    [[nodiscard]] const std::vector<Page*>& pages() const { return m_pages; }
    [[nodiscard]] Page* currentPage() const; // null while something stands in their place
    [[nodiscard]] QString currentId() const { return m_pageId; }
    [[nodiscard]] int rowOf(const QString& id) const; // -1 if there is no such page
    void showPage(int row);
    bool goTo(const Place& place); // on the first page that has it

    [[nodiscard]] Status status() const; // of the page in front
    void setStatus(const QString& left); // on behalf of the page in front
    void clearStatus();                  // of all pages

    void setCompactSidebar(bool compact);
    void setSidebarShown(bool shown);

    // The page in front and the state of each page.
    [[nodiscard]] QJsonObject saveState() const;
    [[nodiscard]] static QJsonObject stateOfPage(const QString& id); // of a fresh tab that shows the page
    // Keeps the states for other files. Call it while what the pages show is still there.
    void rememberStates();

signals:
    void aboutToShow();  // all pages are made; one is shown next
    void pagesChanged(); // made, or another one is shown
    void statusChanged();
    void pagesDeleted();

private:
    void makeNextPage();
    void showWantedPage();
    void pageShown(int row);
    void deleteDying();

    std::vector<Row> m_rows;
    QString m_settings;
    QJsonObject m_states; // by page id
    QString m_pageId;     // of the page shown, or to be shown
    std::function<void(Page&)> m_prepare;
    bool m_begun = false;
    bool m_ready = false;
    int m_generation = 0; // of pages that were not dropped
    std::vector<Page*> m_pages;
    std::vector<Page*> m_dying; // dropped, not yet deleted
    std::map<const Page*, Status> m_status;

    Sidebar* m_sidebar;
    QVBoxLayout* m_column;
    int m_above = 0;
    QStackedWidget* m_front; // the pages, or what is shown instead
    QStackedWidget* m_stack; // of the pages
};

} // namespace gufo::ui
