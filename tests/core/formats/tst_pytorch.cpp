// PyTorch checkpoints: the tensors and keys of archives and streams of pickles, views of storages, lists of shards.
// Checkpoints that would run code are in tst_pytorch_code; broken ones, and those beyond a bound, in
// tst_pytorch_faults.
#include "container_manifest.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/pytorch/reader.h"
#include "model_texts.h"
#include "pytorch_pickles.h"
#include "support/error_names.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::test::pickles;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

class TestPytorch : public QObject {
    Q_OBJECT

private slots:
    void publishedFiles_data();
    void publishedFiles();
    void views_data();
    void views();
    void repetitionsAreNotRead();
    void picklesWithoutTensors_data();
    void picklesWithoutTensors();
    void keys();
    void tensorsThatAreNotThere_data();
    void tensorsThatAreNotThere();
    void sharedValues();
    void listsThatGrow();
    void largeArchive();
    void shardList();
    void listsThatLeadElsewhere();
    void cancelled();
};

void TestPytorch::publishedFiles_data() {
    QTest::addColumn<QString>("name");
    const QJsonObject manifest = containerManifest();
    for (const QString& name : manifest.keys()) {
        if (!name.endsWith(QStringLiteral(".safetensors")) && manifest[name].isArray()) {
            QTest::newRow(qPrintable(name)) << name;
        }
    }
}

void TestPytorch::publishedFiles() {
    QFETCH(QString, name);
    const auto model = openModel(containerFile(name));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(
        differenceFromManifest(**model, containerManifest()[name].toArray(), [](const QString& type) { return type; }),
        QString());
    QCOMPARE(findingsWithFirstArgument(**model), QString());
    QCOMPARE(text(containerFormat(**model)), "pytorch");
    QVERIFY(capabilitiesOf(**model).empty());
    QVERIFY(textsOf(**model, "pickle.globals.allowed")
                .contains(name == QStringLiteral("tar.pt") ? "torch.Tensor" : "torch._utils._rebuild_tensor_v2"));
}

void TestPytorch::views_data() {
    QTest::addColumn<QByteArray>("opcodes");
    QTest::addColumn<bool>("inOrder");
    QTest::addColumn<QList<float>>("values");
    const auto row = [](const char* name, const std::string& opcodes, bool inOrder, const QList<float>& values) {
        QTest::newRow(name) << QByteArray::fromStdString(opcodes) << inOrder << values;
    };
    row("whole", tensor("0", 0, {2, 3}, {3, 1}), true, {0, 1, 2, 3, 4, 5});
    row("offset", tensor("0", 3, {3}, {1}), true, {3, 4, 5});
    row("transposed", tensor("0", 0, {3, 2}, {1, 3}), false, {0, 3, 1, 4, 2, 5});
    row("column", tensor("0", 1, {2}, {3}), false, {1, 4});
    row("repeated", tensor("0", 5, {2, 2}, {0, 0}), false, {5, 5, 5, 5});
    row("scalar", tensor("0", 4, {}, {}), true, {4});
    row("empty", tensor("0", 0, {0, 3}, {3, 1}), true, {});
    row("stride of a dimension of one", tensor("0", 0, {1, 3}, {77, 1}), true, {0, 1, 2});
}

void TestPytorch::views() {
    QFETCH(QByteArray, opcodes);
    QFETCH(bool, inOrder);
    QFETCH(QList<float>, values);
    const auto model = readPickle(dictOf(opcodes.toStdString()));
    QVERIFY(model);
    QCOMPARE(findingsWithFirstArgument(**model), QString());
    const TensorInfo& info = (*model)->tensors[0];
    QCOMPARE(info.name, "t");
    QCOMPARE(QString::fromStdString(info.typeName()), "float32");
    QCOMPARE(info.strides == nullptr, inOrder);
    QVERIFY(info.complete());
    QCOMPARE(valuesOf(**model, "t"), std::vector<float>(values.begin(), values.end()));
}

void TestPytorch::repetitionsAreNotRead() {
    const auto model = readPickle(dictOf(tensor("0", 0, {1048576, 1048576}, {0, 0})));
    QVERIFY(model);
    const TensorInfo& info = (*model)->tensors[0];
    QCOMPARE(info.weights(), std::uint64_t{1} << 40U);
    QCOMPARE(info.bytesPresent, 0U);
    const auto rows = (*model)->rowsOf(info);
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::LimitExceeded);
    QCOMPARE(rows.error().place, Place::tensor("t"));
}

