// Proposes how a text goes on, so that several tokens can be evaluated while the weights are read once (speculative
// decoding). The tokens that are drawn from the model's own logits decide: a proposed token that is not drawn is
// dropped. The text, and with sampling its distribution, is therefore that without a drafter; this is the rejection
// rule of Leviathan et al. (2023) for proposals that are certain.
//
// Thread contract: that of the session for which it drafts.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "model/index.h"

#include <span>
#include <vector>

namespace gufo::inference {

class Drafter {
public:
    virtual ~Drafter() = default;

    // Returns at most `most` tokens that may follow `text`; none if there is nothing to propose. Errors: those of the
    // engine that a drafter may use.
    [[nodiscard]] virtual Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t most,
                                                               const JobContext& job) = 0;
};

} // namespace gufo::inference
