// Tests the page that runs files in lock step: its table, plot and figures, stopping, refusals, and responsiveness.
#include "base/error.h"
#include "compared_models.h"
#include "inference/measuring/perplexity.h"
#include "inference/process/process_model.h"
#include "llama_double_model.h"
#include "support/idle.h"
#include "support/real_server.h"
#include "support/run_models.h"
#include "support/server_double.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"
#include "support/user_view.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/compare/lock_step/lock_step_page.h"
#include "ui/compare/lock_step/lock_step_plot.h"
#include "ui/messages/engine_text.h"
#include "ui/widgets/job_bar.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace gufo;
using namespace gufo::ui;

namespace {

Result<std::shared_ptr<const inference::LoadedModel>> loadInStandIn(std::shared_ptr<const Model> model) {
    return inference::loadInProcess(std::move(model), GUFO_LLAMA_HELPER_DOUBLE);
}

// Gufo's own engine, and libllama as run by the stand-in.
const std::array<inference::Engine, 2> kWithLibllama{
    {inference::engines().front(),
     {.id = "libllama",
      .capabilities = inference::kLibllamaCapabilities,
      .obeys = inference::kLibllamaObeys,
      .load = loadInStandIn,
      .version = [](const JobContext& job) { return inference::versionOfProcess(GUFO_LLAMA_HELPER_DOUBLE, job); }}}};

} // namespace

