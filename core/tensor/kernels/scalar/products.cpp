// The products that specify the others, code by code and sum by sum.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/all_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gufo::scalar {
namespace {

// Row · x: for every 16 weights, the integer sum of level × activation, times both scales, minus the contribution of
// the minimum. Runs of x are `stride` apart.
template<typename Block>
float dotRow(const std::byte* row, std::size_t columns, const Int8Run* runs, std::size_t stride) {
    UnpackedBlock block{};
    double total = 0;
    for (std::size_t at = 0; at < columns; at += 16) {
        const Int8Run& x = runs[at / kRunWeights * stride];
        const std::size_t inRun = at % kRunWeights;
        const std::size_t inBlock = at % Block::kBlockSize;
        if (inBlock == 0) {
            Block::unpack(row + at / Block::kBlockSize * Block::kBlockBytes, block);
        }
        int sum = 0;
        for (std::size_t i = 0; i < 16; ++i) {
            sum += int{Block::kLevels[block.codes[inBlock + i]]} * int{x.values[inRun + i]};
        }
        const double scale = static_cast<double>(block.scales[inBlock / Block::kSubBlock]);
        total += scale * static_cast<double>(x.scales[inRun / 16]) * sum;
        if constexpr (Block::kHasMinima) {
            total -=
                static_cast<double>(block.minima[inBlock / Block::kSubBlock]) * static_cast<double>(x.sums[inRun / 16]);
        }
    }
    return static_cast<float>(total);
}

template<typename Block>
void dotRows(const EncodedRows& rows, std::size_t count, const Int8Row& x, float* y) {
    for (std::size_t r = 0; r < count; ++r) {
        y[r] = dotRow<Block>(rows.data + r * rows.rowBytes, rows.columns, x.runs, 1);
    }
}

template<typename Block>
void multiplyStrip(const EncodedRows& rows, std::size_t count, const Int8Run* runs, std::size_t tokens, float* y,
                   std::size_t stride, std::byte* /*scratch*/) {
    for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t r = 0; r < count; ++r) {
            y[t * stride + r] = dotRow<Block>(rows.data + r * rows.rowBytes, rows.columns, runs + t, tokens);
        }
    }
}

int negated(const std::int8_t* values, std::size_t count) { return -std::accumulate(values, values + count, 0); }

void transposeRun(const Int8Run& run, Int8TransposedRun& to) {
    for (std::size_t i = 0; i < kRunWeights; ++i) {
        to.values[transposedIndex(i)] = run.values[i];
    }
    std::ranges::copy(run.scales, to.scales);
    std::ranges::copy(run.sums, to.sums);
    for (std::size_t lane = 0; lane < 16; ++lane) { // two lanes per block, which alternate every four values
        const std::int8_t* values = run.values + lane / 2 * 32 + lane % 2 * 4;
        to.negatedLanes[0][lane] = negated(values, 4) + negated(values + 8, 4);
        to.negatedLanes[1][lane] = negated(values + 16, 4) + negated(values + 24, 4);
        to.negatedLanes[2][lane] = to.negatedLanes[0][lane] + to.negatedLanes[1][lane];
    }
    for (std::size_t i = 0; i < sizeof to.duplicated.values; ++i) {
        const std::size_t lane = i % 64 / 8 * 2 + i / 64 % 2; // of the vector i / 128 of `values`
        to.duplicated.values[i] = to.values[i / 128 * 64 + 4 * lane + i % 4];
    }
    for (std::size_t lane = 0; lane < 16; ++lane) {
        const std::size_t block = lane / 2;
        to.duplicated.sums[0][lane] = run.sums[2 * block];
        to.duplicated.sums[1][lane] = run.sums[2 * block + 1];
        to.duplicated.sums[2][lane] = run.sums32[block];
        to.duplicated.negated[0][lane] = run.negated16[2 * block];
        to.duplicated.negated[1][lane] = run.negated16[2 * block + 1];
        to.duplicated.negated[2][lane] = run.negated32[block];
    }
}

