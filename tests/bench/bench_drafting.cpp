// Measures speculative decoding with prompt lookup on a synthetic model of 1.1 billion weights: tokens per second with
// the drafter, relative to generating without it. The weights are random, so a constraint makes the model write given
// texts: a source file with a name replaced, JSON records like those in the prompt, and prose that repeats nothing.
// What is drafted, accepted and evaluated is what a model that writes these texts would cause. Goals: 1.5 for code and
// JSON, 0.95 for prose.
//
//   bench_drafting [type]        the type of the weights, Q4_K_M by default
#include "document/open_model.h"
#include "inference/drafting/prompt_lookup.h"
#include "inference/session/generation.h"
#include "test_paths.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::size_t kPrompt = 700; // tokens, at most
constexpr std::size_t kAnswer = 160;

struct Writing {
    const char* name;
    std::string prompt;
    std::string answer;
    double goal;
};

std::string fileText(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string records(int first, int last) {
    std::string text;
    for (int i = first; i < last; ++i) {
        text += "  {\"id\": " + std::to_string(i) + ", \"name\": \"item " + std::to_string(i * 37 % 101) +
                "\", \"price\": " + std::to_string(i * 13 % 90) + ".50, \"tags\": [\"new\", \"small\"]},\n";
    }
    return text;
}

std::vector<Writing> writings() {
    const std::string code = fileText(GUFO_TEST_DATA "/../../core/inference/drafting/prompt_lookup.cpp");
    const std::string prose = fileText(GUFO_TEST_DATA "/../../CONTRIBUTING.md");
    const std::size_t half = prose.size() / 2;
    return {{"code", code, replaced(code, "proposal", "continuation"), 1.5},
            {"JSON", "[\n" + records(0, 6), records(6, 30), 1.5},
            {"prose", prose.substr(0, half), prose.substr(half), 0.95}};
}

// Permits only the tokens of a text, one after the other.
class OneText final : public Constraint {
public:
    OneText(std::span<const TokenId> text, std::uint32_t vocabulary)
        : m_text(text)
        , m_mask(vocabulary / 64 + 1) {}
    [[nodiscard]] bool allows(TokenId token) override { return !mayEnd() && token == m_text.front(); }
    [[nodiscard]] TokenMask mask() override {
        std::ranges::fill(m_mask, 0);
        if (!mayEnd()) {
            m_mask[m_text.front().value / 64] = std::uint64_t{1} << (m_text.front().value % 64);
        }
        return m_mask;
    }
    [[nodiscard]] bool mayEnd() const override { return m_text.empty(); }
    void accept(TokenId) override { m_text = m_text.subspan(1); }
    [[nodiscard]] const std::optional<Error>& failure() const override { return m_failure; }

private:
    std::span<const TokenId> m_text;
    std::vector<std::uint64_t> m_mask;
    std::optional<Error> m_failure;
};

struct Run {
    double perSecond = 0;
    GenerationFigures figures;
};

std::optional<Run> write(Session& session, const std::shared_ptr<const text::Tokenizer>& tokenizer,
                         std::span<const TokenId> prompt, std::span<const TokenId> answer, bool lookup) {
    Generation generation(session, tokenizer, {.sampler = {.temperature = 0}, .shift = false});
    generation.setConstraint(std::make_unique<OneText>(answer, session.vocabulary()));
    generation.setDrafter(lookup ? std::make_shared<PromptLookup>() : nullptr);
    if (!generation.start(prompt, {})) {
        return std::nullopt;
    }
    const auto begun = std::chrono::steady_clock::now();
    std::size_t written = 0;
    for (auto token = generation.next({}); token && *token; token = generation.next({})) {
        ++written;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
    if (written != answer.size()) {
        return std::nullopt;
    }
    return Run{static_cast<double>(written) / seconds.count(), generation.figures()};
}

// Returns whether the goals are reached; nothing if something failed.
std::optional<bool> measure(const std::filesystem::path& path) {
    const auto model = openModel(path);
    const auto loaded = model ? loadForInference(*model) : std::unexpected(model.error());
    const auto tokenizer = model ? text::makeTokenizer(**model) : std::unexpected(model.error());
    auto session = loaded ? (*loaded)->startSession({.context = kPrompt + kAnswer + 64, .logitRows = 32})
                          : std::unexpected(loaded.error());
    if (!session || !tokenizer) {
        return std::nullopt;
    }
    bool reached = true;
    for (const Writing& writing : writings()) {
        const auto prompt = (*tokenizer)->encode(writing.prompt);
        const auto answer = (*tokenizer)->encode(writing.answer, {.addBos = false, .addEos = false});
        if (!prompt || !answer) {
            return std::nullopt;
        }
        const std::span promptIds = std::span(prompt->ids).first(std::min(prompt->ids.size(), kPrompt));
        const std::span answerIds = std::span(answer->ids).first(std::min(answer->ids.size(), kAnswer));
        Run plain;
        Run drafted;
        for (int round = 0; round < 3; ++round) { // interleaved, so that disturbances affect both
            const auto without = write(**session, *tokenizer, promptIds, answerIds, false);
            const auto with = write(**session, *tokenizer, promptIds, answerIds, true);
            if (!without || !with) {
                return std::nullopt;
            }
            plain = without->perSecond > plain.perSecond ? *without : plain;
            drafted = with->perSecond > drafted.perSecond ? *with : drafted;
        }
        const double ratio = drafted.perSecond / plain.perSecond;
        reached = reached && ratio >= writing.goal;
        std::printf("%-6s %6.1f tokens/s, with lookup %6.1f: %.2f × (goal %.2f), %llu of %llu drafted accepted, "
                    "%llu evaluations for %zu tokens\n",
                    writing.name, plain.perSecond, drafted.perSecond, ratio, writing.goal,
                    static_cast<unsigned long long>(drafted.figures.accepted),
                    static_cast<unsigned long long>(drafted.figures.drafted),
                    static_cast<unsigned long long>(drafted.figures.evaluations), answerIds.size());
        std::fflush(stdout);
    }
    return reached;
}

} // namespace

int main(int argc, char** argv) {
    const std::string type = argc > 1 ? argv[1] : "Q4_K_M";
    const auto path = std::filesystem::temp_directory_path() / ("gufo-bench-" + std::to_string(getpid()) + ".gguf");
    const std::string command = std::string("\"" GUFO_MAKE_MODEL "\" \"") + path.string() +
                                "\" --shape llama-1b --type " + type + " > /dev/null";
    const bool made = std::system(command.c_str()) == 0;
    const auto reached = made ? measure(path) : std::nullopt;
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (!reached) {
        std::fputs("bench_drafting: the model could not be made or run\n", stderr);
        return 1;
    }
    std::printf("%s: goals %s\n", type.c_str(), *reached ? "reached" : "MISSED");
    return *reached ? 0 : 1;
}
