// Files that were copied in the middle of a save, together with their journal: recovery refuses them unless it is asked
// for, and then accepts only true copies.
#include "base/byte_order.h"
#include "base/detail.h"
#include "base/quick_hash.h"
#include "document/open_model.h"
#include "formats/save/journal.h"
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

// Changes the bytes of the first file of a scenario.
using Damage = void (*)(const Scenario& saved, FileBytes& bytes);

} // namespace

class TestMovedJournal : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-moved-XXXXXX");
        m_first = fs::canonical(m_folder->path().toStdString()) / "first";
        m_copy = m_first.parent_path() / "copy";
    }
    void copiesAreRecovered_data();
    void copiesAreRecovered();
    void othersAreRefused_data();
    void othersAreRefused();
    void journalsOfVersion2();

private:
    static Folder content(const fs::path& folder);
    // Saves in a child process that is killed after operation `at`. Returns whether the save had already ended.
    bool killedAfter(const Scenario& scenario, int at) const;
    void copy() const;
    // Interrupts the scenario where its first file has the magic number of a save, and copies the folder.
    void interrupt(const Scenario& scenario) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_first;
    fs::path m_copy;
};

Folder TestMovedJournal::content(const fs::path& folder) {
    Folder files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        files[entry.path().filename().native()] = readFile(entry.path());
    }
    return files;
}

bool TestMovedJournal::killedAfter(const Scenario& scenario, int at) const {
    constexpr int kKilled = 77;
    fs::remove_all(m_first);
    fs::create_directory(m_first);
    for (const auto& [name, bytes] : scenario.files) {
        writeFile(m_first / name, bytes);
    }
    const pid_t child = fork();
    if (child == 0) {
        HookedOperations operations;
        operations.after = [&](const HookedOperations::Call& call) {
            if (call.number == at) {
                _exit(kKilled);
            }
        };
        const auto base = openModel(m_first / scenario.first);
        SaveOptions options = scenario.options;
        options.operations = &operations;
        static_cast<void>(base && gguf::save(**base, scenario.edit(**base), {}, options));
        _exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status) != kKilled;
}

void TestMovedJournal::copy() const {
    fs::remove_all(m_copy);
    fs::copy(m_first, m_copy);
}

void TestMovedJournal::interrupt(const Scenario& scenario) const {
    for (int at = 0; !killedAfter(scenario, at); ++at) {
        if (readFile(m_first / scenario.first).starts_with("gufo")) {
            copy();
            return;
        }
    }
    QFAIL("no point in the middle of the save");
}

void TestMovedJournal::copiesAreRecovered_data() {
    QTest::addColumn<Scenario>("scenario");
    for (const Scenario& scenario : saveScenarios()) {
        QTest::newRow(scenario.name) << scenario;
    }
}

void TestMovedJournal::copiesAreRecovered() {
    QFETCH(const Scenario, scenario);
    int recovered = 0;
    Folder saved;
    std::vector<Folder> results;
    for (int at = 0; !killedAfter(scenario, at); ++at) {
        copy();
        const Folder before = content(m_copy);
        const auto refused = saving::recover(m_copy / scenario.first);
        if (refused) {
            results.push_back(content(m_copy)); // there was no journal, or none that had taken effect
            continue;
        }
        QCOMPARE(refused.error().code, ErrorCode::JournalOfAnotherFile);
        QVERIFY(content(m_copy) == before);
        const auto moved = saving::recover(m_copy / scenario.first, nullptr, MovedFile::Accept);
        if (refused.error().args.size() == 2) {
            QCOMPARE(refused.error().args[1].detail(), std::optional(Detail::MovedCopy));
            QVERIFY2(moved, describe(moved).c_str());
            ++recovered;
            results.push_back(content(m_copy));
        } else { // no file is in the middle of the save
            QVERIFY(!moved && content(m_copy) == before);
            for (const auto& [name, bytes] : scenario.files) {
                QVERIFY(before.at(name).starts_with("GGUF"));
            }
        }
    }
    saved = content(m_first);
    for (Folder& result : results) {
        std::erase_if(result, [](const auto& entry) { return entry.first.ends_with(".part"); });
        QVERIFY(result == scenario.files || result == saved);
    }
    const bool hasJournal = scenario.expected != SaveStrategy::Copy || scenario.files.size() > 1;
    QCOMPARE(recovered > 0, hasJournal);
}

