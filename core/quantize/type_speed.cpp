#include "quantize/type_speed.h"

#include "base/try.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>

namespace gufo {
namespace {

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
