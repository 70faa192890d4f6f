// The verb merge for the pieces of a file (formats/sets/file_pieces.h). No piece is a model by itself.
#pragma once

#include "cli/console.h"
#include "cli/invocation.h"

#include <optional>

namespace gufo::cli {

// Joins the pieces that the first argument belongs to into the second, and returns the exit code; nothing if it is no
// piece.
[[nodiscard]] std::optional<int> mergePieces(const Invocation& invocation, Console& console);

} // namespace gufo::cli
