// Texts that share batches get the vectors that they get alone.
#include "encoder_fixtures.h"
#include "inference/engine/gufo_engine.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

std::vector<std::vector<TokenId>> textsToEmbed(std::uint32_t vocabulary) {
    std::vector<std::vector<TokenId>> texts;
    for (const std::size_t length : {9U, 1U, 30U, 2U, 64U, 17U, 1U, 33U, 15U, 16U}) {
        texts.push_back(randomTokens(length, vocabulary, static_cast<std::uint32_t>(texts.size())));
    }
    return texts;
}

std::vector<std::span<const TokenId>> spansOf(const std::vector<std::vector<TokenId>>& texts) {
    return {texts.begin(), texts.end()};
}

// Whether each text gets the same result together with the others as alone.
bool sameTogether(Embedder& embedder, const std::vector<std::vector<TokenId>>& texts, Pooling pooling) {
    const auto together = embedder.embedAll(spansOf(texts), pooling, {});
    if (!together || together->size() != texts.size()) {
        return false;
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto alone = embedder.embed(texts[i], pooling, {});
        if (!alone) {
            return false;
        }
        if (pooling == Pooling::Rank) {
            if (!(largestDifference((*together)[i], *alone) <= 1e-5)) {
                return false;
            }
            continue;
        }
        const std::size_t width = pooling == Pooling::None ? embedder.facts().width : alone->size();
        const double near = smallestCosine((*together)[i], *alone, width);
        if (!(near > 1 - 1e-6)) {
            qWarning("text %d: 1 - %g", static_cast<int>(i), 1 - near);
            return false;
        }
    }
    return true;
}

} // namespace

class TestSharedBatches : public QObject {
    Q_OBJECT

private slots:
    // Texts that share a batch get the vectors that they get alone, in the order in which they were given.
    void textsMayShareBatches() {
        for (const QString& name : encoderNames()) {
            const auto embedder = embedderOf(openEncoder(name), {.context = 64});
            QVERIFY(embedder);
            std::vector<std::vector<TokenId>> texts = textsToEmbed(180);
            for (const Pooling pooling : {Pooling::None, Pooling::Mean, Pooling::Last, Pooling::Rank}) {
                if (pooling == Pooling::Rank && !embedder->facts().ranks) {
                    QVERIFY(!embedder->embedAll(spansOf(texts), pooling, {}));
                    continue;
                }
                QVERIFY2(sameTogether(*embedder, texts, pooling), qPrintable(name));
            }
            QVERIFY(embedder->embedAll({}, Pooling::Mean, {})->empty());
            // A text that is too long, or a token that does not exist, is refused before anything is evaluated.
            texts.push_back(randomTokens(65, 180));
            QCOMPARE(embedder->embedAll(spansOf(texts), Pooling::Mean, {}).error().code, ErrorCode::LimitExceeded);
            texts.pop_back();
            std::stop_source stop;
            stop.request_stop();
            QCOMPARE(embedder->embedAll(spansOf(texts), Pooling::Mean, {.stop = stop.get_token()}).error().code,
                     ErrorCode::Cancelled);
        }
    }

    // The same for models that generate: with windows, sinks, learnt positions and experts, whose texts share batches,
    // and with latents, keys of other blocks and recurrent states, whose texts do not. Long texts need several batches.
    void generatorsShareBatches_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("shares");
        for (const char* name : {"llama", "qwen3", "gemma3", "gpt-oss", "gpt2", "qwen3moe", "cohere2", "llama4"}) {
            QTest::newRow(name) << name << true;
        }
        for (const char* name : {"deepseek2", "gemma3n", "qwen35", "rwkv7"}) {
            QTest::newRow(name) << name << false;
        }
    }
    void generatorsShareBatches() {
        QFETCH(QString, name);
        QFETCH(bool, shares);
        const auto model = openFixture(name);
        const SessionOptions options{
            .context = 64, .batch = 32, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 2};
        const auto engine = makeEngine(model, SmallTensors::Decoded);
        QVERIFY(engine);
        const auto session = startEngineSession(*engine, options, EngineSession::Yield::States);
        QVERIFY(session);
        QCOMPARE((*session)->sharesBatches(), shares);
        const auto embedder = openBuiltInEmbedder(model, options, {});
        QVERIFY(embedder);
        const std::vector<std::vector<TokenId>> texts = textsToEmbed((*session)->vocabulary());
        QVERIFY(sameTogether(**embedder, texts, Pooling::None));
        QVERIFY(sameTogether(**embedder, texts, Pooling::Mean));
        QVERIFY(sameTogether(**embedder, texts, Pooling::Last));
    }
};

GUFO_TEST(TestSharedBatches)
#include "tst_shared_batches.moc"
