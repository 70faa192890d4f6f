#include "base/mapped_file.h"
#include "core/formats/model_faults.h"
#include "document/open_model.h"
#include "model/finding_code.h"
#include "model/key_catalogue.h"
#include "model/memory_estimate.h"
#include "support/model_files.h"
#include "support/test_unit.h"
#include "validate/validate.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <thread>

using namespace gufo;
using namespace gufo::test;

namespace {

using MakeRecipe = Recipe (*)();
using SetValue = void (*)(ModelMaker& model, const std::string& key);

} // namespace

class TestValidate : public QObject {
    Q_OBJECT

private slots:
    void validModelsHaveNoFindings_data();
    void validModelsHaveNoFindings();
    void findsFaults_data();
    void findsFaults();
    void everyCodeHasARow();
    void saysWhatWasChecked();
    void listsReadingsFindingsAndSorts();
    void missingPartsExplainGaps();
    void hostileValues_data();
    void hostileValues();
    void hostileShapes();
    void hugeVocabularyIsNotLookedInto();
    void namesForgottenRowHeaders();
    void soundFilesHaveNoGarbage_data();
    void soundFilesHaveNoGarbage();
    void cancelBeforeTheStart();
    void cancelWhileWeightsAreRead();
    void reportsProgressInBytes();
    void tellsOfAFileThatShrinks();
    void realFilesGiveNoWarning_data();
    void realFilesGiveNoWarning();
};

