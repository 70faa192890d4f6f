#include "pre_tokenizer_regexes.h"
#include "support/test_unit.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "unicode_texts.h"

#include <QTest>

#include <algorithm>
#include <ctime>

using namespace gufo;
using namespace gufo::text;

namespace {

std::string repeated(std::string_view unit, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) {
        text += unit;
    }
    return text;
}

std::vector<std::string> split(const PreTokenizer& rule, std::string_view text) {
    std::vector<std::string> words;
    splitWords(rule.stages, text, [&](std::string_view word) {
        words.emplace_back(word);
        return true;
    });
    return words;
}

// Shows words with their code points, because many characters look alike.
QString shown(const std::vector<std::string>& words) {
    QString out;
    for (const std::string& word : words) {
        out += u'[';
        for (const uint code : QString::fromStdString(word).toUcs4()) {
            out += code > 0x20 && code < 0x7F ? QString(QChar(code)) : QStringLiteral("<%1>").arg(code, 0, 16);
        }
        out += u']';
    }
    return out;
}

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

class TestPreTokenizer : public QObject {
    Q_OBJECT

private slots:
    void everyRuleHasARegularExpression();
    void classesAreThoseOfUnicode();
    void splitsLikeItsRegularExpression_data();
    void splitsLikeItsRegularExpression();
    void splitsLongRuns_data();
    void splitsLongRuns();
    void knowsEveryName();
    void takesLinearTime_data();
    void takesLinearTime();
};

void TestPreTokenizer::everyRuleHasARegularExpression() {
    for (const PreTokenizer& rule : preTokenizers()) {
        const auto isOfRule = [&](const test::RuleRegexes& row) { return findPreTokenizer(row.pre) == &rule; };
        QVERIFY2(std::ranges::any_of(test::ruleRegexes(), isOfRule), rule.name.data());
    }
    for (const test::RuleRegexes& row : test::ruleRegexes()) {
        QVERIFY2(findPreTokenizer(row.pre) != nullptr, row.pre);
        QVERIFY(*row.source != 0);
        for (const QRegularExpression& regex : row.stages) {
            QVERIFY2(regex.isValid(), qPrintable(regex.errorString()));
        }
    }
}

void TestPreTokenizer::classesAreThoseOfUnicode() {
    int known = 0;
    for (const char32_t code : test::charactersInDispute()) {
        // PCRE2 still counts the Mongolian vowel separator as white space; Unicode has not done so since version 6.3.
        if (code == 0x180E) {
            ++known;
            continue;
        }
        // Any other difference must come from different Unicode versions: one of the two does not know the character.
        static const QRegularExpression unassigned(QStringLiteral(R"(\p{Cn})"),
                                                   QRegularExpression::UseUnicodePropertiesOption);
        const bool isNew = QChar::category(code) == QChar::Other_NotAssigned ||
                           unassigned.match(QString::fromUcs4(&code, 1)).hasMatch();
        QVERIFY2(isNew, qPrintable(QString::number(code, 16)));
    }
    QVERIFY(known <= 1);
}

void TestPreTokenizer::splitsLikeItsRegularExpression_data() {
    QTest::addColumn<const test::RuleRegexes*>("regexes");
    for (const test::RuleRegexes& regexes : test::ruleRegexes()) {
        QTest::newRow(regexes.pre) << &regexes;
    }
}

