// Tests the verb compare of gufo-cli.
#include "cli_runner.h"
#include "support/gguf_builder.h"
#include "support/process_time.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QXmlStreamReader>

#include <cmath>
#include <csignal>
#include <random>

using namespace gufo::test;

namespace {

std::vector<std::byte> floats(std::size_t count, unsigned seed, float difference = 0) {
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution(0, 1);
    std::vector<std::byte> bytes(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        const float value = distribution(random) + difference;
        std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
    return bytes;
}

// Names that would break unescaped HTML.
const std::string kScript = "blk.0.<script>alert(1)</script>&\"'.weight";

GgufBuilder model(const std::string& name, float difference) {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", name);
    file.key("tokenizer.chat_template", "{{ a }}\n<b>" + name + "</b>\n{{ c }}");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", name, "</td><script>"});
    file.tensor("blk.0.attn_q.weight", 0, {64, 8}, floats(512, 1, difference));
    file.tensor("blk.1.attn_q.weight", 0, {64, 8}, floats(512, 2, 2 * difference));
    file.tensor(kScript, 0, {64}, floats(64, 3, difference));
    file.tensor("output_norm.weight", 0, {64}, floats(64, 4));
    return file;
}

// Two matrices, one of them with an error. `writeFirst` adds the other one, from these bytes.
using FirstTensor = std::function<void(GgufBuilder& file, std::vector<std::byte> bytes)>;
GgufBuilder pairOfTensors(float difference, const FirstTensor& writeFirst) {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("llama.block_count", std::uint32_t{2});
    file.tensor("blk.1.attn_q.weight", 0, {64, 1024}, floats(std::size_t{64} * 1024, 2, difference));
    writeFirst(file, floats(512, 1));
    return file;
}
void wholeFirst(GgufBuilder& file, const std::vector<std::byte>& bytes) {
    file.tensor("blk.0.attn_q.weight", 0, {64, 8}, bytes);
}
FirstTensor withValue(float value) {
    return [value](GgufBuilder& file, std::vector<std::byte> bytes) {
        std::memcpy(bytes.data() + 40, &value, sizeof value);
        wholeFirst(file, bytes);
    };
}

QJsonObject tensorNamed(const QJsonObject& json, const QString& name) {
    for (const QJsonValue& tensor : json["tensors"].toArray()) {
        if (tensor["name"].toString() == name) {
            return tensor.toObject();
        }
    }
    return {};
}

} // namespace

class TestCliCompare : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
        write("a.gguf", model("a", 0));
        write("same.gguf", model("a", 0));
        write("b.gguf", model("<img src=x onerror=alert(2)>", 0.01F));
        GgufBuilder other = model("a", 0);
        other.tensor("extra.weight", 0, {32});
        write("extra.gguf", other);
    }

    void same() {
        const auto result = runCli({"compare", path("a.gguf"), path("same.gguf")});
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.contains("no key differs"), result.out);
        QVERIFY(result.out.contains("no difference"));
        QCOMPARE(runCli({"compare", path("a.gguf"), path("a.gguf"), path("same.gguf"), "--json"}).code, 0);
    }

    void reservedSpaceIsNoDifference() {
        GgufBuilder reserved = model("a", 0);
        reserved.key("gufo.reserved", std::vector<std::uint8_t>(4096));
        write("reserved.gguf", reserved);
        for (const QStringList& files :
             {QStringList{path("a.gguf"), path("reserved.gguf")}, QStringList{path("reserved.gguf"), path("a.gguf")}}) {
            const auto text = runCli(QStringList{"compare"} + files + QStringList{"--html", path("r.html"), "--force"});
            QCOMPARE(text.code, 0);
            QVERIFY2(text.out.contains("no key differs"), text.out);
            QFile report(path("r.html"));
            QVERIFY(report.open(QIODevice::ReadOnly) && !report.readAll().contains("gufo.reserved"));
            const auto json = runCli(QStringList{"compare", "--json"} + files);
            QCOMPARE(json.code, 0);
            QVERIFY2(json.json()["metadata"].toArray().isEmpty(), json.out);
        }
    }

    void json() {
        const auto result = runCli({"compare", path("a.gguf"), path("b.gguf"), path("extra.gguf"), "--json"});
        QCOMPARE(result.code, 1);
        QVERIFY(result.err.isEmpty());
        const QJsonObject json = result.json();
        QCOMPARE(json["models"].toArray().size(), 3);
        QCOMPARE(json["models"][0].toString(), path("a.gguf"));
        QCOMPARE(json["reference"].toInt(), 0);
        const QJsonObject tensor = tensorNamed(json, "blk.1.attn_q.weight");
        QCOMPARE(tensor["status"].toString(), "different");
        QCOMPARE(tensor["shape"].toArray(), (QJsonArray{64, 8}));
        const QJsonArray models = tensor["models"].toArray();
        QCOMPARE(models.size(), 3);
        QCOMPARE(models[0]["status"].toString(), "reference");
        const QJsonObject other = models[1].toObject();
        QCOMPARE(other["type"].toString(), "F32");
        QCOMPARE(other["bpw"].toDouble(), 32.0);
        for (const char* key : {"rmse", "mae", "max_error", "bias"}) {
            QVERIFY2(std::abs(other[QLatin1String(key)].toDouble() - 0.02) < 1e-6, key);
        }
        QVERIFY(other["nmse"].toDouble() > 0 && other["sqnr_db"].toDouble() > 30 && other["cosine"].toDouble() > 0.999);
        QVERIFY(other["max_error_index"].isDouble());
        QCOMPARE(other["equal_share"].toDouble(), 0.0);
        QCOMPARE(models[2]["identical"].toBool(), true);
        QCOMPARE(models[2]["nmse"].toDouble(-1), 0.0);
        QVERIFY(models[2]["sqnr_db"].isNull());
        QCOMPARE(tensorNamed(json, "extra.weight")["status"].toString(), "extra");
        QCOMPARE(tensorNamed(json, "extra.weight")["models"][2]["status"].toString(), "extra");
        QStringList keys;
        for (const QJsonValue& key : json["metadata"].toArray()) {
            keys << key["key"].toString() + ' ' + key["status"].toString();
        }
        QCOMPARE(keys, (QStringList{"general.name changed", "tokenizer.chat_template changed",
                                    "tokenizer.ggml.tokens changed"}));
        QCOMPARE(json["metadata"][0]["values"][1]["value"].toString(), "<img src=x onerror=alert(2)>");
        QCOMPARE(json["metadata"][2]["elements"][1]["differing"].toInt(), 1);
        QCOMPARE(json["tokenizers"][1]["only_in_other"].toInt(), 1);
        QCOMPARE(json["totals"].toArray().size(), 3);
        QCOMPARE(json["totals"][1]["tensors"].toInt(), 4);
        QCOMPARE(json["totals"][1]["max_error_tensor"].toString(), "blk.1.attn_q.weight");
        QCOMPARE(json["totals"][2]["extra"].toInt(), 1);
        QVERIFY(json["totals"][1]["by_bytes"]["rmse"].toDouble() > 0);
    }

    void onlyNamedTensors() {
        const auto result = runCli({"compare", path("a.gguf"), path("b.gguf"), "--json", "--tensors", "^blk\\.1\\."});
        QCOMPARE(result.json()["tensors"].toArray().size(), 1);
        QCOMPARE(result.json()["totals"][1]["tensors"].toInt(), 1);
        QCOMPARE(result.code, 1); // the metadata differs
        const auto extra = runCli({"compare", path("a.gguf"), path("extra.gguf"), "--tensors", "attn"});
        QCOMPARE(extra.code, 0);
        const auto wrong = runCli({"compare", path("a.gguf"), path("b.gguf"), "--tensors", "("});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.err.contains("regular expression"));
    }

    void onlyFilteredTensors() {
        const auto rows = [this](const QStringList& arguments) {
            const auto result =
                runCli(QStringList{"compare", path("a.gguf"), path("b.gguf"), "--json"} + arguments).json();
            QStringList names;
            for (const QJsonValue& tensor : result["tensors"].toArray()) {
                names << tensor["name"].toString();
            }
            return names;
        };
        QCOMPARE(rows({"--filter", "blk -script shape:64x8"}),
                 QStringList({"blk.0.attn_q.weight", "blk.1.attn_q.weight"}));
        QCOMPARE(rows({"--filter", "-/^blk/"}), QStringList{"output_norm.weight"});
        QCOMPARE(rows({"--filter", "size:>=2K", "--tensors", "1"}), QStringList{"blk.1.attn_q.weight"});
        const auto none = runCli({"compare", path("a.gguf"), path("b.gguf"), "--filter", "type:Q4_K"});
        QCOMPARE(none.code, 2);
        QVERIFY2(none.err.contains("--filter type:Q4_K matches no tensor"), none.err);
        const auto wrong = runCli({"compare", path("a.gguf"), path("b.gguf"), "--filter", "shape:axb"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("shape:axb is not a shape"), wrong.err);
    }

    void namesTheBestThatFits() {
        const QString model = GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-%1.gguf";
        const QStringList arguments{"compare", model.arg("F16"), model.arg("Q8_0"), model.arg("Q4_K"), "--memory"};
        const auto bestOf = [&](const QString& limit) {
            return runCli(arguments + QStringList{limit, "--json"}).json()["best_that_fits"];
        };
        QCOMPARE(bestOf("1T"), QJsonValue(0)); // the reference
        QCOMPARE(bestOf("1K"), QJsonValue(QJsonValue::Null));
        const QByteArray all = runCli(arguments + QStringList{"1T"}).out;
        QVERIFY2(all.contains("The best that fits into 1.00 TiB: F16 ("), all.constData());
        QVERIFY(runCli(arguments + QStringList{"1K"}).out.contains("No model runs within 1.00 KiB."));
        // F16 takes 9.8 MiB, Q8_0, the closer of the others, 8.8 and Q4_K 8.1.
        const QJsonObject json = runCli(arguments + QStringList{"9M", "--json"}).json();
        QCOMPARE(json["best_that_fits"], QJsonValue(1));
        QCOMPARE(json["memory_limit"], QJsonValue(9 << 20));
        QCOMPARE(bestOf("8.4M"), QJsonValue(2));
        const CliResult wrong = runCli(arguments + QStringList{"much"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("--memory takes a size"), wrong.err);
    }

    // A pattern that selects nothing is a mistake, not agreement.
    void namesNoTensor() {
        const auto result = runCli({"compare", path("a.gguf"), path("b.gguf"), "--tensors", "zzz"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("zzz") && result.err.count('\n') == 1, result.err);
        QVERIFY(result.out.isEmpty());
        QCOMPARE(runCli({"compare", path("a.gguf"), path("b.gguf"), "--tensors", "zzz", "--json"}).code, 2);
    }

    void text() {
        const auto worst = runCli({"compare", path("a.gguf"), path("b.gguf")});
        QCOMPARE(worst.code, 1);
        const qsizetype first = worst.out.indexOf("blk.0.attn_q");
        const qsizetype second = worst.out.indexOf("blk.1.attn_q");
        QVERIFY(second >= 0 && second < first); // worst first
        const auto byName = runCli({"compare", path("a.gguf"), path("b.gguf"), "--sort", "name"});
        QVERIFY(byName.out.indexOf("blk.0.attn_q") < byName.out.indexOf("blk.1.attn_q"));
        const auto three = runCli({"compare", path("a.gguf"), path("b.gguf"), path("extra.gguf"), "--metric", "rmse"});
        QVERIFY2(three.out.contains("RMSE") && three.out.contains("0.02"), three.out);
        const auto wrong = runCli({"compare", path("a.gguf"), path("b.gguf"), "--metric", "beauty"});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.err.contains("sqnr"));
    }

    void html() {
        const QString out = path("report.html");
        const auto result = runCli({"compare", path("a.gguf"), path("b.gguf"), path("extra.gguf"), "--html", out});
        QCOMPARE(result.code, 1);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QVERIFY(html.startsWith("<!DOCTYPE html>"));
        QVERIFY(!html.contains("<script"));
        QVERIFY(!html.contains("<img"));
        QVERIFY(html.contains("&lt;script&gt;alert(1)"));
        QVERIFY(html.contains("&lt;img src=x onerror=alert(2)&gt;"));
        for (const char* outside : {"http://", "https://", "src=\"", "url(", "@import", "<link"}) {
            QVERIFY2(!html.contains(outside), outside);
        }
        for (const char* part : {"<svg", "prefers-color-scheme", "class=\"frontier\"", "class=\"map\"",
                                 "class=\"diff\"", "default-src 'none'", "class=\"gd-page\"", "The picture in words"}) {
            QVERIFY2(html.contains(part), part);
        }
        // Every picture is well-formed.
        int pictures = 0;
        for (qsizetype at = html.indexOf("<svg"); at >= 0; at = html.indexOf("<svg", at + 1)) {
            QXmlStreamReader xml(html.mid(at, html.indexOf("</svg>", at) + 6 - at));
            while (!xml.atEnd()) {
                xml.readNext();
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
            ++pictures;
        }
        QVERIFY(pictures > 4);
        // A report never overwrites one of the models.
        const auto refused = runCli({"compare", path("a.gguf"), path("b.gguf"), "--html", path("b.gguf")});
        QCOMPARE(refused.code, 2);
        QCOMPARE(runCli({"validate", path("b.gguf")}).code >= 0, true);
        const auto nowhere = runCli({"compare", path("a.gguf"), path("b.gguf"), "--html", path("no/such/folder.html")});
        QCOMPARE(nowhere.code, 2);
    }

    // A tensor whose only difference is a NaN has perfect figures, so every output says what they leave out.
    void notFinite() {
        const auto odd = [](float value) {
            std::vector<std::byte> bytes = floats(512, 1);
            std::memcpy(bytes.data() + 40, &value, sizeof value);
            return bytes;
        };
        const auto save = [&](const char* name, const std::vector<std::byte>& bytes) {
            GgufBuilder file;
            file.key("general.architecture", "llama");
            file.tensor("blk.0.attn_q.weight", 0, {64, 8}, bytes);
            file.tensor("blk.1.attn_q.weight", 0, {64, 8}, floats(512, 2));
            write(name, file);
        };
        save("whole.gguf", floats(512, 1));
        save("nan.gguf", odd(std::numeric_limits<float>::quiet_NaN()));
        save("inf.gguf", odd(std::numeric_limits<float>::infinity()));
        const auto two = runCli({"compare", path("whole.gguf"), path("nan.gguf")});
        QCOMPARE(two.code, 1);
        QVERIFY2(two.out.contains("nan: 1 pair with NaN or infinity is left out"), two.out);
        QByteArrayList rows = two.lines();
        rows.removeIf([](const QByteArray& line) { return !line.contains("blk.0.attn_q"); });
        QCOMPARE(rows.size(), 1);
        QVERIFY2(rows[0].trimmed().endsWith("1 not finite"), rows[0]);
        const auto three =
            runCli({"compare", path("whole.gguf"), path("nan.gguf"), path("inf.gguf"), "--html", path("finite.html")});
        QCOMPARE(three.code, 1);
        QCOMPARE(three.out.count("1 not finite"), 2);
        QFile page(path("finite.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray html = page.readAll();
        QVERIFY(html.contains("<b>nan</b>"));
        QCOMPARE(html.count("1 pair with NaN or infinity is left out"), 6); // map, totals and list of both files
        QVERIFY(!html.contains("identical</span></figcaption>"));
    }

    // What cannot be compared comes before all figures, and is never the best of several files.
    void brokenFilesLead_data() {
        QTest::addColumn<FirstTensor>("first");
        QTest::addColumn<qint64>("cut"); // bytes
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("transposed") << FirstTensor([](GgufBuilder& file, const std::vector<std::byte>& bytes) {
            file.tensor("blk.0.attn_q.weight", 0, {8, 64}, bytes);
        }) << qint64{0} << QByteArray("has another shape");
        QTest::newRow("missing") << FirstTensor([](GgufBuilder&, const std::vector<std::byte>&) {}) << qint64{0}
                                 << QByteArray("is missing");
        QTest::newRow("NaN") << withValue(std::numeric_limits<float>::quiet_NaN()) << qint64{0}
                             << QByteArray("with NaN or infinity");
        QTest::newRow("infinite") << withValue(std::numeric_limits<float>::infinity()) << qint64{0}
                                  << QByteArray("with NaN or infinity");
        QTest::newRow("cut off") << FirstTensor(wholeFirst) << qint64{64} << QByteArray("ends within its tensor");
        QTest::newRow("unknown type") << FirstTensor([](GgufBuilder& file, const std::vector<std::byte>& bytes) {
            file.tensor("blk.0.attn_q.weight", 9999, {64, 8}, bytes);
        }) << qint64{0} << QByteArray("cannot be compared");
    }
    void brokenFilesLead() {
        QFETCH(FirstTensor, first);
        QFETCH(qint64, cut);
        QFETCH(QByteArray, says);
        write("whole.gguf", pairOfTensors(0, wholeFirst));
        write("lossy.gguf", pairOfTensors(0.5F, wholeFirst));
        write("broken.gguf", pairOfTensors(0, first));
        QFile broken(path("broken.gguf"));
        QVERIFY(broken.resize(broken.size() - cut));
        const auto text =
            runCli({"compare", path("whole.gguf"), path("lossy.gguf"), path("broken.gguf"), "--memory", "1T"});
        QVERIFY(text.code != 0);
        const QByteArray line = text.out.left(text.out.indexOf('\n'));
        QVERIFY2(line.contains("broken") && line.contains(says), text.out);
        const QJsonObject json = runCli({"compare", path("lossy.gguf"), path("broken.gguf"), "--json"}).json();
        const QJsonObject totals = json["totals"][1].toObject();
        QCOMPARE(totals["complete"].toBool(true), false);
        const auto page =
            runCli({"compare", path("whole.gguf"), path("broken.gguf"), "--html", path("broken.html"), "--force"});
        QFile html(path("broken.html"));
        QVERIFY(html.open(QIODevice::ReadOnly));
        const QByteArray report = html.readAll();
        QVERIFY(report.contains(says));
        QVERIFY(!report.contains("identical</span></figcaption>"));
    }

    // What plain errors hide: quantising with an importance matrix makes the plain error larger and the weighted error
    // smaller.
    void importance() {
        GgufBuilder file;
        file.key("general.architecture", "llama").key("llama.block_count", std::uint32_t{1});
        file.tensor("blk.0.ffn_up.weight", 0, {256, 64}, floats(std::size_t{256} * 64, 9));
        write("original.gguf", file);
        GgufBuilder matrix;
        matrix.key("general.type", "imatrix");
        std::vector<std::byte> sums(1024);
        for (std::size_t i = 0; i < 256; ++i) {
            const float sum = i % 8 == 0 ? 100.0F : 1.0F;
            std::memcpy(sums.data() + 4 * i, &sum, sizeof sum);
        }
        const float one = 1;
        std::vector<std::byte> count(4);
        std::memcpy(count.data(), &one, sizeof one);
        matrix.tensor("blk.0.ffn_up.weight.in_sum2", 0, {256}, sums)
            .tensor("blk.0.ffn_up.weight.counts", 0, {1}, count);
        write("im.gguf", matrix);
        QCOMPARE(runCli({"quantize", path("original.gguf"), path("plain.gguf"), "Q4_0", "--force"}).code, 0);
        QCOMPARE(runCli({"quantize", path("original.gguf"), path("with.gguf"), "Q4_0", "--imatrix", path("im.gguf"),
                         "--force"})
                     .code,
                 0);
        const QStringList files{"compare", path("original.gguf"), path("plain.gguf"), path("with.gguf")};
        // The matrix is found beside the file that names it.
        const QJsonObject found = runCli(files + QStringList{"--json"}).json();
        QCOMPARE(found["imatrix"].toString(), path("im.gguf"));
        const auto figure = [&](const QJsonObject& json, int model, const char* key) {
            return json["totals"][model].toObject()[QLatin1String(key)].toDouble();
        };
        QVERIFY(figure(found, 2, "sqnr_db") < figure(found, 1, "sqnr_db"));
        QVERIFY(figure(found, 2, "weighted_sqnr_db") > figure(found, 1, "weighted_sqnr_db") + 0.1);
        const QJsonObject chosen =
            runCli(files + QStringList{"--json", "--imatrix", path("im.gguf"), "--memory", "1T", "--metric", "sqnr"})
                .json();
        QCOMPARE(figure(chosen, 2, "weighted_sqnr_db"), figure(found, 2, "weighted_sqnr_db"));
        const auto text =
            runCli(files + QStringList{"--metric", "weighted_sqnr", "--html", path("im.html"), "--force"});
        QVERIFY2(text.out.contains("Weighted SQNR (dB)") && text.out.contains("weighted by im.gguf"), text.out);
        QFile html(path("im.html"));
        QVERIFY(html.open(QIODevice::ReadOnly));
        QVERIFY(html.readAll().contains("weighted by im.gguf"));
        // Without the matrix, the page says what it does not see.
        QVERIFY(QFile::rename(path("im.gguf"), path("elsewhere.gguf")));
        const auto blind = runCli(files);
        QVERIFY2(blind.out.contains("with was quantised with an importance matrix (im.gguf)"), blind.out);
        QVERIFY(!blind.out.contains("Weighted SQNR"));
        const auto refused = runCli(files + QStringList{"--metric", "weighted_sqnr"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("--imatrix"), refused.err);
        const auto wrong = runCli({"compare", path("a.gguf"), path("b.gguf"), "--imatrix", path("elsewhere.gguf")});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("elsewhere.gguf") && wrong.err.contains("another model"), wrong.err);
    }

    void divergenceOfPredictions() {
        const QString sample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-");
        QFile text(path("text.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(QByteArray("An owl lived in an old tree. At night it saw the stars, and in the day it slept. ")
                       .repeated(40));
        text.close();
        const QStringList files{"compare", sample + "F16.gguf", sample + "Q4_K.gguf", sample + "Q8_0.gguf"};
        const QJsonObject json =
            runCli(files + QStringList{"--kl", text.fileName(), "--memory", "1T", "--json"}).json();
        QVERIFY(json["totals"][0]["kl"].isNull());
        const double q4 = json["totals"][1]["kl"].toDouble();
        const double q8 = json["totals"][2]["kl"].toDouble();
        QVERIFY(q8 > 0 && q8 < q4);
        const auto page = runCli(files + QStringList{"--kl", text.fileName()});
        QVERIFY2(page.out.contains("KL divergence (nats)"), page.out);
        const auto missing = runCli(files + QStringList{"--kl", path("none.txt")});
        QCOMPARE(missing.code, 2);
        QVERIFY(missing.err.contains("none.txt"));
        write("unknown.gguf", pairOfTensors(0, wholeFirst)); // which no engine runs
        const auto partly =
            runCli({"compare", sample + "F16.gguf", path("unknown.gguf"), "--kl", text.fileName(), "--json"});
        QVERIFY2(partly.err.contains("KL divergence is not known"), partly.err);
        QVERIFY(partly.json()["totals"][1]["kl"].isNull());
    }

    void nearlyAllIsNotAll() {
        write("whole.gguf", pairOfTensors(0, wholeFirst));
        write("one.gguf", pairOfTensors(0, withValue(7)));
        const auto text = runCli({"compare", path("whole.gguf"), path("one.gguf")});
        QCOMPARE(text.code, 1);
        QVERIFY2(!text.out.contains("100.0"), text.out);
        QVERIFY2(text.out.contains("99.9"), text.out);
    }

    // The cosine of nearly equal weights is rounded to at most 1.
    void cosineIsAtMostOne() {
        for (int seed = 0; seed < 20; ++seed) {
            const auto save = [&](const char* name, float difference) {
                GgufBuilder file;
                file.key("general.architecture", "llama");
                std::vector<std::byte> bytes = floats(4096, static_cast<unsigned>(100 + seed));
                float value = 0;
                std::memcpy(&value, bytes.data(), sizeof value);
                value += difference;
                std::memcpy(bytes.data(), &value, sizeof value);
                write(name, file.tensor("t", 0, {64, 64}, bytes));
            };
            save("whole.gguf", 0);
            save("near.gguf", 1e-6F);
            const QJsonObject json = runCli({"compare", path("whole.gguf"), path("near.gguf"), "--json"}).json();
            QVERIFY(json["totals"][1]["cosine"].toDouble() <= 1);
            QVERIFY(json["tensors"][0]["models"][1]["cosine"].toDouble() <= 1);
        }
    }

    // A copy in the other byte order has other bytes, but nothing differs.
    void otherByteOrder() {
        write("little.gguf", pairOfTensors(0, wholeFirst));
        QCOMPARE(runCli({"convert", path("little.gguf"), path("big.gguf"), "--byte-order", "big", "--force"}).code, 0);
        const auto text = runCli({"compare", path("little.gguf"), path("big.gguf")});
        QVERIFY2(text.code == 0, text.out);
        QVERIFY(text.out.contains("no difference"));
        const QJsonObject json = runCli({"compare", path("little.gguf"), path("big.gguf"), "--json"}).json();
        QCOMPARE(json["tensors"][0]["status"].toString(), QStringLiteral("equal"));
        QCOMPARE(json["totals"][1]["equal"].toInt(), 2);
        QCOMPARE(json["totals"][1]["identical"].toInt(), 0);
        QCOMPARE(json["totals"][1]["complete"].toBool(), true);
    }

    void csv() {
        const QString out = path("figures.csv");
        QCOMPARE(runCli({"compare", path("a.gguf"), path("b.gguf"), "--csv", out}).code, 1);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto lines = file.readAll().split('\n');
        QCOMPARE(lines.size(), 6); // the header, four tensors, and the end
        const qsizetype columns = lines[0].count(',');
        QVERIFY(lines[0].startsWith("tensor,expert,part,block,"));
        QCOMPARE(lines[1].count(','), columns);
        QVERIFY(lines[3].startsWith("\"blk.0.<script>alert(1)</script>&\"\"'.weight\","));
    }

    void secondLook() {
        // Only results for files that were not just written are cached.
        for (const char* name : {"a.gguf", "b.gguf"}) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-60), QFileDevice::FileModificationTime));
        }
        const auto first = runCli({"compare", path("a.gguf"), path("b.gguf"), "--json", "--profile"});
        QVERIFY(!QDir(m_folder.filePath("cache/gufo/compare")).isEmpty());
        const auto second = runCli({"compare", path("a.gguf"), path("b.gguf"), "--json", "--profile"});
        QCOMPARE(second.out, first.out);
        const auto anew = runCli({"compare", path("a.gguf"), path("b.gguf"), "--json", "--profile", "--no-cache"});
        QCOMPARE(anew.out, first.out);
        QVERIFY(tensorNamed(first.json(), "blk.0.attn_q.weight")["models"][1]["magnitudes"].toArray().size() > 2);
    }

    void failures() {
        QCOMPARE(runCli({"compare", path("a.gguf")}).code, 2);
        const auto missing = runCli({"compare", path("a.gguf"), path("none.gguf")});
        QCOMPARE(missing.code, 2);
        QVERIFY(missing.err.contains("none.gguf"));
        QVERIFY(missing.out.isEmpty());
    }

    void cancels() {
        const QString a = path("large-a.gguf");
        const QString b = path("large-b.gguf");
        for (const auto& [file, type] : {std::pair(a, "F16"), std::pair(b, "Q4_K_M")}) {
            QCOMPARE(QProcess::execute(GUFO_MAKE_MODEL, {file, "--shape", "llama-1b", "--type", type, "--sparse"}), 0);
        }
        QProcess process;
        process.start(GUFO_CLI, {"compare", a, b, "--html", path("cancelled.html"), "--no-cache"});
        QVERIFY(process.waitForStarted());
        QVERIFY(waitUntilAtWorkOn(b, process.processId()));
        QElapsedTimer sinceSignal;
        sinceSignal.start();
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const auto result = finish(process);
        QVERIFY2(result.code == 128 + SIGINT, result.err);
        QVERIFY(sinceSignal.elapsed() < 5000);
        QVERIFY(!QFile::exists(path("cancelled.html")));
    }

    void numpyAgrees() {
        const QString trained = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
        const QString q4 = path("q4_0.gguf");
        QCOMPARE(runCli({"quantize", trained, q4, "Q4_0"}).code, 0);
        // Prefers Debian's Python, which has Debian's numpy.
        const QString python = QFile::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
        for (const QString& other : {q4, QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf")}) {
            QProcess process;
            process.start(python, {QStringLiteral(GUFO_TEST_DATA "/../core/analysis/compare_with_numpy.py"), GUFO_CLI,
                                   trained, other, "blk.0.attn_q.weight", "blk.2.ffn_down.weight"});
            if (!process.waitForStarted()) {
                QSKIP("There is no Python.");
            }
            QVERIFY(process.waitForFinished(60'000));
            if (process.exitCode() == 77) {
                QSKIP("python3-numpy is not installed.");
            }
            QVERIFY2(process.exitCode() == 0, process.readAllStandardOutput() + process.readAllStandardError());
        }
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(name); }
    void write(const char* name, const GgufBuilder& file) const { file.write(path(name).toStdString()); }

    QTemporaryDir m_folder;
};

GUFO_TEST(TestCliCompare)
#include "tst_cli_compare.moc"

#include <functional>
