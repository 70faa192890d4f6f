// Multiplies matrices by activations, directly from the encoded weights (tensor/kernels/products.h).
#pragma once

#include "inference/engine/binding/weights.h"
#include "inference/engine/compute/chunks.h"
#include "inference/engine/compute/memory.h"
#include "inference/engine/compute/team.h"
#include "tensor/kernels/kernels.h"

#include <atomic>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace gufo::inference {

// Rows of floats, one for each token; row t begins at data + t × stride.
struct Rows {
    float* data = nullptr;
    std::size_t stride = 0;
    [[nodiscard]] float* operator[](std::size_t token) const { return data + token * stride; }
};

class Multiplier {
public:
    // For batches of up to `tokens` rows of up to `columns` elements. `hasFloat16`: whether any matrix has 16-bit
    // floats. Matrices with residuals (multiply.cpp) have up to `residualColumns` columns.
    Multiplier(Team& team, Memory& memory, std::size_t tokens, std::size_t columns, bool hasFloat16,
               std::size_t residualColumns = 0);

    // y[t] = factor M x[t] + bias for `tokens` rows. A row of x has M.columns elements and one of y M.rows; x and y do
    // not overlap.
    void multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens);
    // Multiplies several matrices by the same input in one step of the team (queries, keys and values; gate and up).
    struct Product {
        const Matrix* matrix;
        Rows y;
    };
    void multiply(std::span<const Product> products, Rows x, std::size_t tokens);

    [[nodiscard]] Team& team() { return m_team; }

    // Called with each matrix before it is used; empty: all weights may be read at any time.
    using Await = std::function<void(const Matrix& matrix)>;
    void awaitWeights(Await await) { m_await = std::move(await); }

    // `observer` is called before each step; empty: there is none.
    using Observer = std::function<void(std::span<const Product> products, Rows x, std::size_t tokens)>;
    void observe(Observer observer) { m_observer = std::move(observer); }
    // Tells the observer of a product that is made elsewhere.
    void announce(const Matrix& matrix, Rows x, std::size_t tokens) const {
        if (m_observer) {
            const Product product{&matrix, {}};
            m_observer({&product, 1}, x, tokens);
        }
    }

private:
    struct Scratch {
        std::byte* strip; // of kStripScratch bytes
        float* rows;      // decoded
        float* residual;  // products of kStripRows rows and a batch, then of its residuals
    };

    [[nodiscard]] ProductKernels::Dot int8Dot(const Matrix& matrix) const;
    [[nodiscard]] ProductKernels::Strip int8Strip(const Matrix& matrix) const;
    [[nodiscard]] ProductKernels::WideStrip int16Strip(const Matrix& matrix) const;
    // How the rows of a matrix are divided for few tokens. Each member has a share, which consists of stretches that
    // are read in parallel streams; a chunk is a few rows of each stretch. Idle members steal chunks (chunks.h).
    struct Share {
        std::uint64_t begin; // first row
        std::uint64_t rows;
        std::uint64_t streams;  // number of stretches
        std::uint64_t apart;    // rows from one stretch to the next; the remaining rows follow the last one
        std::uint64_t perChunk; // rows of each stretch in a chunk
        std::uint64_t chunks;
    };
    [[nodiscard]] Share shareOf(const Matrix& matrix, unsigned member) const;
    // Whether the tokens are few enough to be multiplied row by row.
    [[nodiscard]] bool byRows(std::span<const Product> products, std::size_t tokens) const;
    void multiplyByRows(std::span<const Product> products, Rows x, std::size_t tokens);
    struct Input {
        Rows x; // read only; prepareRows() has rounded it
        std::size_t tokens;
    };
    [[nodiscard]] Int8Rows rounded(std::size_t columns, std::size_t tokens) const;
    void multiplyChunks(const Product& product, const Share& share, std::uint64_t begin, std::uint64_t end,
                        const Input& input, const Scratch& scratch) const;
    // What follows a multiplication of few tokens. It is `steady` if the same multiplication followed the last two
    // times.
    struct NextMatrix {
        const std::byte* first = nullptr; // weights of the next matrix, which identify it
        bool confirmed = false;
        std::vector<Team::Stretches> begins; // by member: the memory that it reads first
    };
    [[nodiscard]] const NextMatrix& follow(const Matrix& matrix);
    [[nodiscard]] bool streamed(const Matrix& matrix) const;
    // Multiplies `count` rows of each of kStreams stretches; the stretches begin `apart` rows from each other.
    void multiplyStreams(const Product& product, std::uint64_t begin, std::uint64_t count, std::uint64_t apart,
                         const Input& input) const;
    void multiplyRows(const Product& product, std::uint64_t begin, std::uint64_t count, const Input& input,
                      const Scratch& scratch) const;
    // Where a matrix has finer activations, the residual of each is rounded too and follows the batch (multiply.cpp).
    [[nodiscard]] bool usesResiduals(const Matrix& matrix) const;
    // As multiplyRows(), for at most kStripRows rows and such a matrix.
    void multiplyWithResiduals(const Product& product, std::uint64_t begin, std::uint64_t count, std::size_t tokens,
                               const Scratch& scratch) const;
    static void addResiduals(const Product& product, std::uint64_t begin, std::uint64_t count, std::size_t tokens,
                             const Scratch& scratch);
    // Applies the factor and the bias of the matrix to finished products.
    static void finishRows(const Product& product, std::uint64_t begin, std::uint64_t count, std::size_t token);

    // Rounds x to the form that the kernels expect.
    void prepareRows(std::span<const Product> products, Rows x, std::size_t tokens);
    void prepareStrips(std::span<const Product> products, Rows x, std::size_t tokens);
    // Multiplies rows [begin, begin + count) of a matrix, at most kStripRows.
    void multiplyStrip(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                       const Scratch& scratch) const;
    void multiplyDecoded(const Product& product, std::uint64_t begin, std::uint64_t count, Rows x, std::size_t tokens,
                         const Scratch& scratch) const;

    Team& m_team;
    const Kernels& m_kernels;
    Int8Run* m_int8;                       // a batch: by run for strips, by token for rows
    Int16Run* m_int16;                     // a batch, by run
    Int8TransposedRun* m_transposed;       // a few rows, one after another
    std::vector<Scratch> m_scratch;        // by member
    std::atomic<std::uint64_t> m_next = 0; // next strip to take
    Chunks m_chunks;                       // chunks for few tokens, of all products
    std::unordered_map<const std::byte*, NextMatrix> m_following;
    const std::byte* m_last = nullptr; // weights of the last matrix multiplied by few tokens
    Observer m_observer;
    Await m_await;
    std::size_t m_prefetchBytes; // bytes that a waiting member prefetches
};

} // namespace gufo::inference
