// Measures encoding of normally distributed weights in memory, for each type. Prints weights per second on one thread,
// ratios to the scalar encoder and to reading the same floats once as fast as a thread can, the same figures with an
// importance matrix (which encodes twice), and the error without it and weighted with it. It uses processor time, which
// other work disturbs less.
//
//   bench_quantize [type …]
#include "base/cpu_features.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace gufo;

namespace {

constexpr std::size_t kColumns = 4096;
constexpr std::size_t kRows = 256;
constexpr std::size_t kWeights = kColumns * kRows;

// The best processor time of several runs, in seconds.
double bestOf(int repeats, const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < repeats; ++i) {
        const std::clock_t clock = std::clock();
        work();
        best = std::min(best, static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC);
    }
    return best;
}

double readOnce(const std::vector<float>& weights) {
    std::atomic<std::uint64_t> sink = 0;
    return bestOf(8, [&] {
        std::array<std::uint64_t, 8> sums{};
        for (std::size_t at = 0; at + 16 <= weights.size(); at += 16) {
            std::array<std::uint64_t, 8> words;
            std::memcpy(words.data(), weights.data() + at, 64);
            for (std::size_t i = 0; i < 8; ++i) {
                sums[i] += words[i];
            }
        }
        sink += sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
    });
}

} // namespace

int main(int argc, char** argv) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 0.02F);
    std::vector<float> weights(kWeights);
    std::vector<float> importance(kColumns);
    for (float& weight : weights) {
        weight = normal(random);
    }
    for (float& value : importance) {
        value = std::exp(50 * normal(random));
    }
    const double reading = readOnce(weights);
    std::printf("encoding %zu million weights on one thread, %s; reading them: %.1f GB/s\n", kWeights >> 20U,
                std::string(cpuDescription()).c_str(), 4.0 * kWeights / reading / 1e9);
    std::printf("%-8s %14s %10s %14s %16s %10s %10s\n", "type", "10^6 weights/s", "x scalar", "x memory read",
                "with importance", "NMSE", "weighted");
    for (const TensorType which : encodableTypes()) {
        const TensorTypeFact& type = tensorTypeFact(which);
        bool wanted = argc == 1;
        for (int i = 1; i < argc; ++i) {
            wanted = wanted || findTensorType(std::string_view(argv[i])) == &type;
        }
        if (!wanted) {
            continue;
        }
        const std::size_t rowBytes = encodedBytes(type.id, kColumns, kColumns);
        std::vector<std::byte> bytes(rowBytes * kRows);
        const auto encodeAll = [&](std::span<const float> counts) {
            static_cast<void>(encode({.typeId = type.id, .columns = kColumns, .importance = counts}, weights, bytes));
        };
        // Σ w (a − b)² / Σ w a²
        const auto errorOf = [&](std::span<const float> counts) {
            std::vector<float> decoded(kWeights);
            static_cast<void>(decode(*StoredRows::of(type.id, kColumns, bytes), 0, decoded));
            double error = 0;
            double energy = 0;
            for (std::size_t i = 0; i < kWeights; ++i) {
                const double w = counts.empty() ? 1.0 : static_cast<double>(counts[i % kColumns]);
                const double a = weights[i];
                error += w * (a - static_cast<double>(decoded[i])) * (a - static_cast<double>(decoded[i]));
                energy += w * a * a;
            }
            return error / energy;
        };
        const double weighted = bestOf(2, [&] { encodeAll(importance); });
        const double weightedError = errorOf(importance);
        const double plain = bestOf(3, [&] { encodeAll({}); });
        const double error = errorOf({});
        const ForcedKernels forced(scalar::kernels());
        const double slow = bestOf(1, [&] { encodeAll({}); });
        const auto count = static_cast<double>(kWeights);
        std::printf("%-8s %14.1f %10.1f %14.4f %16.1f %10.2e %10.2e\n", std::string(type.name).c_str(),
                    count / plain / 1e6, slow / plain, reading / plain, count / weighted / 1e6, error, weightedError);
        std::fflush(stdout);
    }
    return 0;
}
