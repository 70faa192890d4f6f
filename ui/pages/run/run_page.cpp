#include "ui/pages/run/run_page.h"

#include "base/cpu_features.h"
#include "inference/prefixes/prefix_store.h"
#include "inference/session/speed.h"
#include "text/template/chat_templates.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/template_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/link_question.h"
#include "ui/widgets/text_color.h"

#include <QSignalBlocker>
#include <QThread>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

using inference::Feature;

constexpr int kNarrow = 1000; // width of the page below which the side panel is folded away
constexpr std::size_t kTokensBeforeMeasuring = 8;
constexpr std::uint64_t kMeasuredBytes = std::uint64_t{512} << 20U;
constexpr int kMeasuredPasses = 4;

QString durationText(double seconds) {
    return seconds < 1 ? RunPage::tr("%1 ms").arg(seconds * 1000, 0, 'f', 0)
                       : RunPage::tr("%1 s").arg(seconds, 0, 'f', 1);
}

} // namespace

RunPage::~RunPage() {
    if (m_keepSoon.isActive()) {
        keep();
    }
    disconnect(m_engine, nullptr, this, nullptr);
    disconnect(m_session, nullptr, this, nullptr);
}

void RunPage::setDocument(ModelDocument* document) {
    m_document = document;
    connect(document, &ModelDocument::edited, this, [this](const TouchedParts& touched) {
        if (std::ranges::any_of(touched.keys,
                                [](const std::string& key) { return key.starts_with("tokenizer.chat_template"); })) {
            showTemplates();
        }
    });
}

void RunPage::setModel(std::shared_ptr<const Model> model) {
    m_model = model;
    m_loadPanel->setModel(model);
    m_sampler->setModel(model);
    m_transcript->setNames({.user = tr("You"), .model = modelName(), .tool = tr("Tool")});
    showTemplates();
    if (text::chatTemplates(m_model->metadata).empty()) {
        m_session->setMode(ChatMode::Completion); // probably a base model
    }
    showState();
}

QString RunPage::modelName() const {
    const auto name = m_model != nullptr ? m_model->metadata.string("general.name") : std::nullopt;
    return name && !name->empty() ? displayText(*name) : tr("Model");
}

void RunPage::activate() {
    if (m_document != nullptr) {
        m_loadPanel->setModel(m_document->current()); // loads the model as edited
    }
    m_loadPanel->activate();
    if (!m_activated) {
        m_activated = true;
        listConversations();
    }
    showStatus();
}

void RunPage::load() {
    say({}, false);
    if (m_loadPanel->engine().remote && m_loadPanel->serverPanel()->startsOne()) {
        m_loadPanel->serverPanel()->clearLog();
        m_localServer->start(m_loadPanel->serverPanel()->localOptions());
        return;
    }
    loadFrom(m_loadPanel->options().server);
}

void RunPage::loadFrom(const inference::ServerAccess& access) {
    inference::SessionOptions options = m_loadPanel->options();
    options.server = access;
    options.prefixes = inference::PrefixStore::shared();
    m_engine->load(m_document != nullptr ? m_document->current() : m_model, options, m_loadPanel->engine());
}

// ---- showing the state

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
        if (tree().isEmpty() && !offers(Feature::Completion)) {
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

void RunPage::stopReading() {
    m_reading = false;
    showState();
    m_loadPanel->loadButton()->setFocus();
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

const inference::EngineCapabilities& RunPage::capabilities() const {
    return m_engine->isLoaded() ? m_engine->facts()->capabilities : m_loadPanel->engine().capabilities;
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
          tr("When the context is full, leave out the oldest turns, or the older half of a text, and continue; "
             "otherwise the answer ends. The system message stays."));
    allow(m_afterSamplers, Feature::AfterSamplers, true,
          tr("Show the probabilities that the samplers have left, instead of those before them"));
    m_afterSamplers->setVisible(offers(Feature::AfterSamplers));
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
        m_threads->setText(options.threads == 0 ? none
                                                : tr("%1 of %2, %3")
                                                      .arg(options.threads)
                                                      .arg(QThread::idealThreadCount())
                                                      .arg(displayText(cpuDescription())));
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
        right << tr("Template: %1").arg(m_templates->currentText());
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
                (couldShift
                     ? tr("Switch on \"%1\" to leave out the oldest turns, or load the model with a larger context.")
                           .arg(m_shift->text())
                     : tr("The last message does not fit on its own: shorten it, or load the model with a larger "
                          "context.")),
            true);
        return;
    }
    const QString hint = errorHint(error);
    say(tr("There is no answer: %1.").arg(errorReason(error)) + (hint.isEmpty() ? QString() : u' ' + hint), true);
}

