// Before a model runs: what the run will need of memory, for a context, types of the KV cache, a scaling of positions
// and a number of threads that can be chosen, and the button that loads it. Says why a model cannot run.
#pragma once

#include "base/error.h"
#include "inference/engine/binding/shape.h"
#include "inference/session/needs.h"
#include "ui/jobs/job.h"
#include "ui/pages/run/rope_field.h"
#include "ui/theme/theme.h"
#include "ui/widgets/context_field.h"

#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

#include <array>

namespace gufo::ui {

class LoadPanel : public QWidget {
    Q_OBJECT

public:
    explicit LoadPanel(QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const Model> model);
    void activate(); // asks for the figures, and the machine for its free memory
    void setLoading(bool loading);
    // Why it was not loaded; stays until something is changed.
    void showError(const Error& error);
    // For tests: what the machine is said to have.
    void setMachine(const inference::MachineMemory& machine);

    [[nodiscard]] inference::SessionOptions options() const;
    [[nodiscard]] const std::optional<inference::MemoryNeeds>& needs() const { return m_needs; }
    [[nodiscard]] QPushButton* loadButton() const { return m_load; }
    [[nodiscard]] QSpinBox* contextField() const { return m_context->box(); }
    [[nodiscard]] QComboBox* keysCombo() const { return m_keys; }
    [[nodiscard]] QComboBox* valuesCombo() const { return m_values; }
    [[nodiscard]] RopeField* ropeField() const { return m_rope; }
    [[nodiscard]] QSpinBox* threadsField() const { return m_threads; }
    [[nodiscard]] QString verdictText() const { return m_verdict->text(); }
    [[nodiscard]] QString figureText(int row) const { return m_figures[static_cast<std::size_t>(row)].bytes->text(); }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void loadRequested();
    void cancelRequested();
    void estimated(); // the figures shown belong to what is set

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Figure { Weights, Cache, State, Scratch, InAll, Free, FigureCount };
    struct Answer {
        Result<inference::MemoryForecast> forecast;
        inference::MachineMemory machine;
        std::optional<inference::ModelShape> shape; // where it can run
        std::optional<Error> refusal;               // where it cannot
    };
    void estimateSoon();
    void start();
    void showAnswer(const Answer& answer);
    void refuse(const QString& why);
    void say(const QString& text, Token token);

    std::shared_ptr<const Model> m_model;
    QLabel* m_title;
    QLabel* m_intro;
    QWidget* m_controls;
    ContextField* m_context;
    QWidget* m_cacheRow;
    QLabel* m_valuesLabel;
    QComboBox* m_keys;
    QComboBox* m_values;
    RopeField* m_rope;
    QSpinBox* m_threads;
    struct Row {
        QWidget* widget;
        QLabel* detail;
        QLabel* bytes;
    };
    std::array<Row, FigureCount> m_figures{};
    QLabel* m_mark;
    QLabel* m_verdict;
    QPushButton* m_load;
    bool m_loading = false;
    bool m_failed = false;                             // loading did, with what is set now
    std::optional<inference::MachineMemory> m_machine; // given by a test
    std::optional<inference::MemoryNeeds> m_needs;
    QPointer<Job> m_job;
    bool m_again = false;
};

} // namespace gufo::ui
