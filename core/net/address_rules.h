// Which addresses may be contacted, and where a server may redirect to. All functions are pure and thread-safe.
#pragma once

#include "base/error.h"

#include <QHostAddress>
#include <QUrl>

#include <span>
#include <string>
#include <string_view>

namespace gufo::net {

// From where an address can be reached. A redirect may only lead to a host with at least the same reach: a public
// server must not make this computer talk to its own network.
enum class Reach : std::uint8_t { Computer, PrivateNetwork, Public };

[[nodiscard]] Reach reachOf(const QHostAddress& address);
// The least reach of the addresses of a name.
[[nodiscard]] Reach reachOf(std::span<const QHostAddress> addresses);
// The address that a host names without a look-up: an IP address or "localhost". Null if it needs one.
[[nodiscard]] QHostAddress literalAddress(const QString& host);

// Parses an address that the user or a redirect names. Errors: AddressRefused.
[[nodiscard]] Result<QUrl> checkedAddress(std::string_view url, std::span<const std::string> plainHosts);

// Whether a redirect may be followed. Errors: AddressRefused.
[[nodiscard]] Result<> checkRedirect(const QUrl& from, Reach fromReach, const QUrl& to, Reach toReach);

// Whether both have the same scheme, host and port.
[[nodiscard]] bool isSameOrigin(const QUrl& a, const QUrl& b);

} // namespace gufo::net
