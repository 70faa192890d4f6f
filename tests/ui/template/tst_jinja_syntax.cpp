// Tests the styles and folds of templates, and the lexer in a real editor.
#include "support/test_unit.h"
#include "ui/pages/template/jinja_syntax.h"
#include "ui/pages/template/template_editor.h"
#include "ui/theme/theme.h"

#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace gufo;
using namespace gufo::ui;

namespace {

// "T:a D:{% K:if …": the text of each run after the letter of its part.
QString shown(std::string_view text) {
    static const char kLetters[] = "TDKNS#OCW";
    const auto runs = jinjaRuns(text);
    QStringList parts;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::size_t end = i + 1 < runs.size() ? runs[i + 1].begin : text.size();
        const std::string_view part = text.substr(runs[i].begin, end - runs[i].begin);
        if (part.find_first_not_of(' ') != std::string_view::npos || runs[i].part == JinjaPart::Text) {
            parts.append(QString(QLatin1Char(kLetters[static_cast<std::size_t>(runs[i].part)])) + QLatin1Char(':') +
                         QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size())).trimmed());
        }
    }
    return parts.join(QLatin1Char(' '));
}

QString folds(std::string_view text) {
    QStringList parts;
    for (const JinjaFold& fold : jinjaFolds(text)) {
        parts.append(QString::number(fold.level) + (fold.isHead ? QStringLiteral("+") : QString()));
    }
    return parts.join(QLatin1Char(' '));
}

} // namespace

