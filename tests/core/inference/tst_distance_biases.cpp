// Encoders whose scores depend on the distances of tokens (T5), with and without a decoder in the file.
#include "encoder_fixtures.h"
#include "lying_models.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

// An architecture that is only the encoder of another.
constexpr std::string_view kEncoderOnly = "t5encoder";
constexpr std::string_view kWithDecoder = "t5";

} // namespace

class TestDistanceBiases : public QObject {
    Q_OBJECT

private slots:
    // Without its decoder, a model is the same encoder. With it, the engine says what it leaves out.
    void encoderWithoutItsDecoder() {
        const auto model = openEncoder("t5");
        const std::string prefix = std::string(kWithDecoder) + ".";
        auto maker = copyOf(
            *model, [&](std::string_view key) { return key == "general.architecture" || key.starts_with(prefix); },
            [](ModelMaker&, const TensorInfo& tensor, Bytes) { return tensor.name.starts_with("dec."); });
        maker.text("general.architecture", kEncoderOnly);
        for (const KeyValue& entry : model->metadata) {
            if (entry.key.starts_with(prefix)) {
                maker.value(std::string(kEncoderOnly) + "." + std::string(entry.key.substr(prefix.size())),
                            entry.value);
            }
        }
        const auto whole = embedderOf(model, {.context = 300});
        const auto alone = embedderOf(maker.model(), {.context = 300});
        QVERIFY(whole && alone);
        QVERIFY(alone->facts().leftOut.empty());
        const auto& leftOut = whole->facts().leftOut;
        QVERIFY(!leftOut.empty());
        QVERIFY(std::ranges::all_of(leftOut, [](const std::string& name) { return name.starts_with("dec."); }));
        // The second half is farther from the first tokens than distances are told apart.
        const auto tokens = randomTokens(300, 200);
        QVERIFY(*whole->embed(tokens, Pooling::None, {}) == *alone->embed(tokens, Pooling::None, {}));
    }

    // The scores of keys depend on their distance and direction, and blocks may have biases of their own.
    void distanceBiases() {
        ModelPlan plan = plainPlan("t5encoder");
        const auto tokens = randomTokens(9, 40);
        const auto statesOf = [&](const ModelPlan& of) {
            return *embedderOf(of.model(), {.context = 16})->embed(tokens, Pooling::None, {});
        };
        const auto usual = statesOf(plan);
        ModelPlan flat = plan;
        const std::string first = "enc.blk.0.attn_rel_b.weight";
        QVERIFY(flat.tensor(first) != nullptr && flat.tensor("enc.blk.1.attn_rel_b.weight") == nullptr);
        QVERIFY((flat.tensor(first)->dims == std::vector<std::uint64_t>{4, 16}));
        flat.tensor(first)->zeros = true;
        QVERIFY(largestDifference(statesOf(flat), usual) > 1e-3);
        // Equal biases cancel out in the softmax.
        ModelPlan equal = plan;
        equal.tensor(first)->values.assign(std::size_t{4} * 16, 2.5F);
        QVERIFY(largestDifference(statesOf(equal), statesOf(flat)) < 1e-5);
        // Later keys have the second half of the buckets: the first token sees only those, and the last one none.
        ModelPlan shifted = flat;
        shifted.tensor(first)->zeros = false;
        shifted.tensor(first)->values.assign(std::size_t{4} * 16, 0.0F);
        for (std::size_t i = std::size_t{4} * 9; i < std::size_t{4} * 16; ++i) {
            shifted.tensor(first)->values[i] = static_cast<float>(i % 7);
        }
        for (ModelPlan* each : {&flat, &shifted}) {
            each->set("block_count", 1U);
            std::erase_if(each->tensors, [](const auto& tensor) { return tensor.name.starts_with("enc.blk.1."); });
        }
        const auto without = statesOf(flat);
        const auto with = statesOf(shifted);
        const std::size_t width = without.size() / tokens.size();
        const auto row = [&](const std::vector<float>& states, std::size_t t) {
            return std::span(states).subspan(t * width, width);
        };
        QVERIFY(largestDifference(row(with, 0), row(without, 0)) > 1e-3);
        QCOMPARE(largestDifference(row(with, 8), row(without, 8)), 0.0);
        // Other counts of buckets than two directions can share are refused.
        for (const unsigned buckets : {0U, 3U, 257U}) {
            ModelPlan lying = plainPlan("t5encoder");
            lying.set("attention.relative_buckets_count", buckets);
            QVERIFY(refusalToEmbed(lying.model()).contains("t5encoder.attention.relative_buckets_count"));
        }
        ModelPlan otherHeads = plainPlan("t5encoder");
        otherHeads.set("attention.head_count", std::vector<std::uint32_t>{4, 2});
        QVERIFY(refusalToEmbed(otherHeads.model()).contains("enc.blk.1."));
    }
};

GUFO_TEST(TestDistanceBiases)
#include "tst_distance_biases.moc"
