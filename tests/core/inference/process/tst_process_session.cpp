// Tests sessions of an engine in a process of its own, with a stand-in for libllama whose logits depend on every token:
// evaluation, going back, shifting, saved states, refusals of the library, crashes, and cancelling.
#include "base/detail.h"
#include "inference/generation/session_responder.h"
#include "inference/grammar/grammar.h"
#include "inference/measuring/perplexity.h"
#include "inference/process/process_model.h"
#include "inference/process/process_session.h"
#include "llama_double_model.h"
#include "llama_double_rule.h"
#include "support/test_unit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <functional>
#include <poll.h>
#include <thread>

using namespace gufo;
using namespace gufo::inference;
using namespace std::chrono_literals;

namespace {

constexpr EngineCapabilities kCapabilities{
    .scores = Scores::Logits, .input = Input::Tokens, .grammars = true, .savesState = true, .shiftsContext = true};

std::vector<TokenId> ids(std::initializer_list<std::size_t> numbers) {
    std::vector<TokenId> tokens;
    for (const std::size_t number : numbers) {
        tokens.emplace_back(number);
    }
    return tokens;
}

std::vector<TokenId> randomTokens(std::size_t count, std::size_t first = 10) {
    std::vector<TokenId> tokens;
    for (std::size_t i = 0; i < count; ++i) {
        tokens.emplace_back(10 + (first + i * 7) % 200);
    }
    return tokens;
}

QByteArray detailOf(const Error& error) {
    if (error.args.empty() || !error.args[0].detail()) {
        return QByteArray::fromStdString(std::string(errorName(error.code)));
    }
    return QByteArray::fromStdString(error.args[0].text());
}

// Makes a saved state unusable.
using Damage = std::function<void(std::vector<std::byte>& state)>;

} // namespace

class TestProcessSession : public QObject {
    Q_OBJECT

    test::LlamaDoubleModel m_model;

    [[nodiscard]] Result<std::unique_ptr<Session>> start(const SessionOptions& options = {.context = 128},
                                                         const JobContext& job = {}) const {
        auto loaded = loadInProcess(m_model.model(), GUFO_LLAMA_HELPER_DOUBLE);
        return loaded ? (*loaded)->startSession(options, job) : std::unexpected(loaded.error());
    }
    // What the rule of the stand-in gives after the session's first `count` tokens.
    [[nodiscard]] std::vector<float> expected(std::span<const TokenId> tokens) const {
        std::vector<std::int32_t> numbers;
        for (const TokenId token : tokens) {
            numbers.push_back(static_cast<std::int32_t>(token.value));
        }
        return llama_double::logitsAfter(numbers, m_model.vocabulary());
    }
    [[nodiscard]] bool lastIsRight(const Session& session) const {
        return std::ranges::equal(session.logits(0), expected(session.tokens()));
    }

private slots:
    void init() { m_model.behave({}); }

