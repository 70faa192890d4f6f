// Tests chat, generate and perplexity on a server: --engine, its key, and what a server cannot do.
#include "../cli_runner.h"
#include "support/http_double.h"
#include "support/run_models.h"
#include "support/server_double.h"
#include "support/test_unit.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

using namespace gufo;
using namespace gufo::test;

class TestCliServer : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;
    std::shared_ptr<const Model> m_model = tinyRunnable();

    CliResult run(const ServerDouble& server, const QString& verb, const QStringList& arguments,
                  const QString& key = {}) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("GUFO_ENGINE_KEY"));
        if (!key.isEmpty()) {
            environment.insert(QStringLiteral("GUFO_ENGINE_KEY"), key);
        }
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(GUFO_CLI), QStringList{verb, m_file} + arguments +
                                                    QStringList{"--engine", QString::fromStdString(server.address())});
        return finish(process);
    }
    QString fileWith(const char* name, const QByteArray& bytes) {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            qWarning("a test file could not be written");
        }
        return file.fileName();
    }

    // The double gives a probability of 0.6 to the word that follows the last one, or to the first word after any other
    // token, and 0.01 to everything else.
    double expectedPerplexity(const ServerDouble& server, const std::string& text, std::size_t window) {
        const auto tokenizer = text::makeTokenizer(*m_model).value();
        const std::vector<TokenId> ids = tokenizer->encode(text)->ids;
        const std::vector<TokenId>& words = server.words();
        double sum = 0;
        std::size_t scored = 0;
        for (std::size_t begin = 0; begin + window <= ids.size(); begin += window) {
            for (std::size_t i = begin + window / 2; i + 1 < begin + window; ++i, ++scored) {
                const auto at = std::ranges::find(words, ids[i]);
                const std::size_t next = at == words.end() ? 0 : static_cast<std::size_t>(at - words.begin()) + 1;
                sum -= std::log(ids[i + 1] == words[next % words.size()] ? 0.6 : 0.01);
            }
        }
        return std::exp(sum / static_cast<double>(scored));
    }

