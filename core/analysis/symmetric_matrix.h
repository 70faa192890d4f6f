// The eigenvalues of a symmetric matrix: the two largest with their vectors, or all without.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <array>
#include <vector>

namespace gufo {

struct EigenPair {
    double value = 0;
    std::vector<double> vector{}; // of unit length
};

// `matrix` holds size × size elements. Only its lower triangle is read; all of it is used as working memory. For sizes
// below two, the missing pairs have the value 0 and no vector. The matrix is reduced to a tridiagonal one by
// reflections, whose eigenvalues are enclosed by bisection, so the result is exact to rounding whatever the spectrum,
// equal eigenvalues included. The time grows with the cube of the size. Progress counts columns. Errors: Cancelled.
[[nodiscard]] Result<std::array<EigenPair, 2>> largestEigenPairs(std::vector<double> matrix, std::size_t size,
                                                                 const JobContext& job = {});

// All eigenvalues, the largest first; as above otherwise.
[[nodiscard]] Result<std::vector<double>> eigenvalues(std::vector<double> matrix, std::size_t size,
                                                      const JobContext& job = {});

} // namespace gufo
