// Quantises whole models: the written bytes, that they do not depend on threads, and that failures leave nothing
// behind.
#include "base/mapped_file.h"
#include "document/open_model.h"
#include "formats/gguf/read/shards.h"
#include "model/file_type.h"
#include "quantize/quantize_model.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "tensor/decode.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>
#include <thread>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kUnknown = 9999;

std::vector<std::byte> normalBytes(std::size_t count, unsigned seed, ByteOrder order = ByteOrder::Little) {
    std::mt19937 random(seed);
    std::normal_distribution<float> weights(0, 0.02F);
    std::vector<std::byte> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        store(bytes.data() + 4 * i, weights(random), order);
    }
    return bytes;
}

// Matrices of various shapes, and tensors that are not quantised.
GgufBuilder modelFile(ByteOrder order = ByteOrder::Little) {
    GgufBuilder file(3, order);
    file.key("general.architecture", "llama").key("llama.block_count", std::uint32_t{1});
    file.key("general.file_type", std::uint32_t{0}).key("general.alignment", std::uint32_t{32});
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c"});
    file.key("my.key", std::vector<float>{1.5F, -2.5F});
    const auto add = [&](const char* name, std::vector<std::uint64_t> dims, unsigned seed) {
        std::uint64_t weights = 1;
        for (const std::uint64_t dim : dims) {
            weights *= dim;
        }
        file.tensor(name, kF32, dims, normalBytes(weights, seed, order));
    };
    add("token_embd.weight", {256, 300}, 1);
    add("blk.0.attn_norm.weight", {256}, 2);
    add("blk.0.attn_q.weight", {256, 512}, 3);        // more than one piece
    add("blk.0.ffn_down.weight", {160, 64}, 4);       // not a multiple of blocks of 256
    add("blk.0.ffn_up_exps.weight", {256, 48, 3}, 5); // three matrices
    add("blk.0.ffn_up.weight", {131'072, 2}, 6);      // rows longer than a piece
    add("output.weight", {256, 300}, 7);
    file.tensor("blk.0.ids", kI32, {256, 2}, std::vector<std::byte>(2048, std::byte{3}));
    return file;
}

std::vector<std::byte> bytesOf(const fs::path& path) {
    const auto file = MappedFile::open(path);
    const Bytes bytes = *(*file)->view({0, (*file)->size()});
    return {bytes.begin(), bytes.end()};
}

std::shared_ptr<const Model> read(const GgufBuilder& file) { return *gguf::read(file.source()); }

std::vector<float> valuesOf(const Model& model, const TensorInfo& tensor) {
    std::vector<float> values(tensor.weights());
    return decode(tensor.typeId, *model.bytesOf(tensor), values, model.byteOrder) ? values : std::vector<float>();
}

double relativeError(const Model& a, const Model& b, std::string_view name) {
    const std::vector<float> x = valuesOf(a, a.tensor(*a.findTensor(name)));
    const std::vector<float> y = valuesOf(b, b.tensor(*b.findTensor(name)));
    double error = 0;
    double energy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        error += std::pow(static_cast<double>(x[i]) - static_cast<double>(y[i]), 2);
        energy += std::pow(static_cast<double>(x[i]), 2);
    }
    return x.size() == y.size() ? error / energy : 1;
}

std::shared_ptr<const Imatrix> imatrixOf(const std::vector<std::pair<std::string, std::vector<float>>>& entries) {
    GgufBytes bytes;
    bytes.number(static_cast<std::int32_t>(entries.size()));
    for (const auto& [name, values] : entries) {
        bytes.number(static_cast<std::int32_t>(name.size())).text(name).number(std::int32_t{1});
        bytes.number(static_cast<std::int32_t>(values.size()));
        for (const float value : values) {
            bytes.number(value);
        }
    }
    bytes.number(std::int32_t{42}).number(std::int32_t{8}).text("wiki.txt");
    auto imatrix = Imatrix::read(std::make_shared<MemorySource>(bytes.bytes, "some/folder/my.imatrix"));
    return std::make_shared<const Imatrix>(std::move(*imatrix));
}

} // namespace

