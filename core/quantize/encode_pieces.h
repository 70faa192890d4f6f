// Encodes a tensor in pieces: a batch of them in parallel, which is then written in order. Memory is bounded by the
// pieces of a batch.
#pragma once

#include "analysis/weight_pieces.h"
#include "base/job_context.h"
#include "formats/gguf/write/writer.h"
#include "formats/imatrix/imatrix.h"

#include <functional>
#include <vector>

namespace gufo {

struct PieceBuffers {
    std::vector<float> weights;
    std::vector<std::byte> bytes;
    Result<> result;
};

// Encodes buffers.weights as the type of `target` into buffers.bytes. `target` also names the tensor, for the
// importance matrix (null: none) and for errors. Errors: those of Imatrix::importance() and encode().
[[nodiscard]] Result<> encodePiece(const TensorInfo& target, const WeightPiece& piece, const Imatrix* imatrix,
                                   PieceBuffers& buffers);

// Threads: one at a time. The buffers are kept from one tensor to the next.
class PieceWriter {
public:
    // `pieceWeights` is the largest number of weights in a piece, a multiple of every block size.
    PieceWriter(std::uint64_t pieceWeights, const JobContext& job)
        : m_pieceWeights(pieceWeights)
        , m_job(job) {}

    // Fills in the bytes of a piece. Called by several threads at once.
    using Make = std::function<Result<>(const WeightPiece& piece, PieceBuffers& buffers)>;
    // Errors: Cancelled, those of `make` and `out`.
    [[nodiscard]] Result<> write(const Shape& shape, const Make& make, const gguf::Sink& out);

private:
    std::uint64_t m_pieceWeights;
    JobContext m_job;
    std::vector<PieceBuffers> m_buffers;
};

} // namespace gufo
