// The layout of the Run page.
#include "inference/prefixes/prefix_store.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/models/template_input.h"
#include "ui/pages/run/run_page.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QShortcut>
#include <QVBoxLayout>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kTitleWidth = 340;
constexpr int kSideWidth = 296;
constexpr int kSystemHeight = 64;
constexpr std::size_t kCandidates = 8;
constexpr int kProgressMilliseconds = 100;

QToolButton* toolButton(const QString& icon, const QString& text, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(themeIcon(icon));
    button->setAutoRaise(true);
    button->setToolTip(text);
    button->setAccessibleName(text);
    return button;
}

QFrame* line(QFrame::Shape shape, QWidget* parent) {
    auto* made = new QFrame(parent);
    made->setFrameShape(shape);
    if (shape == QFrame::VLine) {
        made->setFixedWidth(1);
    } else {
        made->setFixedHeight(1);
    }
    return made;
}

// Explains the shades of tokens.
class ShadeLegend : public QWidget {
public:
    explicit ShadeLegend(QWidget* parent)
        : QWidget(parent) {
        setAccessibleName(
            RunPage::tr("Shades: from none for likely tokens to the strongest for a probability of 0.01 or less"));
        connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    }
    [[nodiscard]] QSize sizeHint() const override {
        const QFontMetrics metrics(themeFont(TextStyle::Axis));
        return {metrics.horizontalAdvance(first()) + metrics.horizontalAdvance(last()) + kBar + 16, 20};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 20}; }

protected:
    void paintEvent(QPaintEvent*) override {
        if (width() < sizeHint().width()) {
            return; // no room
        }
        QPainter painter(this);
        painter.setFont(themeFont(TextStyle::Axis));
        painter.setPen(themeColor(Token::Muted));
        const int left = painter.fontMetrics().horizontalAdvance(first()) + 8;
        painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, first());
        painter.drawText(QRect(left + kBar + 8, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, last());
        for (int x = 0; x < kBar; ++x) { // the logarithm of the probability, from 1 to 0.01
            const double logProbability = -std::log(100.0) * x / (kBar - 1);
            painter.fillRect(left + x, 4, 1, height() - 8, shadeOf(logProbability));
        }
        painter.setPen(themeColor(Token::Line));
        painter.drawRect(left, 4, kBar - 1, height() - 9);
    }

private:
    static constexpr int kBar = 110;
    static QString first() { return RunPage::tr("likely 1"); }
    static QString last() { return RunPage::tr("0.01 unlikely"); }
};

QLabel* factRow(const QString& name, QVBoxLayout* layout, QWidget* parent) {
    auto* row = new QHBoxLayout;
    row->addWidget(themedLabel(name, TextStyle::Table, Token::Muted, parent));
    row->addStretch();
    QLabel* value = themedLabel({}, TextStyle::Table, Token::Text, parent);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(value);
    layout->addLayout(row);
    return value;
}

} // namespace

