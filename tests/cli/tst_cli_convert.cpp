// The verb convert with folders: the plan as JSON and as text, the file that it writes, and its refusals.
#include "cli_runner.h"
#include "support/convert_fixtures.h"
#include "support/gguf_builder.h"
#include "support/protobuf_builder.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <csignal>
#include <fstream>

using namespace gufo::test;

class TestCliConvert final : public QObject {
    Q_OBJECT

private slots:
    void plansAsJson();
    void plansAsText();
    void convertsToTypes_data();
    void convertsToTypes();
    void takesTheWeightsForTheFolder();
    void takesShards();
    void takesMistralsFormat();
    void namesCodeFirst();
    void refuses_data();
    void refuses();
    void namesAMissingFolder();
    void refusesWhatCannotRun();
    void namesWhatIsUnknown();
    void interruptKeepsWhatWasThere_data();
    void interruptKeepsWhatWasThere();

private:
    static QString source(const char* name) {
        const ConvertFixture fixture = convertFixture(QString::fromLatin1(name));
        return QString::fromStdString(fixture.source().native());
    }
    QString in(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    QTemporaryDir m_folder;
};

void TestCliConvert::plansAsJson() {
    const CliResult result = runCli({"convert", source("gpt-oss"), "--dry-run", "--json"});
    QVERIFY2(result.code == 0, result.err.constData());
    const QJsonObject plan = result.json();
    QVERIFY(plan["output"].isNull());
    QCOMPARE(plan["architecture"].toString(), "gpt-oss");
    QVERIFY(plan["file_bytes"].toInteger() > 0);

    const QJsonObject gate = byName(plan["rows"].toArray(), "target", "blk.0.ffn_gate_exps.weight");
    QCOMPARE(gate["type"].toString(), "MXFP4");
    QCOMPARE(gate["shape"].toArray(), (QJsonArray{64, 32, 4}));
    QCOMPARE(gate["sources"].toArray(), (QJsonArray{"model.layers.0.mlp.experts.gate_up_proj_blocks",
                                                    "model.layers.0.mlp.experts.gate_up_proj_scales"}));
    const QJsonArray operations = gate["operations"].toArray();
    QCOMPARE(operations.size(), 3);
    QCOMPARE(operations[0]["name"].toString(), "repack_mxfp4");
    QCOMPARE(operations[1]["name"].toString(), "every_other");
    QCOMPARE(operations[1]["parameters"].toObject(), (QJsonObject{{"axis", 1}, {"first", 0}, {"step", 2}}));
    QCOMPARE(operations[2]["name"].toString(), "rename");

    const QJsonObject width = byName(plan["keys"].toArray(), "key", "gpt-oss.embedding_length");
    QCOMPARE(width["type"].toString(), "u32");
    QCOMPARE(width["value"].toInt(), 64);
    QCOMPARE(width["from"].toString(), "config.json:hidden_size");

    const CliResult old = runCli({"convert", source("gpt2-bin-legacy"), "--dry-run", "--json"});
    QCOMPARE(byName(old.json()["unused"].toArray(), "name", "h.0.attn.bias")["reason"].toString(), "mask");
}

void TestCliConvert::plansAsText() {
    const CliResult result = runCli({"convert", source("llama-bin"), "--dry-run", "--type", "Q8_0"});
    QVERIFY2(result.code == 0, result.err.constData());
    QVERIFY(result.out.contains("llama"));
    QVERIFY(result.out.contains("inv_freq (computed)"));
    QVERIFY(result.out.contains("blocks: ")); // rows of 48 weights are not whole blocks of Q8_0
    // Each tensor with its source and operations, and each key with the source of its value.
    const auto hasLine = [](const CliResult& cli, const QString& pattern) {
        return QString::fromUtf8(cli.out).contains(QRegularExpression(pattern, QRegularExpression::MultilineOption));
    };
    QVERIFY2(hasLine(result, "^blk\\.0\\.attn_q\\.weight +F16 .*model\\.layers\\.0\\.self_attn\\.q_proj\\.weight "
                             "+permute_rope\\(.*rename$"),
             result.out.constData());
    QVERIFY2(hasLine(result, "^llama\\.embedding_length +config\\.json:hidden_size +48$"), result.out.constData());
    const CliResult stacked = runCli({"convert", source("qwen3moe"), "--dry-run"});
    QVERIFY2(hasLine(stacked, "experts\\.0\\.up_proj\\.weight \\+ 3 +stack\\(4\\), rename$"), stacked.out.constData());
}

void TestCliConvert::convertsToTypes_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("embedding");
    QTest::newRow("auto") << QString() << QStringLiteral("F16");
    QTest::newRow("AUTO") << QStringLiteral("AUTO") << QStringLiteral("F16");
    QTest::newRow("F32") << QStringLiteral("F32") << QStringLiteral("F32");
    QTest::newRow("bf16") << QStringLiteral("bf16") << QStringLiteral("BF16");
}

