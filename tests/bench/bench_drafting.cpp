// Measures speculative decoding with prompt lookup and with a draft model on a synthetic model of 1.1 billion weights:
// tokens per second with the drafter, relative to generating without it. The weights are random, so a constraint makes
// the model write given texts: a source file with a name replaced, JSON records like those in the prompt, and prose
// that repeats nothing. What is drafted, accepted and evaluated is what a model that writes these texts would cause.
// Goals: 1.5 for code and JSON, 0.95 for prose. A draft model of an eighth of the size is evaluated as a real one would
// be, and its proposals are those of a good one (nine of ten tokens right; goal 1.8) and of one that is always wrong
// (0.95).
//
// A hybrid of gated delta nets and attention follows, with lookup only: its states defer their updates until it is
// known which tokens of a draft count. Before, the times of evaluations of several tokens show what this costs.
//
//   bench_drafting [type]        the type of the weights, Q4_K_M by default
#include "document/open_model.h"
#include "family_models.h"
#include "goal_verdict.h"
#include "inference/drafting/drafters.h"
#include "inference/engine/gufo_engine.h"
#include "inference/generation/generation.h"
#include "inference/interface/session.h"
#include "test_paths.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
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
    const std::string code = fileText(GUFO_TEST_DATA "/../../core/inference/drafting/drafters.cpp");
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

// A draft model that proposes the text, with wrong tokens at some places: each token is right with the given
// probability. Its own model is evaluated for every token that it proposes, as DraftModel does.
class OneTextDraft final : public Drafter {
public:
    OneTextDraft(Session& session, std::span<const TokenId> prompt, std::span<const TokenId> answer, double right)
        : m_session(session)
        , m_prompt(prompt.size())
        , m_answer(answer.begin(), answer.end())
        , m_right(right) {}
    [[nodiscard]] Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t limit,
                                                       const JobContext& job) override {
        std::vector<TokenId> proposal;
        if (auto held = evaluateTo(m_session, text, Logits::Last, job); !held) {
            return std::unexpected(held.error());
        }
        for (std::size_t at = text.size() - m_prompt; at < m_answer.size() && proposal.size() < limit; ++at) {
            const bool right = std::uniform_real_distribution(0.0, 1.0)(m_random) < m_right;
            proposal.emplace_back(m_answer[at].value ^ (right ? 0U : 1U));
            if (proposal.size() < limit) {
                if (auto evaluated = m_session.evaluate({&proposal.back(), 1}, Logits::Last, job); !evaluated) {
                    return std::unexpected(evaluated.error());
                }
            }
        }
        return proposal;
    }

private:
    Session& m_session;
    std::size_t m_prompt;
    std::vector<TokenId> m_answer;
    double m_right;
    std::mt19937 m_random{1};
};

struct Run {
    double perSecond = 0;
    GenerationFigures figures;
};

