#include "analysis/compare/compare_tensors.h"
#include "core/model/memory_model.h"
#include "support/test_unit.h"
#include "tensor/decode.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <thread>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Values = std::vector<double>;

// Computed directly from the definitions.
PairSums expectedSums(const Values& a, const Values& b, std::size_t first = 0, std::size_t count = ~std::size_t{0}) {
    PairSums sums;
    for (std::size_t i = first; i < std::min({a.size(), b.size(), count == ~std::size_t{0} ? count : first + count});
         ++i) {
        if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
            ++sums.excluded;
            continue;
        }
        ++sums.pairs;
        sums.equal += a[i] == b[i] ? 1U : 0U;
        sums.aa += a[i] * a[i];
        sums.bb += b[i] * b[i];
        sums.ab += a[i] * b[i];
        sums.ee += (a[i] - b[i]) * (a[i] - b[i]);
        sums.absolute += std::abs(a[i] - b[i]);
        sums.bias += b[i] - a[i];
        if (std::abs(a[i] - b[i]) > sums.maximum) {
            sums.maximum = std::abs(a[i] - b[i]);
            sums.maximumIndex = i;
        }
    }
    return sums;
}

bool close(double a, double b, double scale) {
    return a == b || std::abs(a - b) <= 1e-11 * std::abs(scale) || (!std::isfinite(a) && !std::isfinite(b));
}

bool same(const PairSums& a, const PairSums& b) {
    return a.pairs == b.pairs && a.excluded == b.excluded && a.equal == b.equal && a.maximum == b.maximum &&
           a.maximumIndex == b.maximumIndex && close(a.aa, b.aa, b.aa) && close(a.bb, b.bb, b.bb) &&
           close(a.ab, b.ab, std::sqrt(b.aa) * std::sqrt(b.bb)) && close(a.ee, b.ee, b.ee) &&
           close(a.absolute, b.absolute, b.absolute) && close(a.bias, b.bias, b.absolute);
}

// Two tensors of one model.
struct Pair {
    MemoryModel maker;
    PartOf a;
    PartOf b;

    Pair() = default;
    template<typename T, typename U>
    Pair(TensorType typeA, const std::vector<T>& valuesA, TensorType typeB, const std::vector<U>& valuesB,
         std::uint64_t columns = 0) {
        const std::uint64_t width = columns != 0 ? columns : valuesA.size();
        const auto dims = [&](std::size_t count) {
            return std::vector<std::uint64_t>{width, width != 0 ? count / width : 1};
        };
        const TensorIndex i = maker.addNumbers(typeA, dims(valuesA.size()), valuesA);
        const TensorIndex j = maker.addNumbers(typeB, dims(valuesB.size()), valuesB);
        const Model& model = maker.finish();
        a = {&model, wholeTensor(model, i)};
        b = {&model, wholeTensor(model, j)};
    }
};
Pair floats(const std::vector<float>& a, const std::vector<float>& b, std::uint64_t columns = 0) {
    return {TensorType::F32, a, TensorType::F32, b, columns};
}

TensorComparison compare(const Pair& pair) {
    auto result = compareTensors(pair.a, pair.b);
    return result ? std::move(*result) : TensorComparison();
}

Values valuesOf(const PartOf& part) {
    Values values(part.part.weights());
    const auto reader = PartReader::open(*part.model, part.part);
    values.resize(reader->present());
    reader->read(0, std::span(values));
    return values;
}

std::vector<float> normal(std::size_t count, unsigned seed, float scale = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution(0, scale);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return distribution(random); });
    return values;
}

} // namespace

Q_DECLARE_METATYPE(std::vector<float>)
Q_DECLARE_METATYPE(Likeness)
Q_DECLARE_METATYPE(std::optional<double>)

