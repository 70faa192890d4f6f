// Single safetensors files: types, names, metadata, and headers that are broken or exceed a bound. Sets of shards and
// the folders they are published in are in tst_safetensors_folders.
#include "container_manifest.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/safetensors/reader.h"
#include "formats/sets/model_folder.h"
#include "model_texts.h"
#include "support/peak_memory.h"
#include "support/safetensors_builder.h"
#include "support/sanitized.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

Result<std::shared_ptr<const Model>> readBytes(std::vector<std::byte> bytes) {
    return safetensors::read(std::make_shared<MemorySource>(std::move(bytes), "test.safetensors"));
}

// A tensor's member of the header.
std::string member(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

// The names that PyTorch has for the types of safetensors.
QString safetensorsName(const QString& torchName) {
    const std::map<QString, QString> names{{"float32", "F32"},
                                           {"float16", "F16"},
                                           {"bfloat16", "BF16"},
                                           {"float64", "F64"},
                                           {"int64", "I64"},
                                           {"int32", "I32"},
                                           {"int16", "I16"},
                                           {"int8", "I8"},
                                           {"uint8", "U8"},
                                           {"uint16", "U16"},
                                           {"uint32", "U32"},
                                           {"bool", "BOOL"},
                                           {"float8_e4m3fn", "F8_E4M3"},
                                           {"float8_e5m2", "F8_E5M2"}};
    return names.at(torchName);
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private slots:
    void publishedFiles_data();
    void publishedFiles();
    void everyType();
    void packedTypes();
    void unknownTypes_data();
    void unknownTypes();
    void metadataAndNames();
    void order();
    void malformed_data();
    void malformed();
    void everyPrefix();
    void limits();
    void cancelled();
    void cannotBeChanged();
};

void TestSafetensors::publishedFiles_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("valid");
    const QJsonObject manifest = containerManifest();
    for (const QString& name : manifest.keys()) {
        if (name.endsWith(QStringLiteral(".safetensors"))) {
            QTest::newRow(qPrintable(name)) << name << manifest[name].isArray();
        }
    }
}

void TestSafetensors::publishedFiles() {
    QFETCH(QString, name);
    QFETCH(bool, valid);
    const auto model = openModel(containerFile(name));
    // The reference implementation refuses a whole file for a data type that it does not know.
    const bool newType = containerManifest()[name].toString().contains(QStringLiteral("unknown variant"));
    QCOMPARE(model.has_value(), valid || newType);
    if (newType) {
        QCOMPARE(placedFindings(**model), QString("unknown_tensor_type a"));
        return;
    }
    if (!valid) {
        QVERIFY(!model.error().file.empty());
        return;
    }
    QCOMPARE(placedFindings(**model), QString());
    QCOMPARE(differenceFromManifest(**model, containerManifest()[name].toArray(), safetensorsName), QString());
    QCOMPARE((*model)->version, 0U);
    QCOMPARE((*model)->files[0].alignment, 0U);
    for (const TensorInfo& tensor : (*model)->tensors) {
        QCOMPARE((*model)->files[0].dataOffset + tensor.declaredOffset, tensor.offset);
    }
}

void TestSafetensors::everyType() {
    SafetensorsBuilder file;
    for (const TensorTypeFact& type : tensorTypes()) {
        if (safetensors::findDataType(type.name) == &type) {
            file.tensor(std::string(type.name), std::string(type.name), {3, 4});
        }
    }
    const auto model = safetensors::read(file.source());
    QVERIFY(model);
    QCOMPARE((*model)->tensors.size(), 22U);
    for (const TensorInfo& tensor : (*model)->tensors) {
        QCOMPARE(tensor.typeName(), std::string(tensor.name));
        QVERIFY(tensor.complete());
        const bool packed = tensor.name.starts_with("F4") || tensor.name.starts_with("F6_") || tensor.name == "C64";
        QCOMPARE((*model)->rowsOf(tensor).has_value(), !packed);
        QCOMPARE((*model)->bytesOf(tensor)->size(), *tensor.bytes);
    }
    QCOMPARE((*model)->typeShares().size(), 22U);
}

// Rows of packed types need not be whole bytes.
void TestSafetensors::packedTypes() {
    const auto model = readBytes(safetensorsBytes("{" + member("four", "F4", "[2,3]", "[0,3]") + "," +
                                                      member("six", "F6_E2M3", "[2,2]", "[3,6]") + "}",
                                                  std::vector<std::byte>(6)));
    QVERIFY(model);
    QCOMPARE(*(*model)->tensors[0].bytes, 3U);
    QCOMPARE(*(*model)->tensors[1].bytes, 3U);
    QCOMPARE((*model)->rowsOf((*model)->tensors[0]).error().code, ErrorCode::NotDecodable);
    QCOMPARE((*model)->bytesOf((*model)->tensors[1])->size(), 3U);
}

