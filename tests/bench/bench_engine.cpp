// Measures the matrix products of inference for each weight type. Matrix × vector: bytes per second, relative to
// reading the same bytes as fast as this machine can. Matrix × 128 vectors: products per second, relative to the peak
// of 8-bit products (for float types also to the peak of float products), to the same with decoded weights, and to the
// scalar kernels. The figures are the best of interleaved runs on all threads, so that disturbances affect all alike.
//
//   bench_engine [type …]        GUFO_ISA names another instruction set
#include "best_of.h"
#include "document/open_model.h"
#include "goal_verdict.h"
#include "inference/engine/compute/multiply.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/speed.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"
#include "test_paths.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <unistd.h>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::uint64_t kColumns = 2048;
constexpr std::size_t kBytes = 160U << 20U; // larger than the last-level cache
constexpr std::size_t kTokens = 128;

// Returns `bytes` bytes of rows: normally distributed weights, encoded and repeated, or random bits for types without
// an encoder.
std::vector<std::byte> makeWeights(const TensorTypeFact& type, std::size_t rowBytes, std::size_t rows) {
    std::mt19937_64 random(1);
    const std::size_t unitRows = std::min<std::size_t>(rows, 64);
    std::vector<std::byte> unit(unitRows * rowBytes);
    std::vector<float> weights(unitRows * kColumns);
    std::normal_distribution<float> normal(0, 0.05F);
    std::ranges::generate(weights, [&] { return normal(random); });
    if (!encode({.typeId = type.id, .columns = kColumns, .importance = {}}, weights, unit)) {
        std::ranges::generate(unit, [&] { return static_cast<std::byte>(random()); });
    }
    std::vector<std::byte> bytes(rows * rowBytes);
    for (std::size_t at = 0; at < bytes.size(); at += unit.size()) {
        std::copy_n(unit.data(), std::min(unit.size(), bytes.size() - at), bytes.data() + at);
    }
    return bytes;
}

// Reserves the multiplier's memory as a session would.
Memory memoryFor(Team& team) {
    Memory counted;
    const Multiplier multiplier(team, counted, kTokens, kColumns, true);
    auto memory = Memory::reserve(counted);
    if (!memory) {
        std::fprintf(stderr, "there is not enough memory\n");
        std::exit(1);
    }
    return std::move(*memory);
}

struct Bench {
    Team& team;
    Memory memory;
    Multiplier multiplier;
    std::vector<float> x;
    std::vector<float> y;

    explicit Bench(Team& members)
        : team(members)
        , memory(memoryFor(members))
        , multiplier(members, memory, kTokens, kColumns, true)
        , x(kTokens * kColumns) {
        std::mt19937 random(2);
        std::normal_distribution<float> normal;
        std::ranges::generate(x, [&] { return normal(random); });
    }

    double secondsOf(const Matrix& matrix, std::size_t tokens) {
        y.resize(tokens * matrix.rows);
        return bench::bestOf(
                   1, [&] { multiplier.multiply(matrix, {x.data(), kColumns}, {y.data(), matrix.rows}, tokens); })
            .passed;
    }
};

