// Kills the process at every operation of every save strategy, and lets every operation fail. Afterwards opening gives
// entirely the old or entirely the new file.
#include "document/open_model.h"
#include "formats/save/recover.h"
#include "support/hooked_operations.h"
#include "support/save_scenarios.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr int kKilled = 77;
constexpr int kSaved = 78;

class SaveFolder {
public:
    SaveFolder()
        : m_folder("/var/tmp/gufo-kill-XXXXXX") {}
    [[nodiscard]] fs::path path() const { return m_folder.path().toStdString(); }
    void reset(const Folder& files) const {
        for (const auto& entry : fs::directory_iterator(path())) {
            fs::remove(entry.path());
        }
        for (const auto& [name, bytes] : files) {
            writeFile(path() / name, bytes);
        }
    }
    // Returns the models; the names of other files are added to `others`.
    [[nodiscard]] Folder content(std::vector<std::string>& others) const {
        Folder files;
        others.clear();
        for (const auto& entry : fs::directory_iterator(path())) {
            const std::string name = entry.path().filename().native();
            if (isModelName(name)) {
                files[name] = readFile(entry.path());
            } else {
                others.push_back(name);
            }
        }
        return files;
    }

private:
    QTemporaryDir m_folder;
};

Result<SaveReport> saveScenario(const Scenario& scenario, const fs::path& folder, FileOperations& operations) {
    const auto base = openModel(folder / scenario.first);
    if (!base) {
        return std::unexpected(base.error());
    }
    SaveOptions options = scenario.options;
    options.operations = &operations;
    return saveEdited(**base, scenario.edit(**base), options);
}

// Returns the files after an undisturbed save, and the number of operations that it takes.
Folder savedContent(const Scenario& scenario, const SaveFolder& folder, int& calls) {
    folder.reset(scenario.files);
    HookedOperations operations;
    const auto report = saveScenario(scenario, folder.path(), operations);
    calls = operations.calls;
    std::vector<std::string> others;
    if (!report || report->files[0].plan.strategy != scenario.expected) {
        qWarning("%s: %s", scenario.name, describe(report).c_str());
        return {};
    }
    return folder.content(others);
}

