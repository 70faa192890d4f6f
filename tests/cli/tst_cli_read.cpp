// Tests the verbs of gufo-cli that show a model: info, get, dump and memory.
#include "cli_sample.h"
#include "support/sanitized.h"
#include "support/test_unit.h"

#include <QElapsedTimer>
#include <QLocale>

#include <sys/stat.h>

using namespace gufo;
using namespace gufo::test;

class TestCliRead : public CliSampleTest {
    Q_OBJECT

private slots:
    void initTestCase() { makeModel(); }
    void infoForPeople();
    void infoAsJson();
    void infoAlignsWideCharacters();
    void infoStaysSmall();
    void infoDescribesTheArchitecture();
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
};

void TestCliRead::infoDescribesTheArchitecture() {
    const QString hybrid = QStringLiteral(GUFO_TEST_DATA "/architectures/qwen3next.gguf");
    const CliResult text = runCli({"info", hybrid, "--diagram"});
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("4 blocks = 2 × (1 gated delta net + 1 attention)"), text.out.constData());
    const CliResult json = runCli({"info", hybrid, "--diagram", "--json"});
    QCOMPARE(json.code, 0);
    const QJsonObject diagram = json.json()["diagram"].toObject();
    QCOMPARE(diagram["known"].toBool(), true);
    QVERIFY(diagram["contradictions"].toArray().isEmpty());
    const QJsonObject stack = diagram["stacks"].toArray().last().toObject();
    QCOMPARE(stack["runs"].toArray().size(), 1);
    QCOMPARE(stack["runs"][0]["period"].toInt(), 2);
    // Every tensor is named once.
    QStringList named;
    const auto add = [&named](const QJsonValue& parts) {
        for (const QJsonValue& part : parts.toArray()) {
            for (const QJsonValue& tensor : part["tensors"].toArray()) {
                named << tensor.toString();
            }
        }
    };
    add(stack["begin"]);
    add(stack["end"]);
    for (const QJsonValue& block : stack["blocks"].toArray()) {
        add(block["parts"]);
    }
    QStringList all;
    for (const QJsonValue& tensor : json.json()["tensors"].toArray()) {
        all << tensor["name"].toString();
    }
    named.sort();
    all.sort();
    QCOMPARE(named, all);
    QVERIFY(!runCli({"info", hybrid, "--json"}).json().contains("diagram"));
}

void TestCliRead::infoForPeople() {
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

void TestCliRead::infoAsJson() {
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
    QCOMPARE(value("x.bytes").toObject()["hex"], "61ff");
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

void TestCliRead::infoAlignsWideCharacters() {
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

void TestCliRead::infoStaysSmall() {
    if (test::kSanitized) {
        QSKIP("sanitizers need memory of their own");
    }
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

void TestCliRead::getWritesScalars_data() {
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

void TestCliRead::getWritesScalars() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, json);
    const QString key = QString::fromLatin1(QTest::currentDataTag());
    const CliResult plain = runCli({"get", m_model, key});
    QCOMPARE(plain.code, 0);
    QCOMPARE(plain.out, text);
    QCOMPARE(runCli({"get", "--json", m_model, key}).out, json);
}

void TestCliRead::getWritesStringsVerbatim() {
    QCOMPARE(runCli({"get", m_model, "x.text"}).out, QByteArray("first\nsecond \\ \"third\"\t\x01"));
    QCOMPARE(runCli({"get", m_model, "x.bytes"}).out, QByteArray("a\xFF"));
}

void TestCliRead::getWritesElements_data() {
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

void TestCliRead::getWritesElements() {
    QFETCH(const QString, key);
    QFETCH(const QByteArray, expected);
    QFETCH(const QByteArray, json);
    const CliResult plain = runCli({"get", m_model, key});
    QCOMPARE(plain.err, QByteArray());
    QCOMPARE(plain.out, expected);
    const QByteArray out = runCli({"get", "--json", m_model, key}).out.trimmed();
    QVERIFY2(out.endsWith(json), out.constData());
}

void TestCliRead::getRefusesWhatIsNoElement_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* key, const char* words) {
        QTest::newRow(key) << QString(key) << QByteArray(words);
    };
    row("x.numbers[10]", "has 10 elements");
    row("x.numbers[3:12]", "has 10 elements");
    row("x.numbers[-1]", "is not a position");
    row("x.numbers[]", "is missing");
    row("x.numbers[a:b]", "is not a position");
    row("x.text[0]", "is not an array");
    row("nothing[0]", "no key nothing[0]");
}

void TestCliRead::getRefusesWhatIsNoElement() {
    QFETCH(const QString, key);
    QFETCH(const QByteArray, words);
    const CliResult result = runCli({"get", m_model, key});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(words), result.err.constData());
    QCOMPARE(result.out, QByteArray());
    QCOMPARE(result.err.count('\n'), 1);
}

void TestCliRead::getWritesArrays() {
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
    QCOMPARE(tokens[3].toObject()["hex"], "62fe");
    const QJsonObject nested = runCli({"get", m_model, "x.nested", "--json"}).json();
    QCOMPARE(nested["element_type"], "arr");
    QCOMPARE(nested["value"], (QJsonArray{QJsonArray{1, 2}, QJsonArray{}, QJsonArray{3}}));
}

void TestCliRead::getWritesWhatIsNotText() {
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
    QCOMPARE(name.toObject()["hex"], "74fe");
}

void TestCliRead::dumpWritesEveryFormat() {
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

void TestCliRead::dumpKeepsWhatWasThere() {
    QFile out(path("kept"));
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write("before") == 6);
    out.close();
    QCOMPARE(runCli({"dump", m_model, "strange", "-o", path("kept"), "--force"}).code, 2);
    QVERIFY(out.open(QIODevice::ReadOnly));
    QCOMPARE(out.readAll(), QByteArray("before"));
    const CliResult nowhere = runCli({"dump", m_model, "waves", "-o", path("no/such/folder")});
    QCOMPARE(nowhere.code, 2);
    QVERIFY2(nowhere.err.contains("no/such/folder: the folder for it"), nowhere.err.constData());
    const CliResult overwriting = runCli({"dump", m_model, "waves", "-o", m_model, "--force"});
    QCOMPARE(overwriting.code, 2);
    QCOMPARE(runCli({"get", m_model, "general.name"}).out, QByteArray("Owl"));
    QCOMPARE(runCli({"dump", m_model, "waves", "-o", "/dev/full"}).code, 2);
    struct stat device{};
    QVERIFY(stat("/dev/full", &device) == 0 && S_ISCHR(device.st_mode));
}

void TestCliRead::memoryAddsUp() {
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
    // The total is the model's, which the window shows too; the program itself is listed apart.
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

GUFO_TEST(TestCliRead)
#include "tst_cli_read.moc"
