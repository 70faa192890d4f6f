// What the writer writes, the reader reads back without findings.
#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/writer.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/finding_code.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::test;

namespace {

Shape shapeOf(std::vector<std::uint64_t> dims) { return Shape(dims); }

// Writes the whole file; tensor i is filled with the byte i + 1 and passed in two pieces.
Result<std::vector<std::byte>> bytesOf(const gguf::Writer& writer, const std::vector<std::uint64_t>& sizes) {
    std::vector<std::byte> file;
    const auto written = writer.write(
        [&](Bytes bytes) -> Result<> {
            file.insert(file.end(), bytes.begin(), bytes.end());
            return {};
        },
        [&](std::size_t i, const gguf::Sink& out) -> Result<> {
            const std::vector<std::byte> data(sizes[i], static_cast<std::byte>(i + 1));
            const auto half = out(Bytes(data).first(data.size() / 2));
            return half ? out(Bytes(data).subspan(data.size() / 2)) : half;
        });
    return written ? Result<std::vector<std::byte>>(file) : std::unexpected(written.error());
}

} // namespace

class TestGgufWriter : public QObject {
    Q_OBJECT

private slots:
    void writesWhatItWasGiven_data();
    void writesWhatItWasGiven();
    void convertsFromEveryLayout_data();
    void convertsFromEveryLayout();
    void refusesWhatRuntimesRefuse();
    void refusesTheWrongNumberOfBytes();
    void stopsWhenCancelled();
    void stopsAtTheErrorOfTheSink();
};

void TestGgufWriter::writesWhatItWasGiven_data() {
    QTest::addColumn<bool>("big");
    QTest::addColumn<quint32>("alignment");
    QTest::newRow("little-endian") << false << 32U;
    QTest::newRow("big-endian") << true << 32U;
    QTest::newRow("alignment 8") << false << 8U;
    QTest::newRow("alignment 4096") << true << 4096U;
}

void TestGgufWriter::writesWhatItWasGiven() {
    QFETCH(bool, big);
    QFETCH(quint32, alignment);
    gguf::Writer writer(big ? ByteOrder::Big : ByteOrder::Little);
    QVERIFY(writer.add("general.architecture", std::string_view("llama")));
    QVERIFY(writer.addTensor("first", kF32, shapeOf({3}), 12)); // the alignment may be added after tensors
    if (alignment != 32) {
        QVERIFY(writer.add("general.alignment", alignment));
    }
    ArrayBuilder words(ValueType::String);
    words.add(std::string_view("one"));
    words.add(std::string_view(""));
    QVERIFY(writer.add("a.words", words.view()));
    QVERIFY(writer.add("a.flag", BoolValue{1}));
    QVERIFY(writer.addTensor("strange", 4711, shapeOf({5, 2}), 33));
    QVERIFY(writer.addTensor("none", kF32, shapeOf({0, 4}), 0));
    QVERIFY(writer.addTensor("last", kF32, shapeOf({2, 2, 2}), 32));
    const auto file = bytesOf(writer, {12, 33, 0, 32});
    QVERIFY(file);
    QCOMPARE(file->size(), writer.fileBytes());

    const auto read = gguf::read(std::make_shared<MemorySource>(*file));
    QVERIFY(read);
    const Model& model = **read;
    QCOMPARE(model.findings.size(), 2U); // both about the unknown type
    QCOMPARE(model.findings[0].code, FindingCode::UnknownTensorType);
    QCOMPARE(model.findings[1].code, FindingCode::SizeDerived);
    QCOMPARE(model.byteOrder == ByteOrder::Big, big);
    QCOMPARE(model.files[0].alignment, alignment);
    QCOMPARE(arrayHead(*model.metadata.array("a.words"), 9).size(), 2U);
    QCOMPARE(model.metadata.boolean("a.flag"), true);
    QCOMPARE(model.tensors[3].shape.dims().size(), 3U);
    QCOMPARE((*model.bytesOf(model.tensors[1]))[32], std::byte{2});
    QCOMPARE((*model.bytesOf(model.tensors[3]))[31], std::byte{4});
    QCOMPARE(writer.offsets()[3], model.tensors[3].declaredOffset);
}

void TestGgufWriter::convertsFromEveryLayout_data() {
    QTest::addColumn<int>("version"); // 0: the draft of version 1
    QTest::addColumn<bool>("fromBig");
    QTest::addColumn<bool>("toBig");
    for (const int version : {0, 1, 2, 3}) {
        for (const bool fromBig : {false, true}) {
            for (const bool toBig : {false, true}) {
                if (version != 0 || !fromBig) {
                    QTest::addRow("%d %s to %s", version, fromBig ? "big" : "little", toBig ? "big" : "little")
                        << version << fromBig << toBig;
                }
            }
        }
    }
}

