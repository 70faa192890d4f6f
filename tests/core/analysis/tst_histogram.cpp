// Histograms of weights, and of the scales and codes of blocks, compared with their definitions and with NumPy.
#include "cancelled_work.h"
#include "statistics_by_definition.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <numeric>

using namespace gufo;
using namespace gufo::test;

class TestHistogram : public QObject {
    Q_OBJECT

private slots:
    void equalsNumpy_data();
    void equalsNumpy();
    void zoomCountsInsideOnly_data() { addDecodableTypes(); }
    void zoomCountsInsideOnly();
    void edgesThatFloatsCannotTell();
    void manyEqualWeights();
    void scalesAndCodes_data() { addDecodableTypes(); }
    void scalesAndCodes();
    void cancelsBlocks();
};

// data/numpy_histograms.json was made with numpy 1.24. It has histograms of the float64 values of small integers k ×
// scale + shift (in f32). Many of the values are exactly on edges.
void TestHistogram::equalsNumpy_data() {
    QTest::addColumn<QJsonObject>("row");
    QFile file(QStringLiteral(GUFO_TEST_DATA "/numpy_histograms.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QJsonValue& row : QJsonDocument::fromJson(file.readAll()).array()) {
        QTest::newRow(qPrintable(row["name"].toString())) << row.toObject();
    }
}

void TestHistogram::equalsNumpy() {
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

void TestHistogram::zoomCountsInsideOnly() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
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

void TestHistogram::edgesThatFloatsCannotTell() {
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

// More pairs of the same bins than a counter of sixteen bits can hold.
void TestHistogram::manyEqualWeights() {
    std::vector<float> values(400'003, 0.5F);
    values.front() = -1;
    values.back() = 1;
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, values);
    const Model& model = memory.finish();
    for (const std::uint32_t bins : {1U, 2U, 256U, 257U}) {
        const auto analysis = analyseTensor(model, index, {.bins = bins});
        QVERIFY(analysis);
        QVERIFY(analysis->histogram.counts == countedByEdges(decoded(model, index), analysis->histogram));
    }
}

void TestHistogram::scalesAndCodes() {
    QFETCH(quint32, typeId);
    const TensorTypeFact& type = *findTensorType(typeId);
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

void TestHistogram::cancelsBlocks() {
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

GUFO_TEST(TestHistogram)
#include "tst_histogram.moc"
