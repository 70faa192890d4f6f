// The page that runs a model: chat and plain completion with tokens shaded by probability, and the settings beside
// them. The page connects its parts: the loader and the load panel before a conversation, the shelf and the files of
// conversations, the pane with the turns, and the settings.
//
// Threads: UI thread only.
#pragma once

#include "ui/document/model_document.h"
#include "ui/pages/run/chat_pane.h"
#include "ui/pages/run/chat_settings_panel.h"
#include "ui/pages/run/conversation_finder.h"
#include "ui/pages/run/load_panel.h"
#include "ui/pages/run/read_limit.h"
#include "ui/pages/run/run_strip.h"
#include "ui/pages/run/run_tool_bar.h"
#include "ui/pages/run/token_inspector.h"
#include "ui/shell/page.h"

#include <QShortcut>

namespace gufo::ui {

class RunPage : public Page {
    Q_OBJECT

public:
    // `engines` is a permanent table with at least one row.
    explicit RunPage(QWidget* parent = nullptr, std::span<const inference::Engine> engines = inference::engines());
    ~RunPage() override;

    [[nodiscard]] QString title() const override { return tr("Run"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("chat"); }
    void setDocument(ModelDocument* document) override;
    void setModel(std::shared_ptr<const Model> model) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;

    [[nodiscard]] QWidget* filterField() const override { return m_finder->field(); }
    // Switches to a chat with a template of the model. `pictures` says that the conversation it was tried out with
    // contains images, which a chat does not support.
    void chatWith(const QString& templateName, bool pictures = false);
    // The tokens of the last answer and of everything before it, as the engine read them; empty if it does not say.
    [[nodiscard]] const std::vector<TokenId>& knownTokens() const { return m_session->known().ids; }

signals:
    void downloadRequested();                // of the model, which is on a server
    void insideRequested(std::size_t token); // what happens inside the model at one of knownTokens()

protected:
    void keyPressEvent(QKeyEvent* event) override; // text that is typed goes to the message field
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeContent(std::span<const inference::Engine> engines);
    void connectEngine();
    void connectConversations();
    void connectSettings();
    void connectSession();
    void connectKeys();

    void showState();
    void takeEngine();
    void loseEngine();
    void showReading();
    void showStrip();
    void showStatus();
    [[nodiscard]] QString statusText() const;
    void stopReading();
    void showTemplateNotice();
    void sayError(const Error& error);
    void sayTemplateProblem(const text::TemplateProblem& problem);
    void setMode(ChatMode mode);
    void send(const QString& text);
    [[nodiscard]] QString whyNotSendable() const;
    void setSettingsShown(bool shown);
    [[nodiscard]] bool hasShades() const;
    [[nodiscard]] QString modelName() const;
    [[nodiscard]] const ChatTree& tree() const { return m_session->tree(); }

    RunEngine* m_engine;
    ChatSession* m_session;
    ModelDocument* m_document = nullptr;
    std::shared_ptr<const Model> m_model;

    NoticeBar* m_deletionBar;
    NoticeBar* m_readingBar;
    LoadPanel* m_loadPanel;
    EngineLoader* m_loader;
    ReadLimit* m_readLimit;
    ConversationShelf* m_shelf;
    ConversationFiles* m_files;
    RunToolBar* m_bar;
    ConversationFinder* m_finder;
    QStackedWidget* m_content; // load panel or chat
    ChatPane* m_chat;
    RunStrip* m_strip;
    ChatSettingsPanel* m_settings;
    TokenInspector* m_inspector;
    QShortcut* m_escape;

    bool m_pictures = false; // chatWith() was given images, and nothing has been said since
    bool m_settingsWanted = true;
    bool m_narrow = false;
    bool m_activated = false;
    bool m_wasLoaded = false;
    bool m_reading = false; // a conversation is shown although the model is not loaded
};

} // namespace gufo::ui
