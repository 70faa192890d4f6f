// The queue of bytes to be written: their order, its bound, errors, and that nothing waits for ever.
#include "base/write_queue.h"
#include "support/test_unit.h"

#include <QTest>

#include <atomic>
#include <cstring>
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
    void writesOnItsOwnThread();
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
