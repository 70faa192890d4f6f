#include "convert/plan.h"

#include "base/detail.h"
#include "base/name_list.h"
#include "base/try.h"
#include "convert/general_keys.h"
#include "convert/vocabulary/vocabulary_plan.h"
#include "model/file_type.h"
#include "model/finding_code.h"
#include "model/metadata_builder.h"
#include "model/set_fault.h"
#include "quantize/encode_pieces.h"
#include "tensor/decode.h"
#include "validate/validate.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <unordered_set>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

constexpr std::uint32_t id(TensorType type) { return static_cast<std::uint32_t>(type); }

// The settings that say that further layers follow, which predict further tokens.
constexpr SettingNames kDraftLayerNames = {"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers",
                                           "num_mtp_modules", "mtp_transformer_layers"};

// A row while its sources are collected.
struct Draft {
    PlannedRow row;
    std::map<std::uint64_t, SourcePart> experts; // empty unless it is a stack
    std::size_t order = 0;                       // a stack stands where its last tensor was
};

class Planner {
public:
    Planner(const SourceFolder& source, const ConvertRequest& request, const JobContext& job)
        : m_source(source)
        , m_model(*source.model())
        , m_request(request)
        , m_job(job)
        , m_facts(source) {}

    Result<ConversionPlan> plan() {
        GUFO_TRY(chooseArchitecture());
        if (!m_request.vocabularyOnly) {
            GUFO_TRY(planTensors());
            GUFO_TRY(chooseTypes());
        }
        GUFO_TRY(planKeys());
        return std::move(m_plan);
    }

    Result<ConversionPlan> sketch() {
        m_sketch = true;
        GUFO_TRY(chooseArchitecture());
        GUFO_TRY(planTensors());
        return std::move(m_plan);
    }

private:
    Result<> chooseArchitecture() {
        const auto architecture = GUFO_TRY(architectureOf(m_facts));
        m_plan.architecture = architecture;
        m_blocks = m_facts.blocks() + (m_plan.architecture->draftBlocks ? m_facts.draftBlocks() : 0);
        return {};
    }

    Result<> planTensors() {
        auto sources = GUFO_TRY(sourceTensors(m_source));
        m_plan.unused = std::move(sources.unused);
        for (ComputedTensor& computed : computedTensors(m_facts)) {
            const std::uint64_t count = computed.values.size();
            Draft draft{.row = {.target = std::move(computed.target),
                                .shape = Shape(std::span(&count, 1)),
                                .operations = {{Kind::Compute}},
                                .computed = std::move(computed.values)},
                        .order = m_next++};
            m_drafts.push_back(std::move(draft));
        }
        NameList unmapped;
        for (const SourceTensor& tensor : sources.tensors) {
            GUFO_TRY(m_job.check());
            auto placed = place(tensor, unmapped);
            if (!placed && !m_sketch) {
                return placed;
            }
        }
        if (!m_sketch) {
            GUFO_TRY(unmapped.refused(Detail::TensorsUnmapped));
            suggestType(sources.tensors);
        }
        return finishRows();
    }

    Result<> place(const SourceTensor& tensor, NameList& unmapped) {
        if (m_plan.architecture->zeroBiases && tensor.name.ends_with(".bias")) {
            m_plan.unused.push_back({tensor.name, "zero"});
            return m_sketch ? Result<>() : checkZero(tensor);
        }
        const auto placements = placementsOf(*m_plan.architecture, tensor.name, m_facts.blocks());
        if (placements.empty()) {
            const std::string_view reason = reasonForDropping(tensor.name);
            if (reason.empty()) {
                unmapped.add(tensor.name);
            } else {
                m_plan.unused.push_back({tensor.name, reason});
            }
            return {};
        }
        for (const Placement& placement : placements) {
            if (placement.target.empty()) {
                m_plan.unused.push_back({tensor.name, placement.pattern->unused});
                continue;
            }
            if (placement.block && *placement.block >= m_blocks && placement.target.starts_with("blk.")) {
                // A model whose further blocks are drafting layers states their number, or has experts. Any other
                // configuration belongs to a smaller model.
                if (m_facts.number(kDraftLayerNames) == 0 && m_facts.experts() == 0) {
                    unmapped.add(tensor.name);
                } else {
                    m_plan.unused.push_back({tensor.name, "draft_layers"});
                }
                continue;
            }
            GUFO_TRY(add(tensor, placement));
        }
        return {};
    }

