// What is said about models of other containers in GGUF's keys: for every folder with a reference, what the official
// converter writes about its architecture.
#include "convert/description.h"
#include "convert/plan.h"
#include "expected_keys.h"
#include "model/hyper_parameters.h"
#include "model/tensor_role.h"
#include "small_source.h"
#include "support/convert_fixtures.h"
#include "support/ggml_builder.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <set>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;

class TestDescription : public QObject {
    Q_OBJECT

private slots:
    void folders_data() { addConvertRows(); }
    void folders();
    void vocabularies_data() { addConvertRows(); }
    void vocabularies();
    void noVocabulary();
    void unknownClass();
    void fileInAFolder();
    void legacyFile();
    void adapter();
    void nothingToSay();

private:
    std::filesystem::path in(const char* name) const { return m_source.in(name); }

    SmallSource m_source;
};

// Keys that belong to the result and not to the model.
static bool isOfResult(const QString& key) { return key == "general.file_type"; }

void TestDescription::folders() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    const auto model = openModel(fixture.source());
    QVERIFY(model);
    const auto described = describe(*model);
    const QJsonObject other = fixture.expected["keys_with_the_other_config_reader"].toObject();
    QStringList incidental = other["added"].toObject().keys() + other["changed"].toObject().keys();
    for (const QJsonValue& key : other["missing"].toArray()) {
        incidental << key.toString();
    }
    const std::string architecture(described->metadata.architecture());
    int compared = 0;
    for (const QJsonValue& entry : fixture.expected["keys"].toArray()) {
        const QString key = entry["key"].toString();
        const bool ofModel =
            key == "general.architecture" || key.startsWith(QString::fromStdString(architecture) + ".");
        if (!ofModel || isOfResult(key) || incidental.contains(key)) {
            continue;
        }
        const Value* value = described->metadata.find(key.toStdString());
        QVERIFY2(value != nullptr, qPrintable(key));
        if (const ArrayView* array = asArray(*value)) {
            QCOMPARE(array->length, static_cast<std::uint64_t>(entry["value"].toArray().size()));
        } else {
            QCOMPARE(jsonOf(*value), entry["value"]);
        }
        ++compared;
    }
    QVERIFY(compared >= 3);
    std::set<std::pair<std::string_view, std::uint32_t>> blocks;
    for (const TensorInfo& tensor : described->tensors) {
        if (const TensorName parsed = parseTensorName(tensor.name); parsed.block) {
            blocks.emplace(parsed.prefix, *parsed.block);
        }
    }
    const auto count = HyperParameters(described->metadata).uint("block_count");
    const auto decoder = HyperParameters(described->metadata).uint("decoder_block_count");
    QVERIFY(blocks.size() >= *count + decoder.value_or(0));
    QCOMPARE(described->tensors.size(), (*model)->tensors.size());
    QCOMPARE(described->tensors.front().name, (*model)->tensors.front().name); // no name is changed
}

// The keys of the vocabulary and the templates equal the keys that a conversion writes.
void TestDescription::vocabularies() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    const auto model = openModel(fixture.source());
    QVERIFY(model);
    const auto described = describeVocabulary(*model);
    QVERIFY(described);
    const auto source = SourceFolder::open(fixture.source());
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(plan);
    int compared = 0;
    for (const PlannedKey& key : plan->keys) {
        if (!key.key.starts_with("tokenizer.")) {
            continue;
        }
        const Value* value = (*described)->metadata.find(key.key);
        QVERIFY2(value != nullptr && OwnedValue::sameValue(*value, key.value.value()), key.key.c_str());
        ++compared;
    }
    QVERIFY(compared > 5);
    QCOMPARE((*described)->tensors.size(), (*model)->tensors.size());
    QCOMPARE((*model)->metadata.find("tokenizer.ggml.tokens"), nullptr); // is left as it was
}

