// What a save is predicted to do: nothing is promised that the file system or another process prevents, and a save that
// costs more than predicted says so before it writes.
#include "document/open_model.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/save.h"
#include "support/gguf_builder.h"
#include "support/hooked_operations.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

GgufBuilder smallModel(std::size_t tensorBytes = 40'000) {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "before");
    file.tensor("token_embd.weight", kF32, {tensorBytes / 4}, std::vector<std::byte>(tensorBytes, std::byte{3}));
    return file;
}

// Another process that has a file open or mapped until it is destroyed.
class Holder {
public:
    enum class By : std::uint8_t { Descriptor, Mapping };
    Holder(const fs::path& file, By by) {
        int ready[2];
        if (pipe(ready) != 0 || pipe(m_finish) != 0) {
            return;
        }
        m_child = fork();
        if (m_child == 0) {
            ::close(m_finish[1]); // so that the child ends together with the parent
            const int handle = ::open(file.c_str(), O_RDONLY);
            if (by == By::Mapping) {
                (void)mmap(nullptr, 4096, PROT_READ, MAP_SHARED, handle, 0);
                ::close(handle);
            }
            char byte = 0;
            (void)!::write(ready[1], &byte, 1);
            (void)!::read(m_finish[0], &byte, 1);
            _exit(0);
        }
        char byte = 0;
        m_ready = ::read(ready[0], &byte, 1) == 1;
        ::close(ready[0]);
        ::close(ready[1]);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    ~Holder() {
        ::close(m_finish[1]);
        ::close(m_finish[0]);
        int status = 0;
        waitpid(m_child, &status, 0);
    }
    [[nodiscard]] bool isReady() const { return m_ready; }

private:
    pid_t m_child = -1;
    int m_finish[2] = {-1, -1};
    bool m_ready = false;
};

#define VERIFY_DONE(result) QVERIFY2(result, describe(result).c_str())

} // namespace

class TestSaveForecast : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-forecast-XXXXXX");
        QVERIFY(m_folder->isValid());
    }
    void saysThatAnotherProcessHasTheFile_data();
    void saysThatAnotherProcessHasTheFile();
    void ownMappingsDoNotCount();
    void promisesNoCloneThatFails();
    void saysDuringTheSaveWhatCostsMore();
    void undoingCostsNoCopy_data();
    void undoingCostsNoCopy();
    void copiesWhenShiftingFailsLate_data();
    void copiesWhenShiftingFailsLate();
    void predictsTheTimeOfLongCopies();

