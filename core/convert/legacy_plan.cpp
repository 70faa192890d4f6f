#include "convert/legacy_plan.h"

#include "base/detail.h"
#include "base/name_list.h"
#include "base/parallel.h"
#include "convert/legacy_blocks.h"
#include "convert/plan.h"
#include "convert/vocabulary/key_list.h"
#include "formats/ggml/reader.h"
#include "model/encode_value.h"
#include "model/file_type.h"
#include "quantize/encode_pieces.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

constexpr std::string_view kFamily = "llama";
constexpr std::string_view kAssumed = "assumed";
constexpr std::string_view kTokenizer = "tokenizer.ggml.";

// Values that the files do not state and the runtimes of their time assumed.
constexpr std::uint32_t kContext = 2'048;
constexpr float kEpsilon = 5e-6F; // between the first LLaMA's and the second's

// LLaMA's vocabulary begins with three control tokens and 256 bytes, whose scores are 0; the others follow in the
// order of their scores, which are −1, −2, …
constexpr std::uint64_t kFirstScored = 259;

// ---- slices ---------------------------------------------------------------------------------------------------------

// The original weights were divided for several GPUs (".1", ".2" …): a matrix whose input is divided is cut by columns,
// all others by rows, and each file has a copy of every vector.
struct LegacyTensor {
    std::string_view name;
    std::vector<TensorIndex> slices; // in the order of the files; one if the tensor is not cut
    Shape shape;                     // of the whole
    std::vector<Operation> joining;  // join the decoded slices; empty if the tensor is not cut
};

// The ends of the names of matrices that are cut by columns (llama/model.py: ParallelEmbedding and RowParallelLinear).
constexpr auto kCutByColumns =
    std::to_array<std::string_view>({"tok_embeddings.weight", ".attention.wo.weight", ".feed_forward.w2.weight"});

bool isCutByColumns(std::string_view name) {
    return std::ranges::any_of(kCutByColumns, [&](std::string_view end) { return name.ends_with(end); });
}

// Whether the slices are the same bytes.
Result<bool> areCopies(const Model& model, const std::vector<TensorIndex>& slices) {
    const auto first = GUFO_TRY(model.bytesOf(model.tensor(slices.front())));
    for (const TensorIndex slice : slices) {
        const auto other = GUFO_TRY(model.bytesOf(model.tensor(slice)));
        if (!std::ranges::equal(first, other)) {
            return false;
        }
    }
    return true;
}

// Puts slices of one shape side by side: {columns, rows} each.
void join(LegacyTensor& tensor) {
    const auto slices = static_cast<std::int64_t>(tensor.slices.size());
    const auto columns = static_cast<std::int64_t>(tensor.shape[0]);
    const auto rows = static_cast<std::int64_t>(tensor.shape[1]);
    tensor.joining = {{Kind::Stack, {slices}}, {Kind::Reshape, {columns, rows * slices}}};
    if (!isCutByColumns(tensor.name)) {
        tensor.shape = Shape(std::array{tensor.shape[0], tensor.shape[1] * tensor.slices.size()});
        return;
    }
    // Interleaves the rows of the slices, which are stored one slice after another, and then joins the rows of all
    // slices into longer rows.
    Operation ungroup{Kind::UngroupRows, {1, 0, rows, slices}};
    for (std::int64_t slice = 0; slice < slices; ++slice) {
        ungroup.parameters.insert(ungroup.parameters.end(), {slice, 1});
    }
    tensor.joining.push_back(std::move(ungroup));
    tensor.joining.push_back({Kind::Reshape, {columns * slices, rows}});
    tensor.shape = Shape(std::array{tensor.shape[0] * tensor.slices.size(), tensor.shape[1]});
}

