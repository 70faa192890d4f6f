// Vectors or scores of many short texts, such as the lines of a file.
//
// Threads: any. The model is opened for the call and its mapping held no longer, so nothing keeps a save from replacing
// the file afterwards.
#pragma once

#include "inference/session/engine_table.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

struct LineRequest {
    std::vector<std::string> texts{};
    std::string query{};              // used with Pooling::Rank only
    std::optional<Pooling> pooling{}; // not Pooling::None; empty: poolingOf()
    unsigned threads = 0;             // as SessionOptions::threads
};

// Why a text cannot be used: its index, how many tokens it has if that is known, and the error.
struct LineProblem {
    std::size_t line = 0;
    std::size_t tokens = 0;
    std::size_t limit = 0;  // the most tokens; 0 if their number is not the problem
    std::size_t others = 0; // further texts that are too long
    Error error{};
};

struct LineVectors {
    EmbedderFacts facts{};
    Pooling pooling = Pooling::Mean;      // as applied
    std::size_t width = 0;                // elements of a vector, or the number of scores
    std::vector<float> values{};          // by text
    std::vector<std::uint32_t> tokens{};  // by text
    std::optional<LineProblem> problem{}; // if set, there are no values
};

// The pooling that the file asks for; Mean if it asks for none.
[[nodiscard]] Pooling poolingOf(const Model& model);
// Whether the model is for vectors or scores rather than for generating: it can do nothing else, or asks for a pooling.
[[nodiscard]] bool isForVectors(const Model& model);
// Whether the model has the weights of a ranking head.
[[nodiscard]] bool hasRankingHead(const Model& model);
// The most tokens of a text by the model's keys; nothing if they do not say.
[[nodiscard]] std::optional<std::uint64_t> longestText(const Model& model);

// `engine` offers Feature::Embeddings. All texts are tokenised before the first is evaluated, so one that is too long
// is found at once. Progress counts tokens. Errors: those of makeTokenizer(), of Engine::openEmbedder and of
// Embedder::embed(); Cancelled. One that is due to a text is LineVectors::problem instead.
[[nodiscard]] Result<LineVectors> vectorsOfLines(const Engine& engine, const std::shared_ptr<const Model>& model,
                                                 const LineRequest& request, const JobContext& job = {});

} // namespace gufo::inference
