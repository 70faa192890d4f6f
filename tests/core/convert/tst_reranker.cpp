// Qwen3's rerankers are language models that answer "yes" or "no". Converted, they have a head with these two labels,
// whose scores must be the probabilities that the language model gives to the two tokens.
#include "base/detail.h"
#include "convert/convert_folder.h"
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/embedder.h"
#include "layout.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kYes = 40;
constexpr std::size_t kNo = 7;

constexpr const char* kConfig = R"({"architectures":["Qwen3ForCausalLM"],"hidden_size":32,"num_hidden_layers":2,
    "intermediate_size":32,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":16,"rms_norm_eps":1e-06,
    "rope_theta":1000000.0,"max_position_embeddings":128,"vocab_size":64,"tie_word_embeddings":%1%2})";

std::string tokenizerOf(std::size_t tokens, bool answers) {
    std::string vocabulary;
    for (std::size_t i = 0; i < tokens; ++i) {
        const std::string text = i == kYes && answers ? "yes" : i == kNo ? "no" : "t" + std::to_string(i);
        vocabulary += (i == 0 ? "\"" : ",\"") + text + "\":" + std::to_string(i);
    }
    return R"({"model":{"type":"BPE","vocab":{)" + vocabulary +
           R"(},"merges":[]},"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":true}})";
}

std::vector<float> weightsOf(const Model& model, std::string_view name) {
    const auto index = model.findTensor(name);
    if (!index) {
        return {};
    }
    std::vector<float> weights(model.tensor(*index).weights());
    const auto rows = model.rowsOf(model.tensor(*index));
    return rows && decode(*rows, 0, weights) ? weights : std::vector<float>();
}

struct Source {
    bool tied = true;
    bool answers = true;
    std::string folder = "Qwen3-Reranker-0.6B";
    std::string card;
    const char* further = ""; // members of config.json
};

class Folder {
public:
    explicit Folder(const Source& source)
        : m_path(fs::path(m_folder.path().toStdString()) / source.folder) {
        fs::create_directory(m_path);
        const auto original = openFixture("qwen3");
        OriginalWeights weights({});
        weights.add(*original, decoderNames("model.", "", {}));
        if (!source.tied) {
            Weights head{{64, 32}, ::weightsOf(*original, "token_embd.weight")};
            std::ranges::reverse(head.values);
            weights.add("lm_head.weight", head);
        }
        weights.build().write(m_path / "model.safetensors");
        const QString config = QString(kConfig).arg(source.tied ? "true" : "false", source.further);
        std::ofstream(m_path / "config.json") << config.toStdString();
        std::ofstream(m_path / "tokenizer.json") << tokenizerOf(64, source.answers);
        if (!source.card.empty()) {
            std::ofstream(m_path / "README.md") << source.card;
        }
    }

    [[nodiscard]] Result<ConversionPlan> plan() const {
        const auto source = SourceFolder::open(m_path);
        return source ? planConversion(*source, m_request) : std::unexpected(source.error());
    }
    [[nodiscard]] Result<std::shared_ptr<const Model>> convert() const {
        const auto source = SourceFolder::open(m_path);
        const auto planned = plan();
        if (!source || !planned) {
            return std::unexpected(planned.error());
        }
        if (const auto written = writeConverted(*source, *planned, m_request, m_path / "out.gguf"); !written) {
            return std::unexpected(written.error());
        }
        return openModel(m_path / "out.gguf");
    }

private:
    QTemporaryDir m_folder;
    fs::path m_path;
    ConvertRequest m_request{.recipe = {.recipe = findRecipe("F32")}};
};

} // namespace

class TestReranker final : public QObject {
    Q_OBJECT

private slots:
    void scoresAreProbabilities_data();
    void scoresAreProbabilities();
    void isKnownByItsName_data();
    void isKnownByItsName();
    void refusesAVocabularyWithoutAnswers();
};

void TestReranker::scoresAreProbabilities_data() {
    QTest::addColumn<bool>("tied");
    QTest::newRow("the embedding is the output") << true;
    QTest::newRow("with an output of its own") << false;
}

