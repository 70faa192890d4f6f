// Tests that changes survive a kill as drafts: offering, restoring and discarding them in a real window.
#include "saving_window_test.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/saving/review_dialog.h"
#include "ui/shell/notice_bar.h"

#include <QApplication>
#include <QProcess>
#include <QPushButton>

#include <algorithm>
#include <csignal>
#include <unistd.h>

class TestDraftsInWindow : public SavingWindowTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void draftIsOfferedAfterAKill_data();
    void draftIsOfferedAfterAKill();
    void undecidedDraftDoesNotStopDrafting_data();
    void undecidedDraftDoesNotStopDrafting();
    void draftGoesWithSavingAndDiscarding();
    void draftOfAnotherWindowIsLeftAlone();
    void failureIsToldOnAnEdit();

private:
    // Waits for what follows from an answer.
    using Outcome = void (TestDraftsInWindow::*)(ModelTab* tab);
    void isRestored(ModelTab* tab);
    void isDiscarded(ModelTab* tab);
    void isShown(ModelTab* tab);
    NoticeBar* draftNotice(const ModelTab* tab) const {
        for (NoticeBar* notice : tab->findChildren<NoticeBar*>()) {
            if (notice->isVisible() && notice->text().contains(QStringLiteral("There are unsaved changes"))) {
                return notice;
            }
        }
        return nullptr;
    }
    static bool draftsAreWritten(const ModelTab* tab) {
        return QTest::qWaitFor([tab] { return !tab->editing()->drafts()->isBusy(); });
    }
    static std::size_t draftCount() {
        std::size_t count = 0;
        std::error_code none;
        for (const auto& file : fs::directory_iterator(draftFolder(), none)) {
            count += file.path().extension() == ".lock" ? 0 : 1;
        }
        return count;
    }
};

void TestDraftsInWindow::draftIsOfferedAfterAKill_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<bool>("changed"); // the file, after the kill
    QTest::addColumn<Outcome>("outcome");
    using Test = TestDraftsInWindow;
    QTest::newRow("restore") << "Restore" << false << &Test::isRestored;
    QTest::newRow("discard") << "Discard" << false << &Test::isDiscarded;
    QTest::newRow("show") << "Show" << false << &Test::isShown;
    QTest::newRow("the file has changed") << "Restore" << true << &Test::isRestored;
}

