#include "convert/adapter_plan.h"

#include "base/detail.h"
#include "base/name_list.h"
#include "convert/general_keys.h"
#include "convert/peft_adapter.h"
#include "convert/vocabulary/key_list.h"
#include "model/encode_value.h"
#include "model/file_type.h"
#include "model/tensor_role.h"
#include "quantize/encode_pieces.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

constexpr std::string_view kTable = "token_embd.weight";
constexpr std::uint64_t kMaxExperts = 65'536; // far more than any model has

// A factor of the result: a tensor of the source, and the operations that are applied to it.
struct Factor {
    TensorIndex tensor{0};
    std::vector<Operation> operations{};

    void transpose() {
        if (!operations.empty() && operations.back().kind == Kind::Transpose) {
            operations.pop_back();
        } else {
            operations.push_back({Kind::Transpose});
        }
    }
};

// left × right: with the fastest dimension first, `right` is [columns, rank] and `left` is [rank, rows].
struct Product {
    Factor left;
    Factor right;

    void transpose() {
        std::swap(left, right);
        left.transpose();
        right.transpose();
    }
};

class AdapterPlanner {
public:
    AdapterPlanner(const SourceFolder& adapter, const SourceFolder& base, const AdapterRequest& request,
                   PeftConfig config)
        : m_source(adapter)
        , m_model(*adapter.model())
        , m_base(base)
        , m_request(request)
        , m_config(std::move(config))
        , m_facts(base) {}

    Result<ConversionPlan> plan() {
        GUFO_TRY(chooseArchitecture());
        GUFO_TRY(placeModules());
        GUFO_TRY(finishRows());
        planKeys();
        return std::move(m_plan);
    }

private:
    // A pair of rows while its experts are collected; a matrix without experts is part 0.
    struct Draft {
        std::map<std::uint64_t, Product> parts;
        std::string module; // its name in the source, for errors
        bool isStack = false;
    };

    Result<> chooseArchitecture() {
        m_plan.architecture = GUFO_TRY(architectureOf(m_facts));
        return {};
    }

    Result<> placeModules() {
        const auto tensors = GUFO_TRY(adapterTensors(m_model));
        chooseAlpha(tensors.modules);
        NameList unmapped;
        for (const AdapterModule& module : tensors.modules) {
            const auto placements = placementsOf(*m_plan.architecture, module.name + ".weight", m_facts.blocks());
            if (!isPlaced(placements)) {
                unmapped.add(module.name);
                continue;
            }
            GUFO_TRY(checkRank(module));
            for (const Placement& placement : placements) {
                GUFO_TRY(place(module, placement));
            }
        }
        for (const SavedTensor& saved : tensors.saved) {
            const auto placements = placementsOf(*m_plan.architecture, saved.name, m_facts.blocks());
            if (!isPlaced(placements)) {
                unmapped.add(saved.name);
                continue;
            }
            for (const Placement& placement : placements) {
                GUFO_TRY(replace(saved, placement));
            }
        }
        return unmapped.refused(Detail::TensorsUnmapped);
    }

    [[nodiscard]] bool isPlaced(const std::vector<Placement>& placements) const {
        return !placements.empty() && std::ranges::all_of(placements, [&](const Placement& p) {
            return !p.target.empty() && (!p.block || *p.block < m_facts.blocks());
        });
    }