void TestValidate::validModelsHaveNoFindings_data() {
    QTest::addColumn<MakeRecipe>("make");
    const auto row = [](const char* name, MakeRecipe make) { QTest::newRow(name) << make; };
    row("a dense model", [] { return clean(); });
    row("byte-pair encoding", bpe);
    row("experts after a dense block", withExperts);
    row("an adapter", adapter);
    row("a vocabulary", []() -> Recipe {
        Recipe r = clean().named("Tiny-28K-v1.0-vocab.gguf");
        r.tensors.clear();
        return r.u32("general.file_type", 1);
    });
    // Like Deci: no attention in the second block, no feed-forward in the third.
    row("blocks without attention", []() -> Recipe {
        Recipe r = clean();
        r.text("general.architecture", "deci");
        for (Recipe::Key& key : r.keys) {
            key.name.replace(0, key.name.starts_with("llama.") ? 5 : 0, key.name.starts_with("llama.") ? "deci" : "");
        }
        r.u32s("deci.attention.head_count", {2, 0, 2}).u32s("deci.attention.head_count_kv", {1, 0, 1});
        r.u32s("deci.feed_forward_length", {64, 64, 0});
        r.dropTensors("blk.1.attn").dropTensors("blk.2.ffn");
        return r;
    });
    row("a mix of types", []() -> Recipe { // like Q4_K_M: other types for important tensors
        Recipe r = clean().retype(TensorType::Q4_0).named("Tiny-28K-v1.0-Q4_0.gguf");
        r.u32("general.file_type", 2).u32("general.quantization_version", 2);
        r.at("output.weight").type = TensorType::Q8_0;
        r.at("token_embd.weight").type = TensorType::F16;
        return r;
    });
    row("rows too short for the type", []() -> Recipe { // rows of 32 and 64 cannot be Q4_K, so all became Q5_0
        return clean()
            .retype(TensorType::Q5_0)
            .u32("general.file_type", 15)
            .u32("general.quantization_version", 2)
            .named("Tiny-28K-v1.0-Q5_0.gguf");
    });
    row("an importance matrix", []() -> Recipe {
        Recipe r;
        r.path = "imatrix.gguf";
        r.text("general.type", "imatrix").texts("imatrix.datasets", {"x"});
        r.u32("imatrix.chunk_count", 3).u32("imatrix.chunk_size", 512);
        return r.tensor("blk.0.attn_q.weight.in_sum2", {32, 1}).tensor("blk.0.attn_q.weight.counts", {1, 1});
    });
    row("a projector", []() -> Recipe {
        Recipe r;
        r.path = "mmproj-Tiny-28K-v1.0-F32.gguf";
        r.text("general.architecture", "clip").text("clip.projector_type", "mlp").u32("clip.vision.block_count", 1);
        return r.tensor("v.blk.0.attn_q.weight", {32, 32}).tensor("mm.0.weight", {32, 32});
    });
    row("turns that end as told", []() -> Recipe {
        return clean().text("tokenizer.chat_template", "{{ x }}<|im_end|>").u32("tokenizer.ggml.eot_token_id", 7);
    });
    row("weights read", withWeights);
    row("blocks of alternating kinds", []() -> Recipe { // like Jamba: state space, attention, state space
        Recipe r = clean();
        r.text("general.architecture", "jamba");
        for (Recipe::Key& key : r.keys) {
            key.name.replace(0, key.name.starts_with("llama.") ? 5 : 0, key.name.starts_with("llama.") ? "jamba" : "");
        }
        r.u32("jamba.ssm.conv_kernel", 4).u32("jamba.ssm.inner_size", 64).u32("jamba.ssm.state_size", 16);
        r.u32("jamba.ssm.time_step_rank", 4).u32s("jamba.attention.head_count_kv", {0, 1, 0});
        for (const char* block : {"blk.0.", "blk.2."}) {
            const std::string prefix = block;
            for (const char* role : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
                r.dropTensors(prefix + role);
            }
            r.tensor(prefix + "ssm_in.weight", {32, 128}).tensor(prefix + "ssm_a", {16, 64});
            r.tensor(prefix + "ssm_conv1d.weight", {4, 64}).tensor(prefix + "ssm_conv1d.bias", {64});
            r.tensor(prefix + "ssm_x.weight", {64, 36}).tensor(prefix + "ssm_d", {64});
            r.tensor(prefix + "ssm_dt.weight", {4, 64}).tensor(prefix + "ssm_dt.bias", {64});
            r.tensor(prefix + "ssm_dt_norm.weight", {4}).tensor(prefix + "ssm_b_norm.weight", {16});
            r.tensor(prefix + "ssm_c_norm.weight", {16}).tensor(prefix + "ssm_out.weight", {64, 32});
        }
        return r;
    });
    row("blocks for further tokens left out",
        []() -> Recipe { return clean().u32("llama.nextn_predict_layers", 1).u32("llama.block_count", 4); });
    row("values for each block with a sign", []() -> Recipe {
        return clean().i32s("llama.attention.head_count_kv", {1, 1, 1}); // as gguf-py writes lists of integers
    });
    row("byte tokens", []() -> Recipe {
        return clean()
            .texts("tokenizer.ggml.tokens",
                   {"<unk>", "<s>", "</s>", "\xFF", "<0x41>", "ab", "<|im_start|>", "<|im_end|>"})
            .i32s("tokenizer.ggml.token_type", {2, 3, 3, 6, 6, 1, 3, 3});
    });
    row("a tokenizer with one rule only, which it need not name",
        []() -> Recipe { return bpe().text("tokenizer.ggml.model", "gemma4").drop("tokenizer.ggml.pre"); });
    row("a vocabulary in the order of merging",
        []() -> Recipe { return bpe().text("tokenizer.ggml.pre", "kimi-k2").drop("tokenizer.ggml.merges"); });
}

void TestValidate::validModelsHaveNoFindings() {
    QFETCH(const MakeRecipe, make);
    const Recipe recipe = make();
    const auto result = validate(*recipe.model(), {.deep = recipe.data});
    QVERIFY(result);
    QCOMPARE(listed(*result), QByteArray());
}

void TestValidate::findsFaults_data() {
    QTest::addColumn<const Fault*>("fault");
    for (const Fault& fault : faults()) {
        QTest::newRow(fault.name) << &fault;
    }
}

