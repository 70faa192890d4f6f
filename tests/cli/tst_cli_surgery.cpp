// gufo-cli set with parts of a model: blocks that are dropped, duplicated, taken out and grafted, experts that stay,
// tensors in other types and in files of their own, and dialects, with the logits before and after.
#include "cli_runner.h"
#include "document/open_model.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace gufo::test;

namespace {

const QString kDense = kArchitectures + QStringLiteral("llama.gguf");
const QString kRouted = kArchitectures + QStringLiteral("gpt-oss-mxfp4.gguf"); // with a bias of the router
const QString kPredicting = kArchitectures + QStringLiteral("glm4moe.gguf");   // its last block predicts

} // namespace

class TestCliSurgery : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    [[nodiscard]] QString in(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    // Edits a copy. Empty if that failed.
    [[nodiscard]] QString edited(const QString& from, const char* name, const QStringList& options) const {
        const CliResult set = runCli(QStringList{"set", from, "-o", in(name)} + options);
        if (set.code != 0) {
            qWarning("%s", set.err.constData());
        }
        return set.code == 0 ? in(name) : QString();
    }
    [[nodiscard]] QByteArray logitsOf(const QString& file) const {
        const QString out = in("logits.f32");
        const CliResult eval = runCli({"eval", file, "--tokens", "1,2,3,4", "--logits", out, "--force"});
        if (eval.code != 0) {
            qWarning("%s", eval.err.constData());
        }
        return contentOf(out);
    }
    [[nodiscard]] static QString weightsOf(const QString& file) {
        return runCli({"hash", file, "--json"}).json()["weights"].toString();
    }
    [[nodiscard]] static QJsonValue keyOf(const QString& file, const char* key) {
        return byName(runCli({"info", file, "--json"}).json()["kv"].toArray(), QStringLiteral("key"),
                      QLatin1String(key))["value"];
    }
    // Warnings and errors that the file has and the original does not.
    [[nodiscard]] static QString newFindings(const QString& file, const QString& original) {
        const auto codes = [](const QString& path) {
            QSet<QString> all;
            for (const QJsonValue& finding : runCli({"validate", path, "--json"}).json()["findings"].toArray()) {
                if (finding["severity"] != QStringLiteral("note")) {
                    all.insert(finding["code"].toString());
                }
            }
            return all;
        };
        const QSet<QString> found = codes(file) - codes(original);
        return QStringList(found.begin(), found.end()).join(u' ');
    }

    // The values of a tensor of numbers (F32) in the file.
    static bool patch(const QString& path, const QByteArray& tensor, const std::set<int>& at, float value) {
        const auto model = gufo::openModel(path.toStdString());
        const auto index = model ? (*model)->findTensor(tensor.toStdString()) : std::nullopt;
        if (!index) {
            return false;
        }
        const std::uint64_t offset = (*model)->tensor(*index).offset;
        QFile file(path);
        if (!file.open(QIODevice::ReadWrite)) {
            return false;
        }
        for (const int i : at) {
            file.seek(static_cast<qint64>(offset) + 4 * i);
            file.write(reinterpret_cast<const char*>(&value), sizeof value);
        }
        return true;
    }
    // A copy of a model whose router never chooses some experts: their bias is far below all others.
    [[nodiscard]] QString neverChoosing(const QString& from, const char* bias, const std::set<int>& experts) const {
        const QString file = in("never.gguf");
        if (!QFile::copy(from, file) || !QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner)) {
            return {};
        }
        const auto model = gufo::openModel(from.toStdString());
        bool any = false;
        for (const gufo::TensorInfo& tensor : (*model)->tensors) {
            if (tensor.name.ends_with(bias)) {
                any = patch(file, QByteArray(tensor.name.data(), static_cast<qsizetype>(tensor.name.size())), experts,
                            -1e6F);
            }
        }
        return any ? file : QString();
    }
    static int experts(const QString& file, const char* architecture) {
        return keyOf(file, (QByteArray(architecture) + ".expert_count").constData()).toInt();
    }
    static QString shaOf(const QString& file, const QString& tensor) {
        return byName(runCli({"hash", file, "--json"}).json()["tensors"].toArray(), QStringLiteral("name"),
                      tensor)["sha256"]
            .toString();
    }
    // An importance matrix that counts only some experts of each block with experts.
    [[nodiscard]] QString countsOf(const QString& from, const std::set<int>& unused) const {
        const auto model = gufo::openModel(from.toStdString());
        GgufBuilder file;
        file.key("general.type", "imatrix");
        for (const gufo::TensorInfo& tensor : (*model)->tensors) {
            if (!tensor.name.ends_with("_exps.weight")) {
                continue;
            }
            GgufBytes sums;
            GgufBytes counts;
            for (std::uint64_t i = 0; i < tensor.shape[0] * tensor.shape[2]; ++i) {
                sums.number(unused.contains(static_cast<int>(i / tensor.shape[0])) ? 0.0F : 1.0F);
            }
            for (std::uint64_t i = 0; i < tensor.shape[2]; ++i) {
                counts.number(unused.contains(static_cast<int>(i)) ? 0.0F : 10.0F + static_cast<float>(i));
            }
            const std::string name(tensor.name);
            file.tensor(name + ".in_sum2", kF32, {tensor.shape[0], tensor.shape[2]}, sums.bytes);
            file.tensor(name + ".counts", kF32, {1, tensor.shape[2]}, counts.bytes);
        }
        file.write(in("counts.gguf").toStdString());
        return in("counts.gguf");
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void dropsBlocks_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("list");
        QTest::newRow("the last one") << QStringLiteral("llama.gguf") << QStringLiteral("1");
        QTest::newRow("the first one") << QStringLiteral("llama.gguf") << QStringLiteral("0");
        QTest::newRow("a dense one before experts") << QStringLiteral("glm4moe.gguf") << QStringLiteral("0");
        QTest::newRow("experts") << QStringLiteral("glm4moe.gguf") << QStringLiteral("1-2");
        QTest::newRow("values for each block") << QStringLiteral("nemotron_h.gguf") << QStringLiteral("0");
    }
    void dropsBlocks() {
        QFETCH(const QString, from);
        QFETCH(const QString, list);
        const QString original = kArchitectures + from;
        const QByteArray architecture = runCli({"get", original, "general.architecture"}).out.trimmed();
        const QByteArray key = architecture + ".block_count";
        const QString file = edited(original, "dropped.gguf", {"--drop-blocks", list});
        QVERIFY(!file.isEmpty());
        const int dropped = list.contains(u'-') ? 2 : 1;
        QCOMPARE(keyOf(file, key.constData()).toInt(), keyOf(original, key.constData()).toInt() - dropped);
        QCOMPARE(newFindings(file, original), QString());
        const QByteArray before = logitsOf(original);
        const QByteArray after = logitsOf(file);
        QCOMPARE(after.size(), before.size());
        QVERIFY(after != before);
    }

    // Dropping the copies again gives back the model, and its logits.
    void duplicatesBlocks() {
        const QString twice = edited(kDense, "twice.gguf", {"--duplicate-blocks", "0-1"});
        QVERIFY(!twice.isEmpty());
        const int blocks = keyOf(kDense, "llama.block_count").toInt();
        QCOMPARE(keyOf(twice, "llama.block_count").toInt(), blocks + 2);
        QCOMPARE(newFindings(twice, kDense), QString());
        QVERIFY(weightsOf(twice) != weightsOf(kDense));
        const QByteArray logits = logitsOf(twice);
        QCOMPARE(logits.size(), logitsOf(kDense).size());
        QVERIFY(logits != logitsOf(kDense));
        const QString back = edited(twice, "back.gguf", {"--drop-blocks", "2-3"});
        QCOMPARE(weightsOf(back), weightsOf(kDense));
        QCOMPARE(logitsOf(back), logitsOf(kDense));
        // Copies are found, and called a note: the model was enlarged on purpose.
        const auto findings = runCli({"validate", twice, "--deep", "--json"}).json()["findings"].toArray();
        QCOMPARE(byName(findings, QStringLiteral("code"), QStringLiteral("blocks_equal"))["severity"].toString(),
                 QStringLiteral("note"));
    }

    // Blocks that predict further tokens do not take part in the answer to the last one.
    void takesOutStripsAndGrafts() {
        const QString mtp = in("mtp-glm.gguf");
        const CliResult taken = runCli({"set", kPredicting, "--extract-mtp", mtp});
        QVERIFY2(taken.code == 0, taken.err.constData());
        QCOMPARE(newFindings(mtp, kPredicting), QString());
        const QString stripped = edited(kPredicting, "stripped.gguf", {"--strip-mtp"});
        QVERIFY(!stripped.isEmpty());
        QCOMPARE(newFindings(stripped, kPredicting), QString());
        QCOMPARE(keyOf(stripped, "glm4moe.nextn_predict_layers").toInt(-1), -1); // deleted
        QCOMPARE(logitsOf(stripped), logitsOf(kPredicting));
        const QJsonObject fits = runCli({"fits", stripped, mtp, "--json"}).json();
        QCOMPARE(fits["kind"].toString(), QStringLiteral("mtp"));
        QCOMPARE(fits["fits"].toString(), QStringLiteral("yes"));
        const QString grafted = edited(stripped, "grafted.gguf", {"--graft-mtp", mtp});
        QVERIFY(!grafted.isEmpty());
        QCOMPARE(newFindings(grafted, kPredicting), QString());
        QCOMPARE(weightsOf(grafted), weightsOf(kPredicting));
        QCOMPARE(keyOf(grafted, "glm4moe.nextn_predict_layers"), keyOf(kPredicting, "glm4moe.nextn_predict_layers"));
        QCOMPARE(logitsOf(grafted), logitsOf(kPredicting));
        QCOMPARE(weightsOf(edited(stripped, "again.gguf", {"--graft-mtp", kPredicting})), weightsOf(kPredicting));
    }

    void editsInPlace() {
        const QString file = in("own.gguf");
        QVERIFY(QFile::copy(kDense, file) && QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner));
        const CliResult plan = runCli({"set", file, "--duplicate-blocks", "0", "--dry-run"});
        QVERIFY2(plan.code == 0, plan.err.constData());
        QCOMPARE(weightsOf(file), weightsOf(kDense));
        QCOMPARE(runCli({"set", file, "--duplicate-blocks", "0"}).code, 0);
        QCOMPARE(weightsOf(file), weightsOf(edited(kDense, "other.gguf", {"--duplicate-blocks", "0"})));
        QCOMPARE(runCli({"set", file, "--drop-blocks", "1"}).code, 0);
        QCOMPARE(weightsOf(file), weightsOf(kDense));
    }

    void keepsExperts_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QByteArray>("architecture");
        QTest::addColumn<QByteArray>("bias");
        QTest::newRow("bias of the router, blocks of 4 bits")
            << kRouted << QByteArray("gpt-oss") << QByteArray("ffn_gate_inp.bias");
        QTest::newRow("bias of the choice, shared experts")
            << kPredicting << QByteArray("glm4moe") << QByteArray("exp_probs_b.bias");
    }
    // Without experts that are never chosen, a model answers the same, bit for bit.
    void keepsExperts() {
        QFETCH(const QString, from);
        QFETCH(const QByteArray, architecture);
        QFETCH(const QByteArray, bias);
        const int all = experts(from, architecture.constData());
        QVERIFY(all >= 4);
        const std::set<int> dropped{1, all - 1};
        const QString never = neverChoosing(from, bias.constData(), dropped);
        QVERIFY(!never.isEmpty());
        QStringList left;
        for (int i = 0; i < all; ++i) {
            if (!dropped.contains(i)) {
                left << QString::number(i);
            }
        }
        QFile list(in("experts.txt"));
        QVERIFY(list.open(QIODevice::WriteOnly));
        list.write("# all blocks\n*: " + left.join(u',').toLatin1() + '\n');
        list.close();
        const QString listed = edited(never, "listed.gguf", {"--keep-experts", list.fileName()});
        QVERIFY(!listed.isEmpty());
        QCOMPARE(experts(listed, architecture.constData()), all - 2);
        QCOMPARE(newFindings(listed, never), QString());
        QCOMPARE(logitsOf(listed), logitsOf(never));
        QVERIFY(logitsOf(never) != logitsOf(from)); // the experts mattered before
        // The same experts, because an importance matrix counts only them.
        const QString counts = countsOf(from, dropped);
        const QString weights = weightsOf(listed);
        QCOMPARE(weightsOf(edited(never, "counted.gguf", {"--keep-experts", counts})), weights);
        QCOMPARE(
            weightsOf(edited(never, "number.gguf", {"--keep-experts", QString::number(all - 2), "--imatrix", counts})),
            weights);
    }

    void retypes() {
        const QString file = edited(kDense, "retyped.gguf", {"--retype", "attn_q=Q8_0"});
        QVERIFY(!file.isEmpty());
        QCOMPARE(newFindings(file, kDense), QString());
        const QString whole = in("whole.gguf");
        const CliResult quantised = runCli({"quantize", kDense, whole, "Q8_0"});
        QVERIFY2(quantised.code == 0, quantised.err.constData());
        const QString query = QStringLiteral("blk.0.attn_q.weight");
        const QString key = QStringLiteral("blk.0.attn_k.weight");
        QCOMPARE(shaOf(file, query), shaOf(whole, query)); // by the same encoder
        QVERIFY(shaOf(file, query) != shaOf(kDense, query));
        QCOMPARE(shaOf(file, key), shaOf(kDense, key));
        const QByteArray logits = logitsOf(file);
        QCOMPARE(logits.size(), logitsOf(kDense).size());
        QVERIFY(logits != logitsOf(kDense));
        // Wider types hold the same values.
        const QString back = edited(file, "back.gguf", {"--retype", "attn_q=F32"});
        QCOMPARE(logitsOf(back).size(), logits.size());
        QCOMPARE(newFindings(back, kDense), QString());
    }

    // A table that the model needs gets a file of its own as the second part of the model.
    void movesTableOut() {
        const QString from = kArchitectures + QStringLiteral("gemma3n.gguf");
        const QString first = in("n-00001-of-00002.gguf");
        const QString table = in("n-00002-of-00002.gguf");
        const CliResult moved =
            runCli({"set", from, "-o", first, "--move-out", "per_layer_token_embd.weight=" + table});
        QVERIFY2(moved.code == 0, moved.err.constData());
        QCOMPARE(weightsOf(first), weightsOf(from));
        QCOMPARE(newFindings(first, from), QString());
        QCOMPARE(logitsOf(first), logitsOf(from));
        QVERIFY(QFileInfo(table).size() < QFileInfo(first).size() + QFileInfo(from).size());
        // Under other names, the rest would be no model.
        const CliResult refused = runCli(
            {"set", from, "-o", in("rest.gguf"), "--move-out", "per_layer_token_embd.weight=" + in("table.gguf")});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("-00002-of-00002"), refused.err.constData());
        QVERIFY(!QFile::exists(in("rest.gguf")) && !QFile::exists(in("table.gguf")));
    }

    void movesProjectorOut() {
        GgufBuilder file;
        file.key("general.architecture", "llama")
            .key("general.name", "Seeing")
            .key("llama.block_count", std::uint32_t{1});
        file.key("clip.projector_type", "mlp").key("clip.vision.block_count", std::uint32_t{1});
        file.tensor("token_embd.weight", kF32, {4, 8});
        file.tensor("v.patch_embd.weight", kF32, {4, 8});
        file.tensor("mm.0.weight", kF32, {4, 8});
        file.write(in("seeing.gguf").toStdString());
        const QString projector = in("mmproj.gguf");
        const QString rest = edited(in("seeing.gguf"), "rest.gguf", {"--move-out", "(v|mm)\\..*=" + projector});
        QVERIFY(!rest.isEmpty());
        QCOMPARE(keyOf(projector, "general.architecture").toString(), QStringLiteral("clip"));
        QCOMPARE(keyOf(projector, "clip.projector_type").toString(), QStringLiteral("mlp"));
        QCOMPARE(keyOf(projector, "llama.block_count").toInt(-1), -1);
        QCOMPARE(keyOf(rest, "clip.projector_type").toString(), QString());
        QCOMPARE(runCli({"hash", projector, "--json"}).json()["tensors"].toArray().size(), 2);
        QCOMPARE(runCli({"hash", rest, "--json"}).json()["tensors"].toArray().size(), 1);
    }

    // A file of Ollama's library, made by the differences that are known, becomes the common form again.
    void convertsOllamasDialect() {
        const QString from = kArchitectures + QStringLiteral("gpt-oss.gguf");
        const QString dialect =
            edited(from, "dialect.gguf",
                   {"general.architecture=gptoss", "--delete", "gpt-oss.expert_feed_forward_length", "--rename-tensor",
                    "\\.attn_output\\.=.attn_out.", "--rename-tensor", "\\.attn_sinks\\.weight$=.attn_sinks",
                    "--rename-tensor", "\\.post_attention_norm\\.=.ffn_norm."});
        QVERIFY(!dialect.isEmpty());
        QVERIFY2(newFindings(dialect, from).contains(QStringLiteral("ollama_dialect")),
                 qPrintable(newFindings(dialect, from)));
        const QString common = edited(dialect, "common.gguf", {"--repair", "ollama_dialect"});
        QVERIFY(!common.isEmpty());
        QCOMPARE(newFindings(common, from), QString());
        QCOMPARE(weightsOf(common), weightsOf(from));
        QCOMPARE(logitsOf(common), logitsOf(from));
    }

    void comparesWithTheStatedBase() {
        const auto codes = [](const QStringList& arguments) {
            QStringList all;
            for (const QJsonValue& finding : runCli(arguments).json()["findings"].toArray()) {
                all << finding["code"].toString();
            }
            return all;
        };
        const QString quantised = in("quantised.gguf");
        QVERIFY(runCli({"quantize", kDense, quantised, "Q4_0"}).code == 0);
        QVERIFY(!codes({"validate", quantised, "--base", kDense, "--json"}).contains(QStringLiteral("not_of_base")));
        // Its first block is another one's.
        const QString other = edited(quantised, "other.gguf", {"--drop-blocks", "0"});
        QVERIFY(codes({"validate", other, "--base", kDense, "--json"}).contains(QStringLiteral("not_of_base")));
        // A model of other shapes is no base, although nothing can be compared.
        const CliResult sizes = runCli({"validate", quantised, "--base", kPredicting});
        QCOMPARE(sizes.code, 1);
        QVERIFY2(sizes.out.contains("Not judged: whether the weights"), sizes.out.constData());
    }

    void refuses_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* name, const char* from, const QStringList& options, const char* why) {
            QTest::newRow(name) << kArchitectures + QLatin1String(from) << options << QByteArray(why);
        };
        row("a block that is not there", "llama.gguf", {"--drop-blocks", "99"}, "there is no block 99");
        row("all blocks", "llama.gguf", {"--drop-blocks", "0-1"}, "no block would be left");
        row("no list", "llama.gguf", {"--drop-blocks", "two"}, "takes numbers of blocks");
        row("a list that runs backwards", "llama.gguf", {"--drop-blocks", "1-0"}, "takes numbers of blocks");
        row("nothing to strip", "llama.gguf", {"--strip-mtp"}, "no blocks that predict");
        row("nothing to take out", "llama.gguf", {"--extract-mtp", "OUT"}, "no blocks that predict");
        row("nothing to graft", "llama.gguf", {"--graft-mtp", kDense}, "no blocks that predict");
        row("another architecture", "llama.gguf", {"--graft-mtp", kPredicting}, "architecture");
        row("blocks that are there already", "glm4moe.gguf", {"--graft-mtp", kPredicting}, "already has blocks");
        row("kinds by number", "gemma3.gguf", {"--drop-blocks", "0"}, "follows from its number");
        row("too few experts", "glm4moe.gguf", {"--keep-experts", "1", "--imatrix", "COUNTS"}, "can be kept");
        row("experts without counts", "glm4moe.gguf", {"--keep-experts", "4"}, "importance matrix");
        row("experts of a dense model", "llama.gguf", {"--keep-experts", "2", "--imatrix", "COUNTS"}, "no experts");
        row("an unknown type", "llama.gguf", {"--retype", "attn_q=Q9"}, "REGEX=TYPE");
        row("a type that needs importance", "llama.gguf", {"--retype", "attn_q=IQ1_S"}, "importance matrix");
        row("no such tensor", "llama.gguf", {"--retype", "attn_nothing=Q8_0"}, "attn_nothing");
        row("nothing to move", "llama.gguf", {"--move-out", "nothing=OUT"}, "no tensor would be moved");
        row("a part of a model", "llama.gguf", {"--move-out", "token_embd.weight=OUT"}, "-00002-of-00002");
        row("what would not run", "qwen35.gguf", {"--drop-blocks", "0"}, "lacks what every qwen35 model has");
        row("what would have another shape", "rwkv7.gguf", {"--duplicate-blocks", "0"}, "blk.1.time_mix_v1.weight");
        row("copies of predictions", "glm4moe.gguf", {"--duplicate-blocks", "3"}, "there is no block");
    }
    void refuses() {
        QFETCH(const QString, from);
        QFETCH(QStringList, options);
        QFETCH(const QByteArray, why);
        const QString out = in("refused.gguf");
        const CliResult got = runCli(
            QStringList{"set", from, "-o", out} +
            options.replaceInStrings("OUT", in("mtp.gguf")).replaceInStrings("COUNTS", countsOf(kPredicting, {})));
        QCOMPARE(got.code, 2);
        QCOMPARE(got.err.count('\n'), 1);
        QVERIFY2(got.err.contains(why), got.err.constData());
        QVERIFY(!QFile::exists(out) && !QFile::exists(in("mtp.gguf")));
    }
};

GUFO_TEST(TestCliSurgery)
#include "tst_cli_surgery.moc"
