// All ways of opening a comparison in a real window, cancelling it, what goes wrong, and how it returns with the
// session.
#include "compare_tab_test.h"
#include "support/idle.h"
#include "support/ui_watchdog.h"
#include "support/user_view.h"
#include "test_paths.h"
#include "ui/compare/choose_files.h"
#include "ui/compare/differences/metadata_diff_page.h"
#include "ui/compare/differences/template_diff_page.h"
#include "ui/compare/drill_down/block_values.h"
#include "ui/compare/drill_down/density_plot.h"
#include "ui/compare/drill_down/drill_down.h"
#include "ui/compare/drill_down/error_map.h"
#include "ui/compare/drill_down/pair_list.h"
#include "ui/compare/drill_down/series_histogram.h"
#include "ui/compare/file_chips.h"
#include "ui/compare/map/map_page.h"
#include "ui/compare/trade_off/trade_off_page.h"
#include "ui/compare/trade_off/trade_off_plot.h"
#include "ui/mainwindow/drop_choice.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/shell/notice_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>

using namespace gufo;
using namespace gufo::ui;

class TestCompareOpening : public test::CompareTabTest {
    Q_OBJECT

private slots:
    void init() { openWindow(); }
    void cleanup() { m_f.reset(); }
    void opensFromTheCommandLine();
    void opensFromTheMenu();
    void choosesWhatRunsSideBySide();
    void offersToCompareWhatWasOpenedTogether();
    void droppedOnAModel();
    void cancelsAndGoesOn();
    void problems();
    void aFileWithItself();
    void comesBackWithTheSession();
    void comesBackUnseen();
    void pagesMadeLateShowEverything();
};

void TestCompareOpening::opensFromTheCommandLine() {
    CompareTab* tab = open({m_q4, m_f32});
    QVERIFY(tab != nullptr);
    QCOMPARE(m_f->window->tabCount(), 1); // replaces the start page
    QCOMPARE(tab->title(), QStringLiteral("m: Q4_0 ↔ F32"));
    QVERIFY(tab->comparison().referencePlace() == m_f32);
    QVERIFY(m_f->window->findChild<ElidedLabel*>("statusText")
                ->text()
                .startsWith(QStringLiteral("Compared 14 tensors of 2 files")));
    QVERIFY(m_f->window->findChild<StatusStrip*>()->rightTexts().contains(QStringLiteral("All shapes equal")));
    QVERIFY(m_f->window->namedAction("exportHtml")->isEnabled());
    m_f->manager->compareFiles({m_f32}); // a single file is opened instead
    QVERIFY(m_f->window->currentModelTab() != nullptr);
}

void TestCompareOpening::opensFromTheMenu() {
    m_f->open(m_f32);
    m_f->open(m_q8);
    m_f->window->namedAction("compare")->trigger();
    auto* dialog = m_f->window->findChild<ChooseFiles*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->list()->count(), 2);
    QVERIFY(!test::named<QPushButton>(dialog, "Compare")->isEnabled()); // only the current tab's model is selected
    dialog->list()->item(0)->setCheckState(Qt::Checked);
    QVERIFY(test::named<QPushButton>(dialog, "Compare")->isEnabled());
    QTest::mouseClick(test::named<QPushButton>(dialog, "Compare"), Qt::LeftButton);
    CompareTab* tab = m_f->window->currentCompareTab();
    QVERIFY(tab != nullptr && waitDone(tab));
    QCOMPARE(m_f->window->tabCount(), 3);
}

// The dialog for running side by side offers what can be run, under its own title: encoders generate nothing.
void TestCompareOpening::choosesWhatRunsSideBySide() {
    const fs::path encoder = fs::path(GUFO_SHARED_DIR) / "fixtures/encoders/bert.gguf";
    if (!fs::exists(encoder)) {
        QSKIP("the file " GUFO_SHARED_DIR "/fixtures/encoders/bert.gguf is missing");
    }
    m_f->open(m_f32);
    m_f->open(encoder);
    m_f->open(m_q8);
    m_f->window->namedAction("sideBySide")->trigger();
    auto* dialog = m_f->window->findChild<ChooseFiles*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->windowTitle(), QStringLiteral("Run models side by side"));
    QCOMPARE(dialog->list()->count(), 2);
    QVERIFY(test::named<QPushButton>(dialog, "Run") != nullptr);
    dialog->reject();
}

