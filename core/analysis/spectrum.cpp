#include "analysis/spectrum.h"

#include "analysis/symmetric_matrix.h"
#include "base/detail.h"
#include "base/parallel.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

namespace gufo {
namespace {

constexpr std::size_t kOversampling = 10;       // directions beyond those asked for, which make the last ones accurate
constexpr std::uint64_t kMostLines = 1U << 22U; // rows, and columns
constexpr std::uint64_t kMostElements = 1U << 23U; // in each of the two blocks of vectors
constexpr std::uint64_t kBlockWeights = 1U << 20U; // of the matrix that are held at a time, if its rows are not longer
constexpr std::uint64_t kRowsPerChunk = 4;
constexpr std::uint64_t kColumnsPerChunk = 64;
constexpr double kSettles = 1e-6;    // of the largest value: smaller ones are rounding errors, which never settle
constexpr double kVanishing = 1e-12; // A vector shorter than this share of its former length is a rounding error.

// Vectors of equal length, interleaved: at(index) views the elements with that index of all vectors.
class VectorBlock {
public:
    VectorBlock(std::size_t length, std::size_t width)
        : m_width(width)
        , m_values(length * width) {}

    [[nodiscard]] std::size_t width() const { return m_width; }
    [[nodiscard]] std::size_t length() const { return m_values.size() / m_width; }
    [[nodiscard]] double* at(std::size_t index) { return m_values.data() + index * m_width; }
    [[nodiscard]] const double* at(std::size_t index) const { return m_values.data() + index * m_width; }
    void setZero() { std::ranges::fill(m_values, 0.0); }

    // The same numbers on every machine: std::normal_distribution is not specified exactly, and any distribution that
    // is symmetric about 0 will do.
    void setRandom() {
        std::mt19937_64 random(0x5EED);
        for (double& value : m_values) {
            value = static_cast<double>(random() >> 11U) / 4'503'599'627'370'496.0 - 1;
        }
    }

    // Gram and Schmidt's method, twice, because once leaves a share of the other directions. A vector that depends on
    // those before it becomes 0.
    bool makeOrthonormal(const JobContext& job) {
        std::vector<double> shares(m_width);
        for (std::size_t k = 0; k < m_width; ++k) {
            if (job.stopRequested()) {
                return false;
            }
            const double before = norm(k);
            for (int round = 0; round < 2; ++round) {
                std::ranges::fill(shares, 0.0);
                for (std::size_t i = 0; i < length(); ++i) {
                    const double* const row = at(i);
                    for (std::size_t j = 0; j < k; ++j) {
                        shares[j] += row[j] * row[k];
                    }
                }
                for (std::size_t i = 0; i < length(); ++i) {
                    double* const row = at(i);
                    double sum = 0;
                    for (std::size_t j = 0; j < k; ++j) {
                        sum += shares[j] * row[j];
                    }
                    row[k] -= sum;
                }
            }
            const double after = norm(k);
            const double factor = after > before * kVanishing && after > 0 ? 1 / after : 0;
            for (std::size_t i = 0; i < length(); ++i) {
                at(i)[k] *= factor;
            }
        }
        return true;
    }

private:
    [[nodiscard]] double norm(std::size_t k) const {
        double sum = 0;
        for (std::size_t i = 0; i < length(); ++i) {
            sum += at(i)[k] * at(i)[k];
        }
        return std::sqrt(sum);
    }

    std::size_t m_width;
    std::vector<double> m_values;
};

// The matrix, read from its first row to the last.
struct Rows {
    const Model& model;
    TensorIndex tensor;
    SliceRequest matrix; // all rows and columns

    [[nodiscard]] std::uint64_t perBlock() const { return std::max<std::uint64_t>(kBlockWeights / matrix.columns, 1); }

    // Calls use(first row, rows) until it fails.
    template<typename Use>
    Result<> forEachBlock(const JobContext& job, Use use) const {
        for (std::uint64_t row = 0; row < matrix.rows; row += perBlock()) {
            SliceRequest request = matrix;
            request.firstRow = row;
            request.rows = std::min(perBlock(), matrix.rows - row);
            auto slice = GUFO_TRY(readSlice(model, tensor, request, job.silent()));
            GUFO_TRY(use(row, slice));
            job.advance(request.rows * request.columns);
        }
        return {};
    }
};

// What the first pass finds, besides the product.
struct Energies {
    std::vector<double> rows;
    std::vector<double> columns;
};

std::vector<Spectrum::Line> largest(const std::vector<double>& energies) {
    std::vector<Spectrum::Line> lines(energies.size());
    for (std::size_t i = 0; i < energies.size(); ++i) {
        lines[i] = {.index = i, .energy = energies[i]};
    }
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), Spectrum::kLines));
    std::ranges::partial_sort(lines, end, [](const Spectrum::Line& a, const Spectrum::Line& b) {
        return a.energy != b.energy ? a.energy > b.energy : a.index < b.index;
    });
    lines.erase(end, lines.end());
    return lines;
}

// Weights that are not finite become 0; returns how many.
std::uint64_t clean(Slice& slice) {
    std::uint64_t count = 0;
    for (float& weight : slice.values) {
        if (!std::isfinite(weight)) {
            weight = 0;
            ++count;
        }
    }
    return count;
}

