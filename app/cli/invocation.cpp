#include "cli/invocation.h"

#include "cli/console.h"
#include "cli/native_text.h"
#include "ui/messages/format.h"

#include <QStringList>

#include <charconv>

namespace gufo::cli {
namespace {

constexpr OptionFact kJson = {"json", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "print JSON (keys: app/cli/JSON.md)")};
constexpr OptionFact kHelp = {"h,help", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "print this help")};

std::vector<OptionFact> allOptions(const Verb& verb) {
    std::vector<OptionFact> options(verb.options.begin(), verb.options.end());
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
    if (!invocation.m_help && (count < verb.fewest || (verb.most >= 0 && count > verb.most))) {
        const QString problem = count < verb.fewest ? Cli::tr("an argument is missing") : Cli::tr("too many arguments");
        return std::unexpected(
            Cli::tr("%1; usage: gufo-cli %2 %3").arg(problem, QLatin1String(verb.name), Cli::tr(verb.arguments)));
    }
    return invocation;
}

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

std::expected<std::optional<std::uint64_t>, QString> Invocation::number(const char* name, std::uint64_t least,
                                                                        std::uint64_t most) const {
    const auto text = value(name);
    if (!text) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc() || end != text->data() + text->size() || number < least || number > most) {
        return std::unexpected(Cli::tr("%1 takes a whole number from %2 to %3, not \"%4\"")
                                   .arg(dashed(QLatin1String(name)))
                                   .arg(least)
                                   .arg(most)
                                   .arg(ui::displayText(*text)));
    }
    return number;
}

QString verbHelp(const Verb& verb) {
    QString help =
        QStringLiteral("gufo-cli %1 %2\n\n%3.\n%4\n\n")
            .arg(QLatin1String(verb.name), Cli::tr(verb.arguments), Cli::tr(verb.summary), Cli::tr(verb.details));
    for (const OptionFact& option : allOptions(verb)) {
        help += optionTitle(option).leftJustified(22) + QStringLiteral("  ") + Cli::tr(option.help) + QLatin1Char('\n');
    }
    return help;
}

QString programHelp() {
    QString help = Cli::tr("gufo-cli VERB …: reads GGUF model files.") + QStringLiteral("\n\n");
    for (const Verb& verb : verbs()) {
        help += QStringLiteral("  ") + QString::fromLatin1(verb.name).leftJustified(12) + Cli::tr(verb.summary) +
                QLatin1Char('\n');
    }
    help +=
        QLatin1Char('\n') +
        Cli::tr(
            "All verbs take --json. \"gufo-cli help VERB\" says more; --version prints the version.\n"
            "Exit codes: 0 done; 1 validate found a warning or an error; 2 wrong use, unreadable file or failure.") +
        QLatin1Char('\n');
    return help;
}

} // namespace gufo::cli
