// gufo-cli fits: pairs of files of every kind, in both orders.
#include "cli_runner.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

namespace {

const QString kVision = QStringLiteral(GUFO_SHARED_DIR "/fixtures/vision/");

// A text model with a width and a vocabulary.
GgufBuilder textModel(const char* architecture, std::uint32_t width, std::vector<std::string> tokens,
                      std::uint64_t rows = 0) {
    GgufBuilder file;
    const std::string prefix = architecture;
    file.key("general.architecture", architecture);
    file.key(prefix + ".embedding_length", width).key(prefix + ".block_count", std::uint32_t{1});
    file.key("tokenizer.ggml.model", "gpt2");
    file.key("tokenizer.ggml.merges", std::vector<std::string>{});
    const std::uint64_t count = rows != 0 ? rows : tokens.size();
    file.key("tokenizer.ggml.tokens", tokens);
    file.tensor("token_embd.weight", kF32, {width, count});
    file.tensor("blk.0.ffn_up.weight", kF32, {width, width * 4});
    return file;
}

GgufBuilder projector(const char* type, const char* matrix, const std::vector<std::uint64_t>& dims) {
    GgufBuilder file;
    file.key("general.architecture", "clip").key("general.type", "mmproj").key("clip.projector_type", type);
    file.tensor(matrix, kF32, dims);
    return file;
}

} // namespace

