// Model › Surgery by real clicks in a window: what it shows before, what it changes through the document, what it
// refuses, and that cancelling changes nothing.
#include "document/open_model.h"
#include "support/idle.h"
#include "support/run_models.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "ui/tools/surgery_dialog.h"
#include "ui/widgets/job_bar.h"

#include <QAction>
#include <QTableWidget>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;

class TestSurgeryDialog : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> m_f;

    SurgeryDialog* openDialog(const test::RunnableShape& shape = {}) const {
        if (m_f->open(writeFile(m_f->root / "runner.gguf", test::runnableFile(shape).build())) == nullptr) {
            return nullptr;
        }
        m_f->window->namedAction("surgery")->trigger();
        return m_f->window->findChild<SurgeryDialog*>();
    }
    [[nodiscard]] ModelDocument* document() const { return m_f->window->currentModelTab()->document(); }
    static QPushButton* startButton(const SurgeryDialog* dialog) {
        return dialog->findChild<QPushButton*>("startButton");
    }
    [[nodiscard]] std::uint64_t blocks() const {
        return document()->current()->metadata.uint("llama.block_count").value_or(0);
    }

private slots:
    void init() {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        m_f = std::make_unique<WindowFixture>();
    }
    void cleanup() { m_f.reset(); }

    void dropsBlocks() {
        SurgeryDialog* dialog = openDialog({.blocks = 3});
        QVERIFY(dialog != nullptr && !startButton(dialog)->isEnabled());
        const std::size_t tensors = document()->current()->tensors.size();
        dialog->text()->setText(QStringLiteral("1"));
        QTRY_VERIFY2(startButton(dialog)->isEnabled(), qPrintable(dialog->notice()));
        QVERIFY(dialog->table()->rowCount() > 1); // the key and the tensors
        bool moves = false;                       // the third block becomes the second
        for (int row = 0; row < dialog->table()->rowCount(); ++row) {
            QVERIFY(dialog->table()->item(row, 1)->text() != dialog->table()->item(row, 2)->text());
            moves |= dialog->table()->item(row, 0)->text() == QStringLiteral("blk.1.attn_q.weight") &&
                     dialog->table()->item(row, 2)->text() == QStringLiteral("blk.2.attn_q.weight");
        }
        QVERIFY(moves);
        QVERIFY(!document()->hasChanges()); // so far
        QTest::mouseClick(startButton(dialog), Qt::LeftButton);
        QTRY_COMPARE(blocks(), std::uint64_t{2});
        QVERIFY(document()->current()->tensors.size() < tensors);
        QTRY_VERIFY(dialog->reviewButton()->isVisible());
        document()->undo();
        QCOMPARE(blocks(), std::uint64_t{3});
        QCOMPARE(document()->current()->tensors.size(), tensors);
        QVERIFY(!document()->hasChanges());
    }

    void refusesBeforeAnythingChanges() {
        SurgeryDialog* dialog = openDialog();
        QVERIFY(dialog != nullptr);
        const auto refused = [&](SurgeryKind kind, const char* text, const char* why) {
            dialog->choose(kind);
            dialog->text()->setText(QLatin1String(text));
            return QTest::qWaitFor([&] { return dialog->notice().contains(QLatin1String(why)); }) &&
                   !startButton(dialog)->isEnabled() && !document()->hasChanges();
        };
        QVERIFY2(refused(SurgeryKind::DropBlocks, "99", "no block 99"), qPrintable(dialog->notice()));
        QVERIFY2(refused(SurgeryKind::DropBlocks, "x", "no list of numbers"), qPrintable(dialog->notice()));
        QVERIFY2(refused(SurgeryKind::KeepExperts, "2", "no experts"), qPrintable(dialog->notice()));
        QVERIFY2(refused(SurgeryKind::Retype, "(", "regular expression"), qPrintable(dialog->notice()));
        QVERIFY2(refused(SurgeryKind::MoveOut, "nothing", "no tensor"), qPrintable(dialog->notice()));
        dialog->choose(SurgeryKind::StripMtp);
        QTRY_VERIFY2(dialog->notice().contains(QStringLiteral("no blocks that predict")), qPrintable(dialog->notice()));
    }

    void retypesAndSaves() {
        SurgeryDialog* dialog = openDialog();
        QVERIFY(dialog != nullptr);
        dialog->choose(SurgeryKind::Retype);
        dialog->type()->setCurrentText(QStringLiteral("Q8_0"));
        dialog->text()->setText(QStringLiteral("attn_q"));
        QTRY_VERIFY2(startButton(dialog)->isEnabled(), qPrintable(dialog->notice()));
        QTest::mouseClick(startButton(dialog), Qt::LeftButton);
        const auto typeOf = [](const Model& model) {
            return model.tensor(*model.findTensor("blk.0.attn_q.weight")).typeName();
        };
        QTRY_COMPARE(typeOf(*document()->current()), std::string("Q8_0"));
        QTRY_VERIFY(!dialog->isWorking());
        m_f->window->namedAction("save")->trigger();
        QTRY_VERIFY(!document()->hasChanges());
        QTRY_COMPARE(typeOf(*document()->current()), std::string("Q8_0"));
        const auto saved = openModel(m_f->root / "runner.gguf");
        QVERIFY(saved);
        QCOMPARE(typeOf(**saved), std::string("Q8_0"));
    }

    void cancelChangesNothing() {
        SurgeryDialog* dialog = openDialog({.width = 512, .blocks = 16});
        QVERIFY(dialog != nullptr);
        dialog->choose(SurgeryKind::Retype);
        dialog->type()->setCurrentText(QStringLiteral("IQ3_S")); // whose encoder searches long
        dialog->text()->setText(QStringLiteral("blk"));
        QTRY_VERIFY2(startButton(dialog)->isEnabled(), qPrintable(dialog->notice()));
        QTest::mouseClick(startButton(dialog), Qt::LeftButton);
        QVERIFY(dialog->isWorking());
        auto* cancel = dialog->jobBar()->findChild<QToolButton*>();
        QTRY_VERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY(!dialog->isWorking());
        Job::waitForAll();
        QVERIFY(!document()->hasChanges());
        QVERIFY(!document()->document().canUndo());
        QTRY_VERIFY(startButton(dialog)->isEnabled()); // it can be begun again
    }
};

GUFO_TEST_WIDGETS(TestSurgeryDialog)
#include "tst_surgery_dialog.moc"
