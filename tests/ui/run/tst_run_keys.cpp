// The keys of the Run page, typing from anywhere, and the bar that finds texts in conversations.
#include "run_page_test.h"
#include "support/test_unit.h"
#include "ui/pages/run/run_keys.h"
#include "ui/run/conversation_search.h"

#include <QScrollBar>
#include <QTemporaryDir>

class TestRunKeys : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void enterLoads_data();
    void enterLoads();
    void typingGoesToTheMessage();
    void keysReachAnswers();
    void keysActOnTheAnswerInFocus();
    void keysDiffer();
    void findsInAConversation();
    void findsThoughts();
    void findsNothing();
    void findsInAllConversations();
    void searchesAllInAJob();

private:
    // Shows a conversation without generating it, and activates the window, which shortcuts need.
    RunPage& openWith(const ChatTree& tree) {
        RunPage& page = open();
        page.activateWindow();
        if (!QTest::qWaitForWindowActive(&page)) {
            qWarning("the page is not active");
        }
        part<ChatSession>(page)->setTree(tree);
        return page;
    }
    [[nodiscard]] static ChatTree threeQuestions() {
        ChatTree tree;
        int parent = -1;
        for (const char* text : {"What is an owl?", "Who hoots?", "Where do owls sleep?"}) {
            parent = tree.add(parent, TurnRole::User, QLatin1String(text));
            parent = tree.add(parent, TurnRole::Assistant, QLatin1String("Answer to: ") + QLatin1String(text));
            tree.turn(parent).end = TurnEnd::EndToken;
        }
        return tree;
    }
    static void press(const char* keys) {
        const QKeyCombination combination = QKeySequence(QLatin1String(keys))[0];
        QTest::keyClick(QApplication::focusWidget(), combination.key(), combination.keyboardModifiers());
    }
    QLineEdit* find(RunPage& page, const QString& text) {
        auto* field = qobject_cast<QLineEdit*>(page.filterField());
        part<ConversationFinder>(page)->show(); // as the window does for Ctrl+F
        QTest::keyClicks(field, text);
        return field;
    }
};

void TestRunKeys::enterLoads_data() {
    QTest::addColumn<int>("key");
    QTest::newRow("Return") << static_cast<int>(Qt::Key_Return);
    QTest::newRow("Enter of the keypad") << static_cast<int>(Qt::Key_Enter);
}

void TestRunKeys::enterLoads() {
    QFETCH(int, key);
    RunPage& page = open({}, false);
    QPushButton* load = part<LoadPanel>(page)->loadButton();
    QTRY_VERIFY(load->isEnabled());
    load->setFocus();
    QTest::keyClick(load, static_cast<Qt::Key>(key));
    QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Ready);
}

void TestRunKeys::typingGoesToTheMessage() {
    RunPage& page = openWith(threeQuestions());
    GrowingEdit* field = part<Composer>(page)->field();
    for (QWidget* elsewhere : std::initializer_list<QWidget*>{view(1)->answerView(), view(1)->actionButton("copy"),
                                                              part<QCheckBox>(page, "shade")}) {
        field->clear();
        elsewhere->show();
        elsewhere->setFocus();
        QVERIFY(elsewhere->hasFocus());
        QTest::keyClicks(elsewhere, "H");
        QVERIFY2(field->hasFocus(), elsewhere->metaObject()->className());
        QTest::keyClicks(field, "oot");
        QCOMPARE(field->toPlainText(), QString("Hoot"));
    }
    // Keys with modifiers, and typing into another field, stay where they are.
    view(1)->answerView()->setFocus();
    QTest::keyClick(view(1)->answerView(), Qt::Key_C, Qt::ControlModifier);
    QVERIFY(!field->hasFocus());
    QLineEdit* seed = part<SamplerPanel>(page)->findChild<QLineEdit*>("seedField");
    seed->setFocus();
    QTest::keyClick(seed, Qt::Key_7);
    QVERIFY(seed->hasFocus());
}

