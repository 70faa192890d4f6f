#include "analysis/slice.h"
#include "cancelled_work.h"
#include "core/model/memory_model.h"
#include "core/tensor/golden.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace gufo;
using namespace gufo::test;

namespace {

bool same(float a, float b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

// The value of each weight is its index, in F32.
std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(i);
    }
    return values;
}

// Computed directly from the definition.
float reducedCell(const Slice& whole, std::array<std::uint64_t, 2> rows, std::array<std::uint64_t, 2> columns,
                  SliceReduction reduction) {
    double sum = 0;
    int count = 0;
    float largest = std::numeric_limits<float>::quiet_NaN();
    for (std::uint64_t row = rows[0]; row < rows[1]; ++row) {
        for (std::uint64_t column = columns[0]; column < columns[1]; ++column) {
            const float v = whole.values[row * whole.columns + column];
            if (std::isnan(v)) {
                continue;
            }
            ++count;
            sum += reduction == SliceReduction::Mean ? v : static_cast<double>(v) * v;
            largest = std::isnan(largest) || std::abs(v) > std::abs(largest) ? v : largest;
        }
    }
    switch (reduction) {
    case SliceReduction::LargestMagnitude:
        break;
    case SliceReduction::Mean:
        return static_cast<float>(sum / count);
    case SliceReduction::RootMeanSquare:
        return static_cast<float>(std::sqrt(sum / count));
    }
    return largest;
}

} // namespace

class TestSlice : public QObject {
    Q_OBJECT

private slots:
    void anyDimensionMayBeTheRows();
    void rowsOfBlocks();
    void pastTheEndIsNan();
    void reducesAsDefined_data();
    void reducesAsDefined();
    void reducesLongRows();
    void refuses();
    void cancels();
};

void TestSlice::anyDimensionMayBeTheRows() {
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, {5, 4, 3, 2}, counting(120));
    const Model& model = memory.finish();
    SliceRequest request{.firstRow = 1, .rows = 2, .firstColumn = 2, .columns = 3};
    request.fixed = {99, 99, 2, 1}; // the first two are ignored
    auto slice = readSlice(model, index, request);
    QVERIFY(slice);
    QVERIFY((slice->values == std::vector<float>{107, 108, 109, 112, 113, 114}));

    request = {.firstRow = 0, .rows = 3, .firstColumn = 0, .columns = 1, .rowDimension = 2};
    request.fixed[1] = 3;
    slice = readSlice(model, index, request);
    QVERIFY(slice);
    QVERIFY((slice->values == std::vector<float>{15, 35, 55}));

    request = {.firstRow = 1, .rows = 1, .firstColumn = 4, .columns = 1, .rowDimension = 3};
    slice = readSlice(model, index, request);
    QVERIFY(slice);
    QVERIFY((slice->values == std::vector<float>{64}));
}

void TestSlice::rowsOfBlocks() {
    const auto type = static_cast<std::uint32_t>(TensorType::Q6_K);
    MemoryModel memory;
    const TensorIndex index = memory.add(type, {512, 9}, shuffledBlocks(type, 18, 2));
    const Model& model = memory.finish();
    std::vector<float> all(512 * 9);
    QVERIFY(decode(type, *model.bytesOf(model.tensor(index)), all));
    const auto slice = readSlice(model, index, {.firstRow = 3, .rows = 5, .firstColumn = 100, .columns = 301});
    QVERIFY(slice);
    QCOMPARE(slice->values.size(), 5U * 301);
    for (std::size_t row = 0; row < 5; ++row) {
        for (std::size_t column = 0; column < 301; ++column) {
            QVERIFY(same(slice->values[row * 301 + column], all[(3 + row) * 512 + 100 + column]));
        }
    }
}

void TestSlice::pastTheEndIsNan() {
    const auto type = static_cast<std::uint32_t>(TensorType::Q8_0);
    auto bytes = shuffledBlocks(type, 8, 2);
    bytes.resize(34 * 5 + 33);
    MemoryModel memory;
    const TensorIndex index = memory.add(type, {64, 4}, bytes);
    const Model& model = memory.finish();
    const auto slice = readSlice(model, index, {.rows = 4, .columns = 64});
    QVERIFY(slice);
    QVERIFY(!std::isnan(slice->values[5 * 32 - 1]));
    QVERIFY(std::isnan(slice->values[5 * 32]));
    QVERIFY(std::isnan(slice->values.back()));
    for (const auto reduction :
         {SliceReduction::LargestMagnitude, SliceReduction::Mean, SliceReduction::RootMeanSquare}) {
        const auto reduced = reduceSlice(model, index, {.rows = 4, .columns = 64}, 4, 2, reduction);
        QVERIFY(reduced);
        QVERIFY(!std::isnan(reduced->values[4]));
        QVERIFY(std::isnan(reduced->values[5]));
        QVERIFY(std::isnan(reduced->values[7]));
    }
}

void TestSlice::reducesAsDefined_data() {
    QTest::addColumn<SliceReduction>("reduction");
    QTest::newRow("largest magnitude") << SliceReduction::LargestMagnitude;
    QTest::newRow("mean") << SliceReduction::Mean;
    QTest::newRow("root mean square") << SliceReduction::RootMeanSquare;
}

