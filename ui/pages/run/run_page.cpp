#include "ui/pages/run/run_page.h"

#include "text/template/chat_templates.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"
#include "ui/pages/run/run_keys.h"
#include "ui/widgets/link_question.h"

#include <QKeyEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

using inference::Feature;

constexpr int kNarrow = 1000; // width of the page below which the settings are folded away

QString durationText(double seconds) {
    return seconds < 1 ? RunPage::tr("%1 ms").arg(formatFixed(seconds * 1000, 0))
                       : RunPage::tr("%1 s").arg(formatFixed(seconds, 1));
}

} // namespace

RunPage::RunPage(QWidget* parent, std::span<const inference::Engine> engines)
    : Page(parent)
    , m_engine(new RunEngine(this))
    , m_session(new ChatSession(m_engine, this))
    , m_deletionBar(new NoticeBar(this))
    , m_readingBar(new NoticeBar(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_deletionBar->setObjectName(QStringLiteral("deletionBar"));
    m_readingBar->setObjectName(QStringLiteral("readingBar"));
    m_shelf = new ConversationShelf(m_session, m_deletionBar);
    m_bar = new RunToolBar(m_session, m_shelf, this);
    m_files = new ConversationFiles(m_session, m_shelf, this);
    m_bar->setFiles(m_files);
    m_finder = new ConversationFinder(m_session, m_shelf, this);
    QWidget* content = makeContent(engines);
    m_strip = new RunStrip(this);
    m_settings = new ChatSettingsPanel(m_session, m_loader, m_loadPanel, this);
    m_inspector = new TokenInspector(m_session, m_loader, m_chat->transcript(), this);
    connect(m_inspector, &TokenInspector::insideRequested, this, &RunPage::insideRequested);
    m_readLimit = new ReadLimit(m_engine, m_session, this);
    // Enabled only while an answer can be stopped, because Escape also cancels an edit.
    m_escape = new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(m_escape, &QShortcut::activated, m_session, &ChatSession::stop);

    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_bar, m_finder, content, m_deletionBar, m_readingBar, m_strip}) {
        left->addWidget(part, part == content ? 1 : 0);
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(left, 1);
    layout->addWidget(m_settings);

    connectEngine();
    connectConversations();
    connectSettings();
    connectSession();
    connectKeys();
    m_shelf->startNew();
}

RunPage::~RunPage() {
    m_shelf->saveIfChanged();
    m_engine->blockSignals(true); // the parts of the page are deleted one by one
    m_session->blockSignals(true);
}

QWidget* RunPage::makeContent(std::span<const inference::Engine> engines) {
    m_content = new QStackedWidget(this);
    m_loadPanel = new LoadPanel(m_content, engines);
    m_loader = new EngineLoader(m_engine, m_loadPanel, this);
    auto* loadArea = new QScrollArea(m_content); // low windows do not have its height
    loadArea->setFrameShape(QFrame::NoFrame);
    loadArea->setWidgetResizable(true);
    loadArea->setFocusPolicy(Qt::NoFocus);
    loadArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    loadArea->setWidget(m_loadPanel);
    loadArea->viewport()->setAutoFillBackground(false); // the page's background shows
    m_loadPanel->setAutoFillBackground(false);
    m_chat = new ChatPane(m_session, m_loader, m_content);
    m_content->addWidget(loadArea);
    m_content->addWidget(m_chat);
    return m_content;
}

void RunPage::connectEngine() {
    connect(m_loadPanel, &LoadPanel::downloadRequested, this, &RunPage::downloadRequested);
    connect(m_readingBar, &NoticeBar::dismissed, this, &RunPage::stopReading);
    connect(m_loader, &EngineLoader::changed, this, &RunPage::showState);
    connect(m_loader, &EngineLoader::lost, this, [this] { m_reading = true; }); // the conversation stays visible
    connect(m_loader, &EngineLoader::noticed, m_chat, &ChatPane::say);
    connect(m_readLimit, &ReadLimit::measured, this, &RunPage::showStrip);
}

