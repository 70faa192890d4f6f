// Chooses what computes beside the processor: how many layers are on GPUs, and which other machines help.
#pragma once

#include "inference/interface/session.h"

#include <QJsonObject>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

namespace gufo::ui {

class OffloadField : public QWidget {
    Q_OBJECT

public:
    explicit OffloadField(int labelWidth, QWidget* parent = nullptr);

    [[nodiscard]] inference::Offload offload() const;
    [[nodiscard]] QSpinBox* layersField() const { return m_layers; }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void changed();

private:
    QSpinBox* m_layers; // the lowest value means all
    QLineEdit* m_machines;
};

} // namespace gufo::ui
