// What the tabs of a window have in common, whatever they are about: one model (model_tab.h) or several compared
// (compare/compare_tab.h). The start page is none: it has no pages.
#pragma once

#include "ui/shell/page.h"

#include <vector>

namespace gufo::ui {

class WindowTab : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual QString title() const = 0;       // of the tab and the window
    [[nodiscard]] virtual QString description() const = 0; // the tab's tooltip
    [[nodiscard]] virtual QString iconName() const = 0;
    [[nodiscard]] virtual bool hasFailed() const = 0;
    [[nodiscard]] virtual QString errorText() const = 0; // what it says of its failure; empty if it has not failed

    [[nodiscard]] virtual const std::vector<Page*>& pages() const = 0;
    [[nodiscard]] virtual Page* currentPage() const = 0;
    virtual void showPage(int index) = 0;
    virtual bool goTo(const Place& place) = 0;

    virtual void reload() = 0;
    // Closes it for good, in turns of the event loop, then deletes itself. The tab is out of sight already.
    virtual void retire() = 0;
    virtual void checkFiles() = 0; // whether they changed on disk
    virtual void setCompactSidebar(bool compact) = 0;
    virtual void setSidebarShown(bool shown) = 0;

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
    void setStatus(const QString& left, const QStringList& right) {
        m_statusLeft = left;
        m_statusRight = right;
        emit statusChanged();
    }

private:
    QString m_statusLeft;
    QStringList m_statusRight;
};

} // namespace gufo::ui
