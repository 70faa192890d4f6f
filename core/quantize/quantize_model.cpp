#include "quantize/quantize_model.h"

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
#include <map>

namespace gufo {
namespace {

// The number of weights that a worker takes at a time: a multiple of every block size, and few enough for a quick
// cancel.
constexpr std::uint64_t kPieceWeights = 1U << 16U;

constexpr std::string_view kRecipeKey = "quantize.recipe";
constexpr std::string_view kFileType = "general.file_type";
constexpr std::string_view kVersion = "general.quantization_version";

bool isQuantised(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    return type != nullptr && type->kind == TensorTypeKind::Quantised;
}

bool isDropped(std::string_view key) {
    return key == kVersion || key == gguf::kReservedKey || key.starts_with("split.") ||
           key.starts_with("quantize.imatrix.") || key == kRecipeKey;
}

Result<> addKeyValues(gguf::Writer& writer, const Model& model, const QuantizeRequest& request, bool usesImatrix,
                      const std::vector<PlannedTensor>& tensors) {
    const Recipe* const recipe = request.recipe.recipe;
    const FileTypeFact* fileType = recipe != nullptr ? findFileType(recipe->name) : mostFrequentType(tensors);
    bool typed = false;
    for (const KeyValue& kv : model.metadata) {
        if (isDropped(kv.key)) {
            continue;
        }
        const bool type = kv.key == kFileType && fileType != nullptr;
        typed = typed || type;
        GUFO_TRY(writer.add(kv.key, type ? Value(fileType->value) : kv.value));
    }
    Result<> done;
    const auto add = [&](std::string_view key, const Value& value) {
        if (done) {
            done = writer.add(key, value);
        }
    };
    if (!typed && fileType != nullptr) {
        add(kFileType, fileType->value);
    }
    add(kVersion, kQuantizationVersion);
    if (!request.recipeText.empty()) {
        add(kRecipeKey, std::string_view(request.recipeText));
    }
    if (usesImatrix) {
        const std::string name = request.imatrix->path().filename().native();
        add("quantize.imatrix.file", std::string_view(name));
        if (!request.imatrix->datasets().empty()) {
            add("quantize.imatrix.dataset", std::string_view(request.imatrix->datasets().front()));
        }
        add("quantize.imatrix.entries_count", static_cast<std::uint32_t>(request.imatrix->entries()));
        if (const auto chunks = request.imatrix->chunks()) {
            add("quantize.imatrix.chunks_count", static_cast<std::uint32_t>(*chunks));
        }
    }
    return done;
}

Result<> checkTensor(const Model& model, const QuantizeRequest& request, const PlannedTensor& planned) {
    const TensorInfo& tensor = model.tensor(planned.tensor);
    const Place place = Place::tensor(std::string(tensor.name));
    GUFO_TRY(model.bytesOf(tensor));
    if (!tensor.complete()) {
        return fail(ErrorCode::Truncated, place, {std::string(tensor.name), *tensor.bytes, tensor.bytesPresent});
    }
    if (planned.typeId == tensor.typeId || !isQuantised(planned.typeId)) {
        return {};
    }
    if (isQuantised(tensor.typeId) && !request.allowRequantize) {
        return fail(ErrorCode::LossySource, place, {tensor.typeName()});
    }
    return {};
}

struct Prepared {
    QuantizePlan plan;
    gguf::Writer writer;
};

// Tensors without values in the importance matrix need importance as if there were no matrix.
void addUnmeasured(const Model& model, const std::vector<TensorIndex>& encoded, const ImportanceUse& use,
                   RecipePlan& plan) {
    for (const TensorIndex tensor : encoded) {
        if (needsImportance(plan.tensors[tensor.value].typeId) &&
            std::ranges::find(use.without, model.tensor(tensor).name) != use.without.end()) {
            plan.needImportance.push_back(tensor);
        }
    }
}

Result<Prepared> prepare(const Model& model, const QuantizeRequest& request, const JobContext& job) {
    GUFO_TRY(requireCapability(model, Capability::Split));
    GUFO_TRY(checkSet(model));
    RecipeRequest recipe = request.recipe;
    recipe.hasImatrix = request.imatrix != nullptr;
    auto types = GUFO_TRY(planRecipe(model, recipe));
    Prepared prepared{.plan = {.types = std::move(types)}, .writer = gguf::Writer(model.byteOrder)};
    QuantizePlan& plan = prepared.plan;
    std::vector<TensorIndex> encoded;
    for (const PlannedTensor& planned : plan.tensors()) {
        GUFO_TRY(checkTensor(model, request, planned));
        const TensorInfo& tensor = model.tensor(planned.tensor);
        plan.weights += tensor.weights();
        plan.tensorBytes += planned.bytes;
        if (planned.typeId != tensor.typeId && isQuantised(planned.typeId)) {
            encoded.push_back(planned.tensor);
        }
    }
    if (request.imatrix != nullptr) {
        plan.importance = GUFO_TRY(importanceUse(*request.imatrix, model, encoded, job));
        addUnmeasured(model, encoded, *plan.importance, plan.types);
    }
    const bool usesImatrix = plan.importance && plan.importance->used > 0;
    GUFO_TRY(addKeyValues(prepared.writer, model, request, usesImatrix, plan.tensors()));
    for (const PlannedTensor& planned : plan.tensors()) {
        const TensorInfo& tensor = model.tensor(planned.tensor);
        GUFO_TRY(prepared.writer.addTensor(tensor.name, planned.typeId, tensor.shape, planned.bytes));
    }
    plan.fileBytes = prepared.writer.fileBytes();
    return prepared;
}

class TensorWriter {
public:
    TensorWriter(const Model& model, const QuantizeRequest& request, const JobContext& job)
        : m_model(model)
        , m_imatrix(request.imatrix.get())
        , m_pieces(kPieceWeights, job) {}