void TestValidate::findsFaults() {
    QFETCH(const Fault*, fault);
    const auto model = fault->make().model();
    const auto result = validate(*model, {.deep = fault->deep, .chatTemplates = unclosedIfs});
    QVERIFY(result);
    bool found = false;
    for (const Finding& finding : result->findings) {
        std::string args;
        for (const Argument& arg : finding.args) {
            args += (args.empty() && &arg == &finding.args.front() ? "" : " | ") + arg.text();
        }
        found = found || (finding.code == fault->code && args == fault->args);
    }
    QVERIFY2(found, listed(*result));
    if (fault->deep) { // without --deep the weights are not read
        const auto shallow = validate(*model);
        QVERIFY(shallow);
        QCOMPARE(listed(*shallow), QByteArray());
    }
}

void TestValidate::everyCodeHasARow() {
    std::set<FindingCode> covered{FindingCode::VocabularyHuge,    // hugeVocabularyIsNotLookedInto
                                  FindingCode::RowHeadersMissing, // namesForgottenRowHeaders
                                  FindingCode::TemplateCallsUnknown,
                                  FindingCode::TemplateCallsUnmarked}; // tst_template_findings
    for (const Fault& fault : faults()) {
        covered.insert(fault.code);
    }
    const auto first = static_cast<std::size_t>(FindingCode::RequiredKeyMissing);
    const auto last = static_cast<std::size_t>(FindingCode::SplitNumber);
    for (std::size_t code = first; code <= last; ++code) {
        const auto& fact = findingFact(static_cast<FindingCode>(code));
        QVERIFY2(covered.contains(fact.code), std::string(fact.name).c_str());
    }
}

void TestValidate::saysWhatWasChecked() {
    const auto shallow = validate(*clean().model());
    QVERIFY(shallow);
    QCOMPARE(shallow->checksNotRun, std::vector<std::string_view>{"weights_finite"});
    const std::vector<std::string_view> withoutCase{"row_headers", "tensor_pairs", "merges", "parts",
                                                    "chat_template_syntax"};
    QCOMPARE(shallow->checksWithoutCase, withoutCase);
    const auto templated = clean().text("tokenizer.chat_template", "{{ x }}").model();
    const auto unparsed = validate(*templated);
    QVERIFY(unparsed);
    const std::vector<std::string_view> notRun{"weights_finite", "chat_template_syntax"};
    QCOMPARE(unparsed->checksNotRun, notRun);
    const auto parsed = validate(*templated, {.chatTemplates = unclosedIfs});
    QVERIFY(parsed);
    QCOMPARE(parsed->checksPassed, unparsed->checksPassed + 1);
    const auto deep = validate(*withWeights().model(), {.deep = true});
    QVERIFY(deep);
    QCOMPARE(deep->checksPassed, shallow->checksPassed + 1);
    const auto faulty = validate(*clean().u32("llama.context_length", 0).model());
    QVERIFY(faulty);
    QCOMPARE(faulty->checksPassed, shallow->checksPassed - 1);
}

void TestValidate::listsReadingsFindingsAndSorts() {
    ModelMaker maker = clean().named("model.gguf").drop("llama.rope.dimension_count").dropTensors("blk.1.").maker();
    auto model = maker.model();
    auto changed = std::make_shared<Model>(*model);
    changed->findings.push_back({FindingCode::TrailingBytes, Place::atOffset(5), {7}});
    const auto result = validate(*changed);
    QVERIFY(result);
    QCOMPARE(result->findings.size(), 4U);
    QCOMPARE(result->findings[0].code, FindingCode::BlocksMissing);
    QCOMPARE(result->findings[1].severity(), Severity::Warning);
    QCOMPARE(result->findings[2].severity(), Severity::Warning);
    QCOMPARE(result->findings[3].code, FindingCode::FileNameUnconventional);
}

