// LLaMA's files from before GGUF: codes survive, scales are rounded within the stated bound, the result runs in the
// engine and computes what the decoded weights of the source compute. What cannot be converted is refused by name.
#include "base/detail.h"
#include "convert/convert_folder.h"
#include "convert/legacy_plan.h"
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "support/fixture_models.h"
#include "support/legacy_llama.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"

#include <QDirIterator>
#include <QTemporaryDir>

#include <map>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

Q_DECLARE_METATYPE(gufo::test::LegacyCase)

namespace {

std::vector<float> logitsOf(const std::shared_ptr<const Model>& model) {
    const auto loaded = inference::loadForInference(model);
    const auto session = loaded
                             ? (*loaded)->startSession(
                                   {.context = 16, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 1})
                             : std::unexpected(loaded.error());
    return session ? test::logitsOf(**session, randomTokens(8, kLegacyTokens), 8) : std::vector<float>();
}

using MakeFile = GgmlBuilder (*)();
using AddSlices = void (*)(GgmlBuilder& part);

void addNorm(GgmlBuilder& part, float weight) { part.tensor("norm.weight", 0, {8}, legacyFloats(8, weight)); }

void addUsualSlices(GgmlBuilder& part) {
    addNorm(part, 1.0F);
    part.tensor("output.weight", 0, {8, 1}, 32);
}

struct LegacyFormat {
    std::string_view magic;
    std::optional<std::uint32_t> version;
};
constexpr LegacyFormat kGgml{"lmgg", std::nullopt};
constexpr LegacyFormat kGgmf{"fmgg", 1};
constexpr LegacyFormat ggjt(std::uint32_t version) { return {"tjgg", version}; }

} // namespace

class TestLegacyPlan final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void keepsCodes_data();
    void keepsCodes();
    void statesWhatFilesLack();
    void joinsParts_data();
    void joinsParts();
    void refusesParts_data();
    void refusesParts();
    void keepsScores();
    void vocabularyOnly();
    void refuses_data();
    void refuses();
    void refusesScalesOutOfRange();
    void cancels();
    void readsRealFiles();

