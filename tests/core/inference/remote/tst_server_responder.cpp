// Tests the responders for servers against a server that replays recorded replies, or misbehaves.
#include "base/detail.h"
#include "base/json_value.h"
#include "inference/engine_table.h"
#include "inference/grammar/json_schema.h"
#include "support/run_models.h"
#include "support/server_double.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"
#include "text/conversation/answer_parser.h"

#include <QElapsedTimer>

#include <thread>

using namespace gufo;
using namespace gufo::inference;
using test::DoubleOptions;
using test::Fault;
using test::ServerDouble;

namespace {

struct ServerAnswer {
    std::string bytes;
    std::string shown;
    std::vector<ResponsePiece> pieces;
    std::optional<PromptFacts> prompt;
    bool isRead = false;
    ResponseListener listener() {
        return {.promptMade = [this](PromptFacts made, const ResponseFigures&) { prompt = std::move(made); },
                .promptRead = [this](const ResponseFigures&) { isRead = true; },
                .piece =
                    [this](ResponsePiece piece, const ResponseFigures&) {
                        bytes += piece.bytes;
                        shown += piece.shown;
                        pieces.push_back(std::move(piece));
                        return true;
                    }};
    }
};

GenerationSettings few(std::uint32_t tokens = 4, std::size_t candidates = 3) {
    return {.maxTokens = tokens, .candidates = candidates};
}

JsonValue bodyOf(const ServerDouble& server, const std::string& path) {
    auto body = readJson(server.lastBody(path));
    return body ? std::move(*body) : JsonValue();
}

} // namespace

class TestServerResponder : public QObject {
    Q_OBJECT

    std::shared_ptr<const Model> m_model = test::tinyRunnable();

    Result<std::unique_ptr<Responder>> open(const ServerDouble& server, const std::string& key = {},
                                            const JobContext& job = {}) {
        return remoteEngine()->open(m_model, {.server = {.address = server.address(), .key = key}}, job);
    }
    static ResponseRequest chat(GenerationSettings settings = few()) {
        return {.prompt = ChatPrompt{.messages = {{.role = "user", .content = "Count"}}, .byEngine = true},
                .settings = std::move(settings)};
    }

private slots:
    void opensLlamaServer() {
        const ServerDouble server(m_model, {.key = "abc"});
        const auto responder = open(server, "abc");
        QVERIFY(responder.has_value());
        const ResponderFacts& facts = (*responder)->facts();
        QCOMPARE(facts.capabilities, remoteEngine()->capabilities);
        QCOMPARE(facts.server->build, std::string("b11669-Debian"));
        QCOMPARE(facts.match.model(), Agreement::Same);
        QCOMPARE(facts.match.chatTemplate, Agreement::Same);
        QCOMPARE(facts.options.context, 512U);
        QVERIFY(facts.tokenizer != nullptr && facts.options.server.key.empty());
        for (const auto& seen : server.seen()) {
            QCOMPARE(seen.key, std::string("abc"));
        }
        QCOMPARE(remoteEngine()->open(m_model, {}, {}).error().code, ErrorCode::AddressRefused);
    }

    void completes() {
        const ServerDouble server(m_model);
        const auto responder = open(server);
        QVERIFY(responder.has_value());
        ServerAnswer said;
        const auto response =
            (*responder)->respond({.prompt = std::string("Once"), .settings = few(5)}, said.listener(), {});
        QVERIFY(response.has_value());
        QCOMPARE(said.shown, std::string(" one two three four one"));
        QCOMPARE(said.bytes, said.shown);
        QCOMPARE(response->reason, std::optional(StopReason::MaxTokens));
        QVERIFY(said.isRead && said.prompt && !said.prompt->ids.empty());
        const ResponsePiece& piece = said.pieces.at(1);
        QVERIFY(piece.token && !piece.afterSamplers);
        QVERIFY(std::abs(*piece.logProbability - std::log(0.6)) < 1e-9);
        QCOMPARE(piece.candidates.size(), std::size_t{3});
        QVERIFY(piece.candidates[1].token.has_value());
        const ResponseFigures& figures = response->figures;
        QCOMPARE(figures.tokens, std::size_t{5});
        QCOMPARE(figures.evaluatedTokens, std::uint64_t{4}); // as the server measured
        QCOMPARE(figures.evaluationSeconds, 0.008);
        QCOMPARE(figures.promptTokens, said.prompt->ids.size());
        QCOMPARE(figures.readTokens, figures.promptTokens - 1); // one was cached
        QVERIFY(server.lastBody("/tokenize").empty());          // the file's tokenizer is the server's
    }

