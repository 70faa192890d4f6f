// The filter language of tensors.
#include "model/tensor_info.h"
#include "support/test_unit.h"
#include "tensor/tensor_type.h"
#include "text/tensor_filter.h"

#include <QTest>

using namespace gufo;
using text::FilterProblem;
using text::TensorFilter;

namespace {

struct Row {
    const char* name;
    const char* type;
    std::vector<std::uint64_t> shape;
};
const std::vector<Row> kRows{
    {"token_embd.weight", "Q6_K", {4096, 32000}},           // 0: 107,520,000 bytes
    {"blk.1.attn_q.weight", "Q4_K", {4096, 4096}},          // 1: 9,437,184 bytes
    {"blk.17.attn_q.weight", "Q4_K", {4096, 1024}},         // 2: 2,359,296 bytes
    {"blk.1.attn_norm.weight", "F32", {4096}},              // 3: 16,384 bytes
    {"blk.1.ffn_up_exps.weight", "IQ4_XS", {4096, 256, 8}}, // 4: 4,456,448 bytes
    {"kernel:0", "F16", {3, 3}},                            // 5: 18 bytes
    {"my weights, old", "IQ2_S", {256}},                    // 6: 82 bytes
};

TensorInfo infoOf(const Row& row) {
    TensorInfo info;
    info.name = row.name;
    const TensorTypeFact* type = findTensorType(std::string_view(row.type));
    info.typeId = type->id;
    info.shape = Shape(row.shape);
    info.bytes = tensorBytes(*type, info.shape);
    return info;
}

QString matching(const TensorFilter& filter) {
    QStringList rows;
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (filter.matches(infoOf(kRows[i]), QString::fromLatin1(kRows[i].name))) {
            rows << QString::number(i);
        }
    }
    return rows.join(QLatin1Char(' '));
}

} // namespace

class TestTensorFilter : public QObject {
    Q_OBJECT

private slots:
    void matches_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("rows");
        const auto row = [](const char* name, const char* text, const char* rows) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromLatin1(rows);
        };
        row("nothing", "", "0 1 2 3 4 5 6");
        row("separators", " , ", "0 1 2 3 4 5 6");
        row("part", "attn", "1 2 3");
        row("number is whole", "blk.1", "1 3 4");
        row("wildcard", "blk.*weight", "1 2 3 4");
        row("type as a word", "q4_k", "1 2");
        row("type", "type:q4_k", "1 2");
        row("type is whole", "type:Q4", "");
        row("types", "type:IQ*", "4 6");
        row("exclude by minus", "blk -ffn", "1 2 3");
        row("exclude by exclamation mark", "blk !attn_q", "3 4");
        row("exclude a type", "-type:IQ*, -F32", "0 1 2 5");
        row("exclude twice", "--attn", "1 2 3");
        row("minus within a word", "n-o", "");
        row("larger", "size:>10M", "0");
        row("at least", "size:>=2359296", "0 1 2 4");
        row("more than", "size:>2359296", "0 1 4");
        row("at most", "size:<=16K", "3 5 6");
        row("less than", "size:<16K", "5 6");
        row("exactly", "size:82", "6");
        row("equals", "size:=18", "5");
        row("fraction", "size:>2.25MiB", "0 1 4");
        row("range", "size:1M..5M", "2 4");
        row("range to the end", "size:5m..", "0 1");
        row("range from the start", "size:..100b", "5 6");
        row("shape", "shape:4096x4096", "1");
        row("shape with any", "shape:4096x*", "0 1 2");
        row("shape with a cross",
            "shape:*\xC3\x97*\xC3\x97"
            "8",
            "4");
        row("one dimension", "shape:*", "3 6");
        row("no such shape", "-shape:*x*", "3 4 6");
        row("expression", "/^blk\\.\\d\\./", "1 3 4");
        row("expression with a space", "/weights, o/", "6");
        row("expression with a slash", "/a\\/b/", "");
        row("excluded expression", "blk -/attn_(q|norm)/", "4");
        row("colon in a name", "kernel:0", "5");
        row("field in capitals", "SIZE:>100M", "0");
        row("everything", "blk type:Q4_K -blk.17 size:>1M shape:*x*", "1");
    }
    void matches() {
        QFETCH(QString, text);
        const auto filter = TensorFilter::parse(text);
        QVERIFY(filter);
        QTEST(matching(*filter), "rows");
        QCOMPARE(filter->matchesAll(), text.trimmed().isEmpty() || text == QStringLiteral(" , "));
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("term");
        using enum FilterProblem::Kind;
        const auto row = [](const char* text, FilterProblem::Kind kind, const char* term) {
            QTest::newRow(text) << QString::fromLatin1(text) << static_cast<int>(kind) << QString::fromLatin1(term);
        };
        row("blk /(/", NoExpression, "/(/");
        row("-/(/", NoExpression, "-/(/");
        row("/attn q", NotClosed, "/attn q");
        row("/", NotClosed, "/");
        row("size:big", NoSize, "size:big");
        row("size:>", NoSize, "size:>");
        row("size:..", NoSize, "size:..");
        row("size:1X", NoSize, "size:1X");
        row("size:-5", NoSize, "size:-5");
        row("shape:4096x", NoShape, "shape:4096x");
        row("shape:axb", NoShape, "shape:axb");
        row("sizes:>10M", NoField, "sizes:>10M");
        row("attn type:", NothingToMatch, "type:");
        row("blk -", NothingToMatch, "-");
    }
    void saysWhatIsWrong() {
        QFETCH(QString, text);
        const auto filter = TensorFilter::parse(text);
        QVERIFY(!filter);
        QTEST(static_cast<int>(filter.error().kind), "kind");
        QTEST(filter.error().term, "term");
    }

    void unknownSizesAreNoSizes() {
        TensorInfo tensor = infoOf(kRows[0]);
        tensor.bytes.reset();
        QVERIFY(!TensorFilter::parse(QStringLiteral("size:>=0"))->matches(tensor, {}));
        QVERIFY(TensorFilter::parse(QStringLiteral("-size:>=0"))->matches(tensor, {}));
    }
};

GUFO_TEST(TestTensorFilter)
#include "tst_tensor_filter.moc"
