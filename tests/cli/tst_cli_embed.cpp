// The verbs embed, rerank and imatrix of gufo-cli.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>

using namespace gufo::test;

namespace {

const QString kEncoders = QStringLiteral(GUFO_TEST_DATA "/encoders/");
QJsonObject fixture(const QString& name) {
    QFile file(kEncoders + name + ".json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

QString tokensOf(const QString& name) {
    QStringList ids;
    for (const QJsonValue& id : fixture(name)["tokens"].toArray()) {
        ids << QString::number(id.toInt());
    }
    return ids.join(',');
}

std::vector<double> floatsIn(const QByteArray& bytes) {
    std::vector<double> values;
    for (qsizetype at = 0; at + 4 <= bytes.size(); at += 4) {
        float value = 0;
        std::memcpy(&value, bytes.constData() + at, sizeof value);
        values.push_back(static_cast<double>(value));
    }
    return values;
}

std::vector<double> stored(const QString& name) {
    QFile file(kEncoders + name);
    return file.open(QIODevice::ReadOnly) ? floatsIn(file.readAll()) : std::vector<double>();
}

std::vector<double> numbersIn(const QJsonArray& array) {
    std::vector<double> values;
    for (const QJsonValue& value : array) {
        values.push_back(value.toDouble());
    }
    return values;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
    double both = 0;
    double ofA = 0;
    double ofB = 0;
    for (std::size_t i = 0; a.size() == b.size() && i < a.size(); ++i) {
        both += a[i] * b[i];
        ofA += a[i] * a[i];
        ofB += b[i] * b[i];
    }
    return both / std::sqrt(ofA * ofB);
}

} // namespace

class TestCliEmbed : public QObject {
    Q_OBJECT

private slots:
    void vectorsOfTokens_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bert", "bert-distil", "gemma-embedding", "jina-bert-v2", "jina-bert-v2-plain",
                                 "modern-bert", "nomic-bert", "nomic-bert-moe", "qwen3-embed"}) {
            QTest::newRow(name) << name;
        }
    }
    void vectorsOfTokens() {
        QFETCH(QString, name);
        const CliResult result = runCli({"embed", kEncoders + name + ".gguf", "--tokens", tokensOf(name), "--json"});
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonObject json = result.json();
        QCOMPARE(json["pooling"].toString(), fixture(name)["pooling"].toString());
        QCOMPARE(json["embeddings"].toArray().size(), 1);
        QVERIFY(cosine(numbersIn(json["embeddings"][0].toArray()), stored(name + ".pooled.bin")) >= 0.999'999);

        const CliResult all =
            runCli({"embed", kEncoders + name + ".gguf", "--tokens", tokensOf(name), "--pooling", "none", "--json"});
        const QJsonArray rows = all.json()["embeddings"].toArray();
        const std::vector<double> exact = stored(name + ".exact.bin");
        QCOMPARE(rows.size(), fixture(name)["tokens"].toArray().size());
        QCOMPARE(all.json()["tokens"][0].toInt(), rows.size());
        const auto width = static_cast<std::ptrdiff_t>(rows[0].toArray().size());
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const auto begin = exact.begin() + i * width;
            QVERIFY(cosine(numbersIn(rows[i].toArray()), {begin, begin + width}) >= 0.999'999);
        }
    }

    void scoresOfTokens_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bert-rank", "modern-bert-rank", "qwen3-rank"}) {
            QTest::newRow(name) << name;
        }
    }
    void scoresOfTokens() {
        QFETCH(QString, name);
        const CliResult result = runCli(
            {"embed", kEncoders + name + ".gguf", "--tokens", tokensOf(name), "--tokens", tokensOf(name), "--json"});
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonArray scores = result.json()["scores"].toArray();
        const std::vector<double> exact = stored(name + ".pooled.bin");
        QCOMPARE(scores.size(), 2);
        QCOMPARE(scores[0], scores[1]);
        const std::vector<double> first =
            exact.size() == 1 ? std::vector<double>{scores[0].toDouble(-99)} : numbersIn(scores[0].toArray());
        QCOMPARE(first.size(), exact.size());
        for (std::size_t i = 0; i < exact.size(); ++i) {
            QVERIFY(std::abs(first[i] - exact[i]) <= 1e-4);
        }
        if (exact.size() > 1) {
            QCOMPARE(result.json()["labels"].toArray().size(), static_cast<qsizetype>(exact.size()));
        }
    }

    // Of a model with an encoder and a decoder, only the encoder is run, which is reported.
    void saysThatADecoderIsLeftOut() {
        const QString model = kEncoders + "t5.gguf";
        const CliResult vectors = runCli({"embed", model, "the big girl"});
        QCOMPARE(vectors.code, 0);
        QVERIFY2(vectors.err.contains("runs the encoder of this model, but not its decoder"), vectors.err.constData());
        const CliResult text = runCli({"generate", model, "-p", "the big girl"});
        QCOMPARE(text.code, 2);
        QVERIFY2(text.err.contains("an encoder with a decoder (t5), of which Gufo runs only the encoder"),
                 text.err.constData());
    }

    // Texts give the vectors of their tokens, in order; the file has the same as JSON.
    void textsAndFiles() {
        const QString model = kEncoders + "bert.gguf";
        const QJsonArray samples = fixture("bert")["tokenize"].toArray();
        QStringList call{"embed", model};
        QStringList lists;
        for (const QJsonValue& sample : samples) {
            call << sample["text"].toString();
            QStringList ids;
            for (const QJsonValue& id : sample["ids"].toArray()) {
                ids << QString::number(id.toInt());
            }
            lists << "--tokens" << ids.join(' ');
        }
        const QString out = m_folder.filePath("vectors.npy");
        const CliResult texts = runCli(call + QStringList{"--json", "--normalize", "-o", out});
        QVERIFY2(texts.code == 0, texts.err.constData());
        const CliResult tokens = runCli(QStringList{"embed", model, "--json", "--normalize"} + lists);
        QCOMPARE(texts.json()["embeddings"], tokens.json()["embeddings"]);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray npy = file.readAll();
        QVERIFY(npy.startsWith("\x93NUMPY\x01"));
        QVERIFY(npy.contains("'descr': '<f4', 'fortran_order': False, 'shape': (" + QByteArray::number(samples.size()) +
                             ", 40)"));
        std::vector<double> flat;
        for (const QJsonValue& row : texts.json()["embeddings"].toArray()) {
            const std::vector<double> vector = numbersIn(row.toArray());
            double squares = 0;
            for (const double x : vector) {
                squares += x * x;
            }
            QVERIFY(std::abs(squares - 1) < 1e-5);
            flat.insert(flat.end(), vector.begin(), vector.end());
        }
        const std::vector<double> inFile = floatsIn(npy.right(static_cast<qsizetype>(flat.size() * 4)));
        for (std::size_t i = 0; i < flat.size(); ++i) {
            QVERIFY(static_cast<float>(flat[i]) == static_cast<float>(inFile[i]));
        }
        const CliResult plain = runCli({"embed", model, "The boy was happy."});
        QCOMPARE(plain.lines().size(), 2);
        QCOMPARE(plain.lines()[0].split(' ').size(), 40);
    }

    void ranks() {
        const CliResult result = runCli({"rerank", kEncoders + "modern-bert-rank.gguf", "the big girl",
                                         "The boy was happy.", "playing, friends", "two spaces", "--json"});
        QVERIFY2(result.code == 0, result.err.constData());
        const std::vector<double> scores = numbersIn(result.json()["scores"].toArray());
        const QJsonArray results = result.json()["results"].toArray();
        QCOMPARE(scores.size(), std::size_t{3});
        QCOMPARE(results.size(), 3);
        for (qsizetype i = 0; i < 3; ++i) {
            const auto index = static_cast<std::size_t>(results[i]["index"].toInt());
            QCOMPARE(results[i]["score"].toDouble(), scores[index]);
            QVERIFY(i == 0 || results[i - 1]["score"].toDouble() >= results[i]["score"].toDouble());
        }
        const CliResult text = runCli({"rerank", kEncoders + "modern-bert-rank.gguf", "the big girl",
                                       "The boy was happy.", "playing, friends", "two spaces"});
        QCOMPARE(text.lines().size(), 4);
        QVERIFY(text.lines()[0].endsWith(results[0]["text"].toString().toUtf8()));
    }

    // A score for each label, and the text with the best score of the first label first.
    void ranksByTheFirstLabel() {
        const QStringList texts{"The boy was happy.", "playing, friends", "two spaces"};
        const CliResult result =
            runCli(QStringList{"rerank", kEncoders + "bert-rank.gguf", "the big girl", "--json"} + texts);
        QVERIFY2(result.code == 0, result.err.constData());
        QCOMPARE(result.json()["labels"].toArray(), (QJsonArray{"LABEL_0", "neutral", "LABEL_2"}));
        const QJsonArray scores = result.json()["scores"].toArray();
        const QJsonArray results = result.json()["results"].toArray();
        QCOMPARE(scores.size(), 3);
        for (qsizetype i = 0; i < 3; ++i) {
            const std::vector<double> ofText = numbersIn(scores[results[i]["index"].toInt()].toArray());
            QCOMPARE(ofText.size(), std::size_t{3});
            QVERIFY(ofText[0] != ofText[1] && ofText[1] != ofText[2]);
            QCOMPARE(results[i]["score"].toDouble(), ofText[0]);
            QVERIFY(i == 0 || results[i - 1]["score"].toDouble() >= ofText[0]);
        }
        const CliResult text = runCli(QStringList{"rerank", kEncoders + "bert-rank.gguf", "the big girl"} + texts);
        QVERIFY2(text.err.contains("the first of 3 labels, LABEL_0"), text.err.constData());
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("message");
        const QString bert = kEncoders + "bert.gguf";
        const auto row = [](const char* name, const QStringList& arguments, const char* message) {
            QTest::newRow(name) << arguments << QByteArray(message);
        };
        row("nothing to embed", {"embed", bert}, "either texts or --tokens");
        row("both", {"embed", bert, "a", "--tokens", "1"}, "either texts or --tokens");
        row("no ids", {"embed", bert, "--tokens", " "}, "at least one id");
        row("no id", {"embed", bert, "--tokens", "1,x"}, "\"x\" is not a token id");
        row("no pooling", {"embed", bert, "a", "--pooling", "max"}, "not \"max\"");
        row("no head", {"embed", bert, "a", "--pooling", "rank"}, "no ranking head");
        row("normalised scores", {"embed", kEncoders + "bert-rank.gguf", "a", "--normalize"}, "scores");
        row("no reranker", {"rerank", bert, "a", "b"}, "no ranking head");
        row("too many tokens", {"embed", bert, "--tokens", "1,2,3", "--context", "2"}, "2");
        row("outside the vocabulary", {"embed", bert, "--tokens", "200"}, "200");
        row("chat", {"chat", bert, "-m", "a"}, "gufo-cli embed");
        row("generate", {"generate", bert, "-p", "a"}, "gufo-cli embed");
        row("perplexity", {"perplexity", bert, "-"}, "gufo-cli embed");
        row("bench", {"bench", bert}, "gufo-cli embed");
    }
    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, message);
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(message), result.err.constData());
        QCOMPARE(result.err.count('\n'), 1);
    }

    // A collection that a signal ends is continued to the same file; quantising accepts it.
    void importanceMatrix() {
        const QString model = kArchitectures + "olmoe.gguf";
        const QString text = m_folder.filePath("text.txt");
        makeText(text);
        const QString whole = m_folder.filePath("whole.gguf");
        const QString parts = m_folder.filePath("parts.gguf");
        const QStringList options{"--context", "16", "--save-every", "2"};
        const CliResult result = runCli(QStringList{"imatrix", model, text, "-o", whole, "--json"} + options);
        QVERIFY2(result.code == 0, result.err.constData());
        const int chunks = result.json()["chunks"].toInt();
        QVERIFY(chunks > 8);
        QCOMPARE(result.json()["chunk_size"].toInt(), 16);
        QCOMPARE(result.json()["resumed_chunks"].toInt(), 0);
        QCOMPARE(result.json()["experts"].toInt() % 6, 0); // two blocks with three tensors each
        QCOMPARE(result.json()["entries"].toInt(), 2 * 8);

        // What the file contains are not weights of a model.
        const QByteArray info = runCli({"info", whole}).out;
        QVERIFY(info.contains("importance matrix"));
        QVERIFY2(!info.contains("Parameters") && !info.contains("Bits per weight"), info.constData());

        // An existing file is replaced only on request, and a complete one is not continued.
        QCOMPARE(runCli(QStringList{"imatrix", model, text, "-o", whole} + options).code, 2);
        const CliResult complete = runCli(QStringList{"imatrix", model, text, "-o", whole, "--resume"} + options);
        QCOMPARE(complete.code, 2);
        QVERIFY2(complete.err.contains("complete"), complete.err.constData());

        killAfterASave(QStringList{"imatrix", model, text, "-o", parts, "--context", "16", "--save-every", "1"}, parts);
        const CliResult other =
            runCli({"imatrix", model, text, "-o", parts, "--resume", "--context", "8", "--save-every", "2"});
        QCOMPARE(other.code, 2);
        QVERIFY2(other.err.contains("--context"), other.err.constData());
        const CliResult rest = runCli(QStringList{"imatrix", model, text, "-o", parts, "--resume", "--json"} + options);
        QVERIFY2(rest.code == 0, rest.err.constData());
        QVERIFY(rest.json()["resumed_chunks"].toInt() > 0);
        QCOMPARE(rest.json()["chunks"].toInt(), chunks);
        QVERIFY(contentOf(parts) == contentOf(whole));

        const QString quantised = m_folder.filePath("quantised.gguf");
        const CliResult made = runCli({"quantize", model, quantised, "Q4_0", "--imatrix", whole, "--json"});
        QVERIFY2(made.code == 0, made.err.constData());
        QVERIFY(runCli({"get", quantised, "quantize.imatrix.chunks_count"}).out.startsWith(QByteArray::number(chunks)));
    }

private:
    static void makeText(const QString& path) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 40; ++i) {
            file.write("the big girl saw a happy boy and two friends ");
        }
    }
    // Ends the program as soon as the file exists, and until that has left it unfinished.
    static void killAfterASave(const QStringList& arguments, const QString& out) {
        for (int tries = 0; tries < 20; ++tries) {
            QFile::remove(out);
            QProcess process;
            process.start(QStringLiteral(GUFO_CLI), arguments);
            while (!QFile::exists(out) && !process.waitForFinished(0)) {
            }
            process.kill();
            process.waitForFinished();
            if (process.exitStatus() == QProcess::CrashExit && QFile::exists(out)) {
                return;
            }
        }
        QFAIL("it always ended before it could be killed");
    }

    QTemporaryDir m_folder;
};

GUFO_TEST(TestCliEmbed)
#include "tst_cli_embed.moc"
