// Saving: which strategy is chosen and why, and what the files contain afterwards.
#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "save_test.h"
#include "support/test_unit.h"

#include <fcntl.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

class TestSave : public SaveTest {
    Q_OBJECT

private slots:
    void init() { makeFolder(); }
    void nothingToDo();
    void patchesWhatStaysAsLong();
    void shiftsWhatGrew();
    void laterEditsArePatches();
    void undoGivesTheSameBytes();
    void shrinkingLeavesReservedSpace();
    void smallFilesGetNoReservedSpace_data();
    void smallFilesGetNoReservedSpace();
    void reservedSpaceCanBeSwitchedOff();
    void reservedSpaceCanBeRemoved();
    void forcedStrategies_data();
    void forcedStrategies();
    void tensorsAreMovedDeletedAndRenamed();
    void importsTensors();
    void trailingBytes();
    void trailingBytesOfDeletedTensors();
    void packsWhatWasNotPacked();
    void truncatedFilesKeepTheirData();
    void savesAs();
    void verifies();
    void cancels();
};

void TestSave::nothingToDo() {
    const fs::path file = write(smallSavedModel());
    const auto base = openModel(file).value();
    const auto before = readFile(file);
    const auto report = gguf::save(*base, *base, {});
    VERIFY_DONE(report);
    QVERIFY(report->files.empty());
    QCOMPARE(readFile(file), before);
}

void TestSave::patchesWhatStaysAsLong() {
    const fs::path file = write(smallSavedModel());
    const auto base = openModel(file).value();
    const auto size = fs::file_size(file);
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    const auto plan = gguf::planSave(*base, edited, {});
    VERIFY_DONE(plan);
    QCOMPARE(plan->files.size(), 1U);
    QCOMPARE(plan->files[0].strategy, SaveStrategy::Patch);
    QCOMPARE(plan->files[0].reason, SaveReason::SameSize);
    const auto report = gguf::save(*base, edited, {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Patch);
    QCOMPARE(fs::file_size(file), size);
    const auto again = openModel(file).value();
    QCOMPARE(again->metadata.string("general.name"), "afteR!");
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    QVERIFY(again->findings.empty());
    onlyFiles({"model.gguf"});
}

void TestSave::shiftsWhatGrew() {
    const fs::path file = write(smallSavedModel());
    const auto base = openModel(file).value();
    const std::string text(5000, 't');
    const Model edited = ModelEdit(*base).set("tokenizer.chat_template", std::string_view(text)).model();
    const auto plan = gguf::planSave(*base, edited, {}, kReserving);
    VERIFY_DONE(plan);
    const auto report = gguf::save(*base, edited, {}, {.verify = true, .reserveFrom = 0});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Shift);
    QCOMPARE(report->files[0].plan.reason, SaveReason::Grew);
    QVERIFY(report->hashBefore);
    QCOMPARE(report->hashBefore, report->hashAfter);
    QVERIFY(report->files[0].plan.reserved >= gguf::kReservedBytes);
    const auto again = openModel(file).value();
    QCOMPARE(again->metadata.string("tokenizer.chat_template"), std::string_view(text));
    // The forecast tells the header from its journal.
    QCOMPARE(plan->files[0].bytesToWrite - plan->files[0].journalBytes, again->files[0].dataOffset);
    QCOMPARE(plan->files[0].journalBytes, base->files[0].dataOffset);
    QCOMPARE(again->metadata.array(gguf::kReservedKey)->length, report->files[0].plan.reserved);
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    QVERIFY(again->findings.empty());
    onlyFiles({"model.gguf"});
}

