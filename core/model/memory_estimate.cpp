#include "model/memory_estimate.h"

#include "base/checked.h"
#include "base/detail.h"
#include "model/architectures.h"
#include "model/block_memory.h"
#include "model/file_kind.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "model/token.h"
#include "tensor/kernels/attention.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

struct KvCacheTypeRow {
    KvCacheType type;
    std::string_view name;
    TensorType encoding;
};
// In the order of KvCacheType.
constexpr auto kKvCacheTypeRows = std::to_array<KvCacheTypeRow>({
    {KvCacheType::F32, "f32", TensorType::F32},
    {KvCacheType::F16, "f16", TensorType::F16},
    {KvCacheType::BF16, "bf16", TensorType::BF16},
    {KvCacheType::Q8_0, "q8_0", TensorType::Q8_0},
    {KvCacheType::Q5_1, "q5_1", TensorType::Q5_1},
    {KvCacheType::Q5_0, "q5_0", TensorType::Q5_0},
    {KvCacheType::Q4_1, "q4_1", TensorType::Q4_1},
    {KvCacheType::Q4_0, "q4_0", TensorType::Q4_0},
});
constexpr auto kKvCacheTypes = [] {
    std::array<KvCacheType, kKvCacheTypeRows.size()> types{};
    std::ranges::transform(kKvCacheTypeRows, types.begin(), &KvCacheTypeRow::type);
    return types;
}();
const KvCacheTypeRow& rowOf(KvCacheType type) { return kKvCacheTypeRows.at(static_cast<std::size_t>(type)); }

constexpr std::uint64_t kFloatBytes = 4;

struct Plan {
    std::uint64_t trainedContext = 0;
    CheckedSize weights = 0;
    std::vector<BlockKind> kinds;
    CheckedSize recurrentState = 0;
    CheckedSize bufferPerToken = 0; // bytes of activations per token of a batch
    CheckedSize scoresPerToken = 0; // bytes of attention scores per token of context
    CheckedSize logits = 0;
};

// The number of logits: the rows of the output, of the embedding if the two are tied, or else the value of the key.
std::uint64_t vocabularySize(const Model& model, const HyperParameters& parameters) {
    for (const std::string_view name : {"output.weight", "token_embd.weight"}) {
        if (const auto index = model.findTensor(name)) {
            return model.tensor(*index).shape[1];
        }
    }
    if (const auto size = parameters.uint("vocab_size")) {
        return *size;
    }
    const ArrayView* tokens = model.metadata.array(kTokensKey);
    return tokens != nullptr ? tokens->length : 0;
}

// The widest feed-forward of all blocks. With experts, this is the sum of the experts used per token and the shared
// ones.
std::uint64_t widestFeedForward(const HyperParameters& parameters, std::uint64_t blocks) {
    const std::uint64_t widest = parameters.blockValues("feed_forward_length").largest(blocks);
    const std::uint64_t used = parameters.uint("expert_used_count").value_or(0);
    const std::uint64_t expert = parameters.uint("expert_feed_forward_length").value_or(widest);
    const std::uint64_t shared =
        parameters.uint("expert_shared_feed_forward_length")
            .or_else([&] { return (CheckedSize(parameters.uint("expert_shared_count").value_or(0)) * expert).value(); })
            .value_or(0);
    const CheckedSize experts = CheckedSize(used) * expert + shared;
    return std::max(widest, experts.value().value_or(~std::uint64_t{0}));
}

Result<Plan> makePlan(const Model& model) {
    if (const FileKind kind = fileKind(model); kind != FileKind::Model) {
        return fail(ErrorCode::NotSupported, {}, {std::string(fileKindName(kind))});
    }
    const HyperParameters parameters(model.metadata);
    const std::uint64_t count =
        parameters.uint("decoder_block_count").or_else([&] { return parameters.uint("block_count"); }).value_or(0);
    if (count == 0 || count > kMaxBlocks) {
        return std::unexpected(unusableHyperParameter(model.metadata, "block_count"));
    }
    const std::uint64_t embedding = parameters.uint("embedding_length").value_or(0);
    if (embedding == 0) {
        return std::unexpected(unusableHyperParameter(model.metadata, "embedding_length"));
    }
    const ArchitectureFact* architecture = findArchitecture(model.metadata.architecture());
    const std::uint64_t heads = parameters.blockValues("attention.head_count").largest(count);
    if (heads == 0 && (architecture == nullptr || !architecture->recurrent)) {
        return std::unexpected(unusableHyperParameter(model.metadata, "attention.head_count"));
    }

    Plan plan;
    plan.trainedContext = parameters.uint("context_length").value_or(0);
    for (const TensorInfo& tensor : model.tensors) {
        plan.weights += tensor.bytes.value_or(0);
    }
    const Blocks blocks(model, parameters, count);
    std::vector<BlockKind> each;
    for (std::uint64_t i = 0; i < count; ++i) {
        each.push_back(blocks.kind(i));
        if (blocks.recurrent(i)) {
            plan.recurrentState += CheckedSize(kFloatBytes) * recurrentElements(parameters, embedding, heads);
        }
    }
    plan.kinds = groupBlocks(std::move(each));
    std::uint64_t keyValue = 0;
    for (const BlockKind& kind : plan.kinds) {
        keyValue = std::max(
            keyValue,
            (CheckedSize(kind.heads) * (CheckedSize(kind.keyRow) + kind.valueRow)).value().value_or(~std::uint64_t{0}));
    }
    // Activations per token of a batch, f32: the residual stream, its norm and the output of a branch (3 × n_embd),
    // plus the widest branch: attention (Q and its output for all heads, K and V), feed-forward (gate and up) or a
    // state space (2 × d_inner).
    const CheckedSize attention =
        CheckedSize(heads) * (CheckedSize(blocks.keyLength()) + blocks.valueLength()) + keyValue;
    const CheckedSize feedForward = CheckedSize(2) * widestFeedForward(parameters, count);
    const CheckedSize stateSpace = CheckedSize(2) * parameters.uint("ssm.inner_size").value_or(0);
    std::uint64_t branch = 0;
    for (const CheckedSize& width : {attention, feedForward, stateSpace}) {
        branch = std::max(branch, width.value().value_or(~std::uint64_t{0}));
    }
    plan.bufferPerToken = CheckedSize(kFloatBytes) * (CheckedSize(3) * embedding + branch);
    // Attention scores, f32: one row over the context per head, because a batch is processed row by row.
    plan.scoresPerToken = CheckedSize(kFloatBytes) * heads * CheckedSize(keyValue != 0 ? 1 : 0);
    plan.logits = CheckedSize(kFloatBytes) * vocabularySize(model, parameters);
    return plan;
}

