#include "base/error.h" // must precede <compare>, which moc cannot parse first
#include "inference/sampling/sampler.h"
#include "support/test_unit.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

using namespace gufo;
using namespace gufo::inference;

namespace {

TokenId id(std::size_t value) { return TokenId(value); }

// All samplers off: draws from the distribution itself.
SamplerSettings plain() { return {.temperature = 1, .topK = 0, .topP = 1, .minP = 0, .seed = 7}; }

// Probabilities 0.5, 0.25, 0.125 … as logits.
std::vector<float> halving(std::size_t count) {
    std::vector<float> logits;
    for (std::size_t i = 0; i < count; ++i) {
        logits.push_back(-static_cast<float>(i) * std::log(2.0F));
    }
    return logits;
}

struct Masked : Constraint {
    explicit Masked(std::uint64_t mask)
        : m_mask(mask) {}
    bool allows(TokenId token) override { return contains(mask(), token); }
    TokenMask mask() override { return {&m_mask, 1}; }
    bool mayEnd() const override { return m_mayEnd; }
    void accept(TokenId) override {}
    const std::optional<Error>& failure() const override { return m_failure; }

    std::uint64_t m_mask;
    bool m_mayEnd = false;
    std::optional<Error> m_failure;
};

std::vector<double> frequencies(Sampler& sampler, std::span<const float> logits, int draws = 20'000) {
    std::vector<double> result(logits.size());
    for (int i = 0; i < draws; ++i) {
        result[sampler.draw(logits).token.value] += 1.0 / draws;
    }
    return result;
}

std::set<std::size_t> support(const SamplerSettings& settings, std::span<const float> logits) {
    Sampler sampler(settings, {}, {});
    std::set<std::size_t> seen;
    for (int i = 0; i < 5'000; ++i) {
        seen.insert(sampler.draw(logits).token.value);
    }
    return seen;
}

std::set<std::size_t> firstOnes(std::size_t count, std::size_t from = 0) {
    std::set<std::size_t> result;
    for (std::size_t i = from; i < count; ++i) {
        result.insert(i);
    }
    return result;
}

using Filter = std::function<void(SamplerSettings&)>;

} // namespace

class TestSampler : public QObject {
    Q_OBJECT

private slots:
    void tellsWhatCut_data();
    void tellsWhatCut();
    void drawsFromTheDistribution() {
        Sampler sampler(plain(), {}, {});
        const auto seen = frequencies(sampler, halving(4));
        const double whole = 0.5 + 0.25 + 0.125 + 0.0625;
        for (std::size_t i = 0; i < 4; ++i) {
            QVERIFY(std::abs(seen[i] - std::pow(0.5, static_cast<double>(i) + 1) / whole) < 0.015);
        }
    }

    void sameSeedSameTokens() {
        const auto logits = halving(12);
        Sampler a(plain(), {}, {});
        Sampler b(plain(), {}, {});
        std::vector<TokenId> first;
        for (int i = 0; i < 200; ++i) {
            first.push_back(a.draw(logits).token);
            QCOMPARE(b.draw(logits).token, first.back());
        }
        a.reset();
        for (const TokenId token : first) {
            QCOMPARE(a.draw(logits).token, token);
        }
        SamplerSettings other = plain();
        other.seed = 8;
        Sampler c(other, {}, {});
        int equal = 0;
        for (const TokenId token : first) {
            equal += c.draw(logits).token == token ? 1 : 0;
        }
        QVERIFY(equal < 150);
    }

