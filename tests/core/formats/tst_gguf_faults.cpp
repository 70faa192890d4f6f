// Reads synthetic files with every fault that has a name, and says where it is.
#include "gguf_cases.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::test;
using std::string_view_literals::operator""sv;

class TestGgufFaults : public QObject {
    Q_OBJECT

private slots:
    void refuses_data();
    void refuses();
    void opensWithFinding_data();
    void opensWithFinding();
    void opensSilently_data();
    void opensSilently();
    void namesWhereItFailed();
    void listsAHundredOfEachFinding();
};

void TestGgufFaults::refuses_data() {
    QTest::addColumn<Build>("build");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* error, const Build& build) {
        QTest::newRow(name) << build << QString(error);
    };
    // Changes of a small file.
    const auto change = [&](const char* name, const char* error, const std::function<void(GgufBuilder&)>& edit) {
        row(name, error, [edit] {
            GgufBuilder file = smallGguf();
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
        f.trailing = filledBytes(100, 0xFF);
    });
    change("more keys than limit", "limit_exceeded", [](auto& f) {
        f.keyCount = gguf::kMaxKeyValues + 1;
        f.trailing = filledBytes(13 * (gguf::kMaxKeyValues + 2), 0);
    });
    change("more tensors than limit", "limit_exceeded", [](auto& f) {
        f.tensorCount = gguf::kMaxTensors + 1;
        f.trailing = filledBytes(24 * (gguf::kMaxTensors + 2), 0);
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
    change("unknown value type", "unknown_value_type", [](auto& f) { f.rawKey("a.b", 13, filledBytes(8, 0)); });
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
        file.key("general.architecture", "llama").rawKey("a.b", 4, filledBytes(5, 1)).key("a.c", true);
        return file;
    });
    row("draft whose padding is not zero", "string_too_long", [] {
        GgufBuilder file = GgufBuilder::draft();
        file.key("general.architecture", "llama");
        file.isDraft = false; // without padding
        file.trailing = filledBytes(64, 1);
        return file;
    });
}

void TestGgufFaults::refuses() {
    QFETCH(Build, build);
    QFETCH(QString, error);
    const auto read = gguf::read(build().source());
    QVERIFY(!read);
    QCOMPARE(QString::fromStdString(std::string(errorName(read.error().code))), error);
    QVERIFY(read.error().place.offset.has_value());
}

