#include "model/tensor_role.h"
#include "support/test_unit.h"

#include <QTest>

#include <set>

using namespace gufo;

class TestTensorRole : public QObject {
    Q_OBJECT

private slots:
    void parsesNames_data();
    void parsesNames();
    void everyRoleFindsItself();
    void survivesOddNames_data();
    void survivesOddNames();
};

constexpr int kNone = -1;

void TestTensorRole::parsesNames_data() {
    QTest::addColumn<QString>("role");
    QTest::addColumn<int>("block");
    QTest::addColumn<int>("expert");
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<bool>("known");
    const auto row = [](const char* name, const char* role, int block, int expert, const char* suffix,
                        const char* prefix, bool known = true) {
        QTest::newRow(name) << QString(role) << block << expert << QString(suffix) << QString(prefix) << known;
    };
    row("token_embd.weight", "token_embd", kNone, kNone, "weight", "");
    row("output_norm.bias", "output_norm", kNone, kNone, "bias", "");
    row("rope_freqs.weight", "rope_freqs", kNone, kNone, "weight", "");
    row("position_embd.weight", "position_embd", kNone, kNone, "weight", "");
    row("pos_embd.weight", "position_embd", kNone, kNone, "weight", "");
    row("blk.17.ffn_gate_exps.weight", "ffn_gate_exps", 17, kNone, "weight", "");
    row("blk.0.attn_q.bias", "attn_q", 0, kNone, "bias", "");
    row("blk.3.ffn_gate.7.weight", "ffn_gate", 3, 7, "weight", "");
    row("blk.3.ffn_gate_exp.weight", "ffn_gate_exps", 3, kNone, "weight", "");
    row("blk.2.exp_probs_b.bias", "exp_probs_b", 2, kNone, "bias", "");
    row("blk.0.ssm_a", "ssm_a", 0, kNone, "", "");
    row("blk.0.ssm_dt.bias", "ssm_dt", 0, kNone, "bias", "");
    row("blk.1.shortconv.in_proj.weight", "shortconv.in_proj", 1, kNone, "weight", "");
    row("blk.61.nextn.eh_proj.weight", "nextn.eh_proj", 61, kNone, "weight", "");
    row("blk.5.attn_q.weight.lora_a", "attn_q", 5, kNone, "lora_a", "");
    row("blk.5.attn_q.weight.in_sum2", "attn_q", 5, kNone, "in_sum2", "");
    row("blk.5.ffn_down_exps.weight.counts", "ffn_down_exps", 5, kNone, "counts", "");
    row("blk.5.attn_q.scale", "attn_q", 5, kNone, "scale", "");
    row("cls.output.weight", "cls.output", kNone, kNone, "weight", "");
    row("cls.weight", "cls", kNone, kNone, "weight", "");
    row("v.blk.11.attn_out.weight", "attn_output", 11, kNone, "weight", "v.");
    row("v.patch_embd.weight.1", "patch_embd", kNone, kNone, "weight.1", "v.");
    row("v.sam.neck.3.weight", "neck", 3, kNone, "weight", "v.sam.");
    row("v.deepstack.8.fc1.weight", "fc1", 8, kNone, "weight", "v.deepstack.");
    row("mm.0.weight", "mm", 0, kNone, "weight", "mm.");
    row("mm.model.mlp.2.bias", "model.mlp", 2, kNone, "bias", "mm.");
    row("mm.a.mlp.1.weight", "model.mlp", 1, kNone, "weight", "mm.a.");
    row("mm.input_projection.weight", "input_projection", kNone, kNone, "weight", "mm.");
    row("a.conv1d.0.weight", "conv1d", 0, kNone, "weight", "a.");
    row("a.conv1d.0.norm.weight", "conv1d.norm", 0, kNone, "weight", "a.");
    row("enc.blk.2.attn_o.weight", "attn_output", 2, kNone, "weight", "enc.");
    row("dec.blk.2.cross_attn_q.weight", "cross_attn_q", 2, kNone, "weight", "dec.");
    row("dec.output_norm.weight", "output_norm", kNone, kNone, "weight", "dec.");
    row("posnet.0.norm1.weight", "norm1", 0, kNone, "weight", "posnet.");
    row("convnext.11.dw.weight", "dw", 11, kNone, "weight", "convnext.");
    row("conv1d.weight", "conv1d", kNone, kNone, "weight", "");
    row("resampler.attn.q.weight", "attn.q", kNone, kNone, "weight", "resampler.");
    row("layers.3.attention.wq.weight", "attn_q", 3, kNone, "weight", "");
    row("tok_embeddings.weight", "token_embd", kNone, kNone, "weight", "");
    row("norm.weight", "output_norm", kNone, kNone, "weight", "");
    // names of other containers
    row("model.layers.3.self_attn.q_proj.weight", "attn_q", 3, kNone, "weight", "");
    row("model.language_model.layers.3.mlp.down_proj.qweight", "ffn_down", 3, kNone, "qweight", "");
    row("model.layers.12.mlp.experts.7.gate_proj.weight", "ffn_gate_exps", 12, 7, "weight", "");
    row("model.layers.0.block_sparse_moe.experts.5.w2.weight", "ffn_down_exps", 0, 5, "weight", "");
    row("model.layers.1.post_attention_layernorm.weight", "post_attention_layernorm", 1, kNone, "weight", "", false);
    row("model.layers.1.self_attn.kv_b_proj.weight", "self_attn.kv_b_proj", 1, kNone, "weight", "", false);
    row("transformer.h.4.attn.c_attn.bias", "attn_qkv", 4, kNone, "bias", "");
    row("bert.encoder.layer.2.output.dense.weight", "ffn_down", 2, kNone, "weight", "encoder.");
    row("encoder.block.1.layer.0.SelfAttention.q.weight", "layer.0.SelfAttention.q", 1, kNone, "weight", "encoder.",
        false);
    row("vision_tower.encoder.layers.5.mlp.fc1.weight", "mlp.fc1", 5, kNone, "weight", "vision_tower.encoder.", false);
    row("down_blocks.0.resnets.1.conv1.weight", "resnets.1.conv1", 0, kNone, "weight", "", false);
    row("model.embed_tokens.weight", "token_embd", kNone, kNone, "weight", "");
    row("lm_head.weight", "output", kNone, kNone, "weight", "");
    row("model.norm.weight", "output_norm", kNone, kNone, "weight", "");
    // names outside the convention
    row("model.layers.x.self_attn.q_proj.weight", "model.layers.x.self_attn.q_proj", kNone, kNone, "weight", "", false);
    row("classifier.2.weight", "classifier.2", kNone, kNone, "weight", "", false);
    row("blk.0.token_embd.weight", "token_embd", 0, kNone, "weight", "", false);
    row("attn_q.weight", "attn_q", kNone, kNone, "weight", "", false);
    row("blk.0.new_part.weight", "new_part", 0, kNone, "weight", "", false);
    row("blk.x.attn_q.weight", "blk.x.attn_q", kNone, kNone, "weight", "", false);
    row("blk.07.attn_q.weight", "blk.07.attn_q", kNone, kNone, "weight", "", false);
    row("blk.4294967296.attn_q.weight", "blk.4294967296.attn_q", kNone, kNone, "weight", "", false);
    row("blk.0.attn_q.5.weight", "attn_q.5", 0, kNone, "weight", "", false);
    row("encoder.embedder.w", "encoder.embedder.w", kNone, kNone, "", "", false);
}