private:
    fs::path in(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    std::shared_ptr<const Model> open(const GgmlBuilder& file) const {
        file.write(in("old.bin"));
        const auto model = openModel(in("old.bin"));
        return model ? *model : nullptr;
    }
    std::shared_ptr<const Model> converted(const std::shared_ptr<const Model>& old, const ConversionPlan& plan) const {
        const auto source = SourceFolder::with(in(""), old, {});
        if (!writeConverted(source, plan, {}, in("new.gguf"))) {
            return nullptr;
        }
        const auto model = openModel(in("new.gguf"));
        return model ? *model : nullptr;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestLegacyPlan::keepsCodes_data() {
    QTest::addColumn<LegacyFormat>("format");
    QTest::addColumn<LegacyCase>("type");
    QTest::newRow("no version, Q4_0") << kGgml << kQ4_0Version1;
    QTest::newRow("GGMF, Q4_1") << kGgmf << LegacyCase{3, 24, 2, 0, TensorType::Q4_1};
    QTest::newRow("version 1, F32") << ggjt(1) << LegacyCase{0, 128, 32, 0, TensorType::F32};
    QTest::newRow("version 1, F16") << ggjt(1) << LegacyCase{1, 64, 0, 32, TensorType::F16};
    QTest::newRow("version 1, Q4_0") << ggjt(1) << kQ4_0Version1;
    QTest::newRow("version 1, Q4_1") << ggjt(1) << LegacyCase{3, 24, 2, 0, TensorType::Q4_1};
    QTest::newRow("version 1, Q5_0") << ggjt(1) << LegacyCase{6, 22, 0, 1, TensorType::Q5_0};
    QTest::newRow("version 1, Q5_1") << ggjt(1) << LegacyCase{7, 24, 0, 2, TensorType::Q5_1};
    QTest::newRow("version 1, Q8_0") << ggjt(1) << LegacyCase{8, 36, 1, 0, TensorType::Q8_0};
    QTest::newRow("version 2, Q4_0") << ggjt(2) << LegacyCase{2, 20, 1, 0, TensorType::Q4_0};
    QTest::newRow("version 2, Q4_1") << ggjt(2) << LegacyCase{3, 24, 2, 0, TensorType::Q4_1};
    QTest::newRow("version 2, Q5_1") << ggjt(2) << LegacyCase{7, 24, 0, 2, TensorType::Q5_1};
    QTest::newRow("version 2, Q8_0") << ggjt(2) << LegacyCase{8, 36, 1, 0, TensorType::Q8_0};
    QTest::newRow("version 3, Q4_0") << ggjt(3) << LegacyCase{2, 18, 0, 1, TensorType::Q4_0};
    QTest::newRow("version 3, Q8_0") << ggjt(3) << LegacyCase{8, 34, 0, 1, TensorType::Q8_0};
}

void TestLegacyPlan::keepsCodes() {
    QFETCH(LegacyFormat, format);
    QFETCH(LegacyCase, type);
    const auto old = open(legacyLlama(format.magic, format.version, type));
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY2(plan, plan ? "" : qPrintable(QString::fromStdString(plan.error().args.at(0).text())));
    const auto losses = measureLoss(*old, *plan);
    QVERIFY(losses);
    const auto model = converted(old, *plan);
    QVERIFY(model);
    QCOMPARE(model->tensors.size(), old->tensors.size());
    const bool rounds = type.floats != 0 && type.becomes != TensorType::F32;
    for (std::size_t i = 0; i < plan->rows.size(); ++i) {
        const PlannedRow& row = plan->rows[i];
        const TensorInfo& result = model->tensor(*model->findTensor(row.target));
        const bool isMatrix = result.shape.count() == 2;
        QCOMPARE(result.typeId, static_cast<std::uint32_t>(isMatrix ? type.becomes : TensorType::F32));
        const std::vector<float> before = valuesOf(*old, row.sources.at(0));
        const std::vector<float> after = valuesOf(*model, row.target);
        QCOMPARE(before.size(), after.size());
        const double difference = largestDifference(before, after);
        QCOMPARE((*losses)[i].has_value(), rounds && isMatrix);
        QCOMPARE(difference, (*losses)[i].value_or(0)); // neither more nor less than is stated
        if (rounds && isMatrix) {
            QVERIFY(difference > 0 && difference < 1e-2); // f16 has 11 bits
        }
    }

    // The same model with the source's weights as floats.
    std::map<std::string, std::string> sourceOf;
    for (const PlannedRow& row : plan->rows) {
        sourceOf.emplace(row.target, row.sources.at(0));
    }
    const auto none = [](std::string_view) { return false; };
    ModelMaker exact = copyOf(*model, none, [&](ModelMaker& maker, const TensorInfo& tensor, Bytes) {
        const std::vector<float> values = valuesOf(*old, sourceOf.at(std::string(tensor.name)));
        const auto dims = tensor.shape.dims();
        maker.tensor(tensor.name, {dims.begin(), dims.end()}, TensorType::F32,
                     std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)));
        return true;
    });
    const std::vector<float> logits = logitsOf(model);
    const std::vector<float> expected = logitsOf(exact.model());
    QVERIFY(!logits.empty());
    QCOMPARE(logits.size(), expected.size());
    double largest = 0;
    for (const float logit : expected) {
        largest = std::max(largest, std::abs(double{logit}));
    }
    const double difference = largestDifference(logits, expected);
    QVERIFY2(largest > 0 && difference < 0.03 * largest, // the engine rounds activations to 8 bits
             qPrintable(QStringLiteral("%1 of %2").arg(difference).arg(largest)));
}

