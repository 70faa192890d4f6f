// Folders are converted and compared with the result: everything is the same, whatever the types; and each mistake that
// a converter, or a change of either side, could make gives exactly the verdict that names it.
#include "analysis/compare/compare_models.h"
#include "convert/convert_folder.h"
#include "convert/origin/compare_origin.h"
#include "document/open_model.h"
#include "model/array_index.h"
#include "support/convert_fixtures.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <thread>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

// Folders that only ../shared has.
const QStringList kShared = {"bert-rank", "gemma",        "gemma-embedding", "glm4",      "gpt-oss-bf16",
                             "gpt2",      "llama-linear", "mamba",           "mistral",   "modern-bert",
                             "olmo2",     "phi2",         "qwen3-embed",     "starcoder", "t5"};

struct Proved {
    std::shared_ptr<const Origin> origin;
    TensorMatches matches;
    MetadataComparison metadata;
    OriginProof proof;

    [[nodiscard]] const ProvedRow* row(std::string_view name) const {
        for (std::size_t i = 0; i < matches.rows.size(); ++i) {
            if (matches.rows[i].name == name) {
                return &proof.rows[i];
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::vector<std::string> keys() const {
        std::vector<std::string> names;
        for (const KeyDifference& key : proof.keys) {
            names.emplace_back(metadata.rows[key.row].key);
        }
        return names;
    }
    [[nodiscard]] std::vector<std::string> notSame() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < matches.rows.size(); ++i) {
            if (!proof.rows[i].tensor.same()) {
                names.emplace_back(matches.rows[i].label());
            }
        }
        return names;
    }
};

std::string describe(const Error& error) {
    std::string text(errorName(error.code));
    for (const Argument& argument : error.args) {
        text += " | " + argument.text();
    }
    return text + " at " + error.place.name;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += name + ", ";
    }
    return text;
}

#define REQUIRE(result) QVERIFY2((result).has_value(), (result) ? "" : describe((result).error()).c_str())

Result<Proved> prove(const fs::path& folder, const fs::path& file, bool fileFirst = false, const JobContext& job = {}) {
    auto source = openModel(folder);
    auto model = openModel(file);
    if (!source || !model) {
        return std::unexpected(source ? model.error() : source.error());
    }
    auto origin = readOrigin(*source);
    if (!origin) {
        return std::unexpected(origin.error());
    }
    std::vector<std::shared_ptr<const Model>> models{(*origin)->model, *model};
    if (fileFirst) {
        std::swap(models[0], models[1]);
    }
    auto matches = matchTensors(models, 0);
    auto metadata = compareMetadata(models, 0);
    if (!matches || !metadata) {
        return std::unexpected(matches ? metadata.error() : matches.error());
    }
    auto proof = proveOrigin(**origin, *matches, *metadata, {}, job);
    if (!proof) {
        return std::unexpected(proof.error());
    }
    return Proved{*std::move(origin), *std::move(matches), *std::move(metadata), *std::move(proof)};
}

void overwrite(const fs::path& file, std::uint64_t offset, std::span<const std::byte> bytes) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

using Change = void (*)(ConversionPlan& plan);

} // namespace

class TestCompareOrigin final : public QObject {
    Q_OBJECT

private slots:
    void convertedIsSame_data();
    void convertedIsSame();
    void officialIsSame_data() { addConvertRows(kShared); }
    void officialIsSame();
    void lastBitOfComputedWeights();
    void mistakesAreNamed_data();
    void mistakesAreNamed();
    void oneWeight_data();
    void oneWeight();
    void weightOfSource();
    void notANumberInSource();
    void fineTune();
    void otherWeightsBehindQuantisation();
    void keysAndTokens();
    void truncatedFile();
    void missingBytesOfSource();
    void renamedAndReordered();
    void figuresOfThePlan();
    void filterOfRows();
    void cancels();

private:
    // Converts a folder with a change of the plan to a new file.
    Result<> write(const fs::path& source, const fs::path& out, const char* type, const Change& change = nullptr) const;
    // A copy of a fixture's source that may be changed.
    fs::path copyOf(const char* fixture);
    static fs::path sourceOf(const char* fixture) { return convertFixture(fixture, false).source(); }
    fs::path path(const char* name) const { return (m_folder.path() + '/' + name).toStdString(); }

