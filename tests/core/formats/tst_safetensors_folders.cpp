// Sets of safetensors files: shards by their names and by a list, and the folders that models are published in, whose
// other files describe the model.
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/sets/model_folder.h"
#include "model/finding_code.h"
#include "model_texts.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

} // namespace

class TestSafetensorsFolders : public QObject {
    Q_OBJECT

private slots:
    void shardsByName();
    void shardList();
    void badLists_data();
    void badLists();
    void listsThatLeadElsewhere();
    void folder();
    void folderOfTheCache();
    void folderWithDamage();
    void foldersThatAreNoModel();
    void folderOfOneGguf();
    void severalSources_data();
    void severalSources();
    void namedSource();
    void pythonsNumbers();
};

// Opening any shard opens the set.
void TestSafetensorsFolders::shardsByName() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    SafetensorsBuilder().metadata("format", "pt").tensor("a", "F16", {4}).write(root / "m-00001-of-00003.safetensors");
    SafetensorsBuilder()
        .metadata("format", "np")
        .tensor("b", "F16", {4})
        .tensor("a", "F16", {1})
        .write(root / "m-00003-of-00003.safetensors");
    const auto model = openModel(root / "m-00003-of-00003.safetensors");
    QVERIFY(model);
    QCOMPARE((*model)->files.size(), 3U);
    QCOMPARE((*model)->path(), root / "m-00003-of-00003.safetensors");
    QCOMPARE((*model)->tensors.size(), 3U);
    QCOMPARE((*model)->tensors[1].file, FileIndex(2));
    QCOMPARE(textOf(**model, "format"), "pt");
    QCOMPARE(placedFindings(**model),
             "shard_missing m-00002-of-00003.safetensors|shard_keys_differ format|duplicate_tensor_name a");
    QVERIFY((*model)->bytesOf((*model)->tensors[1]));
    QVERIFY(capabilitiesOf(**model).empty());
}

void TestSafetensorsFolders::shardList() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    SafetensorsBuilder().metadata("format", "pt").tensor("a", "U8", {4}).tensor("extra", "U8", {1}).write(root / "two");
    SafetensorsBuilder().tensor("b", "U8", {4}).write(root / "one");
    write(root / "model.safetensors.index.json",
          R"({"metadata":{"total_size":8},"weight_map":{"a":"two","b":"one","gone":"one","c":"absent","a":"two"}})");
    const auto model = openModel(root / "model.safetensors.index.json");
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    QCOMPARE((*model)->path(), root / "model.safetensors.index.json");
    QCOMPARE((*model)->container, "safetensors");
    QCOMPARE((*model)->files.size(), 3U);
    QCOMPARE((*model)->files[2].path, root / "two"); // in the order of their names
    QCOMPARE((*model)->tensors[0].name, "b");
    QCOMPARE((*model)->metadata.integer("index.metadata.total_size"), 8);
    QCOMPARE(textOf(**model, "format"), "pt");
    QVERIFY(!(*model)->metadata.find("index.weight_map"));
    QCOMPARE(placedFindings(**model), "shard_missing absent|index_tensor_missing gone|index_tensor_twice a|"
                                      "index_tensors_unlisted ");
}

void TestSafetensorsFolders::badLists_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    QTest::newRow("no map") << QByteArray(R"({"metadata":{}})") << "malformed";
    QTest::newRow("an empty map") << QByteArray(R"({"weight_map":{}})") << "malformed";
    QTest::newRow("a list") << QByteArray(R"({"weight_map":["a"]})") << "bad_syntax";
    QTest::newRow("a number as name") << QByteArray(R"({"weight_map":{"a":1}})") << "bad_syntax";
    QTest::newRow("cut") << QByteArray(R"({"weight_map":{"a":"one")") << "bad_syntax";
    QTest::newRow("cut within an escape") << QByteArray(R"({"weight_map":{"a\)") << "bad_syntax";
    QTest::newRow("only missing files") << QByteArray(R"({"weight_map":{"a":"one"}})") << "file_not_found";
    QTest::newRow("only itself") << QByteArray(R"({"weight_map":{"a":"model.safetensors.index.json"}})")
                                 << "other_format";
    QTest::newRow("a GGUF file") << QByteArray(R"({"weight_map":{"a":"m.gguf"}})") << "other_format";
    QByteArray many = R"({"weight_map":{)";
    for (int i = 0; i <= 10'000; ++i) {
        many += (i == 0 ? "\"" : ",\"") + QByteArray::number(i) + "\":\"" + QByteArray::number(i) + '"';
    }
    QTest::newRow("too many files") << many + "}}" << "limit_exceeded";
}

