// Tests gufo-cli as a process: the text and JSON output of every verb, exit codes, and errors.
#include "cli_model.h"
#include "cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void saysWhatItCan();
    void helpsWithEveryVerb_data();
    void helpsWithEveryVerb();
    void refusesWrongUse_data();
    void refusesWrongUse();
    void refusesBadFiles_data();
    void refusesBadFiles();
    void refusesWithoutPermission();
    void opensNamesOfAnyBytes();
    void infoForPeople();
    void infoAsJson();
    void infoAlignsWideCharacters();
    void infoStaysSmall();
    void getWritesScalars_data();
    void getWritesScalars();
    void getWritesStringsVerbatim();
    void getWritesArrays();
    void getWritesElements_data();
    void getWritesElements();
    void getRefusesWhatIsNoElement_data();
    void getRefusesWhatIsNoElement();
    void getWritesWhatIsNotText();
    void dumpWritesEveryFormat();
    void dumpKeepsWhatWasThere();
    void memoryAddsUp();
    void interruptEndsStats();
    void interruptLeavesNoFile();
    void fullDeviceIsAFailure();
    void closedPipeIsQuiet();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString sparse();

    QTemporaryDir m_folder;
    QString m_model; // contains something of everything
    std::vector<float> m_weights = waves(64 * 20);
};

void TestCli::initTestCase() {
    QVERIFY(m_folder.isValid());
    m_model = path("model.gguf");
    GgufBuilder file;
    file.key("general.architecture", "llama")
        .key("general.name", "Owl")
        .key("x.u64", std::numeric_limits<std::uint64_t>::max())
        .key("x.i64", std::numeric_limits<std::int64_t>::min())
        .key("x.u8", std::uint8_t{200})
        .key("x.f32", 0.1F)
        .key("x.f64", 0.1)
        .key("x.whole", 3.0F)
        .key("x.nan", kNan)
        .key("x.bool", true)
        .key("x.text", "first\nsecond \\ \"third\"\t\x01")
        .key("x.bytes", "a\xFF")
        .key("x.numbers", std::vector<std::int32_t>{1, -2, 3, 4, 5, 6, 7, 8, 9, 10})
        .key("x.tokens", std::vector<std::string>{"a", "\n", "\\n", "b\xFE", "ü"})
        .key("x.nested", std::vector<std::vector<std::uint16_t>>{{1, 2}, {}, {3}})
        .key("x.empty", std::vector<float>{});
    addTensors(file, m_weights).write(m_model.toStdString());
}

