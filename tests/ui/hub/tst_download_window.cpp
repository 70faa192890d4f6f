// Downloading from the window, and comparing a file with its original: progress, cancel, resume, replacing, verdicts,
// and taking over corrected metadata through the review.
#include "hub/file_download.h"
#include "remote_window.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "ui/hub/address_field.h"
#include "ui/hub/download_dialog.h"
#include "ui/hub/downloads.h"
#include "ui/hub/downloads_dialog.h"
#include "ui/hub/origin_check_dialog.h"
#include "ui/mainwindow/tabs/remote_states.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/pages/repository/repository_page.h"
#include "ui/saving/review_dialog.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include <sys/mount.h>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::FileFault;
using gufo::test::kName;
using gufo::test::RemoteWindow;
using Check = OriginCheckDialog::Check;

namespace {

const char* const kFile = "night-Q8_0.gguf";

std::string contentOf(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

class TestDownloadWindow : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_r = std::make_unique<RemoteWindow>();
        m_folder = m_r->fixture->root / "downloads";
        fs::create_directory(m_folder);
        QSettings().setValue(setting::kDownloadFolder, QString::fromStdString(m_folder.native()));
        Downloads::instance().read();
    }
    void cleanup() { m_r.reset(); }

    // From the strip of a remote tab; the local file opens afterwards.
    void fromATab() {
        ModelTab* tab = m_r->open(kName);
        QVERIFY(tab != nullptr && tab->isReady());
        QTest::mouseClick(tab->findChild<ServerStrip*>("serverStrip")->downloadButton(), Qt::LeftButton);
        DownloadDialog* dialog = ready();
        QVERIFY(dialog != nullptr);
        QVERIFY(dialog->facts().contains("127.0.0.1"));
        QVERIFY(dialog->space().contains("free"));
        QSignalSpy ended(dialog, &DownloadDialog::ended);
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY2(dialog->notice().contains("SHA-256"), qPrintable(dialog->notice()));
        QTRY_COMPARE(dialog->space(), QString()); // that the file is there is no surprise
        QCOMPARE(contentOf(m_folder / kFile), m_r->hub.files[kFile]);
        QTRY_VERIFY(m_r->window().findTab(m_folder / kFile) != nullptr);
        QCOMPARE(m_r->window().currentModelTab()->place(), m_folder / kFile);
        QVERIFY(!m_r->window().currentModelTab()->isRemote());
        QCOMPARE(knownOrigin(m_folder / kFile), test::placeOf(kName));
    }

    // The shards of one model are one download.
    void shardsFromARepository() {
        const auto shard = [](std::uint16_t number) {
            test::GgufBuilder file;
            file.key("split.no", number).key("split.count", std::uint16_t{2});
            file.tensor("t" + std::to_string(number), test::kF32, {256, 256});
            const auto bytes = file.build();
            return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        };
        m_r->hub.files = {{"a/n-Q8_0-00001-of-00002.gguf", shard(0)}, {"a/n-Q8_0-00002-of-00002.gguf", shard(1)}};
        m_r->show("hf.co/owl/night-GGUF");
        auto* tab = qobject_cast<RepositoryTab*>(m_r->window().currentTab());
        QTRY_VERIFY(tab->page() != nullptr && tab->isReady());
        tab->page()->table()->selectRow(0);
        QTest::mouseClick(tab->page()->downloadButton(), Qt::LeftButton);
        DownloadDialog* dialog = ready();
        QVERIFY(dialog != nullptr);
        QVERIFY2(dialog->facts().contains("2 files"), qPrintable(dialog->facts()));
        QSignalSpy ended(dialog, &DownloadDialog::ended);
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(contentOf(m_folder / "n-Q8_0-00001-of-00002.gguf"), shard(0));
        QCOMPARE(contentOf(m_folder / "n-Q8_0-00002-of-00002.gguf"), shard(1));
    }

