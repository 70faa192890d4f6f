// A row of a plot's file names with their line styles. Entries that do not fit are omitted at the end.
#pragma once

#include <QStringList>
#include <QWidget>

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

private:
    std::vector<Entry> m_entries;
};

} // namespace gufo::ui
