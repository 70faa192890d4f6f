// Proposes the next tokens of a text, so that several tokens can be evaluated while the weights are read once
// (speculative decoding). A proposed token is accepted if the same token is sampled from the model's logits, and
// dropped otherwise. The text, and with sampling its distribution, is therefore the same as without a drafter; this is
// the rejection rule of Leviathan et al. (2023) for deterministic proposals.
//
// Thread contract: as for the session for which it drafts.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "model/index.h"

#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

class Drafter {
public:
    virtual ~Drafter() = default;

    // Returns at most `limit` tokens that may follow `text`; none if there is nothing to propose. Errors: the errors of
    // the engine that a drafter may use.
    [[nodiscard]] virtual Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t limit,
                                                               const JobContext& job) = 0;
};

// A token is proposed if its logit exceeds the second largest by at least this, which means that it is twice as
// probable.
inline constexpr float kMinDraftMargin = 0.7F;

// Which token a drafting model proposes from its logits, if any: the most probable one, unless it is uncertain. A
// rejected token costs as much as an accepted one, and all that follow it are rejected too.
[[nodiscard]] std::optional<TokenId> certainToken(std::span<const float> logits);

} // namespace gufo::inference
