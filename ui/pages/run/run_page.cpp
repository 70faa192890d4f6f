#include "ui/pages/run/run_page.h"

#include "base/cpu_features.h"
#include "inference/session/speed.h"
#include "text/template/chat_templates.h"
#include "ui/messages/error_text.h"
#include "ui/messages/format.h"
#include "ui/messages/key_text.h"
#include "ui/messages/template_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/link_question.h"
#include "ui/widgets/text_color.h"

#include <QRegularExpression>
#include <QSignalBlocker>
#include <QThread>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kNarrow = 1000; // of the page: below, the side folds away
constexpr std::size_t kTokensBeforeMeasuring = 8;
constexpr std::uint64_t kMeasuredBytes = std::uint64_t{512} << 20U;
constexpr int kMeasuredPasses = 4;

QString toQString(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString durationText(double seconds) {
    return seconds < 1 ? RunPage::tr("%1 ms").arg(seconds * 1000, 0, 'f', 0)
                       : RunPage::tr("%1 s").arg(seconds, 0, 'f', 1);
}

// For people: templates that models bring are named in their keys.
QString usualName(std::string_view name) {
    return name == "chatml" ? QStringLiteral("ChatML") : name == "alpaca" ? QStringLiteral("Alpaca") : toQString(name);
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
        m_session->setMode(ChatMode::Completion); // a base model, as likely as not
    }
    showState();
}

QString RunPage::modelName() const {
    const auto name = m_model != nullptr ? m_model->metadata.string("general.name") : std::nullopt;
    return name && !name->empty() ? displayText(*name) : tr("Model");
}

