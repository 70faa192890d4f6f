// Files from which a save copies may change at any moment: a model from which tensors were imported, or the model
// itself when it is saved under another name. The save then fails, says which file it was, and leaves the target
// untouched.
#include "base/detail.h"
#include "document/document.h"
#include "document/open_model.h"
#include "formats/gguf/write/save.h"
#include "model/kept_description.h"
#include "support/gguf_builder.h"
#include "support/hooked_operations.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kDonorWeights = 1 << 20;

using ChangeFile = void (*)(const fs::path& file);

GgufBuilder donorModel(unsigned seed = 3) {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "donor");
    std::vector<std::byte> bytes(kDonorWeights * 4);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(seed * 37 + i * 11 + i / 251);
    }
    file.tensor("first", kF32, {kDonorWeights}, bytes);
    file.tensor("second", kF32, {kDonorWeights}, bytes);
    return file;
}

void keepTime(const fs::path& path, const struct stat& before) {
    const timespec times[] = {before.st_atim, before.st_mtim};
    QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

// Writes other bytes into the tensor "second".
void scramble(const fs::path& path) {
    const int file = ::open(path.c_str(), O_WRONLY);
    const std::string other(1000, 'x');
    const auto at = static_cast<off_t>(fs::file_size(path) - 2'000'000);
    QCOMPARE(::pwrite(file, other.data(), other.size(), at), static_cast<ssize_t>(other.size()));
    ::close(file);
}

} // namespace

class TestSaveSources : public QObject {
    Q_OBJECT

private slots:
    void init();
    void changedDonorIsRefused_data();
    void changedDonorIsRefused();
    void changedWhileCopied_data();
    void changedWhileCopied();
    void hashIsChecked();
    void unchangedDonorIsCopied();
    void removedDonorIsCopied();
    void undoAfterASaveIsNoImport();
    void ownFileThatChanged();
    void ownFileThatWasReplaced();
    void targetReplacedWhileCopied();

private:
    // The model with an imported tensor, as the user sees it before saving.
    std::shared_ptr<const Model> imported(bool hashed);
    void isRefused(const Result<SaveReport>& report, const fs::path& file, Detail why) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_file;
    fs::path m_donor;
    FileBytes m_before;
    std::shared_ptr<const Model> m_base;
};

void TestSaveSources::init() {
    m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-sources-XXXXXX");
    const fs::path folder = fs::canonical(m_folder->path().toStdString());
    m_file = folder / "model.gguf";
    m_donor = folder / "donor.gguf";
    GgufBuilder model;
    model.key("general.architecture", "llama").key("general.name", "before");
    model.tensor("own", kF32, {10, 10}, std::vector<std::byte>(400, std::byte{1}));
    model.write(m_file);
    donorModel().write(m_donor);
    m_before = readFile(m_file);
    m_base = openModel(m_file).value();
}

std::shared_ptr<const Model> TestSaveSources::imported(bool hashed) {
    const auto donor = openModel(m_donor).value();
    Document document(m_base);
    ImportTensor change{.from = donor, .name = "second", .newName = "second"};
    if (hashed) {
        change.hash = importHash(*donor, donor->tensor(*donor->findTensor("second")), {}).value();
    }
    return document.apply({change}, "Import") ? document.current() : nullptr;
}

void TestSaveSources::isRefused(const Result<SaveReport>& report, const fs::path& file, Detail why) const {
    QVERIFY(!report);
    QCOMPARE(describe(report.error()), describe(Error{ErrorCode::FileChangedOnDisk, {}, {}, {why}, 0}));
    QCOMPARE(report.error().file, file);
    QCOMPARE(readFile(m_file), m_before);
    for (const auto& entry : fs::directory_iterator(m_file.parent_path())) {
        QVERIFY2(entry.path().extension() == ".gguf", entry.path().c_str());
    }
}

void TestSaveSources::changedDonorIsRefused_data() {
    QTest::addColumn<ChangeFile>("change");
    const auto row = [](const char* name, ChangeFile change) { QTest::newRow(name) << change; };
    row("other bytes", scramble);
    row("shortened", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 4'000'000); });
    row("longer", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) + 4'000'000); });
    row("replaced by another file", [](const fs::path& file) {
        donorModel(4).write(file.parent_path() / "new.gguf");
        fs::rename(file.parent_path() / "new.gguf", file);
    });
}

void TestSaveSources::changedDonorIsRefused() {
    QFETCH(ChangeFile, change);
    const auto edited = imported(false);
    QVERIFY(edited != nullptr);
    change(m_donor);
    isRefused(gguf::save(*m_base, *edited, {}), m_donor, Detail::ImportSource);
    isRefused(gguf::saveAs(*edited, {}, m_file.parent_path() / "other.gguf"), m_donor, Detail::ImportSource);
    QVERIFY(!fs::exists(m_file.parent_path() / "other.gguf"));
}

void TestSaveSources::changedWhileCopied_data() {
    QTest::addColumn<bool>("shortens");
    QTest::addColumn<bool>("hashed");
    QTest::addColumn<QByteArray>("at"); // the operation before which it happens
    for (const bool hashed : {false, true}) {
        for (const bool shortens : {false, true}) {
            for (const char* at : {"create", "copyRange", "write", "resize", "sync"}) {
                if (!hashed || QByteArray(at) != "copyRange") {
                    QTest::addRow("%s before %s%s", shortens ? "shortened" : "scrambled", at, hashed ? ", hashed" : "")
                        << shortens << hashed << QByteArray(at);
                }
            }
        }
    }
}

