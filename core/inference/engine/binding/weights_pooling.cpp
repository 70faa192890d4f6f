#include "inference/engine/binding/weight_binder.h"

namespace gufo::inference {

// Both are used once for each text, so they count for the buffers but not for the bytes that a token reads.
void WeightBinder::bindPooling() {
    constexpr Binder::Stack kOnce{.count = 1, .used = 0};
    const std::uint64_t width = m_shape.embedding;
    const bool encoder = m_shape.architecture->encoder;
    const bool ranks = m_shape.pooling.asked == Pooling::Rank;
    if (encoder) {
        // The first has as many rows as the file says, and the second leads back to the width.
        const std::uint64_t inner = m_file.rowsOf("dense_2");
        const std::uint64_t rows = inner != 0 ? inner : Binder::kAsInFile;
        m_weights.projections[0] = m_file.stack("dense_2", width, rows, kOnce, Binder::Need::May);
        if (m_weights.projections[0]) {
            m_weights.projections[1] = m_file.stack("dense_3", rows, width, kOnce);
        }
    }
    if (!encoder && !ranks) {
        return; // a language model's ranking head does not affect its answers
    }
    RankingHead& head = m_weights.rankingHead;
    const std::uint64_t labels = std::max<std::uint64_t>(1, m_shape.pooling.labels.size());
    head.output = m_file.stack("cls.output", width, labels, kOnce, ranks ? Need::Must : Need::May);
    if (head) {
        head.dense = m_file.stack("cls", width, width, kOnce, Need::May);
        head.norm = m_file.norm("cls.norm", width, Need::May);
    }
}

} // namespace gufo::inference
