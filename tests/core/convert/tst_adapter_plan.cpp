// PEFT adapters: the converted factors, multiplied and added to a converted base, give what converting the changed
// base gives, so every operation upon a matrix is done on the right factor. What cannot be expressed is refused by
// name.
#include "base/detail.h"
#include "convert/adapter_plan.h"
#include "convert/conversion_source.h"
#include "convert/convert_folder.h"
#include "document/open_model.h"
#include "support/gguf_builder.h"
#include "support/safetensors_builder.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <span>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kRank = 2;

using Values = std::vector<float>;

// Numbers between −1 and 1 that differ from place to place.
Values someValues(std::size_t count, std::uint32_t salt) {
    Values values(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t mixed = (i + 1) * 2'654'435'761U + salt * 40'503U;
        values[i] = static_cast<float>((mixed >> 8U) % 2'001U) / 1'000.0F - 1.0F;
    }
    return values;
}

// A [rank][columns] and B [rows][rank] → [rows][columns]
Values productOf(const Values& a, const Values& b, std::size_t rank, double scale) {
    const std::size_t columns = a.size() / rank;
    Values product(b.size() / rank * columns);
    for (std::size_t i = 0; i < product.size(); ++i) {
        double sum = 0;
        for (std::size_t r = 0; r < rank; ++r) {
            sum += double{b[i / columns * rank + r]} * double{a[r * columns + i % columns]};
        }
        product[i] = static_cast<float>(scale * sum);
    }
    return product;
}

Values transposed(const Values& values, std::size_t columns) {
    Values out(values.size());
    const std::size_t rows = values.size() / columns;
    for (std::size_t i = 0; i < values.size(); ++i) {
        out[i % columns * rows + i / columns] = values[i];
    }
    return out;
}

double largestDifference(const Values& a, const Values& b) {
    double largest = a.size() == b.size() && !a.empty() ? 0 : 1e9;
    for (std::size_t i = 0; largest < 1e9 && i < a.size(); ++i) {
        largest = std::max(largest, std::abs(double{a[i]} - double{b[i]}));
    }
    return largest;
}

const char* const kLlama = R"("architectures":["LlamaForCausalLM"],"hidden_size":8,"num_attention_heads":2,)"
                           R"("num_key_value_heads":1,"num_hidden_layers":1,"intermediate_size":12,"vocab_size":5)";
const char* const kMixtral =
    R"("architectures":["MixtralForCausalLM"],"hidden_size":8,"num_attention_heads":2,"num_local_experts":2,)"
    R"("num_experts_per_tok":1,"num_hidden_layers":1,"intermediate_size":12,"vocab_size":5)";
const char* const kGpt2 =
    R"("architectures":["GPT2LMHeadModel"],"n_embd":8,"n_head":2,"n_layer":1,"n_ctx":16,"vocab_size":5)";
const char* const kNeox = R"("architectures":["GPTNeoXForCausalLM"],"hidden_size":8,"num_attention_heads":2,)"
                          R"("num_hidden_layers":1,"intermediate_size":12,"vocab_size":5)";
const char* const kPlain = R"("peft_type":"LORA","task_type":"CAUSAL_LM","r":2,"lora_alpha":6,)"
                           R"("base_model_name_or_path":"maker/Base-1B")";

} // namespace

class TestAdapterPlan final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void commutesWithConverting_data();
    void commutesWithConverting();
    void writesKeys();
    void readsStrengths_data();
    void readsStrengths();
    void scalesModules_data();
    void scalesModules();
    void readsItsBaseFromGguf();
    void keepsTypes();
    void takesWholeModules_data();
    void takesWholeModules();
    void refusesFeatures_data();
    void refusesFeatures();
    void refusesTensors_data();
    void refusesTensors();

