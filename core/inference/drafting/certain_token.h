// Which token a drafting model proposes from its logits, if any: the most probable one, unless it is uncertain. A
// rejected token costs as much as an accepted one, and all that follow it are rejected too.
//
// Thread contract: pure functions.
#pragma once

#include "model/index.h"

#include <optional>
#include <span>

namespace gufo::inference {

// A token is proposed if its logit exceeds the second largest by at least this, which means that it is twice as
// probable.
inline constexpr float kMinDraftMargin = 0.7F;

[[nodiscard]] std::optional<TokenId> certainToken(std::span<const float> logits);

} // namespace gufo::inference
