// The products of inference for each weight type: matrix times one vector, in bytes per second against reading the same
// bytes as fast as this machine can; matrix times 128 vectors, in products per second against the peak of 8-bit
// products and against the scalar kernels. Best of interleaved runs of all threads: what disturbs one disturbs the
// other.
//
//   bench_engine [type …]
#include "best_of.h"
#include "inference/multiply.h"
#include "inference/speed.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::uint64_t kColumns = 2048;
constexpr std::size_t kBytes = 160U << 20U; // beyond the last cache
constexpr std::size_t kTokens = 128;

// `bytes` of rows of a type: encoded normal weights again and again, or any bits where the type is not written here.
std::vector<std::byte> makeWeights(const TensorTypeInfo& type, std::size_t rowBytes, std::size_t rows) {
    std::mt19937_64 random(1);
    const std::size_t some = std::min<std::size_t>(rows, 64);
    std::vector<std::byte> unit(some * rowBytes);
    std::vector<float> weights(some * kColumns);
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

// What the multiplier keeps, as a session would take it.
Memory memoryFor(Team& team) {
    Memory counted;
    const Multiplier multiplier(team, counted, kTokens, kColumns);
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
        , multiplier(members, memory, kTokens, kColumns)
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

void run(const TensorTypeInfo& type, Team& team) {
    const std::size_t rowBytes = kColumns / type.blockSize * type.blockBytes;
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
    for (int pass = 0; pass < 10; ++pass) {
        read = std::min(read, secondsToRead(team, std::array{Bytes(bytes)}));
        vector = std::min(vector, active.secondsOf(matrix(rows), 1));
    }
    constexpr std::size_t kRows = 2048;
    for (int pass = 0; pass < 8; ++pass) {
        many = std::min(many, active.secondsOf(matrix(kRows), kTokens));
        if (pass % 2 == 0) {
            peak = std::max(peak, peakInt8Products(team.size()));
        }
    }
    double scalarMany = 0;
    {
        constexpr std::size_t kFewRows = 64;
        const ForcedKernels forced(kernelsFor(Isa::Scalar));
        Bench scalar(team);
        scalarMany = scalar.secondsOf(matrix(kFewRows), kTokens) * kRows / kFewRows;
    }
    const auto size = static_cast<double>(bytes.size());
    std::printf(
        "%-8.*s vector %5.1f GB/s, %3.0f %% of %5.1f read; %zu vectors %5.0f G/s, %3.0f %% of 8-bit peak %4.0f, "
        "%4.0f × scalar\n",
        static_cast<int>(type.name.size()), type.name.data(), size / vector / 1e9, 100 * read / vector,
        size / read / 1e9, kTokens, kRows * kColumns * kTokens / many / 1e9,
        100 * kRows * kColumns * kTokens / many / peak, peak / 1e9, scalarMany / many);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    Team team(physicalCores());
    std::printf("threads: %u\n", team.size());
    for (const TensorTypeInfo& type : tensorTypes()) {
        const bool wanted = argc == 1 || std::any_of(argv + 1, argv + argc,
                                                     [&](const char* name) { return std::string(name) == type.name; });
        if (wanted && type.id < 64 && kernelsFor(Isa::Scalar).decode[type.id] != nullptr &&
            type.kind != TensorTypeKind::Integer) {
            run(type, team);
        }
    }
}
