// Chooses what drafts an answer's next tokens: nothing, earlier text of the conversation, a smaller model of the same
// vocabulary, which a job loads, or the block of the model itself that predicts further tokens.
#pragma once

#include "base/error.h"
#include "inference/interface/drafter.h"
#include "inference/interface/responder.h"
#include "ui/jobs/latest_job.h"
#include "ui/widgets/elided_label.h"

#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include <filesystem>

namespace gufo::ui {

class DraftField : public QWidget {
    Q_OBJECT

public:
    explicit DraftField(QWidget* parent = nullptr);
    ~DraftField() override;

    // Sets the facts of the loaded engine; null while no model is loaded. Null makes the field drop its draft model,
    // whose session has the context length of that engine.
    void setFacts(const inference::ResponderFacts* facts);
    // Sets the engine that runs the model or would run it. Disables the choice, with the reason as tool tip, if the
    // engine cannot use drafts or no model is loaded.
    void setEngine(const inference::EngineCapabilities& engine);
    void load(const std::filesystem::path& path); // starts a job that loads a model to draft

    [[nodiscard]] const std::shared_ptr<inference::Drafter>& drafter() const { return m_drafter; } // null: none
    [[nodiscard]] bool mtpDrafts() const { return m_choice->currentIndex() == OwnBlock; } // for ResponseRequest
    [[nodiscard]] QComboBox* choice() const { return m_choice; }
    [[nodiscard]] QString state() const { return m_state->text(); }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void changed();

private:
    enum Choice { None, Lookup, OtherModel, OwnBlock };
    void showOwnBlock(); // whether the model has one
    void choose(int index);
    void askForModel();
    void take(std::shared_ptr<inference::Drafter> drafter);
    void chooseNone(const QString& reason);

    std::optional<inference::ResponderFacts> m_facts{};
    std::shared_ptr<inference::Drafter> m_drafter;
    LatestJob m_job{this};
    QComboBox* m_choice;
    QLabel* m_state; // names the model that is being loaded, or says why it cannot be used
};

} // namespace gufo::ui
