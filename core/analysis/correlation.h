// How two tensors of equal shape go together, weight by weight: Pearson's correlation.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <cstdint>
#include <optional>

namespace gufo {

struct Correlation {
    std::uint64_t pairs = 0;          // in which both weights are finite
    std::uint64_t leftOut = 0;        // the others, and weights beyond the end of a truncated file
    std::optional<double> pearson{};  // from −1 to 1; no value if all weights of one tensor are equal
    std::optional<double> expected{}; // how far from 0 the correlation of as many independent pairs is: 1 / √pairs
};

// The tensors may be of different types and models. The sums are made in pieces around the mean of each piece and
// merged in their order (Chan, Golub, LeVeque 1983), so that a large mean costs no digits, and the number of threads
// does not matter. Progress counts weights. Errors: InvalidArgument (the shapes differ), NotDecodable, NotSupported,
// FileNotFound, FileChangedWhileReading, Cancelled.
[[nodiscard]] Result<Correlation> correlateTensors(const Model& model, TensorIndex tensor, const Model& otherModel,
                                                   TensorIndex other, const JobContext& job = {});

} // namespace gufo
