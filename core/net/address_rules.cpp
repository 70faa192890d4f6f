#include "net/address_rules.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "net/http.h"

#include <algorithm>
#include <array>

namespace gufo::net {
namespace {

// Networks whose addresses are not valid on the public internet (RFC 1918, 3927, 4193, 4291, 6598).
constexpr auto kPrivateNetworks = std::to_array<std::string_view>(
    {"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15",
     "224.0.0.0/3", "::/128", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"});

std::unexpected<Error> refused(std::string_view url, Argument why) {
    return std::unexpected(Error{ErrorCode::AddressRefused, shownAddress(url), {}, {std::move(why)}, 0});
}

std::string hostOf(const QUrl& url) { return url.host(QUrl::FullyEncoded).toStdString(); }

} // namespace

Reach reachOf(const QHostAddress& address) {
    bool isIpv4 = false;
    const quint32 ipv4 = address.toIPv4Address(&isIpv4); // also if it is mapped to IPv6: ::ffff:127.0.0.1
    const QHostAddress plain = isIpv4 ? QHostAddress(ipv4) : address;
    if (plain.isLoopback()) {
        return Reach::Computer;
    }
    const bool isPrivate = std::ranges::any_of(kPrivateNetworks, [&](std::string_view network) {
        return plain.isInSubnet(QHostAddress::parseSubnet(QString::fromLatin1(network.data(), network.size())));
    });
    return isPrivate || plain.isNull() ? Reach::PrivateNetwork : Reach::Public;
}

Reach reachOf(std::span<const QHostAddress> addresses) {
    Reach minimum = Reach::Public;
    for (const QHostAddress& address : addresses) {
        minimum = std::min(minimum, reachOf(address));
    }
    return minimum;
}

QHostAddress literalAddress(const QString& host) {
    // RFC 6761: "localhost" and its subdomains are this computer.
    if (host == QStringLiteral("localhost") || host.endsWith(QStringLiteral(".localhost"))) {
        return QHostAddress(QHostAddress::LocalHost);
    }
    return QHostAddress(host);
}

Result<QUrl> checkedAddress(std::string_view url, std::span<const std::string> plainHosts) {
    const QUrl parsed(QString::fromUtf8(url.data(), static_cast<qsizetype>(url.size())), QUrl::StrictMode);
    if (!parsed.isValid() || parsed.isRelative()) {
        return refused(url, Detail::AddressMalformed);
    }
    const bool isPlain = parsed.scheme() == QStringLiteral("http");
    if (!isPlain && parsed.scheme() != QStringLiteral("https")) {
        return refused(url, {Detail::SchemeRefused, {parsed.scheme().toStdString()}});
    }
    if (parsed.host().isEmpty()) {
        return refused(url, Detail::AddressMalformed);
    }
    if (!parsed.userInfo().isEmpty()) {
        return refused(url, Detail::AddressWithPassword);
    }
    if (isPlain) {
        const QHostAddress literal = literalAddress(parsed.host());
        const bool isAllowed = (!literal.isNull() && reachOf(literal) == Reach::Computer) ||
                               std::ranges::any_of(plainHosts, [&](const std::string& host) {
                                   return equalIgnoringCase(host, hostOf(parsed));
                               });
        if (!isAllowed) {
            return refused(url, {Detail::PlainHttpRefused, {hostOf(parsed)}});
        }
    }
    return parsed;
}

Result<> checkRedirect(const QUrl& from, Reach fromReach, const QUrl& to, Reach toReach) {
    const std::string address = from.toEncoded().toStdString();
    if (from.scheme() == QStringLiteral("https") && to.scheme() != QStringLiteral("https")) {
        return refused(address, {Detail::RedirectUnencrypted, {hostOf(to)}});
    }
    if (toReach < fromReach) {
        return refused(address, {Detail::RedirectInside, {hostOf(to)}});
    }
    return {};
}

bool isSameOrigin(const QUrl& a, const QUrl& b) {
    const auto port = [](const QUrl& url) { return url.port(url.scheme() == QStringLiteral("https") ? 443 : 80); };
    return a.scheme() == b.scheme() && a.host() == b.host() && port(a) == port(b);
}

} // namespace gufo::net
