#include "text/template/template_repair.h"

#include <QRegularExpression>

namespace gufo::text {
namespace {

// Converts line and column to an offset; returns nothing if the text has no such place.
std::optional<qsizetype> offsetOf(const QString& source, int line, int column) {
    qsizetype start = 0;
    for (int i = 1; i < line; ++i) {
        start = source.indexOf(QLatin1Char('\n'), start) + 1;
        if (start == 0) {
            return std::nullopt;
        }
    }
    const qsizetype offset = start + column - 1;
    return line >= 1 && column >= 1 && offset <= source.size() ? std::optional(offset) : std::nullopt;
}

// Returns the position before the "-%}", "%}" or "}}" that ends the tag around `from`.
std::optional<qsizetype> endOfTag(const QString& source, qsizetype from) {
    static const QRegularExpression end(QStringLiteral("\\s*[-+]?[%}]\\}"));
    const auto match = end.match(source, from);
    return match.hasMatch() ? std::optional(match.capturedStart()) : std::nullopt;
}

std::optional<TemplateEdit> insertion(std::optional<qsizetype> at, const QString& text) {
    return at ? std::optional(TemplateEdit{.offset = *at, .length = 0, .replacement = text}) : std::nullopt;
}

} // namespace

std::optional<TemplateEdit> repairOf(const QString& source, const TemplateProblem& problem) {
    const auto place = offsetOf(source, problem.line, problem.column);
    if (!place) {
        return std::nullopt;
    }
    const auto is = [&](const char* code) { return problem.code == QLatin1String(code); };
    const auto replace = [&](const QString& by) {
        return by.isEmpty() || *place + problem.length > source.size()
                   ? std::nullopt
                   : std::optional(TemplateEdit{.offset = *place, .length = problem.length, .replacement = by});
    };
    const QString first = problem.args.value(0);
    const QString second = problem.args.value(1);
    if (is("unknown_filter") || is("unknown_test") || is("unknown_function") || is("unknown_tag") || is("wrong_end")) {
        return replace(second); // the intended name
    }
    if (is("single_equals")) {
        return replace(QStringLiteral("=="));
    }
    if (is("unclosed_block")) {
        return insertion(source.size(), QStringLiteral("{% end%1 %}").arg(first));
    }
    if (is("unclosed_comment")) {
        return insertion(source.size(), QStringLiteral("#}"));
    }
    if (is("unclosed_tag")) {
        const qsizetype line = source.indexOf(QLatin1Char('\n'), *place);
        return insertion(line >= 0 ? line : source.size(), QLatin1Char(' ') + second);
    }
    if (is("unclosed_bracket")) {
        static const QString closing = QStringLiteral(")]}");
        const qsizetype kind = QStringLiteral("([{").indexOf(first);
        return kind >= 0 ? insertion(endOfTag(source, *place), closing.at(kind)) : std::nullopt;
    }
    if (is("stray_end")) {
        const qsizetype open = source.lastIndexOf(QLatin1String("{%"), *place);
        const qsizetype close = source.indexOf(QLatin1String("%}"), *place);
        return open >= 0 && close >= 0
                   ? std::optional(TemplateEdit{.offset = open, .length = close + 2 - open, .replacement = {}})
                   : std::nullopt;
    }
    return std::nullopt;
}

} // namespace gufo::text