    QTemporaryDir m_folder;
};

Result<> TestCompareOrigin::write(const fs::path& folder, const fs::path& out, const char* type,
                                  const Change& change) const {
    const auto source = SourceFolder::open(folder);
    if (!source) {
        return std::unexpected(source.error());
    }
    const ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
    auto plan = planConversion(*source, request);
    if (!plan) {
        return std::unexpected(plan.error());
    }
    if (change != nullptr) {
        change(*plan);
    }
    return writeConverted(*source, *plan, request, out);
}

fs::path TestCompareOrigin::copyOf(const char* fixture) {
    const fs::path copy = path("copy");
    fs::remove_all(copy);
    fs::copy(sourceOf(fixture), copy, fs::copy_options::recursive);
    fs::permissions(copy, fs::perms::owner_all, fs::perm_options::add);
    for (const auto& entry : fs::directory_iterator(copy)) {
        fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
    }
    return copy;
}

void TestCompareOrigin::convertedIsSame_data() { addConvertRows(kShared); }

void TestCompareOrigin::convertedIsSame() {
    QFETCH(QString, name);
    const ConvertFixture fixture = convertFixture(name);
    GUFO_SKIP_WITHOUT_FIXTURE(fixture);
    for (const char* type : {"F32", "F16", "BF16", "Q8_0", "Q4_K_M", "IQ4_XS"}) {
        const auto written = write(fixture.source(), path("out.gguf"), type);
        REQUIRE(written);
        for (const bool fileFirst : {false, true}) {
            const auto proved = prove(fixture.source(), path("out.gguf"), fileFirst);
            REQUIRE(proved);
            QVERIFY2(proved->notSame().empty(), (std::string(type) + ": " + listed(proved->notSame())).c_str());
            QVERIFY2(proved->proof.keys.empty(), listed(proved->keys()).c_str());
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
        QSKIP("only ../shared has this file");
    }
    const auto proved = prove(fixture.source(), file.toStdString());
    REQUIRE(proved);
    QVERIFY2(proved->notSame().empty(), listed(proved->notSame()).c_str());
    for (const KeyDifference& key : proved->proof.keys) {
        QVERIFY2(proved->metadata.rows[key.row].key == "tokenizer.ggml.pre" || key.descriptive,
                 listed(proved->keys()).c_str());
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
            overwrite(path("out.gguf"), tensor.offset, std::as_bytes(std::span(&bits, 1)));
        }
        const auto proved = prove(source, path("out.gguf"));
        REQUIRE(proved);
        QCOMPARE(proved->row("blk.0.ssm_a")->tensor.proof,
                 difference == 1 ? TensorProof::LastBits : TensorProof::Different);
        QCOMPARE(proved->row("output_norm.weight")->tensor.proof, TensorProof::Different); // nothing is computed there
    }
}

namespace {

void dropOperation(ConversionPlan& plan, OperationKind kind) {
    for (PlannedRow& row : plan.rows) {
        std::erase_if(row.operations, [&](const Operation& operation) { return operation.kind == kind; });
    }
}
PlannedRow& rowNamed(ConversionPlan& plan, std::string_view name) {
    return *std::ranges::find(plan.rows, name, &PlannedRow::target);
}

} // namespace

