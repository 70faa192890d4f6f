// Tensors of a model that have the weights of others: which exchanges are found in floats and in quantised files, and
// that differences of other kinds are none.
#include "analysis/compare/compare_models.h"
#include "support/model_maker.h"
#include "support/test_unit.h"
#include "tensor/encode.h"

#include <QTest>

#include <cstring>
#include <random>
#include <stop_token>

using namespace gufo;
using namespace gufo::test;

namespace {

// Weights by a seed, and the same with another rounding.
std::string weightsOf(std::size_t count, unsigned seed, TensorType type, float mean = 0) {
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution(mean, 1);
    std::vector<float> weights(count);
    for (float& weight : weights) {
        weight = distribution(random);
    }
    const TensorTypeFact& info = tensorTypeFact(type);
    std::string bytes(count / info.blockSize * info.blockBytes, '\0');
    const auto out = std::as_writable_bytes(std::span(bytes));
    if (type == TensorType::F32) {
        std::memcpy(bytes.data(), weights.data(), bytes.size());
    } else if (!encode({.typeId = info.id, .columns = 64, .importance = {}}, weights, out)) {
        bytes.clear();
    }
    return bytes;
}

// A model with two matrices, two norms of the same shape, and three experts. `seeds` are those of the weights.
std::shared_ptr<const Model> modelOf(const QList<int>& seeds, TensorType type) {
    constexpr std::size_t kMatrix = 64 * 64;
    const auto seed = [&](qsizetype i) { return static_cast<unsigned>(seeds[i]); };
    std::string experts;
    for (qsizetype i = 4; i < 7; ++i) {
        experts += weightsOf(kMatrix, seed(i), type);
    }
    return ModelMaker("llama")
        .withData()
        .tensor("blk.0.attn_q.weight", {64, 64}, type, weightsOf(kMatrix, seed(0), type))
        .tensor("blk.1.attn_q.weight", {64, 64}, type, weightsOf(kMatrix, seed(1), type))
        .tensor("blk.0.attn_norm.weight", {64}, TensorType::F32, weightsOf(64, seed(2), TensorType::F32, 20))
        .tensor("blk.1.attn_norm.weight", {64}, TensorType::F32, weightsOf(64, seed(3), TensorType::F32, 20))
        .tensor("blk.0.ffn_up_exps.weight", {64, 64, 3}, type, experts)
        .model();
}

} // namespace

class TestExchangedTensors : public QObject {
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void cancels();
};

void TestExchangedTensors::finds_data() {
    QTest::addColumn<QList<int>>("seeds"); // of the second model; the first has 1 to 7
    QTest::addColumn<QStringList>("found");
    QTest::newRow("nothing") << QList<int>{1, 2, 3, 4, 5, 6, 7} << QStringList{};
    QTest::newRow("matrices of two blocks")
        << QList<int>{2, 1, 3, 4, 5, 6, 7}
        << QStringList{"blk.0.attn_q.weight = blk.1.attn_q.weight", "blk.1.attn_q.weight = blk.0.attn_q.weight"};
    QTest::newRow("norms") << QList<int>{1, 2, 4, 3, 5, 6, 7}
                           << QStringList{"blk.0.attn_norm.weight = blk.1.attn_norm.weight",
                                          "blk.1.attn_norm.weight = blk.0.attn_norm.weight"};
    QTest::newRow("two experts") << QList<int>{1, 2, 3, 4, 7, 6, 5}
                                 << QStringList{"blk.0.ffn_up_exps.weight [0] = blk.0.ffn_up_exps.weight [2]",
                                                "blk.0.ffn_up_exps.weight [2] = blk.0.ffn_up_exps.weight [0]"};
    QTest::newRow("three experts in a circle")
        << QList<int>{1, 2, 3, 4, 6, 7, 5}
        << QStringList{"blk.0.ffn_up_exps.weight [0] = blk.0.ffn_up_exps.weight [1]",
                       "blk.0.ffn_up_exps.weight [1] = blk.0.ffn_up_exps.weight [2]",
                       "blk.0.ffn_up_exps.weight [2] = blk.0.ffn_up_exps.weight [0]"};
    QTest::newRow("other weights") << QList<int>{8, 9, 3, 4, 5, 6, 7} << QStringList{};
    QTest::newRow("one other tensor") << QList<int>{8, 2, 3, 4, 5, 6, 7} << QStringList{};
    QTest::newRow("a copy in the place of another")
        << QList<int>{2, 2, 3, 4, 5, 6, 7} << QStringList{"blk.0.attn_q.weight = blk.1.attn_q.weight"};
}

void TestExchangedTensors::finds() {
    QFETCH(QList<int>, seeds);
    QFETCH(QStringList, found);
    const auto reference = modelOf({1, 2, 3, 4, 5, 6, 7}, TensorType::F32);
    for (const TensorType type : {TensorType::F32, TensorType::Q8_0, TensorType::Q4_0}) {
        const std::vector<std::shared_ptr<const Model>> models{reference, modelOf(seeds, type)};
        const auto matches = matchTensors(models, 0);
        QVERIFY(matches);
        const auto comparison = compareModels(*matches);
        QVERIFY(comparison);
        const auto exchanged = findExchanged(*matches, *comparison);
        QVERIFY(exchanged);
        QStringList names;
        for (const ExchangedTensor& one : *exchanged) {
            QCOMPARE(one.model, 1U);
            names << QString::fromStdString(matches->rows[one.row].label() + " = " + matches->rows[one.holds].label());
        }
        QCOMPARE(names, found);
    }
}

void TestExchangedTensors::cancels() {
    const std::vector<std::shared_ptr<const Model>> models{modelOf({1, 2, 3, 4, 5, 6, 7}, TensorType::F32),
                                                           modelOf({2, 1, 3, 4, 5, 6, 7}, TensorType::F32)};
    const auto matches = matchTensors(models, 0);
    QVERIFY(matches);
    const auto comparison = compareModels(*matches);
    QVERIFY(comparison);
    std::stop_source stop;
    stop.request_stop();
    const auto exchanged = findExchanged(*matches, *comparison, {.stop = stop.get_token()});
    QVERIFY(!exchanged);
    QCOMPARE(exchanged.error().code, ErrorCode::Cancelled);
}

GUFO_TEST_APPLESS(TestExchangedTensors)
#include "tst_exchanged_tensors.moc"
