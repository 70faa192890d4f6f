// The line diff: known cases, and that every diff transforms the old text into the new one with a minimal number of
// edits.
#include "support/test_unit.h"
#include "text/line_diff.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>
#include <string>

using namespace gufo::text;
using Kind = DiffLine::Kind;

namespace {

std::vector<DiffLine> diff(const std::string& before, const std::string& after) {
    return diffLines(splitLines(before), splitLines(after));
}

// "=ab", "-c" and "+d", joined by spaces.
QString shown(const std::string& before, const std::string& after) {
    const auto old = splitLines(before);
    const auto now = splitLines(after);
    QStringList parts;
    for (const DiffLine& line : diffLines(old, now)) {
        const std::string_view text = line.kind == Kind::Added ? now[line.after] : old[line.before];
        const char* sign = line.kind == Kind::Same ? "=" : line.kind == Kind::Added ? "+" : "-";
        parts.append(QLatin1String(sign) + QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
    }
    return parts.join(QLatin1Char(' '));
}

// Returns the length of the longest common subsequence, by dynamic programming.
std::size_t commonLines(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
    std::vector<std::size_t> row(b.size() + 1, 0);
    for (const std::string_view line : a) {
        std::size_t corner = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = line == b[j] ? corner + 1 : std::max(above, row[j]);
            corner = above;
        }
    }
    return row.back();
}

} // namespace

class TestLineDiff : public QObject {
    Q_OBJECT

private slots:
    void splits() {
        using Lines = std::vector<std::string_view>;
        QCOMPARE(splitLines(""), Lines{""});
        QCOMPARE(splitLines("a"), Lines{"a"});
        QCOMPARE(splitLines("a\n"), (Lines{"a", ""}));
        QCOMPARE(splitLines("a\r\n\nb"), (Lines{"a", "", "b"}));
    }

    void compares_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("expected");
        QTest::newRow("equal") << "a\nb" << "a\nb" << "=a =b";
        QTest::newRow("changed") << "a\nb\nc" << "a\nx\nc" << "=a -b +x =c";
        QTest::newRow("added") << "a\nc" << "a\nb\nc" << "=a +b =c";
        QTest::newRow("added at the end") << "a" << "a\nb" << "=a +b";
        QTest::newRow("removed at the start") << "a\nb" << "b" << "-a =b";
        QTest::newRow("nothing in common") << "a\nb" << "c\nd" << "-a -b +c +d";
        QTest::newRow("swapped") << "a\nb\nc" << "b\na\nc" << "-a =b +a =c";
        QTest::newRow("from nothing") << "" << "a\nb" << "- +a +b";
    }
    void compares() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, expected);
        QCOMPARE(shown(before.toStdString(), after.toStdString()), expected);
    }

    void isCorrectAndShortest() {
        std::mt19937 random(7);
        for (int round = 0; round < 3000; ++round) {
            const auto text = [&] {
                std::string lines;
                for (auto n = random() % 14; n > 0; --n) {
                    lines += static_cast<char>('a' + random() % (round % 5 + 2));
                    lines += n > 1 ? "\n" : "";
                }
                return lines;
            };
            const std::string before = text();
            const std::string after = text();
            const auto old = splitLines(before);
            const auto now = splitLines(after);
            std::size_t x = 0;
            std::size_t y = 0;
            std::size_t same = 0;
            for (const DiffLine& line : diffLines(old, now)) {
                QCOMPARE(line.before, x);
                QCOMPARE(line.after, y);
                if (line.kind == Kind::Same) {
                    QCOMPARE(old[x], now[y]);
                    ++same;
                }
                x += line.kind != Kind::Added ? 1 : 0;
                y += line.kind != Kind::Removed ? 1 : 0;
            }
            QCOMPARE(x, old.size());
            QCOMPARE(y, now.size());
            QCOMPARE(same, commonLines(old, now));
        }
    }

    void staysQuickForTextsWithNothingInCommon() {
        std::string before;
        std::string after;
        for (int i = 0; i < 30'000; ++i) {
            before += "old " + std::to_string(i) + "\n";
            after += "new " + std::to_string(i) + "\n";
        }
        QElapsedTimer clock;
        clock.start();
        const DiffCounts counts = countChanges(diff(before, after));
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(counts.added, 30'000U);
        QCOMPARE(counts.removed, 30'000U);
    }
};

GUFO_TEST(TestLineDiff)
#include "tst_line_diff.moc"
