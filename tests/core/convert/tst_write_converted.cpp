// Writing a converted model: types, results that do not depend on threads, cancelling, and that a failure leaves
// nothing behind.
#include "formats/safetensors/reader.h"
#include "small_source.h"
#include "support/test_unit.h"

#include <atomic>
#include <iterator>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

std::vector<char> fileBytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

class TestWriteConverted final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_small = std::make_unique<SmallSource>(); }
    void encodesStraightToTheType();
    void repeatsExactly();
    void cancels();
    void cancelsInTheMiddle_data();
    void cancelsInTheMiddle();
    void failureLeavesNothing();

private:
    fs::path in(const char* name) const { return m_small->in(name); }
    Result<SourceFolder> folder(const std::string& members, const SafetensorsBuilder& weights) const {
        return m_small->folder(members, weights);
    }
    std::unique_ptr<SmallSource> m_small;
};

void TestWriteConverted::encodesStraightToTheType() {
    const std::string config = R"("architectures":["LlamaForCausalLM"],"hidden_size":256,"num_attention_heads":2,)"
                               R"("num_hidden_layers":1)";
    SafetensorsBuilder weights;
    weights.tensor("model.embed_tokens.weight", "F32", {300, 256}, countingFloats(std::size_t{300} * 256));
    weights.tensor("model.layers.0.self_attn.q_proj.weight", "F32", {256, 256}, countingFloats(std::size_t{256} * 256));
    weights.tensor("model.norm.weight", "F32", {256});
    const auto model = m_small->convert(config, weights, "Q4_K_M");
    QVERIFY(model);
    const auto typeOfTensor = [&](std::string_view name) { return model->tensor(*model->findTensor(name)).typeName(); };
    QCOMPARE(typeOfTensor("token_embd.weight"), std::string("Q6_K")); // tied: it is also the output
    QCOMPARE(typeOfTensor("blk.0.attn_q.weight"), std::string("Q4_K"));
    QCOMPARE(typeOfTensor("output_norm.weight"), std::string("F32"));
    QCOMPARE(model->metadata.uint("general.file_type"), std::optional<std::uint64_t>(15));
}

void TestWriteConverted::repeatsExactly() {
    const std::string config = R"("architectures":["LlamaForCausalLM"],"hidden_size":512,"num_attention_heads":4,)"
                               R"("num_hidden_layers":1)";
    SafetensorsBuilder weights;
    weights.tensor("model.embed_tokens.weight", "F32", {999, 512}, countingFloats(std::size_t{999} * 512));
    weights.tensor("model.layers.0.self_attn.k_proj.weight", "F32", {512, 512}, countingFloats(std::size_t{512} * 512));
    const auto source = folder(config, weights);
    QVERIFY(source);
    const ConvertRequest request{.recipe = {.recipe = findRecipe("Q5_K_M")}};
    const auto plan = planConversion(*source, request);
    QVERIFY(plan);
    Progress progress;
    QVERIFY(writeConverted(*source, *plan, request, in("a.gguf"), {.progress = &progress, .threads = 1}));
    QCOMPARE(progress.done(), progress.total());
    QCOMPARE(progress.total(), static_cast<std::uint64_t>(fs::file_size(in("a.gguf"))));
    QCOMPARE(convertedBytes(*plan).value_or(0), progress.total());
    QVERIFY(writeConverted(*source, *plan, request, in("b.gguf"), {.threads = 3}));
    QVERIFY(fileBytes(in("a.gguf")) == fileBytes(in("b.gguf")));
}

void TestWriteConverted::cancels() {
    SafetensorsBuilder weights;
    weights.tensor("model.embed_tokens.weight", "F32", {2000, 512}, countingFloats(std::size_t{2000} * 512));
    const auto source = folder(kSmallLlama, weights);
    QVERIFY(source);
    const auto plan = planConversion(*source);
    QVERIFY(plan);
    std::stop_source stop;
    stop.request_stop();
    std::ofstream(in("out.gguf")) << "what was there";
    const auto done = writeConverted(*source, *plan, {}, in("out.gguf"), {.stop = stop.get_token()});
    QVERIFY(!done);
    QCOMPARE(done.error().code, ErrorCode::Cancelled);
    QCOMPARE(fs::file_size(in("out.gguf")), std::uintmax_t{14});
}