class TestCompareTensors : public QObject {
    Q_OBJECT

private slots:
    void figures_data() {
        QTest::addColumn<std::vector<float>>("a");
        QTest::addColumn<std::vector<float>>("b");
        QTest::addColumn<std::optional<double>>("rmse");
        QTest::addColumn<std::optional<double>>("mae");
        QTest::addColumn<std::optional<double>>("maxError");
        QTest::addColumn<std::optional<double>>("nmse");
        QTest::addColumn<std::optional<double>>("sqnr");
        QTest::addColumn<std::optional<double>>("cosine");
        QTest::addColumn<std::optional<double>>("equal");
        QTest::addColumn<qulonglong>("excluded");
        using V = std::vector<float>;
        using O = std::optional<double>;
        const O none;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float big = std::numeric_limits<float>::max();
        QTest::newRow("plain") << V{3, 4} << V{3, 5} << O(std::sqrt(0.5)) << O(0.5) << O(1) << O(1.0 / 25)
                               << O(10 * std::log10(25.0)) << O((9 + 20) / (5 * std::sqrt(34.0))) << O(0.5) << 0ULL;
        QTest::newRow("identical") << V{1, -2} << V{1, -2} << O(0) << O(0) << O(0) << O(0) << none << O(1) << O(1)
                                   << 0ULL;
        QTest::newRow("both zero") << V{0, 0} << V{0, -0.0F} << O(0) << O(0) << O(0) << O(0) << none << none << O(1)
                                   << 0ULL;
        QTest::newRow("zero reference") << V{0, 0} << V{0, 2} << O(std::sqrt(2.0)) << O(1) << O(2) << none << none
                                        << none << O(0.5) << 0ULL;
        QTest::newRow("zero other") << V{0, 2} << V{0, 0} << O(std::sqrt(2.0)) << O(1) << O(2) << O(1) << O(0) << none
                                    << O(0.5) << 0ULL;
        QTest::newRow("signs flipped") << V{1, -2} << V{-1, 2} << O(std::sqrt(10.0)) << O(3) << O(4) << O(4)
                                       << O(-10 * std::log10(4.0)) << O(-1) << O(0) << 0ULL;
        QTest::newRow("constant") << V{5, 5, 5} << V{6, 6, 6} << O(1) << O(1) << O(1) << O(3.0 / 75)
                                  << O(10 * std::log10(25.0)) << O(1) << O(0) << 0ULL;
        QTest::newRow("not finite") << V{1, nan, 2, kInfinity, 3} << V{1, 5, nan, kInfinity, 4} << O(std::sqrt(0.5))
                                    << O(0.5) << O(1) << O(0.1) << O(10) << O(13 / std::sqrt(170.0)) << O(0.2) << 3ULL;
        QTest::newRow("nothing finite") << V{nan} << V{1} << none << none << none << none << none << none << none
                                        << 1ULL;
        QTest::newRow("empty") << V{} << V{} << none << none << none << none << none << none << none << 0ULL;
        QTest::newRow("largest floats") << V{big, big} << V{-big, big} << O(std::sqrt(2.0) * big) << O(double(big))
                                        << O(2.0 * big) << O(2) << O(-10 * std::log10(2.0)) << O(0) << O(0.5) << 0ULL;
        QTest::newRow("smallest floats") << V{1e-45F, 0} << V{0, 1e-45F} << O(double(1e-45F)) << O(double(1e-45F))
                                         << O(double(1e-45F)) << O(2) << O(-10 * std::log10(2.0)) << O(0) << O(0)
                                         << 0ULL;
    }
    void figures() {
        QFETCH(std::vector<float>, a);
        QFETCH(std::vector<float>, b);
        const Pair pair = floats(a, b);
        const auto result = compareTensors(pair.a, pair.b);
        QVERIFY(result);
        const PairFigures figures = result->figures();
        const auto check = [](const char* name, std::optional<double> found) {
            const auto expected =
                *static_cast<const std::optional<double>*>(QTest::qData(name, qMetaTypeId<std::optional<double>>()));
            const bool equal =
                found.has_value() == expected.has_value() &&
                (!found || *found == *expected || std::abs(*found - *expected) <= 1e-12 * std::abs(*expected));
            if (!equal) {
                qWarning() << name << found.value_or(kNaN) << "instead of" << expected.value_or(kNaN);
            }
            return equal;
        };
        QVERIFY(check("rmse", figures.rmse));
        QVERIFY(check("mae", figures.mae));
        QVERIFY(check("maxError", figures.maxError));
        QVERIFY(check("nmse", figures.nmse));
        QVERIFY(check("sqnr", figures.sqnrDb));
        QVERIFY(check("cosine", figures.cosine));
        QVERIFY(check("equal", figures.equalShare));
        QTEST(static_cast<qulonglong>(result->sums.excluded), "excluded");
    }

