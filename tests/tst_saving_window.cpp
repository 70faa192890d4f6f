// Editing and saving in a real window, by keys: undo, save, save as, revert, the questions on closing, changes on disk,
// refusals and cancel.
#include "document/open_model.h"
#include "gguf/save.h"
#include "ui/mainwindow/notice_bar.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tab_strip.h"
#include "ui/saving/change_bar.h"
#include "ui/saving/review_dialog.h"
#include "ui/saving/save_dialog.h"
#include "ui/saving/tab_editing.h"
#include "ui/saving/unsaved_question.h"
#include "window_fixture.h"

#include <QApplication>
#include <QCheckBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>

#include <fcntl.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::ui;

namespace {

std::string bytesOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string nameIn(const fs::path& path) {
    const auto model = openModel(path);
    return model ? std::string((*model)->metadata.string("general.name").value_or("?")) : "unreadable";
}

bool setName(ModelTab* tab, const std::string& name) {
    return tab->document()->apply({SetKey{"general.name", OwnedValue::string(name)}},
                                  QStringLiteral("Set general.name"));
}

template<typename T>
T* shown(QWidget* in) {
    for (T* one : in->findChildren<T*>()) {
        if (one->isVisible()) {
            return one;
        }
    }
    return nullptr;
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

} // namespace

class TestSavingWindow : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_f.reset(); }
    void undoAndRedoByKeys();
    void fieldsKeepTheirOwnUndo();
    void savesByKey();
    void undoWorksAcrossASave();
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
    void changedOnDiskWhileEdited_data();
    void changedOnDiskWhileEdited();
    void changedOnDiskWhileNotEdited();
    void ownSaveIsNoChangeOnDisk();
    void reloadAsks();
    void openOnceInAllWindows();
    void savesWithOptions();
    void refusedEditsAreSaid();
    void cancelOfACopyCancels();

private:
    MainWindow* window() const { return m_f->window; }
    ModelTab* open(const char* name) { return m_f->open(writeFile(m_f->root / name, tinyModel())); }
    static bool waitSaved(const ModelTab* tab) {
        return QTest::qWaitFor([tab] { return !tab->isSaving() && !tab->isModified(); });
    }
    bool answerSaveAs(const fs::path& path) const {
        if (!QTest::qWaitFor([this] { return shown<QFileDialog>(window()) != nullptr; })) {
            return false;
        }
        auto* dialog = shown<QFileDialog>(window());
        dialog->setOption(QFileDialog::DontConfirmOverwrite); // Qt's own question would block
        dialog->selectFile(QString::fromStdString(path.native()));
        static_cast<QDialog*>(dialog)->accept();
        return true;
    }
    bool answerBox(const QString& button) const {
        return QTest::qWaitFor([this] { return shown<QMessageBox>(window()) != nullptr; }) &&
               clickButton(shown<QMessageBox>(window()), button);
    }
    std::unique_ptr<WindowFixture> m_f;
};

void TestSavingWindow::init() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    m_f = std::make_unique<WindowFixture>();
}

void TestSavingWindow::undoAndRedoByKeys() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(!window()->namedAction("undo")->isEnabled());
    QVERIFY(!window()->namedAction("save")->isEnabled());
    QVERIFY(!tab->changeBar()->isVisible());
    QVERIFY(setName(tab, "Other"));
    QVERIFY(window()->isWindowModified());
    QVERIFY(window()->tabStrip()->tabs()->isModified(0));
    QCOMPARE(window()->namedAction("undo")->text(), QStringLiteral("&Undo Set general.name"));
    QVERIFY(tab->changeBar()->isVisible());
    QCOMPARE(tab->changeBar()->countText(), QStringLiteral("1 unsaved change"));
    QTRY_VERIFY(tab->changeBar()->detailText().startsWith(QStringLiteral("Saving writes")));
    QTest::keyClick(tab, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
    QVERIFY(!window()->isWindowModified());
    QVERIFY(!window()->tabStrip()->tabs()->isModified(0));
    QVERIFY(!tab->changeBar()->isVisible());
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
    QVERIFY(tab->changeBar()->isVisible()); // says what was done
    QCOMPARE(tab->changeBar()->countText(), QStringLiteral("Saved"));
    QVERIFY2(tab->changeBar()->detailText().contains(QStringLiteral("written")),
             qPrintable(tab->changeBar()->detailText()));
    QVERIFY(window()->statusStrip()->leftText().startsWith(QStringLiteral("Saved")));
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
    QCOMPARE(bytesOf(m_f->root / "a.gguf"), before); // the filler is gone too
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
    QCOMPARE(tab->path(), m_f->root / "b.gguf");
    QCOMPARE(window()->windowTitle(), QStringLiteral("b[*] — Gufo"));
    QCOMPARE(window()->tabStrip()->tabs()->tabText(0), QStringLiteral("b"));
    QCOMPARE(m_f->manager->recent()->files().front().path, m_f->root / "b.gguf");
    // A change on disk of the new file is noticed, of the old one not.
    writeFile(m_f->root / "a.gguf", tinyModel(3));
    tab->checkFiles();
    QTest::qWait(100);
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
    ReviewDialog* review = tab->editing()->reviewDialog();
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
    QVERIFY(answerBox(allTheSame ? QStringLiteral("Save here all the same") : QStringLiteral("Save as…")));
    if (!allTheSame) {
        QVERIFY(answerSaveAs(m_f->root / "mine.gguf"));
    }
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(allTheSame ? path : m_f->root / "mine.gguf"), std::string("Other"));
    QCOMPARE(bytesOf(path) == before, !allTheSame);
}

