// ONNX models, which the tests write themselves: tensors, keys, external data, and files that are damaged or lie.
#include "base/protobuf_reader.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/onnx/reader.h"
#include "support/problem_names.h"
#include "support/protobuf_builder.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

namespace {

constexpr std::uint64_t kFloat = 1;
constexpr std::uint64_t kInt64 = 7;
constexpr std::uint64_t kFloat16 = 10;

std::string floats(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

ProtobufBuilder pair(const std::string& key, const std::string& value) {
    return ProtobufBuilder().bytes(1, key).bytes(2, value);
}

ProtobufBuilder tensor(const std::string& name, const std::vector<std::uint64_t>& dims, std::uint64_t type = kFloat) {
    ProtobufBuilder out;
    for (const std::uint64_t dim : dims) {
        out.number(1, dim);
    }
    return out.number(2, type).bytes(8, name);
}

// A model of one graph.
ProtobufBuilder model(const ProtobufBuilder& graph) {
    return ProtobufBuilder()
        .number(1, 8)
        .bytes(2, "gufo")
        .bytes(3, "2.1")
        .message(7, graph)
        .message(8, ProtobufBuilder().bytes(1, "").number(2, 17))
        .message(8, ProtobufBuilder().bytes(1, "ai.onnx.ml").number(2, 3))
        .message(14, pair("author", "owl"));
}
ProtobufBuilder modelOf(const ProtobufBuilder& initialiser) { return model(ProtobufBuilder().message(5, initialiser)); }

std::shared_ptr<const ByteSource> sourceOf(const std::string& bytes, const fs::path& path = "test.onnx") {
    const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
    return std::make_shared<MemorySource>(std::vector<std::byte>(from, from + bytes.size()), path);
}

} // namespace

class TestOnnx : public QObject {
    Q_OBJECT

private slots:
    void keysAndTensors();
    void packedDims();
    void numbersInLists();
    void externalData();
    void externalDataThatLies_data();
    void externalDataThatLies();
    void varints_data();
    void varints();
    void tensorsThatLie_data();
    void tensorsThatLie();
    void damaged_data();
    void damaged();
    void everyPrefix();
    void numbersOfAnyLength();
    void cancelled();
};

void TestOnnx::keysAndTensors() {
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "m.onnx";
    ProtobufBuilder graph;
    graph.message(1, ProtobufBuilder().bytes(4, "Gemm")).message(1, ProtobufBuilder().bytes(4, "Relu"));
    graph.bytes(2, "main").message(5, tensor("w", {2, 3}).bytes(9, floats({0, 1, 2, 3, 4, 5})));
    graph.message(5, tensor("b", {}, kFloat16).bytes(9, "\0\x3c"s)).bytes(10, "a graph");
    graph.message(11, ProtobufBuilder().bytes(1, "x")).message(12, ProtobufBuilder().bytes(1, "y"));
    std::ofstream(path, std::ios::binary) << model(graph).bytes(99, "unknown").out;
    const auto read = openModel(path);
    QVERIFY2(read, qPrintable(read ? QString() : errorOf(read.error())));
    const Model& model = **read;
    QCOMPARE(findingsWithArgument(model), QString());
    QCOMPARE(QString::fromStdString(std::string(containerFormat(model))), "onnx");
    QVERIFY(capabilitiesOf(model).empty());
    QCOMPARE(model.tensors.size(), 2U);
    QCOMPARE(model.tensors[0].shape[0], 3U);
    QCOMPARE(model.tensors[0].shape[1], 2U);
    QCOMPARE(model.tensors[0].typeName(), "FLOAT");
    QCOMPARE(model.tensors[1].shape.count(), 0U);
    QCOMPARE(valuesOf(model, "w"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(valuesOf(model, "b"), (std::vector<float>{1}));
    const Metadata& keys = model.metadata;
    QCOMPARE(keys.integer("ir_version"), 8);
    QCOMPARE(keys.string("producer_name"), "gufo");
    QCOMPARE(keys.string("producer_version"), "2.1");
    QCOMPARE(keys.integer("opset_import.ai.onnx"), 17);
    QCOMPARE(keys.integer("opset_import.ai.onnx.ml"), 3);
    QCOMPARE(keys.string("metadata_props.author"), "owl");
    QCOMPARE(keys.string("graph.name"), "main");
    QCOMPARE(keys.string("graph.doc_string"), "a graph");
    QCOMPARE(keys.integer("graph.nodes"), 2);
    QCOMPARE(keys.array("graph.inputs")->length, 1U);
    QCOMPARE(keys.array("graph.outputs")->length, 1U);
}

void TestOnnx::packedDims() {
    const auto read = onnx::read(sourceOf(modelOf(ProtobufBuilder()
                                                      .bytes(1, "\x02\x03")
                                                      .number(2, kFloat)
                                                      .bytes(8, "w")
                                                      .bytes(9, floats({0, 1, 2, 3, 4, 5})))
                                              .out),
                                 {});
    QVERIFY(read);
    QCOMPARE((*read)->tensors[0].shape[0], 3U);
    QCOMPARE(valuesOf(**read, "w").size(), 6U);
}

void TestOnnx::numbersInLists() {
    ProtobufBuilder graph;
    graph.message(5, tensor("floats", {2}).bytes(4, floats({7, 8})));
    graph.message(5, tensor("integers", {2}, kInt64).bytes(7, "\x01\x02"));
    graph.message(5, tensor("nothing", {0}));
    const auto read = onnx::read(sourceOf(model(graph).out), {});
    QVERIFY(read);
    QCOMPARE(valuesOf(**read, "floats"), (std::vector<float>{7, 8}));
    QCOMPARE(findingsWithArgument(**read), QString());
    QCOMPARE((*read)->tensors[1].bytesPresent, 16U); // decoded from numbers of variable length
    QVERIFY((*read)->tensors[2].complete());
}

void TestOnnx::externalData() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    ProtobufBuilder graph;
    graph.message(5, tensor("a", {2}).number(14, 1).message(13, pair("location", "m.data")));
    graph.message(5, tensor("b", {3})
                         .number(14, 1)
                         .message(13, pair("location", "m.data"))
                         .message(13, pair("offset", "8"))
                         .message(13, pair("length", "12")));
    std::ofstream(root / "m.onnx", std::ios::binary) << model(graph).out;
    std::ofstream(root / "m.data", std::ios::binary) << floats({1, 2, 3, 4, 5});
    const auto read = openModel(root / "m.onnx");
    QVERIFY2(read, qPrintable(read ? QString() : errorOf(read.error())));
    QCOMPARE(findingsWithArgument(**read), QString());
    QCOMPARE((*read)->files.size(), 2U);
    QCOMPARE((*read)->files[1].path, root / "m.data");
    QCOMPARE(valuesOf(**read, "a"), (std::vector<float>{1, 2}));
    QCOMPARE(valuesOf(**read, "b"), (std::vector<float>{3, 4, 5}));
}

void TestOnnx::externalDataThatLies_data() {
    QTest::addColumn<QString>("location");
    QTest::addColumn<QString>("offset");
    QTest::addColumn<QString>("length");
    QTest::addColumn<QString>("finding");
    const auto row = [](const char* name, const char* location, const char* offset, const char* length,
                        const char* finding) {
        QTest::newRow(name) << QString::fromLatin1(location) << QString::fromLatin1(offset)
                            << QString::fromLatin1(length) << QString::fromLatin1(finding);
    };
    row("no such file", "none.data", "0", "8", "storage_missing none.data");
    row("a path that leads up", "../m.data", "0", "8", "index_leads_outside ../m.data|storage_missing ../m.data");
    row("an absolute path", "/etc/passwd", "0", "8", "index_leads_outside /etc/passwd|storage_missing /etc/passwd");
    row("no name", "", "0", "8", "index_leads_outside |storage_missing ");
    row("past the end", "m.data", "16", "8", "tensor_outside_storage 24");
    row("an offset of 2^64 - 1", "m.data", "18446744073709551615", "8", "tensor_outside_storage 8");
    row("an offset that is no number", "m.data", "-8", "8", "tensor_outside_storage 8");
    row("less than the tensor", "m.data", "0", "4", "tensor_outside_storage 8");
}

void TestOnnx::externalDataThatLies() {
    QFETCH(QString, location);
    QFETCH(QString, offset);
    QFETCH(QString, length);
    QFETCH(QString, finding);
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const auto bytes = modelOf(tensor("a", {2})
                                   .number(14, 1)
                                   .message(13, pair("location", location.toStdString()))
                                   .message(13, pair("offset", offset.toStdString()))
                                   .message(13, pair("length", length.toStdString())));
    std::ofstream(root / "m.onnx", std::ios::binary) << bytes.out;
    std::ofstream(root / "m.data", std::ios::binary) << floats({1, 2, 3, 4, 5});
    const auto read = openModel(root / "m.onnx");
    QVERIFY2(read, qPrintable(read ? QString() : errorOf(read.error())));
    QCOMPARE(findingsWithArgument(**read), finding);
    QCOMPARE((*read)->tensors[0].bytesPresent, 0U);
}

void TestOnnx::varints_data() {
    QTest::addColumn<std::uint64_t>("type");
    QTest::addColumn<std::uint32_t>("field");
    QTest::addColumn<QList<std::uint64_t>>("numbers");
    QTest::addColumn<QString>("row");
    QTest::addColumn<QList<float>>("values");
    const auto row = [](const char* name, std::uint64_t type, std::uint32_t field, const QList<std::uint64_t>& numbers,
                        const char* tableRow, const QList<float>& values) {
        QTest::newRow(name) << type << field << numbers << QString::fromLatin1(tableRow) << values;
    };
    const auto negative = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    row("64-bit integers", 7, 7, {0, 1, 300, negative(-5)}, "I64", {0, 1, 300, -5});
    row("32-bit integers", 6, 5, {7, negative(-1), 70'000}, "I32", {7, -1, 70'000});
    row("16-bit integers", 5, 5, {negative(-300), 300}, "I16", {-300, 300});
    row("8-bit integers", 3, 5, {negative(-128), 127}, "I8", {-128, 127});
    row("unsigned bytes", 2, 5, {255, 0, 200}, "U8", {255, 0, 200});
    row("unsigned 16 bits", 4, 5, {65'535}, "U16", {65'535});
    row("unsigned 32 bits", 12, 11, {4'294'967'040}, "U32", {4'294'967'040.0F});
    row("unsigned 64 bits", 13, 11, {std::uint64_t{1} << 40U}, "U64", {1'099'511'627'776.0F});
    row("truth values", 9, 5, {1, 0}, "BOOL", {1, 0});
    row("halves as their bits", 10, 5, {0x3C00, 0xC000}, "F16", {1, -2});
    row("bfloat16 as its bits", 16, 5, {0x3F80, 0xC040}, "BF16", {1, -3});
}

// Two tensors of small numbers as exporters write them, beside one that is stored as bytes.
void TestOnnx::varints() {
    QFETCH(std::uint64_t, type);
    QFETCH(std::uint32_t, field);
    QFETCH(QList<std::uint64_t>, numbers);
    QFETCH(QString, row);
    QFETCH(QList<float>, values);
    std::string list;
    for (const std::uint64_t number : numbers) {
        list += ProtobufBuilder().number(1, number).out.substr(1); // without the tag
    }
    const auto listed = [&](const char* name) {
        return tensor(name, {static_cast<std::uint64_t>(numbers.size())}, type).bytes(field, list);
    };
    const auto read = onnx::read(sourceOf(model(ProtobufBuilder()
                                                    .message(5, listed("a"))
                                                    .message(5, tensor("bytes", {1}).bytes(9, floats({7})))
                                                    .message(5, listed("b")))
                                              .out),
                                 {});
    QVERIFY2(read, qPrintable(read ? QString() : errorOf(read.error())));
    QCOMPARE(findingsWithArgument(**read), QString());
    const std::vector<float> expected(values.begin(), values.end());
    for (const char* name : {"a", "b"}) {
        const TensorInfo& info = (*read)->tensor(*(*read)->findTensor(name));
        QCOMPARE(QString::fromLatin1(info.type()->name.data(), static_cast<qsizetype>(info.type()->name.size())), row);
        QVERIFY((*read)->bytesOf(info).has_value());
        if ((*read)->rowsOf(info)) { // some types can only be shown as bytes
            QCOMPARE(valuesOf(**read, name), expected);
        }
    }
    QCOMPARE(valuesOf(**read, "bytes"), std::vector<float>{7});
}

void TestOnnx::tensorsThatLie_data() {
    QTest::addColumn<ProtobufBuilder>("tensor");
    QTest::addColumn<QString>("finding");
    const auto row = [](const char* name, const ProtobufBuilder& tensor, const char* finding) {
        QTest::newRow(name) << tensor << QString::fromLatin1(finding);
    };
    row("too few bytes", tensor("t", {2}).bytes(9, "1234567"), "tensor_outside_storage 8");
    row("no data", tensor("t", {2}), "storage_missing raw_data");
    row("sizes that overflow", tensor("t", {std::uint64_t{1} << 40U, std::uint64_t{1} << 40U}).bytes(9, "x"),
        "tensor_not_understood t");
    row("a negative size", tensor("t", {~std::uint64_t{0}}).bytes(9, "x"), "tensor_not_understood t");
    row("bytes that overflow", tensor("t", {std::uint64_t{1} << 62U}).bytes(9, "x"), "tensor_not_understood t");
    row("an unknown type", tensor("t", {1}, 1000).bytes(9, "x"), "tensor_not_understood t");
    row("no type", ProtobufBuilder().bytes(8, "t").bytes(9, "x"), "tensor_not_understood t");
    row("texts", tensor("t", {1}, 8).bytes(6, "x"), "tensor_not_understood t");
    row("a list of another type", tensor("t", {1}).bytes(10, std::string(8, '\0')), "storage_missing raw_data");
    row("too few varints", tensor("t", {3}, kInt64).bytes(7, "\1\2"), "tensor_outside_storage 24");
    row("an empty list of varints", tensor("t", {1}, kInt64).bytes(7, ""), "tensor_outside_storage 8");
    row("varints in the list of another type", tensor("t", {1}, kInt64).bytes(5, "\1"), "storage_missing raw_data");
    row("a bomb of varints", tensor("t", {std::uint64_t{1} << 24U}, kInt64).bytes(7, std::string(1U << 24U, '\1')),
        "storage_missing raw_data");
}

void TestOnnx::tensorsThatLie() {
    QFETCH(ProtobufBuilder, tensor);
    QFETCH(QString, finding);
    const auto read = onnx::read(sourceOf(modelOf(tensor).out), {});
    QVERIFY2(read, qPrintable(read ? QString() : errorOf(read.error())));
    QCOMPARE(findingsWithArgument(**read), finding);
    for (const TensorInfo& info : (*read)->tensors) {
        QCOMPARE(info.bytesPresent, 0U);
    }
}

void TestOnnx::damaged_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& bytes, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(error);
    };
    const std::string start = ProtobufBuilder().number(1, 8).bytes(2, "gufo").out;
    row("another format", "GGUF\3\0\0\0"s, "not_a_model 47 47 55 46 03 00 00 00");
    row("no graph", start, "malformed no_graph");
    row("field 0", start + "\0\1"s, "malformed protobuf_damaged");
    row("a group", start + "\x3b", "malformed protobuf_damaged");
    row("wire type 7", start + "\x3f", "malformed protobuf_damaged");
    row("a tag without end", start + std::string(11, '\x80'), "malformed protobuf_damaged");
    row("a number of more than 64 bits", start + "\x28" + std::string(9, '\xff') + "\x02",
        "malformed protobuf_damaged");
    row("a length past the end",
        start + "\x3a\x05"
                "abc",
        "truncated value 5 3");
    row("a length of 2^64 - 1", start + "\x3a" + std::string(9, '\xff') + "\x01",
        "truncated value 18446744073709551615 0");
    row("a message longer than its parent", start + ProtobufBuilder().bytes(7, "\x2a\x09xx").out,
        "truncated value 9 2");
    row("a packed list that is cut off", modelOf(ProtobufBuilder().bytes(1, "\x82")).out, "malformed protobuf_damaged");
    row("nine dimensions", modelOf(tensor("t", std::vector<std::uint64_t>(9, 1))).out, "too_many_dimensions 9 8");
    row("a bomb of dimensions", modelOf(ProtobufBuilder().bytes(1, std::string(1'000'000, '\1'))).out,
        "too_many_dimensions 9 8");
}

