// Tests the repair buttons of findings in the overview of an editable document.
#include "support/gguf_builder.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/theme/theme.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestFindingFixes : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void buttonRepairs();
    void repairIsOneStepToUndo();
    void markerGetsARowOfItsOwn();
    void fixAllIsOneStep();
    void followsEdits();
    void scanOfWeightsOutlivesEdits();
    void nothingToPressWhereNothingIsEdited();

private:
    FindingsPanel* panel() const { return m_page->findChild<FindingsPanel*>(); }
    int rowOf(const char* code) const {
        for (int row = 0; row < panel()->findings()->rowCount(); ++row) {
            if (panel()->findings()->index(row).data(FindingsModel::CodeRole).toString() == QLatin1String(code)) {
                return row;
            }
        }
        return -1;
    }
    std::unique_ptr<UiTestSettings> m_settings;
    std::unique_ptr<ModelDocument> m_document;
    std::unique_ptr<OverviewPage> m_page;
};

void TestFindingFixes::initTestCase() {
    m_settings = std::make_unique<UiTestSettings>();
    Theme::instance().apply();
}

void TestFindingFixes::init() {
    test::GgufBuilder file; // quantised tensors without general.quantization_version, a file type that contradicts
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    m_document = std::make_unique<ModelDocument>(test::readModel(file));
    m_page = std::make_unique<OverviewPage>();
    m_page->resize(1272, 812);
    m_page->setDocument(m_document.get());
    m_page->setModel(m_document->current());
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    QSignalSpy checked(panel(), &FindingsPanel::checked);
    m_page->activate();
    QVERIFY(checked.wait());
}

void TestFindingFixes::cleanup() {
    m_page.reset();
    m_document.reset();
    Job::waitForAll();
}

void TestFindingFixes::buttonRepairs() {
    const int row = rowOf("quantization_version_missing");
    QVERIFY(row >= 0);
    QPushButton* button = panel()->fixButton(row);
    QVERIFY(button != nullptr && button->isVisible());
    QVERIFY(!button->text().isEmpty());
    QVERIFY(button->accessibleName().size() > button->text().size()); // names what it repairs
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(m_document->current()->metadata.find("general.quantization_version") != nullptr);
    QTRY_COMPARE(rowOf("quantization_version_missing"), -1);
}

void TestFindingFixes::repairIsOneStepToUndo() {
    panel()->fixButton(rowOf("quantization_version_missing"))->click();
    QTRY_COMPARE(rowOf("quantization_version_missing"), -1);
    QVERIFY(QString::fromStdString(m_document->document().undoLabel()).startsWith(QStringLiteral("Fix")));
    m_document->undo();
    QVERIFY(!m_document->document().isModified());
    QTRY_VERIFY(rowOf("quantization_version_missing") >= 0);
    QVERIFY(panel()->fixButton(rowOf("quantization_version_missing")) != nullptr);
}

// No token of the vocabulary is unused, so the repair extends it; a job computes the row.
void TestFindingFixes::markerGetsARowOfItsOwn() {
    QVERIFY(m_document->apply(
        {SetKey{"tokenizer.chat_template", OwnedValue::string("<|start|>{{ messages[0].content }}<|end|>")}}, {}));
    QTRY_VERIFY(rowOf("template_token_unknown") >= 0);
    QPushButton* button = nullptr;
    QTRY_VERIFY((button = panel()->fixButton(rowOf("template_token_unknown"))) != nullptr);
    QVERIFY2(button->toolTip().contains(QStringLiteral("mean")), qPrintable(button->toolTip()));
    const std::uint64_t bytes = m_document->current()->totals().tensorBytes;
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(rowOf("template_token_unknown"), -1);
    const auto model = m_document->current();
    QCOMPARE(model->metadata.array("tokenizer.ggml.tokens")->length, std::uint64_t{7});
    QCOMPARE(model->tensor(*model->findTensor("token_embd.weight")).shape[1], std::uint64_t{7});
    QCOMPARE(model->totals().tensorBytes, bytes + 68); // two blocks of Q8_0
    m_document->undo();
    QTRY_VERIFY(rowOf("template_token_unknown") >= 0);
    QCOMPARE(m_document->current()->totals().tensorBytes, bytes);
}

