// The verb render of gufo-cli.
#include "cli_runner.h"
#include "support/gguf_builder.h"
#include "support/process_time.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace gufo::test;

namespace {

constexpr const char* kTemplate =
    "{{ bos_token }}{% for m in messages %}\n<{{ m.role }}>{{ m.content }}{{ eos_token }}\n"
    "{% endfor %}{% if tools %}{{ tools | tojson }}{% endif %}"
    "{% if add_generation_prompt %}<assistant>{{ extra }}{% endif %}";

} // namespace

class TestCliRender : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_model;

    CliResult render(const QStringList& arguments) {
        return runCli(QStringList{QStringLiteral("render"), m_model} + arguments);
    }

private slots:
    void initTestCase() {
        m_model = m_folder.filePath(QStringLiteral("model.gguf"));
        GgufBuilder file;
        file.key("general.architecture", "llama");
        file.key("tokenizer.ggml.model", "llama");
        file.key("tokenizer.ggml.tokens", std::vector<std::string>{"<unk>", "<s>", "</s>"});
        file.key("tokenizer.ggml.bos_token_id", std::uint32_t{1});
        file.key("tokenizer.ggml.eos_token_id", std::uint32_t{2});
        file.key("tokenizer.chat_template", kTemplate);
        file.key("tokenizer.chat_template.tool_use", "{{ nope }}{% if false %}{{ 1 | tojsn }}{% endif %}tools");
        file.key("tokenizer.chat_template.broken", "ok\n{% if %}{% endif %}");
        file.key("tokenizer.chat_template.endless",
                 "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}");
        file.write(m_model.toStdString());
    }

    void rendersADefaultConversation() {
        const CliResult result = render({});
        QCOMPARE(result.err, QByteArray());
        QCOMPARE(result.code, 0);
        QCOMPARE(result.out, QByteArray("<s><user>Hello!</s>\n<assistant>Hi, how can I help you?</s>\n"
                                        "<user>What is an owl?</s>\n<assistant>"));
    }

    void rendersWhatItIsGiven() {
        const CliResult result =
            render({QStringLiteral("--template"), QStringLiteral("default"), QStringLiteral("--messages"),
                    QStringLiteral(R"([{"role": "user", "content": "Grüße 😀"}])"), QStringLiteral("--tools"),
                    QStringLiteral(R"([{"a": 1.0, "b": 12345678901234567890}])"), QStringLiteral("--arg"),
                    QStringLiteral("extra=2.50"), QStringLiteral("--arg"), QStringLiteral("eos_token=\"=\"")});
        QCOMPARE(result.code, 0);
        QCOMPARE(QString::fromUtf8(result.out),
                 QStringLiteral("<s><user>Grüße 😀=\n[{\"a\": 1.0, \"b\": 12345678901234567890}]<assistant>2.5"));
        QCOMPARE(
            render({QStringLiteral("--messages"), QStringLiteral("[]"), QStringLiteral("--no-generation-prompt")}).out,
            QByteArray("<s>"));
    }

    // A text does not end at a NUL.
    void writesEverything() {
        const QStringList messages{QStringLiteral("--messages"),
                                   QStringLiteral(R"([{"role": "u", "content": "a\u0000b"}])")};
        const CliResult result = render(messages);
        QCOMPARE(result.code, 0);
        QCOMPARE(result.out, QByteArray("<s><u>a\0b</s>\n<assistant>", 25));
        QCOMPARE(render(messages + QStringList{QStringLiteral("--json")}).json()["text"].toString().toUtf8(),
                 result.out.mid(3).prepend("<s>"));
    }

    void choosesTheTemplateForTools() {
        const QStringList tools{QStringLiteral("--tools"), QStringLiteral("[{}]")};
        const CliResult result = render(tools);
        QCOMPARE(result.code, 0);
        QCOMPARE(result.out, QByteArray("tools"));
        QVERIFY2(result.err.contains("does not support tools"), result.err.constData()); // it names none
        const CliResult chosen = render(tools + QStringList{QStringLiteral("--template"), QStringLiteral("default")});
        QVERIFY2(chosen.out.contains("[{}]"), chosen.out.constData());
        QCOMPARE(chosen.err, QByteArray());
    }

    void readsFiles() {
        QFile file(m_folder.filePath(QStringLiteral("m.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"([{"role": "user", "content": "from a file"}])");
        file.close();
        QCOMPARE(render({QStringLiteral("--messages"), QLatin1Char('@') + file.fileName()}).out,
                 QByteArray("<s><user>from a file</s>\n<assistant>"));
        const CliResult missing = render({QStringLiteral("--tools"), QStringLiteral("@/nonexistent/t.json")});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("/nonexistent/t.json: there is no such file"), missing.err.constData());
    }

    void takesATemplateFromAFile_data() {
        QTest::addColumn<QString>("option");
        QTest::newRow("path") << m_folder.filePath(QStringLiteral("my.jinja"));
        QTest::newRow("marked path") << QLatin1Char('@') + m_folder.filePath(QStringLiteral("my.jinja"));
    }
    void takesATemplateFromAFile() {
        QFETCH(const QString, option);
        const QString path = m_folder.filePath(QStringLiteral("my.jinja"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{{ bos_token }}{{ messages[0].content }} ü") > 0);
        file.close();
        const QStringList arguments{QStringLiteral("--template"), option};
        const CliResult result = render(arguments);
        QVERIFY2(result.code == 0, result.err.constData());
        QCOMPARE(result.out, QByteArray("<s>Hello! ü")); // with the special tokens of the model
        const QJsonObject json = render(arguments + QStringList{QStringLiteral("--json")}).json();
        QCOMPARE(json[QStringLiteral("template")].toString(), path);
        QVERIFY(json[QStringLiteral("key")].isNull());

        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{% if %}") > 0);
        file.close();
        const CliResult broken = render(arguments);
        QCOMPARE(broken.code, 2);
        QVERIFY2(broken.err.contains("my.jinja: line 1"), broken.err.constData());
    }
    // In the current folder, a template of the model has priority over a file of its name.
    void namesOfTheModelComeFirst() {
        const CliResult result = runShell(QStringLiteral("cd '%1' && printf 'of the file' > tool_use && "
                                                         "$CLI render model.gguf --template tool_use && echo && "
                                                         "$CLI render model.gguf --template @tool_use")
                                              .arg(m_folder.path()));
        QCOMPARE(result.out, QByteArray("tools\nof the file"));
        const CliResult missing = render({QStringLiteral("--template"), QStringLiteral("@none.jinja")});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("none.jinja: there is no such file"), missing.err.constData());
    }

    void writesJson() {
        const CliResult result =
            render({QStringLiteral("--json"), QStringLiteral("--template"), QStringLiteral("tool_use")});
        QCOMPARE(result.code, 0);
        const QJsonObject json = result.json();
        QCOMPARE(json[QStringLiteral("template")].toString(), QStringLiteral("tool_use"));
        QCOMPARE(json[QStringLiteral("key")].toString(), QStringLiteral("tokenizer.chat_template.tool_use"));
        QCOMPARE(json[QStringLiteral("text")].toString(), QStringLiteral("tools"));
        const QJsonObject problem = json[QStringLiteral("problems")][0].toObject();
        QCOMPARE(problem[QStringLiteral("code")].toString(), QStringLiteral("unknown_filter"));
        QCOMPARE(problem[QStringLiteral("line")].toInt(), 1);
        QCOMPARE(problem[QStringLiteral("column")].toInt(), 32);
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no such template") << QStringList{QStringLiteral("--template"), QStringLiteral("rag")}
                                          << QByteArray("it has no key tokenizer.chat_template.rag");
        QTest::newRow("broken") << QStringList{QStringLiteral("--template"), QStringLiteral("broken")}
                                << QByteArray(
                                       "tokenizer.chat_template.broken: line 2, column 7: The tag ends too early.");
        QTest::newRow("messages") << QStringList{QStringLiteral("--messages"), QStringLiteral("{")}
                                  << QByteArray("The variable messages is not valid JSON: line 1, column 2.");
        QTest::newRow("argument") << QStringList{QStringLiteral("--arg"), QStringLiteral("x")}
                                  << QByteArray("render: --arg takes NAME=JSON, not \"x\"");
        QTest::newRow("endless") << QStringList{QStringLiteral("--template"), QStringLiteral("endless")}
                                 << QByteArray("It did not finish within a second.");
    }
    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, message);
        const CliResult result = render(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(message), result.err.constData());
        QCOMPARE(result.err.count('\n'), 1);
        QCOMPARE(result.out, QByteArray());
    }

    void isCancelledByASignal() {
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI),
                      {QStringLiteral("render"), m_model, QStringLiteral("--template"), QStringLiteral("endless")});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(childOf(process.processId()) != 0, 20'000);
        QVERIFY(waitUntilAtWork(childOf(process.processId())));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const CliResult result = finish(process);
        // On a busy machine, the time limit may expire before the signal arrives.
        QVERIFY2(result.code == 128 + SIGINT || result.err.contains("within a second"), result.err.constData());
    }
};

GUFO_TEST(TestCliRender)
#include "tst_cli_render.moc"
