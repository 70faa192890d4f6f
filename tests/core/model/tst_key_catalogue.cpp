#include "document/open_model.h"
#include "model/architectures.h"
#include "model/file_type.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "support/model_files.h"
#include "support/model_maker.h"
#include "support/test_unit.h"

#include <QTest>

#include <filesystem>
#include <set>

using namespace gufo;
using test::ModelMaker;

class TestKeyCatalogue : public QObject {
    Q_OBJECT

private slots:
    void everyKeyOnceWithMeaning();
    void everyRowIsFound();
    void aliasesLeadToStandardNames();
    void architecturesRequireStandardKeys();
    void describesKeys_data();
    void describesKeys();
    void describesGroups_data();
    void describesGroups();
    void acceptsTypes_data();
    void acceptsTypes();
    void requirements();
    void namesOfNumbers_data();
    void namesOfNumbers();
    void choices();
    void fileTypesByName();
    void hyperParametersInAnySpelling();
    void realFilesHaveStandardKeys_data();
    void realFilesHaveStandardKeys();
};

// Returns a key that matches the row's pattern.
static std::string example(std::string_view pattern) {
    std::string key(pattern);
    for (const auto& [part, text] : {std::pair("{arch}", "llama"), {"{n}", "12"}, {"{name}", "tool_use"}}) {
        if (const auto at = key.find(part); at != std::string::npos) {
            key.replace(at, std::string_view(part).size(), text);
        }
    }
    return key;
}

void TestKeyCatalogue::everyKeyOnceWithMeaning() {
    std::set<std::string_view> keys;
    for (const KeyFact& fact : keyFacts()) {
        QVERIFY2(keys.insert(fact.key).second, std::string(fact.key).c_str());
        QVERIFY2(fact.scalarOrArray || fact.type == ValueType::Array || fact.type == fact.elementType,
                 std::string(fact.key).c_str());
    }
}

void TestKeyCatalogue::everyRowIsFound() {
    for (const KeyFact& fact : keyFacts()) {
        QVERIFY2(describeKey(example(fact.key), "llama") == &fact, std::string(fact.key).c_str());
        // Each inner node of the path has a meaning too.
        const std::string key = example(fact.key);
        for (auto dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
            const std::string prefix = key.substr(0, dot);
            QVERIFY2(!keyGroup(prefix, "llama").empty() || describeKey(prefix, "llama") != nullptr, prefix.c_str());
        }
    }
}

void TestKeyCatalogue::aliasesLeadToStandardNames() {
    int aliases = 0;
    for (const KeyFact& fact : keyFacts()) {
        if (fact.aliasOf.empty()) {
            continue;
        }
        ++aliases;
        const KeyFact* standard = describeKey(example(fact.aliasOf), "llama");
        QVERIFY2(standard != nullptr && standard->key == fact.aliasOf, std::string(fact.key).c_str());
        QVERIFY2(standard->aliasOf.empty(), std::string(fact.key).c_str());
    }
    QVERIFY(aliases > 10);
}

void TestKeyCatalogue::architecturesRequireStandardKeys() {
    for (const ArchitectureFact& architecture : architectureFacts()) {
        QVERIFY(findArchitecture(architecture.name) == &architecture);
        for (const std::string_view list : {architecture.required, architecture.expected}) {
            for (const QString& suffix :
                 QString::fromUtf8(list.data(), static_cast<int>(list.size())).split(',', Qt::SkipEmptyParts)) {
                const std::string key = std::string(architecture.name) + "." + suffix.toStdString();
                QVERIFY2(describeKey(key, architecture.name) != nullptr, key.c_str());
            }
        }
    }
    QVERIFY(findArchitecture("") == nullptr);
    QVERIFY(findArchitecture("llama5") == nullptr);
    for (const char* name : {"llama",
                             "mamba",
                             "rwkv6",
                             "qwen2moe",
                             "deepseek2",
                             "gemma3n",
                             "gpt-oss",
                             "clip",
                             "t5",
                             "bailingmoe3",
                             "clef",
                             "cohere2moe",
                             "deepseek32",
                             "deepseek4",
                             "dflash",
                             "dots3note",
                             "eagle3",
                             "gemma-embedding2",
                             "gemma4-assistant",
                             "glm5-next",
                             "granite_swa",
                             "graniteswitch",
                             "hrm_text",
                             "hy_v3",
                             "hy_v4",
                             "k2-horizon",
                             "kimi-k3",
                             "laguna",
                             "maion-coder",
                             "maple",
                             "mellum",
                             "minimax-01",
                             "minimax-m3",
                             "muse-glimmer",
                             "nanbeige",
                             "pockettts",
                             "qwen3tts",
                             "qwen4exp",
                             "spark2_5",
                             "talkie",
                             "vllm-decision2"}) {
        QVERIFY2(findArchitecture(name) != nullptr, name);
    }
}

