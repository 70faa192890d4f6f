// Tests the Run page with engines that lack features: the affected controls are disabled with a reason, and everything
// else works.
#include "run_page_test.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"
#include "ui/messages/engine_text.h"

#include <QSignalSpy>

using inference::Feature;
using test::StandIn;

class TestRunEngines : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void oneEngineIsNotChosen();
    void isChosenAndKept();
    void showsWhatIsOff_data();
    void showsWhatIsOff();
    void textOnly();
    void textOnlyGoesOn();
    void topCandidates();
    void conversationOnly();
    void full();
    void comesBackWithAnotherEngine();

private:
    RunPage& openWith(StandIn kind, const test::RunnableShape& shape = {}) {
        m_engines = test::standIns().subspan(kind, 1);
        return open(shape);
    }
    // Hovers over the second token of an answer. Returns false if no card appears.
    [[nodiscard]] bool hoverToken(std::size_t index) {
        return QTest::qWaitFor([&] {
            AnswerView* text = view(index)->answerView();
            // A pointer that does not move sends no event.
            QTest::mouseMove(text->viewport(), text->tokenRect(1).bottomRight() + QPoint(1, 40));
            QTest::mouseMove(text->viewport(), text->tokenRect(1).center());
            return part<TokenCard>(*m_page)->isVisible() && text->currentToken() == 1;
        });
    }
};

namespace {

// An enabled control has its usual tooltip, a disabled one gives the reason.
void checkControl(const QWidget* control, bool isOn, Feature feature) {
    QCOMPARE(control->isEnabled(), isOn);
    QCOMPARE(control->toolTip() == featureMissingTip(feature), !isOn);
}

} // namespace

void TestRunEngines::oneEngineIsNotChosen() {
    m_engines = inference::engines().first(1);
    RunPage& page = open({}, false);
    QVERIFY(!part<LoadPanel>(page)->findChild<QComboBox*>("engineCombo")->isVisible());
    QCOMPARE(part<LoadPanel>(page)->engine().id, inference::engines().front().id);
}

void TestRunEngines::isChosenAndKept() {
    m_engines = test::standIns();
    RunPage& page = open({}, false);
    QComboBox* combo = part<LoadPanel>(page)->findChild<QComboBox*>("engineCombo");
    QVERIFY(combo->isVisible());
    QCOMPARE(combo->count(), 4);
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    QTest::keyClick(combo, Qt::Key_Down);
    QCOMPARE(part<LoadPanel>(page)->engine().id, std::string_view("full"));
    checkControl(part<QCheckBox>(page, "shade"), true, Feature::Probabilities); // also before loading
    QTRY_VERIFY(part<LoadPanel>(page)->needs().has_value());
    // It obeys the context, and nothing else that can be set here.
    const LoadPanel& panel = *part<LoadPanel>(page);
    QVERIFY(panel.contextField()->isVisible() && !panel.findChild<QSpinBox*>("threadsField")->isVisible());
    QVERIFY(!panel.findChild<QComboBox*>("keysCombo")->isVisible() &&
            !panel.findChild<RopeField*>("ropeField")->isVisible());
    QVERIFY(panel.options().context != 0);
    QCOMPARE(panel.options().threads, 0U);
    const QJsonObject state = page.saveState();
    m_page.reset();
    RunPage& again = open({}, false);
    QCOMPARE(part<LoadPanel>(again)->engine().id, std::string_view("text-only"));
    checkControl(part<QCheckBox>(again, "shade"), false, Feature::Probabilities);
    again.restoreState(state);
    QCOMPARE(part<LoadPanel>(again)->engine().id, std::string_view("full"));
    checkControl(part<QCheckBox>(again, "shade"), true, Feature::Probabilities);
}

void TestRunEngines::showsWhatIsOff_data() {
    QTest::addColumn<int>("kind");
    for (const StandIn kind : {StandIn::TextOnly, StandIn::TopCandidates, StandIn::Full, StandIn::ConversationOnly}) {
        QTest::newRow(test::standIn(kind).id.data()) << static_cast<int>(kind);
    }
}

