// Reads synthetic files of every version and byte order, and with every fault that has a name.
#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/array_index.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QTest>

#include <ctime>
#include <functional>

using namespace gufo;
using namespace gufo::test;
using std::string_view_literals::operator""sv;

namespace {

using Build = std::function<GgufBuilder()>;

constexpr std::uint32_t kF32 = 0;
constexpr std::uint32_t kF16 = 1;
constexpr std::uint32_t kQ4_0 = 2;
constexpr std::uint32_t kI8 = 24;
constexpr std::uint64_t kTwo32 = std::uint64_t{1} << 32U;
constexpr std::uint64_t kTwo63 = std::uint64_t{1} << 63U;
constexpr std::uint64_t kMax = ~std::uint64_t{0};

std::vector<std::byte> fill(std::size_t count, std::uint8_t value) { return std::vector(count, std::byte{value}); }

GgufBuilder small() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    return file;
}

std::vector<std::string> namesOf(const std::vector<Finding>& findings) {
    std::vector<std::string> names;
    for (const Finding& finding : findings) {
        names.emplace_back(finding.name());
    }
    return names;
}

QString joined(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names) {
        list << QString::fromStdString(name);
    }
    return list.join(' ');
}

// Records which ranges were announced.
class NotingSource final : public ByteSource {
public:
    explicit NotingSource(std::shared_ptr<const ByteSource> source)
        : m_source(std::move(source)) {}
    [[nodiscard]] std::uint64_t size() const override { return m_source->size(); }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override { return m_source->view(range); }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_source->path(); }
    void advise(ByteRange range, Access access) const override {
        if (access == Access::WillNeed) {
            m_needed.push_back(range);
        }
    }
    [[nodiscard]] const std::vector<ByteRange>& needed() const { return m_needed; }

private:
    std::shared_ptr<const ByteSource> m_source;
    mutable std::vector<ByteRange> m_needed;
};

} // namespace

Q_DECLARE_METATYPE(Build)

class TestGgufReader : public QObject {
    Q_OBJECT

private slots:
    void readsEveryLayout_data();
    void readsEveryLayout();
    void tellsTheDraftFromVersion1_data();
    void tellsTheDraftFromVersion1();
    void refuses_data();
    void refuses();
    void opensWithFinding_data();
    void opensWithFinding();
    void opensSilently_data();
    void opensSilently();
    void namesWhereItFailed();
    void readsInsideALargerFile();
    void keepsBothOfTwoEqualKeys();
    void derivesTheSizeOfUnknownTypes();
    void tellsWhatIsPresentOfACutFile();
    void listsAHundredOfEachFinding();
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
    file.tensor("first", kF32, {4, 2}, fill(32, 7)).tensor("second", kQ4_0, {32, 3}).tensor("none", kF16, {0, 5});
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
    QVERIFY(std::ranges::equal(*model.bytesOf(first), fill(32, 7)));
    QCOMPARE(first.shape[1], 2U);
    QCOMPARE(model.tensor(*model.findTensor("second")).bytes, 54U);
    QCOMPARE(model.tensor(*model.findTensor("none")).bytes, 0U);
    QCOMPARE(model.tensor(*model.findTensor("scalar")).bytes, 1U);
    QCOMPARE(model.files[0].alignment, file.alignment);
    const QString expected = file.isDraft                                              ? "draft_version_1"
                             : file.layout.order == ByteOrder::Big && file.version < 3 ? "big_endian_before_v3"
                                                                                       : "";
    QCOMPARE(joined(namesOf(model.findings)), expected);
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
    QCOMPARE(joined(namesOf((*read)->findings)).contains("draft_version_1"), draft);
}