class TestCliFits : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] QString local(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString written(const char* name, const GgufBuilder& file) const {
        file.write(local(QString::fromLatin1(name)).toStdString());
        return local(QString::fromLatin1(name));
    }

    // The answer for both orders, which must agree: "verdict kind code code …".
    static QString answer(const QString& a, const QString& b) {
        QStringList answers;
        for (const QStringList& files : {QStringList{a, b}, QStringList{b, a}}) {
            const auto got =
                runCli(QStringList{QStringLiteral("fits")} + files + QStringList{QStringLiteral("--json")});
            const QJsonObject json = got.json();
            QStringList words{json[QStringLiteral("fits")].toString(), json[QStringLiteral("kind")].toString()};
            for (const QJsonValue& reason : json[QStringLiteral("reasons")].toArray()) {
                words << reason[QStringLiteral("code")].toString();
                if (reason[QStringLiteral("text")].toString().contains(u'%')) {
                    words << QStringLiteral("unfilled: ") + reason[QStringLiteral("text")].toString();
                }
                if (reason[QStringLiteral("text")].toString().contains(QStringLiteral("glm4,glm4moe"))) {
                    words << QStringLiteral("a list without spaces");
                }
            }
            const int expected = words[0] == QStringLiteral("no") ? 1 : 0;
            if (got.code != expected) {
                words << QStringLiteral("exit code %1: ").arg(got.code) + QString::fromUtf8(got.err);
            }
            answers << words.join(u' ');
        }
        return answers[0] == answers[1] ? answers[0] : answers.join(QStringLiteral(" / "));
    }

private slots:
    void pairs_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("expected");
        const std::vector<std::string> vision{"a", "b", "<|vision_start|>", "<|vision_end|>"};
        const auto qwen = textModel("qwen2vl", 8, vision);
        const QString model = written("qwen.gguf", qwen);
        const auto row = [](const char* name, const QString& a, const QString& b, const char* expected) {
            QTest::newRow(name) << a << b << QString::fromLatin1(expected);
        };
        row("a projector", model, written("p1.gguf", projector("qwen2vl_merger", "mm.2.weight", {16, 8})),
            "yes projector projector_fits");
        row("a projector of another width", model,
            written("p2.gguf", projector("qwen2vl_merger", "mm.2.weight", {16, 12})), "no projector projector_width");
        row("a projector of another family", model,
            written("p3.gguf", projector("gemma3", "mm.input_projection.weight", {8, 16})),
            "no projector projector_of_another_family projector_token projector_token");
        row("a projector of other families", model, written("p7.gguf", projector("glm4v", "mm.down.weight", {16, 8})),
            "no projector projector_of_another_family projector_token projector_token");
        row("a projector of an unknown type", model, written("p4.gguf", projector("later", "mm.2.weight", {16, 8})),
            "limited projector projector_width_unknown");
        row("a projector without its matrix", model, written("p5.gguf", projector("qwen2vl_merger", "mm.9", {16, 8})),
            "limited projector projector_width_unknown");
        row("a vocabulary without the tokens of pictures", written("plain.gguf", textModel("qwen2vl", 8, {"a", "b"})),
            local(QStringLiteral("p1.gguf")), "limited projector projector_token projector_token");
        auto deep = projector("qwen3vl_merger", "mm.2.weight", {16, 8});
        deep.tensor("v.deepstack.5.fc2.weight", kF32, {16, 8});
        auto deepModel = textModel("qwen3vl", 8, vision);
        deepModel.key("qwen3vl.n_deepstack_layers", std::uint32_t{1});
        row("a projector for deeper blocks", written("deep.gguf", deepModel), written("p6.gguf", deep),
            "yes projector projector_fits");
        row("deeper blocks that the model lacks", written("flat.gguf", textModel("qwen3vl", 8, vision)),
            local(QStringLiteral("p6.gguf")), "no projector projector_width");

        const QString small = written("small.gguf", textModel("llama", 4, {"a", "b", "c"}));
        row("a draft", written("large.gguf", textModel("llama", 64, {"a", "b", "c"})), small, "yes draft draft_fits");
        row("a draft with a padded vocabulary", written("padded.gguf", textModel("llama", 64, {"a", "b", "c", "d"})),
            small, "limited draft draft_fits draft_sizes");
        row("a draft of another vocabulary", written("other.gguf", textModel("llama", 64, {"a", "x", "c"})), small,
            "no draft draft_token");
        row("two models of one size", written("same.gguf", textModel("llama", 4, {"a", "b", "c"})), small,
            "limited draft draft_fits draft_not_smaller");
        auto ends = textModel("llama", 64, {"a", "b", "c"});
        ends.key("tokenizer.ggml.eos_token_id", std::uint32_t{1});
        auto endsOtherwise = textModel("llama", 4, {"a", "b", "c"});
        endsOtherwise.key("tokenizer.ggml.eos_token_id", std::uint32_t{2});
        row("a draft with another end", written("ends.gguf", ends), written("ends2.gguf", endsOtherwise),
            "limited draft draft_fits draft_special_token");
        row("too few rows of embeddings", written("rows.gguf", textModel("llama", 64, {"a", "b", "c"}, 2)), small,
            "no draft draft_fits embedding_rows");
        GgufBuilder silent;
        silent.key("general.architecture", "llama").tensor("token_embd.weight", kF32, {64, 3});
        row("a model without a vocabulary", written("silent.gguf", silent), small, "no draft draft_vocabulary_missing");

        const QString sample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
        row("quantisations of one model", sample,
            QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf"),
            "limited draft draft_fits draft_not_smaller");

        GgufBuilder adapter;
        adapter.key("general.architecture", "llama").key("general.type", "adapter").key("adapter.type", "lora");
        adapter.key("adapter.lora.alpha", 1.0F);
        auto good = adapter;
        good.tensor("blk.0.ffn_up.weight.lora_a", kF32, {4, 2}).tensor("blk.0.ffn_up.weight.lora_b", kF32, {2, 16});
        row("an adapter", small, written("lora.gguf", good), "yes adapter adapter_fits");
        auto wide = adapter;
        wide.tensor("blk.0.ffn_up.weight.lora_a", kF32, {8, 2}).tensor("blk.0.ffn_up.weight.lora_b", kF32, {2, 16});
        row("an adapter of another width", small, written("wide.gguf", wide), "no adapter adapter_partly_fits");
        row("an adapter of another architecture", model, local(QStringLiteral("lora.gguf")),
            "no adapter adapter_refused");
        row("an adapter without matrices", small, written("empty.gguf", adapter), "no adapter adapter_changes_nothing");

        GgufBuilder imatrix;
        imatrix.key("general.type", "imatrix").key("imatrix.datasets", std::vector<std::string>{"x"});
        imatrix.key("imatrix.chunk_count", std::uint32_t{1}).key("imatrix.chunk_size", std::uint32_t{16});
        const auto add = [](GgufBuilder file, const char* tensor, std::uint64_t columns) {
            const std::vector<std::byte> ones = [&] {
                GgufBytes bytes;
                for (std::uint64_t i = 0; i < columns; ++i) {
                    bytes.number(1.0F);
                }
                return bytes.bytes;
            }();
            file.tensor(std::string(tensor) + ".in_sum2", kF32, {columns, 1}, ones);
            file.tensor(std::string(tensor) + ".counts", kF32, {1, 1}, GgufBytes().number(1.0F).bytes);
            return file;
        };
        row("an importance matrix", small, written("i1.gguf", add(imatrix, "blk.0.ffn_up.weight", 4)),
            "yes imatrix imatrix_fits");
        row("an importance matrix of another width", small,
            written("i2.gguf", add(add(imatrix, "blk.0.ffn_up.weight", 8), "blk.0.ffn_down.weight", 4)),
            "no imatrix imatrix_fits_nothing");
        row("an importance matrix of a longer model", small,
            written("i3.gguf", add(add(imatrix, "blk.0.ffn_up.weight", 4), "blk.1.ffn_up.weight", 4)),
            "limited imatrix imatrix_without_tensor");
        row("an importance matrix of another model", small, written("i4.gguf", add(imatrix, "other.weight", 4)),
            "no imatrix imatrix_fits_nothing");

        GgufBuilder blocks;
        blocks.key("general.architecture", "llama").key("llama.embedding_length", std::uint32_t{4});
        blocks.key("llama.block_count", std::uint32_t{2}).key("llama.nextn_predict_layers", std::uint32_t{1});
        blocks.tensor("blk.1.nextn.eh_proj.weight", kF32, {8, 4});
        row("prediction blocks", small, written("mtp.gguf", blocks), "yes mtp mtp_fits");
        row("prediction blocks of another width", written("w.gguf", textModel("llama", 8, {"a"})),
            local(QStringLiteral("mtp.gguf")), "no mtp mtp_width");
        row("prediction blocks of another architecture", model, local(QStringLiteral("mtp.gguf")),
            "no mtp mtp_architecture");

        row("a projector and an adapter", local(QStringLiteral("p1.gguf")), local(QStringLiteral("lora.gguf")),
            "no none no_pair");
    }

    void pairs() {
        QFETCH(const QString, first);
        QFETCH(const QString, second);
        QFETCH(const QString, expected);
        QCOMPARE(answer(first, second), expected);
    }

    // Every pair of published kinds fits, and every projector is refused by the models of other pairs whose width or
    // family differs.
    void publishedProjectors() {
        const QStringList projectors = QDir(kVision).entryList({QStringLiteral("*.mmproj.gguf")});
        if (projectors.isEmpty()) {
            QSKIP("the folder shared/fixtures/vision is missing");
        }
        for (const QString& name : projectors) {
            const QString model = QString(name).replace(QStringLiteral(".mmproj.gguf"), QStringLiteral(".gguf"));
            const QString got = answer(kVision + name, kVision + model);
            QVERIFY2(!got.startsWith(QStringLiteral("no")), qPrintable(name + QStringLiteral(": ") + got));
        }
        QVERIFY(answer(kVision + QStringLiteral("gemma3.mmproj.gguf"), kVision + QStringLiteral("qwen3vl.gguf"))
                    .startsWith(QStringLiteral("no projector")));
    }

    void partsThatAreMissing() {
        const QString sample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
        QVERIFY(runCli({QStringLiteral("split"), sample, local(QStringLiteral("part")), QStringLiteral("--max-tensors"),
                        QStringLiteral("20")})
                    .code == 0);
        const QStringList parts = QDir(m_folder.path()).entryList({QStringLiteral("part-*.gguf")});
        QVERIFY(parts.size() > 1);
        QVERIFY(QFile::remove(local(parts.last())));
        const QString got = answer(local(parts.first()), sample);
        QVERIFY2(got.startsWith(QStringLiteral("no")) && got.contains(QStringLiteral("part_missing")), qPrintable(got));
    }

    void words() {
        const QString model = written("words.gguf", textModel("qwen2vl", 8, {"a"}));
        const QString other = written("words-p.gguf", projector("qwen2vl_merger", "mm.2.weight", {16, 12}));
        const auto got = runCli({QStringLiteral("fits"), model, other});
        QCOMPARE(got.code, 1);
        QVERIFY2(got.out.startsWith("They do not fit (a projector for the model):\n") &&
                     got.out.contains("embeddings of 12 elements, but the model reads 8"),
                 got.out.constData());
        const auto missing = runCli({QStringLiteral("fits"), model, local(QStringLiteral("none.gguf"))});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("none.gguf"), missing.err.constData());
    }
};

GUFO_TEST(TestCliFits)
#include "tst_cli_fits.moc"
