// Compares every kernel of every instruction set of this processor with the scalar one, for all types, odd lengths,
// misaligned input and arbitrary bits. It does without Qt, so that it can also run under an emulator (./dev neon).
//
//   kernel_check GOLDEN      (the folder tests/data/golden)
#include "kernel_check.h"

#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/scalar/reduce.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace gufo;
using gufo::test::check;

namespace {

int g_failures = 0;
int g_checks = 0;

} // namespace

void gufo::test::check(bool holds, Isa isa, const std::string& what) {
    ++g_checks;
    if (!holds) {
        ++g_failures;
        std::printf("%s: %s differs from scalar\n", std::string(isaName(isa)).c_str(), what.c_str());
    }
}

namespace {

bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

void checkDecoders(Isa isa) {
    std::mt19937 random(1);
    for (const TensorTypeFact& type : tensorTypes()) {
        if (!isDecodable(type.id)) {
            continue;
        }
        for (const std::size_t blocks : {1, 2, 3, 5, 8, 13, 31, 33, 67, 255}) {
            for (const std::size_t misalignment : {0, 1, 3}) {
                std::vector<std::byte> bytes(misalignment + *rowBytes(type, blocks * type.blockSize));
                std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
                // Guard values on both sides reveal a kernel that writes outside its output.
                const std::size_t weights = blocks * type.blockSize;
                std::vector<float> expected(weights);
                std::vector<float> out(weights + 2 + misalignment, 42.0F);
                const auto decodeWith = [&](const Kernels& kernels, float* to) {
                    const std::byte* row = bytes.data() + misalignment;
                    if (type.rowHeaderBytes == 0) {
                        kernels.decode[type.id](row, blocks, to);
                    } else {
                        kernels.decodeInRow[type.id](row, row + type.rowHeaderBytes, blocks, to);
                    }
                };
                decodeWith(scalar::kernels(), expected.data());
                decodeWith(kernelsFor(isa), out.data() + 1 + misalignment);
                const bool equal = std::equal(expected.begin(), expected.end(), out.begin() + 1 + misalignment, same);
                check(equal && out[misalignment] == 42.0F && out.back() == 42.0F, isa,
                      std::string(type.name) + ", " + std::to_string(blocks) + " blocks");
            }
        }
    }
}

bool close(double a, double b, double scale) { return std::abs(a - b) <= 1e-12 * scale || a == b; }

void checkSums(Isa isa, const std::vector<float>& values, const std::string& what) {
    for (const std::size_t count : {0UL, 1UL, 7UL, 8UL, 15UL, 16UL, 17UL, 100UL, values.size() - 1}) {
        for (const double shift : {0.0, 0.1}) {
            const PowerSums a = kernelsFor(isa).sumFloats(values.data() + 1, count, shift);
            const PowerSums b = scalar::sumFloats(values.data() + 1, count, shift);
            const double n = static_cast<double>(count) + 1;
            const double largest = std::max({std::abs(b.min), std::abs(b.max), 0.1});
            const double unit = b.finite == 0 ? 1 : largest + 0.1;
            const bool counts = a.finite == b.finite && a.zeros == b.zeros && a.nans == b.nans &&
                                a.infinities == b.infinities && a.min == b.min && a.max == b.max && a.shift == b.shift;
            const bool sums = close(a.absolute, b.absolute, n * unit) && close(a.sum1, b.sum1, n * unit) &&
                              close(a.sum2, b.sum2, n * unit * unit) && close(a.sum3, b.sum3, n * unit * unit * unit) &&
                              close(a.sum4, b.sum4, n * unit * unit * unit * unit);
            check(counts && sums, isa, "sums of " + std::to_string(count) + " values, " + what);
        }
    }
}

void checkExtremes(Isa isa, const std::vector<float>& values, const std::string& what) {
    for (const std::size_t count : {0UL, 1UL, 7UL, 15UL, 16UL, 17UL, 100UL, values.size() - 1}) {
        const Extremes a = kernelsFor(isa).extremes(values.data() + 1, count);
        const Extremes b = scalar::extremes(values.data() + 1, count);
        check(a.smallest == b.smallest && a.largest == b.largest, isa,
              "extremes of " + std::to_string(count) + " values, " + what);
    }
}

void checkBins(Isa isa, const std::vector<float>& values, double lo, double hi, std::uint32_t bins,
               std::uint32_t tables, const std::string& what) {
    std::vector<double> edges;
    const auto floatAtOrAbove = [](double edge) {
        const auto nearest = static_cast<float>(edge);
        return nearest < edge ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
    };
    const double step = (hi - lo) / bins;
    for (std::uint32_t i = 0; i <= bins; ++i) {
        edges.push_back(i == bins ? hi : i * step + lo);
    }
    BinPlan plan{.bins = bins, .lo = lo, .perUnit = bins / (hi - lo), .edges = edges.data()};
    plan.step = step;
    plan.first = floatAtOrAbove(lo);
    plan.end = floatAtOrAbove(std::nextafter(hi, std::numeric_limits<double>::infinity()));
    plan.floatLo = static_cast<float>(lo);
    plan.floatPerUnit = static_cast<float>(plan.perUnit);
    plan.floatMargin = static_cast<float>(std::abs(lo - plan.floatLo) * plan.perUnit + bins * 0x1p-21 + 0x1p-20);
    plan.floatGuess = plan.floatMargin < 0.25F;
    plan.tables = tables;
    const auto counted = [&](auto bin, std::size_t count, bool paired) {
        std::vector<std::uint32_t> raw(std::size_t{tables} * bins);
        std::vector<std::uint16_t> pairs(paired ? std::size_t{kPairedBins} * kPairedBins : 0);
        BinCounts counts{.counts = raw.data(), .pairs = paired ? pairs.data() : nullptr};
        bin(values.data() + 1, count, plan, counts);
        std::vector<std::uint64_t> result{counts.below, counts.above};
        result.resize(2 + bins);
        for (std::size_t i = 0; i < raw.size(); ++i) {
            result[2 + i % bins] += raw[i];
        }
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (pairs[i] != 0) {
                result.at(2 + i / kPairedBins) += pairs[i];
                result.at(2 + i % kPairedBins) += pairs[i];
                check(i / kPairedBins >= i % kPairedBins, isa, "the order of the bins of a pair");
            }
        }
        return result;
    };
    for (const std::size_t count : {0UL, 1UL, 15UL, 16UL, 33UL, 511UL, 512UL, 513UL, values.size() - 1}) {
        const auto expected = counted(scalar::binFloats, count, false);
        check(counted(kernelsFor(isa).binFloats, count, false) == expected, isa,
              std::to_string(bins) + " bins of " + std::to_string(count) + " values, " + what);
        if (bins <= kPairedBins) {
            check(counted(kernelsFor(isa).binFloats, count, true) == expected, isa,
                  "pairs of " + std::to_string(bins) + " bins of " + std::to_string(count) + " values, " + what);
        }
    }
}

