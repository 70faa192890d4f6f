// Tests that no line of gufo-cli is wider than the terminal, that names stay whole, and that pipes get the answer only.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "terminal.h"
#include "test_paths.h"

#include <QTest>

using namespace gufo::test;

namespace {

const QString kSamplePath = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-");

// What the program prints on a terminal of that width, line by line.
QStringList shownAt(unsigned short columns, const QStringList& arguments, int& code) {
    Terminal terminal(arguments, columns);
    code = terminal.end();
    QString text = QString::fromUtf8(terminal.shown());
    // A progress line is overwritten, so it does not count.
    const qsizetype progress = text.lastIndexOf(QLatin1String("\r\x1b[K"));
    text = progress >= 0 ? text.mid(progress + 4) : text;
    return text.remove(QLatin1Char('\r')).split(QLatin1Char('\n'));
}

} // namespace

class TestCliWidth : public QObject {
    Q_OBJECT

private slots:
    void tablesFit_data();
    void tablesFit();
    void namesAreWhole();
    void everyFigureIsShown();
    void barsStandBesideCounts();
    void valuesStandBesideTypes();
    void pipesAreNotWrapped();
    void helpFits_data();
    void helpFits();
    void chatIsSilentInPipes();
};

void TestCliWidth::tablesFit_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("columns");
    const QString q4 = kSamplePath + QStringLiteral("Q4_K.gguf");
    const QString q8 = kSamplePath + QStringLiteral("Q8_0.gguf");
    const QString f16 = kSamplePath + QStringLiteral("F16.gguf");
    for (const int columns : {60, 80, 120}) {
        const auto row = [columns](const char* name, const QStringList& arguments) {
            QTest::addRow("%s, %d columns", name, columns) << arguments << columns;
        };
        row("info", {QStringLiteral("info"), q4});
        row("compare two", {QStringLiteral("compare"), f16, q4});
        row("compare three", {QStringLiteral("compare"), f16, q8, q4});
        row("stats", {QStringLiteral("stats"), q4});
        row("histogram", {QStringLiteral("stats"), q4, QStringLiteral("blk.0.ffn_gate.weight"),
                          QStringLiteral("--hist"), QStringLiteral("8")});
        row("stats of a tensor", {QStringLiteral("stats"), q4, QStringLiteral("output_norm.weight")});
        row("memory", {QStringLiteral("memory"), q4});
        row("tokenize", {QStringLiteral("tokenize"), q4, QStringLiteral("An owl sees in the dark")});
        row("quantize", {QStringLiteral("quantize"), f16, QStringLiteral("Q4_K_M"), QStringLiteral("--dry-run")});
    }
}

void TestCliWidth::tablesFit() {
    QFETCH(QStringList, arguments);
    QFETCH(int, columns);
    int code = -1;
    const QStringList lines = shownAt(static_cast<unsigned short>(columns), arguments, code);
    QVERIFY(code == 0 || code == 1);
    QVERIFY(lines.size() > 3);
    for (const QString& line : lines) {
        // Sentences are left to the terminal; a table has two spaces between its columns.
        const bool table = line.trimmed().contains(QLatin1String("  "));
        QVERIFY2(!table || line.size() <= columns, qPrintable(QStringLiteral("%1: %2").arg(line.size()).arg(line)));
    }
}

void TestCliWidth::namesAreWhole() {
    int code = -1;
    const QString text = shownAt(80,
                                 {QStringLiteral("compare"), kSamplePath + QStringLiteral("F16.gguf"),
                                  kSamplePath + QStringLiteral("Q4_K.gguf")},
                                 code)
                             .join(QLatin1Char('\n'));
    QCOMPARE(code, 1);
    for (const char* name : {"blk.0.attn_q.weight", "blk.0.ffn_down.weight"}) {
        QVERIFY2(text.contains(QLatin1String(name)), qPrintable(text));
    }
    QVERIFY2(!text.contains(QChar(0x2026)), qPrintable(text));
}

void TestCliWidth::everyFigureIsShown() {
    const QStringList arguments{QStringLiteral("compare"), kSamplePath + QStringLiteral("F16.gguf"),
                                kSamplePath + QStringLiteral("Q4_K.gguf")};
    const auto words = [](QString text) {
        const QStringList all = text.simplified().split(QLatin1Char(' '));
        return QSet<QString>(all.begin(), all.end());
    };
    int code = -1;
    const QSet<QString> narrow = words(shownAt(72, arguments, code).join(QLatin1Char(' ')));
    const QSet<QString> all = words(QString::fromUtf8(runCli(arguments).out));
    QVERIFY2(narrow.contains(all), qPrintable(QStringList((all - narrow).values()).join(QLatin1Char(' '))));
}