private:
    fs::path in(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    void writeConfig(const char* folder, const char* file, const std::string& members) const {
        fs::create_directories(in(folder));
        std::ofstream(in(folder) / file) << '{' << members << '}';
    }
    Result<SourceFolder> adapter(const std::string& members, const SafetensorsBuilder& weights) const {
        writeConfig("adapter", "adapter_config.json", members);
        weights.write(in("adapter") / "adapter_model.safetensors");
        return SourceFolder::open(in("adapter"));
    }
    Result<ConversionPlan> planOf(const Result<SourceFolder>& source, const char* base = kLlama) const {
        writeConfig("base", "config.json", base);
        const auto config = openAdapterBase(in("base"));
        return source && config ? planAdapter(*source, *config)
                                : std::unexpected(source ? config.error() : source.error());
    }
    std::shared_ptr<const Model> written(const SourceFolder& source, const ConversionPlan& plan,
                                         const char* name) const {
        if (!writeConverted(source, plan, {}, in(name))) {
            return nullptr;
        }
        const auto model = openModel(in(name));
        return model ? *model : nullptr;
    }
    static SafetensorsBuilder onePair() {
        SafetensorsBuilder weights;
        weights.tensor("base_model.model.model.layers.0.self_attn.v_proj.lora_A.weight", "F32", {2, 8});
        weights.tensor("base_model.model.model.layers.0.self_attn.v_proj.lora_B.weight", "F32", {4, 2});
        return weights;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestAdapterPlan::commutesWithConverting_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("module");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<bool>("isTable");
    QTest::addColumn<bool>("isTransposed");
    QTest::newRow("permuted queries") << kLlama << "model.layers.0.self_attn.q_proj" << 8 << 8 << false << false;
    QTest::newRow("permuted keys") << kLlama << "model.layers.0.self_attn.k_proj" << 4 << 8 << false << false;
    QTest::newRow("plain") << kLlama << "model.layers.0.mlp.down_proj" << 8 << 12 << false << false;
    QTest::newRow("table") << kLlama << "model.embed_tokens" << 5 << 8 << true << false;
    QTest::newRow("output") << kLlama << "lm_head" << 5 << 8 << false << false;
    QTest::newRow("experts") << kMixtral << "model.layers.0.block_sparse_moe.experts.0.w1" << 12 << 8 << false << false;
    QTest::newRow("one of two experts") << kMixtral << "model.layers.0.block_sparse_moe.experts.1.w1" << 12 << 8
                                        << false << false;
    QTest::newRow("regrouped heads") << kNeox << "gpt_neox.layers.0.attention.query_key_value" << 24 << 8 << false
                                     << false;
    QTest::newRow("other side") << kGpt2 << "transformer.h.0.attn.c_attn" << 8 << 24 << false << true;
}

void TestAdapterPlan::commutesWithConverting() {
    QFETCH(QString, config);
    QFETCH(QString, module);
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(bool, isTable);
    QFETCH(bool, isTransposed);
    constexpr double kScale = 3; // alpha 6, rank 2
    SafetensorsBuilder factors;
    SafetensorsBuilder change; // what the adapter adds to a base model, as a folder of its own
    QStringList modules = {module};
    if (module.contains("experts.0")) {
        modules << QString(module).replace("experts.0", "experts.1");
    }
    if (module.contains("experts.1")) { // the other one does not change
        change.tensor(QString(module).replace("experts.1", "experts.0").toStdString() + ".weight", "F32",
                      {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
    }
    std::uint32_t salt = 1;
    for (const QString& each : modules) {
        const std::string name = each.toStdString();
        const std::string prefix = "base_model.model." + name;
        // PEFT's factors are of the layer's outputs and inputs, however the layer stores its weights.
        const std::size_t outputs = static_cast<std::size_t>(isTable || isTransposed ? columns : rows);
        const std::size_t inputs = static_cast<std::size_t>(isTable || isTransposed ? rows : columns);
        const Values a = someValues(kRank * inputs, salt++);
        const Values b = someValues(outputs * kRank, salt++);
        const std::string kind = isTable ? ".lora_embedding_" : ".lora_";
        const std::string suffix = isTable ? "" : ".weight";
        factors.tensor(prefix + kind + "A" + suffix, "F32", {kRank, inputs}, bytesOf(a));
        factors.tensor(prefix + kind + "B" + suffix, "F32", {outputs, kRank}, bytesOf(b));
        Values product = productOf(a, b, kRank, kScale);
        product = isTable || isTransposed ? transposed(product, inputs) : product;
        change.tensor(name + ".weight", "F32", {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)},
                      bytesOf(product));
    }
    const auto source = adapter(kPlain, factors);
    QVERIFY(source);
    const auto plan = planOf(source, qPrintable(config));
    QVERIFY2(plan, plan ? "" : qPrintable(QString::fromStdString(plan.error().args.at(0).text())));
    QCOMPARE(plan->rows.size(), std::size_t{2});
    const auto converted = written(*source, *plan, "adapter.gguf");
    QVERIFY(converted);

    writeConfig("change", "config.json", config.toStdString());
    change.write(in("change") / "model.safetensors");
    const auto changed = SourceFolder::open(in("change"));
    QVERIFY(changed);
    const ConvertRequest asFloats{.recipe = {.recipe = findRecipe("F32")}};
    const auto changePlan = planConversion(*changed, asFloats);
    QVERIFY(changePlan);
    const auto expected = written(*changed, *changePlan, "change.gguf");
    QVERIFY(expected);

    const std::string target = std::string(expected->tensors[0].name);
    const Shape& shape = expected->tensors[0].shape;
    const Values a = valuesOf(*converted, target + ".lora_a");
    const Values b = valuesOf(*converted, target + ".lora_b");
    QCOMPARE(a.size(), kRank * (isTable ? shape[1] : shape[0]) * shape[2]);
    Values product;
    for (std::size_t expert = 0; expert < shape[2]; ++expert) {
        const auto part = [&](const Values& all) {
            const auto each = static_cast<std::ptrdiff_t>(all.size() / shape[2]);
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(expert) * each;
            return Values(begin, begin + each);
        };
        // For the table, A holds a row for each token.
        const Values one =
            isTable ? productOf(transposed(b, kRank), a, kRank, kScale) : productOf(part(a), part(b), kRank, kScale);
        product.insert(product.end(), one.begin(), one.end());
    }
    QVERIFY(largestDifference(product, valuesOf(*expected, target)) < 1e-5);
}

void TestAdapterPlan::writesKeys() {
    const auto source = adapter(std::string(kPlain) + R"(,"alora_invocation_tokens":[3,4])", onePair());
    const auto plan = planOf(source);
    QVERIFY(plan);
    const auto model = written(*source, *plan, "out.gguf");
    QVERIFY(model);
    const Metadata& keys = model->metadata;
    QCOMPARE(keys.architecture(), std::string_view("llama"));
    QCOMPARE(keys.string("general.type").value_or(""), std::string_view("adapter"));
    QCOMPARE(keys.string("adapter.type").value_or(""), std::string_view("lora"));
    QCOMPARE(keys.number("adapter.lora.alpha"), std::optional(6.0));
    QCOMPARE(keys.string("adapter.lora.task_name").value_or(""), std::string_view("CAUSAL_LM"));
    QCOMPARE(keys.uint("general.base_model.count"), std::optional<std::uint64_t>(1));
    QCOMPARE(keys.string("general.base_model.0.repo_url").value_or(""),
             std::string_view("https://huggingface.co/maker/Base-1B"));
    QVERIFY(keys.array("adapter.alora.invocation_tokens") != nullptr);
    QCOMPARE(keys.array("adapter.alora.invocation_tokens")->length, std::uint64_t{2});
    QVERIFY(keys.find("tokenizer.ggml.model") == nullptr);
    const auto alpha = std::ranges::find(plan->keys, "adapter.lora.alpha", &PlannedKey::key);
    QCOMPARE(alpha->from, std::string("adapter_config.json:lora_alpha"));
}

void TestAdapterPlan::readsStrengths_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<double>("alpha");
    QTest::newRow("PEFT's default") << R"("peft_type":"LORA")" << 8.0;
    QTest::newRow("root of the rank") << R"("peft_type":"LORA","lora_alpha":6,"use_rslora":true)" << 6 * std::sqrt(2.0);
    QTest::newRow("of the module") << R"("peft_type":"LORA","lora_alpha":6,"alpha_pattern":{"v_proj":10})" << 10.0;
    QTest::newRow("of another module") << R"("peft_type":"LORA","lora_alpha":6,"alpha_pattern":{"xv_proj":10})" << 6.0;
    QTest::newRow("by an expression")
        << R"("peft_type":"LORA","lora_alpha":6,"alpha_pattern":{"layers\\.\\d+\\.self_attn.*":5})" << 5.0;
}

void TestAdapterPlan::readsStrengths() {
    QFETCH(QString, members);
    QFETCH(double, alpha);
    const auto source = adapter(members.toStdString(), onePair());
    const auto plan = planOf(source);
    QVERIFY(plan);
    const auto key = std::ranges::find(plan->keys, "adapter.lora.alpha", &PlannedKey::key);
    QCOMPARE(asDouble(key->value.value()).value_or(0), double{static_cast<float>(alpha)});
}

// Modules with strengths of their own: the product of the written factors and the written alpha is what each module
// adds, whatever the one alpha of the file is.
void TestAdapterPlan::scalesModules_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<double>("alpha"); // of the file
    QTest::addColumn<double>("up");    // strength of each module, times the rank
    QTest::addColumn<double>("down");
    QTest::addColumn<double>("table");
    QTest::newRow("one alpha") << R"("lora_alpha":6)" << 6.0 << 6.0 << 6.0 << 6.0;
    QTest::newRow("a module with another")
        << R"("lora_alpha":6,"alpha_pattern":{"up_proj":10})" << 6.0 << 10.0 << 6.0 << 6.0;
    QTest::newRow("most modules with another")
        << R"("lora_alpha":6,"alpha_pattern":{"up_proj":10,"embed_tokens":10})" << 10.0 << 10.0 << 6.0 << 10.0;
    QTest::newRow("a table with another")
        << R"("lora_alpha":6,"alpha_pattern":{"embed_tokens":3})" << 6.0 << 6.0 << 6.0 << 3.0;
    QTest::newRow("a module without effect")
        << R"("lora_alpha":6,"alpha_pattern":{"down_proj":0})" << 6.0 << 6.0 << 0.0 << 6.0;
    QTest::newRow("no effect") << R"("lora_alpha":0)" << 1.0 << 0.0 << 0.0 << 0.0;
    QTest::newRow("a negative one") << R"("lora_alpha":6,"alpha_pattern":{"up_proj":-6})" << 6.0 << -6.0 << 6.0 << 6.0;
}