// Alt+Up goes from the message to the last answer at once, and on to earlier ones; Alt+Down goes back.
void TestRunKeys::keysReachAnswers() {
    RunPage& page = openWith(threeQuestions());
    GrowingEdit* field = part<Composer>(page)->field();
    field->setFocus();
    for (const std::size_t answer : {5, 3, 1, 1}) { // it stops at the first
        press("Alt+Up");
        QVERIFY(view(answer)->answerView()->hasFocus());
    }
    press("Alt+Down");
    QVERIFY(view(3)->answerView()->hasFocus());
    press("Alt+Down");
    press("Alt+Down");
    QVERIFY(field->hasFocus());
    part<ChatSession>(page)->setTree({});
    field->setFocus();
    press("Alt+Up"); // there is no answer
    QVERIFY(field->hasFocus());
}

void TestRunKeys::keysActOnTheAnswerInFocus() {
    RunPage& page = openWith(threeQuestions());
    const ChatTree& tree = part<ChatSession>(page)->tree();
    GrowingEdit* field = part<Composer>(page)->field();
    field->setFocus();
    const int last = turn(5).id;
    press("Ctrl+R");
    QVERIFY(waitIdle());
    QVERIFY(turn(5).id != last);
    QCOMPARE(tree.siblings(last).count, 2);
    press("Alt+Left");
    QCOMPARE(turn(5).id, last);
    press("Alt+Left"); // there is no version before it
    QCOMPARE(turn(5).id, last);
    press("Alt+Right");
    QVERIFY(turn(5).id != last);
    // The same for an earlier answer, which has the focus.
    const int second = turn(3).id;
    view(3)->answerView()->setFocus();
    press("Ctrl+R");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{4});
    QCOMPARE(tree.siblings(second).count, 2);
    view(3)->answerView()->setFocus();
    press("Alt+Left");
    QCOMPARE(turn(3).id, second);
    QCOMPARE(turns(), std::size_t{6});
    // The last message is edited, not the last answer.
    field->setFocus();
    press("Ctrl+E");
    QVERIFY(view(4)->isEditing());
    QTRY_VERIFY(view(4)->editor()->hasFocus());
    press("Esc");
    QVERIFY(!view(4)->isEditing());
    QVERIFY(field->hasFocus());
}

void TestRunKeys::keysDiffer() {
    QSet<QString> texts;
    QSet<QString> keys;
    for (const RunKey& key : runKeys()) {
        QVERIFY2(!key.keysText().isEmpty(), key.what);
        keys << key.keysText();
        texts << QLatin1String(key.what);
    }
    QCOMPARE(static_cast<std::size_t>(keys.size()), runKeys().size());
    QCOMPARE(static_cast<std::size_t>(texts.size()), runKeys().size());
}

void TestRunKeys::findsInAConversation() {
    RunPage& page = openWith(threeQuestions());
    QLineEdit* field = find(page, "OWL"); // in two questions and their answers
    QCOMPARE(part<QLabel>(page, "findCount")->text(), QString("1 of 4"));
    QVERIFY(field->hasFocus()); // and keeps it while matches are shown
    QCOMPARE(view(0)->answerView()->textCursor().selectedText(), QString("owl"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(view(1)->answerView()->textCursor().selectedText(), QString("owl"));
    QVERIFY(!view(0)->answerView()->textCursor().hasSelection()); // only one match is marked
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier); // around the beginning
    QCOMPARE(part<QLabel>(page, "findCount")->text(), QString("4 of 4"));
    QCOMPARE(view(5)->answerView()->textCursor().selectedText(), QString("owl"));
    // Another answer takes the place of a match.
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!part<ConversationFinder>(page)->isVisible());
    QVERIFY(part<Composer>(page)->field()->hasFocus());
    QVERIFY(field->text().isEmpty());
    QVERIFY(!view(5)->answerView()->textCursor().hasSelection());
}

