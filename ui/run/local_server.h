// A llama-server that Gufo starts for the open file on this computer and stops again.
//
//    connect(server, &LocalServer::ready, …);   // access() has its address and key
//    connect(server, &LocalServer::failed, …);  // lastLines() says why
//    server->start({.program = LocalServer::program(), .model = path, .context = 4096});
//
// The server listens on a free port of the loopback interface and requires a random key, which it receives in its
// environment. On Linux, the system stops it if Gufo ends without doing so.
//
// Thread contract: UI thread only. No function waits: a job sends requests to the port until the model is loaded.
#pragma once

#include "inference/interface/session.h"
#include "ui/jobs/latest_job.h"

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
    QString arguments{};            // further arguments, quoted as in a shell
};

class LocalServer : public QObject {
    Q_OBJECT

public:
    enum class State { Stopped, Starting, Ready };

    explicit LocalServer(QObject* parent = nullptr);
    ~LocalServer() override; // stops the server without waiting

    // The path of the installed llama-server; empty if none is installed.
    [[nodiscard]] static QString program();
    // All arguments of the program. The user's come first, because the last argument of a name counts.
    [[nodiscard]] static QStringList argumentsOf(const LocalServerOptions& options, int port);

    // Stops a running server first. Emits ready() or failed() in the end, unless stop() is called before.
    void start(const LocalServerOptions& options);
    void stop();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const inference::ServerAccess& access() const { return m_access; }
    [[nodiscard]] QString log() const { return m_log.join(u'\n'); } // the last kMaxLines lines
    [[nodiscard]] QString lastLines() const;
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }

    static constexpr int kMaxLines = 1000;

signals:
    void stateChanged();
    void logged(const QString& line);
    void ready();
    // The program could not be started, or has ended without stop(). `what` is a sentence without a full stop.
    void failed(const QString& what);

private:
    void read();
    void addLine(const QString& line);
    void awaitHealth();
    void end(const QString& what);
    void dismiss();

    QPointer<QProcess> m_process;
    LatestJob m_health{this};
    State m_state = State::Stopped;
    inference::ServerAccess m_access;
    QStringList m_log;
    QByteArray m_incomplete; // a line
};

} // namespace gufo::ui
