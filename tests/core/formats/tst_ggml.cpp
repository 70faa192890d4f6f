// The formats from before GGUF: families of models, layouts of quantised types, parts, and damaged files.
#include "document/open_model.h"
#include "formats/format.h"
#include "formats/ggml/reader.h"
#include "model/array_index.h"
#include "model/owned_value.h"
#include "support/ggml_builder.h"
#include "support/problem_names.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"
#include "tensor/float_formats.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::int32_t kGgmlF32 = 0;
constexpr std::int32_t kGgmlQ4_0 = 2;

QString findingNames(const Model& model) {
    QStringList names;
    for (const Finding& finding : model.findings) {
        names << text(finding.name());
    }
    return names.join(u' ');
}

QStringList stringsOf(const Model& model, std::string_view key) {
    QStringList list;
    if (const ArrayView* array = model.metadata.array(key)) {
        for (const Value& element : arrayHead(*array, array->length)) {
            list << text(asString(element).value_or("(no text)"));
        }
    }
    return list;
}

// LLaMA with a vocabulary of three tokens, without tensors.
GgmlBuilder llama(std::string_view magic, std::optional<std::uint32_t> version, std::int32_t fileType = 0,
                  std::int32_t width = 8) {
    GgmlBuilder file(magic, version);
    file.numbers({3, width, 256, 2, 1, 4, fileType});
    const auto score = [&](float value) { return version ? std::optional(value) : std::nullopt; };
    file.token(" \xE2\x81\x87 ", score(0)).token("", score(0)).token("a b", score(-1.5F));
    file.padding = magic == "tjgg" ? 32 : 0;
    return file;
}

GgmlBuilder gpt2(std::int32_t fileType) {
    GgmlBuilder file("lmgg");
    file.numbers({2, 16, 8, 2, 1, fileType, 2}).token("\n").token(" a");
    return file;
}

// A block of 32 weights whose byte j has the codes j and 15 - j.
std::vector<std::byte> blockOf(std::initializer_list<float> scales, bool half) {
    GgufBytes block;
    for (const float scale : scales) {
        if (half) {
            block.number(halfFromFloat(scale));
        } else {
            block.number(scale);
        }
    }
    for (unsigned j = 0; j < 16; ++j) {
        block.number(static_cast<std::uint8_t>(j | (15 - j) << 4U));
    }
    return block.bytes;
}

} // namespace

class TestGgml : public QObject {
    Q_OBJECT

private slots:
    void families_data();
    void families();
    void layouts_data();
    void layouts();
    void layoutByFileType();
    void alignment();
    void emptyTensorAtTheEnd();
    void llamaVocabulary();
    void byteLevelVocabulary();
    void melFilters();
    void malformed_data();
    void malformed();
    void damaged_data();
    void damaged();
    void everyPrefix();
    void parts();
    void partsThatDiffer();
    void completeModelBesideAnother();
    void cancelled();
    void publishedVocabulary();
    void publishedWhisper();
};

