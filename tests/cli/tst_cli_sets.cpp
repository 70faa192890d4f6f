// Sets of shards that are incomplete or put together wrongly: every verb that writes or runs a model refuses each kind,
// names the part, and leaves no file behind. Verbs that only show a model still open the present shards.
#include "cli_runner.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"
#include "support/wrong_sets.h"
#include "test_paths.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr auto kModel = GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf";
constexpr auto kOtherQuantisation = GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf";

// A verb with its arguments, in which IN is the set, OUT the folder of the outputs, and TEXT a file.
struct VerbCall {
    const char* name;
    QStringList arguments;
    bool writes; // a file
};

std::vector<VerbCall> verbCalls() {
    return {
        {"quantize", {"quantize", "IN", "OUT/q.gguf", "Q4_0", "--allow-requantize"}, true},
        {"quantize --dry-run", {"quantize", "--dry-run", "IN", "Q4_0", "--allow-requantize"}, false},
        {"merge", {"merge", "IN", "OUT/m.gguf"}, true},
        {"merge --verify", {"merge", "IN", "OUT/m.gguf", "--verify"}, true},
        {"split", {"split", "IN", "OUT/s", "--max-tensors", "5"}, true},
        {"convert", {"convert", "IN", "OUT/c.gguf", "--version", "2"}, true},
        {"set -o", {"set", "IN", "general.name=x", "-o", "OUT/m.gguf"}, true},
        {"set -o, as a set", {"set", "IN", "general.name=x", "-o", "OUT/n-00001-of-00003.gguf"}, true},
        {"imatrix", {"imatrix", "IN", "TEXT", "-o", "OUT/i.gguf", "--context", "16", "--chunks", "1"}, true},
        {"generate", {"generate", "IN", "-p", "The", "-n", "2"}, false},
        {"perplexity", {"perplexity", "IN", "TEXT", "--context", "16"}, false},
        {"eval", {"eval", "IN", "--tokens", "1,2,3", "--logits", "OUT/l.f32"}, true},
        {"eval --with",
         {"eval", kOtherQuantisation, "--tokens", "1,2,3", "--logits", "OUT/l.f32", "--with", "attn_v=IN"},
         true},
        {"blame", {"blame", kOtherQuantisation, "IN", "TEXT", "--context", "16", "--only", "blk.0.attn_v"}, false},
        {"bench", {"bench", "IN", "-p", "4", "-n", "1"}, false},
        {"compare", {"compare", "IN", "IN", "--no-cache"}, false},
        {"hash", {"hash", "IN"}, false},
        {"hash -o", {"hash", "IN", "-o", "OUT/MANIFEST"}, true},
        {"card", {"card", "IN"}, false},
        {"card -o", {"card", "IN", "-o", "OUT/README.md"}, true},
    };
}

// Writes the second part of a set, or does not, beside the first one.
using SecondPart = std::function<void(const QString& first, const QString& second)>;

} // namespace

