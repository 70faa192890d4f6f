// Multiplies matrices by activations with a team: each row equals the kernel's result, whichever thread computes it.
#include "base/error.h"
#include "core/tensor/golden.h"
#include "inference/engine/compute/multiply.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

std::vector<float> normals(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

bool isFloat(TensorType type) {
    return findTensorType(static_cast<std::uint32_t>(type))->kind == TensorTypeKind::Float;
}

struct Encoded {
    std::vector<std::byte> bytes;
    std::vector<float> bias;
    Matrix matrix;

    Encoded(TensorType type, std::uint64_t rows, std::uint64_t columns, unsigned seed)
        : bias(normals(rows, seed + 100)) {
        const auto id = static_cast<std::uint32_t>(type);
        const TensorTypeFact& info = *findTensorType(id);
        const std::uint64_t rowBytes = blocksBytes(info, columns);
        bytes.resize(rows * rowBytes);
        QVERIFY(encode({.typeId = id, .columns = columns, .importance = {}}, normals(rows * columns, seed), bytes));
        matrix = {.typeId = id, .data = bytes.data(), .columns = columns, .rows = rows, .rowBytes = rowBytes};
        matrix.bias = bias;
    }
};

// Returns the products of all matrices, one after another, computed by `threads` threads.
std::vector<float> multiplied(std::span<const Encoded> weights, std::size_t tokens, unsigned threads, int times) {
    const std::size_t columns = weights.front().matrix.columns;
    Team team(threads);
    Memory counted;
    {
        const Multiplier counting(team, counted, tokens, columns, true, columns);
    }
    auto memory = Memory::reserve(counted);
    if (!memory) {
        return {};
    }
    Multiplier multiplier(team, *memory, tokens, columns, true, columns);
    std::vector<float> x = normals(tokens * columns, 7);
    std::vector<std::vector<float>> y;
    std::vector<Multiplier::Product> products;
    for (const Encoded& each : weights) {
        y.emplace_back(tokens * each.matrix.rows);
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        products.push_back({&weights[i].matrix, {y[i].data(), weights[i].matrix.rows}});
    }
    for (int time = 0; time < times; ++time) {
        for (std::vector<float>& each : y) {
            std::ranges::fill(each, 77.0F);
        }
        multiplier.multiply(products, {x.data(), columns}, tokens);
    }
    std::vector<float> all;
    for (const std::vector<float>& each : y) {
        all.insert(all.end(), each.begin(), each.end());
    }
    return all;
}

} // namespace

