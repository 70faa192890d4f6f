// Servers with OpenAI's interface that deviate from it, as people have met them: odd events, other forms of content,
// calls and errors, one object instead of a stream, redirects, and servers that are busy.
#include "base/detail.h"
#include "inference/engine_table.h"
#include "inference/remote/json_repair.h"
#include "support/http_double.h"
#include "support/run_models.h"
#include "support/test_unit.h"
#include "text/conversation/answer_parser.h"

#include <QTest>

#include <thread>

using namespace gufo;
using namespace gufo::inference;
using test::HttpDouble;
using test::HttpPeer;
using test::HttpRequest;

namespace {

// The reply of a server to a request for an answer.
struct Mode {
    std::string body{};
    int status = 200;
    std::string type = "text/event-stream";
    std::string headers{};
    std::size_t pieceBytes = 4096; // of the body that are sent together
    bool drops = false;            // the connection breaks instead of the body's end
};

std::string sse(const std::string& json) { return "data: " + json + "\n\n"; }
std::string choice(const std::string& members) { return sse(R"({"id":"x","choices":[{"index":0,)" + members + "}]}"); }
std::string delta(const std::string& members, const std::string& finish = "null") {
    return choice(R"("delta":{)" + members + R"(},"finish_reason":)" + finish);
}
std::string says(const std::string& text) { return delta(R"("content":")" + text + '"'); }
const std::string kStop = delta("", R"("stop")");
const std::string kDone = "data: [DONE]\n\n";
const std::string kEnd = kStop + kDone;

void send(HttpPeer& peer, const Mode& mode) {
    const std::string head =
        "HTTP/1.1 " + std::to_string(mode.status) + " Word\r\nContent-Type: " + mode.type + "\r\n" + mode.headers;
    if (mode.type != "text/event-stream") {
        peer.send(head + "Content-Length: " + std::to_string(mode.body.size()) + "\r\n\r\n" + mode.body);
        return;
    }
    peer.send(head + "Transfer-Encoding: chunked\r\n\r\n");
    for (std::size_t at = 0; at < mode.body.size(); at += mode.pieceBytes) {
        const std::string piece = mode.body.substr(at, mode.pieceBytes);
        peer.send(QByteArray::number(static_cast<qulonglong>(piece.size()), 16).toStdString() + "\r\n" + piece +
                  "\r\n");
    }
    if (mode.drops) {
        peer.close();
    } else {
        peer.send("0\r\n\r\n");
    }
}

// Answers like a server that has only OpenAI's interface; `answer` handles requests with a body.
HttpDouble::Handler serving(std::function<void(const HttpRequest&, HttpPeer&)> answer) {
    return [answer = std::move(answer)](const HttpRequest& request, HttpPeer& peer) {
        if (request.method == "POST") {
            answer(request, peer);
        } else if (request.path == "/v1/models") {
            send(peer,
                 {.body = R"({"object":"list","data":[{"id":"m1","object":"model"}]})", .type = "application/json"});
        } else {
            send(peer, {.body = R"({"error":{"message":"not found"}})", .status = 404, .type = "application/json"});
        }
    };
}
HttpDouble::Handler serving(const Mode& mode) {
    return serving([mode](const HttpRequest&, HttpPeer& peer) { send(peer, mode); });
}

struct Answered {
    Result<Response> response = Response{};
    std::string text{}; // with what was held back
};

} // namespace

class TestServerModes : public QObject {
    Q_OBJECT

    std::shared_ptr<const Model> m_model = test::tinyRunnable();