    // Tokens that arrive together have no speed of thousands of tokens per second.
    void speedIsPlausible_data() {
        QTest::addColumn<bool>("isLlamaServer");
        QTest::newRow("llama-server") << true;
        QTest::newRow("OpenAI's protocol") << false;
    }
    void speedIsPlausible() {
        QFETCH(bool, isLlamaServer);
        const ServerDouble server(m_model, {.isLlamaServer = isLlamaServer});
        const auto responder = open(server);
        QVERIFY(responder.has_value());
        std::vector<double> speeds;
        ResponseListener listener;
        listener.piece = [&](const ResponsePiece&, const ResponseFigures& figures) {
            speeds.push_back(figures.tokensPerSecond());
            return true;
        };
        ResponseRequest request = chat(few(8));
        std::get<ChatPrompt>(request.prompt).byEngine = isLlamaServer;
        const auto response = (*responder)->respond(request, listener, {});
        QVERIFY(response.has_value());
        QVERIFY(speeds.size() >= 8);
        QCOMPARE(speeds.front(), 0.0); // not known
        QVERIFY2(std::ranges::max(speeds) <= 800, qPrintable(QString::number(std::ranges::max(speeds))));
        if (isLlamaServer) {
            QVERIFY(response->figures.tokensPerSecond() > 0);
        }
    }

    void afterSamplers() {
        const ServerDouble server(m_model);
        const auto responder = open(server);
        ServerAnswer said;
        ResponseRequest request{.prompt = std::string("Once"), .settings = few()};
        request.afterSamplers = true;
        QVERIFY((*responder)->respond(request, said.listener(), {}));
        QVERIFY(said.pieces.at(0).afterSamplers);
        QCOMPARE(said.pieces.at(0).candidates.at(0).probability, 0.7);
    }

    void branchesById() {
        const ServerDouble server(m_model);
        const auto responder = open(server);
        ServerAnswer said;
        QVERIFY((*responder)->respond({.prompt = std::string("Once"), .settings = few(2)}, said.listener(), {}));
        const std::vector<TokenId> prompt = said.prompt->ids;
        const TokenId three = *said.pieces.at(1).candidates.at(1).token;
        ServerAnswer branched;
        ResponseRequest request{.prompt = std::string("Once"), .settings = few(2)};
        request.begun = {.text = " one three", .tokens = {*said.pieces[0].token, three}};
        QVERIFY((*responder)->respond(request, branched.listener(), {}));
        QCOMPARE(branched.shown, std::string(" four one"));
        const JsonValue body = bodyOf(server, "/completion");
        QCOMPARE(body.find("prompt")->elements.size(), prompt.size() + 2);
        QCOMPARE(body.find("prompt")->elements.back().whole(), std::optional<std::int64_t>(three.value));
        QVERIFY(body.find("cache_prompt")->is(JsonValue::Kind::True));
    }

    void appliesTheServersTemplate() {
        const ServerDouble server(m_model);
        const auto responder = open(server);
        ServerAnswer said;
        const auto response = (*responder)->respond(chat(), said.listener(), {});
        QVERIFY(response.has_value());
        QCOMPARE(said.prompt->text, std::string("user: Count|"));
        QCOMPARE(said.shown, std::string(" one two three four"));
    }

    void sendsTheGrammar() {
        const ServerDouble server(m_model);
        const auto responder = open(server);
        ServerAnswer said;
        ResponseRequest request{.prompt = std::string("Once"), .settings = few()};
        request.grammar = *Grammar::parse("root ::= \" one\"+");
        request.settings.sampler.bias = {{TokenId(9), 2}};
        QVERIFY((*responder)->respond(request, said.listener(), {}));
        QCOMPARE(bodyOf(server, "/completion").find("grammar")->text, std::string("root ::= \" one\"+"));
        QCOMPARE(bodyOf(server, "/completion").find("logit_bias")->elements.size(), std::size_t{1});
    }

    void endsAtTheTemplatesToken() {
        const ServerDouble server(m_model);
        const auto responder = open(server);
        ServerAnswer said;
        ResponseRequest request{.prompt = std::string("Once"), .settings = few(100)};
        const auto id = (*responder)->facts().tokenizer->encode(" three", {.addBos = false})->ids.back();
        request.settings.ends = {id};
        const auto response = (*responder)->respond(request, said.listener(), {});
        QVERIFY(response.has_value());
        QCOMPARE(said.shown, std::string(" one two"));
        QCOMPARE(response->reason, std::optional(StopReason::EndToken));
    }

