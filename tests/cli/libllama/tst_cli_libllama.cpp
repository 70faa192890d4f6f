// Tests chat, generate, eval and perplexity with libllama (--engine libllama), with the stand-in for it: what the verbs
// print, and what they say where it is missing, refused or dies.
#include "../cli_runner.h"
#include "inference/engine_table.h"
#include "llama_double_model.h"
#include "llama_double_rule.h"
#include "support/test_unit.h"

#include <QFile>

#include <algorithm>

using namespace gufo;
using namespace gufo::test;

class TestCliLibllama : public QObject {
    Q_OBJECT

    LlamaDoubleModel m_model;
    QTemporaryDir m_programs; // gufo-cli looks for other programs beside itself

    CliResult run(const QStringList& arguments, const QString& program = QStringLiteral("gufo-cli")) const {
        QProcess process;
        process.start(m_programs.filePath(program), arguments);
        return finish(process);
    }
    [[nodiscard]] QStringList generate(const QStringList& more) const {
        return QStringList{"generate", m_model.path(), "-p",       "Once",    "-n", "6", "--temp",
                           "0",        "--ignore-eos", "--engine", "libllama"} +
               more;
    }
    // The greedy continuation by the rule of the stand-in.
    [[nodiscard]] std::vector<std::size_t> expected(const std::string& prompt, std::size_t count) const {
        const auto tokenizer = text::makeTokenizer(*m_model.model()).value();
        std::vector<std::int32_t> tokens;
        const auto encoded = tokenizer->encode(prompt).value();
        for (const TokenId id : encoded.ids) {
            tokens.push_back(static_cast<std::int32_t>(id.value));
        }
        std::vector<std::size_t> said;
        for (std::size_t i = 0; i < count; ++i) {
            const auto logits = llama_double::logitsAfter(tokens, m_model.vocabulary());
            said.push_back(static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin()));
            tokens.push_back(static_cast<std::int32_t>(said.back()));
        }
        return said;
    }

private slots:
    void initTestCase() {
        QVERIFY(QFile::copy(QStringLiteral(GUFO_CLI), m_programs.filePath(QStringLiteral("gufo-cli"))));
        QVERIFY(QDir(m_programs.path()).mkdir(QStringLiteral("alone")));
        QVERIFY(QFile::copy(QStringLiteral(GUFO_CLI), m_programs.filePath(QStringLiteral("alone/gufo-cli"))));
        QVERIFY(QFile::link(QStringLiteral(GUFO_LLAMA_HELPER_DOUBLE),
                            m_programs.filePath(QStringLiteral("gufo-llama-helper"))));
        const QString renderer =
            QFileInfo(QStringLiteral(GUFO_CLI)).dir().filePath(QStringLiteral("gufo-render-helper"));
        QVERIFY(QFile::link(renderer, m_programs.filePath(QStringLiteral("gufo-render-helper"))));
    }
    void init() { m_model.behave({}); }

    void generates() {
        const CliResult result = run(generate({"--json", "--candidates", "2", "--gpu-layers", "3"}));
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonArray tokens = QJsonDocument::fromJson(result.out).object()["tokens"].toArray();
        std::vector<std::size_t> said;
        for (const QJsonValue& token : tokens) {
            said.push_back(static_cast<std::size_t>(token["id"].toInt()));
            QCOMPARE(token["candidates"].toArray().size(), 2);
        }
        QCOMPARE(said, expected("Once", 6));
    }

    void grammar() {
        const CliResult result = run(generate({"--grammar-text", "root ::= \" one two\""}));
        QVERIFY2(result.code == 0, result.err.constData());
        QCOMPARE(result.out, QByteArray(" one two\n"));
    }

    void chats() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the render helper has no room for AddressSanitizer");
