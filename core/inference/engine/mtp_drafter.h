// Drafts with the block of a model that predicts further tokens. It observes what the session evaluates and keeps the
// states of the last tokens until the tokens after them are known; then it evaluates both as pairs. Pairs thus have the
// true states, and the pairs of the prompt are evaluated a batch at a time.
//
// It compares the text of the session with the text that it knows. Tokens that the session has dropped are dropped here
// too. If the session holds tokens whose states it has not seen, or no longer has (of a restored or a shifted
// session), it starts again with the next token: it then attends to fewer tokens, and its drafts may be worse.
//
// Thread contract: as for the session, which must outlive it. A session has one such drafter at a time.
#pragma once

#include "inference/engine/blocks/forward.h"
#include "inference/engine/compute/memory.h"
#include "inference/engine/engine.h"
#include "inference/engine/engine_session.h"
#include "inference/interface/drafter.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace gufo::inference {

// The block of a model that predicts the token after the next one (multi-token prediction, "nextn"; DeepSeek-V3,
// arXiv 2412.19437, section 2.2). For the state h of the model at position p, after its last norm, and the token t at
// position p + 1:
//
//     x = projection × (embeddingNorm(embedding of t), stateNorm(h))
//     y = last norm of the block (block(x))
//     logits of the token at p + 2 = output × y
//
// The block has a KV cache of its own, whose slot i belongs to the pair of such a state and such a token. To predict
// one more token, y takes the place of h.
//
// That h and y are normed is what Ling 2.0 was trained with (modeling_bailing_moe_v2.py), and what other engines found
// to be accepted most often: for Qwen 3.5 llama.cpp's pull request 24025, for GLM vLLM's 46075 and 47448, and for
// DeepSeek R1 ROCm/ATOM's 1764 (64.6 % of the drafts instead of 61.4 %). The embedding comes first, as in llama.cpp and
// vLLM. A file may have several such blocks; the k-th one was trained to predict the k-th further token. As in those
// engines, the first one predicts all of them. Where the block has an indexer (DeepSeek V3.2), it is used; for texts
// shorter than what the indexer chooses, this makes no difference.
class MtpBlock {
public:
    // `predictor` is the result of makePredictor(), and `options` are the options of the session. Everything that is
    // kept is in `memory`. With a Memory that only counts, the block must not be used.
    MtpBlock(std::shared_ptr<const BoundModel> predictor, ModelShape shape, const SessionOptions& options, Team& team,
             Memory memory);
    MtpBlock(const MtpBlock&) = delete;
    MtpBlock& operator=(const MtpBlock&) = delete;

    [[nodiscard]] const Memory& memory() const { return m_memory; }
    [[nodiscard]] std::uint64_t growth() const; // bytes of KV cache for one more pair; 0 for a window
    [[nodiscard]] std::size_t batch() const { return m_batch; }
    [[nodiscard]] std::size_t width() const { return m_shape.embedding; } // elements of a state

    [[nodiscard]] std::size_t pairs() const { return m_pairs; }
    // Evaluates pairs after the pairs that it holds; at most batch() pairs, and no more than the context has room for.
    // Errors: Cancelled, NotEnoughMemory; it then holds the same pairs as before.
    [[nodiscard]] Result<> evaluate(std::span<const TokenId> tokens, Rows states, const std::stop_token& stop);
    // Makes the logits and the normed state of the last pair of an evaluation.
    void predict();
    [[nodiscard]] std::span<const float> logits() const { return {m_logits, m_shape.vocabulary}; }
    [[nodiscard]] Rows state() const { return m_normed.rows(); }
    // Drops the pairs from `count` on.
    void truncate(std::size_t count);

    // Rows for states that wait to be evaluated, as many as a batch.
    [[nodiscard]] const Activations& waiting() const { return m_waiting; }

private:
    void join(std::span<const TokenId> tokens, Rows states);

    std::shared_ptr<const BoundModel> m_predictor;
    ModelShape m_shape;
    std::size_t m_batch;
    Memory m_memory;
    Multiplier m_multiplier;
    ForwardContext m_forward;
    Activations m_joined; // embedding and state, both normed
    Activations m_stream;
    Activations m_normed;
    Activations m_waiting;
    std::unique_ptr<BlockStack> m_blocks;
    float* m_logits;
    std::size_t m_pairs = 0;
    std::size_t m_last = 0; // row of the last pair in m_stream
};

// The shape of the predictor in a session with these options. Errors: the errors of withRope().
[[nodiscard]] Result<ModelShape> shapeOf(const BoundModel& predictor, const SessionOptions& options);

class MtpDrafter final : public Drafter {
public:
    MtpDrafter(EngineSession& session, std::unique_ptr<MtpBlock> block);
    ~MtpDrafter() override { m_session.passStates({}); }
    MtpDrafter(const MtpDrafter&) = delete;
    MtpDrafter& operator=(const MtpDrafter&) = delete;

    // Returns the most probable tokens, one after the other, up to the first that is uncertain (certainToken()). There
    // is no proposal unless the session holds all of `text` but its last token. Errors: the errors of
    // MtpBlock::evaluate.
    [[nodiscard]] Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t limit,
                                                       const JobContext& job) override;

    // With the logits of its last prediction. Only for measurements and tests, which leave its pairs as they are.
    [[nodiscard]] MtpBlock& block() { return *m_block; }

private:
    // Takes the states of the last tokens of `text`.
    void take(std::span<const TokenId> text, std::size_t tokens, Rows states, const std::stop_token& stop);
    // Drops what does not belong to the first `known` tokens of `text`. States after them are going to be replaced, but
    // pairs need only tokens that are still the same.
    void follow(std::span<const TokenId> text, std::size_t known);
    // Evaluates all pairs whose tokens `text` has.
    [[nodiscard]] Result<> catchUp(std::span<const TokenId> text, const std::stop_token& stop);
    void startAt(std::size_t position);
    [[nodiscard]] std::size_t end() const { return m_begin + m_text.size(); }
    // The states of positions from `position` on are in rows of m_block->waiting(), which are used in turn.
    [[nodiscard]] std::size_t rowOf(std::size_t position) const { return position % m_block->batch(); }

    EngineSession& m_session;
    std::unique_ptr<MtpBlock> m_block;
    std::size_t m_begin = 0;       // the position of the first known token
    std::vector<TokenId> m_text;   // the known tokens
    std::vector<TokenId> m_nexts;  // the tokens of the pairs; m_nexts[i] follows m_text[i]
    std::size_t m_oldestState = 0; // the first position whose state is still in its row
};

// The bytes that such a drafter would take for a session that only counts. Errors: as Session::startMtpDrafts.
struct DraftNeeds {
    std::uint64_t kvCache = 0;
    std::uint64_t kvPerToken = 0;
    std::uint64_t scratch = 0;
    std::uint64_t logits = 0;
    std::uint64_t smallTensors = 0;
};
[[nodiscard]] Result<DraftNeeds> draftNeeds(const EngineSession& counted, const BoundModel& engine);

} // namespace gufo::inference
