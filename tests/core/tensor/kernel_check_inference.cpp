// Compares products of weights and activations, and arithmetic on rows, with the scalar kernels.
#include "kernel_check.h"
#include "same_transposed.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/kernels.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace gufo::test {
namespace {

constexpr std::size_t kTokens = 19; // groups of eight, four and two, and a single one

std::vector<float> someFloats(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

std::string nameOf(const TensorTypeFact& type) { return std::string(type.name); }

// Returns golden blocks of a type, or arbitrary codes with one scale for types of activations, which have none.
std::vector<char> blocksOf(const TensorTypeFact& type, const std::string& folder) {
    std::string name = nameOf(type);
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' && c != 'K' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    std::ifstream file(folder + "/" + name + ".raw", std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    if (type.id == static_cast<std::uint32_t>(TensorType::Q8_1) ||
        type.id == static_cast<std::uint32_t>(TensorType::Q8_K)) {
        std::mt19937 random(type.id);
        bytes.resize(std::size_t{50} * type.blockBytes);
        std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
        for (std::size_t at = 0; at < bytes.size(); at += type.blockBytes) {
            constexpr std::uint16_t kHalf = 0x2400; // 1/64
            constexpr float kFloat = 0x1p-6F;
            if (type.blockSize == 32) {
                std::memcpy(bytes.data() + at, &kHalf, sizeof kHalf);
            } else {
                std::memcpy(bytes.data() + at, &kFloat, sizeof kFloat);
            }
        }
    }
    return bytes;
}

struct Rounded {
    std::vector<Int8Run> runs;
    std::vector<Int8TransposedRun> transposed;
    // Rows of activations, one after another.
    Rounded(const ProductKernels& kernels, const std::vector<float>& x, std::size_t columns, std::size_t tokens)
        : runs((columns + kRunWeights - 1) / kRunWeights * tokens)
        , transposed(runs.size()) {
        std::memset(runs.data(), 99, runs.size() * sizeof(Int8Run));
        std::memset(transposed.data(), 99, transposed.size() * sizeof(Int8TransposedRun));
        for (std::size_t t = 0; t < tokens; ++t) {
            kernels.toInt8(x.data() + t * columns, columns,
                           {.runs = runs.data() + t,
                            .stride = tokens,
                            .transposed = transposed.data() + t * (runs.size() / tokens)});
        }
    }
};

template<typename T>
bool sameBytes(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

void checkType(Isa isa, const TensorTypeFact& type, const std::vector<char>& blocks, std::size_t blocksInRow,
               std::size_t rowCount) {
    const auto& products = kernelsFor(isa).products.int8[type.id];
    const auto& expected = scalar::kernels().products.int8[type.id];
    const std::size_t columns = blocksInRow * type.blockSize;
    const std::size_t rowBytes = blocksInRow * type.blockBytes;
    // Ends with the last row, so that reads past its end are noticed.
    std::vector<std::byte> weights(rowCount * rowBytes);
    std::mt19937 random(static_cast<unsigned>(rowCount));
    for (std::size_t at = 0; at < weights.size(); at += type.blockBytes) {
        const std::size_t from = random() % (blocks.size() / type.blockBytes) * type.blockBytes;
        std::memcpy(weights.data() + at, blocks.data() + from, type.blockBytes);
    }
    std::vector<float> decoded(rowCount * columns);
    (void)decode(Isa::Scalar, type.id, weights, decoded);
    const std::vector<float> x = someFloats(columns * kTokens, 7);
    const EncodedRows rows{weights.data(), rowBytes, columns};
    const Rounded batch(scalar::kernels().products, x, columns, kTokens);
    const std::size_t stride = rowCount + 3;
    std::vector<float> strip(kTokens * stride, 7);
    std::vector<std::byte> memory(kStripScratch + 64);
    void* scratch = memory.data();
    std::size_t room = memory.size();
    products.strip(rows, rowCount, batch.runs.data(), kTokens, strip.data(), stride,
                   static_cast<std::byte*>(std::align(64, kStripScratch, scratch, room)));
    bool near = true;
    for (std::size_t t = 0; t < kTokens; ++t) {
        const std::vector<float> token(x.data() + t * columns, x.data() + (t + 1) * columns);
        const Rounded one(scalar::kernels().products, token, columns, 1);
        const Int8Row row{one.runs.data(), one.transposed.data()};
        std::vector<float> found(rowCount);
        std::vector<float> exact(rowCount);
        products.dot(rows, rowCount, row, found.data());
        expected.dot(rows, rowCount, row, exact.data());
        for (std::size_t r = 0; r < rowCount; ++r) {
            double size = 0; // of the summed magnitudes, because the sum itself may cancel out
            for (std::size_t i = 0; i < columns; ++i) {
                size += std::abs(static_cast<double>(decoded[r * columns + i]) * static_cast<double>(token[i]));
            }
            const auto isNear = [&](float value) {
                return std::abs(static_cast<double>(value) - static_cast<double>(exact[r])) <= 1e-5 * size + 1e-30;
            };
            near = near && isNear(found[r]) && isNear(strip[t * stride + r]);
        }
        const std::size_t stretch = rowCount / kStreams;
        for (const std::size_t vectors : {1, 3}) { // all equal
            if (products.dotStreams != nullptr && stretch > 0) {
                std::vector<float> ofStreams(vectors * kStreams * stretch);
                products.dotStreams(rows, stretch, stretch,
                                    {.runs = row.runs, .transposed = row.transposed, .stride = 0, .count = vectors},
                                    ofStreams.data(), kStreams * stretch);
                for (std::size_t i = 0; i < ofStreams.size(); ++i) {
                    near = near && ofStreams[i] == found[i % (kStreams * stretch)];
                }
            }
        }
        near = near && std::all_of(strip.begin() + static_cast<std::ptrdiff_t>(t * stride + rowCount),
                                   strip.begin() + static_cast<std::ptrdiff_t>((t + 1) * stride),
                                   [](float value) { return value == 7.0F; });
    }
    check(near, isa,
          "products of " + nameOf(type) + ", " + std::to_string(rowCount) + " rows of " + std::to_string(columns));
}

// Checks rows of floats, contiguous and in streams, and strips of them.
void checkFloats(Isa isa) {
    const ProductKernels& products = kernelsFor(isa).products;
    const auto near = [](float a, float b) { return std::abs(a - b) <= 2e-4F; };
    for (const std::size_t columns : {1U, 15U, 16U, 64U, 100U, 257U}) {
        constexpr std::size_t kRows = 24;
        const std::vector<float> weights = someFloats(kRows * columns, 1);
        const std::vector<float> x = someFloats(kTokens * columns, 2);
        const std::string what = " of rows of " + std::to_string(columns);
        std::vector<float> exact(kTokens * kRows, 1);
        std::vector<float> found = exact;
        std::vector<std::byte> memory(kStripScratch + 64);
        void* scratch = memory.data();
        std::size_t room = memory.size();
        auto* aligned = static_cast<std::byte*>(std::align(64, kStripScratch, scratch, room));
        products.floatStrip(weights.data(), columns, kRows, columns, x.data(), columns, kTokens, found.data(), kRows,
                            aligned);
        scalar::kernels().products.floatStrip(weights.data(), columns, kRows, columns, x.data(), columns, kTokens,
                                              exact.data(), kRows, aligned);
        check(std::ranges::equal(found, exact, near), isa, "strips" + what);
        for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::BF16}) {
            const auto id = static_cast<std::uint32_t>(type);
            const std::size_t bytes = tensorTypeFact(type).blockBytes;
            std::vector<std::byte> encoded(weights.size() * bytes);
            (void)encode({.typeId = id, .columns = columns, .importance = {}}, weights, encoded);
            const EncodedRows rows{encoded.data(), columns * bytes, columns};
            std::vector<float> expected(kRows);
            std::vector<float> whole(kRows);
            scalar::kernels().products.floats[id](rows, kRows, x.data(), expected.data());
            products.floats[id](rows, kRows, x.data(), whole.data());
            check(std::ranges::equal(whole, expected, near), isa, nameOf(tensorTypeFact(type)) + what);
            if (products.floatStreams[id] != nullptr) {
                constexpr std::size_t kVectors = 3;
                std::vector<float> ofStreams(kVectors * kRows);
                products.floatStreams[id](rows, kRows / kStreams, kRows / kStreams, x.data(), columns, kVectors,
                                          ofStreams.data(), kRows);
                for (std::size_t t = 0; t < kVectors; ++t) {
                    products.floats[id](rows, kRows, x.data() + t * columns, whole.data());
                    check(std::ranges::equal(std::span(ofStreams).subspan(t * kRows, kRows), whole), isa,
                          nameOf(tensorTypeFact(type)) + " streams" + what);
                }
            }
        }
    }
}

} // namespace