void RunPage::sayTemplateProblem(const text::TemplateProblem& problem) {
    const QString where = problem.line > 0 ? tr(" (line %1)").arg(problem.line) : QString();
    say(tr("The template cannot render this conversation: %1%2").arg(templateProblemText(problem), where), true);
}

// ---- the conversation

void RunPage::send(const QString& text) {
    if (!m_session->canAnswer()) {
        m_composer->setText(text);
        return;
    }
    if (const QString problem = m_sampler->grammarProblem(); !problem.isEmpty()) {
        m_composer->setText(text);
        say(tr("The grammar cannot be used: %1").arg(problem), true);
        return;
    }
    if (m_measuring) {
        m_engine->stop();
    }
    if (tree().mode == ChatMode::Chat && m_tools->isEnabled() && !m_tools->isValid()) {
        m_composer->setText(text);
        say(tr("The tools cannot be used: %1").arg(m_tools->problem()), true);
        return;
    }
    m_pictures = false;
    m_transcript->scrollToEnd();
    const int leaf = tree().leaf();
    const bool asksAgain = m_session->isUnanswered() && text.trimmed().isEmpty();
    if (asksAgain || (text.isEmpty() && leaf >= 0)) { // otherwise a completion continues
        if (tree().turn(leaf).role == TurnRole::Assistant) {
            m_session->goOn(leaf);
        } else {
            m_session->answer(leaf);
        }
        return;
    }
    const bool isResult = tree().mode == ChatMode::Chat && m_sendAs->current() == 0 && !tree().pendingCalls().isEmpty();
    m_sendAs->setCurrent(0);
    if (isResult) {
        m_session->sendResult(text);
    } else {
        m_session->send(text);
    }
}

void RunPage::turnEnded(int id) {
    forgetDeletedTurns();
    const Turn& turn = tree().turn(id);
    m_strip->setFigures(m_session->figures());
    if (turn.seed != 0) {
        m_sampler->showSeed(turn.seed);
    }
    keepSoon();
    const inference::ResponseFigures& figures = m_session->figures();
    if (!m_readLimit && figures.bytesRead > 0 && figures.tokens >= kTokensBeforeMeasuring) {
        QMetaObject::invokeMethod(this, &RunPage::measurePeak, Qt::QueuedConnection);
    }
}

// The weights were just read and are in memory, so the speed of reading them again is the memory's bandwidth.
void RunPage::measurePeak() {
    if (m_measuring || m_engine->state() != RunEngine::State::Ready) {
        return;
    }
    m_measuring = true;
    const inference::ResponseFigures& figures = m_session->figures();
    const std::uint64_t bytesPerToken = figures.bytesRead / std::max<std::uint64_t>(figures.evaluatedTokens, 1);
    m_engine->perform<ReadLimit>(
        [model = m_engine->facts()->model, threads = m_engine->facts()->options.threads,
         bytesPerToken](inference::Responder&, const JobContext& job) -> Result<ReadLimit> {
            if (bytesPerToken <= inference::lastLevelCacheBytes()) {
                return ReadLimit{.cached = true};
            }
            auto meter = inference::ReadMeter::make(*model, threads, kMeasuredBytes);
            if (!meter) {
                return std::unexpected(std::move(meter.error()));
            }
            meter->warm();
            for (int i = 0; i < kMeasuredPasses && !job.stopRequested(); ++i) {
                meter->pass();
            }
            return ReadLimit{.peak = meter->best()};
        },
        [this](const Result<ReadLimit>& limit) {
            m_measuring = false;
            if (limit) {
                m_readLimit = *limit;
                m_strip->setPeak(limit->peak);
                m_strip->setCached(limit->cached);
            }
        });
}

// ---- the token card

