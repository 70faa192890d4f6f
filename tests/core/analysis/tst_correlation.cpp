#include "analysis/correlation.h"
#include "cancelled_work.h"
#include "core/model/memory_model.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace gufo;
using namespace gufo::test;

class TestCorrelation : public QObject {
    Q_OBJECT

private slots:
    void knownPairs_data();
    void knownPairs();
    void largeMeansCostNoDigits();
    void leavesOutPairs();
    void typesMayDiffer();
    void refusesOtherShapes();
    void cancels();
};

namespace {

using Values = std::vector<float>;

Result<Correlation> correlationOf(const Values& a, const Values& b, const JobContext& job = {}) {
    MemoryModel memory;
    const TensorIndex one = memory.addNumbers(TensorType::F32, a);
    const TensorIndex other = memory.addNumbers(TensorType::F32, b);
    const Model& model = memory.finish();
    return correlateTensors(model, one, model, other, job);
}

// By the definition, in one piece and with long doubles.
double byDefinition(const Values& a, const Values& b) {
    long double meanA = 0;
    long double meanB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        meanA += static_cast<long double>(a[i]) / static_cast<long double>(a.size());
        meanB += static_cast<long double>(b[i]) / static_cast<long double>(a.size());
    }
    long double aa = 0;
    long double bb = 0;
    long double ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const long double x = static_cast<long double>(a[i]) - meanA;
        const long double y = static_cast<long double>(b[i]) - meanB;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    return static_cast<double>(ab / std::sqrt(aa * bb));
}

} // namespace

void TestCorrelation::knownPairs_data() {
    QTest::addColumn<QList<float>>("a");
    QTest::addColumn<QList<float>>("b");
    QTest::addColumn<double>("pearson"); // NaN: none
    QTest::newRow("the same") << QList<float>{1, 2, 5} << QList<float>{1, 2, 5} << 1.0;
    QTest::newRow("opposite") << QList<float>{1, 2, 5} << QList<float>{-2, -4, -10} << -1.0;
    QTest::newRow("independent") << QList<float>{1, 1, -1, -1} << QList<float>{1, -1, 1, -1} << 0.0;
    QTest::newRow("half") << QList<float>{1, 2, 3} << QList<float>{1, 3, 2} << 0.5;
    QTest::newRow("constant") << QList<float>{1, 1, 1} << QList<float>{1, 3, 2} << std::nan("");
}

void TestCorrelation::knownPairs() {
    QFETCH(QList<float>, a);
    QFETCH(QList<float>, b);
    QFETCH(double, pearson);
    const auto result = correlationOf(Values(a.begin(), a.end()), Values(b.begin(), b.end()));
    QVERIFY(result.has_value());
    QCOMPARE(result->pairs, static_cast<std::uint64_t>(a.size()));
    QCOMPARE(result->pearson.has_value(), !std::isnan(pearson));
    if (result->pearson) {
        QVERIFY(std::abs(*result->pearson - pearson) < 1e-12);
    }
}

void TestCorrelation::largeMeansCostNoDigits() {
    std::mt19937 random(4);
    std::normal_distribution<float> normal;
    Values a(100'003); // several pieces, the last one shorter
    Values b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = 1000 + normal(random);
        b[i] = -3000 + 0.3F * (a[i] - 1000) + normal(random);
    }
    const auto one = correlationOf(a, b, {.threads = 1});
    const auto three = correlationOf(a, b, {.threads = 3});
    QVERIFY(std::abs(*one->pearson - byDefinition(a, b)) < 1e-12);
    QCOMPARE(*one->pearson, *three->pearson);
    QVERIFY(std::abs(*one->expected - 1 / std::sqrt(100'003.0)) < 1e-15);
}

void TestCorrelation::leavesOutPairs() {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const auto result = correlationOf({1, 2, kNan, 3, 4}, {1, 3, 9, 2, kInf});
    QCOMPARE(result->pairs, 3U);
    QCOMPARE(result->leftOut, 2U);
    QVERIFY(std::abs(*result->pearson - 0.5) < 1e-12);
    const auto none = correlationOf({kNan}, {1});
    QCOMPARE(none->pairs, 0U);
    QVERIFY(!none->pearson && !none->expected);
}

void TestCorrelation::typesMayDiffer() {
    MemoryModel memory;
    const TensorIndex floats = memory.addNumbers(TensorType::F32, {2, 2}, Values{1, 2, 3, 5});
    const TensorIndex doubles = memory.addNumbers(TensorType::F64, {2, 2}, std::vector<double>{2, 4, 6, 10});
    const Model& model = memory.finish();
    QVERIFY(std::abs(*correlateTensors(model, floats, model, doubles)->pearson - 1) < 1e-12);
}

void TestCorrelation::refusesOtherShapes() {
    MemoryModel memory;
    const TensorIndex one = memory.addNumbers(TensorType::F32, {2, 3}, Values(6));
    const TensorIndex turned = memory.addNumbers(TensorType::F32, {3, 2}, Values(6));
    const Model& model = memory.finish();
    QVERIFY(correlateTensors(model, one, model, turned).error().code == ErrorCode::InvalidArgument);
}

void TestCorrelation::cancels() {
    MemoryModel memory;
    const auto type = static_cast<std::uint32_t>(TensorType::Q4_0);
    const TensorIndex index = memory.add(type, {kManyWeights}, manyBlocks(type));
    const Model& model = memory.finish();
    const QString failure = cancelAfterStart([&](const JobContext& job) -> std::optional<ErrorCode> {
        const auto result = correlateTensors(model, index, model, index, job);
        return result ? std::nullopt : std::optional(result.error().code);
    });
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

GUFO_TEST(TestCorrelation)
#include "tst_correlation.moc"
