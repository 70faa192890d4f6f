// Checks that the JSON reader accepts everything that RFC 8259 allows and nothing else.
#include "base/detail.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;

namespace {

using Token = JsonReader::Token;

// A short form of the tokens: {"a":[1,"x",true,null]} gives "{ a= [ #1 'x' t n ] }"; an error appends "!" and
// line:column.
std::string tokensOf(std::string_view text, JsonDialect dialect = JsonDialect::Strict) {
    JsonReader json(text, dialect);
    std::string out;
    while (true) {
        const auto token = json.next();
        if (!token) {
            const Error& error = token.error();
            return out + (error.code == ErrorCode::BadSyntax ? "!" + error.args[1].text() + ":" + error.args[2].text()
                                                             : "!deep");
        }
        switch (*token) {
        case Token::ObjectStart:
            out += "{ ";
            break;
        case Token::ObjectEnd:
            out += "} ";
            break;
        case Token::ArrayStart:
            out += "[ ";
            break;
        case Token::ArrayEnd:
            out += "] ";
            break;
        case Token::Key:
            out += json.text() + "= ";
            break;
        case Token::String:
            out += "'" + json.text() + "' ";
            break;
        case Token::Number:
            out += "#" + json.text() + " ";
            break;
        case Token::True:
            out += "t ";
            break;
        case Token::False:
            out += "f ";
            break;
        case Token::Null:
            out += "n ";
            break;
        case Token::End:
            return out;
        }
    }
}

} // namespace

class TestJsonReader : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void pythonsDialect_data();
    void pythonsDialect();
    void stringsOfEveryLength();
    void textInTheSource();
    void limitsDepth();
    void skips();
    void goesBack();
    void readsWhatIsWritten();
    void reportsTheSinksError();
};

void TestJsonReader::reads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("tokens");
    const auto row = [](const char* name, QByteArray text, const char* tokens) {
        QTest::newRow(name) << text << QByteArray(tokens);
    };
    row("object", R"({"a": [1, "x", true, false, null], "b": {}})", "{ a= [ #1 'x' t f n ] b= { } } ");
    row("scalar", " 5 ", "#5 ");
    row("empty list", "[ ]", "[ ] ");
    row("byte order mark", "\xEF\xBB\xBF[]", "[ ] ");
    row("numbers", "[0, -0, 1.5, -2e10, 1E+3, 18446744073709551615, 1e-400]",
        "[ #0 #-0 #1.5 #-2e10 #1E+3 #18446744073709551615 #1e-400 ] ");
    row("escapes", R"(["\"\\\/\b\f\n\r\t", "\u00e9\u20AC", "\ud83e\udd89"])", "[ '\"\\/\b\f\n\r\t' 'é€' '🦉' ] ");
    row("nothing", "", "!1:1");
    row("only space", " \n ", "!2:2");
    row("comma at the end", "[1, ]", "[ #1 !1:5");
    row("comma in front", "[, 1]", "[ !1:2");
    row("no comma", "[1 2]", "[ #1 !1:4");
    row("two values", "1 2", "#1 !1:3");
    row("name without quotes", "{a: 1}", "{ !1:2");
    row("no colon", "{\"a\" 1}", "{ !1:6");
    row("comma in an object", "{\"a\": 1,}", "{ a= #1 !1:9");
    row("wrong bracket", "[1}", "[ #1 !1:3");
    row("open list", "[1", "[ #1 !1:3");
    row("leading zero", "01", "!1:1");
    row("plus", "+1", "!1:1");
    row("bare point", "1.", "!1:1");
    row("bare exponent", "1e", "!1:1");
    row("word", "nul", "!1:1");
    row("capital", "True", "!1:1");
    row("open text", "\"abc", "!1:2");
    row("line in a text", "\"a\nb\"", "!1:3");
    row("bad escape", R"("\x")", "!1:2");
    row("short escape", R"("\u12")", "!1:2");
    row("half a pair", R"("\ud83e")", "!1:2");
    row("half a pair and text", R"("\ud83eab")", "!1:2");
    row("second half alone", R"("\udd89")", "!1:2");
    row("backslash at the end", "\"\\", "!1:2");
    row("no UTF-8", "\"\xFF\"", "!1:1");
    row("zero byte", QByteArray("[\0]", 3), "[ !1:2");
    row("place", "{\n  \"a\": 1,\n  \"b\": x\n}", "{ a= #1 b= !3:8");
}

