#include "convert/convert_folder.h"

#include "convert/read_ahead.h"
#include "model/set_fault.h"
#include "quantize/encode_pieces.h"
#include "quantize/write_model.h"
#include "tensor/encode.h"

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
    const auto complete = plan.rows.empty() ? Result<>() : checkSet(model); // a vocabulary needs no tensors
    const auto writer = GUFO_TRY(complete ? writerOf(plan) : std::unexpected(complete.error()));
    RowWriter rows(model, plan, request, job);
    const Model* const read = &model;
    return writeModel(
        std::span(&read, 1), writer, [&](std::size_t i, const gguf::Sink& sink) { return rows.write(i, sink); }, out,
        job);
}

} // namespace gufo::convert
