// What other types would cost and lose: compared with explicit encoding and decoding; samples, stops and refusals.
#include "core/model/memory_model.h"
#include "core/tensor/golden.h"
#include "quantize/what_if.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

using namespace gufo;
using namespace gufo::test;

namespace {

std::uint32_t typeNumber(TensorType type) { return static_cast<std::uint32_t>(type); }

std::vector<float> normal(std::size_t count, unsigned seed, float deviation = 0.02F) {
    std::mt19937 random(seed);
    std::normal_distribution<float> weights(0, deviation);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return weights(random); });
    return values;
}

// Returns Σ(a − b)² / Σa² after encoding and decoding.
double nmseOf(TensorType type, const std::vector<float>& weights, std::size_t columns) {
    const TensorTypeFact& info = tensorTypeFact(type);
    std::vector<std::byte> bytes(encodedBytes(info.id, columns, weights.size()));
    std::vector<float> decoded(weights.size());
    const auto rows = StoredRows::of(info.id, columns, bytes);
    if (!rows || !encode({.typeId = info.id, .columns = columns}, weights, bytes) || !decode(*rows, 0, decoded)) {
        return -1;
    }
    double error = 0;
    double energy = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        error += std::pow(static_cast<double>(weights[i]) - static_cast<double>(decoded[i]), 2);
        energy += std::pow(static_cast<double>(weights[i]), 2);
    }
    return error / energy;
}

bool near(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * std::abs(b); }

std::shared_ptr<const Imatrix> imatrixOf(const std::string& name, const std::vector<float>& values) {
    GgufBytes bytes;
    bytes.number(std::int32_t{1}).number(static_cast<std::int32_t>(name.size())).text(name).number(std::int32_t{1});
    bytes.number(static_cast<std::int32_t>(values.size()));
    for (const float value : values) {
        bytes.number(value);
    }
    return std::make_shared<const Imatrix>(*Imatrix::read(std::make_shared<MemorySource>(bytes.bytes)));
}

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

private slots:
    void figuresOfEveryType();
    void severalTensorsAsOne();
    void sourcesOfAllTypes();
    void sourceWithRowHeaders();
    void aSampleIsNearTheWhole();
    void doesNotDependOnThreads();
    void fillsItselfGradually();
    void importance();
    void weightsThatSomeTypesCannotHold();
    void emptyTensors();
    void refuses();
    void cancels();
};