class TestMultiply : public QObject {
    Q_OBJECT

private slots:
    void rows_data() {
        QTest::addColumn<int>("isa");
        QTest::addColumn<std::size_t>("tokens");
        QTest::addColumn<bool>("floats"); // among them; more than kFewFloatVectors tokens are then multiplied by strips
        for (const Isa isa : availableIsas()) {
            const auto add = [&](std::size_t tokens, bool floats) {
                QTest::addRow("%s, %zu tokens%s", std::string(isaName(isa)).c_str(), tokens,
                              floats ? "" : ", integers only")
                    << static_cast<int>(isa) << tokens << floats;
            };
            for (const std::size_t tokens : {1, 2, 5, 8, 9}) {
                add(tokens, true);
            }
            for (const std::size_t tokens : {9, 16, 17}) {
                add(tokens, false);
            }
        }
    }
    // Fewer rows than members or streams, remaining rows, many chunks, and types with and without integer products.
    void rows() {
        QFETCH(int, isa);
        QFETCH(std::size_t, tokens);
        QFETCH(bool, floats);
        const ForcedKernels forced(kernelsFor(static_cast<Isa>(isa)));
        constexpr std::uint64_t kColumns = 512;
        for (const std::uint64_t rows : {1, 2, 3, 5, 8, 11, 64, 1023}) {
            std::vector<Encoded> weights;
            weights.reserve(6);
            unsigned seed = 0;
            for (const TensorType type : {TensorType::Q4_K, TensorType::F16, TensorType::Q8_0, TensorType::F32,
                                          TensorType::BF16, TensorType::Q6_K}) {
                ++seed;
                if (floats || !isFloat(type)) {
                    weights.emplace_back(type, seed % 2 == 0 ? rows : rows + 2, kColumns, seed);
                }
            }
            const std::vector<float> expected = multiplied(weights, tokens, 1, 1);
            const std::vector<float> x = normals(tokens * kColumns, 7);
            std::size_t at = 0;
            for (const Encoded& each : weights) {
                std::vector<float> decoded(each.matrix.rows * kColumns);
                QVERIFY(decode(Isa::Scalar, each.matrix.typeId, each.bytes, decoded));
                for (std::size_t t = 0; t < tokens; ++t) {
                    for (std::uint64_t row = 0; row < each.matrix.rows; ++row) {
                        double exact = static_cast<double>(each.bias[row]);
                        for (std::uint64_t c = 0; c < kColumns; ++c) {
                            exact += static_cast<double>(decoded[row * kColumns + c]) *
                                     static_cast<double>(x[t * kColumns + c]);
                        }
                        // 512 activations rounded to eight bits have an error of at most a hundredth each.
                        QVERIFY(std::abs(static_cast<double>(expected[at++]) - exact) < 1.5);
                    }
                }
            }
            for (const unsigned threads : {2U, 3U, 7U}) { // bit by bit, and again when the following matrix is known
                QCOMPARE(multiplied(weights, tokens, threads, 4), expected);
            }
        }
    }

    // A token's products do not depend on the others, as long as they are few: with drafts, the same token is chosen.
    void fewTokens() {
        for (const Isa isa : availableIsas()) {
            const ForcedKernels forced(kernelsFor(isa));
            for (const TensorType type : {TensorType::Q4_K, TensorType::Q8_0, TensorType::F16, TensorType::IQ4_XS}) {
                constexpr std::uint64_t kRows = 45;
                constexpr std::uint64_t kColumns = 512;
                // On some sets, even two tokens are multiplied in strips.
                const std::size_t few =
                    type == TensorType::F16 ? kFewFloatVectors : activeKernels().products.int8[type].few;
                QVERIFY(isa == Isa::Avx512 ? type == TensorType::F16 || few == kFewVectors
                                           : isa != Isa::Avx2 || few == 8);
                std::vector<Encoded> weights;
                weights.emplace_back(type, kRows, kColumns, 1);
                const std::vector<float> alone = multiplied(weights, 1, 2, 1);
                for (std::size_t tokens = 2; tokens <= few; ++tokens) {
                    std::vector<float> together = multiplied(weights, tokens, 2, 1);
                    together.resize(kRows);
                    QCOMPARE(together, alone);
                }
            }
        }
    }

