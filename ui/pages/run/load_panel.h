// The panel shown before a model runs: the engine, if there are several; settings for context, KV cache types, RoPE
// scaling and threads, with the memory that a run will need; and the button that loads the model. It says why a model
// cannot run.
#pragma once

#include "base/error.h"
#include "inference/engine/binding/shape.h"
#include "inference/engine_table.h"
#include "inference/interface/session.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/run/rope_field.h"
#include "ui/pages/run/server_panel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/context_field.h"

#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

#include <array>
#include <vector>

namespace gufo::ui {

// Chooses what computes beside the processor: how many layers are on GPUs, and which other machines help.
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

class LoadPanel : public QWidget {
    Q_OBJECT

public:
    // `engines` is a permanent table with at least one row.
    explicit LoadPanel(QWidget* parent = nullptr, std::span<const inference::Engine> engines = inference::engines());
    [[nodiscard]] QSize minimumSizeHint() const override;

    void setModel(std::shared_ptr<const Model> model);
    // Computes the figures, queries the free memory, and finds out which engines are available.
    void activate();
    void setLoading(bool loading);
    void setLoaded(double share); // while loading; from 0 to 1
    // Shows why loading failed, until a setting is changed.
    void showError(const Error& error);
    void showProblem(const QString& text); // the same for a text
    // Overrides the machine's memory, for tests.
    void setMachine(const inference::MachineMemory& machine);

    [[nodiscard]] const inference::Engine& engine() const;
    [[nodiscard]] inference::SessionOptions options() const;
    [[nodiscard]] const std::optional<inference::MemoryNeeds>& needs() const { return m_needs; }
    [[nodiscard]] QPushButton* loadButton() const { return m_load; }
    // Shown in its place if the model is on a server, and the engine needs a file on this computer.
    [[nodiscard]] QPushButton* downloadButton() const { return m_download; }
    // Why an engine of the list cannot be chosen; empty if it can, or if this is not known yet.
    [[nodiscard]] QString offReason(int row) const { return m_offReasons[static_cast<std::size_t>(row)]; }
    // Shown for an engine that runs elsewhere.
    [[nodiscard]] ServerPanel* serverPanel() const { return m_server; }
    [[nodiscard]] QSpinBox* contextField() const { return m_context->box(); }
    [[nodiscard]] QString verdictText() const { return m_verdict->text(); }
    [[nodiscard]] QString figureText(int row) const { return m_figures[static_cast<std::size_t>(row)].bytes->text(); }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void loadRequested();
    void cancelRequested();
    void downloadRequested();
    void engineChanged();
    void enginesListed(); // it is known which engines are available
    void estimated();     // the figures match the settings

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Figure { Weights, Cache, State, Scratch, InAll, Free, FigureCount };
    struct Answer {
        Result<inference::MemoryForecast> forecast;
        inference::MachineMemory machine;
        std::optional<inference::ModelShape> shape; // set if the model can run
        std::optional<Error> refusal;               // set if it cannot
    };
    void listEngines();
    void showEngine(int row, const Result<std::string>& version);
    void estimateSoon();
    void showSettings();
    void start();
    void showAnswer(const Answer& answer);
    void showUnknown();
    [[nodiscard]] bool mayLoad() const;
    [[nodiscard]] bool needsDownload() const;
    void refuseUntilDownloaded();
    void refuse(const QString& why);
    void say(const QString& text, Token token);

    std::span<const inference::Engine> m_engines;
    std::shared_ptr<const Model> m_model;
    QLabel* m_title;
    QLabel* m_intro;
    QWidget* m_controls;
    QWidget* m_engineRow;
    QComboBox* m_engine;               // the data is the id of the engine
    std::vector<QString> m_offReasons; // by row
    ServerPanel* m_server;
    QWidget* m_localControls; // for engines in this process
    ContextField* m_context;
    QWidget* m_cacheRow;
    QLabel* m_valuesLabel;
    QComboBox* m_keys;
    QComboBox* m_values;
    RopeField* m_rope;
    QWidget* m_threadsRow;
    QSpinBox* m_threads;
    OffloadField* m_offload;
    struct Row {
        QWidget* widget;
        QLabel* detail;
        QLabel* bytes;
    };
    QWidget* m_figureBox;
    std::array<Row, FigureCount> m_figures{};
    QLabel* m_mark;
    QLabel* m_verdict;
    QPushButton* m_load;
    QPushButton* m_download;
    bool m_loading = false;
    std::optional<inference::MachineMemory> m_machine; // overridden by a test
    std::optional<inference::MemoryNeeds> m_needs;
    LatestJob m_job{this};
    LatestJob m_listing{this};
    bool m_hasCache = true; // the model, as far as is known
    bool m_hasRope = true;
    bool m_listed = false;
    bool m_again = false;
};

} // namespace gufo::ui
