// Parts of tensors: any run of weights, bytes that end anywhere, pieces whose byte order is changed, and strides.
#include "random_rows.h"
#include "support/test_unit.h"
#include "tensor/decode.h"

#include <QTest>

#include <array>

using namespace gufo;
using namespace gufo::test;

class TestDecodeParts : public QObject {
    Q_OBJECT

private slots:
    void anyRunOfWeights_data() { addTypeRows(); }
    void anyRunOfWeights();
    void bytesThatEndAnywhere_data() { addTypeRows(); }
    void bytesThatEndAnywhere();
    void byteOrderInPieces_data() { addTypeRows(); }
    void byteOrderInPieces();
    void strides_data();
    void strides();
    void stridesThatDoNotFit();
};

void TestDecodeParts::anyRunOfWeights() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::size_t columns = std::size_t{2} * type.blockSize;
    const std::size_t weights = 3 * columns;
    const auto bytes = randomRows(type, 2, 3, 11);
    for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
        const StoredRows rows = *StoredRows::of(typeId, columns, bytes, order);
        QCOMPARE(rows.weights(), weights);
        std::vector<float> all;
        for (std::size_t row = 0; row < 3; ++row) { // one by one
            const std::size_t size = rows.layout.rowBytes();
            std::vector<float> one(columns);
            QVERIFY(decode(typeId, Bytes(bytes).subspan(row * size, size), one, order));
            all.insert(all.end(), one.begin(), one.end());
        }
        for (std::size_t first = 0; first <= weights; first += 1 + type.blockSize / 16) {
            for (std::size_t count = 0; first + count <= weights; count += 1 + type.blockSize / 8) {
                std::vector<float> run(count);
                std::vector<double> wide(count);
                QVERIFY(decode(rows, first, run));
                QVERIFY(decode64(rows, first, wide));
                QVERIFY(std::ranges::equal(run, std::span(all).subspan(first, count), same));
                QVERIFY(std::ranges::equal(run, wide, same, {}, [](double v) { return static_cast<float>(v); }) ||
                        needsDouble(typeId));
            }
        }
        std::vector<float> tooMany(2);
        QCOMPARE(decode(rows, weights - 1, tooMany).error().code, ErrorCode::RangeOutsideFile);
        QCOMPARE(decode(rows, ~std::uint64_t{0}, tooMany).error().code, ErrorCode::RangeOutsideFile);
    }
}

// A file that ends anywhere holds the weights of the blocks that are whole.
void TestDecodeParts::bytesThatEndAnywhere() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::size_t columns = std::size_t{2} * type.blockSize;
    const auto bytes = randomRows(type, 2, 2, 12);
    const StoredRows whole = *StoredRows::of(typeId, columns, bytes);
    std::vector<float> all(whole.weights());
    QVERIFY(decode(whole, 0, all));
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        // A copy, so that the sanitizer sees a read past its end.
        const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const StoredRows rows = *StoredRows::of(typeId, columns, part);
        std::size_t blocks = 0;
        while (blocks < 4 && whole.layout.blockOffset(blocks * type.blockSize) + type.blockBytes <= size) {
            ++blocks;
        }
        QCOMPARE(rows.weights(), blocks * type.blockSize);
        std::vector<float> there(rows.weights());
        QVERIFY(decode(rows, 0, there));
        QVERIFY(std::ranges::equal(there, std::span(all).first(there.size()), same));
        std::vector<float> more(there.size() + 1);
        QVERIFY(!decode(rows, 0, more));
    }
}

// Bytes that are changed in order in pieces, which begin within rows, are those changed at once.
void TestDecodeParts::byteOrderInPieces() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::size_t columns = std::size_t{3} * type.blockSize;
    const auto bytes = randomRows(type, 3, 5, 13);
    const RowLayout layout = *RowLayout::of(type, columns);
    std::vector<std::byte> whole(bytes.size());
    QVERIFY(swapByteOrder(layout, 0, bytes, whole));
    const StoredRows rows{.layout = layout, .bytes = bytes};
    const StoredRows swapped{.layout = layout, .bytes = whole, .order = ByteOrder::Big};
    std::vector<float> little(rows.weights());
    std::vector<float> big(rows.weights());
    QVERIFY(decode(rows, 0, little) && decode(swapped, 0, big));
    QVERIFY(std::ranges::equal(little, big, same));
    for (const std::uint64_t blocks : {1U, 2U, 3U, 4U, 7U, 15U}) {
        std::vector<std::byte> pieces;
        for (std::uint64_t at = 0; at < rows.weights(); at += blocks * type.blockSize) {
            const std::uint64_t end = std::min(at + blocks * type.blockSize, rows.weights());
            const Bytes piece = Bytes(bytes).subspan(layout.offset(at), layout.offset(end) - layout.offset(at));
            pieces.resize(pieces.size() + piece.size());
            QVERIFY(swapByteOrder(layout, at, piece, std::span(pieces).last(piece.size())));
        }
        QVERIFY(pieces == whole);
    }
    // Not the end of a block.
    if (type.blockBytes > 1) {
        std::vector<std::byte> out(bytes.size() - 1);
        QCOMPARE(swapByteOrder(layout, 0, Bytes(bytes).first(out.size()), out).error().code,
                 ErrorCode::InvalidArgument);
    }
    QCOMPARE(swapByteOrder(layout, 0, bytes, std::span(whole).first(1)).error().code, ErrorCode::InvalidArgument);
}

