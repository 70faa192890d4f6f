// Encoders whose keys and shapes do not fit are refused with the key or the tensor named.
#include "encoder_fixtures.h"
#include "lying_models.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

class TestLyingEncoders : public QObject {
    Q_OBJECT

private slots:
    void lies_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("key");
        QTest::addColumn<unsigned>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("pooling")
            << "bert" << "pooling_type" << 9U
            << "invalid_argument | bert.pooling_type | hyper_parameter_unusable bert.pooling_type 9";
        QTest::newRow("pooling of the head")
            << "modern-bert" << "classifier.pooling_type" << 4U
            << "invalid_argument | modern-bert.classifier.pooling_type | hyper_parameter_unusable "
               "modern-bert.classifier.pooling_type 4";
        QTest::newRow("no head") << "bert" << "pooling_type" << 4U
                                 << "no_such_tensor | cls.output.weight | cls.output.weight";
        QTest::newRow("labels without names") << "bert" << "classifier.output_labels" << 3U
                                              << "invalid_argument | bert.classifier.output_labels | "
                                                 "hyper_parameter_unusable bert.classifier.output_labels 3";
        QTest::newRow("no experts") << "nomic-bert-moe" << "expert_count" << 0U
                                    << "invalid_argument | nomic-bert-moe.expert_count | hyper_parameter_unusable "
                                       "nomic-bert-moe.expert_count 0";
        QTest::newRow("experts in no block") << "nomic-bert-moe" << "moe_every_n_layers" << 0U
                                             << "invalid_argument | nomic-bert-moe.moe_every_n_layers | "
                                                "hyper_parameter_unusable nomic-bert-moe.moe_every_n_layers 0";
        QTest::newRow("experts in other blocks")
            << "nomic-bert-moe" << "moe_every_n_layers" << 1U
            << "no_such_tensor | blk.1.ffn_up.weight | blk.1.ffn_up.weight, blk.1.ffn_down.weight";
    }
    void lies() {
        QFETCH(QString, architecture);
        QFETCH(QString, key);
        QFETCH(unsigned, value);
        QFETCH(QString, expected);
        ModelPlan plan = plainPlan(architecture.toStdString());
        QCOMPARE(refusalToEmbed(plan.model()), "it runs");
        plan.set(key.toStdString(), value);
        QCOMPARE(refusalToEmbed(plan.model()), expected);
    }

    void otherLies() {
        ModelPlan plan = plainPlan("modern-bert");
        plan.set("hidden_activation", std::string("relu"));
        QCOMPARE(refusalToEmbed(plan.model()),
                 "not_runnable | modern-bert.hidden_activation | modern-bert.hidden_activation = relu");
        plan = plainPlan("bert");
        plan.tensors.push_back({.name = "token_types.weight", .dims = {63, 2}});
        QCOMPARE(refusalToEmbed(plan.model()), "wrong_shape | token_types.weight | 63 × 2 | 64 × …");
        plan = plainPlan("gemma-embedding");
        plan.tensors.push_back({.name = "dense_2.weight", .dims = {64, 80}});
        QCOMPARE(refusalToEmbed(plan.model()), "no_such_tensor | dense_3.weight | dense_3.weight");
        plan.tensors.push_back({.name = "dense_3.weight", .dims = {80, 64}});
        QCOMPARE(refusalToEmbed(plan.model()), "it runs");
        plan = plainPlan("bert");
        plan.set("pooling_type", 4U);
        plan.tensors.push_back({.name = "cls.output.weight", .dims = {64, 3}});
        QCOMPARE(refusalToEmbed(plan.model()), "wrong_shape | cls.output.weight | 64 × 3 | 64 × 1");
    }
};

GUFO_TEST(TestLyingEncoders)
#include "tst_lying_encoders.moc"