void TestSafetensorsFolders::badLists() {
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    write(root / "model.safetensors.index.json", json.toStdString());
    write(root / "m.gguf", "GGUF");
    const auto model = openModel(root / "model.safetensors.index.json");
    QVERIFY(!model);
    QCOMPARE(QString::fromLatin1(errorName(model.error().code).data()), error);
    QVERIFY(!model.error().file.empty());
}

// Whatever a list names, no file outside of its folder is opened.
void TestSafetensorsFolders::listsThatLeadElsewhere() {
    const QTemporaryDir folder;
    const fs::path outside = folder.path().toStdString();
    const fs::path root = outside / "model";
    fs::create_directories(root / "sub");
    SafetensorsBuilder secret;
    secret.tensor("secret", "U8", {1});
    secret.write(outside / "secret");
    secret.write(root / "sub/secret");
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "here");
    fs::create_symlink("../secret", root / "link");
    fs::create_symlink("here", root / "near");
    for (const std::string& name :
         {std::string("../secret"), (outside / "secret").native(), std::string("sub/secret"), std::string(".."),
          std::string("."), std::string(""), std::string("link"), std::string("here\\u0000")}) {
        write(root / "m.index.json", R"({"weight_map":{"a":"here","secret":")" + name + "\"}}");
        const auto model = openModel(root / "m.index.json");
        QVERIFY2(model, name.c_str());
        QVERIFY(!(*model)->findTensor("secret"));
        QVERIFY2(placedFindings(**model).startsWith("index_leads_outside"), qPrintable(placedFindings(**model)));
    }
    write(root / "m.index.json", R"({"weight_map":{"a":"near"}})"); // a link within the folder
    QCOMPARE(placedFindings(**openModel(root / "m.index.json")), QString());
}

// A folder is one document, described by the files beside its weights.
void TestSafetensorsFolders::folder() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    SafetensorsBuilder()
        .metadata("format", "pt")
        .tensor("a", "BF16", {2})
        .write(root / "model-00001-of-00002.safetensors");
    SafetensorsBuilder()
        .metadata("format", "pt")
        .tensor("b", "BF16", {2})
        .write(root / "model-00002-of-00002.safetensors");
    write(
        root / "model.safetensors.index.json",
        R"({"metadata":{"total_size":8},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}})");
    write(root / "config.json", R"({"architectures":["LlamaForCausalLM"],"hidden_size":64,"rms_norm_eps":1e-05,
        "tie_word_embeddings":true,"rope_scaling":{"factor":8.0,"type":null},"torch_dtype":"bfloat16",
        "eos_token_id":[1,2],"mixed":[1,"a"],"scales":[1,2.5],"none":[],"nested":{"a":{"b":{"c":{"d":1}}}},
        "big":18446744073709551615,"huge":1e999,"empty":{}})");
    write(root / "generation_config.json", R"({"temperature":0.6})");
    write(root / "tokenizer.json", "{\"version\": \"1.0\"}");
    write(root / "tokenizer.model", std::string("\x0a\x00\xff", 3));
    write(root / "chat_template.jinja", "{{ messages }}");
    write(root / "README.md",
          "---\nlicense: apache-2.0 # a comment\ntags:\n- chat\n- \"llama: 3\"\nlanguage: [en, 'de']\n"
          "model-index:\n  - name: x\n    results: 1\nextra:\n  gated: true\n  size: 7\n---\n# Title\n");
    const auto opened = openModel(root);
    QVERIFY2(opened, opened ? "" : errorName(opened.error().code).data());
    const Model& model = **opened;
    QCOMPARE(placedFindings(model), QString());
    QCOMPARE(model.path(), root);
    QCOMPARE(model.container, "safetensors");
    QCOMPARE(model.tensors.size(), 2U);
    const Metadata& keys = model.metadata;
    QCOMPARE(textOf(model, "format"), "pt");
    QCOMPARE(keys.integer("index.metadata.total_size"), 8);
    QCOMPARE(keys.array("config.architectures")->length, 1U);
    QCOMPARE(keys.integer("config.hidden_size"), 64);
    QVERIFY(std::holds_alternative<std::int64_t>(*keys.find("config.hidden_size")));
    QCOMPARE(keys.number("config.rms_norm_eps"), 1e-05);
    QCOMPARE(keys.boolean("config.tie_word_embeddings"), true);
    QCOMPARE(keys.number("config.rope_scaling.factor"), 8.0);
    QCOMPARE(textOf(model, "config.rope_scaling.type"), "null");
    QCOMPARE(keys.array("config.eos_token_id")->elementType, ValueType::Int64);
    QCOMPARE(textOf(model, "config.mixed"), "[1,\"a\"]");
    QCOMPARE(keys.array("config.scales")->elementType, ValueType::Float64);
    QCOMPARE(keys.array("config.none")->length, 0U);
    QCOMPARE(textOf(model, "config.nested.a.b.c"), "{\"d\":1}");
    QVERIFY(std::holds_alternative<std::uint64_t>(*keys.find("config.big")));
    QCOMPARE(textOf(model, "config.huge"), "1e999");
    QCOMPARE(textOf(model, "config.empty"), "{}");
    QCOMPARE(keys.number("generation_config.temperature"), 0.6);
    QCOMPARE(textOf(model, "tokenizer.json"), "{\"version\": \"1.0\"}");
    QCOMPARE(keys.array("tokenizer.model")->length, 3U);
    QCOMPARE(keys.array("tokenizer.model")->bytes[2], std::byte{0xFF});
    QCOMPARE(textOf(model, "chat_template.jinja"), "{{ messages }}");
    QCOMPARE(textOf(model, "card.license"), "apache-2.0");
    QCOMPARE(keys.array("card.tags")->length, 2U);
    QCOMPARE(keys.array("card.language")->length, 2U);
    QVERIFY(textOf(model, "card.model-index").contains("results: 1"));
    QCOMPARE(keys.boolean("card.extra.gated"), true);
    QCOMPARE(keys.integer("card.extra.size"), 7);
    QVERIFY(!keys.find("general.architecture")); // no key is renamed
    QCOMPARE(model.companions.size(), 7U);       // the list, and the files that were read
    QVERIFY(isModelFolder(root));
    // The same files without the folder: only what they say themselves.
    QVERIFY(!(*openModel(root / "model-00001-of-00002.safetensors"))->metadata.find("config.hidden_size"));
}

