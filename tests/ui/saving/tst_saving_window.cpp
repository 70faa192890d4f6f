// Tests editing and saving in a real window by keys: undo, save, save as, revert, the questions on closing, changes on
// disk, refusals and cancelling.
#include "formats/gguf/write/save.h"
#include "saving_window_test.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/user_view.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/saving/change_bar.h"
#include "ui/saving/review_dialog.h"
#include "ui/saving/save_dialog.h"
#include "ui/shell/notice_bar.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace {

std::string bytesOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool clickButton(QMessageBox* box, const QString& text) {
    for (QAbstractButton* button : box->buttons()) {
        if (button->text().remove(u'&') == text) {
            button->click();
            return true;
        }
    }
    return false;
}

QString detailText(const ModelTab* tab) { return tab->findChild<ElidedLabel*>("changeDetail")->text(); }

using AnswerQuestion = void (*)(UnsavedQuestion* question);

} // namespace

class TestSavingWindow : public SavingWindowTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void undoAndRedoByKeys();
    void fieldsKeepTheirOwnUndo();
    void savesByKey();
    void undoWorksAcrossASave();
    void undoWorksAfterSavingWithTheMouse();
    void savesAs();
    void doesNotSaveOverAnotherTab();
    void revertsAll();
    void reviewsByKey();
    void refusalLeadsToSaveAs_data();
    void refusalLeadsToSaveAs();
    void closingAsks_data();
    void closingAsks();
    void closingAWindowAsksOnceForAll();
    void quittingAsks();
    void ownSaveIsNoChangeOnDisk();
    void reloadAsks();
    void reloadAsksForAClosedTab();
    void openOnceInAllWindows();
    void savesWithOptions();
    void refusedEditsAreSaid();
    void cancelOfACopyCancels();
    void forecastFollowsOtherPrograms();

private:
    [[nodiscard]] fs::path writeLarge() const;
    bool answerBox(const QString& button) const {
        return QTest::qWaitFor([this] { return shown<QMessageBox>(window()) != nullptr; }) &&
               clickButton(shown<QMessageBox>(window()), button);
    }
};

void TestSavingWindow::undoAndRedoByKeys() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(!window()->namedAction("undo")->isEnabled());
    QVERIFY(!window()->namedAction("review")->isEnabled());
    QVERIFY(!tab->findChild<ChangeBar*>()->isVisible());
    QVERIFY(setName(tab, "Other"));
    QVERIFY(window()->isWindowModified());
    QVERIFY(window()->findChild<TabStrip*>()->tabs()->isModified(0));
    QCOMPARE(window()->namedAction("undo")->text(), QStringLiteral("&Undo Set general.name"));
    QVERIFY(tab->findChild<ChangeBar*>()->isVisible());
    QCOMPARE(tab->findChild<ChangeBar*>()->countText(), QStringLiteral("1 unsaved change"));
    QTRY_VERIFY(detailText(tab).startsWith(QStringLiteral("Saving writes")));
    QTest::keyClick(tab, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
    QVERIFY(!window()->isWindowModified());
    QVERIFY(!window()->findChild<TabStrip*>()->tabs()->isModified(0));
    QVERIFY(!tab->findChild<ChangeBar*>()->isVisible());
    QCOMPARE(window()->namedAction("redo")->text(), QStringLiteral("&Redo Set general.name"));
    QTest::keyClick(tab, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Other"));
    QVERIFY(window()->isWindowModified());
}

void TestSavingWindow::fieldsKeepTheirOwnUndo() {
    ModelTab* tab = open("a.gguf");
    tab->showPage(1);
    QVERIFY(setName(tab, "Other"));
    auto* field = qobject_cast<QLineEdit*>(tab->currentPage()->filterField());
    QVERIFY(field != nullptr);
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("abc"));
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(field->text() != QStringLiteral("abc"));
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Other"));
}

void TestSavingWindow::savesByKey() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string("Other"));
    QVERIFY(!window()->isWindowModified());
    QVERIFY(tab->findChild<ChangeBar*>()->isVisible()); // shows the result
    QCOMPARE(tab->findChild<ChangeBar*>()->countText(), QStringLiteral("Saved"));
    QVERIFY2(detailText(tab).contains(QStringLiteral("written")), qPrintable(detailText(tab)));
    QVERIFY(window()->findChild<ElidedLabel*>("statusText")->text().startsWith(QStringLiteral("Saved")));
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Other"));
    QCOMPARE(tab->document()->document().base()->metadata.string("general.name").value(), std::string_view("Other"));
}