    Answered ask(const HttpDouble& server, std::variant<std::string, ChatPrompt> prompt, const JobContext& job = {},
                 std::size_t candidates = 0, std::vector<ResponsePiece>* pieces = nullptr) {
        const auto responder = remoteEngine()->open(m_model, {.server = {.address = server.url("")}}, job);
        if (!responder) {
            return {.response = std::unexpected(responder.error())};
        }
        Answered answered;
        ResponseListener listener;
        listener.piece = [&](ResponsePiece piece, const ResponseFigures&) {
            answered.text += piece.shown;
            if (pieces != nullptr) {
                pieces->push_back(std::move(piece));
            }
            return true;
        };
        answered.response =
            (*responder)->respond({.prompt = std::move(prompt), .settings = {.candidates = candidates}}, listener, job);
        answered.text += answered.response ? answered.response->rest : std::string();
        return answered;
    }
    static ChatPrompt chat() { return {.messages = {{.role = "user", .content = "Hi"}}}; }

private slots:
    void answers_data();
    void answers();
    void calls_data();
    void calls();
    void refusals_data();
    void refusals();
    void droppedConnection();
    void redirects_data();
    void redirects();
    void waitsForABusyServer_data();
    void waitsForABusyServer();
    void doesNotWaitAfterAStop();
    void completes_data();
    void completes();
    void completesWithProbabilities();
    void onlyChats();
    void mendsJson_data();
    void mendsJson();
};

void TestServerModes::answers_data() {
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("reason");
    QTest::addColumn<int>("skipped");
    const auto row = [](const char* name, const Mode& mode, const QByteArray& text,
                        StopReason reason = StopReason::EndToken, int skipped = 0) {
        QTest::newRow(name) << mode << text << static_cast<int>(reason) << skipped;
    };
    const std::string hello = says("Hello") + kEnd;
    const auto between = [](const std::string& odd) { return says("Hel") + odd + says("lo") + kEnd; };
    row("usual", {delta(R"("role":"assistant")") + says("Hel") + says("lo") + kEnd}, "Hello");
    row("comments", {": ping\n\n:\n\n:\n" + between(": keep-alive\n\n\n\n\n: x\n")}, "Hello");
    row("CR LF and CR",
        {"event: message\r\nid: 1\r\nretry: 10\r\n" +
         QByteArray::fromStdString(between("")).replace("\n", "\r\n").toStdString()},
        "Hello");
    row("single bytes",
        {.body = says("a\xE4\xB8\xAD\xF0\x9F\x98\x80"
                      "b") +
                 kEnd,
         .pieceBytes = 1},
        "a\xE4\xB8\xAD\xF0\x9F\x98\x80"
        "b");
    row("several data lines",
        {"data: {\"id\":\"x\",\ndata: \"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n" + kEnd}, "Hello");
    row("byte order mark", {"\xEF\xBB\xBF" + hello}, "Hello");
    row("usage at the end",
        {says("Hello") + kStop + sse(R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1}})") + kDone},
        "Hello");
    row("filter results first",
        {sse(R"({"id":"","choices":[],"prompt_filter_results":[{"prompt_index":0}]})") +
         sse(R"({"id":"x","choices":null})") + hello},
        "Hello");
    row("no choices", {says("Hello") + kStop + sse(R"({"id":"x","usage":{"prompt_tokens":1}})") + kDone}, "Hello");
    row("choices null", {says("Hello") + kStop + sse(R"({"choices":null,"usage":{"prompt_tokens":1}})") + kDone},
        "Hello");
    row("no [DONE]", {says("Hello") + kStop}, "Hello");
    row("no reason", {says("Hello") + kDone}, "Hello");
    row("no empty line after the last event", {says("Hello") + kStop.substr(0, kStop.size() - 2)}, "Hello");
    row("no line end after [DONE]", {says("Hello") + "data: [DONE]"}, "Hello");
    row("no delta", {says("Hello") + choice(R"("finish_reason":"stop")") + kDone}, "Hello");
    row("delta null", {says("Hello") + choice(R"("delta":null,"finish_reason":"stop")") + kDone}, "Hello");
    row("error null", {sse(R"({"error":null,"choices":[{"delta":{"content":"Hello"}}]})") + kEnd}, "Hello");
    row("empty data", {"data: \n\ndata:\n\n" + between("data:\n\n")}, "Hello");
    row("ping", {between("event: ping\ndata: {}\n\n")}, "Hello");
    row("ping with a type", {between("event: ping\ndata: {\"type\": \"ping\"}\n\n")}, "Hello");
    row("a comment as data", {"data: : OPENROUTER PROCESSING\n\n" + hello}, "Hello");
    row("no JSON", {between("data: not json\n\n")}, "Hello", StopReason::EndToken, 1);
    row("cut JSON", {between("data: {\"choices\":[{\"delta\n\n")}, "Hello", StopReason::EndToken, 1);
    row("NaN", {choice(R"("delta":{"content":"Hello"},"logprobs":NaN,"finish_reason":"stop")") + kDone}, "Hello");
    row("infinite", {choice(R"("delta":{"content":"NaN -Infinity"},"x":-Infinity,"finish_reason":"stop")") + kDone},
        "NaN -Infinity");
    row("half a character", {says("Hi \\ud83d") + says("\\ude00!") + kEnd}, "Hi \xF0\x9F\x98\x80!");
    row("a half that stays alone", {says("a\\ud83d b\\ude00") + kEnd}, "a\xEF\xBF\xBD b\xEF\xBF\xBD");
    row("both halves twice",
        {choice(R"("delta":{"content":"\ud83d"},"text":"\ud83d")") +
         choice(R"("delta":{"content":"\ude00 \u0000x"},"text":"\ude00","finish_reason":"stop")") + kDone},
        QByteArray("\xF0\x9F\x98\x80 \0x", 7));
    row("NUL", {says("a\\u0000b") + kEnd}, QByteArray("a\0b", 3));
    row("length", {says("Hello") + delta("", R"("length")") + kDone}, "Hello", StopReason::MaxTokens);
    row("content filter", {says("Hel") + delta("", R"("content_filter")") + kDone}, "Hel", StopReason::ContentFilter);
    row("refusal", {delta(R"("refusal":"I cannot")") + kEnd}, "I cannot", StopReason::Refusal);
    row("refusal as a part", {delta(R"("content":[{"type":"refusal","refusal":"No."}])") + kEnd}, "No.",
        StopReason::Refusal);
    row("parts", {delta(R"("content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}])") + kEnd}, "Hello");
    row("thinking as a part",
        {delta(R"("content":[{"type":"thinking","thinking":[{"type":"text","text":"hmm"}]}])") +
         delta(R"("content":[{"type":"text","text":"Hello"}])") + kEnd},
        "<think>\nhmm\n</think>\nHello");
    row("reasoning_content",
        {delta(R"("content":null,"reasoning_content":"think ")") + delta(R"("reasoning_content":"more")") +
         says("Answer") + kEnd},
        "<think>\nthink more\n</think>\nAnswer");
    row("reasoning", {delta(R"("content":"","reasoning":"think")") + says("Answer") + kEnd},
        "<think>\nthink\n</think>\nAnswer");
    row("another choice",
        {sse(R"({"choices":[{"index":1,"delta":{"content":"B"}}]})") + says("A") +
         sse(R"({"choices":[{"index":1,"delta":{"content":"C"}},{"index":0,"delta":{"content":"D"}}]})") + kEnd},
        "AD");
    const Mode object{.body =
                          "{\"id\":\"x\",\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":{\"role\":"
                          "\"assistant\",\"content\":\"whole \xE4\xB8\xAD\"}}],\"usage\":{\"prompt_tokens\":3}}",
                      .type = "application/json"};
    row("one object", object, "whole \xE4\xB8\xAD");
    row("one object as a stream", {.body = "\n " + object.body}, "whole \xE4\xB8\xAD");
}

void TestServerModes::answers() {
    QFETCH(Mode, mode);
    QFETCH(QByteArray, text);
    QFETCH(int, reason);
    QFETCH(int, skipped);
    const HttpDouble server(serving(mode));
    const Answered answered = ask(server, chat());
    QVERIFY2(answered.response.has_value(),
             answered.response ? "" : answered.response.error().args.front().text().c_str());
    QCOMPARE(QByteArray::fromStdString(answered.text), text);
    QCOMPARE(static_cast<int>(answered.response->reason.value()), reason);
    QCOMPARE(static_cast<int>(answered.response->skippedEvents), skipped);
}

void TestServerModes::calls_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("calls"); // each on a line of its own
    const auto part = [](const std::string& call) { return delta(R"("tool_calls":[)" + call + "]"); };
    const std::string end = delta("", R"("tool_calls")") + kDone;
    const auto row = [](const char* name, const std::string& body, const char* calls) {
        QTest::newRow(name) << QByteArray::fromStdString(body) << QByteArray(calls);
    };
    row("in pieces",
        part(R"({"index":0,"id":"c1","function":{"name":"get_weather","arguments":""}})") +
            part(R"({"index":0,"function":{"arguments":"{\"city\": \"B"}})") +
            part(R"({"index":0,"function":{"arguments":"erlin\"}"}})") +
            part(R"({"index":1,"id":"c2","function":{"name":"g","arguments":"{}"}})") + end,
        R"({"name":"get_weather","arguments":{"city": "Berlin"}})"
        "\n"
        R"({"name":"g","arguments":{}})");
    row("arguments as an object", part(R"({"id":"c1","function":{"name":"f","arguments":{"a": 1.0}}})") + end,
        R"({"name":"f","arguments":{"a":1.0}})");
    row("function_call",
        delta(R"("function_call":{"name":"f","arguments":"{\"a\""})") +
            delta(R"("function_call":{"arguments":":2}"})") + delta("", R"("function_call")") + kDone,
        R"({"name":"f","arguments":{"a":2}})");
    row("without numbers",
        part(R"({"id":"a","function":{"name":"f","arguments":"{\"x\":"}})") +
            part(R"({"function":{"arguments":"1}"}})") +
            part(R"({"id":"b","function":{"name":"f","arguments":"{\"x\":2}"}})") + end,
        R"({"name":"f","arguments":{"x":1}})"
        "\n"
        R"({"name":"f","arguments":{"x":2}})");
    row("one number for all",
        part(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{}"}})") +
            part(R"({"index":0,"id":"b","function":{"name":"g","arguments":"{}"}})") + end,
        R"({"name":"f","arguments":{}})"
        "\n"
        R"({"name":"g","arguments":{}})");
    row("the name again in each piece",
        part(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})") +
            part(R"({"index":0,"id":"a","function":{"name":"f","arguments":"}"}})") + end,
        R"({"name":"f","arguments":{}})");
    row("no arguments", part(R"({"index":0,"id":"a","function":{"name":"now"}})") + end,
        R"({"name":"now","arguments":{}})");
}

