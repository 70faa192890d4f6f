#include "cli/invocation.h"

#include "cli/console.h"
#include "cli/outputs.h"
#include "cli/terminal_text.h"
#include "cli/text_input.h"
#include "ui/messages/figure_text.h"

#include <QStringList>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gufo::cli {
namespace {

constexpr OptionFact kJson = {"json", "",
                              QT_TRANSLATE_NOOP("gufo::cli::Cli", "print JSON (documented in app/cli/JSON.md)")};
constexpr OptionFact kForce = {"force", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "replace an existing file")};
constexpr OptionFact kHelp = {"h,help", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "print this help")};

std::vector<OptionFact> allOptions(const Verb& verb) {
    std::vector<OptionFact> options(verb.options.begin(), verb.options.end());
    if (hasOutputs(verb)) {
        options.push_back(kForce);
    }
    options.insert(options.end(), {kJson, kHelp});
    return options;
}

QString dashed(const QString& name) { return (name.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + name; }

// "  -o, --output OUT"
QString optionTitle(const OptionFact& option) {
    QStringList names;
    for (const QString& name : QString::fromLatin1(option.names).split(QLatin1Char(','))) {
        names << dashed(name);
    }
    const QString value = *option.value == '\0' ? QString() : QLatin1Char(' ') + Cli::tr(option.value);
    return QStringLiteral("  ") + names.join(QStringLiteral(", ")) + value;
}

// Appends the text to `start`, and breaks it into lines of at most `width` columns that are indented by `indent`.
QString wrapped(const QString& start, const QString& text, int indent, int width) {
    const QStringList lines = wrapToWidth(text, width - indent, std::max(0, displayWidth(start) - indent));
    return start + lines.join(QLatin1Char('\n') + QString(indent, QLatin1Char(' '))) + QLatin1Char('\n');
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
        return std::unexpected(
            unknown.isEmpty() ? ui::displayText(toNative(parser.errorText()))
                              : Cli::tr("there is no option %1; see gufo-cli help %2")
                                    .arg(dashed(ui::displayText(toNative(unknown.front()))), QLatin1String(verb.name)));
    }
    invocation.m_help = parser.isSet(QStringLiteral("help"));
    for (const QString& text : parser.positionalArguments()) {
        invocation.m_positional.push_back(toNative(text));
    }
    const auto count = static_cast<int>(invocation.m_positional.size());
    if (!invocation.m_help && (count < verb.minArguments || (verb.maxArguments >= 0 && count > verb.maxArguments))) {
        const QString problem =
            count < verb.minArguments ? Cli::tr("an argument is missing") : Cli::tr("too many arguments");
        return std::unexpected(
            Cli::tr("%1; usage: gufo-cli %2 %3").arg(problem, QLatin1String(verb.name), Cli::tr(verb.arguments)));
    }
    return invocation;
}

bool Invocation::isDryRun() const {
    return m_parser->optionNames().contains(QStringLiteral("dry-run")); // of those that are set
}

bool Invocation::keepsPrompts() const { return m_parser->optionNames().contains(QStringLiteral("keep-prompts")); }

bool Invocation::draftsWithMtp() const { return m_parser->optionNames().contains(QStringLiteral("mtp")); }

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

QString verbHelp(const Verb& verb, int width) {
    constexpr int kTitles = 24;
    QString help =
        wrapped(QStringLiteral("gufo-cli %1 ").arg(QLatin1String(verb.name)), Cli::tr(verb.arguments), 4, width) +
        QLatin1Char('\n');
    help += wrapped({}, Cli::tr(verb.summary) + QLatin1Char('.'), 0, width);
    help += wrapped({}, Cli::tr(verb.details), 0, width) + QLatin1Char('\n');
    for (const OptionFact& option : allOptions(verb)) {
        const QString text = Cli::tr(option.help);
        help += wrapped(optionTitle(option).leftJustified(kTitles - 2) + QStringLiteral("  "),
                        option.choices != nullptr ? text.arg(option.choices()) : text, kTitles, width);
    }
    return help;
}

QString programHelp(int width) {
    constexpr int kNames = 14;
    QString help =
        wrapped({}, Cli::tr("gufo-cli VERB …: inspects, edits, compares and runs GGUF model files."), 0, width) +
        QLatin1Char('\n');
    for (const Verb* verb : verbs()) {
        help += wrapped(QStringLiteral("  ") + QString::fromLatin1(verb->name).leftJustified(kNames - 2),
                        Cli::tr(verb->summary), kNames, width);
    }
    for (const QString& paragraph :
         Cli::tr("All verbs accept --json. \"gufo-cli help VERB\" describes a verb; --version prints the version.\n"
                 "Exit codes: 0 success; 1 validate found a warning or an error, or compare a difference; "
                 "2 wrong usage, unreadable file or another failure; 128 + signal if cancelled.")
             .split(QLatin1Char('\n'))) {
        help += QLatin1Char('\n') + wrapped({}, paragraph, 0, width);
    }
    return help;
}

} // namespace gufo::cli