void TestAdapterPlan::scalesModules() {
    QFETCH(QString, members);
    QFETCH(double, alpha);
    QFETCH(double, up);
    QFETCH(double, down);
    QFETCH(double, table);
    const std::string layer = "base_model.model.model.layers.0.mlp.";
    const Values upA = someValues(kRank * 8, 1);
    const Values upB = someValues(12 * kRank, 2);
    const Values downA = someValues(kRank * 12, 3);
    const Values downB = someValues(8 * kRank, 4);
    const Values tableA = someValues(kRank * 5, 5);
    const Values tableB = someValues(8 * kRank, 6);
    SafetensorsBuilder weights;
    weights.tensor(layer + "up_proj.lora_A.weight", "F32", {kRank, 8}, bytesOf(upA));
    weights.tensor(layer + "up_proj.lora_B.weight", "F32", {12, kRank}, bytesOf(upB));
    weights.tensor(layer + "down_proj.lora_A.weight", "F32", {kRank, 12}, bytesOf(downA));
    weights.tensor(layer + "down_proj.lora_B.weight", "F32", {8, kRank}, bytesOf(downB));
    weights.tensor("base_model.model.model.embed_tokens.lora_embedding_A", "F32", {kRank, 5}, bytesOf(tableA));
    weights.tensor("base_model.model.model.embed_tokens.lora_embedding_B", "F32", {8, kRank}, bytesOf(tableB));
    const auto source = adapter(R"("peft_type":"LORA",)" + members.toStdString(), weights);
    const auto plan = planOf(source);
    QVERIFY(plan);
    const auto model = written(*source, *plan, "out.gguf");
    QVERIFY(model);
    QCOMPARE(model->metadata.number("adapter.lora.alpha"), std::optional(alpha));
    const auto same = [&](const std::string& target, const Values& a, const Values& b, double strength) {
        const Values found =
            productOf(valuesOf(*model, target + ".lora_a"), valuesOf(*model, target + ".lora_b"), kRank, alpha / kRank);
        return largestDifference(found, productOf(a, b, kRank, strength / kRank)) < 1e-5;
    };
    QVERIFY(same("blk.0.ffn_up.weight", upA, upB, up));
    QVERIFY(same("blk.0.ffn_down.weight", downA, downB, down));
    const Values found = productOf(transposed(valuesOf(*model, "token_embd.weight.lora_b"), kRank),
                                   valuesOf(*model, "token_embd.weight.lora_a"), kRank, alpha / kRank);
    const Values expected = transposed(productOf(tableA, tableB, kRank, table / kRank), 5);
    QVERIFY(largestDifference(found, expected) < 1e-5);
}