class TestSideBySide : public QObject {
    Q_OBJECT

private slots:
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
    void asksTheEngine();
    void comparesWithAServer();
    void refusesOtherServers();
    void comparesWithLibllama_data();
    void comparesWithLibllama();
    void saysThatLibllamaIsMissing();
    void comparesWithARealServer();

private:
    // Two files with the same model, which the server double can play.
    Places runnableFiles() const {
        const auto bytes = test::runnableFile().build();
        const std::array paths{m_f->root / "first.gguf", m_f->root / "second.gguf"};
        for (const fs::path& path : paths) {
            QFile file(QString::fromStdString(path.native()));
            if (!file.open(QIODevice::WriteOnly) ||
                file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())) !=
                    static_cast<qint64>(bytes.size())) {
                return {};
            }
        }
        return {paths.begin(), paths.end()};
    }
    static fs::path model(const char* type) {
        return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
    }
    LockStepPage* open(const Places& files) const {
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
    LockStepPage* page = open({model("Q4_K"), model("F16"), model("Q8_0")});
    QVERIFY(page != nullptr);
    const QAbstractItemModelTester tester(page->table()->model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(page->runButton()->text(), QStringLiteral("Run"));
    page->lengthField()->setValue(60);
    QTest::keyClick(test::named<QPlainTextEdit>(page, "Text"), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(page->run().state(), LockStepRun::State::Running);
    QTRY_COMPARE_WITH_TIMEOUT(page->run().state(), LockStepRun::State::Done, 60'000);
    const auto& places = page->run().places();
    QCOMPARE(places.size(), std::size_t{4 + 60}); // the beginning of the text, four tokens of it
    QCOMPARE(page->run().files().front().place, model("F16"));
    const auto first = page->run().firstDifference();
    QVERIFY(first);
    for (std::size_t i = 0; i < *first; ++i) {
        QVERIFY(places[i].choices[1].token == places[i].choices[0].token &&
                places[i].choices[2].token == places[i].choices[0].token);
    }
    // The table shows it, marks the first difference and shows the candidates of all files.
    auto* table = page->table()->model();
    QCOMPARE(table->columnCount(), 7);
    const auto row = static_cast<int>(*first);
    QVERIFY(table->index(row, 0).data(Qt::FontRole).value<QFont>().bold());
    QVERIFY(!table->index(row - 1, 0).data(Qt::FontRole).value<QFont>().bold());
    const bool second = places[*first].choices[1].token != places[*first].choices[0].token;
    QVERIFY(table->index(row, second ? 3 : 5).data(Qt::BackgroundRole).isValid());
    const QString tip = table->index(row, 1).data(Qt::ToolTipRole).toString();
    QVERIFY(tip.contains(QStringLiteral("Q8_0")) && tip.contains(QStringLiteral("Q4_K")));
    QVERIFY(tip.contains(page->run().tokenText(places[*first].choices[0].token).toHtmlEscaped()));
    // All texts number the token at which the files differ as the table does.
    const QString number = table->index(row, 0).data().toString();
    QCOMPARE(number, QString::number(places[*first].position));
    QVERIFY(page->findChild<QLabel*>("summary")->text().contains(
        QStringLiteral("first difference at token %1").arg(number)));
    QVERIFY(tip.contains(QStringLiteral("Token %1 is").arg(number)));
    // The plot and the table share the selection.
    for (int i = 0; i < page->plot()->graphCount(); ++i) {
        QCOMPARE(page->plot()->graph(i)->dataCount(), static_cast<int>(places.size()));
    }
    // Its axis reaches every divergence that the table shows, however small.
    const QCPRange shown = page->plot()->yAxis->range();
    for (const inference::LockStepPlace& place : places) {
        for (const inference::LockStepChoice& choice : place.choices) {
            QVERIFY(choice.divergence <= shown.upper);
            QVERIFY(choice.divergence <= LockStepPlot::kMinimum || choice.divergence >= shown.lower);
        }
    }
    page->table()->selectRow(5);
    QCOMPARE(page->plot()->chosen(), 5);
    QTest::keyClick(page->plot(), Qt::Key_Right);
    QCOMPARE(page->table()->currentIndex().row(), 6);
    QVERIFY(page->copyText(CopyFormat::Tsv).count('\n') >= 1);
    QVERIFY(!page->plot()->accessibleName().isEmpty());
}

void TestSideBySide::stops() {
    LockStepPage* page = open({model("F16"), model("Q4_K")});
    QVERIFY(page != nullptr);
    // Long enough that the run goes on after its progress is shown; what the sample model generates soon ends.
    test::named<QPlainTextEdit>(page, "Text")
        ->setPlainText(QStringLiteral("One day an owl went out. ").repeated(1'000));
    page->lengthField()->setValue(4'000);
    QSignalSpy added(&page->run(), &LockStepRun::placesAdded);
    QTest::mouseClick(page->runButton(), Qt::LeftButton);
    while (page->run().places().size() <= 10) { // QTRY_VERIFY polls too seldom: the run may have ended meanwhile
        QVERIFY(added.wait(30'000));
    }
    const QPointer<Job> job = page->run().job();
    QCOMPARE(page->runButton()->text(), QStringLiteral("Stop"));
    auto* bar = page->findChild<JobBar*>();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY(!bar->findChild<QToolButton*>(QStringLiteral("cancelJob"))->isVisible()); // one button stops
    QTest::mouseClick(page->runButton(), Qt::LeftButton);
    QCOMPARE(page->run().state(), LockStepRun::State::Stopped);
    const std::size_t found = page->run().places().size();
    QTRY_VERIFY_WITH_TIMEOUT(job.isNull(), 5'000); // it has ended early
    QVERIFY(found < 4'000);
    QCOMPARE(page->run().places().size(), found);
    QCOMPARE(page->table()->model()->rowCount(), static_cast<int>(found));
}

void TestSideBySide::staysQuick() {
    QVERIFY(isQuickOnce([&] {
        cleanup();
        init();
        LockStepPage* page = open({model("F16"), model("Q8_0"), model("Q4_K")});
        if (page == nullptr) {
            return false;
        }
        page->lengthField()->setValue(400);
        UiWatchdog watchdog;
        watchdog.step("run");
        page->toggle();
        if (!QTest::qWaitFor([page] { return page->run().state() == LockStepRun::State::Done; }, 60'000)) {
            return false;
        }
        watchdog.step("close while running");
        page->toggle();
        if (!QTest::qWaitFor([page] { return page->run().places().size() > 10; }, 60'000)) {
            return false;
        }
        m_f->window->namedAction("closeTab")->trigger();
        const bool idle = test::waitUntilIdle();
        watchdog.finish();
        Job::waitForAll();
        return idle && watchdog.isQuick();
    }));
}

void TestSideBySide::refuses() {
    const auto small = m_f->root / "small.gguf";
    test::writeCompareModel(small, {});
    LockStepPage* page = open({model("F16"), small});
    QVERIFY(page != nullptr);
    page->toggle();
    QTRY_COMPARE_WITH_TIMEOUT(page->run().state(), LockStepRun::State::Failed, 30'000);
    QVERIFY(!page->run().error().isEmpty());
    test::named<QPlainTextEdit>(page, "Text")->clear();
    QVERIFY(!page->runButton()->isEnabled());
}

void TestSideBySide::comesBack() {
    LockStepPage* page = open({model("F16"), model("Q4_K")});
    QVERIFY(page != nullptr);
    test::named<QPlainTextEdit>(page, "Text")->setPlainText(QStringLiteral("One day"));
    page->lengthField()->setValue(7);
    const QJsonObject state = page->saveState();
    test::named<QPlainTextEdit>(page, "Text")->setPlainText(QStringLiteral("other"));
    page->lengthField()->setValue(70);
    page->restoreState(state);
    QCOMPARE(test::named<QPlainTextEdit>(page, "Text")->toPlainText(), QStringLiteral("One day"));
    QCOMPARE(page->lengthField()->value(), 7);
}

// The comparison needs an engine that gives the logits of all tokens.
void TestSideBySide::asksTheEngine() {
    const LockStepPage* page = open({model("F16"), model("Q4_K")});
    QVERIFY(page != nullptr);
    QVERIFY(page->runButton()->isEnabled());
    Comparison& comparison = m_f->window->currentCompareTab()->comparison();
    const LockStepPage full(comparison, nullptr, test::standIns());
    QVERIFY(full.runButton()->isEnabled());
    LockStepPage lacking(comparison, nullptr, test::standIns().first(2));
    QVERIFY(!lacking.runButton()->isEnabled());
    QCOMPARE(lacking.runButton()->toolTip(), featureMissingTip(inference::Feature::AllLogits));
    QTest::keyClick(test::named<QPlainTextEdit>(&lacking, "Text"), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(lacking.run().state(), LockStepRun::State::Nothing);
}

// A server takes part without being a file of the comparison; its divergence is a lower bound, and the page says so.
void TestSideBySide::comparesWithAServer() {
    LockStepPage* page = open(runnableFiles());
    QVERIFY(page != nullptr);
    const test::ServerDouble server(test::tinyRunnable(), {.key = "secret"});
    QVERIFY(!page->addressField()->isVisible());
    QTest::mouseClick(page->findChild<QCheckBox*>("serverBox"), Qt::LeftButton, {},
                      QPoint(8, page->findChild<QCheckBox*>("serverBox")->height() / 2));
    QVERIFY(page->addressField()->isVisible());
    QVERIFY(!page->runButton()->isEnabled()); // it has no address yet
    QTest::keyClicks(page->addressField(), QString::fromStdString(server.address()));
    QTest::keyClicks(page->keyField(), QStringLiteral("secret"));
    QVERIFY(page->runButton()->isEnabled());
    test::named<QPlainTextEdit>(page, "Text")->setPlainText(QStringLiteral("Once one two"));
    page->lengthField()->setValue(4);
    QVERIFY(server.seen().empty()); // nothing is sent before the user runs it
    QTest::mouseClick(page->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        page->run().state() == LockStepRun::State::Done || page->run().state() == LockStepRun::State::Failed, 30'000);
    QVERIFY2(page->run().state() == LockStepRun::State::Done, qPrintable(page->run().error()));
    const auto& places = page->run().places();
    QVERIFY(!places.empty() && places.front().choices.size() == 3);
    QCOMPARE(page->run().files().back().label, QString::fromStdString(server.address()));
    auto* table = page->table()->model();
    QCOMPARE(table->columnCount(), 7);
    QVERIFY2(table->index(0, 6).data().toString().startsWith(QStringLiteral("≥ ")),
             qPrintable(table->index(0, 6).data().toString()));
    QVERIFY(table->headerData(6, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("at least")));
    QVERIFY2(page->findChild<QLabel*>("summary")->text().contains(QStringLiteral("KL divergence at least")),
             qPrintable(page->findChild<QLabel*>("summary")->text()));
    // An edited address forgets the key; neither it nor the server's divergence is stored.
    QTest::keyClick(page->addressField(), Qt::Key_Backspace);
    QVERIFY(page->keyField()->text().isEmpty());
    const QJsonObject state = page->saveState();
    QVERIFY(!QJsonDocument(state).toJson().contains("secret"));
    page->findChild<QCheckBox*>("serverBox")->setChecked(false);
    page->restoreState(state);
    QVERIFY(page->findChild<QCheckBox*>("serverBox")->isChecked() && !page->addressField()->text().isEmpty());
}

void TestSideBySide::refusesOtherServers() {
    LockStepPage* page = open(runnableFiles());
    QVERIFY(page != nullptr);
    const test::ServerDouble other(test::tinyRunnable(), {.isOtherModel = true});
    const test::ServerDouble plain(test::tinyRunnable(), {.isLlamaServer = false});
    page->findChild<QCheckBox*>("serverBox")->setChecked(true);
    for (const test::ServerDouble* server : {&other, &plain}) {
        page->addressField()->setText(QString::fromStdString(server->address()));
        page->toggle();
        QTRY_COMPARE_WITH_TIMEOUT(page->run().state(), LockStepRun::State::Failed, 30'000);
        QVERIFY2(page->run().error().contains(QString::fromStdString(server->address()).mid(7)),
                 qPrintable(page->run().error()));
        QVERIFY(server->lastBody("/completion").empty());
    }
}

// The reference's model in libllama, as its stand-in runs it: with all logits, so that the divergence is no bound. A
// crash of its process ends the run with a message.
void TestSideBySide::comparesWithLibllama_data() {
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QString>("problem");
    QTest::newRow("runs") << QByteArray() << QString();
    QTest::newRow("crashes") << QByteArray("crash=decode") << QStringLiteral("signal 11");
}
void TestSideBySide::comparesWithLibllama() {
    QFETCH(QByteArray, settings);
    QFETCH(QString, problem);
    QVERIFY(open(runnableFiles()) != nullptr);
    const test::LlamaDoubleModel library;
    library.behave(settings);
    LockStepPage page(m_f->window->currentCompareTab()->comparison(), nullptr, kWithLibllama);
    page.show();
    QVERIFY(page.findChild<QCheckBox*>("libraryBox") != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(page.findChild<QCheckBox*>("libraryBox")->isEnabled(), 30'000);
    QVERIFY(!page.findChild<QCheckBox*>("libraryBox")->isChecked());
    QTest::mouseClick(page.findChild<QCheckBox*>("libraryBox"), Qt::LeftButton, {},
                      QPoint(8, page.findChild<QCheckBox*>("libraryBox")->height() / 2));
    test::named<QPlainTextEdit>(&page, "Text")->setPlainText(QStringLiteral("Once one two"));
    page.lengthField()->setValue(4);
    QTest::mouseClick(page.runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        page.run().state() == LockStepRun::State::Done || page.run().state() == LockStepRun::State::Failed, 30'000);
    if (!problem.isEmpty()) {
        QVERIFY2(page.run().error().contains(problem), qPrintable(page.run().error()));
        return;
    }
    QVERIFY2(page.run().state() == LockStepRun::State::Done, qPrintable(page.run().error()));
    QCOMPARE(page.run().files().back().label, QStringLiteral("libllama"));
    const auto& places = page.run().places();
    QVERIFY(!places.empty() && places.front().choices.size() == 3);
    QCOMPARE(page.run().summary(1).meanDivergence, 0.0); // the same file in the same engine
    QVERIFY(page.run().summary(2).meanDivergence > 0);   // the stand-in computes something else
    QVERIFY(!page.run().summary(2).isBound);
    QVERIFY(page.saveState()[QStringLiteral("model")][QStringLiteral("withLibrary")].toBool());
}

void TestSideBySide::saysThatLibllamaIsMissing() {
    QVERIFY(open(runnableFiles()) != nullptr);
    const test::LlamaDoubleModel library;
    library.behave({}, "/nowhere/libllama.so");
    LockStepPage page(m_f->window->currentCompareTab()->comparison(), nullptr, kWithLibllama);
    page.restoreState({{QStringLiteral("model"), QJsonObject{{QStringLiteral("withLibrary"), true}}}});
    page.show();
    QTRY_VERIFY_WITH_TIMEOUT(page.findChild<QCheckBox*>("libraryBox")->toolTip().contains("not available"), 30'000);
    QVERIFY(!page.findChild<QCheckBox*>("libraryBox")->isEnabled() &&
            !page.findChild<QCheckBox*>("libraryBox")->isChecked());
}

// A llama-server runs the reference's file, so that only rounding lies between them.
void TestSideBySide::comparesWithARealServer() {
    const auto server = test::RealServer::start(model("F16"));
    if (server == nullptr) {
        QSKIP("there is no llama-server");
    }
    LockStepPage* page = open({model("Q8_0"), model("F16")});
    QVERIFY(page != nullptr);
    QTest::mouseClick(page->findChild<QCheckBox*>("serverBox"), Qt::LeftButton, {},
                      QPoint(8, page->findChild<QCheckBox*>("serverBox")->height() / 2));
    QTest::keyClicks(page->addressField(), QString::fromStdString(server->address()));
    QTest::keyClicks(page->keyField(), QString::fromLatin1(test::RealServer::kKey));
    test::named<QPlainTextEdit>(page, "Text")->setPlainText(QStringLiteral("An owl sees in the dark."));
    page->lengthField()->setValue(12);
    QTest::mouseClick(page->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        page->run().state() == LockStepRun::State::Done || page->run().state() == LockStepRun::State::Failed, 60'000);
    QVERIFY2(page->run().state() == LockStepRun::State::Done, qPrintable(page->run().error()));
    QCOMPARE(page->run().files().front().place, model("F16"));
    QCOMPARE(page->run().files().size(), std::size_t{3});
    const auto summary = page->run().summary(2);
    QVERIFY(summary.isBound);
    QVERIFY2(summary.largestDivergence < 0.01, qPrintable(QString::number(summary.largestDivergence)));
    QVERIFY2(page->findChild<QLabel*>("summary")->text().contains(QString::fromStdString(server->address())),
             qPrintable(page->findChild<QLabel*>("summary")->text()));
}

GUFO_TEST_WIDGETS(TestSideBySide)
#include "tst_side_by_side.moc"
