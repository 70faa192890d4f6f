// A port for a server that is started on this computer.
#pragma once

#include <cstdint>

namespace gufo::net {

// A port of 127.0.0.1 on which nothing listens now; 0 if there is none. Another program may take it before the server
// does, which then fails to start.
[[nodiscard]] std::uint16_t freeLoopbackPort();

} // namespace gufo::net
