// Adapters against products in f64 that the test builds itself: merged weights, norms of changes, and logits of merged
// models; refusals and their names; bytes that stay; cancelling; results that do not depend on threads.
#include "adapter/merge_adapters.h"
#include "analysis/compare/pair_figures.h"
#include "base/detail.h"
#include "inference/engine/gufo_engine.h"
#include "support/fixture_models.h"
#include "support/gguf_builder.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <QTemporaryDir>

#include <fstream>
#include <iterator>
#include <map>
#include <span>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kColumns = 64;
constexpr std::uint64_t kRows = 96;
constexpr std::uint64_t kRank = 3;
constexpr std::uint64_t kExperts = 2;

// Numbers between −1 and 1 that differ from place to place.
std::vector<float> someValues(std::size_t count, std::uint32_t salt) {
    std::vector<float> values(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t mixed = (i + 1) * 2'654'435'761U + salt * 40'503U;
        values[i] = static_cast<float>((mixed >> 8U) % 2'001U) / 1'000.0F - 1.0F;
    }
    return values;
}

// B·A in f64: A is [rank][columns], B [rows][rank].
std::vector<double> productOf(const std::vector<float>& a, const std::vector<float>& b, std::uint64_t rank) {
    const std::uint64_t columns = a.size() / rank;
    const std::uint64_t rows = b.size() / rank;
    std::vector<double> product(rows * columns);
    for (std::uint64_t row = 0; row < rows; ++row) {
        for (std::uint64_t column = 0; column < columns; ++column) {
            for (std::uint64_t r = 0; r < rank; ++r) {
                product[row * columns + column] += double{b[row * rank + r]} * double{a[r * columns + column]};
            }
        }
    }
    return product;
}

double normOf(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += value * value;
    }
    return std::sqrt(sum);
}

std::vector<char> fileBytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

GgufBuilder adapterFile(float alpha = 6, const char* architecture = "llama") {
    GgufBuilder file;
    file.key("general.architecture", architecture).key("general.type", "adapter").key("adapter.type", "lora");
    file.key("adapter.lora.alpha", alpha);
    return file;
}

void addPair(GgufBuilder& file, const std::string& name, const std::vector<std::uint64_t>& a,
             const std::vector<std::uint64_t>& b, std::uint32_t salt = 1) {
    std::size_t countA = 1;
    std::size_t countB = 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        countA *= a[i];
        countB *= b[i];
    }
    file.tensor(name + ".lora_a", kF32, a, bytesOf(someValues(countA, salt)));
    file.tensor(name + ".lora_b", kF32, b, bytesOf(someValues(countB, salt + 1)));
}

Adapter matched(const Model& base, const std::shared_ptr<const Model>& adapter) {
    auto result = matchAdapter(base, adapter);
    return result ? *std::move(result) : Adapter();
}

} // namespace

class TestMergeAdapters final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void addsProducts();
    void replacesWholeTensors_data();
    void replacesWholeTensors();
    void knowsTheRolesOfTheTable();
    void addsToEachExpert();
    void keepsTypesAndMeasuresTheirError();
    void writesAnotherType();
    void swapsBytes();
    void measuresNorms();
    void mergedModelComputesTheSame();
    void refuses_data();
    void refuses();
    void refusesTypesThatCannotBeEncoded();
    void refusesToReplaceItsSources();
    void doesNotDependOnThreads();
    void cancels();

