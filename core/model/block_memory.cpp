#include "model/block_memory.h"

#include "model/tensor_role.h"

#include <algorithm>

namespace gufo {

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

CheckedSize recurrentElements(const HyperParameters& parameters, std::uint64_t embedding, std::uint64_t heads) {
    if (const std::uint64_t head = parameters.uint("wkv.head_size").value_or(0); head != 0) {
        // RWKV has two shifts, for time mix and channel mix. Models with Qwen's feed-forward have one.
        const std::uint64_t shifts = parameters.uint("token_shift_count").value_or(2);
        return CheckedSize(shifts) * embedding + CheckedSize(head) * embedding;
    }
    if (const std::uint64_t taps = parameters.uint("shortconv.l_cache").value_or(0); taps != 0) {
        return CheckedSize(taps - 1) * embedding;
    }
    const std::uint64_t kernel = parameters.uint("ssm.conv_kernel").value_or(0);
    const std::uint64_t taps = kernel > 0 ? kernel - 1 : 0;
    if (const std::uint64_t head = parameters.uint("kda.head_dim").value_or(0); head != 0) {
        return CheckedSize(3) * taps * heads * head + CheckedSize(head) * head * heads;
    }
    const std::uint64_t inner = parameters.uint("ssm.inner_size").value_or(0);
    const std::uint64_t state = parameters.uint("ssm.state_size").value_or(0);
    const std::uint64_t groups = parameters.uint("ssm.group_count").value_or(0);
    return CheckedSize(taps) * (CheckedSize(inner) + CheckedSize(2) * groups * state) + CheckedSize(state) * inner;
}

Blocks::Blocks(const Model& model, const HyperParameters& parameters, std::uint64_t count)
    : m_architecture(findArchitecture(model.metadata.architecture()))
    , m_parts(static_cast<std::size_t>(count))
    , m_heads(parameters.blockValues("attention.head_count"))
    , m_sharedHeads(parameters.blockValues("attention.head_count_kv"))
    , m_windows(parameters.find("attention.sliding_window") != nullptr
                    ? parameters.blockValues("attention.sliding_window")
                    : parameters.blockValues("attention.chunk_size"))
    , m_pattern(parameters.blockValues("attention.sliding_window_pattern")) {
    findParts(model);
    const std::uint64_t heads = m_heads.at(0).value_or(0);
    const std::uint64_t length = heads != 0 ? parameters.uint("embedding_length").value_or(0) / heads : 0;
    m_keyLength = parameters.uint("attention.key_length").value_or(length);
    m_valueLength = parameters.uint("attention.value_length").value_or(length);
    m_windowKeyLength = parameters.uint("attention.key_length_swa").value_or(m_keyLength);
    m_windowValueLength = parameters.uint("attention.value_length_swa").value_or(m_valueLength);
    if (m_architecture != nullptr &&
        (!m_windows.isStated() || (m_architecture->chunked && m_windows.largest(count) != 0))) {
        m_usualWindow = m_architecture->window;
    }
    const std::uint64_t usualPeriod = m_architecture != nullptr ? m_architecture->windowPeriod : 0;
    m_windowPeriod = m_pattern.isArray() ? usualPeriod : m_pattern.at(0).value_or(usualPeriod);
    // Latent attention: the key is the compressed row plus the rotary part, and the compressed row is also the value.
    if (const std::uint64_t latent = parameters.uint("attention.kv_lora_rank").value_or(0); latent != 0) {
        const std::uint64_t rotary = parameters.uint("rope.dimension_count").value_or(0);
        m_latentRow = checkedAdd(latent, rotary).value_or(~std::uint64_t{0});
    }
    m_indexRow = parameters.uint("attention.indexer.key_length").value_or(0);
    m_attentionInterval = parameters.uint("full_attention_interval").value_or(0);
    m_stateful = parameters.uint("ssm.inner_size") || parameters.uint("shortconv.l_cache");
    // The last blocks may share the keys and values of earlier ones, or serve only multi-token prediction.
    const std::uint64_t shared = parameters.uint("attention.shared_kv_layers").value_or(0);
    const std::uint64_t next = parameters.uint("nextn_predict_layers").value_or(0);
    if (const std::uint64_t windowed = m_architecture != nullptr ? m_architecture->windowedBlocks : 0;
        windowed != 0 && windowed + next != count) {
        m_usualWindow = 0;
    }
    const bool keeps = m_architecture == nullptr || m_architecture->cache;
    const bool causal = parameters.boolean("attention.causal").value_or(true);
    m_withCache = keeps && causal ? count - std::min(count, std::max(shared, next)) : 0;
}

void Blocks::findParts(const Model& model) {
    for (const TensorInfo& tensor : model.tensors) {
        const TensorName name = parseTensorName(tensor.name);
        const bool ofModel = name.prefix.empty() || name.prefix == "dec.";
        if (name.fact == nullptr || !ofModel || !name.block || *name.block >= m_parts.size()) {
            continue;
        }
        Parts& part = m_parts[*name.block];
        part.any = true;
        part.recurrent |= name.fact->group == TensorGroup::Recurrent;
        part.joined |= name.role == "attn_qkv";
        part.indexer |= name.role == "indexer.attn_k";
        part.attention |= name.role == "attn_k" || name.role == "attn_v" || name.role == "attn_kv_a_mqa";
    }
}

bool Blocks::recurrent(std::uint64_t i) const {
    if (m_architecture != nullptr && m_architecture->recurrent) {
        return true;
    }
    const Parts& parts = m_parts[static_cast<std::size_t>(i)];
    if (parts.any) {
        return parts.recurrent;
    }
    // Its shard is missing. In a stateful model, a block is taken to be recurrent if it has no KV heads or if the
    // interval says so.
    return m_stateful && (heads(i) == 0 || (m_attentionInterval != 0 && (i + 1) % m_attentionInterval != 0));
}

BlockKind Blocks::kind(std::uint64_t i) const {
    BlockKind kind{.blocks = 1};
    const Parts& parts = m_parts[static_cast<std::size_t>(i)];
    if (i >= m_withCache || (parts.any && !parts.attention && (!parts.joined || parts.recurrent)) ||
        (!parts.any && recurrent(i))) {
        return kind;
    }
    if (m_sharedHeads.at(i) == 0) { // recurrent, even where its projections have the names of attention's (Kimi)
        return kind;
    }
    kind.window = window(i);
    if (m_latentRow != 0) { // the expansion matrices can be absorbed, whether or not the file stores them separately
        kind.heads = 1;
        kind.keyRow = m_latentRow;
        kind.indexRow = parts.indexer || !parts.any ? m_indexRow : 0;
        return kind;
    }
    kind.heads = heads(i);
    kind.keyRow = kind.window != 0 ? m_windowKeyLength : m_keyLength;
    kind.valueRow = kind.window != 0 ? m_windowValueLength : m_valueLength;
    return kind;
}

std::uint64_t Blocks::heads(std::uint64_t i) const {
    return m_sharedHeads.at(i).or_else([&] { return m_heads.at(i); }).value_or(0);
}

std::uint64_t Blocks::window(std::uint64_t i) const {
    return inPattern(i) ? m_usualWindow.or_else([&] { return m_windows.at(i); }).value_or(0) : 0;
}

bool Blocks::inPattern(std::uint64_t i) const {
    if (const auto flag = m_pattern.flagAt(i)) {
        return *flag;
    }
    const bool firstIsGlobal = m_architecture != nullptr && m_architecture->globalFirst;
    return m_windowPeriod == 0 || (firstIsGlobal ? i % m_windowPeriod != 0 : i % m_windowPeriod != m_windowPeriod - 1);
}

} // namespace gufo
