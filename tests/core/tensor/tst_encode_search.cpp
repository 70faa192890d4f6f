// Compares the encoders that search for levels with an exhaustive search: all factors of each sub-block and all levels,
// for many values of d.
#include "support/test_unit.h"
#include "tensor/code_books.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/row_layout.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace gufo;

namespace {

using WeightSpan = std::span<const float>;

// A type as the search sees it: weights are levels × d × unit × factor.
struct SearchedType {
    TensorType type;
    std::size_t subBlock;
    double unit;
    std::vector<int> factors;
    double largestLevel;
    // The least weighted error of a sub-block at a scale.
    std::function<double(WeightSpan x, WeightSpan w, double scale)> error;
};

std::vector<int> factorsFrom(int first, int step, int count) {
    std::vector<int> factors;
    for (int i = 0; i < count; ++i) {
        factors.push_back(first + step * i);
    }
    return factors;
}

// The error of an entry, and how much is added by the wrong sign that costs least.
struct EntryErrors {
    double least = std::numeric_limits<double>::infinity();
    double leastWithWrongSign = std::numeric_limits<double>::infinity();
};

template<std::size_t Together, unsigned Bits>
EntryErrors entryErrors(std::span<const std::uint16_t> grid, std::span<const std::int8_t> levels, WeightSpan x,
                        WeightSpan w, double scale) {
    std::array<std::array<double, 1U << Bits>, Together> right{};
    std::array<std::array<double, 1U << Bits>, Together> wrong{};
    for (std::size_t i = 0; i < Together; ++i) {
        for (std::size_t level = 0; level < levels.size(); ++level) {
            const double size = std::abs(static_cast<double>(x[i]));
            const double value = scale * levels[level];
            right[i][level] = static_cast<double>(w[i]) * (size - value) * (size - value);
            wrong[i][level] = static_cast<double>(w[i]) * (size + value) * (size + value) - right[i][level];
        }
    }
    EntryErrors errors;
    for (const std::uint16_t entry : grid) {
        double sum = 0;
        double change = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < Together; ++i) {
            const std::size_t level = entry >> (Bits * i) & ((1U << Bits) - 1);
            sum += right[i][level];
            change = std::min(change, wrong[i][level]);
        }
        errors.least = std::min(errors.least, sum);
        errors.leastWithWrongSign = std::min(errors.leastWithWrongSign, sum + change);
    }
    return errors;
}

template<std::size_t Together, unsigned Bits>
double signedError(std::span<const std::uint16_t> grid, std::span<const std::int8_t> levels, bool even, WeightSpan x,
                   WeightSpan w, double scale) {
    double total = 0;
    for (std::size_t at = 0; at < x.size(); at += 8) {
        const auto negative = std::ranges::count_if(x.subspan(at, 8), [](float v) { return v < 0; });
        double sum = 0;
        double change = std::numeric_limits<double>::infinity();
        for (std::size_t i = at; i < at + 8; i += Together) {
            const EntryErrors errors =
                entryErrors<Together, Bits>(grid, levels, x.subspan(i, Together), w.subspan(i, Together), scale);
            sum += errors.least;
            change = std::min(change, errors.leastWithWrongSign - errors.least);
        }
        total += even && negative % 2 != 0 ? sum + change : sum;
    }
    return total;
}

// The levels are 8 t ± 1, with a common sign for `shared` weights.
double shiftedError(std::size_t shared, WeightSpan x, WeightSpan w, double scale) {
    double total = 0;
    for (std::size_t first = 0; first < x.size(); first += shared) {
        double best = std::numeric_limits<double>::infinity();
        for (const int shift : {-1, 1}) {
            double sum = 0;
            for (std::size_t at = first; at < first + shared; at += 8) {
                std::array<std::array<double, 3>, 8> costs{};
                for (std::size_t i = 0; i < 8; ++i) {
                    for (int t = -1; t <= 1; ++t) {
                        const double rest = static_cast<double>(x[at + i]) - scale * (8 * t + shift);
                        costs[i][static_cast<std::size_t>(t + 1)] = static_cast<double>(w[at + i]) * rest * rest;
                    }
                }
                double least = std::numeric_limits<double>::infinity();
                for (const std::uint16_t entry : kIq1Grid) {
                    double cost = 0;
                    for (std::size_t i = 0; i < 8; ++i) {
                        cost += costs[i][entry >> (2 * i) & 3U];
                    }
                    least = std::min(least, cost);
                }
                sum += least;
            }
            best = std::min(best, sum);
        }
        total += best;
    }
    return total;
}

