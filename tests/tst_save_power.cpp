// Shuts an ext4 file system down in the middle of a save, as a power cut does, and mounts it again: opening gives
// entirely the old or entirely the new file. Needs root and a loop device; skipped elsewhere.
#include "crash/hooked_operations.h"
#include "crash/save_scenarios.h"
#include "document/open_model.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

// EXT4_IOC_SHUTDOWN of fs/ext4/ext4.h, and its flags: with the journal written out first, or without.
constexpr unsigned long kShutDown = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t kLogFlush = 1;
constexpr std::uint32_t kNoLogFlush = 2;

bool run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(30'000) && process.exitCode() == 0;
}

// An image of a file system, mounted.
class LoopMount {
public:
    bool make() {
        const QString image = m_folder.filePath(QStringLiteral("image"));
        QFile file(image);
        return m_folder.isValid() && geteuid() == 0 && file.open(QIODevice::WriteOnly) && file.resize(64 << 20) &&
               QDir(m_folder.path()).mkdir(QStringLiteral("mount")) &&
               run(QStringLiteral("mkfs.ext4"), {QStringLiteral("-q"), image}) && mount();
    }
    bool mount() {
        m_mounted = run(QStringLiteral("mount"),
                        {QStringLiteral("-o"), QStringLiteral("loop"), m_folder.filePath(QStringLiteral("image")),
                         m_folder.filePath(QStringLiteral("mount"))});
        return m_mounted;
    }
    bool unmount() {
        m_mounted = !run(QStringLiteral("umount"), {m_folder.filePath(QStringLiteral("mount"))});
        return !m_mounted;
    }
    ~LoopMount() {
        if (m_mounted) {
            unmount();
        }
    }
    [[nodiscard]] fs::path path() const { return m_folder.filePath(QStringLiteral("mount")).toStdString(); }

private:
    QTemporaryDir m_folder{"/var/tmp/gufo-power-XXXXXX"};
    bool m_mounted = false;
};

void shutDown(const fs::path& mount, std::uint32_t flags) {
    const int folder = ::open(mount.c_str(), O_RDONLY | O_DIRECTORY);
    ioctl(folder, kShutDown, &flags);
    ::close(folder);
}

// In a child, so that nothing of ours keeps the file system busy. True if the save ended before operation `at`.
bool saveShuttingDownAt(const Scenario& scenario, const fs::path& mount, int at, std::uint32_t flags) {
    const pid_t child = fork();
    if (child == 0) {
        HookedOperations operations;
        operations.reallySyncs = true;
        operations.after = [&](const HookedOperations::Call& call) {
            if (call.number == at) {
                shutDown(mount, flags);
                _exit(1);
            }
        };
        const auto base = openModel(mount / scenario.first);
        gguf::SaveOptions options = scenario.options;
        options.operations = &operations;
        _exit(base && gguf::save(**base, scenario.edit(**base), {}, options) ? 0 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

class TestSavePower : public QObject {
    Q_OBJECT

private slots:
    void powerCuts_data();
    void powerCuts();
    void cleanupTestCase() { qInfo("%d power cuts", m_points); }

private:
    int m_points = 0;
};

void TestSavePower::powerCuts_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<quint32>("flags");
    for (const auto& [name, index] :
         {std::pair("patch", 0), std::pair("shift, grows", 1), std::pair("shift, shrinks", 2)}) {
        QTest::addRow("%s, journal of the file system written", name) << index << kLogFlush;
        QTest::addRow("%s, not written", name) << index << kNoLogFlush;
    }
}

void TestSavePower::powerCuts() {
    QFETCH(int, index);
    QFETCH(quint32, flags);
    const Scenario scenario = saveScenarios()[static_cast<std::size_t>(index)];
    LoopMount disk;
    if (!disk.make()) {
        QSKIP("no loop mount of ext4 here: needs root, mkfs.ext4 and a loop device");
    }
    const fs::path file = disk.path() / scenario.first;
    FileBytes saved;
    bool ended = false;
    for (int at = -1; !ended; at = at < 0 ? 4 : at + 1) { // the first time without a cut
        QVERIFY(at < 100);
        for (const auto& entry : fs::directory_iterator(disk.path())) {
            if (entry.is_regular_file()) {
                fs::remove(entry.path());
            }
        }
        writeFile(file, scenario.files.at(scenario.first));
        sync();
        const bool whole = saveShuttingDownAt(scenario, disk.path(), at, flags);
        if (at < 0) {
            QVERIFY(whole);
            saved = readFile(file);
            continue;
        }
        ended = whole;
        QVERIFY(disk.unmount());
        QVERIFY(disk.mount());
        const auto opened = openModel(file);
        QVERIFY2(opened, (std::to_string(at) + ": " + describe(opened)).c_str());
        const FileBytes content = readFile(file);
        QVERIFY2(content == saved || (!ended && content == scenario.files.at(scenario.first)),
                 std::to_string(at).c_str());
        ++m_points;
    }
}

QTEST_GUILESS_MAIN(TestSavePower)
#include "tst_save_power.moc"
