// Matrix times activations, straight from the encoded weights (tensor/kernels/products.h).
#pragma once

#include "inference/engine/binding/weights.h"
#include "inference/engine/compute/chunks.h"
#include "inference/engine/compute/memory.h"
#include "inference/engine/compute/team.h"
#include "tensor/kernels/kernels.h"

#include <atomic>
#include <span>
#include <unordered_map>
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
    // For batches of up to `tokens`, and rows of up to `columns`. Whether matrices of 16-bit floats will be among those
    // multiplied.
    Multiplier(Team& team, Memory& memory, std::size_t tokens, std::size_t columns, bool halves);

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

    [[nodiscard]] ProductKernels::Dot int8Dot(const Matrix& matrix) const;
    [[nodiscard]] ProductKernels::Strip int8Strip(const Matrix& matrix) const;
    [[nodiscard]] ProductKernels::WideStrip int16Strip(const Matrix& matrix) const;
    // Of one token: each member has a share of the rows of every matrix, in stretches that are read side by side, and
    // takes a few rows of each stretch at a time; who has done his own helps the others.
    struct Share {
        std::uint64_t begin; // row
        std::uint64_t rows;
        std::uint64_t streams;  // stretches
        std::uint64_t apart;    // rows from stretch to stretch; those left over follow the last
        std::uint64_t perChunk; // rows of each stretch
        std::uint64_t chunks;
    };
    [[nodiscard]] Share shareOf(const Matrix& matrix, unsigned member) const;
    // The same for a few tokens, while a chunk is in the nearest cache.
    [[nodiscard]] bool byRows(std::span<const Product> products, std::size_t tokens) const;
    void multiplyByRows(std::span<const Product> products, Rows x, std::size_t tokens);
    struct Input { // of one token
        std::size_t token;
        float* x; // read only
        Int8Row int8;
    };
    void multiplyChunks(const Product& product, const Share& share, std::uint64_t begin, std::uint64_t end,
                        const Input& input, const Scratch& scratch) const;
    // What follows a multiplication of one token: the next, if that was so the last two times.
    struct Following {
        const std::byte* first = nullptr; // weights, which tell multiplications apart
        bool steady = false;
        std::vector<Team::Stretches> begins; // of each member, what it reads first
    };
    [[nodiscard]] const Following& follow(const Matrix& matrix);
    [[nodiscard]] bool streamed(const Matrix& matrix) const;
    // Rows `apart` from each other in kStreams stretches.
    void multiplyStreams(const Product& product, std::uint64_t begin, std::uint64_t count, std::uint64_t apart,
                         const Input& input) const;
    void multiplyRow(const Product& product, std::uint64_t begin, std::uint64_t count, const Input& input,
                     const Scratch& scratch) const;
    static void addBias(const Product& product, std::uint64_t begin, std::uint64_t count, std::size_t token);

    // Rounds x to what the products want.
    void prepareRows(std::span<const Product> products, Rows x, std::size_t tokens);
    void prepareStrips(std::span<const Product> products, Rows x, std::size_t tokens);
    // Rows [begin, begin + count) of a matrix, at most kStripRows.
    void multiplyStrip(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                       const Scratch& scratch) const;
    void multiplyDecoded(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                         const Scratch& scratch) const;

    Team& m_team;
    const Kernels& m_kernels;
    Int8Run* m_int8;                       // a batch, run by run
    Int16Run* m_int16;                     // likewise
    Int8TurnedRun* m_turned;               // a few rows, one after another
    std::vector<Scratch> m_scratch;        // of each member
    std::atomic<std::uint64_t> m_next = 0; // strip to be taken
    Chunks m_chunks;                       // of one token, of all products' shares
    std::unordered_map<const std::byte*, Following> m_following;
    const std::byte* m_last = nullptr; // weights of the last multiplication of one token
    std::size_t m_ahead;               // bytes that a member asks for while it waits
};

} // namespace gufo::inference
