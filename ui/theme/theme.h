// Colours, fonts and sizes of the application: one table of tokens, light and dark (theme.cpp), applied as a QPalette
// and a proxy style over Fusion. The theme follows the system unless the user has chosen one.
//
// The style reads these dynamic properties of widgets:
//  QPushButton "primary" (bool): filled with the accent colour; at most one per page
//  buttons, fields and combos "small" (bool): 22 px high instead of 26
//  buttons "fold" (bool): have a chevron that shows whether they are checked
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

// Sizes in logical pixels for a body text of 13: Table 12, Axis 11, FactValue 17, Section 13 bold, PageTitle 20 bold,
// StartTitle 28 bold, Mono 12, MonoTitle 14. A larger system font scales all of them.
enum class TextStyle { Body, Table, Axis, FactValue, Section, PageTitle, StartTitle, Mono, MonoTitle };

class Theme : public QObject {
    Q_OBJECT

public:
    enum class Choice { System, Light, Dark };

    static Theme& instance();
    void setChoice(Choice choice); // kept in QSettings by the main window
    [[nodiscard]] Choice choice() const { return m_choice; }
    [[nodiscard]] bool isDark() const { return m_dark; }

    // Sets the style, palette and fonts of the application. Call once after creating QApplication.
    void apply();

signals:
    void changed(); // colours have changed, so plots and icons must be redrawn

private:
    Theme();
    void update();

    Choice m_choice = Choice::System;
    bool m_applied = false;
    bool m_dark = false;
};

[[nodiscard]] QColor themeColor(Token token);
[[nodiscard]] QColor seriesColor(int index); // colour of a file in comparisons and plots
[[nodiscard]] QFont themeFont(TextStyle style);

// An icon of resources/icons by name ("file", "chevron-down"), drawn at any resolution in the current theme's colour of
// `token`, or of Token::Faint if disabled. It follows changes of theme. Unknown names give a null icon.
[[nodiscard]] QIcon themeIcon(const QString& name, Token token = Token::Text);

// Colour maps: viridis and cividis. t is from 0 to 1.
enum class ColorMap { Viridis, Cividis };
[[nodiscard]] QColor colorMapAt(ColorMap map, double t);
// Bits per weight on the fixed scale 2–8.5. Unquantised types have greys by their width.
[[nodiscard]] QColor bitsPerWeightColor(double bits);
[[nodiscard]] QColor tensorTypeColor(std::uint32_t typeId);

} // namespace gufo::ui
