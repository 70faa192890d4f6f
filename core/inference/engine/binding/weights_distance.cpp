#include "inference/engine/binding/weight_binder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gufo::inference {
namespace {

// The bucket of a key at `distance` from the query (Raffel et al. 2020, arXiv 1910.10683). The second half is for later
// keys. Of each half, the first buckets hold one distance each, and the others grow by a constant factor up to the
// farthest distance.
std::size_t bucketOf(std::int32_t distance, std::uint32_t buckets) {
    const std::uint32_t half = buckets / 2;
    const std::uint32_t exact = half / 2;
    const std::size_t first = distance > 0 ? half : 0;
    const auto far = static_cast<std::uint32_t>(std::abs(distance));
    if (far < exact) {
        return first + far;
    }
    constexpr double kRounding = 1e-9; // where a bucket begins at a power of two, the quotient is an integer
    const double steps = std::log(static_cast<double>(far) / exact) /
                         std::log(static_cast<double>(AttentionWeights::kFarthest) / exact) * (half - exact);
    return first + std::min(exact + static_cast<std::uint32_t>(steps + kRounding), half - 1);
}

} // namespace

// Blocks without biases of their own use the biases of the first block.
void WeightBinder::bindDistanceBiases(std::size_t index, AttentionWeights& attention) {
    const std::uint32_t heads = m_shape.blocks[index].heads;
    const bool needsTable = index == 0 || heads != m_shape.blocks[0].heads;
    const std::vector<float> values =
        m_file.grid("attn_rel_b.weight", heads, m_shape.distanceBuckets, needsTable ? Need::Must : Need::May);
    if (values.empty()) {
        attention.distanceBiases = m_weights.blocks[0].attention.distanceBiases;
    } else {
        attention.distanceBiases.resize(heads * AttentionWeights::kDistances);
    }
    m_weights.smallBytes += attention.distanceBiases.size() * sizeof(float);
    for (std::size_t i = 0; !values.empty() && i < AttentionWeights::kDistances; ++i) {
        const std::size_t bucket =
            bucketOf(static_cast<std::int32_t>(i) - AttentionWeights::kFarthest, m_shape.distanceBuckets);
        for (std::size_t head = 0; head < heads; ++head) {
            attention.distanceBiases[head * AttentionWeights::kDistances + i] = values[bucket * heads + head];
        }
    }
}

} // namespace gufo::inference
