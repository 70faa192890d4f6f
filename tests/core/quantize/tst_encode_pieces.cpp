// Pieces that several threads encode are written in their order, whichever thread is done first.
#include "quantize/encode_pieces.h"
#include "support/test_unit.h"

#include <QTest>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

using namespace gufo;

namespace {

constexpr std::uint64_t kPieces = 300;
constexpr std::uint64_t kColumns = 32;

Shape shapeOfRows(std::uint64_t rows) {
    const std::array<std::uint64_t, 2> dims{kColumns, rows};
    return Shape(dims);
}

// A row per piece. The threads take different times for their pieces.
PieceWriter writerOf(std::stop_token stop = {}) { return {kColumns, {.stop = std::move(stop), .threads = 5}}; }

Result<> makeNumber(const WeightPiece& piece, PieceBuffers& buffers) {
    const std::uint64_t number = piece.first / kColumns;
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 == 0 ? 400 : number % 3));
    buffers.bytes.resize(sizeof number);
    std::memcpy(buffers.bytes.data(), &number, sizeof number);
    buffers.encoded = buffers.bytes;
    return {};
}

std::uint64_t numberIn(Bytes bytes) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

} // namespace

class TestEncodePieces final : public QObject {
    Q_OBJECT

private slots:
    void keepsTheOrder();
    void reportsTheFirstError();
    void stopsWhenNothingCanBeWritten();
    void canBeCancelled();
    void floatsAreNotCopied();
};

void TestEncodePieces::keepsTheOrder() {
    PieceWriter writer = writerOf();
    for (int round = 0; round < 3; ++round) { // the buffers are used again
        std::vector<std::uint64_t> written;
        std::atomic<int> writing = 0;
        const auto done = writer.write(shapeOfRows(kPieces), makeNumber, [&](Bytes bytes) -> Result<> {
            if (writing.fetch_add(1) != 0) {
                return fail(ErrorCode::WriteFailed); // two threads at a time
            }
            written.push_back(numberIn(bytes));
            --writing;
            return {};
        });
        QVERIFY(done);
        QCOMPARE(written.size(), kPieces);
        for (std::uint64_t i = 0; i < kPieces; ++i) {
            QCOMPARE(written[i], i);
        }
    }
}

// Of several errors, the one of the first piece, before which everything was written.
void TestEncodePieces::reportsTheFirstError() {
    PieceWriter writer = writerOf();
    std::uint64_t written = 0;
    const auto make = [](const WeightPiece& piece, PieceBuffers& buffers) -> Result<> {
        const std::uint64_t number = piece.first / kColumns;
        if (number == 49 || number == 50 || number == 51) { // the first of them takes the longest
            std::this_thread::sleep_for(std::chrono::milliseconds(number == 49 ? 5 : 0));
            return fail(ErrorCode::WeightOutOfRange, Place::atOffset(number));
        }
        return makeNumber(piece, buffers);
    };
    const auto done = writer.write(shapeOfRows(kPieces), make, [&](Bytes) -> Result<> {
        ++written;
        return {};
    });
    QVERIFY(!done);
    QCOMPARE(done.error().place.offset, std::optional<std::uint64_t>(49));
    QCOMPARE(written, 49U);
}

void TestEncodePieces::stopsWhenNothingCanBeWritten() {
    PieceWriter writer = writerOf();
    std::atomic<std::uint64_t> made = 0;
    const auto make = [&](const WeightPiece& piece, PieceBuffers& buffers) {
        ++made;
        return makeNumber(piece, buffers);
    };
    std::uint64_t calls = 0;
    const auto done = writer.write(shapeOfRows(kPieces), make, [&](Bytes) -> Result<> {
        return ++calls == 3 ? Result<>(fail(ErrorCode::WriteFailed)) : Result<>();
    });
    QVERIFY(!done);
    QCOMPARE(done.error().code, ErrorCode::WriteFailed);
    QCOMPARE(calls, 3U);
    QVERIFY(made < kPieces / 2); // the buffers bound the number of pieces that are made in advance
}

void TestEncodePieces::canBeCancelled() {
    std::stop_source stop;
    PieceWriter writer = writerOf(stop.get_token());
    std::uint64_t written = 0;
    const auto done = writer.write(shapeOfRows(kPieces), makeNumber, [&](Bytes) -> Result<> {
        if (++written == 10) {
            stop.request_stop();
        }
        return {};
    });
    QVERIFY(!done);
    QCOMPARE(done.error().code, ErrorCode::Cancelled);
    QVERIFY(written < kPieces);
}

void TestEncodePieces::floatsAreNotCopied() {
    TensorInfo target;
    target.typeId = static_cast<std::uint32_t>(TensorType::F32);
    PieceBuffers buffers;
    buffers.weights = {1, -0.5F, 3e38F};
    QVERIFY(encodePiece(target, {.weights = 3, .columns = 3}, nullptr, buffers));
    QCOMPARE(static_cast<const void*>(buffers.encoded.data()), static_cast<const void*>(buffers.weights.data()));
    QCOMPARE(buffers.encoded.size(), 3 * sizeof(float));
    QVERIFY(changeByteOrder(target.typeId, ByteOrder::Big, buffers));
    QCOMPARE(buffers.encoded[0], std::byte{0x3F}); // of 1.0
    QCOMPARE(buffers.encoded[3], std::byte{0});
}

GUFO_TEST(TestEncodePieces)
#include "tst_encode_pieces.moc"
