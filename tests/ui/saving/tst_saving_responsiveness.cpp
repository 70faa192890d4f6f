// Edits and saves the largest supported files (a sparse 20 GB, with a header of 5,007 tensors and 262,144 tokens),
// while a watchdog measures the longest time without an iteration of the event loop.
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/saving/change_bar.h"
#include "ui/saving/review_dialog.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/native_path.h"

#include <QProcess>
#include <QPushButton>
#include <QTableView>

#include <memory>

using namespace gufo;
using namespace gufo::ui;

class TestSavingResponsiveness : public QObject {
    Q_OBJECT

private slots:
    void editsAndSavesALargeFile();

private:
    bool isQuickInARound(int round);
};

void TestSavingResponsiveness::editsAndSavesALargeFile() {
    int round = 0;
    QVERIFY(isQuickOnce([&] { return isQuickInARound(round++); }));
}

bool TestSavingResponsiveness::isQuickInARound(int round) {
    WindowFixture fixture;
    const fs::path path = fixture.root / "large-F16.gguf";
    QProcess maker;
    maker.start(QStringLiteral(GUFO_MAKE_MODEL),
                {qtPath(path), QStringLiteral("--shape"), QStringLiteral("header-5k"), QStringLiteral("--type"),
                 QStringLiteral("F16"), QStringLiteral("--sparse")});
    if (!maker.waitForFinished(120'000) || maker.exitCode() != 0) {
        return false;
    }
    ModelTab* tab = fixture.open(path);
    if (tab == nullptr || tab->document() == nullptr) {
        return false;
    }
    bool idle = test::waitUntilIdle();
    ModelDocument* document = tab->document();
    const auto saved = [tab] {
        return QTest::qWaitFor([tab] { return !tab->isSaving() && !tab->isModified(); }, 60'000);
    };
    UiWatchdog watchdog;
    watchdog.step(QStringLiteral("set a name"));
    document->apply({SetKey{"general.name", OwnedValue::string("Other " + std::to_string(round))}}, {});
    idle = idle && test::waitUntilIdle(); // plan, draft, checks
    watchdog.step(QStringLiteral("set a token of 262,144"));
    document->apply({SetElement{{"tokenizer.ggml.tokens"}, 200'000, OwnedValue::string("<changed>")}}, {});
    idle = idle && test::waitUntilIdle();
    watchdog.step(QStringLiteral("insert a token"));
    const std::vector<std::string> one{"<inserted>"};
    document->apply({InsertElements{{"tokenizer.ggml.tokens"}, 5, OwnedValue::strings(one)}}, {});
    idle = idle && test::waitUntilIdle();
    watchdog.step(QStringLiteral("review"));
    tab->editing()->review();
    idle = idle && test::waitUntilIdle();
    tab->window()->findChild<ReviewDialog*>()->close();
    watchdog.step(QStringLiteral("undo and redo"));
    document->undo();
    test::spinEventLoop();
    document->redo();
    test::spinEventLoop();
    document->undo();
    idle = idle && test::waitUntilIdle();
    watchdog.step(QStringLiteral("save"));
    tab->save();
    const bool first = saved();
    idle = idle && test::waitUntilIdle();
    watchdog.step(QStringLiteral("grow a text and save again"));
    document->apply({SetKey{"tokenizer.chat_template", OwnedValue::string(std::string(200'000, 'x'))}}, {});
    tab->save();
    const bool second = saved();
    idle = idle && test::waitUntilIdle();
    watchdog.finish();
    return idle && first && second && watchdog.isQuick();
}

GUFO_TEST_WIDGETS(TestSavingResponsiveness)
#include "tst_saving_responsiveness.moc"
