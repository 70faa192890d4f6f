#include "adapter/merge_adapters.h"

#include "adapter/tensor_change.h"
#include "analysis/compare/pair_pieces.h"
#include "base/detail.h"
#include "formats/container/container.h"
#include "formats/gguf/read/reader.h"
#include "model/file_type.h"
#include "model/set_fault.h"
#include "quantize/encode_pieces.h"
#include "quantize/write_model.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace gufo {
namespace {

// The number of weights that a worker takes at a time: a multiple of every block size, and few enough for a quick
// cancel.
constexpr std::uint64_t kPieceWeights = 1U << 16U;

constexpr std::string_view kFileType = "general.file_type";

struct Prepared {
    MergePlan plan;
    std::vector<MergedTensor*> byTensor; // of the base model; null where a tensor stays
    gguf::Writer writer;
};

Result<MergedTensor> planTensor(const Model& base, ChangedTensor change, std::optional<TensorType> type) {
    const TensorInfo& tensor = base.tensor(change.tensor);
    const Place place = Place::tensor(std::string(tensor.name));
    const bool isMatrix = tensor.shape.count() > 1;
    const std::uint32_t typeId = type && isMatrix ? static_cast<std::uint32_t>(*type) : tensor.typeId;
    GUFO_TRY(base.rowsOf(tensor));
    if (!isEncodable(typeId)) {
        return fail(ErrorCode::NotEncodable, place, {tensor.typeName()});
    }
    const auto bytes = tensorBytes(*findTensorType(typeId), tensor.shape);
    if (!bytes) {
        return fail(ErrorCode::NotSupported, place, {Detail::TensorSizeUnknown});
    }
    return MergedTensor{.change = std::move(change), .typeId = typeId, .bytes = *bytes};
}

Result<> checkComplete(const Model& base, const TensorInfo& tensor) {
    GUFO_TRY(base.bytesOf(tensor));
    return tensor.complete() ? Result<>()
                             : fail(ErrorCode::Truncated, Place::tensor(std::string(tensor.name)),
                                    {std::string(tensor.name), *tensor.bytes, tensor.bytesPresent});
}

// The type that most weights of matrices have.
std::uint32_t commonType(const Model& base, std::span<MergedTensor* const> merged) {
    std::map<std::uint32_t, std::uint64_t> weights;
    for (std::size_t i = 0; i < base.tensors.size(); ++i) {
        const TensorInfo& tensor = base.tensors[i];
        const std::uint32_t type = !merged.empty() && merged[i] != nullptr ? merged[i]->typeId : tensor.typeId;
        weights[type] += tensor.shape.count() < 2 ? 0 : tensor.weights();
    }
    const auto mostFrequent = std::ranges::max_element(weights, {}, [](const auto& row) { return row.second; });
    return mostFrequent == weights.end() ? 0 : mostFrequent->first;
}

// The value of general.file_type, if it changes.
std::optional<std::uint32_t> newFileType(const Model& base, std::span<MergedTensor* const> merged) {
    const std::uint32_t type = commonType(base, merged);
    const TensorTypeFact* info = type == commonType(base, {}) ? nullptr : findTensorType(type);
    const FileTypeFact* fact = info == nullptr ? nullptr : findFileType(info->name);
    return fact == nullptr ? std::nullopt : std::optional(fact->value);
}

Result<> addKeyValues(const Model& base, Prepared& prepared) {
    const auto fileType = newFileType(base, prepared.byTensor);
    for (const KeyValue& kv : base.metadata) {
        if (kv.key.starts_with("split.") || kv.key == gguf::kReservedKey) {
            continue;
        }
        if (auto added = prepared.writer.add(kv.key, kv.key == kFileType && fileType ? Value(*fileType) : kv.value);
            !added) {
            return added;
        }
    }
    return {};
}

Result<Prepared> prepare(const Model& base, const MergeRequest& request) {
    GUFO_TRY(requireCapability(base, Capability::Split));
    GUFO_TRY(checkSet(base));
    for (const AdapterUse& use : request.adapters) {
        GUFO_TRY(checkSet(*use.adapter.model));
    }
    Prepared prepared{.byTensor = std::vector<MergedTensor*>(base.tensors.size()),
                      .writer = gguf::Writer(base.byteOrder)};
    for (ChangedTensor& change : changedTensors(request.adapters)) {
        auto planned = GUFO_TRY(planTensor(base, std::move(change), request.type));
        prepared.plan.tensors.push_back(std::move(planned));
    }
    for (MergedTensor& merged : prepared.plan.tensors) {
        prepared.byTensor[merged.change.tensor.value] = &merged;
    }
    GUFO_TRY(addKeyValues(base, prepared));
    for (std::size_t i = 0; i < base.tensors.size(); ++i) {
        const TensorInfo& tensor = base.tensors[i];
        const MergedTensor* merged = prepared.byTensor[i];
        GUFO_TRY(checkComplete(base, tensor));
        GUFO_TRY(prepared.writer.addTensor(tensor.name, merged != nullptr ? merged->typeId : tensor.typeId,
                                           tensor.shape, merged != nullptr ? merged->bytes : *tensor.bytes));
    }
    prepared.plan.fileBytes = prepared.writer.fileBytes();
    return prepared;
}

// The contribution of a piece to the figures of its tensor.
struct PieceFigures {
    PairSums encoding;
    double energy = 0; // Σw² of the base model's finite weights
};

class TensorMerger {
public:
    TensorMerger(const Model& base, const MergeRequest& request, const JobContext& job)
        : m_base(base)
        , m_request(request)
        , m_job(job)
        , m_pieces(kPieceWeights, job) {}

