#include "analysis/symmetric_matrix.h"
#include "analysis/vector_set.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace gufo;

class TestVectorSet : public QObject {
    Q_OBJECT

private slots:
    void cosinesOfKnownVectors();
    void neighboursAreSorted();
    void eigenPairsOfKnownMatrices();
    void eigenPairsSolveTheirEquation_data();
    void eigenPairsSolveTheirEquation();
    void projectsAnEllipse();
    void projectsEquallyFromBothSides();
    void projectsNothingAndFew();
    void leavesOutWhatIsNotFinite();
    void doesNotDependOnThreads();
    void isCancelled();
};

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> randomVectors(std::size_t count, std::size_t width, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = normal(random) * static_cast<float>(1 + 9 / (1 + i % width)); // directions differ in variance
    }
    return values;
}

// A symmetric matrix with the given eigenvalues: a diagonal one between two reflections.
std::vector<double> matrixOf(const std::vector<double>& eigenvalues, unsigned seed) {
    const std::size_t n = eigenvalues.size();
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> v(n);
    double length = 0;
    for (double& x : v) {
        x = normal(random);
        length += x * x;
    }
    std::vector<double> matrix(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < n; ++k) {
                const double left = (i == k ? 1 : 0) - 2 * v[i] * v[k] / length;
                const double right = (k == j ? 1 : 0) - 2 * v[k] * v[j] / length;
                matrix[i * n + j] += left * eigenvalues[k] * right;
            }
        }
    }
    return matrix;
}

} // namespace

void TestVectorSet::cosinesOfKnownVectors() {
    const std::vector<float> values{1, 0, 3, 4, -2, 0, 0, 0, kNan, 1, 3e19F, 4e19F};
    const auto cosines = pairCosines({values, 2});
    QVERIFY(cosines.has_value());
    const auto at = [&](std::size_t i, std::size_t j) { return (*cosines)[i * 6 + j]; };
    QCOMPARE(at(0, 0), 1.0F);
    QCOMPARE(at(0, 1), 0.6F);
    QCOMPARE(at(1, 0), 0.6F);
    QCOMPARE(at(0, 2), -1.0F);
    QCOMPARE(at(1, 5), 1.0F); // squares that exceed the range of floats
    for (std::size_t i = 0; i < 6; ++i) {
        QVERIFY(std::isnan(at(i, 3)) && std::isnan(at(3, i))); // no direction
        QVERIFY(std::isnan(at(i, 4)) && std::isnan(at(4, i)));
    }
    QVERIFY(pairCosines({})->empty());
}

void TestVectorSet::neighboursAreSorted() {
    // The line 0 of a matrix: lines 2 and 4 are equally near, 3 has no cosine.
    const std::vector<float> cosines{1, -0.5F, 0.25F, kNan, 0.25F, 0.9F};
    std::vector<float> matrix(36);
    std::ranges::copy(cosines, matrix.begin());
    const std::vector<Neighbour> neighbours = neighboursOf(0, matrix, 6);
    std::vector<std::size_t> order;
    for (const Neighbour& one : neighbours) {
        order.push_back(one.index);
    }
    QCOMPARE(order, (std::vector<std::size_t>{5, 2, 4, 1, 3}));
    QCOMPARE(neighbours[0].cosine, 0.9F);
    QVERIFY(neighboursOf(0, std::vector<float>{1}, 1).empty());
}

void TestVectorSet::eigenPairsOfKnownMatrices() {
    const auto two = largestEigenPairs({2, 1, 1, 2}, 2);
    QVERIFY(std::abs((*two)[0].value - 3) < 1e-14);
    QVERIFY(std::abs((*two)[1].value - 1) < 1e-14);
    QVERIFY(std::abs((*two)[0].vector[0] - (*two)[0].vector[1]) < 1e-14);
    const auto one = largestEigenPairs({-7}, 1);
    QVERIFY(std::abs((*one)[0].value + 7) < 1e-14);
    QCOMPARE(std::abs((*one)[0].vector[0]), 1.0);
    QVERIFY((*one)[1].vector.empty());
    QVERIFY((*largestEigenPairs({}, 0))[0].vector.empty());
    const auto zero = largestEigenPairs(std::vector<double>(16), 4);
    QVERIFY(std::abs((*zero)[0].value) < 1e-100);
}