void TestCliConvert::convertsToTypes() {
    QFETCH(QString, type);
    QFETCH(QString, embedding);
    const QString out = m_folder.filePath(type + ".gguf");
    QStringList arguments = {"convert", source("llama"), out};
    if (!type.isEmpty()) {
        arguments << "--type" << type;
    }
    const CliResult result = runCli(arguments);
    QVERIFY2(result.code == 0, result.err.constData());
    const QJsonObject info = runCli({"info", out, "--json"}).json();
    QCOMPARE(info["architecture"].toString(), "llama");
    QCOMPARE(byName(info["tensors"].toArray(), "name", "token_embd.weight")["type"].toString(), embedding);

    QCOMPARE(runCli(arguments).code, 2); // it exists
    QCOMPARE(runCli(arguments + QStringList{"--force"}).code, 0);
}

void TestCliConvert::takesTheWeightsForTheFolder() {
    const CliResult file = runCli({"convert", source("llama") + "/model.safetensors", "--dry-run", "--json"});
    QVERIFY2(file.code == 0, file.err.constData());
    QCOMPARE(file.out, runCli({"convert", source("llama"), "--dry-run", "--json"}).out);
}

// Most published models are in several files.
void TestCliConvert::takesShards() {
    const QDir from(source("llama"));
    QVERIFY(QDir().mkpath(in("shards")));
    for (const QString& name : from.entryList(QDir::Files)) {
        const bool weights = name == "model.safetensors";
        QVERIFY(
            QFile::copy(from.filePath(name), in("shards/") + (weights ? "model-00001-of-00001.safetensors" : name)));
    }
    QJsonObject map;
    const QJsonObject whole = runCli({"convert", source("llama"), "--dry-run", "--json"}).json();
    for (const QJsonValue& row : whole["rows"].toArray()) {
        map[row["sources"].toArray()[0].toString()] = "model-00001-of-00001.safetensors";
    }
    QFile index(in("shards/model.safetensors.index.json"));
    QVERIFY(index.open(QIODevice::WriteOnly));
    index.write(QJsonDocument(QJsonObject{{"weight_map", map}}).toJson());
    index.close();
    for (const QString& path : {in("shards"), index.fileName()}) {
        const CliResult result = runCli({"convert", path, "--dry-run", "--json"});
        QVERIFY2(result.code == 0, result.err.constData());
        QCOMPARE(result.json()["rows"], whole["rows"]);
    }
}

void TestCliConvert::takesMistralsFormat() {
    QVERIFY(QDir().mkpath(in("mistral")));
    SafetensorsBuilder weights;
    weights.tensor("tok_embeddings.weight", "F16", {32, 8}).tensor("layers.0.attention.wq.weight", "F16", {8, 8});
    weights.write((in("mistral") + "/consolidated.safetensors").toStdString());
    QFile settings(in("mistral/params.json"));
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write(
        R"({"dim":8,"n_layers":1,"n_heads":2,"n_kv_heads":1,"hidden_dim":16,"norm_eps":1e-5,"vocab_size":32})");
    settings.close();
    for (const QString& path : {in("mistral"), in("mistral/consolidated.safetensors")}) {
        const CliResult result = runCli({"convert", path, "--dry-run", "--json"});
        QVERIFY2(result.code == 0, result.err.constData());
        QCOMPARE(result.json()["architecture"].toString(), "llama");
        QCOMPARE(result.json()["rows"].toArray().size(), 2);
        const QJsonObject width = byName(result.json()["keys"].toArray(), "key", "llama.embedding_length");
        QCOMPARE(width["from"].toString(), "params.json:dim");
    }
}

