// Folders are converted and compared with the result: everything is the same, whatever the types, and the figures
// agree.
#include "origin_test.h"
#include "support/test_unit.h"

#include <thread>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

class TestCompareOrigin : public OriginTest {
    Q_OBJECT

private slots:
    void convertedIsSame_data();
    void convertedIsSame();
    void officialIsSame_data() { addConvertRows(); }
    void officialIsSame();
    void lastBitOfComputedWeights();
    void oneWeight_data();
    void oneWeight();
    void oneCode();
    void weightOfSource();
    void notANumberInSource();
    void figuresOfThePlan();
    void filterOfRows();
    void cancels();
};

void TestCompareOrigin::convertedIsSame_data() { addConvertRows(); }

void TestCompareOrigin::convertedIsSame() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    for (const char* type : {"F32", "F16", "BF16", "Q8_0", "Q4_K_M", "IQ4_XS"}) {
        const auto written = write(fixture.source(), path("out.gguf"), type);
        REQUIRE(written);
        for (const bool fileFirst : {false, true}) {
            const auto proved = proveFolder(fixture.source(), path("out.gguf"), fileFirst);
            REQUIRE(proved);
            QVERIFY2(proved->notSame().empty(), (std::string(type) + ": " + joinedNames(proved->notSame())).c_str());
            QVERIFY2(proved->proof.keys.empty(), joinedNames(proved->keys()).c_str());
            QCOMPARE(proved->proof.verdict, OriginVerdict::Same);
            QCOMPARE(proved->proof.count(TensorProof::Quantised), 0U); // our own encoder is reproduced bit for bit
            QCOMPARE(proved->proof.compared(), proved->origin->plan->rows.size());
        }
    }
}

// What the official converter wrote is the same, up to the last bit of products and exponentials, which depends on a
// library, and but for the name of the tokenizer's rule where the fixture was given another one by hand.
void TestCompareOrigin::officialIsSame() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    const QString file = fixture.file("expected.gguf");
    if (!QFile::exists(file)) {
        QSKIP(qPrintable(file + QStringLiteral(" is missing")));
    }
    const auto proved = proveFolder(fixture.source(), file.toStdString());
    REQUIRE(proved);
    QVERIFY2(proved->notSame().empty(), joinedNames(proved->notSame()).c_str());
    for (const KeyDifference& key : proved->proof.keys) {
        QVERIFY2(proved->metadata.rows[key.row].key == "tokenizer.ggml.pre" || key.descriptive,
                 joinedNames(proved->keys()).c_str());
    }
}

// Another library's exponential may differ in the last bit; a larger difference is one.
void TestCompareOrigin::lastBitOfComputedWeights() {
    const fs::path source = sourceOf("qwen3next");
    for (const int difference : {1, 64}) {
        const auto written = write(source, path("out.gguf"), "F32");
        REQUIRE(written);
        const auto model = openModel(path("out.gguf"));
        REQUIRE(model);
        for (const char* name : {"blk.0.ssm_a", "output_norm.weight"}) {
            const TensorInfo& tensor = (*model)->tensor(*(*model)->findTensor(name));
            const auto bytes = (*model)->bytesOf(tensor);
            REQUIRE(bytes);
            std::uint32_t bits = 0;
            std::memcpy(&bits, bytes->data(), sizeof bits);
            bits ^= static_cast<std::uint32_t>(difference);
            overwriteBytes(path("out.gguf"), tensor.offset, std::as_bytes(std::span(&bits, 1)));
        }
        const auto proved = proveFolder(source, path("out.gguf"));
        REQUIRE(proved);
        QCOMPARE(proved->row("blk.0.ssm_a")->tensor.proof,
                 difference == 1 ? TensorProof::LastBits : TensorProof::Different);
        QCOMPARE(proved->row("output_norm.weight")->tensor.proof, TensorProof::Different); // nothing is computed there
    }
}

void TestCompareOrigin::oneWeight_data() {
    QTest::addColumn<QString>("type");
    for (const char* type : {"F32", "F16", "BF16", "Q8_0", "Q6_K", "Q4_K_M", "IQ4_XS"}) {
        QTest::newRow(type) << type;
    }
}