void TestGgufReader::refuses_data() {
    QTest::addColumn<Build>("build");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* error, const Build& build) {
        QTest::newRow(name) << build << QString(error);
    };
    // Changes of a small file.
    const auto change = [&](const char* name, const char* error, const std::function<void(GgufBuilder&)>& edit) {
        row(name, error, [edit] {
            GgufBuilder file = small();
            edit(file);
            return file;
        });
    };
    change("wrong magic", "not_a_model", [](auto& f) { f.magic = "GGUX"; });
    change("magic cut", "not_a_model", [](auto& f) { f.cutTo = 3; });
    change("only the magic", "truncated", [](auto& f) { f.cutTo = 4; });
    change("header cut", "truncated", [](auto& f) { f.cutTo = 20; });
    change("version 0", "unsupported_version", [](auto& f) { f.version = 0; });
    change("version 4", "unsupported_version", [](auto& f) { f.version = 4; });
    change("version 2^31", "unsupported_version", [](auto& f) { f.version = 0x8000'0000U; });
    row("version 4 big-endian", "unsupported_version", [] { return GgufBuilder(4, ByteOrder::Big); });
    change("negative tensor count", "count_too_large", [](auto& f) { f.tensorCount = kMax; });
    change("negative key count", "count_too_large", [](auto& f) { f.keyCount = kMax; });
    change("tensor count whose bytes wrap", "count_too_large", [](auto& f) { f.tensorCount = kMax / 24 + 2; });
    change("key count whose bytes wrap (CVE-2024-21802)", "count_too_large",
           [](auto& f) { f.keyCount = kMax / 13 + 2; });
    change("more keys than there are (CVE-2024-25664)", "string_too_long", [](auto& f) {
        f.keyCount = 2;
        f.trailing = fill(100, 0xFF);
    });
    change("more keys than limit", "limit_exceeded", [](auto& f) {
        f.keyCount = gguf::kMaxKeyValues + 1;
        f.trailing = fill(13 * (gguf::kMaxKeyValues + 2), 0);
    });
    change("more tensors than limit", "limit_exceeded", [](auto& f) {
        f.tensorCount = gguf::kMaxTensors + 1;
        f.trailing = fill(24 * (gguf::kMaxTensors + 2), 0);
    });
    change("key longer than the file (CVE-2024-25665)", "string_too_long", [](auto& f) {
        f.keyCount = 2;
        f.trailing = GgufBytes().length(1'000).text("abcdefghijklmnop").bytes;
    });
    change("key of 2^64-1 bytes (CVE-2024-25666)", "string_too_long", [](auto& f) {
        f.keyCount = 2;
        f.trailing = GgufBytes().length(kMax).zeros(40).bytes;
    });
    change("string of 2^64-1 bytes (CVE-2024-23496)", "string_too_long",
           [](auto& f) { f.rawKey("a.b", ValueType::String, f.payload().length(kMax)); });
    change("unknown value type", "unknown_value_type", [](auto& f) { f.rawKey("a.b", 13, fill(8, 0)); });
    change("unknown element type (CVE-2024-25667)", "unknown_value_type",
           [](auto& f) { f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(99, 1).zeros(8)); });
    change("array of 2^64-1 bytes (CVE-2024-25668)", "array_too_long",
           [](auto& f) { f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::UInt8, kMax)); });
    change("array whose bytes wrap (CVE-2024-23605)", "array_too_long", [](auto& f) {
        f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::UInt64, kMax / 8 + 2).zeros(64));
    });
    change("array of strings, too many (CVE-2024-21836)", "array_too_long", [](auto& f) {
        f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::String, kMax / 8).zeros(64));
    });
    change("array of strings, one too long (CVE-2024-21825)", "string_too_long", [](auto& f) {
        f.rawKey("a.b", ValueType::Array,
                 f.payload().arrayHead(ValueType::String, 2).string("ok").length(kMax - 7).zeros(64));
    });
    change("array of strings, cut", "truncated", [](auto& f) {
        f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::String, 2).string("123456789").zeros(7));
    });
    change("array of arrays, too many", "array_too_long",
           [](auto& f) { f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::Array, 100).zeros(64)); });
    change("array head cut", "truncated", [](auto& f) { f.rawKey("a.b", ValueType::Array, f.payload().zeros(5)); });
    change("nested too deep", "nesting_too_deep", [](auto& f) {
        GgufBytes payload = f.payload();
        for (unsigned depth = 0; depth < gguf::kMaxArrayDepth; ++depth) {
            payload.arrayHead(ValueType::Array, 1);
        }
        f.rawKey("a.b", ValueType::Array, payload.arrayHead(ValueType::UInt8, 0));
    });
    change("nested a million deep", "nesting_too_deep", [](auto& f) {
        GgufBytes payload = f.payload();
        for (unsigned depth = 0; depth < 1'000'000; ++depth) {
            payload.arrayHead(ValueType::Array, 1);
        }
        f.rawKey("a.b", ValueType::Array, payload);
    });
    change("array of elements beyond the limit", "limit_exceeded", [](auto& f) {
        constexpr std::uint64_t kArrays = 40; // nested arrays count eight times
        GgufBytes payload = f.payload().arrayHead(ValueType::Array, kArrays);
        for (std::uint64_t i = 0; i < kArrays; ++i) {
            payload.arrayHead(ValueType::Bool, std::uint64_t{1} << 21U).zeros(std::uint64_t{1} << 21U);
        }
        f.rawKey("a.b", ValueType::Array, payload);
    });
    change("value cut", "truncated", [](auto& f) { f.rawKey("a.b", ValueType::UInt64, f.payload().zeros(3)); });
    change("tensor name of 2^64-1 bytes", "string_too_long", [](auto& f) {
        f.tensorCount = 1;
        f.trailing = GgufBytes().length(kMax).zeros(24).bytes;
    });
    change("tensor record cut", "truncated", [](auto& f) {
        f.tensorCount = 1;
        f.trailing = GgufBytes().string("name").number(std::uint32_t{1}).zeros(10).bytes;
    });
    change("9 dimensions", "too_many_dimensions",
           [](auto& f) { f.tensor("t", kF32, std::vector<std::uint64_t>(9, 1)); });
    change("2^32-1 dimensions", "too_many_dimensions", [](auto& f) {
        f.tensorCount = 1;
        f.trailing = GgufBytes().string("name").number(~std::uint32_t{0}).zeros(32).bytes;
    });
    row("draft whose values are not as long as declared", "string_too_long", [] {
        GgufBuilder file = GgufBuilder::draft();
        file.key("general.architecture", "llama").rawKey("a.b", 4, fill(5, 1)).key("a.c", true);
        return file;
    });
    row("draft whose padding is not zero", "string_too_long", [] {
        GgufBuilder file = GgufBuilder::draft();
        file.key("general.architecture", "llama");
        file.isDraft = false; // without padding
        file.trailing = fill(64, 1);
        return file;
    });
}

