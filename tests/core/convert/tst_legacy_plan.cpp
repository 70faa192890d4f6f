// LLaMA's files from before GGUF: codes survive, scales are rounded within what is stated, the result runs in the
// engine and computes what the decoded weights of the source compute. What cannot be converted is refused by name.
#include "base/detail.h"
#include "convert/convert_folder.h"
#include "convert/legacy_plan.h"
#include "document/open_model.h"
#include "support/fixture_models.h"
#include "support/ggml_builder.h"
#include "support/test_unit.h"

#include <QDirIterator>
#include <QTemporaryDir>

#include <map>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

constexpr std::int32_t kTokens = 261; // control tokens, bytes, and two pieces
constexpr std::int32_t kWidth = 64;
constexpr std::int32_t kFeedForward = 96;
constexpr std::int32_t kHeads = 2;

// A type as GGJT numbered it, with the sizes that its blocks had in each version.
struct LegacyCase {
    std::int32_t number;
    std::size_t blockBytes;
    std::size_t floats; // numbers of 4 bytes at the start of a block
    std::size_t halves; // numbers of 2 bytes
    TensorType becomes;
};

} // namespace
Q_DECLARE_METATYPE(LegacyCase)
namespace {

class Random {
public:
    std::uint32_t next() { return m_state = m_state * 1'664'525U + 1'013'904'223U; }
    float scale() { return 0.01F + static_cast<float>(next() >> 12U) * 1e-8F; } // more digits than f16 has

private:
    std::uint32_t m_state = 1;
};

std::vector<std::byte> blocks(const LegacyCase& type, std::size_t weights, Random& random) {
    std::vector<std::byte> bytes(weights / 32 * type.blockBytes);
    for (std::size_t block = 0; block < bytes.size(); block += type.blockBytes) {
        std::size_t at = block;
        for (std::size_t i = 0; i < type.floats; ++i, at += 4) {
            store<float>(bytes.data() + at, (i == 0 ? 1.0F : -8.0F) * random.scale());
        }
        for (std::size_t i = 0; i < type.halves; ++i, at += 2) {
            store<std::uint16_t>(bytes.data() + at, i == 0 ? 0x2233 : 0xB044);
        }
        for (; at < block + type.blockBytes; ++at) {
            bytes[at] = static_cast<std::byte>(random.next() >> 24U);
        }
    }
    return bytes;
}

std::vector<std::byte> floats(std::size_t count, float value) {
    std::vector<std::byte> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        store<float>(bytes.data() + 4 * i, value + 0.001F * static_cast<float>(i % 7));
    }
    return bytes;
}

std::vector<float> valuesOf(const Model& model, std::string_view name) {
    const auto index = model.findTensor(name);
    if (!index) {
        return {};
    }
    std::vector<float> values(model.tensor(*index).weights());
    const auto rows = model.rowsOf(model.tensor(*index));
    return rows && decode(*rows, 0, values) ? values : std::vector<float>();
}

// A model of one block whose matrices have the type; only the first slice of its token embedding if it is cut.
GgmlBuilder llamaFile(std::string_view magic, std::optional<std::uint32_t> version, const LegacyCase& type,
                      std::int32_t slices = 1) {
    GgmlBuilder file(magic, version);
    const bool scored = magic != "lmgg";
    // n_vocab, n_embd, n_mult, n_head, n_layer, n_rot, ftype
    file.numbers({kTokens, kWidth, 32, kHeads, 1, kWidth / kHeads, 0});
    const auto token = [&](std::string_view text, float score) { scored ? file.token(text, score) : file.token(text); };
    token(scored ? "<unk>" : "", 0);
    token(scored ? "<s>" : "", 0);
    token(scored ? "</s>" : "", 0);
    for (int byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        token(std::string_view(&c, 1), 0);
    }
    token(" a", 0);
    token("bc", -1);
    file.padding = magic == "tjgg" ? 32 : 0;
    Random random;
    const auto matrix = [&](const std::string& name, std::int32_t columns, std::int32_t rows) {
        file.tensor(name, type.number, {columns, rows}, blocks(type, static_cast<std::size_t>(columns * rows), random));
    };
    const auto norm = [&](const std::string& name) { file.tensor(name, 0, {kWidth}, floats(kWidth, 1)); };
    matrix("tok_embeddings.weight", kWidth / slices, kTokens);
    norm("norm.weight");
    matrix("output.weight", kWidth, kTokens);
    norm("layers.0.attention_norm.weight");
    norm("layers.0.ffn_norm.weight");
    matrix("layers.0.attention.wq.weight", kWidth, kWidth);
    matrix("layers.0.attention.wk.weight", kWidth, kWidth);
    matrix("layers.0.attention.wv.weight", kWidth, kWidth);
    matrix("layers.0.attention.wo.weight", kWidth, kWidth);
    matrix("layers.0.feed_forward.w1.weight", kWidth, kFeedForward);
    matrix("layers.0.feed_forward.w2.weight", kFeedForward, kWidth);
    matrix("layers.0.feed_forward.w3.weight", kWidth, kFeedForward);
    return file;
}

constexpr LegacyCase kQ4_0Version1 = {2, 20, 1, 0, TensorType::Q4_0};

std::vector<float> logitsOf(const std::shared_ptr<const Model>& model) {
    const auto loaded = inference::loadForInference(model);
    const auto session = loaded
                             ? (*loaded)->startSession(
                                   {.context = 16, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 1})
                             : std::unexpected(loaded.error());
    return session ? test::logitsOf(**session, someTokens(8, kTokens), 8) : std::vector<float>();
}

} // namespace

