#include "cli/manual_pages.h"

#include "cli/console.h"
#include "cli/help.h"

#include <QStringList>

#include <algorithm>

namespace gufo::cli {
namespace {

QString section(const QString& title) { return QStringLiteral(".SH ") + title + QLatin1Char('\n'); }
QString bold(const QString& text) { return QStringLiteral("\\fB") + manualText(text) + QStringLiteral("\\fR"); }
QString italic(const QString& text) { return QStringLiteral("\\fI") + manualText(text) + QStringLiteral("\\fR"); }

// A term, and its description below.
QString item(const QString& term, const QString& text) {
    return QStringLiteral(".TP\n") + term + QLatin1Char('\n') + manualText(text) + QLatin1Char('\n');
}

QString pageOf(const Verb& verb) { return QStringLiteral("gufo-cli-") + QLatin1String(verb.name); }

QString optionItem(const OptionFact& option) {
    QStringList names;
    for (const QString& name : QString::fromLatin1(option.names).split(QLatin1Char(','))) {
        names << bold(dashed(name));
    }
    const QString value = *option.value == '\0' ? QString() : QLatin1Char(' ') + italic(Cli::tr(option.value));
    return item(names.join(QStringLiteral(", ")) + value, optionText(option));
}

template<typename Wanted>
QString optionItems(const Verb& verb, const Wanted& wanted) {
    QString items;
    for (const OptionFact& option : allOptions(verb)) {
        items += wanted(option) ? optionItem(option) : QString();
    }
    return items;
}

QString options(const Verb& verb) {
    QString text = section(QStringLiteral("OPTIONS")) + optionItems(verb, [](const OptionFact& option) {
                       return std::ranges::none_of(optionTopics(),
                                                   [&](const OptionTopic& topic) { return contains(topic, option); });
                   });
    for (const OptionTopic& topic : optionTopics()) {
        const QString items = optionItems(verb, [&](const OptionFact& option) { return contains(topic, option); });
        if (!items.isEmpty()) {
            text += QStringLiteral(".SS ") + manualText(Cli::tr(topic.title)) + QLatin1Char('\n') + items;
        }
    }
    return text;
}

} // namespace

QString manualText(const QString& text) {
    QString escaped = text;
    escaped.replace(QLatin1Char('\\'), QStringLiteral("\\e")).replace(QLatin1Char('-'), QStringLiteral("\\-"));
    QStringList lines = escaped.split(QLatin1Char('\n'));
    for (QString& line : lines) {
        line = line.trimmed();
        if (line.startsWith(QLatin1Char('.')) || line.startsWith(QLatin1Char('\''))) {
            line.prepend(QStringLiteral("\\&"));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QString manualHeading(const QString& name, const QString& version, const QString& summary) {
    return QStringLiteral(".TH %1 1 \"\" \"Gufo %2\" \"Gufo\"\n").arg(manualText(name.toUpper()), manualText(version)) +
           section(QStringLiteral("NAME")) +
           QStringLiteral("%1 \\- %2\n").arg(manualText(name), manualText(summary.left(1).toLower() + summary.mid(1)));
}

QString programManual(const QString& version) {
    QString text = manualHeading(QStringLiteral("gufo-cli"), version,
                                 QStringLiteral("inspects, edits, compares and runs GGUF model files")) +
                   section(QStringLiteral("SYNOPSIS")) +
                   QStringLiteral("%1 %2 ...\n.br\n%1 help [%2]\n")
                       .arg(bold(QStringLiteral("gufo-cli")), italic(QStringLiteral("VERB"))) +
                   section(QStringLiteral("VERBS"));
    QStringList pages;
    for (const Verb* verb : verbs()) {
        text += item(QStringLiteral("%1(1)").arg(bold(pageOf(*verb))), Cli::tr(verb->summary) + QLatin1Char('.'));
        pages << QStringLiteral("%1(1)").arg(bold(pageOf(*verb)));
    }
    return text + section(QStringLiteral("EXIT STATUS")) + item(QStringLiteral("0"), QStringLiteral("Success.")) +
           item(QStringLiteral("1"), QStringLiteral("A verb that checks or compares found something.")) +
           item(QStringLiteral("2"), QStringLiteral("Wrong usage, an unreadable file or another failure.")) +
           item(QStringLiteral("128 + signal"), QStringLiteral("Cancelled by a signal.")) +
           section(QStringLiteral("ENVIRONMENT")) +
           item(bold(QStringLiteral("GUFO_PLAIN_HOSTS")),
                QStringLiteral("Hosts that may be contacted without encryption, separated by commas.")) +
           item(bold(QStringLiteral("GUFO_ENGINE_KEY")), QStringLiteral("The key of a server that runs models.")) +
           item(bold(QStringLiteral("NO_COLOR")), QStringLiteral("If it is set, no colours are printed.")) +
           section(QStringLiteral("SEE ALSO")) + QStringLiteral("%1(1), ").arg(bold(QStringLiteral("gufo"))) +
           pages.join(QStringLiteral(",\n")) + QLatin1Char('\n');
}

QString verbManual(const Verb& verb, const QString& version) {
    const QString name = QLatin1String(verb.name);
    return manualHeading(pageOf(verb), version, Cli::tr(verb.summary)) + section(QStringLiteral("SYNOPSIS")) +
           QStringLiteral("%1 %2\n").arg(bold(QStringLiteral("gufo-cli ") + name),
                                         manualText(Cli::tr(verb.arguments))) +
           section(QStringLiteral("DESCRIPTION")) + manualText(Cli::tr(verb.summary)) + QStringLiteral(".\n") +
           manualText(Cli::tr(verb.details)) + QLatin1Char('\n') + options(verb) + section(QStringLiteral("SEE ALSO")) +
           QStringLiteral("%1(1)\n").arg(bold(QStringLiteral("gufo-cli")));
}

} // namespace gufo::cli