void RunPage::connectConversations() {
    connect(m_bar, &RunToolBar::newRequested, this, [this] {
        m_shelf->startNew();
        m_chat->input()->setFocus();
    });
    connect(m_bar, &RunToolBar::modeChosen, this, &RunPage::setMode);
    connect(m_shelf, &ConversationShelf::startedNew, this, &RunPage::showState);
    connect(m_shelf, &ConversationShelf::shown, this, [this] {
        m_reading = !m_engine->isLoaded();
        m_settings->prompt()->showConversation();
        m_chat->transcript()->scrollToEnd();
        m_settings->prompt()->takeTemplate();
        showState();
    });
    connect(m_shelf, &ConversationShelf::noticed, m_chat, &ChatPane::say);
    connect(m_files, &ConversationFiles::noticed, m_chat, &ChatPane::say);
}

void RunPage::connectSettings() {
    connect(m_bar->shade(), &QCheckBox::toggled, this, [this] {
        m_inspector->card()->dismiss();
        m_chat->transcript()->setShaded(m_bar->shade()->isChecked() && hasShades());
    });
    connect(m_bar->settingsButton(), &QToolButton::toggled, this, [this](bool on) {
        m_settingsWanted = on;
        setSettingsShown(on);
    });
    connect(
        new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Comma), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
        &QShortcut::activated, m_bar->settingsButton(), &QToolButton::toggle);
    connect(m_settings->prompt(), &PromptPanel::edited, m_shelf, &ConversationShelf::saveSoon);
    connect(m_settings->prompt(), &PromptPanel::noticed, m_chat, &ChatPane::say);
    connect(m_settings->prompt(), &PromptPanel::templateTaken, this, &RunPage::showTemplateNotice);
    connect(m_settings->engine(), &EnginePanel::changed, this, &RunPage::showStatus);
    connect(m_settings->engine(), &EnginePanel::unloadRequested, m_engine, &RunEngine::unload);
}

void RunPage::connectSession() {
    Transcript* transcript = m_chat->transcript();
    connect(transcript, &Transcript::copyRequested, m_files, &ConversationFiles::copyTurn);
    connect(transcript, &Transcript::linkActivated, this, [this](const QString& target) {
        LinkQuestion::ask(this, target, tr("The address was written by the model and may be wrong or unsafe."));
    });
    connect(m_chat->composer(), &Composer::sent, this, &RunPage::send);
    connect(m_session, &ChatSession::busyChanged, this, [this] {
        if (m_session->isBusy()) {
            m_shelf->forgetDeletedTurns();
            m_strip->beginAnswer();
            m_chat->say({}, false);
            m_settings->prompt()->takeTemplate(); // shows its notice, if there is one
        }
        showState();
    });
    connect(m_session, &ChatSession::pathChanged, this, &RunPage::showState);
    connect(m_session, &ChatSession::textEdited, m_chat, &ChatPane::showState);
    connect(m_session, &ChatSession::turnGrown, this, [this] {
        m_strip->setFigures(m_session->figures());
        showStatus();
    });
    connect(m_session, &ChatSession::turnEnded, this, [this](int id) {
        m_strip->setFigures(m_session->figures());
        if (tree().turn(id).seed != 0) {
            m_settings->sampler()->showSeed(tree().turn(id).seed);
        }
    });
    connect(m_session, &ChatSession::promptProgressed, this, [this](quint64 done, quint64 total) {
        emit statusChanged(tr("Reading the prompt: %1 of %n tokens", nullptr, numerus(total)).arg(formatCount(done)),
                           {});
    });
    connect(m_session, &ChatSession::failed, this, &RunPage::sayError);
    connect(m_session, &ChatSession::templateFailed, this, &RunPage::sayTemplateProblem);
    connect(m_session, &ChatSession::specialsTyped, this, [this](const std::vector<std::string>& texts) {
        m_chat->say(tr("The model has read %1 in your text as control tokens. \"%2\" keeps them as text.")
                        .arg(typedSpecialsText(texts), m_settings->engine()->literalName()),
                    false);
    });
    connect(m_session, &ChatSession::statesRefused, this, [this](const std::vector<Error>& states) {
        m_chat->say(tr("%n kept prompts could not be used, because their files are damaged or belong to another "
                       "model.",
                       nullptr, numerus(states.size())),
                    false);
    });
}

