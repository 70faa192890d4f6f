// What the prompt of a conversation consists of besides its messages: the system prompt, the chat template, thinking
// and tools.
//
// Threads: UI thread only.
#pragma once

#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/run/engine_loader.h"
#include "ui/run/chat_session.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/number_box.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>

#include <filesystem>
#include <vector>

namespace gufo::ui {

// The chat templates that the Run page offers: the templates of the edited model, the usual ones, the engine's own, and
// one from a file, which is kept as long as the page.
class TemplateBox : public QComboBox {
    Q_OBJECT

public:
    struct Choice {
        QString name; // as displayed
        QString source;
        QString key;            // stored in the state
        bool isModels = false;  // false for templates that are not in the file
        bool isEngines = false; // the engine applies its own
    };

    explicit TemplateBox(QWidget* parent = nullptr);

    // Keeps the choice, or selects the one that restoreKey() has named, or else the first. Templates of `edited` that
    // differ from the templates of `saved` are drafts.
    void fill(const Model& edited, const Model& saved, bool withEngines);
    // Returns false if there is no such template.
    bool choose(const QString& key);
    // Reads a template in a job, and chooses it.
    void readFile(const std::filesystem::path& path);
    // The chosen template, or in place of the model's default one its template for tools if there are any. Null if
    // there is no choice yet.
    [[nodiscard]] const Choice* used(bool withTools) const;
    [[nodiscard]] bool hasModels() const { return !m_choices.empty() && m_choices.front().isModels; }

    [[nodiscard]] QString key() const; // of the choice; empty if there is none
    void restoreKey(const QString& key) { m_wanted = key; }

signals:
    void chosen(); // another template by the user
    void noticed(const QString& text, bool isError);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addChoices(); // as entries, and the one that asks for a file
    void askForFile();
    std::vector<Choice> m_choices;
    QString m_wanted;
    int m_current = 0; // in m_choices
    LatestJob m_reading{this};
};

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
