// Tests the real program as a process.
#include "support/hub_double.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/shell/native_path.h"

#include <QJsonArray>
#include <QProcess>

#include <sys/stat.h>

using namespace gufo;
using namespace gufo::ui;

class TestProgram : public QObject {
    Q_OBJECT

private slots:
    void commandLine_data();
    void commandLine();
    void secondStartOpensATabInTheFirst();
    void opensAddresses();
    void opensTheSampleModel();
    void opensTheModelsOfAFolder();
    void runsWhereNothingCanBeWritten();

private:
    [[nodiscard]] QProcessEnvironment ownEnvironment() const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_dir.filePath(QStringLiteral("run")));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_dir.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
        return environment;
    }
    // The names of the files whose tabs the running program has stored in its session.
    [[nodiscard]] QStringList sessionTabs() const {
        QStringList names;
        for (const QString& path : sessionPaths()) {
            names << path.section(QLatin1Char('/'), -1);
        }
        return names;
    }
    // The whole paths, addresses and names.
    [[nodiscard]] QStringList sessionPaths() const {
        QStringList tabs;
        const QSettings settings(m_dir.filePath(QStringLiteral("gufo/gufo.conf")), QSettings::NativeFormat);
        const QJsonArray windows = readJson(settings, setting::kSession).value(QStringLiteral("windows")).toArray();
        for (const QJsonValue& window : windows) {
            for (const QJsonValue& tab : window.toObject().value(QStringLiteral("tabs")).toArray()) {
                const auto repository = RepositoryTab::placeOfState(tab.toObject());
                const auto place = repository ? repository : ModelTab::placeOfState(tab.toObject());
                tabs << QString::fromStdString(place ? place->text() : std::string());
            }
        }
        return tabs;
    }

    QTemporaryDir m_dir;
    fs::path m_root = m_dir.path().toStdString();
};

void TestProgram::commandLine_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("output");
    QTest::newRow("help") << QStringList{"--help"} << 0 << "Usage: gufo";
    QTest::newRow("version") << QStringList{"--version"} << 0 << "gufo ";
    QTest::newRow("unknown option") << QStringList{"--nonsense"} << 2 << "unknown option --nonsense";
}

void TestProgram::commandLine() {
    QFETCH(QStringList, arguments);
    QFETCH(int, exitCode);
    QFETCH(QString, output);
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(GUFO_PROGRAM), arguments);
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), exitCode);
    QVERIFY(QString::fromUtf8(program.readAll()).contains(output));
}

