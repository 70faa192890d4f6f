// The machine's memory as a bar: what is in use, and what a model would need.
#pragma once

#include "inference/interface/memory_needs.h"

#include <QColor>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace gufo::ui {

// A bar of the used memory, the parts of the estimate, and the total memory.
class MemoryBar : public QWidget {
    Q_OBJECT

public:
    explicit MemoryBar(QWidget* parent = nullptr);
    struct Part {
        QColor (*color)();
        std::uint64_t bytes = 0;
    };
    // If the machine's memory is not known, only the parts are shown.
    void setParts(const inference::MachineMemory& machine, std::vector<Part> parts);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    inference::MachineMemory m_machine;
    std::vector<Part> m_parts;
};

} // namespace gufo::ui
