// What "gufo-cli help" prints: the list of verbs, and the arguments and options of a verb. Where these would fill more
// than a page, options that few people need are only named, by topic.
#pragma once

#include "cli/verb.h"

#include <QString>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gufo::cli {

// The options of a verb, including the options that every verb has.
[[nodiscard]] std::vector<OptionFact> allOptions(const Verb& verb);
// "--output", or "-o" for a name of one letter.
[[nodiscard]] QString dashed(const QString& name);
// What the help says about an option.
[[nodiscard]] QString optionText(const OptionFact& option);

// Options that are described together.
struct OptionTopic {
    const char* name; // "sampling"
    const char* title;
    std::span<const OptionFact> options;
};
[[nodiscard]] std::span<const OptionTopic> optionTopics();
[[nodiscard]] bool contains(const OptionTopic& topic, const OptionFact& option);
inline constexpr std::string_view kAllTopics = "all";

// The texts are in lines of at most `width` columns.
[[nodiscard]] QString programHelp(int width);
[[nodiscard]] QString helpOfHelp(int width);
[[nodiscard]] QString verbHelp(const Verb& verb, int width);
// The options of a topic, or all of the verb. Empty if the verb has no such topic.
[[nodiscard]] std::optional<QString> topicHelp(const Verb& verb, std::string_view topic, int width);
// The names of the topics of a verb, and kAllTopics.
[[nodiscard]] std::vector<std::string_view> topicsOf(const Verb& verb);

} // namespace gufo::cli
