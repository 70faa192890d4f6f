#include "analysis/statistics.h"
#include "core/model/memory_model.h"
#include "core/tensor/golden.h"
#include "support/test_unit.h"
#include "tensor/block_fields.h"
#include "tensor/decode.h"
#include "test_paths.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <numeric>
#include <random>
#include <thread>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// Computed directly from the definitions, in long double and two passes.
Statistics straightforward(const std::vector<double>& values) {
    Statistics s;
    s.count = values.size();
    long double sum = 0;
    long double absolute = 0;
    std::uint64_t n = 0;
    double min = kInf;
    double max = -kInf;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = values[i];
        s.nans += std::isnan(v) ? 1U : 0U;
        s.infinities += std::isinf(v) ? 1U : 0U;
        s.zeros += v == 0 ? 1U : 0U;
        if (!std::isfinite(v)) {
            if (!s.firstNonFinite) {
                s.firstNonFinite = i;
            }
            continue;
        }
        ++n;
        sum += v;
        absolute += std::abs(v);
        min = std::min(min, v);
        max = std::max(max, v);
    }
    if (n == 0) {
        return s;
    }
    const long double mean = sum / n;
    long double m2 = 0;
    long double m3 = 0;
    long double m4 = 0;
    for (const double v : values) {
        if (std::isfinite(v)) {
            const long double d = v - mean;
            m2 += d * d;
            m3 += d * d * d;
            m4 += d * d * d * d;
        }
    }
    s.min = min;
    s.max = max;
    s.mean = static_cast<double>(mean);
    s.absMean = static_cast<double>(absolute / n);
    s.std = static_cast<double>(std::sqrt(m2 / n));
    if (min < max) {
        s.skew = static_cast<double>(m3 / n / std::pow(m2 / n, 1.5L));
        s.kurtosis = static_cast<double>(m4 / n / (m2 / n * (m2 / n)) - 3);
    }
    return s;
}

// `scale`: the magnitude that the difference is compared with.
bool near(std::optional<double> a, std::optional<double> b, double scale, double tolerance) {
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= tolerance * std::max(std::abs(*b), scale));
}

QString difference(const Statistics& a, const Statistics& b, double tolerance = 1e-10) {
    QString report;
    const auto expect = [&](bool same, const char* what, auto x, auto y) {
        if (!same) {
            report += QStringLiteral("%1: %2, not %3; ").arg(QLatin1String(what)).arg(x).arg(y);
        }
    };
    const auto number = [](std::optional<double> v) {
        return v ? QString::number(*v, 'g', 17) : QStringLiteral("none");
    };
    expect(a.count == b.count, "count", a.count, b.count);
    expect(a.zeros == b.zeros, "zeros", a.zeros, b.zeros);
    expect(a.nans == b.nans, "nans", a.nans, b.nans);
    expect(a.infinities == b.infinities, "infinities", a.infinities, b.infinities);
    expect(a.firstNonFinite == b.firstNonFinite, "first", a.firstNonFinite.value_or(99), b.firstNonFinite.value_or(99));
    expect(a.min == b.min, "min", number(a.min), number(b.min));
    expect(a.max == b.max, "max", number(a.max), number(b.max));
    expect(near(a.mean, b.mean, b.std.value_or(0), tolerance), "mean", number(a.mean), number(b.mean));
    expect(near(a.std, b.std, 0, tolerance), "std", number(a.std), number(b.std));
    expect(near(a.absMean, b.absMean, 0, tolerance), "absMean", number(a.absMean), number(b.absMean));
    expect(near(a.skew, b.skew, 1, tolerance), "skew", number(a.skew), number(b.skew));
    expect(near(a.kurtosis, b.kurtosis, 1, tolerance), "kurtosis", number(a.kurtosis), number(b.kurtosis));
    return report;
}

std::vector<double> decoded(const Model& model, TensorIndex index) {
    const auto rows = model.rowsOf(model.tensor(index));
    std::vector<double> values(rows ? rows->weights() : 0);
    return rows && decode64(*rows, 0, values) ? values : std::vector<double>();
}

