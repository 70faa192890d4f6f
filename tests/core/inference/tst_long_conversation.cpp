// Conversations that are longer than the context. Their prompts come from the render helper.
#include "base/detail.h"
#include "base/error.h"
#include "inference/engine_table.h"
#include "inference/interface/responder.h"
#include "support/run_models.h"
#include "support/test_unit.h"

#include <QTest>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::uint32_t kLongContext = 192;

std::unique_ptr<Responder> openSmall() {
    auto responder = engines().front().open(test::tinyRunnable(), {.context = kLongContext, .threads = 1}, {});
    return responder ? std::move(*responder) : nullptr;
}

// A system prompt, `turns` questions with answers, and one without.
std::vector<text::Message> conversation(int turns) {
    std::vector<text::Message> messages{{.role = "system", .content = "the night owl"}};
    for (int i = 0; i < turns; ++i) {
        messages.push_back({.role = "user", .content = "question " + std::to_string(i)});
        messages.push_back({.role = "assistant", .content = "one two three four"});
    }
    messages.push_back({.role = "user", .content = "question " + std::to_string(turns)});
    return messages;
}

ResponseRequest ask(std::vector<text::Message> messages, std::uint32_t maxTokens) {
    ResponseRequest request{.prompt = ChatPrompt{.messages = std::move(messages)}};
    request.settings.sampler.temperature = 0;
    request.settings.sampler.ignoreEnd = true;
    request.settings.maxTokens = maxTokens;
    return request;
}

struct ChatOutcome {
    Result<Response> response = Response{};
    PromptFacts prompt{};
    std::size_t messages = 0;
    std::size_t tokens = 0;
    std::vector<TokenId> answer{};
    std::string said{};
};

ChatOutcome respond(Responder& responder, const ResponseRequest& request) {
    ChatOutcome outcome;
    ResponseListener listener;
    listener.promptMade = [&](PromptFacts prompt, const ResponseFigures&) { outcome.prompt = std::move(prompt); };
    listener.shortened = [&](std::size_t messages, std::size_t tokens) {
        outcome.messages = messages;
        outcome.tokens = tokens;
    };
    listener.piece = [&](const ResponsePiece& piece, const ResponseFigures&) {
        outcome.answer.push_back(piece.token.value());
        outcome.said += piece.shown;
        return true;
    };
    outcome.response = responder.respond(request, listener, {});
    return outcome;
}

bool says(const ChatOutcome& outcome, const std::string& text) {
    return outcome.prompt.text.find(text) != std::string::npos;
}

} // namespace

class TestLongConversation : public QObject {
    Q_OBJECT

private slots:
    void theOldestTurnsAreLeftOut() {
        const auto responder = openSmall();
        QVERIFY(responder != nullptr);
        auto messages = conversation(30);
        const ChatOutcome first = respond(*responder, ask(messages, 4));
        QVERIFY(first.response && !first.response->problem);
        QCOMPARE(first.answer.size(), std::size_t{4});
        QVERIFY(says(first, "<|system|>the night owl<|end|><|user|>")); // no answer without its question
        QVERIFY(says(first, "question 30<|end|>") && !says(first, "question 0<|end|>"));
        QVERIFY(first.messages > 0 && first.messages % 2 == 0);
        QCOMPARE(first.tokens, std::size_t{0});
        QVERIFY(first.prompt.ids.size() <= kLongContext / 2);

        // The next prompt begins with the same turn, and little is read for it.
        messages.push_back({.role = "assistant", .content = first.said});
        messages.push_back({.role = "user", .content = "two"});
        ResponseRequest request = ask(messages, 4);
        request.known = {.text = first.prompt.text + first.said, .ids = first.prompt.ids};
        request.known.ids.insert(request.known.ids.end(), first.answer.begin(), first.answer.end());
        const ChatOutcome second = respond(*responder, request);
        QVERIFY(second.response);
        QCOMPARE(second.messages, first.messages);
        QVERIFY(second.response->figures.readTokens <= second.prompt.ids.size() - first.prompt.ids.size());

        // Another conversation has nothing to do with that.
        const ChatOutcome other = respond(*responder, ask(conversation(2), 4));
        QVERIFY(other.response);
        QCOMPARE(other.messages, std::size_t{0});
        QVERIFY(says(other, "question 0<|end|>"));
    }

