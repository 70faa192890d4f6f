// Attention kernels: scalar compared with decode() and plain sums, other instruction sets with scalar, at odd lengths.
#include "base/cpu_features.h"
#include "base/error.h"
#include "model/memory_estimate.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/float_formats.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

using namespace gufo;

namespace {

constexpr std::size_t kStride = 304;

struct CacheRows {
    std::vector<std::byte> bytes;
    std::vector<float> floats; // decoded
    std::size_t rowBytes = 0;
    std::size_t padded = 0;
};

std::vector<float> drawn(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

// F16: blocks of 64 codes of at most 2^14 in units of 2^(e − 13), where 2^e ≤ the largest magnitude < 2^(e + 1). The
// lowest two bits of each of the first four codes are the bits of e + 127, or of 255 if an element is not finite.
void appendBlockF16(std::span<const float> block, CacheRows& rows) {
    const bool isFinite = std::ranges::all_of(block, [](float x) { return std::isfinite(x); });
    float largest = 0;
    for (const float x : block) {
        largest = std::max(largest, std::abs(x));
    }
    const int exponent = !isFinite ? 255 : largest < 1e-30F ? 0 : std::ilogb(largest) + 127;
    const float unit = exponent == 0 ? 0 : std::ldexp(1.0F, exponent - 127 - 13);
    for (std::size_t j = 0; j < std::max<std::size_t>(4, (block.size() + 1) / 2 * 2); ++j) {
        const float exact = j < block.size() && unit > 0 && isFinite ? block[j] / unit : 0;
        long code = std::lrint(exact);
        if (j < 4) {
            const int bits = exponent >> (2 * j) & 3;
            code = std::lrint((exact - static_cast<float>(bits)) / 4) * 4 + bits;
            code += code > kLargestCode16 ? -4 : code < -kLargestCode16 ? 4 : 0;
        }
        const auto stored = static_cast<std::int16_t>(code);
        const auto bytes = std::bit_cast<std::array<std::byte, 2>>(stored);
        rows.bytes.insert(rows.bytes.end(), bytes.begin(), bytes.end());
        rows.floats.push_back(isFinite ? unit * static_cast<float>(stored) : NAN);
    }
}

CacheRows makeRowsF16(std::span<const float> values, std::size_t count, std::size_t length) {
    CacheRows rows;
    for (std::size_t i = 0; i < count; ++i) {
        const auto row = values.subspan(i * length, length);
        for (std::size_t at = 0; at < length; at += 64) {
            appendBlockF16(row.subspan(at, std::min<std::size_t>(64, length - at)), rows);
        }
    }
    rows.padded = rows.floats.size() / count;
    rows.rowBytes = rows.bytes.size() / count;
    return rows;
}

CacheRows makeRows(TensorType type, std::size_t count, std::size_t length) {
    if (type == TensorType::F16) {
        return makeRowsF16(drawn(count * length, static_cast<unsigned>(count * 1000 + length)), count, length);
    }
    const TensorTypeFact& facts = tensorTypeFact(type);
    CacheRows rows;
    rows.padded = (length + facts.blockSize - 1) / facts.blockSize * facts.blockSize;
    rows.rowBytes = blocksBytes(facts, rows.padded);
    rows.bytes.resize(count * rows.rowBytes);
    rows.floats.resize(count * rows.padded);
    const auto values = drawn(rows.floats.size(), static_cast<unsigned>(count * 1000 + length));
    const auto id = static_cast<std::uint32_t>(type);
    if (!encode({.typeId = id, .columns = rows.padded, .importance = {}}, values, rows.bytes) ||
        !decode(Isa::Scalar, id, rows.bytes, rows.floats)) {
        qFatal("no rows");
    }
    return rows;
}

// Transposes the rows into tiles, from row `first` of the first tile on.
std::vector<std::byte> makeTiles(TensorType type, const CacheRows& rows, std::size_t count, std::size_t first) {
    const std::size_t tiles = (first + count + kTileRows - 1) / kTileRows;
    std::vector<std::byte> bytes(tiles * kTileRows * rows.rowBytes, std::byte{0x11});
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* row = rows.bytes.data() + i * rows.rowBytes;
        std::byte* tile = bytes.data() + (first + i) / kTileRows * kTileRows * rows.rowBytes;
        const std::size_t lane = (first + i) % kTileRows;
        if (tilesHoldRows(type)) {
            std::copy_n(row, rows.rowBytes, tile + lane * rows.rowBytes);
            continue;
        }
        // The parts of a row, and what each row contributes: a scale and eight times four codes, pairs of codes, or
        // single numbers.
        std::size_t at = 0;
        while (at < rows.rowBytes) {
            const std::size_t size = type == TensorType::Q8_0  ? (at % 34 == 0 ? 2U : 4U)
                                     : type == TensorType::F16 ? 4
                                                               : tensorTypeFact(type).blockBytes;
            std::copy_n(row + at, size, tile + at * kTileRows + lane * size);
            at += size;
        }
    }
    return bytes;
}

double largestDifference(std::span<const float> a, std::span<const float> b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
    return largest;
}

} // namespace

