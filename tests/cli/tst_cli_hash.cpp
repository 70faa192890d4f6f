// gufo-cli hash: digests of a file and its tensors, manifests, and what a check finds.
#include "cli_runner.h"
#include "support/test_unit.h"

#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

namespace {

const QString kHashedModel = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");

QByteArray sha256Of(const QByteArray& bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

} // namespace

class TestCliHash : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] QString local(const QString& name) const { return m_folder.filePath(name); }

private slots:
    void json() {
        const auto got = runCli({"hash", kHashedModel, "--json"});
        QVERIFY2(got.code == 0, got.err.constData());
        const QJsonObject answer = got.json();
        QCOMPARE(answer["file"].toString().toLatin1(), sha256Of(contentOf(kHashedModel)));
        QCOMPARE(answer["files"].toArray().size(), 1);
        QCOMPARE(answer["header"].toString().size(), 64);
        const QJsonArray tensors = answer["tensors"].toArray();
        QVERIFY(tensors.size() > 20);
        const QString raw = local("tensor.raw");
        const QJsonObject tensor = tensors[3].toObject();
        QCOMPARE(runCli({"dump", kHashedModel, tensor["name"].toString(), "-o", raw}).code, 0);
        QCOMPARE(tensor["sha256"].toString().toLatin1(), sha256Of(contentOf(raw)));
        // The weights' digest is the digest of lines that anybody can make.
        QByteArrayList lines;
        for (const QJsonValue& each : tensors) {
            QByteArrayList dims;
            for (const QJsonValue& dim : each["shape"].toArray()) {
                dims << QByteArray::number(dim.toInteger());
            }
            lines << each["name"].toString().toUtf8() + ' ' + each["type"].toString().toUtf8() + ' ' + dims.join('x') +
                         ' ' + each["sha256"].toString().toUtf8() + '\n';
        }
        std::ranges::sort(lines);
        QCOMPARE(answer["weights"].toString().toLatin1(), sha256Of(lines.join()));
    }

    void aManifestIsChecked() {
        const QString manifest = local("m.txt");
        QCOMPARE(runCli({"hash", kHashedModel, "-o", manifest}).code, 0);
        QCOMPARE(contentOf(manifest), runCli({"hash", kHashedModel}).out);
        const auto same = runCli({"hash", kHashedModel, "--check", manifest});
        QVERIFY2(same.code == 0, same.err.constData());
        // Another name of the model changes the file and its header, but no weights.
        const QString renamed = local("renamed.gguf");
        QCOMPARE(runCli({"set", kHashedModel, "general.name=Other", "-o", renamed}).code, 0);
        const auto differs = runCli({"hash", renamed, "--check", manifest, "--json"});
        QCOMPARE(differs.code, 1);
        QVERIFY(!differs.json()["same"].toBool());
        QStringList kinds;
        for (const QJsonValue& each : differs.json()["differences"].toArray()) {
            kinds << each["kind"].toString();
        }
        QCOMPARE(kinds, (QStringList{"file", "header"}));
        // So does another byte order.
        const QString big = local("big.gguf");
        QCOMPARE(runCli({"convert", kHashedModel, big, "--byte-order", "big"}).code, 0);
        const auto swapped = runCli({"hash", big, "--check", manifest});
        QCOMPARE(swapped.code, 1);
        QVERIFY2(!swapped.out.contains("weights") && !swapped.out.contains("tensor"), swapped.out.constData());
    }

    void changedWeightsAreNamed() {
        const QString manifest = local("n.txt");
        QCOMPARE(runCli({"hash", kHashedModel, "-o", manifest}).code, 0);
        QByteArray bytes = contentOf(kHashedModel);
        bytes[bytes.size() - 64] = static_cast<char>(bytes[bytes.size() - 64] ^ 1);
        const QString changed = local("changed.gguf");
        QFile file(changed);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        const auto got = runCli({"hash", changed, "--check", manifest});
        QCOMPARE(got.code, 1);
        QVERIFY2(got.out.contains("the weights: differs"), got.out.constData());
        QVERIFY2(got.out.count("the tensor ") == 1, got.out.constData());
    }

    void shardsHaveTheWeightsOfTheWhole() {
        const QString prefix = local("part");
        QVERIFY(runCli({"split", kHashedModel, prefix, "--max-tensors", "20"}).code == 0);
        const QString first = QDir(m_folder.path()).entryList({"part-00001-of-*.gguf"}).value(0);
        QVERIFY(!first.isEmpty());
        const QJsonObject set = runCli({"hash", local(first), "--json"}).json();
        QVERIFY(set["files"].toArray().size() > 1);
        QCOMPARE(set["weights"], runCli({"hash", kHashedModel, "--json"}).json()["weights"]);
    }

    void refusals_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("words");
        const QString prose = local("prose.txt");
        QFile file(prose);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# only a remark\n");
        file.close();
        QTest::newRow("no file") << QStringList{"hash"} << QByteArray("FILE");
        QTest::newRow("both options") << QStringList{"hash", kHashedModel, "-o", local("x"), "--check", prose}
                                      << QByteArray("exclude each other");
        QTest::newRow("no such manifest")
            << QStringList{"hash", kHashedModel, "--check", local("none")} << QByteArray("no such file");
        QTest::newRow("an empty manifest")
            << QStringList{"hash", kHashedModel, "--check", prose} << QByteArray("no digests");
        QTest::newRow("a model as manifest")
            << QStringList{"hash", kHashedModel, "--check", kHashedModel} << QByteArray("line 1 is not a line");
        QTest::newRow("the model as output") << QStringList{"hash", kHashedModel, "-o", kHashedModel, "--force"}
                                             << QByteArray("gufo-sample-1.4M-chat-v1.0-F16.gguf");
        QTest::newRow("an existing file") << QStringList{"hash", kHashedModel, "-o", prose} << QByteArray("--force");
    }

    void refusals() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, words);
        const QByteArray before = contentOf(kHashedModel);
        const auto got = runCli(arguments);
        QCOMPARE(got.code, 2);
        QVERIFY2(got.err.contains(words), got.err.constData());
        QCOMPARE(contentOf(kHashedModel), before);
    }
};

GUFO_TEST(TestCliHash)
#include "tst_cli_hash.moc"
