// Paints in the colours of a theme that is not the window's, for exported pictures.
#pragma once

#include "ui/theme/theme.h"

#include <optional>

namespace gufo::ui {

// While one exists, themeColor() and seriesColor() return the colours of that theme. Nothing is repainted: the window
// must not return to its event loop before.
class ThemeScope {
public:
    explicit ThemeScope(bool dark);
    ~ThemeScope();
    ThemeScope(const ThemeScope&) = delete;
    ThemeScope& operator=(const ThemeScope&) = delete;

private:
    std::optional<bool> m_before;
};

// Whether the dark theme applies: in the innermost scope, or in the window.
[[nodiscard]] bool isPaintedDark();

} // namespace gufo::ui
