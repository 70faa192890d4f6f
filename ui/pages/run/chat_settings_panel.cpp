#include "ui/pages/run/chat_settings_panel.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/run/load_panel.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QThread>

namespace gufo::ui {
namespace {

constexpr int kPanelWidth = 296;
constexpr std::size_t kCandidates = 8;

} // namespace

using inference::Feature;

EnginePanel::EnginePanel(EngineLoader* loader, const LoadPanel* loadPanel, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_loadPanel(loadPanel)
    , m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(themedLabel(tr("Engine"), TextStyle::Section, Token::Text, this));
    head->addStretch();
    m_state = themedLabel({}, TextStyle::Table, Token::Muted, this);
    m_state->setObjectName(QStringLiteral("engineState"));
    head->addWidget(m_state);
    m_layout->addLayout(head);
    m_server = themedLabel({}, TextStyle::Table, Token::Text, this);
    m_server->setObjectName(QStringLiteral("serverState"));
    m_server->setWordWrap(true);
    m_server->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_server->hide();
    m_layout->addWidget(m_server);
    m_context = addFact("context", tr("Context"));
    m_kv = addFact("kvCache", tr("KV cache"));
    m_memory = addFact("memory", tr("Total memory"));
    m_threads = addFact("threads", tr("Threads"));
    const auto addOption = [this](const char* name, const QString& text) {
        auto* box = new QCheckBox(text, this);
        box->setObjectName(QLatin1String(name));
        m_layout->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &EnginePanel::changed);
        return box;
    };
    m_shift = addOption("contextShift", tr("Context shift"));
    m_shift->setChecked(true);
    m_literal = addOption("literalContent", tr("Literal content"));
    m_literal->setToolTip(tr("Keep the texts of control tokens, such as <|im_end|>, as text where they occur in a "
                             "message; otherwise they become control tokens, as in transformers"));
    m_afterSamplers = addOption("afterSamplers", tr("Probabilities after the samplers"));
    m_drafts = new DraftField(this);
    m_layout->addWidget(m_drafts);
    connect(m_drafts, &DraftField::changed, this, &EnginePanel::changed);
    m_change = new QPushButton(tr("Change…"), this);
    m_change->setToolTip(tr("Unload the model to change context, KV cache and threads; conversations are kept"));
    m_unload = new QPushButton(tr("Unload"), this);
    m_unload->setObjectName(QStringLiteral("unload"));
    m_unload->setToolTip(tr("Free the memory"));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_change, m_unload}) {
        button->setProperty("small", true);
        buttons->addWidget(button);
        connect(button, &QPushButton::clicked, this, &EnginePanel::unloadRequested);
    }
    buttons->addStretch();
    m_layout->addLayout(buttons);
}

QLabel* EnginePanel::addFact(const char* name, const QString& caption) {
    auto* row = new QHBoxLayout;
    row->addWidget(themedLabel(caption, TextStyle::Table, Token::Muted, this));
    row->addStretch();
    QLabel* value = themedLabel({}, TextStyle::Table, Token::Text, this);
    value->setObjectName(QLatin1String(name));
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(value);
    m_layout->addLayout(row);
    return value;
}

void EnginePanel::takeEngine() { m_drafts->setFacts(m_loader->facts()); }

void EnginePanel::addTo(ChatSettings& settings) const {
    settings.generation.shift = shifts();
    settings.afterSamplers = m_afterSamplers->isChecked();
    settings.literalContent = m_literal->isChecked();
    settings.drafter = m_drafts->drafter();
    settings.mtpDrafts = m_drafts->mtpDrafts();
}

void EnginePanel::showState() {
    const RunFacts* facts = m_loader->facts();
    m_state->setText(facts != nullptr ? tr("loaded") : m_loader->isOpening() ? tr("loading…") : tr("not loaded"));
    setTextColor(m_state, facts != nullptr ? Token::Good : Token::Muted);
    showServer(facts);
    showFacts(facts);
    const auto allow = [this](QWidget* widget, Feature feature, const QString& tip) {
        widget->setEnabled(m_loader->offers(feature));
        widget->setToolTip(m_loader->offers(feature) ? tip : featureMissingTip(feature));
    };
    allow(m_shift, Feature::ContextShift,
          tr("When the context is full, leave out the oldest messages, or the older half of a text, and continue; "
             "otherwise the answer ends. The system message stays."));
    allow(m_afterSamplers, Feature::AfterSamplers,
          tr("Show the probabilities that the samplers have left, instead of those before them"));
    m_afterSamplers->setVisible(m_loader->offers(Feature::AfterSamplers));
    m_literal->setVisible(m_loader->capabilities().input == inference::Input::Tokens);
    m_drafts->setEngine(m_loader->capabilities());
    m_change->setEnabled(facts != nullptr);
    m_unload->setEnabled(facts != nullptr);
}

