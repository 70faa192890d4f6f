// Saves on a simulated disk that loses any combination of unsynced changes. After a power cut at any point, opening
// gives entirely the old or the new file, and other readers never mistake a half-written file for a model. The test
// also checks itself: without any one of the syncs, or without the journal, it finds a violation.
#include "base/byte_order.h"
#include "formats/safetensors/reader.h"
#include "formats/save/recover.h"
#include "formats/sets/shard_index.h"
#include "support/save_scenarios.h"
#include "support/simulated_disk.h"
#include "support/test_unit.h"

#include <QTest>

#include <malloc.h>

using namespace gufo;
using namespace gufo::test;

namespace {

const std::filesystem::path kFolder = "/disk";

std::vector<Scenario> diskScenarios() {
    auto all = allScenarios();
    Scenario clone = all[3];
    clone.name = "clone";
    clone.options.strategy = SaveStrategy::Clone;
    clone.expected = SaveStrategy::Clone;
    all.push_back(clone);
    return all;
}

Result<SaveReport> saveOn(SimulatedDisk& disk, const Scenario& scenario) {
    const Folder files = disk.content();
    const auto source = [&](const std::filesystem::path& path, Links) -> Result<std::shared_ptr<const ByteSource>> {
        const FileBytes& text = files.at(path.filename().native());
        const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
        return std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + text.size()), path);
    };
    const auto file = *source(kFolder / scenario.first, Links::Follow);
    auto base = scenario.first.ends_with(".gguf") ? gguf::open(file, {}, source) : safetensors::read(file);
    if (const auto shard = parseShardName(scenario.first, safetensors::kSuffix); base && shard) {
        base = shard_index::openSet(*std::move(base), *shard, safetensors::kSuffix, {}, source);
    }
    if (!base) {
        return std::unexpected(base.error());
    }
    SaveOptions options = scenario.options;
    options.operations = &disk;
    return saveEdited(**base, scenario.edit(**base), options);
}

// Returns the models among the files of a disk.
using Views = std::map<std::string, std::string_view>;
Views modelsOf(const SimulatedDisk& disk) {
    Views models = disk.views();
    std::erase_if(models, [](const auto& file) { return !isModelName(file.first); });
    return models;
}
// Whether a reader would take the bytes for a model: by the magic number of GGUF, or by the length of a safetensors
// header, which is at least the length of "{}".
bool isReadable(std::string_view bytes) {
    if (bytes.starts_with("GGUF") || bytes.size() <= safetensors::kLengthBytes) {
        return bytes.starts_with("GGUF");
    }
    const auto length = load<std::uint64_t>(reinterpret_cast<const std::byte*>(bytes.data()));
    return length >= 2 && length <= safetensors::kMaxHeader && bytes[safetensors::kLengthBytes] == '{';
}
bool hasJournal(const SimulatedDisk& disk) {
    return std::ranges::any_of(disk.views(), [](const auto& file) { return file.first.ends_with("-journal"); });
}

// Whether a save of the scenario needs a journal. A single new file needs none.
bool hasJournals(const Scenario& scenario) {
    const bool isNewFile = scenario.expected == SaveStrategy::Copy || scenario.expected == SaveStrategy::Clone;
    return !isNewFile || scenario.files.size() > 1;
}
// Whether no 8 bytes in the header of a safetensors file are a length that a reader would accept.
bool hasNoLengths(const FileBytes& file) {
    static_assert(safetensors::kMaxHeader < std::uint64_t{1} << 32U); // so that its upper four bytes are zeros
    const auto length = load<std::uint64_t>(reinterpret_cast<const std::byte*>(file.data()));
    return file.find('\0', safetensors::kLengthBytes) >= safetensors::kLengthBytes + length;
}

class PowerCuts {
public:
    PowerCuts(const Scenario& scenario, Folder saved)
        : m_scenario(scenario)
        , m_saved(std::move(saved)) {}

    // Cuts the power at every point of a save and of the recovery after it.
    void run(std::optional<int> skippedSync = {}, bool losesJournals = false);
    // The same for recoveries only; `skippedSync` counts syncs of the recovery.
    void runRecoveries(std::optional<int> skippedSync);
    SimulatedDisk::Syncs countedSyncs = SimulatedDisk::Syncs::All; // for recoveries

    int points = 0;
    int violations = 0;
    std::string first; // the first violation
    int copies = 0;    // recovered as copies with other inodes
    int syncs = 0;     // of the whole save, or the maximum of a recovery

private:
    using Keeps = std::function<bool(SimulatedDisk::Change)>;
    // Calls `visit` for every disk that a power cut may leave.
    void forEachCrash(const SimulatedDisk& disk, bool few, const std::function<void(const SimulatedDisk&)>& visit);
    // `done`: the save or recovery had finished and removed the journal.
    void check(const SimulatedDisk& crashed, bool saved, bool done, bool nested);
    void recoverCutting(const SimulatedDisk& crashed, std::optional<int> skippedSync);
    // The crashed files were copied together with their journal.
    void checkCopy(const SimulatedDisk& crashed);
    [[nodiscard]] bool isOldOrNew(const SimulatedDisk& disk, bool orOld = true) const {
        const Views content = modelsOf(disk);
        const auto is = [&](const Folder& files) { return content == Views(files.begin(), files.end()); };
        return is(m_saved) || (orOld && is(m_scenario.files));
    }
    void violated(const std::string& what) {
        if (violations++ == 0) {
            first = what;
        }
    }

