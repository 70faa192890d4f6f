// Writes the seeds of fuzz_gguf and fuzz_shards: small files that together reach every branch of the reader. Run it by
// hand whenever the reader gains a branch: make_gguf_corpus tests/fuzz/corpus
#include "support/gguf_builder.h"

#include <cstdio>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr std::uint32_t kI8 = 24;
constexpr std::uint64_t kTwo32 = std::uint64_t{1} << 32U;

void fillWithEverything(GgufBuilder& file) {
    file.key("general.architecture", "llama").key("a.u8", std::uint8_t{1}).key("a.i8", std::int8_t{-1});
    file.key("a.u16", std::uint16_t{1}).key("a.i16", std::int16_t{-1}).key("a.u32", 1U).key("a.i32", -1);
    file.key("a.f32", 0.5F).key("a.bool", true).key("a.u64", std::uint64_t{1}).key("a.i64", std::int64_t{-1});
    file.key("a.f64", 0.5).key("a.words", std::vector<std::string>{"one", "two", ""});
    file.key("a.numbers", std::vector<float>{1, 2}).key("a.flags", std::vector<std::uint8_t>{0, 1});
    file.key("a.nested", std::vector<std::vector<std::string>>{{"x"}, {}});
    file.tensor("token_embd.weight", kF32, {4, 2}).tensor("blk.0.ffn_up.weight", kQ4_0, {32, 2});
    file.tensor("none", kI8, {0, 3}).tensor("scalar", kI8, {}).tensor("unknown", 9999, {3}, std::vector<std::byte>(5));
}

} // namespace

// Writes two files of a set of three in the input format of fuzz_shards.
void writeShards(const std::filesystem::path& path, const GgufBuilder& first, const GgufBuilder& second) {
    const auto bytes = first.build();
    GgufBytes both;
    both.number(static_cast<std::uint16_t>(bytes.size())).append(bytes).append(second.build());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(both.bytes.data()), static_cast<std::streamsize>(both.bytes.size()));
}

