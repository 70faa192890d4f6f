// Responders over a session: prompts, pieces, figures, begun answers, stops and errors; and the table of engines with
// their capabilities.
#include "base/detail.h"
#include "base/error.h"
#include "inference/engine/gufo_engine.h"
#include "inference/generation/generation.h"
#include "inference/grammar/grammar.h"
#include "inference/prefixes/prefix_store.h"
#include "support/run_models.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"

#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::inference;
using test::StandIn;

namespace {

std::unique_ptr<Responder> openBuiltIn(const SessionOptions& options = {.context = 256, .threads = 1},
                                       const test::RunnableShape& shape = {}) {
    auto responder = engines().front().open(test::tinyRunnable(shape), options, {});
    return responder ? std::move(*responder) : nullptr;
}

std::unique_ptr<Responder> openStandIn(StandIn kind, std::uint32_t context = 256) {
    auto responder = test::standIn(kind).open(test::tinyRunnable(), {.context = context}, {});
    return responder ? std::move(*responder) : nullptr;
}

// An answer and everything that the listener received.
struct ResponseOutcome {
    Result<Response> response = Response{};
    std::vector<ResponsePiece> pieces{};
    PromptFacts prompt{};
    ResponseFigures read{};
    std::vector<std::string> order{};
    std::string shown{};
    std::size_t leftOutTokens = 0;
};

// The listener ends the answer after `stopAfter` pieces; 0: never.
ResponseOutcome respond(Responder& responder, const ResponseRequest& request, const JobContext& job = {},
                        std::size_t stopAfter = 0) {
    ResponseOutcome outcome;
    ResponseListener listener;
    listener.promptMade = [&](PromptFacts prompt, const ResponseFigures&) {
        outcome.order.emplace_back("made");
        outcome.prompt = std::move(prompt);
    };
    listener.shortened = [&](std::size_t, std::size_t tokens) { outcome.leftOutTokens = tokens; };
    listener.promptRead = [&](const ResponseFigures& figures) {
        outcome.order.emplace_back("read");
        outcome.read = figures;
    };
    listener.piece = [&](ResponsePiece piece, const ResponseFigures&) {
        outcome.shown += piece.shown;
        outcome.pieces.push_back(std::move(piece));
        return outcome.pieces.size() != stopAfter;
    };
    outcome.response = responder.respond(request, listener, job);
    return outcome;
}

ResponseRequest greedy(const std::string& prompt, std::uint32_t maxTokens = 8) {
    ResponseRequest request{.prompt = prompt};
    request.settings.sampler.temperature = 0;
    request.settings.sampler.ignoreEnd = true;
    request.settings.maxTokens = maxTokens;
    return request;
}

std::vector<TokenId> idsOf(const std::vector<ResponsePiece>& pieces) {
    std::vector<TokenId> ids;
    for (const ResponsePiece& piece : pieces) {
        ids.push_back(piece.token.value());
    }
    return ids;
}

} // namespace

class TestResponder : public QObject {
    Q_OBJECT

private slots:
    void tableHasWhatItClaims() {
        QVERIFY(!engines().empty());
        QCOMPARE(engines().front().id, std::string_view("gufo"));
        std::set<std::string_view> ids;
        for (const std::span<const Engine> table : {engines(), test::standIns()}) {
            for (const Engine& engine : table) {
                QVERIFY(ids.insert(engine.id).second);
                QVERIFY(engine.open != nullptr);
                QCOMPARE(engine.load != nullptr, offers(engine.capabilities, Feature::AllLogits));
                QCOMPARE(engine.forecast != nullptr, offers(engine.capabilities, Feature::MemoryForecast));
            }
        }
        QCOMPARE(engineWith(Feature::AllLogits), &engines().front());
        QCOMPARE(engineWith(Feature::AllLogits, test::standIns()), &test::standIn(StandIn::Full));
        QVERIFY(engineWith(Feature::AllLogits, test::standIns().first(2)) == nullptr);
    }

