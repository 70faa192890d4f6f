// Drafts with the block of a model that predicts further tokens: what the block computes, which state it pairs with
// which token, and that drafts never change the text.
#include "inference/engine/gufo_engine.h"
#include "inference/engine/mtp_drafter.h"
#include "inference/engine_table.h"
#include "inference/generation/generation.h"
#include "inference/generation/session_responder.h"
#include "inference/interface/memory_needs.h"
#include "lying_runs.h"
#include "predicting_models.h"
#include "session_helpers.h"
#include "support/predicting_file.h"
#include "support/test_unit.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

constexpr std::size_t kPairs = 20;

using MakesModel = std::function<std::shared_ptr<const Model>()>;
using Accepts = std::function<bool(std::uint64_t accepted, std::uint64_t drafted)>; // whether drafts were as good

const std::map<QString, PredictingCopy>& predictingCopies() {
    static const std::map<QString, PredictingCopy> table{
        {"glm4moe", {.fixture = "glm4moe"}},
        {"bailingmoe2", {.fixture = "bailingmoe2", .lastNorm = "layer_output_norm"}},
        {"deepseek2", {.fixture = "deepseek2"}},
        {"deepseek32", {.fixture = "deepseek32", .lastNorm = nullptr}},
        {"deepseek32 with an indexer", {.fixture = "deepseek32", .indexer = true}},
        {"qwen3next", {.fixture = "qwen3next", .ownTables = true}},
        {"qwen35", {.fixture = "qwen35"}},
        {"qwen35moe", {.fixture = "qwen35moe"}},
    };
    return table;
}

void addCopies() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, copy] : predictingCopies()) {
        QTest::newRow(qPrintable(name)) << name;
    }
}

// A block with the threads and options that a session would lend it.
struct Alone {
    Team team{2};
    std::shared_ptr<const BoundModel> predictor;
    std::unique_ptr<MtpBlock> block;

    explicit Alone(const std::shared_ptr<const Model>& model) {
        predictor = makePredictor(model, SmallTensors::Decoded).value();
        SessionOptions options = exactly(64, 32);
        options.ropeContext = 64;
        const ModelShape shape = shapeOf(*predictor, options).value();
        const MtpBlock counted(predictor, shape, options, team, {});
        block = std::make_unique<MtpBlock>(predictor, shape, options, team, Memory::reserve(counted.memory()).value());
    }
};

double differenceFrom(std::span<const float> logits, const std::vector<double>& expected) {
    return largestDifference(logits, std::vector<float>(expected.begin(), expected.end()));
}

// The tokens that follow `text` if the model draws the most probable ones.
std::vector<TokenId> continued(const LoadedModel& loaded, std::span<const TokenId> text, std::size_t count) {
    const auto session = start(loaded, exactly(256, 16));
    std::vector<TokenId> result;
    Result<> evaluated = session->evaluate(text, Logits::Last, {});
    while (evaluated && result.size() < count) {
        const auto logits = session->logits(0);
        result.emplace_back(static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin()));
        evaluated = session->evaluate({&result.back(), 1}, Logits::Last, {});
    }
    return result;
}

struct Drafted {
    std::unique_ptr<Session> session;
    std::shared_ptr<Drafter> drafter;

    explicit Drafted(const LoadedModel& loaded, SessionOptions options = exactly(256, 16))
        : session(start(loaded, options))
        , drafter(session->startMtpDrafts().value()) {}

    // The logits of the first prediction after the text of the session and `next`.
    std::vector<float> predicted(TokenId next) {
        std::vector<TokenId> text(session->tokens().begin(), session->tokens().end());
        text.push_back(next);
        if (!drafter->propose(text, 1, {})) {
            return {};
        }
        const auto logits = dynamic_cast<MtpDrafter&>(*drafter).block().logits();
        return {logits.begin(), logits.end()};
    }
    // How many pairs the block has.
    [[nodiscard]] std::size_t pairs() const { return dynamic_cast<MtpDrafter&>(*drafter).block().pairs(); }
};

// Changes a session that holds `tokens` so that its drafts begin anew. False: it failed.
using Interruption = std::function<bool(Drafted&, const LoadedModel&, std::span<const TokenId> tokens)>;

