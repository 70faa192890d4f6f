#include "ui/messages/problem_text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>

namespace gufo::ui {

// ---- chat templates ------------------------------------------------------------------------------------------------

namespace {

struct TemplateWords {
    const char* code;
    const char* text;    // %1 … are the problem's arguments
    int suggestion = -1; // index of the argument with the suggested name, which may be empty
};

constexpr auto kTemplateWords = std::to_array<TemplateWords>({
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
    {"unhashable_key", QT_TRANSLATE_NOOP("gufo::TemplateText", "A %1 cannot be a key of a dictionary.")},
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

const TemplateWords* wordsOfTemplate(const QString& code) {
    const auto* row = std::ranges::find_if(
        kTemplateWords, [&](const TemplateWords& words) { return code == QLatin1String(words.code); });
    return row != kTemplateWords.end() ? row : nullptr;
}

// Unlike QString::arg, does not replace a %1 that occurs in an argument.
QString filledTemplate(const QString& pattern, const QStringList& args) {
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
    const TemplateWords* words = wordsOfTemplate(problem.code);
    if (words == nullptr) {
        return problem.code + QLatin1Char(' ') + problem.args.join(QLatin1Char(' '));
    }
    QString text = filledTemplate(QCoreApplication::translate("gufo::TemplateText", words->text), problem.args);
    if (const QString fix = templateProblemFix(problem); !fix.isEmpty()) {
        text += QLatin1Char(' ') + QCoreApplication::translate("gufo::TemplateText", "Did you mean %1?").arg(fix);
    }
    return text;
}

QString templateProblemFix(const text::TemplateProblem& problem) {
    const TemplateWords* words = wordsOfTemplate(problem.code);
    return words != nullptr && words->suggestion >= 0 ? problem.args.value(words->suggestion) : QString();
}

QStringList templateProblemCodes() {
    QStringList codes;
    for (const TemplateWords& words : kTemplateWords) {
        codes.append(QLatin1String(words.code));
    }
    return codes;
}

// ---- filters of tensors --------------------------------------------------------------------------------------------

namespace {

class FilterWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::FilterText)
};

} // namespace

QString filterProblemText(const text::FilterProblem& problem) {
    switch (problem.kind) {
    case text::FilterProblem::Kind::NoExpression:
        return FilterWords::tr("%1 is not a regular expression: %2").arg(problem.term, problem.detail);
    case text::FilterProblem::Kind::NotClosed:
        return FilterWords::tr("%1 is a regular expression without a / at its end").arg(problem.term);
    case text::FilterProblem::Kind::NoSize:
        return FilterWords::tr("%1 is not a size: write size:>10M, size:<=512K or size:1M..2G").arg(problem.term);
    case text::FilterProblem::Kind::NoShape:
        return FilterWords::tr("%1 is not a shape: write shape:4096x* or shape:128x64x8").arg(problem.term);
    case text::FilterProblem::Kind::NoField:
        return FilterWords::tr("%1: there is no field \"%2\"; the fields are size, shape and type")
            .arg(problem.term, problem.detail);
    case text::FilterProblem::Kind::NothingToMatch:
        return FilterWords::tr("%1 lacks what it should match").arg(problem.term);
    }
    return {};
}

QString filterHint() {
    return FilterWords::tr("All terms must hold:\n"
                           "attn_q, blk.17, ffn_* – a part of the name\n"
                           "Q6_K, type:IQ* – the type\n"
                           "size:>10M, size:1M..2G – the bytes\n"
                           "shape:4096x* – the dimensions\n"
                           "/^blk\\.\\d+/ – a regular expression\n"
                           "-ffn, !type:F32 – exclude");
}

QString filterExample() { return FilterWords::tr("Filter: name, ffn_*, -attn, Q6_K, size:>10M, shape:4096x*"); }

// ---- values --------------------------------------------------------------------------------------------------------

namespace {

class ValueWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ValueProblem)
};

} // namespace

QString valueProblemText(ValueProblem problem, ValueType type) {
    const ValueTypeFact& info = valueTypeFact(type);
    const QString name = QString::fromLatin1(info.name.data(), static_cast<qsizetype>(info.name.size()));
    switch (problem) {
    case ValueProblem::NotAnInteger:
        return ValueWords::tr("%1 must be a whole number, decimal or hexadecimal with 0x.").arg(name);
    case ValueProblem::NotANumber:
        return ValueWords::tr("%1 must be a number, nan, inf or -inf.").arg(name);
    case ValueProblem::NotABoolean:
        return ValueWords::tr("A bool must be true or false.");
    case ValueProblem::OutOfRange:
        if (info.integer) {
            const IntegerRange range = integerRange(type);
            return ValueWords::tr("%1 ranges from %2 to %3.").arg(name).arg(range.lowest).arg(range.highest);
        }
        return type == ValueType::Bool ? ValueWords::tr("Only 0 and 1 can be converted to a bool.")
                                       : ValueWords::tr("This number is out of range for %1.").arg(name);
    case ValueProblem::Inexact:
        return ValueWords::tr("%1 cannot represent this value exactly.").arg(name);
    case ValueProblem::NotConvertible:
        break;
    }
    return ValueWords::tr("Arrays and single values cannot be converted into each other.");
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

namespace {

struct JsonWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::JsonProblem)
};

} // namespace

std::optional<QString> jsonProblem(const QString& json, JsonKind kind) {
    const QByteArray bytes = json.toUtf8();
    QJsonParseError error{};
    // Qt's parser accepts no bare value as a document, but accepts it in a list.
    const QJsonDocument document = QJsonDocument::fromJson(kind == JsonKind::List ? bytes : "[" + bytes + "]", &error);
    if (error.error != QJsonParseError::NoError) {
        const qsizetype at = std::clamp<qsizetype>(error.offset - (kind == JsonKind::List ? 0 : 1), 0, bytes.size());
        const QByteArray before = bytes.left(at);
        const auto column = QString::fromUtf8(before.mid(before.lastIndexOf('\n') + 1)).size() + 1;
        return JsonWords::tr("Line %1, column %2: %3").arg(before.count('\n') + 1).arg(column).arg(error.errorString());
    }
    if (kind == JsonKind::List ? !document.isArray() : document.array().size() != 1) {
        return kind == JsonKind::List ? JsonWords::tr("This must be a list: [ … ]")
                                      : JsonWords::tr("This must be a single value");
    }
    return std::nullopt;
}

} // namespace gufo::ui