    // Runtimes have no place for the tensor, so it must not matter.
    Result<> checkZero(const SourceTensor& tensor) const {
        const auto stored = GUFO_TRY(storedValues(m_model, tensor.part.weight));
        std::vector<float> values(stored->shape().weights().value_or(0));
        GUFO_TRY(stored->values(0, values));
        return std::ranges::all_of(values, [](float value) { return value == 0; })
                   ? Result<>()
                   : fail(ErrorCode::NotSupported, Place::tensor(tensor.name), {Detail::BiasNotZero});
    }

    Result<> add(const SourceTensor& tensor, const Placement& placement) {
        std::vector<Operation> operations;
        if (tensor.recoding) {
            operations.push_back(*tensor.recoding);
        } else if (const TensorInfo& stored = m_model.tensor(tensor.part.weight); !isWeights(stored)) {
            // Codes of an encoding that is not known must not be taken for weights.
            return fail(ErrorCode::NotSupported, Place::tensor(tensor.name),
                        {Argument(Detail::QuantisationUnknown, {stored.typeName()})});
        }
        // The scale of a whole matrix is also the scale of each of its parts, in any order of rows.
        const bool scales = (tensor.name.ends_with(".scale") || tensor.name.ends_with(".input_scale")) &&
                            tensor.part.shape.weights() == 1;
        if (placement.pattern->operations != nullptr && !scales) {
            auto made = GUFO_TRY(placement.pattern->operations(m_facts, tensor));
            operations.insert(operations.end(), made.begin(), made.end());
        }
        if (placement.expert) {
            return addExpert(tensor, placement, std::move(operations));
        }
        Draft draft{.row = {.target = placement.target, .parts = {tensor.part}, .operations = std::move(operations)},
                    .order = m_next++};
        draft.row.sources = namesOf(tensor.part);
        m_drafts.push_back(std::move(draft));
        return {};
    }

    static bool isWeights(const TensorInfo& tensor) {
        const TensorTypeFact* type = tensor.type();
        return type != nullptr && type->kind == TensorTypeKind::Float && isDecodable(type->id);
    }

    Result<> addExpert(const SourceTensor& tensor, const Placement& placement, std::vector<Operation> operations) {
        const auto [at, isNew] = m_stacks.try_emplace(placement.target, m_drafts.size());
        if (isNew) {
            m_drafts.push_back({.row = {.target = placement.target, .operations = operations}});
        }
        Draft& draft = m_drafts[at->second];
        if (draft.row.operations != operations) {
            return fail(ErrorCode::InvalidArgument, Place::tensor(tensor.name), {Detail::PartsDiffer});
        }
        if (!draft.experts.emplace(*placement.expert, tensor.part).second) {
            return fail(ErrorCode::InvalidArgument, Place::tensor(tensor.name), {Detail::DuplicateTensorName});
        }
        draft.order = m_next++;
        return {};
    }

    std::vector<std::string> namesOf(const SourcePart& part) const {
        std::vector<std::string> names = {std::string(m_model.tensor(part.weight).name)};
        for (const auto& companion : part.companions) {
            if (companion) {
                names.emplace_back(m_model.tensor(*companion).name);
            }
        }
        return names;
    }

    Result<> finishRows() {
        std::ranges::sort(m_drafts, {}, &Draft::order);
        std::unordered_set<std::string> targets;
        for (Draft& draft : m_drafts) {
            PlannedRow& row = draft.row;
            if (auto finished = finish(draft); !finished && !m_sketch) {
                Error error = std::move(finished).error();
                error.place = Place::tensor(row.sources.empty() ? row.target : row.sources.front());
                return std::unexpected(std::move(error));
            }
            if (!targets.insert(row.target).second) {
                if (m_sketch) {
                    continue;
                }
                return fail(ErrorCode::InvalidArgument, Place::tensor(row.target), {Detail::DuplicateTensorName});
            }
            m_plan.weights += row.shape.weights().value_or(0);
            m_plan.rows.push_back(std::move(row));
        }
        return {};
    }

