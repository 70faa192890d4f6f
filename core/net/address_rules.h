// The rules for the addresses that may be contacted, and for redirects. All functions are pure and thread-safe.
#pragma once

#include "base/error.h"

#include <QHostAddress>
#include <QUrl>

#include <span>
#include <string>
#include <string_view>

namespace gufo::net {

// The network from which an address can be reached. A redirect may only lead to a host with at least the reach of the
// server that redirects: a public server must not make this computer contact a host of its private network.
enum class Reach : std::uint8_t { Computer, PrivateNetwork, Public };

[[nodiscard]] Reach reachOf(const QHostAddress& address);
// The least reach of the addresses to which a name resolves.
[[nodiscard]] Reach reachOf(std::span<const QHostAddress> addresses);
// The address of a host that is an IP address or "localhost". Null if the name has to be looked up.
[[nodiscard]] QHostAddress literalAddress(const QString& host);

// Parses an address that the user or a redirect names. `plainHosts` may be contacted without encryption (http). Errors:
// AddressRefused.
[[nodiscard]] Result<QUrl> checkedAddress(std::string_view url, std::span<const std::string> plainHosts);

// Whether a redirect may be followed. Errors: AddressRefused.
[[nodiscard]] Result<> checkRedirect(const QUrl& from, Reach fromReach, const QUrl& to, Reach toReach);

// Whether both have the same scheme, host and port.
[[nodiscard]] bool isSameOrigin(const QUrl& a, const QUrl& b);

} // namespace gufo::net
