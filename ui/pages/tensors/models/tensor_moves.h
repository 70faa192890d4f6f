// Matches the tensors of two snapshots: by the position of their bytes if they were renamed, or by name if a save has
// moved them.
#pragma once

#include "model/model.h"

#include <optional>
#include <vector>

namespace gufo::ui {

struct TensorMove {
    std::optional<TensorIndex> to{}; // empty: it was deleted
    bool sameBytes = false;          // false: another tensor has taken its name
};

// Indexed by tensor of `from`. `saved`: `to` was read from the file to which `from` was written.
[[nodiscard]] std::vector<TensorMove> tensorMoves(const Model& from, const Model& to, bool saved);

} // namespace gufo::ui
