#include "analysis/weight_tile.h"
#include "core/tensor/golden.h"
#include "support/tensor_models.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "test_paths.h"

#include <QFile>
#include <QTest>

#include <bit>
#include <cmath>

using namespace gufo;
using namespace gufo::test;

namespace {

std::vector<std::byte> goldenBlocks(const QString& name) {
    QFile file(QStringLiteral(GUFO_TEST_DATA "/golden/%1.raw").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
    return {from, from + bytes.size()};
}

} // namespace

class TestWeightTile : public QObject {
    Q_OBJECT

private slots:
    void indexAndPositionAreInverse();
    void tileOfEveryDimension();
    void exactIntegersAndDoubles();
    void bitsOfFloats();
    void tileOfBlocks_data();
    void tileOfBlocks();
    void truncatedTensorHasHoles();
    void refusesWhatIsNotThere();
    void cancelled();
    void explainsEveryWeight_data();
    void explainsEveryWeight();
    void decisiveBytesOfQ8AndQ4K();
};

void TestWeightTile::indexAndPositionAreInverse() {
    const std::vector<std::uint64_t> dims{5, 4, 3, 2};
    const Shape shape(dims);
    for (std::size_t rowDimension = 1; rowDimension < 4; ++rowDimension) {
        for (std::uint64_t index = 0; index < 120; ++index) {
            const WeightPosition at = weightPosition(shape, index, rowDimension);
            SliceRequest matrix{.rowDimension = rowDimension};
            matrix.fixed = at.fixed;
            QCOMPARE(weightIndex(shape, matrix, at.row, at.column), index);
        }
    }
    QCOMPARE(weightPosition(Shape(std::vector<std::uint64_t>{7}), 6).column, 6U);
    QCOMPARE(weightPosition(Shape(std::vector<std::uint64_t>{7}), 6).row, 0U);
}

void TestWeightTile::tileOfEveryDimension() {
    std::vector<float> values(4 * 3 * 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i);
    }
    const auto model = TensorModel().numbers("t", TensorType::F32, {4, 3, 2}, values).share();
    SliceRequest request{.firstRow = 1, .rows = 2, .firstColumn = 2, .columns = 2};
    request.fixed[2] = 1;
    auto tile = readWeightTile(*model, TensorIndex(0), request);
    QVERIFY(tile);
    QCOMPARE(tile->values, (std::vector<double>{18, 19, 22, 23}));
    request = {.firstRow = 0, .rows = 2, .firstColumn = 0, .columns = 1, .rowDimension = 2};
    request.fixed[1] = 2;
    tile = readWeightTile(*model, TensorIndex(0), request);
    QVERIFY(tile);
    QCOMPARE(tile->values, (std::vector<double>{8, 20}));
}

void TestWeightTile::exactIntegersAndDoubles() {
    const std::vector<std::int64_t> large{(1LL << 60) + 1, -3};
    const std::vector<double> fine{0.1, 1e300};
    const auto model = TensorModel()
                           .numbers("i", TensorType::I64, {2}, large)
                           .numbers("d", TensorType::F64, {2}, fine)
                           .numbers("b", TensorType::I8, {2}, std::vector<std::int8_t>{-128, 127})
                           .share();
    const SliceRequest all{.rows = 1, .columns = 2};
    const auto integers = readWeightTile(*model, TensorIndex(0), all);
    QVERIFY(integers);
    QCOMPARE(static_cast<std::int64_t>(integers->stored[0]), large[0]);
    QCOMPARE(static_cast<std::int64_t>(integers->stored[1]), large[1]);
    const auto doubles = readWeightTile(*model, TensorIndex(1), all);
    QVERIFY(doubles);
    QCOMPARE(doubles->values, fine);
    QCOMPARE(doubles->stored[0], std::bit_cast<std::uint64_t>(0.1));
    const auto bytes = readWeightTile(*model, TensorIndex(2), all);
    QVERIFY(bytes);
    QCOMPARE(static_cast<std::int64_t>(bytes->stored[0]), -128);
    QCOMPARE(bytes->values, (std::vector<double>{-128, 127}));
}

void TestWeightTile::bitsOfFloats() {
    const auto model = TensorModel()
                           .numbers("h", TensorType::F16, {2}, std::vector<std::uint16_t>{0x3C00, 0xFC00})
                           .numbers("f", TensorType::F32, {1}, std::vector<float>{-0.0F})
                           .share();
    const auto halves = readWeightTile(*model, TensorIndex(0), {.rows = 1, .columns = 2});
    QVERIFY(halves);
    QCOMPARE(halves->stored, (std::vector<std::uint64_t>{0x3C00, 0xFC00}));
    QVERIFY(std::isinf(halves->values[1]));
    const auto floats = readWeightTile(*model, TensorIndex(1), {.rows = 1, .columns = 1});
    QVERIFY(floats);
    QCOMPARE(floats->stored[0], 0x80000000U);
}