private slots:
    void initTestCase() {
        const auto bytes = runnableFile().build();
        m_file = fileWith("model.gguf", QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                                   static_cast<qsizetype>(bytes.size())));
    }

    void generates() {
        const ServerDouble server(m_model, {.key = "secret"});
        const QString key = fileWith("key", "secret\n");
        const CliResult text = run(server, "generate", {"-p", "Once", "-n", "3", "--engine-key-file", key});
        QVERIFY2(text.code == 0, text.err);
        QCOMPARE(text.out, QByteArray(" one two three\n"));
        QVERIFY2(text.err.contains("llama-server b11669") && text.err.contains("this file's model"), text.err);
        QVERIFY(text.err.contains(QByteArray::fromStdString(server.address())) && !text.err.contains("secret"));
        const CliResult json =
            run(server, "generate", {"-p", "Once", "-n", "3", "--json", "--candidates", "2"}, "secret");
        const QJsonObject token = json.json()["tokens"].toArray()[1].toObject();
        QVERIFY(token.contains("id") && !token.contains("after_samplers"));
        QCOMPARE(token["candidates"].toArray().size(), 2);
        QCOMPARE(json.json()["generation_tps"].toDouble(), 500.0); // as the server measured
        const CliResult after =
            run(server, "generate", {"-p", "Once", "-n", "1", "--json", "--after-samplers"}, "secret");
        QVERIFY(after.json()["tokens"].toArray()[0].toObject()["after_samplers"].toBool());
        const CliResult refused = run(server, "generate", {"-p", "Once"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("401") && refused.err.contains("Invalid API Key"), refused.err);
        QVERIFY2(refused.err.contains("It needs a key") && refused.err.contains("GUFO_ENGINE_KEY"), refused.err);
        QVERIFY2(refused.err.contains("--engine-key-file") && !refused.err.contains("HF_TOKEN"), refused.err);
        const CliResult wrong = run(server, "generate", {"-p", "Once"}, "other");
        QVERIFY2(wrong.err.contains("another key than that of --engine-key-file"), wrong.err);
    }

    // A server may let everybody see its models, and refuse only the answer.
    void refusedAnswers_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QByteArray>("words");
        const auto rows = [](const char* name, const char* reply, const char* words) {
            for (const char* verb : {"chat", "generate"}) {
                QTest::addRow("%s, %s", name, verb) << verb << QByteArray(reply) << QByteArray(words);
            }
        };
        rows("no key", "HTTP/1.1 401 No\r\nContent-Length: 24\r\n\r\n{\"detail\":\"Give a key.\"}",
             "status 401: Give a key. It needs a key: give it in a file with --engine-key-file");
        rows("elsewhere", "HTTP/1.1 308 Moved\r\nLocation: https://other.example/v1\r\nContent-Length: 0\r\n\r\n",
             "status 308: https://other.example/v1. It redirects there: if you trust that server");
        rows("details",
             "HTTP/1.1 422 No\r\nContent-Length: 43\r\n\r\n{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"odd\"}]}  ",
             "status 422: body: odd");
    }
    void refusedAnswers() {
        QFETCH(QString, verb);
        QFETCH(QByteArray, reply);
        QFETCH(QByteArray, words);
        const HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const std::string models = R"({"data":[{"id":"m"}]})";
            peer.send(request.method == "POST" ? reply.toStdString()
                      : request.path == "/v1/models"
                          ? "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(models.size()) + "\r\n\r\n" + models
                          : "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
        });
        const CliResult result = runCli(
            {verb, m_file, verb == "chat" ? "-m" : "-p", "Hi", "--engine", QString::fromStdString(server.url(""))});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(words), result.err);
        QVERIFY2(!result.err.contains("HF_TOKEN"), result.err);
    }

    void chats() {
        const ServerDouble server(m_model);
        const CliResult result = run(server, "chat", {"--json", "-n", "3", "-m", "Count", "--server-template"});
        QVERIFY2(result.code == 0, result.err);
        QVERIFY2(result.out.contains("one two three"), result.out);
        QVERIFY(!server.lastBody("/apply-template").empty());
        const ServerDouble openAi(m_model, {.isLlamaServer = false, .thinks = true});
        const CliResult other = run(openAi, "chat", {"--json", "-n", "3", "-m", "Count"});
        QVERIFY2(other.code == 0, other.err);
        QVERIFY2(other.out.contains("Let me count."), other.out);
        QVERIFY2(other.err.contains("OpenAI"), other.err);
    }

    void measures() {
        const ServerDouble server(m_model);
        QByteArray words;
        for (int i = 0; i < 20; ++i) {
            words += " one two three four";
        }
        const QString text = fileWith("text", words);
        const CliResult result = run(server, "perplexity", {text, "--ctx", "16", "--json"});
        QVERIFY2(result.code == 0, result.err);
        const double value = result.json()["perplexity"].toDouble();
        QVERIFY2(std::abs(value / expectedPerplexity(server, words.toStdString(), 16) - 1) < 1e-6, result.out);
        const ServerDouble other(m_model, {.isOtherModel = true});
        const CliResult refused = run(other, "perplexity", {text, "--ctx", "16"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("probabilities of a given text's tokens"), refused.err);
        const ServerDouble openAi(m_model, {.isLlamaServer = false});
        QCOMPARE(run(openAi, "perplexity", {text, "--ctx", "16"}).code, 2);
        QCOMPARE(run(server, "perplexity", {text, "--ctx", "16", "--against", m_file}).code, 2);
    }

    void sendsSchemas_data() {
        QTest::addColumn<bool>("llama");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("member");
        QTest::newRow("llama-server") << true << QByteArray("/completion") << QByteArray(R"("grammar":)");
        QTest::newRow("OpenAI") << false << QByteArray("/v1/chat/completions")
                                << QByteArray(R"("schema":{"type":"boolean"})");
    }
    void sendsSchemas() {
        QFETCH(bool, llama);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, member);
        const ServerDouble server(m_model, {.isLlamaServer = llama});
        const CliResult result =
            run(server, "chat", {"-m", "x", "-n", "1", "--json-schema-text", R"({"type":"boolean"})"});
        QVERIFY2(result.code == 0, result.err);
        QVERIFY2(server.lastBody(path.toStdString()).contains(member.toStdString()),
                 server.lastBody(path.toStdString()).c_str());
    }

    void refuses_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<bool>("llama");
        QTest::addColumn<QByteArray>("said");
        const QStringList prompt{"-p", "Once", "-n", "1"};
        const QStringList message{"-m", "x", "-n", "1"};
        QTest::newRow("threads") << "generate" << prompt + QStringList{"--threads", "2"} << true
                                 << QByteArray("--threads has no effect");
        QTest::newRow("context") << "chat" << message + QStringList{"--context", "64"} << true
                                 << QByteArray("--context has no effect");
        QTest::newRow("keep-prompts") << "generate" << prompt + QStringList{"--keep-prompts"} << true
                                      << QByteArray("--keep-prompts has no effect");
        QTest::newRow("eval") << "eval" << QStringList{"--tokens", "1", "--logits", "o"} << true
                              << QByteArray("eval: --engine: this engine does not report");
        QTest::newRow("key of two lines") << "generate" << prompt + QStringList{"--engine-key-file", "LINES"} << true
                                          << QByteArray("the key of the server has several lines");
        QTest::newRow("no key") << "generate" << prompt + QStringList{"--engine-key-file", "EMPTY"} << true
                                << QByteArray("the file contains no key");
        QTest::newRow("lookup") << "generate" << prompt + QStringList{"--lookup"} << true << QByteArray("--lookup");
        QTest::newRow("completion") << "generate" << prompt << false << QByteArray("The server continues no texts");
        QTest::newRow("top-k") << "chat" << message + QStringList{"--top-k", "5"} << false << QByteArray("--top-k");
        QTest::newRow("grammar") << "chat" << message + QStringList{"--grammar-text", "root ::= \"a\""} << false
                                 << QByteArray("grammars");
        QTest::newRow("template") << "chat" << message + QStringList{"--template", "chatml"} << false
                                  << QByteArray("its own chat template");
    }
    void refuses() {
        QFETCH(QString, verb);
        QFETCH(QStringList, arguments);
        QFETCH(bool, llama);
        QFETCH(QByteArray, said);
        const ServerDouble server(m_model, {.isLlamaServer = llama});
        arguments.replaceInStrings(QStringLiteral("LINES"), fileWith("lines", "secret\nother"));
        arguments.replaceInStrings(QStringLiteral("EMPTY"), fileWith("empty", "\n"));
        const CliResult result = run(server, verb, arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(said), result.err);
        QVERIFY(server.lastBody("/completion").empty() && server.lastBody("/v1/chat/completions").empty());
    }
};

GUFO_TEST(TestCliServer)
#include "tst_cli_server.moc"