void TestSafetensors::unknownTypes_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("name");
    QTest::newRow("a new type") << "F24" << "F24";
    QTest::newRow("a type of GGUF") << "Q4_0" << "Q4_0";
    QTest::newRow("in lower case") << "f32" << "f32";
    QTest::newRow("with an escape") << "F\\u0032" << "F2";
    QTest::newRow("without a name") << "" << "type 4294967295";
}

// A tensor of an unknown type has bytes but no values, and all others are as usual.
void TestSafetensors::unknownTypes() {
    QFETCH(QString, type);
    QFETCH(QString, name);
    const auto model = readBytes(safetensorsBytes("{" + member("new", type.toStdString(), "[5,7]", "[0,3]") + "," +
                                                      member("b", "U8", "[2]", "[3,5]") + "}",
                                                  std::vector<std::byte>(5, std::byte{7})));
    QVERIFY(model);
    const TensorInfo& tensor = (*model)->tensors[0];
    QCOMPARE(QString::fromStdString(tensor.typeName()), name);
    QCOMPARE(*tensor.bytes, 3U);
    QVERIFY(tensor.complete());
    QVERIFY(tensor.type() == nullptr);
    QCOMPARE((*model)->bytesOf(tensor)->size(), 3U);
    QCOMPARE((*model)->rowsOf(tensor).error().code, ErrorCode::NotDecodable);
    QVERIFY((*model)->rowsOf((*model)->tensors[1]));
    QCOMPARE(placedFindings(**model), "unknown_tensor_type new");
}

void TestSafetensors::metadataAndNames() {
    SafetensorsBuilder file;
    file.metadata("format", "pt").metadata("a\\u00e9\\n", "line\\nb \\\"c\\\"").metadata("empty", "");
    file.tensor("layers.0.\\u0077eight", "U8", {2}, {std::byte{1}, std::byte{2}}).tensor("", "I8", {});
    const auto model = safetensors::read(file.source());
    QVERIFY(model);
    QCOMPARE((*model)->metadata.size(), 3U);
    QCOMPARE(textOf(**model, "format"), "pt");
    QCOMPARE(textOf(**model, "a\xc3\xa9\n"), "line\nb \"c\"");
    QCOMPARE(textOf(**model, "empty"), "");
    QVERIFY((*model)->findTensor("layers.0.weight"));
    QCOMPARE(placedFindings(**model), "tensor_name_empty ");
    QCOMPARE(QString::fromStdString((*model)->path().native()), "test.safetensors");
}

// Tensors have the order of the header, whatever the order of their data, and trailing spaces are no error.
void TestSafetensors::order() {
    const std::string header = "{" + member("z", "U8", "[1]", "[3,4]") + "," + member("none", "F32", "[0,7]", "[3,3]") +
                               "," + member("a", "U8", "[3]", "[0,3]") + "}   \n ";
    const auto model = readBytes(safetensorsBytes(header, std::vector<std::byte>(4)));
    QVERIFY(model);
    QCOMPARE((*model)->tensors[0].name, "z");
    QCOMPARE((*model)->tensors[2].name, "a");
    QCOMPARE((*model)->tensors[2].offset, 8 + header.size());
    QCOMPARE((*model)->tensors[1].shape, Shape(std::vector<std::uint64_t>{7, 0}));
    QCOMPARE((*model)->files[0].headerBytes, 8 + header.size());
}