class TestLegacyPlan final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void keepsCodes_data();
    void keepsCodes();
    void statesWhatFilesLack();
    void keepsScores();
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
    QTest::addColumn<QByteArray>("magic");
    QTest::addColumn<int>("version");
    QTest::addColumn<LegacyCase>("type");
    const QByteArray ggjt = "tjgg";
    QTest::newRow("no version, Q4_0") << QByteArray("lmgg") << 0 << kQ4_0Version1;
    QTest::newRow("GGMF, Q4_1") << QByteArray("fmgg") << 1 << LegacyCase{3, 24, 2, 0, TensorType::Q4_1};
    QTest::newRow("version 1, F32") << ggjt << 1 << LegacyCase{0, 128, 32, 0, TensorType::F32};
    QTest::newRow("version 1, F16") << ggjt << 1 << LegacyCase{1, 64, 0, 32, TensorType::F16};
    QTest::newRow("version 1, Q4_0") << ggjt << 1 << kQ4_0Version1;
    QTest::newRow("version 1, Q4_1") << ggjt << 1 << LegacyCase{3, 24, 2, 0, TensorType::Q4_1};
    QTest::newRow("version 1, Q5_0") << ggjt << 1 << LegacyCase{6, 22, 0, 1, TensorType::Q5_0};
    QTest::newRow("version 1, Q5_1") << ggjt << 1 << LegacyCase{7, 24, 0, 2, TensorType::Q5_1};
    QTest::newRow("version 1, Q8_0") << ggjt << 1 << LegacyCase{8, 36, 1, 0, TensorType::Q8_0};
    QTest::newRow("version 2, Q4_0") << ggjt << 2 << LegacyCase{2, 20, 1, 0, TensorType::Q4_0};
    QTest::newRow("version 2, Q4_1") << ggjt << 2 << LegacyCase{3, 24, 2, 0, TensorType::Q4_1};
    QTest::newRow("version 2, Q5_1") << ggjt << 2 << LegacyCase{7, 24, 0, 2, TensorType::Q5_1};
    QTest::newRow("version 2, Q8_0") << ggjt << 2 << LegacyCase{8, 36, 1, 0, TensorType::Q8_0};
    QTest::newRow("version 3, Q4_0") << ggjt << 3 << LegacyCase{2, 18, 0, 1, TensorType::Q4_0};
    QTest::newRow("version 3, Q8_0") << ggjt << 3 << LegacyCase{8, 34, 0, 1, TensorType::Q8_0};
}

void TestLegacyPlan::keepsCodes() {
    QFETCH(QByteArray, magic);
    QFETCH(int, version);
    QFETCH(LegacyCase, type);
    const auto old = open(
        llamaFile({magic.constData(), 4}, version == 0 ? std::nullopt : std::optional(std::uint32_t(version)), type));
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
    const auto old = open(llamaFile("lmgg", {}, kQ4_0Version1));
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
    QCOMPARE(model->metadata.uint("llama.feed_forward_length"), std::optional<std::uint64_t>(kFeedForward));
    QCOMPARE(model->metadata.uint("llama.attention.head_count_kv"), std::optional<std::uint64_t>(kHeads));
    QCOMPARE(model->metadata.uint("general.file_type"), std::optional<std::uint64_t>(2)); // Q4_0
    QCOMPARE(model->metadata.uint("tokenizer.ggml.eos_token_id"), std::optional<std::uint64_t>(2));
}

