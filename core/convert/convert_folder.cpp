#include "convert/convert_folder.h"

#include "analysis/weight_pieces.h"
#include "base/detail.h"
#include "base/file_operations.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "formats/gguf/write/writer.h"
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
        if (auto added = writer.add(key.key, key.value.value()); !added) {
            return std::unexpected(std::move(added).error());
        }
    }
    for (const PlannedRow& row : plan.rows) {
        if (auto added = writer.addTensor(row.target, row.typeId, row.shape, row.bytes); !added) {
            return std::unexpected(std::move(added).error());
        }
    }
    return writer;
}

class RowWriter {
public:
    RowWriter(const Model& model, const ConvertRequest& request, const JobContext& job)
        : m_model(model)
        , m_imatrix(request.imatrix.get())
        , m_job(job) {}

    Result<> write(const PlannedRow& row, const gguf::Sink& out) {
        const auto values = applied(m_model, row.parts, row.operations, row.computed);
        auto written = values ? writePieces(row, **values, out) : std::unexpected(values.error());
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
    struct Slot {
        std::vector<float> weights;
        std::vector<std::byte> bytes;
        Result<> result;
    };

    // Computes a batch of pieces in parallel, then writes them in order.
    Result<> writePieces(const PlannedRow& row, const TensorValues& values, const gguf::Sink& out) {
        const WeightPieces pieces(row.shape, kPieceWeights);
        const std::uint64_t batch = 4ULL * workerCount(pieces.count(), 1, m_job);
        m_slots.resize(std::max<std::size_t>(m_slots.size(), std::min(batch, pieces.count())));
        for (std::uint64_t first = 0; first < pieces.count(); first += batch) {
            const std::uint64_t batchPieces = std::min(batch, pieces.count() - first);
            const bool done = parallelFor(batchPieces, 1, m_job, [&](std::uint64_t i, std::uint64_t, unsigned) {
                m_slots[i].result = makePiece(row, values, pieces.at(first + i), m_slots[i]);
            });
            if (!done || m_job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            for (std::uint64_t i = 0; i < batchPieces; ++i) {
                auto written = m_slots[i].result ? out(m_slots[i].bytes) : m_slots[i].result;
                if (!written) {
                    return written;
                }
            }
        }
        return {};
    }

    Result<> makePiece(const PlannedRow& row, const TensorValues& values, const WeightPiece& piece, Slot& slot) const {
        const TensorTypeInfo& type = *findTensorType(row.typeId);
        slot.bytes.resize(blocksBytes(type, piece.weights));
        if (values.encodedType() == row.typeId) { // it is stored in the type that is wanted
            return values.encoded(piece.first, piece.weights, slot.bytes);
        }
        slot.weights.resize(piece.weights);
        if (auto computed = values.values(piece.first, slot.weights); !computed) {
            return computed;
        }
        std::vector<float> importance;
        if (m_imatrix != nullptr && type.kind == TensorTypeKind::Quantised) {
            TensorInfo tensor; // as the importance matrix knows it
            tensor.name = row.target;
            tensor.shape = row.shape;
            auto counts = m_imatrix->importance(tensor, piece.matrix);
            if (!counts) {
                return std::unexpected(std::move(counts).error());
            }
            importance = *std::move(counts);
        }
        std::span<const float> counts = importance;
        counts = counts.empty() ? counts : counts.subspan(piece.column, piece.columns);
        auto encoded =
            encode({.typeId = row.typeId, .columns = piece.columns, .importance = counts}, slot.weights, slot.bytes);
        if (!encoded) {
            Error error = std::move(encoded).error();
            error.place = Place::tensor(row.target, error.place.index ? std::optional(piece.first + *error.place.index)
                                                                      : std::nullopt);
            return std::unexpected(std::move(error));
        }
        return {};
    }

    const Model& m_model;
    const Imatrix* m_imatrix;
    JobContext m_job;
    std::vector<Slot> m_slots;
};

// Fails if a file of the source has changed since it was opened.
Result<> checkSources(const Model& model) {
    for (const ModelFile& file : model.files) {
        if (file.source == nullptr) {
            continue;
        }
        if (auto same = checkSource(realFileOperations(), *file.source, SourceUse::Own); !same) {
            return same;
        }
    }
    return {};
}

// Fails if the result would replace what it is made of, or does not fit on the disk.
Result<> checkTarget(const Model& model, const std::filesystem::path& out, std::uint64_t bytes) {
    std::error_code error;
    for (const ModelFile& file : model.files) {
        if (std::filesystem::equivalent(out, file.path, error)) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::OwnFile}, 0});
        }
    }
    const auto folder = out.parent_path().empty() ? std::filesystem::path(".") : out.parent_path();
    const auto space = std::filesystem::space(folder, error);
    if (!error && space.available < bytes) {
        return std::unexpected(Error{ErrorCode::NoSpace, out, {}, {bytes, std::uint64_t{space.available}}, 0});
    }
    return {};
}

} // namespace

Result<std::uint64_t> convertedBytes(const ConversionPlan& plan) {
    const auto writer = writerOf(plan);
    return writer ? Result<std::uint64_t>(writer->fileBytes()) : std::unexpected(writer.error());
}

Result<> writeConverted(const SourceFolder& source, const ConversionPlan& plan, const ConvertRequest& request,
                        const std::filesystem::path& out, const JobContext& job) {
    const Model& model = *source.model();
    const auto writer = writerOf(plan);
    auto ready = writer ? checkTarget(model, out, writer->fileBytes()) : std::unexpected(writer.error());
    ready = ready ? checkSources(model) : ready;
    if (!ready) {
        return ready;
    }
    auto file = OutputFile::create(out);
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    RowWriter rows(model, request, job);
    auto written =
        writer->write([&](Bytes bytes) { return file->write(bytes); },
                      [&](std::size_t i, const gguf::Sink& sink) { return rows.write(plan.rows[i], sink); }, job);
    written = written ? checkSources(model) : written;
    return written ? file->commit() : written;
}

} // namespace gufo::convert
