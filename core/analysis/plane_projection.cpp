#include "analysis/symmetric_matrix.h"
#include "analysis/vector_set.h"
#include "base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo {
namespace {

constexpr std::uint64_t kRowsPerProduct = 4;
// Distances that differ by no more than rounding errors count as equal, so that the result is the same on every
// machine.
constexpr double kEquallyFar = 1e-9;

using Point = PlaneProjection::Point;

// The finite vectors around their mean.
struct Centred {
    std::vector<std::size_t> indexes; // of the vectors in the set
    std::vector<double> values;       // one row for each
    std::size_t width = 0;

    [[nodiscard]] std::size_t count() const { return indexes.size(); }
    [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values[row * width + column]; }
};

Centred centre(VectorSet vectors) {
    Centred result{.indexes = {}, .values = {}, .width = vectors.width};
    std::vector<double> mean(vectors.width);
    for (std::size_t i = 0; i < vectors.count(); ++i) {
        if (std::ranges::all_of(vectors[i], [](float x) { return std::isfinite(x); })) {
            result.indexes.push_back(i);
            result.values.insert(result.values.end(), vectors[i].begin(), vectors[i].end());
            for (std::size_t j = 0; j < vectors.width; ++j) {
                mean[j] += static_cast<double>(vectors[i][j]);
            }
        }
    }
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        result.values[i] -= mean[i % vectors.width] / static_cast<double>(result.count());
    }
    return result;
}

// X Xᵀ or Xᵀ X, whichever is smaller; both have the same eigenvalues other than zero.
Result<std::vector<double>> products(const Centred& x, bool ofRows, const JobContext& job) {
    const std::size_t size = ofRows ? x.count() : x.width;
    const std::size_t length = ofRows ? x.width : x.count();
    std::vector<double> turned; // columns made contiguous
    if (!ofRows) {
        turned.resize(x.values.size());
        for (std::size_t i = 0; i < x.values.size(); ++i) {
            turned[i % x.width * length + i / x.width] = x.values[i];
        }
    }
    const double* rows = ofRows ? x.values.data() : turned.data();
    std::vector<double> result(size * size);
    const bool whole = parallelFor(size, kRowsPerProduct, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < length; ++k) {
                    sum += rows[i * length + k] * rows[j * length + k];
                }
                result[i * size + j] = sum;
            }
        }
    });
    if (!whole) {
        return fail(ErrorCode::Cancelled);
    }
    return result;
}

// The coordinates of the points along an axis.
std::vector<double> coordinates(const Centred& x, const EigenPair& pair, bool ofRows) {
    std::vector<double> result(x.count());
    for (std::size_t i = 0; i < x.count() && !pair.vector.empty(); ++i) {
        if (ofRows) {
            result[i] = std::sqrt(std::max(pair.value, 0.0)) * pair.vector[i];
            continue;
        }
        for (std::size_t j = 0; j < x.width; ++j) {
            result[i] += x.at(i, j) * pair.vector[j];
        }
    }
    double farthest = 0;
    for (const double one : result) {
        farthest = std::max(farthest, std::abs(one));
    }
    const auto decides =
        std::ranges::find_if(result, [&](double one) { return std::abs(one) >= farthest * (1 - kEquallyFar); });
    if (decides != result.end() && *decides < 0) {
        std::ranges::transform(result, result.begin(), std::negate<>());
    }
    return result;
}

} // namespace

Result<PlaneProjection> projectOnPlane(VectorSet vectors, const JobContext& job) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const Centred x = centre(vectors);
    PlaneProjection result{.points = std::vector<Point>(vectors.count(), {kNone, kNone}),
                           .explained = {},
                           .variance = {},
                           .used = x.count()};
    if (x.count() == 0) {
        return result;
    }
    double sum = 0;
    for (const double value : x.values) {
        sum += value * value;
    }
    const bool ofRows = x.count() <= x.width;
    auto matrix = GUFO_TRY(products(x, ofRows, job));
    const auto pairs = GUFO_TRY(largestEigenPairs(std::move(matrix), ofRows ? x.count() : x.width, job));
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const EigenPair& pair = pairs[axis];
        const double value = std::max(pair.value, 0.0); // rounding may make it negative
        result.variance[axis] = value / static_cast<double>(x.count());
        result.explained[axis] = sum > 0 ? std::min(value / sum, 1.0) : 0;
        const std::vector<double> along = coordinates(x, pair, ofRows);
        for (std::size_t i = 0; i < along.size(); ++i) {
            result.points[x.indexes[i]][axis] = along[i];
        }
    }
    return result;
}

} // namespace gufo