void TestPytorch::picklesWithoutTensors_data() {
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("finding");
    const auto row = [](const char* name, const std::string& opcodes, const char* finding) {
        QTest::newRow(name) << QByteArray::fromStdString("\x80\x02" + opcodes + ".") << finding;
    };
    row("an integer", number(3), "pickle_without_tensors pickled_number");
    row("a text", shortText("owl"), "pickle_without_tensors pickled_text");
    row("nothing", "N", "pickle_without_tensors pickled_object");
    row("an empty dictionary", "}", "pickle_without_tensors pickled_values 0");
    row("numbers", tuple({1, 2, 3}), "pickle_without_tensors pickled_values 3");
    row("a dictionary of keys", "}" + shortText("epoch") + number(3) + "s", "pickle_without_tensors pickled_values 1");
    row("a tensor", "}" + shortText("t") + tensor("0", 0, {2}, {1}) + "s", "");
}

void TestPytorch::picklesWithoutTensors() {
    QFETCH(const QByteArray, pickle);
    QFETCH(const QString, finding);
    const auto model = readPickle(pickle.toStdString());
    QVERIFY(model);
    QCOMPARE(findingsWithFirstArgument(**model), finding);
    const auto bare = pytorch::readBare(bareFile(pickle.toStdString()));
    QVERIFY(bare);
    if (!finding.isEmpty()) { // a bare pickle has no storages
        QCOMPARE(findingsWithFirstArgument(**bare), finding);
    }
}

void TestPytorch::keys() {
    const auto model =
        readPickle("\x80\x04\x95\0\0\0\0\0\0\0\0}("s + shortText("epoch") + number(3) + shortText("loss") +
                   "G\x3f\xe0\0\0\0\0\0\0"s + shortText("on") + "\x88" + shortText("name") + shortText("owl") +
                   shortText("list") + "](" + number(7) + number(8) + "e" + shortText("none") + "Nu.");
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    const Metadata& metadata = (*model)->metadata;
    QCOMPARE(metadata.integer("epoch"), 3);
    QCOMPARE(metadata.number("loss"), 0.5);
    QCOMPARE(metadata.boolean("on"), true);
    QCOMPARE(text(metadata.string("name").value_or("")), "owl");
    QCOMPARE(metadata.integer("list.1"), 8);
    QCOMPARE(metadata.size(), 6U);
}

void TestPytorch::tensorsThatAreNotThere_data() {
    QTest::addColumn<QByteArray>("opcodes");
    QTest::addColumn<QString>("finding");
    QTest::addColumn<int>("tensors");
    const auto row = [](const char* name, const std::string& opcodes, const char* finding, int tensors) {
        QTest::newRow(name) << QByteArray::fromStdString(opcodes) << finding << tensors;
    };
    row("no such storage", tensor("9", 0, {2}, {1}), "storage_missing 9", 1);
    row("a key that is a path", tensor("../data/0", 0, {2}, {1}), "storage_missing ../data/0", 1);
    row("a key of a folder", tensor("..", 0, {2}, {1}), "storage_missing ..", 1);
    row("past the storage", tensor("0", 0, {7}, {1}), "tensor_outside_storage 28", 1);
    row("an offset outside", tensor("0", 6, {1}, {1}), "tensor_outside_storage 28", 1);
    row("strides outside", tensor("0", 0, {2, 2}, {5, 1}), "tensor_outside_storage 28", 1);
    row("a large stride", tensor("0", 0, {2}, {2147483647}), "tensor_outside_storage 8589934592", 1);
    row("one number as 2^40 weights", tensor("0", 0, {1048576, 1048576}, {0, 0}), "tensor_expanded 1099511627776", 1);
    row("rows that are all the same", tensor("0", 0, {1048576, 6}, {0, 1}), "tensor_expanded 6291456", 1);
    row("windows that overlap", tensor("0", 0, {4096, 2, 4096}, {0, 1, 0}), "tensor_expanded 33554432", 1);
    row("a negative offset", tensor("0", -1, {1}, {1}), "tensor_not_understood t", 0);
    row("a negative size", tensor("0", 0, {-1}, {1}), "tensor_not_understood t", 0);
    row("a negative stride", tensor("0", 5, {2}, {-1}), "tensor_not_understood t", 0);
    row("sizes that overflow", tensor("0", 0, {2147483647, 2147483647, 2147483647}, {0, 0, 0}),
        "tensor_not_understood t", 0);
    row("more strides than sizes", tensor("0", 0, {2}, {1, 1}), "tensor_not_understood t", 0);
    row("nine dimensions", tensor("0", 0, std::vector<std::int32_t>(9, 1), std::vector<std::int32_t>(9, 1)),
        "tensor_not_understood t", 0);
    row("a storage of no type", tensor("0", 0, {2}, {1}, "torch\nUntypedStorage\n"), "tensor_not_understood t", 0);
    row("no arguments", "ctorch._utils\n_rebuild_tensor_v2\n)R", "tensor_not_understood t", 0);
    row("arguments of another kind", "ctorch._utils\n_rebuild_tensor_v2\nNR", "tensor_not_understood t", 0);
}

