// Changes that rearrange the blocks of a model: blocks dropped or duplicated, and blocks that predict further tokens
// (MTP) taken out, left alone or added. They rename the tensors of later blocks, and adapt block_count, the arrays with
// a value for each block, leading_dense_block_count and nextn_predict_layers. Also renames keys after another
// architecture.
//
// The changes are one step of a Document like any other. Nothing is changed where the result could not be consistent.
//
// Threads: all functions are thread-safe; no weights are read.
#pragma once

#include "base/error.h"
#include "model/change.h"
#include "model/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gufo {

struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0; // included
};

// Reads numbers and ranges of numbers, "3,7-9"; nothing if the text is no such list.
[[nodiscard]] std::optional<std::vector<BlockRange>> parseBlockRanges(std::string_view text);

// Drops the blocks of some ranges, and puts copies of others behind the last block of their range. Numbers are those
// before the change. Errors: InvalidArgument (Detail::NoSuchBlock, NoBlockLeft, BlocksInPeriods where the kinds of
// blocks follow from their numbers); NoSuchKey (block_count).
[[nodiscard]] Result<std::vector<Change>> rearrangeBlocks(const std::shared_ptr<const Model>& model,
                                                          std::span<const BlockRange> drop,
                                                          std::span<const BlockRange> duplicate);

// Removes the blocks that predict further tokens. Errors: InvalidArgument (Detail::NoPredictionBlocks); those above.
[[nodiscard]] Result<std::vector<Change>> stripMtp(const std::shared_ptr<const Model>& model);
// Leaves only them, with all keys, as a file of their own. Errors: InvalidArgument (Detail::NoPredictionBlocks).
[[nodiscard]] Result<std::vector<Change>> extractMtp(const Model& model);
// Adds the blocks of another file of the model, which may hold only them. Errors: InvalidArgument
// (Detail::NoPredictionBlocks for the donor, HasPredictionBlocks for the model, OtherArchitecture, OtherWidth).
[[nodiscard]] Result<std::vector<Change>> graftMtp(const Model& model, const std::shared_ptr<const Model>& donor);

// Refuses a model with errors in its structure that the one before the change did not have. Errors: InvalidArgument
// (Detail::SurgeryBreaks, with the name of the first finding, its place and its arguments).
[[nodiscard]] Result<> checkSurgery(const Model& before, const Model& after);

// Hyper-parameters are named after the architecture ("llama.block_count"), so they follow when that is changed: adds to
// changes that set general.architecture the renaming of the keys of the old architecture. Keys that the changes name
// themselves are left alone, and so are keys whose new name is taken. Other changes are returned as they are.
[[nodiscard]] std::vector<Change> withArchitectureKeys(const Model& model, std::vector<Change> changes);

} // namespace gufo