// The tensors are in the order of the first file. Errors: NotSupported (Detail::SlicesNotConverted, with the number of
// files: a slice is missing, slices have different types or shapes, or copies differ); the errors of Model::bytesOf().
Result<std::vector<LegacyTensor>> legacyTensors(const Model& model) {
    std::vector<LegacyTensor> tensors;
    std::vector<std::size_t> places(model.tensors.size()); // of the tensor that each slice belongs to
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& slice = model.tensors[i];
        const std::size_t first = model.findTensor(slice.name)->value;
        if (first == i) {
            places[i] = tensors.size();
            tensors.push_back({.name = slice.name, .slices = {}, .shape = slice.shape, .joining = {}});
        }
        tensors[places[first]].slices.emplace_back(i);
    }
    const std::size_t files = model.files.size();
    for (LegacyTensor& tensor : tensors) {
        const TensorInfo& first = model.tensor(tensor.slices.front());
        const auto unfit = [&] {
            return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name)),
                        {Argument(Detail::SlicesNotConverted, {files})});
        };
        std::vector<bool> has(files);
        for (const TensorIndex index : tensor.slices) {
            const TensorInfo& slice = model.tensor(index);
            if (slice.typeId != first.typeId || slice.shape != first.shape || has[slice.file.value]) {
                return unfit();
            }
            has[slice.file.value] = true;
        }
        if (tensor.slices.size() != files) {
            return unfit();
        }
        if (files == 1) {
            continue;
        }
        if (tensor.shape.count() == 2) {
            join(tensor);
            continue;
        }
        const bool same = GUFO_TRY(areCopies(model, tensor.slices));
        if (!same) {
            return unfit();
        }
        tensor.slices.resize(1, TensorIndex(0));
    }
    return tensors;
}

// ---- the plan -------------------------------------------------------------------------------------------------------

class LegacyPlanner {
public:
    LegacyPlanner(const Model& model, std::string_view name, bool vocabularyOnly)
        : m_model(model)
        , m_vocabularyOnly(vocabularyOnly || model.tensors.empty())
        , m_file(model.path().filename().native())
        , m_name(name) {}

    Result<ConversionPlan> plan() {
        GUFO_TRY(check());
        if (!m_vocabularyOnly) {
            GUFO_TRY(planRows());
        }
        GUFO_TRY(planSizes());
        planVocabulary();
        m_plan.keys = std::move(m_keys).take();
        addObstacles(m_plan, m_model);
        return std::move(m_plan);
    }

private:
    Result<> check() {
        const std::string_view family = m_model.metadata.string(ggml::kFamilyKey).value_or("?");
        if (family != kFamily) {
            return fail(ErrorCode::NotSupported, {}, {Argument(Detail::FamilyNotConverted, {family})});
        }
        m_plan.architecture = findArchitecture("LlamaForCausalLM");
        return {};
    }

    Result<> planRows() {
        const auto tensors = GUFO_TRY(legacyTensors(m_model));
        NameList unmapped;
        for (const LegacyTensor& tensor : tensors) {
            const auto placements = placementsOf(metaArchitecture(), tensor.name, 0);
            if (placements.size() != 1 || placements[0].expert) { // files from before GGUF have no experts
                unmapped.add(tensor.name);
                continue;
            }
            if (placements[0].target.empty()) {
                m_plan.unused.push_back({std::string(tensor.name), placements[0].pattern->unused});
                continue;
            }
            GUFO_TRY(addRow(tensor, placements[0].target));
        }
        return unmapped.refused(Detail::TensorsUnmapped);
    }

