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
    [[nodiscard]] QCheckBox* asShownBox() const { return m_asShown; }
    [[nodiscard]] QSpinBox* widthField() const { return m_width; }
    [[nodiscard]] QSpinBox* heightField() const { return m_height; }
    [[nodiscard]] QSpinBox* scaleField() const { return m_scale; }
    [[nodiscard]] QComboBox* themeField() const { return m_theme; }

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
