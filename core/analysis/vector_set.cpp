#include "analysis/vector_set.h"

#include "base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace gufo {
namespace {

constexpr std::uint64_t kRowsPerChunk = 8;

double product(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    return sum;
}

} // namespace

Result<std::vector<float>> pairCosines(VectorSet vectors, const JobContext& job) {
    const std::size_t count = vectors.count();
    std::vector<float> cosines(count * count);
    std::vector<double> lengths(count);
    for (std::size_t i = 0; i < count; ++i) {
        lengths[i] = std::sqrt(product(vectors[i], vectors[i]));
    }
    job.start(count);
    const bool whole = parallelFor(count, kRowsPerChunk, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = i; j < count; ++j) {
                // 0/0 and products with infinite or NaN elements are NaN. Rounding must not yield more than 1.
                const double cosine = product(vectors[i], vectors[j]) / (lengths[i] * lengths[j]);
                const double bounded = std::isnan(cosine) ? cosine : std::clamp(cosine, -1.0, 1.0);
                cosines[i * count + j] = static_cast<float>(bounded);
                cosines[j * count + i] = static_cast<float>(bounded);
            }
        }
        job.advance(end - begin);
    });
    if (!whole) {
        return fail(ErrorCode::Cancelled);
    }
    return cosines;
}

std::vector<Neighbour> neighboursOf(std::size_t index, std::span<const float> cosines, std::size_t count) {
    std::vector<Neighbour> neighbours;
    neighbours.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i != index) {
            neighbours.push_back({.index = i, .cosine = cosines[index * count + i]});
        }
    }
    std::ranges::sort(neighbours, {}, [](const Neighbour& one) {
        const bool none = std::isnan(one.cosine);
        return std::tuple(none, none ? 0.0F : -one.cosine, one.index);
    });
    return neighbours;
}

} // namespace gufo
