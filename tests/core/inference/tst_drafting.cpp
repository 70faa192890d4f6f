// Speculative decoding: which tokens are drafted, and that a draft never changes the text.
#include "inference/drafting/drafters.h"
#include "inference/engine/gufo_engine.h"
#include "inference/generation/generation.h"
#include "session_helpers.h"
#include "support/run_models.h"
#include "support/test_unit.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

using namespace gufo;
using namespace gufo::inference;
using namespace gufo::test;

namespace {

std::vector<TokenId> tokens(std::initializer_list<std::size_t> ids) {
    std::vector<TokenId> result;
    for (const std::size_t id : ids) {
        result.emplace_back(id);
    }
    return result;
}

// Proposes the tokens of a text that the test knows in advance, with some of them replaced by a wrong one.
class ScriptedDrafter final : public Drafter {
public:
    ScriptedDrafter(std::vector<TokenId> text, std::size_t wrongEvery)
        : m_text(std::move(text))
        , m_wrongEvery(wrongEvery) {}

    Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t most, const JobContext&) override {
        ++calls;
        std::vector<TokenId> proposal;
        for (std::size_t at = text.size(); at < m_text.size() && proposal.size() < most; ++at) {
            const bool wrong = m_wrongEvery != 0 && at % m_wrongEvery == 0;
            proposal.emplace_back(wrong ? std::size_t{m_text[at].value == 3 ? 4U : 3U} : std::size_t{m_text[at].value});
        }
        return proposal;
    }

    int calls = 0;

private:
    std::vector<TokenId> m_text;
    std::size_t m_wrongEvery;
};

// Loses `forgotten` more tokens than it is told to drop, and is prepared for `most` drafted ones.
class ForgetfulSession final : public Session {
public:
    ForgetfulSession(std::unique_ptr<Session> session, std::size_t forgotten, std::size_t most = 16)
        : m_session(std::move(session))
        , m_forgotten(forgotten)
        , m_most(most) {}

    [[nodiscard]] std::uint32_t context() const override { return m_session->context(); }
    [[nodiscard]] std::uint32_t vocabulary() const override { return m_session->vocabulary(); }
    [[nodiscard]] unsigned threads() const override { return m_session->threads(); }
    [[nodiscard]] std::span<const TokenId> tokens() const override { return m_session->tokens(); }
    [[nodiscard]] Result<> evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) override {
        m_longest = which == Logits::All ? std::max(m_longest, tokens.size()) : m_longest;
        return m_session->evaluate(tokens, which, job);
    }
    [[nodiscard]] std::span<const float> logits(std::size_t row) const override { return m_session->logits(row); }
    std::size_t truncate(std::size_t count) override {
        return m_session->truncate(count < tokens().size() ? count - std::min(m_forgotten, count) : count);
    }
    std::size_t prepareDrafts(std::size_t tokens) override { return std::min(tokens, m_most); }
    [[nodiscard]] Result<> shift(std::size_t keep, std::size_t discard, const JobContext& job) override {
        return m_session->shift(keep, discard, job);
    }
    [[nodiscard]] std::vector<std::byte> saveState() const override { return m_session->saveState(); }
    [[nodiscard]] Result<> restoreState(std::span<const std::byte> state) override {
        return m_session->restoreState(state);
    }
    [[nodiscard]] const SessionFigures& figures() const override { return m_session->figures(); }

    // Of those whose logits were all wanted; 1: none.
    [[nodiscard]] std::size_t longestEvaluation() const { return m_longest; }

private:
    std::unique_ptr<Session> m_session;
    std::size_t m_forgotten;
    std::size_t m_most;
    std::size_t m_longest = 1;
};

struct GenerationOutcome {
    std::vector<TokenId> ids;
    std::string text;
    std::optional<StopReason> reason; // empty after an error
    GenerationFigures figures;
    std::vector<TokenId> held; // what the session holds in the end
};

GenerationOutcome generate(const LoadedModel& loaded, const SessionOptions& options,
                           const std::shared_ptr<const text::Tokenizer>& tokenizer, const GenerationSettings& settings,
                           std::span<const TokenId> prompt, std::shared_ptr<Drafter> drafter) {
    GenerationOutcome outcome;
    const auto session = start(loaded, options);
    if (session == nullptr) {
        return outcome;
    }
    Generation generation(*session, tokenizer, settings);
    generation.setDrafter(std::move(drafter));
    auto token = generation.start(prompt, {}) ? generation.next({}) : fail(ErrorCode::Cancelled);
    while (token && *token) {
        outcome.ids.push_back((*token)->choice.token);
        outcome.text += (*token)->text;
        token = generation.next({});
    }
    if (token) {
        outcome.reason = generation.reason();
    }
    outcome.figures = generation.figures();
    outcome.held.assign(session->tokens().begin(), session->tokens().end());
    return outcome;
}

