// Statistics of tensors and whole models, compared with their definitions.
#include "cancelled_work.h"
#include "statistics_by_definition.h"
#include "support/test_unit.h"
#include "test_paths.h"

using namespace gufo;
using namespace gufo::test;

class TestStatistics : public QObject {
    Q_OBJECT

private slots:
    void everyTypeAsDefined_data() { addDecodableTypes(); }
    void everyTypeAsDefined();
    void largeMeanKeepsDigits_data();
    void largeMeanKeepsDigits();
    void specialValues();
    void nothingToCount();
    void truncatedTensor();
    void extremesInOneBlock_data() { addDecodableTypes(); }
    void extremesInOneBlock();
    void bigEndian();
    void wholeModelIsOnePopulation();
    void doesNotDependOnThreads();
    void progressAddsUp_data();
    void progressAddsUp();
    void cancels_data() { progressAddsUp_data(); }
    void cancels();
    void refuses();
};

void TestStatistics::everyTypeAsDefined() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    // More than one slot of the scan, and not a whole number of pieces.
    const std::size_t blocks = 1'100'000 / type.blockSize + 3;
    MemoryModel memory;
    const TensorIndex index = memory.add(typeId, {blocks * type.blockSize}, shuffledBlocks(typeId, blocks, 5));
    const Model& model = memory.finish();
    const std::vector<double> values = decoded(model, index);
    const auto analysis = analyseTensor(model, index);
    QVERIFY(analysis);
    if (type.kind == TensorTypeKind::Float && typeId == static_cast<quint32>(TensorType::F64)) {
        // Powers of random doubles overflow, which must not appear as numbers.
        QVERIFY(!analysis->statistics.std);
        QVERIFY(!analysis->statistics.kurtosis);
        QCOMPARE(analysis->statistics.zeros, straightforward(values).zeros);
        return;
    }
    QCOMPARE(difference(analysis->statistics, straightforward(values)), QString());
    QCOMPARE(analysis->histogram.lo, *analysis->statistics.min);
    QCOMPARE(analysis->histogram.hi, *analysis->statistics.max);
    QVERIFY(analysis->histogram.counts == countedByEdges(values, analysis->histogram));
    QCOMPARE(analysis->histogram.below + analysis->histogram.above, 0U);
}

void TestStatistics::largeMeanKeepsDigits_data() {
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("deviation");
    QTest::newRow("1000 ± 0.001") << 1000.0 << 1e-3;
    QTest::newRow("-1e6 ± 1") << -1e6 << 1.0;
    QTest::newRow("1e-20 ± 1e-23") << 1e-20 << 1e-23;
    QTest::newRow("0.02 ± 0.02") << 0.02 << 0.02;
}

