// The verbs tokenize and detokenize of gufo-cli.
#include "cli_runner.h"
#include "support/convert_fixtures.h"
#include "support/test_unit.h"
#include "support/vocabulary_maker.h"

#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

class TestCliTokenize : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void writesIds_data();
    void writesIds();
    void showsTokens();
    void writesJson();
    void goesBackByteForByte();
    void readsStandardInput();
    void readsFolders();
    void refuses_data();
    void refuses();
    void notesUnknownRules();

private:
    QTemporaryDir m_folder;
    QString m_llama;
    QString m_strange;
};

void TestCliTokenize::initTestCase() {
    m_llama = m_folder.filePath(QStringLiteral("llama.gguf"));
    makeSentencePiece().file().write(m_llama.toStdString());
    m_strange = m_folder.filePath(QStringLiteral("strange.gguf"));
    makeGpt2("from-the-future").file().write(m_strange.toStdString());
}

void TestCliTokenize::writesIds_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("ids");
    // <unk> <s> </s>, 256 bytes, seven powers each of "a", U+2581 and "<", then h e l o _h ll _he _hell _hello.
    const QByteArray hello = "288";
    QTest::newRow("begins") << QStringList{QStringLiteral("hello")} << QByteArray("1 ") + hello;
    QTest::newRow("without") << QStringList{QStringLiteral("hello"), QStringLiteral("--no-bos")} << hello;
    QTest::newRow("special") << QStringList{QStringLiteral("<s>hello</s>"), QStringLiteral("--special")}
                             << QByteArray("1 ") + hello + " 2";
    QTest::newRow("nothing") << QStringList{QString(), QStringLiteral("--no-bos")} << QByteArray();
}

void TestCliTokenize::writesIds() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, ids);
    const CliResult result =
        runCli(QStringList{QStringLiteral("tokenize"), QStringLiteral("--ids"), m_llama} + arguments);
    QCOMPARE(result.err, QByteArray());
    QCOMPARE(result.code, 0);
    QCOMPARE(result.out, ids + "\n");
}

void TestCliTokenize::showsTokens() {
    const CliResult result = runCli({QStringLiteral("tokenize"), m_llama, QStringLiteral("hello\n")});
    QCOMPARE(result.code, 0);
    QCOMPARE(result.lines().size(), 6); // header, <s>, _hello, the line break, the total, and the end
    QVERIFY(result.lines()[2].contains("288") && result.lines()[2].contains("\"hello\""));
    QVERIFY(result.lines()[3].contains("<0x0A>") && result.lines()[3].contains("\"\\n\""));
    QCOMPARE(result.lines()[4], QByteArray("Tokens: 3; bytes: 6"));
}

void TestCliTokenize::writesJson() {
    const QJsonObject json =
        runCli({QStringLiteral("tokenize"), QStringLiteral("--json"), m_llama, QStringLiteral("helloé")}).json();
    QCOMPARE(json[QStringLiteral("count")].toInt(), 4);
    QCOMPARE(json[QStringLiteral("bytes")].toInt(), 7);
    const QJsonArray tokens = json[QStringLiteral("tokens")].toArray();
    QCOMPARE(tokens.size(), 4);
    QCOMPARE(tokens[0][QStringLiteral("type")].toString(), QStringLiteral("control"));
    QCOMPARE(tokens[1][QStringLiteral("token")].toString(), QStringLiteral("\u2581hello"));
    QCOMPARE(tokens[3][QStringLiteral("token")].toString(), QStringLiteral("<0xA9>"));
    QCOMPARE(tokens[3][QStringLiteral("begin")].toInt(), 5);
    QCOMPARE(tokens[3][QStringLiteral("end")].toInt(), 7);
    const CliResult back =
        runCli({QStringLiteral("detokenize"), QStringLiteral("--json"), m_llama, QStringLiteral("288,258")});
    QCOMPARE(back.json()[QStringLiteral("text")].toObject().keys(), QStringList{QStringLiteral("hex")});
}

