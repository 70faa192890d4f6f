// Conversations: what templates receive, reading it back, what ends an answer, and parsing of answers as they arrive.
#include "base/error.h"
#include "formats/gguf/read/reader.h"
#include "support/test_unit.h"
#include "support/vocabulary_maker.h"
#include "text/conversation/answer_parser.h"
#include "text/conversation/conversation.h"
#include "text/conversation/format_derivation.h"
#include "text/template/chat_templates.h"

#include <QTest>

#include <map>

using namespace gufo;
using namespace gufo::text;

namespace {

std::string describe(const Message& message) {
    return message.reasoning + "|" + message.content + "|" + message.toolCalls;
}

std::shared_ptr<const Model> modelWith(std::vector<std::string> controls) {
    auto maker = test::makeGpt2();
    for (std::string& control : controls) {
        maker.add(std::move(control), test::kControl);
    }
    return gguf::read(maker.file().source()).value();
}

std::string rendered(std::string_view source, std::span<const Message> messages) {
    const auto model = modelWith({});
    const Rendering rendering = renderAndWait(conversationRequest(model->metadata, source, messages));
    return rendering.text ? rendering.text->toStdString() : rendering.error->code.toStdString();
}

} // namespace

class TestConversation : public QObject {
    Q_OBJECT

private slots:
    void readsWhatItWrites() {
        const std::vector<Message> messages{{.role = "system", .content = "A \"quoted\" line\nand é 🦉"},
                                            {.role = "user", .content = ""},
                                            {.role = "assistant",
                                             .content = "",
                                             .reasoning = "hm",
                                             .toolCalls = R"([{"n":1.0,"big":12345678901234567890}])"},
                                            {.role = "tool", .content = "{}"}};
        const std::string json = messagesJson(messages);
        QVERIFY(json.find("\"content\": null") != std::string::npos);
        QVERIFY(json.find("12345678901234567890") != std::string::npos);
        const auto read = readMessages(json);
        QVERIFY(read);
        QVERIFY(*read == messages);
    }

    // Thoughts are where the template looks for them, also between a call and its result.
    void writesThoughtsWhereTemplatesReadThem() {
        Message call{.role = "assistant", .reasoning = "hm", .toolCalls = "[{}]"};
        QCOMPARE(messageJson(call, "thinking"),
                 R"({"role": "assistant", "content": null, "thinking": "hm", "tool_calls": [{}]})");
        QCOMPARE(messageJson(call, "content"),
                 R"({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}], "tool_calls": [{}]})");
        call.content = "Let me look."; // gpt-oss takes either for a thought, and refuses both
        QCOMPARE(messageJson(call, "thinking"),
                 R"({"role": "assistant", "content": "Let me look.", "tool_calls": [{}]})");
        call.toolCalls.clear();
        QCOMPARE(messageJson(call, "content"),
                 R"({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, )"
                 R"({"type": "text", "text": "Let me look."}]})");
        QCOMPARE(messageJson(call, "thinking"),
                 R"({"role": "assistant", "content": "Let me look.", "thinking": "hm"})");
    }

    // A message that only calls tools has either no content or an empty text, and keeps it.
    void keepsEmptyText() {
        Message call{.role = "assistant", .toolCalls = R"([{"n":1}])"};
        QVERIFY(messageJson(call).find(R"("content": null)") != std::string::npos);
        call.emptyText = true;
        const std::vector<Message> messages{call};
        const std::string json = messagesJson(messages);
        QVERIFY(json.find(R"("content": "")") != std::string::npos);
        const auto read = readMessages(json);
        QVERIFY(read && *read == messages);
        const auto none = readMessages(R"([{"role":"assistant","tool_calls":[{"n":1}]}])");
        QVERIFY(none && !none->front().emptyText);
    }

    void readsPartsOfServers() {
        const auto read = readMessages(
            R"([{"role":"user","name":"x","content":[{"type":"text","text":"a "},{"text":"b","type":"text"}]}])");
        QVERIFY(read);
        QCOMPARE(read->front().content, std::string("a b"));
    }