GgufBuilder shard(std::uint16_t number, std::uint16_t count, const std::string& text, ByteOrder order) {
    GgufBuilder file(3, order);
    file.key("split.no", number).key("split.count", count).key("split.tensors.count", std::int32_t{2});
    file.key("general.name", text).key("a.list", std::vector<std::string>{text}).key("a.number", text.size());
    file.key("a.flag", text.empty()).key("a.real", static_cast<double>(text.size()));
    file.tensor("t" + std::to_string(number), 0, {4});
    return file;
}

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    const std::filesystem::path folder = std::filesystem::path(arguments[1]) / "gguf";
    const auto write = [&](const char* name, const GgufBuilder& file) { file.write(folder / name); };
    for (const std::uint32_t version : {1U, 2U, 3U}) {
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            GgufBuilder file(version, order);
            fillWithEverything(file);
            write(("v" + std::to_string(version) + (order == ByteOrder::Big ? "-big" : "")).c_str(), file);
        }
    }
    GgufBuilder draft = GgufBuilder::draft();
    draft.key("general.architecture", "llama").key("llama.num_layers", 2U).key("general.file_type", "mostly F16");
    draft.key("tokenizer.embedded.words", std::vector<std::string>{"a", "b"});
    draft.tensor("t", kF32, {4, 2}).tensor("u", kQ4_0, {32});
    write("draft", draft);
    GgufBuilder draftKeys = GgufBuilder::draft();
    write("draft-number", draftKeys.key("llama.num_layers", 2U));

    const auto breakDraft = [&](const char* name, auto edit) {
        GgufBuilder file = GgufBuilder::draft();
        file.key("general.architecture", "llama");
        edit(file);
        write(name, file);
    };
    breakDraft("draft-value-length", [](auto& f) { f.rawKey("a.b", 7, std::vector<std::byte>(3)); });
    breakDraft("draft-elements", [](auto& f) {
        f.isDraft = false;
        f.trailing = GgufBytes(f.layout)
                         .zeros(64 - f.build().size() % 64)
                         .string("t")
                         .number(1U)
                         .number(8U)
                         .number(9U)
                         .zeros(12)
                         .bytes;
        f.tensorCount = 1;
    });
    breakDraft("draft-padding", [](auto& f) {
        f.isDraft = false;
        f.trailing = std::vector(64, std::byte{1});
    });

    GgufBuilder arrays;
    arrays.key("a.u8", std::vector<std::uint8_t>{1}).key("a.i8", std::vector<std::int8_t>{1});
    arrays.key("a.u16", std::vector<std::uint16_t>{1}).key("a.i16", std::vector<std::int16_t>{1});
    arrays.key("a.u32", std::vector<std::uint32_t>{1}).key("a.i32", std::vector<std::int32_t>{1});
    arrays.key("a.u64", std::vector<std::uint64_t>{1}).key("a.i64", std::vector<std::int64_t>{1});
    arrays.key("a.f32", std::vector<float>{1}).key("a.f64", std::vector<double>{1});
    arrays.key("a.bool", std::vector<bool>{true, false});
    arrays.key("a.deep", std::vector<std::vector<std::vector<std::int32_t>>>{{{1, 2}, {}}, {}});
    write("arrays", arrays);

    GgufBuilder keys;
    keys.key("", true).key("a.b", true).key("a.b", false).key("Odd..Key", true).key("a.\xFF", true);
    keys.key("a.\xF0\x9F\xA6\x89", true)
        .key("a.\xE2\x82\xAC", true)
        .key("a.\xC3\xA9", true)
        .key("a.\xE2\x28\xA1", true);
    keys.rawKey("a.bool", 7, std::vector{std::byte{9}});
    keys.rawKey("a.bools", ValueType::Array, keys.payload().arrayHead(ValueType::Bool, 2).number('\1').number('\2'));
    write("odd-keys", keys);
    write("long-key", GgufBuilder().key(std::string(65'536, 'k'), true));

    for (const std::uint32_t alignment : {0U, 1U, 4U, 24U, 64U, 1U << 20U, ~0U}) {
        GgufBuilder file;
        file.key("general.alignment", alignment).tensorRecord("t", kF32, {3}, 0);
        file.trailing = std::vector<std::byte>(64);
        write(("alignment-" + std::to_string(alignment)).c_str(), file);
    }
    write("alignment-type", GgufBuilder().key("general.alignment", std::uint64_t{32}));

    GgufBuilder tensors;
    tensors.tensorRecord("", kF32, {8}, 0).tensorRecord(std::string(64, 'n'), kF32, {8}, 32);
    tensors.tensorRecord("\xFF", kF32, {8}, 32).tensorRecord("five", kF32, {1, 1, 1, 1, 8}, 100);
    tensors.tensorRecord("twice", kF32, {8}, 200).tensorRecord("twice", kF32, {8}, 64).tensorRecord("old", 4, {16}, 96);
    tensors.tensorRecord("foreign", 139, {256}, 128).tensorRecord("row", kQ4_0, {33}, 0);
    tensors.tensorRecord("wraps", kI8, {kTwo32, kTwo32}, 0).tensorRecord("wide", kF32, {kTwo32 << 30U}, 0);
    tensors.tensorRecord("negative", kI8, {~std::uint64_t{0}}, 0).tensorRecord("past", kF32, {8}, ~std::uint64_t{31});
    tensors.tensorRecord("unknown", 9999, {8}, 160).tensorRecord("bytes", 28, {kTwo32 / 2, kTwo32 / 2}, 0);
    tensors.trailing = std::vector<std::byte>(400);
    write("odd-tensors", tensors);

    GgufBuilder padding;
    padding.tensorRecord("t", kF32, {8}, 0).padHeader = false;
    padding.trailing = std::vector<std::byte>(300, std::byte{1});
    write("padding-and-trailing", padding);
    GgufBuilder unpadded;
    unpadded.tensor("t", kF32, {9}).cutTo = unpadded.build().size() - 28;
    write("last-not-padded", unpadded);
    GgufBuilder many;
    for (int i = 0; i < 150; ++i) {
        many.key("ODD" + std::to_string(i), true);
    }
    write("many-findings", many);
    // Refused files:
    const auto refuse = [&](const char* name, auto edit) {
        GgufBuilder file;
        file.key("general.architecture", "llama");
        edit(file);
        write(name, file);
    };
    refuse("no-magic", [](auto& f) { f.magic = "GGUX"; });
    refuse("short", [](auto& f) { f.cutTo = 3; });
    refuse("only-magic", [](auto& f) { f.cutTo = 5; });
    refuse("header-cut", [](auto& f) { f.cutTo = 17; });
    refuse("version-0", [](auto& f) { f.version = 0; });
    refuse("version-9", [](auto& f) { f.version = 9; });
    refuse("tensor-count", [](auto& f) { f.tensorCount = ~std::uint64_t{0}; });
    refuse("key-count", [](auto& f) { f.keyCount = ~std::uint64_t{0}; });
    refuse("key-cut", [](auto& f) { f.cutTo = 40; });
    refuse("key-length", [](auto& f) { f.keyCount = 2, f.trailing = std::vector(40, std::byte{0x7F}); });
    refuse("value-type", [](auto& f) { f.rawKey("a.b", 13, {}); });
    refuse("value-cut", [](auto& f) { f.rawKey("a.b", 10, {}); });
    refuse("array-cut", [](auto& f) { f.rawKey("a.b", 9, std::vector<std::byte>(3)); });
    refuse("element-type", [](auto& f) { f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(77, 0)); });
    refuse("array-length",
           [](auto& f) { f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::Float64, kTwo32)); });
    refuse("string-length", [](auto& f) {
        f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::String, 2).string("x").length(kTwo32));
    });
    refuse("string-cut", [](auto& f) {
        f.rawKey("a.b", ValueType::Array, f.payload().arrayHead(ValueType::String, 2).string("12345678901").zeros(5));
    });
    refuse("nesting", [](auto& f) {
        GgufBytes payload = f.payload();
        for (int i = 0; i < 12; ++i) {
            payload.arrayHead(ValueType::Array, 1);
        }
        f.rawKey("a.b", ValueType::Array, payload);
    });
    refuse("dimensions", [](auto& f) { f.tensorRecord("t", kF32, std::vector<std::uint64_t>(9, 1), 0); });
    refuse("tensor-cut", [](auto& f) {
        f.tensorRecord("tensor", kF32, {1, 1, 1}, 0).padHeader = false;
        f.cutTo = f.build().size() - 6;
    });
    const std::filesystem::path sets = std::filesystem::path(arguments[1]) / "shards";
    constexpr auto kLittle = ByteOrder::Little;
    const GgufBuilder first = shard(0, 3, "name", kLittle);
    writeShards(sets / "good", first, shard(1, 3, "name", kLittle));
    writeShards(sets / "twice", first, first);
    writeShards(sets / "other-values", first, shard(1, 4, std::string(50, 'x'), kLittle));
    writeShards(sets / "big-endian", first, shard(1, 3, "name", ByteOrder::Big));
    writeShards(sets / "other-array", first, shard(1, 3, "mane", kLittle));
    writeShards(sets / "no-keys", GgufBuilder().key("a.b", true), GgufBuilder().key("a.b", 1U));
    writeShards(sets / "other-kinds", GgufBuilder().key("a.b", std::vector<bool>{true}).key("a.c", 1.5F),
                GgufBuilder().key("a.b", "x").key("a.c", -2));
    writeShards(sets / "unreadable", first, GgufBuilder(7));
    writeShards(sets / "old-version", first, GgufBuilder(2));
    writeShards(sets / "cut", first, shard(1, 3, "name", kLittle).key("a.b", 1U).tensorRecord("u", 0, {8}, 0));
    return 0;
}