void TestSavingWindow::undoWorksAcrossASave() {
    ModelTab* tab = open("a.gguf");
    const std::string before = bytesOf(m_f->root / "a.gguf");
    QVERIFY(setName(tab, std::string(3'000, 'x')));
    QTest::keyClick(tab, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(waitSaved(tab));
    QVERIFY(bytesOf(m_f->root / "a.gguf") != before);
    QTest::keyClick(tab, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(window()->isWindowModified());
    QTest::keyClick(tab, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(waitSaved(tab));
    QCOMPARE(bytesOf(m_f->root / "a.gguf"), before); // the reserved space is gone too
}

// Neither the click nor the button that hides moves the focus to a field that would take Ctrl+Z. In a filter with
// nothing to undo, the keys are the page's, too.
void TestSavingWindow::undoWorksAfterSavingWithTheMouse() {
    ModelTab* tab = open("a.gguf");
    tab->showPage(1);
    QVERIFY(setName(tab, "Other"));
    auto* table = tab->currentPage()->findChild<QAbstractItemView*>();
    QVERIFY(table != nullptr);
    table->setFocus();
    QWidget* before = QApplication::focusWidget();
    QTest::mouseClick(tab->findChild<ChangeBar*>()->saveButton(), Qt::LeftButton);
    QVERIFY(waitSaved(tab));
    QVERIFY(QApplication::focusWidget() == before);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
    auto* filter = qobject_cast<QLineEdit*>(tab->currentPage()->filterField());
    filter->setFocus();
    QTest::keyClick(filter, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); // redoes
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Other"));
    QTest::keyClick(filter, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
}

void TestSavingWindow::savesAs() {
    ModelTab* tab = open("a.gguf");
    const std::string before = bytesOf(m_f->root / "a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(answerSaveAs(m_f->root / "b.gguf"));
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(m_f->root / "b.gguf"), std::string("Other"));
    QCOMPARE(bytesOf(m_f->root / "a.gguf"), before);
    QCOMPARE(tab->place(), m_f->root / "b.gguf");
    QCOMPARE(window()->windowTitle(), QStringLiteral("b[*] — Gufo"));
    QCOMPARE(window()->findChild<TabStrip*>()->tabs()->tabText(0), QStringLiteral("b"));
    QCOMPARE(m_f->manager->recent()->files().front().place, m_f->root / "b.gguf");
    // A change on disk of the new file is noticed, one of the old file is not.
    writeFile(m_f->root / "a.gguf", tinyModel(3));
    tab->checkFiles();
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!tab->findChild<NoticeBar*>()->isVisible());
}

void TestSavingWindow::doesNotSaveOverAnotherTab() {
    open("b.gguf");
    ModelTab* tab = open("a.gguf");
    const std::string before = bytesOf(m_f->root / "b.gguf");
    QVERIFY(setName(tab, "Other"));
    tab->editing()->saveAs();
    QVERIFY(answerSaveAs(m_f->root / "b.gguf"));
    QVERIFY(QTest::qWaitFor([this] { return shown<QMessageBox>(window()) != nullptr; }));
    QVERIFY(shown<QMessageBox>(window())->text().contains(QStringLiteral("another tab")));
    QVERIFY(answerBox(QStringLiteral("OK")));
    QVERIFY(answerSaveAs(m_f->root / "c.gguf"));
    QVERIFY(waitSaved(tab));
    QCOMPARE(bytesOf(m_f->root / "b.gguf"), before);
    QCOMPARE(nameIn(m_f->root / "c.gguf"), std::string("Other"));
}

void TestSavingWindow::revertsAll() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    window()->namedAction("revertAll")->trigger();
    QVERIFY(answerBox(QStringLiteral("Cancel")));
    QVERIFY(tab->isModified());
    window()->namedAction("revertAll")->trigger();
    QVERIFY(answerBox(QStringLiteral("Revert")));
    QVERIFY(!tab->isModified());
    QTest::keyClick(tab, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(tab->isModified());
}

void TestSavingWindow::reviewsByKey() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    ReviewDialog* review = tab->window()->findChild<ReviewDialog*>();
    QVERIFY(review != nullptr && review->isVisible());
    QCOMPARE(review->model()->rowCount(), 1);
    review->saveButton()->click();
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string("Other"));
}

void TestSavingWindow::refusalLeadsToSaveAs_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("linked");
    QTest::addColumn<bool>("allTheSame");
    const QString digest = QString(64, u'a');
    QTest::newRow("several hard links, save as") << "a.gguf" << true << false;
    QTest::newRow("several hard links, here") << "a.gguf" << true << true;
    QTest::newRow("content-addressed store") << digest << false << false;
}

void TestSavingWindow::refusalLeadsToSaveAs() {
    QFETCH(QString, name);
    QFETCH(bool, linked);
    QFETCH(bool, allTheSame);
    const fs::path path = m_f->root / name.toStdString();
    writeFile(path, tinyModel());
    if (linked) {
        fs::create_hard_link(path, m_f->root / "other-name.gguf");
    }
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->model() != nullptr);
    const std::string before = bytesOf(path);
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor([this] { return shown<QMessageBox>(window()) != nullptr; }));
    QVERIFY2(shown<QMessageBox>(window())->text().contains(QStringLiteral("another name")),
             qPrintable(shown<QMessageBox>(window())->text()));
    QCOMPARE(bytesOf(path), before);
    QVERIFY(tab->isModified());
    QVERIFY(answerBox(allTheSame ? QStringLiteral("Save here anyway") : QStringLiteral("Save as…")));
    if (!allTheSame) {
        QVERIFY(answerSaveAs(m_f->root / "mine.gguf"));
    }
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(allTheSame ? path : m_f->root / "mine.gguf"), std::string("Other"));
    QCOMPARE(bytesOf(path) == before, !allTheSame);
}

