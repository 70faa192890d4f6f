// Another program changes a file that is open in a tab: which values stay visible, which are said to be stale, and how
// saving and Save as… then behave.
#include "saving_window_test.h"
#include "support/idle.h"
#include "support/safetensors_builder.h"
#include "support/test_unit.h"
#include "ui/pages/metadata/metadata_view.h"
#include "ui/saving/change_bar.h"
#include "ui/shell/notice_bar.h"

#include <QAbstractItemView>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

namespace {

std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Writes into the same file, as cp does, late enough for the time of the file to differ.
void overwrite(const fs::path& path, std::span<const std::byte> bytes) {
    const auto before = fs::last_write_time(path);
    writeFile(path, bytes);
    fs::last_write_time(path, before + std::chrono::seconds(2));
}

std::vector<std::byte> otherModel(std::size_t filling) {
    test::GgufBuilder file;
    file.key("general.architecture", "gemma").key("a.filling", std::string(filling, '#'));
    file.tensor("other.weight", 0, {64, 64});
    return file.build();
}

// Whether a row of the view, or one below it, shows the text.
bool showsText(const QAbstractItemView* view, const QString& text, const QModelIndex& parent = {}) {
    const QAbstractItemModel& model = *view->model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            if (model.index(row, column, parent).data().toString().contains(text)) {
                return true;
            }
        }
        if (showsText(view, text, model.index(row, 0, parent))) {
            return true;
        }
    }
    return false;
}

QPushButton* buttonOf(const QMessageBox* box, const QString& text) {
    for (QAbstractButton* button : box->buttons()) {
        if (button->text().remove(u'&') == text) {
            return qobject_cast<QPushButton*>(button);
        }
    }
    return nullptr;
}

using ChangeFile = void (*)(const fs::path& path);
void overwriteModel(const fs::path& path) { overwrite(path, tinyModel(7)); }
void replaceModel(const fs::path& path) {
    writeFile(path.parent_path() / "next", tinyModel(7));
    fs::rename(path.parent_path() / "next", path);
}
void removeModel(const fs::path& path) { fs::remove(path); }

struct OtherProgram {
    ChangeFile change = nullptr;
    bool leavesTheOldFile = false; // which is no longer in the folder, but can still be read
    bool leavesAFile = false;      // in the folder
};
constexpr OtherProgram kOverwrites{.change = overwriteModel, .leavesTheOldFile = false, .leavesAFile = true};
constexpr OtherProgram kReplaces{.change = replaceModel, .leavesTheOldFile = true, .leavesAFile = true};
constexpr OtherProgram kRemoves{.change = removeModel, .leavesTheOldFile = true, .leavesAFile = false};

} // namespace

class TestConflicts : public SavingWindowTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void overwrittenKeepsWhatWasRead_data();
    void overwrittenKeepsWhatWasRead();
    void sameBytesAreNoConflict_data();
    void sameBytesAreNoConflict();
    void tooLongToKeep();
    void savingAsks_data();
    void savingAsks();
    void changedOnDiskWhileEdited_data();
    void changedOnDiskWhileEdited();
    void savingWithoutAnAnswerKeepsTheirs();
    void changedOnDiskWhileNotEdited();
    void saveAsSaysWhyNot_data();
    void saveAsSaysWhyNot();
    void undoneEditsLeaveNoDraft();

private:
    QMessageBox* question() const {
        return QTest::qWaitFor([this] { return shown<QMessageBox>(window()) != nullptr; })
                   ? shown<QMessageBox>(window())
                   : nullptr;
    }
    // Waits for what follows from an answer.
    using Outcome = void (TestConflicts::*)(ModelTab* tab, const fs::path& path);
    void keepsMine(ModelTab* tab, const fs::path& path);
    void takesTheirs(ModelTab* tab, const fs::path& path);
    void savesMineElsewhere(ModelTab* tab, const fs::path& path);
    void staysModified(ModelTab* tab, const fs::path& path);
};

