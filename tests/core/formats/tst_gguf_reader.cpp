// Reads synthetic files of every version and byte order.
#include "gguf_cases.h"
#include "support/test_unit.h"

#include <ctime>

using namespace gufo;
using namespace gufo::test;
using std::string_view_literals::operator""sv;

class TestGgufReader : public QObject {
    Q_OBJECT

private slots:
    void readsEveryLayout_data();
    void readsEveryLayout();
    void tellsTheDraftFromVersion1_data();
    void tellsTheDraftFromVersion1();
    void readsInsideALargerFile();
    void keepsBothOfTwoEqualKeys();
    void derivesTheSizeOfUnknownTypes();
    void tellsWhatIsPresentOfACutFile();
    void stopsWhenCancelled();
    void takesManyTensorsInAnyOrderQuickly();
    void hasWhatItReadsFetched();
};

void TestGgufReader::readsEveryLayout_data() {
    QTest::addColumn<Build>("build");
    QTest::newRow("v1") << Build([] { return GgufBuilder(1); });
    QTest::newRow("v1 big-endian") << Build([] { return GgufBuilder(1, ByteOrder::Big); });
    QTest::newRow("v1 draft") << Build([] { return GgufBuilder::draft(); });
    QTest::newRow("v2") << Build([] { return GgufBuilder(2); });
    QTest::newRow("v2 big-endian") << Build([] { return GgufBuilder(2, ByteOrder::Big); });
    QTest::newRow("v3") << Build([] { return GgufBuilder(3); });
    QTest::newRow("v3 big-endian") << Build([] { return GgufBuilder(3, ByteOrder::Big); });
}

