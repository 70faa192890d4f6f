// Matrix times activations, straight from the encoded weights (tensor/kernels/products.h).
#pragma once

#include "inference/team.h"
#include "inference/weights.h"
#include "tensor/kernels/kernels.h"

#include <atomic>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace gufo::inference {

// Rows of floats, one for each token, `stride` apart.
struct Rows {
    float* data = nullptr;
    std::size_t stride = 0;
    [[nodiscard]] float* operator[](std::size_t token) const { return data + token * stride; }
};

// Elements on a cache line's boundary; pages come as they are used.
template<typename T>
class AlignedArray {
public:
    explicit AlignedArray(std::size_t count)
        : m_elements(static_cast<T*>(::operator new[](count * sizeof(T), kLine))) {}
    [[nodiscard]] T* get() const { return m_elements.get(); }

private:
    static constexpr std::align_val_t kLine{64};
    struct Delete {
        void operator()(T* elements) const { ::operator delete[](elements, kLine); }
    };
    std::unique_ptr<T, Delete> m_elements;
};

// A batch of activations of eight bits.
class Int8Activations {
public:
    Int8Activations(std::size_t tokens, std::size_t columns);
    // What only products of one vector need, the first row alone has.
    [[nodiscard]] Int8Out row(std::size_t token, bool forOne, bool rest);

private:
    std::size_t m_runs; // of a row
    AlignedArray<std::int8_t> m_values;
    AlignedArray<float> m_scales;
    AlignedArray<float> m_sums;
    AlignedArray<std::int32_t> m_negated16;
    AlignedArray<std::int32_t> m_negated32;
    AlignedArray<std::int8_t> m_turned;
    AlignedArray<std::int32_t> m_negated4;
    AlignedArray<std::int32_t> m_negatedLanes;
    AlignedArray<std::int8_t> m_rest;
    AlignedArray<std::int32_t> m_negatedRest32;
};

class Multiplier {
public:
    // For batches of up to `tokens`, and rows of up to `columns`.
    Multiplier(Team& team, std::size_t tokens, std::size_t columns);

    // y[t] = M x[t] + bias for `tokens` rows. x has M.columns elements in a row, y M.rows; they do not overlap.
    void multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens);
    // Several matrices of the same input in one step of the team (queries, keys and values; gate and up).
    struct Product {
        const Matrix* matrix;
        Rows y;
    };
    void multiply(std::span<const Product> products, Rows x, std::size_t tokens);

    [[nodiscard]] Team& team() { return m_team; }

private:
    struct alignas(64) Scratch {
        alignas(64) std::byte strip[kStripScratch];
        std::vector<float> rows; // decoded
    };

    [[nodiscard]] const ProductKernels::Int8Products* int8Products(const Matrix& matrix, std::size_t tokens) const;
    void prepareInt8(std::span<const Product> products, Rows x, std::size_t tokens);
    // Rows [begin, begin + count) of a matrix.
    void multiplyRows(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                      Scratch& scratch) const;
    void multiplyDecoded(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                         Scratch& scratch) const;

    Team& m_team;
    const Kernels& m_kernels;
    Int8Activations m_int8;
    std::vector<Int8Row> m_int8Rows;
    std::vector<std::unique_ptr<Scratch>> m_scratch; // of each member
    std::atomic<std::uint64_t> m_next = 0;           // strip to be taken
};

} // namespace gufo::inference