    void filtersKeep_data() {
        QTest::addColumn<Filter>("filter");
        QTest::addColumn<int>("kept"); // of tokens with the probabilities 1/2, 1/4, 1/8 …
        const auto row = [](const char* name, int kept, const Filter& filter) {
            QTest::newRow(name) << filter << kept;
        };
        row("top-k 1", 1, [](SamplerSettings& settings) { settings.topK = 1; });
        row("top-k 3", 3, [](SamplerSettings& settings) { settings.topK = 3; });
        row("top-k more than there are", 8, [](SamplerSettings& settings) { settings.topK = 100; });
        row("top-p 0.4", 1, [](SamplerSettings& settings) { settings.topP = 0.4; });
        row("top-p 0.6", 2, [](SamplerSettings& settings) { settings.topP = 0.6; });
        row("top-p 0.8", 3, [](SamplerSettings& settings) { settings.topP = 0.8; });
        row("top-p 0 keeps one", 1, [](SamplerSettings& settings) { settings.topP = 0; });
        row("min-p 0.4", 2, [](SamplerSettings& settings) { settings.minP = 0.4; });
        row("min-p 0.1", 4, [](SamplerSettings& settings) { settings.minP = 0.1; });
        row("min-p 1", 1, [](SamplerSettings& settings) { settings.minP = 1; });
        // The deviation is 2.29 steps.
        row("n sigma 1", 3, [](SamplerSettings& settings) { settings.topNSigma = 1; });
        row("n sigma tiny", 1, [](SamplerSettings& settings) { settings.topNSigma = 0.01; });
    }
    void filtersKeep() {
        QFETCH(Filter, filter);
        QFETCH(int, kept);
        SamplerSettings settings = plain();
        filter(settings);
        QCOMPARE(support(settings, halving(8)), firstOnes(static_cast<std::size_t>(kept)));
    }

    // Four tokens of 0.2 each and two of 0.1: the entropy is 1.75, and the surprise of 0.2 (1.61) is nearer to it than
    // the surprise of 0.1 (2.30).
    void typicalKeepsTheExpected() {
        std::vector<float> logits(6, std::log(0.2F));
        logits[0] = logits[3] = std::log(0.1F);
        SamplerSettings settings = plain();
        settings.typicalP = 0.7;
        QCOMPARE(support(settings, logits), (std::set<std::size_t>{1, 2, 4, 5}));
    }

    void xtcLeavesOutTheTop() {
        SamplerSettings settings = plain();
        settings.xtcProbability = 1;
        settings.xtcThreshold = 0.2; // 1/2 and 1/4 are above: the second stays
        QCOMPARE(support(settings, halving(5)), firstOnes(5, 1));
        settings.xtcThreshold = 0.45; // a single token is never dropped
        QCOMPARE(support(settings, halving(5)), firstOnes(5));
        settings.xtcProbability = 0;
        settings.xtcThreshold = 0.1;
        QCOMPARE(support(settings, halving(5)), firstOnes(5));
    }

    void temperature() {
        SamplerSettings settings = plain();
        settings.temperature = 0.5; // squares: 1/4, 1/16 …
        Sampler cold(settings, {}, {});
        const auto seen = frequencies(cold, halving(2));
        QVERIFY(std::abs(seen[0] - 0.8) < 0.015);
        settings.temperature = 0;
        QCOMPARE(support(settings, halving(8)), firstOnes(1));
        // Dynamic temperature: a nearly certain distribution is sharpened, a flat one flattened.
        settings.temperature = 1;
        settings.temperatureRange = 1;
        Sampler dynamic(settings, {}, {});
        const std::vector<float> certain{0, -5, -5, -5};
        QVERIFY(frequencies(dynamic, certain)[0] > 0.999);
    }

    void penalties() {
        SamplerSettings settings = plain();
        settings.temperature = 0;
        const std::vector<float> logits{2, 1.5, -1};
        const auto next = [&](const SamplerSettings& s, std::initializer_list<std::size_t> seen) {
            Sampler sampler(s, {}, {});
            for (const std::size_t token : seen) {
                sampler.accept(id(token));
            }
            return sampler.draw(logits).token.value;
        };
        settings.repeatPenalty = 2;
        QCOMPARE(next(settings, {}), 0U);
        QCOMPARE(next(settings, {0}), 1U);
        settings.penaltyLast = 2;
        QCOMPARE(next(settings, {0, 2, 2}), 0U); // beyond penaltyLast
        settings = plain();
        settings.temperature = 0;
        settings.presencePenalty = 0.6;
        QCOMPARE(next(settings, {0}), 1U);
        settings.presencePenalty = 0;
        settings.frequencyPenalty = 0.3;
        QCOMPARE(next(settings, {0}), 0U);
        QCOMPARE(next(settings, {0, 0}), 1U);
    }

