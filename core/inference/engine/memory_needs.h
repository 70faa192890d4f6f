// The memory that a session takes.
#pragma once

#include "inference/engine/engine_session.h"
#include "inference/session/needs.h"

namespace gufo::inference {

// Returns the needs of a session whose memory was only counted (compute/memory.h).
[[nodiscard]] MemoryNeeds needsOf(const EngineSession& counted, const BoundModel& engine);

} // namespace gufo::inference
