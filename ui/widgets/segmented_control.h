// A choice of one among a few, as joined buttons: Tree | List.
#pragma once

#include <QButtonGroup>
#include <QWidget>

namespace gufo::ui {

class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    explicit SegmentedControl(const QString& accessibleName, QWidget* parent = nullptr);

    // In order, numbered from 0; the first is chosen. `iconName` of resources/icons may be empty.
    void addSegment(const QString& text, const QString& iconName = {}, const QString& toolTip = {});
    void setCurrent(int index); // says nothing through chosen()
    [[nodiscard]] int current() const { return m_group.checkedId(); }
    [[nodiscard]] QAbstractButton* segment(int index) const { return m_group.button(index); }

signals:
    void chosen(int index); // by the person

private:
    QButtonGroup m_group;
};

} // namespace gufo::ui
