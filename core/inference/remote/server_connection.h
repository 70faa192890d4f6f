// Requests to one server. The key goes to that server only, in the header that OpenAI's protocol and llama-server use.
//
// Thread contract: calls block; each object belongs to one thread at a time. A stop request ends a call within 50 ms
// with Cancelled and closes the connection, which makes llama-server stop generating.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "inference/interface/server_facts.h"
#include "inference/interface/session.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gufo::net {
class Client;
struct Request;
} // namespace gufo::net

namespace gufo::inference {

// Returns the address without "/" and "/v1" at its end, which users copy from instructions for other programs. An
// address without a scheme gets "http://" if it names this computer, and otherwise "https://".
[[nodiscard]] std::string serverAddress(std::string_view text);

class ServerConnection {
public:
    explicit ServerConnection(ServerAccess access);

    [[nodiscard]] const std::string& address() const { return m_access.address; }

    // Return the body of a successful reply. Errors: AddressRefused, ConnectionFailed, TlsFailed, ReplyUnusable,
    // Cancelled, and the errors of serverError(). HttpStatus names the target in place of the server's words if the
    // server redirects a request with a body, and ends with Detail::Key if the server wants a key and none is given.
    [[nodiscard]] Result<std::string> get(std::string_view path, const JobContext& job) const;
    [[nodiscard]] Result<std::string> post(std::string_view path, std::string body, const JobContext& job) const;
    // Passes the body of a successful reply to `take` as it arrives, until the reply ends or `take` returns false or an
    // error.
    using Take = std::function<Result<bool>(std::string_view)>;
    [[nodiscard]] Result<> stream(std::string_view path, std::string body, const Take& take,
                                  const JobContext& job) const;

private:
    [[nodiscard]] std::string redirectTarget(std::string_view location) const;
    [[nodiscard]] Result<> send(net::Request request, const Take& take, const JobContext& job) const;
    [[nodiscard]] Result<std::string> whole(net::Request request, const JobContext& job) const;

    ServerAccess m_access;
    std::shared_ptr<net::Client> m_client; // keeps the connection between requests
};

// Determines the protocol of a server and the model that it runs: requests /health, /props and /v1/models, for which
// the server computes nothing. A server that has only the last one speaks OpenAI's protocol. Fails as get() does;
// HttpStatus has 503 while the model is being loaded.
[[nodiscard]] Result<ServerFacts> probeServer(const ServerConnection& server, const JobContext& job);

// Adds the reply to /props or /v1/models to `facts`. Errors: ReplyUnusable (Detail::ReplyNotJson).
[[nodiscard]] Result<> readProps(std::string_view json, ServerFacts& facts);
[[nodiscard]] Result<> readModelList(std::string_view json, ServerFacts& facts);

} // namespace gufo::inference
