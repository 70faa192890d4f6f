// Selects a context length in tokens by a number or by a logarithmic slider.
#pragma once

#include "ui/widgets/context_scale.h"

#include <QSlider>
#include <QSpinBox>

#include <optional>

namespace gufo::ui {

class ContextField : public QWidget {
    Q_OBJECT

public:
    // `labelWidth` is the width of the label before the number; 0: as wide as its text.
    explicit ContextField(int labelWidth, QWidget* parent);

    // Sets the longest context of the slider; 0 if the file does not state it. Nothing can be selected before this
    // call. A selected context, or one set by setContext(), is kept as far as it fits; the initial one is the default.
    // Emits no signal.
    void setLongest(std::uint64_t longest);
    [[nodiscard]] bool isRanged() const { return m_longest.has_value(); }
    // 0 before setLongest() is called.
    [[nodiscard]] std::uint64_t context() const;
    void setContext(std::uint64_t context);
    [[nodiscard]] std::uint64_t wanted() const { return m_wanted; } // to be stored in settings
    [[nodiscard]] QSpinBox* box() const { return m_box; }

signals:
    void changed();

private:
    void take(std::uint64_t context);

    QSpinBox* m_box;
    QSlider* m_slider;
    ContextTicks* m_ticks;
    ContextScale m_scale;
    std::optional<std::uint64_t> m_longest;
    std::uint64_t m_wanted; // as selected, even if the scale ends below it
};

} // namespace gufo::ui
