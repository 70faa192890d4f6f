// Converts the errors of Qt Network to those of core. All functions are pure and thread-safe.
#pragma once

#include "base/error.h"

#include <QNetworkReply>

#include <string>

namespace gufo::net {

// Whether the error stands for an HTTP status of 400 and above: then the server has replied, and the status says why it
// refused.
[[nodiscard]] bool isErrorOfStatus(QNetworkReply::NetworkError error);

// Returns ConnectionFailed or TlsFailed. `text` is the description of Qt, which is only used for errors of TLS.
[[nodiscard]] Error networkError(QNetworkReply::NetworkError error, const std::string& host, const std::string& text);

} // namespace gufo::net
