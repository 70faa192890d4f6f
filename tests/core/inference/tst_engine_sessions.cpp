// Sessions of the engine: rings of sliding windows, latent attention, going back, shifting, states, several at once,
// stopping, waiting, memory that runs out.
#include "base/error.h"
#include "inference/session/needs.h"
#include "model/hyper_parameters.h"
#include "support/fixture_models.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <chrono>
#include <ctime>
#include <sys/resource.h>
#include <thread>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kContext = 128;

std::unique_ptr<Session> start(const LoadedModel& model, SessionOptions options) {
    auto session = model.startSession(options);
    if (!session) {
        qWarning("%s", std::string(errorName(session.error().code)).c_str());
    }
    return session ? std::move(*session) : nullptr;
}

SessionOptions exactly(std::uint32_t context, std::uint32_t batch) {
    return {.context = context, .batch = batch, .keys = KvCacheType::F32, .values = KvCacheType::F32, .threads = 2};
}

double processSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

Q_DECLARE_METATYPE(RopeOverride)

class TestEngineSessions : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!QDir(kFixtures).exists()) {
            QSKIP("shared/fixtures/arch is not here");
        }
    }

    // With a batch of 4 a window of 8 keeps 12 positions; with a batch as long as the context it keeps all.
    void rings_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::uint32_t>("window");
        QTest::newRow("gemma2") << "gemma2" << 8U;
        QTest::newRow("gemma2-27b") << "gemma2-27b" << 6U;
        QTest::newRow("gemma3") << "gemma3" << 8U;
        QTest::newRow("phi3") << "phi3" << 10U;
    }
    void rings() {
        QFETCH(QString, name);
        QFETCH(std::uint32_t, window);
        const auto model = openFixture(name);
        const auto loaded = loadForInference(model);
        QVERIFY(loaded);
        const auto ring = start(**loaded, exactly(kContext, 4));
        const auto whole = start(**loaded, exactly(kContext, kContext));
        QVERIFY(ring && whole);
        const auto tokens = someTokens(100, ring->vocabulary());
        for (const std::size_t batch : {4U, 1U, 3U}) {
            QVERIFY(ring->truncate(0) && whole->truncate(0));
            const double difference =
                largestDifference(logitsOf(*ring, tokens, batch), logitsOf(*whole, tokens, batch));
            QVERIFY2(difference <= 1e-6, qPrintable(QString("in %1s: %2").arg(batch).arg(difference)));
        }
        // Blocks with a window keep it and a batch, the others the context.
        const auto small = memoryNeeds(model, exactly(kContext, 4));
        const auto large = memoryNeeds(model, exactly(kContext, kContext));
        QVERIFY(small && large);
        const std::uint64_t perBlock = whole->figures().cacheBytesPerPosition;
        const std::uint64_t ringBytes = perBlock - small->kvPerToken;
        const std::uint64_t tiled = (window + 4 + 15) / 16 * 16; // keys stand in tiles of 16 positions
        const std::uint64_t expected = small->kvPerToken * kContext + ringBytes / 2 * (window + 4 + tiled);
        QCOMPARE(large->kvCache, perBlock * kContext);
        QVERIFY2(small->kvCache >= expected && small->kvCache < expected + 64 * 100, "64: pieces begin at lines");
    }

    void ringsGoBackABatch() {
        const auto loaded = loadForInference(openFixture("gemma3"));
        QVERIFY(loaded);
        const auto session = start(**loaded, exactly(kContext, 4));
        const auto fresh = start(**loaded, exactly(kContext, 4));
        const auto tokens = someTokens(60, session->vocabulary());
        const auto others = someTokens(6, session->vocabulary(), 5);
        QVERIFY(!logitsOf(*session, tokens, 4).empty());
        QVERIFY(session->truncate(57)); // a batch and a bit
        auto expected = tokens;
        expected.resize(57);
        expected.insert(expected.end(), others.begin(), others.end());
        const auto found = logitsOf(*session, others, 1);
        const auto all = logitsOf(*fresh, expected, 1);
        QVERIFY(largestDifference(found, std::span(all).last(found.size())) <= 1e-4);
        QVERIFY(std::ranges::equal(session->tokens(), expected));

        QVERIFY(!session->truncate(20)); // the window has moved on
        QVERIFY(session->tokens().empty());
        QVERIFY(largestDifference(logitsOf(*session, expected, 1), all) <= 1e-6);
        QVERIFY(session->truncate(0));
        QVERIFY(session->truncate(5)); // nothing to forget
    }

    void everythingGoesBackWithoutWindows() {
        const auto loaded = loadForInference(openFixture("llama"));
        const auto session = start(**loaded, exactly(kContext, 4));
        const auto tokens = someTokens(60, session->vocabulary());
        const auto all = logitsOf(*session, tokens, 4);
        QVERIFY(session->truncate(3));
        const auto again = logitsOf(*session, std::span(tokens).subspan(3), 4);
        QVERIFY(largestDifference(again, std::span(all).last(again.size())) <= 1e-4);
    }

    void recurrentModelsGoBackToTheStart() {
        for (const char* name : {"mamba", "rwkv6"}) {
            const auto loaded = loadForInference(openFixture(name));
            const auto session = start(**loaded, exactly(kContext, 4));
            const auto tokens = someTokens(20, session->vocabulary());
            const auto first = logitsOf(*session, tokens, 4);
            QVERIFY(!session->truncate(10));
            QVERIFY(session->tokens().empty());
            QCOMPARE(largestDifference(logitsOf(*session, tokens, 4), first), 0.0);
            QCOMPARE(session->shift(0, 4).error().code, ErrorCode::NotRunnable);
        }
    }

    // What is forgotten in two steps or in one is the same; so is a state that was saved after it, and rings beside
    // caches of the whole context.
    void shift_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::uint32_t>("batch");
        for (const char* name : {"llama", "gemma3", "phi3", "deepseek2", "mpt"}) {
            QTest::addRow("%s", name) << name << kContext;
            QTest::addRow("%s, small batches", name) << name << 4U;
        }
    }
    void shift() {
        QFETCH(QString, name);
        QFETCH(std::uint32_t, batch);
        const auto loaded = loadForInference(openFixture(name));
        QVERIFY(loaded);
        const auto once = start(**loaded, exactly(kContext, batch));
        const auto twice = start(**loaded, exactly(kContext, batch));
        const auto restored = start(**loaded, exactly(kContext, batch));
        const auto whole = start(**loaded, exactly(kContext, kContext));
        const auto tokens = someTokens(60, once->vocabulary());
        const auto more = someTokens(50, once->vocabulary(), 3);
        for (Session* session : {once.get(), twice.get(), whole.get()}) {
            QVERIFY(!logitsOf(*session, tokens, 4).empty());
        }
        QVERIFY(once->shift(3, 17) && whole->shift(3, 17));
        QVERIFY(twice->shift(3, 10) && twice->shift(3, 7));
        QVERIFY(restored->restoreState(once->saveState()));
        std::vector<TokenId> left(tokens.begin(), tokens.begin() + 3);
        left.insert(left.end(), tokens.begin() + 20, tokens.end());
        QVERIFY(std::ranges::equal(once->tokens(), left));
        const auto expected = logitsOf(*once, more, 4);
        QVERIFY(largestDifference(logitsOf(*twice, more, 4), expected) <= 2e-4);
        QVERIFY(largestDifference(logitsOf(*restored, more, 4), expected) <= 1e-6);
        QVERIFY(largestDifference(logitsOf(*whole, more, 4), expected) <= 1e-6);
        // Until it is full, and on: the rows have gone round.
        for (int round = 0; round < 3; ++round) {
            for (Session* session : {once.get(), whole.get()}) {
                QVERIFY(session->shift(5, (session->tokens().size() - 5) / 2));
                QVERIFY(!logitsOf(*session, someTokens(40, once->vocabulary(), 9), 4).empty());
            }
        }
        QVERIFY(largestDifference(once->logits(0), whole->logits(0)) <= 1e-5);
        QCOMPARE(once->shift(200, 1).error().code, ErrorCode::InvalidArgument);
        QVERIFY(once->shift(once->tokens().size(), 0)); // nothing
    }

    void statesComeBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("values");
        for (const char* name : {"llama", "gemma2", "deepseek2", "mamba", "rwkv6"}) {
            for (const KvCacheType type : kvCacheTypes()) {
                QTest::addRow("%s %s", name, kvCacheTypeName(type).data())
                    << name << static_cast<int>(type) << static_cast<int>(type);
            }
            QTest::addRow("%s mixed", name)
                << name << static_cast<int>(KvCacheType::F32) << static_cast<int>(KvCacheType::Q8_0);
        }
    }
    void statesComeBack() {
        QFETCH(QString, name);
        QFETCH(int, keys);
        QFETCH(int, values);
        const auto loaded = loadForInference(openFixture(name));
        const SessionOptions options{.context = 64,
                                     .batch = 4,
                                     .keys = static_cast<KvCacheType>(keys),
                                     .values = static_cast<KvCacheType>(values),
                                     .threads = 1};
        const auto session = start(**loaded, options);
        const auto other = start(**loaded, options);
        QVERIFY(session && other);
        const auto tokens = someTokens(30, session->vocabulary());
        QVERIFY(!logitsOf(*session, tokens, 4).empty());
        const std::vector<std::byte> state = session->saveState();
        QVERIFY(other->restoreState(state));
        QVERIFY(std::ranges::equal(other->tokens(), tokens));
        const auto more = someTokens(9, session->vocabulary(), 2);
        QCOMPARE(largestDifference(logitsOf(*session, more, 1), logitsOf(*other, more, 1)), 0.0);

        // What is no state leaves the session as it is.
        for (const std::size_t cut : {std::size_t{0}, std::size_t{3}, std::size_t{50}, state.size() - 1}) {
            QCOMPARE(other->restoreState(std::span(state).first(cut)).error().code, ErrorCode::InvalidArgument);
        }
        auto damaged = state;
        damaged.push_back(std::byte{0});
        QVERIFY(!other->restoreState(damaged));
        damaged = state;
        std::ranges::fill(std::span(damaged).first(4), std::byte{0xFF}); // the number of tokens
        QVERIFY(!other->restoreState(damaged));
        damaged = state;
        std::ranges::fill(std::span(damaged).subspan(4, 4), std::byte{0xFF}); // a token
        QVERIFY(!other->restoreState(damaged));
        QCOMPARE(other->tokens().size(), std::size_t{39});
    }

    void latentCacheIsOneRow_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"deepseek2", "deepseek2-lite", "deepseek2-v3"}) {
            QTest::newRow(name) << name;
        }
    }
    void latentCacheIsOneRow() {
        QFETCH(QString, name);
        const auto model = openFixture(name);
        const auto needs = memoryNeeds(model, {.context = 100});
        QVERIFY(needs);
        const std::uint64_t blocks = *HyperParameters(model->metadata).uint("block_count");
        QCOMPARE(needs->kvPerToken, blocks * (32 + 16) * 2); // latent and rotated part, f16
        const auto estimate = estimateMemory(*model, {.context = 100});
        QCOMPARE(estimate->kvCache, needs->kvPerToken * 100);
    }

    // Newer files keep the matrices of keys and values apart, head by head, that of keys turned round.
    void latentHeadsApart_data() { latentCacheIsOneRow_data(); }
    void latentHeadsApart() {
        QFETCH(QString, name);
        const auto model = openFixture(name);
        const auto number = [&](std::string_view key) { return *HyperParameters(model->metadata).uint(key); };
        const std::uint64_t rank = number("attention.kv_lora_rank");
        const std::uint64_t rotated = number("rope.dimension_count");
        const std::uint64_t keyLength = number("attention.key_length");
        const std::uint64_t valueLength = number("attention.value_length");
        const std::uint64_t heads = number("attention.head_count");
        const std::uint64_t plain = keyLength - rotated;
        const auto leave = [](std::string_view key) {
            return (key.ends_with("_length") && key.find("attention.") != key.npos) ||
                   key.ends_with("attention.head_count_kv");
        };
        ModelMaker maker = copyOf(*model, leave, [&](ModelMaker& to, const TensorInfo& tensor, Bytes bytes) {
            if (!tensor.name.ends_with("attn_kv_b.weight")) {
                return false;
            }
            const std::string prefix(
                tensor.name.substr(0, tensor.name.size() - std::string_view("kv_b.weight").size()));
            const auto* from = reinterpret_cast<const float*>(bytes.data());
            std::vector<float> keys(heads * plain * rank);
            std::vector<float> values(heads * valueLength * rank);
            for (std::uint64_t h = 0; h < heads; ++h) {
                const float* head = from + h * (plain + valueLength) * rank;
                for (std::uint64_t i = 0; i < plain; ++i) {
                    for (std::uint64_t j = 0; j < rank; ++j) {
                        keys[(h * rank + j) * plain + i] = head[i * rank + j];
                    }
                }
                std::copy_n(head + plain * rank, valueLength * rank, values.data() + h * valueLength * rank);
            }
            const auto text = [](const std::vector<float>& numbers) {
                return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
            };
            to.tensor(prefix + "k_b.weight", {plain, rank, heads}, TensorType::F32, text(keys));
            to.tensor(prefix + "v_b.weight", {rank, valueLength, heads}, TensorType::F32, text(values));
            return true;
        });
        maker.u32("deepseek2.attention.head_count_kv", 1)
            .u32("deepseek2.attention.key_length", static_cast<std::uint32_t>(rank + rotated))
            .u32("deepseek2.attention.value_length", static_cast<std::uint32_t>(rank))
            .u32("deepseek2.attention.key_length_mla", static_cast<std::uint32_t>(keyLength))
            .u32("deepseek2.attention.value_length_mla", static_cast<std::uint32_t>(valueLength));
        const auto loaded = loadForInference(maker.model());
        if (!loaded) {
            qWarning("%s %s", errorName(loaded.error().code).data(), loaded.error().args.at(0).c_str());
        }
        QVERIFY(loaded);
        const auto joined = loadForInference(model);
        const auto session = start(**loaded, exactly(64, 64));
        const auto other = start(**joined, exactly(64, 64));
        const auto tokens = someTokens(24, session->vocabulary());
        const double difference = largestDifference(logitsOf(*session, tokens, 24), logitsOf(*other, tokens, 24));
        QVERIFY2(difference <= 1e-3, qPrintable(QString::number(difference)));
    }

    void scalingAsked() {
        const auto model = openFixture("llama-rope-linear");
        const auto leave = [](std::string_view key) { return key.find("rope.scal") != key.npos; };
        ModelMaker maker = copyOf(*model, leave);
        const double factor = *HyperParameters(model->metadata).number("rope.scaling.factor");
        const auto plain = loadForInference(maker.model());
        QVERIFY(plain);
        const auto asWritten = start(**loadForInference(model), exactly(64, 64));
        SessionOptions options = exactly(64, 64);
        const auto unscaled = start(**plain, options);
        options.rope.scale = factor;
        const auto scaled = start(**plain, options);
        const auto tokens = someTokens(24, asWritten->vocabulary());
        const auto expected = logitsOf(*asWritten, tokens, 24);
        QCOMPARE(largestDifference(logitsOf(*scaled, tokens, 24), expected), 0.0);
        QVERIFY(largestDifference(logitsOf(*unscaled, tokens, 24), expected) > 1e-3);
        options.rope = {.base = 500.0};
        QVERIFY(largestDifference(logitsOf(*start(**plain, options), tokens, 24), expected) > 1e-3);
    }

    // A file with the keys and tensors that `left` names left out, run with an override, is as another without those
    // that `out` names and the same other override.
    void scalingsReplaceEachOther_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("left");
        QTest::addColumn<RopeOverride>("asked");
        QTest::addColumn<QStringList>("out");
        QTest::addColumn<RopeOverride>("like");
        const RopeOverride none{.scaling = RopeScaling::None};
        const RopeOverride yarn{.scale = 4.0, .scaling = RopeScaling::Yarn};
        const QStringList nothing;
        const QStringList named{"rope.scaling.type", "rope.scaling.factor"};
        const QStringList all{"rope.scaling"};
        QTest::newRow("yarn as in the file") << "llama-yarn" << named << yarn << nothing << RopeOverride{};
        QTest::newRow("yarn from another context")
            << "llama-yarn" << all << RopeOverride{.scale = 4.0, .scaling = RopeScaling::Yarn, .originalContext = 4096}
            << nothing << RopeOverride{};
        QTest::newRow("yarn keeps its type")
            << "llama-yarn" << nothing << RopeOverride{.scale = 4.0} << nothing << yarn;
        QTest::newRow("no yarn") << "llama-yarn" << nothing << none << all << RopeOverride{};
        QTest::newRow("linear for yarn") << "llama-yarn" << nothing
                                         << RopeOverride{.scale = 4.0, .scaling = RopeScaling::Linear} << all
                                         << RopeOverride{.scale = 4.0};
        QTest::newRow("no linear") << "llama-rope-linear" << nothing << none << all << RopeOverride{};
        QTest::newRow("no factors") << "llama-rope-freqs" << nothing << none << QStringList{"rope_freqs.weight"}
                                    << RopeOverride{};
        QTest::newRow("no long rope") << "phi3-longrope" << nothing << none
                                      << QStringList{"rope_factors_long.weight", "rope_factors_short.weight",
                                                     "rope.scaling.attn_factor"}
                                      << RopeOverride{};
        QTest::newRow("latent, as in the file") << "deepseek2" << named << yarn << nothing << RopeOverride{};
        QTest::newRow("latent, none") << "deepseek2" << nothing << none << all << RopeOverride{};
        QTest::newRow("windows of their own") << "gemma3" << nothing << none << all << RopeOverride{};
    }
    void scalingsReplaceEachOther() {
        QFETCH(QString, name);
        QFETCH(QStringList, left);
        QFETCH(RopeOverride, asked);
        QFETCH(QStringList, out);
        QFETCH(RopeOverride, like);
        const auto model = openFixture(name);
        const auto logits = [&](const QStringList& without, const RopeOverride& rope) {
            const auto has = [&](std::string_view text) {
                return std::ranges::any_of(
                    without, [&](const QString& part) { return text.find(part.toStdString()) != text.npos; });
            };
            ModelMaker maker =
                copyOf(*model, has, [&](ModelMaker&, const TensorInfo& tensor, Bytes) { return has(tensor.name); });
            const auto loaded = loadForInference(maker.model());
            SessionOptions options = exactly(96, 96);
            options.rope = rope;
            const auto session = loaded ? start(**loaded, options) : nullptr;
            return session ? logitsOf(*session, someTokens(80, session->vocabulary()), 80) : std::vector<float>();
        };
        const auto found = logits(left, asked);
        QVERIFY(!found.empty());
        QCOMPARE(largestDifference(found, logits(out, like)), 0.0);
        if (left.isEmpty() && asked.scaling) {
            QVERIFY(largestDifference(found, logits({}, {})) > 1e-4);
        }
    }

    void overridesThatAreNone() {
        const auto loaded = loadForInference(openFixture("llama"));
        const auto codeOf = [&](const RopeOverride& rope) {
            const auto session = (*loaded)->startSession({.context = 16, .rope = rope});
            const auto needs = memoryNeeds((*loaded)->model(), {.context = 16, .rope = rope});
            return !session && !needs && session.error().code == needs.error().code
                       ? std::optional(session.error().code)
                       : std::nullopt;
        };
        QCOMPARE(codeOf({.base = 0.0}), ErrorCode::InvalidArgument);
        QCOMPARE(codeOf({.scale = -1.0}), ErrorCode::InvalidArgument);
        QCOMPARE(codeOf({.scale = std::numeric_limits<double>::quiet_NaN()}), ErrorCode::InvalidArgument);
        QCOMPARE(codeOf({.scaling = RopeScaling::LongRope}), ErrorCode::InvalidArgument);
        const auto model = openFixture("llama");
        ModelMaker maker = copyOf(*model, [](std::string_view key) { return key.ends_with("context_length"); });
        const auto unstated = loadForInference(maker.model());
        SessionOptions options{.context = 16, .rope = {.scale = 2.0, .scaling = RopeScaling::Yarn}};
        QCOMPARE((*unstated)->startSession(options).error().code, ErrorCode::NoSuchKey);
        options.rope.originalContext = 64;
        QVERIFY((*unstated)->startSession(options));
    }

    void beyondTheTrainedContext() {
        const auto loaded = loadForInference(openFixture("llama"));
        const std::uint32_t trained = (*loaded)->trainedContext();
        QVERIFY(trained != 0);
        const auto session = start(**loaded, {.context = trained + 100, .threads = 2});
        QVERIFY(session);
        QCOMPARE(session->context(), trained + 100);
        const auto tokens = someTokens(trained + 100, session->vocabulary());
        QVERIFY(session->evaluate(tokens, Logits::Last, {}));
        QCOMPARE(session->evaluate({tokens.data(), 1}, Logits::Last, {}).error().code, ErrorCode::LimitExceeded);
        // Learned positions end.
        const auto learned = loadForInference(openFixture("gpt2"));
        const auto refused = (*learned)->startSession({.context = 1'000'000});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::LimitExceeded);
    }

    void severalAtOnce() {
        for (const char* name : {"llama", "gemma2", "qwen3moe", "rwkv6"}) {
            const auto loaded = loadForInference(openFixture(name));
            const auto alone = start(**loaded, exactly(64, 8));
            const auto tokens = someTokens(40, alone->vocabulary());
            const auto expected = logitsOf(*alone, tokens, 8);
            std::vector<double> differences(4, INFINITY);
            {
                std::vector<std::jthread> threads;
                for (double& difference : differences) {
                    threads.emplace_back([&] {
                        const auto own = start(**loaded, exactly(64, 8));
                        difference = largestDifference(logitsOf(*own, tokens, 8), expected);
                    });
                }
            }
            for (const double difference : differences) {
                QCOMPARE(difference, 0.0);
            }
        }
    }

    // Sessions add their own memory only: the weights are the mapping's.
    void sessionsShareWeights() {
        const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-F16.gguf").value();
        const auto needs = memoryNeeds(model, {.context = 16, .batch = 1, .threads = 1});
        QVERIFY(needs);
        QVERIFY(needs->anonymous() < needs->weights / 2);
    }

    void stopsWithinAToken_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("llama") << "llama";
        QTest::newRow("gemma2") << "gemma2";
        QTest::newRow("mamba") << "mamba";
        QTest::newRow("rwkv6") << "rwkv6";
    }
    void stopsWithinAToken() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        const auto session = start(**loaded, exactly(4096, 16));
        const auto undisturbed = start(**loaded, exactly(4096, 16));
        const auto tokens = someTokens(4000, session->vocabulary());
        std::stop_source source;
        Progress progress;
        Clock::time_point stopped;
        std::jthread stopper([&] {
            while (progress.done() < 64) {
                std::this_thread::yield();
            }
            stopped = Clock::now();
            source.request_stop();
        });
        const auto result =
            session->evaluate(tokens, Logits::Last, {.stop = source.get_token(), .progress = &progress});
        const auto ended = Clock::now();
        stopper.join();
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QVERIFY2(ended - stopped < std::chrono::milliseconds(200), "a batch of these models takes a few");
        const std::size_t count = session->tokens().size();
        QVERIFY(count >= 64 && count < tokens.size() && count % 16 == 0);
        QVERIFY(std::ranges::equal(session->tokens(), std::span(tokens).first(count)));
        // It goes on as if nothing had been.
        QVERIFY(undisturbed->evaluate(std::span(tokens).first(count), Logits::None, {}));
        const auto more = someTokens(5, session->vocabulary(), 4);
        QCOMPARE(largestDifference(logitsOf(*session, more, 1), logitsOf(*undisturbed, more, 1)), 0.0);
    }

    void waitingTakesNoTime() {
        const auto loaded = loadForInference(openFixture("llama"));
        const auto session = start(**loaded, {.context = 64, .threads = 4});
        QVERIFY(session->evaluate(someTokens(8, session->vocabulary()), Logits::Last, {}));
        QTest::qWait(50);
        const double before = processSeconds();
        QTest::qWait(500);
        const double spent = processSeconds() - before;
        QVERIFY2(spent < 0.02, qPrintable(QString("%1 s of 0.5").arg(spent)));
    }

    void moreLogitsThanProvidedFor() {
        const auto loaded = loadForInference(openFixture("llama"));
        const auto some = start(**loaded, {.context = 64, .batch = 8, .threads = 1, .logitRows = 4});
        const auto all = start(**loaded, {.context = 64, .batch = 8, .threads = 1, .logitRows = 64});
        const auto tokens = someTokens(40, some->vocabulary());
        QCOMPARE(largestDifference(logitsOf(*some, tokens, 20), logitsOf(*all, tokens, 20)), 0.0);
    }

    void memoryThatIsNotThere() {
#if defined(__SANITIZE_ADDRESS__)
        QSKIP("the sanitizer needs the address space");
#endif
        const auto loaded = loadForInference(openFixture("llama"));
        const auto needs = memoryNeeds((*loaded)->model(), {.context = 1'000'000});
        QVERIFY(needs && needs->anonymous() > (200U << 20U));
        if (judge(*needs, machineMemory()) == MemoryVerdict::DoesNotFit) {
            QSKIP("this machine has too little memory free");
        }
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_AS, &before), 0);
        QFile statm("/proc/self/statm");
        QVERIFY(statm.open(QIODevice::ReadOnly));
        const auto pages = statm.readAll().split(' ').first().toULongLong();
        rlimit tight = before;
        tight.rlim_cur = pages * 4096 + (100U << 20U);
        QCOMPARE(setrlimit(RLIMIT_AS, &tight), 0);
        const auto session = (*loaded)->startSession({.context = 1'000'000, .threads = 2});
        const auto small = (*loaded)->startSession({.context = 64, .batch = 8, .threads = 1});
        QCOMPARE(setrlimit(RLIMIT_AS, &before), 0);
        QVERIFY(!session);
        QCOMPARE(session.error().code, ErrorCode::NotEnoughMemory);
        QVERIFY(std::stoull(session.error().args.at(0)) <= needs->anonymous());
        QVERIFY(small); // what fits still starts
    }
};

GUFO_TEST(TestEngineSessions)
#include "tst_engine_sessions.moc"