    // What an engine would ignore has its default value, so that nobody takes it for an option that applies.
    void keepsOnlyObeyedOptions() {
        const SessionOptions given{.context = 64,
                                   .ropeContext = 128,
                                   .batch = 16,
                                   .keys = KvCacheType::F32,
                                   .values = KvCacheType::Q8_0,
                                   .threads = 3,
                                   .rope = {.base = 5},
                                   .server = {.address = "http://127.0.0.1:1", .key = "k"},
                                   .offload = {.layers = 2},
                                   .prefixes = PrefixStore::shared()};
        for (const std::span<const Engine> table : {engines(), test::standIns()}) {
            for (const Engine& engine : table) {
                const SessionOptions kept = obeyedBy(engine, given);
                QCOMPARE(kept.context == 64, engine.obeys.context);
                QCOMPARE(kept.ropeContext == 128, engine.obeys.ropeContext);
                QCOMPARE(kept.batch == 16, engine.obeys.batch);
                QCOMPARE(kept.keys == KvCacheType::F32, engine.obeys.cacheTypes);
                QCOMPARE(kept.values == KvCacheType::Q8_0, engine.obeys.cacheTypes);
                QCOMPARE(kept.threads == 3, engine.obeys.threads);
                QCOMPARE(kept.rope == given.rope, engine.obeys.rope);
                QCOMPARE(kept.offload == given.offload, engine.obeys.offload);
                QCOMPARE(kept.prefixes != nullptr, engine.obeys.prefixes);
                QCOMPARE(kept.server == given.server, engine.remote);
            }
        }
    }

