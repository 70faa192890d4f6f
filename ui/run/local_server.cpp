#include "ui/run/local_server.h"

#include "inference/remote/server_connection.h"
#include "net/loopback_port.h"

#include <QCoreApplication>
#include <QProcessEnvironment>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>

#ifdef Q_OS_LINUX
#include <csignal>
#include <sys/prctl.h>
#endif

namespace gufo::ui {
namespace {

constexpr int kShownLines = 6;
constexpr qsizetype kMaxLineBytes = 4000;
constexpr int kKillAfterMs = 3000;
constexpr auto kAskAgain = std::chrono::milliseconds(200);

std::string randomKey() {
    std::array<quint32, 8> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    const QByteArray bytes(reinterpret_cast<const char*>(words.data()), sizeof words);
    return bytes.toHex().toStdString();
}

// Asks until the model is loaded. When the process ends, the job is cancelled.
Result<bool> untilHealthy(const inference::ServerAccess& access, const JobContext& job) {
    const inference::ServerConnection server(access);
    std::mutex mutex;
    std::condition_variable_any wake;
    while (!job.stopRequested()) {
        if (server.get("/health", job)) {
            return true;
        }
        std::unique_lock lock(mutex);
        wake.wait_for(lock, job.stop, kAskAgain, [] { return false; });
    }
    return fail(ErrorCode::Cancelled);
}

} // namespace

LocalServer::LocalServer(QObject* parent)
    : QObject(parent) {}

LocalServer::~LocalServer() { dismiss(); }

QString LocalServer::program() { return QStandardPaths::findExecutable(QStringLiteral("llama-server")); }

QStringList LocalServer::argumentsOf(const LocalServerOptions& options, int port) {
    QStringList arguments = QProcess::splitCommand(options.arguments);
    arguments << QStringLiteral("--model") << QString::fromStdString(options.model.string());
    if (options.context != 0) {
        arguments << QStringLiteral("--ctx-size") << QString::number(options.context);
    }
    if (options.gpuLayers) {
        arguments << QStringLiteral("--n-gpu-layers") << QString::number(*options.gpuLayers);
    }
    QStringList hosts;
    for (const QString& host : options.rpcHosts.split(u',')) {
        if (!host.trimmed().isEmpty()) {
            hosts << host.trimmed();
        }
    }
    if (!hosts.isEmpty()) {
        arguments << QStringLiteral("--rpc") << hosts.join(u',');
    }
    return arguments << QStringLiteral("--host") << QStringLiteral("127.0.0.1") << QStringLiteral("--port")
                     << QString::number(port);
}

void LocalServer::start(const LocalServerOptions& options) {
    stop();
    m_log.clear();
    m_incomplete.clear();
    m_state = State::Starting;
    const int port = net::freeLoopbackPort();
    if (port == 0) {
        end(tr("llama-server cannot be started: no port of this computer is free"));
        return;
    }
    m_access = {.address = "http://127.0.0.1:" + std::to_string(port), .key = randomKey()};
    m_process = new QProcess(this);
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardInputFile(QProcess::nullDevice());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LLAMA_API_KEY"), QString::fromStdString(m_access.key));
    m_process->setProcessEnvironment(environment);
#ifdef Q_OS_LINUX
    m_process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
#endif
    connect(m_process, &QProcess::readyRead, this, &LocalServer::read);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            end(tr("%1 could not be started: %2").arg(m_process->program(), m_process->errorString()));
        }
    });
    connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        read();
        if (!m_incomplete.isEmpty()) {
            addLine(QString::fromUtf8(std::exchange(m_incomplete, {})));
        }
        end(status == QProcess::CrashExit ? tr("llama-server has crashed")
                                          : tr("llama-server has ended with code %1").arg(code));
    });
    emit stateChanged();
    m_process->start(options.program, argumentsOf(options, port));
    awaitHealth();
}

void LocalServer::awaitHealth() {
    if (m_state != State::Starting) { // it failed to start
        return;
    }
    m_health.start<bool>([access = m_access](const JobContext& job) { return untilHealthy(access, job); },
                         [this](const Result<bool>& healthy) {
                             if (healthy && m_state == State::Starting) {
                                 m_state = State::Ready;
                                 emit stateChanged();
                                 emit ready();
                             }
                         });
}

void LocalServer::read() {
    m_incomplete += m_process->readAll();
    // The server may print its settings, and with them the key. A long line is divided only after a key that begins in
    // its first part has arrived completely and has been replaced.
    const QByteArray key = QByteArray::fromStdString(m_access.key);
    m_incomplete.replace(key, "***");
    const qsizetype maxBytes = kMaxLineBytes + key.size();
    for (qsizetype end = m_incomplete.indexOf('\n'); end >= 0 || m_incomplete.size() > maxBytes;
         end = m_incomplete.indexOf('\n')) {
        const qsizetype length = end >= 0 ? end : kMaxLineBytes;
        addLine(QString::fromUtf8(m_incomplete.left(length)).trimmed());
        m_incomplete.remove(0, length + (end >= 0 ? 1 : 0));
    }
}

void LocalServer::addLine(const QString& line) {
    m_log << line;
    if (m_log.size() > kMaxLines) {
        m_log.removeFirst();
    }
    emit logged(line);
}

QString LocalServer::lastLines() const {
    return m_log.mid(std::max<qsizetype>(0, m_log.size() - kShownLines)).join(u'\n');
}

// The process has ended, or could not be started.
void LocalServer::end(const QString& what) {
    if (m_state == State::Stopped) {
        return;
    }
    dismiss();
    m_state = State::Stopped;
    emit stateChanged();
    emit failed(what);
}

void LocalServer::stop() {
    if (m_state == State::Stopped) {
        return;
    }
    dismiss();
    m_state = State::Stopped;
    emit stateChanged();
}

// Asks the process to end, and does not wait until it has.
void LocalServer::dismiss() {
    m_health.cancel();
    QProcess* process = m_process;
    m_process.clear();
    if (process == nullptr) {
        return;
    }
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    process->setParent(QCoreApplication::instance()); // which kills the process if Gufo ends first
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->terminate();
    QTimer::singleShot(kKillAfterMs, process, &QProcess::kill);
}

} // namespace gufo::ui

#include "moc_local_server.cpp"