std::vector<TokenId> joined(std::vector<TokenId> a, std::span<const TokenId> b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct Runnable {
    std::shared_ptr<const LoadedModel> loaded;
    std::shared_ptr<const text::Tokenizer> tokenizer;
};

Runnable tiny() {
    const auto model = tinyRunnable();
    const auto loaded = loadForInference(model);
    const auto tokenizer = text::makeTokenizer(*model);
    return loaded && tokenizer ? Runnable{*loaded, *tokenizer} : Runnable{};
}

} // namespace

class TestDrafting : public QObject {
    Q_OBJECT

private slots:
    void lookupProposes_data() {
        QTest::addColumn<QList<int>>("text");
        QTest::addColumn<int>("most");
        QTest::addColumn<QList<int>>("proposed");
        QTest::newRow("nothing occurs twice") << QList<int>{1, 2, 3, 4, 5} << 4 << QList<int>{};
        QTest::newRow("empty text") << QList<int>{} << 4 << QList<int>{};
        QTest::newRow("one token is too few") << QList<int>{1, 2, 9, 2} << 4 << QList<int>{};
        QTest::newRow("two tokens") << QList<int>{1, 2, 9, 1, 2} << 2 << QList<int>{9, 1};
        QTest::newRow("three tokens") << QList<int>{1, 2, 3, 9, 8, 7, 1, 2, 3} << 2 << QList<int>{9, 8};
        QTest::newRow("two equal places that contradict each other")
            << QList<int>{1, 2, 3, 9, 1, 2, 3, 8, 1, 2, 3} << 1 << QList<int>{};
        QTest::newRow("two places, as far as they agree")
            << QList<int>{1, 2, 3, 4, 5, 9, 1, 2, 3, 4, 5, 8, 1, 2, 3} << 6 << QList<int>{4, 5};
        QTest::newRow("the longer of two places")
            << QList<int>{7, 0, 1, 2, 3, 9, 5, 2, 3, 8, 7, 0, 1, 2, 3} << 2 << QList<int>{9, 5};
        QTest::newRow("a place of half the length")
            << QList<int>{0, 1, 2, 3, 9, 5, 2, 3, 9, 8, 0, 1, 2, 3} << 3 << QList<int>{9};
        QTest::newRow("a repetition goes on") << QList<int>{6, 7, 6, 7, 6, 7} << 5 << QList<int>{6, 7, 6, 7, 6};
        QTest::newRow("one token again and again") << QList<int>{4, 4, 4, 4} << 3 << QList<int>{4, 4, 4};
        QTest::newRow("none is wanted") << QList<int>{4, 4, 4, 4} << 0 << QList<int>{};
    }
    void lookupProposes() {
        QFETCH(QList<int>, text);
        QFETCH(int, most);
        QFETCH(QList<int>, proposed);
        std::vector<TokenId> ids;
        for (const int id : text) {
            ids.emplace_back(static_cast<std::size_t>(id));
        }
        const auto proposal = PromptLookup().propose(ids, static_cast<std::size_t>(most), {});
        QVERIFY(proposal);
        QList<int> found;
        for (const TokenId id : *proposal) {
            found << static_cast<int>(id.value);
        }
        QCOMPARE(found, proposed);
    }

