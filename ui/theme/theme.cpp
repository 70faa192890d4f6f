#include "ui/theme/style.h"
#include "ui/theme/system_scheme.h"
#include "ui/theme/theme_scope.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QWidget>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gufo::ui {
namespace {

struct TokenRow {
    Token token;
    QRgb light;
    QRgb dark;
};

// The colours of the design tokens in the light and the dark theme, in the order of Token.
constexpr auto kTokens = std::to_array<TokenRow>({
    {Token::Window, 0xFFF2F3F5, 0xFF1F2228},
    {Token::Header, 0xFFF5F6F8, 0xFF20232A},
    {Token::Base, 0xFFFFFFFF, 0xFF17191E},
    {Token::AlternateRow, 0xFFF8F9FA, 0xFF1B1E23},
    {Token::Text, 0xFF1A1E25, 0xFFE3E6EB},
    {Token::Muted, 0xFF5B6470, 0xFF9BA3B0},
    {Token::Faint, 0xFF66707C, 0xFF828A97},
    {Token::Line, 0xFFDCDFE4, 0xFF30343D},
    {Token::StrongLine, 0xFFBEC4CD, 0xFF474D59},
    {Token::Button, 0xFFFCFCFD, 0xFF2A2E36},
    {Token::ButtonHover, 0xFFF0F2F6, 0xFF333842},
    {Token::Accent, 0xFF3A56C5, 0xFF8FA5FF},
    {Token::OnAccent, 0xFFFFFFFF, 0xFF10131C},
    {Token::Selection, 0xFFE5EAFA, 0xFF2A3560},
    {Token::ChangedRow, 0xFFF1F4FD, 0xFF212840},
    {Token::Good, 0xFF1B7A4B, 0xFF56C98D},
    {Token::WarningText, 0xFF915600, 0xFFE6B450},
    {Token::WarningMark, 0xFFD98A00, 0xFFE6A93A},
    {Token::WarningFill, 0xFFFDF3DD, 0xFF332B1A},
    {Token::ErrorText, 0xFFB3261E, 0xFFFF8078},
    {Token::ErrorFill, 0xFFFCEBE9, 0xFF3A2223},
    {Token::UserDefinedChip, 0xFFE2F3EC, 0xFF1D3A31},
    {Token::UserDefinedChipText, 0xFF00664A, 0xFF7FD9BC},
    {Token::Unquantised, 0xFFC9CED6, 0xFF4A505B},
    {Token::PlotAxis, 0xFF8A929E, 0xFF6E7683},
    {Token::PlotGrid, 0xFFE9EBEF, 0xFF262A31},
});

constexpr bool tokensInOrder() {
    for (std::size_t i = 0; i < kTokens.size(); ++i) {
        if (static_cast<std::size_t>(kTokens[i].token) != i) {
            return false;
        }
    }
    return kTokens.size() == static_cast<std::size_t>(Token::PlotGrid) + 1;
}
static_assert(tokensInOrder(), "kTokens has one row for each Token, in order");

struct FontRow {
    TextStyle style;
    int pixels; // for a body text of 13
    QFont::Weight weight;
    bool mono;
};

// In the order of TextStyle.
constexpr auto kFonts = std::to_array<FontRow>({
    {TextStyle::Body, 13, QFont::Normal, false},
    {TextStyle::Table, 12, QFont::Normal, false},
    {TextStyle::Axis, 11, QFont::Normal, false},
    {TextStyle::FactValue, 17, QFont::Normal, false},
    {TextStyle::Section, 13, QFont::Bold, false},
    {TextStyle::PageTitle, 20, QFont::Bold, false},
    {TextStyle::StartTitle, 28, QFont::Bold, false},
    {TextStyle::Mono, 12, QFont::Normal, true},
    {TextStyle::MonoTitle, 14, QFont::Normal, true},
});

struct SystemFonts {
    QFont general;
    QFont mono;
    double scale = 1.0; // factor for all sizes
};

// Read once, before the application's font replaces the system's. A system font larger than usual is a deliberate
// choice and scales everything. A smaller one does not (Qt falls back to 9 pt where no desktop defines a font).
const SystemFonts& systemFonts() {
    static const SystemFonts fonts = [] {
        constexpr double kUsualPixels = 13.5; // 10 pt at 96 dpi, rounded up
        SystemFonts found;
        found.general = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
        found.mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        const int pixels = QFontInfo(found.general).pixelSize();
        found.scale = pixels > kUsualPixels ? std::min(pixels / 13.0, 3.0) : 1.0;
        return found;
    }();
    return fonts;
}

std::optional<bool> s_paintedDark; // of the innermost ThemeScope; UI thread only

QPalette makePalette() {
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, Token token) { palette.setColor(role, themeColor(token)); };
    set(QPalette::Window, Token::Window);
    set(QPalette::WindowText, Token::Text);
    set(QPalette::Base, Token::Base);
    set(QPalette::AlternateBase, Token::AlternateRow);
    set(QPalette::Text, Token::Text);
    set(QPalette::PlaceholderText, Token::Faint);
    set(QPalette::Button, Token::Button);
    set(QPalette::ButtonText, Token::Text);
    set(QPalette::BrightText, Token::OnAccent);
    set(QPalette::Highlight, Token::Accent);
    set(QPalette::HighlightedText, Token::OnAccent);
    set(QPalette::Link, Token::Accent);
    set(QPalette::LinkVisited, Token::Accent);
    set(QPalette::ToolTipBase, Token::Base);
    set(QPalette::ToolTipText, Token::Text);
    set(QPalette::Light, Token::Base);
    set(QPalette::Midlight, Token::Header);
    set(QPalette::Mid, Token::Line);
    set(QPalette::Dark, Token::StrongLine);
    palette.setColor(QPalette::Shadow, QColor(0, 0, 0, 90));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, themeColor(Token::Faint));
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, themeColor(Token::StrongLine));
    return palette;
}

} // namespace

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

