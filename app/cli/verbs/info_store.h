// The verb info for a store of models (formats/ollama/store.h) when the user does not name one of them.
#pragma once

#include "cli/console.h"
#include "cli/invocation.h"

#include <optional>

namespace gufo::cli {

// Lists the models of the store that the first argument is, and returns the exit code; nothing if it is another file or
// folder, or a store with one model.
[[nodiscard]] std::optional<int> listStore(const Invocation& invocation, Console& console);

} // namespace gufo::cli
