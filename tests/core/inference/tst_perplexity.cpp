// The figures of perplexity and divergence, compared with those computed directly from the logits of both models.
#include "document/open_model.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/perplexity.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "text/tokenizer/tokenizer.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace gufo;
using namespace gufo::inference;

namespace {

const std::string kModels = GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-";
constexpr std::uint32_t kWindow = 32;

std::unique_ptr<Session> sessionOf(const char* type) {
    const auto model = openModel(kModels + type + ".gguf").value();
    return loadForInference(model).value()->startSession({.context = kWindow, .logitRows = kWindow}).value();
}

std::vector<TokenId> story() {
    const auto tokenizer = text::makeTokenizer(*openModel(kModels + "F16.gguf").value()).value();
    return tokenizer
        ->encode("Once upon a time there was a little girl who had a dog and a cat. They ran to the park "
                 "and saw a big tree, and the dog was very happy. Then they all went home and had some cake.")
        ->ids;
}

std::vector<double> probabilities(std::span<const float> logits) {
    std::vector<double> p(logits.size());
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = std::exp(static_cast<double>(logits[i]));
        sum += p[i];
    }
    for (double& each : p) {
        each /= sum;
    }
    return p;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

class TestPerplexity : public QObject {
    Q_OBJECT

private slots:
    void summarisesNumbers() {
        std::vector<double> values(1001);
        std::iota(values.begin(), values.end(), 0.0); // 0 … 1000
        std::ranges::reverse(values);
        const Distribution figures = distributionOf(values);
        QVERIFY(close(figures.mean, 500));
        // The variance of n equidistant numbers is n (n + 1) / 12.
        QVERIFY(close(figures.meanError, std::sqrt(1001.0 * 1002 / 12 / 1001)));
        QVERIFY(close(figures.rms, std::sqrt(1000.0 * 2001 / 6)));
        QCOMPARE(figures.minimum, 0.0);
        QCOMPARE(figures.largest, 1000.0);
        QVERIFY(close(figures.percentile(99.9), 999));
        QVERIFY(close(figures.percentile(50), 500));
        QVERIFY(close(figures.percentile(0.1), 1));
        QVERIFY(std::isnan(figures.percentile(42)));
        const Distribution two = distributionOf({4, 2});
        QVERIFY(close(two.percentile(25), 2.5)); // interpolated
        QCOMPARE(two.meanError, 1.0);
        QCOMPARE(distributionOf({3}).percentile(99), 3.0);
        QCOMPARE(distributionOf({3}).meanError, 0.0);
        QCOMPARE(distributionOf({}).mean, 0.0);
    }

    void agreesWithTheLogits() {
        const std::vector<TokenId> tokens = story();
        QVERIFY(tokens.size() >= kWindow);
        const auto first = sessionOf("F16");
        const auto second = sessionOf("Q4_K");
        const auto figures = perplexity(*first, second.get(), tokens, {.window = kWindow}, {});
        QVERIFY(figures && figures->other && figures->divergence);

        std::vector<double> nats;
        std::vector<double> change;
        std::vector<double> ratios;
        std::size_t agreed = 0;
        for (std::size_t w = 0; w + kWindow <= tokens.size(); w += kWindow) {
            const auto part = std::span(tokens).subspan(w, kWindow);
            const auto a = sessionOf("F16");
            const auto b = sessionOf("Q4_K");
            QVERIFY(a->evaluate(part, Logits::All, {}) && b->evaluate(part, Logits::All, {}));
            for (std::size_t i = kWindow / 2; i + 1 < kWindow; ++i) {
                const auto p = probabilities(a->logits(i));
                const auto q = probabilities(b->logits(i));
                double sum = 0;
                for (std::size_t t = 0; t < p.size(); ++t) {
                    sum += p[t] * std::log(p[t] / q[t]);
                }
                const std::size_t next = part[i + 1].value;
                nats.push_back(sum);
                change.push_back(q[next] - p[next]);
                ratios.push_back(std::log(p[next] / q[next]));
                agreed += std::ranges::max_element(p) - p.begin() == std::ranges::max_element(q) - q.begin() ? 1 : 0;
            }
        }
        const Divergence& found = *figures->divergence;
        QCOMPARE(figures->scored, nats.size());
        QVERIFY(std::abs(found.nats.mean - meanOf(nats)) < 1e-7);
        QVERIFY(std::abs(found.nats.largest - std::ranges::max(nats)) < 1e-7);
        QVERIFY(std::abs(found.change.mean - meanOf(change)) < 1e-7);
        std::vector<double> squares = change;
        std::ranges::for_each(squares, [](double& each) { each *= each; });
        QVERIFY(std::abs(found.change.rms - std::sqrt(meanOf(squares))) < 1e-7);
        QVERIFY(std::abs(found.ratio - std::exp(meanOf(ratios))) < 1e-7);
        QVERIFY(close(found.ratio, *figures->other / figures->value));
        QVERIFY(found.ratioError > 0);
        // Both models find the same tokens hard, so their ratio is known better than either perplexity.
        QVERIFY(found.ratioError / found.ratio < figures->deviation / figures->value);
        QCOMPARE(found.topAgreement, static_cast<double>(agreed) / static_cast<double>(nats.size()));
        for (std::size_t i = 1; i < kPercentiles.size(); ++i) {
            QVERIFY(found.nats.percentiles[i] <= found.nats.percentiles[i - 1]);
        }
        QVERIFY(found.nats.percentile(99.9) <= found.nats.largest && found.nats.percentile(0.1) >= found.nats.minimum);
    }

    void theSameModelDoesNotDiverge() {
        const std::vector<TokenId> tokens = story();
        const auto first = sessionOf("Q8_0");
        const auto second = sessionOf("Q8_0");
        const auto figures = perplexity(*first, second.get(), tokens, {.window = kWindow}, {});
        QVERIFY(figures && figures->divergence);
        QCOMPARE(figures->divergence->nats.largest, 0.0);
        QCOMPARE(figures->divergence->change.rms, 0.0);
        QCOMPARE(figures->divergence->ratio, 1.0);
        QCOMPARE(figures->divergence->ratioError, 0.0);
        QCOMPARE(figures->divergence->topAgreement, 1.0);
        QCOMPARE(figures->divergence->topAgreementError, 0.0);
    }
};

GUFO_TEST(TestPerplexity)
#include "tst_perplexity.moc"