class TestQuantizeModel : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void writesWhatWasPlanned_data();
    void writesWhatWasPlanned();
    void doesNotDependOnThreads();
    void bigEndianStaysSo();
    void joinsShards();
    void refusesAChangedSource();
    void usesTheImportanceMatrix();
    void namesOnlyAMatrixThatGaveSomething_data();
    void namesOnlyAMatrixThatGaveSomething();
    void importanceOfEachExpert();
    void keepsUnknownTypes();
    void refusesLossySources();
    void refusesDamagedModels();
    void refusesWeightsThatNoTypeHolds();
    void refusesItsOwnFile();
    void leavesNothingWhenItFails();
    void cancels();
    void countsProgress();

private:
    [[nodiscard]] fs::path path(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    [[nodiscard]] std::size_t filesInFolder() const {
        const fs::directory_iterator files(m_folder->path().toStdString());
        return static_cast<std::size_t>(std::distance(begin(files), end(files)));
    }
    [[nodiscard]] static QuantizeRequest request(std::string_view recipe) {
        QuantizeRequest request;
        request.recipe.recipe = findRecipe(recipe);
        return request;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestQuantizeModel::writesWhatWasPlanned_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<double>("nmse"); // upper bound for Gaussian weights
    QTest::newRow("F32") << "F32" << 0.0;
    QTest::newRow("F16") << "F16" << 2e-7;
    QTest::newRow("BF16") << "BF16" << 5e-6;
    QTest::newRow("Q8_0") << "Q8_0" << 3e-5;
    QTest::newRow("Q6_K") << "Q6_K" << 4e-4;
    QTest::newRow("Q5_K_M") << "Q5_K_M" << 1.5e-3;
    QTest::newRow("Q4_K_M") << "Q4_K_M" << 6e-3;
    QTest::newRow("Q4_0") << "Q4_0" << 8e-3;
    QTest::newRow("IQ4_XS") << "IQ4_XS" << 7e-3;
    QTest::newRow("MXFP4_MOE") << "MXFP4_MOE" << 2e-2;
    QTest::newRow("Q3_K_M") << "Q3_K_M" << 2.5e-2;
    QTest::newRow("Q2_K") << "Q2_K" << 8e-2;
}

void TestQuantizeModel::writesWhatWasPlanned() {
    QFETCH(QString, recipe);
    QFETCH(double, nmse);
    const auto source = read(modelFile());
    const QuantizeRequest wanted = request(recipe.toStdString());
    const auto plan = planQuantization(*source, wanted);
    QVERIFY(plan);
    const auto done = quantizeModel(*source, wanted, path("out.gguf"));
    QVERIFY(done);
    QCOMPARE(filesInFolder(), std::size_t{1});
    QCOMPARE(fs::file_size(path("out.gguf")), plan->fileBytes);
    const auto opened = openModel(path("out.gguf"));
    QVERIFY(opened);
    const Model& made = **opened;
    QVERIFY(made.findings.empty());
    QCOMPARE(made.tensors.size(), source->tensors.size());
    for (std::size_t i = 0; i < made.tensors.size(); ++i) {
        const TensorInfo& tensor = made.tensors[i];
        QCOMPARE(tensor.name, source->tensors[i].name);
        QCOMPARE(tensor.typeId, plan->tensors()[i].typeId);
        QCOMPARE(*tensor.bytes, plan->tensors()[i].bytes);
        QVERIFY(tensor.shape == source->tensors[i].shape);
        if (tensor.typeId == source->tensors[i].typeId) {
            QVERIFY(std::ranges::equal(*made.bytesOf(tensor), *source->bytesOf(source->tensors[i])));
        } else {
            const double error = relativeError(*source, made, tensor.name);
            QVERIFY2(error <= nmse, qPrintable(QStringLiteral("%1: %2").arg(tensor.name.data()).arg(error)));
        }
    }
    QCOMPARE(made.metadata.uint("general.file_type"),
             std::optional<std::uint64_t>(findFileType(wanted.recipe.recipe->name)->value));
    QCOMPARE(made.metadata.uint("general.quantization_version"), std::optional<std::uint64_t>(2));
    QCOMPARE(made.metadata.array("tokenizer.ggml.tokens")->length, std::uint64_t{3});
    QCOMPARE(made.metadata.array("my.key")->length, std::uint64_t{2});
    QVERIFY(made.metadata.find("quantize.imatrix.file") == nullptr);
}

void TestQuantizeModel::doesNotDependOnThreads() {
    const auto source = read(modelFile());
    std::vector<std::byte> first;
    for (const unsigned threads : {1U, 2U, 3U, 7U}) {
        QVERIFY(quantizeModel(*source, request("Q4_K_M"), path("out.gguf"), {.threads = threads}));
        const std::vector<std::byte> bytes = bytesOf(path("out.gguf"));
        first = first.empty() ? bytes : first;
        QVERIFY(bytes == first);
    }
}

void TestQuantizeModel::bigEndianStaysSo() {
    const auto little = read(modelFile());
    const auto big = read(modelFile(ByteOrder::Big));
    QVERIFY(quantizeModel(*little, request("Q4_K_M"), path("little.gguf")));
    QVERIFY(quantizeModel(*big, request("Q4_K_M"), path("big.gguf")));
    const auto a = openModel(path("little.gguf"));
    const auto b = openModel(path("big.gguf"));
    QVERIFY(a && b);
    QCOMPARE((*b)->byteOrder, ByteOrder::Big);
    QCOMPARE((*b)->metadata.array("my.key")->length, std::uint64_t{2});
    for (std::size_t i = 0; i < (*a)->tensors.size(); ++i) {
        QCOMPARE((*a)->tensors[i].typeId, (*b)->tensors[i].typeId);
        if ((*a)->tensors[i].typeId != kI32) {
            QVERIFY(valuesOf(**a, (*a)->tensors[i]) == valuesOf(**b, (*b)->tensors[i]));
        }
    }
}

void TestQuantizeModel::joinsShards() {
    for (std::uint16_t i = 0; i < 2; ++i) {
        GgufBuilder file;
        if (i == 0) {
            file.key("general.architecture", "llama");
        }
        file.key("split.no", i).key("split.count", std::uint16_t{2}).key("split.tensors.count", std::int32_t{2});
        file.tensor("blk." + std::to_string(i) + ".attn_q.weight", kF32, {256, 4}, normalBytes(1024, i));
        file.write(path("x").parent_path() / gguf::shardFileName({"model", i + 1U, 2}));
    }
    const auto source = openModel(path("model-00001-of-00002.gguf"));
    QVERIFY(source);
    QVERIFY(quantizeModel(**source, request("Q8_0"), path("out.gguf")));
    const auto made = openModel(path("out.gguf"));
    QVERIFY(made);
    QCOMPARE((*made)->tensors.size(), std::size_t{2});
    QCOMPARE((*made)->files.size(), std::size_t{1});
    QVERIFY((*made)->findings.empty());
    for (const KeyValue& kv : (*made)->metadata) {
        QVERIFY(!kv.key.starts_with("split."));
    }
    // A missing entry is an error, not a hole.
    fs::remove(path("model-00002-of-00002.gguf"));
    const auto half = openModel(path("model-00001-of-00002.gguf"));
    QVERIFY(half);
    const auto refused = quantizeModel(**half, request("Q8_0"), path("none.gguf"));
    QVERIFY((*half)->tensors.size() == 1 || !refused);
}

// Weights that another program has written into the file since it was opened belong to no model that was shown.
void TestQuantizeModel::refusesAChangedSource() {
    modelFile().write(path("model.gguf"));
    const auto source = openModel(path("model.gguf"));
    QVERIFY(source);
    std::fstream(path("model.gguf"), std::ios::binary | std::ios::in | std::ios::out).seekp(100'000) << "other weights";
    const auto refused = quantizeModel(**source, request("Q8_0"), path("out.gguf"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::FileChangedOnDisk);
    QCOMPARE(refused.error().file, path("model.gguf"));
    QVERIFY(!fs::exists(path("out.gguf")));
}

void TestQuantizeModel::usesTheImportanceMatrix() {
    const auto source = read(modelFile());
    std::vector<float> importance(256, 1.0F);
    for (std::size_t i = 0; i < importance.size(); i += 5) {
        importance[i] = 200;
    }
    QuantizeRequest with = request("Q4_K_M");
    with.imatrix = imatrixOf({{"blk.0.attn_q.weight", importance}});
    const auto plan = quantizeModel(*source, with, path("with.gguf"));
    QVERIFY(plan);
    QVERIFY(plan->importance);
    QCOMPARE(plan->importance->used, std::size_t{1});
    const std::vector<std::string> without{"blk.0.ffn_down.weight", "blk.0.ffn_up_exps.weight", "blk.0.ffn_up.weight"};
    QVERIFY(plan->importance->without == without); // the embedding and the output expect no entry
    QVERIFY(quantizeModel(*source, request("Q4_K_M"), path("without.gguf")));
    const auto a = openModel(path("with.gguf"));
    const auto b = openModel(path("without.gguf"));
    const auto weighted = [&](const Model& model) {
        const std::vector<float> x = valuesOf(*source, source->tensor(*source->findTensor("blk.0.attn_q.weight")));
        const std::vector<float> y = valuesOf(model, model.tensor(*model.findTensor("blk.0.attn_q.weight")));
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double rest = static_cast<double>(x[i]) - static_cast<double>(y[i]);
            sum += rest * rest * static_cast<double>(importance[i % 256]);
        }
        return sum;
    };
    QVERIFY(weighted(**a) < 0.9 * weighted(**b));
    QVERIFY(std::ranges::equal(*(*a)->bytesOf((*a)->tensors[0]), *(*b)->bytesOf((*b)->tensors[0]))); // no entry
    const Metadata& metadata = (*a)->metadata;
    QCOMPARE(metadata.string("quantize.imatrix.file"), std::optional<std::string_view>("my.imatrix"));
    QCOMPARE(metadata.string("quantize.imatrix.dataset"), std::optional<std::string_view>("wiki.txt"));
    QCOMPARE(metadata.uint("quantize.imatrix.entries_count"), std::optional<std::uint64_t>(1));
    QCOMPARE(metadata.uint("quantize.imatrix.chunks_count"), std::optional<std::uint64_t>(42));
    // An importance matrix of another model.
    with.imatrix = imatrixOf({{"blk.0.attn_q.weight", {1, 2, 3}}});
    const auto other = quantizeModel(*source, with, path("other.gguf"));
    QCOMPARE(other.error().code, ErrorCode::InvalidArgument);
    QCOMPARE(other.error().place.name, std::string("blk.0.attn_q.weight"));
}

void TestQuantizeModel::namesOnlyAMatrixThatGaveSomething_data() {
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<float>("value");
    QTest::addColumn<QString>("result"); // named, not named, or the reason of the error
    QTest::newRow("used") << "Q4_K_M" << "blk.0.attn_q.weight" << 2.0F << "named";
    QTest::newRow("all zero") << "Q4_K_M" << "blk.0.attn_q.weight" << 0.0F << "not named";
    QTest::newRow("of a tensor that stays") << "Q4_K_M" << "blk.0.attn_norm.weight" << 2.0F << "not named";
    QTest::newRow("types without blocks") << "F16" << "blk.0.attn_q.weight" << 2.0F << "not named";
    QTest::newRow("NaN") << "Q4_K_M" << "blk.0.attn_q.weight" << NAN << "imatrix_bad_value";
    QTest::newRow("fits nothing") << "Q4_K_M" << "blk.7.attn_q.weight" << 2.0F
                                  << "imatrix_fits_nothing 1 blk.7.attn_q.weight";
    QTest::newRow("fits nothing, types without blocks")
        << "F16" << "blk.7.attn_q.weight" << 2.0F << "imatrix_fits_nothing 1 blk.7.attn_q.weight";
}

// What is wrong is known from the plan alone, which --dry-run and the window show.
void TestQuantizeModel::namesOnlyAMatrixThatGaveSomething() {
    QFETCH(QString, recipe);
    QFETCH(QString, tensor);
    QFETCH(float, value);
    QFETCH(QString, result);
    GgufBuilder file = modelFile();
    file.key("quantize.imatrix.file", "an older one");
    const auto source = read(file);
    QuantizeRequest with = request(recipe.toStdString());
    with.imatrix = imatrixOf({{tensor.toStdString(), std::vector<float>(256, value)}});
    const auto plan = planQuantization(*source, with);
    const auto written = quantizeModel(*source, with, path("out.gguf"));
    QCOMPARE(written.has_value(), plan.has_value());
    if (!plan) {
        QCOMPARE(QString::fromStdString(plan.error().args.front().text()), result);
        QCOMPARE(plan.error().file, fs::path("some/folder/my.imatrix"));
        QVERIFY(!fs::exists(path("out.gguf")));
        return;
    }
    const auto made = openModel(path("out.gguf"));
    QVERIFY(made);
    const auto name = (*made)->metadata.string("quantize.imatrix.file");
    QCOMPARE(name, result == "named" ? std::optional<std::string_view>("my.imatrix") : std::nullopt);
    QCOMPARE(plan->importance->used, name ? std::size_t{1} : std::size_t{0});
}

// Each expert is encoded with its own part of the importance matrix, as the tensor of that expert alone would be.
void TestQuantizeModel::importanceOfEachExpert() {
    std::vector<float> importance(std::size_t{3} * 256);
    for (std::size_t i = 0; i < importance.size(); ++i) {
        importance[i] = static_cast<float>((i * 7919) % 101) * static_cast<float>(1 + i / 256);
    }
    const auto source = read(modelFile());
    QuantizeRequest all = request("Q4_K_S");
    all.imatrix = imatrixOf({{"blk.0.ffn_up_exps.weight", importance}});
    QVERIFY(quantizeModel(*source, all, path("all.gguf")));
    const auto made = openModel(path("all.gguf"));
    const Bytes together = *(*made)->bytesOf((*made)->tensor(*(*made)->findTensor("blk.0.ffn_up_exps.weight")));
    const std::vector<std::byte> weights = normalBytes(std::size_t{256} * 48 * 3, 5);
    for (std::size_t expert = 0; expert < 3; ++expert) {
        const std::size_t bytes = std::size_t{256} * 48 * 4;
        const auto first = weights.begin() + static_cast<std::ptrdiff_t>(expert * bytes);
        GgufBuilder file;
        file.key("general.architecture", "llama");
        file.tensor("blk.0.ffn_up.weight", kF32, {256, 48},
                    std::vector<std::byte>(first, first + static_cast<std::ptrdiff_t>(bytes)));
        QuantizeRequest one = request("Q4_K_S");
        const auto part = importance.begin() + static_cast<std::ptrdiff_t>(expert * 256);
        one.imatrix = imatrixOf({{"blk.0.ffn_up.weight", {part, part + 256}}});
        QVERIFY(quantizeModel(*read(file), one, path("one.gguf")));
        const auto alone = openModel(path("one.gguf"));
        const Bytes single = *(*alone)->bytesOf((*alone)->tensors[0]);
        QVERIFY(std::ranges::equal(together.subspan(expert * single.size(), single.size()), single));
    }
}

void TestQuantizeModel::keepsUnknownTypes() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.tensor("blk.0.attn_q.weight", kF32, {256, 2}, normalBytes(512, 1));
    // IQ2_KT of ik_llama.cpp. Only its size is known: 4 bytes for each row and 68 for each block.
    file.tensorRecord("blk.0.strange.weight", 153, {256, 2}, 2048);
    file.trailing.assign(160, std::byte{7});
    const auto source = read(file);
    QVERIFY(quantizeModel(*source, request("Q4_K_S"), path("out.gguf")));
    const auto made = openModel(path("out.gguf"));
    const TensorInfo& strange = (*made)->tensors[1];
    QCOMPARE(strange.typeId, 153U);
    QVERIFY(std::ranges::equal(*(*made)->bytesOf(strange), *source->bytesOf(source->tensors[1])));

    // A type of ik_llama.cpp whose values are known is a lossy source.
    GgufBuilder known;
    known.key("general.architecture", "llama");
    known.tensor("blk.0.attn_q.weight", 144, {256, 2}, std::vector<std::byte>(2 * 140, std::byte{7}));
    const auto refused = quantizeModel(*read(known), request("Q4_K_S"), path("refused.gguf"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::LossySource);
}

void TestQuantizeModel::refusesLossySources() {
    QVERIFY(quantizeModel(*read(modelFile()), request("Q8_0"), path("q8.gguf")));
    const auto source = openModel(path("q8.gguf"));
    const auto refused = quantizeModel(**source, request("Q4_K_M"), path("out.gguf"));
    QCOMPARE(refused.error().code, ErrorCode::LossySource);
    QCOMPARE(refused.error().place.name, std::string("token_embd.weight"));
    QCOMPARE(filesInFolder(), std::size_t{1});
    QuantizeRequest allowed = request("Q4_K_M");
    allowed.allowRequantize = true;
    QVERIFY(quantizeModel(**source, allowed, path("q4.gguf")));
    // Copying, or converting to floats, loses nothing more.
    QVERIFY(quantizeModel(**source, request("Q8_0"), path("same.gguf")));
    QVERIFY(quantizeModel(**source, request("F32"), path("f32.gguf")));
    const auto floats = openModel(path("f32.gguf"));
    QCOMPARE(relativeError(**source, **floats, "token_embd.weight"), 0.0);
    const auto same = openModel(path("same.gguf"));
    QVERIFY(std::ranges::equal(*(*same)->bytesOf((*same)->tensors[0]), *(*source)->bytesOf((*source)->tensors[0])));
}

void TestQuantizeModel::refusesDamagedModels() {
    GgufBuilder cut = modelFile();
    cut.cutTo = cut.build().size() - 4096;
    QCOMPARE(planQuantization(*read(cut), request("Q8_0")).error().code, ErrorCode::Truncated);
    GgufBuilder twice;
    twice.tensor("a.weight", kF32, {32, 2}).tensor("a.weight", kF32, {32, 2});
    QCOMPARE(planQuantization(*read(twice), request("Q8_0")).error().code, ErrorCode::InvalidArgument);
    GgufBuilder unknown;
    unknown.tensorRecord("a.weight", kUnknown, {32, 2}, 0);
    QVERIFY(!quantizeModel(*read(unknown), request("Q8_0"), path("out.gguf")) || filesInFolder() == 1);
}

void TestQuantizeModel::refusesWeightsThatNoTypeHolds() {
    auto weights = normalBytes(131'072, 9);
    store(weights.data() + std::size_t{4} * 100'001, std::numeric_limits<float>::quiet_NaN());
    GgufBuilder file;
    file.key("general.architecture", "llama").tensor("blk.0.attn_q.weight", kF32, {256, 512}, weights);
    const auto done = quantizeModel(*read(file), request("Q4_K_M"), path("out.gguf"));
    QCOMPARE(done.error().code, ErrorCode::WeightOutOfRange);
    QCOMPARE(done.error().place.name, std::string("blk.0.attn_q.weight"));
    QCOMPARE(done.error().place.index, std::optional<std::uint64_t>(100'001));
    QCOMPARE(filesInFolder(), std::size_t{0});
}

void TestQuantizeModel::refusesItsOwnFile() {
    modelFile().write(path("model.gguf"));
    const auto before = bytesOf(path("model.gguf"));
    fs::create_hard_link(path("model.gguf"), path("link.gguf"));
    const auto source = openModel(path("model.gguf"));
    for (const char* name : {"model.gguf", "link.gguf"}) {
        const auto done = quantizeModel(**source, request("Q8_0"), path(name));
        QCOMPARE(done.error().code, ErrorCode::InvalidArgument);
    }
    QVERIFY(bytesOf(path("model.gguf")) == before);
    QCOMPARE(filesInFolder(), std::size_t{2});
}

void TestQuantizeModel::leavesNothingWhenItFails() {
    const auto source = read(modelFile());
    const auto done = quantizeModel(*source, request("Q8_0"), path("no/such/folder/out.gguf"));
    QCOMPARE(done.error().code, ErrorCode::WriteFailed);
    QCOMPARE(filesInFolder(), std::size_t{0});
}

void TestQuantizeModel::cancels() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.tensor("blk.0.attn_q.weight", kF32, {4096, 8192}, normalBytes(std::size_t{4096} * 8192, 1));
    const auto source = read(file);
    std::ofstream(path("out.gguf")) << "what was there";
    Progress progress;
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    std::jthread canceller([&] {
        while (progress.done() < 1'000'000) {
            std::this_thread::yield();
        }
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    const auto done =
        quantizeModel(*source, request("Q2_K_S"), path("out.gguf"), {.stop = stop.get_token(), .progress = &progress});
    canceller.join();
    const auto late = std::chrono::steady_clock::now() - asked;
    QVERIFY(!done);
    QCOMPARE(done.error().code, ErrorCode::Cancelled);
    QVERIFY2(late < std::chrono::seconds(1), "a cancel takes long");
    QVERIFY(progress.done() < progress.total());
    QCOMPARE(filesInFolder(), std::size_t{1});
    QCOMPARE(fs::file_size(path("out.gguf")), std::uintmax_t{14});
}

void TestQuantizeModel::countsProgress() {
    Progress progress;
    const auto plan = quantizeModel(*read(modelFile()), request("Q6_K"), path("out.gguf"), {.progress = &progress});
    QVERIFY(plan);
    QCOMPARE(progress.total(), plan->fileBytes);
    QCOMPARE(progress.done(), plan->fileBytes);
}

GUFO_TEST(TestQuantizeModel)
#include "tst_quantize_model.moc"
