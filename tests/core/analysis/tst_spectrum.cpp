#include "analysis/spectrum.h"
#include "cancelled_work.h"
#include "core/model/memory_model.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace gufo;
using namespace gufo::test;

class TestSpectrum : public QObject {
    Q_OBJECT

private slots:
    void diagonal();
    void knownMatrices_data();
    void knownMatrices();
    void lowRankIsFound();
    void energyOfRowsAndColumns();
    void zeroAndVectors();
    void leavesOutWhatIsNotFinite();
    void matrixOfThreeDimensions();
    void largeAndSmallWeights();
    void doesNotDependOnThreads();
    void refuses();
    void cancels();
};

namespace {

struct Matrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<float> values{}; // by row
};

// All singular values by one-sided Jacobi rotations: pairs of columns are turned until all are orthogonal, and then
// their lengths are the values.
std::vector<double> jacobi(const Matrix& matrix) {
    const bool turned = matrix.rows < matrix.columns;
    const std::size_t n = turned ? matrix.rows : matrix.columns;
    const std::size_t length = turned ? matrix.columns : matrix.rows;
    std::vector<std::vector<double>> columns(n, std::vector<double>(length));
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        for (std::size_t column = 0; column < matrix.columns; ++column) {
            const double value = static_cast<double>(matrix.values[row * matrix.columns + column]);
            (turned ? columns[row][column] : columns[column][row]) = value;
        }
    }
    for (bool rotated = true; rotated;) {
        rotated = false;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j) {
                double a = 0;
                double b = 0;
                double c = 0;
                for (std::size_t k = 0; k < length; ++k) {
                    a += columns[i][k] * columns[i][k];
                    b += columns[j][k] * columns[j][k];
                    c += columns[i][k] * columns[j][k];
                }
                if (std::abs(c) <= 1e-14 * std::sqrt(a * b)) {
                    continue;
                }
                rotated = true;
                const double z = (b - a) / (2 * c);
                const double t = (z >= 0 ? 1 : -1) / (std::abs(z) + std::sqrt(1 + z * z));
                const double cosine = 1 / std::sqrt(1 + t * t);
                for (std::size_t k = 0; k < length; ++k) {
                    const double x = columns[i][k];
                    const double y = columns[j][k];
                    columns[i][k] = cosine * (x - t * y);
                    columns[j][k] = cosine * (y + t * x);
                }
            }
        }
    }
    std::vector<double> values;
    for (const std::vector<double>& column : columns) {
        double sum = 0;
        for (const double x : column) {
            sum += x * x;
        }
        values.push_back(std::sqrt(sum));
    }
    std::ranges::sort(values, std::greater<>());
    return values;
}

Matrix randomMatrix(std::size_t rows, std::size_t columns, unsigned seed) {
    Matrix matrix{rows, columns};
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    matrix.values.resize(rows * columns);
    std::ranges::generate(matrix.values, [&] { return normal(random); });
    return matrix;
}

// The product of two random matrices, with `noise` added.
Matrix lowRank(std::size_t rows, std::size_t columns, std::size_t rank, float noise) {
    const Matrix left = randomMatrix(rows, rank, 1);
    const Matrix right = randomMatrix(rank, columns, 2);
    Matrix matrix = randomMatrix(rows, columns, 3);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            float& sum = matrix.values[i * columns + j];
            sum *= noise;
            for (std::size_t k = 0; k < rank; ++k) {
                sum += left.values[i * rank + k] * right.values[k * columns + j] * std::exp2(-static_cast<float>(k));
            }
        }
    }
    return matrix;
}

// The column j of the result is scaled, so that the values fall steadily, as those of trained matrices do.
Matrix falling(Matrix matrix) {
    for (std::size_t i = 0; i < matrix.values.size(); ++i) {
        matrix.values[i] /= static_cast<float>(1 + i % matrix.columns);
    }
    return matrix;
}

Result<Spectrum> spectrumOf(const Matrix& matrix, SpectrumRequest request, const JobContext& job = {}) {
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, {matrix.columns, matrix.rows}, matrix.values);
    return measureSpectrum(memory.finish(), index, request, job);
}

} // namespace