void EnginePanel::showServer(const RunFacts* facts) {
    const bool isShown = facts != nullptr && facts->server;
    m_server->setVisible(isShown);
    if (isShown) {
        m_server->setText(displayText(facts->options.server.address) + QStringLiteral(": ") +
                          ui::serverText(*facts->server) + QStringLiteral("; ") + serverMatchText(facts->match) + u'.');
    }
}

void EnginePanel::showFacts(const RunFacts* facts) {
    const QString none = QStringLiteral("–");
    const bool isForecast = m_loader->offers(Feature::MemoryForecast);
    for (QLabel* label : {m_context, m_kv, m_memory, m_threads}) {
        label->setText(none);
    }
    for (QLabel* label : {m_kv, m_memory}) {
        label->setToolTip(isForecast ? QString() : featureMissingTip(Feature::MemoryForecast));
    }
    if (facts == nullptr) {
        return;
    }
    const inference::SessionOptions& options = facts->options;
    if (options.context != 0) {
        const QString rope = ropeText(options.rope);
        m_context->setText(tr("%n tokens", nullptr, numerus(options.context)) +
                           (rope.isEmpty() ? QString() : QStringLiteral(", ") + rope));
    }
    const QString keys = latin1(kvCacheTypeName(options.keys));
    const QString values = latin1(kvCacheTypeName(options.values));
    const QString type = keys == values ? keys : tr("%1 and %2").arg(keys, values);
    if (const auto& needs = m_loadPanel->needs()) {
        m_kv->setText(tr("%1, %2").arg(type, formatBytes(needs->kvCache + needs->recurrentState)));
        m_memory->setText(formatBytes(needs->total()));
    } else if (isForecast) {
        m_kv->setText(type);
    }
    if (options.threads != 0) {
        const QString threads = tr("%1 of %2").arg(options.threads).arg(QThread::idealThreadCount());
        const bool isOtherProcess = facts->processDescriptor >= 0; // has instruction sets of its own
        m_threads->setText(isOtherProcess ? threads : threads + QStringLiteral(", ") + displayText(cpuDescription()));
    }
}

QJsonObject EnginePanel::saveState() const {
    return {{QStringLiteral("shift"), m_shift->isChecked()},
            {QStringLiteral("literalContent"), m_literal->isChecked()}};
}

void EnginePanel::restoreState(const QJsonObject& state) {
    m_shift->setChecked(state[QStringLiteral("shift")].toBool(true));
    m_literal->setChecked(state[QStringLiteral("literalContent")].toBool());
}

ChatSettingsPanel::ChatSettingsPanel(ChatSession* session, EngineLoader* loader, const LoadPanel* loadPanel,
                                     QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_loader(loader) {
    setFixedWidth(kPanelWidth + 1);
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    m_sampler = new SamplerPanel(content);
    m_prompt = new PromptPanel(session, loader, content);
    m_engine = new EnginePanel(loader, loadPanel, content);
    auto* sections = new QVBoxLayout(content);
    sections->setContentsMargins(16, 12, 16, 16);
    sections->setSpacing(8);
    sections->addWidget(m_sampler);
    sections->addSpacing(6);
    sections->addWidget(makeSeparator(Qt::Horizontal, content));
    sections->addWidget(m_prompt);
    sections->addSpacing(6);
    sections->addWidget(makeSeparator(Qt::Horizontal, content));
    sections->addWidget(m_engine);
    sections->addStretch();

    auto* head = new ToolStrip(this);
    head->layout()->setContentsMargins(16, 0, 16, 1);
    head->layout()->addWidget(themedLabel(tr("Sampling"), TextStyle::Section, Token::Text, head));
    static_cast<QHBoxLayout*>(head->layout())->addStretch();
    head->layout()->addWidget(m_sampler->presetCombo());
    m_sampler->presetCombo()->setMinimumWidth(126);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(scroll, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(makeSeparator(Qt::Vertical, this));
    row->addLayout(column, 1);

    connect(m_sampler, &SamplerPanel::changed, this, &ChatSettingsPanel::takeSettings);
    connect(m_prompt, &PromptPanel::limitChanged, this, &ChatSettingsPanel::takeSettings);
    connect(m_engine, &EnginePanel::changed, this, &ChatSettingsPanel::takeSettings);
}

void ChatSettingsPanel::takeSettings() {
    ChatSettings settings = m_sampler->settings();
    settings.generation.candidates = kCandidates;
    m_prompt->addTo(settings);
    m_engine->addTo(settings);
    m_session->setSettings(settings);
}

void ChatSettingsPanel::showState() {
    m_prompt->showState();
    m_engine->showState();
    m_sampler->setEngine(m_loader->capabilities());
}

} // namespace gufo::ui

#include "moc_chat_settings_panel.cpp"