    void anotherModel() {
        const ServerDouble server(m_model, {.isOtherModel = true});
        const auto responder = open(server);
        QVERIFY(responder.has_value());
        const ResponderFacts& facts = (*responder)->facts();
        QCOMPARE(facts.match.model(), Agreement::Different);
        QVERIFY(facts.tokenizer == nullptr && facts.canRespond());
        QVERIFY(facts.offers(Feature::Branching) && !facts.offers(Feature::TokenBias));
        ServerAnswer said;
        ResponseRequest request{.prompt = std::string("Once"), .settings = few(3)};
        request.settings.sampler.bias = {{TokenId(9), 2}};
        request.begun.text = " one";
        QVERIFY((*responder)->respond(request, said.listener(), {}));
        QCOMPARE(bodyOf(server, "/tokenize").find("content")->text, std::string("Once one"));
        QVERIFY(bodyOf(server, "/completion").find("logit_bias")->elements.empty()); // of another vocabulary
        QCOMPARE(said.shown, std::string(" two three four"));
        QVERIFY(!said.pieces.at(0).token && said.pieces.at(0).logProbability && said.prompt->ids.empty());
        QCOMPARE(said.pieces.at(0).candidates.at(1).text, std::string(" three"));
        QVERIFY(!said.pieces.at(0).candidates.at(1).token);
    }

    void plainOpenAi() {
        const ServerDouble server(m_model, {.isLlamaServer = false, .thinks = true});
        const auto responder = open(server);
        QVERIFY(responder.has_value());
        const ResponderFacts& facts = (*responder)->facts();
        for (const Feature off : {Feature::Branching, Feature::Continuing, Feature::ChatTemplate, Feature::Grammar,
                                  Feature::TokenBias, Feature::AllSamplers, Feature::AllLogits}) {
            QVERIFY2(!facts.offers(off), qPrintable(QString::number(static_cast<int>(off))));
        }
        QVERIFY(facts.offers(Feature::Completion)); // by /v1/completions
        QVERIFY(facts.offers(Feature::JsonSchema));
        QVERIFY(facts.offers(Feature::Probabilities) && facts.match.model() == Agreement::Unknown);
        ServerAnswer said;
        const auto response = (*responder)->respond(chat(), said.listener(), {});
        QVERIFY(response.has_value());
        text::AnswerParser parser;
        (void)parser.push(said.shown);
        (void)parser.finish();
        QCOMPARE(parser.message().reasoning, std::string("Let me count."));
        QCOMPARE(parser.message().content, std::string("one two three four"));
        QCOMPARE(response->reason, std::optional(StopReason::MaxTokens));
        QCOMPARE(response->figures.tokens, std::size_t{4}); // as the usage says
        QCOMPARE(response->figures.promptTokens, std::size_t{7});
        QCOMPARE(said.pieces.back().candidates.at(1).text, std::string(" one"));
        QCOMPARE(bodyOf(server, "/v1/chat/completions").find("model")->text, std::string("some-model"));
        QCOMPARE((*responder)->respond({.prompt = std::string("Once")}, said.listener(), {}).error().code,
                 ErrorCode::HttpStatus); // this server has no /v1/completions
    }

    void schemasOfPlainOpenAi() {
        const ServerDouble server(m_model, {.isLlamaServer = false});
        const auto responder = open(server);
        ServerAnswer said;
        ResponseRequest request = chat();
        const std::string schema = R"({"type":"object","properties":{"a":{"enum":["é",1]}},"required":["a"]})";
        request.grammar = parseJsonSchema(schema).value().grammar;
        QVERIFY((*responder)->respond(request, said.listener(), {}));
        const JsonValue body = bodyOf(server, "/v1/chat/completions");
        const JsonValue* format = body.find("response_format");
        QVERIFY(format != nullptr);
        QCOMPARE(format->find("type")->text, std::string("json_schema"));
        const JsonValue* sent = format->find("json_schema");
        QVERIFY(sent != nullptr && sent->find("name") != nullptr && sent->find("strict")->is(JsonValue::Kind::True));
        QCOMPARE(sent->find("schema")->find("required")->elements.size(), std::size_t{1});
        QCOMPARE(sent->find("schema")->find("properties")->find("a")->find("enum")->elements[0].text, std::string("é"));
        // Without a schema nothing is sent, and what the protocol cannot say is refused.
        request.grammar = nullptr;
        QVERIFY((*responder)->respond(request, said.listener(), {}));
        QVERIFY(bodyOf(server, "/v1/chat/completions").find("response_format") == nullptr);
        request.grammar = Grammar::parse("root ::= \"a\"").value();
        const auto refused = (*responder)->respond(request, said.listener(), {});
        QCOMPARE(refused.error().code, ErrorCode::NotSupported);
        QCOMPARE(refused.error().args.at(0).text(), std::string("GBNF"));
    }