// Folders of the Hugging Face cache consist of links to a store beside them.
void TestSafetensorsFolders::folderOfTheCache() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const fs::path revision = root / "models--a--b/snapshots/0123";
    fs::create_directories(revision);
    fs::create_directories(root / "models--a--b/blobs");
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "models--a--b/blobs/77");
    write(root / "models--a--b/blobs/78", R"({"hidden_size":3})");
    write(root / "config.json", R"({"hidden_size":666})");
    fs::create_symlink("../../blobs/77", revision / "model.safetensors");
    fs::create_symlink("../../blobs/78", revision / "config.json");
    fs::create_symlink("../../../config.json", revision / "generation_config.json");
    const auto model = openModel(revision);
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    QCOMPARE((*model)->tensors.size(), 1U);
    QCOMPARE((*model)->metadata.integer("config.hidden_size"), 3);
    QVERIFY(!(*model)->metadata.find("generation_config.hidden_size"));
    QCOMPARE(placedFindings(**model), "companion_unreadable generation_config.json");
}

void TestSafetensorsFolders::folderWithDamage() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "model.safetensors");
    write(root / "config.json", R"({"a":1,"a":2,"b":)");
    write(root / "generation_config.json", R"({"a":1,"a":2})");
    write(root / "tokenizer_config.json", "");
    std::string many = "{\"0\":{";
    for (int i = 0; i < 100; ++i) {
        many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
    }
    write(root / "special_tokens_map.json", many + "}}");
    write(root / "README.md", "no front matter");
    const auto model = openModel(root);
    QVERIFY(model);
    QCOMPARE(placedFindings(**model), "duplicate_key config.a|companion_unreadable config.json|"
                                      "duplicate_key generation_config.a|companion_unreadable tokenizer_config.json");
    QCOMPARE((*model)->metadata.integer("config.a"), 1);
    QVERIFY(textOf(**model, "special_tokens_map.0").startsWith("{\"0\":0,")); // a table stays whole
}

