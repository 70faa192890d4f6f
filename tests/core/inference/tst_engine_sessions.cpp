// Sessions of the engine: ring buffers of sliding windows, truncating, shifting, saved states, several sessions at
// once, stops, idle threads, and lack of memory.
#include "base/error.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "model/hyper_parameters.h"
#include "session_helpers.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "tensor/encode.h"
#include "test_paths.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <random>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

using Clock = std::chrono::steady_clock;

double processSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Returns the line that begins with `word` in /proc/self/task/ID/FILE, for each thread but this one.
QList<QByteArray> ofOtherThreads(const QString& file, const QByteArray& word) {
    QList<QByteArray> found;
    const auto self = QString::number(::gettid());
    for (const QString& id : QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile status(QStringLiteral("/proc/self/task/") + id + '/' + file);
        if (id == self || !status.open(QIODevice::ReadOnly)) {
            continue;
        }
        for (const QByteArray& line : status.readAll().split('\n')) {
            if (line.startsWith(word)) {
                found << line.mid(word.size()).trimmed();
            }
        }
    }
    return found;
}

int otherThreads(const char* state) {
    return static_cast<int>(std::ranges::count_if(ofOtherThreads("status", "State:"),
                                                  [&](const QByteArray& line) { return line.startsWith(state); }));
}

std::uint64_t timesWoken() {
    std::uint64_t sum = 0;
    for (const QByteArray& count : ofOtherThreads("status", "voluntary_ctxt_switches:")) {
        sum += count.toULongLong();
    }
    return sum;
}

} // namespace

