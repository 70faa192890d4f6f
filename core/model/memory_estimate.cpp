#include "model/memory_estimate.h"

#include "base/checked.h"
#include "model/file_kind.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "model/tensor_role.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

// Elements come in groups of `group`, each `bytes` long.
struct KvCacheTypeFact {
    KvCacheType type;
    std::string_view name;
    std::uint64_t group;
    std::uint64_t bytes;
};
constexpr std::array kKvCacheTypes{KvCacheType::F32, KvCacheType::F16, KvCacheType::BF16, KvCacheType::Q8_0};
constexpr auto kKvCacheTypeFacts = std::to_array<KvCacheTypeFact>({
    {KvCacheType::F32, "f32", 1, 4},
    {KvCacheType::F16, "f16", 1, 2},
    {KvCacheType::BF16, "bf16", 1, 2},
    {KvCacheType::Q8_0, "q8_0", 32, 34},
});
const KvCacheTypeFact& factOf(KvCacheType type) { return kKvCacheTypeFacts.at(static_cast<std::size_t>(type)); }

// A sum or product of sizes from a hostile file: once it does not fit, it stays so.
class Size {
public:
    Size(std::uint64_t value) // NOLINT(google-explicit-constructor): stands for the number in formulas
        : m_value(value) {}
    friend Size operator+(Size a, Size b) { return a.with(b, checkedAdd); }
    friend Size operator*(Size a, Size b) { return a.with(b, checkedMultiply); }
    Size& operator+=(Size other) { return *this = *this + other; }
    [[nodiscard]] const std::optional<std::uint64_t>& value() const { return m_value; }

private:
    template<typename Operation>
    [[nodiscard]] Size with(Size other, Operation operation) const {
        Size result(0);
        result.m_value = m_value && other.m_value ? operation(*m_value, *other.m_value) : std::nullopt;
        return result;
    }
    std::optional<std::uint64_t> m_value;
};

constexpr std::uint64_t kFloatBytes = 4;

// What the estimate needs to know of the blocks: equal ones are counted, not repeated.
struct BlockKind {
    std::uint64_t keyRow = 0;   // elements of K a token: KV heads × key length
    std::uint64_t valueRow = 0; // likewise V
    std::uint64_t heads = 0;    // KV heads that share the rows
    std::uint64_t window = 0;   // 0: the whole context
    std::uint64_t blocks = 0;

    auto operator<=>(const BlockKind&) const = default;
    [[nodiscard]] bool sameAs(const BlockKind& other) const {
        return keyRow == other.keyRow && valueRow == other.valueRow && heads == other.heads && window == other.window;
    }
};

// Equal blocks together. By order: a hostile file may make every one of them different.
std::vector<BlockKind> groupBlocks(std::vector<BlockKind> blocks) {
    std::ranges::sort(blocks);
    std::vector<BlockKind> kinds;
    for (const BlockKind& block : blocks) {
        if (!kinds.empty() && kinds.back().sameAs(block)) {
            ++kinds.back().blocks;
        } else {
            kinds.push_back(block);
        }
    }
    return kinds;
}

struct Plan {
    std::uint64_t trainedContext = 0;
    Size weights = 0;
    std::vector<BlockKind> kinds;
    Size recurrentState = 0;
    Size bufferPerToken = 0; // bytes of activations of one token of a batch
    Size scoresPerToken = 0; // bytes of attention scores for one token of context
    Size logits = 0;
};

// Which parts the tensors of a block show; all false where a shard is missing.
struct BlockParts {
    bool any = false;
    bool attention = false; // a key or value projection
    bool joined = false;    // query, key and value in one: linear attention has it too
    bool recurrent = false;
    bool absorbed = false; // latent attention with the key's expansion in a tensor of its own
};

std::vector<BlockParts> findParts(const Model& model, std::uint64_t blocks) {
    std::vector<BlockParts> parts(static_cast<std::size_t>(blocks));
    for (const TensorInfo& tensor : model.tensors) {
        const TensorName name = parseTensorName(tensor.name);
        const bool ofModel = name.prefix.empty() || name.prefix == "dec.";
        if (name.fact == nullptr || !ofModel || !name.block || *name.block >= blocks) {
            continue;
        }
        BlockParts& part = parts[*name.block];
        part.any = true;
        part.recurrent |= name.fact->group == TensorGroup::Recurrent;
        part.joined |= name.role == "attn_qkv";
        part.attention |= name.role == "attn_k" || name.role == "attn_v" || name.role == "attn_kv_a_mqa";
        part.absorbed |= name.role == "attn_k_b";
    }
    return parts;
}

