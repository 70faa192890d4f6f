// A context in tokens, chosen by a number, or by a logarithmic slider over the contexts that make sense.
#pragma once

#include "ui/widgets/context_scale.h"

#include <QSlider>
#include <QSpinBox>

#include <optional>

namespace gufo::ui {

class ContextField : public QWidget {
    Q_OBJECT

public:
    // `labelWidth`: of the words before the number; 0: as wide as they are.
    explicit ContextField(int labelWidth, QWidget* parent);

    // The longest context of the slider; 0: the file does not say. Before it is known nothing can be chosen. What was
    // chosen, or asked for by setContext(), stays as far as it fits; at first it is the usual one. Says nothing.
    void setLongest(std::uint64_t longest);
    [[nodiscard]] bool isRanged() const { return m_longest.has_value(); }
    // 0 before it is ranged.
    [[nodiscard]] std::uint64_t context() const;
    void setContext(std::uint64_t context);
    [[nodiscard]] std::uint64_t wanted() const { return m_wanted; } // to be kept for another time
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
    std::uint64_t m_wanted; // chosen, even where the scale ends before it
};

} // namespace gufo::ui
