#include "ui/pages/run/chat_settings_panel.h"

#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QScrollArea>

namespace gufo::ui {
namespace {

constexpr int kPanelWidth = 296;
constexpr std::size_t kCandidates = 8;

} // namespace

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
