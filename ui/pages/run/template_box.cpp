#include "ui/pages/run/template_box.h"

#include "text/conversation/conversation.h"
#include "text/template/chat_templates.h"
#include "ui/messages/figure_text.h"

#include <QSignalBlocker>

#include <algorithm>

namespace gufo::ui {
namespace {

// The display name of a built-in template. Templates of a model are named by their keys.
QString usualName(std::string_view name) {
    return name == "chatml"   ? QStringLiteral("ChatML")
           : name == "alpaca" ? QStringLiteral("Alpaca")
                              : QString::fromUtf8(name);
}

QString fromCore(std::string_view name) { return QString::fromUtf8(name); }

} // namespace

TemplateBox::TemplateBox(QWidget* parent)
    : QComboBox(parent) {
    setAccessibleName(tr("Chat template"));
}

void TemplateBox::fill(const Model& edited, const Model& saved, bool withEngines) {
    const QString before = count() > 0 && currentIndex() >= 0 ? key() : m_wanted;
    m_choices.clear();
    for (const text::ChatTemplate& each : text::chatTemplates(edited.metadata)) {
        const auto inFile = saved.metadata.string(text::chatTemplateKey(each.name));
        const QString name = displayText(each.name);
        m_choices.push_back({.name = inFile && *inFile == each.source ? name : tr("%1 (draft)").arg(name),
                             .source = fromCore(each.source),
                             .key = name,
                             .isModels = true});
    }
    for (const text::UsualTemplate& usual : text::usualTemplates()) {
        m_choices.push_back(
            {.name = usualName(usual.name), .source = fromCore(usual.source), .key = u'/' + fromCore(usual.name)});
    }
    if (withEngines) {
        m_choices.push_back({.name = tr("The server's own"), .key = QStringLiteral("/server"), .isEngines = true});
    }
    const QSignalBlocker quiet(this);
    clear();
    int current = 0;
    for (const Choice& choice : m_choices) {
        if (choice.key == before) {
            current = count();
        }
        addItem(choice.name);
    }
    setCurrentIndex(current);
}

bool TemplateBox::choose(const QString& key) {
    const auto choice = std::ranges::find(m_choices, key, &Choice::key);
    if (choice == m_choices.end()) {
        return false;
    }
    setCurrentIndex(static_cast<int>(choice - m_choices.begin()));
    return true;
}

const TemplateBox::Choice* TemplateBox::used(bool withTools) const {
    if (currentIndex() < 0) {
        return nullptr;
    }
    const Choice& choice = m_choices[static_cast<std::size_t>(currentIndex())];
    if (withTools && choice.isModels && choice.key == fromCore(text::kDefaultTemplate)) {
        const auto found = std::ranges::find_if(
            m_choices, [](const Choice& each) { return each.isModels && each.key == fromCore(text::kToolTemplate); });
        return found != m_choices.end() ? &*found : &choice;
    }
    return &choice;
}

QString TemplateBox::key() const {
    return currentIndex() >= 0 ? m_choices[static_cast<std::size_t>(currentIndex())].key : QString();
}

} // namespace gufo::ui

#include "moc_template_box.cpp"