    Result<> write(const PlannedTensor& planned, const gguf::Sink& out) {
        const TensorInfo& tensor = m_model.tensor(planned.tensor);
        const Bytes bytes = *m_model.bytesOf(tensor); // checked by prepare()
        const ByteSource& pages = *m_model.sourceOf(tensor);
        pages.advise({tensor.offset, bytes.size()}, Access::Sequential);
        const auto written =
            planned.typeId == tensor.typeId ? copyPieces(bytes, out) : convert(tensor, planned.typeId, out);
        pages.advise({tensor.offset, bytes.size()}, Access::Release);
        return written;
    }

private:
    Result<> convert(const TensorInfo& tensor, std::uint32_t typeId, const gguf::Sink& out) {
        const auto rows = GUFO_TRY(m_model.rowsOf(tensor));
        TensorInfo target = tensor;
        target.typeId = typeId;
        const auto make = [&](const WeightPiece& piece, PieceBuffers& buffers) -> Result<> {
            buffers.weights.resize(piece.weights);
            GUFO_TRY(decode(rows, piece.first, buffers.weights));
            GUFO_TRY(encodePiece(target, piece, m_imatrix, buffers));
            return changeByteOrder(target, m_model.byteOrder, buffers);
        };
        return m_pieces.write(target, make, out);
    }

    const Model& m_model;
    const Imatrix* m_imatrix;
    PieceWriter m_pieces;
};

} // namespace

const FileTypeFact* mostFrequentType(const std::vector<PlannedTensor>& tensors) {
    std::map<std::uint32_t, std::uint64_t> bytes;
    for (const PlannedTensor& planned : tensors) {
        bytes[planned.typeId] += planned.bytes;
    }
    const auto most = std::ranges::max_element(bytes, {}, [](const auto& entry) { return entry.second; });
    const auto found = std::ranges::find_if(fileTypes(), [&](const FileTypeFact& fact) {
        return most != bytes.end() && !fact.removed && fact.tensorType == most->first;
    });
    return found != fileTypes().end() ? &*found : nullptr;
}

Result<QuantizePlan> planQuantization(const Model& model, const QuantizeRequest& request, const JobContext& job) {
    auto prepared = GUFO_TRY(prepare(model, request, job));
    return std::move(prepared.plan);
}

Result<QuantizePlan> quantizeModel(const Model& model, const QuantizeRequest& request, const std::filesystem::path& out,
                                   const JobContext& job) {
    auto prepared = GUFO_TRY(prepare(model, request, job));
    TensorWriter tensors(model, request, job);
    const Model* const source = &model;
    auto written = writeModel(
        std::span(&source, 1), prepared.writer,
        [&](std::size_t i, const gguf::Sink& sink) { return tensors.write(prepared.plan.tensors()[i], sink); }, out,
        job);
    GUFO_TRY(written);
    return std::move(prepared.plan);
}

} // namespace gufo
