// The keys that describe a model, compared with those of the official converter.
#include "convert/general_keys.h"
#include "expected_keys.h"
#include "support/convert_fixtures.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::convert;
using namespace gufo::test;

namespace {

// Written by the helper that knows the architecture and the types of tensors.
bool isOther(const QString& key) {
    return !key.startsWith(QLatin1String("general.")) || key == QLatin1String("general.architecture") ||
           key == QLatin1String("general.file_type") || key == QLatin1String("general.quantization_version");
}

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

QString valueOf(const std::vector<PlannedKey>& keys, const char* key) {
    const auto row = std::ranges::find(keys, key, &PlannedKey::key);
    if (row == keys.end()) {
        return {};
    }
    const QVariant value = jsonOfKey(*row)["value"].toVariant();
    return value.canConvert<QString>() ? value.toString() : value.toStringList().join(QLatin1Char(','));
}

} // namespace

class TestGeneralKeys : public QObject {
    Q_OBJECT

private slots:
    void fixtures();
    void names_data();
    void names();
    void sizeLabels();
    void cardAndConfiguration();
    void brokenSideFiles();
    void folderNames_data();
    void folderNames();
};

void TestGeneralKeys::fixtures() {
    const auto fixtures = convertFixtures();
    QVERIFY(fixtures.size() >= 30);
    for (const ConvertFixture& fixture : fixtures) {
        QJsonArray expected;
        for (const QJsonValue& key : fixture.expected["keys"].toArray()) {
            if (!isOther(key["key"].toString())) {
                expected.append(key);
            }
        }
        GeneralOptions options;
        for (const QJsonValue& tensor : fixture.expected["tensors"].toArray()) {
            std::vector<std::uint64_t> shape;
            for (const QJsonValue& length : tensor["shape"].toArray()) {
                shape.push_back(static_cast<std::uint64_t>(length.toInteger()));
            }
            options.parameters.add(tensor["name"].toString().toStdString(), shape);
        }
        const auto source = SourceFolder::of(fixture.source(), nullptr);
        QVERIFY(source.has_value());
        QJsonArray found;
        for (const PlannedKey& key : planGeneralKeys(*source, options)) {
            found.append(jsonOfKey(key));
        }
        const QString difference = firstDifference(found, expected);
        QVERIFY2(difference.isEmpty(), qPrintable(fixture.name + QStringLiteral(": ") + difference));
    }
}

