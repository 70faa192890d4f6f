#include "support/test_unit.h"
#include "ui/widgets/growing_edit.h"

#include <QTest>
#include <QVBoxLayout>

using namespace gufo::ui;

class TestGrowingEdit : public QObject {
    Q_OBJECT

private slots:
    void growsWithItsText();
    void showsItsWholePlaceholder_data();
    void showsItsWholePlaceholder();
    void showsAnotherPlaceholder();
};

void TestGrowingEdit::growsWithItsText() {
    GrowingEdit edit;
    edit.resize(300, 100);
    const int one = edit.sizeHint().height();
    edit.setPlainText(QStringLiteral("a\nb\nc"));
    const int three = edit.sizeHint().height();
    QVERIFY(three > one);
    edit.setPlainText(QStringLiteral("a\n").repeated(100));
    const int most = edit.sizeHint().height();
    QVERIFY(most > three && most < 10 * one);
}

void TestGrowingEdit::showsItsWholePlaceholder_data() {
    QTest::addColumn<QString>("placeholder");
    QTest::addColumn<int>("lines");
    QTest::newRow("one line") << QStringLiteral("Message") << 1;
    QTest::newRow("two lines") << QStringLiteral("\" the\" = -2\n198 = -inf") << 2;
    QTest::newRow("a long line") << QStringLiteral("a word and another one ").repeated(4) << 2;
}

void TestGrowingEdit::showsItsWholePlaceholder() {
    QFETCH(QString, placeholder);
    QFETCH(int, lines);
    GrowingEdit edit;
    edit.resize(200, 100);
    edit.setPlaceholderText(placeholder);
    GrowingEdit text;
    text.resize(200, 100);
    for (GrowingEdit* const each : {&edit, &text}) {
        each->show(); // which gives its viewport a width
        QVERIFY(QTest::qWaitForWindowExposed(each));
    }
    text.setPlainText(QStringLiteral("a") + QStringLiteral("\na").repeated(lines - 1));
    QVERIFY2(edit.sizeHint().height() >= text.sizeHint().height(), qPrintable(placeholder));
    edit.setPlainText(QStringLiteral("a")); // only the text counts then
    text.setPlainText(QStringLiteral("a"));
    QCOMPARE(edit.sizeHint().height(), text.sizeHint().height());
}

void TestGrowingEdit::showsAnotherPlaceholder() {
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* edit = new GrowingEdit;
    edit->setPlaceholderText(QStringLiteral("one"));
    layout->addWidget(edit);
    layout->addStretch();
    window.resize(300, 200);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const int height = edit->height();
    struct Paints : QObject {
        int count = 0;
        bool eventFilter(QObject*, QEvent* event) override {
            count += event->type() == QEvent::Paint ? 1 : 0;
            return false;
        }
    } paints;
    edit->viewport()->installEventFilter(&paints);
    edit->setPlaceholderText(QStringLiteral("two"));
    QTRY_VERIFY(paints.count > 0);
    QCOMPARE(edit->height(), height);
    edit->setPlaceholderText(QStringLiteral("two\nlines"));
    QTRY_VERIFY(edit->height() > height);
}

GUFO_TEST_WIDGETS(TestGrowingEdit)
#include "tst_growing_edit.moc"
