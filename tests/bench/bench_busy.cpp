// Measures generation while other processes use the processor: tokens per second with N processes that never sleep,
// relative to the speed without them. The figure "fair" is the ratio for a program whose threads get as much of each
// core as the other processes there. Free and busy stretches alternate, and medians are compared, so that other
// disturbances affect both alike. Goal: 0.6 with one process on two cores.
//
//   bench_busy [type] [processes]     the type of the weights, Q4_0 by default; one process by default
//   bench_busy FILE [processes]       another model
#include "document/open_model.h"
#include "inference/engine/compute/team.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/session.h"
#include "test_paths.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr int kRounds = 9;
constexpr double kSecondsOfStretch = 0.6;
constexpr double kGoal = 0.6;

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Processes that never sleep while they are allowed to run. They are forked before this program has threads.
class Competitors {
public:
    explicit Competitors(int count) {
        for (int i = 0; i < count; ++i) {
            const pid_t child = fork();
            if (child == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (std::atomic<unsigned> spins = 0;;) {
                    spins.fetch_add(1, std::memory_order_relaxed);
                }
            }
            if (child > 0) {
                m_children.push_back(child);
            }
        }
        signal(SIGSTOP);
    }
    ~Competitors() {
        signal(SIGKILL);
        for (const pid_t child : m_children) {
            waitpid(child, nullptr, 0);
        }
    }
    Competitors(const Competitors&) = delete;
    Competitors& operator=(const Competitors&) = delete;

    void letRun(bool running) { signal(running ? SIGCONT : SIGSTOP); }
    [[nodiscard]] std::size_t size() const { return m_children.size(); }

private:
    void signal(int number) {
        for (const pid_t child : m_children) {
            kill(child, number);
        }
    }
    std::vector<pid_t> m_children;
};

double processorSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Stretch {
    double tokensPerSecond = 0;
    double processors = 0; // used, on average
};

std::optional<Stretch> generate(Session& session) {
    const auto begin = Clock::now();
    const double used = processorSeconds();
    std::size_t tokens = 0;
    while (secondsSince(begin) < kSecondsOfStretch) {
        if (session.tokens().size() == session.context()) {
            session.truncate(session.context() / 2);
        }
        const TokenId token(std::size_t{(tokens * 2'654'435'761U) % session.vocabulary()});
        if (!session.evaluate({&token, 1}, Logits::Last, {})) {
            return std::nullopt;
        }
        ++tokens;
    }
    const double seconds = secondsSince(begin);
    return Stretch{.tokensPerSecond = static_cast<double>(tokens) / seconds,
                   .processors = (processorSeconds() - used) / seconds};
}

Stretch medianOf(std::vector<Stretch> stretches) {
    std::ranges::sort(stretches, std::less(), &Stretch::tokensPerSecond);
    return stretches[stretches.size() / 2];
}

// Returns whether the goal is reached; nothing if the model cannot be run.
std::optional<bool> measure(const std::filesystem::path& path, Competitors& competitors) {
    const auto model = openModel(path);
    const auto loaded = model ? loadForInference(*model) : std::unexpected(model.error());
    auto session = loaded ? (*loaded)->startSession({.context = 256}) : std::unexpected(loaded.error());
    if (!session || !generate(**session)) { // the first stretch reads the file
        return std::nullopt;
    }
    std::vector<Stretch> free;
    std::vector<Stretch> busy;
    for (int round = 0; round < kRounds; ++round) {
        for (const bool running : {false, true}) {
            competitors.letRun(running);
            const auto stretch = generate(**session);
            competitors.letRun(false);
            if (!stretch) {
                return std::nullopt;
            }
            (running ? busy : free).push_back(*stretch);
        }
    }
    const Stretch alone = medianOf(std::move(free));
    const Stretch shared = medianOf(std::move(busy));
    const auto threads = static_cast<double>((*session)->threads());
    const auto others = static_cast<double>(competitors.size());
    // Each core is shared equally, and the other processes are spread over the cores.
    const double fair = others <= threads ? 1 - others / (2 * threads) : threads / (threads + others);
    const double ratio = shared.tokensPerSecond / alone.tokensPerSecond;
    std::printf("%zu other processes, %.0f threads: %.1f tokens/s instead of %.1f: %.2f × (fair %.2f, goal %.2f), "
                "%.2f processors used instead of %.2f\n",
                competitors.size(), threads, shared.tokensPerSecond, alone.tokensPerSecond, ratio, fair,
                kGoal * fair / 0.75, shared.processors, alone.processors);
    return ratio >= kGoal * fair / 0.75;
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "Q4_0";
    Competitors competitors(argc > 2 ? std::atoi(argv[2]) : 1);
    if (competitors.size() == 0) {
        std::fputs("bench_busy: no other process could be started\n", stderr);
        return 1;
    }
    const bool given = what.ends_with(".gguf");
    const auto path =
        given ? std::filesystem::path(what)
              : std::filesystem::temp_directory_path() / ("gufo-bench-" + std::to_string(getpid()) + ".gguf");
    const std::string command = std::string("\"" GUFO_MAKE_MODEL "\" \"") + path.string() +
                                "\" --shape llama-1b --type " + what + " > /dev/null";
    const bool made = given || std::system(command.c_str()) == 0;
    const auto reached = made ? measure(path, competitors) : std::nullopt;
    if (!given) {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    if (!reached) {
        std::fputs("bench_busy: the model could not be made or run\n", stderr);
        return 1;
    }
    std::printf("goal %s\n", *reached ? "reached" : "MISSED");
    return *reached ? 0 : 1;
}