void TestGgml::families_data() {
    QTest::addColumn<GgmlBuilder*>("file");
    QTest::addColumn<QString>("container");
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("key");
    QTest::addColumn<unsigned>("value");
    const auto row = [](const char* name, GgmlBuilder file, const char* container, const char* family, const char* key,
                        unsigned value) {
        file.tensor("a.weight", kGgmlF32, {8, 2}, 64).tensor("b.bias", kGgmlF32, {8}, 32);
        QTest::newRow(name) << new GgmlBuilder(std::move(file)) << container << family << key << value;
    };
    row("LLaMA, GGML", llama("lmgg", {}), "ggml", "llama", "n_mult", 256);
    row("LLaMA, GGMF", llama("fmgg", 1), "ggmf", "llama", "n_embd", 8);
    row("LLaMA, GGJT 1", llama("tjgg", 1), "ggjt", "llama", "n_rot", 4);
    row("LLaMA, GGJT 2", llama("tjgg", 2), "ggjt", "llama", "n_layer", 1);
    row("LLaMA, GGJT 3", llama("tjgg", 3), "ggjt", "llama", "n_head", 2);
    row("GPT-2", gpt2(1), "ggml", "gpt-2", "n_ctx", 16);
    GgmlBuilder gptJ("lmgg");
    row("GPT-J", gptJ.numbers({2, 16, 8, 2, 1, 4, 1, 2}).token("a").token("b"), "ggml", "gpt-j", "n_rot", 4);
    GgmlBuilder neox("lmgg");
    row("GPT-NeoX", neox.numbers({2, 16, 8, 2, 1, 4, 1, 1}).token("a").token("b"), "ggml", "gpt-neox", "par_res", 1);
    GgmlBuilder mpt("lmgg");
    mpt.numbers({8, 16, 2, 1, 2}).real(8).real(0).numbers({1}).token("a").token("b");
    row("MPT", mpt, "ggml", "mpt", "max_seq_len", 16);
    GgmlBuilder whisper("lmgg");
    whisper.numbers({4, 1500, 8, 2, 1, 448, 8, 2, 1, 80, 1}).numbers({2, 3});
    for (int i = 0; i < 6; ++i) {
        whisper.real(static_cast<float>(i));
    }
    row("Whisper", whisper.numbers({2}).token("a").token("b"), "ggml", "whisper", "n_audio_ctx", 1500);
    GgmlBuilder rwkv("fmgg", 101);
    row("RWKV", rwkv.numbers({2, 8, 1, 1}), "ggmf", "rwkv", "n_embed", 8);
    GgmlBuilder adapter("algg", 1);
    adapter.padding = 32;
    row("adapter", adapter.numbers({4, 16}), "ggla", "lora", "alpha", 16);
}

void TestGgml::families() {
    QFETCH(GgmlBuilder*, file);
    QFETCH(QString, container);
    QFETCH(QString, family);
    QFETCH(QString, key);
    QFETCH(unsigned, value);
    const std::unique_ptr<GgmlBuilder> owner(file);
    const auto model = readModel(file->source());
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(text((*model)->container), container);
    QCOMPARE(text(containerFormat(**model)), container);
    QVERIFY(capabilitiesOf(**model).empty());
    QCOMPARE(text((*model)->metadata.string("family").value_or("")), family);
    QCOMPARE((*model)->metadata.uint(key.toStdString()), value);
    QCOMPARE(findingNames(**model), container == "ggml" ? "ggml_family" : "");
    QCOMPARE((*model)->tensors.size(), 2U);
    const TensorInfo& tensor = (*model)->tensors[0];
    QCOMPARE(tensor.name, "a.weight");
    QCOMPARE(tensor.shape, Shape(std::vector<std::uint64_t>{8, 2}));
    QVERIFY(tensor.complete() && (*model)->tensors[1].complete());
    QCOMPARE((*model)->files[0].dataOffset + tensor.declaredOffset, tensor.offset);
    QCOMPARE(valuesOf(**model, "a.weight"), std::vector<float>(16));
    for (const KeyValue& entry : (*model)->metadata) {
        QVERIFY(fits({entry.offset, entry.bytes}, (*model)->files[0].source->size()));
    }
}

void TestGgml::layouts_data() {
    QTest::addColumn<unsigned>("version");
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("half");
    QTest::addColumn<bool>("offset");
    QTest::addColumn<bool>("neighbours");
    QTest::newRow("Q4_0 of version 1") << 1U << kGgmlQ4_0 << false << false << true;
    QTest::newRow("Q4_0 of version 2") << 2U << kGgmlQ4_0 << false << false << false;
    QTest::newRow("Q4_0 of version 3") << 3U << kGgmlQ4_0 << true << false << false;
    QTest::newRow("Q4_1 of version 1") << 1U << 3 << false << true << true;
    QTest::newRow("Q4_1 of version 2") << 2U << 3 << false << true << false;
    QTest::newRow("Q4_1 of version 3") << 3U << 3 << true << true << false;
}

// The same codes are the weights 2j and 2j + 1, or j and j + 16, with scales of 4 or 2 bytes.
void TestGgml::layouts() {
    QFETCH(unsigned, version);
    QFETCH(int, type);
    QFETCH(bool, half);
    QFETCH(bool, offset);
    QFETCH(bool, neighbours);
    GgmlBuilder file = llama("tjgg", version, type);
    file.tensor("w", type, {32}, offset ? blockOf({0.5F, 2}, half) : blockOf({0.5F}, half));
    const auto model = ggml::read(file.source());
    QVERIFY(model);
    QCOMPARE(QString::fromStdString((*model)->tensors[0].typeName()), offset ? "Q4_1" : "Q4_0");
    std::vector<float> expected(32);
    for (std::size_t j = 0; j < 16; ++j) {
        const auto value = [&](std::size_t code) {
            return offset ? 0.5F * static_cast<float>(code) + 2 : 0.5F * (static_cast<float>(code) - 8);
        };
        expected[neighbours ? 2 * j : j] = value(j);
        expected[neighbours ? 2 * j + 1 : j + 16] = value(15 - j);
    }
    QCOMPARE(valuesOf(**model, "w"), expected);
}