void TestLegacyPlan::statesWhatFilesLack() {
    const auto old = open(legacyLlama("lmgg", {}, kQ4_0Version1));
    QVERIFY(old);
    const auto plan = planLegacy(old, "Llama of old");
    QVERIFY(plan);
    const auto from = [&](std::string_view key) {
        const auto found = std::ranges::find(plan->keys, key, &PlannedKey::key);
        return found != plan->keys.end() ? found->from : std::string("missing");
    };
    QCOMPARE(from("llama.context_length"), std::string("assumed"));
    QCOMPARE(from("llama.attention.layer_norm_rms_epsilon"), std::string("assumed"));
    QCOMPARE(from("tokenizer.ggml.bos_token_id"), std::string("assumed"));
    QCOMPARE(from("tokenizer.ggml.scores"), std::string("assumed"));
    QCOMPARE(from("tokenizer.ggml.tokens"), std::string("old.bin:vocabulary"));
    QCOMPARE(from("llama.embedding_length"), std::string("old.bin:n_embd"));
    QCOMPARE(from("llama.feed_forward_length"), std::string("old.bin:layers.0.feed_forward.w1.weight"));
    const auto model = converted(old, *plan);
    QVERIFY(model);
    QCOMPARE(model->metadata.string("general.name").value_or(""), std::string_view("Llama of old"));
    QCOMPARE(model->metadata.uint("llama.feed_forward_length"), std::optional<std::uint64_t>(kLegacyFeedForward));
    QCOMPARE(model->metadata.uint("llama.attention.head_count_kv"), std::optional<std::uint64_t>(kLegacyHeads));
    QCOMPARE(model->metadata.uint("general.file_type"), std::optional<std::uint64_t>(2)); // Q4_0
    QCOMPARE(model->metadata.uint("tokenizer.ggml.eos_token_id"), std::optional<std::uint64_t>(2));
}

void TestLegacyPlan::joinsParts_data() {
    QTest::addColumn<LegacyFormat>("format");
    QTest::addColumn<LegacyCase>("type");
    QTest::addColumn<int>("parts");
    const LegacyCase f16{1, 64, 0, 32, TensorType::F16};
    QTest::newRow("no version, Q4_0") << kGgml << kQ4_0Version1 << 2;
    QTest::newRow("no version, F16") << kGgml << f16 << 2;
    QTest::newRow("GGMF, Q4_1") << kGgmf << LegacyCase{3, 24, 2, 0, TensorType::Q4_1} << 2;
    QTest::newRow("GGMF, F32") << kGgmf << LegacyCase{0, 128, 32, 0, TensorType::F32} << 2;
    QTest::newRow("GGJT, Q5_0") << ggjt(1) << LegacyCase{6, 22, 0, 1, TensorType::Q5_0} << 2;
}

// A model in parts becomes the same GGUF file as the model in one piece.
void TestLegacyPlan::joinsParts() {
    QFETCH(LegacyFormat, format);
    QFETCH(LegacyCase, type);
    QFETCH(int, parts);
    const auto whole = open(legacyLlama(format.magic, format.version, type, 1, kEvenSizes));
    QVERIFY(whole);
    const auto wholePlan = planLegacy(whole, "a llama");
    QVERIFY(wholePlan);
    const auto expected = converted(whole, *wholePlan);
    QVERIFY(expected);
    const std::vector<float> expectedLogits = logitsOf(expected);
    QVERIFY(!expectedLogits.empty());
    std::map<std::string, std::vector<std::byte>> expectedBytes;
    for (const TensorInfo& tensor : expected->tensors) {
        const Bytes bytes = *expected->bytesOf(tensor);
        expectedBytes[std::string(tensor.name)].assign(bytes.begin(), bytes.end());
    }

    writeLegacyParts(*whole, format.magic, format.version, static_cast<std::uint64_t>(parts), in("parts.bin"));
    const auto cut = openModel(in("parts.bin.1")); // any part stands for all
    QVERIFY(cut);
    QCOMPARE((*cut)->files.size(), static_cast<std::size_t>(parts));
    const auto plan = planLegacy(*cut, "a llama");
    QVERIFY2(plan, plan ? "" : qPrintable(QString::fromStdString(plan.error().args.at(0).text())));
    QCOMPARE(plan->rows.size(), wholePlan->rows.size());
    QCOMPARE(plan->tensorBytes, wholePlan->tensorBytes);
    QCOMPARE(plan->weights, wholePlan->weights);
    QVERIFY(*measureLoss(**cut, *plan) == *measureLoss(*whole, *wholePlan));
    const auto joined = converted(*cut, *plan);
    QVERIFY(joined);
    QCOMPARE(joined->tensors.size(), expectedBytes.size());
    for (const TensorInfo& tensor : joined->tensors) {
        QVERIFY2(std::ranges::equal(*joined->bytesOf(tensor), expectedBytes.at(std::string(tensor.name))),
                 std::string(tensor.name).c_str());
    }
    QCOMPARE(joined->metadata.size(), wholePlan->keys.size());
    QVERIFY(logitsOf(joined) == expectedLogits);
}