// The same after the text was evaluated in one session from the start.
std::vector<float> predictedAfter(const LoadedModel& loaded, std::span<const TokenId> text, TokenId next) {
    Drafted fresh(loaded);
    return fresh.session->evaluate(text, Logits::None, {}) ? fresh.predicted(next) : std::vector<float>();
}

QString draftRefusalOf(const std::shared_ptr<const Model>& model) {
    const auto loaded = loadForInference(model);
    if (!loaded) {
        return "does not run: " + errorText(loaded.error());
    }
    const auto session = start(**loaded, exactly(64, 16));
    const auto started = session->startMtpDrafts();
    const auto drafts = (*loaded)->mtpDrafts();
    if (drafts || started) {
        return drafts.has_value() == started.has_value() ? "drafts" : "contradicts itself";
    }
    return errorText(drafts.error()) == errorText(started.error()) ? errorText(drafts.error()) : "contradicts itself";
}

} // namespace

class TestMtpDrafts : public QObject {
    Q_OBJECT

private slots:
    void predictions_data() { addCopies(); }
    void predictions() {
        QFETCH(QString, name);
        const auto model = predictingModel(predictingCopies().at(name));
        const auto width = static_cast<std::size_t>(*HyperParameters(model->metadata).uint("embedding_length"));
        const auto tokens = randomTokens(kPairs, 64, 3);
        Noise noise(5);
        std::vector<std::vector<double>> states(kPairs, std::vector<double>(width));
        std::vector<float> rows;
        for (auto& state : states) {
            for (double& value : state) {
                value = rows.emplace_back(noise.next());
            }
        }
        const auto expected = PredictionReference(*model).logits(tokens, states);
        const Rows all{rows.data(), width};
        Alone alone(model);
        MtpBlock& block = *alone.block;
        for (const std::size_t together : {kPairs, std::size_t{7}, std::size_t{1}}) {
            block.truncate(0);
            for (std::size_t at = 0; at < kPairs; at += together) {
                const std::size_t count = std::min(together, kPairs - at);
                QVERIFY(block.evaluate(std::span(tokens).subspan(at, count), {all[at], width}, {}));
                block.predict();
                const double difference = differenceFrom(block.logits(), expected[at + count - 1]);
                QVERIFY2(
                    difference <= 1e-3,
                    qPrintable(
                        QStringLiteral("%1 together, after %2: %3").arg(together).arg(at + count).arg(difference)));
            }
        }
        // Pairs that were dropped leave nothing behind.
        block.truncate(12);
        QVERIFY(block.evaluate(std::span(tokens).subspan(12, 5), {all[12], width}, {}));
        block.predict();
        QVERIFY(differenceFrom(block.logits(), expected[16]) <= 1e-3);
        QVERIFY(differenceFrom(block.logits(), expected[15]) > 0.1);
        // A predicted state takes the place of a state of the model.
        std::vector<std::vector<double>> further(states.begin(), states.begin() + 17);
        further.emplace_back(block.state()[0], block.state()[0] + width);
        QVERIFY(block.evaluate(std::span(tokens).subspan(17, 1), block.state(), {}));
        block.predict();
        const auto afterwards = PredictionReference(*model).logits(std::span(tokens).first(18), further);
        QVERIFY(differenceFrom(block.logits(), afterwards.back()) <= 1e-3);
    }

    // The output matrix makes the logits of them.
    void statesOfTheModel_data() { addCopies(); }
    void statesOfTheModel() {
        QFETCH(QString, name);
        const auto model = predictingModel(predictingCopies().at(name));
        const auto loaded = loadForInference(model);
        QVERIFY(loaded);
        const auto session = start(**loaded, exactly(64, 6));
        std::vector<std::vector<float>> states;
        dynamic_cast<EngineSession&>(*session).passStates([&](std::size_t tokens, Rows rows, const std::stop_token&) {
            for (std::size_t t = 0; t < tokens; ++t) {
                const auto width = *HyperParameters(model->metadata).uint("embedding_length");
                states.emplace_back(rows[t], rows[t] + width);
            }
        });
        const auto tokens = randomTokens(22, session->vocabulary());
        QVERIFY(session->evaluate(std::span(tokens).first(7), Logits::None, {}));
        QVERIFY(session->evaluate(std::span(tokens).subspan(7, 1), Logits::Last, {}));
        const auto logits = logitsOf(*session, std::span(tokens).subspan(8, 14), 14);
        QCOMPARE(states.size(), tokens.size());
        const bool untied = model->findTensor("output.weight").has_value();
        const auto output = weightsOf(*model, untied ? "output.weight" : "token_embd.weight");
        for (std::size_t t = 8; t < tokens.size(); ++t) {
            const std::vector<float>& state = states[t];
            for (std::size_t row = 0; row < session->vocabulary(); row += 41) {
                const auto weights = output.begin() + static_cast<std::ptrdiff_t>(row * state.size());
                const double expected = std::inner_product(state.begin(), state.end(), weights, 0.0);
                QVERIFY(std::abs(logits[(t - 8) * session->vocabulary() + row] - expected) < 1e-3);
            }
        }
    }

