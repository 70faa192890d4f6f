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
    DraftField& field() { return *part<DraftField>(*m_page); }
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
        inference::SamplerSettings settings = part<SamplerPanel>(*m_page)->sampler();
        settings.temperature = 0;
        settings.ignoreEnd = true;
        part<SamplerPanel>(*m_page)->setSampler(settings);
        part<SamplerPanel>(*m_page)->lengthField()->setValue(64);
    }
};

void TestRunDrafts::lookupLeavesTheTextAndSaysWhatItSaved() {
    open();
    beGreedy();
    QVERIFY(field().choice()->isEnabled());
    QVERIFY(field().drafter() == nullptr);
    const QString plain = answer("abcabcabcabc");
    QVERIFY(!plain.isEmpty());
    QVERIFY(!part<RunStrip>(*m_page)->text().contains("drafts"));
    part<ConversationShelf>(*m_page)->startNew();
    choose(1);
    QVERIFY(field().drafter() != nullptr);
    const QString drafted = answer("abcabcabcabc");
    QCOMPARE(drafted, plain);
    QVERIFY2(part<RunStrip>(*m_page)->text().contains("of drafts accepted"),
             qPrintable(part<RunStrip>(*m_page)->text()));
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
    part<ConversationShelf>(*m_page)->startNew();
    QCOMPARE(answer("abc"), plain);
    QVERIFY(part<RunStrip>(*m_page)->text().contains("of drafts accepted")); // the same weights agree
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
    part<RunEngine>(*m_page)->unload(); // while the other model is being loaded
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
    part<ConversationShelf>(*m_page)->startNew();
    choose(3);
    QVERIFY(field().mtpDrafts() && field().drafter() == nullptr);
    QCOMPARE(answer("count"), plain);
    QVERIFY2(part<RunStrip>(*m_page)->text().contains("100 % of drafts accepted"),
             qPrintable(part<RunStrip>(*m_page)->text()));
    part<RunEngine>(*m_page)->unload(); // the next model may have no such block
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
