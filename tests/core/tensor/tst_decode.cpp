// The values of each type, compared with golden ones and worked out by hand, and the description of a block and of a
// weight.
#include "golden.h"
#include "random_rows.h"
#include "support/test_unit.h"
#include "tensor/block_fields.h"
#include "tensor/block_layout.h"
#include "tensor/decode.h"
#include "tensor/tensor_type_table.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace gufo;
using namespace gufo::test;

namespace {

// Describes the first value that is not as expected; empty if all are.
QString firstDifference(Isa isa, std::span<const float> values, std::span<const float> expected) {
    const auto [value, other] = std::ranges::mismatch(values, expected, same);
    if (value == values.end()) {
        return {};
    }
    return QStringLiteral("%1: weight %2 is %3, not %4")
        .arg(QLatin1String(isaName(isa).data()))
        .arg(value - values.begin())
        .arg(*value, 0, 'g', 9)
        .arg(*other, 0, 'g', 9);
}

} // namespace

class TestDecode : public QObject {
    Q_OBJECT

private slots:
    void whatIsDecodable();
    void onlyTheTableKnowsNumbers();
    void goldenValues_data();
    void goldenValues();
    void numbersWithoutGolden();
    void activationBlocks();
    void doublesKeepWhatFloatLoses();
    void bigEndianIsSwappedFieldByField_data() { addTypeRows(); }
    void bigEndianIsSwappedFieldByField();
    void rowHeaderByHand();
    void ternaryRowsByHand();
    void refusesWhatItCannotDecode();
    void fieldsAreNamed();
    void everyWeightIsExplained_data() { goldenValues_data(); }
    void everyWeightIsExplained();
    void boundsHoldAllWeights_data() { addTypeRows(); }
    void boundsHoldAllWeights();
    void looseBoundsHoldAllWeights_data() { addTypeRows(); }
    void looseBoundsHoldAllWeights();
};

// All of ggml's types, and types of other origins for which there are golden rows. Every other one is tested by
// numbersWithoutGolden() or activationBlocks().
void TestDecode::whatIsDecodable() {
    constexpr std::array kWithoutGolden{TensorType::I8,  TensorType::I16,  TensorType::I32, TensorType::I64,
                                        TensorType::F64, TensorType::Q8_1, TensorType::Q8_K};
    for (const TensorTypeFact& type : tensorTypes()) {
        const bool tested = !golden(type.id).values.empty() ||
                            std::ranges::find(kWithoutGolden, static_cast<TensorType>(type.id)) != kWithoutGolden.end();
        QVERIFY2(isDecodable(type.id) == tested, type.name.data());
        QVERIFY2(tested || type.origin != TensorTypeOrigin::Ggml, type.name.data());
    }
    QVERIFY(!isDecodable(~0U));
}

// What is kept by type is found for each row of the table, and for no other number.
void TestDecode::onlyTheTableKnowsNumbers() {
    TensorTypeTable<int> table;
    for (std::size_t row = 0; row < tensorTypes().size(); ++row) {
        const TensorTypeFact& type = tensorTypes()[row];
        QCOMPARE(tensorTypeRow(type.id), row);
        QVERIFY(findTensorType(type.id) == &type);
        // A name that a user gives is one of GGUF's.
        QVERIFY(findTensorType(type.name) == (type.inGguf() ? &type : nullptr));
        QCOMPARE(type.inGguf(), type.id < kFirstContainerType);
        table[static_cast<TensorType>(type.id)] = static_cast<int>(row) + 1;
    }
    for (std::size_t row = 0; row < tensorTypes().size(); ++row) {
        QCOMPARE(table[tensorTypes()[row].id], static_cast<int>(row) + 1);
    }
    for (const std::uint32_t id : {43U, 64U, 96U, 100U, 142U, 256U + 8, 390U, 400U, 65'536U + 8,
                                   kFirstContainerType - 1, tensorTypes().back().id + 1, ~0U}) {
        QCOMPARE(tensorTypeRow(id), kTensorTypes);
        QVERIFY(findTensorType(id) == nullptr);
        QCOMPARE(table[id], 0);
        QVERIFY(!isDecodable(id) && codeCount(id) == 0 && blockFields(id).empty());
    }
}

