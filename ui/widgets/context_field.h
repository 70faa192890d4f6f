// Selects a context length in tokens by a number or by a logarithmic slider.
#pragma once

#include <QSlider>
#include <QSpinBox>
#include <QWidget>

#include <cstdint>
#include <optional>

namespace gufo::ui {

// Maps the positions 0 … kSteps of the logarithmic slider to contexts in tokens.
class ContextScale {
public:
    static constexpr int kSteps = 1000;

    // The scale ends at the context that the model was trained with; 0 if the file does not state it.
    explicit ContextScale(std::uint64_t trained = 0);
    [[nodiscard]] std::uint64_t minimum() const { return m_minimum; }
    [[nodiscard]] std::uint64_t maximum() const { return m_maximum; }
    // Values between the ends are rounded to three significant figures.
    [[nodiscard]] std::uint64_t contextAt(int position) const;
    [[nodiscard]] int positionOf(std::uint64_t context) const;

private:
    std::uint64_t m_maximum;
    std::uint64_t m_minimum;
};

// The numbers below the slider, at powers of two.
class ContextTicks : public QWidget {
    Q_OBJECT

public:
    explicit ContextTicks(QWidget* parent);
    void setScale(const ContextScale& scale);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ContextScale m_scale;
};

class ContextField : public QWidget {
    Q_OBJECT

public:
    // `labelWidth` is the width of the label before the number; 0: as wide as its text.
    explicit ContextField(int labelWidth, QWidget* parent);

    // Sets the longest context of the slider; 0 if the file does not state it. Nothing can be selected before this
    // call. A selected context, or one set by setContext(), is kept as far as it fits; the initial one is the default.
    // Emits no signal.
    void setLongest(std::uint64_t longest);
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
