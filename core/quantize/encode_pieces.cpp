#include "quantize/encode_pieces.h"

#include "base/parallel.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <algorithm>

namespace gufo {

Result<> encodePiece(const TensorInfo& target, const WeightPiece& piece, const Imatrix* imatrix,
                     PieceBuffers& buffers) {
    const TensorTypeInfo& type = *findTensorType(target.typeId);
    buffers.bytes.resize(blocksBytes(type, piece.weights));
    std::vector<float> importance;
    if (imatrix != nullptr && type.kind == TensorTypeKind::Quantised) {
        auto values = imatrix->importance(target, piece.matrix);
        if (!values) {
            return std::unexpected(std::move(values).error());
        }
        importance = *std::move(values);
    }
    std::span<const float> counts = importance;
    counts = counts.empty() ? counts : counts.subspan(piece.column, piece.columns);
    auto encoded = encode({.typeId = target.typeId, .columns = piece.columns, .importance = counts}, buffers.weights,
                          buffers.bytes);
    if (!encoded) {
        Error error = std::move(encoded).error();
        error.place = Place::tensor(std::string(target.name),
                                    error.place.index ? std::optional(piece.first + *error.place.index) : std::nullopt);
        return std::unexpected(std::move(error));
    }
    return {};
}

Result<> changeByteOrder(std::uint32_t typeId, ByteOrder order, PieceBuffers& buffers) {
    if (order == ByteOrder::Little) {
        return {};
    }
    const std::vector<std::byte> little = buffers.bytes;
    return swapByteOrder(typeId, little, buffers.bytes);
}

Result<> PieceWriter::write(const Shape& shape, const Make& make, const gguf::Sink& out) {
    const WeightPieces pieces(shape, m_pieceWeights);
    const std::uint64_t batch = 4ULL * workerCount(pieces.count(), 1, m_job);
    m_buffers.resize(std::max<std::size_t>(m_buffers.size(), std::min(batch, pieces.count())));
    for (std::uint64_t first = 0; first < pieces.count(); first += batch) {
        const std::uint64_t count = std::min(batch, pieces.count() - first);
        const bool done = parallelFor(count, 1, m_job, [&](std::uint64_t i, std::uint64_t, unsigned) {
            m_buffers[i].result = make(pieces.at(first + i), m_buffers[i]);
        });
        if (!done || m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            auto written = m_buffers[i].result ? out(m_buffers[i].bytes) : m_buffers[i].result;
            if (!written) {
                return written;
            }
        }
    }
    return {};
}

} // namespace gufo