void TestCompareOrigin::mistakesAreNamed_data() {
    QTest::addColumn<QString>("fixture");
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("tensor"); // one that differs
    QTest::addColumn<int>("different");  // how many
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("operation");
    const auto row = [](const char* name, const char* fixture, Change change, const char* tensor, int different,
                        Misfit::Kind kind, OperationKind operation) {
        QTest::newRow(name) << fixture << change << tensor << different << static_cast<int>(kind)
                            << static_cast<int>(operation);
    };
    using Kind = OperationKind;
    // Q and K of both blocks.
    row(
        "not permuted", "llama", [](ConversionPlan& plan) { dropOperation(plan, Kind::PermuteRope); },
        "blk.0.attn_q.weight", 4, Misfit::Kind::Without, Kind::PermuteRope);
    row(
        "permuted the wrong way", "llama",
        [](ConversionPlan& plan) {
            for (PlannedRow& planned : plan.rows) {
                for (Operation& operation : planned.operations) {
                    operation.kind = operation.kind == Kind::PermuteRope ? Kind::UnpermuteRope : operation.kind;
                }
            }
        },
        "blk.1.attn_k.weight", 4, Misfit::Kind::Reversed, Kind::PermuteRope);
    row(
        "permuted for no reason", "qwen3",
        [](ConversionPlan& plan) {
            rowNamed(plan, "blk.0.attn_q.weight").operations.push_back({Kind::PermuteRope, {1, 4}});
        },
        "blk.0.attn_q.weight", 1, Misfit::Kind::With, Kind::PermuteRope);
    row(
        "norms without + 1", "gemma2",
        [](ConversionPlan& plan) {
            std::erase_if(rowNamed(plan, "output_norm.weight").operations,
                          [](const Operation& operation) { return operation.kind == Kind::Add; });
        },
        "output_norm.weight", 1, Misfit::Kind::Without, Kind::Add);
    row(
        "norms with + 1", "qwen3",
        [](ConversionPlan& plan) { rowNamed(plan, "output_norm.weight").operations.push_back({Kind::Add, {1}}); },
        "output_norm.weight", 1, Misfit::Kind::With, Kind::Add);
    row(
        "rows not regrouped", "gptneox", [](ConversionPlan& plan) { dropOperation(plan, Kind::RegroupRows); },
        "blk.0.attn_qkv.weight", 4, Misfit::Kind::Without, Kind::RegroupRows);
    row(
        "gate and up exchanged", "llama",
        [](ConversionPlan& plan) {
            std::swap(rowNamed(plan, "blk.0.ffn_gate.weight").parts, rowNamed(plan, "blk.0.ffn_up.weight").parts);
        },
        "blk.0.ffn_gate.weight", 2, Misfit::Kind::OtherTensor, Kind::Rename);
}

