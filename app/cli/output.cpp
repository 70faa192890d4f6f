#include "cli/output.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace gufo::cli {
namespace {

constexpr std::size_t kBufferBytes = 1U << 16U;

} // namespace

void Output::write(std::string_view bytes) {
    if (failed()) {
        return;
    }
    m_buffer += bytes;
    if (m_buffer.size() >= kBufferBytes) {
        flush();
    }
}

void Output::flush() {
    std::string_view left = m_buffer;
    while (!left.empty() && !failed()) {
        const ssize_t written = ::write(m_descriptor, left.data(), left.size());
        if (written >= 0) {
            left.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) { // another program made the shared descriptor non-blocking
            pollfd ready{.fd = m_descriptor, .events = POLLOUT, .revents = 0};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            m_error = errno;
        }
    }
    m_buffer.clear();
}

int Output::finish() {
    flush();
    return m_error == EPIPE ? 0 : m_error;
}

} // namespace gufo::cli