// A single changed byte of the file: exactly this tensor differs.
void TestCompareOrigin::oneWeight() {
    QFETCH(QString, type);
    const fs::path source = sourceOf("llama");
    const auto written = write(source, path("out.gguf"), type.toUtf8().constData());
    REQUIRE(written);
    {
        const auto model = openModel(path("out.gguf"));
        REQUIRE(model);
        const TensorInfo& tensor = (*model)->tensor(*(*model)->findTensor("output.weight"));
        // The scale of a block, or the upper byte of a float.
        const std::uint32_t block = tensor.type()->blockBytes;
        const std::uint64_t at = tensor.offset + std::uint64_t{5} * block +
                                 (tensor.type()->name == "Q6_K"  ? block - 1
                                  : tensor.type()->blockSize > 1 ? 1
                                                                 : block - 1);
        const auto bytes = (*model)->bytesOf(tensor);
        REQUIRE(bytes);
        const std::byte changed = (*bytes)[at - tensor.offset] ^ std::byte{0x10};
        overwriteBytes(path("out.gguf"), at, std::span(&changed, 1));
    }
    const auto proved = proveFolder(source, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->notSame(), std::vector<std::string>{"output.weight"});
    QCOMPARE(proved->proof.verdict, OriginVerdict::Partly);
    QVERIFY(proved->proof.worst.has_value());
    QCOMPARE(proved->matches.rows[*proved->proof.worst].name, "output.weight");
    const ProvedTensor& tensor = proved->row("output.weight")->tensor;
    QCOMPARE(tensor.proof, TensorProof::Different);
    QVERIFY(tensor.sums.ee > 0 && tensor.sums.maximumIndex != PairSums::kNone);
    if (tensor.blocks != 0) {
        QCOMPARE(tensor.equalBlocks, tensor.blocks - 1);
        QCOMPARE(tensor.outliers, 1U);
    }
}

// A code that is another one by two steps, in one of thousands of blocks, whose error would not be unusual by itself.
void TestCompareOrigin::oneCode() {
    const fs::path source = sourceOf("qwen3moe");
    const auto written = write(source, path("out.gguf"), "Q8_0");
    REQUIRE(written);
    {
        const auto model = openModel(path("out.gguf"));
        REQUIRE(model);
        const TensorInfo& tensor = (*model)->tensor(*(*model)->findTensor("output.weight"));
        QCOMPARE(QString::fromStdString(tensor.typeName()), "Q8_0");
        const std::uint64_t at = std::uint64_t{7} * tensor.type()->blockBytes + 9;
        const auto bytes = (*model)->bytesOf(tensor);
        REQUIRE(bytes);
        const std::byte changed = (*bytes)[at] ^ std::byte{0x02};
        overwriteBytes(path("out.gguf"), tensor.offset + at, std::span(&changed, 1));
    }
    const auto proved = proveFolder(source, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->notSame(), std::vector<std::string>{"output.weight"});
}

// The same on the other side: one weight of the source.
void TestCompareOrigin::weightOfSource() {
    const fs::path copy = copyOf("qwen3");
    const auto written = write(copy, path("out.gguf"), "F16");
    REQUIRE(written);
    {
        const auto source = openModel(copy);
        REQUIRE(source);
        const TensorInfo& tensor = (*source)->tensor(*(*source)->findTensor("lm_head.weight"));
        const std::uint64_t width = tensor.type()->blockBytes;
        const std::byte changed{0x41};
        overwriteBytes((*source)->files[tensor.file.value].path, tensor.offset + 7 * width + width - 1,
                       std::span(&changed, 1));
    }
    const auto proved = proveFolder(copy, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->notSame(), std::vector<std::string>{"output.weight"});
    QCOMPARE(proved->row("output.weight")->tensor.sums.maximumIndex, 7U);
    QVERIFY(!proved->row("output.weight")->misfit);
}

