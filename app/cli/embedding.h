// Embeds texts, for the verbs that print vectors or scores.
#pragma once

#include "cli/model_access.h"
#include "inference/interface/embedder.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/report/json_writer.h"

#include <memory>
#include <optional>
#include <vector>

namespace gufo::cli {

struct EmbeddedTexts {
    inference::EmbedderFacts facts{};
    inference::Pooling pooling = inference::Pooling::None; // as applied
    std::vector<std::vector<float>> vectors{};             // by text: one, or with Pooling::None one for each token
};

// Opens the model with the first engine that makes vectors, with a context that holds the longest text unless the
// options state one, and passes the texts through it. Without `pooling`, the pooling that the file states applies.
// Prints errors in the name of `verb`.
[[nodiscard]] Expected<EmbeddedTexts> embedTexts(const Invocation& invocation, const char* verb,
                                                 const std::shared_ptr<const Model>& model,
                                                 const std::vector<std::vector<TokenId>>& texts,
                                                 std::optional<inference::Pooling> pooling,
                                                 const Cancellation& cancellation, Console& console);

// The keys "labels", if the file names them, and "scores" of an open object: for each text its score or, where the
// model has several labels, a list with one for each.
void writeScores(const EmbeddedTexts& texts, ui::JsonWriter& json);

// Prints the error of tokenizing a text, or that the text has no tokens, and returns the exit code.
[[nodiscard]] int failedToTokenize(const Error& error, const char* verb, const Invocation& invocation,
                                   const Cancellation& cancellation, Console& console);

} // namespace gufo::cli
