// One end of the connection between Gufo and the process of another engine: sends and receives whole messages over a
// socket. Neither side waits indefinitely: a waiting function calls `keepWaiting` every few milliseconds and returns
// when the result is false.
//
// Thread contract: one thread may send while another receives; each of the two belongs to one thread at a time.
#pragma once

#include "channel/message_bytes.h"

#include <functional>
#include <span>
#include <vector>

namespace gufo::channel {

class Endpoint {
public:
    using KeepWaiting = std::function<bool()>;

    // Takes ownership of the socket; -1: closed. `longest`: bytes of a message that is accepted.
    explicit Endpoint(int socket = -1, std::size_t longest = kLongestMessage);
    ~Endpoint();
    Endpoint(Endpoint&& other) noexcept;
    Endpoint& operator=(Endpoint&& other) noexcept;

    // Returns false if the other side has closed the connection, or if `keepWaiting` returned false; nothing more can
    // then be sent.
    [[nodiscard]] bool send(std::span<const std::byte> message, const KeepWaiting& keepWaiting);

    enum class Got : std::uint8_t { Message, Nothing, Closed, Broken };
    // Broken: the other side announces a message that is too long or empty. Nothing: `keepWaiting` ended the waiting; a
    // later call continues with the message.
    [[nodiscard]] Got receive(const KeepWaiting& keepWaiting);
    // The body of the message, after Got::Message and until the next call.
    [[nodiscard]] std::span<const std::byte> body() const;

    void close();
    [[nodiscard]] int socket() const { return m_socket; }

private:
    int m_socket;
    std::size_t m_longest;
    std::vector<std::byte> m_received; // begins with the message that body() shows
    std::size_t m_shown = 0;           // bytes of that message, with its head
};

} // namespace gufo::channel
