// What the verbs that run a model have in common: options, loading, the prompt's tokens.
#pragma once

#include "cli/model_access.h"
#include "inference/generation.h"
#include "inference/session.h"

#include <expected>
#include <memory>

namespace gufo::cli {

struct LoadedEngine {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const inference::LoadedModel> loaded;
    std::unique_ptr<inference::Session> session;
};

// --context, --batch, --kv, --threads, --rope-base, --rope-scale. The error is a sentence for the user.
[[nodiscard]] std::expected<inference::SessionOptions, QString> sessionOptionsOf(const Invocation& invocation);
// --temp, --seed, --top-k and so on.
[[nodiscard]] std::expected<inference::SamplerSettings, QString> samplerSettingsOf(const Invocation& invocation);

// Opens, checks and loads; errors are said.
[[nodiscard]] Expected<LoadedEngine> loadEngine(const std::filesystem::path& path,
                                                const inference::SessionOptions& options, Console& console);
[[nodiscard]] Expected<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Model& model,
                                                                             const Cancellation& cancellation,
                                                                             const std::filesystem::path& path,
                                                                             Console& console);

// Numbers separated by spaces, line ends or commas. The error is a sentence for the user.
[[nodiscard]] std::expected<std::vector<TokenId>, QString> parseTokenIds(std::string_view text);

} // namespace gufo::cli