void TestAdapterPlan::readsItsBaseFromGguf() {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("llama.block_count", std::uint32_t{1});
    file.key("llama.attention.head_count", std::uint32_t{2}).key("llama.attention.head_count_kv", std::uint32_t{1});
    file.key("llama.embedding_length", std::uint32_t{8});
    file.tensor("blk.0.attn_k.weight", 0, {8, 4}).tensor("blk.0.attn_v.weight", 0, {8, 6});
    file.write(in("base.gguf"));
    const auto base = openAdapterBase(in("base.gguf"));
    QVERIFY(base);

    SafetensorsBuilder keys;
    keys.tensor("base_model.model.model.layers.0.self_attn.k_proj.lora_A.default.weight", "F32", {2, 8});
    keys.tensor("base_model.model.model.layers.0.self_attn.k_proj.lora_B.default.weight", "F32", {4, 2});
    const auto source = adapter(kPlain, keys);
    const auto plan = planAdapter(*source, *base);
    QVERIFY(plan);
    const Operation permute{OperationKind::PermuteRope, {1, 1}};
    QCOMPARE(plan->rows[1].operations.front() == permute, true);

    const auto tooFewRows = planAdapter(*adapter(kPlain, onePair()), *base);
    QVERIFY(!tooFewRows);
    QCOMPARE(tooFewRows.error().code, ErrorCode::WrongShape);
    QCOMPARE(tooFewRows.error().place.name, "blk.0.attn_v.weight");

    SafetensorsBuilder elsewhere;
    elsewhere.tensor("base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight", "F32", {2, 8});
    elsewhere.tensor("base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight", "F32", {8, 2});
    const auto absent = planAdapter(*adapter(kPlain, elsewhere), *base);
    QVERIFY(!absent);
    QCOMPARE(absent.error().code, ErrorCode::NoSuchTensor);
    QCOMPARE(absent.error().args.at(0).text(), std::string("blk.0.attn_q.weight"));
}