private:
    fs::path write(const GgufBuilder& file) {
        const fs::path path = fs::path(m_folder->path().toStdString()) / "model.gguf";
        file.write(path);
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestSaveForecast::saysThatAnotherProcessHasTheFile_data() {
    QTest::addColumn<bool>("mapped");
    QTest::addColumn<bool>("grows");
    QTest::newRow("open, a patch") << false << false;
    QTest::newRow("open, a shift") << false << true;
    QTest::newRow("mapped, a patch") << true << false;
    QTest::newRow("mapped, a shift") << true << true;
}

void TestSaveForecast::saysThatAnotherProcessHasTheFile() {
    QFETCH(bool, mapped);
    QFETCH(bool, grows);
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const std::string name = grows ? std::string(300, 'n') : "afteR!";
    const Model edited = ModelEdit(*base).set("general.name", std::string_view(name)).model();
    {
        const Holder holder(file, mapped ? Holder::By::Mapping : Holder::By::Descriptor);
        QVERIFY(holder.isReady());
        const auto plan = gguf::planSave(*base, edited, {}, kReserving);
        VERIFY_DONE(plan);
        QCOMPARE(plan->files[0].strategy, SaveStrategy::Copy);
        QCOMPARE(plan->files[0].reason, SaveReason::OpenElsewhere);
        QCOMPARE(plan->bytesToWrite(), plan->files[0].bytesAfter);
        const auto forced = gguf::planSave(*base, edited, {}, {.strategy = SaveStrategy::Patch});
        QVERIFY(forced && forced->refusal);
        QCOMPARE(forced->refusal->code, ErrorCode::StrategyImpossible);
    }
    const auto plan = gguf::planSave(*base, edited, {}, kReserving); // it has closed the file
    VERIFY_DONE(plan);
    QCOMPARE(plan->files[0].strategy, grows ? SaveStrategy::Shift : SaveStrategy::Patch);
}

// The models that this process has open are unmapped for a moment by the save, so they cost no copy.
void TestSaveForecast::ownMappingsDoNotCount() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const auto second = openModel(file).value();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    const auto plan = gguf::planSave(*base, edited, {}, kReserving);
    VERIFY_DONE(plan);
    QCOMPARE(plan->files[0].strategy, SaveStrategy::Patch);
    const Bytes bytes = second->bytesOf(second->tensors[0]).value();
    QCOMPARE(bytes[39'999], std::byte{3});
    QVERIFY(!second->files[0].source->damage()); // no reader is disturbed by a forecast
}

// The file grows by whole blocks, but ext4 shares no blocks between files.
void TestSaveForecast::promisesNoCloneThatFails() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const Model edited = ModelEdit(*base).set("general.name", std::string_view(std::string(300, 'n'))).model();
    const auto hold = base->files[0].source->hold();
    if (realFileOperations().abilities(file).sharesBlocks) {
        QSKIP("the temporary folder's file system shares blocks");
    }
    const auto plan = gguf::planSave(*base, edited, {}, kReserving);
    VERIFY_DONE(plan);
    QCOMPARE(plan->files[0].strategy, SaveStrategy::Copy);
    QCOMPARE(plan->files[0].reason, SaveReason::OpenInThisProcess);
    const auto forced = gguf::planSave(*base, edited, {}, {.strategy = SaveStrategy::Clone, .reserveFrom = 0});
    QVERIFY(forced && forced->refusal);
    QCOMPARE(forced->refusal->code, ErrorCode::StrategyImpossible);
    QCOMPARE(forced->refusal->args.at(1).text(), std::string(reasonName(SaveReason::CannotClone)));
}

void TestSaveForecast::saysDuringTheSaveWhatCostsMore() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const auto before = readFile(file);
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    QCOMPARE(gguf::planSave(*base, edited, {}, kReserving).value().files[0].strategy, SaveStrategy::Patch);
    const Holder holder(file, Holder::By::Mapping); // after the forecast
    QVERIFY(holder.isReady());
    std::vector<FilePlan> told;
    bool untouched = true;
    SaveOptions options = kReserving;
    options.costsMore = [&](const FilePlan& plan) {
        told.push_back(plan);
        untouched = untouched && readFile(file) == before;
    };
    const auto report = gguf::save(*base, edited, {}, options);
    VERIFY_DONE(report);
    QCOMPARE(told.size(), 1U);
    QCOMPARE(told[0].strategy, SaveStrategy::Copy);
    QCOMPARE(told[0].reason, SaveReason::OpenElsewhere);
    QCOMPARE(told[0].bytesToWrite, report->files[0].plan.bytesToWrite);
    QVERIFY(untouched);
}

void TestSaveForecast::undoingCostsNoCopy_data() {
    QTest::addColumn<int>("error");
    QTest::newRow("not supported") << EOPNOTSUPP;
    QTest::newRow("refused") << EINVAL;
}

// On a file system that cannot insert blocks, the first growth copies the file and reserves space. Undoing it must not
// copy the file once more to get rid of that space.
void TestSaveForecast::undoingCostsNoCopy() {
    QFETCH(int, error);
    const fs::path file = write(smallModel());
    const auto original = openModel(file).value();
    HookedOperations operations;
    operations.before = [error](const HookedOperations::Call& call) {
        return std::strcmp(call.name, "insertRange") == 0 || std::strcmp(call.name, "collapseRange") == 0 ? error : 0;
    };
    SaveOptions options = kReserving;
    options.operations = &operations;
    const auto grown =
        gguf::save(*original, ModelEdit(*original).set("general.name", std::string_view(std::string(300, 'n'))).model(),
                   {}, options);
    VERIFY_DONE(grown);
    QCOMPARE(grown->files[0].plan.strategy, SaveStrategy::Copy);
    QCOMPARE(grown->files[0].plan.reason, SaveReason::CannotShift);
    QVERIFY(grown->files[0].plan.reserved != 0);
    const auto base = openModel(file).value();
    const auto undone = gguf::save(*base, ModelEdit(*base).set("general.name", "before").model(), {}, options);
    VERIFY_DONE(undone);
    QCOMPARE(undone->files[0].plan.strategy, SaveStrategy::Patch);
    QCOMPARE(undone->files[0].plan.reason, SaveReason::FitsReserved);
    const auto again = openModel(file).value();
    QCOMPARE(again->metadata.string("general.name"), std::string_view("before"));
    QVERIFY(again->metadata.find(gguf::kReservedKey) != nullptr);
}

