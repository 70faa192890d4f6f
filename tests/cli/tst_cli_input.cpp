// What the verbs that run a model do with their input: nothing of it is dropped without being mentioned.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

// Chat templates cannot be rendered here: AddressSanitizer's shadow memory exceeds the helper's limit on address space.
#ifdef __SANITIZE_ADDRESS__
#define SKIP_WITHOUT_HELPER() QSKIP("the render helper has no room for AddressSanitizer")
#else
#define SKIP_WITHOUT_HELPER() static_cast<void>(0)
#endif

using namespace gufo::test;

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");

} // namespace

class TestCliInput : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_trained = 0;

    QString write(const char* name, const QByteArray& bytes) const {
        QFile file(m_folder.filePath(QLatin1String(name)));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    }
    static QByteArray words(int count) { return QByteArray(" owl").repeated(count); }
    static CliResult generate(const QString& model, const QStringList& options) {
        return runCli(QStringList{"generate", model, "--temp", "0", "--json"} + options);
    }
    // A copy of the sample with keys that are set.
    QString changed(const char* name, const QStringList& assignments) const {
        const QString path = m_folder.filePath(QLatin1String(name));
        QFile::copy(kSample, path);
        const CliResult set = runCli(QStringList{"set", path} + assignments);
        return set.code == 0 ? path : QString::fromUtf8(set.err);
    }