// [octave][error bin, Σa², Σ(a − b)²]
std::vector<double> flat(const PairBins& bins, bool counts) {
    std::vector<double> values;
    for (std::size_t octave = 0; octave < PairBins::kOctaves; ++octave) {
        if (counts) {
            values.insert(values.end(), bins.counts[octave].begin(), bins.counts[octave].end());
            continue;
        }
        PairBins::Sums total{};
        for (const PairBins::Sums& lane : bins.sums[octave]) {
            total.aa += lane.aa;
            total.ee += lane.ee;
        }
        values.insert(values.end(), {total.aa, total.ee});
    }
    return values;
}

void checkPairs(Isa isa, const std::vector<float>& from, const std::vector<float>& to, const std::string& what) {
    const auto bins = std::make_unique<PairBins>();
    const auto expectedBins = std::make_unique<PairBins>();
    for (const std::size_t count : {0UL, 1UL, 7UL, 8UL, 9UL, 15UL, 16UL, 17UL, 31UL, 33UL, 127UL, 128UL, 136UL, 144UL,
                                    256UL, 1000UL, from.size() - 1}) {
        for (const bool binned : {false, true}) {
            const float* a = from.data() + 1;
            const float* b = to.data() + 1;
            const PairSums expected = scalar::sumPairs(a, b, count, 0, binned ? expectedBins.get() : nullptr);
            const PairSums sums = kernelsFor(isa).sumPairs(a, b, count, 0, binned ? bins.get() : nullptr);
            const bool counts = sums.pairs == expected.pairs && sums.excluded == expected.excluded &&
                                sums.equal == expected.equal && sums.maximum == expected.maximum &&
                                sums.maximumIndex == expected.maximumIndex;
            const double products = std::sqrt(expected.aa * expected.bb);
            const bool totals = close(sums.aa, expected.aa, expected.aa) && close(sums.bb, expected.bb, expected.bb) &&
                                close(sums.ab, expected.ab, products) && close(sums.ee, expected.ee, expected.ee) &&
                                close(sums.absolute, expected.absolute, expected.absolute) &&
                                close(sums.bias, expected.bias, expected.absolute);
            check(counts && totals, isa, "sums of " + std::to_string(count) + " pairs, " + what);
            const PairSums unasked = kernelsFor(isa).sumPairs(a, b, count, expected.maximum, nullptr);
            check(unasked.maximumIndex == PairSums::kNone && unasked.maximum == expected.maximum, isa,
                  "known maximum of pairs, " + what);
        }
    }
    check(flat(*bins, true) == flat(*expectedBins, true), isa, "counts of binned pairs, " + what);
    check(std::ranges::equal(flat(*bins, false), flat(*expectedBins, false),
                             [](double x, double y) { return close(x, y, y); }),
          isa, "sums of binned pairs, " + what);
}

