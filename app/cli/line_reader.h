// Reads standard input line by line for a conversation. A signal ends the wait for a line.
#pragma once

#include <expected>
#include <optional>
#include <string>

namespace gufo::cli {

class LineReader {
public:
    // The next line without its line break. Empty at the end of the input. The error is the exit code if SIGINT,
    // SIGTERM or SIGHUP arrived. No Cancellation may exist at the same time.
    [[nodiscard]] std::expected<std::optional<std::string>, int> next();

private:
    std::string m_held;
};

} // namespace gufo::cli
