// The logarithmic slider of context lengths: converts between positions and contexts, and draws the numbers below it.
#pragma once

#include <QWidget>

#include <cstdint>

namespace gufo::ui {

// Maps positions 0 … kSteps to contexts in tokens.
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

} // namespace gufo::ui
