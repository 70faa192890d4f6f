// The formats from before GGUF: families of models, layouts of quantised types, vocabularies. Damaged files and parts
// are in tst_ggml_faults.
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/ggml/reader.h"
#include "ggml_files.h"
#include "model/owned_value.h"
#include "model_texts.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"
#include "tensor/float_formats.h"
#include "test_paths.h"

#include <QTest>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::int32_t kGgmlQ4_0 = 2;

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
    row("LLaMA, GGML", ggmlLlama("lmgg", {}), "ggml", "llama", "n_mult", 256);
    row("LLaMA, GGMF", ggmlLlama("fmgg", 1), "ggmf", "llama", "n_embd", 8);
    row("LLaMA, GGJT 1", ggmlLlama("tjgg", 1), "ggjt", "llama", "n_rot", 4);
    row("LLaMA, GGJT 2", ggmlLlama("tjgg", 2), "ggjt", "llama", "n_layer", 1);
    row("LLaMA, GGJT 3", ggmlLlama("tjgg", 3), "ggjt", "llama", "n_head", 2);
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
    GgmlBuilder file = ggmlLlama("tjgg", version, type);
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
    QCOMPARE(typeOf(ggmlLlama("tjgg", 1), 7, 24), "Q5_1_GGJT1 Q5_1");
    QCOMPARE(typeOf(ggmlLlama("tjgg", 2), 12, 144), "refused");
    GgmlBuilder old("fmgg", 100);
    old.numbers({2, 32, 1, 9});
    QCOMPARE(typeOf(old, 9, 36), "Q8_0_GGJT1 Q8_0");
    GgmlBuilder rwkv("fmgg", 101);
    rwkv.numbers({2, 32, 1, 7});
    QCOMPARE(typeOf(rwkv, 7, 22), "Q5_0 Q5_0");
    QCOMPARE(typeOf(rwkv, 6, 22), "refused");
}

void TestGgml::alignment() {
    GgmlBuilder file = ggmlLlama("tjgg", 3);
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
    QCOMPARE(textsOf(**model, "tokenizer.ggml.tokens"),
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
    const auto unscored = ggml::read(ggmlLlama("lmgg", {}).source());
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
    QCOMPARE(textsOf(**model, "tokenizer.ggml.tokens"),
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
    QVERIFY(textsOf(**model, "tokenizer.ggml.tokens").contains(QString::fromUtf8("Ġmanifests")));
    const auto silero = openModel(folder / "silero-v6.2.0-for-tests.bin");
    QCOMPARE(silero.error().code, ErrorCode::OtherFormat);
    QCOMPARE(silero.error().args, Arguments{std::string("silero_vad")});
}

GUFO_TEST(TestGgml)
#include "tst_ggml.moc"