// By definition: compares each value with each edge.
std::vector<std::uint64_t> countedByEdges(const std::vector<double>& values, const Histogram& histogram) {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= histogram.counts.size(); ++i) {
        edges.push_back(histogram.edge(i));
    }
    std::vector<std::uint64_t> counts(histogram.counts.size());
    for (const double v : values) {
        if (v >= edges.front() && v <= edges.back()) {
            const auto upper = std::ranges::upper_bound(edges, v);
            ++counts[std::min<std::size_t>(upper - edges.begin() - 1, counts.size() - 1)];
        }
    }
    return counts;
}

template<typename T = float>
std::vector<T> normal(std::size_t count, double mean, double deviation, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> distribution(mean, deviation);
    std::vector<T> values(count);
    for (T& value : values) {
        value = static_cast<T>(distribution(random));
    }
    return values;
}

constexpr std::uint64_t kManyWeights = 64'000'000 / 256 * 256;

// Repeats the same blocks, which is quick.
std::vector<std::byte> manyBlocks(std::uint32_t typeId) {
    const TensorTypeInfo& type = *findTensorType(typeId);
    const std::size_t size = blocksBytes(type, kManyWeights);
    std::vector<std::byte> bytes = shuffledBlocks(typeId, 1000, 1);
    while (bytes.size() < size) {
        bytes.insert(bytes.end(), bytes.begin(), bytes.begin() + std::min(bytes.size(), size - bytes.size()));
    }
    return bytes;
}

// Stops the work as soon as its progress moves. Returns what was wrong with how it ended, or an empty text.
template<typename Work>
QString cancelOnce(Work work) {
    std::stop_source stop;
    Progress progress;
    std::atomic<qint64> asked = 0;
    QElapsedTimer timer;
    timer.start();
    std::jthread canceller([&] {
        while (progress.done() == 0) {
            std::this_thread::yield();
        }
        asked = timer.nsecsElapsed();
        stop.request_stop();
    });
    const std::optional<ErrorCode> error = work(JobContext{.stop = stop.get_token(), .progress = &progress});
    const qint64 ended = timer.nsecsElapsed();
    canceller.join();
    if (error != ErrorCode::Cancelled) {
        return "not cancelled";
    }
    if (progress.done() >= progress.total()) {
        return "worked to the end";
    }
    const qint64 took = (ended - asked) / 1000;
    return took < 50'000 ? QString() : QString::number(took) + " µs";
}

// The best of several attempts, because a busy machine can delay a stop.
template<typename Work>
QString cancelAfterStart(Work work) {
    QString failure;
    for (int attempt = 0; attempt < 8; ++attempt) {
        failure = cancelOnce(work);
        if (failure.isEmpty()) {
            break;
        }
    }
    return failure;
}

} // namespace

class TestStatistics : public QObject {
    Q_OBJECT

private slots:
    void everyTypeAsDefined_data();
    void everyTypeAsDefined();
    void largeMeanKeepsDigits_data();
    void largeMeanKeepsDigits();
    void specialValues();
    void nothingToCount();
    void truncatedTensor();
    void bigEndian();
    void equalsNumpy_data();
    void equalsNumpy();
    void zoomCountsInsideOnly_data() { everyTypeAsDefined_data(); }
    void zoomCountsInsideOnly();
    void edgesThatFloatsCannotTell();
    void wholeModelIsOnePopulation();
    void doesNotDependOnThreads();
    void progressAddsUp_data();
    void progressAddsUp();
    void cancels_data() { progressAddsUp_data(); }
    void cancels();
    void refuses();
    void scalesAndCodes_data() { everyTypeAsDefined_data(); }
    void scalesAndCodes();
    void cancelsBlocks();
};

void TestStatistics::everyTypeAsDefined_data() {
    QTest::addColumn<quint32>("typeId");
    for (const TensorTypeInfo& type : tensorTypes()) {
        if (isDecodable(type.id)) {
            QTest::newRow(type.name.data()) << type.id;
        }
    }
}

