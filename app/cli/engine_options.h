// What the verbs that run a model have in common: options, loading, the prompt's tokens.
#pragma once

#include "cli/model_access.h"
#include "inference/grammar/grammar_constraint.h"
#include "inference/session/generation.h"
#include "inference/session/session.h"

#include <expected>
#include <memory>

namespace gufo::cli {

struct LoadedEngine {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const inference::LoadedModel> loaded;
    std::unique_ptr<inference::Session> session;
};

// --context, --batch, --threads, and those on the KV cache and on rotary positions. The error is a sentence for the
// user.
[[nodiscard]] std::expected<inference::SessionOptions, QString> sessionOptionsOf(const Invocation& invocation);
// --temp, --seed, --top-k and so on. The error is a sentence for the user.
[[nodiscard]] std::expected<inference::SamplerSettings, QString> samplerSettingsOf(const Invocation& invocation);

// Opens, checks and loads; errors are said.
[[nodiscard]] Expected<LoadedEngine> loadEngine(const std::filesystem::path& path,
                                                const inference::SessionOptions& options, Console& console);
[[nodiscard]] Expected<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Model& model,
                                                                             const Cancellation& cancellation,
                                                                             const std::filesystem::path& path,
                                                                             Console& console);

// What the options on sampling, ends and constraints say, with a model at hand; the grammar is parsed once.
struct GenerationOptions {
    inference::GenerationSettings settings{};
    std::shared_ptr<const inference::Grammar> grammar{}; // null: no constraint
    std::shared_ptr<const inference::TokenTrie> trie{};  // where there is a grammar

    // Null without a grammar. Errors are said.
    [[nodiscard]] Expected<std::unique_ptr<inference::Constraint>> constraint(const text::Tokenizer& tokenizer,
                                                                              Console& console) const;
};
// Errors are said, as those of `verb`.
[[nodiscard]] Expected<GenerationOptions> generationOptionsOf(const Invocation& invocation, const char* verb,
                                                              Console& console);
// The part that needs the vocabulary: --logit-bias, and the tree of it for a grammar.
[[nodiscard]] Expected<void> applyVocabulary(const Invocation& invocation, const char* verb,
                                             const text::Tokenizer& tokenizer, GenerationOptions& options,
                                             Console& console);

[[nodiscard]] const char* stopName(inference::StopReason reason);    // in JSON
[[nodiscard]] double perSecond(std::uint64_t count, double seconds); // 0 where no time went by

// Numbers separated by spaces, line ends or commas. The error is a sentence for the user.
[[nodiscard]] std::expected<std::vector<TokenId>, QString> parseTokenIds(std::string_view text);

} // namespace gufo::cli