    // A tensor that takes the place of the base model's is converted as that would be, and has its name.
    Result<> replace(const SavedTensor& saved, const Placement& placement) {
        const TensorInfo& tensor = m_model.tensor(saved.tensor);
        if (placement.expert) { // one of a stack, whose others stay
            return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name)),
                        {Argument(Detail::AdapterReplaces, {std::size_t{1}, tensor.name})});
        }
        PlannedRow row{.target = placement.target, .typeId = typeOf(tensor)};
        SourceTensor source{.name = saved.name, .part = {.weight = saved.tensor, .shape = tensor.shape}};
        if (placement.pattern->operations != nullptr) {
            row.operations = GUFO_TRY(placement.pattern->operations(m_facts, source));
        }
        row.operations.push_back({Kind::Rename});
        row.sources.emplace_back(tensor.name);
        row.parts.push_back(std::move(source.part));
        Shape shape = tensor.shape;
        for (const Operation& operation : row.operations) {
            shape = GUFO_TRY(shapeAfter(operation, shape));
        }
        if (shape.count() < 2) { // runtimes add and multiply vectors in F32
            row.typeId = static_cast<std::uint32_t>(TensorType::F32);
        }
        GUFO_TRY(checkBase(placement, shape));
        if (std::ranges::find(m_replaced, row.target, &PlannedRow::target) != m_replaced.end()) {
            return fail(ErrorCode::InvalidArgument, Place::tensor(saved.name), {Detail::DuplicateTensorName});
        }
        m_replaced.push_back(std::move(row));
        return {};
    }

    // A GGUF adapter has one alpha. It is the one that most modules have; the factor B of the others is multiplied by
    // what their alpha is to it. Runtimes take an alpha of 0 for a strength of 1, so it is never written.
    void chooseAlpha(const std::vector<AdapterModule>& modules) {
        std::map<double, std::size_t> counts;
        for (const AdapterModule& module : modules) {
            if (const double alpha = alphaOf(module); alpha != 0) {
                ++counts[alpha];
            }
        }
        const auto most = std::ranges::max_element(counts, {}, [](const auto& row) { return row.second; });
        m_alpha = most != counts.end() ? most->first : 1;
    }

    [[nodiscard]] double alphaOf(const AdapterModule& module) const {
        return m_config.alphaOf(module.name, m_model.tensor(module.b).shape[0]);
    }

    Result<> checkRank(const AdapterModule& module) const {
        const TensorInfo& a = m_model.tensor(module.a);
        const TensorInfo& b = m_model.tensor(module.b);
        if (a.shape[1] == b.shape[0] && b.shape[0] != 0) {
            return {};
        }
        const std::array<std::uint64_t, 2> wanted = {a.shape[1], b.shape[1]};
        return fail(ErrorCode::WrongShape, Place::tensor(std::string(b.name)),
                    {shapeText(b.shape), shapeText(Shape(wanted))});
    }

    Result<> place(const AdapterModule& module, const Placement& placement) {
        const TensorInfo& a = m_model.tensor(module.a);
        const TensorInfo& b = m_model.tensor(module.b);
        // The shape of the matrix in a linear layer, and in tables of embeddings and the Conv1D layers of GPT-2.
        const std::array<std::uint64_t, 2> plain = {a.shape[0], b.shape[1]};
        const std::array<std::uint64_t, 2> transposed = {b.shape[1], a.shape[0]};
        SourceTensor matrix{.name = module.name + ".weight", .part = {.shape = Shape(plain)}};
        std::vector<Operation> operations;
        if (placement.pattern->operations != nullptr) {
            operations = GUFO_TRY(placement.pattern->operations(m_facts, matrix));
        }
        const bool isTransposed = module.isTable || (!operations.empty() && operations[0].kind == Kind::Transpose);
        Shape shape{isTransposed ? transposed : plain};
        Product product{.left = {module.b}, .right = {module.a}};
        if (const double alpha = alphaOf(module); alpha != m_alpha) {
            product.left.operations.push_back(scaleBy(alpha / m_alpha));
        }
        if (isTransposed) {
            product.transpose();
        }
        for (const Operation& operation : operations) {
            const auto after = shapeAfter(operation, shape);
            auto applied = after ? apply(operation, shape, product) : std::unexpected(after.error());
            if (!applied) {
                Error error = std::move(applied).error();
                error.place = Place::tensor(std::string(a.name));
                return std::unexpected(std::move(error));
            }
            shape = *after;
        }
        if (placement.target == kTable) { // its factors have exchanged roles in GGUF
            std::swap(product.left, product.right);
            product.left.transpose();
        }
        return add(module, placement, std::move(product), shape);
    }

    static Result<> apply(const Operation& operation, const Shape& shape, Product& product) {
        if (operation.kind == Kind::Transpose) {
            product.transpose();
            return {};
        }
        const auto selection = rowSelection(operation, shape);
        const bool keepsDimensions = operation.kind != Kind::TakeParts;
        if (!selection || !*selection || !keepsDimensions) {
            return fail(ErrorCode::NotSupported, {},
                        {Argument(Detail::AdapterOperation, {operationFact(operation.kind).name})});
        }
        // Rows of the matrix are rows of the left factor, columns are columns of the right one.
        (operation.parameters[0] == 0 ? product.right : product.left).operations.push_back(operation);
        return {};
    }

    Result<> add(const AdapterModule& module, const Placement& placement, Product product, const Shape& shape) {
        GUFO_TRY(checkBase(placement, shape));
        const auto [at, isNew] = m_drafts.try_emplace(placement.target);
        if (isNew) {
            m_order.push_back(placement.target);
            at->second.module = module.name;
        }
        at->second.isStack = placement.expert.has_value();
        return at->second.parts.emplace(placement.expert.value_or(0), std::move(product)).second
                   ? Result<>()
                   : fail(ErrorCode::InvalidArgument, Place::tensor(module.name), {Detail::DuplicateTensorName});
    }

    // Checks that the base model has the matrix, if its tensors are known.
    Result<> checkBase(const Placement& placement, const Shape& shape) const {
        if (m_base.model() == nullptr) {
            return {};
        }
        const auto index = m_base.model()->findTensor(placement.target);
        if (!index) {
            return fail(ErrorCode::NoSuchTensor, {}, {placement.target});
        }
        const Shape& wanted = m_base.model()->tensor(*index).shape;
        const auto tokens = dimensionOfTokens(parseTensorName(placement.target));
        if (tokens && shape[*tokens] != wanted[*tokens] && shape[1 - *tokens] == wanted[1 - *tokens]) {
            return fail(ErrorCode::NotSupported, Place::tensor(placement.target),
                        {Argument(Detail::AdapterVocabulary, {shape[*tokens], wanted[*tokens]})});
        }
        return wanted[0] == shape[0] && (shape.count() < 2 || wanted[1] == shape[1])
                   ? Result<>()
                   : fail(ErrorCode::WrongShape, Place::tensor(placement.target),
                          {shapeText(shape), shapeText(wanted)});
    }

    Result<> finishRows() {
        for (const std::string& target : m_order) {
            const Draft& draft = m_drafts.at(target);
            const std::uint64_t count = expertsOf(draft);
            if (draft.parts.rbegin()->first >= count || count > kMaxExperts) {
                return fail(ErrorCode::NotSupported, Place::tensor(draft.module),
                            {Argument(Detail::ExpertsIncomplete, {draft.parts.rbegin()->first + 1, count})});
            }
            GUFO_TRY(addRow(target + ".lora_a", draft, &Product::right));
            GUFO_TRY(addRow(target + ".lora_b", draft, &Product::left));
        }
        for (PlannedRow& row : m_replaced) {
            GUFO_TRY(finishRow(std::move(row)));
        }
        return {};
    }

    // The number of matrices that a stack has: as many as in the base model, or else as in the adapter.
    [[nodiscard]] std::uint64_t expertsOf(const Draft& draft) const {
        return !draft.isStack ? 1 : m_facts.experts() != 0 ? m_facts.experts() : draft.parts.rbegin()->first + 1;
    }

    // Factors of zeros change nothing, so they stand for the experts that the adapter does not train.
    Result<> addRow(std::string target, const Draft& draft, Factor Product::* which) {
        PlannedRow row{.target = std::move(target)};
        const Factor& first = draft.parts.begin()->second.*which;
        for (std::uint64_t expert = 0; expert < expertsOf(draft); ++expert) {
            const auto part = draft.parts.find(expert);
            if (part == draft.parts.end()) {
                row.parts.push_back(
                    {.weight = first.tensor, .shape = m_model.tensor(first.tensor).shape, .isZero = true});
                continue;
            }
            const Factor& factor = part->second.*which;
            const TensorInfo& tensor = m_model.tensor(factor.tensor);
            if (factor.operations != first.operations || tensor.shape != m_model.tensor(first.tensor).shape) {
                return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(tensor.name)), {Detail::PartsDiffer});
            }
            row.operations = factor.operations;
            row.sources.emplace_back(tensor.name);
            row.parts.push_back({.weight = factor.tensor, .shape = tensor.shape});
            row.typeId = typeOf(tensor);
        }
        if (draft.isStack) {
            row.operations.push_back({Kind::Stack, {static_cast<std::int64_t>(row.parts.size())}});
        }
        row.operations.push_back({Kind::Rename});
        return finishRow(std::move(row));
    }

    Result<> finishRow(PlannedRow row) {
        row.shape = row.parts.front().shape;
        for (const Operation& operation : row.operations) {
            row.shape = GUFO_TRY(shapeAfter(operation, row.shape));
        }
        const auto bytes = tensorBytes(*findTensorType(row.typeId), row.shape);
        if (!bytes) {
            return fail(ErrorCode::NotSupported, Place::tensor(row.target), {Detail::TensorSizeUnknown});
        }
        row.bytes = *bytes;
        m_plan.tensorBytes += row.bytes;
        m_plan.weights += row.shape.weights().value_or(0);
        m_plan.rows.push_back(std::move(row));
        return {};
    }

    [[nodiscard]] std::uint32_t typeOf(const TensorInfo& tensor) const {
        const auto isOneOf = [&](TensorType type) { return tensor.typeId == static_cast<std::uint32_t>(type); };
        const bool stays = isOneOf(TensorType::F32) || isOneOf(TensorType::F16) || isOneOf(TensorType::BF16);
        return m_request.type ? static_cast<std::uint32_t>(*m_request.type)
               : stays        ? tensor.typeId
                              : static_cast<std::uint32_t>(TensorType::F32);
    }

    void planKeys() {
        const auto memberOfConfig = [](std::string_view member) { return memberOf(kAdapterConfig, member); };
        KeyList keys;
        keys.setText("general.architecture", std::string(m_plan.architecture->name), "config.json:architectures");
        GeneralOptions general{.kind = "adapter",
                               .baseModel = m_config.baseModel(),
                               .baseModelFrom = memberOfConfig("base_model_name_or_path")};
        if (!m_request.name.empty()) {
            general.name = m_request.name;
        }
        for (PlannedKey& key : planGeneralKeys(m_source, general)) {
            keys.set(key.key, std::move(key.value), std::move(key.from));
        }
        keys.setText("adapter.type", "lora", memberOfConfig("peft_type"));
        keys.set("adapter.lora.alpha", Value(static_cast<float>(m_alpha)), memberOfConfig("lora_alpha"));
        if (!m_config.task().empty()) {
            keys.setText("adapter.lora.task_name", m_config.task(), memberOfConfig("task_type"));
        }
        if (!m_config.invocationTokens().empty()) {
            ArrayBuilder tokens(ValueType::UInt32);
            for (const std::uint32_t token : m_config.invocationTokens()) {
                tokens.add(token);
            }
            keys.set("adapter.alora.invocation_tokens", Value(tokens.view()),
                     memberOfConfig("alora_invocation_tokens"));
        }
        const std::uint32_t type = m_plan.rows.front().typeId;
        const FileTypeFact* fileType = findFileType(findTensorType(type)->name);
        const bool isOne = std::ranges::all_of(m_plan.rows, [&](const PlannedRow& row) { return row.typeId == type; });
        if (isOne && fileType != nullptr) {
            keys.set("general.file_type", Value(fileType->value), {});
        }
        keys.set("general.quantization_version", Value(kQuantizationVersion), {});
        m_plan.keys = std::move(keys).take();
        m_plan.findings = errorsOf(m_model);
        std::ranges::move(choicesOf(m_model), std::back_inserter(m_plan.findings));
    }

    const SourceFolder& m_source;
    const Model& m_model;
    const SourceFolder& m_base;
    const AdapterRequest& m_request;
    PeftConfig m_config;
    ModelFacts m_facts;
    ConversionPlan m_plan;
    std::map<std::string, Draft> m_drafts;
    std::vector<PlannedRow> m_replaced;
    std::vector<std::string> m_order; // of the drafts
    double m_alpha = 1;               // of the result
};

} // namespace

bool isAdapter(const SourceFolder& source) {
    const Model* model = source.model().get();
    return model != nullptr && !model->files.empty() &&
           model->files.front().path.filename().native().starts_with("adapter_model.");
}

Result<ConversionPlan> planAdapter(const SourceFolder& adapter, const SourceFolder& base,
                                   const AdapterRequest& request) {
    auto config = GUFO_TRY(PeftConfig::read(adapter));
    return AdapterPlanner(adapter, base, request, std::move(config)).plan();
}

} // namespace gufo::convert
