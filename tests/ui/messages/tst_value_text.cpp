#include "model/value_text.h"
#include "support/test_unit.h"
#include "ui/messages/problem_text.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace gufo;

class TestValueText : public QObject {
    Q_OBJECT

private slots:
    void rangeIsThatOfTheType_data();
    void rangeIsThatOfTheType();
    void readsBackWhatItWrites_data();
    void readsBackWhatItWrites();
    void refuses_data();
    void refuses();
    void converts_data();
    void converts();
    void namesEveryProblem();
};

namespace {

constexpr int kFails = 100; // + ValueProblem

int outcome(const std::expected<Value, ValueProblem>& value) {
    return value ? static_cast<int>(value->index()) : kFails + static_cast<int>(value.error());
}
int failsWith(ValueProblem problem) { return kFails + static_cast<int>(problem); }
int index(ValueType type) { return static_cast<int>(type); }

} // namespace

void TestValueText::rangeIsThatOfTheType_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QByteArray>("lowest");
    QTest::addColumn<QByteArray>("highest");
    QTest::addColumn<QByteArray>("below");
    QTest::addColumn<QByteArray>("above");
    const auto row = [](ValueType type, const char* lowest, const char* highest, const char* below, const char* above) {
        QTest::newRow(highest) << index(type) << QByteArray(lowest) << QByteArray(highest) << QByteArray(below)
                               << QByteArray(above);
    };
    row(ValueType::UInt8, "0", "255", "-1", "256");
    row(ValueType::Int8, "-128", "127", "-129", "128");
    row(ValueType::UInt16, "0", "65535", "-1", "65536");
    row(ValueType::Int16, "-32768", "32767", "-32769", "32768");
    row(ValueType::UInt32, "0", "4294967295", "-1", "4294967296");
    row(ValueType::Int32, "-2147483648", "2147483647", "-2147483649", "2147483648");
    row(ValueType::UInt64, "0", "18446744073709551615", "-1", "18446744073709551616");
    row(ValueType::Int64, "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808");
}

void TestValueText::rangeIsThatOfTheType() {
    QFETCH(int, type);
    QFETCH(QByteArray, lowest);
    QFETCH(QByteArray, highest);
    QFETCH(QByteArray, below);
    QFETCH(QByteArray, above);
    const auto asked = static_cast<ValueType>(type);
    for (const QByteArray& text : {lowest, highest}) {
        const auto value = parseValue(asked, text.toStdString());
        QCOMPARE(outcome(value), type);
        QCOMPARE(writeValue(*value), text.toStdString());
    }
    QCOMPARE(outcome(parseValue(asked, below.toStdString())), failsWith(ValueProblem::OutOfRange));
    QCOMPARE(outcome(parseValue(asked, above.toStdString())), failsWith(ValueProblem::OutOfRange));
    QCOMPARE(std::to_string(integerRange(asked).lowest), lowest.toStdString());
    QCOMPARE(std::to_string(integerRange(asked).highest), highest.toStdString());
}

void TestValueText::readsBackWhatItWrites_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QByteArray>("typed");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char* name, ValueType type, const char* typed, const char* written) {
        QTest::newRow(name) << index(type) << QByteArray(typed) << QByteArray(written);
    };
    row("f32 tenth", ValueType::Float32, "0.1", "0.1");
    row("f32 largest", ValueType::Float32, "3.4028235e+38", "3.4028235e+38");
    row("f32 smallest", ValueType::Float32, "1e-45", "1e-45");
    row("f64 tenth", ValueType::Float64, "0.1", "0.1");
    row("f64 largest", ValueType::Float64, "1.7976931348623157e+308", "1.7976931348623157e+308");
    row("f64 smallest", ValueType::Float64, "5e-324", "5e-324");
    row("minus zero", ValueType::Float32, "-0", "-0");
    row("nan", ValueType::Float32, "NaN", "nan");
    row("infinity", ValueType::Float64, "-inf", "-inf");
    row("plus", ValueType::Float64, "+1e3", "1000");
    row("hexadecimal", ValueType::UInt16, "0xffff", "65535");
    row("negative hexadecimal", ValueType::Int8, "-0x80", "-128");
    row("space", ValueType::Int32, "  7\n", "7");
    row("true", ValueType::Bool, "true", "true");
    row("zero", ValueType::Bool, "0", "false");
    row("string", ValueType::String, " a\n\xFF", " a\n\xFF");
}

void TestValueText::readsBackWhatItWrites() {
    QFETCH(int, type);
    QFETCH(QByteArray, typed);
    const std::string text = typed.toStdString();
    const auto value = parseValue(static_cast<ValueType>(type), text);
    QCOMPARE(outcome(value), type);
    const std::string written = writeValue(*value);
    QTEST(QByteArray::fromStdString(written), "written");
    const auto again = parseValue(static_cast<ValueType>(type), written);
    QVERIFY(again.has_value());
    QCOMPARE(writeValue(*again), written);
}

