// What the Run page shows of its engine, of what the engine can do, and of errors.
#include "text/template/chat_templates.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/template_text.h"
#include "ui/pages/run/run_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QSignalBlocker>
#include <QThread>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

using inference::Feature;

QString durationText(double seconds) {
    return seconds < 1 ? RunPage::tr("%1 ms").arg(seconds * 1000, 0, 'f', 0)
                       : RunPage::tr("%1 s").arg(seconds, 0, 'f', 1);
}

} // namespace

void RunPage::showState() {
    const RunFacts* facts = m_engine->facts();
    const bool loaded = facts != nullptr;
    m_loadPanel->setLoading(m_engine->state() == RunEngine::State::Loading ||
                            m_localServer->state() == LocalServer::State::Starting);
    if (m_engine->state() == RunEngine::State::Loading) {
        m_loadProgress.start();
    } else {
        m_loadProgress.stop();
    }
    const bool wasLoaded = std::exchange(m_wasLoaded, loaded);
    if (loaded != wasLoaded) {
        m_drafts->setFacts(facts);
    }
    m_reading = m_reading && !loaded && !tree().isEmpty();
    m_content->setCurrentIndex(loaded || m_reading ? 1 : 0);
    if (m_reading && m_readingBar->isHidden()) {
        m_readingBar->showNotice(tr("The model is not loaded: the conversation can be read, but not continued."),
                                 {{.text = tr("Load…"), .run = [this] { stopReading(); }}}, NoticeBar::Tone::Info);
    } else if (!m_reading) {
        m_readingBar->hide();
    }
    if (loaded && !wasLoaded) {
        if (tree().isEmpty() && !(offers(Feature::Completion) && offers(Feature::ChatTemplate))) {
            m_session->setMode(ChatMode::Chat);
        }
        m_readLimit.reset();
        m_card->setWords(facts->tokenizer, [this](int cut) { return m_sampler->cutText(cut); });
        m_strip->setFigures({});
        if (facts->server && m_localServer->state() == LocalServer::State::Stopped) {
            m_loadPanel->serverPanel()->keepAddress();
        }
        showTemplates(); // with the engine's own
        m_transcript->refresh();
    } else if (!loaded && wasLoaded) {
        showTemplates();
        m_loadPanel->activate();
        m_strip->setFigures({});
    }
    m_strip->setContext(loaded ? facts->options.context : 0);
    m_strip->setPeak(m_readLimit ? m_readLimit->peak : 0);
    m_strip->setCached(m_readLimit && m_readLimit->cached);
    m_strip->setVisible(loaded);
    m_composer->setState(!m_session->suits()   ? Composer::State::Off
                         : m_session->isBusy() ? Composer::State::Working
                                               : Composer::State::Idle);
    if (loaded && !wasLoaded && m_session->suits() && isVisible()) {
        m_composer->field()->setFocus(); // enabled by now
    }
    m_escape->setEnabled(m_session->isBusy());
    const bool completes = tree().mode == ChatMode::Completion;
    m_mode->setCurrent(completes ? 1 : 0);
    const bool unanswered = m_session->isUnanswered();
    m_composer->setPlaceholder(completes    ? tree().isEmpty() ? tr("Beginning of a text") : tr("More of the text")
                                  : unanswered ? tr("Message; if empty, the last one is answered again")
                                            : tr("Message"));
    m_composer->setMayBeEmpty(unanswered || (completes && !tree().isEmpty()));
    m_system->setEnabled(!completes);
    m_system->setPlaceholderText(completes ? tr("not used in a completion")
                                           : tr("What the model should know, or what role it should take"));
    m_system->setToolTip(completes ? tr("Not used in a completion")
                                   : tr("Precedes the conversation; not all templates support it"));
    const bool empty = tree().isEmpty();
    m_turns->setCurrentIndex(empty ? 0 : 1);
    showEmptyState();
    m_copy->setEnabled(!empty);
    m_export->setEnabled(!empty);
    m_new->setEnabled(!m_session->isBusy());
    m_conversations->setEnabled(!m_session->isBusy());
    m_more->setEnabled(!m_session->isBusy());
    showFeatures();
    showTools();
    showThinking();
    showEngine();
    showStatus();
}

