#include "quantize/plan_types.h"

#include "base/ascii.h"
#include "base/try.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <memory>

namespace gufo {
namespace {

// ---- programs -------------------------------------------------------------------------------------------------------

using enum TensorType;

constexpr auto kProfiles = std::to_array<RuntimeProfile>({
    {Runtime::LlamaCpp, "llama.cpp"},
    {Runtime::IkLlama, "ik_llama.cpp"},
    {Runtime::Ollama, "Ollama"},
});

// MXFP4 is left out: inside mixes it lost against Q4_K, and publishers have withdrawn such files.
constexpr auto kEverywhere = std::to_array<TensorType>({Q2_K, Q3_K, Q4_0, Q4_K, Q4_1, Q5_0, Q5_K, Q5_1, Q6_K, Q8_0});
// Ollama's own engine marks them as not supported (fs/ggml/type.go).
constexpr auto kNotOllama =
    std::to_array<TensorType>({IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_XS, IQ4_NL});
constexpr auto kOnlyLlama = std::to_array<TensorType>({TQ1_0, TQ2_0});
constexpr auto kOnlyIk =
    std::to_array<TensorType>({IQ2_KS, IQ2_K, IQ2_KL, IQ3_KS, IQ3_K, IQ4_KSS, IQ4_KS, IQ4_K, IQ5_KS, IQ5_K, IQ6_K});

// ---- speed ----------------------------------------------------------------------------------------------------------

constexpr std::size_t kColumns = 2048;
constexpr std::size_t kRuns = kColumns / kRunWeights;
constexpr std::size_t kRows = kStripRows;
constexpr int kPasses = 100; // the best counts, because other work on the machine disturbs the rest

// Weights and activations that look random; the speed does not depend on them.
std::vector<float> valuesFor(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = 0.05F * std::sin(static_cast<float>(i * 2'654'435'761U % 100'003));
    }
    return values;
}

double threadSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template<typename Work>
double bestOf(const Work& work) {
    double best = INFINITY;
    for (int i = 0; i < kPasses; ++i) {
        const double begun = threadSeconds();
        work();
        best = std::min(best, threadSeconds() - begun);
    }
    return best;
}

} // namespace

std::span<const RuntimeProfile> runtimeProfiles() { return kProfiles; }

std::optional<Runtime> runtimeNamed(std::string_view name) {
    const auto* found = std::ranges::find_if(
        kProfiles, [&](const RuntimeProfile& profile) { return equalIgnoringCase(profile.name, name); });
    return found != kProfiles.end() ? std::optional(found->runtime) : std::nullopt;
}

std::vector<std::uint32_t> plannedTypes(Runtime runtime) {
    std::vector<std::uint32_t> types;
    const auto add = [&](std::span<const TensorType> some) {
        for (const TensorType type : some) {
            if (isEncodable(static_cast<std::uint32_t>(type))) {
                types.push_back(static_cast<std::uint32_t>(type));
            }
        }
    };
    add(kEverywhere);
    if (runtime != Runtime::Ollama) {
        add(kNotOllama);
    }
    if (runtime == Runtime::LlamaCpp) {
        add(kOnlyLlama);
    }
    if (runtime == Runtime::IkLlama) {
        add(kOnlyIk);
    }
    return types;
}

Result<TypeSeconds> measureTypes(const std::vector<std::uint32_t>& types, const JobContext& job) {
    const ProductKernels& kernels = activeKernels().products;
    const std::vector<float> weights = valuesFor(kRows * kColumns);
    const std::vector<float> x = valuesFor(kColumns);
    std::vector<Int8Run> runs(kRuns);
    std::vector<Int8TransposedRun> transposed(kRuns);
    kernels.toInt8(x.data(), kColumns, {.runs = runs.data(), .transposed = transposed.data()});
    std::vector<Int16Run> wide(kRuns);
    kernels.toInt16(x.data(), kColumns, wide.data(), 1);
    struct alignas(64) Scratch {
        std::byte bytes[kStripScratch];
    };
    const auto scratch = std::make_unique<Scratch>();
    std::vector<float> y(kRows);
    TypeSeconds seconds;
    job.start(types.size());
    for (const std::uint32_t id : types) {
        GUFO_TRY(job.check());
        const TensorTypeFact& type = *findTensorType(id);
        const auto dot = kernels.int8[id].dot;
        const auto strip = kernels.int16[id];
        if (dot != nullptr || strip != nullptr) {
            std::vector<std::byte> bytes(blocksBytes(type, weights.size()));
            GUFO_TRY(encode({.typeId = id, .columns = kColumns, .importance = {}}, weights, bytes));
            const EncodedRows rows{.data = bytes.data(), .rowBytes = bytes.size() / kRows, .columns = kColumns};
            const double best = bestOf([&] {
                if (dot != nullptr) {
                    dot(rows, kRows, {.runs = runs.data(), .transposed = transposed.data()}, y.data());
                } else {
                    strip(rows, kRows, wide.data(), 1, y.data(), kRows, scratch->bytes);
                }
            });
            seconds.emplace(id, best / static_cast<double>(weights.size()));
        }
        job.advance(1);
    }
    return seconds;
}

} // namespace gufo
