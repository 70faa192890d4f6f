// What the tabs of a window have in common, whatever they are about: one model (model_tab.h) or several compared
// (compare/compare_tab.h). The start page is none: it has no pages.
#pragma once

#include "ui/shell/page_host.h"

namespace gufo::ui {

class WindowTab : public QWidget {
    Q_OBJECT

public:
    [[nodiscard]] virtual QString title() const = 0;       // of the tab and the window
    [[nodiscard]] virtual QString description() const = 0; // the tab's tooltip
    [[nodiscard]] virtual QString iconName() const = 0;
    [[nodiscard]] virtual bool hasFailed() const = 0;
    [[nodiscard]] virtual QString errorText() const = 0; // what it says of its failure; empty if it has not failed

    // Pages are made when the tab is first shown with something to show; ready says that all are there.
    [[nodiscard]] bool isReady() const { return m_pages->isReady(); }
    [[nodiscard]] const std::vector<Page*>& pages() const { return m_pages->pages(); }
    [[nodiscard]] Page* currentPage() const { return m_pages->currentPage(); }
    void showPage(int index) { m_pages->showPage(index); }
    bool goTo(const Place& place) { return m_pages->goTo(place); }
    void setCompactSidebar(bool compact) { m_pages->setCompactSidebar(compact); }
    void setSidebarShown(bool shown) { m_pages->setSidebarShown(shown); }

    virtual void reload() = 0;
    // Closes it for good, in turns of the event loop, then deletes itself. The tab is out of sight already.
    virtual void retire() = 0;
    virtual void checkFiles() = 0; // whether they changed on disk

    [[nodiscard]] virtual QJsonObject saveState() const = 0; // for the session

    [[nodiscard]] QString statusLeft() const { return m_statusLeft; }
    [[nodiscard]] QStringList statusRight() const { return m_statusRight; }

signals:
    void opened();       // read, or failed
    void titleChanged(); // and description
    void pagesChanged(); // made, or another one is shown
    void statusChanged();
    void closeRequested();

protected:
    // As PageHost's.
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
