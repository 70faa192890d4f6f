#include "inference/drafting/draft_model.h"

#include "inference/interface/drafter.h"
#include "inference/interface/session.h"

namespace gufo::inference {

Result<std::vector<TokenId>> DraftModel::propose(std::span<const TokenId> text, std::size_t limit,
                                                 const JobContext& job) {
    std::vector<TokenId> proposal;
    if (text.empty() || text.size() + limit > m_session->context()) {
        return proposal;
    }
    auto evaluated = evaluateTo(*m_session, text, Logits::Last, job);
    while (evaluated) {
        const auto token = certainToken(m_session->logits(0));
        if (!token) {
            return proposal;
        }
        proposal.push_back(*token);
        if (proposal.size() == limit) {
            return proposal;
        }
        evaluated = m_session->evaluate({&proposal.back(), 1}, Logits::Last, job);
    }
    if (evaluated.error().code == ErrorCode::NoSuchToken) { // of the longer vocabulary of the other model
        return std::vector<TokenId>();
    }
    return std::unexpected(std::move(evaluated.error()));
}

} // namespace gufo::inference
