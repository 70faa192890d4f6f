// The strip of controls above a table: header colour, a line below, a horizontal layout.
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