Result<MemoryEstimate> evaluate(const Plan& plan, const MemoryRequest& request, std::uint64_t context) {
    const std::uint64_t batch = std::min(std::max<std::uint64_t>(request.batch, 1), context);
    CheckedSize cache = 0;
    CheckedSize perToken = 0;
    bool windows = false;
    // KV cache: the sum over all blocks of tokens kept × (row bytes of K + row bytes of V) × KV heads. A block with a
    // sliding window keeps the window plus one batch.
    for (const BlockKind& kind : plan.kinds) {
        const CheckedSize row = kvRowBytes(request.keys, kind.keyRow) * kind.heads +
                                kvRowBytes(request.values, kind.valueRow) * kind.heads +
                                kvRowBytes(request.keys, kind.indexRow);
        const std::uint64_t kept =
            kind.window != 0 ? std::min(context, checkedAdd(kind.window, batch).value_or(context)) : context;
        cache += CheckedSize(kind.blocks) * kept * row;
        windows |= kind.window != 0;
        perToken += kind.window != 0 ? CheckedSize(0) : CheckedSize(kind.blocks) * row;
    }
    const CheckedSize buffers = CheckedSize(batch) * plan.bufferPerToken + CheckedSize(context) * plan.scoresPerToken;
    const CheckedSize total = plan.weights + cache + plan.recurrentState + buffers + plan.logits;
    if (!total.value() || !perToken.value()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::MemoryOverflow});
    }
    return MemoryEstimate{.context = context,
                          .trainedContext = plan.trainedContext,
                          .weights = *plan.weights.value(),
                          .kvCache = *cache.value(),
                          .kvPerToken = *perToken.value(),
                          .slidingWindows = windows,
                          .recurrentState = *plan.recurrentState.value(),
                          .buffers = *buffers.value(),
                          .logits = *plan.logits.value()};
}

constexpr std::uint64_t kDefaultContext = 4096;

std::uint64_t contextOf(const Plan& plan, const MemoryRequest& request) {
    if (request.context != 0) {
        return request.context;
    }
    return plan.trainedContext != 0 ? std::min(plan.trainedContext, kDefaultContext) : kDefaultContext;
}

} // namespace

std::string_view kvCacheTypeName(KvCacheType type) { return rowOf(type).name; }

std::optional<KvCacheType> kvCacheTypeFromName(std::string_view name) {
    const auto* row = std::ranges::find(kKvCacheTypeRows, name, &KvCacheTypeRow::name);
    return row != kKvCacheTypeRows.end() ? std::optional(row->type) : std::nullopt;
}

std::span<const KvCacheType> kvCacheTypes() { return kKvCacheTypes; }

TensorType kvTensorType(KvCacheType type) { return rowOf(type).encoding; }

CheckedSize kvRowBytes(KvCacheType type, std::uint64_t length) {
    const TensorTypeFact& encoding = tensorTypeFact(kvTensorType(type));
    if (type == KvCacheType::F16) {
        const std::uint64_t rest = length % kBlock16;
        return (CheckedSize(length - rest) + codesOfRow16(rest)) * encoding.blockBytes;
    }
    const std::uint64_t groups = length / encoding.blockSize + (length % encoding.blockSize != 0 ? 1 : 0);
    return CheckedSize(groups) * encoding.blockBytes;
}

Result<MemoryEstimate> estimateMemory(const Model& model, const MemoryRequest& request) {
    const auto plan = GUFO_TRY(makePlan(model));
    return evaluate(plan, request, contextOf(plan, request));
}

Result<std::optional<std::uint64_t>> largestContext(const Model& model, const MemoryRequest& request,
                                                    std::uint64_t budget) {
    const auto plan = GUFO_TRY(makePlan(model));
    // The total grows with the context, so a binary search finds the largest that fits. A sum that overflows 64 bits
    // fits no budget.
    const auto fits = [&](std::uint64_t context) {
        const auto estimate = evaluate(plan, request, context);
        return estimate && estimate->total() <= budget;
    };
    std::uint64_t fitting = 0;
    std::uint64_t tooLarge = (plan.trainedContext != 0 ? std::min(plan.trainedContext, kMaxContext) : kMaxContext) + 1;
    while (fitting + 1 < tooLarge) {
        const std::uint64_t middle = fitting + (tooLarge - fitting) / 2;
        (fits(middle) ? fitting : tooLarge) = middle;
    }
    return fitting != 0 ? std::optional(fitting) : std::nullopt;
}

} // namespace gufo