RunPage::RunPage(QWidget* parent, std::span<const inference::Engine> engines)
    : Page(parent)
    , m_engine(new RunEngine(this))
    , m_session(new ChatSession(m_engine, this))
    , m_localServer(new LocalServer(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(makeToolBar());
    m_deletionBar = new NoticeBar(this);
    m_readingBar = new NoticeBar(this);
    connect(m_readingBar, &NoticeBar::dismissed, this, &RunPage::stopReading);
    m_content = new QStackedWidget(this);
    m_loadPanel = new LoadPanel(m_content, engines);
    auto* loadArea = new QScrollArea(m_content); // low windows do not have its height
    loadArea->setFrameShape(QFrame::NoFrame);
    loadArea->setWidgetResizable(true);
    loadArea->setFocusPolicy(Qt::NoFocus);
    loadArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    loadArea->setWidget(m_loadPanel);
    loadArea->viewport()->setAutoFillBackground(false); // the page's background shows
    m_loadPanel->setAutoFillBackground(false);
    m_content->addWidget(loadArea);
    m_content->addWidget(makeChat());
    left->addWidget(m_content, 1);
    left->addWidget(m_deletionBar);
    left->addWidget(m_readingBar);
    m_strip = new RunStrip(this);
    left->addWidget(m_strip);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(left, 1);
    m_side = makeSide();
    layout->addWidget(m_side);
    m_card = new TokenCard(this);
    m_keepSoon.setSingleShot(true);
    m_keepSoon.setInterval(800);
    connectParts();
    connectCard();
    connectServer();
    newConversation();
    showState();
}

QWidget* RunPage::makeToolBar() {
    auto* bar = new ToolStrip(this);
    m_mode = new SegmentedControl(tr("Mode"), bar);
    m_mode->addSegment(tr("Chat"), {}, tr("Questions and answers through the model's chat template"));
    m_mode->addSegment(tr("Completion"), {}); // the tooltips depend on the engine: showFeatures()
    m_conversations = new QComboBox(bar);
    m_conversations->setAccessibleName(tr("Conversation"));
    m_conversations->setToolTip(tr("The conversations with this model"));
    m_conversations->view()->setMinimumWidth(kTitleWidth); // the titles are wider than the box
    m_conversations->view()->setTextElideMode(Qt::ElideRight);
    m_conversations->setMinimumWidth(146);
    m_conversations->setMaximumWidth(180);
    m_conversations->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_conversations->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_new = new QPushButton(tr("New"), bar);
    m_new->setIcon(themeIcon(QStringLiteral("plus")));
    m_new->setToolTip(tr("Start a new conversation"));
    m_new->setAccessibleName(tr("New"));
    m_more = toolButton(QStringLiteral("more"),
                        tr("Rename or delete the conversation; import one; run models side by side"), bar);
    m_shade = new QCheckBox(tr("Shade by probability"), bar);
    m_copy = toolButton(QStringLiteral("copy"), tr("Copy the conversation as Markdown"), bar);
    m_export = toolButton(QStringLiteral("export"), tr("Export the conversation"), bar);
    m_sideButton = toolButton(QStringLiteral("sliders"), tr("Sampling and engine (Ctrl+,)"), bar);
    m_sideButton->setCheckable(true);
    m_sideButton->setChecked(true);
    auto* layout = bar->layout();
    layout->addWidget(m_mode);
    layout->addWidget(m_conversations);
    layout->addWidget(m_new);
    layout->addWidget(m_more);
    m_shadeParts.front() = line(QFrame::VLine, bar);
    layout->addWidget(m_shadeParts.front());
    layout->addWidget(m_shade);
    auto* legend = new ShadeLegend(bar);
    legend->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    layout->addWidget(legend);
    m_shadeParts.back() = legend;
    static_cast<QHBoxLayout*>(layout)->addStretch(1);
    layout->addWidget(m_copy);
    layout->addWidget(m_export);
    layout->addWidget(m_sideButton);
    return bar;
}

QWidget* RunPage::makeChat() {
    auto* chat = new QWidget(m_content);
    m_turns = new QStackedWidget(chat);
    m_empty = new EmptyState(m_turns);
    m_transcript = new Transcript(m_session, m_turns);
    m_turns->addWidget(m_empty);
    m_turns->addWidget(m_transcript);
    auto* foot = new QWidget(chat);
    QGridLayout* columns = chatColumns(foot);
    columns->setContentsMargins(12, 4, 12 + kScrollBarExtent, 14); // aligned with the text of the turns
    m_noticeRow = new QWidget(foot);
    m_noticeRow->setMaximumWidth(kTextWidth);
    m_notice = themedLabel({}, TextStyle::Table, Token::WarningText, m_noticeRow);
    m_notice->setWordWrap(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* notice = new QHBoxLayout(m_noticeRow);
    notice->setContentsMargins(2, 0, 2, 6);
    notice->addWidget(m_notice);
    m_noticeRow->hide();
    m_sendAs = new SegmentedControl(tr("Send as"), m_noticeRow->parentWidget());
    m_sendAs->addSegment(tr("Result"), {}, tr("The result of the tool that the model has called"));
    m_sendAs->addSegment(tr("Message"), {}, tr("Say something else instead"));
    m_sendAs->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_sendAs->hide();
    connect(m_sendAs, &SegmentedControl::chosen, this, &RunPage::showState);
    m_composer = new Composer(foot);
    m_composer->setMaximumWidth(kTextWidth);
    auto* speaker = new QWidget(foot); // in the turns' column, because a grid has no gap beside an empty one
    speaker->setFixedSize(kSpeakerWidth, 1);
    columns->addWidget(speaker, 2, 1);
    columns->addWidget(m_noticeRow, 0, 2);
    columns->addWidget(m_sendAs, 1, 2);
    columns->addWidget(m_composer, 2, 2);
    auto* layout = new QVBoxLayout(chat);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_turns, 1);
    layout->addWidget(foot);
    return chat;
}

QWidget* RunPage::makeSide() {
    auto* side = new QWidget(this);
    side->setFixedWidth(kSideWidth + 1);
    auto* head = new ToolStrip(side);
    auto* content = new QWidget(side);
    m_sampler = new SamplerPanel(content);
    head->layout()->setContentsMargins(16, 0, 16, 1);
    head->layout()->addWidget(themedLabel(tr("Sampling"), TextStyle::Section, Token::Text, head));
    static_cast<QHBoxLayout*>(head->layout())->addStretch();
    head->layout()->addWidget(m_sampler->presetCombo());
    m_sampler->presetCombo()->setMinimumWidth(126);

    m_templates = new QComboBox(content);
    m_templates->setAccessibleName(tr("Chat template"));
    m_system = new QPlainTextEdit(content);
    m_system->setFixedHeight(kSystemHeight);
    m_system->setTabChangesFocus(true);
    m_system->setAccessibleName(tr("System prompt"));
    m_system->setToolTip(tr("Precedes the conversation; not all templates support it"));

    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(m_sampler);
    layout->addSpacing(6);
    layout->addWidget(line(QFrame::HLine, content));
    layout->addWidget(themedLabel(tr("System prompt"), TextStyle::Section, Token::Text, content));
    layout->addWidget(m_system);
    const auto captionOf = [](const QString& text, QWidget* parent) {
        constexpr int kCaptionWidth = 60;
        QLabel* caption = themedLabel(text, TextStyle::Table, Token::Text, parent);
        caption->setFixedWidth(kCaptionWidth);
        return caption;
    };
    auto* templateRow = new QHBoxLayout;
    templateRow->addWidget(captionOf(tr("Template"), content));
    templateRow->addWidget(m_templates, 1);
    layout->addLayout(templateRow);
    m_thinkingRow = new QWidget(content);
    m_thinking = new QComboBox(m_thinkingRow);
    m_thinking->addItem(tr("Template's default"));
    m_thinking->addItem(tr("On"), true);
    m_thinking->addItem(tr("Off"), false);
    m_thinking->setAccessibleName(tr("Thinking"));
    auto* thinkingRow = new QHBoxLayout(m_thinkingRow);
    thinkingRow->setContentsMargins(0, 0, 0, 0);
    thinkingRow->addWidget(captionOf(tr("Thinking"), m_thinkingRow));
    thinkingRow->addWidget(m_thinking, 1);
    layout->addWidget(m_thinkingRow);
    layout->addWidget(makeToolsSection(content));
    layout->addSpacing(6);
    layout->addWidget(line(QFrame::HLine, content));
    layout->addWidget(makeEngineSection(content));
    layout->addStretch();

    auto* scroll = new QScrollArea(side);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    content->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(scroll, 1);
    auto* row = new QHBoxLayout(side);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(line(QFrame::VLine, side));
    row->addLayout(column, 1);
    return side;
}

QWidget* RunPage::makeToolsSection(QWidget* parent) {
    auto* section = new QWidget(parent);
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(6);
    m_toolsState = themedLabel({}, TextStyle::Table, Token::Good, section);
    m_toolsExample = new QPushButton(tr("Example"), section);
    m_toolsExample->setProperty("small", true);
    m_toolsExample->setToolTip(tr("Offer the model an example tool that reports the weather"));
    auto* head = new QHBoxLayout;
    head->addWidget(themedLabel(tr("Tools"), TextStyle::Section, Token::Text, section));
    head->addStretch();
    head->addWidget(m_toolsState);
    head->addWidget(m_toolsExample);
    m_tools = new ToolsEdit(section);
    layout->addLayout(head);
    layout->addWidget(m_tools);
    connect(m_toolsExample, &QPushButton::clicked, this, [this] {
        for (const ConversationPreset& preset : conversationPresets()) {
            if (!preset.conversation.tools.isEmpty()) {
                m_tools->setPlainText(preset.conversation.tools);
                m_tools->setFocus();
                return;
            }
        }
    });
    connect(m_tools, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_filling) {
            m_session->setTools(m_tools->isValid() ? m_tools->tools() : QString());
            keepSoon();
        }
        showTools();
    });
    return section;
}

