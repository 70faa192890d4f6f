// Side by side in the window: files on one text in lock step, its table, plot and figures; stopped, refused, quick.
#include "base/error.h"
#include "compared_models.h"
#include "inference/session/perplexity.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/compare/lock_step/lock_step_page.h"
#include "ui/compare/lock_step/lock_step_plot.h"
#include "ui/widgets/job_bar.h"

#include <QAbstractItemModelTester>
#include <QDir>

using namespace gufo;
using namespace gufo::ui;

class TestSideBySide : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!QDir(QStringLiteral(GUFO_SHARED_DIR "/thirdparty/models")).exists()) {
            QSKIP("the models under shared/ are not here");
        }
    }
    void init() {
        m_f = std::make_unique<WindowFixture>();
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(m_f->root.native()));
    }
    void cleanup() { m_f.reset(); }
    void findsWhereTheyPart();
    void stops();
    void staysQuick();
    void refuses();
    void comesBack();

private:
    static fs::path model(const char* type) {
        return fs::path(GUFO_SHARED_DIR "/thirdparty/models") / (std::string("stories260K") + type + ".gguf");
    }
    LockStepPage* open(const std::vector<fs::path>& files) const {
        m_f->manager->compareFiles(files);
        CompareTab* tab = m_f->window->currentCompareTab();
        if (tab == nullptr ||
            !QTest::qWaitFor([tab] { return tab->isReady() && tab->comparison().result(); }, 30'000)) {
            return nullptr;
        }
        for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
            if (auto* page = qobject_cast<LockStepPage*>(tab->pages()[static_cast<std::size_t>(i)])) {
                tab->showPage(i);
                return page;
            }
        }
        return nullptr;
    }

    std::unique_ptr<WindowFixture> m_f;
};

void TestSideBySide::findsWhereTheyPart() {
    LockStepPage* page = open({model(".Q4_0"), model(""), model(".Q8_0")});
    QVERIFY(page != nullptr);
    const QAbstractItemModelTester tester(page->table()->model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(page->runButton()->text(), QStringLiteral("Run"));
    page->mostField()->setValue(60);
    QTest::keyClick(page->textField(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(page->run().state(), LockStepRun::State::Running);
    QTRY_COMPARE_WITH_TIMEOUT(page->run().state(), LockStepRun::State::Done, 60'000);
    const auto& places = page->run().places();
    QCOMPARE(places.size(), std::size_t{4 + 60}); // the beginning of the text, four tokens of it
    QCOMPARE(page->run().files().front().path, model(""));
    const auto first = page->run().firstDifference();
    QVERIFY(first);
    for (std::size_t i = 0; i < *first; ++i) {
        QVERIFY(places[i].choices[1].token == places[i].choices[0].token &&
                places[i].choices[2].token == places[i].choices[0].token);
    }
    // The table tells it, marks the first difference and shows the candidates of all.
    auto* table = page->table()->model();
    QCOMPARE(table->columnCount(), 7);
    const auto row = static_cast<int>(*first);
    QVERIFY(table->index(row, 0).data(Qt::FontRole).value<QFont>().bold());
    QVERIFY(!table->index(row - 1, 0).data(Qt::FontRole).value<QFont>().bold());
    const bool second = places[*first].choices[1].token != places[*first].choices[0].token;
    QVERIFY(table->index(row, second ? 3 : 5).data(Qt::BackgroundRole).isValid());
    const QString tip = table->index(row, 1).data(Qt::ToolTipRole).toString();
    QVERIFY(tip.contains(QStringLiteral("Q8_0")) && tip.contains(QStringLiteral("Q4_0")));
    QVERIFY(tip.contains(page->run().tokenText(places[*first].choices[0].token).toHtmlEscaped()));
    QVERIFY(page->summaryText().contains(QStringLiteral("first difference after token")));
    // The plot and the table choose together.
    for (int i = 0; i < page->plot()->graphCount(); ++i) {
        QCOMPARE(page->plot()->graph(i)->dataCount(), static_cast<int>(places.size()));
    }
    page->table()->selectRow(5);
    QCOMPARE(page->plot()->chosen(), 5);
    QTest::keyClick(page->plot(), Qt::Key_Right);
    QCOMPARE(page->table()->currentIndex().row(), 6);
    QVERIFY(page->copyText(CopyFormat::Tsv).count('\n') >= 1);
    QVERIFY(!page->plot()->accessibleName().isEmpty());
}

void TestSideBySide::stops() {
    LockStepPage* page = open({model(""), model(".Q4_0")});
    QVERIFY(page != nullptr);
    page->mostField()->setValue(4'000);
    QTest::mouseClick(page->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(page->run().places().size() > 10, 30'000);
    const QPointer<Job> job = page->run().job();
    QCOMPARE(page->runButton()->text(), QStringLiteral("Stop"));
    auto* bar = page->findChild<JobBar*>();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(!bar->findChild<QToolButton*>(QStringLiteral("cancelJob"))->isVisible()); // one button stops
    QTest::mouseClick(page->runButton(), Qt::LeftButton);
    QCOMPARE(page->run().state(), LockStepRun::State::Stopped);
    const std::size_t found = page->run().places().size();
    QTRY_VERIFY_WITH_TIMEOUT(job.isNull(), 5'000); // it has ended, and not by itself
    QVERIFY(found < 4'000);
    QCOMPARE(page->run().places().size(), found);
    QCOMPARE(page->table()->model()->rowCount(), static_cast<int>(found));
}

void TestSideBySide::staysQuick() {
    QVERIFY(isQuickOnce([&] {
        cleanup();
        init();
        LockStepPage* page = open({model(""), model(".Q8_0"), model(".Q4_0")});
        if (page == nullptr) {
            return false;
        }
        page->mostField()->setValue(400);
        UiWatchdog watchdog;
        watchdog.step("run");
        page->toggle();
        if (!QTest::qWaitFor([page] { return page->run().state() == LockStepRun::State::Done; }, 60'000)) {
            return false;
        }
        watchdog.step("close while running");
        page->toggle();
        QTest::qWait(200);
        m_f->window->namedAction("closeTab")->trigger();
        QTest::qWait(100);
        watchdog.finish();
        Job::waitForAll();
        return watchdog.isQuick();
    }));
}

void TestSideBySide::refuses() {
    const auto small = m_f->root / "small.gguf";
    test::writeCompareModel(small, {});
    LockStepPage* page = open({model(""), small});
    QVERIFY(page != nullptr);
    page->toggle();
    QTRY_COMPARE_WITH_TIMEOUT(page->run().state(), LockStepRun::State::Failed, 30'000);
    QVERIFY(!page->run().error().isEmpty());
    page->textField()->clear();
    QVERIFY(!page->runButton()->isEnabled());
}

void TestSideBySide::comesBack() {
    LockStepPage* page = open({model(""), model(".Q4_0")});
    QVERIFY(page != nullptr);
    page->textField()->setPlainText(QStringLiteral("One day"));
    page->mostField()->setValue(7);
    const QJsonObject state = page->saveState();
    page->textField()->setPlainText(QStringLiteral("other"));
    page->mostField()->setValue(70);
    page->restoreState(state);
    QCOMPARE(page->textField()->toPlainText(), QStringLiteral("One day"));
    QCOMPARE(page->mostField()->value(), 7);
}

GUFO_TEST_WIDGETS(TestSideBySide)
#include "tst_side_by_side.moc"
