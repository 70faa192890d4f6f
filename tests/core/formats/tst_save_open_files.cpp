// Saving files that others have open, map, link or have changed: nobody is disturbed, and nothing is lost.
#include "save_test.h"
#include "support/test_unit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

class TestSaveOpenFiles : public SaveTest {
    Q_OBJECT

private slots:
    void init() { makeFolder(); }
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
};

void TestSaveOpenFiles::oldViewsStayValid() {
    const fs::path file = write(smallSavedModel());
    const auto base = openModel(file).value();
    const auto second = openModel(file).value(); // a separate mapping, which is revoked as well
    const std::string data = tensorBytes(*base);
    const std::string_view name = base->metadata.string("general.name").value();
    auto current = openModel(file).value();
    for (int round = 0; round < 3; ++round) {
        const std::string text(static_cast<std::size_t>(400'000 * (round + 1)), 'z');
        const Model edited = ModelEdit(*current).set("general.name", std::string_view(text)).model();
        const auto report = gguf::save(*current, edited, {}, kReserving);
        VERIFY_DONE(report);
        QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Shift);
        current = openModel(file).value();
        QCOMPARE(name, std::string_view("before"));
        QCOMPARE(tensorBytes(*base), data);
        QCOMPARE(tensorBytes(*second), data);
        QVERIFY(!base->files[0].source->damage());
    }
}

void TestSaveOpenFiles::jobsFindOutWhenTheyReadARevokedMapping() {
    const fs::path file = write(smallSavedModel());
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

void TestSaveOpenFiles::aSessionIsNotDisturbed() {
    const fs::path file = write(smallSavedModel());
    const auto base = openModel(file).value();
    const ByteSource* mapped = base->files[0].source.get();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    auto hold = mapped->hold();
    QVERIFY(mapped->isHeld());
    const auto report = gguf::save(*base, edited, {}, kReserving);
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Copy);
    QCOMPARE(report->files[0].plan.reason, SaveReason::OpenInThisProcess);
    hold.reset();
    QVERIFY(!mapped->isHeld());
    const auto again = openModel(file).value();
    QCOMPARE(reportOf(gguf::save(*again, ModelEdit(*again).set("general.name", "agaiN!").model(), {}))
                 .files[0]
                 .plan.strategy,
             SaveStrategy::Patch);
}

void TestSaveOpenFiles::whoHasTheFileOpenIsNotDisturbed_data() {
    QTest::addColumn<bool>("mappedOnly");
    QTest::newRow("open") << false;
    QTest::newRow("mapped") << true;
}

// Another process, such as an inference server, keeps the old file.
void TestSaveOpenFiles::whoHasTheFileOpenIsNotDisturbed() {
    QFETCH(bool, mappedOnly);
    const fs::path file = write(smallSavedModel());
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
void TestSaveOpenFiles::whoOpensMeanwhileSeesTheNewFile() {
    const fs::path file = write(smallSavedModel());
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
        const auto report = gguf::save(*base, edited, {}, kReserving);
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

void TestSaveOpenFiles::sharedFilesAreSavedAs_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("link");
    const QString digest(64, 'a');
    QTest::newRow("hard link") << "model.gguf" << true;
    QTest::newRow("hugging face") << digest << false;
    QTest::newRow("ollama") << "sha256-" + digest << false;
}

void TestSaveOpenFiles::sharedFilesAreSavedAs() {
    QFETCH(QString, name);
    QFETCH(bool, link);
    const fs::path file = write(smallSavedModel(), name.toUtf8().constData());
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
    const auto refused = gguf::save(*base, edited, {}, kReserving);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::SharedFile);
    QCOMPARE(readFile(file), before);
    const auto report = gguf::save(*base, edited, {}, {.allowSharedFile = true});
    VERIFY_DONE(report);
    QCOMPARE(report->files[0].plan.strategy, SaveStrategy::Patch);
    QCOMPARE(openModel(file).value()->metadata.string("general.name"), std::string_view("afteR!"));
    QCOMPARE(openModel(other).value()->metadata.string("general.name"), std::string_view("afteR!"));
}

void TestSaveOpenFiles::refusesAFileThatChanged() {
    const fs::path file = write(smallSavedModel());
    const auto base = openModel(file).value();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    const auto other = smallSavedModel().key("a.b", "another").build();
    writeFile(path("new.gguf"), FileBytes(reinterpret_cast<const char*>(other.data()), other.size()));
    fs::rename(path("new.gguf"), file);
    const auto before = readFile(file);
    const auto report = gguf::save(*base, edited, {}, kReserving);
    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::FileChangedOnDisk);
    QCOMPARE(readFile(file), before);
    fs::remove(file);
    QCOMPARE(gguf::save(*base, edited, {}, kReserving).error().code, ErrorCode::FileNotFound);
    onlyFiles({});
}

void TestSaveOpenFiles::keepsLinksModeAndAttributes() {
    for (const auto strategy : {SaveStrategy::Patch, SaveStrategy::Shift, SaveStrategy::Copy}) {
        const fs::path file = write(smallSavedModel(), "target.gguf");
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

GUFO_TEST(TestSaveOpenFiles)
#include "tst_save_open_files.moc"
