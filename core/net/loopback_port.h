// Finds a port for a server that is started on this computer. Thread-safe.
#pragma once

#include <cstdint>

namespace gufo::net {

// Returns a TCP port of 127.0.0.1 on which no program listens; 0 if there is none. Another program may take it before
// the server does, which then fails to start.
[[nodiscard]] std::uint16_t freeLoopbackPort();

} // namespace gufo::net
