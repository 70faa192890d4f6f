// Which engine runs the model: the built-in one, or a server (--engine, --engine-key-file). The key is never an
// argument, because other users of the machine can read those.
#pragma once

#include "cli/model_access.h"
#include "inference/session/engine_table.h"

namespace gufo::cli {

// Environment variable with the server's key.
inline constexpr const char* kEngineKeyVariable = "GUFO_ENGINE_KEY";

// The built-in engine, or the one for servers if --engine is given. Errors are printed as those of `verb`.
[[nodiscard]] Expected<const inference::Engine*> engineOf(const Invocation& invocation, const char* verb,
                                                          Console& console);
// The options of `engine`: sessionOptionsOf(), and the address and the key of a server. Options that have no effect on
// a server are refused; --context is one of them unless the verb gives it another meaning. Errors are printed as those
// of `verb`.
enum class ContextOption : bool { OfEngine, OfVerb };
[[nodiscard]] Expected<inference::SessionOptions> openOptionsOf(const inference::Engine& engine,
                                                                const Invocation& invocation, const char* verb,
                                                                Console& console,
                                                                ContextOption context = ContextOption::OfEngine);
// Prints what the server is and whether it runs this file, if the engine is a server.
void noteServer(const inference::ResponderFacts& facts, Console& console);

} // namespace gufo::cli