std::unexpected<Error> missing(const Model& model, std::string_view suffix) {
    std::string key = model.metadata.architectureKey(suffix);
    return fail(ErrorCode::NotSupported, Place::key(key), {key});
}

// Recurrent state of one block, in elements (f32). `parameters` are the file's.
//   RWKV: token shifts × n_embd + head size × n_embd
//   short convolution (LFM2): (taps − 1) × n_embd
//   linear attention of Kimi: 3 × (conv − 1) × d + head² × heads, d = heads × head
//   Mamba and its kin: (conv − 1) × (d_inner + 2 × groups × d_state) + d_state × d_inner; Mamba 1 has no groups
Size recurrentElements(const HyperParameters& parameters, std::uint64_t embedding, std::uint64_t heads) {
    if (const std::uint64_t head = parameters.uint("wkv.head_size").value_or(0); head != 0) {
        // Two shifts, of time mix and channel mix; models with Qwen's feed-forward have one.
        const std::uint64_t shifts = parameters.uint("token_shift_count").value_or(2);
        return Size(shifts) * embedding + Size(head) * embedding;
    }
    if (const std::uint64_t taps = parameters.uint("shortconv.l_cache").value_or(0); taps != 0) {
        return Size(taps - 1) * embedding;
    }
    const std::uint64_t kernel = parameters.uint("ssm.conv_kernel").value_or(0);
    const std::uint64_t taps = kernel > 0 ? kernel - 1 : 0;
    if (const std::uint64_t head = parameters.uint("kda.head_dim").value_or(0); head != 0) {
        return Size(3) * taps * heads * head + Size(head) * head * heads;
    }
    const std::uint64_t inner = parameters.uint("ssm.inner_size").value_or(0);
    const std::uint64_t state = parameters.uint("ssm.state_size").value_or(0);
    const std::uint64_t groups = parameters.uint("ssm.group_count").value_or(0);
    return Size(taps) * (Size(inner) + Size(2) * groups * state) + Size(state) * inner;
}

// What a block of the model is, from the file's hyper-parameters.
class Blocks {
public:
    Blocks(const Model& model, const HyperParameters& parameters, std::uint64_t count)
        : m_parameters(parameters)
        , m_architecture(findArchitecture(model.metadata.architecture()))
        , m_parts(findParts(model, count))
        , m_embedding(parameters.uint("embedding_length").value_or(0)) {
        const std::uint64_t heads = parameters.uintAt("attention.head_count", 0).value_or(0);
        m_headLength = heads != 0 ? m_embedding / heads : 0;
        m_keyLength = parameters.uint("attention.key_length").value_or(m_headLength);
        m_valueLength = parameters.uint("attention.value_length").value_or(m_headLength);
        m_window = parameters.uint("attention.sliding_window")
                       .or_else([&] { return parameters.uint("attention.chunk_size"); })
                       .value_or(m_architecture != nullptr ? m_architecture->window : 0);
        // The last blocks may take keys and values from earlier ones, or only predict further tokens.
        const std::uint64_t shared = parameters.uint("attention.shared_kv_layers").value_or(0);
        const std::uint64_t next = parameters.uint("nextn_predict_layers").value_or(0);
        const std::uint64_t without = std::min(count, std::max(shared, next));
        m_withCache = m_architecture != nullptr && !m_architecture->cache ? 0 : count - without;
        if (m_parameters.boolean("attention.causal") == false) {
            m_withCache = 0;
        }
    }

    [[nodiscard]] std::uint64_t keyLength() const { return m_keyLength; }
    [[nodiscard]] std::uint64_t valueLength() const { return m_valueLength; }

    [[nodiscard]] bool recurrent(std::uint64_t i) const {
        if (m_architecture != nullptr && m_architecture->recurrent) {
            return true;
        }
        const BlockParts& parts = m_parts[static_cast<std::size_t>(i)];
        if (parts.any) {
            return parts.recurrent;
        }
        // Its shard is missing: a block of a model with state has state if it has no KV heads, or by the interval.
        const bool stateful = m_parameters.uint("ssm.inner_size") || m_parameters.uint("shortconv.l_cache");
        const std::uint64_t interval = m_parameters.uint("full_attention_interval").value_or(0);
        return stateful && (heads(i) == 0 || (interval != 0 && (i + 1) % interval != 0));
    }

