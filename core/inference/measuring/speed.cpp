#include "inference/measuring/speed.h"

#include "inference/interface/session.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPasses = 8;
constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30U; // per pass

constexpr int kMaxProcessors = 4096;
constexpr int kMaxCaches = 10; // of one processor

// The first line of a small file; empty if there is none.
std::string lineOf(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::vector<TokenId> arbitraryTokens(const Session& session, std::size_t count, std::uint32_t salt) {
    std::vector<TokenId> ids; // arbitrary, because speed does not depend on which tokens they are
    for (std::uint32_t i = 0; i < count; ++i) {
        ids.emplace_back(std::size_t{(i * 2'654'435'761U + salt) % session.vocabulary()});
    }
    return ids;
}

// The best number of products per second of `threads` threads that call `peak`; 0 if it is null.
double peakProducts(std::uint64_t (*peak)(), unsigned threads) {
    if (peak == nullptr) {
        return 0;
    }
    Team team(threads);
    double best = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        std::vector<std::uint64_t> products(team.size());
        const auto begin = Clock::now();
        team.run([&](unsigned member) { products[member] = peak(); });
        const double seconds = secondsSince(begin);
        double sum = 0;
        for (const std::uint64_t count : products) {
            sum += static_cast<double>(count);
        }
        best = std::max(best, sum / seconds);
    }
    return best;
}

} // namespace

double secondsToRead(Team& team, std::span<const Bytes> parts) {
    const auto readBytes = activeKernels().products.readBytes;
    std::vector<std::uint64_t> sums(team.size());
    const auto begin = Clock::now();
    team.run([&](unsigned member) {
        for (const Bytes part : parts) {
            const std::size_t from = part.size() * member / team.size() / 64 * 64;
            const std::size_t to =
                member + 1 == team.size() ? part.size() : part.size() * (member + 1) / team.size() / 64 * 64;
            sums[member] += readBytes(part.data() + from, to - from);
        }
    });
    return secondsSince(begin);
}

Result<ReadMeter> ReadMeter::make(const Model& model, unsigned threads, std::uint64_t maximum) {
    ReadMeter meter;
    for (const TensorInfo& tensor : model.tensors) {
        auto bytes = GUFO_TRY(model.bytesOf(tensor));
        const Bytes part = bytes.first(std::min<std::uint64_t>(bytes.size(), maximum - meter.m_bytes));
        meter.m_parts.push_back(part);
        meter.m_bytes += part.size();
    }
    meter.m_team = std::make_unique<Team>(threads);
    return meter;
}

void ReadMeter::warm() { (void)secondsToRead(*m_team, m_parts); }

void ReadMeter::pass() { m_best = std::max(m_best, static_cast<double>(m_bytes) / secondsToRead(*m_team, m_parts)); }

std::uint64_t lastLevelCacheBytes(const std::filesystem::path& processors) {
#if defined(__APPLE__)
    for (const char* name : {"hw.l3cachesize", "hw.perflevel0.l2cachesize", "hw.l2cachesize"}) {
        std::uint64_t bytes = 0;
        std::size_t size = sizeof bytes;
        if (sysctlbyname(name, &bytes, &size, nullptr, 0) == 0 && bytes != 0) {
            return bytes;
        }
    }
    return 0;
#else
    // Every processor lists its caches; processors that share a cache list the same processors for it.
    int highest = 0;
    std::map<std::string, std::uint64_t> caches; // of the highest level, by the processors that share them
    for (int processor = 0; processor < kMaxProcessors; ++processor) {
        const auto folder = processors / ("cpu" + std::to_string(processor)) / "cache";
        std::error_code error;
        if (!std::filesystem::exists(folder, error)) {
            break;
        }
        for (int index = 0; index < kMaxCaches; ++index) {
            const auto cache = folder / ("index" + std::to_string(index));
            const int level = std::atoi(lineOf(cache / "level").c_str());
            if (level < std::max(highest, 1) || lineOf(cache / "type") == "Instruction") {
                continue;
            }
            if (level > highest) {
                caches.clear();
                highest = level;
            }
            char unit = 0;
            std::uint64_t size = 0;
            std::istringstream(lineOf(cache / "size")) >> size >> unit;
            caches[lineOf(cache / "shared_cpu_list")] = size << (unit == 'K' ? 10U : unit == 'M' ? 20U : 0U);
        }
    }
    std::uint64_t sum = 0;
    for (const auto& [processor, bytes] : caches) {
        sum += bytes;
    }
    return sum;
#endif
}

double peakInt8Products(unsigned threads) { return peakProducts(activeKernels().products.peakInt8, threads); }

double peakFloatProducts(unsigned threads) { return peakProducts(activeKernels().products.peakFloats, threads); }

Result<MeasuredSpeed> measureSpeed(Session& session, const Model& model, const SpeedTask& task, const JobContext& job) {
    MeasuredSpeed speed;
    auto meter = GUFO_TRY(ReadMeter::make(model, session.threads(), kMaxBytes));
    meter.warm();
    const std::vector<TokenId> prompt = arbitraryTokens(session, task.prompt, 7);
    const SessionFigures& done = session.figures();
    // The first evaluation is not measured, because the system still allocates memory to the engine.
    for (const bool again : {false, true}) {
        const std::size_t left = session.truncate(task.before);
        if (left != task.before) {
            const std::vector<TokenId> before = arbitraryTokens(session, task.before, 1);
            GUFO_TRY(session.evaluate(std::span(before).subspan(left), Logits::None, job));
        }
        const double seconds = done.promptSeconds;
        GUFO_TRY(session.evaluate(prompt, Logits::Last, job));
        if (again && task.prompt > 1) {
            speed.promptTps = static_cast<double>(task.prompt) / (done.promptSeconds - seconds);
        }
    }
    // Generation is measured in stretches, each followed by a pass of plain reading, so that disturbances hit both
    // alike. The best last token of a stretch is compared with the best pass.
    const double begun = done.generationSeconds;
    const std::size_t stretches = std::min<std::size_t>(kPasses, task.generated);
    for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
        double last = 0;
        for (std::size_t i = task.generated * stretch / stretches; i < task.generated * (stretch + 1) / stretches;
             ++i) {
            const double seconds = done.generationSeconds;
            const auto salt = static_cast<std::uint32_t>(31 * i);
            GUFO_TRY(session.evaluate(arbitraryTokens(session, 1, salt), Logits::Last, job));
            last = done.generationSeconds - seconds;
        }
        speed.bestGenerationTps = std::max(speed.bestGenerationTps, 1 / last);
        meter.pass();
    }
    speed.generationTps = static_cast<double>(task.generated) / (done.generationSeconds - begun);
    // The number of tokens attended to grows linearly, so the middle of the generated tokens gives the average.
    const std::size_t lookedBackOn = task.before + task.prompt + task.generated / 2;
    speed.read = speed.bestGenerationTps * static_cast<double>(done.bytesAt(lookedBackOn));
    speed.bandwidth = meter.best();
    speed.inCache = speed.read / speed.bestGenerationTps <= static_cast<double>(lastLevelCacheBytes());
    speed.promptProducts = speed.promptTps * static_cast<double>(done.productsPerToken);
    speed.peakProducts = peakInt8Products(session.threads());
    return speed;
}

} // namespace gufo::inference