void TestDraftsInWindow::draftIsOfferedAfterAKill() {
    QFETCH(QString, answer);
    QFETCH(bool, changed);
    QFETCH(Outcome, outcome);
    const fs::path path = writeFile(m_f->root / "a.gguf", tinyModel());
    QProcess victim;
    victim.setProcessChannelMode(QProcess::ForwardedChannels);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GUFO_TEST_VICTIM"), QString::fromStdString(path.native()));
    victim.setProcessEnvironment(environment);
    victim.start(QCoreApplication::applicationFilePath(), {QStringLiteral("tst_drafts_in_window")});
    QVERIFY(victim.waitForFinished(60'000));
    QCOMPARE(victim.exitStatus(), QProcess::CrashExit); // the child process killed itself while editing
    QCOMPARE(nameIn(path), std::string("Tiny"));
    QCOMPARE(draftCount(), std::size_t{1});
    if (changed) {
        writeFile(path, tinyModel(7));
    }
    ModelTab* tab = m_f->open(path);
    QTRY_VERIFY(draftNotice(tab) != nullptr);
    QVERIFY2(draftNotice(tab)->text().contains(QStringLiteral("changed on disk")) == changed,
             qPrintable(draftNotice(tab)->text()));
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
    QPushButton* button = nullptr;
    for (int i = 0; draftNotice(tab)->actionButton(i) != nullptr; ++i) {
        button = draftNotice(tab)->actionButton(i)->text() == answer ? draftNotice(tab)->actionButton(i) : button;
    }
    QVERIFY(button != nullptr);
    button->click();
    const auto blocks = tab->model()->metadata.uint("llama.block_count");
    (this->*outcome)(tab);
    QCOMPARE(tab->model()->metadata.uint("llama.block_count"), blocks);
    QCOMPARE(blocks.value(), std::uint64_t{changed ? 7U : 2U});
}

void TestDraftsInWindow::isRestored(ModelTab* tab) {
    QTRY_COMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Drafted"));
    QVERIFY(draftNotice(tab) == nullptr);
    QTest::keyClick(tab, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
}

void TestDraftsInWindow::isDiscarded(ModelTab* tab) {
    QTRY_COMPARE(draftCount(), std::size_t{0});
    QVERIFY(!tab->isModified());
    QTRY_VERIFY(draftNotice(tab) == nullptr);
}

void TestDraftsInWindow::isShown(ModelTab* tab) {
    QTRY_VERIFY(shown<ReviewDialog>(window()) != nullptr);
    QCOMPARE(shown<ReviewDialog>(window())->model()->rowCount(), 1);
    QVERIFY(draftNotice(tab) != nullptr); // still undecided
    tab->discardChanges();
    QVERIFY(test::waitUntilIdle()); // the draft is not to be deleted
    QCOMPARE(draftCount(), std::size_t{1});
}

void TestDraftsInWindow::undecidedDraftDoesNotStopDrafting_data() {
    QTest::addColumn<bool>("dismissed");
    QTest::newRow("the notice is left") << false;
    QTest::newRow("the notice is closed") << true;
}

void TestDraftsInWindow::undecidedDraftDoesNotStopDrafting() {
    QFETCH(bool, dismissed);
    const auto answer = [this](const ModelTab* tab, const char* button) {
        return QTest::qWaitFor([&] { return draftNotice(tab) != nullptr; }) &&
               (test::named<QPushButton>(draftNotice(tab), button)->click(), true);
    };
    const auto kill = [this] {
        return (m_f->window = m_f->newWindow()) != nullptr;
    }; // nothing is asked, and nothing is discarded
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "First"));
    QVERIFY(draftsAreWritten(tab));
    QVERIFY(kill());
    tab = m_f->open(m_f->root / "a.gguf");
    QTRY_VERIFY(draftNotice(tab) != nullptr);
    if (dismissed) {
        test::named<QAbstractButton>(draftNotice(tab), "Dismiss")->click();
        QVERIFY(draftNotice(tab) == nullptr);
    }
    QVERIFY(setName(tab, "Second"));
    QVERIFY(draftsAreWritten(tab));
    QCOMPARE(draftCount(), std::size_t{2});
    QVERIFY(kill());
    tab = m_f->open(m_f->root / "a.gguf");
    const auto name = [&tab] { return tab->model()->metadata.string("general.name").value(); };
    QVERIFY(answer(tab, "Restore"));
    QTRY_COMPARE(name(), std::string_view("Second"));
    QVERIFY(answer(tab, "Restore")); // the older one is offered next
    QTRY_COMPARE(name(), std::string_view("First"));
    QTRY_VERIFY(draftNotice(tab) == nullptr);
    QVERIFY(draftsAreWritten(tab));
    QTRY_COMPARE(draftCount(), std::size_t{1});
    tab->discardChanges();
    QTRY_COMPARE(draftCount(), std::size_t{0});
}

void TestDraftsInWindow::draftGoesWithSavingAndDiscarding() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QVERIFY(draftsAreWritten(tab));
    QTRY_COMPARE(draftCount(), std::size_t{1});
    tab->save();
    QVERIFY(waitSaved(tab));
    QTRY_COMPARE(draftCount(), std::size_t{0});
    QVERIFY(setName(tab, "Again"));
    QVERIFY(draftsAreWritten(tab));
    QTRY_COMPARE(draftCount(), std::size_t{1});
    tab->document()->undo(); // back to the state of the file: nothing to keep
    QTRY_COMPARE(draftCount(), std::size_t{0});
    tab->document()->redo();
    QVERIFY(draftsAreWritten(tab));
    QTest::keyClick(tab, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(shown<UnsavedQuestion>(window()) != nullptr);
    test::named<QPushButton>(shown<UnsavedQuestion>(window()), "Discard")->click();
    QTRY_COMPARE(draftCount(), std::size_t{0});
    tab = m_f->open(m_f->root / "a.gguf");
    QVERIFY(tab != nullptr && tab->model() != nullptr);
    QVERIFY(draftsAreWritten(tab));
    QVERIFY(draftNotice(tab) == nullptr);
    window()->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window()));
    // After saving on closing there is no draft either.
    QVERIFY(setName(tab, "Last"));
    QVERIFY(draftsAreWritten(tab));
    QTest::keyClick(tab, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(shown<UnsavedQuestion>(window()) != nullptr);
    shown<UnsavedQuestion>(window())->saveButton()->click();
    QTRY_VERIFY(window()->modelTabs().empty());
    QTRY_COMPARE(draftCount(), std::size_t{0});
}

