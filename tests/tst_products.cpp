// Products of encoded weights with activations: every instruction set against scalar, and scalar against decode().
#include "golden.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <cmath>
#include <memory>

using namespace gufo;
using namespace gufo::test;

namespace {

struct Activations {
    std::vector<float> floats;
    std::vector<std::int8_t> values;
    std::vector<std::int8_t> turned;
    std::vector<float> scales;
    std::vector<float> sums;
    std::vector<std::int32_t> negated4;
    std::vector<std::int32_t> negated16;
    std::vector<std::int32_t> negated32;
    std::vector<std::int32_t> negatedLanes;
    std::vector<std::int8_t> rest;
    std::vector<std::int32_t> negatedRest32;

    Activations(const ProductKernels& kernels, std::size_t columns, unsigned seed) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal;
        for (std::size_t i = 0; i < columns; ++i) {
            floats.push_back(i % 97 < 32 && seed % 3 == 0 ? 0 : normal(random) * (i % 64 == 5 ? 20.0F : 1.0F));
        }
        const std::size_t filled = (columns + kRunWeights - 1) / kRunWeights * kRunWeights;
        values.assign(filled, 99);
        turned.assign(filled, 99);
        scales.assign(filled / 16, NAN);
        sums.assign(filled / 16, NAN);
        negated4.assign(filled / 4, 99);
        negated16.assign(filled / 16, 99);
        negated32.assign(filled / 32, 99);
        negatedLanes.assign(filled / kRunWeights * kRunLanes, 99);
        rest.assign(filled, 99);
        negatedRest32.assign(filled / 32, 99);
        kernels.toInt8(floats.data(), columns, out());
    }
    [[nodiscard]] Int8Out out() {
        return {.values = values.data(),
                .scales = scales.data(),
                .sums = sums.data(),
                .negated16 = negated16.data(),
                .negated32 = negated32.data(),
                .turned = turned.data(),
                .negated4 = negated4.data(),
                .negatedLanes = negatedLanes.data(),
                .rest = rest.data(),
                .negatedRest32 = negatedRest32.data()};
    }
    bool operator==(const Activations&) const = default;
};

struct Weights {
    std::vector<std::byte> bytes;
    EncodedRows rows;
    std::vector<float> floats;

    Weights(const TensorTypeInfo& type, std::size_t count, std::size_t columns, unsigned seed) {
        const std::size_t size = columns / type.blockSize * type.blockBytes;
        if (type.kind == TensorTypeKind::Float) { // the golden ones have NaN and infinities among them
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

// Differences are measured against the size of what is summed, not of the sum, which may cancel out.
double sizeOf(std::span<const float> weights, std::span<const float> x) {
    double size = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        size += std::abs(static_cast<double>(weights[i]) * static_cast<double>(x[i]));
    }
    return size;
}

constexpr std::size_t kTokens = 19; // an eight twice, a pair, one

} // namespace

class TestProducts : public QObject {
    Q_OBJECT

private slots:
    void rounding_data() { addIsas(); }
    void rounding() {
        QFETCH(int, isa);
        const ProductKernels& kernels = kernelsFor(static_cast<Isa>(isa)).products;
        for (const std::size_t columns : {1, 16, 31, 32, 33, 96, 255, 256, 257, 2048, 5632}) {
            for (unsigned seed = 0; seed < 4; ++seed) {
                const Activations expected(scalar::kernels().products, columns, seed);
                const Activations found(kernels, columns, seed);
                QVERIFY(found == expected);
                // Fields that are not wanted change nothing else.
                Activations some = expected;
                some.values.assign(some.values.size(), 99);
                Int8Out out = some.out();
                out.turned = out.rest = nullptr;
                kernels.toInt8(some.floats.data(), columns, out);
                QVERIFY(some == expected);
            }
        }
    }

