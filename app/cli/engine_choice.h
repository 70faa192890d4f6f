// Which engine runs the model: the built-in one, another on this computer, or a server (--engine, --engine-key-file).
// The key is never an argument, because other users of the machine can read the arguments of a process.
#pragma once

#include "cli/model_access.h"
#include "inference/engine_table.h"

namespace gufo::cli {

// The environment variable that contains the server's key, unless --engine-key-file names a file with it.
inline constexpr const char* kEngineKeyVariable = "GUFO_ENGINE_KEY";

// The ids of the engines on this computer that --engine takes, and of the engines that obey --gpu-layers and --rpc.
[[nodiscard]] QString engineIds();
[[nodiscard]] QString offloadingEngineIds();

// The engine that --engine names, or the one for servers if it is an address; without it, the built-in engine. Prints
// errors in the name of `verb`.
[[nodiscard]] Expected<const inference::Engine*> engineOf(const Invocation& invocation, const char* verb,
                                                          Console& console);

// Whether --context sets the context of the engine, or the verb gives it another meaning.
enum class ContextOption : bool { OfEngine, OfVerb };
// The options of `engine`: the options of sessionOptionsOf(), the options that say what computes, and the address and
// the key of a server. Options that the engine does not obey are refused, --context among them with
// ContextOption::OfEngine. Prints errors in the name of `verb`.
[[nodiscard]] Expected<inference::SessionOptions> openOptionsOf(const inference::Engine& engine,
                                                                const Invocation& invocation, const char* verb,
                                                                Console& console,
                                                                ContextOption context = ContextOption::OfEngine);

// Says which saved states could not be used (--keep-prompts).
void noteRefusedStates(std::span<const Error> states, Console& console);
// Prints what the user has to know of an answer: noteRefusedStates(), and events of a server that were skipped.
void noteAnswer(const inference::Response& response, Console& console);
// Says which texts have become control tokens.
void noteTypedSpecials(std::span<const std::string> texts, Console& console);
// What the server of an error is for.
[[nodiscard]] ui::ServerKind serverKindOf(const inference::ResponderFacts& facts);

// If the engine is a server, prints what it is and whether it runs this file.
void noteServer(const inference::ResponderFacts& facts, Console& console);

} // namespace gufo::cli
