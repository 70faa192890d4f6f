// Measures how fast the tokenizer of a folder becomes keys: a tokenizer.json of 100 MB, half of it tokens and half of
// it merges, and what computing the keys adds. The goal is a second for 10 MB, in either form of merges.
#include "best_of.h"
#include "convert/vocabulary/vocabulary_plan.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using namespace gufo;
using namespace gufo::convert;

namespace {

constexpr std::size_t kBytes = 100'000'000;
constexpr int kRounds = 3;

std::string tokenText(std::size_t number) {
    std::string text = "\u0120tokens";
    for (; number > 0; number /= 26) {
        text += static_cast<char>('a' + number % 26);
    }
    return text;
}

std::string makeTokenizer(bool pairs) {
    std::string text = R"({"version": "1.0", "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "model": {"type": "BPE", "vocab": {)";
    for (std::size_t id = 0; text.size() < kBytes / 2; ++id) {
        text += (id == 0 ? "\n" : ",\n") + ("      \"" + tokenText(id)) + "\": " + std::to_string(id);
    }
    text += "}, \"merges\": [";
    for (std::size_t rank = 0; text.size() < kBytes; ++rank) {
        const std::string middle = pairs ? "\", \"" : " ";
        text += (rank == 0 ? "\n" : ",\n") + std::string(pairs ? "[\"" : "\"") + tokenText(rank) + middle + "x\"" +
                (pairs ? "]" : "");
    }
    return text + "]}}";
}

} // namespace

int main() {
    const auto folder = std::filesystem::temp_directory_path() / "gufo-bench-vocabulary";
    std::filesystem::create_directories(folder);
    for (const bool pairs : {false, true}) {
        const std::string text = makeTokenizer(pairs);
        std::ofstream(folder / "tokenizer.json", std::ios::binary) << text;
        const auto source = SourceFolder::of(folder, nullptr);
        std::uint64_t tokens = 0;
        const bench::Seconds seconds = bench::bestOf(kRounds, [&] {
            const auto plan = planVocabulary(*source, {.architecture = "gpt2"});
            tokens = plan ? plan->tokens : 0;
        });
        const double megabytes = static_cast<double>(text.size()) / 1e6;
        std::printf("tokenizer.json, merges as %s: %.0f MB, %.2f million tokens, %.2f s, %.0f MB/s, "
                    "%.3f s for 10 MB (goal: 1)\n",
                    pairs ? "pairs" : "texts", megabytes, static_cast<double>(tokens) / 1e6, seconds.passed,
                    megabytes / seconds.passed, 10 * seconds.passed / megabytes);
    }
    std::filesystem::remove_all(folder);
    return 0;
}
