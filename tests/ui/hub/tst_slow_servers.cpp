// While servers drip, the event loop turns as if nothing happened: a model, a repository and a download at once, with
// pages changed, weights fetched, and everything closed in the middle. Nothing waits for a model that was closed.
#include "remote_window.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"
#include "ui/hub/download_dialog.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/pages/repository/repository_page.h"
#include "ui/pages/tensors/tensor_detail.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/shell/notice_bar.h"

#include <QPushButton>

#include <algorithm>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::RemoteWindow;

class TestSlowServers : public QObject {
    Q_OBJECT

private slots:
    // As in tst_responsiveness, a round in which something else disturbed the machine is repeated.
    void theLoopTurns() {
        constexpr int kRounds = 3;
        for (int round = 0; round < kRounds && !m_isQuick; ++round) {
            useEverything();
            if (QTest::currentTestFailed()) {
                return;
            }
        }
        QVERIFY2(m_isQuick, m_verdict);
    }
    // Models that were opened together are offered to be compared once all of them have been read.
    void closingTheLastUnreadModelOffersTheOthers() {
        RemoteWindow remote;
        remote.hub.files = {{"night-Q8_0.gguf", test::remoteModelFile("{{ messages }}", 60'000)}};
        remote.hub.pauseMs = 60'000; // it ends when the tab is closed
        const fs::path first = writeFile(remote.fixture->root / "first.gguf", tinyModel());
        const fs::path second = writeFile(remote.fixture->root / "second.gguf", tinyModel());
        const hub::ModelPlace unread = test::placeOf(remote.fileUrl());
        MainWindow& window = remote.window();
        const auto isOffered = [&window] {
            return std::ranges::any_of(window.findChildren<NoticeBar*>(), [](const NoticeBar* bar) {
                return bar->isVisible() && bar->text().startsWith(QStringLiteral("2 models were opened together"));
            });
        };
        window.openPlaces({first, second, unread});
        QTRY_VERIFY(window.findTab(first)->model() != nullptr && window.findTab(second)->model() != nullptr);
        QTRY_VERIFY(remote.hub.unfinishedAnswers > 0);
        QVERIFY(!isOffered());
        window.showTab(window.findTab(unread));
        window.namedAction("closeTab")->trigger();
        QTRY_VERIFY(isOffered());
    }

private:
    void useEverything() {
        RemoteWindow remote;
        // The first page of each kind loads fonts and icons, whether its model is on a server or not.
        ModelTab* local = remote.fixture->open(writeFile(remote.fixture->root / "local.gguf", tinyModel()));
        QVERIFY(local != nullptr && test::waitUntilIdle());
        for (int i = 0; i < 8; ++i) {
            remote.hub.files["night-" + std::to_string(i) + ".gguf"] = test::remoteModelFile("{{ messages }}", 60'000);
        }
        remote.hub.pauseMs = 30;
        QSettings().setValue(setting::kDownloadFolder, QString::fromStdString(remote.fixture->root.native()));
        UiWatchdog watchdog;
        watchdog.step("open a model");
        remote.show(remote.fileUrl());
        ModelTab* tab = remote.window().currentModelTab();
        QVERIFY(QTest::qWaitFor([tab] { return tab->isReady(); }, 30'000));
        watchdog.step("show its pages");
        for (std::size_t i = 0; i < tab->pages().size(); ++i) {
            tab->showPage(static_cast<int>(i));
            test::spinEventLoop();
        }
        watchdog.step("fetch a tensor");
        QVERIFY(tab->goTo(Place::tensor("token_embd.weight")));
        auto* detail = tab->findChild<TensorDetail*>();
        QTRY_VERIFY(detail->fetchButton()->isVisible());
        QTest::mouseClick(detail->fetchButton(), Qt::LeftButton);
        test::spinEventLoop();
        watchdog.step("list a repository");
        remote.show("hf.co/owl/night-GGUF");
        auto* listed = qobject_cast<RepositoryTab*>(remote.window().currentTab());
        QVERIFY(listed != nullptr);
        QVERIFY(QTest::qWaitFor([listed] { return listed->page() != nullptr && listed->isReady(); }, 30'000));
        watchdog.step("download meanwhile");
        auto* dialog = new DownloadDialog(test::placeOf(test::kName), std::nullopt, &remote.window());
        dialog->show();
        QTRY_VERIFY(dialog->downloadButton()->isEnabled());
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog->isDownloading());
        QTRY_VERIFY(remote.hub.unfinishedAnswers > 0);
        watchdog.step("close the dialog");
        dialog->close();
        watchdog.step("close the tabs");
        for (int i = remote.window().tabCount(); i > 0; --i) {
            remote.window().namedAction("closeTab")->trigger();
            test::spinEventLoop(); // each is an action of the user
        }
        QVERIFY(test::waitUntilIdle());
        watchdog.finish();
        m_isQuick = watchdog.isQuick();
        m_verdict = watchdog.verdict();
        QTRY_COMPARE_WITH_TIMEOUT(remote.hub.unfinishedAnswers, 0, 10'000);
    }

    bool m_isQuick = false;
    QByteArray m_verdict;
};

GUFO_TEST_WIDGETS(TestSlowServers)
#include "tst_slow_servers.moc"
