// The verb validate of gufo-cli.
#include "cli_model.h"
#include "cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

class TestCliValidate : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void findsNothing() {
        const QString file = path("Synthetic-3M-v1.0-Q4_K_M.gguf");
        QProcess maker;
        maker.start(QStringLiteral(GUFO_MAKE_MODEL), {file, "--shape", "llama-tiny", "--type", "Q4_K_M"});
        QCOMPARE(finish(maker).code, 0);
        for (const QStringList& depth : {QStringList{}, QStringList{"--deep"}}) {
            const CliResult text = runCli(QStringList{"validate", file} + depth);
            QVERIFY2(text.code == 0, text.out.constData());
            QVERIFY2(text.out.contains("Errors: 0, warnings: 0, notes: 0"), text.out.constData());
            const QJsonObject json = runCli(QStringList{"validate", "--json", file} + depth).json();
            QCOMPARE(json["findings"], QJsonArray());
            QCOMPARE(json["errors"], 0);
            QVERIFY(json["checks_passed"].toInt() > 10);
            QCOMPARE(json["checks_not_run"].toArray().contains("weights_finite"), depth.isEmpty());
        }
    }

    void finds() {
        const QString file = path("model.gguf");
        GgufBuilder model;
        model.key("general.architecture", "llama");
        addTensors(model, waves(64 * 20)).write(file.toStdString());
        const CliResult text = runCli({"validate", file});
        QCOMPARE(text.code, 1);
        QVERIFY(text.err.isEmpty());
        QVERIFY2(text.out.contains("  error: "), text.out.constData()); // keys that llama requires are missing
        QVERIFY2(text.out.contains("  warning: tensor strange: "), text.out.constData());
        const CliResult result = runCli({"validate", file, "--json"});
        QCOMPARE(result.code, 1);
        const QJsonObject json = result.json();
        int errors = 0;
        int warnings = 0;
        int notes = 0;
        QString before = "error";
        const QStringList order = {"error", "warning", "note"};
        for (const QJsonValue& finding : json["findings"].toArray()) {
            const QString severity = finding.toObject()["severity"].toString();
            QVERIFY(order.contains(severity) && order.indexOf(before) <= order.indexOf(severity));
            before = severity;
            (severity == "error" ? errors : severity == "warning" ? warnings : notes) += 1;
        }
        QVERIFY(errors > 0 && warnings > 0);
        QCOMPARE(json["errors"], errors);
        QCOMPARE(json["warnings"], warnings);
        QCOMPARE(json["notes"], notes);
        const auto deep = runCli({"validate", file, "--json", "--deep"}).json()["findings"].toArray();
        QVERIFY(deep.size() > json["findings"].toArray().size()); // NaN and infinity in "odd"
    }

    // Each of many tensors that are cut off is listed, but what to do about it is said once.
    void advisesOnce() {
        const QString file = path("cut.gguf");
        QVERIFY(QFile::copy(QStringLiteral(GUFO_TEST_DATA "/architectures/llama.gguf"), file));
        QFile cut(file);
        QVERIFY(cut.setPermissions(QFile::ReadOwner | QFile::WriteOwner) && cut.resize(60'000));
        const QByteArray text = runCli({"validate", file}).out;
        QVERIFY2(text.count("lie past the end of the file") > 10, text.constData());
        QCOMPARE(text.count("The download or copy is incomplete"), 1);
        QVERIFY(text.indexOf("The download or copy is incomplete") > text.lastIndexOf("lie past the end of the file"));
        const auto findings = runCli({"validate", "--json", file}).json()["findings"].toArray();
        QVERIFY(findings.size() > 10);
        for (const QJsonValue& finding : findings) { // programs find it at each
            QVERIFY(finding.toObject().contains("hint"));
        }
    }
};

GUFO_TEST(TestCliValidate)
#include "tst_cli_validate.moc"