    // The parts of a stack, and the shape that results.
    Result<> finish(Draft& draft) {
        PlannedRow& row = draft.row;
        if (!draft.experts.empty()) {
            const std::uint64_t count = draft.experts.size();
            const std::uint64_t needed =
                row.target.find("_exps.") != row.target.npos && m_facts.experts() != 0 ? m_facts.experts() : count;
            if ((count != needed || draft.experts.rbegin()->first != count - 1) && !m_sketch) {
                return fail(ErrorCode::NotSupported, {}, {Argument(Detail::ExpertsIncomplete, {count, needed})});
            }
            for (auto& [expert, part] : draft.experts) {
                const std::vector<std::string> names = namesOf(part);
                row.sources.insert(row.sources.end(), names.begin(), names.end());
                if (part.shape != draft.experts.begin()->second.shape) {
                    return fail(ErrorCode::WrongShape, {},
                                {shapeText(part.shape), shapeText(draft.experts.begin()->second.shape)});
                }
                row.parts.push_back(part);
            }
            row.operations.push_back({Kind::Stack, {static_cast<std::int64_t>(count)}});
        }
        if (row.parts.empty()) {
            return {};
        }
        row.shape = row.parts.front().shape;
        for (const Operation& operation : row.operations) {
            row.shape = GUFO_TRY(shapeAfter(operation, row.shape));
        }
        if (row.sources.size() != 1 || row.sources.front() != row.target) {
            row.operations.push_back({Kind::Rename});
        }
        return {};
    }

    // The source's own type, by its first matrix: configurations of fine-tunes are often wrong about it.
    void suggestType(const std::vector<SourceTensor>& tensors) {
        m_plan.recipe = m_request.recipe.recipe;
        if (m_plan.recipe != nullptr) {
            return;
        }
        for (const SourceTensor& tensor : tensors) {
            if (tensor.repacked() || tensor.part.shape.count() < 2) {
                continue;
            }
            const TensorInfo& stored = m_model.tensor(tensor.part.weight);
            const TensorTypeFact* type = stored.type();
            const bool small = type != nullptr && type->name.starts_with("F8_");
            m_plan.recipe = findRecipe(stored.typeId == id(TensorType::BF16) || small ? "BF16" : "F16");
            return;
        }
        m_plan.recipe = findRecipe("F16");
    }

    // Applies the recipe to a model that has the rows as F32 tensors, and the keys that recipes read.
    Result<> chooseTypes() {
        Model target;
        MetadataBuilder metadata(target);
        metadata.addText("general.architecture", std::string(m_plan.architecture->name));
        for (const PlannedKey& key : architectureKeys(*m_plan.architecture, m_facts)) {
            metadata.add(key.key, key.value);
        }
        for (const PlannedRow& row : m_plan.rows) {
            TensorInfo tensor;
            tensor.name = row.target;
            tensor.typeId = id(TensorType::F32);
            tensor.shape = row.shape;
            tensor.bytes = gufo::tensorBytes(tensorTypeFact(TensorType::F32), row.shape);
            target.tensors.push_back(tensor);
        }
        target.indexTensors();
        RecipeRequest request = m_request.recipe;
        request.recipe = m_plan.recipe;
        request.hasImatrix = m_request.imatrix != nullptr;
        const auto types = GUFO_TRY(planRecipe(target, request));
        std::vector<TensorIndex> encoded;
        for (std::size_t i = 0; i < m_plan.rows.size(); ++i) {
            PlannedRow& row = m_plan.rows[i];
            const auto repacked = repackedType(row);
            row.typeId = repacked.value_or(types.tensors[i].typeId);
            row.reason = repacked ? TypeReason::Kept : types.tensors[i].reason;
            const auto bytes = gufo::tensorBytes(*findTensorType(row.typeId), row.shape);
            if (!bytes) {
                return fail(ErrorCode::NotSupported, Place::tensor(row.target), {Detail::TensorSizeUnknown});
            }
            row.bytes = *bytes;
            m_plan.tensorBytes += *bytes;
            if (!repacked && findTensorType(row.typeId)->kind == TensorTypeKind::Quantised) {
                encoded.emplace_back(i);
            }
        }
        if (m_request.imatrix != nullptr) {
            m_plan.importance = GUFO_TRY(importanceUse(*m_request.imatrix, target, encoded, m_job));
        }
        return {};
    }