void TestSpectrum::diagonal() {
    Matrix matrix{40, 30, std::vector<float>(40 * 30)};
    for (std::size_t i = 0; i < 30; ++i) { // in another order than that of the result, and one negative
        matrix.values[i * 30 + (i * 7) % 30] = i == 4 ? -31.0F : static_cast<float>(i + 1);
    }
    const auto spectrum = spectrumOf(matrix, {.values = 30});
    QVERIFY(spectrum.has_value());
    QVERIFY(spectrum->isWhole);
    QCOMPARE(spectrum->values.size(), 30U);
    QVERIFY(std::abs(spectrum->values[0] - 31) < 1e-9);
    std::vector<double> expected{31};
    for (int i = 30; i > 0; --i) {
        if (i != 5) {
            expected.push_back(i);
        }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QVERIFY2(std::abs(spectrum->values[i] - expected[i]) < 1e-6, qPrintable(QString::number(i)));
    }
    QVERIFY(std::abs(spectrum->share(30) - 1) < 1e-12);
}

void TestSpectrum::knownMatrices_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("values");
    QTest::addColumn<bool>("falls");
    QTest::addColumn<double>("accuracy"); // relative
    QTest::newRow("random, all values") << 120 << 90 << 90 << false << 1e-7;
    QTest::newRow("wide, all values") << 50 << 400 << 50 << false << 1e-7;
    QTest::newRow("tall, all values") << 900 << 33 << 64 << false << 1e-7;
    // The values of a random matrix lie close together, which is the hardest case.
    QTest::newRow("random, the largest") << 300 << 200 << 20 << false << 0.03;
    QTest::newRow("falling, the largest") << 300 << 200 << 20 << true << 1e-3;
    QTest::newRow("falling and wide") << 90 << 600 << 20 << true << 1e-3;
    QTest::newRow("more values than there are") << 7 << 5 << 64 << false << 1e-7;
}

void TestSpectrum::knownMatrices() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, values);
    QFETCH(bool, falls);
    QFETCH(double, accuracy);
    Matrix matrix = randomMatrix(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), 7);
    if (falls) {
        matrix = falling(std::move(matrix));
    }
    const std::vector<double> expected = jacobi(matrix);
    const auto spectrum = spectrumOf(matrix, {.values = static_cast<std::size_t>(values)});
    QVERIFY(spectrum.has_value());
    QCOMPARE(spectrum->values.size(), std::min<std::size_t>(expected.size(), static_cast<std::size_t>(values)));
    QCOMPARE(spectrum->isWhole, spectrum->values.size() == expected.size());
    for (std::size_t i = 0; i < spectrum->values.size(); ++i) {
        const double ratio = spectrum->values[i] / expected[i];
        QVERIFY2(ratio > 1 - accuracy && ratio < 1 + 1e-7,
                 qPrintable(QStringLiteral("value %1: %2 of %3").arg(i).arg(spectrum->values[i]).arg(expected[i])));
    }
    double energy = 0;
    for (const double one : expected) {
        energy += one * one;
    }
    QVERIFY(std::abs(spectrum->energy / energy - 1) < 1e-9);
}

void TestSpectrum::lowRankIsFound() {
    const Matrix matrix = lowRank(400, 250, 6, 1e-4F);
    const std::vector<double> expected = jacobi(matrix);
    const auto spectrum = spectrumOf(matrix, {.values = 12});
    QVERIFY(spectrum.has_value());
    for (std::size_t i = 0; i < 6; ++i) {
        QVERIFY(std::abs(spectrum->values[i] / expected[i] - 1) < 1e-6);
    }
    QVERIFY(spectrum->values[6] < 1e-3 * spectrum->values[5]);
    QVERIFY(spectrum->share(6) > 0.999999);
}

void TestSpectrum::energyOfRowsAndColumns() {
    Matrix matrix{30, 20, std::vector<float>(600, 0.5F)};
    matrix.values[3 * 20 + 17] = 10;
    matrix.values[9 * 20 + 2] = -8;
    const auto spectrum = spectrumOf(matrix, {.values = 4});
    QVERIFY(spectrum.has_value());
    QCOMPARE(spectrum->topRows.size(), Spectrum::kLines);
    QCOMPARE(spectrum->topRows[0].index, 3U);
    QCOMPARE(spectrum->topRows[0].energy, 100 + 19 * 0.25);
    QCOMPARE(spectrum->topRows[1].index, 9U);
    QCOMPARE(spectrum->topRows[2].index, 0U); // equal ones in their order
    QCOMPARE(spectrum->topColumns[0].index, 17U);
    QCOMPARE(spectrum->topColumns[0].energy, 100 + 29 * 0.25);
    QCOMPARE(spectrum->topColumns[1].index, 2U);
}

