// Tests chat and generate with engines that lack features: an option that needs one is refused with the reason, and
// everything else works.
#include "cli_runner.h"
#include "support/run_models.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

class TestCliEngines : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_model;

    CliResult run(StandIn kind, const QString& verb, const QStringList& arguments) {
        QProcess process;
        process.start(QStringLiteral(GUFO_STAND_IN_CLI),
                      QStringList{QString::number(static_cast<int>(kind)), verb, m_model} + arguments);
        return finish(process);
    }
    // The last line of JSON, which describes the finished answer.
    static QJsonObject answer(const CliResult& result) {
        QJsonObject last;
        for (const QByteArray& line : result.lines()) {
            if (!line.isEmpty()) {
                last = QJsonDocument::fromJson(line).object();
            }
        }
        return last;
    }

private slots:
    void initTestCase() {
        m_model = m_folder.filePath(QStringLiteral("model.gguf"));
        const auto bytes = runnableFile().build();
        QFile file(m_model);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())),
                 static_cast<qint64>(bytes.size()));
    }

    void refuses_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArrayList>("said");
        const QStringList prompt{"-p", "Once", "-n", "2"};
        const auto row = [](const char* name, StandIn kind, const QString& verb, const QStringList& arguments,
                            const QByteArrayList& said) {
            QTest::newRow(name) << static_cast<int>(kind) << verb << arguments << said;
        };
        row("candidates", StandIn::TextOnly, "generate", prompt + QStringList{"--json", "--candidates", "3"},
            {"--candidates", "does not report candidate tokens"});
        row("bias", StandIn::TextOnly, "generate", prompt + QStringList{"--logit-bias", "5=1"},
            {"--logit-bias", "not single tokens"});
        row("bias, with candidates", StandIn::TopCandidates, "chat", {"-m", "x", "--logit-bias", "5=1"},
            {"--logit-bias", "not single tokens"});
        row("grammar", StandIn::TopCandidates, "generate", prompt + QStringList{"--grammar-text", "root ::= \"a\""},
            {"--grammar-text", "grammars"});
        row("schema", StandIn::TextOnly, "chat", {"-m", "x", "--json-schema-text", "{}"},
            {"--json-schema-text", "does not support JSON schemas"});
        row("completion", StandIn::ConversationOnly, "generate", prompt, {"--prompt", "conversations only"});
        // It says nothing about what it obeys, so it obeys nothing.
        const QStringList message{"-m", "x"};
        for (const QStringList& option :
             {QStringList{"--context", "64"}, QStringList{"--batch", "8"}, QStringList{"--kv", "f16"},
              QStringList{"--kv-keys", "f16"}, QStringList{"--kv-values", "f16"}, QStringList{"-t", "2"},
              QStringList{"--rope-scaling", "none"}, QStringList{"--rope-scale", "2"},
              QStringList{"--rope-base", "10000"}, QStringList{"--rope-original-context", "64"},
              QStringList{"--gpu-layers", "1"}, QStringList{"--rpc", "a:1"}, QStringList{"--keep-prompts"},
              QStringList{"--mtp"}}) {
            row(qPrintable("obeys nothing: " + option[0]), StandIn::TextOnly, "generate", prompt + option,
                {"has no effect with the engine \"text-only\", only with: "});
            row(qPrintable("obeys nothing, chat: " + option[0]), StandIn::TextOnly, "chat", message + option,
                {"has no effect with the engine \"text-only\", only with: "});
        }
        row("obeys another", StandIn::Full, "generate", prompt + QStringList{"--threads", "2"},
            {"--threads has no effect with the engine \"full\""});
        row("template", StandIn::ConversationOnly, "chat", {"-m", "x", "--template", "chatml"},
            {"--template", "its own chat template"});
    }
    void refuses() {
        QFETCH(int, kind);
        QFETCH(QString, verb);
        QFETCH(QStringList, arguments);
        QFETCH(QByteArrayList, said);
        const CliResult result = run(static_cast<StandIn>(kind), verb, arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.out.isEmpty(), result.out);
        QCOMPARE(result.err.count('\n'), 1);
        for (const QByteArray& words : said) {
            QVERIFY2(result.err.contains(words), result.err);
        }
    }

    void generates() {
        const QStringList prompt{"-p", "Once", "-n", "3"};
        const CliResult text = run(StandIn::TextOnly, "generate", prompt);
        QCOMPARE(text.code, 0);
        QCOMPARE(text.out, QByteArray(" one two three\n"));

        const QJsonObject bare = run(StandIn::TextOnly, "generate", prompt + QStringList{"--json"}).json();
        QCOMPARE(bare["text"].toString(), QString(" one two three"));
        QCOMPARE(bare["stop"].toString(), QString("most_tokens"));
        QVERIFY(bare["tokens"].isArray() && bare["tokens"].toArray().isEmpty()); // it reports none

        const QStringList candidates = prompt + QStringList{"--json", "--candidates", "2", "--temp", "0"};
        const QJsonArray top = run(StandIn::TopCandidates, "generate", candidates).json()["tokens"].toArray();
        QCOMPARE(top.size(), 3);
        QVERIFY(!top[1].toObject().contains("id") && top[1].toObject().contains("logprob"));
        const QJsonArray texts = top[1].toObject()["candidates"].toArray();
        QCOMPARE(texts.size(), 2);
        QCOMPARE(texts[1].toObject()["text"].toString(), QString(" three"));
        QCOMPARE(texts[1].toObject()["probability"].toDouble(), 0.3);

        const CliResult full = run(StandIn::Full, "generate", candidates + QStringList{"--logit-bias", "5=-inf"});
        QVERIFY2(full.code == 0, full.err);
        QCOMPARE(full.json()["text"].toString(), QString(" one two three"));
        const QJsonObject token = full.json()["tokens"].toArray()[0].toObject();
        QVERIFY(token.contains("id") && token.contains("logprob"));
        QVERIFY(token["candidates"].toArray()[0].toObject().contains("id"));
    }

    void chats() {
        for (const StandIn kind :
             {StandIn::TextOnly, StandIn::TopCandidates, StandIn::Full, StandIn::ConversationOnly}) {
            const CliResult result =
                run(kind, "chat", {"--json", "--temp", "0", "-n", "3", "-m", "Count", "-m", "More"});
            QVERIFY2(result.code == 0, result.err);
            QCOMPARE(answer(result)["content"].toString(), QString("one two three"));
            QCOMPARE(answer(result)["stop"].toString(), QString("most_tokens"));
            QCOMPARE(answer(result)["tokens"].toInt(), 3);
            QCOMPARE(answer(result)["prompt_tokens"].toInt() > 0, kind == StandIn::Full);
        }
    }
};

GUFO_TEST(TestCliEngines)
#include "tst_cli_engines.moc"