private slots:
    void initTestCase() {
        m_trained = runCli({"memory", kSample, "--json"}).json()["trained_context"].toInt();
        QVERIFY(m_trained > 100 && m_trained <= 4096);
    }

    // By default a prompt may fill the trained context, beyond 4096 tokens too.
    void theDefaultContextGrows() {
        const QString model = changed("long.gguf", {"llama.context_length=16384"});
        const CliResult result = generate(model, {"--prompt-file", write("long", words(4500)), "-n", "4"});
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY(result.json()["prompt_tokens"].toInt() > 4096);
        QCOMPARE(result.json()["left_out_tokens"].toInt(-1), 0);
        QCOMPARE(result.err, QByteArray());
    }

    void refusesWhatIsTooLong_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("hint");
        QTest::newRow("trained") << QStringList{} << QByteArray("as the model was trained");
        QTest::newRow("asked for") << QStringList{"--context", "64"} << QByteArray("use a larger --context");
    }
    void refusesWhatIsTooLong() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, hint);
        const QStringList all = options + QStringList{"--prompt-file", write("words", words(m_trained)), "-n", "4"};
        const CliResult refused = generate(kSample, all);
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.out, QByteArray());
        QCOMPARE(refused.err.count('\n'), 1);
        QVERIFY2(refused.err.contains(hint) && refused.err.contains("--shift"), refused.err.constData());

        const CliResult shifted = generate(kSample, all + QStringList{"--shift"});
        QCOMPARE(shifted.code, 0);
        const int leftOut = shifted.json()["left_out_tokens"].toInt();
        QVERIFY(leftOut > 0);
        QVERIFY2(shifted.err.contains("left out") && shifted.err.contains("tokens"), shifted.err.constData());
    }

    void endsWhenTheContextIsFull() {
        const QStringList options{"-p", "Once upon a time", "--context", "32", "-n", "100", "--ignore-eos"};
        const CliResult ended = generate(kSample, options);
        QCOMPARE(ended.code, 0);
        QCOMPARE(ended.json()["stop"].toString(), QString("context_full"));
        QCOMPARE(ended.json()["left_out_tokens"].toInt(-1), 0);
        QVERIFY2(ended.err.contains("is full"), ended.err.constData());
        const CliResult shifted = generate(kSample, options + QStringList{"--shift"});
        QCOMPARE(shifted.json()["tokens"].toArray().size(), 100);
        QCOMPARE(shifted.json()["stop"].toString(), QString("most_tokens"));
        QVERIFY(shifted.json()["left_out_tokens"].toInt() > 0);
    }

    void readsThePromptFromAFile() {
        const QByteArray text("Once upon\0 a time\n", 18);
        const QString file = write("prompt", text);
        const CliResult fromFile = generate(kSample, {"--prompt-file", file, "-n", "4"});
        QVERIFY2(fromFile.code == 0, fromFile.err.constData());
        const CliResult piped =
            runShell("\"$CLI\" generate '" + kSample + "' --temp 0 --json --prompt-file - -n 4 < '" + file + "'");
        QCOMPARE(piped.json()["text"], fromFile.json()["text"]);
        // The bytes after the NUL count.
        const CliResult shorter = generate(kSample, {"-p", "Once upon", "-n", "4"});
        QVERIFY(fromFile.json()["prompt_tokens"].toInt() > shorter.json()["prompt_tokens"].toInt() + 2);

        QCOMPARE(generate(kSample, {"-p", "a", "--prompt-file", file}).code, 2);
        const CliResult none = generate(kSample, {});
        QVERIFY2(none.code == 2 && none.err.contains("--prompt-file FILE"), none.err.constData());
        const CliResult missing = generate(kSample, {"--prompt-file", m_folder.filePath("none")});
        QVERIFY2(missing.code == 2 && missing.err.contains("there is no such file"), missing.err.constData());
    }

    void namesTheSeed() {
        const QStringList options{"-p", "Once upon a time", "-n", "20", "--temp", "1", "--seed"};
        QCOMPARE(generate(kSample, options + QStringList{"7"}).json()["seed"].toInteger(), 7);
        const CliResult first = generate(kSample, options + QStringList{"-1"});
        const CliResult second = generate(kSample, options + QStringList{"-1"});
        const QString seed = QString::number(first.json()["seed"].toInteger());
        QVERIFY(first.json()["seed"] != second.json()["seed"]); // once in 2³² runs they are equal
        QCOMPARE(generate(kSample, options + QStringList{seed}).json()["text"], first.json()["text"]);
        QCOMPARE(generate(kSample, options + QStringList{"-2"}).code, 2);
    }

    // The console obeys the sampler settings that the model recommends, as the window does.
    void takesTheModelsSettings() {
        const QString model = changed("greedy.gguf", {"general.sampling.temp=0", "general.sampling.top_k=7"});
        const QStringList options{"generate", model, "-p", "Once upon a time", "-n", "30", "--seed", "3", "--json"};
        const CliResult taken = runCli(options);
        QVERIFY2(taken.err.contains("--temp 0 --top-k 7") && taken.err.contains("general.sampling"),
                 taken.err.constData());
        const CliResult greedy = runCli(options + QStringList{"--temp", "0", "--top-k", "1"});
        QCOMPARE(greedy.err, QByteArray());
        QCOMPARE(taken.json()["text"], greedy.json()["text"]);
        const CliResult warm = runCli(options + QStringList{"--temp", "1.5"});
        QVERIFY2(warm.err.contains("--top-k 7") && !warm.err.contains("--temp"), warm.err.constData());
        QVERIFY(warm.json()["text"] != taken.json()["text"]);
    }

    void keepsControlTokensAsText() {
        const QStringList prompt{"-p", "Once<|end|>", "-n", "1"};
        const CliResult usual = generate(kSample, prompt);
        QCOMPARE(usual.code, 0);
        QVERIFY2(usual.err.contains("<|end|>: read as control tokens; --literal-content"), usual.err.constData());
        const CliResult literal = generate(kSample, prompt + QStringList{"--literal-content"});
        QCOMPARE(literal.err, QByteArray());
        QVERIFY(literal.json()["prompt_tokens"].toInt() > usual.json()["prompt_tokens"].toInt());
    }

    void saysWhatFillsNoWindow() {
        const QString text = write("text", words(200));
        const CliResult result = runCli({"perplexity", kSample, text, "--ctx", "64", "--json"});
        QCOMPARE(result.code, 0);
        const int leftOut = result.json()["left_out_tokens"].toInt();
        QVERIFY(leftOut > 0 && leftOut < 64);
        QVERIFY2(result.err.contains(QByteArray::number(leftOut) + " tokens"), result.err.constData());
        const CliResult matrix =
            runCli({"imatrix", kSample, text, "--context", "64", "-o", m_folder.filePath("m.gguf"), "--json"});
        QCOMPARE(matrix.json()["left_out_tokens"].toInt(), leftOut);
        QVERIFY2(matrix.err.contains("fill no chunk"), matrix.err.constData());
    }

    void chatChoosesTheTemplateForTools() {
        SKIP_WITHOUT_HELPER();
        const QString model =
            changed("tools.gguf", {"tokenizer.chat_template.tool_use={{ raise_exception('tools') }}"});
        const QStringList chat{"chat", model, "-m", "Hello", "-n", "2"};
        QCOMPARE(runCli(chat).code, 0);
        const CliResult with = runCli(chat + QStringList{"--tools", "[{}]"});
        QVERIFY2(with.code == 2 && with.err.contains("tools"), with.err.constData());
        const CliResult without = runCli(chat + QStringList{"--tools", "[{}]", "--template", "plain"});
        QVERIFY2(without.code == 0 && without.err.contains("does not support tools"), without.err.constData());
    }

    void chatWritesEverything() {
        SKIP_WITHOUT_HELPER();
        const CliResult result =
            runCli({"chat", kSample, "-m", "Hello", "-n", "9", "--grammar-text", R"(root ::= "a" [\x00] "b")"});
        QVERIFY2(result.code == 0, result.err.constData());
        QCOMPARE(result.out, QByteArray("a\0b\n", 4));
    }

    void endlessTextsNeedALimit_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("code");
        QTest::newRow("none") << QStringList{} << 2;
        QTest::newRow("a length") << QStringList{"-n", "2"} << 0;
        QTest::newRow("a grammar") << QStringList{"--grammar-text", "root ::= \"a\""} << 0;
    }
    void endlessTextsNeedALimit() {
        QFETCH(QStringList, options);
        QFETCH(int, code);
        const CliResult result = generate(kSample, QStringList{"-p", "Once", "--ignore-eos"} + options);
        QCOMPARE(result.code, code);
        QCOMPARE(result.err.contains("--ignore-eos needs -n"), code == 2);
    }
};

GUFO_TEST(TestCliInput)
#include "tst_cli_input.moc"
