// The recognition of pre-tokenizer rules.
#include "../text/pre_tokenizer_regexes.h"
#include "convert/vocabulary/pre_tokenizer_rule.h"
#include "support/test_unit.h"
#include "tokenizer_folder.h"

using namespace gufo;
using namespace gufo::test;

namespace {

PreTokenizerNode nodeOf(const QStringList& patterns) {
    PreTokenizerNode node;
    for (const QString& pattern : patterns) {
        node.steps.push_back({pattern.toStdString()});
    }
    return node;
}

PreTokenizerNode nodeOf(const char* json) { return readPreTokenizer(*readJson(json)); }

QStringList wordsOf(const PreTokenizerNode& node, const char* text) {
    QStringList words;
    for (const std::string& word : splitByNode(node, text).value_or(std::vector<std::string>{"not split"})) {
        words << QString::fromStdString(word);
    }
    return words;
}

} // namespace

class TestPreTokenizerRule : public QObject {
    Q_OBJECT

private slots:
    void everyRuleIsRecognised();
    void unknownPreTokenizer();
    void classesInClasses();
    void behaviours();
};

// Every rule is found by the regular expressions of its reference, and splits the check text as they do.
void TestPreTokenizerRule::everyRuleIsRecognised() {
    QVERIFY(ruleRegexes().size() >= 25);
    for (const RuleRegexes& rule : ruleRegexes()) {
        const text::PreTokenizer* wanted = text::findPreTokenizer(rule.pre);
        if (wanted->writing != text::Writing::ByteAlphabet) {
            continue;
        }
        QStringList patterns;
        std::ranges::transform(rule.stages, std::back_inserter(patterns), &QRegularExpression::pattern);
        const RecognisedRule found = recognisePreTokenizer(nodeOf(patterns), wanted->ignoreMerges, {});
        const text::PreTokenizer* named = text::findPreTokenizer(found.name);
        QVERIFY2(named != nullptr, found.name.c_str());
        QVERIFY2(found.check && found.check->passed(), rule.pre);
        QVERIFY2(std::ranges::equal(named->stages, wanted->stages), (found.name + " for " + rule.pre).c_str());
        QCOMPARE(named->ignoreMerges, wanted->ignoreMerges);
    }
}

void TestPreTokenizerRule::unknownPreTokenizer() {
    // Like GPT-2's rule, but words have three letters at most.
    const auto near = recognisePreTokenizer(
        nodeOf({QStringLiteral(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}{1,9}| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")}),
        false, {});
    QCOMPARE(near.name, std::string("gpt-2"));
    QVERIFY(!near.known && near.check && !near.check->passed());
    QVERIFY(near.check->same * 10 > near.check->words * 8);

    const TokenizerFolder folder;
    const auto plan = [&](const QByteArray& pattern) {
        folder.write("tokenizer.json", R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": ")" +
                                           pattern + R"("}, "behavior": "Isolated", "invert": false},
            {"type": "ByteLevel", "use_regex": false}]}, "model": {"type": "BPE", "vocab": {"a": 0}}})");
        return folder.plan();
    };
    QVERIFY(hasFinding(*plan("[aeiou]"), "pre_tokenizer_nearest"));
    QVERIFY(hasFinding(*plan("(unclosed"), "pre_tokenizer_unverified"));
    // A pattern that would take exponential time is given up.
    QVERIFY(hasFinding(*plan(R"((\\w+\\s?)+\\p{Cs})"), "pre_tokenizer_unverified"));
    QCOMPARE(textsOf(*plan("[aeiou]"), "tokenizer.ggml.tokens"), QStringLiteral("a"));
}

// BLOOM's own pattern has a class within a class.
void TestPreTokenizerRule::classesInClasses() {
    const auto node = nodeOf({QString::fromUtf8(R"( ?[^(\s|[.,!?…。，、।۔،])]+)")});
    const RecognisedRule found = recognisePreTokenizer(node, false, "bloom");
    QCOMPARE(found.name, std::string("bloom"));
    QVERIFY(found.check && found.check->passed());
}

void TestPreTokenizerRule::behaviours() {
    const auto split = [](const char* behavior, const char* rest = "") {
        return nodeOf((std::string(R"({"type": "Split", "pattern": {"String": "-"}, "behavior": ")") + behavior + "\"" +
                       rest + "}")
                          .c_str());
    };
    QCOMPARE(wordsOf(split("Isolated"), "a--b"), QStringList({"a", "-", "-", "b"}));
    QCOMPARE(wordsOf(split("Removed"), "a--b"), QStringList({"a", "b"}));
    QCOMPARE(wordsOf(split("Contiguous"), "a--b"), QStringList({"a", "--", "b"}));
    QCOMPARE(wordsOf(split("MergedWithPrevious"), "a--b"), QStringList({"a-", "-", "b"}));
    QCOMPARE(wordsOf(split("MergedWithNext"), "a--b"), QStringList({"a", "-", "-b"}));
    QCOMPARE(wordsOf(split("Removed", R"(, "invert": true)"), "a--b"), QStringList({"-", "-"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "Whitespace"})"), "a, b"), QStringList({"a", ",", "b"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "WhitespaceSplit"})"), "a,  b"), QStringList({"a,", "b"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "Digits", "individual_digits": false})"), "a12"), QStringList({"a", "12"}));
    QCOMPARE(wordsOf(nodeOf(R"({"type": "Metaspace"})"), "a"), QStringList({"not split"}));
    QByteArray many = R"({"type": "Sequence", "pretokenizers": [{"type": "Digits"})";
    for (int i = 0; i < 100; ++i) {
        many += R"(, {"type": "Digits"})";
    }
    QCOMPARE(wordsOf(nodeOf((many + "]}").constData()), "a"), QStringList({"not split"}));
    QCOMPARE(wordsOf(nodeOf({QStringLiteral(R"([\p{L}&&[^\p{Han}]]+)")}), "ab\u4e2dc"),
             QStringList({"ab", QString::fromUtf8("\u4e2d"), "c"}));
    QCOMPARE(wordsOf(nodeOf({QStringLiteral("(?=b)")}), "ab\U0001F600b"),
             QStringList({"a", QString::fromUtf8("b\U0001F600"), "b"}));
}

GUFO_TEST_APPLESS(TestPreTokenizerRule)
#include "tst_pre_tokenizer_rule.moc"