void TestSafetensors::malformed_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("data");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& header, int data, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(header) << data << error;
    };
    const auto one = [](const std::string& type, const std::string& shape, const std::string& offsets) {
        return "{" + member("t", type, shape, offsets) + "}";
    };
    row("not an object", "[1]", 0, "bad_syntax expected key_object");
    row("no JSON", "{", 0, "bad_syntax expected quoted_name");
    row("something after it", "{} {}", 0, "bad_syntax expected end_of_text");
    row("NUL as padding", std::string("{}\0", 3), 0, "bad_syntax expected end_of_text");
    row("not UTF-8", "{\"\xff\":{}}", 0, "bad_syntax expected utf8_string");
    row("too deep", "{\"t\":{\"x\":" + std::string(70, '[') + std::string(70, ']') + "}}", 0, "nesting_too_deep 64");
    row("a tensor that is a list", "{\"t\":[]}", 0, "bad_syntax expected key_object");
    row("no dtype", "{\"t\":{\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "malformed tensor_members_missing");
    row("no shape", "{\"t\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}}", 1, "malformed tensor_members_missing");
    row("no offsets", "{\"t\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, "malformed tensor_members_missing");
    row("two shapes", "{\"t\":{\"shape\":[1],\"shape\":[1]}}", 0, "malformed member_twice");
    row("an unknown type past the end", one("F24", "[1]", "[0,3]"), 2, "truncated tensor 3 2");
    row("a gap after an unknown type",
        "{" + member("a", "F24", "[1]", "[0,3]") + "," + member("b", "U8", "[1]", "[4,5]") + "}", 5,
        "malformed gap_before");
    row("an unknown type without shape", "{\"t\":{\"dtype\":\"F24\",\"data_offsets\":[0,1]}}", 1,
        "malformed tensor_members_missing");
    row("a number as type", "{\"t\":{\"dtype\":1}}", 0, "bad_syntax expected type_name");
    row("a fraction as dimension", one("U8", "[1.5]", "[0,1]"), 1, "bad_syntax expected whole_number");
    row("a leading zero", one("U8", "[01]", "[0,1]"), 1, "bad_syntax expected number");
    row("a comma at the end", one("U8", "[1,]", "[0,1]"), 1, "bad_syntax expected value");
    row("a shape without end", "{\"t\":{\"dtype\":\"U8\",\"shape\":[1", 0, "bad_syntax expected comma_or_bracket");
    row("a negative dimension", one("U8", "[-1]", "[0,1]"), 1, "bad_syntax expected whole_number");
    row("a dimension of 2^64", one("U8", "[18446744073709551616]", "[0,1]"), 1, "bad_syntax expected whole_number");
    row("an exponent", one("U8", "[1e0]", "[0,1]"), 1, "bad_syntax expected whole_number");
    row("nine dimensions", one("U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), 1, "too_many_dimensions 9 8");
    row("weights that overflow", one("U8", "[4294967296,4294967296]", "[0,0]"), 0, "malformed size_not_whole_bytes");
    row("bytes that overflow", one("F64", "[4611686018427387904]", "[0,0]"), 0, "malformed size_not_whole_bytes");
    row("half a byte", one("F4", "[3]", "[0,1]"), 1, "malformed size_not_whole_bytes");
    row("too few bytes", one("F32", "[2]", "[0,4]"), 4, "malformed size_differs 4 8");
    row("one offset", one("U8", "[1]", "[0]"), 1, "bad_syntax expected whole_number");
    row("three offsets", one("U8", "[1]", "[0,1,2]"), 1, "bad_syntax expected comma_or_bracket");
    row("an end before the beginning", one("U8", "[0]", "[1,0]"), 1, "malformed range_reversed");
    row("past the end", one("U8", "[9]", "[0,9]"), 5, "truncated tensor 9 5");
    row("far past the end", one("U8", "[18446744073709551615]", "[0,18446744073709551615]"), 5,
        "malformed size_not_whole_bytes");
    row("bytes after the tensors", one("U8", "[1]", "[0,1]"), 4, "malformed bytes_after_tensors 3");
    row("bytes without tensors", "{}", 4, "malformed bytes_after_tensors 4");
    row("a gap at the start", one("U8", "[1]", "[1,2]"), 2, "malformed gap_before");
    row("a gap between", "{" + member("a", "U8", "[1]", "[0,1]") + "," + member("b", "U8", "[1]", "[2,3]") + "}", 3,
        "malformed gap_before");
    row("an overlap", "{" + member("a", "U8", "[2]", "[0,2]") + "," + member("b", "U8", "[2]", "[1,3]") + "}", 3,
        "malformed tensor_overlaps");
    row("the same range", "{" + member("a", "U8", "[2]", "[0,2]") + "," + member("b", "U8", "[2]", "[0,2]") + "}", 2,
        "malformed tensor_overlaps");
    row("a tensor twice", "{" + member("a", "U8", "[1]", "[0,1]") + "," + member("a", "U8", "[1]", "[1,2]") + "}", 2,
        "malformed duplicate_tensor_name");
    row("a tensor twice, one with escapes",
        "{" + member("a", "U8", "[1]", "[0,1]") + "," + member("\\u0061", "U8", "[1]", "[1,2]") + "}", 2,
        "malformed duplicate_tensor_name");
    row("metadata twice", R"({"__metadata__":{},"__metadata__":{}})", 0, "malformed duplicate_key_name");
    row("a key twice", R"({"__metadata__":{"a":"1","a":"2"}})", 0, "malformed duplicate_key_name");
    row("metadata of a number", R"({"__metadata__":{"a":1}})", 0, "malformed metadata_not_text");
    row("metadata of null", R"({"__metadata__":null})", 0, "bad_syntax expected key_object");
}

void TestSafetensors::malformed() {
    QFETCH(QByteArray, header);
    QFETCH(int, data);
    QFETCH(QString, error);
    const auto model = readBytes(safetensorsBytes(header.toStdString(), std::vector<std::byte>(data)));
    QVERIFY(!model);
    const QString found = errorOf(model.error());
    QVERIFY2(found.startsWith(error), qPrintable(found));
    QCOMPARE(model.error().file, fs::path("test.safetensors"));
}

// A file that ends anywhere is refused, and never read beyond its end.
void TestSafetensors::everyPrefix() {
    SafetensorsBuilder file;
    file.metadata("format", "pt").tensor("a.weight", "F32", {2, 3}).tensor("b", "BOOL", {5}).tensor("c", "I64", {});
    const auto whole = file.build();
    QVERIFY(readBytes(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto begin = whole.begin();
        const auto model = readBytes({begin, begin + static_cast<std::ptrdiff_t>(size)});
        QVERIFY(!model);
        QCOMPARE(model.error().code, ErrorCode::Truncated);
    }
}

void TestSafetensors::limits() {
    std::vector<std::byte> long1(16);
    store<std::uint64_t>(long1.data(), safetensors::kMaxHeader + 1);
    QCOMPARE(readBytes(long1).error().code, ErrorCode::LimitExceeded);
    store<std::uint64_t>(long1.data(), ~std::uint64_t{0});
    QCOMPARE(readBytes(long1).error().code, ErrorCode::LimitExceeded);
    store<std::uint64_t>(long1.data(), safetensors::kMaxHeader);
    QCOMPARE(readBytes(long1).error().code, ErrorCode::Truncated);

    // The longest possible header, mostly reserved space.
    const std::string header = "{}" + std::string(safetensors::kMaxHeader - 2, ' ');
    const std::vector<std::byte> bytes = safetensorsBytes(header);
    const auto longest = std::make_shared<MemorySource>(bytes, "long.safetensors");
    const std::uint64_t memory = peakMemoryOf([&] { QVERIFY(safetensors::read(longest)); });
    QVERIFY2(kSanitized || memory < 4'000'000, qPrintable(QString::number(memory)));

    // One whose only text is as long as it may be.
    const std::string text = R"({"__metadata__":{"a":")" + std::string(safetensors::kMaxHeader - 25, 'x') + "\"}}";
    const auto long2 = std::make_shared<MemorySource>(safetensorsBytes(text), "text.safetensors");
    const std::uint64_t textMemory = peakMemoryOf([&] { QVERIFY(safetensors::read(long2)); });
    QVERIFY2(kSanitized || textMemory < 256'000'000, qPrintable(QString::number(textMemory)));

    std::string many = "{";
    for (int i = 0; i <= 262'144; ++i) {
        many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    }
    const auto source = std::make_shared<MemorySource>(safetensorsBytes(many + "}"), "many.safetensors");
    Result<std::shared_ptr<const Model>> model = fail(ErrorCode::Cancelled);
    const std::uint64_t tensorMemory = peakMemoryOf([&] { model = safetensors::read(source); });
    QCOMPARE(model.error().code, ErrorCode::LimitExceeded);
    QVERIFY2(kSanitized || tensorMemory < 160'000'000, qPrintable(QString::number(tensorMemory)));
}

void TestSafetensors::cancelled() {
    SafetensorsBuilder file;
    file.tensor("a", "U8", {1});
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(safetensors::read(file.source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    file.write(root / "model.safetensors");
    QCOMPARE(readModelFolder(root, {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

void TestSafetensors::cannotBeChanged() {
    SafetensorsBuilder file;
    file.metadata("format", "pt").tensor("a", "U8", {1});
    const auto model = readModel(file.source());
    QVERIFY(model);
    QCOMPARE(containerFormat(**model), "safetensors");
    QCOMPARE(containerName(**model), "safetensors");
    for (const Capability capability : {Capability::EditTensors, Capability::Convert, Capability::Run}) {
        QCOMPARE(requireCapability(**model, capability).error().code, ErrorCode::FormatReadOnly);
    }
}

GUFO_TEST(TestSafetensors)
#include "tst_safetensors.moc"
