#include "cli/help.h"

#include "cli/console.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/surgery_options.h"
#include "cli/terminal_text.h"
#include "ui/messages/figure_text.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

constexpr OptionFact kJson = {"json", "",
                              QT_TRANSLATE_NOOP("gufo::cli::Cli", "print JSON (documented in app/cli/JSON.md)")};
constexpr OptionFact kForce = {"force", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "replace an existing file")};
constexpr OptionFact kHelp = {"h,help", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "print this help")};

constexpr int kTitles = 24;    // columns of the names of options
constexpr int kPageLines = 42; // longer descriptions are divided by topics

constexpr auto kTopics = std::to_array<OptionTopic>({
    {"sampling", QT_TRANSLATE_NOOP("gufo::cli::Cli", "How the next token is chosen"), kSamplerOptions},
    {"constraints", QT_TRANSLATE_NOOP("gufo::cli::Cli", "What the answer may be"), kConstraintOptions},
    {"speed", QT_TRANSLATE_NOOP("gufo::cli::Cli", "Faster generation with the same answers"), kSpeedOptions},
    {"session", QT_TRANSLATE_NOOP("gufo::cli::Cli", "Memory, threads and positions"), kEngineOptions},
    {"surgery", QT_TRANSLATE_NOOP("gufo::cli::Cli", "Blocks, experts, types and files of a model"), kSurgeryOptions},
    {"weights", QT_TRANSLATE_NOOP("gufo::cli::Cli", "Weights of another file"), kSwapOptions},
    {"engine", QT_TRANSLATE_NOOP("gufo::cli::Cli", "Other engines and servers"), kOtherEngineOptions},
});

bool hasTopic(const Verb& verb, const OptionTopic& topic) {
    return std::ranges::any_of(verb.options, [&](const OptionFact& option) { return contains(topic, option); });
}

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

template<typename Wanted>
QString optionsHelp(const Verb& verb, int width, const Wanted& wanted) {
    QString help;
    for (const OptionFact& option : allOptions(verb)) {
        if (wanted(option)) {
            help += wrapped(optionTitle(option).leftJustified(kTitles - 2) + QStringLiteral("  "), optionText(option),
                            kTitles, width);
        }
    }
    return help;
}

// What comes before the options.
QString introduction(const Verb& verb, int width) {
    return wrapped(QStringLiteral("gufo-cli %1 ").arg(QLatin1String(verb.name)), Cli::tr(verb.arguments), 4, width) +
           QLatin1Char('\n') + wrapped({}, Cli::tr(verb.summary) + QLatin1Char('.'), 0, width) +
           wrapped({}, Cli::tr(verb.details), 0, width) + QLatin1Char('\n');
}

} // namespace

std::vector<OptionFact> allOptions(const Verb& verb) {
    std::vector<OptionFact> options(verb.options.begin(), verb.options.end());
    if (hasOutputs(verb)) {
        options.push_back(kForce);
    }
    options.insert(options.end(), {kJson, kHelp});
    return options;
}

bool contains(const OptionTopic& topic, const OptionFact& option) {
    // Verbs may have an option of the same name that means something else.
    return std::ranges::any_of(topic.options, [&](const OptionFact& one) {
        return std::string_view(one.names) == option.names && std::string_view(one.help) == option.help;
    });
}

QString optionText(const OptionFact& option) {
    const QString text = Cli::tr(option.help);
    return option.choices != nullptr && text.contains(QStringLiteral("%1")) ? text.arg(option.choices()) : text;
}

QString dashed(const QString& name) { return (name.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + name; }

std::span<const OptionTopic> optionTopics() { return kTopics; }

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

QString helpOfHelp(int width) {
    return QStringLiteral("gufo-cli help [VERB [TOPIC]]\n\n") +
           wrapped({},
                   Cli::tr("Lists the verbs, or describes a verb. Where a verb has many options, those of a topic are "
                           "described on their own; the topic \"%1\" stands for all.")
                       .arg(QLatin1String(kAllTopics.data(), static_cast<qsizetype>(kAllTopics.size()))),
                   0, width);
}

QString verbHelp(const Verb& verb, int width) {
    const QString whole = introduction(verb, width) + optionsHelp(verb, width, [](const OptionFact&) { return true; });
    const bool divided = std::ranges::any_of(kTopics, [&](const OptionTopic& topic) { return hasTopic(verb, topic); });
    if (!divided || whole.count(QLatin1Char('\n')) <= kPageLines) {
        return whole;
    }
    QString help =
        introduction(verb, width) + optionsHelp(verb, width, [](const OptionFact& option) {
            return std::ranges::none_of(kTopics, [&](const OptionTopic& topic) { return contains(topic, option); });
        });
    const QString name = QLatin1String(verb.name);
    help += QLatin1Char('\n') +
            wrapped({}, Cli::tr("Further options, described by \"gufo-cli help %1 TOPIC\":").arg(name), 0, width);
    for (const OptionTopic& topic : kTopics) {
        QStringList names;
        for (const OptionFact& option : verb.options) {
            if (contains(topic, option)) {
                names << dashed(QString::fromLatin1(option.names).section(QLatin1Char(','), -1));
            }
        }
        if (!names.isEmpty()) {
            constexpr int kNames = 15;
            help += wrapped(QStringLiteral("  ") + QString::fromLatin1(topic.name).leftJustified(kNames - 2),
                            names.join(QStringLiteral(", ")), kNames, width);
        }
    }
    return help + wrapped({}, Cli::tr("\"gufo-cli help %1 all\" describes all options.").arg(name), 0, width);
}

std::optional<QString> topicHelp(const Verb& verb, std::string_view topic, int width) {
    if (topic == kAllTopics) {
        return introduction(verb, width) + optionsHelp(verb, width, [](const OptionFact&) { return true; });
    }
    const auto found = std::ranges::find(kTopics, topic, &OptionTopic::name);
    if (found == kTopics.end() || !hasTopic(verb, *found)) {
        return std::nullopt;
    }
    return wrapped(QStringLiteral("gufo-cli %1: ").arg(QLatin1String(verb.name)), Cli::tr(found->title), 4, width) +
           QLatin1Char('\n') +
           optionsHelp(verb, width, [&](const OptionFact& option) { return contains(*found, option); });
}

std::vector<std::string_view> topicsOf(const Verb& verb) {
    std::vector<std::string_view> names;
    for (const OptionTopic& topic : kTopics) {
        if (hasTopic(verb, topic)) {
            names.emplace_back(topic.name);
        }
    }
    names.push_back(kAllTopics);
    return names;
}

} // namespace gufo::cli
