#include "channel/endpoint.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace gufo::channel {
namespace {

constexpr int kMilliseconds = 5;                // between two calls of keepWaiting
constexpr std::size_t kReadBytes = 256U << 10U; // at once
// A closed connection is an error, not a signal that ends the process.
#ifdef MSG_NOSIGNAL
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0; // set for the whole socket
#endif

// Returns whether the socket became ready, has an error or was closed; false if `keepWaiting` ended the waiting.
bool waitFor(int socket, short events, const Endpoint::KeepWaiting& keepWaiting) {
    for (;;) {
        pollfd one{.fd = socket, .events = events, .revents = 0};
        const int ready = ::poll(&one, 1, kMilliseconds);
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            return true;
        }
        if (!keepWaiting()) {
            return false;
        }
    }
}

} // namespace

Endpoint::Endpoint(int socket, std::size_t longest)
    : m_socket(socket)
    , m_longest(longest) {
    if (socket >= 0) {
        ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
#ifndef MSG_NOSIGNAL
        const int on = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    }
}

Endpoint::~Endpoint() { close(); }

Endpoint::Endpoint(Endpoint&& other) noexcept
    : m_socket(std::exchange(other.m_socket, -1))
    , m_longest(other.m_longest)
    , m_received(std::move(other.m_received))
    , m_shown(std::exchange(other.m_shown, 0)) {}

Endpoint& Endpoint::operator=(Endpoint&& other) noexcept {
    std::swap(m_socket, other.m_socket);
    std::swap(m_longest, other.m_longest);
    std::swap(m_received, other.m_received);
    std::swap(m_shown, other.m_shown);
    return *this;
}

void Endpoint::close() {
    if (m_socket >= 0) {
        ::close(std::exchange(m_socket, -1));
    }
}

bool Endpoint::send(std::span<const std::byte> message, const KeepWaiting& keepWaiting) {
    while (!message.empty()) {
        const ssize_t sent = ::send(m_socket, message.data(), message.size(), kNoSignal);
        if (sent >= 0) {
            message = message.subspan(static_cast<std::size_t>(sent));
        } else if (errno != EINTR &&
                   ((errno != EAGAIN && errno != EWOULDBLOCK) || !waitFor(m_socket, POLLOUT, keepWaiting))) {
            return false;
        }
    }
    return true;
}

Endpoint::Got Endpoint::receive(const KeepWaiting& keepWaiting) {
    m_received.erase(m_received.begin(), m_received.begin() + static_cast<std::ptrdiff_t>(std::exchange(m_shown, 0)));
    for (;;) {
        if (m_received.size() >= kHeadBytes) {
            const auto length = bodyLength(m_received, m_longest);
            if (!length) {
                return Got::Broken;
            }
            if (m_received.size() - kHeadBytes >= *length) {
                m_shown = kHeadBytes + *length;
                return Got::Message;
            }
        }
        const std::size_t before = m_received.size();
        m_received.resize(before + kReadBytes); // grows with the received bytes, not with the announced length
        const ssize_t got = ::recv(m_socket, m_received.data() + before, kReadBytes, 0);
        const int problem = got < 0 ? errno : 0;
        m_received.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got == 0) {
            return Got::Closed;
        }
        if (problem == EAGAIN || problem == EWOULDBLOCK) {
            if (!waitFor(m_socket, POLLIN, keepWaiting)) {
                return Got::Nothing;
            }
        } else if (problem != 0 && problem != EINTR) {
            return Got::Closed;
        }
    }
}

std::span<const std::byte> Endpoint::body() const {
    return std::span(m_received).subspan(kHeadBytes, m_shown - kHeadBytes);
}

} // namespace gufo::channel