// Files of other families give the layout in ftype, and rwkv.cpp has numbers of its own.
void TestGgml::layoutByFileType() {
    const auto typeOf = [](GgmlBuilder file, std::int32_t type, std::size_t bytes) {
        file.tensor("w", type, {32}, bytes);
        const auto model = ggml::read(file.source());
        return model ? std::string((*model)->tensors[0].type()->name) + " " + (*model)->tensors[0].typeName()
                     : std::string("refused");
    };
    QCOMPARE(typeOf(gpt2(2), kGgmlQ4_0, 20), "Q4_0_GGJT1 Q4_0");
    QCOMPARE(typeOf(gpt2(1002), kGgmlQ4_0, 20), "Q4_0_GGJT2 Q4_0");
    QCOMPARE(typeOf(gpt2(2002), kGgmlQ4_0, 18), "Q4_0 Q4_0");
    QCOMPARE(typeOf(gpt2(2002), kGgmlQ4_0, 21), "Q4_0 Q4_0"); // with a finding
    QCOMPARE(typeOf(gpt2(3002), kGgmlQ4_0, 18), "refused");
    QCOMPARE(typeOf(gpt2(5), 4, 20), "Q4_2 Q4_2");
    QCOMPARE(typeOf(gpt2(6), 5, 24), "Q4_3 Q4_3");
    QCOMPARE(typeOf(gpt2(1005), 4, 20), "refused");
    QCOMPARE(typeOf(gpt2(7), 8, 36), "Q8_0_GGJT1 Q8_0");
    QCOMPARE(typeOf(gpt2(1008), 6, 22), "Q5_0 Q5_0");
    QCOMPARE(typeOf(llama("tjgg", 1), 7, 24), "Q5_1_GGJT1 Q5_1");
    QCOMPARE(typeOf(llama("tjgg", 2), 12, 144), "refused");
    GgmlBuilder old("fmgg", 100);
    old.numbers({2, 32, 1, 9});
    QCOMPARE(typeOf(old, 9, 36), "Q8_0_GGJT1 Q8_0");
    GgmlBuilder rwkv("fmgg", 101);
    rwkv.numbers({2, 32, 1, 7});
    QCOMPARE(typeOf(rwkv, 7, 22), "Q5_0 Q5_0");
    QCOMPARE(typeOf(rwkv, 6, 22), "refused");
}

void TestGgml::alignment() {
    GgmlBuilder file = llama("tjgg", 3);
    file.tensor("odd", kGgmlF32, {3}, 12).tensor("next", kGgmlF32, {1}, 4);
    const auto model = ggml::read(file.source());
    QVERIFY(model);
    QCOMPARE((*model)->files[0].alignment, 32U);
    QCOMPARE((*model)->tensors[0].offset % 32, 0U);
    QCOMPARE((*model)->tensors[1].offset % 32, 0U);
    QVERIFY((*model)->tensors[1].recordOffset == (*model)->tensors[0].offset + 12);
    QCOMPARE(findingNames(**model), "");
}

// Its data would begin behind the end of the file, but it has none.
void TestGgml::emptyTensorAtTheEnd() {
    GgmlBuilder file("algg", 1);
    file.numbers({4, 16});
    file.tensor("empty", 0, {0}, std::size_t{0});
    const auto model = ggml::read(file.source());
    QVERIFY2(model, model ? "" : errorName(model.error().code).data());
    QCOMPARE((*model)->tensors.size(), std::size_t{1});
    QVERIFY((*model)->tensors.front().complete());
    QVERIFY((*model)->findings.empty());
}

