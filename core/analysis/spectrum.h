// The largest singular values of a matrix of a tensor, and the rows and columns that hold most of its energy.
//
// The values are found by a randomised subspace iteration (N. Halko, P. G. Martinsson, J. A. Tropp, "Finding structure
// with randomness", SIAM Review 53 (2011), algorithm 4.4): a random block of vectors is multiplied by AᵀA and made
// orthonormal again and again, and the singular values of A on the space that it spans are taken. The matrix is read
// once for each multiplication and never held in memory. No value is larger than the true one, but for rounding; the
// larger ones converge first. If all values of a small matrix are asked for, the space is the whole one.
//
// The result depends on the weights only, never on the number of threads.
#pragma once

#include "analysis/slice.h"

#include <cstdint>
#include <vector>

namespace gufo {

struct SpectrumRequest {
    std::size_t values = 64; // how many of the largest, at least 1; fewer if the matrix has no more or is very wide
    // The matrix of a tensor with more than two dimensions, as in SliceRequest.
    std::size_t rowDimension = 1;
    std::array<std::uint64_t, Shape::kMaxDimensions> fixed{};
};

struct Spectrum {
    struct Line { // a row or a column
        std::uint64_t index = 0;
        double energy = 0; // the sum of the squares of its weights
    };

    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::vector<double> values{}; // the largest first
    bool isWhole = false;         // whether `values` are all that the matrix has
    std::size_t passes = 0;       // how often the matrix was read
    double change = 0;            // of a value by the last pass, relative to it; the largest over all values
    double energy = 0;            // the squared Frobenius norm: the sum of the squares of all singular values
    std::vector<Line> topRows{};  // the rows with the most energy, in descending order; at most kLines
    std::vector<Line> topColumns{};
    std::uint64_t leftOut = 0; // weights that are not finite or beyond the end of the file, which count as 0

    static constexpr std::size_t kLines = 16;
    static constexpr std::size_t kMostPasses = 10;
    static constexpr double kTolerance = 1e-3; // passes end once no value changes by more than that

    // The share of the energy in the first `count` values; 0 if all weights are 0.
    [[nodiscard]] double share(std::size_t count) const;
};

// Progress counts weights of kMostPasses passes; fewer may be needed. Memory: at most 192 MiB. Errors: as for
// readSlice(); InvalidArgument also if there are more than 2^22 rows or columns, or no weights.
[[nodiscard]] Result<Spectrum> measureSpectrum(const Model& model, TensorIndex tensor,
                                               const SpectrumRequest& request = {}, const JobContext& job = {});

} // namespace gufo
