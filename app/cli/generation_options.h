// The options of the verbs that generate text: samplers, stop conditions and constraints.
#pragma once

#include "cli/engine_options.h"
#include "inference/grammar/grammar.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {

// The grammar is parsed once.
struct GenerationOptions {
    inference::GenerationSettings settings{};
    std::shared_ptr<const inference::Grammar> grammar{}; // null: no constraint
    // With --schema-relaxed: the ignored keywords of the schema, as JSON pointers.
    std::optional<std::vector<std::string>> relaxed{};
    bool literalContent = false; // as inference::ResponseRequest
};
// Prints errors in the name of `verb`.
[[nodiscard]] Expected<GenerationOptions> generationOptionsOf(const Invocation& invocation, const char* verb,
                                                              Console& console);
// Writes the member `relaxed`, if there is anything to say.
void writeRelaxed(const GenerationOptions& options, ui::JsonWriter& json);
// Applies what depends on the engine and the model: the sampler settings that the model recommends, --logit-bias, which
// needs its vocabulary, and a grammar, which needs an engine that supports grammars.
[[nodiscard]] Expected<void> applyEngine(const Invocation& invocation, const char* verb,
                                         const inference::Responder& responder, GenerationOptions& options,
                                         Console& console);

} // namespace gufo::cli