    void identical() {
        std::vector<float> values = normal(3'000'000, 1);
        values[17] = kInfinity;
        const Pair pair = floats(values, values);
        TensorComparison result = compare(pair);
        QVERIFY(result.identical);
        QCOMPARE(result.sums.pairs, values.size() - 1);
        QCOMPARE(result.sums.equal, values.size() - 1);
        QCOMPARE(result.sums.excluded, 1U);
        QCOMPARE(result.figures().nmse, std::optional(0.0));
        QVERIFY(!result.figures().sqnrDb);
        QVERIFY(std::abs(*result.figures().cosine - 1) < 1e-15);
        QVERIFY(result.profile.octaves.empty());
        // Equal values in another type are equal, but not identical.
        result =
            compare({TensorType::I8, std::vector<std::int8_t>{1, 2}, TensorType::I16, std::vector<std::int16_t>{1, 2}});
        QVERIFY(!result.identical);
        QCOMPARE(result.figures().equalShare, std::optional(1.0));
        // −0 equals 0, but the bytes differ.
        result = compare(floats({0.0F}, {-0.0F}));
        QVERIFY(!result.identical);
        QCOMPARE(result.sums.equal, 1U);
        // Only one weight in the last slot differs. The slots before it are equal byte by byte and still count in the
        // profile.
        std::vector<float> others = values;
        others.back() += 1;
        const Pair almost = floats(values, others);
        result = compare(almost);
        QVERIFY(!result.identical);
        QVERIFY(same(result.sums, expectedSums(valuesOf(almost.a), valuesOf(almost.b))));
        std::uint64_t pairs = 0;
        for (const auto& octave : result.profile.octaves) {
            pairs += octave.pairs;
        }
        QCOMPARE(pairs, values.size() - 1);
    }

    // Perfect figures say nothing about weights that the figures leave out.
    void likeness_data() {
        QTest::addColumn<std::vector<float>>("a");
        QTest::addColumn<std::vector<float>>("b");
        QTest::addColumn<Likeness>("likeness");
        using V = std::vector<float>;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("same bytes") << V{1, 2, 3} << V{1, 2, 3} << Likeness::Identical;
        QTest::newRow("same bytes, one of them NaN") << V{1, nan, 3} << V{1, nan, 3} << Likeness::Identical;
        QTest::newRow("other zero") << V{1, 0, 3} << V{1, -0.0F, 3} << Likeness::Equal;
        QTest::newRow("NaN here") << V{1, 2, 3} << V{1, nan, 3} << Likeness::EqualWhereCompared;
        QTest::newRow("infinity there") << V{1, kInfinity, 3} << V{1, 2, 3} << Likeness::EqualWhereCompared;
        QTest::newRow("other infinities") << V{kInfinity} << V{-kInfinity} << Likeness::EqualWhereCompared;
        QTest::newRow("different") << V{1, 2, 3} << V{1, 2, 4} << Likeness::Different;
        QTest::newRow("different, and NaN") << V{1, nan, 3} << V{1, 2, 4} << Likeness::Different;
    }
    void likeness() {
        QFETCH(std::vector<float>, a);
        QFETCH(std::vector<float>, b);
        QTEST(compare(floats(a, b)).likeness(), "likeness");
    }

    void oddLengths() {
        for (const std::size_t count : {1UL, 2UL, 15UL, 17UL, 1023UL, 2047UL, 2049UL, 5000UL, (1UL << 20U) + 3}) {
            const Pair pair = floats(normal(count, 1), normal(count, 2));
            QVERIFY(same(compare(pair).sums, expectedSums(valuesOf(pair.a), valuesOf(pair.b))));
        }
    }