// The probe inserted blocks into a file of its own, but the model's file does not take them.
void TestSaveForecast::copiesWhenShiftingFailsLate_data() {
    QTest::addColumn<int>("error");
    QTest::addColumn<bool>("copies");
    QTest::newRow("not supported") << EOPNOTSUPP << true;
    QTest::newRow("refused") << EINVAL << true;
    QTest::newRow("disk fails") << EIO << false;
}

void TestSaveForecast::copiesWhenShiftingFailsLate() {
    QFETCH(int, error);
    QFETCH(bool, copies);
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const auto edited = ModelEdit(*base).set("general.name", std::string_view(std::string(300, 'n'))).model();
    HookedOperations operations;
    bool atWork = false;
    operations.after = [&](const HookedOperations::Call& call) {
        atWork = atWork || std::strcmp(call.name, "create") == 0; // of the journal
    };
    operations.before = [&](const HookedOperations::Call& call) {
        return atWork && std::strcmp(call.name, "insertRange") == 0 ? error : 0;
    };
    SaveOptions options = kReserving;
    options.operations = &operations;
    const auto modified = fs::last_write_time(file);
    const auto saved = gguf::save(*base, edited, {}, options);
    if (copies) {
        VERIFY_DONE(saved);
        QCOMPARE(saved->files[0].plan.strategy, SaveStrategy::Copy);
        QCOMPARE(saved->files[0].plan.reason, SaveReason::CannotShift);
    } else {
        // The save has failed and was undone; trying again is possible.
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::WriteFailed);
        QCOMPARE(fs::last_write_time(file), modified);
        operations.before = [](const HookedOperations::Call&) { return 0; };
        VERIFY_DONE(gguf::save(*base, edited, {}, options));
    }
    QCOMPARE(openModel(file).value()->metadata.string("general.name")->size(), std::size_t{300});
}

void TestSaveForecast::predictsTheTimeOfLongCopies() {
    const fs::path file = write(smallModel(std::size_t{65} << 20U));
    const auto base = openModel(file).value();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    const auto entries = [&] {
        return std::distance(fs::directory_iterator(m_folder->path().toStdString()), fs::directory_iterator());
    };
    const auto patch = gguf::planSave(*base, edited, {}, kReserving);
    VERIFY_DONE(patch);
    QVERIFY(!patch->seconds());
    const auto plan = gguf::planSave(*base, edited, {}, {.strategy = SaveStrategy::Copy});
    VERIFY_DONE(plan);
    QVERIFY(plan->seconds());
    QVERIFY(*plan->seconds() > 0);
    QCOMPARE(entries(), 1); // the measurement left nothing behind
    const auto report = gguf::save(*base, edited, {}, {.strategy = SaveStrategy::Copy});
    VERIFY_DONE(report);
    const auto again = openModel(file).value();
    const auto next = gguf::planSave(*again, ModelEdit(*again).set("general.name", "agaiN!").model(), {},
                                     {.strategy = SaveStrategy::Copy});
    VERIFY_DONE(next);
    QVERIFY(next->seconds());
    // The real copy replaced the measurement. The save also opens, plans and renames.
    QVERIFY2(*next->seconds() * 1000 <= report->milliseconds * 1.01,
             qPrintable(QStringLiteral("%1 s, %2 ms").arg(*next->seconds()).arg(report->milliseconds)));
}

GUFO_TEST(TestSaveForecast)
#include "tst_save_forecast.moc"