    void int8_data() {
        // Types that are no weights have no golden blocks, and random ones are full of NaN.
        addTypes([](const ProductKernels& p, std::uint32_t id) {
            return p.int8[id].dot != nullptr && !golden(id).raw.isEmpty();
        });
    }
    void int8() {
        QFETCH(int, isa);
        QFETCH(quint32, type);
        const TensorTypeInfo& info = *findTensorType(type);
        const auto& products = kernelsFor(static_cast<Isa>(isa)).products.int8[type];
        const auto& reference = scalar::kernels().products.int8[type];
        const auto memory = scratch();
        for (const std::size_t blocks : {1, 3, 8, 11}) {
            for (const std::size_t rowCount : {1, 5, 16, 23, 32}) {
                const std::size_t columns = blocks * info.blockSize;
                const Weights weights(info, rowCount, columns, static_cast<unsigned>(rowCount));
                std::vector<Activations> activations;
                std::vector<Int8Row> rows;
                for (std::size_t t = 0; t < kTokens; ++t) {
                    activations.emplace_back(scalar::kernels().products, columns, static_cast<unsigned>(t));
                }
                for (Activations& a : activations) {
                    rows.push_back(a.out().row());
                }
                const std::size_t stride = rowCount + 3;
                std::vector<float> strip(kTokens * stride, 7);
                products.strip(weights.rows, rowCount, rows.data(), kTokens, strip.data(), stride, memory.get());
                for (std::size_t t = 0; t < kTokens; ++t) {
                    std::vector<float> expected(rowCount);
                    std::vector<float> found(rowCount);
                    reference.dot(weights.rows, rowCount, rows[t], expected.data());
                    products.dot(weights.rows, rowCount, rows[t], found.data());
                    for (std::size_t r = 0; r < rowCount; ++r) {
                        const std::span<const float> row(weights.floats.data() + r * columns, columns);
                        const double size = sizeOf(row, activations[t].floats) + 1e-30;
                        const double value = static_cast<double>(expected[r]);
                        QVERIFY2(std::abs(static_cast<double>(found[r]) - value) <= 1e-5 * size,
                                 qPrintable(QString("%1 %2").arg(found[r]).arg(expected[r])));
                        QVERIFY(std::abs(static_cast<double>(strip[t * stride + r]) - value) <= 1e-5 * size);
                        // Rounding to eight bits, and no more: half a step of each activation.
                        double exact = 0;
                        double rounding = 1e-5 * size;
                        for (std::size_t i = 0; i < columns; ++i) {
                            const auto weight = static_cast<double>(row[i]);
                            exact += weight * static_cast<double>(activations[t].floats[i]);
                            rounding += std::abs(weight) * static_cast<double>(activations[t].scales[i / 16]) * 0.5001;
                        }
                        QVERIFY(std::abs(exact - value) <= rounding);
                    }
                    for (std::size_t r = rowCount; r < stride; ++r) {
                        QCOMPARE(strip[t * stride + r], 7.0F); // nothing is written beside the rows
                    }
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
        const TensorTypeInfo& info = *findTensorType(type);
        const ProductKernels& products = kernelsFor(static_cast<Isa>(isa)).products;
        const auto memory = scratch();
        for (const std::size_t columns : {1, 15, 16, 64, 100, 257}) {
            const std::size_t rowCount = 21;
            const Weights weights(info, rowCount, columns, 5);
            std::vector<float> strip(kTokens * rowCount, 1);
            std::vector<float> x;
            std::vector<Activations> activations;
            std::vector<Int8Row> rows;
            for (std::size_t t = 0; t < kTokens; ++t) {
                activations.emplace_back(products, columns, static_cast<unsigned>(t));
                x.insert(x.end(), activations.back().floats.begin(), activations.back().floats.end());
            }
            for (Activations& a : activations) {
                rows.push_back(a.out().row());
            }
            products.floatStrip(weights.floats.data(), columns, rowCount, columns, x.data(), columns, kTokens,
                                strip.data(), rowCount, memory.get());
            std::vector<float> split(kTokens * rowCount, 7);
            if (products.int8[type].strip != nullptr) {
                products.int8[type].strip(weights.rows, rowCount, rows.data(), kTokens, split.data(), rowCount,
                                          memory.get());
            }
            for (std::size_t t = 0; t < kTokens; ++t) {
                std::vector<float> found(rowCount);
                products.floats[type](weights.rows, rowCount, x.data() + t * columns, found.data());
                for (std::size_t r = 0; r < rowCount; ++r) {
                    const std::span<const float> row(weights.floats.data() + r * columns, columns);
                    const std::span<const float> own(x.data() + t * columns, columns);
                    double exact = 0;
                    for (std::size_t i = 0; i < columns; ++i) {
                        exact += static_cast<double>(row[i]) * static_cast<double>(own[i]);
                    }
                    const double limit = 1e-5 * (sizeOf(row, own) + 1);
                    QVERIFY(std::abs(static_cast<double>(found[r]) - exact) <= limit);
                    QVERIFY(std::abs(static_cast<double>(strip[t * rowCount + r]) - 1 - exact) <= limit);
                    if (products.int8[type].strip != nullptr) {
                        // Both sides are rounded to 15 bits of the largest, and what is left of both is not multiplied.
                        double most = 0;
                        for (const float weight : row) {
                            most = std::max(most, std::abs(static_cast<double>(weight)));
                        }
                        double rounding = limit;
                        for (std::size_t i = 0; i < columns; ++i) {
                            const auto step = static_cast<double>(activations[t].scales[i / 16]) / 128;
                            rounding += 0.501 * step * std::abs(static_cast<double>(row[i])) +
                                        0.501 * most / 16'319 * std::abs(static_cast<double>(own[i])) +
                                        64 * 64 * step * most / 16'319;
                        }
                        const double value = static_cast<double>(split[t * rowCount + r]);
                        QVERIFY2(std::abs(value - exact) <= rounding,
                                 qPrintable(QString("%1 %2").arg(value).arg(exact)));
                    }
                }
            }
        }
    }

private:
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
            for (const TensorTypeInfo& type : tensorTypes()) {
                if (type.id < 64 && has(kernelsFor(isa).products, type.id)) {
                    QTest::addRow("%s %s", std::string(isaName(isa)).c_str(), std::string(type.name).c_str())
                        << static_cast<int>(isa) << type.id;
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestProducts)
#include "tst_products.moc"
