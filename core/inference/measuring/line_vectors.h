// Vectors or scores of many short texts, such as the lines of a file.
//
// Thread contract: functions may be called on any thread. The mapping of the file is held during vectorsOfLines() only,
// so nothing keeps a save from replacing the file afterwards.
#pragma once

#include "inference/engine_table.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

struct LineRequest {
    std::vector<std::string> texts{};
    std::string query{};              // used with Pooling::Rank only
    std::optional<Pooling> pooling{}; // not Pooling::None; empty: poolingOf()
    unsigned threads = 0;             // as SessionOptions::threads
};

// Why a text cannot be used.
struct LineProblem {
    std::size_t line = 0;   // index of the text
    std::size_t tokens = 0; // of the text; 0: not known
    std::size_t limit = 0;  // the most tokens of a text; 0 if their number is not the problem
    std::size_t others = 0; // further texts that are too long
    Error error{};
};

struct LineVectors {
    EmbedderFacts facts{};
    Pooling pooling = Pooling::Mean;      // as applied
    std::size_t width = 0;                // elements of a vector, or the number of scores
    std::vector<float> values{};          // one vector after another, in the order of the texts
    std::vector<std::uint32_t> tokens{};  // the number of tokens of each text
    std::optional<LineProblem> problem{}; // if set, there are no values
};

// The pooling that the file states; Mean if it states none.
[[nodiscard]] Pooling poolingOf(const Model& model);
// Whether the model is made for vectors or scores rather than for generating: it can do nothing else, or its file
// states a pooling.
[[nodiscard]] bool isForVectors(const Model& model);
// Whether the model has the weights of a ranking head.
[[nodiscard]] bool hasRankingHead(const Model& model);
// The largest number of tokens of a text according to the model's metadata; empty if they do not state it.
[[nodiscard]] std::optional<std::uint64_t> longestText(const Model& model);

// The context of a session (SessionOptions::context) that evaluates these texts: enough for the longest, and for short
// ones to share batches.
[[nodiscard]] std::uint32_t contextForTexts(const Model& model, std::span<const std::vector<TokenId>> texts);

// `engine` offers Feature::Embeddings. All texts are tokenized before the first is evaluated, so that one that is too
// long is found at once. Progress counts tokens. Errors: the errors of makeTokenizer(), of Engine::openEmbedder and of
// Embedder::embed(); Cancelled. An error that is due to a text becomes LineVectors::problem instead.
[[nodiscard]] Result<LineVectors> vectorsOfLines(const Engine& engine, const std::shared_ptr<const Model>& model,
                                                 const LineRequest& request, const JobContext& job = {});

} // namespace gufo::inference