void TestDecode::goldenValues_data() {
    QTest::addColumn<quint32>("typeId");
    for (const QJsonValue& row : goldenManifest()) {
        if (row["dequantizable"].toBool()) {
            QTest::newRow(qPrintable(row["name"].toString())) << static_cast<quint32>(row["id"].toInteger());
        }
    }
}

void TestDecode::goldenValues() {
    QFETCH(quint32, typeId);
    const Golden expected = golden(typeId);
    QVERIFY(!expected.values.empty());
    for (const Isa isa : availableIsas()) {
        std::vector<float> out(expected.values.size());
        const std::size_t size = expected.rows().layout.rowBytes();
        for (std::size_t row = 0; row < out.size() / expected.columns; ++row) {
            QVERIFY(decode(isa, typeId, asBytes(expected.raw).subspan(row * size, size),
                           std::span(out).subspan(row * expected.columns, expected.columns)));
        }
        QCOMPARE(firstDifference(isa, out, expected.values), QString());
    }
}

void TestDecode::numbersWithoutGolden() {
    const auto check = []<typename T>(TensorType type, std::initializer_list<T> numbers) {
        std::vector<std::byte> bytes;
        std::vector<float> expected;
        for (const T number : numbers) {
            bytes.resize(bytes.size() + sizeof(T));
            store(bytes.data() + bytes.size() - sizeof(T), number);
            expected.push_back(static_cast<float>(number));
        }
        std::vector<float> out(expected.size());
        return decode(static_cast<std::uint32_t>(type), bytes, out).has_value() && out == expected;
    };
    QVERIFY(check(TensorType::I8, {std::int8_t{-128}, std::int8_t{0}, std::int8_t{127}}));
    QVERIFY(check(TensorType::I16, {std::int16_t{-32768}, std::int16_t{255}}));
    QVERIFY(check(TensorType::I32, {-2147483647 - 1, 16'777'217}));
    QVERIFY(check(TensorType::I64, {std::int64_t{-1} << 62, std::int64_t{123}}));
    QVERIFY(check(TensorType::F64, {1e300, -0.1, 1e-310}));
}

void TestDecode::activationBlocks() {
    std::array<std::byte, 36> q81{};
    store<std::uint16_t>(q81.data(), 0x3800);     // d = 0.5
    store<std::uint16_t>(q81.data() + 2, 0x7BFF); // s, not used
    for (int i = 0; i < 32; ++i) {
        store(q81.data() + 4 + i, static_cast<std::int8_t>(i * 8 - 128));
    }
    std::array<float, 32> values{};
    QVERIFY(decode(static_cast<std::uint32_t>(TensorType::Q8_1), q81, values));
    QCOMPARE(values[0], -64.0F);
    QCOMPARE(values[31], 60.0F);

    std::array<std::byte, 292> q8k{};
    store(q8k.data(), 0.25F);
    store(q8k.data() + 4 + 255, std::int8_t{-3});
    std::array<float, 256> kValues{};
    QVERIFY(decode(static_cast<std::uint32_t>(TensorType::Q8_K), q8k, kValues));
    QCOMPARE(kValues[255], -0.75F);
    QCOMPARE(kValues[0], 0.0F);
}

