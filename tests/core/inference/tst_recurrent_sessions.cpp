// Sessions of models with recurrent blocks: going back to snapshots, shifting, and the memory of states.
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "session_helpers.h"
#include "support/test_unit.h"

#include <QTest>

#include <array>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

// Batches of other sizes round sums differently, and a recurrent state carries the difference on.
constexpr double kRecurrentTolerance = 1e-3;

// Models with a recurrent state in some or all blocks.
constexpr std::array kRecurrent{"mamba",          "mamba2",      "jamba",    "falcon-h1", "granitehybrid", "nemotron_h",
                                "nemotron_h_moe", "lfm2",        "lfm2-swa", "lfm2moe",   "qwen35",        "qwen35moe",
                                "qwen3next",      "kimi-linear", "rwkv6",    "rwkv7"};

} // namespace

class TestRecurrentSessions : public QObject {
    Q_OBJECT

private slots:
    void recurrentModelsGoBackToSnapshots_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : kRecurrent) {
            QTest::newRow(name) << name;
        }
    }
    // Whatever is left after going back, evaluating the rest again gives what a fresh session gives.
    void recurrentModelsGoBackToSnapshots() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        QVERIFY(loaded);
        const auto session = start(**loaded, exactly(kContext, 4));
        const auto fresh = start(**loaded, exactly(kContext, 4));
        QVERIFY(session && fresh);
        const auto tokens = randomTokens(100, session->vocabulary());
        const auto expected = logitsOf(*fresh, tokens, 4);
        const auto check = [&](std::size_t left) {
            const auto found = logitsOf(*session, std::span(tokens).subspan(left), 3);
            const double difference = largestDifference(found, std::span(expected).last(found.size()));
            QVERIFY2(difference <= kRecurrentTolerance, qPrintable(QString("from %1: %2").arg(left).arg(difference)));
        };
        QVERIFY(!logitsOf(*session, std::span(tokens).first(20), 4).empty());
        QCOMPARE(session->truncate(20), std::size_t{20}); // nothing to drop
        if (name == "lfm2-swa") {                         // the window is too short to go back further than a batch
            QCOMPARE(session->truncate(16), std::size_t{16});
            check(16);
            QCOMPARE(session->truncate(50), std::size_t{0});
            return;
        }
        QCOMPARE(session->truncate(8), std::size_t{8}); // the beginning of a batch
        check(8);
        QCOMPARE(session->tokens().size(), tokens.size());
        // A prompt in one evaluation, then single tokens.
        QCOMPARE(session->truncate(0), std::size_t{0});
        QVERIFY(session->evaluate(std::span(tokens).first(19), Logits::Last, {}));
        QVERIFY(!logitsOf(*session, std::span(tokens).subspan(19, 60), 1).empty());
        QVERIFY(session->tokens().size() - session->truncate(76) < 79);
        const std::size_t left = session->tokens().size();
        QVERIFY2(left <= 76 && left > 40, "copies are taken every 32 tokens");
        check(left);
        QCOMPARE(session->truncate(0), std::size_t{0});
        QVERIFY(session->evaluate(std::span(tokens).first(19), Logits::Last, {}));
        QVERIFY(!logitsOf(*session, std::span(tokens).subspan(19, 60), 1).empty());
        QCOMPARE(session->truncate(18), std::size_t{18}); // another answer to the same prompt
        check(18);
    }

    // Long sessions keep few copies, but the end of the prompt is among them.
    void snapshotsAreThinnedOut() {
        const auto loaded = loadForInference(openFixture("mamba"));
        const auto session = start(**loaded, exactly(4096, 16));
        const auto tokens = randomTokens(3000, session->vocabulary());
        QVERIFY(session->evaluate(std::span(tokens).first(500), Logits::Last, {}));
        for (std::size_t i = 500; i < tokens.size(); ++i) {
            QVERIFY(session->evaluate(std::span(tokens).subspan(i, 1), Logits::None, {}));
        }
        const auto state = session->saveState();
        const std::size_t recent = session->truncate(2990);
        QVERIFY2(recent > 2900 && recent <= 2990, qPrintable(QString::number(recent)));
        const std::size_t older = session->truncate(1900);
        QVERIFY2(older > 900 && older <= 1900, qPrintable(QString::number(older)));
        QCOMPARE(session->truncate(499), std::size_t{499});
        const std::size_t oldest = session->truncate(400);
        QVERIFY(oldest <= 400);
        QVERIFY(session->restoreState(state));
        QCOMPARE(session->truncate(2990), std::size_t{0}); // a restored session has no copies yet
    }

    // A shift of a recurrent model evaluates the later tokens again, so it equals a fresh session with the remaining
    // tokens.
    void recurrentModelsShift_data() { recurrentModelsGoBackToSnapshots_data(); }
    void recurrentModelsShift() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        const auto session = start(**loaded, exactly(kContext, 4));
        const auto fresh = start(**loaded, exactly(kContext, 4));
        const auto tokens = randomTokens(60, session->vocabulary());
        QVERIFY(!logitsOf(*session, tokens, 4).empty());
        QVERIFY(session->shift(3, 17, {}));
        std::vector<TokenId> left(tokens.begin(), tokens.begin() + 3);
        left.insert(left.end(), tokens.begin() + 20, tokens.end());
        QVERIFY(std::ranges::equal(session->tokens(), left));
        QVERIFY(!logitsOf(*fresh, left, 4).empty());
        const auto more = randomTokens(9, session->vocabulary(), 3);
        const double difference = largestDifference(logitsOf(*session, more, 1), logitsOf(*fresh, more, 1));
        QVERIFY2(difference <= kRecurrentTolerance, qPrintable(QString::number(difference)));
        QCOMPARE(session->shift(200, 1, {}).error().code, ErrorCode::InvalidArgument);
        // It can be stopped, and then holds the beginning of what was left.
        std::stop_source source;
        source.request_stop();
        const std::vector<TokenId> before(session->tokens().begin(), session->tokens().end());
        QCOMPARE(session->shift(5, 4, {.stop = source.get_token()}).error().code, ErrorCode::Cancelled);
        QVERIFY(session->tokens().size() <= 5);
        QVERIFY(std::ranges::equal(session->tokens(), std::span(before).first(session->tokens().size())));
    }

    void stateIsAccountedFor_data() { recurrentModelsGoBackToSnapshots_data(); }
    void stateIsAccountedFor() {
        QFETCH(QString, name);
        const auto model = openFixture(name);
        const auto needs = memoryNeeds(model, {.context = 100});
        const auto estimate = estimateMemory(*model, {.context = 100});
        QVERIFY(needs && estimate);
        // Pieces begin at multiples of 64 bytes.
        QVERIFY2(needs->recurrentState >= estimate->recurrentState &&
                     needs->recurrentState < estimate->recurrentState + 64,
                 qPrintable(QString("%1, estimated %2").arg(needs->recurrentState).arg(estimate->recurrentState)));
        QCOMPARE(needs->kvPerToken, estimate->kvPerToken);
        QVERIFY(needs->snapshots >= 3 * estimate->recurrentState);
        // A token reads the whole state.
        const auto loaded = loadForInference(model);
        const auto session = (*loaded)->startSession({.context = 16, .threads = 1});
        QVERIFY(session);
        const std::uint64_t read = (*session)->figures().stateBytesPerToken;
        QVERIFY(read > 0 && read <= needs->recurrentState && read + 64 > needs->recurrentState);
    }
};

GUFO_TEST(TestRecurrentSessions)
#include "tst_recurrent_sessions.moc"
