#include "ui/messages/template_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct ProblemWords {
    const char* code;
    const char* text;    // %1 … are the problem's arguments
    int suggestion = -1; // index of the argument with the suggested name, which may be empty
};

constexpr auto kWords = std::to_array<ProblemWords>({
    // Syntax.
    {"unexpected_char", QT_TRANSLATE_NOOP("gufo::TemplateText", "The character %1 is not allowed here.")},
    {"unexpected_token", QT_TRANSLATE_NOOP("gufo::TemplateText", "%1 is not expected here.")},
    {"unexpected_end_of_tag", QT_TRANSLATE_NOOP("gufo::TemplateText", "The tag ends too early.")},
    {"single_equals", QT_TRANSLATE_NOOP("gufo::TemplateText", "= assigns; to compare, write ==.")},
    {"chained_tests",
     QT_TRANSLATE_NOOP("gufo::TemplateText", "One test cannot follow another: join them with \"and\".")},
    {"bad_escape",
     QT_TRANSLATE_NOOP("gufo::TemplateText", "%1 is not followed by the hexadecimal digits that it needs.")},
    {"bad_target", QT_TRANSLATE_NOOP("gufo::TemplateText", "Nothing can be assigned to this.")},
    {"missing_tag_name", QT_TRANSLATE_NOOP("gufo::TemplateText", "The name of the tag is missing.")},
    {"unknown_tag", QT_TRANSLATE_NOOP("gufo::TemplateText", "There is no tag %1."), 1},
    {"unsupported_tag",
     QT_TRANSLATE_NOOP("gufo::TemplateText", "%1 is not supported: chat templates cannot refer to other files.")},
    {"stray_tag", QT_TRANSLATE_NOOP("gufo::TemplateText", "%1 is outside of the tag that it belongs to.")},
    {"stray_end", QT_TRANSLATE_NOOP("gufo::TemplateText", "There is no open block for %1 to close.")},
    {"wrong_end", QT_TRANSLATE_NOOP("gufo::TemplateText", "Found %1, but expected %2 for the %3 in line %4.")},
    {"unclosed_block", QT_TRANSLATE_NOOP("gufo::TemplateText", "This %1 is never closed.")},
    {"unclosed_tag", QT_TRANSLATE_NOOP("gufo::TemplateText", "%1 is never closed by %2.")},
    {"unclosed_bracket", QT_TRANSLATE_NOOP("gufo::TemplateText", "%1 is never closed.")},
    {"unclosed_string",
     QT_TRANSLATE_NOOP("gufo::TemplateText", "The string that starts with %1 here is never closed.")},
    {"unclosed_comment", QT_TRANSLATE_NOOP("gufo::TemplateText", "The comment is never closed.")},
    {"too_deep", QT_TRANSLATE_NOOP("gufo::TemplateText", "It is nested too deeply or calls itself endlessly.")},
    // Names.
    {"unknown_filter", QT_TRANSLATE_NOOP("gufo::TemplateText", "There is no filter %1."), 1},
    {"unknown_test", QT_TRANSLATE_NOOP("gufo::TemplateText", "There is no test %1."), 1},
    {"unknown_function", QT_TRANSLATE_NOOP("gufo::TemplateText", "There is no function %1."), 1},
    {"unsupported", QT_TRANSLATE_NOOP("gufo::TemplateText", "%1 is not supported.")},
    // Problems while rendering.
    {"raised", QT_TRANSLATE_NOOP("gufo::TemplateText", "The template refuses this conversation: %1")},
    {"runtime_error", QT_TRANSLATE_NOOP("gufo::TemplateText", "%2 (%1)")},
    {"integer_too_large", QT_TRANSLATE_NOOP("gufo::TemplateText", "This integer has too many digits.")},
    {"output_too_long", QT_TRANSLATE_NOOP("gufo::TemplateText", "The rendering is longer than 16 million characters.")},
    {"bad_json", QT_TRANSLATE_NOOP("gufo::TemplateText", "The variable %1 is not valid JSON: line %2, column %3.")},
    // Problems of the helper.
    {"timed_out", QT_TRANSLATE_NOOP("gufo::TemplateText", "It did not finish within a second.")},
    {"out_of_memory", QT_TRANSLATE_NOOP("gufo::TemplateText", "It needs more than 400 MB of memory.")},
    {"helper_died", QT_TRANSLATE_NOOP("gufo::TemplateText", "The rendering process ended unexpectedly.")},
    {"helper_missing",
     QT_TRANSLATE_NOOP("gufo::TemplateText",
                       "The program gufo-render-helper, which renders templates, could not be started. Is Gufo "
                       "installed completely?")},
    {"internal", QT_TRANSLATE_NOOP("gufo::TemplateText", "The template engine failed: %1")},
    {"cancelled", QT_TRANSLATE_NOOP("gufo::TemplateText", "Cancelled.")},
});

const ProblemWords* wordsOf(const QString& code) {
    const auto* row =
        std::ranges::find_if(kWords, [&](const ProblemWords& words) { return code == QLatin1String(words.code); });
    return row != kWords.end() ? row : nullptr;
}

// Unlike QString::arg, does not replace a %1 that occurs in an argument.
QString filled(const QString& pattern, const QStringList& args) {
    QString text;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const int index = pattern[i] == QLatin1Char('%') && i + 1 < pattern.size() ? pattern[i + 1].digitValue() : -1;
        if (index > 0) {
            text += args.value(index - 1);
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

} // namespace

QString templateProblemText(const text::TemplateProblem& problem) {
    const ProblemWords* words = wordsOf(problem.code);
    if (words == nullptr) {
        return problem.code + QLatin1Char(' ') + problem.args.join(QLatin1Char(' '));
    }
    QString text = filled(QCoreApplication::translate("gufo::TemplateText", words->text), problem.args);
    if (const QString fix = templateProblemFix(problem); !fix.isEmpty()) {
        text += QLatin1Char(' ') + QCoreApplication::translate("gufo::TemplateText", "Did you mean %1?").arg(fix);
    }
    return text;
}

QString templateProblemFix(const text::TemplateProblem& problem) {
    const ProblemWords* words = wordsOf(problem.code);
    return words != nullptr && words->suggestion >= 0 ? problem.args.value(words->suggestion) : QString();
}

QStringList templateProblemCodes() {
    QStringList codes;
    for (const ProblemWords& words : kWords) {
        codes.append(QLatin1String(words.code));
    }
    return codes;
}

} // namespace gufo::ui
