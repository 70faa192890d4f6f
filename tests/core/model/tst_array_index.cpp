#include "model/array_index.h"
#include "support/test_unit.h"

#include <QTest>

#include <string>

using namespace gufo;

namespace {

template<typename T>
void append(std::vector<std::byte>& bytes, T value, ByteOrder order) {
    bytes.resize(bytes.size() + sizeof value);
    store(bytes.data() + bytes.size() - sizeof value, value, order);
}

void appendLength(std::vector<std::byte>& bytes, std::uint64_t length, ValueLayout layout) {
    if (layout.lengths == ValueLayout::Lengths::U32) {
        append(bytes, static_cast<std::uint32_t>(length), layout.order);
    } else {
        append(bytes, length, layout.order);
    }
}

void appendString(std::vector<std::byte>& bytes, std::string_view text, ValueLayout layout) {
    appendLength(bytes, text.size(), layout);
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), from, from + text.size());
}

} // namespace

class TestArrayIndex : public QObject {
    Q_OBJECT

private slots:
    void findsEveryString_data();
    void findsEveryString();
    void findsNestedArrays();
    void readsNumbersInPlace();
    void headNeedsNoIndex();
    void stopsWhenCancelled();
    void reportsBytesThatChanged();
};

void TestArrayIndex::findsEveryString_data() {
    QTest::addColumn<bool>("big");
    QTest::addColumn<bool>("wide");
    QTest::addColumn<int>("count");
    for (const int count : {0, 1, 63, 64, 65, 1000}) {
        for (const bool big : {false, true}) {
            for (const bool wide : {false, true}) {
                QTest::addRow("%d %s %s", count, big ? "big" : "little", wide ? "u64" : "u32") << big << wide << count;
            }
        }
    }
}

void TestArrayIndex::findsEveryString() {
    QFETCH(bool, big);
    QFETCH(bool, wide);
    QFETCH(int, count);
    const ValueLayout layout{.order = big ? ByteOrder::Big : ByteOrder::Little,
                             .lengths = wide ? ValueLayout::Lengths::U64 : ValueLayout::Lengths::U32};
    std::vector<std::byte> bytes;
    for (int i = 0; i < count; ++i) {
        appendString(bytes, std::string(static_cast<std::size_t>(i % 7), 'a') + std::to_string(i), layout);
    }
    const auto index = ArrayIndex::build({ValueType::String, static_cast<std::uint64_t>(count), bytes, layout});
    QVERIFY(index);
    QCOMPARE(index->size(), static_cast<std::uint64_t>(count));
    for (int i = count - 1; i >= 0; --i) {
        QCOMPARE(asString(index->at(static_cast<std::uint64_t>(i))).value(),
                 std::string(static_cast<std::size_t>(i % 7), 'a') + std::to_string(i));
    }
}

void TestArrayIndex::findsNestedArrays() {
    const ValueLayout layout;
    std::vector<std::byte> bytes;
    for (std::uint32_t i = 0; i < 100; ++i) {
        append(bytes, static_cast<std::uint32_t>(ValueType::String), layout.order);
        appendLength(bytes, 2, layout);
        appendString(bytes, "x" + std::to_string(i), layout);
        appendString(bytes, "", layout);
    }
    const auto index = ArrayIndex::build({ValueType::Array, 100, bytes, layout});
    QVERIFY(index);
    const Value inner = index->at(77);
    QVERIFY(asArray(inner));
    QCOMPARE(asArray(inner)->length, 2U);
    QCOMPARE(asString(arrayHead(*asArray(inner), 1).front()).value(), std::string_view("x77"));
}

void TestArrayIndex::readsNumbersInPlace() {
    std::vector<std::byte> bytes;
    for (const double value : {1.5, -2.0, 0.25}) {
        append(bytes, value, ByteOrder::Big);
    }
    const auto index = ArrayIndex::build({ValueType::Float64, 3, bytes, {.order = ByteOrder::Big}});
    QVERIFY(index);
    QCOMPARE(asDouble(index->at(1)).value(), -2.0);
}

void TestArrayIndex::headNeedsNoIndex() {
    std::vector<std::byte> bytes;
    appendString(bytes, "one", {});
    appendString(bytes, "two", {});
    const ArrayView array{ValueType::String, 2, bytes, {}};
    QCOMPARE(arrayHead(array, 1).size(), 1U);
    QCOMPARE(arrayHead(array, 9).size(), 2U);
}

void TestArrayIndex::stopsWhenCancelled() {
    std::vector<std::byte> bytes;
    appendString(bytes, "one", {});
    std::stop_source stop;
    stop.request_stop();
    const auto index = ArrayIndex::build({ValueType::String, 1, bytes, {}}, {.stop = stop.get_token()});
    QCOMPARE(index.error().code, ErrorCode::Cancelled);
}

void TestArrayIndex::reportsBytesThatChanged() {
    std::vector<std::byte> bytes;
    for (int i = 0; i < 3; ++i) {
        appendString(bytes, "abc", {});
    }
    const ArrayView array{ValueType::String, 3, bytes, {}};
    const auto index = ArrayIndex::build(array);
    QVERIFY(index);
    store<std::uint64_t>(bytes.data() + 11, ~std::uint64_t{0});
    QCOMPARE(asString(index->at(2)).value(), std::string_view());
    QCOMPARE(ArrayIndex::build(array).error().code, ErrorCode::Truncated);
}

GUFO_TEST(TestArrayIndex)
#include "tst_array_index.moc"
