// Tests gufo-cli as a process: its help, exit codes, errors, and how it ends when it is interrupted.
#include "cli_sample.h"
#include "inference/engine_table.h"
#include "support/test_unit.h"
#include "ui/report/metric.h"

#include <QElapsedTimer>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;

class TestCli : public CliSampleTest {
    Q_OBJECT

private slots:
    void initTestCase() { makeModel(); }
    void saysWhatItCan();
    void helpsWithEveryVerb_data();
    void helpsWithEveryVerb();
    void helpNamesTheRowsOfTables();
    void refusesWrongUse_data();
    void refusesWrongUse();
    void refusesBadFiles_data();
    void refusesBadFiles();
    void refusesWithoutPermission();
    void opensNamesOfAnyBytes();
    void interruptEndsStats();
    void interruptLeavesNoFile();
    void fullDeviceIsAFailure();
    void closedPipeIsQuiet();
};

void TestCli::saysWhatItCan() {
    const CliResult version = runCli({"--version"});
    QCOMPARE(version.code, 0);
    QVERIFY(version.out.startsWith("gufo-cli "));
    for (const QStringList& arguments : {QStringList{"--help"}, QStringList{"help"}, QStringList{"-h"}}) {
        const CliResult help = runCli(arguments);
        QCOMPARE(help.code, 0);
        QVERIFY(help.err.isEmpty());
        for (const char* verb : {"info", "get", "validate", "dump", "stats", "memory"}) {
            QVERIFY2(help.out.contains(QByteArray("\n  ") + verb + ' '), verb);
        }
    }
}

void TestCli::helpsWithEveryVerb_data() {
    QTest::addColumn<QStringList>("options");
    QTest::newRow("info") << QStringList{};
    QTest::newRow("get") << QStringList{};
    QTest::newRow("validate") << QStringList{"--deep"};
    QTest::newRow("dump") << QStringList{"-o, --output OUT", "--format FORMAT"};
    QTest::newRow("stats") << QStringList{"--hist N", "--model"};
    QTest::newRow("memory") << QStringList{"--context N", "--kv TYPE", "--batch N"};
}

void TestCli::helpsWithEveryVerb() {
    QFETCH(QStringList, options);
    const QString verb = QString::fromLatin1(QTest::currentDataTag());
    const CliResult help = runCli({"help", verb});
    QCOMPARE(help.code, 0);
    QCOMPARE(runCli({verb, "--help"}).out, help.out);
    QCOMPARE(runCli({verb, "-h"}).code, 0);
    for (const QString& option : options + QStringList{"--json", "-h, --help"}) {
        QVERIFY2(help.out.contains(("\n  " + option + "  ").toUtf8()), qPrintable(option));
    }
}

// So that a new engine or metric is only a row of its table.
void TestCli::helpNamesTheRowsOfTables() {
    QByteArrayList engines;
    QByteArrayList offloading;
    for (const inference::Engine& engine : inference::engines()) {
        const QByteArray id(engine.id.data(), static_cast<qsizetype>(engine.id.size()));
        if (!engine.remote && id != "gufo") {
            engines << id;
        }
        if (engine.obeys.offload) {
            offloading << id;
        }
    }
    const QByteArray generate = runCli({"help", "generate", "all"}).out.simplified();
    QVERIFY(generate.contains("where it is installed (" + engines.join(", ") + "), or the address"));
    QVERIFY(generate.contains("with --engine " + offloading.join(", ") + ": layers"));
    const CliResult refused = runCli({"generate", m_model, "-p", "x", "--engine", " "});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains('(' + engines.join(", ") + ')'), refused.err.constData());

    // A name that is misspelled is not taken for the address of a server.
    for (const char* word : {"liblama", "server", "GUFO"}) {
        const CliResult unknown = runCli({"generate", m_model, "-p", "x", "--engine", word});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains(engines.join(", ")) && unknown.err.contains('"' + QByteArray(word) + '"'),
                 unknown.err.constData());
    }

    QByteArrayList metrics;
    for (const ui::MetricFact& metric : ui::reportMetrics()) {
        metrics << metric.id;
    }
    QVERIFY(runCli({"help", "compare"}).out.simplified().contains(metrics.join(", ")));
}

