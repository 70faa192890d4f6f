// Control tokens whose text occurs in messages: they become control tokens, or stay text.
#include "inference/engine_table.h"
#include "inference/prompts/literal_content.h"
#include "support/run_models.h"
#include "support/test_unit.h"

#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::inference;

class TestLiteralContent : public QObject {
    Q_OBJECT

    std::shared_ptr<const Model> m_model = test::tinyRunnable();
    std::shared_ptr<const text::Tokenizer> m_tokenizer = text::makeTokenizer(*m_model).value();
    TokenId m_end{std::size_t{0}};

    PromptFacts promptOf(std::variant<std::string, ChatPrompt> prompt, bool literal, const KnownText& known = {}) {
        const auto responder = engines().front().open(m_model, {.context = 512, .threads = 1}, {});
        PromptFacts facts;
        ResponseListener listener;
        listener.promptMade = [&](PromptFacts made, const ResponseFigures&) { facts = std::move(made); };
        ResponseRequest request{.prompt = std::move(prompt), .known = known, .literalContent = literal};
        request.settings.maxTokens = 1;
        if (!responder || !(*responder)->respond(request, listener, {})) {
            qWarning("there is no answer");
        }
        return facts;
    }
    [[nodiscard]] auto ends(const PromptFacts& facts) const { return std::ranges::count(facts.ids, m_end); }
    static std::vector<text::Message> conversation(const std::string& question) {
        return {{.role = "system", .content = "one"},
                {.role = "user", .content = "two"},
                {.role = "assistant", .content = "three"},
                {.role = "user", .content = question}};
    }

private slots:
    void initTestCase() {
        const auto found = m_tokenizer->findSpecials("one<|end|>");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().range, (text::TextRange{3, 10}));
        m_end = found.front().id;
    }

    void messages() {
        const ChatPrompt plain{.messages = conversation("one two")};
        const ChatPrompt typed{.messages = conversation("one<|end|>two<|end|>")};
        const PromptFacts usual = promptOf(plain, false);
        QVERIFY(usual.typedSpecials.empty());
        const PromptFacts asTokens = promptOf(typed, false);
        QCOMPARE(ends(asTokens), ends(usual) + 2);
        QCOMPARE(asTokens.typedSpecials, std::vector<std::string>{"<|end|>"});
        const PromptFacts literal = promptOf(typed, true);
        QCOMPARE(ends(literal), ends(usual)); // the ends of the template
        QVERIFY(literal.typedSpecials.empty());
        QCOMPARE(literal.text, asTokens.text); // no mark is left
        QVERIFY(literal.ids.size() > asTokens.ids.size());
        // Without such texts, both are the same.
        QCOMPARE(promptOf(plain, true).ids, usual.ids);
    }

    // What the model itself has written stays as it was, and only new messages are named.
    void answersKeepTheirTokens() {
        ChatPrompt chat{.messages = conversation("one")};
        const auto usual = ends(promptOf(chat, true));
        chat.messages[2].content = "three<|end|>";
        QCOMPARE(ends(promptOf(chat, true)), usual + 1);
        QVERIFY(promptOf(chat, false).typedSpecials.empty());
        chat.messages[1].content = "two<|end|>";
        QVERIFY(promptOf(chat, false).typedSpecials.empty());
        QCOMPARE(ends(promptOf(chat, true)), usual + 1);
    }

    void knownBeginning() {
        const ChatPrompt first{.messages = {{.role = "user", .content = "one"}}};
        const PromptFacts made = promptOf(first, true);
        ChatPrompt second = first;
        second.messages.push_back({.role = "assistant", .content = "two"});
        second.messages.push_back({.role = "user", .content = "a<|end|>b"});
        KnownText known{.text = made.text, .ids = made.ids};
        const auto answer = m_tokenizer->encode("two", {.addBos = false}).value();
        known.text += "two";
        known.ids.insert(known.ids.end(), answer.ids.begin(), answer.ids.end());
        QCOMPARE(ends(promptOf(second, true, known)), ends(promptOf(second, true)));
        QCOMPARE(ends(promptOf(second, false, known)), ends(promptOf(second, true)) + 1);
    }

    void texts() {
        const std::string text = "one<|end|>two";
        QCOMPARE(ends(promptOf(text, false)), 1);
        QCOMPARE(promptOf(text, false).typedSpecials, std::vector<std::string>{"<|end|>"});
        QCOMPARE(ends(promptOf(text, true)), 0);
    }

    void marks() {
        std::vector<text::Message> messages = conversation("\xEF\xB7\x90 <|end|>");
        const std::string mark = markFor(messages);
        QVERIFY(!mark.empty() && mark != "\xEF\xB7\x90"); // that one occurs
        markSpecials(messages, mark, *m_tokenizer);
        QCOMPARE(messages[3].content, "\xEF\xB7\x90 <" + mark + "|end|>");
        std::string text = messages[3].content;
        QCOMPARE(takeMarks(text, mark), std::vector<std::uint32_t>{5});
        QCOMPARE(text, std::string("\xEF\xB7\x90 <|end|>"));
        QCOMPARE(takeMarks(text, {}), std::vector<std::uint32_t>());
        messages.clear();
        for (int last = 0x90; last <= 0xAF; ++last) {
            messages.push_back({.role = "user", .content = std::string("\xEF\xB7") + static_cast<char>(last)});
        }
        QVERIFY(markFor(messages).empty());
    }
};

GUFO_TEST(TestLiteralContent)
#include "tst_literal_content.moc"