QWidget* RunPage::makeEngineSection(QWidget* parent) {
    auto* section = new QWidget(parent);
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(themedLabel(tr("Engine"), TextStyle::Section, Token::Text, section));
    head->addStretch();
    m_engineState = themedLabel({}, TextStyle::Table, Token::Muted, section);
    head->addWidget(m_engineState);
    layout->addLayout(head);
    m_serverState = themedLabel({}, TextStyle::Table, Token::Text, section);
    m_serverState->setWordWrap(true);
    m_serverState->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_serverState->hide();
    layout->addWidget(m_serverState);
    m_context = factRow(tr("Context"), layout, section);
    m_kv = factRow(tr("KV cache"), layout, section);
    m_memory = factRow(tr("Total memory"), layout, section);
    m_threads = factRow(tr("Threads"), layout, section);
    m_shift = new QCheckBox(tr("Shift a full context"), section);
    m_shift->setChecked(true);
    layout->addWidget(m_shift);
    m_afterSamplers = new QCheckBox(tr("Probabilities after the samplers"), section);
    layout->addWidget(m_afterSamplers);
    m_drafts = new DraftField(section);
    layout->addWidget(m_drafts);
    m_change = new QPushButton(tr("Change…"), section);
    m_change->setToolTip(tr("Unload the model to change context, KV cache and threads; conversations are kept"));
    m_unload = new QPushButton(tr("Unload"), section);
    m_unload->setToolTip(tr("Free the memory"));
    for (QPushButton* button : {m_change, m_unload}) {
        button->setProperty("small", true);
    }
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_change);
    buttons->addWidget(m_unload);
    buttons->addStretch();
    layout->addLayout(buttons);
    return section;
}