void TestWhatIf::figuresOfEveryType() {
    MemoryModel memory;
    const std::vector<float> weights = normal(std::size_t{512} * 100, 1);
    const TensorIndex tensor = memory.addNumbers(TensorType::F32, {512, 100}, weights);
    const Model& model = memory.finish();
    const auto result = whatIf(model, {.tensors = {tensor}, .maxWeights = 0}, {});
    QVERIFY(result);
    QCOMPARE(result->weights, std::uint64_t{51'200});
    QCOMPARE(result->examined, result->weights);
    QCOMPARE(result->bytes, std::uint64_t{204'800});
    QCOMPARE(result->types.size(), encodableTypes().size());
    for (const WhatIfType& type : result->types) {
        const TensorTypeFact& info = *findTensorType(type.typeId);
        QCOMPARE(type.bytes, encodedBytes(info.id, 512, 51'200));
        QCOMPARE(type.tensorsThatFit, std::size_t{1});
        QCOMPARE(type.bitsPerWeight(), info.bitsPerWeight());
        QVERIFY(!type.failure && !type.withImatrix);
        const PairFigures figures = type.loss.figures();
        const double nmse = nmseOf(static_cast<TensorType>(type.typeId), weights, 512);
        QVERIFY2(near(*figures.nmse, nmse), info.name.data());
        if (nmse > 0) {
            QVERIFY(near(*figures.sqnrDb, -10 * std::log10(nmse)));
            QVERIFY(near(*figures.rmse, std::sqrt(type.loss.sums.ee / 51'200)));
        } else {
            QVERIFY(!figures.sqnrDb); // F32 loses nothing
        }
    }
}

void TestWhatIf::severalTensorsAsOne() {
    MemoryModel memory;
    const std::vector<float> a = normal(std::size_t{256} * 64, 1);
    const std::vector<float> b = normal(std::size_t{160} * 64, 2, 0.5F); // not a multiple of blocks of 256
    const TensorIndex first = memory.addNumbers(TensorType::F32, {256, 64}, a);
    const TensorIndex second = memory.addNumbers(TensorType::F32, {160, 64}, b);
    const Model& model = memory.finish();
    const WhatIfRequest request{.tensors = {first, second},
                                .types = {typeNumber(TensorType::Q4_K), typeNumber(TensorType::Q8_0)},
                                .maxWeights = 0};
    const auto result = whatIf(model, request, {});
    QVERIFY(result);
    const WhatIfType& q4k = result->types[0];
    QCOMPARE(q4k.tensorsThatFit, std::size_t{1});
    QCOMPARE(q4k.weightsThatFit, std::uint64_t{256 * 64});
    QCOMPARE(q4k.bytes, std::uint64_t{64 * 144 + 160 * 64 * 4});
    QVERIFY(near(*q4k.loss.figures().nmse, nmseOf(TensorType::Q4_K, a, 256)));
    const WhatIfType& q8 = result->types[1];
    QCOMPARE(q8.tensorsThatFit, std::size_t{2});
    QCOMPARE(q8.loss.sums.pairs, std::uint64_t{416 * 64});
}

void TestWhatIf::sourcesOfAllTypes() {
    for (const TensorType source : {TensorType::F16, TensorType::BF16, TensorType::Q8_0, TensorType::Q4_K}) {
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            const TensorTypeFact& info = tensorTypeFact(source);
            const std::vector<float> weights = normal(4096, 3);
            std::vector<std::byte> bytes(blocksBytes(info, 4096));
            QVERIFY(encode({.typeId = info.id, .columns = 512}, weights, bytes));
            std::vector<float> stored(4096);
            QVERIFY(decode(info.id, bytes, stored));
            if (order == ByteOrder::Big) {
                const auto little = bytes;
                QVERIFY(swapByteOrder(info.id, little, bytes));
            }
            MemoryModel memory(order);
            const TensorIndex tensor = memory.add(info.id, {512, 8}, bytes);
            const auto result =
                whatIf(memory.finish(), {.tensors = {tensor}, .types = {typeNumber(TensorType::Q5_0)}}, {});
            QVERIFY(result);
            QVERIFY(near(*result->types[0].loss.figures().nmse, nmseOf(TensorType::Q5_0, stored, 512)));
        }
    }
}

void TestWhatIf::sourceWithRowHeaders() {
    const Golden source = golden(typeNumber(TensorType::IQ4_KS));
    const Bytes raw = asBytes(source.raw);
    MemoryModel memory;
    const TensorIndex tensor =
        memory.add(source.type->id, {source.columns, source.values.size() / source.columns}, {raw.begin(), raw.end()});
    const auto result =
        whatIf(memory.finish(),
               {.tensors = {tensor}, .types = {typeNumber(TensorType::F32), typeNumber(TensorType::Q5_0)}}, {});
    QVERIFY(result);
    QCOMPARE(result->bytes, raw.size());
    QCOMPARE(result->types[0].loss.figures().nmse, std::optional<double>(0.0));
    QVERIFY(near(*result->types[1].loss.figures().nmse, nmseOf(TensorType::Q5_0, source.values, source.columns)));
}

void TestWhatIf::aSampleIsNearTheWhole() {
    MemoryModel memory;
    std::vector<float> weights = normal(std::size_t{1024} * 2048, 1);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] *= 1 + static_cast<float>(i) / static_cast<float>(weights.size()); // increases from top to bottom
    }
    const TensorIndex tensor = memory.addNumbers(TensorType::F32, {1024, 2048}, weights);
    const Model& model = memory.finish();
    const std::vector<std::uint32_t> types{typeNumber(TensorType::Q4_0)};
    const auto all = whatIf(model, {.tensors = {tensor}, .types = types, .maxWeights = 0}, {});
    for (const std::uint64_t maximum : {1ULL, 16'385ULL, 300'000ULL, 5'000'000ULL}) {
        const auto sampled = whatIf(model, {.tensors = {tensor}, .types = types, .maxWeights = maximum}, {});
        QVERIFY(sampled);
        const std::uint64_t pieces = std::min<std::uint64_t>((maximum + 16'383) / 16'384, 128);
        QCOMPARE(sampled->examined, pieces * 16'384);
        QCOMPARE(sampled->toExamine, sampled->examined);
        QCOMPARE(sampled->weights, std::uint64_t{1024 * 2048});
        QCOMPARE(sampled->types[0].loss.sums.pairs, sampled->examined);
        const double tolerance = maximum < 100'000 ? 0.25 : 0.02;
        QVERIFY(near(*sampled->types[0].loss.figures().rmse, *all->types[0].loss.figures().rmse, tolerance));
    }
}

void TestWhatIf::doesNotDependOnThreads() {
    MemoryModel memory;
    const TensorIndex tensor = memory.addNumbers(TensorType::F32, {1024, 512}, normal(std::size_t{1024} * 512, 1));
    const Model& model = memory.finish();
    const WhatIfRequest request{.tensors = {tensor}, .types = {typeNumber(TensorType::Q4_K)}, .maxWeights = 300'000};
    const auto one = whatIf(model, request, {}, {.threads = 1});
    const auto five = whatIf(model, request, {}, {.threads = 5});
    QCOMPARE(one->types[0].loss.sums.ee, five->types[0].loss.sums.ee);
    QCOMPARE(one->types[0].loss.sums.aa, five->types[0].loss.sums.aa);
}

void TestWhatIf::fillsItselfGradually() {
    MemoryModel memory;
    const TensorIndex tensor = memory.addNumbers(TensorType::F32, {1024, 1024}, normal(std::size_t{1024} * 1024, 1));
    Progress progress;
    std::vector<std::uint64_t> examined;
    const auto result =
        whatIf(memory.finish(), {.tensors = {tensor}, .types = {typeNumber(TensorType::Q8_0)}, .maxWeights = 0},
               [&](const WhatIf& sofar) {
                   examined.push_back(sofar.examined);
                   QCOMPARE(sofar.toExamine, std::uint64_t{1024 * 1024});
                   QCOMPARE(progress.done(), sofar.examined);
                   QVERIFY(near(*sofar.types[0].loss.figures().nmse, 2.3e-5, 0.1)); // good from the start
               },
               {.progress = &progress});
    QVERIFY(result);
    QCOMPARE(examined, (std::vector<std::uint64_t>{262'144, 524'288, 786'432}));
    QCOMPARE(progress.done(), progress.total());
}

void TestWhatIf::importance() {
    MemoryModel memory;
    std::vector<float> weights = normal(std::size_t{256} * 64 * 2, 1);
    const TensorIndex tensor = memory.addNumbers(TensorType::F32, {256, 64, 2}, weights);
    const TensorIndex other = memory.addNumbers(TensorType::F32, {256, 64}, normal(256 * 64, 2));
    const Model& model = memory.finish();
    std::vector<float> importance(512);
    for (std::size_t i = 0; i < importance.size(); ++i) {
        importance[i] = i % 16 == 0 ? 50.0F : 1.0F;
    }
    WhatIfRequest request{.tensors = {tensor},
                          .types = {typeNumber(TensorType::Q4_K), typeNumber(TensorType::F16)},
                          .imatrix = imatrixOf("tensor0", importance),
                          .maxWeights = 0};
    const auto result = whatIf(model, request, {});
    QVERIFY(result && result->hasImportance);
    const WhatIfType& q4k = result->types[0];
    QVERIFY(q4k.withImatrix);
    QVERIFY(*q4k.withImatrix->weightedNmse() < 0.95 * *q4k.loss.weightedNmse());
    QVERIFY(*q4k.withImatrix->figures().nmse >= *q4k.loss.figures().nmse);
    const WhatIfType& f16 = result->types[1]; // does not use importance
    QCOMPARE(f16.withImatrix->sums.ee, f16.loss.sums.ee);
    // A tensor without an entry has no figures with importance.
    request.tensors = {other};
    const auto without = whatIf(model, request, {});
    QVERIFY(without && !without->hasImportance);
    QCOMPARE(without->types[0].withImatrix->sums.ee, without->types[0].loss.sums.ee);
    QVERIFY(!without->types[0].loss.weightedNmse());
    request.imatrix = imatrixOf("tensor1", {1, 2, 3});
    QCOMPARE(whatIf(model, request, {}).error().code, ErrorCode::InvalidArgument);
}

void TestWhatIf::weightsThatSomeTypesCannotHold() {
    MemoryModel memory;
    std::vector<float> weights = normal(std::size_t{256} * 512, 1);
    weights[100'000] = std::numeric_limits<float>::infinity();
    const TensorIndex tensor = memory.addNumbers(TensorType::F32, {256, 512}, weights);
    const auto result =
        whatIf(memory.finish(),
               {.tensors = {tensor}, .types = {typeNumber(TensorType::Q8_0), typeNumber(TensorType::F32)}}, {});
    QVERIFY(result);
    QVERIFY(result->types[0].failure);
    QCOMPARE(result->types[0].failure->code, ErrorCode::WeightOutOfRange);
    QCOMPARE(result->types[0].failure->place.index, std::optional<std::uint64_t>(100'000));
    QVERIFY(!result->types[1].failure);
}

void TestWhatIf::emptyTensors() {
    MemoryModel memory;
    const TensorIndex empty = memory.addNumbers(TensorType::F32, {256, 0}, std::vector<float>());
    const TensorIndex zeros = memory.addNumbers(TensorType::F32, {256, 2}, std::vector<float>(512));
    const Model& model = memory.finish();
    const auto none = whatIf(model, {.tensors = {empty}, .types = {typeNumber(TensorType::Q4_K)}}, {});
    QVERIFY(none);
    QCOMPARE(none->examined, std::uint64_t{0});
    QVERIFY(!none->types[0].loss.figures().rmse);
    const auto both = whatIf(model, {.tensors = {empty, zeros, empty}, .types = {typeNumber(TensorType::Q4_K)}}, {});
    QCOMPARE(both->examined, std::uint64_t{512});
    QCOMPARE(both->types[0].loss.figures().nmse, std::optional<double>(0.0));
}

void TestWhatIf::refuses() {
    MemoryModel memory;
    const TensorIndex good = memory.addNumbers(TensorType::F32, {256, 4}, normal(1024, 1));
    const TensorIndex removed = memory.add(31, {256, 4}, std::vector<std::byte>(576)); // Q4_0_4_4
    const TensorIndex cut = memory.add(0, {256, 4}, std::vector<std::byte>(100));
    const Model& model = memory.finish();
    const auto code = [&](TensorIndex tensor, std::uint32_t type) {
        return whatIf(model, {.tensors = {tensor}, .types = {type}}, {}).error().code;
    };
    QCOMPARE(code(removed, typeNumber(TensorType::Q8_0)), ErrorCode::NotDecodable);
    QCOMPARE(code(cut, typeNumber(TensorType::Q8_0)), ErrorCode::Truncated);
    QCOMPARE(code(good, typeNumber(TensorType::NVFP4)), ErrorCode::NotEncodable);
    QCOMPARE(code(good, 9999), ErrorCode::NotEncodable);
}

void TestWhatIf::cancels() {
    MemoryModel memory;
    const TensorIndex tensor = memory.addNumbers(TensorType::F32, {4096, 2048}, normal(std::size_t{4096} * 2048, 1));
    const Model& model = memory.finish();
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    const auto result = whatIf(model, {.tensors = {tensor}, .maxWeights = 0},
                               [&](const WhatIf&) {
                                   asked = std::chrono::steady_clock::now();
                                   stop.request_stop();
                               },
                               {.stop = stop.get_token()});
    const auto late = std::chrono::steady_clock::now() - asked;
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Cancelled);
    QVERIFY(late < std::chrono::milliseconds(500));
}

GUFO_TEST(TestWhatIf)
#include "tst_what_if.moc"