void TestWriteConverted::cancelsInTheMiddle_data() {
    QTest::addColumn<int>("after");
    QTest::addColumn<int>("threads");
    QTest::addColumn<QByteArray>("type");
    for (const int after : {1, 2, 3}) {
        QTest::addRow("after %d tensors that are copied", after) << after << 1 << QByteArray("F32");
        QTest::addRow("after %d tensors that are encoded", after) << after << 1 << QByteArray("Q8_0");
        QTest::addRow("after %d tensors, on two threads", after) << after << 2 << QByteArray("F16");
    }
}

// The stop comes when some tensors have been written: the converter says of each tensor when it needs its bytes no
// more.
void TestWriteConverted::cancelsInTheMiddle() {
    QFETCH(int, after);
    QFETCH(int, threads);
    QFETCH(QByteArray, type);
    class Stopping final : public ByteSource {
    public:
        Stopping(std::vector<std::byte> bytes, int released)
            : m_bytes(std::move(bytes), "model.safetensors")
            , m_left(released) {}
        std::uint64_t size() const override { return m_bytes.size(); }
        Result<Bytes> view(ByteRange range) const override { return m_bytes.view(range); }
        const fs::path& path() const override { return m_bytes.path(); }
        void advise(ByteRange, Access access) const override {
            if (access == Access::Release && --m_left == 0) {
                stop.request_stop();
            }
        }
        mutable std::stop_source stop;

    private:
        MemorySource m_bytes;
        mutable std::atomic<int> m_left;
    };
    constexpr std::uint64_t kSide = 512;
    SafetensorsBuilder weights;
    for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
        weights.tensor("model.layers.0.self_attn." + std::string(name) + ".weight", "F32", {kSide, kSide},
                       asBytes(std::vector<float>(kSide * kSide, 0.5F)));
    }
    const auto file = std::make_shared<Stopping>(weights.build(), after);
    const auto model = safetensors::read(file);
    QVERIFY(model);
    const auto config = readJson(R"({"architectures":["LlamaForCausalLM"],"hidden_size":512,"num_attention_heads":4,)"
                                 R"("num_hidden_layers":1})");
    QVERIFY(config);
    const SourceFolder source = SourceFolder::with(in(""), *model, *config);
    const ConvertRequest request{.recipe = {.recipe = findRecipe(type.toStdString())}};
    const auto plan = planConversion(source, request);
    QVERIFY(plan);
    std::ofstream(in("out.gguf")) << "what was there";
    Progress progress;
    const auto done = writeConverted(
        source, *plan, request, in("out.gguf"),
        {.stop = file->stop.get_token(), .progress = &progress, .threads = static_cast<unsigned>(threads)});
    QVERIFY(!done);
    QCOMPARE(done.error().code, ErrorCode::Cancelled);
    QVERIFY(progress.done() > 0 && progress.done() < progress.total());
    QCOMPARE(fs::file_size(in("out.gguf")), std::uintmax_t{14});
    QCOMPARE(std::distance(fs::directory_iterator(in("")), fs::directory_iterator()), std::ptrdiff_t{1});
}

// A weight that the type cannot hold is named, and neither the result nor a part of it remains.
void TestWriteConverted::failureLeavesNothing() {
    std::vector<float> values(256, 1);
    values[77] = std::numeric_limits<float>::infinity();
    values.resize(512, 1);
    SafetensorsBuilder matrix;
    matrix.tensor("model.layers.0.self_attn.v_proj.weight", "F32", {2, 256}, asBytes(values));
    const auto source = folder(kSmallLlama, matrix);
    QVERIFY(source);
    const ConvertRequest request{.recipe = {.recipe = findRecipe("Q8_0")}};
    const auto plan = planConversion(*source, request);
    QVERIFY(plan);
    const auto done = writeConverted(*source, *plan, request, in("out.gguf"));
    QVERIFY(!done);
    QCOMPARE(done.error().code, ErrorCode::WeightOutOfRange);
    QCOMPARE(done.error().place.name, std::string("blk.0.attn_v.weight"));
    QCOMPARE(done.error().place.index, std::optional<std::uint64_t>(77));
    QCOMPARE(std::distance(fs::directory_iterator(in(".")), fs::directory_iterator()), 1); // the source

    const auto onItself = writeConverted(*source, *plan, request, in("source") / "model.safetensors");
    QVERIFY(!onItself);
    QCOMPARE(onItself.error().code, ErrorCode::InvalidArgument);
}

GUFO_TEST(TestWriteConverted)
#include "tst_write_converted.moc"
