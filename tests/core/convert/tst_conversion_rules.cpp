// What fixtures do not show: refusals, and that they name everything; experts of many kinds; and encodings without a
// fixture.
#include "base/detail.h"
#include "small_source.h"
#include "support/test_unit.h"

#include <bit>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

class TestConversionRules final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_small = std::make_unique<SmallSource>(); }
    void namesTheUnknownClass();
    void knowsModelTypes_data();
    void knowsModelTypes();
    void everyTypeHasAnArchitecture();
    void ignoresNumbersThatAreNotFinite();
    void computesRopeFactors_data();
    void computesRopeFactors();
    void namesAllTensorsWithoutAPlace();
    void refusesIncompleteExperts();
    void refusesHeadsThatDoNotFit();
    void refusesUnknownCodes();
    void splitsFusedExperts();
    void stacksMixtralsExperts();
    void leavesOutLayersThatDraft();
    void keepsLayersThatDraft();
    void refusesBiasesThatAreNotZero();
    void splitsSharedExperts();
    void takesTheClassOfTheTextModel();
    void roundsBitnet();
    void permutesOlmo();
    void scalesPhi3_data();
    void scalesPhi3();
    void readsBitsAndBytesTables();
    void readsGroupsWithZeros();

private:
    fs::path in(const char* name) const { return m_small->in(name); }
    Result<SourceFolder> folder(const std::string& members, const SafetensorsBuilder& weights) const {
        return m_small->folder(members, weights);
    }
    std::shared_ptr<const Model> convert(const std::string& members, const SafetensorsBuilder& weights,
                                         const char* type = "F32") const {
        return m_small->convert(members, weights, type);
    }
    std::unique_ptr<SmallSource> m_small;
};

void TestConversionRules::namesTheUnknownClass() {
    SafetensorsBuilder weights;
    weights.tensor("a.weight", "F32", {2});
    const auto source = folder(R"("architectures":["NobodysModel"])", weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotSupported);
    QCOMPARE(detailOf(plan.error()).detail(), std::optional(Detail::ClassNotSupported));
    QCOMPARE(detailOf(plan.error()).args()[0].text(), std::string("NobodysModel"));
    QVERIFY(detailOf(plan.error()).args()[1].text().find("LlamaForCausalLM") != std::string::npos);

    const auto nameless = folder(R"("hidden_size":8)", weights);
    QVERIFY(nameless);
    const auto refused = planConversion(*nameless);
    QVERIFY(!refused);
    QCOMPARE(detailOf(refused.error()).detail(), std::optional(Detail::NoModelClass));
}

// Without `architectures`, the type of the model decides.
void TestConversionRules::knowsModelTypes_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("architecture"); // empty: refused
    const auto row = [](const char* name, const char* members, const char* architecture) {
        QTest::newRow(name) << QString::fromLatin1(members) << QString::fromLatin1(architecture);
    };
    row("no architectures", R"("model_type":"llama")", "llama");
    row("null", R"("architectures":null,"model_type":"qwen3")", "qwen3");
    row("an empty list", R"("architectures":[],"model_type":"gpt_neox")", "gptneox");
    row("a list of null", R"("architectures":[null],"model_type":"mistral")", "llama");
    row("the class decides", R"("architectures":["Qwen2ForCausalLM"],"model_type":"llama")", "qwen2");
    row("a text model in another", R"("model_type":"mistral3","text_config":{"model_type":"gemma3_text"})", "gemma3");
    row("an unknown text model", R"("model_type":"gemma3","text_config":{"model_type":"nobodys"})", "gemma3");
    row("an unknown type", R"("model_type":"nobodys")", "");
    row("a type that is no text", R"("model_type":7)", "");
}

void TestConversionRules::knowsModelTypes() {
    QFETCH(const QString, members);
    QFETCH(const QString, architecture);
    SafetensorsBuilder weights;
    weights.tensor("a.weight", "F32", {2});
    const auto source = folder(members.toStdString(), weights);
    QVERIFY(source);
    const auto found = architectureOf(ModelFacts(*source));
    QCOMPARE(found ? QString::fromLatin1((*found)->name.data()) : QString(), architecture);
    if (!found) {
        QCOMPARE(detailOf(found.error()).detail(), std::optional(Detail::NoModelClass));
    }
}

