// Tests the messages to and from servers without a network: events, replies, requests, addresses, and whether a server
// runs the model of the open file.
#include "base/detail.h"
#include "base/json_value.h"
#include "inference/interface/server_facts.h"
#include "inference/remote/server_connection.h"
#include "inference/remote/server_replies.h"
#include "inference/remote/server_requests.h"
#include "inference/remote/sse_parser.h"
#include "support/run_models.h"
#include "support/test_unit.h"

#include <cmath>
#include <limits>

using namespace gufo;
using namespace gufo::inference;

namespace {

// The events of a stream that arrives in pieces of `size` bytes.
std::vector<std::string> eventsOf(std::string_view stream, std::size_t size) {
    SseParser parser;
    std::vector<std::string> all;
    for (std::size_t at = 0; at < stream.size(); at += size) {
        auto events = parser.push(stream.substr(at, size));
        if (!events) {
            return {"an error"};
        }
        for (SseEvent& event : *events) {
            all.push_back(std::move(event.data));
        }
    }
    return all;
}

JsonValue parsed(const std::string& text) {
    auto value = readJson(text);
    return value ? std::move(*value) : JsonValue();
}

} // namespace

class TestServerProtocol : public QObject {
    Q_OBJECT

private slots:
    void events_data() {
        QTest::addColumn<QByteArray>("stream");
        QTest::addColumn<QStringList>("data");
        const auto row = [](const char* name, const QByteArray& stream, const QStringList& data) {
            QTest::newRow(name) << stream << data;
        };
        row("usual", "data: {\"a\":1}\n\ndata: [DONE]\n\n", {"{\"a\":1}", "[DONE]"});
        row("CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", {"a", "b"});
        row("CR", "data: a\r\rdata: b\r\r", {"a", "b"});
        row("mixed line ends", "data: a\r\ndata: b\n\rdata: c\r\n\n", {"a\nb", "c"});
        row("comments", ": ping\n\n:\ndata: a\n: in between\n\n", {"a"});
        row("several lines", "data: a\ndata:\ndata: b\n\n", {"a\n\nb"});
        row("one space is dropped", "data:  a\n\ndata:b\n\n", {" a", "b"});
        row("other fields", "event: x\nid: 1\nretry: 10\ndata: a\n\nevent: y\n\n", {"a"});
        row("no colon", "data\n\ndatabase: a\n\ndata: b\n\n", {"", "b"});
        row("byte order mark",
            "\xEF\xBB\xBF"
            "data: a\n\n\xEF\xBB\xBF"
            "data: b\n\n",
            {"a"}); // only at the beginning of the stream
        row("characters", "data: é€😀\n\n", {"é€😀"});
        row("cut event", "data: a\n\ndata: b\n", {"a"});
        row("nothing", "", {});
        row("blank lines only", "\n\r\n\r\r\n", {});
    }
    void events() {
        QFETCH(QByteArray, stream);
        QFETCH(QStringList, data);
        for (std::size_t size = 1; size <= static_cast<std::size_t>(stream.size()) + 1; ++size) {
            const auto found = eventsOf(std::string_view(stream.data(), static_cast<std::size_t>(stream.size())), size);
            QStringList texts;
            for (const std::string& event : found) {
                texts << QString::fromStdString(event);
            }
            QCOMPARE(texts, data);
        }
    }
    // The end of a stream completes its last event.
    void namesAndEnds() {
        SseParser parser;
        const auto first = parser.push("event: error\nid: 1\ndata: a\n\nevent: b\n\ndata: c\nevent: d");
        QVERIFY(first && *first == std::vector<SseEvent>({{.name = "error", .data = "a"}}));
        QCOMPARE(parser.finish(), std::vector<SseEvent>({{.name = "d", .data = "c"}}));
        QVERIFY(parser.finish().empty());
        QVERIFY(SseParser().finish().empty());
    }
    void endlessEvent() {
        SseParser parser;
        const std::string piece(1U << 20U, 'x');
        Result<std::vector<SseEvent>> pushed;
        std::size_t sent = 0;
        do {
            pushed = parser.push(piece);
            sent += piece.size();
        } while (pushed && sent < 2 * SseParser::kMaxEventBytes);
        QVERIFY(!pushed);
        QCOMPARE(pushed.error().code, ErrorCode::ReplyUnusable);
        QVERIFY(sent <= SseParser::kMaxEventBytes + piece.size());
        SseParser lines; // an event of very many lines is as long
        for (sent = 0, pushed = {}; pushed && sent < 2 * SseParser::kMaxEventBytes; sent += piece.size()) {
            pushed = lines.push("data:" + piece + "\n");
        }
        QVERIFY(!pushed);
    }

