// The verb apply, and the way to it: an adapter of PEFT is converted and merged, a file from before GGUF is converted.
#include "cli_runner.h"
#include "support/ggml_builder.h"
#include "support/gguf_builder.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTemporaryDir>

#include <cmath>

using namespace gufo::test;

namespace {

std::vector<std::byte> repeated(std::size_t count, float value) {
    std::vector<std::byte> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        gufo::store<float>(bytes.data() + 4 * i, value);
    }
    return bytes;
}

} // namespace

class TestCliApply final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void showsChanges();
    void merges();
    void mergesSeveral();
    void refuses_data();
    void refuses();
    void convertsAdapters();
    void convertsOldFiles();

private:
    QString in(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    std::string native(const char* name) const { return in(name).toStdString(); }
    void writeText(const char* name, const QByteArray& text) const {
        QFile file(in(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    QTemporaryDir m_folder;
};

// A matrix of 32 × 4 twos, to which the adapter adds 2 / 1 × 0.5 × 3 = 3.
void TestCliApply::initTestCase() {
    GgufBuilder base;
    base.key("general.architecture", "llama").key("llama.block_count", std::uint32_t{1});
    base.key("llama.attention.head_count", std::uint32_t{2}).key("llama.embedding_length", std::uint32_t{32});
    base.tensor("blk.0.attn_v.weight", 0, {32, 4}, repeated(128, 2));
    base.tensor("blk.0.attn_norm.weight", 0, {32}, repeated(32, 1));
    base.write(native("base.gguf"));
    GgufBuilder adapter;
    adapter.key("general.architecture", "llama").key("general.type", "adapter").key("adapter.type", "lora");
    adapter.key("adapter.lora.alpha", 2.0F);
    adapter.tensor("blk.0.attn_v.weight.lora_a", 0, {32, 1}, repeated(32, 0.5F));
    adapter.tensor("blk.0.attn_v.weight.lora_b", 0, {1, 4}, repeated(4, 3));
    adapter.write(native("adapter.gguf"));
}

void TestCliApply::showsChanges() {
    const CliResult plan = runCli({"apply", in("base.gguf"), in("adapter.gguf"), "--dry-run", "--json"});
    QVERIFY2(plan.code == 0, plan.err.constData());
    const QJsonObject json = plan.json();
    QVERIFY(json["output"].isNull());
    const QJsonObject adapter = json["adapters"].toArray().at(0).toObject();
    QCOMPARE(adapter["alpha"].toDouble(), 2.0);
    QCOMPARE(adapter["tensors"].toInt(), 1);
    const QJsonObject tensor = json["tensors"].toArray().at(0).toObject();
    QCOMPARE(tensor["name"].toString(), "blk.0.attn_v.weight");
    QCOMPARE(tensor["weight_norm"].toDouble(), 2 * std::sqrt(128.0));
    QVERIFY(tensor["nmse"].isNull());
    const QJsonObject change = tensor["changes"].toArray().at(0).toObject();
    QCOMPARE(change["rank"].toInt(), 1);
    QCOMPARE(change["relative"].toDouble(), 1.5);

    const CliResult text = runCli({"apply", in("base.gguf"), in("adapter.gguf"), "--dry-run", "--scale", "2"});
    QVERIFY2(text.code == 0, text.err.constData());
    QVERIFY2(text.out.contains("blk.0.attn_v.weight") && text.out.contains("alpha 2, scale 2"), text.out.constData());
    QVERIFY2(text.out.contains("3"), text.out.constData()); // the relative change is twice 1.5
}

void TestCliApply::merges() {
    const QStringList arguments = {"apply", in("base.gguf"), in("adapter.gguf"), in("merged.gguf"), "--type", "F16"};
    const CliResult merged = runCli(arguments + QStringList{"--json"});
    QVERIFY2(merged.code == 0, merged.err.constData());
    QCOMPARE(merged.json()["output"].toString(), in("merged.gguf"));
    QCOMPARE(merged.json()["totals"].toObject()["nmse"].toDouble(-1), 0.0); // 5 is exact in F16
    QCOMPARE(merged.json()["file_bytes"].toInteger(), QFileInfo(in("merged.gguf")).size());
    const CliResult values = runCli({"stats", in("merged.gguf"), "blk.0.attn_v.weight", "--json"});
    const QJsonObject stats = values.json()["tensors"].toArray().at(0).toObject();
    QCOMPARE(stats["min"].toDouble(), 5.0);
    QCOMPARE(stats["max"].toDouble(), 5.0);

    const CliResult exists = runCli(arguments);
    QCOMPARE(exists.code, 2);
    QVERIFY2(exists.err.contains("--force"), exists.err.constData());
    QCOMPARE(runCli(arguments + QStringList{"--force"}).code, 0);
}

void TestCliApply::mergesSeveral() {
    const CliResult merged = runCli({"apply", in("base.gguf"), in("adapter.gguf"), in("adapter.gguf"), in("two.gguf"),
                                     "--scale", "1", "--scale", "-0.5"});
    QVERIFY2(merged.code == 0, merged.err.constData());
    const CliResult values = runCli({"stats", in("two.gguf"), "blk.0.attn_v.weight", "--json"});
    QCOMPARE(values.json()["tensors"].toArray().at(0).toObject()["max"].toDouble(), 3.5); // 2 + 3 − 1.5
}

void TestCliApply::refuses_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
        QTest::newRow(name) << (QStringList{"apply"} + arguments) << QByteArray(says);
    };
    const QString base = in("base.gguf");
    const QString adapter = in("adapter.gguf");
    row("no OUT", {base, adapter}, "usage");
    row("no adapter", {base, base, in("o.gguf")}, "not a LoRA adapter");
    SafetensorsBuilder().tensor("a.lora_A.weight", "F32", {1, 1}).write(native("peft.safetensors"));
    row("an adapter that is not converted yet", {base, in("peft.safetensors"), in("o.gguf")}, "gufo-cli convert");
    row("a base that is an adapter", {adapter, adapter, in("o.gguf")}, "blk.0.attn_v.weight");
    row("a scale that is no number", {base, adapter, in("o.gguf"), "--scale", "much"}, "--scale");
    row("scales for others", {base, adapter, in("o.gguf"), "--scale", "1", "--scale", "2"}, "--scale");
    row("a type to quantise to", {base, adapter, in("o.gguf"), "--type", "Q4_K"}, "gufo-cli quantize");
    row("no such file", {base, in("none.gguf"), in("o.gguf")}, "none.gguf");
}

void TestCliApply::refuses() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const CliResult result = runCli(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(says), result.err.constData());
    QVERIFY(!QFile::exists(in("o.gguf")));
}