// A sparse file of 20 GB, created once.
QString TestCli::sparse() {
    const QString file = path("sparse.gguf");
    if (!QFile::exists(file)) {
        QProcess maker;
        maker.start(QStringLiteral(GUFO_MAKE_MODEL),
                    {file, QStringLiteral("--shape"), QStringLiteral("header-5k"), QStringLiteral("--type"),
                     QStringLiteral("F16"), QStringLiteral("--sparse")});
        const CliResult made = finish(maker);
        if (made.code != 0) {
            qWarning("%s", made.err.constData());
        }
    }
    return file;
}

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
    QCOMPARE(QByteArray::fromBase64(file["path"].toObject()["base64"].toString().toLatin1()),
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

void TestCli::infoForPeople() {
    const CliResult info = runCli({"info", m_model});
    QCOMPARE(info.code, 0);
    QVERIFY(info.err.isEmpty());
    QVERIFY(!info.out.contains('\x1b')); // no colours without a terminal
    for (const char* text : {"GGUF version 3, little-endian, alignment 32", "Owl", "llama", "Metadata (16)",
                             "Tensors (4)", "18446744073709551615", "i32[10]", "1, -2, 3, 4, 5, 6, 7, 8, …", "64 × 20",
                             "5,120", "type 999", "first\\nsecond \\ \"third\"\\t\\x01", "Findings"}) {
        QVERIFY2(info.out.contains(text), text);
    }
    for (const QByteArray& line : info.lines()) {
        QVERIFY2(!line.endsWith(' '), line.constData());
    }
}

void TestCli::infoAsJson() {
    const CliResult info = runCli({"info", "--json", m_model});
    QCOMPARE(info.code, 0);
    const QJsonObject json = info.json();
    for (const char* key :
         {"format", "version", "byte_order", "alignment", "architecture", "name", "parameters", "tensor_bytes",
          "file_bytes", "bits_per_weight", "files", "types", "kv", "tensors", "findings"}) {
        QVERIFY2(json.contains(QLatin1String(key)), key);
    }
    QCOMPARE(json["format"], "GGUF");
    QCOMPARE(json["version"], 3);
    QCOMPARE(json["byte_order"], "little");
    QCOMPARE(json["alignment"], 32);
    QCOMPARE(json["parameters"], 64 * 20 + 8 + 64 + 4);
    QCOMPARE(json["file_bytes"].toInteger(), QFile(m_model).size());
    QCOMPARE(json["files"].toArray().size(), 1);

    const QJsonArray kv = json["kv"].toArray();
    QCOMPARE(kv.size(), 16);
    QVERIFY(info.out.contains("\"value\": 18446744073709551615}")); // exact, unlike in QJsonValue
    QVERIFY(info.out.contains("\"value\": -9223372036854775808}"));
    QVERIFY(info.out.contains("\"value\": 0.1}"));
    QVERIFY(info.out.contains("\"value\": 3.0}"));
    const auto value = [&](const char* key) -> QJsonValue { return byName(kv, "key", QLatin1String(key))["value"]; };
    QCOMPARE(byName(kv, "key", "x.u64")["type"], "u64");
    QCOMPARE(value("x.bool"), true);
    QCOMPARE(value("x.text"), "first\nsecond \\ \"third\"\t\x01");
    QCOMPARE(value("x.bytes").toObject()["base64"], QString::fromLatin1(QByteArray("a\xFF").toBase64()));
    QVERIFY(value("x.nan").isNull());
    QCOMPARE(byName(kv, "key", "x.nan")["non_finite"], "nan");
    const QJsonObject numbers = value("x.numbers").toObject();
    QCOMPARE(numbers["array"], true);
    QCOMPARE(numbers["type"], "i32");
    QCOMPARE(numbers["length"], 10);
    QCOMPARE(numbers["head"], (QJsonArray{1, -2, 3, 4, 5, 6, 7, 8}));
    QCOMPARE(value("x.nested").toObject()["head"].toArray()[0].toObject()["head"], (QJsonArray{1, 2}));
    QCOMPARE(value("x.empty").toObject()["head"], QJsonArray());

    const QJsonArray tensors = json["tensors"].toArray();
    QCOMPARE(tensors.size(), 4);
    const QJsonObject zeros = byName(tensors, "name", "zeros");
    QCOMPARE(zeros["type"], "Q8_0");
    QCOMPARE(zeros["type_id"], 8);
    QCOMPARE(zeros["shape"], (QJsonArray{32, 2}));
    QCOMPARE(zeros["offset"], 64 * 20 * 4 + 32);
    QCOMPARE(zeros["bytes"], 68);
    const qint64 dataStart = json["files"].toArray()[0].toObject()["data_offset"].toInteger();
    QCOMPARE(zeros["file_offset"].toInteger(), dataStart + 64 * 20 * 4 + 32);

    const QJsonObject finding = byName(json["findings"].toArray(), "code", "unknown_tensor_type");
    QCOMPARE(finding["severity"], "warning");
    QCOMPARE(finding["place"], (QJsonObject{{"kind", "tensor"}, {"name", "strange"}}));
    QVERIFY(!finding["message"].toString().isEmpty());
}

void TestCli::infoAlignsWideCharacters() {
    const QString file = path("wide.gguf");
    GgufBuilder()
        .key("general.architecture", "llama")
        .tensor("漢字", 0, {8})
        .tensor("abcd", 0, {8})
        .tensor("e\u0301\u0301fgh", 0, {8})
        .tensor("🦉ab", 0, {8})
        .write(file.toStdString());
    const CliResult info = runCli({"info", file});
    for (const char* line : {"\n  漢字  F32 ", "\n  abcd  F32 ", "\n  e\u0301\u0301fgh  F32 ", "\n  🦉ab  F32 "}) {
        QVERIFY2(info.out.contains(line), line);
    }
}

void TestCli::infoStaysSmall() {
#if defined(__SANITIZE_ADDRESS__)
    QSKIP("sanitizers need memory of their own");
#endif
    for (const QStringList& mode : {QStringList{}, QStringList{"--json"}}) {
        QProcess process;
        QElapsedTimer clock;
        clock.start();
        process.start(QStringLiteral(GUFO_CLI), QStringList{"info", sparse()} + mode);
        QVERIFY(process.waitForStarted());
        qint64 peak = 0; // KiB, as the kernel counts them while output is written
        qint64 bytes = 0;
        const QString status = QStringLiteral("/proc/%1/status").arg(process.processId());
        while (process.waitForReadyRead(20'000)) {
            bytes += process.readAllStandardOutput().size();
            QFile file(status);
            if (file.open(QIODevice::ReadOnly)) {
                const QByteArray text = file.readAll();
                const qsizetype at = text.indexOf("VmHWM:");
                peak = std::max(peak,
                                at < 0 ? 0 : text.mid(at + 6, text.indexOf("kB", at) - at - 6).trimmed().toLongLong());
            }
        }
        QCOMPARE(finish(process).code, 0);
        qInfo("info %s: %lld KiB at most, %lld bytes printed, %lld ms", qPrintable(mode.join(' ')), peak, bytes,
              clock.elapsed());
        QVERIFY(peak > 0 && peak <= 64 * 1024);
        QVERIFY(bytes < 2'000'000); // only the beginnings of arrays
    }
}

void TestCli::getWritesScalars_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* key, const char* text, const char* type, const char* value) {
        QTest::newRow(key) << QByteArray(text)
                           << "{\"key\": \"" + QByteArray(key) + "\", \"type\": \"" + type + "\", \"value\": " + value +
                                  "}\n";
    };
    row("x.u64", "18446744073709551615\n", "u64", "18446744073709551615");
    row("x.i64", "-9223372036854775808\n", "i64", "-9223372036854775808");
    row("x.u8", "200\n", "u8", "200");
    row("x.f32", "0.1\n", "f32", "0.1");
    row("x.f64", "0.1\n", "f64", "0.1");
    row("x.whole", "3\n", "f32", "3.0");
    row("x.nan", "nan\n", "f32", "null, \"non_finite\": \"nan\"");
    row("x.bool", "true\n", "bool", "true");
    row("general.name", "Owl", "str", "\"Owl\"");
}

