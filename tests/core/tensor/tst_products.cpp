// Products of encoded weights and activations: other instruction sets compared with scalar, and scalar with decode().
#include "golden.h"
#include "same_transposed.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <memory>

using namespace gufo;
using namespace gufo::test;

namespace {

// Rows of activations, by run.
struct Activations {
    std::size_t tokens;
    std::vector<std::vector<float>> floats;
    std::vector<Int8Run> runs;
    std::vector<Int8TransposedRun> transposed; // by row
    std::vector<Int16Run> wide;

    Activations(const ProductKernels& kernels, std::size_t columns, std::size_t count, unsigned seed = 0)
        : tokens(count) {
        const std::size_t perRow = (columns + kRunWeights - 1) / kRunWeights;
        runs.resize(count * perRow);
        transposed.resize(count * perRow);
        wide.resize(count * perRow);
        std::memset(runs.data(), 99, runs.size() * sizeof(Int8Run));
        std::memset(transposed.data(), 99, transposed.size() * sizeof(Int8TransposedRun));
        std::memset(wide.data(), 99, wide.size() * sizeof(Int16Run));
        for (std::size_t t = 0; t < count; ++t) {
            const std::size_t which = t + seed;
            std::mt19937 random(static_cast<unsigned>(which));
            std::normal_distribution<float> normal;
            std::vector<float>& row = floats.emplace_back();
            for (std::size_t i = 0; i < columns; ++i) {
                row.push_back(i % 97 < 32 && which % 3 == 0 ? 0 : normal(random) * (i % 64 == 5 ? 20.0F : 1.0F));
            }
            kernels.toInt8(row.data(), columns,
                           {.runs = runs.data() + t, .stride = count, .transposed = transposed.data() + t * perRow});
            kernels.toInt16(row.data(), columns, wide.data() + t, count);
        }
    }
    [[nodiscard]] float scale(std::size_t token, std::size_t i) const {
        return runs[i / kRunWeights * tokens + token].scales[i % kRunWeights / 16];
    }
};

template<typename T>
bool sameBytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

struct Weights {
    std::vector<std::byte> bytes;
    EncodedRows rows;
    std::vector<float> floats;

    Weights(const TensorTypeFact& type, std::size_t count, std::size_t columns, unsigned seed) {
        const std::size_t size = blocksBytes(type, columns);
        if (type.kind == TensorTypeKind::Float) { // golden blocks of floats contain NaN and infinity
            std::mt19937 random(seed);
            std::normal_distribution<float> normal;
            std::vector<float> numbers(count * columns);
            std::ranges::generate(numbers, [&] { return normal(random); });
            bytes.resize(count * size);
            QVERIFY(encode({.typeId = type.id, .columns = columns, .importance = {}}, numbers, bytes));
        } else {
            bytes = shuffledBlocks(type.id, count * columns / type.blockSize, seed);
        }
        rows = {bytes.data(), size, columns};
        floats.resize(count * columns);
        QVERIFY(decode(Isa::Scalar, type.id, bytes, floats));
    }
};

std::unique_ptr<std::byte[], void (*)(std::byte*)> scratch() {
    return {static_cast<std::byte*>(std::aligned_alloc(64, kStripScratch)), [](std::byte* p) { std::free(p); }};
}

// Differences are compared with the magnitude of the summands, because the sum may cancel out.
double sizeOf(std::span<const float> weights, std::span<const float> x) {
    double size = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        size += std::abs(static_cast<double>(weights[i]) * static_cast<double>(x[i]));
    }
    return size;
}

constexpr std::size_t kTokens = 19; // not a multiple of any group

} // namespace

class TestProducts : public QObject {
    Q_OBJECT

private slots:
    void rounding_data() { addIsas(); }
    void rounding() {
        QFETCH(int, isa);
        const ProductKernels& kernels = kernelsFor(static_cast<Isa>(isa)).products;
        for (const std::size_t columns : {1, 16, 31, 32, 33, 96, 255, 256, 257, 2048, 5632}) {
            const Activations expected(scalar::kernels().products, columns, 4);
            const Activations found(kernels, columns, 4);
            QVERIFY(sameBytes(found.runs, expected.runs));
            QVERIFY(sameTransposed(found.transposed, expected.transposed, static_cast<Isa>(isa)));
            QVERIFY(sameBytes(found.wide, expected.wide));
        }
    }