    Result<> addRow(const LegacyTensor& tensor, const std::string& target) {
        const TensorInfo& stored = m_model.tensor(tensor.slices.front());
        const auto type = typeOfLegacy(stored.typeId);
        if (!type) {
            return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name)),
                        {Argument(Detail::QuantisationUnknown, {stored.typeName()})});
        }
        PlannedRow row{.target = target,
                       .typeId = static_cast<std::uint32_t>(*type),
                       .shape = tensor.shape,
                       .sources = {std::string(tensor.name)}};
        for (const TensorIndex slice : tensor.slices) {
            row.parts.push_back({.weight = slice, .shape = stored.shape});
        }
        if (tensorTypeFact(*type).blockSize > 1) {
            row.operations.push_back({Kind::RepackLegacy});
        }
        row.operations.insert(row.operations.end(), tensor.joining.begin(), tensor.joining.end());
        row.operations.push_back({Kind::Rename});
        const auto bytes = tensorBytes(tensorTypeFact(*type), tensor.shape);
        const auto weights = tensor.shape.weights();
        if (!bytes || !weights) {
            return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name)), {Detail::TensorSizeUnknown});
        }
        row.bytes = *bytes;
        m_plan.tensorBytes += row.bytes;
        m_plan.weights += *weights;
        m_plan.rows.push_back(std::move(row));
        return {};
    }

    [[nodiscard]] std::uint32_t number(std::string_view key) const {
        return static_cast<std::uint32_t>(m_model.metadata.uint(key).value_or(0));
    }
    [[nodiscard]] std::string from(std::string_view what) const { return memberOf(m_file, what); }

    // The rows of a matrix of the first block.
    Result<std::uint64_t> rowsOf(std::string_view name) const {
        const auto row =
            std::ranges::find(m_plan.rows, name, [](const PlannedRow& planned) { return planned.sources.front(); });
        return row != m_plan.rows.end() ? Result<std::uint64_t>(row->shape[1])
                                        : fail(ErrorCode::NoSuchTensor, {}, {std::string(name)});
    }

    // The width of the feed-forward layers of the first LLaMA: two thirds of four times the embedding's, rounded up to
    // a multiple of n_mult.
    [[nodiscard]] std::uint64_t assumedWidth() const {
        const std::uint64_t multiple = std::max(number("n_mult"), 1U);
        return (std::uint64_t{8} * number("n_embd") / 3 + multiple - 1) / multiple * multiple;
    }

    Result<> planSizes() {
        constexpr std::string_view kKeyMatrix = "layers.0.attention.wk.weight";
        constexpr std::string_view kGateMatrix = "layers.0.feed_forward.w1.weight";
        const std::uint32_t heads = number("n_head");
        const std::uint32_t embedding = number("n_embd");
        const auto keyRows = m_vocabularyOnly ? Result<std::uint64_t>(embedding) : rowsOf(kKeyMatrix);
        const auto width = GUFO_TRY(m_vocabularyOnly ? Result<std::uint64_t>(assumedWidth())
                                    : keyRows        ? rowsOf(kGateMatrix)
                                                     : std::unexpected(keyRows.error()));
        const std::uint32_t headWidth = heads == 0 ? 0 : embedding / heads;
        if (headWidth == 0 || *keyRows == 0 || *keyRows % headWidth != 0) {
            return fail(ErrorCode::WrongShape, Place::tensor(std::string(kKeyMatrix)), {*keyRows, headWidth});
        }
        const auto set = [&](std::string_view key, std::uint64_t value, const std::string& origin) {
            m_keys.set(std::string(m_plan.architecture->name) + "." + std::string(key),
                       Value(static_cast<std::uint32_t>(value)), origin);
        };
        m_keys.setText("general.architecture", std::string(m_plan.architecture->name), from(ggml::kFamilyKey));
        m_keys.setText("general.type", "model", {});
        m_keys.setText("general.name", m_name.empty() ? m_model.path().stem().native() : std::string(m_name),
                       m_name.empty() ? m_file : std::string());
        set("context_length", kContext, std::string(kAssumed));
        set("embedding_length", embedding, from("n_embd"));
        set("block_count", number("n_layer"), from("n_layer"));
        set("feed_forward_length", width, m_vocabularyOnly ? std::string(kAssumed) : from(kGateMatrix));
        set("rope.dimension_count", number("n_rot"), from("n_rot"));
        set("attention.head_count", heads, from("n_head"));
        set("attention.head_count_kv", *keyRows / headWidth,
            m_vocabularyOnly ? std::string(kAssumed) : from(kKeyMatrix));
        set("vocab_size", number("n_vocab"), from("n_vocab"));
        m_keys.set("llama.attention.layer_norm_rms_epsilon", Value(kEpsilon), std::string(kAssumed));
        if (const FileTypeFact* type = fileType()) {
            m_keys.set("general.file_type", Value(type->value), from("ftype"));
        }
        m_keys.set("general.quantization_version", Value(kQuantizationVersion), {});
        return {};
    }

    // By the type that most weights have: the numbers of ftype mean other types here than in GGUF.
    [[nodiscard]] const FileTypeFact* fileType() const {
        std::map<std::uint32_t, std::uint64_t> weights;
        for (const PlannedRow& row : m_plan.rows) {
            weights[row.typeId] += row.shape.count() < 2 ? 0 : row.shape.weights().value_or(0);
        }
        const auto mostFrequent = std::ranges::max_element(weights, {}, [](const auto& row) { return row.second; });
        return mostFrequent == weights.end() ? nullptr : findFileType(findTensorType(mostFrequent->first)->name);
    }

    void planVocabulary() {
        std::uint64_t tokens = 0;
        for (const KeyValue& kv : m_model.metadata) {
            if (!kv.key.starts_with(kTokenizer)) {
                continue;
            }
            const bool isRole = kv.key.ends_with("_token_id"); // the files do not state them
            m_keys.set(kv.key, kv.value, isRole ? std::string(kAssumed) : from("vocabulary"));
            const ArrayView* list = asArray(kv.value);
            tokens = list != nullptr ? list->length : tokens;
        }
        if (tokens == 0) {
            return;
        }
        if (!m_keys.has("tokenizer.ggml.scores")) {
            ArrayBuilder scores(ValueType::Float32);
            for (std::uint64_t id = 0; id < tokens; ++id) {
                scores.add(id < kFirstScored ? 0.0F : -static_cast<float>(id - kFirstScored));
            }
            m_keys.set("tokenizer.ggml.scores", Value(scores.view()), std::string(kAssumed));
        }
        m_keys.setText("tokenizer.ggml.pre", "default", {});
    }

    const Model& m_model;
    bool m_vocabularyOnly;
    std::string m_file;
    std::string_view m_name;
    ConversionPlan m_plan;
    KeyList m_keys;
};

} // namespace

