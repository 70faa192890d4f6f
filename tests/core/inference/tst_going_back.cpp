// Going back within the last evaluation, as after a draft whose last tokens are rejected: for every architecture, it
// costs no evaluation, and the session continues as one that has never seen the dropped tokens.
#include "inference/engine/gufo_engine.h"
#include "inference/interface/memory_needs.h"
#include "lying_models.h"
#include "session_helpers.h"
#include "support/test_unit.h"

#include <QDir>
#include <QTest>

#include <array>
#include <memory>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

constexpr std::size_t kPrompt = 45;
constexpr std::size_t kDrafted = 16; // after a token that was drawn
constexpr std::size_t kVerified = kDrafted + 1;

// Batches of other sizes round sums differently, and a recurrent state carries the difference on.
constexpr double kTolerance = 1e-3;

// One model for each kind of recurrence, and one whose recurrent blocks are beside windows.
constexpr std::array kRecurrent{"mamba", "mamba2",   "jamba",        "falcon-h1", "nemotron_h",
                                "lfm2",  "lfm2-swa", "kimi-linear",  "qwen35",    "qwen3next",
                                "rwkv6", "rwkv7",    "granitehybrid"};

// Stops the evaluation once it has made so many products.
class StopAfter final : public ProductListener {
public:
    explicit StopAfter(int products)
        : m_left(products) {}
    void inputs(std::span<const Factor>, const Input&) override {
        if (m_left-- == 0) {
            m_source.request_stop();
        }
    }
    [[nodiscard]] JobContext job() const { return {.stop = m_source.get_token()}; }

private:
    std::stop_source m_source;
    int m_left;
};

} // namespace

