// Conversations on the Run page: what happens when the context is full, and keeping, deleting, reading and exporting
// them.
#include "run_page_test.h"
#include "support/test_unit.h"
#include "ui/run/conversation_exchange.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

class TestRunConversations : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void longConversationsGoOn();
    void aTextGoesOnBeyondTheContext();
    void saysHowToGoOn();
    void keepsConversations();
    void undoesDeletions();
    void keepsReadPrompts();
    void loadingLeadsToTheMessage();
    void readsBeforeLoading();
    void exports();
    void imports();
    void importsTheSpaceBeforeAnAnswer();
    void importsCharactersOfSeveralTokens();
    void readsOtherProgramsConversations();
    void exportsAllVersions();
};

// A tree with other versions of a question and of an answer comes back whole, unless its messages were edited.
void TestRunConversations::exportsAllVersions() {
    ChatTree tree;
    tree.title = QStringLiteral("Owls");
    const int question = tree.add(-1, TurnRole::User, QStringLiteral("What?"));
    tree.add(question, TurnRole::Assistant, QStringLiteral("First"));
    const int second = tree.add(question, TurnRole::Assistant, QStringLiteral("Second"));
    tree.add(-1, TurnRole::User, QStringLiteral("Who?"));
    QVERIFY(tree.step(tree.path().front(), -1)); // the first question is shown
    const QByteArray json = conversationJson(tree, QStringLiteral("m"));
    const auto read = conversationFromJson(json);
    QVERIFY(read);
    QCOMPARE(read->save(), tree.save());
    QCOMPARE(read->siblings(second).count, 2);
    const auto edited =
        conversationFromJson(QByteArray(json).replace("\"content\": \"Second\"", "\"content\": \"Third\""));
    QVERIFY(edited);
    QCOMPARE(edited->turn(edited->leaf()).text, QStringLiteral("Third"));
}

void TestRunConversations::longConversationsGoOn() {
    RunPage& page = open({.context = 128});
    QVERIFY(part<QCheckBox>(page, "contextShift")->isChecked());
    neverEnd();
    std::size_t asked = 0;
    while (asked < 12 && (turns() == 0 || turn(turns() - 1).leftOutMessages == 0)) {
        say("one two three");
        QVERIFY(waitIdle());
        ++asked;
        QCOMPARE(turns(), 2 * asked);
        QCOMPARE(turn(turns() - 1).end, TurnEnd::MaxTokens);
        QVERIFY2(shownText(page, "notice").isEmpty(), qPrintable(shownText(page, "notice")));
    }
    QVERIFY(turn(turns() - 1).leftOutMessages > 0);
    const auto* leftOut = part<QLabel>(*view(turns() - 1), "leftOut");
    QVERIFY(!leftOut->isHidden());
    QVERIFY2(leftOut->text().contains("oldest message"), qPrintable(leftOut->text()));
    QVERIFY(part<QLabel>(*view(1), "leftOut")->isHidden());
    // However narrow the page is, the whole sentence is shown.
    page.resize(page.minimumSizeHint().width(), page.height());
    QTRY_VERIFY(leftOut->height() >= leftOut->heightForWidth(leftOut->width()));
    QVERIFY(leftOut->wordWrap());
    QVERIFY(part<ChatSession>(page)->figures().contextUsed > 0 &&
            part<ChatSession>(page)->figures().contextUsed <= 128);
    // The note is kept with the conversation.
    const auto restored = ChatTree::restore(part<ChatSession>(page)->tree().save());
    QVERIFY(restored);
    QCOMPARE(restored->turn(restored->leaf()).leftOutMessages, turn(turns() - 1).leftOutMessages);
}

