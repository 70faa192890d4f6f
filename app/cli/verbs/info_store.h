// The verb info for a store of several models (formats/ollama/store.h), of which none is meant in particular.
#pragma once

#include "cli/console.h"
#include "cli/invocation.h"

#include <optional>

namespace gufo::cli {

// Lists the models of the store that the first argument is, and returns the exit code; nothing if it is another file or
// folder, or a store with one model.
[[nodiscard]] std::optional<int> listStore(const Invocation& invocation, Console& console);

} // namespace gufo::cli
