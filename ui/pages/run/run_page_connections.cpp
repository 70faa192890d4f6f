// What the parts of the Run page do, and what they show of the engine and the session.
#include "inference/prefixes/prefix_store.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/run/run_page.h"

#include <QMenu>
#include <QShortcut>

namespace gufo::ui {
namespace {

constexpr std::size_t kCandidates = 8;
constexpr int kProgressMilliseconds = 100;

} // namespace

void RunPage::connectLoading() {
    connect(m_loadPanel, &LoadPanel::loadRequested, this, &RunPage::load);
    connect(m_loadPanel, &LoadPanel::cancelRequested, this, [this] {
        m_localServer->stop();
        m_engine->unload();
    });
    connect(m_loadPanel, &LoadPanel::downloadRequested, this, &RunPage::downloadRequested);
    connect(m_loadPanel, &LoadPanel::engineChanged, this, &RunPage::showState);
    connect(m_engine, &RunEngine::stateChanged, this, &RunPage::showState);
    connect(m_engine, &RunEngine::loadFailed, m_loadPanel, &LoadPanel::showError);
    m_loadProgress.setInterval(kProgressMilliseconds);
    connect(&m_loadProgress, &QTimer::timeout, this, [this] {
        if (const auto share = m_engine->loadedShare()) {
            m_loadPanel->setLoaded(*share);
        }
    });
    connect(m_change, &QPushButton::clicked, m_engine, &RunEngine::unload);
    connect(m_unload, &QPushButton::clicked, m_engine, &RunEngine::unload);
}

void RunPage::connectToolBar() {
    connect(m_new, &QPushButton::clicked, this, [this] {
        newConversation();
        m_composer->field()->setFocus();
    });
    m_more->setMenu(makeMoreMenu());
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* exports = new QMenu(m_export);
    exports->addAction(tr("Markdown…"), this, [this] { askWhereToExport(false); });
    exports->addAction(tr("JSON with tokens…"), this, [this] { askWhereToExport(true); });
    m_export->setMenu(exports);
    m_export->setPopupMode(QToolButton::InstantPopup);
    connect(m_conversations, &QComboBox::activated, this,
            [this](int index) { openConversation(m_conversations->itemData(index).toString()); });
    connect(m_mode, &SegmentedControl::chosen, this, [this](int mode) {
        m_session->setMode(mode == 0 ? ChatMode::Chat : ChatMode::Completion);
        m_noticeIsError = false;
        takeTemplate();
        m_transcript->refresh();
        keepSoon();
        showState();
    });
    connect(m_shade, &QCheckBox::toggled, this, [this](bool on) {
        m_card->dismiss();
        m_transcript->setShaded(on && offers(inference::Feature::Probabilities));
    });
    connect(m_sideButton, &QToolButton::toggled, this, [this](bool on) {
        m_sideWanted = on;
        m_side->setVisible(on);
        fitToolBar();
    });
    connect(
        new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Comma), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
        &QShortcut::activated, m_sideButton, &QToolButton::toggle);
}

QMenu* RunPage::makeMoreMenu() {
    auto* more = new QMenu(m_more);
    more->addAction(tr("Rename…"), this, &RunPage::renameConversation);
    more->addAction(tr("Delete"), this, &RunPage::deleteConversation);
    more->addSeparator();
    more->addAction(tr("Import…"), this, &RunPage::askWhatToImport);
    more->addSeparator();
    m_keepPrompts = more->addAction(tr("Cache evaluated prompts on disk"), this, &RunPage::keepPrompts);
    m_keepPrompts->setCheckable(true);
    m_keepPrompts->setToolTip(
        tr("What the engine has computed from conversations is then kept in your cache folder, up "
           "to 4 GiB, so that it need not read them again when a model is loaded later. It is "
           "deleted with its conversation, or when this is switched off."));
    more->setToolTipsVisible(true);
    // Adds the window's action to the menu where users look for it.
    connect(more, &QMenu::aboutToShow, this, [this, more] {
        // The choice is that of all windows.
        m_keepPrompts->setChecked(!inference::PrefixStore::shared()->folder().empty());
        for (QAction* action : window()->actions()) {
            if (action->objectName() == QStringLiteral("sideBySide") && !more->actions().contains(action)) {
                more->addSeparator();
                more->addAction(action);
            }
        }
    });
    return more;
}

void RunPage::connectInput() {
    // Enabled only while an answer can be stopped, because Escape also cancels an edit.
    m_escape = new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(m_escape, &QShortcut::activated, m_session, &ChatSession::stop);
    connect(m_copy, &QToolButton::clicked, this, [this] { copyTurn(-1); });
    connect(m_transcript, &Transcript::copyRequested, this, &RunPage::copyTurn);
    connect(m_transcript, &Transcript::linkActivated, this, &RunPage::followLink);
    connect(m_composer, &Composer::sent, this, &RunPage::send);
    connect(m_composer, &Composer::stopRequested, m_session, &ChatSession::stop);
    connect(m_composer, &Composer::picturePasted, this,
            [this] { say(tr("This engine supports text only: pictures cannot be sent."), false); });
    connect(m_composer, &Composer::editLastRequested, m_transcript, &Transcript::editLast);
    connect(m_templates, &QComboBox::activated, this, &RunPage::takeTemplate);
    connect(m_thinking, &QComboBox::activated, this, [this] {
        const QVariant wanted = m_thinking->currentData();
        m_session->setThinking(wanted.isValid() ? std::optional(wanted.toBool()) : std::nullopt);
        keepSoon();
    });
    connect(m_system, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_filling) {
            m_session->setSystem(m_system->document()->toPlainText());
            keepSoon();
        }
    });
}