    void evaluates_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("batch");
        QTest::newRow("one") << 1 << 512;
        QTest::newRow("a batch") << 32 << 32;
        QTest::newRow("several batches") << 100 << 32;
        QTest::newRow("one after another") << 5 << 1;
        QTest::newRow("all that fits") << 128 << 50;
    }
    void evaluates() {
        QFETCH(int, tokens);
        QFETCH(int, batch);
        auto session = start({.context = 128, .batch = static_cast<std::uint32_t>(batch)});
        QVERIFY(session.has_value());
        QCOMPARE((*session)->context(), 128U);
        QCOMPARE((*session)->vocabulary(), static_cast<std::uint32_t>(m_model.vocabulary()));
        const auto text = randomTokens(static_cast<std::size_t>(tokens));
        Progress progress;
        QVERIFY((*session)->evaluate(text, Logits::All, {.stop = {}, .progress = &progress}));
        QCOMPARE(progress.done(), text.size());
        QVERIFY(std::ranges::equal((*session)->tokens(), text));
        for (std::size_t i = 0; i < text.size(); ++i) {
            QVERIFY(std::ranges::equal((*session)->logits(i), expected(std::span(text).first(i + 1))));
        }
        const SessionFigures& figures = (*session)->figures();
        QCOMPARE(figures.promptTokens + figures.generatedTokens, text.size());
    }

    void goesBackAndOn() {
        auto session = start();
        QVERIFY(session.has_value());
        Session& s = **session;
        QVERIFY(s.evaluate(randomTokens(20), Logits::Last, {}) && lastIsRight(s));
        QCOMPARE(s.truncate(30), std::size_t{20});
        QCOMPARE(s.truncate(12), std::size_t{12});
        QVERIFY(s.evaluate(ids({40, 41}), Logits::Last, {}) && lastIsRight(s)); // another branch
        QCOMPARE(s.tokens().size(), std::size_t{14});
        QVERIFY(s.evaluate(ids({42}), Logits::None, {}));
        QVERIFY(s.evaluate(ids({43}), Logits::Last, {}) && lastIsRight(s));
        QCOMPARE(s.truncate(0), std::size_t{0});
        QVERIFY(s.evaluate(ids({44}), Logits::Last, {}) && lastIsRight(s));
    }

    void recurrentForgetsAll() {
        m_model.behave("recurrent");
        auto session = start();
        QVERIFY(session.has_value());
        Session& s = **session;
        QVERIFY(s.evaluate(randomTokens(20), Logits::None, {}));
        QCOMPARE(s.truncate(19), std::size_t{0});
        const auto text = randomTokens(20);
        QVERIFY(s.evaluate(text, Logits::Last, {}) && lastIsRight(s));
        // What follows the dropped tokens is evaluated again.
        QVERIFY(s.shift(4, 6, {}));
        QCOMPARE(s.tokens().size(), std::size_t{14});
        QVERIFY(s.evaluate(ids({44}), Logits::Last, {}) && lastIsRight(s));
    }

    void shifts() {
        auto session = start();
        QVERIFY(session.has_value());
        Session& s = **session;
        const auto text = randomTokens(20);
        QVERIFY(s.evaluate(text, Logits::None, {}));
        QVERIFY(s.shift(4, 6, {}));
        QVERIFY(std::ranges::equal(s.tokens().first(4), std::span(text).first(4)));
        QVERIFY(std::ranges::equal(s.tokens().subspan(4), std::span(text).subspan(10)));
        QVERIFY(s.evaluate(ids({44}), Logits::Last, {}) && lastIsRight(s));
        QVERIFY(s.shift(0, 0, {}));
        const auto outside = s.shift(10, 6, {});
        QVERIFY(!outside && outside.error().code == ErrorCode::InvalidArgument);
    }

    void savesAndRestores() {
        auto session = start();
        QVERIFY(session.has_value());
        Session& s = **session;
        QVERIFY(s.evaluate(randomTokens(30), Logits::None, {}));
        const auto state = s.saveState();
        QVERIFY(!state.empty());
        QVERIFY(s.evaluate(ids({50}), Logits::None, {}));
        QVERIFY(s.restoreState(state));
        QCOMPARE(s.tokens().size(), std::size_t{30});
        QVERIFY(s.evaluate(ids({44}), Logits::Last, {}) && lastIsRight(s));
        auto other = start(); // in another process
        QVERIFY(other.has_value());
        QVERIFY((*other)->restoreState(state));
        QVERIFY((*other)->evaluate(ids({44}), Logits::Last, {}) && lastIsRight(**other));
        QCOMPARE(s.truncate(0), std::size_t{0});
        const auto empty = s.saveState();
        QVERIFY(!empty.empty() && s.restoreState(empty));
    }

    void unusableStates_data() {
        QTest::addColumn<Damage>("damage");
        const auto row = [](const char* name, const Damage& damage) { QTest::newRow(name) << damage; };
        row("empty", [](std::vector<std::byte>& state) { state.clear(); });
        row("cut", [](std::vector<std::byte>& state) { state.resize(state.size() - 3); });
        row("longer", [](std::vector<std::byte>& state) { state.resize(state.size() + 4); });
        row("of another vocabulary", [](std::vector<std::byte>& state) { state[4] ^= std::byte{1}; });
        row("too many tokens", [](std::vector<std::byte>& state) { state[0] = std::byte{255}; });
        row("other token", [](std::vector<std::byte>& state) { state[10] = std::byte{255}; }); // the first
    }
    void unusableStates() {
        QFETCH(Damage, damage);
        auto session = start();
        QVERIFY(session && (*session)->evaluate(randomTokens(9), Logits::None, {}));
        auto state = (*session)->saveState();
        damage(state);
        const auto restored = (*session)->restoreState(state);
        QVERIFY(!restored);
        QVERIFY(restored.error().code == ErrorCode::InvalidArgument);
        // The session goes on with what it then has.
        QVERIFY((*session)->evaluate(ids({44}), Logits::Last, {}) && lastIsRight(**session));
    }

    void refusesTokens() {
        auto session = start({.context = 16});
        QVERIFY(session.has_value());
        const auto unknown = (*session)->evaluate(ids({100'000}), Logits::Last, {});
        QVERIFY(!unknown && unknown.error().code == ErrorCode::NoSuchToken);
        QVERIFY((*session)->evaluate(randomTokens(16), Logits::None, {}));
        const auto full = (*session)->evaluate(ids({1}), Logits::Last, {});
        QVERIFY(!full && full.error().code == ErrorCode::LimitExceeded);
        QVERIFY((*session)->evaluate({}, Logits::Last, {}));
    }

    void refusedLibraries_data() {
        QTest::addColumn<QByteArray>("library");
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const char* library, const char* settings, const char* said) {
            QTest::newRow(name) << QByteArray(library) << QByteArray(settings) << QByteArray(said);
        };
        row("missing", "/no/such/libllama.so", "", "engine_library_missing /no/such/libllama.so");
        row("no library", GUFO_LYING_ENGINE, "", "engine_library_missing");
        row("newer", GUFO_LLAMA_DOUBLE, "version=9.9.9", "engine_version_unknown 9.9.9 0.7.0");
        row("next series", GUFO_LLAMA_DOUBLE, "version=0.8.0", "engine_version_unknown 0.8.0 0.7.0");
        row("counts builds", GUFO_LLAMA_DOUBLE, "version=8064", "engine_version_unknown 8064 0.7.0");
        row("begins alike", GUFO_LLAMA_DOUBLE, "version=0.70.0", "engine_version_unknown 0.70.0 0.7.0");
        row("lacks a function", GUFO_LLAMA_DOUBLE_INCOMPLETE, "", "engine_symbols_missing 0.7.0 llama_decode");
        row("larger structure", GUFO_LLAMA_DOUBLE_LARGER, "", "engine_layout_differs 0.7.0 llama_model_params 56 24");
    }
    void refusedLibraries() {
        QFETCH(QByteArray, library);
        QFETCH(QByteArray, settings);
        QFETCH(QByteArray, said);
        m_model.behave(settings, library.constData());
        const auto version = versionOfProcess(GUFO_LLAMA_HELPER_DOUBLE, {});
        QVERIFY(!version);
        QVERIFY(version.error().code == ErrorCode::NotSupported);
        QVERIFY2(detailOf(version.error()).startsWith(said), detailOf(version.error()).constData());
        const auto session = start();
        QVERIFY(!session);
        QCOMPARE(detailOf(session.error()), detailOf(version.error()));
    }

    void acceptedVersions() {
        for (const QByteArray& version : {QByteArray("0.7.0"), QByteArray("0.7.12")}) {
            m_model.behave("version=" + version);
            const auto found = versionOfProcess(GUFO_LLAMA_HELPER_DOUBLE, {});
            QVERIFY(found.has_value());
            QCOMPARE(QByteArray::fromStdString(*found), version);
        }
    }

    void failures_data() {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<bool>("whileLoading");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const char* settings, bool whileLoading, const char* said) {
            QTest::newRow(name) << QByteArray(settings) << whileLoading << QByteArray(said);
        };
        row("refuses the model", "refuse", true, "engine_model_refused unknown model architecture: 'owl'");
        row("crash while loading", "crash=load", true, "engine_killed 11 the driver lost the device");
        row("encoder and decoder", "encoder", true, "engine_model_refused models with an encoder and a decoder");
        row("crash while evaluating", "crash=decode", false, "engine_killed 11 the driver lost the device");
        row("exit while evaluating", "exit=decode", false, "engine_exited 3 first line");
        row("no memory", "nomemory", false, "engine_out_of_memory");
        row("refuses to evaluate", "code=-3", false, "engine_evaluation_failed llama_decode returned -3");
        row("no place for the tokens", "code=1", false, "engine_evaluation_failed llama_decode returned 1");
        row("logits that are no numbers", "nan", false, "engine_logits_invalid");
    }
    void failures() {
        QFETCH(QByteArray, settings);
        QFETCH(bool, whileLoading);
        QFETCH(QByteArray, said);
        m_model.behave(settings);
        auto session = start();
        QCOMPARE(!session, whileLoading);
        const auto evaluated =
            session ? (*session)->evaluate(randomTokens(3), Logits::Last, {}) : std::unexpected(session.error());
        QVERIFY(!evaluated);
        QVERIFY(evaluated.error().code == ErrorCode::NotRunnable);
        QVERIFY2(detailOf(evaluated.error()).startsWith(said), detailOf(evaluated.error()).constData());
        // Another session can be started.
        m_model.behave({});
        auto again = start();
        QVERIFY(again && (*again)->evaluate(randomTokens(3), Logits::Last, {}) && lastIsRight(**again));
    }

    void killedFromOutside() {
        auto session = start();
        QVERIFY(session && (*session)->evaluate(randomTokens(3), Logits::Last, {}));
        auto other = start();
        QVERIFY(other && (*other)->evaluate(randomTokens(5), Logits::None, {}));
        ::kill(dynamic_cast<ProcessSession&>(**session).processId(), SIGKILL);
        const auto evaluated = (*session)->evaluate(randomTokens(3), Logits::Last, {});
        QVERIFY(!evaluated);
        QVERIFY2(detailOf(evaluated.error()).startsWith("engine_killed 9"), detailOf(evaluated.error()).constData());
        // Other sessions go on.
        QVERIFY((*other)->evaluate(ids({44}), Logits::Last, {}) && lastIsRight(**other));
    }

    // The end of a process is found although nothing is asked of it.
    void killedWhileIdle() {
        auto session = start();
        QVERIFY(session && (*session)->evaluate(randomTokens(3), Logits::Last, {}));
        pollfd watched{.fd = (*session)->processDescriptor(), .events = POLLIN, .revents = 0};
        QCOMPARE(::poll(&watched, 1, 0), 0);
        QVERIFY(!(*session)->findProcessEnd());
        QVERIFY((*session)->evaluate(ids({44}), Logits::Last, {}) && lastIsRight(**session));
        ::kill(dynamic_cast<ProcessSession&>(**session).processId(), SIGKILL);
        QCOMPARE(::poll(&watched, 1, 60'000), 1);
        const auto end = (*session)->findProcessEnd();
        QVERIFY(end.has_value());
        QVERIFY2(detailOf(*end).startsWith("engine_killed 9"), detailOf(*end).constData());
        const auto evaluated = (*session)->evaluate(ids({44}), Logits::Last, {});
        QVERIFY(!evaluated);
        QCOMPARE(detailOf(evaluated.error()), detailOf(*end));
    }

    void settings() {
        m_model.behave("settings rpc");
        SessionOptions options{.context = 100,
                               .batch = 40,
                               .keys = KvCacheType::Q8_0,
                               .values = KvCacheType::F32,
                               .threads = 3,
                               .rope = {.base = 5000, .scale = 4, .scaling = RopeScaling::Yarn, .originalContext = 64}};
        options.offload = {.layers = 17, .machines = machinesOf("one:1, two:2")};
        auto session = start(options);
        QVERIFY(!session);
        QCOMPARE(detailOf(session.error()),
                 QByteArray("engine_model_refused context 100, batch 40, threads 3, layers 17, types 8 0, rope 2 5000 "
                            "0.25 64, machines one:1 two:2"));
        session = start({.threads = 1});
        QVERIFY(!session);
        QCOMPARE(detailOf(session.error()),
                 QByteArray("engine_model_refused context 512, batch 512, threads 1, layers -1, types 1 1, rope -1 0 0 "
                            "0, machines "));
    }

    void machines() {
        QVERIFY(machinesOf(" , \t").empty());
        SessionOptions options{.context = 64};
        options.offload.machines = {"one:1"};
        auto session = start(options); // without an RPC back end
        QVERIFY(!session);
        QCOMPARE(detailOf(session.error()), QByteArray("engine_without_rpc"));
        m_model.behave("rpc");
        QVERIFY(start(options));
        options.offload.machines = {"dead:1"};
        session = start(options);
        QVERIFY(!session);
        QCOMPARE(detailOf(session.error()), QByteArray("engine_model_refused dead:1 does not answer"));
    }

    void refusedFiles() {
        const auto inMemory = loadInProcess(test::tinyRunnable(), GUFO_LLAMA_HELPER_DOUBLE);
        QVERIFY(!inMemory);
        QCOMPARE(detailOf(inMemory.error()), QByteArray("engine_needs_local_file"));
    }

    // Progress counts bytes, and a stop request ends the loading at once.
    void loadingIsCancelled() {
        m_model.behave("load=50");
        std::stop_source stop;
        Progress progress;
        std::jthread stopper([&] {
            while (progress.done() == 0) {
                std::this_thread::sleep_for(1ms);
            }
            stop.request_stop();
        });
        const auto session = start({.context = 64}, {.stop = stop.get_token(), .progress = &progress});
        stopper.join();
        QVERIFY(!session && session.error().code == ErrorCode::Cancelled);
        QCOMPARE(progress.total(), m_model.model()->totals().fileBytes);
        QVERIFY(progress.done() < progress.total() / 2);
    }

    void cancelled_data() {
        QTest::addColumn<QByteArray>("settings");
        QTest::newRow("the library stops") << QByteArray("slow=20");
        QTest::newRow("the library goes on") << QByteArray("stuck=60");
        QTest::newRow("the state cannot go back") << QByteArray("slow=20 recurrent");
        QTest::newRow("it goes on and cannot go back") << QByteArray("stuck=60 recurrent");
    }
    void cancelled() {
        QFETCH(QByteArray, settings);
        m_model.behave(settings);
        auto session = start({.context = 128, .batch = 4});
        QVERIFY(session.has_value());
        Session& s = **session;
        QVERIFY(s.evaluate(randomTokens(2), Logits::None, {}));
        std::stop_source stop;
        Progress progress;
        std::chrono::steady_clock::time_point asked;
        std::jthread stopper([&] {
            while (progress.done() < 4) { // a batch
                std::this_thread::sleep_for(1ms);
            }
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const auto text = randomTokens(60, 3);
        const auto evaluated = s.evaluate(text, Logits::Last, {.stop = stop.get_token(), .progress = &progress});
        const auto took = std::chrono::steady_clock::now() - asked;
        stopper.join();
        QVERIFY(!evaluated && evaluated.error().code == ErrorCode::Cancelled);
        // 100 ms on a free machine. The library needs at least 240 ms for a batch, and 3 s for all, where it goes on.
        QVERIFY2(took < 1s, qPrintable(QString::number(std::chrono::duration<double>(took).count())));
        QVERIFY(s.tokens().size() < text.size());
        QVERIFY(
            std::ranges::equal(s.tokens().subspan(std::min<std::size_t>(2, s.tokens().size())),
                               std::span(text).first(s.tokens().size() - std::min<std::size_t>(2, s.tokens().size()))));
        // It goes on from the tokens that it has.
        QVERIFY(s.evaluate(ids({44}), Logits::Last, {}) && lastIsRight(s));
    }

    void answers() {
        auto loaded = loadInProcess(m_model.model(), GUFO_LLAMA_HELPER_DOUBLE);
        QVERIFY(loaded.has_value());
        auto responder = openSessionResponder(kCapabilities, *loaded, {.context = 64}, {});
        QVERIFY(responder.has_value());
        QCOMPARE((*responder)->facts().options.context, 64U);
        ResponseRequest request{.prompt = std::string("Once upon")};
        request.settings.sampler = {.temperature = 0, .ignoreEnd = true};
        request.settings.maxTokens = 100; // more than fits: the context is shifted
        request.settings.shift = true;
        request.settings.candidates = 3;
        std::vector<TokenId> tokens;
        std::vector<TokenId> said;
        bool greedy = true;
        ResponseListener listener;
        listener.promptMade = [&](const PromptFacts& prompt, const ResponseFigures&) { tokens = prompt.ids; };
        listener.piece = [&](const ResponsePiece& piece, const ResponseFigures&) {
            const auto logits = expected(tokens);
            const auto best = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
            if (said.size() < 20) { // before the shift
                greedy = greedy && piece.token == TokenId(best) && piece.candidates.size() == 3;
            }
            tokens.push_back(*piece.token);
            said.push_back(*piece.token);
            return true;
        };
        const auto response = (*responder)->respond(request, listener, {});
        QVERIFY(response.has_value());
        QVERIFY(greedy);
        QCOMPARE(said.size(), std::size_t{100});
        QVERIFY(response->reason == StopReason::MaxTokens);
    }

    // A grammar makes the words that the model would not say.
    void grammar() {
        auto loaded = loadInProcess(m_model.model(), GUFO_LLAMA_HELPER_DOUBLE);
        QVERIFY(loaded.has_value());
        auto responder = openSessionResponder(kCapabilities, *loaded, {.context = 64}, {});
        QVERIFY(responder.has_value());
        ResponseRequest request{.prompt = std::string("Once")};
        request.settings.sampler.temperature = 0;
        request.settings.maxTokens = 30;
        auto parsed = Grammar::parse("root ::= \" one two three\"");
        QVERIFY(parsed.has_value());
        request.grammar = *parsed;
        std::string said;
        ResponseListener listener;
        listener.piece = [&](const ResponsePiece& piece, const ResponseFigures&) {
            said += piece.shown;
            return true;
        };
        const auto response = (*responder)->respond(request, listener, {});
        QVERIFY(response.has_value());
        QCOMPARE(QByteArray::fromStdString(said + response->rest), QByteArray(" one two three"));
    }

    void perplexity() {
        auto session = start({.context = 32, .logitRows = 32});
        QVERIFY(session.has_value());
        const auto text = randomTokens(96);
        const auto measured = inference::perplexity(**session, nullptr, text, {.window = 32}, {});
        QVERIFY(measured.has_value());
        double sum = 0;
        std::size_t scored = 0;
        for (std::size_t begin = 0; begin + 32 <= text.size(); begin += 32) {
            for (std::size_t i = begin + 16; i + 1 < begin + 32; ++i, ++scored) {
                const auto logits = expected(std::span(text).subspan(begin, i + 1 - begin));
                double all = 0;
                for (const float logit : logits) {
                    all += std::exp(double{logit});
                }
                sum += std::log(all) - double{logits[text[i + 1].value]};
            }
        }
        QCOMPARE(measured->scored, scored);
        QVERIFY(std::abs(measured->value / std::exp(sum / static_cast<double>(scored)) - 1) < 1e-5);
    }
};

GUFO_TEST(TestProcessSession)
#include "tst_process_session.moc"