void TestConflicts::overwrittenKeepsWhatWasRead_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<qsizetype>("filling"); // of the other file
    QTest::newRow("shorter file") << "a.gguf" << qsizetype{10};
    QTest::newRow("longer file") << "a.gguf" << qsizetype{300'000};
    QTest::newRow("safetensors") << "a.safetensors" << qsizetype{20'000};
}

void TestConflicts::overwrittenKeepsWhatWasRead() {
    QFETCH(QString, name);
    QFETCH(qsizetype, filling);
    const fs::path path = m_f->root / name.toStdString();
    const bool isGguf = name.endsWith(QStringLiteral("gguf"));
    const std::string tensor = isGguf ? "blk.0.attn_q.weight" : "layer.weight";
    if (isGguf) {
        writeFile(path, tinyModel());
    } else {
        test::SafetensorsBuilder file;
        file.metadata("note", "Tiny");
        file.tensor(tensor, "F32", {32, 32});
        writeFile(path, file.build());
    }
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->isReady());
    tab->showPage(1);
    auto* keys = tab->currentPage()->findChild<MetadataView*>();
    QVERIFY(keys != nullptr);
    QTRY_VERIFY(showsText(keys, QStringLiteral("Tiny")));
    QVERIFY(!tab->model()->files[0].source->damage());

    overwrite(path, otherModel(static_cast<std::size_t>(filling)));
    QVERIFY(showsText(keys, QStringLiteral("Tiny"))); // before anything has been noticed
    auto* notice = tab->findChild<NoticeBar*>();
    QTRY_VERIFY(notice->isVisible());
    QVERIFY2(notice->text().contains(QStringLiteral("weights can no longer be read")), qPrintable(notice->text()));
    QVERIFY(showsText(keys, QStringLiteral("Tiny")));
    QVERIFY(!showsText(keys, QStringLiteral("##")));
    QVERIFY(tab->model()->findTensor(tensor).has_value());
    if (isGguf) {
        const ArrayView* tokens = tab->model()->metadata.array("tokenizer.ggml.tokens");
        QVERIFY(tokens != nullptr);
        const std::string_view bytes(reinterpret_cast<const char*>(tokens->bytes.data()), tokens->bytes.size());
        QVERIFY(bytes.ends_with("hello"));
    }
    const auto damage = tab->model()->sourceOf(tab->model()->tensor(*tab->model()->findTensor(tensor)))->damage();
    QVERIFY(damage.has_value());

    notice->actionButton()->click(); // Reload
    QTRY_VERIFY(tab->isReady() && !tab->model()->files[0].source->damage());
    QVERIFY(tab->model()->findTensor("other.weight").has_value());
}

// The same bytes written again, or a new time, as by `touch`, are no conflict: nothing is asked, edits stay, and saving
// works.
void TestConflicts::sameBytesAreNoConflict_data() {
    QTest::addColumn<bool>("written");
    QTest::addColumn<bool>("edited");
    QTest::newRow("touched") << false << false;
    QTest::newRow("touched, edited") << false << true;
    QTest::newRow("written again") << true << false;
    QTest::newRow("written again, edited") << true << true;
}

void TestConflicts::sameBytesAreNoConflict() {
    QFETCH(bool, written);
    QFETCH(bool, edited);
    const fs::path path = writeFile(m_f->root / "a.gguf", tinyModel());
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->isReady());
    if (edited) {
        QVERIFY(setName(tab, "Edited"));
    }
    const auto before = tab->model();
    if (written) {
        overwrite(path, tinyModel());
    } else {
        fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(1));
    }
    QTRY_VERIFY(tab->model() != before);
    QTRY_VERIFY(!tab->model()->files[0].source->damage());
    QVERIFY(test::waitUntilIdle());
    QVERIFY(!tab->findChild<NoticeBar*>()->isVisible());
    QCOMPARE(tab->isModified(), edited);
    if (edited) {
        m_f->window->namedAction("save")->trigger();
        QTRY_VERIFY(!tab->isModified());
        QVERIFY(shown<QMessageBox>(window()) == nullptr);
        QCOMPARE(nameIn(path), std::string("Edited"));
    }
}

// A header that is too long for a copy is not shown when it may have become another one.
void TestConflicts::tooLongToKeep() {
    test::GgufBytes start;
    start.text("GGUF").number(std::uint32_t{3}).length(0).length(1);
    const std::uint64_t elements = std::uint64_t{300} << 20U;
    start.string("a.long").number(static_cast<std::uint32_t>(ValueType::Array)).arrayHead(ValueType::UInt8, elements);
    const fs::path path = writeFile(m_f->root / "a.gguf", start.bytes);
    fs::resize_file(path, start.bytes.size() + elements); // a hole, which takes no space
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr && tab->isReady());
    overwrite(path, tinyModel());
    QTRY_VERIFY(tab->hasFailed());
    QVERIFY2(tab->errorText().contains(QStringLiteral("another program changed"), Qt::CaseInsensitive),
             qPrintable(tab->errorText()));
    tab->reload();
    QTRY_VERIFY(tab->isReady());
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Tiny"));
}