void TestServerModes::calls() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, calls);
    const HttpDouble server(serving(Mode{.body = body.toStdString()}));
    const Answered answered = ask(server, chat());
    QVERIFY(answered.response.has_value());
    std::string expected;
    for (const QByteArray& call : calls.split('\n')) {
        expected += "\n<tool_call>\n" + call.toStdString() + "\n</tool_call>";
    }
    QCOMPARE(answered.text, expected);
}

void TestServerModes::refusals_data() {
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<int>("code");
    QTest::addColumn<QStringList>("args");
    const auto row = [](const char* name, const Mode& mode, ErrorCode code, const QStringList& args) {
        QTest::newRow(name) << mode << static_cast<int>(code) << args;
    };
    const std::string json = "application/json";
    row("429 for an hour", {R"({"error":{"message":"Rate limit reached"}})", 429, json, "Retry-After: 3600\r\n"},
        ErrorCode::HttpStatus, {"429", "Rate limit reached"});
    for (const char* pause : {"nan", "inf", "1e300", "-", "Wed, 21 Oct 9999 07:28:00 GMT"}) {
        row(pause, {R"({"error":{"message":"Rate limit"}})", 429, json, "Retry-After: " + std::string(pause) + "\r\n"},
            ErrorCode::HttpStatus, {"429", "Rate limit"});
    }
    row("error as text", {R"({"error":"context length exceeded: 5000 > 4096"})", 400, json}, ErrorCode::HttpStatus,
        {"400", "context length exceeded: 5000 > 4096"});
    row("detail", {R"({"detail":"Not authenticated"})", 422, json}, ErrorCode::HttpStatus,
        {"422", "Not authenticated"});
    row("details", {R"({"detail":[{"loc":["body","messages",0],"msg":"field required"},{"msg":"no"}]})", 422, json},
        ErrorCode::HttpStatus, {"422", "body.messages.0: field required; no"});
    row("a page",
        {"<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>", 502, "text/html"},
        ErrorCode::HttpStatus, {"502", "502 Bad Gateway"});
    row("plain text", {"upstream timed out\n", 504, "text/plain"}, ErrorCode::HttpStatus,
        {"504", "upstream timed out"});
    row("401", {R"({"error":{"message":"Invalid API key"}})", 401, json}, ErrorCode::HttpStatus,
        {"401", "Invalid API key", "key"});
    row("a page as the answer", {"<html>login page</html>", 200, "text/html"}, ErrorCode::ReplyUnusable,
        {"reply_not_json"});
    row("a page as a stream", {"<html>login page</html>"}, ErrorCode::ReplyUnusable, {"reply_not_json"});
    row("only odd events", {"data: what\n\ndata: ever\n\n"}, ErrorCode::ReplyUnusable, {"reply_not_json"});
    row("an error as the answer", {R"({"error":{"message":"no such model","code":404}})", 200, json},
        ErrorCode::HttpStatus, {"404", "no such model"});
    row("error in the stream", {says("Hel") + sse(R"({"error":{"message":"GPU fell over","code":500}})") + kDone},
        ErrorCode::HttpStatus, {"500", "GPU fell over"});
    row("error event", {says("Hel") + "event: error\ndata: {\"message\": \"slot lost\"}\n\n"}, ErrorCode::HttpStatus,
        {"200", "slot lost"});
    row("error event as text", {says("Hel") + "event: error\ndata: slot lost\n\n"}, ErrorCode::HttpStatus,
        {"200", "slot lost"});
    row("object error", {says("Hel") + sse(R"({"object":"error","message":"too long","code":400})")},
        ErrorCode::HttpStatus, {"400", "too long"});
    row("the end is missing", {says("Hello")}, ErrorCode::ReplyUnusable, {"connection_closed"});
}