void TestDecodeParts::strides_data() {
    QTest::addColumn<QList<quint64>>("dims");
    QTest::addColumn<QList<quint64>>("steps");
    QTest::addColumn<bool>("inOrder");
    QTest::newRow("in order") << QList<quint64>{5, 4, 3} << QList<quint64>{1, 5, 20} << true;
    QTest::newRow("transposed") << QList<quint64>{4, 5, 3} << QList<quint64>{5, 1, 20} << false;
    QTest::newRow("a part") << QList<quint64>{2, 3} << QList<quint64>{2, 20} << false;
    QTest::newRow("a column") << QList<quint64>{7} << QList<quint64>{8} << false;
    QTest::newRow("repeated") << QList<quint64>{30, 70} << QList<quint64>{0, 1} << false;
    QTest::newRow("one weight") << QList<quint64>{1, 1} << QList<quint64>{9, 4} << true;
    QTest::newRow("scalar") << QList<quint64>{} << QList<quint64>{} << true;
    QTest::newRow("nothing") << QList<quint64>{3, 0, 2} << QList<quint64>{1, 7, 0} << true;
}

// Weights at their positions, worked out one by one, for elements of each size and both byte orders.
void TestDecodeParts::strides() {
    QFETCH(QList<quint64>, dims);
    QFETCH(QList<quint64>, steps);
    QFETCH(bool, inOrder);
    const auto list = [](const QList<quint64>& from) { return std::vector<std::uint64_t>(from.begin(), from.end()); };
    const auto strides = Strides::of(list(dims), list(steps));
    QVERIFY(strides);
    QCOMPARE(strides->inOrder(), inOrder);
    std::vector<std::uint64_t> positions;
    for (std::uint64_t i = 0; i < strides->weights; ++i) {
        std::uint64_t position = 0;
        std::uint64_t rest = i;
        for (qsizetype d = 0; d < dims.size(); ++d) {
            position += rest % dims[d] * steps[d];
            rest /= dims[d];
        }
        positions.push_back(position);
    }
    QCOMPARE(strides->extent, positions.empty() ? 0U : *std::ranges::max_element(positions) + 1);
    for (const TensorType id : {TensorType::U8, TensorType::F16, TensorType::F32, TensorType::F64}) {
        const TensorTypeFact& type = tensorTypeFact(id);
        const auto bytes = randomRows(type, strides->extent, 1, 5);
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            std::vector<double> stored(strides->extent);
            QVERIFY(decode64(type.id, bytes, stored, order));
            const auto rows = StoredRows::strided(type.id, *strides, bytes, order);
            QVERIFY(rows);
            QCOMPARE(rows->weights(), strides->weights);
            for (const std::uint64_t first : {std::uint64_t{0}, strides->weights / 3, strides->weights}) {
                const std::uint64_t count = strides->weights - first;
                std::vector<float> narrow(count);
                std::vector<double> wide(count);
                std::vector<std::byte> copied(count * type.blockBytes);
                QVERIFY(decode(*rows, first, narrow) && decode64(*rows, first, wide));
                QVERIFY(copyStored(*rows, first, count, copied));
                for (std::uint64_t i = 0; i < count; ++i) {
                    const double expected = stored[positions[first + i]];
                    QVERIFY(same(narrow[i], static_cast<float>(expected)));
                    QVERIFY(wide[i] == expected || (std::isnan(wide[i]) && std::isnan(expected)));
                    const Bytes from = Bytes(bytes).subspan(positions[first + i] * type.blockBytes, type.blockBytes);
                    QVERIFY(std::ranges::equal(from, Bytes(copied).subspan(i * type.blockBytes, type.blockBytes)));
                    QVERIFY(std::ranges::equal(from, rows->block(first + i).bytes));
                }
            }
            std::vector<float> tooMany(strides->weights + 1);
            QCOMPARE(decode(*rows, 0, tooMany).error().code, ErrorCode::RangeOutsideFile);
            if (strides->extent != 0) { // one byte is missing: none can be decoded
                QCOMPARE(StoredRows::strided(type.id, *strides, Bytes(bytes).first(bytes.size() - 1))->weights(), 0U);
            }
        }
    }
}

void TestDecodeParts::stridesThatDoNotFit() {
    constexpr std::uint64_t kHuge = std::uint64_t{1} << 63U;
    const auto of = [](std::initializer_list<std::uint64_t> dims, std::initializer_list<std::uint64_t> steps) {
        return Strides::of(std::vector(dims), std::vector(steps));
    };
    QVERIFY(!of({kHuge, 4}, {0, 0}));          // weights
    QVERIFY(!of({3}, {kHuge}));                // positions
    QVERIFY(!of({2, 2}, {kHuge, kHuge}));      // their sum
    QVERIFY(of({kHuge, 4, 0}, {kHuge, 1, 1})); // nothing is nowhere
    const auto wide = of({2}, {kHuge});
    QVERIFY(wide);
    QVERIFY(RowLayout::strided(tensorTypeFact(TensorType::U8), *wide));
    QVERIFY(!RowLayout::strided(tensorTypeFact(TensorType::F32), *wide)); // bytes
    const auto row = of({32}, {1});
    QVERIFY(!RowLayout::strided(tensorTypeFact(TensorType::Q4_0), *row)); // weights share a block
    QCOMPARE(StoredRows::strided(static_cast<std::uint32_t>(TensorType::Q4_0), *row, {}).error().code,
             ErrorCode::InvalidArgument);
    QCOMPARE(StoredRows::strided(43, *row, {}).error().code, ErrorCode::NotDecodable);
    std::vector<std::byte> out(18);
    const StoredRows q4 = *StoredRows::of(static_cast<std::uint32_t>(TensorType::Q4_0), 32, out);
    QCOMPARE(copyStored(q4, 0, 32, out).error().code, ErrorCode::InvalidArgument);
}

GUFO_TEST(TestDecodeParts)
#include "tst_decode_parts.moc"