    void completionEvent() {
        // As llama-server 0.7.0 sent it.
        const auto chunk = readCompletionEvent(
            R"({"index":0,"content":"im","tokens":[412],"stop":false,"id_slot":-1,"tokens_predicted":2,
            "tokens_evaluated":3,"timings":{"cache_n":1,"prompt_n":2,"prompt_ms":1.5,"predicted_n":2,"predicted_ms":0.5},
            "completion_probabilities":[{"id":412,"token":"im","bytes":[105,109],"logprob":-0.79,"top_logprobs":[
            {"id":313,"token":" was","bytes":[32,119,97,115],"logprob":-2.0},{"id":412,"token":"im","bytes":[105,109],"logprob":-0.79}]}]})");
        QVERIFY(chunk.has_value());
        QCOMPARE(chunk->content, std::string("im"));
        QCOMPARE(chunk->ids, std::vector{TokenId(412)});
        QCOMPARE(chunk->generated, std::optional<std::uint64_t>(2));
        QCOMPARE(chunk->timings->cachedTokens, std::uint64_t{1});
        QCOMPARE(chunk->timings->promptSeconds, 0.0015);
        QVERIFY(!chunk->end && !chunk->progress);
        const ReplyToken& token = chunk->tokens.at(0);
        QCOMPARE(token.logProbability, std::optional(-0.79));
        QVERIFY(!token.afterSamplers);
        QCOMPARE(token.candidates.size(), std::size_t{2}); // the most probable first
        QCOMPARE(token.candidates[0].id, std::optional(TokenId(412)));
        QVERIFY(std::abs(token.candidates[1].probability - std::exp(-2.0)) < 1e-12);
    }
    void afterSamplers() {
        const auto chunk = readCompletionEvent(
            R"({"content":"us","tokens":[371],"completion_probabilities":[{"id":371,"token":"us","bytes":[117,115],"prob":0.25,
            "top_probs":[{"id":412,"token":"im","bytes":[105,109],"prob":0.75},{"id":371,"prob":0.25},{"id":9,"prob":7}]}]})");
        QVERIFY(chunk && chunk->tokens.size() == 1);
        QVERIFY(chunk->tokens[0].afterSamplers);
        QCOMPARE(chunk->tokens[0].logProbability, std::optional(std::log(0.25)));
        QCOMPARE(chunk->tokens[0].candidates.size(), std::size_t{2}); // 7 is no probability
    }
    void progressAndEnd() {
        const auto progress = readCompletionEvent(
            R"({"content":"","tokens":[0],"stop":false,"prompt_progress":{"total":30,"cache":0,"processed":12,"time_ms":4}})");
        QVERIFY(progress && progress->progress && progress->ids.empty());
        QCOMPARE(progress->progress->done, std::uint64_t{12});
        const auto end = [](const char* members) {
            const auto chunk = readCompletionEvent(std::string(R"({"content":"","stop":true,)") + members + "}");
            return chunk ? chunk->end : std::nullopt;
        };
        QCOMPARE(end(R"("stop_type":"eos")"), std::optional(StopReason::EndToken));
        QCOMPARE(end(R"("stop_type":"word")"), std::optional(StopReason::StopText));
        QCOMPARE(end(R"("stop_type":"limit","truncated":false)"), std::optional(StopReason::MaxTokens));
        QCOMPARE(end(R"("stop_type":"limit","truncated":true)"), std::optional(StopReason::ContextFull));
    }

    void hostileReplies_data() {
        QTest::addColumn<QByteArray>("json");
        const QByteArray deep = QByteArray(5000, '[') + QByteArray(5000, ']');
        for (const QByteArray& json :
             {QByteArray(), QByteArray("["), QByteArray("7"), QByteArray("null"), QByteArray("\"text\""),
              QByteArray("{\"content\":"), QByteArray("{\"content\":\"\xC3\"}"), QByteArray("{} {}"), deep,
              QByteArray("{\"a\":") + deep + "}"}) {
            QTest::newRow(json.left(20).constData()) << json;
        }
    }
    void hostileReplies() {
        QFETCH(QByteArray, json);
        const std::string text = json.toStdString();
        const auto refused = [](const auto& result) {
            return !result && result.error().code == ErrorCode::ReplyUnusable &&
                   result.error().args == Arguments{Detail::ReplyNotJson};
        };
        QVERIFY(refused(readCompletionEvent(text)));
        QVERIFY(refused(readChatEvent(text)));
        QVERIFY(refused(readTokenizeReply(text)));
        QVERIFY(refused(readTemplateReply(text)));
        ServerFacts facts;
        QVERIFY(refused(readProps(text, facts)));
        QVERIFY(refused(readModelList(text, facts)));
        QCOMPARE(serverError(500, text).args.front(), Argument(500));
    }
    void hostileValues() {
        QVERIFY(!readCompletionEvent(R"({"content":7})"));
        QVERIFY(!readCompletionEvent(R"({"content":"a","tokens":[-1]})"));
        QVERIFY(!readCompletionEvent(R"({"content":"a","tokens":[4294967296]})"));
        QVERIFY(!readCompletionEvent(R"({"content":"a","tokens":["1"]})"));
        QVERIFY(!readTokenizeReply(R"({"tokens":[1,2.5]})"));
        QVERIFY(!readTokenizeReply(R"({"tokens":{}})"));
        QVERIFY(!readTokenizeReply(R"({"token":[1]})"));
        for (const char* none :
             {R"({"choices":"none"})", R"({"choices":null})", R"({"choices":[{"index":1}]})", "{}"}) {
            const auto chunk = readChatEvent(none); // of nothing that the answer consists of
            QVERIFY(chunk && chunk->content.empty() && !chunk->end);
        }
        const auto odd = readCompletionEvent(
            R"({"content":"a","tokens_predicted":-3,"timings":{"prompt_ms":-1,"predicted_ms":1e300,"predicted_n":1e40},
            "prompt_progress":7,"completion_probabilities":[3,{"id":-1,"bytes":[300],"token":"x","logprob":5,"top_logprobs":[1]}]})");
        QVERIFY(odd.has_value());
        QVERIFY(!odd->generated && !odd->progress);
        QCOMPARE(odd->timings->promptSeconds, 0.0);
        QCOMPARE(odd->timings->tokens, std::uint64_t{0});
        QCOMPARE(odd->tokens.size(), std::size_t{1});
        QCOMPARE(odd->tokens[0].text, std::string("x"));
        QVERIFY(!odd->tokens[0].id && !odd->tokens[0].logProbability && odd->tokens[0].candidates.empty());
        const auto empty = readChatEvent(R"({"choices":[7]})");
        QVERIFY(empty && empty->content.empty() && !empty->end);
    }

    void chatEvent() {
        const auto chunk = readChatEvent(
            R"({"choices":[{"finish_reason":null,"index":0,"delta":{"content":"H"},"logprobs":{"content":[
            {"token":"H","bytes":[72],"logprob":-0.027,"top_logprobs":[{"token":"H","bytes":[72],"logprob":-0.027}]}]}}]})");
        QVERIFY(chunk && chunk->tokens.size() == 1 && !chunk->tokens[0].id);
        QCOMPARE(chunk->content, std::string("H"));
        const auto thought = readChatEvent(R"({"choices":[{"delta":{"reasoning_content":"hm","content":null}}]})");
        QCOMPARE(thought->reasoning, std::string("hm"));
        const auto call = readChatEvent(
            R"({"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"name":"f","arguments":"{}"}}]}}]})");
        QCOMPARE(call->calls.at(0).index, std::optional<std::uint64_t>(1));
        QCOMPARE(call->calls.at(0).arguments, std::string("{}"));
        const auto end = readChatEvent(R"({"choices":[{"delta":{},"finish_reason":"tool_calls"}]})");
        QVERIFY(end->callsTools && end->end == StopReason::EndToken);
        const auto usage = readChatEvent(R"({"choices":[],"usage":{"completion_tokens":2,"prompt_tokens":5}})");
        QCOMPARE(usage->promptTokens, std::optional<std::uint64_t>(5));
    }

    void errors() {
        const Error tooLong =
            serverError(400, R"({"error":{"code":400,"message":"…","n_prompt_tokens":798,"n_ctx":512}})");
        QCOMPARE(tooLong.code, ErrorCode::LimitExceeded);
        QCOMPARE(tooLong.args, (Arguments{Detail::ContextTokens, 798, 512}));
        const Error key = serverError(401, R"({"error":{"message":"Invalid API Key","code":401}})");
        QCOMPARE(key.code, ErrorCode::HttpStatus);
        QCOMPARE(key.args, (Arguments{401, std::string("Invalid API Key")}));
        QCOMPARE(serverError(0, R"({"error":{"message":"m","code":500}})").args, (Arguments{500, std::string("m")}));
        QCOMPARE(serverError(404, R"({"error":"no such model"})").args, (Arguments{404, std::string("no such model")}));
        const std::string words = serverError(500, "{\"message\":\"" + std::string(4000, 'x') + "é\"}").args[1].text();
        QVERIFY(words.size() <= 300);
        QCOMPARE(serverError(502, "<html>").args, (Arguments{502, std::string()}));
    }

    void completionRequest() {
        const std::vector ids{TokenId(1), TokenId(5)};
        GenerationSettings settings{.maxTokens = 0, .stops = {"\n", "é\""}, .candidates = 8};
        settings.sampler = {.temperature = -1, .topK = 12, .seed = 0x1'0000'0007, .ignoreEnd = true};
        settings.sampler.bias = {{TokenId(3), -std::numeric_limits<double>::infinity()}, {TokenId(4), 1.5}};
        const std::vector<std::string> written{"<think>"};
        const JsonValue body = parsed(completionBody({.prompt = ids,
                                                      .settings = &settings,
                                                      .grammar = "root ::= \"a\"",
                                                      .written = written,
                                                      .afterSamplers = true}));
        const auto text = [&](const char* name) { return writeJson(*body.find(name)); };
        QCOMPARE(text("prompt"), std::string("[1,5]"));
        QCOMPARE(text("stop"), std::string("[\"\\n\",\"é\\\"\"]"));
        QCOMPARE(text("n_predict"), std::string("-1"));
        QCOMPARE(text("n_probs"), std::string("8"));
        QCOMPARE(text("post_sampling_probs"), std::string("true"));
        QCOMPARE(text("cache_prompt"), std::string("true"));
        QCOMPARE(text("temperature"), std::string("0"));
        QCOMPARE(text("top_k"), std::string("12"));
        QCOMPARE(text("seed"), std::string("7"));
        QCOMPARE(text("ignore_eos"), std::string("true"));
        QCOMPARE(text("logit_bias"), std::string("[[3,false],[4,1.5]]"));
        QCOMPARE(text("grammar"), quotedJson("root ::= \"a\""));
        QCOMPARE(text("preserved_tokens"), std::string(R"(["<think>"])"));
        QCOMPARE(text("top_n_sigma"), std::string("-1"));    // off; 0 would keep only the most probable token
        QVERIFY(body.find("dry_penalty_last_n") == nullptr); // the context is not known
        settings.maxTokens = 9;
        const JsonValue other = parsed(completionBody({.prompt = ids, .settings = &settings, .context = 512}));
        QCOMPARE(other.find("dry_penalty_last_n")->whole(),
                 std::optional<std::int64_t>(512)); // newer servers refuse -1
        QCOMPARE(other.find("n_predict")->whole(), std::optional<std::int64_t>(9));
        QVERIFY(other.find("grammar") == nullptr && other.find("preserved_tokens") == nullptr);
        const JsonValue score = parsed(scoreBody(ids, TokenId(6), 0));
        QCOMPARE(writeJson(*score.find("logit_bias")), std::string("[[6,1e+06]]"));
        QCOMPARE(score.find("n_predict")->whole(), std::optional<std::int64_t>(1));
        QCOMPARE(score.find("n_probs")->whole(), std::optional<std::int64_t>(1)); // 0 would switch them off
        QCOMPARE(parsed(scoreBody(ids, TokenId(6), 20)).find("n_probs")->whole(), std::optional<std::int64_t>(20));
    }
    void chatRequest() {
        ChatPrompt chat{.messages = {{.role = "user", .content = "Hi"},
                                     {.role = "assistant", .content = "Yes", .reasoning = "secret"},
                                     {.role = "user", .content = "So?"}}};
        GenerationSettings settings{.maxTokens = 5, .candidates = 30};
        const JsonValue body = parsed(chatBody(chat, settings, "m\"1"));
        QCOMPARE(body.find("model")->text, std::string("m\"1"));
        QCOMPARE(body.find("messages")->elements.size(), std::size_t{3});
        QVERIFY(!writeJson(body).contains("secret"));
        QCOMPARE(body.find("top_logprobs")->whole(), std::optional<std::int64_t>(20));
        QCOMPARE(body.find("max_tokens")->whole(), std::optional<std::int64_t>(5));
        QVERIFY(body.find("top_k") == nullptr && body.find("stop") == nullptr);
        chat.options.tools = R"([{"type":"function","function":{"name":"f"}}])";
        settings.maxTokens = 0;
        const JsonValue tools = parsed(chatBody(chat, settings, "m"));
        QVERIFY(tools.find("tools") != nullptr && tools.find("logprobs") == nullptr);
        QVERIFY(tools.find("max_tokens") == nullptr);
        chat.options.variables = {{"enable_thinking", "false"}};
        const JsonValue apply = parsed(applyTemplateBody(chat));
        QCOMPARE(writeJson(*apply.find("chat_template_kwargs")), std::string(R"({"enable_thinking":false})"));
        QVERIFY(writeJson(apply).contains("secret")); // the server's template decides
        QCOMPARE(tokenizeBody("a\n", false),
                 std::string(R"({"content":"a\n","add_special":false,"parse_special":true})"));
    }

    void addresses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("address");
        QTest::newRow("plain") << QByteArray("http://h:1") << QByteArray("http://h:1");
        QTest::newRow("v1") << QByteArray(" https://h/api/v1/ \n") << QByteArray("https://h/api");
        QTest::newRow("here") << QByteArray("127.0.0.1:8080") << QByteArray("http://127.0.0.1:8080");
        QTest::newRow("localhost") << QByteArray("localhost:8080/v1") << QByteArray("http://localhost:8080");
        QTest::newRow("IPv6") << QByteArray("[::1]:8080") << QByteArray("http://[::1]:8080");
        QTest::newRow("elsewhere") << QByteArray("example.org") << QByteArray("https://example.org");
        QTest::newRow("nothing") << QByteArray("  ") << QByteArray("");
    }
    void addresses() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, address);
        QCOMPARE(QByteArray::fromStdString(serverAddress(text.toStdString())), address);
    }

    void matches() {
        const auto model = test::tinyRunnable();
        const Model::Totals totals = model->totals();
        ServerFacts facts;
        QCOMPARE(matchOf(facts, *model).model(), Agreement::Unknown);
        QVERIFY(readModelList(R"({"data":[{"id":"a","meta":{"n_vocab":)" +
                                  std::to_string(model->metadata.array("tokenizer.ggml.tokens")->length) +
                                  R"(,"n_params":)" + std::to_string(totals.weights) + R"(,"size":)" +
                                  std::to_string(totals.tensorBytes) + R"(,"n_ctx_train":512}}]})",
                              facts));
        QCOMPARE(facts.models, std::vector<std::string>{"a"});
        QCOMPARE(matchOf(facts, *model).model(), Agreement::Same);
        QVERIFY(readProps(
            R"({"default_generation_settings":{"n_ctx":99999999999},"total_slots":4,"model_path":"C:\\m\\x.gguf",
                          "chat_template":"other","modalities":{"vision":true},"build_info":"b1"})",
            facts));
        QCOMPARE(facts.dialect, ServerDialect::LlamaServer);
        QCOMPARE(facts.context, std::numeric_limits<std::uint32_t>::max());
        QVERIFY(facts.vision && !facts.audio);
        const ServerMatch match = matchOf(facts, *model);
        QCOMPARE(match.chatTemplate, Agreement::Different);
        QCOMPARE(match.path, Agreement::Different);
        QCOMPARE(match.model(), Agreement::Same); // another name on another machine
        facts.tensorBytes += 32;                  // another quantisation
        QCOMPARE(matchOf(facts, *model).model(), Agreement::Different);
        ServerFacts several;
        QVERIFY(readModelList(R"({"data":[{"id":"a","meta":{"size":1}},{"id":"b"},{"name":"no id"}]})", several));
        QCOMPARE(several.models.size(), std::size_t{2});
        QCOMPARE(several.tensorBytes, std::uint64_t{0}); // which of them runs is not known
    }
};

GUFO_TEST_APPLESS(TestServerProtocol)
#include "tst_server_protocol.moc"