// The weights of a checkpoint that would run code are converted, because it is not run; what it would call is said
// before anything else.
void TestCliConvert::namesCodeFirst() {
    QVERIFY(QDir().mkpath(in("hostile")));
    const QDir original(source("gpt2-bin-legacy"));
    for (const QString& name : original.entryList(QDir::Files)) {
        QVERIFY(QFile::copy(original.filePath(name), in("hostile/") + name));
    }
    QFile file(in("hostile/pytorch_model.bin"));
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) && file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    const QByteArray version("\x80\x02M\xe9\x03.", 6); // the second pickle: the number of the format
    const qsizetype at = bytes.indexOf(version);
    QVERIFY(at > 0);
    bytes.insert(at + 2, "cposix\nsystem\n0"); // names the function and drops it
    file.seek(0);
    file.write(bytes);
    file.close();

    const CliResult text = runCli({"convert", in("hostile"), "--dry-run"});
    QVERIFY2(text.code == 0, text.err.constData());
    QVERIFY2(text.out.indexOf("posix.system") >= 0, text.out.constData());
    QVERIFY2(text.out.indexOf("posix.system") < text.out.indexOf("Tensors"), text.out.constData());
    const CliResult json = runCli({"convert", in("hostile"), in("hostile.gguf"), "--json"});
    QVERIFY2(json.code == 0, json.err.constData());
    const QJsonObject finding = json.json()["findings"].toArray()[0].toObject();
    QCOMPARE(finding["code"].toString(), "global_dangerous");
    QVERIFY(QFile::exists(in("hostile.gguf")));
}

void TestCliConvert::refuses_data() {
    GgufBuilder model;
    model.key("general.architecture", "llama").tensor("t", 0, {4}, std::vector(16, std::byte{}));
    model.write(in("m.gguf").toStdString());
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
        QTest::newRow(name) << (QStringList{"convert"} + arguments) << QByteArray(says);
    };
    row("a type for GGUF", {in("m.gguf"), in("o.gguf"), "--type", "Q8_0"}, "quantize");
    row("a plan of GGUF", {in("m.gguf"), "--dry-run"}, "--dry-run");
    SafetensorsBuilder().tensor("w", "F32", {2}).write(in("lone.safetensors").toStdString());
    row("weights without a configuration", {in("lone.safetensors"), in("o.gguf")}, "config.json");
    row("a plan of weights without a configuration", {in("lone.safetensors"), "--dry-run"}, "config.json");
    const std::string onnx = ProtobufBuilder()
                                 .number(1, 8)
                                 .bytes(2, "gufo")
                                 .message(7, ProtobufBuilder().bytes(2, "graph"))
                                 .message(8, ProtobufBuilder().bytes(1, "").number(2, 17))
                                 .out;
    std::ofstream(in("m.onnx").toStdString(), std::ios::binary) << onnx;
    row("ONNX", {in("m.onnx"), in("o.gguf")}, "ONNX");
    row("no OUT", {source("llama")}, "usage");
    row("no OUT for GGUF", {in("m.gguf")}, "usage");
    row("an unknown type", {source("llama"), in("o.gguf"), "--type", "Q9"}, "Q4_K_M");
    row("byte order of a folder", {source("llama"), in("o.gguf"), "--byte-order", "big"}, "--byte-order");
    row("no such folder", {in("none"), in("o.gguf")}, "no such file");
    row("no folder for OUT", {source("llama"), in("none/o.gguf")}, "none");
}

void TestCliConvert::refuses() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const CliResult result = runCli(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(says), result.err.constData());
    QVERIFY(!QFile::exists(in("o.gguf")));
}

