// Matrix times activations, straight from the encoded weights (tensor/kernels/products.h).
#pragma once

#include "inference/memory.h"
#include "inference/team.h"
#include "inference/weights.h"
#include "tensor/kernels/kernels.h"

#include <atomic>
#include <span>
#include <vector>

namespace gufo::inference {

// Rows of floats, one for each token, `stride` apart.
struct Rows {
    float* data = nullptr;
    std::size_t stride = 0;
    [[nodiscard]] float* operator[](std::size_t token) const { return data + token * stride; }
};

// Room for a row of `columns` activations of eight bits.
[[nodiscard]] Int8Out takeInt8Row(Memory& memory, std::size_t columns);

class Multiplier {
public:
    // For batches of up to `tokens`, and rows of up to `columns`.
    Multiplier(Team& team, Memory& memory, std::size_t tokens, std::size_t columns);

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
    struct Scratch {
        std::byte* strip; // of kStripScratch
        float* rows;      // decoded
    };

    [[nodiscard]] const ProductKernels::Int8Products* int8Products(const Matrix& matrix, std::size_t tokens) const;
    void prepareInt8(std::span<const Product> products, Rows x, std::size_t tokens);
    // Rows [begin, begin + count) of a matrix.
    void multiplyRows(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                      const Scratch& scratch) const;
    void multiplyDecoded(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                         const Scratch& scratch) const;

    Team& m_team;
    const Kernels& m_kernels;
    Int8Run* m_int8;                       // a batch, run by run
    Int8TurnedRun* m_turned;               // a row
    std::vector<Scratch> m_scratch;        // of each member
    std::atomic<std::uint64_t> m_next = 0; // strip to be taken
};

} // namespace gufo::inference
