// What happens inside a model while Gufo's own engine evaluates a text: where its heads look, what it would answer
// after each block, which experts compute, and how large its states become.
//
// The text is evaluated once, and only what the request names is kept, in at most kInsideBytes. Blocks are numbered as
// the engine runs them, from 0. Lengths are Euclidean norms; entropies are in nats.
//
// Thread contract: any thread, one at a time.
#pragma once

#include "base/job_context.h"
#include "inference/interface/session_options.h"
#include "model/model.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

inline constexpr std::uint64_t kInsideBytes = std::uint64_t{256} << 20;
// The longest text for which the weights of all heads of a block are kept.
inline constexpr std::size_t kAllHeadsTokens = 512;

struct InsideRequest {
    // The logit lens, and the states of recurrent blocks, show the tokens from here on. States can only be seen between
    // batches, so with `sizes` a model with recurrent blocks evaluates these tokens one at a time.
    std::size_t from = 0;
    // The weights of a head, or of all heads of a block, for all tokens.
    struct Heads {
        std::size_t block = 0;
        std::optional<std::size_t> head{};
    };
    std::optional<Heads> attention{};
    bool lastRows = false;      // the weights of the last token in every head of every block
    std::size_t candidates = 0; // of the logit lens for each block and token; 0: no lens
    bool experts = false;
    bool sizes = false;
};

// How a head distributes its attention when it is at a token. With a sink, the weights add up to less than 1; the rest,
// which counts for the entropy as one more place, goes to the sink.
struct HeadSummary {
    float entropy = 0;
    float first = 0; // the share of the text's first token
    float sink = 0;
};
[[nodiscard]] HeadSummary summariseHead(std::span<const float> weights, std::uint32_t first, bool hasSink);

struct AttentionMap {
    std::size_t block = 0;
    std::size_t firstHead = 0;
    std::size_t heads = 0;
    std::size_t tokens = 0;
    std::vector<float> weights{};         // [head][query][key]; 0 where a query does not see the key
    std::vector<HeadSummary> summaries{}; // [head][query]

    [[nodiscard]] std::span<const float> row(std::size_t head, std::size_t query) const {
        return std::span(weights).subspan((head * tokens + query) * tokens, tokens);
    }
};

// The attention of one head at the last token.
struct AttentionRow {
    std::size_t block = 0;
    std::size_t head = 0;
    std::uint32_t first = 0; // the position of the first weight
    std::vector<float> weights{};
    HeadSummary summary;
};

// The last norm and the output matrix, applied to the stream after each block. Ties go to the smaller id, and NaN comes
// last.
struct LogitLens {
    struct Candidate {
        TokenId token;
        float probability = 0;
    };
    // The token that the last block puts first, as it fares after each block.
    struct Final {
        float probability = 0;
        std::uint32_t rank = 0; // 0: it is first
    };
    std::size_t from = 0;
    std::size_t blocks = 0;
    std::size_t tokens = 0;
    std::size_t candidates = 0;
    std::vector<Candidate> cells{}; // [block][token][candidate], most likely first
    std::vector<Final> finals{};    // [block][token]
    // [token]: the first block after which it stays first; `blocks` if nothing is first in the end, because it is NaN.
    std::vector<std::size_t> becomes{};

    [[nodiscard]] std::span<const Candidate> at(std::size_t block, std::size_t token) const {
        return std::span(cells).subspan((block * tokens + token) * candidates, candidates);
    }
    [[nodiscard]] const Final& finalAt(std::size_t block, std::size_t token) const {
        return finals[block * tokens + token];
    }
    // Nothing is first where the probabilities are NaN.
    [[nodiscard]] bool isNotANumber(std::size_t block, std::size_t token) const {
        return std::isnan(finalAt(block, token).probability);
    }
    // The first block after which they are NaN.
    [[nodiscard]] std::optional<std::size_t> firstNotANumber(std::size_t token) const {
        std::size_t block = 0;
        while (block < blocks && !isNotANumber(block, token)) {
            ++block;
        }
        return block < blocks ? std::optional(block) : std::nullopt;
    }
};