void TestValidate::missingPartsExplainGaps() {
    ModelMaker maker = clean().dropTensors("blk.1.").dropTensors("token_embd").maker();
    const auto whole = maker.model(); // owns the texts that the copy refers to
    auto model = std::make_shared<Model>(*whole);
    model->files.push_back({.source = nullptr, .path = "Tiny-28K-v1.0-F32-00002-of-00002.gguf"});
    const auto result = validate(*model);
    QVERIFY(result);
    QCOMPARE(listed(*result), QByteArray());
}

void TestValidate::hostileValues_data() {
    QTest::addColumn<SetValue>("set");
    const auto row = [](const char* name, SetValue set) { QTest::newRow(name) << set; };
    static constexpr std::uint64_t kMaximum = ~std::uint64_t{0};
    row("a byte of zero", [](ModelMaker& m, const std::string& k) { m.value(k, std::uint8_t{0}); });
    row("the largest number", [](ModelMaker& m, const std::string& k) { m.value(k, kMaximum); });
    row("the smallest number",
        [](ModelMaker& m, const std::string& k) { m.value(k, std::numeric_limits<std::int64_t>::min()); });
    row("NaN", [](ModelMaker& m, const std::string& k) { m.f32(k, std::numeric_limits<float>::quiet_NaN()); });
    row("a negative zero", [](ModelMaker& m, const std::string& k) { m.value(k, -0.0); });
    row("a flag", [](ModelMaker& m, const std::string& k) { m.flag(k, true); });
    row("an empty text", [](ModelMaker& m, const std::string& k) { m.text(k, ""); });
    row("bytes that are no text", [](ModelMaker& m, const std::string& k) { m.text(k, std::string(10'000, '\xFF')); });
    row("an empty list", [](ModelMaker& m, const std::string& k) { m.u32s(k, {}); });
    row("empty texts", [](ModelMaker& m, const std::string& k) { m.texts(k, std::vector<std::string>(100)); });
    row("a list of the largest numbers", [](ModelMaker& m, const std::string& k) {
        m.array<std::uint64_t>(k, ValueType::UInt64, {kMaximum, 0, kMaximum});
    });
    row("a list of negative numbers", [](ModelMaker& m, const std::string& k) {
        m.array<std::int8_t>(k, ValueType::Int8, std::vector<std::int8_t>(1000, -1));
    });
    row("flags of other values",
        [](ModelMaker& m, const std::string& k) { m.flags(k, std::vector<std::uint8_t>(3, 255)); });
    row("an empty list of lists",
        [](ModelMaker& m, const std::string& k) { m.value(k, ArrayView{ValueType::Array, 0, {}, {}}); });
}

// Every standard key with an absurd value: validation must end in time, whatever it reports.
void TestValidate::hostileValues() {
    QFETCH(const SetValue, set);
    for (const KeyFact& fact : keyFacts()) {
        std::string key(fact.key);
        if (key.starts_with("{arch}")) {
            key.replace(0, 6, "llama");
        }
        Recipe r = bpe();
        r.set(key, set);
        const auto model = r.model();
        const auto result = validate(*model);
        QVERIFY2(result, key.c_str());
        const auto memory = estimateMemory(*model, {});
        QVERIFY(memory || memory.error().code == ErrorCode::NotSupported ||
                memory.error().code == ErrorCode::NoSuchKey || memory.error().code == ErrorCode::InvalidArgument);
    }
}

void TestValidate::hostileShapes() {
    const auto whole = clean().model(); // owns the texts that the copy refers to
    auto model = std::make_shared<Model>(*whole);
    const std::vector<std::vector<std::uint64_t>> shapes{
        {}, {0}, {0, 0, 0}, {~std::uint64_t{0}}, {~std::uint64_t{0}, ~std::uint64_t{0}}, {1, 1, 1, 1, 1, 1, 1, 1}};
    for (const auto& dims : shapes) {
        for (TensorInfo& tensor : model->tensors) {
            tensor.shape = Shape(dims);
            tensor.bytes.reset();
            tensor.bytesPresent = 0;
        }
        QVERIFY(validate(*model, {.deep = true}));
    }
    model->tensors.clear();
    model->files.clear();
    QVERIFY(validate(*model, {.deep = true}));
}

void TestValidate::hugeVocabularyIsNotLookedInto() {
    // 5 million empty strings, more than any vocabulary has.
    ModelMaker maker = clean().drop("tokenizer.ggml.tokens").maker();
    const std::vector<std::uint64_t> lengths(5'000'000, 0);
    maker.array("unused", ValueType::UInt64, lengths);
    const ArrayView bytes = *maker.model()->metadata.array("unused");
    ModelMaker huge = clean().drop("tokenizer.ggml.tokens").maker();
    huge.value("tokenizer.ggml.tokens", ArrayView{ValueType::String, lengths.size(), bytes.bytes, {}});
    const auto result = validate(*huge.model());
    QVERIFY(result);
    QVERIFY2(listed(*result).contains("vocabulary_huge [tokenizer.ggml.tokens] | 5000000"), listed(*result));
    QVERIFY(!listed(*result).contains("duplicate_token"));
}

// Published files of ik_llama.cpp's types reserved too few bytes: each row begins with a scale of its own.
void TestValidate::namesForgottenRowHeaders() {
    const TensorTypeFact& type = tensorTypeFact(TensorType::IQ4_KSS);
    constexpr std::uint64_t kColumns = 256;
    constexpr std::uint64_t kRows = 64;
    const auto bytes = tensorBytes(type, Shape(std::array{kColumns, kRows}));
    QVERIFY(bytes && type.rowHeaderBytes > 0);
    const auto build = [&](std::uint64_t reserved) {
        ModelMaker maker("llama");
        maker.tensor("blk.0.attn_q.weight", {kColumns, kRows}, TensorType::IQ4_KSS);
        maker.tensor("blk.0.attn_k.weight", {kColumns, kRows}, TensorType::IQ4_KSS);
        const auto made = maker.model();
        auto model = std::make_shared<Model>(*made);
        model->tensors[1].offset = reserved;
        const auto result = validate(*model);
        return result ? std::ranges::count(result->findings, FindingCode::RowHeadersMissing, &Finding::code) : -1;
    };
    QCOMPARE(build(*bytes - kRows * type.rowHeaderBytes), 1);
    QCOMPARE(build(*bytes), 0);
    QCOMPARE(build(*bytes / 2), 0); // overlaps for another reason
}

void TestValidate::soundFilesHaveNoGarbage_data() {
    QTest::addColumn<QString>("file");
    for (const char* folder : {GUFO_SAMPLE_DIR, GUFO_TEST_DATA "/architectures", GUFO_TEST_DATA "/quantised",
                               GUFO_SHARED_DIR "/thirdparty/models", GUFO_SHARED_DIR "/thirdparty/vocab",
                               GUFO_SHARED_DIR "/fixtures/arch3"}) {
        const QDir in(QString::fromLatin1(folder));
        for (const QString& name : in.entryList({QStringLiteral("*.gguf")})) {
            QTest::newRow(qPrintable(in.dirName() + u'/' + name)) << in.filePath(name);
        }
    }
}

void TestValidate::soundFilesHaveNoGarbage() {
    QFETCH(const QString, file);
    const auto model = openModel(file.toStdString());
    QVERIFY2(model, qPrintable(file));
    const auto result = validate(**model, {.deep = true});
    QVERIFY(result);
    for (const Finding& finding : result->findings) {
        const bool isGarbage =
            (isOfWeights(finding.code) && finding.code != FindingCode::WeightsNotRead) ||
            finding.code == FindingCode::RopeBaseFar || finding.code == FindingCode::ContextBeyondTrained ||
            finding.code == FindingCode::PreTokenizerUnfit || finding.code == FindingCode::RowHeadersMissing;
        QVERIFY2(!isGarbage, listed(*result));
    }
}

void TestValidate::cancelBeforeTheStart() {
    std::stop_source stop;
    stop.request_stop();
    const auto result = validate(*clean().model(), {}, {.stop = stop.get_token()});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Cancelled);
}

void TestValidate::cancelWhileWeightsAreRead() {
    // A sparse file of 16 GiB, whose scan is far from complete when it is stopped.
    const QTemporaryDir dir;
    const auto path = std::filesystem::path(dir.path().toStdString()) / "Tiny-28K-v1.0-F32.gguf";
    std::ofstream(path) << "x";
    constexpr std::uint64_t kWeights = std::uint64_t{1} << 32U;
    std::filesystem::resize_file(path, kWeights * 4);
    const auto file = MappedFile::open(path);
    QVERIFY(file);
    ModelMaker maker = clean().maker();
    const auto whole = maker.model(); // owns the texts that the copy refers to
    auto model = std::make_shared<Model>(*whole);
    model->files[0].source = *file;
    TensorInfo& tensor = model->tensors[0];
    tensor.shape = Shape(std::vector<std::uint64_t>{1U << 16U, 1U << 16U});
    tensor.bytes = kWeights * 4;
    tensor.bytesPresent = kWeights * 4;
    tensor.offset = 0;

    std::stop_source stop;
    Progress progress;
    Result<Validation> result;
    std::jthread worker(
        [&] { result = validate(*model, {.deep = true}, {.stop = stop.get_token(), .progress = &progress}); });
    QTRY_VERIFY_WITH_TIMEOUT(progress.done() > 0, 20'000);
    QElapsedTimer timer;
    timer.start();
    stop.request_stop();
    worker.join();
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Cancelled);
    QVERIFY(progress.done() < progress.total());
    QVERIFY2(timer.elapsed() < 1000, QByteArray::number(timer.elapsed())); // 50 ms on an idle machine
    qInfo("stopped after %lld ms", static_cast<long long>(timer.elapsed()));
}

void TestValidate::reportsProgressInBytes() {
    Progress progress;
    const auto model = withWeights().model();
    QVERIFY(validate(*model, {.deep = true}, {.progress = &progress}));
    QCOMPARE(progress.total(), 28'384U * 4);
    QCOMPARE(progress.done(), progress.total());
}

void TestValidate::tellsOfAFileThatShrinks() {
    const QTemporaryDir dir;
    const auto path = std::filesystem::path(dir.path().toStdString()) / "Tiny-28K-v1.0-F32.gguf";
    std::ofstream(path, std::ios::binary) << std::string(1U << 20U, '\1');
    const auto file = MappedFile::open(path);
    QVERIFY(file);
    const auto whole = withWeights().model(); // owns the texts that the copy refers to
    auto model = std::make_shared<Model>(*whole);
    model->files[0].source = *file;
    QVERIFY(validate(*model, {.deep = true}));
    std::filesystem::resize_file(path, 4096);
    const auto result = validate(*model, {.deep = true});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::FileChangedWhileReading);
}

void TestValidate::realFilesGiveNoWarning_data() { test::addModelRows({"vocab", "models"}); }

void TestValidate::realFilesGiveNoWarning() {
    QFETCH(const QString, path);
    GUFO_SKIP_IF_ABSENT(path);
    const auto model = openModel(path.toStdString());
    QVERIFY(model);
    auto result = validate(**model, {.deep = true});
    QVERIFY(result);
    std::erase_if(result->findings, [](const Finding& finding) { return finding.severity() == Severity::Note; });
    QCOMPARE(listed(*result), QByteArray());
}

GUFO_TEST(TestValidate)
#include "tst_validate.moc"
