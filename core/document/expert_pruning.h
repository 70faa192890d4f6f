// Fewer experts: changes that keep some experts of each block and remove the others, with their rows of the router and
// their biases. Shared experts stay. The experts that a text uses are counted by importance matrices.
//
// Threads: all functions are thread-safe; those with an importance matrix or a text read it, but no weights.
#pragma once

#include "base/error.h"
#include "formats/imatrix/imatrix.h"
#include "model/change.h"
#include "model/model.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace gufo {

[[nodiscard]] bool hasExperts(const Model& model);

// By block, the experts that stay, in ascending order.
using KeptExperts = std::map<std::uint32_t, std::vector<std::uint64_t>>;

// The most used experts of each block, as many as `count` says; without it, as many as the block with the most used
// ones has, so that none is dropped that the text used. Where experts are chosen from groups, each group keeps equally
// many. Errors: InvalidArgument (Detail::NoExperts, TooFewExperts; with the file of the matrix: ExpertsUncounted,
// values that are negative or not finite).
[[nodiscard]] Result<KeptExperts> mostUsedExperts(const Model& model, const Imatrix& imatrix,
                                                  std::optional<std::uint64_t> count);

// Reads a list with a line for each block, "3: 0,2,5-7"; "*" stands for all blocks that have no line. "#" begins a
// comment. Errors: InvalidArgument (Detail::NoExperts, ExpertListLine, ExpertListBlock).
[[nodiscard]] Result<KeptExperts> parseKeptExperts(std::string_view text, const Model& model);

// The changes, as one step. Errors: InvalidArgument (Detail::NoExperts, NoSuchExpert, ExpertsUneven, ExpertsUngrouped,
// TooFewExperts; with the tensor: ExpertTensorShape, ExpertsByNumber); NoSuchKey (expert_count).
[[nodiscard]] Result<std::vector<Change>> keepExperts(const Model& model, const KeptExperts& kept);

} // namespace gufo
