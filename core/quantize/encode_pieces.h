// Encodes a tensor in pieces on several threads, and writes the pieces in their order. A piece that is finished
// before its predecessors waits in its buffers. There are a few buffers per thread, so that memory is bounded.
#pragma once

#include "base/job_context.h"
#include "formats/gguf/write/writer.h"
#include "formats/imatrix/imatrix.h"
#include "model/tensor_info.h"

#include <functional>
#include <vector>

namespace gufo {

// The value of general.quantization_version: the version of the layouts of blocks in which ggml and encode() write.
inline constexpr std::uint32_t kQuantizationVersion = 2;

struct WeightPiece {
    std::uint64_t first = 0; // index of its first weight in the tensor
    std::uint64_t weights = 0;
    std::uint64_t columns = 0; // columns per row, or the length of the part of a row
    std::uint64_t column = 0;  // column of its first weight
    std::uint64_t matrix = 0;  // number of the matrix, counted over all dimensions above the second
};

// What becomes of rows that are longer than a piece.
enum class LongRows : std::uint8_t {
    Divided,
    Whole, // a piece is a row, as for types whose header of each row depends on all of its weights
};
[[nodiscard]] constexpr LongRows longRowsOf(const TensorTypeFact& type) {
    return type.rowHeaderBytes == 0 ? LongRows::Divided : LongRows::Whole;
}

// Divides a tensor into pieces: whole rows or, if a row is longer than a piece, parts of a row. A piece never spans two
// matrices, because each matrix has its own importance.
class WeightPieces {
public:
    // `maxWeights` is the maximum number of weights in a piece, a multiple of every block size, unless a whole row is
    // longer. Parts of a row consist of whole blocks.
    WeightPieces(const Shape& shape, std::uint64_t maxWeights, LongRows longRows = LongRows::Divided);

    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] WeightPiece at(std::uint64_t index) const;

private:
    std::uint64_t m_columns;
    std::uint64_t m_matrixWeights;
    std::uint64_t m_pieceWeights = 0;
    std::uint64_t m_unit = 0; // number of weights after which a piece always ends: a matrix or a long row
    std::uint64_t m_perUnit = 0;
    std::uint64_t m_count = 0;
};

// A piece while it is encoded.
struct PieceBuffers {
    std::vector<float> weights;
    std::vector<std::byte> bytes;
    Bytes encoded; // the bytes to write: usually `bytes`, but `weights` if they are stored as they are
};

// Encodes buffers.weights as the type of `target` in little-endian byte order, and sets buffers.encoded. `target` also
// names the tensor, for the importance matrix (null: none) and for errors. Errors: the errors of Imatrix::importance()
// and encode().
[[nodiscard]] Result<> encodePiece(const TensorInfo& target, const WeightPiece& piece, const Imatrix* imatrix,
                                   PieceBuffers& buffers);
// Swaps the little-endian bytes that encodePiece() has made for the same target if `order` is big-endian. Errors: the
// errors of swapByteOrder().
[[nodiscard]] Result<> changeByteOrder(const TensorInfo& target, ByteOrder order, PieceBuffers& buffers);

// Writes tensors, one after the other. The buffers are kept from one tensor to the next.
//
// Threads: one at a time.
class PieceWriter {
public:
    // `pieceWeights` is the largest number of weights in a piece, a multiple of every block size. Only a row that
    // cannot be divided is longer.
    PieceWriter(std::uint64_t pieceWeights, const JobContext& job)
        : m_pieceWeights(pieceWeights)
        , m_job(job) {}

    // Sets buffers.encoded for a piece. It is called by several threads at once.
    using Make = std::function<Result<>(const WeightPiece& piece, PieceBuffers& buffers)>;
    // The shape and the type of `target` determine the pieces. `out` is called by one thread at a time, but not always
    // by the same. Errors: Cancelled, the first one of `make` and `out`.
    [[nodiscard]] Result<> write(const TensorInfo& target, const Make& make, const gguf::Sink& out);

private:
    class OrderedOutput;

    std::uint64_t m_pieceWeights;
    JobContext m_job;
    std::vector<PieceBuffers> m_buffers;
};

} // namespace gufo
