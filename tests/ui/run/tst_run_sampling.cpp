// Tests what the settings of the Run page do to answers: presets, seeds, grammars, logit bias, the limit of thoughts,
// and the less common samplers.
#include "run_page_test.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"

#include <QJsonObject>

#include <cmath>

class TestRunSampling : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void biasesAreRead_data();
    void biasesAreRead();
    void biasForbidsTokens();
    void wrongBiasIsNotSent();
    void biasIsKept();
    void engineWithoutBias();
    void limitsThoughts_data();
    void limitsThoughts();
    void templateWithoutThoughtsHasNoLimit();
    void rareSamplersReachTheEngine();
    void factsOfTheCardFit();
    void presetsAndSeeds();
    void keepsToAGrammar();
};

void TestRunSampling::biasesAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("count");       // −1: refused
    QTest::addColumn<QString>("problem"); // a part of it
    QTest::newRow("empty") << "" << 0 << "";
    QTest::newRow("blank lines") << "\n  \n" << 0 << "";
    QTest::newRow("by id") << "6 = 2.5" << 1 << "";
    QTest::newRow("by text") << "<|end|> = -1" << 1 << "";
    QTest::newRow("forbidden") << "6=-inf" << 1 << "";
    QTest::newRow("several") << "6 = 1\n5 = 2\n" << 2 << "";
    QTest::newRow("no number") << "6" << -1 << "Line 1";
    QTest::newRow("no token") << "= 2" << -1 << "Line 1";
    QTest::newRow("words") << "6 = much" << -1 << "TOKEN = NUMBER";
    QTest::newRow("not a number") << "6 = nan" << -1 << "TOKEN = NUMBER";
    QTest::newRow("too large") << "6 = 1e9" << -1 << "1000";
    QTest::newRow("second line") << "6 = 1\n6 = x" << -1 << "Line 2";
    QTest::newRow("no such id") << "123456789 = 1" << -1 << "no token 123456789";
    QTest::newRow("id beyond 64 bits") << "99999999999999999999999 = 1" << -1 << "Line 1";
    QTest::newRow("several tokens") << "zebra crossing = 1" << -1 << "not a single token";
    QTest::newRow("empty quotes") << "\"\" = 1" << -1 << "not a single token";
}

void TestRunSampling::biasesAreRead() {
    QFETCH(QString, text);
    QFETCH(int, count);
    QFETCH(QString, problem);
    const RunPage& page = open();
    const auto biases = parseBiases(text, *part<RunEngine>(page)->facts()->tokenizer);
    QCOMPARE(biases ? static_cast<int>(biases->size()) : -1, count);
    QVERIFY2(biases || biases.error().contains(problem), qPrintable(biases ? QString() : biases.error()));
    if (biases && count > 0) {
        QCOMPARE(biases->front().first, TokenId(6));
    }
}

// A model that generates a token at once no longer does when the token is forbidden.
void TestRunSampling::biasForbidsTokens() {
    RunPage& page = open();
    neverEnd();
    part<SamplerPanel>(page)->field("temperature")->setValue(0);
    say("one two");
    QVERIFY(waitIdle());
    const std::uint32_t first = turn(1).tokens.front().id;
    auto* field = part<QPlainTextEdit>(page, "bias");
    field->setFocus();
    QTest::keyClicks(field, QString("%1 = -inf").arg(first));
    QCOMPARE(part<SamplerPanel>(page)->settings().generation.sampler.bias.size(), std::size_t{1});
    part<ChatSession>(page)->regenerate(turn(1).id);
    QVERIFY(waitIdle());
    QVERIFY(!turn(1).tokens.empty());
    QVERIFY(std::ranges::none_of(turn(1).tokens, [&](const TurnToken& token) { return token.id == first; }));
}

void TestRunSampling::wrongBiasIsNotSent() {
    RunPage& page = open();
    auto* field = part<QPlainTextEdit>(page, "bias");
    field->setPlainText("6 = x");
    QVERIFY(!part<SamplerPanel>(page)->biasProblem().isEmpty());
    QCOMPARE(part<QLabel>(page, "biasProblem")->text(), part<SamplerPanel>(page)->biasProblem());
    say("one");
    QCOMPARE(turns(), std::size_t{0});
    QVERIFY2(shownText(page, "notice").contains("logit bias"), qPrintable(shownText(page, "notice")));
    field->setPlainText("6 = 1");
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Return); // the message has stayed in its field
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
}

void TestRunSampling::biasIsKept() {
    RunPage& page = open();
    part<QPlainTextEdit>(page, "bias")->setPlainText("6 = 1.5");
    const QJsonObject state = part<SamplerPanel>(page)->saveState();
    SamplerPanel other;
    other.restoreState(state);
    QCOMPARE(other.saveState(), state);
    // Without a tokenizer, nothing is known about tokens, and nothing is wrong.
    QVERIFY(other.biasProblem().isEmpty());
    QVERIFY(other.settings().generation.sampler.bias.empty());
}