void TestSpectrum::zeroAndVectors() {
    const auto zero = spectrumOf({5, 4, std::vector<float>(20)}, {});
    QVERIFY(zero.has_value());
    QCOMPARE(zero->values, std::vector<double>(4));
    QCOMPARE(zero->share(4), 0.0);
    const auto row = spectrumOf({1, 3, {2, -3, 6}}, {});
    QCOMPARE(row->values.size(), 1U);
    QVERIFY(std::abs(row->values[0] - 7) < 1e-12);
    const auto column = spectrumOf({3, 1, {2, -3, 6}}, {});
    QVERIFY(std::abs(column->values[0] - 7) < 1e-12);
}

void TestSpectrum::leavesOutWhatIsNotFinite() {
    Matrix matrix = randomMatrix(20, 20, 1);
    Matrix clean = matrix;
    matrix.values[5] = std::numeric_limits<float>::quiet_NaN();
    matrix.values[77] = -std::numeric_limits<float>::infinity();
    clean.values[5] = clean.values[77] = 0;
    const auto spectrum = spectrumOf(matrix, {.values = 20});
    QVERIFY(spectrum.has_value());
    QCOMPARE(spectrum->leftOut, 2U);
    QCOMPARE(spectrum->values, spectrumOf(clean, {.values = 20})->values);
}

void TestSpectrum::matrixOfThreeDimensions() {
    const Matrix first = randomMatrix(12, 8, 1);
    const Matrix second = randomMatrix(12, 8, 2);
    std::vector<float> both = first.values;
    both.insert(both.end(), second.values.begin(), second.values.end());
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, {8, 12, 2}, both);
    const Model& model = memory.finish();
    SpectrumRequest request;
    request.fixed[2] = 1;
    QCOMPARE(measureSpectrum(model, index, request)->values, spectrumOf(second, {})->values);
}

void TestSpectrum::largeAndSmallWeights() {
    const Matrix matrix = randomMatrix(30, 20, 3);
    const std::vector<double> expected = spectrumOf(matrix, {.values = 20})->values;
    for (const int exponent : {100, -110}) {
        Matrix scaled = matrix;
        for (float& value : scaled.values) {
            value = std::scalbn(value, exponent);
        }
        const auto spectrum = spectrumOf(scaled, {.values = 20});
        for (std::size_t i = 0; i < 20; ++i) {
            QVERIFY(std::abs(std::scalbn(spectrum->values[i], -exponent) / expected[i] - 1) < 1e-9);
        }
    }
}

void TestSpectrum::doesNotDependOnThreads() {
    const Matrix matrix = randomMatrix(200, 150, 5);
    const auto one = spectrumOf(matrix, {.values = 10}, {.threads = 1});
    const auto four = spectrumOf(matrix, {.values = 10}, {.threads = 4});
    QCOMPARE(one->values, four->values);
    QCOMPARE(one->passes, four->passes);
}

void TestSpectrum::refuses() {
    MemoryModel memory;
    const TensorIndex empty = memory.addNumbers(TensorType::F32, {0, 4}, std::vector<float>{});
    const TensorIndex wide = memory.addNumbers(TensorType::F32, {std::uint64_t{1} << 40U, 4}, std::vector<float>{1});
    const TensorIndex tall = memory.addNumbers(TensorType::F32, {4, std::uint64_t{1} << 40U}, std::vector<float>{1});
    const TensorIndex unknown = memory.add(9'999, {4, 4}, std::vector<std::byte>(64));
    const Model& model = memory.finish();
    for (const TensorIndex index : {empty, wide, tall}) {
        QVERIFY(measureSpectrum(model, index).error().code == ErrorCode::InvalidArgument);
    }
    QVERIFY(!measureSpectrum(model, unknown));
    QVERIFY(measureSpectrum(model, TensorIndex{0}, {.rowDimension = 0}).error().code == ErrorCode::InvalidArgument);
}

void TestSpectrum::cancels() {
    MemoryModel memory;
    const auto type = static_cast<std::uint32_t>(TensorType::Q4_0);
    const TensorIndex index = memory.add(type, {8'000, kManyWeights / 8'000}, manyBlocks(type));
    const Model& model = memory.finish();
    const QString failure = cancelAfterStart([&](const JobContext& job) -> std::optional<ErrorCode> {
        const auto spectrum = measureSpectrum(model, index, {}, job);
        return spectrum ? std::nullopt : std::optional(spectrum.error().code);
    });
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

GUFO_TEST(TestSpectrum)
#include "tst_spectrum.moc"
