// Functions of single elements that blocks apply to whole rows, compared with double precision.
#include "base/cpu_features.h"
#include "inference/engine/compute/operations.h"
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace gufo;
using namespace gufo::inference;

class TestActivations : public QObject {
    Q_OBJECT

private slots:
    void softplusOfRows_data() {
        QTest::addColumn<int>("count");
        for (const int count : {1, 15, 256, 257, 4'001}) {
            QTest::addRow("%d elements", count) << count;
        }
    }
    void softplusOfRows() {
        QFETCH(int, count);
        std::vector<float> inputs;
        for (int i = 0; i < count; ++i) { // from where it is nearly 0 to where it is nearly x
            inputs.push_back(count == 1 ? 0.3F
                                        : -60.0F + 120.0F * static_cast<float>(i) / static_cast<float>(count - 1));
        }
        for (const Isa isa : availableIsas()) {
            const ForcedKernels forced(kernelsFor(isa));
            std::vector<float> values = inputs;
            softplus(values);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double exact = std::log1p(std::exp(static_cast<double>(inputs[i])));
                const double error = std::abs(static_cast<double>(values[i]) - exact) / exact;
                QVERIFY2(error <= 1e-6, qPrintable(QString("%1: %2").arg(double(inputs[i])).arg(error)));
            }
        }
    }

    void softplusOfExtremes() {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        for (const Isa isa : availableIsas()) {
            const ForcedKernels forced(kernelsFor(isa));
            std::vector<float> values{-kInfinity, -1e30F, 0, 1e30F, kInfinity, std::nanf("")};
            softplus(values);
            QCOMPARE(values[0], 0.0F);
            QCOMPARE(values[1], 0.0F);
            QVERIFY(std::abs(values[2] - std::log(2.0F)) <= 1e-7F);
            QCOMPARE(values[3], 1e30F);
            QCOMPARE(values[4], kInfinity);
            QVERIFY(std::isnan(values[5]));
        }
    }

    void reluOfRows() {
        std::vector<float> values{-2, -0.0F, 0, 3};
        activate(Activation::Relu, values);
        QVERIFY((values == std::vector<float>{0, 0, 0, 3}));
        std::vector<float> gated{5, 6, 7, 8};
        activateGated(Activation::Relu, values, gated);
        QVERIFY((gated == std::vector<float>{0, 0, 0, 24}));
    }
};

GUFO_TEST(TestActivations)
#include "tst_activations.moc"
