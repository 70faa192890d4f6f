// Finds corresponding tensors of several models. It reads no weights but samples of tensors whose names do not match,
// so a map can be laid out before anything is compared. It must not run on the UI thread, because a file may name a
// hundred thousand tensors.
//
// Tensors are matched by name. If a tensor of the reference has no counterpart of its name, it is matched with one of
// the same shape whose name has the same meaning (role, block, expert, part: tensor_role.h): another spelling of the
// role, a separate tensor of an expert and a slice of all experts, or one tensor for query/key/value and three. A
// tensor of all experts becomes one row per expert, and a fused tensor one row per part (FusedPart).
#pragma once

#include "analysis/tensor_part.h"
#include "base/job_context.h"
#include "model/model.h"
#include "model/tensor_role.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

inline constexpr std::size_t kMaxCompared = 8; // models
// The maximum number of rows after expansion. Tensors beyond it are not expanded.
inline constexpr std::size_t kMaxExpandedRows = 1U << 18U;

enum class MatchStatus : std::uint8_t {
    Present,  // same name and shape as in the reference; also used for the reference itself
    Renamed,  // same shape and meaning or content, different name
    Reshaped, // same name, different shape; cannot be compared
    Missing,  // missing in this model
    Extra,    // missing in the reference
};

struct TensorMatch {
    struct Cell {
        MatchStatus status = MatchStatus::Missing;
        TensorPart part; // unset for Missing; the whole tensor for Reshaped
    };
    std::string_view name;                 // the tensor's name in the reference, or else in the first model that has it
    std::string_view role;                 // role of the row; for a part of a fused tensor, the role of the part
                                           // ("attn_q")
    const RoleFact* fact = nullptr;        // null for names outside the convention
    std::string_view prefix;               // "v.", "mm." …; empty for the language model
    std::string_view suffix;               // "weight", "bias" …
    std::optional<std::uint32_t> block{};  // 17
    std::optional<std::uint32_t> expert{}; // the slice of a tensor of all experts, or the expert in the name
    bool part = false;                     // one of several parts of a fused tensor
    bool slice = false;                    // one of several experts of a tensor
    std::vector<Cell> cells;               // by model

    [[nodiscard]] bool has(std::size_t model) const { return cells[model].status != MatchStatus::Missing; }
    // Whether `model` has a tensor that can be compared with the reference's.
    [[nodiscard]] bool comparable(std::size_t model) const {
        return cells[model].status == MatchStatus::Present || cells[model].status == MatchStatus::Renamed;
    }
    // The name, the expert of a slice and the part: "blk.3.ffn_gate_up_exps.weight [7] ffn_gate".
    [[nodiscard]] std::string label() const;
};

struct TensorMatches {
    std::vector<std::shared_ptr<const Model>> models; // owned, because names are views of their files
    std::size_t reference = 0;
    // In the reference's order. Rows that the reference lacks follow the rows of the same block, or come last.
    std::vector<TensorMatch> rows;
};

// Proposes the model with the most bits per weight; of equals, the first. Models that have far fewer tensors in common
// with the others than another model are not considered. Looks at a few thousand names of each model at most.
[[nodiscard]] std::size_t proposedReference(std::span<const std::shared_ptr<const Model>> models);

// Errors: InvalidArgument (fewer than one or more than kMaxCompared models, reference out of range); Cancelled.
// Tensors of other names are matched by their meaning and then by samples of their weights (match_content.h), the only
// bytes that are read.
[[nodiscard]] Result<TensorMatches> matchTensors(std::span<const std::shared_ptr<const Model>> models,
                                                 std::size_t reference, const JobContext& job = {});

// Tensors that contain several matrices, one below the other: query, key and value, or gate and up. A table
// (match_tensors.cpp) says which architectures have them, and the order and number of rows of their parts.
struct FusedPart {
    std::string_view role; // a name of the table of roles: "attn_q"
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
};
// The parts of a matrix of `rows` rows (of one expert; for a bias, its elements). Empty if the tensor is not fused or
// if the hyper-parameters do not add up to its number of rows.
[[nodiscard]] std::vector<FusedPart> fusedParts(const Model& model, const TensorName& name, std::uint64_t rows);

} // namespace gufo