void TestJsonReader::reads() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tokens);
    QCOMPARE(QByteArray::fromStdString(tokensOf({text.data(), static_cast<std::size_t>(text.size())})), tokens);
}

// What Python's json module writes and RFC 8259 does not have. Every row is refused by the strict reader.
void TestJsonReader::pythonsDialect_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("tokens");
    const auto row = [](const char* name, QByteArray text, const char* tokens) {
        QTest::newRow(name) << text << QByteArray(tokens);
    };
    row("numbers", "[NaN, Infinity, -Infinity, -1]", "[ #NaN #Infinity #-Infinity #-1 ] ");
    row("a number alone", "-Infinity", "#-Infinity ");
    row("a number before a brace", R"({"a":NaN})", "{ a= #NaN } ");
    row("part of a name", "[Inf]", "[ !1:2");
    row("another spelling", "[nan]", "[ !1:2");
    row("more than a name", "[NaNs]", "[ #NaN !1:5");
    row("a plus", "[+Infinity]", "[ !1:2");
    row("first half alone", R"("a\ud83eb")", "'a\uFFFDb' ");
    row("second half alone", R"("\udd89")", "'\uFFFD' ");
    row("halves in the wrong order", R"("\udd89\ud83e")", "'\uFFFD\uFFFD' ");
    row("first half before a letter", R"("\ud83e\u0041")", "'\uFFFDA' ");
    row("first half before another escape", R"("\ud83e\n")", "'\uFFFD\n' ");
    row("two first halves and a second", R"("\ud83e\ud83e\udd89")", "'\uFFFD🦉' ");
    row("first half before a short escape", R"("\ud83e\u12")", "!1:8");
    row("in a name", R"({"\ud83e": 1})", "{ \uFFFD= #1 } ");
    row("other mistakes", "[1,]", "[ #1 !1:4");
}

void TestJsonReader::pythonsDialect() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tokens);
    QCOMPARE(QByteArray::fromStdString(tokensOf(text.toStdString(), JsonDialect::Python)), tokens);
    QVERIFY(tokensOf(text.toStdString()).find('!') != std::string::npos);
}

// Strings are scanned eight bytes at a time, so every position of what ends a run of plain characters is tried.
void TestJsonReader::stringsOfEveryLength() {
    for (std::size_t before = 0; before < 20; ++before) {
        for (std::size_t after = 0; after < 20; ++after) {
            const std::string start(before, '~');
            const std::string end(after, '\x7f');
            const auto quoted = [&](std::string_view middle) { return '"' + start + std::string(middle) + end + '"'; };
            QCOMPARE(tokensOf(quoted("")), "'" + start + end + "' ");
            QCOMPARE(tokensOf(quoted("\\\"")), "'" + start + '"' + end + "' ");
            QCOMPARE(tokensOf(quoted("\\\\")), "'" + start + '\\' + end + "' ");
            QCOMPARE(tokensOf(quoted("é")), "'" + start + "é" + end + "' ");
            QCOMPARE(tokensOf(quoted("\xA2")), "!1:1");                             // no UTF-8
            QCOMPARE(tokensOf(quoted("\x1f")), "!1:" + std::to_string(before + 2)); // a control character
            QCOMPARE(tokensOf('"' + start + end), "!1:2");                          // no end
            QCOMPARE(tokensOf('"' + start + "\"x" + end), "'" + start + "' !1:" + std::to_string(before + 3));
        }
    }
}