struct ChosenExperts {
    std::vector<std::size_t> blocks{}; // those that have experts
    std::size_t tokens = 0;
    std::size_t used = 0;
    std::size_t count = 0;
    std::vector<std::uint32_t> chosen{}; // [block][token][used], largest weight first as the router orders them
    std::vector<float> weights{};        // the same

    // How many tokens each expert of a block has computed; `index` counts in `blocks`.
    [[nodiscard]] std::vector<std::uint64_t> load(std::size_t index) const;
};

struct StreamSizes {
    std::size_t blocks = 0;
    std::size_t tokens = 0;
    // Each [block][token]. A block without one of the halves has 0 there.
    std::vector<float> stream{};      // after the block
    std::vector<float> mixer{};       // what attention or a recurrence adds
    std::vector<float> feedForward{}; // what the feed-forward adds
    std::vector<float> largest{};     // the element of the stream with the largest magnitude, and its channel
    std::vector<std::uint32_t> channel{};

    // The share of attention or a recurrence in what the block changes, by lengths.
    [[nodiscard]] float mixerShare(std::size_t block, std::size_t token) const {
        const std::size_t at = block * tokens + token;
        return mixer[at] / (mixer[at] + feedForward[at]);
    }

    // Where the first NaN was: the first token that has one, and the first block and part of it. If there is one, the
    // text is evaluated again, one token at a time.
    enum class Part : std::uint8_t { Mixer, FeedForward, Stream };
    struct NotANumber {
        std::size_t token = 0;
        std::size_t block = 0;
        Part part = Part::Stream;
    };
    std::optional<NotANumber> notANumber{};
};

// The state that a block has in place of keys and values.
struct RecurrentSizes {
    std::size_t block = 0;
    std::size_t heads = 0;
    std::size_t from = 0;
    std::vector<float> lengths{}; // [token from `from` on][head]: of the state after the token
    // [token][head]: the mean of the factors by which the token multiplies what was there before it. NaN: nothing
    // decays.
    std::vector<float> decays{};
};

struct Inside {
    std::size_t tokens = 0;
    std::size_t blocks = 0;
    std::uint64_t bytes = 0;              // of what follows
    std::vector<std::uint32_t> heads{};   // by block; 0: it does not attend
    std::vector<std::uint32_t> windows{}; // by block; 0: none
    std::optional<AttentionMap> attention{};
    std::vector<AttentionRow> rows{}; // by block and head
    std::optional<LogitLens> lens{};
    std::optional<ChosenExperts> experts{};
    std::optional<StreamSizes> sizes{};
    std::vector<RecurrentSizes> states{};
};

// Evaluates `tokens`, at least one. The text determines the context of `options`. Progress counts tokens, and the
// tokens of the lens twice. Errors: the errors of loadForInference() and LoadedModel::startSession(); InvalidArgument
// (Detail::PromptWithoutTokens, NoExperts, NoBlockAttends, NoSuchBlock, BlockDoesNotAttend, NoSuchHead,
// AllHeadsTooLong, InsideTooLarge), NoSuchToken, Cancelled.
[[nodiscard]] Result<Inside> lookInside(const std::shared_ptr<const Model>& model, std::span<const TokenId> tokens,
                                        const InsideRequest& request, const SessionOptions& options,
                                        const JobContext& job);

// A model and what is recorded of it.
struct InsideSubject {
    std::shared_ptr<const Model> model;
    InsideRequest request{};
};
// Evaluates `tokens` with one model after the other. Both records together take at most kInsideBytes, and progress
// counts the tokens of both. Errors: see lookInside().
[[nodiscard]] Result<std::array<Inside, 2>> lookInsideBoth(const InsideSubject& first, const InsideSubject& second,
                                                           std::span<const TokenId> tokens,
                                                           const SessionOptions& options, const JobContext& job);

// What there is to see in a model.
struct InsideShape {
    std::vector<std::uint32_t> heads{}; // by block; 0: it does not attend
    std::size_t experts = 0;
    [[nodiscard]] std::optional<std::size_t> firstAttending() const;
};
// Errors: the errors of loadForInference() that reading the weights does not bring.
[[nodiscard]] Result<InsideShape> insideShape(const Model& model);

} // namespace gufo::inference
