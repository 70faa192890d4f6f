// Pieces that several threads encode are written in their order, whichever thread is done first.
#include "quantize/encode_pieces.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <QTest>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

using namespace gufo;

namespace {

constexpr std::uint64_t kPieces = 300;
constexpr std::uint64_t kColumns = 32;

TensorInfo targetOf(TensorType type, std::uint64_t columns, std::uint64_t rows) {
    const std::array<std::uint64_t, 2> dims{columns, rows};
    TensorInfo target;
    target.shape = Shape(dims);
    target.typeId = static_cast<std::uint32_t>(type);
    return target;
}
TensorInfo targetOfRows(std::uint64_t rows) { return targetOf(TensorType::F32, kColumns, rows); }

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
    void rowsWithHeadersAreNotDivided_data();
    void rowsWithHeadersAreNotDivided();
};

void TestEncodePieces::keepsTheOrder() {
    PieceWriter writer = writerOf();
    for (int round = 0; round < 3; ++round) { // the buffers are used again
        std::vector<std::uint64_t> written;
        std::atomic<int> writing = 0;
        const auto done = writer.write(targetOfRows(kPieces), makeNumber, [&](Bytes bytes) -> Result<> {
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
    const auto done = writer.write(targetOfRows(kPieces), make, [&](Bytes) -> Result<> {
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
    const auto done = writer.write(targetOfRows(kPieces), make, [&](Bytes) -> Result<> {
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
    const auto done = writer.write(targetOfRows(kPieces), makeNumber, [&](Bytes) -> Result<> {
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
    const TensorInfo target = targetOf(TensorType::F32, 3, 1);
    PieceBuffers buffers;
    buffers.weights = {1, -0.5F, 3e38F};
    QVERIFY(encodePiece(target, {.weights = 3, .columns = 3}, nullptr, buffers));
    QCOMPARE(static_cast<const void*>(buffers.encoded.data()), static_cast<const void*>(buffers.weights.data()));
    QCOMPARE(buffers.encoded.size(), 3 * sizeof(float));
    QVERIFY(changeByteOrder(target, ByteOrder::Big, buffers));
    QCOMPARE(buffers.encoded[0], std::byte{0x3F}); // of 1.0
    QCOMPARE(buffers.encoded[3], std::byte{0});
}

void TestEncodePieces::rowsWithHeadersAreNotDivided_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("big");
    for (const TensorType type : {TensorType::IQ2_KS, TensorType::IQ4_KS, TensorType::IQ4_K}) {
        for (const bool big : {false, true}) {
            QTest::addRow("%s%s", tensorTypeFact(type).name.data(), big ? " big-endian" : "")
                << static_cast<int>(type) << big;
        }
    }
}

// Rows of 768 weights in pieces of at most 512: the same bytes as all rows at once.
void TestEncodePieces::rowsWithHeadersAreNotDivided() {
    QFETCH(int, type);
    QFETCH(bool, big);
    constexpr std::uint64_t kLong = 768;
    constexpr std::uint64_t kRows = 5;
    const TensorInfo target = targetOf(static_cast<TensorType>(type), kLong, kRows);
    std::vector<float> weights(kLong * kRows);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = std::sin(static_cast<float>(i) * 0.37F) * (1 + static_cast<float>(i / kLong));
    }
    std::vector<std::byte> expected(encodedBytes(target.typeId, kLong, weights.size()));
    QVERIFY(encode({.typeId = target.typeId, .columns = kLong, .importance = {}}, weights, expected));
    if (big) {
        const auto little = expected;
        QVERIFY(swapByteOrder(*RowLayout::of(*findTensorType(target.typeId), kLong), 0, little, expected));
    }
    PieceWriter writer(512, {.threads = 3});
    std::vector<std::byte> written;
    const auto make = [&](const WeightPiece& piece, PieceBuffers& buffers) -> Result<> {
        const auto part = std::span(weights).subspan(piece.first, piece.weights);
        buffers.weights.assign(part.begin(), part.end());
        auto done = encodePiece(target, piece, nullptr, buffers);
        return done ? changeByteOrder(target, big ? ByteOrder::Big : ByteOrder::Little, buffers) : done;
    };
    QVERIFY(writer.write(target, make, [&](Bytes bytes) -> Result<> {
        written.insert(written.end(), bytes.begin(), bytes.end());
        return {};
    }));
    QVERIFY(written == expected);
}

GUFO_TEST(TestEncodePieces)
#include "tst_encode_pieces.moc"