void TestSaveSources::changedWhileCopied() {
    QFETCH(bool, shortens);
    QFETCH(bool, hashed);
    QFETCH(QByteArray, at);
    const auto edited = imported(hashed);
    QVERIFY(edited != nullptr);
    HookedOperations operations;
    bool done = false;
    operations.before = [&](const HookedOperations::Call& call) {
        if (!done && at == call.name) {
            done = true;
            shortens ? fs::resize_file(m_donor, 4096) : scramble(m_donor);
        }
        return 0;
    };
    isRefused(gguf::save(*m_base, *edited, {}, {.operations = &operations}), m_donor, Detail::ImportSource);
    QVERIFY(done);
}

// Size, time and inode are those of the donor that was opened, but the bytes are others.
void TestSaveSources::hashIsChecked() {
    const auto edited = imported(true);
    QVERIFY(edited != nullptr);
    struct stat before{};
    QCOMPARE(::stat(m_donor.c_str(), &before), 0);
    scramble(m_donor);
    keepTime(m_donor, before);
    const auto report = gguf::save(*m_base, *edited, {});
    isRefused(report, m_donor, Detail::ImportSource);
    QCOMPARE(report.error().place.name, std::string("second"));
    SaveTarget big{.version = 3, .byteOrder = ByteOrder::Big};
    isRefused(gguf::save(*m_base, *edited, big), m_donor, Detail::ImportSource);
}

void TestSaveSources::unchangedDonorIsCopied() {
    for (const bool hashed : {false, true}) {
        init();
        const auto edited = imported(hashed);
        QVERIFY(edited != nullptr);
        const auto report = gguf::save(*m_base, *edited, {}, {.verify = true});
        QVERIFY2(report, describe(report).c_str());
        const auto again = openModel(m_file).value();
        const auto donor = openModel(m_donor).value();
        const auto now = again->bytesOf(again->tensor(*again->findTensor("second"))).value();
        QVERIFY(std::ranges::equal(now, donor->bytesOf(donor->tensors[1]).value()));
    }
}

// Its bytes are still mapped, and nothing else has them.
void TestSaveSources::removedDonorIsCopied() {
    const auto edited = imported(true);
    QVERIFY(edited != nullptr);
    fs::remove(m_donor);
    const auto report = gguf::save(*m_base, *edited, {});
    QVERIFY2(report, describe(report).c_str());
    QCOMPARE(openModel(m_file).value()->tensors.size(), std::size_t{2});
}

// A tensor that was deleted, saved and brought back comes from the file that the first save replaced.
void TestSaveSources::undoAfterASaveIsNoImport() {
    GgufBuilder two = donorModel();
    two.write(m_file);
    m_base = openModel(m_file).value();
    Document document(m_base);
    QVERIFY(document.apply({DeleteTensor{"first"}}, "Delete"));
    QVERIFY(gguf::save(*m_base, *document.current(), {}));
    document.rebase(openModel(m_file).value());
    document.undo();
    const auto report = gguf::save(*document.base(), *document.current(), {});
    QVERIFY2(report, describe(report).c_str());
    QCOMPARE(openModel(m_file).value()->tensors.size(), std::size_t{2});
}

void TestSaveSources::ownFileThatChanged() {
    const auto donor = openModel(m_donor).value();
    const fs::path out = m_donor.parent_path() / "out.gguf";
    HookedOperations operations;
    operations.before = [&](const HookedOperations::Call& call) {
        if (std::string_view(call.name) == "copyRange") {
            fs::resize_file(m_donor, 8192);
        }
        return 0;
    };
    isRefused(gguf::saveAs(*donor, {}, out, {.operations = &operations}), m_donor, Detail::OpenedFile);
    isRefused(gguf::saveAs(*donor, {}, out), m_donor, Detail::OpenedFile);
    QVERIFY(!fs::exists(out));
}

// Another program renamed a new file over it: what was opened can still be copied.
void TestSaveSources::ownFileThatWasReplaced() {
    const auto donor = openModel(m_donor).value();
    const FileBytes before = readFile(m_donor);
    donorModel(4).write(m_donor.parent_path() / "new.gguf");
    fs::rename(m_donor.parent_path() / "new.gguf", m_donor);
    const fs::path out = m_donor.parent_path() / "out.gguf";
    const auto report = gguf::saveAs(*donor, {}, out);
    QVERIFY2(report, describe(report).c_str());
    QCOMPARE(readFile(out), before);
}

// A download that ends during the copy must not be overwritten.
void TestSaveSources::targetReplacedWhileCopied() {
    const auto edited = imported(true);
    QVERIFY(edited != nullptr);
    HookedOperations operations;
    operations.before = [&](const HookedOperations::Call& call) {
        if (std::string_view(call.name) == "sync") {
            writeFile(m_file.parent_path() / "new.gguf", "another program's");
            fs::rename(m_file.parent_path() / "new.gguf", m_file);
        }
        return 0;
    };
    const auto report = gguf::save(*m_base, *edited, {}, {.operations = &operations});
    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::FileChangedOnDisk);
    QVERIFY(report.error().args.empty());
    QCOMPARE(readFile(m_file), FileBytes("another program's"));
}

GUFO_TEST(TestSaveSources)
#include "tst_save_sources.moc"
