#include "quantize/recipe.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "model/file_type.h"
#include "model/hyper_parameters.h"
#include "model/tensor_role.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace gufo {
namespace {

constexpr std::uint32_t id(TensorType type) { return static_cast<std::uint32_t>(type); }

struct PartOfRoleRow {
    std::string_view role;
    RecipePart part;
};
constexpr auto kParts = std::to_array<PartOfRoleRow>({
    {"attn_qkv", RecipePart::AttentionValue},
    {"attn_kv_b", RecipePart::AttentionValue},
    {"attn_v", RecipePart::AttentionValue},
    {"cross_attn_v", RecipePart::AttentionValue},
    {"attn_k", RecipePart::AttentionKey},
    {"cross_attn_k", RecipePart::AttentionKey},
    {"attn_q", RecipePart::AttentionQuery},
    {"cross_attn_q", RecipePart::AttentionQuery},
    {"attn_output", RecipePart::AttentionOutput},
    {"cross_attn_output", RecipePart::AttentionOutput},
});
// Roles that begin with these names, which includes experts and shared experts.
constexpr auto kFamilies = std::to_array<PartOfRoleRow>({
    {"ffn_up", RecipePart::FeedForwardUp},
    {"ffn_gate", RecipePart::FeedForwardGate},
    {"ffn_down", RecipePart::FeedForwardDown},
});

// Matrices that keep their type because they are small or because errors in them are disproportionately expensive. Each
// entry is a part of the name.
constexpr auto kKept = std::to_array<std::string_view>({
    "_norm.weight",
    "ffn_gate_inp.weight",
    "ffn_gate_tid2eid.weight",
    "altup",
    "laurel",
    "per_layer_model_proj",
    "position_embd",
    "token_types",
    "ssm_conv1d",
    "shortconv.conv.weight",
    "indexer.k_proj.weight",
    "indexer.q_proj.weight",
    "time_mix_first.weight",
    "time_mix_w0.weight",
    "time_mix_w1.weight",
    "time_mix_w2.weight",
    "time_mix_v0.weight",
    "time_mix_v1.weight",
    "time_mix_v2.weight",
    "time_mix_a0.weight",
    "time_mix_a1.weight",
    "time_mix_a2.weight",
    "time_mix_g1.weight",
    "time_mix_g2.weight",
    "time_mix_decay_w1.weight",
    "time_mix_decay_w2.weight",
    "time_mix_lerp_fused.weight",
    "attn_rel_b.weight",
    "sam.pos_embd",
    "sam.neck.",
    "sam.net_",
    ".rel_pos",
    ".patch_embd",
    ".patch_merger",
    "a.rvq.codebook",
    "mm.a.code_embd",
});

// The replacements for types whose blocks do not fit the rows. If the replacement does not fit either, F16 is used.
struct FallbackRow {
    TensorType wanted;
    TensorType instead;
};
constexpr auto kFallbacks = std::to_array<FallbackRow>({
    {TensorType::Q2_K, TensorType::Q4_0},      {TensorType::Q3_K, TensorType::Q4_0},
    {TensorType::Q4_K, TensorType::Q5_0},      {TensorType::Q5_K, TensorType::Q5_1},
    {TensorType::Q6_K, TensorType::Q8_0},      {TensorType::IQ4_XS, TensorType::IQ4_NL},
    {TensorType::IQ3_S, TensorType::IQ4_NL},   {TensorType::IQ3_XXS, TensorType::IQ4_NL},
    {TensorType::IQ2_S, TensorType::IQ4_NL},   {TensorType::IQ2_XS, TensorType::IQ4_NL},
    {TensorType::IQ2_XXS, TensorType::IQ4_NL}, {TensorType::IQ1_M, TensorType::IQ4_NL},
    {TensorType::IQ1_S, TensorType::IQ4_NL},   {TensorType::TQ2_0, TensorType::Q4_0},
    {TensorType::TQ1_0, TensorType::Q4_0},     {TensorType::IQ5_K, TensorType::Q5_1},
    {TensorType::IQ4_K, TensorType::Q5_0},     {TensorType::IQ3_K, TensorType::IQ4_NL},
    {TensorType::IQ2_K, TensorType::IQ4_NL},   {TensorType::IQ6_K, TensorType::Q8_0},
    {TensorType::IQ5_KS, TensorType::Q5_0},    {TensorType::IQ4_KS, TensorType::IQ4_NL},
    {TensorType::IQ4_KSS, TensorType::IQ4_NL}, {TensorType::IQ3_KS, TensorType::IQ4_NL},
    {TensorType::IQ2_KL, TensorType::IQ4_NL},  {TensorType::IQ2_KS, TensorType::IQ4_NL},
});

bool isMatrix(const Shape& shape) {
    std::size_t dimensions = shape.count();
    while (dimensions > 0 && shape[dimensions - 1] == 1) {
        --dimensions;
    }
    return dimensions >= 2;
}

bool fitsRows(const TensorInfo& tensor, std::uint32_t typeId) {
    return tensor.shape[0] % findTensorType(typeId)->blockSize == 0;
}

// The properties of a model that rules depend on.
class Facts {
public:
    Facts(const Model& model, const RecipeRequest& request)
        : m_hasImatrix(request.hasImatrix)
        , m_tied(!model.findTensor("output.weight"))
        , m_falcon(model.metadata.architecture() == "falcon") {
        const HyperParameters parameters(model.metadata);
        m_blocks = parameters.uint("block_count").value_or(0);
        m_experts = parameters.uint("expert_count").value_or(0);
        const std::uint64_t heads = parameters.uintAt("attention.head_count", 0).value_or(1);
        const std::uint64_t kvHeads = parameters.uintAt("attention.head_count_kv", 0).value_or(heads);
        m_queries = kvHeads == 0 ? 1 : heads / kvHeads;
        std::uint64_t highest = 0;
        for (const TensorInfo& tensor : model.tensors) {
            const auto block = parseTensorName(tensor.name).block;
            highest = std::max<std::uint64_t>(highest, block ? *block + 1ULL : 0);
            if (block && recipePart(tensor.name) == RecipePart::AttentionValue) {
                m_values.emplace(*block, 0);
            }
        }
        m_blocks = m_blocks == 0 ? highest : m_blocks;
        std::uint64_t rank = 0;
        for (auto& [block, place] : m_values) {
            place = rank++;
        }
    }

