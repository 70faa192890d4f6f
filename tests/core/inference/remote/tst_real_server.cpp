// The responder against a real llama-server, where there is one: it answers like the built-in engine, as far as
// rounding in the products allows.
#include "base/detail.h"
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine_table.h"
#include "inference/grammar/grammar.h"
#include "inference/measuring/lock_step.h"
#include "support/real_server.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QElapsedTimer>

#include <cmath>
#include <thread>

using namespace gufo;
using namespace gufo::inference;
using gufo::test::RealServer;

namespace {

// The products of both are rounded differently, more so where both quantise activations to 8 bits.
constexpr double kRounding = 0.02;

struct Said {
    std::string text;
    std::vector<ResponsePiece> pieces;
    std::vector<TokenId> ids;
    ResponseFigures figures;
    ResponseListener listener() {
        return {.promptMade = [this](PromptFacts made, const ResponseFigures&) { prompt = std::move(made); },
                .piece =
                    [this](ResponsePiece piece, const ResponseFigures& now) {
                        text += piece.bytes;
                        figures = now;
                        if (piece.token) {
                            ids.push_back(*piece.token);
                        }
                        pieces.push_back(std::move(piece));
                        return true;
                    }};
    }
    PromptFacts prompt;
};

GenerationSettings greedy(std::uint32_t tokens) {
    return {.sampler = {.temperature = 0}, .maxTokens = tokens, .candidates = 5};
}

ResponseRequest question(GenerationSettings settings) {
    return {.prompt = ChatPrompt{.messages = {{.role = "user", .content = "What is a GGUF file?"}}},
            .settings = std::move(settings)};
}

} // namespace

class TestRealServer : public QObject {
    Q_OBJECT

    std::shared_ptr<const Model> m_model;
    std::unique_ptr<RealServer> m_server;
    std::unique_ptr<Responder> m_remote;
    std::unique_ptr<Responder> m_own;

private slots:
    void initTestCase() {
        const std::filesystem::path file = GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf";
        m_server = RealServer::start(file);
        if (m_server == nullptr) {
            QSKIP("there is no llama-server");
        }
        m_model = openModel(file).value();
        auto remote =
            remoteEngine()->open(m_model, {.server = {.address = m_server->address(), .key = RealServer::kKey}}, {});
        QVERIFY(remote.has_value());
        m_remote = std::move(*remote);
        m_own = engines().front().open(m_model, {.context = 512}, {}).value();
    }
    void cleanupTestCase() {
        m_remote.reset();
        m_server.reset();
    }

    void isRecognised() {
        const ResponderFacts& facts = m_remote->facts();
        QCOMPARE(facts.server->dialect, ServerDialect::LlamaServer);
        QCOMPARE(facts.match.model(), Agreement::Same);
        QCOMPARE(facts.match.chatTemplate, Agreement::Same);
        QCOMPARE(facts.options.context, 512U);
        QVERIFY(!facts.server->build.empty());
        QVERIFY(facts.offers(Feature::Scoring) && facts.offers(Feature::Grammar));
    }

    void refusesAnotherKey() {
        const auto refused =
            remoteEngine()->open(m_model, {.server = {.address = m_server->address(), .key = "wrong"}}, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::HttpStatus);
        QCOMPARE(refused.error().args.at(0).text(), std::string("401"));
    }