private:
    fs::path in(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    std::shared_ptr<const Model> open(const GgufBuilder& file, const char* name) const {
        file.write(in(name));
        const auto model = openModel(in(name));
        return model ? *model : nullptr;
    }
    // Two matrices and a vector. Adapters change the first matrix.
    static GgufBuilder baseFile(std::uint32_t type = kF32, ByteOrder order = ByteOrder::Little) {
        GgufBuilder file(3, order);
        file.key("general.architecture", "llama").key("general.file_type", std::uint32_t{0});
        std::vector<std::byte> values = bytesOf(someValues(kColumns * kRows, 7));
        if (type != kF32) {
            values = encoded(type, someValues(kColumns * kRows, 7));
        } else if (order == ByteOrder::Big) {
            std::vector<std::byte> swapped(values.size());
            if (!swapByteOrder(kF32, values, swapped)) {
                return file;
            }
            values = swapped;
        }
        file.tensor("blk.0.attn_q.weight", type, {kColumns, kRows}, values);
        file.tensor("blk.0.attn_k.weight", kF16, {kColumns, 4}, std::vector<std::byte>(2 * kColumns * 4, std::byte{1}));
        file.tensor("blk.0.attn_norm.weight", kF32, {kColumns});
        return file;
    }
    static std::vector<std::byte> encoded(std::uint32_t type, const std::vector<float>& values);
    static GgufBuilder pairFile(float alpha = 6, std::uint32_t salt = 1) {
        GgufBuilder file = adapterFile(alpha);
        addPair(file, "blk.0.attn_q.weight", {kColumns, kRank}, {kRank, kRows}, salt);
        return file;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

std::vector<std::byte> TestMergeAdapters::encoded(std::uint32_t type, const std::vector<float>& values) {
    std::vector<std::byte> bytes(blocksBytes(*findTensorType(type), values.size()));
    const auto done = encode({.typeId = type, .columns = kColumns, .importance = {}}, values, bytes);
    return done ? bytes : std::vector<std::byte>();
}

void TestMergeAdapters::addsProducts() {
    const auto base = open(baseFile(), "base.gguf");
    const auto first = open(pairFile(6, 1), "first.gguf");
    GgufBuilder unscaled = adapterFile(0); // without alpha, products are not divided by the rank
    addPair(unscaled, "blk.0.attn_q.weight", {kColumns, 2}, {2, kRows}, 20);
    const auto second = open(unscaled, "second.gguf");
    QVERIFY(base && first && second);
    const MergeRequest request{.adapters = {{matched(*base, first), 0.5}, {matched(*base, second), -2}}};
    const auto plan = mergeAdapters(*base, request, in("out.gguf"));
    QVERIFY(plan);
    const auto merged = openModel(in("out.gguf"));
    QVERIFY(merged);

    const auto one = productOf(someValues(kColumns * kRank, 1), someValues(kRows * kRank, 2), kRank);
    const auto two = productOf(someValues(kColumns * 2, 20), someValues(kRows * 2, 21), 2);
    const std::vector<float> before = valuesOf(*base, "blk.0.attn_q.weight");
    const std::vector<float> after = valuesOf(**merged, "blk.0.attn_q.weight");
    QCOMPARE(after.size(), before.size());
    double largest = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const double expected = before[i] + 0.5 * 6 / kRank * one[i] - 2 * two[i];
        largest = std::max(largest, std::abs(after[i] - expected));
    }
    QVERIFY2(largest < 2e-6, qPrintable(QString::number(largest)));

    QCOMPARE(plan->tensors.size(), std::size_t{1});
    QCOMPARE(plan->tensors[0].change.changes.size(), std::size_t{2});
    QCOMPARE(plan->tensors[0].change.changes[1].rank, std::uint64_t{2});
    QCOMPARE(plan->tensors[0].encoding.ee, 0.0); // F32 keeps what was computed
    QCOMPARE(plan->fileBytes, fs::file_size(in("out.gguf")));
    // What no adapter names keeps its bytes.
    for (const char* name : {"blk.0.attn_k.weight", "blk.0.attn_norm.weight"}) {
        const Bytes old = *base->bytesOf(base->tensor(*base->findTensor(name)));
        const Bytes now = *(*merged)->bytesOf((*merged)->tensor(*(*merged)->findTensor(name)));
        QVERIFY(std::ranges::equal(old, now));
    }
}

// Tensors that an adapter contains whole take the place of the model's, mixed with them by the strength, and products
// are added to what replaces them.
void TestMergeAdapters::replacesWholeTensors_data() {
    QTest::addColumn<double>("strength");
    QTest::newRow("as trained") << 1.0;
    QTest::newRow("by half") << 0.5;
    QTest::newRow("not at all") << 0.0;
    QTest::newRow("taken back") << -1.0;
}

void TestMergeAdapters::replacesWholeTensors() {
    QFETCH(double, strength);
    GgufBuilder file = pairFile(6, 1);
    const std::vector<float> whole = someValues(kColumns * kRows, 30);
    const std::vector<float> norm = someValues(kColumns, 31);
    file.tensor("blk.0.attn_q.weight", kF32, {kColumns, kRows}, bytesOf(whole));
    file.tensor("blk.0.attn_norm.weight", kF32, {kColumns}, bytesOf(norm));
    const auto base = open(baseFile(), "base.gguf");
    const auto adapter = open(file, "adapter.gguf");
    QVERIFY(base && adapter);
    const Adapter match = matched(*base, adapter);
    QCOMPARE(match.tensors.size(), std::size_t{1});
    QCOMPARE(match.replaced.size(), std::size_t{2});
    const MergeRequest request{.adapters = {{match, strength}}, .type = TensorType::F16};
    const auto plan = mergeAdapters(*base, request, in("out.gguf"));
    QVERIFY(plan);
    const auto merged = openModel(in("out.gguf"));
    QVERIFY(merged);
    QCOMPARE((*merged)->tensor(*(*merged)->findTensor("blk.0.attn_norm.weight")).typeId, kF32); // stays, as all vectors

    const auto product = productOf(someValues(kColumns * kRank, 1), someValues(kRows * kRank, 2), kRank);
    const std::vector<float> before = valuesOf(*base, "blk.0.attn_q.weight");
    const std::vector<float> after = valuesOf(**merged, "blk.0.attn_q.weight");
    double change = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const double added = strength * (double{whole[i]} - before[i] + 6.0 / kRank * product[i]);
        change += added * added;
        QVERIFY(std::abs(after[i] - (before[i] + added)) < 0.02); // F16
    }
    const std::vector<float> normBefore = valuesOf(*base, "blk.0.attn_norm.weight");
    const std::vector<float> normAfter = valuesOf(**merged, "blk.0.attn_norm.weight");
    for (std::size_t i = 0; i < norm.size(); ++i) {
        const double expected = (1 - strength) * normBefore[i] + strength * norm[i];
        QVERIFY(std::abs(normAfter[i] - expected) < 1e-6);
    }
    if (strength == 1) {
        QCOMPARE(normAfter, norm); // to the bit
    }
    // The norms are those of what was added, measured beforehand and while writing.
    const auto measured = measureChanges(*base, request.adapters);
    QVERIFY(measured && measured->size() == 2);
    const std::vector<ChangedTensor> whileWriting{plan->tensors[0].change, plan->tensors[1].change};
    for (const auto& tensors : {*measured, whileWriting}) {
        const AdapterChange& first = tensors[0].changes.at(0);
        QVERIFY(first.replaces && first.rank == kRank);
        QVERIFY(std::abs(first.norm - std::sqrt(change)) < 1e-4);
        QVERIFY(tensors[1].changes.at(0).replaces && tensors[1].changes.at(0).rank == 0);
    }
}