    [[nodiscard]] RecipePart partOf(const TensorInfo& tensor) const {
        const RecipePart part = recipePart(tensor.name);
        return part == RecipePart::TokenEmbedding && m_tied ? RecipePart::Output : part;
    }
    [[nodiscard]] bool falcon() const { return m_falcon; }
    [[nodiscard]] bool eightExperts() const { return m_experts == 8; }
    // The 70B models with 80 blocks, whose attention value matrices are small.
    [[nodiscard]] bool smallValues() const { return m_blocks == 80 && m_queries >= 8; }

    [[nodiscard]] bool hold(RecipeModels models) const {
        switch (models) {
        case RecipeModels::All:
            return true;
        case RecipeModels::SeveralQueries:
            return m_queries >= 2;
        case RecipeModels::ManyQueries:
            return m_queries >= 4;
        case RecipeModels::ManyQueriesOrExperts:
            return m_queries >= 4 || m_experts >= 4;
        case RecipeModels::EightExperts:
            return eightExperts();
        case RecipeModels::WithImatrix:
            return m_hasImatrix;
        case RecipeModels::WithoutImatrix:
            return !m_hasImatrix;
        case RecipeModels::Falcon:
            return m_falcon;
        case RecipeModels::NotFalcon:
            return !m_falcon;
        }
        return false;
    }

