#include "support/idle.h"
#include "support/test_unit.h"
#include "ui/mainwindow/start/single_instance.h"

#include <QDataStream>
#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <memory>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gufo::ui;
using Models = std::vector<gufo::hub::ModelPlace>;

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
    void findsAPrivateFolder_data();
    void findsAPrivateFolder();
    void listensWhereNobodyElseMay();
    void runsAloneWithoutAPrivateFolder();
    void takesNothingFromAnotherUser();
    void tellsNothingToAnotherUser();

private:
    // Sends from another thread, as another process would, while this thread runs its event loop.
    bool send(const Models& files) {
        bool taken = false;
        std::unique_ptr<QThread> sender(QThread::create([&] { taken = SingleInstance(m_name).sendToRunning(files); }));
        sender->start();
        return QTest::qWaitFor([&] { return sender->isFinished(); }, 60'000) && taken;
    }

    QTemporaryDir m_dir;
    QString m_name;
    int m_count = 0;
};

void TestSingleInstance::nobodyListens() {
    QVERIFY(!SingleInstance(m_name).sendToRunning({std::filesystem::path("/model.gguf")}));
}

void TestSingleInstance::handsOverPathsOfAnyBytes() {
    SingleInstance running(m_name);
    QVERIFY(running.listen());
    Models received;
    connect(&running, &SingleInstance::modelsReceived, this, [&](const Models& models) { received = models; });
    Models files;
    for (const std::string& text : {std::string("/tmp/a.gguf"), std::string("/tmp/\xFF\xFE\n.gguf"),
                                    "/tmp/" + std::string(4000, 'x'), std::string("https://owl.org/m.gguf?key=1")}) {
        files.push_back(gufo::hub::ModelPlace::parse(text));
    }
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
    // Creates what a killed process leaves behind: a bound socket that nobody listens on.
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
    QVERIFY(send({std::filesystem::path("/a")}));
}

void TestSingleInstance::ignoresGarbage() {
    SingleInstance running(m_name);
    QVERIFY(running.listen());
    QSignalSpy received(&running, &SingleInstance::modelsReceived);
    QLocalSocket socket;
    socket.connectToServer(m_name);
    QVERIFY(socket.waitForConnected());
    const QByteArray garbage("\0\0\0\x09garbage!!", 13); // a complete message of the wrong protocol
    socket.write(garbage);
    QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
    QCOMPARE(received.count(), 0);
    QVERIFY(send({std::filesystem::path("/a")}));
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
        gufo::test::spinEventLoop(); // until the running program has received it
    }
    QVERIFY(send({std::filesystem::path("/a")}));
}