void TestReranker::scoresAreProbabilities() {
    QFETCH(const bool, tied);
    const Folder folder({.tied = tied});
    const auto reranker = folder.convert();
    QVERIFY(reranker);
    const Metadata& metadata = (*reranker)->metadata;
    QCOMPARE(metadata.uint("qwen3.pooling_type"), std::optional<std::uint64_t>(4));
    QVERIFY(metadata.string("tokenizer.chat_template.rerank").value_or("").find("<Query>: {query}\n") !=
            std::string_view::npos);
    QVERIFY(!(*reranker)->findTensor("output.weight"));
    const std::vector<float> head = weightsOf(**reranker, "cls.output.weight");
    QCOMPARE(head.size(), 64U);

    // The same weights as a language model.
    const Folder plain({.tied = tied, .folder = "Qwen3-0.6B"});
    const auto model = plain.convert();
    QVERIFY(model);
    QVERIFY(!(*model)->findTensor("cls.output.weight"));
    const std::vector<float> output = weightsOf(**model, tied ? "token_embd.weight" : "output.weight");
    for (std::size_t i = 0; i < 32; ++i) {
        QCOMPARE(head[i], output[kYes * 32 + i]);
        QCOMPARE(head[32 + i], output[kNo * 32 + i]);
    }
    const std::vector<TokenId> tokens{TokenId(3), TokenId(25), TokenId(60), TokenId(11)};
    const auto loaded = inference::loadForInference(*model);
    QVERIFY(loaded);
    const auto session = (*loaded)->startSession({.context = 128, .threads = 1});
    QVERIFY(session);
    const std::vector<float> all = logitsOf(**session, tokens, tokens.size());
    const std::span logits = std::span(all).last(64);
    const auto embedder = inference::openBuiltInEmbedder(*reranker, {.context = 128, .threads = 1}, {});
    QVERIFY2(embedder, embedder ? "" : errorName(embedder.error().code).data());
    QVERIFY((*embedder)->facts().ranks);
    QCOMPARE((*embedder)->facts().labels, (std::vector<std::string>{"yes", "no"}));
    const auto scores = (*embedder)->embed(tokens, inference::Pooling::Rank, {});
    QVERIFY(scores);
    QCOMPARE(scores->size(), 2U);
    const double yes = 1 / (1 + std::exp(static_cast<double>(logits[kNo]) - static_cast<double>(logits[kYes])));
    QVERIFY2(std::abs(static_cast<double>((*scores)[0]) - yes) < 1e-4,
             qPrintable(QString("%1, not %2").arg(static_cast<double>((*scores)[0])).arg(yes)));
}

void TestReranker::isKnownByItsName_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("card");
    QTest::addColumn<QString>("further");
    QTest::addColumn<bool>("expected");
    QTest::newRow("folder") << "my-QWEN3-reranker" << "" << "" << true;
    QTest::newRow("model card") << "model" << "---\nlicense: mit\n---\n# Qwen3-Reranker-4B\n" << "" << true;
    QTest::newRow("configuration") << "model" << "" << R"(,"_name_or_path":"Qwen/Qwen3-Reranker-8B")" << true;
    QTest::newRow("mentioned only") << "model" << "Used before Qwen3-Reranker." << "" << false;
    QTest::newRow("none") << "Qwen3-0.6B" << "# Qwen3" << "" << false;
}

void TestReranker::isKnownByItsName() {
    QFETCH(const QString, folder);
    QFETCH(const QString, card);
    QFETCH(const QString, further);
    const QByteArray members = further.toUtf8();
    const Folder source({.folder = folder.toStdString(), .card = card.toStdString(), .further = members.constData()});
    const auto plan = source.plan();
    QVERIFY(plan);
    QTEST(std::ranges::any_of(plan->rows, [](const PlannedRow& row) { return row.target == "cls.output.weight"; }),
          "expected");
}

void TestReranker::refusesAVocabularyWithoutAnswers() {
    const auto plan = Folder({.answers = false}).plan();
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotSupported);
    QVERIFY(plan.error().args[0].detail() == Detail::TokenNotInVocabulary);
    QCOMPARE(plan.error().args[0].args()[0].text(), std::string("yes"));
}

GUFO_TEST(TestReranker)
#include "tst_reranker.moc"