void TestStatistics::largeMeanKeepsDigits() {
    QFETCH(double, mean);
    QFETCH(double, deviation);
    MemoryModel memory;
    const TensorIndex f32 = memory.addNumbers(TensorType::F32, normal(300'001, mean, deviation));
    const TensorIndex f64 = memory.addNumbers(TensorType::F64, normal<double>(300'001, mean, deviation));
    const Model& model = memory.finish();
    for (const TensorIndex index : {f32, f64}) {
        const auto analysis = analyseTensor(model, index);
        QVERIFY(analysis);
        QCOMPARE(difference(analysis->statistics, straightforward(decoded(model, index)), 1e-8), QString());
    }

    // Quantised: every code is at the end of its range, and the scales are nearly equal.
    std::vector<std::byte> q8(34 * 8192, std::byte{127});
    for (std::size_t b = 0; b < 8192; ++b) {
        store<std::uint16_t>(q8.data() + 34 * b, static_cast<std::uint16_t>(0x4800 + b % 3));
    }
    MemoryModel blocks;
    const TensorIndex index = blocks.add(static_cast<std::uint32_t>(TensorType::Q8_0), {32 * 8192}, q8);
    const Model& quantised = blocks.finish();
    const auto analysis = analyseTensor(quantised, index);
    QVERIFY(analysis);
    QCOMPARE(difference(analysis->statistics, straightforward(decoded(quantised, index)), 1e-8), QString());
}

void TestStatistics::specialValues() {
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    const auto inf = std::numeric_limits<float>::infinity();
    std::vector<float> values = normal(10'000, 0, 1);
    values[17] = nan;
    values[9000] = -nan;
    values[9001] = inf;
    values[9002] = -inf;
    values[5] = -0.0F;
    values[6] = 0.0F;
    values[7] = std::numeric_limits<float>::denorm_min();
    std::vector<std::uint16_t> halves(5000, 0x3C00);
    halves[4321] = 0x7E00;
    halves[4999] = 0xFC00;
    halves[1] = 0x8000;
    MemoryModel memory;
    const TensorIndex f32 = memory.addNumbers(TensorType::F32, values);
    const TensorIndex f16 = memory.addNumbers(TensorType::F16, halves);
    const TensorIndex onlyNan = memory.addNumbers(TensorType::F32, std::vector<float>{nan, inf, nan});
    const TensorIndex constant = memory.addNumbers(TensorType::F32, std::vector<float>(5000, 0.1F));
    const TensorIndex onlyZero = memory.addNumbers(TensorType::F32, std::vector<float>{0.0F, -0.0F});
    const TensorIndex i64 =
        memory.addNumbers(TensorType::I64, std::vector<std::int64_t>{9'007'199'254'740'991, 9'007'199'254'740'990, 0});
    const Model& model = memory.finish();

    auto a = analyseTensor(model, f32);
    QVERIFY(a);
    QCOMPARE(difference(a->statistics, straightforward(decoded(model, f32))), QString());
    QCOMPARE(a->statistics.firstNonFinite.value(), 17U);
    QCOMPARE(a->statistics.zeros, 2U);
    QCOMPARE(a->statistics.nans, 2U);
    QCOMPARE(a->statistics.infinities, 2U);
    QVERIFY(a->histogram.counts == countedByEdges(decoded(model, f32), a->histogram));
    QCOMPARE(a->histogram.below + a->histogram.above, 0U);

    a = analyseTensor(model, f16);
    QVERIFY(a);
    QCOMPARE(difference(a->statistics, straightforward(decoded(model, f16))), QString());
    QCOMPARE(a->statistics.firstNonFinite.value(), 4321U);

    a = analyseTensor(model, onlyNan);
    QVERIFY(a);
    QCOMPARE(a->statistics.count, 3U);
    QVERIFY(!a->statistics.min && !a->statistics.mean && !a->statistics.std && !a->statistics.skew);
    QCOMPARE(a->statistics.firstNonFinite.value(), 0U);

    a = analyseTensor(model, constant);
    QVERIFY(a);
    QCOMPARE(a->statistics.mean.value(), static_cast<double>(0.1F));
    QCOMPARE(a->statistics.std.value(), 0.0);
    QVERIFY(!a->statistics.skew && !a->statistics.kurtosis);
    QCOMPARE(a->histogram.lo, static_cast<double>(0.1F) - 0.5);
    QCOMPARE(a->histogram.hi, static_cast<double>(0.1F) + 0.5);
    QVERIFY(a->histogram.counts == countedByEdges(decoded(model, constant), a->histogram));

    a = analyseTensor(model, onlyZero);
    QVERIFY(a);
    QCOMPARE(a->statistics.zeros, 2U);
    QCOMPARE(a->histogram.counts[128], 2U);

    a = analyseTensor(model, i64);
    QVERIFY(a);
    QCOMPARE(a->statistics.max.value(), 9'007'199'254'740'991.0);
}

void TestStatistics::nothingToCount() {
    MemoryModel memory;
    const TensorIndex empty = memory.add(0, {0, 5}, {});
    const Model& model = memory.finish();
    const auto analysis = analyseTensor(model, empty, {.bins = 7});
    QVERIFY(analysis);
    QCOMPARE(analysis->statistics.count, 0U);
    QVERIFY(!analysis->statistics.min);
    QCOMPARE(analysis->histogram.counts.size(), 7U);
    QCOMPARE(analysis->histogram.lo, 0.0);
    QCOMPARE(analysis->histogram.hi, 1.0);
}

void TestStatistics::truncatedTensor() {
    const auto type = static_cast<std::uint32_t>(TensorType::Q4_0);
    auto bytes = shuffledBlocks(type, 100, 3);
    bytes.resize(18 * 60 + 5);
    MemoryModel memory;
    const TensorIndex index = memory.add(type, {3200}, bytes);
    const Model& model = memory.finish();
    const auto analysis = analyseTensor(model, index);
    QVERIFY(analysis);
    QCOMPARE(analysis->statistics.count, 60U * 32);
    QCOMPARE(difference(analysis->statistics, straightforward(decoded(model, index))), QString());
}

// The range is found although most blocks are not decoded for it: its ends are in blocks anywhere, and some scales may
// not be finite.
void TestStatistics::extremesInOneBlock() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::size_t blocks = 10'000 / type.blockSize + 3;
    const auto bytes = shuffledBlocks(typeId, blocks, 21);
    for (const std::size_t place : {std::size_t{0}, blocks / 2, blocks - 1}) {
        auto changed = bytes;
        for (const BlockField& field : blockFields(typeId)) {
            std::byte* const at = changed.data() + place * type.blockBytes + field.offset;
            if (field.fieldSize == 2 && field.bytes == 2) {
                store<std::uint16_t>(at, place == 0 ? 0x7C00 : 0xF000); // an infinite scale, or a large negative one
            } else if (field.fieldSize == 1) {
                std::fill_n(at, field.bytes, std::byte{0xFF});
            }
        }
        MemoryModel memory;
        const TensorIndex index = memory.add(typeId, {blocks * type.blockSize}, changed);
        const Model& model = memory.finish();
        const auto analysis = analyseTensor(model, index);
        QVERIFY(analysis);
        const std::vector<double> values = decoded(model, index);
        const Statistics expected = straightforward(values);
        QCOMPARE(analysis->statistics.min, expected.min);
        QCOMPARE(analysis->statistics.max, expected.max);
        QCOMPARE(analysis->statistics.zeros, expected.zeros);
        if (expected.min) {
            QCOMPARE(analysis->histogram.lo, *expected.min < *expected.max ? *expected.min : *expected.min - 0.5);
            QVERIFY(analysis->histogram.counts == countedByEdges(values, analysis->histogram));
            QCOMPARE(analysis->histogram.below + analysis->histogram.above, 0U);
        }
    }
}

void TestStatistics::bigEndian() {
    for (const TensorType type :
         {TensorType::F16, TensorType::BF16, TensorType::I16, TensorType::U16, TensorType::MXFP4, TensorType::NVFP4,
          TensorType::Q6_K, TensorType::TQ1_0, TensorType::F64}) {
        const auto id = static_cast<std::uint32_t>(type);
        const std::size_t weights = 512 * 64;
        const std::size_t blocks = weights / findTensorType(type == TensorType::F64 ? 28U : id)->blockSize;
        std::vector<std::byte> little = shuffledBlocks(id, blocks, 9);
        if (type == TensorType::F64) {
            const auto values = normal<double>(weights, 1, 2);
            std::memcpy(little.data(), values.data(), little.size());
        }
        std::vector<std::byte> big(little.size());
        QVERIFY(swapByteOrder(id, little, big));
        MemoryModel littleMemory;
        MemoryModel bigMemory(ByteOrder::Big);
        const TensorIndex a = littleMemory.add(id, {weights}, little);
        const TensorIndex b = bigMemory.add(id, {weights}, big);
        const auto x = analyseTensor(littleMemory.finish(), a);
        const auto y = analyseTensor(bigMemory.finish(), b);
        QVERIFY(x && y);
        QCOMPARE(difference(x->statistics, y->statistics, 0), QString());
        QVERIFY(x->histogram.counts == y->histogram.counts);
    }
}

void TestStatistics::wholeModelIsOnePopulation() {
    MemoryModel memory;
    const std::vector<float> a = normal(5000, 0, 1, 1);
    const std::vector<float> b = normal(77, 3, 2, 2);
    memory.addNumbers(TensorType::F32, a);
    memory.add(9999, {32}, std::vector<std::byte>(7)); // an unknown type
    memory.add(0, {0}, {});
    memory.addNumbers(TensorType::F32, b);
    std::vector<std::uint16_t> brain(3000);
    for (std::size_t i = 0; i < brain.size(); ++i) {
        brain[i] = static_cast<std::uint16_t>(0x3F80 + i % 128);
    }
    const TensorIndex shortFloats = memory.addNumbers(TensorType::BF16, brain);
    const Model& model = memory.finish();
    std::vector<double> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    const std::vector<double> c = decoded(model, shortFloats);
    all.insert(all.end(), c.begin(), c.end());
    const auto analysis = analyseModel(model);
    QVERIFY(analysis);
    QCOMPARE(difference(analysis->statistics, straightforward(all)), QString());
    QVERIFY(analysis->histogram.counts == countedByEdges(all, analysis->histogram));
}

void TestStatistics::doesNotDependOnThreads() {
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, normal(5'000'000, 0.1, 1));
    const Model& model = memory.finish();
    const auto one = analyseTensor(model, index, {}, {.threads = 1});
    const auto many = analyseTensor(model, index, {}, {.threads = 5});
    QVERIFY(one && many);
    QCOMPARE(difference(one->statistics, many->statistics, 0), QString());
    QVERIFY(one->histogram.counts == many->histogram.counts);
}

void TestStatistics::progressAddsUp_data() {
    QTest::addColumn<quint32>("typeId");
    for (const TensorType type :
         {TensorType::F32, TensorType::BF16, TensorType::Q4_0, TensorType::Q4_K, TensorType::IQ1_S, TensorType::F64}) {
        QTest::newRow(tensorTypeFact(type).name.data()) << static_cast<quint32>(type);
    }
}

void TestStatistics::progressAddsUp() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
    const std::size_t blocks = 3'000'000 / type.blockSize;
    MemoryModel memory;
    const TensorIndex index = memory.add(typeId, {blocks * type.blockSize}, shuffledBlocks(typeId, blocks, 1));
    const Model& model = memory.finish();
    Progress progress;
    QVERIFY(analyseTensor(model, index, {}, {.progress = &progress}));
    QVERIFY(progress.total() >= model.tensor(index).bytes);
    QCOMPARE(progress.done(), progress.total());
    QVERIFY(countHistogram(model, index, {.bins = 16, .range = {{-1, 1}}}, {.progress = &progress}));
    QCOMPARE(progress.total(), *model.tensor(index).bytes);
    QCOMPARE(progress.done(), progress.total());
}

void TestStatistics::cancels() {
    QFETCH(quint32, typeId);
    MemoryModel memory;
    const TensorIndex index = memory.add(typeId, {kManyWeights}, manyBlocks(typeId));
    const Model& model = memory.finish();
    const QString failure = cancelAfterStart([&](const JobContext& job) {
        const auto analysis = analyseTensor(model, index, {}, job);
        return analysis ? std::nullopt : std::optional(analysis.error().code);
    });
    QCOMPARE(failure, QString());
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(analyseModel(model, {}, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

void TestStatistics::refuses() {
    MemoryModel memory;
    const TensorIndex unknown = memory.add(9999, {32}, {});
    const TensorIndex removed = memory.add(31, {32}, std::vector<std::byte>(18)); // Q4_0_4_4
    const TensorIndex odd = memory.add(2, {33}, std::vector<std::byte>(18));
    const TensorIndex good = memory.add(2, {32}, std::vector<std::byte>(18));
    const Model& model = memory.finish();
    QCOMPARE(analyseTensor(model, unknown).error().code, ErrorCode::NotDecodable);
    QCOMPARE(analyseTensor(model, removed).error().code, ErrorCode::NotDecodable);
    QCOMPARE(analyseTensor(model, odd).error().code, ErrorCode::NotSupported);
    QVERIFY(analyseTensor(model, good));
    for (const std::uint32_t bins : {0U, 2'000'000'000U}) {
        QCOMPARE(analyseTensor(model, good, {.bins = bins}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(countHistogram(model, good, {.bins = bins}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(analyseModel(model, {.bins = bins}).error().code, ErrorCode::InvalidArgument);
    }
    for (const std::array<double, 2> range : {std::array{1.0, 0.0}, std::array{kNaN, 0.0}, std::array{0.0, kInf}}) {
        QCOMPARE(countHistogram(model, good, {.range = range}).error().code, ErrorCode::InvalidArgument);
    }
    memory.model().files[0].source = nullptr;
    QCOMPARE(analyseTensor(model, good).error().code, ErrorCode::FileNotFound);
}

GUFO_TEST(TestStatistics)
#include "tst_statistics.moc"