void RunPage::showEmptyState() {
    const RunFacts* facts = m_engine->facts();
    const bool completes = tree().mode == ChatMode::Completion;
    if (facts != nullptr && !facts->canRespond()) {
        m_empty->setTexts(tr("The tokenizer does not work"),
                          facts->tokenizerError
                              ? tr("Text cannot be tokenized: %1.").arg(errorReason(*facts->tokenizerError))
                              : QString());
    } else if (completes && !offers(Feature::Completion)) {
        m_empty->setTexts(tr("No completion"), featureMissingTip(Feature::Completion) + u'.');
    } else if (completes) {
        m_empty->setTexts(tr("Start a text"), tr("The model continues it token by token."));
    } else if (capabilities().scores == inference::Scores::Logits) {
        m_empty->setTexts(tr("Ask something"), tr("The answer comes from this file alone."));
    } else {
        m_empty->setTexts(tr("Ask something"), {});
    }
}

// Disables features that the engine lacks, and says why.
void RunPage::showFeatures() {
    const auto allow = [this](QWidget* widget, Feature feature, bool can, const QString& tip) {
        widget->setEnabled(can && offers(feature));
        widget->setToolTip(offers(feature) ? tip : featureMissingTip(feature));
    };
    const bool chats = tree().mode == ChatMode::Chat;
    const bool isFree = !m_session->isBusy();
    m_mode->segment(0)->setEnabled(isFree);
    allow(m_mode->segment(1), Feature::Completion, isFree, tr("The model continues a text without a template"));
    // Answers of another engine keep the probabilities that it gave.
    const auto path = tree().path();
    const bool hasShades = offers(Feature::Probabilities) || std::ranges::any_of(path, [this](int turn) {
                               return tree().turn(turn).meanProbability().has_value();
                           });
    m_shade->setToolTip(
        hasShades ? tr("Shade each token by its probability. Point at a token, or select it with the arrow keys, to "
                       "see the alternatives")
                  : featureMissingTip(Feature::Probabilities));
    m_shade->setEnabled(hasShades);
    m_transcript->setShaded(m_shade->isChecked() && hasShades);
    allow(m_templates, Feature::ChatTemplate, chats && isFree,
          tr("The format in which the model reads the conversation; drafts on the Template page are used as they are"));
    allow(m_thinking, Feature::ChatTemplate, chats && isFree,
          tr("Whether the model should think before it answers; the template supports this option"));
    allow(m_shift, Feature::ContextShift, true,
          tr("When the context is full, leave out the oldest messages, or the older half of a text, and continue; "
             "otherwise the answer ends. The system message stays."));
    allow(m_afterSamplers, Feature::AfterSamplers, true,
          tr("Show the probabilities that the samplers have left, instead of those before them"));
    m_afterSamplers->setVisible(offers(Feature::AfterSamplers));
    m_literal->setVisible(capabilities().input == inference::Input::Tokens);
    m_drafts->setEngine(capabilities());
    m_sampler->setEngine(capabilities());
}

void RunPage::showServer() {
    const RunFacts* facts = m_engine->facts();
    const bool isShown = facts != nullptr && facts->server;
    m_serverState->setVisible(isShown);
    if (isShown) {
        m_serverState->setText(displayText(facts->options.server.address) + QStringLiteral(": ") +
                               ui::serverText(*facts->server) + QStringLiteral("; ") + serverMatchText(facts->match) +
                               u'.');
    }
}

