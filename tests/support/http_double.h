// An HTTP server for tests, on a free port of this computer. A handler writes the raw bytes of each reply, so that it
// can break every rule. Each connection has its own thread; the destructor ends them.
#pragma once

#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpServer>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gufo::test {

struct HttpRequest {
    std::string method;
    std::string path;
    std::map<std::string, std::string> headers; // names in lower case
    std::string body;

    [[nodiscard]] std::string header(const std::string& name) const {
        const auto found = headers.find(name);
        return found != headers.end() ? found->second : std::string();
    }
};

// The connection as a handler sees it. Both functions return false when the client has gone or the test ends.
class HttpPeer {
public:
    HttpPeer(QTcpSocket& socket, const std::atomic<bool>& ends)
        : m_socket(socket)
        , m_ends(ends) {}

    bool send(std::string_view bytes) {
        constexpr std::size_t kPiece = 1 << 20;
        while (!bytes.empty()) {
            const std::string_view piece = bytes.substr(0, kPiece);
            if (m_ends || m_socket.write(piece.data(), static_cast<qint64>(piece.size())) < 0) {
                return false;
            }
            while (m_socket.bytesToWrite() > 0) {
                if (!m_socket.waitForBytesWritten(100) &&
                    (m_ends || m_socket.state() != QAbstractSocket::ConnectedState)) {
                    return false;
                }
            }
            bytes.remove_prefix(piece.size());
        }
        return true;
    }
    bool pause(std::chrono::milliseconds time) {
        const auto until = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < until) {
            m_socket.waitForReadyRead(5); // notices that the client has gone
            if (m_ends || m_socket.state() != QAbstractSocket::ConnectedState) {
                return false;
            }
        }
        return true;
    }
    // The connection is closed after this reply.
    void close() { m_closes = true; }
    [[nodiscard]] bool closes() const { return m_closes; }

private:
    QTcpSocket& m_socket;
    const std::atomic<bool>& m_ends;
    bool m_closes = false;
};

class HttpDouble {
public:
    using Handler = std::function<void(const HttpRequest&, HttpPeer&)>;
    struct Tls {
        QSslCertificate certificate;
        QSslKey key;
    };

    explicit HttpDouble(Handler handler, std::shared_ptr<const Tls> tls = nullptr)
        : m_handler(std::move(handler))
        , m_tls(std::move(tls)) {
        std::promise<quint16> port;
        auto ready = port.get_future();
        m_thread = std::thread([this, &port] { listen(port); });
        m_port = ready.get();
    }
    ~HttpDouble() {
        m_ends = true;
        m_thread.join();
    }

    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] std::string url(std::string_view path, std::string_view host = "127.0.0.1") const {
        return (m_tls ? "https://" : "http://") + std::string(host) + ':' + std::to_string(m_port) + std::string(path);
    }
    [[nodiscard]] std::vector<HttpRequest> requests() const {
        const std::scoped_lock lock(m_mutex);
        return m_requests;
    }
    // The greatest number of connections that were open at the same time.
    [[nodiscard]] int maxConnections() const { return m_maximum; }

private:
    struct Server : QTcpServer {
        std::vector<qintptr> waiting;
        void incomingConnection(qintptr handle) override { waiting.push_back(handle); }
    };

    void listen(std::promise<quint16>& port) {
        Server server;
        server.listen(QHostAddress::LocalHost);
        port.set_value(server.serverPort());
        std::vector<std::thread> peers;
        while (!m_ends) {
            server.waitForNewConnection(10);
            for (const qintptr handle : std::exchange(server.waiting, {})) {
                peers.emplace_back([this, handle] { converse(handle); });
            }
        }
        for (std::thread& peer : peers) {
            peer.join();
        }
    }

    void converse(qintptr handle) {
        const int open = ++m_open;
        for (int maximum = m_maximum; maximum < open && !m_maximum.compare_exchange_weak(maximum, open);) {
        }
        QSslSocket socket;
        socket.setSocketDescriptor(handle);
        if (m_tls) {
            socket.setLocalCertificate(m_tls->certificate);
            socket.setPrivateKey(m_tls->key);
            socket.startServerEncryption();
            socket.waitForEncrypted(5000);
        }
        HttpPeer peer(socket, m_ends);
        std::string received;
        while (!peer.closes()) {
            const auto request = readRequest(socket, received);
            if (!request) {
                break;
            }
            {
                const std::scoped_lock lock(m_mutex);
                m_requests.push_back(*request);
            }
            m_handler(*request, peer);
        }
        socket.disconnectFromHost();
        if (socket.state() != QAbstractSocket::UnconnectedState) {
            socket.waitForDisconnected(1000);
        }
        --m_open;
    }

    std::unique_ptr<HttpRequest> readRequest(QTcpSocket& socket, std::string& received) const {
        const auto more = [&] {
            while (!m_ends && socket.state() == QAbstractSocket::ConnectedState) {
                if (socket.bytesAvailable() > 0 || socket.waitForReadyRead(20)) {
                    received += socket.readAll().toStdString();
                    return true;
                }
            }
            return false;
        };
        std::size_t end = 0;
        while ((end = received.find("\r\n\r\n")) == std::string::npos) {
            if (!more()) {
                return nullptr;
            }
        }
        auto request = std::make_unique<HttpRequest>();
        std::string_view head = std::string_view(received).substr(0, end);
        const std::string_view line = head.substr(0, head.find("\r\n"));
        request->method = line.substr(0, line.find(' '));
        request->path = line.substr(request->method.size() + 1, line.rfind(' ') - request->method.size() - 1);
        head.remove_prefix(std::min(head.size(), line.size() + 2));
        while (!head.empty()) {
            const std::string_view header = head.substr(0, head.find("\r\n"));
            const std::size_t colon = header.find(':');
            const QByteArray name(header.data(), static_cast<qsizetype>(std::min(colon, header.size())));
            std::string_view value = colon != header.npos ? header.substr(colon + 1) : std::string_view();
            value.remove_prefix(std::min(value.size(), value.find_first_not_of(' ')));
            request->headers[name.toLower().toStdString()] = value;
            head.remove_prefix(std::min(head.size(), header.size() + 2));
        }
        received.erase(0, end + 4);
        const std::size_t length = std::strtoull(request->header("content-length").c_str(), nullptr, 10);
        while (received.size() < length) {
            if (!more()) {
                return nullptr;
            }
        }
        request->body = received.substr(0, length);
        received.erase(0, length);
        return request;
    }

    Handler m_handler;
    std::shared_ptr<const Tls> m_tls;
    std::atomic<bool> m_ends = false;
    std::atomic<int> m_open = 0;
    std::atomic<int> m_maximum = 0;
    mutable std::mutex m_mutex; // guards m_requests
    std::vector<HttpRequest> m_requests;
    quint16 m_port = 0;
    std::thread m_thread;
};

} // namespace gufo::test