void RunPage::connectSettings() {
    const auto takeSettings = [this] {
        ChatSettings settings = m_sampler->settings();
        settings.generation.candidates = kCandidates;
        settings.generation.shift = m_shift->isChecked() && m_shift->isEnabled();
        settings.afterSamplers = m_afterSamplers->isChecked();
        settings.literalContent = m_literal->isChecked();
        settings.drafter = m_drafts->drafter();
        settings.mtpDrafts = m_drafts->mtpDrafts();
        m_session->setSettings(settings);
        showStatus();
    };
    connect(m_sampler, &SamplerPanel::changed, this, takeSettings);
    connect(m_shift, &QCheckBox::toggled, this, takeSettings);
    connect(m_afterSamplers, &QCheckBox::toggled, this, takeSettings);
    connect(m_literal, &QCheckBox::toggled, this, takeSettings);
    connect(m_drafts, &DraftField::changed, this, takeSettings);
}

void RunPage::connectSession() {
    connect(m_session, &ChatSession::specialsTyped, this, [this](const std::vector<std::string>& texts) {
        say(tr("The model has read %1 in your text as control tokens. \"%2\" keeps them as text.")
                .arg(typedSpecialsText(texts), m_literal->text()),
            false);
    });
    connect(m_session, &ChatSession::busyChanged, this, [this] {
        if (m_session->isBusy()) {
            forgetDeletedTurns();
            m_strip->beginAnswer();
            say({}, false);
            takeTemplate(); // shows its notice, if there is one
        }
        showState();
    });
    connect(m_session, &ChatSession::pathChanged, this, [this] {
        keepSoon();
        showState();
    });
    connect(m_session, &ChatSession::removed, this, [this](const ChatTree& before) { offerUndo(before, false); });
    connect(m_deletionBar, &NoticeBar::dismissed, this, [this] { m_deletions.clear(); });
    connect(m_session, &ChatSession::turnGrown, this, [this] {
        m_strip->setFigures(m_session->figures());
        showStatus();
    });
    connect(m_session, &ChatSession::promptProgressed, this, [this](quint64 done, quint64 total) {
        emit statusChanged(tr("Reading the prompt: %1 of %n tokens", nullptr, numerus(total)).arg(formatCount(done)),
                           {});
    });
    connect(m_session, &ChatSession::turnEnded, this, &RunPage::turnEnded);
    connect(m_session, &ChatSession::failed, this, &RunPage::sayError);
    connect(m_session, &ChatSession::statesRefused, this, [this](const std::vector<Error>& states) {
        say(tr("%n kept prompts could not be used, because their files are damaged or belong to another model.",
               nullptr, numerus(states.size())),
            false);
    });
    connect(m_session, &ChatSession::templateFailed, this, &RunPage::sayTemplateProblem);
    connect(&m_keepSoon, &QTimer::timeout, this, &RunPage::keep);
}

void RunPage::connectServer() {
    connect(m_localServer, &LocalServer::logged, m_loadPanel->serverPanel(), &ServerPanel::showLine);
    connect(m_localServer, &LocalServer::stateChanged, this, &RunPage::showState);
    connect(m_localServer, &LocalServer::ready, this, [this] { loadFrom(m_localServer->access()); });
    connect(m_localServer, &LocalServer::failed, this, [this](const QString& what) {
        m_reading = m_reading || m_engine->isLoaded(); // the conversation stays visible
        m_engine->unload();
        const QString lines = m_localServer->lastLines();
        const QString text = lines.isEmpty() ? what + u'.' : tr("%1. Its last lines:").arg(what) + u'\n' + lines;
        m_loadPanel->showProblem(text);
        say(text, true);
    });
    connect(m_engine, &RunEngine::died, this, [this] { m_reading = true; }); // the conversation stays visible
    connect(m_engine, &RunEngine::ended, this, [this](const Error& error) {
        say(tr("The engine has ended: %1.").arg(errorReason(error)), true);
        if (!m_reading) { // without a conversation, only the panel is visible
            m_loadPanel->showProblem(noticeText());
        }
    });
    connect(m_engine, &RunEngine::stateChanged, this, [this] {
        const bool ended = m_engine->state() == RunEngine::State::Unloaded;
        if (ended && m_localServer->state() == LocalServer::State::Ready) {
            m_localServer->stop();
        }
    });
}

void RunPage::connectCard() {
    connect(m_transcript, &Transcript::tokenHovered, this, [this](TurnView* view, AnswerView* text, int token) {
        if (token < 0) {
            m_card->leave();
        } else {
            showCard(view, text, token);
        }
    });
    connect(m_transcript, &Transcript::tokenKeyed, this, &RunPage::showCard);
    connect(m_transcript, &Transcript::moved, m_card, &TokenCard::dismiss);
    connect(m_card, &TokenCard::dismissed, this, &RunPage::hideCardMark);
    const auto withToken = [this](auto act) {
        return [this, act](auto... more) {
            if (m_cardTurn && m_session->canAnswer() && tree().has(m_cardTurn->turn())) {
                const int turn = m_cardTurn->turn();
                const auto token = static_cast<std::size_t>(m_cardToken);
                m_card->dismiss();
                if (token < tree().turn(turn).tokens.size()) {
                    act(turn, token, more...);
                }
            }
        };
    };
    connect(m_card, &TokenCard::candidateChosen, this,
            withToken([this](int turn, std::size_t token, quint32 id, const QString& text) {
                m_session->branch(turn, token, id, text);
            }));
    connect(m_card, &TokenCard::continueRequested, this,
            withToken([this](int turn, std::size_t token) { m_session->continueFrom(turn, token); }));
    connect(m_card, &TokenCard::anotherRequested, this,
            withToken([this](int turn, std::size_t token) { m_session->tryAnother(turn, token); }));
}

} // namespace gufo::ui