void TestSavingWindow::closingAsks_data() {
    QTest::addColumn<AnswerQuestion>("answer");
    QTest::addColumn<std::optional<std::string>>("nameThen"); // in the file; nothing: the tab stays open
    const auto row = [](const char* name, AnswerQuestion answer, std::optional<std::string> nameThen) {
        QTest::newRow(name) << answer << std::move(nameThen);
    };
    row("save", [](UnsavedQuestion* question) { question->saveButton()->click(); }, "Other");
    row("discard", [](UnsavedQuestion* question) { test::named<QPushButton>(question, "Discard")->click(); }, "Tiny");
    row("cancel", [](UnsavedQuestion* question) { QTest::keyClick(question, Qt::Key_Escape); }, {});
}

void TestSavingWindow::closingAsks() {
    QFETCH(AnswerQuestion, answer);
    QFETCH(std::optional<std::string>, nameThen);
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_W, Qt::ControlModifier);
    auto* question = shown<UnsavedQuestion>(window());
    QVERIFY(question != nullptr);
    QCOMPARE(window()->modelTabs().size(), std::size_t{1}); // not closed yet
    const QPointer<ModelTab> guard = tab;
    answer(question);
    if (!nameThen) {
        QVERIFY(test::waitUntilIdle());
        QVERIFY(!guard.isNull() && guard->isModified());
        QCOMPARE(window()->modelTabs().size(), std::size_t{1});
        return;
    }
    QTRY_VERIFY(window()->modelTabs().empty());
    QCOMPARE(nameIn(m_f->root / "a.gguf"), *nameThen);
}

void TestSavingWindow::closingAWindowAsksOnceForAll() {
    QVERIFY(setName(open("a.gguf"), "A"));
    QVERIFY(setName(open("b.gguf"), "B"));
    open("c.gguf");
    const QPointer<MainWindow> gone = window();
    window()->close();
    auto* question = shown<UnsavedQuestion>(window());
    QVERIFY(question != nullptr);
    QVERIFY(window()->isVisible());
    QCOMPARE(question->boxes().size(), std::size_t{2}); // not the third
    question->boxes()[1]->setChecked(false);
    question->saveButton()->click();
    QTRY_VERIFY(gone.isNull());
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string("A"));
    QCOMPARE(nameIn(m_f->root / "b.gguf"), std::string("Tiny"));
}

