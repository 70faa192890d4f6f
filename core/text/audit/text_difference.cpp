#include "text/audit/text_difference.h"

#include "base/ascii.h"

#include <QList>
#include <QString>

#include <algorithm>
#include <array>
#include <span>

namespace gufo::text {
namespace {

constexpr std::size_t kLongestTag = 80;

constexpr auto kRoleWords =
    std::to_array<std::string_view>({"user", "assistant", "system", "tool", "model", "human", "bot", "developer",
                                     "ipython", "function", "functions", "observation", "gpt", "ai"});

constexpr auto kDateWords = std::to_array<std::string_view>(
    {"january",  "february", "march", "april", "may",    "june",    "july",      "august",   "september", "october",
     "november", "december", "jan",   "feb",   "mar",    "apr",     "jun",       "jul",      "aug",       "sep",
     "sept",     "oct",      "nov",   "dec",   "monday", "tuesday", "wednesday", "thursday", "friday",    "saturday",
     "sunday",   "mon",      "tue",   "wed",   "thu",    "fri",     "sat",       "sun",      "am",        "pm",
     "utc",      "gmt",      "st",    "nd",    "rd",     "th",      "t",         "z"});

// The length of the tag at the beginning of a text; 0 if there is none.
std::size_t tagAt(std::string_view text) {
    const char open = text.front();
    if (open != '<' && open != '[') {
        return 0;
    }
    const std::string_view start = text.substr(0, kLongestTag);
    const std::size_t close = start.find(open == '<' ? '>' : ']', 1);
    if (close == std::string_view::npos || close == 1) {
        return 0;
    }
    const std::string_view inside = start.substr(1, close - 1);
    if (open == '[') {
        const bool isName = std::ranges::all_of(inside, [](char c) {
            return (c >= 'A' && c <= 'Z') || c == '_' || c == '/' || c == '|' || (c >= 'a' && c <= 'z');
        });
        return isName ? close + 1 : 0;
    }
    const auto spaces = std::ranges::count_if(inside, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
    return spaces == 0 || (spaces == 1 && inside.find('=') != std::string_view::npos) ? close + 1 : 0;
}

// The length of two tags that enclose a name and attributes, as one would: <|open|>message role="user"<|sep|>.
std::size_t enclosedAt(std::string_view text) {
    constexpr std::string_view kEnd = "<|sep|>";
    const std::size_t begin = text.starts_with("<|open|>") || text.starts_with("<|close|>") ? text.find('>') + 1 : 0;
    const std::size_t end = begin != 0 ? text.substr(0, 2 * kLongestTag).find(kEnd, begin) : std::string_view::npos;
    if (end == std::string_view::npos) {
        return 0;
    }
    std::string_view inside = text.substr(begin, end - begin);
    for (bool isName = true; !inside.empty(); isName = false) {
        const std::string_view part = inside.substr(0, inside.find(' '));
        const std::size_t value = part.find("=\"");
        const bool isAttribute = value != std::string_view::npos && part.find('"', value + 2) == part.size() - 1;
        if (isName ? !std::ranges::all_of(part, isAsciiLetter) : !isAttribute) {
            return 0;
        }
        inside.remove_prefix(std::min(inside.size(), part.size() + 1));
    }
    return end + kEnd.size();
}

bool isLetterByte(char c) { return isAsciiLetter(c) || static_cast<unsigned char>(c) >= 0x80; }

// Tags, words, numbers and single other characters.
std::vector<std::string_view> tokensOf(std::string_view text) {
    std::vector<std::string_view> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            ++at;
            continue;
        }
        std::size_t length = tagAt(text.substr(at));
        if (length == 0) {
            length = 1;
            if (isLetterByte(c)) {
                while (at + length < text.size() && isLetterByte(text[at + length])) {
                    ++length;
                }
            } else if (isAsciiDigit(c)) {
                while (at + length < text.size() && isAsciiDigit(text[at + length])) {
                    ++length;
                }
            }
        }
        tokens.push_back(text.substr(at, length));
        at += length;
    }
    return tokens;
}

std::string joined(std::span<const std::string_view> tokens, const std::vector<bool>& taken) {
    std::string text;
    const char* last = nullptr;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!taken[i]) {
            continue;
        }
        if (!text.empty() && tokens[i].data() != last) {
            text += ' ';
        }
        text.append(tokens[i]);
        last = tokens[i].data() + tokens[i].size();
    }
    return text;
}