void TestOnnx::damaged() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, error);
    const auto read = onnx::read(sourceOf(bytes.toStdString()), {});
    QVERIFY(!read);
    QCOMPARE(errorOf(read.error()), error);
    QCOMPARE(read.error().file, fs::path("test.onnx"));
    QVERIFY(read.error().place.offset.has_value());
}

// A file that was cut off is refused or lacks what follows, and is never read beyond its end.
void TestOnnx::everyPrefix() {
    const std::string whole = modelOf(tensor("w", {2}).bytes(9, floats({1, 2}))).out;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto read = onnx::read(sourceOf(whole.substr(0, size)), {});
        QVERIFY(!read || (*read)->metadata.size() < onnx::read(sourceOf(whole), {}).value()->metadata.size());
    }
}

void TestOnnx::numbersOfAnyLength() {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
        const std::string bytes = ProtobufBuilder().number(536'870'911, value).fixed64(2, value).out;
        const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
        ProtobufReader reader({from, bytes.size()}, {0, bytes.size()});
        const auto first = reader.next().value();
        QVERIFY(first && first->is(536'870'911, ProtobufReader::Wire::Varint));
        QCOMPARE(first->value, value);
        const auto second = reader.next().value();
        QVERIFY(second && second->is(2, ProtobufReader::Wire::Fixed64));
        QCOMPARE(second->value, value);
        QVERIFY(!reader.next().value());
    }
}

void TestOnnx::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    ProtobufBuilder graph;
    for (int i = 0; i < 5'000; ++i) {
        graph.message(1, {});
    }
    QCOMPARE(errorOf(onnx::read(sourceOf(model(graph).out), {.stop = stop.get_token()}).error()), "cancelled");
}

GUFO_TEST(TestOnnx)
#include "tst_onnx.moc"
