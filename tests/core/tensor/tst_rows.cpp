// Arithmetic on rows of floats: every instruction set compared with exact values.
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <random>

using namespace gufo;

namespace {

constexpr std::size_t kCounts[]{1, 2, 7, 8, 15, 16, 17, 31, 33, 100, 257};

std::vector<float> someFloats(std::size_t count, float spread, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, spread);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

double relative(double found, double exact) { return std::abs(found - exact) / std::max(std::abs(exact), 1e-37); }

} // namespace

class TestRows : public QObject {
    Q_OBJECT

private slots:
    void gates_data() { addIsas(); }
    void gates() {
        const RowKernels& rows = kernels();
        for (const std::size_t count : kCounts) {
            for (const float spread : {0.1F, 3.0F, 40.0F}) {
                const std::vector<float> of = someFloats(count, spread, 1);
                const std::vector<float> by = someFloats(count, 1, 2);
                for (const bool gated : {false, true}) {
                    std::vector<float> silu(count + 1, 9);
                    std::vector<float> gelu(count + 1, 9);
                    std::vector<float> sigmoid(count + 1, 9);
                    rows.silu(of.data(), gated ? by.data() : nullptr, silu.data(), count);
                    rows.gelu(of.data(), gated ? by.data() : nullptr, gelu.data(), count);
                    rows.sigmoid(of.data(), gated ? by.data() : nullptr, sigmoid.data(), count);
                    for (std::size_t i = 0; i < count; ++i) {
                        const auto x = static_cast<double>(of[i]);
                        const double factor = gated ? static_cast<double>(by[i]) : 1;
                        const double exactSilu = x / (1 + std::exp(-x)) * factor;
                        const double root = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
                        const double exactGelu = 0.5 * x * (1 + std::tanh(root * (x + 0.044715 * x * x * x))) * factor;
                        // Differences are relative to x, because the function values vanish for large negative x.
                        const double scale = std::abs(x * factor) + 1e-30;
                        QVERIFY(std::abs(static_cast<double>(silu[i]) - exactSilu) <= 4e-7 * scale);
                        QVERIFY(std::abs(static_cast<double>(gelu[i]) - exactGelu) <= 2e-6 * scale);
                        const double exactSigmoid = factor / (1 + std::exp(-x));
                        QVERIFY(std::abs(static_cast<double>(sigmoid[i]) - exactSigmoid) <= 4e-7 * std::abs(factor));
                    }
                    QCOMPARE(silu[count], 9.0F);
                    QCOMPARE(gelu[count], 9.0F);
                    QCOMPARE(sigmoid[count], 9.0F);
                }
            }
        }
    }

    void exponentials_data() { addIsas(); }
    void exponentials() {
        const RowKernels& rows = kernels();
        for (const std::size_t count : kCounts) {
            std::vector<float> x = someFloats(count, 20, 3);
            x[count / 2] = -INFINITY;
            const float largest = 70;
            std::vector<float> found = x;
            found.push_back(9);
            const double sum = rows.exponentials(found.data(), count, largest);
            double exact = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const double power = std::exp(static_cast<double>(x[i] - largest));
                QVERIFY(power < 1.2e-38 ? found[i] < 1.2e-38F
                                        : relative(static_cast<double>(found[i]), power) < 2.5e-7);
                exact += power;
            }
            QVERIFY(count == 1 ? sum < 1e-37 : relative(sum, exact) < 2.5e-7);
            QCOMPARE(found[count], 9.0F);
        }
    }

    void softplus_data() { addIsas(); }
    void softplus() {
        const RowKernels& rows = kernels();
        for (const std::size_t count : kCounts) {
            for (const float spread : {0.1F, 3.0F, 40.0F}) {
                const std::vector<float> x = someFloats(count, spread, 6);
                std::vector<float> found = x;
                found.push_back(9);
                rows.softplus(found.data(), count);
                for (std::size_t i = 0; i < count; ++i) {
                    const double exact = std::log1p(std::exp(static_cast<double>(x[i])));
                    QVERIFY(exact < 1.2e-38 ? found[i] < 1.2e-38F
                                            : relative(static_cast<double>(found[i]), exact) < 5e-7);
                }
                QCOMPARE(found[count], 9.0F);
            }
        }
        std::vector<float> special{NAN, INFINITY, -INFINITY, 100};
        rows.softplus(special.data(), special.size());
        QVERIFY(std::isnan(special[0]));
        QCOMPARE(special[1], INFINITY);
        QCOMPARE(special[2], 0.0F);
        QCOMPARE(special[3], 100.0F);
    }

    void norms_data() { addIsas(); }
    void norms() {
        const RowKernels& rows = kernels();
        for (const std::size_t count : kCounts) {
            const std::vector<float> x = someFloats(count, 3, 4);
            const std::vector<float> weights = someFloats(count, 1, 5);
            double sum = 0;
            double squares = 0;
            for (const float value : x) {
                sum += static_cast<double>(value);
                squares += (static_cast<double>(value) - 0.25) * (static_cast<double>(value) - 0.25);
            }
            QVERIFY(std::abs(rows.sum(x.data(), count) - sum) < 1e-12 * static_cast<double>(count));
            QVERIFY(relative(rows.squares(x.data(), count, 0.25), squares) < 1e-13);
            for (const bool weighted : {false, true}) {
                std::vector<float> found(count + 1, 9);
                rows.normalise(x.data(), 0.25, 1.5, weighted ? weights.data() : nullptr, found.data(), count);
                for (std::size_t i = 0; i < count; ++i) {
                    const auto value = static_cast<float>((static_cast<double>(x[i]) - 0.25) * 1.5);
                    QCOMPARE(found[i], weighted ? value * weights[i] : value);
                }
                QCOMPARE(found[count], 9.0F);
            }
        }
    }

private:
    static void addIsas() {
        QTest::addColumn<int>("isa");
        for (const Isa isa : availableIsas()) {
            QTest::addRow("%s", std::string(isaName(isa)).c_str()) << static_cast<int>(isa);
        }
    }
    static const RowKernels& kernels() {
        return kernelsFor(static_cast<Isa>(*static_cast<const int*>(QTest::qData("isa", QMetaType::Int)))).rows;
    }
};

GUFO_TEST(TestRows)
#include "tst_rows.moc"