void checkProducts(Isa isa, const std::string& folder) {
    checkFloats(isa);
    for (const std::size_t columns : {1, 16, 31, 32, 33, 96, 255, 256, 257, 2048}) {
        const std::vector<float> x = someFloats(columns * 4, 3);
        const Rounded found(kernelsFor(isa).products, x, columns, 4);
        const Rounded expected(scalar::kernels().products, x, columns, 4);
        check(sameBytes(found.runs, expected.runs) && test::sameTransposed(found.transposed, expected.transposed, isa),
              isa, "rounding of " + std::to_string(columns) + " activations");
    }
    for (const TensorTypeFact& type : tensorTypes()) {
        if (kernelsFor(isa).products.int8[type.id].dot == nullptr) {
            continue;
        }
        const std::vector<char> blocks = blocksOf(type, folder);
        check(!blocks.empty(), isa, nameOf(type) + ", which has no golden blocks,");
        for (const std::size_t blocksInRow : {1U, 3U, 11U}) {
            for (const std::size_t rowCount : {1U, 5U, 16U, 23U, 32U}) {
                if (!blocks.empty()) {
                    checkType(isa, type, blocks, blocksInRow, rowCount);
                }
            }
        }
    }
}

void checkRows(Isa isa) {
    const RowKernels& rows = kernelsFor(isa).rows;
    const RowKernels& exact = scalar::kernels().rows;
    const auto near = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::ranges::equal(a, b,
                                  [](float x, float y) { return std::abs(x - y) <= 2e-6F * std::abs(y) + 1e-6F; });
    };
    for (const std::size_t count : {1U, 2U, 7U, 8U, 15U, 16U, 17U, 31U, 33U, 100U, 257U}) {
        const std::vector<float> x = someFloats(count, 1);
        const std::vector<float> by = someFloats(count, 2);
        // With a guard value after the end.
        std::vector<float> found(count + 1, 9);
        auto expected = found;
        for (const auto gate : {&RowKernels::silu, &RowKernels::gelu, &RowKernels::sigmoid}) {
            for (const float* factor : {static_cast<const float*>(nullptr), by.data()}) {
                (rows.*gate)(x.data(), factor, found.data(), count);
                (exact.*gate)(x.data(), factor, expected.data(), count);
                check(near(found, expected), isa, "gates of " + std::to_string(count));
            }
        }
        std::copy(x.begin(), x.end(), found.begin());
        expected = found;
        const double powers = rows.exponentials(found.data(), count, 4);
        const double exactPowers = exact.exponentials(expected.data(), count, 4);
        check(near(found, expected) && std::abs(powers - exactPowers) <= 3e-7 * exactPowers, isa,
              "exponentials of " + std::to_string(count));
        check(std::abs(rows.sum(x.data(), count) - exact.sum(x.data(), count)) <= 1e-12 * static_cast<double>(count) &&
                  std::abs(rows.squares(x.data(), count, 0.25) / exact.squares(x.data(), count, 0.25) - 1) <= 1e-13,
              isa, "sums of " + std::to_string(count));
        for (const float* weights : {static_cast<const float*>(nullptr), by.data()}) {
            rows.normalise(x.data(), 0.25, 1.5, weights, found.data(), count);
            exact.normalise(x.data(), 0.25, 1.5, weights, expected.data(), count);
            check(found == expected, isa, "norms of " + std::to_string(count));
        }
    }
}