// Saves in a child process that is killed before, in or after operation `at`.
int killAt(const Scenario& scenario, const fs::path& folder, int at, int when) {
    const pid_t child = fork();
    if (child == 0) {
        HookedOperations operations;
        operations.before = [&](const HookedOperations::Call& call) {
            if (call.number == at && when == 0) {
                _exit(kKilled);
            }
            return call.number == at && when == 1 ? HookedOperations::kHalf : 0;
        };
        operations.after = [&](const HookedOperations::Call& call) {
            if (call.number == at) {
                _exit(kKilled);
            }
        };
        _exit(saveScenario(scenario, folder, operations) ? kSaved : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class TestSaveKill : public QObject {
    Q_OBJECT

private slots:
    void scenarios() {
        QTest::addColumn<Scenario>("scenario");
        for (const Scenario& scenario : allScenarios()) {
            QTest::newRow(scenario.name) << scenario;
        }
    }
    void killed_data() { scenarios(); }
    void killed();
    void recoveryKilled_data() {
        QTest::addColumn<Scenario>("scenario");
        for (const Scenario& scenario : allScenarios()) {
            if (scenario.recovers) {
                QTest::newRow(scenario.name) << scenario;
            }
        }
    }
    void recoveryKilled();
    void failing_data() { scenarios(); }
    void failing();
    void throwing_data() { scenarios(); }
    void throwing();
    void cleanupTestCase() { qInfo("%d points", m_points); }

private:
    void openingGivesOldOrNew(const Scenario& scenario, const Folder& saved, const char* where, int at);

    SaveFolder m_folder;
    int m_points = 0;
};

void TestSaveKill::openingGivesOldOrNew(const Scenario& scenario, const Folder& saved, const char* where, int at) {
    ++m_points;
    const auto label = [&] { return QStringLiteral("%1 %2 %3").arg(scenario.name, where).arg(at).toUtf8(); };
    const auto opened = openModel(m_folder.path() / scenario.first);
    QVERIFY2(opened, (label() + ": " + describe(opened).c_str()).constData());
    std::vector<std::string> others;
    const Folder content = m_folder.content(others);
    QVERIFY2(content == scenario.files || content == saved, label().constData());
    for (const std::string& other : others) { // opening has removed the part files too
        QFAIL((label() + ": " + other.c_str()).constData());
    }
}

void TestSaveKill::killed() {
    QFETCH(const Scenario, scenario);
    int calls = 0;
    const Folder saved = savedContent(scenario, m_folder, calls);
    QVERIFY(!saved.empty());
    for (int at = 0; at < calls; ++at) {
        for (int when = 0; when < 3; ++when) {
            m_folder.reset(scenario.files);
            QCOMPARE(killAt(scenario, m_folder.path(), at, when), kKilled);
            openingGivesOldOrNew(scenario, saved, "killed at", at);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }
}

// Kills a save, and then the recovery at each of its operations.
void TestSaveKill::recoveryKilled() {
    QFETCH(const Scenario, scenario);
    int calls = 0;
    const Folder saved = savedContent(scenario, m_folder, calls);
    QVERIFY(!saved.empty());
    for (int at = calls / 3; at < calls; at += 3) { // there is no journal before that
        for (int step = 0;; ++step) {
            m_folder.reset(scenario.files);
            QCOMPARE(killAt(scenario, m_folder.path(), at, 2), kKilled);
            const pid_t child = fork();
            if (child == 0) {
                HookedOperations operations;
                operations.after = [&](const HookedOperations::Call& call) {
                    if (call.number == step) {
                        _exit(kKilled);
                    }
                };
                _exit(saving::recover(m_folder.path() / scenario.first, &operations) ? kSaved : 1);
            }
            int status = 0;
            waitpid(child, &status, 0);
            const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            QVERIFY(code == kKilled || code == kSaved);
            openingGivesOldOrNew(scenario, saved, "recovery killed after", at * 1000 + step);
            if (QTest::currentTestFailed()) {
                return;
            }
            if (code == kSaved) {
                break;
            }
        }
    }
}

void TestSaveKill::failing() {
    QFETCH(const Scenario, scenario);
    int calls = 0;
    const Folder saved = savedContent(scenario, m_folder, calls);
    QVERIFY(!saved.empty());
    struct Fault {
        const char* name;
        int error;
        bool forGood; // all operations from there on fail
    };
    for (const Fault& fault : {Fault{"ENOSPC", ENOSPC, false}, Fault{"EIO", EIO, false}, Fault{"disk gone", EIO, true},
                               Fault{"short", HookedOperations::kHalf, false}}) {
        for (int at = 0; at < calls; ++at) {
            m_folder.reset(scenario.files);
            HookedOperations operations;
            std::string failed;
            operations.before = [&](const HookedOperations::Call& call) {
                const bool now = call.number == at || (fault.forGood && call.number > at);
                failed = call.number == at ? call.name : failed;
                return now ? fault.error : 0;
            };
            const auto report = saveScenario(scenario, m_folder.path(), operations);
            const auto label =
                std::string(scenario.name) + ", " + fault.name + " at " + std::to_string(at) + " " + failed;
            if (fault.error == HookedOperations::kHalf) {
                QVERIFY2(report, (label + ": " + describe(report)).c_str());
            }
            std::vector<std::string> others;
            const Folder rightAfter = m_folder.content(others);
            openingGivesOldOrNew(scenario, saved, fault.name, at);
            if (QTest::currentTestFailed()) {
                return;
            }
            const Folder content = m_folder.content(others);
            if (report) {
                QVERIFY2(content == saved, label.c_str());
            } else if (fault.forGood) {
                // A journal that can be neither synced nor removed may take effect later, as a whole.
                QVERIFY2(rightAfter == scenario.files || failed == "syncFolder" || failed == "rename" ||
                             report.error().code == ErrorCode::SaveInterrupted,
                         label.c_str());
            } else if (failed != "syncFolder" && report.error().code != ErrorCode::SaveInterrupted) {
                QVERIFY2(content == scenario.files && rightAfter == scenario.files, label.c_str());
            }
        }
    }
}

// Memory runs out at any operation, including the operations that undo a failed save. The journal must then stay,
// because it is the only record of the original files.
void TestSaveKill::throwing() {
    QFETCH(const Scenario, scenario);
    int calls = 0;
    const Folder saved = savedContent(scenario, m_folder, calls);
    QVERIFY(!saved.empty());
    int thrown = 0;
    for (int fails = -1; fails < calls; fails += fails < 0 ? calls / 3 + 1 : 2) { // -1: no operation fails before
        for (int step = 0;; ++step) {
            m_folder.reset(scenario.files);
            HookedOperations operations;
            operations.before = [&](const HookedOperations::Call& call) {
                // Not in destructors that remove temporary files: that would terminate the process, which the kill
                // tests cover.
                if (call.number == fails + 1 + step && std::string_view(call.name) != "unlink") {
                    throw std::bad_alloc();
                }
                return call.number == fails ? EIO : 0;
            };
            bool threw = false;
            try {
                static_cast<void>(saveScenario(scenario, m_folder.path(), operations));
            } catch (const std::bad_alloc&) {
                threw = true;
                ++thrown;
            }
            openingGivesOldOrNew(scenario, saved, "memory ran out at", fails * 1000 + step);
            if (QTest::currentTestFailed()) {
                return;
            }
            if (!threw && operations.calls <= fails + 1 + step) {
                break; // the save ended before
            }
        }
    }
    QVERIFY(thrown >= calls);
}

GUFO_TEST(TestSaveKill)
#include "tst_save_kill.moc"
