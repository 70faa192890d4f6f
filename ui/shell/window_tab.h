// The base class of a window's tabs that have pages: tabs of a model (model_tab.h), of a repository (repository_tab.h)
// and of a comparison (compare/compare_tab.h), but not the start page.
#pragma once

#include "ui/shell/page_host.h"

namespace gufo::ui {

class WindowTab : public QWidget {
    Q_OBJECT

public:
    [[nodiscard]] virtual QString title() const = 0;       // title of the tab and the window
    [[nodiscard]] virtual QString description() const = 0; // the tab's tooltip
    [[nodiscard]] virtual QString iconName() const = 0;
    [[nodiscard]] virtual bool hasFailed() const = 0;
    [[nodiscard]] virtual QString errorText() const = 0; // empty if opening has not failed

    // Pages are created when the tab is first shown with content. isReady() says that all exist.
    [[nodiscard]] bool isReady() const { return m_pages->isReady(); }
    [[nodiscard]] const std::vector<Page*>& pages() const { return m_pages->pages(); }
    [[nodiscard]] Page* currentPage() const { return m_pages->currentPage(); }
    void showPage(int index) { m_pages->showPage(index); }
    bool goTo(const Place& place) { return m_pages->goTo(place); }
    [[nodiscard]] QString currentPageId() const { return m_pages->currentId(); }
    void setCompactSidebar(bool compact) { m_pages->setCompactSidebar(compact); }
    void setSidebarShown(bool shown) { m_pages->setSidebarShown(shown); }

    virtual void reload() = 0;
    // Closes a tab that has already been removed from the window, over several iterations of the event loop, and then
    // deletes it.
    virtual void retire() = 0;
    virtual void checkFiles() = 0; // checks whether they changed on disk

    [[nodiscard]] virtual QJsonObject saveState() const = 0; // for the session

    [[nodiscard]] QString statusLeft() const { return m_statusLeft; }
    [[nodiscard]] QStringList statusRight() const { return m_statusRight; }

signals:
    void opened();       // reading has succeeded or failed
    void titleChanged(); // or the description
    void pagesChanged(); // pages were created, or another one is shown
    void statusChanged();
    void closeRequested();

protected:
    // The parameters are documented in PageHost.
    WindowTab(std::vector<PageHost::Row> pages, const QString& settings, const QJsonObject& state, QWidget* parent)
        : QWidget(parent)
        , m_pages(new PageHost(std::move(pages), settings, state, this)) {
        connect(m_pages, &PageHost::pagesChanged, this, &WindowTab::pagesChanged);
    }

    [[nodiscard]] PageHost& host() const { return *m_pages; }
    void setStatus(const QString& left, const QStringList& right) {
        m_statusLeft = left;
        m_statusRight = right;
        emit statusChanged();
    }

private:
    PageHost* m_pages;
    QString m_statusLeft;
    QStringList m_statusRight;
};

} // namespace gufo::ui