void TestSavingWindow::closingAsks_data() {
    QTest::addColumn<QString>("answer");
    QTest::newRow("save") << "save";
    QTest::newRow("discard") << "discard";
    QTest::newRow("cancel") << "cancel";
}

void TestSavingWindow::closingAsks() {
    QFETCH(QString, answer);
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_W, Qt::ControlModifier);
    auto* question = shown<UnsavedQuestion>(window());
    QVERIFY(question != nullptr);
    QCOMPARE(window()->modelTabs().size(), std::size_t{1}); // not closed yet
    const QPointer<ModelTab> guard = tab;
    if (answer == QStringLiteral("cancel")) {
        QTest::keyClick(question, Qt::Key_Escape);
        QTest::qWait(50);
        QVERIFY(!guard.isNull() && guard->isModified());
        QCOMPARE(window()->modelTabs().size(), std::size_t{1});
        return;
    }
    (answer == QStringLiteral("save") ? question->saveButton() : question->discardButton())->click();
    QTRY_VERIFY(window()->modelTabs().empty());
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string(answer == QStringLiteral("save") ? "Other" : "Tiny"));
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
    second->openPaths({writeFile(m_f->root / "b.gguf", tinyModel())});
    QTRY_VERIFY(second->currentModelTab() != nullptr && second->currentModelTab()->isReady());
    QVERIFY(setName(second->currentModelTab(), "B"));
    m_f->manager->quit();
    UnsavedQuestion* question = nullptr;
    for (MainWindow* one : m_f->manager->windows()) {
        question = question != nullptr ? question : shown<UnsavedQuestion>(one);
    }
    QVERIFY(question != nullptr);
    QCOMPARE(question->boxes().size(), std::size_t{2});
    question->discardButton()->click();
    QTRY_VERIFY(m_f->manager->windows().empty());
    QCOMPARE(nameIn(m_f->root / "a.gguf"), std::string("Tiny"));
}

void TestSavingWindow::changedOnDiskWhileEdited_data() {
    QTest::addColumn<QString>("answer");
    QTest::newRow("discard") << "Discard them";
    QTest::newRow("save as") << "Save as…";
    QTest::newRow("save without an answer") << "";
}

void TestSavingWindow::changedOnDiskWhileEdited() {
    QFETCH(QString, answer);
    ModelTab* tab = open("a.gguf");
    const fs::path path = m_f->root / "a.gguf";
    QVERIFY(setName(tab, "Mine"));
    QTest::qWait(20);
    writeFile(path, tinyModel(7)); // another program
    const std::string theirs = bytesOf(path);
    auto* notice = tab->findChild<NoticeBar*>();
    if (answer.isEmpty()) {
        tab->save();
        QTRY_VERIFY(!tab->isSaving());
        QTRY_VERIFY(notice->isVisible());
        QCOMPARE(bytesOf(path), theirs);
        QVERIFY(tab->isModified());
        return;
    }
    tab->checkFiles();
    QTRY_VERIFY(notice->isVisible());
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Mine"));
    QPushButton* button = nullptr;
    for (int i = 0; notice->actionButton(i) != nullptr; ++i) {
        button = notice->actionButton(i)->text() == answer ? notice->actionButton(i) : button;
    }
    QVERIFY(button != nullptr);
    button->click();
    if (answer == QStringLiteral("Discard them")) {
        QTRY_VERIFY(tab->isReady() && tab->model()->metadata.uint("llama.block_count").value_or(0) == 7);
        QVERIFY(!tab->isModified());
        QCOMPARE(bytesOf(path), theirs);
    } else {
        QVERIFY(answerSaveAs(m_f->root / "mine.gguf"));
        QVERIFY(waitSaved(tab));
        QCOMPARE(nameIn(m_f->root / "mine.gguf"), std::string("Mine"));
        QCOMPARE(bytesOf(path), theirs);
    }
}

