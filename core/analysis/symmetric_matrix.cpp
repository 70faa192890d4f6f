#include "analysis/symmetric_matrix.h"

#include "base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace gufo {
namespace {

constexpr int kBisections = 200;      // more than the bits between any two doubles of one spectrum
constexpr int kInverseIterations = 6; // each multiplies the accuracy; two suffice unless eigenvalues nearly coincide
constexpr std::uint64_t kRowsPerChunk = 128; // below that, threads cost more than they save

using Vector = std::vector<double>;

struct Tridiagonal {
    Vector diagonal;
    Vector beside; // beside[i] joins i and i + 1

    [[nodiscard]] std::size_t size() const { return diagonal.size(); }
    [[nodiscard]] double norm() const { // the largest sum of absolute values of a row
        double maximum = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            maximum = std::max(maximum, std::abs(diagonal[i]) + (i > 0 ? std::abs(beside[i - 1]) : 0) +
                                            (i + 1 < size() ? std::abs(beside[i]) : 0));
        }
        return maximum;
    }
};

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

void scaleToUnit(std::span<double> vector) {
    const double length = std::sqrt(dot(vector, vector));
    for (double& x : vector) {
        x = length > 0 ? x / length : 0;
    }
}

// Householder's reduction. The reflections remain: the one of step k has the vector reflections[k], which acts on the
// elements from k + 1 on.
struct Reduction {
    Tridiagonal matrix;
    std::vector<Vector> reflections; // of unit length; empty if the step needs none
};

Result<Reduction> reduce(Vector a, std::size_t n, const JobContext& job) {
    for (std::size_t i = 0; i < n; ++i) { // whole rows are contiguous to read
        for (std::size_t j = 0; j < i; ++j) {
            a[j * n + i] = a[i * n + j];
        }
    }
    Reduction result;
    result.matrix.diagonal.resize(n);
    result.matrix.beside.resize(n - 1);
    result.reflections.resize(n - 1);
    Vector p(n);
    job.start(n);
    for (std::size_t k = 0; k + 1 < n; ++k) {
        const std::size_t below = n - k - 1;
        result.matrix.diagonal[k] = a[k * n + k];
        Vector v(a.begin() + static_cast<std::ptrdiff_t>(k * n + k + 1),
                 a.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
        const double length = std::sqrt(dot(v, v));
        const double tail = std::sqrt(dot(std::span(v).subspan(1), std::span(v).subspan(1)));
        if (tail == 0) {
            result.matrix.beside[k] = v[0];
            job.advance(1);
            continue;
        }
        const double target = v[0] > 0 ? -length : length; // the sign that cancels nothing
        result.matrix.beside[k] = target;
        v[0] -= target;
        scaleToUnit(v);
        // A − 2 v wᵀ − 2 w vᵀ with p = A v and w = p − (vᵀp) v.
        const std::span<double> w = std::span(p).first(below);
        const bool multiplied =
            parallelFor(below, kRowsPerChunk, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
                for (std::size_t i = begin; i < end; ++i) {
                    w[i] = dot(std::span(a).subspan((k + 1 + i) * n + k + 1, below), v);
                }
            });
        const double share = dot(v, w);
        for (std::size_t i = 0; i < below; ++i) {
            w[i] -= share * v[i];
        }
        const bool updated =
            multiplied && parallelFor(below, kRowsPerChunk, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
                for (std::size_t i = begin; i < end; ++i) {
                    const std::span<double> row = std::span(a).subspan((k + 1 + i) * n + k + 1, below);
                    for (std::size_t j = 0; j < below; ++j) {
                        row[j] -= 2 * (v[i] * w[j] + w[i] * v[j]);
                    }
                }
            });
        if (!updated) {
            return fail(ErrorCode::Cancelled);
        }
        result.reflections[k] = std::move(v);
        job.advance(1);
    }
    result.matrix.diagonal[n - 1] = a[n * n - 1];
    return result;
}

// How many eigenvalues are below x: the negative pivots of T − x (Sturm).
std::size_t countBelow(const Tridiagonal& t, double x, double minimum) {
    std::size_t count = 0;
    double pivot = 1;
    for (std::size_t i = 0; i < t.size(); ++i) {
        const double joined = i > 0 ? t.beside[i - 1] * t.beside[i - 1] / pivot : 0;
        pivot = t.diagonal[i] - x - joined;
        if (std::abs(pivot) < minimum) {
            pivot = -minimum;
        }
        count += pivot < 0 ? 1 : 0;
    }
    return count;
}

// The eigenvalue number `index` in ascending order.
double eigenvalue(const Tridiagonal& t, std::size_t index, double norm) {
    const double minimum =
        std::max(norm * std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon(),
                 std::numeric_limits<double>::min());
    double low = -norm;
    double high = norm;
    for (int i = 0; i < kBisections; ++i) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        (countBelow(t, middle, minimum) > index ? high : low) = middle;
    }
    return low + (high - low) / 2;
}