void TestConversionRules::everyTypeHasAnArchitecture() {
    for (const ModelType& row : modelTypes()) {
        for (const bool isSentenceTransformer : {false, true}) {
            const std::string_view modelClass = classOfType(row.type, isSentenceTransformer);
            QVERIFY2(findArchitecture(modelClass) != nullptr, row.type.data());
        }
    }
    QCOMPARE(findArchitecture(classOfType("gemma3_text", false))->name, "gemma3");
    QCOMPARE(findArchitecture(classOfType("gemma3_text", true))->name, "gemma-embedding");
}

// They are as if they were absent: nothing that is not a number reaches a file.
void TestConversionRules::ignoresNumbersThatAreNotFinite() {
    SafetensorsBuilder weights;
    weights.tensor("model.embed_tokens.weight", "F32", {32, 8});
    const auto source = folder(std::string(kSmallLlama) + R"(,"rms_norm_eps":NaN,"partial_rotary_factor":Infinity,)"
                                                          R"("max_position_embeddings":-Infinity)",
                               weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(plan);
    const auto value = [&](std::string_view key) {
        const auto row = std::ranges::find(plan->keys, key, &PlannedKey::key);
        return row != plan->keys.end() ? asDouble(row->value.value()) : std::nullopt;
    };
    QVERIFY(!value("llama.attention.layer_norm_rms_epsilon"));
    QVERIFY(!value("llama.context_length"));
    QCOMPARE(value("llama.rope.dimension_count"), std::optional(4.0));
}

// Bit for bit what PyTorch 1.13 computes on a CPU, whose steps round to f32: the factors that are neither 1 nor the
// stated one, from the first.
void TestConversionRules::computesRopeFactors_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<int>("pairs");
    QTest::addColumn<int>("first");
    QTest::addColumn<QList<quint32>>("factors");
    QTest::newRow("head of 80") << R"("rope_theta":10000.0,"head_dim":80,"rope_scaling":{"rope_type":"llama3",)"
                                   R"("factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,)"
                                   R"("original_max_position_embeddings":8192})"
                                << 40 << 26 << QList<quint32>{0x3fa25352, 0x3fd82fe1, 0x4012c7a0,
                                                              0x404d1508, 0x4095ceb4, 0x40ec580c};
    QTest::newRow("head of 96") << R"("rope_theta":500000.0,"head_dim":96,"rope_scaling":{"rope_type":"llama3",)"
                                   R"("factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,)"
                                   R"("original_max_position_embeddings":8192})"
                                << 48 << 22
                                << QList<quint32>{0x3fa7e16a, 0x3fecf279, 0x402c732e, 0x4083f7a6, 0x40dd46a5};
    QTest::newRow("head of 24") << R"("rope_theta":500000.0,"head_dim":24,"rope_scaling":{"rope_type":"llama3",)"
                                   R"("factor":4.0,"low_freq_factor":1.0,"high_freq_factor":8.0,)"
                                   R"("original_max_position_embeddings":64})"
                                << 12 << 1 << QList<quint32>{0x3ffbb95c, 0x40712f46};
}

void TestConversionRules::computesRopeFactors() {
    QFETCH(const QString, members);
    QFETCH(const int, pairs);
    QFETCH(const int, first);
    QFETCH(const QList<quint32>, factors);
    const auto source = folder(R"("architectures":["LlamaForCausalLM"],)" + members.toStdString(),
                               SafetensorsBuilder().tensor("a.weight", "F32", {2}));
    QVERIFY(source);
    const std::vector<ComputedTensor> tensors = computedTensors(ModelFacts(*source));
    QCOMPARE(tensors.size(), 1U);
    QCOMPARE(std::ssize(tensors[0].values), pairs);
    for (qsizetype i = 0; i < factors.size(); ++i) {
        QCOMPARE(std::bit_cast<quint32>(tensors[0].values[static_cast<std::size_t>(first + i)]), factors[i]);
    }
    QCOMPARE(tensors[0].values[static_cast<std::size_t>(first - 1)], 1.0F);
}