void TestConflicts::savingAsks_data() {
    QTest::addColumn<OtherProgram>("other");
    QTest::addColumn<bool>("noticed");
    QTest::addColumn<QString>("button"); // of the question
    QTest::addColumn<Outcome>("outcome");
    const auto row = [](const char* name, const OtherProgram& other, bool noticed, const char* button,
                        Outcome outcome) {
        QTest::newRow(name) << other << noticed << QString::fromUtf8(button) << outcome;
    };
    using Test = TestConflicts;
    row("overwritten, keep", kOverwrites, true, "Keep my changes", &Test::keepsMine);
    row("overwritten, keep, not yet noticed", kOverwrites, false, "Keep my changes", &Test::keepsMine);
    row("overwritten, discard", kOverwrites, true, "Discard them", &Test::takesTheirs);
    row("overwritten, cancel", kOverwrites, true, "Cancel", &Test::staysModified);
    row("replaced, keep", kReplaces, true, "Keep my changes", &Test::keepsMine);
    row("replaced, save as", kReplaces, true, "Save as…", &Test::savesMineElsewhere);
    row("removed, save as", kRemoves, true, "Save as…", &Test::savesMineElsewhere);
    row("removed, cancel", kRemoves, false, "Cancel", &Test::staysModified);
}

void TestConflicts::savingAsks() {
    QFETCH(OtherProgram, other);
    QFETCH(bool, noticed);
    QFETCH(QString, button);
    QFETCH(Outcome, outcome);
    ModelTab* tab = open("a.gguf");
    const fs::path path = m_f->root / "a.gguf";
    QVERIFY(setName(tab, "Mine"));
    other.change(path);
    const std::string theirs = contentOf(path);
    if (noticed) {
        QTRY_VERIFY(tab->findChild<NoticeBar*>()->isVisible());
    }
    QTest::keyClick(tab, Qt::Key_S, Qt::ControlModifier);
    QMessageBox* box = question();
    QVERIFY(box != nullptr);
    QVERIFY2(box->text().startsWith(QStringLiteral("a.gguf")), qPrintable(box->text()));
    QCOMPARE(buttonOf(box, QStringLiteral("Save as…")) != nullptr, other.leavesTheOldFile);
    QCOMPARE(buttonOf(box, QStringLiteral("Keep my changes")) != nullptr, other.leavesAFile);
    QCOMPARE(contentOf(path), theirs);
    QVERIFY(tab->isModified());
    QPushButton* found = buttonOf(box, button);
    QVERIFY(found != nullptr);
    QTest::mouseClick(found, Qt::LeftButton);
    (this->*outcome)(tab, path);
    QCOMPARE(contentOf(path) == theirs, outcome != &TestConflicts::keepsMine);
    QCOMPARE(fs::exists(path), other.leavesAFile);
}

void TestConflicts::changedOnDiskWhileEdited_data() {
    QTest::addColumn<ChangeFile>("change");
    QTest::addColumn<QString>("button"); // of the notice
    QTest::addColumn<Outcome>("outcome");
    const auto row = [](const char* name, ChangeFile change, const char* button, Outcome outcome) {
        QTest::newRow(name) << change << QString::fromUtf8(button) << outcome;
    };
    row("keep", overwriteModel, "Keep my changes", &TestConflicts::keepsMine);
    row("discard", overwriteModel, "Discard them", &TestConflicts::takesTheirs);
    // What was opened can be saved elsewhere only if it still exists, in the file that was replaced.
    row("save as", replaceModel, "Save as…", &TestConflicts::savesMineElsewhere);
}

void TestConflicts::changedOnDiskWhileEdited() {
    QFETCH(ChangeFile, change);
    QFETCH(QString, button);
    QFETCH(Outcome, outcome);
    ModelTab* tab = open("a.gguf");
    const fs::path path = m_f->root / "a.gguf";
    QVERIFY(setName(tab, "Mine"));
    change(path);
    const std::string theirs = contentOf(path);
    tab->checkFiles();
    auto* notice = tab->findChild<NoticeBar*>();
    QTRY_VERIFY(notice->isVisible());
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Mine"));
    QPushButton* found = nullptr;
    for (int i = 0; notice->actionButton(i) != nullptr; ++i) {
        found = notice->actionButton(i)->text() == button ? notice->actionButton(i) : found;
    }
    QVERIFY(found != nullptr);
    found->click();
    (this->*outcome)(tab, path);
    QCOMPARE(contentOf(path) == theirs, outcome != &TestConflicts::keepsMine);
}

void TestConflicts::savingWithoutAnAnswerKeepsTheirs() {
    ModelTab* tab = open("a.gguf");
    const fs::path path = m_f->root / "a.gguf";
    QVERIFY(setName(tab, "Mine"));
    overwriteModel(path);
    const std::string theirs = contentOf(path);
    tab->save();
    QTRY_VERIFY(!tab->isSaving());
    QTRY_VERIFY(tab->findChild<NoticeBar*>()->isVisible());
    QCOMPARE(contentOf(path), theirs);
    QVERIFY(tab->isModified());
}