    const Scenario& m_scenario;
    Folder m_saved;
    std::mt19937 m_random{20240901};
};

void PowerCuts::forEachCrash(const SimulatedDisk& disk, bool few,
                             const std::function<void(const SimulatedDisk&)>& visit) {
    const std::size_t pending = disk.pendingChanges();
    visit(disk.afterCrash([](auto) { return false; }, false));
    if (pending == 0) {
        return;
    }
    visit(disk.afterCrash([](auto) { return true; }, false));
    for (std::size_t i = 0; i < pending && !few; ++i) {
        visit(disk.afterCrash([i](auto change) { return change.number != i; }, false));
        visit(disk.afterCrash([i](auto change) { return change.number == i; }, false));
    }
    for (std::size_t i = 0; i < pending && !few; ++i) {
        visit(disk.afterCrash([i](auto change) { return change.number != i || change.piece == 0; }, true));
        visit(disk.afterCrash([i](auto change) { return change.number != i && change.piece == 0; }, true));
    }
    for (std::size_t i = 0; i < pending; ++i) {
        for (std::uint64_t piece = 0; disk.isShift(i) && piece < SimulatedDisk::kShiftPieces; ++piece) {
            const auto upTo = [i, piece](auto change) { return change.number != i || change.piece <= piece; };
            visit(disk.afterCrash(upTo, true));
            if (!few) {
                visit(disk.afterCrash([&](auto change) { return change.number <= i && upTo(change); }, true));
            }
        }
    }
    for (int i = 0; i < (few ? 1 : 4); ++i) {
        visit(disk.afterCrash([this](auto) { return (m_random() & 1U) != 0; }, true));
    }
}

void PowerCuts::check(const SimulatedDisk& crashed, bool saved, bool done, bool nested) {
    ++points;
    for (const auto& [name, bytes] : modelsOf(crashed)) {
        const bool whole = bytes == m_scenario.files.at(name) || bytes == m_saved.at(name);
        if (!whole && isReadable(bytes)) {
            violated("another reader would open a half-written " + name);
        }
    }
    if (done && hasJournal(crashed)) {
        violated("the journal is back after the end");
    }
    if (nested) {
        recoverCutting(crashed, {});
        checkCopy(crashed);
    }
    SimulatedDisk disk = crashed;
    const auto recovered = saving::recover(kFolder / m_scenario.first, &disk);
    if (!recovered) {
        violated("recovery failed: " + describe(recovered.error()));
        return;
    }
    if (!isOldOrNew(disk, !saved)) {
        violated(saved ? "a save that succeeded was lost" : "neither old nor new");
    } else if (hasJournal(disk)) {
        violated("the journal stays");
    }
}

void PowerCuts::checkCopy(const SimulatedDisk& crashed) {
    SimulatedDisk copy = crashed.copied();
    const auto recovered = saving::recover(kFolder / m_scenario.first, &copy, MovedFile::Accept);
    if (recovered) {
        copies += hasJournal(crashed) ? 1 : 0;
        if (!isOldOrNew(copy)) {
            violated("a copy is neither old nor new");
        }
    } else if (recovered.error().code != ErrorCode::JournalOfAnotherFile || copy.content() != crashed.content()) {
        violated("a copy that is refused was changed");
    } else if (std::ranges::any_of(modelsOf(crashed), [](const auto& file) { return !isReadable(file.second); })) {
        violated("a copy in the middle of a save is refused");
    }
}

void PowerCuts::recoverCutting(const SimulatedDisk& crashed, std::optional<int> skippedSync) {
    for (int stop = 0;; ++stop) {
        SimulatedDisk disk = crashed;
        disk.skippedSync = skippedSync;
        disk.countedSyncs = countedSyncs;
        int changes = 0;
        disk.beforeChange = [&] { return changes++ < stop; };
        const bool recovered = saving::recover(kFolder / m_scenario.first, &disk) && changes <= stop;
        syncs = std::max(syncs, disk.syncs);
        forEachCrash(disk, !skippedSync, [&](const SimulatedDisk& again) { check(again, false, recovered, false); });
        if (recovered || stop > 100) {
            return;
        }
    }
}

void PowerCuts::run(std::optional<int> skippedSync, bool losesJournals) {
    for (int stop = 0;; ++stop) {
        SimulatedDisk disk(m_scenario.files);
        disk.sharesBlocks = true;
        disk.skippedSync = skippedSync;
        disk.losesJournals = losesJournals;
        int changes = 0;
        disk.beforeChange = [&] { return changes++ < stop; };
        const bool saved = saveOn(disk, m_scenario).has_value() && changes <= stop;
        syncs = std::max(syncs, disk.syncs);
        forEachCrash(disk, false, [&](const SimulatedDisk& crashed) {
            check(crashed, saved, saved, !skippedSync && !losesJournals);
        });
        if (saved || stop > 200) {
            return;
        }
    }
}

