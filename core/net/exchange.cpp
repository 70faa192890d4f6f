#include "net/exchange.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "base/error.h"
#include "base/server_words.h"
#include "base/try.h"
#include "net/content_range.h"

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QSslError>

#include <algorithm>
#include <string>

namespace gufo::net {
namespace {

// Converts the errors of Qt Network to errors of core. All functions are pure and thread-safe.
Argument reasonOf(QNetworkReply::NetworkError error) {
    switch (error) {
    case QNetworkReply::HostNotFoundError:
        return Detail::HostNotFound;
    case QNetworkReply::ConnectionRefusedError:
        return Detail::ConnectionRefused;
    case QNetworkReply::RemoteHostClosedError:
        return Detail::ConnectionClosed;
    case QNetworkReply::TemporaryNetworkFailureError:
    case QNetworkReply::NetworkSessionFailedError:
        return Detail::NetworkUnreachable;
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
    case QNetworkReply::UnknownProxyError:
        return Detail::ProxyFailed;
    case QNetworkReply::ProtocolFailure:
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
        return Detail::ProtocolBroken;
    default:
        return {Detail::NetworkFailure, {static_cast<int>(error)}};
    }
}

// Whether the error stands for an HTTP status of 400 and above: then the server has replied, and the status says why it
// refused.
bool isErrorOfStatus(QNetworkReply::NetworkError error) {
    // Qt numbers the errors for 4xx from 201 to 299, and those for 5xx from 401 to 499.
    return (error > QNetworkReply::UnknownProxyError && error <= QNetworkReply::UnknownContentError) ||
           (error >= QNetworkReply::InternalServerError && error <= QNetworkReply::UnknownServerError);
}

// Returns ConnectionFailed or TlsFailed. `text` is the description of Qt, which is only used for errors of TLS.
Error networkError(QNetworkReply::NetworkError error, const std::string& host, const std::string& text) {
    if (error == QNetworkReply::SslHandshakeFailedError) {
        return Error{ErrorCode::TlsFailed, {}, {}, {host, text}, 0};
    }
    return Error{ErrorCode::ConnectionFailed, {}, {}, {host, reasonOf(error)}, 0};
}

constexpr std::size_t kQueueBytes = 8 << 20; // in m_pieces
constexpr qint64 kBufferBytes = 4 << 20;     // in the buffer of QNetworkReply

QNetworkRequest qtRequest(const QUrl& url, const Request& request, bool withToken) {
    QNetworkRequest made(url);
    made.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    made.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    made.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    made.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    made.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    // Ranges of a file that are fetched in parallel need separate connections; the streams of HTTP/2 would share one.
    made.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    made.setRawHeader("User-Agent", "Gufo");
    for (const Header& header : request.headers) {
        made.setRawHeader(QByteArray::fromStdString(header.name), QByteArray::fromStdString(header.value));
    }
    made.setRawHeader("Accept-Encoding", "identity"); // also keeps Qt from decoding
    if (withToken && !request.token.empty()) {
        const std::string_view token = request.token.reveal();
        made.setRawHeader("Authorization",
                          QByteArray("Bearer ").append(token.data(), static_cast<qsizetype>(token.size())));
    }
    return made;
}

Result<> checkEncoding(const Reply& head) {
    const std::string_view encoding = head.header("content-encoding");
    if (encoding.empty() || equalIgnoringCase(encoding, "identity")) {
        return {};
    }
    return fail(ErrorCode::ReplyUnusable, {}, {{Detail::ReplyEncoded, {oneLine(encoding)}}});
}

bool isRedirect(const Reply& reply) {
    return reply.status >= 300 && reply.status < 400 && !reply.header("location").empty();
}

} // namespace

// ---- the network thread ---------------------------------------------------------------------------------------------

void Exchange::start(const QNetworkRequest& request, Method method, const QByteArray& body) {
    QNetworkAccessManager& manager = m_thread.manager();
    m_transfer = method == Method::Get    ? manager.get(request)
                 : method == Method::Head ? manager.head(request)
                                          : manager.post(request, body);
    m_transfer->setReadBufferSize(kBufferBytes);
    m_listener = std::make_unique<QObject>();
    QObject* const listener = m_listener.get();
    const auto self = shared_from_this();
    QObject::connect(m_transfer, &QNetworkReply::metaDataChanged, listener, [self] { self->publishHead(); });
    QObject::connect(m_transfer, &QNetworkReply::readyRead, listener, [self] { self->pull(); });
    QObject::connect(m_transfer, &QNetworkReply::sslErrors, listener, [self](const QList<QSslError>& errors) {
        self->m_tlsProblem = errors.isEmpty() ? QString() : errors.front().errorString();
    });
    QObject::connect(m_transfer, &QNetworkReply::finished, listener, [self] {
        self->m_hasEnded = true;
        self->publishHead();
        self->pull();
    });
}

void Exchange::publishHead() {
    const int status = m_transfer->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const std::scoped_lock lock(m_mutex);
    if (status == 0 || m_head) {
        return;
    }
    Reply head{.status = status, .url = m_url.toEncoded().toStdString()};
    for (const auto& [name, value] : m_transfer->rawHeaderPairs()) {
        head.headers.push_back({asciiLowerText(name.toStdString()), value.toStdString()});
    }
    m_head = std::move(head);
    m_changed.notify_all();
}

// Moves the bytes that have arrived to the queue until it is full.
void Exchange::pull() {
    if (m_transfer == nullptr) {
        return;
    }
    std::unique_lock lock(m_mutex);
    while (m_queued < kQueueBytes && m_transfer->bytesAvailable() > 0) {
        lock.unlock();
        QByteArray piece = m_transfer->read(m_transfer->bytesAvailable());
        lock.lock();
        if (piece.isEmpty()) {
            break;
        }
        m_queued += static_cast<std::size_t>(piece.size());
        m_pieces.push_back(std::move(piece));
    }
    m_isFull = m_transfer->bytesAvailable() > 0;
    if (m_hasEnded && !m_isFull) {
        const auto error = m_transfer->error();
        if (error != QNetworkReply::NoError && !(m_head && isErrorOfStatus(error))) {
            const QString text = m_tlsProblem.isEmpty() ? m_transfer->errorString() : m_tlsProblem;
            m_failure = networkError(error, host(), text.toStdString());
        }
        m_isDone = true;
    }
    m_changed.notify_all();
}

void Exchange::abandon() {
    if (m_transfer != nullptr) {
        m_listener.reset(); // disconnects the functions, which share ownership of this object
        m_transfer->abort();
        m_transfer->deleteLater();
        m_transfer = nullptr;
    }
}

// ---- the thread that waits ------------------------------------------------------------------------------------------

Result<Reply> Exchange::run(const Request& request, bool withToken, const Receiver& receiver, const JobContext& job) {
    m_thread.post([self = shared_from_this(), made = qtRequest(m_url, request, withToken), method = request.method,
                   body = QByteArray::fromStdString(request.body)] { self->start(made, method, body); });
    auto reply = converse(request, receiver, job);
    m_thread.post([self = shared_from_this()] { self->abandon(); });
    if (!reply && reply.error().file.empty()) {
        reply.error().file = shownAddress(m_url.toEncoded().toStdString());
    }
    return reply;
}

Result<Reply> Exchange::converse(const Request& request, const Receiver& receiver, const JobContext& job) {
    auto reply = awaitHead(request.timeouts, job);
    if (!reply || isRedirect(*reply)) {
        return reply;
    }
    GUFO_TRY(reply->isSuccess() ? checkEncoding(*reply) : Result<>());
    GUFO_TRY(receiver.head ? receiver.head(*reply) : Result<>());
    GUFO_TRY(request.method == Method::Head ? Result<>() : receiveBody(*reply, request, receiver, job));
    return reply;
}

Result<Reply> Exchange::awaitHead(const Timeouts& timeouts, const JobContext& job) {
    std::unique_lock lock(m_mutex);
    const bool came = m_changed.wait_for(lock, job.stop, timeouts.reply, [&] { return m_head || m_isDone; });
    GUFO_TRY(job.check());
    if (!came) {
        return serverSilent(timeouts.reply);
    }
    if (!m_head) {
        return m_failure ? std::unexpected(*m_failure) : connectionFailed(Detail::ConnectionClosed);
    }
    return *m_head;
}

Result<> Exchange::receiveBody(Reply& reply, const Request& request, const Receiver& receiver, const JobContext& job) {
    std::uint64_t received = 0;
    std::uint64_t atWindowStart = 0;
    auto window = std::chrono::steady_clock::now() + request.timeouts.silence;
    while (true) {
        std::unique_lock lock(m_mutex);
        const bool came = m_changed.wait_until(lock, job.stop, window, [&] { return !m_pieces.empty() || m_isDone; });
        GUFO_TRY(job.check());
        if (!came) {
            if (received - atWindowStart < std::max<std::uint64_t>(1, request.timeouts.leastBytes)) {
                return serverSilent(request.timeouts.silence);
            }
            atWindowStart = received;
            window = std::chrono::steady_clock::now() + request.timeouts.silence;
            continue;
        }
        if (m_pieces.empty()) {
            break;
        }
        const QByteArray piece = std::move(m_pieces.front());
        m_pieces.pop_front();
        m_queued -= static_cast<std::size_t>(piece.size());
        const bool wakes = m_isFull && m_queued < kQueueBytes / 2;
        m_isFull = m_isFull && !wakes;
        lock.unlock();
        if (wakes) {
            m_thread.post([self = shared_from_this()] { self->pull(); });
        }

        const auto bytes = static_cast<std::uint64_t>(piece.size());
        received += bytes;
        if (!reply.isSuccess()) {
            reply.errorBody.append(piece.constData(),
                                   std::min<std::size_t>(bytes, kMaxErrorBody - reply.errorBody.size()));
            if (reply.errorBody.size() == kMaxErrorBody) {
                return {};
            }
            continue;
        }
        if (received > request.maxBytes) {
            return fail(ErrorCode::ReplyUnusable, {}, {{Detail::ReplyTooLong, {request.maxBytes}}});
        }
        if (receiver.body) {
            GUFO_TRY(receiver.body(std::as_bytes(std::span(piece.constData(), bytes))));
        }
        // The time that the receiver took is not the server's silence, so the window begins after it.
        if (received - atWindowStart >= request.timeouts.leastBytes) {
            atWindowStart = received;
            window = std::chrono::steady_clock::now() + request.timeouts.silence;
        }
    }
    return checkComplete(reply, received);
}

Result<> Exchange::checkComplete(const Reply& reply, std::uint64_t received) const {
    if (!reply.isSuccess()) {
        return {}; // a part of the error's message is enough
    }
    const auto announced = parseContentLength(reply.header("content-length"));
    if (announced && received != *announced) {
        return fail(ErrorCode::ReplyUnusable, {}, {{Detail::ReplyCut, {received, *announced}}});
    }
    return m_failure ? std::unexpected(*m_failure) : Result<>();
}

std::unexpected<Error> Exchange::connectionFailed(Argument why) const {
    return fail(ErrorCode::ConnectionFailed, {}, {host(), std::move(why)});
}

std::unexpected<Error> Exchange::serverSilent(std::chrono::milliseconds time) const {
    return connectionFailed(
        {Detail::ServerSilent, {std::max<std::int64_t>(1, std::chrono::round<std::chrono::seconds>(time).count())}});
}

} // namespace gufo::net
