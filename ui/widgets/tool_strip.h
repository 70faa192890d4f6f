// The strip of controls above a table: a horizontal layout on the header colour, with a line below.
#pragma once

#include <QWidget>

namespace gufo::ui {

class ToolStrip : public QWidget {
    Q_OBJECT

public:
    explicit ToolStrip(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace gufo::ui