void TestCompareOrigin::mistakesAreNamed() {
    QFETCH(QString, fixture);
    QFETCH(Change, change);
    QFETCH(QString, tensor);
    QFETCH(int, different);
    QFETCH(int, kind);
    QFETCH(int, operation);
    for (const char* type : {"F32", "F16", "Q8_0"}) {
        const fs::path source = sourceOf(fixture.toUtf8().constData());
        const auto written = write(source, path("out.gguf"), type, change);
        REQUIRE(written);
        const auto proved = prove(source, path("out.gguf"));
        REQUIRE(proved);
        QVERIFY2(proved->proof.count(TensorProof::Different) == static_cast<std::uint64_t>(different),
                 listed(proved->notSame()).c_str());
        QCOMPARE(proved->proof.same() + static_cast<std::uint64_t>(different), proved->proof.compared());
        QCOMPARE(proved->proof.verdict, OriginVerdict::Partly);
        QVERIFY(proved->proof.keys.empty());
        for (const ProvedRow& row : proved->proof.rows) {
            QCOMPARE(row.misfit.has_value(), row.tensor.proof == TensorProof::Different);
        }
        const ProvedRow* row = proved->row(tensor.toStdString());
        QVERIFY(row != nullptr && row->misfit);
        QCOMPARE(static_cast<int>(row->misfit->kind), kind);
        QCOMPARE(static_cast<int>(row->misfit->operation.kind), operation);
        if (row->misfit->kind == Misfit::Kind::OtherTensor) {
            QCOMPARE(proved->origin->plan->rows[row->misfit->other].target, "blk.0.ffn_up.weight");
        }
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
        overwrite(path("out.gguf"), at, std::span(&changed, 1));
    }
    const auto proved = prove(source, path("out.gguf"));
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
        overwrite((*source)->files[tensor.file.value].path, tensor.offset + 7 * width + width - 1,
                  std::span(&changed, 1));
    }
    const auto proved = prove(copy, path("out.gguf"));
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
        overwrite((*source)->files[tensor.file.value].path, tensor.offset, ones);
    }
    for (const char* type : {"F32", "Q8_0"}) {
        const auto proved = prove(copy, path((std::string(type) + ".gguf").c_str()));
        REQUIRE(proved);
        QCOMPARE(proved->notSame(), std::vector<std::string>{"output.weight"});
        QCOMPARE(proved->row("output.weight")->tensor.proof, TensorProof::Different);
        QCOMPARE(proved->row("output.weight")->tensor.sums.excluded, 1U);
    }
    // A file that was converted from such a folder has the same NaN.
    const auto written = write(copy, path("nan.gguf"), "F32");
    REQUIRE(written);
    const auto proved = prove(copy, path("nan.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.verdict, OriginVerdict::Same);
}

// Every matrix differs a little, as in another fine-tune of the same base.
void TestCompareOrigin::fineTune() {
    const fs::path copy = copyOf("qwen3");
    const auto written = write(copy, path("out.gguf"), "F16");
    REQUIRE(written);
    {
        const auto model = openModel(path("out.gguf"));
        REQUIRE(model);
        std::mt19937 random(7);
        for (const TensorInfo& tensor : (*model)->tensors) {
            const auto stored = (*model)->bytesOf(tensor);
            REQUIRE(stored);
            std::vector<std::byte> bytes(stored->begin(), stored->end());
            const std::uint32_t width = tensor.type()->blockBytes;
            for (std::size_t i = width - 2; i < bytes.size(); i += width) { // the middle bits of the mantissa
                bytes[i] ^= std::byte{static_cast<unsigned char>(random() & 0x08U)};
            }
            overwrite(path("out.gguf"), tensor.offset, bytes);
        }
    }
    const auto proved = prove(copy, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.same(), 0U);
    QCOMPARE(proved->proof.count(TensorProof::Different), proved->proof.compared());
    QCOMPARE(proved->proof.verdict, OriginVerdict::Other);
    for (const ProvedRow& row : proved->proof.rows) {
        QVERIFY(!row.misfit);
    }
}

// A quantised file of other weights does not hide behind the error of its type.
void TestCompareOrigin::otherWeightsBehindQuantisation() {
    const fs::path copy = copyOf("qwen3");
    const auto written = write(copy, path("out.gguf"), "Q4_0");
    REQUIRE(written);
    {
        const auto source = openModel(copy);
        REQUIRE(source);
        std::mt19937 random(11);
        std::uniform_real_distribution<float> noise(0.5F, 1.5F);
        for (const TensorInfo& tensor : (*source)->tensors) {
            const auto rows = (*source)->rowsOf(tensor);
            REQUIRE(rows);
            std::vector<float> weights(tensor.weights());
            REQUIRE(decode(*rows, 0, weights));
            std::vector<std::byte> bytes;
            for (const float weight : weights) { // F32, BF16: the upper bytes of a float
                const auto bits = std::bit_cast<std::uint32_t>(weight * noise(random));
                const std::uint32_t width = tensor.type()->blockBytes;
                QVERIFY(tensor.type()->name == "F32" || tensor.type()->name == "BF16");
                for (std::uint32_t i = 4 - width; i < 4; ++i) {
                    bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
                }
            }
            overwrite((*source)->files[tensor.file.value].path, tensor.offset, bytes);
        }
    }
    const auto proved = prove(copy, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.same(), 0U);
    QCOMPARE(proved->proof.verdict, OriginVerdict::Other);
}

void TestCompareOrigin::keysAndTokens() {
    const fs::path source = sourceOf("qwen3");
    struct Case {
        Change change;
        std::vector<std::string> keys;
        bool missing;
        OriginVerdict verdict;
    };
    const auto set = [](ConversionPlan& plan, std::string_view key, OwnedValue value) {
        std::ranges::find(plan.keys, key, &PlannedKey::key)->value = std::move(value);
    };
    static const auto kSet = set;
    const std::vector<Case> cases = {
        {[](ConversionPlan& plan) { kSet(plan, "qwen3.block_count", OwnedValue(Value(std::uint32_t{7}))); },
         {"qwen3.block_count"},
         false,
         OriginVerdict::SameWeights},
        // The same number in another type.
        {[](ConversionPlan& plan) {
             auto& key = *std::ranges::find(plan.keys, "qwen3.block_count", &PlannedKey::key);
             key.value = OwnedValue(Value(*asUInt(key.value.value())));
         },
         {},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) {
             std::erase_if(plan.keys, [](const PlannedKey& key) { return key.key == "qwen3.block_count"; });
         },
         {"qwen3.block_count"},
         true,
         OriginVerdict::SameWeights},
        // What only the file has is no difference.
        {[](ConversionPlan& plan) { plan.keys.push_back({"qwen3.note", OwnedValue::string("more"), {}}); },
         {},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) { kSet(plan, "general.name", OwnedValue::string("Another")); },
         {"general.name"},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) { kSet(plan, "tokenizer.chat_template", OwnedValue::string("{{ x }}")); },
         {"tokenizer.chat_template"},
         false,
         OriginVerdict::SameWeights},
        {[](ConversionPlan& plan) { kSet(plan, "tokenizer.ggml.pre", OwnedValue::string("llama-bpe")); },
         {"tokenizer.ggml.pre"},
         false,
         OriginVerdict::SameWeights},
        // Another name of the same rule.
        {[](ConversionPlan& plan) { kSet(plan, "tokenizer.ggml.pre", OwnedValue::string("stablelm2")); },
         {},
         false,
         OriginVerdict::Same},
        {[](ConversionPlan& plan) {
             auto& key = *std::ranges::find(plan.keys, "tokenizer.ggml.tokens", &PlannedKey::key);
             const ArrayView& array = *asArray(key.value.value());
             std::vector<std::string> tokens;
             static_cast<void>(forEachElement(array, [&](std::uint64_t, const Value& token) {
                 tokens.emplace_back(*asString(token));
                 return true;
             }));
             tokens[5] = "changed";
             key.value = OwnedValue::strings(tokens);
         },
         {"tokenizer.ggml.tokens"},
         false,
         OriginVerdict::SameWeights},
    };
    for (const Case& each : cases) {
        const auto written = write(source, path("out.gguf"), "F16", each.change);
        REQUIRE(written);
        for (const bool fileFirst : {false, true}) {
            const auto proved = prove(source, path("out.gguf"), fileFirst);
            REQUIRE(proved);
            QVERIFY2(proved->keys() == each.keys, listed(proved->keys()).c_str());
            QCOMPARE(proved->proof.verdict, each.verdict);
            QCOMPARE(proved->proof.same(), proved->proof.compared());
            for (const KeyDifference& key : proved->proof.keys) {
                QCOMPARE(key.missing, each.missing);
            }
        }
    }
}

