// Whether a file was quantised from a base model: no false alarm with any type, and what is told apart in which type,
// as the table in validate/of_base.h says.
#include "model/finding_code.h"
#include "support/model_maker.h"
#include "support/test_unit.h"
#include "tensor/encode.h"
#include "validate/of_base.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr std::uint64_t kColumns = 512;
constexpr std::uint64_t kRows = 64;
constexpr std::size_t kTensors = 3;

using Weights = std::vector<std::vector<float>>;

// Weights as trained ones are distributed: columns of different sizes, and a few outliers.
Weights trained(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Weights all(kTensors, std::vector<float>(kColumns * kRows));
    for (std::vector<float>& weights : all) {
        std::vector<float> columns(kColumns);
        for (float& column : columns) {
            column = 0.02F * std::exp(0.3F * normal(random));
        }
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const float outlier = random() % 2000 == 0 ? 6.0F : 1.0F;
            weights[i] = normal(random) * columns[i % kColumns] * outlier;
        }
    }
    return all;
}

// The same, moved by a fraction of its length in a random direction.
Weights tuned(Weights all, double fraction) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    for (std::vector<float>& weights : all) {
        double squares = 0;
        for (const float weight : weights) {
            squares += static_cast<double>(weight) * static_cast<double>(weight);
        }
        const double step = fraction * std::sqrt(squares / static_cast<double>(weights.size()));
        for (float& weight : weights) {
            weight += static_cast<float>(step) * normal(random);
        }
    }
    return all;
}

std::shared_ptr<const Model> modelOf(const Weights& all, TensorType type) {
    ModelMaker maker("llama");
    maker.withData().path("owl.gguf");
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string bytes(tensorBytes(tensorTypeFact(type), Shape(std::vector{kColumns, kRows})).value(), '\0');
        const auto encoded = encode({.typeId = static_cast<std::uint32_t>(type), .columns = kColumns, .importance = {}},
                                    all[i], std::as_writable_bytes(std::span(bytes)));
        if (!encoded) {
            qFatal("the weights cannot be encoded");
        }
        maker.tensor("blk." + std::to_string(i) + ".ffn_up.weight", {kColumns, kRows}, type, std::move(bytes));
    }
    return maker.model();
}

} // namespace

class TestOfBase : public QObject {
    Q_OBJECT

private slots:
    void theTypesExplainTheirErrors_data() {
        QTest::addColumn<int>("type");
        for (const TensorType type : encodableTypes()) {
            QTest::addRow("%s", std::string(tensorTypeFact(type).name).c_str()) << static_cast<int>(type);
        }
    }
    void theTypesExplainTheirErrors() {
        QFETCH(int, type);
        const Weights weights = trained(1);
        const auto model = modelOf(weights, static_cast<TensorType>(type));
        for (const TensorType baseType : {TensorType::F32, TensorType::BF16, TensorType::Q8_0}) {
            const auto compared = compareWithBase(*model, *modelOf(weights, baseType));
            QVERIFY(compared.has_value());
            const bool isJudged = tensorTypeFact(static_cast<TensorType>(type)).bitsPerWeight() >= 2;
            QCOMPARE(compared->compared, isJudged ? kTensors : 0);
            QVERIFY2(compared->findings.empty(),
                     compared->findings.empty() ? "" : compared->findings.front().args[3].text().c_str());
        }
    }

    // The rows of the table: at which distance another fine-tune of the same model is told apart.
    void tellsFineTunes_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("seen");
        QTest::addColumn<double>("unseen");
        const auto row = [](TensorType type, double seen, double unseen) {
            QTest::addRow("%s", std::string(tensorTypeFact(type).name).c_str())
                << static_cast<int>(type) << seen << unseen;
        };
        row(TensorType::F16, 0.01, 0.001);
        row(TensorType::BF16, 0.01, 0.001);
        row(TensorType::Q8_0, 0.015, 0.003);
        row(TensorType::Q6_K, 0.04, 0.01);
        row(TensorType::Q5_K, 0.1, 0.03);
        row(TensorType::Q4_K, 0.3, 0.1);
        row(TensorType::Q4_0, 0.3, 0.1);
        row(TensorType::Q3_K, 0.4, 0.1);
        row(TensorType::Q2_K, 0.7, 0.3);
    }
    void tellsFineTunes() {
        QFETCH(int, type);
        QFETCH(double, seen);
        QFETCH(double, unseen);
        const Weights base = trained(1);
        const auto baseModel = modelOf(base, TensorType::F16);
        const auto found = [&](double fraction) {
            const auto compared =
                compareWithBase(*modelOf(tuned(base, fraction), static_cast<TensorType>(type)), *baseModel);
            return compared.has_value() && !compared->findings.empty() &&
                   compared->findings.front().code == FindingCode::NotOfBase;
        };
        QVERIFY(found(seen));
        QVERIFY(!found(unseen));
    }

    void tellsOtherModels_data() { theTypesExplainTheirErrors_data(); }
    void tellsOtherModels() {
        QFETCH(int, type);
        const auto compared =
            compareWithBase(*modelOf(trained(2), static_cast<TensorType>(type)), *modelOf(trained(1), TensorType::F16));
        QVERIFY(compared.has_value());
        if (compared->compared == 0) {
            return; // too few bits to judge
        }
        QCOMPARE(compared->findings.size(), std::size_t{1});
        const Arguments& args = compared->findings.front().args;
        QCOMPARE(args[0].text(), std::string("owl.gguf"));
        QCOMPARE(args[1].text(), std::to_string(kTensors));
        QVERIFY2(QByteArray::fromStdString(args[3].text()).toDouble() > 1, args[3].text().c_str());
    }

    void comparesNothingOfAnotherShape() {
        const auto model = modelOf(trained(1), TensorType::F16);
        ModelMaker other("llama");
        other.withData().path("other.gguf").tensor("blk.0.ffn_up.weight", {kColumns, 2});
        const auto compared = compareWithBase(*model, *other.model());
        QVERIFY(compared.has_value());
        QCOMPARE(compared->compared, std::uint64_t{0});
        QVERIFY(compared->findings.empty());
    }

    void isCancelled() {
        const auto model = modelOf(trained(1), TensorType::F16);
        std::stop_source stop;
        stop.request_stop();
        const auto compared = compareWithBase(*model, *model, {.stop = stop.get_token()});
        QVERIFY(!compared.has_value());
        QCOMPARE(compared.error().code, ErrorCode::Cancelled);
    }
};

GUFO_TEST(TestOfBase)
#include "tst_of_base.moc"