// Solves (T − shift) x = b in place by elimination with partial pivoting. `tiny` replaces a pivot of zero.
void solve(const Tridiagonal& t, double shift, double tiny, Vector& b) {
    const std::size_t n = t.size();
    Vector first(n);     // the pivots
    Vector second(n, 0); // one to the right
    Vector third(n, 0);  // two to the right, which row exchanges fill
    double pivot = t.diagonal[0] - shift;
    double right = n > 1 ? t.beside[0] : 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double under = t.beside[i];
        const double next = t.diagonal[i + 1] - shift;
        const double nextRight = i + 2 < n ? t.beside[i + 1] : 0;
        if (std::abs(pivot) >= std::abs(under)) {
            first[i] = pivot != 0 ? pivot : tiny;
            second[i] = right;
            const double factor = under / first[i];
            pivot = next - factor * right;
            right = nextRight;
            b[i + 1] -= factor * b[i];
        } else {
            first[i] = under;
            second[i] = next;
            third[i] = nextRight;
            const double factor = pivot / under;
            pivot = right - factor * next;
            right = -factor * nextRight;
            std::swap(b[i], b[i + 1]);
            b[i + 1] -= factor * b[i];
        }
    }
    first[n - 1] = std::abs(pivot) > tiny ? pivot : tiny;
    for (std::size_t i = n; i-- > 0;) {
        const double known = (i + 1 < n ? second[i] * b[i + 1] : 0) + (i + 2 < n ? third[i] * b[i + 2] : 0);
        b[i] = (b[i] - known) / first[i];
    }
}

// Removes the direction of `other`, which has unit length, from `vector`.
void makeOrthogonal(Vector& vector, const Vector& other) {
    const double share = dot(vector, other);
    for (std::size_t i = 0; i < vector.size(); ++i) {
        vector[i] -= share * other[i];
    }
}

// The vector of an eigenvalue by inverse iteration, orthogonal to `other` unless that is empty.
Vector eigenvector(const Tridiagonal& t, double value, double norm, const Vector& other) {
    const double tiny = std::max(norm * std::numeric_limits<double>::epsilon(), std::numeric_limits<double>::min());
    Vector vector(t.size());
    std::uint64_t state = other.empty() ? 1 : 2; // any start with a share of every direction will do
    for (double& x : vector) {
        state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        x = static_cast<double>(state >> 11U) / 9'007'199'254'740'992.0 - 0.5;
    }
    for (int i = 0; i < kInverseIterations; ++i) {
        if (!other.empty()) {
            makeOrthogonal(vector, other);
        }
        scaleToUnit(vector);
        solve(t, value, tiny, vector);
        scaleToUnit(vector);
    }
    if (!other.empty()) {
        makeOrthogonal(vector, other);
        scaleToUnit(vector);
    }
    return vector;
}

// Converts a vector from the basis of the tridiagonal matrix to the original one: applies the reflections in reverse
// order.
void undoReflections(const Reduction& reduction, Vector& vector) {
    for (std::size_t k = reduction.reflections.size(); k-- > 0;) {
        const Vector& v = reduction.reflections[k];
        if (!v.empty()) {
            const std::span<double> part = std::span(vector).subspan(k + 1);
            const double share = 2 * dot(v, part);
            for (std::size_t i = 0; i < v.size(); ++i) {
                part[i] -= share * v[i];
            }
        }
    }
}

// Scales elements to near 1, so that no square is out of range, and returns the exponent. A power of two rounds
// nothing.
int scaleToOne(std::vector<double>& matrix) {
    double largest = 0;
    for (const double element : matrix) {
        largest = std::max(largest, std::abs(element));
    }
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;
    for (double& element : matrix) {
        element = std::scalbn(element, -exponent);
    }
    return exponent;
}

} // namespace

Result<std::array<EigenPair, 2>> largestEigenPairs(std::vector<double> matrix, std::size_t size,
                                                   const JobContext& job) {
    std::array<EigenPair, 2> pairs;
    if (size == 0) {
        return pairs;
    }
    const int exponent = scaleToOne(matrix);
    const auto reduction = GUFO_TRY(reduce(std::move(matrix), size, job));
    const double norm = reduction.matrix.norm();
    for (std::size_t i = 0; i < std::min<std::size_t>(size, 2); ++i) {
        pairs[i].value = eigenvalue(reduction.matrix, size - 1 - i, norm);
        pairs[i].vector = eigenvector(reduction.matrix, pairs[i].value, norm, i > 0 ? pairs[0].vector : Vector());
    }
    for (EigenPair& pair : pairs) {
        if (!pair.vector.empty()) {
            undoReflections(reduction, pair.vector);
            pair.value = std::scalbn(pair.value, exponent);
        }
    }
    return pairs;
}

Result<std::vector<double>> eigenvalues(std::vector<double> matrix, std::size_t size, const JobContext& job) {
    std::vector<double> values(size);
    if (size == 0) {
        return values;
    }
    const int exponent = scaleToOne(matrix);
    const auto reduction = GUFO_TRY(reduce(std::move(matrix), size, job));
    const double norm = reduction.matrix.norm();
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = std::scalbn(eigenvalue(reduction.matrix, size - 1 - i, norm), exponent);
    }
    return values;
}

} // namespace gufo
