// The verbs of gufo-cli that run a model.
#include "cli_runner.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <vector>

using namespace gufo::test;

namespace {

const QString kModels = QStringLiteral(GUFO_SHARED_DIR "/thirdparty/models/");
const QString kArchitectures = QStringLiteral(GUFO_SHARED_DIR "/fixtures/arch/");

QJsonObject readJson(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::vector<float> readFloats(const QString& path) {
    QFile file(path);
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

QString idList(const QJsonArray& ids) {
    QStringList list;
    for (const QJsonValue& id : ids) {
        list << QString::number(id.toInt());
    }
    return list.join(',');
}

} // namespace

class TestCliInference : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!QDir(kModels).exists() || !QDir(kArchitectures).exists()) {
            QSKIP("the models under shared/ are not here");
        }
    }

    void evalWritesLogits() {
        const QTemporaryDir folder;
        const QString out = folder.filePath("logits.f32");
        const QJsonObject json = readJson(kArchitectures + "llama.json");
        const CliResult result = runCli({"eval", kArchitectures + "llama.gguf", "--tokens",
                                         idList(json["tokens"].toArray()), "--logits", out, "--kv", "f32", "--json"});
        QCOMPARE(result.err, QByteArray());
        QCOMPARE(result.code, 0);
        QCOMPARE(result.json()["tokens"].toInt(), json["n_tokens"].toInt());
        const auto found = readFloats(out);
        const auto exact = readFloats(kArchitectures + "llama.exact.bin");
        QCOMPARE(found.size(), exact.size());
        for (std::size_t i = 0; i < exact.size(); ++i) {
            QVERIFY(std::abs(found[i] - exact[i]) <= 1e-3F);
        }
    }

    void continuesAsKnown_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("F32") << "stories260K";
        QTest::newRow("F16") << "stories260K.F16";
    }
    void continuesAsKnown() {
        QFETCH(QString, name);
        const QJsonObject greedy = readJson(kModels + name + ".json")["greedy"].toObject();
        const QString text = greedy["text"].toString();
        const QString prompt = greedy["prompt"].toString();
        QVERIFY(text.size() > 100 && text.startsWith(" " + prompt));
        const CliResult result = runCli(
            {"generate", kModels + name + ".gguf", "-p", prompt, "--temp", "0", "-n", "300", "--ignore-eos", "--json"});
        QCOMPARE(result.err, QByteArray());
        QCOMPARE(result.code, 0);
        const QString expected = text.mid(1 + prompt.size());
        QCOMPARE(result.json()["text"].toString().left(expected.size()), expected);
        QCOMPARE(result.json()["stop"].toString(), QString("most_tokens"));
    }

    void sameSeedSameText() {
        const QStringList arguments{"generate", kModels + "stories260K.Q8_0.gguf", "-p", "Once upon a time", "-n", "40",
                                    "--seed"};
        const QByteArray first = runCli(arguments + QStringList{"5"}).out;
        QVERIFY(first.size() > 20);
        QCOMPARE(runCli(arguments + QStringList{"5", "--threads", "1"}).out, first);
        QVERIFY(runCli(arguments + QStringList{"6"}).out != first);
    }

    void stopsAtText() {
        const QStringList arguments{
            "generate", kModels + "stories260K.gguf", "-p", "Once upon a time", "--temp", "0", "-n", "60", "--json"};
        const QString whole = runCli(arguments).json()["text"].toString();
        const qsizetype at = whole.indexOf('.');
        QVERIFY(at > 0);
        const QJsonObject stopped = runCli(arguments + QStringList{"--stop", "."}).json();
        QCOMPARE(stopped["text"].toString(), whole.left(at));
        QCOMPARE(stopped["stop"].toString(), QString("stop_text"));
    }

    void perplexityAgainst() {
        const QTemporaryDir folder;
        QFile text(folder.filePath("text"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        const QByteArray story = runCli({"generate", kModels + "stories260K.gguf", "-p", "Once upon a time", "--temp",
                                         "1", "-n", "300", "--ignore-eos"})
                                     .out;
        text.write(story);
        text.close();
        const QStringList arguments{"perplexity", kModels + "stories260K.gguf", text.fileName(), "--ctx", "64",
                                    "--json"};
        const QJsonObject same = runCli(arguments + QStringList{"--against", kModels + "stories260K.gguf"}).json();
        QVERIFY(same["perplexity"].toDouble() > 1 && same["perplexity"].toDouble() < 60);
        QCOMPARE(same["other_perplexity"].toDouble(), same["perplexity"].toDouble());
        QCOMPARE(same["kl_mean"].toDouble(), 0.0);
        QCOMPARE(same["top1_agreement"].toDouble(), 1.0);
        const QJsonObject other =
            runCli(arguments + QStringList{"--against", kModels + "stories260K.Q4_0.gguf"}).json();
        QVERIFY(other["kl_mean"].toDouble() > 1e-4);
        QVERIFY(other["kl_mean"].toDouble() < 1);
        QVERIFY(other["top1_agreement"].toDouble() < 1);
        QCOMPARE(other["scored"].toInt() % 31, 0); // of 64 the positions 32 … 62 foretell the next
    }

    void benchTellsShares() {
        const QJsonObject json =
            runCli({"bench", kModels + "stories260K.Q8_0.gguf", "-p", "16", "-n", "4", "--json"}).json();
        for (const char* key : {"prompt_tps", "generation_tps", "read_gbps", "bandwidth_gbps", "bandwidth_share"}) {
            QVERIFY2(json[QLatin1String(key)].toDouble() > 0, key);
        }
        QVERIFY(json["threads"].toInt() > 0);
        QVERIFY(!json["isa"].toString().isEmpty());
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const QString model = kModels + "stories260K.gguf";
        QTest::newRow("no prompt") << QStringList{"generate", model} << QByteArray("--prompt");
        QTest::newRow("no number") << QStringList{"generate", model, "-p", "a", "--temp", "warm"} << QByteArray("warm");
        QTest::newRow("a strange cache") << QStringList{"generate", model, "-p", "a", "--kv", "q3"}
                                         << QByteArray("q8_0");
        QTest::newRow("a token that is none")
            << QStringList{"eval", model, "--tokens", "1,x", "--logits", "/tmp/never"} << QByteArray("\"x\"");
        QTest::newRow("a token past the vocabulary")
            << QStringList{"eval", model, "--tokens", "1,99999", "--logits", "/tmp/never"} << QByteArray("512");
        QTest::newRow("no model to run") << QStringList{"generate",
                                                        QStringLiteral(GUFO_SHARED_DIR
                                                                       "/thirdparty/vocab/ggml-vocab-gpt-2.gguf"),
                                                        "-p", "a"}
                                         << QByteArray("vocabulary");
    }
    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(says), result.err.constData());
        QCOMPARE(result.err.count('\n'), 1);
    }

    void stopsOnSignal() {
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI),
                      {"generate", kModels + "stories260K.gguf", "-p", "Once", "-n", "1000000", "--ignore-eos"});
        QVERIFY(process.waitForReadyRead(20'000));
        process.terminate();
        const CliResult result = finish(process);
        QCOMPARE(result.code, 128 + 15);
    }
};

QTEST_GUILESS_MAIN(TestCliInference)
#include "tst_cli_inference.moc"