void TestGgml::llamaVocabulary() {
    GgmlBuilder file("tjgg", 1);
    file.numbers({7, 8, 256, 2, 1, 4, 0}).token(" \xE2\x81\x87 ", 0.0F).token("", 0.0F).token("", 0.0F);
    file.token(std::string_view("\0", 1), 0.0F).token("\x01", 0.0F).token(" a b", -1.0F).token("", -2.0F);
    const auto model = ggml::read(file.source());
    QVERIFY(model);
    QCOMPARE(stringsOf(**model, "tokenizer.ggml.tokens"),
             QStringList({"<unk>", "<s>", "</s>", "<0x00>", "<0x01>", QString::fromUtf8("▁a▁b"), ""}));
    QStringList types;
    for (const Value& type : arrayHead(*(*model)->metadata.array("tokenizer.ggml.token_type"), 7)) {
        types << QString::number(*asInt(type));
    }
    QCOMPARE(types.join(u' '), "2 3 3 6 6 1 3");
    QCOMPARE(std::get<float>(arrayHead(*(*model)->metadata.array("tokenizer.ggml.scores"), 7)[5]), -1.0F);
    QCOMPARE(text((*model)->metadata.string("tokenizer.ggml.model").value_or("")), "llama");
    QCOMPARE((*model)->metadata.uint("tokenizer.ggml.bos_token_id"), 1U);
    QCOMPARE((*model)->metadata.uint("tokenizer.ggml.eos_token_id"), 2U);

    // Without a version there are no scores.
    const auto unscored = ggml::read(llama("lmgg", {}).source());
    QVERIFY(unscored);
    QVERIFY((*unscored)->metadata.array("tokenizer.ggml.tokens") != nullptr);
    QVERIFY((*unscored)->metadata.find("tokenizer.ggml.scores") == nullptr);
}

void TestGgml::byteLevelVocabulary() {
    GgmlBuilder file("lmgg");
    file.numbers({4, 16, 8, 2, 1, 1, 4}).token("\n").token(" a").token("\xff\xad").token("~");
    const auto model = ggml::read(file.source());
    QVERIFY(model);
    QCOMPARE(text((*model)->metadata.string("tokenizer.ggml.model").value_or("")), "gpt2");
    QCOMPARE(stringsOf(**model, "tokenizer.ggml.tokens"),
             QStringList({QString::fromUtf8("Ċ"), QString::fromUtf8("Ġa"), QString::fromUtf8("ÿŃ"), "~"}));
}

void TestGgml::melFilters() {
    GgmlBuilder file("lmgg");
    file.numbers({3, 1500, 8, 2, 1, 448, 8, 2, 1, 80, 1}).numbers({1, 2}).real(0.25F).real(0.5F);
    file.numbers({1}).token("a").tensor("w", kGgmlF32, {1}, 4);
    const auto model = ggml::read(file.source());
    QVERIFY(model);
    QCOMPARE((*model)->metadata.uint("filters.n_fft"), 2U);
    const ArrayView* filters = (*model)->metadata.array("filters.data");
    QVERIFY(filters != nullptr);
    QCOMPARE(std::get<float>(arrayHead(*filters, 2)[1]), 0.5F);
}

