// Tests starting and stopping a llama-server, with a program that behaves like one.
#include "support/run_models.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/run/local_server.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <csignal>

using namespace gufo;
using namespace gufo::ui;

class TestLocalServer : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    LocalServerOptions m_options;

    static bool runs(qint64 process) { return ::kill(static_cast<pid_t>(process), 0) == 0; }

private slots:
    void initTestCase() {
        const QString path = m_folder.filePath(QStringLiteral("model.gguf"));
        const auto bytes = test::runnableFile().build();
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())),
                 static_cast<qint64>(bytes.size()));
        m_options = {.program = QStringLiteral(GUFO_STAND_IN_SERVER), .model = path.toStdString()};
    }
    void cleanup() { Job::waitForAll(); }

    void passesArguments() {
        LocalServerOptions options{.model = "/m/a b.gguf",
                                   .context = 8192,
                                   .gpuLayers = 0,
                                   .rpcHosts = QStringLiteral(" 10.0.0.1:50052 ,, 10.0.0.2:50052"),
                                   .arguments = QStringLiteral("--flash-attn on --alias \"my model\" --host 0.0.0.0")};
        const QStringList all = LocalServer::argumentsOf(options, 8080);
        QCOMPARE(all, (QStringList{"--flash-attn", "on", "--alias", "my model", "--host", "0.0.0.0", "--model",
                                   "/m/a b.gguf", "--ctx-size", "8192", "--n-gpu-layers", "0", "--rpc",
                                   "10.0.0.1:50052,10.0.0.2:50052", "--host", "127.0.0.1", "--port", "8080"}));
        const QStringList few = LocalServer::argumentsOf({.model = "/m"}, 1);
        QVERIFY(!few.contains("--n-gpu-layers") && !few.contains("--rpc") && !few.contains("--ctx-size"));
    }

    void startsAndStops() {
        LocalServer server;
        const QSignalSpy ready(&server, &LocalServer::ready);
        const QSignalSpy failed(&server, &LocalServer::failed);
        server.start(m_options);
        QCOMPARE(server.state(), LocalServer::State::Starting);
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, 30'000);
        QCOMPARE(server.state(), LocalServer::State::Ready);
        QVERIFY(server.access().key.size() == 64);
        QTRY_VERIFY(server.log().contains("server is listening"));
        QVERIFY(!server.log().contains(QString::fromStdString(server.access().key)));
        const qint64 process = server.processId();
        QVERIFY(process != 0 && runs(process));
        QFile command(QStringLiteral("/proc/%1/cmdline").arg(process));
        if (command.open(QIODevice::ReadOnly)) { // the key is not among the arguments, which other users can read
            QVERIFY(!command.readAll().contains(QByteArray::fromStdString(server.access().key)));
        }
        server.stop();
        QCOMPARE(server.state(), LocalServer::State::Stopped);
        QTRY_VERIFY(!runs(process));
        QVERIFY(failed.isEmpty());
    }

    // The key stays hidden where a long line is divided.
    void hidesItsKeyInLongLines() {
        LocalServer server;
        const QSignalSpy ready(&server, &LocalServer::ready);
        LocalServerOptions options = m_options;
        options.arguments = QStringLiteral("--stand-in long-line");
        server.start(options);
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, 30'000);
        QTRY_VERIFY(server.log().contains("server is listening"));
        const QString key = QString::fromStdString(server.access().key);
        QVERIFY(server.log().contains("x***y"));
        QVERIFY(!server.log().contains(key.left(key.size() / 2)) && !server.log().contains(key.right(key.size() / 2)));
        server.stop();
    }

    void stopsWhenDestroyed() {
        auto server = std::make_unique<LocalServer>();
        const QSignalSpy ready(server.get(), &LocalServer::ready);
        server->start(m_options);
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, 30'000);
        const qint64 process = server->processId();
        server.reset();
        QTRY_VERIFY(!runs(process));
    }

    void stopsWhileStarting() {
        LocalServer server;
        const QSignalSpy ready(&server, &LocalServer::ready);
        const QSignalSpy failed(&server, &LocalServer::failed);
        server.start(m_options);
        QTRY_VERIFY(server.processId() != 0);
        const qint64 process = server.processId();
        server.stop();
        Job::waitForAll();
        QTRY_VERIFY(!runs(process));
        QVERIFY(ready.isEmpty() && failed.isEmpty());
    }

    void fails_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("logged");
        QTest::newRow("ends") << m_options.program << "--stand-in refuse" << "ended with code 1"
                              << "unable to allocate the GPU buffer";
        QTest::newRow("no program") << "/nonexistent/llama-server" << "" << "could not be started" << "";
    }
    void fails() {
        QFETCH(QString, program);
        QFETCH(QString, arguments);
        QFETCH(QString, said);
        QFETCH(QString, logged);
        LocalServer server;
        const QSignalSpy failed(&server, &LocalServer::failed);
        LocalServerOptions options = m_options;
        options.program = program;
        options.arguments = arguments;
        server.start(options);
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30'000);
        QVERIFY2(failed[0][0].toString().contains(said), qPrintable(failed[0][0].toString()));
        QVERIFY2(server.lastLines().contains(logged), qPrintable(server.lastLines()));
        QCOMPARE(server.state(), LocalServer::State::Stopped);
        // It can be started again.
        const QSignalSpy ready(&server, &LocalServer::ready);
        server.start(m_options);
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, 30'000);
        QCOMPARE(failed.size(), 1);
    }

    void isKilled() {
        LocalServer server;
        const QSignalSpy ready(&server, &LocalServer::ready);
        const QSignalSpy failed(&server, &LocalServer::failed);
        server.start(m_options);
        QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, 30'000);
        QCOMPARE(::kill(static_cast<pid_t>(server.processId()), SIGKILL), 0);
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains("crashed"));
        QVERIFY(server.lastLines().contains("server is listening"));
    }
};

GUFO_TEST(TestLocalServer)
#include "tst_local_server.moc"