void TestSlice::reducesAsDefined() {
    QFETCH(SliceReduction, reduction);
    const auto type = static_cast<std::uint32_t>(TensorType::F16);
    auto bytes = shuffledBlocks(type, 2048 * 37, 4);
    store<std::uint16_t>(bytes.data() + 2, 0x7E00); // a NaN
    MemoryModel memory;
    const TensorIndex index = memory.add(type, {2048, 37}, bytes);
    const Model& model = memory.finish();
    const SliceRequest request{.firstRow = 2, .rows = 35, .firstColumn = 1, .columns = 2041};
    const auto whole = readSlice(model, index, request);
    QVERIFY(whole);
    for (const auto& [rows, columns] :
         {std::pair<std::uint64_t, std::uint64_t>{7, 100}, {35, 2041}, {100, 5000}, {1, 1}, {3, 1999}}) {
        const auto reduced = reduceSlice(model, index, request, rows, columns, reduction);
        QVERIFY(reduced);
        QCOMPARE(reduced->rows, std::min<std::uint64_t>(rows, 35));
        QCOMPARE(reduced->columns, std::min<std::uint64_t>(columns, 2041));
        const auto bounds = [](std::uint64_t i, std::uint64_t count, std::uint64_t cells) {
            return std::array{i * count / cells, (i + 1) * count / cells};
        };
        for (std::uint64_t row = 0; row < reduced->rows; ++row) {
            for (std::uint64_t column = 0; column < reduced->columns; ++column) {
                const float expected = reducedCell(*whole, bounds(row, 35, reduced->rows),
                                                   bounds(column, 2041, reduced->columns), reduction);
                const float got = reduced->values[row * reduced->columns + column];
                QVERIFY2(same(got, expected) || std::abs(got - expected) <= 1e-6F * std::abs(expected),
                         qPrintable(QStringLiteral("%1, %2: %3, not %4").arg(row).arg(column).arg(got).arg(expected)));
            }
        }
    }
}

void TestSlice::reducesLongRows() {
    std::vector<float> values = counting(100'000);
    values[77'777] = -1e6F;
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, values); // one dimension: one row
    const Model& model = memory.finish();
    const SliceRequest request{.rows = 1, .columns = 100'000};
    const auto reduced = reduceSlice(model, index, request, 10, 3, SliceReduction::LargestMagnitude);
    QVERIFY(reduced);
    QCOMPARE(reduced->rows, 1U);
    QVERIFY((reduced->values == std::vector<float>{33'332, 66'665, -1e6F}));
    const auto mean = reduceSlice(model, index, {.rows = 1, .columns = 50'000}, 1, 1, SliceReduction::Mean);
    QVERIFY(mean);
    QCOMPARE(mean->values.front(), 24'999.5F);
}

void TestSlice::refuses() {
    MemoryModel memory;
    const TensorIndex index = memory.addNumbers(TensorType::F32, {5, 4, 3}, counting(60));
    const TensorIndex unknown = memory.add(9999, {32}, {});
    memory.add(0, {4096, 5000}, {});
    const Model& model = memory.finish();
    const auto code = [&](const SliceRequest& request) {
        const auto slice = readSlice(model, index, request);
        return slice ? std::string("read") : std::string(errorName(slice.error().code));
    };
    const std::string invalid(errorName(ErrorCode::InvalidArgument));
    QCOMPARE(code({.rows = 4, .columns = 5}), std::string("read"));
    QCOMPARE(code({.rows = 5, .columns = 5}), invalid);
    QCOMPARE(code({.firstRow = 3, .rows = 2, .columns = 5}), invalid);
    QCOMPARE(code({.firstRow = ~std::uint64_t{0}, .rows = 2, .columns = 5}), invalid);
    QCOMPARE(code({.rows = 4, .firstColumn = 1, .columns = 5}), invalid);
    QCOMPARE(code({.rows = 4, .columns = 5, .rowDimension = 0}), invalid);
    QCOMPARE(code({.rows = 1, .columns = 5, .rowDimension = 8}), invalid);
    QCOMPARE(code({.rows = 1, .columns = 5, .rowDimension = 7}), std::string("read"));
    QCOMPARE(code({.rows = 4, .columns = 5, .fixed = {0, 0, 3}}), invalid);
    QCOMPARE(code({.rows = 4, .columns = 5, .fixed = {0, 0, 0, 1}}), invalid);
    const TensorIndex large = TensorIndex(2);
    QCOMPARE(readSlice(model, large, {.rows = 4097, .columns = 4096}).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(readSlice(model, unknown, {}).error().code, ErrorCode::NotDecodable);
    const auto empty = readSlice(model, index, {});
    QVERIFY(empty && empty->values.empty());
    const auto none = reduceSlice(model, index, {.rows = 4, .columns = 5}, 0, 0, SliceReduction::Mean);
    QVERIFY(none && none->values.empty());
}

void TestSlice::cancels() {
    constexpr std::uint64_t kWeights = 256 * 65'536;
    const auto type = static_cast<std::uint32_t>(TensorType::IQ2_S);
    // Deliberately slow, to leave time for the stop: one thread, scalar kernels, and bytes that must be swapped.
    const ForcedKernels slow(scalar::kernels());
    MemoryModel memory(ByteOrder::Big);
    const TensorIndex index = memory.add(type, {kWeights}, manyBlocks(type, kWeights));
    const Model& model = memory.finish();
    const SliceRequest request{.rows = 1, .columns = kWeights};
    for (const bool reduce : {false, true}) {
        const QString failure = cancelAfterStart([&](JobContext job) -> std::optional<ErrorCode> {
            job.threads = 1;
            const auto slice = reduce ? reduceSlice(model, index, request, 1, 64, SliceReduction::Mean, job)
                                      : readSlice(model, index, request, job);
            return slice ? std::nullopt : std::optional(slice.error().code);
        });
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
    }
}

GUFO_TEST(TestSlice)
#include "tst_slice.moc"
