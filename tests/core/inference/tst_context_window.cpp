// What a full context leaves out of conversations and texts.
#include "base/error.h"
#include "inference/prompts/context_window.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;

namespace {

std::vector<text::Message> conversation(std::initializer_list<const char*> roles) {
    std::vector<text::Message> messages;
    for (const char* role : roles) {
        messages.push_back({.role = role, .content = std::to_string(messages.size())});
    }
    return messages;
}

std::vector<TokenId> numbers(std::uint32_t first, std::uint32_t count) {
    std::vector<TokenId> ids;
    for (std::uint32_t i = 0; i < count; ++i) {
        ids.emplace_back(first + i);
    }
    return ids;
}

} // namespace

class TestContextWindow : public QObject {
    Q_OBJECT

private slots:
    void turnsBeginWithTheUser() {
        const auto messages =
            conversation({"system", "user", "assistant", "tool", "assistant", "user", "assistant", "user"});
        QCOMPARE(turnStarts(messages), (std::vector<std::size_t>{1, 5, 7}));
        QCOMPARE(fromTurn(messages, 1), messages);
        std::string kept;
        for (const text::Message& message : fromTurn(messages, 5)) {
            kept += message.content;
        }
        QCOMPARE(kept, std::string("0567")); // the system prompt stays, and no result loses its call
        QVERIFY(turnStarts(conversation({"system", "assistant"})).empty());
    }

    void textsKeepTheirEnd() {
        const auto ids = numbers(0, 100);
        const TextCut cut = cutText(ids, 1, 40, {});
        const auto kept = cut.applied(ids);
        QCOMPARE(kept.size(), 100 - cut.dropped);
        QVERIFY(kept.size() < 40 && kept.size() >= 20); // half of the context is free
        QCOMPARE(kept.front(), TokenId{0});
        QCOMPARE(kept[1], TokenId{101 - static_cast<std::uint32_t>(kept.size())});
        QCOMPARE(kept.back(), TokenId{99});
    }

    void aCutIsMadeOnce() {
        const TextCut first = cutText(numbers(0, 100), 1, 40, {});
        const auto held = first.applied(numbers(0, 100));
        const auto longer = numbers(0, 110);
        const TextCut second = cutText(longer, 1, 40, held);
        QCOMPARE(second.dropped, first.dropped);
        // Once that does not fit any longer, there is a new cut.
        const auto longest = numbers(0, 200);
        QVERIFY(cutText(longest, 1, 40, held).dropped > first.dropped);
        QVERIFY(cutText(longest, 1, 40, held).applied(longest).size() < 40);
        // Another text has nothing in common with the held tokens.
        const auto other = numbers(1000, 110);
        QVERIFY(cutText(other, 1, 40, held).dropped > first.dropped);
    }
};

GUFO_TEST(TestContextWindow)
#include "tst_context_window.moc"