void RunPage::showCard(TurnView* view, AnswerView* text, int token) {
    if (!tree().has(view->turn())) {
        return;
    }
    const Turn& turn = tree().turn(view->turn());
    const QRect place = text->tokenRect(token);
    if (token >= static_cast<int>(turn.tokens.size()) || place.isEmpty()) {
        return;
    }
    const TurnToken& shown = turn.tokens[static_cast<std::size_t>(token)];
    if (!shown.logProbability && shown.candidates.empty()) {
        return; // the engine reported nothing about the token
    }
    if (!text->visibleRegion().intersects(place)) {
        m_transcript->ensureVisible(0, text->mapTo(m_transcript->widget(), place.center()).y(), 0, 60);
    }
    hideCardMark();
    m_cardTurn = view;
    m_cardText = text;
    m_cardToken = token;
    text->setCurrentToken(token);
    connect(text, &AnswerView::cardKeyPressed, m_card, &TokenCard::pressKey, Qt::UniqueConnection);
    const auto missing = [this](Feature feature) { return offers(feature) ? QString() : featureMissingTip(feature); };
    m_card->showToken(shown, turn.text.mid(shown.begin, shown.end - shown.begin),
                      QRect(text->mapTo(this, place.topLeft()), place.size()),
                      {.isFree = m_session->canAnswer(),
                       .cannotBranch = missing(Feature::Branching),
                       .cannotContinue = missing(Feature::Continuing)});
}

void RunPage::hideCardMark() {
    if (m_cardText) {
        m_cardText->setCurrentToken(-1);
    }
}

void RunPage::followLink(const QString& target) {
    LinkQuestion::ask(this, target, tr("The address was written by the model and may be wrong or unsafe."));
}

// ---- the window

void RunPage::setSideShown(bool shown) {
    const QSignalBlocker quiet(m_sideButton);
    m_sideButton->setChecked(shown);
    m_side->setVisible(shown);
    fitToolBar();
}

// There is less room in a narrow window with the side panel open.
void RunPage::fitToolBar() {
    constexpr int kTight = 640;
    const bool tight = width() - (m_sideButton->isChecked() ? m_side->width() : 0) < kTight;
    m_new->setText(tight ? QString() : tr("New"));
    m_shade->setVisible(!tight);
    for (QWidget* part : m_shadeParts) {
        part->setVisible(!tight);
    }
}

void RunPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < kNarrow;
    if (narrow != m_narrow) {
        m_narrow = narrow;
        setSideShown(!narrow && m_sideWanted);
    }
    fitToolBar();
}

QJsonObject RunPage::saveState() const {
    QJsonObject modelState{{QStringLiteral("load"), m_loadPanel->saveState()}};
    if (!tree().isEmpty()) {
        modelState.insert(QStringLiteral("conversation"), m_id);
    }
    if (m_templates->currentIndex() >= 0) {
        modelState.insert(QStringLiteral("template"),
                          m_choices[static_cast<std::size_t>(m_templates->currentIndex())].key);
    }
    modelState.insert(QStringLiteral("sampler"), m_sampler->saveState());
    return {{QStringLiteral("shade"), m_shade->isChecked()},
            {QStringLiteral("side"), m_sideWanted},
            {QStringLiteral("shift"), m_shift->isChecked()},
            {QStringLiteral("keepPrompts"), !inference::PrefixStore::shared()->folder().empty()},
            {QStringLiteral("model"), modelState}};
}

void RunPage::restoreState(const QJsonObject& state) {
    m_shade->setChecked(state[QStringLiteral("shade")].toBool());
    m_shift->setChecked(state[QStringLiteral("shift")].toBool(true));
    if (state[QStringLiteral("keepPrompts")].toBool()) {
        keepPrompts(true);
    }
    m_sideWanted = state[QStringLiteral("side")].toBool(true);
    setSideShown(m_sideWanted);
    const QJsonObject modelState = state[QStringLiteral("model")].toObject();
    m_loadPanel->restoreState(modelState[QStringLiteral("load")].toObject());
    m_sampler->restoreState(modelState[QStringLiteral("sampler")].toObject());
    m_wantedTemplate = modelState[QStringLiteral("template")].toString();
    m_wantedConversation = modelState[QStringLiteral("conversation")].toString();
}

} // namespace gufo::ui
