#include "inference/engine/binding/weight_binder.h"

namespace gufo::inference {

void WeightBinder::bindLatentAttention(const BlockShape& block, AttentionWeights& attention) {
    const std::uint64_t heads = block.heads;
    const std::uint64_t queries = heads * m_shape.keyLength;
    const std::uint64_t rank = m_shape.keyValueRank;
    if (m_shape.queryRank != 0) {
        attention.queryDown = m_file.matrix("attn_q_a", m_shape.embedding, m_shape.queryRank);
        attention.queryDownNorm = m_file.norm("attn_q_a_norm", m_shape.queryRank);
        attention.query = m_file.matrix("attn_q_b", m_shape.queryRank, queries);
    } else {
        attention.query = m_file.matrix("attn_q", m_shape.embedding, queries);
    }
    attention.keyValueDown = m_file.matrix("attn_kv_a_mqa", m_shape.embedding, rank + m_shape.rotated);
    attention.keyValueNorm = m_file.norm("attn_kv_a_norm", rank);
    const std::uint64_t plain = m_shape.keyLength - m_shape.rotated;
    // Some files store these matrices both ways.
    const bool keysApart = m_file.has("attn_k_b", {plain, rank, heads});
    if (m_file.has("attn_v_b", {rank, m_shape.valueLength, heads}) && keysApart) {
        attention.keyAbsorbed = m_file.headMatrix("attn_k_b", plain, rank, heads);
        attention.valueUp = m_file.headMatrix("attn_v_b", rank, m_shape.valueLength, heads);
        m_file.leaveOut("attn_kv_b");
    } else {
        attention.keyValueUp = m_file.joinedHeads("attn_kv_b", rank, heads * (plain + m_shape.valueLength));
        m_file.leaveOut("attn_k_b");
        m_file.leaveOut("attn_v_b");
    }
}

IndexerWeights WeightBinder::indexer() {
    const IndexerShape& shape = m_shape.indexer;
    const std::uint64_t queries = std::uint64_t{shape.heads} * shape.keyLength;
    return {.query = m_file.matrix("indexer.attn_q_b", m_shape.queryRank, queries),
            .key = m_file.matrix("indexer.attn_k", m_shape.embedding, shape.keyLength),
            .keyNorm = m_file.norm("indexer.k_norm", shape.keyLength),
            .headWeights = m_file.matrix("indexer.proj", m_shape.embedding, shape.heads)};
}

} // namespace gufo::inference
