// The rows of a matrix as vectors, such as a model's table of token embeddings.
#pragma once

#include "analysis/vector_set.h"
#include "model/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gufo {

// The chosen rows of a tensor of two dimensions, in the order of the list; NaN for weights beyond the end of a
// truncated file. Progress counts rows. Errors: as for readSlice(); at most 2^24 weights are read.
[[nodiscard]] Result<std::vector<float>> readRows(const Model& model, TensorIndex tensor,
                                                  std::span<const std::uint64_t> rows, const JobContext& job = {});

// The `count` rows that are most similar to a row by the cosine, the nearest first and equally near ones in their
// order, without the row itself and without rows that have no cosine (pairCosines()). Every row is read. Progress
// counts rows. Errors: as for readSlice(); InvalidArgument also if there are more than 2^24 rows.
[[nodiscard]] Result<std::vector<Neighbour>> nearestRows(const Model& model, TensorIndex tensor, std::uint64_t row,
                                                         std::size_t count, const JobContext& job = {});

} // namespace gufo