void TestProgram::secondStartOpensATabInTheFirst() {
    const fs::path a = writeFile(m_root / "a.gguf", tinyModel());
    writeFile(m_root / "b.gguf", tinyModel());
    fs::create_directories(m_root / "run");
    QVERIFY(chmod((m_root / "run").c_str(), 0700) == 0);
    const QProcessEnvironment environment = ownEnvironment();
    QProcess first;
    first.setProcessEnvironment(environment);
    first.start(QStringLiteral(GUFO_PROGRAM), {qtPath(a)});
    QTRY_COMPARE_WITH_TIMEOUT(sessionTabs(), QStringList{"a.gguf"}, 20'000);
    QProcess second;
    second.setProcessEnvironment(environment);
    second.setWorkingDirectory(m_dir.path());
    second.start(QStringLiteral(GUFO_PROGRAM),
                 {QStringLiteral("b.gguf")}); // relative to the directory where it was started
    QVERIFY(second.waitForFinished(20'000));
    QCOMPARE(second.exitCode(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(sessionTabs(), (QStringList{"a.gguf", "b.gguf"}), 20'000);
    QCOMPARE(first.state(), QProcess::Running);
    // With a window of its own, it is a process of its own.
    QProcess third;
    third.setProcessEnvironment(environment);
    third.start(QStringLiteral(GUFO_PROGRAM), {QStringLiteral("--new-window")});
    QVERIFY(!third.waitForFinished(1500));
    third.kill();
    third.waitForFinished();
    // After a crash, the next process becomes the first.
    first.kill();
    QVERIFY(first.waitForFinished());
    QProcess next;
    next.setProcessEnvironment(environment);
    next.start(QStringLiteral(GUFO_PROGRAM), {qtPath(m_root / "b.gguf")});
    QTRY_COMPARE_WITH_TIMEOUT(sessionTabs(), QStringList{"b.gguf"}, 20'000);
    next.kill();
    next.waitForFinished();
}

// An address and a name are not taken for paths, neither by the first process nor by one that hands them over.
void TestProgram::opensAddresses() {
    const QString settingsFile = m_dir.filePath(QStringLiteral("gufo/gufo.conf"));
    QFile::remove(settingsFile);
    fs::create_directories(m_root / "run");
    QVERIFY(chmod((m_root / "run").c_str(), 0700) == 0);
    const auto bytes = tinyModel();
    test::HubDouble hub;
    hub.files = {{"night-Q8_0.gguf", {reinterpret_cast<const char*>(bytes.data()), bytes.size()}}};
    QProcessEnvironment environment = ownEnvironment();
    environment.insert(QStringLiteral("HF_ENDPOINT"), QString::fromStdString(hub.url()));
    environment.insert(QStringLiteral("HF_HOME"), m_dir.path()); // without a token
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), m_dir.path());
    const auto isAsked = [&](std::string_view beginning) {
        return std::ranges::any_of(hub.server().requests(), [&](const test::HttpRequest& request) {
            return request.method == "GET" && request.path.starts_with(beginning);
        });
    };
    const QString address = QString::fromStdString(hub.url("/night-Q8_0.gguf"));
    QStringList tabs{address};
    QProcess first;
    first.setProcessEnvironment(environment);
    first.start(QStringLiteral(GUFO_PROGRAM), {address});
    QTRY_COMPARE_WITH_TIMEOUT(sessionPaths(), tabs, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(isAsked("/night-Q8_0.gguf"), 20'000);
    const auto handOver = [&](const QString& name) {
        QProcess second;
        second.setProcessEnvironment(environment);
        second.setWorkingDirectory(m_dir.path());
        second.start(QStringLiteral(GUFO_PROGRAM), {name});
        tabs << name;
        return second.waitForFinished(20'000) && second.exitCode() == 0 &&
               QTest::qWaitFor([&] { return sessionPaths() == tabs; }, 20'000);
    };
    QVERIFY2(handOver(QStringLiteral("hf.co/owl/night-GGUF:Q8_0")), qPrintable(sessionPaths().join(u' ')));
    QTRY_VERIFY_WITH_TIMEOUT(isAsked(std::string("/owl/night-GGUF/resolve/") + test::HubDouble::kCommit), 20'000);
    QVERIFY2(handOver(QStringLiteral("hf.co/owl/night-GGUF")),
             qPrintable(sessionPaths().join(u' '))); // its list of files
    QCOMPARE(first.state(), QProcess::Running);
    first.kill();
    QVERIFY(first.waitForFinished());
}

void TestProgram::opensTheSampleModel() {
    const QString sample = QStringLiteral("gufo-sample-1.4M-chat-v1.0-F16.gguf");
    const fs::path other = writeFile(m_root / "other.gguf", tinyModel());
    fs::create_directories(m_root / "run");
    QVERIFY(chmod((m_root / "run").c_str(), 0700) == 0);
    const QString settingsFile = m_dir.filePath(QStringLiteral("gufo/gufo.conf"));
    QFile::remove(settingsFile);
    const auto run = [&](const QStringList& arguments, const QStringList& tabs) {
        QProcess program;
        program.setProcessEnvironment(ownEnvironment());
        program.start(QStringLiteral(GUFO_PROGRAM), arguments);
        const bool opened = QTest::qWaitFor([&] { return sessionTabs() == tabs; }, 20'000);
        program.kill();
        program.waitForFinished();
        return opened;
    };
    QVERIFY(run({QStringLiteral("--sample")}, {sample}));
    QVERIFY(
        run({QStringLiteral("--sample"), qtPath(other)}, {QStringLiteral("other.gguf")})); // because a file is given
    QVERIFY(run({QStringLiteral("--sample")}, {sample})); // although a session could be restored
    QVERIFY(run({qtPath(other)}, {QStringLiteral("other.gguf")}));
    QSettings(settingsFile, QSettings::NativeFormat).setValue(setting::kRestoreOnStart, true);
    QProcess restored;
    restored.setProcessEnvironment(ownEnvironment());
    restored.start(QStringLiteral(GUFO_PROGRAM), {QStringLiteral("--sample")});
    QVERIFY(!restored.waitForFinished(3000));
    QCOMPARE(sessionTabs(), QStringList{QStringLiteral("other.gguf")});
    restored.kill();
    restored.waitForFinished();
}

void TestProgram::opensTheModelsOfAFolder() {
    fs::create_directories(m_root / "models/deep");
    fs::create_directories(m_root / "run");
    QVERIFY(chmod((m_root / "run").c_str(), 0700) == 0);
    writeFile(m_root / "models/a.gguf", tinyModel());
    writeFile(m_root / "models/deep/b.gguf", tinyModel());
    writeFile(m_root / "models/notes.txt", "x");
    QFile::remove(m_dir.filePath(QStringLiteral("gufo/gufo.conf")));
    QProcess program;
    program.setProcessEnvironment(ownEnvironment());
    program.setWorkingDirectory(m_dir.path());
    program.start(QStringLiteral(GUFO_PROGRAM), {QStringLiteral("models")});
    QTRY_COMPARE_WITH_TIMEOUT(sessionTabs(), (QStringList{"a.gguf", "b.gguf"}), 20'000);
    program.kill();
    program.waitForFinished();
}

// As with a home folder on a read-only file system, or on a full disk.
void TestProgram::runsWhereNothingCanBeWritten() {
    const fs::path a = writeFile(m_root / "a.gguf", tinyModel());
    const QString none = qtPath(writeFile(m_root / "no-folder", "x")) + QStringLiteral("/below");
    fs::create_directories(m_root / "run");
    QVERIFY(chmod((m_root / "run").c_str(), 0700) == 0);
    QProcessEnvironment environment = ownEnvironment();
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"}) {
        environment.insert(QString::fromLatin1(name), none);
    }
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(GUFO_PROGRAM), {qtPath(a)});
    QVERIFY(!program.waitForFinished(1500));
    QProcess second; // the first one answers
    second.setProcessEnvironment(environment);
    second.start(QStringLiteral(GUFO_PROGRAM), {qtPath(a)});
    QVERIFY(second.waitForFinished(20'000));
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(program.state(), QProcess::Running);
    const QByteArray messages = program.readAllStandardError();
    program.kill();
    program.waitForFinished();
    for (const QByteArray& line : messages.split('\n')) { // the second start brings the window to the front
        QVERIFY2(line.isEmpty() || line == "This plugin does not support raise()", line.constData());
    }
}

GUFO_TEST(TestProgram)
#include "tst_program.moc"
