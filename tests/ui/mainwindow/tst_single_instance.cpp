#include "support/test_unit.h"
#include "ui/mainwindow/start/single_instance.h"

#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <memory>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace gufo::ui;
using Paths = std::vector<std::filesystem::path>;

class TestSingleInstance : public QObject {
    Q_OBJECT

private slots:
    void init() { m_name = m_dir.filePath(QStringLiteral("socket-%1").arg(++m_count)); }
    void nobodyListens();
    void handsOverPathsOfAnyBytes();
    void onlyOneListens();
    void replacesTheSocketOfACrashedProgram();
    void ignoresGarbage();
    void survivesAnUnfinishedMessage();

private:
    // Sends from another thread, as another process would, while this one turns its event loop.
    bool send(const Paths& files) {
        bool taken = false;
        std::unique_ptr<QThread> sender(QThread::create([&] { taken = SingleInstance(m_name).sendToRunning(files); }));
        sender->start();
        while (!sender->isFinished()) {
            QTest::qWait(5);
        }
        return taken;
    }

    QTemporaryDir m_dir;
    QString m_name;
    int m_count = 0;
};

void TestSingleInstance::nobodyListens() { QVERIFY(!SingleInstance(m_name).sendToRunning({"/model.gguf"})); }

void TestSingleInstance::handsOverPathsOfAnyBytes() {
    SingleInstance running(m_name);
    QVERIFY(running.listen());
    Paths received;
    connect(&running, &SingleInstance::filesReceived, this, [&](const Paths& files) { received = files; });
    const Paths files{"/tmp/a.gguf", "/tmp/\xFF\xFE\n.gguf", "/tmp/" + std::string(4000, 'x')};
    QVERIFY(send(files));
    QCOMPARE(received, files);
    QVERIFY(send({}));
    QVERIFY(received.empty());
}

void TestSingleInstance::onlyOneListens() {
    SingleInstance first(m_name);
    SingleInstance second(m_name);
    QVERIFY(first.listen());
    QVERIFY(!second.listen());
}

void TestSingleInstance::replacesTheSocketOfACrashedProgram() {
    // A bound socket file that nobody listens on: what a killed process leaves.
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray path = m_name.toLocal8Bit();
    QVERIFY(path.size() < static_cast<qsizetype>(sizeof address.sun_path));
    std::copy(path.begin(), path.end(), address.sun_path);
    QCOMPARE(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(fd);
    SingleInstance running(m_name);
    QVERIFY(!SingleInstance(m_name).sendToRunning({}));
    QVERIFY(running.listen());
    QVERIFY(send({"/a"}));
}

void TestSingleInstance::ignoresGarbage() {
    SingleInstance running(m_name);
    QVERIFY(running.listen());
    QSignalSpy received(&running, &SingleInstance::filesReceived);
    QLocalSocket socket;
    socket.connectToServer(m_name);
    QVERIFY(socket.waitForConnected());
    const QByteArray garbage("\0\0\0\x09garbage!!", 13); // a whole message of the wrong protocol
    socket.write(garbage);
    QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
    QCOMPARE(received.count(), 0);
    QVERIFY(send({"/a"}));
    QCOMPARE(received.count(), 1);
}

void TestSingleInstance::survivesAnUnfinishedMessage() {
    SingleInstance running(m_name);
    QVERIFY(running.listen());
    {
        QLocalSocket socket;
        socket.connectToServer(m_name);
        QVERIFY(socket.waitForConnected());
        socket.write("\0\0", 2);
        socket.flush();
        QTest::qWait(20);
    }
    QVERIFY(send({"/a"}));
}

GUFO_TEST(TestSingleInstance)
#include "tst_single_instance.moc"
