// A plot's file names with their line styles, in up to three rows. Names that do not fit are elided.
#pragma once

#include <QStringList>
#include <QWidget>

#include <span>
#include <vector>

namespace gufo::ui {

class SeriesLegend : public QWidget {
    Q_OBJECT

public:
    explicit SeriesLegend(QWidget* parent = nullptr);
    struct Entry {
        QString label;
        int series = -1;
    };
    void setEntries(std::vector<Entry> entries);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {20, 18}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitRows();
    void paintRow(QPainter& painter, std::span<const Entry> entries, int top) const;

    int m_rows = 1;
    std::vector<Entry> m_entries;
};

} // namespace gufo::ui