void TestTensorRole::parsesNames() {
    QFETCH(const QString, role);
    QFETCH(const int, block);
    QFETCH(const int, expert);
    QFETCH(const QString, suffix);
    QFETCH(const QString, prefix);
    QFETCH(const bool, known);
    const std::string name = QTest::currentDataTag();
    const TensorName parsed = parseTensorName(name);
    QCOMPARE(std::string(parsed.role), role.toStdString());
    QCOMPARE(parsed.block ? static_cast<int>(*parsed.block) : kNone, block);
    QCOMPARE(parsed.expert ? static_cast<int>(*parsed.expert) : kNone, expert);
    QCOMPARE(std::string(parsed.suffix), suffix.toStdString());
    QCOMPARE(std::string(parsed.prefix), prefix.toStdString());
    QCOMPARE(parsed.fact != nullptr, known);
}

void TestTensorRole::everyRoleFindsItself() {
    std::set<std::pair<std::string_view, bool>> seen;
    for (const RoleFact& role : roleFacts()) {
        QVERIFY2(seen.emplace(role.name, role.perBlock).second, std::string(role.name).c_str());
        const std::string name = (role.perBlock ? "blk.5." : "") + std::string(role.name) + ".weight";
        const TensorName parsed = parseTensorName(name);
        QVERIFY2(parsed.fact == &role, name.c_str());
        QCOMPARE(parsed.block.has_value(), role.perBlock);
    }
}

void TestTensorRole::survivesOddNames_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("dot") << QByteArray(".");
    QTest::newRow("dots") << QByteArray("....");
    QTest::newRow("suffix only") << QByteArray("weight");
    QTest::newRow("suffixes only") << QByteArray("weight.bias.scale");
    QTest::newRow("prefix only") << QByteArray("mm.");
    QTest::newRow("prefix and number") << QByteArray("mm.0");
    QTest::newRow("block without role") << QByteArray("blk.0.");
    QTest::newRow("block without dot") << QByteArray("blk.0");
    QTest::newRow("number first") << QByteArray("0.weight");
    QTest::newRow("not utf-8") << QByteArray("\xFF\x00.\xC3.weight", 12);
    QTest::newRow("layers without role") << QByteArray("model.layers.0.");
    QTest::newRow("layers and number") << QByteArray("model.layers.0");
    QTest::newRow("layers of a suffix") << QByteArray("model.layers.0.weight");
    QTest::newRow("wrappers only") << QByteArray("model.model.");
    QTest::newRow("long") << QByteArray(100'000, '.');
    QTest::newRow("long number") << QByteArray("blk.") + QByteArray(100'000, '9') + ".attn_q.weight";
}

void TestTensorRole::survivesOddNames() {
    QFETCH(const QByteArray, name);
    const TensorName parsed = parseTensorName({name.data(), static_cast<std::size_t>(name.size())});
    QVERIFY(parsed.fact == nullptr || name == "mm.0");
}

GUFO_TEST(TestTensorRole)
#include "tst_tensor_role.moc"
