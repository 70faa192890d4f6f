// Models whose keys about experts, indexers and gates contradict their tensors: each must run correctly or be refused.
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "lying_runs.h"
#include "support/test_unit.h"

#include <QTest>

#include <limits>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

class TestLyingExperts : public QObject {
    Q_OBJECT

private slots:
    // Keys that say which blocks have experts, and how many and how wide these are, must agree with the tensors.
    void keysOfExperts_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("key");
        QTest::addColumn<std::uint32_t>("value");
        for (const GraphTraits& row : graphTraits()) {
            if (row.experts.sizes == ExpertSizes::AsTensors) {
                continue;
            }
            const std::vector<std::pair<const char*, std::uint32_t>> lies{{"expert_count", 0},
                                                                          {"expert_count", 6},
                                                                          {"expert_used_count", 0},
                                                                          {"expert_used_count", 5},
                                                                          {"expert_group_count", 3},
                                                                          {"expert_group_used_count", 3},
                                                                          {"expert_gating_func", 9},
                                                                          {"interleave_moe_layer_step", 0},
                                                                          {"interleave_moe_layer_step", 2},
                                                                          {"leading_dense_block_count", 0},
                                                                          {"leading_dense_block_count", 2},
                                                                          {"leading_dense_block_count", 3},
                                                                          {"feed_forward_length", 0},
                                                                          {"feed_forward_length", 95},
                                                                          {"expert_feed_forward_length", 0},
                                                                          {"expert_feed_forward_length", 33},
                                                                          {"expert_shared_count", 0},
                                                                          {"expert_shared_count", 4},
                                                                          {"expert_shared_count", 1U << 20U},
                                                                          {"expert_shared_feed_forward_length", 47},
                                                                          {"moe_every_n_layers", 1}};
            for (const auto& [key, value] : lies) {
                QTest::addRow("%s, %s %u", row.name.data(), key, value)
                    << QString::fromUtf8(row.name.data()) << key << value;
            }
        }
    }
    void keysOfExperts() {
        QFETCH(QString, architecture);
        QFETCH(QString, key);
        QFETCH(std::uint32_t, value);
        const std::map<QString, QStringList> unused{
            // the keys that do not concern an architecture
            {"ernie4_5-moe", {"expert_shared_count", "expert_gating_func"}},
            {"hunyuan-moe",
             {"expert_shared_count", "expert_gating_func", "expert_feed_forward_length", "leading_dense_block_count"}},
            {"llama4",
             {"expert_gating_func", "expert_shared_count", "expert_shared_feed_forward_length", "feed_forward_length",
              "leading_dense_block_count"}},
            {"minimax-m2",
             {"expert_shared_count", "expert_shared_feed_forward_length", "expert_feed_forward_length",
              "leading_dense_block_count"}},
            {"nomic-bert-moe",
             {"expert_shared_count", "expert_shared_feed_forward_length", "expert_feed_forward_length",
              "leading_dense_block_count", "interleave_moe_layer_step"}},
        };
        if (key == "moe_every_n_layers" && architecture != "nomic-bert-moe") {
            return;
        }
        ModelPlan plan = plainPlan(architecture.toStdString());
        const std::vector<float> before = runModel(plan.model());
        QVERIFY(!before.empty());
        plan.set(key.toStdString(), value);
        const auto model = plan.model();
        if (const auto found = unused.find(architecture); found != unused.end() && found->second.contains(key)) {
            QVERIFY(runModel(model) == before);
            return;
        }
        const Error error = refusalOf(model);
        QVERIFY2(namesKey(error, architecture + "." + key), qPrintable(errorText(error)));
    }

    // Experts of MiniMax are never chosen without a bias.
    void routerWithoutBias() {
        ModelPlan plan = plainPlan("minimax-m2");
        QVERIFY(plan.tensor("blk.1.exp_probs_b.bias") != nullptr);
        std::erase_if(plan.tensors, [](const auto& tensor) { return tensor.name == "blk.1.exp_probs_b.bias"; });
        QCOMPARE(errorText(refusalOf(plan.model())), "no_such_tensor | blk.1.exp_probs_b.bias");
    }

    void keysOfTheIndexer_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<std::uint32_t>("value");
        const std::vector<std::pair<const char*, std::uint32_t>> lies{
            {"indexer.head_count", 0}, {"indexer.head_count", 4}, {"indexer.head_count", 1U << 25U},
            {"indexer.key_length", 0}, {"indexer.key_length", 8}, {"indexer.key_length", 49},
            {"indexer.top_k", 0},      {"q_lora_rank", 0},        {"q_lora_rank", 31},
            {"kv_lora_rank", 0},       {"kv_lora_rank", 33},      {"key_length_mla", 16},
            {"key_length_mla", 41},    {"value_length_mla", 0},   {"value_length_mla", 25},
        };
        for (const auto& [key, value] : lies) {
            QTest::addRow("%s %u", key, value) << key << value;
        }
    }
    void keysOfTheIndexer() {
        QFETCH(QString, key);
        QFETCH(std::uint32_t, value);
        ModelPlan plan = plainPlan("deepseek32");
        QVERIFY(!runModel(plan.model()).empty());
        plan.set("attention." + key.toStdString(), value);
        const Error error = refusalOf(plan.model());
        QVERIFY2(namesKey(error, "deepseek32.attention." + key), qPrintable(errorText(error)));
    }

    // Scores that are no numbers still choose as many positions as they may.
    void indexerWithoutNumbers() {
        ModelPlan plan = plainPlan("deepseek32");
        for (const test::Filling filling : {test::Filling::Random, test::Filling::NotNumbers, test::Filling::Zeros}) {
            plan.filling = filling;
            QVERIFY(!runModel(plan.model(), 200, 200).empty());
            QVERIFY(!runModel(plan.model(), 20, 1).empty());
        }
    }

    // NaN gates still choose experts, each at most once.
    void gatesThatAreNoNumbers_data() {
        QTest::addColumn<unsigned>("groups");
        QTest::newRow("no groups") << 1U;
        QTest::newRow("groups") << 2U;
    }
    void gatesThatAreNoNumbers() {
        QFETCH(unsigned, groups);
        ModelPlan plan = test::planOf(*findGraphTraits("deepseek2"));
        plan.set("embedding_length", 32U);
        plan.set("expert_count", 128U);
        plan.set("expert_used_count", 48U);
        plan.set("expert_group_count", groups);
        test::complete(plan, {.optional = [](std::string_view role) {
                           return role == "ffn_gate_inp.weight" || role == "exp_probs_b.bias";
                       }});
        plan.filling = test::Filling::Random;
        QVERIFY(!runModel(plan.model()).empty());
        plan.filling = test::Filling::NotNumbers;
        QVERIFY(!runModel(plan.model()).empty());
    }

    // An expert with a NaN score comes last, and the others are chosen as if it did not exist.
    void scoreThatIsNoNumber() {
        const auto logitsWith = [](float bias) {
            ModelPlan plan = test::planOf(*findGraphTraits("deepseek2"));
            plan.set("expert_count", 8U);
            plan.set("expert_group_count", 1U);
            test::complete(plan, {.optional = [](std::string_view role) {
                               return role == "ffn_gate_inp.weight" || role == "exp_probs_b.bias";
                           }});
            for (const char* name : {"blk.0.exp_probs_b.bias", "blk.1.exp_probs_b.bias"}) {
                plan.tensor(name)->values = {0.1F, bias, 0.3F, 0.2F, bias, 0.5F, 0.4F, bias};
            }
            return runModel(plan.model());
        };
        const std::vector<float> last = logitsWith(-1e30F);
        QVERIFY(!last.empty());
        QCOMPARE(logitsWith(std::numeric_limits<float>::quiet_NaN()), last);
    }

    // Experts that the metadata promises but no block has must not take memory.
    void promisedExperts() {
        ModelPlan plan = plainPlan("llama");
        const auto without = memoryNeeds(plan.model(), {.context = 64, .batch = 8});
        plan.set("expert_count", 1U << 24U);
        plan.set("expert_group_count", 1U);
        const auto with = memoryNeeds(plan.model(), {.context = 64, .batch = 8});
        QVERIFY(with && without);
        QCOMPARE(with->anonymous(), without->anonymous());
        QVERIFY(!runModel(plan.model()).empty());
    }
};

GUFO_TEST(TestLyingExperts)
#include "tst_lying_experts.moc"