void TestCliWidth::barsStandBesideCounts() {
    for (const int columns : {40, 60, 80, 120}) {
        int code = -1;
        const QStringList lines =
            shownAt(static_cast<unsigned short>(columns),
                    {QStringLiteral("stats"), kSamplePath + QStringLiteral("Q4_K.gguf"),
                     QStringLiteral("blk.0.ffn_gate.weight"), QStringLiteral("--hist"), QStringLiteral("8")},
                    code);
        QCOMPARE(code, 0);
        QCOMPARE(lines.filter(QStringLiteral("From")).size(), 1); // one table, not several parts
        const QStringList highest = lines.filter(QStringLiteral("23,459"));
        QCOMPARE(highest.size(), 1);
        QVERIFY(highest.front().contains(QChar(0x2588)));
        QVERIFY(!highest.front().contains(QChar(0x2026)));
    }
}

// A key that is too long for its column has a line of its own; its type and value follow on the next.
void TestCliWidth::valuesStandBesideTypes() {
    int code = -1;
    const QStringList lines = shownAt(60, {QStringLiteral("info"), kSamplePath + QStringLiteral("Q4_K.gguf")}, code);
    QCOMPARE(code, 0);
    QCOMPARE(lines.filter(QStringLiteral("Value")).size(), 1);
    const QStringList width = lines.filter(QStringLiteral("llama.block_count"));
    QCOMPARE(width.size(), 1);
    QCOMPARE(width.front().simplified(), QStringLiteral("llama.block_count u32 3"));
    const qsizetype key = lines.indexOf(QStringLiteral("  llama.attention.layer_norm_rms_epsilon"));
    QVERIFY2(key > 0, qPrintable(lines.join(QLatin1Char('\n'))));
    QCOMPARE(lines[key + 1].simplified(), QStringLiteral("f32 1e-05"));
    QCOMPARE(lines[key + 1].indexOf(QStringLiteral("f32")), width.front().indexOf(QStringLiteral("u32")));
}

void TestCliWidth::pipesAreNotWrapped() {
    const CliResult result =
        runCli({QStringLiteral("stats"), kSamplePath + QStringLiteral("Q4_K.gguf")}); // one line for each tensor
    QCOMPARE(result.code, 0);
    QCOMPARE(result.out.count("blk.0.attn_q.weight"), 1);
}

void TestCliWidth::helpFits_data() {
    QTest::addColumn<int>("columns");
    QTest::newRow("60") << 60;
    QTest::newRow("80") << 80;
    QTest::newRow("200") << 200; // prose is not wider than 80
}

void TestCliWidth::helpFits() {
    QFETCH(int, columns);
    QStringList verbs{QString()};
    for (const QByteArray& line : runCli({QStringLiteral("help")}).lines()) {
        if (line.startsWith("  ") && !line.startsWith("   ")) {
            verbs << QString::fromUtf8(line.trimmed()).section(QLatin1Char(' '), 0, 0);
        }
    }
    QVERIFY(verbs.size() > 15);
    for (const QString& verb : verbs) {
        int code = -1;
        const QStringList arguments =
            verb.isEmpty() ? QStringList{QStringLiteral("help")} : QStringList{QStringLiteral("help"), verb};
        for (const QString& line : shownAt(static_cast<unsigned short>(columns), arguments, code)) {
            QVERIFY2(line.size() <= std::min(columns, 80), qPrintable(verb + QStringLiteral(": ") + line));
        }
        QCOMPARE(code, 0);
    }
    for (const QByteArray& line : runCli({QStringLiteral("help"), QStringLiteral("set")}).lines()) { // a pipe
        QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
    }
}

void TestCliWidth::chatIsSilentInPipes() {
    const QStringList chat{QStringLiteral("chat"),   kSamplePath + QStringLiteral("Q4_K.gguf"),
                           QStringLiteral("-m"),     QStringLiteral("What is a GGUF file?"),
                           QStringLiteral("--temp"), QStringLiteral("0"),
                           QStringLiteral("-n"),     QStringLiteral("8")};
    const CliResult silent = runCli(chat);
    QCOMPARE(silent.code, 0);
    QVERIFY(!silent.out.trimmed().isEmpty());
    QCOMPARE(silent.err, QByteArray());
    const CliResult told = runCli(chat + QStringList{QStringLiteral("--stats")});
    QCOMPARE(told.out, silent.out);
    QVERIFY2(told.err.contains("tokens/s"), told.err.constData());
    const CliResult full = runCli(chat + QStringList{QStringLiteral("--context"), QStringLiteral("16")});
    QVERIFY2(full.code != 0 || full.err.contains("context"), full.err.constData()); // why an answer is not whole
}

GUFO_TEST(TestCliWidth)
#include "tst_cli_width.moc"
