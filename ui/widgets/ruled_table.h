// Ruled rows of names and figures in up to three columns.
#pragma once

#include <QList>
#include <QPair>
#include <QString>
#include <QWidget>

namespace gufo::ui {

class RuledTable : public QWidget {
    Q_OBJECT

public:
    explicit RuledTable(QWidget* parent = nullptr);
    void setRows(const QList<QPair<QString, QString>>& rows);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 24}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tooltips for elided text

private:
    [[nodiscard]] static int columnsFor(int width);
    [[nodiscard]] QRect cell(qsizetype i) const;
    QList<QPair<QString, QString>> m_rows;
};

} // namespace gufo::ui
