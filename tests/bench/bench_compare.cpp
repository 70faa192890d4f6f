// Measures a complete comparison of two tensors in memory, for pairs of types. Prints pairs of weights per second on
// all threads, and two ratios: to the scalar kernels, and to reading the bytes of both tensors once as fast as this
// machine can. The last column uses processor time, which other work on the machine disturbs less than elapsed time.
//
// The weights are normally distributed (deviation 0.02, one outlier in a thousand) and encoded with the encoders of
// core/tensor, so that errors have realistic sizes.
//
//   bench_compare [TYPE_A TYPE_B]
#include "analysis/compare/compare_tensors.h"
#include "base/cpu_features.h"
#include "base/parallel.h"
#include "best_of.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace gufo;
using bench::bestOf;
using bench::Seconds;

namespace {

constexpr std::uint64_t kColumns = 4096;
constexpr std::uint64_t kDistinctRows = 256;
constexpr std::uint64_t kWeights = std::uint64_t{96} << 20U;
constexpr int kRepeats = 7;

std::vector<float> plausibleWeights() {
    std::mt19937_64 random(1);
    std::normal_distribution<float> normal(0, 0.02F);
    std::vector<float> weights(kColumns * kDistinctRows);
    for (float& weight : weights) {
        weight = normal(random) * (random() % 1000 == 0 ? 8.0F : 1.0F);
    }
    return weights;
}

// Returns a model with the weights in this type, repeated until there are kWeights.
std::shared_ptr<Model> modelOf(const TensorTypeFact& type, const std::vector<float>& weights) {
    std::vector<std::byte> once(blocksBytes(type, weights.size()));
    if (!encode({.typeId = type.id, .columns = kColumns}, weights, once)) {
        return nullptr;
    }
    std::vector<std::byte> bytes;
    bytes.reserve(kWeights / weights.size() * once.size());
    while (bytes.size() < blocksBytes(type, kWeights)) {
        bytes.insert(bytes.end(), once.begin(), once.end());
    }
    auto model = std::make_shared<Model>();
    TensorInfo info;
    info.name = "weights";
    info.typeId = type.id;
    info.shape = Shape(std::array{kColumns, kWeights / kColumns});
    info.bytes = info.bytesPresent = bytes.size();
    model->tensors.push_back(info);
    ModelFile file;
    file.source = std::make_shared<MemorySource>(std::move(bytes));
    model->files.push_back(std::move(file));
    return model;
}

// Sums the bytes as 64-bit words on all threads, in eight independent chains.
void readOnce(Bytes bytes, std::atomic<std::uint64_t>& sink) {
    static_cast<void>(parallelFor(bytes.size(), 1U << 20U, {}, [&](auto begin, auto end, auto) {
        std::array<std::uint64_t, 8> sums{};
        for (auto at = begin; at + 64 <= end; at += 64) {
            std::array<std::uint64_t, 8> words;
            std::memcpy(words.data(), bytes.data() + at, 64);
            for (std::size_t i = 0; i < 8; ++i) {
                sums[i] += words[i];
            }
        }
        sink += sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
    }));
}

void measure(const TensorTypeFact& typeA, const TensorTypeFact& typeB, const std::vector<float>& weights) {
    const auto modelA = modelOf(typeA, weights);
    const auto modelB = modelOf(typeB, weights);
    if (modelA == nullptr || modelB == nullptr) {
        std::printf("%s against %s: there is no encoder\n", std::string(typeA.name).c_str(),
                    std::string(typeB.name).c_str());
        return;
    }
    const PartOf a{modelA.get(), wholeTensor(*modelA, TensorIndex(0))};
    const PartOf b{modelB.get(), wholeTensor(*modelB, TensorIndex(0))};
    std::atomic<std::uint64_t> sink = 0;
    const Seconds reading = bestOf(kRepeats, [&] {
        readOnce(*modelA->bytesOf(modelA->tensors[0]), sink);
        readOnce(*modelB->bytesOf(modelB->tensors[0]), sink);
    });
    std::optional<double> sqnr;
    const auto compare = [&] { sqnr = compareTensors(a, b)->figures().sqnrDb; };
    const Seconds active = bestOf(kRepeats, compare);
    const ForcedKernels forced(scalar::kernels());
    const Seconds plain = bestOf(1, compare);
    const auto pairs = static_cast<double>(kWeights);
    const std::string names = std::string(typeA.name) + " against " + std::string(typeB.name);
    std::printf("%-20s %12.2f %10.1f %14.2f %16.2f %10.1f\n", names.c_str(), pairs / active.passed / 1e9,
                plain.perThread / active.perThread, reading.perThread / active.perThread,
                pairs / active.perThread / 1e9, sqnr.value_or(0));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    std::printf("all figures of %llu million pairs, %u threads, %s\n", static_cast<unsigned long long>(kWeights >> 20U),
                hardwareThreads(), std::string(cpuDescription()).c_str());
    std::printf("%-20s %12s %10s %14s %16s %10s\n", "", "10^9 pairs/s", "x scalar", "x memory read", "processor time",
                "SQNR dB");
    const std::vector<float> weights = plausibleWeights();
    std::vector<std::pair<std::string_view, std::string_view>> pairs{
        {"F16", "Q4_K"},  {"F16", "Q8_0"}, {"F16", "Q6_K"}, {"F16", "IQ4_XS"},
        {"Q4_0", "Q4_K"}, {"F32", "BF16"}, {"F16", "F16"}};
    if (argc == 3) {
        pairs = {{argv[1], argv[2]}};
    }
    for (const auto& [nameA, nameB] : pairs) {
        const TensorTypeFact* typeA = findTensorType(nameA);
        const TensorTypeFact* typeB = findTensorType(nameB);
        if (typeA == nullptr || typeB == nullptr) {
            std::printf("there is no type \"%s\"\n", std::string(typeA == nullptr ? nameA : nameB).c_str());
            return 2;
        }
        measure(*typeA, *typeB, weights);
    }
    return 0;
}
