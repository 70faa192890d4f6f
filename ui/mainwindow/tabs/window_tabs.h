// The tabs of a window: a strip with their titles, and below it the current one. Each is a WindowTab or a StartPage.
#pragma once

#include "hub/model_place.h"
#include "ui/mainwindow/tabs/tab_strip.h"

#include <QJsonObject>
#include <QPointer>
#include <QStackedWidget>

#include <vector>

namespace gufo::ui {

class ModelTab;
class WindowTab;

class WindowTabs : public QWidget {
    Q_OBJECT

public:
    explicit WindowTabs(QWidget* parent);
    ~WindowTabs() override;

    [[nodiscard]] int count() const { return bar()->count(); }
    [[nodiscard]] QWidget* at(int index) const { return bar()->tabData(index).value<QWidget*>(); }
    [[nodiscard]] QWidget* current() const { return at(bar()->currentIndex()); }
    [[nodiscard]] int indexOf(const QWidget* tab) const; // −1: not in this window
    [[nodiscard]] std::vector<WindowTab*> windowTabs() const;
    [[nodiscard]] std::vector<ModelTab*> modelTabs() const;
    [[nodiscard]] ModelTab* find(const hub::ModelPlace& place) const; // null: not open here

    void add(QWidget* tab, const QString& iconName, const QString& title, const QString& toolTip);
    // While it exists, the row of tabs is not laid out, which for each tab would take as long as there are tabs. When
    // it is destroyed, the tab that was added or shown last becomes the current one.
    class Adding {
    public:
        explicit Adding(WindowTabs* tabs);
        ~Adding();
        Q_DISABLE_COPY_MOVE(Adding)

    private:
        WindowTabs* m_tabs;
    };
    // Shows the titles of the tabs again, with what tells equal ones apart.
    void updateTitles();
    // As shown; empty if the tab is not in this window.
    [[nodiscard]] QString titleOf(const QWidget* tab) const;
    void show(const QWidget* tab);
    void step(int by); // to the next, or the previous if negative
    void showList() { m_strip->showList(); }
    // Shows the widget of the current tab. Returns null if there is none.
    QWidget* showCurrent();
    // Asks at most once for all tabs if there are unsaved changes.
    void close(const std::vector<QWidget*>& tabs);
    void closeNow(QWidget* tab);
    [[nodiscard]] bool canReopen() const { return !m_closed.empty(); }
    [[nodiscard]] QJsonObject takeClosed(); // the state of the tab that was closed last; at least one was
    [[nodiscard]] QJsonObject save() const;

    [[nodiscard]] TabBar* bar() const { return m_strip->tabs(); }
    [[nodiscard]] QStackedWidget* content() const { return m_stack; } // the parent of the tabs

signals:
    void currentChanged();
    void closed();
    void moved();
    void newTabRequested();

private:
    void showMenu(int index, const QPoint& at);

    TabStrip* m_strip;
    QStackedWidget* m_stack;
    bool m_isAdding = false;
    QPointer<const QWidget> m_toShow;  // after adding
    std::vector<QJsonObject> m_closed; // states of closed tabs, the most recent last
};

} // namespace gufo::ui
