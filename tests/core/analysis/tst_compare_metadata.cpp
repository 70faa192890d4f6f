#include "analysis/compare/compare_metadata.h"
#include "formats/gguf/read/reader.h"
#include "support/gguf_builder.h"
#include "support/model_maker.h"
#include "support/test_unit.h"

#include <QElapsedTimer>
#include <QTest>

#include <chrono>
#include <ctime>
#include <limits>
#include <pthread.h>
#include <thread>

using namespace gufo;
using namespace gufo::test;

namespace {

using Models = std::vector<std::shared_ptr<const Model>>;

MetadataComparison compare(const Models& models, std::size_t reference = 0, const MetadataOptions& options = {}) {
    auto result = compareMetadata(models, reference, options);
    return result ? std::move(*result) : MetadataComparison();
}

// "key = / ~ / + / -", with one sign for each model: same, changed, added, removed.
QString summary(const MetadataComparison& comparison) {
    QStringList rows;
    for (const MetadataRow& row : comparison.rows) {
        QString text = QString::fromStdString(std::string(row.key)) + ' ';
        for (const auto& cell : row.cells) {
            text += QLatin1Char("=~+-"[static_cast<int>(cell.status)]);
            text += cell.typeOnly ? "t" : "";
        }
        rows << text;
    }
    return rows.join("; ");
}

TokenizerDifference tokenizers(ModelMaker a, ModelMaker b, std::size_t maxTokens = 100) {
    static MetadataComparison comparison; // owns the texts
    comparison = compare({a.model(), b.model()}, 0, {.maxTokens = maxTokens});
    return comparison.tokenizers.empty() ? TokenizerDifference() : comparison.tokenizers[1];
}

ModelMaker vocabulary(const std::vector<std::string>& tokens, const std::vector<float>& scores,
                      const std::vector<std::int32_t>& types) {
    ModelMaker maker;
    maker.texts("tokenizer.ggml.tokens", tokens).f32s("tokenizer.ggml.scores", scores);
    maker.i32s("tokenizer.ggml.token_type", types);
    return maker;
}

QString described(const TokenDifference& token) {
    const auto number = [](const auto& value) { return value ? QString::number(*value) : QString("-"); };
    return QString("%1 %2>%3 %4>%5 %6>%7")
        .arg(QString::fromStdString(std::string(token.text)), number(token.referenceId), number(token.otherId),
             number(token.referenceScore), number(token.otherScore), number(token.referenceType),
             number(token.otherType));
}

} // namespace

class TestCompareMetadata : public QObject {
    Q_OBJECT

private slots:
    void keys() {
        const auto a = ModelMaker("llama").u32("only.a", 1).u32("number", 1).text("text", "x").f32("f", 0.5F).model();
        const auto b = ModelMaker("llama").u32("only.b", 1).u32("number", 2).text("text", "x").f32("f", 0.5F).model();
        const auto c = ModelMaker("llama").text("number", "1").text("text", "x").f32("f", 0.5F).model();
        const auto comparison = compare({a, b, c});
        QCOMPARE(summary(comparison), QString("general.architecture ===; only.a =--; number =~~; text ===; f ===; "
                                              "only.b -+-"));
        QVERIFY(comparison.rows[0].same());
        QVERIFY(!comparison.rows[1].same());
        QVERIFY(!comparison.same(1));
        QVERIFY(!comparison.same(2));
        QVERIFY(compare({a, a}).same(1));
        // With another reference, rows come in its order.
        QCOMPARE(summary(compare({a, b}, 1)), QString("general.architecture ==; only.b -=; number ~=; text ==; f ==; "
                                                      "only.a +-"));
        // A key that only a third model has is not a difference between the first two.
        const auto d = ModelMaker("llama").u32("more", 1).model();
        const auto plain = ModelMaker("llama").model();
        const auto three = compare({plain, plain, d});
        QVERIFY(three.same(1));
        QVERIFY(!three.same(2));
        QCOMPARE(three.tokenizers.size(), 3U);
    }

