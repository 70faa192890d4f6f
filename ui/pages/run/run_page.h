// The page that runs a model: chat and plain completion with tokens shaded by probability, and the sampler settings
// beside them.
#pragma once

#include "base/error.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/pages/run/composer.h"
#include "ui/pages/run/draft_field.h"
#include "ui/pages/run/load_panel.h"
#include "ui/pages/run/run_strip.h"
#include "ui/pages/run/sampler_panel.h"
#include "ui/pages/run/token_card.h"
#include "ui/pages/run/transcript.h"
#include "ui/run/conversation_export.h"
#include "ui/run/conversation_store.h"
#include "ui/run/local_server.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/page.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tools_edit.h"

#include <QShortcut>
#include <QStackedWidget>

#include <array>
#include <functional>

class QMenu;

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

    [[nodiscard]] RunEngine* engine() const { return m_engine; }
    [[nodiscard]] ChatSession* session() const { return m_session; }
    [[nodiscard]] LoadPanel* loadPanel() const { return m_loadPanel; }
    [[nodiscard]] Transcript* transcript() const { return m_transcript; }
    [[nodiscard]] Composer* composer() const { return m_composer; }
    [[nodiscard]] SamplerPanel* samplerPanel() const { return m_sampler; }
    [[nodiscard]] TokenCard* tokenCard() const { return m_card; }
    [[nodiscard]] RunStrip* strip() const { return m_strip; }
    [[nodiscard]] SegmentedControl* modeControl() const { return m_mode; }
    [[nodiscard]] QComboBox* conversationCombo() const { return m_conversations; }
    [[nodiscard]] QPushButton* newButton() const { return m_new; }
    [[nodiscard]] QCheckBox* shadeBox() const { return m_shade; }
    [[nodiscard]] QComboBox* templateCombo() const { return m_templates; }
    [[nodiscard]] QComboBox* thinkingCombo() const { return m_thinking; }
    [[nodiscard]] QPlainTextEdit* systemField() const { return m_system; }
    [[nodiscard]] ToolsEdit* toolsField() const { return m_tools; }
    [[nodiscard]] SegmentedControl* sendAsControl() const { return m_sendAs; }
    [[nodiscard]] QCheckBox* shiftBox() const { return m_shift; }
    [[nodiscard]] QCheckBox* afterSamplersBox() const { return m_afterSamplers; }
    [[nodiscard]] QCheckBox* literalBox() const { return m_literal; }
    [[nodiscard]] LocalServer* localServer() const { return m_localServer; }
    [[nodiscard]] QString serverText() const { return m_serverState->isHidden() ? QString() : m_serverState->text(); }
    [[nodiscard]] DraftField* draftField() const { return m_drafts; }
    [[nodiscard]] QPushButton* unloadButton() const { return m_unload; }
    // Offers to undo the last deletion, until it is dismissed; earlier ones follow.
    [[nodiscard]] NoticeBar* deletionBar() const { return m_deletionBar; }
    [[nodiscard]] NoticeBar* readingBar() const { return m_readingBar; }
    [[nodiscard]] QString engineStateText() const { return m_engineState->text(); }
    [[nodiscard]] QString noticeText() const { return m_notice->isHidden() ? QString() : m_notice->text(); }

    void load();
    // Switches to a chat with a template of the model. `pictures` says that the conversation it was tried out with
    // contains images, which a chat does not support.
    void chatWith(const QString& templateName, bool pictures = false);
    void newConversation();
    void openConversation(const QString& id);
    void deleteConversation();
    void keepPrompts(bool keeps);
    // Emits exported() at the end.
    void exportTo(const QString& path, bool asJson);
    void importFrom(const QString& path); // shows it as a new conversation