    static std::optional<std::uint32_t> repackedType(const PlannedRow& row) {
        for (const Operation& operation : row.operations) {
            if (operation.kind == Kind::RepackMxfp4 || operation.kind == Kind::RepackNvfp4) {
                return id(operation.kind == Kind::RepackMxfp4 ? TensorType::MXFP4 : TensorType::NVFP4);
            }
        }
        return std::nullopt;
    }

    // The name of most of the file's types. Weights that stay in 4 bits name a file whose other types are floats.
    [[nodiscard]] const FileTypeFact* fileType() const {
        if (tensorTypeFact(m_plan.recipe->type).kind == TensorTypeKind::Float) {
            for (const PlannedRow& row : m_plan.rows) {
                if (const auto type = repackedType(row)) {
                    return findFileType(*type == id(TensorType::MXFP4) ? "MXFP4_MOE" : "NVFP4");
                }
            }
        }
        return findFileType(m_plan.recipe->name);
    }

    // In the order of the official converter.
    Result<> planKeys() {
        const auto add = [&](std::string_view key, OwnedValue value, std::string_view from = {}) {
            m_plan.keys.push_back({std::string(key), std::move(value), std::string(from)});
        };
        const auto addAll = [&](std::vector<PlannedKey> keys) {
            std::ranges::move(keys, std::back_inserter(m_plan.keys));
        };
        add("general.architecture", OwnedValue::string(std::string(m_plan.architecture->name)), m_facts.classFrom());
        GeneralOptions general;
        if (!m_request.name.empty()) {
            general.name = m_request.name;
        }
        VocabularyOptions vocabulary{.architecture = std::string(m_plan.architecture->name),
                                     .rankingTemplate = m_plan.architecture->rankingTemplate};
        for (const PlannedRow& row : m_plan.rows) {
            general.parameters.add(row.target, row.shape.dims());
            if (row.target == "token_embd.weight") {
                vocabulary.embeddingRows = row.shape[1];
            }
        }
        addAll(planGeneralKeys(m_source, general));
        const auto first = static_cast<std::ptrdiff_t>(m_plan.keys.size());
        std::optional<PlannedKey> type;
        if (const FileTypeFact* fact =
                m_plan.recipe != nullptr && m_plan.architecture->fileType ? fileType() : nullptr) {
            type = PlannedKey{"general.file_type", OwnedValue(Value(fact->value)), {}};
        }
        addAll(architectureKeys(*m_plan.architecture, m_facts, std::move(type)));
        add("general.quantization_version", OwnedValue(Value(kQuantizationVersion)));
        auto planned = GUFO_TRY(planVocabulary(m_source, vocabulary, m_job));
        correctVocabularySize(planned, vocabulary.embeddingRows);
        addAll(std::move(planned.keys));
        putInOrder(*m_plan.architecture, std::span(m_plan.keys.begin() + first, m_plan.keys.end()));
        addObstacles(m_plan, m_model);
        for (Finding& error : errorsOf(m_model)) {
            if (std::ranges::find(m_plan.findings, error) == m_plan.findings.end()) {
                m_plan.findings.push_back(std::move(error));
            }
        }
        std::ranges::move(choicesOf(m_model), std::back_inserter(m_plan.findings));
        std::ranges::move(planned.findings, std::back_inserter(m_plan.findings));
        return {};
    }

    // Configurations of fine-tunes keep the size that the vocabulary had before. The embedding has the rows that count.
    void correctVocabularySize(VocabularyPlan& vocabulary, std::optional<std::uint64_t> rows) {
        const std::string name = std::string(m_plan.architecture->name) + ".vocab_size";
        const auto key = std::ranges::find(m_plan.keys, name, &PlannedKey::key);
        const auto stated = key != m_plan.keys.end() ? asUInt(key->value.value()) : std::nullopt;
        if (!stated || vocabulary.tokens == 0 || rows != vocabulary.tokens || *stated == vocabulary.tokens) {
            return;
        }
        vocabulary.findings.push_back({FindingCode::VocabularySizeKey, Place::key(name), {*stated, vocabulary.tokens}});
        key->value = OwnedValue(Value(static_cast<std::uint32_t>(vocabulary.tokens)));
        key->from = "token_embd.weight";
    }

