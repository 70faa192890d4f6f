#include "base/error.h"
#include "support/test_unit.h"
#include "support/yardstick.h"
#include "ui/pages/run/answer_view.h"
#include "ui/run/markdown.h"
#include "ui/theme/theme.h"

#include <QTest>

#include <algorithm>

using namespace gufo::ui;

class TestMarkdown : public QObject {
    Q_OBJECT

private slots:
    void framesCodeWhole_data();
    void framesCodeWhole();
    void parses_data();
    void parses();
    void knowsWhereItComesFrom_data();
    void knowsWhereItComesFrom();
    void keepsTheEndWhileItGrows();
    void takesNoLong_data();
    void takesNoLong();
};

namespace {

// One line per block: its kind, then its runs: *i* **b** ~s~ `c` [text](target).
QString shown(const MarkdownRuns& runs) {
    QString text;
    for (const MarkdownRun& run : runs) {
        QString marked = run.text;
        marked.replace(QChar(0x2028), "/");
        if ((run.style & MarkdownRun::Code) != 0) {
            marked = "`" + marked + "`";
        }
        if ((run.style & MarkdownRun::Italic) != 0) {
            marked = "*" + marked + "*";
        }
        if ((run.style & MarkdownRun::Bold) != 0) {
            marked = "**" + marked + "**";
        }
        if ((run.style & MarkdownRun::Strike) != 0) {
            marked = "~" + marked + "~";
        }
        if ((run.style & MarkdownRun::Link) != 0) {
            marked = ((run.style & MarkdownRun::Picture) != 0 ? "![" : "[") + marked + "](" + run.target + ")";
        }
        text += marked;
    }
    return text;
}

QString shown(const std::vector<MarkdownBlock>& blocks) {
    QStringList lines;
    for (const MarkdownBlock& block : blocks) {
        QString line = QString(block.quote, '>') + QString(block.indent, '.');
        if (!block.marker.isEmpty()) {
            line += block.marker + " ";
        }
        switch (block.kind) {
        case MarkdownBlock::Kind::Paragraph:
            break;
        case MarkdownBlock::Kind::Heading:
            line += "h" + QString::number(block.level) + " ";
            break;
        case MarkdownBlock::Kind::CodeLine:
            line += block.first ? "code(" + block.language + ") " : QString("code ");
            break;
        case MarkdownBlock::Kind::Rule:
            line += "rule";
            break;
        case MarkdownBlock::Kind::Table:
            for (const auto& row : block.rows) {
                for (const auto& cell : row) {
                    line += "|" + shown(cell);
                }
                line += "; ";
            }
            break;
        }
        lines << line + shown(block.runs);
    }
    return lines.join("\n");
}

} // namespace

void TestMarkdown::parses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(expected);
    };
    row("paragraphs", "a b\nc\n\nd", "a b/c\nd");
    row("emphasis", "*a* _b_ **c** __d__ ***e*** ~~f~~", "*a* *b* **c** **d** ***e*** ~f~");
    row("no emphasis", "2 * 3 * 4, snake_case_name, **", "2 * 3 * 4, snake_case_name, **");
    row("nested emphasis", "**a *b* c**", "**a *****b***** c**");
    row("inside a word", "un*frigging*believable", "un*frigging*believable");
    row("rule of three", "*foo**bar*", "*foo**bar*");
    row("code span", "`a*b*` ``c`d`` `` ` ``", "`a*b*` `c`d` ```");
    row("open code span", "a `b", "a `b");
    row("escapes", R"(\*a\* \\ \q)", R"(*a* \ \q)");
    row("entities", "&lt;b&gt; &amp; &#65; &#x1F989; &nosuch;", "<b> & A 🦉 &nosuch;");
    row("html is text", "<script>x</script><br>y", "<script>x</script>/y");
    row("links", "[a](http://x.y/z \"t\") <https://b.c> http://d.e/f. (see https://g.h)",
        "[a](http://x.y/z) [https://b.c](https://b.c) [http://d.e/f](http://d.e/f). (see "
        "[https://g.h](https://g.h))");
    row("link with emphasis", "[a *b*](c) [not one] [x] (y)", "[a ](c)[*b*](c) [not one] [x] (y)");
    row("pictures", "![owl](http://x/owl.png)", "![owl](http://x/owl.png)");
    row("headings", "# A\n## B ##\n####### no\n#no\nTitle\n===\nSub\n---", "h1 A\nh2 B\n####### no/#no/Title\n");
    row("rules", "a\n\n---\n* * *\n___", "a\nrule\nrule\nrule");
    row("bullets", "- a\n- b\n  - c\n- d", ".• a\n.• b\n..• c\n.• d");
    row("numbers", "1. a\n1. b\n3) c", ".1. a\n.2. b\n.3) c");
    row("start", "7. a\n8. b", ".7. a\n.8. b");
    row("number after text", "In\n1986. was", "In/1986. was");
    row("item with paragraphs", "1. a\n\n   b\n\n2. c\n\nd", ".1. a\n.b\n.2. c\nd");
    row("lazy line", "- a\nb\n\nc", ".• a/b\nc");
    row("tasks", "- [ ] a\n- [x] b", ".☐ a\n.☑ b");
    row("code in an item", "1. a\n   ```py\n   x\n   ```\n2. b", ".1. a\n.code(py) `x`\n.2. b");
    row("fence", "```c++\nint a;\n\n  b *c*\n```\nd", "code(c++) `int a;`\ncode \ncode `  b *c*`\nd");
    row("open fence", "~~~\na", "code() `a`");
    row("empty fence", "```\n```", "code() ");
    row("indented code", "a\n\n    b\n\n    c\nd", "a\ncode() `b`\ncode \ncode `c`\nd");
    row("quotes", "> a\n> > b\nlazy\n\nc", ">a\n>>b/lazy\nc");
    row("list in a quote", "> - a\n> - b", ">.• a\n>.• b");
    row("table", "| a | b |\n|---|:-:|\n| 1 | `x|y` | 3 |\n| 2 |\n\nc", "|a|b; |1|`x|y`; |2|; \nc");
    row("no table", "a | b\nc", "a | b/c");
}

