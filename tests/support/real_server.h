// Starts a real llama-server for tests: the program that GUFO_LLAMA_SERVER names, or the one on the path. CONTRIBUTING
// says how to provide one where the system has none. Tests skip without it.
//
//     const auto server = test::RealServer::start(model);
//     if (!server) {
//         QSKIP("there is no llama-server");
//     }
#pragma once

#include "inference/remote/server_connection.h"
#include "net/loopback_port.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>

namespace gufo::test {

class RealServer {
public:
    static constexpr const char* kKey = "an owl's secret";

    // Empty: there is no program.
    [[nodiscard]] static QString program() {
        const QString named = qEnvironmentVariable("GUFO_LLAMA_SERVER");
        return !named.isEmpty() ? named : QStandardPaths::findExecutable(QStringLiteral("llama-server"));
    }

    // Null: there is no program. The test fails if the server does not start. `arguments` are added to those of the
    // model, the address and the context.
    [[nodiscard]] static std::unique_ptr<RealServer> start(const std::filesystem::path& model,
                                                           const QStringList& arguments = {}) {
        if (program().isEmpty()) {
            return nullptr;
        }
        std::unique_ptr<RealServer> server(new RealServer);
        // In a folder for temporary files, because a server in another root folder may share only that.
        const QString copy = server->m_folder.filePath(QStringLiteral("model.gguf"));
        QFile::copy(QString::fromStdString(model.native()), copy);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LLAMA_API_KEY"), QString::fromLatin1(kKey));
        server->m_process.setProcessEnvironment(environment);
        server->m_process.setProcessChannelMode(QProcess::MergedChannels);
        server->m_process.start(program(),
                                QStringList{"--model", copy, "--host", "127.0.0.1", "--port",
                                            QString::number(server->m_port), "--ctx-size", "512", "--parallel", "1"} +
                                    arguments);
        if (!server->waitUntilHealthy()) {
            QTest::qFail(("llama-server does not start: " + server->m_process.readAll().right(2000)).constData(),
                         __FILE__, __LINE__);
        }
        return server;
    }
    ~RealServer() {
        m_process.terminate();
        if (!m_process.waitForFinished(10'000)) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }

    [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(m_port); }

private:
    RealServer() = default;

    bool waitUntilHealthy() {
        constexpr int kTries = 600;
        const inference::ServerConnection connection({.address = address(), .key = kKey});
        for (int i = 0; i < kTries && m_process.state() != QProcess::NotRunning; ++i) {
            if (connection.get("/health", {})) {
                return true;
            }
            m_process.waitForFinished(100); // also a pause
        }
        return false;
    }

    QTemporaryDir m_folder;
    QProcess m_process;
    std::uint16_t m_port = net::freeLoopbackPort();
};

} // namespace gufo::test
