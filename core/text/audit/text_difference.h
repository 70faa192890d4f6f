// What distinguishes two renderings, in words: which text one has and the other has not, and whether it is a sentence
// or the scaffold of a conversation.
//
// Thread contract: pure functions. Texts are UTF-8.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

// The text without tags: "<|im_start|>", "</s>", "[INST]", "<<SYS>>". Markup that contains several words is no tag.
[[nodiscard]] std::string withoutTags(std::string_view text);

// The words outside of tags, in lower case; names of roles are none. A character of a script without spaces counts as a
// word.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);
using WordSet = std::set<std::string, std::less<>>;
void addWords(WordSet& words, std::string_view text);
// The number of different words that are not in the set.
[[nodiscard]] std::size_t foreignWords(std::string_view text, const WordSet& known);
// At least this many words are a sentence.
inline constexpr std::size_t kSentenceWords = 3;

// Whether a text is nothing but a date or a time, and punctuation.
[[nodiscard]] bool isDateText(std::string_view text);

struct TextDifference {
    std::string added{};   // parts that only the second text has, separated by spaces
    std::string removed{}; // parts that only the first text has
    std::size_t at = 0;    // offset of the first difference in the second text
    [[nodiscard]] bool isNone() const { return added.empty() && removed.empty(); }
};
// Compares words, tags and punctuation; white space does not count.
[[nodiscard]] TextDifference differenceOf(std::string_view before, std::string_view after);

[[nodiscard]] std::size_t occurrences(std::string_view text, std::string_view part);
[[nodiscard]] std::string replacedAll(std::string text, std::string_view what, std::string_view by);

} // namespace gufo::text