void checkReductions(Isa isa) {
    std::mt19937 random(2);
    std::normal_distribution<float> normal(0, 1);
    std::vector<float> plain(5000);
    std::ranges::generate(plain, [&] { return normal(random); });
    std::vector<float> steps(5000); // many are exactly on edges
    std::ranges::generate(steps, [&] { return static_cast<float>(random() % 257) / 64 - 2; });
    std::vector<float> special = plain;
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(), -0.0F, 0.0F, 1e-40F, 3e38F, -3e38F}) {
        special[random() % special.size()] = value;
    }
    checkExtremes(isa, std::vector<float>(101, std::numeric_limits<float>::quiet_NaN()), "NaN");
    checkExtremes(isa, std::vector<float>(101, std::numeric_limits<float>::infinity()), "infinite");
    for (const auto& [values, what] :
         {std::pair(plain, "normal"), std::pair(steps, "steps"), std::pair(special, "special")}) {
        checkSums(isa, values, what);
        checkExtremes(isa, values, what);
        std::vector<float> others = values;
        for (std::size_t i = 0; i < others.size(); ++i) {
            others[i] += i % 3 == 0 ? 0.0F : std::ldexp(normal(random), -static_cast<int>(random() % 90));
        }
        others[7] = -others[7];
        checkPairs(isa, values, others, what);
        checkPairs(isa, others, values, std::string(what) + ", turned round");
        others[998] = std::numeric_limits<float>::infinity(); // among the last of 1000 pairs
        checkPairs(isa, values, others, std::string(what) + ", infinite near the end");
        for (const std::uint32_t bins : {1U, 7U, 256U, 1024U}) {
            for (const std::uint32_t tables : {1U, 8U}) {
                checkBins(isa, values, -2, 2, bins, tables, what);
                checkBins(isa, values, -0.1, 0.3, bins, tables, what);
                checkBins(isa, values, -10, 7, bins, tables, what);
                checkBins(isa, values, 0, 2, bins, tables, what); // 0 is on the first edge
                checkBins(isa, values, 0.5, 2, bins, tables, what);
            }
        }
    }
    checkBins(isa, std::vector<float>(kMaxPairedValues, 0.5F), -2, 2, 256, 1, "equal"); // as many as a counter can hold
    std::vector<std::byte> shorts(2 * 10'001 + 1);
    std::ranges::generate(shorts, [&] { return static_cast<std::byte>(random()); });
    std::vector<std::uint32_t> a(65'536);
    std::vector<std::uint32_t> b(65'536);
    kernelsFor(isa).countShorts(shorts.data() + 1, 10'001, a.data());
    scalar::countShorts(shorts.data() + 1, 10'001, b.data());
    check(a == b, isa, "counts of 16-bit values");
}

void checkFolds(Isa isa) {
    std::mt19937 random(3);
    std::vector<float> largest(1003, std::numeric_limits<float>::quiet_NaN());
    std::vector<double> sums(largest.size());
    std::vector<double> squares(largest.size());
    std::vector<std::uint32_t> counts(largest.size());
    std::vector<std::uint32_t> squareCounts(largest.size());
    auto largest2 = largest;
    auto sums2 = sums;
    auto squares2 = squares;
    auto counts2 = counts;
    for (int row = 0; row < 20; ++row) {
        std::vector<float> values(largest.size());
        std::ranges::generate(values, [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); });
        const Kernels& kernels = kernelsFor(isa);
        kernels.foldLargest(largest.data(), values.data(), values.size());
        kernels.foldSums(sums.data(), counts.data(), values.data(), values.size());
        kernels.foldSquares(squares.data(), squareCounts.data(), values.data(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isnan(values[i])) {
                continue;
            }
            largest2[i] =
                std::isnan(largest2[i]) || std::abs(values[i]) > std::abs(largest2[i]) ? values[i] : largest2[i];
            sums2[i] += values[i];
            squares2[i] += static_cast<double>(values[i]) * values[i];
            ++counts2[i];
        }
    }
    const auto equal = [](const std::vector<double>& a, const std::vector<double>& b) {
        return std::ranges::equal(a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
    };
    check(std::ranges::equal(largest, largest2, same), isa, "largest magnitudes");
    check(equal(sums, sums2) && equal(squares, squares2), isa, "column sums");
    check(counts == counts2 && squareCounts == counts2, isa, "column counts");
}

// Kernels may sum in different orders, so the last digits may differ.
void checkAttention(Isa isa) {
    std::mt19937 random(4);
    std::normal_distribution<float> normal;
    const auto draw = [&](std::size_t count) {
        std::vector<float> values(count);
        std::ranges::generate(values, [&] { return normal(random); });
        return values;
    };
    const auto near = [](const std::vector<float>& a, const std::vector<float>& b, float limit = 1e-4F) {
        return std::ranges::equal(a, b, [=](float x, float y) { return std::abs(x - y) <= limit; });
    };
    constexpr std::size_t kCount = 21;
    constexpr std::size_t kRowBytes = 4 * 160 + 2; // only the first row is aligned
    for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q8_0,
                                  TensorType::Q5_1, TensorType::Q5_0, TensorType::Q4_1, TensorType::Q4_0}) {
        const auto id = static_cast<std::uint32_t>(type);
        // The scalar or the other kernels, or both, may use 16 bits.
        const float limit = type == TensorType::F16 ? 2e-2F : type == TensorType::Q8_0 ? 4e-3F : 1e-4F;
        std::vector<std::byte> bytes(kCount * kRowBytes);
        std::vector<std::byte> tiles;
        const std::size_t tileBytes = kTileRows * *rowBytes(tensorTypeFact(type), 160);
        tiles.resize(2 * tileBytes);
        if (type == TensorType::F16) { // codes of at most 2^14; the exponent belongs to 1/2 … 1
            const auto codeOf = [&](std::size_t element) {
                constexpr std::uint32_t kExponent = 126;
                const int code = static_cast<int>(random() % 32'761) - 16'380;
                return static_cast<std::int16_t>(
                    element % kBlock16 < 4 ? (code & ~3) | static_cast<int>(kExponent >> (2 * (element % kBlock16)) & 3)
                                           : code);
            };
            const auto put = [&](std::byte* to, std::size_t element) {
                const std::int16_t code = codeOf(element);
                std::memcpy(to, &code, sizeof code);
            };
            for (std::size_t i = 0; i < kCount * 160; ++i) {
                put(bytes.data() + i / 160 * kRowBytes + i % 160 * 2, i % 160);
            }
            for (std::size_t i = 0; i < tiles.size() / 2; ++i) { // pairs of the 16 rows of a tile
                const std::size_t pair = i % (tileBytes / 2) / (2 * kTileRows);
                put(tiles.data() + 2 * i, 2 * pair + i % 2);
            }
        } else {
            for (std::size_t row = 0; row < kCount; ++row) {
                const std::size_t size = *rowBytes(tensorTypeFact(type), 160);
                const auto values = draw(160);
                (void)encode({.typeId = id, .columns = 160, .importance = {}}, values,
                             std::span(bytes).subspan(row * kRowBytes, size));
            }
        }
        // Two tiles of arbitrary numbers. In Q8_0 each group of 32 elements begins with the scales of all rows.
        if (type == TensorType::Q8_0) {
            constexpr std::size_t kGroup = kTileRows * 34;
            for (std::size_t at = 0; at < tiles.size(); ++at) {
                const auto scale = static_cast<std::byte>(at % 2 == 0 ? random() : 0x20U); // about 1/100
                tiles[at] = at % kGroup < 2 * kTileRows ? scale : static_cast<std::byte>(random());
            }
        } else if (type != TensorType::F16) {
            (void)encode({.typeId = id, .columns = 160, .importance = {}}, draw(std::size_t{2} * kTileRows * 160),
                         tiles);
        }
        for (const std::size_t length : {1U, 7U, 16U, 33U, 64U, 96U, 133U, 160U}) {
            for (std::size_t queries = 1; queries <= 9; ++queries) {
                const auto queryValues = draw(queries * length);
                const auto weights = draw(queries * kCount);
                const CachedRows rows{bytes.data(), kRowBytes, length};
                std::vector<float> scores(queries * kCount);
                std::vector<float> sums(queries * length, 0.5F);
                auto scores2 = scores;
                auto sums2 = sums;
                const auto& kernels = kernelsFor(isa).attention.types[id];
                const auto& scalar = kernelsFor(Isa::Scalar).attention.types[id];
                kernels.score(rows, kCount, queryValues.data(), queries, scores.data(), kCount);
                scalar.score(rows, kCount, queryValues.data(), queries, scores2.data(), kCount);
                kernels.gather(rows, kCount, weights.data(), kCount, queries, sums.data());
                scalar.gather(rows, kCount, weights.data(), kCount, queries, sums2.data());
                const std::string what = std::string(tensorTypeFact(type).name) + " rows of " + std::to_string(length);
                check(near(scores, scores2, limit), isa, "attention's scores of " + what);
                check(near(sums, sums2, limit), isa, "attention's sums of " + what);
                for (const std::size_t first : {0U, 5U}) {
                    const CachedTiles own16{tiles.data(), tileBytes, length};
                    kernels.scoreTiles(own16, first, kCount, queryValues.data(), queries, scores.data(), kCount);
                    scalar.scoreTiles(own16, first, kCount, queryValues.data(), queries, scores2.data(), kCount);
                    check(near(scores, scores2, limit), isa, "attention's scores of tiles, " + what);
                }
            }
        }
    }
    for (std::size_t count = 1; count < 40; ++count) {
        auto a = draw(count);
        auto b = a;
        const float largest = kernelsFor(isa).attention.largest(a.data(), count);
        check(largest == *std::ranges::max_element(b), isa, "the largest score");
        const float sum = kernelsFor(isa).attention.exponentials(a.data(), count, largest);
        const float sum2 = kernelsFor(Isa::Scalar).attention.exponentials(b.data(), count, largest);
        check(near(a, b) && std::abs(sum - sum2) <= 1e-5F * sum2, isa, "exponentials");
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: kernel_check GOLDEN\n");
        return 2;
    }
    for (const Isa isa : availableIsas()) {
        checkDecoders(isa);
        checkReductions(isa);
        checkFolds(isa);
        checkAttention(isa);
        test::checkRows(isa);
        test::checkRecurrence(isa);
        test::checkProducts(isa, argv[1]);
        std::printf("%s checked\n", std::string(isaName(isa)).c_str());
    }
    std::printf("%d checks, %d failures\n", g_checks, g_failures);
    return g_failures == 0 ? 0 : 1;
}