void TestJsonReader::textInTheSource() {
    JsonReader json(R"(["plain", "wri\u0074ten", 12, "\\"])");
    QVERIFY(json.expect(Token::ArrayStart, Detail::List));
    QVERIFY(json.expect(Token::String, Detail::Content));
    QCOMPARE(json.textInSource(), "plain");
    QVERIFY(json.expect(Token::String, Detail::Content));
    QCOMPARE(json.text(), "written");
    QCOMPARE(json.textInSource(), std::nullopt);
    QCOMPARE(json.tokenBegin(), 10U);
    QCOMPARE(json.tokenEnd(), 24U);
    QVERIFY(json.expect(Token::Number, Detail::Content));
    QCOMPARE(json.textInSource(), "12");
    QVERIFY(json.expect(Token::String, Detail::Content));
    QCOMPARE(json.text(), "\\");
    QCOMPARE(json.textInSource(), std::nullopt);
}

void TestJsonReader::limitsDepth() {
    const std::string fits(JsonReader::kMaxDepth, '[');
    QVERIFY(!QByteArray::fromStdString(tokensOf(fits)).contains("deep"));
    QVERIFY(QByteArray::fromStdString(tokensOf(fits + "[")).endsWith("!deep"));
    QVERIFY(QByteArray::fromStdString(tokensOf(std::string(10'000'000, '['))).endsWith("!deep"));
}

void TestJsonReader::skips() {
    JsonReader json(R"({"a": [1, {"x": [[]]}], "b": 2})");
    QVERIFY(json.expect(Token::ObjectStart, Detail::Content));
    QVERIFY(json.expect(Token::Key, Detail::QuotedName));
    QVERIFY(json.skipValue());
    QVERIFY(json.expect(Token::Key, Detail::QuotedName));
    QCOMPARE(json.text(), std::string("b"));
    QVERIFY(json.skipValue());
    QVERIFY(json.expect(Token::ObjectEnd, Detail::EndOfText));
    QVERIFY(json.expect(Token::End, Detail::EndOfText));
    JsonReader open("[[1, 2");
    QVERIFY(!open.skipValue());
}

void TestJsonReader::goesBack() {
    JsonReader json("[1, [2, 3], 4]");
    QVERIFY(json.expect(Token::ArrayStart, Detail::List));
    QVERIFY(json.expect(Token::Number, Detail::Number));
    JsonReader place = json;
    QVERIFY(json.skipValue());
    QVERIFY(json.expect(Token::Number, Detail::Number));
    QCOMPARE(json.text(), std::string("4"));
    QVERIFY(place.expect(Token::ArrayStart, Detail::List));
    QVERIFY(place.expect(Token::Number, Detail::Number));
    QCOMPARE(place.text(), std::string("2"));
}

void TestJsonReader::readsWhatIsWritten() {
    std::string all;
    for (int c = 0; c < 128; ++c) {
        all += static_cast<char>(c);
    }
    all += "é€🦉";
    std::string written;
    JsonText json([&](Bytes bytes) -> Result<> {
        written.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    json.raw("[");
    json.text(all);
    json.raw(", ");
    json.text("\xC3");
    json.raw("]");
    QVERIFY(json.finish());
    JsonReader reader(written);
    QVERIFY(reader.expect(Token::ArrayStart, Detail::List));
    QVERIFY(reader.expect(Token::String, Detail::String));
    QCOMPARE(reader.text(), all);
    QVERIFY(written.ends_with(R"({"hex": "c3"}])"));
}

void TestJsonReader::reportsTheSinksError() {
    int calls = 0;
    JsonText json([&](Bytes) -> Result<> {
        ++calls;
        return fail(ErrorCode::WriteFailed);
    });
    const std::string large(100'000, 'x');
    json.raw(large);
    QVERIFY(json.failed());
    json.raw(large);
    const auto result = json.finish();
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::WriteFailed);
    QCOMPARE(calls, 1);
}

GUFO_TEST(TestJsonReader)
#include "tst_json_reader.moc"
