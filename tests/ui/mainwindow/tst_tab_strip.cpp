// Tests that tabs keep their names, however many there are.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/widgets/elided_name.h"

#include <QAction>
#include <QMenu>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;

class TestTabStrip : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() { m_f.reset(); }
    void elidesInTheMiddle_data();
    void elidesInTheMiddle();
    void everyTabKeepsItsName();
    void listOfTabs();
    void fewTabsAreShownWhole();

private:
    void openMany() {
        for (const char* quantisation : {"Q2_K", "Q3_K_S", "Q3_K_M", "Q4_0", "Q4_K_S", "Q4_K_M", "Q5_K_M", "Q6_K",
                                         "Q8_0", "IQ4_XS", "BF16", "F16"}) {
            const std::string name = std::string("Qwen3-4B-Instruct-2507-") + quantisation + ".gguf";
            QVERIFY(m_f->open(writeFile(m_f->root / name, tinyModel())) != nullptr);
        }
    }
    std::unique_ptr<WindowFixture> m_f;
};

void TestTabStrip::elidesInTheMiddle_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("end");
    QTest::newRow("quantisation") << "Qwen3-4B-Instruct-2507-Q4_K_M" << "Q4_K_M";
    QTest::newRow("quantisation before a shard")
        << "Qwen3-235B-A22B-Instruct-Q4_K_M-00001-of-00003" << "Q4_K_M-00001-of-00003";
    QTest::newRow("no quantisation") << "some-model-of-mine-without-anything-else" << "else";
    QTest::newRow("one word") << "averyveryverylongnamewithoutanyseparator" << "eparator";
    QTest::newRow("not ASCII") << QString::fromUtf8("модель-с-очень-длинным-именем-Q8_0") << "Q8_0";
}

void TestTabStrip::elidesInTheMiddle() {
    QFETCH(QString, name);
    QFETCH(QString, end);
    const QFontMetrics metrics(themeFont(TextStyle::Body));
    QCOMPARE(elidedName(metrics, name, metrics.horizontalAdvance(name)), name);
    const int minimum = leastNameWidth(metrics, name);
    QVERIFY(minimum < metrics.horizontalAdvance(name));
    for (int width = 1; width < metrics.horizontalAdvance(name); ++width) {
        const QString shown = elidedName(metrics, name, width);
        QVERIFY(shown.size() <= 1 || metrics.horizontalAdvance(shown) <= width);
        if (width >= minimum) {
            QVERIFY2(shown.endsWith(end) && shown.startsWith(name.left(2)), qPrintable(shown));
        }
    }
}

void TestTabStrip::everyTabKeepsItsName() {
    openMany();
    for (const int width : {900, 1440}) {
        m_f->window->resize(width, 700);
        QVERIFY(test::waitUntilIdle());
        TabBar* tabs = m_f->window->findChild<TabStrip*>()->tabs();
        QCOMPARE(tabs->count(), 12);
        for (int i = 0; i < tabs->count(); ++i) {
            tabs->setCurrentIndex(i);
            const QString quantisation = tabs->title(i).section(QLatin1Char('-'), -1);
            QVERIFY2(tabs->shownTitle(i).endsWith(quantisation), qPrintable(tabs->shownTitle(i)));
            QVERIFY2(tabs->shownTitle(i).startsWith(QStringLiteral("Qwe")), qPrintable(tabs->shownTitle(i)));
            QVERIFY(tabs->rect().contains(tabs->tabRect(i))); // scrolled into view
        }
        std::vector<QToolButton*> arrows;
        for (QToolButton* button : tabs->findChildren<QToolButton*>()) {
            if (button->isVisible()) {
                arrows.push_back(button);
            }
        }
        QCOMPARE(arrows.size(), 2U);
        // The mark of unsaved changes leaves room for the name.
        tabs->setModified(3, true);
        QVERIFY2(tabs->shownTitle(3).endsWith(QStringLiteral("Q4_0")), qPrintable(tabs->shownTitle(3)));
        tabs->setModified(3, false);
    }
}

void TestTabStrip::listOfTabs() {
    openMany();
    TabStrip* strip = m_f->window->findChild<TabStrip*>();
    auto* button = test::named<QToolButton>(strip, "List of tabs");
    QVERIFY(button != nullptr && button->isVisible());
    strip->tabs()->setModified(1, true);
    const auto menu = [strip] { return strip->findChild<QMenu*>(QStringLiteral("tabs")); };
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(menu() != nullptr && menu()->isVisible());
    QCOMPARE(menu()->actions().size(), 12);
    QCOMPARE(menu()->actions()[0]->text(), QStringLiteral("Qwen3-4B-Instruct-2507-Q2_K"));
    QVERIFY(menu()->actions()[1]->text().contains(QStringLiteral("unsaved")));
    QVERIFY(menu()->actions()[11]->isChecked());
    menu()->actions()[4]->trigger();
    menu()->close();
    QTRY_VERIFY(menu() == nullptr);
    QCOMPARE(strip->tabs()->currentIndex(), 4);
    // By keyboard.
    QAction* list = m_f->window->namedAction("listTabs");
    QCOMPARE(list->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+A")));
    QVERIFY(list->isEnabled());
    list->trigger();
    QTRY_VERIFY(menu() != nullptr && menu()->isVisible());
    QTest::keyClick(menu(), Qt::Key_Down);
    QTest::keyClick(menu(), Qt::Key_Return);
    QTRY_COMPARE(strip->tabs()->currentIndex(), 5);
}

void TestTabStrip::fewTabsAreShownWhole() {
    m_f->open(writeFile(m_f->root / "one & two.gguf", tinyModel()));
    m_f->open(writeFile(m_f->root / "b.gguf", tinyModel()));
    QVERIFY(test::waitUntilIdle());
    TabStrip* strip = m_f->window->findChild<TabStrip*>();
    QCOMPARE(strip->tabs()->shownTitle(0), QStringLiteral("one & two"));
    QVERIFY(!test::named<QToolButton>(strip, "List of tabs")->isVisible());
}

GUFO_TEST_WIDGETS(TestTabStrip)
#include "tst_tab_strip.moc"