void TestLegacyPlan::keepsScores() {
    const auto old = open(llamaFile("tjgg", 1, kQ4_0Version1));
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY(plan);
    const auto scores = std::ranges::find(plan->keys, "tokenizer.ggml.scores", &PlannedKey::key);
    QVERIFY(scores != plan->keys.end());
    QCOMPARE(scores->from, std::string("old.bin:vocabulary"));
    QVERIFY(OwnedValue::sameValue(scores->value.value(), *old->metadata.find("tokenizer.ggml.scores")));
}

void TestLegacyPlan::refuses_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("named");
    QTest::newRow("another family") << 0 << "family_not_converted gpt-neox";
    QTest::newRow("an adapter") << 1 << "family_not_converted lora";
    QTest::newRow("blocks that GGUF lacks") << 2 << "quantisation_unknown Q4_2";
    QTest::newRow("unknown tensors") << 3 << "tensors_unmapped 1 layers.0.attention.wz.weight";
    QTest::newRow("parts") << 4 << "slices_not_converted 2";
}

void TestLegacyPlan::refuses() {
    QFETCH(int, which);
    QFETCH(QString, named);
    GgmlBuilder file = llamaFile("tjgg", 1, which == 2 ? LegacyCase{4, 20, 0, 1, TensorType::Q4_0} : kQ4_0Version1);
    if (which == 0) {
        file = GgmlBuilder("lmgg");
        file.numbers({2, 16, 4, 2, 1, 2, 1, 0}); // n_vocab, n_ctx, n_embd, n_head, n_layer, n_rot, par_res, ftype
        file.token("a").token("b");
        file.tensor("gpt_neox.embed_in.weight", 0, {4, 2}, 32);
    } else if (which == 1) {
        file = GgmlBuilder("algg", 1);
        file.numbers({2, 4});
        file.padding = 32;
        file.tensor("layers.0.attention.wq.weight.loraA", 0, {2, 4}, 32);
    } else if (which == 3) {
        file.tensor("layers.0.attention.wz.weight", 0, {4}, 16);
    } else if (which == 4) {
        file = llamaFile("fmgg", 1, kQ4_0Version1, 2);
        file.write(in("old.bin.1"));
    }
    const auto old = open(file);
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotSupported);
    QCOMPARE(plan.error().args.at(0).text(), named.toStdString());
}

void TestLegacyPlan::refusesScalesOutOfRange() {
    GgmlBuilder file = llamaFile("tjgg", 1, kQ4_0Version1);
    std::vector<std::byte> block(20 * 2);
    store<float>(block.data(), 1e6F); // f16 ends at 65,504
    file.tensor("layers.1.attention.wq.weight", kQ4_0Version1.number, {kWidth, 1}, block);
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
    const auto old = open(llamaFile("tjgg", 1, kQ4_0Version1));
    QVERIFY(old);
    const auto plan = planLegacy(old);
    QVERIFY(plan);
    std::stop_source stop;
    stop.request_stop();
    const auto losses = measureLoss(*old, *plan, {.stop = stop.get_token()});
    QVERIFY(!losses);
    QCOMPARE(losses.error().code, ErrorCode::Cancelled);
}

// Real files of other families say why they cannot be converted; that of LLaMA has only a vocabulary.
void TestLegacyPlan::readsRealFiles() {
    QDirIterator files(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/legacy"), {"*.bin"}, QDir::Files);
    if (!files.hasNext()) {
        QSKIP("only ../shared has files of other projects");
    }
    while (files.hasNext()) {
        const QString path = files.next();
        const auto model = openModel(path.toStdString());
        if (!model || !isLegacy(**model)) {
            continue; // files that only share the magic number
        }
        const auto plan = planLegacy(*model);
        QVERIFY2(!plan, qPrintable(path));
        const bool isLlama = (*model)->metadata.string("family") == "llama";
        QCOMPARE(plan.error().code, isLlama ? ErrorCode::NoSuchTensor : ErrorCode::NotSupported);
    }
}

GUFO_TEST(TestLegacyPlan)
#include "tst_legacy_plan.moc"
