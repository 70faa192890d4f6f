// The row of tabs: closable, movable, a + button after the last, middle click closes.
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
    // A dot after the title: unsaved changes. Goes with the tab when it is moved.
    void setModified(int index, bool modified);
    [[nodiscard]] bool isModified(int index) const;

signals:
    void menuRequested(int index, const QPoint& globalPos);

protected:
    bool event(QEvent* event) override;
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void tabInserted(int index) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<const QWidget*> m_modified; // the tabs' data
};

class TabStrip : public QWidget {
    Q_OBJECT

public:
    explicit TabStrip(QWidget* parent = nullptr);
    [[nodiscard]] TabBar* tabs() const { return m_tabs; }
    [[nodiscard]] QToolButton* plusButton() const { return m_plus; }

signals:
    void newTabRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    TabBar* m_tabs;
    QToolButton* m_plus;
};

} // namespace gufo::ui