void TestAdapterPlan::keepsTypes() {
    SafetensorsBuilder weights;
    weights.tensor("base_model.model.model.layers.0.self_attn.v_proj.lora_A.weight", "BF16", {2, 8});
    weights.tensor("base_model.model.model.layers.0.self_attn.v_proj.lora_B.weight", "F16", {4, 2});
    const auto source = adapter(kPlain, weights);
    const auto plan = planOf(source);
    QVERIFY(plan);
    QCOMPARE(plan->rows[0].typeId, static_cast<std::uint32_t>(TensorType::BF16));
    QCOMPARE(plan->rows[1].typeId, static_cast<std::uint32_t>(TensorType::F16));
    const auto base = openAdapterBase(in("base"));
    const auto asked = planAdapter(*source, *base, {.type = TensorType::F32});
    QVERIFY(asked);
    QCOMPARE(asked->rows[0].typeId, static_cast<std::uint32_t>(TensorType::F32));
}

// A module that was trained whole is converted as the base model's would be, whatever name PEFT has given it.
void TestAdapterPlan::takesWholeModules_data() {
    QTest::addColumn<QString>("name"); // in the adapter, after the prefix
    QTest::addColumn<QString>("module");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns"); // 0: a vector
    QTest::newRow("as newer versions name it") << "lm_head.weight" << "lm_head.weight" << 5 << 8;
    QTest::newRow("as older versions name it") << "lm_head.modules_to_save.weight" << "lm_head.weight" << 5 << 8;
    QTest::newRow("with the adapter's name")
        << "model.embed_tokens.modules_to_save.default.weight" << "model.embed_tokens.weight" << 5 << 8;
    QTest::newRow("the layer below factors")
        << "model.embed_tokens.base_layer.weight" << "model.embed_tokens.weight" << 5 << 8;
    QTest::newRow("permuted") << "model.layers.0.self_attn.q_proj.weight" << "model.layers.0.self_attn.q_proj.weight"
                              << 8 << 8;
    QTest::newRow("a norm") << "model.layers.0.input_layernorm.weight" << "model.layers.0.input_layernorm.weight" << 8
                            << 0;
}

void TestAdapterPlan::takesWholeModules() {
    QFETCH(QString, name);
    QFETCH(QString, module);
    QFETCH(int, rows);
    QFETCH(int, columns);
    std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(rows)};
    if (columns != 0) {
        shape.push_back(static_cast<std::uint64_t>(columns));
    }
    const Values values = someValues(static_cast<std::size_t>(rows * std::max(columns, 1)), 40);
    SafetensorsBuilder weights = onePair();
    weights.tensor("base_model.model." + name.toStdString(), "F32", shape, bytesOf(values));
    const auto source = adapter(std::string(kPlain) + R"(,"modules_to_save":["lm_head"])", weights);
    QVERIFY(source);
    const auto plan = planOf(source);
    QVERIFY2(plan, plan ? "" : plan.error().args.at(0).text().c_str());
    QCOMPARE(plan->rows.size(), std::size_t{3});
    const auto converted = written(*source, *plan, "adapter.gguf");
    QVERIFY(converted);

    SafetensorsBuilder folder;
    folder.tensor(module.toStdString(), "F32", shape, bytesOf(values));
    writeConfig("change", "config.json", kLlama);
    folder.write(in("change") / "model.safetensors");
    const auto whole = SourceFolder::open(in("change"));
    QVERIFY(whole);
    const auto wholePlan = planConversion(*whole, {.recipe = {.recipe = findRecipe("F32")}});
    QVERIFY(wholePlan);
    const auto expected = written(*whole, *wholePlan, "change.gguf");
    QVERIFY(expected);
    const std::string target(expected->tensors[0].name);
    QVERIFY(converted->findTensor(target));
    QCOMPARE(valuesOf(*converted, target), valuesOf(*expected, target));
}

