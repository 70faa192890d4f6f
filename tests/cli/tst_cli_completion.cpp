// Tests what shells offer when Tab is pressed, and the manual pages, which are made from the same tables.
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/manual_pages.h"
#include "cli_sample.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::cli;
using namespace gufo::test;

class TestCliCompletion : public CliSampleTest {
    Q_OBJECT

private slots:
    void initTestCase() { makeModel(); }
    void offers_data();
    void offers();
    void offersEveryVerbAndOption();
    void readsNothingFromServers();
    void printsForShells();
    void completesInBash();
    void describesEveryOption();
    void escapesManualText();
};

void TestCliCompletion::offers_data() {
    QTest::addColumn<QStringList>("typed");    // the last word is being typed; MODEL stands for the sample
    QTest::addColumn<QStringList>("expected"); // the first words offered; empty: none
    QTest::addColumn<bool>("files");
    const auto row = [](const char* name, const QStringList& typed, const QStringList& expected, bool files = false) {
        QTest::newRow(name) << typed << expected << files;
    };
    row("verb", {"quan"}, {"quantize"});
    row("verb after help", {"help", "quan"}, {"quantize"});
    row("topic", {"help", "generate", "samp"}, {"sampling"});
    row("topic of a verb without topics", {"help", "info", "samp"}, {});
    row("model", {"info", ""}, {}, true);
    row("nothing after the last argument", {"info", "MODEL", ""}, {});
    row("key", {"get", "MODEL", "general.arch"}, {"general.architecture"});
    row("key to set", {"set", "MODEL", "general.arch"}, {"general.architecture="});
    row("second key to set", {"set", "MODEL", "general.name=x", "general.arch"}, {"general.architecture="});
    row("value of a key", {"set", "MODEL", "general.architecture=ll"}, {});
    row("file for a key", {"set", "MODEL", "--file", "general.name="}, {}, true);
    row("value of an option that names a key", {"bytes", "MODEL", "--key", "general.arch"}, {"general.architecture"});
    row("tensor", {"dump", "MODEL", "wav"}, {"waves"});
    row("further tensor", {"stats", "MODEL", "odd", "wav"}, {"waves"});
    row("tensor after an option with a value", {"stats", "--hist", "8", "MODEL", "wav"}, {"waves"});
    row("key of a missing file", {"get", "/nowhere/m.gguf", "general"}, {});
    row("type", {"quantize", "a", "b", "Q4_K_"}, {"Q4_K_M", "Q4_K_S"});
    row("tensor of a pair", {"quantize", "MODEL", "b", "Q8_0", "--tensor", "wav"}, {"waves="});
    row("type of a pair", {"quantize", "MODEL", "b", "Q8_0", "--tensor", "x=Q4_K_"}, {"x=Q4_K_M", "x=Q4_K_S"});
    row("choices of an option", {"generate", "MODEL", "--kv", "q8"}, {"q8_0"});
    row("type of a value", {"set", "MODEL", "--type", "u3"}, {"u32"});
    row("option", {"stats", "MODEL", "--hi"}, {"--hist"});
    row("short option", {"dump", "MODEL", "-o"}, {"-o"});
    row("unknown verb", {"nothing", ""}, {});
}

void TestCliCompletion::offers() {
    QFETCH(QStringList, typed);
    QFETCH(QStringList, expected);
    QFETCH(bool, files);
    std::vector<std::string> words;
    for (const QString& word : typed) {
        words.push_back(word == QLatin1String("MODEL") ? m_model.toStdString() : word.toStdString());
    }
    const Completions found = completionsOf(words);
    QStringList offered;
    for (const std::string& word : found.words) {
        offered << QString::fromStdString(word);
    }
    QCOMPARE(offered, expected);
    QCOMPARE(found.files, files);
}

void TestCliCompletion::offersEveryVerbAndOption() {
    const std::vector<std::string> names = completionsOf({""}).words;
    for (const Verb* verb : verbs()) {
        QVERIFY2(std::ranges::find(names, verb->name) != names.end(), verb->name);
        const std::vector<std::string> options = completionsOf({verb->name, "-"}).words;
        for (const OptionFact& option : allOptions(*verb)) {
            for (const QString& name : QString::fromLatin1(option.names).split(QLatin1Char(','))) {
                QVERIFY2(std::ranges::find(options, dashed(name).toStdString()) != options.end(), option.names);
            }
        }
    }
}

