#include "net/loopback_port.h"

#include <QHostAddress>
#include <QTcpServer>

namespace gufo::net {

std::uint16_t freeLoopbackPort() {
    QTcpServer probe;
    return probe.listen(QHostAddress::LocalHost) ? probe.serverPort() : std::uint16_t{0};
}

} // namespace gufo::net