void TestMovedJournal::othersAreRefused_data() {
    QTest::addColumn<Scenario>("scenario");
    QTest::addColumn<Damage>("damage");
    int index = 0;
    for (const Scenario& scenario : saveScenarios()) {
        const auto row = [&](const char* name, Damage damage) {
            QTest::addRow("%d: %s", index, name) << scenario << damage;
        };
        if (index != 2) { // there, these bytes belong to the old header, which the journal restores
            row("other data", [](const Scenario& saved, FileBytes& bytes) {
                // Where the tensor data starts, in the old file or in the new one.
                const FileBytes& old = saved.files.at(saved.first);
                const std::size_t size = bytes.size();
                bytes.replace(size - old.size() / 4, 5000, FileBytes(5000, 'x'));
                bytes.resize(size);
            });
        }
        row("other data at the end",
            [](const Scenario&, FileBytes& bytes) { bytes.back() = static_cast<char>(bytes.back() + 1); });
        row("longer", [](const Scenario&, FileBytes& bytes) { bytes += '\0'; });
        row("complete", [](const Scenario&, FileBytes& bytes) {
            bytes.replace(0, 4, "GGUF");
            bytes[200] = static_cast<char>(bytes[200] + 1);
        });
        row("another magic number", [](const Scenario&, FileBytes& bytes) { bytes.replace(0, 4, "PK\3\4"); });
        row("empty", [](const Scenario&, FileBytes& bytes) { bytes.clear(); });
        if (++index == 3) {
            break;
        }
    }
}

void TestMovedJournal::othersAreRefused() {
    QFETCH(const Scenario, scenario);
    QFETCH(const Damage, damage);
    interrupt(scenario);
    const fs::path file = m_copy / scenario.first;
    FileBytes bytes = readFile(file);
    damage(scenario, bytes);
    writeFile(file, bytes);
    const Folder before = content(m_copy);
    for (const bool moved : {false, true}) {
        const auto refused = saving::recover(file, nullptr, moved ? MovedFile::Accept : MovedFile::Refuse);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::JournalOfAnotherFile);
        QCOMPARE(refused.error().args.size(), std::size_t{1});
        QVERIFY(content(m_copy) == before);
    }
}

// They recover the file itself as before, and no copy.
void TestMovedJournal::journalsOfVersion2() {
    const Scenario scenario = saveScenarios()[0];
    for (const bool copied : {false, true}) {
        interrupt(scenario);
        const fs::path file = (copied ? m_copy : m_first) / scenario.first;
        const fs::path journal = saving::journalPath(file);
        FileBytes bytes = readFile(journal);
        const auto parsed = saving::parseJournal(std::as_bytes(std::span(bytes))).value();
        const std::size_t samples = std::get<saving::UndoJournal>(parsed).files.at(0).samples.size();
        QVERIFY(samples > 1 && samples <= saving::kMaxSamples);
        bytes.resize(bytes.size() - 8 - 8 - samples * 24); // the hash, and the samples of the last entry
        bytes[8] = 2;
        const auto put = [&](std::size_t at, std::uint64_t number) {
            store(reinterpret_cast<std::byte*>(bytes.data()) + at, number);
        };
        put(16, bytes.size() - saving::kJournalHeadBytes);
        const std::uint64_t hash = quickHash(std::as_bytes(std::span(bytes)));
        bytes.resize(bytes.size() + 8);
        put(bytes.size() - 8, hash);
        writeFile(journal, bytes);
        const auto recovered = saving::recover(file, nullptr, MovedFile::Accept);
        QCOMPARE(recovered.has_value(), !copied);
        QCOMPARE(readFile(file) == scenario.files.at(scenario.first), !copied);
        QCOMPARE(fs::exists(journal), copied);
    }
}

GUFO_TEST(TestMovedJournal)
#include "tst_moved_journal.moc"