void TestServerModes::refusals() {
    QFETCH(Mode, mode);
    QFETCH(int, code);
    QFETCH(QStringList, args);
    const HttpDouble server(serving(mode));
    const Answered answered = ask(server, chat());
    QVERIFY(!answered.response);
    QCOMPARE(static_cast<int>(answered.response.error().code), code);
    QStringList found;
    for (const Argument& argument : answered.response.error().args) {
        found << QString::fromStdString(argument.text());
    }
    QCOMPARE(found, args);
    QVERIFY(std::string("Hello").starts_with(answered.text)); // what came before the error
}

void TestServerModes::droppedConnection() {
    const HttpDouble server(serving(Mode{.body = says("Hel"), .drops = true}));
    const Answered answered = ask(server, chat());
    QVERIFY(!answered.response);
    const ErrorCode code = answered.response.error().code;
    QVERIFY(code == ErrorCode::ReplyUnusable || code == ErrorCode::ConnectionFailed);
}

// A request with a body is not sent to another address, but the error names it.
void TestServerModes::redirects_data() {
    QTest::addColumn<QByteArray>("location");
    QTest::addColumn<QByteArray>("shown"); // %1: the server's own address
    QTest::newRow("another host") << QByteArray("https://other.example/v1/chat?secret=1")
                                  << QByteArray("https://other.example/v1/chat");
    QTest::newRow("another path") << QByteArray("/basic/v1/chat/completions")
                                  << QByteArray("%1/basic/v1/chat/completions");
}

