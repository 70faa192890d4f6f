// The speed of the products with one vector, on which generation spends its time, if their weights come from the L2
// cache. Where it is little above a thread's part of the memory bandwidth, generation cannot use all of that.
#pragma once

#include "processor_speed.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <vector>

namespace gufo::bench {

// Bytes of weights per second of processor time of one thread; 0 if there is no such product.
inline double cachedProductsSpeed(TensorType type) {
    constexpr std::size_t kColumns = 2048;
    constexpr std::size_t kRows = 128;
    constexpr int kPasses = 200;
    const ProductKernels& kernels = activeKernels().products;
    const TensorTypeFact& info = tensorTypeFact(type);
    const auto dot = kernels.int8[info.id].dotStreams;
    const std::size_t rowBytes = blocksBytes(info, kColumns);
    std::vector<float> weights(kRows * kColumns);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = static_cast<float>(i * 2'654'435'761U % 1021) / 1021 - 0.5F;
    }
    std::vector<std::byte> bytes(kRows * rowBytes);
    if (dot == nullptr || !encode({.typeId = info.id, .columns = kColumns, .importance = {}}, weights, bytes)) {
        return 0;
    }
    std::vector<Int8Run> runs(kColumns / kRunWeights);
    std::vector<Int8TransposedRun> transposed(runs.size());
    kernels.toInt8(weights.data(), kColumns, {.runs = runs.data(), .stride = 1, .transposed = transposed.data()});
    std::vector<float> y(kRows);
    double best = 1e9;
    for (int pass = 0; pass < kPasses; ++pass) {
        best = std::min(best, processorSecondsOf([&] {
                            dot({bytes.data(), rowBytes, kColumns}, kRows / kStreams, kRows / kStreams,
                                {runs.data(), transposed.data()}, y.data(), kRows);
                        }));
    }
    return static_cast<double>(bytes.size()) / best;
}

} // namespace gufo::bench