void TestMergeAdapters::knowsTheRolesOfTheTable() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.tensor("token_embd.weight", kF32, {8, 5}, bytesOf(std::vector<float>(40, 0)));
    GgufBuilder factors = adapterFile(2);
    addPair(factors, "token_embd.weight", {2, 5}, {2, 8}); // [rank, tokens] and [rank, columns]
    const auto base = open(file, "base.gguf");
    const auto adapter = open(factors, "adapter.gguf");
    QVERIFY(base && adapter);
    const Adapter match = matched(*base, adapter);
    QCOMPARE(match.tensors.size(), std::size_t{1});
    QVERIFY(mergeAdapters(*base, {.adapters = {{match, 1}}}, in("out.gguf")));
    const std::vector<float> table = valuesOf(**openModel(in("out.gguf")), "token_embd.weight");
    const std::vector<float> a = someValues(10, 1);
    const std::vector<float> b = someValues(16, 2);
    for (std::size_t token = 0; token < 5; ++token) {
        for (std::size_t i = 0; i < 8; ++i) {
            const double expected = double{a[token * 2]} * b[i * 2] + double{a[token * 2 + 1]} * b[i * 2 + 1];
            QVERIFY(std::abs(table[token * 8 + i] - expected) < 1e-6);
        }
    }
}

