// Tests the mode of the Run page that continues a text: writing, editing what the model wrote, and inspecting tokens.
#include "run_page_test.h"
#include "support/test_unit.h"

class TestRunCompletion : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void completes();
    void editsAText();
    void inspectsAText();
    void modesAreSeparate();
};

void TestRunCompletion::completes() {
    RunPage& page = open({.chatTemplate = {}});
    QCOMPARE(part<SegmentedControl>(page, "mode")->current(), 1); // no template: a base model
    part<SamplerPanel>(page)->lengthField()->setValue(6);
    neverEnd();
    AnswerView* text = part<Transcript>(page)->text();
    QVERIFY(text != nullptr && text->isVisible() && !text->isReadOnly());
    QVERIFY(text->hasFocus() && !text->placeholderText().isEmpty());
    QVERIFY(!part<Composer>(page)->field()->isVisible());
    QCOMPARE(part<Composer>(page)->button()->text(), QString("Continue"));
    QVERIFY(!part<Composer>(page)->button()->isEnabled()); // there is nothing to continue
    QTest::keyClicks(text, "Once");
    QCOMPARE(turn(0).text, QString("Once"));
    QTest::mouseClick(part<Composer>(page)->button(), Qt::LeftButton);
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{1}); // one text
    const auto plain = part<RunEngine>(page)->facts()->tokenizer->encode("Once");
    QCOMPARE(part<ChatSession>(page)->figures().promptTokens, plain->ids.size()); // no template
    QCOMPARE(turn(0).tokens.size(), std::size_t{6});
    QCOMPARE(turn(0).tokens.front().begin, 4);
    QCOMPARE(text->toPlainText(), turn(0).text);
    const QString first = turn(0).text;
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{1});
    QCOMPARE(turn(0).tokens.size(), std::size_t{12});
    QVERIFY(turn(0).text.startsWith(first));
    say(" two"); // at the end
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{1});
    QCOMPARE(turn(0).tokens.size(), std::size_t{18});
    QCOMPARE(text->toPlainText(), turn(0).text);
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(0).id).count, 1);
}

// Changing what the model has written keeps that as another version, and forgets the tokens after the change.
void TestRunCompletion::editsAText() {
    RunPage& page = open({.chatTemplate = {}});
    part<SamplerPanel>(page)->lengthField()->setValue(6);
    neverEnd();
    QTest::keyClicks(part<Transcript>(page)->text(), "Once upon");
    QTest::keyClick(part<Transcript>(page)->text(), Qt::Key_Return); // a line, which sends nothing
    say("a time");
    QVERIFY(waitIdle());
    const ChatTree& tree = part<ChatSession>(page)->tree();
    AnswerView* text = part<Transcript>(page)->text();
    const Turn written = turn(0);
    QVERIFY(written.text.startsWith("Once upon\na time"));
    QCOMPARE(text->toPlainText(), written.text);
    QTextCursor cursor = text->textCursor();
    cursor.setPosition(4);
    text->setTextCursor(cursor);
    QTest::keyClicks(text, " more");
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(turn(0).text, QString(written.text).insert(4, " more\n"));
    QCOMPARE(text->toPlainText(), turn(0).text);
    QCOMPARE(text->textCursor().position(), 10);
    QVERIFY(turn(0).tokens.empty());
    QCOMPARE(tree.siblings(turn(0).id).count, 2); // and not one for each key
    QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(turn(0).text != QString(written.text).insert(4, " more\n"));
    QCOMPARE(text->toPlainText(), turn(0).text);
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier); // continues at the end, wherever the cursor is
    QVERIFY(waitIdle());
    QCOMPARE(turn(0).tokens.size(), std::size_t{6});
    QCOMPARE(tree.siblings(turn(0).id).count, 2);
    // The version that the model wrote comes back whole.
    QTest::keyClick(text, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(turn(0).text, written.text);
    QCOMPARE(turn(0).tokens.size(), written.tokens.size());
    QCOMPARE(text->toPlainText(), written.text);
    // Generating again replaces what was generated at the end.
    part<ChatSession>(page)->regenerate(turn(0).id);
    QVERIFY(waitIdle());
    QVERIFY(turn(0).text.startsWith("Once upon\na time"));
    QCOMPARE(turn(0).tokens.size(), std::size_t{6});
    QCOMPARE(tree.siblings(turn(0).id).count, 3);
    // The text cannot be edited while the model writes.
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(part<ChatSession>(page)->isBusy() && text->isReadOnly());
    QVERIFY(waitIdle());
    QVERIFY(!text->isReadOnly());
    // It comes back with the conversation.
    const auto restored = ChatTree::restore(tree.save());
    QVERIFY(restored);
    QCOMPARE(restored->save(), tree.save());
    QVERIFY(!tree.titleText().isEmpty());
}

// By keyboard, the card of the token at the cursor; without it, the arrow keys move the cursor.
void TestRunCompletion::inspectsAText() {
    RunPage& page = open({.chatTemplate = {}});
    part<SamplerPanel>(page)->lengthField()->setValue(6);
    neverEnd();
    part<QCheckBox>(page, "shade")->setChecked(true);
    say("Once");
    QVERIFY(waitIdle());
    AnswerView* text = part<Transcript>(page)->text();
    text->setFocus();
    text->moveCursor(QTextCursor::End);
    QTest::keyClick(text, Qt::Key_Left);
    QVERIFY(!part<TokenCard>(page)->isVisible());
    QCOMPARE(text->textCursor().position(), text->document()->characterCount() - 2);
    text->moveCursor(QTextCursor::End);
    QTest::keyClick(text, Qt::Key_Return, Qt::AltModifier);
    QVERIFY(part<TokenCard>(page)->isVisible());
    const int last = text->currentToken();
    QTest::keyClick(text, Qt::Key_Left);
    QVERIFY(text->currentToken() < last);
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(!part<TokenCard>(page)->isVisible());
    part<ChatSession>(page)->tryAnother(turn(0).id, 2);
    QVERIFY(waitIdle());
    QVERIFY(turn(0).text.startsWith("Once"));
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(0).id).count, 2);
}

// A chat is not a text: choosing the other mode begins a new conversation.
void TestRunCompletion::modesAreSeparate() {
    RunPage& page = open();
    say("one");
    QVERIFY(waitIdle());
    auto* mode = part<SegmentedControl>(page, "mode");
    QTest::mouseClick(mode->segment(1), Qt::LeftButton);
    QCOMPARE(turns(), std::size_t{0});
    QVERIFY(part<Transcript>(page)->text() != nullptr && part<Transcript>(page)->text()->isVisible());
    QTest::mouseClick(mode->segment(0), Qt::LeftButton);
    QVERIFY(part<Transcript>(page)->text() == nullptr);
    QVERIFY(part<Composer>(page)->field()->isVisible());
    say("two");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QVERIFY(view(0)->answerView()->isReadOnly() && view(1)->answerView()->isReadOnly());
}

GUFO_TEST_WIDGETS(TestRunCompletion)
#include "tst_run_completion.moc"