void TestDecode::doublesKeepWhatFloatLoses() {
    std::array<std::byte, 8> bytes{};
    std::array<double, 1> out{};
    const auto i64 = static_cast<std::uint32_t>(TensorType::I64);
    store(bytes.data(), std::int64_t{9'007'199'254'740'991}, ByteOrder::Big);
    QVERIFY(needsDouble(i64));
    QVERIFY(decode64(i64, bytes, out, ByteOrder::Big));
    QCOMPARE(out[0], 9'007'199'254'740'991.0);
    const auto f64 = static_cast<std::uint32_t>(TensorType::F64);
    store(bytes.data(), 0.1);
    QVERIFY(decode64(f64, bytes, out));
    QCOMPARE(out[0], 0.1);

    // Values of other types are widened.
    for (const TensorTypeFact& type : tensorTypes()) {
        if (!isDecodable(type.id) || needsDouble(type.id)) {
            continue;
        }
        const auto blocks = randomRows(type, 23, 1, type.id);
        std::vector<float> narrow(23 * type.blockSize);
        std::vector<double> wide(narrow.size());
        QVERIFY(decode(type.id, blocks, narrow));
        QVERIFY(decode64(type.id, blocks, wide));
        for (std::size_t i = 0; i < wide.size(); ++i) {
            QVERIFY(same(narrow[i], static_cast<float>(wide[i])));
        }
    }
}

void TestDecode::bigEndianIsSwappedFieldByField() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const auto blocks = randomRows(type, 301, 1, 7);
    std::vector<std::byte> swapped(blocks.size());
    std::vector<std::byte> again(blocks.size());
    QVERIFY(swapByteOrder(typeId, blocks, swapped));
    QVERIFY(swapByteOrder(typeId, swapped, again));
    QVERIFY(again == blocks);
    const bool hasWords = type.blockSize == 1 ? type.blockBytes > 1 : typeId != 39 && typeId != 40;
    QCOMPARE(swapped != blocks, hasWords);

    std::vector<float> little(301 * type.blockSize);
    std::vector<float> big(little.size());
    QVERIFY(decode(typeId, blocks, little));
    QVERIFY(decode(typeId, swapped, big, ByteOrder::Big));
    QVERIFY(std::ranges::equal(little, big, same));
}

// Two weights of a row of IQ4_KS worked out by hand: a float in the header, then in each block eight bytes of scales.
void TestDecode::rowHeaderByHand() {
    const auto type = static_cast<std::uint32_t>(TensorType::IQ4_KS);
    std::vector<std::byte> row(4 + 2 * 136);
    store(row.data(), 0.5F);
    row[4] = std::byte{131};              // first block, weights 0 … 31: second code book, 0.5 × (130 − 127)
    row[4 + 8 + 3] = std::byte{0xF2};     // weights 3 and 19: entries 2 and 15
    row[140 + 7] = std::byte{254};        // second block, weights 224 … 255: first code book, 0.5 × (254 − 127)
    row[140 + 8 + 127] = std::byte{0x80}; // weights 239 and 255: entries 0 and 8
    std::vector<float> values(512);
    QVERIFY(decode(type, row, values));
    QCOMPARE(values[3], 1.5F * -79);
    QCOMPARE(values[19], 1.5F * 117);
    QCOMPARE(values[256 + 239], 63.5F * -127);
    QCOMPARE(values[256 + 255], 63.5F);
    QCOMPARE(values[0], 1.5F * -123);    // entry 0 of the second code book
    QCOMPARE(values[32], -63.5F * -127); // scale 0 − 127, entry 0 of the first
    const auto explained = explainWeight(type, {Bytes(row).subspan(4, 136), Bytes(row).first(4)}, 19);
    QVERIFY(explained);
    QCOMPARE(explained->code, 31);
    QCOMPARE(explained->level, 117);
    QCOMPARE(explained->scale, 1.5F);
    QCOMPARE(rowHeaderFields(type).size(), 1U);

    // A header without blocks, blocks without a header, a header too few.
    QCOMPARE(decode(type, Bytes(row).first(4), values).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(decode(type, Bytes(row).subspan(4), values).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(explainWeight(type, Bytes(row).subspan(4, 136), 0).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(swapByteOrder(type, Bytes(row).first(3), std::span(row).first(3)).error().code,
             ErrorCode::InvalidArgument);
    QCOMPARE(StoredRows::of(type, 255, row).error().code, ErrorCode::InvalidArgument);
}

// Rows of BitNet's types worked out by hand, as ik_llama.cpp writes them: a scale for the row, then 64 weights a block.
void TestDecode::ternaryRowsByHand() {
    std::vector<float> values(128);
    const auto two = static_cast<std::uint32_t>(TensorType::IQ2_BN);
    std::vector<std::byte> row(4 + 2 * 16);
    store(row.data(), 0.25F);
    row[4] = std::byte{0b10'01'00'10};       // weights 0, 16, 32, 48 of the first block: +, −, 0, +
    row[20 + 15] = std::byte{0b00'10'01'10}; // weights 15, 31, 47, 63 of the second: +, 0, +, −
    QVERIFY(decode(two, row, values));
    QCOMPARE((std::array{values[0], values[16], values[32], values[48]}), (std::array{0.25F, -0.25F, 0.0F, 0.25F}));
    QCOMPARE((std::array{values[79], values[95], values[111], values[127]}), (std::array{0.25F, 0.0F, 0.25F, -0.25F}));
    QCOMPARE(values[1], -0.25F);
    QCOMPARE(StoredRows::of(two, 128, row)->weights(), 128U);
    QCOMPARE(StoredRows::of(two, 128, Bytes(row).first(35))->weights(), 64U);

    const auto one = static_cast<std::uint32_t>(TensorType::IQ1_BN);
    row.assign(2 + 2 * 13, std::byte{0});
    store(row.data(), std::uint16_t{0x3800}); // 0.5
    // Weights 5 … 9: +, 0, −, 0, + are the digits 2, 1, 0, 1, 2, which are 2 + 3 + 27 + 162 = 194; 194 × 256 / 243 =
    // 204.4.
    row[2 + 1] = std::byte{205};
    // The last weight of each sixteen of the second block: 0, +, −, + are 1 + 6 + 54 = 61; 61 × 256 / 243 = 64.3.
    row[15 + 12] = std::byte{65};
    QVERIFY(decode(one, row, values));
    QCOMPARE((std::array{values[5], values[6], values[7], values[8], values[9]}),
             (std::array{0.5F, 0.0F, -0.5F, 0.0F, 0.5F}));
    QCOMPARE((std::array{values[79], values[95], values[111], values[127]}), (std::array{0.0F, 0.5F, -0.5F, 0.5F}));
    QCOMPARE(values[0], -0.5F);
    QCOMPARE(values[15], -0.5F);
}

void TestDecode::refusesWhatItCannotDecode() {
    std::array<std::byte, 18> block{};
    std::array<float, 32> out{};
    std::array<double, 32> wide{};
    QCOMPARE(decode(31, block, out).error().code, ErrorCode::NotDecodable);
    QCOMPARE(decode(31, block, out).error().args.front().text(), std::string("Q4_0_4_4"));
    QCOMPARE(decode(9999, block, out).error().code, ErrorCode::NotDecodable);
    QCOMPARE(decode64(9999, block, wide).error().code, ErrorCode::NotDecodable);
    QCOMPARE(StoredRows::of(9999, 32, block).error().code, ErrorCode::NotDecodable);
    QCOMPARE(swapByteOrder(9999, block, std::span(block)).error().code, ErrorCode::NotDecodable);
    QCOMPARE(decode(2, Bytes(block).first(17), out).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(decode(2, block, std::span(out).first(31)).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(decode64(2, Bytes(block).first(0), wide).error().code, ErrorCode::InvalidArgument);
    QVERIFY(decode(2, Bytes(block).first(0), std::span(out).first(0)));
    QCOMPARE(explainWeight(2, Bytes(block), 32).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(explainWeight(2, Bytes(block).first(3), 0).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(explainWeight(0, Bytes(block).first(4), 0).error().code, ErrorCode::NotDecodable);
}

void TestDecode::fieldsAreNamed() {
    QVERIFY(blockFields(static_cast<std::uint32_t>(TensorType::F32)).empty());
    QVERIFY(blockFields(9999).empty());
    const auto fields = blockFields(static_cast<std::uint32_t>(TensorType::Q4_K));
    QCOMPARE(fields.size(), 4U);
    QVERIFY(fields[2].name == "scales");
    QCOMPARE(fields[2].offset, 4U);
    QCOMPARE(subBlockSize(static_cast<std::uint32_t>(TensorType::Q6_K)), 16U);
    QCOMPARE(subBlockSize(static_cast<std::uint32_t>(TensorType::BF16)), 0U);
    QCOMPARE(codeCount(static_cast<std::uint32_t>(TensorType::TQ1_0)), 3U);
    QCOMPARE(codeCount(static_cast<std::uint32_t>(TensorType::F16)), 0U);
}

void TestDecode::everyWeightIsExplained() {
    QFETCH(quint32, typeId);
    const Golden expected = golden(typeId);
    const TensorTypeFact& type = *expected.type;
    if (type.kind != TensorTypeKind::Quantised) {
        QVERIFY(!explainWeight(typeId, asBytes(expected.raw).first(type.blockBytes), 0));
        return;
    }
    const std::uint32_t subBlocks = type.blockSize / subBlockSize(typeId);
    std::vector<std::byte> swapped(expected.raw.size());
    const StoredRows rows = expected.rows();
    QVERIFY(swapByteOrder(rows.layout, 0, rows.bytes, swapped));
    const StoredRows bigRows{.layout = rows.layout, .bytes = swapped, .order = ByteOrder::Big};
    for (std::size_t b = 0; b < expected.values.size() / type.blockSize; ++b) {
        const StoredBlock block = rows.block(b * type.blockSize);
        std::vector<std::uint16_t> codes;
        std::vector<float> scales;
        std::vector<float> minima;
        QVERIFY(blockCodes(typeId, block, codes));
        QVERIFY(blockScales(typeId, block, scales, &minima));
        QCOMPARE(codes.size(), type.blockSize);
        QCOMPARE(scales.size(), subBlocks);
        QVERIFY(minima.empty() || minima.size() == subBlocks);
        for (std::uint32_t i = 0; i < type.blockSize; ++i) {
            const auto weight = explainWeight(typeId, block, i);
            QVERIFY(weight);
            QVERIFY(same(weight->value, expected.values[b * type.blockSize + i]));
            QCOMPARE(weight->code, codes[i]);
            QVERIFY(codes[i] < codeCount(typeId));
            QVERIFY(same(weight->scale, scales[weight->subBlock]));
            QVERIFY(same(weight->minimum, minima.empty() ? 0.0F : minima[weight->subBlock]));
            QVERIFY(same(weight->value, static_cast<float>(weight->level) * weight->scale - weight->minimum));
            const auto big = explainWeight(typeId, bigRows.block(b * type.blockSize), i, ByteOrder::Big);
            QVERIFY(big && same(big->value, weight->value));
        }
    }
}

// The bounds of blocks are the bounds of their decoded weights if the outermost codes occur, and otherwise farther
// apart.
void TestDecode::boundsHoldAllWeights() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const BlockLayout* layout = findBlockLayout(typeId);
    if (layout == nullptr || layout->bounds == nullptr) {
        return; // there are none; block_layout.cpp asserts for which types there are
    }
    bool reached = false;
    for (unsigned seed = 0; seed < 400; ++seed) {
        const std::size_t blocks = seed % 8 + 1;
        const auto bytes = randomRows(type, blocks, 1, seed);
        std::vector<float> values(blocks * type.blockSize);
        QVERIFY(decode(typeId, bytes, values));
        const WeightBounds bounds = layout->bounds(bytes.data(), blocks);
        if (std::isnan(bounds.check)) {
            QVERIFY(!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
            continue;
        }
        const auto [smallest, largest] = std::ranges::minmax(values);
        QVERIFY(smallest >= bounds.low && largest <= bounds.high);
        reached = reached || (smallest == bounds.low && largest == bounds.high);
    }
    QVERIFY(reached || type.blockSize / layout->levels.size() == 0); // more codes than weights: improbable
}

// Loose bounds hold all weights, too, and are not so wide that they are of no use: some weights come near them.
void TestDecode::looseBoundsHoldAllWeights() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const BlockLayout* layout = findBlockLayout(typeId);
    if (layout == nullptr || layout->looseBounds == nullptr) {
        return; // there are none; block_layout.cpp asserts for which types there are
    }
    float nearestLow = 0;
    float nearestHigh = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        const std::size_t blocks = seed % 8 + 1;
        const auto bytes = randomRows(type, blocks, 1, seed);
        std::vector<float> values(blocks * type.blockSize);
        QVERIFY(decode(typeId, bytes, values));
        const WeightBounds bounds = layout->looseBounds(bytes.data(), bytes.data() + type.rowHeaderBytes, blocks);
        if (std::isnan(bounds.check)) {
            QVERIFY(!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
            continue;
        }
        const auto [smallest, largest] = std::ranges::minmax(values);
        QVERIFY(smallest >= bounds.low && largest <= bounds.high);
        nearestLow = bounds.low < 0 ? std::max(nearestLow, smallest / bounds.low) : nearestLow;
        nearestHigh = bounds.high > 0 ? std::max(nearestHigh, largest / bounds.high) : nearestHigh;
    }
    QVERIFY(nearestLow > 0.5F && nearestHigh > 0.5F);
}

GUFO_TEST(TestDecode)
#include "tst_decode.moc"
