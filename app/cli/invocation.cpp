#include "cli/invocation.h"

#include "cli/console.h"
#include "cli/help.h"
#include "cli/outputs.h"
#include "cli/similar_name.h"
#include "cli/terminal_text.h"
#include "cli/text_input.h"
#include "ui/messages/figure_text.h"

#include <QStringList>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gufo::cli {
namespace {

QString unknownOption(const Verb& verb, const std::string& typed) {
    std::vector<std::string> names;
    for (const OptionFact& option : allOptions(verb)) {
        for (const QString& name : QString::fromLatin1(option.names).split(QLatin1Char(','))) {
            names.push_back(name.toStdString());
        }
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view similar = similarName(typed, views);
    const QString meant = similar.empty() ? QString() : didYouMean("--" + std::string(similar));
    return Cli::tr("there is no option %1; see gufo-cli help %2")
               .arg(dashed(ui::displayText(typed)), QLatin1String(verb.name)) +
           (meant.isEmpty() ? QString() : QStringLiteral(". ") + meant);
}

} // namespace

std::expected<Invocation, QString> Invocation::parse(const Verb& verb, const std::vector<std::string>& arguments) {
    Invocation invocation;
    invocation.m_parser = std::make_shared<QCommandLineParser>();
    QCommandLineParser& parser = *invocation.m_parser;
    for (const OptionFact& option : allOptions(verb)) {
        parser.addOption(QCommandLineOption(QString::fromLatin1(option.names).split(QLatin1Char(',')), {},
                                            QLatin1String(option.value)));
    }
    QStringList texts(QLatin1String(verb.name)); // the parser skips the program's name
    for (const std::string& argument : arguments) {
        texts << fromNative(argument);
    }
    if (!parser.parse(texts)) {
        const QStringList unknown = parser.unknownOptionNames();
        return std::unexpected(unknown.isEmpty() ? ui::displayText(toNative(parser.errorText()))
                                                 : unknownOption(verb, toNative(unknown.front())));
    }
    invocation.m_help = parser.isSet(QStringLiteral("help"));
    for (const QString& text : parser.positionalArguments()) {
        invocation.m_positional.push_back(toNative(text));
    }
    const auto count = static_cast<int>(invocation.m_positional.size());
    if (!invocation.m_help && (count < verb.minArguments || (verb.maxArguments >= 0 && count > verb.maxArguments))) {
        const QString problem =
            count < verb.minArguments
                ? Cli::tr("an argument is missing")
                : Cli::tr("%1 arguments are too many: at most %n can be given", nullptr, verb.maxArguments).arg(count);
        return std::unexpected(
            Cli::tr("%1; usage: gufo-cli %2 %3").arg(problem, QLatin1String(verb.name), Cli::tr(verb.arguments)));
    }
    return invocation;
}

bool Invocation::isDryRun() const {
    return m_parser->optionNames().contains(QStringLiteral("dry-run")); // optionNames() has only options that are set
}

bool Invocation::keepsPrompts() const { return m_parser->optionNames().contains(QStringLiteral("keep-prompts")); }

bool Invocation::draftsWithMtp() const { return m_parser->optionNames().contains(QStringLiteral("mtp")); }

bool Invocation::readsRecipe() const { return m_parser->optionNames().contains(QStringLiteral("recipe")); }

bool Invocation::isResumed() const { return m_parser->optionNames().contains(QStringLiteral("resume")); }

std::optional<std::string> Invocation::value(const char* name) const {
    return isSet(name) ? std::optional(toNative(m_parser->value(QLatin1String(name)))) : std::nullopt;
}

std::vector<std::string> Invocation::values(const char* name) const {
    std::vector<std::string> values;
    for (const QString& value : m_parser->values(QLatin1String(name))) {
        values.push_back(toNative(value));
    }
    return values;
}

std::expected<std::optional<std::uint64_t>, QString> Invocation::number(const char* name, std::uint64_t minimum,
                                                                        std::uint64_t maximum) const {
    const auto text = value(name);
    if (!text) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc() || end != text->data() + text->size() || number < minimum || number > maximum) {
        return std::unexpected(Cli::tr("%1 takes a whole number from %2 to %3, not \"%4\"")
                                   .arg(dashed(QLatin1String(name)))
                                   .arg(minimum)
                                   .arg(maximum)
                                   .arg(ui::displayText(*text)));
    }
    return number;
}

std::expected<std::optional<double>, QString> Invocation::real(const char* name, double minimum, double maximum) const {
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    const auto text = value(name);
    if (!text) {
        return std::nullopt;
    }
    double number = 0;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == text->data() + text->size() && std::isfinite(number) &&
        number >= minimum && number <= maximum) {
        return number;
    }
    const QString range = maximum != kNoLimit    ? Cli::tr("a number from %1 to %2").arg(minimum).arg(maximum)
                          : minimum != -kNoLimit ? Cli::tr("a number of at least %1").arg(minimum)
                                                 : Cli::tr("a number");
    return std::unexpected(
        Cli::tr("--%1 takes %2, not \"%3\"").arg(QLatin1String(name), range, ui::displayText(*text)));
}

} // namespace gufo::cli
