// A set of shards, one of them missing, in the window: it can be looked at, and neither saved under another name nor
// quantised nor run; each refusal names the part.
#include "model/finding_code.h"
#include "saving_window_test.h"
#include "support/page_parts.h"
#include "support/shard_sets.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/pages/run/load_panel.h"
#include "ui/pages/run/run_page.h"
#include "ui/quantize/quantize_dialog.h"

#include <QFileDialog>
#include <QMessageBox>

using namespace gufo::test;

namespace {

const QString kMissing = QStringLiteral("part 2 of 3 is missing (m-00002-of-00003.gguf)");

} // namespace

class TestIncompleteSet : public SavingWindowTest {
    Q_OBJECT

private slots:
    void init() {
        prepare();
        const auto model = gguf::open(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");
        QVERIFY(model);
        writeShards(threeShards(**model), m_f->root);
        fs::remove(shardPath(m_f->root, 2));
        m_tab = m_f->open(shardPath(m_f->root, 1));
        QVERIFY(m_tab != nullptr && m_tab->isReady());
    }
    void cleanup() { finish(); }

    void isShownWithAFinding() {
        const Model& model = *m_tab->model();
        QCOMPARE(std::ranges::count(model.findings, FindingCode::ShardMissing, &Finding::code), 1);
        QCOMPARE(model.tensors.size(), 20U);
    }

    void isNotSavedUnderAnotherName() {
        QVERIFY(!window()->namedAction("saveAs")->isEnabled());
        QTest::keyClick(m_tab, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(shown<QFileDialog>(window()) == nullptr);
        const QString why = m_tab->document()->whyNot(Capability::SaveAs);
        QVERIFY2(why.contains("missing", Qt::CaseInsensitive), qPrintable(why));
    }

    void isNotQuantised() {
        window()->namedAction("quantise")->trigger();
        QTRY_VERIFY(shown<QuantizeDialog>(window()) != nullptr);
        auto* dialog = shown<QuantizeDialog>(window());
        QTRY_VERIFY2(dialog->notice().contains(kMissing, Qt::CaseInsensitive), qPrintable(dialog->notice()));
        QVERIFY(!dialog->findChild<QPushButton*>("write")->isEnabled());
    }

    void isNotRun() {
        RunPage* page = nullptr;
        for (int i = 0; page == nullptr && i < 9; ++i) {
            m_tab->showPage(i);
            page = shown<RunPage>(m_tab);
        }
        QVERIFY(page != nullptr);
        QTRY_VERIFY2(part<LoadPanel>(*page)->verdictText().contains(kMissing, Qt::CaseInsensitive),
                     qPrintable(part<LoadPanel>(*page)->verdictText()));
        QVERIFY(!part<LoadPanel>(*page)->loadButton()->isEnabled());
    }

private:
    ModelTab* m_tab = nullptr;
};

GUFO_TEST_WIDGETS(TestIncompleteSet)
#include "tst_incomplete_set.moc"