void TestVectorSet::eigenPairsSolveTheirEquation_data() {
    QTest::addColumn<QList<double>>("eigenvalues");
    QTest::newRow("apart") << QList<double>{5, 4, 3, 2, 1, 0, -1};
    QTest::newRow("largest equal") << QList<double>{5, 5, 3, 2, 1, 0, -1};
    QTest::newRow("three equal") << QList<double>{5, 5, 5, 2, 1};
    QTest::newRow("all equal") << QList<double>{2, 2, 2, 2, 2, 2};
    QTest::newRow("nearly equal") << QList<double>{1 + 1e-12, 1, 0.5, 0.25, 0.1};
    QTest::newRow("second of many") << QList<double>{9, 1, 1, 1, 1, 1, 1, 1, 1};
    QTest::newRow("small") << QList<double>{3e-200, 2e-200, 1e-200};
    QTest::newRow("rank one") << QList<double>{4, 0, 0, 0, 0};
    QList<double> many;
    for (int i = 0; i < 150; ++i) {
        many << 100 - i * 0.01;
    }
    QTest::newRow("flat") << many;
}

void TestVectorSet::eigenPairsSolveTheirEquation() {
    QFETCH(QList<double>, eigenvalues);
    const std::vector<double> values(eigenvalues.begin(), eigenvalues.end());
    const std::size_t n = values.size();
    const std::vector<double> matrix = matrixOf(values, 11);
    const auto pairs = largestEigenPairs(matrix, n);
    QVERIFY(pairs.has_value());
    double between = 0;
    for (std::size_t p = 0; p < 2; ++p) {
        const EigenPair& pair = (*pairs)[p];
        QVERIFY(std::abs(pair.value - values[p]) <= 1e-13 * values[0] * static_cast<double>(n));
        double length = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double product = 0;
            for (std::size_t j = 0; j < n; ++j) {
                product += matrix[i * n + j] * pair.vector[j];
            }
            QVERIFY2(std::abs(product - pair.value * pair.vector[i]) <= 1e-12 * values[0],
                     qPrintable(QString::number(product - pair.value * pair.vector[i])));
            length += pair.vector[i] * pair.vector[i];
            between += (*pairs)[0].vector[i] * (*pairs)[1].vector[i] / 2;
        }
        QVERIFY(std::abs(length - 1) < 1e-12);
    }
    QVERIFY(std::abs(between) < 1e-12);
}

void TestVectorSet::projectsAnEllipse() {
    // Points at ±3 along (3, 4)/5 and ±1 along (−4, 3)/5, around (10, 20, 7).
    std::vector<float> values;
    for (const auto& [along, across] : {std::pair{3.0F, 0.0F}, {-3.0F, 0.0F}, {0.0F, 1.0F}, {0.0F, -1.0F}}) {
        values.insert(values.end(), {10 + along * 0.6F - across * 0.8F, 20 + along * 0.8F + across * 0.6F, 7.0F});
    }
    const auto plane = projectOnPlane({values, 3});
    QVERIFY(plane.has_value());
    const std::vector<PlaneProjection::Point> expected{{3, 0}, {-3, 0}, {0, 1}, {0, -1}}; // the first point decides
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
            QVERIFY2(std::abs(plane->points[i][axis] - expected[i][axis]) < 1e-5,
                     qPrintable(QString::number(plane->points[i][axis])));
        }
    }
    QVERIFY(std::abs(plane->variance[0] - 4.5) < 1e-5);
    QVERIFY(std::abs(plane->variance[1] - 0.5) < 1e-5);
    QVERIFY(std::abs(plane->explained[0] - 0.9) < 1e-6);
    QVERIFY(std::abs(plane->explained[1] - 0.1) < 1e-6);
}