    void refusesOther_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("no list") << QByteArray("{}");
        QTest::newRow("no message") << QByteArray("[1]");
        QTest::newRow("no role") << QByteArray(R"([{"content":"a"}])");
        QTest::newRow("content is a number") << QByteArray(R"([{"role":"user","content":1}])");
        QTest::newRow("a picture") << QByteArray(R"([{"role":"user","content":[{"type":"image"}]}])");
        QTest::newRow("cut") << QByteArray(R"([{"role":"user")");
        QTest::newRow("more behind it") << QByteArray(R"([] [])");
    }
    void refusesOther() {
        QFETCH(QByteArray, json);
        const auto read = readMessages(json.toStdString());
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::BadSyntax);
        QCOMPARE(read.error().args.size(), std::size_t{3});
    }

    void rendersUsualTemplates() {
        const std::vector<Message> messages{{.role = "system", .content = "S"},
                                            {.role = "user", .content = "U"},
                                            {.role = "assistant", .content = "A"},
                                            {.role = "user", .content = "V"}};
        const std::map<std::string_view, std::string> expected{
            {"chatml",
             "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n"
             "<|im_start|>user\nV<|im_end|>\n<|im_start|>assistant\n"},
            {"alpaca", "S\n\n### Instruction:\nU\n\n### Response:\nA\n\n### Instruction:\nV\n\n### Response:\n"},
            {"plain", "S\nU\nA\nV\n"}};
        QCOMPARE(usualTemplates().size(), expected.size());
        for (const UsualTemplate& usual : usualTemplates()) {
            QCOMPARE(rendered(usual.source, messages), expected.at(usual.name));
        }
    }

    void knowsWhatEndsAnAnswer_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("token");
        QTest::addColumn<QString>("stop");
        const auto usual = [](const char* name) {
            const auto found = std::ranges::find(usualTemplates(), name, &UsualTemplate::name);
            return QString::fromUtf8(found->source.data(), static_cast<qsizetype>(found->source.size()));
        };
        QTest::newRow("a token") << usual("chatml") << "<|im_end|>" << "";
        QTest::newRow("a text") << usual("alpaca") << "" << "\n### Instruction:";
        QTest::newRow("nothing") << usual("plain") << "" << "";
        QTest::newRow("a space before the token")
            << "{% for m in messages %}{{ m.content + ' <|im_end|>' }}{% endfor %}" << "<|im_end|>" << "";
        QTest::newRow("no token of this model")
            << "{% for m in messages %}{{ m.content + '<|end|>\n<|next|>' }}{% endfor %}" << "" << "<|end|>";
        QTest::newRow("refused") << "{{ raise_exception('no') }}" << "" << "";
        QTest::newRow("answers left out")
            << "{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}" << "" << "";
    }
    void knowsWhatEndsAnAnswer() {
        QFETCH(QString, source);
        QFETCH(QString, token);
        QFETCH(QString, stop);
        const auto model = modelWith({"<|im_start|>", "<|im_end|>"});
        const auto tokenizer = makeTokenizer(*model).value();
        TemplateRenderer renderer;
        const auto format = answerFormatOf(model->metadata, source.toStdString(), renderer);
        QVERIFY(format != nullptr);
        const AnswerEnd end = answerEndOf(*format, *tokenizer);
        QCOMPARE(end.tokens.size(), token.isEmpty() ? std::size_t{0} : std::size_t{1});
        if (!token.isEmpty()) {
            QCOMPARE(std::string(tokenizer->vocabulary().text(end.tokens.front())), token.toStdString());
        }
        QCOMPARE(end.stops, stop.isEmpty() ? std::vector<std::string>() : std::vector{stop.toStdString()});
    }

    void promptsEndWithoutAnEndToken() {
        auto maker = test::makeGpt2();
        const std::uint32_t end = maker.add("</s>", test::kControl);
        auto file = maker.file();
        file.key("tokenizer.ggml.eos_token_id", end).key("tokenizer.ggml.add_eos_token", true);
        const auto tokenizer = makeTokenizer(*gguf::read(file.source()).value()).value();
        QCOMPARE(tokenizer->encode("a")->ids.size(), std::size_t{2});
        QCOMPARE(tokenizer->encode("a", promptEncoding())->ids.size(), std::size_t{1});
        QCOMPARE(tokenizer->encode("a</s>b", promptEncoding())->ids.size(), std::size_t{3});
    }

    void linksToolCalls_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        const auto row = [](const char* name, const char* before, const char* after = nullptr) {
            QTest::newRow(name) << QByteArray(before) << QByteArray(after != nullptr ? after : before);
        };
        row("nothing to link", R"([{"role": "user", "content": "a"}])");
        row("one call",
            R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1.0}}}]},)"
            R"( {"role": "tool", "content": "1"}])",
            R"([{"role": "assistant", "tool_calls": [{"id": "call00001", "function": {"name": "f", "arguments": {"x": )"
            R"(1.0}}}]}, {"tool_call_id": "call00001", "name": "f", "role": "tool", "content": "1"}])");
        row("results in turn; more of them than calls",
            R"([{"role":"assistant","tool_calls":[{"function":{"name":"f"}},{"function":{"name":"g"}}]},)"
            R"({"role":"tool"},{"role":"tool"},{"role":"tool"}])",
            R"([{"role":"assistant","tool_calls":[{"id": "call00001", "function":{"name":"f"}},{"id": "call00002", )"
            R"("function":{"name":"g"}}]},{"tool_call_id": "call00001", "name": "f", "role":"tool"},)"
            R"({"tool_call_id": "call00002", "name": "g", "role":"tool"},{"role":"tool"}])");
        row("what is there stays",
            R"([{"role":"assistant","tool_calls":[{"id":"call00001","function":{"name":"f"}},{"function":{"name":"g"}}]},)"
            R"({"role":"tool","name":"own"},{"role":"tool"}])",
            R"([{"role":"assistant","tool_calls":[{"id":"call00001","function":{"name":"f"}},{"id": "call00002", )"
            R"("function":{"name":"g"}}]},{"tool_call_id": "call00001", "role":"tool","name":"own"},)"
            R"({"tool_call_id": "call00002", "name": "g", "role":"tool"}])");
        row("the second result first",
            R"([{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}]},)"
            R"({"role":"tool","tool_call_id":"b"},{"role":"tool"}])",
            R"([{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}]},)"
            R"({"role":"tool","tool_call_id":"b"},{"tool_call_id": "a", "name": "f", "role":"tool"}])");
        row("a question in between",
            R"([{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]},{"role":"user"},{"role":"tool"}])");
        row("a call of nothing", R"([{"role":"assistant","tool_calls":[{}, {"x":1.0}]},{"role":"tool"}])");
        row("no list", R"({"role":"tool"})");
        row("cut", R"([{"role":"assistant","tool_calls":[{"function")");
        row("calls that are none", R"([{"role":"assistant","tool_calls":[1]}])");
    }
    void linksToolCalls() {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QCOMPARE(QByteArray::fromStdString(linkToolCalls(before.toStdString())), after);
        QCOMPARE(QByteArray::fromStdString(linkToolCalls(after.toStdString())), after);
    }

    // Like Mistral's templates, it refuses calls and results that are not linked.
    void templatesGetLinkedCalls() {
        constexpr std::string_view kSource =
            "{%- for m in messages %}{%- for c in m.tool_calls or [] %}{%- if c.id|length != 9 %}"
            "{{- raise_exception('id') }}{%- endif %}{{- c.id }}{%- endfor %}{%- if m.role == 'tool' %}"
            "{%- if m.tool_call_id is not defined or m.tool_call_id|length != 9 %}{{- raise_exception('tool_call_id') "
            "}}"
            "{%- endif %}{{- '|' + m.tool_call_id + '|' + m.name }}{%- endif %}{%- endfor %}";
        const std::vector<Message> messages{{.role = "user", .content = "?"},
                                            {.role = "assistant",
                                             .toolCalls = R"([{"type": "function", "function": {"name": "f", )"
                                                          R"("arguments": {}}}])"},
                                            {.role = "tool", .content = "1"}};
        QCOMPARE(rendered(kSource, messages), std::string("call00001|call00001|f"));
    }

    void findsTheVariableOfThinking_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("variable");
        const auto row = [](const char* source, const char* variable) {
            QTest::newRow(source) << QByteArray(source) << QByteArray(variable);
        };
        row("{%- if enable_thinking is defined and enable_thinking is false %}", "enable_thinking");
        row("{% if not thinking is defined %}{% set thinking = false %}{% endif %}", "thinking");
        row("{%- if thinking %}a{% endif %}", "thinking");
        row("{{ message.thinking is defined }}", "");
        row("{{ '<thinking> is ' }}{% if my_thinking %}{% endif %}{% if thinking_budget %}{% endif %}", "");
        row("thinking", "");
        row("", "");
    }
    void findsTheVariableOfThinking() {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, variable);
        QCOMPARE(std::string(thinkingVariable(source.toStdString())), variable.toStdString());
    }

    void findsTools_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<bool>("names");
        QTest::newRow("a condition") << "{%- if tools %}x{% endif %}" << true;
        QTest::newRow("an output") << "a {{ tools | tojson }} b" << true;
        QTest::newRow("after other tags") << "{{ a }}{% b %}{%if not tools%}" << true;
        QTest::newRow("an open tag") << "{{ tools" << true;
        QTest::newRow("text only") << "You have no tools. { tools }" << false;
        QTest::newRow("a comment") << "{# tools #}" << false;
        QTest::newRow("part of a name") << "{{ my_tools + tools_in_user_message + toolset }}" << false;
        QTest::newRow("empty") << "" << false;
    }
    void findsTools() {
        QFETCH(QString, source);
        QFETCH(bool, names);
        QCOMPARE(namesTools(source.toStdString()), names);
    }

    void choosesATemplate() {
        const std::vector<ChatTemplate> both{{.name = "default", .key = {}, .source = "a"},
                                             {.name = "tool_use", .key = {}, .source = "b"}};
        QCOMPARE(chosenTemplate(both, false), &both[0]);
        QCOMPARE(chosenTemplate(both, true), &both[1]);
        QCOMPARE(chosenTemplate(std::span(both).first(1), true), &both[0]);
        QVERIFY(chosenTemplate({}, true) == nullptr);
    }

    void takesAnswersApart_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<QString>("message"); // reasoning|content|calls
        const auto row = [](const char* name, const char* prompt, const char* answer, const char* message) {
            QTest::newRow(name) << QString::fromUtf8(prompt) << QString::fromUtf8(answer) << QString::fromUtf8(message);
        };
        const char* const call = R"([{"type": "function", "function": {"name": "f", "arguments": {"x":1.0}}}])";
        const auto withCall = [&](const std::string& before, const char* id = "") {
            const QString begin = *id == '\0' ? QString() : QStringLiteral("\"id\": \"%1\", ").arg(QLatin1String(id));
            return QString::fromStdString(before + "|") + QString::fromUtf8(call).insert(2, begin);
        };
        row("plain", "", " Hello there. ", "|Hello there.|");
        row("a thought", "", "<think>\nhm < 3\n</think>\n\nYes.", "hm < 3|Yes.|");
        row("opened by the template", "<|assistant|><think>\n", "hm</think>Yes.", "hm|Yes.|");
        row("closed by the template", "<think>\n\n</think>\n\n", "Yes.", "|Yes.|");
        row("not closed", "", "<think>hm </thin", "hm </thin||");
        row("a tag later on", "", "Write <think> first.", "|Write <think> first.|");
        row("Magistral", "", "[THINK]hm[/THINK]Yes.", "hm|Yes.|");
        row("Kimi", "", "◁think▷hm◁/think▷Yes.", "hm|Yes.|");
        row("almost a tag", "", "<thinner", "|<thinner|");
        row("begins like a tag", "", "<th", "|<th|");
        row("no call", "", "<tool_call>nothing</tool_call> it is", "|<tool_call>nothing</tool_call> it is|");
        row("a call cut off", "", "<tool_call>{\"name\":", "|<tool_call>{\"name\":|");
        row("a call without arguments", "", R"([TOOL_CALLS][{"name":"f"}])", R"(|[TOOL_CALLS][{"name":"f"}]|)");
        QTest::newRow("Hermes") << QString() << R"(Let me see. <tool_call>
{"name": "f", "arguments": {"x": 1.0}}
</tool_call>)" << withCall("|Let me see.");
        QTest::newRow("after a thought")
            << QString() << R"(<think>t</think><tool_call>{"arguments": {"x": 1.0}, "name": "f"}</tool_call>)"
            << withCall("t|");
        QTest::newRow("Mistral") << QString() << R"([TOOL_CALLS] [{"name": "f", "arguments": {"x": 1.0}, "id": "9"}])"
                                 << withCall("|", "9");
        QTest::newRow("Mistral, newer") << QString() << R"([TOOL_CALLS]f[CALL_ID]12[ARGS]{"x": 1.0})"
                                        << withCall("|", "12");
        QTest::newRow("Mistral, newer, without an identifier")
            << QString() << R"([TOOL_CALLS]f[ARGS]{"x": 1.0})" << withCall("|");
        QTest::newRow("Llama 3") << QString() << R"(<|python_tag|>{"name": "f", "parameters": {"x": 1.0}})"
                                 << withCall("|");
        QTest::newRow("Phi 4") << QString() << R"(<|tool_call|>[{"name": "f", "arguments": {"x": 1.0}}]<|/tool_call|>)"
                               << withCall("|");
        const char* const turn = "<|start|>assistant";
        row("gpt-oss", turn, "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
            "hm|Yes.|");
        row("gpt-oss, final only", turn, "<|channel|>final<|message|>Yes.", "|Yes.|");
        row("gpt-oss, cut off", turn, "<|channel|>analysis<|message|>hm<", "hm<||");
        row("gpt-oss, a header cut off", turn, "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|chan",
            "hm||");
        row("gpt-oss, text before a call", turn,
            "<|channel|>commentary<|message|>One moment.<|end|><|start|>assistant<|channel|>final<|message|> Yes.",
            "|One moment. Yes.|");
        row("an end in the text of others", "", "Write <|end|> first.", "|Write <|end|> first.|");
        QTest::newRow("gpt-oss, a call")
            << QString(turn)
            << R"(<|channel|>analysis<|message|>t<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"x": 1.0})"
            << withCall("t|");
        QTest::newRow("gpt-oss, a call with the recipient first")
            << QString(turn) << R"(<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"x": 1.0})"
            << withCall("|");
        QTest::newRow("nothing but a call")
            << QString() << R"({"name": "f", "parameters": {"x": 1.0}})" << withCall("|");
    }
    // The result does not depend on how the text is divided into pieces.
    void takesAnswersApart() {
        QFETCH(QString, prompt);
        QFETCH(QString, answer);
        QFETCH(QString, message);
        const std::string text = answer.toStdString();
        for (std::size_t length = 1; length <= text.size(); ++length) {
            AnswerParser parser(prompt.toStdString(), true);
            std::map<AnswerPiece::Part, std::string> reported;
            const auto take = [&](const std::vector<AnswerPiece>& pieces) {
                for (const AnswerPiece& piece : pieces) {
                    reported[piece.part] += piece.text;
                }
            };
            for (std::size_t at = 0; at < text.size(); at += length) {
                take(parser.push(text.substr(at, length)));
            }
            take(parser.finish());
            QCOMPARE(QString::fromStdString(describe(parser.message())), message);
            // The reported pieces equal the parts of the message.
            QCOMPARE(QString::fromStdString(reported[AnswerPiece::Part::Thought]).trimmed(),
                     message.section('|', 0, 0));
        }
    }

    void tellsThoughtsAsTheyCome() {
        AnswerParser parser;
        using Part = AnswerPiece::Part;
        QVERIFY(parser.push("<thi").empty());
        QVERIFY(!parser.isThinking());
        QCOMPARE(parser.push("nk>a").size(), std::size_t{1});
        QVERIFY(parser.isThinking());
        QVERIFY((parser.push("b</") == std::vector<AnswerPiece>{{Part::Thought, "b"}}));
        QVERIFY((parser.push("think> c") == std::vector<AnswerPiece>{{Part::Text, "c"}}));
        QVERIFY(!parser.isThinking());
    }

    void aCallWithoutToolsIsText() {
        AnswerParser parser;
        const std::string text = R"({"name": "f", "parameters": {}})";
        (void)parser.push(text);
        parser.finish();
        QCOMPARE(parser.message().content, text);
    }

    void findsMarkersThatAreControlTokens() {
        const auto tokenizer = makeTokenizer(*modelWith({"[THINK]", "[/THINK]", "<s>"})).value();
        const auto markers = answerMarkers(*usualAnswerFormat(), *tokenizer);
        QCOMPARE(markers.size(), std::size_t{2});
        QCOMPARE(std::string(tokenizer->vocabulary().text(markers[0])), std::string("[THINK]"));
    }
};

GUFO_TEST(TestConversation)
#include "tst_conversation.moc"
