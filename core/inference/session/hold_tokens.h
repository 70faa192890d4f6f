// Brings a session to the state after given tokens.
//
// Thread contract: that of the session.
#pragma once

#include "inference/session/session.h"

namespace gufo::inference {

// Makes the session hold exactly `tokens` (not empty). Evaluates only what follows the prefix that it already holds,
// but always the last token, whose logits are row 0. Errors: those of Session::evaluate.
[[nodiscard]] Result<> evaluateTo(Session& session, std::span<const TokenId> tokens, Logits which,
                                  const JobContext& job);

} // namespace gufo::inference