// ---- what follows from an answer

void TestConflicts::keepsMine(ModelTab* tab, const fs::path& path) {
    QTRY_COMPARE(tab->model()->metadata.uint("llama.block_count").value_or(0), std::uint64_t{7});
    QCOMPARE(tab->model()->metadata.string("general.name").value(), std::string_view("Mine"));
    QCOMPARE(nameIn(path), std::string("Tiny")); // not saved yet
    tab->save();                                 // offscreen, a question does not give the keys back to the window
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(path), std::string("Mine"));
}

void TestConflicts::takesTheirs(ModelTab* tab, const fs::path&) {
    QTRY_VERIFY(tab->isReady() && tab->model()->metadata.uint("llama.block_count").value_or(0) == 7);
    QVERIFY(!tab->isModified());
}

void TestConflicts::savesMineElsewhere(ModelTab* tab, const fs::path&) {
    const fs::path mine = m_f->root / "mine.gguf";
    QVERIFY(answerSaveAs(mine));
    QVERIFY(waitSaved(tab));
    QCOMPARE(nameIn(mine), std::string("Mine"));
    QCOMPARE(tab->model()->tensors.size(), std::size_t{2});
}

void TestConflicts::staysModified(ModelTab* tab, const fs::path& path) {
    const bool existed = fs::exists(path);
    QTRY_VERIFY(shown<QMessageBox>(window()) == nullptr);
    QVERIFY(tab->isModified());
    QCOMPARE(fs::exists(path), existed);
}

void TestConflicts::changedOnDiskWhileNotEdited() {
    ModelTab* tab = open("a.gguf");
    overwrite(m_f->root / "a.gguf", tinyModel(7));
    tab->checkFiles();
    auto* notice = tab->findChild<NoticeBar*>();
    QTRY_VERIFY(notice->isVisible());
    QCOMPARE(notice->actionButton()->text(), QStringLiteral("Reload"));
    notice->actionButton()->click();
    QTRY_VERIFY(tab->isReady() && tab->model()->metadata.uint("llama.block_count").value_or(0) == 7);
}

void TestConflicts::saveAsSaysWhyNot_data() {
    QTest::addColumn<bool>("edited");
    QTest::newRow("edited") << true;
    QTest::newRow("not edited") << false;
}

void TestConflicts::saveAsSaysWhyNot() {
    QFETCH(bool, edited);
    ModelTab* tab = open("a.gguf");
    const fs::path path = m_f->root / "a.gguf";
    if (edited) {
        QVERIFY(setName(tab, "Mine"));
    }
    overwriteModel(path);
    QTRY_VERIFY(tab->findChild<NoticeBar*>()->isVisible());
    QTest::keyClick(tab, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    QMessageBox* box = question();
    QVERIFY(box != nullptr);
    QVERIFY(shown<QFileDialog>(window()) == nullptr);
    QVERIFY2(box->informativeText().contains(QStringLiteral("no longer exist")), qPrintable(box->informativeText()));
    QVERIFY(buttonOf(box, QStringLiteral("Save as…")) == nullptr);
    QPushButton* again = buttonOf(box, edited ? QStringLiteral("Keep my changes") : QStringLiteral("Reload"));
    QVERIFY(again != nullptr);
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_VERIFY(tab->isReady() && tab->model()->metadata.uint("llama.block_count").value_or(0) == 7);
    QCOMPARE(tab->isModified(), edited);
}

// Closing at once after the last edit was undone: nothing is left to be offered when the file is opened again.
void TestConflicts::undoneEditsLeaveNoDraft() {
    ModelTab* tab = open("a.gguf");
    QVERIFY(setName(tab, "Other"));
    QTRY_VERIFY(!tab->editing()->drafts()->isBusy()); // the draft has been written
    QTest::keyClick(tab, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!tab->isModified());
    QTest::keyClick(tab, Qt::Key_W, Qt::ControlModifier);
    QTRY_VERIFY(window()->modelTabs().empty());
    Job::waitForAll();
    tab = m_f->open(m_f->root / "a.gguf");
    QVERIFY(tab != nullptr && tab->isReady());
    QTRY_VERIFY(!tab->editing()->drafts()->isBusy());
    for (const NoticeBar* bar : tab->findChildren<NoticeBar*>()) {
        QVERIFY2(!bar->isVisible(), qPrintable(bar->text()));
    }
}

GUFO_TEST_WIDGETS(TestConflicts)
#include "tst_conflicts.moc"