void TestServerModes::redirects() {
    QFETCH(QByteArray, location);
    QFETCH(QByteArray, shown);
    const HttpDouble server(
        serving(Mode{.status = 307, .type = "text/plain", .headers = "Location: " + location.toStdString() + "\r\n"}));
    const Answered answered = ask(server, chat());
    QVERIFY(!answered.response);
    const Arguments& args = answered.response.error().args;
    QCOMPARE(args.at(0).text(), std::string("307"));
    QCOMPARE(QByteArray::fromStdString(args.at(1).text()),
             QByteArray(shown).replace("%1", QByteArray::fromStdString(server.url(""))));
}

void TestServerModes::waitsForABusyServer_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("status");
    QTest::newRow("the first request") << QByteArray("/health") << 429;
    QTest::newRow("the list of models") << QByteArray("/v1/models") << 429;
    QTest::newRow("the answer") << QByteArray("/v1/chat/completions") << 429;
    QTest::newRow("the answer, 503") << QByteArray("/v1/chat/completions") << 503;
}

void TestServerModes::waitsForABusyServer() {
    QFETCH(QByteArray, path);
    QFETCH(int, status);
    std::atomic<bool> isBusy = true;
    const auto usual = serving(Mode{.body = says("Hello") + kEnd});
    const HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
        if (request.path == path.toStdString() && isBusy.exchange(false)) {
            send(peer, {.status = status, .type = "text/plain", .headers = "Retry-After: 1\r\n"});
        } else {
            usual(request, peer);
        }
    });
    const Answered answered = ask(server, chat());
    QVERIFY(answered.response.has_value());
    QCOMPARE(answered.text, std::string("Hello"));
    QVERIFY(!isBusy);
}

void TestServerModes::doesNotWaitAfterAStop() {
    std::stop_source stop;
    const HttpDouble server(serving([&](const HttpRequest&, HttpPeer& peer) {
        send(peer, {.status = 429, .type = "text/plain", .headers = "Retry-After: 50\r\n"});
        stop.request_stop();
    }));
    const Answered answered = ask(server, chat(), {.stop = stop.get_token()});
    QVERIFY(answered.response && !answered.response->reason); // a stop is no error
    const auto requests = server.requests();
    QCOMPARE(std::ranges::count(requests, "POST", &HttpRequest::method), 1);
}