void TestMergeAdapters::addsToEachExpert() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.tensor("blk.0.ffn_up_exps.weight", kF32, {8, 6, kExperts}, bytesOf(std::vector<float>(96, 0)));
    GgufBuilder factors = adapterFile(3);
    addPair(factors, "blk.0.ffn_up_exps.weight", {8, 3, kExperts}, {3, 6, kExperts});
    const auto base = open(file, "base.gguf");
    const auto adapter = open(factors, "adapter.gguf");
    QVERIFY(base && adapter);
    const std::vector<AdapterUse> uses = {{matched(*base, adapter), 1}};
    QVERIFY(mergeAdapters(*base, {.adapters = uses}, in("out.gguf")));
    const std::vector<float> merged = valuesOf(**openModel(in("out.gguf")), "blk.0.ffn_up_exps.weight");
    const std::vector<float> a = someValues(8 * 3 * kExperts, 1);
    const std::vector<float> b = someValues(3 * 6 * kExperts, 2);
    std::vector<double> all;
    for (std::size_t expert = 0; expert < kExperts; ++expert) {
        const auto each =
            productOf({a.begin() + static_cast<long>(expert * 24), a.begin() + static_cast<long>(expert * 24 + 24)},
                      {b.begin() + static_cast<long>(expert * 18), b.begin() + static_cast<long>(expert * 18 + 18)}, 3);
        all.insert(all.end(), each.begin(), each.end());
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        QVERIFY(std::abs(merged[i] - all[i]) < 1e-6);
    }
    const auto changes = measureChanges(*base, uses);
    QVERIFY(changes);
    QVERIFY(std::abs(changes->front().changes[0].norm - normOf(all)) < 1e-9 * normOf(all));
    QVERIFY(!changes->front().relative(changes->front().changes[0])); // the weights are 0
}

void TestMergeAdapters::keepsTypesAndMeasuresTheirError() {
    const auto base = open(baseFile(kQ8_0), "base.gguf");
    const auto adapter = open(pairFile(), "adapter.gguf");
    QVERIFY(base && adapter);
    const std::vector<AdapterUse> uses = {{matched(*base, adapter), 1}};
    const auto plan = mergeAdapters(*base, {.adapters = uses}, in("out.gguf"));
    QVERIFY(plan);
    const auto merged = openModel(in("out.gguf"));
    QVERIFY(merged);
    QCOMPARE((*merged)->tensor(*(*merged)->findTensor("blk.0.attn_q.weight")).typeId, kQ8_0);
    const auto product = productOf(someValues(kColumns * kRank, 1), someValues(kRows * kRank, 2), kRank);
    const std::vector<float> before = valuesOf(*base, "blk.0.attn_q.weight");
    const std::vector<float> after = valuesOf(**merged, "blk.0.attn_q.weight");
    double energy = 0;
    double error = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const double wanted = before[i] + 6.0 / kRank * product[i];
        energy += wanted * wanted;
        error += (wanted - after[i]) * (wanted - after[i]);
    }
    const PairFigures figures = figuresOf(plan->tensors[0].encoding);
    QVERIFY(figures.nmse && *figures.nmse > 0 && *figures.nmse < 1e-3);
    QVERIFY2(std::abs(*figures.nmse - error / energy) < 1e-3 * error / energy, "the error stated is another");
    QCOMPARE((*merged)->metadata.uint("general.file_type"), std::optional<std::uint64_t>(0)); // no type has changed
}

void TestMergeAdapters::writesAnotherType() {
    const auto base = open(baseFile(kQ8_0), "base.gguf");
    const auto adapter = open(pairFile(), "adapter.gguf");
    QVERIFY(base && adapter);
    const MergeRequest request{.adapters = {{matched(*base, adapter), 1}}, .type = TensorType::F16};
    const auto plan = planMerge(*base, request);
    QVERIFY(plan);
    QCOMPARE(plan->tensors[0].typeId, kF16);
    QVERIFY(mergeAdapters(*base, request, in("out.gguf")));
    const auto merged = openModel(in("out.gguf"));
    QCOMPARE((*merged)->tensor(*(*merged)->findTensor("blk.0.attn_q.weight")).typeId, kF16);
    QCOMPARE((*merged)->metadata.uint("general.file_type"), std::optional<std::uint64_t>(1)); // most weights are F16
}

