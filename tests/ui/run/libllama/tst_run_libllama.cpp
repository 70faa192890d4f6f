// Tests the Run page with libllama, by its stand-in: the entry of the list, what can be set, loading with progress and
// cancel, answers, and a crash that the page survives.
#include "../run_page_test.h"
#include "inference/generation/session_responder.h"
#include "inference/process/process_model.h"
#include "llama_double_model.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "ui/shell/notice_bar.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <array>
#include <csignal>
#include <unistd.h>

namespace {

Result<std::shared_ptr<const inference::LoadedModel>> load(std::shared_ptr<const Model> model) {
    return inference::loadInProcess(std::move(model), GUFO_LLAMA_HELPER_DOUBLE);
}

Result<std::unique_ptr<inference::Responder>> openModelWith(const std::shared_ptr<const Model>& model,
                                                            const inference::SessionOptions& options,
                                                            const JobContext& job) {
    auto loaded = load(model);
    return loaded ? inference::openSessionResponder(inference::kLibllamaCapabilities, *loaded, options, job)
                  : std::unexpected(loaded.error());
}

// Gufo's own engine, and libllama as run by the stand-in.
std::span<const inference::Engine> table() {
    static const std::array<inference::Engine, 2> kTable{{inference::engines().front(),
                                                          {.id = "libllama",
                                                           .capabilities = inference::kLibllamaCapabilities,
                                                           .obeys = inference::kLibllamaObeys,
                                                           .open = openModelWith,
                                                           .load = load,
                                                           .version = [](const JobContext& job) {
                                                               return inference::versionOfProcess(
                                                                   GUFO_LLAMA_HELPER_DOUBLE, job);
                                                           }}}};
    return kTable;
}
constexpr int kRow = 1;

// The processes of the stand-in that this process has started.
QList<pid_t> helperProcesses() {
    QList<pid_t> found;
    const QString program = QFileInfo(QStringLiteral(GUFO_LLAMA_HELPER_DOUBLE)).canonicalFilePath();
    const QStringList processes = QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs);
    for (const QString& id : processes) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(id)); // "id (name) state parent …"
        const QByteArray stat = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        const QByteArrayList fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        if (fields.size() > 1 && fields[1].toInt() == ::getpid() &&
            QFileInfo(QStringLiteral("/proc/%1/exe").arg(id)).symLinkTarget() == program) {
            found.push_back(id.toInt());
        }
    }
    return found;
}

} // namespace

class TestRunLibllama : public RunPageTest {
    Q_OBJECT

    test::LlamaDoubleModel m_double;