void TestSafetensorsFolders::foldersThatAreNoModel() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const auto nothing = openModel(root);
    QCOMPARE(nothing.error().code, ErrorCode::NotSupported);
    QCOMPARE(nothing.error().args[0].text(), std::string("no_model_in_folder"));
    QVERIFY(!isModelFolder(root));
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "a.safetensors");
    QVERIFY(openModel(root)); // the only one
    QVERIFY(!isModelFolder(root));
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "b.safetensors");
    QCOMPARE(openModel(root).error().args[0].text(), std::string("several_models 2"));
    write(root / "config.json", "{}");
    QVERIFY(!isModelFolder(root));
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "model.safetensors");
    QVERIFY(isModelFolder(root));
    QCOMPARE(openModel(root / "absent").error().code, ErrorCode::FileNotFound);
}

// A folder of a GGUF file opens as that file. If its subfolders contain models, this is said.
void TestSafetensorsFolders::folderOfOneGguf() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    fs::copy_file(GUFO_TEST_DATA "/architectures/llama.gguf", root / "main.gguf");
    fs::create_directories(root / "images");
    fs::create_directories(root / ".cache");
    write(root / "images/owl.png", "x");
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / ".cache/model.safetensors");
    const auto count = [](const Model& model) {
        return std::ranges::count(model.findings, FindingCode::SubfoldersNotOpened, &Finding::code);
    };
    auto model = openModel(root);
    QVERIFY(model);
    QCOMPARE(count(**model), 0);
    fs::create_directories(root / "original");
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "original/model.safetensors");
    fs::create_directories(root / "quants");
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "quants/a.safetensors");
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "quants/b.safetensors");
    model = openModel(root);
    QVERIFY(model);
    QCOMPARE(count(**model), 1);
    const auto finding = std::ranges::find((*model)->findings, FindingCode::SubfoldersNotOpened, &Finding::code);
    QCOMPARE(finding->args[0].text(), std::string("main.gguf"));
    QCOMPARE(finding->args[1].text(), std::string("2"));
    QCOMPARE(finding->args[2].text(), std::string("original"));
    QCOMPARE(count(**openModel(root / "main.gguf")), 0); // the file itself was meant
}

// A folder with several files of weights: which are used, and that the others are named.
void TestSafetensorsFolders::severalSources_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("used"); // empty: nothing is ignored
    QTest::addColumn<QString>("ignored");
    const auto row = [](const char* name, QStringList files, const char* used, const char* ignored) {
        QTest::newRow(name) << files << QString::fromLatin1(used) << QString::fromLatin1(ignored);
    };
    row("safetensors and a pickle", {"model.safetensors", "pytorch_model.bin"}, "model.safetensors",
        "pytorch_model.bin");
    row("shards and a pickle",
        {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json",
         "pytorch_model.bin"},
        "model-00001-of-00002.safetensors, model-00002-of-00002.safetensors", "pytorch_model.bin");
    row("one file and shards",
        {"model.safetensors", "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
         "model.safetensors.index.json"},
        "model.safetensors", "model-00001-of-00002.safetensors, model-00002-of-00002.safetensors");
    row("two adapters", {"adapter_model.bin", "adapter_model.safetensors"}, "adapter_model.safetensors",
        "adapter_model.bin");
    row("Mistral's own format", {"consolidated.safetensors", "model.safetensors"}, "model.safetensors",
        "consolidated.safetensors");
    row("other names", {"owl.safetensors", "owl.bin"}, "owl.safetensors", "owl.bin");
    row("what training leaves", {"model.safetensors", "training_args.bin", "optimizer.pt", "rng_state_0.pth"}, "", "");
    row("a checkpoint and what training leaves", {"owl.bin", "training_args.bin", "scheduler.pt"}, "", "");
    row("a pointer", {"model.safetensors", "pytorch_model.bin (pointer)"}, "", "");
    row("one file", {"model.safetensors"}, "", "");
    QStringList many{"model.safetensors"};
    for (int i = 1; i <= 40; ++i) {
        many << QStringLiteral("pytorch_model-%1-of-00040.bin").arg(i, 5, 10, QLatin1Char('0'));
    }
    row("many", many, "model.safetensors",
        "pytorch_model-00001-of-00040.bin, pytorch_model-00002-of-00040.bin, pytorch_model-00003-of-00040.bin, "
        "pytorch_model-00004-of-00040.bin, …");
}