    // 5 6 7 … 5 6: another 7 would extend the repetition.
    void dryBreaksRepetition() {
        SamplerSettings settings = plain();
        settings.temperature = 0;
        settings.dryMultiplier = 3;
        std::vector<float> logits(10, 0);
        logits[7] = 2;
        const auto next = [&](std::initializer_list<std::size_t> seen, std::vector<TokenId> breakers) {
            Sampler sampler(settings, {}, std::move(breakers));
            for (const std::size_t token : seen) {
                sampler.accept(id(token));
            }
            return sampler.draw(logits).token.value;
        };
        QCOMPARE(next({5, 6, 7, 1, 5, 6}, {}), 0U);
        QCOMPARE(next({5, 6, 7, 1, 6}, {}), 7U);         // a repetition of one token is allowed
        QCOMPARE(next({5, 6, 7, 1, 5, 6}, {id(6)}), 7U); // a match does not extend beyond a breaker
        settings.dryLast = 4;
        QCOMPARE(next({5, 6, 7, 1, 5, 6}, {}), 7U); // beyond dryLast
        settings.dryLast = 0;
        settings.dryBase = 1e300; // no overflow
        QCOMPARE(next({5, 6, 7, 5, 6, 7, 5, 6, 7, 5, 6}, {}), 0U);
    }

    void biasAndEnd() {
        SamplerSettings settings = plain();
        settings.temperature = 0;
        settings.bias = {{id(3), 10.0}, {id(0), -std::numeric_limits<double>::infinity()}, {id(99), 5.0}};
        Sampler biased(settings, {}, {});
        QCOMPARE(biased.draw(halving(5)).token, id(3));
        settings.bias.clear();
        settings.ignoreEnd = true;
        Sampler endless(settings, {id(0), id(1)}, {});
        QCOMPARE(endless.draw(halving(5)).token, id(2));
    }

    // The mask is applied before the samplers, so the remaining tokens have the probabilities that they would have
    // alone.
    void onlyWhatIsAllowed() {
        Masked odd(0b1010'1010);
        SamplerSettings settings = plain();
        settings.topK = 2; // counts only permitted tokens
        Sampler sampler(settings, {id(4)}, {});
        std::map<std::uint32_t, double> shares;
        for (int i = 0; i < 20'000; ++i) {
            shares[sampler.draw(halving(8), 0, &odd).token.value] += 1.0 / 20'000;
        }
        QCOMPARE(shares.size(), std::size_t{2});
        QVERIFY(std::abs(shares[1] - 0.8) < 0.02); // 1/4 against 1/16
        QVERIFY(std::abs(shares[3] - 0.2) < 0.02);
        Masked none(0);
        QCOMPARE(sampler.draw(halving(8), 0, &none).token, id(4));
        QVERIFY(!sampler.permits(none, id(4)));
    }

    void endsWhereTheConstraintMay() {
        SamplerSettings settings = plain();
        settings.temperature = 0;
        Sampler sampler(settings, {id(0)}, {});
        Masked all(0b111);
        QCOMPARE(sampler.draw(halving(3), 0, &all).token, id(1));
        all.m_mayEnd = true;
        QCOMPARE(sampler.draw(halving(3), 0, &all).token, id(0));
        Masked nothingElse(0);
        nothingElse.m_mayEnd = true;
        settings.temperature = 1;
        Sampler warm(settings, {id(2)}, {});
        QCOMPARE(warm.draw(halving(3), 0, &nothingElse).token, id(2));
        QVERIFY(warm.permits(nothingElse, id(2)));
    }

    void tellsProbabilities() {
        Sampler sampler(plain(), {}, {});
        const auto logits = halving(20);
        const Choice choice = sampler.draw(logits, 5);
        QCOMPARE(choice.candidates.size(), std::size_t{5});
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(choice.candidates[i].token, id(i));
            QVERIFY(std::abs(choice.candidates[i].probability - std::pow(0.5, static_cast<double>(i) + 1)) < 1e-5);
        }
        QVERIFY(std::abs(choice.logProbability - std::log(std::pow(0.5, choice.token.value + 1.0))) < 1e-4);
    }

