// How positions are scaled to a longer context: as the file says, or otherwise.
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

    // What the file says. What was chosen stays.
    void setShape(const inference::ModelShape& shape);
    // Nothing is set that is as in the file.
    [[nodiscard]] inference::RopeOverride rope() const;
    // The longest context that makes sense with it; 0: not known.
    [[nodiscard]] std::uint64_t longestContext() const;
    [[nodiscard]] QComboBox* scalingCombo() const { return m_scaling; }
    [[nodiscard]] QDoubleSpinBox* factorField() const { return m_factor; }
    [[nodiscard]] QDoubleSpinBox* baseField() const { return m_base; }

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

// "yarn × 4, base 500000": empty where nothing is overridden.
[[nodiscard]] QString ropeText(const inference::RopeOverride& rope);

} // namespace gufo::ui
