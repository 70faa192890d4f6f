// Recipe files: reading, writing, and errors in lines.
#include "quantize/recipe_file.h"
#include "support/error_names.h"
#include "support/test_unit.h"
#include "tensor/tensor_type.h"

#include <QTest>

using namespace gufo;
using namespace gufo::test;

namespace {

std::uint32_t numberOf(TensorType type) { return static_cast<std::uint32_t>(type); }

} // namespace

class TestRecipeFile : public QObject {
    Q_OBJECT

private slots:
    void reads() {
        const auto recipe = parseRecipeFile("\xEF\xBB\xBF# model: Owl 1B\r\n"
                                            "#no header\n"
                                            "# not a key: either\n"
                                            "\n"
                                            "  ^a=b$  =  q4_k   # the last = divides\r\n"
                                            "# later: comment\n"
                                            "x#y = Q8_0\n"
                                            "* = Q6_K");
        QVERIFY2(recipe, recipe ? "" : qPrintable(errorOf(recipe.error())));
        QCOMPARE(recipe->header.size(), std::size_t{1});
        QCOMPARE(recipe->header[0].second, "Owl 1B");
        QCOMPARE(recipe->rules.size(), std::size_t{2});
        QCOMPARE(recipe->rules[0].pattern, "^a=b$");
        QCOMPARE(recipe->rules[0].typeId, numberOf(TensorType::Q4_K));
        QCOMPARE(recipe->rules[0].line, std::size_t{5});
        QCOMPARE(recipe->rules[1].pattern, "x#y");
        QCOMPARE(recipe->rest, numberOf(TensorType::Q6_K));
        QVERIFY(parseRecipeFile("")->rules.empty());
    }

    void writes() {
        RecipeFile recipe{.header = {{"model", "two\nlines"}, {"target", "4 GB"}},
                          .rules = {{.pattern = "attn_v", .typeId = numberOf(TensorType::Q5_K), .line = 3}},
                          .rest = numberOf(TensorType::Q4_K)};
        const std::string text = recipeFileText(recipe);
        QCOMPARE(QString::fromStdString(text), "# model: two lines\n# target: 4 GB\nattn_v = Q5_K\n* = Q4_K\n");
        recipe.header[0].second = "two lines";
        QVERIFY(*parseRecipeFile(text) == recipe);
    }

    // What is read can be written, and is read again the same.
    void isExported() {
        const auto recipe =
            parseRecipeFile("# model: x\n^blk\\.\\d+\\.attn_v\\.weight$ = Q6_K\noutput = IQ4_XS\n* = Q4_K\n");
        QVERIFY(recipe);
        const std::string lines = "^blk\\.\\d+\\.attn_v\\.weight$=q6_k\noutput=iq4_xs\n.*=q4_k\n";
        QCOMPARE(asTensorTypeFile(*recipe), std::optional(lines));
        const std::string list = "^blk\\.\\d+\\.attn_v\\.weight$=q6_k,output=iq4_xs,.*=q4_k";
        QCOMPARE(asCustomQ(*recipe), std::optional(list));
        const auto counted = parseRecipeFile("a{1,2} = Q4_K\n");
        QVERIFY(asTensorTypeFile(*counted) && !asCustomQ(*counted));
        QVERIFY(!asTensorTypeFile(*parseRecipeFile("a(?=b) = Q4_K\n")));
    }

    void rereads_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("written");
        QTest::newRow("joined files") << QByteArray("\xEF\xBB\xBF\xEF\xBB\xBF"
                                                    "a = F32\n\xEF\xBB\xBF # b\n \xEF\xBB\xBF* = F16\n")
                                      << QByteArray("a = F32\n* = F16\n");
        QTest::newRow("carriage return in the header")
            << QByteArray("# model: two\rlines\r\n") << QByteArray("# model: two lines\n");
    }
    void rereads() {
        QFETCH(QByteArray, text);
        const auto recipe = parseRecipeFile(text.toStdString());
        QVERIFY(recipe);
        QTEST(QByteArray::fromStdString(recipeFileText(*recipe)), "written");
        QCOMPARE(recipeFileText(*parseRecipeFile(recipeFileText(*recipe))), recipeFileText(*recipe));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        const auto row = [](const char* name, const char* text, const char* error, int line, int column) {
            QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(error) << line << column;
        };
        row("no equals", "a = Q4_0\n  attn_v\n", "bad_syntax expected", 2, 3);
        row("no pattern", "= Q4_0", "bad_syntax expected", 1, 1);
        row("no type", "a =", "bad_syntax expected", 1, 1);
        row("unknown type", "\na = Q9_Z", "bad_syntax not_writable_type", 2, 5);
        row("type that is only read", "a = NVFP4", "bad_syntax not_writable_type", 1, 5);
        row("rest first", "* = Q4_0\na = Q4_0", "bad_syntax recipe_rest_not_last", 2, 1);
        row("two rests", "* = Q4_0\n* = Q4_0", "bad_syntax recipe_rest_not_last", 2, 1);
        row("not UTF-8", "a = Q4_0\n\xFF = Q4_0", "bad_syntax expected", 2, 1);
    }
    void refuses() {
        QFETCH(QByteArray, text);
        const auto recipe = parseRecipeFile(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        QVERIFY(!recipe);
        QTEST(QString::fromStdString(errorWithDetails(recipe.error())), "error");
        QTEST(std::stoi(recipe.error().args[1].text()), "line");
        QTEST(std::stoi(recipe.error().args[2].text()), "column");
    }
};

GUFO_TEST(TestRecipeFile)
#include "tst_recipe_file.moc"
