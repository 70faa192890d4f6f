// Standard input line by line, for a conversation: a signal ends the wait for a line.
#pragma once

#include <expected>
#include <optional>
#include <string>

namespace gufo::cli {

class LineReader {
public:
    // Without its end; nothing at the end of the input. The exit code where SIGINT, SIGTERM or SIGHUP came instead.
    // No Cancellation may be alive.
    [[nodiscard]] std::expected<std::optional<std::string>, int> next();

private:
    std::string m_held;
};

} // namespace gufo::cli
