// Tests drafts on the Run page: prompt lookup, another model, the share of drafts that is accepted, and engines that
// cannot use drafts.
#include "run_page_test.h"
#include "support/predicting_file.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/pages/run/draft_field.h"

#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QWheelEvent>

class TestRunDrafts : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() {
        finish();
        m_engines = inference::engines();
    }
    void lookupLeavesTheTextAndSaysWhatItSaved();
    void anotherModelDrafts();
    void refusesAnotherVocabulary();
    void unloadingForgetsTheModel();
    void theModelDraftsItself();
    void saysWhyTheModelDoesNot();
    void saysWhatTheEngineLacks();
    void scrollingChoosesNothing();

private:
    DraftField& field() { return *m_page->draftField(); }
    void choose(int index) { // with the keyboard, because only users cause activated()
        QComboBox& choice = *field().choice();
        choice.setFocus();
        while (choice.currentIndex() != index) {
            QTest::keyClick(&choice, choice.currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
        }
    }
    QString answer(const QString& question) {
        say(question);
        return waitIdle() ? turn(turns() - 1).text : QString("not idle");
    }
    static bool writeModel(const QString& path) {
        const std::vector<std::byte> bytes = test::runnableFile().build();
        QFile file(path);
        return file.open(QIODevice::WriteOnly) &&
               file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())) > 0;
    }
    void beGreedy() {
        inference::SamplerSettings settings = m_page->samplerPanel()->sampler();
        settings.temperature = 0;
        settings.ignoreEnd = true;
        m_page->samplerPanel()->setSampler(settings);
        m_page->samplerPanel()->lengthField()->setValue(64);
    }
};

void TestRunDrafts::lookupLeavesTheTextAndSaysWhatItSaved() {
    open();
    beGreedy();
    QVERIFY(field().choice()->isEnabled());
    QVERIFY(field().drafter() == nullptr);
    const QString plain = answer("abcabcabcabc");
    QVERIFY(!plain.isEmpty());
    QVERIFY(!m_page->strip()->text().contains("drafts"));
    m_page->newConversation();
    choose(1);
    QVERIFY(field().drafter() != nullptr);
    const QString drafted = answer("abcabcabcabc");
    QCOMPARE(drafted, plain);
    QVERIFY2(m_page->strip()->text().contains("of drafts accepted"), qPrintable(m_page->strip()->text()));
    choose(0);
    QVERIFY(field().drafter() == nullptr);
}

void TestRunDrafts::anotherModelDrafts() {
    open();
    beGreedy();
    const QString plain = answer("abc");
    const QTemporaryDir folder;
    const QString path = folder.filePath("small.gguf");
    QVERIFY(writeModel(path));
    QSignalSpy changed(&field(), &DraftField::changed);
    field().load(path.toStdString());
    QVERIFY(field().state().startsWith("Loading"));
    QVERIFY(changed.wait());
    QVERIFY2(field().drafter() != nullptr, qPrintable(field().state()));
    QCOMPARE(field().choice()->currentText(), QString("small.gguf"));
    m_page->newConversation();
    QCOMPARE(answer("abc"), plain);
    QVERIFY(m_page->strip()->text().contains("of drafts accepted")); // the same weights agree
}

void TestRunDrafts::refusesAnotherVocabulary() {
    open();
    QSignalSpy changed(&field(), &DraftField::changed);
    field().load(GUFO_TEST_DATA "/architectures/llama.gguf");
    QVERIFY(changed.wait());
    QVERIFY(field().drafter() == nullptr);
    QCOMPARE(field().choice()->currentIndex(), 0);
    QVERIFY2(field().state().contains("cannot draft"), qPrintable(field().state()));
    field().load("/none/at all.gguf");
    QVERIFY(changed.wait());
    QVERIFY(field().state().startsWith("at all.gguf cannot draft"));
}

void TestRunDrafts::unloadingForgetsTheModel() {
    open();
    const QTemporaryDir folder;
    const QString path = folder.filePath("small.gguf");
    QVERIFY(writeModel(path));
    QSignalSpy changed(&field(), &DraftField::changed);
    field().load(path.toStdString());
    m_page->engine()->unload(); // while the other model is being loaded
    Job::waitForAll();
    QCoreApplication::processEvents();
    QVERIFY(field().drafter() == nullptr);
    QCOMPARE(field().choice()->currentIndex(), 0);
    QVERIFY(!field().isBusy());
}

void TestRunDrafts::theModelDraftsItself() {
    openModel(test::modelOf(test::predictingFile().build()));
    beGreedy();
    const QString plain = answer("count");
    QVERIFY(plain.contains("two three four"));
    QVERIFY(!field().mtpDrafts());
    m_page->newConversation();
    choose(3);
    QVERIFY(field().mtpDrafts() && field().drafter() == nullptr);
    QCOMPARE(answer("count"), plain);
    QVERIFY2(m_page->strip()->text().contains("100 % of drafts accepted"), qPrintable(m_page->strip()->text()));
    m_page->engine()->unload(); // the next model may have no such block
    QTRY_COMPARE(field().choice()->currentIndex(), 0);
    QVERIFY(!field().mtpDrafts());
}

void TestRunDrafts::saysWhyTheModelDoesNot() {
    const auto* items = [this] {
        open();
        return qobject_cast<QStandardItemModel*>(field().choice()->model());
    }();
    QVERIFY(items != nullptr && !items->item(3)->isEnabled());
    const QString tip = field().choice()->itemData(3, Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith("The model has no block that predicts further tokens"), qPrintable(tip));
}

void TestRunDrafts::saysWhatTheEngineLacks() {
    m_engines = test::standIns().subspan(test::TextOnly, 1);
    open();
    QVERIFY(!field().choice()->isEnabled());
    QVERIFY(!field().choice()->toolTip().isEmpty());
}

void TestRunDrafts::scrollingChoosesNothing() {
    open();
    const QPointF middle = field().choice()->rect().center();
    QWheelEvent wheel(middle, field().choice()->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(field().choice(), &wheel);
    QCOMPARE(field().choice()->currentIndex(), 0);
    QVERIFY(field().drafter() == nullptr);
}

GUFO_TEST_WIDGETS(TestRunDrafts)
#include "tst_run_drafts.moc"