void TestCompareOrigin::truncatedFile() {
    const fs::path source = sourceOf("llama");
    const auto written = write(source, path("out.gguf"), "F32");
    REQUIRE(written);
    fs::resize_file(path("out.gguf"), fs::file_size(path("out.gguf")) - 64);
    const auto proved = prove(source, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.count(TensorProof::Failed), 1U);
    for (const ProvedRow& row : proved->proof.rows) {
        QCOMPARE(row.tensor.error.has_value(), row.tensor.proof == TensorProof::Failed);
        QVERIFY(!row.tensor.error || row.tensor.error->code == ErrorCode::Truncated);
    }
    QCOMPARE(proved->proof.verdict, OriginVerdict::Partly);
}

// A shard of the origin is missing: its tensors cannot be read, and the others are the same.
void TestCompareOrigin::missingBytesOfSource() {
    const fs::path copy = copyOf("qwen3");
    const auto written = write(copy, path("out.gguf"), "F16");
    REQUIRE(written);
    {
        // Two shards, of which the second, with one tensor, is not there.
        const auto source = openModel(copy);
        REQUIRE(source);
        QJsonObject map;
        QJsonObject header;
        QByteArray data;
        for (const TensorInfo& tensor : (*source)->tensors) {
            const QString name = QString::fromStdString(std::string(tensor.name));
            const bool first = name != "lm_head.weight";
            map[name] = first ? "model-00001-of-00002.safetensors" : "model-00002-of-00002.safetensors";
            if (!first) {
                continue;
            }
            QJsonArray shape;
            for (const std::uint64_t dim : tensor.shape.dims()) {
                shape.prepend(static_cast<qint64>(dim));
            }
            const auto bytes = (*source)->bytesOf(tensor);
            REQUIRE(bytes);
            header[name] = QJsonObject{
                {"dtype", QString::fromStdString(tensor.typeName())},
                {"shape", shape},
                {"data_offsets", QJsonArray{data.size(), data.size() + static_cast<qsizetype>(bytes->size())}}};
            data.append(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size()));
        }
        const auto save = [&](const char* name, const QByteArray& bytes) {
            QFile file(QString::fromStdString((copy / name).string()));
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        const QByteArray json = QJsonDocument(header).toJson(QJsonDocument::Compact);
        QByteArray length(8, '\0');
        const auto size = static_cast<std::uint64_t>(json.size());
        std::memcpy(length.data(), &size, sizeof size);
        QVERIFY(save("model-00001-of-00002.safetensors", length + json + data));
        QVERIFY(save("model.safetensors.index.json", QJsonDocument(QJsonObject{{"weight_map", map}}).toJson()));
    }
    fs::remove(copy / "model.safetensors");
    const auto proved = prove(copy, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->notSame(), std::vector<std::string>{"output.weight"});
    QCOMPARE(proved->proof.verdict, OriginVerdict::Partly);
}