bool isLegacy(const Model& model) {
    constexpr auto kContainers = std::to_array<std::string_view>({"ggml", "ggmf", "ggjt", "ggla"});
    return std::ranges::find(kContainers, model.container) != kContainers.end();
}

Result<ConversionPlan> planLegacy(std::shared_ptr<const Model> model, std::string_view name, bool vocabularyOnly) {
    return LegacyPlanner(*model, name, vocabularyOnly).plan();
}

Result<std::vector<std::optional<double>>> measureLoss(const Model& model, const ConversionPlan& plan,
                                                       const JobContext& job) {
    std::vector<std::optional<double>> losses(plan.rows.size());
    std::vector<Result<>> results(plan.rows.size());
    const auto rounds = [&](const PlannedRow& row) {
        return !row.parts.empty() && roundsScales(model.tensor(row.parts[0].weight).typeId);
    };
    std::uint64_t weights = 0;
    for (const PlannedRow& row : plan.rows) {
        weights += rounds(row) ? row.shape.weights().value_or(0) : 0;
    }
    job.start(weights);
    const bool finished = parallelFor(plan.rows.size(), 1, job, [&](std::uint64_t i, std::uint64_t, unsigned) {
        if (!rounds(plan.rows[i])) {
            return;
        }
        for (const SourcePart& part : plan.rows[i].parts) {
            const auto loss = legacyLoss(model, part.weight, job);
            if (!loss) {
                results[i] = std::unexpected(loss.error());
                return;
            }
            losses[i] = std::max(losses[i].value_or(0), *loss);
        }
    });
    for (const Result<>& result : results) {
        GUFO_TRY(result);
    }
    return finished && !job.stopRequested() ? Result<std::vector<std::optional<double>>>(std::move(losses))
                                            : fail(ErrorCode::Cancelled);
}

} // namespace gufo::convert
