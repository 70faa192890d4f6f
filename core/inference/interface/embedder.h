// Computes embedding vectors of texts, and ranks texts by a query. Encoders can do nothing else. For models that
// generate, the vectors are made from the states of the tokens after the last norm.
//
//     auto embedder = engine.openEmbedder(model, {.context = 512}, job);
//     auto vector = (*embedder)->embed(embeddingTokens, Pooling::Mean, job);
//
// Thread contract: one call at a time.
#pragma once

#include "inference/interface/pooling.h"
#include "inference/interface/session.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

struct EmbedderFacts {
    std::shared_ptr<const Model> model{};
    std::uint32_t context = 0;          // the most tokens of a text
    std::uint32_t trainedContext = 0;   // 0: the file does not state it
    std::uint32_t width = 0;            // elements of a vector
    std::optional<Pooling> pooling{};   // as stated by the file
    bool ranks = false;                 // the model has a ranking head
    std::vector<std::string> labels{};  // of the scores; empty: there is one score
    std::vector<std::string> leftOut{}; // as LoadedModel::leftOut()
};

class Embedder {
public:
    virtual ~Embedder() = default;

    [[nodiscard]] virtual const EmbedderFacts& facts() const = 0;
    using Texts = std::span<const std::span<const TokenId>>;
    // Returns a vector for each text; with Pooling::None, the vectors of its tokens one after another; with
    // Pooling::Rank, its scores. Vectors are not scaled to unit length. As many texts are evaluated together as fit
    // into a batch, which is faster, if no block is recurrent or reads another one's keys; sums may then be rounded
    // differently. Progress counts tokens. Errors: InvalidArgument (Detail::PromptWithoutTokens), LimitExceeded
    // (Detail::ContextTokens), NoSuchTensor (no ranking head), NoSuchToken, Cancelled, FileChangedWhileReading.
    [[nodiscard]] virtual Result<std::vector<std::vector<float>>> embedAll(Texts texts, Pooling pooling,
                                                                           const JobContext& job) = 0;
    // The same for one text.
    [[nodiscard]] Result<std::vector<float>> embed(std::span<const TokenId> tokens, Pooling pooling,
                                                   const JobContext& job) {
        auto vectors = GUFO_TRY(embedAll({&tokens, 1}, pooling, job));
        return std::move(vectors.front());
    }
};

} // namespace gufo::inference