void TestCli::getWritesScalars() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, json);
    const QString key = QString::fromLatin1(QTest::currentDataTag());
    const CliResult plain = runCli({"get", m_model, key});
    QCOMPARE(plain.code, 0);
    QCOMPARE(plain.out, text);
    QCOMPARE(runCli({"get", "--json", m_model, key}).out, json);
}

void TestCli::getWritesStringsVerbatim() {
    QCOMPARE(runCli({"get", m_model, "x.text"}).out, QByteArray("first\nsecond \\ \"third\"\t\x01"));
    QCOMPARE(runCli({"get", m_model, "x.bytes"}).out, QByteArray("a\xFF"));
}

void TestCli::getWritesElements_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QByteArray>("json"); // the end
    const auto row = [](const char* key, const char* expected, const char* json) {
        QTest::newRow(key) << QString(key) << QByteArray(expected) << QByteArray(json);
    };
    row("x.numbers[1]", "-2\n", R"("first": 1, "value": -2})");
    row("x.numbers[0]", "1\n", R"("first": 0, "value": 1})");
    row("x.numbers[9]", "10\n", R"("first": 9, "value": 10})");
    row("x.numbers[1:3]", "-2\n3\n", R"("first": 1, "value": [-2, 3]})");
    row("x.numbers[8:]", "9\n10\n", R"("first": 8, "value": [9, 10]})");
    row("x.numbers[:2]", "1\n-2\n", R"("first": 0, "value": [1, -2]})");
    row("x.numbers[3:3]", "", R"("first": 3, "value": []})");
    row("x.tokens[1]", "\n", R"("first": 1, "value": "\n"})"); // verbatim, as a value of its own
    row("x.tokens[1:2]", "\\n\n", R"("first": 1, "value": ["\n"]})");
    row("x.nested[0]", "1\n2\n", R"("first": 0, "value": [1, 2]})");
}

void TestCli::getWritesElements() {
    QFETCH(const QString, key);
    QFETCH(const QByteArray, expected);
    QFETCH(const QByteArray, json);
    const CliResult plain = runCli({"get", m_model, key});
    QCOMPARE(plain.err, QByteArray());
    QCOMPARE(plain.out, expected);
    const QByteArray out = runCli({"get", "--json", m_model, key}).out.trimmed();
    QVERIFY2(out.endsWith(json), out.constData());
}

void TestCli::getRefusesWhatIsNoElement_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* key, const char* words) {
        QTest::newRow(key) << QString(key) << QByteArray(words);
    };
    row("x.numbers[10]", "has 10 elements");
    row("x.numbers[3:12]", "has 10 elements");
    row("x.numbers[-1]", "is no position");
    row("x.numbers[]", "is missing");
    row("x.numbers[a:b]", "is no position");
    row("x.text[0]", "is no array");
    row("nothing[0]", "no key nothing[0]");
}

