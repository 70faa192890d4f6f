// A llama-server that Gufo starts for the open file on this computer and stops again.
//
//    connect(server, &LocalServer::ready, …);   // access() names it
//    connect(server, &LocalServer::failed, …);  // lastLines() says why
//    server->start({.program = LocalServer::program(), .model = path, .context = 4096});
//
// It listens on a free port of the loopback and wants a random key, which it gets through its environment. If Gufo
// ends without stopping it, the system does (on Linux).
//
// Threads: UI thread only, and nothing waits: the port is asked by a job until the model is loaded.
#pragma once

#include "inference/session/session.h"
#include "ui/jobs/job.h"

#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>

namespace gufo::ui {

struct LocalServerOptions {
    QString program{};
    std::filesystem::path model{};
    std::uint32_t context = 0;      // in tokens; 0: as the program chooses
    std::optional<int> gpuLayers{}; // empty: as the program chooses
    QString rpcHosts{};             // "host:port, host:port": machines that run llama.cpp's rpc-server
    QString arguments{};            // further ones, quoted as in a shell
};

class LocalServer : public QObject {
    Q_OBJECT

public:
    enum class State { Stopped, Starting, Ready };

    explicit LocalServer(QObject* parent = nullptr);
    ~LocalServer() override; // stops it without waiting

    // The path of an installed llama-server; empty if there is none.
    [[nodiscard]] static QString program();
    // The arguments for the program, which come after the user's, because the last one of a kind counts.
    [[nodiscard]] static QStringList argumentsOf(const LocalServerOptions& options, int port);

    // Stops a running one first. Ends in ready(), or in failed() unless stop() was called.
    void start(const LocalServerOptions& options);
    void stop();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const inference::ServerAccess& access() const { return m_access; }
    [[nodiscard]] QString log() const { return m_log.join(u'\n'); } // the last kMostLines lines that it wrote
    [[nodiscard]] QString lastLines() const;
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }

    static constexpr int kMostLines = 1000;

signals:
    void stateChanged();
    void logged(const QString& line);
    void ready();
    // It could not be started, or has ended although nobody stopped it. `what` is a sentence without a full stop.
    void failed(const QString& what);

private:
    void read();
    void addLine(QString line);
    void awaitHealth();
    void end(const QString& what);
    void dismiss();

    QPointer<QProcess> m_process;
    QPointer<Job> m_health;
    State m_state = State::Stopped;
    inference::ServerAccess m_access;
    QStringList m_log;
    QByteArray m_incomplete; // a line
};

} // namespace gufo::ui
