#include "analysis/nearest_rows.h"
#include "cancelled_work.h"
#include "core/model/memory_model.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace gufo;
using namespace gufo::test;

class TestNearestRows : public QObject {
    Q_OBJECT

private slots:
    void readsChosenRows();
    void knownNeighbours();
    void agreesWithAllPairs();
    void refuses();
    void cancels();
};

namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint64_t> indexesOf(const std::vector<Neighbour>& neighbours) {
    std::vector<std::uint64_t> indexes;
    for (const Neighbour& one : neighbours) {
        indexes.push_back(one.index);
    }
    return indexes;
}

} // namespace

void TestNearestRows::readsChosenRows() {
    MemoryModel memory;
    const TensorIndex index =
        memory.addNumbers(TensorType::F32, {2, 4}, std::vector<float>{0, 1, 10, 11, 20, 21, 30, 31});
    const Model& model = memory.finish();
    const std::vector<std::uint64_t> rows{3, 0, 3};
    QCOMPARE(*readRows(model, index, rows), (std::vector<float>{30, 31, 0, 1, 30, 31}));
    QVERIFY(readRows(model, index, {})->empty());
    const std::vector<std::uint64_t> outside{4};
    QVERIFY(readRows(model, index, outside).error().code == ErrorCode::InvalidArgument);
}

void TestNearestRows::knownNeighbours() {
    MemoryModel memory;
    const TensorIndex index =
        memory.addNumbers(TensorType::F32, {2, 7}, std::vector<float>{1, 0, 3, 4, -2, 0, 0, 0, 6, 8, kNone, 1, 100, 1});
    const Model& model = memory.finish();
    const auto neighbours = nearestRows(model, index, 0, 10);
    QVERIFY(neighbours.has_value());
    // Rows 1 and 4 are equally near; 3 and 5 have no direction.
    QCOMPARE(indexesOf(*neighbours), (std::vector<std::uint64_t>{6, 1, 4, 2}));
    QCOMPARE((*neighbours)[1].cosine, 0.6F);
    QCOMPARE((*neighbours)[3].cosine, -1.0F);
    QCOMPARE(indexesOf(*nearestRows(model, index, 0, 2)), (std::vector<std::uint64_t>{6, 1}));
    QVERIFY(nearestRows(model, index, 3, 10)->empty()); // a row of zeros is near nothing
}

void TestNearestRows::agreesWithAllPairs() {
    constexpr std::size_t kWidth = 24;
    std::mt19937 random(2);
    std::normal_distribution<float> normal;
    std::vector<float> values(kWidth * 500);
    std::ranges::generate(values, [&] { return normal(random); });
    const auto cosines = pairCosines({values, kWidth});
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, {kWidth, 500}, values);
    const Model& model = memory.finish();
    for (const std::size_t row : {0U, 123U, 499U}) {
        const std::vector<Neighbour> expected = neighboursOf(row, *cosines, 500);
        const auto found = nearestRows(model, index, row, 20, {.threads = 3});
        QCOMPARE(found->size(), 20U);
        for (std::size_t i = 0; i < 20; ++i) {
            QCOMPARE((*found)[i].index, expected[i].index);
            QCOMPARE((*found)[i].cosine, expected[i].cosine);
        }
    }
}

void TestNearestRows::refuses() {
    MemoryModel memory;
    const TensorIndex tall = memory.addNumbers(TensorType::F32, {4, std::uint64_t{1} << 40U}, std::vector<float>{1});
    const TensorIndex small = memory.addNumbers(TensorType::F32, {2, 2}, std::vector<float>{1, 2, 3, 4});
    const Model& model = memory.finish();
    QVERIFY(nearestRows(model, tall, 0, 5).error().code == ErrorCode::InvalidArgument);
    QVERIFY(nearestRows(model, small, 2, 5).error().code == ErrorCode::InvalidArgument);
}

void TestNearestRows::cancels() {
    MemoryModel memory;
    const auto type = static_cast<std::uint32_t>(TensorType::Q4_0);
    const TensorIndex index = memory.add(type, {8'000, kManyWeights / 8'000}, manyBlocks(type));
    const Model& model = memory.finish();
    const QString failure = cancelAfterStart([&](const JobContext& job) -> std::optional<ErrorCode> {
        const auto found = nearestRows(model, index, 0, 10, job);
        return found ? std::nullopt : std::optional(found.error().code);
    });
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

GUFO_TEST(TestNearestRows)
#include "tst_nearest_rows.moc"
