#include "support/test_unit.h"
#include "text/tokenizer/pre_tokenizer.h"

#include <QRegularExpression>
#include <QTest>

#include <ctime>
#include <random>

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

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

class TestPreTokenizer : public QObject {
    Q_OBJECT

private slots:
    void splitsLikeItsRegularExpression_data();
    void splitsLikeItsRegularExpression();
    void everyPreTokenizerNameHasARule();
    void takesLinearTime_data();
    void takesLinearTime();
};

void TestPreTokenizer::splitsLikeItsRegularExpression_data() {
    QTest::addColumn<QString>("pre");
    QTest::addColumn<QStringList>("stages");
    const QString gpt2 =
        QStringLiteral(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
    const auto cl100k = [](const char* numbers) {
        return QStringLiteral(R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|%1)"
                              R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)")
            .arg(QString::fromLatin1(numbers));
    };
    const auto o200k = [](const char* numbers, const char* tail) {
        const QString upper = QStringLiteral(R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])");
        const QString lower = QStringLiteral(R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])");
        return QStringLiteral(R"([^\r\n\p{L}\p{N}]?%1*%2+%4|[^\r\n\p{L}\p{N}]?%1+%2*%4|%3| ?[^\s\p{L}\p{N}]+[\r\n/]*)"
                              R"(|\s*[\r\n]+|\s+(?!\S)|\s+)")
            .arg(upper, lower, QString::fromLatin1(numbers), QString::fromLatin1(tail));
    };
    const QString number = QStringLiteral(R"(\p{N})");
    const QString asian = QStringLiteral(R"([\x{800}-\x{9FA5}\x{AC00}-\x{D7FF}]+)");
    const QString lineBreak = QStringLiteral(R"([\r\n])");
    QTest::newRow("gpt-2") << "gpt-2" << QStringList{gpt2};
    QTest::newRow("llama-bpe") << "llama-bpe" << QStringList{cl100k(R"(\p{N}{1,3})")};
    QTest::newRow("qwen2") << "qwen2" << QStringList{cl100k(R"(\p{N})")};
    QTest::newRow("starcoder") << "starcoder" << QStringList{number, gpt2};
    QTest::newRow("falcon") << "falcon"
                            << QStringList{QStringLiteral(R"([\p{P}\$\+<=>\^~\|`]+)"), gpt2,
                                           QStringLiteral("[0-9][0-9][0-9]")};
    QTest::newRow("default") << "default"
                             << QStringList{QStringLiteral(R"([\p{P}\$\+<=>\^~\|]+)"), gpt2,
                                            QStringLiteral(R"(\p{N}+)"), QStringLiteral("[0-9][0-9][0-9]")};
    const QString bloom = QStringLiteral(R"( ?[^(\s|.,!?…。，、।۔،)]+)");
    QTest::newRow("bloom") << "bloom" << QStringList{bloom};
    QTest::newRow("viking") << "viking" << QStringList{bloom, number};
    QTest::newRow("deepseek-coder") << "deepseek-coder"
                                    << QStringList{lineBreak, QStringLiteral(R"(\s?\p{L}+)"),
                                                   QStringLiteral(R"(\s?\p{P}+)"), asian, number};
    // The letters are spelt by category here, which is the same for the characters of this test.
    QTest::newRow("deepseek-llm") << "deepseek-llm"
                                  << QStringList{lineBreak,
                                                 QStringLiteral(R"(\s?[\p{Lu}\p{Ll}\p{Lt}]+)"),
                                                 QStringLiteral(R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)"),
                                                 QStringLiteral(R"(\s+\z)"),
                                                 asian,
                                                 QStringLiteral(R"(\p{N}+)")};
    QTest::newRow("deepseek-v3") << "deepseek-v3"
                                 << QStringList{
                                        QStringLiteral(R"(\p{N}{1,3})"), QStringLiteral(R"([一-龥぀-ゟ゠-ヿ]+)"),
                                        QStringLiteral(R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+)"
                                                       R"(|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*)"
                                                       R"(|\s*[\r\n]+|\s+(?!\S)|\s+)")};
    QTest::newRow("tekken") << "tekken" << QStringList{o200k(R"(\p{N})", "")};
    QTest::newRow("gpt-4o") << "gpt-4o" << QStringList{o200k(R"(\p{N}{1,3})", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?")};
}

void TestPreTokenizer::splitsLikeItsRegularExpression() {
    QFETCH(QString, pre);
    QFETCH(QStringList, stages);
    const PreTokenizer* rule = findPreTokenizer(pre.toStdString());
    QVERIFY(rule);
    static const char32_t kAlphabet[] =
        U"aabszZAÀàсСßǅʰªא中日ーぁ가ัे्́0123٣½²Ⅷ    \t\n\r\u00A0\u3000''.,!?()|…。，/-_$+<=>^~`@#☃€🦉"
        U"\u200D\uFE0F\uE000tdmrevlTDMREVL";
    QList<QRegularExpression> regexes;
    for (const QString& stage : stages) {
        regexes << QRegularExpression(stage, QRegularExpression::UseUnicodePropertiesOption);
        QVERIFY2(regexes.back().isValid(), qPrintable(regexes.back().errorString()));
    }
    std::mt19937 random(3);
    for (int round = 0; round < 4000; ++round) {
        QString text;
        for (std::size_t length = 1 + random() % 24; length > 0; --length) {
            text += QString::fromUcs4(&kAlphabet[random() % (std::size(kAlphabet) - 1)], 1);
        }
        QStringList expected{text};
        for (const QRegularExpression& regex : regexes) {
            QStringList cut;
            for (const QString& piece : expected) {
                qsizetype at = 0;
                auto matches = regex.globalMatch(piece);
                while (matches.hasNext()) {
                    const auto match = matches.next();
                    if (match.capturedStart() > at) {
                        cut << piece.mid(at, match.capturedStart() - at);
                    }
                    cut << match.captured();
                    at = match.capturedEnd();
                }
                if (at < piece.size()) {
                    cut << piece.mid(at);
                }
            }
            expected = cut;
        }
        QStringList found;
        const std::string bytes = text.toStdString();
        splitWords(rule->stages, bytes, [&](std::string_view word) {
            found << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
            return true;
        });
        QCOMPARE(found, expected);
    }
}

void TestPreTokenizer::everyPreTokenizerNameHasARule() {
    QVERIFY(preTokenizerNames().size() > 40);
    for (const std::string_view name : preTokenizerNames()) {
        QVERIFY(findPreTokenizer(name) != nullptr);
    }
    QCOMPARE(findPreTokenizer("no such rule"), nullptr);
    QCOMPARE(defaultPreTokenizer().name, std::string_view("default"));
}

void TestPreTokenizer::takesLinearTime_data() {
    QTest::addColumn<QString>("pre");
    for (const char* pre : {"gpt-2", "llama-bpe", "qwen2", "starcoder", "falcon", "bloom", "viking", "deepseek-llm",
                            "deepseek-coder", "deepseek-v3", "tekken", "gpt-4o", "default"}) {
        QTest::newRow(pre) << pre;
    }
}

void TestPreTokenizer::takesLinearTime() {
    QFETCH(QString, pre);
    const PreTokenizer* rule = findPreTokenizer(pre.toStdString());
    QVERIFY(rule);
    std::size_t words = 0;
    const auto seconds = [&](const std::string& text) {
        const double start = threadSeconds();
        splitWords(rule->stages, text, [&](std::string_view) { return ++words > 0; });
        return threadSeconds() - start;
    };
    for (const char* unit :
         {"a",        "A",         " ",  "       1", "   A",         "<",        "7", "\n", " \n",          "ក",
          "\xCC\x81", "A\xCC\x81", "猫", "\xE2",     "aA a< a\nកA ", "\xC2\xA0", "'", "/",  "\xE2\x80\x8D", "("}) {
        // A long run with something else behind it is what makes scanners look ahead again and again.
        for (const char* tail : {"", "1", "x", "\n", "."}) {
            double ratio = 0;
            for (int attempt = 0; attempt < 4; ++attempt) {
                const double small = seconds(repeated(unit, 10'000) + tail);
                const double large = seconds(repeated(unit, 100'000) + tail);
                // Ten times the text; 100 would be quadratic. Another process may disturb one measurement, not four.
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