// The sums of squares of rows and columns.
Result<Energies> measureEnergies(const Rows& rows, Spectrum& spectrum, const JobContext& job) {
    Energies energies{.rows = std::vector<double>(rows.matrix.rows),
                      .columns = std::vector<double>(rows.matrix.columns)};
    GUFO_TRY(rows.forEachBlock(job, [&](std::uint64_t first, Slice& slice) -> Result<> {
        spectrum.leftOut += clean(slice);
        for (std::uint64_t row = 0; row < slice.rows; ++row) {
            const float* const weights = slice.values.data() + row * slice.columns;
            double sum = 0;
            for (std::uint64_t column = 0; column < slice.columns; ++column) {
                const double square = static_cast<double>(weights[column]) * static_cast<double>(weights[column]);
                sum += square;
                energies.columns[column] += square;
            }
            energies.rows[first + row] = sum;
        }
        return {};
    }));
    return energies;
}

// One pass: `next` becomes AᵀA × `vectors`, and the result is the matrix of the products of A × `vectors`.
Result<std::vector<double>> multiply(const Rows& rows, const VectorBlock& vectors, VectorBlock& next,
                                     const JobContext& job) {
    const std::size_t width = vectors.width();
    next.setZero();
    std::vector<double> products(width * width);
    std::vector<double> images(rows.perBlock() * width);
    GUFO_TRY(rows.forEachBlock(job, [&](std::uint64_t, Slice& slice) -> Result<> {
        static_cast<void>(clean(slice));
        const float* const weights = slice.values.data();
        const bool multiplied =
            parallelFor(slice.rows, kRowsPerChunk, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
                for (std::uint64_t row = begin; row < end; ++row) {
                    double* const image = images.data() + row * width;
                    std::fill_n(image, width, 0.0);
                    for (std::uint64_t column = 0; column < slice.columns; ++column) {
                        const double weight = static_cast<double>(weights[row * slice.columns + column]);
                        const double* const vector = vectors.at(column);
                        for (std::size_t k = 0; k < width; ++k) {
                            image[k] += weight * vector[k];
                        }
                    }
                }
            });
        const bool returned =
            multiplied &&
            parallelFor(slice.columns, kColumnsPerChunk, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
                for (std::uint64_t row = 0; row < slice.rows; ++row) {
                    const double* const image = images.data() + row * width;
                    for (std::uint64_t column = begin; column < end; ++column) {
                        const double weight = static_cast<double>(weights[row * slice.columns + column]);
                        double* const sum = next.at(column);
                        for (std::size_t k = 0; k < width; ++k) {
                            sum[k] += weight * image[k];
                        }
                    }
                }
            });
        if (!returned) {
            return fail(ErrorCode::Cancelled);
        }
        for (std::uint64_t row = 0; row < slice.rows; ++row) {
            const double* const image = images.data() + row * width;
            for (std::size_t i = 0; i < width; ++i) {
                for (std::size_t j = 0; j <= i; ++j) {
                    products[i * width + j] += image[i] * image[j];
                }
            }
        }
        return {};
    }));
    return products;
}

} // namespace

double Spectrum::share(std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(count, values.size()); ++i) {
        sum += values[i] * values[i];
    }
    return energy > 0 ? std::min(sum / energy, 1.0) : 0;
}

Result<Spectrum> measureSpectrum(const Model& model, TensorIndex tensor, const SpectrumRequest& request,
                                 const JobContext& job) {
    const TensorInfo& info = model.tensor(tensor);
    Rows rows{.model = model, .tensor = tensor, .matrix = {.rowDimension = request.rowDimension}};
    rows.matrix.fixed = request.fixed;
    rows.matrix.columns = info.shape[0];
    rows.matrix.rows = request.rowDimension < Shape::kMaxDimensions ? info.shape[request.rowDimension] : 1;
    if (info.weights() == 0 || rows.matrix.columns > kMostLines || rows.matrix.rows > kMostLines) {
        return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(info.name)), {Detail::PictureSizeInvalid});
    }
    Spectrum spectrum{.rows = rows.matrix.rows, .columns = rows.matrix.columns};
    const std::uint64_t rank = std::min(spectrum.rows, spectrum.columns);
    const std::size_t width = std::min<std::uint64_t>(
        {std::max<std::uint64_t>(request.values, 1) + kOversampling, rank, kMostElements / spectrum.columns});
    const std::size_t values = std::min(std::max<std::size_t>(request.values, 1), width);
    job.start(spectrum.rows * spectrum.columns * Spectrum::kMostPasses);

    {
        const Energies energies = GUFO_TRY(measureEnergies(rows, spectrum, job));
        for (const double energy : energies.rows) {
            spectrum.energy += energy;
        }
        spectrum.topRows = largest(energies.rows);
        spectrum.topColumns = largest(energies.columns);
    }
    spectrum.isWhole = values == rank;

    VectorBlock vectors(spectrum.columns, width);
    VectorBlock next(spectrum.columns, width);
    vectors.setRandom();
    spectrum.passes = 1;
    do {
        if (!vectors.makeOrthonormal(job)) {
            return fail(ErrorCode::Cancelled);
        }
        auto products = GUFO_TRY(multiply(rows, vectors, next, job));
        std::vector<double> found = GUFO_TRY(eigenvalues(std::move(products), width, job.silent()));
        found.resize(values);
        spectrum.change = 0;
        for (std::size_t i = 0; i < values; ++i) {
            found[i] = std::sqrt(std::max(found[i], 0.0)); // rounding may make it negative
            const double before = i < spectrum.values.size() ? spectrum.values[i] : 0;
            if (found[i] > found[0] * kSettles) {
                spectrum.change = std::max(spectrum.change, std::abs(found[i] - before) / found[i]);
            }
        }
        spectrum.values = std::move(found);
        std::swap(vectors, next);
        ++spectrum.passes;
    } while (spectrum.change > Spectrum::kTolerance && spectrum.passes < Spectrum::kMostPasses);
    return spectrum;
}

} // namespace gufo