void TestWeightTile::tileOfBlocks_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<std::uint32_t>("type");
    for (const auto& [file, type] :
         std::initializer_list<std::pair<const char*, TensorType>>{{"q4_0", TensorType::Q4_0},
                                                                   {"q8_0", TensorType::Q8_0},
                                                                   {"q4_K", TensorType::Q4_K},
                                                                   {"q6_K", TensorType::Q6_K},
                                                                   {"iq4_xs", TensorType::IQ4_XS}}) {
        QTest::newRow(file) << QString::fromLatin1(file) << static_cast<std::uint32_t>(type);
    }
}

void TestWeightTile::tileOfBlocks() {
    QFETCH(QString, file);
    QFETCH(std::uint32_t, type);
    const std::vector<std::byte> bytes = goldenBlocks(file);
    QVERIFY(!bytes.empty());
    const TensorTypeFact& facts = *findTensorType(type);
    const std::uint64_t columns = 4ULL * facts.blockSize;
    const std::uint64_t rows = bytes.size() / facts.blockBytes / 4;
    const auto model = TensorModel().add("t", type, {columns, rows}, bytes).share();
    std::vector<float> all(columns * rows);
    QVERIFY(decode(*model->rowsOf(model->tensor(TensorIndex(0))), 0, all));
    // A run that starts and ends inside blocks.
    const SliceRequest request{.firstRow = 1, .rows = 3, .firstColumn = 7, .columns = columns - 9};
    const auto tile = readWeightTile(*model, TensorIndex(0), request);
    QVERIFY(tile);
    for (std::uint64_t row = 0; row < request.rows; ++row) {
        for (std::uint64_t column = 0; column < request.columns; ++column) {
            const std::uint64_t index = (row + 1) * columns + column + 7;
            QCOMPARE(tile->values[row * request.columns + column], static_cast<double>(all[index]));
            const auto explained = explainTensorWeight(*model, TensorIndex(0), index);
            QVERIFY(explained);
            const auto quickly = explainStoredWeight(*model, TensorIndex(0), index);
            QVERIFY(quickly && quickly->decisive.empty());
            QCOMPARE(quickly->fields.value, explained->fields.value);
            QCOMPARE(quickly->fields.code, explained->fields.code);
            QCOMPARE(quickly->bytes, explained->bytes);
            const auto stored = static_cast<std::int64_t>(tile->stored[row * request.columns + column]);
            QCOMPARE(stored, firstStored(type) + explained->fields.code);
            if (type == static_cast<std::uint32_t>(TensorType::Q8_0)) { // a byte of the block, after its scale
                const std::uint64_t at = index / facts.blockSize * facts.blockBytes + 2 + index % facts.blockSize;
                QCOMPARE(stored, std::to_integer<std::int8_t>(bytes[at]));
            } else {
                QVERIFY(stored >= 0 && stored < codeCount(type));
            }
        }
    }
}

void TestWeightTile::truncatedTensorHasHoles() {
    const auto model =
        TensorModel().add("t", static_cast<std::uint32_t>(TensorType::F32), {2, 3}, std::vector<std::byte>(14)).share();
    const auto tile = readWeightTile(*model, TensorIndex(0), {.rows = 3, .columns = 2});
    QVERIFY(tile);
    QCOMPARE(tile->present, (std::vector<bool>{true, true, true, false, false, false}));
    const auto explained = explainTensorWeight(*model, TensorIndex(0), 3);
    QVERIFY(!explained);
    QCOMPARE(explained.error().code, ErrorCode::Truncated);
}

void TestWeightTile::refusesWhatIsNotThere() {
    const auto model = TensorModel().zeros("t", TensorType::F32, {2, 3}).add("u", 9999, {4}, {}).share();
    const auto codeOf = [&](std::size_t tensor, const SliceRequest& request) {
        const auto tile = readWeightTile(*model, TensorIndex(tensor), request);
        return tile ? std::string_view("read") : errorName(tile.error().code);
    };
    const auto invalid = errorName(ErrorCode::InvalidArgument);
    QCOMPARE(codeOf(0, {.firstRow = 1, .rows = 3, .columns = 1}), invalid);
    QCOMPARE(codeOf(0, {.firstRow = ~0ULL, .rows = 2, .columns = 1}), invalid);
    QCOMPARE(codeOf(0, {.rows = 1, .firstColumn = 3, .columns = 0}), invalid);
    QCOMPARE(codeOf(0, {.rows = 1, .columns = 1, .rowDimension = 0}), invalid);
    QCOMPARE(codeOf(1, {.rows = 1, .columns = 1}), errorName(ErrorCode::NotDecodable));
    QVERIFY(!explainTensorWeight(*model, TensorIndex(0), 6));
    QVERIFY(!explainTensorWeight(*model, TensorIndex(1), 0));
}