void TestValueText::refuses_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("problem");
    const auto row = [](const char* name, ValueType type, const char* text, ValueProblem problem) {
        QTest::newRow(name) << index(type) << QByteArray(text) << failsWith(problem);
    };
    row("nothing", ValueType::UInt32, "", ValueProblem::NotAnInteger);
    row("only a sign", ValueType::Int32, "-", ValueProblem::NotAnInteger);
    row("two signs", ValueType::Int32, "--1", ValueProblem::NotAnInteger);
    row("only 0x", ValueType::UInt32, "0x", ValueProblem::NotAnInteger);
    row("fraction", ValueType::UInt32, "1.5", ValueProblem::NotAnInteger);
    row("rest", ValueType::UInt32, "1 2", ValueProblem::NotAnInteger);
    row("word", ValueType::Float32, "much", ValueProblem::NotANumber);
    row("comma", ValueType::Float32, "1,5", ValueProblem::NotANumber);
    row("f32 too large", ValueType::Float32, "3.5e38", ValueProblem::OutOfRange);
    row("f64 too large", ValueType::Float64, "1e309", ValueProblem::OutOfRange);
    row("bool", ValueType::Bool, "yes", ValueProblem::NotABoolean);
    row("array", ValueType::Array, "[1]", ValueProblem::NotConvertible);
}

void TestValueText::refuses() {
    QFETCH(int, type);
    QFETCH(QByteArray, text);
    QTEST(outcome(parseValue(static_cast<ValueType>(type), text.toStdString())), "problem");
}

void TestValueText::converts_data() {
    QTest::addColumn<int>("from");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("to");
    QTest::addColumn<QByteArray>("result"); // empty: refused
    QTest::addColumn<int>("problem");
    const auto row = [](const char* name, ValueType from, const char* text, ValueType to, const char* result,
                        ValueProblem problem = {}) {
        QTest::newRow(name) << index(from) << QByteArray(text) << index(to) << QByteArray(result) << failsWith(problem);
    };
    row("widens", ValueType::UInt8, "255", ValueType::Int64, "255");
    row("narrows", ValueType::UInt64, "127", ValueType::Int8, "127");
    row("does not fit", ValueType::UInt64, "128", ValueType::Int8, "", ValueProblem::OutOfRange);
    row("no negative", ValueType::Int8, "-1", ValueType::UInt64, "", ValueProblem::OutOfRange);
    row("whole real", ValueType::Float64, "18446744073709549568", ValueType::UInt64, "18446744073709549568");
    row("2^64", ValueType::Float64, "18446744073709551616", ValueType::UInt64, "", ValueProblem::OutOfRange);
    row("fraction", ValueType::Float32, "0.5", ValueType::Int32, "", ValueProblem::Inexact);
    row("nan to integer", ValueType::Float32, "nan", ValueType::Int32, "", ValueProblem::Inexact);
    row("integer to f32", ValueType::UInt32, "16777216", ValueType::Float32, "16777216");
    row("integer past f32", ValueType::UInt32, "16777217", ValueType::Float32, "", ValueProblem::Inexact);
    row("largest to f64", ValueType::UInt64, "18446744073709551615", ValueType::Float64, "", ValueProblem::Inexact);
    row("lowest to f64", ValueType::Int64, "-9223372036854775808", ValueType::Float64, "-9223372036854775808");
    row("f64 to f32", ValueType::Float64, "0.5", ValueType::Float32, "0.5");
    row("f64 past f32", ValueType::Float64, "0.1", ValueType::Float32, "", ValueProblem::Inexact);
    row("f64 beyond f32", ValueType::Float64, "1e300", ValueType::Float32, "", ValueProblem::OutOfRange);
    row("infinity", ValueType::Float64, "inf", ValueType::Float32, "inf");
    row("nan", ValueType::Float64, "nan", ValueType::Float32, "nan");
    row("to text", ValueType::Float32, "0.1", ValueType::String, "0.1");
    row("from text", ValueType::String, " 12 ", ValueType::UInt8, "12");
    row("from other text", ValueType::String, "twelve", ValueType::UInt8, "", ValueProblem::NotAnInteger);
    row("bool to number", ValueType::Bool, "true", ValueType::Float64, "1");
    row("one to bool", ValueType::Float32, "1", ValueType::Bool, "true");
    row("two to bool", ValueType::UInt8, "2", ValueType::Bool, "", ValueProblem::OutOfRange);
    row("to array", ValueType::UInt8, "2", ValueType::Array, "", ValueProblem::NotConvertible);
}

void TestValueText::converts() {
    QFETCH(int, from);
    QFETCH(QByteArray, text);
    QFETCH(int, to);
    QFETCH(QByteArray, result);
    QFETCH(int, problem);
    const std::string typed = text.toStdString();
    const auto value = parseValue(static_cast<ValueType>(from), typed);
    QVERIFY(value.has_value());
    std::string characters;
    const auto converted = convertValue(*value, static_cast<ValueType>(to), characters);
    QCOMPARE(outcome(converted), result.isEmpty() ? problem : to);
    if (converted) {
        QCOMPARE(QByteArray::fromStdString(writeValue(*converted)), result);
    }
}

void TestValueText::namesEveryProblem() {
    QCOMPARE(ui::valueProblemText(ValueProblem::OutOfRange, ValueType::Int8),
             QStringLiteral("i8 ranges from -128 to 127."));
    QStringList all;
    for (const auto problem : {ValueProblem::NotAnInteger, ValueProblem::NotANumber, ValueProblem::NotABoolean,
                               ValueProblem::OutOfRange, ValueProblem::Inexact, ValueProblem::NotConvertible}) {
        all << ui::valueProblemText(problem, ValueType::Float32);
    }
    QCOMPARE(all.removeDuplicates(), 0);
}

GUFO_TEST_APPLESS(TestValueText)
#include "tst_value_text.moc"