void TestRunSampling::engineWithoutBias() {
    m_engines = test::standIns().subspan(test::TextOnly, 1);
    RunPage& page = open();
    auto* field = part<QPlainTextEdit>(page, "bias");
    QVERIFY(!field->isEnabled());
    QVERIFY(!field->toolTip().isEmpty());
    field->setPlainText("nonsense");
    QVERIFY(part<SamplerPanel>(page)->biasProblem().isEmpty()); // it is not used
}

namespace {

// Writes thoughts, which every answer begins with.
const char* const kThinkingTemplate =
    "{%- for message in messages %}{{- '<|' + message.role + '|>' }}"
    "{%- if message.role == 'assistant' %}{{- '<think>\\n' + (message.reasoning_content or '') + '\\n</think>\\n\\n' }}"
    "{%- endif %}{{- message.content + '<|end|>' }}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|assistant|><think>\\n' }}{%- endif %}";

} // namespace

void TestRunSampling::limitsThoughts_data() {
    QTest::addColumn<int>("limit");
    QTest::newRow("none at all") << 0;
    QTest::newRow("three tokens") << 3;
}

void TestRunSampling::limitsThoughts() {
    QFETCH(int, limit);
    RunPage& page = open({.chatTemplate = kThinkingTemplate});
    neverEnd();
    auto* box = part<QSpinBox>(page, "thoughtLimit");
    QTRY_VERIFY2(box->isEnabled(), qPrintable(box->toolTip()));
    QCOMPARE(box->text(), QString("no limit"));
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::number(limit));
    QTest::keyClick(box, Qt::Key_Tab);
    QCOMPARE(part<PromptPanel>(page)->thoughtLimit(), limit);
    say("one");
    QVERIFY(waitIdle());
    const AnswerParts parts = answerParts(turn(1));
    QVERIFY2(!parts.isThinking, qPrintable(turn(1).text));
    QVERIFY2(turn(1).text.contains("</think>"), qPrintable(turn(1).text));
    const auto thought = std::ranges::count_if(
        turn(1).tokens, [&](const TurnToken& token) { return token.end <= turn(1).text.indexOf("</think>"); });
    // Before the marker, the template's line end is written, with the space that this vocabulary puts before texts.
    QVERIFY2(thought <= limit + 2, qPrintable(turn(1).text));
    // The limit is kept with the page.
    const QJsonObject state = page.saveState();
    box->setValue(-1);
    page.restoreState(state);
    QCOMPARE(part<PromptPanel>(page)->thoughtLimit(), limit);
}

void TestRunSampling::templateWithoutThoughtsHasNoLimit() {
    RunPage& page = open();
    auto* box = part<QSpinBox>(page, "thoughtLimit");
    QTRY_VERIFY2(box->toolTip().contains("no thoughts"), qPrintable(box->toolTip()));
    QVERIFY(!box->isEnabled());
    part<PromptPanel>(page)->restoreThoughtLimit(5); // of another model; it must not fail the answer
    say("one");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QVERIFY(turn(1).end != TurnEnd::Failed);
}

void TestRunSampling::rareSamplersReachTheEngine() {
    RunPage& page = open();
    auto* panel = part<SamplerPanel>(page);
    panel->field("dry_last")->setValue(256);
    panel->field("temperature_exponent")->setValue(2.5);
    part<QCheckBox>(page, "ignoreEnd")->click(); // in a group that is folded
    const inference::SamplerSettings sampler = panel->settings().generation.sampler;
    QCOMPARE(sampler.dryLast, 256U);
    QCOMPARE(sampler.temperatureExponent, 2.5);
    QVERIFY(sampler.ignoreEnd);
    SamplerPanel other;
    other.restoreState(panel->saveState());
    QCOMPARE(other.saveState(), panel->saveState());
}

