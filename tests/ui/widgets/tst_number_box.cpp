#include "support/test_unit.h"
#include "ui/widgets/number_box.h"

#include <QLineEdit>
#include <QTest>

using namespace gufo::ui;

class TestNumberBox : public QObject {
    Q_OBJECT

private slots:
    void dropsNothingThatIsTyped_data();
    void dropsNothingThatIsTyped();
    void realNumbers();
};

void TestNumberBox::dropsNothingThatIsTyped_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("value");
    QTest::newRow("a number") << QStringLiteral("15") << 15;
    QTest::newRow("a fraction") << QStringLiteral("1.5") << 7; // Qt's box makes 15 of it
    QTest::newRow("a fraction with a comma") << QStringLiteral("1,5") << 7;
    QTest::newRow("letters") << QStringLiteral("2x") << 7;
    QTest::newRow("too large") << QStringLiteral("1000") << 7; // Qt's box makes 100 of it
    QTest::newRow("negative") << QStringLiteral("-3") << 7;
    QTest::newRow("nothing") << QString() << 7;
}

void TestNumberBox::dropsNothingThatIsTyped() {
    QFETCH(const QString, typed);
    CountBox box;
    box.setRange(0, 100);
    box.setValue(7);
    box.show();
    auto* field = box.findChild<QLineEdit*>();
    field->selectAll();
    QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClicks(field, typed);
    QCOMPARE(field->text(), typed);
    QTest::keyClick(field, Qt::Key_Return);
    QTEST(box.value(), "value");
    QCOMPARE(field->text(), QString::number(box.value()));
}

void TestNumberBox::realNumbers() {
    RealBox box;
    box.setLocale(QLocale::c());
    box.setRange(0, 10);
    box.setDecimals(2);
    box.setValue(2);
    box.show();
    auto* field = box.findChild<QLineEdit*>();
    const auto type = [&](const QString& text) {
        field->selectAll();
        QTest::keyClicks(field, text);
        const bool kept = field->text() == text;
        QTest::keyClick(field, Qt::Key_Return);
        return kept ? box.value() : -1;
    };
    QCOMPARE(type(QStringLiteral("0.5")), 0.5);
    QCOMPARE(type(QStringLiteral("0,7")), 0.5); // not 7
    QCOMPARE(type(QStringLiteral("99")), 0.5);  // not 9
}

GUFO_TEST_WIDGETS(TestNumberBox)
#include "tst_number_box.moc"