void TestLegacyPlan::refusesParts_data() {
    QTest::addColumn<AddSlices>("second"); // of the second part; null: it is missing
    QTest::addColumn<QString>("tensor");   // that the error names
    const auto row = [](const char* name, AddSlices second, const char* tensor) {
        QTest::newRow(name) << second << QString::fromLatin1(tensor);
    };
    row("a part is missing", nullptr, "tok_embeddings.weight");
    row("a slice is missing", [](GgmlBuilder& part) { addNorm(part, 1.0F); }, "output.weight");
    row(
        "a slice of another type",
        [](GgmlBuilder& part) {
            addNorm(part, 1.0F);
            part.tensor("output.weight", 1, {8, 1}, 16);
        },
        "output.weight");
    row(
        "a slice of another shape",
        [](GgmlBuilder& part) {
            addNorm(part, 1.0F);
            part.tensor("output.weight", 0, {4, 1}, 16);
        },
        "output.weight");
    row(
        "a slice twice",
        [](GgmlBuilder& part) {
            addUsualSlices(part);
            part.tensor("output.weight", 0, {8, 1}, 32);
        },
        "output.weight");
    row(
        "a vector that differs",
        [](GgmlBuilder& part) {
            addNorm(part, 2.0F);
            part.tensor("output.weight", 0, {8, 1}, 32);
        },
        "norm.weight");
}

void TestLegacyPlan::refusesParts() {
    QFETCH(AddSlices, second);
    QFETCH(QString, tensor);
    const auto write = [&](const char* name, AddSlices addSlices) {
        GgmlBuilder part("fmgg", 1);
        part.numbers({1, 8, 32, 1, 1, 8, 0}).token("a", 0.0F); // n_vocab, n_embd, n_mult, n_head, n_layer, n_rot, ftype
        part.tensor("tok_embeddings.weight", 0, {4, 1}, 16);
        addSlices(part);
        part.write(in(name));
    };
    write("old.bin", addUsualSlices);
    if (second != nullptr) {
        write("old.bin.1", second);
    }
    const auto cut = openModel(in("old.bin"));
    QVERIFY(cut);
    QCOMPARE((*cut)->files.size(), 2U);
    const auto plan = planLegacy(*cut);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotSupported);
    QCOMPARE(plan.error().args.at(0).text(), std::string("slices_not_converted 2"));
    QCOMPARE(plan.error().place.name, tensor.toStdString());
}

void TestLegacyPlan::keepsScores() {
    const auto old = open(legacyLlama("tjgg", 1, kQ4_0Version1));
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY(plan);
    const auto scores = std::ranges::find(plan->keys, "tokenizer.ggml.scores", &PlannedKey::key);
    QVERIFY(scores != plan->keys.end());
    QCOMPARE(scores->from, std::string("old.bin:vocabulary"));
    QVERIFY(OwnedValue::sameValue(scores->value.value(), *old->metadata.find("tokenizer.ggml.scores")));
}

// The tensors are left out, and so is the need for them.
void TestLegacyPlan::vocabularyOnly() {
    const auto old = open(legacyLlama("tjgg", 1, kQ4_0Version1));
    QVERIFY(old);
    const auto whole = planLegacy(old);
    const auto plan = planLegacy(old, {}, true);
    QVERIFY(whole);
    QVERIFY(plan);
    QCOMPARE(plan->rows.size(), 0U);
    const auto model = converted(old, *plan);
    QVERIFY(model);
    QCOMPARE(model->tensors.size(), 0U);
    QCOMPARE(model->metadata.array("tokenizer.ggml.tokens")->length, std::uint64_t{kLegacyTokens});
    QCOMPARE(model->metadata.uint("llama.embedding_length"), old->metadata.uint("n_embd"));
    const auto width = std::ranges::find(plan->keys, "llama.feed_forward_length", &PlannedKey::key);
    QVERIFY(width != plan->keys.end());
    QCOMPARE(width->from, std::string("assumed"));
}