void TestKeyCatalogue::describesKeys_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("row"); // empty: unknown
    const auto row = [](const char* key, const char* architecture, const char* found) {
        QTest::newRow(key) << QString(architecture) << QString(found);
    };
    row("general.name", "", "general.name");
    row("general.base_model.0.repo_url", "", "general.base_model.{n}.repo_url");
    row("llama.block_count", "llama", "{arch}.block_count");
    row("llama.attention.head_count_kv", "", "{arch}.attention.head_count_kv");
    row("newest.block_count", "newest", "{arch}.block_count");
    row("newest.block_count ", "newest", "");
    row("newest.unheard_of", "newest", "");
    row("other.block_count", "newest", "");
    row("command-r.logit_scale", "command-r", "{arch}.logit_scale");
    row("clip.vision.image_size", "clip", "clip.vision.image_size");
    row("tokenizer.chat_template", "llama", "tokenizer.chat_template");
    row("tokenizer.chat_template.rag", "llama", "tokenizer.chat_template.{name}");
    row("tokenizer.chat_template.a.b", "llama", "");
    row("gufo.reserved", "llama", "gufo.reserved");
    row("general.base_model.{n}.name", "", "");
    row("{arch}.block_count", "llama", "");
    row("{arch}.block_count.x", "llama", "");
    row("", "", "");
    row(".", "", "");
    row("..", "", "");
    row("llama.", "llama", "");
    row("llama", "llama", "");
    row(".general.name", "", "");
    row("general.name.", "", "");
    row((QByteArray(100'000, 'a') + ".b").constData(), "llama", "");
}

void TestKeyCatalogue::describesKeys() {
    QFETCH(const QString, architecture);
    QFETCH(const QString, row);
    const KeyFact* fact = describeKey(QTest::currentDataTag(), architecture.toStdString());
    QCOMPARE(fact != nullptr ? QString::fromUtf8(fact->key.data(), static_cast<int>(fact->key.size())) : QString(),
             row);
}

void TestKeyCatalogue::describesGroups_data() {
    QTest::addColumn<bool>("known");
    QTest::newRow("general") << true;
    QTest::newRow("llama") << true;
    QTest::newRow("newest") << true; // the model's own architecture
    QTest::newRow("newest.attention") << true;
    QTest::newRow("general.base_model.3") << true;
    QTest::newRow("clip.vision") << true;
    QTest::newRow("unheard") << false;
    QTest::newRow("newest.unheard") << false;
    QTest::newRow("") << false;
}

void TestKeyCatalogue::describesGroups() {
    QFETCH(const bool, known);
    QCOMPARE(!keyGroup(QTest::currentDataTag(), "newest").empty(), known);
}

void TestKeyCatalogue::acceptsTypes_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("typesThatFit");
    const auto row = [](const char* key, const char* fit) { QTest::newRow(key) << QString(key) << QString(fit); };
    row("general.name", "str");
    row("general.alignment", "u32");
    row("general.base_model.count", "u8 i8 u16 i16 u32 i32 u64 i64");
    row("general.file_type", "u32");
    row("llama.block_count", "u32");
    row("split.count", "u16");
    row("split.tensors.count", "i32");
    row("tokenizer.ggml.bos_token_id", "u32");
    row("clip.vision.image_size", "u32");
    row("llama.attention.head_count_kv", "u32 [u32] [i32]");
    row("llama.attention.sliding_window_pattern", "u32 [bool] [u32] [i32]");
    row("llama.rope.freq_base", "f32");
    row("llama.attention.causal", "bool");
    row("tokenizer.ggml.tokens", "[str]");
    row("tokenizer.ggml.scores", "[f32]");
    row("tokenizer.ggml.token_type", "[u32] [i32]");
    row("tokenizer.ggml.precompiled_charsmap", "[u8] [i8]");
    row("xielu.alpha_p", "f32 [f32]");
}

void TestKeyCatalogue::acceptsTypes() {
    QFETCH(const QString, key);
    QFETCH(const QString, typesThatFit);
    const KeyFact* fact = describeKey(key.toStdString(), "llama");
    QVERIFY(fact != nullptr);
    const std::vector<Value> values{std::uint8_t{1},
                                    std::int8_t{1},
                                    std::uint16_t{1},
                                    std::int16_t{1},
                                    std::uint32_t{1},
                                    std::int32_t{1},
                                    std::uint64_t{1},
                                    std::int64_t{1},
                                    1.0F,
                                    1.0,
                                    BoolValue{1},
                                    std::string_view("x")};
    QStringList fitting;
    for (const Value& value : values) {
        if (acceptsType(*fact, value)) {
            fitting += QString::fromStdString(std::string(valueTypeFact(typeOf(value)).name));
        }
    }
    for (const ValueType type : {ValueType::Bool, ValueType::UInt8, ValueType::Int8, ValueType::UInt32,
                                 ValueType::Int32, ValueType::UInt64, ValueType::Float32, ValueType::String}) {
        if (acceptsType(*fact, ArrayView{type, 0, {}, {}})) {
            fitting += '[' + QString::fromStdString(std::string(valueTypeFact(type).name)) + ']';
        }
    }
    QCOMPARE(fitting.join(' '), typesThatFit);
}

void TestKeyCatalogue::requirements() {
    const auto of = [](const char* key, const char* architecture) {
        return requirementOf(*describeKey(key, architecture), architecture);
    };
    QCOMPARE(of("general.architecture", "llama"), Requirement::Required);
    QCOMPARE(of("general.quantization_version", "llama"), Requirement::RequiredIfQuantised);
    QCOMPARE(of("general.name", "llama"), Requirement::Optional);
    QCOMPARE(of("llama.block_count", "llama"), Requirement::Required);
    QCOMPARE(of("newest.block_count", "newest"), Requirement::Required);
    QCOMPARE(of("llama.attention.layer_norm_rms_epsilon", "llama"), Requirement::Required);
    QCOMPARE(of("gpt2.attention.layer_norm_rms_epsilon", "gpt2"), Requirement::Optional);
    QCOMPARE(of("mamba.ssm.state_size", "mamba"), Requirement::Required);
    QCOMPARE(of("llama.ssm.state_size", "llama"), Requirement::Optional);
    QCOMPARE(of("clip.block_count", "clip"), Requirement::Optional);
}

void TestKeyCatalogue::namesOfNumbers_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("value");
    QTest::addColumn<QString>("name");
    QTest::newRow("file type") << "general.file_type" << 15 << "Q4_K_M";
    QTest::newRow("guessed file type") << "general.file_type" << 1024 + 7 << "Q8_0";
    QTest::newRow("file type is no tensor type") << "general.file_type" << 12 << "Q3_K_M";
    QTest::newRow("unknown file type") << "general.file_type" << 99 << "";
    QTest::newRow("token type") << "tokenizer.ggml.token_type" << 3 << "CONTROL";
    QTest::newRow("negative") << "tokenizer.ggml.token_type" << -1 << "";
    QTest::newRow("pooling") << "bert.pooling_type" << 2 << "CLS";
    QTest::newRow("gating") << "deepseek2.expert_gating_func" << 2 << "SIGMOID";
    QTest::newRow("a plain number") << "llama.block_count" << 1 << "";
    QTest::newRow("an unknown key") << "x.y" << 1 << "";
}