void TestAdapterPlan::refusesFeatures_data() {
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("named");
    QTest::newRow("another method") << R"("peft_type":"LOHA")" << "adapter_feature peft_type LOHA";
    QTest::newRow("DoRA") << R"("use_dora":true)" << "adapter_feature use_dora true";
    QTest::newRow("biases") << R"("bias":"all")" << "adapter_feature bias all";
    QTest::newRow("biases of factors") << R"("lora_bias":true)" << "adapter_feature lora_bias true";
    QTest::newRow("another base") << R"("init_lora_weights":"pissa_niter_4")"
                                  << "adapter_feature init_lora_weights pissa_niter_4";
    QTest::newRow("a strength that is no number") << R"("lora_alpha":NaN)" << "adapter_feature lora_alpha NaN";
    QTest::newRow("copied layers") << R"("layer_replication":[[0,2]])" << "adapter_feature layer_replication [[0,2]]";
}

void TestAdapterPlan::refusesFeatures() {
    QFETCH(QString, member);
    QFETCH(QString, named);
    const auto plan = planOf(adapter(member.toStdString(), onePair()));
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotSupported);
    QCOMPARE(plan.error().args.at(0).text(), named.toStdString());
    QCOMPARE(plan.error().file, in("adapter") / "adapter_config.json");
}

void TestAdapterPlan::refusesTensors_data() {
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QList<int>>("sizes"); // rows and columns of each
    QTest::addColumn<QString>("named");
    const QString layer = "base_model.model.model.layers.0.";
    QTest::newRow("magnitudes") << QStringList{layer + "self_attn.v_proj.lora_magnitude_vector"} << QList<int>{4, 1}
                                << "adapter_replaces 1 " + layer + "self_attn.v_proj.lora_magnitude_vector";
    QTest::newRow("half a pair") << QStringList{layer + "self_attn.v_proj.lora_A.weight"} << QList<int>{2, 8}
                                 << "part_missing lora_B";
    QTest::newRow("no place") << QStringList{layer + "extra.lora_A.weight", layer + "extra.lora_B.weight"}
                              << QList<int>{2, 8, 4, 2} << "tensors_unmapped 1 model.layers.0.extra";
    QTest::newRow("a layer too many") << QStringList{"base_model.model.model.layers.1.mlp.up_proj.lora_A.weight",
                                                     "base_model.model.model.layers.1.mlp.up_proj.lora_B.weight"}
                                      << QList<int>{2, 8, 12, 2} << "tensors_unmapped 1 model.layers.1.mlp.up_proj";
    QTest::newRow("other ranks") << QStringList{layer + "mlp.up_proj.lora_A.weight",
                                                layer + "mlp.up_proj.lora_B.weight"}
                                 << QList<int>{2, 8, 12, 3} << "[3, 12]";
    QTest::newRow("heads that do not fit")
        << QStringList{layer + "self_attn.q_proj.lora_A.weight", layer + "self_attn.q_proj.lora_B.weight"}
        << QList<int>{2, 8, 6, 2} << "operation_unfit permute_rope [8, 6]";
}

void TestAdapterPlan::refusesTensors() {
    QFETCH(QStringList, names);
    QFETCH(QList<int>, sizes);
    QFETCH(QString, named);
    SafetensorsBuilder weights;
    for (qsizetype i = 0; i < names.size(); ++i) {
        weights.tensor(names[i].toStdString(), "F32",
                       {static_cast<std::uint64_t>(sizes[2 * i]), static_cast<std::uint64_t>(sizes[2 * i + 1])});
    }
    const auto plan = planOf(adapter(kPlain, weights));
    QVERIFY(!plan);
    QCOMPARE(plan.error().args.at(0).text(), named.toStdString());
}

GUFO_TEST(TestAdapterPlan)
#include "tst_adapter_plan.moc"