    void mirostatKeepsItsSurprise_data() {
        QTest::addColumn<int>("version");
        QTest::newRow("1") << 1;
        QTest::newRow("2") << 2;
    }
    void mirostatKeepsItsSurprise() {
        QFETCH(int, version);
        std::vector<float> logits; // Zipf's law with exponent 1.1
        double sum = 0;
        for (int i = 1; i <= 2'000; ++i) {
            logits.push_back(-1.1F * std::log(static_cast<float>(i)));
            sum += std::pow(i, -1.1);
        }
        SamplerSettings settings = plain();
        settings.mirostat = static_cast<std::uint32_t>(version);
        settings.mirostatTau = 3;
        Sampler sampler(settings, {}, {});
        double surprise = 0;
        for (int i = 0; i < 6'000; ++i) {
            const double p = std::pow(sampler.draw(logits).token.value + 1.0, -1.1) / sum;
            surprise += i >= 1'000 ? -std::log2(p) / 5'000 : 0;
        }
        // Surprise is measured among the tokens that remain, so the surprise in the whole distribution is somewhat
        // larger.
        QVERIFY2(surprise > 2.5 && surprise < 4.8, qPrintable(QString::number(surprise)));
    }

    void brokenLogits() {
        const std::vector<float> all(5, NAN);
        Sampler sampler(plain(), {id(2)}, {});
        QCOMPARE(sampler.draw(all).token, id(2));
        const std::vector<float> logits{NAN, -INFINITY, 1, NAN};
        QCOMPARE(sampler.draw(logits, 2).token, id(2));
    }
};

void TestSampler::tellsWhatCut_data() {
    QTest::addColumn<SamplerSettings>("settings");
    QTest::addColumn<int>("kept");
    QTest::addColumn<int>("cut"); // what excluded the other tokens
    const SamplerSettings all{.temperature = 1, .topK = 0, .topP = 1, .minP = 0};
    const auto row = [](const char* name, SamplerSettings settings, int kept, Cut cut) {
        QTest::newRow(name) << settings << kept << static_cast<int>(cut);
    };
    const auto with = [&all](auto set) {
        SamplerSettings settings = all;
        set(settings);
        return settings;
    };
    row("nothing", all, 4, Cut::None);
    row("greedy", with([](SamplerSettings& s) { s.temperature = 0; }), 1, Cut::Greedy);
    row("top-k", with([](SamplerSettings& s) { s.topK = 3; }), 3, Cut::TopK);
    row("top-p", with([](SamplerSettings& s) { s.topP = 0.7; }), 2, Cut::TopP);
    row("min-p", with([](SamplerSettings& s) { s.minP = 0.55; }), 2, Cut::MinP);
    row("mirostat", with([](SamplerSettings& s) {
            s.mirostat = 2;
            s.mirostatTau = 1;
        }),
        2, Cut::Mirostat);
    row("bias", with([](SamplerSettings& s) { s.bias = {{TokenId(3), -std::numeric_limits<double>::infinity()}}; }), 3,
        Cut::Forbidden);
}

// Probabilities 0.5, 0.3, 0.15 and 0.05: the most probable tokens are kept.
void TestSampler::tellsWhatCut() {
    QFETCH(SamplerSettings, settings);
    QFETCH(int, kept);
    QFETCH(int, cut);
    const std::vector<double> probabilities{0.5, 0.3, 0.15, 0.05};
    std::vector<float> logits;
    double entropy = 0;
    for (const double p : probabilities) {
        logits.push_back(static_cast<float>(std::log(p) + 3));
        entropy -= p * std::log2(p);
    }
    Sampler sampler(settings, {}, {});
    const Choice choice = sampler.draw(logits, 4);
    QCOMPARE(choice.kept, static_cast<std::size_t>(kept));
    QVERIFY(std::abs(choice.entropy - entropy) < 1e-5);
    for (std::size_t i = 0; i < 4; ++i) {
        QCOMPARE(static_cast<int>(choice.candidates[i].cut), static_cast<int>(i) < kept ? 0 : cut);
    }
    QVERIFY(choice.token.value < static_cast<std::uint32_t>(kept));
    QCOMPARE(sampler.draw(logits).kept, std::size_t{0}); // only reported if candidates are requested
}

GUFO_TEST(TestSampler)
#include "tst_sampler.moc"