void TestCli::getRefusesWhatIsNoElement() {
    QFETCH(const QString, key);
    QFETCH(const QByteArray, words);
    const CliResult result = runCli({"get", m_model, key});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(words), result.err.constData());
    QCOMPARE(result.out, QByteArray());
    QCOMPARE(result.err.count('\n'), 1);
}

void TestCli::getWritesArrays() {
    QCOMPARE(runCli({"get", m_model, "x.numbers"}).out, QByteArray("1\n-2\n3\n4\n5\n6\n7\n8\n9\n10\n"));
    QCOMPARE(runCli({"get", m_model, "x.tokens"}).out, QByteArray("a\n\\n\n\\\\n\nb\\xFE\nü\n"));
    QCOMPARE(runCli({"get", m_model, "x.nested"}).out, QByteArray("[1, 2]\n[]\n[3]\n"));
    QCOMPARE(runCli({"get", m_model, "x.empty"}).out, QByteArray());
    const QJsonObject numbers = runCli({"get", m_model, "x.numbers", "--json"}).json();
    QCOMPARE(numbers["type"], "arr");
    QCOMPARE(numbers["element_type"], "i32");
    QCOMPARE(numbers["length"], 10);
    QCOMPARE(numbers["value"], (QJsonArray{1, -2, 3, 4, 5, 6, 7, 8, 9, 10}));
    const QJsonArray tokens = runCli({"get", m_model, "x.tokens", "--json"}).json()["value"].toArray();
    QCOMPARE(tokens.size(), 5);
    QCOMPARE(tokens[1], "\n");
    QCOMPARE(tokens[2], "\\n");
    QCOMPARE(tokens[3].toObject()["base64"], QString::fromLatin1(QByteArray("b\xFE").toBase64()));
    const QJsonObject nested = runCli({"get", m_model, "x.nested", "--json"}).json();
    QCOMPARE(nested["element_type"], "arr");
    QCOMPARE(nested["value"], (QJsonArray{QJsonArray{1, 2}, QJsonArray{}, QJsonArray{3}}));
}

void TestCli::getWritesWhatIsNotText() {
    const QString file = path("odd-names.gguf");
    GgufBuilder()
        .key("general.architecture", "llama")
        .key("k\xFF", std::uint32_t{7})
        .tensor("t\xFE", 0, {2})
        .write(file.toStdString());
    const CliResult got = runShell(QStringLiteral("\"$CLI\" get '%1' \"$(printf 'k\\377')\"").arg(file));
    QCOMPARE(got.out, QByteArray("7\n"));
    const CliResult stats = runShell(QStringLiteral("\"$CLI\" stats --json '%1' \"$(printf 't\\376')\"").arg(file));
    QCOMPARE(stats.code, 0);
    const QJsonValue name = stats.json()["tensors"].toArray()[0].toObject()["name"];
    QCOMPARE(name.toObject()["base64"], QString::fromLatin1(QByteArray("t\xFE").toBase64()));
}

void TestCli::dumpWritesEveryFormat() {
    const auto dumped = [&](const QStringList& arguments, const QString& out) {
        const CliResult result = runCli(QStringList{"dump", m_model} + arguments + QStringList{"-o", out, "--force"});
        QFile file(out);
        return result.code == 0 && result.out.isEmpty() && result.err.isEmpty() && file.open(QIODevice::ReadOnly)
                   ? file.readAll()
                   : QByteArray("failed: ") + result.err;
    };
    const QByteArray values(reinterpret_cast<const char*>(m_weights.data()),
                            static_cast<qsizetype>(m_weights.size() * sizeof(float)));
    QCOMPARE(dumped({"waves"}, path("w")), values);
    QCOMPARE(dumped({"waves", "--format", "f32"}, path("w.npy")), values);
    QCOMPARE(dumped({"waves", "--format", "raw"}, path("w.bin")), values);
    QCOMPARE(dumped({"zeros", "--format", "raw"}, path("z")), QByteArray(68, '\0'));
    QCOMPARE(dumped({"zeros"}, path("z.f32")), QByteArray(64 * 4, '\0'));
    const QByteArray npy = dumped({"waves"}, path("w.npy"));
    QVERIFY(npy.startsWith("\x93NUMPY\x01"));
    QVERIFY(npy.contains("'shape': (20, 64)"));
    QCOMPARE(npy.right(values.size()), values);
    const QByteArrayList rows = dumped({"waves"}, path("w.csv")).trimmed().split('\n');
    QCOMPARE(rows.size(), 20);
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const QByteArrayList cells = rows[row].split(',');
        QCOMPARE(cells.size(), 64);
        for (qsizetype column = 0; column < cells.size(); ++column) {
            QCOMPARE(cells[column].toFloat(), m_weights[static_cast<std::size_t>(row * 64 + column)]);
        }
    }
    const QJsonObject json = runCli({"dump", m_model, "waves", "-o", path("w.csv"), "--json", "--force"}).json();
    QCOMPARE(json["format"], "csv");
    QCOMPARE(json["output"], path("w.csv"));
}

