#include "inference/remote/server_connection.h"

#include "base/detail.h"
#include "inference/remote/reply_members.h"
#include "inference/remote/server_replies.h"
#include "net/http.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string_view>

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

using Kind = JsonValue::Kind;

Result<JsonValue> readReply(std::string_view json) {
    auto reply = readJson(json);
    if (!reply || !reply->is(Kind::Object)) {
        return fail(ErrorCode::ReplyUnusable, {}, {Detail::ReplyNotJson});
    }
    return reply;
}

std::uint32_t contextOf(std::optional<std::uint64_t> stated) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(stated.value_or(0), std::numeric_limits<std::uint32_t>::max()));
}

// Whether the error says that the server does not have the requested path.
bool isUnknownPath(const Error& error) {
    static constexpr std::array<std::string_view, 5> kUnknown{"400", "404", "405", "422", "501"};
    return error.code == ErrorCode::HttpStatus && !error.args.empty() &&
           std::ranges::find(kUnknown, error.args.front().text()) != kUnknown.end();
}

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
    auto sent = m_client->send(request, receiver, job);
    if (isEnough) {
        return {};
    }
    const net::Reply reply = GUFO_TRY(std::move(sent));
    if (reply.isSuccess()) {
        return {};
    }
    Error error = serverError(reply.status, reply.errorBody);
    if (const std::string_view target = reply.header("location"); reply.status < 400 && !target.empty()) {
        error = {ErrorCode::HttpStatus, {}, {}, {reply.status, redirectTarget(target)}, 0};
    }
    if ((reply.status == 401 || reply.status == 403) && m_access.key.empty()) {
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

Result<> readProps(std::string_view json, ServerFacts& facts) {
    const auto reply = GUFO_TRY(readReply(json));
    facts.build = replyText(&reply, "build_info");
    facts.path = replyText(&reply, "model_path");
    facts.chatTemplate = replyText(&reply, "chat_template");
    facts.bosText = replyText(&reply, "bos_token");
    const JsonValue* settings = replyMember(&reply, "default_generation_settings", Kind::Object);
    facts.context = contextOf(replyCount(settings, "n_ctx"));
    const JsonValue* modalities = replyMember(&reply, "modalities", Kind::Object);
    facts.vision = replyFlag(modalities, "vision");
    facts.audio = replyFlag(modalities, "audio");
    // Other servers may answer this path too, but without these members.
    facts.dialect =
        settings != nullptr && replyCount(&reply, "total_slots") ? ServerDialect::LlamaServer : ServerDialect::OpenAi;
    return {};
}

Result<> readModelList(std::string_view json, ServerFacts& facts) {
    const auto reply = readReply(json);
    const JsonValue* data = reply ? replyMember(&*reply, "data", Kind::Array) : nullptr;
    if (data == nullptr) {
        return fail(ErrorCode::ReplyUnusable, {}, {Detail::ReplyNotJson});
    }
    for (const JsonValue& each : data->elements) {
        if (std::string id = replyText(&each, "id"); !id.empty()) {
            facts.models.push_back(std::move(id));
        }
    }
    if (data->elements.size() == 1) { // which of several models runs is not known
        const JsonValue* meta = replyMember(&data->elements.front(), "meta", Kind::Object);
        facts.weights = replyCount(meta, "n_params").value_or(0);
        facts.tensorBytes = replyCount(meta, "size").value_or(0);
        facts.vocabulary = replyCount(meta, "n_vocab").value_or(0);
        facts.trainedContext = replyCount(meta, "n_ctx_train").value_or(0);
    }
    return {};
}

Result<ServerFacts> probeServer(const ServerConnection& server, const JobContext& job) {
    ServerFacts facts;
    // While llama-server loads its model, /health says so and the other paths are not ready.
    if (auto health = server.get("/health", job); !health && !isUnknownPath(health.error())) {
        return std::unexpected(std::move(health.error()));
    }
    if (const auto props = server.get("/props", job)) {
        if (!readProps(*props, facts)) {
            facts = {}; // the server answers every path, for example with a page
        }
    } else if (!isUnknownPath(props.error())) {
        return std::unexpected(props.error());
    }
    const auto models = GUFO_TRY(server.get("/v1/models", job));
    GUFO_TRY(readModelList(models, facts));
    return facts;
}

} // namespace gufo::inference