// A match in folded thoughts unfolds them, and a long conversation scrolls to the match.
void TestRunKeys::findsThoughts() {
    ChatTree tree;
    int parent = tree.add(-1, TurnRole::User, "one");
    parent = tree.add(parent, TurnRole::Assistant, "<think>\nA mouse?\n</think>\n\nNo.");
    tree.turn(parent).end = TurnEnd::EndToken;
    for (int i = 0; i < 40; ++i) {
        parent = tree.add(parent, i % 2 == 0 ? TurnRole::User : TurnRole::Assistant, QString("Line\n\n").repeated(5));
    }
    RunPage& page = openWith(tree);
    QScrollBar* bar = part<Transcript>(page)->verticalScrollBar();
    QTRY_VERIFY(bar->value() > 0 && bar->value() == bar->maximum());
    QVERIFY(!view(1)->thoughtView()->isVisible());
    find(page, "mouse");
    QCOMPARE(part<QLabel>(page, "findCount")->text(), QString("1 of 1"));
    QVERIFY(view(1)->thoughtView()->isVisible());
    QCOMPARE(view(1)->thoughtView()->textCursor().selectedText(), QString("mouse"));
    QTRY_VERIFY(!view(1)->thoughtView()->visibleRegion().isEmpty());
}

void TestRunKeys::findsNothing() {
    RunPage& page = openWith(threeQuestions());
    find(page, "zebra");
    QCOMPARE(part<QLabel>(page, "findCount")->text(), QString("not found"));
    for (QToolButton* button : part<ConversationFinder>(page)->findChildren<QToolButton*>()) {
        QVERIFY2(!button->isEnabled() || !button->toolTip().contains("match"), qPrintable(button->toolTip()));
    }
}

void TestRunKeys::findsInAllConversations() {
    RunPage& page = open();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    for (const char* text : {"a barn owl", "a snowy owl", "a mouse"}) {
        part<ConversationShelf>(page)->startNew();
        say(QLatin1String(text));
        QVERIFY(waitIdle());
        part<ConversationShelf>(page)->saveIfChanged();
        Job::waitForAll();
    }
    QCOMPARE(turn(0).text, QString("a mouse"));
    auto* finder = part<ConversationFinder>(page);
    QSignalSpy searched(finder, &ConversationFinder::searchedAll);
    find(page, "owl");
    QCOMPARE(part<QLabel>(page, "findCount")->text(), QString("not found"));
    QTest::mouseClick(part<QCheckBox>(page, "findInAll"), Qt::LeftButton, {},
                      QPoint(8, part<QCheckBox>(page, "findInAll")->height() / 2));
    QTRY_VERIFY(!searched.isEmpty());
    auto* hits = part<QListWidget>(*finder);
    QTRY_COMPARE(hits->count(), 2);
    const auto shows = [&](const char* text) {
        for (int row = 0; row < hits->count(); ++row) {
            if (hits->item(row)->text().contains(QLatin1String(text))) {
                return row;
            }
        }
        return -1;
    };
    QVERIFY(shows("barn owl") >= 0 && shows("snowy owl") >= 0 && shows("mouse") < 0);
    // By keyboard: Down goes to the list, Enter opens the conversation at the match.
    QTest::keyClick(page.filterField(), Qt::Key_Down);
    QVERIFY(hits->hasFocus());
    hits->setCurrentRow(shows("barn owl"));
    QTest::keyClick(hits, Qt::Key_Return);
    QTRY_COMPARE(turn(0).text, QString("a barn owl"));
    QTRY_COMPARE(part<QLabel>(page, "findCount")->text().left(2), QString("1 "));
    QTRY_COMPARE(view(0)->answerView()->textCursor().selectedText(), QString("owl"));
}

// Conversations that cannot be read are omitted, and the search can be cancelled.
void TestRunKeys::searchesAllInAJob() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const auto none = findInConversations(path, "owl", {});
    QVERIFY(none && none->empty());
    JobContext stopped;
    std::stop_source source;
    stopped.stop = source.get_token();
    source.request_stop();
    RunPage& page = open();
    say("an owl");
    QVERIFY(waitIdle());
    part<ConversationShelf>(page)->saveIfChanged();
    Job::waitForAll();
    const auto found = findInConversations(part<ConversationShelf>(page)->folder(), "owl", {});
    QVERIFY(found && found->size() == 1 && found->front().matches >= 1);
    QVERIFY(found->front().snippet.contains("an owl"));
    const auto cancelled = findInConversations(part<ConversationShelf>(page)->folder(), "owl", stopped);
    QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
}

GUFO_TEST_WIDGETS(TestRunKeys)
#include "tst_run_keys.moc"
