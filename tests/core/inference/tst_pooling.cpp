// What is made of the states of tokens: vectors by pooling and projection, and by models that are not causal.
#include "encoder_fixtures.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/pooling.h"
#include "lying_models.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

class TestPooling : public QObject {
    Q_OBJECT

private slots:
    // Of the rows that Pooling::None gives.
    void pools_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("encoder") << "modern-bert";
        QTest::newRow("decoder") << "qwen3-embed";
    }
    void pools() {
        QFETCH(QString, name);
        const auto embedder = embedderOf(openEncoder(name), {.context = 64, .batch = 5});
        QVERIFY(embedder);
        const std::size_t width = embedder->facts().width;
        const auto tokens = randomTokens(11, 200);
        const auto all = embedder->embed(tokens, Pooling::None, {});
        QVERIFY(all && all->size() == tokens.size() * width);
        std::vector<float> mean(width);
        for (std::size_t i = 0; i < all->size(); ++i) {
            mean[i % width] += (*all)[i] / static_cast<float>(tokens.size());
        }
        const std::span<const float> rows(*all);
        QVERIFY(largestDifference(*embedder->embed(tokens, Pooling::Mean, {}), mean) < 1e-5);
        QCOMPARE(largestDifference(*embedder->embed(tokens, Pooling::First, {}), rows.first(width)), 0.0);
        QCOMPARE(largestDifference(*embedder->embed(tokens, Pooling::Last, {}), rows.last(width)), 0.0);
        scaleToUnitLength(mean);
        double squares = 0;
        for (const float x : mean) {
            squares += static_cast<double>(x) * static_cast<double>(x);
        }
        QVERIFY(std::abs(squares - 1) < 1e-6);
        std::vector<float> zeros(3);
        scaleToUnitLength(zeros);
        QVERIFY(zeros == std::vector<float>(3));
    }

    // The vectors of a model for embeddings are projected twice after they are pooled; vectors of tokens are not.
    void projections() {
        ModelPlan plan = plainPlan("gemma-embedding");
        const auto plain = embedderOf(plan.model(), {.context = 8});
        plan.tensors.push_back({.name = "dense_2.weight", .dims = {64, 80}});
        plan.tensors.push_back({.name = "dense_3.weight", .dims = {80, 64}});
        for (std::size_t i = 0; i < 80; ++i) {
            for (std::size_t j = 0; j < 64; ++j) {
                plan.tensors[plan.tensors.size() - 2].values.push_back(i == j ? 2.0F : 0.0F);
            }
        }
        for (std::size_t i = 0; i < 64; ++i) {
            for (std::size_t j = 0; j < 80; ++j) {
                plan.tensors.back().values.push_back(i == 63 - j ? 3.0F : 0.0F);
            }
        }
        const auto projected = embedderOf(plan.model(), {.context = 8});
        QVERIFY(plain && projected);
        const auto tokens = randomTokens(5, 40);
        std::vector<float> expected = *plain->embed(tokens, Pooling::Mean, {});
        std::ranges::reverse(expected);
        std::ranges::transform(expected, expected.begin(), [](float x) { return 6 * x; });
        QVERIFY(largestDifference(*projected->embed(tokens, Pooling::Mean, {}), expected) < 1e-5);
        QVERIFY(*projected->embed(tokens, Pooling::None, {}) == *plain->embed(tokens, Pooling::None, {}));
    }

    // A language model whose file says that attention is not causal: tokens see later ones, and nothing is generated.
    void notCausal() {
        ModelPlan plan = plainPlan("llama");
        const auto tokens = randomTokens(6, 40);
        const auto firstOf = [&](std::span<const TokenId> prefix) {
            return *embedderOf(plan.model(), {.context = 8})->embed(prefix, Pooling::First, {});
        };
        QVERIFY(largestDifference(firstOf(tokens), firstOf(std::span(tokens).first(2))) < 1e-5);
        plan.set("attention.causal", false);
        QVERIFY(largestDifference(firstOf(tokens), firstOf(std::span(tokens).first(2))) > 1e-3);
        const auto loaded = loadForInference(plan.model());
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().place, Place::key("llama.attention.causal"));
        plan = plainPlan("mamba");
        plan.set("attention.causal", false);
        QCOMPARE(refusalToEmbed(plan.model()),
                 "not_runnable | mamba.attention.causal | mamba.attention.causal = false");
    }
};

GUFO_TEST(TestPooling)
#include "tst_pooling.moc"
