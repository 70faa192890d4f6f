#include "cli/line_reader.h"

#include "cli/cancellation.h"
#include "cli/stop_pipe.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace gufo::cli {
std::expected<std::optional<std::string>, int> LineReader::next() {
    const Cancellation cancellation;
    const StopPipe stop(cancellation.token());
    for (;;) {
        if (const std::size_t end = m_held.find('\n'); end != std::string::npos) {
            std::string line = m_held.substr(0, end);
            m_held.erase(0, end + 1);
            return line;
        }
        std::array<pollfd, 2> waits{{{STDIN_FILENO, POLLIN, 0}, {stop.readable(), POLLIN, 0}}};
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) {
            return std::nullopt;
        }
        if (cancellation.token().stop_requested()) {
            return std::unexpected(cancellation.exitCode());
        }
        if (waits[0].revents == 0) {
            continue;
        }
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return m_held.empty() ? std::nullopt : std::optional(std::exchange(m_held, {}));
        }
        m_held.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

} // namespace gufo::cli