void TestGeneralKeys::names_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<qulonglong>("parameters");
    QTest::addColumn<QString>("parts"); // organisation|name|base name|fine-tune|version|size
    const auto row = [](const char* id, qulonglong parameters, const char* parts) {
        QTest::addRow("%s %llu", id, parameters) << QString::fromUtf8(id) << parameters << QString::fromUtf8(parts);
    };
    row("mistralai/Mistral-7B-Instruct-v0.2", 7'241'000'000,
        "mistralai|Mistral-7B-Instruct-v0.2|Mistral|Instruct|v0.2|7B");
    row("Mixtral-8x7B-v0.1", 46'700'000'000, "|Mixtral-8x7B-v0.1|Mixtral||v0.1|8x7B");
    row("bloom-7b1", 7'069'000'000, "|bloom-7b1|bloom|||7.1B");
    row("Qwen2.5-0.5b-instruct", 494'000'000, "|Qwen2.5-0.5b-instruct|Qwen2.5|instruct||0.5B");
    row("Model-7B-128K-chat", 7'000'000'000, "|Model-7B-128K-chat|Model|128k-chat||7B");
    row("phi-2", 2'780'000'000, "|phi-2|phi||2|");
    row("Llama-3-8B", 8'030'000'000, "|Llama-3-8B|Llama-3|||8B");
    row("whisper-large-v3", 0, "|whisper-large-v3|whisper||v3|large");
    row("Qwen3-30B-A3B", 30'500'000'000, "|Qwen3-30B-A3B|Qwen3|||30B-A3B");
    row("my model", 0, "|my model||||");
    row("source", 0, "|source||||");
    row("--", 0, "|--||||");
    row("", 0, "|||||");
    row("../v1", 0, "|v1|||v1|");
}

void TestGeneralKeys::names() {
    QFETCH(const QString, id);
    QFETCH(const qulonglong, parameters);
    QFETCH(const QString, parts);
    const NameParts found = namePartsOf(id.toStdString(), parameters);
    const QStringList texts{QString::fromStdString(found.organization), QString::fromStdString(found.name),
                            QString::fromStdString(found.basename),     QString::fromStdString(found.finetune),
                            QString::fromStdString(found.version),      QString::fromStdString(found.sizeLabel)};
    QCOMPARE(texts.join(QLatin1Char('|')), parts);
}

void TestGeneralKeys::sizeLabels() {
    const auto label = [](std::uint64_t weights) {
        ParameterCounts counts;
        counts.add("token_embd.weight", std::vector{weights});
        return QString::fromStdString(sizeLabel(counts));
    };
    QCOMPARE(label(400), QStringLiteral("0.40K"));
    QCOMPARE(label(71'234), QStringLiteral("71K"));
    QCOMPARE(label(1'540'000), QStringLiteral("1.5M"));
    QCOMPARE(label(9'600'000'000), QStringLiteral("10B"));
    QCOMPARE(label(1'200'000'000'000), QStringLiteral("1.2T"));
    ParameterCounts mixture;
    mixture.add("token_embd.weight", std::vector<std::uint64_t>{1'000'000, 1000});
    mixture.add("blk.0.ffn_up_exps.weight", std::vector<std::uint64_t>{1000, 1'000'000, 8});
    mixture.add("blk.0.ffn_up_exps.bias", std::vector<std::uint64_t>{1000, 8});
    QCOMPARE(mixture.total, 9'000'008'000U);
    QCOMPARE(QString::fromStdString(sizeLabel(mixture)), QStringLiteral("8x2.0B"));
}

void TestGeneralKeys::cardAndConfiguration() {
    const QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("README.md")),
          "---\nlicense: [mit, apache-2.0]\nlicense_name: both\nmodel_creator: Somebody\nversion: 1.5\nlanguage: en\n"
          "base_model:\n- https://huggingface.co/some-org/Base-Model-v2\n- https://example.org/other\n- plain\n"
          "pipeline_tag: text-generation\ntags: [a, b]\n---\n");
    write(folder.filePath(QStringLiteral("config.json")), R"({"_name_or_path": "acme/rocket-3B-chat"})");
    write(folder.filePath(QStringLiteral("generation_config.json")),
          R"({"top_k": 40, "temperature": 1, "top_p": "0.9", "mirostat": 99999999999})");
    const auto source = SourceFolder::of(folder.path().toStdString(), nullptr);
    QVERIFY(source.has_value());
    GeneralOptions options;
    options.parameters.add("x", std::vector<std::uint64_t>{3'000'000'000});
    const auto keys = planGeneralKeys(*source, options);
    QCOMPARE(valueOf(keys, "general.name"), QStringLiteral("Rocket 3B Chat"));
    QCOMPARE(valueOf(keys, "general.author"), QStringLiteral("Somebody"));
    QCOMPARE(valueOf(keys, "general.organization"), QStringLiteral("Acme"));
    QCOMPARE(valueOf(keys, "general.version"), QStringLiteral("1.5"));
    QCOMPARE(valueOf(keys, "general.finetune"), QStringLiteral("chat"));
    QCOMPARE(valueOf(keys, "general.size_label"), QStringLiteral("3B"));
    QCOMPARE(valueOf(keys, "general.license"), QStringLiteral("mit,apache-2.0"));
    QCOMPARE(valueOf(keys, "general.license.name"), QStringLiteral("both"));
    QCOMPARE(valueOf(keys, "general.base_model.count"), QStringLiteral("3"));
    QCOMPARE(valueOf(keys, "general.base_model.0.name"), QStringLiteral("Base Model v2"));
    QCOMPARE(valueOf(keys, "general.base_model.0.organization"), QStringLiteral("Some Org"));
    QCOMPARE(valueOf(keys, "general.base_model.0.version"), QStringLiteral("v2"));
    QCOMPARE(valueOf(keys, "general.base_model.0.repo_url"),
             QStringLiteral("https://huggingface.co/some-org/Base-Model-v2"));
    QCOMPARE(valueOf(keys, "general.base_model.1.repo_url"), QStringLiteral("https://example.org/other"));
    QCOMPARE(valueOf(keys, "general.base_model.1.name"), QString());
    QCOMPARE(valueOf(keys, "general.base_model.2.name"), QStringLiteral("Plain"));
    QCOMPARE(valueOf(keys, "general.tags"), QStringLiteral("a,b,text-generation"));
    QCOMPARE(valueOf(keys, "general.languages"), QStringLiteral("en"));
    QCOMPARE(valueOf(keys, "general.sampling.top_k"), QStringLiteral("40"));
    QCOMPARE(valueOf(keys, "general.sampling.temp"), QStringLiteral("1"));
    QCOMPARE(valueOf(keys, "general.sampling.top_p"), QString());
    QCOMPARE(valueOf(keys, "general.sampling.mirostat"), QString());
    options.name = "Own name";
    QCOMPARE(valueOf(planGeneralKeys(*source, options), "general.name"), QStringLiteral("Own name"));
}

void TestGeneralKeys::brokenSideFiles() {
    const QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("README.md")), "---\nlicense: [\n");
    write(folder.filePath(QStringLiteral("generation_config.json")), "{\"top_k\": ");
    const auto source = SourceFolder::of(folder.path().toStdString(), nullptr);
    QVERIFY(source.has_value());
    const auto keys = planGeneralKeys(*source, {.name = "x", .parameters = {}});
    QCOMPARE(valueOf(keys, "general.type"), QStringLiteral("model"));
    QCOMPARE(valueOf(keys, "general.name"), QStringLiteral("x"));
    QCOMPARE(valueOf(keys, "general.sampling.top_k"), QString());
    QCOMPARE(valueOf(keys, "general.size_label"), QString());
}

// A snapshot in a cache is named after the model, not after the commit.
void TestGeneralKeys::folderNames_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("source"); // SourceFolder::name()
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("organization");
    const auto row = [](const char* name, const char* path, const char* source, const char* title, const char* owner) {
        QTest::newRow(name) << QString::fromLatin1(path) << QString::fromLatin1(source) << QString::fromLatin1(title)
                            << QString::fromLatin1(owner);
    };
    row("a folder", "tiny-llama-v2", "tiny-llama-v2", "Tiny Llama v2", "");
    row("a slash at the end", "tiny-llama-v2/", "tiny-llama-v2", "Tiny Llama v2", "");
    row("a snapshot", "models--acme--rocket-3B-chat/snapshots/0123456789abcdef", "acme/rocket-3B-chat",
        "Rocket 3B Chat", "Acme");
    row("a snapshot without an owner", "models--gpt2/snapshots/0123456789abcdef", "gpt2", "Gpt2", "");
    row("a folder named snapshots", "owl/snapshots/one", "one", "One", "");
    row("a data set", "datasets--a--b/snapshots/one", "one", "One", "");
}

void TestGeneralKeys::folderNames() {
    QFETCH(const QString, path);
    QFETCH(const QString, source);
    QFETCH(const QString, name);
    QFETCH(const QString, organization);
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(path));
    const auto opened = SourceFolder::of(folder.filePath(path).toStdString(), nullptr);
    QVERIFY(opened.has_value());
    QCOMPARE(QString::fromStdString(opened->name()), source);
    const auto keys = planGeneralKeys(*opened, {});
    QCOMPARE(valueOf(keys, "general.name"), name);
    QCOMPARE(valueOf(keys, "general.organization"), organization);
}

GUFO_TEST_APPLESS(TestGeneralKeys)
#include "tst_general_keys.moc"
