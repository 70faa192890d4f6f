#include "quantize/encode_pieces.h"

#include "base/byte_order.h"
#include "base/parallel.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

namespace gufo {

WeightPieces::WeightPieces(const Shape& shape, std::uint64_t maxWeights, LongRows longRows)
    : m_columns(shape[0])
    , m_matrixWeights(shape[0] * shape[1]) {
    const std::uint64_t weights = shape.weights().value_or(0);
    if (weights == 0) {
        return;
    }
    const bool divided = m_columns > maxWeights && longRows == LongRows::Divided;
    m_pieceWeights = divided ? maxWeights : std::max<std::uint64_t>(1, maxWeights / m_columns) * m_columns;
    m_unit = divided ? m_columns : m_matrixWeights;
    m_perUnit = (m_unit - 1) / m_pieceWeights + 1;
    m_count = weights / m_unit * m_perUnit;
}

WeightPiece WeightPieces::at(std::uint64_t index) const {
    const std::uint64_t within = index % m_perUnit * m_pieceWeights;
    WeightPiece piece;
    piece.first = index / m_perUnit * m_unit + within;
    piece.weights = std::min(m_pieceWeights, m_unit - within);
    piece.columns = std::min(m_columns, piece.weights);
    piece.column = piece.first % m_columns;
    piece.matrix = piece.first / m_matrixWeights;
    return piece;
}

Result<> encodePiece(const TensorInfo& target, const WeightPiece& piece, const Imatrix* imatrix,
                     PieceBuffers& buffers) {
    const TensorTypeFact& type = *findTensorType(target.typeId);
    if (type.id == static_cast<std::uint32_t>(TensorType::F32) && kNativeOrder == ByteOrder::Little) {
        buffers.encoded = std::as_bytes(std::span(buffers.weights)); // every float is one of F32
        return {};
    }
    buffers.bytes.resize(encodedBytes(type.id, piece.columns, piece.weights));
    buffers.encoded = buffers.bytes;
    std::vector<float> importance;
    if (imatrix != nullptr && type.kind == TensorTypeKind::Quantised) {
        importance = GUFO_TRY(imatrix->importance(target, piece.matrix));
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

Result<> changeByteOrder(const TensorInfo& target, ByteOrder order, PieceBuffers& buffers) {
    const auto layout = RowLayout::of(*findTensorType(target.typeId), target.shape[0]);
    if (order == ByteOrder::Little || !layout) { // encodePiece() has refused rows without a layout
        return {};
    }
    const std::vector<std::byte> little(buffers.encoded.begin(), buffers.encoded.end());
    buffers.bytes.resize(little.size());
    buffers.encoded = buffers.bytes;
    return swapByteOrder(*layout, 0, little, buffers.bytes);
}

// Writes the pieces in their order, whichever threads make them.
class PieceWriter::OrderedOutput {
public:
    OrderedOutput(std::vector<PieceBuffers>& buffers, const gguf::Sink& out)
        : m_buffers(buffers)
        , m_finished(buffers.size())
        , m_out(out) {}

    // Waits until the buffers of a piece are free. Returns null after an error. Pieces are requested in their order, so
    // that the piece to be written next always has its buffers, and the wait ends.
    PieceBuffers* buffersFor(std::uint64_t piece) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return !m_result || piece < m_written + m_buffers.size(); });
        return m_result ? &m_buffers[piece % m_buffers.size()] : nullptr;
    }

    // Writes the piece and the finished ones that follow it, unless an earlier piece is missing or another thread is
    // writing.
    void finished(std::uint64_t piece, Result<> result) {
        std::unique_lock lock(m_mutex);
        m_finished[piece % m_finished.size()] = std::move(result);
        while (!m_writing && m_result && m_finished[m_written % m_finished.size()]) {
            const std::size_t at = m_written % m_finished.size();
            auto written = *std::exchange(m_finished[at], std::nullopt);
            if (written) {
                m_writing = true;
                lock.unlock();
                written = m_out(m_buffers[at].encoded);
                lock.lock();
                m_writing = false;
            }
            m_result = std::move(written);
            ++m_written;
            m_changed.notify_all();
        }
    }

    Result<> result() && { return std::move(m_result); }

private:
    std::vector<PieceBuffers>& m_buffers;
    std::vector<std::optional<Result<>>> m_finished; // of the pieces that are not written yet, by their buffers
    const gguf::Sink& m_out;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_written = 0;
    bool m_writing = false;
    Result<> m_result; // the first error
};

Result<> PieceWriter::write(const TensorInfo& target, const Make& make, const gguf::Sink& out) {
    constexpr std::size_t kBuffersPerThread = 4; // so that no thread waits for one that is interrupted
    const WeightPieces pieces(target.shape, m_pieceWeights, longRowsOf(*findTensorType(target.typeId)));
    m_buffers.resize(std::max<std::size_t>(m_buffers.size(),
                                           std::size_t{kBuffersPerThread} * workerCount(pieces.count(), 1, m_job)));
    OrderedOutput output(m_buffers, out);
    const bool done = parallelFor(pieces.count(), 1, m_job, [&](std::uint64_t i, std::uint64_t, unsigned) {
        if (PieceBuffers* buffers = output.buffersFor(i)) {
            output.finished(i, make(pieces.at(i), *buffers));
        }
    });
    auto written = std::move(output).result();
    return written && (!done || m_job.stopRequested()) ? fail(ErrorCode::Cancelled) : written;
}

} // namespace gufo
