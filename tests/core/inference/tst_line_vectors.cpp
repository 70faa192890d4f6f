#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/line_vectors.h"
#include "inference/prompts/prompt_tokens.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "text/tokenizer/tokenizer.h"

#include <QTest>

#include <thread>

using namespace gufo;
using namespace gufo::inference;

class TestLineVectors : public QObject {
    Q_OBJECT

private slots:
    void knowsModelsForVectors_data();
    void knowsModelsForVectors();
    void isEqualToSingleTexts();
    void evaluatesTextsTogether();
    void namesTheLineOfAnError();
    void namesTheLineThatIsTooLong();
    void ranksByTheQuery();
    void needsATokenizer();
    void isCancelled();
};

namespace {

const std::string kData = GUFO_TEST_DATA "/";

std::shared_ptr<const Model> modelAt(const std::string& path) {
    auto model = openModel(kData + path);
    return model ? *model : nullptr;
}

const Engine& engine() { return *engineWith(Feature::Embeddings); }

// What an engine was asked for last.
struct Asked {
    std::uint32_t context = 0;
    std::vector<std::size_t> texts{}; // of each call
    std::optional<Error> error{};     // what the next call returns instead
};
Asked asked;

class RecordingEmbedder final : public Embedder {
public:
    explicit RecordingEmbedder(std::unique_ptr<Embedder> embedder)
        : m_embedder(std::move(embedder)) {}
    [[nodiscard]] const EmbedderFacts& facts() const override { return m_embedder->facts(); }
    [[nodiscard]] Result<std::vector<std::vector<float>>> embedAll(Texts texts, Pooling pooling,
                                                                   const JobContext& job) override {
        asked.texts.push_back(texts.size());
        return asked.error ? std::unexpected(*asked.error) : m_embedder->embedAll(texts, pooling, job);
    }

private:
    std::unique_ptr<Embedder> m_embedder;
};

// Gufo's own engine, which records what it is asked for.
Engine recordingEngine() {
    Engine row = engine();
    row.openEmbedder = [](const std::shared_ptr<const Model>& model, const SessionOptions& options,
                          const JobContext& job) -> Result<std::unique_ptr<Embedder>> {
        auto embedder = openBuiltInEmbedder(model, options, job);
        if (!embedder) {
            return std::unexpected(std::move(embedder.error()));
        }
        asked.context = options.context;
        return std::make_unique<RecordingEmbedder>(std::move(*embedder));
    };
    return row;
}

} // namespace

void TestLineVectors::knowsModelsForVectors_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("forVectors");
    QTest::addColumn<bool>("ranks");
    QTest::addColumn<Pooling>("pooling");
    QTest::newRow("bert") << "encoders/bert.gguf" << true << false << Pooling::Mean;
    QTest::newRow("bert-rank") << "encoders/bert-rank.gguf" << true << true << Pooling::Rank;
    QTest::newRow("a decoder that asks for pooling") << "encoders/qwen3-embed.gguf" << true << false << Pooling::Last;
    QTest::newRow("a decoder that ranks") << "encoders/qwen3-rank.gguf" << true << true << Pooling::Rank;
    QTest::newRow("a generator") << "architectures/llama.gguf" << false << false << Pooling::Mean;
}

void TestLineVectors::knowsModelsForVectors() {
    QFETCH(QString, path);
    QFETCH(bool, forVectors);
    QFETCH(bool, ranks);
    QFETCH(Pooling, pooling);
    const auto model = modelAt(path.toStdString());
    QVERIFY(model != nullptr);
    QCOMPARE(isForVectors(*model), forVectors);
    QCOMPARE(hasRankingHead(*model), ranks);
    QCOMPARE(poolingOf(*model), pooling);
}

void TestLineVectors::isEqualToSingleTexts() {
    const auto model = modelAt("encoders/bert.gguf");
    const std::vector<std::string> texts{"The boy was happy.", "little", "the big girl and her friend"};
    Progress progress;
    const auto lines = vectorsOfLines(engine(), model, {.texts = texts, .threads = 2}, {.progress = &progress});
    QVERIFY(lines.has_value() && !lines->problem);
    QCOMPARE(lines->width, std::size_t{40});
    QCOMPARE(lines->values.size(), texts.size() * 40);
    QCOMPARE(progress.done(), progress.total());
    const auto tokenizer = text::makeTokenizer(*model);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto ids = embeddingTokens(**tokenizer, texts[i], {});
        QCOMPARE(lines->tokens[i], ids->size());
        const auto embedder = engine().openEmbedder(model, {.context = 64, .threads = 2}, {});
        const auto alone = (*embedder)->embed(*ids, Pooling::Mean, {});
        for (std::size_t j = 0; j < 40; ++j) {
            QVERIFY(std::abs((*alone)[j] - lines->values[i * 40 + j]) < 1e-5F);
        }
    }
}