    // The K and V that block `i` keeps; zero rows where it keeps none.
    [[nodiscard]] BlockKind kind(std::uint64_t i) const {
        BlockKind kind{.blocks = 1};
        const BlockParts& parts = m_parts[static_cast<std::size_t>(i)];
        if (i >= m_withCache || (parts.any && !parts.attention && (!parts.joined || parts.recurrent)) ||
            (!parts.any && recurrent(i))) {
            return kind;
        }
        kind.window = windowed(i) ? m_window : 0;
        const std::uint64_t latent = m_parameters.uint("attention.kv_lora_rank").value_or(0);
        if (latent != 0 && parts.absorbed) {
            // Latent attention: the compressed row and the rotary part serve as key, and the first also as value.
            const std::uint64_t rotary = m_parameters.uint("rope.dimension_count").value_or(0);
            kind.heads = 1;
            kind.keyRow = checkedAdd(latent, rotary).value_or(~std::uint64_t{0});
            return kind;
        }
        kind.heads = heads(i);
        const bool ownLengths = kind.window != 0;
        kind.keyRow = ownLengths ? m_parameters.uint("attention.key_length_swa").value_or(m_keyLength) : m_keyLength;
        kind.valueRow =
            ownLengths ? m_parameters.uint("attention.value_length_swa").value_or(m_valueLength) : m_valueLength;
        return kind;
    }

private:
    [[nodiscard]] std::uint64_t heads(std::uint64_t i) const {
        return m_parameters.uintAt("attention.head_count_kv", i)
            .or_else([&] { return m_parameters.uintAt("attention.head_count", i); })
            .value_or(0);
    }

    [[nodiscard]] bool windowed(std::uint64_t i) const {
        if (m_window == 0) {
            return false;
        }
        constexpr std::string_view kPattern = "attention.sliding_window_pattern";
        if (const auto flag = m_parameters.flagAt(kPattern, i)) {
            return *flag;
        }
        const bool firstIsGlobal = m_architecture != nullptr && m_architecture->globalFirst;
        const std::uint64_t period =
            m_parameters.uint(kPattern).value_or(m_architecture != nullptr ? m_architecture->windowPeriod : 0);
        return period == 0 || (firstIsGlobal ? i % period != 0 : i % period != period - 1);
    }

    const HyperParameters& m_parameters;
    const ArchitectureFact* m_architecture;
    std::vector<BlockParts> m_parts;
    std::uint64_t m_embedding;
    std::uint64_t m_headLength = 0;
    std::uint64_t m_keyLength = 0;
    std::uint64_t m_valueLength = 0;
    std::uint64_t m_window = 0;
    std::uint64_t m_withCache = 0; // blocks from the first that may keep K and V
};

// Tokens that the output has logits for: the rows of the output, of the embedding where both are one, or the key.
std::uint64_t vocabularySize(const Model& model, const HyperParameters& parameters) {
    for (const std::string_view name : {"output.weight", "token_embd.weight"}) {
        if (const auto index = model.findTensor(name)) {
            return model.tensor(*index).shape[1];
        }
    }
    if (const auto size = parameters.uint("vocab_size")) {
        return *size;
    }
    const ArrayView* tokens = model.metadata.array("tokenizer.ggml.tokens");
    return tokens != nullptr ? tokens->length : 0;
}

// The widest feed-forward of any block: with experts, those used for a token and the shared ones.
std::uint64_t widestFeedForward(const HyperParameters& parameters, std::uint64_t blocks) {
    std::uint64_t widest = 0;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        widest = std::max(widest, parameters.uintAt("feed_forward_length", i).value_or(0));
    }
    const std::uint64_t used = parameters.uint("expert_used_count").value_or(0);
    const std::uint64_t expert = parameters.uint("expert_feed_forward_length").value_or(widest);
    const std::uint64_t shared =
        parameters.uint("expert_shared_feed_forward_length")
            .or_else([&] { return (Size(parameters.uint("expert_shared_count").value_or(0)) * expert).value(); })
            .value_or(0);
    const Size experts = Size(used) * expert + shared;
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
        return missing(model, "block_count");
    }
    const std::uint64_t embedding = parameters.uint("embedding_length").value_or(0);
    if (embedding == 0) {
        return missing(model, "embedding_length");
    }
    const ArchitectureFact* architecture = findArchitecture(model.metadata.architecture());
    const std::uint64_t heads = parameters.largest("attention.head_count", count);
    if (heads == 0 && (architecture == nullptr || !architecture->recurrent)) {
        return missing(model, "attention.head_count");
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
            plan.recurrentState += Size(kFloatBytes) * recurrentElements(parameters, embedding, heads);
        }
    }
    plan.kinds = groupBlocks(std::move(each));
    std::uint64_t keyValue = 0;
    for (const BlockKind& kind : plan.kinds) {
        keyValue = std::max(
            keyValue, (Size(kind.heads) * (Size(kind.keyRow) + kind.valueRow)).value().value_or(~std::uint64_t{0}));
    }
    // Activations, f32, for each token of a batch: the residual stream, its norm and the output of a branch
    // (3 × n_embd), and the wider of the two branches: attention (Q and its output for every head, K and V) or
    // feed-forward (gate and up); state spaces count as branches of 2 × d_inner.
    const Size attention = Size(heads) * (Size(blocks.keyLength()) + blocks.valueLength()) + keyValue;
    const Size feedForward = Size(2) * widestFeedForward(parameters, count);
    const Size stateSpace = Size(2) * parameters.uint("ssm.inner_size").value_or(0);
    std::uint64_t branch = 0;
    for (const Size& width : {attention, feedForward, stateSpace}) {
        branch = std::max(branch, width.value().value_or(~std::uint64_t{0}));
    }
    plan.bufferPerToken = Size(kFloatBytes) * (Size(3) * embedding + branch);
    // Attention scores, f32: one row over the context for every head (a batch is worked off row by row).
    plan.scoresPerToken = Size(kFloatBytes) * heads * Size(keyValue != 0 ? 1 : 0);
    plan.logits = Size(kFloatBytes) * vocabularySize(model, parameters);
    return plan;
}