void TestCli::refusesWrongUse_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("nothing") << QStringList{} << QByteArray("verb is missing");
    QTest::newRow("unknown verb") << QStringList{"inform"} << QByteArray("\"inform\"");
    QTest::newRow("help of unknown verb") << QStringList{"help", "inform"} << QByteArray("\"inform\"");
    QTest::newRow("no file") << QStringList{"info"} << QByteArray("argument is missing");
    QTest::newRow("two files") << QStringList{"info", "MODEL", "b"} << QByteArray("too many");
    QTest::newRow("unknown option") << QStringList{"info", "MODEL", "--fast"} << QByteArray("fast");
    QTest::newRow("option without value") << QStringList{"stats", "MODEL", "--hist"} << QByteArray("hist");
    QTest::newRow("bins: none") << QStringList{"stats", "MODEL", "--hist", "0"} << QByteArray("--hist");
    QTest::newRow("bins: no number") << QStringList{"stats", "MODEL", "--hist", "8x"} << QByteArray("\"8x\"");
    QTest::newRow("bins: too many") << QStringList{"stats", "MODEL", "--hist", "1000000"} << QByteArray("--hist");
    QTest::newRow("context: negative") << QStringList{"memory", "MODEL", "--context", "-1"} << QByteArray("--context");
    QTest::newRow("cache type") << QStringList{"memory", "MODEL", "--kv", "q9"} << QByteArray("\"q9\"");
    QTest::newRow("no output") << QStringList{"dump", "MODEL", "waves"} << QByteArray("-o");
    QTest::newRow("output format") << QStringList{"dump", "MODEL", "waves", "-o", "x", "--format", "mp3"}
                                   << QByteArray("\"mp3\"");
    QTest::newRow("no such key") << QStringList{"get", "MODEL", "nothing"} << QByteArray("nothing");
    QTest::newRow("no such tensor") << QStringList{"stats", "MODEL", "waves", "nothing"} << QByteArray("nothing");
    QTest::newRow("dump of no such tensor")
        << QStringList{"dump", "MODEL", "nothing", "-o", "x"} << QByteArray("nothing");
    QTest::newRow("dump of no values") << QStringList{"dump", "MODEL", "strange", "-o", "x"} << QByteArray("strange");
}

void TestCli::refusesWrongUse() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, reason);
    arguments.replaceInStrings("MODEL", m_model);
    const CliResult result = runCli(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.out.isEmpty(), result.out.constData());
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY2(result.err.startsWith("gufo-cli: ") && result.err.contains(reason), result.err.constData());
    QVERIFY(!QFile::exists("x"));
}

void TestCli::refusesBadFiles_data() {
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("missing") << QByteArray("no such file");
    QTest::newRow("folder") << QByteArray("folder");
    QTest::newRow("fifo") << QByteArray("pipe");
    QTest::newRow("empty") << QByteArray("empty");
    QTest::newRow("truncated") << QByteArray("x.text");
    QTest::newRow("zip") << QByteArray("ZIP");
    QTest::newRow("safetensors") << QByteArray("its data have 8 bytes, but its shape needs 4");
    QTest::newRow("version 9") << QByteArray("version 9");
    QTest::newRow("noise") << QByteArray("de ad be ef");
}

void TestCli::refusesBadFiles() {
    QFETCH(QByteArray, reason);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    const QString file = m_folder.filePath(name);
    const auto write = [&](const QByteArray& bytes) {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
    };
    if (name == "folder") {
        QDir().mkpath(file);
    } else if (name == "fifo") {
        mkfifo(file.toUtf8().constData(), 0600);
    } else if (name == "empty") {
        write({});
    } else if (name == "truncated") {
        QFile model(m_model);
        QVERIFY(model.open(QIODevice::ReadOnly));
        const QByteArray bytes = model.readAll();
        write(bytes.left(bytes.indexOf("x.text") + 12));
    } else if (name == "zip") {
        write(QByteArray("PK\x03\x04") + QByteArray(60, '\0'));
    } else if (name == "safetensors") {
        const QByteArray header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})";
        QByteArray length(8, '\0');
        length[0] = static_cast<char>(header.size());
        write(length + header + QByteArray(8, '\0'));
    } else if (name == "version 9") {
        write(QByteArray("GGUF\x09\0\0\0", 8) + QByteArray(16, '\0'));
    } else if (name == "noise") {
        write(QByteArray("\xDE\xAD\xBE\xEF") + QByteArray(60, '\x80'));
    }
    for (const QStringList& arguments :
         {QStringList{"info", file}, QStringList{"info", file, "--json"}, QStringList{"get", file, "general.name"},
          QStringList{"validate", file}, QStringList{"stats", file}, QStringList{"memory", file},
          QStringList{"dump", file, "waves", "-o", path("never")}}) {
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY(result.out.isEmpty());
        QCOMPARE(result.err.count('\n'), 1);
        QVERIFY2(result.err.contains(file.toUtf8()) && result.err.contains(reason), result.err.constData());
    }
    QVERIFY(!QFile::exists(path("never")));
}

