// The thread of a Client: an event loop with the QNetworkAccessManager for all callers of Client::send().
//
// Threads: all members except manager() are thread-safe.
#pragma once

#include <QNetworkAccessManager>
#include <QObject>
#include <QThread>

#include <utility>

namespace gufo::net {

class NetworkThread {
public:
    NetworkThread();
    ~NetworkThread(); // ends all transfers
    NetworkThread(const NetworkThread&) = delete;
    NetworkThread& operator=(const NetworkThread&) = delete;

    // Calls the function on the network thread, after all functions that were posted earlier.
    template<typename Function>
    void post(Function function) {
        QMetaObject::invokeMethod(m_manager, std::move(function), Qt::QueuedConnection);
    }

    // May be used only on the network thread.
    [[nodiscard]] QNetworkAccessManager& manager() { return *m_manager; }

private:
    QThread m_thread;
    QNetworkAccessManager* m_manager; // belongs to the thread, at whose end it is deleted
};

} // namespace gufo::net
