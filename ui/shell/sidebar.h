// Lists the pages of a tab with icon, title and count. In a narrow window it shows icons only, with tooltips.
#pragma once

#include <QListWidget>

namespace gufo::ui {

class Page;

class Sidebar : public QListWidget {
    Q_OBJECT

public:
    explicit Sidebar(QWidget* parent = nullptr);
    void addPage(const Page& page);
    void updatePage(int row, const Page& page); // updates its badge
    void setCompact(bool compact);
    [[nodiscard]] bool isCompact() const { return m_compact; }

private:
    bool m_compact = false;
};

} // namespace gufo::ui
