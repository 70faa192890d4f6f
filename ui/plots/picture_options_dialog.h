// Asks how pictures are exported: their size, the resolution of PNG files, and the colours.
#pragma once

#include "ui/plots/picture_frame.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QSpinBox>

namespace gufo::ui {

class PictureOptionsDialog : public QDialog {
    Q_OBJECT

public:
    explicit PictureOptionsDialog(QWidget* parent = nullptr);
    [[nodiscard]] PictureOptions options() const;

    // Opens over the window of a widget, and keeps what the user chooses.
    static void openFor(QWidget& widget);

private:
    QCheckBox* m_asShown;
    QSpinBox* m_width;
    QSpinBox* m_height;
    QSpinBox* m_scale;
    QComboBox* m_theme;
};

} // namespace gufo::ui