// The least squared error of a weight with ascending levels.
double nearestError(std::span<const std::int8_t> levels, float x, double scale) {
    const auto above = std::ranges::lower_bound(levels, scale != 0 ? static_cast<double>(x) / scale : 0.0);
    double least = std::numeric_limits<double>::infinity();
    for (auto level = above == levels.begin() ? above : above - 1; level != levels.end() && level <= above; ++level) {
        const double rest = static_cast<double>(x) - scale * *level;
        least = std::min(least, rest * rest);
    }
    return least;
}

// Each weight takes the nearest level of one of the books, which are equally long parts of `levels`.
double levelError(std::span<const std::int8_t> levels, std::size_t books, WeightSpan x, WeightSpan w, double scale) {
    const std::size_t size = levels.size() / books;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t book = 0; book < books; ++book) {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum += static_cast<double>(w[i]) * nearestError(levels.subspan(book * size, size), x[i], scale);
        }
        best = std::min(best, sum);
    }
    return best;
}

// As IQ4_K, but of the codes of weights 2 n, 2 n + 16, 2 n + 1 and 2 n + 17, an even number of bits is set.
double evenError(WeightSpan x, WeightSpan w, double scale) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t book = 0; book < 2; ++book) {
        double sum = 0;
        for (std::size_t n = 0; n < 16; n += 2) {
            std::array<double, 2> least{0, std::numeric_limits<double>::infinity()}; // by the parity so far
            for (const std::size_t i : {n, n + 16, n + 1, n + 17}) {
                std::array<double, 2> own{std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::infinity()};
                for (unsigned code = 0; code < 16; ++code) {
                    const double rest = static_cast<double>(x[i]) - scale * kIk4Levels[16 * book + code];
                    double& of = own[static_cast<std::size_t>(std::popcount(code)) % 2];
                    of = std::min(of, static_cast<double>(w[i]) * rest * rest);
                }
                least = {std::min(least[0] + own[0], least[1] + own[1]),
                         std::min(least[0] + own[1], least[1] + own[0])};
            }
            sum += least[0];
        }
        best = std::min(best, sum);
    }
    return best;
}

double pairError(WeightSpan x, WeightSpan w, double scale) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); i += 2) {
        double least = std::numeric_limits<double>::infinity();
        for (const std::uint8_t pair : kIkPairs) {
            const double a = static_cast<double>(x[i]) - scale * kIkPairLevels[pair & 7U];
            const double b = static_cast<double>(x[i + 1]) - scale * kIkPairLevels[pair >> 3U];
            least = std::min(least, static_cast<double>(w[i]) * a * a + static_cast<double>(w[i + 1]) * b * b);
        }
        sum += least;
    }
    return sum;
}