void TestMergeAdapters::swapsBytes() {
    const auto little = open(baseFile(), "little.gguf");
    const auto big = open(baseFile(kF32, ByteOrder::Big), "big.gguf");
    const auto adapter = open(pairFile(), "adapter.gguf");
    QVERIFY(little && big && adapter);
    QVERIFY(mergeAdapters(*little, {.adapters = {{matched(*little, adapter), 1}}}, in("a.gguf")));
    QVERIFY(mergeAdapters(*big, {.adapters = {{matched(*big, adapter), 1}}}, in("b.gguf")));
    const auto merged = openModel(in("b.gguf"));
    QVERIFY(merged);
    QVERIFY((*merged)->byteOrder == ByteOrder::Big);
    QCOMPARE(valuesOf(**merged, "blk.0.attn_q.weight"), valuesOf(**openModel(in("a.gguf")), "blk.0.attn_q.weight"));
}

void TestMergeAdapters::measuresNorms() {
    const auto base = open(baseFile(), "base.gguf");
    const auto adapter = open(pairFile(), "adapter.gguf");
    QVERIFY(base && adapter);
    const std::vector<AdapterUse> uses = {{matched(*base, adapter), -0.25}};
    const auto changes = measureChanges(*base, uses);
    QVERIFY(changes);
    QCOMPARE(changes->size(), std::size_t{1});
    const auto product = productOf(someValues(kColumns * kRank, 1), someValues(kRows * kRank, 2), kRank);
    const double expected = 0.25 * 6 / kRank * normOf(product);
    const AdapterChange& change = changes->front().changes.front();
    QVERIFY(std::abs(change.norm - expected) < 1e-9 * expected);
    const std::vector<float> weights = valuesOf(*base, "blk.0.attn_q.weight");
    const double norm = normOf(std::vector<double>(weights.begin(), weights.end()));
    QVERIFY(std::abs(*changes->front().relative(change) - expected / norm) < 1e-9);
    // The figures of a merge are the same.
    const auto merged = mergeAdapters(*base, {.adapters = uses}, in("out.gguf"));
    QVERIFY(merged);
    QVERIFY(std::abs(merged->tensors[0].change.weightNorm - norm) < 1e-9 * norm);
    QCOMPARE(merged->tensors[0].change.changes[0].norm, change.norm);
}

// The engine's logits of the merged file against those of a model whose weights the test changed itself.
void TestMergeAdapters::mergedModelComputesTheSame() {
    const auto base = openFixture("llama");
    QVERIFY(base);
    GgufBuilder factors = adapterFile(4);
    std::uint32_t salt = 1;
    std::map<std::string, std::uint32_t> salts;
    for (const TensorInfo& tensor : base->tensors) {
        if (tensor.shape.count() == 2 && tensor.name.starts_with("blk.")) {
            salts.emplace(tensor.name, salt);
            addPair(factors, std::string(tensor.name), {tensor.shape[0], 4}, {4, tensor.shape[1]}, salt);
            salt += 2;
        }
    }
    QVERIFY(salts.size() >= 7);
    const auto adapter = open(factors, "adapter.gguf");
    QVERIFY(adapter);
    constexpr double kStrength = 0.02;
    const MergeRequest request{.adapters = {{matched(*base, adapter), kStrength}}, .type = TensorType::F32};
    QVERIFY(mergeAdapters(*base, request, in("merged.gguf")));

    const auto none = [](std::string_view) { return false; };
    ModelMaker changed = copyOf(*base, none, [&](ModelMaker& maker, const TensorInfo& tensor, Bytes) {
        const auto found = salts.find(std::string(tensor.name));
        if (found == salts.end()) {
            return false;
        }
        const auto product = productOf(someValues(tensor.shape[0] * 4, found->second),
                                       someValues(tensor.shape[1] * 4, found->second + 1), 4);
        std::vector<float> weights = valuesOf(*base, tensor.name);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = static_cast<float>(weights[i] + kStrength * product[i]);
        }
        maker.tensor(tensor.name, {tensor.shape[0], tensor.shape[1]}, TensorType::F32,
                     std::string(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float)));
        return true;
    });
    const auto logits = [&](const std::shared_ptr<const Model>& model) -> std::vector<float> {
        const auto loaded = inference::loadForInference(model);
        const auto session =
            loaded ? (*loaded)->startSession(
                         {.context = 16, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 1})
                   : std::unexpected(loaded.error());
        return session ? logitsOf(**session, randomTokens(12, 64), 12) : std::vector<float>();
    };
    const std::vector<float> merged = logits(*openModel(in("merged.gguf")));
    const std::vector<float> expected = logits(changed.model());
    const std::vector<float> plain = logits(base);
    QVERIFY(!merged.empty());
    QCOMPARE(merged.size(), expected.size());
    const double difference = largestDifference(merged, expected);
    QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
    QVERIFY(largestDifference(merged, plain) > 0.01); // the adapter has an effect
}

