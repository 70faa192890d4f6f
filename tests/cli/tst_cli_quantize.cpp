// The verb quantize of gufo-cli.
#include "cli_runner.h"
#include "document/open_model.h"
#include "quantize/recipe.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <random>

using namespace gufo;
using namespace gufo::test;

class TestCliQuantize : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();
    void writesAModel();
    void showsTheSizeFirst();
    void writesJson();
    void takesOverrides();
    void changesNormsOnlyByName();
    void takesAnImportanceMatrix();
    void refusesAnUnusableImportanceMatrix_data();
    void refusesAnUnusableImportanceMatrix();
    void asksBeforeQuantisingAgain();
    void warnsOfMissingImportance();
    void verifiesTheResult();
    void helpNamesEveryMix();
    void refuses_data();
    void refuses();

private:
    [[nodiscard]] QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    // The type of a tensor in a file, by name.
    [[nodiscard]] static QString typeIn(const QString& path, const char* tensor);

    QTemporaryDir m_folder;
    QString m_model;
};

void TestCliQuantize::initTestCase() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 0.02F);
    GgufBuilder builder;
    builder.key("general.architecture", "llama").key("llama.block_count", std::uint32_t{1});
    for (const char* name : {"token_embd.weight", "blk.0.attn_q.weight", "blk.0.attn_k.weight", "output.weight"}) {
        std::vector<std::byte> bytes(std::size_t{256} * 16 * 4);
        for (std::size_t i = 0; i < bytes.size(); i += 4) {
            store(bytes.data() + i, normal(random));
        }
        builder.tensor(name, 0, {256, 16}, bytes);
    }
    builder.tensor("output_norm.weight", 0, {256}, std::vector<std::byte>(1024));
    m_model = file("model.gguf");
    builder.write(m_model.toStdString());
}

void TestCliQuantize::cleanup() { QFile::remove(file("out.gguf")); }

QString TestCliQuantize::typeIn(const QString& path, const char* tensor) {
    const auto model = openModel(path.toStdString());
    const auto index = model ? (*model)->findTensor(tensor) : std::nullopt;
    return index ? QString::fromStdString((*model)->tensor(*index).typeName()) : QString();
}

void TestCliQuantize::writesAModel() {
    const CliResult result = runCli({"quantize", m_model, file("out.gguf"), "q4_k_m"});
    QCOMPARE(result.err, QByteArray());
    QCOMPARE(result.code, 0);
    QCOMPARE(typeIn(file("out.gguf"), "blk.0.attn_q.weight"), QStringLiteral("Q4_K"));
    QCOMPARE(typeIn(file("out.gguf"), "output.weight"), QStringLiteral("Q6_K"));
    QCOMPARE(typeIn(file("out.gguf"), "output_norm.weight"), QStringLiteral("F32"));
    QVERIFY(result.out.contains("Q4_K_M: "));
    // The result has only the errors of the source.
    const auto errors = [](const QString& path) {
        return runCli({"validate", path, "--deep", "--json"}).json()["errors"].toInt();
    };
    QCOMPARE(errors(file("out.gguf")), errors(m_model));
}

void TestCliQuantize::showsTheSizeFirst() {
    const CliResult dry = runCli({"quantize", m_model, "Q4_K_M", "--dry-run"});
    QCOMPARE(dry.code, 0);
    QVERIFY(dry.out.contains("Q4_K"));
    QVERIFY(dry.out.contains("bits per weight"));
    const CliResult named = runCli({"quantize", m_model, file("out.gguf"), "Q4_K_M", "--dry-run"});
    QCOMPARE(named.out, dry.out);
    QVERIFY(!QFile::exists(file("out.gguf")));
    const CliResult real = runCli({"quantize", m_model, file("out.gguf"), "Q4_K_M"});
    QCOMPARE(real.out, dry.out);
}

