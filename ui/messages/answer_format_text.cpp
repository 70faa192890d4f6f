#include "ui/messages/answer_format_text.h"

#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::AnswerFormat)
};

QString marker(const std::string& text) { return displayText(text); }

QString thoughtText(const text::AnswerFormat& format) {
    return format.channels        ? Words::tr("thinking in a channel of its own")
           : format.hasThoughts() ? Words::tr("thinking in %1").arg(marker(format.thoughts.front().open))
                                  : Words::tr("no thinking");
}

QString styleText(text::CallStyle style) {
    switch (style) {
    case text::CallStyle::Json:
        return Words::tr("calls as JSON");
    case text::CallStyle::NamedJson:
        return Words::tr("calls as a name and JSON");
    case text::CallStyle::Tagged:
        return Words::tr("calls as XML");
    case text::CallStyle::Literals:
        return Words::tr("calls as in a program");
    }
    return {};
}

QString callText(const text::AnswerFormat& format) {
    if (format.channels) {
        return Words::tr("calls in a channel of their own");
    }
    if (!format.hasCalls()) {
        return format.knowsTools ? Words::tr("calls cannot be told from text") : Words::tr("no tools");
    }
    const text::CallFormat& call = format.calls.front();
    const auto triggers = call.triggers();
    return triggers.empty() ? Words::tr("%1 without a marker").arg(styleText(call.style))
                            : Words::tr("%1 in %2").arg(styleText(call.style), marker(triggers.front()));
}

} // namespace

QString answerFormatText(const text::AnswerFormat& format) {
    return Words::tr("This template's answers: %1, %2").arg(thoughtText(format), callText(format));
}

QString answerFormatDetails(const text::AnswerFormat& format) {
    QStringList lines{answerFormatText(format)};
    const auto add = [&](const QString& what, const std::string& text) {
        if (!text.empty()) {
            lines.append(QStringLiteral("%1: %2").arg(what, marker(text)));
        }
    };
    if (format.hasThoughts()) {
        add(Words::tr("Before a thought"), format.thoughts.front().open);
        add(Words::tr("After a thought"), format.thoughts.front().close);
    }
    if (format.hasCalls() && !format.channels) {
        const text::CallFormat& call = format.calls.front();
        add(Words::tr("Before all calls"), call.sectionOpen);
        add(Words::tr("Before a call"), call.open);
        add(Words::tr("Before the name of an argument"), call.keyOpen);
        add(Words::tr("After a call"), call.close);
        add(Words::tr("After all calls"), call.sectionClose);
    }
    add(Words::tr("After an answer"), format.afterAnswer);
    return lines.join(u'\n');
}

} // namespace gufo::ui