    // In this model the state and the token of a pair must agree, or nothing is proposed.
    void everyTokenIsRight() {
        const auto model = modelOf(predictingFile().build());
        const auto loaded = loadForInference(model);
        QVERIFY(loaded && (*loaded)->mtpDrafts());
        const auto prompt = randomTokens(37, 300); // three batches
        const auto text = continued(**loaded, prompt, 60);
        Drafted drafted(**loaded);
        QVERIFY(drafted.session->evaluate(prompt, Logits::Last, {}));
        std::size_t round = 0;
        for (std::size_t at = 0; at + 9 < text.size(); ++round) {
            std::vector<TokenId> known(drafted.session->tokens().begin(), drafted.session->tokens().end());
            known.push_back(text[at]);
            const auto proposal = drafted.drafter->propose(known, 8, {});
            QVERIFY(proposal);
            QVERIFY(std::ranges::equal(*proposal, std::span(text).subspan(at + 1, 8)));
            const std::size_t accepted = round % 2 == 0 ? 8 - round % 9 : round % 9; // the rest as if another was drawn
            QVERIFY(drafted.session->evaluate(std::span(text).subspan(at, 9), Logits::All, {}));
            QCOMPARE(drafted.session->truncate(prompt.size() + at + accepted + 1), prompt.size() + at + accepted + 1);
            at += accepted + 1;
        }
    }

    void textStaysTheSame_data() {
        QTest::addColumn<MakesModel>("makes");
        QTest::addColumn<double>("temperature");
        QTest::addColumn<int>("context");
        QTest::addColumn<Accepts>("accepts");
        const MakesModel right = [] { return modelOf(predictingFile({}).build()); };
        const MakesModel wrongOnce = [] { return modelOf(predictingFile({.wrongOnce = true}).build()); };
        const Accepts any = [](std::uint64_t, std::uint64_t) { return true; };
        const Accepts some = [](std::uint64_t accepted, std::uint64_t) { return accepted > 0; };
        const Accepts all = [](std::uint64_t accepted, std::uint64_t drafted) {
            return accepted > 0 && accepted == drafted;
        };
        const Accepts notAll = [](std::uint64_t accepted, std::uint64_t drafted) {
            return accepted > 0 && accepted < drafted;
        };
        QTest::newRow("right, temperature 0") << right << 0.0 << 160 << all;
        QTest::newRow("right, temperature 3") << right << 3.0 << 160 << some;
        QTest::newRow("right, a context that overflows") << right << 0.0 << 60 << all;
        QTest::newRow("wrong once, temperature 0") << wrongOnce << 0.0 << 160 << notAll;
        QTest::newRow("wrong once, temperature 3") << wrongOnce << 3.0 << 160 << notAll;
        QTest::newRow("wrong once, a context that overflows") << wrongOnce << 0.0 << 60 << notAll;
        const auto copyOf = [](const QString& name) -> MakesModel {
            return [name] { return predictingModel(predictingCopies().at(name)); };
        };
        for (const auto& [name, copy] : predictingCopies()) {
            QTest::newRow(qPrintable(name)) << copyOf(name) << 0.0 << 128 << any;
        }
        QTest::newRow("glm4moe, a context that overflows") << copyOf(QStringLiteral("glm4moe")) << 0.0 << 60 << any;
    }
    void textStaysTheSame() {
        QFETCH(MakesModel, makes);
        QFETCH(double, temperature);
        QFETCH(int, context);
        QFETCH(Accepts, accepts);
        const auto loaded = loadForInference(makes());
        const auto words = modelOf(predictingFile({}).build());
        const auto tokenizer = text::makeTokenizer(*words);
        QVERIFY(loaded && tokenizer);
        const GenerationSettings settings{
            .sampler = {.temperature = temperature, .topK = 0, .topP = 1, .minP = 0, .seed = 5, .ignoreEnd = true},
            .maxTokens = 70};
        const auto prompt = randomTokens(40, 64);
        const auto generate = [&](bool drafts) {
            const auto session = start(**loaded, exactly(static_cast<std::uint32_t>(context), 16));
            auto drafter = drafts ? session->startMtpDrafts().value() : nullptr;
            Generation generation(*session, *tokenizer, settings);
            generation.setDrafter(std::move(drafter));
            std::vector<TokenId> ids;
            auto token = generation.start(prompt, {}) ? generation.next({}) : fail(ErrorCode::Cancelled);
            for (; token && *token; token = generation.next({})) {
                ids.push_back((*token)->choice.token);
            }
            ids.insert(ids.end(), session->tokens().begin(), session->tokens().end());
            return std::pair(ids, generation.figures());
        };
        const auto [plain, none] = generate(false);
        const auto [drafted, figures] = generate(true);
        QVERIFY(plain.size() > 70);
        QCOMPARE(drafted, plain);
        QCOMPARE(figures.evaluations + figures.accepted, figures.tokens);
        QVERIFY2(accepts(figures.accepted, figures.drafted),
                 qPrintable(QStringLiteral("%1 of %2").arg(figures.accepted).arg(figures.drafted)));
    }