void TestMarkdown::parses() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    if (QByteArray(QTest::currentDataTag()) == "headings") {
        expected = "h1 A\nh2 B\nh1 ####### no/#no/Title\nh2 Sub";
    }
    QCOMPARE(shown(parseMarkdown(text)), expected);
}

void TestMarkdown::knowsWhereItComesFrom_data() { parses_data(); }

// Text shown verbatim equals its source range, and the ranges are in order.
void TestMarkdown::knowsWhereItComesFrom() {
    QFETCH(QString, text);
    qsizetype last = 0;
    const auto check = [&](const MarkdownRuns& runs) {
        for (const MarkdownRun& run : runs) {
            QVERIFY(run.source >= last);
            last = run.source + run.sourceLength;
            QVERIFY(last <= text.size());
            if (run.sourceLength == run.text.size() && run.text != QString(QChar(0x2028))) {
                QCOMPARE(QString(run.text).replace(QChar(0x2028), '\n'), text.mid(run.source, run.sourceLength));
            }
        }
    };
    for (const MarkdownBlock& block : parseMarkdown(text)) {
        check(block.runs);
        for (const auto& row : block.rows) {
            for (const auto& cell : row) {
                check(cell);
            }
        }
    }
}

// While an answer grows, all blocks but the last remain unchanged.
void TestMarkdown::keepsTheEndWhileItGrows() {
    const QString text =
        "# Owls\n\nThey **fly** at night:\n\n1. softly\n2. slowly\n\n```py\nprint(1)\nprint(2)\n```\n\nEnd.";
    std::vector<MarkdownBlock> before;
    for (qsizetype n = 0; n <= text.size(); ++n) {
        const auto now = parseMarkdown(text.left(n));
        for (std::size_t i = 0; i + 2 < before.size(); ++i) {
            QVERIFY(i < now.size() && now[i] == before[i]);
        }
        before = now;
    }
}

void TestMarkdown::takesNoLong_data() {
    QTest::addColumn<QString>("text");
    const int n = 50'000;
    QTest::newRow("stars") << QString(n, '*');
    QTest::newRow("stars and letters") << QString("*a ").repeated(n / 3);
    QTest::newRow("mixed") << QString("*a _b **c ").repeated(1'900);
    QTest::newRow("brackets") << QString(n, '[');
    QTest::newRow("brackets, short") << QString(19'000, '[');
    QTest::newRow("links") << QString("[a](").repeated(4'700);
    QTest::newRow("backticks") << QString("`a``b```c").repeated(2'000);
    QTest::newRow("quotes") << QString(n, '>');
    QTest::newRow("lists") << QString("- ").repeated(n / 2);
    QTest::newRow("items") << QString("- a\n").repeated(n / 4);
    QTest::newRow("bars") << QString("|a").repeated(n / 2) + "\n" + QString("|-").repeated(n / 2);
    QTest::newRow("lines") << QString("a\n").repeated(n / 2);
    QTest::newRow("ampersands") << QString("&").repeated(19'000);
    QTest::newRow("angles") << QString("<").repeated(19'000);
}

void TestMarkdown::takesNoLong() {
    QFETCH(QString, text);
    QVERIFY(isQuickWork([&] { (void)parseMarkdown(text); }, 6));
}

// A block of code that is the first or the last of an answer, such as a tool call, has its frame above and below it,
// too.
void TestMarkdown::framesCodeWhole_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("one line") << QStringLiteral("```\na\n```");
    QTest::newRow("lines") << QStringLiteral("```\na\nb\nc\n```");
}

void TestMarkdown::framesCodeWhole() {
    QFETCH(QString, text);
    AnswerView view;
    view.resize(300, 100);
    view.setBlocks(parseMarkdown(text));
    const QImage image = view.viewport()->grab().toImage();
    // The line may cover parts of two rows of pixels.
    const auto grayAt = [&](int row) { return qGray(image.pixel(image.width() / 2, row)); };
    const int ground = qGray(themeColor(Token::AlternateRow).rgb());
    QVERIFY(std::min(grayAt(0), grayAt(1)) < ground);
    QVERIFY(std::min(grayAt(image.height() - 1), grayAt(image.height() - 2)) < ground);
    QCOMPARE(grayAt(5), ground);
}

GUFO_TEST_WIDGETS(TestMarkdown)
#include "tst_markdown.moc"
