// Tensors moved out to a file of their own: a projector that is stored in its model, a table that engines may do
// without, or one that they need (then both files are the parts of one model).
//
// Threads: all functions are thread-safe; no weights are read.
#pragma once

#include "base/error.h"
#include "model/change.h"
#include "model/model.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace gufo {

struct MovedOut {
    enum class Kind : std::uint8_t {
        Projector, // of images or sound: the keys that describe it move, too
        Beside,    // the rest is a model without it; the new file has all keys
        Part,      // both files are parts of one model; the rest has to be saved under the name `first`
    };
    Kind kind = Kind::Beside;
    std::vector<Change> file{}; // applied to the model, these make the new file
    std::vector<Change> rest{}; // applied to the model, these remove what has moved
    std::filesystem::path first{};
};

// Plans to move the tensors for whose name `matches` returns true to `file`. Errors: InvalidArgument
// (Detail::NoTensorMoved, NoProjectorKeys, MergePartsFirst; ModelNeedsMoved if no engine can run the rest and `file` is
// not named as the second part of a model).
[[nodiscard]] Result<MovedOut> moveOut(const std::shared_ptr<const Model>& model,
                                       const std::function<bool(std::string_view)>& matches,
                                       const std::filesystem::path& file);

} // namespace gufo