// Short texts share batches, for which a session needs a longer context than the longest of them. Learned positions
// limit it.
void TestLineVectors::evaluatesTextsTogether() {
    const Engine recording = recordingEngine();
    const LineRequest request{.texts = std::vector<std::string>(90, "the big girl and her friend"), .threads = 1};
    for (const auto& [path, context] : {std::pair("encoders/bert.gguf", 64U), {"encoders/nomic-bert.gguf", 512U}}) {
        asked = {};
        const auto model = modelAt(path);
        const auto lines = vectorsOfLines(recording, model, request);
        QVERIFY(lines && !lines->problem);
        QCOMPARE(asked.context, context);
        QVERIFY(asked.texts == std::vector<std::size_t>{90});
        QCOMPARE(lines->values.size(), 90 * lines->width);
    }
    const auto model = modelAt("encoders/nomic-bert.gguf");
    QCOMPARE(contextForTexts(*model, {}), 1U);
    const std::vector<std::vector<TokenId>> shortTexts(3, std::vector<TokenId>(5));
    QCOMPARE(contextForTexts(*model, shortTexts), 15U);
    const std::vector<std::vector<TokenId>> longTexts(2, std::vector<TokenId>(700));
    QCOMPARE(contextForTexts(*model, longTexts), 700U);
}

void TestLineVectors::namesTheLineOfAnError() {
    const Engine recording = recordingEngine();
    const auto model = modelAt("encoders/bert.gguf");
    const LineRequest request{.texts = {"little", "friend", "the big girl"}, .threads = 1};
    const auto failing = [&](const Error& error) {
        asked = {.error = error};
        auto lines = vectorsOfLines(recording, model, request);
        asked = {};
        return lines;
    };
    const auto tokenizer = *text::makeTokenizer(*model);
    const TokenId inSecond = embeddingTokens(*tokenizer, "friend", {})->at(1);
    const auto unknown = failing({.code = ErrorCode::NoSuchToken, .place = Place::token(inSecond.value)});
    QVERIFY(unknown && unknown->problem && unknown->values.empty());
    QCOMPARE(unknown->problem->line, std::size_t{1});
    QCOMPARE(unknown->problem->error.code, ErrorCode::NoSuchToken);
    // An error that no line causes is one of the whole.
    const auto damaged = failing({.code = ErrorCode::FileChangedWhileReading});
    QVERIFY(!damaged);
    QCOMPARE(damaged.error().code, ErrorCode::FileChangedWhileReading);
}

void TestLineVectors::namesTheLineThatIsTooLong() {
    const auto model = modelAt("encoders/bert.gguf");
    std::string longText;
    for (int i = 0; i < 400; ++i) {
        longText += "little ";
    }
    const auto lines =
        vectorsOfLines(engine(), model, {.texts = {"little", longText, "friend", longText}, .threads = 1});
    QVERIFY(lines.has_value() && lines->problem);
    QCOMPARE(lines->problem->line, std::size_t{1});
    QCOMPARE(lines->problem->limit, static_cast<std::size_t>(*longestText(*model)));
    QVERIFY(lines->problem->tokens > lines->problem->limit);
    QCOMPARE(lines->problem->others, std::size_t{1});
    QCOMPARE(lines->problem->error.code, ErrorCode::LimitExceeded);
    QVERIFY(lines->values.empty());
}

void TestLineVectors::ranksByTheQuery() {
    const auto model = modelAt("encoders/modern-bert-rank.gguf");
    const std::vector<std::string> texts{"The boy was happy.", "playing, friends"};
    const auto a = vectorsOfLines(engine(), model, {.texts = texts, .query = "the big girl", .threads = 1});
    const auto b = vectorsOfLines(engine(), model, {.texts = texts, .query = "a boy", .threads = 1});
    QVERIFY(a && b && !a->problem && !b->problem);
    QCOMPARE(a->pooling, Pooling::Rank);
    QCOMPARE(a->width, std::size_t{1});
    QVERIFY(a->values != b->values);
    const auto vectors =
        vectorsOfLines(engine(), model, {.texts = texts, .query = "", .pooling = Pooling::First, .threads = 1});
    QCOMPARE(vectors->width, std::size_t{vectors->facts.width});
    const auto many = vectorsOfLines(engine(), modelAt("encoders/bert-rank.gguf"), {.texts = texts, .query = "a"});
    QCOMPARE(many->width, many->facts.labels.size());
}

void TestLineVectors::needsATokenizer() {
    auto model = std::make_shared<Model>(*modelAt("encoders/bert.gguf"));
    Metadata metadata;
    for (const KeyValue& entry : model->metadata) {
        if (!entry.key.starts_with("tokenizer.")) {
            metadata.add(entry);
        }
    }
    model->metadata = metadata;
    const auto lines = vectorsOfLines(engine(), model, {.texts = {"a"}});
    QVERIFY(!lines);
    QCOMPARE(lines.error().code, ErrorCode::NoSuchKey);
}

void TestLineVectors::isCancelled() {
    const auto model = modelAt("encoders/bert.gguf");
    std::stop_source stop;
    Progress progress;
    std::thread canceller([&] {
        while (progress.done() == 0) {
            std::this_thread::yield();
        }
        stop.request_stop();
    });
    const auto lines =
        vectorsOfLines(engine(), model, {.texts = std::vector<std::string>(20'000, "little friend"), .threads = 1},
                       {.stop = stop.get_token(), .progress = &progress});
    canceller.join();
    QCOMPARE(lines.error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestLineVectors)
#include "tst_line_vectors.moc"