void TestFindingFixes::fixAllIsOneStep() {
    // A second sound repair, and two that guess: no tensor is F16, and no token has the id.
    QVERIFY(m_document->apply({SetKey{"llama.context_length", OwnedValue(Value(2048.0F))},
                               SetKey{"general.file_type", OwnedValue(Value(std::uint32_t{1}))},
                               SetKey{"tokenizer.ggml.eos_token_id", OwnedValue(Value(std::uint32_t{9999}))}},
                              {}));
    QTRY_VERIFY(rowOf("file_type_contradicts") >= 0 && rowOf("token_id_unusable") >= 0);
    QTRY_VERIFY(panel()->findChild<QPushButton*>("fixAllButton")->isVisible());
    QCOMPARE(panel()->findings()->soundFixCount() + 2, panel()->findings()->fixCount());
    QVERIFY(!panel()->findChild<QPushButton*>("fixAllButton")->text().contains(QStringLiteral("all")));
    panel()->findChild<QPushButton*>("fixAllButton")->click();
    QTRY_COMPARE(rowOf("quantization_version_missing"), -1);
    QTRY_COMPARE(rowOf("wrong_value_type"), -1);
    QTRY_VERIFY(!panel()->findChild<QPushButton*>("fixAllButton")->isVisible());
    // The others are left, with a button and its consequence.
    QCOMPARE(m_document->current()->metadata.uint("general.file_type").value(), std::uint64_t{1});
    QVERIFY(m_document->current()->metadata.find("tokenizer.ggml.eos_token_id") != nullptr);
    const int row = rowOf("token_id_unusable");
    QVERIFY(row >= 0 && panel()->fixButton(row) != nullptr);
    const QString hint = panel()->findings()->index(row).data(FindingsModel::HintRole).toString();
    QVERIFY2(hint.contains(QStringLiteral("no such token")), qPrintable(hint));
    QVERIFY(panel()->fixButton(row)->toolTip().contains(QStringLiteral("no such token")));
    m_document->undo();
    QVERIFY(m_document->current()->metadata.find("general.quantization_version") == nullptr);
}

void TestFindingFixes::followsEdits() {
    QSignalSpy summarised(m_page.get(), &OverviewPage::summarised);
    QVERIFY(m_document->apply({SetKey{"general.name", OwnedValue::string("Another")},
                               SetKey{"llama.context_length", OwnedValue(Value(std::uint32_t{65536}))}},
                              {}));
    QVERIFY(summarised.wait());
    QTRY_VERIFY(m_page->overview()->model == m_document->current());
    bool shown = false;
    for (const OverviewFact& fact : m_page->overview()->facts) {
        shown = shown || fact.value == QStringLiteral("65,536");
    }
    QVERIFY(shown);
}

void TestFindingFixes::scanOfWeightsOutlivesEdits() {
    QSignalSpy checked(panel(), &FindingsPanel::checked);
    panel()->runButton()->click();
    QVERIFY(checked.wait());
    QVERIFY(panel()->runButton() == nullptr); // nothing left to run
    QVERIFY(m_document->apply({SetKey{"general.name", OwnedValue::string("Another")}}, {}));
    QVERIFY(checked.wait());
    QVERIFY(panel()->runButton() == nullptr); // metadata edits do not affect weights
    QVERIFY(m_document->apply({RenameTensor{"output_norm.weight", "norm.weight"}}, {}));
    QVERIFY(checked.wait());
    QVERIFY(panel()->runButton() != nullptr);
}

void TestFindingFixes::nothingToPressWhereNothingIsEdited() {
    OverviewPage page; // without a document
    page.setModel(m_document->current());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto* findings = page.findChild<FindingsPanel*>();
    QSignalSpy checked(findings, &FindingsPanel::checked);
    page.activate();
    QVERIFY(checked.wait());
    QCOMPARE(findings->findings()->fixCount(), std::size_t{0});
    QVERIFY(!findings->findChild<QPushButton*>("fixAllButton")->isVisible());
}

GUFO_TEST_WIDGETS(TestFindingFixes)
#include "tst_finding_fixes.moc"
