// What the prompt of a conversation consists of besides its messages: the system prompt, the chat template, thinking
// and tools.
//
// Threads: UI thread only.
#pragma once

#include "ui/pages/run/engine_loader.h"
#include "ui/pages/run/template_box.h"
#include "ui/run/chat_session.h"
#include "ui/widgets/growing_edit.h"

#include <QLabel>
#include <QPushButton>

namespace gufo::ui {

class PromptPanel : public QWidget {
    Q_OBJECT

public:
    // The session and the loader must outlive this object.
    PromptPanel(ChatSession* session, EngineLoader* loader, QWidget* parent = nullptr);

    void showTemplates();    // again, after the model or the engine has changed; emits templateTaken()
    void takeTemplate();     // gives the session the template that is used now; emits templateTaken()
    void showConversation(); // its system prompt and tools, after another one was opened
    void showState();        // enables what the mode and the engine support, and says why not

    [[nodiscard]] TemplateBox* templates() const { return m_templates; }
    [[nodiscard]] const TemplateBox::Choice* usedTemplate() const;
    // Says that the template that is used is not the model's; empty if it is.
    [[nodiscard]] QString templateNotice() const;
    // Why the tools cannot be used; empty if they can, or if there are none.
    [[nodiscard]] QString toolsProblem() const;

signals:
    void edited(); // the conversation has another system prompt, tools or thinking
    void templateTaken();

private:
    QWidget* makeThinkingRow();
    QWidget* makeToolsSection();
    void takeTools();
    void showTools();
    void showThinking();
    [[nodiscard]] const ChatTree& tree() const { return m_session->tree(); }

    ChatSession* m_session;
    EngineLoader* m_loader;
    QPlainTextEdit* m_system;
    TemplateBox* m_templates;
    QWidget* m_thinkingRow;
    QComboBox* m_thinking;
    ToolsEdit* m_tools;
    QLabel* m_toolsState;
    QPushButton* m_toolsExample;
    bool m_filling = false;
};

} // namespace gufo::ui