void TestDraftsInWindow::draftOfAnotherWindowIsLeftAlone() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Mine"));
    QVERIFY(draftsAreWritten(tab));
    fs::create_symlink(m_f->root / "a.gguf", m_f->root / "link.gguf");
    ModelTab* other = m_f->open(m_f->root / "link.gguf");
    QVERIFY(other != nullptr && other != tab);
    QVERIFY(draftsAreWritten(other));
    QVERIFY(setName(other, "Theirs"));
    QTRY_VERIFY(std::ranges::any_of(other->findChildren<NoticeBar*>(), [](const NoticeBar* notice) {
        return notice->isVisible() && notice->text().contains(QStringLiteral("another window or program"));
    }));
    QVERIFY(test::waitUntilIdle()); // no draft is to be written
    QCOMPARE(draftCount(), std::size_t{1});
    tab->discardChanges();
    other->discardChanges();
}

// Where nothing can be written, as in a home folder on a read-only file system, who only reads need not know.
void TestDraftsInWindow::failureIsToldOnAnEdit() {
    const QByteArray before = qgetenv("XDG_STATE_HOME");
    const fs::path file = writeFile(m_f->root / "a-file", std::string_view("no folder"));
    qputenv("XDG_STATE_HOME", QByteArray::fromStdString((file / "below").native()));
    const auto notice = [](const ModelTab* tab) {
        const auto notices = tab->findChildren<NoticeBar*>();
        return std::ranges::any_of(notices, [](const NoticeBar* each) {
            return each->isVisible() && each->text().contains(QStringLiteral("draft"));
        });
    };
    ModelTab* tab = open("a.gguf");
    QVERIFY(draftsAreWritten(tab));
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!notice(tab));
    QVERIFY(setName(tab, "Edited"));
    QTRY_VERIFY(notice(tab));
    tab->editing()->save();
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(*tab->place().localPath()), std::string("Edited"));
    qputenv("XDG_STATE_HOME", before);
}

namespace {

// Opens a file, edits it, and exits abnormally once a draft has been written.
int editAndDie(const fs::path& path) {
    const QByteArray state = qgetenv("XDG_STATE_HOME"); // the fixture sets one of its own
    WindowFixture fixture;
    qputenv("XDG_STATE_HOME", state);
    ModelTab* tab = fixture.open(path);
    if (tab == nullptr || !setName(tab, "Drafted")) {
        return 1;
    }
    const auto written = [] {
        std::error_code none;
        return std::ranges::any_of(fs::directory_iterator(draftFolder(), none),
                                   [](const auto& file) { return file.path().extension() != ".lock"; });
    };
    if (QTest::qWaitFor([&] { return written() && !tab->editing()->drafts()->isBusy(); }, 20'000)) {
        ::kill(::getpid(), SIGKILL);
    }
    return 1;
}

} // namespace

static int runDrafts(int argc, char** argv) {
    const QApplication application(argc, argv);
    if (const QByteArray path = qgetenv("GUFO_TEST_VICTIM"); !path.isEmpty()) {
        return editAndDie(path.toStdString());
    }
    TestDraftsInWindow test;
    return QTest::qExec(&test, argc, argv);
}
GUFO_TEST_RUN(&runDrafts)
#include "tst_drafts_in_window.moc"