void TestRunEngines::showsWhatIsOff() {
    QFETCH(int, kind);
    RunPage& page = openWith(static_cast<StandIn>(kind));
    QCOMPARE(part<RunEngine>(page)->state(), RunEngine::State::Ready);
    const auto offered = [&](Feature feature) {
        return offers(test::standIn(static_cast<StandIn>(kind)).capabilities, feature);
    };
    checkControl(part<QCheckBox>(page, "shade"), offered(Feature::Probabilities), Feature::Probabilities);
    checkControl(part<SegmentedControl>(page, "mode")->segment(1), offered(Feature::Completion), Feature::Completion);
    checkControl(part<TemplateBox>(page), offered(Feature::ChatTemplate), Feature::ChatTemplate);
    QCOMPARE(offered(Feature::JsonSchema), offered(Feature::Grammar)); // of the engines of this test
    checkControl(part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField"), offered(Feature::Grammar),
                 Feature::Grammar);
    checkControl(part<QCheckBox>(page, "contextShift"), offered(Feature::ContextShift), Feature::ContextShift);
    QVERIFY(part<Composer>(page)->field()->isEnabled());
    QCOMPARE(part<RunStrip>(page)->text().contains("Context"),
             offered(Feature::AllLogits)); // the server engines of the test do not report it
    // The memory forecast of the load panel.
    QCOMPARE(part<LoadPanel>(page)->needs().has_value(), offered(Feature::MemoryForecast));
    part<QPushButton>(page, "unload")->click();
    QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Unloaded);
    QTRY_VERIFY(part<LoadPanel>(page)->loadButton()->isEnabled());
    QCOMPARE(part<LoadPanel>(page)->verdictText().startsWith(featureMissingTip(Feature::MemoryForecast)),
             !offered(Feature::MemoryForecast));
}

void TestRunEngines::textOnly() {
    RunPage& page = openWith(StandIn::TextOnly);
    part<QCheckBox>(page, "shade")->setChecked(true); // as set with the previous engine
    say("Count");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QVERIFY2(turn(1).text.startsWith(" one two three"), qPrintable(turn(1).text));
    QVERIFY(turn(1).tokens.empty());
    QVERIFY2(!view(1)->captionText().contains("probability"), qPrintable(view(1)->captionText()));
    QVERIFY2(!view(1)->captionText().contains("written by you"), qPrintable(view(1)->captionText()));
    QVERIFY(shownText(page, "notice").isEmpty());
    // The engine applied the template.
    QCOMPARE(test::StandInLog::instance().last(), std::string("<|user|>Count<|end|><|assistant|>"));
    view(1)->answerView()->setFocus();
    QTest::keyClick(view(1)->answerView(), Qt::Key_Right);
    QVERIFY(!part<TokenCard>(page)->isVisible());
    // An existing grammar is ignored and blocks nothing.
    part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField")->setKind(GrammarField::Gbnf);
    part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField")->setText("root ::= (");
    QTRY_VERIFY(!part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField")->problem().isEmpty());
    QVERIFY(part<SamplerPanel>(page)->settings().grammar == nullptr);
    say("More");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{4});
}

void TestRunEngines::textOnlyGoesOn() {
    RunPage& page = openWith(StandIn::TextOnly);
    part<SamplerPanel>(page)->lengthField()->setValue(0);
    say("Count");
    QTRY_VERIFY(turns() == 2 && turn(1).text.size() > 20);
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Escape);
    QVERIFY(waitIdle());
    QCOMPARE(turn(1).end, TurnEnd::Stopped);
    const QString before = turn(1).text;
    part<SamplerPanel>(page)->lengthField()->setValue(2);
    QVERIFY(view(1)->actionButton("continue")->isEnabled());
    QTest::mouseClick(view(1)->actionButton("continue"), Qt::LeftButton);
    QVERIFY(waitIdle());
    QCOMPARE(QString::fromStdString(test::StandInLog::instance().last()),
             QString("<|user|>Count<|end|><|assistant|>") + before);
    QVERIFY(turn(1).text.startsWith(before));
    QCOMPARE(turn(1).text.count(u' '), before.count(u' ') + 2);
    // A completion sends the text itself.
    QTest::mouseClick(part<QPushButton>(page, "newConversation"), Qt::LeftButton);
    QTest::mouseClick(part<SegmentedControl>(page, "mode")->segment(1), Qt::LeftButton);
    say("Once");
    QVERIFY(waitIdle());
    QCOMPARE(test::StandInLog::instance().last(), std::string("Once"));
    QCOMPARE(turn(0).text, QString("Once one two"));
}

