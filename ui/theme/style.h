// The style of the application: Fusion with the shapes and sizes of the design tokens. Colours are looked up while
// painting, so a change of theme needs no new style.
#pragma once

#include <QProxyStyle>

namespace gufo::ui {

class Style final : public QProxyStyle {
    Q_OBJECT

public:
    Style();

    void polish(QWidget* widget) override;
    using QProxyStyle::polish;

    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                                  const QWidget* widget = nullptr) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                                QStyleHintReturn* returned = nullptr) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                         const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                       const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                       const QWidget* widget) const override;
    [[nodiscard]] QIcon standardIcon(StandardPixmap icon, const QStyleOption* option = nullptr,
                                     const QWidget* widget = nullptr) const override;

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
};

// Names of the dynamic properties that the style reads (theme.h).
inline constexpr const char* kPrimaryProperty = "primary";
inline constexpr const char* kSmallProperty = "small";
inline constexpr const char* kFoldProperty = "fold"; // a tool button whose chevron shows whether it is open

// Sizes in logical pixels.
inline constexpr int kControlHeight = 26;
inline constexpr int kSmallControlHeight = 22;
inline constexpr int kRowHeight = 24;
inline constexpr int kHeaderHeight = 25;
inline constexpr int kMenuBarHeight = 28;
inline constexpr int kTabHeight = 35;
inline constexpr int kScrollBarExtent = 10;
inline constexpr int kRadius = 4;
inline constexpr int kButtonIconGap = 7;

} // namespace gufo::ui