    // Shows the page, and waits until the list of engines is known.
    LoadPanel& show(const char* settings = "", const QJsonObject& state = {}) {
        m_double.behave(settings);
        m_model = m_double.model();
        m_document = std::make_unique<ModelDocument>(m_model);
        m_page = std::make_unique<RunPage>(nullptr, table());
        m_page->setDocument(m_document.get());
        m_page->setModel(m_document->current());
        m_page->restoreState(state);
        m_page->resize(1250, 780);
        m_page->show();
        QSignalSpy listed(part<LoadPanel>(*m_page), &LoadPanel::enginesListed);
        QSignalSpy estimated(part<LoadPanel>(*m_page), &LoadPanel::estimated);
        m_page->activate();
        const auto received = [](QSignalSpy& spy) { return !spy.isEmpty() || spy.wait(60'000); };
        if (!QTest::qWaitForWindowExposed(m_page.get()) || !received(listed) || !received(estimated)) {
            qWarning("the page does not get ready");
        }
        part<SamplerPanel>(*m_page)->lengthField()->setValue(8);
        return *part<LoadPanel>(*m_page);
    }
    [[nodiscard]] bool loads() {
        QTest::mouseClick(part<LoadPanel>(*m_page)->loadButton(), Qt::LeftButton);
        return QTest::qWaitFor([this] { return part<RunEngine>(*m_page)->state() == RunEngine::State::Ready; }, 60'000);
    }
    [[nodiscard]] static bool isOff(const LoadPanel& panel) {
        const QComboBox* combo = panel.findChild<QComboBox*>("engineCombo");
        return !combo->model()->flags(combo->model()->index(kRow, 0)).testFlag(Qt::ItemIsEnabled);
    }

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }

    void isListedWithItsVersion() {
        const LoadPanel& panel = show();
        QCOMPARE(panel.findChild<QComboBox*>("engineCombo")->itemText(kRow), QString("libllama 0.7.0"));
        QVERIFY(!isOff(panel));
        QVERIFY(panel.offReason(kRow).isEmpty());
        QVERIFY(!panel.findChild<OffloadField*>("offloadField")->isVisible());
        panel.findChild<QComboBox*>("engineCombo")->setFocus();
        QTest::keyClick(panel.findChild<QComboBox*>("engineCombo"), Qt::Key_Down);
        QCOMPARE(panel.engine().id, std::string_view("libllama"));
        QTRY_VERIFY(panel.findChild<OffloadField*>("offloadField")->isVisible());
        QVERIFY(panel.contextField()->isVisible());
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QVERIFY2(panel.verdictText().contains("memory"), qPrintable(panel.verdictText())); // it gives no forecast
    }

    void isOffWithTheReason_data() {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QString>("reason");
        QTest::newRow("version") << QByteArray("version=9.9.9")
                                 << QString("version 9.9.9 of libllama is not known; this build of Gufo knows 0.7.0");
        QTest::newRow("no version") << QByteArray("version=8064") << QString("8064");
    }
    void isOffWithTheReason() {
        QFETCH(QByteArray, settings);
        QFETCH(QString, reason);
        const LoadPanel& panel = show(settings.constData());
        QVERIFY(isOff(panel));
        QCOMPARE(panel.findChild<QComboBox*>("engineCombo")->itemText(kRow), QString("libllama (not available)"));
        QVERIFY2(panel.offReason(kRow).contains(reason), qPrintable(panel.offReason(kRow)));
        QCOMPARE(panel.findChild<QComboBox*>("engineCombo")->itemData(kRow, Qt::ToolTipRole).toString(),
                 panel.offReason(kRow));
        panel.findChild<QComboBox*>("engineCombo")->setFocus();
        QTest::keyClick(panel.findChild<QComboBox*>("engineCombo"), Qt::Key_Down);
        QCOMPARE(panel.engine().id, std::string_view("gufo"));
    }

    // It was chosen when it was available.
    void wasChosenAndIsOff() {
        show().findChild<QComboBox*>("engineCombo")->setCurrentIndex(kRow);
        const QJsonObject state = m_page->saveState();
        m_page.reset();
        const LoadPanel& panel = show("version=9.9.9", state);
        QCOMPARE(panel.engine().id, std::string_view("libllama"));
        QTRY_VERIFY2(panel.verdictText().contains("version 9.9.9"), qPrintable(panel.verdictText()));
        QVERIFY(!panel.loadButton()->isEnabled());
        // After an update it can be chosen again.
        m_double.behave({});
        m_page->activate();
        QTRY_VERIFY(!isOff(panel));
        QTRY_VERIFY(panel.loadButton()->isEnabled());
    }

    void settingsAreKept() {
        const LoadPanel& panel = show();
        panel.findChild<QComboBox*>("engineCombo")->setCurrentIndex(kRow);
        panel.findChild<OffloadField*>("offloadField")->layersField()->setValue(12);
        QTest::keyClicks(panel.findChild<OffloadField*>("offloadField")->findChild<QLineEdit*>("machinesField"),
                         "10.0.0.1:50052, b:2");
        QTRY_VERIFY2(panel.verdictText().contains("without encryption"), qPrintable(panel.verdictText()));
        const inference::Offload expected{.layers = 12, .machines = {"10.0.0.1:50052", "b:2"}};
        QVERIFY(panel.options().offload == expected);
        const QJsonObject state = m_page->saveState();
        m_page.reset();
        const LoadPanel& again = show("", state);
        QVERIFY(again.options().offload == expected);
        again.findChild<QComboBox*>("engineCombo")->setCurrentIndex(0); // the own engine knows nothing of it
        QVERIFY(again.options().offload == inference::Offload());
    }

    void loadingHasProgressAndCancel() {
        const LoadPanel& panel = show("load=100");
        panel.findChild<QComboBox*>("engineCombo")->setCurrentIndex(kRow);
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QTest::mouseClick(panel.loadButton(), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(panel.verdictText().contains(QRegularExpression("[1-9][0-9]? %")),
                                  qPrintable(panel.verdictText()), 60'000);
        QTest::mouseClick(panel.loadButton(), Qt::LeftButton); // now "Cancel"
        QTRY_COMPARE(part<RunEngine>(*m_page)->state(), RunEngine::State::Unloaded);
        QTRY_VERIFY(panel.loadButton()->isEnabled());
    }

    void answersAndBranches() {
        const LoadPanel& panel = show();
        panel.findChild<QComboBox*>("engineCombo")->setCurrentIndex(kRow);
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QVERIFY(loads());
        QVERIFY(part<QCheckBox>(*m_page, "shade")->isEnabled()); // probabilities of tokens
        QVERIFY(part<SamplerPanel>(*m_page)->findChild<GrammarField*>("grammarField")->isEnabled());
        neverEnd();
        say("Once");
        QVERIFY(waitIdle());
        QCOMPARE(turn(1).tokens.size(), std::size_t{8});
        QCOMPARE(turn(1).tokens[3].candidates.size(), std::size_t{8});
        part<ChatSession>(*m_page)->tryAnother(turn(1).id, 4);
        QVERIFY(waitIdle());
        QCOMPARE(part<ChatSession>(*m_page)->figures().readTokens, std::size_t{1}); // only the other candidate
    }

    // The page says what happened, and the model can be loaded again.
    void survivesACrash_data() {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QString>("said");
        QTest::newRow("crash") << QByteArray("crash=decode") << QString("signal 11");
        QTest::newRow("exit") << QByteArray("exit=decode") << QString("code 3");
        QTest::newRow("words") << QByteArray("crash=decode") << QString("the driver lost the device");
    }
    void survivesACrash() {
        QFETCH(QByteArray, settings);
        QFETCH(QString, said);
        const LoadPanel& panel = show(settings.constData());
        panel.findChild<QComboBox*>("engineCombo")->setCurrentIndex(kRow);
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QVERIFY(loads());
        say("Once");
        QVERIFY(waitIdle());
        QVERIFY2(shownText(*m_page, "notice").contains(said), qPrintable(shownText(*m_page, "notice")));
        QVERIFY(!shownText(*m_page, "notice").contains("\"\""));
        // The list of the engine's facts says so too, and the conversation stays.
        QCOMPARE(part<RunEngine>(*m_page)->state(), RunEngine::State::Unloaded);
        QCOMPARE(shownText(*m_page, "engineState"), QStringLiteral("not loaded"));
        QVERIFY(part<NoticeBar>(*m_page, "readingBar")->isVisible());
        m_double.behave({});
        QTest::mouseClick(part<NoticeBar>(*m_page, "readingBar")->actionButton(), Qt::LeftButton); // Load…
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QVERIFY(loads());
        neverEnd();
        say("Again");
        QVERIFY(waitIdle());
        QVERIFY2(shownText(*m_page, "notice").isEmpty(), qPrintable(shownText(*m_page, "notice")));
        QCOMPARE(turn(turns() - 1).tokens.size(), std::size_t{8});
    }

    // Nobody has asked for anything when the process dies.
    void isKilledWhileIdle_data() {
        QTest::addColumn<bool>("talked");
        QTest::newRow("with a conversation") << true;
        QTest::newRow("without one") << false;
    }
    void isKilledWhileIdle() {
        QFETCH(bool, talked);
        const LoadPanel& panel = show();
        panel.findChild<QComboBox*>("engineCombo")->setCurrentIndex(kRow);
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QVERIFY(loads());
        if (talked) {
            say("Once");
            QVERIFY(waitIdle());
        }
        QVERIFY(test::waitUntilIdle());
        QCOMPARE(part<RunEngine>(*m_page)->state(), RunEngine::State::Ready);
        const QList<pid_t> processes = helperProcesses();
        QCOMPARE(processes.size(), 1);
        QCOMPARE(::kill(processes[0], SIGKILL), 0);
        QTRY_COMPARE(part<RunEngine>(*m_page)->state(), RunEngine::State::Unloaded);
        QCOMPARE(shownText(*m_page, "engineState"), QStringLiteral("not loaded"));
        const QString text = talked ? shownText(*m_page, "notice") : panel.verdictText();
        QVERIFY2(text.startsWith("The engine has ended") && text.contains("signal 9"), qPrintable(text));
        QCOMPARE(part<NoticeBar>(*m_page, "readingBar")->isVisible(), talked);
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QVERIFY(loads());
    }

    void crashWhileLoading() {
        const LoadPanel& panel = show("crash=load");
        panel.findChild<QComboBox*>("engineCombo")->setCurrentIndex(kRow);
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QTest::mouseClick(panel.loadButton(), Qt::LeftButton);
        QTRY_VERIFY2(panel.verdictText().contains("signal 11"), qPrintable(panel.verdictText()));
        m_double.behave({});
        QTRY_VERIFY(panel.loadButton()->isEnabled());
        QVERIFY(loads());
    }
};

GUFO_TEST_WIDGETS(TestRunLibllama)
#include "tst_run_libllama.moc"