void RunPage::activate() {
    if (m_document != nullptr) {
        m_loadPanel->setModel(m_document->current()); // that is what would be loaded
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
    m_engine->load(m_document != nullptr ? m_document->current() : m_model, m_loadPanel->options());
}

// ---- what is shown of the state

void RunPage::showState() {
    const RunFacts* facts = m_engine->facts();
    const bool loaded = facts != nullptr;
    m_loadPanel->setLoading(m_engine->state() == RunEngine::State::Loading);
    const bool wasLoaded = m_content->currentIndex() == 1;
    m_content->setCurrentIndex(loaded ? 1 : 0);
    if (loaded && !wasLoaded) {
        m_peak = 0;
        m_card->setWords(facts->tokenizer, [this](int cut) { return m_sampler->cutText(cut); });
        m_strip->setFigures({});
        takeTemplate();
        if (facts->tokenizer != nullptr && isVisible()) {
            m_composer->field()->setFocus();
        }
        m_transcript->refresh();
    } else if (!loaded && wasLoaded) {
        m_loadPanel->activate();
        m_strip->setFigures({});
    }
    m_strip->setContext(loaded ? facts->options.context : 0);
    m_strip->setPeak(m_peak);
    m_strip->setVisible(loaded);
    const bool hasTokenizer = loaded && facts->tokenizer != nullptr;
    m_composer->setState(!hasTokenizer         ? Composer::State::Off
                         : m_session->isBusy() ? Composer::State::Working
                                               : Composer::State::Idle);
    m_escape->setEnabled(m_session->isBusy());
    const bool completes = tree().mode == ChatMode::Completion;
    m_mode->setCurrent(completes ? 1 : 0);
    m_composer->setPlaceholder(completes ? tree().isEmpty() ? tr("Beginning of a text") : tr("More of the text")
                                         : tr("Message"));
    m_composer->setMayBeEmpty(completes && !tree().isEmpty());
    for (const int mode : {0, 1}) {
        m_mode->segment(mode)->setEnabled(!m_session->isBusy());
    }
    m_templates->setEnabled(!completes && !m_session->isBusy());
    m_system->setEnabled(!completes);
    m_system->setPlaceholderText(completes ? tr("none in a completion")
                                           : tr("What the model should know or be beforehand"));
    m_system->setToolTip(completes ? tr("A completion has none")
                                   : tr("Goes before the conversation; not every "
                                        "template takes one"));
    const bool empty = tree().isEmpty();
    m_turns->setCurrentIndex(empty ? 0 : 1);
    if (loaded && !hasTokenizer) {
        m_empty->setTexts(tr("No tokenizer that works"),
                          facts->tokenizerError
                              ? tr("Text cannot become tokens: %1.").arg(errorReason(*facts->tokenizerError))
                              : QString());
    } else if (completes) {
        m_empty->setTexts(tr("Begin a text"), tr("The model goes on with it, token by token."));
    } else {
        m_empty->setTexts(tr("Ask something"), tr("The answer comes from this file alone."));
    }
    m_copy->setEnabled(!empty);
    m_export->setEnabled(!empty);
    m_new->setEnabled(!m_session->isBusy());
    m_conversations->setEnabled(!m_session->isBusy());
    m_more->setEnabled(!m_session->isBusy());
    showTools();
    showThinking();
    showEngine();
    showStatus();
}

// The tools beside the conversation, and what the message field is for while one of them is called.
void RunPage::showTools() {
    static const QRegularExpression word(QStringLiteral("\\btools\\b"));
    const int index = m_templates->currentIndex();
    const bool takes = index >= 0 && m_choices[static_cast<std::size_t>(index)].source.contains(word);
    const bool completes = tree().mode == ChatMode::Completion;
    m_tools->setEnabled(takes && !completes);
    m_tools->setPlaceholderText(completes ? tr("none in a completion")
                                : takes   ? tr("a list, as JSON")
                                          : tr("this template knows none"));
    if (m_tools->isValid()) {
        m_tools->setToolTip(completes ? tr("A completion has none")
                            : takes   ? tr("Functions that the model may call; what they give is yours to say")
                                      : tr("This template knows no tools"));
    }
    m_tools->showValidity(*m_toolsState);
    m_toolsExample->setVisible(m_tools->tools().isEmpty() && m_tools->isEnabled());
    const QStringList calls = completes || m_session->isBusy() ? QStringList() : tree().pendingCalls();
    if (!calls.isEmpty()) {
        constexpr qsizetype kMostOfAName = 30;
        const QString name =
            calls.front().size() <= kMostOfAName ? calls.front() : calls.front().left(kMostOfAName - 1) + QChar(0x2026);
        m_sendAs->segment(0)->setText(tr("Result of %1").arg(name).replace(u'&', QStringLiteral("&&")));
        m_sendAs->segment(0)->updateGeometry();
        m_sendAs->updateGeometry();
        if (m_sendAs->current() == 0) {
            m_composer->setPlaceholder(tr("What %1 gives, as JSON or text").arg(name));
        }
    }
    m_sendAs->setVisible(!calls.isEmpty());
}

void RunPage::showThinking() {
    const int index = m_templates->currentIndex();
    m_thinkingRow->setVisible(
        index >= 0 && !text::thinkingVariable(m_choices[static_cast<std::size_t>(index)].source.toStdString()).empty());
    m_thinking->setEnabled(tree().mode == ChatMode::Chat && !m_session->isBusy());
    m_thinking->setCurrentIndex(tree().thinking ? m_thinking->findData(*tree().thinking) : 0);
}

void RunPage::showEngine() {
    const RunFacts* facts = m_engine->facts();
    const bool loading = m_engine->state() == RunEngine::State::Loading;
    m_engineState->setText(facts != nullptr ? tr("loaded") : loading ? tr("loading…") : tr("not loaded"));
    setTextColor(m_engineState, facts != nullptr ? Token::Good : Token::Muted);
    const QString none = QStringLiteral("–");
    if (facts != nullptr) {
        const auto& needs = m_loadPanel->needs();
        const QString rope = ropeText(facts->options.rope);
        m_context->setText(tr("%1 tokens").arg(formatCount(facts->options.context)) +
                           (rope.isEmpty() ? QString() : QStringLiteral(", ") + rope));
        const QString keys = latin1(kvCacheTypeName(facts->options.keys));
        const QString values = latin1(kvCacheTypeName(facts->options.values));
        const QString type = keys == values ? keys : keys + QStringLiteral(" and ") + values;
        m_kv->setText(needs ? tr("%1, %2").arg(type, formatBytes(needs->kvCache + needs->recurrentState)) : type);
        m_memory->setText(needs ? formatBytes(needs->total()) : none);
        m_threads->setText(tr("%1 of %2, %3")
                               .arg(facts->options.threads)
                               .arg(QThread::idealThreadCount())
                               .arg(displayText(cpuDescription())));
    } else {
        for (QLabel* label : {m_context, m_kv, m_memory, m_threads}) {
            label->setText(none);
        }
    }
    m_change->setEnabled(facts != nullptr);
    m_unload->setEnabled(facts != nullptr);
}

void RunPage::showStatus() {
    const AnswerFigures& figures = m_session->figures();
    QString left = tr("Not loaded");
    if (m_engine->state() == RunEngine::State::Loading) {
        left = tr("Loading…");
    } else if (m_session->isBusy()) {
        left = figures.tokens > 0
                   ? tr("Generating, %1 tokens in %2").arg(formatCount(figures.tokens), durationText(figures.seconds))
                   : tr("Reading the prompt…");
    } else if (m_engine->isLoaded()) {
        left = figures.tokens > 0 ? tr("Ready. The last answer: %1 tokens in %2, %3 of %4 prompt tokens read")
                                        .arg(formatCount(figures.tokens), durationText(figures.seconds),
                                             formatCount(figures.readTokens), formatCount(figures.promptTokens))
                                  : tr("Ready, loaded in %1").arg(durationText(m_engine->facts()->loadSeconds));
    }
    QStringList right;
    if (tree().mode == ChatMode::Chat) {
        right << tr("Template: %1").arg(m_templates->currentText());
    }
    right << (m_shift->isChecked() ? tr("Context shift on") : tr("Context shift off"));
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
    if (error.code == ErrorCode::LimitExceeded && error.args.size() == 3 && error.args[0] == "context") {
        say(tr("The conversation takes %1 tokens, and the context holds %2. Load the model with a larger one, or begin "
               "another conversation.")
                .arg(formatCount(std::stoull(error.args[1])), formatCount(std::stoull(error.args[2]))),
            true);
        return;
    }
    const QString hint = errorHint(error);
    say(tr("There is no answer: %1.").arg(errorReason(error)) + (hint.isEmpty() ? QString() : u' ' + hint), true);
}

void RunPage::sayTemplateProblem(const text::TemplateProblem& problem) {
    const QString where = problem.line > 0 ? tr(" (line %1)").arg(problem.line) : QString();
    say(tr("The template does not take this conversation: %1%2").arg(templateProblemText(problem), where), true);
}

// ---- templates

void RunPage::showTemplates() {
    const Model& model = m_document != nullptr ? *m_document->current() : *m_model;
    const Model& saved = m_document != nullptr ? *m_document->document().base() : *m_model;
    const QString before = m_templates->count() > 0 && m_templates->currentIndex() >= 0
                               ? m_choices[static_cast<std::size_t>(m_templates->currentIndex())].key
                               : m_wantedTemplate;
    m_choices.clear();
    for (const text::ChatTemplate& each : text::chatTemplates(model.metadata)) {
        const auto inFile = saved.metadata.string(text::chatTemplateKey(each.name));
        const QString name = displayText(each.name);
        m_choices.push_back({.name = inFile && *inFile == each.source ? name : tr("%1 (draft)").arg(name),
                             .source = toQString(each.source),
                             .key = name,
                             .isModels = true});
    }
    for (const text::UsualTemplate& usual : text::usualTemplates()) {
        m_choices.push_back({.name = usualName(usual.name),
                             .source = toQString(usual.source),
                             .key = u'/' + toQString(usual.name),
                             .isModels = false});
    }
    const QSignalBlocker quiet(m_templates);
    m_templates->clear();
    int current = 0;
    for (const TemplateChoice& choice : m_choices) {
        if (choice.key == before) {
            current = m_templates->count();
        }
        m_templates->addItem(choice.name);
    }
    m_templates->setCurrentIndex(current);
    takeTemplate();
}

void RunPage::takeTemplate() {
    const int index = m_templates->currentIndex();
    if (index < 0 || m_model == nullptr) {
        return;
    }
    const TemplateChoice& choice = m_choices[static_cast<std::size_t>(index)];
    m_session->setTemplate(m_document != nullptr ? m_document->current() : m_model, choice.source);
    if (!choice.isModels && tree().mode == ChatMode::Chat) {
        const bool hasOwn = m_choices.front().isModels;
        say(hasOwn ? tr("%1 is used in place of the model's own template: the answers may be odd.").arg(choice.name)
                   : tr("This file has no chat template. %1 is used, which the model may not know: the answers may be "
                        "odd. Completion needs none.")
                         .arg(choice.name),
            false);
    } else if (m_pictures) {
        say(tr("The pictures of the conversation on the Template page are not taken along: this engine reads text "
               "only."),
            false);
    } else if (!m_noticeIsError) {
        say({}, false);
    }
    showTools();
    showThinking();
    showStatus();
}

void RunPage::chatWith(const QString& templateName, bool pictures) {
    const auto choice = std::ranges::find(m_choices, templateName, &TemplateChoice::key);
    if (choice == m_choices.end() || m_session->isBusy()) {
        return;
    }
    m_templates->setCurrentIndex(static_cast<int>(choice - m_choices.begin()));
    m_pictures = pictures;
    if (tree().mode != ChatMode::Chat) {
        if (!tree().isEmpty()) {
            newConversation();
        }
        m_session->setMode(ChatMode::Chat);
    }
    takeTemplate();
    showState();
    QWidget* next = m_engine->isLoaded() ? static_cast<QWidget*>(m_composer->field()) : m_loadPanel->loadButton();
    next->setFocus();
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
    if (text.isEmpty() && leaf >= 0) { // a completion goes on
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
    const Turn& turn = tree().turn(id);
    m_strip->setFigures(m_session->figures());
    if (turn.seed != 0) {
        m_sampler->showSeed(turn.seed);
    }
    keepSoon();
    if (m_peak == 0 && m_session->figures().tokens >= kTokensBeforeMeasuring) {
        QMetaObject::invokeMethod(this, &RunPage::measurePeak, Qt::QueuedConnection);
    }
}

// The weights have just been read, so they are in memory: the speed of reading them again is what memory gives.
void RunPage::measurePeak() {
    if (m_measuring || m_engine->state() != RunEngine::State::Ready) {
        return;
    }
    m_measuring = true;
    m_engine->perform<double>(
        [model = m_engine->facts()->model,
         threads = m_engine->facts()->options.threads](RunSession&, const JobContext& job) -> Result<double> {
            auto meter = inference::ReadMeter::make(*model, threads, kMeasuredBytes);
            for (int i = 0; meter && i < kMeasuredPasses && !job.stopRequested(); ++i) {
                meter->pass();
            }
            return meter ? Result<double>(meter->best()) : std::unexpected(std::move(meter.error()));
        },
        [this](const Result<double>& peak) {
            m_measuring = false;
            if (peak) {
                m_peak = *peak;
                m_strip->setPeak(m_peak);
            }
        });
}

// ---- the card

void RunPage::showCard(TurnView* view, AnswerView* text, int token) {
    if (!tree().has(view->turn())) {
        return;
    }
    const Turn& turn = tree().turn(view->turn());
    const QRect place = text->tokenRect(token);
    if (token >= static_cast<int>(turn.tokens.size()) || place.isEmpty()) {
        return;
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
    m_card->showToken(turn.tokens[static_cast<std::size_t>(token)],
                      QRect(text->mapTo(this, place.topLeft()), place.size()), m_session->canAnswer());
}

void RunPage::hideCardMark() {
    if (m_cardText) {
        m_cardText->setCurrentToken(-1);
    }
}

void RunPage::followLink(const QString& target) {
    LinkQuestion::ask(this, target, tr("The model wrote it; it may lead anywhere or nowhere."));
}

// ---- the window

void RunPage::setSideShown(bool shown) {
    const QSignalBlocker quiet(m_sideButton);
    m_sideButton->setChecked(shown);
    m_side->setVisible(shown);
    fitToolBar();
}

// In a narrow window with the side beside it there is room for less.
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
    QJsonObject own{{QStringLiteral("load"), m_loadPanel->saveState()}};
    if (!tree().isEmpty()) {
        own.insert(QStringLiteral("conversation"), m_id);
    }
    if (m_templates->currentIndex() >= 0) {
        own.insert(QStringLiteral("template"), m_choices[static_cast<std::size_t>(m_templates->currentIndex())].key);
    }
    own.insert(QStringLiteral("sampler"), m_sampler->saveState());
    return {{QStringLiteral("shade"), m_shade->isChecked()},
            {QStringLiteral("side"), m_sideWanted},
            {QStringLiteral("shift"), m_shift->isChecked()},
            {QStringLiteral("model"), own}};
}

void RunPage::restoreState(const QJsonObject& state) {
    m_shade->setChecked(state[QStringLiteral("shade")].toBool());
    m_shift->setChecked(state[QStringLiteral("shift")].toBool());
    m_sideWanted = state[QStringLiteral("side")].toBool(true);
    setSideShown(m_sideWanted);
    const QJsonObject own = state[QStringLiteral("model")].toObject();
    m_loadPanel->restoreState(own[QStringLiteral("load")].toObject());
    m_sampler->restoreState(own[QStringLiteral("sampler")].toObject());
    m_wantedTemplate = own[QStringLiteral("template")].toString();
    m_wantedConversation = own[QStringLiteral("conversation")].toString();
}

} // namespace gufo::ui
