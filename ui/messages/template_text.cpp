#include "ui/messages/template_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

constexpr const char* kContext = "gufo::TemplateText";

struct ProblemWords {
    const char* code;
    const char* text;    // %1 … are the problem's arguments
    int suggestion = -1; // index of the argument that names what was meant, and may be empty
};

#define T(text) QT_TRANSLATE_NOOP("gufo::TemplateText", text)

constexpr auto kWords = std::to_array<ProblemWords>({
    // How it is written.
    {"unexpected_char", T("No expression can have the character %1 here.")},
    {"unexpected_token", T("%1 is not expected here.")},
    {"unexpected_end_of_tag", T("The tag ends too early.")},
    {"single_equals", T("= assigns; to compare, write ==.")},
    {"chained_tests", T("One test cannot follow another: join them with \"and\".")},
    {"bad_escape", T("%1 is not followed by the hexadecimal digits that it needs.")},
    {"bad_target", T("Nothing can be assigned to this.")},
    {"missing_tag_name", T("The name of the tag is missing.")},
    {"unknown_tag", T("There is no tag %1."), 1},
    {"unsupported_tag", T("Chat templates have no other files: %1 is of no use.")},
    {"stray_tag", T("%1 stands outside of the tag that it belongs to.")},
    {"stray_end", T("%1 closes nothing.")},
    {"wrong_end", T("%1 stands where %2 is expected, for the %3 of line %4.")},
    {"unclosed_block", T("This %1 is never closed.")},
    {"unclosed_tag", T("%1 is never closed by %2.")},
    {"unclosed_bracket", T("%1 is never closed.")},
    {"unclosed_string", T("The string that %1 begins here has no end.")},
    {"unclosed_comment", T("The comment has no end.")},
    {"too_deep", T("It nests too deeply, or calls itself without end.")},
    // Names.
    {"unknown_filter", T("There is no filter %1."), 1},
    {"unknown_test", T("There is no test %1."), 1},
    {"unknown_function", T("There is no function %1."), 1},
    {"unsupported", T("%1 is not supported.")},
    // While rendering.
    {"raised", T("The template refuses this conversation: %1")},
    {"runtime_error", T("%2 (%1)")},
    {"integer_too_large", T("Whole numbers beyond 2^53 can be written out, but not calculated with.")},
    {"output_too_long", T("The rendering is longer than 16 million characters.")},
    {"bad_json", T("The variable %1 is no valid JSON: line %2, column %3.")},
    // Of the helper.
    {"timed_out", T("It did not come to an end within a second.")},
    {"out_of_memory", T("It needs more than 400 MB of memory.")},
    {"helper_died", T("The rendering process ended unexpectedly.")},
    {"helper_missing", T("The program gufo-render-helper, which renders templates, could not be started. Is Gufo "
                         "installed completely?")},
    {"internal", T("The template engine failed: %1")},
    {"cancelled", T("Cancelled.")},
});

#undef T

const ProblemWords* wordsOf(const QString& code) {
    const auto* row =
        std::ranges::find_if(kWords, [&](const ProblemWords& words) { return code == QLatin1String(words.code); });
    return row != kWords.end() ? row : nullptr;
}

// QString::arg would also replace a %1 that stands in an argument.
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
    QString text = filled(QCoreApplication::translate(kContext, words->text), problem.args);
    if (const QString fix = templateProblemFix(problem); !fix.isEmpty()) {
        text +=
            QLatin1Char(' ') +
            QCoreApplication::translate(kContext, QT_TRANSLATE_NOOP("gufo::TemplateText", "Did you mean %1?")).arg(fix);
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