void TestPytorch::tensorsThatAreNotThere() {
    QFETCH(QByteArray, opcodes);
    QFETCH(QString, finding);
    QFETCH(int, tensors);
    const auto model = readPickle(dictOf(opcodes.toStdString()));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingsWithFirstArgument(**model), finding);
    QCOMPARE(static_cast<int>((*model)->tensors.size()), tensors);
    for (const TensorInfo& info : (*model)->tensors) {
        QCOMPARE(info.bytesPresent, 0U);
        QVERIFY(!(*model)->rowsOf(info));
    }
}

// Equal numbers and globals share a node of the pickle; what can be changed must not.
void TestPytorch::sharedValues() {
    const std::string list = "](" + number(5) + number(5) + "e";
    const auto model = readPickle("\x80\x02}(" + shortText("a") + list + shortText("b") + list + shortText("c") + "](" +
                                  shortText("x") + "ea" + "u.");
    QVERIFY(!model); // a list is appended to a text
    const auto lists = readPickle("\x80\x02}(" + shortText("a") + list + number(6) + "a" + shortText("b") + list +
                                  shortText("c") + "ccollections\nOrderedDict\n)R" + shortText("x") + number(5) + "s" +
                                  shortText("d") + "ccollections\nOrderedDict\n)R" + "u.");
    QVERIFY2(lists, qPrintable(lists ? QString() : errorOf(lists.error())));
    const Metadata& metadata = (*lists)->metadata;
    QCOMPARE(metadata.integer("a.1"), 5);
    QCOMPARE(metadata.integer("a.2"), 6);
    QCOMPARE(metadata.integer("b.1"), 5);
    QVERIFY(metadata.find("b.2") == nullptr);
    QCOMPARE(metadata.integer("c.x"), 5);
    QVERIFY(metadata.find("d.x") == nullptr);
    QCOMPARE(textsOf(**lists, "pickle.globals.allowed"), QStringList{"collections.OrderedDict"});
}

// Two lists and a dictionary that grow in turn, item by item and in batches.
void TestPytorch::listsThatGrow() {
    std::string pickle = "\x80\x02}(" + shortText("a") + "]q"s + '\1' + shortText("b") + "]q"s + '\2' + shortText("d") +
                         "}q"s + '\3' + "u";
    for (int i = 0; i < 100; ++i) {
        pickle += "h\1"s + number(i) + "a" + "h\2"s + "(" + number(i) + number(-i) + "e" + "h\3"s +
                  shortText("k" + std::to_string(i)) + number(i) + "s000";
    }
    const auto model = readPickle(pickle + ".");
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    const Metadata& metadata = (*model)->metadata;
    QCOMPARE(metadata.size(), 400U);
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(metadata.integer("a." + std::to_string(i)), i);
        QCOMPARE(metadata.integer("b." + std::to_string(2 * i)), i);
        QCOMPARE(metadata.integer("b." + std::to_string(2 * i + 1)), -i);
        QCOMPARE(metadata.integer("d.k" + std::to_string(i)), i);
    }
}