    // Attention value matrices are numbered among themselves, because not every block has one.
    [[nodiscard]] bool hold(RecipeBlocks blocks, RecipePart part, std::string_view name) const {
        if (blocks == RecipeBlocks::All) {
            return true;
        }
        const auto block = parseTensorName(name).block;
        if (!block) {
            return false;
        }
        const bool value = part == RecipePart::AttentionValue;
        const std::uint64_t i = value ? m_values.at(*block) : *block;
        const std::uint64_t n = value ? m_values.size() : m_blocks;
        switch (blocks) {
        case RecipeBlocks::All:
            return true;
        case RecipeBlocks::MoreBits:
            return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
        case RecipeBlocks::FirstEighth:
            return i < n / 8;
        case RecipeBlocks::MiddleEighths:
            return i >= n / 8 && i < 7 * n / 8;
        case RecipeBlocks::FirstSixteenth:
            return i < n / 16;
        case RecipeBlocks::FirstTwo:
            return i < 2;
        case RecipeBlocks::FirstFour:
            return i < 4;
        }
        return false;
    }

private:
    bool m_hasImatrix;
    bool m_tied; // the token embedding is also the output
    bool m_falcon;
    std::uint64_t m_blocks = 0;
    std::uint64_t m_experts = 0;
    std::uint64_t m_queries = 1;                     // query heads per key and value head
    std::map<std::uint32_t, std::uint64_t> m_values; // number of each block among those with attention values
};

const RecipeRule* findRule(const Recipe& recipe, const Facts& facts, const TensorInfo& tensor, RecipePart part) {
    const auto rule = std::ranges::find_if(recipe.rules, [&](const RecipeRule& r) {
        return r.part == part && facts.hold(r.models) && facts.hold(r.blocks, part, tensor.name);
    });
    return rule != recipe.rules.end() ? &*rule : nullptr;
}

TensorType outputType(const Recipe& recipe, const Facts& facts, const TensorInfo& tensor) {
    const bool eightBits = recipe.type == TensorType::MXFP4 || recipe.type == TensorType::Q8_0 || facts.falcon() ||
                           !fitsRows(tensor, id(recipe.type));
    if (eightBits) {
        return TensorType::Q8_0;
    }
    const RecipeRule* rule = findRule(recipe, facts, tensor, RecipePart::Output);
    return rule != nullptr ? rule->type : TensorType::Q6_K;
}

TensorType ruledType(const Recipe& recipe, const Facts& facts, const TensorInfo& tensor, RecipePart part) {
    const RecipeRule* rule = findRule(recipe, facts, tensor, part);
    TensorType type = rule != nullptr ? rule->type : recipe.type;
    if (recipe.attention == RecipeAttention::ByRules) {
        return type;
    }
    const bool value = part == RecipePart::AttentionValue;
    if (value && facts.smallValues() && (type == TensorType::Q3_K || type == TensorType::Q4_K)) {
        type = TensorType::Q5_K;
    }
    if (facts.eightExperts()) {
        if (value || part == RecipePart::AttentionKey) {
            type = TensorType::Q8_0;
        } else if (part == RecipePart::AttentionOutput) {
            type = recipe.attention == RecipeAttention::AlsoOutput ? TensorType::Q5_K : recipe.type;
        }
    }
    return type;
}

TensorType typeByRecipe(const Recipe& recipe, const Facts& facts, const TensorInfo& tensor, RecipePart part) {
    if (tensorTypeFact(recipe.type).kind == TensorTypeKind::Float) {
        return recipe.type;
    }
    if (part == RecipePart::Output) {
        return outputType(recipe, facts, tensor);
    }
    if (recipe.type == TensorType::MXFP4) {
        return tensor.shape[2] > 1 ? TensorType::MXFP4 : TensorType::Q8_0;
    }
    return ruledType(recipe, facts, tensor, part);
}

std::uint32_t fittingType(const TensorInfo& tensor, std::uint32_t wanted) {
    if (fitsRows(tensor, wanted)) {
        return wanted;
    }
    const auto* row =
        std::ranges::find(kFallbacks, wanted, [](const FallbackRow& fallback) { return id(fallback.wanted); });
    const bool fits = row != kFallbacks.end() && fitsRows(tensor, id(row->instead));
    return id(fits ? row->instead : TensorType::F16);
}

// Tensors of numbers that are not weights (ids, counts) are never converted.
bool isConvertible(const TensorInfo& tensor) {
    const TensorTypeFact* type = tensor.type();
    return type != nullptr && !tensor.bytesDerived && type->kind != TensorTypeKind::Integer && isDecodable(type->id);
}

// Decides which override applies to each tensor.
class Overrides {
public:
    Overrides(const Model& model, const std::vector<TypeOverride>& overrides)
        : m_overrides(overrides)
        , m_deciding(model.tensors.size())
        , m_keptMatch(overrides.size())
        , m_applies(overrides.size()) {
        for (std::size_t t = 0; t < model.tensors.size(); ++t) {
            const TensorInfo& tensor = model.tensors[t];
            const bool open = !recipeKeeps(tensor) && isConvertible(tensor);
            for (std::size_t i = 0; i < overrides.size(); ++i) {
                if (!overrides[i].matches(tensor.name)) {
                    continue;
                }
                if (open || namesInFull(overrides[i].pattern, tensor.name)) {
                    m_applies[i] = true;
                    m_deciding[t] = m_deciding[t].value_or(i);
                } else if (!m_keptMatch[i]) {
                    m_keptMatch[i] = tensor.name;
                }
            }
        }
    }