void TestMergeAdapters::refuses_data() {
    QTest::addColumn<GgufBuilder>("file");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* title, const GgufBuilder& file, ErrorCode code, const char* named) {
        QTest::newRow(title) << file << code << QString::fromLatin1(named);
    };
    const std::string name = "blk.0.attn_q.weight";
    const auto withPair = [](GgufBuilder file, const std::string& tensor, const std::vector<std::uint64_t>& a,
                             const std::vector<std::uint64_t>& b) {
        addPair(file, tensor, a, b);
        return file;
    };
    const auto whole = [](GgufBuilder file, const std::string& tensor, const std::vector<std::uint64_t>& shape) {
        file.tensor(tensor, kF32, shape);
        return file;
    };
    GgufBuilder control;
    control.key("general.architecture", "llama").key("general.type", "adapter").key("adapter.type", "control");
    using enum ErrorCode;
    row("another architecture", withPair(adapterFile(6, "qwen2"), name, {kColumns, kRank}, {kRank, kRows}),
        NotSupported, "adapter_architecture qwen2 llama");
    row("no adapter", baseFile(), NotSupported, "not_an_adapter");
    row("half a pair", whole(adapterFile(), name + ".lora_a", {kColumns, kRank}), NotSupported,
        "part_missing blk.0.attn_q.weight.lora_b");
    row("a tensor that the base lacks",
        withPair(adapterFile(), "blk.1.attn_q.weight", {kColumns, kRank}, {kRank, kRows}), NoSuchTensor,
        "blk.1.attn_q.weight");
    row("other rows", withPair(adapterFile(), name, {kColumns, kRank}, {kRank, kRows + 1}), WrongShape, "[3, 97]");
    row("other columns", withPair(adapterFile(), name, {kColumns - 1, kRank}, {kRank, kRows}), WrongShape, "[63, 3]");
    row("other ranks", withPair(adapterFile(), name, {kColumns, kRank}, {kRank + 1, kRows}), WrongShape, "[4, 96]");
    row("a whole tensor that the base lacks",
        whole(withPair(adapterFile(), name, {kColumns, kRank}, {kRank, kRows}), "output.weight", {4, 4}), NoSuchTensor,
        "output.weight");
    row("a whole tensor of another shape", whole(adapterFile(), "blk.0.attn_k.weight", {kColumns, 5}), WrongShape,
        "[64, 5]");
    row("more tokens", whole(adapterFile(), "token_embd.weight", {kColumns, 9}), NotSupported,
        "adapter_vocabulary 9 8");
    row("factors for more tokens", withPair(adapterFile(), "token_embd.weight", {kRank, 9}, {kRank, kColumns}),
        NotSupported, "adapter_vocabulary 9 8");
    row("rank 0", withPair(adapterFile(), name, {kColumns, 0}, {0, kRows}), WrongShape, "[0, 96]");
    row("nothing in it", adapterFile(), NotSupported, "not_an_adapter");
    row("another method", withPair(control, name, {kColumns, kRank}, {kRank, kRows}), NotSupported, "not_an_adapter");
}

void TestMergeAdapters::refuses() {
    QFETCH(GgufBuilder, file);
    QFETCH(ErrorCode, code);
    QFETCH(QString, named);
    GgufBuilder withTable = baseFile();
    withTable.tensor("token_embd.weight", kF32, {kColumns, 8});
    const auto base = open(withTable, "base.gguf");
    const auto adapter = open(file, "adapter.gguf");
    QVERIFY(base && adapter);
    const auto refused = matchAdapter(*base, adapter);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, code);
    QCOMPARE(refused.error().args.at(0).text(), named.toStdString());
    QCOMPARE(refused.error().file, in("adapter.gguf"));
}

