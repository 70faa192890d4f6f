// Measures the tokenizers on one core, in MB/s: for English, for mixed text (code, Chinese, Russian, emoji), and for
// texts with expensive merges (a megabyte of one letter, of spaces, of a script that is not in the vocabulary). The
// goal is at least 6 MB/s of English for llama-spm and gpt-2. The vocabularies are the published ones in the shared
// folder. Then measures pre-tokenization alone for each rule; its goal is 20 MB/s of English.
#include "base/utf8.h"
#include "document/open_model.h"
#include "goal_verdict.h"
#include "test_paths.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/tokenizer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace gufo;

namespace {

constexpr std::size_t kTextBytes = 4'000'000;
constexpr int kRounds = 5;

// Draws words as in running text: a few hundred common words and an endless supply of rare ones, with frequencies that
// follow Zipf's law.
class Words {
public:
    Words(std::string_view common, const std::vector<std::string>& starts, const std::vector<std::string>& middles,
          const std::vector<std::string>& ends)
        : m_random(1) {
        for (std::size_t at = 0; at < common.size();) {
            const std::size_t space = std::min(common.find(' ', at), common.size());
            m_words.emplace_back(common.substr(at, space - at));
            at = space + 1;
        }
        for (const std::string& start : starts) {
            for (const std::string& middle : middles) {
                for (const std::string& end : ends) {
                    m_words.push_back(start + middle + end);
                }
            }
        }
        std::shuffle(m_words.begin() + 100, m_words.end(), m_random);
    }
    // Approximates the inverse of Zipf's distribution function: rank = count^u.
    const std::string& next() {
        const double u = std::uniform_real_distribution<>(0, 1)(m_random);
        return m_words[static_cast<std::size_t>(std::pow(static_cast<double>(m_words.size()), u)) - 1];
    }
    std::size_t below(std::size_t limit) { return m_random() % limit; }

private:
    std::mt19937 m_random;
    std::vector<std::string> m_words;
};

void appendSentence(std::string& text, Words& words) {
    const std::size_t first = text.size();
    const std::size_t count = 4 + words.below(20);
    for (std::size_t i = 0; i < count; ++i) {
        text += i == 0 ? "" : words.below(9) == 0 ? ", " : " ";
        text += words.below(40) == 0 ? std::to_string(words.below(3000)) : words.next();
    }
    if (text[first] >= 'a' && text[first] <= 'z') {
        text[first] = static_cast<char>(text[first] - 'a' + 'A');
    }
    text += words.below(8) == 0 ? ".\n\n" : ". ";
}

Words englishWords() {
    return Words(
        "the of and to in a is that it was for on as with he be at by this had not are but from or have an they "
        "which one you were her all she there would their we him been has when who will more no if out so said "
        "what up its about into than them can only other new some could time these two may then do first any "
        "my now such like our over man me even most made after also did many before must through years where "
        "much your way well down should because each just those people how too little state good very make "
        "world still see own work men day get here between both life being under never same another know "
        "while last might us great old year off come since against go came right used take three himself few "
        "house use during without again place around however home small found thought went say part once "
        "general high upon school every don't does it's that's I'm we'll they're",
        {"re", "un", "con", "dis", "in", "trans", "over", "pro", "sub", "ex", "fore", "out", "inter", "per"},
        {"form", "ject",   "duct",  "port", "script", "tract", "cede", "vert", "press", "mount", "light", "stand",
         "hold", "ground", "found", "land", "bound",  "serv",  "sist", "tain", "volv",  "pend",  "fer",   "clud"},
        {"", "s", "ed", "ing", "er", "ation", "able", "ment", "ly", "ness", "ive", "ance", "or", "al"});
}

std::string english() {
    Words words = englishWords();
    std::string text;
    while (text.size() < kTextBytes) {
        appendSentence(text, words);
    }
    return text;
}

std::string mixed() {
    Words english = englishWords();
    Words russian("и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой что-то",
                  {"пере", "под", "раз", "за", "от", "вы", "при", "на"},
                  {"ход", "вод", "пис", "чит", "став", "нос", "говор", "смотр", "каз", "вед"},
                  {"ить", "ал", "ание", "ный", "ная", "ность", "ился", "ает", "ом", "ами"});
    std::string text;
    while (text.size() < kTextBytes) {
        switch (english.below(5)) {
        case 0:
            appendSentence(text, english);
            break;
        case 1:
            appendSentence(text, russian);
            break;
        case 2: // code
            text += "for (std::size_t " + english.next() + "_" + english.next() + " = 0; i < " +
                    std::to_string(english.below(100'000)) + "; ++i) {\n    m_" + english.next() + "[i] += 0x" +
                    std::to_string(english.below(9999)) + ";\n}\n";
            break;
        case 3: // Chinese, with the most common characters first
            for (std::size_t i = 0, count = 10 + english.below(30); i < count; ++i) {
                const double u = static_cast<double>(english.below(1'000'000)) / 1e6;
                appendUtf8(text, static_cast<char32_t>(0x4E00 + std::pow(20'000.0, u)));
            }
            text += "。\n";
            break;
        default:
            for (std::size_t i = 0, count = 1 + english.below(3); i < count; ++i) {
                appendUtf8(text, static_cast<char32_t>(0x1F300 + english.below(0x350)));
            }
            text += ' ';
        }
    }
    return text;
}

std::string repeated(std::string_view unit) {
    std::string text;
    while (text.size() < 1'000'000) {
        text += unit;
    }
    return text;
}

// The best of several rounds.
double megabytesPerSecond(const text::Tokenizer& tokenizer, const std::string& text, int rounds) {
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        if (!tokenizer.encode(text)) {
            std::exit(1);
        }
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::max(best, static_cast<double>(text.size()) / 1e6 / time.count());
    }
    return best;
}

// Returns whether every rule reaches the goal.
bool measureSplitting(const std::string& english, const std::string& mixed) {
    constexpr double kGoal = 20;
    std::printf("\nMB/s of splitting on one core\n%-24s %14s %14s\n", "", "English", "mixed");
    double slowest = 1e9;
    std::size_t words = 0;
    for (const text::PreTokenizer& rule : text::preTokenizers()) {
        const auto speed = [&](const std::string& text) {
            double best = 0;
            for (int round = 0; round < kRounds; ++round) {
                const auto start = std::chrono::steady_clock::now();
                text::splitWords(rule.stages, text, [&](std::string_view) { return ++words > 0; });
                const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
                best = std::max(best, static_cast<double>(text.size()) / 1e6 / time.count());
            }
            return best;
        };
        const double ofEnglish = speed(english);
        slowest = std::min(slowest, ofEnglish);
        std::printf("%-24s %14.1f %14.1f\n", rule.name.data(), ofEnglish, speed(mixed));
    }
    std::printf("goal: at least %.0f MB/s of English by every rule: %s (slowest %.1f, %zu words)\n", kGoal,
                slowest >= kGoal ? "reached" : "MISSED", slowest, words);
    return slowest >= kGoal;
}

} // namespace

int main() {
    struct Text {
        const char* name;
        std::string text;
        int rounds;
    };
    const std::vector<Text> texts{{"English", english(), kRounds},      {"mixed", mixed(), kRounds},
                                  {"one letter", repeated("a"), 1},     {"spaces", repeated(" "), 1},
                                  {"unknown script", repeated("ក"), 1}, {"not UTF-8", repeated("\xE2"), 1}};
    std::printf("MB/s of text on one core (load: time to prepare the tokenizer)\n%-12s %8s", "", "load");
    for (const Text& text : texts) {
        std::printf(" %14s", text.name);
    }
    std::printf("\n");
    bool fast = true;
    int measured = 0; // of the two vocabularies that have a goal
    for (const char* name : {"llama-spm", "gpt-2", "falcon", "bert-bge"}) {
        const auto model = openModel(std::filesystem::path(GUFO_SHARED_DIR "/thirdparty/vocab") /
                                     (std::string("ggml-vocab-") + name + ".gguf"));
        if (!model) {
            std::printf("%-12s not here: skipped\n", name);
            continue;
        }
        const auto start = std::chrono::steady_clock::now();
        const auto tokenizer = text::makeTokenizer(**model);
        const std::chrono::duration<double, std::milli> load = std::chrono::steady_clock::now() - start;
        if (!tokenizer) {
            return 1;
        }
        std::printf("%-12s %5.0f ms", name, load.count());
        for (const Text& text : texts) {
            const double speed = megabytesPerSecond(**tokenizer, text.text, text.rounds);
            std::printf(" %14.1f", speed);
            const bool hasGoal =
                &text == texts.data() && (name == std::string_view("llama-spm") || name == std::string_view("gpt-2"));
            fast = fast && (!hasGoal || speed >= 6);
            measured += hasGoal ? 1 : 0;
        }
        std::printf("\n");
    }
    std::printf("goal: at least 6 MB/s of English for llama-spm and gpt-2: %s\n",
                bench::goalVerdict(measured == 2 || !fast, fast));
    fast = measureSplitting(texts[0].text, texts[1].text) && fast;
    return fast ? 0 : 1;
}
