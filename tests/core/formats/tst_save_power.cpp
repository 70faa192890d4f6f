// Shuts down an ext4 file system in the middle of a save, as a power cut would, and mounts it again. Opening gives
// entirely the old or entirely the new file. Needs root and a loop device, and is skipped otherwise.
#include "document/open_model.h"
#include "support/hooked_operations.h"
#include "support/save_scenarios.h"
#include "support/test_unit.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

// EXT4_IOC_SHUTDOWN of fs/ext4/ext4.h and its flags: with or without writing out the journal first.
constexpr unsigned long kShutDown = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t kLogFlush = 1;
constexpr std::uint32_t kNoLogFlush = 2;

bool run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(30'000) && process.exitCode() == 0;
}

// A mounted image of a file system.
class LoopMount {
public:
    bool make(qint64 bytes = 64 << 20, const QStringList& options = {}) {
        const QString image = m_folder.filePath(QStringLiteral("image"));
        QFile file(image);
        return m_folder.isValid() && geteuid() == 0 && file.open(QIODevice::WriteOnly) && file.resize(bytes) &&
               QDir(m_folder.path()).mkdir(QStringLiteral("mount")) &&
               run(QStringLiteral("mkfs.ext4"), QStringList{QStringLiteral("-q")} + options + QStringList{image}) &&
               mount();
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

// Saves in a child process, so that this one does not keep the file system busy. Returns true if the save ended before
// operation `at`.
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
        SaveOptions options = scenario.options;
        options.operations = &operations;
        _exit(base && saveEdited(**base, scenario.edit(**base), options) ? 0 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Leaves only single free blocks, so that the next file needs an extent for each block.
void breakUpFreeSpace(const fs::path& folder, std::int64_t block) {
    const int file = ::open((folder / "filler").c_str(), O_RDWR | O_CREAT, 0644);
    const std::string chunk(1 << 20, 'f');
    std::int64_t size = 0;
    for (ssize_t put = 1; put > 0; size += put > 0 ? put : 0) {
        put = ::write(file, chunk.data(), chunk.size());
    }
    fsync(file);
    for (std::int64_t at = 0; at < size; at += 2 * block) {
        fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, block);
    }
    fsync(file);
    ::close(file);
}

FileExtents extentsOf(const fs::path& path) {
    FileOperations& files = realFileOperations();
    const OpenFile file(files, *files.open(path, FileOperations::Mode::Read));
    return *files.extents(file.get(), ~std::uint64_t{0}, true);
}

} // namespace

class TestSavePower : public QObject {
    Q_OBJECT

private slots:
    void powerCuts_data();
    void powerCuts();
    void cutsInTheMiddleOfAShift();
    void cleanupTestCase() { qInfo("%d power cuts", m_points); }

private:
    int m_points = 0;
};

void TestSavePower::powerCuts_data() {
    QTest::addColumn<Scenario>("scenario");
    QTest::addColumn<quint32>("flags");
    const auto all = allScenarios();
    for (const auto& [name, index] :
         {std::pair("patch", 0U), std::pair("shift, grows", 1U), std::pair("shift, shrinks", 2U)}) {
        QTest::addRow("%s, journal of the file system written", name) << all[index] << kLogFlush;
        QTest::addRow("%s, not written", name) << all[index] << kNoLogFlush;
    }
}

void TestSavePower::powerCuts() {
    QFETCH(const Scenario, scenario);
    QFETCH(quint32, flags);
    LoopMount disk;
    if (!disk.make()) {
        QSKIP("no loop mount of ext4 here: needs root, mkfs.ext4 and a loop device");
    }
    const fs::path file = disk.path() / scenario.first;
    FileBytes saved;
    bool ended = false;
    for (int at = -1; !ended; at = at < 0 ? 4 : at + 1) { // the first run has no cut
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

// A file with so many extents that the file system moves them in many transactions. When the power is cut during or
// right after the call, only some of them have reached the disk.
void TestSavePower::cutsInTheMiddleOfAShift() {
    constexpr std::size_t kBlock = 1024;
    LoopMount disk;
    if (!disk.make(128 << 20,
                   {QStringLiteral("-b"), QString::number(kBlock), QStringLiteral("-J"), QStringLiteral("size=1")})) {
        QSKIP("no loop mount of ext4 here: needs root, mkfs.ext4 and a loop device");
    }
    GgufBuilder builder;
    builder.key("general.architecture", "llama").key("general.name", "before");
    builder.tensor("a", 0, {1024, 9'000}, scenarioPattern(1024 * 9'000 * 4, 1));
    const FileBytes before = asText(builder.build());
    const Scenario scenario{
        .name = "a shift of many extents",
        .files = {{"m.gguf", before}},
        .first = "m.gguf",
        .options = {},
        .edit = [](const Model& base) { return ModelEdit(base).set("general.name", std::string(600, 'n')).model(); },
        .expected = SaveStrategy::Shift};
    const fs::path file = disk.path() / scenario.first;
    int torn = 0;
    breakUpFreeSpace(disk.path(), kBlock);
    for (int round = 0; round < 4; ++round) {
        writeFile(file, before);
        QVERIFY(extentsOf(file).count > 9'000);
        sync();
        const pid_t child = fork();
        if (child == 0) {
            HookedOperations operations;
            operations.reallySyncs = true;
            std::thread cut;
            operations.before = [&](const HookedOperations::Call& call) {
                if (call.name == std::string_view("insertRange") && round % 2 != 0) {
                    cut = std::thread([&] {
                        std::this_thread::sleep_for(std::chrono::milliseconds(round));
                        shutDown(disk.path(), kNoLogFlush);
                        _exit(1);
                    });
                }
                return 0;
            };
            operations.after = [&](const HookedOperations::Call& call) {
                if (call.name == std::string_view("insertRange")) {
                    shutDown(disk.path(), kNoLogFlush);
                    _exit(1);
                }
            };
            const auto base = openModel(file);
            SaveOptions options;
            options.operations = &operations;
            (void)saveEdited(**base, scenario.edit(**base), options);
            _exit(0); // the save was not a shift
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        QVERIFY(disk.unmount());
        QVERIFY(disk.mount());
        const auto extents = extentsOf(file);
        torn += extents.written.size() > 1 && extents.written[1].offset > (1U << 20U) ? 1 : 0;
        const auto opened = openModel(file);
        QVERIFY2(opened, (std::to_string(round) + ": " + describe(opened)).c_str());
        QVERIFY2(readFile(file) == before, std::to_string(round).c_str());
        ++m_points;
    }
    qInfo("%d of 4 shifts were torn", torn);
}

GUFO_TEST(TestSavePower)
#include "tst_save_power.moc"