void TestSafetensorsFolders::severalSources() {
    QFETCH(QStringList, files);
    QFETCH(QString, used);
    QFETCH(QString, ignored);
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    write(root / "config.json", R"({"hidden_size":3})");
    for (const QString& file : files) {
        const std::string name = file.section(u' ', 0, 0).toStdString();
        if (file.endsWith(QLatin1String("(pointer)"))) {
            write(root / name, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
        } else if (name.ends_with(".safetensors")) {
            SafetensorsBuilder().tensor(name, "U8", {1}).write(root / name);
        } else if (name.ends_with(".json")) {
            write(root / name, R"({"weight_map":{"model-00001-of-00002.safetensors":"model-00001-of-00002.safetensors",
                "model-00002-of-00002.safetensors":"model-00002-of-00002.safetensors"}})");
        } else {
            fs::copy_file(GUFO_TEST_DATA "/convert/llama-bin/source/pytorch_model.bin", root / name);
        }
    }
    const auto model = openModel(root);
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    QCOMPARE((*model)->metadata.integer("config.hidden_size"), 3);
    const auto finding = std::ranges::find((*model)->findings, FindingCode::FolderFilesIgnored, &Finding::code);
    QCOMPARE(finding == (*model)->findings.end(), used.isEmpty());
    if (!used.isEmpty()) {
        QCOMPARE(QString::fromStdString(finding->args[0].text()), used);
        QCOMPARE(QString::fromStdString(finding->args[1].text()), QString::fromUtf8(ignored.toLatin1()));
        QStringList names;
        for (const ModelFile& file : (*model)->files) {
            names << QString::fromStdString(file.path.filename().native());
        }
        QCOMPARE(names.join(QLatin1String(", ")), used);
    }
}

// A file that is named is used, whatever else is there; a shard means its set.
void TestSafetensorsFolders::namedSource() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    write(root / "config.json", R"({"hidden_size":3})");
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "one");
    SafetensorsBuilder().tensor("b", "U8", {1}).write(root / "two");
    write(root / "model.safetensors.index.json", R"({"weight_map":{"a":"one","b":"two"}})");
    fs::copy_file(GUFO_TEST_DATA "/convert/llama-bin/source/pytorch_model.bin", root / "pytorch_model.bin");
    const auto shard = readModelFolder(root, "two");
    QVERIFY(shard);
    QCOMPARE((*shard)->tensors.size(), 2U);
    const auto pickle = readModelFolder(root, "pytorch_model.bin");
    QVERIFY(pickle);
    QVERIFY((*pickle)->tensors.size() > 2U);
    QCOMPARE((*pickle)->metadata.integer("config.hidden_size"), 3);
    QCOMPARE(readModelFolder(root, "absent").error().code, ErrorCode::FileNotFound);
    QCOMPARE(readModelFolder(root, "../two").error().code, ErrorCode::InvalidArgument);
}

// Configurations as Python writes them.
void TestSafetensorsFolders::pythonsNumbers() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    SafetensorsBuilder().tensor("a", "U8", {1}).write(root / "adapter_model.safetensors");
    write(root / "config.json", R"({"limit":Infinity,"lowest":-Infinity,"none":NaN,"range":[0.0,Infinity],)"
                                R"("text":"a\ud83eb","\udd89":1,"mixed":[NaN,"x"]})");
    write(root / "tokenizer_config.json", R"({"model_max_length":Infinity})");
    write(root / "adapter_config.json", R"({"lora_dropout":NaN})");
    const auto opened = openModel(root);
    QVERIFY(opened);
    const Model& model = **opened;
    QCOMPARE(placedFindings(model), QString());
    QCOMPARE(model.metadata.number("config.limit"), HUGE_VAL);
    QCOMPARE(model.metadata.number("config.lowest"), -HUGE_VAL);
    QVERIFY(std::isnan(model.metadata.number("config.none").value_or(0)));
    QCOMPARE(model.metadata.array("config.range")->elementType, ValueType::Float64);
    QCOMPARE(textOf(model, "config.text"), QStringLiteral("a\uFFFDb"));
    QCOMPARE(model.metadata.integer("config.\uFFFD"), 1);
    QCOMPARE(textOf(model, "config.mixed"), QStringLiteral("[NaN,\"x\"]"));
    QCOMPARE(model.metadata.number("tokenizer_config.model_max_length"), HUGE_VAL);
    QVERIFY(std::isnan(model.metadata.number("adapter_config.lora_dropout").value_or(0)));
}

GUFO_TEST(TestSafetensorsFolders)
#include "tst_safetensors_folders.moc"