// Columns are the length of keys.
static void checkDecayedProducts(Isa isa, std::size_t tokens, std::size_t length) {
    const auto queries = someFloats(tokens * (length + 3), 12);
    const auto keys = someFloats(tokens * (length + 3), 13);
    auto decays = someFloats(tokens * (length + 1), 14);
    std::ranges::transform(decays, decays.begin(), [](float each) { return 1 / (1 + std::abs(each)); });
    const auto resultsOf = [&](const RecurrenceKernels& kernels) {
        // Decayed keys, then products of queries, then of keys.
        std::vector<float> results(tokens * (length + 2 * tokens) + 1, 9);
        float* ofQueries = results.data() + tokens * length;
        kernels.decayedProducts({.tokens = tokens,
                                 .length = length,
                                 .queries = queries.data(),
                                 .keys = keys.data(),
                                 .stride = length + 3,
                                 .decays = decays.data(),
                                 .decayStride = length + 1,
                                 .decayed = results.data(),
                                 .ofQueries = ofQueries,
                                 .ofKeys = ofQueries + tokens * tokens,
                                 .resultStride = tokens});
        return results;
    };
    check(std::ranges::equal(resultsOf(kernelsFor(isa).recurrence), resultsOf(scalar::kernels().recurrence),
                             [](float x, float y) { return std::abs(x - y) <= 1e-5F * std::abs(y) + 2e-5F; }),
          isa, "decayed products of " + std::to_string(tokens) + " tokens of " + std::to_string(length));
}