// Marks the tokens that are not part of a longest common subsequence.
void markDifferent(std::span<const std::string_view> before, std::span<const std::string_view> after,
                   std::vector<bool>& removed, std::vector<bool>& added, std::size_t offset) {
    constexpr std::size_t kMostCells = 4U << 20U;
    const std::size_t width = after.size() + 1;
    if (before.size() * width > kMostCells) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            removed[offset + i] = true;
        }
        for (std::size_t j = 0; j < after.size(); ++j) {
            added[offset + j] = true;
        }
        return;
    }
    std::vector<std::uint16_t> longest((before.size() + 1) * width);
    for (std::size_t i = before.size(); i-- > 0;) {
        for (std::size_t j = after.size(); j-- > 0;) {
            longest[i * width + j] = before[i] == after[j]
                                         ? static_cast<std::uint16_t>(longest[(i + 1) * width + j + 1] + 1)
                                         : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
        }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before[i] == after[j]) {
            ++i;
            ++j;
        } else if (j == after.size() ||
                   (i < before.size() && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
            removed[offset + i++] = true;
        } else {
            added[offset + j++] = true;
        }
    }
}

// Scripts that do not separate words by spaces.
bool isWordByItself(QChar::Script script) {
    return script == QChar::Script_Han || script == QChar::Script_Hiragana || script == QChar::Script_Katakana ||
           script == QChar::Script_Thai || script == QChar::Script_Khmer || script == QChar::Script_Lao;
}

} // namespace

std::string withoutTags(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t enclosed = enclosedAt(text.substr(at));
        if (const std::size_t length = enclosed != 0 ? enclosed : tagAt(text.substr(at)); length != 0) {
            plain += ' ';
            at += length;
        } else {
            plain += text[at++];
        }
    }
    return plain;
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    QString word;
    const auto end = [&] {
        if (!word.isEmpty()) {
            std::string each = word.toLower().toStdString();
            if (std::ranges::find(kRoleWords, each) == kRoleWords.end()) {
                words.push_back(std::move(each));
            }
            word.clear();
        }
    };
    for (const char32_t c : QString::fromStdString(withoutTags(text)).toUcs4()) {
        if (c == '_' && !word.isEmpty() && word.back().isUpper()) {
            word += QLatin1Char('_'); // a name such as CONTINUE_TAG is one word
        } else if (!QChar::isLetter(c)) {
            end();
        } else if (isWordByItself(QChar::script(c))) {
            end();
            word = QString::fromUcs4(&c, 1);
            end();
        } else {
            word += QString::fromUcs4(&c, 1);
        }
    }
    end();
    return words;
}

void addWords(WordSet& words, std::string_view text) {
    for (std::string& word : wordsOf(text)) {
        words.insert(std::move(word));
    }
}

std::size_t foreignWords(std::string_view text, const WordSet& known) {
    WordSet foreign;
    for (std::string& word : wordsOf(text)) {
        if (!known.contains(word)) {
            foreign.insert(std::move(word));
        }
    }
    return foreign.size();
}

bool isDateText(std::string_view text) {
    return std::ranges::all_of(
        wordsOf(text), [](const std::string& word) { return std::ranges::find(kDateWords, word) != kDateWords.end(); });
}

TextDifference differenceOf(std::string_view before, std::string_view after) {
    const auto first = tokensOf(before);
    const auto second = tokensOf(after);
    const auto shared = std::min(first.size(), second.size());
    std::size_t prefix = 0;
    while (prefix < shared && first[prefix] == second[prefix]) {
        ++prefix;
    }
    std::size_t suffix = 0;
    while (suffix < shared - prefix && first[first.size() - 1 - suffix] == second[second.size() - 1 - suffix]) {
        ++suffix;
    }
    std::vector<bool> removed(first.size());
    std::vector<bool> added(second.size());
    markDifferent(std::span(first).subspan(prefix, first.size() - prefix - suffix),
                  std::span(second).subspan(prefix, second.size() - prefix - suffix), removed, added, prefix);
    return {.added = joined(second, added),
            .removed = joined(first, removed),
            .at =
                prefix < second.size() ? static_cast<std::size_t>(second[prefix].data() - after.data()) : after.size()};
}

std::size_t occurrences(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos && !part.empty();
         at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

std::string replacedAll(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos && !what.empty();
         at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

} // namespace gufo::text