    void everyPairOfTypes() {
        // Random blocks with any scales, including infinity and NaN.
        std::mt19937 random(7);
        constexpr std::uint64_t kColumns = 512;
        MemoryModel maker;
        std::vector<TensorIndex> tensors;
        for (const TensorTypeFact& type : tensorTypes()) {
            if (isDecodable(type.id)) {
                std::vector<std::byte> bytes(*tensorBytes(type, kColumns, 3));
                std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
                tensors.push_back(maker.add(type.id, {kColumns, 3}, bytes));
            }
        }
        const Model& model = maker.finish();
        QVERIFY(tensors.size() > 30);
        for (const TensorIndex i : tensors) {
            const PartOf a{&model, wholeTensor(model, i)};
            const Values valuesA = valuesOf(a);
            for (const TensorIndex j : tensors) {
                const PartOf b{&model, wholeTensor(model, j)};
                const auto result = compareTensors(a, b);
                QVERIFY(result);
                const PairSums expected = expectedSums(valuesA, valuesOf(b));
                PairSums found = result->sums;
                if (!same(found, expected)) {
                    qWarning() << model.tensor(i).typeName().c_str() << model.tensor(j).typeName().c_str();
                }
                QVERIFY(same(found, expected));
                QCOMPARE(result->identical, i == j);
            }
        }
    }

    void bothByteOrders() {
        const std::vector<float> from = normal(1000, 3);
        const std::vector<float> to = normal(1000, 4);
        MemoryModel little;
        MemoryModel big(ByteOrder::Big);
        const TensorIndex i = little.addNumbers(TensorType::F32, from);
        const TensorIndex j = big.addNumbers(TensorType::F32, to);
        const TensorIndex k = big.addNumbers(TensorType::F32, from);
        const Model& a = little.finish();
        const Model& b = big.finish();
        const PartOf reference{&a, wholeTensor(a, i)};
        auto result = compareTensors(reference, {&b, wholeTensor(b, j)});
        QVERIFY(result && same(result->sums, expectedSums({from.begin(), from.end()}, {to.begin(), to.end()})));
        result = compareTensors(reference, {&b, wholeTensor(b, k)});
        QVERIFY(result && !result->identical && result->figures().equalShare == 1.0);
    }

    void partsOfTensors() {
        const std::vector<float> from = normal(64 * 12, 5);
        std::vector<float> to(from.begin() + 64 * 4, from.begin() + 64 * 8);
        to[70] += 1;
        Pair pair = floats(from, to, 64);
        pair.a.part = {pair.a.part.tensor, 64 * 4, 64, 4};
        const TensorComparison result = compare(pair);
        QCOMPARE(result.sums.pairs, 256U);
        QCOMPARE(result.sums.equal, 255U);
        QCOMPARE(result.sums.maximumIndex, 70U);
        // Parts that begin inside a block.
        MemoryModel maker;
        std::vector<std::byte> blocks(34 * 4, std::byte{17});
        const TensorIndex i = maker.add(static_cast<std::uint32_t>(TensorType::Q8_0), {128}, blocks);
        const Model& model = maker.finish();
        const auto same17 = compareTensors({&model, {i, 5, 40, 1}}, {&model, {i, 38, 40, 1}});
        QVERIFY(same17 && same17->sums.equal == 40);
    }

