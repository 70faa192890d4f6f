// The products that specify the others: code by code, sum by sum.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/all_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gufo::scalar {
namespace {

// A row · x: for each 16 weights the sum of level × activation as an integer, times both scales, less what the minimum
// takes.
template<typename Block>
float dotRow(const std::byte* row, std::size_t columns, const Int8Row& x) {
    UnpackedBlock block{};
    double total = 0;
    for (std::size_t at = 0; at < columns; at += 16) {
        const std::size_t inBlock = at % Block::kBlockSize;
        if (inBlock == 0) {
            Block::unpack(row + at / Block::kBlockSize * Block::kBlockBytes, block);
        }
        int sum = 0;
        for (std::size_t i = 0; i < 16; ++i) {
            sum += int{Block::kLevels[block.codes[inBlock + i]]} * int{x.values[at + i]};
        }
        const double scale = static_cast<double>(block.scales[inBlock / Block::kSubBlock]);
        total += scale * static_cast<double>(x.scales[at / 16]) * sum;
        if constexpr (Block::kHasMinima) {
            total -=
                static_cast<double>(block.minima[inBlock / Block::kSubBlock]) * static_cast<double>(x.sums[at / 16]);
        }
    }
    return static_cast<float>(total);
}

template<typename Block>
void dotRows(const EncodedRows& rows, std::size_t count, const Int8Row& x, float* y) {
    for (std::size_t r = 0; r < count; ++r) {
        y[r] = dotRow<Block>(rows.data + r * rows.rowBytes, rows.columns, x);
    }
}

template<typename Block>
void multiplyStrip(const EncodedRows& rows, std::size_t count, const Int8Row* x, std::size_t tokens, float* y,
                   std::size_t stride, std::byte* /*scratch*/) {
    for (std::size_t t = 0; t < tokens; ++t) {
        dotRows<Block>(rows, count, x[t], y + t * stride);
    }
}

void toInt8(const float* from, std::size_t columns, const Int8Out& to) {
    const std::size_t filled = (columns + kRunWeights - 1) / kRunWeights * kRunWeights;
    const auto at = [&](std::size_t i) { return i < columns ? from[i] : 0.0F; };
    const auto negated = [](const std::int8_t* values, std::size_t count) {
        return -std::accumulate(values, values + count, 0);
    };
    for (std::size_t begin = 0; begin < filled; begin += 32) {
        float largest = 0;
        for (std::size_t i = begin; i < begin + 32; ++i) {
            largest = std::max(largest, std::abs(at(i)));
        }
        const float inverse = largest > 0 ? 127 / largest : 0;
        for (std::size_t i = begin; i < begin + 32; ++i) {
            to.values[i] = static_cast<std::int8_t>(std::nearbyint(at(i) * inverse));
            if (to.rest != nullptr) {
                const float left = at(i) * inverse - static_cast<float>(to.values[i]);
                to.rest[i] = static_cast<std::int8_t>(std::nearbyint(left * 128));
            }
        }
        to.negated32[begin / 32] = negated(to.values + begin, 32);
        if (to.rest != nullptr) {
            to.negatedRest32[begin / 32] = negated(to.rest + begin, 32);
        }
        for (const std::size_t part : {begin / 16, begin / 16 + 1}) {
            to.negated16[part] = negated(to.values + 16 * part, 16);
            to.scales[part] = largest / 127;
            to.sums[part] = to.scales[part] * static_cast<float>(-to.negated16[part]);
        }
        if (to.turned != nullptr) {
            for (std::size_t i = begin; i < begin + 32; ++i) {
                to.turned[turnedPlace(i)] = to.values[i];
            }
            std::int32_t* lanes = to.negatedLanes + begin / kRunWeights * kRunLanes + begin % kRunWeights / 16;
            for (std::size_t lane = 0; lane < 2; ++lane) {
                const std::int8_t* of = to.values + begin + 4 * lane;
                lanes[lane] = negated(of, 4) + negated(of + 8, 4);
                lanes[16 + lane] = negated(of + 16, 4) + negated(of + 24, 4);
                lanes[32 + lane] = lanes[lane] + lanes[16 + lane];
            }
            for (std::size_t i = begin; i < begin + 32; i += 4) {
                to.negated4[i / 4] = negated(to.values + i, 4);
            }
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
    products.floatStrip = floatStrip;
    products.readBytes = readBytes;
    products.floats[static_cast<std::size_t>(TensorType::F32)] = dotNumbers<float, same>;
    products.floats[static_cast<std::size_t>(TensorType::F16)] = dotNumbers<std::uint16_t, floatFromHalf>;
    products.floats[static_cast<std::size_t>(TensorType::BF16)] = dotNumbers<std::uint16_t, floatFromBrain>;
    forEachBlockType([&]<typename Block>() {
        products.int8[static_cast<std::size_t>(Block::kType)] = {dotRows<Block>, multiplyStrip<Block>};
    });
}

} // namespace gufo::scalar