std::vector<SearchedType> searchedTypes() {
    static constexpr std::array<std::int8_t, 3> kTernary{-1, 0, 1};
    const auto odd = factorsFrom(1, 2, 16);
    const auto fewOdd = factorsFrom(1, 2, 8);
    const auto iq2 = [&](TensorType type, std::size_t sub, std::span<const std::uint16_t> grid, bool even) {
        return SearchedType{type, sub, 0.125, odd, 43, [=](WeightSpan x, WeightSpan w, double scale) {
                                return signedError<8, 2>(grid, kIq2Magnitudes, even, x, w, scale);
                            }};
    };
    const auto iq1 = [&](TensorType type, std::size_t sub, std::size_t shared) {
        return SearchedType{
            type,   sub, 0.125,
            fewOdd, 9,   [=](WeightSpan x, WeightSpan w, double scale) {
                                return shiftedError(shared, x, w, scale); }};
    };
    const auto levels = [&](TensorType type, std::size_t sub, std::vector<int> factors,
                            std::span<const std::int8_t> all, std::size_t books) {
        return SearchedType{
            type,
            sub,
            1,
            std::move(factors),
            static_cast<double>(std::abs(all[0])),
            [=](WeightSpan x, WeightSpan w, double scale) { return levelError(all, books, x, w, scale); }};
    };
    return {
        iq2(TensorType::IQ2_XXS, 32, kIq2XxsGrid, true),
        iq2(TensorType::IQ2_XS, 16, kIq2XsGrid, true),
        iq2(TensorType::IQ2_S, 16, kIq2SGrid, false),
        {TensorType::IQ3_XXS, 32, 0.25, odd, 62,
         [](WeightSpan x, WeightSpan w, double scale) {
             return signedError<4, 3>(kIq3XxsGrid, kIq3XxsMagnitudes, true, x, w, scale);
         }},
        {TensorType::IQ3_S, 32, 1, odd, 15,
         [](WeightSpan x, WeightSpan w, double scale) {
             return signedError<4, 3>(kIq3SGrid, kIq3SMagnitudes, false, x, w, scale);
         }},
        iq1(TensorType::IQ1_S, 32, 32),
        iq1(TensorType::IQ1_M, 16, 8),
        levels(TensorType::IQ2_K, 16, factorsFrom(-8, 1, 16), kIk2Levels, 2),
        levels(TensorType::IQ3_K, 16, factorsFrom(-31, 2, 32), kIk3Levels, 2),
        levels(TensorType::IQ4_K, 16, factorsFrom(-32, 1, 64), kIk4Levels, 2),
        levels(TensorType::IQ5_K, 16, factorsFrom(-32, 1, 64), kIk5Levels, 2),
        levels(TensorType::IQ6_K, 16, factorsFrom(-127, 1, 255), kIk6Levels, 2),
        levels(TensorType::IQ2_KS, 32, factorsFrom(-16, 1, 32), kIk2Levels, 2),
        levels(TensorType::IQ3_KS, 32, factorsFrom(-16, 1, 32), kIk3Levels, 2),
        levels(TensorType::IQ4_KS, 32, factorsFrom(-127, 2, 128), kIk4Levels, 2),
        levels(TensorType::IQ5_KS, 32, factorsFrom(-127, 2, 128), kIk5Levels, 2),
        {TensorType::IQ4_KSS, 32, 1, factorsFrom(-127, 2, 128), 127, evenError},
        {TensorType::IQ2_KL, 32, 1, factorsFrom(-32, 1, 64), 63, pairError},
        levels(TensorType::TQ1_0, 256, {1}, kTernary, 1),
        levels(TensorType::TQ2_0, 256, {1}, kTernary, 1),
    };
}

double exhaustiveError(const SearchedType& searched, WeightSpan x, WeightSpan w) {
    const double largest = std::abs(*std::ranges::max_element(x, {}, [](float v) { return std::abs(v); }));
    const double unit = largest / (searched.largestLevel * searched.factors.back());
    double best = std::numeric_limits<double>::infinity();
    for (double part = 0.3; part < 1.5; part += 0.012) { // of the d that maps the largest weight to the largest level
        for (const double d : {unit * part, -unit * part}) {
            if (d < 0 && searched.factors.front() >= 0) {
                continue; // the levels are symmetric
            }
            double error = 0;
            for (std::size_t at = 0; at < x.size() && error < best; at += searched.subBlock) {
                double least = std::numeric_limits<double>::infinity();
                for (const int factor : searched.factors) {
                    least = std::min(least, searched.error(x.subspan(at, searched.subBlock),
                                                           w.subspan(at, searched.subBlock), d * factor));
                }
                error += least;
            }
            best = std::min(best, error);
        }
    }
    return best;
}

double encodedError(TensorType type, WeightSpan x, WeightSpan importance, WeightSpan w) {
    const TensorTypeFact& info = tensorTypeFact(type);
    std::vector<std::byte> bytes(encodedBytes(info.id, x.size(), x.size()));
    std::vector<float> values(x.size());
    if (!encode({.typeId = info.id, .columns = x.size(), .importance = importance}, x, bytes) ||
        !decode(info.id, bytes, values)) {
        return std::numeric_limits<double>::infinity();
    }
    double error = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double rest = static_cast<double>(x[i]) - static_cast<double>(values[i]);
        error += static_cast<double>(w[i]) * rest * rest;
    }
    return error;
}

} // namespace