    Result<> write(TensorIndex index, MergedTensor* merged, const gguf::Sink& out) {
        const TensorInfo& tensor = m_base.tensor(index);
        const Bytes bytes = *m_base.bytesOf(tensor); // checked by prepare()
        const ByteSource& pages = *m_base.sourceOf(tensor);
        pages.advise({tensor.offset, bytes.size()}, Access::Sequential);
        auto written = merged != nullptr ? merge(tensor, *merged, out) : copyPieces(bytes, out);
        pages.advise({tensor.offset, bytes.size()}, Access::Release);
        return written;
    }

private:
    struct Term {
        TensorChange change;
        double strength;
    };

    Result<std::vector<Term>> termsOf(const StoredRows& rows, const TensorInfo& tensor, ChangedTensor& changed) const {
        std::vector<Term> terms;
        for (AdapterChange& change : changed.changes) {
            const AdapterUse& use = m_request.adapters[change.adapter];
            auto loaded = GUFO_TRY(TensorChange::load(use.adapter, changed.tensor, tensor.shape));
            change.norm = GUFO_TRY(loaded.norm(rows, use.strength, m_job));
            terms.push_back({std::move(loaded), use.strength});
        }
        return terms;
    }

    Result<> merge(const TensorInfo& tensor, MergedTensor& merged, const gguf::Sink& out) {
        const auto rows = GUFO_TRY(m_base.rowsOf(tensor));
        const auto terms = GUFO_TRY(termsOf(rows, tensor, merged.change));
        TensorInfo target = tensor;
        target.typeId = merged.typeId;
        std::mutex mutex;
        std::map<std::uint64_t, PieceFigures> figures; // by the first weight, so that sums have one order
        const auto make = [&](const WeightPiece& piece, PieceBuffers& buffers) -> Result<> {
            PieceFigures pieceFigures;
            auto done = makePiece(rows, terms, target, piece, buffers, pieceFigures);
            const std::scoped_lock lock(mutex);
            figures.emplace(piece.first, pieceFigures);
            return done;
        };
        auto written = m_pieces.write(target, make, out);
        double energy = 0;
        for (const auto& [first, pieceFigures] : figures) {
            merged.encoding.merge(pieceFigures.encoding);
            energy += pieceFigures.energy;
        }
        merged.change.weightNorm = std::sqrt(energy);
        return written;
    }

    Result<> makePiece(const StoredRows& rows, std::span<const Term> terms, const TensorInfo& target,
                       const WeightPiece& piece, PieceBuffers& buffers, PieceFigures& figures) const {
        buffers.weights.resize(piece.weights);
        GUFO_TRY(decode(rows, piece.first, buffers.weights));
        for (const float weight : buffers.weights) {
            figures.energy += std::isfinite(weight) ? double{weight} * double{weight} : 0;
        }
        for (const Term& term : terms) {
            GUFO_TRY(term.change.apply(piece.first, term.strength, buffers.weights));
        }
        GUFO_TRY(encodePiece(target, piece, nullptr, buffers));
        std::vector<float> written(piece.weights);
        const auto encoded = GUFO_TRY(StoredRows::of(target.typeId, piece.columns, buffers.encoded));
        GUFO_TRY(decode(encoded, 0, written));
        figures.encoding = sumPairs(buffers.weights.data(), written.data(), written.size(), 0, nullptr);
        return changeByteOrder(target, m_base.byteOrder, buffers);
    }

    const Model& m_base;
    const MergeRequest& m_request;
    JobContext m_job;
    PieceWriter m_pieces;
};

} // namespace

Result<MergePlan> planMerge(const Model& base, const MergeRequest& request) {
    auto prepared = GUFO_TRY(prepare(base, request));
    return std::move(prepared.plan);
}

Result<MergePlan> mergeAdapters(const Model& base, const MergeRequest& request, const std::filesystem::path& out,
                                const JobContext& job) {
    auto prepared = GUFO_TRY(prepare(base, request));
    std::vector<const Model*> sources = {&base};
    for (const AdapterUse& use : request.adapters) {
        sources.push_back(use.adapter.model.get());
    }
    TensorMerger merger(base, request, job);
    GUFO_TRY(writeModel(
        sources, prepared.writer,
        [&](std::size_t i, const gguf::Sink& sink) { return merger.write(TensorIndex(i), prepared.byTensor[i], sink); },
        out, job));
    return std::move(prepared.plan);
}

} // namespace gufo
