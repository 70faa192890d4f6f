#include "base/error.h"
#include "support/test_unit.h"
#include "ui/run/chat_tree.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

class TestChatTree : public QObject {
    Q_OBJECT

private slots:
    void knowsAnswersInOpenThoughts();
    void joinsTurns();
    void branches();
    void removes();
    void names();
    void findsTokens();
    void comesBack();
    void knowsWhichCallsWait();
    void refusesWhatIsNone_data();
    void refusesWhatIsNone();
    void tellsThoughtsApart_data();
    void tellsThoughtsApart();
};

void TestChatTree::branches() {
    ChatTree tree;
    QCOMPARE(tree.leaf(), -1);
    const int first = tree.add(-1, TurnRole::User, "a");
    const int answer = tree.add(first, TurnRole::Assistant, "b");
    const int second = tree.add(answer, TurnRole::User, "c");
    QCOMPARE(tree.path(), (std::vector<int>{first, answer, second}));
    const int other = tree.add(first, TurnRole::Assistant, "B"); // regenerated
    QCOMPARE(tree.path(), (std::vector<int>{first, other}));
    QCOMPARE(tree.siblings(other).index, 1);
    QCOMPARE(tree.siblings(other).count, 2);
    QVERIFY(!tree.step(other, 1));
    QVERIFY(tree.step(other, -1));
    QCOMPARE(tree.path(), (std::vector<int>{first, answer, second}));
    const int edited = tree.add(-1, TurnRole::User, "A");
    QCOMPARE(tree.path(), (std::vector<int>{edited}));
    QVERIFY(tree.step(edited, -1));
    QCOMPARE(tree.leaf(), second);
}

void TestChatTree::removes() {
    ChatTree tree;
    const int first = tree.add(-1, TurnRole::User, "a");
    const int one = tree.add(first, TurnRole::Assistant, "1");
    const int two = tree.add(first, TurnRole::Assistant, "2");
    tree.add(two, TurnRole::User, "more");
    tree.remove(two);
    QCOMPARE(tree.path(), (std::vector<int>{first, one}));
    tree.remove(one);
    QCOMPARE(tree.path(), (std::vector<int>{first}));
    tree.remove(first);
    QVERIFY(tree.isEmpty());
    QVERIFY(tree.path().empty());
}

void TestChatTree::names() {
    ChatTree tree;
    QCOMPARE(tree.titleText(), QString());
    tree.add(-1, TurnRole::User, "  How does a\n barn owl find its prey in the darkest of all nights? ");
    QCOMPARE(tree.titleText(), QString::fromUtf8("How does a barn owl find its prey in th…"));
    tree.title = "Owls";
    QCOMPARE(tree.titleText(), QString("Owls"));
}

void TestChatTree::findsTokens() {
    Turn turn{.text = "abcdef"};
    turn.tokens = {{.id = 1, .begin = 0, .end = 2},
                   {.id = 2, .begin = 2, .end = 3},
                   {.id = 3, .begin = 2, .end = 3},
                   {.id = 4, .begin = 3, .end = 3},
                   {.id = 5, .begin = 3, .end = 5}};
    QCOMPARE(turn.tokenAt(0), 0);
    QCOMPARE(turn.tokenAt(1), 0);
    QCOMPARE(turn.tokenAt(2), 2);
    QCOMPARE(turn.tokenAt(3), 4);
    QCOMPARE(turn.tokenAt(4), 4);
    QCOMPARE(turn.tokenAt(5), -1);
    QVERIFY(!Turn().meanProbability().has_value());
    turn.tokens = {{.logProbability = -1}, {.logProbability = -3}};
    QCOMPARE(*turn.meanProbability(), std::exp(-2.0));
    turn.tokens.push_back({.id = 5}); // nothing else is known about it
    QVERIFY(!turn.meanProbability().has_value());
}