Theme::Theme() { connect(&SystemScheme::instance(), &SystemScheme::changed, this, &Theme::update); }

void Theme::setChoice(Choice choice) {
    m_choice = choice;
    update();
}

void Theme::apply() {
    SystemScheme::instance().start();
    QFont body = themeFont(TextStyle::Body); // reads the system's fonts before they are replaced
    m_applied = true;
    QApplication::setStyle(new Style);
    QApplication::setFont(body);
    QApplication::setFont(themeFont(TextStyle::Table), "QAbstractItemView");
    QApplication::setFont(themeFont(TextStyle::Table), "QHeaderView");
    QApplication::setFont(themeFont(TextStyle::Table), "QToolTip");
    QApplication::setAttribute(Qt::AA_DontShowIconsInMenus);
    update();
}

void Theme::update() {
    m_dark = m_choice == Choice::Dark || (m_choice == Choice::System && SystemScheme::instance().isDark());
    if (!m_applied) {
        return;
    }
    QPalette palette = makePalette();
    QApplication::setPalette(palette);
    // Rows keep their text colour, because the selection colour is pale.
    palette.setColor(QPalette::Highlight, themeColor(Token::Selection));
    palette.setColor(QPalette::HighlightedText, themeColor(Token::Text));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, themeColor(Token::Selection));
    QApplication::setPalette(palette, "QAbstractItemView");
    emit changed();
    for (QWidget* widget : QApplication::allWidgets()) {
        widget->update(); // icons and custom painting look colours up while painting
    }
}

ThemeScope::ThemeScope(bool dark)
    : m_before(std::exchange(s_paintedDark, dark)) {}

ThemeScope::~ThemeScope() { s_paintedDark = m_before; }

bool isPaintedDark() { return s_paintedDark.value_or(Theme::instance().isDark()); }

QColor themeColor(Token token) {
    const TokenRow& row = kTokens[static_cast<std::size_t>(token)];
    return QColor::fromRgb(isPaintedDark() ? row.dark : row.light);
}

QFont themeFont(TextStyle style) {
    const FontRow& row = kFonts[static_cast<std::size_t>(style)];
    const SystemFonts& system = systemFonts();
    QFont font = row.mono ? system.mono : system.general;
    font.setPixelSize(qRound(row.pixels * system.scale));
    font.setWeight(row.weight);
    return font;
}

} // namespace gufo::ui

#include "moc_theme.cpp"