void checkRecurrence(Isa isa) {
    const RecurrenceKernels& kernels = kernelsFor(isa).recurrence;
    const RecurrenceKernels& exact = scalar::kernels().recurrence;
    const auto near = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::ranges::equal(a, b,
                                  [](float x, float y) { return std::abs(x - y) <= 1e-5F * std::abs(y) + 1e-5F; });
    };
    // Each output is one element longer than the written result, so that writing beyond the end is noticed.
    for (const std::size_t columns : {1U, 3U, 8U, 16U, 17U, 31U, 64U, 65U, 130U}) {
        const std::string of = " of " + std::to_string(columns) + " columns";
        const auto factors = someFloats(columns, 15);
        for (const float* by : {static_cast<const float*>(nullptr), factors.data()}) {
            auto scaled = someFloats(columns + 1, 16);
            auto scaled2 = scaled;
            kernels.scale(scaled.data(), 1.5F, by, scaled.data(), columns);
            exact.scale(scaled2.data(), 1.5F, by, scaled2.data(), columns);
            check(scaled == scaled2, isa, "scaled rows" + of);
        }
        for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U, 13U, 33U}) {
            const auto x = someFloats(rows * (columns + 3), 1);
            const auto weights = someFloats(rows * columns, 2);
            const auto bias = someFloats(columns, 3);
            std::vector<float> found(columns + 1, 9);
            auto expected = found;
            for (const std::size_t taps : {std::size_t{1}, rows / 2 + 1, rows}) {
                for (const float* added : {static_cast<const float*>(nullptr), bias.data()}) {
                    const Convolution convolution{.tokens = rows - taps + 1,
                                                  .taps = taps,
                                                  .channels = columns,
                                                  .x = x.data(),
                                                  .stride = columns + 3,
                                                  .weights = weights.data(),
                                                  .bias = added,
                                                  .outStride = columns + 1};
                    std::vector<float> out(convolution.tokens * (columns + 1), 9);
                    auto out2 = out;
                    kernels.convolve(convolution, out.data());
                    exact.convolve(convolution, out2.data());
                    check(near(out, out2), isa, "convolutions" + of);
                }
            }
            std::vector<float> decay = someFloats(rows, 4);
            std::ranges::transform(decay, decay.begin(), [](float each) { return 1 / (1 + std::abs(each)); });
            const auto remove = someFloats(rows, 5);
            const auto replace = someFloats(rows, 6);
            const auto key = someFloats(rows, 7);
            const auto query = someFloats(rows, 8);
            for (const bool removes : {false, true}) {
                const RecurrenceStep step{.rows = rows,
                                          .columns = columns,
                                          .decay = decay.data(),
                                          .key = key.data(),
                                          .query = query.data(),
                                          .value = bias.data(),
                                          .remove = removes ? remove.data() : nullptr,
                                          .replace = removes ? replace.data() : nullptr};
                auto state = x;
                auto state2 = x;
                kernels.step(step, state.data(), found.data());
                exact.step(step, state2.data(), expected.data());
                check(near(state, state2) && near(found, expected), isa, "steps" + of);
            }
            const auto a = someFloats(rows * (columns + 3), 9);
            const SelectiveStep selective{.states = rows,
                                          .channels = columns,
                                          .stride = columns + 3,
                                          .a = a.data(),
                                          .step = bias.data(),
                                          .input = bias.data(),
                                          .key = key.data(),
                                          .query = query.data()};
            auto state = x;
            auto state2 = x;
            kernels.selectiveStep(selective, state.data(), found.data());
            exact.selectiveStep(selective, state2.data(), expected.data());
            check(near(state, state2) && near(found, expected), isa, "selective steps" + of);
            for (const std::size_t depth : {1U, 7U, 16U}) {
                const auto left = someFloats(rows * depth, 10);
                const auto right = someFloats(depth * (columns + 1), 11);
                for (const bool transposed : {false, true}) {
                    const SmallProduct product{.rows = rows,
                                               .columns = columns,
                                               .depth = depth,
                                               .a = left.data(),
                                               .aRow = transposed ? 1 : depth,
                                               .aColumn = transposed ? rows : 1,
                                               .b = right.data(),
                                               .bRow = columns + 1,
                                               .outRow = columns + 2,
                                               .adds = transposed,
                                               .kept = transposed && depth != 7 ? key.data() : nullptr};
                    std::vector<float> out(rows * (columns + 2), 0.5F);
                    auto out2 = out;
                    kernels.multiply(product, out.data());
                    exact.multiply(product, out2.data());
                    check(near(out, out2), isa, "small products" + of);
                }
            }
            checkDecayedProducts(isa, rows, columns);
        }
    }
}

} // namespace gufo::test
