// The thread of a client: an event loop with the access manager that transfers for all callers of send().
//
// Threads: every member may be used from any thread; what is posted runs on the network thread.
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

    template<typename Function>
    void post(Function function) {
        QMetaObject::invokeMethod(m_manager, std::move(function), Qt::QueuedConnection);
    }

    // Only for what is posted.
    [[nodiscard]] QNetworkAccessManager& manager() { return *m_manager; }

private:
    QThread m_thread;
    QNetworkAccessManager* m_manager; // lives on the thread, which deletes it when it ends
};

} // namespace gufo::net