void TestKeyCatalogue::namesOfNumbers() {
    QFETCH(const QString, key);
    QFETCH(const int, value);
    QFETCH(const QString, name);
    const auto found = enumName(key.toStdString(), "llama", value);
    QCOMPARE(QString::fromStdString(std::string(found.value_or(""))), name);
}

void TestKeyCatalogue::choices() {
    const auto has = [](const char* key, const char* value) {
        const auto values = keyChoices(key, "llama");
        return std::ranges::find(values, value) != values.end();
    };
    QVERIFY(has("tokenizer.ggml.model", "gpt2"));
    QVERIFY(has("tokenizer.ggml.pre", "llama-bpe"));
    QVERIFY(has("llama.rope.scaling.type", "yarn"));
    QVERIFY(has("falcon.tensor_data_layout", "jploski"));
    QVERIFY(keyChoices("general.name", "llama").empty());
    QVERIFY(keyChoices("", "").empty());
}

void TestKeyCatalogue::fileTypesByName() {
    for (const FileTypeFact& fact : fileTypes()) {
        QVERIFY(findFileType(fact.name) == &fact);
        QVERIFY(findFileType(fact.value) == &fact);
        QVERIFY2(findTensorType(fact.tensorType) != nullptr, std::string(fact.name).c_str());
    }
    QCOMPARE(findFileType("q4_k_m")->value, 15U);
    QVERIFY(findFileType("Q4_K") == nullptr);
    QVERIFY(findFileType(~std::uint64_t{0}) == nullptr);
}

