// What the source of a template says without being rendered: printed markers, literal line breaks, quotation marks.
#include "support/test_unit.h"
#include "test_paths.h"
#include "text/template/template_markers.h"

#include <QDir>
#include <QTest>

using namespace gufo::text;

class TestTemplateMarkers : public QObject {
    Q_OBJECT

    static QStringList markersOf(const QByteArray& source) {
        QStringList found;
        for (const SourceRange& range : printedMarkers(std::string_view(source.data(), std::size_t(source.size())))) {
            found.append(QString::fromUtf8(source.mid(qsizetype(range.offset), qsizetype(range.length))));
        }
        return found;
    }

private slots:
    void findsMarkers_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QStringList>("markers");
        const auto row = [](const char* name, const char* source, const QStringList& markers) {
            QTest::newRow(name) << QByteArray(source) << markers;
        };
        row("text", "a<|im_start|>b<|im_end|>", {"<|im_start|>", "<|im_end|>"});
        row("strings", "{{ '<|start|>' + x + \"<|message|>\" }}", {"<|start|>", "<|message|>"});
        row("a string in a statement", "{% set end = '<|channel|>' %}", {"<|channel|>"});
        row("each once", "<|a1|>{{ '<|a1|>' }}<|a1|>", {"<|a1|>"});
        row("wide bars", "<｜end▁of▁sentence｜>", {"<｜end▁of▁sentence｜>"});
        row("one bar", "<|turn>model<turn|>", {"<|turn>", "<turn|>"});
        row("without bars", "<start_of_turn>user", {"<start_of_turn>"});
        row("comments", "{# <|old|> #}<|new|>", {"<|new|>"});
        row("a tag in a string", "{{ '{{ <|x1|> }}' }}", {"<|x1|>"});
        row("an escaped quotation mark", "{{ 'it\\'s <|x1|>' }}", {"<|x1|>"});
        row("raw text", "{% raw %}{{ <|x1|> {% endraw %}<|y1|>", {"<|x1|>", "<|y1|>"});
        row("compared", "{% if x == '<|x1|>' or '<|y1|>' != x %}{% endif %}", {});
        row("searched for",
            "{% if '<|x1|>' in c %}{{ c.split('<|y1|>')[0] }}{{ c | replace('<|z1|>', '') }}{% endif %}", {});
        row("put in by a replacement", "{{ c | replace('a', '<|z1|>') }}", {"<|z1|>"});
        row("not markers", "a <|> b <|x y|> c <tool_call> <||> <|\n|> x<y|z>", {});
        row("unfinished", "{{ '<|x1|>", {"<|x1|>"});
        row("an open marker", "<|im_start", {});
        row("an open tag", "<|x1|>{{ a", {"<|x1|>"});
        row("an escape at the end", "{{ 'a\\", {});
        row("nothing", "", {});
    }
    void findsMarkers() {
        QFETCH(QByteArray, source);
        QFETCH(QStringList, markers);
        QCOMPARE(markersOf(source), markers);
    }

    // A template of a few megabytes with as many markers as it can hold is read at once.
    void isLinear() {
        QByteArray source;
        for (int i = 0; i < 200'000; ++i) {
            source += "<|m" + QByteArray::number(i) + "|>{{ '<' }}";
        }
        QCOMPARE(markersOf(source).size(), 200'000);
    }

    void countsLines() {
        QCOMPARE(lineAt("a\nb\n", 0), 1U);
        QCOMPARE(lineAt("a\nb\n", 2), 2U);
        QCOMPARE(lineAt("a\nb\n", 4), 3U);
    }

    void findsLiteralNewlines_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("repaired");
        QTest::newRow("text") << QByteArray("a\\nb{{ x }}\\n") << QByteArray("a\nb{{ x }}\n");
        QTest::newRow("strings") << QByteArray("{{ 'a\\nb' }}{% set x = \"\\n\" %}") << QByteArray();
        QTest::newRow("comments") << QByteArray("{# \\n #}") << QByteArray();
        QTest::newRow("none") << QByteArray("a\nb") << QByteArray();
    }
    void findsLiteralNewlines() {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, repaired);
        QCOMPARE(literalNewlines(source.toStdString()).empty(), repaired.isEmpty());
        QCOMPARE(QByteArray::fromStdString(withLineBreaks(source.toStdString())),
                 repaired.isEmpty() ? source : repaired);
    }

    void removesQuotes_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("repaired");
        QTest::newRow("JSON") << QByteArray("\"{{ \\\"a\\\" }}\\n\"") << QByteArray("{{ \"a\" }}\n");
        QTest::newRow("not JSON") << QByteArray("'{{ \"a\" }}'\n") << QByteArray("{{ \"a\" }}");
        QTest::newRow("double, not JSON") << QByteArray("\"{{ \"a\" }}\"") << QByteArray("{{ \"a\" }}");
        QTest::newRow("none") << QByteArray("{{ \"a\" }}") << QByteArray();
        QTest::newRow("one") << QByteArray("\"") << QByteArray();
        QTest::newRow("two kinds") << QByteArray("\"a'") << QByteArray();
        QTest::newRow("empty") << QByteArray() << QByteArray();
    }
    void removesQuotes() {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, repaired);
        const auto text = withoutQuotes(source.toStdString());
        QCOMPARE(text.has_value(), !repaired.isEmpty());
        QCOMPARE(QByteArray::fromStdString(text.value_or(std::string())), repaired);
    }

    // Published templates have neither slip.
    void publishedOnesHaveNoSlips() {
        const QDir folder(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/templates"));
        const QStringList names = folder.entryList({QStringLiteral("*.jinja")});
        if (names.isEmpty()) {
            QSKIP("the folder " GUFO_SHARED_DIR
                  "/thirdparty/templates, which has published chat templates, is missing");
        }
        for (const QString& name : names) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const std::string source = file.readAll().toStdString();
            QVERIFY2(literalNewlines(source).empty(), qPrintable(name));
            QVERIFY2(!withoutQuotes(source), qPrintable(name));
        }
    }
};

GUFO_TEST(TestTemplateMarkers)
#include "tst_template_markers.moc"
