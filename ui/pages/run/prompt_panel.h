// What the prompt of a conversation consists of besides its messages: the system prompt, the chat template, thinking
// and tools.
//
// Threads: UI thread only.
#pragma once

#include "ui/pages/run/engine_loader.h"
#include "ui/pages/run/template_box.h"
#include "ui/run/chat_session.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/number_box.h"

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
    // Limits the thoughts of answers, if the template has any.
    void addTo(ChatSettings& settings) const;
    [[nodiscard]] int thoughtLimit() const { return m_limit->value(); } // in tokens; −1: none
    void restoreThoughtLimit(int tokens) { m_limit->setValue(tokens); }
    // Why the tools cannot be used; empty if they can, or if there are none.
    [[nodiscard]] QString toolsProblem() const;

signals:
    void edited(); // the conversation has another system prompt, tools or thinking
    void templateTaken();
    void limitChanged();
    void noticed(const QString& text, bool isError);

private:
    QWidget* makeThinkingRow();
    QWidget* makeToolsSection();
    QWidget* makeLimitRow();
    void findThoughts(const QString& source);
    void showLimit();
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
    CountBox* m_limit;
    QString m_source;                  // of the template that findThoughts() has looked at
    std::optional<bool> m_hasThoughts; // empty: not known yet
    LatestJob m_finding{this};
    ToolsEdit* m_tools;
    QLabel* m_toolsState;
    QPushButton* m_toolsExample;
    bool m_filling = false;
};

} // namespace gufo::ui
