// The memory of the machine as a bar: what is in use, and what a model would need of the rest.
#pragma once

#include "ui/pages/overview/system_memory.h"

#include <QColor>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace gufo::ui {

// A bar of used memory, the parts of the estimate after it, and the machine's memory as a whole.
class MemoryBar : public QWidget {
    Q_OBJECT

public:
    explicit MemoryBar(QWidget* parent = nullptr);
    struct Part {
        QColor (*color)();
        std::uint64_t bytes = 0;
    };
    void setParts(const std::optional<SystemMemory>& memory, std::vector<Part> parts);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<SystemMemory> m_memory;
    std::vector<Part> m_parts;
};

} // namespace gufo::ui