void TestWeightTile::cancelled() {
    const auto model = TensorModel().zeros("t", TensorType::F32, {64, 64}).share();
    std::stop_source stop;
    stop.request_stop();
    const auto tile = readWeightTile(*model, TensorIndex(0), {.rows = 64, .columns = 64}, {.stop = stop.get_token()});
    QVERIFY(!tile);
    QCOMPARE(tile.error().code, ErrorCode::Cancelled);
}

void TestWeightTile::explainsEveryWeight_data() {
    QTest::addColumn<std::uint32_t>("type");
    for (const TensorTypeFact& type : tensorTypes()) {
        // No file contains Q8_1 or Q8_K, which are forms of activations; they have no golden blocks.
        const bool isStored = type.name != "Q8_1" && type.name != "Q8_K";
        if (isStored && type.kind == TensorTypeKind::Quantised && isDecodable(type.id) && codeCount(type.id) != 0) {
            QTest::newRow(std::string(type.name).c_str()) << type.id;
        }
    }
}

// The explained value equals the decoded value, and bytes that are said not to matter do not.
void TestWeightTile::explainsEveryWeight() {
    QFETCH(std::uint32_t, type);
    const TensorTypeFact& facts = *findTensorType(type);
    QVERIFY(!golden(type).values.empty());
    // Two rows of two blocks.
    std::vector<std::byte> bytes = shuffledBlocks(type, 2, 1);
    std::ranges::copy(shuffledBlocks(type, 2, 2), std::back_inserter(bytes));
    const std::uint64_t columns = 2ULL * facts.blockSize;
    const auto model = TensorModel().add("t", type, {columns, 2}, bytes).share();
    const StoredRows rows = *model->rowsOf(model->tensor(TensorIndex(0)));
    std::vector<float> values(2 * columns);
    QVERIFY(decode(rows, 0, values));
    for (std::uint64_t index = 0; index < values.size(); index += 97) {
        const auto explained = explainTensorWeight(*model, TensorIndex(0), index);
        QVERIFY(explained);
        QCOMPARE(explained->block, index / facts.blockSize);
        QCOMPARE(explained->bytes.size(), static_cast<std::size_t>(facts.blockBytes));
        QVERIFY(explained->fields.value == values[index] ||
                (std::isnan(explained->fields.value) && std::isnan(values[index])));
        std::vector<std::byte> scrambled = explained->bytes;
        for (std::size_t i = 0; i < scrambled.size(); ++i) {
            scrambled[i] ^= explained->decisive[i] ? std::byte{0} : std::byte{0xA5};
        }
        const auto again = explainWeight(type, {scrambled, rows.block(index).header},
                                         static_cast<std::uint32_t>(index % facts.blockSize));
        QVERIFY(again);
        QVERIFY(again->value == values[index] || (std::isnan(again->value) && std::isnan(values[index])));
        // The scale of a row is shown with the block.
        QCOMPARE(explained->offset, rows.layout.blockOffset(index));
        if (facts.rowHeaderBytes != 0) {
            QVERIFY(!explained->constants.empty() && explained->constants.front().name == "d");
        }
    }
}

void TestWeightTile::decisiveBytesOfQ8AndQ4K() {
    std::vector<std::byte> q8(34, std::byte{3});
    q8[1] = std::byte{0x3C};
    std::vector<std::byte> q4(144, std::byte{0x11});
    q4[1] = q4[3] = std::byte{0x3C};
    const auto model = TensorModel()
                           .add("q8", static_cast<std::uint32_t>(TensorType::Q8_0), {32}, q8)
                           .add("q4", static_cast<std::uint32_t>(TensorType::Q4_K), {256}, q4)
                           .share();
    const auto first = explainTensorWeight(*model, TensorIndex(0), 5);
    QVERIFY(first);
    for (std::size_t i = 0; i < 34; ++i) {
        QCOMPARE(first->decisive[i], i < 2 || i == 7);
    }
    QCOMPARE(first->constants.size(), 1U);
    QCOMPARE(first->fields.level, 3);
    QCOMPARE(first->fields.value, 3 * first->constants[0].value);
    // Weight 70 of a Q4_K block: sub-block 2, low nibble of byte 16 + 32 + 6, scale and minimum in bytes 6 and 10.
    const auto second = explainTensorWeight(*model, TensorIndex(1), 70);
    QVERIFY(second);
    for (std::size_t i = 0; i < 144; ++i) {
        QCOMPARE(second->decisive[i], i < 4 || i == 6 || i == 10 || i == 54);
    }
    QCOMPARE(second->constants.size(), 2U);
    QCOMPARE(second->fields.subBlock, 2U);
}

GUFO_TEST(TestWeightTile)
#include "tst_weight_tile.moc"