    // Fails for an override that applies to no tensor.
    [[nodiscard]] Result<> check() const {
        for (std::size_t i = 0; i < m_overrides.size(); ++i) {
            const std::string& pattern = m_overrides[i].pattern;
            if (m_applies[i]) {
                continue;
            }
            return fail(ErrorCode::InvalidArgument, {},
                        {m_keptMatch[i] ? Argument(Detail::OverrideMatchesOnlyKept, {pattern, *m_keptMatch[i]})
                                        : Argument(Detail::OverrideMatchesNothing, {pattern})});
        }
        return {};
    }

    [[nodiscard]] std::optional<std::uint32_t> typeOf(TensorIndex tensor) const {
        const auto deciding = m_deciding[tensor.value];
        return deciding ? std::optional(m_overrides[*deciding].typeId) : std::nullopt;
    }

    [[nodiscard]] std::vector<std::size_t> idle() const {
        std::vector<bool> decides(m_overrides.size());
        for (const auto& deciding : m_deciding) {
            if (deciding) {
                decides[*deciding] = true;
            }
        }
        std::vector<std::size_t> idle;
        for (std::size_t i = 0; i < decides.size(); ++i) {
            if (!decides[i]) {
                idle.push_back(i);
            }
        }
        return idle;
    }

private:
    const std::vector<TypeOverride>& m_overrides;
    std::vector<std::optional<std::size_t>> m_deciding;       // by tensor
    std::vector<std::optional<std::string_view>> m_keptMatch; // by override: a tensor that it matches without effect
    std::vector<bool> m_applies;                              // by override
};

std::optional<std::uint32_t> askedType(const RecipeRequest& request, const Overrides& overrides, const Facts& facts,
                                       const Model& model, TensorIndex index) {
    if (const auto type = overrides.typeOf(index)) {
        return type;
    }
    const TensorInfo& tensor = model.tensor(index);
    if (recipePart(tensor.name) == RecipePart::TokenEmbedding && request.embeddingType) {
        return request.embeddingType;
    }
    return facts.partOf(tensor) == RecipePart::Output ? request.outputType : std::nullopt;
}

Result<PlannedTensor> planTensor(const Model& model, TensorIndex index, const RecipeRequest& request,
                                 const Overrides& overrides, const Facts& facts) {
    const TensorInfo& tensor = model.tensor(index);
    const Place place = Place::tensor(std::string(tensor.name));
    if (!tensor.bytes) {
        return fail(ErrorCode::NotSupported, place, {Detail::TensorSizeUnknown});
    }
    PlannedTensor plan{.tensor = index, .typeId = tensor.typeId, .bytes = *tensor.bytes, .reason = TypeReason::Kept};
    const auto asked = askedType(request, overrides, facts, model, index);
    if (asked && *asked != tensor.typeId && !isConvertible(tensor)) {
        return fail(ErrorCode::NotDecodable, place, {tensor.typeName()});
    }
    const bool keepsRest = request.recipe == nullptr && !request.rest;
    if (!asked && (keepsRest || recipeKeeps(tensor) || !isConvertible(tensor))) {
        return plan;
    }
    const std::uint32_t wanted = asked ? *asked
                                 : request.recipe == nullptr
                                     ? *request.rest
                                     : id(typeByRecipe(*request.recipe, facts, tensor, facts.partOf(tensor)));
    plan.typeId = asked == tensor.typeId ? tensor.typeId : fittingType(tensor, wanted);
    plan.reason = plan.typeId != wanted ? TypeReason::Fallback : asked ? TypeReason::Override : TypeReason::Recipe;
    if (plan.typeId != tensor.typeId) {
        const TensorTypeFact& type = *findTensorType(plan.typeId);
        plan.bytes = tensorBytes(type, tensor.shape).value_or(0);
    }
    return plan;
}

Result<> checkTypes(const RecipeRequest& request) {
    std::vector<std::uint32_t> asked;
    for (const TypeOverride& override : request.overrides) {
        asked.push_back(override.typeId);
    }
    for (const auto& type : {request.outputType, request.embeddingType, request.rest}) {
        if (type) {
            asked.push_back(*type);
        }
    }
    for (const std::uint32_t typeId : asked) {
        const TensorTypeFact* type = findTensorType(typeId);
        if (!isEncodable(typeId)) {
            return fail(ErrorCode::NotEncodable, {},
                        {type != nullptr ? std::string(type->name) : "type " + std::to_string(typeId)});
        }
    }
    return {};
}

// The types requested for the output and the token embedding need such a tensor.
Result<> checkParts(const Model& model, const RecipeRequest& request, const Facts& facts) {
    const auto has = [&](auto&& is) { return std::ranges::any_of(model.tensors, is); };
    if (request.outputType &&
        !has([&](const TensorInfo& tensor) { return facts.partOf(tensor) == RecipePart::Output; })) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoOutputTensor});
    }
    if (request.embeddingType &&
        !has([](const TensorInfo& tensor) { return recipePart(tensor.name) == RecipePart::TokenEmbedding; })) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoTokenEmbedding});
    }
    return {};
}

} // namespace

