// Translates the errors of Qt Network into those of core.
#pragma once

#include "base/error.h"

#include <QNetworkReply>

#include <string>

namespace gufo::net {

// Whether the server replied, if only to refuse: such an error is told by the status.
[[nodiscard]] bool isErrorOfStatus(QNetworkReply::NetworkError error);

// `text` is what Qt says about it, and only used for errors of TLS. Errors: ConnectionFailed, TlsFailed.
[[nodiscard]] Error networkError(QNetworkReply::NetworkError error, const std::string& host, const std::string& text);

} // namespace gufo::net