    void reservedSpaceIsNoDifference() {
        const auto a = ModelMaker("llama").u32("number", 1).model();
        const auto b = ModelMaker("llama")
                           .array(gguf::kReservedKey, ValueType::UInt8, std::vector<std::uint8_t>{0, 0, 0})
                           .u32("number", 1)
                           .model();
        for (const Models& models : {Models{a, b}, Models{b, a}, Models{a, a, b}}) {
            const auto comparison = compare(models);
            QVERIFY2(!summary(comparison).contains("reserved"), qPrintable(summary(comparison)));
            QVERIFY(comparison.same(models.size() - 1));
        }
    }

    void types_data() {
        QTest::addColumn<Value>("a");
        QTest::addColumn<Value>("b");
        QTest::addColumn<bool>("same");
        QTest::addColumn<bool>("number");
        const auto row = [](const char* name, const Value& a, const Value& b, bool same, bool number) {
            QTest::newRow(name) << a << b << same << number;
        };
        constexpr std::uint64_t kLargest = ~std::uint64_t{0};
        const float nan = std::numeric_limits<float>::quiet_NaN();
        row("equal", std::uint32_t{5}, std::uint32_t{5}, true, true);
        row("wider", std::uint32_t{5}, std::int64_t{5}, false, true);
        row("signs differ", std::int8_t{-1}, std::uint8_t{255}, false, false);
        row("integer and float", std::int32_t{3}, 3.0F, false, true);
        row("largest unsigned", kLargest, kLargest, true, true);
        row("NaN of the same bits", nan, nan, true, false);
        row("zeros of two signs", 0.0F, -0.0F, false, true);
        row("flag and number", BoolValue{1}, std::uint8_t{1}, false, false);
        row("text and number", std::string_view("1"), std::uint8_t{1}, false, false);
        row("flags", BoolValue{1}, BoolValue{1}, true, false);
        row("flags as stored", BoolValue{1}, BoolValue{2}, false, false);
    }
    void types() {
        QFETCH(Value, a);
        QFETCH(Value, b);
        QTEST(sameValue(a, b), "same");
        QTEST(sameNumber(a, b), "number");
        QCOMPARE(sameValue(b, a), sameValue(a, b));
        QCOMPARE(sameNumber(b, a), sameNumber(a, b));
    }

    void arrays() {
        const auto a = ModelMaker().u32s("n", {1, 2, 3, 4}).texts("t", {"a", "b", "c"}).u32s("wide", {1, 2}).model();
        const auto b = ModelMaker().u32s("n", {1, 9, 3}).texts("t", {"a", "bb", "c", "d"}).i32s("wide", {1, 2}).model();
        const auto comparison = compare({a, b});
        QCOMPARE(summary(comparison), QString("n =~; t =~; wide =~t"));
        const ArrayDifference& n = *comparison.rows[0].cells[1].elements;
        QCOMPARE(n.referenceLength, 4U);
        QCOMPARE(n.otherLength, 3U);
        QCOMPARE(n.differing, 2U);
        QCOMPARE(n.first.size(), 2U);
        QCOMPARE(n.first[0].index, 1U);
        QVERIFY(sameValue(*n.first[0].reference, std::uint32_t{2}) && sameValue(*n.first[0].other, std::uint32_t{9}));
        QCOMPARE(n.first[1].index, 3U);
        QVERIFY(n.first[1].reference && !n.first[1].other);
        const ArrayDifference& t = *comparison.rows[1].cells[1].elements;
        QCOMPARE(t.differing, 2U);
        QVERIFY(!t.first[1].reference && sameValue(*t.first[1].other, std::string_view("d")));
    }