    void toolCalls() {
        const ServerDouble server(m_model, {.isLlamaServer = false, .callsTool = true});
        const auto responder = open(server);
        ServerAnswer said;
        ResponseRequest request = chat();
        std::get<ChatPrompt>(request.prompt).options.tools = R"([{"type":"function","function":{"name":"weather"}}])";
        const auto response = (*responder)->respond(request, said.listener(), {});
        QVERIFY(response.has_value());
        text::AnswerParser parser({}, true);
        (void)parser.push(said.shown + response->rest);
        (void)parser.finish();
        const auto calls = readJson(parser.message().toolCalls);
        QVERIFY(calls && calls->elements.size() == 1);
        QVERIFY(parser.message().toolCalls.contains("weather") && parser.message().toolCalls.contains("Oslo"));
    }

    // ---- faults

    void faults_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<bool>("llama");
        QTest::addColumn<int>("code");    // of the error; −1: there is none
        QTest::addColumn<bool>("atOpen"); // the error comes when the server is probed
        QTest::addColumn<QByteArray>("shown");
        constexpr int kNone = -1;
        const auto row = [](const char* name, Fault fault, bool llama, int code, bool atOpen, const QByteArray& shown) {
            QTest::addRow("%s, %s", name, llama ? "llama-server" : "OpenAI")
                << static_cast<int>(fault) << llama << code << atOpen << shown;
        };
        const auto rows = [&](const char* name, Fault fault, int code, bool atOpen, const QByteArray& shown) {
            row(name, fault, true, code, atOpen, shown);
            row(name, fault, false, code, atOpen, shown);
        };
        const auto number = [](ErrorCode code) { return static_cast<int>(code); };
        const QByteArray whole = " one two three four";
        rows("slow", Fault::Slow, kNone, false, whole);
        rows("comments", Fault::Comments, kNone, false, whole);
        rows("split characters", Fault::SplitCharacter, kNone, false, QByteArray(" é€😀").repeated(4));
        rows("ends early", Fault::EndsEarly, number(ErrorCode::ReplyUnusable), false, {});
        // Ids of tokens must not be missing, but other servers' odd events are skipped (tst_server_modes).
        row("wrong JSON", Fault::WrongJson, true, number(ErrorCode::ReplyUnusable), false, {});
        row("wrong JSON", Fault::WrongJson, false, kNone, false, " one three four");
        row("wrong kinds", Fault::WrongKinds, true, number(ErrorCode::ReplyUnusable), false, {});
        row("wrong kinds", Fault::WrongKinds, false, kNone, false, " one three four");
        rows("error in the stream", Fault::ErrorInStream, number(ErrorCode::HttpStatus), false, {});
        rows("401", Fault::Unauthorised, number(ErrorCode::HttpStatus), true, {});
        rows("503", Fault::Loading, number(ErrorCode::HttpStatus), true, {});
        rows("a page", Fault::Page, number(ErrorCode::ReplyUnusable), true, {});
        rows("cut", Fault::Cut, number(ErrorCode::ReplyUnusable), false, {});
    }
    void faults() {
        QFETCH(int, fault);
        QFETCH(bool, llama);
        QFETCH(int, code);
        QFETCH(bool, atOpen);
        QFETCH(QByteArray, shown);
        const ServerDouble server(m_model, {.fault = static_cast<Fault>(fault), .isLlamaServer = llama});
        const auto responder = open(server);
        QCOMPARE(responder.has_value(), !atOpen);
        if (atOpen) {
            QCOMPARE(static_cast<int>(responder.error().code), code);
            QVERIFY(responder.error().file.string().starts_with("http://127.0.0.1") ||
                    responder.error().code == ErrorCode::ReplyUnusable);
            return;
        }
        ServerAnswer said;
        const auto response = (*responder)->respond(chat(), said.listener(), {});
        int found = response.has_value() ? -1 : static_cast<int>(response.error().code);
        // Qt reports a connection that closes within a reply as either error, depending on what has arrived.
        if (static_cast<Fault>(fault) == Fault::Cut && found == static_cast<int>(ErrorCode::ConnectionFailed)) {
            found = code;
        }
        QCOMPARE(found, code);
        if (code < 0) {
            QCOMPARE(QByteArray::fromStdString(said.shown), shown);
            QCOMPARE(response->reason, std::optional(StopReason::MaxTokens));
        } else {
            QVERIFY(std::string(" one two three four").starts_with(said.shown)); // the part before the fault
        }
    }

    void twoTokensOfOneCharacter() {
        const ServerDouble server(m_model, {.fault = Fault::OneCharacter});
        const auto responder = open(server);
        ServerAnswer said;
        QVERIFY((*responder)->respond({.prompt = std::string("Once"), .settings = few(3)}, said.listener(), {}));
        QCOMPARE(said.shown, std::string(" oneé three"));
        QVERIFY(!said.pieces.at(1).token); // the server reports one id of two
        QVERIFY(!said.pieces.at(1).logProbability);
        QVERIFY(said.pieces.at(0).token && said.pieces.at(2).token);
    }

    void nobodyListens() {
        std::string address;
        {
            const ServerDouble server(m_model);
            address = server.address();
        }
        const auto responder = remoteEngine()->open(m_model, {.server = {.address = address}}, {});
        QVERIFY(!responder);
        QCOMPARE(responder.error().code, ErrorCode::ConnectionFailed);
    }

    void promptTooLong() {
        const ServerDouble server(m_model, {.context = 8});
        const auto responder = open(server);
        ServerAnswer said;
        const auto response =
            (*responder)->respond({.prompt = std::string(200, 'x'), .settings = few()}, said.listener(), {});
        QVERIFY(!response);
        QCOMPARE(response.error().code, ErrorCode::LimitExceeded);
        QCOMPARE(response.error().args.front(), Argument(Detail::ContextTokens));
    }

    void stops_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<bool>("llama");
        QTest::newRow("while it answers") << static_cast<int>(Fault::Slow) << true;
        QTest::newRow("while it says nothing") << static_cast<int>(Fault::Hangs) << true;
        QTest::newRow("OpenAI, while it answers") << static_cast<int>(Fault::Slow) << false;
        QTest::newRow("OpenAI, while it says nothing") << static_cast<int>(Fault::Hangs) << false;
    }
    void stops() {
        QFETCH(int, fault);
        QFETCH(bool, llama);
        const ServerDouble server(m_model, {.fault = static_cast<Fault>(fault), .isLlamaServer = llama});
        const auto responder = open(server);
        QVERIFY(responder.has_value());
        std::stop_source stop;
        const std::string path = llama ? "/completion" : "/v1/chat/completions";
        std::jthread stopper([&] {
            const std::size_t events = static_cast<Fault>(fault) == Fault::Slow ? 3 : 0;
            while (server.lastBody(path).empty() || server.sendTimes().size() < events) {
                std::this_thread::yield();
            }
            stop.request_stop();
        });
        ServerAnswer said;
        QElapsedTimer clock;
        clock.start();
        const auto response = (*responder)->respond(chat(few(0)), said.listener(), {.stop = stop.get_token()});
        QVERIFY(response.has_value()); // a stop is no error
        QVERIFY(!response->reason);
        QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
        QTRY_COMPARE(server.aborted(), 1); // the server notices, and stops generating
    }
    void listenerStops() {
        const ServerDouble server(m_model, {.fault = Fault::Slow});
        const auto responder = open(server);
        int pieces = 0;
        const auto response =
            (*responder)
                ->respond({.prompt = std::string("Once"), .settings = few(0)},
                          {.piece = [&](const ResponsePiece&, const ResponseFigures&) { return ++pieces < 3; }}, {});
        QVERIFY(response && !response->reason);
        QCOMPARE(pieces, 3);
        QTRY_COMPARE(server.aborted(), 1);
    }
    void nothingIsSentAfterAStop() {
        const ServerDouble server(m_model);
        std::stop_source stop;
        stop.request_stop();
        const auto responder = open(server, {}, {.stop = stop.get_token()});
        QVERIFY(!responder);
        QCOMPARE(responder.error().code, ErrorCode::Cancelled);
    }
};

GUFO_TEST(TestServerResponder)
#include "tst_server_responder.moc"
