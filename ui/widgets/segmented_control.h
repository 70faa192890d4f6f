// Joined buttons for choosing one of a few options: Tree | List.
#pragma once

#include <QButtonGroup>
#include <QWidget>

namespace gufo::ui {

class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    explicit SegmentedControl(const QString& accessibleName, QWidget* parent = nullptr);

    // Segments are numbered from 0 in order; the first is selected. `iconName` (of resources/icons) may be empty.
    void addSegment(const QString& text, const QString& iconName = {}, const QString& toolTip = {});
    void setCurrent(int index); // does not emit chosen()
    [[nodiscard]] int current() const { return m_group.checkedId(); }
    [[nodiscard]] QAbstractButton* segment(int index) const { return m_group.button(index); }

signals:
    void chosen(int index); // by the user

private:
    QButtonGroup m_group;
};

} // namespace gufo::ui