namespace {

constexpr uid_t kNobody = 65534;

// Restores environment variables at the end of a test.
class Environment {
public:
    Environment(const char* name, const QByteArray& value)
        : m_name(name)
        , m_before(qgetenv(name)) {
        qputenv(name, value);
    }
    ~Environment() { m_before.isNull() ? qunsetenv(m_name) : qputenv(m_name, m_before); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
};

sockaddr_un addressOf(const QString& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray path = QFile::encodeName(name);
    std::copy_n(path.begin(), std::min<std::size_t>(path.size(), sizeof address.sun_path - 1), address.sun_path);
    return address;
}

int statusOf(pid_t child) {
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

void TestSingleInstance::findsAPrivateFolder_data() {
    QTest::addColumn<int>("mode"); // mode of $XDG_RUNTIME_DIR; -1: a file, -2: missing, -3: a relative name, -4: a link
    QTest::addColumn<bool>("isUsed");
    QTest::newRow("private") << 0700 << true;
    QTest::newRow("others may enter") << 0755 << false;
    QTest::newRow("others may write") << 0777 << false;
    QTest::newRow("its group may enter") << 0710 << false;
    QTest::newRow("a file") << -1 << false;
    QTest::newRow("missing") << -2 << false;
    QTest::newRow("relative") << -3 << false;
    QTest::newRow("a link") << -4 << false;
}

void TestSingleInstance::findsAPrivateFolder() {
    QFETCH(int, mode);
    QFETCH(bool, isUsed);
    const QTemporaryDir root;
    const QByteArray runtime = QFile::encodeName(root.filePath("runtime"));
    if (mode >= 0) {
        QCOMPARE(mkdir(runtime.constData(), 0700), 0);
        QCOMPARE(chmod(runtime.constData(), static_cast<mode_t>(mode)), 0);
    } else if (mode == -1) {
        QVERIFY(QFile(root.filePath("runtime")).open(QIODevice::WriteOnly));
    } else if (mode == -4) {
        QCOMPARE(symlink(root.path().toLocal8Bit().constData(), runtime.constData()), 0);
    }
    const Environment temporary("TMPDIR", QFile::encodeName(root.path()));
    const Environment folder("XDG_RUNTIME_DIR", mode == -3 ? QByteArray("runtime") : runtime);
    const QString name = SingleInstance::defaultName();
    const QByteArray parent = QFile::encodeName(QFileInfo(name).path());
    const QByteArray fallback = QFile::encodeName(root.path()) + "/gufo-" + QByteArray::number(geteuid());
    QCOMPARE(parent, isUsed ? runtime : fallback);
    struct stat status{};
    QCOMPARE(stat(parent.constData(), &status), 0);
    QCOMPARE(status.st_mode & 07777U, 0700U);
    QCOMPARE(SingleInstance::defaultName(), name); // with the folder in place
}

void TestSingleInstance::listensWhereNobodyElseMay() {
    const QTemporaryDir root;
    const Environment temporary("TMPDIR", QFile::encodeName(root.path()));
    const Environment folder("XDG_RUNTIME_DIR", QByteArray());
    m_name = SingleInstance::defaultName();
    SingleInstance running(m_name);
    QVERIFY(running.listen());
    QVERIFY(send({std::filesystem::path("/a")}));
    const QStringList inside =
        QDir(QFileInfo(m_name).path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    QCOMPARE(inside.size(), 2); // the socket and its lock
    QCOMPARE(QDir(root.path()).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size(), 1);
}

// Another user has created the folder first, and could replace the sockets in it.
void TestSingleInstance::runsAloneWithoutAPrivateFolder() {
    const QTemporaryDir root;
    const Environment temporary("TMPDIR", QFile::encodeName(root.path()));
    const Environment folder("XDG_RUNTIME_DIR", QByteArray());
    const QByteArray fallback = QFile::encodeName(root.path()) + "/gufo-" + QByteArray::number(geteuid());
    const QByteArray elsewhere = QFile::encodeName(root.filePath("elsewhere"));
    QCOMPARE(mkdir(elsewhere.constData(), 0700), 0);
    QCOMPARE(symlink(elsewhere.constData(), fallback.constData()), 0);
    QCOMPARE(SingleInstance::defaultName(), QString());
    QCOMPARE(unlink(fallback.constData()), 0);
    QCOMPARE(mkdir(fallback.constData(), 0700), 0);
    QCOMPARE(chmod(fallback.constData(), 0777), 0);
    QCOMPARE(SingleInstance::defaultName(), QString());
    SingleInstance alone(SingleInstance::defaultName());
    QVERIFY(!alone.sendToRunning({std::filesystem::path("/a")}));
    QVERIFY(!alone.listen());
    if (geteuid() == 0) {
        QCOMPARE(chmod(fallback.constData(), 0700), 0);
        QVERIFY(!SingleInstance::defaultName().isEmpty());
        QCOMPARE(chown(fallback.constData(), kNobody, kNobody), 0);
        QCOMPARE(SingleInstance::defaultName(), QString());
    }
}

// File permissions are not the only protection: here they allow everybody.
void TestSingleInstance::takesNothingFromAnotherUser() {
    if (geteuid() != 0) {
        QSKIP("only root can become another user");
    }
    SingleInstance running(m_name);
    QVERIFY(running.listen());
    QSignalSpy received(&running, &SingleInstance::modelsReceived);
    QCOMPARE(chmod(m_dir.path().toLocal8Bit().constData(), 0755), 0);
    QCOMPARE(chmod(m_name.toLocal8Bit().constData(), 0777), 0);
    QByteArray content;
    QDataStream(&content, QIODevice::WriteOnly) << quint32{0x67756632} << false << quint32{1} << QByteArray("/a");
    QByteArray message;
    QDataStream stream(&message, QIODevice::WriteOnly);
    stream << content;
    for (const uid_t user : {uid_t{0}, kNobody}) {
        const pid_t child = fork();
        if (child == 0) {
            const sockaddr_un address = addressOf(m_name);
            const int peer = socket(AF_UNIX, SOCK_STREAM, 0);
            if (setuid(user) != 0 ||
                ::connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
                _exit(2);
            }
            (void)::send(peer, message.constData(), static_cast<std::size_t>(message.size()), MSG_NOSIGNAL);
            char answer = 0;
            _exit(read(peer, &answer, 1) == 1 ? 0 : 1); // until the server has replied or closed the connection
        }
        int status = -1;
        bool ended = false;
        QTRY_VERIFY((ended = ended || waitpid(child, &status, WNOHANG) == child));
        QCOMPARE(WEXITSTATUS(status), user == 0 ? 0 : 1);
        QCOMPARE(received.count(), 1); // only from root
    }
    QCOMPARE(chmod(m_dir.path().toLocal8Bit().constData(), 0700), 0);
}

// Another user listens instead of us: no file name is sent.
void TestSingleInstance::tellsNothingToAnotherUser() {
    if (geteuid() != 0) {
        QSKIP("only root can become another user");
    }
    QCOMPARE(chmod(m_dir.path().toLocal8Bit().constData(), 0777), 0);
    int ready[2];
    QCOMPARE(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const sockaddr_un address = addressOf(m_name);
        const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
        if (setuid(kNobody) != 0 || bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
            ::listen(listener, 1) != 0 || write(ready[1], "r", 1) != 1) {
            _exit(2);
        }
        char byte = 0;
        const int peer = accept(listener, nullptr, nullptr);
        _exit(read(peer, &byte, 1) == 1 ? 1 : 0);
    }
    char byte = 0;
    QCOMPARE(read(ready[0], &byte, 1), 1);
    QVERIFY(!SingleInstance(m_name).sendToRunning({std::filesystem::path("/home/me/secret.gguf")}));
    QCOMPARE(statusOf(child), 0);
    close(ready[0]);
    close(ready[1]);
    QCOMPARE(chmod(m_dir.path().toLocal8Bit().constData(), 0700), 0);
}

GUFO_TEST(TestSingleInstance)
#include "tst_single_instance.moc"