void TestGgml::malformed_data() {
    QTest::addColumn<GgmlBuilder*>("file");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, GgmlBuilder file, const char* error) {
        QTest::newRow(name) << new GgmlBuilder(std::move(file)) << error;
    };
    const auto head = [](std::initializer_list<std::int32_t> numbers) {
        GgmlBuilder file("tjgg", 3);
        file.padding = 32;
        return file.numbers(numbers);
    };
    row("nothing but the magic", GgmlBuilder("tjgg"), "truncated header 4 0");
    row("version 0", GgmlBuilder("tjgg", 0), "unsupported_version 0");
    row("version 4", GgmlBuilder("tjgg", 4), "unsupported_version 4");
    row("GGMF of version 2", GgmlBuilder("fmgg", 2), "unsupported_version 2");
    row("adapter of version 2", GgmlBuilder("algg", 2), "unsupported_version 2");
    row("no hyper-parameters", head({}), "truncated header 4 0");
    row("no tokens", head({0, 8, 256, 2, 1, 4, 0}), "malformed hyper_parameter_unusable n_vocab 0");
    row("negative tokens", head({-1, 8, 256, 2, 1, 4, 0}), "malformed hyper_parameter_unusable n_vocab -1");
    row("no layers", head({1, 8, 256, 2, 0, 4, 0}), "malformed hyper_parameter_unusable n_layer 0");
    row("more tokens than bytes", head({1 << 30, 8, 256, 2, 1, 4, 0}), "count_too_large tokens 1073741824 0");
    row("a token past the end", head({1, 8, 256, 2, 1, 4, 0, 1000, 0}), "string_too_long token 1000 4");
    row("a token of 4 GiB", head({1, 8, 256, 2, 1, 4, 0, -1, 0}), "string_too_long token 4294967295 4");
    row("a token without score", head({1, 8, 256, 2, 1, 4, 0, 4, 0}), "truncated token 4 0");

    const auto tensor = [](std::initializer_list<std::int32_t> record, std::string_view after = {}) {
        GgmlBuilder file = llama("tjgg", 3);
        file.numbers(record);
        file.out.text(after);
        return file;
    };
    row("a cut record", tensor({1, 4}), "truncated tensor 4 0");
    row("five dimensions", tensor({5, 1, 0, 1, 1, 1, 1, 1}, "w"), "too_many_dimensions 5 4");
    row("negative dimensions", tensor({-1, 1, 0, 1}, "w"), "too_many_dimensions 4294967295 4");
    row("a negative dimension", tensor({2, 1, 0, 8, -2}, "w"), "malformed dimension_negative -2");
    row("a name past the end", tensor({1, 900, 0, 1}, "w"), "string_too_long tensor_name 900 1");
    row("a name of 4 GiB", tensor({1, -1, 0, 1}, "w"), "string_too_long tensor_name 4294967295 1");
    row("an unknown type", tensor({1, 1, 77, 1}, "w"), "malformed unknown_data_type 77");
    row("a negative type", tensor({1, 1, -1, 1}, "w"), "malformed unknown_data_type 4294967295");
    row("a type of another version", tensor({1, 1, 4, 16}, "w"), "malformed unknown_data_type Q4_2");
    row("half a block", tensor({1, 1, 2, 16}, "w"), "malformed row_not_whole_blocks 16 Q4_0 32");
    row("weights that overflow", tensor({4, 1, 0, 1 << 30, 1 << 30, 1 << 30, 1 << 30}, "w"),
        "malformed size_not_whole_bytes");

    // Without a version, no interpretation fits.
    row("GGML of no family", GgmlBuilder("lmgg").numbers({1, 2, 3}), "malformed no_ggml_family");
    row("GGML, nothing but the magic", GgmlBuilder("lmgg"), "malformed no_ggml_family");
    GgmlBuilder repeated("lmgg");
    repeated.numbers({2, 16, 8, 2, 1, 1, 1}).token("a").tensor("w", kGgmlF32, {1}, 4);
    row("GPT-2 with another number of tokens", repeated, "malformed no_ggml_family");
    GgmlBuilder filters("lmgg");
    filters.numbers({2, 1500, 8, 2, 1, 448, 8, 2, 1, 80, 1}).numbers({1 << 30, 1 << 30, 0});
    row("filters that overflow", filters, "malformed no_ggml_family");
    GgmlBuilder nan("lmgg");
    nan.numbers({8, 16, 2, 1, 1, 0x7FC00000, 0, 1}).token("a").tensor("w", kGgmlF32, {1}, 4);
    row("a hyper-parameter that is not a number", nan, "malformed no_ggml_family");
}

void TestGgml::malformed() {
    QFETCH(GgmlBuilder*, file);
    QFETCH(QString, error);
    const std::unique_ptr<GgmlBuilder> owner(file);
    const auto model = ggml::read(file->source());
    QVERIFY(!model);
    QCOMPARE(errorOf(model.error()), error);
    QCOMPARE(model.error().file, fs::path("test.bin"));
    QVERIFY(model.error().place.offset.has_value());
}

