// Swapped tensors (--with), the verb blame, recipes, and the verb plan of gufo-cli.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gufo::test;

namespace {

const QString kFirst = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
const QString kSecond = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");
const QString kOther = QStringLiteral(GUFO_TEST_DATA "/architectures/qwen3moe.gguf");

QByteArray bytesIn(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestCliBlame : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", m_folder.path().toLocal8Bit()); // where calibrations are kept
        QFile text(file("text"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("Once upon a time there was a little girl who had a dog and a cat. They ran to the park and saw a "
                   "big tree, and the dog was very happy. Then they all went home and had some cake.");
    }

    void runsWithTensorsOfAnotherFile() {
        const auto logits = [&](const QString& model, const QStringList& with) {
            QFile::remove(file("logits"));
            QStringList arguments{"eval", model, "--tokens", "1,2,3,4,5", "--logits", file("logits")};
            for (const QString& rule : with) {
                arguments << "--with" << rule;
            }
            const CliResult result = runCli(arguments);
            return result.code == 0 ? bytesIn(file("logits")) : result.err;
        };
        const QByteArray f16 = logits(kFirst, {});
        const QByteArray q4 = logits(kSecond, {});
        QCOMPARE(logits(kFirst, {".=" + kSecond}), q4);
        QCOMPARE(logits(kSecond, {".=" + kFirst}), f16);
        QCOMPARE(logits(kFirst, {"attn_v=" + kFirst, "=" + kSecond}).contains("REGEX=FILE"), true);
        const QByteArray values = logits(kFirst, {"attn_v=" + kSecond});
        QVERIFY(values != f16 && values != q4);
        // The first match counts, and = inside of an expression is not the end of it.
        QCOMPARE(logits(kFirst, {R"(attn_(?=v)=)" + kSecond, "attn_v=" + kFirst}), values);
        QCOMPARE(logits(kSecond, {"attn_v=" + kSecond, ".=" + kFirst}), values);
        const QStringList generate{"generate", kFirst, "-p", "Once", "--temp", "0", "-n", "12"};
        QCOMPARE(runCli(generate + QStringList{"--with", ".=" + kSecond}).out,
                 runCli({"generate", kSecond, "-p", "Once", "--temp", "0", "-n", "12"}).out);
    }

    void comparesWithSwappedTensors() {
        const QStringList arguments{"perplexity", kFirst, file("text"), "--ctx", "32", "--json"};
        const double all = runCli(arguments + QStringList{"--against", kSecond}).json()["kl_mean"].toDouble();
        QVERIFY(all > 0);
        QCOMPARE(runCli(arguments + QStringList{"--with", ".=" + kSecond}).json()["kl_mean"].toDouble(), all);
        QCOMPARE(
            runCli(arguments + QStringList{"--against", kSecond, "--with", ".=" + kFirst}).json()["kl_mean"].toDouble(),
            0.0);
        const double part =
            runCli(arguments + QStringList{"--with", "ffn_down=" + kSecond}).json()["kl_mean"].toDouble();
        QVERIFY(part > 0 && part < all);
    }

    void refusesSwaps_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no file") << QStringList{"--with", "attn_v"} << QByteArray("REGEX=FILE");
        QTest::newRow("bad expression") << QStringList{"--with", "(=x"} << QByteArray("REGEX=FILE");
        QTest::newRow("no match") << QStringList{"--with", "nothing=" + kSecond}
                                  << QByteArray("no tensor matches \"nothing\"");
        QTest::newRow("missing file") << QStringList{"--with", "attn_v=absent.gguf"} << QByteArray("absent.gguf");
        QTest::newRow("other architecture") << QStringList{"--with", "attn_v=" + kOther} << QByteArray("architecture");
        QTest::newRow("kept prompts") << QStringList{"--keep-prompts", "--with", "attn_v=" + kSecond}
                                      << QByteArray("cannot be combined");
        QTest::newRow("server") << QStringList{"--engine", "http://127.0.0.1:9", "--with", "attn_v=" + kSecond}
                                << QByteArray("\"server\"");
        QTest::newRow("other engine") << QStringList{"--engine", "libllama", "--with", "attn_v=" + kSecond}
                                      << QByteArray("\"libllama\"");
    }
    void refusesSwaps() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, words);
        const CliResult result = runCli(QStringList{"generate", kFirst, "-p", "x", "-n", "1"} + options);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(words), result.err.constData());
        QVERIFY(result.err.size() < 500);
    }

    void blames() {
        const QStringList arguments{"blame", kFirst, kSecond, file("text"), "--ctx", "32"};
        const QJsonObject found = runCli(arguments + QStringList{"--json", "--layers"}).json();
        const double total = found["total_kl"].toDouble();
        const double measured =
            runCli({"perplexity", kFirst, file("text"), "--ctx", "32", "--against", kSecond, "--json"})
                .json()["kl_mean"]
                .toDouble();
        QVERIFY(total > 0 && measured > 0);
        QCOMPARE(found["text"].toString(), file("text"));
        QCOMPARE(found["tokens"].toInt(), 31);
        QCOMPARE(found["scored"].toInt(), 15);
        double from = 0;
        double restored = 0;
        QStringList names;
        for (const QJsonValue& part : found["parts"].toArray()) {
            from += part["kl_from_b"].toDouble();
            restored += part["kl_restored"].toDouble();
            names << part["name"].toString();
            QVERIFY(!part["tensors"].toArray().isEmpty());
        }
        QVERIFY(names.contains("blk.0"));
        QVERIFY(std::abs(total - from - found["interaction_from_b"].toDouble()) < 1e-9);
        QVERIFY(std::abs(total - restored - found["interaction_restored"].toDouble()) < 1e-9);
        const QJsonArray layers = found["layers"].toArray();
        QVERIFY(!layers.isEmpty());
        QCOMPARE(layers[0]["relative_l2"].toArray().size(), 31);
        QVERIFY(layers[0]["cosine"].toArray()[0].toDouble() > 0.9);
        const CliResult printed = runCli(arguments + QStringList{"--layers"});
        QCOMPARE(printed.code, 0);
        for (const char* words : {"KL divergence of B from A", "blk.0", "interaction", "After block"}) {
            QVERIFY2(printed.out.contains(words), printed.out.constData());
        }
        QVERIFY(printed.err.contains("runs of the text")); // the cost, before it begins
        const QJsonObject single =
            runCli(arguments + QStringList{"--json", "--token", "2", "--by", "role", "--only", "attn"}).json();
        QCOMPARE(single["scored"].toInt(), 1);
        QCOMPARE(single["tokens"].toInt(), 19);
        for (const QJsonValue& part : single["parts"].toArray()) {
            QVERIFY(part["name"].toString().startsWith("attn"));
        }
        QVERIFY(runCli({"blame", kFirst, kFirst, file("text"), "--json"}).json()["parts"].toArray().isEmpty());
    }

    void refusesBlame_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("words");
        const auto row = [&](const char* name, const QString& b, const QStringList& options, const char* words) {
            QTest::newRow(name) << (QStringList{"blame", kFirst, b, file("text")} + options) << QByteArray(words);
        };
        row("other architecture", kOther, {}, "architectures");
        row("unknown grouping", kSecond, {"--by", "head"}, "block, role, tensor or expert");
        row("no experts", kSecond, {"--by", "expert"}, "no experts");
        row("position", kSecond, {"--ctx", "32", "--token", "15"}, "no scored position 15");
        row("expression", kSecond, {"--only", "("}, "regular expression");
        row("batch", kSecond, {"--batch", "16"}, "--batch");
        // A token more: another vocabulary, and so other shapes.
        QVERIFY(QFile::copy(kFirst, file("extended.gguf")));
        QVERIFY(QFile::setPermissions(file("extended.gguf"), QFile::ReadOwner | QFile::WriteOwner));
        QCOMPARE(runCli({"set", file("extended.gguf"), "--vocab", "extend:<|extra|>"}).code, 0);
        row("other vocabulary and shapes", file("extended.gguf"), {}, "token_embd.weight");
        QTest::newRow("missing text") << QStringList{"blame", kFirst, kSecond, file("absent")} << QByteArray("absent");
    }
    void refusesBlame() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, words);
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(words), result.err.constData());
        QVERIFY(result.out.isEmpty() && result.err.size() < 500);
    }

    void quantisesByRecipe() {
        write(
            "recipe",
            "# model: sample\n^blk\\.\\d+\\.attn_v\\.weight$ = Q8_0 # worth it\ntoken_embd|output = Q8_0\n* = Q4_0\n");
        const CliResult done = runCli({"quantize", kFirst, file("out.gguf"), "--recipe", file("recipe"), "--force"});
        QVERIFY2(done.code == 0, done.err.constData());
        QVERIFY(runCli({"get", file("out.gguf"), "quantize.recipe"}).out.contains("attn_v"));
        const auto types = typesOf(file("out.gguf"));
        QCOMPARE(types["blk.0.attn_v.weight"].toString(), QStringLiteral("Q8_0"));
        QCOMPARE(types["blk.0.attn_q.weight"].toString(), QStringLiteral("Q4_0"));
        QCOMPARE(types["blk.0.attn_norm.weight"].toString(), QStringLiteral("F32"));
        // Without a line for the rest, it keeps its types.
        write("recipe", "attn_v = Q8_0\n");
        QCOMPARE(runCli({"quantize", kFirst, file("out.gguf"), "--recipe", file("recipe"), "--force"}).code, 0);
        QCOMPARE(typesOf(file("out.gguf"))["blk.0.attn_q.weight"].toString(), QStringLiteral("F16"));
        // The output is protected as other calls protect theirs.
        QVERIFY(runCli({"quantize", kFirst, file("out.gguf"), "--recipe", file("recipe")}).err.contains("--force"));
        const QJsonObject dry = runCli({"quantize", kFirst, "--recipe", file("recipe"), "--dry-run", "--json"}).json();
        QVERIFY(dry["mix"].isNull());
        QCOMPARE(dry["recipe"].toString(), file("recipe"));
    }

    void refusesRecipes_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no type") << QByteArray("a = Q4_0\nattn_v\n") << QByteArray("line 2");
        QTest::newRow("unknown type") << QByteArray("attn_v = Q9\n") << QByteArray("\"Q9\" is not a type");
        QTest::newRow("rest first") << QByteArray("* = Q4_0\nattn_v = Q8_0\n") << QByteArray("line 2");
        QTest::newRow("bad expression") << QByteArray("\n( = Q8_0\n") << QByteArray("line 2");
        QTest::newRow("no match") << QByteArray("nothing = Q8_0\n") << QByteArray("nothing");
        QTest::newRow("not UTF-8") << QByteArray("\xff = Q8_0\n") << QByteArray("line 1");
    }
    void refusesRecipes() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, words);
        write("bad", text);
        QFile::remove(file("none.gguf"));
        const CliResult result = runCli({"quantize", kFirst, file("none.gguf"), "--recipe", file("bad")});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(words), result.err.constData());
        QVERIFY(!QFile::exists(file("none.gguf")));
    }

    void plansForASize() {
        const qint64 limit = 1'000'000;
        const QStringList arguments{"plan",        kFirst,       "--target", QString::number(limit),
                                    "--calibrate", file("text"), "-o",       file("plan.recipe"),
                                    "--force"};
        const CliResult planned = runCli(arguments + QStringList{"--json"});
        QVERIFY2(planned.code == 0, planned.err.constData());
        const QJsonObject plan = planned.json();
        QVERIFY(plan["calibrated"].toBool());
        QVERIFY(plan["file_bytes"].toInteger() <= limit);
        QVERIFY(plan["file_bytes"].toInteger() > limit * 9 / 10);
        const CliResult written =
            runCli({"quantize", kFirst, file("planned.gguf"), "--recipe", file("plan.recipe"), "--force"});
        QVERIFY2(written.code == 0, written.err.constData());
        QCOMPARE(QFileInfo(file("planned.gguf")).size(), plan["file_bytes"].toInteger());
        const auto types = typesOf(file("planned.gguf"));
        for (const QJsonValue& tensor : plan["tensors"].toArray()) {
            QCOMPARE(types[tensor["name"].toString()].toString(), tensor["type"].toString());
        }
        // What was measured is kept.
        QVERIFY(!QDir(m_folder.filePath("gufo/calibrations")).isEmpty());
        QCOMPARE(runCli(arguments + QStringList{"--json"}).json()["factor_common"], plan["factor_common"]);
        // A larger file loses less.
        const QJsonObject larger =
            runCli({"plan", kFirst, "--bpw", "6", "-o", file("larger"), "--json", "--force"}).json();
        const QJsonObject smaller =
            runCli({"plan", kFirst, "--bpw", "5", "-o", file("smaller"), "--json", "--force"}).json();
        QVERIFY(larger["expected_kl"].toDouble() < smaller["expected_kl"].toDouble());
        QVERIFY(larger["bits_per_weight"].toDouble() <= 6);
        const QJsonObject close = runCli({"plan", kFirst, "--kl", QString::number(larger["expected_kl"].toDouble()),
                                          "-o", file("close"), "--json", "--force"})
                                      .json();
        QVERIFY(close["expected_kl"].toDouble() <= larger["expected_kl"].toDouble());
        QVERIFY(bytesIn(file("close")).startsWith("# model: "));
    }

    void plansForMemory() {
        const QStringList arguments{"plan",   kFirst,   "--for-context", "256", "-o", file("memory.recipe"),
                                    "--json", "--force"};
        const QJsonObject roomy = runCli(arguments + QStringList{"--memory", "4GB"}).json();
        const qint64 beside = roomy["memory_bytes"].toInteger() - roomy["tensor_bytes"].toInteger();
        QVERIFY(beside > 0);
        const qint64 limit = beside + 1'000'000;
        const QJsonObject tight = runCli(arguments + QStringList{"--memory", QString::number(limit)}).json();
        QVERIFY(tight["memory_bytes"].toInteger() <= limit && tight["memory_bytes"].toInteger() > beside + 900'000);
    }

    void plansForARuntime() {
        const auto types = [&](const QStringList& options) {
            QSet<QString> found;
            const QStringList arguments{"plan",   kFirst,   "--bpw", "4.6", "-o", file("runtime.recipe"),
                                        "--json", "--force"};
            for (const QJsonValue& tensor : runCli(arguments + options).json()["tensors"].toArray()) {
                found << tensor["type"].toString();
            }
            return found;
        };
        const auto hasIq = [](const QSet<QString>& found) {
            return std::ranges::any_of(found, [](const QString& type) { return type.startsWith("IQ"); });
        };
        QVERIFY(hasIq(types({})));
        const QSet<QString> ollama = types({"--runtime", "ollama"});
        QVERIFY(!ollama.isEmpty() && !hasIq(ollama));
        QVERIFY(bytesIn(file("runtime.recipe")).contains("# runtime: Ollama"));
        types({"--tensor-type-file", file("types.txt"), "--custom-q", file("custom.txt")});
        QVERIFY(bytesIn(file("types.txt")).contains("=q"));
        QVERIFY(bytesIn(file("custom.txt")).contains("=q") && !bytesIn(file("custom.txt")).contains('\n'));
    }

    void namesVetoesInTheWay() {
        const CliResult small = runCli({"plan", kFirst, "--target", "1000", "-o", file("none")});
        QCOMPARE(small.code, 2);
        for (const char* words : {"the smallest file has", "crushed", "--imatrix"}) {
            QVERIFY2(small.err.contains(words), small.err.constData());
        }
    }

    void diskIsFull() {
        if (!QFile::exists("/dev/full")) {
            QSKIP("no /dev/full");
        }
        QCOMPARE(runCli({"plan", kFirst, "--bpw", "5", "-o", "/dev/full"}).code, 2);
        QCOMPARE(runCli({"quantize", kFirst, "/dev/full", "Q4_K_M"}).code, 2);
        QVERIFY(QFile::exists(kFirst));
    }

    void refusesPlans_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no target") << QStringList{"plan", kFirst, "-o", "x"}
                                   << QByteArray("--target, --bpw, --memory and --kl");
        QTest::newRow("two targets") << QStringList{"plan", kFirst, "--bpw", "4", "--kl", "1", "-o", "x"}
                                     << QByteArray("--target, --bpw, --memory and --kl");
        QTest::newRow("no size") << QStringList{"plan", kFirst, "--target", "small", "-o", "x"} << QByteArray("4.2GB");
        QTest::newRow("no output") << QStringList{"plan", kFirst, "--bpw", "4"} << QByteArray("-o RECIPE");
        QTest::newRow("too small") << QStringList{"plan", kFirst, "--target", "1000", "-o", file("none")}
                                   << QByteArray("the smallest file has");
        QTest::newRow("negative divergence")
            << QStringList{"plan", kFirst, "--kl", "-1", "-o", file("none")} << QByteArray("--kl");
        QTest::newRow("unknown runtime") << QStringList{"plan", kFirst, "--bpw", "4", "--runtime", "vllm", "-o", "x"}
                                         << QByteArray("Ollama");
        QTest::newRow("no memory") << QStringList{"plan", kFirst, "--memory", "little", "-o", "x"} << QByteArray("8GB");
        QTest::newRow("quantised") << QStringList{"plan", kOther,       "--bpw",       "9",
                                                  "-o",   file("none"), "--calibrate", "absent"}
                                   << QByteArray("absent");
    }
    void refusesPlans() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, words);
        const CliResult result = runCli(options);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(words), result.err.constData());
        QVERIFY(!QFile::exists(file("none")));
    }

private:
    [[nodiscard]] QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    void write(const char* name, const QByteArray& text) const {
        QFile out(file(name));
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
        out.write(text);
    }
    static QJsonObject typesOf(const QString& model) {
        QJsonObject types;
        for (const QJsonValue& tensor : runCli({"info", model, "--json"}).json()["tensors"].toArray()) {
            types[tensor["name"].toString()] = tensor["type"];
        }
        return types;
    }
    QTemporaryDir m_folder;
};

GUFO_TEST(TestCliBlame)
#include "tst_cli_blame.moc"
