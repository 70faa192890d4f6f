// Paints in the colours of another theme than that of the window, for pictures that are exported.
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

// Whether colours are those of the dark theme: of the innermost scope, or of the window.
[[nodiscard]] bool isPaintedDark();

} // namespace gufo::ui
