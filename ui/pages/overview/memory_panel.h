// What running the model needs of memory, for a context and the types of the KV cache, against what the machine has.
#pragma once

#include "model/memory_estimate.h"
#include "ui/jobs/job.h"
#include "ui/pages/overview/context_scale.h"
#include "ui/pages/overview/memory_bar.h"
#include "ui/pages/overview/system_memory.h"

#include <QComboBox>
#include <QGridLayout>
#include <QJsonObject>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>

namespace gufo::ui {

class MemoryPanel : public QWidget {
    Q_OBJECT

public:
    explicit MemoryPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    void follow(std::shared_ptr<const Model> model); // it was edited: the choices stay
    // Asks the machine for its free memory again.
    void refresh();
    // For tests: what the machine is said to have.
    void setSystemMemory(std::optional<SystemMemory> memory);

    [[nodiscard]] std::uint64_t context() const;
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void estimated(); // the figures shown belong to what is set

private:
    struct Answer {
        Result<MemoryEstimate> estimate;
        std::optional<std::uint64_t> largest; // context that fits what is free
    };
    void estimateSoon();
    void start();
    void showAnswer(const Answer& answer);
    void setRange(std::uint64_t trained);
    void setContext(std::uint64_t context);

    QWidget* m_controls;
    QSpinBox* m_context;
    QSlider* m_slider;
    ContextTicks* m_ticks;
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
    QLabel* m_problem;

    std::shared_ptr<const Model> m_model;
    std::optional<SystemMemory> m_memory;
    bool m_memoryIsGiven = false;
    ContextScale m_scale;
    bool m_ranged = false;
    std::uint64_t m_trained = 0;                  // context that the range is for
    std::optional<std::uint64_t> m_wantedContext; // of a restored state
    QPointer<Job> m_job;
    bool m_again = false; // something changed while the job ran
};

} // namespace gufo::ui
