// gufo-cli bytes: where to begin, what is printed, and wrong use.
#include "cli_runner.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

namespace {

const QString kMappedModel = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");

} // namespace

class TestCliBytes : public QObject {
    Q_OBJECT

private slots:
    void json() {
        const auto got = runCli({"bytes", kMappedModel, "--length", "70", "--json"});
        QVERIFY2(got.code == 0, got.err.constData());
        const QJsonObject answer = got.json();
        QCOMPARE(answer["offset"].toInteger(), 0);
        QCOMPARE(answer["bytes"].toString().toLatin1(), contentOf(kMappedModel).left(70).toHex());
        const QJsonArray fields = answer["fields"].toArray();
        qint64 at = 0;
        for (const QJsonValue& field : fields) {
            QCOMPARE(field["offset"].toInteger(), at);
            at += field["length"].toInteger();
        }
        QVERIFY(at >= 70);
        QCOMPARE(fields[0]["name"].toString(), QStringLiteral("magic"));
        QCOMPARE(fields[0]["value"].toString(), QStringLiteral("GGUF"));
        QCOMPARE(fields[1]["value"].toInteger(), 3);
        QCOMPARE(fields[4]["name"].toString(), QStringLiteral("key_length"));
    }

    void aKey() {
        const auto got = runCli({"bytes", kMappedModel, "--key", "llama.block_count", "--json"});
        QVERIFY2(got.code == 0, got.err.constData());
        const auto stated = runCli({"get", kMappedModel, "llama.block_count"});
        bool found = false;
        for (const QJsonValue& field : got.json()["fields"].toArray()) {
            if (field["name"] == QStringLiteral("value") && field["of"] == QStringLiteral("llama.block_count")) {
                QCOMPARE(QByteArray::number(field["value"].toInteger()), stated.out.trimmed());
                found = true;
            }
        }
        QVERIFY(found);
    }

    void aTensor() {
        const auto info = runCli({"info", kMappedModel, "--json"});
        const QJsonObject tensor = byName(info.json()["tensors"].toArray(), "name", "blk.0.attn_q.weight");
        const auto got = runCli({"bytes", kMappedModel, "--tensor", "blk.0.attn_q.weight", "--length", "5", "--json"});
        QVERIFY2(got.code == 0, got.err.constData());
        QCOMPARE(got.json()["offset"].toInteger(), tensor["file_offset"].toInteger());
        const QJsonArray fields = got.json()["fields"].toArray();
        QCOMPARE(fields.size(), 4); // the scale and three codes
        QCOMPARE(fields[0]["of"].toString(), QStringLiteral("blk.0.attn_q.weight/d"));
        QVERIFY(fields[0]["value"].isDouble());
        QCOMPARE(fields[3]["bits"].toArray()[0].toObject()["mask"].toInteger(), 255);
        QCOMPARE(fields[3]["bits"].toArray()[0].toObject()["index"].toInteger(), 2);
    }

    void text() {
        const auto got = runCli({"bytes", kMappedModel, "--at", "0x4", "--length", "4"});
        QVERIFY2(got.code == 0, got.err.constData());
        QVERIFY2(got.out.contains("version") && got.out.contains("03 00 00 00") && !got.out.contains("magic"),
                 got.out.constData());
    }

    void aDamagedFile() {
        QTemporaryDir folder;
        const QString cut = folder.filePath("cut.gguf");
        QFile file(cut);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(contentOf(kMappedModel).left(1000)) == 1000);
        file.close();
        QVERIFY(runCli({"info", cut}).code == 2);
        const auto got = runCli({"bytes", cut, "--length", "1000", "--json"});
        QVERIFY2(got.code == 0, got.err.constData());
        const QJsonArray fields = got.json()["fields"].toArray();
        QCOMPARE(fields.last()["name"].toString(), QStringLiteral("damage"));
        QVERIFY(fields.last()["offset"].toInteger() > 500);
        const QJsonArray damages = got.json()["damages"].toArray();
        QCOMPARE(damages.size(), 1);
        QCOMPARE(damages[0]["offset"], fields.last()["offset"]);
        QVERIFY(!damages[0]["message"].toString().isEmpty());
        QCOMPARE(fields.last()["damage"], damages[0]["message"]);
        const auto text = runCli({"bytes", cut, "--length", "10"});
        QVERIFY2(text.out.contains("Damage at byte "), text.out.constData());
        QVERIFY(!runCli({"bytes", kMappedModel, "--length", "10"}).out.contains("Damage"));
    }

    void refusals_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no such file") << QStringList{"none.gguf"} << QByteArray("none.gguf");
        QTest::newRow("two places") << QStringList{kMappedModel, "--at", "1", "--key", "x"}
                                    << QByteArray("only one of");
        QTest::newRow("no number") << QStringList{kMappedModel, "--at", "ten"} << QByteArray("\"ten\"");
        QTest::newRow("behind the end") << QStringList{kMappedModel, "--at", "0xFFFFFFFFFF"}
                                        << QByteArray("the file ends at byte");
        QTest::newRow("no such key") << QStringList{kMappedModel, "--key", "x.y"} << QByteArray("no key x.y");
        QTest::newRow("no such tensor") << QStringList{kMappedModel, "--tensor", "x"} << QByteArray("tensor x");
        QTest::newRow("no bytes") << QStringList{kMappedModel, "--length", "0"} << QByteArray("--length");
        QTest::newRow("too many bytes") << QStringList{kMappedModel, "--length", "1048577"} << QByteArray("--length");
    }

    void refusals() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, words);
        const auto got = runCli(QStringList{"bytes"} + arguments);
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains(words), got.err.constData());
    }
};

GUFO_TEST(TestCliBytes)
#include "tst_cli_bytes.moc"
