#include "ui/compare/differences/rendered_templates.h"

#include "text/conversation/battery.h"
#include "ui/messages/problem_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::RenderedTemplates)
};

std::vector<text::BatteryRendering> render(text::TemplateRenderer& renderer, const TemplateOf& chosen,
                                           const std::stop_token& stop) {
    return chosen.source.empty() ? std::vector<text::BatteryRendering>()
                                 : text::renderBattery(chosen.model->metadata, chosen.source, renderer, stop);
}

void append(std::string& text, const QString& title, const text::BatteryRendering& rendering) {
    text += (title + u'\n').toStdString();
    text += rendering.text ? *rendering.text
            : rendering.problem
                ? Words::tr("Not rendered: %1").arg(templateProblemText(*rendering.problem)).toStdString()
                : std::string();
    text += "\n\n";
}

} // namespace

RenderedTemplates renderBoth(const TemplateOf& before, const TemplateOf& after, const std::stop_token& stop) {
    text::TemplateRenderer renderer;
    const auto first = render(renderer, before, stop);
    const auto second = render(renderer, after, stop);
    RenderedTemplates both;
    both.conversations = std::min(first.size(), second.size());
    for (std::size_t i = 0; i < both.conversations; ++i) {
        const bool same = first[i].sameAs(second[i]);
        both.different += same ? 0 : 1;
        both.refused += same && !first[i].text ? 1 : 0;
    }
    for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
        const bool isShown = i >= both.conversations || both.different == 0 || !first[i].sameAs(second[i]);
        const auto& any = i < first.size() ? first[i] : second[i];
        const QString title =
            QStringLiteral("── %1 ──").arg(QCoreApplication::translate("Battery", any.conversation->title));
        if (isShown && i < first.size()) {
            append(both.before, title, first[i]);
        }
        if (isShown && i < second.size()) {
            append(both.after, title, second[i]);
        }
    }
    return both;
}

} // namespace gufo::ui