    void turnsAreLeftOutDuringAnAnswer() {
        const auto responder = openSmall();
        int turns = 1; // as many as fit
        while (respond(*responder, ask(conversation(turns + 1), 1)).messages == 0) {
            ++turns;
        }
        const ChatOutcome outcome = respond(*responder, ask(conversation(turns), 60));
        QVERIFY(outcome.response);
        QCOMPARE(outcome.response->reason, std::optional(StopReason::MaxTokens));
        QCOMPARE(outcome.answer.size(), std::size_t{60});
        QVERIFY(outcome.messages > 0 && outcome.messages % 2 == 0);
        QCOMPARE(outcome.tokens, std::size_t{0});
        QVERIFY(outcome.response->figures.contextUsed < kLongContext);
    }

    // When there are no more turns to leave out, the answer forgets its own beginning.
    void anAnswerLongerThanTheContext() {
        const auto responder = openSmall();
        const ChatOutcome outcome = respond(*responder, ask(conversation(1), 2 * kLongContext));
        QVERIFY(outcome.response);
        QCOMPARE(outcome.answer.size(), std::size_t{2 * kLongContext});
        QCOMPARE(outcome.messages, std::size_t{2});
        QVERIFY(outcome.tokens > 0);
        // It can be continued, and regenerated from its middle.
        ResponseRequest more = ask(conversation(1), 2);
        more.begun.tokens = outcome.answer;
        const ChatOutcome continued = respond(*responder, more);
        QVERIFY(continued.response);
        QCOMPARE(continued.messages, std::size_t{2});
        QCOMPARE(continued.answer.size(), std::size_t{2});
    }

    void onlyIfItIsAllowed() {
        const auto responder = openSmall();
        ResponseRequest request = ask(conversation(30), 4);
        request.settings.shift = false;
        const ChatOutcome refused = respond(*responder, request);
        QVERIFY(!refused.response);
        QCOMPARE(refused.response.error().code, ErrorCode::LimitExceeded);
        QCOMPARE(refused.response.error().args.front(), Argument(Detail::ContextTokens));
        QCOMPARE(refused.messages, std::size_t{0});
    }

    // A session that may become longer does so before anything is left out.
    void theContextGrows_data() {
        QTest::addColumn<std::uint32_t>("longest");
        QTest::addColumn<bool>("isWhole");
        QTest::newRow("enough") << 4096U << true;
        QTest::newRow("less than the conversation") << 256U << false;
        QTest::newRow("not at all") << 0U << false;
    }
    void theContextGrows() {
        QFETCH(std::uint32_t, longest);
        QFETCH(bool, isWhole);
        auto opened = engines().front().open(test::tinyRunnable(),
                                             {.context = kLongContext, .longestContext = longest, .threads = 1}, {});
        QVERIFY(opened);
        Responder& responder = **opened;
        QVERIFY(respond(responder, ask(conversation(2), 4)).response);
        QCOMPARE(responder.facts().options.context, kLongContext);
        const ChatOutcome outcome = respond(responder, ask(conversation(30), 4));
        QVERIFY(outcome.response);
        QCOMPARE(outcome.messages == 0, isWhole);
        QCOMPARE(says(outcome, "question 0<|end|>"), isWhole);
        const std::uint32_t context = responder.facts().options.context;
        QVERIFY(isWhole ? context > outcome.prompt.ids.size() + 4 : context == std::max(longest, kLongContext));
        QVERIFY(context <= std::max(longest, kLongContext));
        // The answer equals the answer of a session that had this length from the beginning.
        auto whole = engines().front().open(test::tinyRunnable(), {.context = context, .threads = 1}, {});
        QVERIFY(whole);
        QCOMPARE(respond(**whole, ask(conversation(30), 4)).said, outcome.said);
    }

    // The room for an answer of known length counts, too.
    void theContextGrowsForTheAnswer() {
        auto opened = engines().front().open(test::tinyRunnable(),
                                             {.context = kLongContext, .longestContext = 4096, .threads = 1}, {});
        QVERIFY(opened);
        ResponseRequest request = ask({}, 2 * kLongContext);
        request.prompt = "one two three";
        request.settings.shift = false;
        const ChatOutcome outcome = respond(**opened, request);
        QVERIFY(outcome.response);
        QCOMPARE(outcome.answer.size(), std::size_t{2 * kLongContext});
        QCOMPARE(outcome.response->reason, std::optional(StopReason::MaxTokens));
    }

    // The last message has to be answered as a whole.
    void aMessageLongerThanTheContext() {
        const auto responder = openSmall();
        auto messages = conversation(3);
        for (int i = 0; i < 300; ++i) {
            messages.back().content += " one";
        }
        const ChatOutcome refused = respond(*responder, ask(messages, 4));
        QVERIFY(!refused.response);
        QCOMPARE(refused.response.error().code, ErrorCode::LimitExceeded);
        QCOMPARE(refused.messages, std::size_t{0});
    }
};

GUFO_TEST(TestLongConversation)
#include "tst_long_conversation.moc"