void toInt8(const float* from, std::size_t columns, const Int8Out& to) {
    for (std::size_t begin = 0; begin < columns; begin += kRunWeights) {
        Int8Run& run = to.runs[begin / kRunWeights * to.stride];
        const auto at = [&](std::size_t i) { return begin + i < columns ? from[begin + i] : 0.0F; };
        for (std::size_t block = 0; block < 8; ++block) {
            float largest = 0;
            for (std::size_t i = 32 * block; i < 32 * block + 32; ++i) {
                largest = std::max(largest, std::abs(at(i)));
            }
            const float inverse = largest > 0 ? 127 / largest : 0;
            for (std::size_t i = 32 * block; i < 32 * block + 32; ++i) {
                run.values[i] = static_cast<std::int8_t>(std::nearbyint(at(i) * inverse));
            }
            run.negated32[block] = negated(run.values + 32 * block, 32);
            for (const std::size_t part : {2 * block, 2 * block + 1}) {
                run.negated16[part] = negated(run.values + 16 * part, 16);
                run.scales[part] = largest / 127;
                run.sums[part] = run.scales[part] * static_cast<float>(-run.negated16[part]);
            }
            run.sums32[block] = run.sums[2 * block] + run.sums[2 * block + 1];
        }
        if (to.transposed != nullptr) {
            transposeRun(run, to.transposed[begin / kRunWeights]);
        }
    }
}

void toInt16(const float* from, std::size_t columns, Int16Run* to, std::size_t stride) {
    for (std::size_t begin = 0; begin < columns; begin += 32) {
        const std::size_t count = std::min<std::size_t>(32, columns - begin);
        const float* x = from + begin;
        float largest = 0;
        float parts[32]{}; // parts of the mean, summed pairwise as vector kernels do
        for (std::size_t i = 0; i < count; ++i) {
            largest = std::max(largest, std::abs(x[i]));
            parts[i] = std::abs(x[i]) / 32;
        }
        for (std::size_t half = 16; half != 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) {
                parts[i] += parts[i + half];
            }
        }
        const float wanted = std::max(largest / Int16Run::kMaxValue, parts[0] / Int16Run::kMaxMean);
        const float scale = wanted < std::numeric_limits<float>::min() ? 0 : wanted;
        const float inverse = scale > 0 ? 1 / scale : 0;
        Int16Run& run = to[begin / kRunWeights * stride];
        const std::size_t inRun = begin % kRunWeights;
        run.scales[inRun / 32] = scale;
        for (std::size_t i = 0; i < 32; ++i) {
            run.values[inRun + i] = i < count ? static_cast<std::int16_t>(std::nearbyint(x[i] * inverse)) : 0;
        }
        if (begin + 32 >= columns) { // fill up the last run
            std::fill(run.values + inRun + 32, run.values + kRunWeights, 0);
            std::fill(run.scales + inRun / 32 + 1, run.scales + kRunWeights / 32, 0.0F);
        }
    }
}

template<typename T, float (*toFloat)(T)>
void dotNumbers(const EncodedRows& rows, std::size_t count, const float* x, float* y) {
    for (std::size_t r = 0; r < count; ++r) {
        double total = 0;
        for (std::size_t i = 0; i < rows.columns; ++i) {
            const float weight = toFloat(load<T>(rows.data + r * rows.rowBytes + i * sizeof(T)));
            total += static_cast<double>(weight) * static_cast<double>(x[i]);
        }
        y[r] = static_cast<float>(total);
    }
}

float same(float value) { return value; }

void floatStrip(const float* rows, std::size_t rowStride, std::size_t count, std::size_t columns, const float* x,
                std::size_t xStride, std::size_t tokens, float* y, std::size_t stride, std::byte* /*scratch*/) {
    for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t r = 0; r < count; ++r) {
            double total = 0;
            for (std::size_t i = 0; i < columns; ++i) {
                total += static_cast<double>(rows[r * rowStride + i]) * static_cast<double>(x[t * xStride + i]);
            }
            y[t * stride + r] += static_cast<float>(total);
        }
    }
}

std::uint64_t readBytes(const std::byte* from, std::size_t count) {
    std::uint64_t sums[8]{};
    std::size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        for (std::size_t k = 0; k < 8; ++k) {
            sums[k] += load<std::uint64_t>(from + i + 8 * k);
        }
    }
    for (; i < count; ++i) {
        sums[0] += static_cast<std::uint64_t>(from[i]);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + (sums[4] + sums[5]) + (sums[6] + sums[7]);
}

} // namespace

void installProducts(ProductKernels& products) {
    products.toInt8 = toInt8;
    products.toInt16 = toInt16;
    products.floatStrip = floatStrip;
    products.readBytes = readBytes;
    products.floats[TensorType::F32] = dotNumbers<float, same>;
    products.floats[TensorType::F16] = dotNumbers<std::uint16_t, floatFromHalf>;
    products.floats[TensorType::BF16] = dotNumbers<std::uint16_t, floatFromBrain>;
    // Rows of ik_llama.cpp's types are decoded and multiplied as floats.
    forEachGgmlBlockType(
        [&]<typename Block>() { products.int8[Block::kType] = {dotRows<Block>, multiplyStrip<Block>}; });
}

} // namespace gufo::scalar