void PowerCuts::runRecoveries(std::optional<int> skippedSync) {
    for (int stop = 0;; ++stop) {
        SimulatedDisk disk(m_scenario.files);
        disk.sharesBlocks = true;
        int changes = 0;
        disk.beforeChange = [&] { return changes++ < stop; };
        const bool saved = saveOn(disk, m_scenario).has_value() && changes <= stop;
        disk.beforeChange = [] { return true; };
        recoverCutting(disk.afterCrash([](auto) { return true; }, false), skippedSync.value_or(-1));
        if (saved || stop > 200) {
            return;
        }
    }
}

Folder savedOn(const Scenario& scenario, SaveStrategy* strategy = nullptr) {
    SimulatedDisk disk(scenario.files);
    disk.sharesBlocks = true;
    const auto report = saveOn(disk, scenario);
    if (report && strategy != nullptr) {
        *strategy = report->files[0].plan.strategy;
    }
    const Views models = modelsOf(disk);
    return report ? Folder(models.begin(), models.end()) : Folder();
}

} // namespace

class TestSaveDisk : public QObject {
    Q_OBJECT

private slots:
    // Disks are copied thousands of times, so freed memory should not be returned to the kernel each time.
    void initTestCase() {
        mallopt(M_MMAP_THRESHOLD, 1 << 30);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
    }
    void scenarios() {
        QTest::addColumn<Scenario>("scenario");
        for (const Scenario& scenario : diskScenarios()) {
            QTest::newRow(scenario.name) << scenario;
        }
    }
    void powerCuts_data() { scenarios(); }
    void powerCuts();
    void everySyncIsNeeded_data() { scenarios(); }
    void everySyncIsNeeded();
    void cleanupTestCase() { qInfo("%d points of power cuts", m_points); }

private:
    int m_points = 0;
};

void TestSaveDisk::powerCuts() {
    QFETCH(const Scenario, scenario);
    SaveStrategy strategy{};
    const Folder saved = savedOn(scenario, &strategy);
    QVERIFY(!saved.empty());
    QCOMPARE(strategy, scenario.expected);
    PowerCuts cuts(scenario, saved);
    cuts.run();
    m_points += cuts.points;
    QVERIFY2(cuts.violations == 0, cuts.first.c_str());
    QVERIFY(cuts.copies > 0 || !hasJournals(scenario));
    qInfo("%s: %d points, no violation, %d copies recovered", scenario.name, cuts.points, cuts.copies);
}

void TestSaveDisk::everySyncIsNeeded() {
    QFETCH(const Scenario, scenario);
    const Folder saved = savedOn(scenario);
    PowerCuts whole(scenario, saved);
    whole.run(-1);
    QCOMPARE(whole.violations, 0);
    for (int sync = 0; sync < whole.syncs; ++sync) {
        PowerCuts cuts(scenario, saved);
        cuts.run(sync);
        qInfo("%s without sync %d: %d violations of %d (%s)", scenario.name, sync, cuts.violations, cuts.points,
              cuts.first.c_str());
        QVERIFY(cuts.violations > 0);
    }
    PowerCuts unlogged(scenario, saved);
    unlogged.run({}, true);
    qInfo("%s without journal: %d violations of %d (%s)", scenario.name, unlogged.violations, unlogged.points,
          unlogged.first.c_str());
    QVERIFY(unlogged.violations > 0 || !hasJournals(scenario));
    for (const auto& [kind, name] :
         {std::pair(SimulatedDisk::Syncs::OfFiles, "file"), std::pair(SimulatedDisk::Syncs::OfFolder, "folder")}) {
        PowerCuts recoveries(scenario, saved);
        recoveries.countedSyncs = kind;
        recoveries.runRecoveries({});
        QCOMPARE(recoveries.violations, 0);
        for (int sync = 0; sync < recoveries.syncs; ++sync) {
            PowerCuts cuts(scenario, saved);
            cuts.countedSyncs = kind;
            cuts.runRecoveries(sync);
            qInfo("%s, recovery without %s sync %d: %d violations of %d (%s)", scenario.name, name, sync,
                  cuts.violations, cuts.points, cuts.first.c_str());
            // Before blocks at the front are removed, the start of the next block is marked, because the new header
            // may have anything there, such as the magic number (scenario "grows at the front"). A safetensors
            // header cannot look like a start there: JSON has no zero bytes, which a length within the limit needs.
            const bool atFront = std::string_view(scenario.name) == "safetensors, grows at the front";
            QVERIFY(cuts.violations > 0 || (atFront && kind == SimulatedDisk::Syncs::OfFiles && sync == 0));
            QVERIFY(!atFront || hasNoLengths(saved.begin()->second));
        }
    }
}

GUFO_TEST(TestSaveDisk)
#include "tst_save_disk.moc"