void RunPage::connectParts() {
    connect(m_loadPanel, &LoadPanel::loadRequested, this, &RunPage::load);
    connect(m_loadPanel, &LoadPanel::cancelRequested, this, [this] {
        m_localServer->stop();
        m_engine->unload();
    });
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
    connect(m_new, &QPushButton::clicked, this, [this] {
        newConversation();
        m_composer->field()->setFocus();
    });
    auto* more = new QMenu(m_more);
    more->addAction(tr("Rename…"), this, &RunPage::renameConversation);
    more->addAction(tr("Delete"), this, &RunPage::deleteConversation);
    more->addSeparator();
    more->addAction(tr("Import…"), this, &RunPage::askWhatToImport);
    more->addSeparator();
    m_keepPrompts = more->addAction(tr("Keep read prompts on the disk"), this, &RunPage::keepPrompts);
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
    m_more->setMenu(more);
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
    const auto takeSettings = [this] {
        ChatSettings settings = m_sampler->settings();
        settings.generation.candidates = kCandidates;
        settings.generation.shift = m_shift->isChecked() && m_shift->isEnabled();
        settings.afterSamplers = m_afterSamplers->isChecked();
        settings.drafter = m_drafts->drafter();
        m_session->setSettings(settings);
        showStatus();
    };
    connect(m_sampler, &SamplerPanel::changed, this, takeSettings);
    connect(m_shift, &QCheckBox::toggled, this, takeSettings);
    connect(m_afterSamplers, &QCheckBox::toggled, this, takeSettings);
    connect(m_drafts, &DraftField::changed, this, takeSettings);
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
        say(tr("%n kept prompts could not be used, because their files are damaged or belong elsewhere.", nullptr,
               numerus(states.size())),
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
        m_engine->unload();
        const QString lines = m_localServer->lastLines();
        m_loadPanel->showProblem(lines.isEmpty() ? what + u'.' : tr("%1. Its last lines:").arg(what) + u'\n' + lines);
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