// Texts are continued by /v1/completions.
void TestServerModes::completes_data() {
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("reason");
    const auto text = [](const std::string& words, const std::string& finish = "null") {
        return choice(R"("text":")" + words + R"(","finish_reason":)" + finish);
    };
    const auto row = [](const char* name, const Mode& mode, const char* words, StopReason reason) {
        QTest::newRow(name) << mode << QByteArray(words) << static_cast<int>(reason);
    };
    row("usual", {text("Hel") + text("lo") + text("", R"("stop")") + kDone}, "Hello", StopReason::EndToken);
    row("length", {text("Hello", R"("length")") + kDone}, "Hello", StopReason::MaxTokens);
    row("content filter", {text("Hel", R"("content_filter")") + kDone}, "Hel", StopReason::ContentFilter);
    row("odd events", {"data:\n\n: x\n" + text("Hello") + sse("{}") + sse(R"({"choices":null})") + kDone}, "Hello",
        StopReason::EndToken);
    row("one object", {.body = R"({"choices":[{"text":"Hello","finish_reason":"stop"}]})", .type = "application/json"},
        "Hello", StopReason::EndToken);
}

void TestServerModes::completes() {
    QFETCH(Mode, mode);
    QFETCH(QByteArray, text);
    QFETCH(int, reason);
    std::string asked;
    std::string path;
    const HttpDouble server(serving([&](const HttpRequest& request, HttpPeer& peer) {
        asked = request.body;
        path = request.path;
        send(peer, mode);
    }));
    const Answered answered = ask(server, std::string("Once \"upon\""));
    QVERIFY(answered.response.has_value());
    QCOMPARE(path, std::string("/v1/completions"));
    QVERIFY2(asked.contains(R"("prompt":"Once \"upon\"")") && asked.contains(R"("model":"m1")"), asked.c_str());
    QCOMPARE(QByteArray::fromStdString(answered.text), text);
    QCOMPARE(static_cast<int>(answered.response->reason.value()), reason);
}

void TestServerModes::completesWithProbabilities() {
    const HttpDouble server(
        serving(Mode{.body = choice(R"("text":" a b","logprobs":{"tokens":[" a"," b"],"token_logprobs":[-0.5,-1.5],)"
                                    R"("top_logprobs":[{" a":-0.5," c":-1},{" d":-0.1," b":-1.5}]})") +
                             kDone}));
    std::vector<ResponsePiece> pieces;
    QVERIFY(ask(server, std::string("Once"), {}, 2, &pieces).response.has_value());
    QCOMPARE(pieces.size(), std::size_t{2});
    QCOMPARE(pieces[0].logProbability, std::optional(-0.5));
    QCOMPARE(pieces[1].candidates.at(0).text, std::string(" d"));
    QCOMPARE(pieces[1].candidates.at(1).text, std::string(" b"));
}

void TestServerModes::onlyChats() {
    const HttpDouble server(serving(Mode{R"({"detail":"Not Found"})", 404, "application/json"}));
    const Answered answered = ask(server, std::string("Once"));
    QVERIFY(!answered.response);
    const Error& error = answered.response.error();
    QCOMPARE(error.args, (Arguments{404, std::string("Not Found")}));
    QVERIFY(error.file.native().ends_with("/v1/completions")); // by which the words for it are chosen
}

void TestServerModes::mendsJson_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("mended");
    QTest::newRow("numbers") << QByteArray("[NaN,-Infinity,Infinity]") << QByteArray("[null,null,null]");
    QTest::newRow("words in strings") << QByteArray(R"(["NaN \" Infinity"])") << QByteArray(R"(["NaN \" Infinity"])");
    QTest::newRow("a pair") << QByteArray(R"(["\ud83d\ude00"])") << QByteArray(R"(["\ud83d\ude00"])");
    QTest::newRow("a low half") << QByteArray(R"(["\ude00"])") << QByteArray(R"(["\ufffd"])");
    QTest::newRow("a high half inside") << QByteArray(R"(["\ud83d!"])") << QByteArray(R"(["\ufffd!"])");
    QTest::newRow("a high half at the end") << QByteArray(R"(["\ud83d"])") << QByteArray(R"([""])");
    QTest::newRow("an escaped backslash") << QByteArray(R"(["\\ude00"])") << QByteArray(R"(["\\ude00"])");
    QTest::newRow("cut escapes") << QByteArray(R"(["\ud8)") << QByteArray(R"(["\ud8)");
    QTest::newRow("a cut end") << QByteArray("[\"\\") << QByteArray("[\"\\");
}

void TestServerModes::mendsJson() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, mended);
    JsonRepair repair;
    QCOMPARE(QByteArray::fromStdString(repair.repaired(json.toStdString())), mended);
}

GUFO_TEST(TestServerModes)
#include "tst_server_modes.moc"