// Bytes of `heads` rows of `length` elements; a type that groups elements fills up the last group of each row.
Size rowBytes(KvCacheType type, std::uint64_t length, std::uint64_t heads) {
    const KvCacheTypeFact& fact = factOf(type);
    const std::uint64_t groups = length / fact.group + (length % fact.group != 0 ? 1 : 0);
    return Size(heads) * groups * fact.bytes;
}

Result<MemoryEstimate> evaluate(const Plan& plan, const MemoryRequest& request, std::uint64_t context) {
    const std::uint64_t batch = std::min(std::max<std::uint64_t>(request.batch, 1), context);
    Size cache = 0;
    Size perToken = 0;
    // KV cache: Σ over blocks of tokens kept × (row bytes of K + row bytes of V) × KV heads. A block with a sliding
    // window keeps the window and the batch that moves it.
    for (const BlockKind& kind : plan.kinds) {
        const Size row =
            rowBytes(request.keys, kind.keyRow, kind.heads) + rowBytes(request.values, kind.valueRow, kind.heads);
        const std::uint64_t kept =
            kind.window != 0 ? std::min(context, checkedAdd(kind.window, batch).value_or(context)) : context;
        cache += Size(kind.blocks) * kept * row;
        perToken += kind.window != 0 ? Size(0) : Size(kind.blocks) * row;
    }
    const Size buffers = Size(batch) * plan.bufferPerToken + Size(context) * plan.scoresPerToken;
    const Size total = plan.weights + cache + plan.recurrentState + buffers + plan.logits;
    if (!total.value() || !perToken.value()) {
        return fail(ErrorCode::InvalidArgument, {}, {"memory"});
    }
    return MemoryEstimate{.context = context,
                          .trainedContext = plan.trainedContext,
                          .weights = *plan.weights.value(),
                          .kvCache = *cache.value(),
                          .kvPerToken = *perToken.value(),
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

std::string_view kvCacheTypeName(KvCacheType type) { return factOf(type).name; }

std::optional<KvCacheType> kvCacheTypeFromName(std::string_view name) {
    const auto* row = std::ranges::find(kKvCacheTypeFacts, name, &KvCacheTypeFact::name);
    return row != kKvCacheTypeFacts.end() ? std::optional(row->type) : std::nullopt;
}

std::span<const KvCacheType> kvCacheTypes() { return kKvCacheTypes; }

Result<MemoryEstimate> estimateMemory(const Model& model, const MemoryRequest& request) {
    const auto plan = makePlan(model);
    return plan ? evaluate(*plan, request, contextOf(*plan, request)) : std::unexpected(plan.error());
}

Result<std::optional<std::uint64_t>> largestContext(const Model& model, const MemoryRequest& request,
                                                    std::uint64_t budget) {
    const auto plan = makePlan(model);
    if (!plan) {
        return std::unexpected(plan.error());
    }
    // The total grows with the context, so the largest that fits is found by halves. A sum past 64 bits fits no budget.
    const auto fits = [&](std::uint64_t context) {
        const auto estimate = evaluate(*plan, request, context);
        return estimate && estimate->total() <= budget;
    };
    std::uint64_t fitting = 0;
    std::uint64_t tooLarge =
        (plan->trainedContext != 0 ? std::min(plan->trainedContext, kMaxContext) : kMaxContext) + 1;
    while (fitting + 1 < tooLarge) {
        const std::uint64_t middle = fitting + (tooLarge - fitting) / 2;
        (fits(middle) ? fitting : tooLarge) = middle;
    }
    return fitting != 0 ? std::optional(fitting) : std::nullopt;
}

} // namespace gufo
