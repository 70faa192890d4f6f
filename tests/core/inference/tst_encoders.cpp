// Compares embeddings and ranking scores with float64 forward passes of tiny models (tests/data/encoders).
#include "encoder_fixtures.h"
#include "inference/engine/binding/graph_traits.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "inference/prompts/prompt_tokens.h"
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"
#include "text/tokenizer/tokenizer.h"

#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

std::vector<float> readFloats(const QString& name) {
    QFile file(kEncoders + name);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

// Of a model with an encoder and a decoder, only the encoder makes vectors. Such a file asks for no pooling.
struct Expected {
    std::vector<TokenId> tokens{};
    std::vector<float> states{};
    std::optional<Pooling> asked{};
    Pooling pooling = Pooling::Mean;
    std::vector<float> pooled{};
};
Expected expectedOf(const QString& name) {
    const QJsonObject json = encoderJson(name);
    if (!json.contains("encoder_tokens")) {
        const Pooling pooling = *poolingFromName(json["pooling"].toString().toStdString());
        return {.tokens = idsIn(json["tokens"].toArray()),
                .states = readFloats(name + ".exact.bin"),
                .asked = pooling,
                .pooling = pooling,
                .pooled = readFloats(name + ".pooled.bin")};
    }
    Expected expected{.tokens = idsIn(json["encoder_tokens"].toArray()), .states = readFloats(name + ".enc.exact.bin")};
    const auto width = static_cast<std::size_t>(json["n_embd"].toInt());
    std::vector<double> sums(width);
    for (std::size_t i = 0; i < expected.states.size(); ++i) {
        sums[i % width] += static_cast<double>(expected.states[i]);
    }
    for (const double sum : sums) {
        expected.pooled.push_back(static_cast<float>(sum / static_cast<double>(expected.tokens.size())));
    }
    return expected;
}

} // namespace

class TestEncoders : public QObject {
    Q_OBJECT

private slots:
    void everyEncoderHasAFixture() {
        std::set<std::string> seen;
        for (const QString& name : encoderNames()) {
            seen.insert(encoderJson(name)["arch"].toString().toStdString());
        }
        seen.insert(std::string("t5encoder")); // tst_distance_biases
        for (const GraphTraits& row : graphTraits()) {
            QVERIFY2(!row.encoder || seen.contains(std::string(row.name)), std::string(row.name).c_str());
        }
    }

