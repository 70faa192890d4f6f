// A file in the journal's place may contain anything: recovery must not trust the sizes that it claims.
#include "base/quick_hash.h"
#include "document/open_model.h"
#include "formats/gguf/write/save.h"
#include "formats/save/journal.h"
#include "formats/save/recover.h"
#include "support/gguf_builder.h"
#include "support/hooked_operations.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
constexpr std::uint64_t kFewBytes = 16'384;

FileBytes journalHead(std::uint32_t version, std::uint64_t length) {
    FileBytes bytes = "GUFOJRNL";
    bytes.append(reinterpret_cast<const char*>(&version), 4).append(4, '\0');
    return bytes.append(reinterpret_cast<const char*>(&length), 8);
}

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>("/var/tmp/gufo-journal-XXXXXX");
        QVERIFY(m_folder->isValid());
        m_file = fs::canonical(m_folder->path().toStdString()) / "model.gguf";
        m_journal = saving::journalPath(m_file);
    }
    void readsOnlyWhatIsAJournal_data();
    void readsOnlyWhatIsAJournal();
    void believesNoLengthOfAHeader();
    void longHeadersAreCopied();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_file;
    fs::path m_journal;
};

void TestJournal::readsOnlyWhatIsAJournal_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<quint64>("size");
    QTest::addColumn<bool>("refused");
    const auto row = [](const char* name, const FileBytes& head, std::uint64_t size, bool refused) {
        QTest::newRow(name) << QByteArray::fromStdString(head) << quint64{size} << refused;
    };
    // No save writes that much, so the file is not a journal and must stay.
    row("4 GiB of zeros", {}, 4 * kGiB, true);
    row("4 GiB that say so", journalHead(2, 4 * kGiB - 32), 4 * kGiB, true);
    // A journal whose writing was interrupted before anything changed is removed.
    row("zeros", {}, saving::kLargestJournal, false);
    row("another magic", "GGUF", saving::kLargestJournal, false);
    row("another version", journalHead(9, saving::kLargestJournal - 32), saving::kLargestJournal, false);
    row("another length", journalHead(2, 100), saving::kLargestJournal, false);
    row("a length that wraps", journalHead(2, ~std::uint64_t{0}), saving::kLargestJournal, false);
    row("empty", {}, 0, false);
    row("less than a head", "GUFOJRNL", 10, false);
}

// Sparse files take no space on the disk.
void TestJournal::readsOnlyWhatIsAJournal() {
    QFETCH(QByteArray, head);
    QFETCH(quint64, size);
    QFETCH(bool, refused);
    const FileBytes model = "GGUF and whatever follows";
    writeFile(m_file, model);
    writeFile(m_journal, head.toStdString());
    fs::resize_file(m_journal, size);
    HookedOperations operations;
    const auto recovered = saving::recover(m_file, &operations);
    QVERIFY2(operations.bytesRead <= kFewBytes, qPrintable(QString::number(operations.bytesRead)));
    QCOMPARE(readFile(m_file), model);
    QCOMPARE(fs::exists(m_journal), refused);
    if (refused) {
        QVERIFY(!recovered);
        QCOMPARE(recovered.error().code, ErrorCode::JournalDamaged);
        QCOMPARE(recovered.error().args, Arguments{m_journal.filename().native()});
    } else {
        QVERIFY2(recovered, describe(recovered).c_str());
        QCOMPARE(*recovered, Recovery::NotNeeded);
    }
}

// A small valid journal of this file, which claims that 4 GiB of a sparse file are its new header.
void TestJournal::believesNoLengthOfAHeader() {
    writeFile(m_file, FileBytes("gufo"));
    fs::resize_file(m_file, 5 * kGiB);
    saving::UndoEntry entry;
    struct stat status{};
    QCOMPARE(::stat(m_file.c_str(), &status), 0);
    entry.name = m_file.filename().native();
    entry.inode = status.st_ino;
    entry.oldSize = entry.newSize = 5 * kGiB;
    entry.oldDataOffset = 4 * kGiB;
    entry.newHeaderBytes = 4 * kGiB;
    entry.dataHash = quickHash(std::vector<std::byte>(4096));
    std::ranges::copy(saving::unfinishedStart(entry.mark), entry.oldStart.begin());
    entry.newStart = entry.oldStart;
    const auto bytes = saving::encodeJournal(saving::UndoJournal{{entry}});
    writeFile(m_journal, FileBytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    HookedOperations operations;
    const auto recovered = saving::recover(m_file, &operations);
    QVERIFY2(operations.bytesRead <= kFewBytes, qPrintable(QString::number(operations.bytesRead)));
    QVERIFY(!recovered);
    QCOMPARE(recovered.error().code, ErrorCode::JournalDamaged);
}

// Recovery would refuse the journal of such a save.
void TestJournal::longHeadersAreCopied() {
    GgufBuilder builder;
    builder.key("general.architecture", "llama").key("general.name", "before");
    builder.key("long.text", std::string(saving::kLargestHeaderInPlace, 'l'));
    builder.tensor("a", 0, {100}, std::vector<std::byte>(400));
    builder.write(m_file);
    const auto base = openModel(m_file).value();
    const Model edited = ModelEdit(*base).set("general.name", "afteR!").model();
    const auto report = gguf::save(*base, edited, {});
    QVERIFY2(report, describe(report).c_str());
    QCOMPARE(report->files.at(0).plan.strategy, SaveStrategy::Copy);
    QCOMPARE(report->files.at(0).plan.reason, SaveReason::HeaderTooLong);
    QCOMPARE(openModel(m_file).value()->metadata.string("general.name"), std::string_view("afteR!"));
}

GUFO_TEST(TestJournal)
#include "tst_journal.moc"
