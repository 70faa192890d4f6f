// Compares embeddings and ranking scores with float64 forward passes of tiny models (tests/data/encoders).
#include "inference/engine/binding/graph_traits.h"
#include "inference/engine/engine_session.h"
#include "inference/session/embedding_tokens.h"
#include "inference/session/engine_table.h"
#include "lying_models.h"
#include "support/fixture_models.h"
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"
#include "text/tokenizer/tokenizer.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <cstring>
#include <set>

using namespace gufo;
using namespace gufo::inference;
using test::ModelPlan;

namespace {

const QString kEncoders = QStringLiteral(GUFO_TEST_DATA "/encoders/");

QJsonObject readJson(const QString& name) {
    QFile file(kEncoders + name + ".json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

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

std::vector<TokenId> idsIn(const QJsonArray& array) {
    std::vector<TokenId> ids;
    for (const QJsonValue& id : array) {
        ids.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    return ids;
}

QStringList fixtureNames() {
    QStringList names;
    for (const QString& file : QDir(kEncoders).entryList({"*.json"})) {
        names << file.chopped(5);
    }
    return names;
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
    const QJsonObject json = readJson(name);
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

// An architecture that is only the encoder of another.
constexpr std::string_view kEncoderOnly = "t5encoder";
constexpr std::string_view kWithDecoder = "t5";

std::shared_ptr<const Model> openEncoder(const QString& name) {
    auto model = openModel((kEncoders + name + ".gguf").toStdString());
    return model ? *model : nullptr;
}

std::unique_ptr<Embedder> embedderOf(const std::shared_ptr<const Model>& model, SessionOptions options) {
    options.threads = 2;
    options.keys = KvCacheType::F32;
    options.values = KvCacheType::F32;
    auto embedder = engineWith(Feature::Embeddings)->openEmbedder(model, options, {});
    return embedder ? std::move(*embedder) : nullptr;
}

double cosine(std::span<const float> a, std::span<const float> b) {
    double both = 0;
    double ofA = 0;
    double ofB = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const auto x = static_cast<double>(a[i]);
        const auto y = static_cast<double>(b[i]);
        both += x * y;
        ofA += x * x;
        ofB += y * y;
    }
    return both / std::sqrt(ofA * ofB);
}

// The smallest cosine of two rows; 0 if the sizes differ.
double smallestCosine(std::span<const float> a, std::span<const float> b, std::size_t width) {
    if (a.size() != b.size() || a.empty() || a.size() % width != 0) {
        return 0;
    }
    double smallest = 1;
    for (std::size_t i = 0; i < a.size(); i += width) {
        smallest = std::min(smallest, cosine(a.subspan(i, width), b.subspan(i, width)));
    }
    return smallest;
}

// Why a model makes no vectors: the error's name, place and arguments.
QString refusal(const std::shared_ptr<const Model>& model) {
    const auto embedder = openBuiltInEmbedder(model, {.context = 8}, {});
    if (embedder) {
        return "it runs";
    }
    QStringList parts{QString::fromStdString(std::string(errorName(embedder.error().code))),
                      QString::fromStdString(embedder.error().place.name)};
    for (const Argument& arg : embedder.error().args) {
        parts << QString::fromStdString(arg.text());
    }
    return parts.join(" | ");
}

std::vector<std::vector<TokenId>> textsToEmbed(std::uint32_t vocabulary) {
    std::vector<std::vector<TokenId>> texts;
    for (const std::size_t length : {9U, 1U, 30U, 2U, 64U, 17U, 1U, 33U, 15U, 16U}) {
        texts.push_back(test::someTokens(length, vocabulary, static_cast<std::uint32_t>(texts.size())));
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
            if (!(test::largestDifference((*together)[i], *alone) <= 1e-5)) {
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

class TestEncoders : public QObject {
    Q_OBJECT

private slots:
    void everyEncoderHasAFixture() {
        std::set<std::string> seen;
        for (const QString& name : fixtureNames()) {
            seen.insert(readJson(name)["arch"].toString().toStdString());
        }
        seen.insert(std::string(kEncoderOnly)); // encoderWithoutItsDecoder()
        for (const GraphTraits& row : graphTraits()) {
            QVERIFY2(!row.encoder || seen.contains(std::string(row.name)), std::string(row.name).c_str());
        }
    }

    void equalsExact_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<unsigned>("batch");
        for (const QString& name : fixtureNames()) {
            QTest::addRow("%s, one batch", qPrintable(name)) << name << 512U;
            // Where tokens attend to later ones, the engine makes a single batch of a text all the same.
            QTest::addRow("%s, in sevens", qPrintable(name)) << name << 7U;
            QTest::addRow("%s, token by token", qPrintable(name)) << name << 1U;
        }
    }
    void equalsExact() {
        QFETCH(QString, name);
        QFETCH(unsigned, batch);
        const QJsonObject json = readJson(name);
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
            const double difference = test::largestDifference(*pooled, exactPooled);
            const std::string set(isaName(isa));
            if (pooling == Pooling::Rank) {
                qInfo("%s: 1 - cosine %.1e, scores differ by %.1e", set.c_str(), 1 - ofStates, difference);
                QVERIFY(difference <= 1e-4);
            } else {
                const double ofPooled = smallestCosine(*pooled, exactPooled, width);
                qInfo("%s: 1 - cosine %.1e, pooled %.1e, largest differences %.1e and %.1e", set.c_str(), 1 - ofStates,
                      1 - ofPooled, test::largestDifference(*states, exact), difference);
                QVERIFY(ofPooled >= 0.999'999);
            }
            QVERIFY(ofStates >= 0.999'999);
            // Not only the direction: 1e-4 is what formulas in single precision reach here.
            QVERIFY(test::largestDifference(*states, exact) <= 1e-4);
        }
    }

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
        const auto tokens = test::someTokens(11, 200);
        const auto all = embedder->embed(tokens, Pooling::None, {});
        QVERIFY(all && all->size() == tokens.size() * width);
        std::vector<float> mean(width);
        for (std::size_t i = 0; i < all->size(); ++i) {
            mean[i % width] += (*all)[i] / static_cast<float>(tokens.size());
        }
        const std::span<const float> rows(*all);
        QVERIFY(test::largestDifference(*embedder->embed(tokens, Pooling::Mean, {}), mean) < 1e-5);
        QCOMPARE(test::largestDifference(*embedder->embed(tokens, Pooling::First, {}), rows.first(width)), 0.0);
        QCOMPARE(test::largestDifference(*embedder->embed(tokens, Pooling::Last, {}), rows.last(width)), 0.0);
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

    // Without its decoder, a model is the same encoder. With it, the engine says what it leaves out.
    void encoderWithoutItsDecoder() {
        const auto model = openEncoder("t5");
        const std::string prefix = std::string(kWithDecoder) + ".";
        auto maker = test::copyOf(
            *model, [&](std::string_view key) { return key == "general.architecture" || key.starts_with(prefix); },
            [](test::ModelMaker&, const TensorInfo& tensor, Bytes) { return tensor.name.starts_with("dec."); });
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
        const auto tokens = test::someTokens(300, 200);
        QVERIFY(*whole->embed(tokens, Pooling::None, {}) == *alone->embed(tokens, Pooling::None, {}));
    }

    // The scores of keys depend on their distance and direction, and blocks may have biases of their own.
    void distanceBiases() {
        ModelPlan plan = test::plainPlan("t5encoder");
        const auto tokens = test::someTokens(9, 40);
        const auto statesOf = [&](const ModelPlan& of) {
            return *embedderOf(of.model(), {.context = 16})->embed(tokens, Pooling::None, {});
        };
        const auto usual = statesOf(plan);
        ModelPlan flat = plan;
        const std::string first = "enc.blk.0.attn_rel_b.weight";
        QVERIFY(flat.tensor(first) != nullptr && flat.tensor("enc.blk.1.attn_rel_b.weight") == nullptr);
        QVERIFY((flat.tensor(first)->dims == std::vector<std::uint64_t>{4, 16}));
        flat.tensor(first)->zeros = true;
        QVERIFY(test::largestDifference(statesOf(flat), usual) > 1e-3);
        // Equal biases cancel out in the softmax.
        ModelPlan equal = plan;
        equal.tensor(first)->values.assign(std::size_t{4} * 16, 2.5F);
        QVERIFY(test::largestDifference(statesOf(equal), statesOf(flat)) < 1e-5);
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
        QVERIFY(test::largestDifference(row(with, 0), row(without, 0)) > 1e-3);
        QCOMPARE(test::largestDifference(row(with, 8), row(without, 8)), 0.0);
        // Other counts of buckets than two directions can share are refused.
        for (const unsigned buckets : {0U, 3U, 257U}) {
            ModelPlan lying = test::plainPlan("t5encoder");
            lying.set("attention.relative_buckets_count", buckets);
            QVERIFY(refusal(lying.model()).contains("t5encoder.attention.relative_buckets_count"));
        }
        ModelPlan otherHeads = test::plainPlan("t5encoder");
        otherHeads.set("attention.head_count", std::vector<std::uint32_t>{4, 2});
        QVERIFY(refusal(otherHeads.model()).contains("enc.blk.1."));
    }

    // A text leaves nothing behind that the next one would see.
    void textsAreIndependent() {
        for (const QString& name : fixtureNames()) {
            const auto embedder = embedderOf(openEncoder(name), {.context = 64});
            QVERIFY(embedder);
            const auto first = embedder->embed(test::someTokens(9, 180), Pooling::None, {});
            QVERIFY(embedder->embed(test::someTokens(40, 180, 5), Pooling::Mean, {}));
            const auto again = embedder->embed(test::someTokens(9, 180), Pooling::None, {});
            QVERIFY(first && again);
            QVERIFY2(*first == *again, qPrintable(name));
        }
    }

    // Texts that share a batch get the vectors that they get alone, in the order in which they were given.
    void textsMayShareBatches() {
        for (const QString& name : fixtureNames()) {
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
            texts.push_back(test::someTokens(65, 180));
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
        const auto model = test::openFixture(name);
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

    // What is reserved is what was predicted, and nothing of it is a cache.
    void memoryIsAsPredicted() {
        for (const QString& name : fixtureNames()) {
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
        for (const QString& name : fixtureNames()) {
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
        for (const QString& name : fixtureNames()) {
            QTest::addRow("%s", qPrintable(name)) << name;
        }
    }
    void tokens() {
        QFETCH(QString, name);
        const auto model = openEncoder(name);
        const auto tokenizer = text::makeTokenizer(*model);
        QVERIFY(tokenizer);
        const QJsonObject json = readJson(name);
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

        auto maker = test::copyOf(*model, [](std::string_view) { return false; });
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
        QCOMPARE(codeOf(test::someTokens(17, 200), Pooling::Mean), "limit_exceeded");
        QCOMPARE(codeOf(test::someTokens(16, 200), Pooling::Mean), "none");
        QCOMPARE(codeOf(std::vector<TokenId>{TokenId(200)}, Pooling::Mean), "no_such_token");
        QCOMPARE(codeOf(test::someTokens(3, 200), Pooling::Rank), "no_such_tensor");
        // Positions are learned, so no more than the file has can be asked for.
        QVERIFY(!openBuiltInEmbedder(openEncoder("bert"), {.context = 65}, {}));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = embedder->embed(test::someTokens(3, 200), Pooling::Mean, {.stop = stop.get_token()});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }

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
        ModelPlan plan = test::plainPlan(architecture.toStdString());
        QCOMPARE(refusal(plan.model()), "it runs");
        plan.set(key.toStdString(), value);
        QCOMPARE(refusal(plan.model()), expected);
    }

    void otherLies() {
        ModelPlan plan = test::plainPlan("modern-bert");
        plan.set("hidden_activation", std::string("relu"));
        QCOMPARE(refusal(plan.model()),
                 "not_runnable | modern-bert.hidden_activation | modern-bert.hidden_activation = relu");
        plan = test::plainPlan("bert");
        plan.tensors.push_back({.name = "token_types.weight", .dims = {63, 2}});
        QCOMPARE(refusal(plan.model()), "wrong_shape | token_types.weight | 63 × 2 | 64 × …");
        plan = test::plainPlan("gemma-embedding");
        plan.tensors.push_back({.name = "dense_2.weight", .dims = {64, 80}});
        QCOMPARE(refusal(plan.model()), "no_such_tensor | dense_3.weight | dense_3.weight");
        plan.tensors.push_back({.name = "dense_3.weight", .dims = {80, 64}});
        QCOMPARE(refusal(plan.model()), "it runs");
        plan = test::plainPlan("bert");
        plan.set("pooling_type", 4U);
        plan.tensors.push_back({.name = "cls.output.weight", .dims = {64, 3}});
        QCOMPARE(refusal(plan.model()), "wrong_shape | cls.output.weight | 64 × 3 | 64 × 1");
    }

    // The vectors of a model for embeddings are projected twice after they are pooled; those of tokens are not.
    void projections() {
        ModelPlan plan = test::plainPlan("gemma-embedding");
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
        const auto tokens = test::someTokens(5, 40);
        std::vector<float> expected = *plain->embed(tokens, Pooling::Mean, {});
        std::ranges::reverse(expected);
        std::ranges::transform(expected, expected.begin(), [](float x) { return 6 * x; });
        QVERIFY(test::largestDifference(*projected->embed(tokens, Pooling::Mean, {}), expected) < 1e-5);
        QVERIFY(*projected->embed(tokens, Pooling::None, {}) == *plain->embed(tokens, Pooling::None, {}));
    }

    // A language model whose file says that attention is not causal: tokens see later ones, and nothing is generated.
    void notCausal() {
        ModelPlan plan = test::plainPlan("llama");
        const auto tokens = test::someTokens(6, 40);
        const auto firstOf = [&](std::span<const TokenId> prefix) {
            return *embedderOf(plan.model(), {.context = 8})->embed(prefix, Pooling::First, {});
        };
        QVERIFY(test::largestDifference(firstOf(tokens), firstOf(std::span(tokens).first(2))) < 1e-5);
        plan.set("attention.causal", false);
        QVERIFY(test::largestDifference(firstOf(tokens), firstOf(std::span(tokens).first(2))) > 1e-3);
        const auto loaded = loadForInference(plan.model());
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().place, Place::key("llama.attention.causal"));
        plan = test::plainPlan("mamba");
        plan.set("attention.causal", false);
        QCOMPARE(refusal(plan.model()), "not_runnable | mamba.attention.causal | mamba.attention.causal = false");
    }
};

GUFO_TEST(TestEncoders)
#include "tst_encoders.moc"