    // Whatever happened to the session, it predicts like a session that evaluated the text from its start.
    void followsTheSession() {
        const auto model = predictingModel({.fixture = "glm4moe"});
        const auto loaded = loadForInference(model);
        QVERIFY(loaded);
        const auto tokens = randomTokens(60, 260);
        const auto others = randomTokens(60, 260, 9);
        Drafted drafted(**loaded);
        const auto isRight = [&](TokenId next) {
            const auto held = drafted.session->tokens();
            const std::vector<TokenId> text(held.begin(), held.end());
            return drafted.pairs() <= text.size() &&
                   largestDifference(drafted.predicted(next), predictedAfter(**loaded, text, next)) <= 1e-4;
        };
        const auto early = drafted.drafter->propose(std::span(tokens).first(1), 3, {});
        QVERIFY(early && early->empty()); // nothing is known yet
        // Several batches; the last is shorter.
        QVERIFY(drafted.session->evaluate(std::span(tokens).first(37), Logits::Last, {}));
        QVERIFY(isRight(tokens[37]));
        QVERIFY(isRight(others[0])); // another token was drawn instead
        // The same tokens again, as when an answer is generated again.
        for (const std::size_t begin : {36U, 20U}) {
            QCOMPARE(drafted.session->truncate(begin), begin);
            QVERIFY(drafted.session->evaluate(std::span(tokens).subspan(begin, 37 - begin), Logits::Last, {}));
            QVERIFY(isRight(tokens[37]));
            QCOMPARE(drafted.pairs(), std::size_t{37});
        }
        // Singly, some of them with predictions in between.
        for (std::size_t at = 37; at < 42; ++at) {
            QVERIFY(drafted.session->evaluate(std::span(tokens).subspan(at, 1), Logits::Last, {}));
            QVERIFY(at % 2 == 0 || isRight(tokens[at + 1]));
        }
        // A draft with one accepted token.
        QVERIFY(drafted.session->evaluate(std::span(others).first(4), Logits::All, {}));
        QCOMPARE(drafted.session->truncate(43), std::size_t{43});
        QVERIFY(isRight(tokens[3]));
        // Another branch begins within the last batch.
        QCOMPARE(drafted.session->truncate(38), std::size_t{38});
        QVERIFY(drafted.session->evaluate(std::span(others).first(3), Logits::Last, {}));
        QVERIFY(isRight(tokens[3]));
        // A request to stop, before a batch and while predicting.
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!drafted.session->evaluate(std::span(others).first(30), Logits::Last, {.stop = stop.get_token()}));
        std::vector<TokenId> text(drafted.session->tokens().begin(), drafted.session->tokens().end());
        text.push_back(others[5]);
        const auto cancelled = drafted.drafter->propose(text, 3, {.stop = stop.get_token()});
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
        QVERIFY(isRight(others[5]));
        // A saved state that is a beginning of the text.
        const auto state = drafted.session->saveState();
        QVERIFY(drafted.session->evaluate(std::span(others).first(5), Logits::None, {}));
        QVERIFY(drafted.session->restoreState(state));
        QVERIFY(isRight(others[7]));
    }

    // It then begins anew, and still proposes only what it can know.
    void startsAgain_data() {
        QTest::addColumn<Interruption>("interrupt");
        const auto row = [](const char* name, const Interruption& interrupt) { QTest::newRow(name) << interrupt; };
        row("a shift", [](Drafted& drafted, const LoadedModel&, std::span<const TokenId>) {
            return drafted.session->shift(5, 20, {}).has_value();
        });
        row("another branch before the last batches",
            [](Drafted& drafted, const LoadedModel&, std::span<const TokenId>) {
                drafted.session->truncate(20);
                return true;
            });
        row("a restored state", [](Drafted& drafted, const LoadedModel& loaded, std::span<const TokenId> tokens) {
            const auto other = start(loaded, exactly(256, 16));
            return other->evaluate(tokens.last(30), Logits::None, {}) &&
                   drafted.session->restoreState(other->saveState());
        });
        row("a session that holds tokens already",
            [](Drafted& drafted, const LoadedModel& loaded, std::span<const TokenId> tokens) {
                drafted.drafter.reset();
                drafted.session = start(loaded, exactly(256, 16));
                const bool holds = drafted.session->evaluate(tokens, Logits::None, {}).has_value();
                drafted.drafter = drafted.session->startMtpDrafts().value();
                return holds;
            });
    }
    void startsAgain() {
        QFETCH(Interruption, interrupt);
        const auto loaded = loadForInference(modelOf(predictingFile().build()));
        QVERIFY(loaded);
        const auto tokens = randomTokens(60, 300);
        Drafted drafted(**loaded);
        QVERIFY(drafted.session->evaluate(tokens, Logits::None, {}));
        QVERIFY(interrupt(drafted, **loaded, tokens));
        const std::size_t held = drafted.session->tokens().size();
        const auto text = continued(**loaded, drafted.session->tokens(), 30);
        for (std::size_t at = 0; at < 20; ++at) {
            std::vector<TokenId> known(drafted.session->tokens().begin(), drafted.session->tokens().end());
            known.push_back(text[at]);
            const auto proposal = drafted.drafter->propose(known, 4, {});
            QVERIFY(proposal);
            if (at != 0) {
                QVERIFY(std::ranges::equal(*proposal, std::span(text).subspan(at + 1, 4)));
                QVERIFY(drafted.pairs() < held);
            }
            QVERIFY(drafted.session->evaluate({&known.back(), 1}, Logits::Last, {}));
        }
    }

    void refusals() {
        QCOMPARE(draftRefusalOf(modelOf(predictingFile().build())), "drafts");
        QCOMPARE(draftRefusalOf(modelOf(predictingFile({.predicts = false}).build())),
                 "no_such_key | glm4moe.nextn_predict_layers");
        const auto wrong = modelOf(predictingFile({.projected = 100}).build());
        const QString width = QString::number(runnableWords().tokens.size());
        QCOMPARE(draftRefusalOf(wrong),
                 QString("wrong_shape | 100 × %1 | %2 × %1").arg(width).arg(2 * runnableWords().tokens.size()));
        const auto with = [](const char* fixture, const auto& change) {
            const auto model = predictingModel({.fixture = fixture});
            ModelMaker maker = copyOf(
                *model, [](std::string_view) { return false; },
                [&](ModelMaker& copy, const TensorInfo& tensor, Bytes) { return change(copy, tensor.name); });
            change(maker, "");
            return draftRefusalOf(maker.model());
        };
        QCOMPARE(
            with("qwen35", [](ModelMaker&, std::string_view name) { return name.ends_with("nextn.hnorm.weight"); }),
            "no_such_tensor | blk.4.nextn.hnorm.weight");
        QCOMPARE(with("glm4moe",
                      [](ModelMaker& copy, std::string_view name) {
                          if (name.empty()) {
                              copy.tensor("blk.4.ffn_unknown.weight", {8});
                          }
                          return false;
                      }),
                 "tensors_not_used | blk.4.ffn_unknown.weight");
        // Fewer tokens than the model has: looking others up would read what follows the table.
        QCOMPARE(with("glm4moe",
                      [](ModelMaker& copy, std::string_view name) {
                          if (name.empty()) {
                              copy.tensor("blk.4.nextn.embed_tokens.weight", {32, 200});
                          }
                          return false;
                      }),
                 "wrong_shape | 32 × 200 | 32 × 264");
        // An architecture without a published model that has such a block.
        const auto llama = openFixture("llama");
        ModelMaker maker = copyOf(*llama, [](std::string_view) { return false; });
        maker.u32("llama.nextn_predict_layers", 1);
        QCOMPARE(draftRefusalOf(maker.model()), "not_runnable | llama.nextn_predict_layers = 1");
    }

    // The memory of drafts is needed by sessions that draft, and by no others.
    void memory() {
        const auto model = predictingModel({.fixture = "glm4moe"});
        const auto plain = openFixture("glm4moe"); // the block's tensors are left out, too
        const SessionOptions options = exactly(128, 16);
        SessionOptions drafting = options;
        drafting.mtpDrafts = true;
        const auto without = memoryNeeds(model, options);
        const auto with = memoryNeeds(model, drafting);
        QVERIFY(without && with);
        QCOMPARE(memoryNeeds(openFixture("llama"), drafting)->anonymous(),
                 memoryNeeds(openFixture("llama"), options)->anonymous());
        // Two KV heads of 16 elements, for keys and values.
        QCOMPARE(with->kvPerToken - without->kvPerToken, std::uint64_t{2 * 2 * 16 * sizeof(float)});
        QCOMPARE(with->kvCache - without->kvCache, 128 * (with->kvPerToken - without->kvPerToken));
        const Drafted drafted(**loadForInference(model), options);
        const Memory& taken = dynamic_cast<MtpDrafter&>(*drafted.drafter).block().memory();
        const std::uint64_t buffers = with->scratch + with->logits + with->kvCache;
        QCOMPARE(buffers - without->scratch - without->logits - without->kvCache, taken.taken());
    }

    void answers() {
        const auto loaded = loadForInference(modelOf(predictingFile({.wrongOnce = true}).build()));
        QVERIFY(loaded);
        auto responder = openSessionResponder(engines().front().capabilities, *loaded, exactly(256, 16), {});
        QVERIFY(responder && (*responder)->facts().mtpDrafts);
        const auto answerOf = [&](bool drafts, const char* question) {
            std::string text;
            ResponseListener listener;
            listener.piece = [&](const ResponsePiece& piece, const ResponseFigures&) {
                text += piece.shown;
                return true;
            };
            ResponseRequest request{.prompt = ChatPrompt{.messages = {{.role = "user", .content = question}}}};
            request.settings.sampler.temperature = 0;
            request.settings.maxTokens = 60;
            request.mtpDrafts = drafts;
            const auto response = (*responder)->respond(request, listener, {});
            return std::pair(text, response ? response->figures : ResponseFigures());
        };
        const auto [plain, none] = answerOf(false, "count one");
        QCOMPARE(none.draftedTokens, std::uint64_t{0});
        QVERIFY(plain.starts_with(" one two three four owl") || plain.starts_with("one two three"));
        for (const char* question : {"count one", "count two", "count one"}) { // the last two share a beginning
            const auto [drafted, figures] = answerOf(true, question);
            QCOMPARE(drafted, plain);
            QVERIFY(figures.acceptedTokens > 0 && figures.acceptedTokens < figures.draftedTokens);
        }
        QCOMPARE(answerOf(false, "count one").second.draftedTokens, std::uint64_t{0});
        // A model without such a block says so.
        const auto without = loadForInference(modelOf(predictingFile({.predicts = false}).build()));
        auto other = openSessionResponder(engines().front().capabilities, *without, exactly(256, 16), {});
        QVERIFY(other && !(*other)->facts().mtpDrafts);
        const auto refused = (*other)->respond({.prompt = "one", .mtpDrafts = true}, {}, {});
        QVERIFY(!refused && refused.error().code == ErrorCode::NoSuchKey);
    }
};

GUFO_TEST(TestMtpDrafts)
#include "tst_mtp_drafts.moc"
