#include "synthetic_vocabulary.h"

#include <array>
#include <random>
#include <string_view>
#include <unordered_set>

namespace gufo::tools {
namespace {

constexpr std::int32_t kNormal = 1;
constexpr std::int32_t kUnknown = 2;
constexpr std::int32_t kControl = 3;
constexpr std::int32_t kByte = 6;
constexpr std::size_t kLongestToken = 24; // in bytes

std::string utf8(std::uint32_t c) { // below U+0800
    return c < 0x80 ? std::string(1, static_cast<char>(c))
                    : std::string{static_cast<char>(0xC0U | c >> 6U), static_cast<char>(0x80U | (c & 0x3FU))};
}

// The alphabet of byte-level BPE: printable Latin-1 represents itself, and characters from U+0100 on the other bytes.
std::vector<std::string> byteCharacters() {
    std::vector<std::string> characters(256);
    std::uint32_t next = 0x100;
    for (std::uint32_t b = 0; b < 256; ++b) {
        const bool printable = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
        characters[b] = utf8(printable ? b : next);
        next += printable ? 0 : 1;
    }
    return characters;
}

// Makes a distinct word for each number, with its digits as syllables.
std::string word(std::uint32_t number) {
    static constexpr std::string_view kConsonants = "bcdfghjklmnprstvz";
    static constexpr std::string_view kVowels = "aeiou";
    std::string text = number % 3 == 0 ? "" : "\u2581"; // SentencePiece's space
    for (std::uint32_t rest = number / 3 * 2 + (number % 3 == 2 ? 1 : 0);; rest = rest / 85 - 1) {
        text += kConsonants[rest % 85 / 5];
        text += kVowels[rest % 5];
        if (rest < 85) {
            return text;
        }
    }
}

} // namespace

Vocabulary makeScoredVocabulary(std::uint32_t size) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    Vocabulary vocabulary{.model = "llama", .beginId = 1, .endId = 2};
    const auto add = [&](std::string token, float score, std::int32_t type) {
        vocabulary.tokens.push_back(std::move(token));
        vocabulary.scores.push_back(score);
        vocabulary.types.push_back(type);
    };
    add("<unk>", 0, kUnknown);
    add("<s>", 0, kControl);
    add("</s>", 0, kControl);
    for (unsigned b = 0; b < 256; ++b) {
        add(std::string("<0x") + kHex[b / 16] + kHex[b % 16] + '>', 0, kByte);
    }
    for (std::uint32_t i = 0; vocabulary.tokens.size() < size; ++i) {
        add(word(i), -static_cast<float>(i), kNormal);
    }
    return vocabulary;
}

Vocabulary makeMergedVocabulary(std::uint32_t size) {
    Vocabulary vocabulary{.model = "gpt2", .tokens = byteCharacters()};
    std::unordered_set<std::string> known(vocabulary.tokens.begin(), vocabulary.tokens.end());
    std::mt19937_64 random(1); // NOLINT: the same vocabulary every time
    while (vocabulary.tokens.size() + 2 < size) {
        // Earlier tokens are merged more often, as in real vocabularies.
        const auto pick = [&] {
            const double share = static_cast<double>(random() >> 11U) * 0x1p-53;
            return static_cast<std::size_t>(share * share * static_cast<double>(vocabulary.tokens.size()));
        };
        const std::string left = vocabulary.tokens[pick()];
        const std::string right = vocabulary.tokens[pick()];
        if (left.size() + right.size() <= kLongestToken && known.insert(left + right).second) {
            vocabulary.tokens.push_back(left + right);
            vocabulary.merges.push_back(left + ' ' + right);
        }
    }
    vocabulary.types.assign(vocabulary.tokens.size(), kNormal);
    vocabulary.beginId = static_cast<std::uint32_t>(vocabulary.tokens.size());
    vocabulary.endId = vocabulary.beginId + 1;
    vocabulary.tokens.insert(vocabulary.tokens.end(), {"<|begin_of_text|>", "<|end_of_text|>"});
    vocabulary.types.insert(vocabulary.types.end(), {kControl, kControl});
    return vocabulary;
}

} // namespace gufo::tools
