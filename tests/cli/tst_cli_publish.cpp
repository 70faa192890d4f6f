// What is done with a model before others get it: validate --publish, report, export with set --import, and keys that
// follow the architecture.
#include "cli_runner.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo::test;

namespace {

const QString kPublished = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");

QStringList codesIn(const QJsonObject& json) {
    QStringList codes;
    for (const QJsonValue& finding : json[QStringLiteral("findings")].toArray()) {
        codes << finding[QStringLiteral("code")].toString();
    }
    return codes;
}

GgufBuilder tinyProjector(std::uint64_t width) {
    GgufBuilder file;
    file.key("general.architecture", "clip").key("general.type", "mmproj");
    file.key("clip.projector_type", "qwen2vl_merger");
    file.tensor("mm.2.weight", kF32, {16, width});
    return file;
}

GgufBuilder tinyVisionModel() {
    GgufBuilder file;
    file.key("general.architecture", "qwen2vl").key("qwen2vl.embedding_length", std::uint32_t{8});
    file.key("tokenizer.ggml.model", "gpt2").key("tokenizer.ggml.merges", std::vector<std::string>{});
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"<|vision_start|>", "<|vision_end|>"});
    file.tensor("token_embd.weight", kF32, {8, 2});
    return file;
}

} // namespace