    // Rounding to sixteen bits stays in range and is at most half a step off, whatever the magnitudes.
    void wideRounding_data() { addIsas(); }
    void wideRounding() {
        QFETCH(int, isa);
        const ProductKernels& kernels = kernelsFor(static_cast<Isa>(isa)).products;
        std::mt19937 random(3);
        std::normal_distribution<float> normal;
        for (const float size : {1.0F, 3e-30F, 1e-36F, 1e-44F, 0.0F, 1e30F, 1e38F, 3.4e38F}) {
            for (const int kind : {0, 1, 2}) { // all equal, one outlier, normally distributed
                std::vector<float> x(96);
                for (std::size_t i = 0; i < x.size(); ++i) {
                    const float factor =
                        kind == 0
                            ? (i % 3 == 0 ? -1.0F : 1.0F)
                            : std::clamp(kind == 1 ? (i % 32 == 7 ? 1.0F : 1e-3F * normal(random)) : normal(random) / 4,
                                         -1.0F, 1.0F);
                    x[i] = size * factor;
                }
                Int16Run run;
                kernels.toInt16(x.data(), x.size(), &run, 1);
                for (std::size_t block = 0; block < 3; ++block) {
                    std::int64_t magnitude = 0;
                    for (std::size_t i = 32 * block; i < 32 * block + 32; ++i) {
                        magnitude += std::abs(std::int64_t{run.values[i]});
                        QVERIFY(run.values[i] > -32768);
                        const double scale = static_cast<double>(run.scales[block]);
                        const double step =
                            std::max(scale, static_cast<double>(std::numeric_limits<float>::min()) * 32768);
                        QVERIFY(std::abs(scale * run.values[i] - static_cast<double>(x[i])) <= 0.505 * step);
                    }
                    QVERIFY(magnitude <= Int16Run::kMaxMagnitude);
                }
            }
        }
    }

    void int8_data() {
        // Types of activations have no golden blocks, and random blocks are full of NaN.
        addTypes([](const ProductKernels& p, std::uint32_t id) {
            return p.int8[id].dot != nullptr && !golden(id).raw.isEmpty();
        });
    }
    void int8() {
        QFETCH(int, isa);
        QFETCH(quint32, type);
        const TensorTypeFact& info = *findTensorType(type);
        const auto& products = kernelsFor(static_cast<Isa>(isa)).products.int8[type];
        const auto& reference = scalar::kernels().products.int8[type];
        const auto memory = scratch();
        for (const std::size_t blocks : {1, 3, 8, 11}) {
            for (const std::size_t rowCount : {1, 5, 16, 23, 32}) {
                const std::size_t columns = blocks * info.blockSize;
                const Weights weights(info, rowCount, columns, static_cast<unsigned>(rowCount));
                const Activations x(scalar::kernels().products, columns, kTokens);
                const std::size_t stride = rowCount + 3;
                std::vector<float> strip(kTokens * stride, 7);
                products.strip(weights.rows, rowCount, x.runs.data(), kTokens, strip.data(), stride, memory.get());
                const std::size_t perRow = x.transposed.size() / kTokens;
                std::vector<Int8Run> runs; // by row
                std::vector<std::vector<float>> ofTokens;
                for (std::size_t t = 0; t < kTokens; ++t) {
                    std::vector<float> expected(rowCount);
                    std::vector<float> found(rowCount);
                    const Activations one(scalar::kernels().products, columns, 1, static_cast<unsigned>(t));
                    const Int8Row int8Row{one.runs.data(), one.transposed.data()};
                    reference.dot(weights.rows, rowCount, int8Row, expected.data());
                    products.dot(weights.rows, rowCount, int8Row, found.data());
                    ofTokens.push_back(found);
                    runs.insert(runs.end(), one.runs.begin(), one.runs.end());
                    for (std::size_t r = 0; r < rowCount; ++r) {
                        const std::span<const float> row(weights.floats.data() + r * columns, columns);
                        const double size = sizeOf(row, x.floats[t]) + 1e-30;
                        const double value = static_cast<double>(expected[r]);
                        QVERIFY2(std::abs(static_cast<double>(found[r]) - value) <= 1e-5 * size,
                                 qPrintable(QString("%1 %2").arg(found[r]).arg(expected[r])));
                        QVERIFY(std::abs(static_cast<double>(strip[t * stride + r]) - value) <= 1e-5 * size);
                        // Not more error than rounding to eight bits: half a step of each activation.
                        double exact = 0;
                        double rounding = 1e-5 * size;
                        for (std::size_t i = 0; i < columns; ++i) {
                            const auto weight = static_cast<double>(row[i]);
                            exact += weight * static_cast<double>(x.floats[t][i]);
                            rounding += std::abs(weight) * static_cast<double>(x.scale(t, i)) * 0.5001;
                        }
                        QVERIFY(std::abs(exact - value) <= rounding);
                    }
                    for (std::size_t r = rowCount; r < stride; ++r) {
                        QCOMPARE(strip[t * stride + r], 7.0F); // nothing is written beyond the rows
                    }
                }
                if (products.dotStreams != nullptr) {
                    QVERIFY(products.few <= kFewVectors);
                    checkStreams(ofTokens, kFewVectors,
                                 [&](std::size_t count, std::size_t apart, std::size_t first, std::size_t vectors,
                                     float* y, std::size_t yStride) {
                                     products.dotStreams(weights.rows, count, apart,
                                                         {.runs = runs.data() + first * perRow,
                                                          .transposed = x.transposed.data() + first * perRow,
                                                          .stride = perRow,
                                                          .count = vectors},
                                                         y, yStride);
                                 });
                }
            }
        }
    }

