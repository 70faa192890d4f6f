// A blocking HTTP client for worker threads. It follows these security rules (see also address_rules.h):
//
// - Hosts are contacted by https. Unencrypted http is only used for this computer (127.0.0.1, ::1, localhost) and for
//   hosts that the caller allows; every other scheme is refused. A certificate that cannot be verified is an error.
// - At most kMaxRedirects redirects are followed, and only of the methods GET and HEAD: never from https to http, and
//   never from a public host into a private network. The token is sent only to the scheme, host and port of the
//   request.
// - The body is requested without an encoding (identity); a reply with another encoding is an error. Cookies are not
//   kept.
// - A server that is busy (status 429 or 503) and says with Retry-After for how long is asked again after that time, as
//   long as Request::patience allows.
// - The caller limits the size of the body. It is an error if a connection falls silent, or if a body is shorter than
//   its Content-Length. A chunked body, which has no length, can be cut off unnoticed, because Qt does not always
//   report that; its receiver must check that the content is complete.
//
// Nothing is sent before send() is called.
#pragma once

#include "base/byte_source.h"
#include "base/job_context.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::net {

// A key or token that must not be shown. It cannot be written to a stream, a log or an error by mistake, because only
// reveal() returns its characters. Their memory is overwritten when the secret is destroyed. As thread-safe as
// std::string.
class Secret {
public:
    Secret() = default;
    // Copies the characters without white space at both ends (such as the line break of a token file), then overwrites
    // and clears the argument.
    explicit Secret(std::string&& characters);
    Secret(const Secret&) = default;
    Secret& operator=(const Secret& other);
    ~Secret();

    [[nodiscard]] bool empty() const { return m_characters.empty(); }
    [[nodiscard]] std::string_view reveal() const { return m_characters; }

private:
    void wipe();

    std::string m_characters;
};

inline constexpr int kMaxRedirects = 8;

struct Header {
    std::string name; // in lower case if it is a header of a reply
    std::string value;
};

enum class Method : std::uint8_t { Get, Head, Post };

struct Timeouts {
    std::chrono::milliseconds reply = std::chrono::seconds(60); // until the status and the headers have arrived
    // While the body arrives, each period of the length `silence` must bring at least `leastBytes`.
    std::chrono::milliseconds silence = std::chrono::seconds(30);
    std::uint64_t leastBytes = 1;
};

struct Request {
    Method method = Method::Get;
    std::string url;
    std::vector<Header> headers{};         // also sent to the targets of redirects, so they must not contain secrets
    std::string body{};                    // of a POST; its Content-Type is among the headers
    Secret token{};                        // "Authorization: Bearer …", if not empty
    std::vector<std::string> plainHosts{}; // hosts that may be contacted without encryption, as the user allowed
    Timeouts timeouts{};
    std::chrono::seconds patience = std::chrono::seconds(60); // for all waits with which a busy server answers
    std::uint64_t maxBytes = 64 << 20;                        // of the body
};

struct Reply {
    int status = 0;
    std::vector<Header> headers{};
    std::string url{};       // the address after all redirects
    std::string errorBody{}; // the first kMaxErrorBody bytes of the body, unless the status is 2xx

    [[nodiscard]] bool isSuccess() const { return status >= 200 && status < 300; }
    // The value of the first header called `name`, which is in lower case; empty if there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};
inline constexpr std::size_t kMaxErrorBody = 16 << 10;

// Both functions may be null. They are called on the thread that called send(), and if one fails, the request ends with
// its error.
struct Receiver {
    // Called once, before the body, unless the reply is a redirect or the request is sent again later.
    std::function<Result<>(const Reply& head)> head{};
    std::function<Result<>(Bytes piece)> body{}; // called for each piece as it arrives, only for a status 2xx
};

class NetworkThread;

// Sends requests, and keeps connections open for later ones. Each client has a thread that makes the transfers, so that
// threads without an event loop can wait for them. Requires a QCoreApplication.
//
// Threads: send() is thread-safe and must not be called on the UI thread.
class Client {
public:
    Client();
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // A status of 400 and above is a reply, not an error (see requireSuccess). Returns at once when `job` is cancelled.
    // Errors, whose file is the address: AddressRefused, ConnectionFailed, TlsFailed, ReplyUnusable, Cancelled, and
    // the errors of the receiver.
    [[nodiscard]] Result<Reply> send(const Request& request, const Receiver& receiver, const JobContext& job = {});

    // Returns the client that the process shares, which exists as long as a caller holds it.
    [[nodiscard]] static std::shared_ptr<Client> shared();

private:
    std::unique_ptr<NetworkThread> m_thread;
};

// Errors: HttpStatus, with the server's message, unless the status is 2xx.
[[nodiscard]] Result<> requireSuccess(const Reply& reply);

// The address as errors and logs may show it: without its query, which can contain a signature, and without a user name
// and password.
[[nodiscard]] std::string shownAddress(std::string_view url);

} // namespace gufo::net