class TestJinjaSyntax : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }

    void colours_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* text, const char* expected) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(expected);
        };
        row("", "");
        row("plain { text }", "T:plain { text }");
        row("a{{ b }}c", "T:a D:{{ W:b D:}} T:c");
        row("{%- if x.if == 'a' -%}", "D:{%- K:if W:x O:. W:if O:== S:'a' D:-%}");
        row("{{ loop.first | tojson(indent=4) }}",
            "D:{{ N:loop O:. W:first O:| N:tojson O:( W:indent O:= #:4 O:) D:}}");
        row("{# {{ x }} #}y", "C:{# {{ x }} #} T:y");
        row("{{ {'a': {'b': 1}} }}z", "D:{{ O:{ S:'a' O:: { S:'b' O:: #:1 O:}} D:}} T:z");
        row("{{ '}}' }}x", "D:{{ S:'}}' D:}} T:x");
        row("{% raw %}{{ x }}{% endraw %}", "D:{% K:raw D:%} T:{{ x }} D:{% K:endraw D:%}");
        row("{{ 'open", "D:{{ S:'open");
        row("{{ '\\'' }}", "D:{{ S:'\\'' D:}}");
        row("{#", "C:{#");
        row("{%", "D:{%");
        row("é{{ ü }}", "T:é D:{{ W:ü D:}}");
    }
    void colours() {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        QCOMPARE(shown({text.constData(), static_cast<std::size_t>(text.size())}), expected);
    }

    void folds_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("none") << QByteArray("a\nb") << "0 0";
        QTest::newRow("one") << QByteArray("{% if x %}\na\n{% endif %}\nb") << "0+ 1 1 0";
        QTest::newRow("on one line") << QByteArray("{% if x %}a{% endif %}\nb") << "0 0";
        QTest::newRow("nested") << QByteArray("{% for x in y %}\n{% if x %}\na\n{% endif %}\n{% endfor %}")
                                << "0+ 1+ 2 2 1";
        QTest::newRow("set") << QByteArray("{% set x = 1 %}\n{% set y %}\na\n{% endset %}") << "0 0+ 1 1";
        QTest::newRow("open") << QByteArray("{% if x %}\na") << "0+ 1";
        QTest::newRow("stray end") << QByteArray("{% endif %}\na") << "0 0";
        QTest::newRow("in a comment") << QByteArray("{# {% if %} #}\na") << "0 0";
    }
    void folds() {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        QCOMPARE(::folds({text.constData(), static_cast<std::size_t>(text.size())}), expected);
    }

    void takesAnyText() {
        std::mt19937 random(3);
        const std::string_view pieces[] = {"{{",   "}}",     "{%",  "%}",    "{#", "#}", "'", "\"", "\\", "-",
                                           "raw ", "endraw", "if ", "endif", "\n", "a",  "(", ")",  "é",  "\xff"};
        for (int round = 0; round < 5000; ++round) {
            std::string text;
            for (auto n = random() % 20; n > 0; --n) {
                text += pieces[random() % std::size(pieces)];
            }
            std::size_t last = 0;
            const auto runs = jinjaRuns(text);
            QCOMPARE(runs.empty(), text.empty());
            for (std::size_t i = 0; i < runs.size(); ++i) {
                QVERIFY(i == 0 ? runs[i].begin == 0 : runs[i].begin > last);
                QVERIFY(runs[i].begin < text.size());
                last = runs[i].begin;
            }
            QCOMPARE(jinjaFolds(text).size(), static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
        }
    }

    void stylesTheEditor() {
        TemplateEditor editor;
        editor.resize(500, 300);
        editor.show();
        editor.replaceText(QStringLiteral("é{% if x %}\n  {{ 'y' }}\n{% endif %}"));
        QTRY_COMPARE(editor.SendScintilla(QsciScintillaBase::SCI_GETSTYLEAT, 5UL), // "if", behind the two bytes of é
                     static_cast<long>(JinjaPart::Keyword));
        QVERIFY(editor.SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, 0UL) &
                QsciScintillaBase::SC_FOLDLEVELHEADERFLAG);
        editor.foldLine(0);
        QVERIFY(!editor.SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, 1UL));
        // Marking a problem unfolds its line.
        editor.goTo({.code = QStringLiteral("x"), .args = {}, .line = 2, .column = 3, .length = 2});
        QVERIFY(editor.SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, 1UL));
    }

    void replacesOnlyWhatDiffers() {
        TemplateEditor editor;
        editor.resize(500, 300);
        editor.show();
        editor.replaceText(QStringLiteral("one\nzwei ä\nthree"));
        QSignalSpy changes(&editor, &QsciScintilla::textChanged);
        editor.replaceText(QStringLiteral("one\nzwei ö\nthree"));
        QCOMPARE(editor.text(), QStringLiteral("one\nzwei ö\nthree"));
        QVERIFY(!changes.isEmpty());
        changes.clear();
        editor.replaceText(QStringLiteral("one\nzwei ö\nthree"));
        QVERIFY(changes.isEmpty());
        editor.replaceText(QString());
        QCOMPARE(editor.text(), QString());
    }

    void marksPlacesInUtf16() {
        TemplateEditor editor;
        editor.replaceText(QStringLiteral("a\n😀é{{ nope }}"));
        editor.setProblems({{.code = QStringLiteral("unknown_function"),
                             .args = {QStringLiteral("nope"), QString()},
                             .line = 2,
                             .column = 7,
                             .length = 4}},
                           {});
        QCOMPARE(editor.markedLine(), 1);
        const auto at = [&](long position) {
            return editor.SendScintilla(QsciScintillaBase::SCI_INDICATORVALUEAT, 8UL, position);
        };
        const long begin = static_cast<long>(QStringLiteral("a\n😀é{{ ").toUtf8().size());
        QCOMPARE(at(begin - 1), 0L);
        QCOMPARE(at(begin), 1L);
        QCOMPARE(at(begin + 3), 1L);
        QCOMPARE(at(begin + 4), 0L);
        editor.setProblems({}, {});
        QCOMPARE(editor.markedLine(), -1);
        QCOMPARE(at(begin), 0L);
    }
};

GUFO_TEST_WIDGETS(TestJinjaSyntax)
#include "tst_jinja_syntax.moc"