void RunPage::showEngine() {
    showServer();
    const RunFacts* facts = m_engine->facts();
    const bool loading = m_engine->state() == RunEngine::State::Loading;
    m_engineState->setText(facts != nullptr ? tr("loaded") : loading ? tr("loading…") : tr("not loaded"));
    setTextColor(m_engineState, facts != nullptr ? Token::Good : Token::Muted);
    const QString none = QStringLiteral("–");
    if (facts != nullptr) {
        const inference::SessionOptions& options = facts->options;
        const auto& needs = m_loadPanel->needs();
        const QString rope = ropeText(options.rope);
        m_context->setText(options.context == 0 ? none
                                                : tr("%n tokens", nullptr, numerus(options.context)) +
                                                      (rope.isEmpty() ? QString() : QStringLiteral(", ") + rope));
        const QString keys = latin1(kvCacheTypeName(options.keys));
        const QString values = latin1(kvCacheTypeName(options.values));
        const QString type = keys == values ? keys : keys + QStringLiteral(" and ") + values;
        m_kv->setText(needs ? tr("%1, %2").arg(type, formatBytes(needs->kvCache + needs->recurrentState))
                      : offers(Feature::MemoryForecast) ? type
                                                        : none);
        m_memory->setText(needs ? formatBytes(needs->total()) : none);
        const QString threads = tr("%1 of %2").arg(options.threads).arg(QThread::idealThreadCount());
        const bool isOtherProcess = facts->processDescriptor >= 0; // has instruction sets of its own
        m_threads->setText(options.threads == 0 ? none
                           : isOtherProcess     ? threads
                                                : threads + QStringLiteral(", ") + displayText(cpuDescription()));
    } else {
        for (QLabel* label : {m_context, m_kv, m_memory, m_threads}) {
            label->setText(none);
        }
    }
    for (QLabel* label : {m_kv, m_memory}) {
        label->setToolTip(offers(Feature::MemoryForecast) ? QString() : featureMissingTip(Feature::MemoryForecast));
    }
    m_change->setEnabled(facts != nullptr);
    m_unload->setEnabled(facts != nullptr);
}

void RunPage::showStatus() {
    const inference::ResponseFigures& figures = m_session->figures();
    QString left = tr("Not loaded");
    if (m_engine->state() == RunEngine::State::Loading) {
        left = tr("Loading…");
    } else if (m_session->isBusy()) {
        left =
            figures.tokens > 0
                ? tr("Generating, %n tokens in %1", nullptr, numerus(figures.tokens)).arg(durationText(figures.seconds))
                : tr("Reading the prompt…");
    } else if (m_engine->isLoaded()) {
        left = figures.tokens > 0 ? tr("Ready. The last answer: %n tokens in %1, %2 of %3 prompt tokens read", nullptr,
                                       numerus(figures.tokens))
                                        .arg(durationText(figures.seconds), formatCount(figures.readTokens),
                                             formatCount(figures.promptTokens))
                                  : tr("Ready, loaded in %1").arg(durationText(m_engine->facts()->loadSeconds));
    }
    QStringList right;
    if (tree().mode == ChatMode::Chat && offers(Feature::ChatTemplate)) {
        const TemplateChoice* choice = usedTemplate();
        right << tr("Template: %1").arg(choice != nullptr ? choice->name : QString());
    }
    if (offers(Feature::ContextShift)) {
        right << (m_shift->isChecked() ? tr("Context shift on") : tr("Context shift off"));
    }
    emit statusChanged(left, right);
}

void RunPage::say(const QString& text, bool isError) {
    m_noticeIsError = isError;
    m_notice->setText(text);
    setTextColor(m_notice, isError ? Token::ErrorText : Token::WarningText);
    m_noticeRow->setVisible(!text.isEmpty());
    m_notice->setVisible(!text.isEmpty());
}

void RunPage::sayError(const Error& error) {
    if (exceedsContext(error)) {
        const QString needed =
            tr("%n tokens are needed, and the context holds %1.", nullptr, numerus(std::stoull(error.args[1].text())))
                .arg(formatCount(std::stoull(error.args[2].text())));
        const bool couldShift = m_shift->isEnabled() && !m_shift->isChecked();
        say(needed + u' ' +
                (!offers(Feature::ContextShift)
                     ? tr("This engine leaves out no older messages: begin a new conversation, or give it a larger "
                          "context.")
                 : couldShift
                     ? tr("Switch on \"%1\" to leave out the oldest messages, or load the model with a larger context.")
                           .arg(m_shift->text())
                     : tr("The last message does not fit on its own: shorten it, or load the model with a larger "
                          "context.")),
            true);
        return;
    }
    const QString hint = errorHint(error, m_loadPanel->engine().remote ? ServerKind::Engine : ServerKind::Files);
    say(tr("There is no answer: %1.").arg(errorReason(error)) + (hint.isEmpty() ? QString() : u' ' + hint), true);
}

void RunPage::sayTemplateProblem(const text::TemplateProblem& problem) {
    const QString where = problem.line > 0 ? tr(" (line %1)").arg(problem.line) : QString();
    say(tr("The template cannot render this conversation: %1%2").arg(templateProblemText(problem), where), true);
}

} // namespace gufo::ui
