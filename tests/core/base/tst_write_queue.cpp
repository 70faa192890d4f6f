// The queue of bytes to be written: their order, its bound, errors, and that nothing waits for ever. Writing the bytes
// of a mapped file.
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "base/write_queue.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <thread>

using namespace gufo;

namespace {

std::vector<std::byte> counting(std::size_t count, std::size_t first) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>((first + i) % 251);
    }
    return bytes;
}

} // namespace

class TestWriteQueue final : public QObject {
    Q_OBJECT

private slots:
    void keepsTheOrder_data();
    void keepsTheOrder();
    void writesKeptBytesWithoutACopy();
    void writesOnItsOwnThread();
    void writesAMappingThatLostItsFile();
    void boundsItsMemory();
    void reportsTheFirstError();
    void dropsWhatWasNotFinished();
};

void TestWriteQueue::keepsTheOrder_data() {
    QTest::addColumn<std::size_t>("total");
    QTest::addColumn<std::size_t>("piece");
    QTest::newRow("nothing") << std::size_t{0} << std::size_t{1};
    QTest::newRow("one byte") << std::size_t{1} << std::size_t{1};
    QTest::newRow("a block") << WriteQueue::kBlockBytes << WriteQueue::kBlockBytes;
    QTest::newRow("odd pieces") << 3 * WriteQueue::kBlockBytes + 7 << std::size_t{99'991};
    QTest::newRow("pieces of several blocks") << 9 * WriteQueue::kBlockBytes << 3 * WriteQueue::kBlockBytes - 1;
    QTest::newRow("more than the bound") << 2 * WriteQueue::kMaxBytes << std::size_t{777'777};
}

void TestWriteQueue::keepsTheOrder() {
    QFETCH(std::size_t, total);
    QFETCH(std::size_t, piece);
    std::vector<std::byte> written;
    WriteQueue queue([&](Bytes bytes) -> Result<> {
        written.insert(written.end(), bytes.begin(), bytes.end());
        return {};
    });
    for (std::size_t at = 0; at < total; at += piece) {
        QVERIFY(queue.push(counting(std::min(piece, total - at), at)));
    }
    QVERIFY(queue.finish());
    QVERIFY(written == counting(total, 0));
    QVERIFY(queue.push(counting(5, total))); // it can go on
    QVERIFY(queue.finish());
    QVERIFY(written == counting(total + 5, 0));
}

// Kept bytes are written from where they are, in order with copied bytes.
void TestWriteQueue::writesKeptBytesWithoutACopy() {
    const std::vector<std::byte> kept = counting(3 * WriteQueue::kBlockBytes + 5, 100);
    const auto isKept = [&](Bytes bytes) {
        return bytes.data() >= kept.data() && bytes.data() < kept.data() + kept.size();
    };
    std::vector<std::byte> written;
    std::size_t writtenFromKept = 0;
    WriteQueue queue([&](Bytes bytes) -> Result<> {
        writtenFromKept += isKept(bytes) ? bytes.size() : 0;
        written.insert(written.end(), bytes.begin(), bytes.end());
        return {};
    });
    QVERIFY(queue.push(counting(100, 0)));
    QVERIFY(queue.pushKept(kept));
    QVERIFY(queue.push(counting(7, 100 + kept.size())));
    QVERIFY(queue.pushKept({}));
    QVERIFY(queue.finish());
    QVERIFY(written == counting(107 + kept.size(), 0));
    QCOMPARE(writtenFromKept, kept.size());
}

// A file that another process truncates while it is copied: the copy has zeros instead, and the mapping says so.
void TestWriteQueue::writesAMappingThatLostItsFile() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("source").toStdString();
    const std::filesystem::path copy = folder.filePath("copy").toStdString();
    const std::size_t page = pageSize();
    {
        auto source = OutputFile::create(path);
        QVERIFY(source && source->write(counting(3 * page, 0)) && source->commit());
    }
    const auto mapped = MappedFile::open(path);
    QVERIFY(mapped);
    std::filesystem::resize_file(path, page);
    {
        auto out = OutputFile::create(copy);
        QVERIFY(out && out->write(*(*mapped)->view({0, 3 * page})) && out->commit());
    }
    QVERIFY((*mapped)->damage());
    const auto copied = MappedFile::open(copy);
    QVERIFY(copied);
    std::vector<std::byte> expected = counting(page, 0);
    expected.resize(3 * page);
    const Bytes bytes = *(*copied)->view({0, (*copied)->size()});
    QVERIFY(std::equal(bytes.begin(), bytes.end(), expected.begin(), expected.end()));
}

void TestWriteQueue::writesOnItsOwnThread() {
    std::thread::id writer;
    WriteQueue queue([&](Bytes) -> Result<> {
        writer = std::this_thread::get_id();
        return {};
    });
    QVERIFY(queue.push(counting(10, 0)));
    QVERIFY(queue.finish());
    QVERIFY(writer != std::thread::id() && writer != std::this_thread::get_id());
}

// However slow the writer is, what waits is bounded.
void TestWriteQueue::boundsItsMemory() {
    std::atomic<std::size_t> pushed = 0;
    std::size_t written = 0;
    std::size_t maximum = 0;
    WriteQueue queue([&](Bytes bytes) -> Result<> {
        maximum = std::max(maximum, pushed.load() - written);
        written += bytes.size();
        return {};
    });
    constexpr std::size_t kPiece = 64 * 1024;
    for (std::size_t i = 0; i < 4 * WriteQueue::kMaxBytes / kPiece; ++i) {
        QVERIFY(queue.push(counting(kPiece, i)));
        pushed += kPiece;
    }
    QVERIFY(queue.finish());
    QCOMPARE(written, 4 * WriteQueue::kMaxBytes);
    QVERIFY(maximum <= WriteQueue::kMaxBytes + 2 * WriteQueue::kBlockBytes);
}

void TestWriteQueue::reportsTheFirstError() {
    int calls = 0;
    WriteQueue queue([&](Bytes) -> Result<> {
        ++calls;
        return calls == 2 ? Result<>(fail(ErrorCode::WriteFailed, Place::atOffset(7))) : Result<>();
    });
    Result<> pushed;
    std::size_t pushes = 0;
    for (; pushed && pushes < 100; ++pushes) {
        pushed = queue.push(counting(WriteQueue::kBlockBytes, 0));
    }
    QVERIFY(!pushed);
    QCOMPARE(pushed.error().code, ErrorCode::WriteFailed);
    QVERIFY(pushes <= 2 + WriteQueue::kMaxBytes / WriteQueue::kBlockBytes + 1);
    const auto finished = queue.finish();
    QVERIFY(!finished);
    QCOMPARE(finished.error().place.offset, std::optional<std::uint64_t>(7));
    QCOMPARE(calls, 2); // nothing is written after an error
}

void TestWriteQueue::dropsWhatWasNotFinished() {
    std::atomic<std::size_t> written = 0;
    {
        WriteQueue queue([&](Bytes bytes) -> Result<> {
            written += bytes.size();
            return {};
        });
        QVERIFY(queue.push(counting(100, 0))); // less than a block, so it waits for more
    }
    QCOMPARE(written.load(), std::size_t{0});
}

GUFO_TEST(TestWriteQueue)
#include "tst_write_queue.moc"
