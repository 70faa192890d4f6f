// Tests the verb compare of gufo-cli with a GGUF file and the folder that it was converted from.
#include "cli_runner.h"
#include "support/convert_fixtures.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

using namespace gufo::test;

class TestCliOrigin final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        qputenv("XDG_CACHE_HOME", in("cache").toUtf8());
        const CliResult q8 = runCli({"convert", source("llama"), in("llama-Q8_0"), "--type", "Q8_0"});
        QVERIFY2(q8.code == 0, q8.err);
        for (const auto& [fixture, type] : {std::pair("llama", "F16"), std::pair("qwen3moe", "Q8_0")}) {
            const CliResult made = runCli({"convert", source(fixture), in(type), "--type", type});
            QVERIFY2(made.code == 0, made.err);
        }
    }
    void bothOrders();
    void fileOfTheFolder();
    void differences();
    void otherModel();
    void report();
    void folderThatCannotBeConverted();
    void severalFiles_data();
    void severalFiles();

private:
    QString in(const QString& name) const { return m_folder.filePath(name); }
    static QString source(const char* name) {
        return QString::fromStdString(convertFixture(QString::fromLatin1(name), false).source().native());
    }

    QTemporaryDir m_folder;
};

void TestCliOrigin::bothOrders() {
    for (const QStringList& files :
         {QStringList{source("llama"), in("F16")}, QStringList{in("F16"), source("llama")}}) {
        const CliResult result = runCli(QStringList{"compare"} + files);
        QVERIFY2(result.code == 0, result.out + result.err);
        QVERIFY2(result.out.startsWith("This is that model"), result.out);
        QVERIFY2(result.out.contains("Tensors: no difference"), result.out);
        const CliResult json = runCli(QStringList{"compare", "--json"} + files);
        QCOMPARE(json.code, 0);
        const QJsonObject origin = json.json()["origin"].toObject();
        QCOMPARE(origin["verdict"].toString(), "same");
        QCOMPARE(origin["origin"].toInt(-1), static_cast<int>(files.indexOf(source("llama"))));
        QCOMPARE(origin["same"].toInt(), 21);
        QCOMPARE(origin["compared"].toInt(), 21);
        QVERIFY(origin["worst"].isNull());
        QCOMPARE(origin["keys"].toArray().size(), 0);
        for (const QJsonValue& tensor : origin["tensors"].toArray()) {
            QCOMPARE(tensor["proof"].toString(), "identical");
        }
        QCOMPARE(json.json()["models"][files.indexOf(source("llama"))].toString(), source("llama"));
    }
    const CliResult quantised = runCli({"compare", source("qwen3moe"), in("Q8_0"), "--json"});
    QCOMPARE(quantised.code, 0);
    int encoded = 0;
    for (const QJsonValue& tensor : quantised.json()["origin"].toObject()["tensors"].toArray()) {
        encoded += tensor["proof"] == "encoded" ? 1 : 0;
    }
    QVERIFY(encoded > 0);
    // Two GGUF files are compared as before.
    QVERIFY(!runCli({"compare", in("F16"), in("Q8_0"), "--json"}).json().contains("origin"));
}

void TestCliOrigin::fileOfTheFolder() {
    const CliResult result = runCli({"compare", source("llama") + "/model.safetensors", in("F16"), "--json"});
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json()["origin"].toObject()["verdict"].toString(), "same");
}

