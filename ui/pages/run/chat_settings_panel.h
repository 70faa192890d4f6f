// The settings beside a conversation: sampling, what the prompt consists of, and the engine.
#pragma once

#include "ui/pages/run/draft_field.h"
#include "ui/pages/run/engine_loader.h"
#include "ui/pages/run/prompt_panel.h"
#include "ui/pages/run/sampler_panel.h"
#include "ui/run/chat_session.h"

#include <QCheckBox>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gufo::ui {

// The engine in the settings of the Run page: what it is and takes, and how it answers (context shift, literal content,
// drafting).
class EnginePanel : public QWidget {
    Q_OBJECT

public:
    // The loader, and the panel whose figures are shown, must outlive this object.
    EnginePanel(EngineLoader* loader, const LoadPanel* loadPanel, QWidget* parent = nullptr);

    void showState();
    void takeEngine(); // call when one was loaded or unloaded
    void addTo(ChatSettings& settings) const;

    // The options that answers obey, where the engine has them.
    [[nodiscard]] bool shifts() const { return m_shift->isEnabled() && m_shift->isChecked(); }
    [[nodiscard]] bool couldShift() const { return m_shift->isEnabled() && !m_shift->isChecked(); }
    [[nodiscard]] QString shiftName() const { return m_shift->text(); }
    [[nodiscard]] QString literalName() const { return m_literal->text(); }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void changed();         // of the options
    void unloadRequested(); // also to load it with other settings

private:
    QLabel* addFact(const char* name, const QString& caption);
    void showServer(const RunFacts* facts);
    void showFacts(const RunFacts* facts);

    EngineLoader* m_loader;
    const LoadPanel* m_loadPanel;
    QVBoxLayout* m_layout;
    QLabel* m_state;
    QLabel* m_server; // address, kind and match
    QLabel* m_context;
    QLabel* m_kv;
    QLabel* m_memory;
    QLabel* m_threads;
    QCheckBox* m_shift;
    QCheckBox* m_literal;
    QCheckBox* m_afterSamplers;
    DraftField* m_drafts;
    QPushButton* m_change;
    QPushButton* m_unload;
};

class ChatSettingsPanel : public QWidget {
    Q_OBJECT

public:
    // The session, the loader and the load panel must outlive this object.
    ChatSettingsPanel(ChatSession* session, EngineLoader* loader, const LoadPanel* loadPanel,
                      QWidget* parent = nullptr);

    void showState();

    [[nodiscard]] SamplerPanel* sampler() const { return m_sampler; }
    [[nodiscard]] PromptPanel* prompt() const { return m_prompt; }
    [[nodiscard]] EnginePanel* engine() const { return m_engine; }

private:
    void takeSettings(); // gives them to the session

    ChatSession* m_session;
    EngineLoader* m_loader;
    SamplerPanel* m_sampler;
    PromptPanel* m_prompt;
    EnginePanel* m_engine;
};

} // namespace gufo::ui