    void textStaysTheSame_data() {
        QTest::addColumn<double>("temperature");
        QTest::addColumn<int>("wrongEvery");
        QTest::addColumn<int>("context");
        QTest::addColumn<int>("maxTokens");
        for (const double temperature : {0.0, 1.0}) {
            for (const int wrongEvery : {0, 1, 2, 5}) {
                const auto name = QStringLiteral("temperature %1, wrong every %2").arg(temperature).arg(wrongEvery);
                QTest::newRow(qPrintable(name)) << temperature << wrongEvery << 256 << 100;
            }
        }
        QTest::newRow("a context that overflows") << 0.0 << 3 << 40 << 100;
        QTest::newRow("few tokens") << 0.0 << 0 << 256 << 4;
    }
    void textStaysTheSame() {
        QFETCH(double, temperature);
        QFETCH(int, wrongEvery);
        QFETCH(int, context);
        QFETCH(int, maxTokens);
        const Runnable model = tiny();
        QVERIFY(model.loaded);
        const SessionOptions options = exactly(static_cast<std::uint32_t>(context), 64);
        const GenerationSettings settings{
            .sampler = {.temperature = temperature, .topK = 0, .topP = 1, .minP = 0, .seed = 5, .ignoreEnd = true},
            .maxTokens = static_cast<std::uint32_t>(maxTokens)};
        const std::vector<TokenId> prompt = tokens({1, 5, 6, 7});
        const GenerationOutcome plain = generate(*model.loaded, options, model.tokenizer, settings, prompt, nullptr);
        QCOMPARE(plain.reason, std::optional(StopReason::MaxTokens));
        QCOMPARE(plain.figures.drafted, std::uint64_t{0});
        QCOMPARE(plain.figures.evaluations, plain.figures.tokens);

        const auto drafter =
            std::make_shared<ScriptedDrafter>(joined(prompt, plain.ids), static_cast<std::size_t>(wrongEvery));
        const GenerationOutcome drafted = generate(*model.loaded, options, model.tokenizer, settings, prompt, drafter);
        QCOMPARE(drafted.reason, plain.reason);
        QCOMPARE(drafted.ids, plain.ids);
        QCOMPARE(drafted.text, plain.text);
        QCOMPARE(drafted.held, plain.held);
        QVERIFY(drafter->calls > 0);
        QCOMPARE(drafted.figures.tokens, plain.figures.tokens);
        QCOMPARE(drafted.figures.evaluations + drafted.figures.accepted, drafted.figures.tokens);
        QVERIFY(drafted.figures.accepted <= drafted.figures.drafted);
        QCOMPARE(drafted.figures.accepted > 0, wrongEvery != 1);
    }