void TestCliTokenize::goesBackByteForByte() {
    const CliResult result = runCli(
        {QStringLiteral("detokenize"), m_llama, QStringLiteral("1"), QStringLiteral("288, 288"), QStringLiteral("2")});
    QCOMPARE(result.code, 0);
    QCOMPARE(result.out, QByteArray("hello hello"));
    QCOMPARE(
        runCli({QStringLiteral("detokenize"), QStringLiteral("--special"), m_llama, QStringLiteral("1 288 2")}).out,
        QByteArray("<s>hello</s>"));
}

void TestCliTokenize::readsStandardInput() {
    const CliResult result = runShell(
        QStringLiteral("printf 'hello \\377\\n<h' | \"$CLI\" tokenize --ids '%1' - | \"$CLI\" detokenize '%1' -")
            .arg(m_llama));
    QCOMPARE(result.err, QByteArray());
    QCOMPARE(result.out, QByteArray("hello \xFF\n<h"));
}

// The tokenizer and the template of a folder in Hugging Face's format, and of the file that is made from it.
void TestCliTokenize::readsFolders() {
    for (const char* name : {"qwen3", "llama"}) {
        const QString folder = QString::fromStdString(convertFixture(name, false).source().native());
        const QString file = m_folder.filePath(QStringLiteral("of-%1.gguf").arg(QLatin1String(name)));
        QCOMPARE(runCli({"convert", folder, file}).code, 0);
        const QString text = QStringLiteral("Hello, owls! 123");
        const CliResult ofFolder = runCli({"tokenize", folder, text, "--json"});
        QVERIFY2(ofFolder.code == 0, ofFolder.err.constData());
        QCOMPARE(ofFolder.out, runCli({"tokenize", file, text, "--json"}).out);
        QCOMPARE(runCli({"tokenize", folder + "/model.safetensors", text, "--json"}).out, ofFolder.out);
        QCOMPARE(runCli({"detokenize", folder, "40", "41"}).out, runCli({"detokenize", file, "40", "41"}).out);
    }
    const QString folder = QString::fromStdString(convertFixture("qwen3", false).source().native());
    const CliResult rendered = runCli({"render", folder});
    QVERIFY2(rendered.code == 0, rendered.err.constData());
    QVERIFY(!rendered.out.isEmpty());
    QCOMPARE(rendered.out, runCli({"render", m_folder.filePath(QStringLiteral("of-qwen3.gguf"))}).out);
}

void TestCliTokenize::refuses_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("no text") << QStringList{QStringLiteral("tokenize"), m_llama} << QByteArray("tokenize");
    QTest::newRow("no number") << QStringList{QStringLiteral("detokenize"), m_llama, QStringLiteral("1 x2")}
                               << QByteArray("x2");
    QTest::newRow("negative") << QStringList{QStringLiteral("detokenize"), m_llama, QStringLiteral("1,-2")}
                              << QByteArray("-2");
    QTest::newRow("past the end") << QStringList{QStringLiteral("detokenize"), m_llama, QStringLiteral("289")}
                                  << QByteArray("289");
    QTest::newRow("too large") << QStringList{QStringLiteral("detokenize"), m_llama, QStringLiteral("99999999999")}
                               << QByteArray("99999999999");
}

void TestCliTokenize::refuses() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, word);
    const CliResult result = runCli(arguments);
    QCOMPARE(result.code, 2);
    QCOMPARE(result.out, QByteArray());
    QVERIFY2(result.err.contains(word), result.err.constData());
    QCOMPARE(result.err.count('\n'), 1);
}

void TestCliTokenize::notesUnknownRules() {
    const CliResult result =
        runCli({QStringLiteral("tokenize"), QStringLiteral("--ids"), m_strange, QStringLiteral("a")});
    QCOMPARE(result.code, 0);
    QCOMPARE(result.out, QByteArray("97\n"));
    QVERIFY(result.err.contains("from-the-future"));
}

GUFO_TEST(TestCliTokenize)
#include "tst_cli_tokenize.moc"
