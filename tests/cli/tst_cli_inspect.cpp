// The verb inspect of gufo-cli: arrays of what happens inside a model, and refusals by name.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace gufo::test;

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");

QString fixture(const char* name) {
    return QStringLiteral(GUFO_TEST_DATA "/architectures/%1.gguf").arg(QLatin1String(name));
}

QStringList inspect(const QString& model, const char* what, const QStringList& more = {}) {
    return QStringList{"inspect", model, "--what", what, "--tokens", "1,2,3,4,5", "--kv", "f32"} + more;
}

// The numbers of rows of nested arrays, down to the innermost one.
QList<qsizetype> shapeOf(QJsonValue value) {
    QList<qsizetype> shape;
    while (value.isArray()) {
        shape << value.toArray().size();
        value = value.toArray().at(0);
    }
    return shape;
}

} // namespace

class TestCliInspect : public QObject {
    Q_OBJECT

private slots:
    void writesJson_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QList<qsizetype>>("shape");
        const auto row = [](const char* model, const char* what, const char* key, const QList<qsizetype>& shape) {
            QTest::addRow("%s %s %s", model, what, key)
                << fixture(model) << QString::fromLatin1(what) << QString::fromLatin1(key) << shape;
        };
        row("gpt-oss", "attention", "weights", {4, 5, 5});
        row("gpt-oss", "attention", "entropy", {4, 5});
        row("gpt-oss", "attention", "sink", {4, 5});
        row("gpt-oss", "lens", "ids", {3, 5, 5});
        row("gpt-oss", "lens", "probabilities", {3, 5, 5});
        row("gpt-oss", "lens", "final_ranks", {3, 5});
        row("gpt-oss", "lens", "becomes_first", {5});
        row("gpt-oss", "experts", "ids", {3, 5, 2});
        row("gpt-oss", "experts", "weights", {3, 5, 2});
        row("gpt-oss", "experts", "load", {3, 6});
        row("gpt-oss", "norms", "stream", {3, 5});
        row("gpt-oss", "norms", "channel", {3, 5});
        row("qwen35", "norms", "feed_forward", {4, 5});
        row("qwen35", "norms", "states", {3});
        row("qwen35", "attention", "weights", {4, 5, 5}); // block 3 is the first that attends
    }
    void writesJson() {
        QFETCH(QString, model);
        QFETCH(QString, what);
        QFETCH(QString, key);
        QFETCH(QList<qsizetype>, shape);
        const CliResult result = runCli(inspect(model, qPrintable(what), {"--json"}));
        QCOMPARE(result.code, 0);
        const QJsonObject json = result.json();
        QCOMPARE(json["what"].toString(), what);
        QCOMPARE(json["tokens"].toArray(), (QJsonArray{1, 2, 3, 4, 5}));
        QVERIFY(json["bytes"].toDouble() > 0);
        QCOMPARE(shapeOf(json[key]), shape);
    }

    void showsStatesOfRecurrentBlocks() {
        const QJsonObject json = runCli(inspect(fixture("qwen35"), "norms", {"--json"})).json();
        const QJsonObject state = json["states"].toArray().at(1).toObject();
        QCOMPARE(state["block"].toInt(), 1);
        QCOMPARE(shapeOf(state["norms"]), (QList<qsizetype>{5, 4}));
        QCOMPARE(shapeOf(state["decays"]), (QList<qsizetype>{5, 4}));
        const double decay = state["decays"].toArray().at(4).toArray().at(0).toDouble();
        QVERIFY(decay > 0 && decay < 1);
        QCOMPARE(runCli(inspect(fixture("qwen35"), "attention", {"--json"})).json()["block"].toInt(), 3);
    }

    // The file has the numbers of the JSON.
    void writesNpy_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QByteArray>("description");
        QTest::addColumn<QStringList>("keys"); // of JSON, by field
        QTest::newRow("attention") << "attention" << QByteArray("'<f4'") << QStringList{"weights"};
        QTest::newRow("lens") << "lens" << QByteArray("[('id', '<u4'), ('probability', '<f4'), ]")
                              << QStringList{"ids", "probabilities"};
        QTest::newRow("experts") << "experts" << QByteArray("[('id', '<u4'), ('weight', '<f4'), ]")
                                 << QStringList{"ids", "weights"};
        QTest::newRow("norms") << "norms"
                               << QByteArray("[('stream', '<f4'), ('mixer', '<f4'), ('feed_forward', '<f4'), "
                                             "('largest', '<f4'), ('channel', '<u4'), ]")
                               << QStringList{"stream", "mixer", "feed_forward", "largest", "channel"};
    }
    void writesNpy() {
        QFETCH(QString, what);
        QFETCH(QByteArray, description);
        QFETCH(QStringList, keys);
        const QTemporaryDir folder;
        const QString path = folder.filePath("out.npy");
        const CliResult result = runCli(inspect(fixture("gpt-oss"), qPrintable(what), {"-o", path, "--json"}));
        QCOMPARE(result.code, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QCOMPARE(bytes.left(8), QByteArray("\x93NUMPY\x01\x00", 8));
        const qsizetype length = static_cast<quint8>(bytes[8]) + 256 * static_cast<quint8>(bytes[9]);
        const QList<qsizetype> shape = shapeOf(result.json()[keys.first()]);
        QStringList dims;
        for (const qsizetype dim : shape) {
            dims << QString::number(dim);
        }
        QCOMPARE(bytes.mid(10, length).trimmed(), "{'descr': " + description + ", 'fortran_order': False, 'shape': (" +
                                                      dims.join(", ").toLatin1() + "), }");
        std::vector<std::vector<double>> expected;
        for (const QString& key : keys) {
            expected.emplace_back();
            const auto flatten = [&](const auto& self, const QJsonValue& value) -> void {
                if (!value.isArray()) {
                    expected.back().push_back(value.toDouble());
                    return;
                }
                for (const QJsonValue& element : value.toArray()) {
                    self(self, element);
                }
            };
            flatten(flatten, result.json()[key]);
        }
        QCOMPARE(bytes.size(), 10 + length + static_cast<qsizetype>(4 * keys.size() * expected.front().size()));
        const char* at = bytes.constData() + 10 + length;
        for (std::size_t i = 0; i < expected.front().size(); ++i) {
            for (qsizetype field = 0; field < keys.size(); ++field, at += 4) {
                const bool whole = keys[field] == "ids" || keys[field] == "channel";
                std::uint32_t number = 0;
                float real = 0;
                std::memcpy(&number, at, 4);
                std::memcpy(&real, at, 4);
                const double expectedValue = expected[static_cast<std::size_t>(field)][i];
                QCOMPARE(whole ? static_cast<double>(number) : static_cast<double>(real),
                         whole ? expectedValue : static_cast<double>(static_cast<float>(expectedValue)));
            }
        }
        QCOMPARE(runCli(inspect(fixture("gpt-oss"), qPrintable(what), {"-o", path})).code, 2); // without --force
    }

    void choosesABlockAndAHead() {
        const QJsonObject all = runCli(inspect(fixture("gpt-oss"), "attention", {"--block", "1", "--json"})).json();
        const QJsonObject one =
            runCli(inspect(fixture("gpt-oss"), "attention", {"--block", "1", "--head", "2", "--json"})).json();
        QCOMPARE(one["block"].toInt(), 1);
        QCOMPARE(one["first_head"].toInt(), 2);
        QCOMPARE(one["weights"].toArray().at(0), all["weights"].toArray().at(2));
        const QJsonArray lens =
            runCli(inspect(fixture("gpt-oss"), "lens", {"--candidates", "2", "--json"})).json()["ids"].toArray();
        QCOMPARE(shapeOf(lens), (QList<qsizetype>{3, 5, 2}));
    }

    void readsAText() {
        const CliResult lens = runCli({"inspect", kSample, "--what", "lens", "-p", "Once upon a"});
        QCOMPARE(lens.code, 0);
        QVERIFY2(lens.out.contains(" time"), lens.out.constData());
        for (const char* what : {"attention", "norms"}) {
            const CliResult result = runCli({"inspect", kSample, "--what", what, "-p", "Once upon a"});
            QCOMPARE(result.code, 0);
            QVERIFY(result.out.count('\n') > 3);
        }
        QVERIFY(runCli(inspect(fixture("gpt-oss"), "experts")).out.count('\n') > 3);
        QVERIFY(runCli(inspect(fixture("qwen35"), "norms")).out.contains("0."));
    }

    // A model against itself, and against a smaller one of the same text.
    void comparesTwoModels() {
        const QString f16 = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
        const auto largest = [](const QJsonValue& array, double from) {
            double most = 0;
            const auto visit = [&](const auto& self, const QJsonValue& value) -> void {
                for (const QJsonValue each : value.toArray()) {
                    each.isArray() ? self(self, each) : void(most = std::max(most, std::abs(each.toDouble() - from)));
                }
            };
            visit(visit, array);
            return most;
        };
        for (const QString& other : {f16, kSample}) {
            const bool same = other == f16;
            const QJsonObject attention = runCli(inspect(f16, "attention", {"--against", other, "--json"})).json();
            const QJsonValue weights = attention["difference"]["weights"];
            QCOMPARE(shapeOf(weights), shapeOf(attention["a"]["weights"]));
            QCOMPARE(largest(weights, 0) == 0, same);
            const QJsonObject norms = runCli(inspect(f16, "norms", {"--against", other, "--json"})).json();
            QCOMPARE(largest(norms["difference"]["stream_ratio"], 1) == 0, same);
            const QJsonObject lens = runCli(inspect(f16, "lens", {"--against", other, "--json"})).json();
            QCOMPARE(lens["a"]["probabilities"] == lens["b"]["probabilities"], same);
            QVERIFY(!lens.contains("difference"));
        }
        const QJsonObject experts =
            runCli(inspect(fixture("olmoe"), "experts", {"--against", fixture("minimax-m2"), "--json"})).json();
        const auto chosen = [&](const char* name) {
            return experts["difference"][QLatin1String(name)][0][4].toArray().size();
        };
        QCOMPARE(chosen("only_a"), chosen("only_b"));
        QCOMPARE(chosen("only_a") + chosen("both"), 3);
        const CliResult text = runCli(inspect(f16, "norms", {"--against", kSample}));
        QCOMPARE(text.code, 0);
        QVERIFY(text.out.startsWith("A\n") && text.out.contains("\nB\n") && text.out.contains("\nB / A\n"));
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("error");
        QTest::newRow("nothing asked") << QStringList{"inspect", fixture("llama"), "--tokens", "1"} << "--what";
        QTest::newRow("what") << inspect(fixture("llama"), "heads") << "heads";
        QTest::newRow("no tokens") << QStringList{"inspect", fixture("llama"), "--what", "lens"} << "--tokens";
        QTest::newRow("both") << inspect(fixture("llama"), "lens", {"-p", "a"}) << "--tokens";
        QTest::newRow("no experts") << inspect(fixture("llama"), "experts") << "no experts";
        QTest::newRow("no such block") << inspect(fixture("llama"), "attention", {"--block", "9"}) << "no block 9";
        QTest::newRow("no such head") << inspect(fixture("llama"), "attention", {"--head", "9"})
                                      << "no head 9 in block 0";
        QTest::newRow("recurrent block") << inspect(fixture("qwen35"), "attention", {"--block", "0"})
                                         << "block 0 has no attention; block 3 has";
        QTest::newRow("recurrent model") << inspect(fixture("mamba"), "attention") << "no block of the model";
        QTest::newRow("head of a lens") << inspect(fixture("llama"), "lens", {"--head", "0"}) << "--head";
        QTest::newRow("candidates of experts")
            << inspect(fixture("llama"), "norms", {"--candidates", "3"}) << "--candidates";
        QTest::newRow("other blocks") << inspect(fixture("olmoe"), "norms", {"--against", fixture("bailingmoe2")})
                                      << "has 2 blocks and the other one 3";
        QTest::newRow("other vocabulary")
            << inspect(fixture("olmoe"), "norms", {"--against", fixture("qwen2moe")}) << "its vocabulary has 64 tokens";
        QTest::newRow("encoder") << inspect(QStringLiteral(GUFO_TEST_DATA "/encoders/bert-distil.gguf"), "norms") << "";
        QTest::newRow("token") << QStringList{"inspect", fixture("llama"), "--what", "lens", "--tokens", "100000"}
                               << "100000";
    }
    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, error);
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY(result.out.isEmpty());
        QVERIFY2(result.err.contains(error.toUtf8()) && !result.err.isEmpty(), result.err.constData());
    }
};

GUFO_TEST(TestCliInspect)

#include "tst_cli_inspect.moc"
