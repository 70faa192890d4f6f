// Compares the figures of several models in lock step with those computed from each model's logits separately.
#include "base/error.h"
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/lock_step.h"
#include "inference/measuring/perplexity.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "text/tokenizer/tokenizer.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace gufo;
using namespace gufo::inference;

namespace {

const std::string kModels = GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-";

std::unique_ptr<Session> sessionOf(const char* type, std::uint32_t context = 256) {
    const auto model = openModel(kModels + type + ".gguf").value();
    return loadForInference(model).value()->startSession({.context = context, .batch = 32}).value();
}

std::vector<TokenId> story() {
    const auto tokenizer = text::makeTokenizer(*openModel(kModels + "F16.gguf").value()).value();
    return tokenizer
        ->encode("Once upon a time there was a little girl who had a dog and a cat. They ran to the park "
                 "and saw a big tree, and the dog was very happy.")
        ->ids;
}

} // namespace

class TestLockStep : public QObject {
    Q_OBJECT

private slots:
    void agreesWithEachModelByItself() {
        const auto given = story();
        QVERIFY(given.size() > 35); // more than one batch of rows
        std::vector<std::unique_ptr<Session>> owned;
        std::vector<Session*> sessions;
        for (const char* type : {"F16", "Q8_0", "Q4_K"}) {
            owned.push_back(sessionOf(type));
            sessions.push_back(owned.back().get());
        }
        std::vector<LockStepPlace> places;
        Progress progress;
        QVERIFY(runInLockStep(sessions, given, {.maxTokens = 20, .candidates = 3}, {.progress = &progress},
                              [&](LockStepPlace place) { places.push_back(std::move(place)); }));
        QCOMPARE(places.size(), given.size() - 1 + 20);
        QCOMPARE(progress.done(), std::uint64_t{given.size() + 20});

        // Each model evaluates the same steps, because batches and single tokens give slightly different logits.
        std::vector<TokenId> text = given;
        for (std::size_t i = given.size() - 1; i < places.size(); ++i) {
            QVERIFY(!places[i].given);
            text.push_back(places[i].token);
        }
        std::vector<std::vector<std::vector<float>>> alone; // [model][place]
        for (const char* type : {"F16", "Q8_0", "Q4_K"}) {
            const auto session = sessionOf(type);
            auto& rows = alone.emplace_back();
            for (std::size_t at = 0; at + 1 < text.size();) {
                const std::size_t count = at < given.size() ? std::min<std::size_t>(32, given.size() - at) : 1;
                QVERIFY(session->evaluate(std::span(text).subspan(at, count), Logits::All, {}));
                for (std::size_t row = 0; row < count; ++row) {
                    const auto logits = session->logits(row);
                    rows.emplace_back(logits.begin(), logits.end());
                }
                at += count;
            }
        }
        double mean = 0;
        std::size_t agreed = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            QCOMPARE(places[i].position, i + 1);
            QCOMPARE(places[i].token, text[i + 1]);
            QCOMPARE(places[i].given, i + 1 < given.size());
            for (std::size_t m = 0; m < 3; ++m) {
                const std::span<const float> logits = alone[m][i];
                const LockStepChoice& choice = places[i].choices[m];
                const double divergence = m == 0 ? 0 : divergenceOf(alone[0][i], logits);
                QVERIFY2(std::abs(choice.divergence - divergence) < 1e-9,
                         qPrintable(QString("%1 %2").arg(choice.divergence).arg(divergence)));
                const auto best = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
                QCOMPARE(choice.token, TokenId(best));
                double sum = 0;
                for (const float logit : logits) {
                    sum += std::exp(static_cast<double>(logit));
                }
                QVERIFY(std::abs(choice.probability - std::exp(static_cast<double>(logits[best])) / sum) < 1e-9);
                QVERIFY(std::abs(choice.logProbability -
                                 (static_cast<double>(logits[text[i + 1].value]) - std::log(sum))) < 1e-9);
                QCOMPARE(choice.candidates.size(), std::size_t{3});
                QVERIFY(choice.candidates[0].probability >= choice.candidates[1].probability);
            }
            mean += divergenceOf(alone[0][i], alone[2][i]) / static_cast<double>(places.size());
            agreed += places[i].choices[2].token == places[i].choices[0].token ? 1 : 0;
            if (i + 1 >= given.size()) {
                QCOMPARE(places[i].token, places[i].choices[0].token); // the first model leads
            }
        }
        const LockStepSummary summary = summarise(places, 2);
        QVERIFY(std::abs(summary.meanDivergence - mean) < 1e-9);
        QVERIFY(summary.meanDivergence > summarise(places, 1).meanDivergence);
        QVERIFY(std::abs(summary.agreement - static_cast<double>(agreed) / static_cast<double>(places.size())) < 1e-9);
        QVERIFY(summary.largestDivergence >= summary.meanDivergence);
        QVERIFY(summary.perplexity > 1);
        QCOMPARE(summarise(places, 0).agreement, 1.0);
        QVERIFY(!summarise(places, 0).firstDifference);
    }

    void endsWithAnEndToken() {
        const auto given = story();
        const auto session = sessionOf("F16");
        Session* one = session.get();
        std::vector<LockStepPlace> places;
        const auto take = [&](LockStepPlace place) { places.push_back(std::move(place)); };
        QVERIFY(runInLockStep({&one, 1}, given, {.maxTokens = 12}, {}, take));
        const TokenId third = places[given.size() + 1].token;
        const auto first = std::ranges::find_if(
            places, [&](const LockStepPlace& place) { return !place.given && place.token == third; });
        const auto expected = static_cast<std::size_t>(first - places.begin()) + 1;
        places.clear();
        QVERIFY(runInLockStep({&one, 1}, given, {.maxTokens = 12, .ends = {third}}, {}, take));
        QCOMPARE(places.size(), expected);
    }

    void onlyTheTextGiven() {
        const auto given = story();
        const auto session = sessionOf("F16");
        Session* one = session.get();
        std::size_t count = 0;
        QVERIFY(runInLockStep({&one, 1}, given, {.maxTokens = 0}, {}, [&](LockStepPlace) { ++count; }));
        QCOMPARE(count, given.size() - 1);
    }

    void cancels() {
        const auto a = sessionOf("F16", 2'048);
        const auto b = sessionOf("Q4_K", 2'048);
        Session* both[]{a.get(), b.get()};
        std::stop_source stop;
        std::size_t count = 0;
        const auto given = story();
        const auto result =
            runInLockStep(both, given, {.maxTokens = 1'900}, {.stop = stop.get_token()}, [&](LockStepPlace) {
                if (++count == 50) {
                    stop.request_stop();
                }
            });
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QVERIFY(count <= 51);
    }

    void refuses() {
        const auto a = sessionOf("F16");
        const auto other = loadForInference(openModel(GUFO_TEST_DATA "/architectures/llama.gguf").value())
                               .value()
                               ->startSession({.context = 64})
                               .value();
        Session* both[]{a.get(), other.get()};
        const auto nothing = [](LockStepPlace) {};
        QCOMPARE(runInLockStep(both, story(), {}, {}, nothing).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(runInLockStep({both, 1}, {}, {}, {}, nothing).error().code, ErrorCode::InvalidArgument);
    }
};

GUFO_TEST(TestLockStep)
#include "tst_lock_step.moc"