void TestMergeAdapters::refusesTypesThatCannotBeEncoded() {
    GgufBuilder file;
    constexpr std::uint32_t kNvfp4 = 40;
    file.key("general.architecture", "llama");
    file.tensor("blk.0.attn_q.weight", kNvfp4, {256, 4});
    GgufBuilder factors = adapterFile();
    addPair(factors, "blk.0.attn_q.weight", {256, 2}, {2, 4});
    const auto base = open(file, "base.gguf");
    const auto adapter = open(factors, "adapter.gguf");
    QVERIFY(base && adapter);
    const std::vector<AdapterUse> uses = {{matched(*base, adapter), 1}};
    const auto refused = mergeAdapters(*base, {.adapters = uses}, in("out.gguf"));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::NotEncodable);
    QCOMPARE(refused.error().place.name, "blk.0.attn_q.weight");
    QVERIFY(!fs::exists(in("out.gguf")));
    QVERIFY(mergeAdapters(*base, {.adapters = uses, .type = TensorType::F16}, in("out.gguf")));
}

void TestMergeAdapters::refusesToReplaceItsSources() {
    const auto base = open(baseFile(), "base.gguf");
    const auto adapter = open(pairFile(), "adapter.gguf");
    QVERIFY(base && adapter);
    for (const char* name : {"base.gguf", "adapter.gguf"}) {
        const std::vector<char> before = fileBytes(in(name));
        const auto refused = mergeAdapters(*base, {.adapters = {{matched(*base, adapter), 1}}}, in(name));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(refused.error().args.at(0).detail(), std::optional(Detail::OwnFile));
        QCOMPARE(fileBytes(in(name)), before);
    }
}

void TestMergeAdapters::doesNotDependOnThreads() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    const std::vector<float> weights = someValues(1'024 * 300, 5); // several pieces
    std::vector<std::byte> bytes(blocksBytes(*findTensorType(kQ8_0), weights.size()));
    QVERIFY(encode({.typeId = kQ8_0, .columns = 1'024, .importance = {}}, weights, bytes));
    file.tensor("blk.0.attn_q.weight", kQ8_0, {1'024, 300}, bytes);
    GgufBuilder factors = adapterFile();
    addPair(factors, "blk.0.attn_q.weight", {1'024, 8}, {8, 300});
    const auto base = open(file, "base.gguf");
    const auto adapter = open(factors, "adapter.gguf");
    QVERIFY(base && adapter);
    const MergeRequest request{.adapters = {{matched(*base, adapter), 1}}};
    const auto one = mergeAdapters(*base, request, in("one.gguf"), {.stop = {}, .threads = 1});
    const auto four = mergeAdapters(*base, request, in("four.gguf"), {.stop = {}, .threads = 4});
    QVERIFY(one && four);
    QCOMPARE(fileBytes(in("one.gguf")), fileBytes(in("four.gguf")));
    QCOMPARE(one->tensors[0].encoding.ee, four->tensors[0].encoding.ee);
    QCOMPARE(one->tensors[0].change.weightNorm, four->tensors[0].change.weightNorm);
}

void TestMergeAdapters::cancels() {
    const auto base = open(baseFile(), "base.gguf");
    const auto adapter = open(pairFile(), "adapter.gguf");
    QVERIFY(base && adapter);
    std::stop_source stop;
    stop.request_stop();
    const std::vector<AdapterUse> uses = {{matched(*base, adapter), 1}};
    const auto merged = mergeAdapters(*base, {.adapters = uses}, in("out.gguf"), {.stop = stop.get_token()});
    QVERIFY(!merged);
    QCOMPARE(merged.error().code, ErrorCode::Cancelled);
    QVERIFY(!fs::exists(in("out.gguf")));
    const auto measured = measureChanges(*base, uses, {.stop = stop.get_token()});
    QVERIFY(!measured);
    QCOMPARE(measured.error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestMergeAdapters)
#include "tst_merge_adapters.moc"
