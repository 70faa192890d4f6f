// The strip of facts below the title: label, figure and second line. It has eight, four or two facts per row, depending
// on the width.
#pragma once

#include "ui/pages/overview/overview_data.h"

#include <QWidget>

namespace gufo::ui {

class FactCell : public QWidget {
    Q_OBJECT

public:
    explicit FactCell(QWidget* parent);
    void setFact(const OverviewFact& fact);
    [[nodiscard]] QSize sizeHint() const override { return {148, 72}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {60, 72}; }

signals:
    void linkActivated(const QUrl& link);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    OverviewFact m_fact;
};

class FactStrip : public QWidget {
    Q_OBJECT

public:
    explicit FactStrip(QWidget* parent = nullptr);
    void setFacts(const std::vector<OverviewFact>& facts);
    [[nodiscard]] int columns() const { return m_columns; }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 73}; }

signals:
    void linkActivated(const QUrl& link);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] static int columnsFor(int width);
    void arrange();
    QList<FactCell*> m_cells;
    int m_columns = 8;
};

} // namespace gufo::ui
