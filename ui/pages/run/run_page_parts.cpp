// The layout of the Run page. run_page_connections.cpp says what its parts do.
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/models/template_input.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/shade_legend.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/separator.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_button.h"
#include "ui/widgets/tool_strip.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kTitleWidth = 340;
constexpr int kSideWidth = 296;
constexpr int kSystemHeight = 64;

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
    connectLoading();
    connectToolBar();
    connectInput();
    connectSettings();
    connectSession();
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
    m_more = makeToolButton(QStringLiteral("more"),
                            tr("Rename or delete the conversation; import one; run models side by side"), bar);
    m_shade = new QCheckBox(tr("Shade by probability"), bar);
    m_copy = makeToolButton(QStringLiteral("copy"), tr("Copy the conversation as Markdown"), bar);
    m_export = makeToolButton(QStringLiteral("export"), tr("Export the conversation"), bar);
    m_sideButton = makeToolButton(QStringLiteral("sliders"), tr("Sampling and engine (Ctrl+,)"), bar);
    m_sideButton->setCheckable(true);
    m_sideButton->setChecked(true);
    auto* layout = bar->layout();
    layout->addWidget(m_mode);
    layout->addWidget(m_conversations);
    layout->addWidget(m_new);
    layout->addWidget(m_more);
    m_shadeParts.front() = makeSeparator(Qt::Vertical, bar);
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
    layout->addWidget(makeSeparator(Qt::Horizontal, content));
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
    layout->addWidget(makeSeparator(Qt::Horizontal, content));
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
    row->addWidget(makeSeparator(Qt::Vertical, side));
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
            const bool had = !tree().tools.isEmpty();
            m_session->setTools(m_tools->isValid() ? m_tools->tools() : QString());
            keepSoon();
            if (had == tree().tools.isEmpty()) {
                takeTemplate(); // models may have a template of their own for tools
            }
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
    m_shift = new QCheckBox(tr("Context shift"), section);
    m_shift->setChecked(true);
    layout->addWidget(m_shift);
    m_literal = new QCheckBox(tr("Literal content"), section);
    m_literal->setToolTip(tr("Keep the texts of control tokens, such as <|im_end|>, as text where they occur in a "
                             "message; otherwise they become control tokens, as in transformers"));
    layout->addWidget(m_literal);
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

} // namespace gufo::ui