// GUFO_PRE_TOKENIZER_TEXTS sets the number of texts that each rule is compared on.
void TestPreTokenizer::splitsLikeItsRegularExpression() {
    QFETCH(const test::RuleRegexes*, regexes);
    const PreTokenizer* rule = findPreTokenizer(regexes->pre);
    QVERIFY(rule);
    bool isSet = false;
    const int wanted = qEnvironmentVariableIntValue("GUFO_PRE_TOKENIZER_TEXTS", &isSet);
    test::RandomTexts texts(3);
    for (int i = 0; i < (isSet ? wanted : 10'000); ++i) {
        const QString text = texts.next();
        const std::vector<std::string> found = split(*rule, text.toStdString());
        const std::vector<std::string> expected = test::splitByRegexes(regexes->stages, text);
        if (found != expected) {
            QFAIL(qPrintable(QStringLiteral("text %1: %2\n scanner: %3\n regex:   %4")
                                 .arg(i)
                                 .arg(shown({text.toStdString()}), shown(found), shown(expected))));
        }
    }
}

void TestPreTokenizer::splitsLongRuns_data() {
    QTest::addColumn<QString>("pre");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("lengths");
    const auto row = [](const char* pre, const char* name, const QString& text, const QList<int>& lengths) {
        QTest::newRow(qPrintable(QString::fromLatin1("%1: %2").arg(QLatin1String(pre), QLatin1String(name))))
            << pre << text << lengths;
    };
    const auto digits = [](int count) { return QString(count, u'7'); };
    row("jais-2", "spaces at the end", QString(1023, u' '), {512, 256, 128, 64, 32, 16, 8, 4, 2, 1});
    row("jais-2", "spaces before a word", QString(516, u' ') + u'x', {512, 2, 1, 2});
    row("jais-2", "spaces before a digit", QString(4, u' ') + u'1', {2, 1, 1, 1});
    row("afmoe", "digits", digits(8), {2, 3, 3});
    row("tiny_aya", "digits", digits(7), {1, 3, 3});
    row("tiny_aya", "digits before a letter", digits(7) + u'x', {3, 3, 1, 1});
    row("tiny_aya", "digits before a superscript", digits(4) + QChar(0xB2), {1, 3, 2});
    row("superbpe", "digits", u'a' + digits(5) + u'b', {1, 2, 3, 1});
    row("gpt-4o", "digits", digits(5), {3, 2});
    row("exaone-moe", "words", QStringLiteral("ab cd  ef"), {5, 1, 3});
    row("gemma4", "lines", QStringLiteral("a b\n\nc"), {3, 2, 1});
}

void TestPreTokenizer::splitsLongRuns() {
    QFETCH(QString, pre);
    QFETCH(QString, text);
    QFETCH(QList<int>, lengths);
    QList<int> found;
    for (const std::string& word : split(*findPreTokenizer(pre.toStdString()), text.toStdString())) {
        found << static_cast<int>(word.size());
    }
    QCOMPARE(found, lengths);
}

void TestPreTokenizer::knowsEveryName() {
    QCOMPARE(preTokenizerNames().size(), std::size_t{87});
    for (const std::string_view name : preTokenizerNames()) {
        QVERIFY(findPreTokenizer(name) != nullptr);
    }
    QCOMPARE(findPreTokenizer("no such rule"), nullptr);
    QCOMPARE(defaultPreTokenizer().name, std::string_view("default"));
}

void TestPreTokenizer::takesLinearTime_data() {
    QTest::addColumn<QString>("name");
    for (const PreTokenizer& rule : preTokenizers()) {
        QTest::newRow(rule.name.data()) << QString::fromLatin1(rule.name);
    }
}

void TestPreTokenizer::takesLinearTime() {
    QFETCH(QString, name);
    const auto rule = std::ranges::find(preTokenizers(), name.toStdString(), &PreTokenizer::name);
    QVERIFY(rule != preTokenizers().end());
    std::size_t words = 0;
    const auto seconds = [&](const std::string& text) {
        const double start = threadSeconds();
        splitWords(rule->stages, text, [&](std::string_view) { return ++words > 0; });
        return threadSeconds() - start;
    };
    for (const char* unit :
         {"a",        "A",           " ",     "       1", "   A",         "<",        "7", "\n", " \n",          "ក",
          "\xCC\x81", "A\xCC\x81",   "猫",    "\xE2",     "aA a< a\nកA ", "\xC2\xA0", "'", "/",  "\xE2\x80\x8D", "(",
          "a ",       "<sentinel:1", "IMGIMG"}) {
        // A long run followed by something else makes careless scanners look ahead again and again.
        for (const char* tail : {"", "1", "x", "\n", "."}) {
            double ratio = 0;
            for (int attempt = 0; attempt < 4; ++attempt) {
                const double small = seconds(repeated(unit, 10'000) + tail);
                const double large = seconds(repeated(unit, 100'000) + tail);
                // For ten times the text, 100 would be quadratic. Another process may disturb one measurement, but not
                // four.
                ratio = large / std::max(small, 0.0001);
                if (ratio < 30) {
                    break;
                }
            }
            QVERIFY2(ratio < 30, unit);
        }
    }
    QVERIFY(words > 0);
}

GUFO_TEST(TestPreTokenizer)
#include "tst_pre_tokenizer.moc"
