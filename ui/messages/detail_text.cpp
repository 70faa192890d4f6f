#include "ui/messages/detail_text.h"

#include "base/detail.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/model_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo::ui {
namespace {

struct DetailWords {
    Detail detail;
    const char* text; // %1 … are the detail's arguments
};

constexpr auto kDetailWords = std::to_array<const char*>({
#define GUFO_DETAIL(code, name, args, words) words,
#include "base/detail_codes.inc"
#undef GUFO_DETAIL
});

// Of details whose last argument is what a process wrote last, if it wrote nothing.
constexpr auto kWordsWithoutOutput = std::to_array<DetailWords>({
    {Detail::EngineKilled,
     QT_TRANSLATE_NOOP("Details", "its process was ended by signal %1, so the model has to be loaded again")},
    {Detail::EngineExited,
     QT_TRANSLATE_NOOP("Details", "its process ended with code %1, so the model has to be loaded again")},
    {Detail::EngineSilent,
     QT_TRANSLATE_NOOP(
         "Details", "its process did not respond for %1 seconds and was ended, so the model has to be loaded again")},
    {Detail::EngineStuck,
     QT_TRANSLATE_NOOP(
         "Details", "its process did not stop within %1 seconds and was ended, so the model has to be loaded again")},
    {Detail::EngineProtocolBroken, QT_TRANSLATE_NOOP("Details", "its process broke the protocol and was ended")},
});

const char* wordsOf(Detail detail, const Arguments& args) {
    if (!args.empty() && !args.back().detail() && args.back().text().empty()) {
        const auto* found = std::ranges::find(kWordsWithoutOutput, detail, &DetailWords::detail);
        if (found != kWordsWithoutOutput.end()) {
            return found->text;
        }
    }
    return kDetailWords[static_cast<std::size_t>(detail)];
}

std::optional<std::uint64_t> wholeNumber(const Argument& argument) {
    const std::string& text = argument.text();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
    return whole && !argument.detail() ? std::optional(value) : std::nullopt;
}

// The first whole number among the arguments, or -1, which translate() takes as "no number".
int numberOf(const Arguments& args) {
    for (const Argument& argument : args) {
        if (const auto value = wholeNumber(argument)) {
            return numerus(*value);
        }
    }
    return -1;
}

// Names, lists of names and messages of servers can be of any length. A list is cut between two of its entries, and the
// number of the others is stated; another text is cut in its middle.
QString shortened(const QString& text) {
    constexpr qsizetype kLongest = 240;
    if (text.size() <= kLongest) {
        return text;
    }
    const QString separator = QStringLiteral(", ");
    const qsizetype cut = text.lastIndexOf(separator, kLongest);
    qsizetype others = text.mid(std::max<qsizetype>(cut, 0)).count(separator);
    // Core has cut the list already: ", … (+15)".
    static const QRegularExpression already(QStringLiteral(", … \\(\\+(\\d+)\\)$"));
    if (const auto rest = already.match(text); rest.hasMatch()) {
        others += rest.captured(1).toInt() - 1;
    }
    const bool isList = cut > kLongest / 2 && !text.contains(QStringLiteral(". "));
    if (isList && others > 1) {
        return QCoreApplication::translate("Details", "%1 and %n more", nullptr, static_cast<int>(others))
            .arg(text.left(cut));
    }
    const qsizetype half = kLongest / 2;
    return text.left(half - (text[half - 1].isHighSurrogate() ? 1 : 0)) + QChar(0x2026) +
           text.right(half - (text[text.size() - half].isLowSurrogate() ? 1 : 0));
}

// The finding of Detail::SurgeryBreaks: its name, its place and its arguments.
std::optional<Finding> findingIn(const Arguments& args) {
    constexpr std::size_t kArgs = 2;
    const auto facts = findingFacts();
    const auto fact = args.size() < kArgs ? facts.end() : std::ranges::find(facts, args[0].text(), &FindingFact::name);
    if (fact == facts.end()) {
        return std::nullopt;
    }
    return Finding{fact->code, Place::key(args[1].text()), {args.begin() + kArgs, args.end()}};
}

// Details whose sentences are composed by functions. Each returns nothing if the arguments do not fit.
std::optional<QString> surgeryBreaksText(const Arguments& args) {
    const auto finding = findingIn(args);
    if (!finding) {
        return std::nullopt;
    }
    const QString place = displayText(finding->place.name);
    const QString message = findingMessage(*finding);
    return QCoreApplication::translate("Details", "the result would be invalid: %1")
        .arg(place.isEmpty() || message.contains(place) ? message : place + QStringLiteral(": ") + message);
}

std::optional<QString> otherVocabularyText(const Arguments& args) {
    const auto number = [&](std::size_t i) { return i < args.size() ? wholeNumber(args[i]) : std::nullopt; };
    if (!number(0) || !number(1)) {
        return std::nullopt;
    }
    text::VocabularyDifference difference{.size = *number(1), .otherSize = *number(0)};
    if (args.size() == 5 && number(2)) {
        difference.token = TokenId(static_cast<std::uint32_t>(*number(2)));
        difference.otherText = args[3].text();
        difference.text = args[4].text();
    }
    return vocabularyDifferenceText(difference);
}

std::optional<QString> engineLacksText(const Arguments& args) {
    const auto number = args.empty() ? std::nullopt : wholeNumber(args.front());
    return number && *number < inference::kFeatureCount
               ? std::optional(featureMissing(static_cast<inference::Feature>(*number)))
               : std::nullopt;
}

struct ComposedRow {
    Detail detail;
    std::optional<QString> (*text)(const Arguments& args);
};
constexpr auto kComposed = std::to_array<ComposedRow>({
    {Detail::SurgeryBreaks, surgeryBreaksText},
    {Detail::OtherVocabulary, otherVocabularyText},
    {Detail::EngineLacks, engineLacksText},
});

} // namespace

QString argumentText(const Argument& argument) {
    if (!argument.detail()) {
        return shortened(displayText(argument.text()));
    }
    const auto* composed = std::ranges::find(kComposed, *argument.detail(), &ComposedRow::detail);
    const auto text = composed != kComposed.end() ? composed->text(argument.args()) : std::nullopt;
    return text ? *text : sentence("Details", wordsOf(*argument.detail(), argument.args()), argument.args());
}

QString sentence(const char* context, const char* english, const Arguments& args,
                 const std::function<QString(const Argument&)>& words) {
    const QString pattern = QCoreApplication::translate(context, english, nullptr, numberOf(args));
    QString text;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const int number = pattern[i] == QLatin1Char('%') && i + 1 < pattern.size() ? pattern[i + 1].digitValue() : -1;
        if (number >= 1) {
            const auto index = static_cast<std::size_t>(number - 1);
            text += index < args.size() ? words(args[index]) : QString();
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

} // namespace gufo::ui