class TestEncodeSearch : public QObject {
    Q_OBJECT

private slots:
    void asGoodAsAnExhaustiveSearch_data();
    void asGoodAsAnExhaustiveSearch();
    void valuesOfTheTypeAreKept_data() { types(); }
    void valuesOfTheTypeAreKept();

private:
    static void types() {
        QTest::addColumn<int>("row");
        const auto searched = searchedTypes();
        for (std::size_t i = 0; i < searched.size(); ++i) {
            QTest::newRow(tensorTypeFact(searched[i].type).name.data()) << static_cast<int>(i);
        }
    }
};

void TestEncodeSearch::asGoodAsAnExhaustiveSearch_data() {
    QTest::addColumn<int>("row");
    QTest::addColumn<bool>("withImportance");
    const auto searched = searchedTypes();
    for (std::size_t i = 0; i < searched.size(); ++i) {
        for (const bool importance : {false, true}) {
            QTest::addRow("%s%s", tensorTypeFact(searched[i].type).name.data(), importance ? " with importance" : "")
                << static_cast<int>(i) << importance;
        }
    }
}

void TestEncodeSearch::asGoodAsAnExhaustiveSearch() {
    QFETCH(int, row);
    QFETCH(bool, withImportance);
    const SearchedType searched = searchedTypes()[static_cast<std::size_t>(row)];
    std::mt19937 random(withImportance ? 11 : 12);
    std::normal_distribution<float> normal(0, 0.02F);
    std::lognormal_distribution<float> skewed(0, 1);
    // A block or, where d is common to a row, a row of three blocks.
    const std::size_t count = tensorTypeFact(searched.type).rowHeaderBytes == 0 ? 256 : 768;
    std::vector<float> x(count);
    std::vector<float> w(count, 1.0F);
    std::ranges::generate(x, [&] { return normal(random); });
    if (withImportance) {
        std::ranges::generate(w, [&] { return skewed(random); });
    }
    const double exhaustive = exhaustiveError(searched, x, w);
    const double error = encodedError(searched.type, x, withImportance ? WeightSpan(w) : WeightSpan(), w);
    // The encoder tries fewer values of d, but fits them to the levels. The error of fine levels has many minima, of
    // which it may take one that is not the lowest; IQ6_K's 255 factors make the most of them.
    const std::size_t factors = searched.factors.size();
    const double most = factors >= 255 ? 1.12 : factors >= 64 ? 1.05 : 1.025;
    QVERIFY2(error <= most * exhaustive, qPrintable(QString::number(error / exhaustive)));
    QVERIFY2(error >= 0.97 * exhaustive, qPrintable(QString::number(error / exhaustive)));
}

// What was decoded from the type is encoded again with a small part of the first error.
void TestEncodeSearch::valuesOfTheTypeAreKept() {
    QFETCH(int, row);
    const TensorTypeFact& type = tensorTypeFact(searchedTypes()[static_cast<std::size_t>(row)].type);
    std::mt19937 random(21);
    std::normal_distribution<float> normal(0, 0.02F);
    std::vector<float> x(std::size_t{20} * 256);
    std::ranges::generate(x, [&] { return normal(random); });
    std::vector<std::byte> bytes(encodedBytes(type.id, x.size(), x.size()));
    std::vector<float> values(x.size());
    const std::vector<float> ones(x.size(), 1.0F);
    const double first = encodedError(static_cast<TensorType>(type.id), x, {}, ones);
    QVERIFY(encode({.typeId = type.id, .columns = x.size(), .importance = {}}, x, bytes));
    QVERIFY(decode(type.id, bytes, values));
    const double again = encodedError(static_cast<TensorType>(type.id), values, {}, ones);
    QVERIFY2(again <= 0.1 * first, qPrintable(QString::number(again / first)));
}

GUFO_TEST(TestEncodeSearch)
#include "tst_encode_search.moc"
