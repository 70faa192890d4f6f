// The operations of conversions one by one: what they do to a small tensor, that their inverses restore it bit by bit,
// that any piece of the result can be computed alone, and which shapes they refuse.
#include "base/detail.h"
#include "convert/tensor_values.h"
#include "support/test_unit.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

using namespace gufo;
using namespace gufo::convert;

namespace {

using Kind = OperationKind;

Shape shapeOf(std::vector<std::uint64_t> dims) { return Shape(dims); }

// 0, 1, 2 …
std::vector<float> counting(std::uint64_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

std::vector<float> allOf(const TensorValues& values) {
    std::vector<float> all(values.shape().weights().value_or(0));
    return values.values(0, all) ? all : std::vector<float>();
}

Result<ValuesPtr> apply(const std::vector<float>& values, const Shape& shape, const Operation& operation) {
    return operated(computedValues(values, shape), operation);
}

} // namespace

Q_DECLARE_METATYPE(gufo::convert::Operation)
Q_DECLARE_METATYPE(gufo::Shape)

class TestOperations final : public QObject {
    Q_OBJECT

private slots:
    void results_data();
    void results();
    void inverses_data();
    void inverses();
    void pieces_data() { inverses_data(); }
    void pieces();
    void refusals_data();
    void refusals();
    void stacks();
    void facts();
    void exponentials();
};

void TestOperations::results_data() {
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<Operation>("operation");
    QTest::addColumn<Shape>("shapeAfterwards");
    QTest::addColumn<std::vector<float>>("expected");
    using Values = std::vector<float>;
    const auto row = [](const char* name, std::vector<std::uint64_t> shape, Operation operation,
                        std::vector<std::uint64_t> after, Values expected) {
        QTest::newRow(name) << shapeOf(std::move(shape)) << std::move(operation) << shapeOf(std::move(after))
                            << std::move(expected);
    };
    row("rope, one head", {1, 4}, {Kind::PermuteRope, {1, 1}}, {1, 4}, {0, 2, 1, 3});
    row("rope, bias of two heads", {8}, {Kind::PermuteRope, {0, 2}}, {8}, {0, 2, 1, 3, 4, 6, 5, 7});
    row("transpose", {2, 3}, {Kind::Transpose}, {3, 2}, {0, 2, 4, 1, 3, 5});
    row("transpose each of two", {2, 1, 2}, {Kind::Transpose}, {1, 2, 2}, {0, 1, 2, 3});
    row("rows", {2, 3}, {Kind::SliceRows, {1, 1, 2}}, {2, 2}, {2, 3, 4, 5});
    row("rows of each of two", {1, 3, 2}, {Kind::SliceRows, {1, 1, 1}}, {1, 1, 2}, {1, 4});
    row("odd rows", {2, 4}, {Kind::EveryOther, {1, 1, 2}}, {2, 2}, {2, 3, 6, 7});
    row("even columns", {4, 2}, {Kind::EveryOther, {0, 0, 2}}, {2, 2}, {0, 2, 4, 6});
    row("listed rows", {2, 4}, {Kind::PickRows, {1, 3, 0}}, {2, 2}, {6, 7, 0, 1});
    row("two heads of query, key, value", {1, 6}, {Kind::RegroupRows, {1, 0, 2, 3, 0, 1, 1, 1, 2, 1}}, {1, 6},
        {0, 3, 1, 4, 2, 5});
    row("a group of two queries", {1, 8}, {Kind::RegroupRows, {1, 0, 2, 4, 0, 2, 2, 1, 3, 1}}, {1, 8},
        {0, 1, 4, 5, 2, 6, 3, 7});
    row("groups behind two rows that stay", {1, 6}, {Kind::RegroupRows, {1, 2, 2, 2, 0, 1, 1, 1}}, {1, 6},
        {0, 1, 2, 4, 3, 5});
    row("parts of two heads", {1, 6}, {Kind::TakeParts, {1, 2, 3, 1, 2}}, {1, 2, 2}, {1, 2, 4, 5});
    row("squeeze", {2, 1, 2}, {Kind::Reshape, {2, 2}}, {2, 2}, {0, 1, 2, 3});
    row("add", {3}, {Kind::Add, {1}}, {3}, {1, 2, 3});
    row("scale by a half", {3}, scaleBy(0.5), {3}, {0, 0.5, 1});
    row("scale by a third", {3}, scaleBy(-1.0 / 3), {3}, {0, -1.0F / 3, -2.0F / 3});
    row("scale by zero", {3}, scaleBy(0), {3}, {0, 0, 0});
    row("scale by a large number", {3}, scaleBy(0x1p100), {3}, {0, 0x1p100, 0x1p101});
    row("negative exponential", {2}, {Kind::NegateExponential}, {2}, {-1, -std::exp(1.0F)});
    row("ternary", {3}, {Kind::RoundToTernary}, {3}, {0, 1, 1}); // the mean is 1, and 2 is cut
    row("one of two", {2, 2}, {Kind::Unstack, {1, 2}}, {2}, {2, 3});
}

void TestOperations::results() {
    QFETCH(Shape, shape);
    QFETCH(Operation, operation);
    QFETCH(Shape, shapeAfterwards);
    QFETCH(std::vector<float>, expected);
    const auto result = apply(counting(*shape.weights()), shape, operation);
    QVERIFY(result);
    QCOMPARE(shapeText((*result)->shape()), shapeText(shapeAfterwards));
    QCOMPARE(allOf(**result), expected);
}

void TestOperations::inverses_data() {
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<Operation>("operation");
    const auto row = [](const char* name, std::vector<std::uint64_t> shape, Operation operation) {
        QTest::newRow(name) << shapeOf(std::move(shape)) << std::move(operation);
    };
    row("rename", {5}, {Kind::Rename});
    row("reshape", {3, 1, 4}, {Kind::Reshape, {3, 4}});
    row("permute", {5, 24}, {Kind::PermuteRope, {1, 3}});
    row("permute a bias", {24}, {Kind::PermuteRope, {0, 4}});
    row("unpermute", {5, 24}, {Kind::UnpermuteRope, {1, 2}});
    row("add", {7}, {Kind::Add, {1}});
    row("reciprocal", {4}, {Kind::Reciprocal});
    row("transpose", {6, 5, 3}, {Kind::Transpose});
    row("regroup", {3, 24, 2}, {Kind::RegroupRows, {1, 0, 2, 12, 0, 6, 6, 3, 9, 3}});
    row("regroup, parts in another order", {2, 8}, {Kind::RegroupRows, {1, 0, 2, 4, 2, 2, 0, 2}});
    row("regroup behind rows that stay", {3, 26}, {Kind::RegroupRows, {1, 2, 4, 6, 0, 2, 2, 4}});
    row("ungroup", {3, 24}, {Kind::UngroupRows, {1, 0, 4, 6, 0, 2, 2, 2, 4, 2}});
}

void TestOperations::inverses() {
    QFETCH(Shape, shape);
    QFETCH(Operation, operation);
    std::vector<float> values = counting(*shape.weights());
    if (operation.kind == Kind::Reciprocal) {
        values = {1, 2, 0.5, 4};
    }
    const auto inverse = inverseOf(operation, shape);
    QVERIFY(inverse);
    QCOMPARE(operationFact(operation.kind).reversal, Reversal::Inverse);
    auto result = apply(values, shape, operation);
    QVERIFY(result);
    const auto back = operated(*std::move(result), *inverse);
    QVERIFY(back);
    QCOMPARE(shapeText((*back)->shape()), shapeText(shape));
    QCOMPARE(allOf(**back), values);
}

void TestOperations::pieces() {
    QFETCH(Shape, shape);
    QFETCH(Operation, operation);
    const auto result = apply(counting(*shape.weights()), shape, operation);
    QVERIFY(result);
    const std::vector<float> all = allOf(**result);
    for (std::uint64_t first = 0; first < all.size(); ++first) {
        for (std::uint64_t count = 1; first + count <= all.size(); count += 3) {
            std::vector<float> piece(count);
            QVERIFY((*result)->values(first, piece));
            QVERIFY(std::ranges::equal(piece, std::span(all).subspan(first, count)));
        }
    }
}

void TestOperations::refusals_data() {
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<Operation>("operation");
    const auto row = [](const char* name, std::vector<std::uint64_t> shape, Operation operation) {
        QTest::newRow(name) << shapeOf(std::move(shape)) << std::move(operation);
    };
    row("heads that do not divide the rows", {2, 10}, {Kind::PermuteRope, {1, 4}});
    row("no heads", {2, 10}, {Kind::PermuteRope, {1, 0}});
    row("a head of odd width", {2, 6}, {Kind::PermuteRope, {1, 2}});
    row("no such axis", {4}, {Kind::PermuteRope, {1, 1}});
    row("rows beyond the end", {2, 3}, {Kind::SliceRows, {1, 2, 2}});
    row("rows whose end overflows", {2, 3}, {Kind::SliceRows, {1, 1, std::numeric_limits<std::int64_t>::max()}});
    row("an odd number of rows", {2, 3}, {Kind::EveryOther, {1, 0, 2}});
    row("a step of nothing", {2, 4}, {Kind::EveryOther, {1, 0, 0}});
    row("a listed row beyond the end", {2, 4}, {Kind::PickRows, {1, 0, 4}});
    row("a listed row before the first", {2, 4}, {Kind::PickRows, {1, -1}});
    row("no listed rows", {2, 4}, {Kind::PickRows, {1}});
    row("groups that do not divide", {2, 7}, {Kind::RegroupRows, {1, 0, 2, 3, 0, 1, 1, 1, 2, 1}});
    row("groups behind too many rows", {2, 6}, {Kind::RegroupRows, {1, 3, 2, 2, 0, 1, 1, 1}});
    row("parts that leave rows out", {2, 6}, {Kind::RegroupRows, {1, 0, 2, 3, 0, 1, 1, 1}});
    row("parts that overlap", {2, 6}, {Kind::RegroupRows, {1, 0, 2, 3, 0, 2, 1, 2}});
    row("a part beyond the group", {2, 6}, {Kind::TakeParts, {1, 2, 3, 2, 2}});
    row("another number of weights", {2, 6}, {Kind::Reshape, {5}});
    row("a vector to transpose", {6}, {Kind::Transpose});
    row("one beyond the last", {2, 2}, {Kind::Unstack, {2, 2}});
}

void TestOperations::refusals() {
    QFETCH(Shape, shape);
    QFETCH(Operation, operation);
    const auto result = apply(counting(*shape.weights()), shape, operation);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::InvalidArgument);
    QCOMPARE(result.error().args.at(0).detail(), std::optional(Detail::OperationUnfit));
}