std::optional<Run> write(Session& session, const std::shared_ptr<const text::Tokenizer>& tokenizer,
                         std::span<const TokenId> prompt, std::span<const TokenId> answer,
                         std::shared_ptr<Drafter> drafter) {
    Generation generation(session, tokenizer, {.sampler = {.temperature = 0}, .shift = false});
    generation.setConstraint(std::make_unique<OneText>(answer, session.vocabulary()));
    generation.setDrafter(std::move(drafter));
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

std::shared_ptr<const Model> opened(const std::filesystem::path& path) {
    const auto model = openModel(path);
    return model ? *model : nullptr;
}

std::unique_ptr<Session> sessionOf(const std::shared_ptr<const Model>& model) {
    const auto loaded = model != nullptr ? loadForInference(model) : fail(ErrorCode::NotSupported);
    auto session = loaded ? (*loaded)->startSession({.context = kPrompt + kAnswer + 64, .logitRows = 32})
                          : std::unexpected(loaded.error());
    return session ? std::move(*session) : nullptr;
}

// The time of evaluations of several tokens, relative to one of a single token: with an immediate update of the state
// (as prompts are evaluated), and prepared for drafts. With a recurrent state, also the time that a single token takes
// more after all tokens of a draft were accepted, because the deferred update comes first.
bool showEvaluations(const char* name, const std::shared_ptr<const Model>& model) {
    constexpr std::array<std::size_t, 7> kCounts{1, 2, 3, 5, 9, 13, 17};
    constexpr std::size_t kHeld = 256;
    constexpr int kRounds = 8;
    const std::array sessions{sessionOf(model), sessionOf(model)};
    if (sessions[0] == nullptr || sessions[1] == nullptr) {
        return false;
    }
    std::vector<TokenId> text;
    for (std::size_t i = 0; i < kHeld + kCounts.back(); ++i) {
        text.emplace_back(i * 7 % sessions[0]->vocabulary());
    }
    const auto secondsOf = [](const auto& work) {
        const auto begun = std::chrono::steady_clock::now();
        const bool done = work();
        return done ? std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() : INFINITY;
    };
    const std::size_t most = sessions[1]->prepareDrafts(kCounts.back() - 1);
    const bool recurrent = sessions[1]->figures().draftBytes != 0;
    std::array<std::array<double, kCounts.size()>, 2> best{};
    double late = INFINITY; // a single token after a deferred update of all others
    for (auto& each : best) {
        each.fill(INFINITY);
    }
    for (int round = 0; round < kRounds; ++round) { // interleaved, so that disturbances affect all
        for (std::size_t s = 0; s < sessions.size(); ++s) {
            Session& session = *sessions[s];
            for (std::size_t i = 0; i < kCounts.size(); ++i) {
                const std::size_t known = session.truncate(kHeld);
                const auto rest = std::span(text).subspan(known, kHeld - known);
                if (kCounts[i] > most + 1 || !session.evaluate(rest, Logits::None, {})) {
                    return false;
                }
                const Logits which = kCounts[i] == 1 ? Logits::Last : Logits::All;
                const auto next = std::span(text).subspan(kHeld, kCounts[i]);
                best[s][i] =
                    std::min(best[s][i], secondsOf([&] { return session.evaluate(next, which, {}).has_value(); }));
            }
        }
        const auto one = std::span(text).first(1);
        late = std::min(late, secondsOf([&] { return sessions[1]->evaluate(one, Logits::Last, {}).has_value(); }));
    }
    const double single = std::min(best[0][0], best[1][0]);
    std::printf("%s: a token takes %.1f ms; several", name, 1e3 * single);
    for (std::size_t i = 1; i < kCounts.size(); ++i) {
        std::printf("%s %zu: %.2f", i == 1 ? "" : ",", kCounts[i], best[1][i] / single);
        if (recurrent) {
            std::printf(" (immediately %.2f)", best[0][i] / single);
        }
    }
    if (recurrent) {
        std::printf("; updating a state of %.1f MB later by %zu tokens takes %.2f; memory for drafts %.1f MB",
                    static_cast<double>(sessions[1]->figures().stateBytesPerToken) / 1e6, kCounts.back(),
                    late / single - 1, static_cast<double>(sessions[1]->figures().draftBytes) / 1e6);
    }
    std::printf("\n");
    std::fflush(stdout);
    return true;
}

enum class Outcome : std::uint8_t { Failed, Missed, Reached };

// Without a draft model, only lookup is measured.
Outcome measure(const char* name, const std::shared_ptr<const Model>& model,
                const std::shared_ptr<const Model>& draftModel, const text::Tokenizer& words) {
    const auto session = sessionOf(model);
    const auto draftSession = draftModel != nullptr ? sessionOf(draftModel) : nullptr;
    const std::shared_ptr<const text::Tokenizer> tokenizer(std::shared_ptr<void>(), &words);
    if (session == nullptr || (draftModel != nullptr && draftSession == nullptr) || !showEvaluations(name, model)) {
        return Outcome::Failed;
    }
    bool reached = true;
    for (const Writing& writing : writings()) {
        const auto prompt = words.encode(writing.prompt);
        const auto answer = words.encode(writing.answer, {.addBos = false, .addEos = false});
        if (!prompt || !answer) {
            return Outcome::Failed;
        }
        const std::span promptIds = std::span(prompt->ids).first(std::min(prompt->ids.size(), kPrompt));
        const std::span answerIds = std::span(answer->ids).first(std::min(answer->ids.size(), kAnswer));
        const auto draft = [&](double right) {
            return std::make_shared<OneTextDraft>(*draftSession, promptIds, answerIds, right);
        };
        struct Way {
            const char* name;
            std::function<std::shared_ptr<Drafter>()> drafter;
            double goal;
            Run best{};
        };
        std::vector<Way> ways{{"without", [] { return nullptr; }, 0},
                              {"lookup", [] { return std::make_shared<PromptLookup>(); }, writing.goal}};
        if (draftSession != nullptr) {
            ways.push_back({"good draft", [&] { return draft(0.9); }, 1.8});
            ways.push_back({"bad draft", [&] { return draft(0); }, 0.95});
        }
        for (int round = 0; round < 3; ++round) { // interleaved, so that disturbances affect all
            for (Way& way : ways) {
                const auto run = write(*session, tokenizer, promptIds, answerIds, way.drafter());
                if (!run) {
                    return Outcome::Failed;
                }
                way.best = run->perSecond > way.best.perSecond ? *run : way.best;
            }
        }
        for (const Way& way : std::span(ways).subspan(1)) {
            const double ratio = way.best.perSecond / ways[0].best.perSecond;
            const GenerationFigures& figures = way.best.figures;
            reached = reached && ratio >= way.goal;
            std::printf("%s, %-6s %6.1f tokens/s, with %-10s %6.1f: %.2f × (goal %.2f), %llu of %llu drafted "
                        "accepted, %llu evaluations for %zu tokens\n",
                        name, writing.name, ways[0].best.perSecond, way.name, way.best.perSecond, ratio, way.goal,
                        static_cast<unsigned long long>(figures.accepted),
                        static_cast<unsigned long long>(figures.drafted),
                        static_cast<unsigned long long>(figures.evaluations), answerIds.size());
        }
        std::fflush(stdout);
    }
    return reached ? Outcome::Reached : Outcome::Missed;
}

// Makes a model of the shape llama-1b with so many blocks.
bool makeModel(const std::filesystem::path& path, const std::string& type, int blocks) {
    const std::string command = std::string("\"" GUFO_MAKE_MODEL "\" \"") + path.string() +
                                "\" --shape llama-1b --type " + type + " --blocks " + std::to_string(blocks) +
                                " > /dev/null";
    return std::system(command.c_str()) == 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string type = argc > 1 ? argv[1] : "Q4_K_M";
    const auto name = (std::filesystem::temp_directory_path() / ("gufo-bench-" + std::to_string(getpid()))).string();
    const std::string path = name + ".gguf";
    const std::string draft = name + "-draft.gguf";
    const bool made = makeModel(path, type, 22) && makeModel(draft, type, 1);
    Outcome outcome = Outcome::Failed;
    if (const auto model = made ? opened(path) : nullptr; model != nullptr) {
        const auto tokenizer = text::makeTokenizer(*model);
        const auto draftModel = opened(draft);
        const auto hybrid =
            tokenizer
                ? bench::makeModel(*std::ranges::find(bench::kFamilies, std::string_view("qwen35"),
                                                      &bench::ModelFamily::architecture),
                                   bench::kMostBlocks, static_cast<std::uint32_t>((*tokenizer)->vocabulary().size()))
                : nullptr;
        if (hybrid != nullptr) {
            outcome = measure("llama", model, draftModel, **tokenizer);
            outcome = outcome != Outcome::Failed ? std::min(outcome, measure("hybrid", hybrid, nullptr, **tokenizer))
                                                 : outcome;
        }
    }
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    std::filesystem::remove(draft, ignored);
    if (outcome == Outcome::Failed) {
        std::fputs("bench_drafting: the model could not be made or run\n", stderr);
        return 1;
    }
    std::printf("%s: goals %s\n", type.c_str(), bench::goalVerdict(true, outcome == Outcome::Reached));
    return outcome == Outcome::Reached ? 0 : 1;
}