    // Rows whose last run is not full are read together with the rows after them, which may be damaged.
    void int8BesideDamage_data() { int8_data(); }
    void int8BesideDamage() {
        QFETCH(int, isa);
        QFETCH(quint32, type);
        const TensorTypeFact& info = *findTensorType(type);
        const auto& products = kernelsFor(static_cast<Isa>(isa)).products.int8[type];
        for (const std::size_t blocks : {1, 3, 4, 11}) {
            constexpr std::size_t kRows = 16;
            const std::size_t columns = blocks * info.blockSize;
            Weights weights(info, kRows, columns, 3);
            const Activations x(scalar::kernels().products, columns, 1);
            const Int8Row row{x.runs.data(), x.transposed.data()};
            float expected = 0;
            products.dot(weights.rows, 1, row, &expected);
            std::fill(weights.bytes.begin() + static_cast<std::ptrdiff_t>(weights.rows.rowBytes), weights.bytes.end(),
                      std::byte{0xFF}); // scales that are not numbers
            std::vector<float> found(kRows);
            products.dot(weights.rows, kRows, row, found.data());
            QCOMPARE(found[0], expected);
            if (products.dotStreams != nullptr) {
                for (const std::size_t vectors : {1, 2}) { // the second vector is the first
                    found.assign(2 * kRows, 0);
                    products.dotStreams(weights.rows, kRows / kStreams, kRows / kStreams,
                                        {.runs = row.runs, .transposed = row.transposed, .stride = 0, .count = vectors},
                                        found.data(), kRows);
                    QCOMPARE(found[0], expected);
                    QCOMPARE(found[(vectors - 1) * kRows], expected);
                }
            }
        }
    }