void RunPage::connectKeys() {
    Transcript* transcript = m_chat->transcript();
    for (const RunKey& key : runKeys()) {
        if (key.command == RunCommand::Listed) {
            continue;
        }
        auto* shortcut = new QShortcut(QKeySequence(QLatin1String(key.keys)), this, nullptr, nullptr,
                                       Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, transcript, command = key.command] {
            switch (command) {
            case RunCommand::PreviousAnswer:
                return transcript->focusAnswer(-1);
            case RunCommand::NextAnswer:
                return transcript->focusAnswer(1);
            case RunCommand::PreviousVersion:
                return transcript->showVersion(-1);
            case RunCommand::NextVersion:
                return transcript->showVersion(1);
            case RunCommand::Regenerate:
                return transcript->regenerate();
            case RunCommand::EditLast:
                return transcript->editLast();
            case RunCommand::Send:
                return m_session->isBusy() ? void() : m_chat->composer()->button()->click();
            case RunCommand::Listed:
                return;
            }
        });
    }
    const auto writeMessage = [this] { m_chat->input()->setFocus(); };
    connect(transcript, &Transcript::leftDownwards, this, writeMessage);
    connect(m_finder, &ConversationFinder::closed, this, writeMessage);
    connect(m_finder, &ConversationFinder::lost, transcript, &Transcript::clearRange);
    connect(m_finder, &ConversationFinder::found, transcript,
            [transcript](const TurnMatch& match) { transcript->showRange(match.turn, match.begin, match.length); });
}

void RunPage::setDocument(ModelDocument* document) {
    m_document = document;
    m_loader->setDocument(document);
    connect(document, &ModelDocument::edited, this, [this](const TouchedParts& touched) {
        if (std::ranges::any_of(touched.keys,
                                [](const std::string& key) { return key.starts_with("tokenizer.chat_template"); })) {
            m_settings->prompt()->showTemplates();
        }
    });
}

void RunPage::setModel(std::shared_ptr<const Model> model) {
    m_model = model;
    m_loader->setModel(model);
    m_shelf->setGgufModel(model);
    m_loadPanel->setModel(model);
    m_settings->sampler()->setModel(model);
    m_chat->transcript()->setNames({.user = tr("You"), .model = modelName(), .tool = tr("Tool")});
    m_files->setNames({.system = tr("System"), .user = tr("You"), .model = modelName(), .tool = tr("Tool")});
    m_settings->prompt()->showTemplates();
    if (text::chatTemplates(m_model->metadata).empty()) {
        m_session->setMode(ChatMode::Completion); // probably a base model
    }
    showState();
}

QString RunPage::modelName() const {
    const auto name = m_model->metadata.string("general.name");
    return name && !name->empty() ? displayText(*name) : tr("Model");
}

void RunPage::activate() {
    if (m_document != nullptr) {
        m_loadPanel->setModel(m_document->current()); // loads the model as edited
    }
    m_loadPanel->activate();
    if (!m_activated) {
        m_activated = true;
        m_shelf->list();
    }
    showStatus();
}

// ---- showing the state