void TestCompareOrigin::renamedAndReordered() {
    const fs::path source = sourceOf("llama");
    const auto written = write(source, path("out.gguf"), "Q8_0", [](ConversionPlan& plan) {
        std::ranges::reverse(plan.rows);
        rowNamed(plan, "output.weight").target = "lm_head";
    });
    REQUIRE(written);
    const auto proved = prove(source, path("out.gguf"));
    REQUIRE(proved);
    QCOMPARE(proved->proof.verdict, OriginVerdict::Same);
    QCOMPARE(proved->proof.same(), proved->origin->plan->rows.size());

    const auto less = write(source, path("less.gguf"), "Q8_0", [](ConversionPlan& plan) {
        std::erase_if(plan.rows, [](const PlannedRow& row) { return row.target == "blk.1.ffn_norm.weight"; });
    });
    REQUIRE(less);
    const auto lacking = prove(source, path("less.gguf"));
    REQUIRE(lacking);
    QCOMPARE(lacking->notSame(), std::vector<std::string>{"blk.1.ffn_norm.weight"});
    QCOMPARE(lacking->row("blk.1.ffn_norm.weight")->tensor.proof, TensorProof::Missing);
}

// The model of the origin works in a plain comparison: the figures are those of the converted values.
void TestCompareOrigin::figuresOfThePlan() {
    for (const char* fixture : {"gemma2", "qwen3-fp8", "gptneox"}) {
        const fs::path source = sourceOf(fixture);
        const auto written = write(source, path("out.gguf"), "F32");
        REQUIRE(written);
        const auto proved = prove(source, path("out.gguf"));
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
    const auto proved = prove(source, path("out.gguf"));
    REQUIRE(proved);
    const auto some = proveOrigin(*proved->origin, proved->matches, proved->metadata,
                                  {.wanted = [](const TensorMatch& match) { return match.role == "attn_q"; }});
    REQUIRE(some);
    QCOMPARE(some->compared(), 2U);
    QCOMPARE(some->verdict, OriginVerdict::Same);
}

// A comparison ends soon after it was cancelled, wherever it was.
void TestCompareOrigin::cancels() {
    const fs::path source = sourceOf("qwen3moe");
    const auto written = write(source, path("out.gguf"), "Q4_K_M");
    REQUIRE(written);
    std::stop_source before;
    before.request_stop();
    const auto never = prove(source, path("out.gguf"), false, {.stop = before.get_token()});
    QVERIFY(!never && never.error().code == ErrorCode::Cancelled);

    const auto whole = prove(source, path("out.gguf"));
    REQUIRE(whole);
    std::uint64_t weights = 0;
    for (const PlannedRow& row : whole->origin->plan->rows) {
        weights += row.shape.weights().value_or(0);
    }
    Progress all;
    const auto counted = prove(source, path("out.gguf"), false, {.progress = &all});
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
        prove(source, path("out.gguf"), false, {.stop = during.get_token(), .progress = &progress, .threads = 1});
    watch.request_stop();
    QVERIFY(stopped.has_value() ? progress.done() == weights : stopped.error().code == ErrorCode::Cancelled);
}

GUFO_TEST(TestCompareOrigin)
#include "tst_compare_origin.moc"
