// The memory needed to run the model with a given context and KV cache types, against the machine's memory. The figures
// come from Gufo's engine; if it does not support the model, they are an estimate and marked as such.
#pragma once

#include "inference/interface/memory_needs.h"
#include "ui/jobs/latest_job.h"
#include "ui/widgets/context_field.h"

#include <QColor>
#include <QComboBox>
#include <QGridLayout>
#include <QJsonObject>
#include <QLabel>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace gufo::ui {

// The machine's memory as a bar: the part in use, the parts of the estimate for a model, and the total.
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

class MemoryPanel : public QWidget {
    Q_OBJECT

public:
    explicit MemoryPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model); // keeps the user's choices
    // Queries the machine's free memory again.
    void refresh() { estimateSoon(); }
    // Overrides the machine's memory, for tests.
    void setMachine(const inference::MachineMemory& machine);

    [[nodiscard]] std::uint64_t context() const { return m_context->context(); }
    // The current figures; empty if there are none.
    [[nodiscard]] const std::optional<inference::MemoryForecast>& forecast() const { return m_forecast; }
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void estimated(); // the figures match the settings

private:
    struct Answer {
        Result<inference::MemoryForecast> forecast;
        inference::MachineMemory machine;
    };
    void estimateSoon();
    void start();
    void showAnswer(const Answer& answer);
    void showVerdict(const inference::MachineMemory& machine);

    QWidget* m_controls;
    ContextField* m_context;
    QComboBox* m_keys;
    QComboBox* m_values;
    MemoryBar* m_bar;
    struct Row {
        QWidget* widget;
        QLabel* detail;
        QLabel* bytes;
    };
    QList<Row> m_rows; // weights, KV cache, state, buffers
    QWidget* m_totalRow;
    QLabel* m_total;
    QWidget* m_verdictRow;
    QLabel* m_verdict;
    QLabel* m_verdictMark;
    QLabel* m_estimate; // says that the figures are an estimate
    QLabel* m_problem;

    std::shared_ptr<const Model> m_model;
    std::optional<inference::MachineMemory> m_machine; // overridden by a test
    std::optional<inference::MemoryForecast> m_forecast;
    LatestJob m_job{this};
    bool m_again = false; // something has changed while the job ran
};

} // namespace gufo::ui