#endif
        const CliResult result =
            run({"chat", m_model.path(), "-m", "Once", "-n", "4", "--temp", "0", "--engine", "libllama", "--json"});
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY(!result.out.isEmpty());
    }

    void evaluates() {
        const QString out = m_programs.filePath(QStringLiteral("logits"));
        const CliResult result =
            run({"eval", m_model.path(), "--tokens", "10 11 12", "--logits", out, "--engine", "libllama"});
        QVERIFY2(result.code == 0, result.err.constData());
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        const auto last = llama_double::logitsAfter(std::vector<std::int32_t>{10, 11, 12}, m_model.vocabulary());
        const auto rowBytes = static_cast<qsizetype>(last.size() * sizeof(float));
        QCOMPARE(bytes.size(), 3 * rowBytes);
        QVERIFY(std::equal(last.begin(), last.end(), reinterpret_cast<const float*>(bytes.constData() + 2 * rowBytes)));
    }

    // The default of Gufo's own engine, the factors of the trained length, is not what it uses.
    void tellsWhichFactorsEvalUses() {
        const QString model = kArchitectures + "phi3-longrope.gguf";
        const QStringList arguments{"eval",     model,      "--tokens",
                                    "10 11 12", "--logits", m_programs.filePath("l"),
                                    "--engine", "libllama", "--force"};
        const CliResult result = run(arguments);
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY2(result.err.contains("a context of 3 tokens, not those of the trained length"), result.err.constData());
        const CliResult chosen = run(arguments + QStringList{"--context", "64"});
        QVERIFY2(chosen.code == 0 && !chosen.err.contains("RoPE"), chosen.err.constData());
    }

    void perplexity() {
        QFile text(m_programs.filePath(QStringLiteral("text")));
        QVERIFY(text.open(QIODevice::WriteOnly));
        QVERIFY(text.write(QByteArray("one two three four ").repeated(20)) > 0);
        text.close();
        const QStringList arguments{"perplexity", m_model.path(), text.fileName(), "--ctx",
                                    "16",         "--engine",     "libllama"};
        const CliResult result = run(arguments + QStringList{"--json", "--against", m_model.path()});
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonObject figures = QJsonDocument::fromJson(result.out).object();
        QVERIFY(figures["perplexity"].toDouble() > 10); // the rule knows nothing of the text
        QCOMPARE(figures["kl_mean"].toDouble(), 0.0);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const char* settings, const char* said) {
            QTest::newRow(name) << QByteArray(settings) << QByteArray(said);
        };
        row("version", "version=9.9.9", "version 9.9.9 of libllama is not known; this build of Gufo knows 0.7.0");
        row("model", "refuse",
            "the library refuses the model or these settings: \"unknown model architecture: 'owl'\"");
        row("crash while loading", "crash=load", "its process was ended by signal 11");
        row("crash while answering", "crash=decode", "its last output: \"the driver lost the device\"");
    }
    void refuses() {
        QFETCH(QByteArray, settings);
        QFETCH(QByteArray, said);
        m_model.behave(settings);
        const CliResult result = run(generate({}));
        QVERIFY(result.code != 0);
        QVERIFY2(result.err.contains(said), result.err.constData());
    }

    void refusesOptions_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("layers without it")
            << QStringList{"--gpu-layers", "3"}
            << QByteArray("--gpu-layers has no effect with the engine \"gufo\", only with: libllama");
        QTest::newRow("machines on a server")
            << QStringList{"--engine", "http://127.0.0.1:1", "--rpc", "a:1"}
            << QByteArray("--rpc has no effect with the engine \"server\", only with: libllama");
        QTest::newRow("prompts") << QStringList{"--engine", "libllama", "--keep-prompts"}
                                 << QByteArray(
                                        "--keep-prompts has no effect with the engine \"libllama\", only with: gufo");
        QTest::newRow("a key") << QStringList{"--engine", "libllama", "--engine-key-file", "x"}
                               << QByteArray("--engine-key-file is for a server");
        QTest::newRow("layers that are no number")
            << QStringList{"--engine", "libllama", "--gpu-layers", "-1"} << QByteArray("gpu-layers");
        QTest::newRow("machines without a back end") << QStringList{"--engine", "libllama", "--rpc", "a:1"}
                                                     << QByteArray("no back end for other machines (RPC)");
    }
    void refusesOptions() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const CliResult result = run(QStringList{"generate", m_model.path(), "-p", "Once", "-n", "1"} + arguments);
        QVERIFY(result.code != 0);
        QVERIFY2(result.err.contains(said), result.err.constData());
    }

    void isNotBuilt() {
        const CliResult result = run(generate({}), QStringLiteral("alone/gufo-cli"));
        QVERIFY(result.code != 0);
        QVERIFY2(result.err.contains("built without the headers of libllama"), result.err.constData());
    }
};

GUFO_TEST(TestCliLibllama)
#include "tst_cli_libllama.moc"
