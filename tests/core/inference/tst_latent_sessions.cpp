// Sessions of models with latent attention: what its cache holds, the forms of its matrices, and the indexer of
// DeepSeek-V3.2.
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "model/hyper_parameters.h"
#include "session_helpers.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <cstring>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

class TestLatentSessions : public QObject {
    Q_OBJECT

private slots:
    // One block, so that a position which rounding chooses instead of an equally good one affects a single token.
    void longContextOfAnIndexer() {
        const auto model = openFixture("deepseek32");
        const auto logitsWith = [&](std::uint32_t best, std::uint32_t batch) {
            const auto leave = [](std::string_view key) { return key.ends_with("top_k"); };
            ModelMaker maker = copyOf(*model, leave);
            maker.u32("deepseek32.nextn_predict_layers", 1).u32("deepseek32.attention.indexer.top_k", best);
            const auto loaded = loadForInference(maker.model());
            const auto session = loaded ? start(**loaded, exactly(1400, batch)) : nullptr;
            return session ? logitsOf(*session, randomTokens(1300, session->vocabulary()), batch)
                           : std::vector<float>();
        };
        constexpr std::size_t kTokens = 1300;
        const std::vector<float> together = logitsWith(70, 200);
        const std::vector<float> apart = logitsWith(70, 1);
        const std::vector<float> all = logitsWith(2000, 200);
        QVERIFY(!together.empty() && together.size() == apart.size() && together.size() == all.size());
        const std::size_t width = together.size() / kTokens;
        const auto differing = [&](const std::vector<float>& other) {
            std::vector<bool> rows;
            for (std::size_t t = 0; t < kTokens; ++t) {
                const std::span row(together);
                rows.push_back(largestDifference(row.subspan(t * width, width),
                                                 std::span(other).subspan(t * width, width)) > 1e-3);
            }
            return rows;
        };
        const std::vector<bool> fromApart = differing(apart);
        const std::vector<bool> fromAll = differing(all);
        QVERIFY(std::ranges::count(fromApart, true) <= 13);
        QCOMPARE(std::count(fromAll.begin(), fromAll.begin() + 70, true), 0);
        QVERIFY(std::ranges::count(fromAll, true) > 600);
    }

    // Keys of an indexer are cached beside the row of latent attention.
    void cacheOfAnIndexer() {
        const auto model = openFixture("deepseek32");
        for (const KvCacheType type : kvCacheTypes()) {
            const auto needs = memoryNeeds(model, {.context = 96, .keys = type, .values = type});
            const auto estimate = estimateMemory(*model, {.context = 96, .keys = type, .values = type});
            QVERIFY(needs && estimate);
            QCOMPARE(estimate->kvPerToken, needs->kvPerToken);
            QCOMPARE(estimate->kvCache, needs->kvPerToken * 96);
            if (type == KvCacheType::F16) {
                QCOMPARE(needs->kvPerToken, std::uint64_t{2 * (16 + 8 + 64) * 2});
            }
        }
    }