// A file of weights without a tokenizer, and models that have GGUF's keys.
void TestDescription::noVocabulary() {
    SafetensorsBuilder weights;
    weights.tensor("a.weight", "F32", {2});
    weights.write(in("alone.safetensors"));
    const auto alone = openModel(in("alone.safetensors"));
    QVERIFY(alone);
    const auto described = describeVocabulary(*alone);
    QVERIFY(described);
    QCOMPARE(*described, *alone);
    GgufBuilder().key("general.architecture", "llama").write(in("a.gguf"));
    const auto gguf = openModel(in("a.gguf"));
    QVERIFY(gguf);
    const auto same = describeVocabulary(*gguf);
    QVERIFY(same);
    QCOMPARE(*same, *gguf);
}

void TestDescription::unknownClass() {
    SafetensorsBuilder weights;
    weights.tensor("model.layers.0.w.weight", "F32", {2}, countingFloats(2));
    const auto source = m_source.folder(
        R"("architectures":["NovelForCausalLM"],"model_type":"novel","num_hidden_layers":7,"vocab_size":99)", weights);
    QVERIFY(source);
    const auto described = describe(source->model());
    QCOMPARE(described->metadata.architecture(), "novel");
    QCOMPARE(described->metadata.uint("novel.block_count"), 7U);
    QCOMPARE(described->metadata.uint("novel.vocab_size"), 99U);
}

// A file of weights that was opened alone is described by the configuration beside it.
void TestDescription::fileInAFolder() {
    SafetensorsBuilder weights;
    weights.tensor("model.norm.weight", "F32", {2}, countingFloats(2));
    QVERIFY(m_source.folder(kSmallLlama, weights));
    const auto model = openModel(in("source") / "model.safetensors");
    QVERIFY(model);
    QCOMPARE(describe(*model)->metadata.architecture(), "llama");
    QCOMPARE((*model)->metadata.architecture(), "");
}

void TestDescription::legacyFile() {
    GgmlBuilder gpt("lmgg");
    gpt.numbers({1, 16, 8, 2, 3, 1, 1}).token("a").tensor("w", 0, {1}, 4).write(in("gpt.bin"));
    const auto model = openModel(in("gpt.bin"));
    QVERIFY(model);
    const auto described = describe(*model);
    QCOMPARE(described->metadata.architecture(), "gpt-2");
    QCOMPARE(described->metadata.uint("gpt-2.block_count"), 3U);
    QCOMPARE(described->metadata.uint("gpt-2.context_length"), 16U);
    QCOMPARE(described->metadata.uint("gpt-2.embedding_length"), 8U);
    QCOMPARE(described->metadata.uint("gpt-2.attention.head_count"), 2U);
}

void TestDescription::adapter() {
    std::filesystem::create_directories(in("adapter"));
    std::ofstream(in("adapter") / "adapter_config.json") << R"({"peft_type":"LORA","r":4,"lora_alpha":8})";
    SafetensorsBuilder weights;
    weights.tensor("base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight", "F32", {4, 8}, countingFloats(32));
    weights.write(in("adapter") / "adapter_model.safetensors");
    const auto model = openModel(in("adapter"));
    QVERIFY(model);
    const auto described = describe(*model);
    QCOMPARE(described->metadata.string("general.type"), "adapter");
    QCOMPARE(described->metadata.number("adapter.lora.alpha"), 8.0);
}

void TestDescription::nothingToSay() {
    std::filesystem::create_directories(in("alone"));
    SafetensorsBuilder weights;
    weights.tensor("w", "F32", {2}, countingFloats(2));
    weights.write(in("alone") / "w.safetensors");
    const auto model = openModel(in("alone") / "w.safetensors");
    QVERIFY(model);
    QCOMPARE(describe(*model), *model);

    GgufBuilder file; // has the keys itself, whatever is beside it
    file.key("general.architecture", "llama");
    file.write(in("alone") / "m.gguf");
    std::ofstream(in("alone") / "config.json") << R"({"architectures":["GPT2LMHeadModel"]})";
    const auto gguf = openModel(in("alone") / "m.gguf");
    QVERIFY(gguf);
    QCOMPARE(describe(*gguf), *gguf);
}

GUFO_TEST(TestDescription)
#include "tst_description.moc"