    // What has arrived before a cancel is not fetched again.
    void cancelAndResume() {
        m_r->hub.files[kFile] = test::remoteModelFile() + std::string(12U << 20U, 'x');
        m_r->hub.pauseMs = 20;
        DownloadDialog* dialog = begin();
        QVERIFY(dialog != nullptr);
        QSignalSpy ended(dialog, &DownloadDialog::ended);
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(dialog->jobBar()->isVisible() && !dialog->rate().isEmpty());
        QTRY_VERIFY(m_r->hub.sent > 2U << 20U);
        QTest::mouseClick(dialog->jobBar()->findChild<QToolButton*>(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 5'000);
        QVERIFY(dialog->notice().contains("kept"));
        QVERIFY(!fs::exists(m_folder / kFile));
        QVERIFY(fs::exists(hub::FileDownload::partPath(m_folder / kFile)));
        QTRY_VERIFY(dialog->downloadButton()->isEnabled());
        QVERIFY(dialog->downloadButton()->text().contains("Resume"));
        QVERIFY2(dialog->space().contains("earlier"), qPrintable(dialog->space()));
        QTRY_COMPARE(m_r->hub.unfinishedAnswers, 0);
        m_r->hub.pauseMs = 0;
        m_r->hub.sent = 0;
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 2, 20'000);
        QVERIFY2(dialog->notice().contains("SHA-256"), qPrintable(dialog->notice()));
        QCOMPARE(contentOf(m_folder / kFile), m_r->hub.files[kFile]);
        QVERIFY(m_r->hub.sent < m_r->hub.files[kFile].size() - (1U << 20U));
        QVERIFY(!fs::exists(hub::FileDownload::partPath(m_folder / kFile)));
    }

    // The list shows a download while it runs, also without its dialog, and opens complete downloads.
    void goesOnInTheBackground() {
        m_r->hub.files[kFile] = test::remoteModelFile() + std::string(12U << 20U, 'x');
        m_r->hub.pauseMs = 20;
        Downloads& list = Downloads::instance();
        const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QPointer<DownloadDialog> dialog = begin();
        QVERIFY(!dialog.isNull());
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(m_r->hub.sent > 1U << 20U);
        DownloadsDialog* shown = showList();
        QVERIFY(shown != nullptr);
        QCOMPARE(list.rowCount(), 1);
        QVERIFY(list.index(0, Downloads::Host).data().toString().startsWith("127.0.0.1"));
        QTRY_VERIFY(list.index(0, Downloads::State).data().toString().contains("of"));
        QVERIFY(shown->stopButton()->isEnabled() && !shown->removeButton()->isEnabled());
        dialog->close();
        QMessageBox* question = nullptr;
        QTRY_VERIFY((question = dialog->findChild<QMessageBox*>()) != nullptr && question->isVisible());
        for (QAbstractButton* button : question->buttons()) {
            if (button->text().contains("Background")) {
                QTest::mouseClick(button, Qt::LeftButton);
            }
        }
        QTRY_VERIFY(!dialog.isNull() && dialog->isHidden() && dialog->isDownloading());
        QTest::mouseClick(shown->actionButton(), Qt::LeftButton); // Show
        QTRY_VERIFY(dialog->isVisible());
        dialog->hide();
        m_r->hub.pauseMs = 0;
        QTRY_COMPARE_WITH_TIMEOUT(list.at(0).state, DownloadState::Complete, 20'000);
        QTRY_VERIFY(dialog.isNull());
        QVERIFY(m_r->window().findTab(m_folder / kFile) == nullptr); // nothing comes to the front by itself
        QVERIFY(!shown->stopButton()->isEnabled());
        QTest::keyClick(shown->table(), Qt::Key_Return);
        QTRY_VERIFY(m_r->window().findTab(m_folder / kFile) != nullptr);
        QTest::mouseClick(shown->removeButton(), Qt::LeftButton);
        QCOMPARE(list.rowCount(), 0);
        QVERIFY(shown->findChild<EmptyState*>()->isVisible() && shown->table()->isHidden());
        QVERIFY(fs::exists(m_folder / kFile));
    }

    // What was stopped, also by the end of the program, is in the list after a restart, and goes on from there.
    void continuesFromTheList() {
        m_r->hub.files[kFile] = test::remoteModelFile() + std::string(12U << 20U, 'x');
        m_r->hub.pauseMs = 20;
        Downloads& list = Downloads::instance();
        const QPointer<DownloadDialog> dialog = begin();
        QVERIFY(!dialog.isNull());
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(m_r->hub.sent > 2U << 20U);
        QTRY_COMPARE(list.rowCount(), 1);
        list.read(); // as another start of the program would
        QCOMPARE(list.rowCount(), 1);
        QCOMPARE(list.at(0).state, DownloadState::Stopped);
        QCOMPARE(list.at(0).folder, m_folder);
        delete dialog.data();
        QTRY_COMPARE(m_r->hub.unfinishedAnswers, 0);
        m_r->hub.pauseMs = 0;
        m_r->hub.sent = 0;
        QSettings().setValue(setting::kDownloadFolder, QString::fromStdString(m_r->fixture->root.native()));
        DownloadsDialog* shown = showList();
        QVERIFY(shown != nullptr);
        QTest::mouseClick(shown->actionButton(), Qt::LeftButton); // Continue…
        DownloadDialog* next = ready();
        QVERIFY(next != nullptr);
        QCOMPARE(next->folderField()->text(), QString::fromStdString(m_folder.native()));
        QTRY_VERIFY(next->downloadButton()->text().contains("Resume"));
        QTest::mouseClick(next->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(list.at(0).state, DownloadState::Complete, 20'000);
        QCOMPARE(list.rowCount(), 1); // it takes the place of the one that was stopped
        QVERIFY(m_r->hub.sent < m_r->hub.files[kFile].size() - (1U << 20U));
    }

    // The button of the list stops a download; a failure keeps its reason.
    void stopsFromTheList() {
        m_r->hub.files[kFile] = test::remoteModelFile() + std::string(12U << 20U, 'x');
        m_r->hub.pauseMs = 20;
        Downloads& list = Downloads::instance();
        const QPointer<DownloadDialog> dialog = begin();
        QVERIFY(!dialog.isNull());
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(m_r->hub.sent > 1U << 20U);
        DownloadsDialog* shown = showList();
        QTest::mouseClick(shown->stopButton(), Qt::LeftButton);
        QTRY_COMPARE(list.at(0).state, DownloadState::Stopped);
        QTRY_VERIFY(dialog.isNull());
        QVERIFY(list.index(0, Downloads::State).data().toString().startsWith("stopped"));
        const quint64 id = list.begin(test::placeOf("hf.co/owl/other"), "other", m_folder, 0);
        list.fail(id, "no route");
        list.stopped(id); // it has ended already
        QVERIFY(list.index(0, Downloads::State).data().toString().contains("no route"));
    }

    // Closing the dialog would end the download, so it asks.
    void closingAsks() {
        m_r->hub.files[kFile] = test::remoteModelFile() + std::string(12U << 20U, 'x');
        m_r->hub.pauseMs = 20;
        const QPointer<DownloadDialog> dialog = begin();
        QVERIFY(!dialog.isNull());
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(m_r->hub.sent > 2U << 20U);
        const auto question = [&] { return dialog->findChild<QMessageBox*>(); };
        const auto click = [&](QMessageBox::ButtonRole role) {
            for (QAbstractButton* button : question()->buttons()) {
                if (question()->buttonRole(button) == role) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    return;
                }
            }
        };
        QTest::keyClick(dialog.data(), Qt::Key_Escape);
        QTRY_VERIFY(question() != nullptr && question()->isVisible());
        click(QMessageBox::RejectRole);
        QTRY_VERIFY(question() == nullptr);
        QVERIFY(dialog->isVisible() && dialog->isDownloading());
        dialog->close();
        QTRY_VERIFY(question() != nullptr && question()->isVisible());
        click(QMessageBox::DestructiveRole);
        QTRY_VERIFY(dialog.isNull());
        QVERIFY(fs::exists(hub::FileDownload::partPath(m_folder / kFile)));
        QTRY_COMPARE(m_r->hub.unfinishedAnswers, 0);
    }

    // So would closing the window.
    void closingTheWindowAsks() {
        m_r->hub.files[kFile] = test::remoteModelFile() + std::string(12U << 20U, 'x');
        m_r->hub.pauseMs = 20;
        const QPointer<DownloadDialog> dialog = begin();
        QVERIFY(!dialog.isNull());
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(m_r->hub.sent > 2U << 20U);
        MainWindow& window = m_r->window();
        const auto question = [&] { return window.findChild<QMessageBox*>(QStringLiteral("endOfDownloads")); };
        const auto click = [&](QMessageBox::ButtonRole role) {
            for (QAbstractButton* button : question()->buttons()) {
                if (question()->buttonRole(button) == role) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    return;
                }
            }
        };
        dialog->hide(); // in the background it is stopped in the same way
        window.close();
        QTRY_VERIFY(question() != nullptr && question()->isVisible());
        QVERIFY(question()->text().contains(u'1'));
        click(QMessageBox::RejectRole);
        QTRY_VERIFY(question() == nullptr);
        QVERIFY(window.isVisible() && dialog->isDownloading());
        QCOMPARE(Downloads::instance().at(0).state, DownloadState::Running);
        const QPointer<MainWindow> closing(&window);
        window.close();
        QTRY_VERIFY(question() != nullptr && question()->isVisible());
        click(QMessageBox::DestructiveRole);
        QTRY_VERIFY(closing.isNull() || !closing->isVisible());
        QTRY_COMPARE(m_r->hub.unfinishedAnswers, 0);
        QVERIFY(fs::exists(hub::FileDownload::partPath(m_folder / kFile)));
        Downloads::instance().read(); // as the next start of the program does
        QCOMPARE(Downloads::instance().at(0).state, DownloadState::Stopped);
    }

    // Another file of that name stays unless the user replaces it.
    void replacingNeedsAWord() {
        writeFile(m_folder / kFile, std::string_view("mine"));
        DownloadDialog* dialog = begin();
        QVERIFY(dialog != nullptr);
        QVERIFY(dialog->space().contains("there already"));
        QSignalSpy ended(dialog, &DownloadDialog::ended);
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(contentOf(m_folder / kFile), "mine");
        QTRY_VERIFY(dialog->downloadButton()->text().contains("Replace"));
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(contentOf(m_folder / kFile), m_r->hub.files[kFile]);
    }

    void failures_data() {
        QTest::addColumn<FileFault>("fault");
        QTest::addColumn<QString>("words");
        QTest::newRow("other bytes") << FileFault::WrongBytes << "SHA-256";
        QTest::newRow("not found") << FileFault::NotFound << "404";
        QTest::newRow("an impossible size") << FileFault::HugeSize << "";
    }
    void failures() {
        QFETCH(FileFault, fault);
        QFETCH(QString, words);
        DownloadDialog* dialog = begin();
        QVERIFY(dialog != nullptr);
        m_r->hub.fault = fault;
        QSignalSpy ended(dialog, &DownloadDialog::ended);
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 30'000);
        QVERIFY2(!dialog->notice().isEmpty() && dialog->notice().contains(words), qPrintable(dialog->notice()));
        for (const QLabel* label : dialog->findChildren<QLabel*>()) { // all lines of all texts are visible
            if (label->isVisible() && label->wordWrap()) {
                QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            }
        }
        QVERIFY(!fs::exists(m_folder / kFile)); // no part is taken for the whole
        QVERIFY(m_r->window().findTab(m_folder / kFile) == nullptr);
    }

    // The disk fills up after the dialog has looked at it; when there is room again, the download succeeds.
    void fullDisk() {
        m_r->hub.files[kFile] = test::remoteModelFile() + std::string(12U << 20U, 'x');
        if (::mount("tmpfs", m_folder.c_str(), "tmpfs", 0, "size=40m") != 0) {
            QSKIP("only root can mount a small disk");
        }
        const auto unmount = qScopeGuard([this] { ::umount2(m_folder.c_str(), MNT_DETACH); });
        m_r->hub.pauseMs = 10;
        DownloadDialog* dialog = begin();
        QVERIFY(dialog != nullptr);
        QSignalSpy ended(dialog, &DownloadDialog::ended);
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_VERIFY(m_r->hub.sent > 1U << 20U);
        {
            std::ofstream other(m_folder / "other", std::ios::binary);
            other << std::string(40U << 20U, 'x'); // as much as there is room for
        }
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 30'000);
        QVERIFY2(dialog->notice().contains(kFile) && dialog->notice().contains("No space left"),
                 qPrintable(dialog->notice()));
        QVERIFY(!fs::exists(m_folder / kFile));
        QTRY_VERIFY2(dialog->space().contains("too little room"), qPrintable(dialog->space()));
        QVERIFY(!dialog->downloadButton()->isEnabled());
        fs::remove(m_folder / "other");
        m_r->hub.pauseMs = 0;
        dialog->folderField()->setText(dialog->folderField()->text() +
                                       QLatin1Char('/')); // has the folder looked at again
        QTRY_VERIFY(dialog->downloadButton()->isEnabled());
        QTest::mouseClick(dialog->downloadButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 2, 20'000);
        QVERIFY2(dialog->notice().contains("SHA-256"), qPrintable(dialog->notice()));
        QCOMPARE(contentOf(m_folder / kFile), m_r->hub.files[kFile]);
    }

    void foldersThatAreNone() {
        DownloadDialog* dialog = begin();
        QVERIFY(dialog != nullptr);
        dialog->folderField()->setText("/nowhere/at/all");
        QTRY_VERIFY(dialog->space().contains("no such folder"));
        QVERIFY(!dialog->downloadButton()->isEnabled());
    }

    void verdicts_data() {
        QTest::addColumn<Check>("check");
        QTest::addColumn<int>("change"); // offset of a byte that differs; −1: none; −2: a byte more
        QTest::addColumn<QString>("words");
        QTest::newRow("quick, same") << Check::Quick << -1 << "random parts";
        QTest::newRow("whole, same") << Check::Whole << -1 << "is the file of the server";
        QTest::newRow("quick, other header") << Check::Quick << 40 << "differs between";
        QTest::newRow("whole, one byte") << Check::Whole << 900'000 << "SHA-256 differs";
        QTest::newRow("quick, longer") << Check::Quick << -2 << "size differs";
    }
    void verdicts() {
        QFETCH(Check, check);
        QFETCH(int, change);
        QFETCH(QString, words);
        std::string content = m_r->hub.files[kFile];
        if (change >= 0) {
            content[static_cast<std::size_t>(change)] = static_cast<char>(~content[static_cast<std::size_t>(change)]);
        } else if (change == -2) {
            content += 'x';
        }
        OriginCheckDialog* dialog = checkOf(content);
        QVERIFY(dialog != nullptr);
        QSignalSpy ended(dialog, &OriginCheckDialog::ended);
        QTest::mouseClick(dialog->choice(check), Qt::LeftButton, {}, QPoint(8, dialog->choice(check)->height() / 2));
        QTest::keyClicks(dialog->address()->edit(), kName.c_str());
        QTest::mouseClick(dialog->checkButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY2(dialog->verdict().contains(words), qPrintable(dialog->verdict()));
    }

    void theCheckEndsWithItsTab() {
        const QPointer<OriginCheckDialog> dialog = checkOf(m_r->hub.files[kFile]);
        QVERIFY(dialog != nullptr);
        m_r->window().namedAction("closeTab")->trigger();
        QTRY_VERIFY(dialog == nullptr);
    }

    void cancelledCheck() {
        m_r->hub.files[kFile] += std::string(8U << 20U, 'x');
        OriginCheckDialog* dialog = checkOf(m_r->hub.files[kFile]);
        QVERIFY(dialog != nullptr);
        m_r->hub.pauseMs = 200;
        QSignalSpy ended(dialog, &OriginCheckDialog::ended);
        dialog->setCheck(Check::Quick);
        dialog->address()->setText(QString::fromStdString(kName));
        QTest::keyClick(dialog->checkButton(), Qt::Key_Space);
        QTRY_VERIFY(dialog->jobBar()->isVisible());
        QTest::mouseClick(dialog->jobBar()->findChild<QToolButton*>(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 5'000);
        QCOMPARE(dialog->verdict(), "Cancelled.");
        QVERIFY(dialog->checkButton()->isEnabled());
    }

    // A corrected template comes in through the review, and no weights are fetched for it.
    void correctedMetadata() {
        const std::string old = test::remoteModelFile("{{ wrong }}");
        m_r->hub.files[kFile] = test::remoteModelFile("{{ right }}");
        OriginCheckDialog* dialog = checkOf(old);
        QVERIFY(dialog != nullptr);
        const QPointer<OriginCheckDialog> closed = dialog;
        ModelTab* tab = m_r->window().currentModelTab();
        QSignalSpy ended(dialog, &OriginCheckDialog::ended);
        dialog->address()->setText(QString::fromStdString(kName));
        dialog->setCheck(Check::Metadata);
        QTest::mouseClick(dialog->checkButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 1);
        QTRY_VERIFY(closed.isNull()); // it would cover the review
        QVERIFY(tab->isModified());
        QCOMPARE(*tab->model()->metadata.string("tokenizer.chat_template"), "{{ right }}");
        QTRY_VERIFY(m_r->window().findChild<ReviewDialog*>() != nullptr);
        m_r->window().findChild<ReviewDialog*>()->close();
        QVERIFY(tab->document()->document().canUndo());
        dialog = openCheck();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->address()->edit()->text(), QString::fromStdString(kName));
        dialog->setCheck(Check::Metadata);
        QSignalSpy again(dialog, &OriginCheckDialog::ended);
        QTest::mouseClick(dialog->checkButton(), Qt::LeftButton);
        QTRY_COMPARE(again.count(), 1);
        QVERIFY2(dialog->verdict().contains("is that of the server"), qPrintable(dialog->verdict()));
        tab->discardChanges();
    }

    void otherWeightsAreNotTaken() {
        std::string other = test::remoteModelFile("{{ right }}");
        std::ranges::fill(other.end() - 300'000, other.end(), 'x');
        m_r->hub.files[kFile] = other;
        OriginCheckDialog* dialog = checkOf(test::remoteModelFile("{{ wrong }}"));
        QVERIFY(dialog != nullptr);
        QSignalSpy ended(dialog, &OriginCheckDialog::ended);
        dialog->address()->setText(QString::fromStdString(kName));
        dialog->setCheck(Check::Metadata);
        QTest::mouseClick(dialog->checkButton(), Qt::LeftButton);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!m_r->window().currentModelTab()->isModified());
        QVERIFY(!dialog->verdict().isEmpty());
    }

private:
    DownloadsDialog* showList() {
        m_r->window().namedAction("downloads")->trigger();
        auto* list = m_r->window().findChild<DownloadsDialog*>();
        return list != nullptr && QTest::qWaitForWindowExposed(list) ? list : nullptr;
    }
    DownloadDialog* ready() {
        DownloadDialog* dialog = nullptr;
        return QTest::qWaitFor([&] {
            dialog = m_r->window().findChild<DownloadDialog*>();
            return dialog != nullptr && dialog->downloadButton()->isEnabled();
        })
                   ? dialog
                   : nullptr;
    }
    DownloadDialog* begin() {
        auto* dialog = new DownloadDialog(test::placeOf(kName), std::nullopt, &m_r->window());
        dialog->show();
        return ready();
    }
    // The dialog for a file on this computer with that content.
    OriginCheckDialog* checkOf(const std::string& content) {
        const fs::path file = writeFile(m_folder / kFile, content);
        if (m_r->fixture->open(file) == nullptr) {
            return nullptr;
        }
        return openCheck();
    }
    OriginCheckDialog* openCheck() {
        // A dialog that was closed is deleted by the event loop.
        const bool isAlone = QTest::qWaitFor([&] { return m_r->window().findChild<OriginCheckDialog*>() == nullptr; });
        m_r->window().namedAction("checkOrigin")->trigger();
        auto* dialog = m_r->window().findChild<OriginCheckDialog*>();
        return isAlone && dialog != nullptr && QTest::qWaitForWindowExposed(dialog) ? dialog : nullptr;
    }

    std::unique_ptr<RemoteWindow> m_r;
    fs::path m_folder;
};

GUFO_TEST_WIDGETS(TestDownloadWindow)
#include "tst_download_window.moc"