void TestRunEngines::topCandidates() {
    RunPage& page = openWith(StandIn::TopCandidates);
    part<SamplerPanel>(page)->lengthField()->setValue(6);
    part<QCheckBox>(page, "shade")->setChecked(true);
    say("Count");
    QVERIFY(waitIdle());
    QCOMPARE(turn(1).text, QString(" one two three four one two"));
    QCOMPARE(turn(1).tokens.size(), std::size_t{6});
    QVERIFY(view(1)->captionText().contains("mean probability 0.60"));
    const Turn before = turn(1);
    QVERIFY(hoverToken(1));
    TokenCard* card = part<TokenCard>(page);
    QCOMPARE(card->rowCount(), 3);
    QVERIFY2(card->rowText(0).endsWith("two 60.0 %"), qPrintable(card->rowText(0)));
    QVERIFY2(card->rowText(1).endsWith("three 30.0 %"), qPrintable(card->rowText(1)));
    QVERIFY(card->findChild<QPushButton*>("continueButton")->isEnabled() &&
            card->findChild<QPushButton*>("anotherButton")->isEnabled());
    // Another candidate is sent as text.
    QTest::mouseClick(card, Qt::LeftButton, {}, card->rowRect(1).center());
    QVERIFY(waitIdle());
    QVERIFY(turn(1).id != before.id);
    QCOMPARE(test::StandInLog::instance().last(), std::string("<|user|>Count<|end|><|assistant|> one three"));
    QCOMPARE(turn(1).text, QString(" one three three four one two three four"));
    QCOMPARE(turn(1).tokens[1].logProbability.has_value(), true);
    // Tokens are kept when saving and restoring.
    const auto back = ChatTree::restore(part<ChatSession>(page)->tree().save());
    QVERIFY(back && back->turn(turn(1).id).tokens[1].candidates[1].text == QString(" three"));
    part<ChatSession>(page)->tryAnother(turn(1).id, 0);
    QVERIFY(waitIdle());
    QVERIFY2(!turn(1).text.startsWith(" one"), qPrintable(turn(1).text));
}

void TestRunEngines::conversationOnly() {
    RunPage& page = openWith(StandIn::ConversationOnly, {.chatTemplate = {}}); // would be a completion otherwise
    QCOMPARE(part<ChatSession>(page)->tree().mode, ChatMode::Chat);
    QVERIFY2(shownText(page, "notice").isEmpty(),
             qPrintable(shownText(page, "notice"))); // about templates that it does not use
    part<QPlainTextEdit>(page, "systemPrompt")->setPlainText("Be brief.");
    part<SamplerPanel>(page)->lengthField()->setValue(0);
    say("Count");
    QTRY_VERIFY(turns() == 2 && turn(1).text.size() > 10);
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Escape);
    QVERIFY(waitIdle());
    QCOMPARE(test::StandInLog::instance().last(), std::string("system: Be brief.|user: Count|"));
    QToolButton* keepWaiting = view(1)->actionButton("continue");
    QVERIFY(keepWaiting->isVisibleTo(view(1)->actionButton("continue")->parentWidget()));
    checkControl(keepWaiting, false, Feature::Continuing);
    QVERIFY(view(1)->actionButton("regenerate")->isEnabled());
    // A text from another engine is kept, but this engine cannot continue it.
    ChatTree tree;
    tree.mode = ChatMode::Completion;
    tree.add(-1, TurnRole::User, "Once");
    part<ChatSession>(page)->setTree(tree);
    QVERIFY(!part<ChatSession>(page)->canAnswer());
    QVERIFY(!part<Composer>(page)->field()->isEnabled());
    QVERIFY(view(0)->answerView()->isReadOnly());
}

