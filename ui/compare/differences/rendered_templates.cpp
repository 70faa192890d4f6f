#include "ui/compare/differences/rendered_templates.h"

#include "text/template/chat_templates.h"
#include "text/template/template_renderer.h"
#include "ui/messages/template_text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::RenderedTemplates)
};

QString conversation(bool withSystem) {
    QJsonArray messages;
    const auto add = [&](const QString& role, const QString& content) {
        messages.append(QJsonObject{{QStringLiteral("role"), role}, {QStringLiteral("content"), content}});
    };
    if (withSystem) {
        add(QStringLiteral("system"), Words::tr("You are a helpful assistant."));
    }
    add(QStringLiteral("user"), Words::tr("What is an owl?"));
    add(QStringLiteral("assistant"), Words::tr("A bird that hunts at night."));
    add(QStringLiteral("user"), Words::tr("Thank you. And what does it eat?"));
    return QString::fromUtf8(QJsonDocument(messages).toJson(QJsonDocument::Compact));
}

text::Rendering render(text::TemplateRenderer& renderer, const TemplateOf& chosen, bool withSystem,
                       const std::stop_token& stop) {
    text::RenderRequest request{.source = QString::fromStdString(chosen.source)};
    request.variables = text::standardVariables(conversation(withSystem), {}, true);
    for (const auto& [name, text] : text::specialTokenTexts(chosen.model->metadata)) {
        const QByteArray json = QJsonDocument(QJsonArray{QString::fromStdString(text)}).toJson(QJsonDocument::Compact);
        request.variables.emplace_back(QString::fromStdString(name), QString::fromUtf8(json.mid(1, json.size() - 2)));
    }
    return renderer.render(std::move(request), stop);
}

QString textOf(const TemplateOf& chosen, const text::Rendering& rendering) {
    if (chosen.source.empty()) {
        return {};
    }
    return rendering.text    ? *rendering.text
           : rendering.error ? Words::tr("Not rendered: %1").arg(templateProblemText(*rendering.error))
                             : QString();
}

} // namespace

RenderedTemplates renderBoth(const TemplateOf& before, const TemplateOf& after, const std::stop_token& stop) {
    text::TemplateRenderer renderer;
    text::Rendering first;
    text::Rendering second;
    for (const bool withSystem : {true, false}) {
        first = before.source.empty() ? text::Rendering() : render(renderer, before, withSystem, stop);
        second = after.source.empty() ? text::Rendering() : render(renderer, after, withSystem, stop);
        if (!first.error && !second.error) {
            break;
        }
    }
    return {textOf(before, first).toStdString(), textOf(after, second).toStdString()};
}

} // namespace gufo::ui
