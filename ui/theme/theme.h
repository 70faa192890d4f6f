// Colours, fonts and sizes of the window: one table of tokens, light and dark (theme.cpp), applied as QPalette over
// Fusion with one proxy style. The theme follows the system unless the person has chosen.
//
// What the style reads from a widget's dynamic properties:
//   QPushButton "primary" (bool): filled with the accent colour; one per page at most
//   buttons, fields and combos "small" (bool): 22 px high instead of 26
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QString>

namespace gufo::ui {

// The roles of the design tokens.
enum class Token {
    Window,
    Header,
    Base,
    AlternateRow,
    Text,
    Muted,
    Faint,
    Line,
    StrongLine,
    Button,
    ButtonHover,
    Accent,
    OnAccent,
    Selection,
    ChangedRow,
    Good,
    WarningText,
    WarningMark,
    WarningFill,
    ErrorText,
    ErrorFill,
    UserDefinedChip,
    UserDefinedChipText,
    Unquantised,
    PlotAxis,
    PlotGrid,
};

// Sizes in logical pixels, for a body text of 13: Table 12, Axis 11, FactValue 17, Section 13 bold, PageTitle 20 bold,
// StartTitle 28 bold, Mono 12, MonoTitle 14. A larger system font enlarges all of them alike.
enum class TextStyle { Body, Table, Axis, FactValue, Section, PageTitle, StartTitle, Mono, MonoTitle };

class Theme : public QObject {
    Q_OBJECT

public:
    enum class Choice { System, Light, Dark };

    static Theme& instance();
    void setChoice(Choice choice); // kept in QSettings by the main window
    [[nodiscard]] Choice choice() const { return m_choice; }
    [[nodiscard]] bool isDark() const { return m_dark; }

    // Sets style, palette and fonts of the application; call once after QApplication is made.
    void apply();

signals:
    void changed(); // colours have changed: plots and icons redraw

private:
    Theme();
    void update();

    Choice m_choice = Choice::System;
    bool m_applied = false;
    bool m_dark = false;
};

[[nodiscard]] QColor themeColor(Token token);
[[nodiscard]] QColor seriesColor(int index); // of files in comparisons and plots
[[nodiscard]] QFont themeFont(TextStyle style);

// An icon of resources/icons by name ("file", "chevron-down"), drawn in the current theme's colour of `token` at any
// resolution; disabled in Token::Faint. Follows a change of theme by itself. Unknown names give a null icon.
[[nodiscard]] QIcon themeIcon(const QString& name, Token token = Token::Text);

// Colour maps: viridis, cividis. t from 0 to 1.
enum class ColorMap { Viridis, Cividis };
[[nodiscard]] QColor colorMapAt(ColorMap map, double t);
// Bits per weight on the fixed scale 2–8.5; unquantised types have a colour of their own.
[[nodiscard]] QColor bitsPerWeightColor(double bits);
[[nodiscard]] QColor tensorTypeColor(std::uint32_t typeId);

} // namespace gufo::ui
