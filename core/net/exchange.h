// One HTTP request and its reply; redirects are not followed. The transfer runs on the network thread. The thread that
// calls run() waits for the pieces of the body, which it takes from a queue of limited size, so that a slow receiver
// slows the server down.
//
// Ownership: run() and the functions that are posted to the network thread share the object.
#pragma once

#include "net/http.h"
#include "net/network_thread.h"

#include <QNetworkReply>
#include <QUrl>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

namespace gufo::net {

class Exchange : public std::enable_shared_from_this<Exchange> {
public:
    Exchange(NetworkThread& thread, const QUrl& url)
        : m_thread(thread)
        , m_url(url) {}

    // Called once, not on the network thread. Returns when the body has ended; the body of a redirect is not read.
    // Errors: the errors of Client::send(), except the errors of redirects.
    [[nodiscard]] Result<Reply> run(const Request& request, bool withToken, const Receiver& receiver,
                                    const JobContext& job);

private:
    // On the network thread.
    void start(const QNetworkRequest& request, Method method, const QByteArray& body);
    void publishHead();
    void pull();
    void abandon();

    // On the thread that waits.
    [[nodiscard]] Result<Reply> converse(const Request& request, const Receiver& receiver, const JobContext& job);
    [[nodiscard]] Result<Reply> awaitHead(const Timeouts& timeouts, const JobContext& job);
    [[nodiscard]] Result<> receiveBody(Reply& reply, const Request& request, const Receiver& receiver,
                                       const JobContext& job);
    [[nodiscard]] Result<> checkComplete(const Reply& reply, std::uint64_t received) const;
    [[nodiscard]] std::unexpected<Error> connectionFailed(Argument why) const;
    [[nodiscard]] std::unexpected<Error> serverSilent(std::chrono::milliseconds time) const;
    [[nodiscard]] std::string host() const { return m_url.host(QUrl::FullyEncoded).toStdString(); }

    NetworkThread& m_thread;
    const QUrl m_url;

    // Used only on the network thread.
    QNetworkReply* m_transfer = nullptr;
    std::unique_ptr<QObject> m_listener; // the receiver of the transfer's signals
    bool m_hasEnded = false;
    QString m_tlsProblem;

    std::mutex m_mutex; // guards the members below
    std::condition_variable_any m_changed;
    std::optional<Reply> m_head;
    std::deque<QByteArray> m_pieces;
    std::size_t m_queued = 0; // bytes in m_pieces
    bool m_isFull = false;    // bytes wait in the buffer of QNetworkReply until the queue has room
    bool m_isDone = false;    // no further pieces will be queued
    std::optional<Error> m_failure;
};

} // namespace gufo::net