// A name of the hub would be looked up otherwise, each time that Tab is pressed.
void TestCliCompletion::readsNothingFromServers() {
    QVERIFY(completionsOf({"get", "hf.co/owner/model", ""}).words.empty());
    QVERIFY(completionsOf({"get", "https://127.0.0.1:1/m.gguf", ""}).words.empty());
}

void TestCliCompletion::printsForShells() {
    QCOMPARE(runCli({"--complete", "quan"}).out, QByteArray("quantize\n"));
    QCOMPARE(runCli({"--complete", "info", ""}).out, QByteArray(":files\n"));
    QVERIFY(runCli({"--complete"}).out.startsWith("info\n"));
}

// bash divides words at "=", and replaces only what follows it.
void TestCliCompletion::completesInBash() {
    QProcess bash;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PROGRAM"), QStringLiteral(GUFO_CLI));
    environment.insert(QStringLiteral("MODEL"), m_model);
    bash.setProcessEnvironment(environment);
    bash.start(QStringLiteral("bash"),
               {QStringLiteral("-c"), QStringLiteral(R"(
        source "$1"
        try() { COMP_WORDS=("$PROGRAM" "$@"); COMP_CWORD=$#; COMP_POINT=${#COMP_LINE}; _gufo_cli; echo "${COMPREPLY[*]}"; }
        COMP_LINE="$PROGRAM quan" try quan
        COMP_LINE="$PROGRAM get $MODEL general.arch" try get "$MODEL" general.arch
        COMP_LINE="$PROGRAM quantize $MODEL b Q8_0 --tensor x=Q4_K_" try quantize "$MODEL" b Q8_0 --tensor x = Q4_K_
    )"),
                QStringLiteral("bash"),
                QStringLiteral(GUFO_SOURCE_DIR "/resources/packaging/completions/gufo-cli.bash")});
    QVERIFY(bash.waitForFinished());
    QCOMPARE(bash.readAllStandardOutput(), QByteArray("quantize\ngeneral.architecture\nQ4_K_M Q4_K_S\n"));
    QCOMPARE(bash.readAllStandardError(), QByteArray());
}

void TestCliCompletion::describesEveryOption() {
    const QString program = programManual(QStringLiteral("1.0"));
    for (const Verb* verb : verbs()) {
        QVERIFY2(program.contains(manualText(QStringLiteral("gufo-cli-") + QLatin1String(verb->name))), verb->name);
        const QString page = verbManual(*verb, QStringLiteral("1.0"));
        QVERIFY(page.startsWith(QStringLiteral(".TH ")));
        for (const OptionFact& option : allOptions(*verb)) {
            for (const QString& name : QString::fromLatin1(option.names).split(QLatin1Char(','))) {
                QCOMPARE(page.count(QStringLiteral("\\fB%1\\fR").arg(manualText(dashed(name)))), 1);
            }
        }
        for (const QString& line : page.split(QLatin1Char('\n'))) { // a line that begins with a dot is a request
            QVERIFY2(!line.startsWith(QLatin1Char('.')) || QStringList({QStringLiteral(".TH"), QStringLiteral(".SH"),
                                                                        QStringLiteral(".SS"), QStringLiteral(".TP")})
                                                               .contains(line.left(3)),
                     qPrintable(line));
        }
    }
}

void TestCliCompletion::escapesManualText() {
    QCOMPARE(manualText(QStringLiteral(".gguf and -x")), QStringLiteral("\\&.gguf and \\-x"));
    QCOMPARE(manualText(QStringLiteral("a\n'b'")), QStringLiteral("a\n\\&'b'"));
    QCOMPARE(manualText(QStringLiteral("a\\n")), QStringLiteral("a\\en"));
}

GUFO_TEST(TestCliCompletion)
#include "tst_cli_completion.moc"