// A class that the table lacks is named, with the classes that it has. A missing shard: the plan shows what there is,
// but nothing is written.
void TestCliConvert::refusesWhatCannotRun() {
    const QString folder = in("incomplete");
    QVERIFY(QDir().mkpath(folder));
    QDir original(source("llama"));
    for (const QString& name : original.entryList(QDir::Files)) {
        const QString copy = name == "model.safetensors" ? "model-00001-of-00002.safetensors" : name;
        QVERIFY(QFile::copy(original.filePath(name), folder + '/' + copy));
    }
    const CliResult plan = runCli({"convert", folder, "--dry-run", "--json"});
    QVERIFY2(plan.code == 0, plan.err.constData());
    QCOMPARE(plan.json()["findings"].toArray()[0].toObject()["code"].toString(), "shard_missing");
    const CliResult refused = runCli({"convert", folder, in("incomplete.gguf")});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("model-00002-of-00002.safetensors"), refused.err.constData());
    QVERIFY2(refused.err.contains("Put all parts into one folder"), refused.err.constData());
    QVERIFY(!QFile::exists(in("incomplete.gguf")));
}

void TestCliConvert::namesAMissingFolder() {
    for (const char* option : {"--dry-run", "--vocab-only"}) {
        const CliResult result = runCli({"convert", in("nowhere"), in("out.gguf"), option});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("nowhere") && !result.err.contains("applies to folders"), result.err.constData());
    }
}

void TestCliConvert::namesWhatIsUnknown() {
    QVERIFY(QDir(m_folder.path()).mkdir("unknown"));
    QFile config(in("unknown/config.json"));
    QVERIFY(config.open(QIODevice::WriteOnly) && config.write(R"({"architectures":["NobodysModel"]})") > 0);
    config.close();
    QVERIFY(QFile::copy(source("llama") + "/model.safetensors", in("unknown/model.safetensors")));
    const CliResult result = runCli({"convert", in("unknown"), in("o.gguf")});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("NobodysModel") && result.err.contains("BertModel"), result.err.constData());
}

void TestCliConvert::interruptKeepsWhatWasThere_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<bool>("replaces");
    QTest::newRow("Ctrl-C, a new file") << SIGINT << false;
    QTest::newRow("Ctrl-C, an old file") << SIGINT << true;
    QTest::newRow("end of the session") << SIGTERM << true;
}

// The signal comes while the weights are written.
void TestCliConvert::interruptKeepsWhatWasThere() {
    QFETCH(int, signal);
    QFETCH(bool, replaces);
    constexpr std::uint64_t kRows = 400'000; // 6.5 GB as F32
    const QTemporaryDir work;
    writeSparseLlama(work.filePath("source").toStdString(), kRows);
    const QDir out(work.filePath("out"));
    QVERIFY(out.mkpath("."));
    if (replaces) {
        QFile old(out.filePath("o.gguf"));
        QVERIFY(old.open(QIODevice::WriteOnly));
        old.write("old");
    }
    QProcess process;
    process.start(QStringLiteral(GUFO_CLI), {"convert", work.filePath("source"), out.filePath("o.gguf"), "--type",
                                             "Q4_K_M", "--force", "--threads", "1"});
    const auto largest = [&] {
        qint64 bytes = 0;
        for (const QFileInfo& file : out.entryInfoList(QDir::Files | QDir::Hidden)) {
            bytes = std::max(bytes, file.size());
        }
        return bytes;
    };
    QTRY_VERIFY_WITH_TIMEOUT(largest() > 1'000'000, 60'000); // of the part file
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(process.processId()), signal);
    const CliResult result = finish(process);
    QCOMPARE(result.code, 128 + signal);
    QVERIFY2(result.err.contains("ancelled"), result.err.constData());
    QCOMPARE(out.entryList(QDir::Files | QDir::Hidden), replaces ? QStringList{"o.gguf"} : QStringList());
    if (replaces) {
        QFile old(out.filePath("o.gguf"));
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("old"));
    }
}

GUFO_TEST(TestCliConvert)
#include "tst_cli_convert.moc"
