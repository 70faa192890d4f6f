// The settings beside a conversation: sampling, what the prompt consists of, and the engine.
#pragma once

#include "ui/pages/run/engine_panel.h"
#include "ui/pages/run/prompt_panel.h"
#include "ui/pages/run/sampler_panel.h"

namespace gufo::ui {

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