void TestChatTree::comesBack() {
    ChatTree tree;
    tree.system = "Be brief.";
    tree.thinking = false;
    tree.mode = ChatMode::Completion;
    const int first = tree.add(-1, TurnRole::User, QString::fromUtf8("Où ? 🦉"));
    const int answer = tree.add(first, TurnRole::Assistant, "yes no");
    Turn& turn = tree.turn(answer);
    turn.tokens = {{.id = 70'000,
                    .begin = 0,
                    .end = 3,
                    .logProbability = -0.5F,
                    .entropy = 1.25F,
                    .kept = 3,
                    .candidates = {{.id = 5, .probability = 0.5F}, {.id = 6, .probability = 0.25F, .cut = 2}}},
                   {.id = 4'294'967'294U, .begin = 3, .end = 5},
                   {.id = kNoToken,
                    .begin = 5,
                    .end = 6,
                    .logProbability = 0,
                    .candidates = {{.id = kNoToken, .probability = 0.5F, .text = "o"}}}};
    turn.end = TurnEnd::StopText;
    turn.seed = 0xFFFF'FFFF'FFFF'FFFFULL;
    turn.tokensPerSecond = 19.5;
    turn.opening = "<think>";
    tree.add(first, TurnRole::Assistant, "other");
    QVERIFY(tree.step(tree.leaf(), -1));
    const QByteArray json = QJsonDocument(tree.save()).toJson(QJsonDocument::Compact);
    const auto back = ChatTree::restore(QJsonDocument::fromJson(json).object());
    QVERIFY(back.has_value());
    QVERIFY(*back == tree);
    ChatTree more = *back;
    QVERIFY(more.add(answer, TurnRole::User) > 2); // ids continue
}

void TestChatTree::knowsWhichCallsWait() {
    ChatTree tree;
    const int question = tree.add(-1, TurnRole::User, "?");
    const QString call = R"(<tool_call>{"name": "f", "arguments": {}}</tool_call>)";
    const int answer = tree.add(question, TurnRole::Assistant, call + QString(call).replace("\"f\"", "\"g\""));
    QVERIFY(tree.pendingCalls().isEmpty()); // without tools it is text
    tree.tools = "[]";
    QCOMPARE(tree.pendingCalls(), QStringList({"f", "g"}));
    const int first = tree.add(answer, TurnRole::Tool, "1");
    QCOMPARE(tree.pendingCalls(), QStringList({"g"}));
    const int second = tree.add(first, TurnRole::Tool, "2");
    QVERIFY(tree.pendingCalls().isEmpty());
    const auto back = ChatTree::restore(tree.save());
    QVERIFY(back && *back == tree);
    QVERIFY(messageOf(back->turn(second), {}).role == "tool");
    tree.add(second, TurnRole::Assistant, "done");
    QVERIFY(tree.pendingCalls().isEmpty());
}

void TestChatTree::refusesWhatIsNone_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << QByteArray("{}");
    QTest::newRow("later version") << QByteArray(R"({"version":2})");
    QTest::newRow("parent missing") << QByteArray(R"({"version":1,"turns":[{"id":0,"parent":3}]})");
    QTest::newRow("parent after") << QByteArray(R"({"version":1,"turns":[{"id":0,"parent":1},{"id":1,"parent":0}]})");
    QTest::newRow("own parent") << QByteArray(R"({"version":1,"turns":[{"id":0,"parent":0}]})");
    QTest::newRow("twice") << QByteArray(R"({"version":1,"turns":[{"id":0,"parent":-1},{"id":0,"parent":-1}]})");
}

void TestChatTree::refusesWhatIsNone() {
    QFETCH(QByteArray, json);
    QVERIFY(!ChatTree::restore(QJsonDocument::fromJson(json).object()).has_value());
}