void TestGgufReader::refuses() {
    QFETCH(Build, build);
    QFETCH(QString, error);
    const auto read = gguf::read(build().source());
    QVERIFY(!read);
    QCOMPARE(QString::fromStdString(std::string(errorName(read.error().code))), error);
    QVERIFY(read.error().place.offset.has_value());
}

void TestGgufReader::opensWithFinding_data() {
    QTest::addColumn<Build>("build");
    QTest::addColumn<QString>("findings");
    const auto row = [](const char* name, const char* findings, const std::function<void(GgufBuilder&)>& edit) {
        QTest::newRow(name) << Build([edit] {
            GgufBuilder file = small();
            edit(file);
            return file;
        }) << QString(findings);
    };
    // Faults of keys.
    row("empty key", "empty_key", [](auto& f) { f.key("", std::uint32_t{1}); });
    row("duplicate key", "duplicate_key", [](auto& f) { f.key("general.architecture", "qwen2"); });
    row("key of 65,536 bytes", "key_too_long", [](auto& f) { f.key(std::string(65'536, 'k'), true); });
    row("key not UTF-8", "key_not_utf8", [](auto& f) { f.key("a.\xC3\x28", true); });
    row("key with capitals", "odd_key", [](auto& f) { f.key("General.Name", "x"); });
    row("key with an empty part", "odd_key", [](auto& f) { f.key("a..b", true); });
    row("key that ends in a dot", "odd_key", [](auto& f) { f.key("a.", true); });
    row("boolean of 2", "bool_not_zero_or_one", [](auto& f) { f.rawKey("a.b", 7, fill(1, 2)); });
    row("boolean of 255 in an array", "bool_not_zero_or_one", [](auto& f) {
        f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::Bool, 2).number('\0').number('\xFF'));
    });
    QTest::newRow("64-bit value in version 1") << Build([] {
        GgufBuilder file(1);
        file.key("a.b", std::uint64_t{1});
        return file;
    }) << "value_type_before_its_version";
    // Faults of the alignment.
    row("alignment 0", "alignment_zero", [](auto& f) { f.key("general.alignment", std::uint32_t{0}); });
    row("alignment of the wrong type", "alignment_wrong_type",
        [](auto& f) { f.key("general.alignment", std::uint64_t{32}); });
    row("alignment as text", "alignment_wrong_type", [](auto& f) { f.key("general.alignment", "32"); });
    const auto aligned = [&](const char* name, const char* findings, std::uint32_t alignment) {
        row(name, findings, [alignment](auto& f) {
            f.alignment = alignment;
            f.key("general.alignment", alignment).tensor("t", kF32, {3}).tensor("u", kF32, {5});
        });
    };
    aligned("alignment 1", "alignment_not_multiple_of_8", 1);
    aligned("alignment 4", "alignment_not_multiple_of_8", 4);
    aligned("alignment 24", "alignment_not_power_of_two", 24);
    aligned("alignment 7", "alignment_not_power_of_two alignment_not_multiple_of_8", 7);
    aligned("alignment 2^20", "alignment_huge", 1U << 20U);
    row("alignment 2^31 (padding past the end)", "alignment_huge tensor_past_end tensor_data_missing",
        [](auto& f) { f.key("general.alignment", 1U << 31U).tensorRecord("t", kF32, {3}, 0); });
    row("alignment 2^32-1",
        "alignment_not_power_of_two alignment_not_multiple_of_8 alignment_huge tensor_past_end "
        "tensor_data_missing",
        [](auto& f) { f.key("general.alignment", ~std::uint32_t{0}).tensorRecord("t", kF32, {3}, 0); });
    // Faults of tensor records.
    row("empty tensor name", "tensor_name_empty", [](auto& f) { f.tensor("", kF32, {8}); });
    row("tensor name of 64 bytes", "tensor_name_too_long", [](auto& f) { f.tensor(std::string(64, 'n'), kF32, {8}); });
    row("tensor name not UTF-8", "tensor_name_not_utf8", [](auto& f) { f.tensor("\xFF", kF32, {8}); });
    row("duplicate tensor name", "duplicate_tensor_name",
        [](auto& f) { f.tensor("t", kF32, {8}).tensor("t", kF32, {8}); });
    row("5 dimensions", "too_many_dimensions", [](auto& f) { f.tensor("t", kF32, {2, 1, 1, 2, 2}); });
    row("unknown tensor type", "unknown_tensor_type size_derived",
        [](auto& f) { f.tensor("t", 9999, {8}, fill(32, 1)); });
    row("removed tensor type (Q4_2)", "removed_tensor_type", [](auto& f) { f.tensor("t", 4, {32}); });
    row("ik_llama.cpp's tensor type (IQ4_K)", "foreign_tensor_type", [](auto& f) { f.tensor("t", 139, {256}); });
    row("row not whole blocks", "row_not_whole_blocks", [](auto& f) { f.tensorRecord("t", kQ4_0, {33}, 0); });
    row("block type without dimensions", "row_not_whole_blocks", [](auto& f) { f.tensorRecord("t", kQ4_0, {}, 0); });
    row("product that wraps to 0 (I8 {2^32, 2^32})", "tensor_size_overflow",
        [](auto& f) { f.tensorRecord("t", kI8, {kTwo32, kTwo32}, 0); });
    row("product that wraps to a small number (CVE-2026-33298)", "tensor_size_overflow",
        [](auto& f) { f.tensorRecord("t", kI8, {kTwo32 + 1, kTwo32 * 2, 3}, 0); });
    row("product past 2^63", "tensor_size_overflow", [](auto& f) { f.tensorRecord("t", kI8, {kTwo63 / 2, 3}, 0); });
    row("bytes that wrap (F32 {2^62}) (CVE-2025-53630)", "tensor_size_overflow",
        [](auto& f) { f.tensorRecord("t", kF32, {kTwo63 / 2}, 0); });
    row("blocks whose bytes wrap (Q4_0 {2^63-32})", "tensor_past_end tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kQ4_0, {kTwo63 - 32}, 0); });
    row("blocks times rows that wrap (F64 {2^31, 2^31}) (CVE-2026-27940)", "tensor_size_overflow",
        [](auto& f) { f.tensorRecord("t", 28, {kTwo32 / 2, kTwo32 / 2}, 0); });
    row("negative dimension", "negative_dimension", [](auto& f) { f.tensorRecord("t", kF32, {kMax, 1}, 0); });
    row("negative beside a zero dimension", "negative_dimension",
        [](auto& f) { f.tensorRecord("t", kF32, {0, kTwo63}, 0); });
    // Faults of tensor positions.
    row("misaligned", "offset_misaligned tensors_not_packed",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, 4).trailing = fill(64, 0); });
    row("gap before the first", "tensors_not_packed",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, 64).trailing = fill(96, 0); });
    row("gap between two", "tensors_not_packed", [](auto& f) {
        f.tensorRecord("t", kF32, {8}, 0).tensorRecord("u", kF32, {8}, 64).tensorRecord("v", kF32, {8}, 96).trailing =
            fill(128, 0);
    });
    row("records in another order than data", "tensors_not_packed tensors_not_packed tensors_not_packed", [](auto& f) {
        f.tensorRecord("t", kF32, {8}, 64)
            .tensorRecord("u", kF32, {8}, 0)
            .tensorRecord("v", kF32, {8}, 32 * 3)
            .trailing = fill(128, 0);
    });
    row("two tensors on the same bytes", "tensors_not_packed tensors_overlap",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, 0).tensorRecord("u", kF32, {6}, 0).trailing = fill(32, 0); });
    row("one tensor inside another", "tensors_not_packed tensors_overlap",
        [](auto& f) { f.tensorRecord("t", kF32, {32}, 0).tensorRecord("u", kF32, {8}, 32).trailing = fill(128, 0); });
    row("offset past the end (CVE-2026-7482)", "tensors_not_packed tensor_past_end tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, kTwo32).trailing = fill(64, 0); });
    row("offset that wraps", "tensors_not_packed tensor_past_end tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, kMax - 31).trailing = fill(64, 0); });
    row("offset that wraps onto the header",
        "offset_misaligned tensors_not_packed tensor_past_end "
        "tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, kMax - 90).trailing = fill(64, 0); });
    row("data start past the end", "tensor_past_end tensor_data_missing", [](auto& f) {
        f.padHeader = false;
        f.tensorRecord("tt", kF32, {8}, 0);
    });
    row("data cut in the middle", "tensor_past_end tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, 0).trailing = fill(31, 0); });
    row("last tensor not padded", "last_tensor_not_padded",
        [](auto& f) { f.tensorRecord("t", kF32, {9}, 0).trailing = fill(36, 0); });
    row("trailing bytes", "trailing_bytes", [](auto& f) { f.tensor("t", kF32, {8}).trailing = fill(1, 0); });
    row("trailing bytes without tensors", "padding_not_zero trailing_bytes",
        [](auto& f) { f.trailing = fill(100, 1); });
    row("padding not zero", "padding_not_zero", [](auto& f) {
        f.padHeader = false;
        f.tensorRecord("tt", kF32, {8}, 0);
        const std::size_t rest = 32 - f.build().size() % 32;
        f.trailing = fill(rest + 32, 0);
        f.trailing[0] = std::byte{1};
    });
}

void TestGgufReader::opensWithFinding() {
    QFETCH(Build, build);
    QFETCH(QString, findings);
    const auto read = gguf::read(build().source());
    QVERIFY2(read, read ? "" : errorName(read.error().code).data());
    QCOMPARE(joined(namesOf((*read)->findings)), findings);
    for (const TensorInfo& tensor : (*read)->tensors) {
        QVERIFY(tensor.bytesPresent <= tensor.bytes.value_or(0));
        if (tensor.bytesPresent != 0) {
            QCOMPARE((*read)->bytesOf(tensor)->size(), tensor.bytesPresent);
        }
    }
}

void TestGgufReader::opensSilently_data() {
    QTest::addColumn<Build>("build");
    const auto row = [](const char* name, const std::function<void(GgufBuilder&)>& edit) {
        QTest::newRow(name) << Build([edit] {
            GgufBuilder file = small();
            edit(file);
            return file;
        });
    };
    row("no tensors, no padding", [](auto&) {});
    row("no keys, no tensors", [](auto& f) { f = GgufBuilder(); });
    row("no tensors, padded", [](auto& f) { f.trailing = fill(32 - f.build().size() % 32, 0); });
    row("only zero-sized tensors", [](auto& f) { f.tensor("t", kF32, {0}).tensor("u", kQ4_0, {32, 0, 7}); });
    row("scalar", [](auto& f) { f.tensor("t", kF32, {}); });
    row("tensor name of 63 bytes", [](auto& f) { f.tensor(std::string(63, 'n'), kF32, {8}); });
    row("key of 65,535 bytes", [](auto& f) { f.key(std::string(65'535, 'k'), true); });
    row("hyphen in an architecture", [](auto& f) { f.key("command-r.block_count", std::uint32_t{1}); });
    row("nested as deep as allowed", [](auto& f) {
        GgufBytes payload = f.payload();
        for (unsigned depth = 1; depth < gguf::kMaxArrayDepth; ++depth) {
            payload.arrayHead(ValueType::Array, 1);
        }
        f.rawKey("a.b", ValueType::Array, payload.arrayHead(ValueType::UInt8, 0));
    });
    row("LoRA", [](auto& f) {
        f.key("general.type", "adapter").key("adapter.type", "lora").key("adapter.lora.alpha", 16.0F);
        f.tensor("blk.0.attn_q.weight.lora_a", kF32, {64, 8}).tensor("blk.0.attn_q.weight.lora_b", kF32, {8, 64});
    });
    row("imatrix", [](auto& f) {
        f.key("general.type", "imatrix").key("imatrix.datasets", std::vector<std::string>{"wiki.txt"});
        f.key("imatrix.chunk_count", std::uint32_t{8}).key("imatrix.chunk_size", std::uint32_t{512});
        f.tensor("blk.0.attn_q.weight.in_sum2", kF32, {64}).tensor("blk.0.attn_q.weight.counts", kF32, {1});
    });
    row("mmproj", [](auto& f) {
        f.key("clip.has_vision_encoder", true).tensor("v.blk.0.attn_q.weight", kF16, {16, 16});
        f.tensor("mm.0.weight", kF16, {16, 16});
    });
    row("alignment 64", [](auto& f) {
        f.alignment = 64;
        f.key("general.alignment", std::uint32_t{64}).tensor("t", kF32, {1}).tensor("u", kF32, {1});
    });
}

void TestGgufReader::opensSilently() {
    QFETCH(Build, build);
    const auto read = gguf::read(build().source());
    QVERIFY2(read, read ? "" : errorName(read.error().code).data());
    QCOMPARE(joined(namesOf((*read)->findings)), "");
}

void TestGgufReader::namesWhereItFailed() {
    GgufBuilder file = small();
    const std::uint64_t before = file.build().size();
    file.rawKey("a.words", ValueType::Array,
                file.payload().arrayHead(ValueType::String, 3).string("ok").string("two").length(1000));
    const Error error = gguf::read(file.source()).error();
    QCOMPARE(error.code, ErrorCode::StringTooLong);
    QCOMPARE(error.place.kind, Place::Kind::Key);
    QCOMPARE(error.place.name, "a.words");
    QCOMPARE(error.place.index, 2U);
    // the length and bytes of the key, the type, the head of the array, two strings
    QCOMPARE(error.place.offset, before + 8 + 7 + 4 + 12 + 10 + 11);
    QCOMPARE(error.args, (Arguments{Detail::Element, 1000, 0}));

    file = small();
    file.tensor("good", kF32, {8});
    file.tensorCount = 2;
    file.padHeader = false;
    const std::uint64_t end = file.build().size() - 32;
    file.trailing = {};
    file.cutTo = end + 10;
    const Error cut = gguf::read(file.source()).error();
    QCOMPARE(cut.code, ErrorCode::Truncated);
    QCOMPARE(cut.place.kind, Place::Kind::Tensor);
}

void TestGgufReader::readsInsideALargerFile() {
    GgufBuilder file = small();
    file.tensor("t", kF32, {8}, fill(32, 9));
    const auto inner = file.build();
    GgufBytes outer;
    outer.zeros(1001).append(inner).zeros(77);
    const auto whole = std::make_shared<MemorySource>(outer.bytes, "outer.bin");
    const auto read = gguf::read(std::make_shared<SubSource>(whole, ByteRange{1001, inner.size()}));
    QVERIFY(read);
    QVERIFY((*read)->findings.empty());
    QVERIFY(std::ranges::equal(*(*read)->bytesOf((*read)->tensors[0]), fill(32, 9)));
    QCOMPARE((*read)->path(), std::filesystem::path("outer.bin"));
}

void TestGgufReader::keepsBothOfTwoEqualKeys() {
    GgufBuilder file = small();
    file.key("general.architecture", "second");
    const auto read = gguf::read(file.source());
    QVERIFY(read);
    QCOMPARE((*read)->metadata.size(), 2U);
    QCOMPARE((*read)->metadata.architecture(), "llama"sv);
    QCOMPARE((*read)->findings[0].args[0].text(), std::string("general.architecture"));
}

void TestGgufReader::derivesTheSizeOfUnknownTypes() {
    GgufBuilder file = small();
    file.tensor("a", 9999, {100}, fill(40, 1)).tensor("b", kF32, {8}).tensor("c", 9998, {100}, fill(64, 2));
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
    GgufBuilder file = small();
    file.tensor("a", kF32, {8}).tensor("b", kF32, {8}).tensor("c", kF32, {8});
    file.cutTo = file.build().size() - 40;
    const auto read = gguf::read(file.source());
    QVERIFY(read);
    const Model& model = **read;
    QVERIFY(model.tensors[0].complete());
    QCOMPARE(model.tensors[1].bytesPresent, 24U);
    QCOMPARE(model.tensors[2].bytesPresent, 0U);
    QCOMPARE(model.bytesOf(model.tensors[1])->size(), 24U);
    QCOMPARE(joined(namesOf(model.findings)), "tensor_past_end tensor_past_end tensor_data_missing");
    QCOMPARE(model.findings.back().args, (Arguments{2, 40}));
}

void TestGgufReader::listsAHundredOfEachFinding() {
    GgufBuilder file = small();
    for (int i = 0; i < 250; ++i) {
        file.key("ODD" + std::to_string(i), true);
    }
    const auto read = gguf::read(file.source());
    QVERIFY(read);
    QCOMPARE((*read)->findings.size(), 101U);
    QCOMPARE((*read)->findings.back().args, (Arguments{150, std::string("odd_key")}));
}

void TestGgufReader::stopsWhenCancelled() {
    std::stop_source stop;
    stop.request_stop();
    GgufBuilder strings = small();
    strings.key("a.words", std::vector<std::string>{"one"});
    QCOMPARE(gguf::read(strings.source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    GgufBuilder tensors(1);
    tensors.tensor("t", kF32, {8});
    QCOMPARE(gguf::read(tensors.source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

// All tensors claim the same bytes and none is in its place. Pairs must not be compared with each other quadratically.
void TestGgufReader::takesManyTensorsInAnyOrderQuickly() {
    GgufBuilder file = small();
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
    GgufBuilder file = small();
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
