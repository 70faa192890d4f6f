// Copies of tables: as text they look as shown; as TSV and Markdown other programs can read every figure in full.
#include "support/test_unit.h"
#include "ui/widgets/table_text.h"

#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

#include <limits>

using namespace gufo::ui;

class TestTableText : public QObject {
    Q_OBJECT

private slots:
    void exactTexts();
    void plainFigures_data();
    void plainFigures();
    void figuresForOtherPrograms();
};

void TestTableText::exactTexts() {
    QCOMPARE(exactText(-0.1), QStringLiteral("-0.1"));
    QCOMPARE(exactText(1.0 / 3), QStringLiteral("0.3333333333333333"));
    QCOMPARE(exactText(1.0F / 3), QStringLiteral("0.33333334"));
    QCOMPARE(exactText(-std::numeric_limits<double>::infinity()), QStringLiteral("-inf"));
    for (const double value : {-3.1e-06, 123456789.123, 5e-324, 1.7976931348623157e308}) {
        QCOMPARE(exactText(value).toDouble(), value);
    }
}

void TestTableText::plainFigures_data() {
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("plain");
    QTest::newRow("minus") << QStringLiteral("−0.5") << QStringLiteral("-0.5");
    QTest::newRow("exponent") << QStringLiteral("−3.1e-06") << QStringLiteral("-3.1e-06");
    QTest::newRow("separators") << QStringLiteral("1,234,567") << QStringLiteral("1234567");
    QTest::newRow("with a unit") << QStringLiteral("−1,234.5 dB") << QStringLiteral("-1234.5 dB");
    QTest::newRow("infinite") << QStringLiteral("−∞") << QStringLiteral("-inf");
    QTest::newRow("a place") << QStringLiteral("[1,024, 7]") << QStringLiteral("[1024, 7]");
    QTest::newRow("a list") << QStringLiteral("1,2,3") << QStringLiteral("1,2,3");
}

void TestTableText::plainFigures() {
    QFETCH(QString, shown);
    QTEST(plainFigure(shown), "plain");
}

void TestTableText::figuresForOtherPrograms() {
    QStandardItemModel model(1, 5);
    model.setHorizontalHeaderLabels({"name", "rounded", "single", "count", "shown"});
    const auto put = [&](int column, const QString& shown, const QVariant& exact, Qt::Alignment alignment) {
        auto* item = new QStandardItem(shown);
        item->setData(exact, kExactRole);
        item->setTextAlignment(alignment);
        model.setItem(0, column, item);
    };
    put(0, QStringLiteral("−1,000"), {}, Qt::AlignLeft); // a name that looks like a figure
    put(1, QStringLiteral("−0.123"), -0.1234567890123, Qt::AlignRight);
    put(2, QStringLiteral("0.333"), 1.0F / 3, Qt::AlignRight);
    put(3, QStringLiteral("13.4 MiB"), quint64{14'051'000}, Qt::AlignRight);
    put(4, QStringLiteral("−1,234"), {}, Qt::AlignRight | Qt::AlignVCenter);
    QTableView view;
    view.setModel(&model);
    QCOMPARE(viewText(view, CopyFormat::Tsv).section(u'\n', 1, 1),
             QStringLiteral("−1,000\t-0.1234567890123\t0.33333334\t14051000\t-1234"));
    QCOMPARE(viewText(view, CopyFormat::Markdown).section(u'\n', 2, 2),
             QStringLiteral("| −1,000 | -0.1234567890123 | 0.33333334 | 14051000 | -1234 |"));
    QVERIFY(viewText(view, CopyFormat::Text).contains(QStringLiteral("−0.123")));
}

GUFO_TEST_WIDGETS(TestTableText)
#include "tst_table_text.moc"