class TestAttentionKernels : public QObject {
    Q_OBJECT

private slots:
    void products_data() {
        QTest::addColumn<int>("isa");
        QTest::addColumn<int>("type");
        for (const Isa isa : availableIsas()) {
            for (const KvCacheType cached : kvCacheTypes()) {
                const TensorType type = kvTensorType(cached);
                QTest::addRow("%s %s", isaName(isa).data(), tensorTypeFact(type).name.data())
                    << static_cast<int>(isa) << static_cast<int>(type);
            }
        }
    }
    void products() {
        QFETCH(const int, isa);
        QFETCH(const int, type);
        const AttentionKernels& kernels = kernelsFor(static_cast<Isa>(isa)).attention;
        const auto& functions = kernels.types[type];
        QVERIFY(functions.score != nullptr && functions.scoreTiles != nullptr && functions.gather != nullptr);
        for (const std::size_t length : {1U, 3U, 8U, 15U, 20U, 33U, 64U, 66U, 80U, 96U, 128U, 576U, 1103U}) {
            for (const std::size_t count : {1U, 2U, 3U, 5U, 15U, 16U, 17U, 33U, 131U, 301U}) {
                // Many rows are divided into blocks, whatever their length.
                if ((count > 33 && length != 20 && length != 64 && length != 576) || (length > 576 && count != 17)) {
                    continue;
                }
                const CacheRows rows = makeRows(static_cast<TensorType>(type), count, length);
                const CachedRows cached{rows.bytes.data(), rows.rowBytes, length};
                for (const std::size_t queries : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 21U, 32U, 34U}) {
                    const auto queryValues = drawn(queries * length, static_cast<unsigned>(queries));
                    std::vector<float> scores(queries * kStride, -1);
                    functions.score(cached, count, queryValues.data(), queries, scores.data(), kStride);
                    auto sums = drawn(queries * length + 1, 7); // the last one must not be written
                    std::vector<float> expectedSums = sums;
                    const auto weights = drawn(queries * kStride, 8);
                    functions.gather(cached, count, weights.data(), kStride, queries, sums.data());

                    std::vector<float> expectedScores(queries * kStride, -1);
                    for (std::size_t q = 0; q < queries; ++q) {
                        std::vector<double> exact(expectedSums.begin() + static_cast<std::ptrdiff_t>(q * length),
                                                  expectedSums.begin() + static_cast<std::ptrdiff_t>((q + 1) * length));
                        for (std::size_t i = 0; i < count; ++i) {
                            const float* row = rows.floats.data() + i * rows.padded;
                            double sum = 0;
                            for (std::size_t j = 0; j < length; ++j) {
                                sum += static_cast<double>(row[j]) * static_cast<double>(queryValues[q * length + j]);
                                exact[j] += static_cast<double>(weights[q * kStride + i]) * static_cast<double>(row[j]);
                            }
                            expectedScores[q * kStride + i] = static_cast<float>(sum);
                        }
                        std::ranges::transform(exact, expectedSums.begin() + static_cast<std::ptrdiff_t>(q * length),
                                               [](double x) { return static_cast<float>(x); });
                    }
                    for (const std::size_t first : {std::size_t{0}, (count + queries) % kTileRows}) {
                        const std::vector<std::byte> bytes =
                            makeTiles(static_cast<TensorType>(type), rows, count, first);
                        std::vector<float> ofTiles(queries * kStride, -1);
                        functions.scoreTiles({bytes.data(), rows.rowBytes * kTileRows, length}, first, count,
                                             queryValues.data(), queries, ofTiles.data(), kStride);
                        const double error = largestDifference(ofTiles, expectedScores);
                        QVERIFY2(error <= allowedError(isa, type, length),
                                 qPrintable(QString("length %1, %2 rows of tiles from %3 on, %4 queries: %5")
                                                .arg(length)
                                                .arg(count)
                                                .arg(first)
                                                .arg(queries)
                                                .arg(error)));
                    }
                    const double scoreError = largestDifference(scores, expectedScores);
                    const double sumError = largestDifference(sums, expectedSums);
                    const double allowed = allowedError(isa, type, std::max(length, count));
                    QVERIFY2(scoreError <= allowed && sumError <= allowed,
                             qPrintable(QString("length %1, %2 rows, %3 queries: %4, %5")
                                            .arg(length)
                                            .arg(count)
                                            .arg(queries)
                                            .arg(scoreError)
                                            .arg(sumError)));
                }
            }
        }
    }

    // Results do not depend on how queries are divided when there are more than are processed together.
    void dividedQueries_data() { eachIsa(); }
    void dividedQueries() {
        QFETCH(const int, isa);
        for (const TensorType type : {TensorType::F16, TensorType::Q8_0}) {
            const auto& functions = kernelsFor(static_cast<Isa>(isa)).attention.types[type];
            for (const std::size_t length : {20U, 64U, 576U}) {
                constexpr std::size_t kCount = 301;
                constexpr std::size_t kFirst = 3; // of a tile
                const CacheRows rows = makeRows(type, kCount, length);
                const std::vector<std::byte> tiles = makeTiles(type, rows, kCount, kFirst);
                for (const std::size_t queries : {67U, 130U}) {
                    const auto queryValues = drawn(queries * length, 51);
                    const auto weights = drawn(queries * kCount, 52);
                    const CachedTiles tiled{tiles.data(), rows.rowBytes * kTileRows, length};
                    const CachedRows cached{rows.bytes.data(), rows.rowBytes, length};
                    const auto run = [&](std::size_t together) {
                        std::vector<float> all(queries * (2 * kCount + length)); // scores of tiles and rows, and sums
                        float* const ofRows = all.data() + queries * kCount;
                        float* const sums = all.data() + 2 * queries * kCount;
                        for (std::size_t q = 0; q < queries; q += together) {
                            const std::size_t count = std::min(together, queries - q);
                            functions.scoreTiles(tiled, kFirst, kCount, queryValues.data() + q * length, count,
                                                 all.data() + q * kCount, kCount);
                            functions.gather(cached, kCount, &weights[q * kCount], kCount, count, sums + q * length);
                            functions.score(cached, kCount, queryValues.data() + q * length, count, ofRows + q * kCount,
                                            kCount);
                        }
                        return all;
                    };
                    QVERIFY(run(queries) == run(8));
                }
            }
        }
    }

    // The root mean square of all errors, relative to what half precision alone would lose.
    void precisionOfF16_data() { eachIsa(); }
    void precisionOfF16() {
        QFETCH(const int, isa);
        const auto& functions = kernelsFor(static_cast<Isa>(isa)).attention.types[TensorType::F16];
        constexpr std::size_t kCount = 512;
        constexpr std::size_t kLength = 64;
        constexpr std::size_t kQueries = 8;
        const auto plain = drawn(kCount * kLength, 31);
        const CacheRows rows = makeRowsF16(plain, kCount, kLength);
        const std::vector<std::byte> tiles = makeTiles(TensorType::F16, rows, kCount, 0);
        const auto queries = drawn(kQueries * kLength, 32);
        auto weights = drawn(kQueries * kCount, 33);
        std::ranges::transform(weights, weights.begin(), [](float x) { return std::exp(2 * x); });

        std::vector<float> scores(kQueries * kCount);
        functions.scoreTiles({tiles.data(), rows.rowBytes * kTileRows, kLength}, 0, kCount, queries.data(), kQueries,
                             scores.data(), kCount);
        std::vector<float> sums(kQueries * kLength);
        functions.gather({rows.bytes.data(), rows.rowBytes, kLength}, kCount, weights.data(), kCount, kQueries,
                         sums.data());
        const auto half = [&](std::size_t at) { return static_cast<double>(floatFromHalf(halfFromFloat(plain[at]))); };
        double scoreError = 0;
        double scoreLoss = 0;
        double sumError = 0;
        double sumLoss = 0;
        const auto add = [](double& to, double a, double b) { to += (a - b) * (a - b); };
        for (std::size_t q = 0; q < kQueries; ++q) {
            for (std::size_t i = 0; i < kCount; ++i) {
                double exact = 0;
                double ofHalves = 0;
                for (std::size_t j = 0; j < kLength; ++j) {
                    const auto x = static_cast<double>(queries[q * kLength + j]);
                    exact += x * static_cast<double>(plain[i * kLength + j]);
                    ofHalves += x * half(i * kLength + j);
                }
                add(scoreLoss, exact, ofHalves);
                add(scoreError, static_cast<double>(scores[q * kCount + i]), exact);
            }
            for (std::size_t j = 0; j < kLength; ++j) {
                double exact = 0;
                double ofHalves = 0;
                for (std::size_t i = 0; i < kCount; ++i) {
                    const auto weight = static_cast<double>(weights[q * kCount + i]);
                    exact += weight * static_cast<double>(plain[i * kLength + j]);
                    ofHalves += weight * half(i * kLength + j);
                }
                add(sumLoss, exact, ofHalves);
                add(sumError, static_cast<double>(sums[q * kLength + j]), exact);
            }
        }
        const double ofScores = std::sqrt(scoreError / scoreLoss);
        const double ofSums = std::sqrt(sumError / sumLoss);
        qInfo("%s: scores have %.2f of the error of half precision, sums %.2f", isaName(static_cast<Isa>(isa)).data(),
              ofScores, ofSums);
        const double allowed = static_cast<Isa>(isa) == Isa::Scalar ? 0.65 : 1; // the codes alone, or factors, too
        QVERIFY(ofScores <= allowed && ofSums <= allowed);
    }

    // Numbers of every magnitude, zeros, equal numbers (which have the largest possible sums) and infinities.
    void extremes_data() { eachIsa(); }
    void extremes() {
        QFETCH(const int, isa);
        const auto& functions = kernelsFor(static_cast<Isa>(isa)).attention.types[TensorType::F16];
        const auto& scalar = kernelsFor(Isa::Scalar).attention.types[TensorType::F16];
        constexpr std::size_t kCount = 70;
        constexpr std::size_t kLength = 96;
        const auto check = [&](const char* what, const std::vector<float>& numbers, std::span<const float> queries,
                               std::span<const float> weights, std::size_t queryCount) {
            const CacheRows cache = makeRowsF16(numbers, kCount, kLength);
            const std::vector<std::byte> tileBytes = makeTiles(TensorType::F16, cache, kCount, 0);
            const CachedRows rows{cache.bytes.data(), cache.rowBytes, kLength};
            const CachedTiles tiles{tileBytes.data(), cache.rowBytes * kTileRows, kLength};
            std::vector<float> scores(queryCount * kCount);
            std::vector<float> ofRows(queryCount * kCount);
            std::vector<float> sums(queryCount * kLength);
            auto scores2 = scores;
            auto sums2 = sums;
            functions.scoreTiles(tiles, 0, kCount, queries.data(), queryCount, scores.data(), kCount);
            functions.score(rows, kCount, queries.data(), queryCount, ofRows.data(), kCount);
            scalar.scoreTiles(tiles, 0, kCount, queries.data(), queryCount, scores2.data(), kCount);
            functions.gather(rows, kCount, weights.data(), kCount, queryCount, sums.data());
            scalar.gather(rows, kCount, weights.data(), kCount, queryCount, sums2.data());
            // What is not finite must not become finite, nor the other way around.
            const auto near = [](std::span<const float> a, std::span<const float> b) {
                float largest = 0; // of the finite values
                for (const float x : b) {
                    largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
                }
                for (std::size_t i = 0; i < a.size(); ++i) {
                    if (std::isfinite(a[i]) != std::isfinite(b[i]) ||
                        (std::isfinite(a[i]) && !(std::abs(a[i] - b[i]) <= 5e-4F * largest))) {
                        return false;
                    }
                }
                return true;
            };
            QVERIFY2(near(scores, scores2), what);
            QVERIFY2(near(ofRows, scores2), what);
            QVERIFY2(near(sums, sums2), what);
        };
        const auto numbersOf = [](const std::function<float(std::size_t)>& number) {
            std::vector<float> numbers(kLength * kCount);
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                numbers[i] = number(i);
            }
            return numbers;
        };
        for (const std::size_t queryCount : {1U, 5U, 8U, 11U, 16U}) {
            const auto queries = drawn(queryCount * kLength, 41);
            auto weights = drawn(queryCount * kCount, 42);
            const std::vector<float> ones(queryCount * std::max(kCount, kLength), 1);
            check("zeros", numbersOf([](std::size_t) { return 0.0F; }), queries, weights, queryCount);
            check("tiny", numbersOf([](std::size_t i) { return 1e-15F * static_cast<float>(i % 31); }), queries,
                  weights, queryCount);
            check("largest", numbersOf([](std::size_t) { return 65'504.0F; }), ones, ones, queryCount);
            check("least", numbersOf([](std::size_t) { return -65'504.0F; }), ones, ones, queryCount);
            check("huge", numbersOf([](std::size_t i) { return i % 2 == 0 ? 1e30F : -2e29F; }), ones, ones, queryCount);
            check("powers", numbersOf([](std::size_t) { return 1.0F; }), ones, ones, queryCount);
            check("any",
                  numbersOf([](std::size_t i) { return std::ldexp(i % 2 == 0 ? 1.0F : -1.5F, int(i % 40) - 24); }),
                  queries, weights, queryCount);
            check("infinite", numbersOf([](std::size_t i) { return i % 997 == 0 ? INFINITY : 0.5F; }), queries, weights,
                  queryCount);
            check("no number", numbersOf([](std::size_t i) { return i % 997 == 0 ? NAN : 0.5F; }), queries, weights,
                  queryCount);
            const auto usual = numbersOf(
                [](std::size_t i) { return std::sin(static_cast<float>(i)) + 2 * static_cast<float>(i % 2); });
            for (const float odd : {0.0F, INFINITY, NAN, 1e-30F, 1e-22F, 1e30F}) {
                auto oddQueries = queries;
                auto oddWeights = weights;
                oddQueries[70] = odd;
                oddWeights[33] = odd;
                check("odd factors", usual, oddQueries, oddWeights, queryCount);
            }
            const std::vector<float> none(ones.size());
            check("no factors", usual, none, none, queryCount);
        }
    }

    void exponentials_data() { eachIsa(); }
    void exponentials() {
        QFETCH(const int, isa);
        const AttentionKernels& kernels = kernelsFor(static_cast<Isa>(isa)).attention;
        for (std::size_t count = 1; count <= 70; ++count) {
            std::vector<float> values;
            for (std::size_t i = 0; i < count; ++i) {
                values.push_back(3.5F - static_cast<float>(i * i) * 0.021F * static_cast<float>(count % 5));
            }
            const std::vector<float> before = values;
            const float maximum = kernels.largest(values.data(), count);
            QCOMPARE(maximum, 3.5F);
            const float sum = kernels.exponentials(values.data(), count, maximum);
            double exactSum = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const double x = static_cast<double>(before[i] - maximum);
                const double exact = x > -87 ? std::exp(x) : 0;
                // The difference of two floats has a relative error of 6e-8 itself.
                QVERIFY2(std::abs(static_cast<double>(values[i]) - exact) <= (6e-7 - 1.5e-7 * x) * exact + 1e-38,
                         qPrintable(QString("e^%1: %2").arg(x).arg(static_cast<double>(values[i]))));
                exactSum += exact;
            }
            QVERIFY(std::abs(static_cast<double>(sum) - exactSum) <= 1e-6 * exactSum);
        }
    }

    void hugeDifferences_data() { eachIsa(); }
    void hugeDifferences() {
        QFETCH(const int, isa);
        const AttentionKernels& kernels = kernelsFor(static_cast<Isa>(isa)).attention;
        std::vector<float> values(37, -INFINITY);
        values[5] = -1e30F;
        values[36] = 1e30F;
        QCOMPARE(kernels.largest(values.data(), values.size()), 1e30F);
        QCOMPARE(kernels.exponentials(values.data(), values.size(), 1e30F), 1.0F);
        QCOMPARE(values[5], 0.0F);
        QCOMPARE(values[6], 0.0F);
        QCOMPARE(values[36], 1.0F);
    }

private:
    // Error of a sum of products of normal numbers. With Q8_0 and F16, AVX2 and AVX-512 round the other factor to 16
    // bits.
    static double allowedError(int isa, int type, std::size_t products) {
        const auto kernels = static_cast<Isa>(isa);
        const bool rounds = kernels == Isa::Avx2 || kernels == Isa::Avx2Vnni || kernels == Isa::Avx512;
        const bool isQ8 = type == static_cast<int>(TensorType::Q8_0);
        const bool isF16 = type == static_cast<int>(TensorType::F16);
        return (rounds && isF16 ? 8e-4 : rounds && isQ8 ? 5e-4 : 8e-6) * std::sqrt(static_cast<double>(products));
    }
    static void eachIsa() {
        QTest::addColumn<int>("isa");
        for (const Isa isa : availableIsas()) {
            QTest::newRow(isaName(isa).data()) << static_cast<int>(isa);
        }
    }
};

GUFO_TEST(TestAttentionKernels)
#include "tst_attention_kernels.moc"