void TestSavingWindow::quittingAsks() {
    QVERIFY(setName(open("a.gguf"), "A"));
    MainWindow* second = m_f->manager->newWindow();
    second->openPlaces({writeFile(m_f->root / "b.gguf", tinyModel())});
    QTRY_VERIFY(second->currentModelTab() != nullptr && second->currentModelTab()->isReady());
    QVERIFY(setName(second->currentModelTab(), "B"));
    m_f->manager->quit();
    UnsavedQuestion* question = nullptr;
    for (MainWindow* one : m_f->manager->windows()) {
        question = question != nullptr ? question : shown<UnsavedQuestion>(one);
    }
    QVERIFY(question != nullptr);
    QCOMPARE(question->boxes().size(), std::size_t{2});
    test::named<QPushButton>(question, "Discard")->click();
    QTRY_VERIFY(m_f->manager->windows().empty());
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string("Tiny"));
}

void TestSavingWindow::ownSaveIsNoChangeOnDisk() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    tab->save();
    QVERIFY(waitSaved(tab));
    QVERIFY(test::waitUntilIdle()); // the watch has settled
    tab->checkFiles();
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!tab->findChild<NoticeBar*>()->isVisible());
}

void TestSavingWindow::reloadAsks() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_F5);
    QVERIFY(answerBox(QStringLiteral("Keep them")));
    QTRY_VERIFY(window()->findChild<ElidedLabel*>("statusText")->text().startsWith(QStringLiteral("Read again")));
    QVERIFY(tab->isModified());
    window()->activateWindow(); // offscreen, a dialog's window does not give that back
    QVERIFY(QTest::qWaitForWindowActive(window()));
    QTest::keyClick(tab, Qt::Key_F5);
    QVERIFY(answerBox(QStringLiteral("Discard them")));
    QTRY_VERIFY(tab->isReady());
    QVERIFY(!tab->isModified());
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
    QVERIFY(!tab->findChild<ChangeBar*>()->isVisible());
}

// Two windows may ask at a time: quitting from another one closes this tab before its question is answered.
void TestSavingWindow::reloadAsksForAClosedTab() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_F5);
    auto* box = shown<QMessageBox>(window());
    QVERIFY(box != nullptr);
    window()->namedAction("closeTab")->trigger();
    test::named<QPushButton>(shown<UnsavedQuestion>(window()), "Discard")->click();
    QVERIFY(clickButton(box, QStringLiteral("Keep them")));
    QVERIFY(test::waitUntilIdle());
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string("Tiny"));
}

void TestSavingWindow::openOnceInAllWindows() {
    const fs::path path = m_f->root / "a.gguf";
    const ModelTab* tab = open("a.gguf");
    MainWindow* second = m_f->manager->newWindow();
    second->openPlaces({path});
    QVERIFY(second->modelTabs().empty());
    QCOMPARE(m_f->manager->findTab(path).tab, tab);
}

void TestSavingWindow::savesWithOptions() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    window()->namedAction("saveWithOptions")->trigger();
    auto* dialog = shown<SaveDialog>(window());
    QVERIFY(dialog != nullptr);
    for (int i = 0; i < SaveDialog::kChoices; ++i) { // what each would do, or why it is impossible
        const QRadioButton* choice = dialog->choice(i);
        QTRY_VERIFY2(choice->accessibleDescription().size() > 10, qPrintable(choice->text()));
        QCOMPARE(choice->isEnabled(), i == 0 || !choice->accessibleDescription().startsWith(u"Not possible"));
    }
    dialog->choice(SaveDialog::kChoices - 1)->click(); // copy: always possible
    test::named<QCheckBox>(dialog, "Verify the tensor data")->setChecked(true);
    dialog->saveButton()->click();
    QVERIFY(waitSaved(tab));
    QVERIFY2(detailText(tab).contains(QStringLiteral("By copy")), qPrintable(detailText(tab)));
    QVERIFY2(detailText(tab).contains(QStringLiteral("SHA-256")), qPrintable(detailText(tab)));
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string("Other"));
    QVERIFY(tab->editing()->saver()->options().verify); // stays
    QVERIFY(!tab->editing()->saver()->options().strategy);
}

void TestSavingWindow::refusedEditsAreSaid() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(!tab->document()->apply({DeleteKey{"no.such.key"}}, QStringLiteral("Delete")));
    bool said = false;
    for (const NoticeBar* notice : tab->findChildren<NoticeBar*>()) {
        said = said || (notice->isVisible() && notice->text().contains(QStringLiteral("no.such.key")));
    }
    QVERIFY(said);
}