void TestGgml::damaged_data() {
    QTest::addColumn<GgmlBuilder*>("file");
    QTest::addColumn<QString>("findings");
    const auto row = [](const char* name, const std::function<void(GgmlBuilder&)>& damage, const char* findings,
                        std::int32_t fileType = 0) {
        auto* file = new GgmlBuilder(llama("tjgg", 3, fileType));
        file->tensor("first", kGgmlF32, {2}, 8);
        damage(*file);
        QTest::newRow(name) << file << findings;
    };
    row("a tensor past the end", [](auto& f) { f.tensor("w", kGgmlF32, {8}, 12); }, "tensor_past_end");
    row("a tensor without data", [](auto& f) { f.tensor("w", kGgmlF32, {8}, 0); }, "tensor_past_end");
    row(
        "no padding at the end",
        [](auto& f) {
            f.padding = 0;
            f.tensor("w", kGgmlF32, {8}, 0);
        },
        "tensor_past_end");
    row("a cut record", [](auto& f) { f.numbers({1, 1}); }, "tensor_record_broken");
    row("zeros at the end", [](auto& f) { f.out.zeros(5); }, "tensor_record_broken");
    row("a negative dimension", [](auto& f) { f.numbers({1, 1, 0, -1}); }, "tensor_record_broken");
    row("an unknown type", [](auto& f) { f.tensor("w", 77, {8}, 32); }, "tensor_record_broken");
    row("a name twice", [](auto& f) { f.tensor("first", kGgmlF32, {2}, 8); }, "duplicate_tensor_name");
    row("no name", [](auto& f) { f.tensor("", kGgmlF32, {2}, 8); }, "tensor_name_empty");
    row("an unknown ftype", [](auto&) {}, "unknown_value", 99);
}

void TestGgml::damaged() {
    QFETCH(GgmlBuilder*, file);
    QFETCH(QString, findings);
    const std::unique_ptr<GgmlBuilder> owner(file);
    const auto model = ggml::read(file->source());
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingNames(**model), findings);
    QCOMPARE(valuesOf(**model, "first").size(), 2U);
}

// A file that ends anywhere is refused or has a finding, unless it ends after a tensor, and is never read beyond its
// end.
void TestGgml::everyPrefix() {
    GgmlBuilder file = llama("tjgg", 3);
    const std::size_t vocabulary = file.out.bytes.size();
    const std::size_t first = file.tensor("a", kGgmlF32, {2, 3}, 24).out.bytes.size();
    const auto whole = file.tensor("b", 8, {32}, 34).out.bytes;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const auto model = ggml::read(std::make_shared<MemorySource>(
            std::vector<std::byte>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), "test.bin"));
        const bool ends = size == vocabulary || size == first || size == whole.size();
        QCOMPARE(model && (*model)->findings.empty(), ends);
        QVERIFY(model || model.error().place.offset);
    }
}

void TestGgml::parts() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const auto write = [&](const char* name, float value) {
        GgmlBuilder file = llama("fmgg", 1);
        GgufBytes data;
        data.number(value).number(value + 1).number(value + 2).number(value + 3);
        file.tensor("tok_embeddings.weight", kGgmlF32, {4, 1}, data.bytes).tensor("norm.weight", kGgmlF32, {8}, 32);
        file.write(root / name);
    };
    write("model.bin", 10);
    for (const char* name : {"model.bin", "model.bin.1"}) {
        write("model.bin.1", 20);
        const auto model = openModel(root / name);
        QVERIFY(model);
        QCOMPARE((*model)->files.size(), 2U);
        QCOMPARE((*model)->path(), root / name);
        QCOMPARE((*model)->tensors.size(), 4U);
        QCOMPARE(findingNames(**model), "tensors_in_slices");
        const TensorInfo& slice = (*model)->tensors[2];
        QCOMPARE(slice.name, "tok_embeddings.weight");
        QCOMPARE(slice.file.value, 1U);
        float value = 0;
        QVERIFY(decode(*(*model)->rowsOf(slice), 3, std::span(&value, 1)));
        QCOMPARE(value, 23.0F);
        QCOMPARE(stringsOf(**model, "tokenizer.ggml.tokens").size(), 3);
    }
    fs::remove(root / "model.bin.1");
    const auto missing = openModel(root / "model.bin");
    QVERIFY(missing);
    QCOMPARE(findingNames(**missing), "shard_missing");
    QCOMPARE((*missing)->tensors.size(), 2U);

    fs::resize_file(root / "model.bin", fs::file_size(root / "model.bin") - 1);
    write("model.bin.1", 20);
    const auto truncated = openModel(root / "model.bin.1");
    QVERIFY(truncated);
    QCOMPARE(findingNames(**truncated), "tensor_past_end tensors_in_slices");
    QCOMPARE((*truncated)->findings[0].place.part, 0U);
}