void TestRunEngines::full() {
    RunPage& page = openWith(StandIn::Full);
    part<SamplerPanel>(page)->lengthField()->setValue(6);
    inference::SamplerSettings settings = part<SamplerPanel>(page)->sampler();
    settings.temperature = 0;
    part<SamplerPanel>(page)->setSampler(settings);
    part<QCheckBox>(page, "shade")->setChecked(true);
    say("Count");
    QVERIFY(waitIdle());
    QCOMPARE(turn(1).text, QString(" one two three four one two"));
    QCOMPARE(turn(1).tokens[1].candidates.size(), std::size_t{8});
    QVERIFY(hoverToken(1));
    TokenCard* card = part<TokenCard>(page);
    int three = -1;
    for (int row = 0; row < card->rowCount(); ++row) {
        three = card->rowText(row).contains("three") ? row : three;
    }
    QVERIFY(three >= 0);
    QTest::mouseClick(card, Qt::LeftButton, {}, card->rowRect(three).center());
    QVERIFY(waitIdle());
    QCOMPARE(turn(1).text, QString(" one three four one two three four one"));
    QCOMPARE(part<ChatSession>(page)->figures().readTokens, std::size_t{1}); // only the candidate
}

void TestRunEngines::comesBackWithAnotherEngine() {
    m_engines = test::standIns();
    RunPage& page = open({}, false);
    LoadPanel* panel = part<LoadPanel>(page);
    const auto load = [&](StandIn kind) {
        part<RunEngine>(page)->unload();
        panel->findChild<QComboBox*>("engineCombo")->setCurrentIndex(static_cast<int>(kind));
        return QTest::qWaitFor([&] { return panel->loadButton()->isEnabled(); }) &&
               (QTest::mouseClick(panel->loadButton(), Qt::LeftButton),
                QTest::qWaitFor([&] { return part<RunEngine>(page)->state() == RunEngine::State::Ready; }));
    };
    part<SamplerPanel>(page)->lengthField()->setValue(6);
    QVERIFY(load(StandIn::TopCandidates));
    part<QCheckBox>(page, "shade")->setChecked(true);
    say("Count");
    QVERIFY(waitIdle());
    // Tokens of one engine can be viewed with another that cannot continue from them.
    QVERIFY(load(StandIn::ConversationOnly));
    QVERIFY(hoverToken(1));
    TokenCard* card = part<TokenCard>(page);
    checkControl(card->findChild<QPushButton*>("continueButton"), false, Feature::Continuing);
    checkControl(card->findChild<QPushButton*>("anotherButton"), false, Feature::Branching);
    const QSignalSpy chosen(card, &TokenCard::candidateChosen);
    QTest::mouseMove(card, card->rowRect(1).center());
    QTRY_COMPARE(card->toolTip(), featureMissingTip(Feature::Branching));
    QTest::mouseClick(card, Qt::LeftButton, {}, card->rowRect(1).center());
    QVERIFY(chosen.isEmpty());
    QVERIFY(load(StandIn::Full));
    checkControl(part<QCheckBox>(page, "shade"), true, Feature::Probabilities);
    checkControl(part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField"), true, Feature::Grammar);
    say("More");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{4});
}

GUFO_TEST_WIDGETS(TestRunEngines)
#include "tst_run_engines.moc"
