// The row of tabs: closable, movable, a + button after the last, middle click closes.
#pragma once

#include <QTabBar>
#include <QWidget>

class QToolButton;

namespace gufo::ui {

class TabBar : public QTabBar {
    Q_OBJECT

public:
    explicit TabBar(QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void menuRequested(int index, const QPoint& globalPos);

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void tabInserted(int index) override;
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