// A model of 4 GiB without blocks on the disk, which takes seconds to copy.
fs::path TestSavingWindow::writeLarge() const {
    constexpr std::uint64_t kBytes = std::uint64_t{4} << 30U;
    test::GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Tiny");
    file.tensorRecord("token_embd.weight", 0, {1024, kBytes / 4 / 1024}, 0);
    const fs::path path = writeFile(m_f->root / "large.gguf", file.build());
    fs::resize_file(path, fs::file_size(path) + kBytes);
    return path;
}

// While another program has the file open, a copy is foretold, with its reason and time; and a save that turns out to
// be a copy says so, and how long it will take.
void TestSavingWindow::forecastFollowsOtherPrograms() {
    const fs::path path = writeLarge();
    QProcess holder;
    const auto hold = [&] {
        holder.setStandardInputFile(QString::fromStdString(path.native()));
        holder.start(QStringLiteral("sleep"), {QStringLiteral("600")});
        return holder.waitForStarted();
    };
    const auto release = [&] {
        holder.kill();
        return holder.waitForFinished();
    };
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->model() != nullptr);
    auto* bar = tab->findChild<ChangeBar*>();
    QVERIFY(hold());
    QVERIFY(setName(tab, "Toys"));
    QTRY_VERIFY2_WITH_TIMEOUT(detailText(tab).contains(QStringLiteral("another program has the file open")),
                              qPrintable(detailText(tab)), 20'000);
    QVERIFY2(detailText(tab).contains(QStringLiteral("new file of 4.00 GiB")), qPrintable(detailText(tab)));
    QVERIFY2(detailText(tab).contains(QStringLiteral("It takes about")), qPrintable(detailText(tab)));
    QVERIFY(release());
    QTRY_VERIFY2_WITH_TIMEOUT(detailText(tab).contains(QStringLiteral("in place")), qPrintable(detailText(tab)),
                              30'000);
    QVERIFY(hold()); // after the forecast
    tab->editing()->save();
    QTRY_VERIFY2_WITH_TIMEOUT(bar->countText().contains(QStringLiteral("copy: another program has the file open")),
                              qPrintable(bar->countText()), 20'000);
    QTRY_VERIFY2_WITH_TIMEOUT(detailText(tab).contains(QStringLiteral(" left")), qPrintable(detailText(tab)), 20'000);
    bar->cancelButton()->click();
    QVERIFY(QTest::qWaitFor([tab] { return !tab->isSaving(); }, 60'000));
    QVERIFY(tab->isModified());
    QVERIFY(release());
    tab->discardChanges();
}

void TestSavingWindow::cancelOfACopyCancels() {
    const fs::path path = writeLarge();
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->model() != nullptr);
    QVERIFY(setName(tab, "Other"));
    bool cancelled = false;
    connect(tab->editing()->saver(), &Saver::progressed, this, [&](quint64 done, quint64) {
        if (done > 0 && !cancelled) {
            cancelled = true;
            QVERIFY(tab->findChild<ChangeBar*>()->cancelButton()->isVisible());
            QVERIFY(!window()->namedAction("save")->isEnabled());
            window()->close(); // a message says that the file is being saved
            QVERIFY(window()->isVisible());
            QVERIFY(answerBox(QStringLiteral("OK")));
            tab->findChild<ChangeBar*>()->cancelButton()->click();
        }
    });
    tab->editing()->saveAs();
    QVERIFY(answerSaveAs(m_f->root / "copy.gguf"));
    QVERIFY(QTest::qWaitFor([tab] { return tab->isSaving(); }));
    QVERIFY(QTest::qWaitFor([tab] { return !tab->isSaving(); }, 60'000));
    QVERIFY(cancelled);
    QVERIFY(tab->isModified());
    QVERIFY(tab->document()->can(Capability::EditMetadata));
    QCOMPARE(tab->place(), path);
    QCOMPARE(std::distance(fs::directory_iterator(m_f->root), {}), 1); // neither the copy nor a part of it
    tab->discardChanges();
}

GUFO_TEST_WIDGETS(TestSavingWindow)
#include "tst_saving_window.moc"