// The sizes and offsets of large archives are in an extension of the directory.
void TestPytorch::largeArchive() {
    const std::string pickle = dictOf("K\1");
    GgufBytes out;
    const auto entry = [&](const char* magic, std::size_t head) { out.text(magic).zeros(head); };
    entry("PK\3\4", 14);
    out.number(0xFFFFFFFFU).number(0xFFFFFFFFU).number(std::uint16_t{10}).number(std::uint16_t{20}).text("m/data.pkl");
    out.number(std::uint16_t{1}).number(std::uint16_t{16}).number(std::uint64_t{pickle.size()});
    out.number(std::uint64_t{pickle.size()}).text(pickle);
    const std::uint64_t directory = out.bytes.size();
    entry("PK\1\2", 16);
    out.number(0xFFFFFFFFU).number(0xFFFFFFFFU).number(std::uint16_t{10}).number(std::uint16_t{28}).zeros(10);
    out.number(0xFFFFFFFFU).text("m/data.pkl").number(std::uint16_t{1}).number(std::uint16_t{24});
    out.number(std::uint64_t{pickle.size()}).number(std::uint64_t{pickle.size()}).number(std::uint64_t{0});
    const std::uint64_t end = out.bytes.size();
    out.text("PK\6\6").zeros(20).number(std::uint64_t{1}).number(std::uint64_t{1}).number(end - directory);
    out.number(directory).text("PK\6\7").zeros(4).number(end).zeros(4);
    out.text("PK\5\6").zeros(4).number(0xFFFFFFFFU).number(0xFFFFFFFFU).number(0xFFFFFFFFU).zeros(2);
    const auto model = pytorch::readZip(std::make_shared<MemorySource>(out.bytes, "test.pt"));
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE((*model)->metadata.integer("t"), 1);
}

void TestPytorch::shardList() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    ZipBuilder first;
    first.entry("m/data.pkl", "\x80\x02}" + shortText("a") + tensor("0", 0, {6}, {1}) + "s.")
        .entry("m/data/0", floats());
    first.write(root / "pytorch_model-00001-of-00002.bin");
    ZipBuilder second;
    second.entry("m/data.pkl", "\x80\x02}" + shortText("b") + tensor("0", 0, {2, 3}, {1, 2}) + "s.");
    second.entry("m/data/0", floats()).write(root / "pytorch_model-00002-of-00002.bin");
    std::ofstream(root / "pytorch_model.bin.index.json")
        << R"({"weight_map": {"a": "pytorch_model-00001-of-00002.bin", "b": "pytorch_model-00002-of-00002.bin"}})";
    std::ofstream(root / "config.json") << R"({"model_type": "llama"})";
    for (const fs::path& path : {root / "pytorch_model.bin.index.json", root}) {
        const auto model = openModel(path);
        QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
        QCOMPARE(findingsWithFirstArgument(**model), QString());
        QCOMPARE((*model)->tensors.size(), 2U);
        QCOMPARE(valuesOf(**model, "b"), (std::vector<float>{0, 2, 4, 1, 3, 5}));
    }
}

// Neither a name nor a link in a list of shards, nor the key of a storage, opens a file outside of the folder.
void TestPytorch::listsThatLeadElsewhere() {
    const QTemporaryDir folder;
    const fs::path outside = folder.path().toStdString();
    const fs::path root = outside / "model";
    fs::create_directories(root);
    const std::string pickle = "\x80\x02}" + shortText("secret") + tensor("0", 0, {6}, {1}) + "s.";
    archive(pickle).write(outside / "secret.bin");
    archive(dictOf(tensor("../../secret.bin", 0, {6}, {1}))).write(root / "here.bin");
    fs::create_symlink("../secret.bin", root / "link.bin");
    for (const std::string& name : {std::string("../secret.bin"), (outside / "secret.bin").native(),
                                    std::string("link.bin"), std::string("./here.bin")}) {
        std::ofstream(root / "pytorch_model.bin.index.json")
            << R"({"weight_map":{"t":"here.bin","secret":")" << name << "\"}}";
        const auto model = openModel(root / "pytorch_model.bin.index.json");
        QVERIFY2(model, name.c_str());
        QVERIFY(!(*model)->findTensor("secret"));
        const QStringList findings = findingsWithFirstArgument(**model).split(u'|');
        QCOMPARE(findings.size(), 2);
        QVERIFY(findings.contains("index_leads_outside " + QString::fromStdString(name)));
        QVERIFY(findings.contains("storage_missing ../../secret.bin"));
    }
}

void TestPytorch::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const std::string pickle = "\x80\x02" + std::string(70'000, 'N') + ".";
    QCOMPARE(pytorch::readZip(archive(pickle).source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestPytorch)
#include "tst_pytorch.moc"
