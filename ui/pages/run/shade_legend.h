// The legend of the shades of tokens, from likely to unlikely. It is empty where there is no room for it.
#pragma once

#include <QWidget>

namespace gufo::ui {

class ShadeLegend : public QWidget {
    Q_OBJECT

public:
    explicit ShadeLegend(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace gufo::ui
