// Two drafters for any session: one copies from the text, the other asks a smaller model.
//
// Thread contract: as for Drafter.
#pragma once

#include "inference/interface/drafter.h"
#include "inference/interface/session.h"

#include <memory>

namespace gufo::inference {

// Proposes the tokens that followed an earlier occurrence of the last tokens, which helps with edited code, JSON and
// quotations. It needs no second model (Saxena 2023, "prompt lookup decoding").
class PromptLookup final : public Drafter {
public:
    static constexpr std::size_t kShortest = 2; // tokens before an earlier place that must equal the last ones
    static constexpr std::size_t kLongest = 16; // a longer match is not sought

    // The place with the longest match counts, and of several such places the last one. If another place matches at
    // least half as many tokens, the proposal ends where the texts after the two differ: the numbers in records, for
    // example, cannot be known. Where what follows reaches the end of the text, the proposal repeats itself, as in
    // Lempel and Ziv's (1977) copies. Never fails; takes time proportional to the length of the text.
    [[nodiscard]] Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t limit,
                                                       const JobContext& job) override;
};

// Drafts with a smaller model that has the same vocabulary (text/tokenizer/vocabulary.h compares them).
// If one vocabulary is longer, its additional tokens are not drafted.
class DraftModel final : public Drafter {
public:
    // `session` is a session of `model`, which is kept alive as long as this object.
    DraftModel(std::shared_ptr<const LoadedModel> model, std::unique_ptr<Session> session)
        : m_model(std::move(model))
        , m_session(std::move(session)) {}

    // Returns the most probable tokens, one after the other, up to the first that is uncertain (certainToken()). A
    // text that is longer than the session's context has no proposal. Errors: the errors of Session::evaluate.
    [[nodiscard]] Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t limit,
                                                       const JobContext& job) override;

private:
    std::shared_ptr<const LoadedModel> m_model;
    std::unique_ptr<Session> m_session;
};

} // namespace gufo::inference