void TestRunConversations::aTextGoesOnBeyondTheContext() {
    RunPage& page = open({.context = 64, .chatTemplate = {}});
    QCOMPARE(part<SegmentedControl>(page, "mode")->current(), 1);
    part<SamplerPanel>(page)->lengthField()->setValue(40);
    neverEnd();
    say("Once");
    QVERIFY(waitIdle());
    for (std::size_t times = 2; times <= 5; ++times) {
        QTest::keyClick(part<Transcript>(page)->text(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(waitIdle());
        QVERIFY2(shownText(page, "notice").isEmpty(), qPrintable(shownText(page, "notice")));
        QCOMPARE(turn(0).tokens.size(), 40 * times);
    }
    QVERIFY(turn(0).leftOutTokens > 0);
    const auto* leftOut = part<QLabel>(*view(0), "leftOut");
    QVERIFY(!leftOut->isHidden());
    QVERIFY2(leftOut->text().contains("older token"), qPrintable(leftOut->text()));
}

// Without shifting, a full context is an error, which names the option. The answer that never began leaves no turn, and
// the question can be asked again.
void TestRunConversations::saysHowToGoOn() {
    RunPage& page = open({.context = 128});
    neverEnd();
    QTest::mouseClick(part<QCheckBox>(page, "contextShift"), Qt::LeftButton, {},
                      QPoint(8, part<QCheckBox>(page, "contextShift")->height() / 2));
    QVERIFY(!part<QCheckBox>(page, "contextShift")->isChecked());
    std::size_t used = 0;
    while (shownText(page, "notice").isEmpty()) {
        used = part<ChatSession>(page)->figures().contextUsed;
        QVERIFY(turns() < 24);
        say("one two three");
        QVERIFY(waitIdle());
    }
    QVERIFY2(shownText(page, "notice").contains(part<QCheckBox>(page, "contextShift")->text()),
             qPrintable(shownText(page, "notice")));
    QCOMPARE(turns() % 2, std::size_t{1});
    QCOMPARE(turn(turns() - 1).role, TurnRole::User);
    QVERIFY(used > 0);
    QCOMPARE(part<ChatSession>(page)->figures().contextUsed, used); // what the engine still holds

    const std::size_t asked = turns();
    QTest::mouseClick(part<QCheckBox>(page, "contextShift"), Qt::LeftButton, {},
                      QPoint(8, part<QCheckBox>(page, "contextShift")->height() / 2));
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Return); // an empty message asks again
    QVERIFY(waitIdle());
    QCOMPARE(turns(), asked + 1);
    QVERIFY(turn(asked).leftOutMessages > 0);
    QVERIFY(shownText(page, "notice").isEmpty());
}

void TestRunConversations::keepsConversations() {
    {
        RunPage& page = open();
        QSignalSpy stored(part<ConversationShelf>(page), &ConversationShelf::stored);
        part<QPlainTextEdit>(page, "systemPrompt")->setPlainText("Be brief.");
        say("one two");
        QVERIFY(waitIdle());
        QTRY_VERIFY_WITH_TIMEOUT(!stored.isEmpty(), 20'000); // on a slow machine it may already be stored
        stored.clear();
        QTest::mouseClick(part<QPushButton>(page, "newConversation"), Qt::LeftButton);
        QVERIFY(part<ChatSession>(page)->tree().isEmpty());
        say("three");
        QVERIFY(waitIdle());
        QTRY_VERIFY_WITH_TIMEOUT(!stored.isEmpty(), 20'000);
        QCOMPARE(part<ConversationShelf>(page)->count(), 2);
    }
    const QString answer = turn(1).text;
    m_page.reset();
    RunPage& page = open();
    QTRY_COMPARE(part<ConversationShelf>(page)->count(), 3); // the new one and the two others
    const int index = part<ConversationShelf>(page)->findText("one two");
    QVERIFY(index >= 0);
    QSignalSpy opened(part<ConversationShelf>(page), &ConversationShelf::opened);
    part<ConversationShelf>(page)->open(part<ConversationShelf>(page)->itemData(index).toString());
    QVERIFY(opened.wait());
    QCOMPARE(turn(0).text, QString("one two"));
    QCOMPARE(part<QPlainTextEdit>(page, "systemPrompt")->toPlainText(), QString("Be brief."));
    QVERIFY(!turn(1).tokens.empty());
    QSignalSpy stored(part<ConversationShelf>(page), &ConversationShelf::stored);
    part<ConversationShelf>(page)->remove();
    QVERIFY(stored.wait(20'000));
    QCOMPARE(part<ConversationShelf>(page)->findText("one two"), -1);
}

void TestRunConversations::undoesDeletions() {
    RunPage& page = open();
    part<QPlainTextEdit>(page, "systemPrompt")->setPlainText("Be brief.");
    say("one two");
    QVERIFY(waitIdle());
    const QString answer = turn(1).text;
    QSignalSpy stored(part<ConversationShelf>(page), &ConversationShelf::stored);
    QTRY_VERIFY_WITH_TIMEOUT(!stored.isEmpty(), 20'000);

    // A turn with what follows.
    QTest::mouseClick(view(0)->actionButton("remove"), Qt::LeftButton);
    QCOMPARE(turns(), std::size_t{0});
    QVERIFY(part<NoticeBar>(page, "deletionBar")->isVisible());
    QTest::mouseClick(part<NoticeBar>(page, "deletionBar")->actionButton(), Qt::LeftButton);
    QCOMPARE(turns(), std::size_t{2});
    QCOMPARE(turn(1).text, answer);
    QVERIFY(!part<NoticeBar>(page, "deletionBar")->isVisible());

    // Two conversations, which come back one after the other.
    part<ConversationShelf>(page)->remove();
    QCOMPARE(turns(), std::size_t{0});
    QVERIFY2(part<NoticeBar>(page, "deletionBar")->text().contains("one two"),
             qPrintable(part<NoticeBar>(page, "deletionBar")->text()));
    part<QPlainTextEdit>(page, "systemPrompt")->setPlainText("Other.");
    say("three");
    QVERIFY(waitIdle());
    QVERIFY(part<NoticeBar>(page, "deletionBar")->isVisible()); // the other conversation does not matter
    part<ConversationShelf>(page)->remove();
    QVERIFY2(part<NoticeBar>(page, "deletionBar")->text().contains("three"),
             qPrintable(part<NoticeBar>(page, "deletionBar")->text()));
    QTest::mouseClick(part<NoticeBar>(page, "deletionBar")->actionButton(), Qt::LeftButton);
    QCOMPARE(turn(0).text, QString("three"));
    QVERIFY2(part<NoticeBar>(page, "deletionBar")->text().contains("one two"),
             qPrintable(part<NoticeBar>(page, "deletionBar")->text()));
    QTest::mouseClick(part<NoticeBar>(page, "deletionBar")->actionButton(), Qt::LeftButton);
    QCOMPARE(turn(1).text, answer);
    QCOMPARE(part<QPlainTextEdit>(page, "systemPrompt")->toPlainText(), QString("Be brief."));
    QVERIFY(!part<NoticeBar>(page, "deletionBar")->isVisible());
    QVERIFY(part<ConversationShelf>(page)->findText("three") >= 0);

    // What was brought back is in the file again.
    m_page.reset();
    RunPage& again = open({}, false);
    QTRY_VERIFY_WITH_TIMEOUT(part<ConversationShelf>(again)->findText("one two") >= 0, 20'000);
    QVERIFY(part<ConversationShelf>(again)->findText("three") >= 0);

    // Turns cannot be brought back into a conversation that has gone on without them.
    QTest::mouseClick(part<LoadPanel>(again)->loadButton(), Qt::LeftButton);
    QTRY_COMPARE(part<RunEngine>(again)->state(), RunEngine::State::Ready);
    say("four");
    QVERIFY(waitIdle());
    QTest::mouseClick(view(1)->actionButton("remove"), Qt::LeftButton);
    QVERIFY(part<NoticeBar>(again, "deletionBar")->isVisible());
    say("five");
    QVERIFY(waitIdle());
    QVERIFY(!part<NoticeBar>(again, "deletionBar")->isVisible());
}

// What was read is on the disk only if the user wants it, is found when the model is loaded again, and goes with its
// conversation.
void TestRunConversations::keepsReadPrompts() {
    const QTemporaryDir cache;
    qputenv("XDG_CACHE_HOME", cache.path().toLocal8Bit());
    const auto files = [&] {
        int count = 0;
        std::error_code error;
        for (std::filesystem::recursive_directory_iterator at(cache.path().toStdString(), error), end;
             !error && at != end; at.increment(error)) {
            count += at->is_regular_file() ? 1 : 0;
        }
        return count;
    };
    const auto chooseKeeping = [](RunPage& page) {
        for (QAction* action : page.findChildren<QAction*>()) {
            if (action->text() == QStringLiteral("Cache evaluated prompts on disk")) {
                action->trigger();
                return action->isChecked();
            }
        }
        return false;
    };
    const QString question = QStringLiteral("Once one two three four one two three four one two three");
    RunPage& page = open();
    neverEnd();
    say(question);
    QVERIFY(waitIdle());
    const std::size_t all = part<ChatSession>(page)->figures().promptTokens;
    QCOMPARE(part<ChatSession>(page)->figures().readTokens, all);
    const auto reload = [&] {
        QTest::mouseClick(part<QPushButton>(page, "unload"), Qt::LeftButton);
        QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Unloaded);
        QTRY_VERIFY(part<LoadPanel>(page)->loadButton()->isEnabled());
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
        QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Ready);
    };
    reload();
    QCOMPARE(files(), 0);
    part<ChatSession>(page)->regenerate(part<ChatSession>(page)->tree().path()[1]);
    QVERIFY(waitIdle());
    QCOMPARE(part<ChatSession>(page)->figures().readTokens, std::size_t{1}); // from memory
    QVERIFY(chooseKeeping(page));
    reload();
    QTRY_VERIFY(files() > 0);
    inference::PrefixStore::shared()->clear(); // as in another process
    part<ChatSession>(page)->regenerate(part<ChatSession>(page)->tree().path()[1]);
    QVERIFY(waitIdle());
    QCOMPARE(part<ChatSession>(page)->figures().readTokens, std::size_t{1});
    QVERIFY(page.saveState()[QStringLiteral("keepPrompts")].toBool());
    part<ConversationShelf>(page)->remove();
    QTRY_COMPARE(files(), 0);
    reload(); // the session still held the tokens of the deleted conversation
    QCOMPARE(files(), 0);
    say(question);
    QVERIFY(waitIdle());
    reload();
    QTRY_VERIFY(files() > 0);
    QVERIFY(!chooseKeeping(page));
    QTRY_COMPARE(files(), 0);
    QVERIFY(!page.saveState()[QStringLiteral("keepPrompts")].toBool());
}

void TestRunConversations::loadingLeadsToTheMessage() {
    RunPage& page = open({}, false);
    part<LoadPanel>(page)->loadButton()->setFocus();
    QTest::keyClick(part<LoadPanel>(page)->loadButton(), Qt::Key_Space);
    QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Ready);
    QCoreApplication::processEvents();
    QVERIFY(page.focusWidget() == part<Composer>(page)->field());
}

void TestRunConversations::readsBeforeLoading() {
    {
        RunPage& page = open();
        say("one two");
        QVERIFY(waitIdle());
        QSignalSpy stored(part<ConversationShelf>(page), &ConversationShelf::stored);
        QTRY_VERIFY_WITH_TIMEOUT(!stored.isEmpty(), 20'000);
    }
    m_page.reset();
    RunPage& page = open({}, false);
    QVERIFY(part<LoadPanel>(page)->isVisible());
    QTRY_VERIFY(part<ConversationShelf>(page)->findText("one two") >= 0);
    QSignalSpy opened(part<ConversationShelf>(page), &ConversationShelf::opened);
    part<ConversationShelf>(page)->open(
        part<ConversationShelf>(page)->itemData(part<ConversationShelf>(page)->findText("one two")).toString());
    QVERIFY(opened.wait());
    QVERIFY(part<Transcript>(page)->isVisible());
    QVERIFY(!part<LoadPanel>(page)->isVisible());
    QVERIFY(!part<Composer>(page)->field()->isEnabled());
    QCOMPARE(turn(0).text, QString("one two"));
    QVERIFY(part<NoticeBar>(page, "readingBar")->isVisible());
    QTest::mouseClick(part<NoticeBar>(page, "readingBar")->actionButton(), Qt::LeftButton);
    QVERIFY(part<LoadPanel>(page)->isVisible());
    QVERIFY(!part<NoticeBar>(page, "readingBar")->isVisible());
    QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
    QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Ready);
    QCOMPARE(turn(0).text, QString("one two"));
    QVERIFY(part<Composer>(page)->field()->isEnabled());
}

void TestRunConversations::exports() {
    RunPage& page = open();
    part<QPlainTextEdit>(page, "systemPrompt")->setPlainText("Be brief.");
    say("one two");
    QVERIFY(waitIdle());
    QTemporaryDir folder;
    QSignalSpy exported(part<ConversationFiles>(page), &ConversationFiles::exported);
    part<ConversationFiles>(page)->exportTo(folder.filePath("a.md"), ConversationFiles::Format::Markdown);
    QVERIFY(exported.wait());
    QFile markdown(folder.filePath("a.md"));
    QVERIFY(markdown.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(markdown.readAll());
    QVERIFY(text.startsWith("# one two\n\n## System\n\nBe brief.\n\n## You\n\none two\n\n## Runner\n\n"));
    part<ConversationFiles>(page)->exportTo(folder.filePath("a.json"), ConversationFiles::Format::Json);
    QVERIFY(exported.wait());
    QFile json(folder.filePath("a.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonArray messages = QJsonDocument::fromJson(json.readAll())["messages"].toArray();
    QCOMPARE(messages.size(), 3);
    QCOMPARE(messages[0]["role"].toString(), QString("system"));
    QCOMPARE(messages[2]["role"].toString(), QString("assistant"));
    QCOMPARE(static_cast<std::size_t>(messages[2]["tokens"].toArray().size()), turn(1).tokens.size());
    part<ConversationFiles>(page)->exportTo(folder.filePath("none/a.md"), ConversationFiles::Format::Markdown);
    QVERIFY(exported.wait());
    QVERIFY(shownText(page, "notice").contains("cannot be written"));
    // Everything that is needed to generate the answer again is there.
    QCOMPARE(messages[2]["seed"].toString(), QString::number(turn(1).seed));
    QVERIFY(!turn(1).sampler.isEmpty());
    QCOMPARE(messages[2]["sampler"].toObject(), turn(1).sampler);
    QVERIFY(text.contains("temperature "));
    QVERIFY(!messages[1].toObject().contains("seed")); // a question was not drawn
}

void TestRunConversations::imports() {
    RunPage& page = open();
    say("one two");
    QVERIFY(waitIdle());
    QTemporaryDir folder;
    QSignalSpy exported(part<ConversationFiles>(page), &ConversationFiles::exported);
    QSignalSpy opened(part<ConversationShelf>(page), &ConversationShelf::opened);
    part<ConversationFiles>(page)->exportTo(folder.filePath("a.json"), ConversationFiles::Format::Json);
    QVERIFY(exported.wait());
    const ChatTree before = part<ChatSession>(page)->tree();
    part<ConversationShelf>(page)->startNew();
    part<ConversationFiles>(page)->importFrom(folder.filePath("a.json"));
    QVERIFY(opened.wait());
    QCOMPARE(turn(0).text, before.turn(before.path()[0]).text);
    QCOMPARE(turn(1).text, before.turn(before.path()[1]).text);
    QCOMPARE(turn(1).seed, before.turn(before.path()[1]).seed);
    QCOMPARE(turn(1).sampler, before.turn(before.path()[1]).sampler);
    QFile broken(folder.filePath("broken.json"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("{\"messages\": [{\"role\": \"narrator\"}]}");
    broken.close();
    part<ConversationFiles>(page)->importFrom(broken.fileName());
    QTRY_VERIFY(shownText(page, "notice").contains("cannot be imported"));
    QCOMPARE(turn(0).text, QString("one two")); // the conversation shown is kept
    part<ConversationFiles>(page)->importFrom(folder.filePath("none.json"));
    QTRY_VERIFY(shownText(page, "notice").contains("none.json"));
}

// A message is trimmed for the template, but its tokens are not.
void TestRunConversations::importsTheSpaceBeforeAnAnswer() {
    const auto answerOf = [](const char* message) {
        const auto tree = conversationFromJson(
            QByteArray("{\"messages\": [{\"role\": \"user\", \"content\": \"one\"}, ") + message + "]}");
        return tree ? tree->turn(tree->path()[1]).text : QString();
    };
    QCOMPARE(answerOf(R"({"role": "assistant", "content": "two three",
                          "tokens": [{"text": " two"}, {"text": " three\n"}]})"),
             QString(" two three\n"));
    // Of another text, because the answer was edited in the file.
    QCOMPARE(answerOf(R"({"role": "assistant", "content": "four", "tokens": [{"text": " two"}]})"), QString("four"));
    QCOMPARE(answerOf(R"({"role": "assistant", "content": "two", "reasoning_content": "Hm.",
                          "tokens": [{"text": "<think>Hm.</think>"}, {"text": " two"}]})"),
             QString("<think>\nHm.\n</think>\n\ntwo"));
}

// Tokens that make up one character have the same range of the text. What they export is the text all the same.
void TestRunConversations::importsCharactersOfSeveralTokens() {
    ChatTree tree;
    const int answer = tree.add(tree.add(-1, TurnRole::User, "one"), TurnRole::Assistant, QString(" a\U0001F989b\r"));
    Turn& turn = tree.turn(answer);
    turn.tokens = {{.id = 1, .begin = 0, .end = 2}, // " a"
                   {.id = 2, .begin = 2, .end = 4}, // the owl has three tokens; the last also contains "b"
                   {.id = 3, .begin = 2, .end = 4},
                   {.id = 4, .begin = 2, .end = 5},
                   {.id = 5, .begin = 5, .end = 6}};
    const QByteArray json = conversationJson(tree, "model");
    QString pieces;
    for (const QJsonValue& token : QJsonDocument::fromJson(json)["messages"][1]["tokens"].toArray()) {
        pieces += token["text"].toString();
    }
    QCOMPARE(pieces, turn.text);
    const auto imported = conversationFromJson(json);
    QVERIFY(imported.has_value());
    QCOMPARE(imported->turn(imported->leaf()).text, turn.text);
}

void TestRunConversations::readsOtherProgramsConversations() {
    const auto read = conversationFromJson(R"([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "How warm "}, {"type": "text", "text": "is it?"}]},
        {"role": "assistant", "content": null, "reasoning_content": "A tool.", "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\": \"Trento\"}"}}]},
        {"role": "tool", "content": "-3", "tool_call_id": "1"},
        {"role": "assistant", "content": "Cold."}])");
    QVERIFY(read.has_value());
    const auto path = read->path();
    QCOMPARE(path.size(), std::size_t{4});
    QCOMPARE(read->system, QString("Be brief."));
    QCOMPARE(read->turn(path[0]).text, QString("How warm is it?"));
    const text::Message call = messageOf(read->turn(path[1]), QStringLiteral("[]"));
    QVERIFY(QString::fromStdString(call.toolCalls).contains("weather"));
    QVERIFY(QString::fromStdString(call.toolCalls).contains("Trento"));
    QCOMPARE(QString::fromStdString(call.reasoning), QString("A tool."));
    QVERIFY(read->turn(path[2]).role == TurnRole::Tool);
    QCOMPARE(read->turn(path[3]).text, QString("Cold."));
    QVERIFY(!conversationFromJson("[]"));
    QVERIFY(!conversationFromJson("{"));
    QVERIFY(!conversationFromJson("3"));
}

GUFO_TEST_WIDGETS(TestRunConversations)
#include "tst_run_conversations.moc"