class TestCliSets : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const auto model = gguf::open(kModel);
        const auto other = gguf::open(kOtherQuantisation);
        QVERIFY(model && other && m_folder.isValid());
        for (const WrongSet& set : wrongSets()) {
            const fs::path folder = native("sets") / set.name;
            m_sets[set.name] = set.write(**model, **other, folder);
        }
        writeShards(threeShards(**model), native("sets") / "complete");
        QFile text(m_folder.filePath("text.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        QVERIFY(text.write(QByteArray("The owl sees in the dark, and it flies without a sound. ").repeated(20)) > 0);
    }

    // The calls are right: each of them does its work with a complete set.
    void acceptsTheCompleteSet_data() {
        QTest::addColumn<int>("call");
        for (std::size_t i = 0; i < m_calls.size(); ++i) {
            QTest::newRow(m_calls[i].name) << static_cast<int>(i);
        }
    }
    void acceptsTheCompleteSet() {
        QFETCH(int, call);
        const QTemporaryDir out;
        const VerbCall& verb = m_calls[static_cast<std::size_t>(call)];
        const CliResult result = run(verb, shardPath(native("sets") / "complete", 2), out);
        QVERIFY2(result.code == 0, result.err.constData());
        QCOMPARE(QDir(out.path()).isEmpty(), !verb.writes);
    }

    void refusesWrongSets_data() {
        QTest::addColumn<QString>("set");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<int>("call");
        for (const WrongSet& set : wrongSets()) {
            for (std::size_t i = 0; i < m_calls.size(); ++i) {
                QTest::addRow("%s: %s", set.name, m_calls[i].name)
                    << QString(set.name) << QByteArray(set.message) << static_cast<int>(i);
            }
        }
    }
    void refusesWrongSets() {
        QFETCH(QString, set);
        QFETCH(QByteArray, message);
        QFETCH(int, call);
        const QTemporaryDir out;
        const CliResult result = run(m_calls[static_cast<std::size_t>(call)], m_sets.at(set.toStdString()), out);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(message), result.err.constData());
        QVERIFY2(result.err.size() < 500 + 2 * static_cast<qsizetype>(m_folder.path().size()), result.err.constData());
        QVERIFY2(QDir(out.path()).isEmpty(), qPrintable(QDir(out.path()).entryList().join(' ')));
    }

    void showsWrongSets_data() {
        QTest::addColumn<QString>("set");
        for (const WrongSet& set : wrongSets()) {
            QTest::newRow(set.name) << QString(set.name);
        }
    }
    void showsWrongSets() {
        QFETCH(QString, set);
        const QString file = QString::fromStdString(m_sets.at(set.toStdString()));
        const CliResult info = runCli({"info", file, "--json"});
        QCOMPARE(info.code, 0);
        QVERIFY(!info.json()["tensors"].toArray().isEmpty());
        bool isSaid = false;
        for (const QJsonValue& finding : info.json()["findings"].toArray()) {
            isSaid = isSaid || finding["severity"] == "error";
        }
        QVERIFY(isSaid);
        QCOMPARE(runCli({"validate", file}).code, 1);
    }

    // The adapter would fit; the set is refused before its tensors are looked for.
    void appliesToCompleteSetsOnly() {
        const QTemporaryDir out;
        const CliResult result =
            runCli({"apply", QString::fromStdString(m_sets.at("missing part")), "no.gguf", out.filePath("a.gguf")});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("part 2 of 3 is missing"), result.err.constData());
        QVERIFY(QDir(out.path()).isEmpty());
    }

    void refusesToChat() {
        const CliResult result = runShell(
            QStringLiteral("echo hello | $CLI chat '%1'").arg(QString::fromStdString(m_sets.at("missing part"))));
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("part 2 of 3 is missing"), result.err.constData());
    }

    // A server or libllama must not be given what this engine refuses; encoders are the other way to run a model.
    void refusesToEmbed_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("embed") << QStringList{"embed", "IN", "text"};
        QTest::newRow("rerank") << QStringList{"rerank", "IN", "query", "text"};
    }
    void refusesToEmbed() {
        QFETCH(QStringList, arguments);
        const auto model = gguf::open(GUFO_TEST_DATA "/encoders/bert.gguf");
        QVERIFY(model);
        const fs::path folder = native("encoder");
        writeShards(threeShards(**model), folder);
        fs::remove(shardPath(folder, 2));
        arguments[1] = QString::fromStdString(shardPath(folder, 1));
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("part 2 of 3 is missing"), result.err.constData());
    }

    // The first part has the keys: without it, these verbs would name one of them as missing.
    void namesTheFirstPart_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("inspect") << QStringList{"inspect", "IN", "--what", "lens", "-p", "The"};
        QTest::newRow("embed") << QStringList{"embed", "IN", "text"};
        QTest::newRow("tokenize") << QStringList{"tokenize", "IN", "text"};
        QTest::newRow("memory") << QStringList{"memory", "IN"};
    }
    void namesTheFirstPart() {
        QFETCH(QStringList, arguments);
        const fs::path folder = native("headless");
        writeShards(threeShards(*gguf::open(kModel).value()), folder);
        fs::remove(shardPath(folder, 1));
        arguments[1] = QString::fromStdString(shardPath(folder, 3));
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("part 1 of 3 is missing"), result.err.constData());
    }

    // Metadata of the parts that are there can still be corrected in place.
    void editsInPlace() {
        const fs::path folder = native("edited");
        writeShards(threeShards(*gguf::open(kModel).value()), folder);
        fs::remove(shardPath(folder, 2));
        const QString file = QString::fromStdString(shardPath(folder, 1));
        QCOMPARE(runCli({"set", file, "general.name=x"}).code, 0);
        QCOMPARE(runCli({"get", file, "general.name"}).out, "x");
    }

    // Sets of safetensors, with and without a list.
    void refusesWrongSafetensors_data() {
        QTest::addColumn<bool>("listed");
        QTest::addColumn<SecondPart>("writeSecond");
        QTest::addColumn<QByteArray>("message");
        const SecondPart missing = [](const QString&, const QString&) {};
        const SecondPart empty = [](const QString&, const QString& second) {
            QVERIFY(QFile(second).open(QIODevice::WriteOnly));
        };
        const SecondPart doubled = [](const QString& first, const QString& second) {
            QVERIFY(QFile::copy(first, second));
        };
        for (const bool listed : {false, true}) {
            const auto row = [&](const char* fault, const SecondPart& writeSecond, const char* message) {
                QTest::addRow("%s, %s", fault, listed ? "listed" : "by name")
                    << listed << writeSecond << QByteArray(message);
            };
            row("missing", missing, "part 2 of 2 is missing");
            row("empty", empty, "part 2 of 2 is empty");
            row("doubled", doubled,
                listed ? "part 2 of 2 lacks the tensor b" : "parts 1 and 2 of 2 both contain the tensor a");
        }
    }
    void refusesWrongSafetensors() {
        QFETCH(bool, listed);
        QFETCH(SecondPart, writeSecond);
        QFETCH(QByteArray, message);
        const QTemporaryDir folder;
        const auto in = [&](const char* name) { return folder.filePath(QLatin1String(name)); };
        const QString first = in("model-00001-of-00002.safetensors");
        SafetensorsBuilder().tensor("a", "F32", {4}).write(first.toStdString());
        writeSecond(first, in("model-00002-of-00002.safetensors"));
        QString opened = first;
        if (listed) {
            opened = in("model.safetensors.index.json");
            QFile list(opened);
            QVERIFY(list.open(QIODevice::WriteOnly));
            list.write(R"({"weight_map": {"a": "model-00001-of-00002.safetensors",
                                          "b": "model-00002-of-00002.safetensors"}})");
        }
        const CliResult result = runCli({"set", opened, "format=x", "-o", in("new.safetensors.index.json")});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(message), result.err.constData());
        QVERIFY(!QFile::exists(in("new.safetensors.index.json")));
    }

private:
    CliResult run(const VerbCall& call, const fs::path& set, const QTemporaryDir& out) const {
        QStringList arguments;
        for (QString argument : call.arguments) {
            argument.replace(QRegularExpression(QStringLiteral("^OUT")), out.path());
            argument.replace(QRegularExpression(QStringLiteral("=IN$")), u'=' + QString::fromStdString(set));
            arguments << (argument == "IN"     ? QString::fromStdString(set)
                          : argument == "TEXT" ? m_folder.filePath("text.txt")
                                               : argument);
        }
        return runCli(arguments);
    }
    [[nodiscard]] fs::path native(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
    std::map<std::string, fs::path> m_sets;
    std::vector<VerbCall> m_calls = verbCalls();
};

GUFO_TEST(TestCliSets)
#include "tst_cli_sets.moc"

#include <functional>