    // Recurrent states, sliding windows and latent attention.
    void otherCaches_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mamba", "mamba2", "rwkv6", "rwkv7", "gemma2", "gpt-oss", "lfm2-swa", "qwen35",
                                 "qwen3next", "kimi-linear", "jamba", "deepseek2"}) {
            QTest::newRow(name) << QString(name);
        }
    }
    void otherCaches() {
        QFETCH(QString, name);
        const auto loaded = loadForInference(openFixture(name));
        const Runnable words = tiny();
        QVERIFY(loaded && words.tokenizer);
        const GenerationSettings settings{.sampler = {.temperature = 0, .ignoreEnd = true}, .maxTokens = 80};
        const std::vector<TokenId> prompt = randomTokens(9, 32);
        const auto generated = [&](std::shared_ptr<Drafter> drafter) {
            return generate(**loaded, exactly(kContext, 32), words.tokenizer, settings, prompt, std::move(drafter));
        };
        const GenerationOutcome plain = generated(nullptr);
        QVERIFY(plain.reason.has_value());
        const auto isSame = [&](const GenerationOutcome& drafted) {
            const GenerationFigures& figures = drafted.figures;
            return drafted.ids == plain.ids && drafted.held == plain.held && figures.tokens == plain.figures.tokens &&
                   figures.evaluations + figures.accepted == figures.tokens && figures.accepted <= figures.drafted;
        };
        // A rejected token does not end the drafting, even where the pauses after useless drafts are longest.
        for (const std::size_t wrongEvery : {1U, 3U, 7U}) {
            const auto drafter = std::make_shared<ScriptedDrafter>(joined(prompt, plain.ids), wrongEvery);
            const GenerationOutcome drafted = generated(drafter);
            QVERIFY2(isSame(drafted), qPrintable(QString::number(wrongEvery)));
            QVERIFY2(drafter->calls > 1, qPrintable(QString::number(drafter->calls)));
            QCOMPARE(drafted.figures.accepted > 0, wrongEvery != 1);
        }
        QVERIFY(isSame(generated(std::make_shared<PromptLookup>())));
    }

    // Sessions that lose more than the rejected tokens, as sessions of other engines may.
    void sessionsThatForget_data() {
        QTest::addColumn<int>("forgotten");
        QTest::addColumn<bool>("drafting");
        QTest::newRow("nothing") << 0 << true;
        QTest::newRow("the evaluation of the draft") << 1 << true;
        QTest::newRow("more, so that each draft would cost as much") << 5 << false;
        QTest::newRow("everything") << 1000 << false;
    }
    void sessionsThatForget() {
        QFETCH(int, forgotten);
        QFETCH(bool, drafting);
        const Runnable model = tiny();
        QVERIFY(model.loaded);
        const GenerationSettings settings{.sampler = {.temperature = 0, .ignoreEnd = true}, .maxTokens = 80};
        const std::vector<TokenId> prompt = tokens({1, 5, 6, 7});
        const GenerationOutcome plain =
            generate(*model.loaded, exactly(256, 64), model.tokenizer, settings, prompt, nullptr);
        ForgetfulSession session(start(*model.loaded, exactly(256, 64)), static_cast<std::size_t>(forgotten));
        Generation generation(session, model.tokenizer, settings);
        const auto drafter = std::make_shared<ScriptedDrafter>(joined(prompt, plain.ids), 1); // always wrong
        generation.setDrafter(drafter);
        QVERIFY(generation.start(prompt, {}));
        std::vector<TokenId> ids;
        for (auto token = generation.next({}); token && *token; token = generation.next({})) {
            ids.push_back((*token)->choice.token);
        }
        QCOMPARE(ids, plain.ids);
        QVERIFY(std::ranges::equal(session.tokens(), plain.held));
        QCOMPARE(drafter->calls > 1, drafting);
        QVERIFY(drafter->calls > 0);
        QCOMPARE(generation.figures().accepted, std::uint64_t{0});
        QVERIFY(generation.figures().drafted > 0);
    }

    // As many of the proposed tokens are evaluated as the session is prepared for.
    void draftsObeyTheSession() {
        const Runnable model = tiny();
        QVERIFY(model.loaded);
        const GenerationSettings settings{.sampler = {.temperature = 0, .ignoreEnd = true}, .maxTokens = 80};
        const std::vector<TokenId> prompt = tokens({1, 5, 6, 7});
        const GenerationOutcome plain =
            generate(*model.loaded, exactly(256, 64), model.tokenizer, settings, prompt, nullptr);
        for (const std::size_t most : {0U, 1U}) { // the first draft would have two tokens
            ForgetfulSession session(start(*model.loaded, exactly(256, 64)), 0, most);
            Generation generation(session, model.tokenizer, settings);
            const auto drafter = std::make_shared<ScriptedDrafter>(joined(prompt, plain.ids), 0);
            generation.setDrafter(drafter);
            QVERIFY(generation.start(prompt, {}));
            while (true) {
                const auto token = generation.next({});
                QVERIFY(token);
                if (!*token) {
                    break;
                }
            }
            QCOMPARE(session.longestEvaluation(), most + 1);
            QCOMPARE(drafter->calls > 0, most > 0);
        }
    }

    void endsAtAStopText() {
        const Runnable model = tiny();
        QVERIFY(model.loaded);
        GenerationSettings settings{.sampler = {.temperature = 0, .ignoreEnd = true}, .maxTokens = 60};
        const std::vector<TokenId> prompt = tokens({1, 5, 6, 7});
        const SessionOptions options = exactly(256, 64);
        const GenerationOutcome whole = generate(*model.loaded, options, model.tokenizer, settings, prompt, nullptr);
        QVERIFY(whole.text.size() > 12);
        settings.stops = {whole.text.substr(whole.text.size() / 2, 4)};
        const GenerationOutcome plain = generate(*model.loaded, options, model.tokenizer, settings, prompt, nullptr);
        QCOMPARE(plain.reason, std::optional(StopReason::StopText));
        const auto drafter = std::make_shared<ScriptedDrafter>(joined(prompt, whole.ids), 0);
        const GenerationOutcome drafted = generate(*model.loaded, options, model.tokenizer, settings, prompt, drafter);
        QCOMPARE(drafted.reason, plain.reason);
        QCOMPARE(drafted.text, plain.text);
        QCOMPARE(drafted.held, plain.held);
    }

    // The model itself as its draft: what it proposes is drawn, unless it is an end token, which ignoreEnd forbids.
    void aModelDrafts() {
        const Runnable model = tiny();
        QVERIFY(model.loaded);
        const GenerationSettings settings{.sampler = {.temperature = 0, .ignoreEnd = true}, .maxTokens = 80};
        const std::vector<TokenId> prompt = tokens({1, 5, 6, 7});
        const SessionOptions options = exactly(256, 64);
        const GenerationOutcome plain = generate(*model.loaded, options, model.tokenizer, settings, prompt, nullptr);
        for (const std::uint32_t context : {256U, 16U}) { // once its context is full, a draft proposes nothing more
            auto session = start(*model.loaded, exactly(context, 64));
            QVERIFY(session != nullptr);
            const auto drafter = std::make_shared<DraftModel>(model.loaded, std::move(session));
            const GenerationOutcome drafted =
                generate(*model.loaded, options, model.tokenizer, settings, prompt, drafter);
            QCOMPARE(drafted.ids, plain.ids);
            QVERIFY(drafted.figures.accepted > 0 && drafted.figures.drafted < context);
            QVERIFY(10 * drafted.figures.accepted >= 8 * drafted.figures.drafted);
        }
    }

    void aDraftOfAShorterVocabularyProposesNothing() {
        const auto narrow = loadForInference(tinyRunnable());
        QVERIFY(narrow);
        auto session = start(**narrow, exactly(64, 16));
        QVERIFY(session != nullptr);
        const std::size_t unknown = session->vocabulary();
        DraftModel drafter(*narrow, std::move(session));
        const auto proposal = drafter.propose(tokens({1, unknown}), 4, {});
        QVERIFY(proposal);
        QVERIFY(proposal->empty());
    }

    // Chi-square over all texts of four tokens where each token is one of the two most probable ones. The fourth is
    // drawn after an accepted draft or after a rejected one. Chance exceeds the limit once in about a million runs.
    void distributionIsExact() {
        constexpr int kRuns = 4000;
        constexpr std::size_t kLength = 4;
        constexpr double kLimit = 56; // for 15 degrees of freedom
        const Runnable model = tiny();
        QVERIFY(model.loaded);
        const auto session = start(*model.loaded, exactly(32, 16));
        QVERIFY(session != nullptr);
        const std::vector<TokenId> prompt = tokens({1, 5, 6, 7});

        std::map<std::vector<std::uint32_t>, double> expected;
        const auto extend = [&](const auto& self, std::vector<std::uint32_t> drawn, double probability) -> void {
            if (drawn.size() == kLength) {
                expected[drawn] = probability;
                return;
            }
            std::vector<TokenId> text = prompt;
            for (const std::uint32_t id : drawn) {
                text.emplace_back(std::size_t{id});
            }
            (void)session->truncate(0);
            QVERIFY(session->evaluate(text, Logits::Last, {}));
            std::vector<std::pair<float, std::uint32_t>> ranked;
            for (std::uint32_t id = 0; id < session->vocabulary(); ++id) {
                ranked.emplace_back(session->logits(0)[id], id);
            }
            std::ranges::partial_sort(ranked, ranked.begin() + 2, std::greater());
            const double first = 1 / (1 + std::exp(static_cast<double>(ranked[1].first - ranked[0].first)));
            for (const auto& [share, id] : {std::pair(first, ranked[0].second), {1 - first, ranked[1].second}}) {
                std::vector<std::uint32_t> longer = drawn;
                longer.push_back(id);
                self(self, longer, probability * share);
            }
        };
        extend(extend, {}, 1);
        QCOMPARE(expected.size(), std::size_t{16});

        std::vector<TokenId> likely = prompt; // the drafted tokens
        for (const std::uint32_t id :
             std::ranges::max_element(expected, {}, [](const auto& e) { return e.second; })->first) {
            likely.emplace_back(std::size_t{id});
        }
        std::map<std::vector<std::uint32_t>, int> counts;
        GenerationFigures figures;
        for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
            Generation generation(
                *session, model.tokenizer,
                {.sampler = {.temperature = 1, .topK = 2, .topP = 1, .minP = 0, .seed = seed, .ignoreEnd = true},
                 .maxTokens = kLength});
            generation.setDrafter(std::make_shared<ScriptedDrafter>(likely, 0));
            QVERIFY(generation.start(prompt, {}));
            std::vector<std::uint32_t> drawn;
            for (auto token = generation.next({}); token && *token; token = generation.next({})) {
                drawn.push_back((*token)->choice.token.value);
            }
            ++counts[drawn];
            figures.drafted += generation.figures().drafted;
            figures.accepted += generation.figures().accepted;
        }
        QCOMPARE(figures.drafted, std::uint64_t{kRuns});
        QVERIFY(figures.accepted > kRuns / 10 && figures.accepted < kRuns * 9 / 10);
        double chiSquare = 0;
        int drawn = 0;
        for (const auto& [text, probability] : expected) {
            const double difference = counts[text] - kRuns * probability;
            chiSquare += difference * difference / (kRuns * probability);
            drawn += counts[text];
        }
        QCOMPARE(drawn, kRuns);
        QVERIFY2(chiSquare < kLimit, qPrintable(QString::number(chiSquare)));
    }
};

GUFO_TEST(TestDrafting)
#include "tst_drafting.moc"