    // Until a token is chosen differently, every token has the same probability.
    void answersLikeTheBuiltInEngine() {
        Said remote;
        Said own;
        const auto answer = m_remote->respond(question(greedy(40)), remote.listener(), {});
        QVERIFY(answer.has_value());
        QVERIFY(m_own->respond(question(greedy(40)), own.listener(), {}));
        QCOMPARE(remote.prompt.ids, own.prompt.ids);
        QCOMPARE(remote.prompt.text, own.prompt.text);
        QVERIFY(remote.pieces.size() > 5);
        for (std::size_t i = 0; i < std::min(remote.pieces.size(), own.pieces.size()); ++i) {
            const ResponsePiece& there = remote.pieces[i];
            const ResponsePiece& here = own.pieces[i];
            QVERIFY(there.token.has_value() && !there.candidates.empty());
            const double difference = std::abs(std::exp(*there.logProbability) - std::exp(*here.logProbability));
            QVERIFY2(difference < kRounding, qPrintable(QString("token %1: %2").arg(i).arg(difference)));
            if (there.token != here.token) {
                break;
            }
            QCOMPARE(there.bytes, here.bytes);
            QCOMPARE(there.candidates.size(), std::size_t{5});
        }
        QVERIFY(answer->reason.has_value());
        QVERIFY(remote.figures.tokensPerSecond() < 20'000);
        QVERIFY(answer->figures.evaluationSeconds > 0);
    }

    void branchesFromACandidate() {
        Said first;
        QVERIFY(m_remote->respond(question(greedy(8)), first.listener(), {}));
        QVERIFY(first.ids.size() > 4);
        const auto other = std::ranges::find_if(first.pieces.at(3).candidates, [&](const ResponseCandidate& candidate) {
            return candidate.token && *candidate.token != first.ids[3];
        });
        QVERIFY(other != first.pieces[3].candidates.end());
        ResponseRequest request = question(greedy(6));
        request.begun.tokens.assign(first.ids.begin(), first.ids.begin() + 3);
        request.begun.tokens.push_back(*other->token);
        for (std::size_t i = 0; i < 3; ++i) {
            request.begun.text += first.pieces[i].bytes;
        }
        Said branch;
        const auto response = m_remote->respond(request, branch.listener(), {});
        QVERIFY(response.has_value());
        QVERIFY(!branch.pieces.empty());
        // The server still knows the prompt and the answer up to the branch.
        QVERIFY2(response->figures.readTokens <= 4, qPrintable(QString::number(response->figures.readTokens)));
    }

    void obeysAGrammar() {
        ResponseRequest request = question(greedy(20));
        request.grammar = Grammar::parse("root ::= (\"owl\" | \"night\") \".\"").value();
        Said said;
        const auto response = m_remote->respond(request, said.listener(), {});
        QVERIFY2(response.has_value(), response ? "" : errorName(response.error().code).data());
        QVERIFY2(said.text == "owl." || said.text == "night.", said.text.c_str());
    }

    void appliesItsTemplateLikeGufo() {
        ResponseRequest request = question(greedy(1));
        Said own;
        QVERIFY(m_remote->respond(request, own.listener(), {}));
        std::get<ChatPrompt>(request.prompt).byEngine = true;
        Said byServer;
        QVERIFY(m_remote->respond(request, byServer.listener(), {}));
        // Its text leaves the token of the beginning to the tokenizer, so that the ids are what has to agree.
        QVERIFY(own.prompt.text.ends_with(byServer.prompt.text));
        QCOMPARE(byServer.prompt.ids, own.prompt.ids);
    }

    void stopsAtOnce() {
        std::stop_source stop;
        QElapsedTimer clock;
        GenerationSettings settings = greedy(400);
        settings.sampler.ignoreEnd = true;
        ResponseListener listener;
        listener.piece = [&, pieces = 0](const ResponsePiece&, const ResponseFigures&) mutable {
            if (++pieces == 5) {
                clock.start();
                stop.request_stop();
            }
            return true;
        };
        const auto response = m_remote->respond(question(settings), listener, {.stop = stop.get_token()});
        QVERIFY(response.has_value() && !response->reason);
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed()))); // 100 ms on a free machine
        Said next;                                                                      // the server is free again
        QVERIFY(m_remote->respond(question(greedy(2)), next.listener(), {}));
    }

    void saysThatAPromptIsTooLong() {
        Said said;
        const auto response = m_remote->respond(
            {.prompt = QStringLiteral("An owl sees. ").repeated(400).toStdString(), .settings = greedy(2)},
            said.listener(), {});
        QVERIFY(!response);
        QCOMPARE(response.error().code, ErrorCode::LimitExceeded);
    }

    void runsInLockStep() {
        const auto session = loadForInference(m_model).value()->startSession({.context = 128}).value();
        Session* const first = session.get();
        Responder* const asked = m_remote.get();
        const auto given = m_own->facts()
                               .tokenizer->encode("An owl sees in the dark.", {.addEos = false, .parseSpecial = true})
                               .value();
        std::vector<LockStepPlace> places;
        QVERIFY(runInLockStep({&first, 1}, given.ids, {.maxTokens = 16}, {},
                              [&](LockStepPlace place) { places.push_back(std::move(place)); }, {&asked, 1}));
        const LockStepSummary summary = summarise(places, 1);
        QVERIFY(summary.isBound && summary.places > 16);
        QVERIFY2(summary.largestDivergence < 0.01, qPrintable(QString::number(summary.largestDivergence)));
        QVERIFY2(summary.agreement > 0.9, qPrintable(QString::number(summary.agreement)));
        qInfo("%zu places: KL divergence at least %.2g on average, %.2g at most, agreement %.3f", summary.places,
              summary.meanDivergence, summary.largestDivergence, summary.agreement);
    }
};

GUFO_TEST(TestRealServer)
#include "tst_real_server.moc"