void TestCli::dumpKeepsWhatWasThere() {
    QFile out(path("kept"));
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write("before") == 6);
    out.close();
    QCOMPARE(runCli({"dump", m_model, "strange", "-o", path("kept"), "--force"}).code, 2);
    QVERIFY(out.open(QIODevice::ReadOnly));
    QCOMPARE(out.readAll(), QByteArray("before"));
    const CliResult nowhere = runCli({"dump", m_model, "waves", "-o", path("no/such/folder")});
    QCOMPARE(nowhere.code, 2);
    QVERIFY2(nowhere.err.contains("no/such:"), nowhere.err.constData());
    const CliResult own = runCli({"dump", m_model, "waves", "-o", m_model, "--force"});
    QCOMPARE(own.code, 2);
    QCOMPARE(runCli({"get", m_model, "general.name"}).out, QByteArray("Owl"));
    QCOMPARE(runCli({"dump", m_model, "waves", "-o", "/dev/full"}).code, 2);
    struct stat device{};
    QVERIFY(stat("/dev/full", &device) == 0 && S_ISCHR(device.st_mode));
}

void TestCli::memoryAddsUp() {
    const CliResult result = runCli({"memory", sparse(), "--json", "--context", "1000", "--kv", "f32"});
    QVERIFY2(result.code == 0, result.err.constData());
    const QJsonObject json = result.json();
    QCOMPARE(json["context"], 1000);
    QCOMPARE(json["trained_context"], 8192);
    QCOMPARE(json["batch"], 512);
    QCOMPARE(json["kv_type"], "f32");
    // 556 blocks, 4 of 20 heads of 64: K and V of 256 floats; keys are stored in tiles of 16 tokens.
    QCOMPARE(json["kv_per_token"].toInteger(), 556 * 2 * 256 * 4);
    QCOMPARE(json["kv_cache"].toInteger(), (1008LL + 1000) * 556 * 256 * 4);
    QCOMPARE(json["logits"].toInteger(), 262'144 * 4);
    qint64 sum = 0;
    for (const char* part : {"kv_cache", "recurrent_state", "snapshots", "buffers", "logits", "program"}) {
        sum += json[QLatin1String(part)].toInteger();
    }
    QCOMPARE(json["anonymous"].toInteger(), sum);
    QCOMPARE(json["total"].toInteger(), sum + json["weights"].toInteger());
    const CliResult text = runCli({"memory", sparse(), "--context", "1000", "--kv", "f32"});
    QVERIFY2(text.out.contains("1,143,242,752"), text.out.constData());
    // The total is that of the model, which the window shows too; the program itself is listed apart.
    QByteArray total;
    for (const QByteArray& line : text.lines()) {
        total = line.trimmed().startsWith("Total") ? line : total;
    }
    const auto model = static_cast<quint64>(json["total"].toInteger() - json["program"].toInteger());
    QVERIFY2(total.contains(QLocale(QLocale::English).toString(model).toUtf8()), total.constData());
    const CliResult none = runCli({"memory", m_model}); // the model lacks the keys for an estimate
    QCOMPARE(none.code, 2);
    QCOMPARE(none.err.count('\n'), 1);
}

void TestCli::interruptEndsStats() {
    qint64 soonest = std::numeric_limits<qint64>::max(); // the best of several tries, because the machine may be busy
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI), {"stats", sparse(), "--json"});
        QVERIFY(process.waitForReadyRead(20'000)); // it has started
        QCOMPARE(process.state(), QProcess::Running);
        QElapsedTimer clock;
        clock.start();
        ::kill(static_cast<pid_t>(process.processId()), signal);
        const CliResult result = finish(process);
        soonest = std::min(soonest, clock.elapsed());
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(result.code, 128 + signal);
        QCOMPARE(result.err.count('\n'), 1);
        QCOMPARE(result.json()["cancelled"], true); // the output so far is complete JSON
    }
    qInfo("ended %lld ms after the signal", soonest);
    QVERIFY(soonest < 100);
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
