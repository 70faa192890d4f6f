// The part of RunPage that chooses the chat template, and shows what a template may support: tools and thinking.
#include "text/conversation/conversation.h"
#include "text/template/chat_templates.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/run/run_page.h"

#include <QSignalBlocker>

#include <algorithm>

namespace gufo::ui {
namespace {

using inference::Feature;

// The display name of a built-in template. Templates of a model are named by their keys.
QString usualName(std::string_view name) {
    return name == "chatml"   ? QStringLiteral("ChatML")
           : name == "alpaca" ? QStringLiteral("Alpaca")
                              : QString::fromUtf8(name);
}

} // namespace

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
                             .source = QString::fromUtf8(each.source),
                             .key = name,
                             .isModels = true});
    }
    for (const text::UsualTemplate& usual : text::usualTemplates()) {
        m_choices.push_back({.name = usualName(usual.name),
                             .source = QString::fromUtf8(usual.source),
                             .key = u'/' + QString::fromUtf8(usual.name),
                             .isModels = false});
    }
    if (offers(Feature::EngineTemplate)) {
        m_choices.push_back({.name = tr("The server's own"),
                             .source = {},
                             .key = QStringLiteral("/server"),
                             .isModels = false,
                             .isEngines = true});
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

// The chosen template, or in place of the model's default one its template for tools, if there are tools or `tools`
// says so. Null if there is no choice yet.
const RunPage::TemplateChoice* RunPage::usedTemplate(bool tools) const {
    const int index = m_templates->currentIndex();
    if (index < 0) {
        return nullptr;
    }
    const TemplateChoice& choice = m_choices[static_cast<std::size_t>(index)];
    const auto nameOf = [](std::string_view name) { return QString::fromUtf8(name); };
    if (choice.isModels && choice.key == nameOf(text::kDefaultTemplate) && (tools || !tree().tools.isEmpty())) {
        const auto found = std::ranges::find_if(m_choices, [&](const TemplateChoice& each) {
            return each.isModels && each.key == nameOf(text::kToolTemplate);
        });
        return found != m_choices.end() ? &*found : &choice;
    }
    return &choice;
}

void RunPage::takeTemplate() {
    const TemplateChoice* used = usedTemplate();
    if (used == nullptr || m_model == nullptr) {
        return;
    }
    const TemplateChoice& choice = *used;
    m_session->setTemplate(m_document != nullptr ? m_document->current() : m_model, choice.source, choice.isEngines);
    if (!choice.isModels && !choice.isEngines && tree().mode == ChatMode::Chat && offers(Feature::ChatTemplate)) {
        const bool modelHasTemplate = m_choices.front().isModels;
        say(modelHasTemplate
                ? tr("%1 is used instead of the model's own template: the quality of answers may suffer.")
                      .arg(choice.name)
                : tr("This file has no chat template. %1 is used instead, which the model may not be trained for: "
                     "the quality of answers may suffer. Completion needs no template.")
                      .arg(choice.name),
            false);
    } else if (m_pictures) {
        say(tr("The pictures of the conversation on the Template page are omitted: this engine supports text only."),
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

// Shows the tools beside the conversation, and changes the message field while a call of one waits for its result.
void RunPage::showTools() {
    const TemplateChoice* choice = usedTemplate(true);
    const bool takes =
        !offers(Feature::ChatTemplate) || // otherwise the template is the engine's, and what it accepts is unknown
        (choice != nullptr && (choice->isEngines || text::namesTools(choice->source.toStdString())));
    const bool completes = tree().mode == ChatMode::Completion;
    m_tools->setEnabled(takes && !completes);
    m_tools->setPlaceholderText(completes ? tr("not used in a completion")
                                : takes   ? tr("a list, as JSON")
                                          : tr("not supported by this template"));
    if (m_tools->isValid()) {
        m_tools->setToolTip(completes ? tr("Not used in a completion")
                            : takes   ? tr("Functions that the model may call; you enter their results")
                                      : tr("This template does not support tools"));
    }
    m_tools->showValidity(*m_toolsState);
    m_toolsExample->setVisible(m_tools->tools().isEmpty() && m_tools->isEnabled());
    const QStringList calls = completes || m_session->isBusy() ? QStringList() : tree().pendingCalls();
    if (!calls.isEmpty()) {
        constexpr qsizetype kMaxNameLength = 30;
        const QString name = calls.front().size() <= kMaxNameLength
                                 ? calls.front()
                                 : calls.front().left(kMaxNameLength - 1) + QChar(0x2026);
        m_sendAs->segment(0)->setText(tr("Result of %1").arg(name).replace(u'&', QStringLiteral("&&")));
        m_sendAs->segment(0)->updateGeometry();
        m_sendAs->updateGeometry();
        if (m_sendAs->current() == 0) {
            m_composer->setPlaceholder(tr("The result of %1, as JSON or text").arg(name));
        }
    }
    m_sendAs->setVisible(!calls.isEmpty());
}

void RunPage::showThinking() {
    const TemplateChoice* choice = usedTemplate();
    m_thinkingRow->setVisible(choice != nullptr && !text::thinkingVariable(choice->source.toStdString()).empty());
    m_thinking->setCurrentIndex(tree().thinking ? m_thinking->findData(*tree().thinking) : 0);
}

} // namespace gufo::ui
