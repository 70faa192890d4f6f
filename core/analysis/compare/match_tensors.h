// Which tensors of several models belong together. Reads no weights: quick enough to lay out a map before anything is
// compared, though not for the UI thread where files name a hundred thousand tensors.
//
// Tensors match by name. Where a tensor of the reference has no counterpart of its name, one of the same shape whose
// name means the same (role, block, expert, part: tensor_role.h) takes its place: other spellings of a role, an expert
// with a tensor of its own against a slice of all experts, query/key/value in one tensor against three. A tensor of all
// experts becomes one row for each expert, a fused tensor one for each part (fused_tensors.h).
#pragma once

#include "analysis/tensor_part.h"
#include "base/job_context.h"
#include "model/tensor_role.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo {

inline constexpr std::size_t kMaxCompared = 8; // models
// Rows that tensors are expanded to at most; those after it stay whole.
inline constexpr std::size_t kMaxExpandedRows = 1U << 18U;

enum class MatchStatus : std::uint8_t {
    Present,  // same name and shape as in the reference; the reference itself
    Renamed,  // same shape and meaning, another name
    Reshaped, // same name, another shape: cannot be compared
    Missing,  // this model does not have it
    Extra,    // this model has it and the reference does not
};

struct TensorMatch {
    struct Cell {
        MatchStatus status = MatchStatus::Missing;
        TensorPart part; // not for Missing; for Reshaped the whole tensor
    };
    std::string_view name;                 // of the tensor in the reference, else in the first model that has it
    std::string_view role;                 // of the row: for parts of fused tensors that of the part ("attn_q")
    const RoleFact* fact = nullptr;        // of the role; null outside the convention
    std::string_view prefix;               // "v.", "mm." …; empty for the language model
    std::string_view suffix;               // "weight", "bias" …
    std::optional<std::uint32_t> block{};  // 17
    std::optional<std::uint32_t> expert{}; // slice of a tensor of all experts, or the expert of the name
    bool part = false;                     // one of several parts of a fused tensor
    bool slice = false;                    // one of several experts of a tensor
    std::vector<Cell> cells;               // by model

    [[nodiscard]] bool has(std::size_t model) const { return cells[model].status != MatchStatus::Missing; }
    // Whether `model` has something that can be set against the reference's.
    [[nodiscard]] bool comparable(std::size_t model) const {
        return cells[model].status == MatchStatus::Present || cells[model].status == MatchStatus::Renamed;
    }
    // "blk.3.ffn_gate_up_exps.weight [7] ffn_gate": name, expert of a slice, part.
    [[nodiscard]] std::string label() const;
};

struct TensorMatches {
    std::vector<std::shared_ptr<const Model>> models; // kept alive: names are views of their files
    std::size_t reference = 0;
    // In the reference's order; rows that it does not have come after those of the same block, or at the end.
    std::vector<TensorMatch> rows;
};

// The model with most bits per weight, the first of equals.
[[nodiscard]] std::size_t proposedReference(std::span<const std::shared_ptr<const Model>> models);

// Errors: InvalidArgument (fewer than one or more than kMaxCompared models, reference out of range); Cancelled.
[[nodiscard]] Result<TensorMatches> matchTensors(std::span<const std::shared_ptr<const Model>> models,
                                                 std::size_t reference, const JobContext& job = {});

} // namespace gufo
