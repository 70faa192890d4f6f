// Saving: which strategy is chosen and why, and what the files contain afterwards.
#include "base/mapped_file.h"
#include "document/open_model.h"
#include "formats/gguf/save/save.h"
#include "formats/recover/recover.h"
#include "support/gguf_builder.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <thread>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kF32 = 0;

// Bytes that show their origin.
std::vector<std::byte> pattern(std::size_t count, unsigned seed) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>(seed * 37 + i * 11 + i / 251);
    }
    return bytes;
}

// Two tensors of 40,000 and 4,004 bytes.
GgufBuilder smallModel() {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "before").key("llama.block_count", std::uint32_t{2});
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"<s>", "</s>", "owl"});
    file.key("tokenizer.chat_template", "{{ messages }}");
    file.tensor("token_embd.weight", kF32, {100, 100}, pattern(40'000, 1));
    file.tensor("output.weight", kF32, {7, 143}, pattern(4'004, 2));
    return file;
}

std::string tensorBytes(const Model& model) {
    std::string all;
    for (const TensorInfo& tensor : model.tensors) {
        const Bytes bytes = model.bytesOf(tensor).value();
        all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return all;
}

#define VERIFY_DONE(result) QVERIFY2(result, describe(result).c_str())

} // namespace

class TestSave : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-save-XXXXXX");
        QVERIFY(m_folder->isValid());
    }
    void nothingToDo();
    void patchesWhatStaysAsLong();
    void shiftsWhatGrew();
    void laterEditsArePatches();
    void undoGivesTheSameBytes();
    void shrinkingLeavesReservedSpace();
    void reservedSpaceCanBeSwitchedOff();
    void reservedSpaceCanBeRemoved();
    void forcedStrategies_data();
    void forcedStrategies();
    void oldViewsStayValid();
    void jobsFindOutWhenTheyReadARevokedMapping();
    void aSessionIsNotDisturbed();
    void whoHasTheFileOpenIsNotDisturbed_data();
    void whoHasTheFileOpenIsNotDisturbed();
    void whoOpensMeanwhileSeesTheNewFile();
    void sharedFilesAreSavedAs_data();
    void sharedFilesAreSavedAs();
    void refusesAFileThatChanged();
    void keepsLinksModeAndAttributes();
    void tensorsAreMovedDeletedAndRenamed();
    void importsTensors();
    void trailingBytes();
    void packsWhatWasNotPacked();
    void truncatedFilesKeepTheirData();
    void savesAs();
    void verifies();
    void cancels();

private:
    fs::path write(const GgufBuilder& file, const char* name = "model.gguf") {
        const fs::path path = fs::path(m_folder->path().toStdString()) / name;
        file.write(path);
        return path;
    }
    fs::path path(const char* name) { return fs::path(m_folder->path().toStdString()) / name; }
    // Checks that only the named files exist: no journal and no temporary file.
    void onlyFiles(const std::vector<std::string>& names) {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(m_folder->path().toStdString())) {
            found.push_back(entry.path().filename().native());
        }
        std::ranges::sort(found);
        QCOMPARE(found, names);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestSave::nothingToDo() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const auto before = readFile(file);
    const auto report = gguf::save(*base, *base, {});
    VERIFY_DONE(report);
    QVERIFY(report->files.empty());
    QCOMPARE(readFile(file), before);
}

void TestSave::patchesWhatStaysAsLong() {
    const fs::path file = write(smallModel());
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
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const std::string text(5000, 't');
    const Model edited = ModelEdit(*base).set("tokenizer.chat_template", std::string_view(text)).model();
    const auto plan = gguf::planSave(*base, edited, {});
    VERIFY_DONE(plan);
    const auto report = gguf::save(*base, edited, {}, {.verify = true});
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
    const fs::path file = write(smallModel());
    auto base = openModel(file).value();
    const std::string data = tensorBytes(*base);
    for (const std::size_t length : {5000U, 9000U, 100U, 200'000U, 70U}) {
        const std::string text(length, 'x');
        const Model edited = ModelEdit(*base).set("tokenizer.chat_template", std::string_view(text)).model();
        const auto report = gguf::save(*base, edited, {});
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
    QCOMPARE(reportOf(gguf::save(*base, edited, {})).files[0].plan.strategy, SaveStrategy::Shift);
}

void TestSave::undoGivesTheSameBytes() {
    const fs::path file = write(smallModel());
    const auto before = readFile(file);
    auto base = openModel(file).value();
    for (const char* name : {"a", "a name that is much longer than the one before it, so that the header grows"}) {
        const Model edited = ModelEdit(*base).set("general.name", std::string_view(name)).set("x.y", 3.0F).model();
        VERIFY_DONE(gguf::save(*base, edited, {}));
        base = openModel(file).value();
    }
    const Model undone = ModelEdit(*base).set("general.name", "before").remove("x.y").model();
    const auto report = gguf::save(*base, undone, {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Shift);
    QCOMPARE(report->files[0].plan.reason, SaveReason::Shrank);
    QCOMPARE(readFile(file), before);
}

void TestSave::shrinkingLeavesReservedSpace() {
    GgufBuilder builder = smallModel();
    builder.key("long.text", std::string(300'000, 'l'));
    const fs::path file = write(builder);
    const auto before = readFile(file);
    auto base = openModel(file).value();
    const Model edited = ModelEdit(*base).set("long.text", "short").model();
    auto report = gguf::save(*base, edited, {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Patch);
    QCOMPARE(report->files[0].plan.reason, SaveReason::FitsReserved);
    QCOMPARE(fs::file_size(file), before.size());
    base = openModel(file).value();
    QVERIFY(base->findings.empty());
    const std::string text(300'000, 'l');
    const Model undone = ModelEdit(*base).set("long.text", std::string_view(text)).model();
    VERIFY_DONE(gguf::save(*base, undone, {}));
    QCOMPARE(readFile(file), before);

    // Megabytes are released.
    GgufBuilder big = smallModel();
    big.key("long.text", std::string(3'000'000, 'l'));
    const fs::path bigFile = write(big, "big.gguf");
    base = openModel(bigFile).value();
    report = gguf::save(*base, ModelEdit(*base).set("long.text", "short").model(), {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Shift);
    QVERIFY(fs::file_size(bigFile) < 600'000);
    const auto again = openModel(bigFile).value();
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    QVERIFY(again->findings.empty());
}

void TestSave::reservedSpaceCanBeSwitchedOff() {
    const fs::path file = write(smallModel());
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
    const fs::path file = write(smallModel());
    auto base = openModel(file).value();
    VERIFY_DONE(gguf::save(*base, ModelEdit(*base).set("x.y", "a key that makes the header grow").model(), {}));
    base = openModel(file).value();
    const std::string data = tensorBytes(*base);
    QVERIFY(base->metadata.find(gguf::kReservedKey) != nullptr);
    const auto removed = gguf::save(*base, ModelEdit(*base).remove(gguf::kReservedKey).model(), {});
    VERIFY_DONE(removed);
    QCOMPARE(removed->files[0].plan.reason, SaveReason::NotWholeBlocks); // reserving space is not switched off
    base = openModel(file).value();
    QVERIFY(base->metadata.find(gguf::kReservedKey) == nullptr);
    QVERIFY(base->metadata.find("x.y") != nullptr);
    QCOMPARE(tensorBytes(*base), data);
}

void TestSave::forcedStrategies_data() {
    QTest::addColumn<int>("strategy");
    QTest::addColumn<bool>("grows");
    QTest::addColumn<bool>("possible");
    QTest::newRow("patch, same size") << int(SaveStrategy::Patch) << false << true;
    QTest::newRow("patch, grows") << int(SaveStrategy::Patch) << true << false;
    QTest::newRow("shift, same size") << int(SaveStrategy::Shift) << false << true;
    QTest::newRow("shift, grows") << int(SaveStrategy::Shift) << true << true;
    QTest::newRow("clone, grows") << int(SaveStrategy::Clone) << true << false; // ext4 has no reflinks
    QTest::newRow("copy, same size") << int(SaveStrategy::Copy) << false << true;
    QTest::newRow("copy, grows") << int(SaveStrategy::Copy) << true << true;
}

void TestSave::forcedStrategies() {
    QFETCH(int, strategy);
    QFETCH(bool, grows);
    QFETCH(bool, possible);
    const fs::path file = write(smallModel());
    const auto before = readFile(file);
    const auto base = openModel(file).value();
    const std::string name = grows ? std::string(300, 'n') : "afteR!";
    const Model edited = ModelEdit(*base).set("general.name", std::string_view(name)).model();
    const auto report = gguf::save(*base, edited, {}, {.strategy = SaveStrategy(strategy)});
    QCOMPARE(report.has_value(), possible);
    onlyFiles({"model.gguf"});
    if (!possible) {
        QCOMPARE(report.error().code, ErrorCode::StrategyImpossible);
        QCOMPARE(readFile(file), before);
        return;
    }
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy(strategy));
    const auto again = openModel(file).value();
    QCOMPARE(again->metadata.string("general.name"), std::string_view(name));
    QCOMPARE(tensorBytes(*again), tensorBytes(*base));
    QVERIFY(again->findings.empty());
}

void TestSave::oldViewsStayValid() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const auto second = openModel(file).value(); // a separate mapping, which is revoked as well
    const std::string data = tensorBytes(*base);
    const std::string_view name = base->metadata.string("general.name").value();
    auto current = openModel(file).value();
    for (int round = 0; round < 3; ++round) {
        const std::string text(static_cast<std::size_t>(400'000 * (round + 1)), 'z');
        const Model edited = ModelEdit(*current).set("general.name", std::string_view(text)).model();
        const auto report = gguf::save(*current, edited, {});
        VERIFY_DONE(report);
        QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Shift);
        current = openModel(file).value();
        QCOMPARE(name, std::string_view("before"));
        QCOMPARE(tensorBytes(*base), data);
        QCOMPARE(tensorBytes(*second), data);
        QVERIFY(!base->files[0].source->damage());
    }
}

void TestSave::jobsFindOutWhenTheyReadARevokedMapping() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const ByteSource* mapped = base->files[0].source.get();
    {
        const auto revoked = gufo::RevokedMappings::revoke(file, mapped->identity().value(), base->files[0].dataOffset);
        QVERIFY(revoked);
        QCOMPARE(base->metadata.string("general.name"), std::string_view("before")); // the header's value
        QVERIFY(!mapped->damage());
        const Bytes bytes = base->bytesOf(base->tensors[1]).value();
        QCOMPARE(bytes[3000], std::byte{0});
        QVERIFY(mapped->damage());
    }
    QVERIFY(mapped->damage()); // permanently, because results computed in between are wrong
}

void TestSave::aSessionIsNotDisturbed() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const ByteSource* mapped = base->files[0].source.get();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    auto hold = mapped->hold();
    QVERIFY(mapped->isHeld());
    const auto report = gguf::save(*base, edited, {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Copy);
    QCOMPARE(report->files[0].plan.reason, SaveReason::OpenHere);
    hold.reset();
    QVERIFY(!mapped->isHeld());
    const auto again = openModel(file).value();
    QCOMPARE(reportOf(gguf::save(*again, ModelEdit(*again).set("general.name", "agaiN!").model(), {}))
                 .files[0]
                 .plan.strategy,
             SaveStrategy::Patch);
}

void TestSave::whoHasTheFileOpenIsNotDisturbed_data() {
    QTest::addColumn<bool>("mappedOnly");
    QTest::newRow("open") << false;
    QTest::newRow("mapped") << true;
}

// Another process, such as an inference server, keeps the old file.
void TestSave::whoHasTheFileOpenIsNotDisturbed() {
    QFETCH(bool, mappedOnly);
    const fs::path file = write(smallModel());
    const auto before = readFile(file);
    int ready[2];
    int finish[2];
    QVERIFY(pipe(ready) == 0 && pipe(finish) == 0);
    const pid_t child = fork();
    if (child == 0) {
        ::close(finish[1]); // so that the child ends together with the parent
        const int handle = ::open(file.c_str(), O_RDONLY);
        const void* bytes = mmap(nullptr, before.size(), PROT_READ, MAP_SHARED, handle, 0);
        if (mappedOnly) {
            ::close(handle);
        }
        char byte = 0;
        (void)!::write(ready[1], &byte, 1);
        (void)!::read(finish[0], &byte, 1);
        _exit(memcmp(bytes, before.data(), before.size()) == 0 ? 0 : 1);
    }
    char byte = 0;
    QCOMPARE(::read(ready[0], &byte, 1), 1);
    const auto base = openModel(file).value();
    const auto report = gguf::save(*base, ModelEdit(*base).set("general.name", "afteR!").model(), {});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Copy);
    QCOMPARE(report->files[0].plan.reason, SaveReason::OpenElsewhere);
    (void)!::write(finish[1], &byte, 1);
    int status = 0;
    waitpid(child, &status, 0);
    QCOMPARE(status, 0); // the child saw the old bytes
    QCOMPARE(openModel(file).value()->metadata.string("general.name"), std::string_view("afteR!"));
    for (const int end : {ready[0], ready[1], finish[0], finish[1]}) {
        ::close(end);
    }
}

// Another thread opens the file repeatedly while it is saved in place. The kernel's signal must not end the process,
// and each attempt finds an intact file, old or new.
void TestSave::whoOpensMeanwhileSeesTheNewFile() {
    const fs::path file = write(smallModel());
    int finish[2];
    QVERIFY(pipe(finish) == 0);
    const pid_t child = fork();
    if (child == 0) {
        ::close(finish[1]);
        fcntl(finish[0], F_SETFL, O_NONBLOCK);
        char byte = 0;
        bool good = true;
        while (::read(finish[0], &byte, 1) < 0 && good) {
            const int handle = ::open(file.c_str(), O_RDONLY);
            char magic[4] = {};
            good = ::pread(handle, magic, 4, 0) == 4 && memcmp(magic, "GGUF", 4) == 0;
            ::close(handle);
        }
        _exit(good ? 0 : 1);
    }
    auto base = openModel(file).value();
    int inPlace = 0;
    for (int i = 0; i < 60; ++i) {
        const std::string name = "name " + std::to_string(i % 10);
        const Model edited = ModelEdit(*base).set("general.name", std::string_view(name)).model();
        const auto report = gguf::save(*base, edited, {});
        VERIFY_DONE(report);
        inPlace += report->files[0].plan.strategy != SaveStrategy::Copy ? 1 : 0;
        base = openModel(file).value();
        QCOMPARE(base->metadata.string("general.name"), std::string_view(name));
    }
    ::close(finish[1]);
    int status = 0;
    waitpid(child, &status, 0);
    ::close(finish[0]);
    QCOMPARE(status, 0);
    qInfo("%d of 60 saves were made in place", inPlace);
}

void TestSave::sharedFilesAreSavedAs_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("link");
    const QString digest(64, 'a');
    QTest::newRow("hard link") << "model.gguf" << true;
    QTest::newRow("hugging face") << digest << false;
    QTest::newRow("ollama") << "sha256-" + digest << false;
}

void TestSave::sharedFilesAreSavedAs() {
    QFETCH(QString, name);
    QFETCH(bool, link);
    const fs::path file = write(smallModel(), name.toUtf8().constData());
    const fs::path other = path("other.gguf");
    if (link) {
        fs::create_hard_link(file, other);
    } else {
        fs::create_symlink(file, other); // like the snapshots of a download cache
    }
    const auto before = readFile(file);
    const auto base = openModel(other).value();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    const auto plan = gguf::planSave(*base, edited, {});
    VERIFY_DONE(plan);
    QCOMPARE(plan->advice, link ? SaveAsAdvice::HardLinks : SaveAsAdvice::ContentAddressed);
    const auto refused = gguf::save(*base, edited, {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::SharedFile);
    QCOMPARE(readFile(file), before);
    const auto report = gguf::save(*base, edited, {}, {.evenIfShared = true});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Patch);
    QCOMPARE(openModel(file).value()->metadata.string("general.name"), std::string_view("afteR!"));
    QCOMPARE(openModel(other).value()->metadata.string("general.name"), std::string_view("afteR!"));
}

void TestSave::refusesAFileThatChanged() {
    const fs::path file = write(smallModel());
    const auto base = openModel(file).value();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    const auto other = smallModel().key("a.b", "another").build();
    writeFile(path("new.gguf"), FileBytes(reinterpret_cast<const char*>(other.data()), other.size()));
    fs::rename(path("new.gguf"), file);
    const auto before = readFile(file);
    const auto report = gguf::save(*base, edited, {});
    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::FileChangedOnDisk);
    QCOMPARE(readFile(file), before);
    fs::remove(file);
    QCOMPARE(gguf::save(*base, edited, {}).error().code, ErrorCode::FileNotFound);
    onlyFiles({});
}

void TestSave::keepsLinksModeAndAttributes() {
    for (const auto strategy : {SaveStrategy::Patch, SaveStrategy::Shift, SaveStrategy::Copy}) {
        const fs::path file = write(smallModel(), "target.gguf");
        const fs::path link = path("link.gguf");
        fs::remove(link);
        fs::create_symlink("target.gguf", link);
        QVERIFY(chmod(file.c_str(), 0640) == 0);
        const bool attributes = setxattr(file.c_str(), "user.note", "kept", 4, 0) == 0;
        if (geteuid() == 0) {
            QVERIFY(chown(file.c_str(), 12345, 54321) == 0);
        }
        const auto base = openModel(link).value();
        const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
        VERIFY_DONE(gguf::save(*base, edited, {}, {.strategy = strategy}));
        QVERIFY(fs::is_symlink(link));
        struct stat status{};
        QVERIFY(stat(file.c_str(), &status) == 0);
        QCOMPARE(status.st_mode & 07777U, 0640U);
        if (geteuid() == 0) {
            QCOMPARE(status.st_uid, 12345U);
            QCOMPARE(status.st_gid, 54321U);
        }
        char value[8] = {};
        QVERIFY(!attributes || getxattr(file.c_str(), "user.note", value, sizeof value) == 4);
        QCOMPARE(openModel(file).value()->metadata.string("general.name"), std::string_view("afteR!"));
        onlyFiles({"link.gguf", "target.gguf"});
    }
}

void TestSave::tensorsAreMovedDeletedAndRenamed() {
    const fs::path file = write(smallModel());
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
    deleted.tensors().erase(deleted.tensors().begin());
    VERIFY_DONE(gguf::save(*base, deleted.model(), {}));
    base = openModel(file).value();
    QCOMPARE(tensorBytes(*base), first);
    QVERIFY(base->findings.empty());
}

void TestSave::importsTensors() {
    const fs::path file = write(smallModel());
    GgufBuilder other;
    other.key("general.architecture", "llama").tensor("extra", kF32, {3}, pattern(12, 9));
    const fs::path otherFile = write(other, "other.gguf");
    const auto base = openModel(file).value();
    const auto from = openModel(otherFile).value();
    ModelEdit edit(*base);
    edit.raw().files.push_back(from->files[0]);
    edit.raw().importedFiles = 1;
    TensorInfo imported = from->tensors[0];
    imported.file = FileIndex(1);
    edit.tensors().insert(edit.tensors().begin() + 1, imported);
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
    GgufBuilder builder = smallModel();
    builder.trailing = pattern(1000, 5);
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

void TestSave::packsWhatWasNotPacked() {
    GgufBuilder builder;
    builder.key("general.architecture", "llama");
    builder.tensorRecord("b", kF32, {8}, 64);
    builder.tensorRecord("a", kF32, {8}, 0);
    builder.trailing = pattern(96, 3);
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
    GgufBuilder builder = smallModel();
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
    const fs::path file = write(smallModel());
    auto base = openModel(file).value();
    const auto before = readFile(file);
    const fs::path to = path("copy.gguf");
    VERIFY_DONE(gguf::saveAs(*base, {}, to, {.verify = true}));
    QCOMPARE(readFile(to), before); // nothing was edited
    // Reserved space is not copied.
    VERIFY_DONE(gguf::save(*base, ModelEdit(*base).set("x.y", "makes it grow").model(), {}));
    base = openModel(file).value();
    QVERIFY(base->metadata.find(gguf::kReservedKey) != nullptr);
    VERIFY_DONE(gguf::saveAs(*base, {}, to));
    QVERIFY(openModel(to).value()->metadata.find(gguf::kReservedKey) == nullptr);
    // Saving over itself: the old bytes are read until the new file is complete.
    VERIFY_DONE(gguf::saveAs(*base, {}, file));
    QCOMPARE(readFile(file), readFile(to));
    QCOMPARE(gguf::saveAs(*base, {}, path("none") / "x.gguf").error().code, ErrorCode::WriteFailed);
    QCOMPARE(gguf::saveAs(*base, {}, m_folder->path().toStdString()).error().code, ErrorCode::IsDirectory);
    onlyFiles({"copy.gguf", "model.gguf"});
}

void TestSave::verifies() {
    const fs::path file = write(smallModel());
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
    const fs::path file = write(smallModel());
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