void TestGgufReader::readsEveryLayout() {
    QFETCH(Build, build);
    GgufBuilder file = build();
    file.key("general.architecture", "llama");
    file.key("a.u8", std::uint8_t{200}).key("a.i8", std::int8_t{-3}).key("a.u16", std::uint16_t{60000});
    file.key("a.i16", std::int16_t{-300}).key("a.u32", std::uint32_t{4000000000}).key("a.i32", std::int32_t{-70000});
    file.key("a.f32", 1.5F).key("a.bool", true).key("a.empty", "");
    if (file.version > 1) {
        file.key("a.u64", kMax).key("a.i64", std::int64_t{-5'000'000'000}).key("a.f64", 0.1);
    }
    file.key("a.words", std::vector<std::string>{"one", "", "three"});
    file.key("a.numbers", std::vector<std::int32_t>{1, -2, 3});
    file.key("a.none", std::vector<std::string>{});
    file.key("a.nested", std::vector<std::vector<std::string>>{{"x", "y"}, {}, {"z"}});
    file.tensor("first", kF32, {4, 2}, filledBytes(32, 7))
        .tensor("second", kQ4_0, {32, 3})
        .tensor("none", kF16, {0, 5});
    file.tensor("scalar", kI8, {});
    const auto read = gguf::read(file.source());
    QVERIFY2(read, read ? "" : errorName(read.error().code).data());
    const Model& model = **read;
    QCOMPARE(model.version, file.version);
    QCOMPARE(model.byteOrder, file.layout.order);
    const Metadata& keys = model.metadata;
    QCOMPARE(keys.architecture(), "llama"sv);
    QCOMPARE(keys.integer("a.u8"), 200);
    QCOMPARE(keys.integer("a.i8"), -3);
    QCOMPARE(keys.integer("a.u16"), 60000);
    QCOMPARE(keys.integer("a.i16"), -300);
    QCOMPARE(keys.integer("a.u32"), 4000000000);
    QCOMPARE(keys.integer("a.i32"), -70000);
    QCOMPARE(keys.number("a.f32"), 1.5);
    QCOMPARE(keys.boolean("a.bool"), true);
    QCOMPARE(keys.string("a.empty"), ""sv);
    if (file.version > 1) {
        QCOMPARE(keys.uint("a.u64"), kMax);
        QCOMPARE(keys.integer("a.i64"), -5'000'000'000);
        QCOMPARE(keys.number("a.f64"), 0.1);
    }
    QCOMPARE(asString(ArrayIndex::build(*keys.array("a.words"))->at(2)), "three"sv);
    QCOMPARE(asInt(arrayHead(*keys.array("a.numbers"), 2)[1]), -2);
    QCOMPARE(keys.array("a.none")->length, 0U);
    const auto nested = ArrayIndex::build(*keys.array("a.nested"));
    QVERIFY(nested);
    QCOMPARE(nested->size(), 3U);
    QCOMPARE(asArray(nested->at(0))->length, 2U);
    QCOMPARE(asString(arrayHead(*asArray(nested->at(2)), 1)[0]), "z"sv);

    QCOMPARE(model.tensors.size(), 4U);
    const TensorInfo& first = model.tensor(*model.findTensor("first"));
    QVERIFY(std::ranges::equal(*model.bytesOf(first), filledBytes(32, 7)));
    QCOMPARE(first.shape[1], 2U);
    QCOMPARE(model.tensor(*model.findTensor("second")).bytes, 54U);
    QCOMPARE(model.tensor(*model.findTensor("none")).bytes, 0U);
    QCOMPARE(model.tensor(*model.findTensor("scalar")).bytes, 1U);
    QCOMPARE(model.files[0].alignment, file.alignment);
    const QString expected = file.isDraft                                              ? "draft_version_1"
                             : file.layout.order == ByteOrder::Big && file.version < 3 ? "big_endian_before_v3"
                                                                                       : "";
    QCOMPARE(joined(namesOfFindings(model.findings)), expected);
}

// Files of version 1 as released, which might be mistaken for the draft.
void TestGgufReader::tellsTheDraftFromVersion1_data() {
    QTest::addColumn<Build>("build");
    QTest::addColumn<bool>("draft");
    QTest::newRow("one number, no tensors") << Build([] {
        GgufBuilder file = GgufBuilder::draft();
        return file.key("llama.num_layers", std::uint32_t{4});
    }) << true;
    QTest::newRow("one string, no tensors") << Build([] {
        GgufBuilder file = GgufBuilder::draft();
        return file.key("general.file_type", "mostly F16");
    }) << true;
    QTest::newRow("no padding after the last key") << Build([] {
        GgufBuilder file = GgufBuilder::draft();
        file.key("llama.attention.num_heads", std::uint32_t{4}).key("tokenizer.embedded.x", "y");
        const auto bytes = file.build();
        const auto last = std::find(bytes.rbegin(), bytes.rend(), std::byte{'y'}); // the text of the last value
        file.cutTo = static_cast<std::uint64_t>(bytes.rend() - last);
        return file;
    }) << true;
    QTest::newRow("version 1 with one number")
        << Build([] { return GgufBuilder(1).key("llama.block_count", std::uint32_t{4}); }) << false;
    QTest::newRow("version 1 with tensors")
        << Build([] { return GgufBuilder(1).key("llama.block_count", std::uint32_t{4}).tensor("t", kF32, {8}); })
        << false;
    QTest::newRow("version 1, cut") << Build([] {
        GgufBuilder file(1);
        file.key("llama.block_count", std::uint32_t{4}).tensor("t", kF32, {8});
        file.cutTo = file.build().size() - 8;
        return file;
    }) << false;
}

void TestGgufReader::tellsTheDraftFromVersion1() {
    QFETCH(Build, build);
    QFETCH(bool, draft);
    const auto read = gguf::read(build().source());
    QVERIFY2(read, read ? "" : errorName(read.error().code).data());
    QCOMPARE((*read)->version, 1U);
    QCOMPARE((*read)->layout.arrayHead == ValueLayout::ArrayHead::LengthFirst, draft);
    QCOMPARE(joined(namesOfFindings((*read)->findings)).contains("draft_version_1"), draft);
}

void TestGgufReader::readsInsideALargerFile() {
    GgufBuilder file = smallGguf();
    file.tensor("t", kF32, {8}, filledBytes(32, 9));
    const auto inner = file.build();
    GgufBytes outer;
    outer.zeros(1001).append(inner).zeros(77);
    const auto whole = std::make_shared<MemorySource>(outer.bytes, "outer.bin");
    const auto read = gguf::read(std::make_shared<SubSource>(whole, ByteRange{1001, inner.size()}));
    QVERIFY(read);
    QVERIFY((*read)->findings.empty());
    QVERIFY(std::ranges::equal(*(*read)->bytesOf((*read)->tensors[0]), filledBytes(32, 9)));
    QCOMPARE((*read)->path(), std::filesystem::path("outer.bin"));
}

void TestGgufReader::keepsBothOfTwoEqualKeys() {
    GgufBuilder file = smallGguf();
    file.key("general.architecture", "second");
    const auto read = gguf::read(file.source());
    QVERIFY(read);
    QCOMPARE((*read)->metadata.size(), 2U);
    QCOMPARE((*read)->metadata.architecture(), "llama"sv);
    QCOMPARE((*read)->findings[0].args[0].text(), std::string("general.architecture"));
}

void TestGgufReader::derivesTheSizeOfUnknownTypes() {
    GgufBuilder file = smallGguf();
    file.tensor("a", 9999, {100}, filledBytes(40, 1))
        .tensor("b", kF32, {8})
        .tensor("c", 9998, {100}, filledBytes(64, 2));
    const auto read = gguf::read(file.source());
    QVERIFY(read);
    const Model& model = **read;
    QCOMPARE(model.tensors[0].bytes, 64U); // up to the next tensor, padding included
    QVERIFY(model.tensors[0].bytesDerived);
    QVERIFY(!model.tensors[1].bytesDerived);
    QCOMPARE(model.tensors[2].bytes, 64U); // up to the end of the file
    QCOMPARE((*model.bytesOf(model.tensors[2]))[0], std::byte{2});
    QCOMPARE(model.tensors[0].typeName(), "type 9999");
}

void TestGgufReader::tellsWhatIsPresentOfACutFile() {
    GgufBuilder file = smallGguf();
    file.tensor("a", kF32, {8}).tensor("b", kF32, {8}).tensor("c", kF32, {8});
    file.cutTo = file.build().size() - 40;
    const auto read = gguf::read(file.source());
    QVERIFY(read);
    const Model& model = **read;
    QVERIFY(model.tensors[0].complete());
    QCOMPARE(model.tensors[1].bytesPresent, 24U);
    QCOMPARE(model.tensors[2].bytesPresent, 0U);
    QCOMPARE(model.bytesOf(model.tensors[1])->size(), 24U);
    QCOMPARE(joined(namesOfFindings(model.findings)), "tensor_past_end tensor_past_end tensor_data_missing");
    QCOMPARE(model.findings.back().args, (Arguments{2, 40}));
}

void TestGgufReader::stopsWhenCancelled() {
    std::stop_source stop;
    stop.request_stop();
    GgufBuilder strings = smallGguf();
    strings.key("a.words", std::vector<std::string>{"one"});
    QCOMPARE(gguf::read(strings.source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    GgufBuilder tensors(1);
    tensors.tensor("t", kF32, {8});
    QCOMPARE(gguf::read(tensors.source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

// All tensors claim the same bytes and none is in its place. Pairs must not be compared with each other quadratically.
void TestGgufReader::takesManyTensorsInAnyOrderQuickly() {
    GgufBuilder file = smallGguf();
    for (std::uint64_t i = 0; i < 100'000; ++i) {
        file.tensorRecord("t" + std::to_string(i), kF32, {1U << 20U}, (100'000 - i) * 32);
    }
    const auto source = file.source();
    const std::clock_t begin = std::clock(); // of this process, so that other programs do not count
    const auto read = gguf::read(source);
    const double elapsed = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    QVERIFY(read);
    QCOMPARE((*read)->tensors.size(), 100'000U);
    QVERIFY2(elapsed < 5, "quadratic?"); // 0.1 s in a release build
}

void TestGgufReader::hasWhatItReadsFetched() {
    GgufBuilder file = smallGguf();
    std::vector<std::string> tokens;
    for (int i = 0; i < 100'000; ++i) {
        tokens.push_back("token " + std::to_string(i));
    }
    file.key("tokenizer.ggml.tokens", tokens);
    file.key("tokenizer.ggml.scores", std::vector<float>(tokens.size()));
    for (int i = 0; i < 200; ++i) { // more than is fetched at once
        file.key("a.note" + std::to_string(i), std::string(1'000, 'x').c_str());
    }
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        file.tensor("blk." + std::to_string(i) + ".ffn_up.weight", kF32, {256});
    }
    const auto source = std::make_shared<NotingSource>(file.source());
    const auto read = gguf::read(source);
    QVERIFY(read);
    const std::uint64_t header = (*read)->files[0].headerBytes;
    std::uint64_t end = 24; // of magic, version and counts
    for (const ByteRange& range : source->needed()) {
        QCOMPARE(range.offset, end); // neither gaps nor repetitions
        end += range.length;
    }
    QVERIFY2(end >= header && end < header + 80'000, qPrintable(QString("%1 of %2").arg(end).arg(header)));
    QVERIFY2(source->needed().size() < 20, "a call to the system each");
}

GUFO_TEST(TestGgufReader)
#include "tst_gguf_reader.moc"
