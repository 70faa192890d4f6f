#include "ui/messages/template_text.h"

#include "text/conversation/battery.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct AuditWords {
    const char* title;
    const char* message; // %1 … are AuditFinding::args, as listed in audit_codes.inc
    const char* repair;
};
constexpr auto kAuditWords = std::to_array<AuditWords>({
#define GUFO_AUDIT(code, name, kind, args, title, message, repair) {title, message, repair},
#include "text/audit/audit_codes.inc"
#undef GUFO_AUDIT
});

const AuditWords& wordsFor(text::AuditCode code) { return kAuditWords.at(static_cast<std::size_t>(code)); }

// The title of a conversation of the battery in the place of its name.
Argument namedConversation(const Argument& name) {
    const auto cases = text::battery();
    const auto found = std::ranges::find(cases, std::string_view(name.text()), &text::BatteryCase::name);
    return found != cases.end() ? Argument(QCoreApplication::translate("Battery", found->title).toStdString()) : name;
}

class AnswerFormatWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::AnswerFormat)
};

QString marker(const std::string& text) { return displayText(text); }

QString thoughtText(const text::AnswerFormat& format) {
    return format.channels        ? AnswerFormatWords::tr("thinking in a channel of its own")
           : format.hasThoughts() ? AnswerFormatWords::tr("thinking in %1").arg(marker(format.thoughts.front().open))
                                  : AnswerFormatWords::tr("no thinking");
}

QString styleText(text::CallStyle style) {
    switch (style) {
    case text::CallStyle::Json:
        return AnswerFormatWords::tr("calls as JSON");
    case text::CallStyle::NamedJson:
        return AnswerFormatWords::tr("calls as a name and JSON");
    case text::CallStyle::Tagged:
        return AnswerFormatWords::tr("calls as XML");
    case text::CallStyle::Literals:
        return AnswerFormatWords::tr("calls as in a program");
    }
    return {};
}

QString callText(const text::AnswerFormat& format) {
    if (format.channels) {
        return AnswerFormatWords::tr("calls in a channel of their own");
    }
    if (!format.hasCalls()) {
        return format.knowsTools ? AnswerFormatWords::tr("calls cannot be told from text")
                                 : AnswerFormatWords::tr("no tools");
    }
    const text::CallFormat& call = format.calls.front();
    const auto triggers = call.triggers();
    return triggers.empty() ? AnswerFormatWords::tr("%1 without a marker").arg(styleText(call.style))
                            : AnswerFormatWords::tr("%1 in %2").arg(styleText(call.style), marker(triggers.front()));
}

} // namespace

QString auditTitle(text::AuditCode code) { return QCoreApplication::translate("Audit", wordsFor(code).title); }

QString auditMessage(const text::AuditFinding& finding) {
    Arguments args = finding.args;
    using enum text::AuditCode;
    if (!args.empty() && (finding.code == Raises || finding.code == Refuses || finding.code == Pythonism)) {
        args.front() = namedConversation(args.front());
    }
    if (finding.problem) {
        args.emplace_back(templateProblemText(*finding.problem).toStdString());
    }
    return sentence("Audit", wordsFor(finding.code).message, args);
}

QString auditRepair(const text::AuditFinding& finding) {
    return finding.source || finding.change ? sentence("Audit", wordsFor(finding.code).repair, finding.args)
                                            : QString();
}

QString unjudgedText(text::UnjudgedReason reason) {
    switch (reason) {
    case text::UnjudgedReason::NoHelper:
        return QCoreApplication::translate("Audit",
                                           "The program gufo-render-helper, which renders templates, did not respond.");
    case text::UnjudgedReason::TooLong:
        return QCoreApplication::translate("Audit",
                                           "The template is longer, or has more texts, than any chat template needs.");
    case text::UnjudgedReason::TimedOut:
        return QCoreApplication::translate("Audit", "The template took too much time.");
    case text::UnjudgedReason::OutOfMemory:
        return QCoreApplication::translate("Audit", "The template took too much memory.");
    case text::UnjudgedReason::NothingRenders:
        return QCoreApplication::translate("Audit", "The template rendered none of the conversations.");
    case text::UnjudgedReason::None:
        break;
    }
    return {};
}

QString familyText(const text::TemplateAudit& audit) {
    if (audit.family.empty()) {
        return {};
    }
    const QString name = QString::fromStdString(audit.family);
    if (audit.changedLines.empty() && audit.missingPieces == 0) {
        return QCoreApplication::translate("Audit", "This is the template of %1.").arg(name);
    }
    if (audit.changedLines.empty()) {
        return QCoreApplication::translate("Audit", "This is the template of %1, with parts removed: %2.")
            .arg(name)
            .arg(audit.missingPieces);
    }
    return QCoreApplication::translate("Audit", "This is the template of %1 with lines changed: %2.")
        .arg(name)
        .arg(audit.changedLines.size());
}

QString answerFormatText(const text::AnswerFormat& format) {
    return AnswerFormatWords::tr("This template's answers: %1, %2").arg(thoughtText(format), callText(format));
}

QString answerFormatDetails(const text::AnswerFormat& format) {
    QStringList lines{answerFormatText(format)};
    const auto add = [&](const QString& what, const std::string& text) {
        if (!text.empty()) {
            lines.append(QStringLiteral("%1: %2").arg(what, marker(text)));
        }
    };
    if (format.hasThoughts()) {
        add(AnswerFormatWords::tr("Before a thought"), format.thoughts.front().open);
        add(AnswerFormatWords::tr("After a thought"), format.thoughts.front().close);
    }
    if (format.hasCalls() && !format.channels) {
        const text::CallFormat& call = format.calls.front();
        add(AnswerFormatWords::tr("Before all calls"), call.sectionOpen);
        add(AnswerFormatWords::tr("Before a call"), call.open);
        add(AnswerFormatWords::tr("Before the name of an argument"), call.keyOpen);
        add(AnswerFormatWords::tr("After a call"), call.close);
        add(AnswerFormatWords::tr("After all calls"), call.sectionClose);
    }
    add(AnswerFormatWords::tr("After an answer"), format.afterAnswer);
    return lines.join(u'\n');
}

} // namespace gufo::ui