    void profile() {
        const std::vector<float> from = normal(100'000, 6, 0.02F);
        std::vector<float> to = normal(100'000, 7, 0.001F);
        for (std::size_t i = 0; i < to.size(); ++i) {
            to[i] = i % 5 == 0 ? from[i] : to[i] + from[i];
        }
        std::vector<float> special = from;
        special[3] = 0;
        special[5] = 1e-40F;
        special[6] = 1e30F;
        special[7] = kInfinity;
        for (const auto& a : {from, special}) {
            const Pair pair = floats(a, to);
            const ErrorProfile found = compare(pair).profile;
            std::map<int, ErrorProfile::Octave> octaves;
            std::map<double, std::uint64_t> errors;
            for (std::size_t i = 0; i < a.size(); ++i) {
                const double x = a[i];
                const double error = std::abs(x - to[i]);
                if (!std::isfinite(x)) {
                    continue;
                }
                const int exponent = x == 0 ? ErrorProfile::kLowest
                                            : std::clamp(std::ilogb(x), ErrorProfile::kLowest, ErrorProfile::kHighest);
                ErrorProfile::Octave& octave = octaves[exponent];
                ++octave.pairs;
                octave.squares += x * x;
                octave.errorSquares += error * error;
                double lower = 0;
                if (error >= std::ldexp(1.5, ErrorProfile::kLowest)) {
                    const int errorExponent = std::min(std::ilogb(error), ErrorProfile::kHighest);
                    lower = error >= std::ldexp(1.5, errorExponent) ? std::ldexp(1.5, errorExponent)
                                                                    : std::ldexp(1.0, errorExponent);
                }
                ++errors[lower];
            }
            QCOMPARE(found.octaves.size(), octaves.size());
            for (const auto& octave : found.octaves) {
                const auto& expected = octaves[octave.exponent];
                QCOMPARE(octave.pairs, expected.pairs);
                QVERIFY(close(octave.squares, expected.squares, expected.squares));
                QVERIFY(close(octave.errorSquares, expected.errorSquares, expected.errorSquares));
            }
            QCOMPARE(found.errors.size(), errors.size());
            for (const auto& bin : found.errors) {
                QCOMPARE(bin.pairs, errors[bin.lower]);
                QVERIFY(bin.lower < bin.upper);
            }
        }
        QVERIFY(!ErrorProfile::Octave().relativeError());
        QCOMPARE((ErrorProfile::Octave{.squares = 4, .errorSquares = 1}).relativeError(), std::optional(0.5));
    }

    void rows() {
        const Pair pair = floats(normal(10 * 300, 8), normal(10 * 300, 9), 300);
        const Values a = valuesOf(pair.a);
        const Values b = valuesOf(pair.b);
        const auto each = compareRows(pair.a, pair.b, 4096);
        QVERIFY(each && each->groups.size() == 10 && each->rows == 10);
        for (std::size_t row = 0; row < 10; ++row) {
            QVERIFY(same(each->groups[row], expectedSums(a, b, row * 300, 300)));
        }
        const auto groups = compareRows(pair.a, pair.b, 3);
        QVERIFY(groups && groups->groups.size() == 3);
        QVERIFY(same(groups->groups[0], expectedSums(a, b, 0, 3 * 300)));
        QVERIFY(same(groups->groups[1], expectedSums(a, b, 3 * 300, 3 * 300)));
        QVERIFY(same(groups->groups[2], expectedSums(a, b, 6 * 300, 4 * 300)));
    }

    void blocks() {
        const Pair pair = floats(normal(3 * 100, 10), normal(3 * 100, 11), 100);
        const Values a = valuesOf(pair.a);
        const Values b = valuesOf(pair.b);
        const auto blocks = compareBlocks(pair.a, pair.b, 64, 200);
        QVERIFY(blocks && blocks->blockSize == 32 && blocks->firstBlock == 2 && blocks->blocks.size() == 7);
        for (std::size_t i = 0; i < 7; ++i) {
            QVERIFY(same(blocks->blocks[i], expectedSums(a, b, 64 + i * 32, i == 6 ? 8 : 32)));
        }
        QVERIFY(!compareBlocks(pair.a, pair.b, 1, 32));
        QVERIFY(!compareBlocks(pair.a, pair.b, 288, 13));
        QVERIFY(!compareBlocks(pair.a, pair.b, ~std::uint64_t{31}, 64));
    }

    void tile() {
        std::vector<float> a(6 * 4);
        std::vector<float> b(6 * 4);
        for (std::size_t i = 0; i < b.size(); ++i) {
            b[i] = static_cast<float>(i % 2 == 0 ? i : 0) * -1;
        }
        a[23] = kInfinity;
        const Pair pair = floats(a, b, 4);
        const auto whole = errorTile(pair.a, pair.b, {0, 6, 0, 4}, 6, 4, SliceReduction::Mean);
        QVERIFY(whole && whole->rows == 6 && whole->columns == 4);
        QCOMPARE(whole->values[2], -2.0F);
        QVERIFY(std::isnan(whole->values[23]));
        const auto halves = errorTile(pair.a, pair.b, {2, 4, 0, 4}, 1, 2, SliceReduction::LargestMagnitude);
        QVERIFY(halves && halves->values == (std::vector<float>{-20, -22}));
        const auto rms = errorTile(pair.a, pair.b, {0, 2, 0, 2}, 1, 1, SliceReduction::RootMeanSquare);
        QVERIFY(rms && std::abs(rms->values[0] - 2) < 1e-6F); // √(16 / 4)
        QVERIFY(!errorTile(pair.a, pair.b, {0, 7, 0, 4}, 1, 1, SliceReduction::Mean));
        QVERIFY(!errorTile(pair.a, pair.b, {0, 1, 2, 3}, 1, 1, SliceReduction::Mean));
    }

    void errorsInBins() {
        const Pair pair = floats({0, 0, 0, 0, kInfinity}, {-2, 1, 2, 0.5F, 1});
        auto histogram = errorHistogram(pair.a, pair.b, {.bins = 4});
        QVERIFY(histogram);
        QCOMPARE(histogram->lo, -2.0);
        QCOMPARE(histogram->hi, 2.0);
        QCOMPARE(histogram->counts, (std::vector<std::uint64_t>{1, 0, 1, 2}));
        histogram = errorHistogram(pair.a, pair.b, {.bins = 2, .range = std::array{0.0, 1.0}});
        QVERIFY(histogram);
        QCOMPARE(histogram->counts, (std::vector<std::uint64_t>{0, 2}));
        QCOMPARE(histogram->below, 1U);
        QCOMPARE(histogram->above, 1U);
        // Differences larger than a float can represent.
        const float big = std::numeric_limits<float>::max();
        const Pair large = floats({-big, 0}, {big, 0});
        histogram = errorHistogram(large.a, large.b, {.bins = 3});
        QVERIFY(histogram);
        QCOMPARE(std::accumulate(histogram->counts.begin(), histogram->counts.end(), std::uint64_t{0}), 2U);
        const Pair equal = floats({1, 2}, {1, 2});
        histogram = errorHistogram(equal.a, equal.b, {.bins = 3});
        QVERIFY(histogram && histogram->counts == (std::vector<std::uint64_t>{0, 2, 0}));
        QVERIFY(!errorHistogram(equal.a, equal.b, {.bins = 0}));
    }

    void density() {
        const Pair pair = floats({0, 1, 2, 2, kInfinity}, {0, 0.5F, 2, 1, 0});
        auto density = pairDensity(pair.a, pair.b, {.bins = 2});
        QVERIFY(density);
        QCOMPARE(density->lo, 0.0);
        QCOMPARE(density->hi, 2.0);
        QCOMPARE(density->counts, (std::vector<std::uint64_t>{1, 1, 0, 2}));
        density = pairDensity(pair.a, pair.b, {.bins = 1, .range = std::array{0.0, 1.0}});
        QVERIFY(density);
        QCOMPARE(density->counts, (std::vector<std::uint64_t>{2}));
        QCOMPARE(density->outside, 2U);
        QVERIFY(!pairDensity(pair.a, pair.b, {.bins = 1025}));
    }

    void valuesInBins() {
        const Pair pair = floats({0, 1, 2, 3}, {-1, 1, 1, kInfinity});
        const std::array parts{pair.a, pair.b};
        auto histograms = valueHistograms(parts, {.bins = 4});
        QVERIFY(histograms && histograms->size() == 2);
        QCOMPARE((*histograms)[0].counts, (std::vector<std::uint64_t>{0, 1, 1, 2}));
        QCOMPARE((*histograms)[1].counts, (std::vector<std::uint64_t>{1, 0, 2, 0}));
        QCOMPARE((*histograms)[1].lo, -1.0);
        QCOMPARE((*histograms)[1].hi, 3.0);
    }

    void truncated() {
        const std::vector<float> values = normal(100, 12);
        MemoryModel maker;
        std::vector<std::byte> bytes(values.size() * sizeof(float));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        const TensorIndex i = maker.add(0, {10, 10}, bytes);
        const TensorIndex j = maker.add(0, {10, 10}, {bytes.begin(), bytes.begin() + 55 * sizeof(float) + 2});
        const Model& model = maker.finish();
        const PartOf a{&model, wholeTensor(model, i)};
        const PartOf b{&model, wholeTensor(model, j)};
        const auto result = compareTensors(a, b);
        QVERIFY(result && result->truncated && !result->identical);
        QCOMPARE(result->sums.pairs, 55U);
        QCOMPARE(result->likeness(), Likeness::EqualWhereCompared);
        const auto rows = compareRows(a, b, 100);
        QVERIFY(rows && rows->groups[5].pairs == 5 && rows->groups[6].pairs == 0);
        const auto tile = errorTile(a, b, {5, 2, 0, 10}, 2, 10, SliceReduction::Mean);
        QVERIFY(tile && tile->values[4] == 0 && std::isnan(tile->values[5]) && std::isnan(tile->values[19]));
        // A part entirely past the end.
        const auto past = compareTensors({&model, {i, 80, 10, 1}}, {&model, {j, 80, 10, 1}});
        QVERIFY(past && past->truncated && past->sums.pairs == 0);
    }

    void refusals() {
        MemoryModel maker;
        const TensorIndex i = maker.addNumbers(TensorType::F32, std::vector<float>{1, 2});
        const TensorIndex unknown = maker.add(4'000'000, {2}, {});
        const TensorIndex longer = maker.addNumbers(TensorType::F32, std::vector<float>{1, 2, 3});
        const Model& model = maker.finish();
        const PartOf a{&model, wholeTensor(model, i)};
        QCOMPARE(compareTensors(a, {&model, wholeTensor(model, unknown)}).error().code, ErrorCode::NotDecodable);
        QCOMPARE(compareTensors({&model, wholeTensor(model, unknown)}, a).error().code, ErrorCode::NotDecodable);
        QCOMPARE(compareTensors(a, {&model, wholeTensor(model, longer)}).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(compareRows(a, {&model, wholeTensor(model, longer)}, 3).error().code, ErrorCode::InvalidArgument);
    }

    void cancels() {
        const Pair pair = floats(normal(40'000'000, 1), normal(40'000'000, 2), 4000);
        const auto cancelled = [&](auto call) {
            std::stop_source stop;
            Progress progress;
            std::atomic<bool> returned = false;
            QElapsedTimer sinceStop;
            std::jthread stopper([&] {
                while (progress.done() == 0 && !returned) {
                    std::this_thread::yield();
                }
                sinceStop.start();
                stop.request_stop();
            });
            // On one slow thread, so that the work cannot finish before the stop.
            const auto result = call(JobContext{.stop = stop.get_token(), .progress = &progress, .threads = 1});
            returned = true;
            stopper.join();
            return !result && result.error().code == ErrorCode::Cancelled && sinceStop.elapsed() < 2000;
        };
        QVERIFY(cancelled([&](const JobContext& job) { return compareTensors(pair.a, pair.b, job); }));
        QVERIFY(cancelled([&](const JobContext& job) { return compareTensors(pair.a, pair.a, job); }));
        QVERIFY(cancelled([&](const JobContext& job) { return compareRows(pair.a, pair.b, 5, job); }));
        QVERIFY(cancelled([&](const JobContext& job) { return errorHistogram(pair.a, pair.b, {}, job); }));
        QVERIFY(cancelled([&](const JobContext& job) { return pairDensity(pair.a, pair.b, {}, job); }));
        QVERIFY(cancelled([&](const JobContext& job) {
            return errorTile(pair.a, pair.b, {0, 10'000, 0, 4000}, 1, 1, SliceReduction::Mean, job);
        }));
        const std::array parts{pair.a, pair.b};
        QVERIFY(cancelled([&](const JobContext& job) { return valueHistograms(parts, {}, job); }));
    }
};

GUFO_TEST_APPLESS(TestCompareTensors)
#include "tst_compare_tensors.moc"