void TestKeyCatalogue::hyperParametersInAnySpelling() {
    ModelMaker maker("mpt");
    maker.f32("mpt.attention.alibi_bias_max", 8)
        .f32("mpt.attention.clip_kqv", 6)
        .value("mpt.block_count", std::uint64_t{4})
        .f32("mpt.rope.scale_linear", 2)
        .u32s("mpt.attention.head_count_kv", {8, 0, 4})
        .array<std::int32_t>("mpt.feed_forward_length", ValueType::Int32, {-1, 7})
        .f32s("mpt.attention.head_count", {1.5F})
        .u32s("mpt.attention.key_length", {64, 64, 64})
        .f32s("mpt.rope.freq_base", {5000, 5000})
        .f32s("mpt.attention.scale", {0.5F, 0.25F})
        .array<std::uint8_t>("mpt.use_parallel_residual", ValueType::Bool, {1, 1});
    const auto model = maker.model();
    const HyperParameters parameters(model->metadata);
    QCOMPARE(parameters.number("attention.max_alibi_bias"), std::optional(8.0));
    QCOMPARE(parameters.number("attention.clamp_kqv"), std::optional(6.0));
    QCOMPARE(parameters.number("rope.scaling.factor"), std::optional(2.0));
    QCOMPARE(parameters.uint("block_count"), std::optional<std::uint64_t>(4));
    QCOMPARE(parameters.uintAt("block_count", 3), std::optional<std::uint64_t>(4));
    QCOMPARE(parameters.uintAt("attention.head_count_kv", 2), std::optional<std::uint64_t>(4));
    QCOMPARE(parameters.uintAt("attention.head_count_kv", 3), std::nullopt);
    QCOMPARE(parameters.uintAt("feed_forward_length", 0), std::nullopt); // negative
    QCOMPARE(parameters.uintAt("feed_forward_length", 1), std::optional<std::uint64_t>(7));
    QCOMPARE(parameters.uintAt("attention.head_count", 0), std::nullopt); // not an integer
    QCOMPARE(parameters.blockValues("attention.head_count_kv").largest(10), 8U);
    QCOMPARE(parameters.uint("attention.head_count_kv"), std::nullopt);
    QCOMPARE(parameters.uint("absent"), std::nullopt);
    // Arrays count as a single value if their elements are equal.
    QCOMPARE(parameters.uint("attention.key_length"), std::optional<std::uint64_t>(64));
    QCOMPARE(parameters.number("attention.key_length"), std::optional(64.0));
    QCOMPARE(parameters.number("rope.freq_base"), std::optional(5000.0));
    QCOMPARE(parameters.number("attention.scale"), std::nullopt);
    QCOMPARE(parameters.boolean("use_parallel_residual"), std::optional(true));
    QVERIFY(!parameters.blockValues("attention.head_count_kv").lacks(2));
    QVERIFY(parameters.blockValues("attention.head_count_kv").lacks(3));
    QVERIFY(parameters.blockValues("feed_forward_length").lacks(0));
    QVERIFY(!parameters.blockValues("block_count").lacks(3));
}

void TestKeyCatalogue::realFilesHaveStandardKeys_data() { test::addModelRows({"vocab", "models"}); }

void TestKeyCatalogue::realFilesHaveStandardKeys() {
    QFETCH(const QString, path);
    GUFO_SKIP_IF_ABSENT(path);
    const auto model = openModel(path.toStdString());
    QVERIFY(model);
    const std::string_view architecture = (*model)->metadata.architecture();
    for (const KeyValue& entry : (*model)->metadata) {
        const KeyFact* fact = describeKey(entry.key, architecture);
        QVERIFY2(fact != nullptr, std::string(entry.key).c_str());
        QVERIFY2(acceptsType(*fact, entry.value), std::string(entry.key).c_str());
    }
}

GUFO_TEST(TestKeyCatalogue)
#include "tst_key_catalogue.moc"
