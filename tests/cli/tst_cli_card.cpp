// gufo-cli card: the front matter, the table of files, and texts of models that must not become mark-up.
#include "cli_runner.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace gufo::test;

namespace {

const QString kCardModel = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");

GgufBuilder describedModel() {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "Night Owl").key("general.license", "apache2");
    file.key("general.languages", std::vector<std::string>{"en", "no"});
    file.key("general.base_model.count", std::uint32_t{1});
    file.key("general.base_model.0.repo_url", "https://huggingface.co/owl/night");
    file.key("general.tags", std::vector<std::string>{"gguf", "text-generation"});
    file.key("general.sampling.temp", 0.7F);
    file.key("quantize.imatrix.file", "/home/someone/secret/night.imatrix.gguf");
    file.key("llama.context_length", std::uint32_t{2048});
    file.tensor("token_embd.weight", kF16, {4, 8});
    return file;
}

} // namespace

class TestCliCard : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] QString local(const QString& name) const { return m_folder.filePath(name); }

private slots:
    void ofOneFile() {
        const QString model = local("night-owl-F16.gguf");
        describedModel().write(model.toStdString());
        const auto got = runCli({"card", model});
        QVERIFY2(got.code == 0, got.err.constData());
        for (const char* part :
             {"license: apache-2.0\n", "base_model:\n- owl/night\n", "base_model_relation: quantized\n",
              "language:\n- en\n- \"no\"\n", "tags:\n- gguf\n- text-generation\n", "library_name: gguf\n",
              "# Night Owl\n", "| night-owl-F16.gguf | F16 |", "- temperature: 0.7", "night.imatrix.gguf"}) {
            QVERIFY2(got.out.contains(part), (QByteArray(part) + " in " + got.out).constData());
        }
        QVERIFY2(!got.out.contains("/home/") && !got.out.contains(m_folder.path().toUtf8()), got.out.constData());
    }

    void ofAFolder() {
        QTemporaryDir folder;
        for (const char* name : {"gufo-sample-1.4M-chat-v1.0-Q8_0.gguf", "gufo-sample-1.4M-chat-v1.0-Q4_K.gguf"}) {
            QVERIFY(QFile::copy(QStringLiteral(GUFO_SAMPLE_DIR "/") + QLatin1String(name),
                                folder.filePath(QLatin1String(name))));
        }
        QVERIFY(runCli({"split", QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf"),
                        folder.filePath("big"), "--max-tensors", "20"})
                    .code == 0);
        QFile broken(folder.filePath("broken.gguf"));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("GGUF") == 4);
        broken.close();
        const QString out = folder.filePath("README.md");
        const auto got = runCli({"card", folder.path(), "-o", out, "--json"});
        QVERIFY2(got.code == 0, got.err.constData());
        QVERIFY2(got.err.contains("broken.gguf"), got.err.constData());
        const QJsonArray files = got.json()["files"].toArray();
        QCOMPARE(files.size(), 3); // the set counts once
        for (const QJsonValue& file : files) {
            QVERIFY(file["bits_per_weight"].toDouble() > 0);
            QVERIFY(file["memory"].toInteger() > file["bytes"].toInteger() / 2);
        }
        // The figure of all other places, without the program itself.
        const QString name = QStringLiteral("gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");
        const QJsonObject needs = runCli({"memory", folder.filePath(name), "--json"}).json();
        QCOMPARE(byName(files, QStringLiteral("name"), name)["memory"].toInteger(),
                 needs["total"].toInteger() - needs["program"].toInteger());
        QCOMPARE(contentOf(out), got.json()["card"].toString().toUtf8());
        QCOMPARE(got.json()["pictures"].toArray(),
                 (QJsonArray{"README-sizes.svg", "README-blocks.svg", "README-diagram.svg"}));
        QVERIFY(contentOf(out).contains("![Architecture: 3 blocks: attention](README-diagram.svg)"));
        QVERIFY(contentOf(folder.filePath("README-diagram.svg")).contains("<desc>"));
        for (const QJsonValue& picture : got.json()["pictures"].toArray()) {
            QVERIFY(contentOf(out).contains("](" + picture.toString().toUtf8() + ")\n"));
            const QByteArray svg = contentOf(folder.filePath(picture.toString()));
            QXmlStreamReader xml(svg);
            int bars = 0;
            while (!xml.atEnd()) {
                bars +=
                    xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("rect") ? 1 : 0;
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
            QVERIFY2(bars >= files.size(), svg.constData());
        }
        const auto again = runCli({"card", folder.path(), "-o", out});
        QCOMPARE(again.code, 2);
        QVERIFY2(again.err.contains("--force"), again.err.constData());
    }

    // The largest file is the reference; a model of another kind is not measured; `compare` gives the same figures.
    void withDivergences() {
        QTemporaryDir folder;
        for (const char* name : {"gufo-sample-1.4M-chat-v1.0-F16.gguf", "gufo-sample-1.4M-chat-v1.0-Q4_K.gguf"}) {
            QVERIFY(QFile::copy(QStringLiteral(GUFO_SAMPLE_DIR "/") + QLatin1String(name),
                                folder.filePath(QLatin1String(name))));
        }
        describedModel().write(folder.filePath(QStringLiteral("other-F16.gguf")).toStdString());
        const QString text = folder.filePath(QStringLiteral("a|b.txt"));
        const auto write = [&text](const QByteArray& content) {
            QFile file(text);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        };
        write(QByteArray("The owl sees in the dark. ").repeated(120));
        const auto got = runCli({"card", folder.path(), "--kl", text, "--json"});
        QVERIFY2(got.code == 0, got.err.constData());
        const QJsonObject json = got.json();
        QCOMPARE(json["kl_reference"].toString(), QStringLiteral("gufo-sample-1.4M-chat-v1.0-F16.gguf"));
        QCOMPARE(json["kl_text"].toString(), QStringLiteral("a|b.txt"));
        double measured = -1;
        for (const QJsonValue& file : json["files"].toArray()) {
            const bool isOther = file["name"].toString().contains(QStringLiteral("Q4_K"));
            QCOMPARE(file["kl"].isDouble(), isOther);
            measured = isOther ? file["kl"].toDouble() : measured;
        }
        QVERIFY(measured > 0);
        const auto compared = runCli({"compare", folder.filePath("gufo-sample-1.4M-chat-v1.0-F16.gguf"),
                                      folder.filePath("gufo-sample-1.4M-chat-v1.0-Q4_K.gguf"), "--kl", text, "--json"});
        QCOMPARE(compared.json()["totals"][1]["kl"].toDouble(), measured);
        const QString card = json["card"].toString();
        QVERIFY2(card.contains(QStringLiteral("| KL divergence |")) && card.contains(QStringLiteral("| reference |")) &&
                     card.contains(QStringLiteral("on the text a\\|b.txt")),
                 qPrintable(card));
        QVERIFY(!card.contains(folder.path()));
        // Nothing is written where nothing can be measured.
        const auto alone = runCli({"card", kCardModel, "--kl", text, "-o", folder.filePath("alone.md")});
        QCOMPARE(alone.code, 2);
        QVERIFY2(alone.err.contains("the only one"), alone.err.constData());
        QVERIFY(!QFile::exists(folder.filePath("alone.md")));
        write("too short");
        QCOMPARE(runCli({"card", folder.path(), "--kl", text}).code, 2);
    }

    // Texts of the model can neither add members to the front matter nor mark-up to the page.
    void hostileTexts() {
        const std::string hostile = "x\"\nlicense: mit\n---\n<script>alert(1)</script>|[a](b)\n# y\xE2\x80\xA8z";
        GgufBuilder file;
        file.key("general.architecture", "llama").key("general.name", hostile).key("general.license", hostile);
        file.key("general.description", hostile).key("general.quantized_by", hostile);
        file.key("general.tags", std::vector<std::string>{hostile, "null", "1.0", "- a", "a: b", ""});
        file.tensor("token_embd.weight", kF16, {4, 8});
        const QString model = local("hostile.gguf");
        file.write(model.toStdString());
        const auto got = runCli({"card", model});
        QVERIFY2(got.code == 0, got.err.constData());
        const QByteArray page = got.out.mid(got.out.indexOf("\n---\n") + 5);
        QVERIFY2(page.contains("script") && !page.contains("<script>") && !page.contains("[a]("), page.constData());
        const QByteArrayList lines = got.out.split('\n');
        QCOMPARE(lines[0], QByteArray("---"));
        QCOMPARE(lines[1], QByteArray("license: other"));
        QCOMPARE(lines.count("---"), 2);
        QCOMPARE(std::ranges::count_if(lines, [](const QByteArray& line) { return line.startsWith("# "); }), 1);
    }

    void refusals() {
        QTemporaryDir empty;
        const auto none = runCli({"card", empty.path()});
        QCOMPARE(none.code, 2);
        QVERIFY2(!none.err.isEmpty(), none.err.constData());
        QCOMPARE(runCli({"card", local("missing.gguf")}).code, 2);
        const auto self = runCli({"card", kCardModel, "-o", kCardModel, "--force"});
        QCOMPARE(self.code, 2);
    }
};

GUFO_TEST(TestCliCard)
#include "tst_cli_card.moc"