void TestOperations::stacks() {
    std::vector<ValuesPtr> parts;
    parts.push_back(computedValues({0, 1, 2, 3}, shapeOf({2, 2})));
    parts.push_back(computedValues({4, 5, 6, 7}, shapeOf({2, 2})));
    const auto stack = stacked(std::move(parts));
    QVERIFY(stack);
    QCOMPARE(shapeText((*stack)->shape()), shapeText(shapeOf({2, 2, 2})));
    QCOMPARE(allOf(**stack), counting(8));

    std::vector<ValuesPtr> numbers;
    numbers.push_back(computedValues({1}, shapeOf({1})));
    numbers.push_back(computedValues({2}, shapeOf({1})));
    const auto vector = stacked(std::move(numbers));
    QVERIFY(vector);
    QCOMPARE(shapeText((*vector)->shape()), shapeText(shapeOf({2})));

    std::vector<ValuesPtr> unequal;
    unequal.push_back(computedValues({0, 1}, shapeOf({2})));
    unequal.push_back(computedValues({0, 1, 2}, shapeOf({3})));
    const auto refused = stacked(std::move(unequal));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::WrongShape);
}

// The table says of every kind what undoes it, and inverseOf() agrees.
void TestOperations::facts() {
    for (const OperationFact& fact : operationFacts()) {
        QVERIFY(!fact.name.empty());
        const Operation operation{fact.kind, {1, 2, 3, 0, 1, 1, 1, 2, 1}};
        QCOMPARE(inverseOf(operation, shapeOf({2, 6})).has_value(), fact.reversal == Reversal::Inverse);
    }
}

// As PyTorch computes them on x86-64: the first four are not the nearest float.
void TestOperations::exponentials() {
    struct Case {
        float x;
        std::uint32_t bits;
    };
    constexpr auto kCases = std::to_array<Case>({
        {0x1.8436c2p+1F, 0x41a60fee},
        {0x1.6da262p+1F, 0x418b34e8},
        {0x1.c74abep+0F, 0x40bd77ce},
        {0x1.8f2c4p-2F, 0x3fbd04dc},
        {0.0F, 0x3f800000},
        {-1.0F, 0x3ebc5ab2},
        {88.0F, 0x7ef882b7},
        {-87.0F, 0x00b33687},
        {89.0F, 0x7f800000},
        {std::numeric_limits<float>::infinity(), 0x7f800000},
        {-std::numeric_limits<float>::infinity(), 0},
        {-1e30F, 0},
    });
    for (const Case& c : kCases) {
        QCOMPARE(std::bit_cast<std::uint32_t>(exponential(c.x)), c.bits);
    }
    QVERIFY(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

GUFO_TEST(TestOperations)
#include "tst_operations.moc"