void TestLegacyPlan::refuses_data() {
    QTest::addColumn<MakeFile>("make");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* name, MakeFile make, const char* named) {
        QTest::newRow(name) << make << QString::fromLatin1(named);
    };
    row(
        "another family",
        [] {
            GgmlBuilder file("lmgg");
            file.numbers({2, 16, 4, 2, 1, 2, 1, 0}); // n_vocab, n_ctx, n_embd, n_head, n_layer, n_rot, par_res, ftype
            file.token("a").token("b");
            file.tensor("gpt_neox.embed_in.weight", 0, {4, 2}, 32);
            return file;
        },
        "family_not_converted gpt-neox");
    row(
        "an adapter",
        [] {
            GgmlBuilder file("algg", 1);
            file.numbers({2, 4});
            file.padding = 32;
            file.tensor("layers.0.attention.wq.weight.loraA", 0, {2, 4}, 32);
            return file;
        },
        "family_not_converted lora");
    row(
        "blocks that GGUF lacks", [] { return legacyLlama("tjgg", 1, LegacyCase{4, 20, 0, 1, TensorType::Q4_0}); },
        "quantisation_unknown Q4_2");
    row(
        "unknown tensors",
        [] {
            GgmlBuilder file = legacyLlama("tjgg", 1, kQ4_0Version1);
            file.tensor("layers.0.attention.wz.weight", 0, {4}, 16);
            return file;
        },
        "tensors_unmapped 1 layers.0.attention.wz.weight");
}

void TestLegacyPlan::refuses() {
    QFETCH(MakeFile, make);
    QFETCH(QString, named);
    const GgmlBuilder file = make();
    const auto old = open(file);
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotSupported);
    QCOMPARE(plan.error().args.at(0).text(), named.toStdString());
}

void TestLegacyPlan::refusesScalesOutOfRange() {
    GgmlBuilder file = legacyLlama("tjgg", 1, kQ4_0Version1);
    std::vector<std::byte> block(20 * 2);
    store<float>(block.data(), 1e6F); // f16 ends at 65,504
    file.tensor("layers.1.attention.wq.weight", kQ4_0Version1.number, {kLegacyWidth, 1}, block);
    const auto old = open(file);
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY(plan);
    const auto losses = measureLoss(*old, *plan);
    QVERIFY(!losses);
    QCOMPARE(losses.error().code, ErrorCode::WeightOutOfRange);
    QCOMPARE(losses.error().place.name, "layers.1.attention.wq.weight");
    QVERIFY(!converted(old, *plan));
    QVERIFY(!fs::exists(in("new.gguf")));
}

void TestLegacyPlan::cancels() {
    const auto old = open(legacyLlama("tjgg", 1, kQ4_0Version1));
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY(plan);
    std::stop_source stop;
    stop.request_stop();
    const auto losses = measureLoss(*old, *plan, {.stop = stop.get_token()});
    QVERIFY(!losses);
    QCOMPARE(losses.error().code, ErrorCode::Cancelled);
}

// Real files of other families say why they cannot be converted; LLaMA's file has only a vocabulary, which becomes the
// vocabulary of the GGUF file that was made of the same model.
void TestLegacyPlan::readsRealFiles() {
    QDirIterator files(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/legacy"), {"*.bin"}, QDir::Files);
    if (!files.hasNext()) {
        QSKIP("the folder " GUFO_SHARED_DIR "/thirdparty/legacy, which has files of other projects, is missing");
    }
    int read = 0;
    while (files.hasNext()) {
        const QString path = files.next();
        const auto model = openModel(path.toStdString());
        if (!model || !isLegacy(**model)) {
            continue; // files that only share the magic number
        }
        ++read;
        const auto plan = planLegacy(*model);
        if ((*model)->metadata.string("family") != "llama") {
            QVERIFY2(!plan, qPrintable(path));
            QCOMPARE(plan.error().code, ErrorCode::NotSupported);
            continue;
        }
        const auto made = openModel(GUFO_SHARED_DIR "/thirdparty/legacy/gguf-v1-vocab.gguf"); // of the same model
        QVERIFY(plan);
        QVERIFY(made);
        QCOMPARE(plan->rows.size(), 0U);
        for (const KeyValue& kv : (*made)->metadata) {
            const auto key = std::ranges::find(plan->keys, kv.key, &PlannedKey::key);
            QVERIFY2(key != plan->keys.end(), std::string(kv.key).c_str());
            // A converter of the time guessed another epsilon.
            QVERIFY2(kv.key.ends_with("epsilon") || OwnedValue::sameValue(key->value.value(), kv.value),
                     std::string(kv.key).c_str());
        }
    }
    QVERIFY(read > 0);
}

GUFO_TEST(TestLegacyPlan)
#include "tst_legacy_plan.moc"
