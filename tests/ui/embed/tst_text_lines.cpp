#include "support/test_unit.h"
#include "ui/pages/embed/text_lines.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestTextLines : public QObject {
    Q_OBJECT

private slots:
    void splits_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArrayList>("lines");
        QTest::addColumn<QList<int>>("numbers");
        const auto row = [](const char* name, const char* text, const QByteArrayList& lines,
                            const QList<int>& numbers) { QTest::newRow(name) << QByteArray(text) << lines << numbers; };
        row("nothing", "", {}, {});
        row("only breaks", "\n\r\n\n", {}, {});
        row("blank lines", "a\n \t\n\nb", {"a", "b"}, {1, 4});
        row("CRLF", "a\r\nb\r\n", {"a", "b"}, {1, 2});
        row("no break at the end", "a\nb", {"a", "b"}, {1, 2});
        row("byte order mark", "\xEF\xBB\xBFgrün\n", {"grün"}, {1});
        row("spaces remain", "  a \n", {"  a "}, {1});
        row("not UTF-8", "\xFF\xFE\n", {"\xFF\xFE"}, {1});
    }
    void splits() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArrayList, lines);
        QFETCH(QList<int>, numbers);
        const TextLines split = linesOf(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        QCOMPARE(split.size(), static_cast<std::size_t>(lines.size()));
        QCOMPARE(split.total, split.size());
        for (qsizetype i = 0; i < lines.size(); ++i) {
            QCOMPARE(QByteArray::fromStdString(split.texts[static_cast<std::size_t>(i)]), lines[i]);
            QCOMPARE(split.numbers[static_cast<std::size_t>(i)], static_cast<std::size_t>(numbers[i]));
        }
    }

    void countsWhatItLeavesOut() {
        std::string text;
        for (std::size_t i = 0; i < kMaxLines + 7; ++i) {
            text += "line\n";
        }
        const TextLines lines = linesOf(text);
        QCOMPARE(lines.size(), kMaxLines);
        QCOMPARE(lines.total, kMaxLines + 7);
    }

    void readsFiles() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("texts");
        QCOMPARE(readText(path.toStdString(), {}).error().code, ErrorCode::FileNotFound);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray bytes(3'000'000, 'x');
        file.write(bytes);
        file.close();
        QCOMPARE(QByteArray::fromStdString(*readText(path.toStdString(), {})), bytes);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(readText(path.toStdString(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
        QVERIFY(file.resize(static_cast<qint64>(kMaxTextBytes) + 1));
        QCOMPARE(readText(path.toStdString(), {}).error().code, ErrorCode::LimitExceeded);
    }

    void excerptsEndAtCharacters() {
        QCOMPARE(excerpt("grün", 10), QStringLiteral("grün"));
        QCOMPARE(excerpt("grün", 3), QStringLiteral("gr…"));
        QCOMPARE(excerpt("a\tb", 10), QStringLiteral("a\\tb"));
    }
};

GUFO_TEST(TestTextLines)
#include "tst_text_lines.moc"
