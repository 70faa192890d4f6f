// Sources that are incomplete, or whose configuration contradicts their weights: the plan says so before anything is
// written.
#include "base/detail.h"
#include "origin_test.h"
#include "small_source.h"
#include "support/test_unit.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <fstream>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

class TestObstacles final : public OriginTest {
    Q_OBJECT

private slots:
    void contradictions_data();
    void contradictions();
    void missingShard();
    void listThatLeadsElsewhere();
    void missingTensor();
    void singleTensors();
    void vocabularyOnly();
    void vocabularySize();
    void scaleThatIsMissing();
    void blocksThatDoNotFit();
    void tokenizerThatIsNone_data();
    void tokenizerThatIsNone();
    void noConfiguration();

private:
    static QString joined(const ConversionPlan& plan) {
        QStringList names;
        for (const Finding& finding : std::span(plan.findings).first(plan.obstacles)) {
            names << QString::fromStdString(std::string(finding.name()));
        }
        names.removeDuplicates();
        return names.join(u' ');
    }
    static void writeText(const fs::path& file, std::string_view text) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
    }
    static void setMember(const fs::path& file, const QString& path, const QJsonValue& value) {
        QFile json(QString::fromStdString(file.native()));
        QVERIFY(json.open(QIODevice::ReadOnly));
        QJsonObject object = QJsonDocument::fromJson(json.readAll()).object();
        json.close();
        const QStringList names = path.split(u'.');
        if (names.size() == 1) {
            object[path] = value;
        } else {
            QJsonObject inner = object[names[0]].toObject();
            inner[names[1]] = value;
            object[names[0]] = inner;
        }
        writeText(file, QJsonDocument(object).toJson().toStdString());
    }
    static Result<ConversionPlan> planOf(const fs::path& folder, const ConvertRequest& request = {}) {
        const auto source = SourceFolder::open(folder);
        return source ? planConversion(*source, request) : std::unexpected(source.error());
    }
};

void TestObstacles::contradictions_data() {
    QTest::addColumn<QString>("member");
    QTest::addColumn<int>("value");
    QTest::addColumn<QString>("obstacles");
    QTest::newRow("as it is") << "intermediate_size" << 80 << "";
    QTest::newRow("more layers") << "num_hidden_layers" << 9 << "blocks_missing";
    QTest::newRow("another width") << "hidden_size" << 64 << "tensor_shape";
    QTest::newRow("no width") << "hidden_size" << 0 << "value_impossible";
    QTest::newRow("another width of the layers") << "intermediate_size" << 81 << "tensor_shape";
    QTest::newRow("heads that cannot be shared") << "num_key_value_heads" << 3 << "heads_not_divisible";
    QTest::newRow("fewer heads of keys") << "num_key_value_heads" << 2 << "tensor_shape";
    QTest::newRow("no context") << "max_position_embeddings" << 0 << "value_impossible";
}

void TestObstacles::contradictions() {
    QFETCH(QString, member);
    QFETCH(int, value);
    QFETCH(QString, obstacles);
    const fs::path folder = copyOf("llama");
    setMember(folder / "config.json", member, value);
    const auto plan = planOf(folder);
    REQUIRE(plan);
    QCOMPARE(joined(*plan), obstacles);
}

void TestObstacles::missingShard() {
    const fs::path folder = copyOf("llama");
    fs::rename(folder / "model.safetensors", folder / "model-00001-of-00002.safetensors");
    const auto plan = planOf(folder);
    REQUIRE(plan);
    QCOMPARE(joined(*plan), "shard_missing");
}

void TestObstacles::listThatLeadsElsewhere() {
    const fs::path folder = copyOf("llama");
    fs::rename(folder / "model.safetensors", folder / "model-00001-of-00001.safetensors");
    writeText(folder / "model.safetensors.index.json",
              R"({"weight_map":{"model.norm.weight":"model-00001-of-00001.safetensors","a":"../b.safetensors"}})");
    const auto plan = planOf(folder);
    REQUIRE(plan);
    QVERIFY2(joined(*plan).contains("index_leads_outside"), qPrintable(joined(*plan)));
}