void TestCliQuantize::writesJson() {
    const QJsonObject dry = runCli({"quantize", m_model, "Q4_K_M", "--dry-run", "--json"}).json();
    QVERIFY(dry["output"].isNull());
    const CliResult result = runCli({"quantize", m_model, file("out.gguf"), "Q4_K_M", "--json", "--threads", "1"});
    QCOMPARE(result.err, QByteArray());
    const QJsonObject json = result.json();
    QCOMPARE(json["mix"].toString(), QStringLiteral("Q4_K_M"));
    QCOMPARE(json["output"].toString(), file("out.gguf"));
    QCOMPARE(json["file_bytes"].toInteger(), QFileInfo(file("out.gguf")).size());
    QCOMPARE(json["file_bytes"], dry["file_bytes"]);
    QCOMPARE(json["without_importance"].toInt(), 0);
    QCOMPARE(json["bits_per_weight_before"].toDouble(), 32.0);
    QVERIFY(json["bits_per_weight"].toDouble() > 4.5 && json["bits_per_weight"].toDouble() < 7);
    const QJsonArray tensors = json["tensors"].toArray();
    QCOMPARE(tensors.size(), 5);
    QCOMPARE(tensors[0]["name"].toString(), QStringLiteral("token_embd.weight"));
    QCOMPARE(tensors[0]["from"].toString(), QStringLiteral("F32"));
    QCOMPARE(tensors[0]["type"].toString(), QStringLiteral("Q4_K"));
    QCOMPARE(tensors[0]["reason"].toString(), QStringLiteral("recipe"));
    QCOMPARE(tensors[0]["bytes"].toInteger(), qint64{16 * 144});
    QCOMPARE(tensors[4]["reason"].toString(), QStringLiteral("kept"));
    qint64 bytes = 0;
    for (const QJsonValue& type : json["types"].toArray()) {
        bytes += type["bytes"].toInteger();
    }
    QCOMPARE(bytes, json["tensor_bytes"].toInteger());
}

void TestCliQuantize::takesOverrides() {
    const CliResult result =
        runCli({"quantize", m_model, file("out.gguf"), "Q4_K_M", "--tensor", "attn_[qk]\\.=q8_0", "--tensor", "blk=f16",
                "--output-tensor-type", "q5_k", "--token-embedding-type", "Q3_K", "--json"});
    QVERIFY2(result.err.contains("\"blk\" has no effect"), result.err.constData());
    QCOMPARE(result.code, 0);
    QVERIFY(result.json()["idle_patterns"].toArray() == QJsonArray{"blk"});
    QVERIFY(result.json()["kept_by_recipes"].toArray().isEmpty());
    QCOMPARE(typeIn(file("out.gguf"), "blk.0.attn_q.weight"), QStringLiteral("Q8_0")); // the first match counts
    QCOMPARE(typeIn(file("out.gguf"), "output.weight"), QStringLiteral("Q5_K"));
    QCOMPARE(typeIn(file("out.gguf"), "token_embd.weight"), QStringLiteral("Q3_K"));
    QCOMPARE(result.json()["tensors"][1]["reason"].toString(), QStringLiteral("override"));
}

void TestCliQuantize::changesNormsOnlyByName() {
    const CliResult pattern =
        runCli({"quantize", m_model, file("out.gguf"), "Q4_K_M", "--tensor", "output|norm=Q8_0", "--force"});
    QCOMPARE(pattern.err, QByteArray());
    QCOMPARE(typeIn(file("out.gguf"), "output.weight"), QStringLiteral("Q8_0"));
    QCOMPARE(typeIn(file("out.gguf"), "output_norm.weight"), QStringLiteral("F32"));
    const CliResult named = runCli(
        {"quantize", m_model, file("out.gguf"), "Q4_K_M", "--tensor", "output_norm.weight=Q8_0", "--force", "--json"});
    QCOMPARE(named.code, 0);
    QCOMPARE(typeIn(file("out.gguf"), "output_norm.weight"), QStringLiteral("Q8_0"));
    QVERIFY2(named.err.contains("output_norm.weight") && named.err.contains("usually not quantised"),
             named.err.constData());
    QVERIFY(named.json()["kept_by_recipes"].toArray() == QJsonArray{"output_norm.weight"});
}

void TestCliQuantize::takesAnImportanceMatrix() {
    GgufBuilder builder;
    builder.key("general.type", "imatrix");
    std::vector<std::byte> sums(1024);
    for (std::size_t i = 0; i < 256; ++i) {
        store(sums.data() + 4 * i, static_cast<float>(i));
    }
    std::vector<std::byte> count(4);
    store(count.data(), 3.0F);
    builder.tensor("blk.0.attn_q.weight.in_sum2", 0, {256}, sums).tensor("blk.0.attn_q.weight.counts", 0, {1}, count);
    builder.write(file("m.imatrix.gguf").toStdString());
    const CliResult result =
        runCli({"quantize", m_model, file("out.gguf"), "Q4_K_S", "--imatrix", file("m.imatrix.gguf"), "--json"});
    QCOMPARE(result.err, QByteArray());
    QCOMPARE(result.json()["without_importance"].toInt(), 1); // the embedding and the output expect no entry
    const QJsonObject importance = result.json()["importance"].toObject();
    QCOMPARE(importance["used"].toInt(), 1);
    QVERIFY(importance["without"].toArray() == QJsonArray{"blk.0.attn_k.weight"});
    QVERIFY(importance["partly"].toArray().isEmpty());
    QCOMPARE(runCli({"get", file("out.gguf"), "quantize.imatrix.file"}).out.trimmed(), QByteArray("m.imatrix.gguf"));
    const CliResult wrong = runCli({"quantize", m_model, file("out.gguf"), "Q4_K_S", "--imatrix", m_model, "--force"});
    QCOMPARE(wrong.code, 2);
    QVERIFY(wrong.err.contains("model.gguf"));
    QVERIFY(wrong.err.contains("not an importance matrix"));
}