void TestCompareOpening::offersToCompareWhatWasOpenedTogether() {
    const auto offer = [&]() -> NoticeBar* {
        for (NoticeBar* bar : m_f->window->findChildren<NoticeBar*>()) {
            if (bar->isVisible() && bar->text().contains(QStringLiteral("together"))) {
                return bar;
            }
        }
        return nullptr;
    };
    const fs::path damaged = fs::path(m_f32).replace_filename("damaged.gguf");
    QFile file(QString::fromStdString(damaged.native()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no model");
    file.close();
    // With a single readable model there is nothing to compare.
    m_f->window->openPlaces({m_f32, damaged});
    QTRY_VERIFY(m_f->window->findTab(damaged)->hasFailed());
    QTRY_VERIFY(m_f->window->findTab(m_f32)->model() != nullptr);
    QVERIFY(offer() == nullptr);
    m_f->window->openPlaces({m_f32, m_q8, damaged, m_q4});
    QTRY_VERIFY(offer() != nullptr);
    QVERIFY2(offer()->text().startsWith(QStringLiteral("3 models")), qPrintable(offer()->text()));
    // A closed model is no longer offered, and one model alone is not either.
    const auto close = [&](const fs::path& model) {
        m_f->window->showTab(m_f->window->findTab(model));
        m_f->window->namedAction("closeTab")->trigger();
        QVERIFY(m_f->window->findTab(model) == nullptr);
    };
    close(damaged);
    QVERIFY2(offer()->text().startsWith(QStringLiteral("3 models")), qPrintable(offer()->text()));
    close(m_q4);
    QVERIFY2(offer()->text().startsWith(QStringLiteral("2 models")), qPrintable(offer()->text()));
    close(m_q8);
    QVERIFY(offer() == nullptr);
    m_f->window->openPlaces({m_f32, m_q8, m_q4});
    QTRY_VERIFY(offer() != nullptr);
    QTest::mouseClick(offer()->actionButton(), Qt::LeftButton);
    QVERIFY(m_f->window->currentCompareTab() != nullptr);
    QCOMPARE(m_f->window->currentCompareTab()->comparison().places().size(), 3U);
    QVERIFY(offer() == nullptr);
}

void TestCompareOpening::droppedOnAModel() {
    m_f->open(m_f32);
    const auto drop = [&](const fs::path& file, QPoint at) {
        QMimeData data;
        data.setData(QStringLiteral("text/uri-list"), "file://" + QByteArray::fromStdString(file.native()) + "\r\n");
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_f->window, &enter);
        auto* choice = m_f->window->findChild<DropChoice*>();
        const bool shown = choice->isVisible();
        QDropEvent dropped(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_f->window, &dropped);
        return shown && !choice->isVisible();
    };
    QVERIFY(drop(m_q8, {1300, 500}));
    QTRY_VERIFY(m_f->window->currentCompareTab() != nullptr);
    CompareTab* tab = m_f->window->currentCompareTab();
    QCOMPARE(tab->comparison().places(), (Places{m_f32, m_q8}));
    QVERIFY(waitDone(tab));
    QVERIFY(drop(m_q4, {1300, 500})); // one more
    QTRY_COMPARE(tab->comparison().places().size(), 3U);
    QVERIFY(waitDone(tab));
    QVERIFY(drop(m_q8, {300, 500})); // on the other side, which opens the file
    QTRY_VERIFY(m_f->window->currentModelTab() != nullptr);
}

void TestCompareOpening::cancelsAndGoesOn() {
    const test::CompareModel large{.blocks = 40, .width = 4096};
    test::CompareModel small = large;
    small.type = TensorType::Q4_0;
    const fs::path a = write("large-F32.gguf", large);
    const fs::path b = write("large-Q4_0.gguf", small);
    m_f->manager->compareFiles({a, b});
    CompareTab* tab = m_f->window->currentCompareTab();
    // Cancels as soon as it compares: a test that polls for the state can miss it on a busy machine.
    QElapsedTimer clock;
    connect(
        &tab->comparison(), &Comparison::stateChanged, tab,
        [tab, &clock] {
            if (!clock.isValid() && tab->comparison().state() == Comparison::State::Comparing) {
                clock.start();
                tab->cancel();
            }
        },
        Qt::QueuedConnection);
    QTRY_COMPARE_WITH_TIMEOUT(tab->comparison().state(), Comparison::State::Cancelled, 30'000);
    Job::waitForAll(); // the job's function has returned
    QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
    // The cancel came while work was left, and no more is done.
    const std::size_t done = tab->comparison().rowsDone();
    QVERIFY(done < tab->comparison().matches()->rows.size());
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(tab->comparison().rowsDone(), done);
    QCOMPARE(tab->comparison().state(), Comparison::State::Cancelled);
    auto* notice = tab->findChild<NoticeBar*>();
    QVERIFY(notice->isVisible() && notice->text().contains(QStringLiteral("Cancelled")));
    QTest::mouseClick(notice->actionButton(), Qt::LeftButton);
    QVERIFY(waitDone(tab));
    QCOMPARE(tab->comparison().rowsDone(), tab->comparison().matches()->rows.size());
    m_f->window->namedAction("closeTab")->trigger(); // while nothing is running
    m_f->manager->compareFiles({a, b});
    m_f->window->namedAction("closeTab")->trigger(); // while it is running
}

void TestCompareOpening::problems() {
    // One of the two files cannot be read.
    m_f->manager->compareFiles({m_f32, writeFile(m_f->root / "not.gguf", "no model")});
    CompareTab* tab = m_f->window->currentCompareTab();
    QTRY_VERIFY(tab->hasFailed());
    QVERIFY(tab->errorText().contains(QStringLiteral("not.gguf")));
    QVERIFY(!m_f->window->namedAction("exportHtml")->isEnabled());
    tab->addFiles({m_q8}); // two of the three can be read
    QVERIFY(waitDone(tab));
    QVERIFY(!tab->hasFailed());
    const auto* chips = tab->findChild<FileChips*>();
    QTRY_COMPARE(chips->findChildren<FileChip*>().size(), 3);
    // Models without common tensors: neither names nor weights are alike.
    CompareTab* apart = open({m_f32, write("apart.gguf", {.architecture = "other", .prefix = "x.", .garbled = true})});
    QVERIFY(apart != nullptr);
    auto* map = page<MapPage>(apart);
    QTRY_VERIFY(!map->map().isVisible());
    // A change on disk is reported.
    CompareTab* changing = open({m_f32, m_q4});
    writeFile(m_q4, "something else");
    changing->checkFiles();
    QTRY_VERIFY(changing->findChild<NoticeBar*>()->isVisible());
    QVERIFY(changing->findChild<NoticeBar*>()->text().contains(QStringLiteral("changed on disk")));
}

void TestCompareOpening::comesBackWithTheSession() {
    CompareTab* tab = open({m_f32, m_q8, m_q4});
    tab->comparison().setReference(m_q8);
    tab->showPage(2);
    m_f->window->close();
    m_f->window = m_f->newWindow();
    m_f->window->namedAction("restoreSession")->trigger();
    CompareTab* again = m_f->window->currentCompareTab();
    QVERIFY(again != nullptr && waitDone(again));
    QCOMPARE(again->comparison().places(), (Places{m_f32, m_q8, m_q4}));
    QVERIFY(again->comparison().referencePlace() == m_q8);
    QVERIFY(qobject_cast<MetadataDiffPage*>(again->currentPage()) != nullptr);
    // Also after the tab was closed.
    m_f->window->namedAction("closeTab")->trigger();
    m_f->window->namedAction("reopen")->trigger();
    QVERIFY(m_f->window->currentCompareTab() != nullptr);
}

void TestCompareOpening::aFileWithItself() {
    m_f->manager->compareFiles({m_f32, m_f32});
    CompareTab* tab = m_f->window->currentCompareTab();
    QVERIFY(tab != nullptr);
    QTRY_VERIFY(tab->hasFailed());
    QVERIFY2(tab->errorText().contains(QStringLiteral("m-F32.gguf with itself")), qPrintable(tab->errorText()));
    tab->addFiles({m_q8});
    QVERIFY(waitDone(tab));
}

// A tab that was not the current one reads its files when it is looked at, and then shows all of them on every page.
void TestCompareOpening::comesBackUnseen() {
    CompareTab* tab = open({m_f32, m_q8, m_q4});
    tab->comparison().setReference(m_q8);
    QVERIFY(waitDone(tab));
    tab->showPage(static_cast<int>(tab->pages().size()) - 1);
    m_f->open(m_f32);
    m_f->window->close();
    m_f->window = m_f->newWindow();
    m_f->window->namedAction("restoreSession")->trigger();
    QVERIFY(WindowFixture::waitOpened(m_f->window->currentModelTab()));
    QVERIFY(test::waitUntilIdle());
    auto* again = qobject_cast<CompareTab*>(m_f->window->tabAt(0));
    QVERIFY(again != nullptr);
    QCOMPARE(again->comparison().places(), (Places{m_f32, m_q8, m_q4}));
    QVERIFY(again->comparison().files().empty()); // not read yet
    m_f->window->findChild<TabStrip*>()->tabs()->setCurrentIndex(0);
    QVERIFY(waitDone(again));
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(again->currentPage(), again->pages().back());
    auto* map = page<MapPage>(again);
    QTRY_VERIFY(map->map().grid() != nullptr && map->row().has_value());
    const auto* reference = test::named<QComboBox>(map, "Reference");
    QCOMPARE(reference->count(), 3);
    QCOMPARE(reference->currentIndex(), 1);
    QVERIFY(map->list().model().rowCount() > 0);
}

void TestCompareOpening::pagesMadeLateShowEverything() {
    CompareTab* tab = open({m_f32, m_q8, m_q4});
    MapPage late(tab->comparison());
    QVERIFY(late.map().grid() == nullptr);
    tab->comparison().announce();
    QTRY_VERIFY(late.map().grid() != nullptr && late.row().has_value());
    QCOMPARE(test::named<QComboBox>(&late, "Reference")->count(), 3);
}

GUFO_TEST_WIDGETS(TestCompareOpening)
#include "tst_compare_opening.moc"
