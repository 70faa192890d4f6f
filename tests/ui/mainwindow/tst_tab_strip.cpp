// Tests that tabs keep their names, however many there are.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/mainwindow/tabs/tab_titles.h"
#include "ui/widgets/elided_name.h"

#include <QAction>
#include <QMenu>
#include <QToolButton>

#include <ctime>

using namespace gufo;
using namespace gufo::ui;

namespace {

// Processor time of this thread.
double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

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
    void distinguishesEqualNames_data();
    void distinguishesEqualNames();
    void showsWhatDistinguishesTabs();
    void togetherOrOneByOne();
    void opensTwoHundredAtOnce();

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

void TestTabStrip::distinguishesEqualNames_data() {
    QTest::addColumn<QStringList>("locations");
    QTest::addColumn<QStringList>("titles"); // all tabs are called "m"
    QTest::newRow("one") << QStringList{"~/a/m.gguf"} << QStringList{"m"};
    QTest::newRow("folders") << QStringList{"~/a/m.gguf", "~/b/m.gguf"} << QStringList{"m — a", "m — b"};
    QTest::newRow("a folder above") << QStringList{"~/run1/out/m.gguf", "~/run2/out/m.gguf"}
                                    << QStringList{"m — run1", "m — run2"};
    QTest::newRow("names of files") << QStringList{"~/a/m.gguf", "~/a/m.safetensors"}
                                    << QStringList{"m — m.gguf", "m — m.safetensors"};
    QTest::newRow("two levels") << QStringList{"~/x/1/m.gguf", "~/x/2/m.gguf", "~/y/2/m.gguf"}
                                << QStringList{"m — x/1", "m — x/2", "m — y/2"};
    QTest::newRow("one below the other") << QStringList{"/m.gguf", "/a/m.gguf"} << QStringList{"m", "m — a"};
    QTest::newRow("a server") << QStringList{"~/a/m.gguf", "hf.co/owl/night/m.gguf"}
                              << QStringList{"m — a", "m — night"};
    QTest::newRow("the same twice") << QStringList{"~/a/m.gguf", "~/a/m.gguf"} << QStringList{"m", "m"};
}

void TestTabStrip::distinguishesEqualNames() {
    QFETCH(QStringList, locations);
    QFETCH(QStringList, titles);
    std::vector<TabName> names;
    for (const QString& location : locations) {
        names.push_back({QStringLiteral("m"), location});
    }
    names.push_back({QStringLiteral("other"), QStringLiteral("~/a/other.gguf")});
    const std::vector<QString> told = distinctTitles(names);
    QCOMPARE(QStringList(told.begin(), told.end() - 1), titles);
    QCOMPARE(told.back(), QStringLiteral("other"));
}

void TestTabStrip::showsWhatDistinguishesTabs() {
    fs::create_directories(m_f->root / "first");
    fs::create_directories(m_f->root / "second");
    const fs::path first = writeFile(m_f->root / "first" / "m.gguf", tinyModel());
    ModelTab* tab = m_f->open(first);
    TabBar* bar = m_f->window->findChild<TabStrip*>()->tabs();
    QCOMPARE(bar->title(0), QStringLiteral("m"));
    m_f->open(writeFile(m_f->root / "second" / "m.gguf", tinyModel()));
    QCOMPARE(bar->title(0), QStringLiteral("m — first"));
    QCOMPARE(bar->title(1), QStringLiteral("m — second"));
    QCOMPARE(m_f->window->windowTitle(), QStringLiteral("m — second[*] — Gufo"));
    // The mark of unsaved changes stays, and the title is as before when the other tab is closed.
    QVERIFY(tab->document()->apply({SetKey{"general.name", OwnedValue::string("x")}}, QStringLiteral("edit")));
    QVERIFY(bar->isModified(0));
    QTest::keyClick(m_f->window, Qt::Key_W, Qt::ControlModifier);
    QTRY_COMPARE(bar->count(), 1);
    QCOMPARE(bar->title(0), QStringLiteral("m"));
    QVERIFY(bar->isModified(0));
    QTRY_COMPARE(m_f->window->windowTitle(), QStringLiteral("m[*] — Gufo"));
}

// While models are added together the tabs are not measured, which must not show afterwards.
void TestTabStrip::togetherOrOneByOne() {
    Places places;
    for (const char* name : {"m.gguf", "Qwen3-4B-Instruct-2507-Q4_K_M.gguf", "model-of-some-length.gguf"}) {
        places.emplace_back(writeFile(m_f->root / name, tinyModel()));
    }
    const auto openedBy = [&](const auto& open) {
        m_f->window = m_f->newWindow();
        open();
        const auto* tabs = m_f->window->findChild<TabBar*>();
        // Until the window is laid out, the row is narrow, and scrolled to its last tab.
        (void)QTest::qWaitFor([&] { return tabs->tabRect(0).x() == 0; });
        QList<QRect> rects;
        for (int i = 0; i < tabs->count(); ++i) {
            rects.push_back(tabs->tabRect(i));
            rects.push_back(tabs->tabButton(i, QTabBar::RightSide)->geometry());
        }
        return rects;
    };
    const QList<QRect> together = openedBy([&] { m_f->window->openPlaces(places); });
    const QList<QRect> oneByOne = openedBy([&] {
        for (const auto& place : places) {
            m_f->window->openPlaces({place});
        }
    });
    QCOMPARE(together.size(), 6);
    QCOMPARE(together[0].x(), 0);
    QCOMPARE(together, oneByOne);
    QVERIFY(together[0].width() < together[4].width() && together[4].width() < together[2].width());
}

// Two hundred take ten times as long as twenty. If the row was laid out after each of them, they would take a thousand
// times as long, and forty times if only the widths of tabs were measured again.
void TestTabStrip::opensTwoHundredAtOnce() {
    const auto openAtOnce = [&](int count) {
        Places places;
        for (int i = 0; i < count; ++i) {
            places.emplace_back(writeFile(m_f->root / ("model-" + std::to_string(i) + ".gguf"), tinyModel()));
        }
        m_f->window = m_f->newWindow(); // the one before is closed with its tabs
        const double start = threadSeconds();
        m_f->window->openPlaces(places);
        for (int before = 0, now = m_f->window->tabCount(); before < count; now = m_f->window->tabCount()) {
            if (now - before > 24) { // in one turn of the event loop
                return -1.0;
            }
            before = now;
            QCoreApplication::processEvents();
        }
        const double seconds = threadSeconds() - start;
        const auto areRead = [&] {
            for (int i = 0; i < count; ++i) {
                if (m_f->window->modelTabAt(i)->model() == nullptr) {
                    return false;
                }
            }
            return true;
        };
        return QTest::qWaitFor(areRead, 120'000) && m_f->window->tabCount() == count ? seconds : -1.0;
    };
    const double few = openAtOnce(20);
    QVERIFY(few > 0);
    const double many = openAtOnce(200);
    QVERIFY(many > 0);
    QVERIFY2(many < 30 * few, qPrintable(QStringLiteral("%1 s, %2 s").arg(few).arg(many)));
    QCOMPARE(m_f->window->currentModelTab(), m_f->window->modelTabAt(199));
    QCOMPARE(m_f->window->windowTitle(), QStringLiteral("model-199[*] — Gufo"));
    QVERIFY(m_f->window->findChild<TabStrip*>()->tabs()->isVisible());
    for (int i = 0; i < 200; ++i) {
        m_f->window->namedAction("closeTab")->trigger();
    }
    QTRY_VERIFY(m_f->window->currentModelTab() == nullptr);
}

GUFO_TEST_WIDGETS(TestTabStrip)
#include "tst_tab_strip.moc"
