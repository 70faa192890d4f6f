#include "net/network_error.h"

#include "base/detail.h"

namespace gufo::net {
namespace {

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

} // namespace

bool isErrorOfStatus(QNetworkReply::NetworkError error) {
    // Qt numbers the errors for 4xx from 201 to 299, and those for 5xx from 401 to 499.
    return (error > QNetworkReply::UnknownProxyError && error <= QNetworkReply::UnknownContentError) ||
           (error >= QNetworkReply::InternalServerError && error <= QNetworkReply::UnknownServerError);
}

Error networkError(QNetworkReply::NetworkError error, const std::string& host, const std::string& text) {
    if (error == QNetworkReply::SslHandshakeFailedError) {
        return Error{ErrorCode::TlsFailed, {}, {}, {host, text}, 0};
    }
    return Error{ErrorCode::ConnectionFailed, {}, {}, {host, reasonOf(error)}, 0};
}

} // namespace gufo::net
