#include "ui/pages/run/run_page.h"

#include "base/cpu_features.h"
#include "inference/measuring/speed.h"
#include "inference/prefixes/prefix_store.h"
#include "text/template/chat_templates.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/widgets/link_question.h"

#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

using inference::Feature;

constexpr int kNarrow = 1000; // width of the page below which the side panel is folded away
constexpr std::size_t kTokensBeforeMeasuring = 8;
constexpr std::uint64_t kMeasuredBytes = std::uint64_t{512} << 20U;
constexpr int kMeasuredPasses = 4;

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
    const inference::Engine& engine = m_loadPanel->engine();
    m_engine->load(m_document != nullptr ? m_document->current() : m_model, inference::obeyedBy(engine, options),
                   engine);
}

// ---- showing the state

void RunPage::stopReading() {
    m_reading = false;
    showState();
    m_loadPanel->loadButton()->setFocus();
}

const inference::EngineCapabilities& RunPage::capabilities() const {
    return m_engine->isLoaded() ? m_engine->facts()->capabilities : m_loadPanel->engine().capabilities;
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
            m_session->continueAnswer(leaf);
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
            auto meter = GUFO_TRY(inference::ReadMeter::make(*model, threads, kMeasuredBytes));
            meter.warm();
            for (int i = 0; i < kMeasuredPasses && !job.stopRequested(); ++i) {
                meter.pass();
            }
            return ReadLimit{.peak = meter.best()};
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
            {QStringLiteral("literalContent"), m_literal->isChecked()},
            {QStringLiteral("keepPrompts"), !inference::PrefixStore::shared()->folder().empty()},
            {QStringLiteral("model"), modelState}};
}

void RunPage::restoreState(const QJsonObject& state) {
    m_shade->setChecked(state[QStringLiteral("shade")].toBool());
    m_shift->setChecked(state[QStringLiteral("shift")].toBool(true));
    m_literal->setChecked(state[QStringLiteral("literalContent")].toBool());
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

#include "moc_run_page.cpp"