    void capabilitiesMakeFeatures_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QList<int>>("offered");
        const auto row = [](const char* name, StandIn kind, std::initializer_list<Feature> features) {
            QList<int> offered;
            for (const Feature feature : features) {
                offered << static_cast<int>(feature);
            }
            QTest::newRow(name) << static_cast<int>(kind) << offered;
        };
        using enum Feature;
        row("text only", StandIn::TextOnly, {Continuing, Completion, ChatTemplate, AllSamplers});
        row("top candidates", StandIn::TopCandidates,
            {Probabilities, Candidates, Branching, Continuing, Completion, ChatTemplate, AllSamplers});
        row("full", StandIn::Full,
            {Probabilities, Candidates, Branching, Continuing, Completion, ChatTemplate, Grammar, JsonSchema, TokenBias,
             ContextShift, MemoryForecast, AllLogits, SavedState, AllSamplers});
        row("conversation only", StandIn::ConversationOnly, {AllSamplers});
    }
    void capabilitiesMakeFeatures() {
        QFETCH(int, kind);
        QFETCH(QList<int>, offered);
        for (int feature = 0; feature < kFeatureCount; ++feature) {
            QCOMPARE(
                offers(test::standIns()[static_cast<std::size_t>(kind)].capabilities, static_cast<Feature>(feature)),
                offered.contains(feature));
        }
    }

    // A responder draws the same tokens as a Generation over the same session, and reports more about them.
    void drawsAsAGeneration() {
        const auto responder = openBuiltIn();
        QVERIFY(responder != nullptr);
        ResponseRequest request = greedy("one two");
        request.settings.candidates = 5;
        const ResponseOutcome outcome = respond(*responder, request);
        QVERIFY(outcome.response);
        QCOMPARE(outcome.response->reason, std::optional(StopReason::MaxTokens));
        QCOMPARE(outcome.pieces.size(), std::size_t{8});
        QCOMPARE(outcome.order, (std::vector<std::string>{"made", "read"}));

        const auto loaded = loadForInference(test::tinyRunnable()).value();
        const auto session = loaded->startSession({.context = 256, .threads = 1}).value();
        const auto tokenizer = text::makeTokenizer(*loaded->model()).value();
        const auto ids = tokenizer->encode("one two", text::promptEncoding()).value().ids;
        QCOMPARE(outcome.prompt.ids, ids);
        QCOMPARE(outcome.prompt.text, std::string("one two"));
        Generation generation(*session, tokenizer, request.settings);
        QVERIFY(generation.start(ids, {}));
        std::string shown;
        for (const ResponsePiece& piece : outcome.pieces) {
            const auto token = generation.next({}).value().value();
            QCOMPARE(piece.token, std::optional(token.choice.token));
            QCOMPARE(piece.logProbability, std::optional(token.choice.logProbability));
            QCOMPARE(piece.bytes, token.bytes);
            QCOMPARE(piece.shown, token.text);
            QCOMPARE(piece.candidates.size(), std::size_t{5});
            QCOMPARE(piece.candidates.front().token, std::optional(token.choice.candidates.front().token));
            QCOMPARE(piece.candidates.front().probability, token.choice.candidates.front().probability);
            shown += token.text;
        }
        QVERIFY(!generation.next({}).value().has_value());
        QCOMPARE(outcome.shown + outcome.response->rest, shown + generation.rest());

        const ResponseFigures& figures = outcome.response->figures;
        QCOMPARE(figures.promptTokens, ids.size());
        QCOMPARE(figures.readTokens, ids.size());
        QCOMPARE(figures.batchedTokens, std::uint64_t{ids.size()});
        QVERIFY(figures.readSeconds > 0 && figures.batchedSeconds > 0);
        QCOMPARE(outcome.read.readTokens, ids.size());
        QCOMPARE(figures.tokens, std::size_t{8});
        QCOMPARE(figures.evaluatedTokens, std::uint64_t{7}); // the last token is not evaluated
        QVERIFY(figures.tokensPerSecond() > 0 && figures.bytesPerSecond() > 0);
        QCOMPARE(figures.contextUsed, ids.size() + 7);
    }

    void readsOnlyWhatIsNew() {
        const auto responder = openBuiltIn();
        const ResponseOutcome first = respond(*responder, greedy("<|user|>one two three<|end|><|assistant|>"));
        ResponseRequest next = greedy({});
        next.known = {.text = first.prompt.text + first.shown + first.response->rest, .ids = first.prompt.ids};
        const auto said = idsOf(first.pieces);
        next.known.ids.insert(next.known.ids.end(), said.begin(), said.end());
        next.prompt = next.known.text + "<|end|><|user|>four<|end|><|assistant|>";
        Progress progress;
        const ResponseOutcome second = respond(*responder, next, {.progress = &progress});
        QVERIFY(second.response);
        // The last token was drawn, but never evaluated.
        const std::size_t added = second.prompt.ids.size() - next.known.ids.size() + 1;
        QCOMPARE(second.response->figures.readTokens, added);
        QCOMPARE(second.response->figures.promptTokens, second.prompt.ids.size());
        QCOMPARE(progress.total(), std::uint64_t{added}); // counts the prompt, not the answer
        QCOMPARE(progress.done(), std::uint64_t{added});
    }

    void goesOnAfterABeginning() {
        const auto responder = openStandIn(StandIn::Full);
        QVERIFY(responder != nullptr);
        const ResponseOutcome whole = respond(*responder, greedy("one"));
        QCOMPARE(QByteArray::fromStdString(whole.shown).trimmed(), QByteArray("two three four one two three four one"));
        const auto ids = idsOf(whole.pieces);
        ResponseRequest rest = greedy("one", 4);
        rest.begun.tokens = {ids.begin(), ids.begin() + 4};
        rest.begun.text = " two three four one";
        const ResponseOutcome asTokens = respond(*responder, rest);
        QCOMPARE(idsOf(asTokens.pieces), (std::vector<TokenId>(ids.begin() + 4, ids.end())));
        QCOMPARE(asTokens.response->figures.promptTokens + 4, asTokens.prompt.ids.size());
        QCOMPARE(asTokens.response->figures.readTokens, std::size_t{1}); // the others are cached

        // With another candidate, only that token has to be read.
        rest.begun.tokens.back() = ids[0];
        const ResponseOutcome other = respond(*responder, rest);
        QCOMPARE(other.pieces.front().token, std::optional(ids[1]));
        QCOMPARE(other.response->figures.readTokens, std::size_t{1});

        rest.begun.tokens.clear();
        rest.begun.text = " four";
        const ResponseOutcome asText = respond(*responder, rest);
        QCOMPARE(asText.pieces.front().bytes, std::string(" one"));
        QCOMPARE(asText.prompt.text, std::string("one"));
        QCOMPARE(asText.response->figures.promptTokens, asText.prompt.ids.size());
    }

    // A text may become longer than the context: its beginning is then dropped.
    void aTextOutgrowsTheContext() {
        const auto responder = openBuiltIn({.context = 64, .threads = 1});
        std::string text = "Once";
        for (int i = 0; i < 50; ++i) {
            text += " one two";
        }
        const ResponseOutcome cut = respond(*responder, greedy(text, 100));
        QVERIFY(cut.response);
        QCOMPARE(cut.response->reason, std::optional(StopReason::MaxTokens));
        QCOMPARE(cut.pieces.size(), std::size_t{100});
        QVERIFY(cut.prompt.ids.size() > 64);
        QVERIFY(cut.response->figures.readTokens < 64);
        QVERIFY(cut.response->figures.contextUsed <= 64);
        // All that is left is the first token and the end.
        const std::size_t all = cut.prompt.ids.size() + cut.pieces.size() - 1; // the last token is not evaluated
        QCOMPARE(cut.leftOutTokens, all - cut.response->figures.contextUsed);

        // To go on, hardly anything is read again.
        ResponseRequest next = greedy(text, 1);
        next.begun.tokens = idsOf(cut.pieces);
        const ResponseOutcome more = respond(*responder, next);
        QVERIFY(more.response);
        QCOMPARE(more.response->figures.readTokens, std::size_t{1});
        QCOMPARE(more.leftOutTokens, cut.leftOutTokens);

        next.settings.shift = false;
        QCOMPARE(respond(*responder, next).response.error().code, ErrorCode::LimitExceeded);
    }

    void stops() {
        const auto responder = openStandIn(StandIn::Full, 100'000);
        const ResponseOutcome enough = respond(*responder, greedy("one", 0), {}, 5);
        QVERIFY(enough.response && !enough.response->reason);
        QCOMPARE(enough.pieces.size(), std::size_t{5});

        std::stop_source source;
        source.request_stop();
        const ResponseOutcome before = respond(*responder, greedy("two", 0), {.stop = source.get_token()});
        QVERIFY(before.response && !before.response->reason && before.pieces.empty());

        std::stop_source soon;
        std::size_t pieces = 0;
        ResponseListener listener;
        listener.piece = [&](const ResponsePiece&, const ResponseFigures&) {
            if (++pieces == 3) {
                soon.request_stop();
            }
            return true;
        };
        const auto within = responder->respond(greedy("one", 0), listener, {.stop = soon.get_token()});
        QVERIFY(within && !within->reason);
        QCOMPARE(pieces, std::size_t{3});
    }

    void keepsToAGrammar() {
        const auto responder = openStandIn(StandIn::Full);
        ResponseRequest request = greedy("one");
        request.grammar = Grammar::parse("root ::= \" four three\"").value();
        QCOMPARE(request.grammar->text,
                 std::string("root ::= \" four three\"")); // for engines that parse it themselves
        const ResponseOutcome outcome = respond(*responder, request);
        QCOMPARE(outcome.shown, std::string(" four three"));
        QCOMPARE(outcome.response->reason, std::optional(StopReason::EndToken));
    }

    void saysWhatIsWrong() {
        const auto small = openBuiltIn({.context = 4, .threads = 1});
        ResponseRequest unshifted = greedy("one two three four one two three four");
        unshifted.settings.shift = false;
        const ResponseOutcome full = respond(*small, unshifted);
        QVERIFY(!full.response);
        QCOMPARE(full.response.error().code, ErrorCode::LimitExceeded);
        QCOMPARE(full.response.error().args.front(), Argument(Detail::ContextTokens));

        const auto mute = openBuiltIn({.context = 64, .threads = 1}, {.tokenizer = false});
        QVERIFY(mute != nullptr && !mute->facts().canRespond());
        const ResponseOutcome none = respond(*mute, greedy("one"));
        QVERIFY(!none.response);
        QCOMPARE(none.response.error().code, mute->facts().tokenizerError->code);

        const auto bare = openBuiltIn({.context = 64, .threads = 1}, {.chatTemplate = {}});
        const ResponseOutcome chat =
            respond(*bare, {.prompt = ChatPrompt{.messages = {{.role = "user", .content = "one"}}}});
        QVERIFY(!chat.response);
        QCOMPARE(chat.response.error().code, ErrorCode::NoSuchKey);

        const auto talker = openStandIn(StandIn::ConversationOnly);
        QVERIFY(talker != nullptr && talker->facts().canRespond());
        QVERIFY(!respond(*talker, greedy("one")).response);
    }

    // Engines that apply the template themselves receive the messages.
    void conversationsGoToTheEngine() {
        const auto responder = openStandIn(StandIn::ConversationOnly);
        ResponseRequest request = greedy({}, 3);
        request.prompt =
            ChatPrompt{.messages = {{.role = "system", .content = "Be brief."}, {.role = "user", .content = "Count."}}};
        const ResponseOutcome outcome = respond(*responder, request);
        QVERIFY(outcome.response);
        QCOMPARE(test::StandInLog::instance().last(), std::string("system: Be brief.|user: Count.|"));
        QCOMPARE(outcome.shown, std::string(" one two three"));
        QVERIFY(outcome.prompt.text.empty() && outcome.prompt.ids.empty());
        QVERIFY(!outcome.pieces.front().token && !outcome.pieces.front().logProbability);
    }
};

GUFO_TEST(TestResponder)
#include "tst_responder.moc"
