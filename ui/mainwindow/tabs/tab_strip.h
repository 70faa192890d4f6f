// The row of tabs: tabs can be closed (also by middle click), and a + button follows the last. If there are too many
// for the window, titles are elided so that their distinguishing parts remain, then the row scrolls; a button at the
// right lists all tabs.
#pragma once

#include <QTabBar>
#include <QWidget>

#include <vector>

class QToolButton;

namespace gufo::ui {

class TabBar : public QTabBar {
    Q_OBJECT

public:
    explicit TabBar(QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;
    void setTitle(int index, const QString& title);
    [[nodiscard]] QString title(int index) const;
    [[nodiscard]] QString shownTitle(int index) const; // as elided
    // Marks unsaved changes by a dot after the title. The mark moves with the tab.
    void setModified(int index, bool modified);
    [[nodiscard]] bool isModified(int index) const;
    // Qt lays out all tabs for each one that is added. While measuring is off, layouts measure no titles and give all
    // tabs the least size. Turning it on lays out the tabs again.
    void setMeasuring(bool on);

signals:
    void menuRequested(int index, const QPoint& globalPos);
    void layoutChanged();

protected:
    bool event(QEvent* event) override;
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void tabInserted(int index) override;
    void tabLayoutChange() override;
    void initStyleOption(QStyleOptionTab* option, int index) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<const QWidget*> m_modified; // the tabs' data
    bool m_measuring = true;
};

class TabStrip : public QWidget {
    Q_OBJECT

public:
    explicit TabStrip(QWidget* parent = nullptr);
    [[nodiscard]] TabBar* tabs() const { return m_tabs; }
    void showList(); // opens the menu that lists all tabs

signals:
    void newTabRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showListButton();

    TabBar* m_tabs;
    QToolButton* m_plus;
    QToolButton* m_list; // of all tabs
};

} // namespace gufo::ui
