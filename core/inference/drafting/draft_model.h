// Drafts with a smaller model that has the same vocabulary (text/tokenizer/vocabulary_difference.h compares them).
// If one vocabulary is longer, its additional tokens are not drafted.
//
// Thread contract: as for Drafter.
#pragma once

#include "inference/interface/drafter.h"
#include "inference/interface/session.h"

#include <memory>

namespace gufo::inference {

class DraftModel final : public Drafter {
public:
    // `session` is a session of `model`, which is kept alive as long as this object.
    DraftModel(std::shared_ptr<const LoadedModel> model, std::unique_ptr<Session> session)
        : m_model(std::move(model))
        , m_session(std::move(session)) {}

    // Returns the most probable tokens, one after the other, up to the first that is uncertain (certain_token.h). A
    // text that is longer than the session's context has no proposal. Errors: the errors of Session::evaluate.
    [[nodiscard]] Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t limit,
                                                       const JobContext& job) override;

private:
    std::shared_ptr<const LoadedModel> m_model;
    std::unique_ptr<Session> m_session;
};

} // namespace gufo::inference