void TestCompareOrigin::notANumberInSource() {
    const fs::path copy = copyOf("qwen3");
    for (const char* type : {"F32", "Q8_0"}) {
        const auto written = write(copy, path((std::string(type) + ".gguf").c_str()), type);
        REQUIRE(written);
    }
    {
        const auto source = openModel(copy);
        REQUIRE(source);
        const TensorInfo& tensor = (*source)->tensor(*(*source)->findTensor("lm_head.weight"));
        const std::vector<std::byte> ones(tensor.type()->blockBytes, std::byte{0xFF}); // a NaN in every float type
        overwriteBytes((*source)->files[tensor.file.value].path, tensor.offset, ones);
    }
    for (const char* type : {"F32", "Q8_0"}) {
        const auto proved = proveFolder(copy, path((std::string(type) + ".gguf").c_str()));
        REQUIRE(proved);
        QCOMPARE(proved->notSame(), std::vector<std::string>{"output.weight"});
        QCOMPARE(proved->row("output.weight")->tensor.proof, TensorProof::Different);
        QCOMPARE(proved->row("output.weight")->tensor.sums.excluded, 1U);
    }
    // A file that was converted from such a folder has the same NaN.
    const auto written = write(copy, path("nan.gguf"), "F32");
    REQUIRE(written);
    const auto proved = proveFolder(copy, path("nan.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.verdict, OriginVerdict::Same);
}

// The model of the origin works in a plain comparison: the figures are those of the converted values.
void TestCompareOrigin::figuresOfThePlan() {
    for (const char* fixture : {"gemma2", "qwen3-fp8", "gptneox"}) {
        const fs::path source = sourceOf(fixture);
        const auto written = write(source, path("out.gguf"), "F32");
        REQUIRE(written);
        const auto proved = proveFolder(source, path("out.gguf"));
        REQUIRE(proved);
        const auto comparison = compareModels(proved->matches);
        REQUIRE(comparison);
        const ComparisonTotals totals = comparison->totals(proved->matches, 1);
        QCOMPARE(totals.tensors, proved->matches.rows.size());
        QCOMPARE(totals.sums.ee, 0.0);
        QCOMPARE(totals.sums.equal, totals.sums.pairs);
        QVERIFY(totals.sums.pairs > 0);
    }
}

void TestCompareOrigin::filterOfRows() {
    const fs::path source = sourceOf("llama");
    const auto written = write(source, path("out.gguf"), "F16");
    REQUIRE(written);
    const auto proved = proveFolder(source, path("out.gguf"));
    REQUIRE(proved);
    const auto limited = proveOrigin(*proved->origin, proved->matches, proved->metadata,
                                     {.wanted = [](const TensorMatch& match) { return match.role == "attn_q"; }});
    REQUIRE(limited);
    QCOMPARE(limited->compared(), 2U);
    QCOMPARE(limited->verdict, OriginVerdict::Same);
}

// A comparison ends soon after it was cancelled, wherever it was.
void TestCompareOrigin::cancels() {
    const fs::path source = sourceOf("qwen3moe");
    const auto written = write(source, path("out.gguf"), "Q4_K_M");
    REQUIRE(written);
    std::stop_source before;
    before.request_stop();
    const auto never = proveFolder(source, path("out.gguf"), false, {.stop = before.get_token()});
    QVERIFY(!never && never.error().code == ErrorCode::Cancelled);

    const auto whole = proveFolder(source, path("out.gguf"));
    REQUIRE(whole);
    std::uint64_t weights = 0;
    for (const PlannedRow& row : whole->origin->plan->rows) {
        weights += row.shape.weights().value_or(0);
    }
    Progress all;
    const auto counted = proveFolder(source, path("out.gguf"), false, {.progress = &all});
    REQUIRE(counted);
    QCOMPARE(all.done(), weights);
    QCOMPARE(all.total(), weights);

    // Stopped by the first weights that were compared.
    std::stop_source during;
    Progress progress;
    std::jthread watch([&](const std::stop_token& done) {
        while (progress.done() == 0 && !done.stop_requested()) {
            std::this_thread::yield();
        }
        during.request_stop();
    });
    const auto stopped =
        proveFolder(source, path("out.gguf"), false, {.stop = during.get_token(), .progress = &progress, .threads = 1});
    watch.request_stop();
    QVERIFY(stopped.has_value() ? progress.done() == weights : stopped.error().code == ErrorCode::Cancelled);
}

GUFO_TEST(TestCompareOrigin)
#include "tst_compare_origin.moc"
