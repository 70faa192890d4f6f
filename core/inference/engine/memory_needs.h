// The memory that a session takes.
#pragma once

#include "inference/engine/engine_session.h"
#include "inference/session/needs.h"

namespace gufo::inference {

// Of a session whose memory was only counted.
[[nodiscard]] MemoryNeeds needsOf(const EngineSession& counted, const BoundModel& engine);

} // namespace gufo::inference