// One of the tensors that every other block has.
void TestObstacles::missingTensor() {
    const fs::path folder = copyOf("llama");
    const fs::path file = folder / "model.safetensors";
    std::ifstream in(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::string name = "model.layers.0.mlp.up_proj.weight";
    const std::size_t at = bytes.find(name);
    QVERIFY(at != bytes.npos);
    bytes.replace(at, name.size(), "model.layers.0.rotary_emb.inv_freq"); // is not needed
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    ++length; // the name is longer by one
    std::memcpy(bytes.data(), &length, sizeof length);
    writeText(file, bytes);
    const auto plan = planOf(folder);
    REQUIRE(plan);
    QCOMPARE(joined(*plan), "block_incomplete");
}

// Nothing contradicts anything here, although the result is no whole model.
void TestObstacles::singleTensors() {
    const SmallSource small;
    for (const char* name : {"model.embed_tokens.weight", "model.layers.0.mlp.up_proj.weight"}) {
        SafetensorsBuilder weights;
        weights.tensor(name, "F32", {std::string_view(name).contains("up_proj") ? 16U : 32U, 8});
        const auto source = small.folder(kSmallLlama, weights);
        REQUIRE(source);
        const auto plan = planConversion(*source);
        REQUIRE(plan);
        QCOMPARE(joined(*plan), "");
        QVERIFY(!plan->findings.empty());
    }
}

void TestObstacles::vocabularyOnly() {
    const fs::path folder = copyOf("llama");
    setMember(folder / "config.json", "num_hidden_layers", 9);
    const auto plan = planOf(folder, {.vocabularyOnly = true});
    REQUIRE(plan);
    QCOMPARE(joined(*plan), "");
}

// The configuration of a fine-tune has the size that the vocabulary had before; the rows of the embedding count.
void TestObstacles::vocabularySize() {
    for (const int stated : {299, 310}) {
        const fs::path folder = copyOf("llama");
        setMember(folder / "config.json", "vocab_size", stated);
        const auto plan = planOf(folder);
        REQUIRE(plan);
        QCOMPARE(plan->obstacles, std::size_t{0});
        const auto size = std::ranges::find(plan->keys, "llama.vocab_size", &PlannedKey::key);
        QVERIFY(size != plan->keys.end());
        QCOMPARE(asUInt(size->value.value()), std::optional<std::uint64_t>(300));
        QCOMPARE(size->from, std::string("token_embd.weight"));
        QVERIFY(std::ranges::any_of(plan->findings,
                                    [](const Finding& finding) { return finding.name() == "vocabulary_size_key"; }));
    }
}

// Weights of 8 bits are not taken for the weights themselves.
void TestObstacles::scaleThatIsMissing() {
    const SmallSource small;
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.mlp.up_proj.weight", "F8_E4M3", {16, 8});
    const Error error =
        small.refusal(kSmallLlama + std::string(R"(,"quantization_config":{"quant_method":"fp8"})"), weights);
    QCOMPARE(detailOf(error).text(), std::string("part_missing model.layers.0.mlp.up_proj.weight_scale"));
    const auto cast = small.folder(kSmallLlama, weights); // weights that were only rounded
    REQUIRE(cast);
    QVERIFY(planConversion(*cast));
}

void TestObstacles::blocksThatDoNotFit() {
    const fs::path folder = copyOf("qwen3-fp8");
    setMember(folder / "config.json", "quantization_config.weight_block_size", QJsonArray{64, 64});
    const auto plan = planOf(folder);
    QVERIFY(!plan);
    QVERIFY2(detailOf(plan.error()).text().starts_with("operation_unfit dequantise_blocks"),
             detailOf(plan.error()).text().c_str());
}

void TestObstacles::tokenizerThatIsNone_data() {
    QTest::addColumn<QString>("fixture");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("error");
    const QByteArray pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 123456\n";
    QTest::newRow("pointer") << "llama" << "tokenizer.model" << pointer << static_cast<int>(ErrorCode::LfsPointer);
    QTest::newRow("pointer, JSON") << "qwen3" << "tokenizer.json" << pointer << static_cast<int>(ErrorCode::LfsPointer);
    QTest::newRow("page") << "llama" << "tokenizer.model" << QByteArray("<!DOCTYPE html><title>Log in</title>")
                          << static_cast<int>(ErrorCode::ServerReply);
    QTest::newRow("garbage") << "llama" << "tokenizer.model" << QByteArray("garbage")
                             << static_cast<int>(ErrorCode::Malformed);
}

void TestObstacles::tokenizerThatIsNone() {
    QFETCH(QString, fixture);
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(int, error);
    const fs::path folder = copyOf(fixture.toUtf8().constData());
    writeText(folder / file.toStdString(), content.toStdString());
    const auto plan = planOf(folder);
    QVERIFY(!plan);
    QCOMPARE(static_cast<int>(plan.error().code), error);
    QCOMPARE(plan.error().file, folder / file.toStdString());
}

void TestObstacles::noConfiguration() {
    const fs::path folder = copyOf("llama");
    fs::remove(folder / "config.json");
    const auto plan = planOf(folder);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::FileNotFound);
    QCOMPARE(plan.error().file, folder / "config.json");
}

GUFO_TEST(TestObstacles)
#include "tst_obstacles.moc"
