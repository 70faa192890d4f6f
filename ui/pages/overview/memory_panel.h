// What running the model needs of memory, for a context and the types of the KV cache, against what the machine has: as
// Gufo's engine takes it, or where it does not run the model an estimate, which is said.
#pragma once

#include "inference/session/needs.h"
#include "ui/jobs/job.h"
#include "ui/pages/overview/memory_bar.h"
#include "ui/widgets/context_field.h"

#include <QComboBox>
#include <QGridLayout>
#include <QJsonObject>
#include <QLabel>
#include <QWidget>

namespace gufo::ui {

class MemoryPanel : public QWidget {
    Q_OBJECT

public:
    explicit MemoryPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model); // the choices stay
    // Asks the machine for its free memory again.
    void refresh() { estimateSoon(); }
    // For tests: what the machine is said to have.
    void setMachine(const inference::MachineMemory& machine);

    [[nodiscard]] std::uint64_t context() const { return m_context->context(); }
    // What is shown; nothing where there are no figures.
    [[nodiscard]] const std::optional<inference::MemoryForecast>& forecast() const { return m_forecast; }
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void estimated(); // the figures shown belong to what is set

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
    QLabel* m_estimate; // says that it is one
    QLabel* m_problem;

    std::shared_ptr<const Model> m_model;
    std::optional<inference::MachineMemory> m_machine; // given by a test
    std::optional<inference::MemoryForecast> m_forecast;
    QPointer<Job> m_job;
    bool m_again = false; // something changed while the job ran
};

} // namespace gufo::ui
