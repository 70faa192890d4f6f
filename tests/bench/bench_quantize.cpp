// Measures encoding of normally distributed weights in memory, for each type. Prints weights per second on all threads,
// ratios to the scalar encoder and to reading the same floats once as fast as this machine can, the same figures with
// an importance matrix (which encodes twice), and the error. It uses processor time, which other work disturbs less.
//
//   bench_quantize [type …]
#include "base/cpu_features.h"
#include "base/parallel.h"
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
constexpr std::size_t kRows = 1024;
constexpr std::size_t kWeights = kColumns * kRows;

// The best processor time of several runs, divided by the number of threads, in seconds.
double bestOf(int repeats, const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < repeats; ++i) {
        const std::clock_t clock = std::clock();
        work();
        best = std::min(best, static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC / hardwareThreads());
    }
    return best;
}

double readOnce(const std::vector<float>& weights) {
    std::atomic<std::uint64_t> sink = 0;
    return bestOf(8, [&] {
        static_cast<void>(parallelFor(weights.size(), 1U << 18U, {}, [&](auto begin, auto end, auto) {
            std::array<std::uint64_t, 8> sums{};
            for (auto at = begin; at + 16 <= end; at += 16) {
                std::array<std::uint64_t, 8> words;
                std::memcpy(words.data(), weights.data() + at, 64);
                for (std::size_t i = 0; i < 8; ++i) {
                    sums[i] += words[i];
                }
            }
            sink += sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
        }));
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
    std::printf("encoding %zu million weights, %u threads, %s; reading them: %.1f GB/s\n", kWeights >> 20U,
                hardwareThreads(), std::string(cpuDescription()).c_str(), 4.0 * kWeights / reading / 1e9);
    std::printf("%-8s %14s %10s %14s %16s %10s\n", "type", "10^6 weights/s", "x scalar", "x memory read",
                "with importance", "NMSE");
    for (const TensorType which : encodableTypes()) {
        const TensorTypeInfo& type = tensorTypeInfo(which);
        bool wanted = argc == 1;
        for (int i = 1; i < argc; ++i) {
            wanted = wanted || findTensorType(std::string_view(argv[i])) == &type;
        }
        if (!wanted) {
            continue;
        }
        const std::size_t rowBytes = blocksBytes(type, kColumns);
        std::vector<std::byte> bytes(rowBytes * kRows);
        const auto encodeAll = [&](std::span<const float> counts) {
            static_cast<void>(parallelFor(kRows, 16, {}, [&](auto begin, auto end, auto) {
                static_cast<void>(encode({.typeId = type.id, .columns = kColumns, .importance = counts},
                                         std::span(weights).subspan(begin * kColumns, (end - begin) * kColumns),
                                         std::span(bytes).subspan(begin * rowBytes, (end - begin) * rowBytes)));
            }));
        };
        const double weighted = bestOf(2, [&] { encodeAll(importance); });
        const double plain = bestOf(3, [&] { encodeAll({}); });
        std::vector<float> decoded(kWeights);
        static_cast<void>(decode(type.id, bytes, decoded));
        double error = 0;
        double energy = 0;
        for (std::size_t i = 0; i < kWeights; ++i) {
            const double a = weights[i];
            error += (a - static_cast<double>(decoded[i])) * (a - static_cast<double>(decoded[i]));
            energy += a * a;
        }
        const ForcedKernels forced(scalar::kernels());
        const double slow = bestOf(1, [&] { encodeAll({}); });
        const auto count = static_cast<double>(kWeights);
        std::printf("%-8s %14.1f %10.1f %14.3f %16.1f %10.2e\n", std::string(type.name).c_str(), count / plain / 1e6,
                    slow / plain, reading / plain, count / weighted / 1e6, error / energy);
        std::fflush(stdout);
    }
    return 0;
}
