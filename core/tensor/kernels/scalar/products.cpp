// The products that specify the others: code by code, sum by sum.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/all_blocks.h"

#include <algorithm>
#include <cmath>

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
        total += scale * static_cast<double>(x.scales[at / 32]) * sum;
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
    for (std::size_t begin = 0; begin < filled; begin += 32) {
        float largest = 0;
        for (std::size_t i = begin; i < begin + 32; ++i) {
            largest = std::max(largest, std::abs(at(i)));
        }
        const float inverse = largest > 0 ? 127 / largest : 0;
        to.scales[begin / 32] = largest / 127;
        to.negated32[begin / 32] = 0;
        for (std::size_t i = begin; i < begin + 32; ++i) {
            to.values[i] = static_cast<std::int8_t>(std::nearbyint(at(i) * inverse));
            if (i % 4 == 0) {
                to.negated4[i / 4] = 0;
            }
            if (i % 16 == 0) {
                to.negated16[i / 16] = 0;
            }
            to.negated4[i / 4] -= to.values[i];
            to.negated16[i / 16] -= to.values[i];
            to.negated32[i / 32] -= to.values[i];
        }
        for (const std::size_t part : {begin / 16, begin / 16 + 1}) {
            to.sums[part] = to.scales[begin / 32] * static_cast<float>(-to.negated16[part]);
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
