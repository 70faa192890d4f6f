#include "inference/remote/server_connection.h"

#include "base/detail.h"
#include "inference/remote/server_replies.h"
#include "net/http.h"

#include <chrono>

namespace gufo::inference {
namespace {

constexpr std::uint64_t kMaxReplyBytes = 64U << 20U;
constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{4} << 30U; // of all events
constexpr auto kReplyTime = std::chrono::seconds(20);
// A machine without a GPU may read a long prompt for minutes before it says anything. The user can stop it.
constexpr auto kAnswerTime = std::chrono::minutes(30);

std::string_view hostOf(std::string_view address) {
    std::string_view host = address.substr(address.find("//") + 2);
    host = host.substr(0, host.find('/'));
    if (host.starts_with('[')) {
        return host.substr(1, host.find(']') - 1);
    }
    return host.substr(0, host.find(':'));
}

std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

} // namespace

std::string serverAddress(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) {
        return {};
    }
    text = text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
    const auto dropSlashes = [&text] {
        while (text.ends_with('/')) {
            text.remove_suffix(1);
        }
    };
    dropSlashes();
    if (text.ends_with("/v1")) {
        text.remove_suffix(3);
        dropSlashes();
    }
    if (text.find("://") != std::string_view::npos) {
        return std::string(text);
    }
    const bool isLocal = text.starts_with("localhost") || text.starts_with("127.") || text.starts_with("[::1]");
    return (isLocal ? "http://" : "https://") + std::string(text);
}

ServerConnection::ServerConnection(ServerAccess access)
    : m_access(std::move(access))
    , m_client(net::Client::shared()) {
    m_access.address = serverAddress(m_access.address);
}

std::string ServerConnection::redirectTarget(std::string_view location) const {
    const std::size_t host = m_access.address.find("//") + 2;
    const std::string origin = m_access.address.substr(0, m_access.address.find('/', host));
    return net::shownAddress(location.starts_with('/') ? origin + std::string(location) : std::string(location));
}

Result<> ServerConnection::send(net::Request request, const Take& take, const JobContext& job) const {
    request.headers.push_back({.name = "Content-Type", .value = "application/json"});
    request.token = net::Secret(std::string(m_access.key));
    if (m_access.address.starts_with("http://")) { // the user has written that the connection is not encrypted
        request.plainHosts.emplace_back(hostOf(m_access.address));
    }
    bool isEnough = false; // `take` has returned false
    const net::Receiver receiver{.body = [&](Bytes piece) -> Result<> {
        auto more = take(textOf(piece));
        isEnough = more && !*more;
        return more && *more ? Result<>() : more ? fail(ErrorCode::Cancelled) : std::unexpected(more.error());
    }};
    const auto reply = m_client->send(request, receiver, job);
    if (isEnough) {
        return {};
    }
    if (!reply) {
        return std::unexpected(reply.error());
    }
    if (reply->isSuccess()) {
        return {};
    }
    Error error = serverError(reply->status, reply->errorBody);
    if (const std::string_view target = reply->header("location"); reply->status < 400 && !target.empty()) {
        error = {ErrorCode::HttpStatus, {}, {}, {reply->status, redirectTarget(target)}, 0};
    }
    if ((reply->status == 401 || reply->status == 403) && m_access.key.empty()) {
        error.args.emplace_back(Detail::Key);
    }
    return std::unexpected(std::move(error).in(request.url));
}

Result<std::string> ServerConnection::whole(net::Request request, const JobContext& job) const {
    request.timeouts = {.reply = kReplyTime, .silence = kReplyTime};
    request.maxBytes = kMaxReplyBytes;
    std::string body;
    auto sent = send(
        std::move(request),
        [&](std::string_view piece) -> Result<bool> {
            body += piece;
            return true;
        },
        job);
    return sent ? Result<std::string>(std::move(body)) : std::unexpected(std::move(sent.error()));
}

Result<std::string> ServerConnection::get(std::string_view path, const JobContext& job) const {
    return whole({.url = m_access.address + std::string(path)}, job);
}

Result<std::string> ServerConnection::post(std::string_view path, std::string body, const JobContext& job) const {
    return whole({.method = net::Method::Post, .url = m_access.address + std::string(path), .body = std::move(body)},
                 job);
}

Result<> ServerConnection::stream(std::string_view path, std::string body, const Take& take,
                                  const JobContext& job) const {
    return send({.method = net::Method::Post,
                 .url = m_access.address + std::string(path),
                 .body = std::move(body),
                 .timeouts = {.reply = kAnswerTime, .silence = kAnswerTime},
                 .maxBytes = kMaxAnswerBytes},
                take, job);
}

} // namespace gufo::inference
