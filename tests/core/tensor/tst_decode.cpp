#include "golden.h"
#include "support/test_unit.h"
#include "tensor/block_fields.h"
#include "tensor/decode.h"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <random>

using namespace gufo;
using namespace gufo::test;

namespace {

// Equal bit for bit; any NaN equals any NaN.
bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// Names the first value that is not the expected one; empty if all are.
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

// Random blocks of a type: any bits at all.
std::vector<std::byte> randomBlocks(const TensorTypeInfo& type, std::size_t blocks, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(blocks * type.blockBytes);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random());
    }
    return bytes;
}

} // namespace

class TestDecode : public QObject {
    Q_OBJECT

private slots:
    void everyGgmlTypeIsDecodable();
    void goldenValues_data();
    void goldenValues();
    void numbersWithoutGolden();
    void activationBlocks();
    void doublesKeepWhatFloatLoses();
    void bigEndianIsSwappedFieldByField_data() { allTypes(); }
    void bigEndianIsSwappedFieldByField();
    void anyRunOfWeights_data() { allTypes(); }
    void anyRunOfWeights();
    void refusesWhatItCannotDecode();
    void fieldsAreNamed();
    void everyWeightIsExplained_data() { goldenValues_data(); }
    void everyWeightIsExplained();

private:
    static void allTypes();
};

void TestDecode::allTypes() {
    QTest::addColumn<quint32>("typeId");
    for (const TensorTypeInfo& type : tensorTypes()) {
        if (type.origin == TensorTypeOrigin::Ggml) {
            QTest::newRow(type.name.data()) << type.id;
        }
    }
}

void TestDecode::everyGgmlTypeIsDecodable() {
    for (const TensorTypeInfo& type : tensorTypes()) {
        QCOMPARE(isDecodable(type.id), type.origin == TensorTypeOrigin::Ggml);
    }
    QVERIFY(!isDecodable(~0U));
}

void TestDecode::goldenValues_data() {
    QTest::addColumn<quint32>("typeId");
    int rows = 0;
    for (const QJsonValue& row : goldenManifest()) {
        if (row["dequantizable"].toBool()) {
            QTest::newRow(qPrintable(row["name"].toString())) << static_cast<quint32>(row["id"].toInt());
            ++rows;
        }
    }
    QCOMPARE(rows, 28);
}

void TestDecode::goldenValues() {
    QFETCH(quint32, typeId);
    const Golden expected = golden(typeId);
    QVERIFY(!expected.values.empty());
    for (const Isa isa : availableIsas()) {
        std::vector<float> out(expected.values.size());
        QVERIFY(decode(isa, typeId, asBytes(expected.raw), out));
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

    // Other types are widened.
    for (const TensorTypeInfo& type : tensorTypes()) {
        if (!isDecodable(type.id) || needsDouble(type.id)) {
            continue;
        }
        const auto blocks = randomBlocks(type, 23, type.id);
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
    const TensorTypeInfo& type = *findTensorType(typeId);
    const auto blocks = randomBlocks(type, 301, 7);
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

void TestDecode::anyRunOfWeights() {
    QFETCH(quint32, typeId);
    const TensorTypeInfo& type = *findTensorType(typeId);
    const std::size_t weights = std::size_t{4} * type.blockSize;
    const auto blocks = randomBlocks(type, 4, 11);
    std::vector<float> all(weights);
    QVERIFY(decode(typeId, blocks, all));
    for (std::size_t first = 0; first <= weights; first += 1 + type.blockSize / 16) {
        for (std::size_t count = 0; first + count <= weights; count += 1 + type.blockSize / 8) {
            std::vector<float> run(count);
            QVERIFY(decodeRange(typeId, blocks, first, run));
            QVERIFY(std::ranges::equal(run, std::span(all).subspan(first, count), same));
        }
    }
    std::vector<float> tooMany(2);
    QCOMPARE(decodeRange(typeId, blocks, weights - 1, tooMany).error().code, ErrorCode::RangeOutsideFile);
    QCOMPARE(decodeRange(typeId, blocks, ~std::uint64_t{0}, tooMany).error().code, ErrorCode::RangeOutsideFile);
}

void TestDecode::refusesWhatItCannotDecode() {
    std::array<std::byte, 18> block{};
    std::array<float, 32> out{};
    std::array<double, 32> wide{};
    QCOMPARE(decode(4, block, out).error().code, ErrorCode::NotDecodable);
    QCOMPARE(decode(4, block, out).error().args.front(), std::string("Q4_2"));
    QCOMPARE(decode(9999, block, out).error().code, ErrorCode::NotDecodable);
    QCOMPARE(decode64(9999, block, wide).error().code, ErrorCode::NotDecodable);
    QCOMPARE(decodeRange(9999, block, 0, out).error().code, ErrorCode::NotDecodable);
    QCOMPARE(swapByteOrder(9999, block, std::span(block)).error().code, ErrorCode::NotDecodable);
    QCOMPARE(decode(2, Bytes(block).first(17), out).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(decode(2, block, std::span(out).first(31)).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(decode64(2, Bytes(block).first(0), wide).error().code, ErrorCode::InvalidArgument);
    QVERIFY(decode(2, Bytes(block).first(0), std::span(out).first(0)));
    QCOMPARE(explainWeight(2, block, 32).error().code, ErrorCode::InvalidArgument);
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
    const TensorTypeInfo& type = *expected.type;
    if (type.kind != TensorTypeKind::Quantised) {
        QVERIFY(!explainWeight(typeId, asBytes(expected.raw).first(type.blockBytes), 0));
        return;
    }
    const std::uint32_t subBlocks = type.blockSize / subBlockSize(typeId);
    std::vector<std::byte> swapped(type.blockBytes);
    for (std::size_t b = 0; b < expected.values.size() / type.blockSize; ++b) {
        const Bytes block = asBytes(expected.raw).subspan(b * type.blockBytes, type.blockBytes);
        std::vector<std::uint16_t> codes;
        std::vector<float> scales;
        std::vector<float> minima;
        QVERIFY(blockCodes(typeId, block, codes));
        QVERIFY(blockScales(typeId, block, scales, &minima));
        QCOMPARE(codes.size(), type.blockSize);
        QCOMPARE(scales.size(), subBlocks);
        QVERIFY(minima.empty() || minima.size() == subBlocks);
        QVERIFY(swapByteOrder(typeId, block, swapped));
        for (std::uint32_t i = 0; i < type.blockSize; ++i) {
            const auto weight = explainWeight(typeId, block, i);
            QVERIFY(weight);
            QVERIFY(same(weight->value, expected.values[b * type.blockSize + i]));
            QCOMPARE(weight->code, codes[i]);
            QVERIFY(codes[i] < codeCount(typeId));
            QVERIFY(same(weight->scale, scales[weight->subBlock]));
            QVERIFY(same(weight->minimum, minima.empty() ? 0.0F : minima[weight->subBlock]));
            QVERIFY(same(weight->value, static_cast<float>(weight->level) * weight->scale - weight->minimum));
            const auto big = explainWeight(typeId, swapped, i, ByteOrder::Big);
            QVERIFY(big && same(big->value, weight->value));
        }
    }
}

GUFO_TEST(TestDecode)
#include "tst_decode.moc"
