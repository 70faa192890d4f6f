// Which tensor of one snapshot is which of another: by its bytes' place where it was renamed, by its name where a save
// has given it another place.
#pragma once

#include "model/model.h"

#include <optional>
#include <vector>

namespace gufo::ui {

struct TensorMove {
    std::optional<TensorIndex> to{}; // nothing: it is gone
    bool sameBytes = false;          // false: another tensor has taken its name
};

// By tensor of `from`. `saved`: `to` was read from the file that `from` was written to.
[[nodiscard]] std::vector<TensorMove> tensorMoves(const Model& from, const Model& to, bool saved);

} // namespace gufo::ui