void run(const TensorTypeFact& type, Team& team) {
    const std::size_t rowBytes = blocksBytes(type, kColumns);
    const std::size_t rows = kBytes / rowBytes;
    const std::vector<std::byte> bytes = makeWeights(type, rowBytes, rows);
    Bench active(team);
    const auto matrix = [&](std::size_t count) {
        return Matrix{
            .typeId = type.id, .data = bytes.data(), .columns = kColumns, .rows = count, .rowBytes = rowBytes};
    };
    double vector = 1e9;
    double read = 1e9;
    double many = 1e9;
    double peak = 0;
    double floatPeak = 0;
    for (int pass = 0; pass < 10; ++pass) {
        read = std::min(read, secondsToRead(team, std::array{Bytes(bytes)}));
        vector = std::min(vector, active.secondsOf(matrix(rows), 1));
    }
    constexpr std::size_t kRows = 2048;
    for (int pass = 0; pass < 8; ++pass) {
        many = std::min(many, active.secondsOf(matrix(kRows), kTokens));
        if (pass % 2 == 0) {
            peak = std::max(peak, peakInt8Products(team.size()));
            floatPeak = std::max(floatPeak, peakFloatProducts(team.size()));
        }
    }
    // Measures with fewer rows and extrapolates to all of them.
    const auto forced = [&](const Kernels& kernels, std::size_t few, std::size_t all, std::size_t tokens) {
        const ForcedKernels other(kernels);
        Bench bench(team);
        double best = 1e9;
        for (int pass = 0; pass < 2; ++pass) {
            best = std::min(best, bench.secondsOf(matrix(few), tokens));
        }
        return best * static_cast<double>(all) / static_cast<double>(few);
    };
    Kernels decoding = activeKernels();
    decoding.products.int8 = {};
    decoding.products.int16 = {};
    const double decodedVector = forced(decoding, rows / 4, rows, 1);
    const double decodedMany = forced(decoding, 256, kRows, kTokens);
    const double scalarMany = forced(kernelsFor(Isa::Scalar), 64, kRows, kTokens);
    const auto size = static_cast<double>(bytes.size());
    std::printf("%-8.*s vector %5.1f GB/s, %3.0f %% of %5.1f read, %4.1f × decoded; %zu vectors %5.0f G/s, "
                "%3.0f %% of 8-bit peak %4.0f, %3.0f %% of float peak %4.0f, %4.1f × decoded, %4.0f × scalar\n",
                static_cast<int>(type.name.size()), type.name.data(), size / vector / 1e9, 100 * read / vector,
                size / read / 1e9, decodedVector / vector, kTokens, kRows * kColumns * kTokens / many / 1e9,
                100 * kRows * kColumns * kTokens / many / peak, peak / 1e9,
                100 * kRows * kColumns * kTokens / many / floatPeak, floatPeak / 1e9, decodedMany / many,
                scalarMany / many);
    std::fflush(stdout);
}

int runModel(const std::string& path, const std::string& name, unsigned threads) {
    const auto failed = [&](const Error& error) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), std::string(errorName(error.code)).c_str());
        return 1;
    };
    const auto model = openModel(path);
    if (!model) {
        return failed(model.error());
    }
    const auto loaded = loadForInference(*model);
    if (!loaded) {
        return failed(loaded.error());
    }
    const SpeedTask task;
    auto session = (*loaded)->startSession(
        {.context = static_cast<std::uint32_t>(task.prompt + task.generated + 1), .threads = threads});
    if (!session) {
        return failed(session.error());
    }
    const auto speed = measureSpeed(**session, **model, task, {});
    if (!speed) {
        return failed(speed.error());
    }
    std::printf(
        "%-8s prompt %5.0f tokens/s, %3.0f %% of 8-bit peak; generation %5.1f tokens/s, at best %5.1f, %3.0f %% of "
        "%5.1f GB/s read\n",
        name.c_str(), speed->promptTps, speed->peakProducts > 0 ? 100 * speed->promptProducts / speed->peakProducts : 0,
        speed->generationTps, speed->bestGenerationTps, 100 * speed->read / speed->bandwidth, speed->bandwidth / 1e9);
    std::fflush(stdout);
    return 0;
}

double secondsSince(std::chrono::steady_clock::time_point begun) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

// Drops the file from the page cache. No process may have it mapped.
bool dropFromCache(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool dropped = file >= 0 && ::fsync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0;
    ::close(file);
    return dropped;
}

// The seconds that reading the file from front to back takes, as dd does.
double secondsToReadFile(const std::string& path) {
    const auto begun = std::chrono::steady_clock::now();
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::vector<char> piece(std::size_t{4} << 20U);
    while (::read(file, piece.data(), piece.size()) > 0) {
    }
    ::close(file);
    return secondsSince(begun);
}

struct FirstToken {
    double seconds = 0; // from opening the file to the logits that follow the prompt
    double prompt = 0;  // of evaluating the prompt once more
};