void TestCli::refusesWithoutPermission() {
    if (geteuid() == 0) {
        QSKIP("root may read everything");
    }
    const QString file = path("secret.gguf");
    QVERIFY(QFile::copy(m_model, file));
    QVERIFY(QFile::setPermissions(file, {}));
    const CliResult result = runCli({"info", file});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("do not have permission"), result.err.constData());
}

void TestCli::opensNamesOfAnyBytes() {
    const QString folder = m_folder.path();
    // sh does not support $'…', so printf makes the byte.
    const CliResult good = runShell(
        QStringLiteral("n=$(printf '%1/owl\\377.gguf'); cp '%2' \"$n\"; \"$CLI\" info \"$n\"").arg(folder, m_model));
    QCOMPARE(good.code, 0);
    QVERIFY2(good.out.contains("/owl\\xFF.gguf"), good.out.left(200).constData());
    const CliResult json =
        runShell(QStringLiteral("\"$CLI\" info --json \"$(printf '%1/owl\\377.gguf')\"").arg(folder));
    const QJsonObject file = json.json()["files"].toArray()[0].toObject();
    QCOMPARE(QByteArray::fromHex(file["path"].toObject()["hex"].toString().toLatin1()),
             folder.toUtf8() + "/owl\xFF.gguf");
    const CliResult missing = runShell(QStringLiteral("\"$CLI\" info \"$(printf 'no\\376ne')\""));
    QCOMPARE(missing.code, 2);
    QVERIFY2(missing.err.contains("no\\xFEne: "), missing.err.constData());
    const CliResult dump =
        runShell(QStringLiteral("\"$CLI\" dump '%1' waves -o \"$(printf '%2/out\\377')\" --format raw && ls -1b '%2'")
                     .arg(m_model, folder));
    QCOMPARE(dump.code, 0);
    QVERIFY2(dump.out.contains("out\\377\n"), dump.out.constData());
    // QTemporaryDir cannot remove such names.
    QCOMPARE(
        runShell(QStringLiteral("cd '%1' && rm \"$(printf 'owl\\377.gguf')\" \"$(printf 'out\\377')\"").arg(folder))
            .code,
        0);
}

void TestCli::interruptEndsStats() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI), {"stats", sparse(), "--json"});
        QVERIFY(process.waitForReadyRead(20'000)); // it has started
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        const CliResult result = finish(process);
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(result.code, 128 + signal);
        QCOMPARE(result.err.count('\n'), 1);
        // The output so far is complete JSON, and the statistics of 10 GB were not finished.
        QCOMPARE(result.json()["cancelled"], true);
    }
}

void TestCli::interruptLeavesNoFile() {
    const QDir folder(path("dumps"));
    QVERIFY(folder.mkpath("."));
    QProcess process;
    process.start(QStringLiteral(GUFO_CLI),
                  {"dump", sparse(), "output.weight", "-o", folder.filePath("out.csv"), "--format", "csv"});
    const auto entries = [&] { return folder.entryList(QDir::Files | QDir::Hidden); };
    QTRY_VERIFY_WITH_TIMEOUT(!entries().isEmpty(), 20'000); // it is writing a temporary file
    QVERIFY(!folder.exists("out.csv"));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const CliResult result = finish(process);
    QCOMPARE(result.code, 130);
    QCOMPARE(entries(), QStringList());
}

void TestCli::fullDeviceIsAFailure() {
    for (const char* verb : {"info", "info --json", "validate", "stats", "get"}) {
        const QString line = QString::fromLatin1(verb).contains("get")
                                 ? QStringLiteral("\"$CLI\" get '%1' x.tokens > /dev/full").arg(m_model)
                                 : QStringLiteral("\"$CLI\" %1 '%2' > /dev/full").arg(QLatin1String(verb), m_model);
        const CliResult result = runShell(line);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("standard output: "), result.err.constData());
    }
}

void TestCli::closedPipeIsQuiet() {
    for (const char* call : {"get '%1' tokenizer.ggml.tokens", "info --json '%1'", "stats --json '%1'"}) {
        QElapsedTimer clock;
        clock.start();
        const CliResult result = runShell(QStringLiteral("{ \"$CLI\" %1; echo $? > '%2'; } | head -c 100")
                                              .arg(QString::fromLatin1(call).arg(sparse()), path("code")));
        QVERIFY2(result.err.isEmpty(), result.err.constData());
        QVERIFY(result.out.size() == 100);
        QFile code(path("code"));
        QVERIFY(code.open(QIODevice::ReadOnly));
        QCOMPARE(code.readAll(), QByteArray("0\n"));
        QVERIFY(clock.elapsed() < 20'000); // without reading 20 GB
    }
}

GUFO_TEST(TestCli)
#include "tst_cli.moc"