void TestGgufWriter::convertsFromEveryLayout() {
    QFETCH(int, version);
    QFETCH(bool, fromBig);
    QFETCH(bool, toBig);
    GgufBuilder file =
        version == 0 ? GgufBuilder::draft()
                     : GgufBuilder(static_cast<std::uint32_t>(version), fromBig ? ByteOrder::Big : ByteOrder::Little);
    file.key("a.u32", std::uint32_t{7}).key("a.text", "hello").key("a.bytes", std::vector<std::uint8_t>{1, 2, 3});
    file.key("a.floats", std::vector<float>{1.5F, -2.0F});
    file.key("a.nested", std::vector<std::vector<std::string>>{{"x", "yy"}, {}, {"z"}});
    const auto from = gguf::read(file.source());
    QVERIFY(from);
    gguf::Writer writer(toBig ? ByteOrder::Big : ByteOrder::Little);
    for (const KeyValue& entry : (*from)->metadata) {
        QVERIFY(writer.add(entry.key, entry.value));
    }
    const auto bytes = bytesOf(writer, {});
    QVERIFY(bytes);
    GgufBuilder same(3, toBig ? ByteOrder::Big : ByteOrder::Little);
    same.key("a.u32", std::uint32_t{7}).key("a.text", "hello").key("a.bytes", std::vector<std::uint8_t>{1, 2, 3});
    same.key("a.floats", std::vector<float>{1.5F, -2.0F});
    same.key("a.nested", std::vector<std::vector<std::string>>{{"x", "yy"}, {}, {"z"}});
    QVERIFY(*bytes == same.build());
}

void TestGgufWriter::refusesWhatRuntimesRefuse() {
    gguf::Writer writer;
    const auto code = [](const Result<>& result) { return result ? ErrorCode::Cancelled : result.error().code; };
    QVERIFY(writer.add("a.b", std::uint32_t{1}));
    QCOMPARE(code(writer.add("a.b", std::uint32_t{2})), ErrorCode::InvalidArgument);
    QCOMPARE(code(writer.add("", std::uint32_t{2})), ErrorCode::InvalidArgument);
    QCOMPARE(code(writer.add("general.alignment", std::uint32_t{24})), ErrorCode::InvalidArgument);
    QCOMPARE(code(writer.add("general.alignment", std::uint32_t{4})), ErrorCode::InvalidArgument);
    QCOMPARE(code(writer.add("general.alignment", std::uint64_t{32})), ErrorCode::InvalidArgument);
    const ArrayView damaged{.elementType = ValueType::String, .length = 5, .layout = {.order = ByteOrder::Big}};
    QCOMPARE(code(writer.add("a.damaged", damaged)), ErrorCode::InvalidArgument);
    QVERIFY(writer.addTensor("t", kF32, shapeOf({1}), 4));
    QCOMPARE(code(writer.addTensor("t", kF32, shapeOf({1}), 4)), ErrorCode::InvalidArgument);
    QCOMPARE(code(writer.addTensor("", kF32, shapeOf({1}), 4)), ErrorCode::InvalidArgument);
    QCOMPARE(code(writer.addTensor("u", kF32, shapeOf({1}), ~std::uint64_t{0})), ErrorCode::InvalidArgument);
    const auto file = bytesOf(writer, {4});
    QVERIFY(file);
    const auto read = gguf::read(std::make_shared<MemorySource>(*file));
    QVERIFY(read);
    QCOMPARE((*read)->metadata.size(), 1U);
    QCOMPARE((*read)->tensors.size(), 1U);
    QVERIFY((*read)->findings.empty());
}

void TestGgufWriter::refusesTheWrongNumberOfBytes() {
    gguf::Writer writer;
    QVERIFY(writer.addTensor("t", kF32, shapeOf({2}), 8));
    QCOMPARE(bytesOf(writer, {7}).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(bytesOf(writer, {9}).error().code, ErrorCode::InvalidArgument);
    QVERIFY(bytesOf(writer, {8}));
}

void TestGgufWriter::stopsWhenCancelled() {
    gguf::Writer writer;
    QVERIFY(writer.addTensor("t", kF32, shapeOf({1U << 20U}), 4U << 20U));
    std::stop_source stop;
    std::uint64_t taken = 0;
    const std::vector<std::byte> piece(4096);
    const auto written = writer.write(
        [&](Bytes bytes) -> Result<> {
            taken += bytes.size();
            if (taken > 100'000) {
                stop.request_stop();
            }
            return {};
        },
        [&](std::size_t, const gguf::Sink& out) -> Result<> {
            for (int i = 0; i < 1024; ++i) {
                if (auto passed = out(piece); !passed) {
                    return passed;
                }
            }
            return {};
        },
        {.stop = stop.get_token()});
    QCOMPARE(written.error().code, ErrorCode::Cancelled);
    QVERIFY(taken < 110'000);
}

void TestGgufWriter::stopsAtTheErrorOfTheSink() {
    gguf::Writer writer;
    QVERIFY(writer.addTensor("t", kF32, shapeOf({1}), 4));
    const auto written = writer.write([](Bytes) -> Result<> { return fail(ErrorCode::WriteFailed); },
                                      [](std::size_t, const gguf::Sink&) -> Result<> { return {}; });
    QCOMPARE(written.error().code, ErrorCode::WriteFailed);
}

GUFO_TEST(TestGgufWriter)
#include "tst_gguf_writer.moc"
