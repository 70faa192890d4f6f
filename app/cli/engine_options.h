// Reads options, loads models and parses tokens, for the verbs that run a model.
#pragma once

#include "cli/model_access.h"
#include "cli/swapped_weights.h"
#include "inference/engine_table.h"

#include <cstdint>
#include <expected>
#include <limits>
#include <memory>

namespace gufo::cli {

// The upper limit of options that count tokens or candidates; the engines count them with signed 32-bit numbers.
inline constexpr std::uint64_t kMaxTokens = std::numeric_limits<std::int32_t>::max();

struct LoadedEngine {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const inference::LoadedModel> loaded;
    std::unique_ptr<inference::Session> session;
};

// The names of the types of the KV cache: "f32, f16 … q4_0".
[[nodiscard]] QString kvTypeNames();

// Reads --context, --batch, --threads and the options for the KV cache and rotary positions. The error is a sentence
// for the user.
[[nodiscard]] std::expected<inference::SessionOptions, QString> sessionOptionsOf(const Invocation& invocation);

// Opens a model that generates texts. Errors are printed.
[[nodiscard]] Expected<std::shared_ptr<const Model>> openRunnable(const hub::ModelPlace& place, Console& console);
// Opens, checks and loads the model with `engine`, with tensors of other files. Errors and the tokenizer's warnings are
// printed.
[[nodiscard]] Expected<std::unique_ptr<inference::Responder>>
openResponder(const inference::Engine& engine, const std::filesystem::path& path,
              const inference::SessionOptions& options, Console& console, const WeightSwaps& swaps = {});
// Returns whether the engine, or the responder, offers a feature. If not, prints an error of `verb` that names `what`,
// the option that needs it.
[[nodiscard]] bool checkOffered(const inference::EngineCapabilities& engine, inference::Feature feature,
                                const char* verb, const char* what, Console& console);
[[nodiscard]] bool checkOffered(const inference::Responder& responder, inference::Feature feature, const char* verb,
                                const char* what, Console& console);
// Prints which tensors the engine does not use, if any; `drafts`: it drafts with the first block that predicts further
// tokens.
void noteLeftOut(std::span<const std::string> tensors, Console& console, bool drafts = false);
// Where the context of a session comes from. A default is reduced to the context that the model was trained with,
// unless the rotary positions are scaled.
enum class ContextChoice { OfUser, Default };

// Opens, checks and loads the model with an engine that gives logits, by default the first one, with tensors of other
// files. Errors are printed.
[[nodiscard]] Expected<LoadedEngine>
loadEngine(const hub::ModelPlace& place, inference::SessionOptions options, Console& console,
           const inference::Engine* engine = inference::engineWith(inference::Feature::AllLogits),
           ContextChoice choice = ContextChoice::OfUser, const WeightSwaps& swaps = {});
[[nodiscard]] Expected<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Model& model,
                                                                             const Cancellation& cancellation,
                                                                             const std::filesystem::path& path,
                                                                             Console& console);

[[nodiscard]] const char* stopName(inference::StopReason reason);    // as in JSON
[[nodiscard]] double perSecond(std::uint64_t count, double seconds); // 0 if no time has passed

// These run the verbs with a given engine, for tests.
int runChatWith(const inference::Engine& engine, const Invocation& invocation, Console& console);
int runGenerateWith(const inference::Engine& engine, const Invocation& invocation, Console& console);

// How many tokens of a text are evaluated unless the user says otherwise: 512, or the trained context if that is
// shorter.
[[nodiscard]] std::size_t defaultWindow(const Model& model);

// Parses numbers separated by spaces, line breaks or commas. The error is a sentence for the user.
[[nodiscard]] std::expected<std::vector<TokenId>, QString> parseTokenIds(std::string_view text);

} // namespace gufo::cli