// The matrix of products of rows and the matrix of products of columns lead to the same picture. Appending columns of
// zeros to the vectors selects the other matrix.
void TestVectorSet::projectsEquallyFromBothSides() {
    constexpr std::size_t kCount = 40;
    constexpr std::size_t kWidth = 12;
    const std::vector<float> narrow = randomVectors(kCount, kWidth, 3);
    std::vector<float> wide(kCount * 64);
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        wide[i / kWidth * 64 + i % kWidth] = narrow[i];
    }
    const auto a = projectOnPlane({narrow, kWidth});
    const auto b = projectOnPlane({wide, 64});
    for (std::size_t i = 0; i < kCount; ++i) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
            QVERIFY(std::abs(a->points[i][axis] - b->points[i][axis]) < 1e-9);
        }
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
        QVERIFY(std::abs(a->explained[axis] - b->explained[axis]) < 1e-12);
        double sum = 0;
        for (const auto& point : a->points) {
            sum += point[axis] * point[axis] / kCount;
        }
        QVERIFY(std::abs(sum - a->variance[axis]) < 1e-9 * sum); // what it says is what it shows
    }
}

void TestVectorSet::projectsNothingAndFew() {
    QVERIFY(projectOnPlane({})->points.empty());
    const std::vector<float> one{1, 2, 3};
    const auto single = projectOnPlane({one, 3});
    QCOMPARE(single->points, (std::vector<PlaneProjection::Point>{{0, 0}}));
    QCOMPARE(single->explained, (std::array<double, 2>{0, 0}));
    const std::vector<float> line{1, 2, 4, 5}; // four vectors of one element
    const auto onLine = projectOnPlane({line, 1});
    QVERIFY(std::abs(onLine->explained[0] - 1) < 1e-12);
    QCOMPARE(onLine->explained[1], 0.0);
    QVERIFY(std::abs(onLine->points[0][0] - 2) < 1e-12); // as far as the last one, and first
    const std::vector<float> same{7, 7, 7, 7, 7, 7};
    const auto equal = projectOnPlane({same, 2});
    QCOMPARE(equal->points, (std::vector<PlaneProjection::Point>(3, {0, 0})));
    QCOMPARE(equal->explained, (std::array<double, 2>{0, 0}));
}

void TestVectorSet::leavesOutWhatIsNotFinite() {
    const std::vector<float> values{1, 0, kNan, 5, -1, 0, std::numeric_limits<float>::infinity(), 0};
    const auto plane = projectOnPlane({values, 2});
    QCOMPARE(plane->used, std::size_t{2});
    QCOMPARE(plane->points[0][0], 1.0);
    QCOMPARE(plane->points[2][0], -1.0);
    QVERIFY(std::isnan(plane->points[1][0]) && std::isnan(plane->points[3][1]));
}

void TestVectorSet::doesNotDependOnThreads() {
    const std::vector<float> values = randomVectors(300, 260, 5);
    const auto one = projectOnPlane({values, 260}, {.stop = {}, .progress = nullptr, .threads = 1});
    const auto many = projectOnPlane({values, 260}, {.stop = {}, .progress = nullptr, .threads = 3});
    QCOMPARE(one->points, many->points);
    QCOMPARE(*pairCosines({values, 260}, {.stop = {}, .progress = nullptr, .threads = 1}),
             *pairCosines({values, 260}, {.stop = {}, .progress = nullptr, .threads = 3}));
}

void TestVectorSet::isCancelled() {
    const std::vector<float> values = randomVectors(20, 10, 7);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(pairCosines({values, 10}, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    QCOMPARE(projectOnPlane({values, 10}, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestVectorSet)
#include "tst_vector_set.moc"