    const SourceFolder& m_source;
    const Model& m_model;
    const ConvertRequest& m_request;
    JobContext m_job;
    ModelFacts m_facts;
    std::uint64_t m_blocks = 0; // including the drafting blocks
    bool m_sketch = false;      // rows only, and what does not fit is no error
    ConversionPlan m_plan;
    std::vector<Draft> m_drafts;
    std::map<std::string, std::size_t, std::less<>> m_stacks; // target → its draft
    std::size_t m_next = 0;                                   // order of the next draft
};

// The result as far as it is known before it is written.
void describeResult(const ConversionPlan& plan, Model& result) {
    MetadataBuilder metadata(result);
    for (const PlannedKey& key : plan.keys) {
        metadata.add(key.key, key.value);
    }
    for (const PlannedRow& row : plan.rows) {
        TensorInfo tensor;
        tensor.name = row.target;
        tensor.typeId = row.typeId;
        tensor.shape = row.shape;
        tensor.bytes = row.bytes;
        result.tensors.push_back(tensor);
    }
    result.indexTensors();
}

// Whether the finding contradicts what the source states. What it does not state at all may be intended: people convert
// single tensors, too.
bool isContradiction(const Finding& finding, bool hasBlocks) {
    switch (finding.code) {
    case FindingCode::RequiredKeyMissing:
    case FindingCode::EmbeddingMissing:
    case FindingCode::TensorsMissing:
    case FindingCode::TensorsUnknown:
        return false;
    case FindingCode::BlocksMissing:
        return hasBlocks;
    default:
        return true;
    }
}

} // namespace

std::size_t ConversionPlan::fallbacks() const {
    return static_cast<std::size_t>(std::ranges::count(rows, TypeReason::Fallback, &PlannedRow::reason));
}

std::vector<Finding> errorsOf(const Model& source) {
    std::vector<Finding> errors;
    std::ranges::copy_if(source.findings, std::back_inserter(errors),
                         [](const Finding& finding) { return finding.severity() == Severity::Error; });
    return errors;
}

std::vector<Finding> choicesOf(const Model& source) {
    std::vector<Finding> choices;
    std::ranges::copy_if(source.findings, std::back_inserter(choices), [](const Finding& finding) {
        return finding.code == FindingCode::FolderFilesIgnored || finding.code == FindingCode::CompanionUnreadable;
    });
    return choices;
}

Result<ConversionPlan> planConversion(const SourceFolder& source, const ConvertRequest& request,
                                      const JobContext& job) {
    return Planner(source, request, job).plan();
}

Result<ConversionPlan> sketchConversion(const SourceFolder& source, const JobContext& job) {
    const ConvertRequest request;
    return Planner(source, request, job).sketch();
}

void addObstacles(ConversionPlan& plan, const Model& source) {
    if (plan.rows.empty()) { // a vocabulary needs no tensors
        return;
    }
    std::ranges::copy_if(source.findings, std::back_inserter(plan.findings), isSetFault);
    plan.obstacles = plan.findings.size();
    if (plan.obstacles != 0) { // missing tensors and keys explain the rest
        return;
    }
    Model result;
    describeResult(plan, result);
    const std::vector<Finding> errors = checkStructure(result);
    const bool hasBlocks =
        std::ranges::any_of(plan.rows, [](const PlannedRow& row) { return row.target.contains("blk."); });
    const auto isObstacle = [&](const Finding& finding) { return isContradiction(finding, hasBlocks); };
    std::ranges::copy_if(errors, std::back_inserter(plan.findings), isObstacle);
    plan.obstacles = plan.findings.size();
    std::ranges::copy_if(errors, std::back_inserter(plan.findings), std::not_fn(isObstacle));
}

} // namespace gufo::convert
