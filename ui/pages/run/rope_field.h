// Selects the RoPE scaling for longer contexts: the file's own, or another one.
#pragma once

#include "inference/engine/binding/shape.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonObject>
#include <QLabel>
#include <QWidget>

namespace gufo::ui {

class RopeField : public QWidget {
    Q_OBJECT

public:
    explicit RopeField(int labelWidth, QWidget* parent);

    // Sets the file's scaling. The user's choice is kept.
    void setShape(const inference::ModelShape& shape);
    // Settings that equal the file's settings are not set.
    [[nodiscard]] inference::RopeOverride rope() const;
    // The longest context that is reasonable with this scaling; 0 if it is not known.
    [[nodiscard]] std::uint64_t longestContext() const;

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void changed();

private:
    void showFields();

    QComboBox* m_scaling;
    QLabel* m_times;
    QDoubleSpinBox* m_factor;
    QDoubleSpinBox* m_base;
    inference::RopeShape m_file{};
    std::uint64_t m_trained = 0;
    bool m_hasShape = false;
    double m_wantedBase = 0; // 0: the file's
};

// "yarn × 4, base 500000"; empty if nothing is overridden.
[[nodiscard]] QString ropeText(const inference::RopeOverride& rope);

} // namespace gufo::ui
