#include "inference/multiply.h"

#include "tensor/decode.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// Of rows that are decoded to be multiplied: whole blocks of any type, and 32 rows of them stay in the second cache.
constexpr std::size_t kDecodedColumns = 512;

std::size_t runsOf(std::size_t columns) { return (columns + kRunWeights - 1) / kRunWeights; }

} // namespace

Int8Out takeInt8Row(Memory& memory, std::size_t columns) {
    return {.runs = memory.take<Int8Run>(runsOf(columns)), .turned = memory.take<Int8TurnedRun>(runsOf(columns))};
}

Multiplier::Multiplier(Team& team, Memory& memory, std::size_t tokens, std::size_t columns)
    : m_team(team)
    , m_kernels(activeKernels())
    , m_int8(memory.take<Int8Run>(tokens, runsOf(columns)))
    , m_turned(memory.take<Int8TurnedRun>(runsOf(columns))) {
    for (unsigned member = 0; member < team.size(); ++member) {
        m_scratch.push_back({memory.take<std::byte>(kStripScratch), memory.take<float>(kStripRows, kDecodedColumns)});
    }
}

const ProductKernels::Int8Products* Multiplier::int8Products(const Matrix& matrix, std::size_t tokens) const {
    const auto& products = m_kernels.products.int8[matrix.typeId];
    const bool there = tokens == 1 ? products.dot != nullptr : products.strip != nullptr;
    return there && matrix.order == ByteOrder::Little ? &products : nullptr;
}

void Multiplier::multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens) {
    const Product product{&matrix, y};
    multiply({&product, 1}, x, tokens);
}

void Multiplier::multiply(std::span<const Product> products, Rows x, std::size_t tokens) {
    prepareInt8(products, x, tokens);
    if (tokens == 1) { // equal shares, each one stretch of memory
        m_team.run([&](unsigned member) {
            for (const Product& product : products) {
                const std::uint64_t begin = product.matrix->rows * member / m_team.size();
                const std::uint64_t end = product.matrix->rows * (member + 1) / m_team.size();
                multiplyRows(product, begin, end - begin, x, 1, m_scratch[member]);
            }
        });
        return;
    }
    m_next = 0;
    m_team.run([&](unsigned member) {
        std::uint64_t first = 0; // strip of the product
        auto product = products.begin();
        for (std::uint64_t strip = m_next++;; strip = m_next++) {
            const auto strips = [&] { return (product->matrix->rows + kStripRows - 1) / kStripRows; };
            while (product != products.end() && strip - first >= strips()) {
                first += strips();
                ++product;
            }
            if (product == products.end()) {
                return;
            }
            const std::uint64_t begin = (strip - first) * kStripRows;
            multiplyRows(*product, begin, std::min<std::uint64_t>(kStripRows, product->matrix->rows - begin), x, tokens,
                         m_scratch[member]);
        }
    });
}

void Multiplier::prepareInt8(std::span<const Product> products, Rows x, std::size_t tokens) {
    bool wanted = false;
    bool rest = false;
    for (const Product& product : products) {
        const auto* int8 = int8Products(*product.matrix, tokens);
        wanted = wanted || int8 != nullptr;
        rest = rest || (int8 != nullptr && int8->rest && tokens > 1);
    }
    if (!wanted) {
        return;
    }
    const std::size_t columns = products.front().matrix->columns;
    const auto round = [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t t = begin; t < end; ++t) {
            m_kernels.products.toInt8(
                x[t], columns,
                {.runs = m_int8 + t, .between = tokens, .turned = tokens == 1 ? m_turned : nullptr, .rest = rest});
        }
    };
    if (tokens == 1) {
        round(0, 1);
    } else {
        m_team.forShares(tokens, 1,
                         [&](std::uint64_t begin, std::uint64_t end, unsigned /*member*/) { round(begin, end); });
    }
}

void Multiplier::multiplyRows(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x,
                              std::size_t tokens, const Scratch& scratch) const {
    const Matrix& matrix = *product.matrix;
    const EncodedRows rows{matrix.row(begin), matrix.rowBytes, matrix.columns};
    const auto* int8 = int8Products(matrix, tokens);
    const auto floats = matrix.order == ByteOrder::Little ? m_kernels.products.floats[matrix.typeId] : nullptr;
    if (int8 != nullptr && tokens == 1) {
        int8->dot(rows, count, {m_int8, m_turned}, product.y[0] + begin);
    } else if (int8 != nullptr) {
        int8->strip(rows, count, m_int8, tokens, product.y[0] + begin, product.y.stride, scratch.strip);
    } else if (floats != nullptr && tokens == 1) {
        floats(rows, count, x[0], product.y[0] + begin);
    } else {
        for (std::uint64_t at = begin; at < begin + count; at += kStripRows) {
            multiplyDecoded(product, at, std::min<std::uint64_t>(kStripRows, begin + count - at), x, tokens, scratch);
        }
    }
    if (!matrix.bias.empty()) {
        for (std::size_t t = 0; t < tokens; ++t) {
            for (std::uint64_t row = begin; row < begin + count; ++row) {
                product.y[t][row] += matrix.bias[row];
            }
        }
    }
}

void Multiplier::multiplyDecoded(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x,
                                 std::size_t tokens, const Scratch& scratch) const {
    const Matrix& matrix = *product.matrix;
    const TensorTypeInfo& type = *findTensorType(matrix.typeId);
    for (std::size_t t = 0; t < tokens; ++t) {
        std::fill_n(product.y[t] + begin, count, 0.0F);
    }
    for (std::uint64_t column = 0; column < matrix.columns; column += kDecodedColumns) {
        const std::size_t width = std::min<std::uint64_t>(kDecodedColumns, matrix.columns - column);
        const std::size_t bytes = width / type.blockSize * type.blockBytes;
        for (std::uint64_t r = 0; r < count; ++r) {
            const std::byte* from = matrix.row(begin + r) + column / type.blockSize * type.blockBytes;
            // Types and sizes were checked when the weights were bound.
            (void)decode(matrix.typeId, {from, bytes}, std::span(scratch.rows + r * kDecodedColumns, width),
                         matrix.order);
        }
        if (tokens == 1) {
            const auto* rows = reinterpret_cast<const std::byte*>(scratch.rows);
            float sums[kStripRows];
            m_kernels.products.floats[static_cast<std::size_t>(TensorType::F32)](
                {rows, kDecodedColumns * sizeof(float), width}, count, x[0] + column, sums);
            for (std::uint64_t r = 0; r < count; ++r) {
                product.y[0][begin + r] += sums[r];
            }
        } else {
            m_kernels.products.floatStrip(scratch.rows, kDecodedColumns, count, width, x[0] + column, x.stride, tokens,
                                          product.y[0] + begin, product.y.stride, scratch.strip);
        }
    }
}

} // namespace gufo::inference