class TestEngineSessions : public QObject {
    Q_OBJECT

private slots:
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
        const auto tokens = randomTokens(100, ring->vocabulary());
        for (const std::size_t batch : {4U, 1U, 3U}) {
            QCOMPARE(ring->truncate(0) + whole->truncate(0), std::size_t{0});
            const double difference =
                largestDifference(logitsOf(*ring, tokens, batch), logitsOf(*whole, tokens, batch));
            QVERIFY2(difference <= 1e-6, qPrintable(QString("in %1s: %2").arg(batch).arg(difference)));
        }
        // Blocks with a window keep the window and a batch, other blocks the whole context.
        const auto small = memoryNeeds(model, exactly(kContext, 4));
        const auto large = memoryNeeds(model, exactly(kContext, kContext));
        QVERIFY(small && large);
        const std::uint64_t perBlock = whole->figures().cacheBytesPerPosition;
        const std::uint64_t ringBytes = perBlock - small->kvPerToken;
        const std::uint64_t tiled = (window + 4 + 15) / 16 * 16; // keys are stored in tiles of 16 positions
        const std::uint64_t expected = small->kvPerToken * kContext + ringBytes / 2 * (window + 4 + tiled);
        QCOMPARE(large->kvCache, perBlock * kContext);
        QVERIFY2(small->kvCache >= expected && small->kvCache < expected + 64 * 100, "64: pieces begin at lines");
    }

    void ringsGoBackABatch() {
        const auto loaded = loadForInference(openFixture("gemma3"));
        QVERIFY(loaded);
        const auto session = start(**loaded, exactly(kContext, 4));
        const auto fresh = start(**loaded, exactly(kContext, 4));
        const auto tokens = randomTokens(60, session->vocabulary());
        const auto others = randomTokens(6, session->vocabulary(), 5);
        QVERIFY(!logitsOf(*session, tokens, 4).empty());
        QCOMPARE(session->truncate(57), std::size_t{57}); // more than a batch
        auto expected = tokens;
        expected.resize(57);
        expected.insert(expected.end(), others.begin(), others.end());
        const auto found = logitsOf(*session, others, 1);
        const auto all = logitsOf(*fresh, expected, 1);
        QVERIFY(largestDifference(found, std::span(all).last(found.size())) <= 1e-4);
        QVERIFY(std::ranges::equal(session->tokens(), expected));

        QCOMPARE(session->truncate(20), std::size_t{0}); // these positions have been overwritten
        QVERIFY(session->tokens().empty());
        QVERIFY(largestDifference(logitsOf(*session, expected, 1), all) <= 1e-6);
        QCOMPARE(session->truncate(0), std::size_t{0});
        QCOMPARE(session->truncate(5), std::size_t{0}); // nothing to drop
    }

    void everythingGoesBackWithoutWindows() {
        const auto loaded = loadForInference(openFixture("llama"));
        const auto session = start(**loaded, exactly(kContext, 4));
        const auto tokens = randomTokens(60, session->vocabulary());
        const auto all = logitsOf(*session, tokens, 4);
        QCOMPARE(session->truncate(3), std::size_t{3});
        const auto again = logitsOf(*session, std::span(tokens).subspan(3), 4);
        QVERIFY(largestDifference(again, std::span(all).last(again.size())) <= 1e-4);
    }

    // Dropping tokens in two steps or in one has the same result. The same holds for a saved state, and for ring
    // buffers next to caches of the whole context.
    void shift_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::uint32_t>("batch");
        for (const char* name : {"llama", "gemma3", "phi3", "deepseek2", "deepseek32", "mpt"}) {
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
        const auto tokens = randomTokens(60, once->vocabulary());
        const auto more = randomTokens(50, once->vocabulary(), 3);
        for (Session* session : {once.get(), twice.get(), whole.get()}) {
            QVERIFY(!logitsOf(*session, tokens, 4).empty());
        }
        QVERIFY(once->shift(3, 17, {}) && whole->shift(3, 17, {}));
        QVERIFY(twice->shift(3, 10, {}) && twice->shift(3, 7, {}));
        QVERIFY(restored->restoreState(once->saveState()));
        std::vector<TokenId> left(tokens.begin(), tokens.begin() + 3);
        left.insert(left.end(), tokens.begin() + 20, tokens.end());
        QVERIFY(std::ranges::equal(once->tokens(), left));
        const auto expected = logitsOf(*once, more, 4);
        QVERIFY(largestDifference(logitsOf(*twice, more, 4), expected) <= 2e-4);
        QVERIFY(largestDifference(logitsOf(*restored, more, 4), expected) <= 1e-6);
        QVERIFY(largestDifference(logitsOf(*whole, more, 4), expected) <= 1e-6);
        // Until the ring buffer is full, and beyond, so that it wraps around.
        for (int round = 0; round < 3; ++round) {
            for (Session* session : {once.get(), whole.get()}) {
                QVERIFY(session->shift(5, (session->tokens().size() - 5) / 2, {}));
                QVERIFY(!logitsOf(*session, randomTokens(40, once->vocabulary(), 9), 4).empty());
            }
        }
        QVERIFY(largestDifference(once->logits(0), whole->logits(0)) <= 1e-5);
        QCOMPARE(once->shift(200, 1, {}).error().code, ErrorCode::InvalidArgument);
        QVERIFY(once->shift(once->tokens().size(), 0, {})); // drops nothing
    }

    void statesComeBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("keys");
        QTest::addColumn<int>("values");
        for (const char* name : {"llama", "gemma2", "deepseek2", "deepseek32", "mamba", "rwkv6", "rwkv7", "lfm2-swa",
                                 "falcon-h1", "qwen35", "kimi-linear"}) {
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
        const auto tokens = randomTokens(30, session->vocabulary());
        QVERIFY(!logitsOf(*session, tokens, 4).empty());
        const std::vector<std::byte> state = session->saveState();
        QVERIFY(other->restoreState(state));
        QVERIFY(std::ranges::equal(other->tokens(), tokens));
        const auto more = randomTokens(9, session->vocabulary(), 2);
        QCOMPARE(largestDifference(logitsOf(*session, more, 1), logitsOf(*other, more, 1)), 0.0);

        // An invalid state leaves the session unchanged.
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

    // The loss by a cache of a smaller type is in proportion to the error of the type, which is measured here with the
    // encoder itself.
    void lossOfCacheTypes_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llama", "gemma2", "deepseek2"}) {
            QTest::newRow(name) << name;
        }
    }
    void lossOfCacheTypes() {
        QFETCH(QString, name);
        const auto errorOf = [](KvCacheType type) { // relative to the root mean square of normal numbers
            std::mt19937 random(3);
            std::normal_distribution<float> normal;
            std::vector<float> values(32 * 256);
            std::ranges::generate(values, [&] { return normal(random); });
            const auto id = static_cast<std::uint32_t>(kvTensorType(type));
            std::vector<std::byte> bytes(blocksBytes(tensorTypeFact(kvTensorType(type)), values.size()));
            std::vector<float> decoded(values.size());
            if (!encode({.typeId = id, .columns = 32, .importance = {}}, values, bytes) ||
                !decode(id, bytes, decoded)) {
                return -1.0;
            }
            double squares = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                squares += std::pow(static_cast<double>(values[i]) - static_cast<double>(decoded[i]), 2);
            }
            return std::sqrt(squares / static_cast<double>(values.size()));
        };
        const auto loaded = loadForInference(openFixture(name));
        const auto logits = [&](KvCacheType type) {
            const auto session =
                start(**loaded, {.context = kContext, .batch = 16, .keys = type, .values = type, .threads = 2});
            return logitsOf(*session, randomTokens(100, session->vocabulary()), 16);
        };
        const auto exact = logits(KvCacheType::F32);
        const auto lossOf = [&](KvCacheType type) {
            const auto found = logits(type);
            double squares = 0;
            for (std::size_t i = 0; i < exact.size(); ++i) {
                squares += std::pow(static_cast<double>(exact[i]) - static_cast<double>(found[i]), 2);
            }
            return std::sqrt(squares / static_cast<double>(exact.size()));
        };
        const double unit = lossOf(KvCacheType::Q8_0) / errorOf(KvCacheType::Q8_0);
        QVERIFY(unit > 0);
        double before = errorOf(KvCacheType::Q8_0);
        for (const KvCacheType type : {KvCacheType::Q5_1, KvCacheType::Q5_0, KvCacheType::Q4_1, KvCacheType::Q4_0}) {
            const double error = errorOf(type);
            const double loss = lossOf(type);
            QVERIFY(error > before); // the table is ordered by exactness
            before = error;
            // To first order the loss is linear; a factor of 2 allows for the second and for chance.
            QVERIFY2(loss < 2 * unit * error && loss > unit * error / 2,
                     qPrintable(QStringLiteral("%1: %2 of %3")
                                    .arg(QString::fromLatin1(kvCacheTypeName(type).data()))
                                    .arg(loss)
                                    .arg(unit * error)));
        }
        QVERIFY(lossOf(KvCacheType::F16) < lossOf(KvCacheType::Q8_0));
    }

    // What the first block caches of a token does not depend on the tokens before it. Without further blocks, dropping
    // the first tokens has the same result as never having had them.
    void shiftOfOneBlock_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llama", "glm4moe", "deepseek2", "deepseek32"}) {
            QTest::newRow(name) << name;
        }
    }
    void shiftOfOneBlock() {
        QFETCH(QString, name);
        const auto model = openFixture(name);
        const std::string prefix = name.toStdString() + ".";
        const auto blocks = *HyperParameters(model->metadata).uint("block_count");
        ModelMaker maker = copyOf(*model, [](std::string_view key) { return key.ends_with("nextn_predict_layers"); });
        maker.u32(prefix + "nextn_predict_layers", static_cast<std::uint32_t>(blocks - 1));
        const auto loaded = loadForInference(maker.model());
        QVERIFY(loaded);
        const auto shifted = start(**loaded, exactly(kContext, 16));
        const auto fresh = start(**loaded, exactly(kContext, 16));
        const auto tokens = randomTokens(40, shifted->vocabulary());
        const std::span left = std::span(tokens).subspan(17);
        QVERIFY(!logitsOf(*shifted, tokens, 16).empty() && !logitsOf(*fresh, left, 16).empty());
        QVERIFY(shifted->shift(0, 17, {}));
        const auto more = randomTokens(12, shifted->vocabulary(), 5);
        for (const std::size_t batch : {6U, 1U}) {
            const double difference = largestDifference(logitsOf(*shifted, more, batch), logitsOf(*fresh, more, batch));
            QVERIFY2(difference <= 1e-4, qPrintable(QString::number(difference)));
        }
    }

    void severalAtOnce() {
        for (const char* name : {"llama", "gemma2", "qwen3moe", "rwkv6", "granitehybrid", "qwen35moe"}) {
            const auto loaded = loadForInference(openFixture(name));
            const auto alone = start(**loaded, exactly(64, 8));
            const auto tokens = randomTokens(40, alone->vocabulary());
            const auto expected = logitsOf(*alone, tokens, 8);
            std::vector<double> differences(4, INFINITY);
            {
                std::vector<std::jthread> threads;
                for (double& difference : differences) {
                    threads.emplace_back([&] {
                        const auto session = start(**loaded, exactly(64, 8));
                        difference = largestDifference(logitsOf(*session, tokens, 8), expected);
                    });
                }
            }
            for (const double difference : differences) {
                QCOMPARE(difference, 0.0);
            }
        }
    }

    // Sessions only add their own memory, because they share the mapped weights.
    void sessionsShareWeights() {
        const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf").value();
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
        QTest::newRow("qwen35") << "qwen35";
        QTest::newRow("kimi-linear") << "kimi-linear";
        QTest::newRow("falcon-h1") << "falcon-h1";
    }
    void stopsWithinAToken() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        const auto session = start(**loaded, exactly(4096, 16));
        const auto undisturbed = start(**loaded, exactly(4096, 16));
        const auto tokens = randomTokens(4000, session->vocabulary());
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
        // The session continues as if nothing had happened.
        QVERIFY(undisturbed->evaluate(std::span(tokens).first(count), Logits::None, {}));
        const auto more = randomTokens(5, session->vocabulary(), 4);
        QCOMPARE(largestDifference(logitsOf(*session, more, 1), logitsOf(*undisturbed, more, 1)), 0.0);
    }

    void waitingTakesNoTime() {
#if defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer has its own thread, which polls");
#endif
        const auto loaded = loadForInference(openFixture("llama"));
        const auto session = start(**loaded, {.context = 64, .threads = 4});
        QVERIFY(session->evaluate(randomTokens(8, session->vocabulary()), Logits::Last, {}));
        QTRY_COMPARE(otherThreads("R"), 0); // no thread is running or runnable
        const double before = processSeconds();
        const std::uint64_t wokenBefore = timesWoken();
        for (int i = 0; i < 10; ++i) {
            spinEventLoop();
        }
        QCOMPARE(timesWoken(), wokenBefore); // and no thread polls for work
        const double spent = processSeconds() - before;
        QVERIFY2(spent < 0.02, qPrintable(QString::number(spent)));
    }

    void moreLogitsThanProvidedFor() {
        const auto loaded = loadForInference(openFixture("llama"));
        const auto fewRows = start(**loaded, {.context = 64, .batch = 8, .threads = 1, .logitRows = 4});
        const auto all = start(**loaded, {.context = 64, .batch = 8, .threads = 1, .logitRows = 64});
        const auto tokens = randomTokens(40, fewRows->vocabulary());
        QCOMPARE(largestDifference(logitsOf(*fewRows, tokens, 20), logitsOf(*all, tokens, 20)), 0.0);
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
        QVERIFY(std::stoull(session.error().args.at(0).text()) <= needs->anonymous());
        QVERIFY(small); // a model that fits still starts
    }
};

GUFO_TEST(TestEngineSessions)
#include "tst_engine_sessions.moc"