signals:
    void conversationsListed();
    void conversationOpened();
    void stored();            // the conversation was saved
    void downloadRequested(); // of the model, which is on a server
    void exported();          // after success or failure; a notice shows the reason of a failure

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct TemplateChoice {
        QString name; // as displayed
        QString source;
        QString key;            // stored in the state
        bool isModels;          // false for built-in ones
        bool isEngines = false; // the engine applies its own
    };

    // Defined in run_page_parts.cpp.
    QWidget* makeToolBar();
    QWidget* makeChat();
    QWidget* makeSide();
    QWidget* makeToolsSection(QWidget* parent);
    QWidget* makeEngineSection(QWidget* parent);
    void connectLoading();
    void connectToolBar();
    QMenu* makeMoreMenu();
    void connectInput();
    void connectSettings();
    void connectSession();
    void connectCard();
    void connectServer();

    // Of the loaded engine, or of the one that would be loaded.
    [[nodiscard]] const inference::EngineCapabilities& capabilities() const;
    [[nodiscard]] bool offers(inference::Feature feature) const { return inference::offers(capabilities(), feature); }

    void showState();
    void stopReading();
    void showFeatures();
    void showEmptyState();
    void showEngine();
    void showServer();
    void loadFrom(const inference::ServerAccess& access);
    void showStatus();
    void say(const QString& text, bool isError);
    void sayError(const Error& error);
    void sayTemplateProblem(const text::TemplateProblem& problem);
    void send(const QString& text);
    void turnEnded(int id);
    void measurePeak();
    void setSideShown(bool shown);
    void fitToolBar();
    void showCard(TurnView* view, AnswerView* text, int token);
    void hideCardMark();
    void followLink(const QString& target);

    // Defined in run_page_templates.cpp, like chatWith().
    void showTemplates();
    [[nodiscard]] const TemplateChoice* usedTemplate(bool tools = false) const;
    void takeTemplate();
    void showTools();
    void showThinking();

    // Defined in run_page_files.cpp.
    void listConversations();
    void fillConversations();
    void showConversation(const QString& id, ChatTree tree);
    void keepSoon();
    void keep();
    void writeFile(std::function<Result<>()> write, std::function<QString(const Error&)> problem);
    void renameConversation();
    void offerUndo(const ChatTree& before, bool whole);
    void showDeletion();
    void undoDeletion();
    void forgetDeletedTurns();
    void askWhereToExport(bool asJson);
    void askWhatToImport();
    void copyTurn(int id);
    [[nodiscard]] ExportNames exportNames() const;

    [[nodiscard]] QString modelName() const;
    [[nodiscard]] std::filesystem::path folder() const;
    [[nodiscard]] const ChatTree& tree() const { return m_session->tree(); }

    RunEngine* m_engine;
    ChatSession* m_session;
    LocalServer* m_localServer;
    ModelDocument* m_document = nullptr;
    std::shared_ptr<const Model> m_model;

    SegmentedControl* m_mode;
    QComboBox* m_conversations;
    QPushButton* m_new;
    QToolButton* m_more;
    QCheckBox* m_shade;
    std::array<QWidget*, 2> m_shadeParts{}; // the separator and the legend beside m_shade
    QToolButton* m_copy;
    QToolButton* m_export;
    QToolButton* m_sideButton;
    NoticeBar* m_deletionBar;
    NoticeBar* m_readingBar;
    QStackedWidget* m_content; // load panel or chat
    LoadPanel* m_loadPanel;
    QStackedWidget* m_turns; // empty state or transcript
    EmptyState* m_empty;
    Transcript* m_transcript;
    QLabel* m_notice;
    QWidget* m_noticeRow;
    Composer* m_composer;
    RunStrip* m_strip;
    QWidget* m_side;
    SamplerPanel* m_sampler;
    QComboBox* m_templates;
    QWidget* m_thinkingRow;
    QComboBox* m_thinking;
    QPlainTextEdit* m_system;
    ToolsEdit* m_tools;
    QLabel* m_toolsState;
    QPushButton* m_toolsExample;
    SegmentedControl* m_sendAs; // shown while the model waits for a tool's result
    QLabel* m_engineState;
    QLabel* m_context;
    QLabel* m_kv;
    QLabel* m_memory;
    QLabel* m_threads;
    QLabel* m_serverState; // address, kind and match
    QCheckBox* m_shift;
    QCheckBox* m_afterSamplers;
    QCheckBox* m_literal;
    DraftField* m_drafts;
    QPushButton* m_change;
    QPushButton* m_unload;
    TokenCard* m_card;
    QShortcut* m_escape;
    QPointer<TurnView> m_cardTurn;
    QPointer<AnswerView> m_cardText;
    int m_cardToken = -1;

    std::vector<TemplateChoice> m_choices;
    QString m_wantedTemplate; // its key
    bool m_noticeIsError = false;
    bool m_pictures = false; // chatWith() was given images, and nothing has been said since
    bool m_filling = false;
    bool m_sideWanted = true;
    bool m_narrow = false;
    bool m_measuring = false;
    // What limits the speed of reading: the memory, unless the caches hold what a token reads.
    struct ReadLimit {
        double peak = 0; // bytes per second
        bool cached = false;
    };
    std::optional<ReadLimit> m_readLimit; // empty: not measured
    bool m_activated = false;
    bool m_wasLoaded = false;
    bool m_reading = false; // a conversation is shown although the model is not loaded

    QAction* m_keepPrompts = nullptr;
    QString m_id; // id of the conversation; it has a file once something has been said
    std::vector<StoredConversation> m_stored;
    // A conversation as it was before it, or some of its turns, were deleted.
    struct Deletion {
        QString id;
        ChatTree before;
        bool whole = false; // the whole conversation was deleted
    };
    std::vector<Deletion> m_deletions;
    QString m_wantedConversation;
    QTimer m_keepSoon;
    QTimer m_loadProgress; // shows it while a model is being loaded
    QPointer<Job> m_opening;
};

} // namespace gufo::ui