void RunPage::showState() {
    const bool loaded = m_engine->isLoaded();
    const bool wasLoaded = std::exchange(m_wasLoaded, loaded);
    m_reading = m_reading && !loaded && !tree().isEmpty();
    m_content->setCurrentIndex(loaded || m_reading ? 1 : 0);
    showReading();
    if (loaded && !wasLoaded) {
        takeEngine();
    } else if (!loaded && wasLoaded) {
        loseEngine();
    }
    showStrip();
    m_chat->showState();
    if (loaded && !wasLoaded && m_session->suits() && isVisible()) {
        m_chat->input()->setFocus(); // enabled by now
    }
    m_escape->setEnabled(m_session->isBusy());
    const auto missing = [this](Feature feature) {
        return m_loader->offers(feature) ? QString() : featureMissingTip(feature);
    };
    m_bar->showState(missing(Feature::Completion), hasShades() ? QString() : missing(Feature::Probabilities));
    m_chat->transcript()->setShaded(m_bar->shade()->isChecked() && hasShades());
    m_settings->showState();
    showStatus();
}

// An engine was loaded.
void RunPage::takeEngine() {
    const RunFacts& facts = *m_engine->facts();
    m_settings->engine()->takeEngine();
    if (tree().isEmpty() && !(m_loader->offers(Feature::Completion) && m_loader->offers(Feature::ChatTemplate))) {
        m_session->setMode(ChatMode::Chat);
    }
    m_readLimit->forget();
    m_settings->sampler()->setTokenizer(facts.tokenizer);
    m_inspector->card()->setWords(facts.tokenizer, [this](int cut) { return m_settings->sampler()->cutText(cut); });
    m_strip->setFigures({});
    m_settings->prompt()->showTemplates(); // with the engine's own
    m_chat->transcript()->refresh();
}

void RunPage::loseEngine() {
    m_settings->sampler()->setTokenizer(nullptr);
    m_settings->engine()->takeEngine();
    m_settings->prompt()->showTemplates();
    m_loadPanel->activate();
    m_strip->setFigures({});
}

void RunPage::showReading() {
    if (m_reading && m_readingBar->isHidden()) {
        m_readingBar->showNotice(tr("The model is not loaded: the conversation can be read, but not continued."),
                                 {{.text = tr("Load…"), .run = [this] { stopReading(); }}}, NoticeBar::Tone::Info);
    } else if (!m_reading) {
        m_readingBar->hide();
    }
}

void RunPage::stopReading() {
    m_reading = false;
    showState();
    m_loadPanel->loadButton()->setFocus();
}

void RunPage::showStrip() {
    const RunFacts* facts = m_engine->facts();
    m_strip->setContext(facts != nullptr ? facts->options.context : 0);
    m_strip->setPeak(m_readLimit->peak());
    m_strip->setCached(m_readLimit->isCached());
    m_strip->setVisible(facts != nullptr);
}

// Answers of another engine keep the probabilities that it gave.
bool RunPage::hasShades() const {
    const auto path = tree().path();
    return m_loader->offers(Feature::Probabilities) ||
           std::ranges::any_of(path, [this](int turn) { return tree().turn(turn).meanProbability().has_value(); });
}

QString RunPage::statusText() const {
    const inference::ResponseFigures& figures = m_session->figures();
    if (m_engine->state() == RunEngine::State::Loading) {
        return tr("Loading…");
    }
    if (m_session->isBusy()) {
        return figures.tokens > 0 ? tr("Generating, %n tokens in %1", nullptr, numerus(figures.tokens))
                                        .arg(durationText(figures.seconds))
                                  : tr("Reading the prompt…");
    }
    if (!m_engine->isLoaded()) {
        return tr("Not loaded");
    }
    return figures.tokens > 0 ? tr("Ready. The last answer: %n tokens in %1, %2 of %3 prompt tokens read", nullptr,
                                   numerus(figures.tokens))
                                    .arg(durationText(figures.seconds), formatCount(figures.readTokens),
                                         formatCount(figures.promptTokens))
                              : tr("Ready, loaded in %1").arg(durationText(m_engine->facts()->loadSeconds));
}