    void floats_data() {
        addTypes([](const ProductKernels& p, std::uint32_t id) { return p.floats[id] != nullptr; });
    }
    void floats() {
        QFETCH(int, isa);
        QFETCH(quint32, type);
        const TensorTypeFact& info = *findTensorType(type);
        const ProductKernels& products = kernelsFor(static_cast<Isa>(isa)).products;
        const auto memory = scratch();
        for (const std::size_t columns : {1, 15, 16, 64, 100, 257}) {
            const std::size_t rowCount = 21;
            const Weights weights(info, rowCount, columns, 5);
            std::vector<float> strip(kTokens * rowCount, 1);
            std::vector<float> x;
            const Activations batch(products, columns, kTokens);
            for (const std::vector<float>& row : batch.floats) {
                x.insert(x.end(), row.begin(), row.end());
            }
            products.floatStrip(weights.floats.data(), columns, rowCount, columns, x.data(), columns, kTokens,
                                strip.data(), rowCount, memory.get());
            std::vector<float> wide(kTokens * rowCount, 7);
            if (products.int16[type] != nullptr) {
                products.int16[type](weights.rows, rowCount, batch.wide.data(), kTokens, wide.data(), rowCount,
                                     memory.get());
            }
            std::vector<std::vector<float>> ofTokens;
            for (std::size_t t = 0; t < kTokens; ++t) {
                std::vector<float> found(rowCount);
                products.floats[type](weights.rows, rowCount, x.data() + t * columns, found.data());
                ofTokens.push_back(found);
                for (std::size_t r = 0; r < rowCount; ++r) {
                    const std::span<const float> row(weights.floats.data() + r * columns, columns);
                    const std::span<const float> activations(x.data() + t * columns, columns);
                    double exact = 0;
                    for (std::size_t i = 0; i < columns; ++i) {
                        exact += static_cast<double>(row[i]) * static_cast<double>(activations[i]);
                    }
                    const double limit = 1e-5 * (sizeOf(row, activations) + 1);
                    QVERIFY(std::abs(static_cast<double>(found[r]) - exact) <= limit);
                    QVERIFY(std::abs(static_cast<double>(strip[t * rowCount + r]) - 1 - exact) <= limit);
                    if (products.int16[type] != nullptr) { // half a step of each weight and of each activation
                        double rounding = limit;
                        for (std::size_t i = 0; i < columns; ++i) {
                            const auto run = row.subspan(i / kRunWeights * kRunWeights);
                            double maximum = 0;
                            for (const float weight : run.first(std::min(run.size(), kRunWeights))) {
                                maximum = std::max(maximum, std::abs(static_cast<double>(weight)));
                            }
                            const auto step = static_cast<double>(
                                batch.wide[i / kRunWeights * kTokens + t].scales[i % kRunWeights / 32]);
                            rounding +=
                                0.501 * step * std::abs(static_cast<double>(row[i])) +
                                0.501 * maximum / 16'383 * (std::abs(static_cast<double>(activations[i])) + step);
                        }
                        const double value = static_cast<double>(wide[t * rowCount + r]);
                        QVERIFY2(std::abs(value - exact) <= rounding,
                                 qPrintable(QString("%1 %2").arg(value).arg(exact)));
                    }
                }
            }
            if (products.floatStreams[type] != nullptr) {
                checkStreams(ofTokens, kFewFloatVectors,
                             [&](std::size_t count, std::size_t apart, std::size_t first, std::size_t vectors, float* y,
                                 std::size_t yStride) {
                                 products.floatStreams[type](weights.rows, count, apart, x.data() + first * columns,
                                                             columns, vectors, y, yStride);
                             });
            }
        }
    }

private:
    // Products of rows in streams equal the products of contiguous rows bit by bit, whether with one vector or with
    // several; nothing is written in between. `ofTokens` are the products with each of kTokens vectors; at most `most`
    // vectors are multiplied at once.
    template<typename Multiply>
    static void checkStreams(const std::vector<std::vector<float>>& ofTokens, std::size_t most,
                             const Multiply& multiply) {
        const std::size_t rows = ofTokens.front().size();
        const std::size_t apart = rows / kStreams;
        const std::size_t stride = rows + 3;
        for (const std::size_t count : {apart, apart - std::min<std::size_t>(apart, 1)}) {
            for (const std::size_t vectors : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, most}) {
                for (std::size_t first = 0; first + vectors <= kTokens; first += vectors) {
                    std::vector<float> found(vectors * stride, 7);
                    multiply(count, apart, first, vectors, found.data(), stride);
                    for (std::size_t i = 0; i < found.size(); ++i) {
                        const std::size_t r = i % stride;
                        const bool written = r < kStreams * apart && r % apart < count;
                        QCOMPARE(found[i], written ? ofTokens[first + i / stride][r] : 7.0F);
                    }
                }
            }
        }
    }
    static void addIsas() {
        QTest::addColumn<int>("isa");
        for (const Isa isa : availableIsas()) {
            QTest::addRow("%s", std::string(isaName(isa)).c_str()) << static_cast<int>(isa);
        }
    }
    template<typename Has>
    static void addTypes(const Has& has) {
        QTest::addColumn<int>("isa");
        QTest::addColumn<quint32>("type");
        for (const Isa isa : availableIsas()) {
            for (const TensorTypeFact& type : tensorTypes()) {
                if (has(kernelsFor(isa).products, type.id)) {
                    QTest::addRow("%s %s", std::string(isaName(isa)).c_str(), std::string(type.name).c_str())
                        << static_cast<int>(isa) << type.id;
                }
            }
        }
    }
};

GUFO_TEST(TestProducts)
#include "tst_products.moc"
