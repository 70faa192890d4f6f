// Grammars: the notation, matching, masks of a vocabulary compared with trying every token, and hostile grammars.
#include "base/detail.h"
#include "base/error.h"
#include "core/text/tokenizer_helpers.h"
#include "formats/gguf/read/reader.h"
#include "inference/grammar/grammar_constraint.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

using namespace gufo;
using namespace gufo::inference;

namespace {

// Not a raw string, because moc cannot parse its quotation marks.
QString json() {
    QFile file(QStringLiteral(GUFO_TEST_DATA "/grammar/json.gbnf"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::shared_ptr<const Grammar> parsed(const std::string& text) {
    auto grammar = Grammar::parse(text);
    if (!grammar) {
        qWarning("%s at %s:%s", grammar.error().args[0].text().c_str(), grammar.error().args[1].text().c_str(),
                 grammar.error().args[2].text().c_str());
    }
    return std::move(grammar).value();
}

bool matches(const std::shared_ptr<const Grammar>& grammar, std::string_view text) {
    GrammarMatcher matcher(grammar, std::vector<std::uint32_t>(grammar->tokens.size()));
    const auto state = matcher.step(matcher.start(), text);
    return state != GrammarMatcher::kDead && matcher.accepts(state) && !matcher.failure();
}

bool begins(const std::shared_ptr<const Grammar>& grammar, std::string_view text) {
    GrammarMatcher matcher(grammar);
    return matcher.step(matcher.start(), text) != GrammarMatcher::kDead;
}

QString list(const TokenMask mask, std::size_t size) {
    QStringList ids;
    for (std::size_t i = 0; i < size; ++i) {
        if (contains(mask, TokenId(i))) {
            ids.append(QString::number(i));
        }
    }
    return ids.join(' ');
}

} // namespace

class TestGrammar : public QObject {
    Q_OBJECT

private slots:
    void matchesWhole_data() {
        QTest::addColumn<QString>("grammar");
        QTest::addColumn<QStringList>("matching");
        QTest::addColumn<QStringList>("others");
        const auto row = [](const char* name, const char* grammar, QStringList matching, QStringList others) {
            QTest::newRow(name) << QString::fromUtf8(grammar) << matching << others;
        };
        row("literal", "root ::= \"a\\tb\\\"\\\\\\x41\\u00e9\\U0001F989\"", {"a\tb\"\\Aé🦉"}, {"", "a\tb"});
        row("empty", R"(root ::= "")", {""}, {"a"});
        row("an empty alternative", "root ::= | \"a\"", {"", "a"}, {"aa"});
        row("class", "root ::= [a-cx\\]\\-é-ü]", {"a", "b", "x", "]", "-", "é", "ö"}, {"d", "ý", "", "ab", "y"});
        row("a hyphen at the end", "root ::= [a-]", {"a", "-"}, {"b"});
        row("negated class", "root ::= [^a-zé]", {"A", "è", "ê", "猫", "🦉", "\n"}, {"a", "z", "é"});
        row("any", "root ::= .", {"a", "é", "猫", "🦉", "\n"}, {"", "ab"});
        row("ranges across lengths", "root ::= [\\x7e-\\U00010001]",
            {"~", "\u0080", "\u07ff", "\u0800", "\uffff", QString::fromUcs4(U"\U00010000"),
             QString::fromUcs4(U"\U00010001")},
            {"}", QString::fromUcs4(U"\U00010002"), QString::fromUcs4(U"\U0010FFFF")});
        row("star", "root ::= \"ab\"*", {"", "ab", "abab"}, {"a", "aba"});
        row("plus", "root ::= [ab]+", {"a", "bab"}, {"", "c"});
        row("question mark", "root ::= \"a\"? \"b\"", {"b", "ab"}, {"a", "aab"});
        row("exactly", "root ::= \"a\"{3}", {"aaa"}, {"aa", "aaaa"});
        row("at least", "root ::= \"a\"{2,}", {"aa", "aaaaa"}, {"a"});
        row("between", "root ::= (\"a\" | \"b\"){ 1 , 3 }", {"a", "ba", "bab"}, {"", "aaaa"});
        row("none", "root ::= \"a\"{0} \"b\"", {"b"}, {"ab"});
        row("at most", "root ::= \"a\"{0,2}", {"", "a", "aa"}, {"aaa"});
        row("repeats of repeats", "root ::= (\"a\"{2}){3} \"b\"?+", {"aaaaaa", "aaaaaabb"}, {"aaaaa"});
        row("rules", "root ::= greeting \" \" name # what\nname ::= \"you\"\ngreeting ::= \"hi\" | \"hey\"",
            {"hi you", "hey you"}, {"hi", "you"});
        row("a rule over lines", "root ::=\n  \"a\" |\n \"b\"\n  | \"c\"\n\n# end\n", {"a", "b", "c"}, {"d"});
        row("lines in a group", "root ::= (\n \"a\"\n \"b\" # both\n)\n", {"ab"}, {"a"});
        row("carriage returns", "root ::= a\r\na ::= \"x\"\r\n", {"x"}, {"y"});
        row("recursion", "root ::= \"(\" root \")\" | \"\"", {"", "()", "((()))"}, {"(", "(()"});
        row("right recursion", "root ::= \"a\" root | \"b\"", {"b", "aaaaab"}, {"aaa"});
        row("ambiguous", "root ::= a* \"!\"\na ::= \"x\" | \"x\" \"x\" | a2\na2 ::= \"x\"+", {"!", "xxxxx!"}, {"x"});
        row("palindromes", "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"c\"", {"c", "abacaba"},
            {"abac", "abacabb"});
        row("nullable at the front", "root ::= sp item\nsp ::= \" \"*\nitem ::= \"x\" sp | \"y\"", {"x ", "  y"},
            {"y "});
        QTest::newRow("json") << json()
                              << QStringList{"{}", "[1, 2.5e3,\n  \"é\\u00e9\"]", "{\"a\":{\"b\":[true,null]}}"}
                              << QStringList{"{", "[1,]", "{'a':1}", "01"};
    }
    void matchesWhole() {
        QFETCH(QString, grammar);
        QFETCH(QStringList, matching);
        QFETCH(QStringList, others);
        const auto compiled = parsed(grammar.toStdString());
        for (const QString& text : matching) {
            QVERIFY2(matches(compiled, text.toStdString()), qPrintable(text));
        }
        for (const QString& text : others) {
            QVERIFY2(!matches(compiled, text.toStdString()), qPrintable(text));
        }
    }

    void matchesNoHalfCharacters() {
        const auto grammar = parsed("root ::= [^a]*");
        QVERIFY(begins(grammar, "\xE2\x82"));
        QVERIFY(!matches(grammar, "\xE2\x82"));
        for (const char* bad : {"\x80", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90", "\xFF", "\xE2\x28"}) {
            QVERIFY(!begins(grammar, bad));
        }
    }

    void refuses_data() {
        QTest::addColumn<QString>("grammar");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* name, const char* grammar, const char* says, const char* place) {
            QTest::newRow(name) << QString::fromUtf8(grammar) << QString::fromUtf8(says) << QString::fromUtf8(place);
        };
        row("nothing", "", "no_root_rule root", "1:1");
        row("no root", "a ::= \"x\"", "no_root_rule root", "1:1");
        row("undefined", "root ::= \"a\"\n  b", "expected ::=", "2:4");
        row("undefined rule", "root ::= a b\na ::= \"x\"", "rule_undefined b", "1:12");
        row("twice", "root ::= \"a\"\nroot ::= \"b\"", "rule_defined_twice root", "2:1");
        row("left recursion", "root ::= a\na ::= a \"x\" | \"y\"", "left_recursion a", "2:1");
        row("left recursion over rules", "root ::= a\na ::= b\nb ::= \"\" c\nc ::= \"\"? a", "left_recursion a", "2:1");
        row("left recursion behind nothing", "root ::= e root \"x\"\ne ::= \"a\"*", "left_recursion root", "1:1");
        row("no sign", "root = \"a\"", "expected ::=", "1:6");
        row("no name", "::= \"a\"", "expected rule_name", "1:1");
        row("literal not ended", "root ::= \"abc\n", "expected literal_end", "1:14");
        row("class not ended", "root ::= [abc", "expected class_end", "1:14");
        row("empty class", "root ::= []", "expected non_empty_class", "1:10");
        row("downwards", "root ::= [z-a]", "expected ascending_range", "1:14");
        row("escape", "root ::= \"\\q\"", "expected escape_letter", "1:12");
        row("hex", "root ::= \"\\x4\"", "expected hex_digits 2", "1:14");
        row("surrogate", "root ::= \"\\ud800\"", "expected code_point_before", "1:17");
        row("too high", "root ::= \"\\U00110000\"", "expected code_point_before", "1:21");
        row("group not ended", "root ::= (\"a\" ", "expected item_or_group_end", "1:15");
        row("group not begun", "root ::= \"a\")", "unopened_parenthesis", "1:13");
        row("nothing to repeat", "root ::= * \"a\"", "expected item_before *", "1:10");
        row("counts not ended", "root ::= \"a\"{2", "expected }", "1:15");
        row("counts without numbers", "root ::= \"a\"{,2}", "expected repetition_count", "1:14");
        row("counts downwards", "root ::= \"a\"{3,2}", "expected ascending_counts", "1:17");
        row("too many", "root ::= \"a\"{99999999999999}", "expected repetitions_at_most 65536", "1:14");
        row("a strange character", "root ::= \"a\" $", "expected item_or_line_end", "1:14");
        row("token not ended", "root ::= <think", "expected token_text_end", "1:10");
        row("token id", "root ::= <[x]>", "expected token_id", "1:10");
        row("negated nothing", "root ::= ! \"a\"", "expected token_reference", "1:11");
    }
    void refuses() {
        QFETCH(QString, grammar);
        QFETCH(QString, says);
        QFETCH(QString, place);
        const auto result = Grammar::parse(grammar.toStdString());
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::BadSyntax);
        const auto& args = result.error().args;
        QCOMPARE(QString::fromStdString(args[0].text()), says);
        QCOMPARE(QString::fromStdString(args[1].text() + ":" + args[2].text()), place);
    }

    void refusesBytesThatAreNoText() {
        QCOMPARE(Grammar::parse("root ::= \"\xFF\"").error().code, ErrorCode::BadSyntax);
        QCOMPARE(Grammar::parse(std::string_view("root ::= \"a\"\0", 13)).error().code, ErrorCode::BadSyntax);
    }

    // Compares the mask with trying every single token, along a random walk.
    void masksAgreeWithTrying_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("grammar");
        for (const char* kind : {"gpt2", "llama", "rwkv"}) {
            for (const auto& [name, grammar] :
                 {std::pair("json", json()), std::pair("letters", QString("root ::= [a-h]+ \" \" .*")),
                  std::pair("not ascii", QString("root ::= [^\\x00-\\x7f]{1,40}")),
                  std::pair("choice", QString("root ::= (\"hello\" | \"hell\" | \"aaaa\" | \" \"){3}"))}) {
                QTest::addRow("%s %s", kind, name) << kind << grammar;
            }
        }
    }
    void masksAgreeWithTrying() {
        QFETCH(QString, kind);
        QFETCH(QString, grammar);
        const auto tokenizer = test::made(kind);
        const auto trie = std::make_shared<const TokenTrie>(*tokenizer);
        const std::size_t size = tokenizer->vocabulary().size();
        const auto compiled = parsed(grammar.toStdString());
        std::mt19937 random(3);
        for (int walk = 0; walk < 8; ++walk) {
            auto constraint = GrammarConstraint::make(compiled, trie, *tokenizer).value();
            GrammarMatcher reference(compiled);
            auto state = reference.start();
            for (int length = 0; length < 60; ++length) {
                reference.beginWork();
                const TokenMask mask = constraint->mask();
                std::vector<TokenId> allowed;
                for (std::size_t i = 0; i < size; ++i) {
                    const TokenId id(i);
                    const TokenType type = tokenizer->vocabulary().type(id);
                    const bool isText = type != TokenType::Control && type != TokenType::Unknown;
                    const std::string text = isText ? tokenizer->bytesOf(id) : std::string();
                    const bool expected = !text.empty() && reference.step(state, text) != GrammarMatcher::kDead;
                    QCOMPARE(contains(mask, id), expected);
                    QCOMPARE(constraint->allows(id), expected);
                    if (expected) {
                        allowed.push_back(id);
                    }
                }
                QCOMPARE(constraint->mayEnd(), reference.accepts(state));
                if (allowed.empty()) {
                    QVERIFY(constraint->mayEnd());
                    break;
                }
                const TokenId token = allowed[random() % allowed.size()];
                constraint->accept(token);
                state = reference.step(state, tokenizer->bytesOf(token));
            }
            QVERIFY(!constraint->failure());
        }
    }

    void namesTokens() {
        auto maker = test::makeGpt2();
        const std::uint32_t call = maker.add("<call>", test::kControl);
        const std::uint32_t end = maker.add("<end>", test::kControl);
        const auto tokenizer = text::makeTokenizer(*gguf::read(maker.file().source()).value()).value();
        const auto trie = std::make_shared<const TokenTrie>(*tokenizer);
        const auto made = [&](const std::string& grammar) {
            return GrammarConstraint::make(parsed(grammar), trie, *tokenizer);
        };
        const std::string byId = "root ::= \"a\" <call> !<[" + std::to_string(end) + "]>* <end>";
        auto constraint = made(byId).value();
        const auto a = TokenId(std::size_t{'a'});
        QVERIFY(!constraint->allows(TokenId(std::size_t{call})));
        constraint->accept(a);
        QCOMPARE(list(constraint->mask(), trie->vocabulary()), QString::number(call));
        constraint->accept(TokenId(std::size_t{call}));
        QVERIFY(constraint->allows(a));
        QVERIFY(constraint->allows(TokenId(std::size_t{call})));
        QVERIFY(constraint->allows(TokenId(std::size_t{end})));
        constraint->accept(a);
        constraint->accept(TokenId(std::size_t{end}));
        QVERIFY(constraint->mayEnd());
        QCOMPARE(list(constraint->mask(), trie->vocabulary()), QString());

        const auto missing = made("root ::= \"a\"\n\n  | <no>");
        QVERIFY(!missing);
        QCOMPARE(missing.error().args,
                 (Arguments{Argument(Detail::TokenNotInVocabulary, {std::string("<no>")}), 3, 5}));
        QVERIFY(!made("root ::= <[99999]>"));
    }

    void nothingFollowsWhatWasNotAllowed() {
        const auto tokenizer = test::made("gpt2");
        auto constraint = GrammarConstraint::make(parsed("root ::= \"ab\""),
                                                  std::make_shared<const TokenTrie>(*tokenizer), *tokenizer)
                              .value();
        constraint->accept(TokenId(std::size_t{'z'}));
        QVERIFY(!constraint->mayEnd());
        QCOMPARE(list(constraint->mask(), tokenizer->vocabulary().size()), QString());
    }

    // Grammars that aim to waste time or memory must soon give an error or an answer.
    void bearsHostileGrammars_data() {
        QTest::addColumn<QString>("grammar");
        const auto row = [](const char* name, const QString& grammar) { QTest::newRow(name) << grammar; };
        row("repeats of repeats", "root ::= ((((\"a\"{1000}){1000}){1000}){1000}){1000}");
        row("optional repeats", "root ::= (((\"a\"?){1000}){1000}){1000}");
        row("optional repeats, unlimited", "root ::= (((\"a\"*){0,60000}){0,60000})*");
        row("stars of stars", "root ::= ((((((((\"a\"*)*)*)*)*)*)*)*)*");
        row("pluses of pluses",
            "root ::= (((((((((((((((((((((((((\"a\"+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+");
        row("groups", "root ::= " + QString("(").repeated(100'000));
        row("groups, closed", "root ::= " + QString("(").repeated(200) + "\"a\"" + QString(")").repeated(200));
        row("operators", "root ::= \"a\"" + QString("*").repeated(100'000));
        row("two ways at each letter", "root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"a\" root root | \"a\"");
        row("all ways", "root ::= x x x x x x x x\nx ::= [a-z]* y [a-z]*\ny ::= [a-z]* z [a-z]* | z y z | \"a\"\nz ::= "
                        "[a-z] | [a-z] z | \"a\" y");
        row("a long choice", "root ::= (" + QString("\"aaaaaaaa\" | ").repeated(20'000) + "\"b\")*");
        QString chain = "root ::= a0\n";
        for (int i = 0; i < 3'000; ++i) {
            chain += QString("a%1 ::= a%2 | a%2 \"x\" | a%2 \"y\"\n").arg(i).arg(i + 1);
        }
        row("a chain of rules", chain + "a3000 ::= \"a\"");
        row("a million elements", "root ::= (" + QString("\"a\" ").repeated(2'000) + "){60000}");
        row("a long literal", "root ::= \"" + QString("a").repeated(2'000'000) + "\"");
    }
    void bearsHostileGrammars() {
        QFETCH(QString, grammar);
        QElapsedTimer clock;
        clock.start();
        const auto compiled = Grammar::parse(grammar.toStdString());
        if (!compiled) {
            QVERIFY(compiled.error().code == ErrorCode::LimitExceeded || compiled.error().code == ErrorCode::BadSyntax);
        } else {
            const auto tokenizer = test::made("gpt2");
            auto constraint =
                GrammarConstraint::make(*compiled, std::make_shared<const TokenTrie>(*tokenizer), *tokenizer).value();
            for (int i = 0; i < 300 && !constraint->failure() && clock.elapsed() < 30'000; ++i) {
                (void)constraint->mask();
                constraint->accept(TokenId(std::size_t{'a'}));
            }
        }
        QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
    }

    void deepNestingEnds() {
        const auto grammar = parsed("root ::= \"(\" root \")\" | \"x\"");
        GrammarMatcher matcher(grammar);
        auto state = matcher.start();
        std::uint32_t depth = 0;
        while (matcher.step(state, '(') != GrammarMatcher::kDead) {
            state = matcher.step(state, '(');
            ++depth;
        }
        QVERIFY(depth >= GrammarMatcher::kMaxDepth - 1 && depth <= GrammarMatcher::kMaxDepth + 1);
        QVERIFY(matches(grammar, std::string(depth, '(') + "x" + std::string(depth, ')')));
        QVERIFY(!matcher.failure());
    }

    // Discarding states when there are too many does not change the result.
    void forgetsStates() {
        const auto grammar = parsed("root ::= [a-z]{0,65536}");
        GrammarMatcher matcher(grammar);
        auto state = matcher.start();
        int trims = 0;
        for (int i = 0; i < 65'536; ++i) {
            matcher.beginWork();
            for (unsigned byte = 0; byte < 256; ++byte) {
                (void)matcher.step(state, static_cast<unsigned char>(byte));
            }
            state = matcher.step(state, 'k');
            QVERIFY(state != GrammarMatcher::kDead);
            trims += matcher.trim(state, 100'000) ? 1 : 0;
        }
        QVERIFY(matcher.accepts(state));
        QCOMPARE(matcher.step(state, 'k'), GrammarMatcher::kDead);
        QVERIFY(!matcher.failure());
        QVERIFY(trims > 10);
        QVERIFY(matcher.step(matcher.start(), "abc") != GrammarMatcher::kDead);
    }
};

GUFO_TEST(TestGrammar)
#include "tst_grammar.moc"