void TestGgufFaults::opensWithFinding_data() {
    QTest::addColumn<Build>("build");
    QTest::addColumn<QString>("findings");
    const auto row = [](const char* name, const char* findings, const std::function<void(GgufBuilder&)>& edit) {
        QTest::newRow(name) << Build([edit] {
            GgufBuilder file = smallGguf();
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
    row("boolean of 2", "bool_not_zero_or_one", [](auto& f) { f.rawKey("a.b", 7, filledBytes(1, 2)); });
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
        [](auto& f) { f.tensor("t", 9999, {8}, filledBytes(32, 1)); });
    row("removed tensor type (Q4_2)", "removed_tensor_type", [](auto& f) { f.tensor("t", 4, {32}); });
    row("ik_llama.cpp's tensor type (IQ4_K)", "foreign_tensor_type", [](auto& f) { f.tensor("t", 139, {256}); });
    // Numbers that forks use for types of their own: the sizes are not those of ggml's types, and all else is in order.
    const auto dialect = [](GgufBuilder& f, std::uint32_t type, std::size_t tensors) -> GgufBuilder& {
        f.tensor("norm", kF32, {64});
        for (std::size_t i = 0; i < tensors; ++i) {
            f.tensor("t" + std::to_string(i), type, {64, 64}, filledBytes(64 * 64 / 4 + 32, 1));
        }
        return f.tensor("end", kF32, {64});
    };
    row("I2_S of a fork (36)", "ambiguous_tensor_type", [=](auto& f) { dialect(f, 36, 3); });
    row("one tensor of I2_S", "ambiguous_tensor_type", [=](auto& f) { dialect(f, 36, 1); });
    row("I2_S at the end", "ambiguous_tensor_type",
        [](auto& f) { f.tensor("norm", kF32, {64}).tensor("t", 36, {64, 64}, filledBytes(64 * 64 / 4 + 32, 1)); });
    row("TL2 of a fork (39)", "ambiguous_tensor_type", [=](auto& f) { dialect(f, 39, 2); });
    row("two dialects", "ambiguous_tensor_type ambiguous_tensor_type", [](auto& f) {
        f.tensor("t", 36, {64, 64}, filledBytes(1056, 1)).tensor("u", 36, {64, 64}, filledBytes(1056, 1));
        f.tensor("v", 38, {64, 64}, filledBytes(96, 1)).tensor("w", 38, {64, 64}, filledBytes(96, 1));
    });
    row("a dialect of ik_llama.cpp's numbers", "ambiguous_tensor_type", [=](auto& f) { dialect(f, 139, 2); });
    row("rows that are not whole blocks", "ambiguous_tensor_type",
        [](auto& f) { f.tensor("t", 36, {33, 2}, filledBytes(64, 1)).tensor("u", 36, {33, 2}, filledBytes(64, 1)); });
    row("I2_S cut off", "ambiguous_tensor_type tensor_past_end tensor_past_end tensor_data_missing", [](auto& f) {
        f.tensorRecord("t", 36, {64, 64}, 0).tensorRecord("u", 36, {64, 64}, 1056).tensorRecord("v", kF32, {8}, 2112);
        f.trailing = filledBytes(1100, 0);
    });
    // Damage that is no dialect.
    row("one tensor of a type that runtimes read", "tensors_not_packed", [](auto& f) {
        f.tensorRecord("t", kQ8_0, {32, 32}, 0).tensorRecord("u", kF32, {8}, 1088 + 64).trailing = filledBytes(1184, 0);
    });
    row("a type that fits elsewhere", "tensors_not_packed tensors_not_packed", [](auto& f) {
        f.tensorRecord("t", kQ8_0, {32, 32}, 0)
            .tensorRecord("u", kQ8_0, {32, 32}, 1088)
            .tensorRecord("v", kQ8_0, {32, 32}, 2 * 1088 + 32)
            .tensorRecord("w", kF32, {8}, 3 * 1088 + 64)
            .trailing = filledBytes(3 * 1088 + 96, 0);
    });
    row("a dialect beside damage",
        "removed_tensor_type removed_tensor_type tensors_not_packed tensors_not_packed tensors_not_packed",
        [](auto& f) {
            f.tensorRecord("t", 36, {32, 32}, 0)
                .tensorRecord("u", 36, {32, 32}, 608)
                .tensorRecord("v", kF32, {8}, 1216)
                .tensorRecord("w", kF32, {8}, 1216 + 64)
                .trailing = filledBytes(1216 + 96, 0);
        });
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
        [](auto& f) { f.tensorRecord("t", kF32, {8}, 4).trailing = filledBytes(64, 0); });
    row("gap before the first", "tensors_not_packed",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, 64).trailing = filledBytes(96, 0); });
    row("gap between two", "tensors_not_packed", [](auto& f) {
        f.tensorRecord("t", kF32, {8}, 0).tensorRecord("u", kF32, {8}, 64).tensorRecord("v", kF32, {8}, 96).trailing =
            filledBytes(128, 0);
    });
    row("records in another order than data", "tensors_not_packed tensors_not_packed tensors_not_packed", [](auto& f) {
        f.tensorRecord("t", kF32, {8}, 64)
            .tensorRecord("u", kF32, {8}, 0)
            .tensorRecord("v", kF32, {8}, 32 * 3)
            .trailing = filledBytes(128, 0);
    });
    row("two tensors on the same bytes", "tensors_not_packed tensors_overlap", [](auto& f) {
        f.tensorRecord("t", kF32, {8}, 0).tensorRecord("u", kF32, {6}, 0).trailing = filledBytes(32, 0);
    });
    row("one tensor inside another", "tensors_not_packed tensors_overlap", [](auto& f) {
        f.tensorRecord("t", kF32, {32}, 0).tensorRecord("u", kF32, {8}, 32).trailing = filledBytes(128, 0);
    });
    row("offset past the end (CVE-2026-7482)", "tensors_not_packed tensor_past_end tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, kTwo32).trailing = filledBytes(64, 0); });
    row("offset that wraps", "tensors_not_packed tensor_past_end tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, kMax - 31).trailing = filledBytes(64, 0); });
    row("offset that wraps onto the header",
        "offset_misaligned tensors_not_packed tensor_past_end "
        "tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, kMax - 90).trailing = filledBytes(64, 0); });
    row("data start past the end", "tensor_past_end tensor_data_missing", [](auto& f) {
        f.padHeader = false;
        f.tensorRecord("tt", kF32, {8}, 0);
    });
    row("data cut in the middle", "tensor_past_end tensor_data_missing",
        [](auto& f) { f.tensorRecord("t", kF32, {8}, 0).trailing = filledBytes(31, 0); });
    row("last tensor not padded", "last_tensor_not_padded",
        [](auto& f) { f.tensorRecord("t", kF32, {9}, 0).trailing = filledBytes(36, 0); });
    row("trailing bytes", "trailing_bytes", [](auto& f) { f.tensor("t", kF32, {8}).trailing = filledBytes(1, 0); });
    row("trailing bytes without tensors", "padding_not_zero trailing_bytes",
        [](auto& f) { f.trailing = filledBytes(100, 1); });
    row("padding not zero", "padding_not_zero", [](auto& f) {
        f.padHeader = false;
        f.tensorRecord("tt", kF32, {8}, 0);
        const std::size_t rest = 32 - f.build().size() % 32;
        f.trailing = filledBytes(rest + 32, 0);
        f.trailing[0] = std::byte{1};
    });
}

void TestGgufFaults::opensWithFinding() {
    QFETCH(Build, build);
    QFETCH(QString, findings);
    const auto read = gguf::read(build().source());
    QVERIFY2(read, read ? "" : errorName(read.error().code).data());
    QCOMPARE(joined(namesOfFindings((*read)->findings)), findings);
    for (const TensorInfo& tensor : (*read)->tensors) {
        QVERIFY(tensor.bytesPresent <= tensor.bytes.value_or(0));
        if (tensor.bytesPresent != 0) {
            QCOMPARE((*read)->bytesOf(tensor)->size(), tensor.bytesPresent);
        }
    }
}

void TestGgufFaults::opensSilently_data() {
    QTest::addColumn<Build>("build");
    const auto row = [](const char* name, const std::function<void(GgufBuilder&)>& edit) {
        QTest::newRow(name) << Build([edit] {
            GgufBuilder file = smallGguf();
            edit(file);
            return file;
        });
    };
    row("no tensors, no padding", [](auto&) {});
    row("no keys, no tensors", [](auto& f) { f = GgufBuilder(); });
    row("no tensors, padded", [](auto& f) { f.trailing = filledBytes(32 - f.build().size() % 32, 0); });
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

void TestGgufFaults::opensSilently() {
    QFETCH(Build, build);
    const auto read = gguf::read(build().source());
    QVERIFY2(read, read ? "" : errorName(read.error().code).data());
    QCOMPARE(joined(namesOfFindings((*read)->findings)), "");
}

void TestGgufFaults::namesWhereItFailed() {
    GgufBuilder file = smallGguf();
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

    file = smallGguf();
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

void TestGgufFaults::listsAHundredOfEachFinding() {
    GgufBuilder file = smallGguf();
    for (int i = 0; i < 250; ++i) {
        file.key("ODD" + std::to_string(i), true);
    }
    const auto read = gguf::read(file.source());
    QVERIFY(read);
    QCOMPARE((*read)->findings.size(), 101U);
    QCOMPARE((*read)->findings.back().args, (Arguments{150, std::string("odd_key")}));
}

GUFO_TEST(TestGgufFaults)
#include "tst_gguf_faults.moc"