std::optional<FirstToken> firstToken(const std::string& path, std::size_t promptTokens, unsigned threads) {
    const auto begun = std::chrono::steady_clock::now();
    const auto model = openModel(path);
    const auto loaded = model ? loadForInference(*model) : std::unexpected(model.error());
    auto session =
        loaded ? (*loaded)->startSession({.context = 512, .threads = threads}) : std::unexpected(loaded.error());
    if (!session) {
        return std::nullopt;
    }
    const std::vector<TokenId> prompt(promptTokens, TokenId(1));
    if (!(*session)->evaluate(prompt, Logits::Last, {})) {
        return std::nullopt;
    }
    FirstToken figures{.seconds = secondsSince(begun)};
    (void)(*session)->truncate(0);
    const auto again = std::chrono::steady_clock::now();
    if (!(*session)->evaluate(prompt, Logits::Last, {})) {
        return std::nullopt;
    }
    figures.prompt = secondsSince(again);
    return figures;
}

// Prints the time until the first token of a model in the page cache, relative to its prompt (goal: at most 1.2), and
// of one that is only on the disk, relative to reading the file (goal: at least 90 % of the disk's rate with a prompt
// that takes less than reading). The least disturbed of interleaved rounds.
int runStart(const std::string& path, const std::string& name, unsigned threads) {
    constexpr std::size_t kShort = 8;
    constexpr int kRounds = 5;
    double warm = 1e9;
    double prompt = 1e9;
    double cold = 1e9;
    double reading = 1e9;
    for (int round = 0; round < kRounds; ++round) {
        if (!dropFromCache(path)) {
            return 1;
        }
        reading = std::min(reading, secondsToReadFile(path));
        const auto cached = firstToken(path, kTokens, threads);
        const auto fromDisk = cached && dropFromCache(path) ? firstToken(path, kShort, threads) : std::nullopt;
        if (!fromDisk) {
            return 1;
        }
        warm = std::min(warm, cached->seconds);
        prompt = std::min(prompt, cached->prompt);
        cold = std::min(cold, fromDisk->seconds);
    }
    std::printf("%-8s first token after %zu tokens %5.0f ms, %.2f × their evaluation (goal 1.2: %s); from the disk "
                "%5.0f ms, %3.0f %% of its rate of %.2f GB/s (goal 90: %s)\n",
                name.c_str(), kTokens, warm * 1e3, warm / prompt, bench::goalVerdict(true, warm <= 1.2 * prompt),
                cold * 1e3, 100 * reading / cold, static_cast<double>(std::filesystem::file_size(path)) / reading / 1e9,
                bench::goalVerdict(true, reading >= 0.9 * cold));
    std::fflush(stdout);
    return 0;
}

int makeAndRun(const std::string& type, unsigned threads) {
    const auto path = std::filesystem::temp_directory_path() / ("gufo-bench-" + std::to_string(getpid()) + ".gguf");
    const std::string command = std::string("\"" GUFO_MAKE_MODEL "\" \"") + path.string() +
                                "\" --shape llama-1b --type " + type + " > /dev/null";
    const int made = std::system(command.c_str());
    const bool failed =
        made != 0 || runModel(path.string(), type, threads) != 0 || runStart(path.string(), type, threads) != 0;
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return failed ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
    Team team(physicalCores());
    std::printf("threads: %u\n", team.size());
    const std::span<char*> arguments(argv + 1, argv + argc);
    const auto isModel = [](const char* name) { return std::string_view(name).ends_with(".gguf"); };
    const bool all = arguments.empty();
    for (const TensorTypeFact& type : tensorTypes()) {
        const bool wanted = all || std::ranges::any_of(arguments, [&](const char* name) { return name == type.name; });
        if (wanted && type.inGguf() && isDecodable(type.id) && type.rowHeaderBytes == 0 &&
            type.kind != TensorTypeKind::Integer) {
            run(type, team);
        }
    }
    int failures = 0;
    for (const char* path : arguments) {
        if (isModel(path)) {
            const std::string name = std::filesystem::path(path).filename().string();
            failures += runModel(path, name, team.size());
            failures += runStart(path, name, team.size());
        }
    }
    for (const char* type : {"Q4_0", "Q4_K_M", "Q8_0"}) {
        failures += all ? makeAndRun(type, team.size()) : 0;
    }
    return failures == 0 ? 0 : 1;
}