    void equalsExact_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<unsigned>("batch");
        for (const QString& name : encoderNames()) {
            QTest::addRow("%s, one batch", qPrintable(name)) << name << 512U;
            // Where tokens attend to later ones, the engine makes a single batch of a text all the same.
            QTest::addRow("%s, in sevens", qPrintable(name)) << name << 7U;
            QTest::addRow("%s, token by token", qPrintable(name)) << name << 1U;
        }
    }
    void equalsExact() {
        QFETCH(QString, name);
        QFETCH(unsigned, batch);
        const QJsonObject json = encoderJson(name);
        const Expected expected = expectedOf(name);
        const std::span<const TokenId> tokens(expected.tokens);
        QVERIFY(!tokens.empty());
        const auto width = static_cast<std::size_t>(json["n_embd"].toInt());
        const auto model = openEncoder(name);
        QVERIFY(model);
        const Pooling pooling = expected.pooling;
        for (const Isa isa : availableIsas()) {
            const ForcedKernels forced(kernelsFor(isa));
            const auto embedder =
                embedderOf(model, {.context = static_cast<std::uint32_t>(json["n_ctx"].toInt()), .batch = batch});
            QVERIFY(embedder);
            QCOMPARE(embedder->facts().pooling, expected.asked);
            const auto states = embedder->embed(tokens, Pooling::None, {});
            const auto pooled = embedder->embed(tokens, pooling, {});
            QVERIFY(states && pooled);
            const std::vector<float>& exact = expected.states;
            const std::vector<float>& exactPooled = expected.pooled;
            const double ofStates = smallestCosine(*states, exact, width);
            const double difference = largestDifference(*pooled, exactPooled);
            const std::string set(isaName(isa));
            if (pooling == Pooling::Rank) {
                qInfo("%s: 1 - cosine %.1e, scores differ by %.1e", set.c_str(), 1 - ofStates, difference);
                QVERIFY(difference <= 1e-4);
            } else {
                const double ofPooled = smallestCosine(*pooled, exactPooled, width);
                qInfo("%s: 1 - cosine %.1e, pooled %.1e, largest differences %.1e and %.1e", set.c_str(), 1 - ofStates,
                      1 - ofPooled, largestDifference(*states, exact), difference);
                QVERIFY(ofPooled >= 0.999'999);
            }
            QVERIFY(ofStates >= 0.999'999);
            // Not only the direction: 1e-4 is what formulas in single precision reach here.
            QVERIFY(largestDifference(*states, exact) <= 1e-4);
        }
    }

    // A text leaves nothing behind that the next one would see.
    void textsAreIndependent() {
        for (const QString& name : encoderNames()) {
            const auto embedder = embedderOf(openEncoder(name), {.context = 64});
            QVERIFY(embedder);
            const auto first = embedder->embed(randomTokens(9, 180), Pooling::None, {});
            QVERIFY(embedder->embed(randomTokens(40, 180, 5), Pooling::Mean, {}));
            const auto again = embedder->embed(randomTokens(9, 180), Pooling::None, {});
            QVERIFY(first && again);
            QVERIFY2(*first == *again, qPrintable(name));
        }
    }

    // What is reserved is what was predicted, and nothing of it is a cache.
    void memoryIsAsPredicted() {
        for (const QString& name : encoderNames()) {
            const auto model = openEncoder(name);
            if (!onlyEmbeds(*model)) {
                continue;
            }
            for (const std::uint32_t context : {1U, 16U, 64U}) {
                const SessionOptions options{.context = context, .threads = 2};
                const auto needs = memoryNeeds(model, options);
                const auto engine = makeEngine(model, SmallTensors::Decoded);
                QVERIFY(needs && engine);
                const auto session = startEngineSession(*engine, options, EngineSession::Yield::States);
                QVERIFY(session);
                QCOMPARE((*session)->memory().taken() + (*engine)->weights.smallBytes, needs->anonymous());
                QCOMPARE(needs->kvCache, std::uint64_t{0});
                QCOMPARE(needs->kvPerToken, std::uint64_t{0});
                QCOMPARE(needs->logits, std::uint64_t{0});
            }
        }
    }

    void generatesNothing() {
        for (const QString& name : encoderNames()) {
            const auto model = openEncoder(name);
            const auto loaded = loadForInference(model);
            const bool encoder = findGraphTraits(model->metadata.architecture())->encoder;
            QCOMPARE(onlyEmbeds(*model), encoder);
            QCOMPARE(loaded.has_value(), !encoder);
            if (encoder) {
                QCOMPARE(loaded.error().code, ErrorCode::NotRunnable);
                QCOMPARE(loaded.error().place, Place::key("general.architecture"));
            }
        }
    }

    void tokens_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : encoderNames()) {
            QTest::addRow("%s", qPrintable(name)) << name;
        }
    }
    void tokens() {
        QFETCH(QString, name);
        const auto model = openEncoder(name);
        const auto tokenizer = text::makeTokenizer(*model);
        QVERIFY(tokenizer);
        const QJsonObject json = encoderJson(name);
        for (const QJsonValue& each : json["tokenize"].toArray()) {
            const auto ids = embeddingTokens(**tokenizer, each["text"].toString().toStdString(), {});
            QVERIFY(ids);
            QVERIFY2(*ids == idsIn(each["ids"].toArray()), qPrintable(each["text"].toString()));
        }
    }

    // BERT: [CLS] query [SEP] text [SEP]; with a template, what it says.
    void pairs() {
        const auto model = openEncoder("bert-rank");
        const auto tokenizer = *text::makeTokenizer(*model);
        const auto query = *embeddingTokens(*tokenizer, "the big girl", {});
        auto expected = query;
        const auto second = *embeddingTokens(*tokenizer, "playing, friends", {});
        expected.insert(expected.end(), second.begin() + 1, second.end());
        QVERIFY(*rankingTokens(*tokenizer, *model, "the big girl", "playing, friends", {}) == expected);

        auto maker = copyOf(*model, [](std::string_view) { return false; });
        maker.text("tokenizer.chat_template.rerank", "{ {document} {query} {document");
        const auto templated = maker.model();
        QVERIFY(*rankingTokens(*tokenizer, *templated, "the {document}", "big", {}) ==
                *embeddingTokens(*tokenizer, "{ big the {document} {document", {}));
    }

    void requests() {
        const auto embedder = embedderOf(openEncoder("bert"), {.context = 16});
        QVERIFY(embedder);
        const auto codeOf = [&](std::span<const TokenId> tokens, Pooling pooling) {
            const auto result = embedder->embed(tokens, pooling, {});
            return result ? QStringLiteral("none")
                          : QString::fromStdString(std::string(errorName(result.error().code)));
        };
        QCOMPARE(codeOf({}, Pooling::Mean), "invalid_argument");
        QCOMPARE(codeOf(randomTokens(17, 200), Pooling::Mean), "limit_exceeded");
        QCOMPARE(codeOf(randomTokens(16, 200), Pooling::Mean), "none");
        QCOMPARE(codeOf(std::vector<TokenId>{TokenId(200)}, Pooling::Mean), "no_such_token");
        QCOMPARE(codeOf(randomTokens(3, 200), Pooling::Rank), "no_such_tensor");
        // Positions are learned, so no more than the file has can be asked for.
        QVERIFY(!openBuiltInEmbedder(openEncoder("bert"), {.context = 65}, {}));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = embedder->embed(randomTokens(3, 200), Pooling::Mean, {.stop = stop.get_token()});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }
};

GUFO_TEST(TestEncoders)
#include "tst_encoders.moc"
