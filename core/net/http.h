// A blocking HTTP client for worker threads. The rules of safety are in one place, here and in address_rules.h:
//
// - https everywhere; plain http only for this computer (127.0.0.1, ::1, localhost) and for hosts that the caller
//   allows; no other scheme. A certificate that cannot be verified is an error.
// - Redirects are followed by hand, at most kMaxRedirects of them and only for GET and HEAD: never from https to http,
//   and never from a public host into a private network. The token stays with the scheme, host and port that it is for.
// - The bytes are asked for as they are (identity); another encoding is an error. No cookies are kept.
// - The size of a body is limited by the caller, and a connection that falls silent is an error. A body that is shorter
//   than its Content-Length is an error. One without (chunked) can be cut without notice, because Qt does not always
//   report that; whoever receives such a body checks that its content is complete.
//
// Nothing is sent before send() is called.
#pragma once

#include "base/byte_source.h"
#include "base/job_context.h"
#include "net/secret.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::net {

inline constexpr int kMaxRedirects = 8;

struct Header {
    std::string name; // those of replies are in lower case
    std::string value;
};

enum class Method : std::uint8_t { Get, Head, Post };

struct Timeouts {
    std::chrono::milliseconds reply = std::chrono::seconds(60); // until the status and the headers have arrived
    // While the body arrives, at least `leastBytes` must come within each `silence`.
    std::chrono::milliseconds silence = std::chrono::seconds(30);
    std::uint64_t leastBytes = 1;
};

struct Request {
    Method method = Method::Get;
    std::string url;
    std::vector<Header> headers{}; // they are also sent to hosts that are redirected to, so they contain no secrets
    std::string body{};            // of a POST; its Content-Type is among the headers
    Secret token{};                // "Authorization: Bearer …", if not empty
    std::vector<std::string> plainHosts{}; // hosts that the user allowed to contact without encryption
    Timeouts timeouts{};
    std::uint64_t maxBytes = 64 << 20; // of the body
};

struct Reply {
    int status = 0;
    std::vector<Header> headers{};
    std::string url{};       // the address after all redirects
    std::string errorBody{}; // the first kMaxErrorBody bytes of the body, unless the status is 2xx

    [[nodiscard]] bool isSuccess() const { return status >= 200 && status < 300; }
    // The value of the first header of that name, which is in lower case; empty if there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};
inline constexpr std::size_t kMaxErrorBody = 16 << 10;

// Both functions are called on the thread of send(), and an error of theirs ends the request.
struct Receiver {
    std::function<Result<>(const Reply& head)> head{}; // may be null; called once, for every status, before the body
    std::function<Result<>(Bytes piece)> body{};       // called for each piece as it arrives, only for a status 2xx
};

class NetworkThread;

// Keeps the connections. Each client has a thread that does the transfers, so that threads without an event loop can
// wait for them. Needs a QCoreApplication.
//
// Threads: send() is thread-safe and must not be called on the UI thread.
class Client {
public:
    Client();
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // A status of 400 and above is a reply, not an error (see requireSuccess). Cancelling returns at once. Errors, with
    // the address as their file: AddressRefused, ConnectionFailed, TlsFailed, ReplyUnusable, Cancelled, and those of
    // the receiver.
    [[nodiscard]] Result<Reply> send(const Request& request, const Receiver& receiver, const JobContext& job = {});

    // The client that the process shares; it exists while somebody holds it.
    [[nodiscard]] static std::shared_ptr<Client> shared();

private:
    std::unique_ptr<NetworkThread> m_thread;
};

// Errors: HttpStatus, with the words of the server, unless the status is 2xx.
[[nodiscard]] Result<> requireSuccess(const Reply& reply);

// The address as errors and logs may show it: without its query, which can contain a signature, and without a password.
[[nodiscard]] std::string shownAddress(std::string_view url);

} // namespace gufo::net
