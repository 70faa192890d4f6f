// Drafts with the block of a model that predicts further tokens (mtp_block.h). It observes what the session
// evaluates and keeps the states of the last tokens until the tokens after them are known; then it evaluates both as
// pairs. Pairs thus have the true states, and those of the prompt are evaluated a batch at a time.
//
// It compares the text of the session with the text that it knows. Tokens that the session has dropped are dropped here
// too. If the session holds tokens whose states it has not seen, or no longer has (of a restored or a shifted
// session), it starts again with the next token: it then attends to fewer tokens, and its drafts may be worse.
//
// Thread contract: that of the session, which must outlive it. A session has one such drafter at a time.
#pragma once

#include "inference/engine/engine_session.h"
#include "inference/engine/mtp_block.h"
#include "inference/interface/drafter.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace gufo::inference {

class MtpDrafter final : public Drafter {
public:
    MtpDrafter(EngineSession& session, std::unique_ptr<MtpBlock> block);
    ~MtpDrafter() override { m_session.passStates({}); }
    MtpDrafter(const MtpDrafter&) = delete;
    MtpDrafter& operator=(const MtpDrafter&) = delete;

    // Returns the most probable tokens, one after the other, up to the first that is uncertain (certain_token.h). There
    // is no proposal unless the session holds all of `text` but its last token. Errors: those of
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