// However long the token and the figures are, the head of the card shows the figures whole, above the rows.
void TestRunSampling::factsOfTheCardFit() {
    RunPage& page = open();
    auto* card = part<TokenCard>(page);
    TurnToken token{.id = 123'456, .begin = 0, .end = 30, .logProbability = -9, .kept = 128'256, .afterSamplers = true};
    token.candidates = {{.id = 1, .probability = 0.5F}, {.id = 123'456, .probability = 0.1F}};
    for (const char* text : {"a", "averyverylongtokenindeedofthirty"}) {
        card->showToken(token, text, QRect(300, 300, 40, 20), {.isFree = true});
        const QRect facts = card->factsRect();
        QVERIFY(card->rect().contains(facts));
        const QRect needed =
            QFontMetrics(themeFont(TextStyle::Axis)).boundingRect(facts, Qt::TextWordWrap, card->factsText());
        QVERIFY2(facts.contains(needed) || (needed.width() <= facts.width() && needed.height() <= facts.height()),
                 qPrintable(card->factsText()));
        QVERIFY(card->rowRect(0).top() > facts.bottom());
    }
}

void TestRunSampling::presetsAndSeeds() {
    RunPage& page = open();
    SamplerPanel* panel = part<SamplerPanel>(page);
    QCOMPARE(panel->presetCombo()->currentText(), QString("Balanced"));
    panel->field("temperature")->setValue(0.35);
    QCOMPARE(panel->presetCombo()->currentText(), QString("Changed"));
    QCOMPARE(panel->sampler().temperature, 0.35);
    keepUserPreset("Mine", panel->sampler());
    panel->setModel(m_model);
    QVERIFY(panel->presetCombo()->findText("Mine") >= 0);
    panel->findChild<QLineEdit*>("seedField")->setFocus();
    panel->findChild<QLineEdit*>("seedField")->selectAll();
    QTest::keyClicks(panel->findChild<QLineEdit*>("seedField"), "42");
    QVERIFY(panel->findChild<QCheckBox*>("fixedBox")->isChecked());
    const QFontMetrics metrics(
        panel->findChild<QLineEdit*>("seedField")->font()); // the longest seed can be read, beside margins and cursor
    QVERIFY(panel->findChild<QLineEdit*>("seedField")->width() > metrics.horizontalAdvance(QString(20, u'0')) + 20);
    say("one");
    QVERIFY(waitIdle());
    const QString first = turn(1).text;
    QCOMPARE(turn(1).seed, std::uint64_t{42});
    part<ChatSession>(page)->regenerate(turn(1).id);
    QVERIFY(waitIdle());
    QCOMPARE(turn(1).text, first);
    panel->findChild<QPlainTextEdit*>("stopsField")->setPlainText("zzz\n\\n\\n");
    QCOMPARE(panel->settings().generation.stops, (std::vector<std::string>{"zzz", "\n\n"}));
    // The state is restored.
    const QJsonObject state = panel->saveState();
    SamplerPanel other;
    other.restoreState(state);
    QCOMPARE(other.saveState(), state);
}

void TestRunSampling::keepsToAGrammar() {
    RunPage& page = open();
    GrammarField* field = part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField");
    QSignalSpy changed(field, &GrammarField::changed);
    field->setKind(GrammarField::Gbnf);
    field->setText("root ::= \"one\" | (\"two\"");
    QTRY_VERIFY(!part<SamplerPanel>(page)->grammarProblem().isEmpty());
    QVERIFY2(field->problem().contains("ine 1"), qPrintable(field->problem()));
    QCOMPARE(field->edit()->extraSelections().size(), 1); // its line
    say("four");
    QVERIFY(shownText(page, "notice").contains("grammar"));
    QCOMPARE(part<Composer>(page)->text(), QString("four")); // the typed text is kept
    QVERIFY(part<ChatSession>(page)->tree().isEmpty());
    field->setText("root ::= \"one\" | \"two\"");
    QTRY_VERIFY(field->grammar() != nullptr);
    QCOMPARE(field->problem(), QString());
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Return);
    QVERIFY(waitIdle());
    QVERIFY2(turn(1).text == "one" || turn(1).text == "two", qPrintable(turn(1).text));
    // The card names the grammar as what removed a token.
    const auto cut = std::ranges::find_if(turn(1).tokens.front().candidates, [](const TurnCandidate& candidate) {
        return candidate.cut == static_cast<int>(inference::Cut::Constraint);
    });
    QVERIFY(cut != turn(1).tokens.front().candidates.end());
    QCOMPARE(part<SamplerPanel>(page)->cutText(cut->cut), QString("the grammar"));
    field->setKind(GrammarField::JsonSchema);
    field->setText(R"({"type": "boolean"})");
    QTRY_VERIFY(field->grammar() != nullptr && field->problem().isEmpty());
    field->setText(R"({"type": "string", "pattern": "\\bx"})");
    QTRY_VERIFY2(field->problem().contains("#/pattern"), qPrintable(field->problem()));
    QVERIFY(field->notice().isEmpty());
    QTest::mouseClick(field->findChild<QCheckBox*>("relaxedBox"), Qt::LeftButton, {},
                      QPoint(8, field->findChild<QCheckBox*>("relaxedBox")->height() / 2));
    QTRY_VERIFY2(field->notice().contains("#/pattern"), qPrintable(field->notice()));
    QVERIFY(field->grammar() != nullptr && field->problem().isEmpty());
    QTest::mouseClick(field->findChild<QCheckBox*>("relaxedBox"), Qt::LeftButton, {},
                      QPoint(8, field->findChild<QCheckBox*>("relaxedBox")->height() / 2));
    QTRY_VERIFY(!field->problem().isEmpty());
    QVERIFY(field->notice().isEmpty());
    field->setKind(GrammarField::None);
    QTRY_VERIFY(field->problem().isEmpty());
}

GUFO_TEST_WIDGETS(TestRunSampling)
#include "tst_run_sampling.moc"
