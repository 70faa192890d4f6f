// A model on a server in lock step with one in this process, against a server that states the probabilities it gives.
#include "base/detail.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine_table.h"
#include "inference/measuring/lock_step.h"
#include "inference/measuring/perplexity.h"
#include "support/run_models.h"
#include "support/server_double.h"
#include "support/stand_in_engine.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace gufo;
using namespace gufo::inference;
using gufo::test::Fault;
using gufo::test::ServerDouble;

namespace {

std::vector<float> randomLogits(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 3);
    std::vector<float> logits(count);
    std::ranges::generate(logits, [&] { return normal(random); });
    return logits;
}

std::vector<double> probabilities(std::span<const float> logits) {
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit));
    }
    std::vector<double> shares;
    for (const float logit : logits) {
        shares.push_back(std::exp(static_cast<double>(logit)) / sum);
    }
    return shares;
}

// The most probable tokens, as a server reports them.
std::vector<Candidate> mostProbable(std::span<const float> logits, std::size_t count) {
    const std::vector<double> shares = probabilities(logits);
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        all.push_back({.token = TokenId(i), .probability = shares[i]});
    }
    std::ranges::sort(all, std::ranges::greater(), &Candidate::probability);
    all.resize(count);
    return all;
}

} // namespace

class TestServerLockStep : public QObject {
    Q_OBJECT

    std::shared_ptr<const Model> m_model = test::tinyRunnable();

    Result<std::unique_ptr<Responder>> open(const ServerDouble& server) const {
        return remoteEngine()->open(m_model, {.server = {.address = server.address()}}, {});
    }

private slots:
    void boundsAreBelowTheDivergence_data() {
        QTest::addColumn<int>("reported");
        for (const int reported : {1, 2, 5, 40, 99, 100}) {
            QTest::addRow("%d of 100", reported) << reported;
        }
    }
    void boundsAreBelowTheDivergence() {
        QFETCH(int, reported);
        for (unsigned seed = 0; seed < 50; ++seed) {
            const std::vector<float> p = randomLogits(100, seed);
            std::vector<float> q = randomLogits(100, seed + 1000);
            for (std::size_t i = 0; i < q.size(); ++i) {
                q[i] = p[i] + q[i] / 4; // another quantisation
            }
            const double whole = divergenceOf(p, q);
            const double bound = boundOfDivergence(p, mostProbable(q, static_cast<std::size_t>(reported)));
            QVERIFY2(bound >= 0 && bound <= whole + 1e-9, qPrintable(QString("%1 of %2").arg(bound).arg(whole)));
            if (reported >= 99) { // the rest is one token, or none
                QVERIFY(std::abs(bound - whole) < 1e-5);
            }
            QCOMPARE(boundOfDivergence(p, mostProbable(p, static_cast<std::size_t>(reported))) < 1e-9, true);
        }
    }

    void comparesWithAServer() {
        const ServerDouble server(m_model);
        const auto responder = open(server);
        QVERIFY(responder.has_value());
        const auto session = loadForInference(m_model).value()->startSession({.context = 64}).value();
        Session* const first = session.get();
        Responder* const asked = responder->get();
        // A text of the server's words, so that some of them are what the server expects.
        const std::vector<TokenId>& words = server.words();
        const std::vector<TokenId> given{words[0], words[1], words[2], words[0]};
        std::vector<LockStepPlace> places;
        QVERIFY(runInLockStep({&first, 1}, given, {.maxTokens = 3, .candidates = 2}, {},
                              [&](LockStepPlace place) { places.push_back(std::move(place)); }, {&asked, 1}));
        QCOMPARE(places.size(), std::size_t{3 + 3});
        const auto again = loadForInference(m_model).value()->startSession({.context = 64}).value();
        std::vector<TokenId> text = given;
        QVERIFY(again->evaluate(given, Logits::All, {}));
        for (std::size_t i = 0; i < places.size(); ++i) {
            const LockStepPlace& place = places[i];
            QCOMPARE(place.choices.size(), std::size_t{2});
            QVERIFY(!place.choices[0].isBound && place.choices[0].isKnown);
            const LockStepChoice& choice = place.choices[1];
            QVERIFY(choice.isBound && choice.isKnown);
            // After one of its words, the server expects the next one.
            const auto last = std::ranges::find(words, text[i]);
            const auto next = last == words.end() ? std::size_t{0} : static_cast<std::size_t>(last - words.begin()) + 1;
            QCOMPARE(choice.token, words[next % words.size()]);
            QVERIFY(std::abs(choice.probability - test::kStandInShares[0]) < 1e-6);
            QVERIFY(std::abs(choice.logProbability -
                             std::log(place.token == choice.token ? test::kStandInShares[0] : 0.01)) < 1e-6);
            QCOMPARE(choice.candidates.size(), std::size_t{2});
            if (place.given) { // evaluated together, as here
                const std::span<const float> logits = again->logits(i);
                const std::vector<double> shares = probabilities(logits);
                double expected = 0;
                double restOfP = 1;
                double restOfQ = 1;
                for (std::size_t k = 0; k < test::kStandInShares.size(); ++k) {
                    const double p = shares[words[(next + k) % words.size()].value];
                    expected += p * std::log(p / test::kStandInShares[k]);
                    restOfP -= p;
                    restOfQ -= test::kStandInShares[k];
                }
                expected += restOfP * std::log(restOfP / restOfQ);
                QVERIFY2(std::abs(choice.divergence - expected) < 1e-6,
                         qPrintable(QString("%1 %2").arg(choice.divergence).arg(expected)));
            }
            text.resize(std::max(text.size(), i + 2));
            text[i + 1] = place.token;
        }
        // Each position was one request, which ended with the text so far.
        std::size_t requests = 0;
        for (const ServerDouble::Seen& seen : server.seen()) {
            requests += seen.path == "/completion" ? 1 : 0;
        }
        QCOMPARE(requests, places.size());
        const LockStepSummary summary = summarise(places, 1);
        QVERIFY(summary.isBound && summary.places == places.size());
        QVERIFY(!summarise(places, 0).isBound);
    }

    void unreportedTokensAreLeftOut() {
        std::vector<LockStepPlace> places(3);
        for (LockStepPlace& place : places) {
            place.choices = {{.token = TokenId(1)},
                             {.token = TokenId(1), .logProbability = -1, .divergence = 0.5, .isBound = true}};
        }
        places[1].choices[1] = {.token = TokenId(2), .divergence = 9, .isBound = true, .isKnown = false};
        const LockStepSummary summary = summarise(places, 1);
        QCOMPARE(summary.places, std::size_t{2});
        QCOMPARE(summary.meanDivergence, 0.5);
        QCOMPARE(summary.agreement, 1.0);
        QCOMPARE(summary.perplexity, std::exp(1.0));
        QVERIFY(!summary.firstDifference);
    }

    void faultsEndTheRun() {
        auto server = std::make_unique<ServerDouble>(m_model);
        const auto responder = open(*server);
        QVERIFY(responder.has_value());
        const std::vector<TokenId> given{server->words()[0], server->words()[1]};
        const auto session = loadForInference(m_model).value()->startSession({.context = 64}).value();
        Session* const first = session.get();
        Responder* const asked = responder->get();
        server.reset();
        const auto done = runInLockStep({&first, 1}, given, {.maxTokens = 3}, {}, [](LockStepPlace) {}, {&asked, 1});
        QVERIFY(!done);
        QCOMPARE(done.error().code, ErrorCode::ConnectionFailed);
    }
};

GUFO_TEST(TestServerLockStep)
#include "tst_server_lock_step.moc"