void RunPage::showStatus() {
    QStringList right;
    if (tree().mode == ChatMode::Chat && m_loader->offers(Feature::ChatTemplate)) {
        const TemplateBox::Choice* choice = m_settings->prompt()->usedTemplate();
        right << tr("Template: %1").arg(choice != nullptr ? choice->name : QString());
    }
    if (m_loader->offers(Feature::ContextShift)) {
        right << (m_settings->engine()->shifts() ? tr("Context shift on") : tr("Context shift off"));
    }
    emit statusChanged(statusText(), right);
}

void RunPage::showTemplateNotice() {
    if (const QString notice = m_settings->prompt()->templateNotice(); !notice.isEmpty()) {
        m_chat->say(notice, false);
    } else if (m_pictures) {
        m_chat->say(tr("The pictures of the conversation on the Template page are omitted: this engine supports text "
                       "only."),
                    false);
    } else if (!m_chat->showsError()) {
        m_chat->say({}, false);
    }
    showStatus();
}

void RunPage::sayError(const Error& error) {
    if (exceedsContext(error)) {
        const QString needed =
            tr("%n tokens are needed, and the context holds %1.", nullptr, numerus(std::stoull(error.args[1].text())))
                .arg(formatCount(std::stoull(error.args[2].text())));
        const QString remedy =
            !m_loader->offers(Feature::ContextShift)
                ? tr("This engine leaves out no older messages: begin a new conversation, or give it a larger "
                     "context.")
            : m_settings->engine()->couldShift()
                ? tr("Switch on \"%1\" to leave out the oldest messages, or load the model with a larger context.")
                      .arg(m_settings->engine()->shiftName())
                : tr("The last message does not fit on its own: shorten it, or load the model with a larger "
                     "context.");
        m_chat->say(needed + u' ' + remedy, true);
        return;
    }
    const QString hint = errorHint(error, m_loadPanel->engine().remote ? ServerKind::Engine : ServerKind::Files);
    m_chat->say(tr("There is no answer: %1.").arg(errorReason(error)) + (hint.isEmpty() ? QString() : u' ' + hint),
                true);
}

void RunPage::sayTemplateProblem(const text::TemplateProblem& problem) {
    const QString where = problem.line > 0 ? tr(" (line %1)").arg(problem.line) : QString();
    m_chat->say(tr("The template cannot render this conversation: %1%2").arg(templateProblemText(problem), where),
                true);
}

// ---- the conversation

void RunPage::setMode(ChatMode mode) {
    if (mode != tree().mode && !tree().isEmpty()) {
        m_shelf->startNew(); // a chat is not a text; the conversation stays in the list
    }
    m_session->setMode(mode);
    m_chat->say({}, false);
    m_settings->prompt()->takeTemplate();
    m_chat->transcript()->refresh();
    m_shelf->saveSoon();
    showState();
}

void RunPage::chatWith(const QString& templateName, bool pictures) {
    if (m_session->isBusy() || !m_settings->prompt()->templates()->choose(templateName)) {
        return;
    }
    m_pictures = pictures;
    if (tree().mode != ChatMode::Chat) {
        if (!tree().isEmpty()) {
            m_shelf->startNew();
        }
        m_session->setMode(ChatMode::Chat);
    }
    m_settings->prompt()->takeTemplate();
    showState();
    QWidget* next = m_engine->isLoaded() ? m_chat->input() : static_cast<QWidget*>(m_loadPanel->loadButton());
    next->setFocus();
}

// Empty if a message can be sent.
QString RunPage::whyNotSendable() const {
    if (const QString problem = m_settings->sampler()->grammarProblem(); !problem.isEmpty()) {
        return tr("The grammar cannot be used: %1").arg(problem);
    }
    if (const QString problem = m_settings->sampler()->biasProblem(); !problem.isEmpty()) {
        return tr("The logit bias cannot be used: %1").arg(problem);
    }
    const QString problem = m_settings->prompt()->toolsProblem();
    return problem.isEmpty() ? QString() : tr("The tools cannot be used: %1").arg(problem);
}