void TestCliQuantize::refusesAnUnusableImportanceMatrix_data() {
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<float>("value");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("NaN") << "blk.0.attn_q.weight" << std::numeric_limits<float>::quiet_NaN()
                         << QByteArray("blk.0.attn_q.weight");
    QTest::newRow("infinite") << "blk.0.attn_q.weight" << std::numeric_limits<float>::infinity()
                              << QByteArray("blk.0.attn_q.weight");
    QTest::newRow("of another conversion")
        << "model.layers.0.self_attn.q_proj" << 1.0F << QByteArray("belongs to another model");
    QTest::newRow("of another model") << "x.blk.0.attn_q.weight" << 1.0F << QByteArray("belongs to another model");
}

void TestCliQuantize::refusesAnUnusableImportanceMatrix() {
    QFETCH(QString, tensor);
    QFETCH(float, value);
    QFETCH(QByteArray, says);
    GgufBuilder builder;
    builder.key("general.type", "imatrix");
    std::vector<std::byte> sums(1024);
    store(sums.data() + 4, value);
    std::vector<std::byte> count(4);
    store(count.data(), 3.0F);
    builder.tensor(tensor.toStdString() + ".in_sum2", 0, {256}, sums);
    builder.tensor(tensor.toStdString() + ".counts", 0, {1}, count);
    builder.write(file("bad.gguf").toStdString());
    for (const bool dryRun : {true, false}) {
        const CliResult result = runCli({"quantize", m_model, file("out.gguf"), "Q4_K_S", "--imatrix", file("bad.gguf"),
                                         dryRun ? "--dry-run" : "--json"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(says) && result.err.contains("bad.gguf"), result.err.constData());
        QCOMPARE(result.out, QByteArray());
        QVERIFY(!QFile::exists(file("out.gguf")));
    }
}

void TestCliQuantize::asksBeforeQuantisingAgain() {
    QCOMPARE(runCli({"quantize", m_model, file("q8.gguf"), "Q8_0"}).code, 0);
    const CliResult refused = runCli({"quantize", file("q8.gguf"), file("out.gguf"), "Q4_K_M"});
    QCOMPARE(refused.code, 2);
    QVERIFY(refused.err.contains("--allow-requantize"));
    QVERIFY(!QFile::exists(file("out.gguf")));
    QCOMPARE(runCli({"quantize", file("q8.gguf"), file("out.gguf"), "Q4_K_M", "--allow-requantize"}).code, 0);
}

void TestCliQuantize::warnsOfMissingImportance() {
    const CliResult quantised = runCli({"quantize", m_model, file("out.gguf"), "IQ2_XXS"});
    QCOMPARE(quantised.code, 0);
    QVERIFY2(quantised.err.contains("importance matrix") && quantised.err.contains("blk.0.attn_q.weight"),
             quantised.err.constData());
    QCOMPARE(typeIn(file("out.gguf"), "blk.0.attn_q.weight"), QStringLiteral("IQ2_XXS"));
    QVERIFY(runCli({"quantize", m_model, "IQ3_S", "--dry-run"}).err.isEmpty());
}

void TestCliQuantize::verifiesTheResult() {
    const QString sample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
    const auto write = [&](const char* name, const QByteArray& text) {
        QFile out(file(name));
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size();
    };
    QVERIFY(write("text.txt", QByteArray("The little owl found an old key under the bridge. ").repeated(12)));
    QVERIFY(write("recipe.txt", "# expected-kl: 0.5\n* = Q8_0\n"));
    const CliResult verified = runCli(
        {"quantize", sample, file("out.gguf"), "--recipe", file("recipe.txt"), "--verify", file("text.txt"), "--json"});
    QCOMPARE(verified.code, 0);
    const QJsonObject figures = QJsonDocument::fromJson(verified.out).object()["verification"].toObject();
    QVERIFY(figures["scored"].toInt() > 20);
    QVERIFY(figures["kl_mean"].toDouble() > 0 && figures["kl_mean"].toDouble() < 0.01);
    QVERIFY(figures["kl_99_9"].toDouble() >= figures["kl_99"].toDouble());
    QVERIFY(figures["top1_agreement"].toDouble() > 0.9);
    QCOMPARE(figures["expected_kl"].toDouble(), 0.5);
    QCOMPARE(figures["measured_by_expected"].toDouble(), figures["kl_mean"].toDouble() / 0.5);
    // The mixes beside the size of the result, in the same pass.
    const qint64 bytes = QFileInfo(file("out.gguf")).size();
    const QJsonArray presets = figures["presets"].toArray();
    QVERIFY(presets.size() >= 1 && presets[0]["file_bytes"].toInteger() <= bytes);
    for (const QJsonValue& preset : presets) {
        QVERIFY(preset["kl_mean"].toDouble() > 0 && preset["top1_agreement"].toDouble() > 0.5);
    }
    // They are measured as if they had been written.
    QVERIFY(QFile::remove(file("out.gguf")));
    const QString mix = presets[0]["mix"].toString();
    const QJsonObject same =
        QJsonDocument::fromJson(
            runCli({"quantize", sample, file("out.gguf"), mix, "--verify", file("text.txt"), "--json"}).out)
            .object()["verification"]
            .toObject();
    QCOMPARE(same["kl_mean"].toDouble(), presets[0]["kl_mean"].toDouble());
    QVERIFY(QFile::remove(file("out.gguf")));

    // Nothing is written if the text cannot be read or is too short.
    QVERIFY(write("short.txt", "a"));
    for (const char* text : {"nothing.txt", "short.txt"}) {
        QCOMPARE(runCli({"quantize", sample, file("out.gguf"), "Q8_0", "--verify", file(text)}).code, 2);
        QVERIFY2(!QFile::exists(file("out.gguf")), text);
    }
    QVERIFY(runCli({"quantize", sample, "Q8_0", "--dry-run", "--verify", file("text.txt")}).err.contains("--dry-run"));
}

void TestCliQuantize::helpNamesEveryMix() {
    const QByteArray help = runCli({"help", "quantize"}).out.simplified();
    for (const Recipe& recipe : recipes()) {
        QVERIFY2(help.contains(" " + QByteArray(recipe.name.data()) + ",") ||
                     help.contains(" " + QByteArray(recipe.name.data()) + "."),
                 recipe.name.data());
    }
}

void TestCliQuantize::refuses_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const QString model = file("model.gguf");
    const QString out = file("out.gguf");
    QTest::newRow("no mix") << QStringList{model, out} << QByteArray("an argument is missing");
    QTest::newRow("no such mix") << QStringList{model, out, "Q9_K"}
                                 << QByteArray("there is no quantisation type \"Q9_K\"");
    QTest::newRow("override without type")
        << QStringList{model, out, "Q8_0", "--tensor", "attn"} << QByteArray("--tensor takes REGEX=TYPE");
    QTest::newRow("override of no type") << QStringList{model, out, "Q8_0", "--tensor", "attn=nvfp4"}
                                         << QByteArray("\"nvfp4\" is not a type that can be written");
    QTest::newRow("no regular expression")
        << QStringList{model, out, "Q8_0", "--tensor", "(=q4_0"} << QByteArray("is not a regular expression");
    QTest::newRow("pattern of nothing") << QStringList{model, out, "Q8_0", "--tensor", "atn_q=q4_0"}
                                        << QByteArray("\"atn_q\" matches no tensor");
    QTest::newRow("pattern of norms") << QStringList{model, out, "Q8_0", "--tensor", "norm=q4_0"}
                                      << QByteArray("such as output_norm.weight");
    QTest::newRow("pattern of nothing, dry run")
        << QStringList{model, out, "Q8_0", "--tensor", "atn_q=q4_0", "--dry-run"} << QByteArray("matches no tensor");
    QTest::newRow("output type") << QStringList{model, out, "Q8_0", "--output-tensor-type", "x"}
                                 << QByteArray("\"x\" is not a type");
    QTest::newRow("threads") << QStringList{model, out, "Q8_0", "--threads", "0"} << QByteArray("--threads takes");
    QTest::newRow("own file") << QStringList{model, model, "Q8_0", "--force"}
                              << QByteArray("is read, and cannot be replaced");
    QTest::newRow("no folder") << QStringList{model, file("no/folder/out.gguf"), "Q8_0"} << QByteArray("no/folder");
    QTest::newRow("no model") << QStringList{file("none.gguf"), out, "Q8_0"} << QByteArray("none.gguf");
    QTest::newRow("no imatrix") << QStringList{model, out, "Q8_0", "--imatrix", file("none.dat")}
                                << QByteArray("none.dat");
}

void TestCliQuantize::refuses() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const CliResult result = runCli(QStringList{"quantize"} + arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(says), result.err.constData());
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY(!QFile::exists(file("out.gguf")));
}

GUFO_TEST(TestCliQuantize)
#include "tst_cli_quantize.moc"