void TestSave::laterEditsArePatches() {
    const fs::path file = write(smallSavedModel());
    auto base = openModel(file).value();
    const std::string data = tensorBytes(*base);
    for (const std::size_t length : {5000U, 9000U, 100U, 200'000U, 70U}) {
        const std::string text(length, 'x');
        const Model edited = ModelEdit(*base).set("tokenizer.chat_template", std::string_view(text)).model();
        const auto report = gguf::save(*base, edited, {}, kReserving);
        VERIFY_DONE(report);
        QCOMPARE(report->files[0].plan.strategy, length == 5000 ? SaveStrategy::Shift : SaveStrategy::Patch);
        base = openModel(file).value();
        QCOMPARE(base->metadata.string("tokenizer.chat_template"), std::string_view(text));
        QCOMPARE(tensorBytes(*base), data);
        QVERIFY(base->findings.empty());
    }
    // More than was reserved, so blocks are inserted again.
    const std::string text(400'000, 'y');
    const Model edited = ModelEdit(*base).set("tokenizer.chat_template", std::string_view(text)).model();
    QCOMPARE(reportOf(gguf::save(*base, edited, {}, kReserving)).files[0].plan.strategy, SaveStrategy::Shift);
}

void TestSave::undoGivesTheSameBytes() {
    const fs::path file = write(smallSavedModel());
    const auto before = readFile(file);
    auto base = openModel(file).value();
    for (const char* name : {"a", "a name that is much longer than the one before it, so that the header grows"}) {
        const Model edited = ModelEdit(*base).set("general.name", std::string_view(name)).set("x.y", 3.0F).model();
        VERIFY_DONE(gguf::save(*base, edited, {}, kReserving));
        base = openModel(file).value();
    }
    const Model undone = ModelEdit(*base).set("general.name", "before").remove("x.y").model();
    const auto report = gguf::save(*base, undone, {}, kReserving);
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Shift);
    QCOMPARE(report->files[0].plan.reason, SaveReason::Shrank);
    QCOMPARE(readFile(file), before);
}

void TestSave::shrinkingLeavesReservedSpace() {
    GgufBuilder builder = smallSavedModel();
    builder.key("long.text", std::string(300'000, 'l'));
    const fs::path file = write(builder);
    const auto before = readFile(file);
    auto base = openModel(file).value();
    const Model edited = ModelEdit(*base).set("long.text", "short").model();
    auto report = gguf::save(*base, edited, {}, kReserving);
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Patch);
    QCOMPARE(report->files[0].plan.reason, SaveReason::FitsReserved);
    QCOMPARE(fs::file_size(file), before.size());
    base = openModel(file).value();
    QVERIFY(base->findings.empty());
    const std::string text(300'000, 'l');
    const Model undone = ModelEdit(*base).set("long.text", std::string_view(text)).model();
    VERIFY_DONE(gguf::save(*base, undone, {}, kReserving));
    QCOMPARE(readFile(file), before);

    // Megabytes are released.
    GgufBuilder big = smallSavedModel();
    big.key("long.text", std::string(3'000'000, 'l'));
    const fs::path bigFile = write(big, "big.gguf");
    base = openModel(bigFile).value();
    report = gguf::save(*base, ModelEdit(*base).set("long.text", "short").model(), {}, kReserving);
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Shift);
    QVERIFY(fs::file_size(bigFile) < 600'000);
    const auto again = openModel(bigFile).value();
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    QVERIFY(again->findings.empty());
}

void TestSave::smallFilesGetNoReservedSpace_data() {
    QTest::addColumn<quint64>("bytes"); // of the file
    QTest::addColumn<int>("change");    // of the size of the header
    QTest::addColumn<bool>("reserves");
    QTest::newRow("2 KB, grown") << quint64{0} << 5000 << false;
    QTest::newRow("2 KB, shrunk") << quint64{0} << -100 << false;
    QTest::newRow("one byte too small") << quint64{kReserveFrom - 1} << 5000 << false;
    QTest::newRow("just large enough") << quint64{kReserveFrom} << 5000 << true;
}

void TestSave::smallFilesGetNoReservedSpace() {
    QFETCH(quint64, bytes);
    QFETCH(int, change);
    QFETCH(bool, reserves);
    GgufBuilder small = smallSavedModel();
    small.key("filling", std::string(1000, 'f'));
    const fs::path file = write(small);
    if (bytes != 0) {
        fs::resize_file(file, bytes); // bytes after the last tensor are kept
    }
    const auto base = openModel(file).value();
    const std::string text(static_cast<std::size_t>(1000 + change), 't');
    const Model edited = ModelEdit(*base).set("filling", std::string_view(text)).model();
    const auto plan = gguf::planSave(*base, edited, {});
    VERIFY_DONE(plan);
    QCOMPARE(plan->files[0].addsReserved, reserves);
    QCOMPARE(plan->files[0].reserved != 0, reserves);
    const auto report = gguf::save(*base, edited, {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.addsReserved, reserves);
    const auto again = openModel(file).value();
    QCOMPARE(again->metadata.find(gguf::kReservedKey) != nullptr, reserves);
    QCOMPARE(again->metadata.string("filling"), std::string_view(text));
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    const auto grown = static_cast<qint64>(fs::file_size(file)) - static_cast<qint64>(base->files[0].source->size());
    QVERIFY2(reserves ? grown > 200'000 : grown <= 5'032, qPrintable(QString::number(grown)));
    if (reserves) { // later edits only patch the header, and nothing is added again
        const Model later = ModelEdit(*again).set("filling", std::string_view(text + "u")).model();
        const auto next = gguf::planSave(*again, later, {});
        VERIFY_DONE(next);
        QCOMPARE(next->files[0].strategy, SaveStrategy::Patch);
        QVERIFY(!next->files[0].addsReserved);
    }
}

void TestSave::reservedSpaceCanBeSwitchedOff() {
    const fs::path file = write(smallSavedModel());
    auto base = openModel(file).value();
    const std::string text(5000, 't');
    const Model edited = ModelEdit(*base).set("tokenizer.chat_template", std::string_view(text)).model();
    const SaveOptions none{.reserve = Reserve::None};
    const auto report = gguf::save(*base, edited, {}, none);
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Copy);
    QCOMPARE(report->files[0].plan.reason, SaveReason::ReservedOff);
    const auto again = openModel(file).value();
    QVERIFY(again->metadata.find(gguf::kReservedKey) == nullptr);
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    // A shift by whole blocks is still possible.
    const std::uint64_t padded = again->files[0].dataOffset + 4096;
    std::string longer = text;
    Model grown = ModelEdit(*again).set("tokenizer.chat_template", std::string_view(longer)).model();
    longer.append(padded - again->files[0].headerBytes, 'u');
    grown = ModelEdit(*again).set("tokenizer.chat_template", std::string_view(longer)).model();
    const auto shifted = gguf::save(*again, grown, {}, none);
    VERIFY_DONE(shifted);
    QCOMPARE(shifted->files[0].plan.strategy, SaveStrategy::Shift);
    QCOMPARE(tensorBytes(*openModel(file).value()), tensorBytes(*base));
}

void TestSave::reservedSpaceCanBeRemoved() {
    const fs::path file = write(smallSavedModel());
    auto base = openModel(file).value();
    VERIFY_DONE(
        gguf::save(*base, ModelEdit(*base).set("x.y", "a key that makes the header grow").model(), {}, kReserving));
    base = openModel(file).value();
    const std::string data = tensorBytes(*base);
    QVERIFY(base->metadata.find(gguf::kReservedKey) != nullptr);
    const auto removed = gguf::save(*base, ModelEdit(*base).remove(gguf::kReservedKey).model(), {}, kReserving);
    VERIFY_DONE(removed);
    QCOMPARE(removed->files[0].plan.reason, SaveReason::NotWholeBlocks); // reserving space is not switched off
    base = openModel(file).value();
    QVERIFY(base->metadata.find(gguf::kReservedKey) == nullptr);
    QVERIFY(base->metadata.find("x.y") != nullptr);
    QCOMPARE(tensorBytes(*base), data);
}

void TestSave::forcedStrategies_data() {
    QTest::addColumn<SaveStrategy>("strategy");
    QTest::addColumn<bool>("grows");
    QTest::addColumn<bool>("possible");
    QTest::newRow("patch, same size") << SaveStrategy::Patch << false << true;
    QTest::newRow("patch, grows") << SaveStrategy::Patch << true << false;
    QTest::newRow("shift, same size") << SaveStrategy::Shift << false << true;
    QTest::newRow("shift, grows") << SaveStrategy::Shift << true << true;
    QTest::newRow("clone, grows") << SaveStrategy::Clone << true << false; // ext4 has no reflinks
    QTest::newRow("copy, same size") << SaveStrategy::Copy << false << true;
    QTest::newRow("copy, grows") << SaveStrategy::Copy << true << true;
}

void TestSave::forcedStrategies() {
    QFETCH(SaveStrategy, strategy);
    QFETCH(bool, grows);
    QFETCH(bool, possible);
    const fs::path file = write(smallSavedModel());
    const auto before = readFile(file);
    const auto base = openModel(file).value();
    const std::string name = grows ? std::string(300, 'n') : "afteR!";
    const Model edited = ModelEdit(*base).set("general.name", std::string_view(name)).model();
    const auto report = gguf::save(*base, edited, {}, {.strategy = strategy});
    QCOMPARE(report.has_value(), possible);
    onlyFiles({"model.gguf"});
    if (!possible) {
        QCOMPARE(report.error().code, ErrorCode::StrategyImpossible);
        QCOMPARE(readFile(file), before);
        return;
    }
    QCOMPARE(report->files[0].plan.strategy, strategy);
    const auto again = openModel(file).value();
    QCOMPARE(again->metadata.string("general.name"), std::string_view(name));
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    QVERIFY(again->findings.empty());
}

void TestSave::tensorsAreMovedDeletedAndRenamed() {
    const fs::path file = write(smallSavedModel());
    auto base = openModel(file).value();
    const std::string first = tensorBytes(*base).substr(0, 40'000);
    const std::string second = tensorBytes(*base).substr(40'000);
    // A new name changes only the header.
    ModelEdit renamed(*base);
    renamed.tensors()[1].name = "outpuT.weight";
    QCOMPARE(reportOf(gguf::save(*base, renamed.model(), {})).files[0].plan.strategy, SaveStrategy::Patch);
    base = openModel(file).value();
    ModelEdit moved(*base);
    std::swap(moved.tensors()[0], moved.tensors()[1]);
    auto report = gguf::save(*base, moved.model(), {}, {.verify = true});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Copy);
    QCOMPARE(report->files[0].plan.reason, SaveReason::TensorsMove);
    base = openModel(file).value();
    QCOMPARE(base->tensors[0].name, std::string_view("outpuT.weight"));
    QCOMPARE(tensorBytes(*base), second + first);
    QVERIFY(base->findings.empty());
    ModelEdit deleted(*base);
    deleted.tensors() = std::vector<TensorInfo>(deleted.tensors().begin() + 1, deleted.tensors().end());
    VERIFY_DONE(gguf::save(*base, deleted.model(), {}));
    base = openModel(file).value();
    QCOMPARE(tensorBytes(*base), first);
    QVERIFY(base->findings.empty());
}

void TestSave::importsTensors() {
    const fs::path file = write(smallSavedModel());
    GgufBuilder other;
    other.key("general.architecture", "llama").tensor("extra", kF32, {3}, patternBytes(12, 9));
    const fs::path otherFile = write(other, "other.gguf");
    const auto base = openModel(file).value();
    const auto from = openModel(otherFile).value();
    ModelEdit edit(*base);
    edit.raw().files.push_back(from->files[0]);
    edit.raw().importedFiles = 1;
    TensorInfo imported = from->tensors[0];
    imported.file = FileIndex(1);
    std::vector<TensorInfo> tensors(edit.tensors().begin(), edit.tensors().end());
    tensors.insert(tensors.begin() + 1, imported);
    edit.tensors() = tensors;
    const Model edited = edit.model();
    VERIFY_DONE(gguf::save(*base, edited, {}, {.verify = true}));
    const auto again = openModel(file).value();
    QCOMPARE(again->tensors.size(), 3U);
    QCOMPARE(tensorBytes(*again), tensorBytes(edited));
    QVERIFY(again->findings.empty());
    // A file made from another must not replace its source.
    const auto over = gguf::saveAs(edited, {}, otherFile);
    QVERIFY(!over);
    QCOMPARE(over.error().code, ErrorCode::InvalidArgument);
}

void TestSave::trailingBytes() {
    GgufBuilder builder = smallSavedModel();
    builder.trailing = patternBytes(1000, 5);
    const fs::path file = write(builder);
    auto base = openModel(file).value();
    const auto size = fs::file_size(file);
    for (const auto strategy : {SaveStrategy::Patch, SaveStrategy::Shift, SaveStrategy::Copy}) {
        const std::string name = strategy == SaveStrategy::Patch ? "afteR!" : std::string(400, 'n');
        VERIFY_DONE(gguf::save(*base, ModelEdit(*base).set("general.name", std::string_view(name)).model(), {},
                               {.strategy = strategy}));
        base = openModel(file).value();
        const auto bytes = readFile(file);
        QVERIFY(bytes.ends_with(FileBytes(reinterpret_cast<const char*>(builder.trailing.data()), 1000)));
        QCOMPARE(base->findings.size(), 1U);
    }
    const auto report = gguf::save(*base, *base, {.dropTrailingBytes = true});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Patch);
    base = openModel(file).value();
    QVERIFY(base->findings.empty());
    QVERIFY(fs::file_size(file) < size + 600'000);
}

// The bytes of a deleted last tensor do not follow the others, and those that belonged to no tensor stay.
void TestSave::trailingBytesOfDeletedTensors() {
    for (const std::size_t trailing : {0, 64}) {
        GgufBuilder builder = smallSavedModel();
        builder.trailing = patternBytes(trailing, 5);
        const auto base = openModel(write(builder)).value();
        ModelEdit deleted(*base);
        deleted.tensors() = std::vector<TensorInfo>(base->tensors.begin(), base->tensors.end() - 1);
        const fs::path other = write(builder, "shorter.gguf");
        fs::remove(other);
        VERIFY_DONE(gguf::saveAs(deleted.model(), {}, other));
        const auto saved = openModel(other).value();
        QCOMPARE(saved->tensors.size(), base->tensors.size() - 1);
        QCOMPARE(saved->findings.size(), trailing == 0 ? 0U : 1U);
        QVERIFY(readFile(other).ends_with(FileBytes(reinterpret_cast<const char*>(builder.trailing.data()), trailing)));
    }
}

void TestSave::packsWhatWasNotPacked() {
    GgufBuilder builder;
    builder.key("general.architecture", "llama");
    builder.tensorRecord("b", kF32, {8}, 64);
    builder.tensorRecord("a", kF32, {8}, 0);
    builder.trailing = patternBytes(96, 3);
    const fs::path file = write(builder);
    const auto base = openModel(file).value();
    QVERIFY(!base->findings.empty());
    const std::string data = tensorBytes(*base);
    const auto report = gguf::save(*base, ModelEdit(*base).set("general.name", "x").model(), {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.reason, SaveReason::WasNotPacked);
    const auto again = openModel(file).value();
    QVERIFY(again->findings.empty());
    QCOMPARE(tensorBytes(*again), data);
}

void TestSave::truncatedFilesKeepTheirData() {
    GgufBuilder builder = smallSavedModel();
    builder.cutTo = builder.build().size() - 1000;
    const fs::path file = write(builder);
    auto base = openModel(file).value();
    const auto before = readFile(file);
    for (const auto strategy : {SaveStrategy::Patch, SaveStrategy::Shift, SaveStrategy::Copy}) {
        const std::string name = strategy == SaveStrategy::Patch ? "afteR!" : std::string(400, 'n');
        VERIFY_DONE(gguf::save(*base, ModelEdit(*base).set("general.name", std::string_view(name)).model(), {},
                               {.strategy = strategy}));
        const auto again = openModel(file).value();
        QCOMPARE(tensorBytes(*again), tensorBytes(*base));
        base = again;
    }
    ModelEdit moved(*base);
    std::swap(moved.tensors()[0], moved.tensors()[1]);
    const auto refused = gguf::save(*base, moved.model(), {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::TensorIncomplete);
    QCOMPARE(gguf::saveAs(*base, {}, path("other.gguf")).error().code, ErrorCode::TensorIncomplete);
}

void TestSave::savesAs() {
    const fs::path file = write(smallSavedModel());
    auto base = openModel(file).value();
    const auto before = readFile(file);
    const fs::path to = path("copy.gguf");
    VERIFY_DONE(gguf::saveAs(*base, {}, to, {.verify = true}));
    QCOMPARE(readFile(to), before); // nothing was edited
    // Reserved space is not copied.
    VERIFY_DONE(gguf::save(*base, ModelEdit(*base).set("x.y", "makes it grow").model(), {}, kReserving));
    base = openModel(file).value();
    QVERIFY(base->metadata.find(gguf::kReservedKey) != nullptr);
    VERIFY_DONE(gguf::saveAs(*base, {}, to));
    QVERIFY(openModel(to).value()->metadata.find(gguf::kReservedKey) == nullptr);
    // Its own file is saved in place only, under whatever name.
    const auto saved = readFile(file);
    fs::create_hard_link(file, path("hard.gguf"));
    fs::create_symlink(file, path("soft.gguf"));
    for (const char* name : {"model.gguf", "hard.gguf", "soft.gguf"}) {
        QCOMPARE(gguf::saveAs(*base, {}, path(name)).error().args.at(0).detail(), std::optional(Detail::OwnFile));
        QVERIFY(readFile(file) == saved);
    }
    fs::remove(path("hard.gguf"));
    fs::remove(path("soft.gguf"));
    QCOMPARE(gguf::saveAs(*base, {}, path("none") / "x.gguf").error().code, ErrorCode::WriteFailed);
    QCOMPARE(gguf::saveAs(*base, {}, m_folder->path().toStdString()).error().code, ErrorCode::IsDirectory);
    onlyFiles({"copy.gguf", "model.gguf"});
}

void TestSave::verifies() {
    const fs::path file = write(smallSavedModel());
    const auto base = openModel(file).value();
    const auto little = gguf::saveAs(*base, {}, path("a.gguf"), {.verify = true});
    const auto big = gguf::saveAs(*base, {.byteOrder = ByteOrder::Big}, path("b.gguf"), {.verify = true});
    VERIFY_DONE(little);
    VERIFY_DONE(big);
    QCOMPARE(little->hashBefore, little->hashAfter);
    QCOMPARE(big->hashBefore, big->hashAfter);
    QVERIFY(little->hashAfter != big->hashAfter); // the bytes have another order
}

void TestSave::cancels() {
    const fs::path file = write(smallSavedModel());
    const auto before = readFile(file);
    const auto base = openModel(file).value();
    std::stop_source stop;
    stop.request_stop();
    for (const auto strategy : {SaveStrategy::Patch, SaveStrategy::Copy}) {
        const auto report = gguf::save(*base, ModelEdit(*base).set("general.name", "afteR!").model(), {},
                                       {.strategy = strategy}, {.stop = stop.get_token()});
        QVERIFY(!report);
        QCOMPARE(report.error().code, ErrorCode::Cancelled);
        QCOMPARE(readFile(file), before);
        onlyFiles({"model.gguf"});
    }
}

GUFO_TEST(TestSave)
#include "tst_save.moc"
