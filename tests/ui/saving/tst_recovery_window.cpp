// Tests what the window shows of a file whose save was interrupted: it says that it has undone the save, and asks
// before it does so in a copy.
#include "core/formats/dying_operations.h"
#include "document/open_model.h"
#include "formats/gguf/write/save.h"
#include "formats/save/recover.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "ui/shell/notice_bar.h"

#include <QApplication>
#include <QProcess>
#include <QPushButton>

using namespace gufo;
using namespace gufo::ui;

class TestRecoveryWindow : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void recoveryIsTold();
    void copiesAreRecoveredOnRequest();
    void otherFilesAreNot();

private:
    // Leaves an interrupted file and its journal behind; nothing if the file system cannot patch files in place.
    [[nodiscard]] std::optional<fs::path> interrupted() const;
    [[nodiscard]] fs::path copyOf(const fs::path& path) const;

    std::unique_ptr<WindowFixture> m_f;
};

namespace {

QPushButton* recoverButton(const ModelTab& tab) {
    for (QPushButton* button : tab.findChildren<QPushButton*>()) {
        if (button->isVisible() && button->text() == QStringLiteral("Recover this copy")) {
            return button;
        }
    }
    return nullptr;
}

} // namespace

void TestRecoveryWindow::init() { m_f = std::make_unique<WindowFixture>(); }

void TestRecoveryWindow::cleanup() { m_f.reset(); }

std::optional<fs::path> TestRecoveryWindow::interrupted() const {
    fs::path path = writeFile(m_f->root / "a.gguf", tinyModel());
    QProcess victim;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GUFO_TEST_SAVE_VICTIM"), QString::fromStdString(path.native()));
    victim.setProcessEnvironment(environment);
    victim.start(QCoreApplication::applicationFilePath(), {QStringLiteral("tst_recovery_window")});
    if (!victim.waitForFinished(60'000) || victim.exitStatus() != QProcess::CrashExit) {
        return std::nullopt;
    }
    return path;
}

// A copy with its journal, as a backup has it.
fs::path TestRecoveryWindow::copyOf(const fs::path& path) const {
    fs::path folder = m_f->root / "backup";
    fs::create_directory(folder);
    for (const fs::path& file : {path, saving::journalPath(path)}) {
        fs::copy_file(file, folder / file.filename());
    }
    return folder / path.filename();
}

void TestRecoveryWindow::recoveryIsTold() {
    const auto path = interrupted();
    if (!path) {
        QSKIP("files cannot be patched in place here");
    }
    QVERIFY(fs::exists(saving::journalPath(*path)));
    ModelTab* tab = m_f->open(*path);
    QVERIFY(tab != nullptr);
    QVERIFY2(tab->model() != nullptr, qPrintable(tab->errorText()));
    QVERIFY(tab->findChild<NoticeBar*>()->isVisible());
    QVERIFY2(tab->findChild<NoticeBar*>()->text().contains(QStringLiteral("interrupted")),
             qPrintable(tab->findChild<NoticeBar*>()->text()));
    QVERIFY(!fs::exists(saving::journalPath(*path)));
}

void TestRecoveryWindow::copiesAreRecoveredOnRequest() {
    const auto path = interrupted();
    if (!path) {
        QSKIP("files cannot be patched in place here");
    }
    const fs::path copy = copyOf(*path);
    ModelTab* tab = m_f->open(copy);
    QVERIFY(tab != nullptr && tab->hasFailed());
    QVERIFY2(tab->errorText().contains(QStringLiteral("copied or moved")), qPrintable(tab->errorText()));
    QVERIFY(fs::exists(saving::journalPath(copy))); // nothing happens without the click
    QPushButton* button = recoverButton(*tab);
    QVERIFY(button != nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY2(tab->model() != nullptr, qPrintable(tab->errorText()));
    QVERIFY(tab->findChild<NoticeBar*>()->text().contains(QStringLiteral("interrupted")));
    QVERIFY(!fs::exists(saving::journalPath(copy)));
    QVERIFY(fs::exists(saving::journalPath(*path))); // the original is left as it was
}

// A file that is no copy offers no button, and its error stays.
void TestRecoveryWindow::otherFilesAreNot() {
    const auto path = interrupted();
    if (!path) {
        QSKIP("files cannot be patched in place here");
    }
    const fs::path copy = copyOf(*path);
    fs::resize_file(copy, fs::file_size(copy) + 1);
    ModelTab* tab = m_f->open(copy);
    QVERIFY(tab != nullptr && tab->hasFailed());
    QVERIFY(recoverButton(*tab) == nullptr);
    QVERIFY(fs::exists(saving::journalPath(copy)));
}

namespace {

// Patches a file and exits abnormally half-way. Returns 2 if the file system does not support patching.
int saveAndDie(const fs::path& path) {
    const auto base = openModel(path);
    if (!base) {
        return 1;
    }
    Document document(*base);
    if (!document.apply({SetKey{"general.name", OwnedValue::string("Yiny")}}, {})) {
        return 1;
    }
    gufo::test::DyingOperations operations;
    SaveOptions options;
    options.strategy = SaveStrategy::Patch;
    options.operations = &operations;
    const auto saved = gguf::save(*document.base(), *document.current(), document.target(), options);
    return saved ? 1 : 2;
}

} // namespace

static int runRecoveryWindow(int argc, char** argv) {
    const QApplication application(argc, argv);
    if (const QByteArray path = qgetenv("GUFO_TEST_SAVE_VICTIM"); !path.isEmpty()) {
        return saveAndDie(path.toStdString());
    }
    TestRecoveryWindow test;
    return QTest::qExec(&test, argc, argv);
}
GUFO_TEST_RUN(&runRecoveryWindow)
#include "tst_recovery_window.moc"
