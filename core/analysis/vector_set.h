// A set of vectors of one width, such as embeddings of texts: their similarities, and their projection onto a plane.
// Both are exact and depend on the values only, never on the number of threads.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gufo {

// The vectors are the rows of an array in C order.
struct VectorSet {
    std::span<const float> values{};
    std::size_t width = 0;

    [[nodiscard]] std::size_t count() const { return width > 0 ? values.size() / width : 0; }
    [[nodiscard]] std::span<const float> operator[](std::size_t i) const { return values.subspan(i * width, width); }
};

// The cosine of each pair: count() × count() values in C order. It is NaN where a vector is zero or has an element that
// is not finite. Progress counts rows. Errors: Cancelled.
[[nodiscard]] Result<std::vector<float>> pairCosines(VectorSet vectors, const JobContext& job = {});

struct Neighbour {
    std::size_t index = 0;
    float cosine = 0;
};
// All other vectors, the most similar one first and equal ones in their order; vectors without a cosine come last.
// `cosines` is the result of pairCosines().
[[nodiscard]] std::vector<Neighbour> neighboursOf(std::size_t index, std::span<const float> cosines, std::size_t count);

// The vectors in the plane of their first two principal components.
struct PlaneProjection {
    using Point = std::array<double, 2>;
    std::vector<Point> points{};       // by vector; NaN for one with an element that is not finite
    std::array<double, 2> explained{}; // share of the variance along each axis; 0 if there is no variance
    std::array<double, 2> variance{};  // along each axis, of the population
    std::size_t used = 0;              // vectors that are finite
};
// Principal components by a full reduction of the smaller of the matrices of products, in double precision. Axes are
// directed so that the point that lies farthest from the origin along an axis has a positive coordinate; if several are
// equally far, the first of them. Errors: Cancelled.
[[nodiscard]] Result<PlaneProjection> projectOnPlane(VectorSet vectors, const JobContext& job = {});

} // namespace gufo