    void finerActivations_data() { rows_data(); }
    // Activations of about sixteen bits, for a matrix alone and beside one whose activations have eight.
    void finerActivations() {
        QFETCH(int, isa);
        QFETCH(std::size_t, tokens);
        QFETCH(bool, floats);
        const ForcedKernels forced(kernelsFor(static_cast<Isa>(isa)));
        constexpr std::uint64_t kColumns = 768;
        for (const std::uint64_t rows : {1, 3, 7, 32, 45, 131}) {
            std::vector<Encoded> weights;
            weights.reserve(5);
            unsigned seed = 0;
            for (const TensorType type :
                 {TensorType::Q4_K, TensorType::Q8_0, TensorType::Q6_K, TensorType::F16, TensorType::Q4_0}) {
                ++seed;
                if (floats || !isFloat(type)) {
                    weights.emplace_back(type, rows, kColumns, seed);
                    weights.back().matrix.finerActivations = type != TensorType::Q8_0;
                }
            }
            const std::vector<float> products = multiplied(weights, tokens, 1, 1);
            const std::vector<float> x = normals(tokens * kColumns, 7);
            std::size_t at = 0;
            for (const Encoded& each : weights) {
                std::vector<float> decoded(rows * kColumns);
                QVERIFY(decode(Isa::Scalar, each.matrix.typeId, each.bytes, decoded));
                double worst = 0;
                for (std::size_t i = 0; i < tokens * rows; ++i) {
                    const std::span row = std::span(decoded).subspan(i % rows * kColumns, kColumns);
                    const std::span of = std::span(x).subspan(i / rows * kColumns, kColumns);
                    const double exact = std::inner_product(row.begin(), row.end(), of.begin(),
                                                            static_cast<double>(each.bias[i % rows]));
                    worst = std::max(worst, std::abs(static_cast<double>(products[at++]) - exact));
                }
                // The root mean square of the products is 28, and eight bits give an error of 0.1.
                QVERIFY2(each.matrix.finerActivations ? worst < 0.02 : worst > 0.02,
                         qPrintable(QString::number(worst)));
            }
            for (const unsigned threads : {2U, 3U, 7U}) {
                QCOMPARE(multiplied(weights, tokens, threads, 4), products);
            }
        }
    }

    // Rows with a scale in their header. A part of them is multiplied, and their columns are decoded in several pieces.
    void rowsWithHeaders() {
        constexpr std::uint64_t kColumns = 1280;
        constexpr std::uint64_t kRows = 37;
        const TensorTypeFact& type = tensorTypeFact(TensorType::IQ4_KS);
        std::vector<Encoded> weights;
        weights.emplace_back(TensorType::F32, 1, kColumns, 1);
        Encoded& each = weights.front();
        each.bytes.clear();
        for (std::uint64_t row = 0; row < kRows + 2; ++row) {
            const auto bytes = shuffledBlocks(type.id, kColumns / type.blockSize, static_cast<unsigned>(row));
            each.bytes.insert(each.bytes.end(), bytes.begin(), bytes.end());
        }
        const Matrix whole{.typeId = type.id,
                           .data = each.bytes.data(),
                           .columns = kColumns,
                           .rows = kRows + 2,
                           .rowBytes = *rowBytes(type, kColumns)};
        each.matrix = whole.part(2, kRows);
        std::vector<float> floats((kRows + 2) * kColumns);
        QVERIFY(decode(whole.stored(), 0, floats));
        for (const std::size_t tokens : {1, 5}) {
            const std::vector<float> x = normals(tokens * kColumns, 7);
            const std::vector<float> y = multiplied(weights, tokens, 2, 1);
            for (std::size_t t = 0; t < tokens; ++t) {
                for (std::uint64_t row = 0; row < kRows; ++row) {
                    double exact = 0;
                    double size = 0;
                    for (std::uint64_t c = 0; c < kColumns; ++c) {
                        const double product = static_cast<double>(floats[(row + 2) * kColumns + c]) *
                                               static_cast<double>(x[t * kColumns + c]);
                        exact += product;
                        size += std::abs(product);
                    }
                    QVERIFY(std::abs(static_cast<double>(y[t * kRows + row]) - exact) <= 1e-5 * size);
                }
            }
        }
    }

    // A single share runs on the caller; several shares are divided among the members.
    void shares() {
        Team team(3);
        for (const std::uint64_t count : {0, 1, 2, 3, 10, 64, 65}) {
            for (const std::uint64_t grain : {1, 4, 64}) {
                std::vector<std::atomic<int>> done(count);
                std::atomic<unsigned> members = 0;
                team.forShares(count, grain, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
                    members |= 1U << member;
                    for (std::uint64_t i = begin; i < end; ++i) {
                        ++done[i];
                    }
                });
                QVERIFY(std::ranges::all_of(done, [](const std::atomic<int>& times) { return times == 1; }));
                QVERIFY(count == 0 || count > grain || members == 1U);
            }
        }
    }
};

GUFO_TEST(TestMultiply)
#include "tst_multiply.moc"