void TestSavingWindow::changedOnDiskWhileNotEdited() {
    ModelTab* tab = open("a.gguf");
    QTest::qWait(20);
    writeFile(m_f->root / "a.gguf", tinyModel(7));
    tab->checkFiles();
    auto* notice = tab->findChild<NoticeBar*>();
    QTRY_VERIFY(notice->isVisible());
    QCOMPARE(notice->actionButton()->text(), QStringLiteral("Reload"));
    notice->actionButton()->click();
    QTRY_VERIFY(tab->isReady() && tab->model()->metadata.uint("llama.block_count").value_or(0) == 7);
}

void TestSavingWindow::ownSaveIsNoChangeOnDisk() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    tab->save();
    QVERIFY(waitSaved(tab));
    QTest::qWait(600); // longer than the watch takes to settle
    tab->checkFiles();
    QTest::qWait(200);
    QVERIFY(!tab->findChild<NoticeBar*>()->isVisible());
}

void TestSavingWindow::reloadAsks() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTest::keyClick(tab, Qt::Key_F5);
    QVERIFY(answerBox(QStringLiteral("Cancel")));
    QVERIFY(tab->isModified());
    QTest::keyClick(tab, Qt::Key_F5);
    QVERIFY(answerBox(QStringLiteral("Discard them")));
    QTRY_VERIFY(tab->isReady());
    QVERIFY(!tab->isModified());
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
    QVERIFY(!tab->changeBar()->isVisible());
}

void TestSavingWindow::openOnceInAllWindows() {
    const fs::path path = m_f->root / "a.gguf";
    const ModelTab* tab = open("a.gguf");
    MainWindow* second = m_f->manager->newWindow();
    second->openPaths({path});
    QVERIFY(second->modelTabs().empty());
    QCOMPARE(m_f->manager->findTab(path).tab, tab);
}

void TestSavingWindow::savesWithOptions() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    window()->namedAction("saveWithOptions")->trigger();
    auto* dialog = shown<SaveDialog>(window());
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->isPlanned());
    for (int i = 0; i < SaveDialog::kChoices; ++i) { // what each would do, or why it cannot
        QVERIFY2(dialog->choiceText(i).size() > 10, qPrintable(dialog->choice(i)->text()));
        QCOMPARE(dialog->choice(i)->isEnabled(), i == 0 || !dialog->choiceText(i).startsWith(u"Not possible"));
    }
    dialog->choice(SaveDialog::kChoices - 1)->click(); // copy: always possible
    dialog->verifyBox()->setChecked(true);
    dialog->saveButton()->click();
    QVERIFY(waitSaved(tab));
    QVERIFY2(tab->changeBar()->detailText().contains(QStringLiteral("By copy")),
             qPrintable(tab->changeBar()->detailText()));
    QVERIFY2(tab->changeBar()->detailText().contains(QStringLiteral("SHA-256")),
             qPrintable(tab->changeBar()->detailText()));
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

void TestSavingWindow::cancelOfACopyCancels() {
    constexpr std::uint64_t kBytes = std::uint64_t{4} << 30U; // a copy takes longer than a click
    test::GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Tiny");
    file.tensorRecord("token_embd.weight", 0, {1024, kBytes / 4 / 1024}, 0);
    const fs::path path = writeFile(m_f->root / "large.gguf", file.build());
    fs::resize_file(path, fs::file_size(path) + kBytes);
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->model() != nullptr);
    QVERIFY(setName(tab, "Other"));
    bool cancelled = false;
    connect(tab->editing()->saver(), &Saver::progressed, this, [&](quint64 done, quint64) {
        if (done > 0 && !cancelled) {
            cancelled = true;
            QVERIFY(tab->changeBar()->cancelButton()->isVisible());
            QVERIFY(!window()->namedAction("save")->isEnabled());
            window()->close(); // says that it is being saved
            QVERIFY(window()->isVisible());
            QVERIFY(answerBox(QStringLiteral("OK")));
            tab->changeBar()->cancelButton()->click();
        }
    });
    tab->editing()->saveAs();
    QVERIFY(answerSaveAs(m_f->root / "copy.gguf"));
    QVERIFY(QTest::qWaitFor([tab] { return tab->isSaving(); }));
    QVERIFY(QTest::qWaitFor([tab] { return !tab->isSaving(); }, 60'000));
    QVERIFY(cancelled);
    QVERIFY(tab->isModified());
    QVERIFY(tab->document()->isEditable());
    QCOMPARE(tab->path(), path);
    QCOMPARE(std::distance(fs::directory_iterator(m_f->root), {}), 1); // neither the copy nor a part of it
    tab->discardChanges();
}

QTEST_MAIN(TestSavingWindow)
#include "tst_saving_window.moc"