void RunPage::send(const QString& text) {
    const QString problem = whyNotSendable();
    if (!m_session->canAnswer() || !problem.isEmpty()) {
        m_chat->composer()->setText(text);
        if (m_session->canAnswer()) {
            m_chat->say(problem, true);
        }
        return;
    }
    m_readLimit->stop();
    m_pictures = false;
    m_chat->transcript()->scrollToEnd();
    if (tree().mode == ChatMode::Completion) {
        m_session->complete();
    } else if (m_session->isUnanswered() && text.trimmed().isEmpty()) {
        m_session->answer(tree().leaf());
    } else if (m_chat->takeSendsResult()) {
        m_session->sendResult(text);
    } else {
        m_session->send(text);
    }
}

// ---- the window

void RunPage::setSettingsShown(bool shown) {
    const QSignalBlocker quiet(m_bar->settingsButton());
    m_bar->settingsButton()->setChecked(shown);
    m_settings->setVisible(shown);
    m_bar->fit(width() - (shown ? m_settings->width() : 0));
}

void RunPage::keyPressEvent(QKeyEvent* event) {
    QWidget* field = m_chat->input();
    const bool isText = !event->text().isEmpty() && event->text().front().isPrint() &&
                        (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
    if (isText && field->isVisible() && field->isEnabled() && !field->hasFocus()) {
        field->setFocus(Qt::OtherFocusReason);
        QCoreApplication::sendEvent(field, event);
        return;
    }
    Page::keyPressEvent(event);
}

void RunPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < kNarrow;
    const bool changed = std::exchange(m_narrow, narrow) != narrow;
    setSettingsShown(changed ? !narrow && m_settingsWanted : m_bar->settingsButton()->isChecked());
}

QString RunPage::copyText(CopyFormat format) const {
    return format == CopyFormat::Tsv ? QString() : m_files->markdown();
}

QJsonObject RunPage::saveState() const {
    QJsonObject modelState{{QStringLiteral("load"), m_loadPanel->saveState()},
                           {QStringLiteral("thoughtLimit"), m_settings->prompt()->thoughtLimit()},
                           {QStringLiteral("sampler"), m_settings->sampler()->saveState()}};
    if (!tree().isEmpty()) {
        modelState.insert(QStringLiteral("conversation"), m_shelf->id());
    }
    if (const QString key = m_settings->prompt()->templates()->key(); !key.isEmpty()) {
        modelState.insert(QStringLiteral("template"), key);
    }
    QJsonObject state = m_settings->engine()->saveState();
    state.insert(QStringLiteral("shade"), m_bar->shade()->isChecked());
    state.insert(QStringLiteral("side"), m_settingsWanted);
    state.insert(QStringLiteral("keepPrompts"), RunToolBar::keepsPrompts());
    state.insert(QStringLiteral("model"), modelState);
    return state;
}

void RunPage::restoreState(const QJsonObject& state) {
    m_bar->shade()->setChecked(state[QStringLiteral("shade")].toBool());
    m_settings->engine()->restoreState(state);
    if (state[QStringLiteral("keepPrompts")].toBool()) {
        RunToolBar::keepPrompts(true);
    }
    m_settingsWanted = state[QStringLiteral("side")].toBool(true);
    setSettingsShown(m_settingsWanted);
    const QJsonObject modelState = state[QStringLiteral("model")].toObject();
    m_loadPanel->restoreState(modelState[QStringLiteral("load")].toObject());
    m_settings->sampler()->restoreState(modelState[QStringLiteral("sampler")].toObject());
    m_settings->prompt()->restoreThoughtLimit(modelState[QStringLiteral("thoughtLimit")].toInt(-1));
    m_settings->prompt()->templates()->restoreKey(modelState[QStringLiteral("template")].toString());
    m_shelf->restoreConversation(modelState[QStringLiteral("conversation")].toString());
}

} // namespace gufo::ui

#include "moc_run_page.cpp"