bool recipeKeeps(const TensorInfo& tensor) {
    const bool keeps = std::ranges::any_of(
        kKept, [&](std::string_view part) { return tensor.name.find(part) != std::string_view::npos; });
    return keeps || !isMatrix(tensor.shape) || !tensor.name.ends_with("weight");
}

RecipePart recipePart(std::string_view tensorName) {
    if (!tensorName.ends_with(".weight")) {
        return RecipePart::Other;
    }
    const TensorName name = parseTensorName(tensorName);
    if (!name.block && name.prefix.empty()) {
        return name.role == "output"                                              ? RecipePart::Output
               : name.role == "token_embd" || name.role == "per_layer_token_embd" ? RecipePart::TokenEmbedding
                                                                                  : RecipePart::Other;
    }
    const auto* exact = std::ranges::find(kParts, name.role, &PartOfRoleRow::role);
    if (exact != kParts.end()) {
        return exact->part;
    }
    const auto* family =
        std::ranges::find_if(kFamilies, [&](const PartOfRoleRow& p) { return name.role.starts_with(p.role); });
    return family != kFamilies.end() ? family->part : RecipePart::Other;
}

const Recipe* findRecipe(std::string_view name) {
    struct ShortRow {
        std::string_view name;
        std::string_view means;
    };
    constexpr auto kShort = std::to_array<ShortRow>({{"Q3_K", "Q3_K_M"}, {"Q4_K", "Q4_K_M"}, {"Q5_K", "Q5_K_M"}});
    const auto* brief =
        std::ranges::find_if(kShort, [&](const ShortRow& s) { return equalIgnoringCase(s.name, name); });
    const std::string_view full = brief != kShort.end() ? brief->means : name;
    const auto found =
        std::ranges::find_if(recipes(), [&](const Recipe& r) { return equalIgnoringCase(r.name, full); });
    return found != recipes().end() ? &*found : nullptr;
}

Result<RecipePlan> planRecipe(const Model& model, const RecipeRequest& request) {
    const Facts facts(model, request);
    const Overrides overrides(model, request.overrides);
    for (const auto& checked : {checkTypes(request), overrides.check(), checkParts(model, request, facts)}) {
        GUFO_TRY(checked);
    }
    RecipePlan plan{.tensors = {}, .idle = overrides.idle()};
    plan.tensors.reserve(model.tensors.size());
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const auto tensor = GUFO_TRY(planTensor(model, TensorIndex(i), request, overrides, facts));
        plan.tensors.push_back(tensor);
        const TensorInfo& stored = model.tensor(TensorIndex(i));
        if (tensor.typeId != stored.typeId && recipeKeeps(stored)) {
            plan.keptByRecipes.emplace_back(i);
        }
        if (tensor.typeId != stored.typeId && !request.hasImatrix && needsImportance(tensor.typeId)) {
            plan.needImportance.emplace_back(i);
        }
        if (tensor.typeId != stored.typeId && findTensorType(tensor.typeId)->origin == TensorTypeOrigin::IkLlama) {
            plan.onlyIkLlama.emplace_back(i);
        }
    }
    return plan;
}

} // namespace gufo