void TestGgml::partsThatDiffer() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    GgmlBuilder first = llama("fmgg", 1);
    first.tensor("tok_embeddings.weight", kGgmlF32, {4, 1}, 16).write(root / "m.bin");
    const auto findings = [&](const GgmlBuilder& second) {
        second.write(root / "m.bin.1");
        const auto model = openModel(root / "m.bin");
        return model ? findingNames(**model) + u' ' + QString::number((*model)->tensors.size()) : QString();
    };
    GgmlBuilder unversioned = llama("lmgg", {});
    QCOMPARE(findings(unversioned.tensor("w", kGgmlF32, {4}, 16)), "shard_mismatch 1");
    GgmlBuilder wider = llama("fmgg", 1, 0, 16);
    QCOMPARE(findings(wider.tensor("w", kGgmlF32, {4}, 16)), "shard_mismatch 1");
    GgmlBuilder damaged("fmgg", 1);
    QCOMPARE(findings(damaged.numbers({0})), "shard_unreadable 1");
    // A link may not lead out of the folder.
    const QTemporaryDir elsewhere;
    const fs::path target = fs::path(elsewhere.path().toStdString()) / "x.bin";
    first.write(target);
    fs::remove(root / "m.bin.1");
    fs::create_symlink(target, root / "m.bin.1");
    const auto linked = openModel(root / "m.bin");
    QVERIFY(linked);
    QCOMPARE(findingNames(**linked), "shard_unreadable");
}

// A download whose name was taken is no part.
void TestGgml::completeModelBesideAnother() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    GgmlBuilder file = llama("fmgg", 1);
    file.tensor("tok_embeddings.weight", kGgmlF32, {8, 1}, 32);
    file.write(root / "m.bin");
    file.write(root / "m.bin.1");
    const auto model = openModel(root / "m.bin");
    QVERIFY(model);
    QCOMPARE((*model)->files.size(), 1U);
}

void TestGgml::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    GgmlBuilder file = llama("lmgg", {});
    file.tensor("w", kGgmlF32, {1}, 4);
    QCOMPARE(ggml::read(file.source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

// The same vocabulary was published in GGMF and in GGUF.
void TestGgml::publishedVocabulary() {
    const fs::path folder = fs::path(GUFO_SHARED_DIR) / "thirdparty/legacy";
    if (!fs::exists(folder / "ggmf-v1-vocab.bin")) {
        QSKIP("the files of other projects (../shared/thirdparty) are not here");
    }
    const auto model = openModel(folder / "ggmf-v1-vocab.bin");
    QVERIFY(model);
    QCOMPARE(findingNames(**model), "");
    QCOMPARE((*model)->metadata.uint("n_embd"), 4096U);
    const auto gguf = openModel(folder / "gguf-v1-vocab.gguf");
    QVERIFY(gguf);
    for (const char* key :
         {"tokenizer.ggml.model", "tokenizer.ggml.tokens", "tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
        const Value* old = (*model)->metadata.find(key);
        const Value* now = (*gguf)->metadata.find(key);
        QVERIFY2(old != nullptr && now != nullptr && OwnedValue::sameValue(*old, *now), key);
    }
}

void TestGgml::publishedWhisper() {
    const fs::path folder = fs::path(GUFO_SHARED_DIR) / "thirdparty/legacy";
    if (!fs::exists(folder / "whisper-tiny-for-tests.bin")) {
        QSKIP("the files of other projects (../shared/thirdparty) are not here");
    }
    const auto model = openModel(folder / "whisper-tiny-for-tests.bin");
    QVERIFY(model);
    QCOMPARE(text((*model)->metadata.string("family").value_or("")), "whisper");
    QCOMPARE((*model)->metadata.uint("n_mels"), 80U);
    QCOMPARE((*model)->metadata.array("filters.data")->length, 80U * 201U);
    QVERIFY(stringsOf(**model, "tokenizer.ggml.tokens").contains(QString::fromUtf8("Ġmanifests")));
    const auto silero = openModel(folder / "silero-v6.2.0-for-tests.bin");
    QCOMPARE(silero.error().code, ErrorCode::OtherFormat);
    QCOMPARE(silero.error().args, Arguments{std::string("silero_vad")});
}

GUFO_TEST(TestGgml)
#include "tst_ggml.moc"