    void longArrays() {
        std::vector<std::uint32_t> numbers(100'000, 7);
        const auto a = ModelMaker().u32s("n", numbers).model();
        for (const std::size_t i : {0UL, 4095UL, 4096UL, 50'000UL, 99'999UL}) {
            numbers[i] = 8;
        }
        numbers.resize(100'500);
        const auto b = ModelMaker().u32s("n", numbers).model();
        const auto comparison = compare({a, b}, 0, {.maxElements = 4});
        const ArrayDifference& n = *comparison.rows[0].cells[1].elements;
        QCOMPARE(n.differing, 505U);
        QCOMPARE(n.first.size(), 4U);
        QCOMPARE(n.first[3].index, 50'000U);
        const auto all = compare({a, b}, 0, {.maxElements = 7});
        QCOMPARE(all.rows[0].cells[1].elements->first.back().index, 100'001U);
    }

    void acrossByteOrders() {
        const auto file = [](ByteOrder order, std::uint32_t version) {
            GgufBuilder builder(version, order);
            builder.key("n", std::vector<std::int32_t>{1, -2, 3});
            builder.key("t", std::vector<std::string>{"a", "b"});
            builder.key("x", std::uint32_t{258});
            return *gguf::read(builder.source());
        };
        const auto comparison =
            compare({file(ByteOrder::Little, 3), file(ByteOrder::Big, 3), file(ByteOrder::Little, 1)});
        QCOMPARE(summary(comparison), QString("n ===; t ===; x ==="));
    }

    void chatTemplates() {
        const auto a = ModelMaker()
                           .text("tokenizer.chat_template", "a")
                           .text("tokenizer.chat_template.tool_use", "b")
                           .text("tokenizer.chat_templates", "c")
                           .model();
        const auto comparison = compare({a, a});
        QVERIFY(comparison.rows[0].chatTemplate);
        QVERIFY(comparison.rows[1].chatTemplate);
        QVERIFY(!comparison.rows[2].chatTemplate);
    }

    void tokens() {
        const auto difference =
            tokenizers(vocabulary({"a", "b", "c", "same", "x"}, {0, -1, -2, -3, -4}, {1, 1, 1, 1, 1}),
                       vocabulary({"a", "c", "b", "same", "new"}, {0, -2, -1, -9, 0}, {1, 1, 1, 3, 4}));
        QCOMPARE(difference.referenceTokens, 5U);
        QCOMPARE(difference.onlyInReference, 1U);
        QCOMPARE(difference.onlyInOther, 1U);
        QCOMPARE(difference.otherIds, 2U);
        QCOMPARE(difference.otherScores, 1U);
        QCOMPARE(difference.otherTypes, 1U);
        QVERIFY(!difference.same());
        QStringList found;
        for (const TokenDifference& token : difference.first) {
            found << described(token);
        }
        QCOMPARE(found, (QStringList{"b 1>2 -1>-1 1>1", "c 2>1 -2>-2 1>1", "same 3>3 -3>-9 1>3", "x 4>- -4>- 1>-",
                                     "new ->4 ->0 ->4"}));
    }

    void tokensThatOccurTwice() {
        const auto same = vocabulary({"a", "b", "a"}, {}, {});
        QVERIFY(tokenizers(same, vocabulary({"a", "b", "a"}, {}, {})).same());
        const auto difference = tokenizers(same, vocabulary({"a", "a"}, {}, {}), 1);
        QCOMPARE(difference.onlyInReference, 1U);
        QCOMPARE(difference.otherIds, 1U); // the first "a" is found
        QCOMPARE(difference.first.size(), 1U);
        const auto none = tokenizers(same, ModelMaker());
        QCOMPARE(none.onlyInReference, 3U);
        QCOMPARE(none.otherTokens, 0U);
        QVERIFY(tokenizers(ModelMaker(), ModelMaker()).same());
    }

    void cancels() {
        const auto a = ModelMaker().u32s("n", std::vector<std::uint32_t>(50'000'000, 1)).model();
        const auto b = ModelMaker().u32s("n", std::vector<std::uint32_t>(50'000'000, 2)).model();
        std::stop_source stop;
        QElapsedTimer sinceStop;
        clockid_t clock{}; // the clock of this thread's processor time
        QCOMPARE(pthread_getcpuclockid(pthread_self(), &clock), 0);
        const auto worked = [&] {
            timespec time{};
            clock_gettime(clock, &time);
            return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
        };
        std::jthread stopper([&, begin = worked()] {
            while (worked() < begin + std::chrono::milliseconds(3)) {
                std::this_thread::yield();
            }
            sinceStop.start();
            stop.request_stop();
        });
        const Models models{a, b};
        const auto result = compareMetadata(models, 0, {}, {.stop = stop.get_token()});
        stopper.join();
        QVERIFY(!result && result.error().code == ErrorCode::Cancelled);
        QVERIFY(sinceStop.elapsed() < 2000);
        QCOMPARE(compareMetadata(models, 2).error().code, ErrorCode::InvalidArgument);
    }
};

GUFO_TEST_APPLESS(TestCompareMetadata)
#include "tst_compare_metadata.moc"