class TestCliPublish : public QObject {
    Q_OBJECT

private slots:
    // Every step that the findings offer, until the exit code says that the model is ready.
    void untilItIsReady() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("owl.gguf"));
        QVERIFY(QFile::copy(kPublished, file));
        QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        QCOMPARE(runCli({"set", file, "general.license=apache2", "general.url=example.org/owl",
                         "general.languages=[\"English\"]", "quantize.imatrix.file=/home/owl/texts.gguf"})
                     .code,
                 0);
        const CliResult before = runCli({"validate", file, "--publish", "--json"});
        QCOMPARE(before.code, 1);
        QCOMPARE(before.json()["ready"].toBool(true), false);
        const QStringList found = codesIn(before.json());
        for (const char* code :
             {"licence_spelling", "link_broken", "language_unknown", "imatrix_path", "file_name_suggested"}) {
            QVERIFY2(found.contains(QLatin1String(code)), qPrintable(found.join(u' ')));
        }
        QVERIFY(!codesIn(runCli({"validate", file, "--json"}).json()).contains(u"licence_spelling"));
        const CliResult repaired =
            runCli({"set", file, "--repair", "licence_spelling", "link_broken", "language_unknown", "imatrix_path"});
        QVERIFY2(repaired.code == 0, repaired.err.constData());
        QCOMPARE(runCli({"get", file, "general.license"}).out.trimmed(), QByteArray("apache-2.0"));
        QCOMPARE(runCli({"get", file, "general.url"}).out.trimmed(), QByteArray("https://example.org/owl"));
        QCOMPARE(runCli({"get", file, "general.languages"}).out.trimmed(), QByteArray("en"));
        QCOMPARE(runCli({"get", file, "quantize.imatrix.file"}).out.trimmed(), QByteArray("texts.gguf"));
        const CliResult after = runCli({"validate", file, "--publish", "--json"});
        QVERIFY2(after.json()["ready"].toBool(), after.out.constData());
        QCOMPARE(after.code, 0);
        const QString name = after.json()["suggested_name"].toString();
        QVERIFY2(name.endsWith(QStringLiteral("-Q8_0.gguf")), qPrintable(name));
        const QByteArray text = runCli({"validate", file, "--publish"}).out;
        QVERIFY2(text.contains("Ready to publish.") && text.contains(name.toUtf8()), text.constData());
    }

    void listsTheFilesOfTheFolder() {
        QTemporaryDir folder;
        for (const char* name : {"gufo-sample-1.4M-chat-v1.0-Q8_0.gguf", "gufo-sample-1.4M-chat-v1.0-Q4_K.gguf"}) {
            QVERIFY(QFile::copy(QStringLiteral(GUFO_SAMPLE_DIR "/") + QLatin1String(name),
                                folder.filePath(QLatin1String(name))));
        }
        tinyVisionModel().write(folder.filePath(QStringLiteral("other.gguf")).toStdString());
        const QJsonArray files =
            runCli({"validate", folder.filePath(QStringLiteral("gufo-sample-1.4M-chat-v1.0-Q8_0.gguf")), "--publish",
                    "--json"})
                .json()["files"]
                .toArray();
        QCOMPARE(files.size(), 2); // the model of another kind does not belong to it
        QCOMPARE(files[0]["type"].toString(), QStringLiteral("Q8_0"));
        QCOMPARE(files[1]["name"].toString(), QStringLiteral("gufo-sample-1.4M-chat-v1.0-Q4_K.gguf"));
        for (const QJsonValue& file : files) {
            QVERIFY(file["bytes"].toInteger() > 0 && file["bits_per_weight"].toDouble() > 0);
        }
    }

    void projectorsBesideTheModel_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("withPartner"); // another model that the projector fits
        QTest::addColumn<QString>("code");
        QTest::newRow("fits") << 8 << false << QStringLiteral("projector_beside");
        QTest::newRow("fits none") << 12 << false << QStringLiteral("projector_fits_none");
        QTest::newRow("belongs to another one") << 12 << true << QString();
    }
    void projectorsBesideTheModel() {
        QFETCH(const int, width);
        QFETCH(const bool, withPartner);
        QFETCH(const QString, code);
        QTemporaryDir folder;
        const QString model = folder.filePath(QStringLiteral("model.gguf"));
        tinyVisionModel().write(model.toStdString());
        tinyProjector(static_cast<std::uint64_t>(width)).write(folder.filePath("mmproj.gguf").toStdString());
        if (withPartner) {
            GgufBuilder partner;
            partner.key("general.architecture", "qwen2vl").key("qwen2vl.embedding_length", std::uint32_t{12});
            partner.key("tokenizer.ggml.model", "gpt2").key("tokenizer.ggml.merges", std::vector<std::string>{});
            partner.key("tokenizer.ggml.tokens", std::vector<std::string>{"<|vision_start|>", "<|vision_end|>"});
            partner.tensor("token_embd.weight", kF32, {12, 2});
            partner.write(folder.filePath(QStringLiteral("partner.gguf")).toStdString());
        }
        QStringList found;
        for (const QString& each : codesIn(runCli({"validate", model, "--json"}).json())) {
            if (each.startsWith(QStringLiteral("projector"))) {
                found << each;
            }
        }
        QCOMPARE(found.join(u' '), code);
    }

    void theReportHasNoFolders() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("owl.gguf"));
        QVERIFY(QFile::copy(kPublished, file));
        QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        const QString secret = folder.path() + QStringLiteral("/texts.gguf");
        QCOMPARE(runCli({"set", file, QStringLiteral("general.version=") + secret}).code, 0);
        const CliResult got = runCli({"report", file, "--hash", "--speed"});
        QVERIFY2(got.code == 0, got.err.constData());
        QVERIFY2(!got.out.contains(folder.path().toUtf8()), got.out.constData());
        QVERIFY(got.out.contains("texts.gguf"));
        const QByteArray hash = runCli({"hash", file, "--json"}).json()["file"].toString().toUtf8();
        QVERIFY2(hash.size() == 64 && got.out.contains(hash), hash.constData());
        for (const char* part :
             {"Gufo ", "`owl.gguf`", "GGUF", "`llama`", "| `Q8_0` |", "`blk.*.attn_q.weight`", "`tokenizer.ggml.model`",
              "`tokenizer.chat_template`", "6 `<|end|>`", "tokens/s", "Checks without"}) {
            QVERIFY2(got.out.contains(part), (QByteArray(part) + " in " + got.out).constData());
        }
    }

    void theReportAsJson() {
        const QJsonObject json = runCli({"report", kPublished, "--json"}).json();
        QCOMPARE(json["header_sha256"].toString().size(), 64);
        QVERIFY(json["file_sha256"].isNull() && json["prompt_tps"].isNull());
        QVERIFY(json["report"].toString().contains(QStringLiteral("### ")));
        QVERIFY(json.contains("findings"));
    }

    // Texts of a file cannot become mark-up of the thread.
    void hostileTextsInAReport() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("hostile.gguf"));
        GgufBuilder model;
        model.key("general.architecture", "llama").key("general.name", "x` <img src=y> `|\n# title");
        model.key("llama.`|\nrow", "value");
        model.tensor("blk.0.`<b>|\n# x", kF32, {4, 8}).write(file.toStdString());
        const CliResult got = runCli({"report", file});
        QVERIFY2(got.code == 0, got.err.constData());
        for (const QByteArray& line : got.lines()) {
            QVERIFY2(!line.startsWith("# "), line.constData());
            QVERIFY2(line.count('`') % 2 == 0, line.constData());
        }
    }

    void whatIsExportedCanBeImported() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("copy.gguf"));
        QVERIFY(QFile::copy(kPublished, file));
        QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        const QString out = folder.filePath(QStringLiteral("keys.json"));
        QCOMPARE(runCli({"export", kPublished, "-o", out}).code, 0);
        QCOMPARE(contentOf(out), runCli({"export", kPublished}).out);
        QCOMPARE(runCli({"set", file, "general.name=Other", "--delete", "tokenizer.chat_template"}).code, 0);
        QCOMPARE(runCli({"set", file, "--import", out}).code, 0);
        const auto keys = [](const QString& path) {
            QStringList all;
            for (const QJsonValue& entry : runCli({"info", path, "--json"}).json()["kv"].toArray()) {
                all << QString::fromUtf8(QJsonDocument(entry.toObject()).toJson(QJsonDocument::Compact));
            }
            all.sort();
            return all;
        };
        QCOMPARE(keys(file), keys(kPublished));
        const CliResult some = runCli({"export", kPublished, "general.name", "general.architecture"});
        QCOMPARE(some.json()["metadata"].toArray().size(), 2);
        const CliResult missing = runCli({"export", kPublished, "general.nmae"});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("general.name"), missing.err.constData());
        QCOMPARE(runCli({"export", kPublished, "-o", out}).code, 2); // it exists
    }

    void keysFollowTheArchitecture() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("copy.gguf"));
        QVERIFY(QFile::copy(kPublished, file));
        QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        const CliResult set = runCli({"set", file, "general.architecture=mistral3", "--json"});
        QVERIFY2(set.code == 0, set.err.constData());
        int own = 0;
        for (const QJsonValue& entry : runCli({"info", file, "--json"}).json()["kv"].toArray()) {
            const QString key = entry["key"].toString();
            QVERIFY2(!key.startsWith(QStringLiteral("llama.")), qPrintable(key));
            own += key.startsWith(QStringLiteral("mistral3.")) ? 1 : 0;
        }
        QVERIFY(own > 5);
        // The same by an import, which also sets the new keys.
        const QString keys = folder.filePath(QStringLiteral("keys.json"));
        const QString other = folder.filePath(QStringLiteral("other.gguf"));
        QCOMPARE(runCli({"export", file, "-o", keys}).code, 0);
        const CliResult imported = runCli({"set", kPublished, "-o", other, "--import", keys});
        QVERIFY2(imported.code == 0, imported.err.constData());
        QVERIFY(runCli({"compare", file, other}).out.contains("Metadata: no key differs"));
        QCOMPARE(runCli({"set", file, "general.architecture=llama"}).code, 0);
        QCOMPARE(runCli({"validate", file, "--json"}).json()["errors"].toInt(-1), 0);
    }
};

GUFO_TEST(TestCliPublish)
#include "tst_cli_publish.moc"
