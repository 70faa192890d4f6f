// Metadata and arrays as JSON and CSV: written values are read back bit by bit.
#include "document/document.h"
#include "document/metadata_json.h"
#include "formats/gguf/read/reader.h"
#include "model/encode_value.h"
#include "support/gguf_builder.h"
#include "support/model_maker.h"
#include "support/test_unit.h"

#include <QTest>

#include <array>
#include <bit>
#include <limits>

using namespace gufo;
using namespace gufo::test;

namespace {

using namespace std::string_literals;

template<typename Write>
std::string textOf(const Write& write) {
    std::string text;
    const auto result = write([&](Bytes bytes) -> Result<> {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    return result ? text : "error " + std::string(errorName(result.error().code));
}

std::string exported(const Model& model, const std::vector<std::string>& keys = {}) {
    return textOf([&](const ByteSink& sink) { return writeMetadataJson(model, keys, sink); });
}

template<typename T>
OwnedValue arrayOf(ValueType type, const std::vector<T>& elements) {
    std::vector<std::byte> bytes;
    for (const T& element : elements) {
        if (!appendValue(bytes, Value(element), {})) {
            qFatal("an element cannot be written");
        }
    }
    return OwnedValue::array(type, elements.size(), std::move(bytes));
}

std::string asText(const OwnedValue& array, ArrayFormat format) {
    return textOf([&](const ByteSink& sink) { return writeArray(*asArray(array.value()), "words", format, sink); });
}

QByteArray errorOf(const Error& error) {
    QByteArray text(errorName(error.code).data(), static_cast<qsizetype>(errorName(error.code).size()));
    for (const Argument& arg : error.args) {
        text += " | " + QByteArray::fromStdString(arg.text());
    }
    return text;
}

} // namespace

class TestMetadataJson : public QObject {
    Q_OBJECT

private slots:
    void keepsEveryValue();
    void exportsChosenKeys();
    void leavesReservedSpaceOut();
    void readsAPlainObject();
    void refuses_data();
    void refuses();
    void importsIntoADocument();
    void keepsArrays_data();
    void keepsArrays();
    void readsForeignCsv();
    void refusesBadCsv();
    void stops();
};

void TestMetadataJson::keepsEveryValue() {
    const std::vector<OwnedValue> values{
        OwnedValue(Value(std::uint8_t{255})),
        OwnedValue(Value(std::int8_t{-128})),
        OwnedValue(Value(std::uint16_t{65535})),
        OwnedValue(Value(std::int16_t{-32768})),
        OwnedValue(Value(std::uint32_t{4'294'967'295})),
        OwnedValue(Value(std::int32_t{-2'147'483'647})),
        OwnedValue(Value(std::numeric_limits<std::uint64_t>::max())),
        OwnedValue(Value(std::numeric_limits<std::int64_t>::min())),
        OwnedValue(Value(0.1F)),
        OwnedValue(Value(-0.0F)),
        OwnedValue(Value(std::numeric_limits<float>::denorm_min())),
        OwnedValue(Value(std::numeric_limits<float>::max())),
        OwnedValue(Value(std::numeric_limits<float>::infinity())),
        OwnedValue(Value(-std::numeric_limits<double>::infinity())),
        OwnedValue(Value(std::numeric_limits<float>::quiet_NaN())),
        OwnedValue(Value(std::bit_cast<float>(0xFFA12345U))),
        OwnedValue(Value(std::bit_cast<double>(0x7FF0000000000001ULL))),
        OwnedValue(Value(0.1)),
        OwnedValue(Value(5e-324)),
        OwnedValue(Value(1e23)),
        OwnedValue(Value(BoolValue{0})),
        OwnedValue(Value(BoolValue{1})),
        OwnedValue(Value(BoolValue{77})),
        OwnedValue::string(""),
        OwnedValue::string("a\0b\n\t\"\\é🦉"s),
        OwnedValue::string("\xFF\xFE no text"),
        OwnedValue::strings(std::vector<std::string>{"", "x", "\x80"}),
        OwnedValue::strings({}),
        arrayOf<float>(ValueType::Float32, {1.5F, std::bit_cast<float>(0x7F800001U), -0.0F}),
        arrayOf<BoolValue>(ValueType::Bool, {{0}, {1}, {2}}),
        arrayOf<std::uint64_t>(ValueType::UInt64, {0, std::numeric_limits<std::uint64_t>::max()}),
    };
    ModelMaker maker("llama");
    std::vector<std::string> names;
    std::vector<OwnedValue> all = values;
    // An array of arrays of arrays, one of them empty.
    const OwnedValue inner = arrayOf<std::int16_t>(ValueType::Int16, {1, -2});
    const OwnedValue empty = arrayOf<double>(ValueType::Float64, {});
    const OwnedValue middle = arrayOf<ArrayView>(ValueType::Array, {*asArray(inner.value()), *asArray(empty.value())});
    all.push_back(arrayOf<ArrayView>(ValueType::Array, {*asArray(middle.value()), *asArray(inner.value())}));
    for (std::size_t i = 0; i < all.size(); ++i) {
        names.push_back("key." + std::to_string(i));
    }
    names[3] = "odd \"key\"";
    names[4] = "\xC3 no text";
    for (std::size_t i = 0; i < all.size(); ++i) {
        maker.value(names[i], all[i].value());
    }
    const auto changes = readMetadataJson(exported(*maker.model()));
    QVERIFY2(changes, changes ? "" : errorOf(changes.error()).data());
    QCOMPARE(changes->size(), all.size() + 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& set = std::get<SetKey>((*changes)[i + 1]);
        QCOMPARE(set.key, names[i]);
        QVERIFY2(set.value == all[i], names[i].c_str());
    }
}

void TestMetadataJson::exportsChosenKeys() {
    ModelMaker maker("llama");
    maker.u32("a", 1).u32("b", 2).u32("c", 3);
    const auto changes = readMetadataJson(exported(*maker.model(), {"c", "a", "none"}));
    QVERIFY(changes);
    QCOMPARE(changes->size(), std::size_t{2});
    QCOMPARE(std::get<SetKey>((*changes)[0]).key, std::string("a"));
    QCOMPARE(std::get<SetKey>((*changes)[1]).key, std::string("c"));
}

// The key belongs to the file; exports of earlier versions contain it.
void TestMetadataJson::leavesReservedSpaceOut() {
    GgufBuilder file;
    file.key("general.name", "n").key("gufo.reserved", std::vector<std::uint8_t>(100)).key("x.y", std::uint32_t{1});
    const auto model = gguf::read(file.source());
    QVERIFY(model);
    const std::string all = exported(**model);
    QVERIFY2(all.find("gufo.reserved") == std::string::npos, all.c_str());
    QVERIFY(all.find("general.name") != std::string::npos && all.find("x.y") != std::string::npos);
    QVERIFY(exported(**model, {"gufo.reserved", "x.y"}).find("gufo.reserved") == std::string::npos);
    const auto changes =
        readMetadataJson(R"({"gufo.reserved": {"type": "u32", "value": 0}, "x.y": {"type": "u32", "value": 2} })");
    QVERIFY2(changes, changes ? "" : errorOf(changes.error()));
    QCOMPARE(changes->size(), std::size_t{1});
    QCOMPARE(std::get<SetKey>(changes->front()).key, std::string("x.y"));
}

void TestMetadataJson::readsAPlainObject() {
    const auto changes = readMetadataJson(
        R"({"general.name": {"value": "Owl", "type": "str"}, "metadata": {"type": "u8", "value": 3},
            "x": {"element_type": "f32", "value": [1, 2.5, "nan"], "type": "arr"}})");
    QVERIFY2(changes, changes ? "" : errorOf(changes.error()).data());
    QCOMPARE(changes->size(), std::size_t{3});
    QVERIFY(std::get<SetKey>((*changes)[0]).value == OwnedValue::string("Owl"));
    QCOMPARE(std::get<SetKey>((*changes)[1]).key, std::string("metadata"));
    QVERIFY(std::get<SetKey>((*changes)[2]).value ==
            arrayOf<float>(ValueType::Float32, {1, 2.5F, std::numeric_limits<float>::quiet_NaN()}));
}

void TestMetadataJson::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char* name, const char* text, const char* error) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(error);
    };
    row("no object", "[]", "bad_syntax | expected key_object | 1 | 1");
    row("bare value", R"({"a": 5})", "bad_syntax | expected typed_object | 1 | 7");
    row("list as version", R"({"file": "x", "version": []})", "bad_syntax | expected typed_object | 1 | 26");
    row("no type", R"({"a": {"value": 5}})", "bad_syntax | expected value_type | 1 | 18");
    row("no value", R"({"a": {"type": "u8"}})", "bad_syntax | expected value | 1 | 20");
    row("unknown type", R"({"a": {"type": "u7", "value": 1}})", "bad_syntax | expected type_name | 1 | 16");
    row("too large", R"({"a": {"type": "u8", "value": 256}})", "bad_syntax | expected value_of_type u8 | 1 | 31");
    row("fraction", R"({"a": {"type": "i32", "value": 1.5}})", "bad_syntax | expected value_of_type i32 | 1 | 32");
    row("text for a number", R"({"a": {"type": "i32", "value": "1"}})",
        "bad_syntax | expected value_of_type i32 | 1 | 32");
    row("number for a bool", R"({"a": {"type": "bool", "value": 1}})",
        "bad_syntax | expected value_of_type bool | 1 | 33");
    row("no elements' type", R"({"a": {"type": "arr", "value": []}})", "bad_syntax | expected element_type | 1 | 34");
    row("wrong element", R"({"a": {"type": "arr", "element_type": "u8", "value": [1, -1]}})",
        "bad_syntax | expected value_of_type u8 | 1 | 58");
    row("wrong length", R"({"a": {"type": "arr", "element_type": "u8", "length": 3, "value": [1]}})",
        "bad_syntax | expected elements_of 3 | 1 | 70");
    row("untyped inner list", R"({"a": {"type": "arr", "element_type": "arr", "value": [[1]]}})",
        "bad_syntax | expected typed_array_object | 1 | 56");
    row("odd hex", R"({"a": {"type": "str", "value": {"hex": "f"}}})",
        "bad_syntax | expected value_of_type str | 1 | 40");
    row("bits of another width", R"({"a": {"type": "f32", "value": {"bits": "7ff0000000000001"}}})",
        "bad_syntax | expected value_of_type f32 | 1 | 41");
    row("unknown member", R"({"metadata": [{"key": "a", "typ": "u8"}]})",
        "bad_syntax | expected entry_member | 1 | 28");
    row("more behind", R"({} {})", "bad_syntax | expected end_of_text | 1 | 4");
}

void TestMetadataJson::refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, error);
    const auto changes = readMetadataJson(text.toStdString());
    QVERIFY(!changes);
    QCOMPARE(errorOf(changes.error()), error);
}

void TestMetadataJson::importsIntoADocument() {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("a", std::vector<std::string>{"x", "y"}).key("b", 2.5);
    const auto model = gguf::read(file.source());
    QVERIFY(model);
    auto changes = readMetadataJson(exported(**model));
    QVERIFY(changes);
    Document document(*model);
    QVERIFY(document.apply(*changes, "Import"));
    QVERIFY(!document.isModified()); // the values were the same before
    ModelMaker maker;
    Document other(maker.u32("c", 1).model());
    QVERIFY(other.apply(*changes, "Import"));
    QCOMPARE(other.current()->metadata.size(), std::size_t{4});
    QVERIFY(OwnedValue::sameValue(*other.current()->metadata.find("a"), *(*model)->metadata.find("a")));
}

void TestMetadataJson::keepsArrays_data() {
    QTest::addColumn<OwnedValue>("array");
    QTest::addColumn<ArrayFormat>("format");
    const auto rows = [](const char* name, const OwnedValue& array) {
        QTest::addRow("%s as JSON", name) << array << ArrayFormat::Json;
        QTest::addRow("%s as CSV", name) << array << ArrayFormat::Csv;
    };
    rows("texts", OwnedValue::strings(std::vector<std::string>{"plain", "", "a,b", "say \"x\"", "two\nlines",
                                                               "two\r\nlines", " ", "words ", "é🦉", "\"", "\r"}));
    rows("floats", arrayOf<float>(ValueType::Float32,
                                  {0.1F, -0.0F, std::numeric_limits<float>::infinity(), 1e-45F, 3.4028235e38F}));
    rows("integers", arrayOf<std::int64_t>(ValueType::Int64, {std::numeric_limits<std::int64_t>::min(), 0, 5}));
    rows("booleans", arrayOf<BoolValue>(ValueType::Bool, {{0}, {1}}));
    rows("none", OwnedValue::strings({}));
}

void TestMetadataJson::keepsArrays() {
    QFETCH(OwnedValue, array);
    QFETCH(ArrayFormat, format);
    const auto back = readArray(asText(array, format), asArray(array.value())->elementType, "words", format);
    QVERIFY2(back, back ? "" : errorOf(back.error()).data());
    QVERIFY2(*back == array, asText(*back, format).c_str());
}

void TestMetadataJson::readsForeignCsv() {
    const auto read = [](std::string_view text, ValueType type) {
        const auto array = readArray(text, type, "words", ArrayFormat::Csv);
        return array ? asText(*array, ArrayFormat::Json) : "error";
    };
    QCOMPARE(read("1\r\n2\r\n3", ValueType::UInt8), "[1, 2, 3]\n"s);
    QCOMPARE(read("score\n1\n-2.5\n\n", ValueType::Float32), "[1, -2.5]\n"s);
    QCOMPARE(read("id,text\n0,a\n1,\"b,c\"\n", ValueType::String), "[\"text\", \"a\", \"b,c\"]\n"s);
    QCOMPARE(read("id,words\n0,a\n", ValueType::String), "[\"a\"]\n"s);
    QCOMPARE(read("\xEF\xBB\xBFwords\na\n", ValueType::String), "[\"a\"]\n"s);
    QCOMPARE(read("", ValueType::String), "[]\n"s);
}

void TestMetadataJson::refusesBadCsv() {
    const auto error = [](std::string_view text, ValueType type) {
        const auto array = readArray(text, type, "words", ArrayFormat::Csv);
        return array ? QByteArray("none") : errorOf(array.error());
    };
    QCOMPARE(error("1\n2\nx\n", ValueType::UInt8), QByteArray("bad_syntax | expected value_of_type u8 | 3 | 1"));
    QCOMPARE(error("a\n\"open\n", ValueType::String), QByteArray("bad_syntax | expected cell_end | 2 | 1"));
    QCOMPARE(error("\"a\"b\n", ValueType::String), QByteArray("bad_syntax | expected cell_end | 1 | 1"));
    QVERIFY(error("1", ValueType::Array).startsWith("not_supported"));
}

void TestMetadataJson::stops() {
    ModelMaker maker("llama");
    const auto model = maker.u32s("a", std::vector<std::uint32_t>(100'000, 7)).model();
    std::stop_source stop;
    stop.request_stop();
    const JobContext job{.stop = stop.get_token()};
    const auto written = writeMetadataJson(*model, {}, [](Bytes) -> Result<> { return {}; }, job);
    QVERIFY(!written);
    QCOMPARE(written.error().code, ErrorCode::Cancelled);
    const auto read = readMetadataJson(exported(*model), job);
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestMetadataJson)
#include "tst_metadata_json.moc"
