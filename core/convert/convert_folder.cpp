#include "convert/convert_folder.h"

#include "model/set_fault.h"
#include "quantize/encode_pieces.h"
#include "quantize/write_model.h"
#include "tensor/encode.h"

#include <algorithm>

namespace gufo::convert {
namespace {

// The number of weights that a worker takes at a time: a multiple of every block size, and few enough for a quick
// cancel.
constexpr std::uint64_t kPieceWeights = 1U << 17U;

Result<gguf::Writer> writerOf(const ConversionPlan& plan) {
    gguf::Writer writer;
    for (const PlannedKey& key : plan.keys) {
        GUFO_TRY(writer.add(key.key, key.value.value()));
    }
    for (const PlannedRow& row : plan.rows) {
        GUFO_TRY(writer.addTensor(row.target, row.typeId, row.shape, row.bytes));
    }
    return writer;
}

// Prefetches the tensors of a source in the order of the plan, so that the kernel reads them while other tensors are
// computed. At most kWindow bytes are prefetched at a time. For one thread.
class ReadAhead {
public:
    // The number of bytes that are prefetched. The page cache holds them until they are read, and may drop them sooner.
    static constexpr std::uint64_t kWindow = 64U << 20U;

    // The model must outlive it.
    ReadAhead(const Model& model, std::span<const PlannedRow> rows);

    // Reports that `done` of the `total` pieces of a row have been computed; the rows follow each other in the plan's
    // order.
    void reached(std::size_t row, std::uint64_t done, std::uint64_t total);

private:
    struct Range {
        const ByteSource* source;
        ByteRange bytes;
    };
    const Model& m_model;
    std::vector<Range> m_ranges;        // of all rows, one after the other
    std::vector<std::uint64_t> m_begin; // where each row begins, in bytes of all ranges; and the end
    std::size_t m_next = 0;             // the first range that is not prefetched completely
    std::uint64_t m_asked = 0;          // bytes of it that are prefetched
    std::uint64_t m_position = 0;       // bytes of all ranges that are prefetched
};

ReadAhead::ReadAhead(const Model& model, std::span<const PlannedRow> rows)
    : m_model(model) {
    std::uint64_t bytes = 0;
    const auto add = [&](TensorIndex index) {
        const TensorInfo& tensor = m_model.tensor(index);
        m_ranges.push_back({m_model.sourceOf(tensor), {tensor.offset, tensor.bytesPresent}});
        bytes += tensor.bytesPresent;
    };
    for (const PlannedRow& row : rows) {
        m_begin.push_back(bytes);
        for (const SourcePart& part : row.parts) {
            add(part.weight);
            for (const std::optional<TensorIndex>& companion : part.companions) {
                if (companion) {
                    add(*companion);
                }
            }
        }
    }
    m_begin.push_back(bytes);
}

void ReadAhead::reached(std::size_t row, std::uint64_t done, std::uint64_t total) {
    const double share = static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1));
    const std::uint64_t size = m_begin[row + 1] - m_begin[row];
    const std::uint64_t to = m_begin[row] + static_cast<std::uint64_t>(share * static_cast<double>(size)) + kWindow;
    if (to < m_position + kWindow / 4 && to < m_begin.back()) {
        return; // too little for a call
    }
    while (m_position < to && m_next < m_ranges.size()) {
        const auto& [source, bytes] = m_ranges[m_next];
        const std::uint64_t count = std::min(bytes.length - m_asked, to - m_position);
        if (source != nullptr) {
            source->advise({bytes.offset + m_asked, count}, Access::WillNeed);
        }
        m_asked += count;
        m_position += count;
        if (m_asked == bytes.length) {
            ++m_next;
            m_asked = 0;
        }
    }
}

class RowWriter {
public:
    RowWriter(const Model& model, const ConversionPlan& plan, const ConvertRequest& request, const JobContext& job)
        : m_model(model)
        , m_rows(plan.rows)
        , m_imatrix(request.imatrix.get())
        , m_ahead(model, plan.rows)
        , m_pieces(kPieceWeights, job) {}

    Result<> write(std::size_t number, const gguf::Sink& out) {
        const PlannedRow& row = m_rows[number];
        m_ahead.reached(number, 0, 1);
        const auto values = applied(m_model, row.parts, row.operations, row.computed);
        auto written = values ? writePieces(number, **values, out) : std::unexpected(values.error());
        if (values) {
            (*values)->release();
        }
        if (!written && written.error().place.name.empty()) {
            Error error = std::move(written).error();
            error.place = Place::tensor(row.sources.empty() ? row.target : row.sources.front(), error.place.index);
            return std::unexpected(std::move(error));
        }
        return written;
    }

private:
    Result<> writePieces(std::size_t number, const TensorValues& values, const gguf::Sink& out) {
        const PlannedRow& row = m_rows[number];
        if (const auto stored = values.encodedType() == row.typeId ? values.stored() : std::nullopt) {
            return copyPieces(*stored, [&, done = std::uint64_t{0}](Bytes bytes) mutable {
                m_ahead.reached(number, done += bytes.size(), stored->size());
                return out(bytes);
            });
        }
        TensorInfo target;
        target.name = row.target;
        target.shape = row.shape;
        target.typeId = row.typeId;
        const auto make = [&](const WeightPiece& piece, PieceBuffers& buffers) -> Result<> {
            if (values.encodedType() == row.typeId) { // the source already stores this type
                buffers.bytes.resize(encodedBytes(row.typeId, piece.columns, piece.weights));
                buffers.encoded = buffers.bytes;
                return values.encoded(piece.first, piece.weights, buffers.bytes);
            }
            buffers.weights.resize(piece.weights);
            auto computed = values.values(piece.first, buffers.weights);
            return computed ? encodePiece(target, piece, m_imatrix, buffers) : computed;
        };
        return m_pieces.write(target, make, [&, done = std::uint64_t{0}](Bytes bytes) mutable {
            m_ahead.reached(number, done += bytes.size(), row.bytes);
            return out(bytes);
        });
    }

    const Model& m_model;
    std::span<const PlannedRow> m_rows;
    const Imatrix* m_imatrix;
    ReadAhead m_ahead;
    PieceWriter m_pieces;
};

} // namespace

Result<std::uint64_t> convertedBytes(const ConversionPlan& plan) {
    const auto writer = GUFO_TRY(writerOf(plan));
    return writer.fileBytes();
}

Result<> writeConverted(const SourceFolder& source, const ConversionPlan& plan, const ConvertRequest& request,
                        const std::filesystem::path& out, const JobContext& job) {
    const Model& model = *source.model();
    if (!plan.rows.empty()) { // a vocabulary needs no tensors
        GUFO_TRY(checkSet(model));
    }
    const auto writer = GUFO_TRY(writerOf(plan));
    RowWriter rows(model, plan, request, job);
    const Model* const read = &model;
    return writeModel(
        std::span(&read, 1), writer, [&](std::size_t i, const gguf::Sink& sink) { return rows.write(i, sink); }, out,
        job);
}

} // namespace gufo::convert
