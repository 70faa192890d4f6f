// Measures what drafts by the model's own block that predicts further tokens (engine/mtp_drafter.h) cost, on a
// synthetic glm4moe model of 1.1 billion weights: the time of a drafted token as a share of an evaluation without
// drafts, and the time in which a prompt is read while the block takes its states, relative to reading it without.
// Goals: at most 0.2 and 1.15. Also printed is by which factor tokens would be generated faster if three were drafted
// each time and so many of ten accepted one after the other; the time of evaluating four tokens together is measured,
// too. These factors are upper bounds, because the pairs of accepted tokens, which the block evaluates with the next
// draft, are not counted. The weights are random, so no text is generated.
//
//   bench_mtp_drafts [type]        the type of the weights, Q4_K_M by default
#include "document/open_model.h"
#include "goal_verdict.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine/mtp_drafter.h"
#include "inference/interface/drafter.h"
#include "test_paths.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::size_t kPrompt = 700; // tokens
constexpr int kRounds = 5;
constexpr int kTokens = 16; // drafts measured in each round
constexpr std::size_t kDrafted = 3;

// Infinite if the work fails.
template<typename Work>
double secondsOf(const Work& work) {
    const auto begun = std::chrono::steady_clock::now();
    const bool done = work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
    return done ? seconds.count() : std::numeric_limits<double>::infinity();
}

struct Times { // in seconds, the best of all rounds
    double with = std::numeric_limits<double>::infinity();
    double without = std::numeric_limits<double>::infinity();
    double evaluated = std::numeric_limits<double>::infinity();
    double together = std::numeric_limits<double>::infinity(); // a token and kDrafted others
    double drafted = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool areKnown() const { return std::isfinite(with + without + evaluated + together + drafted); }
    // The factor if a drafted token is accepted with this probability, given that those before it are.
    [[nodiscard]] double factor(double probability) const {
        double tokens = 1;
        for (std::size_t i = 1; i <= kDrafted; ++i) {
            tokens += std::pow(probability, static_cast<double>(i));
        }
        return tokens * evaluated / (together + kDrafted * drafted);
    }
};

std::optional<Times> measure(const std::filesystem::path& path) {
    const auto model = openModel(path);
    const auto loaded = model ? loadForInference(*model) : std::unexpected(model.error());
    if (!loaded) {
        return std::nullopt;
    }
    const auto session = (*loaded)->startSession({.context = kPrompt + 64, .logitRows = kDrafted + 1});
    if (!session) {
        return std::nullopt;
    }
    std::vector<TokenId> text;
    for (std::size_t i = 0; i <= kPrompt; ++i) {
        text.emplace_back((i * 7919 + 11) % (*session)->vocabulary());
    }
    const std::span prompt = std::span(text).first(kPrompt);
    const auto evaluate = [&](std::size_t tokens, Logits which) {
        return (*session)->evaluate(prompt.first(tokens), which, {}).has_value();
    };
    Times times;
    const auto take = [](double& best, double seconds) { best = std::min(best, seconds); };
    for (int round = 0; round < kRounds; ++round) { // interleaved, so that disturbances affect all
        (*session)->truncate(0);
        take(times.without, secondsOf([&] { return evaluate(kPrompt, Logits::Last); }));
        (*session)->truncate(0);
        const auto drafter = (*session)->startMtpDrafts();
        if (!drafter) {
            return std::nullopt;
        }
        take(times.with, secondsOf([&] { // the pairs of the last batch are evaluated before the first draft
                 return evaluate(kPrompt, Logits::Last) && (*drafter)->propose(text, 1, {});
             }));
        MtpBlock& block = dynamic_cast<MtpDrafter&>(**drafter).block();
        if (block.pairs() != kPrompt) { // then the prompt was not read as it would be
            return std::nullopt;
        }
        // In the order in which drafting does it, because what the model reads displaces the block from the cache.
        for (int i = 0; i < kTokens; ++i) {
            take(times.evaluated, secondsOf([&] { return evaluate(1, Logits::Last); }));
            (*session)->truncate(kPrompt);
            take(times.together, secondsOf([&] { return evaluate(kDrafted + 1, Logits::All); }));
            (*session)->truncate(kPrompt);
            const std::size_t pairs = block.pairs();
            const double seconds = secondsOf([&] {
                bool done = true;
                for (std::size_t token = 0; token < kDrafted; ++token) {
                    done = done && block.evaluate(prompt.first(1), block.state(), {});
                    block.predict();
                    done = certainToken(block.logits()).has_value() || done; // the search is a part of drafting
                }
                return done;
            });
            take(times.drafted, seconds / static_cast<double>(kDrafted));
            block.truncate(pairs);
        }
    }
    return times.areKnown() ? std::optional(times) : std::nullopt;
}

} // namespace

int main(int argc, char** argv) {
    const std::string type = argc > 1 ? argv[1] : "Q4_K_M";
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("gufo-bench-" + std::to_string(getpid()) + ".gguf");
    const std::string command =
        std::string("\"" GUFO_MAKE_MODEL "\" \"") + path.string() + "\" --shape glm-1b --type " + type + " > /dev/null";
    const auto times = std::system(command.c_str()) == 0 ? measure(path) : std::nullopt;
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (!times) {
        std::fputs("bench_mtp_drafts: the model could not be made or run\n", stderr);
        return 1;
    }
    const double share = times->drafted / times->evaluated;
    const double prompt = times->with / times->without;
    std::printf("a drafted token takes %.2f of an evaluation (goal 0.20)\n", share);
    std::printf("a prompt is read in %.2f of the time (goal 1.15)\n", prompt);
    std::printf("%zu drafted tokens: %.2f × if 9 of 10 are accepted, %.2f × if 7 are, %.2f × if none is\n", kDrafted,
                times->factor(0.9), times->factor(0.7), times->factor(0));
    const bool reached = share <= 0.2 && prompt <= 1.15;
    std::printf("%s: goals %s\n", type.c_str(), bench::goalVerdict(true, reached));
    return reached ? 0 : 1;
}