class TestGoingBack : public QObject {
    Q_OBJECT

private slots:
    void toEveryToken_data() {
        QTest::addColumn<QString>("name");
        const QDir folder(kFixtures, QStringLiteral("*.gguf"));
        for (const QString& file : folder.entryList()) {
            QTest::newRow(qPrintable(file)) << file.chopped(5);
        }
        QVERIFY(folder.count() > 80);
    }
    void toEveryToken() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        QVERIFY(loaded);
        const auto session = start(**loaded, exactly(kContext, 32));
        const auto fresh = start(**loaded, exactly(kContext, 32));
        QVERIFY(session && fresh);
        QCOMPARE(session->prepareDrafts(kDrafted), kDrafted);
        const auto tokens = randomTokens(kPrompt + kVerified, session->vocabulary());
        const auto others = randomTokens(4, session->vocabulary(), 7);
        const bool recurrent = session->figures().stateBytesPerToken != 0;
        for (std::size_t kept = 0; kept < kVerified; kept += recurrent ? 1 : 5) {
            QCOMPARE(session->truncate(0) + fresh->truncate(0), std::size_t{0});
            for (Session* const each : {session.get(), fresh.get()}) {
                QVERIFY(each->evaluate(std::span(tokens).first(kPrompt), Logits::Last, {}));
            }
            QVERIFY(session->evaluate(std::span(tokens).subspan(kPrompt), Logits::All, {}));
            QVERIFY(kept == 0 || fresh->evaluate(std::span(tokens).subspan(kPrompt, kept), Logits::All, {}));
            QCOMPARE(session->truncate(kPrompt + kept), kPrompt + kept);
            QVERIFY(std::ranges::equal(session->tokens(), std::span(tokens).first(kPrompt + kept)));
            const double difference = largestDifference(logitsOf(*session, others, 1), logitsOf(*fresh, others, 1));
            QVERIFY2(difference <= kTolerance, qPrintable(QString("after %1: %2").arg(kept).arg(difference)));
        }
    }

    void recurrent_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : kRecurrent) {
            QTest::newRow(name) << name;
        }
    }
    // A deferred update computes what an immediate one computes, and a draft may be judged in several steps.
    void deferredUpdatesAreExact_data() { recurrent_data(); }
    void deferredUpdatesAreExact() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        const auto deferring = start(**loaded, exactly(kContext, 32));
        const auto immediate = start(**loaded, exactly(kContext, 32));
        QVERIFY(deferring && immediate);
        QCOMPARE(deferring->prepareDrafts(kDrafted), kDrafted);
        const auto tokens = randomTokens(100, deferring->vocabulary());
        QVERIFY(!logitsOf(*deferring, std::span(tokens).first(30), 30).empty());
        QVERIFY(!logitsOf(*immediate, std::span(tokens).first(30), 30).empty());
        const auto both = [&](std::size_t first, std::size_t count) {
            const auto next = std::span(tokens).subspan(first, count);
            const auto found = logitsOf(*deferring, next, count);
            return !found.empty() && found == logitsOf(*immediate, next, count);
        };
        QVERIFY(both(30, 17));
        QVERIFY2(both(47, 5), "the state that 17 tokens left");
        QVERIFY2(both(52, 2), "the state that 5 tokens left");
        QCOMPARE(deferring->saveState(), immediate->saveState());
        // Dropped in two steps; the rest equals what a session restores from a state saved in between.
        QVERIFY(both(54, 17));
        QCOMPARE(deferring->truncate(65), std::size_t{65});
        QCOMPARE(deferring->truncate(60), std::size_t{60});
        const auto state = deferring->saveState();
        QVERIFY(immediate->restoreState(state));
        QVERIFY(both(60, 1));
        QVERIFY(both(61, 9));
        QCOMPARE(deferring->saveState(), immediate->saveState());
        // Restoring forgets what was deferred.
        QVERIFY(!logitsOf(*deferring, std::span(tokens).subspan(70, 6), 6).empty());
        QVERIFY(deferring->restoreState(state) && immediate->restoreState(state));
        QVERIFY(both(60, 9));
    }

    // After a draft, a session still goes back further, to copies of its state, and shifts.
    void copiesRemain_data() { recurrent_data(); }
    void copiesRemain() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        const auto session = start(**loaded, exactly(kContext, 32));
        const auto fresh = start(**loaded, exactly(kContext, 32));
        QVERIFY(session && fresh);
        QCOMPARE(session->prepareDrafts(kDrafted), kDrafted);
        const auto tokens = randomTokens(kContext, session->vocabulary());
        QVERIFY(session->evaluate(std::span(tokens).first(20), Logits::Last, {}));
        std::size_t at = 20;
        for (const std::size_t rejected : {9U, 16U, 0U, 5U}) {
            QVERIFY(session->evaluate(std::span(tokens).subspan(at, kVerified), Logits::All, {}));
            at += kVerified - rejected;
            QCOMPARE(session->truncate(at), at);
        }
        QCOMPARE(at, std::size_t{58});
        if (name != QLatin1String("lfm2-swa")) { // whose windows know no position before the last batch
            const std::size_t left = session->truncate(57 - kVerified);
            QVERIFY2(left >= 19 && left <= 57 - kVerified, qPrintable(QString::number(left)));
            QVERIFY(session->evaluate(std::span(tokens).subspan(left, 57 - left), Logits::All, {}));
            QCOMPARE(session->truncate(19), std::size_t{19}); // another answer to the same prompt
            QVERIFY(session->evaluate(std::span(tokens).subspan(19, 39), Logits::All, {}));
        }
        QVERIFY(session->evaluate(std::span(tokens).subspan(58, 10), Logits::All, {}));
        QCOMPARE(session->truncate(62), std::size_t{62});
        QVERIFY(session->shift(10, 20, {}));
        std::vector<TokenId> left(tokens.begin(), tokens.begin() + 10);
        left.insert(left.end(), tokens.begin() + 30, tokens.begin() + 62);
        QVERIFY(std::ranges::equal(session->tokens(), left));
        QVERIFY(fresh->evaluate(left, Logits::Last, {}));
        const auto more = std::span(tokens).subspan(62, 6);
        const double difference = largestDifference(logitsOf(*session, more, 1), logitsOf(*fresh, more, 1));
        QVERIFY2(difference <= kTolerance, qPrintable(QString::number(difference)));
    }

    // A draft that is stopped in the middle leaves the session as it was.
    void stopsInADraft_data() { recurrent_data(); }
    void stopsInADraft() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        const auto session = start(**loaded, exactly(kContext, 32));
        QVERIFY(session);
        QCOMPARE(session->prepareDrafts(kDrafted), kDrafted);
        const auto tokens = randomTokens(60, session->vocabulary());
        QVERIFY(session->evaluate(std::span(tokens).first(20), Logits::Last, {}));
        QVERIFY(session->evaluate(std::span(tokens).subspan(20, 9), Logits::All, {}));
        QCOMPARE(session->truncate(24), std::size_t{24});
        const auto before = session->saveState();
        StopAfter stop(1); // in the first block
        QVERIFY(session->listen(&stop));
        const auto stopped = session->evaluate(std::span(tokens).subspan(24, 9), Logits::All, stop.job());
        QVERIFY(session->listen(nullptr));
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        QCOMPARE(session->tokens().size(), std::size_t{24});
        QCOMPARE(session->saveState(), before);
    }

    // Only sessions that draft take memory for it, and only once.
    void memoryIsTakenForDraftsOnly_data() { recurrent_data(); }
    void memoryIsTakenForDraftsOnly() {
        QFETCH(QString, name);
        const auto model = openFixture(name);
        const auto loaded = loadForInference(model);
        const auto session = start(**loaded, exactly(kContext, 32));
        const auto needs = memoryNeeds(model, exactly(kContext, 32));
        QVERIFY(session && needs);
        QCOMPARE(session->figures().draftBytes, std::uint64_t{0});
        QCOMPARE(session->prepareDrafts(4), std::size_t{4});
        const std::uint64_t ofFour = session->figures().draftBytes;
        QCOMPARE(session->prepareDrafts(kDrafted), kDrafted);
        const std::uint64_t ofSixteen = session->figures().draftBytes;
        QVERIFY(ofFour > 0 && ofSixteen > ofFour && ofSixteen < 4 * ofFour);
        QCOMPARE(session->prepareDrafts(4), std::size_t{4});
        QCOMPARE(session->figures().draftBytes, ofSixteen);
        // Several blocks share the memory of one block's state.
        QVERIFY(ofFour < needs->recurrentState + 5 * (ofSixteen - ofFour) / 12 + 64);
        // A batch is evaluated at once or not at all.
        const auto narrow = start(**loaded, exactly(kContext, 8));
        QCOMPARE(narrow->prepareDrafts(kDrafted), std::size_t{7});
    }

    void sessionsWithoutStatesTakeNothing() {
        for (const char* name : {"llama", "gemma3", "gpt-oss", "deepseek2"}) {
            const auto loaded = loadForInference(openFixture(name));
            QVERIFY2(loaded, name);
            const auto session = start(**loaded, exactly(kContext, 32));
            QCOMPARE(session->prepareDrafts(kDrafted), kDrafted);
            QCOMPARE(session->figures().draftBytes, std::uint64_t{0});
        }
        // A convolution of a single tap keeps no earlier inputs.
        ModelPlan plan = plainPlan("lfm2");
        plan.set("shortconv.l_cache", 1U);
        for (PlannedTensor& tensor : plan.tensors) {
            if (tensor.name.ends_with("shortconv.conv.weight")) {
                tensor.dims[0] = 1;
            }
        }
        const auto stateless = loadForInference(plan.model());
        QVERIFY(stateless);
        QCOMPARE(start(**stateless, exactly(kContext, 32))->prepareDrafts(kDrafted), kDrafted);
        // A window is kept for as many tokens as a batch has, beyond which only the whole text could be evaluated
        // again.
        const auto loaded = loadForInference(openFixture("gemma3"));
        QCOMPARE(start(**loaded, exactly(kContext, 8))->prepareDrafts(kDrafted), std::size_t{7});
    }
};

GUFO_TEST(TestGoingBack)
#include "tst_going_back.moc"