void TestStatistics::everyTypeAsDefined() {
    QFETCH(quint32, typeId);
    const TensorTypeInfo& type = *findTensorType(typeId);
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

void TestStatistics::bigEndian() {
    for (const TensorType type : {TensorType::BF16, TensorType::Q6_K, TensorType::F64}) {
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

// data/numpy_histograms.json was made with numpy 1.24. It has histograms of the float64 values of small integers k ×
// scale + shift (in f32), many of which are exactly on edges.
void TestStatistics::equalsNumpy_data() {
    QTest::addColumn<QJsonObject>("row");
    QFile file(QStringLiteral(GUFO_TEST_DATA "/numpy_histograms.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QJsonValue& row : QJsonDocument::fromJson(file.readAll()).array()) {
        QTest::newRow(qPrintable(row["name"].toString())) << row.toObject();
    }
}

void TestStatistics::equalsNumpy() {
    QFETCH(QJsonObject, row);
    std::vector<float> values;
    std::uint32_t state = 12345;
    for (int i = 0; i < 20'000; ++i) {
        state = state * 1'664'525U + 1'013'904'223U;
        const int k = static_cast<int>((state >> 16U) % static_cast<unsigned>(row["distinct"].toInt()));
        values.push_back(static_cast<float>(k) * static_cast<float>(row["scale"].toDouble()) +
                         static_cast<float>(row["shift"].toDouble()));
    }
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, values);
    HistogramRequest request{.bins = static_cast<std::uint32_t>(row["bins"].toInt())};
    if (row.contains("range")) {
        request.range = {row["range"][0].toDouble(), row["range"][1].toDouble()};
    }
    const auto analysis = analyseTensor(memory.finish(), index, request);
    QVERIFY(analysis);
    const Histogram& histogram = analysis->histogram;
    const QJsonArray counts = row["counts"].toArray();
    QCOMPARE(static_cast<qsizetype>(histogram.counts.size()), counts.size());
    for (qsizetype i = 0; i < counts.size(); ++i) {
        QCOMPARE(static_cast<qint64>(histogram.counts[i]), counts[i].toInteger());
        QCOMPARE(histogram.edge(i), row["edges"][i].toDouble());
    }
    QCOMPARE(histogram.edge(counts.size()), row["edges"][counts.size()].toDouble());
}

void TestStatistics::zoomCountsInsideOnly() {
    QFETCH(quint32, typeId);
    const TensorTypeInfo& type = *findTensorType(typeId);
    const std::size_t blocks = 9000 / type.blockSize + 3;
    MemoryModel memory;
    const TensorIndex index = memory.add(typeId, {blocks * type.blockSize}, shuffledBlocks(typeId, blocks, 6));
    const Model& model = memory.finish();
    const std::vector<double> values = decoded(model, index);
    std::vector<double> sorted = values;
    std::erase_if(sorted, [](double v) { return !std::isfinite(v); });
    std::ranges::sort(sorted);
    const double lo = sorted[sorted.size() / 4];
    const double hi = sorted[sorted.size() * 3 / 4];
    for (const std::uint32_t bins : {1U, 7U, 256U, 1000U, 5000U}) {
        const HistogramRequest request{.bins = bins, .range = {{lo, hi}}};
        const auto histogram = countHistogram(model, index, request);
        QVERIFY(histogram);
        QVERIFY(histogram->counts == countedByEdges(values, *histogram));
        const auto below = std::ranges::count_if(sorted, [&](double v) { return v < histogram->lo; });
        const auto above = std::ranges::count_if(sorted, [&](double v) { return v > histogram->hi; });
        QCOMPARE(histogram->below, static_cast<std::uint64_t>(below));
        QCOMPARE(histogram->above, static_cast<std::uint64_t>(above));
        const auto withStatistics = analyseTensor(model, index, request);
        QVERIFY(withStatistics);
        QVERIFY(withStatistics->histogram.counts == histogram->counts);
    }
}

void TestStatistics::edgesThatFloatsCannotTell() {
    // Ranges that are narrow compared with their distance from zero, tiny, huge, or too narrow for the number of bins.
    std::vector<float> values = normal(50'000, 1000, 1e-3);
    values.insert(values.end(), {-3e38F, 3e38F, 1e-40F, -1e-40F, 0.0F, 999.99F, 1000.0F});
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, values);
    const std::vector<double> doubles(values.begin(), values.end());
    const std::array<std::array<double, 2>, 8> ranges{{{999.999, 1000.001},
                                                       {1000.0, 1000.0},
                                                       {-3e38, 3e38},
                                                       {-1e308, 1e308},
                                                       {-1e-40, 1e-40},
                                                       {1000.0, std::nextafter(1000.0, 2000.0)},
                                                       {-5e-324, 5e-324},
                                                       {0.1, 1000.0}}};
    const Model& model = memory.finish();
    for (const auto& range : ranges) {
        for (const std::uint32_t bins : {1U, 3U, 256U, 100'000U}) {
            const auto histogram = countHistogram(model, index, {.bins = bins, .range = range});
            QVERIFY(histogram);
            QVERIFY2(histogram->counts == countedByEdges(doubles, *histogram),
                     qPrintable(QStringLiteral("%1 … %2, %3 bins").arg(range[0]).arg(range[1]).arg(bins)));
        }
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
        QTest::newRow(tensorTypeInfo(type).name.data()) << static_cast<quint32>(type);
    }
}

void TestStatistics::progressAddsUp() {
    QFETCH(quint32, typeId);
    const TensorTypeInfo& type = *findTensorType(typeId);
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

void TestStatistics::scalesAndCodes() {
    QFETCH(quint32, typeId);
    const TensorTypeInfo& type = *findTensorType(typeId);
    const std::size_t blocks = 1'100'000 / type.blockSize + 3;
    const auto bytes = shuffledBlocks(typeId, blocks, 8);
    MemoryModel memory;
    const TensorIndex index = memory.add(typeId, {blocks * type.blockSize}, bytes);
    const Model& model = memory.finish();
    Progress progress;
    const auto analysis = analyseBlocks(model, index, {.bins = 100}, {.progress = &progress});
    if (type.kind != TensorTypeKind::Quantised) {
        QCOMPARE(analysis.error().code, ErrorCode::NotSupported);
        return;
    }
    QVERIFY(analysis);
    QCOMPARE(progress.done(), progress.total());
    const StoredRows rows = *StoredRows::of(typeId, blocks * type.blockSize, bytes);
    std::vector<float> scales;
    std::vector<float> minima;
    std::vector<std::uint16_t> codes;
    std::vector<std::uint64_t> counts(codeCount(typeId));
    for (std::size_t b = 0; b < blocks; ++b) {
        const StoredBlock block = rows.block(b * type.blockSize);
        QVERIFY(blockScales(typeId, block, scales, &minima));
        codes.clear();
        QVERIFY(blockCodes(typeId, block, codes));
        for (const std::uint16_t code : codes) {
            ++counts[code];
        }
    }
    QVERIFY(analysis->codeCounts == counts);
    QCOMPARE(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), blocks * type.blockSize);
    const auto compare = [](const TensorAnalysis& got, const std::vector<float>& expected) {
        const std::vector<double> values(expected.begin(), expected.end());
        Statistics statistics = straightforward(values);
        statistics.firstNonFinite.reset();
        QCOMPARE(difference(got.statistics, statistics), QString());
        QVERIFY(got.histogram.counts == countedByEdges(values, got.histogram));
    };
    compare(analysis->scales, scales);
    QCOMPARE(analysis->minima.has_value(), !minima.empty());
    if (analysis->minima) {
        compare(*analysis->minima, minima);
    }
}

void TestStatistics::cancelsBlocks() {
    const auto typeId = static_cast<std::uint32_t>(TensorType::Q4_K);
    MemoryModel memory;
    const TensorIndex index = memory.add(typeId, {kManyWeights}, manyBlocks(typeId));
    const Model& model = memory.finish();
    const QString failure = cancelAfterStart([&](const JobContext& job) {
        const auto analysis = analyseBlocks(model, index, {}, job);
        return analysis ? std::nullopt : std::optional(analysis.error().code);
    });
    QCOMPARE(failure, QString());
}

GUFO_TEST(TestStatistics)
#include "tst_statistics.moc"
