// The dense layers of sentence transformers: where they are converted, and that others are named and left out.
#include "convert/dense_modules.h"
#include "small_source.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

constexpr const char* kEmbedding = R"("architectures":["Gemma3TextModel"],"hidden_size":8,"num_attention_heads":2,)"
                                   R"("num_hidden_layers":1,"intermediate_size":16,"vocab_size":32,"head_dim":4)";
constexpr const char* kTwo = R"([{"idx":0,"path":"","type":"sentence_transformers.models.Transformer"},)"
                             R"({"idx":1,"path":"1_Pooling","type":"sentence_transformers.models.Pooling"},)"
                             R"({"idx":2,"path":"2_Dense","type":"sentence_transformers.models.Dense"},)"
                             R"({"idx":3,"path":"3_Dense","type":"sentence_transformers.models.Dense"}])";
constexpr const char* kOne = R"([{"path":"2_Dense","type":"sentence_transformers.models.Dense"}])";
constexpr const char* kIdentity =
    R"({"in_features":8,"bias":false,"activation_function":"torch.nn.modules.linear.Identity"})";

void write(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace

class TestDenseModules : public QObject {
    Q_OBJECT

private slots:
    void init() { m_small = std::make_unique<SmallSource>(); }
    void converts();
    void leavesOut_data();
    void leavesOut();
    void refuses_data();
    void refuses();

private:
    [[nodiscard]] fs::path in(const char* name) const { return m_small->in("source") / name; }
    [[nodiscard]] Result<ConversionPlan> planOf(const char* config = kEmbedding) const {
        SafetensorsBuilder weights;
        weights.tensor("embed_tokens.weight", "F32", {32, 8});
        if (std::string_view(config).find("Bert") != std::string_view::npos) {
            weights = SafetensorsBuilder().tensor("embeddings.word_embeddings.weight", "F32", {32, 8});
        }
        const auto source = m_small->folder(config, weights);
        return source ? planConversion(*source, {.recipe = {.recipe = findRecipe("F32")}})
                      : std::unexpected(source.error());
    }
    std::unique_ptr<SmallSource> m_small;
};

void TestDenseModules::converts() {
    write(in("modules.json"), kTwo);
    for (const char* path : {"2_Dense/config.json", "3_Dense/config.json"}) {
        write(in(path), kIdentity);
    }
    SafetensorsBuilder()
        .tensor("linear.weight", "F32", {24, 8}, countingFloats(192))
        .write(in("2_Dense/model.safetensors"));
    SafetensorsBuilder()
        .tensor("linear.weight", "F32", {8, 24}, countingFloats(192, 1000))
        .write(in("3_Dense/model.safetensors"));
    SafetensorsBuilder weights;
    weights.tensor("embed_tokens.weight", "F32", {32, 8});
    const auto model = m_small->convert(kEmbedding, weights);
    QVERIFY(model);
    for (const auto& [name, columns, rows, first] :
         {std::tuple("dense_2.weight", 8U, 24U, 0.0F), std::tuple("dense_3.weight", 24U, 8U, 1000.0F)}) {
        const auto tensor = model->findTensor(name);
        QVERIFY2(tensor, name);
        QCOMPARE(model->tensor(*tensor).shape[0], columns);
        QCOMPARE(model->tensor(*tensor).shape[1], rows);
        const std::vector<float> values = valuesOf(*model, name);
        QCOMPARE(values.front(), first);
        QCOMPARE(values.back(), first + 191);
    }
    QCOMPARE(model->metadata.uint("gemma-embedding.dense_2_feat_in"), std::optional<std::uint64_t>(8));
    QCOMPARE(model->metadata.uint("gemma-embedding.dense_2_feat_out"), std::optional<std::uint64_t>(24));
    QCOMPARE(model->metadata.uint("gemma-embedding.dense_3_feat_in"), std::optional<std::uint64_t>(24));
    QCOMPARE(model->metadata.uint("gemma-embedding.dense_3_feat_out"), std::optional<std::uint64_t>(8));
}

// What engines cannot compute is named in the plan.
void TestDenseModules::leavesOut_data() {
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("modules");
    QTest::addColumn<QByteArray>("dense"); // config.json of each
    QTest::addColumn<int>("inner");        // columns of the second
    QTest::addColumn<bool>("bias");
    QTest::addColumn<int>("unused");
    const auto row = [](const char* name, const char* config, const char* modules, const char* dense, int inner,
                        bool bias, int unused) {
        QTest::newRow(name) << QByteArray(config) << QByteArray(modules) << QByteArray(dense) << inner << bias
                            << unused;
    };
    row("an activation", kEmbedding, kTwo, R"({"activation_function":"torch.nn.modules.activation.Tanh"})", 24, false,
        2);
    row("the activation that is assumed", kEmbedding, kTwo, "{}", 24, false, 2);
    row("no configuration", kEmbedding, kTwo, "", 24, false, 2);
    row("a bias", kEmbedding, kTwo, kIdentity, 24, true, 4);
    row("widths that do not fit", kEmbedding, kTwo, kIdentity, 23, false, 2);
    row("one layer", kEmbedding, kOne, kIdentity, 24, false, 1);
    row("another architecture",
        R"("architectures":["BertModel"],"hidden_size":8,"num_attention_heads":2,)"
        R"("num_hidden_layers":1,"intermediate_size":16,"vocab_size":32)",
        kTwo, kIdentity, 24, false, 2);
    row("no list", kEmbedding, "", kIdentity, 24, false, 0);
}

void TestDenseModules::leavesOut() {
    QFETCH(QByteArray, config);
    QFETCH(QByteArray, modules);
    QFETCH(QByteArray, dense);
    QFETCH(int, inner);
    QFETCH(bool, bias);
    QFETCH(int, unused);
    write(in("modules.json"), modules.toStdString());
    for (const char* folder : {"2_Dense", "3_Dense"}) {
        const bool second = folder[0] == '3';
        write(in(folder) / "config.json", dense.toStdString());
        const auto columns = static_cast<std::uint64_t>(second ? inner : 8);
        SafetensorsBuilder weights;
        weights.tensor("linear.weight", "F32", {second ? 8U : 24U, columns});
        if (bias) {
            weights.tensor("linear.bias", "F32", {second ? 8U : 24U});
        }
        weights.write(in(folder) / "model.safetensors");
    }
    const auto plan = planOf(config.constData());
    QVERIFY2(plan, plan ? "" : errorName(plan.error().code).data());
    QVERIFY(std::ranges::none_of(plan->rows, [](const PlannedRow& row) { return row.target.starts_with("dense_"); }));
    QVERIFY(
        std::ranges::none_of(plan->keys, [](const PlannedKey& key) { return key.key.find("dense_") != key.key.npos; }));
    QCOMPARE(std::ranges::count(plan->unused, std::string_view("dense_layer"), &UnusedTensor::reason), unused);
}

void TestDenseModules::refuses_data() {
    QTest::addColumn<QByteArray>("modules");
    QTest::addColumn<QByteArray>("weights"); // of 2_Dense; empty: none
    QTest::addColumn<QString>("error");
    QTest::newRow("no weights") << QByteArray(kOne) << QByteArray() << "file_not_found";
    QTest::newRow("weights that are none") << QByteArray(kOne) << QByteArray("owl") << "other_format";
    QTest::newRow("a path that leads outside")
        << QByteArray(R"([{"path":"../x","type":"sentence_transformers.models.Dense"}])") << QByteArray()
        << "invalid_argument";
    QTest::newRow("no folder") << QByteArray(R"([{"path":"","type":"sentence_transformers.models.Dense"}])")
                               << QByteArray() << "invalid_argument";
    QTest::newRow("a list that is cut") << QByteArray("[{") << QByteArray() << "bad_syntax";
}

void TestDenseModules::refuses() {
    QFETCH(QByteArray, modules);
    QFETCH(QByteArray, weights);
    QFETCH(QString, error);
    write(in("modules.json"), modules.toStdString());
    if (!weights.isEmpty()) {
        write(in("2_Dense/model.safetensors"), weights.toStdString());
    }
    const auto plan = planOf();
    QVERIFY(!plan);
    QCOMPARE(QString::fromLatin1(errorName(plan.error().code).data()), error);
}

GUFO_TEST(TestDenseModules)
#include "tst_dense_modules.moc"