void TestCliApply::convertsAdapters() {
    QVERIFY(QDir(m_folder.path()).mkdir("peft"));
    writeText("peft/adapter_config.json", R"({"peft_type":"LORA","r":1,"lora_alpha":2})");
    SafetensorsBuilder factors;
    factors.tensor("base_model.model.model.layers.0.self_attn.v_proj.lora_A.weight", "F32", {1, 32},
                   repeated(32, 0.5F));
    factors.tensor("base_model.model.model.layers.0.self_attn.v_proj.lora_B.weight", "F32", {4, 1}, repeated(4, 3));
    factors.write(native("peft/adapter_model.safetensors"));

    const CliResult alone = runCli({"convert", in("peft"), in("lora.gguf")});
    QCOMPARE(alone.code, 2);
    QVERIFY2(alone.err.contains("base model"), alone.err.constData());
    const CliResult quantised = runCli({"convert", in("peft"), in("lora.gguf"), "--type", "Q8_0"});
    QCOMPARE(quantised.code, 2);
    QVERIFY2(quantised.err.contains("F16"), quantised.err.constData());
    const CliResult converted = runCli({"convert", in("peft"), in("lora.gguf"), "--base", in("base.gguf"), "--json"});
    QVERIFY2(converted.code == 0, converted.err.constData());
    QCOMPARE(converted.json()["rows"].toArray().size(), 2);
    QCOMPARE(byName(converted.json()["keys"].toArray(), "key", "adapter.lora.alpha")["value"].toDouble(), 2.0);
    const CliResult plan = runCli({"apply", in("base.gguf"), in("lora.gguf"), "--dry-run", "--json"});
    const QJsonObject tensor = plan.json()["tensors"].toArray().at(0).toObject();
    QCOMPARE(tensor["changes"].toArray().at(0).toObject()["relative"].toDouble(), 1.5);
}

void TestCliApply::convertsOldFiles() {
    GgmlBuilder file("tjgg", 1);
    file.numbers({3, 32, 32, 1, 1, 32, 2}); // n_vocab, n_embd, n_mult, n_head, n_layer, n_rot, ftype
    file.token("<unk>", 0).token("<s>", 0).token("</s>", 0);
    file.padding = 32;
    std::vector<std::byte> blocks(20 * 32); // Q4_0 with a scale that f16 must round
    for (std::size_t i = 0; i < blocks.size(); i += 20) {
        gufo::store<float>(blocks.data() + i, 0.1F);
    }
    for (const char* name : {"attention.wq", "attention.wk", "feed_forward.w1"}) {
        file.tensor("layers.0." + std::string(name) + ".weight", 2, {32, 32}, blocks);
    }
    file.write(native("old.bin"));
    const CliResult plan = runCli({"convert", in("old.bin"), "--dry-run", "--json"});
    QVERIFY2(plan.code == 0, plan.err.constData());
    const QJsonObject row = byName(plan.json()["rows"].toArray(), "target", "blk.0.attn_q.weight");
    QCOMPARE(row["type"].toString(), "Q4_0");
    QCOMPARE(row["operations"].toArray().at(0).toObject()["name"].toString(), "repack_legacy");
    const double error = row["max_error"].toDouble();
    QVERIFY(error > 0 && error < 1e-3);
    QCOMPARE(byName(plan.json()["keys"].toArray(), "key", "llama.context_length")["from"].toString(), "assumed");

    const CliResult written = runCli({"convert", in("old.bin"), in("new.gguf")});
    QVERIFY2(written.code == 0, written.err.constData());
    QVERIFY2(written.out.contains("rounded to f16"), written.out.constData());
    QCOMPARE(runCli({"info", in("new.gguf"), "--json"}).json()["architecture"].toString(), "llama");
    const CliResult typed = runCli({"convert", in("old.bin"), in("x.gguf"), "--type", "Q8_0"});
    QCOMPARE(typed.code, 2);
    QVERIFY2(typed.err.contains("--type"), typed.err.constData());
}

GUFO_TEST(TestCliApply)
#include "tst_cli_apply.moc"