    void latentCacheIsOneRow_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"deepseek2", "deepseek2-lite", "deepseek2-v3"}) {
            QTest::newRow(name) << name;
        }
    }
    void latentCacheIsOneRow() {
        QFETCH(QString, name);
        const auto model = openFixture(name);
        const auto needs = memoryNeeds(model, {.context = 100});
        QVERIFY(needs);
        const std::uint64_t blocks = *HyperParameters(model->metadata).uint("block_count");
        QCOMPARE(needs->kvPerToken, blocks * (32 + 16) * 2); // latent and rotated part, F16
        const auto estimate = estimateMemory(*model, {.context = 100});
        QCOMPARE(estimate->kvCache, needs->kvPerToken * 100);
    }

    // Newer files have separate matrices of keys and values for each head; the matrices of keys are transposed.
    void latentHeadsApart_data() { latentCacheIsOneRow_data(); }
    void latentHeadsApart() {
        QFETCH(QString, name);
        const auto model = openFixture(name);
        const auto number = [&](std::string_view key) { return *HyperParameters(model->metadata).uint(key); };
        const std::uint64_t rank = number("attention.kv_lora_rank");
        const std::uint64_t rotated = number("rope.dimension_count");
        const std::uint64_t keyLength = number("attention.key_length");
        const std::uint64_t valueLength = number("attention.value_length");
        const std::uint64_t heads = number("attention.head_count");
        const std::uint64_t plain = keyLength - rotated;
        const auto leave = [](std::string_view key) {
            return (key.ends_with("_length") && key.find("attention.") != key.npos) ||
                   key.ends_with("attention.head_count_kv");
        };
        ModelMaker maker = copyOf(*model, leave, [&](ModelMaker& to, const TensorInfo& tensor, gufo::Bytes bytes) {
            if (!tensor.name.ends_with("attn_kv_b.weight")) {
                return false;
            }
            const std::string prefix(
                tensor.name.substr(0, tensor.name.size() - std::string_view("kv_b.weight").size()));
            const auto* from = reinterpret_cast<const float*>(bytes.data());
            std::vector<float> keys(heads * plain * rank);
            std::vector<float> values(heads * valueLength * rank);
            for (std::uint64_t h = 0; h < heads; ++h) {
                const float* head = from + h * (plain + valueLength) * rank;
                for (std::uint64_t i = 0; i < plain; ++i) {
                    for (std::uint64_t j = 0; j < rank; ++j) {
                        keys[(h * rank + j) * plain + i] = head[i * rank + j];
                    }
                }
                std::copy_n(head + plain * rank, valueLength * rank, values.data() + h * valueLength * rank);
            }
            const auto text = [](const std::vector<float>& numbers) {
                return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
            };
            to.tensor(prefix + "k_b.weight", {plain, rank, heads}, TensorType::F32, text(keys));
            to.tensor(prefix + "v_b.weight", {rank, valueLength, heads}, TensorType::F32, text(values));
            return true;
        });
        maker.u32("deepseek2.attention.head_count_kv", 1)
            .u32("deepseek2.attention.key_length", static_cast<std::uint32_t>(rank + rotated))
            .u32("deepseek2.attention.value_length", static_cast<std::uint32_t>(rank))
            .u32("deepseek2.attention.key_length_mla", static_cast<std::uint32_t>(keyLength))
            .u32("deepseek2.attention.value_length_mla", static_cast<std::uint32_t>(valueLength));
        const auto loaded = loadForInference(maker.model());
        if (!loaded) {
            qWarning("%s %s", errorName(loaded.error().code).data(), loaded.error().args.at(0).text().c_str());
        }
        QVERIFY(loaded);
        const auto joined = loadForInference(model);
        const auto session = start(**loaded, exactly(64, 64));
        const auto other = start(**joined, exactly(64, 64));
        const auto tokens = randomTokens(24, session->vocabulary());
        const double difference = largestDifference(logitsOf(*session, tokens, 24), logitsOf(*other, tokens, 24));
        QVERIFY2(difference <= 1e-3, qPrintable(QString::number(difference)));
    }

    // Queries grow with their position, by 1 + scale × ln(1 + position / length rounded down). In a model of one block
    // this is the same as a larger matrix of queries.
    void queriesGrow() {
        constexpr float kScale = 0.5F;
        constexpr std::uint32_t kLength = 8;
        const auto model = openFixture("deepseek2-lite");
        const auto logitsWith = [&](float scale, float factor) {
            const auto leave = [](std::string_view key) { return key.ends_with(".block_count"); };
            ModelMaker maker = copyOf(*model, leave, [&](ModelMaker& to, const TensorInfo& tensor, gufo::Bytes bytes) {
                if (tensor.name.starts_with("blk.0.") && tensor.name.ends_with("attn_q.weight")) {
                    std::string scaled(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                    for (std::size_t at = 0; at < scaled.size(); at += sizeof(float)) {
                        float weight = 0;
                        std::memcpy(&weight, scaled.data() + at, sizeof weight);
                        weight *= factor;
                        std::memcpy(scaled.data() + at, &weight, sizeof weight);
                    }
                    const auto dims = tensor.shape.dims();
                    to.tensor(tensor.name, {dims.begin(), dims.end()}, TensorType::F32, scaled);
                    return true;
                }
                return tensor.name.starts_with("blk.") && !tensor.name.starts_with("blk.0.");
            });
            maker.u32("deepseek2.block_count", 1);
            if (scale != 0) {
                maker.f32("deepseek2.attention.temperature_scale", scale)
                    .u32("deepseek2.attention.temperature_length", kLength);
            }
            const auto loaded = loadForInference(maker.model());
            const auto session = loaded ? start(**loaded, exactly(64, 64)) : nullptr;
            return session ? logitsOf(*session, randomTokens(24, session->vocabulary()), 24) : std::vector<float>();
        };
        const std::vector<float> grown = logitsWith(kScale, 1);
        const std::vector<float> plain = logitsWith(0, 1);
        QVERIFY(!grown.empty() && grown.size() == plain.size());
        const std::size_t width = grown.size() / 24;
        const auto differenceAt = [&](std::size_t position, const std::vector<float>& other) {
            return largestDifference(std::span(grown).subspan(position * width, width),
                                     std::span(other).subspan(position * width, width));
        };
        for (const std::uint32_t position : {7U, 8U, 15U, 23U}) {
            const float factor = 1 + kScale * std::log1p(static_cast<float>(position / kLength));
            const std::vector<float> scaled = logitsWith(0, factor);
            QCOMPARE(scaled.size(), grown.size());
            QVERIFY2(differenceAt(position, scaled) <= 1e-4, qPrintable(QString::number(position)));
            QCOMPARE(differenceAt(position, plain) > 1e-3, position >= kLength);
        }
    }

    // A scale needs the length that it belongs to.
    void queriesGrowOverNoLength() {
        const auto model = openFixture("deepseek2-lite");
        ModelMaker maker = copyOf(*model, [](std::string_view) { return false; });
        maker.f32("deepseek2.attention.temperature_scale", 0.5F);
        const auto loaded = loadForInference(maker.model());
        QVERIFY(!loaded);
    }
};

GUFO_TEST(TestLatentSessions)
#include "tst_latent_sessions.moc"