void TestCliOrigin::differences() {
    const QString changed = in("changed");
    QVERIFY(QFile::copy(in("F16"), changed));
    const CliResult set = runCli({"set", changed, "llama.block_count=9", "general.name=Other"});
    QVERIFY2(set.code == 0, set.err);
    const CliResult key = runCli({"compare", source("llama"), changed, "--json"});
    QCOMPARE(key.code, 1);
    const QJsonObject origin = key.json()["origin"].toObject();
    QCOMPARE(origin["verdict"].toString(), "same_weights");
    const QJsonObject count = byName(origin["keys"].toArray(), "key", "llama.block_count");
    QCOMPARE(count["status"].toString(), "changed");
    QCOMPARE(count["descriptive"].toBool(true), false);
    QCOMPARE(byName(origin["keys"].toArray(), "key", "general.name")["descriptive"].toBool(), true);

    // Bytes in the middle of the last tensor.
    QFile file(in("F16"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    bytes[bytes.size() - 200] = static_cast<char>(bytes[bytes.size() - 200] ^ 0x20);
    QFile broken(in("broken"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    QCOMPARE(broken.write(bytes), bytes.size());
    broken.close();
    const CliResult weight = runCli({"compare", source("llama"), in("broken")});
    QCOMPARE(weight.code, 1);
    QVERIFY2(weight.out.startsWith("This is that model but for"), weight.out);
    QVERIFY2(weight.out.contains("20 of 21 are identical; "), weight.out);
    QVERIFY2(weight.out.contains(" differs by "), weight.out);
    QVERIFY2(weight.out.contains("Tensors: 1 "), weight.out);
}

void TestCliOrigin::otherModel() {
    const CliResult result = runCli({"compare", source("llama3"), in("F16"), "--json"});
    QCOMPARE(result.code, 1);
    QCOMPARE(result.json()["origin"].toObject()["verdict"].toString(), "other");
}

void TestCliOrigin::report() {
    QCOMPARE(runCli({"compare", source("llama"), in("F16"), "--html", in("report.html")}).code, 0);
    QFile report(in("report.html"));
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY(report.readAll().contains("This is that model"));
}

// The reason is said, and names are compared as they are.
void TestCliOrigin::folderThatCannotBeConverted() {
    QVERIFY(QDir().mkpath(in("unknown")));
    QVERIFY(QFile::copy(source("llama") + "/model.safetensors", in("unknown/model.safetensors")));
    QFile config(in("unknown/config.json"));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(R"({"architectures": ["UnknownForCausalLM"]})");
    config.close();
    const CliResult result = runCli({"compare", in("unknown"), in("F16"), "--json"});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains("UnknownForCausalLM"), result.err);
    QVERIFY(!result.json().contains("origin"));
}

// The folder's side is converted for any number of files, and each GGUF file has a verdict.
void TestCliOrigin::severalFiles_data() {
    QTest::addColumn<QStringList>("files"); // "llama" is the folder
    QTest::addColumn<QStringList>("verdicts");
    QTest::addColumn<int>("code");
    QTest::newRow("a folder and two") << QStringList{"llama", "F16", "llama-Q8_0"} << QStringList{"same", "same"} << 0;
    QTest::newRow("the folder last") << QStringList{"F16", "llama-Q8_0", "llama"} << QStringList{"same", "same"} << 0;
    QTest::newRow("another model among them")
        << QStringList{"llama", "F16", "Q8_0", "llama-Q8_0"} << QStringList{"same", "other", "same"} << 1;
}

void TestCliOrigin::severalFiles() {
    QFETCH(QStringList, files);
    QFETCH(QStringList, verdicts);
    QFETCH(int, code);
    QStringList arguments{"compare"};
    for (const QString& file : files) {
        arguments << (file == QLatin1String("llama") ? source("llama") : in(file));
    }
    const CliResult json = runCli(arguments + QStringList{"--json"});
    QVERIFY2(json.code == code, json.out + json.err);
    QVERIFY(!json.json().contains("origin"));
    const QJsonArray origins = json.json()["origins"].toArray();
    QStringList found;
    for (const QJsonValue& origin : origins) {
        found << origin["verdict"].toString();
        QCOMPARE(origin["origin"].toInt(-1), static_cast<int>(files.indexOf(QLatin1String("llama"))));
        QVERIFY(files[origin["model"].toInt()] != QLatin1String("llama"));
    }
    QCOMPARE(found, verdicts);
    // Tensors have the names that the conversion gives, so they are compared.
    const QJsonObject tensor = byName(json.json()["tensors"].toArray(), "name", "blk.0.attn_q.weight");
    for (const QJsonValue& model : tensor["models"].toArray()) {
        QVERIFY2(model["status"].toString() != QLatin1String("missing"), json.out);
    }
    const CliResult text = runCli(arguments);
    QCOMPARE(text.code, code);
    QVERIFY2(text.out.contains("F16: This is that model"), text.out);
    QCOMPARE(text.out.contains("This is not that model"), code != 0);
    // Norms that the conversion writes in another type are no difference.
    QCOMPARE(text.out.contains("Tensors: no difference"), code == 0);
    QCOMPARE(runCli(arguments + QStringList{"--html", in("several.html"), "--force"}).code, code);
    QFile report(in("several.html"));
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY(report.readAll().contains("This is that model"));
}

GUFO_TEST(TestCliOrigin)
#include "tst_cli_origin.moc"
