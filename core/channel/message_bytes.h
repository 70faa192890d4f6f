// Messages as bytes: a 32-bit length, then that many bytes. The first of them is the message's index in Request or
// Reply, and the rest are its members. Texts and lists begin with a 32-bit count. Whatever the other side claims,
// reading allocates no more memory than the message has bytes.
//
// Thread contract: pure functions.
#pragma once

#include "channel/message.h"

#include <expected>
#include <span>

namespace gufo::channel {

// How bytes break the protocol.
enum class Breach : std::uint8_t {
    TooLong,     // the message is longer than is accepted
    UnknownKind, // no message has this index
    Cut,         // it ends before its last member
    BytesLeft,   // there are bytes after its last member
    BadValue,    // a member has a value that its type does not have
};

inline constexpr std::size_t kHeadBytes = 4; // of the length

[[nodiscard]] std::vector<std::byte> bytesOf(const Request& message);
[[nodiscard]] std::vector<std::byte> bytesOf(const Reply& message);

// `body`: the bytes after the length.
[[nodiscard]] std::expected<Request, Breach> readRequest(std::span<const std::byte> body);
[[nodiscard]] std::expected<Reply, Breach> readReply(std::span<const std::byte> body);

// The length of the message whose first bytes these are (at least kHeadBytes). Errors: TooLong; Cut for an empty one.
[[nodiscard]] std::expected<std::size_t, Breach> bodyLength(std::span<const std::byte> head,
                                                            std::size_t longest = kLongestMessage);

} // namespace gufo::channel
