// The verbs that write models: convert, split, merge, recover.
#include "cli_runner.h"
#include "support/gguf_builder.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;
namespace fs = std::filesystem;

class TestCliSave : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        GgufBuilder file;
        file.key("general.architecture", "llama").key("general.name", "x");
        for (int i = 0; i < 5; ++i) {
            file.tensor("t" + std::to_string(i), 1, {64}, std::vector(128, static_cast<std::byte>(i + 1)));
        }
        file.write(native("m.gguf"));
    }
    void convertsAndBack();
    void refusesBadArguments_data();
    void refusesBadArguments();
    void splitsAndMerges();
    void mergesPieces();
    void recovers();

private:
    QString in(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    fs::path native(const char* name) const { return in(name).toStdString(); }
    QTemporaryDir m_folder;
};

void TestCliSave::convertsAndBack() {
    const auto big = runCli({"convert", in("m.gguf"), in("big.gguf"), "--byte-order", "big", "--verify", "--json"});
    QCOMPARE(big.code, 0);
    QCOMPARE(big.json()["strategy"].toString(), "copy");
    QCOMPARE(big.json()["tensor_hash_before"], big.json()["tensor_hash_after"]);
    QCOMPARE(runCli({"info", in("big.gguf"), "--json"}).json()["byte_order"].toString(), "big");
    QCOMPARE(runCli({"convert", in("big.gguf"), in("back.gguf"), "--byte-order", "little"}).code, 0);
    QVERIFY(readFile(native("back.gguf")) == readFile(native("m.gguf")));
}

void TestCliSave::refusesBadArguments_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("byte order") << QStringList{"convert", in("m.gguf"), in("o"), "--byte-order", "middle"}
                                << QByteArray("little or big");
    QTest::newRow("version") << QStringList{"convert", in("m.gguf"), in("o"), "--version", "9"}
                             << QByteArray("version");
    QTest::newRow("big-endian v2") << QStringList{"convert", in("m.gguf"), in("o"), "--byte-order",
                                                  "big",     "--version",  "2"}
                                   << QByteArray("version 3");
    QTest::newRow("size") << QStringList{"split", in("m.gguf"), in("o"), "--max-size", "5K"} << QByteArray("M or G");
    QTest::newRow("no file") << QStringList{"merge", in("none.gguf"), in("o")} << QByteArray("no such file");
    QTest::newRow("no folder") << QStringList{"convert", in("m.gguf"), in("none/o.gguf")} << QByteArray("none/o.gguf");
}

void TestCliSave::refusesBadArguments() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const auto result = runCli(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(says), result.err.constData());
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY(!fs::exists(native("o")));
}

void TestCliSave::splitsAndMerges() {
    const auto parts = runCli({"split", in("m.gguf"), in("p"), "--max-tensors", "2", "--json"});
    QCOMPARE(parts.code, 0);
    QCOMPARE(parts.json()["files"].toArray().size(), 3);
    QVERIFY(fs::exists(native("p-00003-of-00003.gguf")));
    QCOMPARE(runCli({"merge", in("p-00002-of-00003.gguf"), in("merged.gguf")}).code, 0);
    QVERIFY(readFile(native("merged.gguf")) == readFile(native("m.gguf")));
    fs::remove(native("p-00001-of-00003.gguf"));
    const auto incomplete = runCli({"merge", in("p-00002-of-00003.gguf"), in("half.gguf")});
    QCOMPARE(incomplete.code, 2);
    QVERIFY2(incomplete.err.contains("p-00001-of-00003.gguf"), incomplete.err.constData()); // the missing shard
    QVERIFY2(!incomplete.err.contains("half.gguf"), incomplete.err.constData());
    QVERIFY(!fs::exists(native("half.gguf")));
}

void TestCliSave::mergesPieces() {
    const FileBytes whole = readFile(native("m.gguf"));
    writeFile(native("c.gguf.part1of2"), whole.substr(0, 100));
    const auto incomplete = runCli({"merge", in("c.gguf.part1of2"), in("joined.gguf")});
    QCOMPARE(incomplete.code, 2);
    QVERIFY2(incomplete.err.contains("c.gguf.part2of2"), incomplete.err.constData());
    QVERIFY(!fs::exists(native("joined.gguf")));
    writeFile(native("c.gguf.part2of2"), whole.substr(100));
    QCOMPARE(runCli({"info", in("c.gguf.part2of2"), "--json"}).json()["format"].toString(), "GGUF");
    const auto joined = runCli({"merge", in("c.gguf.part2of2"), in("joined.gguf"), "--verify", "--json"});
    QCOMPARE(joined.code, 0);
    QCOMPARE(joined.json()["tensor_hash_before"].toString().size(), 64);
    QVERIFY(readFile(native("joined.gguf")) == whole);
    QCOMPARE(runCli({"merge", in("c.gguf.part2of2"), in("joined.gguf")}).code, 2); // exists

    // Names that do not state how many pieces there are: the present ones are no whole model.
    writeFile(native("d.gguf.001"), whole.substr(0, whole.size() / 2));
    writeFile(native("d.gguf.002"), whole.substr(whole.size() / 2, whole.size() / 4));
    const auto cut = runCli({"merge", in("d.gguf.001"), in("d.gguf")});
    QCOMPARE(cut.code, 2);
    QVERIFY2(cut.err.contains("d.gguf.003"), cut.err.constData());
    QVERIFY(!fs::exists(native("d.gguf")));
    writeFile(native("d.gguf.003"), whole.substr(whole.size() / 2 + whole.size() / 4));
    QCOMPARE(runCli({"merge", in("d.gguf.001"), in("d.gguf")}).code, 0);
    QVERIFY(readFile(native("d.gguf")) == whole);
}

void TestCliSave::recovers() {
    const auto none = runCli({"recover", in("m.gguf"), "--json"});
    QCOMPARE(none.code, 0);
    QCOMPARE(none.json()["recovery"].toString(), "not_needed");
    // A file in the middle of a save whose journal is missing or damaged: it is reported, and nothing is written.
    FileBytes bytes = readFile(native("m.gguf"));
    bytes.replace(0, 4, "gufo");
    writeFile(native("half.gguf"), bytes);
    auto result = runCli({"recover", in("half.gguf")});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("half.gguf.gufo-journal"), result.err.constData());
    writeFile(native("half.gguf.gufo-journal"), "GUFOJRNL and nonsense");
    result = runCli({"info", in("half.gguf")});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("damaged"), result.err.constData());
    QCOMPARE(runCli({"recover", in("half.gguf"), "--moved"}).code, 2);
    QVERIFY(readFile(native("half.gguf")) == bytes);
    QVERIFY(fs::exists(native("half.gguf.gufo-journal")));
}

GUFO_TEST(TestCliSave)
#include "tst_cli_save.moc"