void TestConversionRules::namesAllTensorsWithoutAPlace() {
    SafetensorsBuilder weights;
    weights.tensor("model.embed_tokens.weight", "F32", {32, 8}).tensor("model.layers.0.extra.weight", "F32", {8});
    weights.tensor("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {2}).tensor("other.bias", "F32", {8});
    const auto source = folder(kSmallLlama, weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(!plan);
    QCOMPARE(detailOf(plan.error()).detail(), std::optional(Detail::TensorsUnmapped));
    QCOMPARE(detailOf(plan.error()).args()[0].text(), std::string("2"));
    QCOMPARE(detailOf(plan.error()).args()[1].text(), std::string("model.layers.0.extra.weight, other.bias"));
}

void TestConversionRules::refusesIncompleteExperts() {
    SafetensorsBuilder weights;
    for (const char* expert : {"0", "2"}) {
        weights.tensor("model.layers.0.block_sparse_moe.experts." + std::string(expert) + ".w1.weight", "F32", {16, 8});
    }
    const auto source = folder(std::string(kSmallLlama) + R"(,"num_local_experts":3)", weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(!plan);
    QCOMPARE(detailOf(plan.error()).detail(), std::optional(Detail::ExpertsIncomplete));
    QCOMPARE(detailOf(plan.error()).args()[0].text(), std::string("2"));
    QCOMPARE(detailOf(plan.error()).args()[1].text(), std::string("3"));
}

void TestConversionRules::refusesHeadsThatDoNotFit() {
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.self_attn.q_proj.weight", "F32", {7, 8});
    const auto source = folder(kSmallLlama, weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(!plan);
    QCOMPARE(detailOf(plan.error()).detail(), std::optional(Detail::OperationUnfit));
    QCOMPARE(plan.error().place.name, std::string("model.layers.0.self_attn.q_proj.weight"));
}

// Integers without the scales of an encoding that is known are not weights.
void TestConversionRules::refusesUnknownCodes() {
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.self_attn.v_proj.weight", "U8", {8, 8});
    const auto source = folder(kSmallLlama, weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(!plan);
    QCOMPARE(plan.error().place.name, std::string("model.layers.0.self_attn.v_proj.weight"));
    QCOMPARE(detailOf(plan.error()).detail(), std::optional(Detail::QuantisationUnknown));
}

// [experts, gate and up, columns]: the first half of each expert's rows is the gate.
void TestConversionRules::splitsFusedExperts() {
    const std::string config = R"("architectures":["Qwen3MoeForCausalLM"],"hidden_size":2,"num_attention_heads":1,)"
                               R"("num_hidden_layers":1,"num_experts":2)";
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.mlp.experts.gate_up_proj", "F32", {2, 4, 2}, countingFloats(16));
    const auto model = convert(config, weights);
    QVERIFY(model);
    QCOMPARE(valuesOf(*model, "blk.0.ffn_gate_exps.weight"), (std::vector<float>{0, 1, 2, 3, 8, 9, 10, 11}));
    QCOMPARE(valuesOf(*model, "blk.0.ffn_up_exps.weight"), (std::vector<float>{4, 5, 6, 7, 12, 13, 14, 15}));
}

// w1 is the gate, w3 up and w2 down; experts follow each other by number, whatever the order of names.
void TestConversionRules::stacksMixtralsExperts() {
    const std::string config = R"("architectures":["MixtralForCausalLM"],"hidden_size":1,"num_attention_heads":1,)"
                               R"("num_hidden_layers":1,"num_local_experts":12)";
    SafetensorsBuilder weights;
    std::vector<float> expected;
    for (int expert = 0; expert < 12; ++expert) {
        const std::string name = "model.layers.0.block_sparse_moe.experts." + std::to_string(expert);
        weights.tensor(name + ".w1.weight", "F32", {1, 1}, asBytes(std::vector<float>{static_cast<float>(expert)}));
        weights.tensor(name + ".w2.weight", "F32", {1, 1}, asBytes(std::vector<float>{100}));
        weights.tensor(name + ".w3.weight", "F32", {1, 1}, asBytes(std::vector<float>{200}));
        expected.push_back(static_cast<float>(expert));
    }
    weights.tensor("model.layers.0.block_sparse_moe.gate.weight", "F32", {12, 1});
    const auto model = convert(config, weights);
    QVERIFY(model);
    QCOMPARE(valuesOf(*model, "blk.0.ffn_gate_exps.weight"), expected);
    QCOMPARE(valuesOf(*model, "blk.0.ffn_down_exps.weight"), std::vector<float>(12, 100));
    QCOMPARE(valuesOf(*model, "blk.0.ffn_up_exps.weight"), std::vector<float>(12, 200));
    QVERIFY(model->findTensor("blk.0.ffn_gate_inp.weight"));
    QCOMPARE(model->metadata.uint("llama.expert_count"), std::optional<std::uint64_t>(12));
}

void TestConversionRules::leavesOutLayersThatDraft() {
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.input_layernorm.weight", "F32", {8});
    weights.tensor("model.layers.1.input_layernorm.weight", "F32", {8});
    const auto source = folder(kSmallLlama + std::string(R"(,"num_nextn_predict_layers":1)"), weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(plan);
    QCOMPARE(plan->rows.size(), std::size_t{1});
    QCOMPARE(plan->unused.size(), std::size_t{1});
    QCOMPARE(plan->unused[0].name, std::string("model.layers.1.input_layernorm.weight"));
    QCOMPARE(plan->unused[0].reason, std::string_view("draft_layers"));

    // The configuration of a smaller model.
    const auto refused = planConversion(*folder(kSmallLlama, weights));
    QVERIFY(!refused);
    QCOMPARE(detailOf(refused.error()).text(), std::string("tensors_unmapped 1 model.layers.1.input_layernorm.weight"));
}

// Qwen3.5's layers that draft become blocks behind the others.
void TestConversionRules::keepsLayersThatDraft() {
    const std::string config = R"("architectures":["Qwen3_5ForCausalLM"],"hidden_size":2,"num_attention_heads":1,)"
                               R"("num_hidden_layers":3,"mtp_num_hidden_layers":1,"layer_types":["linear_attention",)"
                               R"("linear_attention","full_attention"],"linear_num_key_heads":1,)"
                               R"("linear_num_value_heads":1,"linear_key_head_dim":2,"linear_value_head_dim":2)";
    SafetensorsBuilder weights;
    weights.tensor("mtp.fc.weight", "F32", {2, 4}, countingFloats(8));
    weights.tensor("mtp.norm.weight", "F32", {2}, countingFloats(2));
    weights.tensor("mtp.pre_fc_norm_embedding.weight", "F32", {2}, countingFloats(2, 2));
    weights.tensor("mtp.pre_fc_norm_hidden.weight", "F32", {2}, countingFloats(2, 4));
    weights.tensor("mtp.layers.0.input_layernorm.weight", "F32", {2}, countingFloats(2, 6));
    weights.tensor("mtp.layers.0.self_attn.q_proj.weight", "F32", {2, 2}, countingFloats(4));
    weights.tensor("mtp.layers.1.input_layernorm.weight", "F32", {2}); // more than the configuration says
    weights.tensor("model.layers.2.input_layernorm.weight", "F32", {2});
    const auto model = convert(config, weights);
    QVERIFY(model);
    QCOMPARE(model->tensors.size(), std::size_t{7});
    QCOMPARE(valuesOf(*model, "blk.3.nextn.eh_proj.weight"), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
    QCOMPARE(valuesOf(*model, "blk.3.nextn.shared_head_norm.weight"), (std::vector<float>{1, 2}));
    QCOMPARE(valuesOf(*model, "blk.3.nextn.enorm.weight"), (std::vector<float>{3, 4}));
    QCOMPARE(valuesOf(*model, "blk.3.nextn.hnorm.weight"), (std::vector<float>{5, 6}));
    QCOMPARE(valuesOf(*model, "blk.3.attn_norm.weight"), (std::vector<float>{7, 8}));
    QCOMPARE(valuesOf(*model, "blk.3.attn_q.weight"), (std::vector<float>{0, 1, 2, 3}));
    QCOMPARE(model->metadata.uint("qwen35.block_count"), std::optional<std::uint64_t>(4));
    QCOMPARE(model->metadata.uint("qwen35.nextn_predict_layers"), std::optional<std::uint64_t>(1));
    const ArrayView* layers = asArray(*model->metadata.find("qwen35.attention.recurrent_layers"));
    QVERIFY(layers != nullptr);
    QCOMPARE(layers->length, std::uint64_t{4});
}

void TestConversionRules::refusesBiasesThatAreNotZero() {
    const std::string config = R"("architectures":["Cohere2ForCausalLM"],"hidden_size":8,"num_attention_heads":2,)"
                               R"("num_hidden_layers":1)";
    const std::string bias = "model.layers.0.self_attn.q_proj.bias";
    SafetensorsBuilder zero;
    zero.tensor(bias, "F32", {3});
    const auto source = folder(config, zero);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(plan);
    QCOMPARE(plan->unused.size(), std::size_t{1});
    QCOMPARE(plan->unused[0].reason, std::string_view("zero"));
    SafetensorsBuilder other;
    other.tensor(bias, "F32", {3}, countingFloats(3));
    const Error refused = m_small->refusal(config, other);
    QCOMPARE(refused.code, ErrorCode::NotSupported);
    QCOMPARE(refused.place.name, bias);
    QCOMPARE(detailOf(refused).detail(), std::optional(Detail::BiasNotZero));
}

void TestConversionRules::splitsSharedExperts() {
    const std::string config = R"("architectures":["GraniteMoeSharedForCausalLM"],"hidden_size":2,)"
                               R"("num_attention_heads":1,"num_hidden_layers":1,"shared_intermediate_size":2)";
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.shared_mlp.input_linear.weight", "F32", {4, 2}, countingFloats(8));
    weights.tensor("model.layers.0.shared_mlp.output_linear.weight", "F32", {2, 2}, countingFloats(4, 8));
    const auto model = convert(config, weights);
    QVERIFY(model);
    QCOMPARE(valuesOf(*model, "blk.0.ffn_gate_shexp.weight"), (std::vector<float>{0, 1, 2, 3}));
    QCOMPARE(valuesOf(*model, "blk.0.ffn_up_shexp.weight"), (std::vector<float>{4, 5, 6, 7}));
    QCOMPARE(valuesOf(*model, "blk.0.ffn_down_shexp.weight"), (std::vector<float>{8, 9, 10, 11}));
    QCOMPARE(model->metadata.uint("granitemoe.expert_shared_feed_forward_length"), std::optional<std::uint64_t>(2));
}

// The configuration of the text model has had many names. Where it names no class, or one that is not known, the class
// of the whole model decides.
void TestConversionRules::takesTheClassOfTheTextModel() {
    SafetensorsBuilder weights;
    weights.tensor("model.norm.weight", "F32", {8});
    const auto architectureWith = [&](const std::string& members) {
        const auto model = convert(members, weights);
        return model ? std::string(model->metadata.architecture()) + " " +
                           std::to_string(model->metadata.uint("qwen2.embedding_length").value_or(0))
                     : std::string();
    };
    const std::string inner = R"({"architectures":["Qwen2ForCausalLM"],"hidden_size":24})";
    const std::string unknown = R"("architectures":["NobodysModel"],"hidden_size":5,)";
    const std::string known = R"("architectures":["Qwen2ForCausalLM"],"text_config":)";
    for (const char* name : {"text_config", "llm_config", "lm_config", "language_config", "lfm"}) {
        const std::string members = unknown + '"' + name + "\":" + inner;
        QCOMPARE(architectureWith(members), std::string("qwen2 24"));
    }
    const std::string twice = unknown + R"("thinker_config":{"text_config":)" + inner + '}';
    QCOMPARE(architectureWith(twice), std::string("qwen2 24"));
    const std::string nameless = known + R"({"hidden_size":24})";
    QCOMPARE(architectureWith(nameless), std::string("qwen2 24"));
    const std::string strange = known + R"({"architectures":["NobodysModel"]})";
    QCOMPARE(architectureWith(strange), std::string("qwen2 0"));
}

// 4 bits into a table, the upper half of a byte first, with scales that are quantised themselves.
// Each matrix of a layer is rounded to −s, 0 or s; embeddings and norms stay.
void TestConversionRules::roundsBitnet() {
    const std::string config = R"("architectures":["BitnetForCausalLM"],"hidden_size":4,"num_attention_heads":1,)"
                               R"("num_hidden_layers":1,"rms_norm_eps":1e-5)";
    const std::vector<float> stored{0.5F, -1.5F, 0.25F, 1, -0.125F, 3, -0.5F, 1.125F};
    const std::string layer = "model.layers.0.";
    SafetensorsBuilder weights;
    weights.tensor("model.embed_tokens.weight", "F32", {2, 4}, asBytes(stored));
    weights.tensor("lm_head.weight", "F32", {2, 4});
    weights.tensor(layer + "self_attn.q_proj.weight", "F32", {2, 4}, asBytes(stored));
    weights.tensor(layer + "mlp.down_proj.weight", "F32", {2, 4}, asBytes(stored));
    weights.tensor(layer + "self_attn.inner_attn_ln.weight", "F32", {4}, countingFloats(4, 0.3F));
    weights.tensor(layer + "mlp.ffn_layernorm.weight", "F32", {4}, countingFloats(4, 0.7F));
    const auto model = convert(config, weights);
    QVERIFY(model != nullptr);
    QCOMPARE(model->metadata.architecture(), "bitnet");
    QCOMPARE(model->metadata.string("bitnet.rope.scaling.type"), "linear");
    QCOMPARE(model->metadata.number("bitnet.rope.scaling.factor"), 1.0);
    QVERIFY(!model->findTensor("output.weight"));
    QCOMPARE(valuesOf(*model, "token_embd.weight"), stored);
    QCOMPARE(valuesOf(*model, "blk.0.attn_sub_norm.weight"), (std::vector<float>{0.3F, 1.3F, 2.3F, 3.3F}));
    QCOMPARE(valuesOf(*model, "blk.0.ffn_sub_norm.weight"), (std::vector<float>{0.7F, 1.7F, 2.7F, 3.7F}));
    // The mean of the absolute values is 1, and a half is rounded to the even number.
    const std::vector<float> rounded{0, -1, 0, 1, 0, 1, 0, 1};
    QCOMPARE(valuesOf(*model, "blk.0.attn_q.weight"), rounded);
    QCOMPARE(valuesOf(*model, "blk.0.ffn_down.weight"), rounded);
}

void TestConversionRules::permutesOlmo() {
    const std::string config = R"("architectures":["OlmoForCausalLM"],"hidden_size":4,"num_attention_heads":1,)"
                               R"("num_hidden_layers":1,"clip_qkv":8.0)";
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.self_attn.q_proj.weight", "F32", {4, 1}, countingFloats(4));
    weights.tensor("model.layers.0.self_attn.v_proj.weight", "F32", {4, 1}, countingFloats(4));
    const auto model = convert(config, weights);
    QVERIFY(model != nullptr);
    QCOMPARE(model->metadata.architecture(), "olmo");
    QCOMPARE(model->metadata.number("olmo.attention.clamp_kqv"), 8.0);
    QCOMPARE(static_cast<float>(*model->metadata.number("olmo.attention.layer_norm_epsilon")), 1e-5F);
    QCOMPARE(valuesOf(*model, "blk.0.attn_q.weight"), (std::vector<float>{0, 2, 1, 3}));
    QCOMPARE(valuesOf(*model, "blk.0.attn_v.weight"), (std::vector<float>{0, 1, 2, 3}));
}

// The factor of Phi-3's attention for stretched positions.
void TestConversionRules::scalesPhi3_data() {
    QTest::addColumn<QString>("scaling");
    QTest::addColumn<int>("context");
    QTest::addColumn<double>("factor"); // 0: there is no key
    QTest::newRow("longrope") << R"({"type":"longrope",@})" << 1024 << std::sqrt(1 + std::log(4.0) / std::log(256.0));
    QTest::newRow("su") << R"({"type":"su",@})" << 1024 << std::sqrt(1 + std::log(4.0) / std::log(256.0));
    QTest::newRow("yarn") << R"({"type":"yarn",@})" << 1024 << 0.1 * std::log(4.0) + 1;
    QTest::newRow("yarn of transformers 5") << R"({"rope_type":"yarn",@})" << 512 << 0.1 * std::log(2.0) + 1;
    QTest::newRow("stated") << R"({"type":"longrope","attention_factor":1.25,@})" << 1024 << 1.25;
    QTest::newRow("not stretched") << R"({"type":"longrope",@})" << 256 << 1.0;
    QTest::newRow("none") << "null" << 1024 << 0.0;
}

void TestConversionRules::scalesPhi3() {
    QFETCH(QString, scaling);
    QFETCH(const int, context);
    QFETCH(const double, factor);
    scaling.replace("@", R"("long_factor":[2,3],"short_factor":[1,1])");
    const std::string config = R"("architectures":["Phi3ForCausalLM"],"hidden_size":8,"num_attention_heads":2,)"
                               R"("num_hidden_layers":1,"original_max_position_embeddings":256,)"
                               R"("max_position_embeddings":)" +
                               std::to_string(context) + R"(,"rope_scaling":)" + scaling.toStdString();
    SafetensorsBuilder weights;
    weights.tensor("model.norm.weight", "F32", {8});
    const auto model = convert(config, weights);
    QVERIFY(model != nullptr);
    const auto written = model->metadata.number("phi3.rope.scaling.attn_factor");
    QCOMPARE(written.has_value(), factor != 0);
    QVERIFY(!written || static_cast<float>(*written) == static_cast<float>(factor));
    QCOMPARE(model->metadata.uint("phi3.rope.scaling.original_context_length"), 256U);
    QVERIFY(model->metadata.find("phi3.rope.scaling.type") == nullptr);
}

void TestConversionRules::readsBitsAndBytesTables() {
    const std::string base = "model.layers.0.self_attn.v_proj.weight";
    std::vector<float> levels(16);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = static_cast<float>(i) - 8;
    }
    SafetensorsBuilder weights;
    weights.tensor(base, "U8", {4, 1}, {std::byte{0x01}, std::byte{0x23}, std::byte{0x9F}, std::byte{0x88}});
    weights.tensor(base + ".quant_map", "F32", {16}, asBytes(levels));
    weights.tensor(base + ".absmax", "U8", {2}, {std::byte{0}, std::byte{255}});
    weights.tensor(base + ".nested_absmax", "F32", {1}, asBytes(std::vector<float>{2}));
    weights.tensor(base + ".nested_quant_map", "F32", {256}, countingFloats(256, 1));
    const std::string state = R"({"quant_type":"nf4","blocksize":4,"shape":[2,4],"nested_offset":0.5})";
    weights.tensor(base + ".quant_state.bitsandbytes__nf4", "U8", {state.size()}, asBytes(state));
    const auto model = convert(kSmallLlama, weights);
    QVERIFY(model);
    const float first = 1 * 2 + 0.5F;
    const float second = 256 * 2 + 0.5F;
    const std::vector<float> expected = {-8 * first, -7 * first, -6 * first, -5 * first,
                                         1 * second, 7 * second, 0 * second, 0 * second};
    QCOMPARE(valuesOf(*model, "blk.0.attn_v.weight"), expected);
}

// compressed-tensors with zeros, which are packed along the rows.
void TestConversionRules::readsGroupsWithZeros() {
    const std::string base = "model.layers.0.self_attn.v_proj.weight";
    const auto word = [](std::uint32_t value) {
        std::vector<std::byte> bytes(4);
        store(bytes.data(), value);
        return bytes;
    };
    std::vector<std::byte> codes;
    for (std::uint32_t row = 0; row < 8; ++row) {
        const auto bytes = word(0x76543210);
        codes.insert(codes.end(), bytes.begin(), bytes.end());
    }
    SafetensorsBuilder weights;
    weights.tensor(base + "_packed", "I32", {8, 1}, codes);
    weights.tensor(base + "_scale", "F32", {8, 1}, std::vector(countingFloats(8, 1)));
    weights.tensor(base + "_zero_point", "I32", {1, 1}, word(0x76543210)); // row 3 has the zero 3
    const auto model =
        convert(std::string(kSmallLlama) + R"(,"quantization_config":{"quant_method":"compressed-tensors",)"
                                           R"("config_groups":{"group_0":{"weights":{"num_bits":4}}}})",
                weights);
    QVERIFY(model);
    const auto values = valuesOf(*model, "blk.0.attn_v.weight");
    QCOMPARE(values.size(), std::size_t{64});
    for (std::size_t row = 0; row < 8; ++row) {
        for (std::size_t column = 0; column < 8; ++column) {
            const float expected = (static_cast<float>(column) - static_cast<float>(row)) * static_cast<float>(row + 1);
            QCOMPARE(values[8 * row + column], expected);
        }
    }
}

GUFO_TEST(TestConversionRules)
#include "tst_conversion_rules.moc"