void TestChatTree::tellsThoughtsApart_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("opening");
    QTest::addColumn<QString>("thought");
    QTest::addColumn<QString>("answer");
    QTest::addColumn<bool>("open");
    QTest::newRow("none") << "Yes."
                          << ""
                          << ""
                          << "Yes." << false;
    QTest::newRow("space before") << " Yes."
                                  << ""
                                  << ""
                                  << "Yes." << false;
    QTest::newRow("both") << "<think>\nHm.\n</think>\n\nYes."
                          << ""
                          << "Hm."
                          << "Yes." << false;
    QTest::newRow("begun by the template") << "Hm.\n</think>\n\nYes."
                                           << "<think>"
                                           << "Hm."
                                           << "Yes." << false;
    QTest::newRow("under way") << "<think>\nHm"
                               << ""
                               << "Hm"
                               << "" << true;
    QTest::newRow("under way, begun") << "Hm"
                                      << "<think>"
                                      << "Hm"
                                      << "" << true;
    QTest::newRow("empty") << "<think>\n\n</think>\n\nYes."
                           << ""
                           << ""
                           << "Yes." << false;
    QTest::newRow("a call") << "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"
                            << ""
                            << ""
                            << "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>" << false;
    QTest::newRow("a call after thoughts")
        << "<think>\nHm.\n</think>\n\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"
        << ""
        << "Hm."
        << "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>" << false;
    QTest::newRow("the same words") << "<think>a</think>a"
                                    << ""
                                    << "a"
                                    << "a" << false;
}

void TestChatTree::tellsThoughtsApart() {
    QFETCH(QString, text);
    QFETCH(QString, opening);
    QFETCH(QString, thought);
    QFETCH(QString, answer);
    QFETCH(bool, open);
    const Thinking found = findThinking(Turn{.text = text, .opening = opening});
    QCOMPARE(text.mid(found.begin, found.end - found.begin), thought);
    QCOMPARE(text.mid(found.answer), answer);
    QCOMPARE(found.isOpen, open);
}

// Completions of older versions consist of turns. Each of their paths becomes a version of one text.
// Of a template that writes answers into the thought that its prompt opens.
void TestChatTree::knowsAnswersInOpenThoughts() {
    const text::AnswerFormat format{
        .thoughts = {{.open = "<think>", .close = "</think>"}}, .ownThoughts = 1, .answersInThought = true};
    Turn turn{.role = TurnRole::Assistant,
              .text = "Yes.",
              .end = TurnEnd::EndToken,
              .opening = "<think>",
              .format = std::make_shared<const text::AnswerFormat>(format)};
    QCOMPARE(messageOf(turn, {}).content, std::string("Yes."));
    QVERIFY(!answerParts(turn, {}, false).isThinking);
    QVERIFY(answerParts(turn, {}, true).isThinking); // as long as it is written
    turn.end = TurnEnd::Stopped;
    QCOMPARE(messageOf(turn, {}).reasoning, std::string("Yes."));
}

void TestChatTree::joinsTurns() {
    ChatTree tree;
    tree.mode = ChatMode::Completion;
    const int question = tree.add(-1, TurnRole::User, "Once");
    const int first = tree.add(question, TurnRole::Assistant, " upon a");
    tree.turn(first).tokens = {{.id = 1, .begin = 0, .end = 5}, {.id = 2, .begin = 5, .end = 7}};
    tree.turn(first).end = TurnEnd::MaxTokens;
    const int other = tree.add(question, TurnRole::Assistant, " more");
    const int after = tree.add(other, TurnRole::User, ", said");
    QVERIFY(tree.step(other, -1));
    QCOMPARE(tree.leaf(), first);
    tree.joinTurns();
    QCOMPARE(tree.path().size(), std::size_t{1});
    const Turn shown = tree.turn(tree.leaf());
    QCOMPARE(shown.text, QString("Once upon a"));
    QVERIFY(shown.role == TurnRole::Assistant && shown.end == TurnEnd::MaxTokens);
    QCOMPARE(shown.tokens.front().begin, 4);
    QCOMPARE(shown.tokens.back().end, 11);
    QCOMPARE(tree.siblings(shown.id).count, 2);
    QVERIFY(!tree.has(after) && !tree.has(question));
    const QJsonObject joined = tree.save();
    tree.joinTurns(); // has nothing to do
    QCOMPARE(tree.save(), joined);
    QVERIFY(ChatTree::restore(joined));
    QVERIFY(tree.step(shown.id, 1) || tree.step(shown.id, -1));
    QCOMPARE(tree.turn(tree.leaf()).text, QString("Once more, said"));
}

GUFO_TEST(TestChatTree)
#include "tst_chat_tree.moc"
